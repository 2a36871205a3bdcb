//! Runs the fastest build for the processor. The release archive contains a portable `adoube` and,
//! in the folder `levels` next to it, builds for higher processor levels. The portable program
//! replaces itself with the fastest build that the processor supports.

use crate::base::cpu::level::Build;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::{env, io};

/// The processor levels in the folder `levels`, separated by spaces. `make dist` sets
/// `ADOUBE_LEVELS` only for the portable program, so no other build looks for the folder.
const LEVELS: Option<&str> = option_env!("ADOUBE_LEVELS");

/// Runs the fastest build for this processor in place of this program, with the same arguments. On
/// Unix, this function then does not return; elsewhere it returns the exit code of that build.
/// Returns `None` if this program must do the work itself, because it is the fastest build or the
/// faster build cannot be run.
pub(super) fn delegate() -> Option<ExitCode> {
    let levels = LEVELS?;
    let build = Build::current();
    let level = fastest(levels, |level| build.is_supported(level))?;
    let path = program(level).ok().filter(|path| path.is_file())?;
    let mut command = Command::new(path);
    command.args(env::args_os().skip(1));
    run(&mut command)
}

/// Returns the highest supported level.
fn fastest(levels: &str, is_supported: impl Fn(u8) -> bool) -> Option<&str> {
    let number = |level: &str| level.strip_prefix("x86-64-v")?.parse().ok();
    let supported =
        levels.split_whitespace().filter(|level| number(level).is_some_and(&is_supported));
    supported.max_by_key(|level| number(level))
}

/// Returns the path of the build for a level.
fn program(level: &str) -> io::Result<PathBuf> {
    // A link to the program, as in `/usr/bin`, has no folder `levels` next to it.
    let portable = env::current_exe()?.canonicalize()?;
    let name = portable.file_name().unwrap_or_default().to_owned();
    Ok(portable.with_file_name("levels").join(level).join(name))
}

#[cfg(unix)]
fn run(command: &mut Command) -> Option<ExitCode> {
    use std::os::unix::process::CommandExt;
    // A failure is not reported: the portable program does the same work, only more slowly.
    _ = command.exec();
    None
}

#[cfg(not(unix))]
fn run(command: &mut Command) -> Option<ExitCode> {
    let code = command.status().ok()?.code();
    Some(code.and_then(|code| u8::try_from(code).ok()).map_or(ExitCode::FAILURE, ExitCode::from))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn picks_the_highest_supported_level() {
        let all = "x86-64-v2 x86-64-v4 x86-64-v3";
        assert_eq!(fastest(all, |level| level <= 3), Some("x86-64-v3"));
        assert_eq!(fastest(all, |_| true), Some("x86-64-v4"));
        assert_eq!(fastest(all, |level| level <= 1), None);
        assert_eq!(fastest("x86-64 apple-m1", |_| true), None);
        assert_eq!(fastest("", |_| true), None);
    }

    #[test]
    fn finds_builds_next_to_the_program() {
        let path = program("x86-64-v3").expect("path");
        let this = env::current_exe().expect("path").canonicalize().expect("path");
        let name = this.file_name().expect("name");
        assert_eq!(path.file_name(), Some(name));
        assert_eq!(path.parent().and_then(|p| p.parent()), Some(&*this.with_file_name("levels")));
    }
}
