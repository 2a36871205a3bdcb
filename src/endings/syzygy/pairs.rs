//! The numbers of a table, compressed: recursive pairing, then a canonical Huffman code.
//!
//! A symbol stands for one number or for two symbols one after the other, and so for a run of numbers.
//! The code of a symbol has at least `shortest` bits; the codes of a length are consecutive, and longer
//! codes are lower. The code fills blocks of equal size, each of which begins with a symbol. A sparse
//! index says for every `span` numbers in which block and at which of its numbers the middle one of
//! them is; from there the lengths of the blocks lead on.

use super::TableError;
use super::bytes::{Bytes, Header};

/// Numbers of a table for one side to move and one file of the leading pawn.
#[derive(Debug)]
pub struct Pairs {
    /// The first byte of the header: how numbers are to be understood, and which side moves.
    pub flags: u8,
    coding: Coding,
}

/// All numbers are the same.
const SINGLE: u8 = 0x80;

#[derive(Debug)]
enum Coding {
    Single(u16),
    Coded(Code),
}

#[derive(Debug)]
struct Code {
    /// How many numbers there are.
    len: u64,
    block_bytes: usize,
    span: u64,
    blocks: u32,
    /// The number of entries of `lengths`, which has some more than there are blocks.
    length_entries: u64,
    index_entries: u64,
    /// The bits of the shortest code.
    shortest: u32,
    /// For each length of code, the shortest first: the lowest symbol, and the lowest code, from the
    /// highest bit of the word on.
    lowest: Vec<(u16, u64)>,
    symbols: Vec<Symbol>,
    /// Where in the file are the sparse index, the lengths of the blocks, and the blocks.
    index_at: u64,
    lengths_at: u64,
    blocks_at: u64,
}

/// A number if there is no right half; else two symbols.
#[derive(Clone, Copy, Debug)]
struct Symbol {
    left: u16,
    right: u16,
    /// How many numbers it stands for, less one.
    more: u32,
}

/// The right half of a symbol that stands for one number.
const NONE: u16 = 0xfff;
/// The longest code is shorter than this.
const MAX_CODE_LENGTH: u32 = 32;
/// An entry of the sparse index: a block, 32 bits, and a place among its numbers, 16 bits.
const INDEX_ENTRY: u64 = 6;

impl Pairs {
    /// Reads the header of `len` numbers.
    pub fn read(header: &mut Header<'_>, len: u64) -> Result<Self, TableError> {
        let flags = header.u8()?;
        let coding = match flags & SINGLE {
            0 => Coding::Coded(Code::read(header, len)?),
            _ => Coding::Single(header.u8()?.into()),
        };
        Ok(Self { flags, coding })
    }

    /// Gives the sparse index its place in the file at `at`, and moves `at` on.
    pub fn place_index(&mut self, at: &mut u64) {
        if let Coding::Coded(code) = &mut self.coding {
            code.index_at = *at;
            *at += code.index_entries * INDEX_ENTRY;
        }
    }

    /// The same for the lengths of the blocks.
    pub fn place_lengths(&mut self, at: &mut u64) {
        if let Coding::Coded(code) = &mut self.coding {
            code.lengths_at = *at;
            *at += code.length_entries * 2;
        }
    }

    /// The same for the blocks, which begin at a multiple of 64 bytes.
    pub fn place_blocks(&mut self, at: &mut u64) {
        if let Coding::Coded(code) = &mut self.coding {
            code.blocks_at = at.next_multiple_of(64);
            *at = code.blocks_at + u64::from(code.blocks) * code.block_bytes as u64;
        }
    }

    /// The number at `index`; `None` if the file is damaged.
    pub fn get(&self, bytes: &Bytes, index: u64) -> Option<u16> {
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
        let (longest, shortest) = (u32::from(header.u8()?), u32::from(header.u8()?));
        if shortest > longest || longest > MAX_CODE_LENGTH || block_bytes < 4 {
            return Err(TableError::Damaged);
        }
        let count = (longest - shortest + 1) as usize;
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
            shortest,
            lowest: lowest_codes(&lowest, shortest),
            symbols: symbols(halves)?,
            index_at: 0,
            lengths_at: 0,
            blocks_at: 0,
        })
    }

    /// The block that holds the number at `index`, and how many of the block's numbers come before it.
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
            let known = u64::from(block) < self.length_entries;
            known.then(|| bytes.u16(at)).flatten().map(|more| i64::from(more) + 1)
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

    /// The number of a block that comes after `place` others.
    fn decode(&self, block: &[u8], mut place: u32) -> Option<u16> {
        let (words, _) = block.as_chunks::<4>();
        let mut words = words.iter().map(|word| u64::from(u32::from_be_bytes(*word)));
        // The next bits, from the highest on, and how many of them are there.
        let (mut bits, mut there) = (0_u64, 0_u32);
        let symbol = loop {
            if there <= 32 {
                // Zeros follow a block's last code.
                bits |= words.next().unwrap_or(0) << (32 - there);
                there += 32;
            }
            let step = self.lowest.iter().position(|&(_, code)| bits >= code)?;
            let (lowest, code) = self.lowest[step];
            let len = self.shortest + step as u32;
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

    /// The number of a symbol that comes after `place` others.
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

/// Sizes of blocks and spans are powers of 2 below this power.
const MAX_SIZE_POWER: u8 = 24;

/// For each length of code from `shortest` on its lowest symbol and its lowest code. The codes of a
/// length end where those of the next shorter one begin.
fn lowest_codes(lowest: &[u16], shortest: u32) -> Vec<(u16, u64)> {
    let mut codes = vec![(0, 0_u64); lowest.len()];
    let mut code = 0_u64;
    for (step, &symbol) in lowest.iter().enumerate().rev() {
        if let Some(&longer) = lowest.get(step + 1) {
            code = code.wrapping_add(symbol.into()).wrapping_sub(longer.into()) / 2;
        }
        let len = shortest + step as u32;
        codes[step] = (symbol, code.checked_shl(64 - len).unwrap_or(0));
    }
    codes
}

/// The symbols, of whose halves there are 12 bits each.
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

/// The length of a symbol that has not been measured.
const UNKNOWN: u32 = u32::MAX;

/// Measures a symbol, and its halves before it; `depth` other symbols contain it.
fn measure(symbols: &mut [Symbol], index: u16, depth: usize) -> Result<u32, TableError> {
    let count = symbols.len();
    let &Symbol { left, right, more } =
        symbols.get(usize::from(index)).ok_or(TableError::Damaged)?;
    if more != UNKNOWN {
        return Ok(more);
    }
    // A symbol that contains itself has no end.
    if depth > count {
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
