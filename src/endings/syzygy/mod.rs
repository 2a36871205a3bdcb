//! Syzygy tables: the winner of every chess position with few pieces, and the distance to the next
//! capture or pawn move.
//!
//! Each [`Material`] has two files. The WDL file stores the result under best play and the 50-move
//! rule ([`Wdl`]). The DTZ file ("distance to zeroing") stores the distance, in plies or in full
//! moves, to the next capture or pawn move that keeps this result ([`Tables::dtz`]). Positions with
//! castling rights are not included. The format is defined by the code of Ronald de Man's generator
//! (github.com/syzygy1/tb).
//!
//! For a position in which a capture is best, or an en passant capture is possible, the files may
//! store any number that compresses well. A probe therefore resolves captures first and, for DTZ,
//! pawn moves too.

mod bytes;
mod checksum;
mod clock;
mod index;
mod material;
mod pairs;
mod probe;
mod rank;
mod table;
#[cfg(test)]
mod tests;

pub(crate) use material::{MAX_PIECES, Material};
pub(crate) use rank::Ranked;

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use table::{Measure, Table};

/// The value of a position for the side to move. [`Tables::wdl`] assumes a halfmove clock of zero,
/// while [`Tables::at_clock`] takes the clock into account.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Wdl {
    /// A loss.
    Loss,
    /// A loss that the 50-move rule turns into a draw.
    BlessedLoss,
    /// A draw.
    Draw,
    /// A win that the 50-move rule turns into a draw.
    CursedWin,
    /// A win.
    Win,
}

impl Wdl {
    /// Returns the value for the other side.
    pub const fn opposite(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::BlessedLoss => Self::CursedWin,
            Self::Draw => Self::Draw,
            Self::CursedWin => Self::BlessedLoss,
            Self::Win => Self::Loss,
        }
    }

    /// Returns the value with or without the 50-move rule.
    pub const fn under(self, fifty_move_rule: bool) -> Self {
        match (self, fifty_move_rule) {
            (Self::CursedWin | Self::BlessedLoss, true) => Self::Draw,
            (Self::CursedWin, false) => Self::Win,
            (Self::BlessedLoss, false) => Self::Loss,
            (wdl, _) => wdl,
        }
    }
}

/// The reason why a file cannot be used as a Syzygy table.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The file or folder cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The path is a folder, a pipe or a device.
    #[error("not a regular file")]
    NoFile,
    /// The file does not begin with the magic bytes of a table.
    #[error("not a Syzygy table")]
    Magic,
    /// The file ends within its header.
    #[error("the file is truncated within its header")]
    Short,
    /// The file is shorter than its header requires.
    #[error("the file is truncated: it has {len} bytes instead of {whole}")]
    Cut {
        /// The size of the file in bytes.
        len: u64,
        /// The size in bytes according to the header.
        whole: u64,
    },
    /// The header is invalid.
    #[error("the table's header is damaged")]
    Damaged,
    /// The pieces in the table differ from the pieces in the file name.
    #[error("the table does not contain the pieces in its file name")]
    Foreign,
    /// The checksum of the contents is wrong.
    #[error("the checksum is wrong: the file is damaged")]
    Checksum,
}

/// A file or folder that cannot be used, and the reason.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {error}", path = .path.display())]
pub struct Unused {
    /// The path of the file or folder.
    pub path: PathBuf,
    /// The reason why the file or folder cannot be used.
    #[source]
    pub error: TableError,
}

/// A set of tables, which threads can share and read without a lock.
#[derive(Debug, Default)]
pub struct Tables {
    /// The tables by material. Each table is also entered with the colours exchanged.
    wdl: HashMap<Material, Arc<Table>>,
    dtz: HashMap<Material, Arc<Table>>,
    largest: usize,
}

impl Tables {
    /// Opens the tables in the folders. Also returns the files and folders that cannot be used. If
    /// several folders contain a table of the same material, the first valid table is used. Files
    /// that are not named like a table are ignored.
    pub fn open<P: AsRef<Path>>(folders: impl IntoIterator<Item = P>) -> (Self, Vec<Unused>) {
        let (mut tables, mut unused) = (Self::default(), Vec::new());
        for folder in folders {
            let folder = folder.as_ref();
            let mut paths = match list(folder) {
                Ok(paths) => paths,
                Err(error) => {
                    unused.push(Unused { path: folder.to_owned(), error: error.into() });
                    continue;
                }
            };
            paths.sort_unstable();
            for path in paths {
                if let Err(error) = tables.add(&path) {
                    unused.push(Unused { path, error });
                }
            }
        }
        (tables, unused)
    }

    fn add(&mut self, path: &Path) -> Result<(), TableError> {
        let Some((measure, material)) = named(path) else { return Ok(()) };
        let tables = match measure {
            Measure::Wdl => &mut self.wdl,
            Measure::Dtz => &mut self.dtz,
        };
        if tables.contains_key(&material) {
            return Ok(());
        }
        let table = Arc::new(Table::open(path, measure, material)?);
        tables.insert(material, Arc::clone(&table));
        tables.insert(material.exchanged(), table);
        if measure == Measure::Wdl {
            self.largest = self.largest.max(material.pieces());
        }
        Ok(())
    }

    /// Reads all files, in the order of their paths, and verifies their checksums. Passes each
    /// damaged or unreadable file to `report`. Such a file is not probed afterwards. Returns the
    /// number of checked files.
    pub fn check(&self, mut report: impl FnMut(Unused)) -> usize {
        let mut tables: Vec<_> = self.wdl.values().chain(self.dtz.values()).collect();
        tables.sort_by_key(|table| table.path());
        tables.dedup_by(|a, b| Arc::ptr_eq(a, b));
        for table in &tables {
            if let Err(error) = table.verify() {
                table.disable();
                report(Unused { path: table.path().to_owned(), error });
            }
        }
        tables.len()
    }

    /// Returns the maximum number of pieces in a WDL table, including the kings, or 0 without a WDL
    /// table.
    pub const fn largest(&self) -> usize {
        self.largest
    }

    /// Returns the number of WDL tables and the number of DTZ tables.
    pub fn count(&self) -> (usize, usize) {
        let files = |tables: &HashMap<Material, Arc<Table>>| {
            let symmetric = tables.keys().filter(|material| material.is_symmetric()).count();
            (tables.len() + symmetric) / 2
        };
        (files(&self.wdl), files(&self.dtz))
    }
}

/// Checks the headers and checksums of the tables in a folder and calls `report` for each file, in
/// the order of their names. Files that are not named like a table are ignored.
pub fn verify(
    folder: &Path,
    mut report: impl FnMut(&Path, Result<(), TableError>),
) -> io::Result<()> {
    let mut paths = list(folder)?;
    paths.sort_unstable();
    for path in paths {
        if let Some((measure, material)) = named(&path) {
            let opened = Table::open(&path, measure, material);
            report(&path, opened.and_then(|table| table.verify()));
        }
    }
    Ok(())
}

/// Parses the name of a table file. Returns `None` if the file is not named like a table.
fn named(path: &Path) -> Option<(Measure, Material)> {
    let extension = path.extension().and_then(OsStr::to_str);
    let measures = [Measure::Wdl, Measure::Dtz];
    let measure = measures.into_iter().find(|measure| extension == Some(measure.extension()))?;
    let material = path.file_stem().and_then(OsStr::to_str).and_then(Material::parse)?;
    Some((measure, material))
}

fn list(folder: &Path) -> io::Result<Vec<PathBuf>> {
    fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect()
}
