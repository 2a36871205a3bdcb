//! The chess search: what a thread keeps, and how the driver calls it.

mod constants;
mod cycle;
mod history;
mod known;
mod node;
mod picker;
mod quiesce;
pub mod see;

pub use constants::Constants;
pub use known::Probing;

use super::depth::{Depth, Ply};
use super::driver::{Engine, Known, Searcher, Worker};
use super::kind::RootNode;
use super::path::Path;
use super::score::Score;
use super::tt::{Entry, Table};
use super::window::Window;
use crate::chess::{Move, Position};
use crate::eval::Evaluate;
use crate::eval::chess::network::Network;
use crate::eval::chess::{Evaluator, centipawns};
use history::{Butterfly, Histories, PieceTo};
use node::{Place, Reductions};
use once_cell::sync::Lazy;
use std::sync::Arc;

/// The chess engine.
pub type ChessEngine = Engine<ChessSearcher>;

/// Where a search starts.
#[derive(Clone, Debug)]
pub struct Root {
    /// The position.
    pub position: Position,
    /// The keys of the game's earlier positions, oldest first; those before the last capture or
    /// pawn move may be left out.
    pub history: Vec<u64>,
    /// The tables of endings.
    pub probing: Probing,
    /// The network that evaluates.
    pub network: Arc<Network>,
    /// The constants of the search.
    pub constants: Arc<Constants>,
}

/// The constants in play.
static IN_PLAY: Lazy<Arc<Constants>> = Lazy::new(Arc::default);

impl Root {
    /// A search from a position without a past.
    pub fn new(position: Position) -> Self {
        Self {
            position,
            history: Vec::new(),
            probing: Probing::default(),
            network: Network::embedded(),
            constants: Arc::clone(&IN_PLAY),
        }
    }
}

/// A node of the tree.
type Node = super::node::Node<Evaluator>;

/// What a node leaves for its descendants and siblings to see.
#[derive(Clone, Debug)]
struct Frame {
    /// The move being searched; `None` for a null move.
    moved: Option<PieceTo>,
    /// The move left out, in a singular search.
    excluded: Option<Move>,
    /// Static evaluation, or [`Score::NONE`] in check.
    eval: Score,
    /// How many nodes at this ply with the same grandparent have failed high.
    cutoffs: u32,
    /// The last quiet move that failed high at this ply, with the same grandparent.
    killer: Option<Move>,
    /// Where the history of the move being searched stands, if that is quiet.
    quiet: Option<Butterfly>,
    /// By how many half-moves the depth of the move being searched is reduced.
    reduced: i32,
    /// Whether the node is, or once was, on a principal variation.
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

/// Frames before the root, so that every node has ancestors to look at.
const ANCESTORS: usize = 6;

/// What a thread of the chess search keeps.
pub struct ChessSearcher {
    evaluator: Evaluator,
    histories: Histories,
    stack: Vec<Frame>,
    path: Path<Move>,
    /// No null moves before this ply, while the result of one is being verified; otherwise the root.
    null_from: Ply,
    probing: Probing,
    /// The most pieces of a position below the root that is looked up in tables of endings.
    known_pieces: usize,
    constants: Constants,
    reductions: Box<Reductions>,
}

impl std::fmt::Debug for ChessSearcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ChessSearcher").finish_non_exhaustive()
    }
}

impl Searcher for ChessSearcher {
    type Root = Root;
    type Position = Position;
    type Move = Move;

    fn new() -> Self {
        Self {
            evaluator: Evaluator::default(),
            histories: Histories::new(),
            stack: vec![Frame::new(); Ply::MAX.0 + ANCESTORS + 4],
            path: Path::new(),
            null_from: Ply::ROOT,
            probing: Probing::default(),
            known_pieces: 0,
            constants: Constants::default(),
            reductions: node::reductions(&Constants::default()),
        }
    }

    fn clear(&mut self) {
        self.histories = Histories::new();
    }

    fn position(root: &Root) -> &Position {
        &root.position
    }

    fn told(score: Score) -> Score {
        match score {
            score if score.is_decisive() => score,
            // Either of those that stand for a draw.
            Score(-1..=1) => Score::DRAW,
            score => Score::evaluation(centipawns(score.centipawns())),
        }
    }

    fn known_moves(root: &Root) -> Vec<(Move, Known)> {
        root.probing.known_moves(root)
    }

    fn aspiration(&self) -> i32 {
        self.constants.aspiration
    }

    fn begin(&mut self, root: &Root) {
        self.stack.fill(Frame::new());
        self.path.begin(&root.history);
        self.null_from = Ply::ROOT;
        self.evaluator.ask(&root.network);
        self.probing = root.probing.clone();
        self.known_pieces = self.probing.largest_below(&root.position);
        if self.constants != *root.constants {
            self.constants = Constants::clone(&root.constants);
            self.reductions = node::reductions(&self.constants);
        }
    }

    fn search_root(
        &mut self,
        root: &Root,
        worker: &mut Worker<'_, Move>,
        depth: Depth,
        window: Window,
    ) -> Score {
        let node = Node::of(root.position.clone());
        self.search::<RootNode>(worker, &node, depth, window, Place::ROOT)
    }

    fn expected(position: &Position, table: &Table) -> Option<Move> {
        if position.halfmove_clock() >= 100 {
            return None;
        }
        table_move(position, table.probe(position.key()))
    }
}

/// The move of a position's entry of the table, if that holds one and it is legal: entries of other
/// positions are mistaken for it now and then.
#[inline(always)]
fn table_move(position: &Position, entry: Option<Entry>) -> Option<Move> {
    entry.and_then(|entry| Move::from_bits(entry.m)).filter(|&m| position.is_legal(m))
}

impl ChessSearcher {
    /// The move that is searched from now on: `moved`, a quiet one if its history stands at `quiet`; `None` for
    /// a null move.
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

    /// The frame `back` plies before `ply`, which may lie before the root.
    #[inline(always)]
    fn ancestor(&self, ply: Ply, back: usize) -> &Frame {
        &self.stack[ply.0 + ANCESTORS - back]
    }

    /// The moves one, two and four plies ago.
    #[inline(always)]
    fn before(&self, ply: Ply) -> [Option<PieceTo>; 3] {
        let moved = |back| self.ancestor(ply, back).moved;
        [moved(1), moved(2), moved(4)]
    }

    /// Whether the position at the end of the path is drawn: by lack of material, by the 50-move rule
    /// or by repetition.
    fn is_draw(&self, position: &Position, ply: Ply) -> bool {
        if position.is_insufficient_material() {
            return true;
        }
        if position.halfmove_clock() >= 100 && !position.is_checkmate() {
            return true;
        }
        self.path.is_repetition(position.key(), position.halfmove_clock(), ply)
    }

    /// The score of a draw: a hundredth on either side of zero, since a search to which all
    /// repetitions are equal is content with the first.
    #[inline(always)]
    fn draw(worker: &Worker<'_, Move>) -> Score {
        Score(1 - (worker.nodes() & 2) as i32)
    }

    /// The evaluation of a node as the evaluator gives it.
    #[inline(always)]
    fn raw_eval(&mut self, node: &Node) -> Score {
        Score::evaluation(self.evaluator.evaluate(&node.position, &node.accumulator))
    }

    /// The static evaluation: the raw one, faded as the 50-move rule comes nearer and corrected by
    /// what searches of similar positions have found. Never a win or a loss.
    #[inline(always)]
    fn static_eval(&self, position: &Position, raw: Score, ply: Ply) -> Score {
        let fade = 220 - i32::from(position.halfmove_clock().min(110));
        let faded = raw.0 * fade / 220;
        let correction = self.histories.correction(position, &self.before(ply));
        Score::evaluation(faded + correction / self.constants.correction_divisor)
    }
}
