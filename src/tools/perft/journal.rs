//! Storage for perft counts, so that a count that takes several days can be resumed after a crash,
//! and its shards can be joined.
//!
//! The folder for a count contains one file, `perft.txt`, which is a [`Journal`]. It begins with
//! the settings of the count. Each entry contains the moves from the root to a completed subtree,
//! and the number of leaves in the subtree. If an entry is damaged, its subtree is counted again.

use super::{Division, RootCount};
use crate::base::file::{FileError, Holder, at};
use crate::base::game::Game;
use crate::base::journal::{self, Damage, Entry, Journal, Loaded, Order};
use crate::base::shard::{self, JoinError, Shard};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

const FILE: &str = "perft.txt";
const VERSION: u32 = 1;

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Tree {
    /// The name of the game on the command line.
    pub game: String,
    /// The position in canonical form.
    pub position: String,
    pub depth: u32,
    pub share: Shard,
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { game, position, depth, share } = self;
        write!(f, "{game}, {position}, depth {depth}")?;
        if *share == Shard::WHOLE { Ok(()) } else { write!(f, ", shard {share}") }
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Header {
    perft: u32,
    #[serde(flatten)]
    tree: Tree,
    /// The distance of the subtrees from the root, in plies.
    plies: u32,
    /// The number of subtrees.
    subtrees: usize,
}

#[derive(Debug, thiserror::Error)]
pub enum CountError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{dir} is in use by another count: {holder}")]
    InUse { dir: PathBuf, holder: Holder },
    #[error("{path} is not a perft journal; the file was left unchanged")]
    Header { path: PathBuf },
    #[error("{dir} contains another count: {stored}; requested: {requested}")]
    Other { dir: PathBuf, stored: Box<Tree>, requested: Box<Tree> },
    #[error("{path}: conflicting counts for the subtree {moves}")]
    Twice { path: PathBuf, moves: String },
    #[error(
        "{path}: the subtrees do not match this program; was the count started by another version?"
    )]
    Subtrees { path: PathBuf },
    #[error(transparent)]
    Join(#[from] JoinError),
}

/// A counted subtree, stored as a line such as `e2e4 e7e5 29`.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Subtree {
    moves: String,
    leaves: u64,
}

impl Entry for Subtree {
    fn to_text(&self) -> io::Result<String> {
        Ok(format!("{} {}", self.moves, self.leaves))
    }

    fn from_text(text: &str) -> Option<Self> {
        let (moves, leaves) = text.rsplit_once(' ')?;
        Some(Self { moves: moves.to_owned(), leaves: leaves.parse().ok()? })
    }
}

#[derive(Default, Debug)]
struct Counts {
    /// The leaf count of each subtree. The keys are the moves that lead to the subtrees.
    leaves: HashMap<String, u64>,
    sum: u64,
    contradiction: Option<String>,
    /// The numbers of the lines with a count that would overflow the sum. Such a count can only be
    /// the result of damage.
    impossible: Vec<usize>,
}

impl Counts {
    fn add(&mut self, Subtree { moves, leaves }: Subtree, line: usize) {
        let Some(sum) = self.sum.checked_add(leaves) else {
            self.impossible.push(line);
            return;
        };
        self.sum = sum;
        if self.leaves.insert(moves.clone(), leaves).is_some_and(|other| other != leaves) {
            self.contradiction = Some(moves);
        }
    }

    fn read(
        path: &Path,
        read: impl FnOnce(&mut Self) -> Result<Loaded<Subtree, Header>, journal::JournalError>,
    ) -> Result<(Self, Loaded<Subtree, Header>), CountError> {
        let mut counts = Self::default();
        let mut loaded = read(&mut counts).map_err(|error| CountError::of(error, path))?;
        if loaded.settings.as_ref().is_some_and(|header| header.perft != VERSION) {
            return Err(CountError::Header { path: path.to_owned() });
        }
        if let Some(moves) = counts.contradiction.take() {
            return Err(CountError::Twice { path: path.to_owned(), moves });
        }
        loaded.damage.lost += counts.impossible.len();
        loaded.damage.lines.append(&mut counts.impossible);
        loaded.damage.lines.sort_unstable();
        Ok((counts, loaded))
    }
}

impl CountError {
    fn of(error: journal::JournalError, path: &Path) -> Self {
        match error {
            journal::JournalError::Io(error) => at(path)(error).into(),
            journal::JournalError::InUse(holder) => {
                Self::InUse { dir: path.parent().unwrap_or(path).to_owned(), holder }
            }
            journal::JournalError::Foreign | journal::JournalError::Settings { .. } => {
                Self::Header { path: path.to_owned() }
            }
        }
    }
}

#[derive(Debug)]
pub(crate) struct CountJournal {
    path: PathBuf,
    file: Mutex<Journal<Subtree>>,
    tree: Tree,
    /// The header, or `None` if the count has not begun.
    header: Option<Header>,
    counts: Counts,
    damage: Damage,
}

impl CountJournal {
    /// Opens the journal in `dir`, or creates the folder and the journal for a new count. Fails if
    /// the folder contains another count or is in use.
    pub(crate) fn open(dir: &Path, tree: Tree) -> Result<Self, CountError> {
        fs::create_dir_all(dir).map_err(at(dir))?;
        let path = dir.join(FILE);
        let (counts, mut loaded) = Counts::read(&path, |counts| {
            Loaded::open(&path, Order::Independent, |entry, line| counts.add(entry, line))
        })?;
        let header = loaded.settings.take();
        if let Some(header) = &header
            && header.tree != tree
        {
            let (stored, requested) = (Box::new(header.tree.clone()), Box::new(tree));
            return Err(CountError::Other { dir: dir.to_owned(), stored, requested });
        }
        let opened = loaded.into_journal().map_err(|error| CountError::of(error, &path));
        let (file, damage) = opened?;
        Ok(Self { path, file: Mutex::new(file), tree, header, counts, damage })
    }

    /// Returns the damaged lines. Their subtrees are counted again.
    pub(crate) const fn damage(&self) -> &Damage {
        &self.damage
    }

    /// Returns the number of counted subtrees and the total number of subtrees, or `None` if the
    /// count has not begun.
    pub(crate) fn done(&self) -> Option<(usize, usize)> {
        Some((self.counts.leaves.len(), self.header.as_ref()?.subtrees))
    }

    /// Returns the distance of the subtrees from the root in plies, or `None` if the count has not
    /// begun.
    pub(super) fn plies(&self) -> Option<u32> {
        self.header.as_ref().map(|header| header.plies)
    }

    /// Begins or resumes a count. `subtrees` are the moves that lead to each subtree. Returns, for
    /// each subtree, the stored count, or `None` if the subtree has not been counted.
    pub(super) fn begin(
        &mut self,
        plies: u32,
        subtrees: impl ExactSizeIterator<Item = String>,
    ) -> Result<Vec<Option<u64>>, CountError> {
        let of = subtrees.len();
        let counts = &self.counts.leaves;
        let stored: Vec<_> = subtrees.map(|moves| counts.get(&moves).copied()).collect();
        match &self.header {
            Some(header) => {
                if header.subtrees != of || stored.iter().flatten().count() != counts.len() {
                    return Err(CountError::Subtrees { path: self.path.clone() });
                }
            }
            None => {
                let header =
                    Header { perft: VERSION, tree: self.tree.clone(), plies, subtrees: of };
                self.file().begin(&header).map_err(at(&self.path))?;
                self.header = Some(header);
            }
        }
        Ok(stored)
    }

    pub(super) fn add(&self, moves: &str, count: u64) -> Result<(), CountError> {
        let subtree = Subtree { moves: moves.to_owned(), leaves: count };
        Ok(self.file().add(&subtree).map_err(at(&self.path))?)
    }

    fn file(&self) -> MutexGuard<'_, Journal<Subtree>> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The stored count of a whole tree or of a shard. The count may be incomplete.
#[derive(Debug)]
pub(crate) struct StoredCount {
    dir: PathBuf,
    header: Header,
    counts: HashMap<String, u64>,
}

impl StoredCount {
    pub fn read(dir: &Path) -> Result<Self, CountError> {
        let path = dir.join(FILE);
        let (counts, loaded) = Counts::read(&path, |counts| {
            Loaded::read(&path, Order::Independent, |entry, line| counts.add(entry, line))
        })?;
        let header = loaded.settings.ok_or(CountError::Header { path })?;
        Ok(Self { dir: dir.to_owned(), header, counts: counts.leaves })
    }

    pub(crate) const fn tree(&self) -> &Tree {
        &self.header.tree
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Joined<M> {
    /// The sums of all shards' counts. They are complete if all shards are present and complete.
    pub division: Division<M>,
    /// The number of subtrees in the given shards that have not been counted yet.
    pub open: usize,
    pub missing: Vec<Shard>,
}

/// Joins shards of the tree below `root`. Fails if the shards belong to different trees, if they do
/// not agree on the number of shards, or if a shard occurs twice.
pub(crate) fn join<G: Game>(
    root: &G,
    shards: &[StoredCount],
) -> Result<Joined<G::Move>, CountError> {
    let missing =
        shard::missing(shards.iter().map(|part| (part.dir.as_path(), part.tree().share)))?;
    let mut below: BTreeMap<&str, u64> = BTreeMap::new();
    let mut open = 0;
    for part in shards {
        if let Some(first) = shards.first() {
            let requested = Tree { share: part.tree().share, ..first.tree().clone() };
            if requested != *part.tree() {
                let (stored, requested) = (Box::new(part.tree().clone()), Box::new(requested));
                return Err(CountError::Other { dir: part.dir.clone(), stored, requested });
            }
        }
        open += part.header.subtrees.saturating_sub(part.counts.len());
        for (moves, count) in &part.counts {
            let root = below.entry(moves.split(' ').next().unwrap_or_default()).or_default();
            *root = root.saturating_add(*count);
        }
    }
    let complete = missing.is_empty() && open == 0;
    let depth = shards.first().map_or(0, |part| part.tree().depth);
    let moves = if depth == 0 { Vec::new() } else { root.moves() };
    let root = |m: G::Move| {
        let nodes = below.get(m.to_string().as_str()).copied().unwrap_or_default();
        RootCount { m, nodes, complete }
    };
    let roots: Vec<_> = moves.into_iter().map(root).collect();
    let nodes = match depth {
        0 => shards.iter().map(|part| part.tree().share.count(1) as u64).sum(),
        _ => roots.iter().fold(0, |sum: u64, root| sum.saturating_add(root.nodes)),
    };
    let done = shards.iter().map(|part| part.counts.len()).sum();
    let subtrees = (done, done + open);
    let elapsed = Duration::ZERO;
    let division = Division { roots, nodes, before: nodes, complete, subtrees, elapsed };
    Ok(Joined { division, open, missing })
}

#[cfg(test)]
mod tests {
    use super::super::{Options, Progress, resume};
    use super::*;
    use crate::chess::Position;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
    use tempfile::tempdir;

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    fn tree(depth: u32, shard: &str) -> Tree {
        let share = shard.parse().expect("a shard");
        Tree { game: "chess".to_owned(), position: KIWIPETE.to_owned(), depth, share }
    }

    /// Begins or resumes the count in a folder, and stops after counting `max` further subtrees.
    fn count(
        dir: &Path,
        tree: Tree,
        threads: usize,
        max: usize,
    ) -> (Division<crate::chess::Move>, Damage) {
        let Tree { depth, share: shard, .. } = tree;
        let options = Options { depth, threads, hash_mb: 0, bulk: true, shard };
        let mut journal = CountJournal::open(dir, tree).expect("a journal");
        let damage = journal.damage().clone();
        let (stop, seen) = (AtomicBool::new(false), AtomicUsize::new(0));
        let report = |Progress { done, of, .. }| {
            assert!(done <= of);
            if seen.fetch_add(1, Relaxed) + 1 >= max {
                stop.store(true, Relaxed);
            }
        };
        let root: Position = KIWIPETE.parse().expect("a position");
        let division = resume(&root, &options, &mut journal, &stop, &report).expect("counted");
        (division, damage)
    }

    fn text(dir: &Path) -> String {
        fs::read_to_string(dir.join(FILE)).expect("a journal")
    }

    #[test]
    fn resumes_with_any_number_of_threads() {
        let dir = tempdir().expect("a folder");
        let (first, _) = count(dir.path(), tree(4, "1/1"), 1, 100);
        assert!(!first.complete && first.before == 0 && first.nodes > 0);
        let (second, damage) = count(dir.path(), tree(4, "1/1"), 50, 100);
        assert!(!second.complete && second.nodes > second.before);
        assert_eq!((second.before, damage), (first.nodes, Damage::default()));
        let (third, _) = count(dir.path(), tree(4, "1/1"), 2, usize::MAX);
        assert_eq!((third.complete, third.nodes), (true, 4_085_603));
        let whole = text(dir.path());
        let (again, _) = count(dir.path(), tree(4, "1/1"), 2, usize::MAX);
        assert_eq!((again.before, again.nodes, again.roots), (4_085_603, 4_085_603, third.roots));
        assert_eq!(text(dir.path()), whole, "nothing is left to count");
    }

    /// Tests that a count can be resumed even if its file has been truncated in the middle of a
    /// line.
    #[test]
    fn recounts_a_torn_line() {
        let dir = tempdir().expect("a folder");
        count(dir.path(), tree(3, "1/1"), 1, usize::MAX);
        let whole = text(dir.path()).into_bytes();
        for cut in (whole.len() - 70..whole.len()).chain(0..3) {
            fs::write(dir.path().join(FILE), &whole[..cut]).expect("written");
            let (division, damage) = count(dir.path(), tree(3, "1/1"), 1, usize::MAX);
            assert_eq!((division.complete, division.nodes), (true, 97_862), "{cut}");
            assert_eq!(damage.torn, cut > 0 && whole[cut - 1] != b'\n', "{cut}");
            assert_eq!(text(dir.path()).len(), whole.len());
        }
    }

    #[test]
    fn recounts_a_damaged_line() {
        let dir = tempdir().expect("a folder");
        count(dir.path(), tree(3, "1/1"), 1, usize::MAX);
        let (path, whole) = (dir.path().join(FILE), text(dir.path()));
        let mut lines: Vec<&str> = whole.lines().collect();
        let wrong = lines[7].replacen(' ', "  ", 1);
        lines[7] = &wrong;
        fs::write(&path, lines.join("\n") + "\n").expect("written");
        let (division, damage) = count(dir.path(), tree(3, "1/1"), 1, usize::MAX);
        assert_eq!((division.complete, division.nodes), (true, 97_862));
        assert_eq!((damage.torn, &damage.lines[..], damage.lost), (false, &[8][..], 1));
        // A subtree cannot have two different counts.
        let line = whole.lines().nth(7).expect("a line");
        let moves = line.rsplitn(3, ' ').nth(2).expect("moves, leaves, checksum");
        let add = |moves: &str| {
            fs::write(&path, &whole).expect("written");
            let journal = CountJournal::open(dir.path(), tree(3, "1/1")).expect("a journal");
            journal.add(moves, 1).expect("written");
        };
        add(moves);
        let error = CountJournal::open(dir.path(), tree(3, "1/1")).expect_err("two counts");
        assert!(matches!(error, CountError::Twice { moves: m, .. } if m == moves));
        // The moves in a line must lead to a subtree.
        add("e2e5 e7e5");
        let mut journal = CountJournal::open(dir.path(), tree(3, "1/1")).expect("it can be read");
        let begun = journal.begin(1, vec![String::new(); 48].into_iter());
        assert!(matches!(begun, Err(CountError::Subtrees { .. })));
    }

    /// In files written by version 0.1.0, the header's checksum follows the header instead of being
    /// a field in it.
    #[test]
    fn resumes_counts_of_older_versions() {
        let dir = tempdir().expect("a folder");
        let header = "{\"perft\":1,\"game\":\"chess\",\"position\":\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/\
                      RNBQKBNR w HAha -\",\"depth\":2,\"share\":\"1/1\",\"plies\":1,\"subtrees\":20} c741c1e1";
        let text = format!("{header}\na2a3 20 4c371506\nb2b3 20 3a7f754b\nc2c3 20 a1");
        fs::write(dir.path().join(FILE), text).expect("written");
        let position = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha -".to_owned();
        let tree = Tree { position, ..tree(2, "1/1") };
        let mut journal = CountJournal::open(dir.path(), tree).expect("a journal");
        assert_eq!((journal.done(), journal.damage().torn), (Some((2, 20)), true));
        let options = Options { depth: 2, threads: 1, hash_mb: 0, bulk: true, shard: Shard::WHOLE };
        let stop = AtomicBool::new(false);
        let root = Position::start();
        let division = resume(&root, &options, &mut journal, &stop, &|_| ()).expect("counted");
        assert_eq!((division.before, division.nodes, division.complete), (40, 400, true));
    }

    #[test]
    fn rejects_a_folder_with_another_count() {
        let dir = tempdir().expect("a folder");
        let journal = CountJournal::open(dir.path(), tree(2, "1/1")).expect("a journal");
        let again = CountJournal::open(dir.path(), tree(2, "1/1"));
        assert!(matches!(again, Err(CountError::InUse { .. })));
        drop(journal);
        count(dir.path(), tree(2, "1/1"), 1, usize::MAX);
        let error = CountJournal::open(dir.path(), tree(3, "2/3")).expect_err("another depth");
        let words = format!(
            "contains another count: chess, {KIWIPETE}, depth 2; requested: chess, {KIWIPETE}, \
             depth 3, shard 2/3"
        );
        assert!(error.to_string().ends_with(&words), "{error}");
        fs::write(dir.path().join(FILE), "dear diary\n").expect("written");
        let error = CountJournal::open(dir.path(), tree(2, "1/1"));
        assert!(matches!(error, Err(CountError::Header { .. })));
        assert_eq!(text(dir.path()), "dear diary\n");
    }

    #[test]
    fn joins_shards() {
        let folder = tempdir().expect("a folder");
        let at = |shard: &'static str| (shard, folder.path().join(shard.replace('/', "-")));
        let dirs = ["1/3", "2/3", "3/3"].map(at);
        for (shard, dir) in &dirs {
            let max = if *shard == "2/3" { 10 } else { usize::MAX };
            count(dir, tree(4, shard), 2, max);
        }
        let root: Position = KIWIPETE.parse().expect("a position");
        let joined = |which: &[usize]| {
            let stored: Vec<_> =
                which.iter().map(|&i| StoredCount::read(&dirs[i].1).expect("a count")).collect();
            join(&root, &stored)
        };
        let part = joined(&[2, 1]).expect("two of three");
        assert_eq!(part.missing, ["1/3".parse().expect("a shard")]);
        assert!(part.open > 0 && !part.division.complete);
        count(&dirs[1].1, tree(4, "2/3"), 1, usize::MAX);
        let whole = joined(&[2, 0, 1]).expect("three of three");
        assert_eq!(
            (whole.open, whole.division.complete, whole.division.nodes),
            (0, true, 4_085_603)
        );
        let expected: Vec<_> = root.legal_moves().iter().map(|&m| root.play(m).perft(3)).collect();
        let found: Vec<_> = whole.division.roots.iter().map(|root| root.nodes).collect();
        assert_eq!(found, expected);
        assert!(matches!(joined(&[0, 0]), Err(CountError::Join(JoinError::Twice { .. }))));
        let other = folder.path().join("other");
        count(&other, tree(3, "2/3"), 1, usize::MAX);
        let stored = [&dirs[0].1, &other].map(|dir| StoredCount::read(dir).expect("a count"));
        assert!(matches!(join(&root, &stored), Err(CountError::Other { .. })));
        let other = folder.path().join("split");
        count(&other, tree(4, "2/4"), 1, usize::MAX);
        let stored = [&dirs[0].1, &other].map(|dir| StoredCount::read(dir).expect("a count"));
        assert!(matches!(join(&root, &stored), Err(CountError::Join(JoinError::Of { .. }))));
    }
}
