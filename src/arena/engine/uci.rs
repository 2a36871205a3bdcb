//! The GUI side of UCI.
//!
//! Source: *Description of the universal chess interface* (Meyer-Kahlen, 2006). Unknown lines are
//! ignored, as the protocol requires. A missing answer is a [`Failure`].

use super::analysis::{AnalysisEvent, AnalysisSettings, ReportedLine};
use super::announced::{Announced, Values};
use super::answer::{MoveText, Thought};
use super::entrant::Entrant;
use super::failure::Failure;
use super::link::Link;
use super::protocol::{LineProtocol, Question, TimeOf};
use crate::arena::game::contest::Variant;
use crate::base::side::Side;
use crate::chess::{Move, Position};
use crate::laws::clock::{Budget, TimeControl};
use crate::protocol::uci::command::{Command, Go};
use crate::protocol::uci::info::Info;
use crate::protocol::uci::option::OptionLine;
use crate::protocol::uci::reply::{BestMove, Reply};
use std::borrow::Cow;
use std::time::Duration;

#[derive(Debug)]
pub(crate) struct Uci {
    chess960: bool,
}

impl Uci {
    pub(crate) fn new(variant: Variant) -> Self {
        Self { chess960: variant == Variant::Chess960 }
    }

    fn position(&self, start: &Position, played: &[Move]) -> String {
        let mut position = start.clone();
        let usual = position == Position::start() && !self.chess960;
        let fen = (!usual).then(|| position.fen().to_string());
        let mut moves = Vec::with_capacity(played.len());
        for &m in played {
            moves.push(position.uci(m, self.chess960));
            position = position.play(m);
        }
        let moves = moves.iter().map(String::as_str).collect();
        Command::Position { fen, moves }.to_string()
    }
}

/// Returns the time to send: at least 1 ms, because engines divide by the remaining time.
fn at_least_1_ms(time: Duration) -> Duration {
    time.max(Duration::from_millis(1))
}

/// Returns the per-search limits: time per move, nodes and depth.
fn limits(control: &TimeControl) -> Go<'static> {
    let movetime = match control.budget {
        Budget::PerMove(time) => Some(at_least_1_ms(time)),
        Budget::Unlimited | Budget::Periods(_) | Budget::Hourglass(_) => None,
    };
    Go { movetime, nodes: control.nodes, depth: control.depth, ..Go::default() }
}

fn go(question: &Question<'_, Position>, on: TimeOf) -> Go<'static> {
    let [white, black] = [Side::White, Side::Black].map(|side| question.clocks[side.index()]);
    let mut go = Go { ponder: on == TimeOf::Opponent, ..limits(question.control) };
    if let Budget::Periods(_) | Budget::Hourglass(_) = question.control.budget {
        go.wtime = white.left.map(at_least_1_ms);
        go.btime = black.left.map(at_least_1_ms);
        go.winc = Some(white.increment);
        go.binc = Some(black.increment);
        go.movestogo = question.clocks[question.side.index()].moves_to_go;
    }
    go
}

impl LineProtocol<Position> for Uci {
    const INTRODUCTION: (&'static str, &'static str) = ("uci", "uciok");
    const SETTINGS: (&'static str, &'static str) = ("option", "options");
    const NEW_GAME: &'static str = "ucinewgame";
    const ARE_YOU_THERE: (&'static str, &'static str) = ("isready", "readyok");
    const PONDER_HIT: &'static str = "ponderhit";
    const ANSWER: &'static str = "bestmove";

    fn announced(line: &str) -> Option<Announced> {
        let option = OptionLine::parse(line)?;
        let bound = |bound: Option<i64>| bound.map(|n| n as f64);
        let values = match option.kind {
            "check" => Values::Switch,
            "spin" => {
                Values::Number { min: bound(option.min), max: bound(option.max), whole: true }
            }
            "combo" => Values::OneOf(option.vars.iter().map(ToString::to_string).collect()),
            _ => Values::Any,
        };
        Some(Announced { name: option.name.to_owned(), values })
    }

    fn is_same_setting(one: &str, other: &str) -> bool {
        one.eq_ignore_ascii_case(other)
    }

    fn own_settings(&self, entrant: &Entrant) -> Vec<(String, String)> {
        let switches = [("UCI_Chess960", self.chess960), ("Ponder", entrant.ponder)];
        let switches = switches.into_iter().filter(|(_, on)| *on);
        switches.map(|(name, _)| (name.to_owned(), "true".to_owned())).collect()
    }

    fn set(name: &str, value: &str) -> String {
        let value = (!value.is_empty()).then(|| value.to_owned());
        Command::SetOption { name: name.to_owned(), value }.to_string()
    }

    fn get_ready(link: &mut Link, see: impl FnMut(&str)) -> Result<(), Failure> {
        link.query_with("isready", "readyok", see)
    }

    /// UCI has no error message. Adoube, Stockfish and other engines send `info string error: ...`;
    /// Stockfish also sends `No such option: ...`.
    fn setting_error(line: &str) -> Option<String> {
        let is_start = |text: &str, start: &str| {
            text.get(..start.len()).is_some_and(|text| text.eq_ignore_ascii_case(start))
        };
        let text = line.strip_prefix("info string").unwrap_or(line).trim();
        let is_error = text.len() < line.len() && is_start(text, "error");
        (is_error || is_start(text, "no such option")).then(|| text.to_owned())
    }

    fn question(&self, question: &Question<'_, Position>, on: TimeOf) -> Vec<String> {
        vec![self.position(question.start, question.moves), go(question, on).to_string()]
    }

    fn parse_answer(thought: &mut Thought, line: &str) -> Option<MoveText> {
        match Reply::parse(line)? {
            Reply::Info(info) => take_in(thought, &info),
            Reply::BestMove(BestMove { best, ponder }) => return Some(MoveText::new(best, ponder)),
            _ => {}
        }
        None
    }

    fn parse_info(line: &str) -> (Cow<'_, str>, Option<String>) {
        let variation = Info::parse(line).map(|info| info.pv).unwrap_or_default();
        (variation, Info::malformed_field(line))
    }

    fn analysis_settings(settings: AnalysisSettings) -> Vec<(&'static str, String)> {
        let AnalysisSettings { threads, hash_mb, lines } = settings;
        let numbers = [("Threads", threads), ("Hash", hash_mb), ("MultiPV", Some(lines))];
        let numbers = numbers.into_iter().filter_map(|(name, n)| Some((name, n?.to_string())));
        numbers.chain([("UCI_AnalyseMode", "true".to_owned())]).collect()
    }

    fn analysis(&self, start: &Position, moves: &[Move], control: &TimeControl) -> Vec<String> {
        let go = Go { infinite: control.is_unlimited(), ..limits(control) };
        vec![self.position(start, moves), go.to_string()]
    }

    fn parse_analysis(line: &str) -> Option<AnalysisEvent> {
        match Reply::parse(line)? {
            Reply::BestMove(_) => Some(AnalysisEvent::End),
            Reply::Info(info) if !info.pv.is_empty() => Some(AnalysisEvent::Line(ReportedLine {
                rank: info.multipv.map_or(0, |rank| rank.saturating_sub(1) as usize),
                depth: info.depth,
                nodes: info.nodes,
                time: info.time,
                score: info.score.map(Into::into),
                is_bound: info.bound.is_some(),
                moves: info.pv.split_whitespace().map(str::to_owned).collect(),
            })),
            _ => None,
        }
    }
}

/// Updates `thought` from an `info` line. Lines about secondary variations are ignored.
fn take_in(thought: &mut Thought, info: &Info<'_>) {
    if info.multipv.is_some_and(|rank| rank != 1) {
        return;
    }
    *thought = Thought {
        depth: info.depth.unwrap_or(thought.depth),
        seldepth: info.seldepth.unwrap_or(thought.seldepth),
        score: info.score.map(Into::into).or(thought.score),
        nodes: info.nodes.unwrap_or(thought.nodes),
        nps: info.nps.unwrap_or(thought.nps),
        tbhits: info.tbhits.unwrap_or(thought.tbhits),
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::engine::answer::ReportedScore;
    use crate::arena::engine::protocol::ClockReading;

    #[test]
    fn keeps_the_last_info_of_the_best_variation() {
        let mut thought = Thought::default();
        let mut parse = |line| {
            assert_eq!(Uci::parse_answer(&mut thought, line), None);
            thought
        };
        parse(
            "info depth 7 seldepth 12 multipv 1 score cp -31 lowerbound nodes 900 nps 45 tbhits 2 \
             pv e2e4 nodes 1",
        );
        parse("info depth 8 multipv 2 score cp 400 nodes 950 pv d2d4");
        parse("info depth 8 multipv x score cp 400");
        parse("info depth x score cp nodes");
        parse("joho");
        let parsed = parse("info string depth 99 score mate 1");
        let score = Some(ReportedScore::Centipawns(-31));
        let expected = Thought { depth: 7, seldepth: 12, score, nodes: 900, nps: 45, tbhits: 2 };
        assert_eq!(parsed, expected);
        assert_eq!(parse("info score mate -3").score, Some(ReportedScore::Mate(-3)));
    }

    #[test]
    fn reads_the_lines_of_an_analysis() {
        let parse = |line| <Uci as LineProtocol<Position>>::parse_analysis(line);
        let line = "info depth 12 multipv 2 score cp -31 upperbound nodes 900 time 7 pv e2e4 e7e5";
        let expected = ReportedLine {
            rank: 1,
            depth: Some(12),
            nodes: Some(900),
            time: Some(Duration::from_millis(7)),
            score: Some(ReportedScore::Centipawns(-31)),
            is_bound: true,
            moves: vec!["e2e4".to_owned(), "e7e5".to_owned()],
        };
        assert_eq!(parse(line), Some(AnalysisEvent::Line(expected)));
        assert_eq!(parse("info depth 12 currmove e2e4"), None);
        assert_eq!(parse("bestmove e2e4"), Some(AnalysisEvent::End));
        let commands = |control: &TimeControl| {
            Uci::new(Variant::Standard).analysis(&Position::start(), &[], control)
        };
        assert_eq!(commands(&TimeControl::default()), ["position startpos", "go infinite"]);
        let limited = TimeControl { nodes: Some(5), depth: Some(7), ..TimeControl::default() };
        assert_eq!(commands(&limited), ["position startpos", "go nodes 5 depth 7"]);
    }

    #[test]
    fn writes_uci_commands() {
        let start = Position::start();
        let moves = ["e2e4", "e7e5"].map(|text| text.to_owned());
        let mut played = Vec::new();
        let mut position = start.clone();
        for text in &moves {
            let m = position.parse_uci(text).expect("legal");
            position = position.play(m);
            played.push(m);
        }
        let reading = |ms, moves_to_go| ClockReading {
            left: Some(Duration::from_micros(ms)),
            increment: Duration::from_millis(20),
            moves_to_go,
        };
        let lines = |budget: &str, variant, on| {
            let budget = budget.parse().unwrap_or_else(|error| panic!("{budget}: {error}"));
            let question = Question {
                start: &start,
                moves: &played,
                side: Side::White,
                clocks: [reading(61_500_900, Some(9)), reading(300, None)],
                control: &TimeControl { budget, nodes: Some(5), depth: Some(7) },
            };
            Uci::new(variant).question(&question, on)
        };
        assert_eq!(
            lines("10/61.5+0.02", Variant::Standard, TimeOf::Opponent),
            [
                "position startpos moves e2e4 e7e5",
                "go ponder wtime 61500 btime 1 winc 20 binc 20 movestogo 9 nodes 5 depth 7"
            ]
        );
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let [position, _] = &lines("60", Variant::Chess960, TimeOf::Mover)[..] else { panic!() };
        assert_eq!(*position, format!("position fen {fen} moves e2e4 e7e5"));
        assert_eq!(
            <Uci as LineProtocol<Position>>::set("Hash", "64"),
            "setoption name Hash value 64"
        );
        assert_eq!(
            <Uci as LineProtocol<Position>>::set("Clear Hash", ""),
            "setoption name Clear Hash"
        );
    }
}
