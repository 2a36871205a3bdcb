//! The slider moves of one side, and how many of them each square would block.

use crate::base::cpu::Quad;
use crate::chess::attacks::fill;
use crate::chess::bitboard::Bitboard;
use crate::chess::square::Square;

/// The steps north, east, northeast and northwest. The opposite steps shift right by the same
/// number of bits.
const SHIFTS: [u64; 4] = [8, 1, 9, 7];
/// The lanes of [`fill`] that have these directions and the opposite directions.
const FORWARD: [usize; 4] = [0, 1, 4, 5];
const BACKWARD: [usize; 4] = [2, 3, 6, 7];

const fn pick(words: &[u64; 8], lanes: [usize; 4]) -> [u64; 4] {
    [words[lanes[0]], words[lanes[1]], words[lanes[2]], words[lanes[3]]]
}

const FORWARD_ARRIVALS: [u64; 4] = pick(&fill::ARRIVALS.0, FORWARD);
const BACKWARD_ARRIVALS: [u64; 4] = pick(&fill::ARRIVALS.0, BACKWARD);

/// The moves of all sliders of a side.
#[derive(Clone, Copy)]
pub(super) struct Slides {
    pub moves: u64,
    /// The destination squares, including squares of the side's own pieces.
    pub reach: Bitboard,
    /// The number of moves that a new piece on each empty square would block, in binary: word `i`
    /// contains bit `i` of every square's number.
    blocked: [u64; 6],
}

impl Slides {
    /// Computes the moves of sliders to squares outside `own`. A piece of `pinned` moves only
    /// along its line through `king`.
    #[inline(always)]
    pub(super) fn of(
        straight: Bitboard,
        diagonal: Bitboard,
        pinned: Bitboard,
        king: Square,
        own: Bitboard,
        occupied: Bitboard,
    ) -> Self {
        let by = Quad::new(SHIFTS);
        let two = Quad::new(SHIFTS.map(|shift| 2 * shift));
        let four = Quad::new(SHIFTS.map(|shift| 4 * shift));
        let sliders = Quad::new([straight.0, straight.0, diagonal.0, diagonal.0]);
        let held = Quad::splat(pinned.0) - Quad::new(pick(fill::axis_words(king), FORWARD));
        let sliders = sliders - held;
        let (own, empty) = (Quad::splat(own.0), Quad::splat(!occupied.0));

        let arrivals = Quad::new(FORWARD_ARRIVALS);
        let (mut fill, mut way) = (sliders, empty & arrivals);
        fill = fill | way & fill.shift_left(by);
        way = way & way.shift_left(by);
        fill = fill | way & fill.shift_left(two);
        way = way & way.shift_left(two);
        fill = fill | way & fill.shift_left(four);
        let forward = fill.shift_left(by) & arrivals;

        let arrivals = Quad::new(BACKWARD_ARRIVALS);
        let (mut fill, mut way) = (sliders, empty & arrivals);
        fill = fill | way & fill.shift_right(by);
        way = way & way.shift_right(by);
        fill = fill | way & fill.shift_right(two);
        way = way & way.shift_right(two);
        fill = fill | way & fill.shift_right(four);
        let backward = fill.shift_right(by) & arrivals;

        // Set `k` contains the squares on which a piece blocks at least `k` moves.
        let chain = |reach: Quad, back: &dyn Fn(Quad) -> Quad| {
            let through = reach & empty;
            let one = through & back(reach - own);
            let two = through & back(one);
            let three = through & back(two);
            let four = through & back(three);
            let five = through & back(four);
            let six = through & back(five);
            [one ^ two ^ three ^ four ^ five ^ six, two - four | six, four]
        };
        let a = chain(forward, &|set| set.shift_right(by));
        let b = chain(backward, &|set| set.shift_left(by));
        let [s0, c0] = half(a[0], b[0]);
        let [s1, c1] = full(a[1], b[1], c0);
        let [s2, s3] = full(a[2], b[2], c1);
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

    /// Returns the total number of moves that a piece on each square of `set` alone would block.
    #[inline(always)]
    pub(super) fn blocked_by(&self, set: Bitboard) -> u64 {
        // A sum of shifted counts would be vectorized, which is slower for six words.
        self.blocked
            .iter()
            .rev()
            .fold(0, |sum, &word| 2 * sum + u64::from((word & set.0).count_ones()))
    }
}

/// Adds two numbers in each bit position; returns sum and carry.
#[inline(always)]
fn half(a: Quad, b: Quad) -> [Quad; 2] {
    [a ^ b, a & b]
}

#[inline(always)]
fn full(a: Quad, b: Quad, c: Quad) -> [Quad; 2] {
    let either = a ^ b;
    [either ^ c, a & b | either & c]
}
