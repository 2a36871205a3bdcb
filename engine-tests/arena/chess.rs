//! `adoube match` with chess engines that crash, stall, send illegal moves or produce noise: each
//! engine loses its games for the right reason, the match continues, and no process is left behind.
//!
//! The mock engines are this test binary, run with [`MOCK`] in its environment.

use crate::support::mocks::{
    FOUR, MOCK, Match, Pondering, UCI, choose, misbehave, ponders, print_line, sleep_forever,
};
use crate::support::program::adoube;
use adoube::chess::Position;
use std::fs;
use std::io::{BufRead, stdin};
use std::process::Command;
use std::time::{Duration, Instant};

/// Acts as a mock UCI engine if [`MOCK`] is set. Otherwise tests the mock's helper functions.
#[test]
fn mock_engine() {
    match std::env::var(MOCK) {
        Ok(behaviour) => serve(&behaviour),
        Err(_) => {
            let m = answer("position startpos moves e2e4 e7e5").expect("legal moves");
            let position = after("position startpos moves e2e4 e7e5");
            assert!(position.parse_uci(&m).is_ok(), "{m}");
            assert_eq!(answer("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), None);
        }
    }
}

fn after(command: &str) -> Position {
    let command = command.strip_prefix("position ").expect("a position command");
    let (start, moves) = command.split_once(" moves ").unwrap_or((command, ""));
    let mut position: Position = match start.strip_prefix("fen ") {
        Some(fen) => fen.parse().expect("a FEN"),
        None => Position::start(),
    };
    for m in moves.split_whitespace() {
        position = position.play(position.parse_uci(m).expect("a legal move"));
    }
    position
}

fn answer(command: &str) -> Option<String> {
    let position = after(command);
    choose(&position.legal_moves(), command).map(|m| position.uci(m, false))
}

fn serve(behaviour: &str) -> ! {
    let (kind, from) = behaviour.split_once(':').unwrap_or((behaviour, "1"));
    let from: usize = from.parse().expect("the number of a move");
    let (mut position, mut count) = (String::new(), 0);
    let mut pondering = Pondering::default();
    let (mut previous, mut is_late) = (None, false);
    // End the line that the test harness has already begun.
    print_line("");
    for line in stdin().lock().lines() {
        let line = line.expect("text from the arena");
        match line.split_whitespace().next() {
            Some(word @ ("ponderhit" | "stop")) => pondering.end(word == "ponderhit"),
            Some("position" | "go") if pondering.is_on() => std::process::exit(5),
            Some("uci") => {
                print_line("id name Mock");
                print_line("option name Hash type spin default 1 min 1 max 64");
                print_line("option name Ponder type check default false");
                if kind == "mute" {
                    sleep_forever();
                }
                print_line("uciok");
            }
            Some("isready") => print_line("readyok"),
            Some("ucinewgame") => count = 0,
            Some("position") => position = line,
            Some("quit") if kind != "deaf" => break,
            Some("go") => {
                count += 1;
                let best = answer(&position).unwrap_or("0000".into());
                let best = if kind == "back" { to_and_fro(&position) } else { best };
                if kind == "ponder" || kind == "hasty" {
                    let reply = |m| answer(&format!("{} {m}", with_moves(&position)));
                    let reply = Some(&best).filter(|&m| m != "0000").and_then(reply);
                    let reply = reply.map_or(String::new(), |m| format!(" ponder {m}"));
                    let done = format!("info depth 1\nbestmove {best}{reply}");
                    pondering.answer(done, line.contains("ponder") && kind == "ponder");
                    continue;
                }
                if kind == "stale" {
                    // From now on, answer each request with the move for the previous request.
                    is_late |= count >= from;
                    let earlier = previous.replace(best.clone()).filter(|_| is_late);
                    print_line(&format!("bestmove {}", earlier.unwrap_or(best)));
                    continue;
                }
                if count >= from {
                    misbehave(kind);
                    match kind {
                        "lie" => print_line("bestmove e2e5"),
                        "nonsense" => print_line("bestmove \u{1f4a9}} quite"),
                        "empty" => print_line("bestmove"),
                        "wild" => print_line(&format!("info depth x pv {best} a1a1 e2e4")),
                        "babble" => {
                            let junk = "x".repeat(100_000);
                            print_line(&format!(
                                "info depth\ninfo score cp\nbestmov {best}\n{junk}"
                            ));
                        }
                        // A repeated answer must not be mistaken for the answer to the next
                        // request.
                        "twice" => {
                            print_line(&format!(
                                "info depth 1 score cp 0\nbestmove {best}\nbestmove {best}"
                            ));
                            continue;
                        }
                        _ => {}
                    }
                }
                print_line(&format!("info depth 1 seldepth 2 score cp 3 nodes 1 pv {best}"));
                print_line(&format!("bestmove {best}"));
            }
            _ => {}
        }
    }
    std::process::exit(0)
}

/// Returns the move that reverses the engine's previous move, or the first legal move if that is
/// not possible.
fn to_and_fro(command: &str) -> String {
    let position = after(command);
    let back = command.split_whitespace().rev().nth(1).and_then(|m| {
        let (from, to) = m.split_at_checked(2)?;
        position.parse_uci(&format!("{to}{from}")).ok()
    });
    let m = back.or_else(|| position.legal_moves().first().copied());
    m.map_or("0000".into(), |m| position.uci(m, false))
}

/// Appends the word `moves` to a `position` command without it, so that a move can follow.
fn with_moves(command: &str) -> String {
    if command.contains(" moves ") { command.to_owned() } else { format!("{command} moves") }
}

#[test]
fn illegal_move_loses_and_is_quoted() {
    let played = UCI.loses("lie:2", 5, "rules infraction", &FOUR);
    assert!(played.log().contains("illegal move 'e2e5'"), "{}", played.log());
    assert!(played.log().contains("< bestmove e2e5"), "{}", played.log());
    UCI.loses("nonsense:2", 5, "rules infraction", &FOUR);
    UCI.loses("empty", 5, "rules infraction", &FOUR);
}

/// The engine answers one request late, so it must be restarted after an illegal move. Otherwise,
/// its first move in each later game would be illegal, too.
#[test]
fn restarts_an_engine_after_an_illegal_move() {
    let args = ["--games", "4", "--concurrency", "1", "--tc", "10+1", "--openings", "random:4"];
    let played = UCI.loses("stale:2", 5, "rules infraction", &args);
    assert_eq!(played.log().matches(", move 4)").count(), 4, "{}", played.log());
}

#[test]
fn engines_can_ponder() {
    ponders(&UCI, "7k/8/8/8/8/8/R7/K7 w - - 0 1");
}

/// The restarted process continues the game, and the game record names the failure.
#[test]
fn restarts_a_crashed_engine_within_the_game() {
    let args = [&FOUR[..], &["--recover", "1", "--max-moves", "5"]].concat();
    let played = UCI.play("random", "crash:4", &args);
    assert_eq!(played.row("second")[4..], [0; 4], "{}", played.log());
    let started = played
        .games
        .replace('\n', " ")
        .matches("restarted: ended with exit status 3 instead")
        .count();
    assert_eq!(started, 4, "{}", played.games);
    assert!(played.report().contains("endings: move limit 4"), "{}", played.report());
    // A single restart does not help an engine that crashes on every move.
    let args = [&FOUR[..], &["--recover", "1"]].concat();
    assert_eq!(UCI.play("random", "crash", &args).row("second")[6], 4);
}

/// Black, who has a queen, runs out of time, but White has only a king.
#[test]
fn flag_fall_against_a_bare_king_draws() {
    let args = ["--games", "2", "--tc", "0.3"];
    let played = UCI.play_from("7K/8/5k2/8/8/8/8/q7 b - - 0 1\n", "late", "late", &args);
    assert_eq!(played.row("first"), [2, 0, 2, 0, 0, 0, 0, 0], "{}", played.log());
    assert_eq!(played.games.matches("[Termination \"time forfeit\"]").count(), 2);
    assert!(played.report().contains("out of time but drawn 2"), "{}", played.report());
}

#[test]
fn plays_without_a_clock_from_an_opening_file() {
    let args = ["--games", "3", "--nodes", "5", "--max-moves", "3"];
    let played = UCI.play_from("7k/8/8/8/8/8/8/RQ5K w - - 0 1\n", "random", "random", &args);
    assert_eq!(played.row("first")[0], 4, "rounded up to pairs");
    assert_eq!(played.games.matches("[FEN \"7k/8/8/8/8/8/8/RQ5K w - - 0 1\"]").count(), 4);
    assert!(played.games.contains("[TimeControl \"-\"]"));
    assert!(played.games.contains("{+0.03/1 "), "{}", played.games);
}

#[test]
fn a_decided_sprt_stops_the_match() {
    let test = "elo0=0 elo1=50";
    let args = ["--games", "2000", "--tc", "10+1", "--openings", "random:4", "--sprt", test];
    let played = UCI.play("random", "lie", &args);
    assert!(played.report().contains("H1 accepted"), "{}", played.report());
    assert!(played.row("first")[0] < 200);
}

/// White loses every game between two engines that send illegal moves, so their matches of two
/// games are tied.
#[test]
fn plays_tournaments_in_rounds() {
    let play = |behaviours: &[&str], args: &[&str]| {
        let names = ["a", "b", "c", "d", "e", "f"];
        let engines: Vec<String> =
            names.iter().zip(behaviours).map(|(name, kind)| UCI.describe(name, kind)).collect();
        let common =
            ["--games", "2", "--nodes", "1", "--openings", "random:4", "--concurrency", "2"];
        let played = Match::play(&engines, &[&common[..], args].concat());
        assert!(played.output.status.success(), "{}", played.log());
        let report = played.report();
        let table = report.lines().skip_while(|line| !line.starts_with("| engine")).skip(2);
        let order: Vec<String> = table.take(engines.len()).map(cell).collect();
        (played, order.concat())
    };
    fn cell(line: &str) -> String {
        line.split('|').nth(1).unwrap_or_default().trim().to_owned()
    }
    let kinds = ["lie", "lie", "lie", "random", "lie", "lie"];
    let (played, order) = play(&kinds, &["--schedule", "swiss", "--rounds", "3"]);
    assert_eq!(played.games.matches("[Result ").count(), 3 * 3 * 2);
    assert!(order.starts_with('d'), "{}", played.report());
    assert!(
        played.report().starts_with("winner: d\n| # | engine | points |"),
        "{}",
        played.report()
    );
    assert!(played.report().contains("| 1 | d      |      3 |"), "{}", played.report());
    assert!(played.games.contains("[Round \"3.3.2\"]"), "the last game of the last round");
    for name in ["a", "b", "c", "d", "e", "f"] {
        assert_eq!(played.row(name)[0], 6, "{}", played.report());
    }
    let (played, order) = play(&kinds[1..5], &["--schedule", "knockout"]);
    // Players a and d tie their match and three play-offs, so a advances as the higher seed. Player
    // b loses to c, who then beats a.
    assert_eq!(played.games.matches("[Result ").count(), 2 + 2 + 3 * 2 + 2, "{}", played.report());
    assert_eq!(order, "cabd", "{}", played.report());
    assert!(played.report().starts_with("winner: c\n"), "{}", played.report());
    let bracket = "
a 1+1+1+1 ┐
          ├ a    0 ┐
d 1+1+1+1 ┘        │
                   ├ c
b       0 ┐        │
          ├ c    2 ┘
c       2 ┘
";
    assert!(played.report().contains(bracket), "{}", played.report());
    let tie = "1–1, play-off 1–1, play-off 1–1, play-off 1–1 (the higher seed advances)";
    for line in
        [&format!("| semi-finals | 1     | a – d | {tie} |"), "| final       | 1     | a – c | 0–2"]
    {
        assert!(played.report().contains(line), "{line}\n{}", played.report());
    }
    assert!(
        played.games.contains("[Round \"1.1.8\"]") && played.games.contains("[Round \"2.1.2\"]")
    );
    assert!(!played.report().contains("rating"), "rounds determine the ranking");
    let (played, order) = play(&kinds[2..4], &["--schedule", "ladder", "--rounds", "1"]);
    assert_eq!(played.games.matches("[Result ").count(), 2);
    assert_eq!(order, "ba", "{}", played.report());
}

#[test]
fn rejects_unsupported_settings_before_the_first_game() {
    let engine = |setting: &str| format!("{}{setting}", UCI.describe("a", "random"));
    let other = UCI.describe("b", "random");
    for (setting, args, why) in [
        (",option.Hsah=8", &[][..], "a: has no option Hsah; did you mean Hash?"),
        (
            ",option.Hash=65",
            &[],
            "a: Hash=65: the engine expects a whole number from 1 to 64 for this option",
        ),
        ("", &["--chess960"], "a: has no option UCI_Chess960"),
    ] {
        let played = Match::play(&[engine(setting), other.clone()], &[&FOUR[..], args].concat());
        assert!(played.games.is_empty() && played.log().contains(why), "{why}\n{}", played.log());
    }
}

#[cfg(target_os = "linux")]
fn running(with: &str) -> usize {
    let processes = fs::read_dir("/proc").expect("processes").flatten();
    let environments = processes.filter_map(|p| fs::read(p.path().join("environ")).ok());
    environments.filter(|text| text.windows(with.len()).any(|w| w == with.as_bytes())).count()
}

/// Waits until the number of processes that have the text `with` in their environment is in the
/// range `count`.
#[cfg(target_os = "linux")]
fn wait_for(count: std::ops::RangeInclusive<usize>, with: &str) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !count.contains(&running(with)) && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(count.contains(&running(with)), "{} processes, expected {count:?}", running(with));
}

/// A stalled engine does not notice that its input has ended, so the guard must kill the engine.
#[cfg(target_os = "linux")]
#[test]
fn killed_matches_leave_no_process_behind() {
    let mark = format!("ADOUBE_MARK={}-killed", std::process::id());
    let engine = |name: &str| {
        UCI.describe(name, "stall:1").replace("/usr/bin/env", &format!("/usr/bin/env {mark}"))
    };
    let mut child = adoube()
        .args(["match", "--tc", "100", "--concurrency", "2"])
        .args(["--engine", &engine("a"), "--engine", &engine("b")])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("adoube runs");
    wait_for(4..=4, &mark);
    child.kill().expect("killed");
    child.wait().expect("it is gone");
    wait_for(0..=0, &mark);
}

#[cfg(target_os = "linux")]
#[test]
fn interrupted_matches_leave_no_process_behind() {
    use std::process::Stdio;
    // A value that no other process has in its environment.
    let marker = format!("deaf:{}", 1_000_000 + std::process::id());
    let mark = format!("{MOCK}={marker}");
    let mut child = adoube()
        .args(["match", "--tc", "100", "--games", "100000", "--concurrency", "2"])
        .args(["--engine", &UCI.describe("a", &marker), "--engine", &UCI.describe("b", &marker)])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("adoube runs");
    // Wait until two games are running, with two engines each.
    wait_for(4..=usize::MAX, &mark);
    for _ in 0..2 {
        let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(kill.expect("kill runs").success());
        std::thread::sleep(Duration::from_millis(100));
    }
    let status = child.wait().expect("adoube ends");
    assert_eq!(status.code(), Some(130));
    assert_eq!(running(&mark), 0);
}
