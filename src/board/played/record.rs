//! Export of a game as PGN or PDN, with the time control, the clock after each move, and the reason
//! for the result.

use super::{PlayError, Played};
use crate::board::game::BoardGame;
use crate::laws::clock::TimeControl;
use crate::laws::event::time::Hms;
use crate::laws::language::Language;
use crate::laws::rule::Rule;
use crate::record::games::Record;
use std::time::Duration;

impl<G: BoardGame> Played<G> {
    pub(in crate::board) fn record(&self) -> Result<String, PlayError> {
        let mut record = Record::from_position(self.start.clone());
        record.set_date(self.date);
        let [white, black] = self.players();
        record.set_tag("White", &white);
        record.set_tag("Black", &black);
        let control = TimeControl { budget: self.budget.clone(), ..TimeControl::default() };
        record.set_tag("TimeControl", &control.to_string());
        for (&m, after) in self.moves.iter().zip(&self.states[1..]) {
            let mover = !after.position().side();
            let comment = clock_command(after.clock(mover).remaining());
            record.push(m, &comment).map_err(|error| PlayError::Record(error.into()))?;
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
}

/// Formats the time left on a clock as a PGN command, rounded down to tenths of a second.
fn clock_command(left: Option<Duration>) -> String {
    let tenths = |left: Duration| Duration::from_millis(left.as_millis() as u64 / 100 * 100);
    left.map_or_else(String::new, |left| format!("[%clk {}]", Hms(tenths(left))))
}
