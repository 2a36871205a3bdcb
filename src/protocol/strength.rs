//! Playing below full strength (`UCI_LimitStrength` and `UCI_Elo` at chess, `skill` at draughts).
//!
//! A weak player looks at few positions and misjudges those he sees. So the search gets a number of
//! nodes that grows with the strength and finds its best few moves; each of their scores is blurred by
//! a random error that shrinks as the strength grows, and the move with the best blurred score is
//! played. The errors depend on a seed and the position alone, so that a game can be repeated.

use crate::base::rng::Rng;
use crate::search::limits::Limits;
use crate::search::report::Info;
use std::cmp::Reverse;

/// A player of limited strength.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Strength {
    /// Points above the weakest player; a hundred are worth 1.47 times the nodes and smaller errors.
    points: u32,
    /// The seed of the random errors.
    seed: u64,
}

/// The skill of an engine that plays as well as it can.
pub const FULL_SKILL: u32 = 20;

impl Strength {
    /// The most moves that are considered.
    const MAX_CANDIDATES: usize = 6;
    /// A move more is considered for each of so many hundredths of error: of a player who hardly errs the
    /// best move is better than others by more than that, and to look at others costs depth.
    const ERROR_OF_A_CANDIDATE: f64 = 5.0;

    /// From so many points on a player does not err.
    const SURE: f64 = 1800.0;

    /// The player with this rating, of which 800 is the least: 2000 has 1140 points, and a hundred of rating,
    /// as Stockfish's levels lie apart, are 85 of them.
    pub const fn rated(elo: u32, seed: u64) -> Self {
        Self { points: 120 + elo.saturating_sub(800) * 17 / 20, seed }
    }

    /// The player with this skill, from 0; none if it is [`FULL_SKILL`]. No rating list tells what a step
    /// is worth at draughts: it is a hundred points.
    pub fn skilled(skill: u32, seed: u64) -> Option<Self> {
        (skill < FULL_SKILL).then_some(Self { points: 100 * skill, seed })
    }

    /// The nodes that such a player looks at: ten times as many for every 600 points.
    pub fn nodes(self) -> u64 {
        (250.0 * 10f64.powf(self.points() / 600.0)) as u64
    }

    /// The standard deviation of the error in a score, in centipawns or hundredths of a man. The chapter
    /// `measuring` of the manual has the levels beside those of Stockfish 15.1.
    pub fn error(self) -> f64 {
        320.0 * (1.0 - self.points() / Self::SURE).max(0.0).powf(2.6)
    }

    /// How many moves are considered.
    pub fn candidates(self) -> usize {
        let more = self.error() / Self::ERROR_OF_A_CANDIDATE;
        (1 + more as usize).min(Self::MAX_CANDIDATES)
    }

    fn points(self) -> f64 {
        f64::from(self.points)
    }

    /// Tightens the limits of a search to those of this player.
    pub fn limit<M>(self, limits: &mut Limits<M>) {
        let nodes = self.nodes();
        limits.nodes = Some(limits.nodes.map_or(nodes, |given| given.min(nodes)));
    }

    /// The index of the line that the player chooses, of lines given best first, in the position with
    /// this key.
    pub fn choose<M>(self, key: u64, lines: &[Info<M>]) -> usize {
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

    /// The move that the player chooses in the position with this key, and the answer to be expected. Of
    /// the lines, given best first, so many stay, the chosen one among them.
    pub fn play<M: Copy>(
        self,
        key: u64,
        lines: &mut Vec<Info<M>>,
        shown: usize,
    ) -> (Option<M>, Option<M>) {
        if lines.is_empty() {
            return (None, None);
        }
        let chosen = lines.remove(self.choose(key, lines));
        let moves = (chosen.pv.first().copied(), chosen.pv.get(1).copied());
        lines.truncate(shown.saturating_sub(1));
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
            counted: Score(score),
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
        let loss = |key| scores[0] - scores[Strength::rated(elo, 1).choose(key, &lines)];
        f64::from((0..2000).map(loss).sum::<i32>()) / 2000.0
    }

    #[test]
    fn the_stronger_the_player_the_smaller_the_errors() {
        let losses: Vec<f64> = [800, 1300, 1800, 2100, 2600].map(mean_loss).to_vec();
        assert!(losses.windows(2).all(|pair| pair[0] > pair[1]), "{losses:?}");
        assert!(losses[0] > 50.0 && losses[4] == 0.0, "{losses:?}");
        let candidates = [800, 1300, 3000].map(|elo| Strength::rated(elo, 1).candidates());
        assert_eq!(candidates, [6, 6, 1]);
        let nodes = |elo| Strength::rated(elo, 0).nodes();
        assert!((800..3000).all(|elo| nodes(elo) < nodes(elo + 10)));
    }

    #[test]
    fn skill_ends_where_full_strength_begins() {
        let nodes: Vec<u64> =
            (0..FULL_SKILL).map_while(|n| Some(Strength::skilled(n, 0)?.nodes())).collect();
        assert_eq!((nodes.len(), nodes[0]), (20, 250));
        assert!(nodes.windows(2).all(|two| two[0] < two[1]), "{nodes:?}");
        assert_eq!(Strength::skilled(FULL_SKILL, 0), None);
    }

    #[test]
    fn the_line_that_is_played_is_shown() {
        for seed in 0..50 {
            let mut shown = lines(&[40, 30, 20, 10]);
            let (best, ponder) = Strength::rated(800, seed).play(7, &mut shown, 2);
            assert!(shown.len() == 2 && shown[0].score > shown[1].score, "{shown:?}");
            assert!(ponder.is_none() && shown.iter().any(|line| line.pv.first() == best.as_ref()));
        }
    }

    #[test]
    fn a_seed_repeats_its_game() {
        let lines = lines(&[10, 0, -10, -20]);
        let game = |seed| {
            let choice = |key| Strength::rated(800, seed).choose(key, &lines);
            (0..100).map(choice).collect::<Vec<_>>()
        };
        assert_eq!(game(7), game(7));
        assert_ne!(game(7), game(8));
    }
}
