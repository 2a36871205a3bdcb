//! A match on disk: what was asked for and every game that was played, so that a match that was
//! killed can be resumed with no game lost or counted twice.
//!
//! A match has a folder of its own with three files: `match.json`, the [`Header`]; `games.pgn` (or
//! `.pdn`), the records; and `games.jsonl`, with a line for each game, which is written after the record
//! and gives the length of the file of records up to there and the record's checksum. A game counts once
//! its line is complete. When a match is resumed, anything after the last complete line is cut off, and so
//! is anything in the records after the length that this line gives; records that were changed are refused.

use super::schedule::Pairing;
use crate::arena::game::contest::Contest;
use crate::arena::game::ending::GameScore;
use crate::arena::game::openings::Opening;
use crate::base::file::{FileError, at};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const HEADER: &str = "match.json";
const GAMES: &str = "games.jsonl";
/// The version of the files' format.
const VERSION: u32 = 2;

/// What was asked for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The version of the files' format.
    version: u32,
    /// The arguments on the command line.
    pub args: Vec<String>,
    /// The current directory at that time.
    pub directory: PathBuf,
    /// The files that the arguments name, engines included, each with its CRC-32.
    pub inputs: BTreeMap<PathBuf, u32>,
}

/// A game that was played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct JournalEntry {
    /// Its number, from 0.
    pub game: usize,
    /// The entrant with White.
    pub white: usize,
    /// The entrant with Black.
    pub black: usize,
    /// What it adds to the standings.
    #[serde(flatten)]
    pub score: GameScore,
    /// The position after the opening, as in a `FEN` tag.
    pub opening: String,
    /// The length of the file of records up to and including this game, in bytes.
    records: u64,
    /// The CRC-32 of its record.
    crc: u32,
}

/// Why a match cannot be kept on disk or resumed.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// A file that cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A new match in a folder that holds one already.
    #[error("{0} holds a match already; --resume goes on with it")]
    Taken(PathBuf),
    /// Another process is playing the match.
    #[error("{0} is in use by another match")]
    InUse(PathBuf),
    /// A header that cannot be read.
    #[error("{path}: {what}")]
    Header {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// A complete line that makes no sense.
    #[error("{path}, line {line}: {what}")]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
    /// The file of records ends before the last game of the journal.
    #[error("{0} is shorter than it was")]
    Short(PathBuf),
    /// A record is not what was written.
    #[error(
        "{path}: the record of game {game} is not what was written; was the file changed by hand?"
    )]
    Altered {
        /// The file.
        path: PathBuf,
        /// The game, from 1.
        game: usize,
    },
    /// A file that the match reads has changed.
    #[error("{0} is not what it was when the match began")]
    Changed(PathBuf),
}

impl Header {
    /// The header of a match with these arguments, which name these files.
    ///
    /// # Errors
    /// If the current directory or a file cannot be read.
    pub fn new(args: Vec<String>, inputs: &[PathBuf]) -> Result<Self, JournalError> {
        let directory = std::env::current_dir().map_err(at(Path::new(".")))?;
        let inputs: BTreeSet<&PathBuf> = inputs.iter().collect();
        let sums = inputs.into_iter().map(|path| Ok((path.clone(), checksum(path)?)));
        Ok(Self {
            version: VERSION,
            args,
            directory,
            inputs: sums.collect::<Result<_, JournalError>>()?,
        })
    }

    /// A file that only one of the two matches reads, or that differs between them.
    pub fn differing_input<'a>(&'a self, other: &'a Self) -> Option<&'a Path> {
        let differs = |of: &BTreeMap<_, _>, (path, sum)| of.get(path) != Some(sum);
        let here = self.inputs.iter().find(|&input| differs(&other.inputs, input));
        let there = || other.inputs.iter().find(|&input| differs(&self.inputs, input));
        here.or_else(there).map(|(path, _)| path.as_path())
    }

    /// Checks that the files that the match reads have not changed. Relative paths count from the
    /// current directory.
    ///
    /// # Errors
    /// The first file that has changed or cannot be read.
    pub fn check_inputs(&self) -> Result<(), JournalError> {
        for (path, &sum) in &self.inputs {
            if checksum(path)? != sum {
                return Err(JournalError::Changed(path.clone()));
            }
        }
        Ok(())
    }
}

fn length(file: &File, path: &Path) -> Result<u64, JournalError> {
    Ok(file.metadata().map_err(at(path))?.len())
}

fn checksum(path: &Path) -> Result<u32, JournalError> {
    Ok(crc32fast::hash(&fs::read(path).map_err(at(path))?))
}

impl JournalEntry {
    /// The entry of a game. [`Journal::add`] sets what it says of the records.
    pub fn new<G: Contest>(pairing: &Pairing, score: GameScore, opening: &Opening<G>) -> Self {
        let &Pairing { game, white, black, .. } = pairing;
        Self { game, white, black, score, opening: opening.end().to_fen(), records: 0, crc: 0 }
    }
}

/// The open files of a match.
#[derive(Debug)]
pub struct Journal {
    games: File,
    games_path: PathBuf,
    records: File,
    records_path: PathBuf,
    length: u64,
}

impl Journal {
    /// Begins a match in `dir`, which is created if needed; `records` is the name of the file of
    /// records.
    ///
    /// # Errors
    /// If the folder holds a match already or cannot be written to.
    pub fn create(dir: &Path, header: &Header, records: &str) -> Result<Self, JournalError> {
        fs::create_dir_all(dir).map_err(at(dir))?;
        let journal = Self::open(dir, records)?;
        let path = dir.join(HEADER);
        let used =
            path.exists() || journal.length > 0 || length(&journal.games, &journal.games_path)? > 0;
        if used {
            return Err(JournalError::Taken(dir.to_owned()));
        }
        let mut text = serde_json::to_string_pretty(header).map_err(|error| {
            JournalError::Header { path: path.clone(), what: error.to_string() }
        })?;
        text.push('\n');
        // The rename makes it appear whole or not at all: a match without it never began.
        let new = dir.join("match.json.new");
        fs::write(&new, text).map_err(at(&new))?;
        fs::rename(&new, &path).map_err(at(&path))?;
        Ok(journal)
    }

    /// The header of the match in `dir`.
    ///
    /// # Errors
    /// If there is none or it cannot be read.
    pub fn header(dir: &Path) -> Result<Header, JournalError> {
        let path = dir.join(HEADER);
        let text = fs::read_to_string(&path).map_err(at(&path))?;
        let bad = |what: String| JournalError::Header { path: path.clone(), what };
        let header: Header = serde_json::from_str(&text).map_err(|error| bad(error.to_string()))?;
        if header.version != VERSION {
            return Err(bad(format!("version {} is not {VERSION}", header.version)));
        }
        Ok(header)
    }

    /// Resumes the match in `dir`: cuts off what is incomplete and returns the games played.
    ///
    /// # Errors
    /// If there is no match, if another process is playing it, or if its files are damaged.
    pub fn resume(dir: &Path, records: &str) -> Result<(Self, Vec<JournalEntry>), JournalError> {
        let mut journal = Self::open(dir, records)?;
        let mut bytes = Vec::new();
        journal.games.read_to_end(&mut bytes).map_err(at(&journal.games_path))?;
        let (entries, whole) = read_entries(&bytes, &journal.games_path)?;
        let length = entries.last().map_or(0, |entry: &JournalEntry| entry.records);
        if journal.length < length {
            return Err(JournalError::Short(journal.records_path));
        }
        for place in places(&entries, &journal.records_path) {
            place.read()?;
        }
        journal.games.set_len(whole as u64).map_err(at(&journal.games_path))?;
        journal.records.set_len(length).map_err(at(&journal.records_path))?;
        journal.length = length;
        Ok((journal, entries))
    }

    /// The games played so far in the match in `dir`, each with the place of its record. The match may
    /// still be running.
    ///
    /// # Errors
    /// If there is no match or its files cannot be read.
    pub fn games(
        dir: &Path,
        records: &str,
    ) -> Result<Vec<(JournalEntry, RecordPlace)>, JournalError> {
        let path = dir.join(GAMES);
        let (entries, _) = read_entries(&fs::read(&path).map_err(at(&path))?, &path)?;
        let places: Vec<_> = places(&entries, &dir.join(records)).collect();
        Ok(entries.into_iter().zip(places).collect())
    }

    fn open(dir: &Path, records: &str) -> Result<Self, JournalError> {
        let open = |path: &Path| {
            OpenOptions::new().read(true).append(true).create(true).open(path).map_err(at(path))
        };
        let (games_path, records_path) = (dir.join(GAMES), dir.join(records));
        let games = open(&games_path)?;
        match games.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(JournalError::InUse(dir.to_owned())),
            Err(TryLockError::Error(error)) => return Err(at(&games_path)(error).into()),
        }
        let records = open(&records_path)?;
        let length = length(&records, &records_path)?;
        Ok(Self { games, games_path, records, records_path, length })
    }

    /// Adds a game and its record.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn add(&mut self, mut entry: JournalEntry, record: &str) -> Result<(), JournalError> {
        self.records.write_all(record.as_bytes()).map_err(at(&self.records_path))?;
        self.length += record.len() as u64;
        entry.records = self.length;
        entry.crc = crc32fast::hash(record.as_bytes());
        let mut line =
            serde_json::to_string(&entry).map_err(io::Error::from).map_err(at(&self.games_path))?;
        line.push('\n');
        Ok(self.games.write_all(line.as_bytes()).map_err(at(&self.games_path))?)
    }
}

/// The games in the complete lines of a journal, and the length of these lines in bytes.
fn read_entries(bytes: &[u8], path: &Path) -> Result<(Vec<JournalEntry>, usize), JournalError> {
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let mut entries: Vec<JournalEntry> = Vec::new();
    for (line, text) in (1..).zip(bytes[..whole].split_inclusive(|&byte| byte == b'\n')) {
        let bad = |what: String| JournalError::Line { path: path.to_owned(), line, what };
        let entry: JournalEntry =
            serde_json::from_slice(text).map_err(|error| bad(error.to_string()))?;
        if entries.last().is_some_and(|before| before.records > entry.records) {
            return Err(bad("its record ends before the one before".to_owned()));
        }
        entries.push(entry);
    }
    Ok((entries, whole))
}

/// Where in the file of records the records of these games are.
fn places(entries: &[JournalEntry], path: &Path) -> impl Iterator<Item = RecordPlace> {
    let path: Arc<Path> = path.into();
    let mut start = 0;
    entries.iter().map(move |entry| {
        let &JournalEntry { game, records, crc, .. } = entry;
        let range = std::mem::replace(&mut start, records)..records;
        RecordPlace { path: Arc::clone(&path), range, game, crc }
    })
}

/// The place of a game's record in the file of records.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordPlace {
    path: Arc<Path>,
    range: Range<u64>,
    game: usize,
    crc: u32,
}

impl RecordPlace {
    /// Reads the record.
    ///
    /// # Errors
    /// If the file cannot be read, is too short, or has another record there.
    pub fn read(&self) -> Result<String, JournalError> {
        let length = self.range.end - self.range.start;
        let mut bytes = Vec::new();
        let mut read = || {
            let mut file = File::open(&self.path)?;
            file.seek(SeekFrom::Start(self.range.start))?;
            file.take(length).read_to_end(&mut bytes)
        };
        if (read().map_err(at(&self.path))? as u64) < length {
            return Err(JournalError::Short(self.path.to_path_buf()));
        }
        let path = self.path.to_path_buf();
        let altered = JournalError::Altered { path, game: self.game + 1 };
        match String::from_utf8(bytes) {
            Ok(text) if crc32fast::hash(text.as_bytes()) == self.crc => Ok(text),
            _ => Err(altered),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::arena::game::ending::EndingKind;

    fn header() -> Header {
        Header::new(vec!["--games".into(), "2".into()], &[]).unwrap()
    }

    fn entry(game: usize) -> JournalEntry {
        JournalEntry {
            game,
            white: game % 2,
            black: 1 - game % 2,
            score: GameScore { white: 2, kind: EndingKind::Checkmate },
            opening: "a position".into(),
            records: 0,
            crc: 0,
        }
    }

    #[test]
    fn what_was_played_is_found_again() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path().join("new/match");
        let mut journal = Journal::create(&dir, &header(), "games.pgn").unwrap();
        assert!(matches!(Journal::resume(&dir, "games.pgn"), Err(JournalError::InUse(_))));
        journal.add(entry(1), "one\n").unwrap();
        journal.add(entry(0), "two\n").unwrap();
        drop(journal);
        assert!(matches!(
            Journal::create(&dir, &header(), "games.pgn"),
            Err(JournalError::Taken(_))
        ));
        assert_eq!(Journal::header(&dir).unwrap(), header());
        let (mut journal, games) = Journal::resume(&dir, "games.pgn").unwrap();
        assert_eq!(games.iter().map(|e| (e.game, e.records)).collect::<Vec<_>>(), [(1, 4), (0, 8)]);
        journal.add(entry(2), "three\n").unwrap();
        drop(journal);
        assert_eq!(fs::read_to_string(dir.join("games.pgn")).unwrap(), "one\ntwo\nthree\n");
        let (_running, games) = Journal::resume(&dir, "games.pgn").unwrap();
        assert_eq!(games.len(), 3);
        let read = Journal::games(&dir, "games.pgn").unwrap();
        let records: Vec<String> = read.iter().map(|(_, place)| place.read().unwrap()).collect();
        assert_eq!(records, ["one\n", "two\n", "three\n"]);
        assert_eq!(read.into_iter().map(|(entry, _)| entry).collect::<Vec<_>>(), games);
    }

    /// Killed at any byte: whole games stay, no part of another.
    #[test]
    fn torn_files_are_cut_to_whole_games() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path();
        let mut journal = Journal::create(dir, &header(), "games.pdn").unwrap();
        journal.add(entry(0), "one\n").unwrap();
        journal.add(entry(1), "two\n").unwrap();
        drop(journal);
        let [games, records] = ["games.jsonl", "games.pdn"].map(|name| dir.join(name));
        let (lines, texts) = (fs::read(&games).unwrap(), fs::read(&records).unwrap());
        let first = lines.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        for cut in 0..=lines.len() {
            fs::write(&games, &lines[..cut]).unwrap();
            fs::write(&records, [&texts[..], b"half a rec"].concat()).unwrap();
            let whole = usize::from(cut >= first) + usize::from(cut == lines.len());
            let (mut journal, entries) = Journal::resume(dir, "games.pdn").unwrap();
            assert_eq!(entries.len(), whole, "{cut}");
            assert_eq!(fs::read(&records).unwrap(), texts[..4 * whole]);
            journal.add(entry(7), "new\n").unwrap();
            drop(journal);
            assert_eq!(fs::read(&records).unwrap(), [&texts[..4 * whole], b"new\n"].concat());
            let (_, entries) = Journal::resume(dir, "games.pdn").unwrap();
            assert_eq!(entries.last().map(|e| e.game), Some(7));
        }
        let place = Journal::games(dir, "games.pdn").unwrap().remove(0).1;
        fs::write(&records, "o").unwrap();
        assert!(matches!(place.read(), Err(JournalError::Short(_))));
        assert!(matches!(Journal::resume(dir, "games.pdn"), Err(JournalError::Short(_))));
        fs::write(&games, "{}\n").unwrap();
        assert!(matches!(
            Journal::resume(dir, "games.pdn"),
            Err(JournalError::Line { line: 1, .. })
        ));
        fs::write(dir.join("match.json"), "{\"version\": 3}").unwrap();
        assert!(matches!(Journal::header(dir), Err(JournalError::Header { .. })));
    }

    #[test]
    fn records_that_were_changed_by_hand_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path();
        let mut journal = Journal::create(dir, &header(), "games.pgn").unwrap();
        journal.add(entry(1), "one\n").unwrap();
        journal.add(entry(0), "two\n").unwrap();
        drop(journal);
        let records = dir.join("games.pgn");
        for (text, game) in
            [("one\ntwo ", 1), ("One\ntwo\n", 2), ("onetwo\n\n", 2), ("one\nt\u{e9}\n", 1)]
        {
            fs::write(&records, text).unwrap();
            let resumed = Journal::resume(dir, "games.pgn").map(|_| ()).unwrap_err();
            let words = format!("the record of game {game} is not what was written");
            assert!(resumed.to_string().contains(&words), "{text:?}: {resumed}");
            // Nothing is cut off: it is for the user to say what is to become of it.
            assert_eq!(fs::read_to_string(&records).unwrap(), text);
            assert!(
                Journal::games(dir, "games.pgn").unwrap().iter().any(|(_, r)| r.read().is_err())
            );
        }
        // What was written behind is a game cut short, as ever.
        fs::write(&records, "one\ntwo\nthr").unwrap();
        assert_eq!(Journal::resume(dir, "games.pgn").unwrap().1.len(), 2);
    }

    #[test]
    fn files_that_changed_are_noticed() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("openings.epd");
        fs::write(&file, "a").unwrap();
        let header = Header::new(Vec::new(), std::slice::from_ref(&file)).unwrap();
        header.check_inputs().unwrap();
        fs::write(&file, "b").unwrap();
        assert!(matches!(header.check_inputs(), Err(JournalError::Changed(path)) if path == file));
        assert!(matches!(
            Header::new(Vec::new(), &["/no/such".into()]),
            Err(JournalError::File { .. })
        ));
    }
}
