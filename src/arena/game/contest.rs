//! What the arena needs to know of a game beyond its laws and records.

use crate::arena::engine::entrant::Protocol;
use crate::arena::engine::protocol::EngineProtocol;
use crate::base::rng::Rng;
use crate::base::side::Side;
use crate::endings::bitbase::Bitbases;
use crate::laws::Edition;
use crate::laws::ruled::Ruled;
use crate::search::driver::Searcher;

/// A game that engines play against each other.
pub trait Contest: Ruled {
    /// The search that tells balanced openings from others.
    type Searcher: Searcher<Move = Self::Move>;

    /// The protocol of engines for which none is given.
    const PROTOCOL: Protocol;

    /// The laws of a match for which none are given.
    const EDITION: Edition;

    /// The conversation in a protocol; `None` if engines for this game do not use it.
    fn engine_protocol(
        protocol: Protocol,
        variant: Variant,
    ) -> Option<Box<dyn EngineProtocol<Self>>>;

    /// Reads a line of a file of positions, of which anything after the position is ignored.
    ///
    /// # Errors
    /// What is wrong with the position.
    fn read_start(line: &str) -> Result<Self, String>;

    /// A random one of the variant's start positions.
    fn random_start(variant: Variant, rng: &mut Rng) -> Self;

    /// The winner by the bitbases, `Some(None)` for a draw; `None` if they do not decide the game.
    fn known(&self, _: &Bitbases) -> Option<Option<Side>> {
        None
    }

    /// The number of squares on which pieces can stand.
    const SQUARES: usize;

    /// The contents of each square in the order of a diagram: from the top left, with White at the
    /// bottom. `.` is an empty square; chess has the letters of a FEN, draughts `w` and `b` for men,
    /// `W` and `B` for kings.
    fn squares(&self) -> String;

    /// The root of a search from the position.
    fn root(&self) -> <Self::Searcher as Searcher>::Root;

    /// The result as records have it; `None` is a draw.
    fn result(winner: Option<Side>) -> Self::Result;
}

/// The variant of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Variant {
    /// The game itself.
    #[default]
    Standard,
    /// Chess from one of 960 start positions; castling is written as king takes rook.
    Chess960,
}
