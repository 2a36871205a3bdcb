//! Storage for the arbiter's logs. Each log is a file in the user's folder, next to the game
//! journals, so that no event is lost if the server is killed.
//!
//! Events are appended to the file. The last line contains the thinking time of the current turn,
//! so that reopening a log does not give this time back to the player. A partial last line is
//! ignored when the log is opened. If any other line cannot be read, the file is copied under a new
//! name and then truncated before the unreadable line.

use super::log::{Log, LogPart, STRUCK, clock_line, clock_of};
use crate::base::file::{create_private, replace, save_damaged};
use crate::base::journal::AppendFile;
use crate::board::guard::{is_id, random_id};
use crate::board::journal::check_file;
use crate::board::message::arbiter::StoredLog;
use crate::laws::language::{Bilingual, InFrench as _, Language};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Maximum size of a log file, in bytes.
const MAX_FILE_SIZE: u64 = 1 << 20;
/// Maximum number of logs that the page lists.
const MAX_LISTED: usize = 20;
/// Number of unused logs that [`Logs::tidy`] keeps. Pages that are still open may reopen them.
const MAX_UNUSED: usize = 20;

#[derive(Clone, Debug)]
pub(in crate::board) struct Logs {
    folder: PathBuf,
}

impl Logs {
    /// Returns the storage for the logs in a folder. The folder must exist.
    pub(crate) fn in_folder(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    fn path(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}.log"))
    }

    pub(crate) fn has(&self, id: &str) -> bool {
        is_id(id) && self.path(id).is_file()
    }

    /// Stores a new log and returns its name and file.
    pub(crate) fn store(&self, log: &Log) -> io::Result<(String, LogFile)> {
        let id = random_id().map_err(io::Error::other)?;
        let file = create_private(&self.path(&id))?;
        let mut file = LogFile { file: AppendFile::new(file), events_end: 0 };
        file.append(&log.text())?;
        Ok((id, file))
    }

    /// Reopens a log. Also returns the file for further events and, if a part of the log cannot be
    /// read, a note for the user.
    pub(crate) fn open(&self, id: &str) -> io::Result<(Log, LogFile, Option<Bilingual>)> {
        let text = self.read(id)?;
        let path = self.path(id);
        let LogPart { log, fault, .. } = Log::read_part(&text);
        let log = match (log, &fault) {
            (Some(log), _) => log,
            (None, Some((line, why))) => {
                return Err(io::Error::other(format!("line {line}: {why}")));
            }
            (None, None) => return Err(io::Error::other("the file contains no game")),
        };
        let note = match fault {
            Some((line, why)) => {
                let lost = text.lines().count() + 1 - line;
                let saved = save_damaged(&path)?;
                let saved = saved.display();
                Some(Bilingual::written(|language| {
                    let why = why.in_language(language);
                    match language {
                        Language::English => format!(
                            "The log could be read up to line {line}: {why}. Lines left out: \
                             {lost}. The whole file is saved as {saved}."
                        ),
                        Language::French => format!(
                            "Le journal a été lu jusqu'à la ligne {line} : {why}. Lignes omises : \
                             {lost}. Le fichier entier est enregistré sous {saved}."
                        ),
                    }
                }))
            }
            None => None,
        };
        let events = log.text();
        let events_end = events.len() as u64;
        let text = events + &log.clock().map(clock_line).unwrap_or_default();
        // The next event must not be appended to a partial line.
        if fs::metadata(&path)?.len() != text.len() as u64 {
            replace(&path, text.as_bytes())?;
        }
        Ok((log, LogFile { file: AppendFile::open(&path)?, events_end }, note))
    }

    /// Returns the complete lines of a log file, without a partial last line.
    fn read(&self, id: &str) -> io::Result<String> {
        if !is_id(id) {
            return Err(io::Error::new(io::ErrorKind::NotFound, "not the name of a log"));
        }
        let path = self.path(id);
        check_file(&path, MAX_FILE_SIZE)?;
        let text = String::from_utf8_lossy(&fs::read(path)?).into_owned();
        Ok(text.rsplit_once('\n').map_or_else(String::new, |(whole, _)| format!("{whole}\n")))
    }

    pub(crate) fn forget(&self, id: &str) {
        if is_id(id) {
            let _ = fs::remove_file(self.path(id));
        }
    }

    /// Deletes the unused logs, except the latest. None of the logs may be open.
    pub(crate) fn tidy(&self) {
        let is_unused =
            |id: &String| self.read(id).is_ok_and(|text| !is_used(&text, describe(&text).1));
        self.ids().filter(is_unused).skip(MAX_UNUSED).for_each(|id| self.forget(&id));
    }

    /// Returns the latest logs, latest first, without the unused logs.
    pub(crate) fn list(&self, is_open: impl Fn(&str) -> bool) -> Vec<StoredLog> {
        let logs = self.ids().filter_map(|id| {
            let text = self.read(&id).ok()?;
            let ((about, events), open) = (describe(&text), is_open(&id));
            is_used(&text, events).then_some(StoredLog { id, about, events, open })
        });
        logs.take(MAX_LISTED).collect()
    }

    /// Returns the names of all logs, latest first.
    fn ids(&self) -> impl Iterator<Item = String> {
        let files = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let ids = files.filter_map(|file| {
            let id = file.file_name().to_str()?.strip_suffix(".log")?.to_owned();
            is_id(&id).then_some(id)
        });
        let time = |id: &str| fs::metadata(self.path(id)).and_then(|data| data.modified());
        let mut ids: Vec<(SystemTime, String)> =
            ids.filter_map(|id| Some((time(&id).ok()?, id))).collect();
        ids.sort_by(|a, b| b.cmp(a));
        ids.into_iter().map(|(_, id)| id)
    }
}

/// Returns whether a log with this number of events is used: an event has happened, even if it was
/// taken back, or the clock has been started.
fn is_used(text: &str, events: usize) -> bool {
    events > 0 || text.lines().any(|line| line.starts_with(STRUCK) || clock_of(line).is_some())
}

/// Returns a short title for a log, and its number of events.
fn describe(text: &str) -> (String, usize) {
    let head = |name: &str| {
        let lines = text.lines().map_while(|line| line.strip_prefix("# "));
        let mut heads = lines.filter_map(|line| line.split_once(": "));
        heads.find(|(key, _)| *key == name).map(|(_, value)| value.to_owned())
    };
    let lines = || text.lines().filter(|line| !line.starts_with(['#', '=', '!']));
    let edition = lines().find_map(|line| line.split(' ').nth(2)).unwrap_or_default();
    let mut about = format!(
        "{} – {}, {edition}",
        head("White").unwrap_or_else(|| "White".to_owned()),
        head("Black").unwrap_or_else(|| "Black".to_owned()),
    );
    about.extend(head("Date").map(|date| format!(", {date}")));
    (about, lines().count().saturating_sub(1))
}

#[derive(Debug)]
pub(in crate::board) struct LogFile {
    file: AppendFile,
    /// The length of the file without the clock line, in bytes.
    events_end: u64,
}

impl LogFile {
    /// Appends events, and removes the clock line. After an error the file contains the same events
    /// as before, and further events can be appended.
    pub(crate) fn append(&mut self, text: &str) -> io::Result<()> {
        self.append_bytes(text.as_bytes())
    }

    fn append_bytes(&mut self, events: &[u8]) -> io::Result<()> {
        self.truncate(self.events_end)?;
        self.file.append(events)?;
        self.events_end += events.len() as u64;
        Ok(())
    }

    /// Stores the thinking time of the current turn.
    pub(crate) fn set_clock(&mut self, taken: Duration) -> io::Result<()> {
        self.truncate(self.events_end)?;
        self.file.append(clock_line(taken).as_bytes())
    }

    pub(crate) fn truncate(&mut self, bytes: u64) -> io::Result<()> {
        self.file.truncate(bytes)?;
        self.events_end = bytes;
        Ok(())
    }

    /// Replaces the file's text `old` with `new`, from the first line that differs, and removes the
    /// clock line. After an error the file has its old text, unless restoring it fails too.
    pub(crate) fn rewrite(&mut self, old: &str, new: &str) -> io::Result<()> {
        let same = old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
        let unchanged =
            old.as_bytes()[..same].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        self.truncate(unchanged as u64)?;
        let written = self.append_bytes(&new.as_bytes()[unchanged..]);
        if written.is_err() {
            self.append_bytes(&old.as_bytes()[unchanged..])?;
        }
        written
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::log::LogTerms;
    use super::*;
    use crate::laws::Edition;
    use crate::laws::language::Language;

    fn new_log() -> Log {
        let terms = LogTerms {
            edition: Edition::Fide2009,
            rules: "time = \"-\"".to_owned(),
            heads: Default::default(),
        };
        Log::new(terms).unwrap()
    }

    #[test]
    fn finds_stored_logs() {
        let dir = tempfile::tempdir().unwrap();
        let logs = Logs::in_folder(dir.path());
        let mut log = new_log();
        let (id, mut file) = logs.store(&log).unwrap();
        assert!(logs.list(|_| true).is_empty() && logs.list(|_| false).is_empty());
        // A log is not deleted before the tab that has stored it marks it as open.
        assert!(logs.has(&id));
        // A log without events is listed after its clock has been started.
        file.set_clock(Duration::from_secs(2)).unwrap();
        assert_eq!(logs.list(|_| true)[0].events, 0);
        file.set_clock(Duration::from_secs(90)).unwrap();
        let (again, ..) = logs.open(&id).unwrap();
        assert_eq!(again.clock(), Some(Duration::from_secs(90)));
        for line in ["moves e4 e5", "white offer"] {
            let before = log.text().len();
            log.rule(line, Language::English).unwrap();
            file.append(log.text().split_at(before).1).unwrap();
        }
        let about = "White – Black, fide-2009".to_owned();
        let listed = |open| StoredLog { id: id.clone(), about: about.clone(), events: 3, open };
        assert_eq!(logs.list(|_| false), [listed(false)]);
        assert_eq!(logs.list(|_| true), [listed(true)]);
        // Simulates a server that was killed while writing a line.
        file.append("black acc").unwrap();
        let (again, mut file, note) = logs.open(&id).unwrap();
        assert_eq!((again.text(), note), (log.text(), None));
        log.truncate(2);
        file.truncate(log.text().len() as u64).unwrap();
        file.append("black resign\n").unwrap();
        assert_eq!(logs.open(&id).unwrap().0.entries().len(), 3);
        logs.forget(&id);
        assert!(!logs.has(&id) && logs.open(&id).is_err());
        assert!(logs.open("../other").is_err());
    }

    #[test]
    fn tidy_deletes_old_unused_logs() {
        let dir = tempfile::tempdir().unwrap();
        let logs = Logs::in_folder(dir.path());
        let mut log = new_log();
        let [(oldest, _), (struck, mut file)] = [(); 2].map(|()| logs.store(&log).unwrap());
        log.rule("white offer", Language::English).unwrap();
        assert!(log.take_back());
        file.rewrite(&log.head(), &log.text()).unwrap();
        for id in [&oldest, &struck] {
            let file = fs::File::open(logs.path(id)).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        }
        let latest: Vec<_> = (0..MAX_UNUSED).map(|_| logs.store(&new_log()).unwrap().0).collect();
        logs.tidy();
        assert!(latest.iter().all(|id| logs.has(id)) && !logs.has(&oldest));
        let listed = logs.list(|_| false);
        assert_eq!(
            listed.iter().map(|log| (&log.id, log.events)).collect::<Vec<_>>(),
            [(&struck, 0)]
        );
    }

    /// Version 0.1.0 could append an event to a partial line after a write to a full disk had
    /// failed.
    #[test]
    fn reads_logs_up_to_a_damaged_line() {
        let dir = tempfile::tempdir().unwrap();
        let logs = Logs::in_folder(dir.path());
        let mut log = new_log();
        log.rule("moves e4 e5", Language::English).unwrap();
        let (id, mut file) = logs.store(&log).unwrap();
        file.append("whiwhite move g1f3\nblack move b8c6\n").unwrap();
        let damaged = fs::read_to_string(logs.path(&id)).unwrap();
        let (again, mut file, note) = logs.open(&id).unwrap();
        assert_eq!(again.text(), log.text());
        let note = note.unwrap().to_string();
        assert!(note.contains("up to line 4") && note.contains("Lines left out: 2"), "{note}");
        let saved = dir.path().join(format!("{id}.log.damaged"));
        assert_eq!(fs::read_to_string(saved).unwrap(), damaged);
        file.append("white move g1f3\n").unwrap();
        let (again, _, note) = logs.open(&id).unwrap();
        assert_eq!((again.entries().len(), note), (3, None));
    }
}
