//! The chess search: the state of a search thread and its interface to the driver.

mod constants;
mod cycle;
mod history;
mod node;
mod picker;
mod quiesce;
pub(crate) mod see;
mod tablebase;

pub(crate) use constants::Constants;
pub use tablebase::Probing;

use super::depth::{Depth, Ply};
use super::driver::{self, Engine, Searchable, Searcher, TablebaseRank, Worker};
use super::kind::RootNode;
use super::path::Path;
use super::reductions::Reductions;
use super::score::Score;
use super::tt::{Entry, Table};
use super::window::Window;
use crate::chess::{Move, Position};
use crate::endings::syzygy::Tables;
use crate::eval::Evaluate;
use crate::eval::chess::network::Network;
use crate::eval::chess::{Evaluator, centipawns};
use history::{Butterfly, Histories, PieceTo};
use node::NodeRole;
use std::sync::Arc;

/// The chess engine.
pub type ChessEngine = Engine<ChessSearcher>;

/// The root of a chess search.
pub type Root = driver::Root<ChessSearcher>;

impl Root {
    /// Sets the Syzygy tables for the search.
    ///
    /// ```
    /// use adoube::chess::Position;
    /// use adoube::engine::{ChessEngine, ChessRoot, Limits, Options, StopHandle};
    /// use adoube::tables::syzygy::Tables;
    /// use std::sync::Arc;
    ///
    /// let (tables, _) = Tables::open(["engine-tests/syzygy"]);
    /// let position: Position = "8/8/8/8/4k3/8/8/R3K3 w - - 0 1".parse()?;
    /// let root = ChessRoot::new(position).with_tables(Arc::new(tables));
    /// let mut engine = ChessEngine::new(Options { hash_mb: 1, ..Options::default() })?;
    /// let result = engine.search(&root, &Limits::depth(1), &StopHandle::new(), None);
    /// assert!(result.info.is_some_and(|info| info.score.is_win()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_tables(mut self, tables: Arc<Tables>) -> Self {
        self.resources.probing.tables = tables;
        self
    }

    /// Sets the network for the search and for [`Self::evaluate`]. The default is the embedded
    /// network.
    ///
    /// ```
    /// use adoube::chess::Position;
    /// use adoube::engine::{ChessNetwork, ChessRoot};
    ///
    /// // `ChessNetwork::open` reads a file.
    /// let network = ChessNetwork::embedded();
    /// let root = ChessRoot::new(Position::start()).with_network(network);
    /// assert_eq!(root.evaluate(), ChessRoot::new(Position::start()).evaluate());
    /// ```
    #[must_use]
    pub fn with_network(mut self, network: Arc<Network>) -> Self {
        self.resources.network = network;
        self
    }

    /// Returns the static evaluation of the position for the side to move, without a search, in
    /// centipawns like [`Info::score`](super::Info::score). The evaluation is unreliable in check.
    /// It ignores mate and repetitions.
    ///
    /// ```
    /// use adoube::chess::Position;
    /// use adoube::engine::ChessRoot;
    ///
    /// let queen_up: Position = "3qk3/pppppppp/8/8/8/8/PPPPPPPP/4K3 b - - 0 1".parse()?;
    /// assert!(ChessRoot::new(queen_up).evaluate().centipawns() > 300);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn evaluate(&self) -> Score {
        let mut evaluator = Evaluator::of(Arc::clone(&self.resources.network));
        let value = evaluator.value(&self.position);
        ChessSearcher::display_score(Score::evaluation(value))
    }
}

#[derive(Clone, Debug)]
pub struct Resources {
    pub probing: Probing,
    pub network: Arc<Network>,
}

impl Default for Resources {
    fn default() -> Self {
        Self { probing: Probing::default(), network: Network::embedded() }
    }
}

impl Searchable for Position {
    type Searcher = ChessSearcher;
}

type Node = super::node::Node<Evaluator>;

/// The state of a node that its descendants and siblings read (the "search stack").
#[derive(Clone, Debug)]
struct Frame {
    /// The move being searched; `None` for a null move.
    moved: Option<PieceTo>,
    /// The excluded move of a singular search.
    excluded: Option<Move>,
    /// The static evaluation, or [`Score::NONE`] in check.
    eval: Score,
    /// The number of nodes at this ply, below the current grandparent node, that have failed high.
    cutoffs: u32,
    /// The last quiet move that caused a cutoff at this ply, below the current grandparent node.
    killer: Option<Move>,
    /// The butterfly index of the move being searched, if it is quiet.
    quiet: Option<Butterfly>,
    /// The depth reduction of the move being searched, in plies.
    reduced: i32,
    /// True if the node is or was on a principal variation.
    was_pv: bool,
}

impl Frame {
    const fn new() -> Self {
        Self {
            moved: None,
            excluded: None,
            eval: Score::NONE,
            cutoffs: 0,
            killer: None,
            quiet: None,
            reduced: 0,
            was_pv: false,
        }
    }
}

/// The number of frames before the root, so that every node has ancestors.
const ANCESTORS: usize = 6;

pub struct ChessSearcher {
    evaluator: Evaluator,
    histories: Histories,
    stack: Vec<Frame>,
    path: Path<Move>,
    /// The lowest ply at which null moves are allowed, raised during a verification search.
    null_from: Ply,
    probing: Probing,
    /// The maximum number of pieces in a position to probe below the root.
    tablebase_pieces: usize,
    constants: Constants,
    reductions: Reductions,
}

impl Searcher for ChessSearcher {
    type Position = Position;
    type Move = Move;
    type Constants = Constants;
    type Resources = Resources;

    fn new() -> Self {
        Self {
            evaluator: Evaluator::default(),
            histories: Histories::new(),
            stack: vec![Frame::new(); Ply::MAX.0 + ANCESTORS + 4],
            path: Path::new(),
            null_from: Ply::ROOT,
            probing: Probing::default(),
            tablebase_pieces: 0,
            constants: Constants::default(),
            reductions: node::reductions(&Constants::default()),
        }
    }

    fn clear(&mut self) {
        self.histories = Histories::new();
    }

    fn display_score(score: Score) -> Score {
        match score {
            score if score.is_decisive() => score,
            // The search scores a draw as -1 or 1; see `draw`.
            Score(-1..=1) => Score::DRAW,
            score => Score::evaluation(centipawns(score.centipawns())),
        }
    }

    fn tablebase_moves(root: &Root) -> Vec<(Move, TablebaseRank)> {
        root.resources.probing.rank_moves(root)
    }

    fn aspiration(&self) -> i32 {
        self.constants.aspiration
    }

    fn begin(&mut self, root: &Root) {
        self.stack.fill(Frame::new());
        self.path.begin(&root.history);
        self.null_from = Ply::ROOT;
        self.evaluator.set_network(&root.resources.network);
        self.probing = root.resources.probing.clone();
        self.tablebase_pieces = self.probing.largest_below(&root.position);
        self.set_constants(&root.constants);
    }

    fn search_root(
        &mut self,
        root: &Root,
        worker: &mut Worker<'_, Move>,
        depth: Depth,
        window: Window,
    ) -> Score {
        let node = Node::of(root.position.clone());
        self.search::<RootNode>(worker, &node, depth, window, NodeRole::ROOT)
    }

    fn continuation(position: &Position, table: &Table) -> Option<Move> {
        if position.halfmove_clock() >= 100 {
            return None;
        }
        table_move(position, table.probe(position.key()))
    }
}

/// Returns the transposition-table move, if there is one and it is legal. A key collision may
/// supply a move of another position.
#[inline(always)]
fn table_move(position: &Position, entry: Option<Entry>) -> Option<Move> {
    entry.and_then(|entry| Move::from_bits(entry.m)).filter(|&m| position.is_legal(m))
}

impl ChessSearcher {
    fn set_constants(&mut self, constants: &Constants) {
        if self.constants != *constants {
            self.constants = constants.clone();
            self.reductions = node::reductions(constants);
        }
    }

    /// Records the move about to be searched; `moved` is `None` for a null move.
    #[inline(always)]
    fn enter_move(&mut self, ply: Ply, moved: Option<PieceTo>, quiet: Option<Butterfly>) {
        let frame = self.frame_mut(ply);
        (frame.moved, frame.quiet, frame.reduced) = (moved, quiet, 0);
    }

    #[inline(always)]
    fn frame(&self, ply: Ply) -> &Frame {
        &self.stack[ply.0 + ANCESTORS]
    }

    #[inline(always)]
    fn frame_mut(&mut self, ply: Ply) -> &mut Frame {
        &mut self.stack[ply.0 + ANCESTORS]
    }

    /// Returns the frame `back` plies before `ply`, possibly before the root.
    #[inline(always)]
    fn ancestor(&self, ply: Ply, back: usize) -> &Frame {
        &self.stack[ply.0 + ANCESTORS - back]
    }

    #[inline(always)]
    fn before(&self, ply: Ply) -> [Option<PieceTo>; 3] {
        let moved = |back| self.ancestor(ply, back).moved;
        [moved(1), moved(2), moved(4)]
    }

    fn is_draw(&self, position: &Position, ply: Ply) -> bool {
        if position.is_insufficient_material() {
            return true;
        }
        if position.halfmove_clock() >= 100 && !position.is_checkmate() {
            return true;
        }
        self.path.is_repetition(position.key(), position.halfmove_clock(), ply)
    }

    /// Returns a draw score of -1 or 1, depending on the node count. With a constant score, the
    /// search would settle on the first repetition that it finds.
    #[inline(always)]
    fn draw(worker: &Worker<'_, Move>) -> Score {
        Score(1 - (worker.nodes() & 2) as i32)
    }

    #[inline(always)]
    fn raw_eval(&mut self, node: &Node) -> Score {
        Score::evaluation(self.evaluator.evaluate(&node.position, &node.accumulator))
    }

    /// Returns the static evaluation: the raw evaluation, scaled down as the halfmove clock rises
    /// and adjusted by the correction histories. The result is never a win or loss.
    #[inline(always)]
    fn static_eval(&self, position: &Position, raw: Score, ply: Ply) -> Score {
        let fade = 220 - i32::from(position.halfmove_clock().min(110));
        let faded = raw.0 * fade / 220;
        let correction = self.histories.correction(position, &self.before(ply));
        Score::evaluation(faded + correction / self.constants.correction_divisor)
    }
}
