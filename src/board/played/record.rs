//! Export of a game as PGN or PDN, with the time control, the clock after each move, and the reason
//! for the result.

use super::{PlayError, Played};
use crate::base::side::Side;
use crate::board::game::BoardGame;
use crate::board::message::play::Level;
use crate::laws::clock::TimeControl;
use crate::laws::event::time::Hms;
use crate::laws::language::{Bilingual, Language};
use crate::laws::rule::Rule;
use crate::record::games::Record;
use std::time::Duration;

impl<G: BoardGame> Played<G> {
    pub(in crate::board) fn record(&self) -> Result<String, PlayError> {
        let mut record = Record::from_position(self.start.clone());
        record.set_date(self.date);
        for (side, name, rating) in
            [(Side::White, "White", "WhiteElo"), (Side::Black, "Black", "BlackElo")]
        {
            record.set_tag(name, &self.name_in_file(side));
            if let Level::Elo(elo) = self.terms.level
                && self.is_own_engine(side)
            {
                record.set_tag(rating, &elo.to_string());
            }
        }
        if let Some(opening) = self.opening() {
            record.set_tag("ECO", opening.code);
            record.set_tag("Opening", opening.name);
        }
        let control = TimeControl { budget: self.budget.clone(), ..TimeControl::default() };
        record.set_tag("TimeControl", &control.to_string());
        for (&m, after) in self.moves.iter().zip(&self.states[1..]) {
            let mover = !after.position().side();
            let comment = clock_command(after.clock(mover).remaining());
            record.push(m, &comment).map_err(|error| PlayError::Record(Bilingual::of(&error)))?;
        }
        if let Some(end) = self.referee().verdict() {
            record.result = G::result(end.outcome.winner());
            let is_time = [Rule::Flag, Rule::FlagDrawn].contains(&end.rule);
            record.set_tag("Termination", if is_time { "time forfeit" } else { "normal" });
            record.comment(&self.how(end, Language::English));
        } else {
            record.set_tag("Termination", "unterminated");
        }
        Ok(record.to_string())
    }

    /// Returns whether Adoube plays this side.
    fn is_own_engine(&self, side: Side) -> bool {
        self.terms.engine.is_none() && self.you().is_some_and(|you| you != side)
    }

    /// Returns the name of a player for the exported file. Adoube's name includes its version. A
    /// person without a name becomes `Player` in the user's language, or `?` in a game between two
    /// people.
    fn name_in_file(&self, side: Side) -> String {
        let [white, black] = self.players();
        let shown = if side == Side::White { white } else { black };
        if !self.terms.names[side as usize].is_empty() {
            return shown;
        }
        if self.is_own_engine(side) {
            let skill = match self.terms.level {
                Level::Skill(skill) => format!(" (skill {skill})"),
                Level::Full | Level::Elo(_) => String::new(),
            };
            return format!("Adoube {}{skill}", env!("CARGO_PKG_VERSION"));
        }
        match (self.you(), self.language) {
            (Some(you), _) if you != side => shown,
            (Some(_), Language::English) => "Player".to_owned(),
            (Some(_), Language::French) => "Joueur".to_owned(),
            (None, _) => "?".to_owned(),
        }
    }
}

/// Formats the time left on a clock as a PGN command, rounded down to tenths of a second.
fn clock_command(left: Option<Duration>) -> String {
    let tenths = |left: Duration| Duration::from_millis(left.as_millis() as u64 / 100 * 100);
    left.map_or_else(String::new, |left| format!("[%clk {}]", Hms(tenths(left))))
}
