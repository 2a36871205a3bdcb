//! Fuzz targets for draughts: FEN, Hub positions, EPD, moves, PDN.

use crate::support::checks;
use crate::support::corpus;
use crate::support::draughts_samples as samples;
use crate::support::records::{check_next, short_games};
use crate::support::strokes::{fuzz, mutate, text};
use adoube::draughts::notation;
use adoube::draughts::{Position, hub};
use proptest::prelude::*;
use proptest::sample::Index;
use std::sync::LazyLock;

static POSITIONS: LazyLock<Vec<Position>> = LazyLock::new(|| {
    let mut positions = samples::random(10, 21);
    positions.extend(samples::crowded(1000, 22));
    positions
});

static GAMES: LazyLock<Vec<String>> = LazyLock::new(|| short_games(samples::annotated_game, 23));

fn position() -> impl Strategy<Value = &'static Position> {
    any::<Index>().prop_map(|index| index.get(&POSITIONS))
}

const FEN: &str = "WBKwbk0123456789,:-.HF ";
const HUB: &str = "WBwbe ";
const MOVE: &str = "0123456789-x: *";
const PDN: &str = "[]\"(){};%$*.!?1234567890/-x:abEV \n\r\\";

fn fen_like() -> impl Strategy<Value = String> {
    let valid = (position(), any::<Index>()).prop_map(|(position, at)| {
        let suffixes = ["", ".", ":H3:F40", ":F7"];
        format!("{position}{}", at.get(&suffixes))
    });
    let corpus = corpus::fens("draughts");
    prop_oneof![1 => text(FEN), 6 => mutate(valid, FEN), 3 => mutate(corpus, FEN)]
}

fn hub_like() -> impl Strategy<Value = String> {
    let valid = position().prop_map(|position| hub::write(position).to_string());
    prop_oneof![1 => text(HUB), 6 => mutate(valid, HUB)]
}

fn epd_like() -> impl Strategy<Value = String> {
    let valid = (position(), any::<Index>()).prop_map(|(position, at)| {
        let operations = ["bm 32-28; id \"a b\";", ";D1 9 ;D2 81", "moves;", ""];
        format!("{position} {}", at.get(&operations))
    });
    const EPD: &str = "abmid \";0123456789_:-WBK\n";
    prop_oneof![1 => text(FEN), 6 => mutate(valid, EPD), 6 => mutate(corpus::epd("draughts"), EPD)]
}

fn move_like() -> impl Strategy<Value = (&'static Position, String)> {
    let valid = (position(), any::<Index>(), any::<Index>(), 0..4).prop_map(
        |(position, at, route, form)| {
            let moves = position.legal_moves();
            let m = moves.get(at.index(moves.len().max(1)));
            let text = m.map_or(String::new(), |&m| {
                let routes = notation::routes(position, m);
                match (form, routes.get(route.index(routes.len().max(1)))) {
                    (0, _) => format!("{m:#}"),
                    (1, Some(route)) => {
                        let squares: Vec<_> = route.iter().map(ToString::to_string).collect();
                        format!("{}x{}", m.from(), squares.join("x"))
                    }
                    (2, _) => notation::pdn(position, m),
                    _ => m.to_string(),
                }
            });
            (position, text)
        },
    );
    prop_oneof![
        1 => (position(), text(MOVE)),
        6 => valid.prop_flat_map(|(position, text)| (Just(position), mutate(Just(text), MOVE))),
    ]
}

fuzz! {
    20_000: fn fen(text in fen_like()) {
        checks::draughts_fen(&text)?;
    }

    20_000: fn hub_positions(text in hub_like()) {
        checks::hub_position(&text)?;
    }

    20_000: fn epd(text in epd_like()) {
        checks::draughts_epd(&text)?;
    }

    20_000: fn moves((position, text) in move_like()) {
        checks::draughts_move(position, &text)?;
    }
}

fuzz! {
    1500: fn pdn_text(text in prop_oneof![
        1 => text(PDN),
        4 => mutate(any::<Index>().prop_map(|at| at.get(&GAMES).clone()), PDN),
        2 => mutate(corpus::pdn(), PDN),
    ]) {
        checks::pdn(text.as_bytes())?;
        check_next::<Position>(&text, "1. 32-28 19-23 1-1")?;
    }

    1500: fn pdn_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        checks::pdn(&bytes)?;
    }
}
