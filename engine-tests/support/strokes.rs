//! Mutated (mistyped) text for parser tests.

use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Defines property tests. By default each test runs a fixed number of cases, which are the same in
/// every run.
///
/// | variable | meaning |
/// |---|---|
/// | `ADOUBE_FUZZ_SECONDS` | run each test for this number of seconds |
/// | `ADOUBE_FUZZ_SEED` | use this seed from a failure report; `random` chooses a random seed |
macro_rules! fuzz {
    ($($(#[$meta:meta])* $cases:literal: fn $name:ident($($pattern:pat in $values:expr),+ $(,)?) $body:block)+) => {$(
        $(#[$meta])*
        #[test]
        fn $name() {
            $crate::support::strokes::try_many($cases, &($($values,)+), |($($pattern,)+)| {
                $body
                Ok(())
            });
        }
    )+};
}
pub(crate) use fuzz;

/// Parses a number from an environment variable.
fn variable(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name}='{text}' is not a number")))
}

fn first_seed() -> u64 {
    const NAME: &str = "ADOUBE_FUZZ_SEED";
    match std::env::var(NAME) {
        Ok(text) if text == "random" => RandomState::new().hash_one(NAME),
        _ => variable(NAME).unwrap_or(1),
    }
}

/// The progress of a test, monitored by a watchdog thread.
#[derive(Default)]
struct Tried {
    seed: AtomicU64,
    cases: AtomicU64,
}

impl Tried {
    /// Starts a watchdog that aborts the process if a single case takes longer than two minutes.
    fn watched() -> Arc<Self> {
        let tried = Arc::new(Self::default());
        let watched = Arc::downgrade(&tried);
        std::thread::spawn(move || {
            let mut before = u64::MAX;
            while let Some(tried) = watched.upgrade() {
                let now = tried.cases.load(Relaxed);
                let seed = tried.seed.load(Relaxed);
                if now == before {
                    eprintln!("ADOUBE_FUZZ_SEED={seed} has a case that takes too long");
                    std::process::abort();
                }
                before = now;
                drop(tried);
                std::thread::sleep(Duration::from_secs(120));
            }
        });
        tried
    }
}

/// Runs a property on many values; see [`fuzz!`].
pub fn try_many<S: Strategy>(
    cases: u32,
    values: &S,
    property: impl Fn(S::Value) -> Result<(), TestCaseError>,
) {
    let time = variable("ADOUBE_FUZZ_SECONDS").map(Duration::from_secs);
    let start = Instant::now();
    let tried = Tried::watched();
    let mut seed = first_seed();
    loop {
        // Run a few cases at a time, to check the elapsed time in between.
        let at_once = if time.is_some() { cases.min(200) } else { cases };
        let config = ProptestConfig {
            cases: at_once,
            failure_persistence: None,
            max_shrink_iters: 20_000,
            ..ProptestConfig::default()
        };
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
        tried.seed.store(seed, Relaxed);
        let property = |value| {
            tried.cases.fetch_add(1, Relaxed);
            property(value)
        };
        if let Err(error) = TestRunner::new_with_rng(config, rng).run(values, property) {
            panic!("reproduce with ADOUBE_FUZZ_SEED={seed}: {error}");
        }
        if time.is_none_or(|time| start.elapsed() >= time) {
            if time.is_some() {
                eprintln!("{} cases, the last with seed {seed}", tried.cases.load(Relaxed));
            }
            return;
        }
        seed = seed.wrapping_add(1);
    }
}

/// Generates a character, mostly from the alphabet.
fn stroke(alphabet: &'static str) -> impl Strategy<Value = char> {
    let letters: Vec<char> = alphabet.chars().collect();
    prop_oneof![9 => proptest::sample::select(letters), 1 => any::<char>()]
}

/// Generates text of up to sixty characters, mostly from the alphabet.
pub fn text(alphabet: &'static str) -> impl Strategy<Value = String> {
    proptest::collection::vec(stroke(alphabet), 0..60).prop_map(|chars| chars.into_iter().collect())
}

/// Applies up to five typing errors: a character inserted, replaced or deleted, or a piece of the
/// text repeated.
pub fn mutate(
    valid: impl Strategy<Value = String>,
    alphabet: &'static str,
) -> impl Strategy<Value = String> {
    let edits = proptest::collection::vec((0..4, any::<Index>(), stroke(alphabet)), 0..6);
    (valid, edits).prop_map(|(text, edits)| {
        let mut chars: Vec<char> = text.chars().collect();
        for (edit, at, c) in edits {
            let at = at.index(chars.len() + 1);
            match edit {
                0 => chars.insert(at, c),
                1 if at < chars.len() => chars[at] = c,
                2 if at < chars.len() => drop(chars.remove(at)),
                3 => {
                    let piece = chars[at..chars.len().min(at + 5)].to_vec();
                    chars.splice(at..at, piece);
                }
                _ => {}
            }
        }
        chars.into_iter().collect()
    })
}
