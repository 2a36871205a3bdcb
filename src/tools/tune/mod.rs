//! Tuning of search constants by simultaneous perturbation stochastic approximation (SPSA; J. C.
//! Spall, *IEEE Transactions on Automatic Control* 37, 1992; applied to games by L. Kocsis, C.
//! Szepesvári and M. Winands, 2006).
//!
//! Each step shifts all constants at once, each up or down at random, and plays a game pair between
//! these values and the values shifted in the opposite directions. Then every constant is moved a
//! little towards the winner's value. A single game pair contains almost no information about a
//! constant, but thousands of game pairs are informative about all constants.
//!
//! The [`journal`](crate::base::journal) contains a line for each game pair. A run is resumed by
//! repeating the updates for the game pairs in the journal, in order. Shards of a run are tuned
//! independently, and [`Tuning::joined`] averages their results.

mod duel;
mod spsa;

pub(crate) use duel::ConstantsOf;
pub(crate) use spsa::{Step, Tuning};

use duel::{Engines, duel, engines};

use crate::arena::stats::Pairs;
use crate::base::journal::{Damage, Journal, JournalError, Order};
use crate::base::shard::Shard;
use crate::search::constants::{Constant, Constants};
use crate::search::driver::{ResourceError, Searcher};
use crate::tools::datagen::SelfPlay;
use crate::tools::workers::each_number;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::io;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

/// The settings of a run, stored in the first line of its journal.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct TuningSettings {
    pub game: String,
    pub program: String,
    pub nodes: u64,
    pub pairs: u64,
    pub shard: Shard,
    pub seed: u64,
    /// The learning rate at the end of the run: the change in a constant for each net win (games
    /// won minus games lost), in units of the constant's step.
    pub rate: f64,
    /// The names of the tuned constants, and their values before the run.
    pub constants: Vec<(String, i32)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Pair {
    pub number: u64,
    /// The half points, from 0 to 4, scored by the player whose values were shifted in the
    /// directions of the [`Step`].
    pub half_points: u8,
}

/// The multiplier that converts a game pair's number to the seed of its opening.
const OPENINGS: u64 = 0xa076_1d64_78bd_642f;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Match {
    pub pairs: u64,
    pub nodes: u64,
    pub seed: u64,
    /// The number of game pairs to play in parallel.
    pub threads: usize,
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum TuneError {
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Engine(#[from] ResourceError),
    #[error("cannot start {0} threads")]
    Threads(usize, #[source] io::Error),
    /// The name of an unknown constant, and a list of the known constants for the message.
    #[error("unknown search constant '{0}'{1}")]
    Unknown(String, String),
}

/// Returns the constants with the given names, each once and with its index in the table. If
/// `names` is empty, returns all constants.
pub(crate) fn chosen<C: Constants>(
    names: &[String],
) -> Result<Vec<(usize, &'static Constant)>, TuneError> {
    let all = || C::TABLE.iter().enumerate();
    if names.is_empty() {
        return Ok(all().collect());
    }
    let find = |name: &String| {
        all().find(|(_, constant)| constant.name == name).ok_or_else(|| {
            let names: Vec<&str> = C::TABLE.iter().map(|constant| constant.name).collect();
            TuneError::Unknown(name.clone(), format!("; the constants are {}", names.join(", ")))
        })
    };
    let mut seen = HashSet::new();
    names.iter().filter(|name| seen.insert(*name)).map(find).collect()
}

/// Reads a journal. Returns the settings, the state of the tuning after all game pairs in the
/// journal, and the damage to the journal. Duplicate entries count once. Fails if the journal names
/// a constant that this program does not have.
pub fn read<C: Constants>(path: &Path) -> Result<(TuningSettings, Tuning, Damage), TuneError> {
    let (mut pairs, mut played): (Vec<Pair>, _) = (Vec::new(), HashSet::new());
    let (settings, damage) =
        Journal::read::<TuningSettings>(path, Order::Independent, |pair: Pair| {
            if played.insert(pair.number) {
                pairs.push(pair);
            }
        })?;
    let mut tuning = Tuning::new::<C>(&settings)?;
    pairs.into_iter().for_each(|pair| tuning.learn(pair));
    Ok((settings, tuning, damage))
}

/// Plays the game pairs of the shard that are missing from the journal at `path`, on `threads`
/// threads, until all pairs are played or `stop` is set. Calls `report` after each pair. Returns
/// the tuning and the damage to the journal. Pairs that were lost because of damage are played
/// again.
///
/// # Errors
/// Returns an error if the journal cannot be used or games cannot be played.
pub fn run<G: SelfPlay>(
    settings: &TuningSettings,
    path: &Path,
    threads: usize,
    stop: &AtomicBool,
    report: &(dyn Fn(&Tuning) + Sync),
) -> Result<(Tuning, Damage), TuneError> {
    let mut tuning = Tuning::new::<ConstantsOf<G>>(settings)?;
    let mut played = HashSet::new();
    let (journal, damage) = Journal::open(path, settings, |pair: Pair| {
        if played.insert(pair.number) {
            tuning.learn(pair);
        }
    })?;
    let shared = Mutex::new((tuning, journal));
    let lock = || shared.lock().unwrap_or_else(PoisonError::into_inner);
    each_pair(threads, settings.pairs, stop, |engines, number| {
        if played.contains(&number) || !settings.shard.contains(number as usize) {
            return Ok(());
        }
        let step = Step::new(settings, number);
        let values =
            lock().0.trial_values(&step).map(|values| ConstantsOf::<G>::with_values(&values));
        let opening = settings.seed ^ number.wrapping_mul(OPENINGS);
        let Some(half_points) = duel::<G>(engines, &values, settings.nodes, opening, stop) else {
            return Ok(());
        };
        let pair = Pair { number, half_points };
        let mut shared = lock();
        shared.1.add(&pair).map_err(JournalError::from)?;
        shared.0.learn(pair);
        report(&shared.0);
        Ok(())
    })?;
    Ok((shared.into_inner().unwrap_or_else(PoisonError::into_inner).0, damage))
}

/// Plays game pairs between the current values and `others`, on several threads, until `pairs`
/// pairs have been played or `stop` is set. After each pair, calls `report` with the score of
/// `others` so far. Returns the final score of `others`.
pub fn compare<G: SelfPlay>(
    others: &[i32],
    match_: &Match,
    stop: &AtomicBool,
    report: &(dyn Fn(&Pairs) + Sync),
) -> Result<Pairs, TuneError> {
    let values = [ConstantsOf::<G>::with_values(others), ConstantsOf::<G>::default()];
    let score = Mutex::new(Pairs::default());
    let lock = || score.lock().unwrap_or_else(PoisonError::into_inner);
    each_pair(match_.threads, match_.pairs, stop, |engines, number| {
        let opening = match_.seed ^ number.wrapping_mul(OPENINGS);
        if let Some(half_points) = duel::<G>(engines, &values, match_.nodes, opening, stop) {
            let mut score = lock();
            score.add(half_points.into());
            report(&score);
        }
        Ok(())
    })?;
    Ok(score.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Calls `work` with each pair number below `count`, on several threads. Each thread has two
/// engines.
fn each_pair<S: Searcher>(
    threads: usize,
    count: u64,
    stop: &AtomicBool,
    work: impl Fn(&mut Engines<S>, u64) -> Result<(), TuneError> + Sync,
) -> Result<(), TuneError> {
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    let work = |engines: &mut Engines<S>, number| work(engines, number as u64);
    each_number(threads, count, stop, engines, work, |error| TuneError::Threads(threads, error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::draughts::Constants as Draughts;

    fn settings(pairs: u64) -> TuningSettings {
        TuningSettings {
            game: "draughts".into(),
            program: "Adoube".into(),
            nodes: 50,
            pairs,
            shard: "1/1".parse().expect("a shard"),
            seed: 7,
            rate: 0.1,
            constants: Draughts::TABLE.iter().map(|c| (c.name.to_owned(), c.value)).collect(),
        }
    }

    fn run(settings: &TuningSettings, path: &Path) -> Tuning {
        let stop = AtomicBool::new(false);
        super::run::<crate::draughts::Position>(settings, path, 1, &stop, &|_| {})
            .expect("played")
            .0
    }

    #[test]
    fn resumes_a_stopped_run() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let path = dir.path().join("tuning");
        let settings = settings(12);
        let whole = run(&settings, &path);
        let text = std::fs::read_to_string(&path).expect("a journal");
        assert_eq!(text.lines().count(), 13);
        // Keep the settings, five pairs and a partial line.
        let lines = text.split_inclusive('\n').take(6).collect::<String>() + "{\"num";
        std::fs::write(&path, lines).expect("written");
        assert_eq!(run(&settings, &path), whole);
        assert_eq!(std::fs::read_to_string(&path).expect("a journal"), text);
        let expected = (settings, whole, Damage::default());
        assert_eq!(read::<Draughts>(&path).expect("a journal"), expected);
    }

    /// Version 0.1.0 did not lock journals, so two runs could write the same pairs to a journal.
    #[test]
    fn counts_duplicate_pairs_once() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let path = dir.path().join("tuning");
        let pair = |number: u64, half_points: u8| {
            format!("{{\"number\":{number},\"half_points\":{half_points}}}\n")
        };
        let header = "{\"game\":\"draughts\",\"program\":\"Adoube 0.1.0\",\"nodes\":60,\"pairs\":4,\
                      \"shard\":\"1/1\",\"seed\":1,\"rate\":0.004,\"constants\":[[\"reduction_divisor\",150]]}\n";
        let text = format!("{header}{}{}{}", pair(0, 3), pair(1, 2), pair(0, 3));
        std::fs::write(&path, text).expect("written");
        let (settings, tuning, _) = read::<Draughts>(&path).expect("a journal");
        assert_eq!(tuning.pairs(), 2);
        assert_eq!(run(&settings, &path).pairs(), 4);
    }

    #[test]
    fn rejects_a_journal_in_use() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let path = dir.path().join("tuning");
        let settings = settings(1);
        let _other = Journal::<Pair>::open(&path, &settings, |_| {}).expect("a new file");
        let stop = AtomicBool::new(false);
        let error = super::run::<crate::draughts::Position>(&settings, &path, 1, &stop, &|_| {});
        assert!(matches!(error, Err(TuneError::Journal(JournalError::InUse(_)))), "{error:?}");
    }

    #[test]
    fn averages_shards_weighted_by_pairs() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let whole = settings(7);
        let found = ["1/2", "2/2"].map(|text| {
            let shard: Shard = text.parse().expect("a shard");
            let settings = TuningSettings { shard, ..whole.clone() };
            run(&settings, &dir.path().join(text.replace('/', "-")))
        });
        assert_eq!(found.each_ref().map(Tuning::pairs), [4, 3]);
        let joined = Tuning::joined(&found).expect("two of one kind");
        let mean = (4.0 * found[0].values()[0] + 3.0 * found[1].values()[0]) / 7.0;
        assert!((joined.values()[0] - mean).abs() < 1e-9);
        assert_eq!(joined.pairs(), 7);
    }

    #[test]
    fn equal_values_are_equally_strong() {
        let match_ = Match { pairs: 3, nodes: 50, seed: 1, threads: 2 };
        let stop = AtomicBool::new(false);
        let score =
            compare::<crate::chess::Position>(&[], &match_, &stop, &|_| {}).expect("played");
        assert_eq!(score.0, [0, 0, 3, 0, 0]);
    }

    #[test]
    fn selects_constants_by_name() {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        let found = chosen::<Draughts>(&names(&["reduction_divisor"])).expect("one");
        assert_eq!(found.len(), 1);
        let error = chosen::<Draughts>(&names(&["reduction"])).expect_err("none");
        assert!(error.to_string().starts_with("unknown search constant 'reduction'"), "{error}");
    }
}
