//! Analysis by Adoube's own search.

use super::{Analysed, FoundLine, LineSearch, PositionInGame, Resources};
use crate::arena::engine::failure::Failure;
use crate::base::game::Game;
use crate::search::driver::{Engine, Options, ResourceError, Root};
use crate::search::limits::Limits;
use crate::search::stop::StopHandle;

pub(super) struct OwnSearch<G: Analysed> {
    engine: Engine<G::Searcher>,
    resources: Resources<G>,
}

impl<G: Analysed> OwnSearch<G> {
    pub(super) fn new(hash_mb: usize, resources: Resources<G>) -> Result<Self, ResourceError> {
        let engine = Engine::new(Options { hash_mb, ..Options::default() })?;
        Ok(Self { engine, resources })
    }
}

impl<G: Analysed> LineSearch<G> for OwnSearch<G> {
    fn clear(&mut self) {
        self.engine.clear();
    }

    fn search(
        &mut self,
        from: &PositionInGame<'_, G>,
        count: usize,
        limits: &Limits<G::Move>,
        stop: &StopHandle,
    ) -> Result<Vec<FoundLine<G::Move>>, Failure> {
        self.engine.options.multipv = count;
        let root = Root {
            history: from.earlier.iter().map(Game::key).collect(),
            resources: self.resources.clone(),
            ..Root::new(from.position.clone())
        };
        let found = self.engine.search(&root, limits, stop, None);
        let mut lines = found.lines;
        if lines.is_empty() {
            lines.extend(found.info);
        }
        let lines = lines.into_iter().map(|info| FoundLine {
            score: info.score,
            depth: info.depth,
            nodes: info.nodes,
            moves: info.pv,
        });
        Ok(lines.collect())
    }

    fn is_table_draw(&self, position: &G) -> bool {
        position.is_table_draw(&self.resources)
    }
}
