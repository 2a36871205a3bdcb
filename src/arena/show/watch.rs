//! What can be seen of games while they are played, on the threads that play them.

use crate::arena::game::PlayedMove;
use crate::arena::game::contest::Contest;
use crate::arena::game::openings::Opening;
use crate::arena::tournament::schedule::Pairing;
use std::fmt;
use std::time::Duration;

/// What has just happened.
#[derive(Debug)]
pub enum Happening<'a, G: Contest> {
    /// A game begins.
    Started(&'a Pairing, &'a Opening<G>),
    /// A move was made in this game.
    Moved(&'a Pairing, Moment<'a, G>),
}

/// A move, when it has just been made.
#[derive(Debug)]
pub struct Moment<'a, G: Contest> {
    /// The position in which it was made.
    pub before: &'a G,
    /// The position that it made.
    pub after: &'a G,
    /// The move.
    pub played: &'a PlayedMove<G::Move>,
    /// What the clocks show now, White's first; none where none runs.
    pub clocks: [Option<Duration>; 2],
}

type Watcher<G> = Box<dyn Fn(&Happening<'_, G>) + Send + Sync>;

/// Those who are told. Several threads may tell them at once; while they listen no clock runs.
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
    /// One more.
    pub fn add(&mut self, watcher: impl Fn(&Happening<'_, G>) + Send + Sync + 'static) {
        self.0.push(Box::new(watcher));
    }

    /// Tells all of them.
    pub fn tell(&self, happening: &Happening<'_, G>) {
        self.0.iter().for_each(|watcher| watcher(happening));
    }
}
