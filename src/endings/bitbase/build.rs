//! Builds the bitbases in a folder. Each table is built from tables with fewer pieces or fewer men.

use super::index::Layout;
use super::material::{MAX_PIECES, Material};
use super::{BitbaseError, Bitbases, Bytes, EXTENSION, solve, table};
use crate::base::file::replace;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Event {
    /// The number of indices processed since the last report.
    Indices(u64),
    Table {
        material: Material,
        bytes: u64,
    },
}

#[derive(Debug)]
pub(crate) struct Builder {
    folder: PathBuf,
    bitbases: Bitbases,
    missing: Vec<Material>,
}

impl Builder {
    /// Reads the tables in a folder, which is created if necessary. [`Self::run`] builds the
    /// missing tables with up to `pieces` pieces.
    pub(crate) fn new(folder: &Path, pieces: u32) -> Result<Self, BitbaseError> {
        fs::create_dir_all(folder).map_err(|error| BitbaseError::Io(folder.to_owned(), error))?;
        let mut bitbases = Bitbases::default();
        bitbases.read(folder, MAX_PIECES)?;
        let mut missing: Vec<_> = (2..=pieces).flat_map(Material::all).collect();
        missing.retain(|material| !(bitbases.has(*material) && bitbases.has(material.flipped())));
        Ok(Self { folder: folder.to_owned(), bitbases, missing })
    }

    pub(crate) fn indices(&self) -> u64 {
        self.missing.iter().map(|&material| u64::from(Layout::of(material).len)).sum()
    }

    /// Builds the missing tables on the threads of the current Rayon pool, until `stop` is set.
    ///
    /// A table is first written under a temporary name and then renamed. Every table in the folder
    /// is therefore complete, and a later run builds only the remaining tables.
    pub fn run(
        mut self,
        stop: &AtomicBool,
        report: &(dyn Fn(Event) + Sync),
    ) -> Result<Bitbases, BitbaseError> {
        for &material in &self.missing {
            // Each table is built together with its counterpart, in which the sides are exchanged.
            // Both may therefore exist already.
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
