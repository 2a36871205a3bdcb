//! Round-trip and error tests for the records of chess and draughts games.

use adoube::base::rng::Rng;
use adoube::record::games::{Reader, Record, RecordError, Recorded};
use proptest::prelude::*;

pub fn games<G: Recorded>(text: impl AsRef<[u8]>) -> Vec<Result<Record<G>, RecordError<G>>> {
    Reader::new(text.as_ref()).collect()
}

pub fn game<G: Recorded>(text: impl AsRef<[u8]>) -> Record<G> {
    let mut games = games(text);
    assert_eq!(games.len(), 1, "one game: {games:#?}");
    games.remove(0).expect("a game without error")
}

/// Writes 300 games, each in both styles (`{}` and `{:#}`), and reads them back, first one by one
/// and then all from one text. Calls `check` with the written game, its text, and the game that was
/// read.
pub fn check_written_and_read<G: Recorded + Eq>(
    make: impl Fn(&mut Rng) -> Record<G>,
    seed: u64,
    check: impl Fn(&Record<G>, &str, &Record<G>),
) {
    let mut rng = Rng::new(seed);
    let (mut all, mut text) = (Vec::new(), String::new());
    for _ in 0..300 {
        let written = make(&mut rng);
        let once = written.to_string();
        let read = game::<G>(&once);
        assert_eq!(read.to_string(), once, "writing the game that was read");
        assert_eq!(read.line(), written.line(), "{once}");
        assert_eq!((read.start(), read.result), (written.start(), written.result));
        let other = format!("{written:#}");
        assert_eq!(game::<G>(&other), read, "the other style: {other}");
        check(&written, &once, &read);
        text.push_str(&once);
        all.push(read);
    }
    let read: Vec<_> = games::<G>(&text).into_iter().map(|g| g.expect("our own text")).collect();
    assert_eq!(read, all, "all in one file");
}

pub fn check_results<G: Recorded>(cases: &[(&str, &[G::Result])]) {
    for &(text, expected) in cases {
        let games = games::<G>(text).into_iter();
        let results: Vec<G::Result> = games.map(|g| g.expect(text).result).collect();
        assert_eq!(results, expected, "{text}");
    }
}

/// Checks texts with one error each: the error message must begin as expected, and the following
/// game of two moves must still be read.
pub fn check_errors<G: Recorded>(cases: &[(&str, &str)], moves: &str) {
    for (text, expected) in cases {
        let games = games::<G>(format!("{text}\n\n[Event \"next\"]\n\n{moves}\n"));
        let [Err(error), Ok(next)] = &games[..] else { panic!("{text}: {games:?}") };
        assert!(error.to_string().starts_with(expected), "{text}: {error}");
        assert_eq!((next.tag("Event"), next.moves().count()), (Some("next"), 2), "{text}");
    }
}

/// Checks that the size of a game is limited, because a game takes much more memory than its text.
/// `moves` are the two numbered moves of the following game, which must still be read.
pub fn check_bounds<G: Recorded>(first: &str, moves: &str) {
    let next = format!("\n\n[Event \"next\"]\n\n{moves}\n");
    let variations = format!("1. {first} {}", format!("({first})").repeat(150_000));
    let comments = "{a}".repeat(300_000);
    let glyphs = format!("1. {first} {}", "$1".repeat(300_000));
    let tags: String = (0..2000).map(|n| format!("[T{n} \"\"]\n")).collect();
    for (text, what) in [
        (variations, "a game has at most 262144 moves, comments, glyphs and variations"),
        (comments, "a game has at most 262144 moves"),
        (glyphs, "a game has at most 262144 moves"),
        (tags, "a game has at most 1000 tags"),
    ] {
        let games = games::<G>(text + &next);
        let [Err(error), Ok(next)] = &games[..] else { panic!("{what}: {} games", games.len()) };
        assert!(error.to_string().contains(what), "{error}");
        assert_eq!(next.moves().count(), 2);
    }
    let many = format!("1. {first} {}", format!("({first})").repeat(100_000));
    assert_eq!(game::<G>(many).line().moves[0].variations.len(), 100_000);
}

/// Returns the texts of fifty games, each shorter than 1500 bytes.
pub fn short_games<G: Recorded>(make: impl Fn(&mut Rng) -> Record<G>, seed: u64) -> Vec<String> {
    let mut rng = Rng::new(seed);
    let texts = std::iter::repeat_with(|| make(&mut rng).to_string());
    texts.filter(|text| text.len() < 1500).take(50).collect()
}

/// Returns the length of a message in characters. An escaped character such as `\u{7f}` counts as
/// one character.
pub fn visible_length(message: &str) -> usize {
    let is_code = |code: &&str| !code.is_empty() && code.bytes().all(|b| b.is_ascii_hexdigit());
    let codes = message.split("\\u{").skip(1).filter_map(|rest| Some(rest.split_once('}')?.0));
    message.chars().count() - codes.filter(is_code).map(|code| 3 + code.len()).sum::<usize>()
}

/// Reads arbitrary bytes, and checks that each game survives a round trip. `same` compares two
/// positions. The visible length of error messages must be less than `max_chars`.
pub fn check_bytes<G: Recorded + Eq>(
    bytes: &[u8],
    same: impl Fn(&G, &G) -> bool,
    max_chars: usize,
) -> Result<(), TestCaseError> {
    let lines = 1 + bytes.iter().filter(|byte| matches!(byte, b'\n' | b'\r')).count() as u64;
    for (results, result) in Reader::<G, _>::new(bytes).enumerate() {
        prop_assert!(results < bytes.len(), "reading comes to an end");
        match result {
            Ok(game) => {
                for once in [game.to_string(), format!("{game:#}")] {
                    let again: Vec<_> =
                        games::<G>(&once).into_iter().map_while(Result::ok).collect();
                    prop_assert_eq!(again.len(), 1, "{}", once);
                    prop_assert_eq!(again[0].to_string(), game.to_string());
                    prop_assert!(same(again[0].position(), game.position()), "{}", once);
                    prop_assert!(same(again[0].start(), game.start()), "{}", once);
                    prop_assert_eq!(again[0].result, game.result);
                }
            }
            Err(error) => {
                prop_assert!(!error.faults.is_empty());
                for fault in &error.faults {
                    prop_assert!(fault.line >= 1 && fault.line <= lines && fault.column >= 1);
                    prop_assert!(visible_length(&fault.to_string()) < max_chars, "{}", fault);
                }
                if let Some(game) = error.game {
                    let once = game.to_string();
                    let again = games::<G>(&once).into_iter().next().and_then(Result::ok);
                    prop_assert_eq!(again.map(|game| game.to_string()), Some(once));
                }
            }
        }
    }
    Ok(())
}

/// Checks that a game is still read after arbitrary text. `moves` are the moves of this game.
pub fn check_next<G: Recorded>(text: &str, moves: &str) -> Result<(), TestCaseError> {
    let last = games::<G>(format!("{text}\n\n[Event \"next\"]\n\n{moves}\n")).pop();
    let last = last.and_then(Result::ok);
    let name = last.as_ref().and_then(|game| game.tag("Event"));
    prop_assert_eq!(name, Some("next"));
    Ok(())
}
