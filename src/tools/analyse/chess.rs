//! Analysis of chess games.

use super::{Analysed, IsBookMove, points};
use crate::arena::game::contest::BookError;
use crate::chess::polyglot::Book;
use crate::chess::{Move, Position};
use crate::endings::syzygy::Tables;
use crate::search::chess::Resources;
use crate::search::depth::Ply;
use crate::search::score::Score;
use std::path::Path;
use std::sync::Arc;

impl Analysed for Position {
    const E_TIMES: f64 = points::CHESS;

    fn score_at_end(&self) -> Score {
        if self.in_check() { Score::loss_in(Ply::ROOT) } else { Score::DRAW }
    }

    fn end_text(&self) -> &'static str {
        if self.in_check() { "checkmate" } else { "stalemate" }
    }

    fn resources(syzygy: Option<Arc<Tables>>) -> Resources {
        let mut resources = Resources::default();
        if let Some(tables) = syzygy {
            resources.probing.tables = tables;
        }
        resources
    }

    /// Always returns false, because the search already uses the scores of the Syzygy tables.
    fn is_table_draw(&self, _: &Resources) -> bool {
        false
    }

    /// Returns the squares of a move's arrow. A castling move is stored as king takes own rook, so
    /// its arrow points from the king to the rook.
    fn arrow(m: Move) -> [usize; 2] {
        // `Square` is numbered from a1, but the squares of a diagram are numbered from a8.
        [m.from(), m.to()].map(|square| square as usize ^ 56)
    }

    /// Reads a Polyglot book. If there is no file, no move is a book move.
    fn book(file: Option<&Path>) -> Result<IsBookMove<Self>, BookError> {
        let Some(file) = file else { return Ok(Box::new(|_, _| false)) };
        let book = Book::open(file)?;
        Ok(Box::new(move |position, m| book.moves(position).iter().any(|entry| entry.m == m)))
    }
}
