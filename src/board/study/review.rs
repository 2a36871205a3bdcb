//! Analysis of a whole game on its own thread, as in `adoube analyse`, and the course of a game
//! according to the scores in its record.

use crate::arena::engine::failure::Failure;
use crate::base::panics::OnPanic;
use crate::board::game::{BoardGame, Phase};
use crate::board::message::study::{Course, Effort, StoredScore};
use crate::board::outlet::{EngineReport, Outlet, SearchId};
use crate::record::games::Record;
use crate::search::driver::ResourceError;
use crate::search::limits::Limits;
use crate::search::stop::StopHandle;
use crate::tools::analyse::{Analysed, Analyst, Story, read_score};
use std::error::Error;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Size of the transposition table, in MiB.
const HASH_MB: usize = 16;
pub(in crate::board) const MAX_DEPTH: u32 = 60;
pub(in crate::board) const MAX_MOVETIME: u64 = 60_000;

#[derive(Debug, thiserror::Error)]
pub(crate) enum ReviewError {
    #[error("the depth must be between 1 and {MAX_DEPTH}")]
    Depth,
    #[error("the time per position must be between 1 and {MAX_MOVETIME} milliseconds")]
    Movetime,
    #[error("there are no moves to analyse")]
    NoMoves,
    #[error(transparent)]
    Thread(#[from] io::Error),
    #[error(transparent)]
    Resource(#[from] ResourceError),
    #[error(transparent)]
    Book(Box<dyn Error + Send + Sync>),
    #[error(transparent)]
    Engine(#[from] Failure),
    #[error("the engine stopped unexpectedly")]
    Ended,
}

fn limits<M>(effort: Effort) -> Result<Limits<M>, ReviewError> {
    match effort {
        Effort::Depth(depth @ 1..=MAX_DEPTH) => {
            Ok(Limits { depth: Some(depth), ..Limits::default() })
        }
        Effort::Depth(_) => Err(ReviewError::Depth),
        Effort::Movetime(time @ 1..=MAX_MOVETIME) => {
            Ok(Limits { movetime: Some(Duration::from_millis(time)), ..Limits::default() })
        }
        Effort::Movetime(_) => Err(ReviewError::Movetime),
    }
}

struct Reached<M> {
    done: usize,
    outcome: Option<Result<Story<M>, ReviewError>>,
}

/// A running analysis. Dropping it stops the analysis.
pub(super) struct Review<G: Analysed> {
    search: SearchId,
    stop: StopHandle,
    reached: Arc<Mutex<Reached<G::Move>>>,
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
    /// Begins the analysis of a game's main line. The thread sends [`EngineReport::Progress`] after
    /// each position and at the end.
    pub(super) fn begin(
        game: &Record<G>,
        effort: Effort,
        outlet: Outlet,
    ) -> Result<Self, ReviewError> {
        let limits = limits(effort)?;
        let of = game.line().moves.len() + 1;
        if of == 1 {
            return Err(ReviewError::NoMoves);
        }
        let (search, stop) = (outlet.next_search(), StopHandle::new());
        let reached = Arc::new(Mutex::new(Reached { done: 0, outcome: None }));
        let review = Self { search, stop: stop.clone(), reached: Arc::clone(&reached), of };
        let game = game.clone();
        let work = move || {
            let Some(_slot) = outlet.wait_for_slot(|| stop.is_stopped()) else { return };
            let report = || _ = outlet.send(search, EngineReport::Progress);
            let end = |outcome| {
                lock(&reached).outcome = Some(outcome);
                report();
            };
            let _guard = OnPanic(|| end(Err(ReviewError::Ended)));
            let done = || {
                lock(&reached).done += 1;
                report();
            };
            let outcome = story(&game, limits, &stop, &done);
            if !stop.is_stopped() {
                end(outcome);
            }
        };
        std::thread::Builder::new().name("board-review".to_owned()).spawn(work)?;
        Ok(review)
    }

    pub(super) const fn search(&self) -> SearchId {
        self.search
    }

    pub(super) fn progress(&self) -> [usize; 2] {
        [lock(&self.reached).done, self.of]
    }

    pub(super) fn take_outcome(&self) -> Option<Result<Story<G::Move>, ReviewError>> {
        lock(&self.reached).outcome.take()
    }
}

fn story<G: Analysed>(
    game: &Record<G>,
    limits: Limits<G::Move>,
    stop: &StopHandle,
    done: &dyn Fn(),
) -> Result<Story<G::Move>, ReviewError> {
    let analyst = Analyst::new(HASH_MB, limits, Default::default())?;
    let book = G::book(None).map_err(|error| ReviewError::Book(error.into()))?;
    let mut analyst = analyst.until(stop.clone());
    let mut story = analyst.story(game, &book, done)?;
    if !stop.is_stopped() {
        analyst.find_puzzles(game, &mut story)?;
    }
    Ok(story)
}

/// Tags computed from the moves of the main line.
const ACCURACY_TAGS: [&str; 6] =
    ["WhiteAccuracy", "BlackAccuracy", "WhiteLoss", "BlackLoss", PHASE_TAGS[0], PHASE_TAGS[1]];
/// Tags with a player's accuracy in the opening, the middlegame and the endgame, for example
/// `97 88 -`.
const PHASE_TAGS: [&str; 2] = ["WhitePhases", "BlackPhases"];

/// Returns the course of a game from the scores in its comments, or `None` if there are fewer than
/// two scores.
pub(super) fn course<G: BoardGame>(game: &Record<G>) -> Option<Course> {
    let positions = game.positions();
    let after = game
        .line()
        .moves
        .iter()
        .zip(&positions[1..])
        .map(|(node, position)| Some(stored_score(&node.comments, position)?.white));
    let white: Vec<_> = std::iter::once(None).chain(after).collect();
    let accuracy = ["WhiteAccuracy", "BlackAccuracy"].map(|tag| game.tag(tag).map(str::to_owned));
    let has_course = white.iter().flatten().count() >= 2;
    has_course.then(|| Course { white, accuracy, phases: phases(game) })
}

/// Returns the accuracy of White and Black in each phase of a game: from the tags of a review or,
/// if there are none, from the scores in the comments.
fn phases<G: BoardGame>(game: &Record<G>) -> [[Option<String>; 2]; 3] {
    if PHASE_TAGS.iter().all(|tag| game.tag(tag).is_none()) {
        let story = Story::from_record(game);
        return story.map(|story| phases_of(game, &story)).unwrap_or_default();
    }
    std::array::from_fn(|phase| {
        PHASE_TAGS.map(|tag| {
            let word = game.tag(tag)?.split(' ').nth(phase)?;
            word.parse::<f64>().is_ok().then(|| word.to_owned())
        })
    })
}

/// Stores the accuracy in each phase as tags. The accuracy cannot be recomputed exactly from the
/// scores in the comments, because the scores do not show which moves were the best.
pub(super) fn tag_phases<G: BoardGame>(game: &mut Record<G>, story: &Story<G::Move>) {
    let phases = phases_of(game, story);
    for (side, tag) in PHASE_TAGS.into_iter().enumerate() {
        let words = phases.each_ref().map(|both| both[side].as_deref().unwrap_or("-"));
        game.set_tag(tag, &words.join(" "));
    }
}

/// Returns the accuracy of White and Black in each phase of an analysed game.
fn phases_of<G: BoardGame>(game: &Record<G>, story: &Story<G::Move>) -> [[Option<String>; 2]; 3] {
    let mut phase = Phase::default();
    let later = |position: &G| {
        phase = phase.max(position.phase());
        phase
    };
    let of_positions: Vec<Phase> = game.positions().iter().map(later).collect();
    Phase::ALL.map(|phase| {
        let accuracy = story.accuracy(game, |ply| of_positions.get(ply) == Some(&phase));
        accuracy.map(|accuracy| accuracy.map(|accuracy| format!("{accuracy:.0}")))
    })
}

/// Returns the score that is given in the comments on a position.
pub(super) fn stored_score<G: Analysed>(comments: &[String], position: &G) -> Option<StoredScore> {
    let side = position.side();
    let score = comments.iter().find_map(|comment| read_score(comment, side))?;
    // Scores in records are from White's point of view.
    let own = if side.is_white() { score } else { -score };
    let mate = own.mate_in().map(|moves| if side.is_white() { moves } else { -moves });
    let white = (1000.0 * own.white_points(position)).round() / 1000.0;
    Some(StoredScore { score: score.centipawns(), white, mate })
}

/// Removes the accuracy tags, which become wrong when the main line changes.
pub(super) fn remove_accuracy<G: Analysed>(game: &mut Record<G>) {
    ACCURACY_TAGS.into_iter().for_each(|tag| game.remove_tag(tag));
}
