//! The files of a match: its settings and all games played. A killed match can be resumed without
//! losing or repeating a game.
//!
//! A match folder contains three files: `config.json` with the [`MatchConfig`] (earlier versions
//! wrote `match.json`, an [`OldHeader`]), `games.pgn` or `games.pdn` with the game records, and
//! `games.jsonl`, a [`Journal`] without a header. After a game, its record is written first and
//! then its journal entry, which contains the checksum of the record and the length of the record
//! file up to the end of this record. A game counts as played once its entry is complete. When a
//! match is resumed, an incomplete last entry is removed, and the record file is truncated to the
//! length in the last complete entry. If a record has been changed, resuming fails.

use super::config::{MatchConfig, OldHeader, VERSION};
use super::schedule::Pairing;
use crate::arena::game::contest::Contest;
use crate::arena::game::ending::GameScore;
use crate::arena::game::openings::Opening;
use crate::base::file::{FileError, Holder, at, replace, save_damaged};
use crate::base::journal::{AppendFile, Damage, Journal, JournalError, Loaded};
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const CONFIG: &str = "config.json";
const OLD_HEADER: &str = "match.json";
const GAMES: &str = "games.jsonl";

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MatchEntry {
    pub game: usize,
    pub white: usize,
    pub black: usize,
    #[serde(flatten)]
    pub score: GameScore,
    /// The position after the opening, as FEN.
    pub opening: String,
    /// The length of the record file up to the end of this game's record, in bytes.
    records: u64,
    /// The CRC-32 of the record.
    crc: u32,
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum MatchError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{0} already contains a match; continue it with --resume, or choose another folder")]
    Taken(PathBuf),
    #[error("{dir} is in use by another match: {holder}")]
    InUse { dir: PathBuf, holder: Holder },
    #[error("{path}: {what}")]
    Config { path: PathBuf, what: String },
    #[error("{path}, line {line}: {what}")]
    Line { path: PathBuf, line: usize, what: String },
    #[error("{0} is shorter than its journal says: part of the file is missing")]
    Short(PathBuf),
    #[error("{path}: the record of game {game} has been changed")]
    Altered {
        path: PathBuf,
        /// The number of the game, from 1.
        game: usize,
    },
    #[error("{0} has changed since the match began")]
    Changed(PathBuf),
}

impl MatchEntry {
    /// Creates the entry for a game. [`MatchJournal::add`] fills in the length of the record file
    /// and the checksum of the record.
    pub fn new<G: Contest>(pairing: &Pairing, score: GameScore, opening: &Opening<G>) -> Self {
        let &Pairing { game, white, black, .. } = pairing;
        Self { game, white, black, score, opening: opening.end().to_fen(), records: 0, crc: 0 }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum StoredConfig {
    Config(Box<MatchConfig>),
    Old(OldHeader),
}

#[derive(Debug)]
pub(crate) struct MatchJournal {
    games: Journal<MatchEntry>,
    games_path: PathBuf,
    records: AppendFile,
    records_path: PathBuf,
    damage: Damage,
}

#[derive(Default)]
struct Entries {
    /// The undamaged entries, each with a flag that is set if damaged entries directly precede it.
    entries: Vec<(MatchEntry, bool)>,
    last_line: usize,
    /// The line number of the first entry that states a shorter length of the record file than the
    /// previous entry.
    contradiction: Option<usize>,
}

impl Entries {
    fn add(&mut self, entry: MatchEntry, line: usize) {
        if self.entries.last().is_some_and(|(before, _)| before.records > entry.records) {
            self.contradiction.get_or_insert(line);
        }
        let after_damage = line != self.last_line + 1;
        self.last_line = line;
        self.entries.push((entry, after_damage));
    }

    fn read(
        path: &Path,
        read: impl FnOnce(&mut Self) -> Result<Loaded<MatchEntry, ()>, JournalError>,
    ) -> Result<(Self, Loaded<MatchEntry, ()>), MatchError> {
        let mut entries = Self::default();
        let loaded = read(&mut entries).map_err(|error| MatchError::of(error, path))?;
        match entries.contradiction {
            Some(line) => {
                let what = "its record ends before the previous record".to_owned();
                Err(MatchError::Line { path: path.to_owned(), line, what })
            }
            None => Ok((entries, loaded)),
        }
    }

    fn length(&self) -> u64 {
        self.entries.last().map_or(0, |(entry, _)| entry.records)
    }

    fn records(&self, path: &Path) -> impl Iterator<Item = RecordPosition> {
        let path: Arc<Path> = path.into();
        let mut start = 0;
        self.entries.iter().map(move |&(MatchEntry { game, records, crc, .. }, after_damage)| {
            let range = std::mem::replace(&mut start, records)..records;
            RecordPosition { path: Arc::clone(&path), range, game, crc, after_damage }
        })
    }

    fn into_entries(self) -> impl Iterator<Item = MatchEntry> {
        self.entries.into_iter().map(|(entry, _)| entry)
    }
}

impl MatchError {
    fn of(error: JournalError, path: &Path) -> Self {
        match error {
            JournalError::Io(error) => at(path)(error).into(),
            JournalError::InUse(holder) => {
                Self::InUse { dir: path.parent().unwrap_or(path).to_owned(), holder }
            }
            other @ (JournalError::Foreign | JournalError::Settings { .. }) => {
                Self::Config { path: path.to_owned(), what: other.to_string() }
            }
        }
    }
}

impl MatchJournal {
    /// Creates the files of a match in the folder `dir`, which is created if necessary. `records`
    /// is the name of the record file. Fails if the folder already contains a match.
    pub(crate) fn create(
        dir: &Path,
        config: &MatchConfig,
        records: &str,
    ) -> Result<Self, MatchError> {
        fs::create_dir_all(dir).map_err(at(dir))?;
        let (journal, entries) = Self::open(dir, records)?;
        let paths = [CONFIG, OLD_HEADER].map(|name| dir.join(name));
        let length = journal.records.length().map_err(at(&journal.records_path))?;
        if paths.iter().any(|path| path.exists()) || length > 0 || entries.last_line > 0 {
            return Err(MatchError::Taken(dir.to_owned()));
        }
        journal.store(config)?;
        Ok(journal)
    }

    pub(crate) fn store(&self, config: &MatchConfig) -> Result<(), MatchError> {
        let path = self.games_path.with_file_name(CONFIG);
        let mut text = serde_json::to_string_pretty(config)
            .map_err(|error| MatchError::Config { path: path.clone(), what: error.to_string() })?;
        text.push('\n');
        Ok(replace(&path, text.as_bytes()).map_err(at(&path))?)
    }

    pub(crate) fn config(dir: &Path) -> Result<StoredConfig, MatchError> {
        fn read<T: for<'de> Deserialize<'de>>(path: &Path, expected: u32) -> Result<T, MatchError> {
            #[derive(Deserialize)]
            struct Version {
                version: u32,
            }
            let text = fs::read_to_string(path).map_err(at(path))?;
            let bad = |what: String| MatchError::Config { path: path.to_owned(), what };
            let found: Version =
                serde_json::from_str(&text).map_err(|error| bad(error.to_string()))?;
            if found.version != expected {
                return Err(bad(format!(
                    "unsupported version {}, expected {expected}",
                    found.version
                )));
            }
            serde_json::from_str(&text).map_err(|error| bad(error.to_string()))
        }
        let old = dir.join(OLD_HEADER);
        let path = dir.join(CONFIG);
        if old.exists() && !path.exists() {
            return Ok(StoredConfig::Old(read(&old, OldHeader::VERSION)?));
        }
        Ok(StoredConfig::Config(Box::new(read(&path, VERSION)?)))
    }

    /// Resumes the match in `dir`: removes incomplete data, and returns the journal and the entries
    /// of the games played so far. Fails if another process is playing the match, or if records are
    /// missing or have been changed.
    pub(crate) fn resume(dir: &Path, records: &str) -> Result<(Self, Vec<MatchEntry>), MatchError> {
        let (mut journal, entries) = Self::open(dir, records)?;
        let path = &journal.records_path;
        let (length, stored) = (entries.length(), journal.records.length().map_err(at(path))?);
        if stored < length {
            return Err(MatchError::Short(path.clone()));
        }
        for record in entries.records(path) {
            record.read()?;
        }
        if stored > length {
            // If the last entries are damaged, truncating the record file removes complete records,
            // so save a copy.
            if journal.damage.lines.last().is_some_and(|&line| line > entries.last_line) {
                journal.damage.saved = Some(save_damaged(path).map_err(at(path))?);
            }
            journal.records.truncate(length).map_err(at(path))?;
        }
        Ok((journal, entries.into_entries().collect()))
    }

    /// Returns the damaged entries. Their games are played again.
    pub(crate) const fn damage(&self) -> &Damage {
        &self.damage
    }

    /// Returns the entry of each game played so far in the match in `dir`, and the position of its
    /// record. The match may still be running.
    pub fn games(
        dir: &Path,
        records: &str,
    ) -> Result<Vec<(MatchEntry, RecordPosition)>, MatchError> {
        let path = dir.join(GAMES);
        let (entries, _) = Entries::read(&path, |entries| {
            Loaded::read_without_header(&path, |entry, line| entries.add(entry, line))
        })?;
        let records: Vec<_> = entries.records(&dir.join(records)).collect();
        Ok(entries.into_entries().zip(records).collect())
    }

    fn open(dir: &Path, records: &str) -> Result<(Self, Entries), MatchError> {
        let (games_path, records_path) = (dir.join(GAMES), dir.join(records));
        let (entries, loaded) = Entries::read(&games_path, |entries| {
            Loaded::open_without_header(&games_path, |entry, line| entries.add(entry, line))
        })?;
        let opened = loaded.into_journal();
        let (games, damage) = opened.map_err(|error| MatchError::of(error, &games_path))?;
        let records = OpenOptions::new().read(true).append(true).create(true).open(&records_path);
        let records = AppendFile::new(records.map_err(at(&records_path))?);
        Ok((Self { games, games_path, records, records_path, damage }, entries))
    }

    /// Appends a game's record and its entry. If this fails, the files are unchanged, and further
    /// games can be added.
    pub(crate) fn add(&mut self, mut entry: MatchEntry, record: &str) -> Result<(), MatchError> {
        let path = &self.records_path;
        let length = self.records.length().map_err(at(path))?;
        self.records.append(record.as_bytes()).map_err(at(path))?;
        entry.records = length + record.len() as u64;
        entry.crc = crc32fast::hash(record.as_bytes());
        if let Err(error) = self.games.add(&entry) {
            self.records.truncate(length).map_err(at(path))?;
            return Err(at(&self.games_path)(error).into());
        }
        Ok(())
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RecordPosition {
    path: Arc<Path>,
    range: Range<u64>,
    game: usize,
    crc: u32,
    /// True if the range begins with the records of damaged entries.
    after_damage: bool,
}

impl RecordPosition {
    /// Reads the record. Fails if the file is too short or contains a different record at this
    /// position.
    pub fn read(&self) -> Result<String, MatchError> {
        let length = self.range.end - self.range.start;
        let mut bytes = Vec::new();
        let mut read = || {
            let mut file = File::open(&self.path)?;
            file.seek(SeekFrom::Start(self.range.start))?;
            file.take(length).read_to_end(&mut bytes)
        };
        if (read().map_err(at(&self.path))? as u64) < length {
            return Err(MatchError::Short(self.path.to_path_buf()));
        }
        let is_record = |bytes: &[u8]| crc32fast::hash(bytes) == self.crc;
        if self.after_damage {
            let starts = (1..bytes.len()).filter(|&at| bytes[at - 1] == b'\n');
            if let Some(start) = [0].into_iter().chain(starts).find(|&at| is_record(&bytes[at..])) {
                bytes.drain(..start);
            }
        }
        let altered = || MatchError::Altered { path: self.path.to_path_buf(), game: self.game + 1 };
        if !is_record(&bytes) {
            return Err(altered());
        }
        String::from_utf8(bytes).map_err(|_| altered())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::arena::game::ending::EndingKind;
    use crate::arena::tournament::config::tests::settings;

    fn config() -> MatchConfig {
        MatchConfig::new(settings(), &[]).unwrap()
    }

    fn entry(game: usize) -> MatchEntry {
        MatchEntry {
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
    fn resumes_with_the_games_played() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path().join("new/match");
        let mut journal = MatchJournal::create(&dir, &config(), "games.pgn").unwrap();
        assert!(matches!(MatchJournal::resume(&dir, "games.pgn"), Err(MatchError::InUse { .. })));
        journal.add(entry(1), "one\n").unwrap();
        journal.add(entry(0), "two\n").unwrap();
        drop(journal);
        assert!(matches!(
            MatchJournal::create(&dir, &config(), "games.pgn"),
            Err(MatchError::Taken(_))
        ));
        assert_eq!(MatchJournal::config(&dir).unwrap(), StoredConfig::Config(Box::new(config())));
        let (mut journal, games) = MatchJournal::resume(&dir, "games.pgn").unwrap();
        assert_eq!(games.iter().map(|e| (e.game, e.records)).collect::<Vec<_>>(), [(1, 4), (0, 8)]);
        journal.add(entry(2), "three\n").unwrap();
        drop(journal);
        assert_eq!(fs::read_to_string(dir.join("games.pgn")).unwrap(), "one\ntwo\nthree\n");
        let (_running, games) = MatchJournal::resume(&dir, "games.pgn").unwrap();
        assert_eq!(games.len(), 3);
        let read = MatchJournal::games(&dir, "games.pgn").unwrap();
        let records: Vec<String> = read.iter().map(|(_, record)| record.read().unwrap()).collect();
        assert_eq!(records, ["one\n", "two\n", "three\n"]);
        assert_eq!(read.into_iter().map(|(entry, _)| entry).collect::<Vec<_>>(), games);
    }

    /// Tests that a match resumed after a kill at any byte has all complete games and no partial
    /// games.
    #[test]
    fn truncates_torn_files_to_complete_games() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path();
        let mut journal = MatchJournal::create(dir, &config(), "games.pdn").unwrap();
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
            let (mut journal, entries) = MatchJournal::resume(dir, "games.pdn").unwrap();
            assert_eq!(entries.len(), whole, "{cut}");
            assert_eq!(fs::read(&records).unwrap(), texts[..4 * whole]);
            journal.add(entry(7), "new\n").unwrap();
            drop(journal);
            assert_eq!(fs::read(&records).unwrap(), [&texts[..4 * whole], b"new\n"].concat());
            let (_, entries) = MatchJournal::resume(dir, "games.pdn").unwrap();
            assert_eq!(entries.last().map(|e| e.game), Some(7));
        }
        let record = MatchJournal::games(dir, "games.pdn").unwrap().remove(0).1;
        fs::write(&records, "o").unwrap();
        assert!(matches!(record.read(), Err(MatchError::Short(_))));
        assert!(matches!(MatchJournal::resume(dir, "games.pdn"), Err(MatchError::Short(_))));
        fs::write(dir.join("config.json"), "{\"version\": 4}").unwrap();
        let error = MatchJournal::config(dir).unwrap_err().to_string();
        assert!(error.ends_with("unsupported version 4, expected 3"), "{error}");
    }

    #[test]
    fn rejects_changed_records() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path();
        let mut journal = MatchJournal::create(dir, &config(), "games.pgn").unwrap();
        journal.add(entry(1), "one\n").unwrap();
        journal.add(entry(0), "two\n").unwrap();
        drop(journal);
        let records = dir.join("games.pgn");
        for (text, game) in
            [("one\ntwo ", 1), ("One\ntwo\n", 2), ("onetwo\n\n", 2), ("one\nt\u{e9}\n", 1)]
        {
            fs::write(&records, text).unwrap();
            let resumed = MatchJournal::resume(dir, "games.pgn").map(|_| ()).unwrap_err();
            let words = format!("the record of game {game} has been changed");
            assert!(resumed.to_string().contains(&words), "{text:?}: {resumed}");
            // Nothing is truncated; the user decides what to do with the file.
            assert_eq!(fs::read_to_string(&records).unwrap(), text);
            assert!(
                MatchJournal::games(dir, "games.pgn")
                    .unwrap()
                    .iter()
                    .any(|(_, r)| r.read().is_err())
            );
        }
        // Text after the last complete record is treated as a partial game and removed.
        fs::write(&records, "one\ntwo\nthr").unwrap();
        assert_eq!(MatchJournal::resume(dir, "games.pgn").unwrap().1.len(), 2);
    }

    #[test]
    fn reports_damaged_entries_and_drops_their_games() {
        for damaged in 0..3 {
            let dir = tempfile::tempdir().unwrap();
            let dir = dir.path();
            let mut journal = MatchJournal::create(dir, &config(), "games.pgn").unwrap();
            let texts = ["[Event]\n\none\n", "[Event]\n\ntwo\n", "[Event]\n\nthree\n"];
            for (game, text) in texts.iter().enumerate() {
                journal.add(entry(game), text).unwrap();
            }
            drop(journal);
            let [games, records] = ["games.jsonl", "games.pgn"].map(|name| dir.join(name));
            let (lines, whole) = (fs::read_to_string(&games).unwrap(), fs::read(&records).unwrap());
            let changed = lines.replace(&format!("\"game\":{damaged}"), "\"game\":7");
            fs::write(&games, &changed).unwrap();
            let (mut journal, entries) = MatchJournal::resume(dir, "games.pgn").unwrap();
            let left: Vec<usize> = (0..3).filter(|&game| game != damaged).collect();
            assert_eq!(entries.iter().map(|e| e.game).collect::<Vec<_>>(), left);
            let damage = journal.damage().clone();
            assert_eq!((&damage.lines[..], damage.lost), (&[damaged + 1][..], 1));
            assert_eq!(damage.saved.is_some(), damaged == 2, "a record is cut off");
            if let Some(saved) = damage.saved {
                assert_eq!(fs::read(saved).unwrap(), whole);
            }
            journal.add(entry(damaged), "[Event]\n\nagain\n").unwrap();
            drop(journal);
            let games = MatchJournal::games(dir, "games.pgn").unwrap();
            let read = games.iter().map(|(_, record)| record.read().unwrap());
            let mut expected: Vec<&str> = left.iter().map(|&game| texts[game]).collect();
            expected.push("[Event]\n\nagain\n");
            assert_eq!(read.collect::<Vec<_>>(), expected);
        }
    }
}
