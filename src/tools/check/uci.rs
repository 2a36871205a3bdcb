//! Checks for UCI engines.
//!
//! Source: *Description of the universal chess interface* (Meyer-Kahlen, 2006).

use super::{
    Check, Fault, Measurement, SOON, Subject, Times, Words, garbage, play_variation, position,
    search_within, wrong,
};
use crate::arena::engine::entrant::Entrant;
use crate::arena::engine::failure::Failure;
use crate::arena::engine::link::Link;
use crate::arena::engine::process::OutputLine;
use crate::arena::engine::protocol::introduce;
use crate::arena::engine::uci::Uci;
use crate::arena::game::contest::Variant;
use crate::chess::{Move, Position};
use crate::protocol::uci::info::{Info, UciScore};
use crate::protocol::uci::option::OptionLine;
use crate::protocol::uci::reply::{BestMove, Reply};
use std::collections::HashSet;
use std::time::Duration;

pub(super) const CHECKS: &[Check] = &[
    ("introduces itself with well-formed options", introduction),
    ("answers ten thousand isready", ready_often),
    ("plays legal moves, ponder moves and lines", legality),
    ("obeys depth, nodes, movetime, mate and searchmoves", limits),
    ("answers stop promptly", stopping),
    ("go infinite waits for stop, also with one move only", infinite),
    ("ponders until ponderhit or stop", pondering),
    ("survives unknown options and values out of range", options),
    ("gives as many lines as MultiPV asks for", multi_pv),
    ("plays Chess960", chess960),
    ("answers in positions without a legal move", no_move),
    ("does not run out of time on very short clocks", clocks),
    ("survives garbage", survives_garbage),
    ("starts a new game during a search", restarts),
    ("quits during a search", quits),
    ("exits when its input ends", hangs_up),
];

/// Positions that have exposed engine bugs.
const POSITIONS: [&str; 14] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    // A legal en passant capture, and a capture that is illegal because it exposes the king.
    "8/8/8/1k1pP3/8/8/8/K7 w - d6 0 2",
    "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
    // Promotion to a queen gives stalemate, but an underpromotion does not.
    "8/5P1k/8/8/8/8/8/K5R1 w - - 0 1",
    "8/k1P5/8/1K6/8/8/8/8 w - - 0 1",
    // A double check, a position with one legal move, and a position with hundreds of legal moves.
    "4k3/8/8/8/8/5n2/4r3/4K2R w K - 0 1",
    "k7/8/8/8/8/8/6r1/7K w - - 0 1",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    // One ply before the fifty-move rule applies, and bare kings.
    "7k/8/8/8/8/8/R7/K7 w - - 99 120",
    "8/8/4k3/8/8/4K3/8/8 w - - 0 1",
    // A middlegame with Black to move.
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1 b - - 3 8",
];

/// Chess960 positions, and castling moves that `searchmoves` forces the engine to play. In some of
/// these moves, the king stays on its square, crosses several squares or passes its rook. The last
/// two positions are from openings, and no move is forced there.
const CHESS960: [(&str, &[&str]); 5] = [
    ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", &["e1h1", "e1a1"]),
    ("1r3k1r/8/8/8/8/8/8/1R3K1R w HBhb - 0 1", &["f1h1", "f1b1"]),
    ("1k3r2/8/8/8/8/8/8/6KR w H - 0 1", &["g1h1"]),
    ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", &[]),
    ("2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", &[]),
];

const WORDS: Words = Words {
    answer: "bestmove",
    ready: ("isready", "readyok"),
    after_stop: "bestmove after stop",
    ponder_hit: "ponderhit",
    after_hit: "bestmove after ponderhit",
};

pub(super) fn greet(link: &mut Link, entrant: &Entrant) -> Result<Vec<String>, Failure> {
    introduce(&Uci::new(Variant::Standard), link, entrant, &[])
}

/// Parses an `option` line. Returns `None` if the line is not `option name N type T ...`.
fn option(line: &str) -> Option<OptionLine<'_>> {
    OptionLine::parse(line).filter(|option| !option.kind.is_empty())
}

impl Subject {
    fn options(&self) -> impl Iterator<Item = OptionLine<'_>> {
        self.greeting.iter().filter_map(|line| option(line))
    }

    fn needs(&self, name: &str) -> Result<(), Fault> {
        if self.options().any(|option| option.name.eq_ignore_ascii_case(name)) {
            return Ok(());
        }
        Err(Fault::Absent(format!("no option {name}")))
    }

    fn ready(&mut self) -> Result<(), Failure> {
        self.link.query("isready", "readyok")
    }
}

/// Runs a search. Returns the lines up to `bestmove`, and the time until `bestmove` arrived.
fn think(
    subject: &mut Subject,
    position: &str,
    go: &str,
    time: Duration,
) -> Result<(Vec<OutputLine>, Duration), Failure> {
    subject.think(&[&format!("position {position}"), go], &WORDS, time)
}

fn infos(lines: &[OutputLine]) -> impl Iterator<Item = Info<'_>> {
    lines.iter().filter_map(|line| Info::parse(&line.text))
}

fn answer(lines: &[OutputLine]) -> BestMove<'_> {
    match lines.last().and_then(|line| Reply::parse(&line.text)) {
        Some(Reply::BestMove(answer)) => answer,
        _ => BestMove { best: "".into(), ponder: None },
    }
}

/// Returns the move in the `bestmove` line. Fails if this move, the ponder move or any principal
/// variation is illegal, or if a number in the search information is malformed.
fn best(position: &Position, lines: &[OutputLine], chess960: bool) -> Result<Move, Fault> {
    let read = |position: &Position, text: &str| {
        let legal =
            position.legal_moves().iter().copied().find(|&m| position.uci(m, chess960) == text);
        legal.map_or_else(
            || wrong(format!("'{text}' is not a legal move in {}", position.fen())),
            Ok,
        )
    };
    for line in lines {
        let Some(info) = Info::parse(&line.text) else { continue };
        if let Some(field) = Info::malformed_field(&line.text) {
            return Err(Fault::of_number(&field, &line.text));
        }
        play_variation(position, &info.pv, &line.text, read)?;
    }
    let BestMove { best, ponder } = answer(lines);
    let m = read(position, &best)?;
    if let Some(reply) = ponder {
        read(&position.play(m), &reply)?;
    }
    Ok(m)
}

/// Checks that the engine still answers and plays a legal move.
fn still_plays(subject: &mut Subject) -> Result<(), Fault> {
    subject.ready()?;
    let (lines, _) = think(subject, "startpos", "go depth 2", SOON * 5)?;
    best(&Position::start(), &lines, false).map(drop)
}

fn introduction(subject: &mut Subject) -> Measurement {
    let lines = &subject.greeting;
    let mut replies = lines.iter().filter_map(|line| Reply::parse(line));
    if !replies.clone().any(|reply| matches!(reply, Reply::Name(_))) {
        return wrong("there is no line 'id name ...'");
    }
    if !replies.any(|reply| matches!(reply, Reply::Author(_))) {
        return wrong("there is no line 'id author ...'");
    }
    let (mut names, mut faults, mut count) = (HashSet::new(), Vec::new(), 0);
    for line in lines.iter().filter(|line| line.starts_with("option")) {
        let Some(option) = option(line) else {
            faults.push(format!("'{line}' is not 'option name N type T ...'"));
            continue;
        };
        count += 1;
        if !names.insert(option.name.to_ascii_lowercase()) {
            faults.push(format!("the option {} is announced twice", option.name));
        }
        faults.extend(option_fault(line, &option));
    }
    if faults.is_empty() { Ok(format!("{count} options")) } else { wrong(faults.join("; ")) }
}

/// Returns any fault in the type or the values of an option. `line` is the line that
/// announces the option.
fn option_fault(line: &str, option: &OptionLine<'_>) -> Option<String> {
    let default = option.default.as_deref();
    match option.kind {
        "spin" => {
            let default = default.and_then(|n| n.parse::<i64>().ok());
            let (Some(min), Some(max), Some(default)) = (option.min, option.max, default) else {
                return Some(format!("'{line}' lacks default, min or max"));
            };
            let fits = (min..=max).contains(&default);
            (!fits).then(|| format!("in '{line}' the default is out of range"))
        }
        "check" => {
            let fits = matches!(default, Some("true" | "false"));
            (!fits).then(|| format!("in '{line}' the default is neither true nor false"))
        }
        "combo" => {
            let default = default.unwrap_or_default();
            let fits = option.vars.iter().any(|var| var.eq_ignore_ascii_case(default));
            (!fits).then(|| format!("in '{line}' the default is not one of the values (var)"))
        }
        "button" | "string" => None,
        kind => Some(format!("'{line}' has the unknown type '{kind}'")),
    }
}

fn ready_often(subject: &mut Subject) -> Measurement {
    subject.many("isready", "readyok", 10_000)
}

fn legality(subject: &mut Subject) -> Measurement {
    subject.send("ucinewgame")?;
    subject.ready()?;
    let (go, time) = match &subject.control {
        Some(control) => search_within(&Uci::new(Variant::Standard), control),
        None => (vec!["go movetime 20".to_owned()], SOON),
    };
    let mut plies = 0;
    for fen in POSITIONS {
        // Play a few moves from each position.
        let (mut position, mut moves): (Position, _) = (position(fen)?, String::new());
        for _ in 0..4 {
            if !position.has_moves() {
                break;
            }
            let setup = if moves.is_empty() { "" } else { " moves" };
            let setup = format!("position fen {fen}{setup}{moves}");
            let commands: Vec<&str> = [&setup].into_iter().chain(&go).map(String::as_str).collect();
            let (lines, _) = subject.think(&commands, &WORDS, time)?;
            let m = best(&position, &lines, false)?;
            subject.answers_once(&WORDS)?;
            moves = format!("{moves} {}", position.uci(m, false));
            position = position.play(m);
            plies += 1;
        }
    }
    Ok(format!("{plies} moves"))
}

fn limits(subject: &mut Subject) -> Measurement {
    let start = Position::start();
    let long = Duration::from_secs(10);
    let mut search = |position: &str, go: &str| {
        think(subject, position, go, long)
            .map_err(|failure| Fault::of_limit(go, failure, in_match(go)))
    };
    for (go, what, max) in
        [("go depth 1", "depth", 1), ("go depth 3", "depth", 3), ("go nodes 5000", "nodes", 15_000)]
    {
        let (lines, _) = search("startpos", go)?;
        best(&start, &lines, false)?;
        let values = infos(&lines).filter_map(|info| match what {
            "depth" => info.depth.map(u64::from),
            _ => info.nodes,
        });
        if let Some(value) = values.max().filter(|&value| value > max) {
            return wrong(format!("'{go}' went to {what} {value}: {}", in_match(go)));
        }
    }
    let (lines, elapsed) = search("startpos", "go movetime 200")?;
    best(&start, &lines, false)?;
    if elapsed > Duration::from_secs(1) {
        let (go, ms) = ("go movetime 200", elapsed.as_millis());
        return wrong(format!("'{go}' took {ms} ms: {}", in_match(go)));
    }
    for m in ["a2a3", "h2h4"] {
        let (lines, _) = search("startpos", &format!("go depth 2 searchmoves {m}"))?;
        let played = start.uci(best(&start, &lines, false)?, false);
        if played != m {
            let go = format!("go depth 2 searchmoves {m}");
            return wrong(format!("'{go}' was answered by {played}: {}", in_match(&go)));
        }
    }
    let mate = "k7/8/1K6/8/8/8/8/7R w - - 0 1";
    let (lines, _) = search(&format!("fen {mate}"), "go mate 1")?;
    let start: Position = position(mate)?;
    if !start.play(best(&start, &lines, false)?).is_checkmate() {
        return wrong(format!(
            "'go mate 1' did not find the mate in one: {}",
            in_match("go mate 1")
        ));
    }
    Ok(format!("movetime 200 took {} ms", elapsed.as_millis()))
}

/// Describes the consequence for matches if an engine does not obey the limit in a `go` command.
fn in_match(go: &str) -> &'static str {
    match go.split(' ').nth_back(1) {
        Some("depth") => "it cannot play matches with --depth",
        Some("nodes") => "it cannot play matches with --nodes",
        Some("movetime") => "it cannot play matches with --movetime",
        Some("searchmoves") => "matches do not need it, analysis does",
        _ => "matches do not need it, problem suites do",
    }
}

fn stopping(subject: &mut Subject) -> Measurement {
    let searches = [0, 1, 10, 50, 100, 200, 0, 20, 300, 5]
        .map(|ms| (ms, vec!["position startpos", "go infinite"]));
    let judge = |lines: &[OutputLine]| best(&Position::start(), lines, false).map(drop);
    let times = subject.stops(&WORDS, searches, &judge)?;
    subject.send("stop")?;
    subject.silent("bestmove", Duration::from_millis(100), "came for 'stop' without a search")?;
    Ok(times.to_string())
}

fn infinite(subject: &mut Subject) -> Measurement {
    for fen in ["k7/8/8/8/8/8/6r1/7K w - - 0 1", "k7/8/1K6/8/8/8/8/7R w - - 0 1"] {
        subject.start(&[&format!("position fen {fen}"), "go infinite"])?;
        let wait = Duration::from_millis(500);
        let lines = subject.waits_for_stop(&WORDS, wait, "came before 'stop'")?;
        best(&position(fen)?, &lines, false)?;
    }
    Ok(String::new())
}

fn pondering(subject: &mut Subject) -> Measurement {
    subject.needs("Ponder")?;
    subject.send("setoption name Ponder value true")?;
    let mut played = Position::start();
    for text in ["e2e4", "e7e5"] {
        played = played.parse_uci(text).map(|m| played.play(m)).unwrap_or(played);
    }
    let commands =
        ["position startpos moves e2e4 e7e5", "go ponder wtime 1000 btime 1000 winc 0 binc 0"];
    subject.ponders(&WORDS, &commands, &|lines| best(&played, lines, false).map(drop))
}

fn options(subject: &mut Subject) -> Measurement {
    let mut lines = Vec::new();
    for option in subject.options() {
        // String options are skipped: they could exhaust memory or write files.
        let values: Vec<String> = match option.kind {
            "spin" => {
                let mut values =
                    vec!["many".to_owned(), String::new(), "99999999999999999999".to_owned()];
                values.extend(option.min.map(|min| min.saturating_sub(1).to_string()));
                values
            }
            "check" => vec!["maybe".to_owned(), String::new()],
            "combo" => vec!["none of these".to_owned()],
            _ => Vec::new(),
        };
        let set = |value| format!("setoption name {} value {value}", option.name);
        lines.extend(values.iter().map(set));
    }
    let malformed =
        ["setoption", "setoption name", "setoption name Nonsense value 3", "setoption Hash 3"];
    lines.extend(malformed.map(str::to_owned));
    let count = subject.send_all(&lines)?;
    still_plays(subject)?;
    Ok(format!("{count} settings"))
}

fn multi_pv(subject: &mut Subject) -> Measurement {
    subject.needs("MultiPV")?;
    subject.send("setoption name MultiPV value 4")?;
    subject.ready()?;
    let (lines, _) = think(subject, "startpos", "go depth 6", Duration::from_secs(20))?;
    best(&Position::start(), &lines, false)?;
    fn ranked(line: &OutputLine) -> Option<Info<'_>> {
        Info::parse(&line.text).filter(|info| info.multipv.is_some())
    }
    let deepest = lines.iter().filter_map(|line| ranked(line)?.depth).max().unwrap_or_default();
    let mut last: Vec<Option<(String, i64)>> = vec![None; 4];
    for line in &lines {
        let Some(info) = ranked(line).filter(|info| info.depth == Some(deepest)) else { continue };
        let rank = info.multipv.filter(|&rank| rank > 0);
        let (Some(rank), Some(first)) = (rank, info.pv.split_whitespace().next()) else {
            return wrong(format!("'{}' lacks multipv or pv", line.text));
        };
        let score = match info.score {
            Some(UciScore::Centipawns(score)) => score.into(),
            Some(UciScore::Mate(_)) | None => i64::MAX,
        };
        if let Some(slot) = last.get_mut(rank as usize - 1) {
            *slot = Some((first.to_owned(), score));
        }
    }
    let found: Vec<(String, i64)> = last.into_iter().flatten().collect();
    let firsts: HashSet<&str> = found.iter().map(|(first, _)| first.as_str()).collect();
    if found.len() != 4 || firsts.len() != 4 {
        return wrong(format!("at depth {deepest} there are not four different lines: {found:?}"));
    }
    if !found.is_sorted_by(|a, b| a.1 >= b.1) {
        return wrong(format!("the lines are not sorted by score: {found:?}"));
    }
    // Request more lines than there are legal moves.
    let few = "k7/8/8/8/8/8/6r1/7K w - - 0 1";
    let (lines, _) = think(subject, &format!("fen {few}"), "go depth 4", SOON * 5)?;
    best(&position(few)?, &lines, false)?;
    Ok(format!("4 lines at depth {deepest}"))
}

fn chess960(subject: &mut Subject) -> Measurement {
    subject.needs("UCI_Chess960")?;
    subject.send("setoption name UCI_Chess960 value true")?;
    subject.ready()?;
    let mut plies = 0;
    for (fen, castles) in CHESS960 {
        let start: Position = position(fen)?;
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

fn no_move(subject: &mut Subject) -> Measurement {
    let mut answers = Vec::new();
    for fen in ["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "k1R5/8/1K6/8/8/8/8/8 b - - 0 1"] {
        for go in ["go depth 3", "go movetime 50", "go wtime 1000 btime 1000"] {
            let (lines, _) = think(subject, &format!("fen {fen}"), go, SOON)?;
            let last = answer(&lines);
            if position::<Position>(fen)?.parse_uci(&last.best).is_ok() {
                return wrong(format!("'{last}' in a position without moves"));
            }
            answers.push(last.best.into_owned());
        }
    }
    answers.dedup();
    Ok(answers.join(", "))
}

fn clocks(subject: &mut Subject) -> Measurement {
    let start = Position::start();
    let mut times = Times::default();
    // Each command, and the time allowed for it in milliseconds. The time includes delays caused by
    // the pipe and the scheduler.
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
        times.add_within(go, elapsed, allowed)?;
    }
    Ok(times.to_string())
}

fn survives_garbage(subject: &mut Subject) -> Measurement {
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

fn restarts(subject: &mut Subject) -> Measurement {
    for _ in 0..3 {
        subject.start(&["position startpos", "go infinite"])?;
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

fn quits(subject: &mut Subject) -> Measurement {
    subject.start(&["position startpos", "go infinite"])?;
    subject.quits()
}

fn hangs_up(subject: &mut Subject) -> Measurement {
    subject.ready()?;
    subject.hangs_up()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_options_without_a_type() {
        assert!(option("option name Hash type spin").is_some());
        assert!(option("option name Hash").is_none() && option("option name Hash type ").is_none());
    }

    #[test]
    fn positions_and_castling_moves_are_legal() {
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
