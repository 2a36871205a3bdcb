//! Counts the legal moves of the children of one position, with one board per vector lane.
//!
//! The counts equal those of the [move generator](crate::chess::movegen), but no loop runs over the
//! pieces of one child. The loops over knights and castling rooks run over the pieces of the parent
//! position, for all lanes together. Slider attacks are computed by Kogge-Stone fills, one
//! direction after another (see [`fill`]). Two sliders never reach the same square in the same
//! direction, so each bit of a fill is one move.
//!
//! All lanes share the parent position, and the side to move in the children has not moved.
//! Therefore its king is on the same square in all lanes. The blockers on the rays from this square
//! determine checks and pins.

use super::changes::{Changes, sets};
use crate::base::cpu::Lanes;
use crate::base::side::Side;
use crate::chess::attacks::{self, fill};
use crate::chess::bitboard::Bitboard;
use crate::chess::board::{Board, CastlingSquares};
use crate::chess::piece::Kind;
use crate::chess::square::{File, Rank, Square};

/// Repeats a block for each slider direction, numbered as in [`fill`]. This is a macro instead of a
/// loop because the compiler does not unroll every loop of this size. Shifts and masks are constant
/// only in unrolled code.
macro_rules! for_each_way {
    ($way:ident $body:block) => {
        for_each_way!($way $body 0 1 2 3 4 5 6 7)
    };
    ($way:ident $body:block $($number:literal)*) => {
        $({
            const $way: usize = $number;
            $body
        })*
    };
}

const NORTH: usize = 0;
const NORTH_EAST: usize = 4;
const NORTH_WEST: usize = 5;

const FILE_A: Bitboard = Bitboard::file(File::A);
const FILE_H: Bitboard = Bitboard::file(File::H);
// A shift by two files to the right can wrap around to the files a and b. A shift by two files to
// the left can wrap around to the files g and h.
const FILES_AB: Bitboard = Bitboard(FILE_A.0 | Bitboard::file(File::B).0);
const FILES_GH: Bitboard = Bitboard(Bitboard::file(File::G).0 | FILE_H.0);

/// Returns the total number of legal moves in the children of `parent`, not counting en passant
/// captures. The first `len` entries of `moves` produce the children. White is to move in the
/// children if `WHITE`, otherwise Black.
#[inline(never)]
pub(super) fn count<const WHITE: bool>(parent: &Board, moves: &Changes, len: usize) -> u64 {
    let family = Family::<WHITE>::of(parent);
    let mut total = Lanes::ZERO;
    let groups = eights(&moves.cleared).zip(eights(&moves.pawns));
    let groups = groups.zip(eights(&moves.pieces).zip(eights(&moves.sets)));
    for (first, ((cleared, pawns), (pieces, sets))) in (0..len).step_by(8).zip(groups) {
        let own = Army::of(parent, Family::<WHITE>::SIDE).without(cleared);
        let enemy = Army::of(parent, !Family::<WHITE>::SIDE).moved(pawns, pieces, sets);
        let live = 0xffu8.checked_shr((first + 8).saturating_sub(len) as u32);
        total = total + family.count(&own, &enemy).keep(live.unwrap_or(0));
    }
    total.sum()
}

#[inline(always)]
fn eights(words: &[u64]) -> impl Iterator<Item = Lanes> {
    words.as_chunks().0.iter().map(Lanes::load)
}

#[inline(always)]
fn all() -> Lanes {
    Lanes::splat(Bitboard::ALL.0)
}

#[inline(always)]
fn splat(set: impl Into<Bitboard>) -> Lanes {
    Lanes::splat(set.into().0)
}

struct Army {
    pawns: Lanes,
    knights: Lanes,
    diagonal: Lanes,
    straight: Lanes,
    king: Lanes,
    all: Lanes,
}

impl Army {
    #[inline(always)]
    fn of(board: &Board, side: Side) -> Self {
        Self {
            pawns: splat(board.pieces(side, Kind::Pawn)),
            knights: splat(board.pieces(side, Kind::Knight)),
            diagonal: splat(board.diagonal_sliders(side)),
            straight: splat(board.straight_sliders(side)),
            king: splat(board.pieces(side, Kind::King)),
            all: splat(board.side(side)),
        }
    }

    #[inline(always)]
    fn without(self, cleared: Lanes) -> Self {
        Self {
            pawns: self.pawns - cleared,
            knights: self.knights - cleared,
            diagonal: self.diagonal - cleared,
            straight: self.straight - cleared,
            king: self.king,
            all: self.all - cleared,
        }
    }

    #[inline(always)]
    fn moved(self, pawns: Lanes, pieces: Lanes, sets: Lanes) -> Self {
        let of = |set| pieces.where_any(sets & Lanes::splat(set));
        Self {
            pawns: self.pawns ^ pawns,
            knights: self.knights ^ of(sets::KNIGHTS),
            diagonal: self.diagonal ^ of(sets::DIAGONAL),
            straight: self.straight ^ of(sets::STRAIGHT),
            king: self.king ^ of(sets::KINGS),
            all: self.all ^ (pawns | pieces),
        }
    }

    #[inline(always)]
    const fn sliders(&self, way: usize) -> Lanes {
        if fill::STRAIGHT >> way & 1 == 1 { self.straight } else { self.diagonal }
    }
}

struct Limits {
    /// The allowed destination squares of pieces other than the king: all squares if the king is
    /// not in check, none in double check.
    must: Lanes,
    pinned: Lanes,
}

struct Family<'a, const WHITE: bool> {
    parent: &'a Board,
    king: Square,
    rays: &'static [u64; 8],
    axes: &'static [u64; 8],
    /// The rooks with castling rights in the parent position. In some lanes, one of them may have
    /// been captured.
    castling: Bitboard,
    promoting: bool,
    /// Indexed by straight and diagonal: true if the side to move has such a slider.
    own_sliders: [bool; 2],
    /// Like `own_sliders`, but for the opponent. A pawn on its seventh rank in the parent counts as
    /// both kinds of slider, because it may have promoted.
    enemy_sliders: [bool; 2],
}

impl<'a, const WHITE: bool> Family<'a, WHITE> {
    const SIDE: Side = Side::from_white(WHITE);
    const FORWARD: i8 = if WHITE { 8 } else { -8 };

    #[inline(always)]
    fn of(parent: &'a Board) -> Self {
        let king = parent.king(Self::SIDE);
        let seventh =
            |side| parent.pieces(side, Kind::Pawn) & Bitboard::rank(Rank::R7.relative_to(side));
        let sliders = |side| [parent.straight_sliders(side), parent.diagonal_sliders(side)];
        let promoted = seventh(!Self::SIDE).any();
        Self {
            parent,
            king,
            rays: fill::ray_words(king),
            axes: fill::axis_words(king),
            castling: parent.castling & Bitboard::rank(Rank::R1.relative_to(Self::SIDE)),
            promoting: seventh(Self::SIDE).any(),
            own_sliders: sliders(Self::SIDE).map(Bitboard::any),
            enemy_sliders: sliders(!Self::SIDE).map(|set| promoted || set.any()),
        }
    }

    #[inline(always)]
    fn count(&self, own: &Army, enemy: &Army) -> Lanes {
        let occupied = own.all | enemy.all;
        let limits = self.limits(own, enemy);
        self.sliders(own, &limits, occupied)
            + self.knights(own, &limits)
            + self.pawns(own, enemy, &limits)
            + self.king(own, enemy, &limits, occupied)
    }

    /// Computes checks and pins. Each ray from the king is followed to the first enemy piece. If
    /// this piece is a slider that moves along the ray, it gives check if no piece is in between.
    /// If exactly one of our pieces is in between, that piece is pinned.
    #[inline(always)]
    fn limits(&self, own: &Army, enemy: &Army) -> Limits {
        let leapers = enemy.knights & splat(attacks::knight(self.king))
            | enemy.pawns & splat(attacks::pawn(Self::SIDE, self.king));
        let mut limits = Limits { must: all(), pinned: Lanes::ZERO };
        limits.must = limits.must.and_where(leapers, leapers);
        for_each_way!(WAY {
            const BACKWARD: u8 = if fill::BACKWARD >> WAY & 1 == 1 { 0xff } else { 0 };
            if self.enemy_sliders[WAY / 4] {
                let ray = Lanes::splat(self.rays[WAY]);
                let seen = (enemy.all & ray).up_to_first::<BACKWARD>() & ray;
                let aimed = seen & enemy.sliders(WAY);
                let shields = (seen & own.all).where_any(aimed);
                limits.must = limits.must.and_where(seen, aimed.where_none(shields));
                limits.pinned = limits.pinned | shields.where_few(shields);
            }
        });
        limits
    }

    /// Returns the pinned pieces that may not move in the given direction.
    #[inline(always)]
    fn pinned_off_axis(&self, limits: &Limits, way: usize) -> Lanes {
        limits.pinned - Lanes::splat(self.axes[way])
    }

    #[inline(always)]
    fn sliders(&self, own: &Army, limits: &Limits, occupied: Lanes) -> Lanes {
        let empty = all() - occupied;
        let wanted = limits.must - own.all;
        let mut count = Lanes::ZERO;
        for_each_way!(WAY {
            if self.own_sliders[WAY / 4] {
                let free = own.sliders(WAY) - self.pinned_off_axis(limits, WAY);
                count = count + (slide(free, WAY, empty) & wanted).counts();
            }
        });
        count
    }

    #[inline(always)]
    fn knights(&self, own: &Army, limits: &Limits) -> Lanes {
        let free = own.knights - limits.pinned;
        let wanted = limits.must - own.all;
        let mut count = Lanes::ZERO;
        // The parent's knights have not moved in any lane, although some may have been captured.
        for from in self.parent.pieces(Self::SIDE, Kind::Knight) {
            let to = wanted & splat(attacks::knight(from));
            count = count + to.where_any(free & splat(from)).counts();
        }
        count
    }

    #[inline(always)]
    fn pawns(&self, own: &Army, enemy: &Army, limits: &Limits) -> Lanes {
        let third = Bitboard::rank(Rank::R3.relative_to(Self::SIDE));
        let empty = all() - (own.all | enemy.all);
        let free = |way| own.pawns - self.pinned_off_axis(limits, way);
        let step = free(NORTH).shift(Self::FORWARD) & empty;
        let double = (step & splat(third)).shift(Self::FORWARD) & empty & limits.must;
        let step = step & limits.must;
        let prey = enemy.all & limits.must;
        let (west, east) = if WHITE { (NORTH_WEST, NORTH_EAST) } else { (NORTH_EAST, NORTH_WEST) };
        let left = free(west).shift(Self::FORWARD - 1) & (prey - splat(FILE_H));
        let right = free(east).shift(Self::FORWARD + 1) & (prey - splat(FILE_A));
        let mut count = (step | double).counts() + left.counts() + right.counts();
        if self.promoting {
            let last = splat(Bitboard::rank(Rank::R8.relative_to(Self::SIDE)));
            for to in [step, left, right] {
                let promotions = (to & last).counts();
                count = count + promotions + promotions + promotions;
            }
        }
        count
    }

    #[inline(always)]
    fn king(&self, own: &Army, enemy: &Army, limits: &Limits, occupied: Lanes) -> Lanes {
        let steps = splat(attacks::king(self.king)) - own.all;
        let castling = self.clear_castling(own, limits, occupied);
        if (steps | castling).nonzero() == 0 {
            return Lanes::ZERO;
        }
        // Remove the king from the blockers: it does not shield the squares behind it.
        let danger = self.attacked(enemy, (all() - occupied) | splat(self.king));
        let mut count = (steps - danger).counts();
        for rook in self.castling {
            let end = CastlingSquares::of(self.king, rook).king;
            let path = attacks::between(self.king, end) | end;
            let may = (castling & splat(rook)).where_none(danger & splat(path));
            count = count + may.counts();
        }
        count
    }

    /// Returns every square that the opponent attacks. Sliders pass through the `empty` squares.
    #[inline(always)]
    fn attacked(&self, enemy: &Army, empty: Lanes) -> Lanes {
        let (a, h) = (splat(FILE_A), splat(FILE_H));
        let beside = |set: Lanes| (set.shift(1) - a) | (set.shift(-1) - h);
        let pawns = enemy.pawns.shift(-Self::FORWARD);
        let row = enemy.king | beside(enemy.king);
        let near = beside(enemy.knights);
        let far = (enemy.knights.shift(2) - splat(FILES_AB))
            | (enemy.knights.shift(-2) - splat(FILES_GH));
        let mut attacked = beside(pawns) | row | row.shift(8) | row.shift(-8);
        attacked = attacked | near.shift(16) | near.shift(-16) | far.shift(8) | far.shift(-8);
        for_each_way!(WAY {
            if self.enemy_sliders[WAY / 4] {
                attacked = attacked | slide(enemy.sliders(WAY), WAY, empty);
            }
        });
        attacked
    }

    /// Returns the rooks that may castle (FIDE 2009, 3.8 and 20.3) if attacks on the king's path
    /// are ignored. The set is empty if the king is in check. A rook is omitted if it shields the
    /// king from a check, or if another piece is in its way or in the king's way.
    #[inline(always)]
    fn clear_castling(&self, own: &Army, limits: &Limits, occupied: Lanes) -> Lanes {
        let mut clear = Lanes::ZERO;
        for rook in self.castling {
            let end = CastlingSquares::of(self.king, rook);
            let path = attacks::between(self.king, end.king)
                | attacks::between(rook, end.rook)
                | end.king
                | end.rook;
            let blocked = occupied & splat(path - (Bitboard::of(self.king) | rook));
            let still_there = splat(rook) & (own.all - limits.pinned);
            clear = clear | still_there.where_none(blocked | (all() - limits.must));
        }
        clear
    }
}

#[inline(always)]
fn slide(sliders: Lanes, way: usize, empty: Lanes) -> Lanes {
    let (files, ranks) = fill::STEPS[way];
    let step = files + 8 * ranks;
    let arrivals = Lanes::splat(fill::ARRIVALS.0[way]);
    let mut fill = sliders;
    let mut free = empty & arrivals;
    fill = fill | free & fill.shift(step);
    free = free & free.shift(step);
    fill = fill | free & fill.shift(2 * step);
    free = free & free.shift(2 * step);
    fill = fill | free & fill.shift(4 * step);
    fill.shift(step) & arrivals
}
