//! Binds games to processors.
//!
//! A game's thread is bound to one processor; its engines and their threads inherit the binding.

use std::fmt;
use std::str::FromStr;

/// Processors for games, in order of use: `all`, or a list such as `0,2-5`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Cores(Which);

#[derive(Clone, PartialEq, Eq, Debug)]
enum Which {
    All,
    These(Vec<usize>),
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum CoresError {
    #[error("'{0}' is neither 'all' nor a list of processors such as 0,2-5")]
    Text(String),
    #[error("processor {0} does not exist or is not available")]
    Missing(usize),
    #[error("{games} concurrent games need {games} processors, but only {cores} can be used")]
    TooFew { cores: usize, games: usize },
}

impl FromStr for Cores {
    type Err = CoresError;

    fn from_str(text: &str) -> Result<Self, CoresError> {
        const MAX_CORES: usize = 1 << 16;
        if text == "all" {
            return Ok(Self(Which::All));
        }
        let bad = || CoresError::Text(text.to_owned());
        let number =
            |text: &str| text.parse().ok().filter(|&n: &usize| n < MAX_CORES).ok_or_else(bad);
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
    pub(crate) fn of_games(&self, games: usize) -> Result<Vec<Core>, CoresError> {
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

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Core(core_affinity::CoreId);

impl Core {
    pub fn bind(self) {
        if !core_affinity::set_for_current(self.0) {
            tracing::warn!("cannot bind a game to processor {}", self.0.id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn parses_processor_lists() {
        let read = |text: &str| text.parse::<Cores>().map(|cores| cores.to_string());
        assert_eq!(read("all"), Ok("all".into()));
        assert_eq!(read("3,0,5-7"), Ok("3,0,5,6,7".into()));
        for text in ["", "a", "1,", "2-1", "0-99999999", "1,0-2", "-1", "1--2", "all,1"] {
            assert_eq!(read(text), Err(CoresError::Text(text.into())), "{text}");
        }
    }

    #[test]
    fn assigns_available_processors() {
        let all: Cores = "all".parse().expect("a list");
        let one = all.of_games(1).expect("a processor");
        assert_eq!(one.len(), 1);
        assert_eq!(Cores(Which::These(vec![one[0].0.id])).of_games(1), Ok(one.clone()));
        assert!(matches!(all.of_games(1 << 20), Err(CoresError::TooFew { games: 1_048_576, .. })));
        let missing: Cores = "65535".parse().expect("a list");
        assert_eq!(missing.of_games(1), Err(CoresError::Missing(65535)));
        #[cfg(target_os = "linux")]
        std::thread::spawn(move || {
            one[0].bind();
            let now = core_affinity::get_core_ids().expect("a processor");
            assert_eq!(now, [one[0].0]);
        })
        .join()
        .expect("bound");
    }

    proptest! {
        #[test]
        fn displayed_lists_parse_back(text in "[0-9,-]{0,12}|\\PC*") {
            if let Ok(cores) = text.parse::<Cores>() {
                prop_assert_eq!(cores.to_string().parse(), Ok(cores));
            }
        }
    }
}
