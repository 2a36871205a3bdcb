//! One conversation with an interface.
//!
//! The calling thread takes commands in order and never does anything long; a second one reads the
//! input, so that the end of input or of output is noticed at any time; the [`Worker`] thinks.

use super::command::{Command, Level, Mode};
use super::line::Value;
use super::param::{Effect, PARAMS, Settings};
use super::reply::{Done, Failure};
use super::search::{Search, think};
use crate::base::rng::Rng;
use crate::draughts::book::Book;
use crate::draughts::fen::BoardError;
use crate::draughts::hub::{self, HubError};
use crate::draughts::notation::{self, MoveError};
use crate::draughts::{Move, Position};
use crate::endings::bitbase::Bitbases;
use crate::protocol::wire::{Flow, LONGEST_LINE, Wire, converse};
use crate::protocol::worker::Worker;
use crate::search::control::Control;
use crate::search::draughts::{DraughtsEngine, Root};
use crate::search::driver::{Options, ResourceError};
use crate::search::limits::{Clock, Limits};
use std::fmt::Display;
use std::hash::{BuildHasher, RandomState};
use std::io::{Read, Write};
use std::sync::Arc;

/// Talks Hub until `quit`, the end of `input`, or the closing of `output`.
pub fn run(input: impl Read + Send + 'static, output: impl Write + Send + 'static) {
    let mut session = None;
    converse(input, output, |wire, line| {
        let session = session.get_or_insert_with(|| Session::new(Arc::clone(wire)));
        match line {
            Some(line) => session.obey(line),
            None => {
                session.fail(format_args!("a line of more than {LONGEST_LINE} bytes is ignored"));
                Flow::Continue
            }
        }
    });
    if let Some(session) = session {
        session.end();
    }
}

/// What is remembered between commands.
#[derive(Debug)]
struct Session {
    wire: Arc<Wire>,
    worker: Worker<DraughtsEngine>,
    settings: Settings,
    root: Root,
    /// Read at `init`; until then those of the program.
    bitbases: Option<Arc<Bitbases>>,
    level: Level,
    /// Chooses among the book's moves, in each session in another way.
    rng: Rng,
    /// Of the last search; there may be none, or it may have ended.
    control: Control,
}

/// Why `pos` cannot be obeyed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
enum PosError {
    #[error("pos: {0}")]
    Hub(#[from] HubError),
    #[error("pos: {0}")]
    Board(#[from] BoardError),
    #[error("move {number}: {error}")]
    Move { number: usize, error: MoveError },
}

impl Session {
    fn new(wire: Arc<Wire>) -> Self {
        let settings = Settings::default();
        let options = Options {
            hash_mb: settings.hash_mb(),
            threads: settings.threads,
            multipv: 1,
            move_overhead: settings.move_overhead,
        };
        Self {
            worker: Worker::spawn(Arc::clone(&wire), move || {
                DraughtsEngine::new(options).map_err(|error| Failure(error).to_string())
            }),
            wire,
            settings,
            root: Root::new(Position::start()),
            bitbases: None,
            level: Level { infinite: true, ..Level::default() },
            rng: Rng::new(RandomState::new().hash_one(())),
            control: Control::new(),
        }
    }

    fn fail(&self, why: impl Display) {
        self.wire.send(Failure(why));
    }

    fn obey(&mut self, line: &str) -> Flow {
        match Command::parse(line) {
            Ok(Some(command)) => return self.carry_out(command),
            Ok(None) => {}
            Err(error) => self.fail(error),
        }
        Flow::Continue
    }

    fn carry_out(&mut self, command: Command<'_>) -> Flow {
        match command {
            Command::Hub => self.identify(),
            Command::SetParam { name, value } => self.set_param(name, value),
            Command::Init => {
                self.read_bitbases();
                self.worker.push(|_, wire| wire.send("ready"));
            }
            Command::NewGame => self.worker.push(|engine, _| engine.clear()),
            Command::Pos { pos, moves } => match place(pos, &moves) {
                Ok(root) => self.root = root,
                Err(error) => self.fail(error),
            },
            Command::Level(level) => self.level = level,
            Command::Go(mode) => self.go(mode),
            Command::PonderHit => self.control.ponderhit(),
            Command::Stop => self.control.stop(),
            Command::Ping => self.wire.send("pong"),
            Command::Quit => return Flow::Quit,
        }
        Flow::Continue
    }

    fn identify(&self) {
        let params: String = PARAMS.iter().map(|param| format!("{param}\n")).collect();
        self.wire.send(format_args!(
            "id name=Adoube version={} author={}\n{params}wait",
            env!("CARGO_PKG_VERSION"),
            Value("the Adoube authors"),
        ));
    }

    fn set_param(&mut self, name: &str, value: &str) {
        match self.settings.set(name, value) {
            Ok(Effect::None) => {}
            Ok(Effect::Hash) => {
                let megabytes = self.settings.hash_mb();
                self.worker.push(move |engine, wire| tell_if(engine.set_hash(megabytes), wire));
            }
            Ok(Effect::Threads) => {
                let threads = self.settings.threads;
                self.worker.push(move |engine, wire| tell_if(engine.set_threads(threads), wire));
            }
            // Before `init` there is nothing to change.
            Ok(Effect::Bitbases) if self.bitbases.is_none() => {}
            Ok(Effect::Bitbases) => self.read_bitbases(),
            Ok(Effect::LogFile) => {
                if let Err(error) = self.wire.log_to(self.settings.log_file.as_deref()) {
                    self.fail(format_args!("the log file cannot be opened: {error}"));
                    self.settings.log_file = None;
                }
            }
            Err(error) => self.fail(error),
        }
    }

    /// Reads the bitbases; where those of the user's folder are damaged, the program's remain.
    fn read_bitbases(&mut self) {
        let read = Bitbases::with_default_folder().unwrap_or_else(|error| {
            self.fail(error);
            Bitbases::shipped()
        });
        self.bitbases = Some(Arc::new(read.up_to(self.settings.bb_size)));
    }

    fn go(&mut self, mode: Mode) {
        self.control.stop();
        self.control = Control::new();
        if let Some(m) = self.book_move(mode) {
            let done = Done { best: Some(m), ponder: None };
            return self.worker.push(move |_, wire| wire.send(done));
        }
        let mut root = self.root.clone();
        if let Some(bitbases) = &self.bitbases {
            root.bitbases = Arc::clone(bitbases);
        }
        let search = Search {
            root,
            limits: limits(self.level, mode),
            control: self.control.clone(),
            settings: self.settings.clone(),
        };
        self.worker.push_long(move |engine, wire| Some(think(engine, wire, &search).to_string()));
    }

    /// A move of the book, where one may be played at once.
    fn book_move(&mut self, mode: Mode) -> Option<Move> {
        let ready = self.settings.book && mode == Mode::Think && !self.level.infinite;
        ready.then(|| Book::shipped().choose(&self.root.position, &mut self.rng)).flatten()
    }

    fn end(self) {
        self.control.stop();
        self.worker.finish();
    }
}

fn tell_if(result: Result<(), ResourceError>, wire: &Wire) {
    if let Err(error) = result {
        wire.send(Failure(error));
    }
}

fn limits(level: Level, mode: Mode) -> Limits<Move> {
    let Level { depth, nodes, move_time: movetime, moves, time, inc, infinite } = level;
    // The increment of this move is there before it is made.
    let clock = time.map(|time| Clock { time: time + inc, increment: inc, moves_to_go: moves });
    let ponder = mode == Mode::Ponder;
    Limits { depth, nodes, movetime, clock, infinite, ponder, ..Limits::default() }
}

/// The position after moves, with the keys of those that it can repeat.
fn place(pos: &str, moves: &[&str]) -> Result<Root, PosError> {
    let mut root = Root::new(hub::parse(pos)?);
    for (number, text) in (1..).zip(moves) {
        let found = notation::parse(&root.position, text);
        let next = root.position.play(found.map_err(|error| PosError::Move { number, error })?);
        root.history.push(root.position.key());
        if next.king_plies() == 0 {
            root.history.clear();
        }
        root.position = next;
    }
    Ok(root)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn start() -> String {
        hub::write(&Position::start()).to_string()
    }

    #[test]
    fn the_history_holds_what_can_be_repeated() {
        let pos = "BeeeWWeeeeeeeeeeeeeeeeeeeweeeeeeeeewweBeeeeeeeeeBee";
        let root = place(pos, &["38-15", "5-41", "48-26"]).expect("legal");
        assert_eq!(root.history.len(), 3);
        assert!(place(&start(), &["32-28", "19-23"]).expect("legal").history.is_empty());
    }

    #[test]
    fn what_is_wrong_with_a_position_is_said() {
        let error = |pos: &str, moves: &[&str]| place(pos, moves).expect_err("wrong").to_string();
        assert!(error("W", &[]).starts_with("pos: a position is 51 letters"));
        assert!(error(&start(), &["32-28", "32-28"]).starts_with("move 2: "));
    }

    #[test]
    fn the_increment_comes_before_the_move() {
        let second = Duration::from_secs(1);
        let level =
            Level { time: Some(3 * second), inc: second, moves: Some(9), ..Level::default() };
        let clock = limits(level, Mode::Think).clock.expect("a clock");
        assert_eq!((clock.time, clock.increment), (4 * second, second));
        assert!(limits(level, Mode::Ponder).ponder && !limits(level, Mode::Analyze).ponder);
    }
}
