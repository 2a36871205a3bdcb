//! Runs the built program to completion.

use std::io::Write;
use std::process::{Command, Output, Stdio};

pub const PROGRAM: &str = env!("CARGO_BIN_EXE_adoube");

pub fn adoube() -> Command {
    Command::new(PROGRAM)
}

/// Runs the program with an input. Returns the exit code, standard output and standard error.
pub fn run(arguments: &[&str], input: &str) -> (Option<i32>, String, String) {
    let mut program = adoube()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = program.stdin.take().expect("piped");
    // A program that does not read its input may exit before all of it is written.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    let output = program.wait_with_output().expect("the program ends");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("UTF-8")
}

/// Returns the standard output of a program, after checking that the program succeeded.
pub fn succeed(output: &Output) -> String {
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{log}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Runs a command and returns its standard error, after checking that the command failed and
/// printed nothing to standard output.
pub fn fail(command: &mut Command) -> String {
    let output = command.output().expect("adoube runs");
    assert!(!output.status.success() && output.stdout.is_empty());
    String::from_utf8_lossy(&output.stderr).into_owned()
}
