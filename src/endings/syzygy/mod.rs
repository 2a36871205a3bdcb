//! Syzygy tables: who wins every position of chess with few pieces, and in how many half-moves.
//!
//! For each [`Material`] there are two files. The first says who wins under best play and the 50-move
//! rule ([`Wdl`]); the second how many half-moves it is to the next capture or move of a pawn (the
//! distance to zeroing, of the rule's counter) that keeps this value ([`Tables::dtz`]). Positions with
//! castling rights are not in them. The files come from Ronald de Man's generator
//! (github.com/syzygy1/tb), whose code is the reference for their format.
//!
//! What the files hold for a position in which a capture is best, or one taken en passant is possible,
//! can be any number that compresses well: the probe looks at the captures first.

mod bytes;
mod index;
mod material;
mod pairs;
mod probe;
mod rank;
mod table;
#[cfg(test)]
mod tests;

pub use material::{MAX_PIECES, Material};
pub use rank::Ranked;

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use table::{Measure, Table};

/// The value of a position for the side to move, if the last move was a capture or that of a pawn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Wdl {
    /// It loses.
    Loss,
    /// It loses, but the 50-move rule saves it.
    BlessedLoss,
    /// Neither side can force a win.
    Draw,
    /// It wins, but not before the 50-move rule makes it a draw.
    CursedWin,
    /// It wins.
    Win,
}

impl Wdl {
    /// The value for the other side.
    pub const fn opposite(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::BlessedLoss => Self::CursedWin,
            Self::Draw => Self::Draw,
            Self::CursedWin => Self::BlessedLoss,
            Self::Win => Self::Loss,
        }
    }

    /// The value where the 50-move rule holds, or where it does not.
    pub const fn under(self, fifty_move_rule: bool) -> Self {
        match (self, fifty_move_rule) {
            (Self::CursedWin | Self::BlessedLoss, true) => Self::Draw,
            (Self::CursedWin, false) => Self::Win,
            (Self::BlessedLoss, false) => Self::Loss,
            (wdl, _) => wdl,
        }
    }
}

/// Why a file is not used.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The system refused to read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// A folder, a pipe or the like.
    #[error("this is no regular file")]
    NoFile,
    /// The first bytes are not those of a table.
    #[error("this is no Syzygy table")]
    Magic,
    /// The file ends within its header.
    #[error("the file is cut short")]
    Short,
    /// The file ends before the table does.
    #[error("the file is cut short: it has {len} bytes of {whole}")]
    Cut {
        /// The bytes there are.
        len: u64,
        /// The bytes there should be.
        whole: u64,
    },
    /// An impossible header.
    #[error("the table's header is damaged")]
    Damaged,
    /// The table of other pieces.
    #[error("the table is not that of the pieces that the file's name says")]
    Foreign,
}

/// A file or folder that is not used, and why.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {error}", path = .path.display())]
pub struct Unused {
    /// The file or folder.
    pub path: PathBuf,
    /// What is wrong with it.
    #[source]
    pub error: TableError,
}

/// The files of some folders. Cheap to share between threads, and read without a lock.
#[derive(Debug, Default)]
pub struct Tables {
    /// By the material either way round.
    wdl: HashMap<Material, Arc<Table>>,
    dtz: HashMap<Material, Arc<Table>>,
    largest: usize,
}

impl Tables {
    /// Opens the tables of folders, and says what cannot be used of them. Of two files for the same
    /// material that of the earlier folder is used. Files of other names are left alone.
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

    /// Adds a file if its name is that of a table.
    fn add(&mut self, path: &Path) -> Result<(), TableError> {
        let extension = path.extension().and_then(OsStr::to_str);
        let material = path.file_stem().and_then(OsStr::to_str).and_then(Material::parse);
        let measures = [(Measure::Wdl, &mut self.wdl), (Measure::Dtz, &mut self.dtz)];
        let named = measures.into_iter().find(|(m, _)| extension == Some(m.extension()));
        let (Some((measure, tables)), Some(material)) = (named, material) else {
            return Ok(());
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

    /// The most pieces, kings included, of a position that a table covers; 0 without tables.
    pub const fn largest(&self) -> usize {
        self.largest
    }

    /// How many materials have a table of values, and how many one of distances.
    pub fn count(&self) -> (usize, usize) {
        let files = |tables: &HashMap<Material, Arc<Table>>| {
            let symmetric = tables.keys().filter(|material| material.is_symmetric()).count();
            (tables.len() + symmetric) / 2
        };
        (files(&self.wdl), files(&self.dtz))
    }
}

/// The paths in a folder.
fn list(folder: &Path) -> io::Result<Vec<PathBuf>> {
    fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect()
}
