//! Binds games to processors, if that is asked for.
//!
//! A thread is bound to one processor; the engines that it starts inherit that, as do their threads.

use std::fmt;
use std::str::FromStr;

/// Processors for games, in the order in which they are taken: `all`, or a list such as `0,2-5`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cores(Which);

#[derive(Clone, PartialEq, Eq, Debug)]
enum Which {
    All,
    These(Vec<usize>),
}

/// Why games cannot have processors of their own.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CoresError {
    /// A text that is not a list.
    #[error("'{0}' is neither 'all' nor a list of processors such as 0,2-5")]
    Text(String),
    /// A processor that does not exist or may not be used.
    #[error("processor {0} cannot be used here")]
    Missing(usize),
    /// Fewer processors than games at a time.
    #[error("{games} games at a time need as many processors, not {cores}")]
    TooFew {
        /// The number of processors.
        cores: usize,
        /// The number of games at a time.
        games: usize,
    },
}

impl FromStr for Cores {
    type Err = CoresError;

    fn from_str(text: &str) -> Result<Self, CoresError> {
        /// More than any machine has.
        const MOST: usize = 1 << 16;
        if text == "all" {
            return Ok(Self(Which::All));
        }
        let bad = || CoresError::Text(text.to_owned());
        let number = |text: &str| text.parse().ok().filter(|&n: &usize| n < MOST).ok_or_else(bad);
        let mut list = Vec::new();
        for part in text.split(',') {
            let (from, to) = part.split_once('-').unwrap_or((part, part));
            let (from, to) = (number(from)?, number(to)?);
            if from > to || list.iter().any(|core| (from..=to).contains(core)) {
                return Err(bad());
            }
            list.extend(from..=to);
        }
        Ok(Self(Which::These(list)))
    }
}

impl fmt::Display for Cores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Which::All => f.write_str("all"),
            Which::These(list) => {
                let list: Vec<String> = list.iter().map(ToString::to_string).collect();
                f.write_str(&list.join(","))
            }
        }
    }
}

impl Cores {
    /// The processors for `games` games at a time, one each.
    ///
    /// # Errors
    /// If there are fewer processors, or one cannot be used.
    pub fn of_games(&self, games: usize) -> Result<Vec<Core>, CoresError> {
        let here = core_affinity::get_core_ids().unwrap_or_default();
        let all = match &self.0 {
            Which::All => here,
            Which::These(list) => {
                let find = |&id: &usize| {
                    here.iter().find(|core| core.id == id).copied().ok_or(CoresError::Missing(id))
                };
                list.iter().map(find).collect::<Result<_, _>>()?
            }
        };
        let cores = all.len();
        if cores < games {
            return Err(CoresError::TooFew { cores, games });
        }
        Ok(all.into_iter().take(games).map(Core).collect())
    }
}

/// A processor that can be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Core(core_affinity::CoreId);

impl Core {
    /// Binds the calling thread to it.
    pub fn bind(self) {
        if !core_affinity::set_for_current(self.0) {
            tracing::warn!("a game could not be bound to processor {}", self.0.id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lists_are_read() {
        let read = |text: &str| text.parse::<Cores>().map(|cores| cores.to_string());
        assert_eq!(read("all"), Ok("all".into()));
        assert_eq!(read("3,0,5-7"), Ok("3,0,5,6,7".into()));
        for text in ["", "a", "1,", "2-1", "0-99999999", "1,0-2", "-1", "1--2", "all,1"] {
            assert_eq!(read(text), Err(CoresError::Text(text.into())), "{text}");
        }
    }

    #[test]
    fn games_have_processors_that_are_there() {
        let all: Cores = "all".parse().expect("a list");
        let one = all.of_games(1).expect("this runs on one");
        assert_eq!(one.len(), 1);
        assert_eq!(Cores(Which::These(vec![one[0].0.id])).of_games(1), Ok(one.clone()));
        assert!(matches!(all.of_games(1 << 20), Err(CoresError::TooFew { games: 1_048_576, .. })));
        let missing: Cores = "65535".parse().expect("a list");
        assert_eq!(missing.of_games(1), Err(CoresError::Missing(65535)));
        #[cfg(target_os = "linux")]
        std::thread::spawn(move || {
            one[0].bind();
            let now = core_affinity::get_core_ids().expect("this runs on one");
            assert_eq!(now, [one[0].0]);
        })
        .join()
        .expect("bound");
    }

    proptest! {
        #[test]
        fn what_is_read_is_written(text in "[0-9,-]{0,12}|\\PC*") {
            if let Ok(cores) = text.parse::<Cores>() {
                prop_assert_eq!(cores.to_string().parse(), Ok(cores));
            }
        }
    }
}
