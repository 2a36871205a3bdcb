//! Draughts before the referee.

use super::{CastlingPiece, End, Part, Parts, Ruled};
use crate::base::side::Side;
use crate::draughts::board::Kind;
use crate::draughts::position::{Ending, KING_MOVES};
use crate::draughts::{Bitboard, Board, Move, Position, Square, notation};
use crate::laws::edition::Sameness;
use crate::laws::perpetual::Proof;
use crate::laws::rule::Rule;

/// The position of a board that was changed by hand, `to_move` to move.
fn rebuilt(to_move: Side, piece_on: impl Fn(Square) -> Option<(Side, Kind)>) -> Option<Position> {
    let (mut men, mut kings) = ([Bitboard::EMPTY; 2], [Bitboard::EMPTY; 2]);
    for square in Square::all() {
        if let Some((side, kind)) = piece_on(square) {
            let set = if kind == Kind::Man { &mut men } else { &mut kings };
            set[side.index()] |= Bitboard::of(square);
        }
    }
    Position::try_from((Board::of_groups(men, kings)?, to_move)).ok()
}

impl Ruled for Position {
    type Square = Square;

    fn owner(&self, square: Square) -> Option<Side> {
        self.piece_on(square).map(|(side, _)| side)
    }

    fn mover(m: Move) -> Square {
        m.from()
    }

    fn parts(&self, m: Move) -> Parts<Square> {
        let mut parts = Parts::new();
        parts.push(Part::Place(m.from(), m.to()));
        parts.extend(m.taken().into_iter().map(Part::Remove));
        parts
    }

    fn castling_rook(_: Move) -> Option<Square> {
        None
    }

    fn castles(&self, _: Square) -> Option<CastlingPiece> {
        None
    }

    fn is_playable(&self, m: Move) -> bool {
        self.is_legal(m)
    }

    fn end(&self) -> Option<End> {
        if self.has_moves() {
            return None;
        }
        let bare = self.board().pieces(self.side()).is_empty();
        Some((if bare { Rule::NoPiece } else { Rule::NoMove }, Some(!self.side())))
    }

    fn counted_draw(&self) -> Option<Rule> {
        let ending = Ending::of(self.board()).filter(|end| self.ending_plies() >= end.plies());
        match ending {
            Some(Ending::ThreeAgainstKing) => Some(Rule::ThreePieces),
            Some(Ending::TwoAgainstKing) => Some(Rule::TwoPieces),
            None => (self.king_plies() >= KING_MOVES).then_some(Rule::KingMoves),
        }
    }

    fn same(&self, other: &Self, _: Sameness) -> bool {
        self.key() == other.key() && self.board() == other.board() && self.side() == other.side()
    }

    fn quiet_plies(&self) -> u32 {
        u32::from(self.king_plies())
    }

    fn checked(&self) -> bool {
        false
    }

    /// The rules know no dead position; counted moves end such a game (6.2 to 6.4).
    fn is_dead(&self) -> bool {
        false
    }

    /// Whether the side has a piece: the rules do not ask what it can reach.
    fn can_win(&self, side: Side) -> bool {
        self.board().pieces(side).any()
    }

    fn material(&self) -> String {
        let mut text = String::new();
        for side in Side::ALL {
            (0..self.board().kings(side).len()).for_each(|_| text.push('K'));
            (0..self.board().men(side).len()).for_each(|_| text.push('M'));
        }
        text
    }

    fn displaced(&self, from: Square, to: Square) -> Option<Self> {
        rebuilt(!self.side(), |square| match square {
            _ if square == to => self.piece_on(from),
            _ if square == from => None,
            _ => self.piece_on(square),
        })
    }

    fn without(&self, squares: &[Square], to_move: Side) -> Option<Self> {
        if squares.iter().any(|&square| self.piece_on(square).is_none()) {
            return None;
        }
        rebuilt(
            to_move,
            |square| {
                if squares.contains(&square) { None } else { self.piece_on(square) }
            },
        )
    }

    fn castled_without(&self, _: Square) -> Option<Self> {
        None
    }

    fn own_half(square: Square, side: Side) -> bool {
        square.relative_to(side).row() >= 5
    }

    fn odds_square(_: char, _: Side) -> Option<Square> {
        None
    }

    fn perpetual(&self, _: usize) -> Option<Proof<Move>> {
        None
    }

    fn read_played(&self, text: &str) -> Result<Move, String> {
        notation::parse(self, text).map_err(|error| error.to_string())
    }

    fn setup_text(&self) -> String {
        match self.king_plies() {
            0 => self.to_string(),
            plies => format!("{self}:H{plies}"),
        }
    }

    fn text(m: Move) -> String {
        notation::hub(m).to_string()
    }
}
