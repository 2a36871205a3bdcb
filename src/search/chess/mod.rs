//! The chess search: what a thread keeps, and how the driver calls it.

mod cycle;
mod history;
mod node;
mod picker;
mod quiesce;
pub mod see;

use super::driver::{Engine, Searcher, Worker};
use super::kind::RootNode;
use super::line::Line;
use super::score::{Depth, MAX_PLY, Ply, Score};
use super::tt::Table;
use crate::chess::{Move, Piece, Position, Square};
use crate::eval::chess::Evaluator;
use history::Histories;

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
}

impl Root {
    /// A search from a position without a past.
    pub fn new(position: Position) -> Self {
        Self { position, history: Vec::new() }
    }
}

/// A move as the histories index it: which piece went where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Step {
    piece: Piece,
    to: Square,
}

/// What a node leaves for its descendants and siblings to see.
#[derive(Clone, Debug)]
struct Frame {
    /// The move being searched; none for a null move.
    step: Option<Step>,
    /// The move left out, in a singular search.
    excluded: Option<Move>,
    /// Static evaluation, or [`Score::NONE`] in check.
    eval: Score,
    /// Fail-highs among this node's children, an estimate of how hard it is.
    cutoffs: u32,
    killer: Option<Move>,
    line: Line<Move>,
}

impl Frame {
    const fn new() -> Self {
        Self {
            step: None,
            excluded: None,
            eval: Score::NONE,
            cutoffs: 0,
            killer: None,
            line: Line::new(),
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
    /// The keys of the game and of the line being searched, the current position not included.
    keys: Vec<u64>,
    /// No null moves above this ply: a null move's result is being verified.
    null_from: Ply,
}

impl std::fmt::Debug for ChessSearcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ChessSearcher").finish_non_exhaustive()
    }
}

impl Searcher for ChessSearcher {
    type Root = Root;
    type Move = Move;

    fn new() -> Self {
        Self {
            evaluator: Evaluator::default(),
            histories: Histories::new(),
            stack: vec![Frame::new(); MAX_PLY + ANCESTORS + 4],
            keys: Vec::with_capacity(1024),
            null_from: 0,
        }
    }

    fn clear(&mut self) {
        self.evaluator = Evaluator::default();
        self.histories = Histories::new();
    }

    fn root_moves(root: &Root) -> Vec<Move> {
        root.position.legal_moves().to_vec()
    }

    fn begin(&mut self, root: &Root) {
        self.stack.fill(Frame::new());
        self.keys.clear();
        self.keys.extend_from_slice(&root.history);
        self.null_from = 0;
    }

    fn search_root(
        &mut self,
        root: &Root,
        worker: &mut Worker<'_, Move>,
        depth: Depth,
        alpha: Score,
        beta: Score,
    ) -> Score {
        self.search::<RootNode>(worker, &root.position, depth, alpha, beta, 0, false)
    }

    fn complete_line(root: &Root, table: &Table, line: &mut Vec<Move>) {
        let mut position = root.position.clone();
        let mut seen = vec![position.key()];
        for (i, &m) in line.iter().enumerate() {
            if !position.is_legal(m) {
                line.truncate(i);
                return;
            }
            position = position.play(m);
            seen.push(position.key());
        }
        // A few moves suffice: the reply to ponder on, and what a lookup in the table cut off.
        while line.len() < 12 {
            let entry = table.probe(position.key());
            let Some(m) = entry.and_then(|entry| Move::from_bits(entry.m)) else { break };
            if !position.is_legal(m) {
                break;
            }
            position = position.play(m);
            line.push(m);
            if seen.contains(&position.key()) || position.halfmove_clock() >= 100 {
                break;
            }
            seen.push(position.key());
        }
    }
}

impl ChessSearcher {
    #[inline(always)]
    fn frame(&self, ply: Ply) -> &Frame {
        &self.stack[ply + ANCESTORS]
    }

    #[inline(always)]
    fn frame_mut(&mut self, ply: Ply) -> &mut Frame {
        &mut self.stack[ply + ANCESTORS]
    }

    /// The frame `back` plies before `ply`, which may lie before the root.
    #[inline(always)]
    fn ancestor(&self, ply: Ply, back: usize) -> &Frame {
        &self.stack[ply + ANCESTORS - back]
    }

    /// The moves one, two and four plies ago.
    #[inline(always)]
    fn before(&self, ply: Ply) -> [Option<Step>; 3] {
        [1, 2, 4].map(|back| self.ancestor(ply, back).step)
    }

    /// Whether the position, the last of the line `self.keys`, is drawn for want of material, by the
    /// 50-move rule or by repetition: of a position of the searched line once, of one of the game
    /// twice.
    fn is_draw(&self, position: &Position, ply: Ply) -> bool {
        if position.is_insufficient_material() {
            return true;
        }
        if position.halfmove_clock() >= 100 && !position.is_checkmate() {
            return true;
        }
        let reach = usize::from(position.halfmove_clock()).min(self.keys.len());
        let mut met = false;
        for back in (4..=reach).step_by(2) {
            if self.keys[self.keys.len() - back] == position.key() {
                if back < ply || met {
                    return true;
                }
                met = true;
            }
        }
        false
    }

    /// The score of a draw: a hair on either side of zero, so that the search does not take the
    /// first repetition that comes for as good as any other.
    #[inline(always)]
    fn draw(worker: &Worker<'_, Move>) -> Score {
        Score(1 - (worker.nodes() & 2) as i32)
    }

    /// The static evaluation, faded as the 50-move rule comes nearer and corrected by what searches
    /// of similar positions have found. Never a mate score.
    #[inline(always)]
    fn static_eval(&self, position: &Position, raw: Score) -> Score {
        let fade = 220 - i32::from(position.halfmove_clock().min(110));
        let faded = raw.0 * fade / 220;
        Score::evaluation(faded + self.histories.correction(position))
    }
}
