//! The transposition table, shared by all threads.
//!
//! The table is lockless, as described by Hyatt and Mann (*A lockless transposition-table
//! implementation for parallel search*, ICGA Journal 25/1, 2002). An entry consists of two words,
//! the data and the key xor the data. If two threads write at once and mix their words, the xor
//! does not restore the key and the probe is a miss. Four entries fill one cache line.

use super::depth::{Depth, Ply};
use super::report::Bound;
use super::score::Score;
use crate::base::cpu;
use rayon::prelude::*;
use std::collections::TryReserveError;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The best move, in the game's 16-bit encoding; 0 if there is none.
    pub m: u16,
    /// The score, with wins and losses relative to this node ([`Score::to_table`]).
    pub score: Score,
    /// The uncorrected static evaluation, or [`Score::NONE`].
    pub eval: Score,
    /// The search depth, -1 to 254.
    pub depth: Depth,
    /// The bound type of `score`; `None` for an entry that holds only an evaluation.
    pub bound: Option<Bound>,
    /// True if the node is or was on a principal variation.
    pub pv: bool,
}

impl Entry {
    // From the lowest bit: move (16 bits), score (16), evaluation (16), depth + 1 (8), bound (2),
    // PV (1), generation (5).
    fn pack(self, generation: u8) -> u64 {
        let bound = self.bound.map_or(0, |b| b as u64);
        u64::from(self.m)
            | u64::from(self.score.0 as i16 as u16) << 16
            | u64::from(self.eval.0 as i16 as u16) << 32
            | u64::from((self.depth.0 + 1).clamp(0, 255) as u8) << 48
            | (bound | u64::from(self.pv) << 2 | u64::from(generation) << 3) << 56
    }

    fn unpack(data: u64) -> Self {
        Self {
            m: data as u16,
            score: Score(i32::from((data >> 16) as i16)),
            eval: Score(i32::from((data >> 32) as i16)),
            depth: Depth(packed_depth(data) - 1),
            bound: match data >> 56 & 3 {
                1 => Some(Bound::Upper),
                2 => Some(Bound::Lower),
                3 => Some(Bound::Exact),
                _ => None,
            },
            pv: data >> 58 & 1 == 1,
        }
    }
}

impl Entry {
    /// Returns the entry's score if it causes a cutoff in a null window that ends at `beta`.
    #[inline(always)]
    pub fn cuts(&self, beta: Score, ply: Ply) -> Option<Score> {
        let score = self.score.from_table(ply);
        let decides = match self.bound? {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score < beta,
        };
        decides.then_some(score)
    }

    /// Returns the entry's score if the bound makes the score more accurate than the evaluation.
    #[inline(always)]
    pub fn improves(&self, eval: Score, ply: Ply) -> Option<Score> {
        let score = self.score.from_table(ply);
        let better = match self.bound? {
            Bound::Exact => true,
            Bound::Lower => score > eval,
            Bound::Upper => score < eval,
        };
        better.then_some(score)
    }
}

const fn packed_depth(data: u64) -> i32 {
    (data >> 48 & 0xff) as i32
}

const fn packed_generation(data: u64) -> u8 {
    (data >> 59) as u8
}

const GENERATIONS: u8 = 32;
const ENTRIES: usize = 4;

#[derive(Debug, Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

/// The entries in one cache line.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Cluster([Slot; ENTRIES]);

#[derive(Debug)]
pub struct Table {
    clusters: Vec<Cluster>,
    generation: AtomicU8,
}

impl Table {
    /// Creates an empty table of `megabytes` MB (of 2^20 bytes), or of 1 MB if `megabytes` is 0.
    /// The memory is cleared by the threads of the current rayon pool.
    ///
    /// # Errors
    /// Fails if there is not enough memory.
    pub fn new(megabytes: usize) -> Result<Self, TryReserveError> {
        let len = megabytes.max(1).saturating_mul((1 << 20) / size_of::<Cluster>());
        let mut clusters: Vec<Cluster> = Vec::new();
        clusters.try_reserve_exact(len)?;
        cpu::advise_huge_pages(clusters.spare_capacity_mut());
        clusters.par_extend((0..len).into_par_iter().map(|_| Cluster::default()));
        Ok(Self { clusters, generation: AtomicU8::new(0) })
    }

    pub fn clear(&mut self) {
        self.clusters.par_iter_mut().for_each(|cluster| *cluster = Cluster::default());
        self.generation = AtomicU8::new(0);
    }

    /// Starts a new generation, which ages the existing entries.
    pub fn new_search(&self) {
        let next = (self.generation.load(Ordering::Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Ordering::Relaxed);
    }

    #[inline(always)]
    fn cluster(&self, key: u64) -> &Cluster {
        let index = (u128::from(key) * self.clusters.len() as u128) >> 64;
        &self.clusters[index as usize]
    }

    /// Prefetches the cluster of a key, to hide the memory latency of the later [`Self::probe`].
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        cpu::prefetch(self.cluster(key));
    }

    #[inline(always)]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        self.cluster(key).0.iter().find_map(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            let check = slot.check.load(Ordering::Relaxed);
            (check ^ data == key && data != 0).then(|| Entry::unpack(data))
        })
    }

    /// Stores an entry, unless a much deeper entry of the same position must be kept. The entry
    /// replaces an earlier entry of the same position if there is one, otherwise the least valuable
    /// entry of the cluster. The value of an entry is its depth minus four plies per generation of
    /// age.
    #[inline]
    pub fn store(&self, key: u64, mut entry: Entry) {
        let generation = self.generation.load(Ordering::Relaxed);
        let cluster = self.cluster(key);
        let mut victim = &cluster.0[0];
        let mut lowest = i32::MAX;
        for slot in &cluster.0 {
            let data = slot.data.load(Ordering::Relaxed);
            if data == 0 {
                victim = slot;
                break;
            }
            if slot.check.load(Ordering::Relaxed) ^ data == key {
                // Keep the old move if the new entry has none. Keep the whole old entry if it is
                // from this search and much deeper, unless the new score is exact.
                let old = Entry::unpack(data);
                if entry.m == 0 {
                    entry.m = old.m;
                }
                if entry.bound != Some(Bound::Exact)
                    && old.bound.is_some()
                    && entry.depth + 4 + 2 * i32::from(entry.pv) <= old.depth
                    && packed_generation(data) == generation
                {
                    return;
                }
                victim = slot;
                break;
            }
            let age = (generation + GENERATIONS - packed_generation(data)) % GENERATIONS;
            let value = packed_depth(data) - 4 * i32::from(age);
            if value < lowest {
                lowest = value;
                victim = slot;
            }
        }
        let data = entry.pack(generation);
        victim.data.store(data, Ordering::Relaxed);
        victim.check.store(key ^ data, Ordering::Relaxed);
    }

    /// Returns the share (in per mille) of entries written by this search, estimated from a sample.
    pub fn hashfull(&self) -> u32 {
        let generation = self.generation.load(Ordering::Relaxed);
        let sample = &self.clusters[..self.clusters.len().min(250)];
        let full = sample
            .iter()
            .flat_map(|cluster| &cluster.0)
            .map(|slot| slot.data.load(Ordering::Relaxed))
            .filter(|&data| data != 0 && packed_generation(data) == generation)
            .count();
        (full * 1000 / (sample.len() * ENTRIES).max(1)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: Entry = Entry {
        m: 77,
        score: Score(-31_990),
        eval: Score::NONE,
        depth: Depth(12),
        bound: Some(Bound::Lower),
        pv: true,
    };

    #[test]
    fn stores_and_probes_entries() {
        let table = Table::new(1).expect("a megabyte");
        for (depth, bound) in [(-1, None), (0, Some(Bound::Upper)), (200, Some(Bound::Exact))] {
            let entry = Entry { depth: Depth(depth), bound, ..ENTRY };
            let key = 0x1234_5678_9abc_def0 ^ depth as u64;
            table.store(key, entry);
            assert_eq!(table.probe(key), Some(entry));
            assert_eq!(table.probe(key ^ 1), None);
        }
    }

    #[test]
    fn replaces_the_shallowest_entry() {
        let table = Table::new(1).expect("a megabyte");
        // Keys that differ only in their low bits share a cluster.
        for (key, depth) in [(1, 9), (2, 3), (3, 7), (4, 8)] {
            table.store(key, Entry { depth: Depth(depth), ..ENTRY });
        }
        table.store(5, Entry { depth: Depth(1), ..ENTRY });
        assert_eq!(table.probe(2), None);
        assert!(table.probe(1).is_some() && table.probe(5).is_some());
        table.store(1, Entry { m: 0, bound: Some(Bound::Exact), ..ENTRY });
        assert_eq!(table.probe(1).map(|entry| entry.m), Some(77), "the old move stays");
    }
}
