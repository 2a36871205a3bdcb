//! Checks suites of positions without starting the program.

use adoube::search::driver::Options;
use adoube::search::limits::Limits;
use adoube::tools::suite::{self, SuiteGame, SuiteSettings};
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Checks all lines of a suite, using all processors. Returns the number of records.
pub fn check<G: SuiteGame>(path: &Path) -> usize {
    let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let records = suite::read::<G>(&text);
    let mut wrong: Vec<String> =
        records.iter().filter_map(|r| r.as_ref().err()).map(ToString::to_string).collect();
    let records: Vec<_> = records.iter().filter_map(|r| r.as_ref().ok()).collect();
    let settings = SuiteSettings {
        jobs: std::thread::available_parallelism().map_or(1, usize::from),
        engine: Options::default(),
        limits: Limits::default(),
        respect_acn: true,
    };
    let verdicts = suite::run(&records, &settings, &AtomicBool::new(false), &|_, _| {})
        .expect("the jobs can be started");
    for (record, verdict) in records.iter().zip(verdicts) {
        for failure in verdict.expect("the run is not interrupted").failures {
            wrong.push(format!("line {}: {}: {failure}", record.line, record.id));
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", path.display(), wrong.join("\n"));
    records.len()
}
