//! The values of one material's positions in a file, in blocks that are read where they lie.
//!
//! ```text
//!  0  "adbb", the version
//!  5  own men, own kings, other men, other kings: how many, a byte each
//!  9  the order of the index's digits, first to last: a byte each, as in `Group::ALL`
//! 13  the length of the blocks' code in bytes, 32 bits, the lowest byte first
//! 17  CRC-32 of all other bytes of the table
//! 21  for each block of 256 indices 32 bits: 2^30 times the value that it begins with, 2^28 times
//!     its form, and where its code begins; then a word more with the code's end
//!     the code of the blocks
//! ```
//!
//! The code of a block is a byte for each index whose value is not that of the index before it. In
//! the forms 0 and 1 there are two values, the second being 1 or 2 more than the first (modulo 3).
//! In form 2 there are three; a bit for each change follows, from the lowest of each byte on, which
//! says whether the value grows by 1 or 2.
//!
//! Positions in which the side to move can capture, and indices that stand for no position, have no
//! value of their own; they repeat the one before. A file holds one table or several, one after the
//! other.

use super::index::{Group, Layout};
use super::material::{MAX_PIECES, Material};
use super::solve::Solved;
use super::{Bytes, Wdl};
use crate::base::side::Side;
use crate::draughts::Board;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Arc;

const MAGIC: &[u8] = b"adbb\x01";
const ORDER: usize = MAGIC.len() + 4;
const CODE_LEN: usize = ORDER + 4;
const CRC: usize = CODE_LEN + 4;
pub(super) const HEADER: usize = CRC + 4;

/// Indices in a block.
const BLOCK: u32 = 256;
/// Where in a block's word are its first value and its form, and the bits of the rest.
const VALUE: u32 = 30;
const FORM: u32 = 28;
const PLACE: u32 = (1 << FORM) - 1;
/// The form of blocks with three values.
const THREE: u32 = 2;

/// What is wrong with the bytes of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TableError {
    /// The first bytes are not those of a table.
    #[error("no table begins here, or one of another version")]
    Magic,
    /// The bytes end before the table does.
    #[error("the table is cut short")]
    Short,
    /// An impossible header.
    #[error("the table's header is damaged")]
    Header,
    /// More code than the blocks' words can point into.
    #[error("the values cannot be compressed to what a table holds")]
    Long,
    /// The checksum is wrong.
    #[error("the checksum of table {0} is wrong: it is damaged")]
    Checksum(Material),
}

/// One table.
#[derive(Clone, Debug)]
pub struct Table {
    bytes: Arc<Bytes>,
    material: Material,
    layout: Layout,
    /// Where in the bytes the blocks' words and their code lie.
    starts: Range<usize>,
    code: Range<usize>,
}

impl Table {
    /// Reads the table that begins at `at`, and checks it.
    pub(super) fn read(bytes: &Arc<Bytes>, at: usize) -> Result<Self, TableError> {
        let all = bytes.get(at..).ok_or(TableError::Short)?;
        let header = all.get(..HEADER).ok_or(TableError::Short)?;
        if !header.starts_with(MAGIC) {
            return Err(TableError::Magic);
        }
        let material = material(header).ok_or(TableError::Header)?;
        let order = order(&header[ORDER..CODE_LEN]).ok_or(TableError::Header)?;
        let layout = Layout::of(material).reordered(order);
        let starts = HEADER + 4 * (layout.len.div_ceil(BLOCK) + 1) as usize;
        let end = starts + number(header, CODE_LEN) as usize;
        let table = all.get(..end).ok_or(TableError::Short)?;
        if checksum(table) != number(header, CRC) {
            return Err(TableError::Checksum(material));
        }
        Ok(Self {
            bytes: Arc::clone(bytes),
            material,
            layout,
            starts: at + HEADER..at + starts,
            code: at + starts..at + end,
        })
    }

    /// Which pieces it covers.
    pub const fn material(&self) -> Material {
        self.material
    }

    /// Its bytes in the file.
    #[cfg(test)]
    pub(super) fn raw(&self) -> &[u8] {
        &self.bytes[self.starts.start - HEADER..self.code.end]
    }

    /// Its size in bytes.
    pub(super) const fn len(&self) -> u64 {
        (self.code.end - self.starts.start + HEADER) as u64
    }

    /// Where the table ends in its file.
    pub(super) const fn end(&self) -> usize {
        self.code.end
    }

    /// The value of a board of this material, on which `side`, to move, cannot capture.
    #[inline(always)]
    pub(super) fn value(&self, board: &Board, side: Side) -> Wdl {
        let index = self.layout.index(board, side);
        let bytes: &[u8] = &self.bytes;
        let at = self.starts.start + (index / BLOCK * 4) as usize;
        let (start, end) = (number(bytes, at), number(bytes, at + 4));
        let place = |word: u32| self.code.start + (word & PLACE) as usize;
        let code = bytes.get(place(start)..place(end)).unwrap_or_default();
        decode(start, code, index % BLOCK)
    }
}

/// The material that a header names, if it is one that can have a table.
fn material(header: &[u8]) -> Option<Material> {
    let &[own_men, own_kings, other_men, other_kings] = header[MAGIC.len()..].first_chunk()?;
    let material = Material { own_men, own_kings, other_men, other_kings };
    let groups = [own_men, own_kings, other_men, other_kings];
    (groups.iter().all(|&n| u32::from(n) < MAX_PIECES) && material.has_table()).then_some(material)
}

/// The number of pieces of the table whose header this is, if it is one.
pub(super) fn pieces(header: &[u8]) -> Option<u32> {
    let header = header.get(..HEADER)?;
    header.starts_with(MAGIC).then(|| material(header).map(Material::pieces))?
}

/// The value of a block's index `at`; `word` says how it begins.
#[inline(always)]
fn decode(word: u32, code: &[u8], at: u32) -> Wdl {
    let (first, form) = (word >> VALUE, word >> FORM & 3);
    let changes = if form == THREE { code.len() * 8 / 9 } else { code.len() };
    let (changes, steps) = code.split_at(changes);
    let passed: u32 = changes.iter().map(|&change| u32::from(u32::from(change) <= at)).sum();
    let added = if form == THREE {
        let mut left = passed;
        let ones = steps.iter().map(|byte| {
            let these = left.min(8);
            left -= these;
            (u32::from(*byte) & ((1 << these) - 1)).count_ones()
        });
        passed + ones.sum::<u32>()
    } else {
        (passed & 1) * (form + 1)
    };
    match (first + added) % 3 {
        0 => Wdl::Loss,
        1 => Wdl::Draw,
        _ => Wdl::Win,
    }
}

fn number(bytes: &[u8], at: usize) -> u32 {
    let number = bytes.get(at..).and_then(|bytes| bytes.first_chunk());
    number.map_or(0, |&number| u32::from_le_bytes(number))
}

/// The digits' order, if it names each group once.
fn order(bytes: &[u8]) -> Option<[Group; 4]> {
    let mut order = Group::ALL;
    for (group, &byte) in order.iter_mut().zip(bytes) {
        *group = *Group::ALL.get(usize::from(byte))?;
    }
    Group::ALL.iter().all(|group| order.contains(group)).then_some(order)
}

fn checksum(table: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&table[..CRC]);
    hasher.update(&table[HEADER..]);
    hasher.finalize()
}

/// The solved positions in another order.
struct Reordered<'a> {
    solved: &'a Solved,
    order: [Group; 4],
    /// The solved positions, in their own order.
    layout: Layout,
    len: u32,
}

impl Reordered<'_> {
    /// Calls `each` with the values from index `from` on, at most `number` of them.
    fn each(&self, from: u32, number: u32, mut each: impl FnMut(Option<Wdl>)) {
        let digits = self.order.map(|group| self.layout.radix[group as usize]);
        let strides = self.order.map(|group| self.layout.stride[group as usize]);
        let mut rest = from;
        let mut at = [0; 4];
        for i in (0..4).rev() {
            at[i] = rest % digits[i];
            rest /= digits[i];
        }
        for _ in 0..number.min(self.len.saturating_sub(from)) {
            let index: u32 = (0..4).map(|i| at[i] * strides[i]).sum();
            each(self.solved.get(index as usize));
            for i in (0..4).rev() {
                at[i] += 1;
                if at[i] < digits[i] || i == 0 {
                    break;
                }
                at[i] = 0;
            }
        }
    }

    /// The number of changes of value in a sample.
    fn changes(&self) -> u32 {
        const SAMPLES: u32 = 32;
        let mut changes = 0;
        for sample in 0..SAMPLES {
            let mut last = None;
            let from = u64::from(self.len) * u64::from(sample) / u64::from(SAMPLES);
            self.each(from as u32, 4 * BLOCK, |value| {
                changes += u32::from(value.is_some() && value != last);
                last = value.or(last);
            });
        }
        changes
    }
}

/// Writes a solved material as a table.
///
/// # Errors
/// [`TableError::Long`].
pub(super) fn encode(solved: &Solved) -> Result<Vec<u8>, TableError> {
    let layout = Layout::of(solved.material);
    let reordered = |order| Reordered { solved, order, layout, len: layout.len };
    let order = orders().into_par_iter().map(reordered).min_by_key(|r| (r.changes(), r.order));
    let order = order.unwrap_or_else(|| reordered(Group::ALL));

    let blocks = layout.len.div_ceil(BLOCK);
    let coded: Vec<_> = (0..blocks)
        .into_par_iter()
        .fold_chunks(1 << 10, Default::default, |coded: (Vec<(u32, usize)>, Vec<u8>), block| {
            let (mut starts, mut code) = coded;
            let start = code.len();
            let word = encode_block(&order, block, &mut code);
            starts.push((word, start));
            (starts, code)
        })
        .collect();

    let len: usize = coded.iter().map(|(_, code)| code.len()).sum();
    if len > PLACE as usize {
        return Err(TableError::Long);
    }
    let material = solved.material;
    let mut bytes = MAGIC.to_vec();
    bytes.extend([material.own_men, material.own_kings, material.other_men, material.other_kings]);
    bytes.extend(order.order.map(|group| group as u8));
    bytes.extend([0; 8]);
    let mut before = 0;
    for (starts, code) in &coded {
        for (word, start) in starts {
            bytes.extend((word | (before + start) as u32).to_le_bytes());
        }
        before += code.len();
    }
    bytes.extend((before as u32).to_le_bytes());
    for (_, code) in &coded {
        bytes.extend(code);
    }
    bytes[CODE_LEN..CRC].copy_from_slice(&(before as u32).to_le_bytes());
    let crc = checksum(&bytes);
    bytes[CRC..HEADER].copy_from_slice(&crc.to_le_bytes());
    Ok(bytes)
}

/// Adds the code of a block; returns its first value and its form, at their place in its word.
fn encode_block(order: &Reordered<'_>, block: u32, code: &mut Vec<u8>) -> u32 {
    let (mut first, mut now, mut at) = (None, 0, 0);
    let mut steps = Vec::new();
    order.each(block * BLOCK, BLOCK, |value| {
        if let Some(value) = value {
            let value = value as u32;
            if first.is_none() {
                (first, now) = (Some(value), value);
            }
            if value != now {
                code.push(at as u8);
                steps.push((value + 3 - now) % 3);
                now = value;
            }
        }
        at += 1;
    });
    let there_and_back = steps.chunks(2).all(|pair| {
        let there = steps[0];
        pair[0] == there && pair.get(1).is_none_or(|back| back + there == 3)
    });
    let form = if there_and_back { steps.first().map_or(0, |step| step - 1) } else { THREE };
    if form == THREE {
        let byte =
            |steps: &[u32]| steps.iter().rev().fold(0, |byte, step| byte << 1 | (step - 1) as u8);
        code.extend(steps.chunks(8).map(byte));
    }
    first.unwrap_or(Wdl::Draw as u32) << VALUE | form << FORM
}

/// The 24 orders of the groups.
fn orders() -> Vec<[Group; 4]> {
    let bytes = (0..=255_u8).map(|n| [n >> 6, n >> 4 & 3, n >> 2 & 3, n & 3]);
    bytes.filter_map(|bytes| order(&bytes)).collect()
}
