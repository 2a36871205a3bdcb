//! One conversation with an interface.
//!
//! The calling thread takes commands in order and never does anything long; a second one reads the
//! input, so that the end of input or of output is noticed at any time; the [`Worker`] thinks.

use super::command::{Command, Go, Help};
use super::option::{ABOUT, Effect, OPTIONS, Settings};
use super::reply::{Diagram, Notation, Text};
use super::search::{Search, think};
use super::strength::Strength;
use crate::chess::MoveError;
use crate::chess::Position;
use crate::chess::fen::FenError;
use crate::chess::setup::{Setup, SetupError};
use crate::eval::chess::Evaluator;
use crate::protocol::wire::{Flow, LONGEST_LINE, Wire, converse};
use crate::protocol::worker::Worker;
use crate::search::chess::{ChessEngine, Root};
use crate::search::control::Control;
use crate::search::driver::{Options, ResourceError};
use crate::search::limits::{Clock, Limits};
use std::fmt::{self, Display};
use std::io::{Read, Write};
use std::sync::Arc;
use std::time::SystemTime;

/// Runs the `bench` command with its arguments until the control says stop; gets a place for its lines.
/// It belongs to the tools, which this layer does not know.
pub type Bench = fn(&[u32], &Control, &mut dyn FnMut(&dyn Display));

/// Talks UCI until `quit`, the end of `input`, or the closing of `output`.
pub fn run(input: impl Read + Send + 'static, output: impl Write + Send + 'static, bench: Bench) {
    let mut session = None;
    converse(input, output, |wire, line| {
        let session = session.get_or_insert_with(|| Session::new(Arc::clone(wire), bench));
        match line {
            Some(line) => session.obey(line),
            None => {
                session.tell(format_args!("a line of more than {LONGEST_LINE} bytes is ignored"));
                Flow::Continue
            }
        }
    });
    if let Some(session) = session {
        session.end();
    }
}

/// What is remembered between commands.
struct Session {
    wire: Arc<Wire>,
    worker: Worker<ChessEngine>,
    settings: Settings,
    root: Root,
    /// Of the last search; there may be none, or it may have ended.
    control: Control,
    debug: bool,
    /// What the errors of a weakened engine come from; another one for each game.
    seed: u64,
    bench: Bench,
}

/// Why `position` or `go` cannot be obeyed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
enum PositionError {
    #[error("{0}")]
    Fen(#[from] FenError),
    #[error("{0}")]
    Setup(#[from] SetupError),
    #[error("move {number}: {error}")]
    Move { number: usize, error: MoveError },
    #[error("move {0}: a side in check cannot pass")]
    NullInCheck(usize),
    #[error("searchmoves: {0}")]
    SearchMove(MoveError),
}

impl Session {
    fn new(wire: Arc<Wire>, bench: Bench) -> Self {
        let settings = Settings::default();
        let options = Options {
            hash_mb: settings.hash_mb,
            threads: settings.threads,
            multipv: settings.multipv,
            move_overhead: settings.move_overhead,
        };
        Self {
            worker: Worker::spawn(Arc::clone(&wire), move || {
                ChessEngine::new(options).map_err(|error| Text(error).to_string())
            }),
            wire,
            settings,
            root: Root { position: Position::start(), history: Vec::new() },
            control: Control::new(),
            debug: false,
            seed: new_seed(),
            bench,
        }
    }

    /// Says something to the user.
    fn tell(&self, words: impl Display) {
        self.wire.send(Text(words));
    }

    fn obey(&mut self, line: &str) -> Flow {
        if self.debug {
            self.tell(format_args!("received: {line}"));
        }
        match Command::parse(line) {
            Ok(Some(command)) => return self.carry_out(command),
            Ok(None) => {}
            Err(error) => self.tell(error),
        }
        Flow::Continue
    }

    fn carry_out(&mut self, command: Command<'_>) -> Flow {
        match command {
            Command::Uci => self.identify(),
            Command::Debug(on) => self.debug = on,
            // During a search it must not wait for the end; else for hash tables being made.
            Command::IsReady if self.worker.is_thinking() => self.wire.send("readyok"),
            Command::IsReady => self.worker.push(|_, wire| wire.send("readyok")),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::Register { later: true } => {}
            Command::Register { later: false } => {
                self.wire.send("registration checking\nregistration ok");
            }
            Command::UciNewGame => {
                self.seed = new_seed();
                self.worker.push(|engine, _| engine.clear());
            }
            Command::Position { fen, moves } => match place(fen.as_deref(), &moves) {
                Ok(root) => self.root = root,
                Err(error) => self.tell(error),
            },
            Command::Go(go) => self.go(&go),
            Command::Perft(depth) => self.perft(depth),
            Command::Stop => self.control.stop(),
            Command::PonderHit => self.control.ponderhit(),
            Command::Quit => return Flow::Quit,
            Command::Display => self.wire.send(Diagram(&self.root.position)),
            Command::Eval => self.eval(),
            Command::Bench(arguments) => self.bench(arguments),
            Command::Flip => match flipped(&self.root.position) {
                Ok(position) => self.root = Root { position, history: Vec::new() },
                Err(error) => self.tell(error),
            },
            Command::Help => self.wire.send(Help),
        }
        Flow::Continue
    }

    fn identify(&self) {
        let name = ABOUT.split(',').next().unwrap_or(ABOUT);
        let options: String = OPTIONS.iter().map(|option| format!("{option}\n")).collect();
        self.wire
            .send(format_args!("id name {name}\nid author the Adoube authors\n{options}uciok"));
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        match self.settings.set(name, value) {
            Ok(Effect::None) => {}
            Ok(Effect::Hash) => {
                let megabytes = self.settings.hash_mb;
                self.worker.push(move |engine, wire| tell_if(engine.set_hash(megabytes), wire));
            }
            Ok(Effect::Threads) => {
                let threads = self.settings.threads;
                self.worker.push(move |engine, wire| tell_if(engine.set_threads(threads), wire));
            }
            Ok(Effect::ClearHash) => self.worker.push(|engine, _| engine.clear()),
            Ok(Effect::LogFile) => {
                if let Err(error) = self.wire.log_to(self.settings.log_file.as_deref()) {
                    self.tell(format_args!("the log file cannot be opened: {error}"));
                    self.settings.log_file = None;
                }
            }
            Err(error) => self.tell(error),
        }
    }

    fn go(&mut self, go: &Go<'_>) {
        for word in &go.unknown {
            self.tell(format_args!("'{word}' after 'go' is ignored"));
        }
        let mut limits = match self.limits(go) {
            Ok(limits) => limits,
            Err(error) => return self.tell(error),
        };
        let plays = !self.settings.analyse_mode && !limits.infinite;
        let strength = (self.settings.limit_strength && plays)
            .then_some(Strength { elo: self.settings.elo, seed: self.seed });
        if let Some(strength) = strength {
            strength.limit(&mut limits);
        }
        if self.debug {
            self.tell(format_args!("searching with {limits:?}"));
        }
        let control = self.begin();
        let (root, settings) = (self.root.clone(), self.settings.clone());
        let search = Search { root, limits, control, settings, strength };
        self.worker.push_long(move |engine, wire| Some(think(engine, wire, &search).to_string()));
    }

    /// Stops what is being thought about; gives the control of what comes next.
    fn begin(&mut self) -> Control {
        self.control.stop();
        self.control = Control::new();
        self.control.clone()
    }

    fn limits(&self, go: &Go<'_>) -> Result<Limits<crate::chess::Move>, PositionError> {
        let position = &self.root.position;
        let (time, increment) = match position.side().is_white() {
            true => (go.wtime, go.winc),
            false => (go.btime, go.binc),
        };
        let clock = time.map(|time| Clock {
            time,
            increment: increment.unwrap_or_default(),
            moves_to_go: go.movestogo,
        });
        let searchmoves = go
            .searchmoves
            .iter()
            .map(|text| position.parse_uci(text).map_err(PositionError::SearchMove))
            .collect::<Result<_, _>>()?;
        let &Go { depth, nodes, mate, movetime, ponder, .. } = go;
        let limited =
            clock.is_some() || depth.or(mate).is_some() || nodes.is_some() || movetime.is_some();
        let infinite = go.infinite || !limited;
        Ok(Limits {
            depth,
            nodes,
            mate,
            movetime,
            clock,
            infinite,
            ponder,
            searchmoves,
            ..Limits::default()
        })
    }

    fn perft(&mut self, depth: u32) {
        let control = self.begin();
        let position = self.root.position.clone();
        let notation = Notation { chess960: self.settings.chess960 };
        self.worker.push_long(move |_, wire| {
            perft(&position, depth, notation, &control, wire);
            None
        });
    }

    fn bench(&mut self, arguments: Vec<u32>) {
        let control = self.begin();
        let bench = self.bench;
        self.worker.push_long(move |_, wire| {
            bench(&arguments, &control, &mut |line| wire.send(line));
            None
        });
    }

    fn eval(&self) {
        self.wire.send(Evaluator::default().explain(&self.root.position));
        if self.root.position.in_check() {
            self.tell("the side to move is in check: the search does not evaluate such positions");
        }
    }

    fn end(self) {
        self.control.stop();
        self.worker.finish();
    }
}

fn tell_if(result: Result<(), ResourceError>, wire: &Wire) {
    if let Err(error) = result {
        wire.send(Text(error));
    }
}

/// The position after moves, with the keys of those that it can repeat.
fn place(fen: Option<&str>, moves: &[&str]) -> Result<Root, PositionError> {
    let mut position: Position = fen.map_or_else(|| Ok(Position::start()), str::parse)?;
    let mut history = Vec::new();
    for (number, &text) in (1..).zip(moves) {
        let next = match text {
            "0000" if position.in_check() => return Err(PositionError::NullInCheck(number)),
            "0000" => position.pass(),
            text => {
                let found = position.parse_uci(text);
                position.play(found.map_err(|error| PositionError::Move { number, error })?)
            }
        };
        history.push(position.key());
        if next.halfmove_clock() == 0 || text == "0000" {
            history.clear();
        }
        position = next;
    }
    Ok(Root { position, history })
}

/// The same position with the colours exchanged and the board turned upside down.
fn flipped(position: &Position) -> Result<Position, PositionError> {
    Ok(position.fen().parse::<Setup>()?.flipped().try_into()?)
}

/// Counts the leaves below each move; looks whether to stop after every second ply.
fn perft(position: &Position, depth: u32, notation: Notation, control: &Control, wire: &Wire) {
    let mut total = u64::from(depth == 0);
    let moves = if depth == 0 { Default::default() } else { position.legal_moves() };
    for &m in moves.iter() {
        let next = position.play(m);
        let count = match depth {
            1 => 1,
            2 => next.perft(1),
            _ => {
                let replies = next.legal_moves();
                let below = replies.iter().map_while(|&reply| {
                    (!control.is_stopped()).then(|| next.play(reply).perft(depth - 2))
                });
                below.sum()
            }
        };
        if control.is_stopped() {
            return wire.send(Text("perft was stopped"));
        }
        wire.send(format_args!("{}: {count}", notation.write(position, m)));
        total += count;
    }
    wire.send(format_args!("\nNodes searched: {total}"));
}

fn new_seed() -> u64 {
    SystemTime::UNIX_EPOCH.elapsed().map_or(0, |time| time.as_nanos() as u64)
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("settings", &self.settings).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_history_holds_what_can_be_repeated() {
        let moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f3g1", "c6b8"];
        let root = place(None, &moves).expect("legal");
        assert_eq!(root.history.len(), 4);
        assert_eq!(root.history[0], root.position.key());
        assert!(!root.history[1..].contains(&root.position.key()));
        let root = place(None, &[&moves[..], &["d2d4"]].concat()).expect("legal");
        assert!(root.history.is_empty());
        let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 7 30";
        assert_eq!(place(Some(fen), &["e1d1"]).expect("legal").history.len(), 1);
    }

    #[test]
    fn what_is_wrong_with_a_position_is_said() {
        let error = |fen, moves: &[&str]| place(fen, moves).expect_err("illegal").to_string();
        assert!(error(None, &["e2e4", "e2e4"]).starts_with("move 2: 'e2e4' is not legal in "));
        assert!(error(None, &["é"]).starts_with("move 1: 'é' is not a move"));
        assert!(error(Some("8/8/8/8/8/8/8/8 w - - 0 1"), &[]).contains("0 kings"));
        let check = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1";
        assert_eq!(error(Some(check), &["0000"]), "move 1: a side in check cannot pass");
        let passed = place(None, &["e2e4", "0000"]).expect("a null move");
        assert!(passed.position.side().is_white() && passed.history.is_empty());
    }

    #[test]
    fn flipping_twice_changes_nothing() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "1r2k1r1/8/8/8/8/8/8/1R2K1R1 b Gb - 3 9",
        ] {
            let position: Position = fen.parse().expect("legal");
            let once = flipped(&position).expect("legal");
            assert_ne!(once.side(), position.side());
            assert_eq!(once.perft(3), position.perft(3));
            assert_eq!(flipped(&once), Ok(position));
        }
    }
}
