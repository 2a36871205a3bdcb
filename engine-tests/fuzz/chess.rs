//! Fuzz targets for chess: FEN, EPD, moves, PGN.

use crate::support::chess_samples as samples;
use crate::support::corpus;
use crate::support::records::{check_bytes, check_next, short_games};
use crate::support::strokes::{fuzz, mutate, text};
use adoube::chess::epd::Epd;
use adoube::chess::fen::Style;
use adoube::chess::moves::MoveError;
use adoube::chess::setup::Setup;
use adoube::chess::{Move, Position};
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
    prop_oneof![1 => text(FEN), 6 => mutate(valid, FEN), 3 => mutate(corpus::fens("chess"), FEN)]
}

fn epd_like() -> impl Strategy<Value = String> {
    let valid = (position(), any::<Index>()).prop_map(|(position, at)| {
        let operations =
            ["bm Nf3 e4; id \"a b\";", ";D1 20 ;D2 400", "hmvc 5; fmvn 7; pv a b", "0 1"];
        format!("{} {}", position.epd_in(Style::XFen), at.get(&operations))
    });
    const EPD: &str = "abmid \";0123456789_+-hvcf\n";
    prop_oneof![1 => text(FEN), 6 => mutate(valid, EPD), 6 => mutate(corpus::epd("chess"), EPD)]
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

fuzz! {
    20_000: fn fen(text in fen_like()) {
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

    20_000: fn epd(text in epd_like()) {
        match text.parse::<Epd>() {
            Ok(epd) => prop_assert_eq!(epd.to_string().parse::<Epd>(), Ok(epd)),
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }

    20_000: fn san((position, text) in san_like()) {
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
            prop_assert_eq!(position.parse_san_lenient(&text), Ok(m), "accepts UCI moves too");
        }
    }
}

const PGN: &str = "[]\"(){};%$*.!?1234/0-+#=xNBRQKOabcdefgh \n\r\\";

fn check_pgn(bytes: &[u8]) -> Result<(), TestCaseError> {
    check_bytes::<Position>(bytes, Position::eq, 300)
}

fuzz! {
    1500: fn pgn_text(text in prop_oneof![
        1 => text(PGN),
        4 => mutate(any::<Index>().prop_map(|at| at.get(&GAMES).clone()), PGN),
    ]) {
        check_pgn(text.as_bytes())?;
        check_next::<Position>(&text, "1. d4 d5 1/2-1/2")?;
    }

    1500: fn pgn_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        check_pgn(&bytes)?;
    }
}
