//! What the arena has to know of a game beside its moves and its records.

use crate::arena::engine::entrant::Protocol;
use crate::arena::engine::talk::Talk;
use crate::base::rng::Rng;
use crate::base::side::Side;
use crate::endings::bitbase::Bitbases;
use crate::laws::Edition;
use crate::laws::ruled::Ruled;
use crate::search::driver::Searcher;

/// A game that engines play against each other.
pub trait Contest: Ruled {
    /// The search that judges openings.
    type Searcher: Searcher<Move = Self::Move>;

    /// The protocol of an engine that names none.
    const PROTOCOL: Protocol;

    /// The laws where none are named.
    const EDITION: Edition;

    /// What speaks a protocol, where the game has it.
    fn talk(protocol: Protocol, variant: Variant) -> Option<Box<dyn Talk<Self>>>;

    /// Reads a line of a file of positions; what follows the position says nothing here.
    ///
    /// # Errors
    /// What is wrong with the position.
    fn read_start(line: &str) -> Result<Self, String>;

    /// A position in which a game of the variant starts.
    fn random_start(variant: Variant, rng: &mut Rng) -> Self;

    /// Who wins by the endgame tables, `Some(None)` being a draw; none where they do not say how a
    /// game ends.
    fn known(&self, _: &Bitbases) -> Option<Option<Side>> {
        None
    }

    /// How many squares pieces can stand on.
    const SQUARES: usize;

    /// What stands on each square, as a diagram shows it: from the top left, White sitting below.
    /// `.` is an empty square; chess has the letters of a FEN, draughts `w` and `b` for men, `W` and
    /// `B` for kings.
    fn squares(&self) -> String;

    /// Where a search starts that judges the position.
    fn root(&self) -> <Self::Searcher as Searcher>::Root;

    /// How a record writes who won; `None` is a draw.
    fn result(winner: Option<Side>) -> Self::Result;
}

/// What is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Variant {
    /// The game itself.
    #[default]
    Standard,
    /// Chess from one of 960 starts; castling is written as king takes rook.
    Chess960,
}
