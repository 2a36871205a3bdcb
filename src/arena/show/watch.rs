//! What can be seen of games while they are played. Watchers are called on the threads that play them.

use crate::arena::game::PlayedMove;
use crate::arena::game::contest::Contest;
use crate::arena::game::openings::Opening;
use crate::arena::tournament::schedule::Pairing;
use std::fmt;
use std::time::Duration;

/// Something that has just happened in a game of the match.
#[derive(Debug)]
pub enum MatchEvent<'a, G: Contest> {
    /// This game begins, from this opening.
    GameStarted(&'a Pairing, &'a Opening<G>),
    /// A move was made in this game.
    Moved(&'a Pairing, MadeMove<'a, G>),
}

/// A move that has just been made.
#[derive(Debug)]
pub struct MadeMove<'a, G: Contest> {
    /// The position in which it was made.
    pub before: &'a G,
    /// The position that it made.
    pub after: &'a G,
    /// The move.
    pub played: &'a PlayedMove<G::Move>,
    /// What the clocks show now, White's first; `None` without a clock.
    pub clocks: [Option<Duration>; 2],
}

type Watcher<G> = Box<dyn Fn(&MatchEvent<'_, G>) + Send + Sync>;

/// The watchers of a match. Several threads may call them at once; no clock runs meanwhile.
pub struct Watchers<G: Contest>(Vec<Watcher<G>>);

impl<G: Contest> Default for Watchers<G> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<G: Contest> fmt::Debug for Watchers<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} watchers", self.0.len())
    }
}

impl<G: Contest> Watchers<G> {
    /// Adds a watcher.
    pub fn add(&mut self, watcher: impl Fn(&MatchEvent<'_, G>) + Send + Sync + 'static) {
        self.0.push(Box::new(watcher));
    }

    /// Tells all watchers.
    pub fn tell(&self, event: &MatchEvent<'_, G>) {
        self.0.iter().for_each(|watcher| watcher(event));
    }
}
