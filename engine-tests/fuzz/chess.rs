//! Fuzz targets for chess: FEN, EPD, moves, PGN.

use crate::support::checks;
use crate::support::chess_samples as samples;
use crate::support::corpus;
use crate::support::records::{check_next, short_games};
use crate::support::strokes::{fuzz, mutate, text};
use adoube::chess::Position;
use adoube::chess::fen::Style;
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
        checks::chess_fen(&text)?;
    }

    20_000: fn epd(text in epd_like()) {
        checks::chess_epd(&text)?;
    }

    20_000: fn san((position, text) in san_like()) {
        checks::chess_move(position, &text)?;
    }
}

const PGN: &str = "[]\"(){};%$*.!?1234/0-+#=xNBRQKOabcdefgh \n\r\\";

fuzz! {
    1500: fn pgn_text(text in prop_oneof![
        1 => text(PGN),
        4 => mutate(any::<Index>().prop_map(|at| at.get(&GAMES).clone()), PGN),
    ]) {
        checks::pgn(text.as_bytes())?;
        check_next::<Position>(&text, "1. d4 d5 1/2-1/2")?;
    }

    1500: fn pgn_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        checks::pgn(&bytes)?;
    }
}
