//! What the arena needs to know of a game beyond its laws and records.

use super::rules::Tables;
use crate::arena::engine::entrant::Protocol;
use crate::arena::engine::protocol::EngineProtocol;
use crate::base::rng::Rng;
use crate::base::side::Side;
use crate::draughts;
use crate::eval::Chances;
use crate::laws::Edition;
use crate::laws::ruled::Ruled;
use crate::search::driver::Searcher;
use std::fmt;
use std::path::Path;

/// A game that engines play against each other.
pub trait Contest: Ruled + Chances {
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

    /// A position that was read, as one of the variant.
    ///
    /// # Errors
    /// Why it is none.
    fn in_variant(self, variant: Variant) -> Result<Self, String> {
        let _ = variant;
        Ok(self)
    }

    /// How the game has ended by a rule of its variant that the laws do not have, in words; `None` if it goes
    /// on or ended by the laws.
    fn own_end(&self) -> Option<&'static str> {
        None
    }

    /// The winner by tables of endings, `Some(None)` for a draw; `None` if they do not decide the game.
    fn known(&self, tables: &Tables) -> Option<Option<Side>>;

    /// An opening book.
    type Book: fmt::Debug + Send + Sync;

    /// Reads the file of an opening book.
    ///
    /// # Errors
    /// Why it cannot be used.
    fn read_book(path: &Path) -> Result<Self::Book, String>;

    /// A move of a book, drawn by its weights; `None` if the book does not know the position.
    fn book_move(&self, book: &Self::Book, rng: &mut Rng) -> Option<Self::Move>;

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
    /// Draughts by the rules of another game on the same board.
    Draughts(draughts::Variant),
}
