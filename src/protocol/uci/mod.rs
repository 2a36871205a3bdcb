//! UCI, the Universal Chess Interface, as specified by Stefan Meyer-Kahlen in April 2006.
//!
//! [`command`], [`reply`], [`info`] and [`option`] are the grammar, for engines and for programs
//! that drive engines. [`session`] executes commands and [`search`] runs a search; the table of
//! Adoube's own options is in [`option`].
//!
//! Choices that the specification leaves open:
//! - An unknown command or an invalid value changes nothing; the answer is an `info string` with
//!   the reason. After a refused `position`, however, `go` is answered with `bestmove (none)` until
//!   a valid `position` is sent.
//! - A second `go` stops the running search, waits for its `bestmove`, and then starts.
//! - `setoption`, `ucinewgame` and `Clear Hash` during a search take effect after the search. Only
//!   `Debug Log File` takes effect at once.
//! - `stop` and `ponderhit` without a search are ignored.
//! - `go` without a limit is `go infinite`. A negative time counts as zero. A `depth`, `nodes` or
//!   `mate` of zero counts as one.
//! - Without a legal move the answer is `info depth 0` with the result as score, then `bestmove
//!   (none)`.
//! - `0000` among the moves of `position` is a null move, which some interfaces use to show a
//!   threat. It is rejected in check.
//! - Both castling notations are accepted. Castling is printed as a king move of two squares, but
//!   as king takes rook if `UCI_Chess960` is on. If it is off, castling rights for a king or rook
//!   that is not on its usual square are removed, and an `info string` says so.
//! - `quit` and the end of input end the program at once, even during a search. Pending perft and
//!   bench commands, however, continue as long as they produce output.

pub mod command;
pub(crate) mod info;
pub mod option;
pub mod reply;
pub(crate) mod search;
pub(crate) mod session;
