//! An opening book: the good moves for each position.
//!
//! A book is an EPD file in which the operation `bm` lists the good moves of each position. The
//! built-in book consists of one file for each variant in `epd/draughts`. The files were made by
//! `adoube book` from the engine's own searches.

use super::epd::{Epd, EpdError};
use super::moves::Move;
use super::notation::{self, MoveError};
use super::position::Position;
use super::variant::Variant;
use crate::base::rng::Rng;
use crate::record::epd;
use std::collections::HashMap;
use std::sync::LazyLock;

pub(crate) const GOOD_MOVES: &str = "bm";

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Book(HashMap<u64, Vec<Move>>);

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct BookError {
    pub line: usize,
    pub reason: Reason,
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Reason {
    #[error(transparent)]
    Record(#[from] EpdError),
    #[error("no 'bm' with a move")]
    NoMove,
    #[error(transparent)]
    Move(#[from] MoveError),
    #[error("duplicate position")]
    Twice,
}

/// The files of the built-in book, in the order of [`Variant::ALL`].
const SHIPPED_FILES: [&str; Variant::ALL.len()] = [
    include_str!("../../epd/draughts/book.epd"),
    include_str!("../../epd/draughts/book-killer.epd"),
    include_str!("../../epd/draughts/book-bt.epd"),
    include_str!("../../epd/draughts/book-frisian.epd"),
    include_str!("../../epd/draughts/book-losing.epd"),
];

static SHIPPED: LazyLock<Book> = LazyLock::new(|| {
    // The variant is part of a position's key, so one book can contain all variants. A test parses
    // the files, so parsing cannot fail here.
    Book(
        SHIPPED_FILES
            .iter()
            .filter_map(|text| Book::read(text).ok())
            .flat_map(|book| book.0)
            .collect(),
    )
});

impl Book {
    /// Returns the built-in book for all variants.
    pub fn shipped() -> &'static Self {
        &SHIPPED
    }

    /// Parses a book. [`epd::lines`] skips comment lines.
    pub fn read(text: &str) -> Result<Self, BookError> {
        let mut book = Self::default();
        for (line, record) in epd::lines(text) {
            book.add(record).map_err(|reason| BookError { line, reason })?;
        }
        Ok(book)
    }

    fn add(&mut self, record: &str) -> Result<(), Reason> {
        let Epd { position, operations } = record.parse()?;
        let texts = operations.iter().filter(|operation| operation.opcode == GOOD_MOVES);
        let moves = texts
            .flat_map(|operation| &operation.operands)
            .map(|text| notation::parse(&position, text.as_str()))
            .collect::<Result<Vec<Move>, MoveError>>()?;
        if moves.is_empty() {
            return Err(Reason::NoMove);
        }
        match self.0.insert(position.key(), moves) {
            None => Ok(()),
            Some(_) => Err(Reason::Twice),
        }
    }

    /// Returns the good moves for a position, or an empty slice if the position is not in the book.
    pub fn moves(&self, position: &Position) -> &[Move] {
        self.0.get(&position.key()).map_or(&[], Vec::as_slice)
    }

    /// Returns a random good move for a position, or `None` if the position is not in the book.
    pub(crate) fn choose(&self, position: &Position, rng: &mut Rng) -> Option<Move> {
        let moves = self.moves(position);
        // The legality check guards against key collisions.
        moves.get(rng.below(moves.len())).copied().filter(|&m| position.is_legal(m))
    }

    #[cfg(feature = "internals")]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    #[cfg(feature = "internals")]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_book_parses_and_every_position_is_reachable() {
        let mut positions = 0;
        for (variant, text) in Variant::ALL.into_iter().zip(SHIPPED_FILES) {
            let book = Book::read(text).expect("a book");
            let start = Position::start_of(variant);
            let mut reached = HashMap::from([(start.key(), start)]);
            let mut fresh = vec![start];
            while let Some(position) = fresh.pop() {
                for &m in book.moves(&position) {
                    let next = position.play_unchecked(m);
                    if !book.moves(&next).is_empty() && reached.insert(next.key(), next).is_none() {
                        fresh.push(next);
                    }
                }
            }
            assert_eq!(reached.len(), book.0.len(), "{variant}");
            assert!(book.moves(&start).len() > 1, "{variant}: games should vary");
            assert_eq!(Book::shipped().moves(&start), book.moves(&start), "{variant}");
            positions += reached.len();
        }
        assert_eq!(Book::shipped().len(), positions);
    }

    #[test]
    fn choose_returns_every_good_move_and_no_other() {
        let book = Book::read("# two\n\nW:W31-50:B1-20 bm 32-28 34-29;").expect("a book");
        let (start, mut rng) = (Position::start(), Rng::new(1));
        let chosen: std::collections::BTreeSet<String> =
            (0..100).filter_map(|_| book.choose(&start, &mut rng)).map(|m| m.to_string()).collect();
        assert_eq!(chosen.into_iter().collect::<Vec<_>>(), ["32-28", "34-29"]);
        let next = start.play(book.moves(&start)[0]);
        assert_eq!(book.choose(&next, &mut rng), None);
    }

    #[test]
    fn rejects_malformed_books_with_the_line() {
        let error = |text: &str| Book::read(text).expect_err(text).to_string();
        assert_eq!(error("W:W31-50:B1-20 id x;"), "line 1: no 'bm' with a move");
        assert!(error("#\nW:W31-50:B1-20 bm 32-27 19-23;").starts_with("line 2: "));
        assert!(error("W:W31-50").starts_with("line 1: "));
        let twice = "W:W31-50:B1-20 bm 32-28;\nW:W31-50:B1-20 bm 32-28;";
        assert_eq!(error(twice), "line 2: duplicate position");
    }
}
