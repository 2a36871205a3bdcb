//! Hub, from the side of the interface.
//!
//! Source: Hub's protocol, version 2 (F. Letouzey, in Scan 3.1). There an increment is added before
//! the move that it is for, so an engine is told the time without it.

use super::entrant::Entrant;
use super::talk::{Answer, Asked, Failure, Link, Question, Score, Seat, Talk, Thought, TimeOf};
use crate::draughts::{Position, hub, notation};
use crate::laws::clock::Budget;
use crate::protocol::hub::line::{Line, Value};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// A conversation in Hub.
#[derive(Debug)]
pub struct Hub;

/// The `pos` command. Moves before the last capture or man's move cannot be repeated and are left
/// out, as other interfaces do: they cost an engine time. Where one of the counts of 6.3 and 6.4
/// runs, which a man's move does not end, all moves since its start are sent.
fn pos(question: &Question<'_, Position>) -> String {
    let mut from = (*question.start, 0);
    let mut position = from.0;
    for (i, &m) in question.moves.iter().enumerate() {
        position = position.play(m);
        if position.king_plies() == 0 && position.ending_plies() == 0 {
            from = (position, i + 1);
        }
    }
    let (start, played) = from;
    let mut command = format!("pos pos={}", hub::write(&start));
    let moves: Vec<String> =
        question.moves[played..].iter().map(|&m| notation::hub(m).to_string()).collect();
    if !moves.is_empty() {
        let _ = write!(command, " moves=\"{}\"", moves.join(" "));
    }
    command
}

/// The `level` commands.
fn levels(question: &Question<'_, Position>) -> Vec<String> {
    let mut levels = Vec::new();
    let face = question.clocks[question.side.index()];
    match (&question.control.budget, face.left) {
        (Budget::PerMove(time), _) => levels.push(format!("move-time={}", time.as_secs_f64())),
        (Budget::Periods(_) | Budget::Hourglass(_), Some(left)) => {
            let mut level = String::new();
            if let Some(moves) = face.moves_to_go {
                let _ = write!(level, "moves={moves} ");
            }
            // Our clocks have added it after the last move; a delay is counted in as well.
            let before = left.saturating_sub(face.increment);
            let _ = write!(level, "time={:.3}", before.as_secs_f64());
            if !face.increment.is_zero() {
                let _ = write!(level, " inc={}", face.increment.as_secs_f64());
            }
            levels.push(level);
        }
        _ => {}
    }
    levels.extend(question.control.nodes.map(|nodes| format!("nodes={nodes}")));
    levels.extend(question.control.depth.map(|depth| format!("depth={depth}")));
    levels
}

impl Talk<Position> for Hub {
    fn greet(&mut self, link: &mut Link, entrant: &Entrant) -> Result<(), Failure> {
        let mut known = Vec::new();
        for text in link.introduction("hub", "wait")? {
            if let Ok(line) = Line::parse(&text)
                && line.command == "param"
            {
                known.extend(line.get("name").map(str::to_owned));
            }
        }
        let ponder = entrant.ponder.then(|| ("ponder".to_owned(), "true".to_owned()));
        for (name, value) in ponder.iter().chain(&entrant.options) {
            if known.contains(name) {
                let line = format!("set-param name={name} value={}", Value(value));
                link.send(&line, "parameters")?;
            } else {
                tracing::warn!("{} has no parameter {name}", entrant.name);
            }
        }
        link.send("init", "ready")?;
        link.wait_for("ready", Instant::now() + link.patience.start, |_| {})
    }

    fn new_game(&mut self, link: &mut Link, _: &Seat<'_, Position>) -> Result<(), Failure> {
        link.send("new-game", "a new game")?;
        link.ask("ping", "pong")
    }

    fn ask(
        &mut self,
        link: &mut Link,
        question: &Question<'_, Position>,
        on: TimeOf,
    ) -> Result<Asked, Failure> {
        let from = Instant::now();
        link.send(&pos(question), "done")?;
        for level in levels(question) {
            link.send(&format!("level {level}"), "done")?;
        }
        let go = match on {
            TimeOf::Mover => "go think",
            TimeOf::Opponent => "go ponder",
        };
        let sent = link.send(go, "done")?;
        Ok(Asked { from, sent })
    }

    fn hit(&mut self, link: &mut Link) -> Result<Instant, Failure> {
        link.send("ponder-hit", "done")
    }

    fn answer(
        &mut self,
        link: &mut Link,
        asked: Asked,
        allowed: Duration,
    ) -> Result<Answer, Failure> {
        link.answer(asked, allowed, "done", |thought, text| {
            let Ok(line) = Line::parse(text) else { return None };
            match line.command {
                "info" => hear(thought, &line),
                "done" => {
                    let best = line.get("move").unwrap_or_default().to_owned();
                    return Some((best, line.get("ponder").map(str::to_owned)));
                }
                _ => {}
            }
            None
        })
    }
}

fn hear(thought: &mut Thought, line: &Line<'_>) {
    fn number<T: std::str::FromStr>(line: &Line<'_>, name: &str) -> Option<T> {
        line.get(name)?.parse().ok()
    }
    thought.depth = number(line, "depth").unwrap_or(thought.depth);
    thought.seldepth = number(line, "max-depth").unwrap_or(thought.seldepth);
    thought.nodes = number(line, "nodes").unwrap_or(thought.nodes);
    thought.tbhits = number(line, "tbhits").unwrap_or(thought.tbhits);
    // In millions.
    let nps: Option<f64> = number(line, "nps");
    thought.nps = nps.map_or(thought.nps, |millions| (millions * 1e6).round() as u64);
    // In men.
    let score: Option<f64> = number(line, "score");
    let score = score.filter(|score| score.is_finite());
    thought.score = score
        .map(|men| Score::Centipawns((men * 100.0).round().clamp(-1e6, 1e6) as i32))
        .or(thought.score);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::engine::talk::Face;
    use crate::base::side::Side;
    use crate::laws::clock::TimeControl;

    #[test]
    fn commands_are_as_hub_has_them() {
        let start = Position::start();
        let man = notation::parse(&start, "32-28").expect("legal");
        let face = Face {
            left: Some(Duration::from_millis(61_500)),
            increment: Duration::from_millis(500),
            moves_to_go: Some(9),
        };
        let control = TimeControl {
            budget: "10/61.5+0.5".parse().expect("a control"),
            nodes: Some(5),
            depth: None,
        };
        let question = Question {
            start: &start,
            moves: &[man],
            side: Side::Black,
            clocks: [face; 2],
            control: &control,
        };
        let (black, white) = ("b".repeat(20), "w".repeat(18));
        let expected = format!("pos pos=B{black}eeeeeeeweewe{white}");
        assert_eq!(pos(&question), expected, "the man's move is not repeated");
        assert_eq!(levels(&question), ["moves=9 time=61.000 inc=0.5", "nodes=5"]);
    }

    #[test]
    fn moves_that_a_count_needs_are_sent() {
        let start: Position = "W:WK46,K47,38:BK1,37".parse().expect("a position");
        let mut position = start;
        let moves = ["46x28", "1-6", "28-5", "6-1", "38-33", "1-6"].map(|text| {
            let m = notation::parse(&position, text).unwrap_or_else(|e| panic!("{e}"));
            position = position.play(m);
            m
        });
        let face = Face { left: None, increment: Duration::ZERO, moves_to_go: None };
        let question = Question {
            start: &start,
            moves: &moves,
            side: Side::White,
            clocks: [face; 2],
            control: &TimeControl::default(),
        };
        // The capture made it three against a king; the man's move, later, does not end that.
        let sent = pos(&question);
        assert!(sent.ends_with(" moves=\"1-6 28-5 6-1 38-33 1-6\""), "{sent}");
    }

    #[test]
    fn thoughts_are_read() {
        let mut thought = Thought::default();
        let line =
            Line::parse("info depth=21 mean-depth=20.8 score=-0.01 nodes=31 nps=5.25 pv=\"32-28\"");
        hear(&mut thought, &line.expect("a line"));
        hear(&mut thought, &Line::parse("info score=x depth=").expect("a line"));
        let score = Some(Score::Centipawns(-1));
        let expected =
            Thought { depth: 21, score, nodes: 31, nps: 5_250_000, ..Thought::default() };
        assert_eq!(thought, expected);
    }
}
