//! The GUI side of Hub.
//!
//! Source: the Hub protocol, version 2 (F. Letouzey, in Scan 3.1). A Hub engine adds the increment
//! to its time before each move, so the time sent to the engine excludes the increment.

use super::analysis::{AnalysisEvent, AnalysisSettings, ReportedLine};
use super::announced::{Announced, Values};
use super::answer::{MoveText, ReportedScore, Thought};
use super::entrant::Entrant;
use super::failure::Failure;
use super::link::Link;
use super::protocol::{LineProtocol, Question, TimeOf};
use crate::draughts::{Move, Position, Variant, hub};
use crate::laws::clock::{Budget, TimeControl};
use crate::protocol::hub::command::{Command, Level, Mode};
use crate::protocol::hub::info::Info;
use crate::protocol::hub::line::HubLine;
use crate::protocol::hub::reply::{Done, Reply};
use std::borrow::Cow;
use std::time::{Duration, Instant};

#[derive(Debug)]
pub(crate) struct Hub {
    variant: Variant,
}

impl Hub {
    pub(crate) const fn new(variant: Variant) -> Self {
        Self { variant }
    }
}

/// Builds the `pos` command. Like other GUIs, it omits the moves up to the last capture or man
/// move: earlier positions cannot recur, and the engine would need time to replay the moves.
///
/// The move counts in FMJD 6.3 and 6.4 and the king-move counts in Frisian draughts can continue
/// after a man move. While such a count is running, all moves since its start are sent.
fn pos(first: &Position, all: &[Move]) -> String {
    let mut from = (*first, 0);
    let mut position = from.0;
    for (i, &m) in all.iter().enumerate() {
        position = position.play(m);
        if position.has_no_history() {
            from = (position, i + 1);
        }
    }
    let (start, played) = from;
    let pos = hub::write(&start).to_string();
    let moves: Vec<String> = all[played..].iter().map(ToString::to_string).collect();
    let moves = moves.iter().map(String::as_str).collect();
    Command::Pos { pos: &pos, moves }.to_string()
}

/// Returns the per-search limits: time per move, nodes and depth.
fn limits(control: &TimeControl) -> Vec<Level> {
    let time = match control.budget {
        Budget::PerMove(time) => Some(time),
        Budget::Unlimited | Budget::Periods(_) | Budget::Hourglass(_) => None,
    };
    let time = time.map(|time| Level { move_time: Some(time), ..Level::default() });
    let nodes = control.nodes.map(|nodes| Level { nodes: Some(nodes), ..Level::default() });
    let depth = control.depth.map(|depth| Level { depth: Some(depth), ..Level::default() });
    [time, nodes, depth].into_iter().flatten().collect()
}

fn levels(question: &Question<'_, Position>) -> Vec<Level> {
    let clock = question.clocks[question.side.index()];
    let of_clock = match (&question.control.budget, clock.left) {
        (Budget::Periods(_) | Budget::Hourglass(_), Some(left)) => Some(Level {
            moves: clock.moves_to_go,
            // Subtract the increment: the remaining time already includes it, and the engine adds
            // it again before its move. Hub has no delay, so a delay is sent as an increment.
            time: Some(to_millisecond(left.saturating_sub(clock.increment))),
            inc: clock.increment,
            ..Level::default()
        }),
        _ => None,
    };
    of_clock.into_iter().chain(limits(question.control)).collect()
}

fn to_millisecond(time: Duration) -> Duration {
    Duration::from_millis((time + Duration::from_micros(500)).as_millis() as u64)
}

impl LineProtocol<Position> for Hub {
    const INTRODUCTION: (&'static str, &'static str) = ("hub", "wait");
    const SETTINGS: (&'static str, &'static str) = ("parameter", "parameters");
    const NEW_GAME: &'static str = "new-game";
    const ARE_YOU_THERE: (&'static str, &'static str) = ("ping", "pong");
    const PONDER_HIT: &'static str = "ponder-hit";
    const ANSWER: &'static str = "done";

    fn announced(line: &str) -> Option<Announced> {
        let Ok(Some(Reply::Param(param))) = Reply::parse(line) else { return None };
        let (min, max) = (param.min, param.max);
        let values = match param.kind.as_deref() {
            Some("bool") => Values::Switch,
            Some("int") => Values::Number { min, max, whole: true },
            Some("real") => Values::Number { min, max, whole: false },
            Some("enum") => {
                let words = param.values.as_deref().unwrap_or_default();
                Values::OneOf(words.split_whitespace().map(str::to_owned).collect())
            }
            _ => Values::Any,
        };
        Some(Announced { name: param.name?.into_owned(), values })
    }

    fn is_same_setting(one: &str, other: &str) -> bool {
        one == other
    }

    fn own_settings(&self, entrant: &Entrant) -> Vec<(String, String)> {
        let ponder = entrant.ponder.then_some(("ponder", "true"));
        let other_game = self.variant != Variant::Normal;
        let variant = other_game.then_some(("variant", self.variant.name()));
        let own = variant.into_iter().chain(ponder);
        own.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    }

    fn set(name: &str, value: &str) -> String {
        Command::SetParam { name, value }.to_string()
    }

    fn get_ready(link: &mut Link, see: impl FnMut(&str)) -> Result<(), Failure> {
        link.send("init", "ready")?;
        link.wait_for("ready", Instant::now() + link.patience.start, see)
    }

    fn setting_error(line: &str) -> Option<String> {
        match Reply::parse(line) {
            Ok(Some(Reply::Error(message))) => Some(message.into_owned()),
            _ => None,
        }
    }

    fn question(&self, question: &Question<'_, Position>, on: TimeOf) -> Vec<String> {
        let levels = levels(question).into_iter().map(|level| level.to_string());
        let mode = match on {
            TimeOf::Mover => Mode::Think,
            TimeOf::Opponent => Mode::Ponder,
        };
        let pos = pos(question.start, question.moves);
        [pos].into_iter().chain(levels).chain([Command::Go(mode).to_string()]).collect()
    }

    fn parse_answer(thought: &mut Thought, line: &str) -> Option<MoveText> {
        match Reply::parse(line).ok()?? {
            Reply::Info(info) => take_in(thought, &info),
            Reply::Done(Done { best, ponder }) => return Some(MoveText::new(best, ponder)),
            _ => {}
        }
        None
    }

    fn parse_info(line: &str) -> (Cow<'_, str>, Option<String>) {
        let Ok(line) = HubLine::parse(line) else { return ("".into(), None) };
        (Info::from(&line).pv, Info::malformed_field(&line))
    }

    /// Scan and other engines take the size of their hash table as the binary logarithm of the
    /// number of 16-byte entries. The protocol has no parameter for the number of lines; `multi-pv`
    /// is Adoube's extension.
    fn analysis_settings(settings: AnalysisSettings) -> Vec<(&'static str, String)> {
        let AnalysisSettings { threads, hash_mb, lines } = settings;
        let entries = hash_mb.map(|hash_mb| 16 + hash_mb.max(1).ilog2() as usize);
        let all = [("threads", threads), ("tt-size", entries), ("multi-pv", Some(lines))];
        all.into_iter().filter_map(|(name, n)| Some((name, n?.to_string()))).collect()
    }

    fn analysis(&self, start: &Position, moves: &[Move], control: &TimeControl) -> Vec<String> {
        let levels = match control.is_unlimited() {
            true => vec![Level { infinite: true, ..Level::default() }],
            false => limits(control),
        };
        let levels = levels.into_iter().map(|level| level.to_string());
        let go = Command::Go(Mode::Analyze).to_string();
        [pos(start, moves)].into_iter().chain(levels).chain([go]).collect()
    }

    fn parse_analysis(line: &str) -> Option<AnalysisEvent> {
        match Reply::parse(line).ok()?? {
            Reply::Done(_) => Some(AnalysisEvent::End),
            Reply::Info(info) if !info.pv.is_empty() => Some(AnalysisEvent::Line(ReportedLine {
                rank: info.multi_pv.map_or(0, |rank| rank.saturating_sub(1) as usize),
                depth: info.depth,
                nodes: info.nodes,
                time: info.time,
                score: info.score.map(|men| ReportedScore::Centipawns(men.0)),
                is_bound: info.bound.is_some(),
                moves: info.pv.split_whitespace().map(str::to_owned).collect(),
            })),
            _ => None,
        }
    }
}

/// Updates `thought` from an `info` line. Lines about secondary variations are ignored.
fn take_in(thought: &mut Thought, info: &Info<'_>) {
    if info.multi_pv.is_some_and(|rank| rank != 1) {
        return;
    }
    *thought = Thought {
        depth: info.depth.unwrap_or(thought.depth),
        seldepth: info.max_depth.unwrap_or(thought.seldepth),
        score: info.score.map(|men| ReportedScore::Centipawns(men.0)).or(thought.score),
        nodes: info.nodes.unwrap_or(thought.nodes),
        nps: info.nps.unwrap_or(thought.nps),
        tbhits: info.tbhits.unwrap_or(thought.tbhits),
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::engine::protocol::ClockReading;
    use crate::base::side::Side;
    use crate::draughts::notation;

    #[test]
    fn writes_hub_commands() {
        let start = Position::start();
        let man = notation::parse(&start, "32-28").expect("legal");
        let clock = ClockReading {
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
            clocks: [clock; 2],
            control: &control,
        };
        let (black, white) = ("b".repeat(20), "w".repeat(18));
        let expected = format!("pos pos=B{black}eeeeeeeweewe{white}");
        assert_eq!(pos(question.start, question.moves), expected, "the man move is not repeated");
        assert_eq!(
            Hub::new(Variant::Normal).question(&question, TimeOf::Mover),
            [&expected, "level moves=9 time=61.000 inc=0.5", "level nodes=5", "go think",]
        );
        assert_eq!(
            <Hub as LineProtocol<Position>>::set("book", "my book"),
            "set-param name=book value=\"my book\""
        );
    }

    #[test]
    fn sends_the_moves_that_draw_counts_need() {
        let start: Position = "W:WK46,K47,38:BK1,37".parse().expect("a position");
        let mut position = start;
        let moves = ["46x28", "1-6", "28-5", "6-1", "38-33", "1-6"].map(|text| {
            let m = notation::parse(&position, text).unwrap_or_else(|e| panic!("{e}"));
            position = position.play(m);
            m
        });
        let clock = ClockReading { left: None, increment: Duration::ZERO, moves_to_go: None };
        let question = Question {
            start: &start,
            moves: &moves,
            side: Side::White,
            clocks: [clock; 2],
            control: &TimeControl::default(),
        };
        // The capture starts the count for three pieces against a king; a later man move does not
        // end it.
        let sent = pos(question.start, question.moves);
        assert!(sent.ends_with(" moves=\"1-6 28-5 6-1 38-33 1-6\""), "{sent}");
    }

    #[test]
    fn reads_infos_and_skips_malformed_lines() {
        let mut thought = Thought::default();
        for line in [
            "info depth=21 mean-depth=20.8 score=-0.01 nodes=31 nps=5.25 pv=\"32-28\"",
            "info score=x depth=",
            "info depth=9 pv=\"",
            "hello",
        ] {
            assert_eq!(Hub::parse_answer(&mut thought, line), None, "{line}");
        }
        let score = Some(ReportedScore::Centipawns(-1));
        let expected =
            Thought { depth: 21, score, nodes: 31, nps: 5_250_000, ..Thought::default() };
        assert_eq!(thought, expected);
    }
}
