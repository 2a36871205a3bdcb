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

    /// Returns a loss for the player without a legal move (7.2), or a win in losing draughts.
    fn score_at_end(&self) -> Score {
        match self.winner_without_moves() == self.side() {
            true => Score::win_in(Ply::ROOT),
            false => Score::loss_in(Ply::ROOT),
        }
    }

    fn arrow(m: Move) -> [usize; 2] {
        [m.from(), m.to()].map(|square| square.number() as usize - 1)
    }

    /// Reads a book written by `adoube book`. If there is no file, uses the built-in book.
    fn book(file: Option<&Path>) -> Result<IsBookMove<Self>, BookError> {
        let Some(file) = file else {
            return Ok(Box::new(|position, m| Book::shipped().moves(position).contains(&m)));
        };
        let text = std::fs::read_to_string(file)?;
        let book = Book::read(&text)?;
        Ok(Box::new(move |position, m| book.moves(position).contains(&m)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draughts::Variant;

    #[test]
    fn a_player_without_moves_wins_losing_draughts() {
        let end = |variant| {
            let position: Position = "W:W:B1".parse().expect("a position");
            position.in_game(variant).expect("a position of the variant").score_at_end()
        };
        assert!(end(Variant::Losing) > Score::DRAW && end(Variant::Normal) < Score::DRAW);
    }
}
