//! Hub, version 2: a protocol between draughts engines and interfaces, as specified by Fabien
//! Letouzey in `protocol.txt` of Scan 3.1.
//!
//! [`mod@line`], [`command`], [`reply`], [`info`] and [`param`] are the grammar, for engines and
//! for programs that drive engines. [`session`] executes commands and [`search`] runs a search; the
//! table of Adoube's own parameters is in [`param`].
//!
//! Unknown commands and arguments are ignored, as the specification requires. Choices that the
//! specification leaves open:
//! - A known command with an invalid or missing value changes nothing; the answer is
//!   `error message="..."` with the reason. After a refused `pos`, however, `go` is answered with
//!   `done move=none` until a valid `pos` is sent.
//! - Parameters can be set at any time. A change during a search takes effect after the search.
//!   Only `log-file` takes effect at once.
//! - `init` is answered after all earlier commands are done. A search without `init` works too.
//! - A second `go` stops the running search, waits for its `done`, and then starts.
//! - `stop` and `ponder-hit` without a search are ignored.
//! - Without a `level`, a search runs until `stop`. A level remains in effect until the next level.
//! - `level nodes=N` is supported, and `depth`, `nodes` and `move-time` can be combined with a
//!   clock.
//! - In a position of the opening book, `go think` is answered at once with a book move and without
//!   `info`, unless `book` is off or the level is infinite.
//! - `go analyze` is like `go think`, but does not use the opening book or a limited `skill`.
//! - Captured squares may be given in any order, and may be omitted if the move is unambiguous.
//! - Scores are in men for the side to move. A win in n plies scores 100 - n/100, so 99.99 is a win
//!   in one ply. A position n plies before a bitbase win scores 50 - n/100.
//! - Without a legal move the answer is an `error` with the reason, then `done move=none`.
//! - `quit` and the end of input end the program at once, even during a search.

pub mod command;
pub(crate) mod info;
pub mod line;
pub mod param;
pub mod reply;
pub(crate) mod search;
pub(crate) mod session;
