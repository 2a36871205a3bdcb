//! Data generation, tuning and training: started twice, killed, or with a damaged file.

use crate::support::program::{adoube, fail, succeed};
use crate::support::runs::kill_when;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn datagen(out: &Path, games: &str) -> Command {
    let mut command = adoube();
    command.args(["datagen", "--game", "draughts", "--nodes", "60", "--threads", "1"]);
    command.args(["--games", games, "--out"]).arg(out);
    command
}

/// Starts `first`, which must run for a long time, and runs `second` as soon as `file` is not
/// empty. Returns the error of `second`.
fn second(mut first: Command, mut second: Command, file: &Path) -> String {
    let mut first = first.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it runs");
    let deadline = Instant::now() + Duration::from_secs(60);
    while fs::metadata(file).map_or(0, |data| data.len()) == 0 && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(5));
    }
    let error = fail(&mut second);
    first.kill().expect("SIGKILL");
    first.wait().expect("it has ended");
    error
}

#[test]
fn rejects_a_second_writer_of_a_file() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let out = dir.path().join("games.agr");
    let error = second(datagen(&out, "100000"), datagen(&out, "100000"), &out);
    assert!(error.contains("games.agr: in use by "), "{error}");

    let out = dir.path().join("tune.jsonl");
    let tune = || {
        let mut command = adoube();
        command
            .args(["tune", "search", "--game", "draughts", "--nodes", "60", "--pairs", "100000"]);
        command.args(["--threads", "1", "--out"]).arg(&out);
        command
    };
    let error = second(tune(), tune(), &out);
    assert!(error.contains("tune.jsonl: in use by "), "{error}");
}

#[test]
fn training_continues_from_the_checkpoint_before_a_damaged_one() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let data = dir.path().join("games.agr");
    succeed(&datagen(&data, "80").output().expect("adoube runs"));
    let net = dir.path().join("net");
    let train = |passes: &str| {
        let mut command = adoube();
        command.args(["train", "--game", "draughts", "--threads", "1", "--passes", passes]);
        command.arg("--data").arg(&data).arg("--out").arg(&net);
        command
    };
    let [checkpoint, before] =
        ["net.checkpoint", "net.checkpoint.before"].map(|name| dir.path().join(name));
    kill_when(&mut train("100000"), 1, || usize::from(before.exists() && checkpoint.exists()));
    fs::write(&checkpoint, "").expect("written");
    let mut command = train("100000");
    let resumed = command.stdout(Stdio::null()).stderr(Stdio::piped());
    let mut resumed = resumed.spawn().expect("it runs");
    let deadline = Instant::now() + Duration::from_secs(60);
    while fs::metadata(&checkpoint).map_or(0, |data| data.len()) == 0 && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(5));
    }
    resumed.kill().expect("SIGKILL");
    let output = resumed.wait_with_output().expect("it has ended");
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(log.contains("continuing from") && log.contains("net.checkpoint.before"), "{log}");
    // If both checkpoints are damaged, the message says what to do.
    for path in [&checkpoint, &before] {
        fs::write(path, "damaged").expect("written");
    }
    let error = fail(&mut train("100000"));
    assert!(error.contains("to begin again"), "{error}");
}
