//! Finds and kills all processes that an engine has started.
//!
//! An engine runs in its own process group, but its child processes may leave the group. For
//! example, `setsid` runs a program in a new session. Therefore each engine has a unique mark in
//! its environment, which child processes inherit. Descendants without the mark are found through
//! their parents. Only Linux provides the environment and the parent of each process (in `/proc`).
//! On other systems, only the process group is killed.
//!
//! A child subreaper (`PR_SET_CHILD_SUBREAPER`) would also find processes that have lost both their
//! parent and their mark. However, it would not show which engine started such a process, and it
//! would not help if the arena itself is killed.

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

pub(crate) const VARIABLE: &str = "ADOUBE_ENGINE";

/// A unique identifier for one engine and the processes that it starts.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Mark(String);

impl Mark {
    pub(crate) fn new() -> Self {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let since = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        Self(format!("{}-{}-{number}", std::process::id(), since.as_nanos()))
    }
}

impl Default for Mark {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Mark {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(text.to_owned()))
    }
}

/// Kills the process group of `leader` and all other processes of the engine, and waits briefly for
/// them to die. This must be called before the leader is reaped, because afterwards another process
/// may get the leader's process ID.
pub(crate) fn end(leader: i32, mark: &Mark) {
    // Processes that start while others are being killed are found in the next round.
    const ROUNDS: u32 = 50;
    let (mut killed, mut empty_rounds) = (Vec::new(), 0);
    for _ in 0..ROUNDS {
        let left = family(leader, mark);
        kill_group(leader);
        // On a busy machine a killed process may take a while to disappear.
        let is_empty = left.is_empty() && !killed.iter().any(|&process| runs(process));
        // During `exec` the mark of a process is not visible, so one empty round is not enough.
        empty_rounds = if is_empty { empty_rounds + 1 } else { 0 };
        if empty_rounds == 2 {
            return;
        }
        left.iter().copied().for_each(kill);
        killed.extend(left);
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
}

#[cfg(unix)]
fn kill_group(leader: i32) {
    use nix::sys::signal::{Signal, killpg};
    let _ = killpg(nix::unistd::Pid::from_raw(leader), Signal::SIGKILL);
}

#[cfg(unix)]
fn kill(process: i32) {
    use nix::sys::signal::Signal;
    let _ = nix::sys::signal::kill(nix::unistd::Pid::from_raw(process), Signal::SIGKILL);
}

#[cfg(not(unix))]
fn kill_group(_: i32) {}

#[cfg(not(unix))]
fn kill(_: i32) {}

#[cfg(not(target_os = "linux"))]
fn family(_: i32, _: &Mark) -> Vec<i32> {
    Vec::new()
}

#[cfg(not(target_os = "linux"))]
const fn runs(_: i32) -> bool {
    false
}

#[cfg(target_os = "linux")]
use linux::{family, runs};

#[cfg(target_os = "linux")]
mod linux {
    use super::{Mark, VARIABLE};
    use std::fs;

    struct Running {
        id: i32,
        parent: i32,
        is_marked: bool,
    }

    /// Returns the running processes of an engine: its leader, the processes with its mark, and all
    /// their descendants.
    pub(super) fn family(leader: i32, mark: &Mark) -> Vec<i32> {
        let all = running(mark);
        let is_member = |process: &&Running| process.is_marked || process.id == leader;
        let mut family: Vec<i32> = all.iter().filter(is_member).map(|process| process.id).collect();
        let mut grown = 0;
        while grown < family.len() {
            let parent = family[grown];
            let children = all.iter().filter(|process| process.parent == parent);
            let new: Vec<i32> =
                children.map(|process| process.id).filter(|id| !family.contains(id)).collect();
            family.extend(new);
            grown += 1;
        }
        family
    }

    pub(super) fn runs(process: i32) -> bool {
        parent_of(process).is_some()
    }

    /// Returns the parent of a process, or `None` if the process is dead.
    fn parent_of(process: i32) -> Option<i32> {
        let status = fs::read(format!("/proc/{process}/stat")).ok()?;
        parent(&String::from_utf8_lossy(&status))
    }

    fn running(mark: &Mark) -> Vec<Running> {
        let marked = format!("{VARIABLE}={mark}");
        let process = |entry: fs::DirEntry| {
            let id = entry.file_name().to_str()?.parse().ok()?;
            let parent = parent_of(id)?;
            let environment = fs::read(entry.path().join("environ")).unwrap_or_default();
            let mut variables = environment.split(|&byte| byte == 0);
            let is_marked = variables.any(|variable| variable == marked.as_bytes());
            Some(Running { id, parent, is_marked })
        };
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        entries.filter_map(process).collect()
    }

    /// Parses the parent's process ID in a line such as `12 (name) S 1 ...`. Returns `None` for a
    /// dead process. The name may contain parentheses and spaces.
    pub(super) fn parent(status: &str) -> Option<i32> {
        let (_, after) = status.rsplit_once(')')?;
        let mut fields = after.split_ascii_whitespace();
        let state = fields.next()?;
        if matches!(state, "Z" | "X") { None } else { fields.next()?.parse().ok() }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn reads_the_parent_of_a_running_process() {
        assert_eq!(linux::parent("12 (a) b) S 34 12 12"), Some(34));
        assert_eq!(linux::parent("12 (sh) Z 34 12 12"), None);
        assert_eq!(linux::parent("12 (sh"), None);
        let this = std::fs::read_to_string("/proc/self/stat").expect("Linux has it");
        assert_eq!(linux::parent(&this), i32::try_from(std::os::unix::process::parent_id()).ok());
    }

    #[test]
    fn marks_are_unique_and_parse_back() {
        let [one, other] = [Mark::new(), Mark::new()];
        assert_ne!(one, other);
        assert_eq!(one.to_string().parse(), Ok(one));
    }
}
