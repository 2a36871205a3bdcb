//! The draughts search: the state of a search thread and its interface to the driver.

mod constants;
mod history;
mod node;
mod picker;
mod quiesce;

pub(crate) use constants::Constants;

use super::depth::{Depth, Ply};
use super::driver::{self, Engine, Searchable, Searcher, Worker};
use super::kind::RootNode;
use super::path::Path;
use super::reductions::Reductions;
use super::score::Score;
use super::tt::Table;
use super::window::Window;
use crate::draughts::{Move, Position, Variant};
use crate::endings::bitbase::{Bitbases, Wdl};
use crate::eval::Evaluate;
use crate::eval::draughts::Evaluator;
use crate::eval::draughts::network::Network;
use history::History;
use once_cell::sync::Lazy;
use std::sync::Arc;

/// The draughts engine. Its scores are in hundredths of a man.
pub type DraughtsEngine = Engine<DraughtsSearcher>;

/// The root of a draughts search.
pub type Root = driver::Root<DraughtsSearcher>;

impl Root {
    /// Sets the bitbases for the search. They are used only if they are for the position's variant.
    /// The default is [`Bitbases::shipped`] for the normal game.
    #[must_use]
    pub fn with_bitbases(mut self, bitbases: Arc<Bitbases>) -> Self {
        self.resources.bitbases = bitbases;
        self
    }

    /// Sets the network for the search and for [`Self::evaluate`]. The default is the embedded
    /// network of the variant.
    ///
    /// # Panics
    /// Panics if the network is for a variant other than the position's.
    #[must_use]
    #[track_caller]
    pub fn with_network(mut self, network: Arc<Network>) -> Self {
        let [found, expected] = [network.variant(), self.position.variant()].map(Variant::name);
        assert!(found == expected, "the network is for {found} draughts, not {expected} draughts");
        self.resources.network = Some(network);
        self
    }

    /// Returns the static evaluation of the position for the side to move, without a search, in
    /// hundredths of a man like [`Info::score`](super::Info::score). The evaluation is unreliable
    /// if the side to move can capture. It ignores endgame tables and repetitions.
    ///
    /// ```
    /// use adoube::draughts::Position;
    /// use adoube::engine::DraughtsRoot;
    ///
    /// let man_up: Position = "W:W31-50:B1-19".parse()?;
    /// assert!(DraughtsRoot::new(man_up).evaluate().centipawns() > 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn evaluate(&self) -> Score {
        let mut evaluator = Evaluator::default();
        evaluator.set_network(self.resources.network.as_ref());
        let value = evaluator.value(&self.position);
        DraughtsSearcher::display_score(Score::evaluation(value))
    }
}

#[derive(Clone, Debug)]
pub struct Resources {
    /// The bitbases of one variant. They are not used in other variants.
    pub bitbases: Arc<Bitbases>,
    /// A network loaded from a file; `None` for the embedded network of the variant.
    pub(crate) network: Option<Arc<Network>>,
}

static SHIPPED: Lazy<Arc<Bitbases>> = Lazy::new(|| Arc::new(Bitbases::shipped(Variant::Normal)));

impl Default for Resources {
    fn default() -> Self {
        Self { bitbases: Arc::clone(&SHIPPED), network: None }
    }
}

impl Searchable for Position {
    type Searcher = DraughtsSearcher;
}

type Node = super::node::Node<Evaluator>;

pub struct DraughtsSearcher {
    evaluator: Evaluator,
    history: History,
    /// For each ply, the last quiet move that caused a cutoff below the current parent node.
    killers: Vec<Option<Move>>,
    path: Path<Move>,
    bitbases: Arc<Bitbases>,
    tablebase_pieces: u32,
    root_value: Option<Wdl>,
    constants: Constants,
    reductions: Reductions,
}

impl Searcher for DraughtsSearcher {
    type Position = Position;
    type Move = Move;
    type Constants = Constants;
    type Resources = Resources;

    fn new() -> Self {
        Self {
            evaluator: Evaluator::default(),
            history: History::new(),
            killers: vec![None; Ply::MAX.0 + 4],
            path: Path::new(),
            bitbases: Arc::default(),
            tablebase_pieces: 0,
            root_value: None,
            constants: Constants::default(),
            reductions: node::reductions(&Constants::default()),
        }
    }

    fn clear(&mut self) {
        self.history = History::new();
    }

    fn begin(&mut self, root: &Root) {
        self.killers.fill(None);
        self.path.begin(&root.history);
        self.evaluator.set_network(root.resources.network.as_ref());
        self.bitbases = Arc::clone(&root.resources.bitbases);
        let covered = root.position.variant() == self.bitbases.variant();
        self.tablebase_pieces = if covered { self.bitbases.largest() } else { 0 };
        self.root_value = self.bitbases.probe(&root.position);
        self.set_constants(&root.constants);
    }

    fn search_root(
        &mut self,
        root: &Root,
        worker: &mut Worker<'_, Move>,
        depth: Depth,
        window: Window,
    ) -> Score {
        self.search::<RootNode>(worker, &Node::of(root.position), depth, window, Ply::ROOT)
    }

    fn continuation(position: &Position, table: &Table) -> Option<Move> {
        if position.is_drawn_by_count() {
            return None;
        }
        let moves = position.legal_moves();
        let stored = table.probe(position.key()).and_then(|entry| find(&moves, entry.m));
        // If only one move is legal, it needs no table entry.
        stored.or_else(|| moves.first().copied().filter(|_| moves.len() == 1))
    }
}

#[inline(always)]
fn without_moves(position: &Position, ply: Ply) -> Score {
    if position.variant().is_won_without_moves() { Score::win_in(ply) } else { Score::loss_in(ply) }
}

/// Returns the move with this digest, as stored in the transposition table. Digest 0 means no move.
#[inline(always)]
fn find(moves: &[Move], digest: u16) -> Option<Move> {
    moves.iter().copied().find(|m| m.digest() == digest)
}

impl DraughtsSearcher {
    fn set_constants(&mut self, constants: &Constants) {
        if self.constants != *constants {
            self.constants = constants.clone();
            self.reductions = node::reductions(constants);
        }
    }

    /// Returns whether the game is drawn by move count or repetition (FMJD 6.1 to 6.4). A player
    /// without moves has lost even if the move count has reached its limit (FMJD 7.2).
    #[inline(always)]
    fn is_draw(&self, position: &Position, ply: Ply) -> bool {
        position.king_plies() >= 4
            && self.path.is_repetition(position.key(), position.king_plies(), ply)
            || position.is_drawn_by_count() && position.has_moves()
    }

    /// Returns the tablebase score of a position below the root, or `None` if the position must be
    /// searched.
    ///
    /// If the tables contain the root, only the positions directly after a root move are probed. A
    /// root move that does not preserve the value of the root gets its score from the tables. All
    /// other root moves are searched, because the tables store neither the length of a win nor the
    /// difficulty of a draw.
    #[inline(always)]
    fn tablebase_score(&self, position: &Position, ply: Ply) -> Option<Score> {
        if position.board().occupied().len() > self.tablebase_pieces {
            return None;
        }
        self.probe_tablebase(position, ply)
    }

    fn probe_tablebase(&self, position: &Position, ply: Ply) -> Option<Score> {
        if self.root_value.is_some() && ply > Ply(1) {
            return None;
        }
        let value = self.bitbases.probe(position)?;
        if self.root_value == Some(value.opposite()) {
            return None;
        }
        Some(match value {
            Wdl::Win => Score::table_win_in(ply),
            Wdl::Draw => Score::DRAW,
            Wdl::Loss => Score::table_loss_in(ply),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::Rng;
    use crate::search::driver::{Options, STACK};
    use crate::search::limits::Limits;
    use crate::search::report::{Report, SearchResult};
    use crate::search::stop::StopHandle;
    use std::sync::Mutex;

    fn search(
        root: &Root,
        limits: Limits<Move>,
        threads: usize,
    ) -> (SearchResult<Move>, Vec<Vec<Move>>) {
        let options = Options { hash_mb: 1, threads, ..Options::default() };
        let mut engine = DraughtsEngine::new(options).expect("memory");
        let lines = Mutex::new(Vec::new());
        let listener = |report| {
            if let Report::Info(info) = report {
                lines.lock().expect("no panic").push(info.pv);
            }
        };
        let outcome = engine.search(root, &limits, &StopHandle::new(), Some(&listener));
        (outcome, lines.into_inner().expect("no panic"))
    }

    #[test]
    fn lines_are_legal() {
        for threads in [1, 2] {
            let root = Root::new(Position::start());
            let (outcome, lines) = search(&root, Limits::depth(9), threads);
            assert!(outcome.best.is_some() && lines.len() >= 9);
            for line in lines {
                let mut position = root.position;
                for m in line {
                    assert!(position.is_legal(m), "{m:?}");
                    position = position.play(m);
                }
            }
        }
    }

    #[test]
    fn searches_the_same_nodes_on_the_calling_thread() {
        let nodes = |here| {
            let search = move || {
                let options = Options { hash_mb: 1, ..Options::default() };
                let mut engine = DraughtsEngine::new(options).expect("memory");
                let (root, limits) = (Root::new(Position::start()), Limits::depth(9));
                let handle = StopHandle::new();
                if here {
                    engine.search_here(&root, &limits, &handle, None).nodes
                } else {
                    engine.search(&root, &limits, &handle, None).nodes
                }
            };
            let thread = std::thread::Builder::new().stack_size(STACK).spawn(search);
            thread.expect("a thread").join().expect("no panic")
        };
        assert_eq!(nodes(true), nodes(false));
    }

    #[test]
    fn scores_wins_in_plies() {
        for (fen, depth, score) in [
            // White captures the last piece (FMJD 7.2.2).
            ("W:W32:B28", 3, Score::win_in(Ply(1))),
            ("W:WK46,K2,K3:BK30", 3, Score::win_in(Ply(1))),
            // The man on 36 is blocked: White wins by any move that keeps it blocked (FMJD 7.2.3).
            ("W:W31,41,47:B36", 3, Score::win_in(Ply(1))),
            // The white king waits and captures both men.
            ("W:WK46:B5,6", 12, Score::win_in(Ply(9))),
            // Five moves are not enough to win (FMJD 6.4).
            ("W:WK6:BK45", 14, Score::DRAW),
        ] {
            let root = Root::new(fen.parse().expect(fen));
            let (outcome, _) = search(&root, Limits::depth(depth), 1);
            assert_eq!(outcome.info.map(|info| info.score), Some(score), "{fen}");
        }
    }

    #[test]
    fn trusts_the_tables_below_the_root() {
        let mut rng = Rng::new(5);
        let mut seen = [0; 3];
        while seen.iter().any(|&n| n < 5) {
            let mut squares: Vec<u32> = (6..=45).collect();
            rng.shuffle(&mut squares);
            let [a, b, c, d, e] = squares[..5] else { unreachable!("40 squares") };
            let text = format!("W:WK{a},{b}:BK{c},{d},{e}");
            let position: Position = text.parse().expect("FEN");
            let root = Root::new(position);
            let moves = position.legal_moves();
            // Test only forced captures that lead from five pieces to at most four, which the
            // tables cover.
            if !position.can_capture() || moves.len() > 1 || !position.play(moves[0]).has_moves() {
                continue;
            }
            let value = root
                .resources
                .bitbases
                .probe(&position.play(moves[0]))
                .expect("at most four pieces");
            let (outcome, _) = search(&root, Limits::depth(1), 1);
            let (score, hits) = outcome.info.map(|info| (info.score, info.tbhits)).unzip();
            assert!(hits > Some(0), "{text}");
            let expected = match value {
                Wdl::Loss => Score::table_win_in(Ply(1)),
                Wdl::Draw => Score::DRAW,
                Wdl::Win => Score::table_loss_in(Ply(1)),
            };
            assert_eq!(score, Some(expected), "{text}");
            seen[value as usize] += 1;
        }
    }

    #[test]
    fn no_best_move_without_legal_moves() {
        let root = Root::new("B:W41,47:B36".parse().expect("FEN"));
        let (outcome, _) = search(&root, Limits::depth(3), 1);
        assert_eq!(outcome.best, None);
    }

    #[test]
    fn third_repetition_in_the_game_is_a_draw() {
        // White is far ahead, but each white move repeats a position for the third time.
        let position: Position = "W:WK4,K46,K50:BK6".parse().expect("FEN");
        let (outcome, _) = search(&Root::new(position), Limits::depth(1), 1);
        assert!(outcome.info.is_some_and(|info| info.score > Score::DRAW));
        let after: Vec<u64> =
            position.legal_moves().iter().map(|&m| position.play(m).key()).collect();
        let mut root = Root::new(position);
        // Play eight king moves. The search looks back for repetitions only as far as the
        // position's king move counter reaches.
        let shuffle = ["50-45", "6-1", "45-50", "1-6"];
        for text in shuffle.iter().cycle().take(8) {
            let m = root.position.legal_moves().iter().copied().find(|m| m.to_string() == *text);
            root.history.push(root.position.key());
            root.position = root.position.play(m.expect(text));
        }
        let len = root.history.len();
        for key in after {
            // Put each key into the history twice, at indices with the same side to move.
            root.history[len - 3] = key;
            root.history[len - 7] = key;
            let m = position.legal_moves().iter().copied().find(|&m| position.play(m).key() == key);
            let limits = Limits { searchmoves: m.into_iter().collect(), ..Limits::depth(3) };
            let (outcome, _) = search(&root, limits, 1);
            assert_eq!(outcome.info.map(|info| info.score), Some(Score::DRAW), "{m:?}");
        }
    }
}
