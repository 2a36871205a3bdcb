//! The integration tests, built as one binary: `cargo test --test engine-tests [-- FILTER]`. A
//! filter is part of a test's path, such as `rules::perft` or `laws::n_02`.
//!
//! Tests with special requirements are marked `#[ignore]` with the reason. `.ci/run` runs them if
//! the requirements are met. `clients/` contains tests with third-party Python programs, which
//! `.ci/run` also runs.

// Tests may slice strings, although an invalid index panics.
#![allow(clippy::string_slice)]

mod architecture;
mod manual;
mod readme;

// Shared helpers without tests.
mod support {
    pub mod browser;
    pub mod checks;
    pub mod chess_samples;
    pub mod client;
    pub mod corpus;
    pub mod draughts_samples;
    pub mod mocks;
    pub mod program;
    pub mod records;
    pub mod runs;
    pub mod strokes;
    pub mod suites;
    pub mod tree;
    #[cfg(feature = "board")]
    pub mod web;
}

// The rules of both games. Test names refer to rows of the catalogue of rules (C-01, D-01, ...).
mod rules {
    mod bitbase;
    mod chess;
    mod draughts;
    mod mates;
    mod perft;
    mod position;
    mod problems;
    mod suite;
    mod syzygy;
}

// Moves and games as text. Test names refer to rows of the catalogue (W-01, ...).
mod texts {
    mod analyse;
    mod convert;
    mod edit;
    mod faults;
    mod notation;
    mod pdn;
    mod pgn;
    mod san;
    mod sheet;
}

// The interfaces of the program: UCI, Hub, DXP, OpenBench, `adoube check`, the board in the
// browser, and the behaviour of the process.
mod protocol {
    #[cfg(feature = "board")]
    mod board;
    mod check;
    mod dxp;
    mod hub;
    mod openbench;
    mod process;
    mod uci;
}

// `adoube match`, with mock engines that misbehave.
mod arena {
    mod chess;
    mod colours;
    mod console;
    mod draughts;
    mod dutch;
    mod dxp;
    mod faults;
    mod follow;
    mod laws;
    mod people;
    mod report;
    mod resume;
    #[cfg(feature = "board")]
    mod serve;
    mod shards;
    // Data generation, tuning and training: concurrent writers, kills and damaged files.
    mod training;
}

// Fuzz targets for every parser. The inputs are arbitrary text and bytes, and valid text with a few
// typing errors. No input may cause a panic. Errors must be short and give a location. Accepted
// input must survive a round trip, and rejected input must change nothing. This command runs each
// target for an hour: `ADOUBE_FUZZ_SECONDS=3600 cargo test --test engine-tests fuzz::`.
mod fuzz {
    mod chess;
    mod draughts;
    mod dxp;
    mod files;
    mod hub;
    mod invariants;
    mod laws;
    mod uci;
}

// The referee: the logs in `epd/laws`, and random events. Test names refer to rows of the catalogue
// (N-02, ...).
mod laws;
