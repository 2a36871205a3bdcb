//! Standings and tie-breaks for Swiss tournaments; [`super::dutch`] pairs the rounds. All functions
//! are pure functions of the results. Players are numbered by seed, starting with the top seed.
//!
//! A won match or a bye is worth 1 point, a drawn match ½ point. The tie-breaks follow the FIDE
//! Handbook, C.07 (in force since 1 March 2026): Buchholz, Buchholz Cut 1, Sonneborn-Berger, direct
//! encounter. In the tie-breaks of a player who had a bye, the bye counts as a win against an
//! opponent with as many points as the player, but at most half a point per round (16.4).

use super::rounds::{History, Met};
use std::cmp::Reverse;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
struct SwissScore {
    match_points: usize,
    half_points: usize,
    byes: usize,
}

fn scores(players: usize, history: &History) -> Vec<SwissScore> {
    let mut scores = vec![SwissScore::default(); players];
    for round in history {
        let mut absent = vec![true; players];
        for met in round {
            for (i, &player) in met.players.iter().enumerate() {
                scores[player].match_points += met.match_points()[i];
                scores[player].half_points += met.half_points[i];
                absent[player] = false;
            }
        }
        for (score, _) in scores.iter_mut().zip(&absent).filter(|&(_, &absent)| absent) {
            score.match_points += 2;
            score.byes += 1;
        }
    }
    scores
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SwissRow {
    pub player: usize,
    /// Match points, in half points: 2 for each won match or bye, 1 for each drawn match.
    pub match_points: usize,
    /// The sum of the opponents' match points, in half points.
    pub buchholz: usize,
    /// Buchholz without the lowest opponent (Cut 1).
    pub buchholz_cut: usize,
    /// The Sonneborn-Berger score, in quarter points: the sum of each opponent's match points
    /// multiplied by the player's result against that opponent.
    pub sonneborn_berger: usize,
    /// Match points against the other tied players, in half points. `None` if the player is not
    /// tied or if the tied players have not all played each other.
    pub direct: Option<usize>,
    /// Game points, in half points. A bye adds nothing.
    pub half_points: usize,
}

impl SwissRow {
    /// Returns the ranking criteria that come before the direct encounter.
    const fn rank(&self) -> [usize; 4] {
        [self.match_points, self.buchholz, self.buchholz_cut, self.sonneborn_berger]
    }
}

/// Computes the standings, ordered by match points, Buchholz, Buchholz Cut 1, Sonneborn-Berger,
/// direct encounter, game points and seed.
pub(crate) fn standings(players: usize, history: &History) -> Vec<SwissRow> {
    let scores = scores(players, history);
    let row = |player: usize| {
        let own = scores[player].match_points;
        // For each round, the opponent's match points in the tournament and the player's match
        // points in the round, both in half points. A bye counts as a win against an opponent who
        // has the player's own points, but at most half a point per round.
        let bye = std::iter::repeat_n((own.min(history.len()), 2), scores[player].byes);
        let met = history.iter().flatten().filter_map(|met| {
            let place = met.players.iter().position(|&p| p == player)?;
            Some((scores[met.players[1 - place]].match_points, met.match_points()[place]))
        });
        let rounds: Vec<(usize, usize)> = met.chain(bye).collect();
        let buchholz = rounds.iter().map(|(points, _)| points).sum();
        let lowest = rounds.iter().map(|(points, _)| *points).min().unwrap_or(0);
        SwissRow {
            player,
            match_points: own,
            buchholz,
            buchholz_cut: buchholz - lowest,
            sonneborn_berger: rounds.iter().map(|(points, result)| points * result).sum(),
            direct: None,
            half_points: scores[player].half_points,
        }
    };
    let mut rows: Vec<SwissRow> = (0..players).map(row).collect();
    rows.sort_by_key(|row| (Reverse(row.rank()), row.player));
    for level in rows.chunk_by_mut(|a, b| a.rank() == b.rank()) {
        meet_directly(level, history);
    }
    rows
}

/// Orders tied players by direct encounter if all of them have played each other, then by game
/// points, then by seed.
fn meet_directly(level: &mut [SwissRow], history: &History) {
    let among: Vec<usize> = level.iter().map(|row| row.player).collect();
    let between = |a: usize, b: usize| {
        let all = history.iter().flatten();
        all.filter(move |met| met.players == [a, b] || met.players == [b, a])
    };
    let pairs =
        among.iter().enumerate().flat_map(|(i, &a)| among[..i].iter().map(move |&b| (a, b)));
    let all_met = among.len() > 1 && pairs.clone().all(|(a, b)| between(a, b).next().is_some());
    for row in level.iter_mut().filter(|_| all_met) {
        let met = among.iter().flat_map(|&other| between(row.player, other));
        let points = |met: &Met| met.match_points()[usize::from(met.players[1] == row.player)];
        row.direct = Some(met.map(points).sum());
    }
    level.sort_by_key(|row| (Reverse((row.direct, row.half_points)), row.player));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tournament with five players, three rounds and one bye per round.
    #[test]
    fn matches_tie_breaks_computed_by_hand() {
        let met = |a: usize, b: usize, of_a: usize| Met {
            players: [a, b],
            half_points: [of_a, 4 - of_a],
        };
        let history = vec![
            vec![met(0, 2, 3), met(1, 3, 4)],
            vec![met(0, 1, 2), met(4, 2, 1)],
            vec![met(1, 4, 3), met(0, 3, 2)],
        ];
        // Player 0 beat 2 and drew with 1 and 3: 2 points.
        // Player 1 beat 3 and 4 and drew with 0: 2½ points.
        // Player 2 lost to 0, beat 4 and had a bye: 2 points.
        // Player 3 lost to 1, had a bye and drew with 0: 1½ points.
        // Player 4 had a bye and lost to 2 and 1: 1 point.
        let rows = standings(5, &history);
        let scores: Vec<_> = rows
            .iter()
            .map(|row| {
                (row.player, row.match_points, row.buchholz, row.buchholz_cut, row.sonneborn_berger)
            })
            .collect();
        assert_eq!(
            scores,
            [
                (1, 5, 3 + 4 + 2, 3 + 4, 2 * 3 + 4 + 2 * 2),
                (0, 4, 4 + 5 + 3, 4 + 5, 2 * 4 + 5 + 3),
                // The bye counts as a win against an opponent with 1½ points, which is the maximum.
                (2, 4, 4 + 2 + 3, 4 + 3, 2 * 2 + 2 * 3),
                (3, 3, 5 + 3 + 4, 5 + 4, 2 * 3 + 4),
                (4, 2, 2 + 4 + 5, 4 + 5, 2 * 2),
            ]
        );
        assert!(rows.iter().all(|row| row.direct.is_none()), "no players are tied");
    }

    #[test]
    fn direct_encounter_breaks_ties() {
        let row = |player| SwissRow {
            player,
            match_points: 4,
            buchholz: 8,
            buchholz_cut: 6,
            sonneborn_berger: 10,
            direct: None,
            half_points: 9 - player,
        };
        let met = |a, b, half_points| Met { players: [a, b], half_points };
        let order = |history: &History| {
            let mut level = [row(0), row(1), row(2)];
            meet_directly(&mut level, history);
            level.map(|row| (row.player, row.direct))
        };
        let mut history = vec![vec![met(0, 1, [1, 3])], vec![met(2, 1, [2, 2]), met(0, 5, [4, 0])]];
        // Players 0 and 2 have not met, so game points decide.
        assert_eq!(order(&history), [(0, None), (1, None), (2, None)]);
        history.push(vec![met(2, 0, [3, 1])]);
        assert_eq!(order(&history), [(1, Some(3)), (2, Some(3)), (0, Some(0))]);
    }
}
