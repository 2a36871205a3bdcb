//! The file format of a bitbase: for each table, the values of all positions with the same
//! material, compressed in blocks with random access.
//!
//! ```text
//!  0  "adbb", and a byte for the variant: 1 normal, 2 killer, 3 breakthrough, 4 Frisian, 5 losing
//!  5  a byte each: the numbers of own men, own kings, other men, other kings
//!  9  a byte each: the order of the groups' digits in the index, most significant first, as
//!     indices in `Group::ALL`; the digits of the Frisian king runs come before them
//! 13  the total length of the blocks' code in bytes, as a 32-bit word, little-endian
//! 17  CRC-32 of all other bytes of the table
//! 21  a 32-bit word for each block of 256 indices: bits 30-31 the block's first value (0 loss,
//!     1 draw, 2 win), bits 28-29 its form, bits 0-27 the offset of its code
//!     a further word with the offset of the end of the code
//!     the code of the blocks
//! ```
//!
//! The code of a block contains a byte for each change of value: the index, within the block, at
//! which the new value starts. In forms 0 and 1, the block alternates between two values, and the
//! second value is the first plus 1 or 2 (modulo 3). In form 2, the block has three values, and the
//! code also contains a bit for each change, starting with the lowest bit of each byte. The value
//! increases by 1 (modulo 3) if the bit is 0, and by 2 if the bit is 1.
//!
//! Positions with a capture have no value, and neither do indices that do not denote a position. In
//! the table, they repeat the previous value of the block or, at its start, the next value. A file
//! contains one or more consecutive tables.

use super::index::{Group, Layout};
use super::material::{MAX_PIECES, Material};
use super::solve::Solved;
use super::{Bytes, Node, Wdl};
use crate::draughts::Variant;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Arc;

const MAGIC: &[u8] = b"adbb";
const MATERIAL: usize = MAGIC.len() + 1;
const ORDER: usize = MATERIAL + 4;
const CODE_LEN: usize = ORDER + 4;
const CRC: usize = CODE_LEN + 4;
pub(super) const HEADER: usize = CRC + 4;

/// The number of indices per block.
const BLOCK: u32 = 256;
// Within the word of a block: the bit position of the first value, the bit position of the form,
// and the mask of the offset.
const VALUE: u32 = 30;
const FORM: u32 = 28;
const PLACE: u32 = (1 << FORM) - 1;
/// The form of blocks with three values.
const THREE: u32 = 2;

/// The reason why a table cannot be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TableError {
    /// The table does not begin with the magic bytes and the number of a variant.
    #[error("not a bitbase, or a bitbase of another version")]
    Magic,
    /// The table is of another variant.
    #[error("the table is for the variant {found}, not for {expected}")]
    Variant {
        /// The variant of the table.
        found: Variant,
        /// The variant of the set to which the table was to be added.
        expected: Variant,
    },
    /// The file ends within the table.
    #[error("the table is truncated")]
    Short,
    /// The header is invalid.
    #[error("the table's header is damaged")]
    Header,
    /// The code is too long for the 28-bit offsets.
    #[error("the compressed values exceed the maximum size of a table")]
    Long,
    /// The checksum of the table with this material is wrong.
    #[error("table {0} is damaged (wrong checksum)")]
    Checksum(Material),
}

#[derive(Clone, Debug)]
pub(super) struct Table {
    bytes: Arc<Bytes>,
    variant: Variant,
    material: Material,
    layout: Layout,
    /// The byte range of the block words.
    starts: Range<usize>,
    /// The byte range of the block codes.
    code: Range<usize>,
}

impl Table {
    /// Reads and checks the table at offset `at`.
    pub(super) fn read(bytes: &Arc<Bytes>, at: usize) -> Result<Self, TableError> {
        let all = bytes.get(at..).ok_or(TableError::Short)?;
        let header = all.get(..HEADER).ok_or(TableError::Short)?;
        let variant = variant(header).ok_or(TableError::Magic)?;
        let material = material(header, variant).ok_or(TableError::Header)?;
        let order = order(&header[ORDER..CODE_LEN]).ok_or(TableError::Header)?;
        let layout = Layout::of(variant, material).reordered(order);
        let starts = HEADER + 4 * (layout.len.div_ceil(BLOCK) + 1) as usize;
        let end = starts + number(header, CODE_LEN) as usize;
        let table = all.get(..end).ok_or(TableError::Short)?;
        if checksum(table) != number(header, CRC) {
            return Err(TableError::Checksum(material));
        }
        Ok(Self {
            bytes: Arc::clone(bytes),
            variant,
            material,
            layout,
            starts: at + HEADER..at + starts,
            code: at + starts..at + end,
        })
    }

    pub(super) const fn variant(&self) -> Variant {
        self.variant
    }

    pub(super) const fn material(&self) -> Material {
        self.material
    }

    #[cfg(test)]
    pub(super) fn raw(&self) -> &[u8] {
        &self.bytes[self.starts.start - HEADER..self.code.end]
    }

    /// Returns the size of the table in bytes.
    pub(super) const fn len(&self) -> u64 {
        (self.code.end - self.starts.start + HEADER) as u64
    }

    /// Returns the offset of the table's end in its file.
    pub(super) const fn end(&self) -> usize {
        self.code.end
    }

    /// Returns the value of a position with this material and without captures.
    #[inline(always)]
    pub(super) fn value(&self, node: &Node) -> Wdl {
        let index = self.layout.index(node);
        let bytes: &[u8] = &self.bytes;
        let at = self.starts.start + (index / BLOCK * 4) as usize;
        let (start, end) = (number(bytes, at), number(bytes, at + 4));
        let place = |word: u32| self.code.start + (word & PLACE) as usize;
        let code = bytes.get(place(start)..place(end)).unwrap_or_default();
        decode(start, code, index % BLOCK)
    }
}

/// Parses the variant in a header. Returns `None` if this is not the header of a table.
fn variant(header: &[u8]) -> Option<Variant> {
    let (&number, _) = header.strip_prefix(MAGIC)?.split_first()?;
    Variant::ALL.get(usize::from(number).checked_sub(1)?).copied()
}

/// Parses the material in a header. Returns `None` if the material cannot have a table.
fn material(header: &[u8], variant: Variant) -> Option<Material> {
    let &[own_men, own_kings, other_men, other_kings] = header[MATERIAL..].first_chunk()?;
    let material = Material { own_men, own_kings, other_men, other_kings };
    let groups = [own_men, own_kings, other_men, other_kings];
    let fits = groups.iter().all(|&n| u32::from(n) < MAX_PIECES);
    (fits && material.has_table(variant)).then_some(material)
}

/// Returns the number of pieces of the table with this header, or `None` if the header is invalid.
pub(super) fn pieces(header: &[u8]) -> Option<u32> {
    let header = header.get(..HEADER)?;
    material(header, variant(header)?).map(Material::pieces)
}

/// Returns the value at index `at` in a block. `word` contains the first value and the form.
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

/// Parses the order of the digits. Returns `None` unless each group occurs exactly once.
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

/// Solved positions, indexed with the digits in the order `order`.
struct Reordered<'a> {
    solved: &'a Solved,
    order: [Group; 4],
    /// The layout of `solved`, with the digits in the order of [`Group::ALL`].
    layout: Layout,
    len: u32,
}

impl Reordered<'_> {
    /// Calls `each` for up to `number` values, starting at index `from`.
    fn each(&self, from: u32, number: u32, mut each: impl FnMut(Option<Wdl>)) {
        let digits = self.order.map(|group| self.layout.radix[group as usize]);
        let strides = self.order.map(|group| self.layout.stride[group as usize]);
        let mut rest = from % self.layout.base;
        let mut runs = from / self.layout.base * self.layout.base;
        let mut at = [0; 4];
        for i in (0..4).rev() {
            at[i] = rest % digits[i];
            rest /= digits[i];
        }
        for _ in 0..number.min(self.len.saturating_sub(from)) {
            let index: u32 = (0..4).map(|i| at[i] * strides[i]).sum();
            each(self.solved.get((runs + index) as usize));
            for i in (0..4).rev() {
                at[i] += 1;
                if at[i] < digits[i] {
                    break;
                }
                at[i] = 0;
                if i == 0 {
                    runs += self.layout.base;
                }
            }
        }
    }

    /// Counts how often the value changes within a sample of the indices.
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

/// Encodes the values of solved positions. The digits of the index are put in the order that gives
/// the fewest changes of value from one index to the next, as estimated from a sample.
pub(super) fn encode(solved: &Solved) -> Result<Vec<u8>, TableError> {
    let layout = Layout::of(solved.variant, solved.material);
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
    bytes.push(1 + solved.variant as u8);
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

/// Appends the code of a block to `code`. Returns the word of the block (first value and form),
/// with an offset of 0.
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

fn orders() -> Vec<[Group; 4]> {
    let bytes = (0..=255_u8).map(|n| [n >> 6, n >> 4 & 3, n >> 2 & 3, n & 3]);
    bytes.filter_map(|bytes| order(&bytes)).collect()
}
