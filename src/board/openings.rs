//! Names of chess openings, by position.

use crate::chess::Position;
use once_cell::sync::Lazy;
use std::collections::HashMap;
use std::fmt;

/// One opening per line: ECO code, name and moves, separated by tabs.
const TABLE: &str = include_str!("openings.tsv");

/// The opening of each position in the table, by position key.
static NAMES: Lazy<HashMap<u64, Opening>> = Lazy::new(|| lines().collect());

fn lines() -> impl Iterator<Item = (u64, Opening)> {
    TABLE.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
        let mut fields = line.split('\t');
        let (code, name, moves) = (fields.next()?, fields.next()?, fields.next()?);
        let mut position = Position::start();
        for text in moves.split(' ') {
            position = position.play(position.parse_san_lenient(text).ok()?);
        }
        Some((position.key(), Opening { code, name }))
    })
}

/// The ECO code and name of an opening.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Opening {
    pub code: &'static str,
    pub name: &'static str,
}

impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.code, self.name)
    }
}

/// Returns the opening of the last position that has a name, or `None` if no position has a name.
pub(super) fn find(keys: &[u64]) -> Option<Opening> {
    keys.iter().rev().find_map(|key| NAMES.get(key)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(moves: &str) -> Option<String> {
        let mut position = Position::start();
        let mut keys = vec![position.key()];
        for text in moves.split(' ') {
            position = position.play(position.parse_san(text).expect("a move"));
            keys.push(position.key());
        }
        find(&keys).map(|opening| opening.to_string())
    }

    #[test]
    fn openings_are_named_even_after_transpositions() {
        assert_eq!(find(&[Position::start().key()]), None);
        assert_eq!(after("e4 e5 Nf3 Nc6 Bb5").as_deref(), Some("C60 Ruy Lopez"));
        assert_eq!(after("d4 d5 e4"), after("e4 d5 d4"));
        let later = after("e4 e5 Nf3 Nc6 Bb5 h5 a4 h4 a5").expect("a name");
        assert!(later.starts_with("C60 Ruy Lopez"), "{later}");
    }

    #[test]
    fn every_line_of_the_table_is_legal() {
        let expected = TABLE.lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!((lines().count(), expected > 3000), (expected, true));
    }
}
