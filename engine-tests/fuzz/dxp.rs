//! Fuzz targets for DXP messages.

use crate::support::checks;
use crate::support::draughts_samples as samples;
use crate::support::strokes::{fuzz, mutate, text};
use adoube::draughts::{Position, hub};
use adoube::protocol::dxp::message::{Message, TimedMove};
use proptest::prelude::*;
use proptest::sample::Index;
use std::sync::LazyLock;

static POSITIONS: LazyLock<Vec<Position>> = LazyLock::new(|| samples::random(10, 21));

fn position() -> impl Strategy<Value = &'static Position> {
    any::<Index>().prop_map(|index| index.get(&POSITIONS))
}

const DXP: &str = "RAMECBK0123456789WZwze ";

fn message() -> impl Strategy<Value = (&'static Position, String)> {
    let valid = (position(), any::<Index>(), 0..8).prop_map(|(position, at, form)| {
        let moves = position.legal_moves();
        let text = match (form, moves.get(at.index(moves.len().max(1)))) {
            (0, _) => format!("R01{:32}W060075A", "Somebody"),
            (1, _) => {
                let mut request = format!("R01{:32}Z000000B", "Somebody");
                let hub = hub::write(position).to_string();
                request.push_str(&hub.replace('b', "z").replace('B', "Z"));
                request
            }
            (2, _) => format!("A{:32}0", "Somebody"),
            (3, _) => "E20".to_owned(),
            (4, _) => "CHello there".to_owned(),
            (5, _) => ["B012W", "K1"][at.index(2)].to_owned(),
            (_, Some(&m)) => Message::Move(TimedMove::new(m, 12)).to_string(),
            (_, None) => "M0000322800".to_owned(),
        };
        (position, text)
    });
    prop_oneof![
        1 => (position(), text(DXP)),
        6 => valid.prop_flat_map(|(position, text)| (Just(position), mutate(Just(text), DXP))),
    ]
}

fuzz! {
    20_000: fn messages((position, text) in message()) {
        checks::dxp_message(position, &text)?;
    }

    20_000: fn bytes(
        texts in proptest::collection::vec(message(), 0..4),
        bytes in proptest::collection::vec(any::<u8>(), 0..300),
    ) {
        let sent: String = texts.iter().map(|(_, text)| format!("{text}\0")).collect();
        let sent = [sent.as_bytes(), &bytes].concat();
        checks::dxp_stream(&sent)?;
    }
}
