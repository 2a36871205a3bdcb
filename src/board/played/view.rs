//! The state of a game as the page shows it.

use super::Played;
use crate::base::side::Side;
use crate::board::desk::plies;
use crate::board::game::BoardGame;
use crate::board::message::{Board, Ending, Mode};
use crate::board::openings::Opening;
use crate::chess::notation::Notation;
use crate::laws::language::Language;
use crate::laws::referee::GameEnd;
use crate::laws::rule::Rule;
use std::time::Duration;

impl<G: BoardGame> Played<G> {
    pub(super) fn view(&self, notation: Notation) -> Board {
        let engines_turn = self.is_engines_turn();
        let position = self.position();
        let mut can = vec!["save"];
        can.extend(self.plies_after_takeback().map(|_| "take-back"));
        if !self.is_over() {
            can.push("resign");
            can.extend(self.can_offer().then_some("offer"));
            can.extend(self.referee().claimable().filter(|_| !engines_turn).map(|_| "claim"));
        }
        let plays = !engines_turn && !self.is_over();
        Board {
            game: G::NAME,
            mode: Mode::Play,
            id: Some(self.id.clone()),
            players: self.players(),
            you: self.you(),
            start: self.start.squares(),
            first: self.start.first_number(),
            black_first: self.start.side() == Side::Black,
            plies: plies(&self.start, &self.moves, notation),
            at: self.moves.len(),
            turn: self.turn(),
            legal: if plays { position.legal(notation) } else { Vec::new() },
            check: position.check(),
            fen: position.to_fen(),
            clocks: self.clocks(),
            running: (!self.is_over() && self.referee().has_clock()).then(|| self.turn()),
            thinking: self.opponent.is_busy(),
            ending: self.ending(),
            unsaved: !self.unwritten.is_empty(),
            can,
            // The page uses the record to open a finished game for analysis.
            record: if self.is_over() { self.record().ok() } else { None },
            opening: self.opening().map(|opening| opening.to_string()),
            terms: Some(self.terms.clone()),
            study: None,
            referee: None,
        }
    }

    pub(super) fn players(&self) -> [String; 2] {
        let engine = self.engine();
        Side::ALL.map(|side| match self.you() {
            _ if !self.terms.names[side as usize].is_empty() => {
                self.terms.names[side as usize].clone()
            }
            None => side.to_string(),
            Some(you) if you == side => "You".to_owned(),
            Some(_) => engine.clone(),
        })
    }

    /// Returns the opening, if it is in the table.
    pub(super) fn opening(&self) -> Option<Opening> {
        let keys: Vec<_> = self.states.iter().map(|state| state.position().key()).collect();
        G::opening(&keys)
    }

    /// Returns the clock times in milliseconds.
    fn clocks(&self) -> [Option<u64>; 2] {
        Side::ALL.map(|side| {
            let used = if side == self.turn() { self.spent() } else { Duration::ZERO };
            let left = self.referee().clock(side).remaining()?.saturating_sub(used);
            u64::try_from(left.as_millis()).ok()
        })
    }

    fn ending(&self) -> Option<Ending> {
        let end = self.referee().verdict()?;
        Some(Ending { score: end.outcome.score(), text: self.how(end, self.language) })
    }

    /// Returns the result, for example `1-0`, or `None` if the game is unfinished.
    pub(in crate::board) fn result(&self) -> Option<&'static str> {
        Some(self.referee().verdict()?.outcome.score())
    }

    /// Returns the result and the reason in words.
    pub(super) fn how(&self, end: &GameEnd, language: Language) -> String {
        let article = &end.article;
        let (rule, [draw, white_wins, black_wins, agreement, colon]) = match language {
            Language::English => {
                (end.rule.english(), ["Draw", "White wins", "Black wins", "Draw by agreement", ":"])
            }
            Language::French => (
                end.rule.french(),
                [
                    "Nulle",
                    "Les Blancs gagnent",
                    "Les Noirs gagnent",
                    "Nulle d’un commun accord",
                    " :",
                ],
            ),
        };
        if end.rule == Rule::Agreement {
            return format!("{agreement} ({article})");
        }
        let who = match end.outcome.winner() {
            None => draw,
            Some(Side::White) => white_wins,
            Some(Side::Black) => black_wins,
        };
        match self.position().own_end(language) {
            Some(own) => format!("{who}{colon} {own}"),
            None => format!("{who}{colon} {rule} ({article})"),
        }
    }
}
