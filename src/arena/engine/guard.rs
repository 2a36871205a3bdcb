//! A process that ends the engines which the arena leaves behind when it is killed.
//!
//! The arena ends its engines itself, unless it is killed by `kill -9`. Then the input of the engines
//! ends; most engines notice and quit, but one that thinks for ever does not look. So a guard runs
//! beside the arena. A line tells it of each process group that starts (`+ID`) and of each that was
//! ended (`-ID`). Its own input ends with the arena, and then it kills the groups that are left.

use std::collections::BTreeSet;
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

    /// Reports a process group that has started.
    pub fn watch(&self, group: u32) {
        self.tell('+', group);
    }

    /// Reports a process group that was ended. Call it before the leader is reaped: afterwards another
    /// process may get its number.
    pub fn forget(&self, group: u32) {
        self.tell('-', group);
    }

    fn tell(&self, sign: char, group: u32) {
        let mut child = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(input) = &mut child.stdin {
            // If the guard was killed, the match goes on without one.
            let _ = input.write_all(format!("{sign}{group}\n").as_bytes());
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
    left(input).into_iter().for_each(kill);
}

/// The groups that were not ended; lines of any other form are ignored.
fn left(input: impl BufRead) -> BTreeSet<i32> {
    let mut groups = BTreeSet::new();
    for line in input.lines().map_while(Result::ok) {
        let told = line.split_at_checked(1).and_then(|(sign, id)| Some((sign, id.parse().ok()?)));
        match told {
            // 0 and 1 would kill the guard's own group and every process.
            Some(("+", id)) if id > 1 => drop(groups.insert(id)),
            Some(("-", id)) => drop(groups.remove(&id)),
            _ => {}
        }
    }
    groups
}

#[cfg(unix)]
fn kill(group: i32) {
    use nix::sys::signal::{Signal, killpg};
    let _ = killpg(nix::unistd::Pid::from_raw(group), Signal::SIGKILL);
}

#[cfg(not(unix))]
fn kill(_: i32) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_ended_is_left() {
        let told = "+12\n+13\n-12\n\n+\nx4\n+-5\n+0\n+1\n+99999999999\n\u{e9}7\n-14\n+15";
        assert_eq!(left(told.as_bytes()), BTreeSet::from([13, 15]));
    }
}
