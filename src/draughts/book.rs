//! An opening book: good moves by position.
//!
//! A book is an EPD file with the operation `bm` of each position's good moves. The one that is part
//! of the program, `epd/draughts/book.epd`, was made by `adoube book` from the engine's own searches.

use super::epd::{Epd, EpdError};
use super::moves::Move;
use super::notation::{self, MoveError};
use super::position::Position;
use crate::base::rng::Rng;
use crate::record::epd;
use std::collections::HashMap;
use std::sync::LazyLock;

/// The operation of the good moves.
pub const GOOD_MOVES: &str = "bm";

/// Good moves by position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Book(HashMap<u64, Vec<Move>>);

/// What is wrong with a book, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct BookError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub reason: Reason,
}

/// What is wrong with a line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Reason {
    /// It is not an EPD record.
    #[error(transparent)]
    Record(#[from] EpdError),
    /// It has no move.
    #[error("there is no 'bm' with a move")]
    NoMove,
    /// A move is not legal in the position.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// The position already has a line.
    #[error("the position is there twice")]
    Twice,
}

static SHIPPED: LazyLock<Book> = LazyLock::new(|| {
    // A test reads the book, so it is well formed.
    Book::read(include_str!("../../epd/draughts/book.epd")).unwrap_or_default()
});

impl Book {
    /// The book that is part of the program.
    pub fn shipped() -> &'static Self {
        &SHIPPED
    }

    /// Reads a book; [`epd::lines`] says which lines are comments.
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

    /// The good moves of a position; empty if the book does not have it.
    pub fn moves(&self, position: &Position) -> &[Move] {
        self.0.get(&position.key()).map_or(&[], Vec::as_slice)
    }

    /// One of the good moves of a position, if the book has it.
    pub fn choose(&self, position: &Position, rng: &mut Rng) -> Option<Move> {
        let moves = self.moves(position);
        // Two positions could share a key.
        moves.get(rng.below(moves.len())).copied().filter(|&m| position.is_legal(m))
    }

    /// The number of positions.
    #[cfg(feature = "internals")]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the book has no position.
    #[cfg(feature = "internals")]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_book_is_read_and_reaches_every_line() {
        let book = Book::read(include_str!("../../epd/draughts/book.epd")).expect("a book");
        assert_eq!(&book, Book::shipped());
        let mut reached = HashMap::from([(Position::start().key(), Position::start())]);
        let mut fresh = vec![Position::start()];
        while let Some(position) = fresh.pop() {
            for &m in book.moves(&position) {
                let next = position.play_unchecked(m);
                if !book.moves(&next).is_empty() && reached.insert(next.key(), next).is_none() {
                    fresh.push(next);
                }
            }
        }
        assert_eq!(reached.len(), book.len());
        assert!(book.moves(&Position::start()).len() > 1, "games should vary");
    }

    #[test]
    fn every_good_move_is_chosen_at_times_and_no_other() {
        let book = Book::read("# two\n\nW:W31-50:B1-20 bm 32-28 34-29;").expect("a book");
        let (start, mut rng) = (Position::start(), Rng::new(1));
        let chosen: std::collections::BTreeSet<String> =
            (0..100).filter_map(|_| book.choose(&start, &mut rng)).map(|m| m.to_string()).collect();
        assert_eq!(chosen.into_iter().collect::<Vec<_>>(), ["32-28", "34-29"]);
        let next = start.play(book.moves(&start)[0]);
        assert_eq!(book.choose(&next, &mut rng), None);
    }

    #[test]
    fn errors_say_what_and_where() {
        let error = |text: &str| Book::read(text).expect_err(text).to_string();
        assert_eq!(error("W:W31-50:B1-20 id x;"), "line 1: there is no 'bm' with a move");
        assert!(error("#\nW:W31-50:B1-20 bm 32-27 19-23;").starts_with("line 2: "));
        assert!(error("W:W31-50").starts_with("line 1: "));
        let twice = "W:W31-50:B1-20 bm 32-28;\nW:W31-50:B1-20 bm 32-28;";
        assert_eq!(error(twice), "line 2: the position is there twice");
    }
}
