//! The schedule of a tournament: the pairings and their order.
//!
//! A schedule is a list of rounds. Each round is paired once the earlier results are known. The
//! number of a game determines its pairing, and apart from the paired rounds the schedule has no
//! state. Games can therefore be played in any order, by several workers or machines. Games 2k and
//! 2k+1 form a pair, with the same players and opening but swapped colours.

use super::dutch;
use super::paired_rounds::PairedRounds;
use super::rounds::{self, Knockout, Met};
use super::swiss::{self, SwissRow};
use crate::base::shard::Shard;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;

/// A single game to play. Players are numbered in the order in which they were entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pairing {
    /// The game number, from 0.
    pub game: usize,
    /// The opening number, from 0.
    pub opening: usize,
    /// The player with White.
    pub white: usize,
    /// The player with Black.
    pub black: usize,
}

impl Pairing {
    /// Returns the number of the game pair.
    pub const fn pair(&self) -> usize {
        self.game / 2
    }
}

/// The format of a tournament. Players are seeded in the order in which they were entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Form {
    /// Every player plays every other player.
    #[default]
    RoundRobin,
    /// The first player plays every other player.
    Gauntlet,
    /// A Swiss tournament with this number of rounds.
    Swiss(usize),
    /// A player who loses a match is eliminated.
    Knockout,
    /// A ladder with this number of rounds. Players on neighbouring rungs are paired, and the
    /// winner takes the upper rung.
    Ladder(usize),
}

/// The location of a game in its tournament; all numbers start at 1. Play-off games continue the
/// numbering of their board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RoundTag {
    pub round: usize,
    pub board: usize,
    pub game: usize,
}

impl fmt::Display for RoundTag {
    /// Formats the location as a multipart `Round` tag (PGN Standard 8.1.1.4), such as `3.2.1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.round, self.board, self.game)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RoundSummary {
    pub number: usize,
    pub matches: Vec<MatchSummary>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchSummary {
    pub players: [usize; 2],
    /// The half points of both players, first in the match itself, then in each play-off.
    pub half_points: Vec<[usize; 2]>,
    pub open: bool,
}

impl MatchSummary {
    /// Returns the player who advances in a knockout. After a tie, this is the higher seed. Returns
    /// `None` while games are missing or a play-off is possible.
    pub fn winner(&self) -> Option<usize> {
        let [a, b] = self.players;
        let points = |i: usize| self.half_points.iter().map(|met| met[i]).sum::<usize>();
        match points(0).cmp(&points(1)) {
            _ if self.open => None,
            Ordering::Greater => Some(a),
            Ordering::Less => Some(b),
            Ordering::Equal if self.half_points.len() > rounds::TIE_BREAKS => Some(a.min(b)),
            Ordering::Equal => None,
        }
    }
}

/// White's half points (0, 1 or 2) by game number.
pub type Results = BTreeMap<usize, usize>;

/// The games of a tournament, up to the last round that can be paired from the current results.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    form: Form,
    players: usize,
    pairs_each: usize,
    repeats: usize,
    /// The maximum number of games, always even.
    max_games: usize,
    shard: Shard,
    /// The players (White, Black) of the first game in each pair. Contains only pairs with a played
    /// game.
    played_pairs: BTreeMap<usize, (usize, usize)>,
    /// The cache of Swiss rounds, shared with clones of this schedule.
    paired_rounds: PairedRounds,
    rounds: Vec<Round>,
    complete: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Round {
    number: usize,
    play_off: bool,
    encounters: rounds::Round,
    pairs_each: usize,
    first_game: usize,
    first_opening: usize,
}

impl Round {
    const fn games(&self) -> usize {
        2 * self.pairs_each * self.encounters.len()
    }

    /// Returns both players' half points in an encounter so far, and whether any of its games has
    /// no result yet.
    fn so_far(&self, encounter: usize, results: &Results) -> ([usize; 2], bool) {
        let (mut half_points, mut open) = ([0, 0], false);
        for n in (0..self.games()).filter(|n| n / 2 % self.encounters.len() == encounter) {
            match results.get(&(self.first_game + n)) {
                Some(white) => {
                    half_points[n % 2] += white;
                    half_points[1 - n % 2] += 2 - white;
                }
                None => open = true,
            }
        }
        (half_points, open)
    }

    /// Returns the results of all encounters in the round, or `None` while any game is missing.
    fn encounter_results(&self, results: &Results) -> Option<Vec<Met>> {
        let met = |(encounter, &(a, b))| {
            let (half_points, open) = self.so_far(encounter, results);
            (!open).then_some(Met { players: [a, b], half_points })
        };
        self.encounters.iter().enumerate().map(met).collect()
    }
}

impl Schedule {
    /// Creates the schedule of a tournament with `pairs_each` game pairs per encounter. In each
    /// round, the k-th game pairs of all encounters have the same opening.
    pub fn new(form: Form, players: usize, pairs_each: usize) -> Self {
        let mut schedule = Self {
            form,
            players,
            pairs_each,
            repeats: 1,
            max_games: usize::MAX - 1,
            shard: Shard::WHOLE,
            played_pairs: BTreeMap::new(),
            paired_rounds: PairedRounds::default(),
            rounds: Vec::new(),
            complete: players < 2,
        };
        schedule.extend(&Results::new());
        schedule
    }

    /// Sets the number of successive game pairs in an encounter that share an opening. 0 counts
    /// as 1.
    #[must_use]
    pub fn repeat(mut self, pairs: usize) -> Self {
        self.repeats = pairs.max(1);
        self
    }

    /// Sets the maximum number of games, rounded up to an even number.
    #[must_use]
    pub fn at_most(mut self, games: usize) -> Self {
        self.max_games = games.min(usize::MAX - 1).next_multiple_of(2);
        self
    }

    /// Adopts the pairings of games that were already played in a Swiss tournament, because an
    /// earlier version may have used other pairing rules. The remaining pairings in each round
    /// follow the current rules. `played` contains the number, the white player and the black
    /// player of each game.
    #[doc(hidden)]
    pub fn take_over(&mut self, played: impl IntoIterator<Item = (usize, usize, usize)>) {
        let valid = played
            .into_iter()
            .filter(|&(_, white, black)| white != black && white.max(black) < self.players);
        let pairs = valid.map(|(game, white, black)| {
            (game / 2, if game % 2 == 0 { (white, black) } else { (black, white) })
        });
        self.played_pairs = pairs.collect();
        self.paired_rounds = PairedRounds::default();
        self.rounds.clear();
        self.complete = self.players < 2;
        self.extend(&Results::new());
    }

    /// Returns a Swiss round: the pairings of the played games, completed by the pairing rules.
    fn swiss_round(&self, rounds: usize, history: &[Vec<Met>]) -> rounds::Round {
        let (boards, first) = (self.players / 2, self.games() / 2);
        let mut fixed: Vec<Option<(usize, usize)>> = vec![None; boards];
        for (pair, &players) in self.played_pairs.range(first..first + self.pairs_each * boards) {
            fixed[(pair - first) % boards] = Some(players);
        }
        let mut met: Vec<usize> = fixed.iter().flatten().flat_map(|&(a, b)| [a, b]).collect();
        met.sort_unstable();
        if met.windows(2).any(|two| two[0] == two[1]) {
            // A player occurs twice in this round, so the games do not belong to this tournament.
            (fixed, met) = (vec![None; boards], Vec::new());
        }
        let mut drawn = dutch::next_round(self.players, rounds, history, &met).into_iter();
        fixed.into_iter().filter_map(|pair| pair.or_else(|| drawn.next())).collect()
    }

    /// Restricts the schedule to a shard of the game pairs. Returns `None` if the tournament format
    /// cannot be sharded, because later rounds depend on all earlier results. [`Shard::WHOLE`] is
    /// always accepted.
    #[doc(hidden)]
    pub fn restrict_to(mut self, shard: Shard) -> Option<Self> {
        let apart = matches!(self.form, Form::RoundRobin | Form::Gauntlet);
        self.shard = shard;
        (apart || shard == Shard::WHOLE).then_some(self)
    }

    /// Returns whether the schedule is restricted to a shard.
    #[doc(hidden)]
    pub fn is_shard(&self) -> bool {
        self.shard != Shard::WHOLE
    }

    /// Returns whether the game belongs to the shard of this schedule.
    #[doc(hidden)]
    pub const fn contains(&self, pairing: &Pairing) -> bool {
        self.shard.contains(pairing.pair())
    }

    /// Returns the number of games in the rounds paired so far.
    pub fn games(&self) -> usize {
        let drawn_up = self.rounds.last().map_or(0, |round| round.first_game + round.games());
        drawn_up.min(self.max_games)
    }

    /// Returns the total number of games to play, assuming no further play-offs in a knockout. If
    /// the schedule is restricted to a shard, only the games of the shard count.
    pub fn games_in_all(&self) -> usize {
        let encounters = match self.form {
            Form::RoundRobin | Form::Gauntlet => return 2 * self.shard.count(self.games() / 2),
            Form::Swiss(rounds) => rounds * (self.players / 2),
            Form::Knockout => {
                let rounds = self.rounds.iter().filter(|round| !round.play_off);
                let met: usize = rounds.map(|round| round.encounters.len()).sum();
                let to_come = self.players.saturating_sub(1).saturating_sub(met);
                return (self.games() + 2 * self.pairs_each * to_come).min(self.max_games);
            }
            Form::Ladder(rounds) => {
                let later = (self.players - usize::from(self.players > 2)) / 2;
                rounds.div_ceil(2) * (self.players / 2) + rounds / 2 * later
            }
        };
        (2 * self.pairs_each * encounters).min(self.max_games).max(self.games())
    }

    /// Returns whether no more games will be added. If rounds depend on results, this is known only
    /// after the last game, unless the maximum number of games has been reached.
    pub fn is_complete(&self) -> bool {
        self.complete || self.games() == self.max_games
    }

    /// Returns a game by number, if its round has been paired.
    pub fn game(&self, game: usize) -> Option<Pairing> {
        let after = self.rounds.partition_point(|round| round.first_game <= game);
        let round = self.rounds.get(after.checked_sub(1)?)?;
        let n = game - round.first_game;
        if n >= round.games() || game >= self.max_games {
            return None;
        }
        let pair = n / 2;
        let (a, b) = round.encounters[pair % round.encounters.len()];
        let (white, black) = if n.is_multiple_of(2) { (a, b) } else { (b, a) };
        let opening = round.first_opening + pair / round.encounters.len() / self.repeats;
        Some(Pairing { game, opening, white, black })
    }

    fn history(&self, results: &Results) -> Option<Vec<Vec<Met>>> {
        // Start with the last round, because it is usually the only incomplete round.
        let mut history: Vec<Vec<Met>> = self
            .rounds
            .iter()
            .rev()
            .map(|round| round.encounter_results(results))
            .collect::<Option<_>>()?;
        history.reverse();
        Some(history)
    }

    /// Adds all rounds that can be paired from the results so far.
    pub fn extend(&mut self, results: &Results) {
        while !self.complete
            && let Some(history) = self.history(results)
        {
            let (players, number) = (self.players, history.len());
            let all = |firsts: std::ops::Range<usize>| -> rounds::Round {
                firsts.flat_map(|a| (a + 1..players).map(move |b| (a, b))).collect()
            };
            let (mut pairs_each, mut play_off) = (self.pairs_each, false);
            let next = match self.form {
                Form::RoundRobin => (number == 0).then(|| all(0..players)),
                Form::Gauntlet => (number == 0).then(|| all(0..1)),
                Form::Swiss(rounds) => {
                    let pair = || self.swiss_round(rounds, &history);
                    (number < rounds).then(|| self.paired_rounds.round(&history, pair))
                }
                Form::Ladder(rounds) => {
                    (number < rounds).then(|| rounds::ladder(players, &history))
                }
                Form::Knockout => match rounds::knockout(players, &history) {
                    Knockout::Meet(round) => Some(round),
                    Knockout::TieBreak(round) => {
                        (pairs_each, play_off) = (1, true);
                        Some(round)
                    }
                    Knockout::Over(_) => None,
                },
            };
            let first_game = self.games();
            let first_opening = self
                .rounds
                .last()
                .map_or(0, |round| round.first_opening + round.pairs_each.div_ceil(self.repeats));
            match next.filter(|encounters| !encounters.is_empty() && pairs_each > 0) {
                Some(_) if first_game == self.max_games => return,
                Some(encounters) => {
                    let before = self.rounds.last().map_or(0, |round| round.number);
                    self.rounds.push(Round {
                        number: before + usize::from(!play_off),
                        play_off,
                        encounters,
                        pairs_each,
                        first_game,
                        first_opening,
                    });
                    self.complete = matches!(self.form, Form::RoundRobin | Form::Gauntlet);
                }
                None => self.complete = true,
            }
        }
    }

    /// Returns the format of the tournament.
    pub const fn form(&self) -> Form {
        self.form
    }

    pub(crate) const fn players(&self) -> usize {
        self.players
    }

    /// Returns the total number of rounds, or 1 if all games are known in advance.
    pub const fn rounds_in_all(&self) -> usize {
        match self.form {
            Form::RoundRobin | Form::Gauntlet => 1,
            Form::Swiss(rounds) | Form::Ladder(rounds) => rounds,
            Form::Knockout => self.players.next_power_of_two().ilog2() as usize,
        }
    }

    /// Returns the location of a game, if its round has been paired.
    #[doc(hidden)]
    pub fn round_tag(&self, game: usize) -> Option<RoundTag> {
        let Pairing { white, black, .. } = self.game(game)?;
        let players = [(white, black), (black, white)];
        let at = self.rounds.partition_point(|round| round.first_game <= game) - 1;
        let number = self.rounds[at].number;
        let rounds = || self.rounds.iter().filter(|round| round.number == number);
        let main = rounds().next()?;
        let board = main.encounters.iter().position(|pair| players.contains(pair))?;
        let first = rounds().map(|round| round.first_game).next()?;
        let games = (first..=game).filter_map(|n| self.game(n));
        let on_board = games.filter(|g| players.contains(&(g.white, g.black))).count();
        Some(RoundTag { round: number, board: board + 1, game: on_board })
    }

    /// Returns the rounds paired so far, with their results.
    #[doc(hidden)]
    pub fn round_summaries(&self, results: &Results) -> Vec<RoundSummary> {
        let mut summaries: Vec<RoundSummary> = Vec::new();
        for round in &self.rounds {
            if !round.play_off {
                let matches = round.encounters.iter().map(|&(a, b)| MatchSummary {
                    players: [a, b],
                    half_points: Vec::new(),
                    open: false,
                });
                summaries.push(RoundSummary { number: round.number, matches: matches.collect() });
            }
            let Some(RoundSummary { matches, .. }) = summaries.last_mut() else { continue };
            for (n, &(a, b)) in round.encounters.iter().enumerate() {
                let Some(summary) = matches.iter_mut().find(|m| m.players == [a, b]) else {
                    continue;
                };
                let (half_points, open) = round.so_far(n, results);
                summary.half_points.push(half_points);
                summary.open |= open;
            }
        }
        summaries
    }

    /// Returns the standings of a Swiss tournament after its completed rounds, or `None` for other
    /// formats.
    #[doc(hidden)]
    pub fn swiss(&self, results: &Results) -> Option<Vec<SwissRow>> {
        let over: Vec<Vec<Met>> =
            self.rounds.iter().map_while(|round| round.encounter_results(results)).collect();
        matches!(self.form, Form::Swiss(_)).then(|| swiss::standings(self.players, &over))
    }

    /// Returns the final order of the players. Returns `None` while games are missing, and for
    /// round robins and gauntlets, which are ordered by score alone.
    pub fn order(&self, results: &Results) -> Option<Vec<usize>> {
        let history = self.history(results).filter(|_| self.complete)?;
        match self.form {
            Form::RoundRobin | Form::Gauntlet => None,
            Form::Swiss(_) => Some(
                swiss::standings(self.players, &history).iter().map(|row| row.player).collect(),
            ),
            Form::Ladder(_) => Some(rounds::ladder_order(self.players, &history)),
            Form::Knockout => match rounds::knockout(self.players, &history) {
                Knockout::Over(order) => Some(order),
                _ => None,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::Rng;

    #[test]
    fn game_pairs_share_an_opening_and_swap_colours() {
        let schedule = Schedule::new(Form::RoundRobin, 3, 2);
        assert_eq!(schedule.games(), 12);
        let games: Vec<Pairing> = (0..).map_while(|n| schedule.game(n)).collect();
        assert_eq!(games.len(), 12);
        for pair in games.chunks(2) {
            assert_eq!((pair[0].white, pair[0].black), (pair[1].black, pair[1].white));
            assert_eq!((pair[0].opening, pair[0].pair()), (pair[1].opening, pair[1].pair()));
        }
        for a in 0..3 {
            for b in (0..3).filter(|&b| b != a) {
                let met = games.iter().filter(|g| (g.white, g.black) == (a, b));
                assert_eq!(met.map(|g| g.opening).collect::<Vec<_>>(), [0, 1], "{a} against {b}");
            }
        }
    }

    #[test]
    fn the_first_player_plays_every_game_of_a_gauntlet() {
        let schedule = Schedule::new(Form::Gauntlet, 4, 1);
        let games: Vec<Pairing> = (0..).map_while(|n| schedule.game(n)).collect();
        assert_eq!(games.len(), 6);
        assert!(games.iter().all(|g| (g.white == 0) != (g.black == 0)));
        assert_eq!(Schedule::new(Form::Gauntlet, 0, 5).game(0), None);
    }

    /// Plays all games and returns them with their results. The player with the lower number always
    /// wins.
    fn play(schedule: &mut Schedule) -> (Vec<Pairing>, Results) {
        let (mut games, mut results) = (Vec::new(), Results::new());
        loop {
            let drawn_up = schedule.games();
            for n in games.len()..drawn_up {
                let game = schedule.game(n).expect("paired");
                assert_eq!(game.game, n);
                results.insert(n, if game.white < game.black { 2 } else { 0 });
                games.push(game);
                schedule.extend(&results);
                assert!(schedule.games() == drawn_up || n + 1 == drawn_up, "a round too early");
            }
            if schedule.games() == drawn_up {
                assert!(schedule.is_complete() && schedule.game(drawn_up).is_none());
                return (games, results);
            }
        }
    }

    #[test]
    fn pairs_rounds_from_results() {
        for (form, players, games) in [
            (Form::Swiss(3), 6, 3 * 3 * 4),
            (Form::Swiss(4), 7, 4 * 3 * 4),
            (Form::Knockout, 5, 4 * 4),
            (Form::Knockout, 8, 7 * 4),
            (Form::Ladder(3), 6, (3 + 2 + 3) * 4),
            (Form::Ladder(2), 5, (2 + 2) * 4),
            (Form::Ladder(3), 2, 3 * 4),
            (Form::RoundRobin, 4, 6 * 4),
        ] {
            let mut schedule = Schedule::new(form, players, 2);
            assert_eq!(schedule.games_in_all(), games, "{form:?} of {players}");
            let (played, results) = play(&mut schedule);
            assert_eq!(played.len(), games, "{form:?} of {players}");
            assert_eq!(schedule.games_in_all(), games);
            for pair in played.chunks(2) {
                assert_eq!((pair[0].white, pair[0].black), (pair[1].black, pair[1].white));
                assert_eq!(pair[0].opening, pair[1].opening);
            }
            for (n, game) in played.iter().enumerate() {
                let same = |g: &&Pairing| {
                    (g.white, g.black, g.opening) == (game.white, game.black, game.opening)
                };
                assert_eq!(played[..n].iter().filter(same).count(), 0, "{game:?}");
            }
            let order = schedule.order(&results);
            assert_eq!(order.is_none(), form == Form::RoundRobin);
            assert!(order.is_none_or(|order| order[0] == 0));
            // The order in which results arrive does not affect the schedule.
            let mut again = Schedule::new(form, players, 2);
            again.extend(&results);
            assert_eq!(again, schedule);
        }
    }

    #[test]
    fn shards_cover_every_pair_once() {
        for (form, players) in [(Form::RoundRobin, 4), (Form::Gauntlet, 3), (Form::RoundRobin, 2)] {
            let whole = Schedule::new(form, players, 5);
            for of in [1, 2, 3, 7, 40] {
                let first: Shard = format!("1/{of}").parse().expect("a shard");
                let mut games = 0;
                let mut pairs = Vec::new();
                for shard in first.all() {
                    let part =
                        whole.clone().restrict_to(shard).expect("rounds do not depend on results");
                    let mine: Vec<Pairing> =
                        (0..).map_while(|n| part.game(n)).filter(|g| part.contains(g)).collect();
                    assert_eq!(mine.len(), part.games_in_all());
                    games += mine.len();
                    for pair in mine.chunks(2) {
                        assert_eq!(pair[0].pair(), pair[1].pair());
                        pairs.push(pair[0].pair());
                    }
                }
                pairs.sort_unstable();
                assert_eq!((games, pairs), (whole.games(), (0..whole.games() / 2).collect()));
            }
        }
        let shard = "1/2".parse().expect("a shard");
        for form in [Form::Swiss(2), Form::Ladder(2), Form::Knockout] {
            assert!(Schedule::new(form, 4, 1).restrict_to(shard).is_none());
            assert!(Schedule::new(form, 4, 1).restrict_to(Shard::WHOLE).is_some());
        }
    }

    #[test]
    fn games_can_be_bounded_and_openings_repeated() {
        let schedule = Schedule::new(Form::RoundRobin, 3, 5).repeat(2).at_most(21);
        let games: Vec<Pairing> = (0..).map_while(|n| schedule.game(n)).collect();
        assert_eq!((games.len(), schedule.games_in_all(), schedule.is_complete()), (22, 22, true));
        let met = games.iter().filter(|g| (g.white, g.black) == (0, 1)).map(|g| g.opening);
        assert_eq!(met.collect::<Vec<_>>(), [0, 0, 1, 1]);
        // The limit is reached in the middle of a round.
        let mut schedule = Schedule::new(Form::Swiss(3), 4, 3).repeat(2).at_most(18);
        assert_eq!((schedule.games(), schedule.is_complete()), (12, false));
        let mut results: Results = (0..12).map(|n| (n, 1)).collect();
        schedule.extend(&results);
        assert_eq!((schedule.games(), schedule.is_complete()), (18, true));
        let openings = (0..18).filter_map(|n| schedule.game(n)).map(|g| g.opening);
        assert_eq!(
            openings.collect::<Vec<_>>(),
            [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2]
        );
        results.extend((12..18).map(|n| (n, 2)));
        schedule.extend(&results);
        assert_eq!((schedule.game(18), schedule.order(&results)), (None, None));
    }

    /// Tests that pairings already played are kept, even if they do not follow the current rules.
    #[test]
    fn played_games_determine_the_pairings() {
        let fresh = Schedule::new(Form::Swiss(3), 6, 1);
        assert_eq!(fresh.game(0).map(|g| (g.white, g.black)), Some((0, 3)));
        let mut schedule = fresh.clone();
        schedule.take_over([(2, 0, 1), (3, 1, 0), (5, 4, 5)]);
        let met = |schedule: &Schedule, round: usize| -> Vec<(usize, usize)> {
            let games = (0..3).map_while(|board| schedule.game(6 * round + 2 * board));
            games.map(|game| (game.white, game.black)).collect()
        };
        assert_eq!(met(&schedule, 0), [(2, 3), (0, 1), (5, 4)], "the other players are paired");
        let results: Results = (0..6).map(|n| (n, 2 - n % 2 * 2)).collect();
        schedule.extend(&results);
        assert_eq!((schedule.games(), met(&schedule, 1).len()), (12, 3));
        // Played games are ignored if a player has two opponents in a round, plays both sides of a
        // game, or does not exist.
        for wrong in [[(0, 0, 1), (2, 1, 2)], [(0, 3, 3), (2, 9, 1)]] {
            schedule.take_over(wrong);
            assert_eq!(met(&schedule, 0), met(&fresh, 0));
        }
    }

    /// Tests that clones, which share the cache of paired rounds, use a cached round only if it
    /// follows from the same results.
    #[test]
    fn cached_rounds_match_their_results() {
        let shared = Schedule::new(Form::Swiss(4), 9, 1);
        for seed in [1, 2, 1, 3, 2] {
            let mut alone = Schedule::new(Form::Swiss(4), 9, 1);
            let mut again = shared.clone();
            let (mut rng, mut results) = (Rng::new(seed), Results::new());
            for game in 0..4 * 8 {
                results.insert(game, rng.below(3));
                alone.extend(&results);
                again.extend(&results);
                let games = |schedule: &Schedule| -> Vec<_> {
                    (0..schedule.games()).map(|n| schedule.game(n)).collect()
                };
                assert_eq!(games(&alone), games(&again), "seed {seed}, after game {game}");
            }
            assert!(alone.is_complete());
        }
    }

    #[test]
    fn tied_knockouts_play_another_pair() {
        let mut schedule = Schedule::new(Form::Knockout, 2, 2);
        let mut results: Results = (0..4).map(|n| (n, 1)).collect();
        schedule.extend(&results);
        assert_eq!((schedule.games(), schedule.is_complete()), (6, false));
        assert_eq!(schedule.game(4).map(|g| g.opening), Some(2), "on another opening");
        results.extend([(4, 0), (5, 2)]);
        schedule.extend(&results);
        assert_eq!((schedule.games(), schedule.order(&results)), (6, Some(vec![1, 0])));
    }
}
