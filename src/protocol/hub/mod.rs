//! Hub, version 2: the protocol of draughts engines and interfaces, as Fabien Letouzey's text that
//! comes with Scan 3.1 (`protocol.txt`) has it.
//!
//! The grammar, for engines and for programs that drive engines: [`mod@line`] is the form of every
//! line, [`command`] is what an interface says, [`reply`] what an engine says, with [`info`] for its
//! thoughts and [`param`] for its parameters. The engine: [`param`] also has the table of its own
//! parameters, [`session`] obeys commands, [`search`] thinks on a thread of its own.
//!
//! Where the text leaves a choice:
//! - Commands and arguments that are not known are ignored, as it asks. A known command with a bad
//!   or missing value is answered by `error message="..."` with the reason and changes nothing.
//! - Parameters can be set at any time; during a search they take effect when it has ended.
//! - `init` is answered when all that was asked before is done; a search without it works too.
//! - A second `go` stops the running search, whose `done` comes first, and then starts.
//! - `stop` and `ponder-hit` without a search are ignored.
//! - Without a `level` the search goes on until `stop`; a level holds until the next one.
//! - `level nodes=N`, and `depth`, `nodes` and `move-time` together with a clock, limit as they say.
//! - `go think` in a position of the book is answered by one of its moves at once, without `info`, unless
//!   `book` is off or the level is infinite.
//! - `go analyze` is `go think` with every legal move looked at, even if there is only one.
//! - Captured squares may come in any order, and may be left out if the move is clear without them.
//! - Scores are in men from the side to move. A win in n plies is 100 - n/100, so 99.99 wins at once.
//! - Without a legal move the answer is an `error` that says so, then `done move=none`.
//! - `quit` and the end of input end everything at once, also while thinking.

pub mod command;
pub mod info;
pub mod line;
pub mod param;
pub mod reply;
pub mod search;
pub mod session;
