//! Building the tables of a folder, each from those of fewer pieces and men.

use super::index::Layout;
use super::material::{MAX_PIECES, Material};
use super::{BitbaseError, Bitbases, Bytes, EXTENSION, solve, table};
use crate::base::file::replace;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// What is reported while tables are built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// This many more indices were looked at.
    Indices(u64),
    /// A table is finished.
    Table {
        /// Its material.
        material: Material,
        /// The bytes of its file.
        bytes: u64,
    },
}

/// The tables of a folder that is being completed.
#[derive(Debug)]
pub struct Builder {
    folder: PathBuf,
    bitbases: Bitbases,
    lacking: Vec<Material>,
}

impl Builder {
    /// Reads the tables of a folder, which is made if it does not exist; the aim is every table of
    /// up to `pieces` pieces.
    pub fn new(folder: &Path, pieces: u32) -> Result<Self, BitbaseError> {
        fs::create_dir_all(folder).map_err(|error| BitbaseError::Io(folder.to_owned(), error))?;
        let mut bitbases = Bitbases::default();
        bitbases.read(folder, MAX_PIECES)?;
        let mut lacking: Vec<_> = (2..=pieces).flat_map(Material::all).collect();
        lacking.retain(|material| !(bitbases.has(*material) && bitbases.has(material.flipped())));
        Ok(Self { folder: folder.to_owned(), bitbases, lacking })
    }

    /// How many indices are to be looked at.
    pub fn indices(&self) -> u64 {
        self.lacking.iter().map(|&material| u64::from(Layout::of(material).len)).sum()
    }

    /// Builds the tables that are missing, on the threads of the current pool, until `stop` is set.
    ///
    /// A file with the name of a table is always complete, and a later run continues with the missing ones.
    pub fn run(
        mut self,
        stop: &AtomicBool,
        report: &(dyn Fn(Event) + Sync),
    ) -> Result<Bitbases, BitbaseError> {
        for &material in &self.lacking {
            // The counterpart was solved together with this one.
            if self.bitbases.has(material) && self.bitbases.has(material.flipped()) {
                continue;
            }
            let tick = |indices| report(Event::Indices(indices));
            let solved = solve::solve(material, &self.bitbases, stop, &tick);
            for solved in solved.ok_or(BitbaseError::Stopped)? {
                let material = solved.material;
                let path = self.folder.join(material.to_string()).with_extension(EXTENSION);
                let bytes = table::encode(&solved)
                    .map_err(|error| BitbaseError::Table(path.clone(), 0, error))?;
                replace(&path, &bytes).map_err(|error| BitbaseError::Io(path.clone(), error))?;
                report(Event::Table { material, bytes: bytes.len() as u64 });
                self.bitbases
                    .add(Bytes::Own(bytes))
                    .map_err(|(at, error)| BitbaseError::Table(path, at, error))?;
            }
        }
        Ok(self.bitbases)
    }
}
