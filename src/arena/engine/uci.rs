//! UCI, from the side of the interface.
//!
//! Source: *Description of the universal chess interface* (Meyer-Kahlen, 2006). Lines that mean
//! nothing are ignored, as it demands; what an engine owes and does not deliver is a [`Failure`].

use super::entrant::Entrant;
use super::talk::{Answer, Asked, Failure, Link, Question, Score, Seat, Talk, Thought, TimeOf};
use crate::arena::game::contest::Variant;
use crate::base::side::Side;
use crate::chess::Position;
use crate::laws::clock::Budget;
use std::time::{Duration, Instant};

/// A conversation in UCI.
#[derive(Debug)]
pub struct Uci {
    chess960: bool,
}

impl Uci {
    /// About games of a variant.
    pub fn new(variant: Variant) -> Self {
        Self { chess960: variant == Variant::Chess960 }
    }

    /// The `position` command.
    fn position(&self, question: &Question<'_, Position>) -> String {
        let mut position = question.start.clone();
        let mut command = if position == Position::start() && !self.chess960 {
            "position startpos".to_owned()
        } else {
            format!("position fen {}", position.fen())
        };
        for (i, &m) in question.moves.iter().enumerate() {
            command.push_str(if i == 0 { " moves " } else { " " });
            command.push_str(&position.uci(m, self.chess960));
            position = position.play(m);
        }
        command
    }
}

/// The `go` command.
fn go(question: &Question<'_, Position>, on: TimeOf) -> String {
    let mut words = vec!["go".to_owned()];
    if on == TimeOf::Opponent {
        words.push("ponder".to_owned());
    }
    // Told no less than a millisecond: engines divide by what is left.
    let ms = |time: Duration| time.as_millis().max(1);
    let faces = [(Side::White, 'w'), (Side::Black, 'b')]
        .map(|(side, letter)| (question.clocks[side.index()], letter));
    match &question.control.budget {
        Budget::PerMove(time) => words.push(format!("movetime {}", ms(*time))),
        Budget::Unlimited => {}
        Budget::Periods(_) | Budget::Hourglass(_) => {
            for (face, letter) in faces {
                words.extend(face.left.map(|left| format!("{letter}time {}", ms(left))));
            }
            for (face, letter) in faces {
                words.push(format!("{letter}inc {}", face.increment.as_millis()));
            }
            let moves_to_go = question.clocks[question.side.index()].moves_to_go;
            words.extend(moves_to_go.map(|moves| format!("movestogo {moves}")));
        }
    }
    words.extend(question.control.nodes.map(|nodes| format!("nodes {nodes}")));
    words.extend(question.control.depth.map(|depth| format!("depth {depth}")));
    words.join(" ")
}

impl Talk<Position> for Uci {
    fn greet(&mut self, link: &mut Link, entrant: &Entrant) -> Result<(), Failure> {
        let mut known = Vec::new();
        for line in link.introduction("uci", "uciok")? {
            let name = line.strip_prefix("option name ").and_then(|l| l.split_once(" type "));
            known.extend(name.map(|(name, _)| name.trim().to_ascii_lowercase()));
        }
        let switches = [("UCI_Chess960", self.chess960), ("Ponder", entrant.ponder)];
        let switches = switches.iter().filter(|(_, on)| *on);
        let switches = switches.map(|&(name, _)| (name.to_owned(), "true".to_owned()));
        for (name, value) in switches.chain(entrant.options.iter().cloned()) {
            if known.contains(&name.to_ascii_lowercase()) {
                let line = if value.is_empty() {
                    format!("setoption name {name}")
                } else {
                    format!("setoption name {name} value {value}")
                };
                link.send(&line, "options")?;
            } else {
                tracing::warn!("{} has no option {name}", entrant.name);
            }
        }
        link.ask("isready", "readyok")
    }

    fn new_game(&mut self, link: &mut Link, _: &Seat<'_, Position>) -> Result<(), Failure> {
        link.send("ucinewgame", "a new game")?;
        link.ask("isready", "readyok")
    }

    fn ask(
        &mut self,
        link: &mut Link,
        question: &Question<'_, Position>,
        on: TimeOf,
    ) -> Result<Asked, Failure> {
        let from = Instant::now();
        link.send(&self.position(question), "bestmove")?;
        let sent = link.send(&go(question, on), "bestmove")?;
        Ok(Asked { from, sent })
    }

    fn hit(&mut self, link: &mut Link) -> Result<Instant, Failure> {
        link.send("ponderhit", "bestmove")
    }

    fn answer(
        &mut self,
        link: &mut Link,
        asked: Asked,
        allowed: Duration,
    ) -> Result<Answer, Failure> {
        link.answer(asked, allowed, "bestmove", |thought, line| {
            let mut words = line.split_ascii_whitespace();
            match words.next() {
                Some("info") => hear(thought, line),
                Some("bestmove") => {
                    let best = words.next().unwrap_or_default().to_owned();
                    let ponder = words.next().filter(|&word| word == "ponder");
                    return Some((best, ponder.and(words.next()).map(str::to_owned)));
                }
                _ => {}
            }
            None
        })
    }
}

/// Takes in an `info` line; lines of other than the best variation count for nothing.
fn hear(thought: &mut Thought, line: &str) {
    let mut words = line.split_ascii_whitespace().skip(1);
    let mut next = *thought;
    while let Some(word) = words.next() {
        match word {
            "depth" => next.depth = parse(words.next()).unwrap_or(next.depth),
            "seldepth" => next.seldepth = parse(words.next()).unwrap_or(next.seldepth),
            "nodes" => next.nodes = parse(words.next()).unwrap_or(next.nodes),
            "nps" => next.nps = parse(words.next()).unwrap_or(next.nps),
            "tbhits" => next.tbhits = parse(words.next()).unwrap_or(next.tbhits),
            "multipv" if words.next() != Some("1") => return,
            "score" => {
                let score = match words.next() {
                    Some("cp") => parse(words.next()).map(Score::Centipawns),
                    Some("mate") => parse(words.next()).map(Score::Mate),
                    _ => None,
                };
                next.score = score.or(next.score);
            }
            "string" | "pv" => break,
            _ => {}
        }
    }
    *thought = next;
}

fn parse<T: std::str::FromStr>(word: Option<&str>) -> Option<T> {
    word?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thoughts_are_the_last_of_the_best_variation() {
        let mut thought = Thought::default();
        hear(
            &mut thought,
            "info depth 7 seldepth 12 multipv 1 score cp -31 lowerbound nodes 900 nps 45 tbhits 2 \
             pv e2e4 nodes 1",
        );
        hear(&mut thought, "info depth 8 multipv 2 score cp 400 nodes 950 pv d2d4");
        hear(&mut thought, "info depth x score cp nodes");
        hear(&mut thought, "info string depth 99 score mate 1");
        let score = Some(Score::Centipawns(-31));
        let expected = Thought { depth: 7, seldepth: 12, score, nodes: 900, nps: 45, tbhits: 2 };
        assert_eq!(thought, expected);
        hear(&mut thought, "info score mate -3");
        assert_eq!(thought.score, Some(Score::Mate(-3)));
    }
}
