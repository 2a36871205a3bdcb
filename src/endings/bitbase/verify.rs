//! Checking tables against the rules: every value against those one ply later.

use super::index::{Group, Layout, sets};
use super::material::Material;
use super::{Bitbases, Wdl};
use crate::base::shard::Shard;
use crate::base::side::Side;
use crate::draughts::{Board, movegen};
use rayon::prelude::*;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

/// What a check found in a table, as numbers of positions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// Positions that are lost, drawn and won for the side to move and correct in the table.
    pub values: [u64; 3],
    /// Positions with captures, whose value follows from the captures and is not in the table.
    pub captures: u64,
    /// Positions whose value is not the best of those one ply later.
    pub wrong: u64,
    /// One of the wrong positions.
    pub example: Option<Board>,
}

impl Findings {
    /// The number of all positions.
    pub fn positions(&self) -> u64 {
        self.values.iter().sum::<u64>() + self.wrong
    }

    /// Adds up what was found in two parts.
    pub fn and(mut self, other: Self) -> Self {
        for (sum, more) in self.values.iter_mut().zip(other.values) {
            *sum += more;
        }
        self.captures += other.captures;
        self.wrong += other.wrong;
        self.example = self.example.or(other.example);
        self
    }
}

/// Indices in a block.
const CHUNK: u32 = 1 << 12;

/// The number of blocks of a material.
const fn chunks(material: Material) -> u32 {
    Layout::of(material).len.div_ceil(CHUNK)
}

/// How many indices a share of a material has, but for the last block's.
pub fn indices(material: Material, shard: Shard) -> u64 {
    shard.count(chunks(material) as usize) as u64 * u64::from(CHUNK)
}

/// Plays every move of every position (White to move) of a material, or of a share of its blocks, and
/// compares its value with the best of what they lead to. `None` if `stop` was set. `tick` is called
/// with the number of indices processed.
pub fn verify(
    bitbases: &Bitbases,
    material: Material,
    shard: Shard,
    stop: &AtomicBool,
    tick: &(dyn Fn(u64) + Sync),
) -> Option<Findings> {
    let layout = Layout::of(material);
    let sizes = Layout::sizes(material);
    let groups = [0, 1, 2, 3].map(|i| sets(Group::ALL[i], sizes[i]));
    let chunk = |chunk| {
        if stop.load(Relaxed) {
            return None;
        }
        let mut findings = Findings::default();
        let indices = chunk * CHUNK..layout.len.min((chunk + 1) * CHUNK);
        tick(indices.len() as u64);
        for index in indices {
            let digits = layout.split(index);
            let set = |group: Group| groups[group as usize][digits[group as usize] as usize];
            if let Some(board) = Board::of_groups(
                [set(Group::OwnMen), set(Group::OtherMen)],
                [set(Group::OwnKings), set(Group::OtherKings)],
            ) {
                findings.look_at(&board, bitbases);
            }
        }
        Some(findings)
    };
    let chunks = (0..chunks(material)).into_par_iter().filter(|&chunk| shard.has(chunk as usize));
    chunks.map(chunk).try_reduce(Findings::default, |a, b| Some(a.and(b)))
}

impl Findings {
    /// Looks at one position, White to move.
    fn look_at(&mut self, board: &Board, bitbases: &Bitbases) {
        let mut best = Some(Wdl::Loss);
        movegen::each_move(board, Side::White, |m| {
            let after = board.after(Side::White, m.from, m.to, m.taken);
            bitbases.improve(&mut best, &after, Side::Black);
        });
        self.captures += u64::from(movegen::can_capture(board, Side::White));
        match bitbases.value(board, Side::White) {
            Some(value) if Some(value) == best => self.values[value as usize] += 1,
            _ => {
                self.wrong += 1;
                self.example = self.example.or(Some(*board));
            }
        }
    }
}
