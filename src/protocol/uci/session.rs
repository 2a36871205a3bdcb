//! A UCI session: executes an interface's commands.

use super::command::{Command, CommandError, Go, Help, standard_name};
use super::info::Info;
use super::option::{ABOUT, OPTIONS, OptionLine, Syzygy, UciOptions};
use super::reply::{BestMove, Diagram, Notation, Reply};
use super::search::{Search, answer_without_search, think};
use crate::base::rng::Rng;
use crate::chess::fen::FenError;
use crate::chess::polyglot::Book;
use crate::chess::setup::{Setup, SetupError};
use crate::chess::{Bitboard, Move, MoveError, Position};
use crate::endings::syzygy::Tables;
use crate::eval::chess::Evaluator;
use crate::eval::chess::network::Network;
use crate::protocol::failure::EngineFailure;
use crate::protocol::session::{self, EngineHandle, LineKind, Messages, Session as _};
use crate::protocol::setting::{Effect, Files};
use crate::protocol::strength::Strength;
use crate::protocol::wire::{Flow, Wire};
use crate::search::chess::{ChessSearcher, Probing, Root};
use crate::search::depth::Depth;
use crate::search::limits::{Clock, Limits};
use crate::search::stop::StopHandle;
use std::fmt::{self, Display};
use std::io::{Read, Write};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

/// The function that runs the `bench` command. It receives the arguments, a handle that stops it,
/// and a function that prints a line. It is injected, because this layer does not depend on the
/// tools.
pub(crate) type Bench = fn(&[u32], &StopHandle, &mut dyn FnMut(&dyn Display));

/// Runs a session until `quit`, the end of `input`, or the closing of `output`. `files` specifies
/// whether commands may name files.
pub fn run(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    bench: Bench,
    files: Files,
) -> Result<(), EngineFailure> {
    session::run(input, output, move |wire| Session::new(wire, bench, files))
}

struct Session {
    engine: EngineHandle<ChessSearcher>,
    settings: UciOptions,
    root: Arc<Root>,
    /// True if the last `position` command was refused, so that `root` is not the interface's
    /// position.
    refused: bool,
    tables: Arc<Tables>,
    book: Book,
    network: Arc<Network>,
    /// The generator that chooses book moves, seeded differently in each session.
    rng: Rng,
    debug: bool,
    /// The seed for the deliberate errors at limited strength, different in each game.
    seed: u64,
    bench: Bench,
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
enum PositionError {
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error(transparent)]
    Setup(#[from] SetupError),
    #[error("the last 'position' command was refused: send another one")]
    Refused,
    #[error("move {number}: {error}")]
    Move { number: usize, error: MoveError },
    #[error("move {0}: a null move is illegal in check")]
    NullInCheck(usize),
}

impl Session {
    fn new(wire: &Arc<Wire>, bench: Bench, files: Files) -> Self {
        let mut settings = UciOptions::default();
        settings.engine.files = files;
        let messages = Messages {
            info: |text| Info::message(text).to_string(),
            error: |error| Info::message(&format_args!("error: {error}")).to_string(),
        };
        Self {
            engine: EngineHandle::new(wire, &settings.engine, messages),
            settings,
            root: Arc::new(Root::new(Position::start())),
            refused: false,
            tables: Arc::default(),
            book: Book::default(),
            network: Network::embedded(),
            rng: Rng::new(new_seed()),
            debug: false,
            seed: new_seed(),
            bench,
        }
    }

    fn send(&self, reply: impl Display) {
        self.engine.answer(reply);
    }

    fn carry_out(&mut self, command: Command<'_>) -> Flow {
        match command {
            Command::Uci => self.identify(),
            Command::Debug(on) => self.debug = on,
            // During a search, the reply is immediate. Otherwise it is sent after the queued jobs,
            // such as resizing the hash table.
            Command::IsReady if self.engine.thread().is_thinking() => self.send(Reply::ReadyOk),
            Command::IsReady => self.engine.push(|_, wire| wire.answer(Reply::ReadyOk)),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::Register { later: true } => {}
            Command::Register { later: false } => {
                self.send("registration checking\nregistration ok");
            }
            Command::UciNewGame => {
                self.seed = new_seed();
                self.engine.clear();
            }
            Command::Position { fen, moves } => self.set_position(fen.as_deref(), &moves),
            Command::Go(_) if self.refused => {
                self.answer_no_move(PositionError::Refused);
            }
            Command::Go(go) => self.go(&go),
            Command::Perft(_) | Command::Eval | Command::Flip if self.refused => {
                self.send_message(PositionError::Refused);
            }
            Command::Perft(depth) => self.perft(depth),
            Command::Stop => self.engine.stop(),
            Command::PonderHit => self.engine.ponder_hit(),
            Command::Quit => return Flow::Quit,
            Command::Display => {
                let position = &self.root.position;
                self.send_in_turn(Diagram(position, &position.fen()));
            }
            Command::Eval => self.eval(),
            Command::Bench(arguments) => self.bench(arguments),
            Command::Flip => match flipped(&self.root.position) {
                Ok(position) => self.root = Arc::new(Root::new(position)),
                Err(error) => self.send_message(error),
            },
            Command::Help => self.send(Help),
        }
        Flow::Continue
    }

    fn identify(&self) {
        let name = ABOUT.split(',').next().unwrap_or(ABOUT);
        let names = [Reply::Name(name.into()), Reply::Author("the Adoube authors".into())];
        let options = OPTIONS.iter().map(|option| Reply::Option(OptionLine::from(option)));
        let lines = names.into_iter().chain(options).map(|line| format!("{line}\n"));
        self.send(format_args!("{}{}", lines.collect::<String>(), Reply::UciOk));
    }

    /// Sends `text` after the output of the pending counts (perft and bench).
    fn send_in_turn(&self, text: impl Display) {
        if self.engine.counts_left() == 0 {
            return self.send(text);
        }
        let text = text.to_string();
        self.engine.push(move |_, wire| wire.answer(text));
    }

    fn set_position(&mut self, fen: Option<&str>, moves: &[&str]) {
        let placed = place(fen, moves, self.settings.chess960);
        self.refused = placed.is_err();
        match placed {
            Ok((root, dropped)) => {
                self.root = Arc::new(root);
                self.report_dropped_rights(dropped);
            }
            Err(error) => self.send_message(error),
        }
    }

    /// Reports castling rights that were removed from the position.
    fn report_dropped_rights(&self, rooks: Bitboard) {
        if rooks.is_empty() {
            return;
        }
        let reason = match self.settings.chess960 {
            true => "there is no rook, or the king is not on its first rank",
            false => {
                "in standard chess a king castles from the e-file with a rook of the a- or h-file; \
                 for Chess960 set UCI_Chess960"
            }
        };
        let squares: Vec<_> = rooks.map(|rook| rook.to_string()).collect();
        self.send_message(format_args!(
            "castling right for a rook on {} ignored: {reason}",
            squares.join(" and ")
        ));
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        let was_chess960 = self.settings.chess960;
        let set = self.settings.set(name, value);
        if was_chess960 && !self.settings.chess960 {
            self.leave_chess960();
        }
        match set {
            Ok(Effect::Tables) => self.open_tables(),
            Ok(Effect::Book) => self.open_book(),
            Ok(Effect::Network) => self.open_network(),
            Ok(effect) => self.engine.apply(effect, &mut self.settings.engine),
            Err(error) => self.engine.send_error(error),
        }
    }

    /// Removes the castling rights that do not exist in standard chess.
    fn leave_chess960(&mut self) {
        let fen = self.root.position.fen();
        if let Ok((root, dropped)) = place(Some(&fen), &[], false)
            && dropped.any()
        {
            self.root = Arc::new(root);
            self.report_dropped_rights(dropped);
        }
    }

    fn open_tables(&mut self) {
        let path = &self.settings.syzygy.path;
        let folders = std::env::split_paths(path).filter(|folder| !folder.as_os_str().is_empty());
        let (tables, unused) = Tables::open(folders);
        match &unused[..] {
            [] => {}
            [only] => self.engine.send_error(format_args!("cannot use a Syzygy table: {only}")),
            [first, ..] => {
                let count = unused.len();
                self.engine.send_error(format_args!(
                    "cannot use {count} Syzygy tables, for example {first}"
                ));
            }
        }
        match (tables.count(), tables.largest()) {
            (_, 0) if unused.is_empty() && !path.is_empty() => {
                self.engine.send_error(format_args!("no Syzygy tables found in {}", path.display()));
            }
            (_, 0) => {}
            ((values, distances), largest) => self.send_message(format_args!(
                "found {values} Syzygy tables with up to {largest} pieces, {distances} of them with DTZ"
            )),
        }
        self.tables = Arc::new(tables);
        if self.settings.syzygy.verify && self.tables.largest() > 0 {
            let tables = Arc::clone(&self.tables);
            // Reading large tables takes minutes, so the search thread does it.
            self.engine.push(move |_, wire| {
                let mut damaged = 0;
                let checked = tables.check(|table| {
                    damaged += 1;
                    wire.answer(Info::message(&format_args!("Syzygy table not used: {table}")));
                });
                let words = format!("checked {checked} Syzygy files, {damaged} damaged");
                wire.answer(Info::message(&words));
            });
        }
    }

    /// Loads the chosen opening book. After an error, no book is used.
    fn open_book(&mut self) {
        self.book = Book::default();
        let file = &self.settings.book.file;
        if file.as_os_str().is_empty() {
            return;
        }
        match Book::open(file) {
            Ok(book) => self.book = book,
            Err(error) => self.engine.send_error(format_args!("{}: {error}", file.display())),
        }
    }

    /// Loads the chosen network and clears the hash table, which holds scores of the previous
    /// network. After an error the previous network stays in use.
    fn open_network(&mut self) {
        let file = &self.settings.network;
        let network =
            if file.as_os_str().is_empty() { Ok(Network::embedded()) } else { Network::open(file) };
        match network {
            Ok(network) => {
                self.network = network;
                self.engine.apply(Effect::ClearHash, &mut self.settings.engine);
            }
            Err(error) => self.engine.send_error(format_args!("{}: {error}", file.display())),
        }
    }

    /// Chooses a move from the opening book. Returns `None` if the book is off, the move number
    /// exceeds the book depth, the book has no move, or `searchmoves` excludes the chosen move.
    /// Analyse mode and infinite, ponder and mate searches do not use the book.
    fn book_move(&mut self, limits: &Limits<Move>) -> Option<Move> {
        let UciOptions { book, analyse_mode, .. } = &self.settings;
        let Limits { infinite, ponder, mate, searchmoves, .. } = limits;
        let is_wanted = book.is_used && !analyse_mode && !infinite && !ponder && mate.is_none();
        let position = &self.root.position;
        let is_early = u32::from(position.fullmove()) <= book.depth;
        let m = (is_wanted && is_early).then(|| self.book.choose(position, &mut self.rng))??;
        (searchmoves.is_empty() || searchmoves.contains(&m)).then_some(m)
    }

    fn probing(&self) -> Probing {
        let &Syzygy { probe_depth, probe_limit, fifty_move_rule, .. } = &self.settings.syzygy;
        Probing {
            tables: Arc::clone(&self.tables),
            limit: probe_limit as usize,
            depth: Depth(probe_depth as i32),
            fifty_move_rule,
        }
    }

    fn go(&mut self, go: &Go<'_>) {
        for word in &go.unknown {
            self.send_message(format_args!("ignored unknown word '{word}' after 'go'"));
        }
        for error in &go.unusable {
            self.send_message(format_args!("ignored in 'go': {error}"));
        }
        let mut limits = self.limits(go);
        if let Some(m) = self.book_move(&limits) {
            self.engine.begin();
            let (root, network) = (Arc::clone(&self.root), Arc::clone(&self.network));
            let settings = self.settings.clone();
            return self.engine.push_long(move |_, wire| {
                wire.send_with_next(Info::message(&"move of the opening book"));
                Some(answer_without_search(wire, &root.position, m, network, &settings).to_string())
            });
        }
        let plays = !self.settings.analyse_mode && !limits.infinite;
        let strength = (self.settings.limit_strength && plays)
            .then_some(Strength::rated(self.settings.elo, self.seed));
        if let Some(strength) = strength {
            strength.limit(&mut limits);
        }
        if self.debug {
            self.send_message(format_args!("searching with {limits:?}"));
        }
        let control = self.engine.begin();
        // At limited strength, the tables are not used.
        let probing = if strength.is_none() { self.probing() } else { Probing::default() };
        // Queued searches share the root, which may be large after a long game. `make_mut` copies a
        // shared root, so it is called only if necessary.
        if self.root.resources.probing != probing {
            Arc::make_mut(&mut self.root).resources.probing = probing;
        }
        if !Arc::ptr_eq(&self.root.resources.network, &self.network) {
            Arc::make_mut(&mut self.root).resources.network = Arc::clone(&self.network);
        }
        let search = self.engine.search(Arc::clone(&self.root), limits, control);
        let search = Search { search, settings: self.settings.clone(), strength };
        self.engine.push_long(move |engine, wire| Some(think(engine, wire, &search).to_string()));
    }

    /// Returns the usable search limits of `go`. If `go` gave no limit, the search is infinite. If
    /// none of its limits is usable, or if it gave no limit and a move of `searchmoves` is illegal,
    /// the search lasts [`SHORT`].
    fn limits(&self, go: &Go<'_>) -> Limits<Move> {
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
        let is_legal = |text: &&str| match position.parse_uci(text) {
            Ok(m) => Some(m),
            Err(error) => {
                self.send_message(format_args!("ignored in 'searchmoves': {error}"));
                None
            }
        };
        let searchmoves: Vec<_> = go.searchmoves.iter().filter_map(is_legal).collect();
        let all_usable = searchmoves.len() == go.searchmoves.len();
        let &Go { depth, nodes, mate, mut movetime, ponder, .. } = go;
        let limited =
            clock.is_some() || depth.or(mate).is_some() || nodes.is_some() || movetime.is_some();
        let infinite = go.infinite || !(limited || go.names_limit()) && all_usable;
        if !(limited || infinite) {
            self.send_message(format_args!(
                "no usable limit: searching for {} ms",
                SHORT.as_millis()
            ));
            movetime = Some(SHORT);
        }
        Limits {
            depth,
            nodes,
            mate,
            movetime,
            clock,
            infinite,
            ponder,
            searchmoves,
            clock_start: Some(Instant::now()),
            ..Limits::default()
        }
    }

    fn perft(&mut self, depth: u32) {
        let position = self.root.position.clone();
        let notation = Notation { chess960: self.settings.chess960 };
        self.engine.count(move |control, _, wire| {
            wire.send(perft(&position, depth, notation, control, wire));
        });
    }

    fn bench(&mut self, arguments: Vec<u32>) {
        let bench = self.bench;
        self.engine.count(move |control, _, wire| {
            bench(&arguments, control, &mut |line| {
                wire.send(line);
            });
        });
    }

    fn eval(&self) {
        let explained = Evaluator::of(Arc::clone(&self.network)).explain(&self.root.position);
        self.send_in_turn(explained);
        if self.root.position.in_check() {
            self.send_message(
                "the side to move is in check: the search does not evaluate such positions",
            );
        }
    }
}

impl session::Session for Session {
    type Searcher = ChessSearcher;
    type Error = CommandError;

    fn execute(&mut self, line: &str) -> Result<Flow, CommandError> {
        if self.debug {
            self.send_message(format_args!("received: {line}"));
        }
        let command = Command::parse(line)?;
        Ok(command.map_or(Flow::Continue, |command| self.carry_out(command)))
    }

    fn kind(line: &str) -> Option<LineKind> {
        match standard_name(line)? {
            "position" => Some(LineKind::Position),
            "go" => Some(LineKind::Search),
            _ => None,
        }
    }

    fn invalidate_position(&mut self) {
        self.refused = true;
    }

    fn answer_no_move(&mut self, reason: impl Display) {
        let answer = BestMove { best: BestMove::NONE.into(), ponder: None };
        self.engine.answer_no_move(reason, answer);
    }

    fn engine(&self) -> &EngineHandle<ChessSearcher> {
        &self.engine
    }
}

/// The duration of a search for which `go` gave only unusable limits.
const SHORT: Duration = Duration::from_millis(100);

/// Returns the root after `moves`. The root's history begins after the last capture, pawn move or
/// null move. Also returns the rooks whose castling rights were dropped because the position or the
/// variant does not allow them.
fn place(
    fen: Option<&str>,
    moves: &[&str],
    chess960: bool,
) -> Result<(Root, Bitboard), PositionError> {
    let (mut position, dropped) = match fen {
        None => (Position::start(), Bitboard::EMPTY),
        Some(fen) => {
            let mut setup: Setup = fen.parse()?;
            let dropped = setup.drop_castling(chess960);
            (setup.try_into()?, dropped)
        }
    };
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
    Ok((Root { history, ..Root::new(position) }, dropped))
}

/// Swaps the colours and turns the board upside down.
fn flipped(position: &Position) -> Result<Position, PositionError> {
    Ok(position.fen().parse::<Setup>()?.flipped().try_into()?)
}

/// Counts the leaves below each move, and sends the counts. Checks for `stop` after each move and,
/// from depth 3, before each move of the second ply. Returns the line with the total, or a message
/// if the count was stopped.
fn perft(
    position: &Position,
    depth: u32,
    notation: Notation,
    control: &StopHandle,
    wire: &Wire,
) -> String {
    let mut total = u64::from(depth == 0);
    let moves = if depth == 0 { Default::default() } else { position.legal_moves() };
    for &m in moves.iter() {
        let next = position.play_unchecked(m);
        let count = match depth {
            1 => 1,
            2 => next.perft(1),
            _ => {
                let replies = next.legal_moves();
                let below = replies.iter().map_while(|&reply| {
                    (!control.is_stopped()).then(|| next.play_unchecked(reply).perft(depth - 2))
                });
                below.sum()
            }
        };
        if control.is_stopped() {
            return Info::message(&"perft was stopped").to_string();
        }
        wire.send(format_args!("{}: {count}", notation.write(position, m)));
        total += count;
    }
    format!("\nNodes searched: {total}")
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
    fn history_contains_repeatable_positions_only() {
        let moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f3g1", "c6b8"];
        let place = |fen, moves: &[&str]| place(fen, moves, false).map(|(root, _)| root);
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
    fn reports_invalid_positions_and_moves() {
        let place = |fen, moves: &[&str]| place(fen, moves, false).map(|(root, _)| root);
        let error = |fen, moves: &[&str]| place(fen, moves).expect_err("illegal").to_string();
        assert!(error(None, &["e2e4", "e2e4"]).starts_with("move 2: 'e2e4' is not legal in "));
        assert!(error(None, &["é"]).starts_with("move 1: 'é' is not a move"));
        assert!(error(Some("8/8/8/8/8/8/8/8 w - - 0 1"), &[]).contains("0 kings"));
        let check = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1";
        assert_eq!(error(Some(check), &["0000"]), "move 1: a null move is illegal in check");
        let passed = place(None, &["e2e4", "0000"]).expect("a null move");
        assert!(passed.position.side().is_white() && passed.history.is_empty());
    }

    #[test]
    fn drops_castling_rights_that_the_game_cannot_have() {
        for (fen, chess960, castling, dropped) in [
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", false, "KQkq", ""),
            ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", false, "KQkq", ""),
            ("4k3/8/8/8/8/8/8/4KR2 w K - 0 1", false, "-", "f1"),
            ("4k3/8/8/8/8/8/8/4KR2 w K - 0 1", true, "K", ""),
            ("r2k3r/8/8/8/8/8/8/4K3 b kq - 0 1", false, "-", "a8 h8"),
            ("r2k3r/8/8/8/8/8/8/4K3 b kq - 0 1", true, "kq", ""),
            ("4k2r/8/8/8/8/8/8/4K3 w KQkq - 0 1", false, "k", "a1 h1 a8"),
            ("4k3/8/8/8/8/8/4K3/R6R w KQ - 0 1", true, "-", "a1 h1"),
            ("4k3/8/8/8/8/8/8/RR2K2R w AB - 0 1", false, "Q", "b1"),
        ] {
            let (root, rooks) = place(Some(fen), &[], chess960).expect(fen);
            let fields = root.position.fen();
            assert_eq!(fields.split(' ').nth(2), Some(castling), "{fen}");
            let rooks: Vec<_> = rooks.map(|rook| rook.to_string()).collect();
            assert_eq!(rooks.join(" "), dropped, "{fen}");
        }
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
