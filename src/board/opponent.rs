//! Who plays against the person: Adoube itself, or another engine that was named when the server was
//! started.
//!
//! Another engine is run and spoken to as in a match, on a thread of its own. A search that is broken off
//! ends its process; the next starts it anew.

use super::shown::Shown;
use super::thinker::{Outlet, Thinker, Told, slot};
use crate::arena::engine::answer::ReportedScore;
use crate::arena::engine::entrant::{Entrant, Protocol};
use crate::arena::engine::failure::Failure;
use crate::arena::engine::link::Patience;
use crate::arena::engine::player::Player;
use crate::arena::engine::process::Interrupt;
use crate::arena::engine::protocol::{ClockReading, NewGame, Question};
use crate::arena::game::contest::Variant;
use crate::base::game::GameKind;
use crate::base::side::Side;
use crate::laws::clock::TimeControl;
use std::sync::{Arc, mpsc};
use std::time::Duration;

/// The game that an engine plays, by the protocol that it speaks: UCI if none is named.
pub(super) const fn game_of(entrant: &Entrant) -> GameKind {
    match entrant.protocol {
        None | Some(Protocol::Uci) => GameKind::Chess,
        Some(Protocol::Hub | Protocol::Dxp | Protocol::DxpClient) => GameKind::Draughts,
    }
}

/// Who plays against the person.
pub(super) enum Opponent<G: Shown> {
    /// Adoube.
    Own(Thinker<G>),
    /// Another engine.
    Other(Other<G>),
}

impl<G: Shown> Opponent<G> {
    /// Whether it thinks.
    pub const fn is_busy(&self) -> bool {
        match self {
            Self::Own(thinker) => thinker.is_busy(),
            Self::Other(other) => other.current.is_some(),
        }
    }

    /// Whether `number` is that of the search that ran; then it is over.
    pub fn has_ended(&mut self, number: u64) -> bool {
        match self {
            Self::Own(thinker) => thinker.has_ended(number),
            Self::Other(other) => other.current.take_if(|current| *current == number).is_some(),
        }
    }

    /// Breaks its search off.
    pub fn stop(&mut self) {
        match self {
            Self::Own(thinker) => thinker.stop(),
            Self::Other(other) if other.current.is_some() => other.end(),
            Self::Other(_) => {}
        }
    }

    /// The game does not go on from where it was: some engines must begin it again.
    pub fn begin_again(&mut self) {
        match self {
            Self::Own(thinker) => thinker.stop(),
            Self::Other(other) => other.end(),
        }
    }
}

/// What another engine is asked, as [`Question`] has it.
pub(super) struct Asked<G: Shown> {
    /// Where the game began.
    pub start: G,
    /// The moves since.
    pub moves: Vec<G::Move>,
    /// The player to move.
    pub side: Side,
    /// What the clocks show, White's first.
    pub clocks: [ClockReading; 2],
    /// What the player to move may spend.
    pub control: TimeControl,
    /// After how long it is told to stop.
    pub allowed: Duration,
}

/// Another engine at one board. Dropping it ends its process.
pub(super) struct Other<G: Shown> {
    entrant: Arc<Entrant>,
    variant: Variant,
    outlet: Outlet,
    /// Made anew for each process, since one that was raised stays so.
    interrupt: Interrupt,
    jobs: Option<mpsc::Sender<(u64, Asked<G>)>>,
    /// The number of the search that runs or waits.
    current: Option<u64>,
    number: u64,
}

impl<G: Shown> Other<G> {
    /// An engine that is started when it is first asked. `interrupt` gives it its guard.
    pub fn new(entrant: Entrant, variant: Variant, interrupt: &Interrupt, outlet: Outlet) -> Self {
        let (entrant, interrupt) = (Arc::new(entrant), interrupt.another());
        Self { entrant, variant, outlet, interrupt, jobs: None, current: None, number: 0 }
    }

    /// What it is.
    pub fn entrant(&self) -> &Entrant {
        &self.entrant
    }

    /// Has it think.
    pub fn start(&mut self, asked: Asked<G>) {
        self.number += 1;
        self.current = Some(self.number);
        let jobs = match self.jobs.take() {
            Some(jobs) => jobs,
            None => self.spawn(),
        };
        // A thread that has ended has told why.
        let _ = jobs.send((self.number, asked));
        self.jobs = Some(jobs);
    }

    /// Ends its process, and with it whatever it thinks.
    fn end(&mut self) {
        self.interrupt.abort();
        self.interrupt = self.interrupt.another();
        (self.jobs, self.current) = (None, None);
    }

    fn spawn(&self) -> mpsc::Sender<(u64, Asked<G>)> {
        let (sender, jobs) = mpsc::channel();
        let (outlet, interrupt) = (self.outlet.clone(), self.interrupt.clone());
        let entrant = Arc::clone(&self.entrant);
        let (patience, variant) = (Patience::default(), self.variant);
        let player = Player::new(entrant, variant, patience, interrupt.clone());
        let told = outlet.told.clone();
        let run = move || serve(player, &jobs, &outlet, &interrupt);
        let thread = std::thread::Builder::new().name("board-opponent".to_owned());
        if let Err(error) = thread.spawn(run) {
            let _ = told.send(Told::Failed(error.to_string()));
        }
        sender
    }
}

impl<G: Shown> Drop for Other<G> {
    fn drop(&mut self) {
        self.end();
    }
}

/// Puts one question after the other to an engine. One that fails is started anew for the next.
fn serve<G: Shown>(
    mut player: Player<G>,
    jobs: &mpsc::Receiver<(u64, Asked<G>)>,
    outlet: &Outlet,
    interrupt: &Interrupt,
) {
    let mut is_ready = false;
    for (number, asked) in jobs {
        let Some(_slot) = slot(&outlet.slots, || interrupt.is_abort()) else { return };
        let said = match ask(&mut player, &asked, is_ready) {
            Ok((best, score)) => Told::Move(number, best, score),
            Err(Failure::Aborted) => return,
            Err(failure) => {
                player.quit();
                Told::Failed(failure.to_string())
            }
        };
        is_ready = matches!(said, Told::Move(..));
        if outlet.told.send(said).is_err() {
            return;
        }
    }
}

/// The engine's move as it wrote it, and its score if it told one.
fn ask<G: Shown>(
    player: &mut Player<G>,
    asked: &Asked<G>,
    is_ready: bool,
) -> Result<(String, Option<i32>), Failure> {
    let Asked { start, moves, side, clocks, control, allowed } = asked;
    if !is_ready {
        let position = moves.iter().fold(start.clone(), |position, &m| position.after(m));
        let (played, side) = (moves.len(), *side);
        player.new_game(&NewGame { start: &position, played, side, control })?;
    }
    let question = Question { start, moves, side: *side, clocks: *clocks, control };
    let answer = player.go(&question, *allowed)?;
    Ok((answer.best, answer.thought.score.map(ReportedScore::centipawns)))
}
