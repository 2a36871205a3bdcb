//! Engines and tablebases named on the command line. The browser cannot choose others.

use crate::arena::engine::entrant::Entrant;
use crate::arena::engine::process::Interrupt;
use crate::chess::polyglot::Book;
use crate::draughts::{self, Variant};
use crate::endings::bitbase::{self, Bitbases, Wdl};
use crate::endings::syzygy;
use once_cell::sync::Lazy;
use std::sync::Arc;

#[derive(Clone, Debug, Default)]
pub(crate) struct Equipment {
    /// Engines other than Adoube, to play against and to analyse with. Their names are distinct.
    /// Engines that speak Hub or DXP play draughts, all others play chess.
    pub engines: Vec<Entrant>,
    pub tables: Arc<Tables>,
    /// The chess opening book whose moves an analysis shows.
    pub book: Option<Arc<Book>>,
    /// An interrupt with a guard that ends the engines if the server is killed.
    pub interrupt: Interrupt,
}

#[derive(Debug)]
pub(crate) struct Tables {
    pub syzygy: syzygy::Tables,
    /// Bitbases for each variant of draughts, in the order of [`Variant::ALL`]. They are loaded on
    /// the first query because they can take gigabytes.
    bitbases: [Lazy<Bitbases, Box<dyn FnOnce() -> Bitbases + Send>>; Variant::ALL.len()],
}

impl Default for Tables {
    fn default() -> Self {
        Self::new(syzygy::Tables::default(), Bitbases::new)
    }
}

impl Tables {
    /// Creates the tables. `load` loads the bitbases of a variant when they are first queried.
    pub fn new(
        syzygy: syzygy::Tables,
        load: impl Fn(Variant) -> Bitbases + Clone + Send + 'static,
    ) -> Self {
        let bitbases = Variant::ALL.map(|variant| {
            let load = load.clone();
            Lazy::new(Box::new(move || load(variant)) as _)
        });
        Self { syzygy, bitbases }
    }

    /// Probes the bitbases. Positions with too many pieces do not trigger loading.
    pub(super) fn probe_bitbases(&self, position: &draughts::Position) -> Option<Wdl> {
        let few = position.board().occupied().len() <= bitbase::MAX_PIECES;
        few.then(|| self.bitbases[position.variant() as usize].probe(position)).flatten()
    }
}
