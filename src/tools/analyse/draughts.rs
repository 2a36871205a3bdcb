//! Analysis of draughts games.

use super::{Analysed, IsBookMove, points};
use crate::arena::game::contest::BookError;
use crate::draughts::book::Book;
use crate::draughts::{Move, Position};
use crate::search::depth::Ply;
use crate::search::score::Score;
use std::path::Path;

impl Analysed for Position {
    const E_TIMES: f64 = points::DRAUGHTS;

    /// Returns a loss: a player without a legal move has lost (7.2).
    fn score_at_end(&self) -> Score {
        Score::loss_in(Ply::ROOT)
    }

    fn arrow(m: Move) -> [usize; 2] {
        [m.from(), m.to()].map(|square| square.number() as usize - 1)
    }

    /// Uses a book written by `adoube book`, or the built-in book if there is no file.
    fn book(file: Option<&Path>) -> Result<IsBookMove<Self>, BookError> {
        let Some(file) = file else {
            return Ok(Box::new(|position, m| Book::shipped().moves(position).contains(&m)));
        };
        let text = std::fs::read_to_string(file)?;
        let book = Book::read(&text)?;
        Ok(Box::new(move |position, m| book.moves(position).contains(&m)))
    }
}
