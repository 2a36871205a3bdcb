#![allow(clippy::unwrap_used)]
use super::*;
use serde::Deserialize;
use std::fs;
use tempfile::tempdir;

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
struct Settings {
    day: String,
}

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Debug)]
struct Number {
    n: u32,
}

fn settings(day: &str) -> Settings {
    Settings { day: day.to_owned() }
}

fn open(path: &Path, day: &str) -> Result<(Journal<Number>, Vec<u32>, Damage), JournalError> {
    let mut entries = Vec::new();
    let (journal, damage) =
        Journal::open(path, &settings(day), |entry: Number| entries.push(entry.n))?;
    Ok((journal, entries, damage))
}

fn resume(path: &Path) -> Result<(Settings, Vec<u32>, Journal<Number>, Damage), JournalError> {
    let mut entries = Vec::new();
    let (settings, journal, damage) = Journal::resume(path, |entry: Number| entries.push(entry.n))?;
    Ok((settings, entries, journal, damage))
}

/// Writes a journal with the entries 10, 11, 12 and 13, and returns the bytes of the file.
fn written(path: &Path) -> Vec<u8> {
    let (mut journal, entries, damage) = open(path, "today").unwrap();
    assert_eq!((entries.len(), damage), (0, Damage::default()));
    (10..14).for_each(|n| journal.add(&Number { n }).unwrap());
    fs::read(path).unwrap()
}

#[test]
fn complete_entries_survive_wherever_the_file_is_cut() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("journal");
    let whole = written(&path);
    let ends: Vec<usize> = (1..=whole.len()).filter(|&end| whole[end - 1] == b'\n').collect();
    for cut in 0..=whole.len() {
        fs::write(&path, &whole[..cut]).unwrap();
        let complete = ends.iter().filter(|&&end| end <= cut).count().saturating_sub(1);
        let (mut journal, entries, damage) = open(&path, "today").unwrap();
        let expected: Vec<u32> = (10..14).take(complete).collect();
        assert_eq!(entries, expected, "{cut} bytes");
        assert_eq!(damage.torn, cut > 0 && whole[cut - 1] != b'\n', "{cut} bytes");
        assert!(!damage.is_loss());
        journal.add(&Number { n: 99 }).unwrap();
        drop(journal);
        let (_, entries, _) = open(&path, "today").unwrap();
        assert_eq!(entries, [&expected[..], &[99]].concat(), "{cut} bytes");
    }
}

fn with_one_byte_changed(mut journal: Vec<u8>) -> Vec<u8> {
    let at = journal.windows(3).position(|text| text == b":11").unwrap();
    journal[at + 1] = b'7';
    journal
}

#[test]
fn changed_byte_costs_one_entry_if_entries_are_independent() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("journal");
    let whole = written(&path);
    let bytes = with_one_byte_changed(whole);
    fs::write(&path, &bytes).unwrap();
    let (mut journal, entries, damage) = open(&path, "today").unwrap();
    assert_eq!(entries, [10, 12, 13]);
    assert_eq!((&damage.lines[..], damage.lost, damage.torn), (&[3][..], 1, false));
    assert_eq!(damage.to_string(), "line 3 is damaged, 1 entry is lost");
    assert_eq!(fs::read(&path).unwrap(), bytes, "nothing is truncated");
    journal.add(&Number { n: 11 }).unwrap();
    drop(journal);
    assert_eq!(open(&path, "today").unwrap().1, [10, 12, 13, 11]);
}

#[test]
fn changed_byte_costs_the_later_entries_too_if_entries_are_sequential() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("journal");
    let bytes = with_one_byte_changed(written(&path));
    fs::write(&path, &bytes).unwrap();
    let (settings, entries, mut journal, damage) = resume(&path).unwrap();
    assert_eq!((settings.day.as_str(), entries), ("today", vec![10]));
    let saved = dir.path().join("journal.damaged");
    assert_eq!(
        damage.to_string(),
        format!(
            "line 3 is damaged, 3 entries are lost; the damaged file is saved as {}",
            saved.display()
        )
    );
    assert_eq!(fs::read(saved).unwrap(), bytes);
    journal.add(&Number { n: 20 }).unwrap();
    let (_, entries, _, damage) = resume(&path).unwrap();
    assert_eq!((entries, damage), (vec![10, 20], Damage::default()));
}

#[test]
fn journals_without_checksums_are_read_and_continued() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("journal");
    fs::write(&path, "{\"day\":\"today\"}\n{\"n\":10}\n{\"n\":1").unwrap();
    let (mut journal, entries, damage) = open(&path, "today").unwrap();
    assert_eq!((entries, damage.torn, damage.lost), (vec![10], true, 0));
    journal.add(&Number { n: 11 }).unwrap();
    drop(journal);
    assert_eq!(open(&path, "today").unwrap().1, [10, 11]);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.starts_with("{\"day\":\"today\"}\n{\"n\":10}\n{\"n\":11,\"sum\":\""), "{text}");
}

#[test]
fn rejects_a_second_writer_but_not_readers() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("journal");
    let (mut journal, ..) = open(&path, "today").unwrap();
    let error = open(&path, "today").unwrap_err();
    assert!(matches!(error, JournalError::InUse(_)), "{error}");
    journal.add(&Number { n: 10 }).unwrap();
    let mut entries = Vec::new();
    let each = |entry: Number| entries.push(entry.n);
    let read = Journal::read::<Settings>(&path, Order::Independent, each).unwrap();
    assert_eq!((read, entries), ((settings("today"), Damage::default()), vec![10]));
    drop(journal);
    open(&path, "today").unwrap();
}

#[test]
fn leaves_other_files_unchanged() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("file");
    for (text, expected) in [
        ("1. e4 e5 *\n", "not a journal"),
        ("1. e4 e5 *", "not a journal"),
        ("{\"other\":1}\n", "not a journal"),
        ("{\"other\":1}", "not a journal"),
        ("{\"day\":\"then\"}\n{\"n\":10}\n{\"n\"", "{\"day\":\"then\"}"),
    ] {
        fs::write(&path, text).unwrap();
        let error = open(&path, "today").unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    fs::write(&path, "").unwrap();
    assert!(matches!(resume(&path), Err(JournalError::Foreign)));
}

#[test]
fn reading_changes_nothing() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("journal");
    let text = "{\"day\":\"then\"}\n{\"n\":10}\n{\"n\":1";
    fs::write(&path, text).unwrap();
    let (found, damage) =
        Journal::<Number>::read::<Settings>(&path, Order::Independent, |_| ()).unwrap();
    assert_eq!((found, damage.torn), (settings("then"), true));
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
}

/// Tests that an append that fails on a full disk leaves no partial line and that the next append
/// succeeds. The test runs in its own process with a file size limit, which simulates a full disk.
#[cfg(unix)]
#[test]
fn full_disk_leaves_complete_lines_and_the_journal_usable() {
    use std::process::Command;
    let output = Command::new("sh")
        .args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\""])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "base::journal::tests::appends_to_a_full_disk", "--ignored"])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
}

#[cfg(unix)]
#[test]
#[ignore = "limits the process; run by full_disk_leaves_complete_lines_and_the_journal_usable"]
fn appends_to_a_full_disk() {
    use nix::sys::resource::{Resource, getrlimit, setrlimit};
    let dir = tempdir().unwrap();
    let path = dir.path().join("journal");
    let whole = written(&path);
    let (mut journal, ..) = open(&path, "today").unwrap();
    let (_, hard_limit) = getrlimit(Resource::RLIMIT_FSIZE).unwrap();
    setrlimit(Resource::RLIMIT_FSIZE, whole.len() as u64 + 7, hard_limit).unwrap();
    for _ in 0..2 {
        journal.add(&Number { n: 14 }).unwrap_err();
        assert_eq!(fs::read(&path).unwrap(), whole);
    }
    let text = dir.path().join("replaced");
    fs::write(&text, "old").unwrap();
    crate::base::file::replace(&text, &vec![b'n'; whole.len() + 100]).unwrap_err();
    assert_eq!(fs::read(&text).unwrap(), b"old");
    setrlimit(Resource::RLIMIT_FSIZE, hard_limit, hard_limit).unwrap();
    journal.add(&Number { n: 15 }).unwrap();
    drop(journal);
    let (_, entries, damage) = open(&path, "today").unwrap();
    assert_eq!((entries, damage), (vec![10, 11, 12, 13, 15], Damage::default()));
}
