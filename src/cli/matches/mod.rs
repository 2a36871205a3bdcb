//! `adoube match`: plays matches and tournaments between engines.

mod args;
mod console;
mod follow;
mod merge;
mod report;
mod screen;
#[cfg_attr(not(feature = "board"), path = "not_served.rs")]
mod serve;
mod settings;
mod tables;
mod view;

use crate::arena::engine::entrant::Entrant;
use crate::arena::engine::process::Interrupt;
use crate::arena::game::GameRecord;
use crate::arena::game::contest::Contest;
use crate::arena::show::live::{Live, lock};
use crate::arena::show::watch::MatchEvent;
use crate::arena::tournament::config::{Console, MatchConfig, MatchSettings};
use crate::arena::tournament::journal::{MatchEntry, MatchJournal, StoredConfig};
use crate::arena::tournament::schedule::Pairing;
use crate::arena::tournament::{Standings, Tournament};
use crate::base::game::GameKind;
use crate::base::text::Visible;
use anyhow::Context;
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

/// Play matches between engines: UCI for chess, Hub and DXP for draughts
///
/// Prints the score with its error margin and, if --sprt is given, the result of the SPRT. `adoube
/// manual matches` describes time controls, pairings, openings and files.
#[derive(clap::Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct Command {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    args: Args,
}

#[derive(Subcommand, Debug)]
enum Action {
    Merge(merge::Args),
    Report(report::Args),
}

/// A parser for the command line that earlier versions stored in the match folder.
#[derive(clap::Parser, Debug)]
struct OldArgs {
    #[command(flatten)]
    args: Args,
}

struct Resumed {
    dir: PathBuf,
    config: MatchConfig,
}

pub(super) fn run(command: &Command) -> anyhow::Result<ExitCode> {
    let args = &command.args;
    match (&command.action, &args.resume) {
        (Some(Action::Merge(args)), _) => merge::run(args),
        (Some(Action::Report(args)), _) => report::run(args),
        (None, None) => play_game(&args.settings(Path::new(""))?, args.dir(), None),
        (None, Some(dir)) => {
            let dir = dir.canonicalize().with_context(|| dir.display().to_string())?;
            let mut config = stored_config(&dir)?;
            let settings =
                args.change(&mut config.settings).with_context(|| dir.display().to_string())?;
            go_to(&config.directory)?;
            config.check_inputs()?;
            play_game(&settings, None, Some(&Resumed { dir, config }))
        }
    }
}

/// Reads the configuration of the match stored in a folder. If an earlier version stored the
/// match's command line instead, converts it to a configuration.
fn stored_config(dir: &Path) -> anyhow::Result<MatchConfig> {
    let header = match MatchJournal::config(dir)? {
        StoredConfig::Config(config) => return Ok(*config),
        StoredConfig::Old(header) => header,
    };
    let in_dir = || dir.display().to_string();
    let words = std::iter::once("match").chain(header.args.iter().map(String::as_str));
    let OldArgs { args } = OldArgs::try_parse_from(words).with_context(in_dir)?;
    let settings = args.settings(&header.directory).with_context(in_dir)?;
    Ok(header.into_config(settings, args.config.as_deref())?)
}

fn go_to(dir: &Path) -> anyhow::Result<()> {
    std::env::set_current_dir(dir).with_context(|| dir.display().to_string())
}

fn play_game(
    settings: &MatchSettings,
    dir: Option<&Path>,
    resumed: Option<&Resumed>,
) -> anyhow::Result<ExitCode> {
    match settings.game.name() {
        GameKind::Chess => play::<crate::chess::Position>(settings, dir, resumed),
        GameKind::Draughts => play::<crate::draughts::Position>(settings, dir, resumed),
    }
}

const fn records_name(game: GameKind) -> &'static str {
    match game {
        GameKind::Chess => "games.pgn",
        GameKind::Draughts => "games.pdn",
    }
}

fn play<G: Contest>(
    settings: &MatchSettings,
    dir: Option<&Path>,
    resumed: Option<&Resumed>,
) -> anyhow::Result<ExitCode> {
    let output = &settings.output;
    let mut tournament: Tournament<G> = settings.tournament()?;
    let anchor = settings.anchor(&tournament.entrants)?;
    let follow = Follow::open(output, &mut tournament)?;
    let on_screen = output.tui && std::io::stdout().is_terminal();
    let server = Server::open(output)?;
    let live = (on_screen || server.is_some()).then(|| Live::watch(&mut tournament));
    let program = std::env::current_exe().context("cannot find the path of this program")?;
    let interrupt =
        Interrupt::guarded(&program).context("cannot start the guard process of the engines")?;
    if let Some(Console::Fastchess | Console::Cutechess) = output.console {
        let (names, all) = (tournament.names(), tournament.schedule.games_in_all());
        tournament.watchers.add(move |event| {
            if let MatchEvent::GameStarted(pairing, _) = event {
                // Ignore an error, such as a closed standard output: it is reported at the end of
                // the game.
                println_report(&format!("{}\n", console::started(pairing, &names, all))).ok();
            }
        });
    }
    let over = Arc::new(AtomicBool::new(false));
    let (handler, is_over) = (interrupt.clone(), Arc::clone(&over));
    ctrlc::set_handler(move || {
        let again = handler.is_raised();
        handler.raise();
        if is_over.load(Ordering::SeqCst) {
            return;
        }
        eprintln!(
            "\ninterrupted: {}",
            match again {
                false => "finishing the running games; press Ctrl-C again to abort them",
                true => "aborting the running games",
            }
        );
    })?;
    tournament.check(&interrupt)?;
    if let Some(count) = tournament.openings.count() {
        eprintln!("{count} openings");
    }
    let (mut records, entries) = open_records(settings, &tournament.entrants, dir, resumed)?;
    let before = tournament.resume(&entries)?;
    if tournament.is_decided(&before) {
        eprintln!(
            "no more games: the SPRT is decided. Without --sprt, a new match plays all its games"
        );
    }

    let mut page = if output.report.is_some() || server.is_some() {
        Some(Page::open(output.report.clone(), &settings.event, &tournament, 1)?)
    } else {
        None
    };
    if let (Some(page), Some(Resumed { dir, .. })) = (&mut page, resumed) {
        page.add_played(dir, settings, &tournament, &before)?;
    }
    let tournament = Arc::new(tournament);
    let serving = match (server, &live, &page) {
        (Some(server), Some(live), Some(page)) => {
            Some(server.show(&tournament, settings, Arc::clone(live), page, &before)?)
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
    let mut view = View::new(&tournament, &before, screen, output);
    let mut write_error = None;
    let standings = tournament.run(before, &interrupt, |pairing, game, standings| {
        // After a failed write, append no more records, because the file may end in a partial
        // record.
        if write_error.is_none()
            && let Err(error) =
                write_game(&mut records, &mut page, settings, &tournament, pairing, game, standings)
        {
            // Stop the match: games without a record are useless.
            write_error = Some(error);
            interrupt.raise();
        }
        if let Err(error) = follow.on_game_end(&tournament, pairing, game, standings)
            && write_error.is_none()
        {
            write_error = Some(error);
            interrupt.raise();
        }
        if let Some(live) = &live {
            lock(live).remove(pairing.game + 1);
        }
        if let Some(serving) = &serving {
            serving.on_game_end(pairing, game);
        }
        if let Err(error) = view.show(pairing, game, standings)
            && write_error.is_none()
        {
            write_error = Some(error);
            interrupt.raise();
        }
    })?;
    let closed = follow.close(&standings, &interrupt);
    view.finish(&standings)?;
    let interrupted = interrupt.is_raised();
    let (played, all) = (standings.games(), tournament.games_in_all(&standings) as u64);
    if played < all && (interrupted || tournament.max_time.is_some()) {
        let why = if interrupted { "interrupted" } else { "stopped by --max-time" };
        let folder = resumed.map(|resumed| resumed.dir.as_path()).or(dir);
        let resume = folder.map_or(String::new(), |dir| {
            format!("; `adoube match --resume {}` continues the match", dir.display())
        });
        eprintln!("{why}: {played} of {all} games played{resume}");
    }
    let report_written = page.map_or(Ok(()), |page| page.write(&tournament, &standings));
    if output.console.is_none() {
        println_report(&tables::report(&tournament, &standings, anchor))?;
    }
    over.store(true, Ordering::SeqCst);
    if let Some(serving) = serving {
        serving.close(&interrupt);
    }
    write_error.map_or(closed, Err)?;
    report_written?;
    Ok(if interrupted { ExitCode::from(130) } else { ExitCode::SUCCESS })
}

fn println_report(text: &str) -> anyhow::Result<()> {
    let mut out = Visible(std::io::stdout().lock());
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

struct Records {
    folder: Option<MatchJournal>,
    file: Option<(PathBuf, File)>,
}

/// Opens the files for the game records. For a resumed match, also returns the games that have
/// already been played.
fn open_records(
    settings: &MatchSettings,
    entrants: &[Arc<Entrant>],
    dir: Option<&Path>,
    resumed: Option<&Resumed>,
) -> anyhow::Result<(Records, Vec<MatchEntry>)> {
    let name = records_name(settings.game.name());
    let file = match &settings.output.records {
        Some(path) => {
            let open = OpenOptions::new().create(true).append(true).open(path);
            Some((path.clone(), open.with_context(|| path.display().to_string())?))
        }
        None => None,
    };
    if let Some(Resumed { dir, config }) = resumed {
        let (journal, entries) = MatchJournal::resume(dir, name)?;
        if journal.damage().is_loss() {
            let damage = journal.damage();
            super::print_error(format_args!("warning: {}: {damage}", dir.display()));
        }
        journal.store(config)?;
        return Ok((Records { folder: Some(journal), file }, entries));
    }
    let folder = dir.map(|dir| {
        let config = MatchConfig::new(settings.clone(), &settings.inputs(entrants))?;
        MatchJournal::create(dir, &config, name)
    });
    Ok((Records { folder: folder.transpose()?, file }, Vec::new()))
}

fn write_game<G: Contest>(
    records: &mut Records,
    page: &mut Option<Page>,
    settings: &MatchSettings,
    tournament: &Tournament<G>,
    pairing: &Pairing,
    game: &GameRecord<G>,
    standings: &Standings,
) -> anyhow::Result<()> {
    let record = tournament.record(&settings.event, pairing, game, standings)?;
    if let Some(page) = page {
        page.add(pairing, game, &record);
    }
    let text = record.to_string();
    // An aborted game is replayed when the match is resumed.
    let again = records.folder.is_some() && game.score().is_none();
    if let (Some(journal), Some(score)) = (&mut records.folder, game.score()) {
        journal.add(MatchEntry::new(pairing, score, &game.opening), &text)?;
    }
    if let Some((path, file)) = records.file.as_mut().filter(|_| !again) {
        // Write the record in one call, so that a killed match leaves only complete games.
        file.write_all(text.as_bytes()).with_context(|| path.display().to_string())?;
    }
    Ok(())
}
