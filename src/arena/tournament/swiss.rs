//! Swiss tournaments: who meets whom in the next round, and the standings with their tie-breaks. Pure
//! functions of the results; players are numbered by seed, the best first.
//!
//! A match won counts 1, a match drawn ½, a bye as a match won. The tie-breaks are those of the FIDE
//! Handbook, C.07 (in force since August 2024): Buchholz, Buchholz without the lowest contribution (cut
//! 1), Sonneborn-Berger, direct encounter. A round with a bye counts in a player's own tie-breaks as
//! played against somebody with the player's own points.

use super::rounds::{History, Met, Round};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// A player's score in a Swiss tournament.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
struct Score {
    match_points: usize,
    /// From games; a bye adds none.
    half_points: usize,
    byes: usize,
}

fn scores(players: usize, history: &History) -> Vec<Score> {
    let mut scores = vec![Score::default(); players];
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

/// The order in which players are paired: by match points (a bye counts as a match won), then by points
/// from games, then by seed. Tie-breaks have no part in it.
fn pairing_order(players: usize, history: &History) -> Vec<usize> {
    let scores = scores(players, history);
    let mut order: Vec<usize> = (0..players).collect();
    order.sort_by_key(|&p| (Reverse((scores[p].match_points, scores[p].half_points)), p));
    order
}

/// A row of the standings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SwissRow {
    /// The player.
    pub player: usize,
    /// From matches, in half points: 2 for a match won or a bye, 1 for a match drawn.
    pub match_points: usize,
    /// The sum of the opponents' match points, in half points.
    pub buchholz: usize,
    /// The same without the lowest.
    pub buchholz_cut: usize,
    /// Each opponent's match points times the result against this opponent, in quarter points.
    pub sonneborn_berger: usize,
    /// The match points, in half points, against those who are level so far; `None` if nobody is, or if
    /// they have not all met.
    pub direct: Option<usize>,
    /// From games, in half points; a bye adds none.
    pub half_points: usize,
}

impl SwissRow {
    /// What ranks players before the direct encounter.
    const fn rank(&self) -> [usize; 4] {
        [self.match_points, self.buchholz, self.buchholz_cut, self.sonneborn_berger]
    }
}

/// The standings of a Swiss tournament: by match points, then Buchholz, Buchholz cut 1,
/// Sonneborn-Berger, direct encounter, points from games, seed.
pub fn standings(players: usize, history: &History) -> Vec<SwissRow> {
    let scores = scores(players, history);
    let row = |player: usize| {
        let own = scores[player].match_points;
        // A round's opponent's points, and this player's result in it.
        let bye = std::iter::repeat_n((own, 2), scores[player].byes);
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

/// Orders players who are level by the direct encounter, if all of them have met, then by points from
/// games, then by seed.
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

/// The next round of a Swiss tournament. Among players with equal points the upper half meets the
/// lower half: the idea of FIDE's Dutch system (C.04.3) without its rules for colours. As long as it is
/// possible, nobody meets twice. If the number of players is odd, the last of those with the fewest
/// byes gets one.
pub fn next_round(players: usize, history: &History) -> Round {
    let scores = scores(players, history);
    let mut order = pairing_order(players, history);
    if order.len() % 2 == 1 {
        let bye = order.iter().rposition(|&p| Some(scores[p].byes) == fewest_byes(&scores));
        order.remove(bye.unwrap_or(order.len() - 1));
    }
    let mut meetings: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for met in history.iter().flatten() {
        let [a, b] = met.players;
        *meetings.entry((a.min(b), a.max(b))).or_default() += 1;
    }
    let pairing = Pairing { scores: &scores, meetings: &meetings };
    // Allow one more rematch each time; a search that takes too many steps has failed.
    let found =
        (0..=order.len()).find_map(|rematches| pairing.pair(&order, rematches, &mut 20_000));
    found.unwrap_or_else(|| order.chunks_exact(2).map(|two| (two[0], two[1])).collect())
}

fn fewest_byes(scores: &[Score]) -> Option<usize> {
    scores.iter().map(|score| score.byes).min()
}

struct Pairing<'a> {
    scores: &'a [Score],
    meetings: &'a BTreeMap<(usize, usize), usize>,
}

impl Pairing<'_> {
    /// Pairs players who are in this order, with at most `rematches` rematches, in at most `steps`
    /// steps, which are counted down.
    fn pair(&self, order: &[usize], rematches: usize, steps: &mut usize) -> Option<Round> {
        let Some((&first, rest)) = order.split_first() else { return Some(Vec::new()) };
        let points = |p: usize| self.scores[p].match_points;
        let equals = rest.iter().take_while(|&&p| points(p) == points(first)).count();
        // In a group of n, counted from `first`, the lower half begins at place n / 2.
        let ideal = equals.div_ceil(2).saturating_sub(1);
        let mut candidates: Vec<usize> = (0..rest.len()).collect();
        candidates.sort_by_key(|&i| (points(first).abs_diff(points(rest[i])), i.abs_diff(ideal)));
        for i in candidates {
            let second = rest[i];
            let met = self.meetings.get(&(first.min(second), first.max(second)));
            let cost = met.copied().unwrap_or(0);
            if cost > rematches {
                continue;
            }
            *steps = steps.checked_sub(1)?;
            let others: Vec<usize> = rest.iter().copied().filter(|&p| p != second).collect();
            if let Some(mut pairs) = self.pair(&others, rematches - cost, steps) {
                pairs.insert(0, (first, second));
                return Some(pairs);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::rounds::tests::play;
    use super::*;
    use crate::base::rng::Rng;
    use std::collections::BTreeSet;

    #[test]
    fn pairs_everybody_once_and_nobody_twice() {
        let mut rng = Rng::new(4);
        for players in 2..=24_usize {
            let mut history: Vec<Vec<Met>> = Vec::new();
            let mut met = BTreeSet::new();
            for number in 0..players.ilog2() {
                let round = next_round(players, &history);
                let all: BTreeSet<usize> = round.iter().flat_map(|&(a, b)| [a, b]).collect();
                assert_eq!(round.len(), players / 2, "{players} players, round {number}");
                assert_eq!(all.len(), players / 2 * 2, "{players} players: {round:?}");
                for &(a, b) in &round {
                    assert!(met.insert((a.min(b), a.max(b))), "{players} players: {a} and {b}");
                }
                history.push(play(&round, |a, b| [Some(a), Some(b), None][rng.below(3)]));
            }
            let byes: Vec<usize> =
                scores(players, &history).iter().map(|score| score.byes).collect();
            assert!(byes.iter().all(|&n| n <= 1), "{byes:?}");
        }
    }

    #[test]
    fn pairs_those_with_equal_points() {
        assert_eq!(
            next_round(8, &[]),
            [(0, 4), (1, 5), (2, 6), (3, 7)],
            "upper half and lower half"
        );
        let seed = |a: usize, b: usize| Some(a.min(b));
        let mut history = vec![play(&next_round(8, &[]), seed)];
        assert_eq!(next_round(8, &history), [(0, 2), (1, 3), (4, 6), (5, 7)]);
        history.push(play(&next_round(8, &history), seed));
        assert_eq!(next_round(8, &history)[0], (0, 1), "the two with all points");
        history.push(play(&next_round(8, &history), seed));
        assert_eq!(pairing_order(8, &history)[..2], [0, 1]);
        assert_eq!(next_round(5, &[]), [(0, 2), (1, 3)], "the last has a bye");
    }

    /// Four players have three rounds; in the fourth they must meet again.
    #[test]
    fn goes_on_when_all_have_met() {
        let mut history: Vec<Vec<Met>> = Vec::new();
        for number in 1..=6 {
            let round = next_round(4, &history);
            assert_eq!(round.len(), 2);
            history.push(play(&round, |_, _| None));
            let met: BTreeSet<(usize, usize)> = history
                .iter()
                .flatten()
                .map(|m| (m.players[0].min(m.players[1]), m.players[0].max(m.players[1])))
                .collect();
            assert_eq!(met.len(), 6.min(2 * number));
        }
        assert_eq!(next_round(2, &history[..0]), [(0, 1)]);
        assert_eq!((next_round(1, &[]), next_round(0, &[])), (vec![], vec![]));
    }

    /// By hand: five players, three rounds, a bye in each.
    #[test]
    fn tie_breaks_by_hand() {
        let met = |a: usize, b: usize, of_a: usize| Met {
            players: [a, b],
            half_points: [of_a, 4 - of_a],
        };
        let history = vec![
            vec![met(0, 2, 3), met(1, 3, 4)],
            vec![met(0, 1, 2), met(4, 2, 1)],
            vec![met(1, 4, 3), met(0, 3, 2)],
        ];
        // Matches: 0: won 2, drew 1, drew 3 = 2; 1: won 3, drew 0, won 4 = 2½; 2: lost 0, won 4, bye = 2;
        // 3: lost 1, bye, drew 0 = 1½; 4: bye, lost 2, lost 1 = 1.
        let rows = standings(5, &history);
        let told: Vec<_> = rows
            .iter()
            .map(|row| {
                (row.player, row.match_points, row.buchholz, row.buchholz_cut, row.sonneborn_berger)
            })
            .collect();
        assert_eq!(
            told,
            [
                (1, 5, 3 + 4 + 2, 3 + 4, 2 * 3 + 4 + 2 * 2),
                (0, 4, 4 + 5 + 3, 4 + 5, 2 * 4 + 5 + 3),
                // A bye is a win against somebody with the player's own points.
                (2, 4, 4 + 2 + 4, 4 + 4, 2 * 2 + 2 * 4),
                (3, 3, 5 + 3 + 4, 5 + 4, 2 * 3 + 4),
                (4, 2, 2 + 4 + 5, 4 + 5, 2 * 2),
            ]
        );
        assert!(rows.iter().all(|row| row.direct.is_none()), "nobody is level");
    }

    #[test]
    fn the_direct_encounter_decides_between_those_who_are_level() {
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
        // 0 and 2 have not met: points from games decide.
        assert_eq!(order(&history), [(0, None), (1, None), (2, None)]);
        history.push(vec![met(2, 0, [3, 1])]);
        assert_eq!(order(&history), [(1, Some(3)), (2, Some(3)), (0, Some(0))]);
    }
}
