//! A player in the arena: an entrant, its engine process and its protocol.

use super::answer::{Answer, PendingQuestion};
use super::entrant::Entrant;
use super::failure::Failure;
use super::line_log::Tap;
use super::link::{Link, Patience};
use super::process::{Exit, Interrupt};
use super::protocol::{EngineProtocol, NewGame, Question, TimeOf};
use super::warning::Warning;
use crate::arena::game::contest::{Contest, Variant};
use crate::laws::clock::Budget;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// An entrant and its process, which is started on demand.
#[derive(Debug)]
pub(crate) struct Player<G: Contest> {
    entrant: Arc<Entrant>,
    variant: Variant,
    running: Option<Running<G>>,
    patience: Patience,
    /// True once the arena has warned that the engine ignores its node or depth limit.
    is_warned: bool,
    /// The first warning of each kind.
    warnings: Vec<Warning>,
    /// The number of warnings that [`Self::new_warnings`] has returned.
    returned: usize,
    interrupt: Interrupt,
    tap: Option<Tap>,
}

#[derive(Debug)]
struct Running<G: Contest> {
    /// The protocol state. The field is declared before `link`, so that a network connection is
    /// closed before the process is ended. Some engines exit when the connection closes.
    protocol: Box<dyn EngineProtocol<G>>,
    link: Link,
    /// The opponent's expected move, and the request to ponder on it. `None` if the engine is not
    /// pondering.
    pondering: Option<(G::Move, PendingQuestion)>,
}

impl<G: Contest> Running<G> {
    /// Stops the engine if it is pondering. Returns the time at which `stop` was sent, or `None` if
    /// the engine was not pondering.
    fn stop_pondering(&mut self) -> Result<Option<Instant>, Failure> {
        let Some((_, pending)) = self.pondering.take() else { return Ok(None) };
        let sent = self.link.send("stop", "an end of pondering")?;
        let patience = self.link.patience.stop;
        self.protocol.answer(&mut self.link, PendingQuestion { sent, ..pending }, patience)?;
        Ok(Some(sent))
    }
}

impl<G: Contest> Player<G> {
    pub(crate) fn new(
        entrant: Arc<Entrant>,
        variant: Variant,
        patience: Patience,
        interrupt: Interrupt,
    ) -> Self {
        Self {
            entrant,
            variant,
            running: None,
            patience,
            is_warned: false,
            warnings: Vec::new(),
            returned: 0,
            interrupt,
            tap: None,
        }
    }

    pub(crate) fn with_log(self, tap: Option<Tap>) -> Self {
        Self { tap, ..self }
    }

    pub(crate) fn enter(&self, game: usize) {
        self.tap.iter().for_each(|tap| tap.enter(game));
    }

    pub(crate) fn start(&mut self) -> Result<(), Failure> {
        if self.running.is_none() {
            let named = self.entrant.protocol.unwrap_or(G::PROTOCOL);
            let protocol = G::engine_protocol(named, self.variant);
            let mut protocol = protocol.ok_or(Failure::Protocol(named))?;
            let args = protocol
                .prepare(&self.entrant)
                .map_err(|error| Failure::Start { program: self.entrant.program.clone(), error })?;
            let link = Link::open(&self.entrant, &args, self.patience, &self.interrupt)?;
            self.tap.iter().for_each(|tap| link.log_to(tap.of_new_process()));
            // Store the process before the engine can fail, because its last lines explain the
            // failure.
            let running = self.running.insert(Running { protocol, link, pondering: None });
            running.protocol.greet(&mut running.link, &self.entrant)?;
        }
        Ok(())
    }

    fn running(&mut self, purpose: &'static str) -> Result<&mut Running<G>, Failure> {
        self.running.as_mut().ok_or(Failure::Crash(purpose, Exit::Unknown))
    }

    pub(crate) fn new_game(&mut self, game: &NewGame<'_, G>) -> Result<(), Failure> {
        self.start()?;
        let Running { link, protocol, .. } = self.running("a new game")?;
        protocol.new_game(link, game)
    }

    /// Requests a move from the engine, and sends `stop` if there is no answer within `allowed`.
    pub(crate) fn go(
        &mut self,
        question: &Question<'_, G>,
        allowed: Duration,
    ) -> Result<Answer, Failure> {
        let running = self.running("a move")?;
        let expected =
            |(expected, _): &(G::Move, PendingQuestion)| question.moves.last() == Some(expected);
        let pending = if let Some((_, pending)) = running.pondering.take_if(|p| expected(p)) {
            PendingQuestion { sent: running.protocol.hit(&mut running.link)?, ..pending }
        } else {
            let stopped = running.stop_pondering()?;
            let pending = running.protocol.ask(&mut running.link, question, TimeOf::Mover)?;
            // After a ponder miss, the time that the engine needs to stop is charged to its clock.
            PendingQuestion { sent: stopped.unwrap_or(pending.sent), ..pending }
        };
        let answer = running.protocol.answer(&mut running.link, pending, allowed)?;
        if question.control.budget == Budget::Unlimited
            && answer.elapsed >= allowed
            && !self.is_warned
        {
            // Warn now and not after the game, because every move is this slow.
            self.is_warned = true;
            tracing::warn!(
                "{} ignores its limit of nodes or depth: it stopped only at 'stop' after {} s, and \
                 may do so at every move; give it a time control",
                self.entrant.name,
                allowed.as_secs()
            );
        }
        Ok(answer)
    }

    /// Checks the info lines that the engine sent in `position`, and stores the first warning of
    /// each kind.
    pub(crate) fn check_infos(&mut self, position: &G, infos: &[String]) {
        let Some(Running { protocol, .. }) = &self.running else { return };
        for warning in infos.iter().flat_map(|line| protocol.warnings(position, line)) {
            if self.warnings.iter().all(|earlier| earlier.kind != warning.kind) {
                self.warnings.push(warning);
            }
        }
    }

    /// Returns the warnings since the last call. Each kind of warning is returned only once.
    pub(crate) fn new_warnings(&mut self) -> Vec<Warning> {
        let start = std::mem::replace(&mut self.returned, self.warnings.len());
        self.warnings[start..].to_vec()
    }

    pub(crate) fn ponders(&self) -> bool {
        self.entrant.ponder
    }

    pub(crate) fn ponder(&mut self, question: &Question<'_, G>) -> Result<(), Failure> {
        let Some(&expected) = question.moves.last() else { return Ok(()) };
        let running = self.running("pondering")?;
        let pending = running.protocol.ask(&mut running.link, question, TimeOf::Opponent)?;
        running.pondering = Some((expected, pending));
        Ok(())
    }

    /// Announces the end of the game to the engine. If the engine fails, its process is ended.
    pub(crate) fn game_over(&mut self) {
        if let Some(running) = &mut self.running {
            let stopped = running.stop_pondering();
            if stopped.and_then(|_| running.protocol.game_over(&mut running.link)).is_err() {
                self.quit();
            }
        }
    }

    pub(crate) fn quit(&mut self) {
        self.running = None;
    }

    pub(crate) fn transcript(&self) -> Vec<String> {
        self.running.as_ref().map(|running| running.link.transcript()).unwrap_or_default()
    }
}
