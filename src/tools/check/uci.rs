//! What is checked of a UCI engine.
//!
//! Source: *Description of the universal chess interface* (Meyer-Kahlen, 2006).

use super::{Check, Fault, Outcome, SOON, Subject, Times, elapsed, garbage, wrong};
use crate::arena::engine::process::Line;
use crate::arena::engine::talk::{Failure, Link};
use crate::chess::{Move, Position};
use std::collections::HashSet;
use std::time::{Duration, Instant};

/// The checks, in the order in which they are made.
pub const CHECKS: &[Check] = &[
    ("introduces itself, options are well formed", introduction),
    ("answers ten thousand isready", ready_often),
    ("plays legal moves, ponder moves and lines", legality),
    ("obeys depth, nodes, movetime, mate and searchmoves", limits),
    ("stops when told to", stopping),
    ("go infinite waits for stop, also with one move only", infinite),
    ("ponders until ponderhit or stop", pondering),
    ("survives options out of range and unknown ones", options),
    ("gives as many lines as MultiPV asks for", multi_pv),
    ("plays Chess960", chess960),
    ("answers where there is no move", no_move),
    ("keeps very short clocks", clocks),
    ("survives garbage", survives_garbage),
    ("starts a new game while it thinks", restarts),
    ("quits, also while it thinks", quits),
    ("ends when its input ends", hangs_up),
];

/// Positions that engines stumble over.
const POSITIONS: [&str; 14] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    // En passant is the only move; it is pinned away; it gives mate.
    "8/8/8/1k1pP3/8/8/8/K7 w - d6 0 2",
    "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
    // Only an underpromotion does not stalemate.
    "8/5P1k/8/8/8/8/8/K5R1 w - - 0 1",
    "8/k1P5/8/1K6/8/8/8/8 w - - 0 1",
    // Double check, one move, hundreds of moves.
    "4k3/8/8/8/8/5n2/4r3/4K2R w K - 0 1",
    "k7/8/8/8/8/8/6r1/7K w - - 0 1",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    // The fifty moves are all but over; bare kings.
    "7k/8/8/8/8/8/R7/K7 w - - 99 120",
    "8/8/4k3/8/8/4K3/8/8 w - - 0 1",
    // Black to move, far on.
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1 b - - 3 8",
];

/// Positions of Chess960 with castling moves to play: kings that stay or jump, rooks that cross them;
/// and positions of its opening.
const CHESS960: [(&str, &[&str]); 5] = [
    ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", &["e1h1", "e1a1"]),
    ("1r3k1r/8/8/8/8/8/8/1R3K1R w HBhb - 0 1", &["f1h1", "f1b1"]),
    ("1k3r2/8/8/8/8/8/8/6KR w H - 0 1", &["g1h1"]),
    ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", &[]),
    ("2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", &[]),
];

/// Sends `uci`; the lines of the answer.
pub fn greet(link: &mut Link) -> Result<Vec<String>, Failure> {
    link.introduction("uci", "uciok")
}

/// An option as the engine announced it.
struct Setting {
    name: String,
    kind: String,
    default: Option<String>,
    min: Option<i64>,
    max: Option<i64>,
}

/// Reads `option name N type T ...`; none where the line is not of that form.
fn setting(line: &str) -> Option<Setting> {
    let rest = line.strip_prefix("option name ")?;
    let (name, rest) = rest.split_once(" type ")?;
    let mut words = rest.split_whitespace().peekable();
    let kind = words.next()?.to_owned();
    let (mut default, mut min, mut max) = (None, None, None);
    while let Some(word) = words.next() {
        match word {
            "default" => {
                let mut text: Vec<&str> = Vec::new();
                while let Some(word) = words.next_if(|w| !["min", "max", "var"].contains(w)) {
                    text.push(word);
                }
                default = Some(text.join(" "));
            }
            "min" => min = words.next().and_then(|n| n.parse().ok()),
            "max" => max = words.next().and_then(|n| n.parse().ok()),
            _ => {}
        }
    }
    Some(Setting { name: name.trim().to_owned(), kind, default, min, max })
}

impl Subject {
    fn settings(&self) -> Vec<Setting> {
        self.greeting.iter().filter_map(|line| setting(line)).collect()
    }

    fn has(&self, name: &str) -> bool {
        self.settings().iter().any(|setting| setting.name.eq_ignore_ascii_case(name))
    }

    fn ready(&mut self) -> Result<(), Failure> {
        self.link.ask("isready", "readyok")
    }
}

/// Sets a position and starts a search.
fn ask(subject: &mut Subject, position: &str, go: &str) -> Result<Instant, Failure> {
    subject.send(&format!("position {position}"))?;
    subject.send(go)
}

/// The lines of a search up to `bestmove`, and how long that took.
fn think(
    subject: &mut Subject,
    position: &str,
    go: &str,
    time: Duration,
) -> Result<(Vec<Line>, Duration), Failure> {
    let sent = ask(subject, position, go)?;
    let lines = subject.until("bestmove", time, "bestmove")?;
    let elapsed = elapsed(&lines, sent);
    Ok((lines, elapsed))
}

/// The word after another one in a line.
fn after<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    line.split_whitespace().skip_while(|w| *w != word).nth(1)
}

fn position(fen: &str) -> Result<Position, Fault> {
    fen.parse().or_else(|error| wrong(format!("{fen}: {error}")))
}

/// The move of a `bestmove` line, which has to be legal, as its ponder move and every line.
fn best(position: &Position, lines: &[Line], chess960: bool) -> Result<Move, Fault> {
    let read = |position: &Position, text: &str| {
        let known =
            position.legal_moves().iter().copied().find(|&m| position.uci(m, chess960) == text);
        known.map_or_else(
            || wrong(format!("'{text}' is not a legal move in {}", position.fen())),
            Ok,
        )
    };
    for line in lines.iter().map(|line| line.text.as_str()) {
        if line.starts_with("info ") && !line.starts_with("info string") {
            let mut position = position.clone();
            for text in line.split_whitespace().skip_while(|w| *w != "pv").skip(1) {
                let m = read(&position, text)?;
                position = position.play(m);
            }
        }
    }
    let last = lines.last().map(|line| line.text.as_str()).unwrap_or_default();
    let m = read(position, after(last, "bestmove").unwrap_or_default())?;
    if let Some(reply) = after(last, "ponder") {
        read(&position.play(m), reply)?;
    }
    Ok(m)
}

/// Whether the engine plays on after what it was told.
fn still_plays(subject: &mut Subject) -> Result<(), Fault> {
    subject.ready()?;
    let (lines, _) = think(subject, "startpos", "go depth 2", SOON * 5)?;
    best(&Position::start(), &lines, false).map(drop)
}

fn introduction(subject: &mut Subject) -> Outcome {
    let lines = &subject.greeting;
    for id in ["id name ", "id author "] {
        if !lines.iter().any(|line| line.starts_with(id)) {
            return wrong(format!("there is no line '{id}...'"));
        }
    }
    let mut names = HashSet::new();
    let mut count = 0;
    for line in lines.iter().filter(|line| line.starts_with("option")) {
        let Some(option) = setting(line) else {
            return wrong(format!("'{line}' is not 'option name N type T ...'"));
        };
        count += 1;
        if !names.insert(option.name.to_ascii_lowercase()) {
            return wrong(format!("the option {} is there twice", option.name));
        }
        match option.kind.as_str() {
            "spin" => {
                let default = option.default.as_deref().and_then(|n| n.parse::<i64>().ok());
                let (Some(min), Some(max), Some(default)) = (option.min, option.max, default)
                else {
                    return wrong(format!("'{line}' lacks default, min or max"));
                };
                if !(min..=max).contains(&default) {
                    return wrong(format!("in '{line}' the default is out of range"));
                }
            }
            "check" if !matches!(option.default.as_deref(), Some("true" | "false")) => {
                return wrong(format!("in '{line}' the default is neither true nor false"));
            }
            "check" | "combo" | "button" | "string" => {}
            kind => return wrong(format!("'{line}' has a type '{kind}' that there is not")),
        }
    }
    Ok(format!("{count} options"))
}

fn ready_often(subject: &mut Subject) -> Outcome {
    subject.many("isready", "readyok", 10_000)
}

fn legality(subject: &mut Subject) -> Outcome {
    subject.send("ucinewgame")?;
    subject.ready()?;
    let mut plies = 0;
    for fen in POSITIONS {
        // A few moves of a game against itself from each.
        let (mut position, mut moves) = (position(fen)?, String::new());
        for _ in 0..4 {
            if !position.has_moves() {
                break;
            }
            let setup = format!("fen {fen}{}{moves}", if moves.is_empty() { "" } else { " moves" });
            let (lines, _) = think(subject, &setup, "go movetime 20", SOON)?;
            let m = best(&position, &lines, false)?;
            moves = format!("{moves} {}", position.uci(m, false));
            position = position.play(m);
            plies += 1;
        }
    }
    Ok(format!("{plies} moves"))
}

fn limits(subject: &mut Subject) -> Outcome {
    let start = Position::start();
    let long = Duration::from_secs(10);
    for (go, what, most) in
        [("go depth 1", "depth", 1), ("go depth 3", "depth", 3), ("go nodes 5000", "nodes", 15_000)]
    {
        let (lines, _) = think(subject, "startpos", go, long)?;
        best(&start, &lines, false)?;
        let values = lines.iter().filter_map(|line| after(&line.text, what)?.parse::<u64>().ok());
        if let Some(value) = values.max().filter(|&value| value > most) {
            return wrong(format!("'{go}' went to {what} {value}"));
        }
    }
    let (lines, elapsed) = think(subject, "startpos", "go movetime 200", long)?;
    best(&start, &lines, false)?;
    if elapsed > Duration::from_secs(1) {
        return wrong(format!("'go movetime 200' took {} ms", elapsed.as_millis()));
    }
    for m in ["a2a3", "h2h4"] {
        let (lines, _) = think(subject, "startpos", &format!("go depth 2 searchmoves {m}"), long)?;
        let played = start.uci(best(&start, &lines, false)?, false);
        if played != m {
            return wrong(format!("'go searchmoves {m}' was answered by {played}"));
        }
    }
    let mate = "k7/8/1K6/8/8/8/8/7R w - - 0 1";
    let (lines, _) = think(subject, &format!("fen {mate}"), "go mate 1", long)?;
    let played = best(&position(mate)?, &lines, false)?;
    if !position(mate)?.play(played).is_checkmate() {
        return wrong("'go mate 1' did not mate in one");
    }
    Ok(format!("movetime 200 took {} ms", elapsed.as_millis()))
}

fn stopping(subject: &mut Subject) -> Outcome {
    let start = Position::start();
    let mut times = Times::default();
    for wait in [0, 1, 10, 50, 100, 200, 0, 20, 300, 5] {
        ask(subject, "startpos", "go infinite")?;
        std::thread::sleep(Duration::from_millis(wait));
        let told = subject.send("stop")?;
        let lines = subject.until("bestmove", SOON, "bestmove after stop")?;
        best(&start, &lines, false)?;
        times.add(elapsed(&lines, told));
    }
    subject.send("stop")?;
    subject.silent("bestmove", Duration::from_millis(100), "came for a stop without a search")?;
    Ok(times.to_string())
}

fn infinite(subject: &mut Subject) -> Outcome {
    for fen in ["k7/8/8/8/8/8/6r1/7K w - - 0 1", "k7/8/1K6/8/8/8/8/7R w - - 0 1"] {
        ask(subject, &format!("fen {fen}"), "go infinite")?;
        subject.silent("bestmove", Duration::from_millis(500), "came before 'stop'")?;
        subject.send("stop")?;
        let lines = subject.until("bestmove", SOON, "bestmove after stop")?;
        best(&position(fen)?, &lines, false)?;
    }
    Ok(String::new())
}

fn pondering(subject: &mut Subject) -> Outcome {
    if !subject.has("Ponder") {
        return Err(Fault::Absent("no option Ponder".to_owned()));
    }
    subject.send("setoption name Ponder value true")?;
    let mut played = Position::start();
    for text in ["e2e4", "e7e5"] {
        played = played.parse_uci(text).map(|m| played.play(m)).unwrap_or(played);
    }
    let setup = "startpos moves e2e4 e7e5";
    let go = "go ponder wtime 1000 btime 1000 winc 0 binc 0";
    ask(subject, setup, go)?;
    subject.silent("bestmove", Duration::from_millis(1200), "came while it was to ponder")?;
    let hit = subject.send("ponderhit")?;
    let lines = subject.until("bestmove", SOON, "bestmove after ponderhit")?;
    best(&played, &lines, false)?;
    let elapsed = elapsed(&lines, hit);
    if elapsed > Duration::from_secs(1) {
        return wrong(format!("{} ms after ponderhit with 1000 on the clock", elapsed.as_millis()));
    }
    ask(subject, setup, go)?;
    subject.silent("bestmove", Duration::from_millis(100), "came while it was to ponder")?;
    subject.send("stop")?;
    let lines = subject.until("bestmove", SOON, "bestmove after stop")?;
    best(&played, &lines, false)?;
    Ok(format!("answered {} ms after ponderhit", elapsed.as_millis()))
}

fn options(subject: &mut Subject) -> Outcome {
    let settings = subject.settings();
    let mut sent = 0;
    for setting in &settings {
        let name = &setting.name;
        // What may take all memory or write files is left alone.
        let values: Vec<String> = match setting.kind.as_str() {
            "spin" => {
                let mut values =
                    vec!["many".to_owned(), String::new(), "99999999999999999999".to_owned()];
                values.extend(setting.min.map(|min| min.saturating_sub(1).to_string()));
                values
            }
            "check" => vec!["maybe".to_owned(), String::new()],
            "combo" => vec!["none of these".to_owned()],
            _ => Vec::new(),
        };
        for value in values {
            subject.send(&format!("setoption name {name} value {value}"))?;
            sent += 1;
        }
    }
    for line in
        ["setoption", "setoption name", "setoption name Nonsense value 3", "setoption Hash 3"]
    {
        subject.send(line)?;
        sent += 1;
    }
    still_plays(subject)?;
    Ok(format!("{sent} settings"))
}

fn multi_pv(subject: &mut Subject) -> Outcome {
    if !subject.has("MultiPV") {
        return Err(Fault::Absent("no option MultiPV".to_owned()));
    }
    subject.send("setoption name MultiPV value 4")?;
    subject.ready()?;
    let (lines, _) = think(subject, "startpos", "go depth 6", Duration::from_secs(20))?;
    best(&Position::start(), &lines, false)?;
    let of = |line: &Line, word: &str| after(&line.text, word)?.parse::<i64>().ok();
    let infos: Vec<&Line> = lines.iter().filter(|line| line.text.contains(" multipv ")).collect();
    let deepest = infos.iter().filter_map(|line| of(line, "depth")).max().unwrap_or_default();
    let mut last: Vec<Option<(String, i64)>> = vec![None; 4];
    for line in infos.iter().filter(|line| of(line, "depth") == Some(deepest)) {
        let (Some(rank), Some(first)) = (of(line, "multipv"), after(&line.text, "pv")) else {
            return wrong(format!("'{}' lacks its rank or its line", line.text));
        };
        let score = of(line, "cp").unwrap_or(i64::MAX);
        if let Some(slot) = usize::try_from(rank - 1).ok().and_then(|rank| last.get_mut(rank)) {
            *slot = Some((first.to_owned(), score));
        }
    }
    let found: Vec<(String, i64)> = last.into_iter().flatten().collect();
    let firsts: HashSet<&str> = found.iter().map(|(first, _)| first.as_str()).collect();
    if found.len() != 4 || firsts.len() != 4 {
        return wrong(format!(
            "at depth {deepest} there are not four lines of their own: {found:?}"
        ));
    }
    if !found.is_sorted_by(|a, b| a.1 >= b.1) {
        return wrong(format!("the lines are not in order of their scores: {found:?}"));
    }
    // More lines than there are moves.
    let few = "k7/8/8/8/8/8/6r1/7K w - - 0 1";
    let (lines, _) = think(subject, &format!("fen {few}"), "go depth 4", SOON * 5)?;
    best(&position(few)?, &lines, false)?;
    Ok(format!("4 lines at depth {deepest}"))
}

fn chess960(subject: &mut Subject) -> Outcome {
    if !subject.has("UCI_Chess960") {
        return Err(Fault::Absent("no option UCI_Chess960".to_owned()));
    }
    subject.send("setoption name UCI_Chess960 value true")?;
    subject.ready()?;
    let mut plies = 0;
    for (fen, castles) in CHESS960 {
        let start = position(fen)?;
        for &castle in castles {
            let go = format!("go depth 3 searchmoves {castle}");
            let (lines, _) = think(subject, &format!("fen {fen}"), &go, SOON * 5)?;
            let m = best(&start, &lines, true)?;
            let played = start.uci(m, true);
            if played != castle {
                return wrong(format!("'searchmoves {castle}' was answered by {played} in {fen}"));
            }
            let setup = format!("fen {fen} moves {castle}");
            let next = start.play(m);
            if next.has_moves() {
                let (lines, _) = think(subject, &setup, "go depth 3", SOON * 5)?;
                best(&next, &lines, true)?;
            }
            plies += 2;
        }
        let (lines, _) = think(subject, &format!("fen {fen}"), "go movetime 20", SOON)?;
        best(&start, &lines, true)?;
        plies += 1;
    }
    Ok(format!("{plies} moves"))
}

fn no_move(subject: &mut Subject) -> Outcome {
    let mut answers = Vec::new();
    for fen in ["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "k1R5/8/1K6/8/8/8/8/8 b - - 0 1"] {
        for go in ["go depth 3", "go movetime 50", "go wtime 1000 btime 1000"] {
            let (lines, _) = think(subject, &format!("fen {fen}"), go, SOON)?;
            let last = lines.last().map(|line| line.text.clone()).unwrap_or_default();
            let m = after(&last, "bestmove").unwrap_or_default().to_owned();
            if position(fen)?.parse_uci(&m).is_ok() {
                return wrong(format!("'{last}' where there is no move"));
            }
            answers.push(m);
        }
    }
    answers.dedup();
    Ok(answers.join(", "))
}

fn clocks(subject: &mut Subject) -> Outcome {
    let start = Position::start();
    let mut times = Times::default();
    // What is left, and what may be used: a pipe and a scheduler take their time as well.
    for (go, allowed) in [
        ("go movetime 1", 100),
        ("go wtime 1 btime 1", 100),
        ("go wtime 10 btime 10 winc 0 binc 0", 100),
        ("go wtime 50 btime 50 winc 0 binc 0", 100),
        ("go wtime 200 btime 200 movestogo 1", 250),
        ("go wtime 200 btime 200 winc 10 binc 10", 210),
        ("go wtime 10 btime 10 winc 100 binc 100", 110),
        ("go wtime -50 btime -50", 100),
    ] {
        let (lines, elapsed) = think(subject, "startpos", go, SOON)?;
        best(&start, &lines, false)?;
        times.add(elapsed);
        if elapsed > Duration::from_millis(allowed) {
            return wrong(format!("'{go}' took {} ms", elapsed.as_millis()));
        }
    }
    Ok(times.to_string())
}

fn survives_garbage(subject: &mut Subject) -> Outcome {
    let lines = garbage(&[
        "position",
        "position fen",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position fen rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "position startpos moves e2e5",
        "position startpos moves",
        "ponderhit",
        "stop",
        "debug maybe",
        "register",
        "isready now and then",
    ]);
    let count = subject.send_all(&lines)?;
    still_plays(subject)?;
    Ok(format!("{count} lines"))
}

fn restarts(subject: &mut Subject) -> Outcome {
    for _ in 0..3 {
        ask(subject, "startpos", "go infinite")?;
        subject.ready()?;
        subject.send("stop")?;
        subject.until("bestmove", SOON, "bestmove after stop")?;
        subject.send("ucinewgame")?;
        subject.ready()?;
    }
    let (lines, _) = think(subject, "startpos moves d2d4", "go depth 3", SOON * 5)?;
    let played = Position::start();
    let played = played.parse_uci("d2d4").map(|m| played.play(m)).unwrap_or(played);
    best(&played, &lines, false)?;
    Ok(String::new())
}

fn quits(subject: &mut Subject) -> Outcome {
    ask(subject, "startpos", "go infinite")?;
    subject.quits()
}

fn hangs_up(subject: &mut Subject) -> Outcome {
    subject.ready()?;
    subject.hangs_up()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_taken_apart() {
        let hash =
            setting("option name Hash Size type spin default 16 min 1 max 64").expect("spin");
        assert_eq!((hash.name.as_str(), hash.kind.as_str()), ("Hash Size", "spin"));
        assert_eq!((hash.default.as_deref(), hash.min, hash.max), (Some("16"), Some(1), Some(64)));
        let file = setting("option name Book type string default my book.bin").expect("string");
        assert_eq!(file.default.as_deref(), Some("my book.bin"));
        assert!(setting("option name Hash").is_none());
    }

    #[test]
    fn the_positions_are_legal() {
        for fen in POSITIONS {
            assert!(fen.parse::<Position>().is_ok_and(|position| position.has_moves()), "{fen}");
        }
        for (fen, castles) in CHESS960 {
            let position: Position = fen.parse().expect(fen);
            for castle in castles {
                let written = |&m| position.uci(m, true) == *castle;
                assert!(position.legal_moves().iter().any(written), "{castle} in {fen}");
            }
        }
    }
}
