//! An entrant at the board: a process, and the protocol that is spoken with it.

use super::answer::{Answer, Asked};
use super::entrant::Entrant;
use super::failure::Failure;
use super::line_log::Tap;
use super::link::{Link, Patience};
use super::process::Interrupt;
use super::protocol::{EngineProtocol, NewGame, Question, TimeOf};
use crate::arena::game::contest::{Contest, Variant};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// An entrant and its process, started when needed.
#[derive(Debug)]
pub struct Player<G: Contest> {
    entrant: Arc<Entrant>,
    variant: Variant,
    running: Option<Running<G>>,
    patience: Patience,
    interrupt: Interrupt,
    /// Where its lines are logged.
    tap: Option<Tap>,
}

#[derive(Debug)]
struct Running<G: Contest> {
    /// Dropped before the process, which may end by that.
    protocol: Box<dyn EngineProtocol<G>>,
    link: Link,
    /// The move that the engine expects while it thinks on the opponent's time.
    pondering: Option<(G::Move, Asked)>,
}

impl<G: Contest> Running<G> {
    /// Ends the thinking on the opponent's time, if there is any; returns when the engine was told to.
    fn stop_pondering(&mut self) -> Result<Option<Instant>, Failure> {
        let Some((_, asked)) = self.pondering.take() else { return Ok(None) };
        let sent = self.link.send("stop", "an end of pondering")?;
        let patience = self.link.patience.ready;
        self.protocol.answer(&mut self.link, Asked { sent, ..asked }, patience)?;
        Ok(Some(sent))
    }
}

impl<G: Contest> Player<G> {
    /// The player of an entrant; its engine does not run yet.
    pub const fn new(
        entrant: Arc<Entrant>,
        variant: Variant,
        patience: Patience,
        interrupt: Interrupt,
    ) -> Self {
        Self { entrant, variant, running: None, patience, interrupt, tap: None }
    }

    /// Logs all lines from now on.
    pub fn logged(self, tap: Option<Tap>) -> Self {
        Self { tap, ..self }
    }

    /// Says to which game (from 0) the following lines belong.
    pub fn enter(&self, game: usize) {
        self.tap.iter().for_each(|tap| tap.enter(game));
    }

    /// Starts the engine if it does not run.
    ///
    /// # Errors
    /// If the engine fails.
    pub fn start(&mut self) -> Result<(), Failure> {
        if self.running.is_none() {
            let named = self.entrant.protocol.unwrap_or(G::PROTOCOL);
            let protocol = G::engine_protocol(named, self.variant);
            let mut protocol = protocol.ok_or(Failure::Protocol(named))?;
            let args = protocol
                .prepare(&self.entrant)
                .map_err(|error| Failure::Start { program: self.entrant.program.clone(), error })?;
            let link = Link::open(&self.entrant, &args, self.patience, &self.interrupt)?;
            self.tap.iter().for_each(|tap| link.log_to(tap.of_new_process()));
            // Kept even if it fails: its last lines say why.
            let running = self.running.insert(Running { protocol, link, pondering: None });
            running.protocol.greet(&mut running.link, &self.entrant)?;
        }
        Ok(())
    }

    fn running(&mut self, purpose: &'static str) -> Result<&mut Running<G>, Failure> {
        self.running.as_mut().ok_or(Failure::Crash(purpose))
    }

    /// Prepares the engine for a new game; starts it if it does not run.
    ///
    /// # Errors
    /// If the engine fails.
    pub fn new_game(&mut self, game: &NewGame<'_, G>) -> Result<(), Failure> {
        self.start()?;
        let Running { link, protocol, .. } = self.running("a new game")?;
        protocol.new_game(link, game)
    }

    /// Has the engine make a move. An engine that is not done after `allowed` is told to stop; the
    /// answer says how late it came.
    ///
    /// # Errors
    /// If the engine fails.
    pub fn go(&mut self, question: &Question<'_, G>, allowed: Duration) -> Result<Answer, Failure> {
        let running = self.running("a move")?;
        let expected = |(expected, _): &(G::Move, Asked)| question.moves.last() == Some(expected);
        let asked = if let Some((_, asked)) = running.pondering.take_if(|p| expected(p)) {
            Asked { sent: running.protocol.hit(&mut running.link)?, ..asked }
        } else {
            let stopped = running.stop_pondering()?;
            let asked = running.protocol.ask(&mut running.link, question, TimeOf::Mover)?;
            // Ending the search of a wrong guess takes the engine's own time.
            Asked { sent: stopped.unwrap_or(asked.sent), ..asked }
        };
        running.protocol.answer(&mut running.link, asked, allowed)
    }

    /// Whether the engine is to think on the opponent's time.
    pub fn ponders(&self) -> bool {
        self.entrant.ponder
    }

    /// Has the engine think on the opponent's time about a question whose last move is the one that it
    /// expects.
    ///
    /// # Errors
    /// If the engine fails.
    pub fn ponder(&mut self, question: &Question<'_, G>) -> Result<(), Failure> {
        let Some(&expected) = question.moves.last() else { return Ok(()) };
        let running = self.running("pondering")?;
        let asked = running.protocol.ask(&mut running.link, question, TimeOf::Opponent)?;
        running.pondering = Some((expected, asked));
        Ok(())
    }

    /// Tells the engine that its game is over. An engine that fails at that is ended.
    pub fn game_over(&mut self) {
        if let Some(running) = &mut self.running {
            let stopped = running.stop_pondering();
            if stopped.and_then(|_| running.protocol.game_over(&mut running.link)).is_err() {
                self.quit();
            }
        }
    }

    /// Ends the process; the next game starts it anew.
    pub fn quit(&mut self) {
        self.running = None;
    }

    /// The last lines of the conversation with the engine.
    pub fn transcript(&self) -> Vec<String> {
        self.running.as_ref().map(|running| running.link.transcript()).unwrap_or_default()
    }
}
