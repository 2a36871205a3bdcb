//! A legal position, with the queries that the search and the laws need.
//!
//! Invariant: no man is on the row where it would become a king, a side has at most twenty pieces,
//! there is at least one piece, and in breakthrough the side to move has no king. Positions are
//! immutable: `play` returns a new position.

use super::bitboard::Bitboard;
use super::board::{Board, Kind};
use super::few_pieces::FewPieces;
use super::frisian::KingRun;
use super::movegen::{self, Raw};
use super::moves::{Move, MoveList};
use super::pdn::IllegalMove;
use super::perft;
use super::square::Square;
use super::variant::Variant;
use super::zobrist;
use crate::base::side::Side;
use std::fmt;
use std::hash::{Hash, Hasher};

/// The outcome of a game that ends because of the position alone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// The side to move has no legal move (FMJD 7.2.2 and 7.2.3).
    NoMoves {
        /// The opponent of the side to move or, in losing draughts, the side to move.
        winner: Side,
    },
    /// The game is drawn by move count (FMJD 6.2 to 6.4; see [`Position::is_drawn_by_count`]).
    DrawByCount,
}

impl Outcome {
    /// Returns the winner, or `None` for a draw.
    pub const fn winner(self) -> Option<Side> {
        match self {
            Self::NoMoves { winner } => Some(winner),
            Self::DrawByCount => None,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoMoves { winner } => write!(f, "no moves, {winner} wins"),
            Self::DrawByCount => f.write_str("draw by move count"),
        }
    }
}

/// A legal position.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Position {
    board: Board,
    key: u64,
    side: Side,
    king_plies: u16,
    ending_plies: u16,
    variant: Variant,
    /// The king runs in Frisian draughts; always zero in the other variants.
    runs: [KingRun; 2],
}

impl Default for Position {
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
    /// Returns the start position, with White to move (FMJD 3.3).
    pub fn start() -> Self {
        Self::from_board(Board::START, Side::White)
    }

    /// Returns the start position of a variant. The pieces are placed as in the normal game.
    pub fn start_of(variant: Variant) -> Self {
        Self::start().of_variant(variant)
    }

    /// Returns the handicap start position in which White, the stronger player, plays without these
    /// men (FMJD 11.1.7). Returns `None` if a square has no white man or if no man remains.
    pub fn start_without(men: Bitboard) -> Option<Self> {
        let [white, black] = Board::START.sides;
        let left = white - men;
        let board = Board { sides: [left, black], ..Board::START };
        let can = (men - white).is_empty() && left.any();
        can.then(|| Self::from_board(board, Side::White))
    }

    pub(super) fn from_board(board: Board, side: Side) -> Self {
        let mut key = if side.is_white() { 0 } else { zobrist::black() };
        for square in board.occupied() {
            if let Some((side, kind)) = board.piece_on(square) {
                key ^= zobrist::piece(side, kind, square);
            }
        }
        let variant = Variant::Normal;
        let runs = [KingRun::default(); 2];
        Self { board, key, side, king_plies: 0, ending_plies: 0, variant, runs }
    }

    pub(super) fn of_variant(self, variant: Variant) -> Self {
        let key = self.key ^ zobrist::variant(self.variant) ^ zobrist::variant(variant);
        Self { variant, key, ..self }
    }

    /// Returns the position with this number of plies since the last man move or capture. The
    /// number must be below 10,000.
    pub(super) const fn with_king_plies(self, king_plies: u16) -> Self {
        Self { king_plies, ..self }
    }

    /// Returns the board.
    #[inline(always)]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the variant.
    #[inline(always)]
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// Returns the hash key of the pieces, the side to move and the variant, which detects
    /// repetitions (FMJD 6.1). In Frisian draughts, the key also includes the king runs.
    #[inline(always)]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// Returns the side to move.
    #[inline(always)]
    pub const fn side(&self) -> Side {
        self.side
    }

    /// Returns the number of plies since the last man move or capture (FMJD 6.2).
    #[inline(always)]
    pub const fn king_plies(&self) -> u16 {
        self.king_plies
    }

    /// Returns the number of plies since the current [`FewPieces`] ending was reached, or 0 in any
    /// other position.
    #[inline(always)]
    pub const fn ending_plies(&self) -> u16 {
        self.ending_plies
    }

    /// Returns whether the game is drawn by move count (FMJD 6.2 to 6.4; other variants have
    /// different limits). Repetition depends on earlier positions and is not considered.
    ///
    /// A man move or a promotion does not restart the counts of FMJD 6.3 and 6.4 if the ending
    /// remains the same [`FewPieces`] ending. The transition from three pieces to two restarts the
    /// counts.
    #[inline(always)]
    pub fn is_drawn_by_count(&self) -> bool {
        if self.variant != Variant::Normal {
            return self.is_drawn_in_variant();
        }
        self.king_plies >= Variant::Normal.king_plies()
            || self.ending_plies >= 2 * 5
                && FewPieces::of(&self.board)
                    .is_some_and(|ending| self.ending_plies >= ending.plies())
    }

    #[inline(never)]
    fn is_drawn_in_variant(&self) -> bool {
        self.king_plies >= self.variant.king_plies()
            || self.few_pieces().is_some_and(|ending| self.ending_plies >= ending.plies())
    }

    /// Returns the ending on the board, or `None` if its number of moves is not limited.
    pub const fn few_pieces(&self) -> Option<FewPieces> {
        self.variant.few_pieces(&self.board)
    }

    /// Returns all legal moves.
    ///
    /// ```
    /// use adoube::draughts::{Position, notation};
    ///
    /// let position = Position::start();
    /// for m in position.legal_moves() {
    ///     println!("{}", notation::pdn(&position, m));
    /// }
    /// assert_eq!(position.legal_moves().len(), 9);
    /// ```
    ///
    /// If the list is empty, the game is over (FMJD 7.2.2 and 7.2.3; see
    /// [`Self::winner_without_moves`]).
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.list_moves(&mut list);
        list
    }

    /// Appends all legal moves to a list.
    #[inline(always)]
    pub fn list_moves(&self, list: &mut MoveList) {
        match self.variant {
            Variant::Normal => movegen::generate(&self.board, self.side, list),
            variant => variant.generate(&self.board, self.side, self.tired_king(), list),
        }
    }

    /// Returns whether the side to move has a legal move.
    pub fn has_moves(&self) -> bool {
        match self.variant {
            Variant::Normal => movegen::has_moves(&self.board, self.side),
            variant => variant.has_moves(&self.board, self.side, self.tired_king()),
        }
    }

    /// Returns the outcome if the game has ended in this position, otherwise `None`.
    ///
    /// A draw by repetition depends on earlier positions and is not considered.
    ///
    /// ```
    /// use adoube::draughts::{Outcome, Position, Side};
    ///
    /// let position: Position = "B:WK1:B".parse()?;
    /// assert_eq!(position.outcome(), Some(Outcome::NoMoves { winner: Side::White }));
    /// assert_eq!(Position::start().outcome(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn outcome(&self) -> Option<Outcome> {
        if !self.has_moves() {
            return Some(Outcome::NoMoves { winner: self.winner_without_moves() });
        }
        self.is_drawn_by_count().then_some(Outcome::DrawByCount)
    }

    /// Returns the winner if the side to move has no legal move: the opponent or, in losing
    /// draughts, the side to move.
    #[inline(always)]
    pub fn winner_without_moves(&self) -> Side {
        if self.variant.is_won_without_moves() { self.side } else { !self.side }
    }

    /// Returns whether the side to move can capture. If so, it must capture (FMJD 4.1).
    #[inline(always)]
    pub fn can_capture(&self) -> bool {
        match self.variant {
            Variant::Normal => movegen::can_capture(&self.board, self.side),
            variant => variant.can_capture(&self.board, self.side),
        }
    }

    /// Returns whether an arbitrary move is legal.
    pub fn is_legal(&self, m: Move) -> bool {
        self.board.pieces(self.side).has(m.from()) && self.legal_moves().contains(&m)
    }

    /// Returns the position after a move.
    ///
    /// ```
    /// use adoube::draughts::{Position, notation};
    ///
    /// let position = Position::start();
    /// let m = notation::parse(&position, "32-28")?;
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

    /// Returns the number of leaf nodes at `depth`, which is 1 for depth 0. The moves of the last
    /// ply are counted but not made.
    ///
    /// ```
    /// assert_eq!(adoube::draughts::Position::start().perft(4), 4265);
    /// ```
    pub fn perft(&self, depth: u32) -> u64 {
        match self.variant() {
            Variant::Normal => perft::bulk(self.board(), self.side(), depth),
            _ => perft::by_moves(self, depth),
        }
    }

    /// Returns the position after a move.
    ///
    /// ```
    /// use adoube::draughts::Position;
    ///
    /// let position: Position = "W:W32:B19".parse()?;
    /// let m = position.legal_moves()[0];
    /// assert!(Position::start().try_play(m).is_ok());
    /// assert!(position.play(m).try_play(m).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the move is not legal in this position.
    pub fn try_play(&self, m: Move) -> Result<Self, IllegalMove> {
        if !self.is_legal(m) {
            return Err(IllegalMove::new(self, m));
        }
        Ok(self.play_unchecked(m))
    }

    /// Returns the position after a move without checking that the move is legal. After an illegal
    /// move, the result may not be a legal position.
    #[must_use]
    #[inline(always)]
    pub(crate) fn play_unchecked(&self, m: Move) -> Self {
        match self.variant {
            Variant::Normal => self.moved(m, FewPieces::of),
            _ => self.play_in_variant(m),
        }
    }

    #[inline(never)]
    fn play_in_variant(&self, m: Move) -> Self {
        let mut next = self.moved(m, |board| self.variant.few_pieces(board));
        if self.variant == Variant::Frisian {
            let (from, to) = (Bitboard::of(m.from()), Bitboard::of(m.to()));
            let raw = Raw { from, to, taken: m.taken() };
            next.runs = KingRun::after(self.runs, self.side, raw, &self.board, &next.board);
            for side in Side::ALL {
                let (before, after) = (self.runs[side.index()], next.runs[side.index()]);
                next.key ^= zobrist::run(side, before) ^ zobrist::run(side, after);
            }
        }
        next
    }

    /// Returns this position with the move counts that follow those of `before`. `quiet` is true if
    /// a king has moved without a capture.
    pub(crate) fn counted_after(self, before: &Self, quiet: bool) -> Self {
        let ending = self.few_pieces();
        let goes_on = ending.is_some() && ending == before.few_pieces();
        let next = |plies: u16, goes_on| if goes_on { plies.saturating_add(1) } else { 0 };
        let king_plies = next(before.king_plies, quiet);
        Self { king_plies, ending_plies: next(before.ending_plies, goes_on), ..self }
    }

    /// Returns the position after a legal move, with unchanged king runs. `few_pieces` detects
    /// endings with a limited number of moves.
    #[inline(always)]
    fn moved(&self, m: Move, few_pieces: impl Fn(&Board) -> Option<FewPieces>) -> Self {
        let (from, to) = (m.from(), m.to());
        let man = !self.board.kings.has(from);
        let board = self.board.after(self.side, Bitboard::of(from), Bitboard::of(to), m.taken());
        let kind = |king: bool| if king { Kind::King } else { Kind::Man };
        let mut key = self.key
            ^ zobrist::black()
            ^ zobrist::piece(self.side, kind(!man), from)
            ^ zobrist::piece(self.side, kind(board.kings.has(to)), to);
        for square in m.taken() {
            key ^= zobrist::piece(!self.side, kind(self.board.kings.has(square)), square);
        }
        let king_plies = if man || m.is_capture() { 0 } else { self.king_plies.saturating_add(1) };
        let ending = few_pieces(&board);
        let goes_on = ending.is_some() && ending == few_pieces(&self.board);
        let ending_plies = if goes_on { self.ending_plies.saturating_add(1) } else { 0 };
        let (side, variant, runs) = (!self.side, self.variant, self.runs);
        Self { board, key, side, king_plies, ending_plies, variant, runs }
    }

    /// Returns the king runs of both sides, which are zero except in Frisian draughts.
    #[inline(always)]
    pub(crate) const fn king_runs(&self) -> [KingRun; 2] {
        self.runs
    }

    /// Returns the king of the side to move, if any, that may not make a non-capturing move because
    /// it has made three in a row (Frisian draughts).
    #[inline(always)]
    pub fn tired_king(&self) -> Bitboard {
        self.runs[self.side.index()].tired()
    }

    /// Returns whether earlier moves no longer matter for move counts or repetition.
    pub fn has_no_history(&self) -> bool {
        self.king_plies == 0 && self.ending_plies == 0 && self.runs == [KingRun::default(); 2]
    }

    /// Returns the piece on a square.
    pub const fn piece_on(&self, square: Square) -> Option<(Side, Kind)> {
        self.board.piece_on(square)
    }
}
