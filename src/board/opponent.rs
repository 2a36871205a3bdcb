//! The human's opponent: Adoube's own engine, or an external engine named on the command line.
//!
//! An external engine runs as in a match, on its own thread. Aborting a search ends the engine's
//! process, and the next search starts a new process.

use super::game::BoardGame;
use super::outlet::{EngineFailure, EngineReport, Outlet, SearchId, send_job};
use super::thinker::Thinker;
use crate::arena::engine::answer::ReportedScore;
use crate::arena::engine::entrant::{Entrant, Protocol};
use crate::arena::engine::failure::Failure;
use crate::arena::engine::link::Patience;
use crate::arena::engine::player::Player;
use crate::arena::engine::process::Interrupt;
use crate::arena::engine::protocol::{ClockReading, NewGame, Question};
use crate::arena::game::contest::Variant;
use crate::base::game::GameKind;
use crate::base::panics::OnPanic;
use crate::base::side::Side;
use crate::laws::clock::TimeControl;
use std::io;
use std::sync::{Arc, mpsc};
use std::time::Duration;

/// Returns the game that an engine plays, derived from its protocol. The default protocol is UCI.
pub(super) const fn game_of(entrant: &Entrant) -> GameKind {
    match entrant.protocol {
        None | Some(Protocol::Uci) => GameKind::Chess,
        Some(Protocol::Hub | Protocol::Dxp | Protocol::DxpClient) => GameKind::Draughts,
    }
}

pub(super) enum Opponent<G: BoardGame> {
    Own(Thinker<G>),
    Other(Other<G>),
}

impl<G: BoardGame> Opponent<G> {
    pub(super) const fn is_busy(&self) -> bool {
        match self {
            Self::Own(thinker) => thinker.is_busy(),
            Self::Other(other) => other.current.is_some(),
        }
    }

    pub(super) fn finish(&mut self, search: SearchId) -> bool {
        match self {
            Self::Own(thinker) => thinker.finish(search),
            Self::Other(other) => other.current.take_if(|current| *current == search).is_some(),
        }
    }

    pub(super) fn stop(&mut self) {
        match self {
            Self::Own(thinker) => thinker.stop(),
            Self::Other(other) if other.current.is_some() => other.end(),
            Self::Other(_) => {}
        }
    }

    /// Prepares for a position that does not follow from the previous position: stops the search of
    /// our own engine, or ends the process of an external engine.
    pub(super) fn reset(&mut self) {
        match self {
            Self::Own(thinker) => thinker.stop(),
            Self::Other(other) => other.end(),
        }
    }
}

pub(super) struct Task<G: BoardGame> {
    pub start: G,
    pub moves: Vec<G::Move>,
    pub side: Side,
    pub clocks: [ClockReading; 2],
    pub control: TimeControl,
    /// The time after which the engine receives a stop command.
    pub allowed: Duration,
}

/// An external engine at one board. Dropping this value ends the engine's process.
pub(super) struct Other<G: BoardGame> {
    entrant: Arc<Entrant>,
    variant: Variant,
    outlet: Outlet,
    /// The interrupt of the engine's processes. [`Self::end`] raises and replaces it, because a
    /// raised interrupt cannot be reset.
    interrupt: Interrupt,
    jobs: Option<mpsc::Sender<(SearchId, Task<G>)>>,
    current: Option<SearchId>,
}

impl<G: BoardGame> Other<G> {
    /// Creates an engine. Its process starts with the first search. The guard of `interrupt` kills
    /// the process if the server is killed.
    pub(super) fn new(
        entrant: Entrant,
        variant: Variant,
        interrupt: &Interrupt,
        outlet: Outlet,
    ) -> Self {
        let (entrant, interrupt) = (Arc::new(entrant), interrupt.another());
        Self { entrant, variant, outlet, interrupt, jobs: None, current: None }
    }

    pub(super) fn entrant(&self) -> &Entrant {
        &self.entrant
    }

    pub(super) fn start(&mut self, task: Task<G>) {
        let search = self.outlet.next_search();
        self.current = Some(search);
        let mut jobs = self.jobs.take();
        if let Err(error) = send_job(&mut jobs, (search, task), || self.spawn()) {
            self.outlet.send(search, EngineReport::Failed(error.into()));
        }
        self.jobs = jobs;
    }

    fn end(&mut self) {
        self.interrupt.abort();
        self.interrupt = self.interrupt.another();
        (self.jobs, self.current) = (None, None);
    }

    fn spawn(&self) -> io::Result<mpsc::Sender<(SearchId, Task<G>)>> {
        let (sender, jobs) = mpsc::channel();
        let (outlet, interrupt) = (self.outlet.clone(), self.interrupt.clone());
        let entrant = Arc::clone(&self.entrant);
        let (patience, variant) = (Patience::default(), self.variant);
        let player = Player::new(entrant, variant, patience, interrupt.clone());
        let run = move || serve(player, &jobs, &outlet, &interrupt);
        std::thread::Builder::new().name("board-opponent".to_owned()).spawn(run)?;
        Ok(sender)
    }
}

impl<G: BoardGame> Drop for Other<G> {
    fn drop(&mut self) {
        self.end();
    }
}

/// Passes tasks to an engine one after another. An engine that fails is restarted for the next
/// task.
fn serve<G: BoardGame>(
    mut player: Player<G>,
    jobs: &mpsc::Receiver<(SearchId, Task<G>)>,
    outlet: &Outlet,
    interrupt: &Interrupt,
) {
    let mut is_ready = false;
    for (search, task) in jobs {
        let Some(_slot) = outlet.wait_for_slot(|| interrupt.is_abort()) else { return };
        let _guard =
            OnPanic(|| _ = outlet.send(search, EngineReport::Failed(EngineFailure::Ended)));
        let report = match answer(&mut player, &task, is_ready) {
            Ok((text, score)) => EngineReport::Move { text, score },
            Err(Failure::Aborted) => return,
            Err(failure) => {
                player.quit();
                EngineReport::Failed(failure.into())
            }
        };
        is_ready = matches!(report, EngineReport::Move { .. });
        if !outlet.send(search, report) {
            return;
        }
    }
}

/// Runs a search, and starts a new game first unless `is_ready`. Returns the move as the engine
/// wrote it, and the engine's score in centipawns if it reported one.
fn answer<G: BoardGame>(
    player: &mut Player<G>,
    task: &Task<G>,
    is_ready: bool,
) -> Result<(String, Option<i32>), Failure> {
    let Task { start, moves, side, clocks, control, allowed } = task;
    if !is_ready {
        let position = moves.iter().fold(start.clone(), |position, &m| position.after(m));
        let (played, side) = (moves.len(), *side);
        player.new_game(&NewGame { position: &position, played, side, control })?;
    }
    let question = Question { start, moves, side: *side, clocks: *clocks, control };
    let answer = player.go(&question, *allowed)?;
    Ok((answer.best, answer.thought.score.map(ReportedScore::centipawns)))
}
