//! Analysis of chess games.

use super::Analysed;
use crate::chess::Position;
use crate::eval::chess::wdl;
use crate::search::chess::{ChessSearcher, Root};
use crate::search::depth::Ply;
use crate::search::score::Score;

impl Analysed for Position {
    type Searcher = ChessSearcher;

    fn root(&self, history: &[u64]) -> Root {
        Root { history: history.to_vec(), ..Root::new(self.clone()) }
    }

    /// By the chances to win and draw that the engine's own games gave.
    fn expected(&self, score: Score) -> f64 {
        let chances = wdl(score.centipawns(), self);
        f64::from(2 * chances.win + chances.draw) / 2000.0
    }

    fn score_at_end(&self) -> Score {
        if self.in_check() { Score::loss_in(Ply::ROOT) } else { Score::DRAW }
    }
}
