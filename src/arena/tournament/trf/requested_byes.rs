//! Byes that players requested for a round: code `240` of 2026.

use super::{Entry, Mark, Report};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

/// The code for requested byes.
pub(super) const CODE: &str = "240";
/// The column of the letter: F, H or Z.
const LETTER: usize = 4;
/// The columns of the round.
const ROUND: Range<usize> = 6..9;

/// Players who have the same bye in a round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct RequestedByes {
    pub mark: Mark,
    /// The round, counted from 0.
    pub round: usize,
    /// The players, counted from 0.
    pub players: Vec<usize>,
}

impl RequestedByes {
    /// Parses a line. Returns `None` if the line is invalid.
    pub(super) fn read(line: &str) -> Option<Self> {
        let columns: Vec<char> = line.chars().collect();
        let mark = Mark::of_letter(*columns.get(LETTER)?);
        let mark = mark.filter(|mark| mark.is_bye() && *mark != Mark::PairingBye)?;
        let number = |word: &str| word.trim().parse::<usize>().ok()?.checked_sub(1);
        let round: String = columns.get(ROUND)?.iter().collect();
        let round = number(&round).filter(|&round| round < super::MAX_ROUNDS)?;
        let players: String = columns[ROUND.end..].iter().collect();
        let players = players.split_whitespace().map(number).collect::<Option<_>>()?;
        Some(Self { mark, round, players })
    }
}

impl fmt::Display for RequestedByes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{CODE} {} {:>3}", self.mark.letter(), self.round + 1)?;
        self.players.iter().try_for_each(|player| write!(f, " {:>4}", player + 1))
    }
}

impl Report {
    /// Returns the byes beyond the next round. They are omitted from the players' lines, because
    /// other programs would treat the round as paired.
    pub(super) fn requested_byes(&self) -> Vec<RequestedByes> {
        let first = self.paired() + 1;
        let mut byes: BTreeMap<(usize, char), Vec<usize>> = BTreeMap::new();
        for (index, player) in self.players.iter().enumerate() {
            for (round, entry) in player.entries.iter().enumerate().skip(first) {
                if *entry != Entry::EMPTY {
                    byes.entry((round, entry.mark.letter())).or_default().push(index);
                }
            }
        }
        let line = |((round, letter), players)| {
            Some(RequestedByes { mark: Mark::of_letter(letter)?, round, players })
        };
        byes.into_iter().filter_map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_writes_byes() {
        let line = "240 H   4    3 1207";
        let byes = RequestedByes { mark: Mark::HalfBye, round: 3, players: vec![2, 1206] };
        assert_eq!(RequestedByes::read(line).as_ref(), Some(&byes));
        assert_eq!(byes.to_string(), line);
        for wrong in ["240", "240 U   4    3", "240 H   0    3", "240 H   x    3", "240 H   4    0"]
        {
            assert_eq!(RequestedByes::read(wrong), None, "{wrong}");
        }
    }
}
