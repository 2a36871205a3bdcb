//! Searches a fixed set of positions, to show whether a change affects the speed of the program or
//! the node count of the search.

use crate::base::cursor::Cursor;
use crate::chess::setup::Setup;
use crate::draughts::Variant;
use crate::record::epd;
use crate::search::driver::{Engine, Options, ResourceError, Root, Searcher};
use crate::search::limits::Limits;
use crate::search::stop::StopHandle;
use crate::search::{chess, draughts};
use std::fmt;
use std::ops::AddAssign;
use std::time::Duration;

const CHESS: &str = include_str!("../../epd/chess/bench.epd");
const DRAUGHTS: &str = include_str!("../../epd/draughts/bench.epd");

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bench {
    /// The search depth in plies, or `None` for each game's default depth.
    pub depth: Option<u32>,
    /// The number of search threads. With more than one, the node count varies from run to run.
    pub threads: usize,
    pub hash_mb: usize,
}

impl Default for Bench {
    fn default() -> Self {
        Self { depth: None, threads: 1, hash_mb: 16 }
    }
}

pub(crate) const CHESS_DEPTH: u32 = 12;
pub(crate) const DRAUGHTS_DEPTH: u32 = 15;
pub(crate) const VARIANTS_DEPTH: u32 = 11;

/// The total nodes and time of a bench, displayed as the last two lines of its output.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Total {
    pub nodes: u64,
    pub elapsed: Duration,
}

impl Total {
    fn nps(&self) -> u128 {
        u128::from(self.nodes) * 1_000_000_000 / self.elapsed.as_nanos().max(1)
    }
}

impl fmt::Display for Total {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} nodes\n{} nps", self.nodes, self.nps())
    }
}

impl AddAssign for Total {
    fn add_assign(&mut self, other: Self) {
        self.nodes += other.nodes;
        self.elapsed += other.elapsed;
    }
}

pub(crate) type LineSink<'a> = &'a mut dyn FnMut(&dyn fmt::Display);

impl Bench {
    /// Creates a bench from up to three arguments: depth, threads and hash size, in that order.
    /// Missing arguments have default values.
    pub(crate) fn from_arguments(arguments: &[u32]) -> Self {
        let default = Self::default();
        let argument = |at: usize| arguments.get(at).map(|&n| n as usize);
        Self {
            depth: arguments.first().copied(),
            threads: argument(1).unwrap_or(default.threads),
            hash_mb: argument(2).unwrap_or(default.hash_mb),
        }
    }

    /// Searches positions of chess, draughts and the draughts variants. Prints a total for each of
    /// these groups, and then the grand total. Stopping `control` ends the bench early.
    pub fn run(&self, control: &StopHandle, line: LineSink<'_>) -> Result<Total, ResourceError> {
        let chess = self.chess(control, line)?;
        let draughts = self.draughts(control, line)?;
        let variants = self.variants(control, line)?;
        let mut total = Total::default();
        for (name, of_game) in [("chess", chess), ("draughts", draughts), ("variants", variants)] {
            line(&format_args!("{name}: {} nodes, {} nps", of_game.nodes, of_game.nps()));
            total += of_game;
        }
        line(&total);
        Ok(total)
    }

    pub fn chess(&self, control: &StopHandle, line: LineSink<'_>) -> Result<Total, ResourceError> {
        let roots = chess_positions().into_iter().map(chess::Root::new).collect();
        let name = |root: &chess::Root, m| root.position.uci(m, true);
        self.search::<chess::ChessSearcher>(CHESS_DEPTH, roots, name, control, line)
    }

    pub(crate) fn draughts(
        &self,
        control: &StopHandle,
        line: LineSink<'_>,
    ) -> Result<Total, ResourceError> {
        let roots = draughts_positions().into_iter().map(draughts::Root::new).collect();
        let name = |_: &draughts::Root, m: crate::draughts::Move| format!("{m:#}");
        self.search::<draughts::DraughtsSearcher>(DRAUGHTS_DEPTH, roots, name, control, line)
    }

    fn variants(&self, control: &StopHandle, line: LineSink<'_>) -> Result<Total, ResourceError> {
        let roots = variant_positions().into_iter().map(draughts::Root::new).collect();
        let name = |_: &draughts::Root, m: crate::draughts::Move| format!("{m:#}");
        self.search::<draughts::DraughtsSearcher>(VARIANTS_DEPTH, roots, name, control, line)
    }

    fn search<S: Searcher>(
        &self,
        depth: u32,
        roots: Vec<Root<S>>,
        name: impl Fn(&Root<S>, S::Move) -> String,
        control: &StopHandle,
        line: LineSink<'_>,
    ) -> Result<Total, ResourceError> {
        let &Self { threads, hash_mb, .. } = self;
        let limits = Limits::depth(self.depth.unwrap_or(depth));
        let mut engine = Engine::<S>::new(Options { hash_mb, threads, ..Options::default() })?;
        let mut total = Total::default();
        for (number, root) in (1..).zip(&roots) {
            if control.is_stopped() {
                break;
            }
            engine.clear();
            let outcome = engine.search(root, &limits, control, None);
            let best = outcome.best.map_or("(none)".to_owned(), |m| name(root, m));
            let nodes = outcome.nodes;
            line(&format_args!("{number:2}/{} {best:5} {nodes:9} nodes", roots.len()));
            total += Total { nodes, elapsed: outcome.elapsed };
        }
        Ok(total)
    }
}

fn records(text: &str) -> impl Iterator<Item = &str> {
    epd::lines(text).map(|(_, line)| line)
}

fn chess_positions() -> Vec<crate::chess::Position> {
    records(CHESS)
        .filter_map(|line| Setup::read_board(&mut Cursor::new(line)).ok()?.try_into().ok())
        .collect()
}

fn draughts_positions() -> Vec<crate::draughts::Position> {
    records(DRAUGHTS).filter_map(|line| line.split(' ').next()?.parse().ok()).collect()
}

/// Returns the same four draughts bench positions in each of the variants.
fn variant_positions() -> Vec<crate::draughts::Position> {
    let lines = records(DRAUGHTS).step_by(4).take(4);
    let boards: Vec<&str> = lines.filter_map(|line| line.split(' ').next()).collect();
    let variants = Variant::ALL.into_iter().filter(|&variant| variant != Variant::Normal);
    let in_variant = |variant| boards.iter().map(move |board| format!("{board}:V{variant}"));
    variants.flat_map(in_variant).filter_map(|fen| fen.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_is_legal_and_has_moves() {
        let chess = chess_positions();
        assert_eq!(chess.len(), records(CHESS).count());
        assert!(chess.len() >= 30 && chess.iter().all(crate::chess::Position::has_moves));
        let draughts = draughts_positions();
        assert_eq!(draughts.len(), records(DRAUGHTS).count());
        assert!(draughts.len() >= 15 && draughts.iter().all(crate::draughts::Position::has_moves));
        let variants = variant_positions();
        assert!(variants.len() == 16 && variants.iter().all(crate::draughts::Position::has_moves));
    }

    #[test]
    fn single_thread_bench_is_deterministic() {
        let count = || {
            let bench = Bench { depth: Some(5), ..Bench::default() };
            let mut lines = Vec::new();
            let total = bench.run(&StopHandle::new(), &mut |line| lines.push(line.to_string()));
            (total.expect("memory").nodes, lines)
        };
        let (nodes, lines) = count();
        assert!(nodes > 1000);
        assert_eq!(nodes, count().0);
        let [.., chess, draughts, variants, total] = &lines[..] else { panic!("{lines:?}") };
        let of = |line: &str, name: &str| -> u64 {
            let rest = line.strip_prefix(name).expect(name);
            rest.split(' ').next().expect("a number").parse().expect(rest)
        };
        let games = of(chess, "chess: ") + of(draughts, "draughts: ");
        assert_eq!(games + of(variants, "variants: "), nodes);
        assert!(total.starts_with(&format!("{nodes} nodes\n")) && total.ends_with(" nps"));
    }

    #[test]
    fn reads_arguments_in_order() {
        let bench = Bench::from_arguments(&[5, 2]);
        assert_eq!(bench, Bench { depth: Some(5), threads: 2, ..Bench::default() });
    }
}
