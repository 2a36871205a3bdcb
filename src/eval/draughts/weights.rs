//! The value of every weight, from `weights.bin`, which `adoube tune --game draughts` writes.
//!
//! The file holds for each weight the middle game and the endgame value, each a 16-bit integer, low
//! byte first, in eighths of a hundredth of a man; first the patterns, window by window, then the
//! terms in the order of [`TERMS`].

use super::patterns::{SIZE, WINDOWS};
use crate::eval::pair::Pair;

/// The unit of the weights: eighths of a hundredth of a man.
pub const UNIT: i32 = 8;

/// A term that is no pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Term {
    /// Each man.
    Man,
    /// The first king, the second, each further one.
    King,
    /// A king on the long diagonal, 5 to 46.
    LongDiagonal,
    /// Each square that a king can slide to.
    KingMobility,
    /// By the difference of the men on the left and the right half of the board.
    Balance,
    /// A man with no enemy piece ahead of it, if the opponent has no king; by the rows to go.
    Runaway,
    /// Each step that a man can make.
    Mobility,
    /// A king by its square, as its side sees the board.
    KingSquare,
    /// The side to move.
    Tempo,
}

/// Every term, and how many weights it has.
pub const TERMS: [(Term, usize); 9] = [
    (Term::Man, 1),
    (Term::King, 3),
    (Term::LongDiagonal, 1),
    (Term::KingMobility, 1),
    (Term::Balance, 10),
    (Term::Runaway, 10),
    (Term::Mobility, 1),
    (Term::KingSquare, 50),
    (Term::Tempo, 1),
];

/// Weights of the patterns.
pub const PATTERNS: usize = WINDOWS * SIZE;
const TERM_WEIGHTS: usize = 78;
/// All weights.
pub const COUNT: usize = PATTERNS + TERM_WEIGHTS;

impl Term {
    /// The place of the term's first weight after the patterns.
    #[inline(always)]
    pub const fn first(self) -> usize {
        const FIRSTS: [usize; TERMS.len()] = {
            let mut firsts = [0; TERMS.len()];
            let (mut i, mut sum) = (0, 0);
            while i < TERMS.len() {
                assert!(TERMS[i].0 as usize == i);
                firsts[i] = sum;
                sum += TERMS[i].1;
                i += 1;
            }
            assert!(sum == TERM_WEIGHTS);
            firsts
        };
        FIRSTS[self as usize]
    }
}

/// The weights of the evaluation.
#[derive(Clone, Debug)]
pub struct Weights {
    /// By window and pattern.
    pub patterns: [[Pair; SIZE]; WINDOWS],
    /// See [`Term::first`].
    pub terms: [Pair; TERM_WEIGHTS],
}

/// The weights in play.
pub static WEIGHTS: Weights = read(include_bytes!("weights.bin"));

#[allow(long_running_const_eval)]
const fn read(bytes: &[u8; 4 * COUNT]) -> Weights {
    const fn pair(bytes: &[u8], i: usize) -> Pair {
        let middle = i16::from_le_bytes([bytes[4 * i], bytes[4 * i + 1]]);
        Pair::new(middle, i16::from_le_bytes([bytes[4 * i + 2], bytes[4 * i + 3]]))
    }
    let mut weights =
        Weights { patterns: [[Pair::ZERO; SIZE]; WINDOWS], terms: [Pair::ZERO; TERM_WEIGHTS] };
    let mut i = 0;
    while i < COUNT {
        if i < PATTERNS {
            weights.patterns[i / SIZE][i % SIZE] = pair(bytes, i);
        } else {
            weights.terms[i - PATTERNS] = pair(bytes, i);
        }
        i += 1;
    }
    weights
}

impl Weights {
    /// All weights in a row, as middle game and endgame values in hundredths of a man.
    pub fn to_vec(&self) -> Vec<[f32; 2]> {
        let all = self.patterns.iter().flatten().chain(&self.terms);
        all.map(|w| [w.middle(), w.end()].map(|value| value as f32 / UNIT as f32)).collect()
    }

    /// The bytes of `weights.bin` for such a row.
    pub fn bytes(row: &[[f32; 2]]) -> Vec<u8> {
        let round = |value: f32| (value * UNIT as f32).round().clamp(-20_000.0, 20_000.0) as i16;
        row.iter().flatten().flat_map(|&value| round(value).to_le_bytes()).collect()
    }
}
