//! The part of the perft tools that differs from game to game.

use super::compare::{MovePath, Peer, PeerError};
use crate::arena::engine::entrant::Entrant;
use crate::arena::engine::process::Interrupt;
use crate::base::game::Game;

/// A function that starts an engine to compare counts with; the flag selects Chess960.
pub(crate) type StartPeer<G> =
    fn(&Entrant, bool, &Interrupt) -> Result<Box<dyn Peer<G>>, PeerError>;

/// A game whose moves can be counted by kind and compared with the moves of other programs.
pub(crate) trait PerftGame: Game {
    /// The names of the kinds of moves, in lower case.
    const KINDS: &[&str];

    /// Starts an engine as a peer; `None` if the engine protocol of the game has no perft command.
    const START_PEER: Option<StartPeer<Self>> = None;

    /// Calls `add` with the index of each kind of a legal move; `next` is the position after the
    /// move.
    fn kinds(&self, m: Self::Move, next: &Self, add: impl FnMut(usize));

    /// Returns the position at the end of a line, in the notation that other programs read.
    fn text(line: &MovePath<Self>) -> String;

    /// Returns a drawing of the position in several lines.
    fn diagram(&self) -> String;

    /// Describes a move, for example as "castling on the king's side".
    fn kind_of(&self, m: Self::Move) -> String;

    /// Explains why a text is not a legal move at the end of the line.
    fn why_not(line: &MovePath<Self>, text: &str) -> String;
}

pub(super) const TWICE: &str = "the move is listed twice";
