//! A queue that collects items until there are eight of them, one per lane.

use crate::base::cpu::Lanes;

const LANES: usize = 8;

/// A queue of items with `N` words each. Items are popped in groups of eight, newest group first.
/// The memory of popped items is reused.
pub(super) struct Queue<const N: usize> {
    /// One row per word of an item. All rows have the same length, which is a multiple of [`LANES`]
    /// and at least `len`.
    rows: [Vec<u64>; N],
    len: usize,
}

impl<const N: usize> Queue<N> {
    pub(super) const fn new() -> Self {
        Self { rows: [const { Vec::new() }; N], len: 0 }
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(super) const fn clear(&mut self) {
        self.len = 0;
    }

    #[inline(always)]
    pub(super) fn push(&mut self, items: [Lanes; N], set: u8) {
        for (row, lanes) in self.rows.iter_mut().zip(items) {
            if row.len() < self.len + LANES {
                lengthen(row);
            }
            if let Some(place) = row[self.len..].first_chunk_mut() {
                lanes.compress_into(set, place);
            }
        }
        self.len += set.count_ones() as usize;
    }

    #[inline(always)]
    pub(super) fn pop(&mut self) -> Option<[Lanes; N]> {
        self.len = self.len.checked_sub(LANES)?;
        Some(self.load(self.len))
    }

    /// Pads the last, incomplete group of eight with zero items.
    pub(super) fn fill(&mut self) {
        let missing = self.len.next_multiple_of(LANES) - self.len;
        self.push([Lanes::ZERO; N], (1u8 << missing) - 1);
    }

    /// Returns the first `len` items in groups of eight, each with a mask of the occupied lanes.
    #[inline(always)]
    pub(super) fn loads(&self, len: usize) -> impl Iterator<Item = ([Lanes; N], u8)> {
        (0..len).step_by(LANES).map(move |first| {
            let beyond = (first + LANES).saturating_sub(len);
            (self.load(first), 0xff >> beyond)
        })
    }

    #[inline(always)]
    pub(super) fn all_loads(&self) -> impl Iterator<Item = ([Lanes; N], u8)> {
        self.loads(self.len)
    }

    #[inline(always)]
    fn load(&self, first: usize) -> [Lanes; N] {
        let mut items = [Lanes::ZERO; N];
        for (lanes, row) in items.iter_mut().zip(&self.rows) {
            if let Some(words) = row[first..].first_chunk() {
                *lanes = Lanes::load(words);
            }
        }
        items
    }

    #[inline(always)]
    pub(super) fn row(&mut self, word: usize) -> &mut [u64] {
        &mut self.rows[word][..self.len]
    }
}

#[cold]
#[inline(never)]
fn lengthen(row: &mut Vec<u64>) {
    row.resize(2 * row.len() + LANES * LANES, 0);
}
