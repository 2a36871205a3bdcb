//! Checks for Hub engines.
//!
//! Source: Hub's protocol, version 2 (F. Letouzey, in Scan 3.1).

use super::{
    Check, Fault, Measurement, SOON, Subject, Times, Words, garbage, play_variation, position,
    search_within, wrong,
};
use crate::arena::engine::entrant::Entrant;
use crate::arena::engine::failure::Failure;
use crate::arena::engine::hub::Hub;
use crate::arena::engine::link::Link;
use crate::arena::engine::process::OutputLine;
use crate::arena::engine::protocol::introduce;
use crate::draughts::{Move, Position, Variant, hub, notation};
use crate::protocol::hub::command::Command;
use crate::protocol::hub::info::Info;
use crate::protocol::hub::line::HubLine;
use crate::protocol::hub::param::ParamLine;
use crate::protocol::hub::reply::{Done, Id, Reply};
use std::collections::HashSet;
use std::time::{Duration, Instant};

pub(super) const CHECKS: &[Check] = &[
    ("introduces itself with well-formed parameters", introduction),
    ("answers ten thousand pings", ping_often),
    ("plays legal moves, ponder moves and lines", legality),
    ("obeys depth, nodes and move-time", limits),
    ("answers stop promptly", stopping),
    ("an infinite level waits for stop, also with one move only", infinite),
    ("ponders until ponder-hit or stop", pondering),
    ("survives unknown parameters and values out of range", parameters),
    ("answers in positions without a legal move", no_move),
    ("does not run out of time on very short clocks", clocks),
    ("survives garbage", survives_garbage),
    ("quits during a search", quits),
    ("exits when its input ends", hangs_up),
];

/// Positions that have exposed engine bugs.
const POSITIONS: [&str; 9] = [
    "W:W31-50:B1-20",
    "B:W31-50:B1-20",
    // Woldouby's position, which is full of captures.
    "W:W25,27,28,30,32,33,34,35,37,38:B12,13,14,16,18,19,21,23,24,26",
    // Kings on both sides, and long captures.
    "B:W6,9,10,11,20,21,22,23,30,K31,33,37,41,42,43,44,46:BK17,K24",
    // Promotion on every file, and promotion by a capture.
    "W:W6,7,8,9,10:B41,42,43,44,45",
    "W:W12:B7,8,17,18,41",
    // A king in a corner that captures its way out.
    "W:WK46:B14,20,24,29,37,42",
    // One king against one king, and against three kings.
    "W:WK6:BK45",
    "B:WK1,K2,K3:BK45",
];

const WORDS: Words = Words {
    answer: "done",
    ready: ("ping", "pong"),
    after_stop: "done after stop",
    ponder_hit: "ponder-hit",
    after_hit: "done after ponder-hit",
};

pub(super) fn greet(link: &mut Link, entrant: &Entrant) -> Result<Vec<String>, Failure> {
    // Disable the book, because the checks test searches, and a book move needs no search.
    let no_book = [("book", "false".to_owned())];
    introduce(&Hub::new(Variant::Normal), link, entrant, &no_book)
}

fn params(lines: &[String]) -> impl Iterator<Item = ParamLine<'_>> {
    lines.iter().filter_map(|line| match Reply::parse(line) {
        Ok(Some(Reply::Param(param))) => Some(param),
        _ => None,
    })
}

impl Subject {
    fn pong(&mut self) -> Result<(), Failure> {
        self.link.query("ping", "pong")
    }
}

fn search(position: &Position, level: &str, go: &str) -> [String; 3] {
    [format!("pos pos={}", hub::write(position)), format!("level {level}"), format!("go {go}")]
}

fn ask(
    subject: &mut Subject,
    position: &Position,
    level: &str,
    go: &str,
) -> Result<Instant, Failure> {
    subject.start(&search(position, level, go).each_ref().map(String::as_str))
}

/// Runs a search. Returns the lines up to `done`, and the time until `done` arrived.
fn think(
    subject: &mut Subject,
    position: &Position,
    level: &str,
    time: Duration,
) -> Result<(Vec<OutputLine>, Duration), Failure> {
    let commands = search(position, level, "think");
    subject.think(&commands.each_ref().map(String::as_str), &WORDS, time)
}

/// Parses the lines of search information. Returns each line with its parsed contents or a fault.
fn infos(lines: &[OutputLine]) -> impl Iterator<Item = (&str, Result<Info<'_>, Fault>)> {
    let lines = lines.iter().map(|line| line.text.as_str());
    lines.filter(|line| line.starts_with("info ")).filter_map(|line| match Reply::parse(line) {
        Ok(Some(Reply::Info(info))) => Some((line, Ok(info))),
        Ok(_) => None,
        Err(_) => Some((line, wrong(format!("'{line}' is malformed")))),
    })
}

fn answer(lines: &[OutputLine]) -> Done<'_> {
    match lines.last().map(|line| Reply::parse(&line.text)) {
        Some(Ok(Some(Reply::Done(done)))) => done,
        _ => Done { best: "".into(), ponder: None },
    }
}

/// Returns the move in the `done` line. Fails if this move, the ponder move or any principal
/// variation is illegal, or if a number in the search information is malformed.
fn best(position: &Position, lines: &[OutputLine]) -> Result<Move, Fault> {
    let read = |position: &Position, text: &str| {
        notation::parse(position, text).or_else(|error| wrong(format!("{error}, in {position}")))
    };
    for (line, info) in infos(lines) {
        let info = info?;
        if let Some(field) = HubLine::parse(line).ok().and_then(|line| Info::malformed_field(&line))
        {
            return Err(Fault::of_number(&field, line));
        }
        play_variation(position, &info.pv, line, read)?;
    }
    let Done { best, ponder } = answer(lines);
    let m = read(position, &best)?;
    if let Some(reply) = ponder {
        read(&position.play(m), &reply)?;
    }
    Ok(m)
}

/// Checks that the engine still answers and plays a legal move.
fn still_plays(subject: &mut Subject) -> Result<(), Fault> {
    subject.pong()?;
    let start = Position::start();
    let (lines, _) = think(subject, &start, "depth=3", SOON * 5)?;
    best(&start, &lines).map(drop)
}

fn introduction(subject: &mut Subject) -> Measurement {
    let lines = &subject.greeting;
    let id = lines.iter().find_map(|line| match Reply::parse(line) {
        Ok(Some(Reply::Id(id))) => Some(id),
        _ => None,
    });
    if !matches!(id, Some(Id { name: Some(_), .. })) {
        return wrong("there is no line 'id name=...'");
    }
    let (mut names, mut faults) = (HashSet::new(), Vec::new());
    for line in lines.iter().filter(|line| line.starts_with("param")) {
        let param = match Reply::parse(line) {
            Ok(Some(Reply::Param(param))) => param,
            _ => ParamLine::default(),
        };
        if let Some(name) = &param.name
            && !names.insert(name.to_string())
        {
            faults.push(format!("the parameter {name} is announced twice"));
        }
        faults.extend(param_fault(line, param));
    }
    match faults.is_empty() {
        true => Ok(format!("{} parameters", names.len())),
        false => wrong(faults.join("; ")),
    }
}

/// Returns the fault in a line that announces a parameter, if there is one.
fn param_fault(line: &str, param: ParamLine<'_>) -> Option<String> {
    let ParamLine { name: Some(_), value: Some(value), kind: Some(kind), min, max, values } = param
    else {
        return Some(format!("'{line}' lacks name, value or type"));
    };
    let fits = match &*kind {
        "bool" => value == "true" || value == "false",
        "int" | "real" => {
            let range = min.unwrap_or(f64::NEG_INFINITY)..=max.unwrap_or(f64::INFINITY);
            value.parse().is_ok_and(|value: f64| range.contains(&value))
        }
        "enum" => values.is_some_and(|all| all.split_whitespace().any(|word| word == value)),
        "string" => true,
        kind => return Some(format!("'{line}' has the unknown type '{kind}'")),
    };
    (!fits).then(|| format!("in '{line}' the value does not fit the type"))
}

fn ping_often(subject: &mut Subject) -> Measurement {
    subject.many("ping", "pong", 10_000)
}

fn legality(subject: &mut Subject) -> Measurement {
    subject.send("new-game")?;
    let (go, time) = match &subject.control {
        Some(control) => search_within(&Hub::new(Variant::Normal), control),
        None => (["level move-time=0.02", "go think"].map(str::to_owned).to_vec(), SOON),
    };
    let mut plies = 0;
    for fen in POSITIONS {
        let (start, mut moves): (Position, Vec<String>) = (position(fen)?, Vec::new());
        let mut position = start;
        for _ in 0..6 {
            if !position.has_moves() {
                break;
            }
            // The moves include the captured squares, as Hub requires.
            let pos = hub::write(&start).to_string();
            let played = moves.iter().map(String::as_str).collect();
            let pos = Command::Pos { pos: &pos, moves: played }.to_string();
            let commands: Vec<&str> = [&pos].into_iter().chain(&go).map(String::as_str).collect();
            let (lines, _) = subject.think(&commands, &WORDS, time)?;
            let m = best(&position, &lines)?;
            subject.answers_once(&WORDS)?;
            moves.push(m.to_string());
            position = position.play(m);
            plies += 1;
        }
    }
    Ok(format!("{plies} moves"))
}

fn limits(subject: &mut Subject) -> Measurement {
    let start = Position::start();
    let long = Duration::from_secs(10);
    for (level, name, max) in
        [("depth=1", "depth", 1), ("depth=4", "depth", 4), ("nodes=5000", "nodes", 15_000)]
    {
        let (lines, _) = think(subject, &start, level, long).map_err(|failure| {
            Fault::of_limit(&format!("level {level}"), failure, in_match(level))
        })?;
        best(&start, &lines)?;
        let values =
            infos(&lines).filter_map(|(_, info)| info.ok()).filter_map(|info| match name {
                "depth" => info.depth.map(u64::from),
                _ => info.nodes,
            });
        if let Some(value) = values.max().filter(|&value| value > max) {
            return wrong(format!("'level {level}' went to {name} {value}: {}", in_match(level)));
        }
    }
    let level = "move-time=0.2";
    let (lines, elapsed) = think(subject, &start, level, long)
        .map_err(|failure| Fault::of_limit(&format!("level {level}"), failure, in_match(level)))?;
    best(&start, &lines)?;
    if elapsed > Duration::from_secs(1) {
        let ms = elapsed.as_millis();
        return wrong(format!("'level {level}' took {ms} ms: {}", in_match(level)));
    }
    Ok(format!("{level} took {} ms", elapsed.as_millis()))
}

/// Describes the consequence for matches if an engine does not obey a level.
fn in_match(level: &str) -> &'static str {
    match level.split_once('=') {
        Some(("depth", _)) => "it cannot play matches with --depth",
        Some(("nodes", _)) => "it cannot play matches with --nodes",
        _ => "it cannot play matches with --movetime",
    }
}

fn stopping(subject: &mut Subject) -> Measurement {
    let start = Position::start();
    let [think, analyze] = ["think", "analyze"].map(|go| search(&start, "infinite", go));
    let searches = [(0, &think), (1, &analyze), (10, &think), (50, &analyze), (200, &think)]
        .map(|(ms, commands)| (ms, commands.iter().map(String::as_str).collect()));
    let times = subject.stops(&WORDS, searches, &|lines| best(&start, lines).map(drop))?;
    Ok(times.to_string())
}

fn infinite(subject: &mut Subject) -> Measurement {
    // A position with several moves, and one with a single move.
    for fen in ["W:W31-50:B1-20", "W:W32:B28"] {
        let position = position(fen)?;
        ask(subject, &position, "infinite", "think")?;
        let wait = Duration::from_millis(500);
        best(&position, &subject.waits_for_stop(&WORDS, wait, "came before 'stop'")?)?;
    }
    Ok(String::new())
}

fn pondering(subject: &mut Subject) -> Measurement {
    if !params(&subject.greeting).any(|param| param.name.as_deref() == Some("ponder")) {
        return Err(Fault::Absent("no parameter ponder".to_owned()));
    }
    subject.send("set-param name=ponder value=true")?;
    let start = Position::start();
    let commands = search(&start, "time=1", "ponder");
    let commands = commands.each_ref().map(String::as_str);
    subject.ponders(&WORDS, &commands, &|lines| best(&start, lines).map(drop))
}

fn parameters(subject: &mut Subject) -> Measurement {
    let mut lines = Vec::new();
    for param in params(&subject.greeting) {
        let ParamLine { name: Some(name), kind: Some(kind), .. } = param else { continue };
        // String parameters are skipped: they could exhaust memory or write files.
        let values: &[&str] = match &*kind {
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

fn no_move(subject: &mut Subject) -> Measurement {
    // In the first position, the side to move has no pieces; in the second, its pieces are blocked.
    let mut answers = Vec::new();
    for pos in [format!("W{}b{}", "e".repeat(20), "e".repeat(29)), {
        let shut: Position = position("B:W41,47:B36")?;
        hub::write(&shut).to_string()
    }] {
        subject.send(&format!("pos pos={pos}"))?;
        subject.send("level depth=3")?;
        subject.send("go think")?;
        let lines = subject.until("done", SOON, "done")?;
        answers.push(answer(&lines).best.into_owned());
    }
    answers.dedup();
    Ok(answers.join(", "))
}

fn clocks(subject: &mut Subject) -> Measurement {
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
        times.add_within(&format!("level {level}"), elapsed, allowed)?;
    }
    Ok(times.to_string())
}

fn survives_garbage(subject: &mut Subject) -> Measurement {
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

fn quits(subject: &mut Subject) -> Measurement {
    ask(subject, &Position::start(), "infinite", "think")?;
    subject.quits()
}

fn hangs_up(subject: &mut Subject) -> Measurement {
    subject.pong()?;
    subject.hangs_up()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_legal() {
        for fen in POSITIONS {
            assert!(fen.parse::<Position>().is_ok_and(|position| position.has_moves()), "{fen}");
        }
    }
}
