//! UCI, the Universal Chess Interface, as Stefan Meyer-Kahlen's text of April 2006 has it.
//!
//! The grammar, for engines and for programs that drive engines: [`command`] is what an interface
//! says, [`reply`] what an engine says, with [`info`] for its thoughts and [`option`] for its options.
//! The engine: [`option`] also has the table of its own options, [`session`] obeys commands, [`search`]
//! thinks on a thread of its own.
//!
//! Where the text leaves a choice:
//! - A line that is no command, or has a bad value, is answered by `info string` with the reason and
//!   changes nothing: `position` keeps the former position, `go` starts nothing.
//! - A second `go` stops the running search, whose `bestmove` comes first, and then starts.
//! - `setoption`, `ucinewgame` and `Clear Hash` during a search take effect when it has ended.
//! - `stop` and `ponderhit` without a search are ignored.
//! - `go` without any limit is `go infinite`. Times below zero count as zero, a depth, node count or
//!   mate of zero as one.
//! - Without a legal move the answer is `info depth 0` with the result as score, then `bestmove (none)`.
//! - `0000` among the moves of `position` passes the turn, which some interfaces do to see a threat;
//!   it is refused in check.
//! - Castling is read in both notations; it is written as the king's two steps, or as king takes rook
//!   if `UCI_Chess960` is on or the king or rook does not stand on its usual square.
//! - `quit` and the end of input end everything at once, also while thinking.

pub mod command;
pub mod info;
pub mod option;
pub mod reply;
pub mod search;
pub mod session;
