//! Comparison of another program's moves with ours. It descends the tree to a position in which the
//! moves differ, and reports the missing and extra moves.
//!
//! If a tree has a wrong number of leaves, some position in it has a wrong move list. Programmers
//! find this position by comparing the counts of each move, ply by ply. This module does so
//! automatically.

use super::{Options, PerftError, divide};
use crate::arena::engine::failure::Failure;
use crate::base::game::{Game, MoveForm};
use crate::base::shard::Shard;
use std::fmt;
use std::io;
use std::process::ExitStatus;
use std::sync::atomic::AtomicBool;

/// A start position and a line of moves from it. The other program receives the moves and not only
/// the final position, because its bug may be in making moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MovePath<G: Game> {
    pub start: G,
    /// The start position as written by the user. The text may contain information that `start`
    /// does not store.
    pub text: String,
    pub moves: Vec<G::Move>,
    /// The position after the moves.
    pub position: G,
}

impl<G: Game> MovePath<G> {
    pub(crate) fn new(start: G, text: impl Into<String>) -> Self {
        Self { position: start.clone(), start, text: text.into(), moves: Vec::new() }
    }

    /// Appends a legal move.
    pub(crate) fn after(&self, m: G::Move) -> Self {
        let mut line = self.clone();
        line.moves.push(m);
        line.position = self.position.after(m);
        line
    }
}

/// Another program's counts: the text of each move, and the number of leaves below it.
pub(crate) type Counts = Vec<(String, u64)>;

impl<G: Game> fmt::Display for MovePath<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        if !self.moves.is_empty() {
            f.write_str(" moves")?;
        }
        self.moves.iter().try_for_each(|m| write!(f, " {m}"))
    }
}

pub trait Peer<G: Game> {
    /// Returns the name of the program, for error messages.
    fn name(&self) -> &str;

    /// Counts the leaves `depth` plies below the position at the end of the line. Returns the count
    /// for each move in this position.
    fn divide(&mut self, line: &MovePath<G>, depth: u32) -> Result<Counts, PeerError>;
}

#[derive(Debug, thiserror::Error)]
pub enum PeerError {
    #[error(transparent)]
    Engine(#[from] Failure),
    #[error("cannot run {program}: {error}")]
    Start { program: String, error: io::Error },
    #[error("ended with {0}")]
    Ended(ExitStatus),
    /// The engine started a search instead of counting.
    #[error(
        "the engine does not support 'go perft': it answered '{0}'; give a program that counts, \
         with placeholders for position and depth, as in --against \"PROGRAM {{fen}} {{depth}}\""
    )]
    NoPerft(String),
    /// The output contains no counts. The string is the start of its first line, or `nothing`.
    #[error("the program printed no counts such as 'e2e4: 20', but {0}")]
    NoCounts(String),
}

#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    #[error(transparent)]
    Own(#[from] PerftError),
    #[error("{program}: perft {depth} of {line} failed: {error}")]
    Peer { program: String, depth: u32, line: String, error: Box<PeerError> },
    #[error("stopped")]
    Stopped,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Comparison<G: Game> {
    /// Both programs count this many leaves.
    Same(u64),
    /// The programs find different moves in the position at the end of the line.
    Moves {
        line: MovePath<G>,
        missing: Vec<G::Move>,
        /// Illegal moves, and moves listed twice.
        extra: Vec<String>,
    },
    /// The programs find the same moves in the position at the end of the line, but the other
    /// program does not count each of these moves as one leaf.
    Leaves { line: MovePath<G>, wrong: Vec<(G::Move, u64)> },
    /// The other program's count for a move differs from its own count for the position after the
    /// move. Its result therefore depends on the moves that led to the position, for example
    /// because of a bug in its hash table or in incrementally updated state.
    Fickle {
        line: MovePath<G>,
        /// The other program's count for the move, and the correct count.
        below: [u64; 2],
    },
}

/// A step of the descent: a move below which the counts differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step<M> {
    pub m: M,
    /// The remaining depth after the move.
    pub depth: u32,
    pub ours: u64,
    pub theirs: u64,
}

/// Compares both programs' counts of the leaves `depth` plies below the end of the line. A depth of
/// 0 is treated as 1. If the counts differ, descends to a position in which the moves differ, and
/// calls `on_step` at each step of the descent.
pub fn compare<G: Game>(
    peer: &mut dyn Peer<G>,
    mut line: MovePath<G>,
    depth: u32,
    threads: usize,
    stop: &AtomicBool,
    on_step: &mut dyn FnMut(Step<G::Move>),
) -> Result<Comparison<G>, CompareError> {
    let mut depth = depth.max(1);
    let mut below: Option<[u64; 2]> = None;
    loop {
        let options = Options { depth, threads, hash_mb: 0, bulk: true, shard: Shard::WHOLE };
        let ours = divide(&line.position, &options, stop, &|_| {})?;
        if !ours.complete {
            return Err(CompareError::Stopped);
        }
        let theirs = peer.divide(&line, depth).map_err(|error| CompareError::Peer {
            program: peer.name().to_owned(),
            depth,
            line: line.to_string(),
            error: Box::new(error),
        })?;
        let (counts, extra) = sorted(&line.position, theirs);
        let count = |m| counts.iter().find(|(counted, _)| *counted == m).map(|&(_, count)| count);
        let missing: Vec<_> =
            ours.roots.iter().map(|root| root.m).filter(|&m| count(m).is_none()).collect();
        if !missing.is_empty() || !extra.is_empty() {
            return Ok(Comparison::Moves { line, missing, extra });
        }
        let differs = |root: &&super::RootCount<G::Move>| count(root.m) != Some(root.nodes);
        // Descend into the smallest subtree that differs, because it is the fastest to search.
        let Some(root) = ours.roots.iter().filter(differs).min_by_key(|root| root.nodes) else {
            return Ok(match below {
                Some(below) => Comparison::Fickle { line, below },
                None => Comparison::Same(ours.nodes),
            });
        };
        let theirs = count(root.m).unwrap_or_default();
        if depth == 1 {
            let wrong = ours.roots.iter().filter(differs);
            let wrong = wrong.filter_map(|root| Some((root.m, count(root.m)?))).collect();
            return Ok(Comparison::Leaves { line, wrong });
        }
        on_step(Step { m: root.m, depth: depth - 1, ours: root.nodes, theirs });
        below = Some([theirs, root.nodes]);
        line = line.after(root.m);
        depth -= 1;
    }
}

/// Separates another program's counts into counts of legal moves, and the text of moves that are
/// illegal or listed a second time.
fn sorted<G: Game>(position: &G, counts: Counts) -> (Vec<(G::Move, u64)>, Vec<String>) {
    let (mut legal, mut extra): (Vec<(G::Move, u64)>, _) = (Vec::new(), Vec::new());
    for (text, count) in counts {
        match position.read_move(&text, MoveForm::Program) {
            Ok(m) if legal.iter().all(|&(other, _)| other != m) => legal.push((m, count)),
            _ => extra.push(text),
        }
    }
    (legal, extra)
}

/// Parses a program's output for lines with counts, such as `e2e4: 20`, `e2e4 - 20` or `32-28 9`.
/// Other lines are ignored.
pub fn read_counts<'a>(lines: impl IntoIterator<Item = &'a str>) -> Counts {
    lines.into_iter().filter_map(read_count).collect()
}

fn read_count(line: &str) -> Option<(String, u64)> {
    let (rest, count) = line.trim().rsplit_once([' ', '\t', ':', '='])?;
    let count = count.parse().ok()?;
    let text = rest.trim_end_matches([' ', '\t', ':', '=', '-', '>']);
    let is_move =
        text.contains(|c: char| c.is_ascii_digit()) && !text.contains(char::is_whitespace);
    is_move.then(|| (text.to_owned(), count))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::moves::MoveKind;
    use crate::chess::{Move, Position};

    /// A faulty generator, which omits some legal moves or adds an illegal move.
    struct Faulty {
        keeps: fn(&Position, Move) -> bool,
        adds: fn(&Position) -> Option<String>,
    }

    impl Faulty {
        fn count(&self, position: &Position, depth: u32) -> u64 {
            if depth == 0 {
                return 1;
            }
            let added = u64::from((self.adds)(position).is_some());
            let moves = position.legal_moves();
            let found = moves.iter().filter(|&&m| (self.keeps)(position, m));
            added + found.map(|&m| self.count(&position.play_unchecked(m), depth - 1)).sum::<u64>()
        }
    }

    impl Peer<Position> for Faulty {
        fn name(&self) -> &str {
            "faulty"
        }

        fn divide(&mut self, line: &MovePath<Position>, depth: u32) -> Result<Counts, PeerError> {
            let position = &line.position;
            let moves = position.legal_moves();
            let found = moves.iter().filter(|&&m| (self.keeps)(position, m));
            let mut counts: Counts = found
                .map(|&m| {
                    (position.uci(m, false), self.count(&position.play_unchecked(m), depth - 1))
                })
                .collect();
            counts.extend((self.adds)(position).map(|text| (text, 1)));
            Ok(counts)
        }
    }

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    fn walk(mut peer: Faulty, depth: u32) -> (Comparison<Position>, usize) {
        let line = MovePath::new(KIWIPETE.parse().expect("legal"), KIWIPETE);
        let mut steps = 0;
        let stop = AtomicBool::new(false);
        let found = compare(&mut peer, line, depth, 1, &stop, &mut |_| steps += 1);
        (found.expect("nothing fails"), steps)
    }

    #[test]
    fn accepts_a_correct_generator() {
        let sound = Faulty { keeps: |_, _| true, adds: |_| None };
        assert_eq!(walk(sound, 3), (Comparison::Same(97_862), 0));
    }

    #[test]
    fn finds_the_position_with_a_missing_move() {
        let faulty = Faulty { keeps: |_, m| m.kind() != MoveKind::EnPassant, adds: |_| None };
        let (found, steps) = walk(faulty, 3);
        let Comparison::Moves { line, missing, extra } = found else { panic!("{found:?}") };
        assert_eq!((line.moves.len(), steps, extra.len()), (steps, steps, 0));
        assert!(steps > 0 && missing.iter().all(|m| m.kind() == MoveKind::EnPassant));
        assert!(!missing.is_empty());
    }

    #[test]
    fn finds_the_position_with_an_extra_move() {
        let castles = |p: &Position| p.in_check().then(|| "e8g8".to_owned());
        let (found, _) = walk(Faulty { keeps: |_, _| true, adds: castles }, 3);
        let Comparison::Moves { line, missing, extra } = found else { panic!("{found:?}") };
        assert!(line.position.in_check() && missing.is_empty());
        assert_eq!(extra, ["e8g8"]);
    }

    #[test]
    fn reports_counts_that_depend_on_the_path() {
        struct Fickle;
        impl Peer<Position> for Fickle {
            fn name(&self) -> &str {
                "fickle"
            }

            fn divide(
                &mut self,
                line: &MovePath<Position>,
                depth: u32,
            ) -> Result<Counts, PeerError> {
                let wrong = u64::from(line.moves.is_empty());
                let moves = line.position.legal_moves();
                let counts = moves.iter().map(|&m| {
                    let below = line.position.play_unchecked(m).perft(depth - 1);
                    (m.to_string(), below + wrong)
                });
                Ok(counts.collect())
            }
        }
        let line = MovePath::new(Position::start(), "startpos");
        let stop = AtomicBool::new(false);
        let found = compare(&mut Fickle, line.clone(), 3, 1, &stop, &mut |_| {});
        assert!(matches!(found, Ok(Comparison::Fickle { below: [a, b], .. }) if a == b + 1));
        let found = compare(&mut Fickle, line, 1, 1, &stop, &mut |_| {});
        assert!(matches!(found, Ok(Comparison::Leaves { wrong, .. }) if wrong.len() == 20));
    }

    #[test]
    fn parses_counts_of_other_programs() {
        let lines = [
            "e2e4: 20",
            "a7a8q 3",
            "e1g1 - 44",
            "d2d4:\t7",
            "32-28 9",
            "28x19=2",
            "Nodes searched: 400",
            "info depth 3",
            "total 9",
            "",
            "bestmove e2e4",
        ];
        let read = read_counts(lines);
        let wanted =
            [("e2e4", 20), ("a7a8q", 3), ("e1g1", 44), ("d2d4", 7), ("32-28", 9), ("28x19", 2)];
        assert_eq!(read, wanted.map(|(text, count)| (text.to_owned(), count)));
    }
}
