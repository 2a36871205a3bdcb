//! The opponent's actions: thinking, claiming and accepting draws, and failing.

use super::{PlayError, Played};
use crate::arena::engine::protocol::ClockReading;
use crate::base::rng::Rng;
use crate::base::side::Side;
use crate::board::desk::{Update, keys};
use crate::board::game::BoardGame;
use crate::board::journal::{End, Entry};
use crate::board::message::ServerMessage;
use crate::board::message::play::Level;
use crate::board::opponent::{Opponent, Task};
use crate::board::thinker::Aim;
use crate::chess::notation::Notation;
use crate::laws::clock::{Budget, TimeControl};
use crate::laws::language::{InFrench, Language};
use crate::search::limits::{Clock, Limits};
use std::time::{Duration, Instant};

/// Thinking time of an engine if neither a clock nor a configured limit bounds the search.
const WITHOUT_CLOCK: Duration = Duration::from_secs(1);
/// Safety margin subtracted from the clock of Adoube's own engine.
const RESERVE: Duration = Duration::from_millis(50);
/// Maximum thinking time of an external engine if neither a clock nor a time per move applies.
const PATIENCE: Duration = Duration::from_secs(600);

/// Pause before the only legal move at a weak level.
const FORCED_PAUSE: Duration = Duration::from_millis(400);
/// Shortest and longest pause before other moves at a weak level, in seconds.
const PAUSES: [f64; 2] = [0.5, 1.6];
/// The maximum pause is the remaining time divided by this number.
const PAUSE_SHARE: u32 = 40;

/// Returns the time that a weak player takes for a move, so that the move does not appear at once.
/// `left` is the remaining time on the clock, if there is a clock.
fn pause(left: Option<Duration>, legal_moves: usize, rng: &mut Rng) -> Duration {
    let [shortest, longest] = PAUSES;
    let natural = match legal_moves {
        1 => FORCED_PAUSE,
        _ => Duration::from_secs_f64(shortest + (longest - shortest) * rng.unit()),
    };
    left.map_or(natural, |left| natural.min(left / PAUSE_SHARE))
}

impl<G: BoardGame> Played<G> {
    /// Starts the turn of the player to move. The engine claims a possible draw unless its score is
    /// positive.
    pub(in crate::board) fn go_on(&mut self, notation: Notation) {
        self.opponent.stop();
        self.began = Instant::now();
        if !self.is_engines_turn() {
            return;
        }
        let is_content = self.score.is_none_or(|score| score <= 0);
        if is_content
            && self.referee().claimable().is_some()
            && self.happen(&Entry::End(End::Claim)).is_ok()
        {
            return;
        }
        self.think(notation);
    }

    fn think(&mut self, notation: Notation) {
        let (limits, task, left) = (self.limits(), self.task(), self.left(self.turn()));
        match &mut self.opponent {
            Opponent::Own(thinker) => {
                let position = self.states[self.states.len() - 1].position().clone();
                let seed = u64::from_str_radix(&self.id, 16).unwrap_or_default();
                let strength = G::strength(self.terms.level, seed).ok().flatten();
                let earlier = keys(&self.start, &self.moves);
                let mut rng = Rng::new(seed ^ position.key());
                let pause = pause(left, position.moves().len(), &mut rng);
                let not_before = strength.map(|_| self.began + pause);
                let aim = Aim::Move { strength, not_before };
                thinker.start(position, earlier, limits, aim, notation);
            }
            Opponent::Other(other) => other.start(task),
        }
    }

    /// Returns the task for an external engine. A node or depth limit configured for the engine
    /// applies even if there is a clock. A configured time per move applies only without a clock.
    fn task(&self) -> Task<G> {
        let own = match &self.opponent {
            Opponent::Own(_) => None,
            Opponent::Other(other) => other.entrant().control.clone(),
        };
        let mut control = own.unwrap_or_default();
        let left = self.left(self.turn());
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
            ClockReading { left: self.left(side), increment, moves_to_go }
        });
        let allowed = match control {
            TimeControl { budget: Budget::PerMove(time), .. } => time,
            _ => left.unwrap_or(PATIENCE),
        };
        let (start, moves, side) = (self.start.clone(), self.moves.clone(), self.turn());
        Task { start, moves, side, clocks, control, allowed }
    }

    fn limits(&self) -> Limits<G::Move> {
        let clock = self.referee().clock(self.turn());
        let left = self.left(self.turn()).map(|left| left.saturating_sub(RESERVE));
        let mut limits = Limits { clock_start: Some(self.began), ..Limits::default() };
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

    /// Handles a draw offer. The engine accepts if it is clearly worse, or if its score is near
    /// zero after many moves. Between two people, the draw counts as agreed.
    pub(super) fn offer(&mut self) -> Result<Update, PlayError> {
        if self.is_engines_turn() {
            return Err(PlayError::OfferOutOfTurn);
        }
        if self.you().is_some() && !self.score.is_some_and(|score| self.accepts_draw(score)) {
            let declines = self.language.of("declines the draw", "refuse la nulle");
            let text = format!("{} {declines}.", self.engine());
            return Ok(Update::BoardAnd(ServerMessage::Note { text }));
        }
        self.happen(&Entry::End(End::Agreed(self.person())))?;
        Ok(Update::Board)
    }

    fn accepts_draw(&self, score: i32) -> bool {
        /// The score in centipawns below which the engine is clearly worse.
        const WORSE: i32 = -50;
        /// The largest absolute score of a level position.
        const LEVEL: i32 = 20;
        /// The number of plies after which the engine accepts a draw in a level position.
        const LATE: usize = 80;
        score <= WORSE || score.abs() <= LEVEL && self.moves.len() >= LATE
    }

    pub(super) fn engine(&self) -> String {
        match (&self.terms.engine, self.terms.level) {
            (Some(name), _) => name.clone(),
            (None, Level::Full) => "Adoube".to_owned(),
            (None, Level::Elo(elo)) => format!("Adoube ({elo})"),
            (None, Level::Skill(skill)) => format!("Adoube (skill {skill})"),
        }
    }

    /// Handles a failure of the engine: resets the engine and reports the reason. The engine
    /// searches again after the human's next action.
    pub(super) fn on_engine_failure(&mut self, why: &impl InFrench) -> ServerMessage {
        self.opponent.reset();
        let (engine, why) = (self.engine(), why.in_language(self.language));
        let why = match self.language {
            Language::English => {
                format!("{engine} failed: {why}. Take back a move or reload the page to try again.")
            }
            Language::French => format!(
                "{engine} a échoué : {why}. Reprenez un coup ou rechargez la page pour réessayer."
            ),
        };
        ServerMessage::Refused { why, ask: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_are_natural_and_never_endanger_the_clock() {
        let mut rng = Rng::new(7);
        let mut longest_of = |left: Option<u64>, moves| {
            let left = left.map(Duration::from_millis);
            (0..200).map(|_| pause(left, moves, &mut rng)).max().unwrap_or_default().as_millis()
        };
        assert!((1400..=1600).contains(&longest_of(None, 20)));
        assert!((1400..=1600).contains(&longest_of(Some(600_000), 20)));
        assert_eq!(longest_of(None, 1), 400);
        assert_eq!(longest_of(Some(10_000), 20), 250);
        assert_eq!(longest_of(Some(0), 20), 0);
        let shortest = (0..200).map(|_| pause(None, 20, &mut rng)).min();
        assert!(shortest >= Some(Duration::from_millis(500)));
    }
}
