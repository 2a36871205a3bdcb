//! An entrant at the board: a process, and the protocol that is spoken with it.

use super::contest::{Contest, Variant};
use super::entrant::Entrant;
use super::follow::line_log::Tap;
use super::process::Interrupt;
use super::talk::{Answer, Failure, Link, Patience, Question, Talk};
use std::sync::Arc;
use std::time::Duration;

/// An entrant and its process, started when needed.
#[derive(Debug)]
pub struct Player<G: Contest> {
    entrant: Arc<Entrant>,
    variant: Variant,
    running: Option<(Link, Box<dyn Talk<G>>)>,
    patience: Patience,
    interrupt: Interrupt,
    /// Where its lines are logged.
    tap: Option<Tap>,
}

impl<G: Contest> Player<G> {
    /// The player of an entrant; nothing runs yet.
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

    /// Says in which game (from 0) the lines are that follow.
    pub fn enter(&self, game: usize) {
        self.tap.iter().for_each(|tap| tap.enter(game));
    }

    /// Makes ready for a new game, starting the engine where it does not run.
    ///
    /// # Errors
    /// Where the engine fails.
    pub fn new_game(&mut self) -> Result<(), Failure> {
        if self.running.is_none() {
            let protocol = self.entrant.protocol.unwrap_or(G::PROTOCOL);
            let mut talk = G::talk(protocol, self.variant).ok_or(Failure::Protocol(protocol))?;
            let mut link = Link::open(&self.entrant, self.patience, &self.interrupt)?;
            self.tap.iter().for_each(|tap| link.log_to(tap.of_new_process()));
            let greeted = talk.greet(&mut link, &self.entrant);
            // Kept where it failed too: its last lines say why.
            self.running = Some((link, talk));
            greeted?;
        }
        let (link, talk) = self.running.as_mut().ok_or(Failure::Crash("a new game"))?;
        talk.new_game(link)
    }

    /// Has the engine think; see [`Talk::go`].
    ///
    /// # Errors
    /// Where the engine fails.
    pub fn go(&mut self, question: &Question<'_, G>, allowed: Duration) -> Result<Answer, Failure> {
        let (link, talk) = self.running.as_mut().ok_or(Failure::Crash("a move"))?;
        talk.go(link, question, allowed)
    }

    /// Ends the process; the next game starts it anew.
    pub fn quit(&mut self) {
        self.running = None;
    }

    /// The last lines of the conversation with the engine.
    pub fn transcript(&self) -> Vec<String> {
        self.running.as_ref().map(|(link, _)| link.transcript()).unwrap_or_default()
    }
}
