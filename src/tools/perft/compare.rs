//! Compares the moves that another program finds with ours: walks down the tree to a position where
//! the two differ, and says which moves are missing there and which are too many.
//!
//! A tree of a million leaves that lacks one of them is wrong in some position below; its author
//! looks for it by comparing the counts below each move, ply by ply. Here that is done for him.

use super::{Options, PerftError, divide};
use crate::arena::engine::protocol::Failure;
use crate::base::game::{Game, MoveForm};
use crate::base::shard::Shard;
use std::io;
use std::process::ExitStatus;
use std::sync::atomic::AtomicBool;

/// A position and how it came about. Another program may go wrong only on the way: it is given the
/// moves, not only the position that they lead to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line<G: Game> {
    /// Where it began.
    pub start: G,
    /// The start as the user wrote it, which can say more than a position keeps.
    pub text: String,
    /// The moves since.
    pub moves: Vec<G::Move>,
    /// The position after them.
    pub position: G,
}

impl<G: Game> Line<G> {
    /// A line without moves.
    pub fn new(start: G, text: impl Into<String>) -> Self {
        Self { position: start.clone(), start, text: text.into(), moves: Vec::new() }
    }

    /// The line with one move more, which must be legal.
    pub fn after(&self, m: G::Move) -> Self {
        let mut line = self.clone();
        line.moves.push(m);
        line.position = self.position.after(m);
        line
    }
}

/// What another program said: the text of each move, and the leaves below it.
pub type Counts = Vec<(String, u64)>;

/// A program whose moves are compared with ours.
pub trait Peer<G: Game> {
    /// Its counts below each move of the position at the end of the line, `depth` plies deep.
    ///
    /// # Errors
    /// If it does not answer, or not by counts.
    fn divide(&mut self, line: &Line<G>, depth: u32) -> Result<Counts, PeerError>;
}

/// Why a program cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum PeerError {
    /// It failed as an engine.
    #[error(transparent)]
    Engine(#[from] Failure),
    /// It could not be run.
    #[error("{program} cannot be run: {error}")]
    Start {
        /// The program.
        program: String,
        /// What the system says.
        error: io::Error,
    },
    /// It ended with an error.
    #[error("{program} ended with {status}")]
    Ended {
        /// The program.
        program: String,
        /// How it ended.
        status: ExitStatus,
    },
    /// It thinks instead of counting.
    #[error("it does not know 'go perft': it answered '{0}'")]
    NoPerft(String),
    /// It printed something else.
    #[error("it printed no count of the form 'e2e4: 20', but {0}")]
    NoCounts(String),
}

/// Why a comparison could not be made.
#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    /// Our own count failed.
    #[error(transparent)]
    Own(#[from] PerftError),
    /// The other program failed.
    #[error(transparent)]
    Peer(#[from] PeerError),
    /// The user stopped it.
    #[error("stopped")]
    Stopped,
}

/// How two counts of a tree compare.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Comparison<G: Game> {
    /// They agree in this many leaves.
    Same(u64),
    /// In the position at the end of the line they find different moves.
    Moves {
        /// How to get there.
        line: Line<G>,
        /// Legal moves that the other program does not find.
        missing: Vec<G::Move>,
        /// What it finds besides: moves that are not legal, or that it finds twice.
        extra: Vec<String>,
    },
    /// They find the same moves, but the other program counts some of them as more or less than one
    /// leaf: these moves, with its counts.
    Leaves {
        /// How to get there.
        line: Line<G>,
        /// The moves and its counts.
        wrong: Vec<(G::Move, u64)>,
    },
    /// Below a move the other program counts otherwise than it does from the position after it: what
    /// it counts depends on how it got there, as by a table or by what it updates move by move.
    Fickle {
        /// The position after the move.
        line: Line<G>,
        /// Its count, and the right one, below the move.
        below: [u64; 2],
    },
}

/// Two counts that differ at a step of the walk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step<M> {
    /// The move below which the walk goes on.
    pub m: M,
    /// The depth below it.
    pub depth: u32,
    /// The leaves below the move.
    pub ours: u64,
    /// What the other program counts.
    pub theirs: u64,
}

/// Compares the trees `depth` plies deep, at least 1. `tell` is called at each step down.
///
/// # Errors
/// If one of the two cannot count.
pub fn compare<G: Game>(
    peer: &mut dyn Peer<G>,
    mut line: Line<G>,
    depth: u32,
    threads: usize,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(Step<G::Move>),
) -> Result<Comparison<G>, CompareError> {
    let mut depth = depth.max(1);
    let mut below: Option<[u64; 2]> = None;
    loop {
        let options = Options { depth, threads, hash_mb: 0, bulk: true, shard: Shard::WHOLE };
        let ours = divide(&line.position, &options, stop, &|_| {})?;
        if !ours.complete {
            return Err(CompareError::Stopped);
        }
        let theirs = peer.divide(&line, depth)?;
        let (counts, extra) = sorted(&line.position, theirs);
        let count = |m| counts.iter().find(|(known, _)| *known == m).map(|&(_, count)| count);
        let missing: Vec<_> =
            ours.roots.iter().map(|root| root.m).filter(|&m| count(m).is_none()).collect();
        if !missing.is_empty() || !extra.is_empty() {
            return Ok(Comparison::Moves { line, missing, extra });
        }
        let differs = |root: &&super::RootCount<G::Move>| count(root.m) != Some(root.nodes);
        // The smallest subtree is the quickest to look through.
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
        tell(Step { m: root.m, depth: depth - 1, ours: root.nodes, theirs });
        below = Some([theirs, root.nodes]);
        line = line.after(root.m);
        depth -= 1;
    }
}

/// The counts of the legal moves, and the texts of all others; a legal move's second count is among
/// those.
fn sorted<G: Game>(position: &G, counts: Counts) -> (Vec<(G::Move, u64)>, Vec<String>) {
    let (mut known, mut extra): (Vec<(G::Move, u64)>, _) = (Vec::new(), Vec::new());
    for (text, count) in counts {
        match position.read_move(&text, MoveForm::Program) {
            Ok(m) if known.iter().all(|&(other, _)| other != m) => known.push((m, count)),
            _ => extra.push(text),
        }
    }
    (known, extra)
}

/// Reads the lines of a program that counts below each move, such as `e2e4: 20`, `e2e4 - 20` or
/// `32-28 9`; other lines are passed over.
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

    /// Counts with a fault: leaves out moves, or adds texts.
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
            let kept = moves.iter().filter(|&&m| (self.keeps)(position, m));
            added + kept.map(|&m| self.count(&position.play_unchecked(m), depth - 1)).sum::<u64>()
        }
    }

    impl Peer<Position> for Faulty {
        fn divide(&mut self, line: &Line<Position>, depth: u32) -> Result<Counts, PeerError> {
            let position = &line.position;
            let moves = position.legal_moves();
            let kept = moves.iter().filter(|&&m| (self.keeps)(position, m));
            let mut counts: Counts = kept
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
        let line = Line::new(KIWIPETE.parse().expect("legal"), KIWIPETE);
        let mut steps = 0;
        let stop = AtomicBool::new(false);
        let found = compare(&mut peer, line, depth, 1, &stop, &mut |_| steps += 1);
        (found.expect("nothing fails"), steps)
    }

    #[test]
    fn a_sound_generator_agrees() {
        let sound = Faulty { keeps: |_, _| true, adds: |_| None };
        assert_eq!(walk(sound, 3), (Comparison::Same(97_862), 0));
    }

    #[test]
    fn the_walk_ends_where_a_move_is_missing() {
        let faulty = Faulty { keeps: |_, m| m.kind() != MoveKind::EnPassant, adds: |_| None };
        let (found, steps) = walk(faulty, 3);
        let Comparison::Moves { line, missing, extra } = found else { panic!("{found:?}") };
        assert_eq!((line.moves.len(), steps, extra.len()), (steps, steps, 0));
        assert!(steps > 0 && missing.iter().all(|m| m.kind() == MoveKind::EnPassant));
        assert!(!missing.is_empty());
    }

    #[test]
    fn the_walk_ends_where_a_move_is_too_many() {
        let castles = |p: &Position| p.in_check().then(|| "e8g8".to_owned());
        let (found, _) = walk(Faulty { keeps: |_, _| true, adds: castles }, 3);
        let Comparison::Moves { line, missing, extra } = found else { panic!("{found:?}") };
        assert!(line.position.in_check() && missing.is_empty());
        assert_eq!(extra, ["e8g8"]);
    }

    #[test]
    fn counts_that_depend_on_the_way_are_told() {
        struct Fickle;
        impl Peer<Position> for Fickle {
            fn divide(&mut self, line: &Line<Position>, depth: u32) -> Result<Counts, PeerError> {
                let wrong = u64::from(line.moves.is_empty());
                let moves = line.position.legal_moves();
                let counts = moves.iter().map(|&m| {
                    let below = line.position.play_unchecked(m).perft(depth - 1);
                    (m.to_string(), below + wrong)
                });
                Ok(counts.collect())
            }
        }
        let line = Line::new(Position::start(), "startpos");
        let stop = AtomicBool::new(false);
        let found = compare(&mut Fickle, line.clone(), 3, 1, &stop, &mut |_| {});
        assert!(matches!(found, Ok(Comparison::Fickle { below: [a, b], .. }) if a == b + 1));
        let found = compare(&mut Fickle, line, 1, 1, &stop, &mut |_| {});
        assert!(matches!(found, Ok(Comparison::Leaves { wrong, .. }) if wrong.len() == 20));
    }

    #[test]
    fn counts_are_read_as_programs_print_them() {
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
