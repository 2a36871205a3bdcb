//! Splits numbered work into shards for machines or jobs that do not communicate.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// One of N shards of a list of numbered work units, written `I/N` with I from 1 to N. Each shard
/// has every N-th unit. Together the shards cover each unit exactly once, and they progress at
/// about the same pace.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Shard {
    /// The total number of shards. This field comes first so that shards with the same total are
    /// sorted by index.
    of: NonZeroUsize,
    /// The index of this shard, from 0.
    index: usize,
}

const MAX_SHARDS: usize = 1_000_000;

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is not a shard: use I/N, with I from 1 to N and N at most {MAX_SHARDS}")]
pub struct ShardError(String);

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum JoinError {
    /// Two shards with different totals, such as 1/3 and 2/4.
    #[error("{dir} is shard {shard}, but {first} is one of {of} shards")]
    Of {
        dir: PathBuf,
        shard: Shard,
        first: PathBuf,
        /// The total number of shards, according to the first folder.
        of: usize,
    },
    /// The same shard in two folders.
    #[error("{first} and {second} are both shard {shard}")]
    Twice { first: PathBuf, second: PathBuf, shard: Shard },
}

/// Returns the shards that are missing from `shards`. Fails if the shards do not agree on the total
/// number of shards, or if a shard occurs twice.
pub(crate) fn missing<'a>(
    shards: impl IntoIterator<Item = (&'a Path, Shard)>,
) -> Result<Vec<Shard>, JoinError> {
    let mut shards = shards.into_iter().peekable();
    let Some(&(first, one)) = shards.peek() else { return Ok(Vec::new()) };
    let mut seen: BTreeMap<Shard, &Path> = BTreeMap::new();
    for (dir, shard) in shards {
        if shard.of != one.of {
            let (dir, first) = (dir.to_owned(), first.to_owned());
            return Err(JoinError::Of { dir, shard, first, of: one.of() });
        }
        if let Some(first) = seen.insert(shard, dir) {
            let (first, second) = (first.to_owned(), dir.to_owned());
            return Err(JoinError::Twice { first, second, shard });
        }
    }
    Ok(one.all().filter(|shard| !seen.contains_key(shard)).collect())
}

impl Shard {
    pub const WHOLE: Self = Self { of: NonZeroUsize::MIN, index: 0 };

    pub const fn contains(&self, unit: usize) -> bool {
        unit % self.of.get() == self.index
    }

    /// Returns the number of work units in this shard if there are `units` in total.
    pub const fn count(&self, units: usize) -> usize {
        units / self.of.get() + (self.index < units % self.of.get()) as usize
    }

    pub const fn of(&self) -> usize {
        self.of.get()
    }

    pub fn all(&self) -> impl Iterator<Item = Self> {
        let of = self.of;
        (0..of.get()).map(move |index| Self { of, index })
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let read = || {
            let (number, of) = text.split_once('/')?;
            let (number, of): (usize, NonZeroUsize) = (number.parse().ok()?, of.parse().ok()?);
            let index = number.checked_sub(1).filter(|&index| index < of.get())?;
            (of.get() <= MAX_SHARDS).then_some(Self { of, index })
        };
        read().ok_or_else(|| ShardError(text.to_owned()))
    }
}

impl TryFrom<String> for Shard {
    type Error = ShardError;

    fn try_from(text: String) -> Result<Self, ShardError> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> Self {
        shard.to_string()
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index + 1, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn shards_cover_every_unit_once() {
        for n in 1..=7 {
            let first: Shard = format!("1/{n}").parse().expect("a shard");
            assert_eq!((first.of(), first.all().count()), (n, n));
            for units in 0..=20 {
                let counts = first.all().map(|shard| shard.count(units));
                assert_eq!(counts.sum::<usize>(), units);
                for shard in first.all() {
                    assert_eq!(
                        (0..units).filter(|&unit| shard.contains(unit)).count(),
                        shard.count(units)
                    );
                    assert_eq!(shard.to_string().parse(), Ok(shard));
                }
            }
            assert!(
                (0..20).all(|unit| first.all().filter(|shard| shard.contains(unit)).count() == 1)
            );
        }
        assert_eq!("1/1".parse(), Ok(Shard::WHOLE));
    }

    #[test]
    fn rejects_malformed_shards() {
        for text in [
            "",
            "1",
            "/",
            "0/2",
            "3/2",
            "1/0",
            "-1/2",
            "1/2/3",
            "1 / 2",
            "a/b",
            "1/1000001",
            "1/99999999999999999999",
        ] {
            assert_eq!(text.parse::<Shard>(), Err(ShardError(text.into())), "{text}");
        }
    }

    proptest! {
        #[test]
        fn shards_round_trip(text in "[0-9]{0,8}/[0-9]{0,8}|\\PC*") {
            if let Ok(shard) = text.parse::<Shard>() {
                prop_assert_eq!(shard.to_string().parse(), Ok(shard));
                prop_assert!(shard.of() <= MAX_SHARDS && shard.index < shard.of());
            }
        }
    }
}
