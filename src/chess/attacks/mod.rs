//! Attack sets: the squares that a piece attacks from a square.
//!
//! Every table is a `u64` array that a `const fn` computes at compile time. The accessors return
//! `Bitboard`s. Slider attacks are looked up by PEXT if the build targets BMI2, otherwise by magic
//! multiplication. Both use the same table layout, and both are tested against [`rays`].

pub(crate) mod fill;
#[cfg(any(test, not(target_feature = "bmi2")))]
mod magic;
#[cfg(any(test, target_feature = "bmi2"))]
mod pext;
pub(crate) mod rays;

#[cfg(not(target_feature = "bmi2"))]
use magic as lookup;
#[cfg(target_feature = "bmi2")]
use pext as lookup;

use super::bitboard::Bitboard;
use super::piece::Kind;
use super::square::Square;
use crate::base::side::Side;

const fn leaper(steps: &[(i8, i8)]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut s = 0;
    while s < 64 {
        let mut i = 0;
        while i < steps.len() {
            if let Some(to) = Square::wrap(s as u8).offset(steps[i].0, steps[i].1) {
                table[s] |= 1 << to as u8;
            }
            i += 1;
        }
        s += 1;
    }
    table
}

static KNIGHT: [u64; 64] =
    leaper(&[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);
static KING: [u64; 64] =
    leaper(&[(1, 1), (1, 0), (1, -1), (0, 1), (0, -1), (-1, 1), (-1, 0), (-1, -1)]);
static PAWN: [[u64; 64]; 2] = [leaper(&[(-1, 1), (1, 1)]), leaper(&[(-1, -1), (1, -1)])];

/// `BETWEEN[a][b]`: the squares strictly between two squares on one line.
static BETWEEN: [[u64; 64]; 64] = line_table(false);
/// `LINE[a][b]`: the whole line through two squares, from edge to edge.
static LINE: [[u64; 64]; 64] = line_table(true);

const fn line_table(whole: bool) -> [[u64; 64]; 64] {
    let mut table = [[0; 64]; 64];
    let mut a = 0;
    while a < 64 {
        let mut d = 0;
        while d < 8 {
            let (df, dr) = rays::DIRECTIONS[d];
            let (of, or) = (-df, -dr);
            let from = Square::wrap(a as u8);
            let line = rays::ray(from, df, dr, 0) | rays::ray(from, of, or, 0) | 1 << a;
            let mut passed = 0;
            let mut at = from;
            while let Some(next) = at.offset(df, dr) {
                table[a][next as usize] = if whole { line } else { passed };
                passed |= 1 << next as u8;
                at = next;
            }
            d += 1;
        }
        a += 1;
    }
    table
}

#[inline(always)]
pub(crate) fn knight(from: Square) -> Bitboard {
    Bitboard(KNIGHT[from.index()])
}

#[inline(always)]
pub(crate) fn king(from: Square) -> Bitboard {
    Bitboard(KING[from.index()])
}

#[inline(always)]
pub(crate) fn pawn(side: Side, from: Square) -> Bitboard {
    Bitboard(PAWN[side.index()][from.index()])
}

#[inline(always)]
pub(crate) const fn pawns(side: Side, pawns: Bitboard) -> Bitboard {
    pawns.forward(side).sideways()
}

#[inline(always)]
pub(crate) const fn knights(knights: Bitboard) -> Bitboard {
    let (l1, r1) = (knights.left(), knights.right());
    let (l2, r2) = (l1.left(), r1.right());
    let near = Bitboard(l1.0 | r1.0);
    let far = Bitboard(l2.0 | r2.0);
    Bitboard(near.up(2).0 | near.up(-2).0 | far.up(1).0 | far.up(-1).0)
}

#[inline(always)]
pub(crate) fn bishop(from: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(lookup::bishop(from, occupied.0))
}

#[inline(always)]
pub(crate) fn rook(from: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(lookup::rook(from, occupied.0))
}

#[inline(always)]
pub(crate) fn queen(from: Square, occupied: Bitboard) -> Bitboard {
    bishop(from, occupied) | rook(from, occupied)
}

/// Returns the squares that a piece attacks. Returns the empty set for a pawn, whose attacks depend
/// on its side.
#[inline(always)]
pub(crate) fn piece(kind: Kind, from: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        Kind::Pawn => Bitboard::EMPTY,
        Kind::Knight => knight(from),
        Kind::Bishop => bishop(from, occupied),
        Kind::Rook => rook(from, occupied),
        Kind::Queen => queen(from, occupied),
        Kind::King => king(from),
    }
}

/// Returns, for each square, the attacks of a knight, a king or a pawn of `side`. For the other
/// kinds, every set is empty.
#[inline(always)]
pub(crate) fn jumps(side: Side, kind: Kind) -> &'static [u64; 64] {
    static NONE: [u64; 64] = [0; 64];
    match kind {
        Kind::Pawn => &PAWN[side.index()],
        Kind::Knight => &KNIGHT,
        Kind::King => &KING,
        Kind::Bishop | Kind::Rook | Kind::Queen => &NONE,
    }
}

/// Returns the squares strictly between `a` and `b`, or the empty set if they are not on one line.
#[inline(always)]
pub(crate) fn between(a: Square, b: Square) -> Bitboard {
    Bitboard(BETWEEN[a.index()][b.index()])
}

/// Returns the whole line through `a` and `b`, or the empty set if they are not on one line.
#[inline(always)]
pub fn line(a: Square, b: Square) -> Bitboard {
    Bitboard(LINE[a.index()][b.index()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::Rng;

    #[test]
    fn both_lookups_agree_with_ray_walks_on_random_occupancies() {
        let mut rng = Rng::new(1);
        for square in Square::ALL {
            for round in 0..2000 {
                let occupied = match round % 3 {
                    0 => rng.next_u64() & rng.next_u64(),
                    1 => rng.next_u64(),
                    _ => rng.next_u64() | rng.next_u64(),
                };
                let rook = rays::rook(square, occupied);
                let bishop = rays::bishop(square, occupied);
                assert_eq!(magic::rook(square, occupied), rook, "magic rook {square}");
                assert_eq!(magic::bishop(square, occupied), bishop, "magic bishop {square}");
                assert_eq!(pext::rook(square, occupied), rook, "pext rook {square}");
                assert_eq!(pext::bishop(square, occupied), bishop, "pext bishop {square}");
            }
        }
    }

    #[test]
    fn set_attacks_agree_with_single_attacks() {
        let mut rng = Rng::new(2);
        for _ in 0..1000 {
            let set = Bitboard(rng.next_u64() & rng.next_u64());
            let all = |f: fn(Square) -> Bitboard| set.fold(Bitboard::EMPTY, |sum, s| sum | f(s));
            assert_eq!(knights(set), all(knight));
            assert_eq!(set.around(), all(king));
            assert_eq!(pawns(Side::White, set), all(|s| pawn(Side::White, s)));
            assert_eq!(pawns(Side::Black, set), all(|s| pawn(Side::Black, s)));
        }
    }

    #[test]
    fn fills_agree_with_single_attacks() {
        let mut rng = Rng::new(4);
        for _ in 0..1000 {
            let (a, b) = (Bitboard(rng.next_u64()), Bitboard(rng.next_u64()));
            let (straight, diagonal) = (a & b, (b - a) & Bitboard(rng.next_u64()));
            let occupied = straight | diagonal | Bitboard(rng.next_u64() & rng.next_u64());
            let lanes = fill::slide(fill::sliders(straight, diagonal), occupied);
            let (mut union, mut sum) = (Bitboard::EMPTY, 0);
            for from in straight {
                union |= rook(from, occupied);
                sum += u64::from(rook(from, occupied).len());
            }
            for from in diagonal {
                union |= bishop(from, occupied);
                sum += u64::from(bishop(from, occupied).len());
            }
            assert_eq!(Bitboard(lanes.union()), union);
            assert_eq!(lanes.counts().sum(), sum);
            let jumps = fill::knights(straight);
            assert_eq!(Bitboard(jumps.union()), knights(straight));
            let single = straight.map(|from| u64::from(knight(from).len())).sum::<u64>();
            assert_eq!(jumps.counts().sum(), single);
            for from in Square::ALL {
                let seen = Bitboard(fill::rays_to(from, occupied).union());
                assert_eq!(seen, queen(from, occupied), "{from}");
            }
        }
    }

    #[test]
    fn between_and_line_of_sample_squares() {
        use Square::*;
        assert_eq!(between(A1, D4), Bitboard::of(B2) | C3);
        assert_eq!(between(A1, B3), Bitboard::EMPTY);
        assert_eq!(between(E8, E8), Bitboard::EMPTY);
        assert_eq!(line(B2, C2), Bitboard::rank(super::super::Rank::R2));
        assert_eq!(line(A1, B3), Bitboard::EMPTY);
    }
}
