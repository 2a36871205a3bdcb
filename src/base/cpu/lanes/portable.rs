//! [`Lanes`] without vector intrinsics. The methods are documented in `avx512.rs`.
#![allow(missing_docs)]

use std::array::from_fn;
use std::ops::Add;

#[derive(Clone, Copy, Debug)]
pub struct Lanes([u64; 8]);

const fn has(set: u8, lane: usize) -> bool {
    set >> lane & 1 == 1
}

impl Lanes {
    pub const ZERO: Self = Self([0; 8]);

    #[inline(always)]
    pub fn load(words: &[u64; 8]) -> Self {
        Self(*words)
    }
    #[inline(always)]
    pub fn words(self) -> [u64; 8] {
        self.0
    }
    #[inline(always)]
    pub fn splat(word: u64) -> Self {
        Self([word; 8])
    }
    #[inline(always)]
    pub fn halves(low: u64, high: u64) -> Self {
        Self(from_fn(|i| if i < 4 { low } else { high }))
    }
    #[inline(always)]
    pub fn only(set: u8, word: u64) -> Self {
        Self::splat(word).keep(set)
    }
    #[inline(always)]
    pub fn keep(self, set: u8) -> Self {
        Self(from_fn(|i| if has(set, i) { self.0[i] } else { 0 }))
    }
    #[inline(always)]
    pub fn compress_into(self, set: u8, words: &mut [u64; 8]) {
        let lanes = (0..8).filter(|&i| has(set, i)).map(|i| self.0[i]);
        words.iter_mut().zip(lanes).for_each(|(word, lane)| *word = lane);
    }
    #[inline(always)]
    pub fn pick(self, numbers: Self) -> Self {
        Self(numbers.0.map(|number| self.0[number as usize % 8]))
    }
    #[inline(always)]
    pub fn rotate_left(self, by: Self) -> Self {
        Self(from_fn(|i| self.0[i].rotate_left(by.0[i] as u32)))
    }
    #[inline(always)]
    pub fn shift(self, by: i8) -> Self {
        let bits = by.unsigned_abs();
        Self(self.0.map(|word| if by < 0 { word >> bits } else { word << bits }))
    }
    #[inline(always)]
    pub fn where_any(self, set: Self) -> Self {
        self & Self(set.0.map(|word| u64::from(word != 0).wrapping_neg()))
    }
    #[inline(always)]
    pub fn where_none(self, set: Self) -> Self {
        self - Self(set.0.map(|word| u64::from(word != 0).wrapping_neg()))
    }
    #[inline(always)]
    pub fn and_where(self, other: Self, set: Self) -> Self {
        (self - Self::splat(!0).where_any(set)) | (self & other)
    }
    #[inline(always)]
    pub fn where_few(self, set: Self) -> Self {
        self.where_none(Self(set.0.map(|word| word & word.wrapping_sub(1))))
    }
    #[inline(always)]
    pub fn counts(self) -> Self {
        Self(self.0.map(|word| u64::from(word.count_ones())))
    }
    #[inline(always)]
    pub fn sum(self) -> u64 {
        self.0.iter().fold(0, |sum, &word| sum.wrapping_add(word))
    }
    #[inline(always)]
    pub fn union(self) -> u64 {
        self.0.iter().fold(0, |union, word| union | word)
    }
    #[inline(always)]
    pub fn nonzero(self) -> u8 {
        (0..8).fold(0, |set, i| set | u8::from(self.0[i] != 0) << i)
    }
    #[inline(always)]
    pub fn many(self) -> u8 {
        Self(self.0.map(|word| word & word.wrapping_sub(1))).nonzero()
    }
    #[inline(always)]
    pub fn up_to_first<const BACKWARD: u8>(self) -> Self {
        Self(from_fn(|i| {
            let word = self.0[i];
            if has(BACKWARD, i) {
                (i64::MIN >> (word | 1).leading_zeros()) as u64
            } else {
                word ^ word.wrapping_sub(1)
            }
        }))
    }
}

portable_operators!(Lanes);

impl Add for Lanes {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(from_fn(|i| self.0[i].wrapping_add(other.0[i])))
    }
}
