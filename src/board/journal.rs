//! Journals of the games played on the board. Each game has a journal in the user's folder, so that
//! no completed move is lost if the server is killed. Only one server at a time can use a folder.

use super::guard::{is_id, random_id};
use super::message::play::{NewGame, SavedGame};
use crate::base::file::{FolderLock, LockError, create_private, create_private_folder};
use crate::base::journal::{Damage, Journal, JournalError, Order};
use crate::base::side::Side;
use etcetera::BaseStrategy;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The first line of a journal: the terms of the game.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
enum First {
    Begin(NewGame),
}

pub(super) type GameJournal = Journal<Entry>;

#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Entry {
    /// A move in UCI or Hub notation, and the time spent on the move in milliseconds.
    Move(String, u64),
    /// The time spent on the current turn so far, in milliseconds. Stored while the clock runs and
    /// when the game is closed, so that reopening a game does not give this time back to the
    /// player.
    Thought(u64),
    /// A takeback, and the number of plies that remain.
    Back(usize),
    End(End),
}

/// The way in which a game ended.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
pub(super) enum End {
    /// The last move ended the game, for example by checkmate.
    ByMove,
    /// This player resigned.
    Resigned(Side),
    /// The player to move lost on time.
    Flag,
    /// The player to move made a valid draw claim.
    Claim,
    /// This player offered a draw and the opponent accepted.
    Agreed(Side),
}

/// Maximum size of a journal, in bytes: a thousand times the size of a long game.
const MAX_FILE_SIZE: u64 = 4 << 20;
/// Maximum number of finished games, and of games without moves, that remain after
/// [`Journals::tidy`]. A page that is still open after a restart of the server can reopen these
/// games.
const MAX_KEPT: usize = 20;

#[derive(Debug)]
pub(super) struct StoredGame {
    pub terms: NewGame,
    pub entries: Vec<Entry>,
    pub began: SystemTime,
    pub journal: GameJournal,
    pub damage: Damage,
}

#[derive(Debug)]
pub(super) struct Journals {
    folder: PathBuf,
    _lock: FolderLock,
}

impl Journals {
    /// Opens the journals in a folder, or in the user's default folder. Fails if another server
    /// uses the folder, or if the user has no home directory.
    pub(super) fn open(folder: Option<&Path>) -> io::Result<Self> {
        let folder = match folder {
            Some(folder) => folder.to_owned(),
            None => {
                let user = etcetera::choose_base_strategy().map_err(io::Error::other)?;
                // Windows has no state directory.
                user.state_dir().unwrap_or_else(|| user.data_dir()).join("adoube").join("board")
            }
        };
        let at_folder = |error: io::Error| {
            io::Error::new(error.kind(), format!("{}: {error}", folder.display()))
        };
        create_private_folder(&folder).map_err(at_folder)?;
        match FolderLock::take(&folder) {
            Ok(lock) => Ok(Self { folder, _lock: lock }),
            Err(LockError::Held(holder)) => Err(io::Error::new(
                io::ErrorKind::ResourceBusy,
                format!(
                    "the games in {} are in use by another board, {holder}: use that board, stop it, or \
                     store the games of this board in another folder with --journal DIR",
                    folder.display()
                ),
            )),
            Err(LockError::Io(error)) => Err(at_folder(error)),
        }
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Creates a journal for a new game. Returns the game's id and the journal.
    pub(super) fn begin(&self, terms: &NewGame) -> io::Result<(String, GameJournal)> {
        let id = random_id().map_err(io::Error::other)?;
        let path = self.path(&id);
        create_private(&path)?;
        let opened = GameJournal::open(&path, &First::Begin(terms.clone()), |_| ());
        let (journal, _) = opened.map_err(io_error)?;
        Ok((id, journal))
    }

    /// Reopens the journal of a game.
    pub(super) fn resume(&self, id: &str) -> io::Result<StoredGame> {
        let mut entries = Vec::new();
        let path = self.find(id)?;
        let (began, _) = times(&path)?;
        let (First::Begin(terms), journal, damage) =
            GameJournal::resume(&path, |entry| entries.push(entry)).map_err(io_error)?;
        Ok(StoredGame { terms, entries, began, journal, damage })
    }

    pub(super) fn forget(&self, id: &str) {
        if is_id(id) {
            let _ = fs::remove_file(self.path(id));
        }
    }

    /// Returns the games with at least one move, latest first. The fields `open` and `result` are
    /// not filled in.
    pub(super) fn saved(&self) -> SavedGames {
        let game = |id: String| {
            let (_, last) = times(&self.path(&id)).ok()?;
            let game = self.read(&id).ok()?;
            let Progress { plies, is_over } = game.progress();
            let began = game.began.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
            let began = u64::try_from(began.as_millis()).unwrap_or(u64::MAX);
            let terms = game.terms;
            let saved = SavedGame { id, terms, plies, began, open: false, result: None };
            (plies > 0).then_some((last, is_over, saved))
        };
        let mut found: Vec<_> = self.ids().filter_map(game).collect();
        found.sort_by_key(|(time, ..)| Reverse(*time));
        let (finished, unfinished): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|(_, is_over, _)| *is_over);
        let [unfinished, finished] =
            [unfinished, finished].map(|games| games.into_iter().map(|(.., game)| game).collect());
        SavedGames { unfinished, finished }
    }

    /// Removes the finished games and the games without moves, except the `MAX_KEPT` latest games
    /// of each kind. Keeps damaged journals, except journals without a complete first line.
    pub(super) fn tidy(&self) {
        let (mut finished, mut without_moves) = (Vec::new(), Vec::new());
        for id in self.ids() {
            match self.read(&id) {
                Ok(game) if game.damage.is_loss() => {}
                Ok(game) => match game.progress() {
                    Progress { is_over: true, .. } => finished.push(id),
                    Progress { plies: 0, .. } => without_moves.push(id),
                    Progress { .. } => {}
                },
                Err(_) if self.has_no_line(&id) => self.forget(&id),
                Err(error) => tracing::warn!(
                    "{}: {error}; the game cannot be continued, and the file stays unchanged",
                    self.path(&id).display()
                ),
            }
        }
        for mut ids in [finished, without_moves] {
            ids.sort_by_cached_key(|id| {
                Reverse(fs::metadata(self.path(id)).and_then(|data| data.modified()).ok())
            });
            ids.iter().skip(MAX_KEPT).for_each(|id| self.forget(id));
        }
    }

    /// Returns whether a journal has no complete line. This happens if the server was killed while
    /// it created the journal.
    fn has_no_line(&self, id: &str) -> bool {
        self.find(id).and_then(fs::read).is_ok_and(|bytes| !bytes.contains(&b'\n'))
    }

    fn ids(&self) -> impl Iterator<Item = String> {
        let files = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        files.filter_map(|file| {
            let id = file.file_name().to_str()?.strip_suffix(".jsonl")?.to_owned();
            is_id(&id).then_some(id)
        })
    }

    fn path(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}.jsonl"))
    }

    /// Returns the path of a game's journal after checking that the file exists and is not too
    /// long.
    fn find(&self, id: &str) -> io::Result<PathBuf> {
        if !is_id(id) {
            return Err(io::Error::new(io::ErrorKind::NotFound, "not the name of a game"));
        }
        let path = self.path(id);
        check_file(&path, MAX_FILE_SIZE)?;
        Ok(path)
    }

    /// Reads the journal of a game without changing it.
    pub(super) fn read(&self, id: &str) -> io::Result<ReadGame> {
        let mut entries = Vec::new();
        let path = self.find(id)?;
        let (began, _) = times(&path)?;
        let (First::Begin(terms), damage) =
            GameJournal::read(&path, Order::Sequential, |entry| entries.push(entry))
                .map_err(io_error)?;
        Ok(ReadGame { terms, entries, began, damage })
    }
}

pub(super) struct SavedGames {
    pub unfinished: Vec<SavedGame>,
    pub finished: Vec<SavedGame>,
}

/// Returns the time at which a game began, and the time of its last entry.
fn times(path: &Path) -> io::Result<(SystemTime, SystemTime)> {
    let data = fs::metadata(path)?;
    let last = data.modified()?;
    // Not every file system stores the time at which a file was created.
    Ok((data.created().map_or(last, |created| created.min(last)), last))
}

#[derive(Debug)]
pub(super) struct ReadGame {
    pub terms: NewGame,
    pub entries: Vec<Entry>,
    pub began: SystemTime,
    damage: Damage,
}

/// The state of a game after all entries of its journal. A takeback reopens a finished game.
struct Progress {
    plies: usize,
    is_over: bool,
}

impl ReadGame {
    fn progress(&self) -> Progress {
        let start = Progress { plies: 0, is_over: false };
        self.entries.iter().fold(start, |game, entry| match entry {
            Entry::Move(..) => Progress { plies: game.plies + 1, ..game },
            Entry::Thought(_) => game,
            Entry::Back(left) => Progress { plies: *left, is_over: false },
            Entry::End(_) => Progress { is_over: true, ..game },
        })
    }
}

/// Checks that a file is a regular file of at most `max_bytes` bytes, because reading a pipe or a
/// device might never end.
pub(super) fn check_file(path: &Path, max_bytes: u64) -> io::Result<()> {
    let data = fs::metadata(path)?;
    let invalid = |what| Err(io::Error::new(io::ErrorKind::InvalidData, what));
    if !data.is_file() {
        return invalid("not a regular file");
    }
    if data.len() > max_bytes {
        return invalid("the file is too long");
    }
    Ok(())
}

fn io_error(error: JournalError) -> io::Error {
    match error {
        JournalError::Io(error) => error,
        other => io::Error::new(io::ErrorKind::InvalidData, other),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::message::play::{Level, Start};
    use super::*;
    use crate::base::game::GameKind;
    use std::io::Write;

    fn terms() -> NewGame {
        NewGame {
            game: GameKind::Draughts,
            start: Start::Usual,
            variant: None,
            you: Some(Side::White),
            level: Level::Skill(5),
            engine: None,
            time: "-".to_owned(),
            names: Default::default(),
        }
    }

    #[test]
    fn finds_stored_games() {
        let dir = tempfile::tempdir().unwrap();
        let journals = Journals::open(Some(dir.path())).unwrap();
        let (id, mut journal) = journals.begin(&terms()).unwrap();
        assert!(journals.saved().unfinished.is_empty(), "nothing was played");
        for entry in
            [Entry::Move("32-28".into(), 10), Entry::Move("19-23".into(), 20), Entry::Back(1)]
        {
            journal.add(&entry).unwrap();
        }
        let found = journals.saved().unfinished;
        let began = found[0].began;
        let (open, result) = (false, None);
        let expected = SavedGame { id: id.clone(), terms: terms(), plies: 1, began, open, result };
        assert_eq!(found, [expected]);
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_millis();
        assert!(now - u128::from(began) < 600_000, "{began}");

        // Simulates a server that was killed while writing a line.
        let torn = fs::OpenOptions::new().append(true).open(journals.path(&id));
        torn.unwrap().write_all(b"{\"move\":[\"19-").unwrap();
        let StoredGame { terms: read, entries, mut journal, .. } = journals.resume(&id).unwrap();
        assert_eq!((read, entries.len()), (terms(), 3));
        journal.add(&Entry::Move("18-23".into(), 5)).unwrap();
        assert_eq!(journals.resume(&id).unwrap().entries.len(), 4);

        assert!(journals.saved().finished.is_empty());
        journal.add(&Entry::End(End::Resigned(Side::White))).unwrap();
        assert!(journals.saved().unfinished.is_empty());
        assert_eq!(
            journals.saved().finished.into_iter().map(|game| game.id).collect::<Vec<_>>(),
            [&*id]
        );
        journals.tidy();
        assert_eq!(journals.resume(&id).unwrap().entries.len(), 5);
    }

    #[test]
    fn a_takeback_reopens_a_finished_game() {
        let dir = tempfile::tempdir().unwrap();
        let journals = Journals::open(Some(dir.path())).unwrap();
        let (id, mut journal) = journals.begin(&terms()).unwrap();
        let move_ = |text: &str| Entry::Move(text.into(), 10);
        for entry in [move_("32-28"), move_("19-23"), Entry::End(End::Agreed(Side::White))] {
            journal.add(&entry).unwrap();
        }
        assert!(journals.saved().unfinished.is_empty());
        for entry in [Entry::Back(1), move_("18-23"), move_("38-32")] {
            journal.add(&entry).unwrap();
        }
        journals.tidy();
        let found = journals.saved().unfinished;
        assert_eq!((found.len(), &found[0].id, found[0].plies), (1, &id, 3));
        journal.add(&Entry::End(End::ByMove)).unwrap();
        assert!(journals.saved().unfinished.is_empty());
    }

    #[test]
    fn keeps_the_last_games_that_are_finished_or_have_no_moves() {
        let dir = tempfile::tempdir().unwrap();
        let journals = Journals::open(Some(dir.path())).unwrap();
        let mut ids = Vec::new();
        for number in 0..2 * MAX_KEPT + 4 {
            let (id, mut journal) = journals.begin(&terms()).unwrap();
            if number % 2 == 0 {
                journal.add(&Entry::Move("32-28".into(), 10)).unwrap();
                journal.add(&Entry::End(End::Resigned(Side::Black))).unwrap();
            }
            let time = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(number as u64);
            let file = fs::OpenOptions::new().append(true).open(journals.path(&id)).unwrap();
            file.set_modified(time).unwrap();
            ids.push(id);
        }
        journals.tidy();
        let kept: Vec<_> = ids.iter().map(|id| journals.resume(id).is_ok()).collect();
        assert_eq!(kept, (0..ids.len()).map(|number| number >= 4).collect::<Vec<_>>());
    }

    /// Lines of version 0.1.0 have no checksums.
    #[test]
    fn resumes_games_of_older_versions() {
        let dir = tempfile::tempdir().unwrap();
        let journals = Journals::open(Some(dir.path())).unwrap();
        let (id, _) = journals.begin(&terms()).unwrap();
        let begin = "{\"begin\":{\"game\":\"draughts\",\"variant\":null,\"you\":\"white\",\
                     \"level\":{\"skill\":5},\"time\":\"-\"}}";
        let text = format!("{begin}\n{{\"move\":[\"32-28\",10]}}\n{{\"move\":[\"19-");
        fs::write(journals.path(&id), text).unwrap();
        assert_eq!(journals.saved().unfinished[0].plies, 1);
        let StoredGame { entries, mut journal, .. } = journals.resume(&id).unwrap();
        assert_eq!(entries, [Entry::Move("32-28".into(), 10)]);
        journal.add(&Entry::Move("19-23".into(), 5)).unwrap();
        assert_eq!(journals.resume(&id).unwrap().entries.len(), 2);
    }

    #[test]
    fn saves_damaged_games_before_truncating() {
        let dir = tempfile::tempdir().unwrap();
        let journals = Journals::open(Some(dir.path())).unwrap();
        let (id, mut journal) = journals.begin(&terms()).unwrap();
        for m in ["32-28", "19-23", "28x19", "14x23"] {
            journal.add(&Entry::Move(m.into(), 10)).unwrap();
        }
        let text = fs::read_to_string(journals.path(&id)).unwrap().replace("19-23", "19-24");
        fs::write(journals.path(&id), &text).unwrap();
        let StoredGame { entries, damage, .. } = journals.resume(&id).unwrap();
        assert_eq!((entries.len(), damage.lost, &damage.lines[..]), (1, 3, &[3][..]));
        assert_eq!(fs::read_to_string(damage.saved.unwrap()).unwrap(), text);
        journals.tidy();
        assert_eq!(journals.saved().unfinished[0].plies, 1);
    }

    #[test]
    fn never_removes_a_game_that_cannot_be_read() {
        let dir = tempfile::tempdir().unwrap();
        let journals = Journals::open(Some(dir.path())).unwrap();
        let damaged = |old: &str, new: &str| {
            let (id, mut journal) = journals.begin(&terms()).unwrap();
            journal.add(&Entry::Move("32-28".into(), 10)).unwrap();
            let text = fs::read_to_string(journals.path(&id)).unwrap().replace(old, new);
            fs::write(journals.path(&id), text).unwrap();
            journals.path(&id)
        };
        let stay = [damaged("draughts", "draughtz"), damaged("32-28", "32-29")];
        // Simulates a server that was killed while writing the first line.
        let (id, _) = journals.begin(&terms()).unwrap();
        fs::write(journals.path(&id), "{\"begin\":{\"ga").unwrap();
        journals.tidy();
        assert!(stay.iter().all(|path| path.exists()));
        assert!(!journals.path(&id).exists());
    }

    #[cfg(unix)]
    #[test]
    fn ignores_pipes_and_devices() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let dir = tempfile::tempdir().unwrap();
        let journals = Journals::open(Some(&dir.path().join("board"))).unwrap();
        let (id, _) = journals.begin(&terms()).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(journals.folder()), mode(&journals.path(&id))), (0o700, 0o600));
        let path = |name: &str| journals.folder().join(name);
        symlink("/dev/zero", path("0123456789abcdef.jsonl")).unwrap();
        let pipe = path("0123456789abcde0.jsonl");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        journals.tidy();
        assert!(journals.saved().unfinished.is_empty() && pipe.exists());
        let error = journals.resume("0123456789abcdef").unwrap_err();
        assert_eq!(error.to_string(), "not a regular file");
    }

    #[test]
    fn rejects_a_second_server_with_advice() {
        let dir = tempfile::tempdir().unwrap();
        let first = Journals::open(Some(dir.path())).unwrap();
        let error = Journals::open(Some(dir.path())).unwrap_err().to_string();
        assert!(
            error.contains("in use by another board") && error.contains("--journal"),
            "{error}"
        );
        drop(first);
        Journals::open(Some(dir.path())).unwrap();
    }

    #[test]
    fn leaves_other_files_untouched() {
        let dir = tempfile::tempdir().unwrap();
        let journals = Journals::open(Some(&dir.path().join("board"))).unwrap();
        let other = dir.path().join("other.jsonl");
        let note = dir.path().join("board/notes.jsonl");
        fs::write(&other, "{}").unwrap();
        fs::write(&note, "{}").unwrap();
        journals.forget("../other");
        journals.tidy();
        assert!(other.exists() && note.exists());
        assert!(journals.resume("../other").is_err());
    }
}
