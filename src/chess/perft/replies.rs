//! Counts the leaves two plies below a position without making most of the moves.
//!
//! The replies to a quiet move are almost always the replies to a null move, apart from a few
//! differences: the moved piece blocks some replies, pawns can capture it, and it attacks other
//! squares next to the king. Each difference depends on the origin square or on the destination
//! square alone. Therefore one set of destination squares is counted at once, with a few bit
//! counts. Moves that give check, change a pin, capture, promote or castle are made, and their
//! replies are counted one position at a time.

use super::slides::Slides;
use crate::base::side::Side;
use crate::chess::attacks;
use crate::chess::bitboard::Bitboard;
use crate::chess::board::{Board, CastlingSquares};
use crate::chess::movegen::{self, Sink};
use crate::chess::piece::{Kind, Piece};
use crate::chess::square::{Rank, Square};
use arrayvec::ArrayVec;

/// A square that the replying king may enter or pass, and the attacks on it. The king does not
/// block sliders.
struct Spot {
    square: Square,
    straight: Bitboard,
    diagonal: Bitboard,
    attackers: Bitboard,
    /// The destination squares from which a piece that neither attacks the spot nor stands next
    /// to it on a line blocks all attacks: all squares if there is no attack.
    shielded: Bitboard,
}

/// A castling move of the replying side that is legal if its squares are empty and not attacked.
struct Castling {
    /// The squares that must be empty.
    clear: Bitboard,
    /// The piece of the moving side that is in the way.
    blocker: Bitboard,
    /// The squares that must not be attacked.
    path: Bitboard,
}

/// The replies to a null move, and what changes them.
pub(super) struct Replies<'a> {
    board: &'a Board,
    leaves: u64,
    king: Square,
    occupied: Bitboard,
    straight: Bitboard,
    diagonal: Bitboard,
    pinned: Bitboard,
    /// The origin squares of moves that need to be made.
    origins: Bitboard,
    /// The destination squares of moves that need to be made, for each kind of piece.
    destinations: [Bitboard; Kind::NUM],
    slides: Slides,
    /// The number of knight moves.
    knights: u64,
    pawns: Pawns,
    advances: Advances,
    /// The squares whose pieces attack a spot or stand between a spot and a slider.
    near: Bitboard,
    spots: ArrayVec<Spot, 8>,
    castlings: ArrayVec<Castling, 2>,
    path: ArrayVec<Spot, 8>,
}

impl<'a> Replies<'a> {
    #[inline(always)]
    pub(super) fn to<const WHITE: bool>(board: &'a Board) -> Self {
        let side = Side::from_white(WHITE);
        let (ours, theirs) = (board.side(side), board.side(!side));
        let occupied = ours | theirs;
        let king = board.king(!side);
        let (straight, diagonal) = (board.straight_sliders(side), board.diagonal_sliders(side));

        let files = Line::of(king, ours, theirs, straight, attacks::rook);
        let diagonals = Line::of(king, ours, theirs, diagonal, attacks::bishop);
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
        let mut replies = Self {
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
            near: Bitboard::EMPTY,
            spots: ArrayVec::new(),
            castlings: ArrayVec::new(),
            path: ArrayVec::new(),
        };
        for square in attacks::king(king) - theirs {
            let spot = replies.spot::<WHITE>(square);
            // A move can remove one attacker and block another, but no more.
            if spot.attackers.len() < 3 {
                replies.near |= spot.straight | spot.diagonal | spot.attackers;
                replies.spots.push(spot);
            }
        }
        let rooks = board.castling & Bitboard::rank(Rank::R1.relative_to(!side));
        if rooks.any() {
            replies.add_castlings::<WHITE>(rooks - files.pins);
        }
        replies
    }

    pub(super) const fn leaves(&self) -> u64 {
        self.leaves
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
        let attackers = leapers & board.side(side)
            | straight & self.straight
            | diagonal & self.diagonal;
        let shielded = shields(square, attackers);
        Spot { square, straight, diagonal, attackers, shielded }
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
            self.near |= spot.straight | spot.diagonal | spot.attackers;
            self.path.push(spot);
        }
    }

    /// Returns the destination squares from which the moved piece leaves `spot` unattacked.
    #[inline(always)]
    fn safe(&self, spot: &Spot, mover: &Mover) -> Bitboard {
        let Spot { square, mut straight, mut diagonal, attackers, mut shielded } = *spot;
        if ((straight | diagonal | attackers) & mover.from).any() {
            let occupied = self.occupied ^ self.king ^ mover.from;
            straight = attacks::rook(square, occupied);
            diagonal = attacks::bishop(square, occupied);
            let sliders = straight & self.straight | diagonal & self.diagonal;
            shielded = shields(square, (attackers | sliders) - mover.from);
        }
        shielded - (straight & mover.straight | diagonal & mover.diagonal | Bitboard(mover.jumps[square.index()]))
    }

    #[inline(always)]
    fn child<const WHITE: bool>(&mut self, next: &Board) {
        self.leaves +=
            if WHITE { super::count::<false>(next) } else { super::count::<true>(next) };
    }

    #[inline(always)]
    fn moves<const WHITE: bool>(&mut self, kind: Kind, from: Square, to: Bitboard) {
        let made = if self.origins.has(from) { to } else { to & self.destinations[kind.index()] };
        for to in made {
            let piece = Piece::new(Side::from_white(WHITE), kind);
            self.child::<WHITE>(&self.board.step(piece, from, to));
        }
        let to = to - made;
        if to.any() {
            let mover = Mover::of::<WHITE>(kind, Bitboard::of(from));
            self.leaves += self.count::<WHITE>(&mover, to);
        }
    }

    /// Counts the replies after each of a set of moves that need not be made. The moves start from
    /// one square, or from several squares that affect no reply.
    #[inline(never)]
    fn count<const WHITE: bool>(&self, mover: &Mover, to: Bitboard) -> u64 {
        let from = mover.from;
        let (board, side) = (self.board, Side::from_white(!WHITE));
        let len = |set: Bitboard| u64::from((to & set).len());
        let (mut moves, mut blocked, mut occupied) =
            (self.slides.moves, self.slides.blocked_by(to), self.occupied);
        if (self.slides.reach & from).any() {
            occupied ^= from;
            let slides = self.slides::<WHITE>(occupied);
            (moves, blocked) = (slides.moves, slides.blocked_by(to));
        }
        let mut advances = self.advances;
        let ours = board.side(!side) - from;
        if (self.pawns.touched::<WHITE>(&advances) & from).any() {
            advances = self.pawns.advances::<WHITE>(ours, self.occupied ^ from);
        }
        let mut count = u64::from(to.len()) * (moves + self.knights + advances.moves);
        count += len(self.pawns.left) + len(self.pawns.right);
        count -= blocked + len(advances.steps) + len(advances.doubles) + len(advances.passed);
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
    fn slides<const WHITE: bool>(&self, occupied: Bitboard) -> Slides {
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

    /// Counts the captures of the piece that has moved to `to`, except by pawns.
    #[inline(always)]
    fn recaptures<const WHITE: bool>(
        &self,
        mover: &Mover,
        to: Square,
        occupied: Bitboard,
    ) -> u64 {
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

    /// Counts the moves that the captured piece on `at` would have.
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
            let taken = (ahead.left() | ahead.right()) & ours;
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

/// Returns the squares on which a piece blocks all of the `attackers`: all squares if there are no
/// attackers. Two attackers cannot be blocked by one piece.
#[inline(always)]
fn shields(square: Square, attackers: Bitboard) -> Bitboard {
    let between = attacks::between(square, attackers.lowest());
    if attackers.is_empty() {
        Bitboard::ALL
    } else if attackers.many() {
        Bitboard::EMPTY
    } else {
        between
    }
}

/// The moving pieces: one piece, or pawns whose origin squares affect no reply.
struct Mover {
    from: Bitboard,
    /// All squares if the piece moves along files and ranks.
    straight: Bitboard,
    diagonal: Bitboard,
    /// For each square, the squares from which a pawn, knight or king attacks it.
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

/// The squares that the pawns of the replying side attack, and the squares in front of them.
struct Pawns {
    ahead: Bitboard,
    left: Bitboard,
    right: Bitboard,
    /// The last rank, if a pawn can be promoted.
    last: Bitboard,
}

/// The moves of the pawns of the replying side.
#[derive(Clone, Copy)]
struct Advances {
    /// The number of all pawn moves.
    moves: u64,
    steps: Bitboard,
    doubles: Bitboard,
    /// The squares that double steps pass over.
    passed: Bitboard,
}

impl Pawns {
    #[inline(always)]
    fn of<const WHITE: bool>(pawns: Bitboard, files: &Line, diagonals: &Line) -> Self {
        let side = Side::from_white(!WHITE);
        let steppers = pawns - diagonals.pins;
        let (free, held) = (steppers - files.pins, steppers & files.pins);
        let ahead = free.forward(side) | held.forward(side) & files.pins;
        let takers = pawns - files.pins;
        let (free, held) = (takers - diagonals.pins, takers & diagonals.pins);
        let (free, held) = (free.forward(side), held.forward(side));
        let seventh = Bitboard::rank(Rank::R7.relative_to(side));
        Self {
            ahead,
            left: free.left() | held.left() & diagonals.pins,
            right: free.right() | held.right() & diagonals.pins,
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

    /// Returns the squares of the other side's pieces that affect a pawn move.
    #[inline(always)]
    fn touched<const WHITE: bool>(&self, advances: &Advances) -> Bitboard {
        self.ahead | self.left | self.right | Self::far::<WHITE>(advances.steps)
    }
}

/// The lines from the replying king in two of the four axes.
struct Line {
    /// The squares that a new slider would attack the king from, or pin a piece from.
    seen: Bitboard,
    /// The squares up to and including each slider that is separated from the king by one piece.
    watched: Bitboard,
    /// The part of `watched` on which a piece of the king's side is pinned.
    pins: Bitboard,
    /// The origin squares from which a move changes checks or pins.
    origins: Bitboard,
}

impl Line {
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
        let mut line = Self {
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
                line.watched |= between | slider;
                if (between & theirs).any() {
                    line.pins |= between | slider;
                }
            }
            let third = attacks(king, behind - second) & (behind - second);
            for slider in third & sliders {
                let between = attacks::between(king, slider);
                if (between & theirs).any() {
                    line.origins |= between & ours;
                }
            }
            line.origins |= line.watched;
        }
        line
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
        let back = |set: Bitboard| Bitboard(set.0.rotate_right((delta & 63) as u32));
        let there = |set: Bitboard| Bitboard(set.0.rotate_left((delta & 63) as u32));
        let touched = self.origins
            | self.near
            | self.slides.reach
            | self.pawns.touched::<WHITE>(&self.advances);
        let theirs = self.board.side(Side::from_white(!WHITE));
        let single = there(touched)
            | self.destinations[Kind::Pawn.index()]
            | theirs & attacks::king(self.king);
        let together = to - single;
        if together.any() {
            let mover = Mover::of::<WHITE>(Kind::Pawn, back(together));
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
        let takeable = to & (takers.left() | takers.right());
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
