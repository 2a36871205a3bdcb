//! Verifies tables by comparing every value with the values after one ply.

use super::index::{Group, Layout, sets};
use super::material::Material;
use super::{Bitbases, Node, Wdl};
use crate::base::shard::Shard;
use crate::draughts::{Board, Variant};
use rayon::prelude::*;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

/// Counts of positions found by verification.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Findings {
    /// The numbers of positions with a correct value: losses, draws and wins for the side to move,
    /// in that order.
    pub values: [u64; 3],
    /// The number of positions with captures. The values of these positions are not stored, because
    /// they follow from the captures.
    pub captures: u64,
    /// The number of positions whose value differs from the best value after one ply.
    pub wrong: u64,
    pub example: Option<Board>,
}

impl Findings {
    pub fn positions(&self) -> u64 {
        self.values.iter().sum::<u64>() + self.wrong
    }

    /// Adds the findings of another chunk or shard.
    pub(crate) fn and(mut self, other: Self) -> Self {
        for (sum, more) in self.values.iter_mut().zip(other.values) {
            *sum += more;
        }
        self.captures += other.captures;
        self.wrong += other.wrong;
        self.example = self.example.or(other.example);
        self
    }
}

/// The number of indices per chunk.
const CHUNK: u32 = 1 << 12;

const fn chunks(variant: Variant, material: Material) -> u32 {
    Layout::of(variant, material).len.div_ceil(CHUNK)
}

/// Returns the number of indices in a shard of the table for `material`. A partial last chunk
/// counts as full.
pub(crate) fn indices(variant: Variant, material: Material, shard: Shard) -> u64 {
    shard.count(chunks(variant, material) as usize) as u64 * u64::from(CHUNK)
}

/// Verifies the table for `material`: the value of every position with White to move must equal the
/// best value after one move. Only the chunks in `shard` are verified. `tick` is called with the
/// number of indices in each chunk. Returns `None` if `stop` was set.
pub(crate) fn verify(
    bitbases: &Bitbases,
    material: Material,
    shard: Shard,
    stop: &AtomicBool,
    tick: &(dyn Fn(u64) + Sync),
) -> Option<Findings> {
    let layout = Layout::of(bitbases.variant(), material);
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
                findings.verify_position(&layout.node(index, board), bitbases);
            }
        }
        Some(findings)
    };
    let chunks = (0..chunks(bitbases.variant(), material)).into_par_iter();
    let chunks = chunks.filter(|&chunk| shard.contains(chunk as usize));
    chunks.map(chunk).try_reduce(Findings::default, |a, b| Some(a.and(b)))
}

impl Findings {
    /// Verifies one position with White to move.
    fn verify_position(&mut self, node: &Node, bitbases: &Bitbases) {
        let variant = bitbases.variant();
        let (mut best, mut has_moves) = (Some(Wdl::Loss), false);
        variant.each_move(&node.board, node.side, node.tired_king(), |m| {
            has_moves = true;
            bitbases.improve(&mut best, &node.after(variant, m));
        });
        if !has_moves {
            best = Some(Wdl::without_moves(variant));
        }
        self.captures += u64::from(variant.can_capture(&node.board, node.side));
        match bitbases.value(node) {
            Some(value) if Some(value) == best => self.values[value as usize] += 1,
            _ => {
                self.wrong += 1;
                self.example = self.example.or(Some(node.board));
            }
        }
    }
}
