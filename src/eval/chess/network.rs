//! The trained chess network, embedded in the program or loaded from a file.

use super::features::ChessFeatures;
use crate::base::file::read_regular;
use crate::eval::net::{Net, NetError, NetFile, Shape};
use once_cell::sync::Lazy;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// The number of hidden values per perspective.
pub(crate) const HIDDEN: usize = 256;

/// The maximum size of a network file in bytes. Networks of this shape are much smaller.
const MAX_FILE: u64 = 256 << 20;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network(pub(super) Net<HIDDEN>);

static EMBEDDED: Lazy<Arc<Network>> = Lazy::new(|| {
    let network = Network::read(include_bytes!("net.bin"));
    Arc::new(network.unwrap_or_else(|error| panic!("net.bin: {error}")))
});

#[derive(Debug, thiserror::Error)]
pub(crate) enum OpenError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Net(#[from] NetError),
}

impl Network {
    pub fn embedded() -> Arc<Self> {
        Arc::clone(&EMBEDDED)
    }

    /// Parses a network file. Fails if the file is damaged or the network has the wrong shape.
    pub fn read(bytes: &[u8]) -> Result<Self, NetError> {
        let file = NetFile::read(bytes)?;
        Net::new(&file, &Shape::of::<ChessFeatures>(HIDDEN)).map(Self)
    }
}

pub(crate) fn open(path: &Path) -> Result<Arc<Network>, OpenError> {
    Ok(Arc::new(Network::read(&read_regular(path, MAX_FILE)?)?))
}
