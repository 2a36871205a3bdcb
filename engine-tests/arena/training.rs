//! Tests of data generation, tuning and training: a second process that writes to the same file,
//! damaged checkpoints, and positions in the formats of other trainers.

use crate::support::checks::settings;
use crate::support::program::{adoube, fail, succeed};
use crate::support::runs::kill_when;
use adoube::eval::net::NetFile;
use adoube::record::selfplay::GenerationSettings;
use adoube::tools::datagen::is_held_out;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

#[test]
fn says_how_to_make_training_data() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let [text, out] = ["games.pgn", "network.bin"].map(|name| dir.path().join(name));
    fs::write(&text, "1. e4 e5 *\n").expect("written");
    let error = fail(adoube().args(["train", "--data"]).arg(&text).arg("--out").arg(&out));
    assert!(error.contains("games.pgn: no recorded games\n"), "{error}");
    assert!(error.contains("create a file with `adoube datagen --out FILE`"), "{error}");
}

fn datagen(out: &Path, games: &str) -> Command {
    let mut command = adoube();
    command.args(["datagen", "--game", "draughts", "--nodes", "60", "--threads", "1"]);
    command.args(["--games", games, "--out"]).arg(out);
    command
}

/// Starts `first`, which must run for a long time, and runs `second` as soon as `file` is not
/// empty. Returns the error message of `second`.
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

/// The built-in network and a file with the same network play the same games, but the record file
/// names the network if it comes from a file.
#[test]
fn plays_training_games_with_another_network() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let networks = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/eval/draughts");
    let play = |out: &str, variant: &str, network: Option<&str>| {
        let mut command = datagen(&dir.path().join(out), "3");
        command.args(["--variant", variant]);
        if let Some(name) = network {
            command.arg("--network").arg(networks.join(name));
        }
        command
    };
    let games = |out: &str| {
        let output = adoube().args(["datagen", "export"]).arg(dir.path().join(out)).output();
        succeed(&output.expect("adoube runs"))
    };
    succeed(&play("own.agr", "bt", None).output().expect("adoube runs"));
    succeed(&play("same.agr", "bt", Some("net-bt.bin")).output().expect("adoube runs"));
    assert_eq!(games("own.agr"), games("same.agr"));
    let error = fail(&mut play("own.agr", "bt", Some("net-bt.bin")));
    assert!(error.contains("other settings") && error.contains(", network "), "{error}");
    // A file with another network is refused, too.
    succeed(&play("named.agr", "bt", Some("net-bt.bin")).output().expect("adoube runs"));
    let mut other = NetFile::open(&networks.join("net-bt.bin")).expect("a network");
    other.output_biases[0] += 1;
    let path = dir.path().join("other.bin");
    fs::write(&path, other.bytes()).expect("written");
    let error = fail(play("named.agr", "bt", None).arg("--network").arg(&path));
    assert!(error.contains("other settings"), "{error}");
    let error = fail(&mut play("other.agr", "killer", Some("net-bt.bin")));
    assert!(error.contains("net-bt.bin: ") && error.contains("killer"), "{error}");
    assert!(!dir.path().join("other.agr").exists(), "{error}");
}

/// Rescoring changes the scores. A second run has nothing left to do, and rescoring other games
/// into the same output file fails.
#[test]
fn recorded_games_are_searched_again() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let path = |name: &str| dir.path().join(name);
    for (name, games) in [("a.agr", "3"), ("b.agr", "2")] {
        succeed(&datagen(&path(name), games).output().expect("adoube runs"));
    }
    let rescore = |files: &[&str]| {
        let mut command = adoube();
        command.args(["datagen", "rescore", "--nodes", "400", "--threads", "1"]);
        command.args(files.iter().map(|name| path(name))).arg("--out").arg(path("out.agr"));
        command
    };
    let export = |name: &str| {
        let output = adoube().args(["datagen", "export"]).arg(path(name)).output();
        succeed(&output.expect("adoube runs"))
    };
    succeed(&rescore(&["a.agr"]).output().expect("adoube runs"));
    let (before, after) = (export("a.agr"), export("out.agr"));
    assert!(before.lines().count() > 30 && before != after, "{before}");
    let output = rescore(&["a.agr"]).output().expect("adoube runs");
    let report = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(report.contains("out.agr: 0 games and 0 positions"), "{report}");
    let branch = |name: &str| {
        let mut command = adoube();
        command.args(["datagen", "branch", "--nodes", "100", "--threads", "1"]).arg(path("a.agr"));
        command.arg("--out").arg(path(name));
        command
    };
    succeed(&branch("branches.agr").output().expect("adoube runs"));
    let branches = export("branches.agr");
    assert!(branches.lines().count() > 30, "{branches}");
    assert!(branches.lines().all(|line| line.contains("c9 \"*\"")), "{branches}");
    let inspected = adoube().args(["datagen", "inspect"]).arg(path("branches.agr")).output();
    let table = succeed(&inspected.expect("adoube runs"));
    assert!(table.contains("without a result") && table.contains("branches of games"), "{table}");
    // Rescored games and branches are different data.
    let error = fail(&mut branch("out.agr"));
    assert!(error.contains("contains games with other settings"), "{error}");
    let error = fail(&mut rescore(&["b.agr"]));
    assert!(error.contains("contains games with other settings"), "{error}");
    let error = fail(&mut rescore(&["a.agr", "branches.agr"]));
    assert!(error.contains("branches.agr: branches among games: process them"), "{error}");
    let error = fail(&mut rescore(&["missing.agr"]));
    assert!(error.contains("missing.agr: "), "{error}");
}

/// Positions near those of a held-out game must not be trained on.
#[test]
fn held_out_games_have_no_branches() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    for held_out in [false, true] {
        let with_seed = |seed| GenerationSettings { seed, ..settings("draughts") };
        let seed = (1..1000).find(|&seed| is_held_out(&with_seed(seed), 0) == held_out);
        let seed = seed.expect("a seed").to_string();
        let [games, branches] =
            ["games", "branches"].map(|name| dir.path().join(format!("{name}-{seed}.agr")));
        succeed(&datagen(&games, "1").args(["--seed", &seed]).output().expect("adoube runs"));
        let mut branch = adoube();
        branch.args(["datagen", "branch", "--nodes", "60", "--threads", "1"]).arg(&games);
        succeed(&branch.arg("--out").arg(&branches).output().expect("adoube runs"));
        let exported = adoube().args(["datagen", "export"]).arg(&branches).output();
        let lines = succeed(&exported.expect("adoube runs")).lines().count();
        assert!(if held_out { lines == 0 } else { lines > 10 }, "{held_out}: {lines}");
    }
    let branches = GenerationSettings { branches: true, ..settings("chess") };
    assert!((0..1000).all(|number| !is_held_out(&branches, number)));
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

/// Positions exported for other trainers can be imported again unchanged.
#[test]
fn positions_of_other_trainers_are_read_back() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let at = |name: &str| dir.path().join(name);
    let games = at("games.agr");
    let mut play = adoube();
    play.args(["datagen", "--nodes", "60", "--threads", "1", "--games", "6", "--out"]).arg(&games);
    succeed(&play.output().expect("adoube runs"));
    let export = |file: &Path, format: &str| {
        let mut command = adoube();
        command.args(["datagen", "export", "--to", format]).arg(file);
        let output = command.output().expect("adoube runs");
        succeed(&output);
        output.stdout
    };
    let import = |bytes: &[u8], format: &str, out: &Path| {
        let mut command = adoube();
        command.args(["datagen", "import", "--program", "x", "--nodes", "60", "--seed", "1"]);
        command.args(["--from", format, "--out"]).arg(out);
        let input = out.with_extension("in");
        fs::write(&input, bytes).expect("written");
        command.stdin(fs::File::open(input).expect("opened")).output().expect("adoube runs")
    };
    // Omit the game number, because packed positions do not contain it.
    let lines = |text: Vec<u8>| {
        let text = String::from_utf8(text).expect("UTF-8");
        let line = |line: &str| line.split(" id ").next().unwrap_or_default().to_owned();
        text.lines().map(line).collect::<Vec<_>>()
    };
    let direct = lines(export(&games, "epd"));
    assert!(direct.len() > 100, "{} positions", direct.len());
    for format in ["marlinformat", "bulletformat"] {
        let bytes = export(&games, format);
        assert_eq!(bytes.len(), 32 * direct.len(), "{format}");
        let read = at(&format!("{format}.agr"));
        succeed(&import(&bytes, format, &read));
        assert_eq!(export(&read, format), bytes, "{format}");
        if format == "marlinformat" {
            assert_eq!(lines(export(&read, "epd")), direct);
        }
        let cut = import(&bytes[..40], format, &at(&format!("{format}-cut.agr")));
        let errors = String::from_utf8_lossy(&cut.stderr);
        assert!(!cut.status.success(), "{errors}");
        assert!(errors.contains("position 2: incomplete: 8 of 32 bytes"), "{errors}");
    }
    let missing = at("missing.agr");
    for bytes in [&b"nonsense\n"[..], b"\xff\xfe\n", b""] {
        let failed = import(bytes, "epd", &missing);
        let errors = String::from_utf8_lossy(&failed.stderr);
        assert!(!failed.status.success() && !missing.exists(), "{errors}");
    }
    let error = fail(adoube().args(["datagen", "chances"]).arg(&games));
    assert!(error.contains("searched positions are too few to fit the model: at least 10000"));
    let draughts = at("draughts.agr");
    succeed(&datagen(&draughts, "1").output().expect("adoube runs"));
    let mut command = adoube();
    command.args(["datagen", "export", "--to", "bulletformat"]).arg(&draughts);
    let error = fail(&mut command);
    assert!(error.contains("formats of chess positions: use epd for draughts"), "{error}");
}
