//! Tie-breaks for tournaments between people, according to FIDE Handbook C.07 (in force since 1
//! March 2026).
//!
//! If a player did not play in a round, the player's own tie-breaks count the round as a game
//! against a dummy opponent. The dummy has as many points as the player, up to a limit (16.4). After
//! a forfeit, the limit is the scheduled opponent's points. Otherwise it is the points for a draw in
//! every round. For the tie-breaks of the player's opponents, a bye requested by the player counts
//! as a draw if the player was not available in any later round (16.3).
//!
//! Requested byes are half-point and zero-point byes (16.1). C.07 has no other kind of absence: a
//! withdrawn player has zero-point byes, and in a report file empty columns mean the same as a
//! zero-point bye. A player who is paired but does not appear has a forfeit loss, which is not
//! counted as a draw (16.3).
//!
//! These rules are for Swiss tournaments. In a round robin, a forfeited game counts like a game
//! against the scheduled opponent, and a round in which a player rests does not count.

use super::trf::{Entry, Mark, Report};
use std::cmp::Reverse;
use std::fmt;
use std::str::FromStr;

/// A tie-break. Each description begins with the acronym from C.07.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TieBreak {
    /// BH: the sum of the opponents' points, excluding the `low` lowest and the `high` highest
    /// scores.
    Buchholz { low: usize, high: usize },
    /// SB: the sum of each opponent's points multiplied by the result against that opponent,
    /// excluding the contributions of the `low` lowest opponents.
    SonnebornBerger { low: usize },
    /// KS: the points against the opponents who have at least half of the possible points. It is
    /// defined only for round robins.
    Koya,
    /// DE: the points against the other tied players.
    DirectEncounter,
    /// WIN: the number of rounds in which the player got the points for a win, played or not.
    Wins,
    /// WON: the number of games won over the board, not by forfeit.
    GamesWon,
    /// BPG: the number of games played with Black.
    BlackGames,
    /// BWG: the number of games won with Black.
    BlackWins,
    /// PS: the sum of the points after each round.
    Progressive,
    /// ARO: the rounded average rating of the opponents in games that were played, without the
    /// `low` lowest ratings. Unrated opponents do not count towards the average, but are excluded
    /// before the lowest ratings.
    AverageRating { low: usize },
    /// TPR: the performance rating, which is the average rating of the opponents plus the rating
    /// difference that corresponds to the score in games against them.
    Performance,
}

/// The tie-breaks by acronym.
const NAMES: [(&str, TieBreak); 17] = [
    ("BH", TieBreak::Buchholz { low: 0, high: 0 }),
    ("BH/C1", TieBreak::Buchholz { low: 1, high: 0 }),
    ("BH/C2", TieBreak::Buchholz { low: 2, high: 0 }),
    ("BH/M1", TieBreak::Buchholz { low: 1, high: 1 }),
    ("BH/M2", TieBreak::Buchholz { low: 2, high: 2 }),
    ("SB", TieBreak::SonnebornBerger { low: 0 }),
    ("SB/C1", TieBreak::SonnebornBerger { low: 1 }),
    ("KS", TieBreak::Koya),
    ("DE", TieBreak::DirectEncounter),
    ("WIN", TieBreak::Wins),
    ("WON", TieBreak::GamesWon),
    ("BPG", TieBreak::BlackGames),
    ("BWG", TieBreak::BlackWins),
    ("PS", TieBreak::Progressive),
    ("ARO", TieBreak::AverageRating { low: 0 }),
    ("ARO/C1", TieBreak::AverageRating { low: 1 }),
    ("TPR", TieBreak::Performance),
];

/// The rating differences for scores from 50% to 100% (FIDE Handbook B.02, 8.1.1).
const RATING_DIFFERENCES: [usize; 51] = [
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158,
    166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366,
    383, 401, 422, 444, 470, 501, 538, 589, 677, 800,
];

const SWISS_TIE_BREAKS: &[TieBreak] = &[
    TieBreak::Buchholz { low: 1, high: 0 },
    TieBreak::Buchholz { low: 0, high: 0 },
    TieBreak::SonnebornBerger { low: 0 },
    TieBreak::DirectEncounter,
    TieBreak::Wins,
];
const ROUND_ROBIN_TIE_BREAKS: &[TieBreak] =
    &[TieBreak::DirectEncounter, TieBreak::SonnebornBerger { low: 0 }, TieBreak::Wins];

/// Returns the default tie-breaks.
pub(super) const fn default_for(round_robin: bool) -> &'static [TieBreak] {
    if round_robin { ROUND_ROBIN_TIE_BREAKS } else { SWISS_TIE_BREAKS }
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is not a tie-break: use {names}", names = NAMES.map(|(name, _)| name).join(", "))]
pub struct TieBreakError(String);

impl FromStr for TieBreak {
    type Err = TieBreakError;

    fn from_str(text: &str) -> Result<Self, TieBreakError> {
        let plain = text.trim().to_ascii_uppercase().replace(['-', ' ', '#'], "/");
        let row = NAMES.iter().find(|(name, _)| *name == plain);
        row.map(|(_, tie_break)| *tie_break).ok_or_else(|| TieBreakError(text.to_owned()))
    }
}

impl fmt::Display for TieBreak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = NAMES.iter().find(|(_, tie_break)| tie_break == self);
        f.write_str(row.map_or("", |(name, _)| name))
    }
}

/// Formats a list of tie-breaks, such as `BH/C1,BH,SB`.
pub(super) fn names(tie_breaks: &[TieBreak]) -> String {
    tie_breaks.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

impl TieBreak {
    /// Returns whether the tie-break is defined for round robins only.
    pub(crate) const fn needs_round_robin(self) -> bool {
        matches!(self, Self::Koya)
    }

    /// Returns the integer that represents a value of 1. Depending on the tie-break, values are
    /// stored in wholes, halves or quarters.
    const fn unit(self) -> usize {
        match self {
            Self::Buchholz { .. } | Self::Koya | Self::DirectEncounter | Self::Progressive => 2,
            Self::SonnebornBerger { .. } => 4,
            Self::Wins | Self::GamesWon | Self::BlackGames | Self::BlackWins => 1,
            Self::AverageRating { .. } | Self::Performance => 1,
        }
    }

    /// Formats a value, such as `12.5`.
    pub(crate) fn text(self, value: Option<usize>) -> String {
        let Some(value) = value else { return String::new() };
        let (whole, part) = (value / self.unit(), 100 / self.unit() * (value % self.unit()));
        match part {
            0 => whole.to_string(),
            part if part.is_multiple_of(10) => format!("{whole}.{}", part / 10),
            part => format!("{whole}.{part}"),
        }
    }
}

/// A row of the standings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Row {
    pub player: usize,
    pub half_points: usize,
    /// The values of the tie-breaks. The value of a direct encounter is `None` unless the player is
    /// tied with others and all tied players have played each other. The value of a tie-break by
    /// ratings is `None` if no rated opponent remains after the exclusions. The value of Koya is
    /// `None` in a Swiss tournament.
    pub values: Vec<Option<usize>>,
}

/// The contribution of one round to a tie-break.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Contribution {
    /// True if the player chose not to play.
    voluntary: bool,
    /// The points of the opponent, or of the dummy opponent.
    score: usize,
    /// The amount that the round adds to the tie-break.
    value: usize,
}

/// Computes the standings after the first `rounds` rounds. Players who are tied on all tie-breaks
/// are ordered by number. Players who withdrew so early that their games do not count come last.
pub(crate) fn standings(report: &Report, rounds: usize, tie_breaks: &[TieBreak]) -> Vec<Row> {
    let table = Table::new(report, rounds);
    let mut rows: Vec<Row> = (0..report.players().len())
        .map(|player| Row { player, half_points: table.points[player], values: Vec::new() })
        .collect();
    let is_last = |row: &Row| report.early_withdrawal(row.player).is_some();
    let order = |row: &Row| (is_last(row), Reverse(row.half_points));
    rows.sort_by_key(|row| (order(row), row.player));
    // The sizes of the groups of tied players.
    let mut groups: Vec<usize> =
        rows.chunk_by(|a, b| order(a) == order(b)).map(<[Row]>::len).collect();
    for &tie_break in tie_breaks {
        let mut rest = &mut rows[..];
        let mut split = Vec::new();
        for size in groups {
            let (group, others) = rest.split_at_mut(size);
            rest = others;
            if tie_break == TieBreak::DirectEncounter {
                split.extend(table.direct(group));
                continue;
            }
            for row in &mut *group {
                row.values.push(table.value(row.player, tie_break));
            }
            group.sort_by_key(|row| Reverse(row.values.last().copied().flatten()));
            split.extend(
                group.chunk_by(|a, b| a.values.last() == b.values.last()).map(<[Row]>::len),
            );
        }
        groups = split;
    }
    rows
}

struct Table<'a> {
    report: &'a Report,
    rounds: usize,
    points: Vec<usize>,
    /// For each player, the points that the tie-breaks of the player's opponents count (16.3).
    adjusted: Vec<usize>,
    is_round_robin: bool,
}

impl<'a> Table<'a> {
    fn new(report: &'a Report, rounds: usize) -> Self {
        let is_round_robin = report.is_round_robin();
        let players = 0..report.players().len();
        let points = players.clone().map(|player| report.half_points(player, rounds)).collect();
        let adjusted = |player: usize| {
            let entries: Vec<Entry> = report.counted_entries(player, rounds).collect();
            let available = match is_round_robin {
                true => Some(rounds),
                false => entries.iter().rposition(|entry| !entry.is_voluntary()),
            };
            let points = |(round, entry): (usize, &Entry)| {
                if Some(round) <= available || entry.opponent.is_some() {
                    report.entry_half_points(entry)
                } else {
                    report.scoring().of(Mark::Draw)
                }
            };
            entries.iter().enumerate().map(points).sum()
        };
        let adjusted = players.map(adjusted).collect();
        Self { report, rounds, points, adjusted, is_round_robin }
    }

    fn entries(&self, player: usize) -> impl Iterator<Item = Entry> + '_ {
        self.report.counted_entries(player, self.rounds)
    }

    /// Returns the contributions of the rounds: the opponent's points multiplied by `factor`, a
    /// function of the player's half points in the round. Games without a result, and rounds of a
    /// round robin in which the player rests, have no contribution, so they are never excluded as
    /// the lowest.
    fn contributions(&self, player: usize, factor: fn(usize) -> usize) -> Vec<Contribution> {
        let of = |entry: Entry| {
            if entry.is_open() {
                return None;
            }
            let own = self.points[player];
            let (score, voluntary) = match (entry.game(), entry.opponent) {
                (_, None) if self.is_round_robin => return None,
                (Some((opponent, _)), _) => (self.adjusted[opponent], false),
                (None, Some(opponent)) if self.is_round_robin => (self.adjusted[opponent], false),
                // Articles 16.4.1 and 16.4.2.
                (None, Some(opponent)) => (own.min(self.adjusted[opponent]), entry.is_voluntary()),
                (None, None) => {
                    let draws = self.report.scoring().of(Mark::Draw) * self.rounds;
                    (own.min(draws), entry.is_voluntary())
                }
            };
            let value = score * factor(self.report.entry_half_points(&entry));
            Some(Contribution { voluntary, score, value })
        };
        self.entries(player).filter_map(of).collect()
    }

    /// Returns the opponent's rating and the player's half points for each game that a player
    /// played, in ascending order of the rating. The rating of an unrated opponent is `None`, which
    /// comes first. A win counts as 1 point, whatever the scoring of the tournament.
    fn rated_games(&self, player: usize) -> Vec<(Option<usize>, usize)> {
        let game = |entry: Entry| {
            let (opponent, _) = entry.game()?;
            let rating = self.report.players()[opponent].rating().parse().ok();
            Some((rating.filter(|&rating| rating > 0), entry.mark.standard_half_points()))
        };
        let mut games: Vec<_> = self.entries(player).filter_map(game).collect();
        games.sort_unstable();
        games
    }

    /// Returns the performance rating (10.2).
    fn performance(&self, player: usize) -> Option<usize> {
        let games = self.rated_games(player);
        let average = average_rating(&games)?;
        let rated = games.iter().filter(|(rating, _)| rating.is_some());
        let points: Vec<usize> = rated.map(|(_, points)| *points).collect();
        let percent = rounded(50 * points.iter().sum::<usize>(), points.len())?;
        let difference = *RATING_DIFFERENCES.get(percent.abs_diff(50))?;
        Some(match percent {
            50.. => average + difference,
            _ => average.saturating_sub(difference),
        })
    }

    /// Returns the points against the opponents who have at least half of the possible points (9.2).
    /// Returns `None` in a Swiss tournament.
    fn koya(&self, player: usize) -> Option<usize> {
        let has_half = |opponent: usize| {
            let is_played = |entry: &Entry| entry.opponent.is_some() && !entry.is_open();
            let games = self.entries(opponent).filter(is_played).count();
            2 * self.points[opponent] >= games * self.report.scoring().of(Mark::Win)
        };
        let counts = |entry: &Entry| entry.opponent.is_some_and(has_half);
        let points = |entry: Entry| self.report.entry_half_points(&entry);
        self.is_round_robin.then(|| self.entries(player).filter(counts).map(points).sum())
    }

    fn value(&self, player: usize, tie_break: TieBreak) -> Option<usize> {
        let count = |counts: &dyn Fn(&Entry) -> bool| {
            self.entries(player).filter(|entry| counts(entry)).count()
        };
        let win = self.report.scoring().of(Mark::Win);
        let won = |entry: &Entry| self.report.entry_half_points(entry) == win;
        let has_black = |entry: &Entry| entry.game().is_some_and(|(_, side)| !side.is_white());
        Some(match tie_break {
            TieBreak::Buchholz { low, high } => cut(self.contributions(player, |_| 1), low, high),
            TieBreak::SonnebornBerger { low } => {
                cut(self.contributions(player, |points| points), low, 0)
            }
            TieBreak::Koya => return self.koya(player),
            TieBreak::DirectEncounter => return None,
            TieBreak::AverageRating { low } => {
                return average_rating(self.rated_games(player).get(low..)?);
            }
            TieBreak::Performance => return self.performance(player),
            TieBreak::Wins => count(&won),
            TieBreak::GamesWon => count(&|entry| won(entry) && entry.game().is_some()),
            TieBreak::BlackGames => count(&has_black),
            TieBreak::BlackWins => count(&|entry| won(entry) && has_black(entry)),
            TieBreak::Progressive => {
                (1..=self.rounds).map(|round| self.report.half_points(player, round)).sum()
            }
        })
    }

    /// Orders tied players by direct encounter (article 6) and returns the sizes of the groups that
    /// are still tied. If some of the players have not played each other, a player is ranked first
    /// only if the results of the missing games could not change this.
    fn direct(&self, group: &mut [Row]) -> Vec<usize> {
        for row in &mut *group {
            row.values.push(None);
        }
        self.split_directly(group)
    }

    fn split_directly(&self, group: &mut [Row]) -> Vec<usize> {
        if group.len() < 2 {
            return vec![group.len()];
        }
        let among: Vec<usize> = group.iter().map(|row| row.player).collect();
        // Returns the half points scored against the other tied players, the number of games against
        // them, and the number of games against them without a result.
        let score = |player: usize| {
            let opponent = |entry: Entry| match entry.game() {
                Some((opponent, _)) => Some(opponent),
                None => entry.opponent.filter(|_| self.is_round_robin && !entry.is_open()),
            };
            let games = self.entries(player).filter_map(|entry| Some((entry, opponent(entry)?)));
            let games = games.filter(|(_, opponent)| among.contains(opponent));
            let (points, met) = games.fold((0, 0), |(points, met), (entry, _)| {
                (points + self.report.entry_half_points(&entry), met + 1)
            });
            let is_open = |entry: &Entry| {
                entry.is_open() && entry.opponent.is_some_and(|opponent| among.contains(&opponent))
            };
            (points, met, self.entries(player).filter(is_open).count())
        };
        let others = group.len() - 1;
        let has_met_all = |&player: &usize| matches!(score(player), (_, met, 0) if met >= others);
        let all_met = among.iter().all(has_met_all);
        group.sort_by_key(|row| Reverse(score(row.player).0));
        let mut sizes = Vec::new();
        if all_met {
            let points = |row: &Row| score(row.player).0;
            for row in &mut *group {
                if let Some(value) = row.values.last_mut() {
                    value.get_or_insert(score(row.player).0);
                }
            }
            sizes.extend(group.chunk_by(|a, b| points(a) == points(b)).map(<[Row]>::len));
        } else {
            let max_score = |row: &Row| {
                let (points, met, open) = score(row.player);
                points + others.saturating_sub(met).max(open) * self.report.scoring().of(Mark::Win)
            };
            let mut rest = &*group;
            while let [first, after @ ..] = rest
                && after.iter().all(|row| max_score(row) < score(first.player).0)
                && !after.is_empty()
            {
                sizes.push(1);
                rest = after;
            }
            let decided = group.len() - rest.len();
            sizes.push(rest.len());
            // The results do not decide between the others, so they stay in the order of numbers.
            group[decided..].sort_by_key(|row| row.player);
        }
        if sizes.len() == 1 {
            return sizes;
        }
        let mut rest = group;
        let mut split = Vec::new();
        for size in sizes {
            let (part, others) = rest.split_at_mut(size);
            rest = others;
            split.extend(self.split_directly(part));
        }
        split
    }
}

/// Returns the average rating of the opponents (10.1). Unrated opponents do not count.
fn average_rating(games: &[(Option<usize>, usize)]) -> Option<usize> {
    let ratings: Vec<usize> = games.iter().filter_map(|(rating, _)| *rating).collect();
    rounded(ratings.iter().sum(), ratings.len())
}

/// Divides and rounds to the nearest integer, with halves rounded up. Returns `None` for a divisor of
/// 0.
const fn rounded(sum: usize, count: usize) -> Option<usize> {
    (2 * sum + count).checked_div(2 * count)
}

/// Sums the values of the contributions, excluding the contributions with the `low` lowest and the
/// `high` highest scores. At the low end, a voluntarily unplayed round is excluded first, unless
/// the contribution with the lowest score has a greater value than this round (16.5).
fn cut(mut all: Vec<Contribution>, low: usize, high: usize) -> usize {
    let low = low.min(all.len());
    let high = high.min(all.len() - low);
    for _ in 0..low {
        let order = |c: &Contribution| (c.score, c.value);
        let lowest = (0..all.len()).min_by_key(|&i| order(&all[i]));
        let preferred = (0..all.len()).min_by_key(|&i| (!all[i].voluntary, order(&all[i])));
        if let Some((lowest, preferred)) = lowest.zip(preferred) {
            let first = if all[lowest].value > all[preferred].value { lowest } else { preferred };
            all.remove(first);
        }
    }
    for _ in 0..high {
        if let Some(highest) = (0..all.len()).max_by_key(|&i| (all[i].score, all[i].value)) {
            all.remove(highest);
        }
    }
    all.iter().map(|contribution| contribution.value).sum()
}
