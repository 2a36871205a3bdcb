//! A guard process that kills the remaining engines if the arena is killed.
//!
//! The arena normally ends its engines itself, but it cannot do so if it is killed with `kill -9`.
//! Most engines then notice that their input has ended, but an engine in an infinite search does
//! not. The guard is therefore a separate process. It reads a line for each process group that
//! starts (`+ID MARK`) or ends (`-ID`). When the arena ends, the guard's input ends too, and the
//! guard kills the remaining groups.

use super::strays::{self, Mark};
use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};

pub(crate) const WORD: &str = "guard";

/// A running guard process, ended on drop.
#[derive(Debug)]
pub(crate) struct Guard(Mutex<Child>);

impl Guard {
    pub(crate) fn start(program: &Path) -> io::Result<Self> {
        let mut command = Command::new(program);
        command.arg(WORD).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        // A signal to the arena's process group, such as Ctrl-C, must not end the guard.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command.spawn().map(|child| Self(Mutex::new(child)))
    }

    pub fn watch(&self, group: u32, mark: &Mark) {
        self.send(&format!("+{group} {mark}\n"));
    }

    /// Notifies the guard that a process group has ended. This must be called before the group
    /// leader is reaped, because afterwards another process may get the leader's process ID.
    pub(crate) fn forget(&self, group: u32) {
        self.send(&format!("-{group}\n"));
    }

    fn send(&self, line: &str) {
        let mut child = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(input) = &mut child.stdin {
            // If the guard was killed, the match continues without a guard.
            let _ = input.write_all(line.as_bytes());
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        let child = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        child.stdin = None;
        let _ = child.wait();
    }
}

pub fn run(input: impl BufRead) {
    remaining(input).iter().for_each(|(group, mark)| strays::end(*group, mark));
}

/// Parses the input and returns the process groups that have not ended. Malformed lines are
/// ignored.
fn remaining(input: impl BufRead) -> BTreeMap<i32, Mark> {
    let mut groups = BTreeMap::new();
    for line in input.lines().map_while(Result::ok) {
        if let Some((group, mark)) = parse_start(&line) {
            groups.insert(group, mark);
        } else if let Some(group) = line.strip_prefix('-').and_then(|id| id.parse().ok()) {
            groups.remove(&group);
        }
    }
    groups
}

fn parse_start(line: &str) -> Option<(i32, Mark)> {
    let (group, mark) = line.strip_prefix('+')?.split_once(' ')?;
    // Killing group 0 or 1 would kill the guard's own group or every process.
    let group = group.parse().ok().filter(|group| *group > 1)?;
    Some((group, mark.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_groups_that_were_not_ended() {
        let messages =
            "+12 a\n+13 b\n-12\n\n+\nx4 c\n+-5 d\n+0 e\n+1 f\n+99999999999 g\n\u{e9}7\n-14\n+15 h";
        let left: Vec<_> = remaining(messages.as_bytes()).into_iter().collect();
        let expected =
            [(13, "b"), (15, "h")].map(|(group, mark)| (group, mark.parse().expect("any")));
        assert_eq!(left, expected);
    }
}
