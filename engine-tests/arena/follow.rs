//! Match output other than the result table: JSON events, line logs, ratings and cross table.

use crate::support::mocks::{HUB, Match, UCI};
use crate::support::runs::events;
use adoube::arena::show::events::JsonEvent;
use adoube::base::game::MoveForm;
use adoube::record::games::{Reader, Record, Recorded};
use flate2::read::MultiGzDecoder;
use std::fs;
use std::io::Read;
use std::path::Path;

const SHORT: [&str; 10] = [
    "--games",
    "4",
    "--concurrency",
    "2",
    "--tc",
    "10+1",
    "--openings",
    "random:4",
    "--max-moves",
    "15",
];

/// Checks that the events cover every game completely: the moves lead from the first position to
/// the last, as in the game records.
fn check_events<G: Recorded>(played: &Match, path: &Path) {
    let events = events(path);
    let started =
        |event: &JsonEvent| matches!(event, JsonEvent::MatchStarted { games: 4, played: 0, .. });
    let ended = JsonEvent::MatchEnded { games: 4, interrupted: false };
    assert!(started(&events[0]) && events.last() == Some(&ended), "{events:?}");
    let mut records = 0;
    for record in Reader::<G, _>::new(played.games.as_bytes()) {
        let record: Record<G> = record.expect("a record");
        let number: usize = record.tag("Round").and_then(|n| n.parse().ok()).expect("a number");
        let (mut position, mut book) = (record.start().clone(), Vec::new());
        let mut moves = record.line().moves.iter();
        for node in moves.by_ref().take(4) {
            assert_eq!(node.comments[0], "book");
            position = position.after(node.m);
            book.push(node.m);
        }
        let (mut ended, mut clocks) = (false, 0);
        for event in &events {
            match event {
                JsonEvent::GameStarted { game, white, black, fen } if *game == number => {
                    assert_eq!(Some(white.as_str()), record.tag("White"));
                    assert_eq!(Some(black.as_str()), record.tag("Black"));
                    assert_eq!(*fen, position.to_fen());
                }
                JsonEvent::Move { game, text, fen, thought, clock, .. } if *game == number => {
                    let node = moves.next().expect("a move of the record");
                    assert_eq!(*text, position.write_move(node.m, MoveForm::Record));
                    position = position.after(node.m);
                    assert_eq!(*fen, position.to_fen());
                    assert_eq!((thought.depth, thought.mate), (1, None));
                    clocks += usize::from(clock.is_some_and(|left| left > 5.0 && left < 30.0));
                }
                JsonEvent::GameEnded { game, half_points, plies, .. } if *game == number => {
                    assert!(half_points.is_some() && !ended);
                    assert_eq!((*plies, moves.len()), (record.line().moves.len() - 4, 0));
                    assert_eq!(clocks, *plies);
                    ended = true;
                }
                _ => {}
            }
        }
        assert!(ended, "game {number}");
        records += 1;
    }
    assert_eq!(records, 4);
    let standings = events.iter().filter_map(|event| match event {
        JsonEvent::Standings { games, engines } => Some((*games, engines.len())),
        _ => None,
    });
    assert_eq!(standings.collect::<Vec<_>>(), [(1, 2), (2, 2), (3, 2), (4, 2)]);
    assert_eq!(events.iter().filter(|event| matches!(event, JsonEvent::Sprt { .. })).count(), 4);
}

#[test]
fn events_contain_every_game() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    for (mocks, name) in [(UCI, "chess.jsonl"), (HUB, "draughts.jsonl")] {
        let path = dir.path().join(name);
        let file = path.to_str().expect("UTF-8");
        let args = [&SHORT[..], &["--events", file, "--sprt", "elo0=0 elo1=5"]].concat();
        let played = mocks.play("random", "random", &args);
        if name == "chess.jsonl" {
            check_events::<adoube::chess::Position>(&played, &path);
        } else {
            check_events::<adoube::draughts::Position>(&played, &path);
        }
    }
}

#[test]
fn reports_crashes_as_events_and_logs_every_line() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let [events_file, log] = ["events.jsonl", "lines.gz"].map(|name| dir.path().join(name));
    let files = [&events_file, &log].map(|path| path.to_str().expect("UTF-8"));
    let args = [&SHORT[..], &["--events", files[0], "--log", files[1]]].concat();
    let played = UCI.play("random", "crash:3", &args);
    assert!(played.log().contains("out of cheese"));
    let events = events(&events_file);
    let restarts = events.iter().filter(
        |event| matches!(event, JsonEvent::EngineRestarted { engine, .. } if engine == "second"),
    );
    let ended = events.iter().filter(|event| !matches!(event, JsonEvent::Move { .. }));
    assert_eq!(restarts.count(), 4, "{:#?}\n{}", ended.collect::<Vec<_>>(), played.log());

    let mut text = String::new();
    let file = fs::File::open(&log).expect("a log");
    MultiGzDecoder::new(file).read_to_string(&mut text).expect("a whole compressed file");
    let count = |words: &[&str]| {
        text.lines().filter(|line| words.iter().all(|word| line.contains(word))).count()
    };
    for game in 1..=4 {
        let game = format!(" game {game} ");
        assert_eq!(count(&[&game, "second#", " > go "]), 3, "{text}");
        assert_eq!(count(&[&game, "second#", " < bestmove "]), 2);
        assert_eq!(count(&[&game, "second#", " < info depth 1"]), 2);
        assert_eq!(count(&[&game, "second#", " ! mock: out of cheese"]), 1);
    }
    assert!(count(&[" game - ", " > uci"]) >= 2, "engines are tested before the first game");
    let times: Vec<f64> = text
        .lines()
        .skip(1)
        .map(|line| line.split_whitespace().next().and_then(|t| t.parse().ok()).expect("a time"))
        .collect();
    assert!(times.windows(2).all(|pair| pair[0] < pair[1] + 1.0) && times[0] < 5.0);
}

/// A restart during a game is reported before the move that the engine then makes.
#[test]
fn reports_restarts_within_a_game() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let path = dir.path().join("events.jsonl");
    let file = path.to_str().expect("UTF-8");
    let args =
        ["--games", "2", "--nodes", "1", "--recover", "1", "--max-moves", "5", "--events", file];
    UCI.play("random", "crash:4", &args);
    let events = events(&path);
    let mut restarts = 0;
    for (event, next) in events.iter().zip(&events[1..]) {
        if let JsonEvent::EngineRestarted { game, engine, why } = event {
            assert!(engine == "second" && why.contains("ended"), "{event:?}");
            assert!(matches!(next, JsonEvent::Move { game: of, .. } if of == game), "{next:?}");
            restarts += 1;
        }
    }
    assert_eq!(restarts, 2);
}

/// A resumed match appends to its log, and so does a second match that uses the same log.
#[test]
fn never_overwrites_a_log() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let log = dir.path().join("lines.gz");
    let args = [&SHORT[..], &["--log", log.to_str().expect("UTF-8")]].concat();
    let lines = || {
        let mut text = String::new();
        let file = fs::File::open(&log).expect("a log");
        MultiGzDecoder::new(file).read_to_string(&mut text).expect("whole members");
        (text.lines().count(), text.matches("# begun").count())
    };
    UCI.play("random", "random", &args);
    let (first, begun) = lines();
    assert!(first > 100 && begun == 1);
    UCI.play("random", "random", &args);
    let (both, begun) = lines();
    assert!(both > first + 100 && begun == 2);
    let other = dir.path().join("lines.zst");
    let args = [&SHORT[..], &["--log", other.to_str().expect("UTF-8")]].concat();
    let played = UCI.play("random", "random", &args);
    assert!(
        played.log().contains("lines.zst: unsupported compression: use .gz"),
        "{}",
        played.log()
    );
    assert!(played.games.is_empty() && !other.exists());
}

#[test]
fn log_is_rotated_at_its_size_limit() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let log = dir.path().join("lines.log");
    let path = log.to_str().expect("UTF-8");
    let old = format!("{}\n", "x".repeat((1 << 20) - 100));
    for (size, rotated) in [("0", false), ("2", false), ("1", true)] {
        fs::write(&log, &old).expect("written");
        UCI.play("random", "random", &[&SHORT[..], &["--log", path, "--log-size", size]].concat());
        let (older, lines) = (dir.path().join("lines.log.1"), fs::read_to_string(&log));
        let (older, lines) = (fs::read_to_string(older).ok(), lines.expect("a log"));
        assert_eq!(older.is_some_and(|older| older.starts_with(&old)), rotated, "{size}");
        assert_eq!(lines.starts_with(&old), !rotated, "{size}");
        assert!(lines.contains("# begun ") && lines.contains(" > go "), "{size}");
    }
}

#[test]
fn reports_unwritable_files_before_the_first_game() {
    for flag in ["--events", "--log"] {
        let played = UCI.play("random", "random", &["--nodes", "1", flag, "/no/such/folder/file"]);
        assert!(played.log().contains("/no/such/folder/file: "), "{}", played.log());
        assert!(played.games.is_empty() && played.report().is_empty());
    }
    if cfg!(target_os = "linux") {
        let args = [&SHORT[..], &["--events", "/dev/full"]].concat();
        let played = UCI.play("random", "random", &args);
        assert!(played.log().contains("/dev/full: "), "{}", played.log());
        assert!(played.games.matches("[Result ").count() < 4, "the match was played to the end");
    }
}

#[test]
fn tournaments_have_ratings_and_a_cross_table() {
    let engines = [("a", "lie"), ("b", "random"), ("c", "lie")];
    let engines = engines.map(|(name, behaviour)| UCI.describe(name, behaviour));
    let args = ["--games", "6", "--nodes", "1", "--openings", "random:4", "--max-moves", "20"];
    let played = Match::play(&engines, &[&args[..], &["--anchor", "c"]].concat());
    let report = played.report();
    let cells = |line: &str| line.split('|').map(|c| c.trim().to_owned()).collect::<Vec<_>>();
    let row = |start: &str| report.lines().find(|line| line.starts_with(start)).map(cells);
    assert_eq!(row("| # ").expect("a head")[1..6], ["#", "engine", "1", "2", "3"]);
    assert_eq!(row("| 1 ").expect("the first")[1..6], ["1", "b", "·", "6/6", "6/6"]);
    let second = row("| 2 ").expect("the second");
    assert_eq!((second[3].as_str(), second[5].as_str()), ("0/6", "3/6"));
    let anchored = row("| c ").expect("c");
    assert!(anchored[7].starts_with("+0.0 ±0.0"), "{report}");
    let rating: f64 =
        row("| b ").expect("b")[7].split(' ').next().expect("a rating").parse().expect("a number");
    assert!(rating > 100.0, "{report}");
    assert!(report.contains("ratings: a player scored 0% or 100%"), "{report}");
    // With four games per engine, no rating is shown.
    let few = Match::play(&engines, &[&["--games", "2"], &args[2..], &["--anchor", "c"]].concat());
    assert!(few.report().contains("no rating with fewer than 10 games"), "{}", few.report());
    assert!(!few.report().contains('±'), "{}", few.report());
    // A wide cross table is split so that it fits a terminal.
    let names = (0..13).map(|n| UCI.describe(&format!("a-long-name-of-engine-{n}"), "lie"));
    let names: Vec<String> = names.collect();
    let wide = Match::play(&names, &[&["--games", "2"], &args[2..]].concat());
    let report = wide.report();
    let table = report.lines().skip_while(|line| !line.starts_with("| # "));
    let table = table.filter(|line| line.starts_with('|'));
    let widest = table.map(|line| line.chars().count()).max();
    assert!(widest.is_some_and(|width| width <= 80), "{report}");
    let heads: Vec<Vec<String>> =
        report.lines().filter(|line| line.starts_with("| # ")).map(cells).collect();
    let opponents: Vec<&String> = heads.iter().flat_map(|head| &head[3..head.len() - 1]).collect();
    let places: Vec<String> = (1..=13).map(|place| place.to_string()).collect();
    assert_eq!(opponents, places.iter().collect::<Vec<_>>(), "{report}");
    assert!(heads.len() > 1, "{report}");
    let played = Match::play(&engines, &[&args[..], &["--anchor", "x"]].concat());
    assert!(played.log().contains("--anchor x: no engine has this name"), "{}", played.log());
}
