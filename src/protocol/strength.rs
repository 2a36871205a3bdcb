//! Playing below full strength (`UCI_LimitStrength` and `UCI_Elo` in chess, `skill` in draughts).
//!
//! A weak player considers few positions and misjudges them. The search therefore gets a node
//! limit, which grows with the strength, and finds the best few moves. A random error, which
//! shrinks as the strength grows, is added to the score of each move. The move with the best
//! resulting score is played. The errors depend only on a seed and the position, so that a game can
//! be reproduced.

use crate::base::rng::Rng;
use crate::search::limits::Limits;
use crate::search::report::Info;
use std::cmp::Reverse;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Strength {
    /// The strength, in points above the weakest player. Each additional 100 points multiply the
    /// node limit by 1.47 and make the errors smaller.
    points: u32,
    seed: u64,
}

/// The value of `skill` that means full strength.
pub(crate) const FULL_SKILL: u32 = 20;

impl Strength {
    const MAX_CANDIDATES: usize = 6;
    /// The [error](Self::error) that adds one candidate move, in hundredths of a pawn or man.
    /// Players with small errors get few candidates: the best move usually leads by more than the
    /// error, and searching more moves costs depth.
    const ERROR_PER_CANDIDATE: f64 = 10.0;

    /// The number of points at which a player no longer makes errors.
    const ERRORLESS: f64 = 1800.0;

    /// Ratings and their points, from matches against Stockfish 15.1 at the same rating (see the
    /// chapter `measuring` of the manual). Between them, the points are interpolated.
    const RATED: [(u32, u32); 5] =
        [(800, 120), (1400, 705), (1700, 1000), (2000, 1140), (3000, 1990)];

    /// Creates a player with this Elo rating. Ratings outside the range of [`Self::RATED`] count as
    /// the nearest in it.
    pub(crate) fn rated(elo: u32, seed: u64) -> Self {
        let above = Self::RATED.iter().position(|&(rating, _)| elo < rating);
        let above = above.unwrap_or(Self::RATED.len() - 1).max(1);
        let [(low, least), (high, most)] = [Self::RATED[above - 1], Self::RATED[above]];
        let part = elo.clamp(low, high) - low;
        Self { points: least + part * (most - least) / (high - low), seed }
    }

    /// Creates a player with this skill, or returns `None` from [`FULL_SKILL`] on. Each step is 100
    /// points. The steps are not calibrated, because draughts engines have no rating list.
    pub(crate) fn skilled(skill: u32, seed: u64) -> Option<Self> {
        (skill < FULL_SKILL).then_some(Self { points: 100 * skill, seed })
    }

    /// Returns the node limit, which grows tenfold with every 600 points.
    pub(crate) fn nodes(self) -> u64 {
        (250.0 * 10f64.powf(self.points() / 600.0)) as u64
    }

    /// Returns the standard deviation of the error in a score, in hundredths of a pawn or man.
    pub(crate) fn error(self) -> f64 {
        320.0 * (1.0 - self.points() / Self::ERRORLESS).max(0.0).powf(2.6)
    }

    /// Returns the number of lines to search in the position that `key` identifies: `shown` lines,
    /// or more if a player of limited strength chooses among more.
    pub(crate) fn lines(strength: Option<Self>, key: u64, shown: usize) -> usize {
        strength.map_or(shown, |strength| strength.candidates(key).max(shown))
    }

    /// Returns the number of candidate moves in the position that `key` identifies. The number is
    /// rounded up or down at random: 2.3 becomes 3 in 30% of the positions. The playing strength
    /// therefore changes without jumps.
    fn candidates(self, key: u64) -> usize {
        let more = self.error() / Self::ERROR_PER_CANDIDATE;
        let rounding = Rng::new(!(self.seed ^ key)).unit();
        (1 + (more + rounding) as usize).min(Self::MAX_CANDIDATES)
    }

    fn points(self) -> f64 {
        f64::from(self.points)
    }

    pub(crate) fn limit<M>(self, limits: &mut Limits<M>) {
        let nodes = self.nodes();
        limits.nodes = Some(limits.nodes.map_or(nodes, |given| given.min(nodes)));
    }

    /// Returns the index of the chosen line. `lines` are sorted best first, and `key` identifies
    /// the position.
    pub(crate) fn choose<M>(self, key: u64, lines: &[Info<M>]) -> usize {
        let mut rng = Rng::new(self.seed ^ key);
        // The sum of twelve uniform random numbers has standard deviation 1.
        let mut error = || self.error() * ((0..12).map(|_| rng.unit()).sum::<f64>() - 6.0);
        let mut best = (0, f64::NEG_INFINITY);
        for (index, line) in lines.iter().enumerate() {
            // Weak players do not distinguish between overwhelming scores.
            let score = f64::from(line.score.centipawns().clamp(-1500, 1500)) + error();
            if score > best.1 {
                best = (index, score);
            }
        }
        best.0
    }

    /// Returns the chosen move and its expected reply. Truncates `lines` to the chosen line and the
    /// best other lines, `count` in total.
    pub(crate) fn play<M: Copy>(
        self,
        key: u64,
        lines: &mut Vec<Info<M>>,
        count: usize,
    ) -> (Option<M>, Option<M>) {
        if lines.is_empty() {
            return (None, None);
        }
        let chosen = lines.remove(self.choose(key, lines));
        let moves = (chosen.pv.first().copied(), chosen.pv.get(1).copied());
        lines.truncate(count.saturating_sub(1));
        lines.push(chosen);
        lines.sort_by_key(|line| Reverse(line.score));
        moves
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Move, Position};
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
            internal_score: Score(score),
            bound: Bound::Exact,
            nodes: 1,
            elapsed: Duration::ZERO,
            hashfull: 0,
            tbhits: 0,
            pv: vec![moves[rank]],
        };
        scores.iter().enumerate().map(line).collect()
    }

    /// Returns the mean loss of the chosen moves compared with the best move, in centipawns.
    fn mean_loss(elo: u32) -> f64 {
        let scores = [40, 20, -10, -60, -150, -400];
        let lines = lines(&scores);
        let loss = |key| scores[0] - scores[Strength::rated(elo, 1).choose(key, &lines)];
        f64::from((0..2000).map(loss).sum::<i32>()) / 2000.0
    }

    #[test]
    fn stronger_players_make_smaller_errors() {
        let losses: Vec<f64> = [800, 1300, 1800, 2100, 2600].map(mean_loss).to_vec();
        assert!(losses.windows(2).all(|pair| pair[0] > pair[1]), "{losses:?}");
        assert!(losses[0] > 50.0 && losses[4] == 0.0, "{losses:?}");
        let mean_candidates = |elo| {
            let candidates = (0..1000).map(|key| Strength::rated(elo, 1).candidates(key));
            candidates.sum::<usize>() as f64 / 1000.0
        };
        assert_eq!([800, 1300, 3000].map(mean_candidates), [6.0, 6.0, 1.0]);
        let means: Vec<_> = (1900..2800).step_by(100).map(mean_candidates).collect();
        assert!(means.windows(2).all(|pair| pair[0] > pair[1]), "{means:?}");
        let nodes = |elo| Strength::rated(elo, 0).nodes();
        assert!((800..3000).all(|elo| nodes(elo) < nodes(elo + 10)));
    }

    #[test]
    fn full_skill_is_unlimited() {
        let nodes: Vec<u64> =
            (0..FULL_SKILL).map_while(|n| Some(Strength::skilled(n, 0)?.nodes())).collect();
        assert_eq!((nodes.len(), nodes[0]), (20, 250));
        assert!(nodes.windows(2).all(|two| two[0] < two[1]), "{nodes:?}");
        assert_eq!(Strength::skilled(FULL_SKILL, 0), None);
    }

    #[test]
    fn shows_the_chosen_line() {
        for seed in 0..50 {
            let mut shown = lines(&[40, 30, 20, 10]);
            let (best, ponder) = Strength::rated(800, seed).play(7, &mut shown, 2);
            assert!(shown.len() == 2 && shown[0].score > shown[1].score, "{shown:?}");
            assert!(ponder.is_none() && shown.iter().any(|line| line.pv.first() == best.as_ref()));
        }
    }

    #[test]
    fn equal_seeds_make_equal_choices() {
        let lines = lines(&[10, 0, -10, -20]);
        let game = |seed| {
            let choice = |key| Strength::rated(800, seed).choose(key, &lines);
            (0..100).map(choice).collect::<Vec<_>>()
        };
        assert_eq!(game(7), game(7));
        assert_ne!(game(7), game(8));
    }
}
