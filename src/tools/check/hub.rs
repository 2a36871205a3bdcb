//! What is checked of a Hub engine.
//!
//! Source: Hub's protocol, version 2 (F. Letouzey, in Scan 3.1).

use super::{Check, Fault, Outcome, SOON, Subject, Times, elapsed, garbage, wrong};
use crate::arena::engine::process::Line;
use crate::arena::engine::talk::{Failure, Link};
use crate::draughts::{Move, Position, hub, notation};
use crate::protocol::hub::line::Line as HubLine;
use std::collections::HashSet;
use std::time::{Duration, Instant};

/// The checks, in the order in which they are made.
pub const CHECKS: &[Check] = &[
    ("introduces itself, parameters are well formed", introduction),
    ("answers ten thousand pings", ping_often),
    ("plays legal moves, ponder moves and lines", legality),
    ("obeys depth, nodes and move-time", limits),
    ("stops when told to", stopping),
    ("an infinite level waits for stop, also with one move only", infinite),
    ("ponders until ponder-hit or stop", pondering),
    ("survives parameters out of range and unknown ones", parameters),
    ("answers where there is no move", no_move),
    ("keeps very short clocks", clocks),
    ("survives garbage", survives_garbage),
    ("quits, also while it thinks", quits),
    ("ends when its input ends", hangs_up),
];

/// Positions that engines stumble over.
const POSITIONS: [&str; 9] = [
    "W:W31-50:B1-20",
    "B:W31-50:B1-20",
    // Woldouby's position, full of captures.
    "W:W25,27,28,30,32,33,34,35,37,38:B12,13,14,16,18,19,21,23,24,26",
    // Kings of both sides, long captures.
    "B:W6,9,10,11,20,21,22,23,30,K31,33,37,41,42,43,44,46:BK17,K24",
    // Promotion all along, and in passing.
    "W:W6,7,8,9,10:B41,42,43,44,45",
    "W:W12:B7,8,17,18,41",
    // A king in a corner that takes its way out.
    "W:WK46:B14,20,24,29,37,42",
    // One king against one and against three.
    "W:WK6:BK45",
    "B:WK1,K2,K3:BK45",
];

/// Sends `hub` and `init`; the lines of the first answer.
pub fn greet(link: &mut Link) -> Result<Vec<String>, Failure> {
    let lines = link.introduction("hub", "wait")?;
    // A book answers without thinking, which is not what is to be checked.
    if lines.iter().any(|line| argument(line, "name").as_deref() == Some("book")) {
        link.send("set-param name=book value=false", "parameters")?;
    }
    link.send("init", "ready")?;
    link.wait_for("ready", Instant::now() + link.patience.start, |_| {})?;
    Ok(lines)
}

/// The value of an argument of a line.
fn argument(line: &str, name: &str) -> Option<String> {
    HubLine::parse(line).ok()?.get(name).map(str::to_owned)
}

fn position(fen: &str) -> Result<Position, Fault> {
    fen.parse().or_else(|error| wrong(format!("{fen}: {error}")))
}

impl Subject {
    fn pong(&mut self) -> Result<(), Failure> {
        self.link.ask("ping", "pong")
    }
}

/// Sets a position and a level and starts a search.
fn ask(
    subject: &mut Subject,
    position: &Position,
    level: &str,
    go: &str,
) -> Result<Instant, Failure> {
    subject.send(&format!("pos pos={}", hub::write(position)))?;
    subject.send(&format!("level {level}"))?;
    subject.send(&format!("go {go}"))
}

/// The lines of a search up to `done`, and how long that took.
fn think(
    subject: &mut Subject,
    position: &Position,
    level: &str,
    time: Duration,
) -> Result<(Vec<Line>, Duration), Failure> {
    let sent = ask(subject, position, level, "think")?;
    let lines = subject.until("done", time, "done")?;
    let elapsed = elapsed(&lines, sent);
    Ok((lines, elapsed))
}

/// The move of a `done` line, which has to be legal, as its ponder move and every line.
fn best(position: &Position, lines: &[Line]) -> Result<Move, Fault> {
    let read = |position: &Position, text: &str| {
        notation::parse(position, text).or_else(|error| wrong(format!("{error}, in {position}")))
    };
    for line in lines.iter().filter(|line| line.text.starts_with("info ")) {
        let Ok(parsed) = HubLine::parse(&line.text) else {
            return wrong(format!("'{}' is not of the form of a line", line.text));
        };
        let mut position = *position;
        for text in parsed.get("pv").unwrap_or_default().split_whitespace() {
            position = position.play(read(&position, text)?);
        }
    }
    let last = lines.last().map(|line| line.text.as_str()).unwrap_or_default();
    let m = read(position, &argument(last, "move").unwrap_or_default())?;
    if let Some(reply) = argument(last, "ponder") {
        read(&position.play(m), &reply)?;
    }
    Ok(m)
}

/// Whether the engine plays on after what it was told.
fn still_plays(subject: &mut Subject) -> Result<(), Fault> {
    subject.pong()?;
    let start = Position::start();
    let (lines, _) = think(subject, &start, "depth=3", SOON * 5)?;
    best(&start, &lines).map(drop)
}

fn introduction(subject: &mut Subject) -> Outcome {
    let lines = &subject.greeting;
    let id = lines.iter().find(|line| line.starts_with("id "));
    if id.and_then(|line| argument(line, "name")).is_none() {
        return wrong("there is no line 'id name=...'");
    }
    let mut names = HashSet::new();
    for line in lines.iter().filter(|line| line.starts_with("param")) {
        let [Some(name), Some(value), Some(kind)] =
            ["name", "value", "type"].map(|word| argument(line, word))
        else {
            return wrong(format!("'{line}' lacks name, value or type"));
        };
        if !names.insert(name.clone()) {
            return wrong(format!("the parameter {name} is there twice"));
        }
        let number = |text: Option<String>| text.and_then(|text| text.parse::<f64>().ok());
        let fits = match kind.as_str() {
            "bool" => value == "true" || value == "false",
            "int" | "real" => {
                let (min, max) = (number(argument(line, "min")), number(argument(line, "max")));
                let least = min.unwrap_or(f64::NEG_INFINITY);
                let most = max.unwrap_or(f64::INFINITY);
                number(Some(value)).is_some_and(|value| (least..=most).contains(&value))
            }
            "enum" => argument(line, "values")
                .is_some_and(|values| values.split_whitespace().any(|word| word == value)),
            "string" => true,
            kind => return wrong(format!("'{line}' has a type '{kind}' that there is not")),
        };
        if !fits {
            return wrong(format!("in '{line}' the value does not fit the type"));
        }
    }
    Ok(format!("{} parameters", names.len()))
}

fn ping_often(subject: &mut Subject) -> Outcome {
    subject.many("ping", "pong", 10_000)
}

fn legality(subject: &mut Subject) -> Outcome {
    subject.send("new-game")?;
    let mut plies = 0;
    for fen in POSITIONS {
        let (start, mut moves) = (position(fen)?, Vec::new());
        let mut position = start;
        for _ in 0..6 {
            if !position.has_moves() {
                break;
            }
            // The captured squares come and are sent as the protocol has them.
            let played = if moves.is_empty() {
                String::new()
            } else {
                format!(" moves=\"{}\"", moves.join(" "))
            };
            subject.send(&format!("pos pos={}{played}", hub::write(&start)))?;
            subject.send("level move-time=0.02")?;
            subject.send("go think")?;
            let lines = subject.until("done", SOON, "done")?;
            let m = best(&position, &lines)?;
            moves.push(notation::hub(m).to_string());
            position = position.play(m);
            plies += 1;
        }
    }
    Ok(format!("{plies} moves"))
}

fn limits(subject: &mut Subject) -> Outcome {
    let start = Position::start();
    let long = Duration::from_secs(10);
    for (level, name, most) in
        [("depth=1", "depth", 1.0), ("depth=4", "depth", 4.0), ("nodes=5000", "nodes", 15_000.0)]
    {
        let (lines, _) = think(subject, &start, level, long)?;
        best(&start, &lines)?;
        let values = lines
            .iter()
            .filter(|line| line.text.starts_with("info "))
            .filter_map(|line| argument(&line.text, name)?.parse::<f64>().ok());
        if let Some(value) = values.max_by(f64::total_cmp).filter(|&value| value > most) {
            return wrong(format!("'level {level}' went to {name} {value}"));
        }
    }
    let (lines, elapsed) = think(subject, &start, "move-time=0.2", long)?;
    best(&start, &lines)?;
    if elapsed > Duration::from_secs(1) {
        return wrong(format!("'level move-time=0.2' took {} ms", elapsed.as_millis()));
    }
    Ok(format!("move-time=0.2 took {} ms", elapsed.as_millis()))
}

fn stopping(subject: &mut Subject) -> Outcome {
    let start = Position::start();
    let mut times = Times::default();
    for (wait, go) in [(0, "think"), (1, "analyze"), (10, "think"), (50, "analyze"), (200, "think")]
    {
        ask(subject, &start, "infinite", go)?;
        std::thread::sleep(Duration::from_millis(wait));
        let told = subject.send("stop")?;
        let lines = subject.until("done", SOON, "done after stop")?;
        best(&start, &lines)?;
        times.add(elapsed(&lines, told));
    }
    Ok(times.to_string())
}

fn infinite(subject: &mut Subject) -> Outcome {
    // Any move; the only one.
    for fen in ["W:W31-50:B1-20", "W:W32:B28"] {
        let position = position(fen)?;
        ask(subject, &position, "infinite", "think")?;
        subject.silent("done", Duration::from_millis(500), "came before 'stop'")?;
        subject.send("stop")?;
        best(&position, &subject.until("done", SOON, "done after stop")?)?;
    }
    Ok(String::new())
}

fn pondering(subject: &mut Subject) -> Outcome {
    if !subject.greeting.iter().any(|line| argument(line, "name").as_deref() == Some("ponder")) {
        return Err(Fault::Absent("no parameter ponder".to_owned()));
    }
    subject.send("set-param name=ponder value=true")?;
    let start = Position::start();
    ask(subject, &start, "time=1", "ponder")?;
    subject.silent("done", Duration::from_millis(1200), "came while it was to ponder")?;
    let hit = subject.send("ponder-hit")?;
    let lines = subject.until("done", SOON, "done after ponder-hit")?;
    best(&start, &lines)?;
    let elapsed = elapsed(&lines, hit);
    if elapsed > Duration::from_secs(1) {
        return wrong(format!(
            "{} ms after ponder-hit with 1000 on the clock",
            elapsed.as_millis()
        ));
    }
    ask(subject, &start, "time=1", "ponder")?;
    subject.silent("done", Duration::from_millis(100), "came while it was to ponder")?;
    subject.send("stop")?;
    best(&start, &subject.until("done", SOON, "done after stop")?)?;
    Ok(format!("answered {} ms after ponder-hit", elapsed.as_millis()))
}

fn parameters(subject: &mut Subject) -> Outcome {
    let mut lines = Vec::new();
    for param in &subject.greeting {
        let [Some(name), Some(kind)] = ["name", "type"].map(|word| argument(param, word)) else {
            continue;
        };
        // What may take all memory or write files is left alone.
        let values: &[&str] = match kind.as_str() {
            "int" | "real" => &["many", "", "-99999999999999999999", "nan"],
            "bool" | "enum" => &["perhaps", ""],
            _ => &[],
        };
        lines.extend(values.iter().map(|value| format!("set-param name={name} value=\"{value}\"")));
    }
    lines.extend(
        [
            "set-param",
            "set-param name=threads",
            "set-param name=nonsense value=3",
            "set-param value=\"",
        ]
        .map(str::to_owned),
    );
    let count = subject.send_all(&lines)?;
    still_plays(subject)?;
    Ok(format!("{count} settings"))
}

fn no_move(subject: &mut Subject) -> Outcome {
    // Nothing left; shut in.
    let mut answers = Vec::new();
    for pos in [format!("W{}b{}", "e".repeat(20), "e".repeat(29)), {
        let shut: Position = position("B:W41,47:B36")?;
        hub::write(&shut).to_string()
    }] {
        subject.send(&format!("pos pos={pos}"))?;
        subject.send("level depth=3")?;
        subject.send("go think")?;
        let lines = subject.until("done", SOON, "done")?;
        let last = lines.last().map(|line| line.text.clone()).unwrap_or_default();
        answers.push(argument(&last, "move").unwrap_or_default());
    }
    answers.dedup();
    Ok(answers.join(", "))
}

fn clocks(subject: &mut Subject) -> Outcome {
    let start = Position::start();
    let mut times = Times::default();
    for (level, allowed) in [
        ("move-time=0.001", 100),
        ("time=0.001", 100),
        ("time=0.05", 100),
        ("moves=1 time=0.2", 250),
        ("time=0.2 inc=0.01", 220),
        ("time=0 inc=0.1", 150),
        ("time=-1", 100),
    ] {
        let (lines, elapsed) = think(subject, &start, level, SOON)?;
        best(&start, &lines)?;
        times.add(elapsed);
        if elapsed > Duration::from_millis(allowed) {
            return wrong(format!("'level {level}' took {} ms", elapsed.as_millis()));
        }
    }
    Ok(times.to_string())
}

fn survives_garbage(subject: &mut Subject) -> Outcome {
    let lines = garbage(&[
        "pos",
        "pos pos=W",
        "pos pos=Wx",
        "pos pos=\"W",
        "pos moves=32-28",
        "level",
        "level depth=deep",
        "go",
        "ponder-hit",
        "stop",
        "dance step=one",
    ]);
    let count = subject.send_all(&lines)?;
    still_plays(subject)?;
    Ok(format!("{count} lines"))
}

fn quits(subject: &mut Subject) -> Outcome {
    ask(subject, &Position::start(), "infinite", "think")?;
    subject.quits()
}

fn hangs_up(subject: &mut Subject) -> Outcome {
    subject.pong()?;
    subject.hangs_up()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_positions_are_legal() {
        for fen in POSITIONS {
            assert!(fen.parse::<Position>().is_ok_and(|position| position.has_moves()), "{fen}");
        }
    }
}
