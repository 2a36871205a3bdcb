//! What all games of a match have in common, and when they are adjudicated.

use super::contest::{Tables, Variant};
use super::record::PlayedMove;
use crate::arena::engine::answer::ReportedScore;
use crate::base::side::Side;
use crate::laws::Edition;
use crate::laws::clock::TimeControl;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// When games are ended by the organiser with a result. Scores are in centipawns.
#[derive(Clone, Debug, Default)]
pub struct Adjudication {
    /// A win when the engines' scores have said so for long enough.
    pub win: Option<WinRule>,
    /// A draw when the scores of both sides stay near 0.
    pub draw: Option<DrawRule>,
    /// A draw after this many moves of each side.
    pub max_moves: Option<u32>,
    /// The game ends as soon as these tables know the value of the position.
    pub tables: Option<Tables>,
}

/// When a win is clear.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WinRule {
    /// The number of moves of each side for which the scores must say so.
    pub moves: u32,
    /// The least score of the winner.
    pub score: i32,
    /// The sides whose scores must say so.
    pub of: WhoSays,
}

/// Whose scores end a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WhoSays {
    /// The loser's alone: it resigns.
    Loser,
    /// Both sides'.
    Both,
}

/// When a draw is clear.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DrawRule {
    /// The first move on which a draw may be declared.
    pub from: u32,
    /// The number of moves of each side for which the scores must say so.
    pub moves: u32,
    /// The greatest score, of either sign.
    pub score: i32,
}

/// What all games of a match have in common.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The time control of players who have none of their own.
    pub control: TimeControl,
    /// The time by which a player may exceed its clock without losing.
    pub margin: Duration,
    /// The longest time for a move where no clock runs.
    pub patience: Duration,
    /// The variant of the game.
    pub variant: Variant,
    /// The laws of the game.
    pub edition: Edition,
    /// When games are adjudicated.
    pub adjudication: Adjudication,
    /// How often in a game a player that crashes or stalls is restarted; its clock keeps running.
    pub restarts: u32,
}

impl WinRule {
    /// The side that has won by the scores of the last moves, `to_move` being to move now.
    pub(super) fn winner<M>(self, moves: &[PlayedMove<M>], to_move: Side) -> Option<Side> {
        let scores = last_scores(moves, to_move, self.moves)?;
        // Newest first, so the first is that of the side that has just moved.
        let mover = !to_move;
        Side::ALL.into_iter().find(|&winner| {
            let counts =
                |i: &usize| self.of == WhoSays::Both || i.is_multiple_of(2) == (mover != winner);
            let for_winner = |score: i32| if winner.is_white() { score } else { -score };
            (0..scores.len()).filter(counts).all(|i| for_winner(scores[i]) >= self.score)
        })
    }
}

impl DrawRule {
    /// Whether the game is drawn by the scores of the last moves, `to_move` being to move now.
    pub(super) fn is_met<M>(self, moves: &[PlayedMove<M>], to_move: Side) -> bool {
        moves.len() >= 2 * self.from as usize
            && last_scores(moves, to_move, self.moves)
                .is_some_and(|scores| scores.iter().all(|score| score.abs() <= self.score))
    }
}

/// The scores of the last `moves` moves (at least 1) of each side, newest first, in centipawns from
/// White's point of view; `None` if one is missing.
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
