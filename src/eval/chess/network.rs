//! The trained chess network, embedded in the program or loaded from a file.

use super::features::ChessFeatures;
use crate::eval::net::{Net, NetError, NetFile, OpenError, Shape};
use once_cell::sync::Lazy;
use std::path::Path;
use std::sync::Arc;

/// The number of hidden values per perspective.
pub(crate) const HIDDEN: usize = 256;

/// A network for the evaluation of chess positions, in the format of `adoube train`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network(pub(super) Net<HIDDEN>);

static EMBEDDED: Lazy<Arc<Network>> = Lazy::new(|| {
    let network = Network::read(include_bytes!("net.bin"));
    Arc::new(network.unwrap_or_else(|error| panic!("net.bin: {error}")))
});

impl Network {
    /// Returns the embedded network.
    pub fn embedded() -> Arc<Self> {
        Arc::clone(&EMBEDDED)
    }

    /// Reads a network file.
    ///
    /// # Errors
    /// Fails if the file cannot be read, is damaged, or contains a network of another shape or a
    /// network that was trained with `--added`.
    pub fn open(path: &Path) -> Result<Arc<Self>, OpenError> {
        Ok(Arc::new(Self::of_file(&NetFile::open(path)?)?))
    }

    /// Parses the contents of a network file.
    ///
    /// # Errors
    /// Fails if the file is damaged, or if the network has the wrong shape or was trained with
    /// `--added`.
    pub fn read(bytes: &[u8]) -> Result<Self, NetError> {
        Self::of_file(&NetFile::read(bytes)?)
    }

    /// Builds the network from a parsed file. Fails if the network has the wrong shape or was
    /// trained with `--added`.
    pub(crate) fn of_file(file: &NetFile) -> Result<Self, NetError> {
        Net::new(file, &Shape::of::<ChessFeatures>(HIDDEN)).map(Self)
    }
}
