//! The parsers against what nobody should send them: arbitrary text and bytes, and valid text with
//! a few wrong strokes. Nothing panics, an error is short, what is accepted means the same when it
//! is written and read again, and what is refused changes nothing.

use crate::support::chess_samples as samples;
use crate::support::records::{check_bytes, check_next, short_games};
use crate::support::strokes::{cases, mutate, text};
use adoube::chess::epd::Epd;
use adoube::chess::fen::Style;
use adoube::chess::moves::MoveError;
use adoube::chess::setup::Setup;
use adoube::chess::{Move, Position};
use adoube::protocol::uci::command::{Command, Go};
use adoube::protocol::uci::option::{OPTIONS, Settings};
use proptest::prelude::*;
use proptest::sample::Index;
use std::sync::LazyLock;

static POSITIONS: LazyLock<Vec<Position>> = LazyLock::new(|| {
    let mut positions = samples::random(20, 150, 11);
    positions.extend(samples::crowded(200, 12));
    positions
});

static GAMES: LazyLock<Vec<String>> = LazyLock::new(|| short_games(samples::annotated_game, 13));

fn position() -> impl Strategy<Value = &'static Position> {
    any::<Index>().prop_map(|index| index.get(&POSITIONS))
}

const FEN: &str = "pnbrqkPNBRQK12345678/ -wabcdefgh0+;\"\t";

fn fen_like() -> impl Strategy<Value = String> {
    let valid = (position(), any::<bool>()).prop_map(|(position, shredder)| {
        position.fen_in(if shredder { Style::Shredder } else { Style::XFen })
    });
    prop_oneof![1 => text(FEN), 6 => mutate(valid, FEN)]
}

fn epd_like() -> impl Strategy<Value = String> {
    let valid = (position(), any::<Index>()).prop_map(|(position, at)| {
        let operations =
            ["bm Nf3 e4; id \"a b\";", ";D1 20 ;D2 400", "hmvc 5; fmvn 7; pv a b", "0 1"];
        format!("{} {}", position.epd_in(Style::XFen), at.get(&operations))
    });
    prop_oneof![1 => text(FEN), 6 => mutate(valid, "abmid \";0123456789_+-hvcf\n")]
}

const SAN: &str = "NBRQKOnbrqko0abcdefghx12345678=-+#!?()/.:pP ";

fn san_like() -> impl Strategy<Value = (&'static Position, String)> {
    let valid = (position(), any::<Index>(), 0..3).prop_map(|(position, at, form)| {
        let moves = position.legal_moves();
        let m = moves.get(at.index(moves.len().max(1)));
        let text = m.map_or(String::new(), |&m| match form {
            0 => position.san(m),
            1 => position.uci(m, true),
            _ => position.uci(m, false),
        });
        (position, text)
    });
    prop_oneof![
        1 => (position(), text(SAN)),
        6 => valid.prop_flat_map(|(position, text)| (Just(position), mutate(Just(text), SAN))),
    ]
}

proptest! {
    #![proptest_config(cases(20_000))]

    #[test]
    fn fen(text in fen_like()) {
        match text.parse::<Position>() {
            Ok(position) => {
                prop_assert_eq!(position.fen().parse(), Ok(position.clone()));
                let shredder = position.fen_in(Style::Shredder);
                prop_assert_eq!(shredder.parse(), Ok(position.clone()));
                prop_assert!(text.parse::<Setup>().is_ok());
                prop_assert!(position.perft(1) <= 320);
            }
            Err(error) => prop_assert!(error.to_string().chars().count() < 200, "{}", error),
        }
    }

    #[test]
    fn epd(text in epd_like()) {
        match text.parse::<Epd>() {
            Ok(epd) => prop_assert_eq!(epd.to_string().parse::<Epd>(), Ok(epd)),
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }

    #[test]
    fn san((position, text) in san_like()) {
        let strict = position.parse_san(&text);
        let lenient = position.parse_san_lenient(&text);
        if let Ok(m) = strict {
            prop_assert_eq!(&lenient, &Ok(m));
            prop_assert!(text.trim_end_matches(['!', '?']).starts_with(
                position.san(m).trim_end_matches(['+', '#'])));
        }
        match lenient {
            Ok(m) => {
                prop_assert!(position.is_legal(m));
                prop_assert_eq!(position.parse_san(&position.san(m)), Ok(m));
            }
            Err(MoveError::Ambiguous { candidates, .. }) => {
                let moves: Vec<Move> =
                    candidates.iter().flat_map(|text| position.parse_san(text)).collect();
                prop_assert!(moves.len() == candidates.len() && moves.len() > 1);
            }
            Err(error) => prop_assert!(error.to_string().chars().count() < 250, "{}", error),
        }
        if let Ok(m) = position.parse_uci(&text) {
            prop_assert!(position.is_legal(m));
            prop_assert_eq!(position.parse_uci(&position.uci(m, true)), Ok(m));
            prop_assert_eq!(position.parse_san_lenient(&text), Ok(m), "UCI moves are read too");
        }
    }
}

const PGN: &str = "[]\"(){};%$*.!?1234/0-+#=xNBRQKOabcdefgh \n\r\\";

fn check_pgn(bytes: &[u8]) -> Result<(), TestCaseError> {
    check_bytes::<Position>(bytes, Position::eq, 300)
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn pgn_text(text in prop_oneof![
        1 => text(PGN),
        4 => mutate(any::<Index>().prop_map(|at| at.get(&GAMES).clone()), PGN),
    ]) {
        check_pgn(text.as_bytes())?;
        check_next::<Position>(&text, "1. d4 d5 1/2-1/2")?;
    }

    #[test]
    fn pgn_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        check_pgn(&bytes)?;
    }
}

const UCI: &str = "abcdefghijklmnopqrstuvwxyz 0123456789-/\t";

fn uci_like() -> impl Strategy<Value = String> {
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
    prop_oneof![1 => text(UCI), 6 => mutate(proptest::sample::select(lines.map(str::to_owned).to_vec()), UCI)]
}

proptest! {
    #![proptest_config(cases(20_000))]

    #[test]
    fn uci_lines(text in uci_like()) {
        match Command::parse(&text) {
            Ok(Some(command)) => {
                let line = command.to_string();
                // Unknown words are not written.
                let command = match command {
                    Command::Go(go) => Command::Go(Go { unknown: Vec::new(), ..go }),
                    command => command,
                };
                prop_assert_eq!(Command::parse(&line), Ok(Some(command)), "{}", line);
            }
            Ok(None) => prop_assert!(text.trim().is_empty()),
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }

    #[test]
    fn uci_options(
        name in any::<Index>(),
        value in prop_oneof![
            text("-+0123456789.e"),
            mutate(proptest::sample::select(vec!["true".to_owned(), "64".to_owned()]), UCI),
        ],
        given in any::<bool>(),
    ) {
        let mut settings = Settings::default();
        let name = OPTIONS[name.index(OPTIONS.len())].name;
        let set = settings.set(name, given.then_some(value.as_str()));
        if set.is_err() {
            prop_assert_eq!(&settings, &Settings::default(), "an error changes nothing");
        }
        let known = settings.clone();
        let unknown = format!("{name}x");
        prop_assert!(settings.set(&unknown, Some(&value)).is_err());
        prop_assert_eq!(settings, known);
    }
}
