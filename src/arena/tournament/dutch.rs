//! Pairs the next round of a Swiss tournament by FIDE's Dutch system: FIDE Handbook C.04.3, the
//! edition "applied from 1st February, 2026". Comments cite articles and criteria (C1 to C21) of
//! this edition. All functions are pure functions of the results. Players are numbered by seed,
//! starting with the top seed.
//!
//! The system pairs the score groups from the top down. For each candidate pairing it counts how
//! often each criterion is violated, and compares these counts in the order of the criteria. Among
//! equal candidates, the first in a prescribed order is chosen. In this implementation, the cost of
//! pairing two players is the list of criteria that the pair violates. The best pairing is the
//! cheapest perfect `matching` of all players who are not paired yet. The matching includes lower
//! score groups, so it takes the effects on them into account (\[C4\], \[C8\]).
//!
//! In an engine tournament, each pairing is a match of several games with both colours. For the
//! rules, the match counts as one game with the colours of its first game. If a round has no legal
//! pairing, the Handbook leaves the decision to the arbiter (1.9.3). Here the order of the costs
//! decides: colour rules are broken first, then a second bye is given, and players are paired again
//! only as a last resort. [`breaches`] finds these violations. Tournaments between people also have
//! absent players, requested byes and forfeited games (see [`Outcome`]).

use super::matching::Costs;
use super::rounds::{History, Round};
use crate::base::side::Side;
use std::cmp::Reverse;

/// The points for a win in an engine tournament, in half points.
const WIN: usize = 2;

/// The result of one player in one round. Points are in half points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    Game {
        opponent: usize,
        side: Side,
        points: usize,
    },
    Unplayed {
        points: usize,
        /// True for a forfeited game and for a pairing-allocated bye. False for an absence and for
        /// a requested bye.
        paired: bool,
        /// True if the player must not get a pairing-allocated bye in a later round, because this
        /// round was such a bye or gave the points for a win (\[C2\]).
        bars_bye: bool,
    },
}

/// The state of a tournament before a round is paired.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Situation {
    /// The outcomes, indexed by player and round.
    pub outcomes: Vec<Vec<Outcome>>,
    /// The total number of rounds in the tournament.
    pub rounds: usize,
    /// Players who do not take part in the next round.
    pub absent: Vec<usize>,
    /// Pairs of players who must not be paired, besides players who have already played each other.
    pub forbidden: Vec<[usize; 2]>,
    /// The initial colour: the colour of the top seed in the first round (5.2.5).
    pub initial: Side,
    /// The points for a win, in half points.
    pub win: usize,
    /// The points for a loss, in half points.
    pub loss: usize,
}

/// A violation of a pairing rule, which occurs only if no pairing satisfies all rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Breach {
    MeetAgain(usize, usize),
    Forbidden(usize, usize),
    Colours(usize, usize),
    SecondBye(usize),
}

/// The strength of a colour preference (1.7).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Strength {
    Mild,
    Strong,
    Absolute,
}

/// The direction of a float (1.4).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Float {
    Down,
    Up,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Player {
    number: usize,
    score: usize,
    /// The colour that this player gets against a lower-ranked opponent if neither of them has a
    /// preference.
    initial: Side,
    /// The number of unplayed rounds that bar the player from getting the bye (\[C2\]).
    byes: usize,
    /// The colours in the rounds that were played, from first to last.
    colours: Vec<Side>,
    /// The float in each round, if any.
    floats: Vec<Option<Float>>,
    met: Vec<usize>,
}

impl Player {
    fn unplayed(&self) -> usize {
        self.floats.len() - self.colours.len()
    }

    /// Returns the sort key of the ranking: score, then seed (1.2).
    const fn rank(&self) -> (Reverse<usize>, usize) {
        (Reverse(self.score), self.number)
    }

    /// Returns the number of games with White minus the number of games with Black (1.6).
    fn colour_difference(&self) -> isize {
        self.colours.iter().map(|side| if side.is_white() { 1 } else { -1 }).sum()
    }

    /// Returns the colour of the player's last two games, if both had the same colour.
    fn repeated(&self) -> Option<Side> {
        let &[.., before, last] = &self.colours[..] else { return None };
        (before == last).then_some(last)
    }

    /// Returns the colour preference (1.7).
    fn preference(&self) -> Option<(Strength, Side)> {
        let last = *self.colours.last()?;
        let difference = self.colour_difference();
        let balance = if difference > 0 { Side::Black } else { Side::White };
        Some(match (difference.abs(), self.repeated()) {
            (2.., _) => (Strength::Absolute, balance),
            (_, Some(repeated)) => (Strength::Absolute, !repeated),
            (1, None) => (Strength::Strong, balance),
            (_, None) => (Strength::Mild, !last),
        })
    }

    /// Returns whether the player floated in this direction `rounds_ago` rounds ago.
    fn floated(&self, rounds_ago: usize, float: Float) -> bool {
        self.floats.iter().nth_back(rounds_ago - 1) == Some(&Some(float))
    }
}

fn players(situation: &Situation) -> Vec<Player> {
    let Situation { outcomes, absent, forbidden, initial, loss, .. } = situation;
    let mut number_in_pairing = 0;
    let player = |(number, rounds): (usize, &Vec<Outcome>)| {
        let takes_part =
            |outcome: &Outcome| !matches!(outcome, Outcome::Unplayed { paired: false, .. });
        // Pairing numbers count only players who take part in this pairing or took part in an
        // earlier one.
        let initial = if number_in_pairing % 2 == 0 { *initial } else { !*initial };
        let enters = !absent.contains(&number) || rounds.iter().any(takes_part);
        number_in_pairing += usize::from(enters);
        let mut met = vec![0; outcomes.len()];
        for pair in forbidden {
            if let Some(place) = pair.iter().position(|&p| p == number) {
                met[pair[1 - place]] += 1;
            }
        }
        let (colours, floats) = (Vec::new(), Vec::new());
        Player { number, score: 0, initial, byes: 0, colours, floats, met }
    };
    let mut players: Vec<Player> = outcomes.iter().enumerate().map(player).collect();
    for round in 0..outcomes.iter().map(Vec::len).max().unwrap_or(0) {
        let before: Vec<usize> = players.iter().map(|player| player.score).collect();
        for player in &mut players {
            let absent = Outcome::Unplayed { points: 0, paired: false, bars_bye: false };
            let float = match outcomes[player.number].get(round).copied().unwrap_or(absent) {
                Outcome::Game { opponent, side, points } => {
                    player.score += points;
                    player.colours.push(side);
                    player.met[opponent] += 1;
                    match before[player.number].cmp(&before[opponent]) {
                        std::cmp::Ordering::Greater => Some(Float::Down),
                        std::cmp::Ordering::Less => Some(Float::Up),
                        std::cmp::Ordering::Equal => None,
                    }
                }
                Outcome::Unplayed { points, bars_bye, .. } => {
                    player.score += points;
                    player.byes += usize::from(bars_bye);
                    (points > *loss).then_some(Float::Down)
                }
            };
            player.floats.push(float);
        }
    }
    players
}

/// Pairs the next round of a tournament with `number` players and `rounds` rounds. Returns the
/// pairs in board order, each starting with the player who has White in the first game. Players in
/// `met` have already been paired in this round and are not paired again. If the number of
/// remaining players is odd, one of them gets a bye and is not in any pair.
pub(crate) fn next_round(number: usize, rounds: usize, history: &History, met: &[usize]) -> Round {
    pair_next(&situation(number, rounds, history, met))
}

fn situation(number: usize, rounds: usize, history: &History, met: &[usize]) -> Situation {
    let bye = Outcome::Unplayed { points: WIN, paired: true, bars_bye: true };
    let mut outcomes = vec![vec![bye; history.len()]; number];
    for (n, met) in
        history.iter().enumerate().flat_map(|(n, round)| round.iter().map(move |met| (n, met)))
    {
        for (place, side) in [Side::White, Side::Black].into_iter().enumerate() {
            let (opponent, points) = (met.players[1 - place], met.match_points()[place]);
            outcomes[met.players[place]][n] = Outcome::Game { opponent, side, points };
        }
    }
    let (absent, forbidden) = (met.to_vec(), Vec::new());
    Situation { outcomes, rounds, absent, forbidden, initial: Side::White, win: WIN, loss: 0 }
}

/// Pairs the next round of a tournament in any state. Returns the pairs as [`next_round`] does.
pub(crate) fn pair_next(situation: &Situation) -> Round {
    let mut players = players(situation);
    players.retain(|player| !situation.absent.contains(&player.number));
    pair(players, situation.topscore())
}

/// Returns the rule violations in a round. [`pair_next`] violates rules only if no pairing
/// satisfies all of them.
pub(crate) fn breaches(situation: &Situation, round: &Round) -> Vec<Breach> {
    let players = players(situation);
    let mut breaches = Vec::new();
    for &(a, b) in round {
        let is_their_game = |outcome: &Outcome| match outcome {
            Outcome::Game { opponent, .. } => *opponent == b,
            Outcome::Unplayed { .. } => false,
        };
        if situation.outcomes[a].iter().any(is_their_game) {
            breaches.push(Breach::MeetAgain(a, b));
        } else if players[a].met[b] > 0 {
            breaches.push(Breach::Forbidden(a, b));
        }
        if colours_clash(&players[a], &players[b], situation.topscore()) {
            breaches.push(Breach::Colours(a, b));
        }
    }
    let paired = |n: usize| round.iter().any(|&(a, b)| a == n || b == n);
    let has_bye = |n: &usize| !situation.absent.contains(n) && !paired(*n);
    let second = (0..players.len()).filter(has_bye).filter(|&n| players[n].byes > 0);
    breaches.extend(second.map(Breach::SecondBye));
    breaches
}

impl Situation {
    /// Returns the maximum score before the last round, in half points, or `None` before other
    /// rounds. A topscorer has more than half of this score (1.8).
    fn topscore(&self) -> Option<usize> {
        let played = self.outcomes.iter().map(Vec::len).max().unwrap_or(0);
        (self.rounds == played + 1).then_some(self.win * played)
    }
}

fn pair(mut players: Vec<Player>, topscore: Option<usize>) -> Round {
    players.sort_unstable_by_key(Player::rank);
    let mut groups: Vec<&[Player]> = players.chunk_by(|a, b| a.score == b.score).collect();
    groups.reverse();
    let mut round: Vec<(&Player, &Player)> = Vec::new();
    let mut moved_down: Vec<&Player> = Vec::new();
    while let Some(residents) = groups.pop() {
        let next = groups.last().map_or(0, |group| group.len());
        let lower: Vec<&Player> = groups.iter().rev().copied().flatten().collect();
        let bracket = Bracket::new(&moved_down, residents, &lower, next, topscore);
        let pairs = bracket.pairs();
        let paired = |player: &&Player| pairs.iter().any(|(a, b)| a == player || b == player);
        moved_down.extend(residents);
        moved_down.retain(|player| !paired(player));
        round.extend(pairs);
    }
    round.sort_by_key(|(a, b)| (Reverse(a.score), Reverse(b.score), a.number));
    round.into_iter().map(|(a, b)| colours(a, b)).map(|[a, b]| (a.number, b.number)).collect()
}

/// Assigns colours to two players and returns the player with White first (5.2). `higher` is the
/// higher-ranked player.
fn colours<'a>(higher: &'a Player, lower: &'a Player) -> [&'a Player; 2] {
    let wish = [higher, lower].map(Player::preference);
    let width = |player: &Player| player.colour_difference().abs();
    let of_higher = match wish {
        [Some((_, a)), None] => a,
        [None, Some((_, b))] => !b,
        [None, None] => higher.initial,
        [Some((_, a)), Some((_, b))] if a != b => a,
        [Some((s, a)), Some((t, _))] if s != t => {
            if s > t {
                a
            } else {
                !a
            }
        }
        [Some((Strength::Absolute, a)), _] if width(higher) != width(lower) => {
            if width(higher) > width(lower) { a } else { !a }
        }
        [Some((_, a)), _] => {
            let mut rounds = higher.colours.iter().rev().zip(lower.colours.iter().rev());
            rounds.find(|(a, b)| a != b).map_or(a, |(had, _)| !*had)
        }
    };
    if of_higher.is_white() { [higher, lower] } else { [lower, higher] }
}

/// Returns whether two players may not meet because both have an absolute preference for the same
/// colour (\[C3\]). Topscorers are exempt in the last round (1.8).
fn colours_clash(a: &Player, b: &Player, topscore: Option<usize>) -> bool {
    let absolute = |player: &Player| {
        player.preference().filter(|(strength, _)| *strength == Strength::Absolute)
    };
    let exempt = topscore.is_some_and(|most| 2 * a.score.max(b.score) > most);
    absolute(a).is_some() && absolute(a) == absolute(b) && !exempt
}

/// Counts the violations of \[C10\] to \[C13\] if two players are paired. Returns the numbers of
/// players who would have a colour difference above two, the same colour three times in a row, a
/// colour against their preference, and a colour against a strong preference, in this order.
fn colour_failures(a: &Player, b: &Player) -> [u64; 4] {
    let mut failures = [0; 4];
    for (player, side) in colours(a, b).into_iter().zip([Side::White, Side::Black]) {
        let change = if side.is_white() { 1 } else { -1 };
        let preference = player.preference().filter(|(_, wish)| *wish != side);
        let failed = [
            (player.colour_difference() + change).abs() > 2,
            player.repeated() == Some(side),
            preference.is_some(),
            preference.is_some_and(|(strength, _)| strength == Strength::Strong),
        ];
        failures.iter_mut().zip(failed).for_each(|(count, failed)| *count += u64::from(failed));
    }
    failures
}

/// The role of a player when a bracket is paired (1.3, 1.4.1, 3.2.4).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum SeatKind {
    /// A player who was moved down into this bracket but will not be paired in it.
    Limbo,
    MovedDown,
    Resident,
    Next,
    Lower,
    /// A placeholder for an opponent. The player paired with it gets the bye.
    Bye,
}

#[derive(Clone, Copy, Debug)]
struct Seat<'a> {
    kind: SeatKind,
    player: Option<&'a Player>,
}

impl Seat<'_> {
    fn score(&self) -> usize {
        self.player.map_or(0, |player| player.score)
    }

    fn floated(&self, rounds_ago: usize, float: Float) -> bool {
        self.player.is_some_and(|player| player.floated(rounds_ago, float))
    }
}

/// A bracket, together with all players below it.
struct Bracket<'a> {
    /// The seats in the order of their numbers in the bracket (4.1).
    seats: Vec<Seat<'a>>,
    scores: Vec<usize>,
    /// The result of [`Situation::topscore`].
    topscore: Option<usize>,
    /// The result of [`Self::gives_the_bye`]. If true, \[C9\] determines the downfloater.
    bye_is_here: bool,
}

impl<'a> Bracket<'a> {
    /// Creates a bracket. The first `next` players in `lower` are the next score group.
    fn new(
        moved_down: &[&'a Player],
        residents: &'a [Player],
        lower: &[&'a Player],
        next: usize,
        topscore: Option<usize>,
    ) -> Self {
        let seat = |kind| move |player| Seat { kind, player: Some(player) };
        let mut seats: Vec<Seat<'a>> =
            moved_down.iter().copied().map(seat(SeatKind::MovedDown)).collect();
        seats.extend(residents.iter().map(seat(SeatKind::Resident)));
        let mut scores: Vec<usize> = seats.iter().map(Seat::score).collect();
        scores.dedup();
        seats.extend(lower[..next].iter().copied().map(seat(SeatKind::Next)));
        seats.extend(lower[next..].iter().copied().map(seat(SeatKind::Lower)));
        if !seats.len().is_multiple_of(2) {
            seats.push(Seat { kind: SeatKind::Bye, player: None });
        }
        let mut bracket = Self { seats, scores, topscore, bye_is_here: false };
        bracket.bye_is_here = bracket.gives_the_bye();
        bracket
    }

    /// Returns whether this bracket's only downfloater gets the bye. If all players have missed the
    /// same number of games, returns false, because \[C9\] then does not distinguish between them.
    fn gives_the_bye(&self) -> bool {
        let Some(Seat { kind: SeatKind::Bye, .. }) = self.seats.last() else { return false };
        let mut missed = self.seats.iter().filter_map(|seat| seat.player.map(Player::unplayed));
        let first = missed.next();
        if missed.all(|games| Some(games) == first) {
            return false;
        }
        let mates = self.cheapest(&[], |_, _, _| {});
        let here = |i: usize| self.seats[i].kind <= SeatKind::Resident;
        let floats = |&(i, &mate): &(usize, &usize)| here(i) && !here(mate);
        let downfloaters: Vec<usize> =
            mates.iter().enumerate().filter(floats).map(|(_, &mate)| mate).collect();
        downfloaters == [self.seats.len() - 1]
    }

    /// Returns the pairs of this bracket, each with the higher-ranked player first.
    fn pairs(mut self) -> Vec<(&'a Player, &'a Player)> {
        let moved_down = self.seats.iter().filter(|seat| seat.kind == SeatKind::MovedDown).count();
        // First decide which of the players who were moved down are paired (4.4), then choose their
        // opponents (4.2).
        let bounds = [vec![1; moved_down], vec![self.seats.len() as u64; moved_down]].concat();
        let mates = self.cheapest(&bounds, |a, b, list| {
            let paired = self.in_bracket(a, b);
            list.extend((0..moved_down).map(|i| u64::from(a == i && !paired)));
            list.extend((0..moved_down).map(|i| if a == i && paired { b as u64 } else { 0 }));
        });
        let (mut pairs, mut rest, mut among_residents) = (Vec::new(), Vec::new(), 0);
        for (a, &b) in mates.iter().enumerate() {
            let from_above = a.min(b) < moved_down;
            let paired = self.in_bracket(a.min(b), a.max(b));
            if paired && from_above {
                let both = self.seats[a].player.zip(self.seats[b].player);
                pairs.extend(both.filter(|_| a < b));
            } else {
                let kind = if from_above && a < b { SeatKind::Limbo } else { self.seats[a].kind };
                rest.push(Seat { kind, ..self.seats[a] });
                among_residents += usize::from(paired && a < b);
            }
        }
        self.seats = rest;
        pairs.extend(self.remainder(among_residents));
        pairs
    }

    /// Pairs the remaining residents (3.6, 4.2, 4.3). `pairs` is the number of pairs among them.
    fn remainder(&self, pairs: usize) -> Vec<(&'a Player, &'a Player)> {
        let first = self.seats.iter().position(|seat| seat.kind == SeatKind::Resident);
        let residents = self.seats.iter().filter(|seat| seat.kind == SeatKind::Resident).count();
        let Some(first) = first.filter(|_| pairs > 0) else { return Vec::new() };
        // The residents are numbered by their place in the bracket (4.1). In each pair, the player
        // with the lower number belongs to the upper half. Ideally, the upper half consists of the
        // first `pairs` residents. Otherwise, these criteria apply, in this order:
        // - exchange as few players between the halves as possible,
        // - minimise the sum of the differences between the exchanged numbers,
        // - move the highest possible numbers out of the upper half,
        // - move the lowest possible numbers into the upper half,
        // - give each player of the upper half, from first to last, the lowest possible opponent.
        let size = residents as u64;
        let flags = vec![1; residents];
        let bounds = [vec![size, size * size], flags, vec![size; residents]].concat();
        let mates = self.cheapest(&bounds, |a, b, list| {
            let paired = self.in_bracket(a, b);
            let upper = a.wrapping_sub(first);
            let is_upper = |i: usize| paired && upper == i;
            list.push(u64::from(paired && upper >= pairs));
            list.push(if paired { upper as u64 } else { 0 });
            list.extend((0..pairs).rev().map(|i| u64::from(is_upper(i))));
            let here = |i: usize| first + i == a || first + i == b;
            list.extend((pairs..residents).map(|i| u64::from(here(i) && !is_upper(i))));
            list.extend((0..residents).map(|i| if is_upper(i) { (b - first) as u64 } else { 0 }));
        });
        let pairs = mates.iter().enumerate().filter(|&(a, &b)| a < b && self.in_bracket(a, b));
        pairs.filter_map(|(a, &b)| self.seats[a].player.zip(self.seats[b].player)).collect()
    }

    /// Returns whether a pair of two seats belongs to this bracket. `a` must be less than `b`.
    fn in_bracket(&self, a: usize, b: usize) -> bool {
        self.seats[b].kind == SeatKind::Resident && self.seats[a].kind != SeatKind::Limbo
    }

    /// Pairs the seats at minimum cost and returns the partner of each seat. The cost consists of
    /// the criteria, followed by penalties that decide between equal pairings. `order` appends
    /// these penalties, and `bounds` contains an upper bound for each of them.
    fn cheapest(
        &self,
        bounds: &[u64],
        mut order: impl FnMut(usize, usize, &mut Vec<u64>),
    ) -> Vec<usize> {
        let all = self.seats.len() as u64;
        let players = self.seats.iter().filter_map(|seat| seat.player);
        let rounds = players.clone().map(|player| player.floats.len()).max().unwrap_or(0) as u64;
        let most = players.map(|player| player.score).max().unwrap_or(0) as u64;
        let scores = vec![all; self.scores.len()];
        let criteria = [
            // Pairs within this bracket that are not allowed, then C1, C2, C3, C5 and C6.
            vec![all, all * (rounds + 1), rounds, all, most, all],
            // C7, then the two parts of C8.
            scores.clone(),
            vec![all],
            scores.clone(),
            // C9, then C10 to C17.
            vec![rounds],
            vec![all; 8],
            // C18 to C21.
            scores.repeat(4),
        ]
        .concat();
        let bounds = [&criteria, bounds].concat();
        let costs = Costs::new(self.seats.len(), &bounds, |a, b, list| {
            self.failures(a, b, list);
            order(a, b, list);
        });
        costs.cheapest()
    }

    /// Appends the criteria violations of a pair of seats to `list`, in the order of the criteria.
    fn failures(&self, a: usize, b: usize, list: &mut Vec<u64>) {
        let in_bracket = self.in_bracket(a, b);
        let [a, b] = [a, b].map(|i| self.seats[i]);
        list.push(u64::from(b.kind <= SeatKind::Resident && !in_bracket));
        list.extend(match (a.player, b.player) {
            (Some(p), Some(q)) => {
                [p.met[q.number] as u64, 0, u64::from(colours_clash(p, q, self.topscore)), 0]
            }
            (Some(p), None) => [0, p.byes as u64, 0, p.score as u64],
            (None, _) => [0; 4],
        });
        // Count the downfloaters from this bracket and from the next bracket.
        let from_here = [a, b].map(|seat| seat.kind <= SeatKind::Resident && !in_bracket);
        let in_next = in_bracket || b.kind == SeatKind::Next;
        let from_next = [a, b].map(|seat| seat.kind <= SeatKind::Next && !in_next);
        let count = |who: [bool; 2]| who.into_iter().map(u64::from).sum::<u64>();
        let by_score = |who: [bool; 2], list: &mut Vec<u64>| {
            let scores = [a, b].map(|seat| seat.score());
            list.extend(
                self.scores
                    .iter()
                    .map(|score| count([0, 1].map(|i| who[i] && scores[i] == *score))),
            );
        };
        list.push(count(from_here));
        by_score(from_here, list);
        list.push(count(from_next));
        by_score(from_next, list);
        list.push(match (a.player, b.player) {
            (Some(p), None) if self.bye_is_here => p.unplayed() as u64,
            _ => 0,
        });
        let both = a.player.zip(b.player).filter(|_| in_bracket);
        list.extend(both.map_or([0; 4], |(p, q)| colour_failures(p, q)));
        let moved_down = in_bracket && a.kind == SeatKind::MovedDown;
        let floats = |rounds_ago| {
            let downs = [a, b].map(|seat| seat.floated(rounds_ago, Float::Down));
            let up = moved_down && b.floated(rounds_ago, Float::Up);
            (downs, up)
        };
        let residents = [a, b].map(|seat| seat.kind == SeatKind::Resident);
        for (downs, up) in [1, 2].map(floats) {
            list.push(count([0, 1].map(|i| from_here[i] && residents[i] && downs[i])));
            list.push(u64::from(up));
        }
        for (downs, up) in [1, 2].map(floats) {
            by_score([0, 1].map(|i| from_here[i] && !residents[i] && downs[i]), list);
            by_score([up, false], list);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::rounds::Met;
    use super::super::rounds::tests::play;
    use super::*;
    use crate::base::rng::Rng;
    use std::collections::{BTreeMap, BTreeSet};

    type Pairs = BTreeMap<[usize; 2], usize>;

    fn meetings(history: &History) -> Pairs {
        let mut meetings = Pairs::new();
        for met in history.iter().flatten() {
            let [a, b] = met.players;
            *meetings.entry([a.min(b), a.max(b)]).or_default() += 1;
        }
        meetings
    }

    #[test]
    fn players_have_new_opponents_and_alternating_colours() {
        let mut rng = Rng::new(4);
        for number in 2..=24_usize {
            let mut history: Vec<Vec<Met>> = Vec::new();
            let rounds = number.ilog2() as usize;
            for n in 0..rounds {
                let round = next_round(number, rounds, &history, &[]);
                let all: BTreeSet<usize> = round.iter().flat_map(|&(a, b)| [a, b]).collect();
                assert_eq!(round.len(), number / 2, "{number} players, round {n}");
                assert_eq!(all.len(), number / 2 * 2, "{number} players: {round:?}");
                history.push(play(&round, |a, b| [Some(a), Some(b), None][rng.below(3)]));
            }
            assert!(meetings(&history).values().all(|&n| n == 1), "{history:?}");
            for player in players(&situation(number, rounds, &history, &[])) {
                assert!(player.byes <= 1, "{player:?}");
                assert!(player.colour_difference().abs() <= 2, "{player:?}");
                assert!(player.colours.windows(3).all(|w| w[0] != w[1] || w[1] != w[2]));
            }
        }
    }

    #[test]
    fn pairs_players_with_equal_points() {
        // The upper half plays the lower half and has Black on every second board.
        assert_eq!(next_round(8, 3, &[], &[]), [(0, 4), (5, 1), (2, 6), (7, 3)]);
        let seed = |a: usize, b: usize| Some(a.min(b));
        let mut history = vec![play(&next_round(8, 3, &[], &[]), seed)];
        assert_eq!(next_round(8, 3, &history, &[]), [(3, 0), (1, 2), (4, 7), (6, 5)]);
        history.push(play(&next_round(8, 3, &history, &[]), seed));
        assert_eq!(next_round(8, 3, &history, &[])[0], (0, 1), "the two leaders");
        assert_eq!(next_round(5, 3, &[], &[]), [(0, 2), (3, 1)], "the last has a bye");
    }

    /// With four players, every pair has played once after three rounds. From the fourth round on
    /// pairs are repeated, and after nine rounds every pair has played three times.
    #[test]
    fn pairs_players_again_when_all_have_met() {
        for (number, rounds) in [(2, 5), (3, 9), (4, 9), (5, 15), (7, 14)] {
            let mut history: Vec<Vec<Met>> = Vec::new();
            let mut rng = Rng::new(number as u64);
            for n in 1..=rounds {
                let round = next_round(number, rounds, &history, &[]);
                assert_eq!(round.len(), number / 2);
                history.push(play(&round, |a, b| [Some(a), Some(b), None][rng.below(3)]));
                let met = meetings(&history);
                let games: usize = met.values().sum();
                assert_eq!(games, n * (number / 2));
            }
            let times: BTreeSet<usize> = meetings(&history).into_values().collect();
            assert_eq!(times.len(), 1, "{number} players: {history:?}");
        }
        assert!([0, 1].iter().all(|&number| next_round(number, 3, &[], &[]).is_empty()));
    }

    /// Player 3, who has 3½ points, floats down past two score groups. bbpPairings 6.0.0 pairs this
    /// round in the same way.
    #[test]
    fn matches_bbp_pairings_when_a_player_floats_twice() {
        let rounds = [
            [(0, 6, 2), (2, 8, 2), (4, 10, 0), (7, 1, 0), (9, 3, 0), (11, 5, 0)],
            [(1, 5, 1), (3, 0, 2), (6, 9, 2), (8, 4, 0), (10, 2, 0), (11, 7, 1)],
            [(0, 1, 1), (2, 3, 1), (4, 6, 1), (5, 10, 1), (7, 8, 0), (9, 11, 1)],
            [(1, 2, 0), (3, 5, 0), (4, 0, 0), (6, 10, 0), (8, 11, 2), (9, 7, 2)],
            [(0, 8, 1), (1, 9, 1), (5, 2, 1), (7, 6, 0), (10, 3, 1), (11, 4, 1)],
            [(2, 0, 2), (3, 1, 1), (4, 7, 2), (6, 11, 2), (8, 5, 0), (10, 9, 1)],
        ];
        let history = rounds.map(|round| {
            let met = |(a, b, of_a)| Met { players: [a, b], half_points: [of_a, 2 - of_a] };
            round.map(met).to_vec()
        });
        let pairs = [(2, 6), (5, 4), (0, 10), (7, 3), (11, 1), (9, 8)];
        let round = next_round(12, 8, &history, &[]);
        assert_eq!(round.iter().collect::<BTreeSet<_>>(), pairs.iter().collect());
    }
}
