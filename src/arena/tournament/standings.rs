//! The standings of a tournament: results, game pairs, engine faults and endings.

use super::schedule::{Pairing, Results};
use crate::arena::game::ending::{EndingKind, GameScore};
use crate::arena::stats::ratings::Ratings;
use crate::arena::stats::{Pairs, Tally};
use std::collections::BTreeMap;

/// The numbers of games that an entrant lost because of faults of its engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Faults {
    /// The number of games lost on time.
    pub time: u64,
    /// The number of games lost because of an illegal move.
    pub illegal: u64,
    /// The number of games lost because of a crash or a protocol violation.
    pub crashes: u64,
    /// The number of games lost because the engine stopped answering.
    pub stalls: u64,
}

/// The current standings of a tournament.
#[derive(Clone, Debug)]
pub struct Standings {
    /// The results of each entrant.
    pub tallies: Vec<Tally>,
    /// The faults of each entrant.
    pub faults: Vec<Faults>,
    /// The results of each entrant (row) against every other entrant (column).
    pub cross: Vec<Vec<Tally>>,
    /// The completed game pairs of each entrant (row) against every other entrant (column).
    pub pairs: Vec<Vec<Pairs>>,
    /// White's half points by game number.
    pub results: Results,
    /// The number of games with each kind of ending.
    pub endings: BTreeMap<EndingKind, u64>,
    /// For each game pair with only one finished game, the half points that the player with the
    /// lower number scored in that game.
    half_pairs: BTreeMap<usize, usize>,
}

impl Standings {
    /// Returns empty standings.
    pub fn new(players: usize) -> Self {
        Self {
            tallies: vec![Tally::default(); players],
            faults: vec![Faults::default(); players],
            cross: vec![vec![Tally::default(); players]; players],
            pairs: vec![vec![Pairs::default(); players]; players],
            results: Results::new(),
            endings: BTreeMap::new(),
            half_pairs: BTreeMap::new(),
        }
    }

    /// Returns the number of games with a result.
    pub fn games(&self) -> u64 {
        self.endings.values().sum()
    }

    /// Computes the ratings of all entrants.
    pub fn ratings(&self) -> Ratings {
        Ratings::new(&self.cross, &self.pairs)
    }

    /// Returns the game pairs of one entrant against all others.
    pub fn pairs_of(&self, player: usize) -> Pairs {
        self.pairs[player].iter().fold(Pairs::default(), |mut all, pairs| {
            all.0.iter_mut().zip(pairs.0).for_each(|(a, b)| *a += b);
            all
        })
    }

    /// Adds the result of a game.
    pub fn add(&mut self, pairing: &Pairing, score: GameScore) {
        let Pairing { white, black, .. } = *pairing;
        let half_points = score.white.min(2);
        self.results.insert(pairing.game, half_points);
        for (player, opponent, half_points) in
            [(white, black, half_points), (black, white, 2 - half_points)]
        {
            self.tallies[player].add(half_points);
            self.cross[player][opponent].add(half_points);
        }
        let (first, second) = (white.min(black), white.max(black));
        let of_first = if first == white { half_points } else { 2 - half_points };
        match self.half_pairs.remove(&pairing.pair()) {
            None => {
                self.half_pairs.insert(pairing.pair(), of_first);
            }
            Some(other) => {
                self.pairs[first][second].add(of_first + other);
                self.pairs[second][first].add(4 - of_first - other);
            }
        }
        if half_points != 1 {
            let loser = &mut self.faults[if half_points == 0 { white } else { black }];
            match score.kind {
                EndingKind::Time => loser.time += 1,
                EndingKind::IllegalMove => loser.illegal += 1,
                EndingKind::Crash => loser.crashes += 1,
                EndingKind::Stall => loser.stalls += 1,
                _ => {}
            }
        }
        *self.endings.entry(score.kind).or_default() += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_completed_pairs_and_faults() {
        let mut standings = Standings::new(2);
        let pairing =
            |game: usize| Pairing { game, opening: game / 2, white: game % 2, black: 1 - game % 2 };
        standings.add(&pairing(1), GameScore { white: 0, kind: EndingKind::Checkmate });
        standings.add(&pairing(2), GameScore { white: 1, kind: EndingKind::Repetition });
        assert_eq!(standings.pairs[0][1], Pairs::default());
        standings.add(&pairing(0), GameScore { white: 2, kind: EndingKind::IllegalMove });
        assert_eq!(standings.pairs[0][1], Pairs([0, 0, 0, 0, 1]));
        assert_eq!(standings.pairs_of(1), Pairs([1, 0, 0, 0, 0]));
        assert_eq!(standings.games(), 3);
        assert_eq!(standings.tallies[0], Tally { wins: 2, draws: 1, losses: 0 });
        assert_eq!(standings.faults[1], Faults { illegal: 1, ..Faults::default() });
        assert_eq!(standings.faults[0], Faults::default());
    }
}
