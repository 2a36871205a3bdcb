//! Pairings for knockouts and ladders, in which each round depends on earlier results. All
//! functions are pure functions of the results. Players are numbered by seed, starting with the top
//! seed.
//!
//! Pairings do not depend on colours, because players play game pairs, in which each player has
//! both colours.

use std::cmp::Reverse;
use std::collections::BTreeMap;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Met {
    pub players: [usize; 2],
    pub half_points: [usize; 2],
}

pub(super) type History = [Vec<Met>];

pub(super) type Round = Vec<(usize, usize)>;

impl Met {
    /// Returns the match points of each player: 2 for a win, 1 for a draw.
    pub(crate) fn match_points(&self) -> [usize; 2] {
        let [a, b] = self.half_points;
        match a.cmp(&b) {
            std::cmp::Ordering::Greater => [2, 0],
            std::cmp::Ordering::Equal => [1, 1],
            std::cmp::Ordering::Less => [0, 2],
        }
    }
}

/// The maximum number of play-off game pairs in a knockout match. If the players are still tied
/// after these games, the higher seed advances.
pub(super) const TIE_BREAKS: usize = 3;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Knockout {
    Meet(Round),
    TieBreak(Round),
    /// The knockout has ended. The players are in ranking order: the winner, the losing finalist,
    /// and so on, down to the players eliminated in the first round.
    Over(Vec<usize>),
}

/// Returns the next stage of a knockout. The top two seeds can play each other only in the final,
/// the top four not before the semi-finals, and so on. If the number of players is not a power of
/// two, the top seeds get a bye in the first round.
pub(super) fn knockout(players: usize, history: &History) -> Knockout {
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

/// Returns the seeds in bracket order, with `None` for a bye. In the first round each seed plays
/// its neighbour in the list, then the winners of neighbouring pairs play each other, and so on.
pub(super) fn bracket(players: usize) -> Vec<Option<usize>> {
    let mut line = vec![0];
    while line.len() < players {
        let size = 2 * line.len();
        // If the better seeds always win, the seeds of the two opponents have the same sum in every
        // match of a round.
        line = line.into_iter().flat_map(|seed| [seed, size - 1 - seed]).collect();
    }
    line.into_iter().map(|seed| (seed < players).then_some(seed)).collect()
}

/// Returns the players on a ladder, from the top rung down. Players start in seed order. Two
/// players swap rungs if the lower player beats the upper player.
pub(super) fn ladder_order(players: usize, history: &History) -> Vec<usize> {
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

/// Returns the next round of a ladder. Players on neighbouring rungs are paired, starting
/// alternately from the first and from the second rung.
pub(super) fn ladder(players: usize, history: &History) -> Round {
    let rungs = ladder_order(players, history);
    let from = if players > 2 { history.len() % 2 } else { 0 };
    rungs.get(from..).unwrap_or_default().chunks_exact(2).map(|two| (two[0], two[1])).collect()
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Plays a round in which the player returned by `better` wins by 3 half points to 1. If
    /// `better` returns `None`, the match is drawn.
    pub fn play(
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
    fn the_best_player_wins_a_knockout() {
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
                    assert_eq!(order, ranks, "results follow the seeds");
                }
            }
        }
    }

    #[test]
    fn tied_knockout_matches_are_played_off_before_the_seed_decides() {
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
        history.push(play(&[(0, 4), (1, 2)], |a, _| (a == 1).then_some(1)));
        assert_eq!(knockout(5, &history), Knockout::TieBreak(vec![(0, 4)]));
    }

    #[test]
    fn winners_climb_the_ladder() {
        // The last seed beats everyone; all other matches are drawn.
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
