//! Coverage-guided fuzz targets for everything that reads files and protocols.
//!
//! libFuzzer mutates the inputs of a corpus and keeps the inputs that reach new code. The variable
//! `READER` selects one of [`READERS`]; without it the first byte of the input selects the reader.
//!
//! ```sh
//! cargo install cargo-fuzz
//! cd engine-tests/guided
//! mkdir -p corpus/pgn
//! RUSTC_BOOTSTRAP=1 READER=pgn cargo fuzz run --fuzz-dir . readers corpus/pgn -- -max_total_time=600
//! ```

#![no_main]

use adoube::arena::tournament::trf::Report;
use adoube::chess::polyglot::Book;
use adoube::endings::syzygy::{self, Tables};
use adoube::eval::net::NetFile;
use adoube::laws::edition::Edition;
use adoube::{chess, draughts};
use libfuzzer_sys::fuzz_target;
use proptest::prelude::TestCaseError;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::{env, fs, process};

#[allow(dead_code)]
#[path = "../support"]
mod support {
    pub mod checks;
    pub mod records;
}
use Reader::{Bytes, Text};
use support::checks;

type Check = Result<(), TestCaseError>;

/// A reader under test. It receives the input as bytes, or as text in which invalid UTF-8 is
/// replaced.
#[derive(Clone, Copy)]
enum Reader {
    Bytes(fn(&[u8]) -> Check),
    Text(fn(&str) -> Check),
}

impl Reader {
    fn check(self, bytes: &[u8]) -> Check {
        match self {
            Self::Bytes(check) => check(bytes),
            Self::Text(check) => check(&String::from_utf8_lossy(bytes)),
        }
    }
}

/// The readers by name.
const READERS: [(&str, Reader); 16] = [
    ("pgn", Bytes(checks::pgn)),
    ("pdn", Bytes(checks::pdn)),
    ("fen", Text(fen)),
    ("epd", Text(epd)),
    ("moves", Text(moves)),
    ("uci", Text(uci)),
    ("hub", Text(hub)),
    ("dxp", Bytes(dxp)),
    ("log", Bytes(log)),
    ("regulations", Bytes(regulations)),
    ("sheet", Text(checks::sheets)),
    ("network", Bytes(network)),
    ("polyglot", Bytes(polyglot)),
    ("syzygy", Bytes(syzygy)),
    ("agr", Bytes(agr)),
    ("trf", Text(trf)),
];

fn fen(text: &str) -> Check {
    checks::chess_fen(text)?;
    checks::draughts_fen(text)?;
    checks::hub_position(text)
}

fn epd(text: &str) -> Check {
    checks::chess_epd(text)?;
    checks::draughts_epd(text)
}

fn moves(text: &str) -> Check {
    CHESS.iter().try_for_each(|position| checks::chess_move(position, text))?;
    DRAUGHTS.iter().try_for_each(|position| checks::draughts_move(position, text))
}

fn uci(text: &str) -> Check {
    checks::uci_command(text)?;
    checks::uci_reply(text)
}

fn hub(text: &str) -> Check {
    checks::hub_command(text)?;
    checks::hub_reply(text)
}

fn dxp(bytes: &[u8]) -> Check {
    checks::dxp_message(&DRAUGHTS[1], &String::from_utf8_lossy(bytes))?;
    checks::dxp_stream(bytes)
}

fn log(bytes: &[u8]) -> Check {
    let (edition, log) = edition(bytes);
    checks::log(&String::from_utf8_lossy(log), edition)
}

fn regulations(bytes: &[u8]) -> Check {
    let (edition, text) = edition(bytes);
    checks::regulations(&String::from_utf8_lossy(text), edition)
}

fn network(bytes: &[u8]) -> Check {
    if let Ok(network) = NetFile::read(&with_checksum(bytes)) {
        let again = NetFile::read(&network.bytes());
        assert!(again.is_ok_and(|again| again == network));
    }
    Ok(())
}

fn polyglot(bytes: &[u8]) -> Check {
    if let Ok(book) = Book::read(bytes) {
        for position in CHESS.iter() {
            assert!(book.moves(position).iter().all(|weighted| position.is_legal(weighted.m)));
        }
    }
    Ok(())
}

fn syzygy(bytes: &[u8]) -> Check {
    let folder = &*FOLDER;
    for name in ["KPvK.rtbw", "KPvK.rtbz"] {
        fs::write(folder.join(name), bytes).expect("a file in a new folder");
    }
    let (tables, _) = Tables::open([folder]);
    for position in CHESS.iter() {
        let _ = (tables.wdl(position), tables.dtz(position), tables.rank(position, &[]));
    }
    syzygy::verify(folder, |_, _| {}).expect("a readable folder");
    Ok(())
}

fn agr(bytes: &[u8]) -> Check {
    let mut bytes = bytes.to_vec();
    checks::seal_training_games(&mut bytes);
    checks::training_games(&bytes)
}

fn trf(text: &str) -> Check {
    if let Ok(report) = text.parse::<Report>() {
        let written = report.to_string();
        let again = written.parse::<Report>();
        assert!(again.is_ok_and(|again| again.to_string() == written), "{written}");
    }
    Ok(())
}

static CHESS: LazyLock<[chess::Position; 4]> = LazyLock::new(|| {
    [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/4P3/8/8/8/1k6/8/1K6 w - - 0 1",
        "8/8/8/8/p7/1k6/8/1K6 b - - 99 80",
    ]
    .map(|fen| fen.parse().expect("a position"))
});

static DRAUGHTS: LazyLock<[draughts::Position; 3]> = LazyLock::new(|| {
    ["W:W31-50:B1-20", "W:WK5,32,33:B8,9,19,20,22,24", "B:W26,K31:B6,K1"]
        .map(|fen| fen.parse().expect("a position"))
});

/// The folder for tables, which are read from files.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = env::temp_dir().join(format!("adoube-guided-{}", process::id()));
    fs::create_dir_all(&folder).expect("a new folder");
    folder
});

/// Returns the edition that the first byte selects, and the remaining bytes.
fn edition(bytes: &[u8]) -> (Edition, &[u8]) {
    let (first, rest) = bytes.split_first().unwrap_or((&0, &[]));
    (Edition::ALL[usize::from(*first) % Edition::NUM], rest)
}

/// Replaces the last four bytes with the checksum of the bytes before them.
fn with_checksum(bytes: &[u8]) -> Vec<u8> {
    let content = &bytes[..bytes.len().saturating_sub(4)];
    [content, &crc32fast::hash(content).to_le_bytes()].concat()
}

static SELECTED: LazyLock<Option<Reader>> = LazyLock::new(|| {
    let name = env::var("READER").ok()?;
    let reader = READERS.iter().find(|(reader, _)| *reader == name);
    let names: Vec<&str> = READERS.iter().map(|(name, _)| *name).collect();
    Some(reader.unwrap_or_else(|| panic!("READER={name} is not one of {names:?}")).1)
});

fuzz_target!(|bytes: &[u8]| {
    let (reader, bytes) = match (*SELECTED, bytes.split_first()) {
        (Some(reader), _) => (reader, bytes),
        (None, Some((first, rest))) => (READERS[usize::from(*first) % READERS.len()].1, rest),
        (None, None) => return,
    };
    if let Err(error) = reader.check(bytes) {
        panic!("{error}");
    }
});
