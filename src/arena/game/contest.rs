//! The interface that chess and draughts implement for the arena, in addition to their laws and
//! records.

use crate::arena::engine::entrant::Protocol;
use crate::arena::engine::protocol::EngineProtocol;
use crate::base::rng::Rng;
use crate::base::side::Side;
use crate::chess::polyglot;
use crate::endings::{bitbase, syzygy};
use crate::eval::Chances;
use crate::laws::Edition;
use crate::laws::language::Language;
use crate::laws::ruled::Ruled;
use crate::laws::ruling::GameOutcome;
use crate::search::driver::Searchable;
use crate::{chess, draughts};
use std::path::Path;
use std::sync::Arc;
use std::{fmt, io};

pub trait Contest: Ruled + Searchable + Chances {
    const PROTOCOL: Protocol;

    const EDITION: Edition;

    /// Returns a handler for the protocol, or `None` if the protocol does not support the game or
    /// variant.
    fn engine_protocol(
        protocol: Protocol,
        variant: Variant,
    ) -> Option<Box<dyn EngineProtocol<Self>>>;

    /// Parses a line in an opening file. Everything after the position and, in chess, its move
    /// counters is ignored.
    fn read_start(line: &str) -> Result<Self, StartError>;

    fn random_start(variant: Variant, rng: &mut Rng) -> Self;

    /// Returns the variant of the position: a variant of draughts, or Chess960 if castling is
    /// possible with a king or rook on a non-standard square. Otherwise returns
    /// [`Variant::Standard`].
    fn variant_of(&self) -> Variant;

    /// Converts a position to the variant. Fails if the position cannot occur in the variant.
    fn in_variant(self, variant: Variant) -> Result<Self, StartError> {
        let _ = variant;
        Ok(self)
    }

    /// If the game has ended by a rule of the variant that is not in the laws, returns a
    /// description of the ending.
    fn own_end(&self, _: Language) -> Option<&'static str> {
        None
    }

    fn tablebase_outcome(&self, tables: &Tables) -> Option<GameOutcome>;

    type Book: fmt::Debug + Send + Sync;

    fn read_book(path: &Path) -> Result<Self::Book, BookError>;

    /// Chooses a random book move, in proportion to the weights of the moves. Returns `None` if the
    /// position is not in the book.
    fn book_move(&self, book: &Self::Book, rng: &mut Rng) -> Option<Self::Move>;

    const SQUARES: usize;

    /// Returns the board as one character per square, row by row from the top left, with White at
    /// the bottom. Empty squares are `.`. Chess uses FEN letters. Draughts uses `w` and `b` for men
    /// and `W` and `B` for kings.
    fn squares(&self) -> String;

    /// Converts a winner (`None` for a draw) to the result in a game record.
    fn result(winner: Option<Side>) -> Self::Result;
}

/// A variant of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Variant {
    /// The normal game.
    #[default]
    Standard,
    /// Chess960, with castling written as king takes rook.
    Chess960,
    /// A variant of draughts on the same board.
    Draughts(draughts::Variant),
}

/// Endgame tables for adjudication. Tables for the other game are ignored.
#[derive(Clone, Debug)]
pub enum Tables {
    /// Syzygy tables, for chess.
    Syzygy(Arc<syzygy::Tables>),
    /// Bitbases, for draughts.
    Bitbases(Arc<bitbase::Bitbases>),
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StartError {
    #[error(transparent)]
    Chess(#[from] chess::fen::FenError),
    #[error(transparent)]
    Draughts(#[from] draughts::fen::FenError),
    #[error(transparent)]
    Variant(#[from] draughts::fen::BoardError),
}

#[derive(Debug, thiserror::Error)]
pub enum BookError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Polyglot(#[from] polyglot::BookError),
    #[error(transparent)]
    Draughts(#[from] draughts::book::BookError),
    #[error("Polyglot books are for chess: give a PDN or EPD file")]
    NotChess,
}
