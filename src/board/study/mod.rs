//! A position or a game that is looked at, with the engine's lines.

use super::desk::{Desk, keys, plies, record, saved};
use super::message::{Ask, Board, Mode, Say};
use super::shown::Shown;
use super::thinker::{Aim, Outlet, Thinker, Told};
use crate::base::side::Side;
use crate::chess::notation::Notation;
use crate::record::games::Reader;
use crate::search::limits::Limits;
use std::time::Instant;

/// The most lines that the engine shows.
const MOST_LINES: usize = 5;
/// The most moves of a line: longer ones make the page slow.
const MOST_PLIES: usize = 2000;

/// What is studied.
pub(super) struct Study<G: Shown> {
    players: [String; 2],
    start: G,
    moves: Vec<G::Move>,
    result: G::Result,
    /// After how many of the moves the board is.
    at: usize,
    /// The position there.
    position: G,
    thinker: Thinker<G>,
    /// How many lines the engine shows; `None` if it rests.
    lines: Option<usize>,
}

impl<G: Shown> Study<G> {
    /// Opens a position (FEN) or the first game of a text of records (PGN, PDN); the start position if
    /// the text is empty. There can be something to say about it.
    ///
    /// # Errors
    /// Why the text is neither.
    pub fn open(text: &str, outlet: Outlet) -> Result<(Self, Option<Say>), String> {
        let text = text.trim();
        let mut study = Self {
            players: ["?", "?"].map(str::to_owned),
            start: G::start(),
            moves: Vec::new(),
            result: G::Result::default(),
            at: 0,
            position: G::start(),
            thinker: Thinker::new(outlet),
            lines: None,
        };
        let mut note = None;
        match G::from_fen(text) {
            _ if text.is_empty() => {}
            Ok(start) => study.start = start,
            // A line without a move's number or a tag is meant as a position.
            Err(error) if !text.contains(['\n', '[']) && !text.contains("1.") => {
                return Err(error.to_string());
            }
            Err(_) => {
                let mut games = Reader::<G, _>::new(text.as_bytes());
                let game = games.next().ok_or("there is no game in the text")?;
                let game = game.map_err(|error| error.to_string())?;
                for (player, tag) in study.players.iter_mut().zip(["White", "Black"]) {
                    game.tag(tag).unwrap_or("?").clone_into(player);
                }
                study.start = game.start().clone();
                study.moves = game.moves().take(MOST_PLIES).collect();
                study.result = game.result;
                let more = games.take(1000).filter(Result::is_ok).count();
                if more > 0 {
                    let text = format!("The first of {} games is shown.", more + 1);
                    note = Some(Say::Note { text });
                }
            }
        }
        study.go(0);
        Ok((study, note))
    }

    /// Looks at the position after `at` plies.
    fn go(&mut self, at: usize) {
        self.at = at.min(self.moves.len());
        let moves = self.moves[..self.at].iter();
        self.position = moves.fold(self.start.clone(), |position, &m| position.after(m));
    }

    /// Has the engine look at the position, if it is to.
    fn think(&mut self, notation: Notation) {
        self.thinker.stop();
        let Some(lines) = self.lines.filter(|_| !self.position.moves().is_empty()) else { return };
        let earlier = keys(&self.start, &self.moves[..self.at]);
        let limits = Limits { infinite: true, ..Limits::default() };
        let aim = Aim::Lines(lines, self.at);
        self.thinker.start(self.position.clone(), earlier, limits, aim, notation);
    }

    fn make(&mut self, text: &str, notation: Notation) -> Result<(), String> {
        let m = self.position.read_typed(text, notation)?;
        if self.moves.get(self.at) != Some(&m) {
            if self.at >= MOST_PLIES {
                return Err(format!("a line has at most {MOST_PLIES} moves here"));
            }
            self.moves.truncate(self.at);
            self.moves.push(m);
            self.result = G::Result::default();
        }
        self.go(self.at + 1);
        Ok(())
    }
}

impl<G: Shown> Desk for Study<G> {
    fn ask(&mut self, ask: Ask, notation: Notation) -> Result<Option<Say>, String> {
        match ask {
            Ask::Move { text } => self.make(&text, notation)?,
            Ask::At { ply } => self.go(ply),
            Ask::TakeBack => {
                let last = self.at.checked_sub(1).ok_or("there is no move to take back")?;
                self.moves.truncate(last);
                self.result = G::Result::default();
                self.go(last);
            }
            Ask::Analyse { lines } => self.lines = Some(lines.clamp(1, MOST_LINES)),
            Ask::Stop => self.lines = None,
            Ask::Notation { .. } => {}
            Ask::Save => {
                return saved(&self.start, &self.moves, &self.players, self.result).map(Some);
            }
            _ => return Err("that can be done in a game only".to_owned()),
        }
        self.think(notation);
        Ok(None)
    }

    fn told(&mut self, told: Told, _: Notation) -> Option<Option<Say>> {
        match told {
            Told::Lines(number, lines) if self.thinker.is_current(number) => {
                Some(Some(Say::Lines(lines)))
            }
            Told::Failed(why) => Some(Some(Say::Refused { why })),
            Told::Lines(..) | Told::Move(..) => None,
        }
    }

    fn deadline(&self) -> Option<Instant> {
        None
    }

    fn flag_falls(&mut self) {}

    fn board(&self, notation: Notation) -> Board {
        let mut can = vec![if self.lines.is_some() { "stop" } else { "analyse" }, "save"];
        can.extend((self.at > 0).then_some("take-back"));
        Board {
            game: G::NAME,
            mode: Mode::Study,
            id: None,
            players: self.players.clone(),
            you: None,
            start: self.start.squares(),
            first: self.start.first_number(),
            black_first: self.start.side() == Side::Black,
            plies: plies(&self.start, &self.moves, notation),
            at: self.at,
            turn: self.position.side(),
            legal: self.position.legal(notation),
            check: self.position.check(),
            fen: self.position.to_fen(),
            clocks: [None; 2],
            running: None,
            thinking: self.thinker.is_busy(),
            ending: None,
            can,
            record: record(&self.start, &self.moves, &self.players, self.result).ok(),
            referee: None,
        }
    }
}
