//! Other engines that solve the puzzles in a suite.

use super::{Solution, Solver, SuiteError, SuiteGame, SuiteRecord};
use crate::arena::engine::answer::{Answer, ReportedScore};
use crate::arena::engine::entrant::Entrant;
use crate::arena::engine::failure::Failure;
use crate::arena::engine::link::Patience;
use crate::arena::engine::player::Player;
use crate::arena::engine::process::Interrupt;
use crate::arena::engine::protocol::{ClockReading, NewGame, Question};
use crate::arena::game::contest::{Contest, Variant};
use crate::base::cursor::excerpt;
use crate::base::game::MoveForm;
use crate::search::limits::Limits;
use crate::tools::peer_limits::PeerLimits;
use std::sync::Arc;
use std::time::Duration;

/// An engine process that solves puzzles.
#[derive(Debug)]
pub(crate) struct PeerSolver<G: Contest> {
    entrant: Arc<Entrant>,
    /// The variant to assume for positions that do not specify a variant.
    usual: Variant,
    interrupt: Interrupt,
    /// The running engine and the variant for which it was started.
    player: Option<(Variant, Player<G>)>,
    limits: PeerLimits,
    respect_acn: bool,
    /// The number of consecutive records on which the engine failed.
    failures: u32,
}

/// The number of consecutive failures after which the engine is not restarted.
pub(crate) const MAX_FAILURES: u32 = 3;

impl<G: Contest> PeerSolver<G> {
    /// Creates a solver. Its engine is started for the first puzzle, and again for each change of
    /// the variant and after a failure. `usual` is the variant to assume for positions that do not
    /// specify a variant.
    pub(crate) fn new(
        entrant: &Arc<Entrant>,
        usual: Variant,
        limits: &Limits<G::Move>,
        respect_acn: bool,
        interrupt: &Interrupt,
    ) -> Self {
        let limits = PeerLimits::new(limits);
        let (entrant, interrupt) = (Arc::clone(entrant), interrupt.clone());
        Self { entrant, usual, interrupt, player: None, limits, respect_acn, failures: 0 }
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

impl<G: Contest + SuiteGame> PeerSolver<G> {
    /// Asks the running engine for its move.
    fn ask(&mut self, record: &SuiteRecord<G>) -> Result<Answer, Failure> {
        let PeerLimits { mut control, allowed } = self.limits.clone();
        if self.respect_acn {
            control.nodes = control.nodes.max(record.nodes);
        }
        let (position, side) = (&record.position, record.position.side());
        let player = self.player(position);
        player.new_game(&NewGame { position, played: 0, side, control: &control })?;
        let clock = ClockReading { left: None, increment: Duration::ZERO, moves_to_go: None };
        let clocks = [clock; 2];
        let question = Question { start: position, moves: &[], side, clocks, control: &control };
        player.go(&question, allowed)
    }
}

impl<G: Contest + SuiteGame> Solver<G> for PeerSolver<G> {
    fn solve(&mut self, record: &SuiteRecord<G>) -> Result<Solution<G::Move>, SuiteError> {
        let position = &record.position;
        self.player(position).start().map_err(SuiteError::Start)?;
        let answer = match self.ask(record) {
            Ok(answer) => answer,
            Err(_) if self.interrupt.is_abort() => return Err(SuiteError::Aborted),
            Err(failure) => {
                self.failures += 1;
                self.player = None;
                let failure = format!("the engine failed: {failure}");
                return Ok(Solution { best: Err(failure), mate: None, nodes: 0 });
            }
        };
        self.failures = 0;
        let best = position
            .read_move(&answer.best, MoveForm::Program)
            .map_err(|error| format!("the engine answered '{}': {error}", excerpt(&answer.best)));
        let mate = match answer.thought.score {
            Some(ReportedScore::Mate(moves)) => Some(moves),
            _ => None,
        };
        Ok(Solution { best, mate, nodes: answer.thought.nodes })
    }

    fn can_continue(&self) -> Result<(), SuiteError> {
        if self.failures < MAX_FAILURES { Ok(()) } else { Err(SuiteError::Failures(MAX_FAILURES)) }
    }
}
