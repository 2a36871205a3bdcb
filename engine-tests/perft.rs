//! Every perft count that we have is what the generators count: those of `epd` and those of
//! `../shared/data`, where that folder is there.

use adoube::search::driver::Options;
use adoube::search::limits::Limits;
use adoube::tools::suite::{self, Settings, SuiteGame};
use adoube::{chess, draughts};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Checks all lines of a suite, on all processors; gives the number of its records.
pub fn check<G: SuiteGame>(path: &Path) -> usize {
    let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let records = suite::read::<G>(&text);
    let mut wrong: Vec<String> =
        records.iter().filter_map(|r| r.as_ref().err()).map(ToString::to_string).collect();
    let records: Vec<_> = records.iter().filter_map(|r| r.as_ref().ok()).collect();
    let settings = Settings {
        jobs: std::thread::available_parallelism().map_or(1, usize::from),
        engine: Options::default(),
        limits: Limits::default(),
    };
    let verdicts = suite::run(&records, &settings, &AtomicBool::new(false), &|_, _| {})
        .expect("the jobs can be started");
    for (record, verdict) in records.iter().zip(verdicts) {
        for failure in verdict.expect("nobody stops the run").failures {
            wrong.push(format!("line {}: {}: {failure}", record.line, record.id));
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", path.display(), wrong.join("\n"));
    records.len()
}

/// A file of this repository, below `epd`.
pub fn epd(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("epd").join(name)
}

/// Checks a file of `../shared/data` of so many records, or says that it is not there.
fn shared(name: &str, count: usize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data").join(name);
    if path.exists() {
        assert_eq!(check::<chess::Position>(&path), count, "{name}");
    } else {
        eprintln!("SKIPPED: {} is not there", path.display());
    }
}

#[test]
fn well_known_positions_have_their_counts() {
    check::<chess::Position>(&epd("chess/perft-standard.epd"));
}

#[test]
fn tricky_positions_have_their_counts() {
    check::<chess::Position>(&epd("chess/perft-tricky.epd"));
}

#[test]
fn chess960_positions_have_their_counts() {
    check::<chess::Position>(&epd("chess/perft-chess960.epd"));
}

#[test]
fn the_shared_tricky_positions_have_their_counts() {
    shared("chess-tricky.epd", 19);
}

#[test]
fn the_shared_random_positions_have_their_counts() {
    shared("chess-random.epd", 977);
}

#[test]
fn the_shared_chess960_positions_have_their_counts() {
    shared("chess960.epd", 480);
}

#[test]
fn draughts_positions_have_their_counts() {
    check::<draughts::Position>(&epd("draughts/perft.epd"));
}
