//! Playing below full strength (`UCI_LimitStrength`, `UCI_Elo`).
//!
//! A weak player looks at few positions and misjudges those he sees. So the search gets a number of
//! nodes that grows with the rating and finds its best few moves; each of their scores is blurred by
//! a random error that shrinks as the rating grows, and the move with the best blurred score is
//! played. The errors depend on a seed and the position alone, so that a game can be repeated.

use crate::base::rng::Rng;
use crate::chess::Move;
use crate::search::limits::Limits;
use crate::search::report::Info;

/// A player of limited strength.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Strength {
    /// The rating to play at.
    pub elo: u32,
    /// The seed of the random errors.
    pub seed: u64,
}

impl Strength {
    /// How many moves are considered.
    pub const CANDIDATES: usize = 6;

    /// The nodes that such a player looks at: ten times as many for every 600 points.
    pub fn nodes(self) -> u64 {
        (250.0 * 10f64.powf(self.points() / 600.0)) as u64
    }

    /// The standard deviation of the error in a score, in centipawns: half as much for every 400 points.
    pub fn error(self) -> f64 {
        320.0 * 0.5f64.powf(self.points() / 400.0)
    }

    /// Points above the weakest player.
    fn points(self) -> f64 {
        f64::from(self.elo) - 800.0
    }

    /// Tightens the limits of a search to those of this player.
    pub fn limit(self, limits: &mut Limits<Move>) {
        let nodes = self.nodes();
        limits.nodes = Some(limits.nodes.map_or(nodes, |given| given.min(nodes)));
    }

    /// The index of the line that the player chooses, of lines given best first, in the position with
    /// this key.
    pub fn choose(self, key: u64, lines: &[Info<Move>]) -> usize {
        let mut rng = Rng::new(self.seed ^ key);
        // The sum of twelve even chances has the standard deviation 1.
        let mut error = || self.error() * ((0..12).map(|_| rng.unit()).sum::<f64>() - 6.0);
        let mut best = (0, f64::NEG_INFINITY);
        for (index, line) in lines.iter().enumerate() {
            // Won is won: between two overwhelming scores a weak player sees no difference.
            let score = f64::from(line.score.centipawns().clamp(-1500, 1500)) + error();
            if score > best.1 {
                best = (index, score);
            }
        }
        best.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::search::report::Bound;
    use crate::search::score::Score;
    use std::time::Duration;

    fn lines(scores: &[i32]) -> Vec<Info<Move>> {
        let moves = Position::start().legal_moves();
        let line = |(rank, &score): (usize, &i32)| Info {
            depth: 5,
            seldepth: 5,
            mean_depth: None,
            multipv: rank + 1,
            score: Score(score),
            bound: Bound::Exact,
            nodes: 1,
            elapsed: Duration::ZERO,
            hashfull: 0,
            tbhits: 0,
            pv: vec![moves[rank]],
        };
        scores.iter().enumerate().map(line).collect()
    }

    /// What the choices cost on average, in centipawns.
    fn mean_loss(elo: u32) -> f64 {
        let scores = [40, 20, -10, -60, -150, -400];
        let lines = lines(&scores);
        let loss = |key| scores[0] - scores[Strength { elo, seed: 1 }.choose(key, &lines)];
        f64::from((0..2000).map(loss).sum::<i32>()) / 2000.0
    }

    #[test]
    fn the_stronger_the_player_the_smaller_the_errors() {
        let losses: Vec<f64> = [800, 1300, 1800, 2300, 2800].map(mean_loss).to_vec();
        assert!(losses.windows(2).all(|pair| pair[0] > pair[1]), "{losses:?}");
        assert!(losses[0] > 50.0 && losses[4] < 5.0, "{losses:?}");
        let nodes = |elo| Strength { elo, seed: 0 }.nodes();
        assert!((800..3000).all(|elo| nodes(elo) < nodes(elo + 10)));
    }

    #[test]
    fn a_seed_repeats_its_game() {
        let lines = lines(&[10, 0, -10, -20]);
        let game = |seed| {
            let choice = |key| Strength { elo: 800, seed }.choose(key, &lines);
            (0..100).map(choice).collect::<Vec<_>>()
        };
        assert_eq!(game(7), game(7));
        assert_ne!(game(7), game(8));
    }
}
