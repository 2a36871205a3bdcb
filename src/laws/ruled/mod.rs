//! The interface between the referee and the two games. [`Ruled`] contains all the referee's
//! queries about a position.

mod chess;
mod draughts;

use super::edition::Sameness;
use super::event::word;
use super::language::{Bilingual, InFrench, Language};
use super::rule::{Case, Rule};
use crate::base::game::MoveForm;
use crate::base::side::Side;
use crate::record::games::Recorded;
use smallvec::SmallVec;
use std::fmt;
use std::str::FromStr;

/// One physical action of a move. A move is complete when all its parts are done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part<S> {
    Place(S, S),
    Remove(S),
    /// Replacing a pawn with a piece, given as a lower-case English letter.
    Promote(char),
}

/// An illegal move, as it was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IllegalMove<S> {
    /// The origin square of the piece, which may belong to either side.
    pub from: S,
    /// The destination square. A piece on it is captured.
    pub to: S,
    /// The square of another captured piece, for example in an en passant capture made too late.
    pub takes: Option<S>,
    /// The piece that replaced the moved piece, as a lower-case English letter.
    pub becomes: Option<char>,
    /// The side of the piece that replaced the moved piece; `None` if both are on the same side.
    pub of: Option<Side>,
    /// The origin and destination squares of a second moved piece, for example in castling.
    pub also: Option<(S, S)>,
}

impl<S: Copy> IllegalMove<S> {
    /// Creates an illegal move of one piece. At most a piece on the destination square is captured.
    pub const fn placed(from: S, to: S) -> Self {
        Self { from, to, takes: None, becomes: None, of: None, also: None }
    }
}

impl<S: fmt::Display> fmt::Display for IllegalMove<S> {
    /// Writes the move in the form used in logs: `e5 d6 takes d5`, `a7 a8 promote k`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.from, self.to)?;
        if let Some((from, to)) = &self.also {
            write!(f, " and {from} {to}")?;
        }
        if let Some(takes) = &self.takes {
            write!(f, " takes {takes}")?;
        }
        self.becomes.map_or(Ok(()), |letter| write!(f, " promote {letter}"))?;
        self.of.map_or(Ok(()), |side| write!(f, " of {}", word(side)))
    }
}

pub(crate) type Parts<S> = SmallVec<[Part<S>; 4]>;

/// The rule by which a position ends the game, and the winner; `None` for a draw.
pub(crate) type End = (Rule, Option<Side>);

/// A game that a referee can rule on.
pub trait Ruled: Recorded<Error: InFrench, MoveError: InFrench> {
    type Square: Copy + Eq + fmt::Debug + fmt::Display + FromStr + Send + Sync + 'static;

    /// Returns an explanation if no laws cover a game from this position.
    fn without_laws(&self) -> Option<Bilingual> {
        None
    }

    fn owner(&self, square: Self::Square) -> Option<Side>;

    /// Returns the origin square of the moving piece, which is the king's square for castling.
    fn mover(m: Self::Move) -> Self::Square;

    fn parts(&self, m: Self::Move) -> Parts<Self::Square>;

    /// Parses a legal move in any supported notation, with the piece letters of a language.
    fn read_move_in(&self, text: &str, language: Language) -> Result<Self::Move, Self::MoveError> {
        let _ = language;
        self.read_move(text, MoveForm::Player)
    }

    /// Returns the event that records an illegal move, with placeholders, if `error` means that a
    /// move is illegal.
    fn event_of_illegal_move(error: &Self::MoveError) -> Option<&'static str>;

    /// Returns the article that a move violates, if `error` means that a move is illegal.
    fn article_on_illegal_move(error: &Self::MoveError) -> Option<&'static str> {
        let _ = error;
        None
    }

    /// Writes a legal move in the notation that players use, with the piece letters of a language.
    fn write_move_in(&self, m: Self::Move, language: Language) -> String {
        let _ = language;
        self.write_move(m, MoveForm::Player)
    }

    /// Returns a move as written in rulings: in draughts in Hub notation, in chess in UCI notation,
    /// but castling as `O-O` or `O-O-O`.
    fn move_text(m: Self::Move) -> String {
        m.to_string()
    }

    fn castling_rook(m: Self::Move) -> Option<Self::Square>;

    /// Returns the king or rook on a square, or `None` for other pieces and in games without
    /// castling.
    fn castles(&self, square: Self::Square) -> Option<CastlingPiece>;

    fn is_playable(&self, m: Self::Move) -> bool;

    /// Returns the rule and the winner if the position itself ends the game: by checkmate, by
    /// stalemate, because a side has no pieces, or because the side to move has no moves.
    fn end(&self) -> Option<End>;

    /// Returns the rule if a draughts game is drawn by a move count.
    fn draw_by_count(&self) -> Option<Rule>;

    fn same(&self, other: &Self, sameness: Sameness) -> bool;

    /// Returns the number of plies since the last capture or move of a pawn or man.
    fn quiet_plies(&self) -> u32;

    fn is_in_check(&self) -> bool;

    /// Returns true only if neither side can win any more. A position in which this is hard to
    /// prove can yield false.
    fn is_dead(&self) -> bool;

    /// Returns whether a side can win by some sequence of legal moves. Also returns true if this is
    /// too hard to decide.
    fn can_win(&self, side: Side) -> bool;

    /// Returns whether a side can win if the game is drawn after `plies` more [quiet
    /// plies](Self::quiet_plies). Also returns true if the draw is too far away to search.
    fn can_win_within(&self, side: Side, plies: u32) -> bool {
        let _ = plies;
        self.can_win(side)
    }

    /// Returns the letters of all pieces, White's first, such as `KRKP`.
    fn material(&self) -> String;

    /// Returns the position after an illegal move, with the other side to move. The position need
    /// not be [regular](Self::is_regular). Returns `None` if no position represents the board, for
    /// example after the capture of a king.
    fn after_illegal(&self, made: &IllegalMove<Self::Square>) -> Option<Self>;

    /// Returns false if the position obviously cannot arise from legal moves, for example because a
    /// pawn is on the last rank.
    fn is_regular(&self) -> bool {
        true
    }

    /// Returns whether a side has only its king.
    fn is_bare(&self, side: Side) -> bool {
        let _ = side;
        false
    }

    /// Returns the kind of fault if a piece is illegally moved from `from` to `to`. Returns `None`
    /// if the piece does not belong to the side to move, or if the rules of the game do not
    /// distinguish faults.
    fn fault(&self, from: Self::Square, to: Self::Square) -> Option<Case> {
        let _ = (from, to);
        None
    }

    /// Returns the squares of the pieces that the piece on `from` can jump on its way to `to`, in a
    /// complete or partial capture.
    fn jumpable(&self, from: Self::Square, to: Self::Square) -> Vec<Self::Square> {
        let _ = (from, to);
        Vec::new()
    }

    /// Returns the fault in removing the piece on `next` during the move `m`, after the pieces on
    /// `removed` have left the board. `placed` is true if the capturing piece was released.
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

    /// Returns the position after a move in which the captured pieces on the squares `left` were
    /// not removed. Returns `None` if that is not a valid position.
    fn with_left(&self, m: Self::Move, left: &[Self::Square]) -> Option<Self> {
        let _ = (m, left);
        None
    }

    /// Returns whether the piece on a square may have been promoted there without being crowned.
    fn can_lack_crown(&self, square: Self::Square) -> bool {
        let _ = square;
        false
    }

    /// Returns the board after several illegal moves as FEN, even if it is not a legal position.
    fn illegal_fen(&self, moves: &[IllegalMove<Self::Square>]) -> String {
        let moved = moves.iter().try_fold(self.clone(), |board, made| board.after_illegal(made));
        moved.unwrap_or_else(|| self.clone()).to_fen()
    }

    /// Returns the position without the pieces on `squares` and with `to_move` to move. Returns
    /// `None` if one of the squares is empty or the result is not a valid position.
    fn without(&self, squares: &[Self::Square], to_move: Side) -> Option<Self>;

    /// Returns the position with the other side to move, or `None` if that position cannot be
    /// represented. In chess, the returned position may be illegal.
    fn turned(&self) -> Option<Self> {
        self.without(&[], !self.side())
    }

    /// Returns the position after castling towards the empty square `rook`, as if a rook were
    /// there.
    fn castled_without(&self, rook: Self::Square) -> Option<Self>;

    /// Returns the castling move towards the empty square `rook`, or `None` if
    /// [`Self::castled_without`] finds it impossible.
    fn castling_towards(&self, rook: Self::Square) -> Option<Self::Move> {
        let _ = rook;
        None
    }

    /// Returns whether a text denotes the castling move `m`.
    fn names_castling(m: Self::Move, text: &str) -> bool {
        let _ = (m, text);
        false
    }

    /// Returns whether an illegal move leaves the mover's king out of check.
    fn parries(&self, made: &IllegalMove<Self::Square>) -> bool {
        let _ = made;
        true
    }

    /// Returns whether moving the piece on `from` to `to` can be an attempt to castle: the king of
    /// the side to move goes two squares along its first rank, to the file c or g.
    fn is_castling_attempt(&self, from: Self::Square, to: Self::Square) -> bool {
        let _ = (from, to);
        false
    }

    /// Returns whether, after the given illegal moves, both kings are in check or a pawn is on its
    /// last rank.
    fn impossible_after(&self, moves: &[IllegalMove<Self::Square>]) -> bool {
        let _ = moves;
        false
    }

    /// Returns whether a side's king is on the initial square of its queen.
    fn king_for_queen(&self, side: Side) -> bool {
        let _ = side;
        false
    }

    /// Returns the position mirrored left to right, to correct kings that began on the queens'
    /// squares; `None` if the game has no such correction.
    fn mirrored(&self) -> Option<Self> {
        None
    }

    /// Returns the position without a side's castling rights; `None` in a game without castling.
    fn without_castling(&self, side: Side) -> Option<Self> {
        let _ = side;
        None
    }

    /// Returns the position without the right to castle with the rook on a square.
    fn without_castling_rook(&self, square: Self::Square) -> Option<Self> {
        let _ = square;
        None
    }

    /// Returns whether a square is in `side`'s half of the board.
    fn own_half(square: Self::Square, side: Side) -> bool;

    /// Returns the square from which a piece is removed for odds of `p`, `n`, `b`, `r` or `q`.
    fn odds_square(piece: char, side: Side) -> Option<Self::Square>;

    /// Searches at most `limit` positions for a perpetual check by the side to move. Returns `None`
    /// in a game without check.
    fn perpetual(&self, limit: usize) -> Option<crate::laws::mating::perpetual::Proof<Self::Move>>;

    /// Returns the position with its counters as text that can be parsed again.
    fn setup_text(&self) -> String {
        self.to_fen()
    }
}

/// A piece that takes part in castling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CastlingPiece {
    King,
    Rook,
}
