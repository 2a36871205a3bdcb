//! Engines and tablebases named on the command line. The browser cannot choose others.

use crate::arena::engine::entrant::Entrant;
use crate::arena::engine::process::Interrupt;
use crate::chess::polyglot::Book;
use crate::draughts;
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
    /// Bitbases for draughts, loaded on the first query because they can take gigabytes.
    pub bitbases: Lazy<Bitbases, Box<dyn FnOnce() -> Bitbases + Send>>,
}

impl Default for Tables {
    fn default() -> Self {
        let bitbases = Lazy::new(Box::new(Bitbases::default) as _);
        Self { syzygy: syzygy::Tables::default(), bitbases }
    }
}

impl Tables {
    /// Probes the bitbases. Positions with too many pieces do not trigger loading.
    pub(super) fn probe_bitbases(&self, position: &draughts::Position) -> Option<Wdl> {
        let few = position.board().occupied().len() <= bitbase::MAX_PIECES;
        few.then(|| self.bitbases.probe(position)).flatten()
    }
}
