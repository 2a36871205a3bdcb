//! `adoube analyse`: annotated records, the HTML page, puzzles and resuming. The browser tests need
//! Chromium.

use crate::support::browser::{between, page, rendered, unescaped};
use crate::support::program::{PROGRAM, adoube, fail, succeed};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// A name that contains HTML.
const HOSTILE: &str = "</script><script>throw 1</script><img src=x onerror=alert(1)>&'";

/// Writes two chess games: Légal's mate with clocks, and the fool's mate.
fn chess(dir: &Path) -> PathBuf {
    let games = format!(
        "[White \"Legal\"]\n[Black \"{HOSTILE}\"]\n[TimeControl \"600\"]\n\n1. e4 {{[%clk 0:09:55]}} (1. d4 $16 d5) e5 \
         {{[%clk 0:09:50]}} 2. Nf3 {{[%clk 0:09:50]}} d6 3. Bc4 Bg4 4. Nc3 {{[%clk 0:08:00] calm}} g6 5. Nxe5 \
         Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0\n\n[White \"A\"]\n[Black \"B\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n"
    );
    write(dir, "games.pgn", &games)
}

/// Writes the second problem of `epd/draughts/problems.epd`, with a move that misses the solution.
fn draughts(dir: &Path) -> PathBuf {
    let game = "[White \"A\"]\n[Black \"B\"]\n[GameType \"20\"]\n\
                [FEN \"W:W23,27,28,36,37,40,41,43-46,50:B2,4,7-12,15,16,20,30\"]\n\n1. 44-39 *\n";
    write(dir, "games.pdn", game)
}

fn write(dir: &Path, name: &str, text: &str) -> PathBuf {
    let path = dir.join(name);
    fs::write(&path, text).expect("written");
    path
}

/// Returns the output of `adoube analyse` with short searches.
fn analysed(games: &Path, args: &[&str]) -> String {
    analysed_with("20000", games, args)
}

fn analysed_with(nodes: &str, games: &Path, args: &[&str]) -> String {
    let mut program = adoube();
    program.args(["analyse", "--nodes", nodes]).arg(games).args(args);
    succeed(&program.output().expect("adoube runs"))
}

#[test]
fn marks_book_moves_and_keeps_the_order_of_games_with_any_number_of_threads() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let games = chess(dir.path());
    let book = dir.path().join("book.bin");
    let drawn = write(dir.path(), "drawn.pgn", "1. f3 e5 2. g4 Qh4 1/2-1/2\n");
    let made =
        adoube().args(["book", "--min-games", "1", "--polyglot"]).arg(&book).arg(drawn).output();
    succeed(&made.expect("adoube runs"));
    let book = ["--book", book.to_str().expect("UTF-8")];
    let one = analysed(&games, &[&book[..], &["--game", "2"]].concat());
    assert_eq!((one.matches("[Event ").count(), one.matches("{book}").count()), (1, 4), "{one}");
    assert!(!one.contains('$'), "book moves have no glyphs: {one}");
    let alone = analysed(&games, &[]);
    assert!(alone.contains("g4 $4") && !alone.contains("{book}"), "{alone}");
    assert_eq!(analysed(&games, &["--threads", "2"]), alone);
    let error = fail(adoube().args(["analyse", "--to", "pdn"]).arg(&games));
    assert!(error.contains("games of chess are not written in this format"), "{error}");
    let none = fail(adoube().args(["analyse", "--game", "3", "--to", "html"]).arg(&games));
    assert!(none.contains("there is no game"), "{none}");
    let mixed = fail(adoube().arg("analyse").arg(&games).arg(draughts(dir.path())));
    assert!(mixed.contains("games.pdn: a game of draughts among games of chess"), "{mixed}");
}

#[test]
fn a_second_analysis_replaces_the_first() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let games = chess(dir.path());
    let once = analysed(&games, &["--game", "1", "--multipv", "3"]);
    let count = |text: &str| text.matches("{Adoube})").count();
    assert!(count(&once) > once.matches('$').count(), "{once}");
    let games = write(dir.path(), "once.pgn", &once);
    assert_eq!(analysed(&games, &["--multipv", "3"]), once);
    let again = analysed_with("30000", &games, &[]);
    // The input game itself has a `$16` in a variation.
    let glyphs = again.replace("$16", "").matches('$').count();
    assert_eq!(count(&again), glyphs, "{again}");
    assert!(glyphs > 0, "{again}");
}

#[test]
fn annotates_epd_records() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let mate = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - ce 3; id \"back rank\";\n";
    let records = write(dir.path(), "positions.epd", &format!("{mate}# comment\nnonsense\n"));
    let mut program = adoube();
    let output = program.args(["analyse", "--nodes", "2000"]).arg(&records).output();
    let output = output.expect("adoube runs");
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("positions.epd: line 3: "), "{error}");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.starts_with("6k1/5ppp/8/8/8/8/8/R3K3 w Q - id \"back rank\"; acd "), "{text}");
    assert!(text.ends_with("; dm 1; pv Ra8#;\n") && text.lines().count() == 1, "{text}");
    let lost = write(dir.path(), "lost.epd", "R5k1/5ppp/8/8/8/8/8/4K2R b - -\nW:W31:B16,K1\n");
    let error = fail(adoube().args(["analyse", "--to", "html"]).arg(&lost));
    assert!(error.contains("--to is for games"), "{error}");
}

#[test]
fn another_engine_analyses_games_records_and_positions() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let games = chess(dir.path());
    let puzzles = dir.path().join("puzzles.epd");
    let engine = format!("cmd={PROGRAM},option.Hash=1,name=Peer");
    let chosen = ["--engine", &engine, "--puzzles", puzzles.to_str().expect("UTF-8")];
    let found = analysed(&games, &[&chosen[..], &["--multipv", "2", "--threads", "2"]].concat());
    assert_eq!(found.matches("[Annotator \"Peer, Adoube ").count(), 2, "{found}");
    let found = found.replace('\n', " ");
    assert!(found.contains("Bxd1 $4 {[%eval ") && found.contains("{Adoube})"), "{found}");
    assert!(found.contains("7. Nd5# {[%eval #0]} 1-0"), "{found}");
    let puzzles = fs::read_to_string(puzzles).expect("the puzzles");
    assert!(puzzles.contains("bm Bxf7+; id \"Legal - "), "{puzzles}");
    let page = analysed(&games, &["--engine", &engine, "--to", "html"]);
    assert!(page.contains("Peer, 20000 nodes a position"));
    let draughts = draughts(dir.path());
    let hub = ["--engine", &format!("{PROGRAM} hub")];
    let found = analysed(&draughts, &hub);
    assert!(found.contains("44-39 {[%eval "), "{found}");
    assert!(found.contains("[Annotator \"adoube, Adoube "), "{found}");
    let records = write(dir.path(), "positions.epd", "6k1/5ppp/8/8/8/8/8/R3K3 w Q - id \"a\";\n");
    let found = analysed(&records, &["--engine", &engine]);
    assert!(found.ends_with("; dm 1; pv Ra8#;\n") && !found.contains("acd 0;"), "{found}");
    // Castling rights that exist only in Chess960.
    let fen = "4k3/8/8/8/8/8/8/RK4R1 w GA - 0 1";
    let position = ["analyse", "--nodes", "2000", "--multipv", "3", "--engine", &engine];
    let found = succeed(&adoube().args(position).args(["--fen", fen]).output().expect("runs"));
    assert_eq!(found.matches(" cp ").count() + found.matches(" mate ").count(), 3, "{found}");
    let none = ["analyse", "--engine", "/no/such/engine"];
    let error = fail(adoube().args(none).arg(&games));
    assert!(error.contains("'/no/such/engine': cannot run /no/such/engine: "), "{error}");
}

/// Writes a UCI engine that counts its searches in a file. `go` is its answer to `go`.
#[cfg(unix)]
fn scripted(dir: &Path, go: &str) -> String {
    let (script, count) = (dir.join("engine.sh"), dir.join("count"));
    let count = count.display();
    fs::write(dir.join("count"), "0\n").expect("written");
    let text = format!(
        "while read line; do case $line in
         uci) echo uciok;; isready) echo readyok;; position*) position=$line;;
         go*) n=$(($(cat '{count}') + 1)); echo $n >'{count}'; {go};; esac; done\n"
    );
    fs::write(&script, text).expect("written");
    format!("sh '{}'", script.display())
}

#[test]
fn the_lines_of_a_position_are_printed_as_json() {
    let mut program = adoube();
    program.args(["analyse", "--json", "--depth", "3", "--multipv", "2"]);
    program.args(["--fen", "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1"]);
    let out = succeed(&program.output().expect("adoube runs"));
    let value: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let [first, second] = [0, 1].map(|line| &value["lines"][line]);
    assert_eq!((&first["mate"], &first["moves"][0]), (&1.into(), &"Ra8#".into()), "{out}");
    assert!(second["depth"].is_u64() && second["nodes"].is_u64(), "{out}");
}

#[test]
fn position_without_moves_is_refused_with_the_end_of_the_game() {
    for (fen, end) in [
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "checkmate"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "stalemate"),
        ("B:WK1:B", "the side to move loses"),
    ] {
        let error = fail(adoube().args(["analyse", "--fen", fen]));
        assert!(error.contains(&format!("there is no legal move in {fen}: {end}")), "{error}");
    }
}

#[test]
fn position_in_place_of_a_file_is_refused_with_advice() {
    for fen in ["6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "W:W28:B23"] {
        let error = fail(adoube().args(["analyse", fen]));
        assert!(error.contains(&format!("write --fen '{fen}'")), "{error}");
    }
    let error = fail(adoube().args(["analyse", "missing.pgn"]));
    assert!(error.contains("missing.pgn: No such file"), "{error}");
}

/// The second file is analysed although the first is damaged, in both formats.
#[test]
fn the_analysis_goes_on_after_a_damaged_file() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    for (name, text) in [
        ("whole.epd", "6k1/5ppp/8/8/8/8/8/R3K3 w Q - id \"A\";\n"),
        ("whole.pgn", "[White \"A\"]\n\n1. e4 *\n\n"),
    ] {
        let whole = write(dir.path(), name, &text.replace('A', "Whole"));
        let damaged = dir.path().join(format!("damaged-{name}.gz"));
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text.repeat(3).as_bytes()).expect("compressed");
        let bytes = encoder.finish().expect("compressed");
        // A part of the checksum is missing.
        fs::write(&damaged, &bytes[..bytes.len() - 6]).expect("written");
        let mut program = adoube();
        program.args(["analyse", "--depth", "1"]).arg(&damaged).arg(&whole);
        let output = program.output().expect("adoube runs");
        let texts = [output.stdout, output.stderr];
        let [out, errors] = texts.map(|text| String::from_utf8_lossy(&text).into_owned());
        assert_eq!(output.status.code(), Some(1), "{errors}");
        assert!(errors.contains("reading failed: ") && out.contains("\"Whole\""), "{out}{errors}");
    }
}

#[cfg(unix)]
#[test]
fn finished_games_are_written_if_another_engine_fails() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let game = "[White \"A\"]\n\n*\n\n";
    let games = write(dir.path(), "games.pgn", &game.repeat(4));
    let answer = "echo info depth 1 score cp 20 nodes 5 pv e2e4; echo bestmove e2e4";
    let run = |go: &str, file: &Path| {
        let engine = scripted(dir.path(), go);
        let mut program = adoube();
        program.args(["analyse", "--depth", "1", "--engine", &engine]).arg(file);
        let output = program.output().expect("adoube runs");
        let texts = [output.stdout, output.stderr];
        let [out, errors] = texts.map(|text| String::from_utf8_lossy(&text).into_owned());
        (output.status.code(), out, errors)
    };
    // An engine that exits once is restarted.
    let (code, out, errors) = run(&format!("[ $n = 3 ] && exit; {answer}"), &games);
    assert_eq!((code, out.matches("[White \"A\"]").count()), (Some(0), 4), "{errors}");
    assert!(
        errors.contains("ended with exit status 0 during the analysis; it is started again"),
        "{errors}"
    );
    // An engine that exits again stops the analysis.
    let dying = format!("[ $n -ge 3 ] && exit; {answer}");
    let (code, out, errors) = run(&dying, &games);
    assert_eq!((code, out.matches("[White \"A\"]").count()), (Some(1), 2), "{errors}");
    let expected = "error: the analysis stopped early; the finished games are written: ";
    assert!(errors.contains(expected) && errors.contains("games.pgn: game 3: 'sh "), "{errors}");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n";
    let records = write(dir.path(), "start.epd", &start.repeat(4));
    let (code, out, errors) = run(&dying, &records);
    assert_eq!((code, out.matches("ce 20; pv e4;").count()), (Some(1), 2), "{out}{errors}");
    assert!(errors.contains("start.epd: line 3: 'sh "), "{errors}");
    // If an engine reports no score for a forced move, the position after the move is searched. If
    // there is a choice of moves, a missing score is an error.
    let forced = write(dir.path(), "forced.epd", "8/8/8/8/8/1k6/7r/K7 w - -\n");
    let scored = "echo info depth 1 score mate 1 nodes 5 pv h2h1";
    let only_after = format!("case $position in *moves*) {scored};; esac; echo bestmove a1b1");
    let (code, out, errors) = run(&only_after, &forced);
    assert!(out.ends_with("ce -32765; pv Kb1 Rh1#;\n"), "{out}{errors}");
    assert_eq!(code, Some(0));
    let (code, _, errors) = run("echo bestmove e2e4", &records);
    assert!(code == Some(1) && errors.contains("did not report a line with a score"), "{errors}");
}

/// Runs a program and sends it SIGINT `count` times, 1.5 seconds apart. Returns its exit code and
/// standard output.
#[cfg(unix)]
fn interrupted(mut program: Command, count: usize) -> (Option<i32>, String) {
    let program = program.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = program.spawn().expect("adoube runs");
    for _ in 0..count {
        std::thread::sleep(Duration::from_millis(1500));
        let id = child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill").success());
    }
    let output = child.wait_with_output().expect("it ends");
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(unix)]
#[test]
fn interrupted_analysis_writes_its_results() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let mut program = adoube();
    program.args(["analyse", "--nodes", "1000000000000", "--fen", start, "--multipv", "2"]);
    let (code, text) = interrupted(program, 1);
    assert_eq!((code, text.matches(" cp ").count()), (Some(130), 2), "{text}");

    // The first game is a checkmate position, so nothing is searched. The search for the second
    // game never ends.
    let dir = tempfile::tempdir().expect("a temporary directory");
    let games = "[FEN \"7k/5KQ1/8/8/8/8/8/8 b - - 0 1\"]\n\n*\n\n1. e4 *\n\n1. d4 *\n";
    let games = write(dir.path(), "games.pgn", games);
    let puzzles = dir.path().join("puzzles.epd");
    let mut program = adoube();
    program.args(["analyse", "--nodes", "1000000000000", "--puzzles"]).arg(&puzzles).arg(&games);
    let (code, text) = interrupted(program, 2);
    assert_eq!((code, text.matches("[Event ").count()), (Some(130), 1), "{text}");
    assert_eq!(fs::read_dir(dir.path()).expect("a folder").count(), 2, "no temporary file is left");
}

#[test]
fn never_overwrites_games() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let games = chess(dir.path());
    let before = fs::read(&games).expect("written");
    let other = write(dir.path(), "other.pgn", "1. e4 *\n");
    for (output, error) in [(&games, "is an input"), (&other, "exists and is not a")] {
        for arguments in [["book", "--polyglot"], ["analyse", "--puzzles"]] {
            let message = fail(adoube().args(arguments).arg(output).arg(&games));
            assert!(message.contains(error), "{message}");
        }
    }
    assert_eq!(fs::read(&games).expect("unchanged"), before);
}

#[test]
fn suite_solves_the_puzzles() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    for (games, solution) in [(chess(dir.path()), "bm Bxf7+;"), (draughts(dir.path()), "bm 27-21;")]
    {
        let puzzles = dir.path().join("puzzles.epd");
        let file = puzzles.to_str().expect("UTF-8");
        analysed_with("100000", &games, &["--puzzles", file]);
        let text = fs::read_to_string(&puzzles).expect("puzzles");
        assert!(text.contains(solution), "{text}");
        let checked = adoube().args(["suite", "--nodes", "500000"]).arg(&puzzles).output();
        succeed(&checked.expect("adoube runs"));
    }
}

#[test]
fn resumes_an_analysis_from_its_journal() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let games = chess(dir.path());
    let journal = dir.path().join("journal");
    let kept = ["--journal", journal.to_str().expect("UTF-8")];
    let whole = analysed(&games, &kept);
    let lines = fs::read_to_string(&journal).expect("a journal");
    assert_eq!(lines.lines().count(), 1 + 2);
    // Truncate the journal in the middle of a line, as after a kill.
    fs::write(&journal, &lines[..lines.len() / 2]).expect("written");
    assert_eq!(analysed(&games, &kept), whole);
    assert_eq!(fs::read_to_string(&journal).expect("a journal").lines().count(), 1 + 2);
    let error = fail(adoube().args(["analyse", "--depth", "3"]).args(kept).arg(&games));
    assert!(error.contains("journal") && error.contains("20000 nodes"), "{error}");
}

#[test]
fn escapes_names_on_the_page() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let games = chess(dir.path());
    let path = write(dir.path(), "page.html", &analysed(&games, &["--to", "html", "--game", "1"]));
    let text = page(&path);
    assert_eq!(text.matches("<script").count(), 2, "a name has become HTML");
    assert!(
        !text.contains("<img") && text.contains("&lt;img src=x onerror=alert(1)&gt;&amp;&#39;")
    );
}

#[test]
#[ignore = "needs Chromium"]
fn an_analysed_game_of_chess_in_a_browser() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let games = chess(dir.path());
    let path = write(dir.path(), "page.html", &analysed(&games, &["--to", "html"]));
    // Show the position before Black's fifth move, which loses.
    let dom = rendered(&path, "1.9");
    assert!(!dom.contains("<img"));
    let board = between(&dom, "class=\"board\"", "</svg>");
    assert!(board.contains("data-ply=\"9\""), "{board}");
    assert_eq!(board.matches("class=\"piece ").count(), 31);
    assert_eq!(board.matches("class=\"arrow bad\"").count(), 1, "{board}");
    assert_eq!(board.matches("class=\"arrow best\"").count(), 1, "{board}");
    let graph = between(&dom, "class=\"graph points\"", "</svg>");
    assert!(graph.contains("class=\"share\"") && graph.contains("class=\"dot blunder\""));
    // The clocks in the record give the time used for two of White's moves and one of Black's.
    let times = between(&dom, "class=\"graph times\"", "</svg>");
    assert_eq!(
        (times.matches("class=\"first\"").count(), times.matches("class=\"second\"").count()),
        (2, 1),
        "{times}"
    );
    let turning = unescaped(between(&dom, "class=\"turning\"", "</ul>"));
    assert!(turning.contains("5… Bxd1<span class=\"sign blunder\">??"), "{turning}");
    let list = between(&dom, "class=\"list\"", "</table>");
    assert_eq!(list.matches("data-number=").count(), 2);
    assert_eq!(list.matches("class=\"spark points\"").count(), 2);
    assert!(dom.contains("White's score is "), "the position is described");
    // The address may name a game without a ply.
    assert!(rendered(&path, "2").contains("Game 2"));
    assert!(rendered(&path, "1.7").contains("calm"), "comments of the record are shown");
    assert!(rendered(&path, "1.1").contains("(1. d4± d5)"), "variations of the record are shown");
}

#[test]
#[ignore = "needs Chromium"]
fn an_analysed_game_of_draughts_in_a_browser() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let games = draughts(dir.path());
    // This many nodes are enough to find the shot with any evaluation.
    let path = write(dir.path(), "page.html", &analysed_with("200000", &games, &["--to", "html"]));
    let dom = rendered(&path, "1.0");
    let board = between(&dom, "class=\"board\"", "</svg>");
    assert_eq!(board.matches("class=\"dark\"").count(), 50);
    assert_eq!(board.matches("class=\"arrow ").count(), 2, "{board}");
    assert!(dom.contains("27-21") && dom.contains("44-39"));
    assert!(!dom.contains("class=\"list\""), "one game needs no list");
}
