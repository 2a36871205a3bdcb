//! The built program, run to its end.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// The path of the built program.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_adoube");

/// The built program.
pub fn adoube() -> Command {
    Command::new(PROGRAM)
}

/// Runs the program on an input: exit code, standard output, standard error.
pub fn run(arguments: &[&str], input: &str) -> (Option<i32>, String, String) {
    let mut program = adoube()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = program.stdin.take().expect("piped");
    // A program that reads nothing may be gone before all is written.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    let output = program.wait_with_output().expect("the program ends");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("UTF-8")
}

/// What was printed by what must succeed.
pub fn succeed(output: &Output) -> String {
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{log}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What was said by what must fail.
pub fn fail(command: &mut Command) -> String {
    let output = command.output().expect("adoube runs");
    assert!(!output.status.success() && output.stdout.is_empty());
    String::from_utf8_lossy(&output.stderr).into_owned()
}
