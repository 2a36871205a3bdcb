//! The rules that all games of a match share, including adjudication.

use super::contest::{Tables, Variant};
use super::record::PlayedMove;
use crate::arena::engine::answer::ReportedScore;
use crate::base::side::Side;
use crate::laws::Edition;
use crate::laws::clock::TimeControl;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The criteria for adjudicating games. Scores are in centipawns.
#[derive(Clone, Debug, Default)]
pub struct Adjudication {
    /// The criterion for a win, based on the engines' scores over several moves.
    pub win: Option<WinRule>,
    /// The criterion for a draw: the scores of both engines stay near 0.
    pub draw: Option<DrawRule>,
    /// The number of moves per side after which the game is declared a draw. The opening moves do
    /// not count.
    pub max_moves: Option<u32>,
    /// Endgame tables. They decide the game as soon as they contain the position, but not while a
    /// move count may change the result.
    pub tables: Option<Tables>,
}

/// The criterion for adjudicating a win.
///
/// ```
/// use adoube::matches::{Adjudication, DecidingScores, DrawRule, WinRule};
///
/// // Like `--resign moves=3 score=600` and `--draw movenumber=40 movecount=8 score=10`.
/// let adjudication = Adjudication {
///     win: Some(WinRule { moves: 3, score: 600, of: DecidingScores::Both }),
///     draw: Some(DrawRule { from: 40, moves: 8, score: 10 }),
///     max_moves: Some(300),
///     ..Adjudication::default()
/// };
/// # drop(adjudication);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WinRule {
    /// The number of consecutive moves per side for which the scores must show the win.
    pub moves: u32,
    /// The minimum score for the winner, in centipawns.
    pub score: i32,
    /// The scores that must show the win.
    pub of: DecidingScores,
}

/// The scores that decide whether a win is adjudicated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DecidingScores {
    /// Only the losing side's score counts, as if its engine resigned.
    Loser,
    /// The scores of both sides count.
    Both,
}

/// The criterion for adjudicating a draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DrawRule {
    /// The number of moves that each engine must have made before a draw can be adjudicated. The
    /// opening moves do not count.
    pub from: u32,
    /// The number of consecutive moves per side for which the scores must be near 0.
    pub moves: u32,
    /// The maximum absolute value of the scores, in centipawns.
    pub score: i32,
}

/// The rules that all games of a match share.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The time control for players that do not have their own.
    pub control: TimeControl,
    /// The grace time before a loss on time.
    pub margin: Duration,
    /// The time after which an engine without a clock is sent `stop`.
    pub patience: Duration,
    /// The variant of the game.
    pub variant: Variant,
    /// The edition of the laws.
    pub edition: Edition,
    /// The criteria for adjudicating games.
    pub adjudication: Adjudication,
    /// The maximum number of times that a player is restarted in one game after a crash or a stall.
    /// The clock keeps running during a restart.
    pub restarts: u32,
}

impl WinRule {
    pub(super) fn winner<M>(self, moves: &[PlayedMove<M>], to_move: Side) -> Option<Side> {
        let scores = last_scores(moves, to_move, self.moves)?;
        // The newest score comes first. It is the score of the side that has just moved.
        let mover = !to_move;
        Side::ALL.into_iter().find(|&winner| {
            let counts = |i: &usize| {
                self.of == DecidingScores::Both || i.is_multiple_of(2) == (mover != winner)
            };
            let for_winner = |score: i32| if winner.is_white() { score } else { -score };
            (0..scores.len()).filter(counts).all(|i| for_winner(scores[i]) >= self.score)
        })
    }
}

impl DrawRule {
    pub(super) fn is_met<M>(self, moves: &[PlayedMove<M>], to_move: Side) -> bool {
        moves.len() >= 2 * self.from as usize
            && last_scores(moves, to_move, self.moves)
                .is_some_and(|scores| scores.iter().all(|score| score.abs() <= self.score))
    }
}

/// Returns the scores of the last `moves` moves (at least 1) of each side, newest first, in
/// centipawns from White's point of view. Returns `None` if any of these scores is missing.
fn last_scores<M>(played: &[PlayedMove<M>], to_move: Side, moves: u32) -> Option<Vec<i32>> {
    let count = 2 * moves.max(1) as usize;
    let mut side = to_move;
    let scores = played.iter().rev().take(count).map(|played| {
        side = !side;
        let score = played.thought.score.map(ReportedScore::centipawns)?;
        Some(if side.is_white() { score } else { -score })
    });
    scores.collect::<Option<Vec<i32>>>().filter(|scores| scores.len() == count)
}
