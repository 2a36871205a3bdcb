//! The slider moves of one side, and for each empty square the number of these moves that an
//! additional piece on the square would block.

use crate::base::cpu::Quad;
use crate::chess::attacks::fill;
use crate::chess::bitboard::Bitboard;
use crate::chess::square::Square;

/// The left-shift distances, in bits, of the steps north, east, northeast and northwest. The
/// opposite steps shift right by the same distances.
const SHIFTS: [u64; 4] = [8, 1, 9, 7];
/// The lanes of [`fill`] for the steps in [`SHIFTS`]. [`BACKWARD`] has the lanes for the opposite
/// steps.
const FORWARD: [usize; 4] = [0, 1, 4, 5];
const BACKWARD: [usize; 4] = [2, 3, 6, 7];

const fn pick(words: &[u64; 8], lanes: [usize; 4]) -> [u64; 4] {
    [words[lanes[0]], words[lanes[1]], words[lanes[2]], words[lanes[3]]]
}

const FORWARD_ARRIVALS: [u64; 4] = pick(&fill::ARRIVALS.0, FORWARD);
const BACKWARD_ARRIVALS: [u64; 4] = pick(&fill::ARRIVALS.0, BACKWARD);

/// The moves of all sliders of one side.
#[derive(Clone, Copy)]
pub(super) struct Slides {
    pub moves: u64,
    /// The destination squares, including squares of the side's own pieces.
    pub reach: Bitboard,
    /// For each empty square, the number of moves that an additional piece there would block, in
    /// binary. Word `i` holds digit `i` of each square's number; digit 0 is the lowest.
    blocked: [u64; 6],
}

impl Slides {
    /// Computes the moves of sliders to squares outside `own`. A pinned piece moves only along its
    /// line through `king`.
    #[inline(always)]
    pub(super) fn of(
        straight: Bitboard,
        diagonal: Bitboard,
        pinned: Bitboard,
        king: Square,
        own: Bitboard,
        occupied: Bitboard,
    ) -> Self {
        let sliders = Quad::new([straight.0, straight.0, diagonal.0, diagonal.0]);
        let pinned_off_axis =
            Quad::splat(pinned.0) - Quad::new(pick(fill::axis_words(king), FORWARD));
        let sliders = sliders - pinned_off_axis;
        let (own, empty) = (Quad::splat(own.0), Quad::splat(!occupied.0));
        let forward = slide(sliders, empty, Quad::new(FORWARD_ARRIVALS), Quad::shift_left);
        let backward = slide(sliders, empty, Quad::new(BACKWARD_ARRIVALS), Quad::shift_right);
        let [a0, a1, a2] = blocked(forward, own, empty, Quad::shift_right);
        let [b0, b1, b2] = blocked(backward, own, empty, Quad::shift_left);

        // Add the numbers of opposite directions, then the four sums.
        let [s0, c0] = half(a0, b0);
        let [s1, c1] = full(a1, b1, c0);
        let [s2, s3] = full(a2, b2, c1);
        let [t0, c0] = half(s0, s0.halves_exchanged());
        let [t1, c1] = full(s1, s1.halves_exchanged(), c0);
        let [t2, c2] = full(s2, s2.halves_exchanged(), c1);
        let [t3, t4] = full(s3, s3.halves_exchanged(), c2);
        let [u0, c0] = half(t0, t0.neighbours_exchanged());
        let [u1, c1] = full(t1, t1.neighbours_exchanged(), c0);
        let [u2, c2] = full(t2, t2.neighbours_exchanged(), c1);
        let [u3, c3] = full(t3, t3.neighbours_exchanged(), c2);
        let [u4, u5] = full(t4, t4.neighbours_exchanged(), c3);

        let reach = forward | backward;
        let reach = reach | reach.halves_exchanged();
        let reach = reach | reach.neighbours_exchanged();
        let count =
            |set: Quad| set.words().map(|word| u64::from(word.count_ones())).iter().sum::<u64>();
        Self {
            moves: count(forward - own) + count(backward - own),
            reach: Bitboard(reach.first()),
            blocked: [u0, u1, u2, u3, u4, u5].map(Quad::first),
        }
    }

    /// For each square of `set`, counts the moves that one additional piece on the square would
    /// block. Returns the sum.
    #[inline(always)]
    pub(super) fn blocked_by(&self, set: Bitboard) -> u64 {
        // A sum of shifted counts would be vectorized, which is slower for six words.
        self.blocked
            .iter()
            .rev()
            .fold(0, |sum, &word| 2 * sum + u64::from((word & set.0).count_ones()))
    }
}

/// Returns the squares that sliders reach in each direction, by the Kogge-Stone parallel prefix as
/// in [`fill`].
#[inline(always)]
fn slide(sliders: Quad, empty: Quad, arrivals: Quad, shift: impl Fn(Quad, Quad) -> Quad) -> Quad {
    let one = Quad::new(SHIFTS);
    let two = Quad::new(SHIFTS.map(|by| 2 * by));
    let four = Quad::new(SHIFTS.map(|by| 4 * by));
    let (mut fill, mut way) = (sliders, empty & arrivals);
    fill = fill | way & shift(fill, one);
    way = way & shift(way, one);
    fill = fill | way & shift(fill, two);
    way = way & shift(way, two);
    fill = fill | way & shift(fill, four);
    shift(fill, one) & arrivals
}

/// Returns, for each direction and each empty square, the number of moves that an additional piece
/// there would block. The number has three binary digits, lowest digit first. `back` shifts squares
/// towards the sliders.
#[inline(always)]
fn blocked(reach: Quad, own: Quad, empty: Quad, back: impl Fn(Quad, Quad) -> Quad) -> [Quad; 3] {
    let by = Quad::new(SHIFTS);
    let through = reach & empty;
    // A piece on a square of `one` would block at least one move, on a square of `two` at least two
    // moves, and so on.
    let one = through & back(reach - own, by);
    let two = through & back(one, by);
    let three = through & back(two, by);
    let four = through & back(three, by);
    let five = through & back(four, by);
    let six = through & back(five, by);
    [one ^ two ^ three ^ four ^ five ^ six, (two - four) | six, four]
}

/// Adds two one-bit numbers in each bit position. Returns the sums and the carries.
#[inline(always)]
fn half(a: Quad, b: Quad) -> [Quad; 2] {
    [a ^ b, a & b]
}

#[inline(always)]
fn full(a: Quad, b: Quad, c: Quad) -> [Quad; 2] {
    let either = a ^ b;
    [either ^ c, a & b | either & c]
}
