//! What the laws ask of a position: the seam between the referee and the two games.

mod chess;
mod draughts;

use super::edition::Sameness;
use super::rule::Rule;
use crate::base::side::Side;
use crate::record::games::Recorded;
use smallvec::SmallVec;
use std::fmt;
use std::str::FromStr;

/// A thing that a hand does in making a move. A move is complete when all its parts are done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part<S> {
    /// A piece goes from a square to another and is released.
    Place(S, S),
    /// An enemy piece leaves the board.
    Remove(S),
    /// A pawn is replaced by the piece of this English letter, in lower case.
    Promote(char),
}

/// The parts of a move.
pub type Parts<S> = SmallVec<[Part<S>; 4]>;

/// How a position ends the game by itself: by which rule, and who has won.
pub type End = (Rule, Option<Side>);

/// A game that a referee can rule on.
pub trait Ruled: Recorded {
    /// A square of the board.
    type Square: Copy + Eq + fmt::Debug + fmt::Display + FromStr + Send + Sync + 'static;

    /// Whose piece stands on a square.
    fn owner(&self, square: Self::Square) -> Option<Side>;

    /// The square that the piece which makes the move leaves; of castling the king's.
    fn mover(m: Self::Move) -> Self::Square;

    /// What the hand does in a legal move.
    fn parts(&self, m: Self::Move) -> Parts<Self::Square>;

    /// The rook of a castling move.
    fn castling_rook(m: Self::Move) -> Option<Self::Square>;

    /// Whether the piece on a square can castle as a king, or as a rook.
    fn castles(&self, square: Self::Square) -> Option<CastlingPiece>;

    /// Whether a move is legal.
    fn is_playable(&self, m: Self::Move) -> bool;

    /// How the position ends the game, if it does: mate, stalemate, no move left.
    fn end(&self) -> Option<End>;

    /// The draw that counted moves have brought about, where the rules count by themselves.
    fn counted_draw(&self) -> Option<Rule>;

    /// Whether two positions are the same.
    fn same(&self, other: &Self, sameness: Sameness) -> bool;

    /// Plies without a capture or a move of a pawn or man.
    fn quiet_plies(&self) -> u32;

    /// Whether the side to move is in check.
    fn checked(&self) -> bool;

    /// Whether nobody can win any more.
    fn is_dead(&self) -> bool;

    /// Whether a side can win by some sequence of legal moves.
    fn can_win(&self, side: Side) -> bool;

    /// The same where the game is drawn after so many more [quiet plies](Self::quiet_plies); also where
    /// that is too far to be seen.
    fn can_win_within(&self, side: Side, plies: u32) -> bool {
        let _ = plies;
        self.can_win(side)
    }

    /// The pieces as letters, White's and then Black's, as in `KRKP`.
    fn material(&self) -> String;

    /// The position after the piece on `from` was put on `to`, whatever the rules say, and the turn
    /// passed; none where no legal position comes of it.
    fn displaced(&self, from: Self::Square, to: Self::Square) -> Option<Self>;

    /// The position without the pieces on some squares, and with `to_move` to move.
    fn without(&self, squares: &[Self::Square], to_move: Side) -> Option<Self>;

    /// The position after the king castled towards an empty square, as if a rook stood there.
    fn castled_without(&self, rook: Self::Square) -> Option<Self>;

    /// Whether a square lies in the half of the board on `side`'s side.
    fn own_half(square: Self::Square, side: Side) -> bool;

    /// The square of the piece that is given as odds: `p`, `n`, `b`, `r` or `q`.
    fn odds_square(piece: char, side: Side) -> Option<Self::Square>;

    /// Whether the side to move can give check for ever, in at most so many positions.
    fn perpetual(&self, limit: usize) -> Option<super::perpetual::Proof<Self::Move>>;

    /// The position as text that gives it back with its counters.
    fn setup_text(&self) -> String {
        self.to_fen()
    }
}

/// A piece that takes part in castling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CastlingPiece {
    /// The king.
    King,
    /// A rook.
    Rook,
}
