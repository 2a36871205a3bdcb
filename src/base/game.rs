//! What cold code (perft, suites, arena, replay) needs to know of a game, and no more.

use super::side::Side;
use std::fmt;

/// A position of a board game of two players, as cold code sees it.
///
/// Hot code (generators, searches) uses each game's own types.
pub trait Game: Clone + Eq + fmt::Debug + Send + Sync + 'static {
    /// A move of the game.
    type Move: Copy + Eq + fmt::Debug + Send + Sync + 'static;

    /// The position in which a game starts.
    fn start() -> Self;

    /// The player to move.
    fn side(&self) -> Side;

    /// Every legal move.
    fn moves(&self) -> Vec<Self::Move>;

    /// The position after `m`, which must be legal here.
    fn after(&self, m: Self::Move) -> Self;

    /// A hash key of all that decides which moves can follow.
    fn key(&self) -> u64;

    /// The number of leaves of the tree of legal moves `depth` plies deep.
    fn perft(&self, depth: u32) -> u64;
}
