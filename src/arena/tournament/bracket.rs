//! The bracket of a knockout: every match up to the final, including matches between players who
//! are not known yet.

use super::rounds;
use super::schedule::{Form, MatchSummary, Results, Schedule};

/// One side of a bracket match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BracketSide {
    Player(usize),
    /// There is no opponent. The other side advances without a game.
    Bye,
    /// The winner of an earlier match that is not decided yet.
    Undecided,
}

impl BracketSide {
    /// Returns the player, if there is one.
    pub const fn player(self) -> Option<usize> {
        match self {
            Self::Player(player) => Some(player),
            Self::Bye | Self::Undecided => None,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BracketMatch {
    pub sides: [BracketSide; 2],
    /// The results of the games so far. `None` for a bye, and until the round is paired, which
    /// requires all results of the previous round.
    pub summary: Option<MatchSummary>,
}

impl BracketMatch {
    /// Returns the side that plays in the next round.
    fn advances(&self) -> BracketSide {
        match self.sides {
            [side, BracketSide::Bye] | [BracketSide::Bye, side] => side,
            _ => {
                let winner = self.summary.as_ref().and_then(MatchSummary::winner);
                winner.map_or(BracketSide::Undecided, BracketSide::Player)
            }
        }
    }
}

/// Returns the rounds of a knockout from the first round to the final, or `None` if the tournament
/// is not a knockout. The winners of matches `2n` and `2n + 1` of a round meet in match `n` of the
/// next round.
pub fn bracket(schedule: &Schedule, results: &Results) -> Option<Vec<Vec<BracketMatch>>> {
    if schedule.form() != Form::Knockout {
        return None;
    }
    let side = |seed: Option<usize>| seed.map_or(BracketSide::Bye, BracketSide::Player);
    let mut line: Vec<_> = rounds::bracket(schedule.players()).into_iter().map(side).collect();
    let mut played = schedule.round_summaries(results).into_iter();
    let mut bracket = Vec::new();
    while line.len() > 1 {
        let mut matches = played.next().map(|round| round.matches).unwrap_or_default();
        let round: Vec<BracketMatch> = line
            .chunks_exact(2)
            .map(|two| {
                let sides = [two[0], two[1]];
                let players = sides.map(BracketSide::player);
                let at = matches.iter().position(|met| met.players.map(Some) == players);
                BracketMatch { sides, summary: at.map(|at| matches.swap_remove(at)) }
            })
            .collect();
        line = round.iter().map(BracketMatch::advances).collect();
        bracket.push(round);
    }
    Some(bracket)
}

#[cfg(test)]
mod tests {
    use super::*;
    use BracketSide::{Bye, Player, Undecided};

    fn sides(schedule: &Schedule, results: &Results) -> Vec<Vec<[BracketSide; 2]>> {
        let rounds = bracket(schedule, results).expect("a knockout");
        rounds.iter().map(|round| round.iter().map(|met| met.sides).collect()).collect()
    }

    #[test]
    fn shows_byes_and_undecided_matches() {
        let mut schedule = Schedule::new(Form::Knockout, 5, 1);
        let mut results = Results::new();
        let first =
            vec![[Player(0), Bye], [Player(3), Player(4)], [Player(1), Bye], [Player(2), Bye]];
        let second = vec![[Player(0), Undecided], [Player(1), Player(2)]];
        let last = vec![[Undecided, Undecided]];
        assert_eq!(sides(&schedule, &results), [first.clone(), second, last.clone()]);
        // Player 4 wins with both colours.
        results.extend([(0, 0), (1, 2)]);
        schedule.extend(&results);
        let second = vec![[Player(0), Player(4)], [Player(1), Player(2)]];
        assert_eq!(sides(&schedule, &results), [first, second, last]);
    }

    #[test]
    fn the_winner_advances_after_the_play_off() {
        let mut schedule = Schedule::new(Form::Knockout, 4, 1);
        // In round 1, games 0 and 1 are between players 0 and 3, and games 2 and 3 between 1 and 2.
        let mut results: Results = [(0, 1), (1, 1), (2, 2), (3, 0)].into();
        schedule.extend(&results);
        assert_eq!(sides(&schedule, &results)[1], [[Undecided, Player(1)]]);
        results.extend([(4, 0), (5, 1)]);
        schedule.extend(&results);
        assert_eq!(sides(&schedule, &results)[1], [[Player(3), Player(1)]]);
        let rounds = bracket(&schedule, &results).expect("a knockout");
        let first = rounds[0][0].summary.as_ref().expect("played");
        assert_eq!(first.half_points, [[2, 2], [1, 3]]);
        assert!(rounds[1][0].summary.as_ref().is_some_and(|final_match| final_match.open));
    }

    #[test]
    fn agrees_with_the_final_order() {
        for players in 2..=17 {
            let mut schedule = Schedule::new(Form::Knockout, players, 1);
            let mut results = Results::new();
            let mut rng = crate::base::rng::Rng::new(players as u64);
            while !schedule.is_complete() {
                let games = results.len()..schedule.games();
                results.extend(games.map(|game| (game, rng.below(3))));
                schedule.extend(&results);
            }
            let rounds = bracket(&schedule, &results).expect("a knockout");
            assert_eq!(rounds.len(), schedule.rounds_in_all());
            let winner = rounds.last().expect("a final")[0].advances();
            let order = schedule.order(&results).expect("finished");
            assert_eq!(winner, Player(order[0]), "{players} players");
        }
        assert_eq!(bracket(&Schedule::new(Form::Ladder(1), 4, 1), &Results::new()), None);
    }
}
