//! A Hub session: executes an interface's commands.

use super::command::{Command, CommandError, Level, Mode, name};
use super::param::{HubParams, PARAMS, ParamLine};
use super::reply::{Done, Id, Reply};
use super::search::{Search, think};
use crate::base::rng::Rng;
use crate::draughts::book::Book;
use crate::draughts::fen::BoardError;
use crate::draughts::hub::{self, HubError};
use crate::draughts::notation::{self, MoveError};
use crate::draughts::{Move, Position, Variant};
use crate::endings::bitbase::Bitbases;
use crate::eval::draughts::network::Network;
use crate::protocol::failure::EngineFailure;
use crate::protocol::session::{self, EngineHandle, LineKind, Messages, Session as _};
use crate::protocol::setting::{Effect, Files};
use crate::protocol::strength::Strength;
use crate::protocol::wire::{Flow, Wire};
use crate::search::draughts::{DraughtsSearcher, Root};
use crate::search::limits::{Clock, Limits};
use std::fmt::Display;
use std::hash::{BuildHasher, RandomState};
use std::io::{Read, Write};
use std::sync::Arc;
use std::time::Instant;

/// Runs a session until `quit`, the end of `input`, or the closing of `output`. `files` specifies
/// whether commands may name files.
pub fn run(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    files: Files,
) -> Result<(), EngineFailure> {
    session::run(input, output, move |wire| Session::new(wire, files))
}

#[derive(Debug)]
struct Session {
    engine: EngineHandle<DraughtsSearcher>,
    settings: HubParams,
    root: Arc<Root>,
    /// True if the last `pos` command was refused, so that `root` is not the interface's position.
    refused: bool,
    /// The bitbases loaded at `init`; `None` before `init`, when the embedded bitbases are used.
    bitbases: Option<Arc<Bitbases>>,
    /// The network loaded from a file; `None` for the embedded network.
    network: Option<Arc<Network>>,
    level: Level,
    /// The generator that chooses book moves, seeded differently in each session.
    rng: Rng,
    /// The seed for the deliberate errors at limited strength.
    seed: u64,
}

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
    fn new(wire: &Arc<Wire>, files: Files) -> Self {
        let mut settings = HubParams::default();
        settings.engine.files = files;
        let mut rng = Rng::new(RandomState::new().hash_one(()));
        let error = |words: &dyn Display| Reply::error(words).to_string();
        let messages = Messages { info: error, error };
        Self {
            engine: EngineHandle::new(wire, &settings.engine, messages),
            settings,
            root: Arc::new(Root::new(Position::start())),
            refused: false,
            bitbases: None,
            network: None,
            level: Level { infinite: true, ..Level::default() },
            seed: rng.next_u64(),
            rng,
        }
    }

    fn send(&self, reply: impl Display) {
        self.engine.answer(reply);
    }

    fn carry_out(&mut self, command: Command<'_>) -> Flow {
        match command {
            Command::Hub => self.identify(),
            Command::SetParam { name, value } => self.set_param(name, value),
            Command::Init => {
                self.read_bitbases();
                self.engine.push(|_, wire| wire.answer(Reply::Ready));
            }
            Command::NewGame => self.engine.clear(),
            Command::Pos { pos, moves } => {
                let placed = place(self.settings.variant, pos, &moves);
                self.refused = placed.is_err();
                match placed {
                    Ok(root) => self.root = Arc::new(root),
                    Err(error) => self.send_message(error),
                }
            }
            Command::Level(level) => self.level = level,
            Command::Go(_) if self.refused => {
                self.answer_no_move("the last 'pos' command was refused: send another one");
            }
            Command::Go(mode) => self.go(mode),
            Command::PonderHit => self.engine.ponder_hit(),
            Command::Stop => self.engine.stop(),
            Command::Ping => self.send(Reply::Pong),
            Command::Quit => return Flow::Quit,
        }
        Flow::Continue
    }

    fn identify(&self) {
        let id = Reply::Id(Id {
            name: Some("Adoube".into()),
            version: Some(env!("CARGO_PKG_VERSION").into()),
            author: Some("the Adoube authors".into()),
        });
        let params = PARAMS.iter().map(|param| format!("{}\n", ParamLine::from(param)));
        self.send(format_args!("{id}\n{}{}", params.collect::<String>(), Reply::Wait));
    }

    /// Sets a parameter. A new variant resets the position to its start position and, after
    /// `init`, loads its bitbases.
    fn set_param(&mut self, name: &str, value: &str) {
        let variant = self.settings.variant;
        match self.settings.set(name, value) {
            // Before `init`, do nothing: the tables are loaded at `init`.
            Ok(Effect::Tables) if self.bitbases.is_none() => {}
            Ok(Effect::Tables) => self.read_bitbases(),
            Ok(Effect::Network) => self.open_network(),
            Ok(effect) => self.engine.apply(effect, &mut self.settings.engine),
            Err(error) => self.send_message(error),
        }
        if self.settings.variant != variant {
            self.root = Arc::new(Root::new(Position::start_of(self.settings.variant)));
            self.refused = false;
            if self.bitbases.is_some() {
                self.read_bitbases();
            }
        }
    }

    /// Loads the chosen network and clears the hash table, which holds scores of the previous
    /// network. After an error, such as a network for another variant, the embedded network is
    /// used.
    fn open_network(&mut self) {
        let HubParams { network: file, variant, .. } = &self.settings;
        let before = self.network.take();
        if !file.as_os_str().is_empty() {
            match Network::open(file, *variant) {
                Ok(network) => self.network = Some(network),
                Err(error) => self.send_message(format_args!(
                    "{}: {error}; the built-in network is used",
                    file.display()
                )),
            }
        }
        if before.is_some() || self.network.is_some() {
            self.engine.clear();
        }
    }

    /// Loads the bitbases of the variant. If the files in the user's folder are damaged, falls back
    /// to the embedded bitbases.
    fn read_bitbases(&mut self) {
        let HubParams { variant, bb_size: pieces, .. } = self.settings;
        let read = Bitbases::with_default_folder(variant, pieces).unwrap_or_else(|error| {
            self.send_message(error);
            Bitbases::shipped(variant).up_to(pieces)
        });
        self.bitbases = Some(Arc::new(read));
    }

    fn go(&mut self, mode: Mode) {
        let control = self.engine.begin();
        if let Some(m) = self.book_move(mode) {
            let done = Done { best: m.to_string().into(), ponder: None };
            let answer = Reply::Done(done).to_string();
            return self.engine.push_long(|_, _| Some(answer));
        }
        if let Some(bitbases) = &self.bitbases
            && !Arc::ptr_eq(bitbases, &self.root.resources.bitbases)
        {
            Arc::make_mut(&mut self.root).resources.bitbases = Arc::clone(bitbases);
        }
        if self.root.resources.network.as_ref().map(Arc::as_ptr)
            != self.network.as_ref().map(Arc::as_ptr)
        {
            Arc::make_mut(&mut self.root).resources.network = self.network.clone();
        }
        let root = Arc::clone(&self.root);
        let mut limits = limits(self.level, mode);
        let plays = mode != Mode::Analyze && !limits.infinite;
        let strength = Strength::skilled(self.settings.skill, self.seed).filter(|_| plays);
        if let Some(strength) = strength {
            strength.limit(&mut limits);
        }
        let search = self.engine.search(root, limits, control);
        let search = Search { search, settings: self.settings.clone(), strength };
        self.engine.push_long(move |engine, wire| {
            Some(Reply::Done(think(engine, wire, &search)).to_string())
        });
    }

    /// Returns a move from the opening book, if the book is in use and contains the position. Only
    /// `go think` at a finite level uses the book.
    fn book_move(&mut self, mode: Mode) -> Option<Move> {
        let ready = self.settings.book && mode == Mode::Think && !self.level.infinite;
        ready.then(|| Book::shipped().choose(&self.root.position, &mut self.rng)).flatten()
    }
}

impl session::Session for Session {
    type Searcher = DraughtsSearcher;
    type Error = CommandError;

    fn execute(&mut self, line: &str) -> Result<Flow, CommandError> {
        let command = Command::parse(line)?;
        Ok(command.map_or(Flow::Continue, |command| self.carry_out(command)))
    }

    fn kind(line: &str) -> Option<LineKind> {
        match name(line)? {
            "pos" => Some(LineKind::Position),
            "go" => Some(LineKind::Search),
            _ => None,
        }
    }

    fn invalidate_position(&mut self) {
        self.refused = true;
    }

    fn answer_no_move(&mut self, reason: impl Display) {
        let answer = Reply::Done(Done { best: Done::NONE.into(), ponder: None });
        self.engine.answer_no_move(reason, answer);
    }

    fn engine(&self) -> &EngineHandle<DraughtsSearcher> {
        &self.engine
    }
}

fn limits(level: Level, mode: Mode) -> Limits<Move> {
    let Level { depth, nodes, move_time: movetime, moves, time, inc, infinite } = level;
    // In Hub, the increment is added to the clock before the move.
    let clock = time.map(|time| Clock { time: time + inc, increment: inc, moves_to_go: moves });
    let ponder = mode == Mode::Ponder;
    let clock_start = Some(Instant::now());
    Limits { depth, nodes, movetime, clock, infinite, ponder, clock_start, ..Limits::default() }
}

/// Returns the root after the moves. Its history contains only positions that can recur.
fn place(variant: Variant, pos: &str, moves: &[&str]) -> Result<Root, PosError> {
    let mut root = Root::new(hub::parse(pos)?.in_game(variant)?);
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
    use crate::base::span::Span;
    use std::time::Duration;

    fn start() -> String {
        hub::write(&Position::start()).to_string()
    }

    #[test]
    fn history_contains_repeatable_positions_only() {
        let pos = "BeeeWWeeeeeeeeeeeeeeeeeeeweeeeeeeeewweBeeeeeeeeeBee";
        let root = place(Variant::Normal, pos, &["38-15", "5-41", "48-26"]).expect("legal");
        assert_eq!(root.history.len(), 3);
        let root = place(Variant::Normal, &start(), &["32-28", "19-23"]).expect("legal");
        assert!(root.history.is_empty());
    }

    #[test]
    fn reports_invalid_positions_and_moves() {
        let error = |pos: &str, moves: &[&str]| {
            place(Variant::Normal, pos, moves).expect_err("wrong").to_string()
        };
        assert!(error("W", &[]).starts_with("pos: a position is 51 letters"));
        assert!(error(&start(), &["32-28", "32-28"]).starts_with("move 2: "));
    }

    #[test]
    fn accepts_very_long_levels() {
        let Ok(Some(Command::Level(level))) =
            Command::parse("level moves=4294967295 time=1.8e19 inc=1e18 move-time=1e19")
        else {
            panic!("a level")
        };
        let clock = limits(level, Mode::Think).clock.expect("a clock");
        assert_eq!(clock.time, Span::MAX * 2);
    }

    #[test]
    fn increment_is_added_before_the_move() {
        let second = Duration::from_secs(1);
        let level =
            Level { time: Some(3 * second), inc: second, moves: Some(9), ..Level::default() };
        let clock = limits(level, Mode::Think).clock.expect("a clock");
        assert_eq!((clock.time, clock.increment), (4 * second, second));
        assert!(limits(level, Mode::Ponder).ponder && !limits(level, Mode::Analyze).ponder);
    }
}
