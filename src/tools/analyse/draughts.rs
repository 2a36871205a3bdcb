//! Analysis of draughts games.

use super::{Analysed, IsBookMove, points};
use crate::arena::game::contest::BookError;
use crate::draughts::book::Book;
use crate::draughts::{Move, Position};
use crate::endings::bitbase::Wdl;
use crate::endings::syzygy::Tables;
use crate::search::depth::Ply;
use crate::search::draughts::Resources;
use crate::search::score::Score;
use std::path::Path;
use std::sync::Arc;

impl Analysed for Position {
    const E_TIMES: f64 = points::DRAUGHTS;

    /// Returns a loss for the player without a legal move (FMJD 7.2), or a win in losing draughts.
    fn score_at_end(&self) -> Score {
        match self.winner_without_moves() == self.side() {
            true => Score::win_in(Ply::ROOT),
            false => Score::loss_in(Ply::ROOT),
        }
    }

    fn end_text(&self) -> &'static str {
        match self.winner_without_moves() == self.side() {
            true => "the side to move wins",
            false => "the side to move loses",
        }
    }

    fn resources(_: Option<Arc<Tables>>) -> Resources {
        Resources::default()
    }

    fn is_table_draw(&self, resources: &Resources) -> bool {
        resources.bitbases.probe(self) == Some(Wdl::Draw)
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
    use crate::draughts::{Game, Variant};
    use crate::search::limits::Limits;
    use crate::tools::analyse::Analyst;

    #[test]
    fn scores_bitbase_draws_as_draws() {
        let game = "[FEN \"B:WK1,K16,K48:BK25\"]\n\n1... 25-20 *".parse::<Game>().expect("a game");
        let mut analyst =
            Analyst::<Position>::new(1, Limits::nodes(2000), Resources::default()).expect("memory");
        let is_book_move = Box::new(|_: &Position, _| false) as _;
        let story = analyst.story(&game, &is_book_move, &|| {}).expect("a story");
        assert!(story.seen.iter().all(|seen| seen.score == Score::DRAW), "{story:?}");
    }

    #[test]
    fn a_player_without_moves_wins_losing_draughts() {
        let end = |variant| {
            let position: Position = "W:W:B1".parse().expect("a position");
            position.in_game(variant).expect("a position of the variant").score_at_end()
        };
        assert!(end(Variant::Losing) > Score::DRAW && end(Variant::Normal) < Score::DRAW);
    }
}
