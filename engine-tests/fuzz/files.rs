//! Fuzz targets for files: score sheets, engine descriptions, training games, sealed-move
//! envelopes.

use crate::support::checks;
use crate::support::strokes::{fuzz, mutate, text};
use adoube::arena::engine::entrant::Description;
use adoube::base::rng::Rng;
use adoube::chess::notation::Notation;
use adoube::draughts::sheet::Numeric;
use adoube::record::games::{Record, Recorded};
use adoube::record::selfplay::{Game, Ply, Writer};
use adoube::record::sheet::{self, Sheet};
use adoube::tools::envelope::{ArbiterKey, Envelope, Outside};
use adoube::{chess, draughts};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use std::sync::LazyLock;

const SHEET: &str = "abcdefgh12345678NBRQKOxCDTF.:?!+-=()—0 \n\t";
const TOML: &str = "abc=\"'{}[].,-+:/\\0123456789 \n#_";

static SHEETS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let notations = [
        "san",
        "fr",
        "de:long",
        "fr:1928",
        "fr:1930",
        "figurine",
        "descriptive:en",
        "descriptive:fr",
        "spoken",
    ];
    let mut rng = Rng::new(31);
    let chess = notations.map(|name| {
        let notation: Notation = name.parse().expect("a notation");
        Sheet::of(&game::<chess::Position>(&mut rng), notation).to_string()
    });
    let draughts =
        [(); 3].map(|()| Sheet::of(&game::<draughts::Position>(&mut rng), Numeric).to_string());
    [&chess[..], &draughts].concat()
});

fn game<P: Recorded>(rng: &mut Rng) -> Record<P> {
    let mut game = Record::<P>::new();
    for _ in 0..30 {
        let moves = game.position().moves();
        let Some(&m) = moves.get(rng.below(moves.len().max(1))) else { break };
        game.push(m, ["", "(=)", "[%clk 1:02:03]"][rng.below(3)]).expect("legal");
    }
    game
}

fn records(games: usize, rng: &mut Rng) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, &checks::settings("chess")).expect("a vector");
    for number in 0..games {
        let plies: Vec<Ply> = (0..rng.below(80))
            .map(|_| Ply {
                code: rng.below(4096) as u16,
                score: (rng.below(3) > 0).then(|| rng.below(4000) as i16 - 2000),
            })
            .collect();
        let start = ["", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "W:W31-50:B1-20", "?"][rng.below(4)];
        let half_points = Some(rng.below(4) as u8).filter(|&half_points| half_points < 3);
        let (number, start) = (number as u64, start.to_owned());
        let game = Game { number, half_points, start, plies };
        writer.push(&game).expect("a vector");
    }
    writer.flush().expect("a vector");
    bytes
}

static KEY: LazyLock<ArbiterKey> = LazyLock::new(ArbiterKey::generate);

static ENVELOPE: LazyLock<Envelope> = LazyLock::new(|| {
    let outside = Outside {
        white: "Anna".to_owned(),
        black: "Boris \"B\"".to_owned(),
        position: chess::Position::start().fen(),
        white_clock: Some("1:02:03".to_owned()),
        black_clock: None,
        draw_offer: true,
        resumption: Some("tomorrow\n".to_owned()),
        notation: "fr".to_owned(),
    };
    Envelope::close(outside, &KEY.public(), "Cf3").expect("closed")
});

fuzz! {
    1_000: fn sheets(text in prop_oneof![
        1 => text(SHEET),
        6 => mutate(select(SHEETS.clone()), SHEET),
    ]) {
        checks::sheets(&text)?;
    }

    5_000: fn engine_files(text in mutate(select(vec![
        "[each]\ntc = \"2+0.02\"\noptions = { Hash = 64 }\n\n[[engine]]\ncmd = \"a 'b c'\"\n[engine.options]\nA = 2.5\n".to_owned(),
        "[[engine]]\nname = \"x\"\ncmd = \"y\"\nproto = \"hub\"\nponder = true\n[[engine]]\ncmd = \"z\"\nnodes = 100".to_owned(),
        "[[engine]]\ncmd = \"y\"\ndir = \"/tmp\"\nmovetime = 100\ndepth = 9".to_owned(),
    ]), TOML)) {
        match Description::from_toml(&text) {
            Ok(engines) => {
                for engine in engines {
                    let (_, _) = (engine.control(), engine.entrant());
                }
            }
            Err(error) => prop_assert!(error.to_string().contains("line "), "{}", error),
        }
    }

    5_000: fn engine_arguments(text in mutate(select(vec![
        "cmd=a 'b c',name=d\\,e,tc=40/60+1:20/30,ponder=true,option.Hash=64".to_owned(),
        "cmd=a,dir=/tmp,proto=dxp,nodes=100,depth=9,movetime=100".to_owned(),
    ]), TOML)) {
        match Description::from_text(&text) {
            Ok(engine) => {
                let (_, _) = (engine.control(), engine.entrant());
            }
            Err(error) => prop_assert!(error.to_string().chars().count() < 500, "{}", error),
        }
    }

    2_000: fn training_games(
        seed in any::<u64>(),
        games in 0..20_usize,
        strokes in prop::collection::vec((any::<Index>(), 0..4_u8, any::<u8>()), 0..6),
        sealed in any::<bool>(),
    ) {
        let mut bytes = records(games, &mut Rng::new(seed));
        for (at, stroke, byte) in strokes {
            let at = at.index(bytes.len() + 1);
            match stroke {
                0 => bytes.insert(at, byte),
                1 if at < bytes.len() => bytes[at] = byte,
                2 if at < bytes.len() => drop(bytes.remove(at)),
                3 => bytes.truncate(at),
                _ => {}
            }
        }
        if sealed {
            checks::seal_training_games(&mut bytes);
        }
        checks::training_games(&bytes)?;
    }

    500: fn envelopes(text in mutate(Just(ENVELOPE.to_string()), "0123456789abcdef\"= \nwhitepostn_-")) {
        if let Ok(envelope) = text.parse::<Envelope>() {
            if let Ok(written) = envelope.open(&KEY) {
                prop_assert_eq!((&envelope.outside, &*written), (&ENVELOPE.outside, "Cf3"));
            }
            prop_assert_eq!(envelope.to_string().parse::<Envelope>(), Ok(envelope));
        }
    }
}

/// Sanity check: every sample sheet parses as a game.
#[test]
fn sample_sheets_are_games() {
    for text in SHEETS.iter() {
        let san: Notation = "san".parse().expect("a notation");
        let mut chess = sheet::Reader::<chess::Position, _, _>::new(text.as_bytes(), san);
        let replayed =
            chess.next().is_some_and(|s| s.is_ok_and(|s| s.replay::<chess::Position>().is_ok()));
        let mut draughts = sheet::Reader::<draughts::Position, _, _>::new(text.as_bytes(), Numeric);
        let other = draughts
            .next()
            .is_some_and(|s| s.is_ok_and(|s| s.replay::<draughts::Position>().is_ok()));
        assert!(replayed || other, "{text}");
    }
}
