//! `adoube match`: engines play each other.

mod args;
mod follow;
mod merge;
mod report;
mod screen;
#[cfg_attr(not(feature = "board"), path = "not_served.rs")]
mod serve;
mod tables;
mod view;

use crate::arena::engine::entrant::Entrant;
use crate::arena::engine::process::Interrupt;
use crate::arena::game::GameRecord;
use crate::arena::game::contest::Contest;
use crate::arena::game::record::{self, Tags};
use crate::arena::show::live::{Live, lock};
use crate::arena::tournament::journal::{Header, Journal, JournalEntry};
use crate::arena::tournament::schedule::Pairing;
use crate::arena::tournament::{Standings, Tournament};
use crate::base::game::GameKind;
use crate::base::text::Visible;
use anyhow::{Context, anyhow, bail};
use args::Args;
use clap::{Parser, Subcommand};
use follow::Follow;
use report::Page;
use screen::{Screen, State};
use serve::Server;
use std::fs::{File, OpenOptions};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use view::View;

/// Play matches between engines, UCI for chess, Hub and DXP for draughts
///
/// Prints the score with its error, and what it proves. The chapter matches of the manual describes time
/// controls, pairings, openings and files.
#[derive(clap::Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Command {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    args: Args,
}

/// What can be done with matches besides playing them.
#[derive(Subcommand, Debug)]
enum Action {
    Merge(merge::Args),
    Report(report::Args),
}

/// Arguments as a match in a folder keeps them.
#[derive(clap::Parser, Debug)]
struct Kept {
    #[command(flatten)]
    args: Args,
}

/// Runs the command.
pub fn run(command: &Command) -> anyhow::Result<ExitCode> {
    let args = &command.args;
    match (&command.action, &args.resume) {
        (Some(Action::Merge(args)), _) => merge::run(args),
        (Some(Action::Report(args)), _) => report::run(args),
        (None, None) => play_game(args, None),
        (None, Some(dir)) => {
            let dir = dir.canonicalize().with_context(|| dir.display().to_string())?;
            let (header, args) = kept(&dir)?;
            go_to(&header.directory)?;
            header.check_inputs()?;
            play_game(&args, Some(&dir))
        }
    }
}

/// Header and arguments of the match in a folder.
fn kept(dir: &Path) -> anyhow::Result<(Header, Args)> {
    let header = Journal::header(dir)?;
    let words = std::iter::once("match").chain(header.args.iter().map(String::as_str));
    let kept = Kept::try_parse_from(words).with_context(|| dir.display().to_string())?;
    Ok((header, kept.args))
}

/// Changes to the directory to which a match's file names are relative.
fn go_to(dir: &Path) -> anyhow::Result<()> {
    std::env::set_current_dir(dir).with_context(|| dir.display().to_string())
}

fn play_game(args: &Args, resumed: Option<&Path>) -> anyhow::Result<ExitCode> {
    match args.game {
        GameKind::Chess if args.variant.is_some() => {
            bail!("--variant names a game of draughts (--game draughts)")
        }
        GameKind::Chess => play::<crate::chess::Position>(args, resumed),
        GameKind::Draughts if args.chess960 => bail!("--chess960 is a way to play chess"),
        GameKind::Draughts => play::<crate::draughts::Position>(args, resumed),
    }
}

/// The file of a match's records, in its folder.
const fn records_name(game: GameKind) -> &'static str {
    match game {
        GameKind::Chess => "games.pgn",
        GameKind::Draughts => "games.pdn",
    }
}

fn play<G: Contest>(args: &Args, resumed: Option<&Path>) -> anyhow::Result<ExitCode> {
    let mut tournament: Tournament<G> = args.tournament()?;
    let anchor = args.anchor(&tournament.entrants)?;
    let follow = Follow::open(args, &mut tournament)?;
    let on_screen = args.tui && std::io::stdout().is_terminal();
    let server = Server::open(args)?;
    let live = (on_screen || server.is_some()).then(|| Live::watch(&mut tournament));
    let program = std::env::current_exe().context("this program's own path")?;
    let interrupt = Interrupt::guarded(&program).context("the guard of the engines")?;
    let over = Arc::new(AtomicBool::new(false));
    let (handler, is_over) = (interrupt.clone(), Arc::clone(&over));
    ctrlc::set_handler(move || {
        handler.raise();
        if !is_over.load(Ordering::SeqCst) {
            eprintln!("\ninterrupted: no further games; once more breaks the running ones off");
        }
    })?;
    tournament.check(&interrupt)?;
    if let Some(count) = tournament.openings.count() {
        eprintln!("{count} openings");
    }
    let (mut records, entries) = args.records(&tournament.entrants, resumed)?;
    let before = tournament.resume(&entries)?;

    let mut page = if args.report.is_some() || server.is_some() {
        Some(Page::open(args.report.clone(), args, &tournament, 1)?)
    } else {
        None
    };
    if let (Some(page), Some(dir)) = (&mut page, resumed) {
        page.add_played(dir, args, &tournament, &before, &entries)?;
    }
    let tournament = Arc::new(tournament);
    let serving = match (server, &live, &page) {
        (Some(server), Some(live), Some(page)) => {
            Some(server.show(&tournament, args, Arc::clone(live), page, &before)?)
        }
        _ => None,
    };
    follow.begin(&tournament, &before);
    let screen = match &live {
        Some(live) if on_screen => {
            let mut state = State::new(tournament.names(), tournament.schedule.games_in_all());
            state.resume(&tournament, &before);
            Some(Screen::open(state, Arc::clone(live), &interrupt).context("--tui")?)
        }
        _ => None,
    };
    let mut view = View::new(&tournament, &before, screen);
    let mut write_error = None;
    let standings = tournament.run(before, &interrupt, |pairing, game, standings| {
        // Nothing is written after half a record.
        if write_error.is_none()
            && let Err(error) =
                write_game(&mut records, &mut page, args, &tournament, pairing, game, standings)
        {
            // Games without a record are not worth playing.
            write_error = Some(error);
            interrupt.raise();
        }
        if let Err(error) = follow.ended(&tournament, pairing, game, standings)
            && write_error.is_none()
        {
            write_error = Some(error);
            interrupt.raise();
        }
        if let Some(live) = &live {
            lock(live).ended(pairing.game + 1);
        }
        if let Some(serving) = &serving {
            serving.ended(pairing, game);
        }
        view.show(pairing, game, standings);
    })?;
    let closed = follow.close(&standings, &interrupt);
    view.finish();
    let interrupted = interrupt.is_raised();
    let shown = page.map_or(Ok(()), |page| page.write(&tournament, &standings));
    println_report(&tables::report(&tournament, &standings, anchor))?;
    over.store(true, Ordering::SeqCst);
    if let Some(serving) = serving {
        serving.close(&interrupt);
    }
    write_error.map_or(closed, Err)?;
    shown?;
    Ok(if interrupted { ExitCode::from(130) } else { ExitCode::SUCCESS })
}

fn println_report(text: &str) -> anyhow::Result<()> {
    let mut out = Visible(std::io::stdout().lock());
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// Where the games go.
struct Records {
    /// The match's folder.
    folder: Option<Journal>,
    /// The file that they are appended to.
    file: Option<(PathBuf, File)>,
}

impl Args {
    /// Opens what the games are written to. Returns the games that are already there too, if the match in a
    /// folder is resumed.
    fn records(
        &self,
        entrants: &[Arc<Entrant>],
        resumed: Option<&Path>,
    ) -> anyhow::Result<(Records, Vec<JournalEntry>)> {
        let name = records_name(self.game);
        let file = match &self.pgn {
            Some(path) => {
                let open = OpenOptions::new().create(true).append(true).open(path);
                Some((path.clone(), open.with_context(|| path.display().to_string())?))
            }
            None => None,
        };
        if let Some(dir) = resumed {
            let (journal, entries) = Journal::resume(dir, name)?;
            return Ok((Records { folder: Some(journal), file }, entries));
        }
        let folder = if let Some(dir) = &self.dir {
            let words = std::env::args_os().skip(2).map(std::ffi::OsString::into_string);
            let words = words.collect::<Result<Vec<String>, _>>();
            let words = words.map_err(|word| anyhow!("{} is not UTF-8", word.display()))?;
            let header = Header::new(words, &self.inputs(entrants))?;
            Some(Journal::create(dir, &header, name)?)
        } else {
            None
        };
        Ok((Records { folder, file }, Vec::new()))
    }
}

fn write_game<G: Contest>(
    records: &mut Records,
    page: &mut Option<Page>,
    args: &Args,
    tournament: &Tournament<G>,
    pairing: &Pairing,
    game: &GameRecord<G>,
    standings: &Standings,
) -> anyhow::Result<()> {
    let players = [pairing.white, pairing.black];
    let tags = Tags {
        event: &args.event,
        date: std::time::SystemTime::now(),
        round: tournament.round(standings, pairing),
        players: players.map(|p| tournament.entrants[p].name.as_str()),
        controls: players.map(|p| tournament.control(p).to_string()),
        variant: args.variant(),
        edition: tournament.rules.edition,
    };
    let record = record::write(game, &tags)?;
    if let Some(page) = page {
        page.add(pairing, game, &record);
    }
    let text = record.to_string();
    // A game that was broken off is played again when the match is resumed.
    let again = records.folder.is_some() && game.score().is_none();
    if let (Some(journal), Some(score)) = (&mut records.folder, game.score()) {
        journal.add(JournalEntry::new(pairing, score, &game.opening), &text)?;
    }
    if let Some((path, file)) = records.file.as_mut().filter(|_| !again) {
        // In one piece: a match that is killed leaves whole games.
        file.write_all(text.as_bytes()).with_context(|| path.display().to_string())?;
    }
    Ok(())
}
