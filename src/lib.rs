//! Adoube knows two games, chess (with Chess960) and international draughts on 100 squares: their
//! rules, their texts, engines that play them well, and the laws by which a referee rules on them.
//!
//! The program `adoube` is a command line over this library; the [`manual`] describes it. The
//! folders are layers: each imports only from lower ones, which `engine-tests` checks.
//!
//! | layer | modules |
//! |---|---|
//! | what all share | [`base`], [`record`]: games on record (PGN, PDN), EPD, score sheets |
//! | the rules and texts of a game | [`chess`], [`draughts`] |
//! | what is known about positions | [`eval`], [`endings`], and [`laws`] with the referee |
//! | finding good moves | [`search`] |
//! | talking to other programs | [`protocol`]: UCI, Hub, DXP |
//! | engines against each other | [`arena`] |
//! | programs around the engine | [`tools`]: perft, suites, bench, training, tuning, an engine checker |
//! | in a browser | `board`: a local web application |
//!
//! Without the feature `cli` (`default-features = false`) what only the program needs is left out, and
//! with it the crates for the command line; the feature `envelope` brings sealed moves back, and `board` the
//! web application.
//!
//! # Chess
//!
//! A [`chess::Position`] is always legal and never changes: a move makes a new one.
//!
//! ```
//! use adoube::chess::Position;
//!
//! let mut position = Position::start();
//! for san in ["e4", "e5", "Qh5", "Ke7", "Qxe5#"] {
//!     let m = position.parse_san(san)?;
//!     position = position.play(m);
//! }
//! assert!(position.is_checkmate());
//! assert_eq!(position.fen(), "rnbq1bnr/ppppkppp/8/4Q3/4P3/8/PPPP1PPP/RNB1KBNR b KQ - 0 3");
//! assert_eq!(Position::start().perft(4), 197_281);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Draughts
//!
//! ```
//! use adoube::draughts::{Position, notation};
//!
//! let mut position = Position::start();
//! for text in ["32-28", "19-23"] {
//!     let m = notation::parse(&position, text)?;
//!     position = position.play(m);
//! }
//! // Capturing is compulsory.
//! let moves = position.legal_moves();
//! assert_eq!(moves.len(), 1);
//! assert_eq!(notation::pdn(&position, moves[0]), "28x19");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Search
//!
//! An engine keeps its threads and its transposition table from one search to the next. A
//! [`search::StopHandle`] stops a search from another thread; the last argument receives each line as it
//! is found.
//!
//! ```
//! use adoube::chess::Position;
//! use adoube::search::chess::Root;
//! use adoube::search::{ChessEngine, Limits, Options, StopHandle};
//!
//! let position: Position = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1".parse()?;
//! let mut engine = ChessEngine::new(Options { hash_mb: 1, ..Options::default() })?;
//! let root = Root::new(position.clone());
//! let found = engine.search(&root, &Limits::depth(6), &StopHandle::new(), None);
//! assert_eq!(found.best.map(|m| position.san(m)), Some("Rd8#".to_owned()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The referee
//!
//! What happens at a board goes in as events, rulings come out, each with the article it rests on.
//!
//! ```
//! use adoube::laws::{AnyReferee, Edition, Regulations};
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

// A test may fail by a slice.
#![cfg_attr(test, allow(clippy::string_slice))]

pub mod arena;
pub mod base;
#[cfg(feature = "board")]
pub mod board;
pub mod chess;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
pub mod draughts;
pub mod endings;
pub mod eval;
pub mod laws;
pub mod manual;
pub(crate) mod page;
pub mod protocol;
pub mod record;
pub mod search;
pub mod tools;
