//! Implements [`Ruled`] for draughts.

use super::{CastlingPiece, End, IllegalMove, Part, Parts, Ruled};
use crate::base::side::Side;
use crate::draughts::board::Kind;
use crate::draughts::few_pieces::FewPieces;
use crate::draughts::notation::{MoveError, Refusal};
use crate::draughts::rafle::captures;
use crate::draughts::{Bitboard, Board, Move, Position, Square, Variant};
use crate::laws::edition::Sameness;
use crate::laws::language::{Bilingual, InFrench};
use crate::laws::mating::perpetual::Proof;
use crate::laws::rule::{Case, Rule};
use std::fmt;

/// Builds a position from an edited board, with `to_move` to move.
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

/// The limits of the search in [`can_win`], in plies and in positions.
const PLIES_SEEN: u32 = 6;
const POSITIONS: u32 = 10_000;

/// Returns whether `side` can win within `plies`. Also returns true if the game can last longer, or
/// if `left`, the number of positions that may still be searched, reaches zero.
fn can_win(position: &Position, side: Side, plies: u32, left: &mut u32) -> bool {
    let Some(less) = left.checked_sub(1) else { return true };
    *left = less;
    let moves = position.legal_moves();
    if moves.is_empty() {
        return position.winner_without_moves() == side;
    }
    !position.is_drawn_by_count()
        && (plies == 0
            || moves.iter().any(|&m| can_win(&position.play_unchecked(m), side, plies - 1, left)))
}

/// A draughts variant that the FMJD rules do not cover.
struct OtherGame(Variant);

impl fmt::Display for OtherGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the laws do not cover {} draughts", self.0)
    }
}

impl InFrench for OtherGame {
    fn in_french(&self) -> String {
        format!("les règles ne s'appliquent pas au jeu {}", self.0)
    }
}

impl Ruled for Position {
    type Square = Square;

    fn without_laws(&self) -> Option<Bilingual> {
        let is_other = self.variant() != Variant::Normal;
        is_other.then(|| Bilingual::of(&OtherGame(self.variant())))
    }

    fn owner(&self, square: Square) -> Option<Side> {
        self.piece_on(square).map(|(side, _)| side)
    }

    fn event_of_illegal_move(error: &MoveError) -> Option<&'static str> {
        matches!(error, MoveError::Illegal { .. }).then_some("irregular FEN")
    }

    fn article_on_illegal_move(error: &MoveError) -> Option<&'static str> {
        let MoveError::Illegal { why, .. } = error else { return None };
        match why {
            Refusal::MustCapture { .. } => Some("4.1"),
            Refusal::TooFew { .. } => Some("4.13"),
            Refusal::Unreachable { kind: Kind::Man, capture: false, .. } => Some("3.4"),
            Refusal::Unreachable { kind: Kind::King, capture: false, .. } => Some("3.9"),
            Refusal::Unreachable { kind: Kind::Man, capture: true, .. } => Some("4.2, 4.5"),
            Refusal::Unreachable { kind: Kind::King, capture: true, .. } => Some("4.3, 4.6"),
            Refusal::NoPiece(..)
            | Refusal::NoCapture(_)
            | Refusal::Other(..)
            | Refusal::NoMove(_) => None,
        }
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
        // An accepted irregularity can leave the opponent without pieces.
        if self.board().pieces(!self.side()).is_empty() {
            return Some((Rule::NoPiece, Some(self.side())));
        }
        if self.has_moves() {
            return None;
        }
        let bare = self.board().pieces(self.side()).is_empty();
        let rule = if bare { Rule::NoPiece } else { Rule::NoMove };
        Some((rule, Some(self.winner_without_moves())))
    }

    fn draw_by_count(&self) -> Option<Rule> {
        let ending = self.few_pieces().filter(|end| self.ending_plies() >= end.plies());
        match ending {
            Some(FewPieces::ThreeAgainstKing) => Some(Rule::ThreePieces),
            Some(_) => Some(Rule::TwoPieces),
            None => (self.king_plies() >= self.variant().king_plies()).then_some(Rule::KingMoves),
        }
    }

    fn same(&self, other: &Self, _: Sameness) -> bool {
        self.key() == other.key() && self.board() == other.board() && self.side() == other.side()
    }

    fn quiet_plies(&self) -> u32 {
        u32::from(self.king_plies())
    }

    fn is_in_check(&self) -> bool {
        false
    }

    /// Draughts has no dead positions. Games that nobody can win end by move counts (FMJD 6.2 to
    /// 6.4).
    fn is_dead(&self) -> bool {
        false
    }

    /// Returns whether the side can win, with the opponent's help, before the game is drawn by a
    /// move count (FMJD 6.2 to 6.4). Also returns true if a short search is inconclusive. Without
    /// the move counts, almost every position could be won, because the opponent can give away any
    /// piece.
    fn can_win(&self, side: Side) -> bool {
        let mut left = POSITIONS;
        can_win(self, side, PLIES_SEEN, &mut left)
    }

    fn material(&self) -> String {
        let mut text = String::new();
        for side in Side::ALL {
            (0..self.board().kings(side).len()).for_each(|_| text.push('K'));
            (0..self.board().men(side).len()).for_each(|_| text.push('M'));
        }
        text
    }

    fn after_illegal(&self, made: &IllegalMove<Square>) -> Option<Self> {
        let IllegalMove { from, to, takes, becomes, .. } = *made;
        let piece = self.piece_on(from)?;
        let moved = match (piece, becomes) {
            ((side, _), Some('k')) => (side, Kind::King),
            (_, Some(_)) => return None,
            (piece, None) => piece,
        };
        let after = rebuilt(!self.side(), |square| match square {
            _ if square == to => Some(moved),
            _ if square == from || Some(square) == takes => None,
            _ => self.piece_on(square),
        })?;
        let captures =
            [Some(to), takes].into_iter().flatten().any(|at| self.piece_on(at).is_some());
        Some(after.counted_after(self, piece.1 == Kind::King && !captures))
    }

    fn fault(&self, from: Square, to: Square) -> Option<Case> {
        if self.owner(from) != Some(self.side()) {
            return None;
        }
        let partial = captures(self, from).into_iter().filter(|capture| capture.to == to);
        Some(match (partial.map(|capture| capture.can_go_on).max(), self.can_capture()) {
            (Some(true), _) => Case::BrokenOff,
            (Some(false), _) => Case::WrongNumber,
            (None, true) => Case::CaptureMissed,
            (None, false) => Case::Moved,
        })
    }

    fn jumpable(&self, from: Square, to: Square) -> Vec<Square> {
        let partial = captures(self, from).into_iter().filter(|capture| capture.to == to);
        partial.flat_map(|capture| capture.taken).collect()
    }

    fn removal_fault(
        &self,
        m: Move,
        placed: bool,
        removed: &[Square],
        next: Square,
    ) -> Option<Case> {
        let man = |square| self.piece_on(square).is_some_and(|(_, kind)| kind == Kind::Man);
        if !placed {
            // A man that captures a single man may remove it before the jump (FMJD 4.16).
            let allowed = m.taken().len() == 1 && man(m.from()) && man(next);
            return (!allowed).then_some(Case::RemovedEarly);
        }
        let begins = |order: &mut dyn Iterator<Item = Square>| {
            removed.iter().copied().chain([next]).all(|square| order.next() == Some(square))
        };
        let in_order = captures(self, m.from()).into_iter().any(|capture| {
            let taken: Bitboard = capture.taken.iter().copied().collect();
            (capture.to, taken) == (m.to(), m.taken())
                && (begins(&mut capture.taken.iter().copied())
                    || begins(&mut capture.taken.iter().rev().copied()))
        });
        (!in_order).then_some(Case::RemovedInDisorder)
    }

    fn with_left(&self, m: Move, left: &[Square]) -> Option<Self> {
        let after = self.play_unchecked(m);
        rebuilt(after.side(), |square| {
            let position = if left.contains(&square) { self } else { &after };
            position.piece_on(square)
        })
    }

    fn can_lack_crown(&self, square: Square) -> bool {
        self.piece_on(square).is_some_and(|(side, kind)| {
            kind == Kind::King && Bitboard::promotion_row(side).has(square)
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

    fn setup_text(&self) -> String {
        match self.king_plies() {
            0 => self.to_string(),
            plies => format!("{self}:H{plies}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draughts::notation;

    fn after(fen: &str, moves: &[&str]) -> Position {
        let start: Position = fen.parse().unwrap_or_else(|e| panic!("{fen}: {e}"));
        moves.iter().fold(start, |position, text| {
            let m = notation::parse(&position, text).unwrap_or_else(|e| panic!("{text}: {e}"));
            position.play_unchecked(m)
        })
    }

    #[test]
    fn move_counts_limit_wins() {
        let kings = "W:WK46:BK45";
        let can = |position: &Position| Side::ALL.map(|side| Ruled::can_win(position, side));
        // A king can be given away while enough moves are left before the draw.
        assert_eq!(can(&after(kings, &[])), [true, true]);
        let shuffle = ["46-41", "45-50", "41-46", "50-45"];
        let moves: Vec<&str> = shuffle.into_iter().cycle().take(9).collect();
        // The game is drawn after ten plies. After nine, nobody can win. After eight, White can
        // still give its king away, and Black captures it on the tenth ply.
        assert_eq!(can(&after(kings, &moves)), [false, false]);
        assert_eq!(can(&after(kings, &moves[..8])), [false, true]);
        assert_eq!(can(&after(kings, &moves[..7])), [true, true]);
        // A side without moves or pieces has lost.
        assert_eq!(can(&after("W:W46:B41,37", &[])), [false, true]);
    }
}
