//! Generation of a draughts opening book by search. The book contains the good moves in the start
//! position and in all positions reached by good moves. A move is good if its score is close to the
//! score of the best move.

use crate::draughts::book::GOOD_MOVES;
use crate::draughts::epd::Epd;
use crate::draughts::{Move, Position, Variant, notation};
use crate::record::epd::Operation;
use crate::search::draughts::{DraughtsEngine, Root};
use crate::search::driver::{Options, ResourceError};
use crate::search::limits::Limits;
use crate::search::stop::StopHandle;
use crate::tools::workers::each_number;
use std::collections::BTreeMap;
use std::io;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Builder {
    pub variant: Variant,
    pub threads: usize,
    /// The length of the book, in plies.
    pub plies: u32,
    /// The number of nodes to search in each position.
    pub nodes: u64,
    /// The maximum score difference between a good move and the best move, in hundredths of a man.
    pub margin: i32,
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum BookError {
    #[error(transparent)]
    Engine(#[from] ResourceError),
    #[error("cannot start {0} threads: {1}")]
    Threads(usize, #[source] io::Error),
}

const HASH_MB: usize = 16;

impl Builder {
    /// Makes the book and returns its records, sorted by ply and then by text. The result is the
    /// same on every machine. After each position, calls `done` with the ply of the position and
    /// the number of positions at this ply.
    ///
    /// If `control` is stopped, returns the records for the plies completed so far.
    pub fn run(
        &self,
        control: &StopHandle,
        done: &(dyn Fn(u32, usize) + Sync),
    ) -> Result<Vec<Epd>, BookError> {
        let mut records = Vec::new();
        let mut positions = vec![Position::start_of(self.variant)];
        for ply in 0..self.plies {
            let good: Vec<OnceLock<Vec<Move>>> = vec![OnceLock::new(); positions.len()];
            let work = |engine: &mut DraughtsEngine, number: usize| {
                let moves = self.good_moves(engine, &positions[number], control);
                good[number].get_or_init(|| moves);
                done(ply, positions.len());
                Ok(())
            };
            let options = Options { hash_mb: HASH_MB, ..Options::default() };
            let engine = || Ok(DraughtsEngine::new(options.clone())?);
            let refused = |error| BookError::Threads(self.threads, error);
            // Do not use rayon here: while a rayon thread waits for a search, it would begin
            // another position.
            each_number(
                self.threads,
                positions.len(),
                &AtomicBool::new(false),
                engine,
                work,
                refused,
            )?;
            if control.is_stopped() {
                break;
            }
            let mut next = BTreeMap::new();
            for (position, moves) in positions.iter().zip(good) {
                let moves = moves.into_inner().unwrap_or_default();
                next.extend(moves.iter().map(|&m| {
                    let after = position.play_unchecked(m);
                    (after.to_string(), after)
                }));
                let texts: Vec<String> =
                    moves.iter().map(|&m| notation::pdn(position, m)).collect();
                let words: Vec<&str> = texts.iter().map(String::as_str).collect();
                let operations = vec![Operation::new(GOOD_MOVES, &words)];
                records.push(Epd { position: *position, operations });
            }
            positions = next.into_values().filter(Position::has_moves).collect();
        }
        Ok(records)
    }

    /// Returns the moves within the margin of the best move, best first.
    fn good_moves(
        &self,
        engine: &mut DraughtsEngine,
        position: &Position,
        control: &StopHandle,
    ) -> Vec<Move> {
        let moves = position.legal_moves();
        if let [only] = moves[..] {
            return vec![only];
        }
        engine.clear();
        engine.options.multipv = moves.len();
        let limits = Limits::nodes(self.nodes);
        let lines = engine.search(&Root::new(*position), &limits, control, None).lines;
        let Some(best) = lines.first().map(|line| line.score) else { return Vec::new() };
        let good = lines.iter().filter(|line| line.score.0 + self.margin >= best.0);
        good.filter_map(|line| line.pv.first().copied()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draughts::book::Book;

    fn build(margin: i32) -> Vec<Epd> {
        let builder =
            Builder { variant: Variant::Normal, threads: 2, plies: 2, nodes: 2000, margin };
        builder.run(&StopHandle::new(), &|_, _| ()).expect("memory")
    }

    #[test]
    fn writes_a_readable_book() {
        let records = build(5);
        let text: String = records.iter().map(|record| format!("{record}\n")).collect();
        let book = Book::read(&text).expect("a book");
        assert_eq!(book.len(), records.len());
        assert_eq!(records.len(), 1 + book.moves(&Position::start()).len());
        assert_eq!(records, build(5), "the result is reproducible");
    }

    #[test]
    fn wider_margin_includes_more_moves() {
        let moves = |margin| build(margin)[0].operations[0].operands.len();
        assert_eq!((moves(0), moves(10_000)), (1, 9));
    }

    #[test]
    fn stopped_builder_returns_only_complete_plies() {
        let control = StopHandle::new();
        control.stop();
        let builder =
            Builder { variant: Variant::Losing, threads: 1, plies: 2, nodes: 2000, margin: 5 };
        assert_eq!(builder.run(&control, &|_, _| ()).expect("memory"), []);
    }
}
