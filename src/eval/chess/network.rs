//! The trained network of chess: which piece stands where, seen by both players.

use super::features::ChessFeatures;
use crate::eval::net::{Net, NetError, NetFile, Shape};
use once_cell::sync::Lazy;
use std::path::Path;
use std::sync::Arc;
use std::{fs, io};

/// Hidden values for each player.
pub const HIDDEN: usize = 256;

/// The network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network(pub(super) Net<HIDDEN>);

static EMBEDDED: Lazy<Arc<Network>> = Lazy::new(|| {
    let network = Network::read(include_bytes!("net.bin"));
    Arc::new(network.unwrap_or_else(|error| panic!("net.bin: {error}")))
});

/// Why a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is not the file of such a network.
    #[error(transparent)]
    Net(#[from] NetError),
}

impl Network {
    /// The network that is part of the program.
    pub fn embedded() -> Arc<Self> {
        Arc::clone(&EMBEDDED)
    }

    /// The network of a file's bytes.
    ///
    /// # Errors
    /// If they are damaged, or not of a network of this shape.
    pub fn read(bytes: &[u8]) -> Result<Self, NetError> {
        let file = NetFile::read(bytes)?;
        Net::new(&file, &Shape::of::<ChessFeatures>(HIDDEN)).map(Self)
    }
}

/// Reads the file of a network.
///
/// # Errors
/// If there is no such file, or it is of another shape.
pub fn open(path: &Path) -> Result<Arc<Network>, OpenError> {
    Ok(Arc::new(Network::read(&fs::read(path)?)?))
}
