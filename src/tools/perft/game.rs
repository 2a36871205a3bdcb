//! The parts of the perft tools that differ between chess and draughts.

use super::compare::{MovePath, Peer, PeerError};
use crate::arena::engine::entrant::Entrant;
use crate::arena::engine::process::Interrupt;
use crate::base::game::{Game, MoveForm};

/// A function that starts another engine, in order to compare its perft counts with ours. The flag
/// is true for Chess960.
pub(crate) type StartPeer<G> =
    fn(&Entrant, bool, &Interrupt) -> Result<Box<dyn Peer<G>>, PeerError>;

/// A game for which moves can be counted by kind and compared with another program's moves.
pub(crate) trait PerftGame: Game {
    /// The names of the kinds of moves, in lowercase.
    const KINDS: &[&str];

    /// The function that starts an engine as a peer, or `None` if the game's engine protocol has no
    /// perft command.
    const START_PEER: Option<StartPeer<Self>> = None;

    /// Calls `add` with the index of each kind to which a legal move belongs. `next` is the
    /// position after the move.
    fn kinds(&self, m: Self::Move, next: &Self, add: impl FnMut(usize));

    /// Returns the position at the end of a line, in a notation that other programs accept.
    fn text(line: &MovePath<Self>) -> String;

    /// Draws the position at the end of a line as multi-line text.
    fn diagram(line: &MovePath<Self>) -> String;

    /// Describes a move, for example as "castling on the king's side".
    fn kind_of(&self, m: Self::Move) -> String;

    /// Formats a move in the notation of the game's engine protocol.
    fn move_text(&self, m: Self::Move, chess960: bool) -> String {
        let _ = chess960;
        self.write_move(m, MoveForm::Program)
    }

    /// Explains why `text` is not a legal move in the position at the end of the line.
    fn why_not(line: &MovePath<Self>, text: &str) -> String;
}

pub(super) const TWICE: &str = "the move is listed twice";
