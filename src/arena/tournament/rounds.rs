//! The pairings of tournaments in which each round follows from earlier results: Swiss, knockout,
//! ladder. Pure functions of the results; players are numbered by seed, the best first.
//!
//! Colours do not matter: players meet for pairs of games, in which each has both colours.

use std::cmp::Reverse;
use std::collections::BTreeMap;

/// A match between two players in a round, and its result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Met {
    /// The two players.
    pub players: [usize; 2],
    /// The half points of each.
    pub half_points: [usize; 2],
}

/// The matches played so far, round by round.
pub type History = [Vec<Met>];

/// The pairs of players of a round.
pub type Round = Vec<(usize, usize)>;

impl Met {
    /// The match points of each player: 2 for a win, 1 for a draw.
    fn match_points(&self) -> [usize; 2] {
        let [a, b] = self.half_points;
        match a.cmp(&b) {
            std::cmp::Ordering::Greater => [2, 0],
            std::cmp::Ordering::Equal => [1, 1],
            std::cmp::Ordering::Less => [0, 2],
        }
    }
}

/// A player's score in a Swiss tournament.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
struct SwissScore {
    match_points: usize,
    /// From games; a bye adds none.
    half_points: usize,
    byes: usize,
}

fn swiss_scores(players: usize, history: &History) -> Vec<SwissScore> {
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

/// The order of a Swiss tournament: by match points (a bye counts as a match won), then by points
/// from games, then by seed.
pub fn swiss_order(players: usize, history: &History) -> Vec<usize> {
    let scores = swiss_scores(players, history);
    let mut order: Vec<usize> = (0..players).collect();
    order.sort_by_key(|&p| (Reverse((scores[p].match_points, scores[p].half_points)), p));
    order
}

/// The next round of a Swiss tournament. Among players with equal points the upper half meets the
/// lower half: the idea of FIDE's Dutch system (C.04.3) without its rules for colours. As long as it is
/// possible, nobody meets twice. If the number of players is odd, the last of those with the fewest
/// byes gets one.
pub fn swiss(players: usize, history: &History) -> Round {
    let scores = swiss_scores(players, history);
    let mut order = swiss_order(players, history);
    if order.len() % 2 == 1 {
        let bye = order.iter().rposition(|&p| Some(scores[p].byes) == fewest_byes(&scores));
        order.remove(bye.unwrap_or(order.len() - 1));
    }
    let mut meetings: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for met in history.iter().flatten() {
        let [a, b] = met.players;
        *meetings.entry((a.min(b), a.max(b))).or_default() += 1;
    }
    let pairing = SwissPairing { scores: &scores, meetings: &meetings };
    // Allow one more rematch each time; a search that takes too many steps has failed.
    let found =
        (0..=order.len()).find_map(|rematches| pairing.pair(&order, rematches, &mut 20_000));
    found.unwrap_or_else(|| order.chunks_exact(2).map(|two| (two[0], two[1])).collect())
}

fn fewest_byes(scores: &[SwissScore]) -> Option<usize> {
    scores.iter().map(|score| score.byes).min()
}

struct SwissPairing<'a> {
    scores: &'a [SwissScore],
    meetings: &'a BTreeMap<(usize, usize), usize>,
}

impl SwissPairing<'_> {
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

/// How often two players who are level in a knockout play on; then the better seed goes through.
const TIE_BREAKS: usize = 3;

/// What comes next in a knockout.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Knockout {
    /// A round of matches.
    Meet(Round),
    /// One more pair of games between players who are level.
    TieBreak(Round),
    /// Nothing: it is over. All players, the winner first, those who went out later before those who
    /// went out earlier.
    Over(Vec<usize>),
}

/// The next round of a knockout. The best two seeds can meet only in the last round, the best four
/// only in the last two, and so on; if the number of players is not a power of two, the best have no
/// opponent in the first round.
pub fn knockout(players: usize, history: &History) -> Knockout {
    let mut rounds = history.iter();
    let mut line = bracket(players);
    let mut out: Vec<usize> = Vec::new();
    while line.len() > 1 {
        let meet: Round = line.chunks_exact(2).filter_map(|two| two[0].zip(two[1])).collect();
        let mut points: BTreeMap<usize, usize> = BTreeMap::new();
        let (mut open, mut played) = (meet, 0);
        while !open.is_empty() && played <= TIE_BREAKS {
            let Some(round) = rounds.next() else {
                return if played == 0 { Knockout::Meet(open) } else { Knockout::TieBreak(open) };
            };
            for met in round {
                for (player, half_points) in met.players.into_iter().zip(met.half_points) {
                    *points.entry(player).or_default() += half_points;
                }
            }
            open.retain(|(a, b)| points.get(a) == points.get(b));
            played += 1;
        }
        let mut losers = Vec::new();
        let through = line.chunks_exact(2).map(|two| match (two[0], two[1]) {
            (Some(a), Some(b)) => {
                let (better, worse) = (a.min(b), a.max(b));
                let upset = points.get(&worse) > points.get(&better);
                losers.push(if upset { better } else { worse });
                Some(if upset { worse } else { better })
            }
            (a, b) => a.or(b),
        });
        line = through.collect();
        losers.sort_unstable_by_key(|&p| Reverse(p));
        out.extend(losers);
    }
    out.extend(line.into_iter().flatten());
    out.reverse();
    Knockout::Over(out)
}

/// The places of a knockout: neighbours meet, then the winners of neighbouring pairs, and so on.
fn bracket(players: usize) -> Vec<Option<usize>> {
    let mut line = vec![0];
    while line.len() < players {
        let size = 2 * line.len();
        // The seeds of the two players add up to the same number in each match.
        line = line.into_iter().flat_map(|seed| [seed, size - 1 - seed]).collect();
    }
    line.into_iter().map(|seed| (seed < players).then_some(seed)).collect()
}

/// The order of a ladder: at first by seed; a player who beats the one on the rung above takes that
/// rung.
pub fn ladder_order(players: usize, history: &History) -> Vec<usize> {
    let mut rungs: Vec<usize> = (0..players).collect();
    for met in history.iter().flatten() {
        let [upper, lower] = met.players;
        let places = [upper, lower].map(|p| rungs.iter().position(|&player| player == p));
        if let [Some(upper), Some(lower)] = places
            && met.half_points[1] > met.half_points[0]
        {
            rungs.swap(upper, lower);
        }
    }
    rungs
}

/// The next round of a ladder: neighbours meet, counted from the first rung and from the second in
/// turns.
pub fn ladder(players: usize, history: &History) -> Round {
    let rungs = ladder_order(players, history);
    let from = if players > 2 { history.len() % 2 } else { 0 };
    rungs.get(from..).unwrap_or_default().chunks_exact(2).map(|two| (two[0], two[1])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::Rng;
    use std::collections::BTreeSet;

    /// A round in which the first of `better` among two wins by 3 to 1, or all is level.
    fn play(
        round: &[(usize, usize)],
        mut better: impl FnMut(usize, usize) -> Option<usize>,
    ) -> Vec<Met> {
        let met = round.iter().map(|&(a, b)| {
            let half_points = match better(a, b) {
                Some(winner) if winner == a => [3, 1],
                Some(_) => [1, 3],
                None => [2, 2],
            };
            Met { players: [a, b], half_points }
        });
        met.collect()
    }

    #[test]
    fn swiss_pairs_everybody_once_and_nobody_twice() {
        let mut rng = Rng::new(4);
        for players in 2..=24_usize {
            let mut history: Vec<Vec<Met>> = Vec::new();
            let mut met = BTreeSet::new();
            for number in 0..players.ilog2() {
                let round = swiss(players, &history);
                let all: BTreeSet<usize> = round.iter().flat_map(|&(a, b)| [a, b]).collect();
                assert_eq!(round.len(), players / 2, "{players} players, round {number}");
                assert_eq!(all.len(), players / 2 * 2, "{players} players: {round:?}");
                for &(a, b) in &round {
                    assert!(met.insert((a.min(b), a.max(b))), "{players} players: {a} and {b}");
                }
                history.push(play(&round, |a, b| [Some(a), Some(b), None][rng.below(3)]));
            }
            let byes: Vec<usize> =
                swiss_scores(players, &history).iter().map(|score| score.byes).collect();
            assert!(byes.iter().all(|&n| n <= 1), "{byes:?}");
        }
    }

    #[test]
    fn swiss_pairs_those_with_equal_points() {
        assert_eq!(swiss(8, &[]), [(0, 4), (1, 5), (2, 6), (3, 7)], "upper half and lower half");
        let seed = |a: usize, b: usize| Some(a.min(b));
        let mut history = vec![play(&swiss(8, &[]), seed)];
        assert_eq!(swiss(8, &history), [(0, 2), (1, 3), (4, 6), (5, 7)]);
        history.push(play(&swiss(8, &history), seed));
        assert_eq!(swiss(8, &history)[0], (0, 1), "the two with all points");
        history.push(play(&swiss(8, &history), seed));
        assert_eq!(swiss_order(8, &history)[..2], [0, 1]);
        assert_eq!(swiss(5, &[]), [(0, 2), (1, 3)], "the last has a bye");
    }

    /// Four players have three rounds; in the fourth they must meet again.
    #[test]
    fn swiss_goes_on_when_all_have_met() {
        let mut history: Vec<Vec<Met>> = Vec::new();
        for number in 1..=6 {
            let round = swiss(4, &history);
            assert_eq!(round.len(), 2);
            history.push(play(&round, |_, _| None));
            let met: BTreeSet<(usize, usize)> = history
                .iter()
                .flatten()
                .map(|m| (m.players[0].min(m.players[1]), m.players[0].max(m.players[1])))
                .collect();
            assert_eq!(met.len(), 6.min(2 * number));
        }
        assert_eq!(swiss(2, &history[..0]), [(0, 1)]);
        assert_eq!((swiss(1, &[]), swiss(0, &[])), (vec![], vec![]));
    }

    #[test]
    fn knockouts_are_won_by_who_wins() {
        for players in 1..=17_usize {
            for best in 0..players {
                let better = |a: usize, b: usize| {
                    Some(if b == best {
                        b
                    } else if a == best {
                        a
                    } else {
                        a.min(b)
                    })
                };
                let mut history: Vec<Vec<Met>> = Vec::new();
                let order = loop {
                    match knockout(players, &history) {
                        Knockout::Meet(round) => history.push(play(&round, better)),
                        Knockout::TieBreak(round) => panic!("{round:?} are not level"),
                        Knockout::Over(order) => break order,
                    }
                };
                assert_eq!(order[0], best);
                assert_eq!(order.iter().collect::<BTreeSet<_>>().len(), players);
                assert_eq!(history.iter().flatten().count(), players - 1);
                assert_eq!(history.len(), players.next_power_of_two().ilog2() as usize);
                if best == 0 {
                    let ranks: Vec<usize> = (0..players).collect();
                    assert_eq!(order, ranks, "the seeds were right");
                }
            }
        }
    }

    #[test]
    fn level_knockouts_are_played_on_and_then_the_seed_decides() {
        assert_eq!(knockout(5, &[]), Knockout::Meet(vec![(3, 4)]));
        let mut history = vec![play(&[(3, 4)], |_, _| None)];
        for _ in 0..TIE_BREAKS {
            assert_eq!(knockout(5, &history), Knockout::TieBreak(vec![(3, 4)]));
            history.push(play(&[(3, 4)], |_, _| None));
        }
        assert_eq!(knockout(5, &history), Knockout::Meet(vec![(0, 3), (1, 2)]));
        history[1] = play(&[(3, 4)], |_, b| Some(b));
        history.truncate(2);
        assert_eq!(knockout(5, &history), Knockout::Meet(vec![(0, 4), (1, 2)]));
        // Only those who are level play on.
        history.push(play(&[(0, 4), (1, 2)], |a, _| (a == 1).then_some(1)));
        assert_eq!(knockout(5, &history), Knockout::TieBreak(vec![(0, 4)]));
    }

    #[test]
    fn ladders_are_climbed() {
        // The last seed beats everybody, the others play level.
        let strong = |a: usize, b: usize| (b == 5).then_some(b).or((a == 5).then_some(a));
        let mut history: Vec<Vec<Met>> = Vec::new();
        assert_eq!(ladder(6, &history), [(0, 1), (2, 3), (4, 5)]);
        for _ in 0..6 {
            let round = ladder(6, &history);
            history.push(play(&round, strong));
        }
        assert_eq!(ladder_order(6, &history), [5, 0, 1, 2, 3, 4]);
        assert_eq!(ladder(6, &history[..1]), [(1, 2), (3, 5)]);
        for n in 0..3 {
            assert_eq!(ladder(2, &vec![vec![]; n]), [(0, 1)]);
        }
        assert_eq!(ladder(1, &[vec![]]), []);
    }
}
