//! The integration tests, built as one binary: `cargo test --test engine-tests [-- FILTER]`, where a
//! filter is a part of a test's path, such as `rules::perft` or `laws::n_02`.
//!
//! Tests that need what a clone of this repository may not have are marked `#[ignore]` with the
//! reason; `.ci/run` runs them where that thing is there. `clients/` has the tests in which Python
//! programs that others wrote talk to Adoube; `.ci/run` runs these too.

// A test may fail by a slice.
#![allow(clippy::string_slice)]

// The layers of `src`, and the one file with unsafe code.
mod architecture;
// Runs the commands of README and manual.
mod manual;
// What README and manual say of the commands, the source, the options and the notations.
mod readme;

// What several tests use; nothing here is a test. `match_picture.py` draws the README's picture.
mod support {
    // Random positions and annotated games of chess.
    pub mod chess_samples;
    // Pages in a browser.
    pub mod browser;
    // A client that talks to the built program over pipes.
    pub mod client;
    // The files of this repository that the fuzz targets begin with.
    pub mod corpus;
    // The same as `chess_samples`, of draughts.
    pub mod draughts_samples;
    // Runs that store their progress in a folder: kills, resumes and reads them.
    pub mod runs;
    // Mock engines, and matches between them.
    pub mod mocks;
    // The built program, run to its end.
    pub mod program;
    // Games on record: written and read again, and what readers make of errors.
    pub mod records;
    // Text with wrong strokes, for parsers.
    pub mod strokes;
    // Suites of positions, checked without the program around them.
    pub mod suites;
    // The source tree of this repository.
    pub mod tree;
    // A server of the built program, asked as browsers do and as they never would.
    #[cfg(feature = "board")]
    pub mod web;
}

// The rules of both games: legal moves, positions, endings.
mod rules {
    // The counts of `epd/*/perft*.epd`.
    mod perft;
    // Chess, row by row of the catalogue of rules (C-01 and on).
    mod chess;
    // Draughts, row by row of the catalogue of rules (D-01 and on).
    mod draughts;
    // Chess positions: FEN, what makes a position legal, and moves beside those of another library.
    mod position;
    // `epd/chess/mates.epd`: each mate is forced and the shortest.
    mod mates;
    // `epd/draughts/problems.epd`: each problem has its solution and no other.
    mod problems;
    // `adoube bitbase`: draughts endings built, verified, asked.
    mod bitbase;
    // Syzygy tables: chess endings won, positions asked.
    mod syzygy;
    // `adoube suite` and `adoube perft`: output, errors, exit codes.
    mod suite;
}

// Moves and games as text.
mod texts {
    // Standard algebraic notation of chess, strict and lenient.
    mod san;
    // Every notation that `adoube convert` writes, row by row of the catalogue (W-01 and on).
    mod notation;
    // Chess games on record.
    mod pgn;
    // Draughts games on record.
    mod pdn;
    // Games on record changed by hand.
    mod edit;
    // Score sheets as players write them.
    mod sheet;
    // `adoube analyse`: records, pages, puzzles, and work that goes on.
    mod analyse;
    // `adoube convert`, `announce`, `sheet compare`, `start`, `seal` and `open`.
    mod convert;
}

// The engine as other programs see it.
mod protocol {
    // UCI: options, positions, limits, moves, scores.
    mod uci;
    // Hub: whole games, answers during a search, nonsense.
    mod hub;
    // DXP: whole games over a connection, and a peer that does everything wrong.
    mod dxp;
    // `adoube board` under attack.
    #[cfg(feature = "board")]
    mod board;
    // The process: it answers while it thinks, survives any input, ends when it should.
    mod process;
    // `adoube check`: it passes the engine itself and finds out engines that misbehave.
    mod check;
    // What the distributed tester OpenBench expects of `make` and `adoube bench`.
    mod openbench;
}

// `adoube match`, with mock engines that misbehave in every way.
mod arena {
    // Matches of chess over UCI: lies, pondering, flags, tournaments, interrupted matches.
    mod chess;
    // Matches of draughts over Hub: lies, pondering, parameters, how games end.
    mod draughts;
    // Engines that crash, stall, are late or babble, in both games.
    mod faults;
    // Who has White, and what games that do not count change about it (I-10, P-03).
    mod colours;
    // Swiss pairings, for other pairing programs to check.
    mod dutch;
    // Matches of draughts over DXP.
    mod dxp;
    // What a match tells beside its table: events, logs, ratings, cross table.
    mod follow;
    // What ends a game under each edition of the laws.
    mod laws;
    // The page of a match, in a browser.
    mod report;
    // Matches that are killed and go on.
    mod resume;
    // Matches that are watched in browsers, under attack.
    #[cfg(feature = "board")]
    mod serve;
    // Matches played in shares and joined.
    mod shards;
    // Games to learn from and trainings: second writers, killed and damaged.
    mod training;
}

// All that is read, against what nobody should send: arbitrary text and bytes, and valid text with a few
// wrong strokes. Nothing panics, an error is short and has its place, what is accepted means the same when
// it is written and read again, and what is refused changes nothing. `ADOUBE_FUZZ_SECONDS=3600 cargo test
// --test engine-tests fuzz::` gives each target an hour.
mod fuzz {
    // FEN, EPD, SAN, PGN.
    mod chess;
    // FEN, positions of Hub, EPD, moves, PDN.
    mod draughts;
    // Messages of DXP.
    mod dxp;
    // Score sheets, descriptions of engines, games to learn from, envelopes.
    mod files;
    // Lines of Hub.
    mod hub;
    // Events, logs and regulations.
    mod laws;
    // Lines of UCI.
    mod uci;
}

// The referee, row by row of the catalogue: the logs of `epd/laws`, and random events.
mod laws;
