//! Counts the leaves two plies below a position, without making most of the moves of the first ply.
//!
//! The replies to a move are the replies to a null move with a few differences. The moved piece can
//! block sliders and pawns, pawns can capture it, it attacks other squares near the king than
//! before, and a captured piece has no moves. Almost every difference depends on the origin
//! square or on the destination square alone. The replies to all moves of one piece are therefore
//! counted together, with one bit count per kind of difference.
//!
//! Some moves are made on the board, and the replies to each of them are counted separately: moves
//! that give check or change a pin or a castling right of the replying side, castling, promotions,
//! en passant captures, and double steps that an en passant capture may answer.

use super::ALL;
use super::slides::Slides;
use crate::base::side::Side;
use crate::chess::attacks;
use crate::chess::bitboard::Bitboard;
use crate::chess::board::{Board, CastlingSquares};
use crate::chess::movegen::{self, Masks, Sink};
use crate::chess::piece::{Kind, Piece};
use crate::chess::square::{Rank, Square};
use arrayvec::ArrayVec;

/// The minimum number of moves for which the replies are counted on a board without the moving
/// piece. With fewer moves, it is faster to make each of them.
const MIN_LIFTED: u32 = 5;

/// A square that the replying king may enter or cross. Attacks on it are computed without the king,
/// because the king does not block them.
struct Spot {
    square: Square,
    /// The squares that a rook on this square attacks.
    straight: Bitboard,
    /// The squares that a bishop on this square attacks.
    diagonal: Bitboard,
    attackers: Bitboard,
    /// The squares on which an additional piece would block all attackers: all squares if there are
    /// no attackers.
    shields: Bitboard,
}

impl Spot {
    /// Returns the squares to watch: if a piece leaves one of them, the attacks on `self.square`
    /// may change.
    #[inline(always)]
    const fn near(&self) -> Bitboard {
        Bitboard(self.straight.0 | self.diagonal.0 | self.attackers.0)
    }
}

/// A castling move that is legal if the squares in `clear` are empty and the squares in `path` are
/// not attacked.
struct Castling {
    /// The squares that must be empty.
    clear: Bitboard,
    /// The square of the only piece on `clear`, a piece of the moving side. Empty if there is no
    /// piece on `clear`.
    blocker: Bitboard,
    /// The squares that must not be attacked.
    path: Bitboard,
}

/// The replies to a null move, and the origin and destination squares of moves that change checks,
/// pins or castling rights.
struct Replies<'a> {
    board: &'a Board,
    /// The number of leaves counted so far.
    leaves: u64,
    /// The king of the replying side.
    king: Square,
    occupied: Bitboard,
    /// The moving side's rooks and queens.
    straight: Bitboard,
    /// The moving side's bishops and queens.
    diagonal: Bitboard,
    /// The pinned pieces of the replying side.
    pinned: Bitboard,
    /// The origin squares of moves that change checks or pins.
    origins: Bitboard,
    /// For each kind of piece, the destination squares of moves that change checks, pins or
    /// castling rights.
    destinations: [Bitboard; Kind::NUM],
    slides: Slides,
    /// The number of knight moves.
    knights: u64,
    pawns: Pawns,
    advances: Advances,
    /// The squares next to the king that the king may be able to enter.
    spots: ArrayVec<Spot, 8>,
    castlings: ArrayVec<Castling, 2>,
    /// The squares that the king crosses or reaches by castling.
    path: ArrayVec<Spot, 8>,
    /// The squares to watch: if a piece leaves one of them, the king's moves may change.
    near: Bitboard,
}

/// Returns the number of leaves two plies below `board`.
#[inline(never)]
pub(super) fn leaves<const WHITE: bool>(board: &Board) -> u64 {
    let masks = Masks::of(board, Side::from_white(WHITE));
    let mut replies = Replies::without_king::<WHITE>(board);
    replies.add_king::<WHITE>();
    movegen::generate::<WHITE, ALL, _>(board, &masks, Bitboard::ALL, &mut replies);
    replies.leaves
}

impl<'a> Replies<'a> {
    /// Analyses the replies of all pieces except the king. The moving side is White if `WHITE`,
    /// otherwise Black.
    #[inline(always)]
    fn without_king<const WHITE: bool>(board: &'a Board) -> Self {
        let side = Side::from_white(WHITE);
        let (ours, theirs) = (board.side(side), board.side(!side));
        let occupied = ours | theirs;
        let king = board.king(!side);
        let (straight, diagonal) = (board.straight_sliders(side), board.diagonal_sliders(side));

        let files = Lines::of(king, ours, theirs, straight, attacks::rook);
        let diagonals = Lines::of(king, ours, theirs, diagonal, attacks::bishop);
        let disturbed = files.watched | diagonals.watched | board.castling & theirs;
        let mut destinations = [disturbed; Kind::NUM];
        destinations[Kind::Pawn.index()] |= attacks::pawn(!side, king);
        destinations[Kind::Knight.index()] |= attacks::knight(king);
        destinations[Kind::Bishop.index()] |= diagonals.seen;
        destinations[Kind::Rook.index()] |= files.seen;
        destinations[Kind::Queen.index()] |= diagonals.seen | files.seen;

        let pinned = (files.pins | diagonals.pins) & theirs;
        let mut knights = 0;
        for from in board.pieces(!side, Kind::Knight) - pinned {
            knights += u64::from((attacks::knight(from) - theirs).len());
        }
        let pawns = Pawns::of::<WHITE>(board.pieces(!side, Kind::Pawn), &files, &diagonals);
        let advances = pawns.advances::<WHITE>(ours, occupied);
        let slides = Slides::of(
            board.straight_sliders(!side),
            board.diagonal_sliders(!side),
            pinned,
            king,
            theirs,
            occupied,
        );
        Self {
            board,
            leaves: 0,
            king,
            occupied,
            straight,
            diagonal,
            pinned,
            origins: files.origins | diagonals.origins,
            destinations,
            slides,
            knights,
            pawns,
            advances,
            spots: ArrayVec::new(),
            castlings: ArrayVec::new(),
            path: ArrayVec::new(),
            near: Bitboard::EMPTY,
        }
    }

    /// Adds the replies of the king. This is a separate function, so that the compiler does not
    /// copy the arrays.
    #[inline(always)]
    fn add_king<const WHITE: bool>(&mut self) {
        let side = Side::from_white(!WHITE);
        for square in attacks::king(self.king) - self.board.side(side) {
            let spot = self.spot::<WHITE>(square);
            // A move can remove one attacker and block a second, but not a third.
            if spot.attackers.len() < 3 {
                self.near |= spot.near();
                self.spots.push(spot);
            }
        }
        let rooks = self.board.castling & Bitboard::rank(Rank::R1.relative_to(side));
        if rooks.any() {
            self.add_castlings::<WHITE>(rooks - self.pinned);
        }
    }

    #[inline(always)]
    fn spot<const WHITE: bool>(&self, square: Square) -> Spot {
        let (board, side) = (self.board, Side::from_white(WHITE));
        let occupied = self.occupied ^ self.king;
        let straight = attacks::rook(square, occupied);
        let diagonal = attacks::bishop(square, occupied);
        let leapers = attacks::knight(square) & board.kind(Kind::Knight)
            | attacks::pawn(!side, square) & board.kind(Kind::Pawn)
            | attacks::king(square) & board.kind(Kind::King);
        let attackers =
            leapers & board.side(side) | straight & self.straight | diagonal & self.diagonal;
        Spot { square, straight, diagonal, attackers, shields: shields(square, attackers) }
    }

    #[inline(always)]
    fn add_castlings<const WHITE: bool>(&mut self, rooks: Bitboard) {
        let mut squares = Bitboard::EMPTY;
        for rook in rooks {
            let end = CastlingSquares::of(self.king, rook);
            let path = attacks::between(self.king, end.king) | end.king;
            let clear = path | attacks::between(rook, end.rook) | end.rook;
            let clear = clear - (Bitboard::of(self.king) | rook);
            let blocker = clear & self.occupied;
            let theirs = self.board.side(Side::from_white(!WHITE));
            if !blocker.many() && (blocker & theirs).is_empty() {
                self.castlings.push(Castling { clear, blocker, path });
                self.near |= blocker;
                squares |= path;
            }
        }
        for square in squares {
            let spot = self.spot::<WHITE>(square);
            self.near |= spot.near();
            self.path.push(spot);
        }
    }

    /// Returns the destination squares for which no piece attacks `spot` after the move.
    #[inline(always)]
    fn safe(&self, spot: &Spot, mover: &Mover) -> Bitboard {
        let (mut straight, mut diagonal) = (spot.straight, spot.diagonal);
        let mut shields = spot.shields;
        if (spot.near() & mover.from).any() {
            let occupied = self.occupied ^ self.king ^ mover.from;
            straight = attacks::rook(spot.square, occupied);
            diagonal = attacks::bishop(spot.square, occupied);
            let sliders = straight & self.straight | diagonal & self.diagonal;
            shields = self::shields(spot.square, (spot.attackers | sliders) - mover.from);
        }
        let jumps = Bitboard(mover.jumps[spot.square.index()]);
        shields - (straight & mover.straight | diagonal & mover.diagonal | jumps)
    }

    #[inline(always)]
    fn child<const WHITE: bool>(&mut self, next: &Board) {
        self.leaves += if WHITE { super::count::<false>(next) } else { super::count::<true>(next) };
    }

    #[inline(always)]
    fn make<const WHITE: bool>(&mut self, kind: Kind, from: Square, to: Bitboard) {
        for to in to {
            let piece = Piece::new(Side::from_white(WHITE), kind);
            self.child::<WHITE>(&self.board.step(piece, from, to));
        }
    }

    /// Counts the replies to moves of a piece that leaves a line between a slider and the king. If
    /// there are many moves, the replies are analysed on a board without the moving piece, where
    /// the line is already clear.
    #[inline(never)]
    fn moves_on_line<const WHITE: bool>(&mut self, kind: Kind, from: Square, to: Bitboard) {
        if to.len() < MIN_LIFTED {
            self.make::<WHITE>(kind, from, to);
            return;
        }
        let mut board = *self.board;
        board.toggle(Piece::new(Side::from_white(WHITE), kind), from);
        let occupied = board.occupied();
        let checkers = attacks::rook(self.king, occupied) & self.straight
            | attacks::bishop(self.king, occupied) & self.diagonal;
        if (checkers - Bitboard::of(from)).any() {
            self.make::<WHITE>(kind, from, to);
            return;
        }
        let mut replies = Replies::without_king::<WHITE>(&board);
        replies.add_king::<WHITE>();
        let made = to & replies.destinations[kind.index()];
        self.make::<WHITE>(kind, from, made);
        let to = to - made;
        if to.any() {
            let mover = Mover::of::<WHITE>(kind, Bitboard::EMPTY);
            self.leaves += replies.count::<WHITE>(&mover, to);
        }
    }

    #[inline(always)]
    fn moves<const WHITE: bool>(&mut self, kind: Kind, from: Square, to: Bitboard) {
        if self.origins.has(from) {
            self.moves_on_line::<WHITE>(kind, from, to);
            return;
        }
        let made = to & self.destinations[kind.index()];
        self.make::<WHITE>(kind, from, made);
        let to = to - made;
        if to.any() {
            let mover = Mover::of::<WHITE>(kind, Bitboard::of(from));
            self.leaves += self.count::<WHITE>(&mover, to);
        }
    }

    /// Counts the replies to all moves of a piece to the squares of `to`. None of these moves may
    /// change checks, pins or castling rights of the replying side.
    #[inline(never)]
    fn count<const WHITE: bool>(&self, mover: &Mover, to: Bitboard) -> u64 {
        let from = mover.from;
        let (board, side) = (self.board, Side::from_white(!WHITE));
        let len = |set: Bitboard| u64::from((to & set).len());
        let mut occupied = self.occupied;
        let mut slides = &self.slides;
        let opened;
        if (slides.reach & from).any() {
            occupied ^= from;
            opened = self.slides_on::<WHITE>(occupied);
            slides = &opened;
        }
        let mut advances = self.advances;
        let ours = board.side(!side) - from;
        if (self.pawns.touched::<WHITE>(&advances) & from).any() {
            advances = self.pawns.advances::<WHITE>(ours, self.occupied ^ from);
        }
        let mut count = u64::from(to.len()) * (slides.moves + self.knights + advances.moves);
        count += len(self.pawns.left) + len(self.pawns.right);
        count -= slides.blocked_by(to);
        count -= len(advances.steps) + len(advances.doubles) + len(advances.passed);
        if self.pawns.last.any() {
            let last = self.pawns.last;
            count += 3 * (len(self.pawns.left & last) + len(self.pawns.right & last));
            count -= 3 * len(advances.steps & last);
        }
        for spot in &self.spots {
            count += len(self.safe(spot, mover));
        }
        if !self.castlings.is_empty() {
            let mut allowed = [Bitboard::ALL; 2];
            for spot in &self.path {
                let safe = self.safe(spot, mover);
                for (allowed, castling) in allowed.iter_mut().zip(&self.castlings) {
                    if castling.path.has(spot.square) {
                        *allowed &= safe;
                    }
                }
            }
            for (allowed, castling) in allowed.into_iter().zip(&self.castlings) {
                if (castling.blocker - from).is_empty() {
                    count += len(allowed - castling.clear);
                }
            }
        }
        for to in to & board.side(side) {
            count += self.recaptures::<WHITE>(mover, to, occupied);
            count -= self.lost::<WHITE>(to, ours, occupied, &advances);
        }
        count
    }

    #[inline(never)]
    fn slides_on<const WHITE: bool>(&self, occupied: Bitboard) -> Slides {
        let (board, side) = (self.board, Side::from_white(!WHITE));
        Slides::of(
            board.straight_sliders(side),
            board.diagonal_sliders(side),
            self.pinned,
            self.king,
            board.side(side),
            occupied,
        )
    }

    /// Counts the recaptures on `to` by all pieces except pawns.
    #[inline(always)]
    fn recaptures<const WHITE: bool>(&self, mover: &Mover, to: Square, occupied: Bitboard) -> u64 {
        let (board, side) = (self.board, Side::from_white(!WHITE));
        let takers = attacks::rook(to, occupied) & board.straight_sliders(side)
            | attacks::bishop(to, occupied) & board.diagonal_sliders(side)
            | attacks::knight(to) & board.pieces(side, Kind::Knight);
        let mut count = u64::from((takers - self.pinned).len());
        if attacks::king(self.king).has(to) {
            let spot = self.spot::<WHITE>(to);
            count += u64::from(self.safe(&spot, mover).has(to));
        }
        count
    }

    /// Counts the replies that are lost because the piece on `at` is captured.
    #[inline(always)]
    fn lost<const WHITE: bool>(
        &self,
        at: Square,
        ours: Bitboard,
        occupied: Bitboard,
        advances: &Advances,
    ) -> u64 {
        let (board, side) = (self.board, Side::from_white(!WHITE));
        if board.kind(Kind::Pawn).has(at) {
            let ahead = Bitboard::of(at).forward(side);
            let step = ahead & advances.steps;
            let double = ahead & advances.passed;
            let taken = ahead.sideways() & ours;
            let promoted = (step | taken) & self.pawns.last;
            return u64::from(step.len() + double.len() + taken.len() + 3 * promoted.len());
        }
        let mut moves = Bitboard::EMPTY;
        if board.straight_sliders(side).has(at) {
            moves |= attacks::rook(at, occupied);
        }
        if board.diagonal_sliders(side).has(at) {
            moves |= attacks::bishop(at, occupied);
        }
        if board.kind(Kind::Knight).has(at) {
            moves |= attacks::knight(at);
        }
        u64::from((moves - board.side(side)).len())
    }
}

/// Returns the squares on which an additional piece would block all `attackers` of a square: all
/// squares if there are no attackers. One piece cannot block two attackers.
#[inline(always)]
fn shields(square: Square, attackers: Bitboard) -> Bitboard {
    if attackers.is_empty() {
        Bitboard::ALL
    } else if attackers.many() {
        Bitboard::EMPTY
    } else {
        attacks::between(square, attackers.lowest())
    }
}

/// The moving piece, or several pawns whose origin squares affect no reply.
struct Mover {
    from: Bitboard,
    /// All squares for a rook or queen, otherwise empty.
    straight: Bitboard,
    /// All squares for a bishop or queen, otherwise empty.
    diagonal: Bitboard,
    /// For each square, the squares from which the moving pawn, knight or king attacks it.
    jumps: &'static [u64; 64],
}

impl Mover {
    #[inline(always)]
    fn of<const WHITE: bool>(kind: Kind, from: Bitboard) -> Self {
        let (straight, diagonal) = match kind {
            Kind::Pawn | Kind::Knight | Kind::King => (Bitboard::EMPTY, Bitboard::EMPTY),
            Kind::Bishop => (Bitboard::EMPTY, Bitboard::ALL),
            Kind::Rook => (Bitboard::ALL, Bitboard::EMPTY),
            Kind::Queen => (Bitboard::ALL, Bitboard::ALL),
        };
        let jumps = attacks::jumps(Side::from_white(!WHITE), kind);
        Self { from, straight, diagonal, jumps }
    }
}

/// The squares to which the pawns of the replying side could move, subject to pins.
struct Pawns {
    /// The squares in front of pawns.
    ahead: Bitboard,
    /// The squares that pawns attack to the left.
    left: Bitboard,
    right: Bitboard,
    /// The last rank if a pawn is on the rank before it, otherwise empty.
    last: Bitboard,
}

/// The moves of the pawns of the replying side on one board.
#[derive(Clone, Copy)]
struct Advances {
    /// The number of all pawn moves, including captures.
    moves: u64,
    steps: Bitboard,
    doubles: Bitboard,
    /// The squares that double steps pass over.
    passed: Bitboard,
}

impl Pawns {
    #[inline(always)]
    fn of<const WHITE: bool>(pawns: Bitboard, files: &Lines, diagonals: &Lines) -> Self {
        let side = Side::from_white(!WHITE);
        let steppers = pawns - diagonals.pins;
        let (free, pinned) = (steppers - files.pins, steppers & files.pins);
        let ahead = free.forward(side) | pinned.forward(side) & files.pins;
        let takers = pawns - files.pins;
        let (free, pinned) = (takers - diagonals.pins, takers & diagonals.pins);
        let (free, pinned) = (free.forward(side), pinned.forward(side));
        let seventh = Bitboard::rank(Rank::R7.relative_to(side));
        Self {
            ahead,
            left: free.left() | pinned.left() & diagonals.pins,
            right: free.right() | pinned.right() & diagonals.pins,
            last: if (pawns & seventh).any() { seventh.forward(side) } else { Bitboard::EMPTY },
        }
    }

    #[inline(always)]
    fn advances<const WHITE: bool>(&self, ours: Bitboard, occupied: Bitboard) -> Advances {
        let side = Side::from_white(!WHITE);
        let steps = self.ahead - occupied;
        let doubles = Self::far::<WHITE>(steps) - occupied;
        let (left, right) = (self.left & ours, self.right & ours);
        let mut moves = steps.len() + doubles.len() + left.len() + right.len();
        if self.last.any() {
            moves += 3 * ((steps & self.last).len() + (left & self.last).len());
            moves += 3 * (right & self.last).len();
        }
        Advances { moves: u64::from(moves), steps, doubles, passed: doubles.forward(!side) }
    }

    #[inline(always)]
    fn far<const WHITE: bool>(steps: Bitboard) -> Bitboard {
        let side = Side::from_white(!WHITE);
        (steps & Bitboard::rank(Rank::R3.relative_to(side))).forward(side)
    }

    /// Returns the squares on which a piece of the moving side affects the number of pawn moves.
    #[inline(always)]
    fn touched<const WHITE: bool>(&self, advances: &Advances) -> Bitboard {
        self.ahead | self.left | self.right | Self::far::<WHITE>(advances.steps)
    }
}

/// The lines from the replying side's king to one kind of the moving side's sliders: rooks and
/// queens, or bishops and queens.
struct Lines {
    /// The squares from which a slider would check the king or pin a piece against it.
    seen: Bitboard,
    /// The lines between the king and a slider that contain exactly one piece. Each line includes
    /// the slider's square.
    watched: Bitboard,
    /// The lines of `watched` on which a piece of the replying side is pinned.
    pins: Bitboard,
    /// The origin squares of moves that change checks or pins.
    origins: Bitboard,
}

impl Lines {
    #[inline(always)]
    fn of(
        king: Square,
        ours: Bitboard,
        theirs: Bitboard,
        sliders: Bitboard,
        attacks: impl Fn(Square, Bitboard) -> Bitboard,
    ) -> Self {
        let occupied = ours | theirs;
        let first = attacks(king, occupied) & occupied;
        let mut lines = Self {
            seen: attacks(king, occupied - (first & theirs)),
            watched: Bitboard::EMPTY,
            pins: Bitboard::EMPTY,
            origins: Bitboard::EMPTY,
        };
        if (attacks(king, Bitboard::EMPTY) & sliders).any() {
            let behind = occupied - first;
            let second = attacks(king, behind) & behind;
            for slider in second & sliders {
                let between = attacks::between(king, slider);
                lines.watched |= between | slider;
                if (between & theirs).any() {
                    lines.pins |= between | slider;
                }
            }
            let third = attacks(king, behind - second) & (behind - second);
            for slider in third & sliders {
                let between = attacks::between(king, slider);
                if (between & theirs).any() {
                    lines.origins |= between & ours;
                }
            }
            lines.origins |= lines.watched;
        }
        lines
    }
}

impl Sink for Replies<'_> {
    #[inline(always)]
    fn piece<const WHITE: bool>(&mut self, kind: Kind, from: Square, to: Bitboard) {
        if to.any() {
            self.moves::<WHITE>(kind, from, to);
        }
    }
    #[inline(always)]
    fn pawns<const WHITE: bool>(&mut self, to: Bitboard, delta: i8) {
        let rotated = |set: Bitboard, by: i8| Bitboard(set.0.rotate_left((by & 63) as u32));
        let touched = self.pawns.touched::<WHITE>(&self.advances);
        let origins = self.origins | self.near | self.slides.reach | touched;
        let beside = self.board.side(Side::from_white(!WHITE)) & attacks::king(self.king);
        let single = rotated(origins, delta) | self.destinations[Kind::Pawn.index()] | beside;
        let together = to - single;
        if together.any() {
            let mover = Mover::of::<WHITE>(Kind::Pawn, rotated(together, -delta));
            self.leaves += self.count::<WHITE>(&mover, together);
        }
        for to in to & single {
            self.moves::<WHITE>(Kind::Pawn, movegen::before(to, delta), Bitboard::of(to));
        }
    }
    #[inline(always)]
    fn double_steps<const WHITE: bool>(&mut self, to: Bitboard) {
        let side = Side::from_white(WHITE);
        let takers = self.board.pieces(!side, Kind::Pawn);
        let takeable = to & takers.sideways();
        // The en passant capture is an additional reply, which `count` does not include.
        for to in takeable {
            self.child::<WHITE>(&self.board.double_stepped(side, to));
        }
        self.pawns::<WHITE>(to - takeable, if WHITE { 16 } else { -16 });
    }
    #[inline(always)]
    fn promotions<const WHITE: bool>(&mut self, to: Bitboard, delta: i8) {
        for to in to {
            for kind in [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight] {
                let from = movegen::before(to, delta);
                let next = self.board.promoted(Side::from_white(WHITE), from, to, kind);
                self.child::<WHITE>(&next);
            }
        }
    }
    #[inline(always)]
    fn en_passant<const WHITE: bool>(&mut self, from: Square, to: Square) {
        let next = self.board.taken_en_passant(Side::from_white(WHITE), from, to);
        self.child::<WHITE>(&next);
    }
    #[inline(always)]
    fn castle<const WHITE: bool>(&mut self, king: Square, rook: Square) {
        let next = self.board.castled(Side::from_white(WHITE), king, rook);
        self.child::<WHITE>(&next);
    }
}
