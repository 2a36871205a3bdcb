//! The built program as a process: it answers during a search, survives any input, and exits when
//! it should. Time limits are generous so that a busy machine does not fail a test.

use crate::support::client::Client;
use crate::support::program::{adoube, run};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

/// The start position in EPD.
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

/// Timeout for an answer that should be immediate, generous enough for a busy machine.
const SOON: Duration = Duration::from_secs(10);

fn thinking(client: &mut Client, go: &str) {
    client.silent("position startpos");
    client.send(go);
    client.until("info depth 5");
}

#[test]
fn only_stop_ends_an_infinite_search() {
    let mut client = Client::start();
    for go in ["go infinite", "go", "go infinite depth 6", "go infinite nodes 500 movetime 1"] {
        client.silent("position startpos");
        client.send(go);
        thread::sleep(Duration::from_millis(300));
        client.send("isready");
        let before = client.until("readyok");
        assert!(before.iter().all(|line| !line.starts_with("bestmove")), "{go}: {before:?}");
        let start = Instant::now();
        client.send("stop");
        client.until("bestmove");
        assert!(start.elapsed() < SOON);
        client.silent("stop");
    }
    // A search stopped before it starts still returns a move.
    client.send_bytes(b"go infinite\nstop\n");
    client.until("bestmove");
}

#[test]
fn answers_isready_during_a_search() {
    let mut client = Client::start();
    thinking(&mut client, "go infinite");
    for _ in 0..20 {
        let start = Instant::now();
        client.send("isready");
        client.until("readyok");
        assert!(start.elapsed() < SOON);
    }
    client.send("stop");
    client.until("bestmove");
}

#[test]
fn second_go_ends_the_first() {
    let mut client = Client::start();
    thinking(&mut client, "go infinite");
    client.send("position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    client.send("go depth 4");
    let first = client.until("bestmove");
    let second = client.until("bestmove");
    assert!(second.last().expect("a move").starts_with("bestmove e"), "{second:?}");
    assert!(!first.is_empty());
    assert!(client.settle().is_empty(), "two searches, two moves");
    // Each of a dozen consecutive searches returns a move.
    for _ in 0..12 {
        client.send("go infinite");
    }
    client.send("stop");
    for _ in 0..12 {
        client.until("bestmove");
    }
    assert!(client.settle().is_empty());
}

#[test]
fn options_set_during_a_search_take_effect_afterwards() {
    let mut client = Client::start();
    thinking(&mut client, "go infinite");
    for line in [
        "setoption name Hash value 2",
        "setoption name Threads value 2",
        "ucinewgame",
        "setoption name Clear Hash",
    ] {
        client.send(line);
    }
    client.send("isready");
    client.until("readyok");
    client.send("stop");
    client.until("bestmove");
    assert!(client.settle().is_empty());
    client.search("startpos", "go depth 6");
}

#[test]
fn pondering_ends_only_by_ponderhit_or_stop() {
    let mut client = Client::start();
    client.silent("setoption name Ponder value true");
    for (go, end) in [
        ("go ponder wtime 400 btime 400", "ponderhit"),
        ("go ponder wtime 400 btime 400", "stop"),
        ("go ponder depth 3", "ponderhit"),
        ("go ponder nodes 100", "stop"),
        ("go ponder movetime 20", "ponderhit"),
    ] {
        client.silent("position startpos moves e2e4 e7e5");
        client.send(go);
        thread::sleep(Duration::from_millis(700));
        client.send("isready");
        let before = client.until("readyok");
        assert!(before.iter().all(|line| !line.starts_with("bestmove")), "{go}: {before:?}");
        client.send(end);
        client.until("bestmove");
    }
}

#[test]
fn command_line_rejects_huge_times() {
    let engines = ["--engine", "cmd=none", "--engine", "cmd=none"];
    for args in [
        &["dxp", "--connect", "1", "--timeout", "18446744073709551615"][..],
        &[&["match", "--tc", "1.8e19"][..], &engines].concat(),
        &[&["match", "--nodes", "1", "--patience", "1.8e19"][..], &engines].concat(),
        &[&["match", "--nodes", "1", "--max-time", "1e300"][..], &engines].concat(),
        &["referee", "--time", "1+1.8e19"],
    ] {
        let output = adoube().args(args).stdin(Stdio::null()).output().expect("adoube runs");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains("is not a time in seconds"), "{args:?}: {errors}");
        assert!(matches!(output.status.code(), Some(1 | 2)), "{args:?}");
    }
}

#[test]
fn options_with_one_dash_are_explained() {
    for (args, option) in [
        (&["match", "-engine", "cmd=a"][..], "--engine"),
        (&["match", "--engine", "cmd=a", "-concurrency=2"], "--concurrency"),
        (&["match", "merge", "-dir", "joined"], "--dir"),
    ] {
        let output = adoube().args(args).stdin(Stdio::null()).output().expect("adoube runs");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(
            errors.contains(&format!("Long options start with two dashes: use {option}.")),
            "{errors}"
        );
        assert_eq!(output.status.code(), Some(2), "{errors}");
    }
    let output = adoube().args(["match", "-nonsense"]).output().expect("adoube runs");
    assert!(!String::from_utf8_lossy(&output.stderr).contains("dashes"));
}

/// Too many threads would exhaust the whole machine.
#[test]
fn command_line_rejects_huge_thread_counts() {
    for args in [
        &["perft", "1", "--threads", "99999999"][..],
        &["suite", "none.epd", "--threads", "513"],
        &["suite", "none.epd", "--jobs", "18446744073709551615"],
        &["bitbase", "build", "--threads", "513"],
        &["bitbase", "verify", "--threads", "0"],
        &["dxp", "--listen", "--threads", "513"],
        &["datagen", "--games", "1", "--out", "none.agr", "--threads", "513"],
        &["train", "--data", "none.agr", "--out", "none.bin", "--threads", "513"],
        &["bench", "1", "513"],
        &["match", "--engine", "cmd=none", "--engine", "cmd=none", "--concurrency", "513"],
    ] {
        let (code, _, errors) = run(args, "");
        assert_eq!(code, Some(2), "{args:?}: {errors}");
        assert!(errors.contains("is not in 1..=512"), "{args:?}: {errors}");
    }
}

#[test]
fn moves_with_any_clock() {
    let mut client = Client::start();
    for go in [
        "go wtime 1000 btime 1000",
        "go wtime 0 btime 0",
        "go wtime -500 btime -500 winc -10 binc -10",
        "go wtime 1 btime 1 movestogo 1",
        "go wtime 300 btime 300 winc 50 binc 50 movestogo 40",
        "go movetime 0",
        "go movetime -1",
        "go movetime 30",
        "go wtime 99999999999999999999999 btime 5 depth 3",
        "go wtime 18446744073709551615 btime 1 winc 18446744073709551615 movestogo 4294967295 depth 3",
        "go btime 100 wtime 100 nodes 18446744073709551615",
    ] {
        client.search("startpos", go);
    }
}

#[test]
fn end_of_input_ends_the_process_during_a_search() {
    for go in [
        "",
        "go infinite",
        "go depth 200",
        "go ponder wtime 1000 btime 1000",
        "perft 30",
        "bench 200",
    ] {
        let mut client = Client::start();
        client.settle();
        client.send(go);
        thread::sleep(Duration::from_millis(100));
        let start = Instant::now();
        client.hang_up();
        assert!(client.wait().success(), "{go:?}");
        assert!(start.elapsed() < SOON, "{go:?}");
    }
}

#[test]
fn quit_ends_the_process_during_a_search() {
    for go in ["", "go infinite", "perft 30"] {
        let mut client = Client::start();
        client.settle();
        client.send(go);
        client.send("quit");
        assert!(client.wait().success(), "{go:?}");
    }
}

#[test]
fn closed_output_ends_the_engine_quietly() {
    let mut child = adoube()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the engine starts");
    drop(child.stdout.take());
    // The input stays open, so only the failing output can end the engine.
    let input = child.stdin.as_mut().expect("a pipe");
    std::io::Write::write_all(input, b"uci\ngo infinite\n").expect("the engine reads");
    wait_for_exit(&mut child, "the output is closed");
    let mut errors = String::new();
    std::io::Read::read_to_string(&mut child.stderr.take().expect("a pipe"), &mut errors)
        .expect("text");
    assert_eq!(errors, "");
}

#[cfg(unix)]
#[test]
fn closed_output_ends_every_command_quietly() {
    use std::os::unix::process::ExitStatusExt;
    let commands = [
        &["laws", "list"][..],
        &["laws", "show", "--help"],
        &["completions", "bash"],
        &["bench", "6"],
        &["manual", "matches"],
        &["bitbase", "--help"],
        &["perft", "4", "--divide"],
        &["suite", "epd/chess/perft-standard.epd"],
        &["check", env!("CARGO_BIN_EXE_adoube")],
        &["analyse", "--fen", "8/8/8/8/8/4k3/4p3/6K1 w - - 0 1", "--depth", "3"],
    ];
    for errors_too in [false, true] {
        for command in commands {
            let (reader, writer) = std::io::pipe().expect("a pipe");
            drop(reader);
            let mut program = adoube();
            program.args(command).stdin(Stdio::null()).stdout(writer.try_clone().expect("a pipe"));
            if errors_too {
                program.stderr(writer);
            } else {
                program.stderr(Stdio::piped());
            }
            let output = program.output().expect("the program runs");
            let (code, signal) = (output.status.code(), output.status.signal());
            // SIGPIPE kills the program, or the program exits with the code that shells report for
            // SIGPIPE: 128 + 13.
            assert!(code == Some(141) || signal == Some(13), "{command:?}: {output:?}");
            assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{command:?}");
        }
    }
}

fn wait_for_exit(child: &mut Child, what: &str) {
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("a child") {
            break status;
        }
        if start.elapsed() > SOON * 6 {
            let _ = child.kill();
            panic!("the engine does not exit: {what}");
        }
        thread::sleep(Duration::from_millis(2));
    };
    assert!(status.success(), "{what}");
}

#[test]
fn unread_output_does_not_block_exit() {
    for (end, hang_up) in [("quit\n", false), ("", true)] {
        let mut child = adoube()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        // The replies to these commands exceed the capacity of a pipe, and the search adds more
        // output.
        let many = ["uci\n".repeat(30), "isready\n".repeat(20_000)].concat();
        let lines = format!("{many}go infinite\n{end}");
        let mut input = child.stdin.take().expect("a pipe");
        std::io::Write::write_all(&mut input, lines.as_bytes()).expect("the engine reads");
        let input = (!hang_up).then_some(input);
        wait_for_exit(&mut child, end);
        drop(input);
    }
}

/// The pipe is full before the engine starts, so even the engine's first line of output blocks.
#[cfg(target_os = "linux")]
#[test]
fn quit_ends_the_process_whose_output_nobody_reads() {
    for commands in [
        "uci\ngo infinite\n",
        "position startpos\ngo perft 5\n",
        "go depth 5\ngo perft 5\ngo perft 5\n",
        "go movetime 100\nisready\n",
        "hub\ninit\nlevel infinite=true\ngo analyze\n",
        "hub\ninit\nlevel depth=9\ngo think\n",
    ] {
        let (reader, mut writer) = std::io::pipe().expect("a pipe");
        const CAPACITY: usize = 1 << 16;
        std::io::Write::write_all(&mut writer, &[b'\n'; CAPACITY]).expect("room for all");
        let mut child =
            adoube().stdin(Stdio::piped()).stdout(writer).spawn().expect("the engine starts");
        let mut input = child.stdin.take().expect("a pipe");
        std::io::Write::write_all(&mut input, commands.as_bytes()).expect("the engine reads");
        thread::sleep(Duration::from_millis(300));
        let quit = Instant::now();
        std::io::Write::write_all(&mut input, b"quit\n").expect("the engine reads");
        wait_for_exit(&mut child, commands);
        assert!(quit.elapsed() < Duration::from_secs(5), "{commands}: {:?}", quit.elapsed());
        drop((reader, input));
    }
}

/// Returns the peak memory of a process in KB, or `None` if the system does not report it.
fn peak_memory(client: &Client) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", client.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

#[test]
fn floods_of_commands_do_not_fill_the_memory() {
    let mut client = Client::start();
    let before = peak_memory(&client);
    // A thousand searches share one list of moves, which takes a megabyte.
    client.silent(&format!("position startpos moves {}", "g1f3 g8f6 f3g1 f6g8 ".repeat(52_000)));
    const SEARCHES: usize = 1000;
    client.send_bytes("go depth 1\n".repeat(SEARCHES).as_bytes());
    for _ in 0..SEARCHES {
        client.until("bestmove");
    }
    // Repeating `ucinewgame` uses no additional memory.
    client.send_bytes("ucinewgame\n".repeat(100_000).as_bytes());
    client.settle();
    if let (Some(before), Some(after)) = (before, peak_memory(&client)) {
        assert!(after < before + 100_000, "{before} KB, then {after} KB");
    }
    // The queue of commands during a search is limited, and the search can still be stopped.
    client.send("go infinite");
    client.send_bytes("setoption name Clear Hash\n".repeat(100).as_bytes());
    let refused = client.settle();
    let refused = refused.iter().filter(|line| line.contains("this one is ignored")).count();
    assert!((1..100).contains(&refused), "{refused} lines refused");
    client.send("stop");
    client.until("bestmove");
    assert!(client.settle().is_empty());
}

#[test]
fn survives_ten_thousand_lines_of_garbage() {
    let mut client = Client::start();
    let words = [
        "position",
        "fen",
        "startpos",
        "moves",
        "e2e4",
        "setoption",
        "name",
        "value",
        "Hash",
        "xyzzy",
        "-1",
        "0",
        "99999999999999999999",
        "depth",
        "\u{1f600}",
        "k7/8",
        "w",
        "KQkq",
        "register",
        "8/8/8/8/8/8/8/8",
    ];
    let mut rng = adoube::base::rng::Rng::new(20);
    let mut text = String::new();
    for _ in 0..10_000 {
        for _ in 0..=rng.below(8) {
            text.push_str(words[rng.below(words.len())]);
            text.push(' ');
        }
        text.push('\n');
    }
    client.send_bytes(text.as_bytes());
    client.settle();
    client.silent("position startpos moves e2e4");
    client.search("startpos", "go depth 3");
}

#[test]
fn survives_invalid_utf8_and_very_long_lines() {
    let mut client = Client::start();
    client.send_bytes(b"\xff\xfe\x00\x80\n\0\0\0\n\r\r\n\r");
    client.send_bytes(b"position startpos moves \xc3\x28\n");
    client.send_bytes(&[b'x'; 3 << 20]);
    client.send_bytes(b"\n");
    let lines = client.settle();
    assert!(lines.iter().all(|line| line.starts_with("info string ")), "{lines:?}");
    assert!(lines.iter().any(|line| line.contains("bytes is ignored")), "{lines:?}");
    assert!(lines.iter().all(|line| line.len() < 1000));
    // A long game is accepted.
    let game = "g1f3 g8f6 f3g1 f6g8 ".repeat(5000);
    client.silent(&format!("position startpos moves {game}"));
    client.search("startpos", "go depth 3");
    // A carriage return also ends a line, and the last line needs no terminator.
    client.send_bytes(b"isready\r\nisready\risready");
    client.hang_up();
    for _ in 0..3 {
        client.until("readyok");
    }
    assert!(client.wait().success());
}

/// Some editors and shells write a byte order mark at the start of a text.
#[test]
fn byte_order_marks_are_skipped() {
    const MARK: &str = "\u{feff}";
    for (input, start, end) in [
        (format!("{MARK}uci\nisready\nquit\n"), "id name Adoube", "uciok\nreadyok\n"),
        (format!("\r\n{MARK}isready\n{MARK}isready\n"), "readyok\n", "readyok\n"),
        (format!("{MARK}hub\nping\nquit\n"), "id name=Adoube", "wait\npong\n"),
        (format!("\n{MARK}\n{MARK}hub\nping\n"), "id name=Adoube", "wait\npong\n"),
    ] {
        let (code, out, errors) = run(&[], &input);
        assert_eq!((code, errors.as_str()), (Some(0), ""));
        assert!(out.starts_with(start) && out.ends_with(end), "{input:?}: {out}");
    }
    let (_, out, _) = run(&["hub"], &format!("{MARK}ping\n"));
    assert_eq!(out, "pong\n");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.epd");
    let path = path.to_str().expect("plain");
    let records = ["4k3/8/8/8/8/8/8/4K2R w K - D1 15; id \"x\";", "# no record", ""];
    fs::write(path, format!("{MARK}{}\n", records.join("\n"))).expect("written");
    let (code, out, errors) = run(&["suite", path], "");
    assert_eq!(code, Some(0), "{out}{errors}");
    let tables = format!("{}/engine-tests/syzygy", env!("CARGO_MANIFEST_DIR"));
    let fens = format!("{MARK}8/4Q3/8/8/8/8/8/k6K w - - 95 1\n");
    let (code, out, _) = run(&["syzygy", "--tb", &tables], &fens);
    assert_eq!((code, out.as_str()), (Some(0), "cursed-win 13 8/4Q3/8/8/8/8/8/k6K w - - 95 1\n"));
}

#[test]
fn log_file_contains_both_directions() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("two words.log");
    let mut client = Client::start();
    client.silent(&format!("setoption name Debug Log File value {}", path.display()));
    client.search("startpos", "go depth 2");
    client.silent("setoption name Debug Log File value <empty>");
    client.search("startpos", "go depth 1");
    let log = fs::read_to_string(&path).expect("a log");
    assert!(log.lines().any(|line| line.ends_with(" > go depth 2")), "{log}");
    assert!(log.lines().any(|line| line.contains(" < bestmove ")), "{log}");
    assert!(!log.contains("go depth 1"));
    let mut lines = log.lines();
    assert!(lines.next().is_some_and(|line| line.starts_with("# ")), "{log}");
    for line in lines {
        let time = line.split_whitespace().next().expect("a time");
        assert!(time.parse::<f64>().is_ok(), "{line}");
    }
    let words = client.refusal("setoption name Debug Log File value /no/such/directory/x.log");
    assert!(words.contains("cannot open the log file"), "{words}");
    // A file that is not a log is not changed.
    for name in [".bashrc", "notes.log"] {
        let other = directory.path().join(name);
        fs::write(&other, "mine\n").expect("written");
        let words =
            client.refusal(&format!("setoption name Debug Log File value {}", other.display()));
        assert!(words.contains("cannot open the log file"), "{words}");
        client.search("startpos", "go depth 1");
        assert_eq!(fs::read_to_string(&other).expect("as it was"), "mine\n");
    }
}

#[test]
fn no_files_option_rejects_file_names() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("x.log");
    let path = path.to_str().expect("plain");
    let spoken = |args: &[&str], text: String| {
        let (code, out, errors) = run(args, &text);
        assert_eq!((code, errors.as_str()), (Some(0), ""));
        assert_eq!(fs::read_dir(directory.path()).expect("a folder").count(), 0, "{args:?}");
        out
    };
    let uci = format!("setoption name Debug Log File value {path}\nisready\n");
    let refused =
        "info string error: option 'Debug Log File' names a file, which --no-files forbids\n";
    assert_eq!(spoken(&["--no-files"], uci), format!("{refused}readyok\n"));
    let hub = format!("set-param name=log-file value={path}\nping\n");
    let refused = "parameter 'log-file' names a file, which --no-files forbids";
    let expected = format!("error message=\"{refused}\"\npong\n");
    assert_eq!(spoken(&["hub", "--no-files"], hub.clone()), expected);
    // File names are also rejected if the first line selects Hub.
    assert!(spoken(&["--no-files"], format!("hub\n{hub}")).ends_with(&expected));
}

/// Unescaped control characters could clear the terminal, or change its title or its colours.
#[test]
fn escapes_control_characters_from_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let escape = "\u{1b}]0;title\u{7}\u{9b}31m";
    let file = |name: &str, text: String| {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("written");
        path.display().to_string()
    };
    let events = file("events", format!("white move e2e4{escape}\n"));
    let game = file("game.pgn", format!("1. e4{escape} e5 *\n"));
    let suite = file("suite.epd", format!("{START} D1 19; id \"{escape}\";\n"));
    let sheet = file("sheet.txt", format!("White: Anna\n1. e4  {escape}\n1-0\n"));
    for args in [
        &["referee", &events][..],
        &["convert", "--to", "fr", &game],
        &["announce", &game],
        &["suite", &suite],
        &["sheet", "compare", &sheet, &sheet],
        &["check", &format!("printf '{escape}\\n'")],
    ] {
        let (_, out, errors) = run(args, "");
        let shown = format!("{out}{errors}");
        // The game reader treats control characters as spaces.
        let is_game = args.contains(&game.as_str());
        assert!(is_game || shown.contains("\\u{1b}"), "{args:?}: {shown:?}");
        assert!(shown.chars().all(|c| c == '\n' || !c.is_control()), "{args:?}: {shown:?}");
    }
}
