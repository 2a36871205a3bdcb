//! Builds the bitbases in a folder. Each table is built from tables with fewer pieces or fewer men.

use super::index::Layout;
use super::material::{Material, max_pieces};
use super::{BitbaseError, Bitbases, Bytes, EXTENSION, solve, table};
use crate::base::file::replace;
use crate::draughts::Variant;
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
    /// Creates a builder for the tables of a variant with up to `pieces` pieces. Reads the existing
    /// tables in the variant's subfolder (see [`Bitbases::subfolder`]), which is created if
    /// necessary. [`Self::run`] builds the missing tables.
    pub(crate) fn new(folder: &Path, variant: Variant, pieces: u32) -> Result<Self, BitbaseError> {
        let folder = Bitbases::subfolder(folder, variant);
        fs::create_dir_all(&folder).map_err(|error| BitbaseError::Io(folder.clone(), error))?;
        let mut bitbases = Bitbases::new(variant);
        bitbases.read(&folder, max_pieces(variant))?;
        let all = (2..=pieces).flat_map(|pieces| Material::all(variant, pieces));
        let missing = all
            .filter(|material| !(bitbases.has(*material) && bitbases.has(material.flipped())))
            .collect();
        Ok(Self { folder, bitbases, missing })
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn indices(&self) -> u64 {
        let variant = self.bitbases.variant();
        let len = |&material: &Material| u64::from(Layout::of(variant, material).len);
        self.missing.iter().map(len).sum()
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
