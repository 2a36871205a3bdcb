//! Runs the commands of README.md and of every chapter of the manual, and compares their output.
//!
//! Each `sh` block runs in bash, in one folder per chapter, with `adoube` on the `PATH`. It must
//! succeed. If a `text` block follows directly, it is the expected output. In the expected output,
//! `...` matches any text within a line, and a line `...` matches any number of lines. A comment
//! before an `sh` block changes the expectation: `<!-- not run: REASON -->` skips the block, and
//! `<!-- fails: REASON -->` expects an exit code other than 0.
//!
//! `ADOUBE_BLESS=1 cargo test --test engine-tests manual::` replaces expected output that differs.

use crate::support::program::PROGRAM;
use crate::support::tree::{read, root};
use adoube::manual::CHAPTERS;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Time limit for a block. The debug build needs a few seconds.
const MAX_BLOCK_TIME: Duration = Duration::from_secs(120);

/// A fenced block in a chapter.
struct Block<'a> {
    language: &'a str,
    /// The lines of the block, without the indentation of the fence.
    text: String,
    /// The indentation of the fence.
    indent: &'a str,
    /// The index of the line with the opening fence.
    opens: usize,
    /// The index of the line with the closing fence.
    closes: usize,
    /// The text of the HTML comment on the line before the fence.
    note: Option<&'a str>,
}

fn blocks<'a>(lines: &[&'a str]) -> Vec<Block<'a>> {
    let mut blocks = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let Some((indent, language)) = lines[at].split_once("```") else {
            at += 1;
            continue;
        };
        let fence = format!("{indent}```");
        let closes = at
            + 1
            + lines[at + 1..].iter().position(|line| *line == fence).expect("a closed block");
        let body =
            lines[at + 1..closes].iter().map(|line| line.strip_prefix(indent).unwrap_or(line));
        let note = at.checked_sub(1).and_then(|before| {
            lines[before].trim().strip_prefix("<!--")?.strip_suffix("-->").map(str::trim)
        });
        let text = body.map(|line| format!("{line}\n")).collect();
        blocks.push(Block { language, text, indent, opens: at, closes, note });
        at = closes + 1;
    }
    blocks
}

/// The expected result of an `sh` block.
enum Mode {
    Skip,
    Succeed,
    Fail,
}

impl Block<'_> {
    fn mode(&self) -> Mode {
        let (mode, reason) = match self.note.map(|note| note.split_once(": ").unwrap_or((note, "")))
        {
            None => return Mode::Succeed,
            Some(("not run", reason)) => (Mode::Skip, reason),
            Some(("fails", reason)) => (Mode::Fail, reason),
            Some((note, _)) => panic!("line {}: unknown comment `{note}`", self.opens),
        };
        assert!(!reason.trim().is_empty(), "line {}: the comment needs a reason", self.opens);
        mode
    }
}

/// Returns whether `text` matches `pattern`, in which `...` stands for any text.
fn matches_line(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split("...");
    let Some(mut rest) = text.strip_prefix(parts.next().expect("at least one part")) else {
        return false;
    };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        match rest.split_once(part) {
            Some((_, after)) => rest = after,
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// Returns whether the lines match. An expected line `...` stands for any number of lines.
fn matches_lines(expected: &[&str], actual: &[&str]) -> bool {
    match expected {
        [] => actual.is_empty(),
        ["...", rest @ ..] => {
            (0..=actual.len()).any(|skipped| matches_lines(rest, &actual[skipped..]))
        }
        [first, rest @ ..] => actual.split_first().is_some_and(|(line, lines)| {
            matches_line(first.trim_end(), line.trim_end()) && matches_lines(rest, lines)
        }),
    }
}

/// The folder in which the blocks of a chapter run.
struct Folder {
    folder: TempDir,
}

impl Folder {
    fn new() -> Folder {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let setup = "mkdir bin home work work/engine-tests \
            && ln -s \"$1\" bin/adoube && ln -s \"$2/epd\" work/epd \
            && ln -s \"$2/engine-tests/syzygy\" work/engine-tests/syzygy";
        let status = Command::new("bash")
            .args(["-c", setup, "bash", PROGRAM])
            .arg(root())
            .current_dir(folder.path())
            .status();
        assert!(status.expect("bash runs").success(), "the folder could not be set up");
        Folder { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs a script. Returns whether it succeeded, and its combined standard output and error.
    fn run(&self, script: &str) -> (bool, String) {
        let output = self.path("output");
        let file = File::create(&output).expect("a file for the output");
        let mut path = vec![self.path("bin")];
        path.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
        let mut command = Command::new("bash");
        command.args(["-euo", "pipefail", "-c", script]);
        command.current_dir(self.path("work"));
        command.env("PATH", std::env::join_paths(path).expect("a search path"));
        command.env("HOME", self.path("home"));
        for name in
            ["ADOUBE_SYZYGY", "ADOUBE_BITBASES", "ADOUBE_LOG", "XDG_DATA_HOME", "XDG_STATE_HOME"]
        {
            command.env_remove(name);
        }
        command
            .stdin(Stdio::null())
            .stdout(file.try_clone().expect("a second handle"))
            .stderr(file);
        let mut shell = command.spawn().expect("bash runs");
        let started = Instant::now();
        let status = loop {
            if let Some(status) = shell.try_wait().expect("bash can be waited for") {
                break status;
            }
            if started.elapsed() > MAX_BLOCK_TIME {
                let _ = shell.kill();
                panic!("still running after {MAX_BLOCK_TIME:?}:\n{script}");
            }
            sleep(Duration::from_millis(5));
        };
        (status.success(), fs::read_to_string(&output).expect("UTF-8"))
    }
}

fn has_bash() -> bool {
    let version = Command::new("bash").arg("--version").stdout(Stdio::null()).status();
    cfg!(unix) && version.is_ok_and(|status| status.success())
}

/// Restores the `...` of `expected` in new output: if `...` follows a word in `expected`, each word
/// that follows the same word in `output` is replaced by `...`.
fn with_dots(expected: &str, output: &str) -> String {
    let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let mut before = BTreeSet::new();
    for line in expected.lines().map(words) {
        before.extend(line.windows(2).filter(|pair| pair[1] == "...").map(|pair| pair[0].clone()));
    }
    let mut lines = String::new();
    for mut line in output.lines().map(words) {
        for at in 1..line.len() {
            if before.contains(&line[at - 1]) && !line[at].is_empty() {
                line[at] = "...".to_owned();
            }
        }
        lines += &format!("{}\n", line.join(" ").trim_end());
    }
    lines
}

/// Runs the `sh` blocks of a Markdown file. Returns the number of blocks run.
fn check(file: &str) -> usize {
    if !has_bash() {
        eprintln!("skipped: no bash");
        return usize::MAX;
    }
    let bless = std::env::var_os("ADOUBE_BLESS").is_some();
    let text = read(Path::new(file));
    let lines: Vec<&str> = text.lines().collect();
    let blocks = blocks(&lines);
    let folder = Folder::new();
    let mut errors = String::new();
    // The blocks with outdated output, each with the actual output.
    let mut outdated = Vec::new();
    let mut run = 0;
    for (index, block) in blocks.iter().enumerate().filter(|(_, block)| block.language == "sh") {
        let succeeds = match block.mode() {
            Mode::Skip => continue,
            Mode::Succeed => true,
            Mode::Fail => false,
        };
        run += 1;
        let (succeeded, output) = folder.run(&block.text);
        let place = format!("{file}:{}", block.opens + 1);
        if succeeded != succeeds {
            let word = if succeeds { "fails" } else { "succeeds" };
            errors += &format!("{place}: {word}\n{}{output}\n", block.text);
            continue;
        }
        let follows =
            |next: &&Block| lines[block.closes + 1..next.opens].iter().all(|line| line.is_empty());
        let Some(expected) =
            blocks.get(index + 1).filter(follows).filter(|next| next.language == "text")
        else {
            continue;
        };
        // A match reports finished games on standard error, in an order that varies. These reports
        // are ignored unless the block expects some.
        let is_game = |line: &str| line.starts_with("Finished game ");
        let is_shown = |line: &&str| !is_game(line) || expected.text.lines().any(is_game);
        let output = output.lines().filter(is_shown).collect::<Vec<_>>().join("\n");
        let expected_lines: Vec<&str> = expected.text.lines().collect();
        let actual: Vec<&str> = output.trim_end().lines().collect();
        if matches_lines(&expected_lines, &actual) {
            continue;
        }
        if bless {
            outdated.push((expected, with_dots(&expected.text, output.trim_end())));
        } else {
            errors +=
                &format!("{place}: expected\n{}--- but the output is\n{output}\n", expected.text);
        }
    }
    if !outdated.is_empty() {
        let mut lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        for (block, output) in outdated.iter().rev() {
            let indented = |line: &str| format!("{}{line}", block.indent).trim_end().to_owned();
            let new: Vec<String> = output.lines().map(indented).collect();
            lines.splice(block.opens + 1..block.closes, new);
        }
        fs::write(root().join(file), lines.join("\n") + "\n").expect("the file can be written");
    }
    assert!(errors.is_empty(), "{errors}");
    run
}

macro_rules! chapters {
    ($($name:ident)*) => {
        /// The chapters that this file tests.
        const TESTED: &[&str] = &[$(stringify!($name)),*];

        $(
            #[test]
            fn $name() {
                let run = check(concat!("src/manual/", stringify!($name), ".md"));
                assert!(run > 0, "no block of this chapter is run");
            }
        )*
    };
}

chapters! {
    analyse bitbases board building club commands draughts dxp endings generators machines matches
    measuring notations python referee uci
}

#[test]
fn readme() {
    check("README.md");
}

#[test]
fn every_chapter_except_source_is_tested() {
    let mut names: Vec<&str> = CHAPTERS.iter().map(|chapter| chapter.name).collect();
    names.retain(|name| *name != "source");
    names.sort_unstable();
    assert_eq!(TESTED, names);
}

#[test]
fn new_output_keeps_the_dots() {
    let expected = "nps ... time ... pv e2e4\n";
    assert_eq!(with_dots(expected, "nps 5 time 7 pv d2d4\n"), "nps ... time ... pv d2d4\n");
}

#[test]
fn dots_stand_for_any_text() {
    assert!(matches_line("a...b...", "a1b2"));
    assert!(!matches_line("a...b", "a1c"));
    assert!(!matches_line("ab", "abc"));
    assert!(matches_lines(&["a", "...", "z"], &["a", "b", "c", "z"]));
    assert!(!matches_lines(&["a", "..."], &["b"]));
}
