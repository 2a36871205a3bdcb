//! Match progress on the terminal: a full-screen view with `--tui`, otherwise a progress bar. If
//! standard error is not a terminal, a line is printed every ten seconds instead of the progress
//! bar.

use super::console::{self, DEFAULT_INTERVAL};
use super::println_report;
use super::screen::Screen;
use crate::arena::engine::warning::WarningKind;
use crate::arena::game::GameRecord;
use crate::arena::game::contest::Contest;
use crate::arena::show::headline;
use crate::arena::show::live::lock;
use crate::arena::tournament::config::{Console, OutputSettings};
use crate::arena::tournament::schedule::Pairing;
use crate::arena::tournament::{Standings, Tournament};
use crate::base::text::visible;
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

const MAX_TRANSCRIPT_LINES: usize = 8;

/// Shortens a long line, such as the moves of a game, by removing its middle.
fn cut(line: &str) -> String {
    let chars: Vec<char> = line.chars().collect();
    match chars.len() {
        0..=160 => line.to_owned(),
        n => chars[..80].iter().chain(&[' ', '…', ' ']).chain(&chars[n - 76..]).collect(),
    }
}

pub(super) struct View<'a, G: Contest> {
    tournament: &'a Tournament<G>,
    screen: Option<Screen>,
    bar: Option<ProgressBar>,
    console: Option<Console>,
    /// The warnings that have been printed, by player.
    warned: BTreeSet<(usize, WarningKind)>,
    /// Number of games between two blocks of statistics; 0 for no blocks.
    interval: u64,
    /// Number of games since the last block of statistics.
    since_block: u64,
    /// Number of games played before the match was resumed.
    before: u64,
    started: Instant,
    last_shown: Instant,
}

impl<'a, G: Contest> View<'a, G> {
    pub(super) fn new(
        tournament: &'a Tournament<G>,
        before: &Standings,
        screen: Option<Screen>,
        output: &OutputSettings,
    ) -> Self {
        let console = output.console;
        let interval = output.rating_interval.or(console.map(|_| DEFAULT_INTERVAL));
        let draws_bar = screen.is_none() && console.is_none() && std::io::stderr().is_terminal();
        let bar = draws_bar.then(|| {
            let bar = ProgressBar::new(tournament.games_in_all(before) as u64);
            if let Ok(style) = ProgressStyle::with_template("{pos}/{len} {msg} {eta}") {
                bar.set_style(style);
            }
            bar
        });
        let now = Instant::now();
        let games = before.games();
        if games > 0 && screen.is_none() {
            eprintln!("{games} of {} games already played", tournament.games_in_all(before));
        }
        let view = Self {
            tournament,
            screen,
            bar,
            console,
            warned: BTreeSet::new(),
            interval: interval.unwrap_or(0).into(),
            since_block: 0,
            before: games,
            started: now,
            last_shown: now,
        };
        if let Some(screen) = &view.screen {
            lock(&screen.state).headline = headline(tournament, before);
        }
        view
    }

    /// Prints a line. Control characters are escaped, because the line may contain engine output.
    fn print_line(&self, line: &str) {
        let line = visible(line);
        match (&self.screen, &self.bar) {
            (Some(screen), _) => lock(&screen.state).add_message(&line),
            (None, Some(bar)) => bar.println(line),
            (None, None) => eprintln!("{line}"),
        }
    }

    /// Reports that a game has ended. Fails if standard output is closed.
    pub(super) fn show(
        &mut self,
        pairing: &Pairing,
        game: &GameRecord<G>,
        standings: &Standings,
    ) -> anyhow::Result<()> {
        let players = [pairing.white, pairing.black];
        let [white, black] = players.map(|p| self.tournament.entrants[p].name.as_str());
        if !game.transcript.is_empty() {
            self.print_line(&format!(
                "{} (game {}, {white} – {black}, move {})",
                game.summary([white, black]),
                pairing.game + 1,
                game.next_number(),
            ));
            let last = game.transcript.len().saturating_sub(MAX_TRANSCRIPT_LINES);
            game.transcript[last..]
                .iter()
                .for_each(|line| self.print_line(&format!("    {}", cut(line))));
        }
        for (side, warning) in &game.warnings {
            let player = players[side.index()];
            if self.warned.insert((player, warning.kind)) {
                let (name, number) = (&self.tournament.entrants[player].name, pairing.game + 1);
                let text = &warning.text;
                self.print_line(&format!("warning: game {number}: {name} {text} (reported once)"));
            }
        }
        let line = headline(self.tournament, standings);
        if let Some(screen) = &self.screen {
            let mut state = lock(&screen.state);
            let ending = game.summary([white, black]);
            let ending = format!("game {}, {white} – {black}: {ending}", pairing.game + 1);
            state.add_message(&visible(&ending));
            state.headline = line;
            state.score(self.tournament, standings);
            return Ok(());
        }
        let finished = console::finished(pairing, game, [white, black]);
        match self.console {
            None => self.print_line(&finished),
            Some(Console::Json) => {}
            Some(Console::Fastchess) => println_report(&format!("{finished}\n"))?,
            Some(Console::Cutechess) => {
                let score = console::score_line(self.tournament, standings);
                println_report(&format!("{finished}\n{score}"))?;
            }
        }
        self.since_block += u64::from(game.score().is_some());
        if self.interval > 0 && self.since_block >= self.interval {
            self.block(standings)?;
        }
        match &self.bar {
            Some(bar) => {
                bar.set_length(self.tournament.games_in_all(standings) as u64);
                bar.set_position(standings.games());
                bar.set_message(line);
            }
            None if self.console.is_none()
                && self.last_shown.elapsed() > Duration::from_secs(10) =>
            {
                self.last_shown = Instant::now();
                let (played, all) = (standings.games(), self.tournament.games_in_all(standings));
                let minutes = self.started.elapsed().as_secs_f64() / 60.0;
                let speed = (played - self.before) as f64 / minutes;
                eprintln!("{played}/{all} {line} {speed:.1} games/min");
            }
            None => {}
        }
        Ok(())
    }

    /// Prints a block of statistics: to standard error without `--output`, and to standard output
    /// with `--output fastchess` or `cutechess`. With `--output json`, prints nothing.
    fn block(&mut self, standings: &Standings) -> anyhow::Result<()> {
        self.since_block = 0;
        let console = self.console.unwrap_or(Console::Fastchess);
        let text = console::block(console, self.tournament, standings);
        match self.console {
            None => text.lines().for_each(|line| self.print_line(line)),
            Some(Console::Json) => {}
            Some(_) => println_report(&text)?,
        }
        Ok(())
    }

    pub(super) fn finish(&mut self, standings: &Standings) -> anyhow::Result<()> {
        self.screen = None;
        // A resumed match may already be finished.
        let is_idle = self.before > 0 && standings.games() == self.before;
        if self.console.is_some() && (self.since_block > 0 || is_idle) {
            self.block(standings)?;
        }
        if self.console == Some(Console::Cutechess) {
            println_report("Finished match\n")?;
        }
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        Ok(())
    }
}
