//! What the opponent does in a game: how long it may think, when it claims a draw or takes one, and what is
//! said if it fails.

use super::Played;
use crate::arena::engine::protocol::ClockReading;
use crate::base::side::Side;
use crate::board::desk::keys;
use crate::board::journal::{End, Entry};
use crate::board::message::{Level, Say};
use crate::board::opponent::{Asked, Opponent};
use crate::board::shown::Shown;
use crate::board::thinker::Aim;
use crate::chess::notation::Notation;
use crate::laws::clock::{Budget, TimeControl};
use crate::search::limits::{Clock, Limits};
use std::time::{Duration, Instant};

/// What an engine thinks without a clock, if nothing else bounds it.
const WITHOUT_CLOCK: Duration = Duration::from_secs(1);
/// The last of an engine's time for a move that it does not use.
const RESERVE: Duration = Duration::from_millis(50);
/// How long another engine may think without a clock, whatever bounds it.
const PATIENCE: Duration = Duration::from_secs(600);

impl<G: Shown> Played<G> {
    /// The next player begins to think. The engine claims a draw unless it hopes for more.
    pub(super) fn go_on(&mut self, notation: Notation) {
        self.opponent.stop();
        self.began = Instant::now();
        if !self.is_engines_turn() {
            return;
        }
        let content = self.score.is_none_or(|score| score <= 0);
        if content
            && self.referee().claimable().is_some()
            && self.happen(&Entry::End(End::Claim)).is_ok()
        {
            return;
        }
        self.think(notation);
    }

    /// Has the opponent think about his move.
    fn think(&mut self, notation: Notation) {
        let (limits, asked) = (self.limits(), self.asked());
        match &mut self.opponent {
            Opponent::Own(thinker) => {
                let position = self.states[self.states.len() - 1].position().clone();
                let seed = u64::from_str_radix(&self.id, 16).unwrap_or_default();
                let strength = G::strength(self.terms.level, seed).ok().flatten();
                let earlier = keys(&self.start, &self.moves);
                thinker.start(position, earlier, limits, Aim::Move(strength), notation);
            }
            Opponent::Other(other) => other.start(asked),
        }
    }

    /// What another engine is asked. Its own bounds hold beside the clock, or instead of it.
    fn asked(&self) -> Asked<G> {
        let own = match &self.opponent {
            Opponent::Own(_) => None,
            Opponent::Other(other) => other.entrant().control.clone(),
        };
        let mut control = own.unwrap_or_default();
        let left = self.referee().clock(self.turn()).remaining();
        let is_bounded = control.nodes.is_some() || control.depth.is_some();
        control.budget = match (&self.budget, control.budget) {
            (Budget::Unlimited, budget @ Budget::PerMove(_)) => budget,
            (Budget::Unlimited, _) if is_bounded => Budget::Unlimited,
            (Budget::Unlimited, _) => Budget::PerMove(WITHOUT_CLOCK),
            (budget, _) => budget.clone(),
        };
        let clocks = Side::ALL.map(|side| {
            let clock = self.referee().clock(side);
            let (increment, moves_to_go) = (clock.increment(), clock.moves_to_go());
            ClockReading { left: clock.remaining(), increment, moves_to_go }
        });
        let allowed = match control {
            TimeControl { budget: Budget::PerMove(time), .. } => time,
            _ => left.unwrap_or(PATIENCE),
        };
        let (start, moves, side) = (self.start.clone(), self.moves.clone(), self.turn());
        Asked { start, moves, side, clocks, control, allowed }
    }

    /// What ends the engine's thought.
    fn limits(&self) -> Limits<G::Move> {
        let clock = self.referee().clock(self.turn());
        let left = clock.remaining().map(|left| left.saturating_sub(RESERVE));
        let mut limits = Limits { begun: Some(self.began), ..Limits::default() };
        match (&self.budget, left) {
            (Budget::PerMove(_), Some(left)) => limits.movetime = Some(left),
            (_, Some(time)) => {
                let (increment, moves_to_go) = (clock.increment(), clock.moves_to_go());
                limits.clock = Some(Clock { time, increment, moves_to_go });
            }
            (_, None) if self.terms.level == Level::Full => limits.movetime = Some(WITHOUT_CLOCK),
            (_, None) => {}
        }
        limits
    }

    /// A person offers a draw. The engine accepts what is better than it hopes for.
    pub(super) fn offer(&mut self) -> Result<Option<Say>, String> {
        if self.is_engines_turn() {
            return Err("a draw is offered at your own move".to_owned());
        }
        if self.you().is_some() && self.score.is_none_or(|score| score >= 0) {
            return Ok(Some(Say::Note { text: format!("{} declines the draw.", self.engine()) }));
        }
        self.happen(&Entry::End(End::Agreed(self.person()))).map(|()| None)
    }

    /// Whom the person plays against.
    pub(super) fn engine(&self) -> String {
        match (&self.terms.engine, self.terms.level) {
            (Some(name), _) => name.clone(),
            (None, Level::Full) => "Adoube".to_owned(),
            (None, Level::Elo(elo)) => format!("Adoube ({elo})"),
            (None, Level::Skill(skill)) => format!("Adoube (skill {skill})"),
        }
    }

    /// The opponent does not play on. He is asked again after whatever the person does.
    pub(super) fn failed(&mut self, why: &str) -> Say {
        self.opponent.begin_again();
        let why = format!(
            "{} has failed: {why}. Take a move back, or load the page again, and it is asked again.",
            self.engine()
        );
        Say::Refused { why }
    }
}
