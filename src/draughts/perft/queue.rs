//! What waits until there are eight of it, one for each lane.

use crate::base::cpu::Lanes;

const LANES: usize = 8;

/// Items of `N` words each, which come and go by lanes; the last come go first. Memory is kept to be
/// used again.
pub struct Queue<const N: usize> {
    /// A row for each word of an item. All are as long, a multiple of [`LANES`] and at least `len`.
    rows: [Vec<u64>; N],
    /// The number of items.
    len: usize,
}

impl<const N: usize> Queue<N> {
    pub const fn new() -> Self {
        Self { rows: [const { Vec::new() }; N], len: 0 }
    }

    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub const fn clear(&mut self) {
        self.len = 0;
    }

    /// Adds the items in a set of lanes.
    #[inline(always)]
    pub fn push(&mut self, items: [Lanes; N], set: u8) {
        for (row, lanes) in self.rows.iter_mut().zip(items) {
            if row.len() < self.len + LANES {
                lengthen(row);
            }
            if let Some(place) = row[self.len..].first_chunk_mut() {
                *place = lanes.compress(set).words();
            }
        }
        self.len += set.count_ones() as usize;
    }

    /// Removes eight items, if there are eight.
    #[inline(always)]
    pub fn pop(&mut self) -> Option<[Lanes; N]> {
        self.len = self.len.checked_sub(LANES)?;
        Some(self.load(self.len))
    }

    /// Adds items of zeros to those of the last load, if that is not full.
    pub fn fill(&mut self) {
        let missing = self.len.next_multiple_of(LANES) - self.len;
        self.push([Lanes::ZERO; N], (1u8 << missing) - 1);
    }

    /// The first `len` items, eight at a time, each time with the set of lanes that hold one.
    #[inline(always)]
    pub fn loads(&self, len: usize) -> impl Iterator<Item = ([Lanes; N], u8)> {
        (0..len).step_by(LANES).map(move |first| {
            let beyond = (first + LANES).saturating_sub(len);
            (self.load(first), 0xff >> beyond)
        })
    }

    /// All items, likewise.
    #[inline(always)]
    pub fn all_loads(&self) -> impl Iterator<Item = ([Lanes; N], u8)> {
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

    /// The row of a word of all items.
    #[inline(always)]
    pub fn row(&mut self, word: usize) -> &mut [u64] {
        &mut self.rows[word][..self.len]
    }
}

#[cold]
#[inline(never)]
fn lengthen(row: &mut Vec<u64>) {
    row.resize(2 * row.len() + LANES * LANES, 0);
}
