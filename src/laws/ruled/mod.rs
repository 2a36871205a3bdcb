//! What the laws ask of a position: the seam between the referee and the two games.

mod chess;
mod draughts;
mod rafle;

use super::edition::Sameness;
use super::language::{Bilingual, InFrench, Language};
use super::rule::{Case, Rule};
use crate::base::game::MoveForm;
use crate::base::side::Side;
use crate::record::games::Recorded;
use smallvec::SmallVec;
use std::fmt;
use std::str::FromStr;

/// One action of the hand in making a move. A move is complete when all its parts are done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part<S> {
    /// A piece goes from a square to another and is released.
    Place(S, S),
    /// An enemy piece leaves the board.
    Remove(S),
    /// A pawn is replaced by the piece of this English letter, in lower case.
    Promote(char),
}

/// A move against the rules, as it was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IllegalMove<S> {
    /// The square that a piece of either side left.
    pub from: S,
    /// Where it was put. What stands there is taken.
    pub to: S,
    /// What else was taken, as by a capture en passant that comes too late.
    pub takes: Option<S>,
    /// What it was replaced by: the English letter of any piece, in lower case.
    pub becomes: Option<char>,
}

impl<S: Copy> IllegalMove<S> {
    /// The piece on a square is left there.
    pub const fn stays(square: S) -> Self {
        Self { from: square, to: square, takes: None, becomes: None }
    }
}

impl<S: fmt::Display> fmt::Display for IllegalMove<S> {
    /// As a line of a log has it: `e5 d6 takes d5`, `a7 a8 promote k`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.from, self.to)?;
        if let Some(takes) = &self.takes {
            write!(f, " takes {takes}")?;
        }
        self.becomes.map_or(Ok(()), |letter| write!(f, " promote {letter}"))
    }
}

/// The parts of a move.
pub type Parts<S> = SmallVec<[Part<S>; 4]>;

/// How a position ends the game by itself: by which rule, and who has won.
pub type End = (Rule, Option<Side>);

/// A game that a referee can rule on.
pub trait Ruled: Recorded<Error: InFrench, MoveError: InFrench> {
    /// A square of the board.
    type Square: Copy + Eq + fmt::Debug + fmt::Display + FromStr + Send + Sync + 'static;

    /// Why no laws rule a game from this position, if none do.
    fn without_laws(&self) -> Option<Bilingual> {
        None
    }

    /// Whose piece stands on a square.
    fn owner(&self, square: Self::Square) -> Option<Side>;

    /// The square that the piece which makes the move leaves; of castling the king's.
    fn mover(m: Self::Move) -> Self::Square;

    /// The parts of a legal move.
    fn parts(&self, m: Self::Move) -> Parts<Self::Square>;

    /// Reads a legal move in any form that players or programs use, with the letters of a language.
    ///
    /// # Errors
    /// If the text means no legal move, or several.
    fn read_move_in(&self, text: &str, language: Language) -> Result<Self::Move, Self::MoveError> {
        let _ = language;
        self.read_move(text, MoveForm::Player)
    }

    /// A legal move as players write it, with the letters of a language.
    fn write_move_in(&self, m: Self::Move, language: Language) -> String {
        let _ = language;
        self.write_move(m, MoveForm::Player)
    }

    /// A move as rulings write it: in the form of programs, but castling as players write it.
    fn move_text(m: Self::Move) -> String {
        m.to_string()
    }

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

    /// The same where the game is drawn after `plies` more [quiet plies](Self::quiet_plies). Also true
    /// where that is too far away to be seen.
    fn can_win_within(&self, side: Side, plies: u32) -> bool {
        let _ = plies;
        self.can_win(side)
    }

    /// The pieces as letters, White's and then Black's, as in `KRKP`.
    fn material(&self) -> String;

    /// The position after a move against the rules, and the turn passed; `None` if that is no legal
    /// position.
    fn after_illegal(&self, made: &IllegalMove<Self::Square>) -> Option<Self>;

    /// What was wrong with putting the piece on `from` on `to`, in a game that tells the faults apart.
    fn fault(&self, from: Self::Square, to: Self::Square) -> Option<Case> {
        let _ = (from, to);
        None
    }

    /// What is wrong where the piece on `next` leaves the board, while `m` is made and these pieces have
    /// left it; `placed` if the piece that takes was released.
    fn removal_fault(
        &self,
        m: Self::Move,
        placed: bool,
        removed: &[Self::Square],
        next: Self::Square,
    ) -> Option<Case> {
        let _ = (m, placed, removed, next);
        None
    }

    /// The position after a move with these pieces, which it takes, still on the board; `None` if that
    /// is no position of the game.
    fn with_left(&self, m: Self::Move, left: &[Self::Square]) -> Option<Self> {
        let _ = (m, left);
        None
    }

    /// Whether a piece stands where it was promoted, and could stand there without the sign of it.
    fn can_lack_crown(&self, square: Self::Square) -> bool {
        let _ = square;
        false
    }

    /// The board after several illegal moves as FEN, also where it is no legal position.
    fn illegal_fen(&self, moves: &[IllegalMove<Self::Square>]) -> String {
        let moved = moves.iter().try_fold(self.clone(), |board, made| board.after_illegal(made));
        moved.unwrap_or_else(|| self.clone()).to_fen()
    }

    /// The position without the pieces on some squares, and with `to_move` to move.
    fn without(&self, squares: &[Self::Square], to_move: Side) -> Option<Self>;

    /// The position after the king castled towards an empty square, as if a rook stood there.
    fn castled_without(&self, rook: Self::Square) -> Option<Self>;

    /// Whether a king was put from a square to another as in castling.
    fn is_castling_attempt(&self, from: Self::Square, to: Self::Square) -> bool {
        let _ = (from, to);
        false
    }

    /// Whether both kings are in check after these moves, or a pawn stands on its last rank.
    fn impossible_after(&self, moves: &[IllegalMove<Self::Square>]) -> bool {
        let _ = moves;
        false
    }

    /// Whether a side's king stands on the square that its queen starts from.
    fn king_for_queen(&self, side: Side) -> bool {
        let _ = side;
        false
    }

    /// The position with left and right exchanged; `None` in a game where that puts nothing right.
    fn mirrored(&self) -> Option<Self> {
        None
    }

    /// The position without a side's rights to castle; `None` in a game without castling.
    fn without_castling(&self, side: Side) -> Option<Self> {
        let _ = side;
        None
    }

    /// Whether a square lies in the half of the board on `side`'s side.
    fn own_half(square: Self::Square, side: Side) -> bool;

    /// The square of the piece that is given as odds: `p`, `n`, `b`, `r` or `q`.
    fn odds_square(piece: char, side: Side) -> Option<Self::Square>;

    /// Whether the side to move can give check for ever, looking at `limit` positions at most; `None` in a
    /// game without check.
    fn perpetual(&self, limit: usize) -> Option<crate::laws::mating::perpetual::Proof<Self::Move>>;

    /// The position as text from which it can be read again, its counters included.
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
