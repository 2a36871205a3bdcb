//! The compressed numbers of a table: recursive pairing followed by a canonical Huffman code.
//!
//! A symbol represents one number or two consecutive symbols, and therefore a sequence of numbers.
//! The code of a symbol has at least `min_length` bits. Codes of the same length are consecutive,
//! and longer codes have lower values. The codes fill blocks of equal size, and each block starts
//! with a new symbol.
//!
//! The numbers are divided into spans. For the number in the middle of each span, a sparse index
//! stores the block and the position in the block. From there, the other numbers are found with the
//! list of block lengths, which stores how many numbers each block contains.

use super::TableError;
use super::bytes::{Bytes, Header};

/// The numbers of a table for one side to move and one file of the leading pawn.
#[derive(Debug)]
pub(super) struct Pairs {
    /// The first byte of the header: the meaning of the numbers, and the side to move.
    pub flags: u8,
    coding: Coding,
}

/// The flag for a table in which all numbers are equal.
const SINGLE: u8 = 0x80;

#[derive(Debug)]
enum Coding {
    Single(u16),
    Coded(Code),
}

#[derive(Debug)]
struct Code {
    len: u64,
    block_bytes: usize,
    span: u64,
    blocks: u32,
    /// The number of entries in the list of block lengths, which includes padding.
    length_entries: u64,
    index_entries: u64,
    min_length: u32,
    /// For each code length, shortest first, the lowest symbol and its code. Codes are aligned to
    /// the highest bit.
    lowest: Vec<(u16, u64)>,
    symbols: Vec<Symbol>,
    /// The file offset of the sparse index.
    index_at: u64,
    /// The file offset of the block lengths.
    lengths_at: u64,
    /// The file offset of the blocks.
    blocks_at: u64,
}

/// A single number (`left`) if `right` is [`NONE`], otherwise a pair of symbols.
#[derive(Clone, Copy, Debug)]
struct Symbol {
    left: u16,
    right: u16,
    /// The number of values that the symbol expands to, minus one.
    more: u32,
}

const NONE: u16 = 0xfff;
const MAX_CODE_LENGTH: u32 = 32;
/// The size in bytes of an entry in the sparse index: a block (32 bits) and a position in the block
/// (16 bits).
const INDEX_ENTRY: u64 = 6;

impl Pairs {
    pub(super) fn read(header: &mut Header<'_>, len: u64) -> Result<Self, TableError> {
        let flags = header.u8()?;
        let coding = match flags & SINGLE {
            0 => Coding::Coded(Code::read(header, len)?),
            _ => Coding::Single(header.u8()?.into()),
        };
        Ok(Self { flags, coding })
    }

    /// Places the sparse index at the file offset `at`, and advances `at` past it.
    pub(super) fn place_index(&mut self, at: &mut u64) {
        if let Coding::Coded(code) = &mut self.coding {
            code.index_at = *at;
            *at += code.index_entries * INDEX_ENTRY;
        }
    }

    /// Places the block lengths at the file offset `at`, and advances `at` past them.
    pub(super) fn place_lengths(&mut self, at: &mut u64) {
        if let Coding::Coded(code) = &mut self.coding {
            code.lengths_at = *at;
            *at += code.length_entries * 2;
        }
    }

    /// Places the blocks at the next multiple of 64 bytes, and advances `at` past them.
    pub(super) fn place_blocks(&mut self, at: &mut u64) {
        if let Coding::Coded(code) = &mut self.coding {
            code.blocks_at = at.next_multiple_of(64);
            *at = code.blocks_at + u64::from(code.blocks) * code.block_bytes as u64;
        }
    }

    pub(super) fn get(&self, bytes: &Bytes, index: u64) -> Option<u16> {
        match &self.coding {
            Coding::Single(number) => Some(*number),
            Coding::Coded(code) => {
                let (block, place) = code.find(bytes, index)?;
                let at = code.blocks_at + u64::from(block) * code.block_bytes as u64;
                code.decode(&bytes.get(at, code.block_bytes)?, place)
            }
        }
    }
}

impl Code {
    fn read(header: &mut Header<'_>, len: u64) -> Result<Self, TableError> {
        let power = |header: &mut Header<'_>| match header.u8()? {
            bits @ 0..MAX_SIZE_POWER => Ok(1_u32 << bits),
            _ => Err(TableError::Damaged),
        };
        let block_bytes = power(header)? as usize;
        let span = u64::from(power(header)?);
        let padding = header.u8()?;
        let blocks = header.u32()?;
        let (max_length, min_length) = (u32::from(header.u8()?), u32::from(header.u8()?));
        if min_length > max_length || max_length > MAX_CODE_LENGTH || block_bytes < 4 {
            return Err(TableError::Damaged);
        }
        let count = (max_length - min_length + 1) as usize;
        let lowest = (0..count).map(|_| header.u16()).collect::<Result<Vec<_>, _>>()?;
        let symbol_count = usize::from(header.u16()?);
        let halves = header.take(symbol_count * 3)?;
        header.align();
        Ok(Self {
            len,
            block_bytes,
            span,
            blocks,
            length_entries: u64::from(blocks) + u64::from(padding),
            index_entries: len.div_ceil(span),
            min_length,
            lowest: lowest_codes(&lowest, min_length),
            symbols: symbols(halves)?,
            index_at: 0,
            lengths_at: 0,
            blocks_at: 0,
        })
    }

    /// Returns the block that contains the number at `index`, and the position of this number in
    /// the block. Returns `None` if `index` is out of range, or if the file is unreadable or
    /// damaged.
    fn find(&self, bytes: &Bytes, index: u64) -> Option<(u32, u32)> {
        if index >= self.len {
            return None;
        }
        let entry_at = self.index_at + index / self.span * INDEX_ENTRY;
        let entry = bytes.get(entry_at, INDEX_ENTRY as usize)?;
        let mut block = u32::from_le_bytes(*entry.first_chunk()?);
        let middle = u16::from_le_bytes(*entry.last_chunk()?);
        let mut place = i64::from(middle) + (index % self.span) as i64 - (self.span / 2) as i64;
        let len = |block: u32| {
            let at = self.lengths_at + u64::from(block) * 2;
            let exists = u64::from(block) < self.length_entries;
            exists.then(|| bytes.u16(at)).flatten().map(|more| i64::from(more) + 1)
        };
        while place < 0 {
            block = block.checked_sub(1)?;
            place += len(block)?;
        }
        loop {
            let numbers = len(block)?;
            if place < numbers {
                return Some((block, u32::try_from(place).ok()?));
            }
            place -= numbers;
            block += 1;
        }
    }

    /// Returns the number at position `place` in a block.
    fn decode(&self, block: &[u8], mut place: u32) -> Option<u16> {
        let (words, _) = block.as_chunks::<4>();
        let mut words = words.iter().map(|word| u64::from(u32::from_be_bytes(*word)));
        // The next bits, aligned to the highest bit, and the number of valid bits.
        let (mut bits, mut there) = (0_u64, 0_u32);
        let symbol = loop {
            if there <= 32 {
                // The last code of a block is followed by zeros.
                bits |= words.next().unwrap_or(0) << (32 - there);
                there += 32;
            }
            let step = self.lowest.iter().position(|&(_, code)| bits >= code)?;
            let (lowest, code) = self.lowest[step];
            let len = self.min_length + step as u32;
            let beyond = bits.wrapping_sub(code).checked_shr(64 - len).unwrap_or(0);
            let symbol = self.symbols.get(usize::from(lowest) + usize::try_from(beyond).ok()?)?;
            if place <= symbol.more {
                break symbol;
            }
            place -= symbol.more + 1;
            bits = bits.checked_shl(len)?;
            there = there.checked_sub(len)?;
        };
        self.descend(symbol, place)
    }

    /// Returns the number at position `place` in the sequence that a symbol represents.
    fn descend<'a>(&'a self, mut symbol: &'a Symbol, mut place: u32) -> Option<u16> {
        while symbol.right != NONE {
            let left = self.symbols.get(usize::from(symbol.left))?;
            if place <= left.more {
                symbol = left;
            } else {
                place -= left.more + 1;
                symbol = self.symbols.get(usize::from(symbol.right))?;
            }
        }
        Some(symbol.left)
    }
}

/// The exclusive upper bound on the exponents of block size and span, which are powers of 2.
const MAX_SIZE_POWER: u8 = 24;

/// Returns the lowest symbol and the lowest code for each code length, starting with `min_length`.
/// The codes of a length end where the codes of the next shorter length begin.
fn lowest_codes(lowest: &[u16], min_length: u32) -> Vec<(u16, u64)> {
    let mut codes = vec![(0, 0_u64); lowest.len()];
    let mut code = 0_u64;
    for (step, &symbol) in lowest.iter().enumerate().rev() {
        if let Some(&longer) = lowest.get(step + 1) {
            code = code.wrapping_add(symbol.into()).wrapping_sub(longer.into()) / 2;
        }
        let len = min_length + step as u32;
        codes[step] = (symbol, code.checked_shl(64 - len).unwrap_or(0));
    }
    codes
}

/// Parses the symbols, which have two halves of 12 bits each.
fn symbols(halves: &[u8]) -> Result<Vec<Symbol>, TableError> {
    let (halves, _) = halves.as_chunks::<3>();
    let split = |&[a, b, c]: &[u8; 3]| {
        let [a, b, c] = [a, b, c].map(u16::from);
        Symbol { left: (b & 0xf) << 8 | a, right: c << 4 | b >> 4, more: UNKNOWN }
    };
    let mut symbols: Vec<_> = halves.iter().map(split).collect();
    for index in 0..symbols.len() {
        measure(&mut symbols, index as u16, 0)?;
    }
    Ok(symbols)
}

const UNKNOWN: u32 = u32::MAX;
/// The maximum nesting depth of symbols. Symbol numbers have twelve bits.
const MAX_DEPTH: usize = 1 << 12;

/// Computes and returns `more` of the symbol at `index`, after computing it for both halves.
/// `depth` is the nesting depth.
fn measure(symbols: &mut [Symbol], index: u16, depth: usize) -> Result<u32, TableError> {
    let &Symbol { left, right, more } =
        symbols.get(usize::from(index)).ok_or(TableError::Damaged)?;
    if more != UNKNOWN {
        return Ok(more);
    }
    // In a damaged table, a symbol may contain itself.
    if depth > MAX_DEPTH {
        return Err(TableError::Damaged);
    }
    let more = match right {
        NONE => 0,
        _ => measure(symbols, left, depth + 1)? + measure(symbols, right, depth + 1)? + 1,
    };
    if more > u16::MAX.into() {
        return Err(TableError::Damaged);
    }
    symbols[usize::from(index)].more = more;
    Ok(more)
}
