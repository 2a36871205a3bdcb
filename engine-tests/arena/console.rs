//! The output of `adoube match`: the formats of other match runners, tables that fit the terminal,
//! opening options, and time controls.

use crate::support::program::{PROGRAM, run};
use serde_json::Value;
use std::fs;

/// Plays a short match between two copies of the engine. Returns standard output and error.
fn play(more: &[&str]) -> (String, String) {
    let engines = ["strong", "weak,nodes=5"].map(|name| format!("cmd={PROGRAM},name={name}"));
    let match_of_two = ["match", "--nodes", "30", "--engine", &engines[0], "--engine", &engines[1]];
    let (code, out, errors) = run(&[&match_of_two, more].concat(), "");
    assert_eq!(code, Some(0), "{more:?}: {out}{errors}");
    (out, errors)
}

#[test]
fn prints_the_lines_of_fastchess() {
    let sprt = "elo0=0 elo1=300 alpha=0.05 beta=0.05";
    let more = ["--games", "4", "--output", "fastchess", "--rating-interval", "2", "--sprt", sprt];
    let (out, _) = play(&more);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[0], "Started game 1 of 4 (strong vs weak)", "{out}");
    let finished = lines.iter().filter(|line| line.starts_with("Finished game ")).count();
    let blocks = lines.iter().filter(|line| **line == "Results of strong vs weak (-):").count();
    assert!(finished >= 2 && blocks == finished / 2, "{out}");
    assert!(out.contains("(weak vs strong): ") && out.contains(" {"), "{out}");
    let block = out.split("Results of strong vs weak (-):\n").last().expect("a block");
    let starts = ["Elo: ", "LOS: ", "Games: ", "Ptnml(0-2): [", "LLR: "];
    for (line, start) in block.lines().zip(starts) {
        assert!(line.starts_with(start), "{line}");
    }
    assert!(block.contains(", nElo: ") && block.contains(" %, PairsRatio: "), "{block}");
    assert!(block.contains("%) (-2.94, 2.94) [0.00, 300.00]\n"), "{block}");
}

#[test]
fn prints_the_lines_of_cutechess() {
    let (out, _) = play(&["--games", "2", "--output", "cutechess"]);
    let lines: Vec<&str> = out.lines().collect();
    // With one game at a time, the lines follow the order of the events.
    for (line, start) in lines.iter().zip([
        "Started game 1 of 2 (strong vs weak)",
        "Finished game 1 (strong vs weak): ",
        "Score of strong vs weak: ",
        "Started game 2 of 2 (weak vs strong)",
        "Finished game 2 (weak vs strong): ",
        "Score of strong vs weak: ",
    ]) {
        assert!(line.starts_with(start), "{start}: {out}");
    }
    assert!(lines[2].ends_with("] 1"), "{out}");
    assert!(out.contains("\nElo difference: ") && out.contains(" %, DrawRatio: "), "{out}");
    assert_eq!(lines.last(), Some(&"Finished match"), "{out}");
}

#[test]
fn prints_events_as_json() {
    let (out, _) = play(&["--games", "2", "--output", "json"]);
    let kind = |line: &str| {
        let event: Value = serde_json::from_str(line).expect("a line of JSON");
        event["event"].as_str().expect("a text").to_owned()
    };
    let kinds: Vec<String> = out.lines().map(kind).collect();
    assert_eq!(kinds.first().map(String::as_str), Some("match-started"));
    assert_eq!(kinds.last().map(String::as_str), Some("match-ended"));
    assert_eq!(kinds.iter().filter(|kind| *kind == "game-ended").count(), 2);
}

/// Long names are shortened, and the table has columns only for the kinds of faults that occurred.
#[test]
fn tables_fit_a_terminal() {
    let name = "An engine with a name that is far too long for any table of results";
    let engine = |more: &str| format!("cmd={PROGRAM},name={name}{more}");
    let engines = [engine(" A"), engine(" B,nodes=5"), format!("cmd={PROGRAM},name=c")];
    let (code, out, errors) = run(
        &[
            "match",
            "--nodes",
            "10",
            "--games",
            "2",
            "--engine",
            &engines[0],
            "--engine",
            &engines[1],
            "--engine",
            &engines[2],
        ],
        "",
    );
    assert_eq!(code, Some(0), "{errors}");
    assert!(out.lines().all(|line| line.chars().count() <= 80), "{out}");
    assert!(out.contains("…") && !out.contains("illegal"), "{out}");
    assert!(errors.contains("Finished game 1 ("), "{errors}");
}

const OPENINGS: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\n\
                        rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq -\n\
                        rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq -\n";

#[test]
fn openings_begin_with_the_given_number() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).to_str().expect("plain").to_owned();
    let (file, events) = (at("a,b.epd"), at("events"));
    fs::write(&file, OPENINGS).expect("written");
    play(&["--games", "4", "--openings", &format!("{file},start=3"), "--events", &events]);
    let text = fs::read_to_string(&events).expect("events");
    let started = text.lines().filter(|line| line.contains("game-started"));
    let fens: Vec<bool> = started.map(|line| line.contains("2P5")).collect();
    assert_eq!(fens, [true, true, false, false], "{text}");
    for (options, expected) in [
        ("start=4", "start=4, but the file has only 3 openings"),
        ("start=0", "'start=0' is not a number of at least 1"),
        ("order=best", "give order=random or order=sequential"),
    ] {
        let engine = format!("cmd={PROGRAM}");
        let source = format!("{file},{options}");
        let (code, _, errors) = run(
            &[
                "match",
                "--nodes",
                "5",
                "--engine",
                &engine,
                "--engine",
                &engine,
                "--openings",
                &source,
            ],
            "",
        );
        assert!(code == Some(1) && errors.contains(expected), "{options}: {errors}");
    }
}

#[test]
fn time_controls_without_time_or_with_two_meanings_are_refused() {
    for (control, expected) in [
        ("0", "'0': the time must be more than 0 seconds in each period"),
        ("0+0", "'0+0': the time must be more than 0 seconds"),
        ("40/5:30", "can mean minutes and seconds, or two periods: write 40/330 or 40/5:30.0"),
    ] {
        let engine = format!("cmd={PROGRAM}");
        let (code, _, errors) =
            run(&["match", "--tc", control, "--engine", &engine, "--engine", &engine], "");
        assert!(code == Some(2) && errors.contains(expected), "{control}: {errors}");
    }
    let engine = format!("cmd={PROGRAM}");
    let (code, _, errors) =
        run(&["match", "--tc", "inf", "--engine", &engine, "--engine", &engine], "");
    assert!(code == Some(1) && errors.contains("no time control"), "{errors}");
    play(&["--games", "2", "--tc", "inf"]);
}

#[test]
fn an_engine_that_cannot_start_is_named_before_the_first_game() {
    let engine = format!("cmd={PROGRAM}");
    let (code, out, errors) = run(
        &["match", "--nodes", "5", "--engine", &engine, "--engine", "cmd=/no/such/engine,name=x"],
        "",
    );
    assert!(code == Some(1) && out.is_empty(), "{out}");
    assert!(errors.contains("x: ") && !errors.contains("game 1"), "{errors}");
}
