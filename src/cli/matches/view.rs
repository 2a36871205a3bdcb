//! Match progress on the terminal: full-screen with `--tui`, otherwise a progress bar, or a line
//! every ten seconds if standard error is not a terminal.

use super::screen::Screen;
use crate::arena::game::GameRecord;
use crate::arena::game::contest::Contest;
use crate::arena::show::headline;
use crate::arena::show::live::lock;
use crate::arena::tournament::schedule::Pairing;
use crate::arena::tournament::{Standings, Tournament};
use crate::base::text::visible;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

const SHOWN_LINES: usize = 8;

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
    /// Games played before the match was resumed.
    before: u64,
    started: Instant,
    shown: Instant,
}

impl<'a, G: Contest> View<'a, G> {
    pub(super) fn new(
        tournament: &'a Tournament<G>,
        before: &Standings,
        screen: Option<Screen>,
    ) -> Self {
        let bar = (screen.is_none() && std::io::stderr().is_terminal()).then(|| {
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
        let view = Self { tournament, screen, bar, before: games, started: now, shown: now };
        if let Some(screen) = &view.screen {
            lock(&screen.state).headline = headline(tournament, before);
        }
        view
    }

    /// Prints a line, which may contain engine output.
    fn say(&self, line: &str) {
        let line = visible(line);
        match (&self.screen, &self.bar) {
            (Some(screen), _) => lock(&screen.state).say(&line),
            (None, Some(bar)) => bar.println(line),
            (None, None) => eprintln!("{line}"),
        }
    }

    pub(super) fn show(&mut self, pairing: &Pairing, game: &GameRecord<G>, standings: &Standings) {
        let players = [pairing.white, pairing.black];
        let [white, black] = players.map(|p| self.tournament.entrants[p].name.as_str());
        if !game.transcript.is_empty() {
            self.say(&format!(
                "{} (game {}, {white} – {black}, move {})",
                game.summary([white, black]),
                pairing.game + 1,
                game.moves.len() / 2 + 1,
            ));
            let last = game.transcript.len().saturating_sub(SHOWN_LINES);
            game.transcript[last..].iter().for_each(|line| self.say(&format!("    {}", cut(line))));
        }
        let line = headline(self.tournament, standings);
        if let Some(screen) = &self.screen {
            let mut state = lock(&screen.state);
            let ending = game.summary([white, black]);
            let ending = format!("game {}, {white} – {black}: {ending}", pairing.game + 1);
            state.say(&visible(&ending));
            state.headline = line;
            state.score(self.tournament, standings);
            return;
        }
        match &self.bar {
            Some(bar) => {
                bar.set_length(self.tournament.games_in_all(standings) as u64);
                bar.set_position(standings.games());
                bar.set_message(line);
            }
            None if self.shown.elapsed() > Duration::from_secs(10) => {
                self.shown = Instant::now();
                let (played, all) = (standings.games(), self.tournament.games_in_all(standings));
                let minutes = self.started.elapsed().as_secs_f64() / 60.0;
                let speed = (played - self.before) as f64 / minutes;
                eprintln!("{played}/{all} {line} {speed:.1} games/min");
            }
            None => {}
        }
    }

    pub(super) fn finish(&mut self) {
        self.screen = None;
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
