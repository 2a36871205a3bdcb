//! Notifies watchers of the moves of running games, on the threads that play the games.

use crate::arena::game::PlayedMove;
use crate::arena::game::contest::Contest;
use crate::arena::game::openings::Opening;
use crate::arena::tournament::schedule::Pairing;
use std::fmt;
use std::time::Duration;

/// An event in a running game.
#[derive(Debug)]
pub enum MatchEvent<'a, G: Contest> {
    /// A game starts from this opening.
    GameStarted(&'a Pairing, &'a Opening<G>),
    /// An engine has made a move.
    Moved(&'a Pairing, MadeMove<'a, G>),
}

/// A move that an engine has made.
#[derive(Debug)]
pub struct MadeMove<'a, G: Contest> {
    /// The position before the move.
    pub before: &'a G,
    /// The position after the move.
    pub after: &'a G,
    /// The move, with the search information of the engine.
    pub played: &'a PlayedMove<G::Move>,
    /// The remaining times after the move, White's first. `None` for a player without a clock.
    pub clocks: [Option<Duration>; 2],
}

type Watcher<G> = Box<dyn Fn(&MatchEvent<'_, G>) + Send + Sync>;

/// The watchers of a match. Several threads may call them concurrently. The clocks of a game do not
/// run while its watchers are called.
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

    pub(crate) fn notify(&self, event: &MatchEvent<'_, G>) {
        self.0.iter().for_each(|watcher| watcher(event));
    }
}
