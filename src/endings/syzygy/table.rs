//! A single table file: its header, and the number stored for a position.
//!
//! ```text
//! the magic number, 32 bits
//! flags: 1 if the sides have different pieces, 2 if there are pawns
//! for each file of the leading pawn, a to d (once if there are no pawns):
//!     the order of the groups, then the pieces, with a nibble for each side to move
//! for each of these files, for each stored side to move: the header of its numbers
//! DTZ only, for each of these files with translated numbers: four lists that translate them
//! the sparse indices, then the lengths of the blocks, then the blocks
//! ```
//!
//! The format follows Ronald de Man's generator (github.com/syzygy1/tb).

use super::bytes::{Bytes, Header};
use super::checksum;
use super::index::{Layout, Pieces};
use super::material::Material;
use super::pairs::Pairs;
use super::{TableError, Wdl};
use crate::base::side::Side;
use crate::chess::{Board, Kind};
use arrayvec::ArrayVec;
use once_cell::sync::OnceCell;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The meaning of a table's numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Measure {
    Wdl,
    /// The distance to the next capture or pawn move that keeps the value.
    Dtz,
}

impl Measure {
    const MAGIC_LEN: usize = 4;

    const fn magic(self) -> [u8; Self::MAGIC_LEN] {
        match self {
            Self::Wdl => [0x71, 0xe8, 0x23, 0x5d],
            Self::Dtz => [0xd7, 0x66, 0x0c, 0xa5],
        }
    }

    pub(super) const fn extension(self) -> &'static str {
        match self {
            Self::Wdl => "rtbw",
            Self::Dtz => "rtbz",
        }
    }
}

/// An upper bound on the size of a header in bytes.
const MAX_HEADER: u64 = 1 << 18;
/// The size of a file without its checksum is a multiple of this number of bytes.
const UNIT: u64 = 64;

// Flags that describe the numbers in a DTZ table.
const BLACK_TO_MOVE: u8 = 1;
const TRANSLATED: u8 = 2;
const WIN_IN_PLIES: u8 = 4;
const LOSS_IN_PLIES: u8 = 8;
const WIDE: u8 = 16;

/// A table file. [`Self::open`] reads and checks the header. Probes read the numbers.
#[derive(Debug)]
pub(super) struct Table {
    path: PathBuf,
    material: Material,
    /// The parts, indexed by the file of the leading pawn and the side to move. DTZ tables and
    /// symmetric tables have one part per file of the leading pawn.
    parts: ArrayVec<ArrayVec<Part, { Side::NUM }>, 4>,
    /// The bytes of the file, or `None` after a read error.
    bytes: OnceCell<Option<Bytes>>,
    is_disabled: AtomicBool,
}

#[derive(Debug)]
struct Part {
    layout: Layout,
    pairs: Pairs,
    /// The lists that translate the stored numbers, one list each for wins, losses, cursed wins and
    /// blessed losses. The lists are empty if the numbers are not translated.
    translation: [Vec<u16>; 4],
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Found {
    Number(u16),
    /// A number from a DTZ table, in plies.
    Plies(Plies),
    /// The table stores only positions with the other side to move.
    OtherSide,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Plies {
    pub plies: u16,
    /// True if the table counts full moves, so that the true number may be one higher.
    pub rounded: bool,
}

impl Table {
    /// Opens a file, and checks that its header fits `material` and that the file is complete. The
    /// checksum is not verified (see [`Self::verify`]).
    pub(super) fn open(
        path: &Path,
        measure: Measure,
        material: Material,
    ) -> Result<Self, TableError> {
        // To open a pipe would wait for a writer.
        let metadata = fs::metadata(path)?;
        if !metadata.is_file() {
            return Err(TableError::NoFile);
        }
        let mut file = File::open(path)?;
        let mut start = Vec::new();
        file.by_ref().take(MAX_HEADER).read_to_end(&mut start)?;
        let mut header = Header::new(&start);
        if header.take(Measure::MAGIC_LEN)? != measure.magic() {
            return Err(TableError::Magic);
        }
        let (parts, end) = parts(&mut header, measure, &material)?;
        let (len, whole) = (metadata.len(), end.next_multiple_of(UNIT) + checksum::LEN);
        if len < whole {
            return Err(TableError::Cut { len, whole });
        }
        Ok(Self {
            path: path.to_owned(),
            material,
            parts,
            bytes: OnceCell::new(),
            is_disabled: AtomicBool::new(false),
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Makes all later probes fail.
    pub(super) fn disable(&self) {
        self.is_disabled.store(true, Relaxed);
    }

    /// Verifies the checksum of the file.
    pub(super) fn verify(&self) -> Result<(), TableError> {
        let mut file = File::open(&self.path)?;
        let len = file.metadata()?.len();
        let computed = checksum::of_file(&mut file, len)?;
        let mut stored = Vec::new();
        file.read_to_end(&mut stored)?;
        if stored == computed { Ok(()) } else { Err(TableError::Checksum) }
    }

    /// Returns the number stored for a board, or `None` if the file is unreadable or damaged. The
    /// board must have the material of the table, possibly with the sides exchanged. For a DTZ
    /// table, `wdl` must be the value of the position; for a WDL table it must be `None`.
    pub(super) fn probe(&self, board: &Board, side: Side, wdl: Option<Wdl>) -> Option<Found> {
        let material = Material::of(board);
        let symmetric = self.material.is_symmetric();
        let exchanged = material != self.material || symmetric && side == Side::Black;
        let to_move = if exchanged { !side } else { side };
        let pieces = Pieces::of(board, exchanged);
        let first = self.parts.first()?.first()?;
        let file = match self.material.has_pawns() {
            true => pieces.leading_file(first.layout.leading_side())?,
            false => 0,
        };
        let sides = self.parts.get(file)?;
        let part = sides.get(to_move.index()).or(sides.first())?;
        let of_black = part.pairs.flags & BLACK_TO_MOVE != 0;
        let of_both = symmetric && !self.material.has_pawns();
        if wdl.is_some() && of_black == to_move.is_white() && !of_both {
            return Some(Found::OtherSide);
        }
        let index = part.layout.index(&pieces)?;
        let number = part.pairs.get(self.bytes()?, index)?;
        Some(match wdl {
            Some(wdl) => Found::Plies(part.plies(number, wdl)?),
            None => Found::Number(number),
        })
    }

    fn bytes(&self) -> Option<&Bytes> {
        if self.is_disabled.load(Relaxed) {
            return None;
        }
        let read = || match Bytes::open(&self.path) {
            Ok(bytes) => Some(bytes),
            Err(error) => {
                tracing::warn!("{}: {error}", self.path.display());
                None
            }
        };
        self.bytes.get_or_init(read).as_ref()
    }
}

impl Part {
    /// Converts a number from a DTZ table to plies.
    fn plies(&self, number: u16, wdl: Wdl) -> Option<Plies> {
        let (list, in_plies) = match wdl {
            Wdl::Loss => (1, self.pairs.flags & LOSS_IN_PLIES != 0),
            Wdl::Win => (0, self.pairs.flags & WIN_IN_PLIES != 0),
            Wdl::CursedWin => (2, false),
            Wdl::BlessedLoss => (3, false),
            Wdl::Draw => return Some(Plies { plies: 0, rounded: false }),
        };
        let number = match self.pairs.flags & TRANSLATED {
            0 => number,
            _ => *self.translation[list].get(usize::from(number))?,
        };
        let plies = number.checked_mul(if in_plies { 1 } else { 2 })?.checked_add(1)?;
        Some(Plies { plies, rounded: !in_plies })
    }
}

type Parts = ArrayVec<ArrayVec<Part, { Side::NUM }>, 4>;

/// Reads the remainder of a header. Also returns the offset at which the blocks end.
fn parts(
    header: &mut Header<'_>,
    measure: Measure,
    material: &Material,
) -> Result<(Parts, u64), TableError> {
    let flags = header.u8()?;
    let (split, pawns) = (flags & 1 != 0, flags & 2 != 0);
    if split == material.is_symmetric() || pawns != material.has_pawns() {
        return Err(TableError::Foreign);
    }
    let sides = if split && measure == Measure::Wdl { 2 } else { 1 };
    let files = if pawns { 4 } else { 1 };
    let mut layouts = ArrayVec::<ArrayVec<Layout, { Side::NUM }>, 4>::new();
    for file in 0..files {
        layouts.push(read_layouts(header, material, sides, file)?);
    }
    header.align();
    let mut parts = Parts::new();
    for layouts in layouts {
        let part = |layout: Layout| {
            let pairs = Pairs::read(header, layout.len)?;
            Ok::<_, TableError>(Part { layout, pairs, translation: Default::default() })
        };
        parts.push(layouts.into_iter().map(part).collect::<Result<_, _>>()?);
    }
    if measure == Measure::Dtz {
        for part in parts.iter_mut().flatten() {
            part.translation = read_translation(header, part.pairs.flags)?;
        }
        header.align();
    }
    let mut at = header.at() as u64;
    let mut all = |place: fn(&mut Pairs, &mut u64)| {
        parts.iter_mut().flatten().for_each(|part| place(&mut part.pairs, &mut at));
    };
    all(Pairs::place_index);
    all(Pairs::place_lengths);
    all(Pairs::place_blocks);
    Ok((parts, at))
}

/// Reads the layouts for one file (a to d) of the leading pawn. If both sides to move are stored,
/// the low nibbles describe the layout with White to move, and the high nibbles the layout with
/// Black to move. Otherwise only the low nibbles are used.
fn read_layouts(
    header: &mut Header<'_>,
    material: &Material,
    sides: u32,
    file: usize,
) -> Result<ArrayVec<Layout, { Side::NUM }>, TableError> {
    let both = Side::ALL.iter().all(|&side| material.count(side, Kind::Pawn) > 0);
    let order = [header.u8()?, if both { header.u8()? } else { u8::MAX }];
    let pieces = header.take(material.pieces())?;
    let layout = |side: u32| {
        let nibble = |byte: u8| byte >> (4 * side) & 0xf;
        let pieces: ArrayVec<u8, { super::MAX_PIECES }> =
            pieces.iter().map(|&byte| nibble(byte)).collect();
        Layout::new(material, &pieces, order.map(nibble), file)
    };
    (0..sides).map(layout).collect()
}

fn read_translation(header: &mut Header<'_>, flags: u8) -> Result<[Vec<u16>; 4], TableError> {
    let mut lists: [Vec<u16>; 4] = Default::default();
    if flags & TRANSLATED == 0 {
        return Ok(lists);
    }
    let wide = flags & WIDE != 0;
    if wide {
        header.align();
    }
    let number =
        |header: &mut Header<'_>| if wide { header.u16() } else { header.u8().map(u16::from) };
    for list in &mut lists {
        let len = number(header)?;
        *list = (0..len).map(|_| number(header)).collect::<Result<_, _>>()?;
    }
    Ok(lists)
}
