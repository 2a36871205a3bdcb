//! Analysis of draughts games.

use super::Analysed;
use crate::draughts::Position;
use crate::search::depth::Ply;
use crate::search::draughts::{DraughtsSearcher, Root};
use crate::search::score::Score;

/// How many hundredths of a man make the odds of winning e times better, about as in the engine's own
/// games (`adoube train` fits it to each set of games).
const E_TIMES: f64 = 140.0;

impl Analysed for Position {
    type Searcher = DraughtsSearcher;

    fn root(&self, history: &[u64]) -> Root {
        Root { history: history.to_vec(), ..Root::new(*self) }
    }

    fn expected(&self, score: Score) -> f64 {
        1.0 / (1.0 + (-f64::from(score.centipawns()) / E_TIMES).exp())
    }

    /// A player who cannot move has lost (7.2).
    fn score_at_end(&self) -> Score {
        Score::loss_in(Ply::ROOT)
    }
}
