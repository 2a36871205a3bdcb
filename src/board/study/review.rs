//! The whole game analysed, as `adoube analyse` does it, on a thread of its own; and the course of a game
//! by the scores that stand in its record.

use crate::board::thinker::{Outlet, Told, slot};
use crate::record::games::Record;
use crate::search::limits::Limits;
use crate::search::stop::StopHandle;
use crate::tools::analyse::{Analysed, Analyst, Story, read_score};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Size of the transposition table in units of 2^20 bytes.
const HASH_MB: usize = 16;

/// How long each position is looked at.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    /// To this depth, in half-moves.
    Depth(u32),
    /// For so many milliseconds.
    Movetime(u64),
}

impl Effort {
    /// The limits of a search.
    ///
    /// # Errors
    /// If it is no effort, or one that nobody can wait for.
    fn limits<M>(self) -> Result<Limits<M>, String> {
        match self {
            Self::Depth(depth @ 1..=60) => Ok(Limits { depth: Some(depth), ..Limits::default() }),
            Self::Depth(_) => Err("a depth is a number from 1 to 60".to_owned()),
            Self::Movetime(time @ 1..=60_000) => {
                Ok(Limits { movetime: Some(Duration::from_millis(time)), ..Limits::default() })
            }
            Self::Movetime(_) => Err("a position has from 1 to 60000 milliseconds".to_owned()),
        }
    }
}

/// What its thread has come to.
struct Reached<M> {
    /// Positions looked at.
    done: usize,
    outcome: Option<Result<Story<M>, String>>,
}

/// An analysis that runs. Dropping it ends it.
pub struct Review<G: Analysed> {
    stop: StopHandle,
    reached: Arc<Mutex<Reached<G::Move>>>,
    /// Positions of the game.
    of: usize,
}

impl<G: Analysed> Drop for Review<G> {
    fn drop(&mut self) {
        self.stop.stop();
    }
}

fn lock<M>(reached: &Mutex<Reached<M>>) -> MutexGuard<'_, Reached<M>> {
    reached.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<G: Analysed> Review<G> {
    /// Begins to look at a game's main line. [`Told::Review`] says whenever there is more to see.
    ///
    /// # Errors
    /// If the effort is none, the game has no moves, or there is no thread.
    pub fn begin(game: &Record<G>, effort: Effort, outlet: Outlet) -> Result<Self, String> {
        let limits = effort.limits()?;
        let of = game.line().moves.len() + 1;
        if of == 1 {
            return Err("there are no moves to analyse".to_owned());
        }
        let stop = StopHandle::new();
        let reached = Arc::new(Mutex::new(Reached { done: 0, outcome: None }));
        let review = Self { stop: stop.clone(), reached: Arc::clone(&reached), of };
        let game = game.clone();
        let work = move || {
            let Some(_slot) = slot(&outlet.slots, || stop.is_stopped()) else { return };
            let tell = || _ = outlet.told.send(Told::Review);
            let done = || {
                lock(&reached).done += 1;
                tell();
            };
            let outcome = story(&game, limits, &stop, &done);
            if !stop.is_stopped() {
                lock(&reached).outcome = Some(outcome);
                tell();
            }
        };
        let thread = std::thread::Builder::new().name("board-review".to_owned()).spawn(work);
        thread.map(|_| review).map_err(|error| error.to_string())
    }

    /// How many positions have been looked at, and of how many.
    pub fn progress(&self) -> [usize; 2] {
        [lock(&self.reached).done, self.of]
    }

    /// What has come out, once.
    pub fn outcome(&self) -> Option<Result<Story<G::Move>, String>> {
        lock(&self.reached).outcome.take()
    }
}

fn story<G: Analysed>(
    game: &Record<G>,
    limits: Limits<G::Move>,
    stop: &StopHandle,
    done: &dyn Fn(),
) -> Result<Story<G::Move>, String> {
    let analyst = Analyst::new(HASH_MB, limits).map_err(|error| error.to_string())?;
    Ok(analyst.until(stop.clone()).story(
        game,
        &G::book(None).map_err(|error| error.to_string())?,
        done,
    ))
}

/// The course of a game.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Course {
    /// White's expected points, from 0 to 1, before the first move and after each, where they are known.
    pub white: Vec<Option<f64>>,
    /// White's and Black's accuracy in percent.
    pub accuracy: [Option<String>; 2],
}

/// The tags that tell of the moves of a main line.
const PLAY: [&str; 4] = ["WhiteAccuracy", "BlackAccuracy", "WhiteLoss", "BlackLoss"];

impl Course {
    /// The course by the scores beside a game's moves; `None` if there are fewer than two.
    pub fn of<G: Analysed>(game: &Record<G>) -> Option<Self> {
        let positions = game.positions();
        let after = game.line().moves.iter().zip(&positions[1..]).map(|(node, position)| {
            let side = position.side();
            let score = node.comments.iter().find_map(|comment| read_score(comment, side))?;
            // The scores of records are White's.
            let own = if side.is_white() { score } else { -score };
            Some((1000.0 * own.white_points(position)).round() / 1000.0)
        });
        let white: Vec<_> = std::iter::once(None).chain(after).collect();
        let accuracy =
            ["WhiteAccuracy", "BlackAccuracy"].map(|tag| game.tag(tag).map(str::to_owned));
        (white.iter().flatten().count() >= 2).then_some(Self { white, accuracy })
    }

    /// The main line of a game is another: what was said of its play is no longer true.
    pub fn outdate<G: Analysed>(game: &mut Record<G>) {
        PLAY.into_iter().for_each(|tag| game.remove_tag(tag));
    }
}
