//! A process that ends the engines which the arena leaves behind when it is killed.
//!
//! The arena ends its engines itself, unless it is killed by `kill -9`. Then the input of the engines
//! ends; most engines notice and quit, but one that thinks for ever does not look. So a guard runs
//! beside the arena. A line tells it of each process group that starts (`+ID MARK`) and of each that was
//! ended (`-ID`). Its own input ends with the arena, and then it kills the engines that are left.

use super::strays::{self, Mark};
use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// The argument that makes the program a guard.
pub const WORD: &str = "guard";

/// A running guard. It ends when it is dropped.
#[derive(Debug)]
pub struct Guard(Mutex<Child>);

impl Guard {
    /// Runs `program guard`.
    ///
    /// # Errors
    /// If it cannot be run.
    pub fn start(program: &Path) -> io::Result<Self> {
        let mut command = Command::new(program);
        command.arg(WORD).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        // A signal to the arena's group, such as Ctrl-C, must not end it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command.spawn().map(|child| Self(Mutex::new(child)))
    }

    /// Reports a process group that has started, and the mark of its engine.
    pub fn watch(&self, group: u32, mark: &Mark) {
        self.tell(&format!("+{group} {mark}\n"));
    }

    /// Reports a process group that was ended. Call it before the leader is reaped: afterwards another
    /// process may get its number.
    pub fn forget(&self, group: u32) {
        self.tell(&format!("-{group}\n"));
    }

    fn tell(&self, line: &str) {
        let mut child = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(input) = &mut child.stdin {
            // If the guard was killed, the match goes on without one.
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

/// Runs the guard itself: reads until the input ends, then kills.
pub fn run(input: impl BufRead) {
    left(input).iter().for_each(|(group, mark)| strays::end(*group, mark));
}

/// The groups that were not ended; lines of any other form are ignored.
fn left(input: impl BufRead) -> BTreeMap<i32, Mark> {
    let mut groups = BTreeMap::new();
    for line in input.lines().map_while(Result::ok) {
        if let Some((group, mark)) = started(&line) {
            groups.insert(group, mark);
        } else if let Some(group) = line.strip_prefix('-').and_then(|id| id.parse().ok()) {
            groups.remove(&group);
        }
    }
    groups
}

fn started(line: &str) -> Option<(i32, Mark)> {
    let (group, mark) = line.strip_prefix('+')?.split_once(' ')?;
    // 0 and 1 would kill the guard's own group and every process.
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
        let left: Vec<_> = left(messages.as_bytes()).into_iter().collect();
        let expected =
            [(13, "b"), (15, "h")].map(|(group, mark)| (group, mark.parse().expect("any")));
        assert_eq!(left, expected);
    }
}
