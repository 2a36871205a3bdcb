//! The Berger tables: the pairings of round robins (FIDE Handbook C.05, Annex 1).

use std::iter;

/// Returns the number of rounds in which every player meets every other once. An odd number of
/// players needs one round more, because one player rests in each round.
pub(crate) const fn rounds(players: usize) -> usize {
    players.div_ceil(2) * 2 - 1
}

/// Returns the pairs of a round in board order, White first. The round is counted from 0; `of` is
/// the total number of rounds. If there is more than one cycle, the colours of every second cycle
/// are reversed, and the last two rounds of the first cycle are swapped. Otherwise some players
/// would have the same colour three times in a row.
pub(super) fn pairs(players: usize, round: usize, of: usize) -> Vec<(usize, usize)> {
    let length = rounds(players);
    let (cycle, place) = (round / length, round % length);
    let row = match length - place {
        left @ 1..=2 if cycle == 0 && of > length && length > 1 => length + left - 3,
        _ => place,
    };
    let colours =
        |(white, black)| if cycle.is_multiple_of(2) { (white, black) } else { (black, white) };
    table_row(length, row).filter(|(a, b)| a.max(b) < &players).map(colours).collect()
}

/// Returns a row of the table for `length + 1` players, in the printed order. The first pair
/// consists of the last player and an opponent. In each other pair, the two player numbers add up
/// to twice the number of this opponent, modulo `length`.
fn table_row(length: usize, row: usize) -> impl Iterator<Item = (usize, usize)> {
    let last = length;
    let first = row * length.div_ceil(2) % length;
    let with_last = if row.is_multiple_of(2) { (first, last) } else { (last, first) };
    let others = (1..=length / 2)
        .map(move |step| ((first + step) % length, (first + length - step) % length));
    iter::once(with_last).chain(others)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn text(players: usize, round: usize) -> String {
        let pairs = pairs(players, round, rounds(players));
        let pair = |(a, b): &(usize, usize)| format!("{}-{}", a + 1, b + 1);
        pairs.iter().map(pair).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn agrees_with_the_printed_tables() {
        let four = ["1-4 2-3", "4-3 1-2", "2-4 3-1"];
        assert_eq!([0, 1, 2].map(|round| text(4, round)), four);
        let six = ["1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1"];
        assert_eq!([0, 1, 2, 3, 4].map(|round| text(6, round)), six);
        let eight = "1-8 2-7 3-6 4-5|8-5 6-4 7-3 1-2|2-8 3-1 4-7 5-6|8-6 7-5 1-4 2-3|3-8 4-2 5-1 6-7|\
                     8-7 1-6 2-5 3-4|4-8 5-3 6-2 7-1";
        let eight_played: Vec<String> = (0..7).map(|round| text(8, round)).collect();
        assert_eq!(eight_played.join("|"), eight);
    }

    #[test]
    fn everyone_meets_everyone_once_in_each_cycle() {
        for players in 2..=17 {
            for cycles in 1..=2 {
                let of = cycles * rounds(players);
                let mut games = BTreeMap::new();
                for round in 0..of {
                    let pairs = pairs(players, round, of);
                    assert_eq!(pairs.len(), players / 2, "{players} {round}");
                    for (white, black) in pairs {
                        *games.entry((white, black)).or_insert(0) += 1;
                    }
                }
                let met = |a, b| games.get(&(a, b)).copied().unwrap_or(0);
                for a in 0..players {
                    for b in 0..a {
                        assert_eq!(met(a, b) + met(b, a), cycles, "{players}: {a} {b}");
                        assert!(cycles == 1 || met(a, b) == 1, "{players}: {a} {b}");
                    }
                }
            }
        }
    }

    #[test]
    fn nobody_has_a_colour_three_times_in_a_row() {
        for players in (4..=16).step_by(2) {
            let of = 2 * rounds(players);
            let whites: Vec<Vec<usize>> = (0..of)
                .map(|round| {
                    pairs(players, round, of).into_iter().map(|(white, _)| white).collect()
                })
                .collect();
            for player in 0..players {
                let is_white: Vec<bool> = whites.iter().map(|w| w.contains(&player)).collect();
                let repeated = is_white.windows(3).any(|w| w[0] == w[1] && w[1] == w[2]);
                assert!(!repeated, "{players}: {player} {is_white:?}");
            }
        }
    }
}
