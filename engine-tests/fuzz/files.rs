//! Fuzz targets for files: score sheets, engine descriptions, training games, sealed-move
//! envelopes.

use crate::support::strokes::{fuzz, mutate, text};
use adoube::arena::engine::entrant::Description;
use adoube::base::rng::Rng;
use adoube::chess::notation::Notation;
use adoube::draughts::sheet::Numeric;
use adoube::record::games::{Record, Recorded};
use adoube::record::selfplay::{Block, Game, GenerationSettings, Ply, Reader, Writer};
use adoube::record::sheet::{self, Notate, Sheet};
use adoube::tools::datagen::positions;
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

/// Checks all sheets in a text: nothing panics, errors have a line number, and accepted sheets
/// survive a round trip.
fn check_sheets<P: Recorded, N: Notate<P> + PartialEq + std::fmt::Debug + std::fmt::Display>(
    text: &str,
    notation: N,
) -> Result<(), TestCaseError> {
    let lines = text.lines().count() as u64;
    for read in sheet::Reader::<P, N, _>::new(text.as_bytes(), notation) {
        let sheet = match read {
            Ok(sheet) => sheet,
            Err(error) => {
                prop_assert!((1..=lines).contains(&error.line), "{}", error);
                prop_assert!(error.to_string().chars().count() < 500, "{}", error);
                continue;
            }
        };
        let written = sheet.to_string();
        let again: Vec<_> = sheet::Reader::<P, N, _>::new(written.as_bytes(), notation).collect();
        let [Ok(again)] = &again[..] else {
            return Err(TestCaseError::fail(format!("{written}: {again:?}")));
        };
        prop_assert_eq!(again.to_string(), written);
        if let Ok(game) = sheet.replay::<P>() {
            prop_assert!(again.replay::<P>().is_ok_and(|again| again.line() == game.line()));
        }
    }
    Ok(())
}

fn settings(game: &str) -> GenerationSettings {
    let (game, program) = (game.to_owned(), "a test".to_owned());
    let variant = String::new();
    GenerationSettings { game, variant, program, signature: 1, nodes: 1000, seed: 7, chess960: 10 }
}

fn records(games: usize, rng: &mut Rng) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, &settings("chess")).expect("a vector");
    for number in 0..games {
        let plies: Vec<Ply> = (0..rng.below(80))
            .map(|_| Ply {
                code: rng.below(4096) as u16,
                score: (rng.below(3) > 0).then(|| rng.below(4000) as i16 - 2000),
            })
            .collect();
        let start = ["", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "W:W31-50:B1-20", "?"][rng.below(4)];
        let half_points = rng.below(3) as u8;
        let (number, start) = (number as u64, start.to_owned());
        let game = Game { number, half_points, start, plies };
        writer.push(&game).expect("a vector");
    }
    writer.flush().expect("a vector");
    bytes
}

/// Repairs the checksum of everything that looks like a block of training games, as an attacker
/// would.
fn seal(bytes: &mut [u8]) {
    for at in 0..bytes.len().saturating_sub(13) {
        let Some(&[b'A', b'G', b'R', b'1', kind, a, b, c, d]) = bytes[at..].first_chunk() else {
            continue;
        };
        let length = [a, b, c, d];
        if let Some(body) = bytes[at + 13..].get(..u32::from_le_bytes(length) as usize) {
            let mut hasher = crc32fast::Hasher::new();
            hasher.update(&[kind]);
            hasher.update(&length);
            hasher.update(body);
            let sum = hasher.finalize();
            bytes[at + 9..at + 13].copy_from_slice(&sum.to_le_bytes());
        }
    }
}

fn blocks(bytes: &[u8]) -> Vec<Block> {
    Reader::new(bytes).filter_map(Result::ok).collect()
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
        check_sheets::<chess::Position, _>(&text, "san".parse::<Notation>().expect("a notation"))?;
        check_sheets::<draughts::Position, _>(&text, Numeric)?;
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
            seal(&mut bytes);
        }
        let mut end = 0;
        for block in Reader::new(&bytes[..]) {
            if let Err(adoube::record::selfplay::ReadError::Damaged { from, to }) = block {
                prop_assert!(end <= from && from < to && to <= bytes.len() as u64);
                end = to;
            }
        }
        let games: Vec<Game> = blocks(&bytes).into_iter().filter_map(|block| match block {
            Block::Games(games) => Some(games),
            Block::Settings(_) => None,
        }).flatten().collect();
        for game in &games {
            let _ = positions::<chess::Position>(game, |_, _| {});
            let _ = positions::<draughts::Position>(game, |_, _| {});
        }
        let mut again = Vec::new();
        let mut writer = Writer::new(&mut again, &settings("chess")).expect("a vector");
        games.iter().for_each(|game| writer.push(game).expect("a vector"));
        writer.flush().expect("a vector");
        let read = blocks(&again).into_iter().filter_map(|block| match block {
            Block::Games(games) => Some(games),
            Block::Settings(_) => None,
        });
        prop_assert!(read.flatten().eq(games));
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
