//! Chess (with Chess960) and international draughts on 100 squares: rules, notations, engines, a
//! referee that applies the laws, and matches between engines.
//!
//! The program `adoube` is a command-line interface to this library. `adoube manual` prints its
//! manual.
//!
//! # Tasks
//!
//! | task | start here | feature |
//! |---|---|---|
//! | [Parse a position](#parse-a-position) | [`chess::Position`], [`draughts::Position`] | |
//! | [Generate moves](#generate-moves) | [`chess::MoveList`], [`draughts::MoveList`] | |
//! | [Play](#play) | [`chess::Move`], [`draughts::Move`] | |
//! | [Detect all draws](chess) | [`games::Record::occurrences`] | |
//! | [Read games](#read-games) | [`chess::pgn`], [`draughts::pdn`] | |
//! | [Search](#search) | [`engine`] | `engine` |
//! | [Search from a game](engine::Root::from_game) | [`engine::ChessRoot`], [`engine::DraughtsRoot`] | `engine` |
//! | [Evaluate a position](#evaluate-a-position) | [`engine::ChessRoot`], [`engine::DraughtsRoot`] | `engine` |
//! | [Probe endgame tables](#probe-endgame-tables) | [`tables`] | `engine` |
//! | [Referee a game](#referee-a-game) | [`referee`] | `laws` |
//! | [Run a match](#run-a-match) | [`mod@matches`] | `arena` |
//!
//! All features are on by default. With `default-features = false`, only the rules and notations
//! are compiled, with few dependencies. The features `board` and `cli` are for the program.
//!
//! # Parse a position
//!
//! A position is always legal and immutable: a move creates a new position.
//!
//! ```
//! use adoube::{chess, draughts};
//!
//! let position: chess::Position = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1".parse()?;
//! assert_eq!(position.piece_on(chess::Square::D1).map(|piece| piece.letter()), Some('R'));
//! assert_eq!(position.to_string(), "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1");
//!
//! let position: draughts::Position = "W:W32:B19".parse()?;
//! assert_eq!(position.board().occupied().len(), 2);
//!
//! let error = "6k1/8/8/8/8/8/8/9 w - - 0 1".parse::<chess::Position>().unwrap_err();
//! println!("{error}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Generate moves
//!
//! ```
//! use adoube::chess::Position;
//!
//! let position = Position::start();
//! for m in position.legal_moves() {
//!     println!("{} {}", position.uci(m, false), position.san(m));
//! }
//! assert_eq!(position.perft(4), 197_281);
//! ```
//!
//! [`Position::uci`](chess::Position::uci) writes the format that engines and interfaces exchange.
//! The `Display` format of a chess move differs from it in castling, which is `e1h1`, as in
//! Chess960.
//!
//! # Play
//!
//! [`Position::try_play`](chess::Position::try_play) returns an error for an illegal move;
//! [`Position::play`](chess::Position::play) panics.
//! [`Position::parse_san`](chess::Position::parse_san) accepts the format of the PGN standard, and
//! [`Position::parse_san_lenient`](chess::Position::parse_san_lenient) any common format.
//!
//! ```
//! use adoube::chess::{Move, Outcome, Position, Side, Square};
//!
//! let mut position = Position::start();
//! for san in ["e4", "e5", "Qh5", "Ke7", "Qxe5#"] {
//!     let m = position.parse_san(san)?;
//!     position = position.play(m);
//! }
//! assert_eq!(position.outcome(), Some(Outcome::Checkmate { winner: Side::White }));
//! assert!(Position::start().try_play(Move::normal(Square::A1, Square::H8)).is_err());
//! assert!(Position::start().parse_san_lenient("e2-e4").is_ok());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Draughts works the same way. Capturing is compulsory:
//!
//! ```
//! use adoube::draughts::{Position, notation};
//!
//! let mut position = Position::start();
//! for text in ["32-28", "19-23"] {
//!     let m = notation::parse(&position, text)?;
//!     position = position.play(m);
//! }
//! let moves = position.legal_moves();
//! assert_eq!(moves.len(), 1);
//! assert_eq!(notation::pdn(&position, moves[0]), "28x19");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Read games
//!
//! A game is a tree of moves, comments, annotation glyphs and variations, a
//! [`Record`](games::Record). [`pgn::Reader`](chess::pgn::Reader) reads a file of any length game
//! by game.
//!
//! ```
//! use adoube::chess::{Game, pgn};
//!
//! let game = "1. e4 e5 *".parse::<Game>()?;
//! assert_eq!(game.moves().count(), 2);
//! assert_eq!(game.position().fen(), "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
//!
//! let file = "[White \"A\"]\n\n1. e4 e6 2. Ke3 *\n\n[White \"B\"]\n\n1. d4 *\n";
//! let mut games = Vec::new();
//! for game in pgn::Reader::new(file.as_bytes()) {
//!     match game {
//!         Ok(game) => games.push(game),
//!         // A faulty game does not stop the reader.
//!         Err(error) => {
//!             eprintln!("{error}");
//!             games.extend(error.game.map(|readable_part| *readable_part));
//!         }
//!     }
//! }
//! let moves: Vec<_> = games.iter().map(|game| game.moves().count()).collect();
//! assert_eq!(moves, [2, 1]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Search
//!
//! An engine keeps its threads and its transposition table from one search to the next. A
//! [`StopHandle`](engine::StopHandle) stops a search from another thread.
//!
#![cfg_attr(feature = "engine", doc = "```")]
#![cfg_attr(not(feature = "engine"), doc = "```ignore")]
//! use adoube::chess::Position;
//! use adoube::engine::{ChessEngine, ChessRoot, Limits, Options, StopHandle};
//!
//! let position: Position = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1".parse()?;
//! let mut engine = ChessEngine::new(Options { hash_mb: 1, ..Options::default() })?;
//! let root = ChessRoot::new(position.clone());
//! let mut best_lines = Vec::new();
//! let result = engine.search_with(&root, &Limits::depth(6), &StopHandle::new(), |info| {
//!     best_lines.push(info.pv.clone());
//! });
//! assert_eq!(result.best.map(|m| position.san(m)), Some("Rd8#".to_owned()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Evaluate a position
//!
//! The static evaluation is the output of the network, without a search.
//!
#![cfg_attr(feature = "engine", doc = "```")]
#![cfg_attr(not(feature = "engine"), doc = "```ignore")]
//! use adoube::engine::{ChessRoot, DraughtsRoot};
//! use adoube::{chess, draughts};
//!
//! let score = ChessRoot::new(chess::Position::start()).evaluate();
//! println!("{} centipawns for the side to move", score.centipawns());
//! assert!(score.centipawns().abs() < 100);
//!
//! let score = DraughtsRoot::new(draughts::Position::start()).evaluate();
//! assert!(score.centipawns().abs() < 100);
//! ```
//!
//! [`ChessRoot::with_network`](engine::ChessRoot) and
//! [`DraughtsRoot::with_network`](engine::DraughtsRoot) replace the network.
//!
//! # Probe endgame tables
//!
#![cfg_attr(feature = "engine", doc = "```")]
#![cfg_attr(not(feature = "engine"), doc = "```ignore")]
//! use adoube::draughts::Variant;
//! use adoube::tables::{bitbases, syzygy};
//!
//! let (tables, unused) = syzygy::Tables::open(["engine-tests/syzygy"]);
//! for file in &unused {
//!     eprintln!("{file}");
//! }
//! let rook = "8/8/8/8/4k3/8/8/R3K3 w - - 0 1".parse()?;
//! assert_eq!(tables.wdl(&rook), Some(syzygy::Wdl::Win));
//! println!("{:?} half-moves to the next capture or pawn move", tables.dtz(&rook));
//!
//! let kings = "W:WK6,K16,K48:BK25".parse()?;
//! let shipped = bitbases::Bitbases::shipped(Variant::Normal);
//! assert_eq!(shipped.probe(&kings), Some(bitbases::Wdl::Win));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`ChessRoot::with_tables`](engine::ChessRoot) and
//! [`DraughtsRoot::with_bitbases`](engine::DraughtsRoot) give tables to a search.
//!
//! # Referee a game
//!
//! The referee reads the events at a board, one per line. It returns rulings that cite their
//! articles.
//!
#![cfg_attr(feature = "laws", doc = "```")]
#![cfg_attr(not(feature = "laws"), doc = "```ignore")]
//! use adoube::referee::{AnyReferee, Edition, Regulations};
//!
//! let mut referee = AnyReferee::new(Edition::Fide1930, Regulations::default());
//! referee.line("moves e2e4 d7d5")?;
//! let rulings = referee.line("white touch g1")?;
//! assert_eq!(
//!     rulings[0].to_string(),
//!     "own piece touched: White must play g1e2, g1f3 or g1h3 (Art. 15 a)"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Run a match
//!
#![cfg_attr(feature = "arena", doc = "```no_run")]
#![cfg_attr(not(feature = "arena"), doc = "```ignore")]
//! use adoube::chess::Position;
//! use adoube::matches::{
//!     Description, DrawRule, Form, GameVariant, Interrupt, Openings, Schedule, Standings, Tournament,
//! };
//!
//! let engines = ["cmd=adoube", "cmd=stockfish"]
//!     .iter()
//!     .map(|text| Ok(Description::from_text(text)?.entrant()?))
//!     .collect::<Result<Vec<_>, Box<dyn std::error::Error>>>()?;
//! let schedule = Schedule::new(Form::RoundRobin, engines.len(), 50);
//! let mut tournament = Tournament::<Position>::new(engines, schedule, "10+0.1".parse()?);
//! tournament.concurrency = 4;
//! tournament.rules.control.nodes = Some(1_000_000);
//! tournament.rules.adjudication.draw = Some(DrawRule { from: 40, moves: 8, score: 10 });
//! tournament.openings = Openings::make("random:8".parse()?, 1, GameVariant::Standard)?;
//! tournament.sprt = Some("elo0=0 elo1=5".parse()?);
//! let standings =
//!     tournament.run(Standings::new(2), &Interrupt::default(), |pairing, game, standings| {
//!         match tournament.record("Match", pairing, game, standings) {
//!             Ok(pgn) => println!("{pgn}"),
//!             Err(error) => eprintln!("{error}"),
//!         }
//!     })?;
//! println!("{:?}, {:?}", standings.tallies[0], tournament.verdict(&standings));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// In a build without the upper layers, parts of the lower layers are unused and some doc links have
// no target.
#![cfg_attr(
    not(all(feature = "cli", feature = "board")),
    allow(dead_code, unused_imports, rustdoc::broken_intra_doc_links)
)]
#![cfg_attr(feature = "internals", allow(missing_docs))]
// Tests may slice strings: a panic at an invalid index only fails the test.
#![cfg_attr(test, allow(clippy::string_slice))]

pub mod chess;
pub mod draughts;

/// The types that both games share: records of games, their readers and their errors.
///
/// For example, [`chess::Game`] is a [`Record`](games::Record) of chess positions. Functions that
/// accept records of either game are generic over [`Recorded`](games::Recorded):
///
/// ```
/// use adoube::games::{Record, Recorded};
///
/// fn plies<P: Recorded>(game: &Record<P>) -> usize {
///     game.moves().count()
/// }
///
/// assert_eq!(plies(&"1. e4 e5 *".parse::<adoube::chess::Game>()?), 2);
/// assert_eq!(plies(&"1. 32-28 *".parse::<adoube::draughts::Game>()?), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub mod games {
    pub use crate::base::game::MoveForm;
    pub use crate::record::epd::{Epd, Operand, Operation, OperationError};
    pub use crate::record::games::{
        EditError, Fault, IllegalMove, Line, Loss, Node, Problem, Reader, Record, RecordError,
        Recorded, TreePath,
    };
}

/// Engines that search a position for the best move.
#[cfg(feature = "engine")]
pub mod engine {
    pub use crate::eval::chess::network::Network as ChessNetwork;
    pub use crate::eval::draughts::network::Network as DraughtsNetwork;
    pub use crate::eval::net::{
        NetError as NetworkError, OpenError as NetworkFileError, Shape as NetworkShape,
    };
    pub use crate::search::chess::Root as ChessRoot;
    pub use crate::search::depth::Depth;
    pub use crate::search::draughts::Root as DraughtsRoot;
    pub use crate::search::driver::{Engine, ResourceError, Root};
    pub use crate::search::limits::Clock;
    pub use crate::search::report::Bound;
    pub use crate::search::{
        ChessEngine, DraughtsEngine, Info, Limits, Options, Report, Score, SearchResult, StopHandle,
    };
}

/// Endgame tables: the value of every position with few pieces under best play.
#[cfg(feature = "engine")]
pub mod tables {
    /// Bitbases for draughts. The tables for up to four pieces are part of the library, and
    /// `adoube bitbase build` builds larger tables.
    pub mod bitbases {
        pub use crate::endings::bitbase::{BitbaseError, Bitbases, TableError, Wdl};
    }

    /// Syzygy tables for chess. The files are not part of the library.
    pub mod syzygy {
        pub use crate::endings::syzygy::{TableError, Tables, Unused, Wdl, verify};
    }
}

/// A referee that applies the laws of chess and draughts: four FIDE editions and the FMJD rules.
///
/// See [`AnyReferee`](referee::AnyReferee) for the events. A line is refused for one of two
/// reasons: it cannot be read, or its event is impossible.
///
/// ```
/// use adoube::referee::{AnyReferee, Edition, Impossible, LineError, ReadError, Regulations};
///
/// let mut referee = AnyReferee::new(Edition::Fide2023, Regulations::default());
/// let Err(LineError::Read(error)) = referee.line("white mvoe e2e4") else { panic!() };
/// let _: &ReadError = &error;
/// assert_eq!(error.column(), 7);
/// let Err(LineError::Impossible(error)) = referee.line("black accept") else { panic!() };
/// let _: &Impossible = &error;
/// assert_eq!(error.reason(), "White has not offered a draw");
/// assert!(error.possible_events().contains(&"white move".to_owned()));
/// ```
#[cfg(feature = "laws")]
pub mod referee {
    pub use crate::laws::any::{Facts, LineError};
    pub use crate::laws::clock::{Bonus, Budget, ControlError, Period};
    pub use crate::laws::edition::{EditionError, LateResuming, Sealer};
    pub use crate::laws::event::read::ReadError;
    pub use crate::laws::language::Language;
    pub use crate::laws::referee::{GameEnd, Impossible};
    pub use crate::laws::regulations::{Points, PointsError, RegulationsError};
    pub use crate::laws::ruling::{Decision, GameOutcome, Note, Right};
    pub use crate::laws::{AnyReferee, Edition, Regulations, Rule, Ruling, Rulings};
}

/// Matches and tournaments between engines.
#[cfg(feature = "arena")]
pub mod matches {
    pub use crate::arena::engine::answer::{ReportedScore, Thought};
    pub use crate::arena::engine::entrant::{
        ControlTextError, Description, Entrant, EntrantError, Protocol,
    };
    pub use crate::arena::engine::failure::Failure;
    pub use crate::arena::engine::link::Patience;
    pub use crate::arena::engine::process::{Exit, Interrupt};
    pub use crate::arena::engine::warning::{Warning, WarningKind};
    pub use crate::arena::game::contest::Variant as GameVariant;
    pub use crate::arena::game::ending::{EndingKind, GameEnding, GameScore};
    pub use crate::arena::game::openings::{
        Balance, Opening, OpeningKind, OpeningList, Openings, OpeningsError,
        Recipe as OpeningRecipe, RecipeError as OpeningRecipeError,
    };
    pub use crate::arena::game::{
        Adjudication, DecidingScores, DrawRule, GameRecord, PlayedMove, Rules,
        Tables as AdjudicationTables, WinRule,
    };
    pub use crate::arena::show::watch::{MadeMove, MatchEvent, Watchers};
    pub use crate::arena::stats::ratings::Ratings;
    pub use crate::arena::stats::sprt::{Model as SprtModel, Sprt, SprtError, SprtVerdict};
    pub use crate::arena::stats::{Estimate, Pairs, Tally};
    pub use crate::arena::tournament::schedule::{Form, Pairing, Results, Schedule};
    pub use crate::arena::tournament::{Faults, Standings, Tournament, TournamentError};
    pub use crate::base::span::SpanError as DurationError;
    pub use crate::laws::clock::{Bonus, Budget, ControlError, Flag, Period, TimeControl};
}

// The layers below are private. The modules above re-export the whole public interface.
#[cfg(all(feature = "arena", feature = "internals"))]
#[doc(hidden)]
pub mod arena;
#[cfg(all(feature = "arena", not(feature = "internals")))]
mod arena;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod base;
#[cfg(not(feature = "internals"))]
mod base;
#[cfg(all(feature = "board", feature = "internals"))]
#[doc(hidden)]
pub mod board;
#[cfg(all(feature = "board", not(feature = "internals")))]
mod board;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
#[cfg(all(feature = "engine", feature = "internals"))]
#[doc(hidden)]
pub mod endings;
#[cfg(all(feature = "engine", not(feature = "internals")))]
mod endings;
#[cfg(all(feature = "engine", feature = "internals"))]
#[doc(hidden)]
pub mod eval;
#[cfg(all(feature = "engine", not(feature = "internals")))]
mod eval;
#[cfg(all(feature = "laws", feature = "internals"))]
#[doc(hidden)]
pub mod laws;
#[cfg(all(feature = "laws", not(feature = "internals")))]
mod laws;
#[cfg(all(feature = "cli", feature = "internals"))]
#[doc(hidden)]
pub mod manual;
#[cfg(all(feature = "cli", not(feature = "internals")))]
mod manual;
#[cfg(feature = "arena")]
mod page;
#[cfg(all(feature = "engine", feature = "internals"))]
#[doc(hidden)]
pub mod protocol;
#[cfg(all(feature = "engine", not(feature = "internals")))]
mod protocol;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod record;
#[cfg(not(feature = "internals"))]
mod record;
#[cfg(all(feature = "engine", feature = "internals"))]
#[doc(hidden)]
pub mod search;
#[cfg(all(feature = "engine", not(feature = "internals")))]
mod search;
#[cfg(all(feature = "arena", feature = "internals"))]
#[doc(hidden)]
pub mod tools;
#[cfg(all(feature = "arena", not(feature = "internals")))]
mod tools;
