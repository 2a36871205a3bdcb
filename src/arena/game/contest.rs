//! What the arena needs to know of a game beyond its laws and records.

use crate::arena::engine::entrant::Protocol;
use crate::arena::engine::protocol::EngineProtocol;
use crate::base::rng::Rng;
use crate::base::side::Side;
use crate::chess::polyglot;
use crate::endings::{bitbase, syzygy};
use crate::eval::Chances;
use crate::laws::Edition;
use crate::laws::ruled::Ruled;
use crate::laws::ruling::GameOutcome;
use crate::search::driver::Searchable;
use crate::{chess, draughts};
use std::path::Path;
use std::sync::Arc;
use std::{fmt, io};

/// A game that engines play against each other.
pub trait Contest: Ruled + Searchable + Chances {
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
    /// If the line does not begin with a position.
    fn read_start(line: &str) -> Result<Self, StartError>;

    /// A random one of the variant's start positions.
    fn random_start(variant: Variant, rng: &mut Rng) -> Self;

    /// Converts a position that was read to the variant.
    ///
    /// # Errors
    /// If the variant does not have the position.
    fn in_variant(self, variant: Variant) -> Result<Self, StartError> {
        let _ = variant;
        Ok(self)
    }

    /// How the game has ended by a rule of its variant that the laws do not have, in words; `None` if it goes
    /// on or ended by the laws.
    fn own_end(&self) -> Option<&'static str> {
        None
    }

    /// The outcome by endgame tables; `None` if the tables do not decide the game.
    fn tablebase_outcome(&self, tables: &Tables) -> Option<GameOutcome>;

    /// An opening book.
    type Book: fmt::Debug + Send + Sync;

    /// Reads the file of an opening book.
    ///
    /// # Errors
    /// If the file cannot be read or is not a book of the game.
    fn read_book(path: &Path) -> Result<Self::Book, BookError>;

    /// A move of a book, drawn by its weights; `None` if the book does not know the position.
    fn book_move(&self, book: &Self::Book, rng: &mut Rng) -> Option<Self::Move>;

    /// The number of squares on which pieces can stand.
    const SQUARES: usize;

    /// The contents of each square in the order of a diagram: from the top left, with White at the
    /// bottom. `.` is an empty square; chess has the letters of a FEN, draughts `w` and `b` for men,
    /// `W` and `B` for kings.
    fn squares(&self) -> String;

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

/// Endgame tables. The tables of the other game never decide a game.
#[derive(Clone, Debug)]
pub enum Tables {
    /// Chess.
    Syzygy(Arc<syzygy::Tables>),
    /// Draughts.
    Bitbases(Arc<bitbase::Bitbases>),
}

/// Why a game cannot start in a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StartError {
    /// The text is not a position of chess.
    #[error(transparent)]
    Chess(#[from] chess::fen::FenError),
    /// The text is not a position of draughts.
    #[error(transparent)]
    Draughts(#[from] draughts::fen::FenError),
    /// The variant does not have the position.
    #[error(transparent)]
    Variant(#[from] draughts::fen::BoardError),
}

/// Why an opening book cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is not a Polyglot book.
    #[error(transparent)]
    Polyglot(#[from] polyglot::BookError),
    /// The file is not a book of draughts.
    #[error(transparent)]
    Draughts(#[from] draughts::book::BookError),
    /// A Polyglot book was given for another game.
    #[error("Polyglot books are for chess: give a PDN or EPD file")]
    NotChess,
}
