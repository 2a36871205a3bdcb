//! Implements [`Ruled`] for chess.

use super::{CastlingPiece, End, IllegalMove, Part, Parts, Ruled};
use crate::base::game::{Game as _, MoveForm};
use crate::base::side::Side;
use crate::chess::board::CastlingSquares;
use crate::chess::moves::{MoveError, MoveKind};
use crate::chess::notation::{self, Notation};
use crate::chess::setup::{Setup, SetupError};
use crate::chess::{Bitboard, File, Kind, Move, Piece, Position, Rank, Square};
use crate::laws::edition::Sameness;
use crate::laws::language::Language;
use crate::laws::mating;
use crate::laws::mating::perpetual::{self, Proof};
use crate::laws::rule::Rule;

static FRENCH: Notation = Notation::algebraic(notation::language::FRENCH, false);

fn setup(position: &Position) -> Option<Setup> {
    position.fen().parse().ok()
}

/// Returns the set-up after an illegal move, with the other side to move. As after a legal move, a
/// capture or pawn move resets the halfmove clock, and any other move counts.
fn after_illegal(mut setup: Setup, made: &IllegalMove<Square>) -> Setup {
    let mut piece = setup.pieces[made.from.index()].take();
    let second = made.also.map(|(from, to)| (to, setup.pieces[from.index()].take()));
    let moved = [piece, second.and_then(|(_, piece)| piece)];
    let moves = |kind| moved.iter().flatten().any(|piece| piece.kind == kind);
    let landings = [made.to].into_iter().chain(second.map(|(to, _)| to));
    let captures = landings.chain(made.takes).any(|square| setup.pieces[square.index()].is_some());
    setup.halfmove_clock =
        if captures || moves(Kind::Pawn) { 0 } else { setup.halfmove_clock.saturating_add(1) };
    if moves(Kind::King) {
        drop_castling(&mut setup, made.from.rank());
    }
    if let (Some(piece), Some(kind)) = (&mut piece, made.becomes.and_then(Kind::from_letter)) {
        *piece = Piece::new(made.of.unwrap_or(piece.side), kind);
    }
    if let Some(taken) = made.takes {
        setup.pieces[taken.index()] = None;
    }
    setup.pieces[made.to.index()] = piece;
    if let Some((to, piece)) = second {
        setup.pieces[to.index()] = piece;
    }
    let also = made.also.map(|(from, to)| [from, to]).into_iter().flatten();
    let changed = [made.from, made.to].into_iter().chain(made.takes).chain(also);
    setup.castling -= changed.collect::<Bitboard>();
    after_turn(setup)
}

/// Passes the turn to the other side.
fn after_turn(mut setup: Setup) -> Setup {
    setup.side = !setup.side;
    setup.fullmove += u32::from(setup.side.is_white());
    without_lost_rights(setup)
}

/// Removes the castling rights of the rooks on a rank.
fn drop_castling(setup: &mut Setup, rank: Rank) {
    setup.castling -=
        File::ALL.map(|file| Square::new(file, rank)).into_iter().collect::<Bitboard>();
}

/// Replaces the pawns on the first and last ranks, where a position must not have pawns, with
/// knights. The set-up can then be tested for a check on the mover's king.
fn without_end_pawns(mut setup: Setup) -> Setup {
    for file in File::ALL {
        for rank in [Rank::R1, Rank::R8] {
            let piece = &mut setup.pieces[Square::new(file, rank).index()];
            if let Some(piece) = piece.as_mut().filter(|piece| piece.kind == Kind::Pawn) {
                piece.kind = Kind::Knight;
            }
        }
    }
    setup
}

fn settled(setup: Setup) -> Option<Position> {
    Position::try_from(without_lost_rights(setup)).ok()
}

/// Removes the en passant right, and each castling right unless its rook is in place and the king
/// is on the home rank.
fn without_lost_rights(mut setup: Setup) -> Setup {
    setup.en_passant = None;
    for side in Side::ALL {
        let rank = Rank::R1.relative_to(side);
        let home = File::ALL.into_iter().any(|file| {
            setup.pieces[Square::new(file, rank).index()] == Some(Piece::new(side, Kind::King))
        });
        for file in File::ALL {
            let square = Square::new(file, rank);
            let rook = setup.pieces[square.index()] == Some(Piece::new(side, Kind::Rook));
            if setup.castling.has(square) && !(home && rook) {
                setup.castling ^= square;
            }
        }
    }
    setup
}

impl Ruled for Position {
    type Square = Square;

    fn owner(&self, square: Square) -> Option<Side> {
        self.piece_on(square).map(|piece| piece.side)
    }

    fn event_of_illegal_move(error: &MoveError) -> Option<&'static str> {
        matches!(error, MoveError::Illegal { .. }).then_some("illegal SQUARE SQUARE")
    }

    fn mover(m: Move) -> Square {
        m.from()
    }

    fn parts(&self, m: Move) -> Parts<Square> {
        let mut parts = Parts::new();
        match m.kind() {
            MoveKind::Castle => {
                let end = CastlingSquares::of(m.from(), m.to());
                // A king or rook already on its destination square is not touched (Chess960).
                let places = [(m.from(), end.king), (m.to(), end.rook)];
                parts.extend(
                    places.into_iter().filter(|(a, b)| a != b).map(|(a, b)| Part::Place(a, b)),
                );
            }
            kind => {
                parts.push(Part::Place(m.from(), m.to()));
                if kind == MoveKind::EnPassant {
                    parts.push(Part::Remove(Square::new(m.to().file(), m.from().rank())));
                } else if self.captured(m).is_some() {
                    parts.push(Part::Remove(m.to()));
                }
                if let MoveKind::Promotion(kind) = kind {
                    parts.push(Part::Promote(kind.letter()));
                }
            }
        }
        parts
    }

    fn read_move_in(&self, text: &str, language: Language) -> Result<Move, MoveError> {
        // UCI moves are the same in every language.
        match (language, self.read_move(text, MoveForm::Program)) {
            (Language::French, Err(MoveError::NotUci(_))) => {
                FRENCH.read(self, text).map(|annotated| annotated.m)
            }
            _ => self.read_move(text, MoveForm::Player),
        }
    }

    fn write_move_in(&self, m: Move, language: Language) -> String {
        match language {
            Language::English => self.write_move(m, MoveForm::Player),
            Language::French => FRENCH.write(self, m),
        }
    }

    fn move_text(m: Move) -> String {
        match m.is_castle() {
            true if m.to().file() > m.from().file() => "O-O".into(),
            true => "O-O-O".into(),
            false => m.to_string(),
        }
    }

    fn castling_rook(m: Move) -> Option<Square> {
        m.is_castle().then(|| m.to())
    }

    fn castles(&self, square: Square) -> Option<CastlingPiece> {
        match self.kind_on(square) {
            Some(Kind::King) => Some(CastlingPiece::King),
            Some(Kind::Rook) => Some(CastlingPiece::Rook),
            _ => None,
        }
    }

    fn is_playable(&self, m: Move) -> bool {
        // A king can only be captured if an illegal move left it in check.
        self.is_legal(m) && self.kind_on(m.to()) != Some(Kind::King)
    }

    fn end(&self) -> Option<End> {
        if self.has_moves() {
            None
        } else if self.in_check() {
            Some((Rule::Checkmate, Some(!self.side())))
        } else {
            Some((Rule::Stalemate, None))
        }
    }

    fn draw_by_count(&self) -> Option<Rule> {
        None
    }

    fn same(&self, other: &Self, sameness: Sameness) -> bool {
        let (a, b) = (self.board(), other.board());
        // A position stores the en passant square only if the capture is legal.
        let rights = sameness == Sameness::Placement
            || (a.castling, a.en_passant) == (b.castling, b.en_passant);
        rights
            && self.side() == other.side()
            && Side::ALL.into_iter().all(|side| a.side(side) == b.side(side))
            && Kind::ALL.into_iter().all(|kind| a.kind(kind) == b.kind(kind))
    }

    fn quiet_plies(&self) -> u32 {
        u32::from(self.halfmove_clock())
    }

    fn is_in_check(&self) -> bool {
        self.in_check()
    }

    fn is_dead(&self) -> bool {
        self.is_insufficient_material() || mating::is_dead(self)
    }

    fn can_win(&self, side: Side) -> bool {
        mating::can_mate(self, side)
    }

    fn can_win_within(&self, side: Side, plies: u32) -> bool {
        mating::can_mate_within(self, side, plies)
    }

    fn material(&self) -> String {
        let mut text = String::new();
        for side in Side::ALL {
            for kind in Kind::ALL.into_iter().rev() {
                let letter = kind.letter().to_ascii_uppercase();
                (0..self.board().pieces(side, kind).len()).for_each(|_| text.push(letter));
            }
        }
        text
    }

    fn after_illegal(&self, made: &IllegalMove<Square>) -> Option<Self> {
        Position::with_illegal_move(&after_illegal(setup(self)?, made))
    }

    fn is_regular(&self) -> bool {
        let (side, board) = (self.side(), self.board());
        let ends = Bitboard::rank(Rank::R1) | Bitboard::rank(Rank::R8);
        let checks = board.attackers(board.king(!side), board.occupied()) & board.side(side);
        !(board.kind(Kind::Pawn) & ends).any() && !checks.any()
    }

    fn is_bare(&self, side: Side) -> bool {
        self.board().side(side).len() == 1
    }

    fn illegal_fen(&self, moves: &[IllegalMove<Square>]) -> String {
        let Some(setup) = setup(self) else { return self.fen() };
        moves.iter().fold(setup, after_illegal).to_string()
    }

    fn without(&self, squares: &[Square], to_move: Side) -> Option<Self> {
        let mut setup = setup(self)?;
        for square in squares {
            setup.pieces[square.index()].take()?;
        }
        setup.side = to_move;
        settled(setup)
    }

    fn turned(&self) -> Option<Self> {
        let legal = self.without(&[], !self.side());
        // If the side to move is in check, no legal position has the other side to move.
        legal.or_else(|| Self::with_illegal_move(&after_turn(setup(self)?)))
    }

    fn castled_without(&self, rook: Square) -> Option<Self> {
        let side = self.side();
        let rank = Rank::R1.relative_to(side);
        let king = self.board().king(side);
        let end = CastlingSquares::of(king, rook).king;
        let on_way = |square: Square| {
            let (low, high) = (king.min(rook), king.max(rook));
            square != king && (low..=high).contains(&square)
        };
        let free = Square::ALL.into_iter().filter(|&s| on_way(s)).all(|s| self.owner(s).is_none());
        let at_home = king == Square::new(File::E, rank)
            && rook.rank() == rank
            && matches!(rook.file(), File::A | File::H);
        if !free || !at_home || self.in_check() {
            return None;
        }
        // Move the king one square at a time, because it may not cross an attacked square.
        let mut setup = setup(self)?;
        drop_castling(&mut setup, rank);
        setup.side = !side;
        setup.halfmove_clock += 1;
        setup.fullmove += u32::from(!side.is_white());
        let passed = Square::wrap((king as u8).midpoint(end as u8));
        let mut stands = king;
        let mut reached = None;
        for step in [passed, end] {
            setup.pieces[step.index()] = setup.pieces[stands.index()].take();
            stands = step;
            reached = Some(settled(setup.clone())?);
        }
        reached
    }

    fn castling_towards(&self, rook: Square) -> Option<Move> {
        self.castled_without(rook)?;
        Some(Move::castle(self.board().king(self.side()), rook))
    }

    fn names_castling(m: Move, text: &str) -> bool {
        let spelt = Self::move_text(m);
        let king = format!("{}{}", m.from(), CastlingSquares::of(m.from(), m.to()).king);
        [spelt.replace('O', "0"), spelt, king, m.to_string()].iter().any(|name| name == text)
    }

    fn parries(&self, made: &IllegalMove<Square>) -> bool {
        let Some(setup) = setup(self) else { return false };
        let after = without_end_pawns(after_illegal(setup, made));
        let checked = |error: &SetupError| {
            matches!(error, SetupError::OpponentInCheck { .. } | SetupError::Kings { .. })
        };
        !Position::try_from(after).is_err_and(|error| checked(&error))
    }

    fn is_castling_attempt(&self, from: Square, to: Square) -> bool {
        self.piece_on(from) == Some(Piece::new(self.side(), Kind::King))
            && [from, to].iter().all(|square| square.rank() == Rank::R1.relative_to(self.side()))
            && matches!(to.file(), File::C | File::G)
            && (from.file() as u8).abs_diff(to.file() as u8) == 2
    }

    fn impossible_after(&self, moves: &[IllegalMove<Square>]) -> bool {
        let Some(setup) = setup(self) else { return false };
        let mut setup = moves.iter().fold(setup, after_illegal);
        setup.castling = Bitboard::EMPTY;
        let promotes = |side: Side| {
            let last = Rank::R8.relative_to(side);
            let mut ends = File::ALL.into_iter().map(|file| Square::new(file, last));
            ends.any(|end| setup.pieces[end.index()] == Some(Piece::new(side, Kind::Pawn)))
        };
        let checked = |side: Side| {
            let turned = Setup { side: !side, ..setup.clone() };
            matches!(Position::try_from(turned), Err(SetupError::OpponentInCheck { .. }))
        };
        Side::ALL.into_iter().any(promotes) || Side::ALL.into_iter().all(checked)
    }

    fn king_for_queen(&self, side: Side) -> bool {
        self.board().king(side) == Square::D1.relative_to(side)
    }

    fn mirrored(&self) -> Option<Self> {
        let mut setup = setup(self)?;
        let (pieces, castling) = (setup.pieces, setup.castling);
        setup.castling = Bitboard::EMPTY;
        for square in Square::ALL {
            let other = Square::wrap(square as u8 ^ 7);
            setup.pieces[other.index()] = pieces[square.index()];
            if castling.has(square) {
                setup.castling ^= other;
            }
        }
        settled(setup)
    }

    fn without_castling(&self, side: Side) -> Option<Self> {
        let mut setup = setup(self)?;
        drop_castling(&mut setup, Rank::R1.relative_to(side));
        Position::try_from(setup).ok()
    }

    fn without_castling_rook(&self, square: Square) -> Option<Self> {
        let mut setup = setup(self)?;
        if setup.castling.has(square) {
            setup.castling ^= square;
        }
        Position::try_from(setup).ok()
    }

    fn own_half(square: Square, side: Side) -> bool {
        square.relative_to(side).rank() <= Rank::R4
    }

    fn odds_square(piece: char, side: Side) -> Option<Square> {
        let square = match piece {
            'p' => Square::F2,
            'n' => Square::B1,
            'b' => Square::C1,
            'r' => Square::A1,
            'q' => Square::D1,
            _ => return None,
        };
        Some(square.relative_to(side))
    }

    fn perpetual(&self, limit: usize) -> Option<Proof<Move>> {
        Some(perpetual::prove(self, limit))
    }
}
