//! Other engines that solve the puzzles in a suite.

use super::{Solution, Solver, SuiteError, SuiteGame, SuiteRecord};
use crate::arena::engine::answer::ReportedScore;
use crate::arena::engine::entrant::Entrant;
use crate::arena::engine::link::Patience;
use crate::arena::engine::player::Player;
use crate::arena::engine::process::Interrupt;
use crate::arena::engine::protocol::{ClockReading, NewGame, Question};
use crate::arena::game::contest::{Contest, Variant};
use crate::base::cursor::excerpt;
use crate::base::game::MoveForm;
use crate::laws::clock::{Budget, TimeControl};
use crate::search::limits::Limits;
use std::sync::Arc;
use std::time::Duration;

/// Extra time beyond the move time before `stop` is sent.
const GRACE: Duration = Duration::from_secs(5);
/// The maximum duration of a search that is limited only by nodes or depth.
const MAX_SEARCH: Duration = Duration::from_secs(3600);

/// An engine process that solves puzzles.
#[derive(Debug)]
pub(crate) struct PeerSolver<G: Contest> {
    entrant: Arc<Entrant>,
    /// The variant of positions that do not belong to a variant of draughts.
    usual: Variant,
    interrupt: Interrupt,
    /// The running engine and the variant for which it was started.
    player: Option<(Variant, Player<G>)>,
    control: TimeControl,
    allowed: Duration,
    respect_acn: bool,
}

impl<G: Contest> PeerSolver<G> {
    /// Creates a solver. Its engine is started for the first puzzle, and again for each change of
    /// the variant. `usual` is the variant of positions that do not belong to a variant of draughts.
    pub(crate) fn new(
        entrant: &Arc<Entrant>,
        usual: Variant,
        limits: &Limits<G::Move>,
        respect_acn: bool,
        interrupt: &Interrupt,
    ) -> Self {
        let control = TimeControl {
            budget: limits.movetime.map_or(Budget::Unlimited, Budget::PerMove),
            nodes: limits.nodes,
            depth: limits.depth,
        };
        let allowed = limits.movetime.map_or(MAX_SEARCH, |time| time + GRACE);
        let (entrant, interrupt) = (Arc::clone(entrant), interrupt.clone());
        Self { entrant, usual, interrupt, player: None, control, allowed, respect_acn }
    }

    fn player(&mut self, position: &G) -> &mut Player<G> {
        let variant = match position.variant_of() {
            Variant::Standard => self.usual,
            variant => variant,
        };
        let Self { entrant, interrupt, player, .. } = self;
        if player.as_ref().is_some_and(|(started, _)| *started != variant) {
            *player = None;
        }
        let start = || {
            let patience = Patience::default();
            (variant, Player::new(Arc::clone(entrant), variant, patience, interrupt.clone()))
        };
        &mut player.get_or_insert_with(start).1
    }
}

impl<G: Contest + SuiteGame> Solver<G> for PeerSolver<G> {
    fn solve(&mut self, record: &SuiteRecord<G>) -> Result<Solution<G::Move>, SuiteError> {
        let mut control = self.control.clone();
        if self.respect_acn {
            control.nodes = control.nodes.max(record.nodes);
        }
        let (position, side) = (&record.position, record.position.side());
        let allowed = self.allowed;
        let player = self.player(position);
        player.new_game(&NewGame { position, played: 0, side, control: &control })?;
        let clock = ClockReading { left: None, increment: Duration::ZERO, moves_to_go: None };
        let clocks = [clock; 2];
        let question = Question { start: position, moves: &[], side, clocks, control: &control };
        let answer = player.go(&question, allowed)?;
        let best = position
            .read_move(&answer.best, MoveForm::Program)
            .map_err(|error| format!("the engine answered '{}': {error}", excerpt(&answer.best)));
        let mate = match answer.thought.score {
            Some(ReportedScore::Mate(moves)) => Some(moves),
            _ => None,
        };
        Ok(Solution { best, mate, nodes: answer.thought.nodes })
    }
}
