//! Pairings that are forbidden in some rounds: code `260` of 2026.

use super::pairs_among;
use std::fmt;
use std::ops::{Range, RangeInclusive};

/// The code for pairings that are forbidden in some rounds.
pub(super) const CODE: &str = "260";
/// The columns of the first and the last round.
const ROUNDS: [Range<usize>; 2] = [4..7, 8..11];
/// The column where the players begin.
const PLAYERS: usize = 11;

/// A group of players who must not be paired with each other in some rounds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Prohibition {
    /// The first and the last round, numbered from 1.
    pub rounds: RangeInclusive<usize>,
    /// The players, numbered from 0.
    pub players: Vec<usize>,
}

impl Prohibition {
    /// Parses a line. If the first or the last round is missing, it defaults to the first or last
    /// round of the tournament. Returns `None` if the rounds are invalid, or if the line names
    /// fewer than two players.
    pub(super) fn read(line: &str) -> Option<Self> {
        let columns: Vec<char> = line.chars().collect();
        let text = |range: Range<usize>| -> String {
            columns.iter().skip(range.start).take(range.len()).collect()
        };
        let round = |range: &Range<usize>, default: usize| {
            let text = text(range.clone());
            if text.trim().is_empty() { Some(default) } else { text.trim().parse().ok() }
        };
        let [first, last] = [round(&ROUNDS[0], 1)?, round(&ROUNDS[1], usize::MAX)?];
        let number = |word: &str| word.parse::<usize>().ok()?.checked_sub(1);
        let players = text(PLAYERS..columns.len());
        let players: Vec<usize> = players.split_whitespace().map(number).collect::<Option<_>>()?;
        let is_valid = (1..=last).contains(&first) && !pairs_among(players.clone()).is_empty();
        is_valid.then_some(Self { rounds: first..=last, players })
    }

    /// Returns the pairs of players, each with the smaller number first.
    pub(super) fn pairs(&self) -> Vec<[usize; 2]> {
        pairs_among(self.players.clone())
    }

    /// Replaces each player by the player that `moved` returns, or removes the player if `moved`
    /// returns `None`. Returns false if fewer than two players remain.
    pub(super) fn renumber(&mut self, moved: impl Fn(usize) -> Option<usize>) -> bool {
        self.players = self.players.iter().copied().filter_map(moved).collect();
        self.players.len() > 1
    }

    /// Formats the rounds, such as `rounds 1 to 3`.
    pub(crate) fn rounds_text(&self) -> String {
        match (*self.rounds.start(), *self.rounds.end()) {
            (first, usize::MAX) => format!("all rounds from {first}"),
            (first, last) if first == last => format!("round {first}"),
            (first, last) => format!("rounds {first} to {last}"),
        }
    }
}

impl fmt::Display for Prohibition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, last) = (self.rounds.start(), *self.rounds.end());
        let last = if last == usize::MAX { String::new() } else { last.to_string() };
        write!(f, "{CODE} {first:>3} {last:>3}")?;
        self.players.iter().try_for_each(|player| write!(f, " {:>4}", player + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_writes_rounds_and_players() {
        let read = |line| Prohibition::read(line).map(|it| (it.rounds.clone(), it.to_string()));
        let line = "260   2  11    1    4 1203";
        assert_eq!(read(line), Some((2..=11, line.to_owned())));
        let open = "260              3    5";
        assert_eq!(read(open), Some((1..=usize::MAX, "260   1        3    5".to_owned())));
        for wrong in ["260", "260   1   3    2", "260   3   1    2    4", "260   x   3    2    4"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
        let many = Prohibition::read("260   1   3    7    2    5").map(|it| it.pairs());
        assert_eq!(many, Some(vec![[1, 4], [1, 6], [4, 6]]));
    }
}
