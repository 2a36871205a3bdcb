//! A count on disk: what is counted, and every subtree that is done, so that a count of days that was
//! killed goes on, and shares of it can be joined.
//!
//! The count has a folder with one file, `perft.txt`. Each of its lines ends with a space and the CRC-32
//! of what is before it, in eight hexadecimal digits. The first says as JSON what is counted; each of the
//! others is a subtree: the moves from the root to it, and its leaves. A subtree counts once its line is
//! complete: what a killed run left of a line is cut off, and a damaged line is as if it were not there.

use super::{Division, RootCount};
use crate::base::file::{FileError, at};
use crate::base::game::Game;
use crate::base::shard::{self, JoinError, Shard};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

const FILE: &str = "perft.txt";
/// The version of the file's format.
const VERSION: u32 = 1;

/// What is counted.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Tree {
    /// The game, by its name on the command line.
    pub game: String,
    /// The position, in a text that is equal for equal positions.
    pub position: String,
    /// The depth in plies.
    pub depth: u32,
    /// The share of the tree.
    pub share: Shard,
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { game, position, depth, share } = self;
        write!(f, "{game}, {position}, depth {depth}")?;
        if *share == Shard::WHOLE { Ok(()) } else { write!(f, ", share {share}") }
    }
}

/// The first line of a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Header {
    perft: u32,
    #[serde(flatten)]
    tree: Tree,
    /// How many plies below the root the subtrees are.
    plies: u32,
    /// How many subtrees there are.
    subtrees: usize,
}

/// Why a count cannot be kept on disk, or joined.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// A file that cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// Another process is counting.
    #[error("{0} is in use by another count")]
    InUse(PathBuf),
    /// The file is none of ours, or its first line is damaged.
    #[error("{path} does not begin as the file of a count does; it stays as it is")]
    Header {
        /// The file.
        path: PathBuf,
    },
    /// The folder has a count of something else.
    #[error("{dir} holds another count: {held}; this one is: {asked}")]
    Other {
        /// The folder.
        dir: PathBuf,
        /// What it holds.
        held: Box<Tree>,
        /// What is to be counted.
        asked: Box<Tree>,
    },
    /// A subtree with two counts.
    #[error("{path}: there are two different counts below {moves}")]
    Twice {
        /// The file.
        path: PathBuf,
        /// The moves to the subtree.
        moves: String,
    },
    /// The subtrees are not those of the tree.
    #[error("{path} has other subtrees than this program finds; did another version begin it?")]
    Subtrees {
        /// The file.
        path: PathBuf,
    },
    /// Shares that do not make one tree.
    #[error(transparent)]
    Join(#[from] JoinError),
}

/// What a file says.
#[derive(Default, Debug)]
struct Lines {
    /// `None` if no line is complete: the count had not begun.
    header: Option<Header>,
    /// The leaves of the subtrees, by the moves to them.
    counts: HashMap<String, u64>,
    /// The length of the complete lines in bytes.
    whole: usize,
    lost: Lost,
}

/// What of a file cannot be used and is counted again.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Lost {
    /// Whether its last line was not complete.
    pub torn: bool,
    /// The damaged lines, from 1.
    pub damaged: Vec<usize>,
}

impl Lines {
    fn read(bytes: &[u8], path: &Path) -> Result<Self, JournalError> {
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let lost = Lost { torn: whole < bytes.len(), ..Lost::default() };
        let mut read = Self { whole, lost, ..Self::default() };
        let mut lines = (1..).zip(bytes[..whole].split_inclusive(|&byte| byte == b'\n'));
        let Some((_, first)) = lines.next() else { return Ok(read) };
        let header = checked(first).and_then(|text| serde_json::from_str(text).ok());
        let header = header.filter(|header: &Header| header.perft == VERSION);
        read.header = Some(header.ok_or_else(|| JournalError::Header { path: path.to_owned() })?);
        let mut sum: u64 = 0;
        for (number, line) in lines {
            let subtree = checked(line).and_then(|text| text.rsplit_once(' '));
            let subtree = subtree.and_then(|(moves, count)| Some((moves, count.parse().ok()?)));
            // No tree that can be counted has more leaves than a number holds.
            let subtree = subtree.filter(|&(_, count)| sum.checked_add(count).is_some());
            let Some((moves, count)) = subtree else {
                read.lost.damaged.push(number);
                continue;
            };
            sum += count;
            if read.counts.insert(moves.to_owned(), count).is_some_and(|other| other != count) {
                return Err(JournalError::Twice { path: path.to_owned(), moves: moves.to_owned() });
            }
        }
        Ok(read)
    }
}

/// The text of a line that is as it was written.
fn checked(line: &[u8]) -> Option<&str> {
    let line = str::from_utf8(line).ok()?.strip_suffix('\n')?;
    let (text, sum) = line.rsplit_once(' ')?;
    (sum == checksum(text)).then_some(text)
}

fn checksum(text: &str) -> String {
    format!("{:08x}", crc32fast::hash(text.as_bytes()))
}

/// The open file of a count.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: Mutex<File>,
    tree: Tree,
    lines: Lines,
}

impl Journal {
    /// Begins a count in `dir`, which is created if needed, or goes on with the one that is there.
    ///
    /// # Errors
    /// If the folder holds another count, is in use, or cannot be read and written.
    pub fn open(dir: &Path, tree: Tree) -> Result<Self, JournalError> {
        fs::create_dir_all(dir).map_err(at(dir))?;
        let path = dir.join(FILE);
        let mut options = OpenOptions::new();
        let mut file =
            options.read(true).append(true).create(true).open(&path).map_err(at(&path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(JournalError::InUse(dir.to_owned())),
            Err(TryLockError::Error(error)) => return Err(at(&path)(error).into()),
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(at(&path))?;
        let lines = Lines::read(&bytes, &path)?;
        if let Some(header) = &lines.header
            && header.tree != tree
        {
            let (held, asked) = (Box::new(header.tree.clone()), Box::new(tree));
            return Err(JournalError::Other { dir: dir.to_owned(), held, asked });
        }
        file.set_len(lines.whole as u64).map_err(at(&path))?;
        Ok(Self { path, file: Mutex::new(file), tree, lines })
    }

    /// What of an earlier run is counted again.
    pub const fn lost(&self) -> &Lost {
        &self.lines.lost
    }

    /// How many subtrees are counted, and how many there are; `None` if the count has not begun.
    pub fn done(&self) -> Option<(usize, usize)> {
        Some((self.lines.counts.len(), self.lines.header.as_ref()?.subtrees))
    }

    /// How many plies below the root the subtrees are, once the count has begun.
    pub(super) fn plies(&self) -> Option<u32> {
        self.lines.header.as_ref().map(|header| header.plies)
    }

    /// Begins with the subtrees that these moves lead to, or goes on with them: the counts that are
    /// known.
    pub(super) fn begin(
        &mut self,
        plies: u32,
        subtrees: impl ExactSizeIterator<Item = String>,
    ) -> Result<Vec<Option<u64>>, JournalError> {
        let of = subtrees.len();
        let counts = &self.lines.counts;
        let known: Vec<_> = subtrees.map(|moves| counts.get(&moves).copied()).collect();
        match &self.lines.header {
            Some(header) => {
                if header.subtrees != of || known.iter().flatten().count() != counts.len() {
                    return Err(JournalError::Subtrees { path: self.path.clone() });
                }
            }
            None => {
                let header =
                    Header { perft: VERSION, tree: self.tree.clone(), plies, subtrees: of };
                let text = serde_json::to_string(&header);
                self.write(&text.map_err(io::Error::from).map_err(at(&self.path))?)?;
                self.lines.header = Some(header);
            }
        }
        Ok(known)
    }

    /// Adds a subtree.
    pub(super) fn add(&self, moves: &str, count: u64) -> Result<(), JournalError> {
        self.write(&format!("{moves} {count}"))
    }

    fn write(&self, text: &str) -> Result<(), JournalError> {
        let line = format!("{text} {}\n", checksum(text));
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(file.write_all(line.as_bytes()).map_err(at(&self.path))?)
    }
}

/// A count in a folder, of the whole tree or a share. It may still be running.
#[derive(Debug)]
pub struct Kept {
    dir: PathBuf,
    header: Header,
    counts: HashMap<String, u64>,
}

impl Kept {
    /// Reads the count in `dir`.
    ///
    /// # Errors
    /// If there is none, or it cannot be read.
    pub fn read(dir: &Path) -> Result<Self, JournalError> {
        let path = dir.join(FILE);
        let lines = Lines::read(&fs::read(&path).map_err(at(&path))?, &path)?;
        let header = lines.header.ok_or(JournalError::Header { path })?;
        Ok(Self { dir: dir.to_owned(), header, counts: lines.counts })
    }

    /// What is counted.
    pub const fn tree(&self) -> &Tree {
        &self.header.tree
    }
}

/// Shares that are one count.
#[derive(Clone, Debug)]
pub struct Joined<M> {
    /// The counts. They are complete if all shares are there and done.
    pub division: Division<M>,
    /// Subtrees that the shares lack.
    pub open: usize,
    /// Shares that are in no folder.
    pub missing: Vec<Shard>,
}

/// Joins shares of the tree below `root`.
///
/// # Errors
/// If they belong to different trees or splits, or if one is there twice.
pub fn join<G: Game>(root: &G, shares: &[Kept]) -> Result<Joined<G::Move>, JournalError> {
    let missing =
        shard::missing(shares.iter().map(|kept| (kept.dir.as_path(), kept.tree().share)))?;
    let mut below: BTreeMap<&str, u64> = BTreeMap::new();
    let mut open = 0;
    for kept in shares {
        if let Some(first) = shares.first() {
            let asked = Tree { share: kept.tree().share, ..first.tree().clone() };
            if asked != *kept.tree() {
                let (held, asked) = (Box::new(kept.tree().clone()), Box::new(asked));
                return Err(JournalError::Other { dir: kept.dir.clone(), held, asked });
            }
        }
        open += kept.header.subtrees.saturating_sub(kept.counts.len());
        for (moves, count) in &kept.counts {
            let root = below.entry(moves.split(' ').next().unwrap_or_default()).or_default();
            *root = root.saturating_add(*count);
        }
    }
    let complete = missing.is_empty() && open == 0;
    let depth = shares.first().map_or(0, |kept| kept.tree().depth);
    let moves = if depth == 0 { Vec::new() } else { root.moves() };
    let root = |m: G::Move| {
        let nodes = below.get(m.to_string().as_str()).copied().unwrap_or_default();
        RootCount { m, nodes, complete }
    };
    let roots: Vec<_> = moves.into_iter().map(root).collect();
    let nodes = match depth {
        0 => shares.iter().map(|kept| kept.tree().share.count(1) as u64).sum(),
        _ => roots.iter().fold(0, |sum: u64, root| sum.saturating_add(root.nodes)),
    };
    let division = Division { roots, nodes, before: nodes, complete, elapsed: Duration::ZERO };
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

    fn tree(depth: u32, share: &str) -> Tree {
        let share = share.parse().expect("a share");
        Tree { game: "chess".to_owned(), position: KIWIPETE.to_owned(), depth, share }
    }

    /// Counts in a folder on so many threads, but stops after `most` subtrees of this run.
    fn count(
        dir: &Path,
        tree: Tree,
        threads: usize,
        most: usize,
    ) -> (Division<crate::chess::Move>, Lost) {
        let Tree { depth, share: shard, .. } = tree;
        let options = Options { depth, threads, hash_mb: 0, bulk: true, shard };
        let mut journal = Journal::open(dir, tree).expect("a journal");
        let lost = journal.lost().clone();
        let (stop, seen) = (AtomicBool::new(false), AtomicUsize::new(0));
        let report = |Progress { done, of, .. }| {
            assert!(done <= of);
            if seen.fetch_add(1, Relaxed) + 1 >= most {
                stop.store(true, Relaxed);
            }
        };
        let root: Position = KIWIPETE.parse().expect("a position");
        let division = resume(&root, &options, &mut journal, &stop, &report).expect("counted");
        (division, lost)
    }

    fn text(dir: &Path) -> String {
        fs::read_to_string(dir.join(FILE)).expect("a journal")
    }

    #[test]
    fn a_count_goes_on_whatever_the_threads() {
        let dir = tempdir().expect("a folder");
        let (first, _) = count(dir.path(), tree(4, "1/1"), 1, 100);
        assert!(!first.complete && first.before == 0 && first.nodes > 0);
        let (second, lost) = count(dir.path(), tree(4, "1/1"), 50, 100);
        assert!(!second.complete && second.nodes > second.before);
        assert_eq!((second.before, lost), (first.nodes, Lost::default()));
        let (third, _) = count(dir.path(), tree(4, "1/1"), 2, usize::MAX);
        assert_eq!((third.complete, third.nodes), (true, 4_085_603));
        let whole = text(dir.path());
        let (again, _) = count(dir.path(), tree(4, "1/1"), 2, usize::MAX);
        assert_eq!((again.before, again.nodes, again.roots), (4_085_603, 4_085_603, third.roots));
        assert_eq!(text(dir.path()), whole, "nothing is left to count");
    }

    /// Cut at any byte of its last lines, the file is as good as before.
    #[test]
    fn a_torn_line_is_counted_again() {
        let dir = tempdir().expect("a folder");
        count(dir.path(), tree(3, "1/1"), 1, usize::MAX);
        let whole = text(dir.path()).into_bytes();
        for cut in (whole.len() - 70..whole.len()).chain(0..3) {
            fs::write(dir.path().join(FILE), &whole[..cut]).expect("written");
            let (division, lost) = count(dir.path(), tree(3, "1/1"), 1, usize::MAX);
            assert_eq!((division.complete, division.nodes), (true, 97_862), "{cut}");
            assert_eq!(lost.torn, cut > 0 && whole[cut - 1] != b'\n', "{cut}");
            assert_eq!(text(dir.path()).len(), whole.len());
        }
    }

    #[test]
    fn a_damaged_line_is_counted_again() {
        let dir = tempdir().expect("a folder");
        count(dir.path(), tree(3, "1/1"), 1, usize::MAX);
        let (path, whole) = (dir.path().join(FILE), text(dir.path()));
        let mut lines: Vec<&str> = whole.lines().collect();
        let wrong = lines[7].replacen(' ', "  ", 1);
        lines[7] = &wrong;
        fs::write(&path, lines.join("\n") + "\n").expect("written");
        let (division, lost) = count(dir.path(), tree(3, "1/1"), 1, usize::MAX);
        assert_eq!((division.complete, division.nodes), (true, 97_862));
        assert_eq!(lost, Lost { torn: false, damaged: vec![8] });
        // Two counts of one subtree cannot both be right.
        let line = whole.lines().nth(7).expect("a line");
        let moves = line.rsplitn(3, ' ').nth(2).expect("moves, leaves, checksum");
        let other = format!("{moves} 1");
        fs::write(&path, format!("{whole}{other} {}\n", checksum(&other))).expect("written");
        let error = Journal::open(dir.path(), tree(3, "1/1")).expect_err("two counts");
        assert!(matches!(error, JournalError::Twice { moves: m, .. } if m == moves));
        // A subtree that is none.
        let strange = "e2e5 e7e5 1";
        fs::write(&path, format!("{whole}{strange} {}\n", checksum(strange))).expect("written");
        let mut journal = Journal::open(dir.path(), tree(3, "1/1")).expect("it can be read");
        let begun = journal.begin(1, vec![String::new(); 48].into_iter());
        assert!(matches!(begun, Err(JournalError::Subtrees { .. })));
    }

    #[test]
    fn another_count_is_refused_by_its_name() {
        let dir = tempdir().expect("a folder");
        let journal = Journal::open(dir.path(), tree(2, "1/1")).expect("a journal");
        let again = Journal::open(dir.path(), tree(2, "1/1"));
        assert!(matches!(again, Err(JournalError::InUse(_))));
        drop(journal);
        count(dir.path(), tree(2, "1/1"), 1, usize::MAX);
        let error = Journal::open(dir.path(), tree(3, "2/3")).expect_err("another depth");
        let words = format!(
            "holds another count: chess, {KIWIPETE}, depth 2; this one is: chess, {KIWIPETE}, \
             depth 3, share 2/3"
        );
        assert!(error.to_string().ends_with(&words), "{error}");
        fs::write(dir.path().join(FILE), "dear diary\n").expect("written");
        let error = Journal::open(dir.path(), tree(2, "1/1"));
        assert!(matches!(error, Err(JournalError::Header { .. })));
        assert_eq!(text(dir.path()), "dear diary\n");
    }

    #[test]
    fn shares_are_joined() {
        let folder = tempdir().expect("a folder");
        let at = |share: &'static str| (share, folder.path().join(share.replace('/', "-")));
        let dirs = ["1/3", "2/3", "3/3"].map(at);
        for (share, dir) in &dirs {
            let most = if *share == "2/3" { 10 } else { usize::MAX };
            count(dir, tree(4, share), 2, most);
        }
        let root: Position = KIWIPETE.parse().expect("a position");
        let joined = |which: &[usize]| {
            let kept: Vec<_> =
                which.iter().map(|&i| Kept::read(&dirs[i].1).expect("a count")).collect();
            join(&root, &kept)
        };
        let part = joined(&[2, 1]).expect("two of three");
        assert_eq!(part.missing, ["1/3".parse().expect("a share")]);
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
        assert!(matches!(joined(&[0, 0]), Err(JournalError::Join(JoinError::Twice { .. }))));
        let other = folder.path().join("other");
        count(&other, tree(3, "2/3"), 1, usize::MAX);
        let kept = [&dirs[0].1, &other].map(|dir| Kept::read(dir).expect("a count"));
        assert!(matches!(join(&root, &kept), Err(JournalError::Other { .. })));
        let other = folder.path().join("split");
        count(&other, tree(4, "2/4"), 1, usize::MAX);
        let kept = [&dirs[0].1, &other].map(|dir| Kept::read(dir).expect("a count"));
        assert!(matches!(join(&root, &kept), Err(JournalError::Join(JoinError::Of { .. }))));
    }
}
