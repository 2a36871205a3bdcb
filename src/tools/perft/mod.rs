//! Perft: counts the leaves of the legal move tree, on several threads and with an optional hash
//! table.
//!
//! The count for a position depends only on the position. The tree can therefore be divided into
//! many small subtrees, which are distributed to the threads of a rayon pool. The threads share the
//! hash table without locks. A slot contains the count, and the key XOR the count. If two threads
//! write to a slot at the same time, the mixture of their values matches no key (Hyatt and Mann: *A
//! lock-less transposition table implementation for parallel search*, ICGA Journal 25-1, 2002).
//!
//! [`journal`] saves a long count to a folder and merges its shards. [`compare`] finds bugs in
//! another program's move generator by comparing counts with a [`peer`]. [`detail`] counts moves by
//! kind. [`game`] contains the parts that differ between the games.

mod chess;
pub mod compare;
pub(crate) mod detail;
mod draughts;
pub mod game;
pub mod journal;
pub(crate) mod peer;

use crate::base::game::Game;
use crate::base::shard::Shard;
use journal::{CountError, CountJournal};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    pub depth: u32,
    pub threads: usize,
    /// The size of the hash table in MiB, or 0 for no table.
    pub hash_mb: usize,
    /// True if the moves at the last ply are counted without being made.
    pub bulk: bool,
    /// The shard of the tree to count. The units of work are the subtrees two plies below the root.
    /// If the depth is less than four, they are the subtrees one ply below the root. At depth 0,
    /// the only unit is the root.
    pub shard: Shard,
}

#[derive(Debug, thiserror::Error)]
pub enum PerftError {
    #[error("not enough memory for a table of {0} MiB")]
    Memory(usize),
    #[error("cannot start the threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    #[error(transparent)]
    Journal(#[from] CountError),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    pub done: usize,
    pub of: usize,
    pub nodes: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RootCount<M> {
    pub m: M,
    pub nodes: u64,
    /// True if all leaves were counted.
    pub complete: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Division<M> {
    /// The counts of the root moves, in the order of the move generator. Empty at depth 0.
    pub roots: Vec<RootCount<M>>,
    pub nodes: u64,
    /// The number of leaves that were counted by earlier runs.
    pub before: u64,
    pub complete: bool,
    /// The number of subtrees counted so far, and the total number of subtrees.
    pub subtrees: (usize, usize),
    pub elapsed: Duration,
}

/// Counts the leaves below `root` until done or until `stop` is set. Calls `report` after each
/// subtree, from any thread. The totals and the counts of root moves can be added up over all
/// shards.
pub(crate) fn divide<G: Game>(
    root: &G,
    options: &Options,
    stop: &AtomicBool,
    report: &(dyn Fn(Progress) + Sync),
) -> Result<Division<G::Move>, PerftError> {
    run(root, options, None, stop, report)
}

/// Like [`divide`], but counts only the subtrees that are not in the journal, and adds each subtree
/// to the journal as soon as it has been counted.
pub(crate) fn resume<G: Game>(
    root: &G,
    options: &Options,
    journal: &mut CountJournal,
    stop: &AtomicBool,
    report: &(dyn Fn(Progress) + Sync),
) -> Result<Division<G::Move>, PerftError> {
    run(root, options, Some(journal), stop, report)
}

fn run<G: Game>(
    root: &G,
    options: &Options,
    mut journal: Option<&mut CountJournal>,
    stop: &AtomicBool,
    report: &(dyn Fn(Progress) + Sync),
) -> Result<Division<G::Move>, PerftError> {
    let table = match options.hash_mb {
        0 => None,
        mb => Some(Table::new(mb).ok_or(PerftError::Memory(mb))?),
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads.max(1)).build()?;
    let start = Instant::now();
    let moves = if options.depth == 0 { Vec::new() } else { root.moves() };
    let plies = journal.as_ref().and_then(|journal| journal.plies());
    let (mut tasks, plies) = split(root, &moves, options, plies);
    let mut roots: Vec<_> =
        moves.iter().map(|&m| RootCount { m, nodes: 0, complete: true }).collect();
    let of = tasks.len();
    if let Some(journal) = &mut journal {
        let stored = journal.begin(plies, tasks.iter().map(Task::path))?;
        let mut stored = stored.into_iter();
        tasks.retain(|task| {
            let count = stored.next().flatten();
            roots[task.root].nodes += count.unwrap_or_default();
            count.is_none()
        });
    }
    let before = roots.iter().map(|root| root.nodes).sum();
    let counts: Vec<AtomicU64> = roots.iter().map(|root| AtomicU64::new(root.nodes)).collect();
    let open: Vec<AtomicUsize> = moves.iter().map(|_| AtomicUsize::new(0)).collect();
    for task in &tasks {
        open[task.root].fetch_add(1, Relaxed);
    }
    let (done, nodes) = (AtomicUsize::new(of - tasks.len()), AtomicU64::new(before));
    let counter = Counter { table: table.as_ref(), bulk: options.bulk, stop };
    let journal = journal.as_deref();
    pool.install(|| {
        tasks.par_iter().with_max_len(1).try_for_each(|task| {
            let Some(count) = counter.count(&task.position, task.depth) else { return Ok(()) };
            if let Some(journal) = journal {
                journal.add(&task.path(), count)?;
            }
            counts[task.root].fetch_add(count, Relaxed);
            open[task.root].fetch_sub(1, Relaxed);
            let nodes = nodes.fetch_add(count, Relaxed) + count;
            let done = done.fetch_add(1, Relaxed) + 1;
            report(Progress { done, of, nodes });
            Ok::<_, CountError>(())
        })
    })?;
    for (root, (count, open)) in roots.iter_mut().zip(counts.iter().zip(&open)) {
        (root.nodes, root.complete) = (count.load(Relaxed), open.load(Relaxed) == 0);
    }
    Ok(Division {
        complete: roots.iter().all(|root| root.complete),
        nodes: if options.depth == 0 { options.shard.count(1) as u64 } else { nodes.load(Relaxed) },
        before,
        subtrees: (done.load(Relaxed), of),
        roots,
        elapsed: start.elapsed(),
    })
}

struct Task<G: Game> {
    /// The index of the root move that leads to the subtree.
    root: usize,
    path: Vec<G::Move>,
    position: G,
    depth: u32,
}

impl<G: Game> Task<G> {
    fn path(&self) -> String {
        self.path.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }
}

/// Divides the tree into subtrees. Returns the subtrees and their distance from the root in plies.
/// If `plies` is given, it is used as the distance. Otherwise the distance is at least two for deep
/// trees. It is increased if there would be too few subtrees to keep the threads busy, or if a
/// single subtree would take so long that stopping the count would lose much work.
fn split<G: Game>(
    root: &G,
    moves: &[G::Move],
    options: &Options,
    plies: Option<u32>,
) -> (Vec<Task<G>>, u32) {
    const TASKS_PER_THREAD: usize = 64;
    /// A depth and a number of subtrees. A subtree deeper than this depth takes more than a second
    /// to count. Deeper subtrees are divided until there are at least this many subtrees.
    const SHORT: (u32, usize) = (5, 4096);
    /// Like `SHORT`, but a subtree deeper than this depth takes minutes to count.
    const LONG: (u32, usize) = (7, 100_000);
    let wanted = plies;
    let mut depth = options.depth.saturating_sub(1);
    let first =
        |(root_move, &m)| Task { root: root_move, path: vec![m], position: root.after(m), depth };
    let mut tasks: Vec<_> = moves.iter().enumerate().map(first).collect();
    let mut plies = 1;
    let select = |tasks: &mut Vec<Task<G>>| {
        let mut number = 0..;
        tasks.retain(|_| number.next().is_some_and(|number| options.shard.contains(number)));
    };
    // Select the subtrees in the shard at a fixed ply, so that shards do not depend on the number
    // of threads.
    if depth <= 2 {
        select(&mut tasks);
    }
    let longer = |depth, tasks, (short, many)| depth > short && tasks < many;
    // Do not divide the last two plies, because the generator counts them fastest together.
    while depth > 2
        && wanted.map_or(
            plies < 2
                || tasks.len() < TASKS_PER_THREAD * options.threads
                || longer(depth, tasks.len(), SHORT)
                || longer(depth, tasks.len(), LONG),
            |wanted| plies < wanted,
        )
    {
        depth -= 1;
        plies += 1;
        let below = |task: &Task<G>| {
            let after = |m| {
                let path = task.path.iter().copied().chain([m]).collect();
                Task { root: task.root, path, position: task.position.after(m), depth }
            };
            task.position.moves().into_iter().map(after).collect::<Vec<_>>()
        };
        tasks = tasks.iter().flat_map(below).collect();
        if plies == 2 {
            select(&mut tasks);
        }
        if tasks.is_empty() {
            break;
        }
    }
    (tasks, plies)
}

struct Counter<'a> {
    table: Option<&'a Table>,
    bulk: bool,
    stop: &'a AtomicBool,
}

impl Counter<'_> {
    /// Counts the leaves `depth` plies below `position`. Returns `None` if stopped.
    fn count<G: Game>(&self, position: &G, depth: u32) -> Option<u64> {
        // Below this depth, counting is faster than a table lookup. Bulk counting is also faster at
        // exactly this depth.
        const UNHASHED: u32 = 2;
        match (self.bulk, self.table) {
            (_, _) if depth == 0 => return Some(1),
            // Such a shallow count is fast and cannot be interrupted.
            (true, None) if depth <= G::QUICK_PLIES => {
                return (!self.stop.load(Relaxed)).then(|| position.perft(depth));
            }
            (true, Some(_)) if depth <= UNHASHED => return Some(position.perft(depth)),
            _ if depth > UNHASHED && self.stop.load(Relaxed) => return None,
            _ => {}
        }
        let table = self.table.filter(|_| depth >= UNHASHED);
        if let Some(count) = table.and_then(|table| table.get(position.key(), depth)) {
            return Some(count);
        }
        let mut count = 0;
        for m in position.moves() {
            count += self.count(&position.after(m), depth - 1)?;
        }
        if let Some(table) = table {
            table.put(position.key(), depth, count);
        }
        Some(count)
    }
}

/// A hash table of counts. A new entry always replaces the old entry.
struct Table {
    slots: Vec<Slot>,
}

struct Slot {
    /// The key, mixed with the depth, XOR the count.
    check: AtomicU64,
    count: AtomicU64,
}

impl Table {
    /// Allocates a table of `mb` MiB. Returns `None` if there is not enough memory.
    fn new(mb: usize) -> Option<Self> {
        let slots = mb.checked_mul(1 << 20)? / size_of::<Slot>();
        let mut table = Vec::new();
        table.try_reserve_exact(slots).ok()?;
        table.resize_with(slots, || Slot { check: AtomicU64::new(0), count: AtomicU64::new(0) });
        Some(Self { slots: table })
    }

    fn place(&self, key: u64, depth: u32) -> (u64, &Slot) {
        let key = key ^ u64::from(depth).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let index = (u128::from(key) * self.slots.len() as u128) >> 64;
        (key, &self.slots[index as usize])
    }

    fn get(&self, key: u64, depth: u32) -> Option<u64> {
        let (key, slot) = self.place(key, depth);
        let count = slot.count.load(Relaxed);
        (slot.check.load(Relaxed) ^ count == key).then_some(count)
    }

    fn put(&self, key: u64, depth: u32, count: u64) {
        let (key, slot) = self.place(key, depth);
        slot.check.store(key ^ count, Relaxed);
        slot.count.store(count, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;

    fn options(depth: u32) -> Options {
        Options { depth, threads: 2, hash_mb: 0, bulk: true, shard: Shard::WHOLE }
    }

    fn run(fen: &str, options: Options) -> Division<crate::chess::Move> {
        let position: Position = fen.parse().expect("a position");
        divide(&position, &options, &AtomicBool::new(false), &|_| {}).expect("enough memory")
    }

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    #[test]
    fn all_counting_methods_agree() {
        for (depth, nodes) in [(0, 1), (1, 48), (2, 2039), (3, 97_862), (4, 4_085_603)] {
            for bulk in [true, false] {
                for hash_mb in [0, 1] {
                    for threads in [1, 3] {
                        let shard = Shard::WHOLE;
                        let options = Options { depth, threads, hash_mb, bulk, shard };
                        let division = run(KIWIPETE, options);
                        assert_eq!(division.nodes, nodes, "{options:?}");
                        assert!(division.complete);
                        let sum: u64 = division.roots.iter().map(|root| root.nodes).sum();
                        assert!(depth == 0 || sum == nodes, "{options:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn shards_sum_to_the_whole() {
        for depth in 0..=4 {
            let whole = run(KIWIPETE, options(depth));
            for of in [1, 3, 7, 60] {
                let first: Shard = format!("1/{of}").parse().expect("a shard");
                let count = |shard| run(KIWIPETE, Options { shard, ..options(depth) });
                let shards: Vec<_> = first.all().map(count).collect();
                assert!(shards.iter().all(|shard| shard.complete));
                let sum: u64 = shards.iter().map(|shard| shard.nodes).sum();
                assert_eq!(sum, whole.nodes, "{of} shards of depth {depth}");
                for (i, root) in whole.roots.iter().enumerate() {
                    let of_root = shards.iter().map(|shard| shard.roots[i].nodes);
                    assert_eq!(of_root.sum::<u64>(), root.nodes, "{:?}", root.m);
                }
            }
        }
    }

    #[test]
    fn shards_do_not_depend_on_threads_or_table() {
        let shard = "2/5".parse().expect("a shard");
        let counted = run(KIWIPETE, Options { shard, ..options(5) });
        for (threads, hash_mb) in [(1, 0), (3, 0), (16, 1)] {
            let again = run(KIWIPETE, Options { shard, threads, hash_mb, ..options(5) });
            assert_eq!(again.roots, counted.roots);
        }
        assert!(counted.nodes > 30_000_000 && counted.nodes < 50_000_000, "about a fifth");
    }

    #[test]
    fn a_position_without_moves_has_no_leaves() {
        let mated = run("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", options(5));
        assert_eq!((mated.nodes, mated.complete, mated.roots.len()), (0, true, 0));
        // The root position is stalemate, so the count has nothing to divide.
        let forced = run("7k/8/6QK/8/8/8/8/8 b - - 0 1", options(9));
        assert_eq!((forced.nodes, forced.complete), (0, true));
    }

    #[test]
    fn marks_a_stopped_count_as_partial() {
        let stop = AtomicBool::new(false);
        let position: Position = KIWIPETE.parse().expect("a position");
        let seen = AtomicUsize::new(0);
        let division = divide(&position, &options(5), &stop, &|progress| {
            assert!(progress.done <= progress.of);
            if seen.fetch_add(1, Relaxed) == 20 {
                stop.store(true, Relaxed);
            }
        })
        .expect("enough memory");
        assert!(!division.complete);
        assert!(division.nodes > 0 && division.nodes < 193_690_690, "{}", division.nodes);
        let sum: u64 = division.roots.iter().map(|root| root.nodes).sum();
        assert_eq!(sum, division.nodes);
        assert!(division.roots.iter().any(|root| !root.complete));
        assert!(division.subtrees.0 >= 21 && division.subtrees.0 < division.subtrees.1);
    }

    #[test]
    fn rejects_a_table_larger_than_memory() {
        let position = Position::start();
        let options = Options { hash_mb: usize::MAX >> 24, ..options(1) };
        let result = divide(&position, &options, &AtomicBool::new(false), &|_| {});
        assert!(matches!(result, Err(PerftError::Memory(_))));
    }
}
