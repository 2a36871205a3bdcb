//! A legal position, with the queries that the search and the laws need.
//!
//! Invariant: a `Position` is legal. The conversion from [`Setup`] and [`Position::play`] ensure
//! this; only `with_illegal_move` makes an exception. Positions are immutable: `play` returns a new
//! position.

use super::attacks;
use super::bitboard::Bitboard;
use super::board::{Board, CastlingSquares};
use super::movegen::{self, Masks, MoveClass, Sink};
use super::moves::{Move, MoveError, MoveKind, MoveList};
use super::notation::algebraic::Style;
use super::perft;
use super::pgn::IllegalMove;
use super::piece::{Kind, Piece};
use super::setup::{Setup, SetupError};
use super::square::Square;
use super::zobrist;
use crate::base::game::{Game, MoveForm};
use crate::base::side::Side;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::LazyLock;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Keys {
    /// The key of everything that counts for a repetition (FIDE 2009, 9.2): pieces, side to
    /// move, castling rights, and the en passant square if the capture is legal.
    pub all: u64,
    /// The key of the pawns.
    pub pawn: u64,
    /// The key of knights, bishops and kings.
    pub minor: u64,
    /// The key of each side's pieces other than pawns.
    pub non_pawn: [u64; 2],
}

impl Keys {
    #[inline(always)]
    fn toggle(&mut self, piece: Piece, square: Square) {
        let number = zobrist::piece(piece, square);
        self.all ^= number;
        match piece.kind {
            Kind::Pawn => self.pawn ^= number,
            kind => {
                self.non_pawn[piece.side.index()] ^= number;
                if matches!(kind, Kind::Knight | Kind::Bishop | Kind::King) {
                    self.minor ^= number;
                }
            }
        }
    }
}

/// The outcome of a game that ends because of the position alone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// The side to move is checkmated (FIDE 2009, 5.1a).
    Checkmate {
        /// The side that gave mate.
        winner: Side,
    },
    /// The side to move has no legal move and is not in check (FIDE 2009, 5.2a).
    Stalemate,
    /// Neither side has enough material to mate (see [`Position::is_insufficient_material`]).
    InsufficientMaterial,
}

impl Outcome {
    /// Returns the winner, or `None` for a draw.
    pub const fn winner(self) -> Option<Side> {
        match self {
            Self::Checkmate { winner } => Some(winner),
            Self::Stalemate | Self::InsufficientMaterial => None,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Checkmate { winner } => write!(f, "checkmate, {winner} wins"),
            Self::Stalemate => f.write_str("stalemate"),
            Self::InsufficientMaterial => f.write_str("insufficient material"),
        }
    }
}

/// A legal position.
#[derive(Clone)]
pub struct Position {
    board: Board,
    masks: Masks,
    /// [`Piece::index`] of the piece on each square, or [`NO_PIECE`].
    mailbox: [u8; 64],
    keys: Keys,
    side: Side,
    /// The square passed over by a double step on the previous move, if an enemy pawn is next to
    /// the moved pawn. Unlike [`Board::en_passant`], it is set even if no en passant capture is
    /// legal.
    passed: Option<Square>,
    halfmove_clock: u16,
    fullmove: u16,
}

const NO_PIECE: u8 = 12;

impl fmt::Debug for Position {
    /// Formats the position as FEN.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self})")
    }
}

impl PartialEq for Position {
    /// Compares the board, the side to move and the counters. A preceding double step makes no
    /// difference unless it allows a legal en passant capture.
    fn eq(&self, other: &Self) -> bool {
        let counters = |position: &Self| (position.halfmove_clock, position.fullmove);
        (&self.board, self.side, counters(self)) == (&other.board, other.side, counters(other))
    }
}

impl Eq for Position {}

impl Default for Position {
    /// Returns the start position.
    fn default() -> Self {
        Self::start()
    }
}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.key());
    }
}

impl Position {
    /// Returns the standard start position.
    pub fn start() -> Self {
        static START: LazyLock<Position> =
            LazyLock::new(|| match Setup::chess960(518).map(Position::try_from) {
                Some(Ok(position)) => position,
                _ => unreachable!("the start position is legal"),
            });
        START.clone()
    }

    /// Returns the Chess960 start position with this number, from 0 to 959.
    pub fn chess960(number: u16) -> Option<Self> {
        Self::try_from(Setup::chess960(number)?).ok()
    }

    /// Builds a position from a validated board. The en passant square of the board is cleared if
    /// no en passant capture is legal.
    pub(super) fn from_board(
        mut board: Board,
        side: Side,
        halfmove_clock: u16,
        fullmove: u16,
    ) -> Self {
        let masks = Masks::of(&board, side);
        let mut mailbox = [NO_PIECE; 64];
        let mut keys = Keys::default();
        let passed = board.en_passant.first();
        for square in board.occupied() {
            if let Some(piece) = board.piece_on(square) {
                mailbox[square.index()] = piece.index() as u8;
                keys.toggle(piece, square);
            }
        }
        for rook in board.castling {
            keys.all ^= zobrist::castling(rook);
        }
        if !side.is_white() {
            keys.all ^= zobrist::black();
        }
        if let Some(to) = passed {
            if movegen::en_passant_captures(&board, &masks, side, to).any() {
                keys.all ^= zobrist::en_passant(to.file());
            } else {
                board.en_passant = Bitboard::EMPTY;
            }
        }
        Self { board, masks, mailbox, keys, side, passed, halfmove_clock, fullmove }
    }

    /// Returns the board.
    #[inline(always)]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the side to move.
    #[inline(always)]
    pub const fn side(&self) -> Side {
        self.side
    }

    /// Returns the number of plies since the last capture or pawn move.
    #[inline(always)]
    pub const fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// Returns the full-move number, starting at 1.
    #[inline(always)]
    pub const fn fullmove(&self) -> u16 {
        self.fullmove
    }

    /// Returns the square passed over by a double step on the previous move, if an enemy pawn is
    /// next to the moved pawn. Unlike [`Board::en_passant`], it is set even if no en passant
    /// capture is legal.
    #[inline(always)]
    pub(super) const fn passed(&self) -> Option<Square> {
        self.passed
    }

    #[inline(always)]
    #[doc(hidden)]
    pub const fn keys(&self) -> &Keys {
        &self.keys
    }

    /// Returns the Zobrist key of the position, which detects repetitions (FIDE 2009, 9.2). It
    /// covers the pieces, the side to move, the castling rights, and the en passant square if the
    /// capture is legal.
    #[inline(always)]
    pub const fn key(&self) -> u64 {
        self.keys.all
    }

    #[doc(hidden)]
    #[inline(always)]
    pub const fn masks(&self) -> &Masks {
        &self.masks
    }

    /// Returns the enemy pieces that give check.
    #[inline(always)]
    pub const fn checkers(&self) -> Bitboard {
        self.masks.checkers
    }

    /// Returns whether the side to move is in check.
    #[inline(always)]
    pub const fn in_check(&self) -> bool {
        self.masks.checkers.any()
    }

    /// Returns the piece on a square.
    #[inline(always)]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        let index = self.mailbox[square.index()] as usize;
        let kind = Kind::from_index(if index >= 6 { index - 6 } else { index })?;
        Some(Piece { side: Side::from_white(index < 6), kind })
    }

    /// Returns the kind of the piece on a square.
    #[inline(always)]
    pub fn kind_on(&self, square: Square) -> Option<Kind> {
        self.piece_on(square).map(|piece| piece.kind)
    }

    /// Returns the kind of piece that a legal move captures. Castling captures nothing.
    #[inline(always)]
    pub fn captured(&self, m: Move) -> Option<Kind> {
        match m.kind() {
            MoveKind::Castle => None,
            MoveKind::EnPassant => Some(Kind::Pawn),
            _ => self.kind_on(m.to()),
        }
    }

    /// Returns whether a legal move captures or promotes.
    #[inline(always)]
    pub fn is_noisy(&self, m: Move) -> bool {
        self.captured(m).is_some() || m.promoted().is_some()
    }

    /// Sends the legal moves of a [`MoveClass`] that start on `movers` to a sink.
    #[inline(always)]
    pub(crate) fn generate<const CLASS: u8, S: Sink>(&self, movers: Bitboard, sink: &mut S) {
        if self.side.is_white() {
            movegen::generate::<true, CLASS, S>(&self.board, &self.masks, movers, sink);
        } else {
            movegen::generate::<false, CLASS, S>(&self.board, &self.masks, movers, sink);
        }
    }

    /// Returns all legal moves.
    ///
    /// ```
    /// use adoube::chess::Position;
    ///
    /// let position = Position::start();
    /// for m in position.legal_moves() {
    ///     println!("{}", position.san(m));
    /// }
    /// assert_eq!(position.legal_moves().len(), 20);
    /// ```
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate::<{ MoveClass::All as u8 }, _>(Bitboard::ALL, &mut list);
        list
    }

    /// Returns the legal moves that capture or promote.
    pub fn noisy_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate::<{ MoveClass::Noisy as u8 }, _>(Bitboard::ALL, &mut list);
        list
    }

    /// Returns the legal moves that neither capture nor promote.
    pub fn quiet_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate::<{ MoveClass::Quiet as u8 }, _>(Bitboard::ALL, &mut list);
        list
    }

    /// Returns the number of legal moves.
    pub fn count_moves(&self) -> u64 {
        let mut count = movegen::Count::default();
        self.generate::<{ MoveClass::All as u8 }, _>(Bitboard::ALL, &mut count);
        count.0
    }

    /// Returns whether the side to move has a legal move.
    pub fn has_moves(&self) -> bool {
        self.count_moves() > 0
    }

    /// Returns whether an arbitrary move is legal, for example one from a hash table or from a
    /// user.
    #[inline]
    pub fn is_legal(&self, m: Move) -> bool {
        let from = Bitboard::of(m.from());
        if (from & self.board.side(self.side)).is_empty() || !m.is_well_formed() {
            return false;
        }
        let mut find = Find { m, found: false };
        self.generate::<{ MoveClass::All as u8 }, _>(from, &mut find);
        find.found
    }

    /// Returns whether the side to move is checkmated: in check without a legal move (FIDE 2009,
    /// 5.1a).
    pub fn is_checkmate(&self) -> bool {
        self.in_check() && !self.has_moves()
    }

    /// Returns whether the side to move is stalemated: not in check and without a legal move (FIDE
    /// 2009, 5.2a).
    pub fn is_stalemate(&self) -> bool {
        !self.in_check() && !self.has_moves()
    }

    /// Returns the outcome if the game has ended in this position, otherwise `None`.
    ///
    /// Draws that depend on earlier positions or on the number of moves are not considered.
    ///
    /// ```
    /// use adoube::chess::{Outcome, Position, Side};
    ///
    /// let position: Position = "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1".parse()?;
    /// assert_eq!(position.outcome(), Some(Outcome::Checkmate { winner: Side::White }));
    /// assert_eq!(Position::start().outcome(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn outcome(&self) -> Option<Outcome> {
        if self.has_moves() {
            return self.is_insufficient_material().then_some(Outcome::InsufficientMaterial);
        }
        let mate = Outcome::Checkmate { winner: !self.side };
        Some(if self.in_check() { mate } else { Outcome::Stalemate })
    }

    /// Returns whether mate is impossible by any sequence of moves because of the material: bare
    /// kings, one knight, or bishops that are all on squares of one colour (the simple cases of
    /// FIDE 2009, 5.2b).
    #[inline]
    pub fn is_insufficient_material(&self) -> bool {
        let [pawns, knights, bishops, rooks, queens, _] =
            Kind::ALL.map(|kind| self.board.kind(kind));
        if (pawns | rooks | queens).any() {
            return false;
        }
        if knights.any() {
            knights.len() == 1 && bishops.is_empty()
        } else {
            (bishops & Bitboard::DARK).is_empty() || (bishops & Bitboard::LIGHT).is_empty()
        }
    }

    /// Computes the checking squares and the pieces that can discover a check.
    #[inline]
    pub(crate) fn checks(&self) -> Checks {
        let (side, board) = (self.side, &self.board);
        let king = board.king(!side);
        let (own, occupied) = (board.side(side), board.occupied());
        let (diagonal, straight) = (attacks::bishop(king, occupied), attacks::rook(king, occupied));
        // Each of our pieces that is the only piece between one of our sliders and the enemy king.
        let mut shields = Bitboard::EMPTY;
        let behind = occupied - own;
        let sliders = attacks::bishop(king, behind) & board.diagonal_sliders(side)
            | attacks::rook(king, behind) & board.straight_sliders(side);
        for slider in sliders {
            let between = attacks::between(king, slider) & occupied;
            if !between.many() {
                shields |= between;
            }
        }
        let none = Bitboard::EMPTY;
        let queen = diagonal | straight;
        let from =
            [attacks::pawn(!side, king), attacks::knight(king), diagonal, straight, queen, none];
        Checks { king, from, shields }
    }

    /// Returns whether a legal move gives check, without playing it.
    pub fn gives_check(&self, m: Move) -> bool {
        self.checks().has(self, m)
    }

    /// Returns whether the enemy king is in check after a move that puts the piece `placed` on the
    /// square `on` and leaves the squares `after` occupied.
    fn attacks_king_after(&self, after: Bitboard, placed: Piece, on: Square) -> bool {
        let (side, board) = (self.side, &self.board);
        let king = board.king(!side);
        let own = board.side(side) & (after - on);
        let put = |kind| if placed.kind == kind { Bitboard::of(on) } else { Bitboard::EMPTY };
        let set = |kind| board.kind(kind) & own | put(kind);
        let queens = set(Kind::Queen);
        (attacks::pawn(!side, king) & put(Kind::Pawn)
            | attacks::knight(king) & put(Kind::Knight)
            | attacks::bishop(king, after) & (set(Kind::Bishop) | queens)
            | attacks::rook(king, after) & (set(Kind::Rook) | queens))
            .any()
    }

    /// Returns the position after a move.
    ///
    /// ```
    /// use adoube::chess::Position;
    ///
    /// let position = Position::start();
    /// let m = position.parse_san("e4")?;
    /// assert_eq!(position.play(m).side(), !position.side());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// Panics if the move is not legal in this position. See [`Self::try_play`] for a version that
    /// returns an error.
    #[must_use]
    #[track_caller]
    pub fn play(&self, m: Move) -> Self {
        assert!(self.is_legal(m), "{m} is not legal in {self}");
        self.play_unchecked(m)
    }

    /// Returns the position after a move.
    ///
    /// ```
    /// use adoube::chess::{Move, Position, Square};
    ///
    /// let position = Position::start();
    /// let error = position.try_play(Move::normal(Square::E3, Square::E4)).unwrap_err();
    /// assert_eq!(error.reason.as_deref(), Some("e3 is empty"));
    /// assert!(error.to_string().ends_with(" w KQkq - 0 1: e3 is empty"));
    /// ```
    ///
    /// # Errors
    /// Returns an error with the reason if the move is not legal in this position.
    pub fn try_play(&self, m: Move) -> Result<Self, IllegalMove> {
        if !self.is_legal(m) {
            return Err(IllegalMove::new(self, m));
        }
        Ok(self.play_unchecked(m))
    }

    /// Returns the position after a move without checking that the move is legal. After an illegal
    /// move, the result may not be a legal position.
    #[must_use]
    #[inline]
    pub(crate) fn play_unchecked(&self, m: Move) -> Self {
        let mut next = self.clone();
        self.play_in_unchecked(m, &mut next);
        next
    }

    /// Like [`Self::play_unchecked`], but changes `next`, which must be a copy of `self`.
    #[inline(always)]
    fn play_in_unchecked(&self, m: Move, next: &mut Self) {
        let (side, from, to) = (self.side, m.from(), m.to());
        next.halfmove_clock = self.halfmove_clock.saturating_add(1);
        next.fullmove = self.fullmove.saturating_add(u16::from(!side.is_white()));
        if let Some(square) = self.board.en_passant.first() {
            next.keys.all ^= zobrist::en_passant(square.file());
            next.board.en_passant = Bitboard::EMPTY;
        }
        let Some(piece) = self.piece_on(from) else { return };
        let mut passed = Bitboard::EMPTY;
        match m.kind() {
            MoveKind::Castle => {
                let rook = Piece::new(side, Kind::Rook);
                let end = CastlingSquares::of(from, to);
                next.remove(piece, from);
                next.remove(rook, to);
                next.put(piece, end.king);
                next.put(rook, end.rook);
            }
            kind => {
                let taken_on = match kind {
                    MoveKind::EnPassant => Bitboard::of(to).forward(!side).lowest(),
                    _ => to,
                };
                if let Some(taken) = self.piece_on(taken_on) {
                    next.remove(taken, taken_on);
                    next.halfmove_clock = 0;
                }
                next.remove(piece, from);
                let arrives = m.promoted().unwrap_or(piece.kind);
                next.put(Piece::new(side, arrives), to);
                if piece.kind == Kind::Pawn {
                    next.halfmove_clock = 0;
                    if from.index().abs_diff(to.index()) == 16 {
                        let arrived = Bitboard::of(to);
                        let pawns = next.board.pieces(!side, Kind::Pawn);
                        let ready = arrived.sideways() & pawns;
                        if ready.any() {
                            passed = arrived.forward(!side);
                        }
                    }
                }
            }
        }
        if self.board.castling.any() {
            next.board.lose_castling(from, to);
            if piece.kind == Kind::King {
                next.board.lose_all_castling(side);
            }
            for rook in self.board.castling ^ next.board.castling {
                next.keys.all ^= zobrist::castling(rook);
            }
        }
        next.pass_turn();
        next.passed = passed.first();
        if let Some(square) = next.passed
            && movegen::en_passant_captures(&next.board, &next.masks, next.side, square).any()
        {
            next.board.en_passant = passed;
            next.keys.all ^= zobrist::en_passant(square.file());
        }
    }

    /// Returns the position with the other side to move, as after a null move in the search. The
    /// half-move clock is reset, because a repetition cannot span the null move.
    ///
    /// # Panics
    /// Panics if the side to move is in check, because the result would not be a legal position.
    #[must_use]
    #[inline]
    pub fn pass(&self) -> Self {
        assert!(!self.in_check(), "a player in check cannot pass");
        let mut next = self.clone();
        if let Some(square) = self.board.en_passant.first() {
            next.keys.all ^= zobrist::en_passant(square.file());
            next.board.en_passant = Bitboard::EMPTY;
        }
        next.halfmove_clock = 0;
        next.passed = None;
        next.pass_turn();
        next
    }

    /// Returns the approximate key after a move, for prefetching the transposition-table entry. The
    /// key is exact unless the move castles, promotes, captures en passant or changes castling or
    /// en passant rights.
    #[doc(hidden)]
    #[inline(always)]
    pub fn key_after(&self, m: Move) -> u64 {
        let (from, to) = (m.from(), m.to());
        let mut key = self.keys.all ^ zobrist::black();
        if let Some(piece) = self.piece_on(from) {
            key ^= zobrist::piece(piece, from) ^ zobrist::piece(piece, to);
        }
        if let Some(taken) = self.piece_on(to) {
            key ^= zobrist::piece(taken, to);
        }
        key
    }

    #[inline(always)]
    fn pass_turn(&mut self) {
        self.side = !self.side;
        self.keys.all ^= zobrist::black();
        self.masks = Masks::of(&self.board, self.side);
    }

    #[inline(always)]
    fn put(&mut self, piece: Piece, square: Square) {
        self.board.toggle(piece, square);
        self.mailbox[square.index()] = piece.index() as u8;
        self.keys.toggle(piece, square);
    }

    #[inline(always)]
    fn remove(&mut self, piece: Piece, square: Square) {
        self.board.toggle(piece, square);
        self.mailbox[square.index()] = NO_PIECE;
        self.keys.toggle(piece, square);
    }

    /// Returns the number of leaf nodes at `depth`, which is 1 for depth 0. The moves of the last
    /// ply are counted but not made.
    pub fn perft(&self, depth: u32) -> u64 {
        match (depth, self.side) {
            (0, _) => 1,
            (_, Side::White) => perft::bulk::<true>(&self.board, depth),
            (_, Side::Black) => perft::bulk::<false>(&self.board, depth),
        }
    }
}

/// The squares from which each kind of piece gives check, and the pieces that can discover a check.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Checks {
    king: Square,
    from: [Bitboard; Kind::NUM],
    shields: Bitboard,
}

impl Checks {
    /// Returns whether a legal move of `position` gives check. `self` must have been computed for
    /// the same position.
    #[inline(always)]
    pub(crate) fn has(&self, position: &Position, m: Move) -> bool {
        let (from, to) = (m.from(), m.to());
        if m.kind() != MoveKind::Normal {
            return self.has_special(position, m);
        }
        let kind = position.kind_on(from).unwrap_or(Kind::Pawn);
        self.from[kind.index()].has(to)
            || self.shields.has(from) && !attacks::line(self.king, from).has(to)
    }

    /// Handles castling, promotion and en passant by computing the attacks on the king after the
    /// move.
    #[inline(never)]
    fn has_special(&self, position: &Position, m: Move) -> bool {
        let (side, from, to) = (position.side(), m.from(), m.to());
        let left = position.board().occupied() ^ from;
        match m.kind() {
            MoveKind::Castle => {
                let end = CastlingSquares::of(from, to);
                let after = (left ^ to) | end.king | end.rook;
                position.attacks_king_after(after, Piece::new(side, Kind::Rook), end.rook)
            }
            MoveKind::EnPassant => {
                let taken = Bitboard::of(to).forward(!side);
                let pawn = Piece::new(side, Kind::Pawn);
                position.attacks_king_after((left ^ taken) | to, pawn, to)
            }
            MoveKind::Promotion(kind) => {
                position.attacks_king_after(left | to, Piece::new(side, kind), to)
            }
            MoveKind::Normal => self.has(position, m),
        }
    }
}

struct Find {
    m: Move,
    found: bool,
}

impl Find {
    #[inline(always)]
    fn see(&mut self, kind: MoveKind, from: Square, to: Bitboard) {
        self.found |= self.m.kind() == kind && self.m.from() == from && to.has(self.m.to());
    }

    #[inline(always)]
    fn arrives(&mut self, to: Bitboard, delta: i8, promotes: bool) {
        let m = self.m;
        let kind = match m.kind() {
            MoveKind::Promotion(_) => promotes,
            MoveKind::Normal => !promotes,
            _ => false,
        };
        self.found |= kind && to.has(m.to()) && movegen::before(m.to(), delta) == m.from();
    }
}

impl Sink for Find {
    #[inline(always)]
    fn piece<const WHITE: bool>(&mut self, _: Kind, from: Square, to: Bitboard) {
        self.see(MoveKind::Normal, from, to);
    }
    #[inline(always)]
    fn pawns<const WHITE: bool>(&mut self, to: Bitboard, delta: i8) {
        self.arrives(to, delta, false);
    }
    #[inline(always)]
    fn double_steps<const WHITE: bool>(&mut self, to: Bitboard) {
        self.arrives(to, if WHITE { 16 } else { -16 }, false);
    }
    #[inline(always)]
    fn promotions<const WHITE: bool>(&mut self, to: Bitboard, delta: i8) {
        self.arrives(to, delta, true);
    }
    #[inline(always)]
    fn en_passant<const WHITE: bool>(&mut self, from: Square, to: Square) {
        self.see(MoveKind::EnPassant, from, Bitboard::of(to));
    }
    #[inline(always)]
    fn castle<const WHITE: bool>(&mut self, king: Square, rook: Square) {
        self.see(MoveKind::Castle, king, Bitboard::of(rook));
    }
}

impl Game for Position {
    type Move = Move;
    type MoveError = MoveError;

    const QUICK_PLIES: u32 = 4;

    crate::base::game::own_methods!();

    fn after(&self, m: Move) -> Self {
        if m != Move::NULL {
            return self.play_unchecked(m);
        }
        Self {
            halfmove_clock: self.halfmove_clock.saturating_add(1),
            fullmove: self.fullmove.saturating_add(u16::from(!self.side.is_white())),
            ..self.pass()
        }
    }

    fn play_in(&self, m: Move, next: &mut Self) {
        match m {
            Move::NULL => *next = self.after(m),
            _ => self.play_in_unchecked(m, next),
        }
    }

    fn perft(&self, depth: u32) -> u64 {
        Self::perft(self, depth)
    }

    fn read_move(&self, text: &str, form: MoveForm) -> Result<Move, MoveError> {
        match form {
            MoveForm::Program => self.parse_uci(text),
            MoveForm::Record => self.parse_san_lenient(text),
            // Text in UCI form is always a UCI move: `b2c3` is not a bishop move.
            MoveForm::Player => match self.parse_uci(text) {
                Err(MoveError::NotUci(_)) => self.parse_san_lenient(text),
                read => read,
            },
        }
    }

    fn push_move(&self, m: Move, form: MoveForm, text: &mut String) {
        match form {
            MoveForm::Program => text.push_str(&m.to_string()),
            MoveForm::Record | MoveForm::Player => Style::SAN.push(self, m, text),
        }
    }

    fn is_malformed(error: &MoveError) -> bool {
        matches!(error, MoveError::NotUci(_) | MoveError::Malformed { .. })
    }
}

impl Position {
    /// Builds the position after an illegal move. The set-up is not validated, but each side must
    /// have exactly one king; otherwise, `None` is returned. If the illegal move left a king in
    /// check, the legal moves include the capture of this king.
    pub(crate) fn with_illegal_move(setup: &Setup) -> Option<Self> {
        let board = setup.board();
        let whole = Side::ALL.into_iter().all(|side| board.pieces(side, Kind::King).len() == 1);
        let counters = (setup.halfmove_clock as u16, setup.fullmove as u16);
        whole.then(|| Self::from_board(board, setup.side, counters.0, counters.1))
    }
}

impl TryFrom<Setup> for Position {
    type Error = SetupError;

    fn try_from(setup: Setup) -> Result<Self, SetupError> {
        let mut board = setup.validate()?;
        if let Some(square) = setup.en_passant {
            let ready = attacks::pawn(!setup.side, square) & board.pieces(setup.side, Kind::Pawn);
            if ready.any() {
                board.en_passant = Bitboard::of(square);
            }
        }
        Ok(Self::from_board(board, setup.side, setup.halfmove_clock as u16, setup.fullmove as u16))
    }
}
