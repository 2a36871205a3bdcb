//! Fuzz targets for UCI lines from either side.

use crate::support::checks;
use crate::support::strokes::{fuzz, mutate, text};
use adoube::protocol::uci::option::{OPTIONS, UciOptions};
use proptest::prelude::*;
use proptest::sample::{Index, select};

const UCI: &str = "abcdefghijklmnopqrstuvwxyz 0123456789-/\t";

fn command() -> impl Strategy<Value = String> {
    let lines = [
        "uci",
        "debug on",
        "isready",
        "setoption name Hash value 64",
        "setoption name Move Overhead value 100",
        "register name a b code c",
        "ucinewgame",
        "position startpos moves e2e4 e7e5",
        "position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 moves e2e4",
        "go wtime 1000 btime -5 winc 10 binc 10 movestogo 40",
        "go depth 8 nodes 1000 mate 3 movetime 50 ponder infinite",
        "go searchmoves e2e4 d2d4 depth 3",
        "go perft 3",
        "perft 4",
        "bench 3 1 16",
        "quit",
    ];
    prop_oneof![1 => text(UCI), 6 => mutate(select(lines.map(str::to_owned).to_vec()), UCI)]
}

fn reply() -> impl Strategy<Value = String> {
    let lines = [
        "id name Somebody 1.0",
        "id author A, B and C",
        "option name Hash type spin default 16 min 1 max 1024",
        "option name Style type combo default Normal var Solid var Normal var Quite risky",
        "option name Clear Hash type button",
        "option name Book type string default <empty>",
        "uciok",
        "readyok",
        "info depth 3 seldepth 5 multipv 1 score cp 13 lowerbound wdl 1 998 1 nodes 5 nps 2 time 3 pv e2e4",
        "info depth 9 score mate -3 hashfull 1 tbhits 0 cpuload 7 pv e2e4 e7e5",
        "info currmove e2e4 currmovenumber 3",
        "info string words of any kind",
        "bestmove e2e4 ponder e7e5",
        "bestmove (none)",
    ];
    prop_oneof![1 => text(UCI), 6 => mutate(select(lines.map(str::to_owned).to_vec()), UCI)]
}

fuzz! {
    20_000: fn commands(text in command()) {
        checks::uci_command(&text)?;
    }

    20_000: fn options(
        name in any::<Index>(),
        value in prop_oneof![
            text("-+0123456789.e"),
            mutate(select(vec!["true".to_owned(), "64".to_owned()]), UCI),
        ],
        given in any::<bool>(),
    ) {
        let mut settings = UciOptions::default();
        let name = OPTIONS[name.index(OPTIONS.len())].name;
        let set = settings.set(name, given.then_some(value.as_str()));
        if set.is_err() {
            prop_assert_eq!(&settings, &UciOptions::default(), "an error changes nothing");
        }
        let unchanged = settings.clone();
        let unknown = format!("{name}x");
        prop_assert!(settings.set(&unknown, Some(&value)).is_err());
        prop_assert_eq!(settings, unchanged);
    }

    20_000: fn replies(text in reply()) {
        checks::uci_reply(&text)?;
    }
}
