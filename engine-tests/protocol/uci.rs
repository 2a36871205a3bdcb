//! UCI with the built program: options, positions, limits, moves and scores.

use crate::support::client::{Client, PATIENCE, number_after, pv, word_after};
use crate::support::program::run;
use adoube::chess::Position;
use adoube::eval::net::NetFile;
use std::fs;
use std::time::Instant;

const KIWIPETE: &str = "fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// Returns the lines that contain a principal variation.
fn thoughts(lines: &[String]) -> Vec<&String> {
    lines.iter().filter(|line| line.contains(" pv ")).collect()
}

#[test]
fn handshake_lists_engine_and_options() {
    let mut client = Client::start();
    client.send("uci");
    let lines = client.until("uciok");
    assert!(lines[0].starts_with("id name Adoube "), "{lines:?}");
    assert!(lines[1].starts_with("id author "), "{lines:?}");
    for name in [
        "Hash type spin",
        "Clear Hash type button",
        "Threads type spin",
        "Ponder type check",
        "MultiPV type spin",
        "UCI_Chess960 type check",
        "UCI_AnalyseMode type check",
        "UCI_ShowWDL type check",
        "UCI_LimitStrength type check",
        "UCI_Elo type spin",
        "UCI_EngineAbout type string",
        "Move Overhead type spin",
        "SyzygyPath type string",
        "SyzygyProbeDepth type spin",
        "SyzygyProbeLimit type spin",
        "Syzygy50MoveRule type check",
        "SyzygyVerify type check",
        "OwnBook type check",
        "BookFile type string",
        "BookDepth type spin",
        "EvalFile type string",
        "Debug Log File type string",
    ] {
        let option = format!("option name {name}");
        assert_eq!(lines.iter().filter(|line| line.starts_with(&option)).count(), 1, "{name}");
    }
    let options = lines.iter().filter(|line| line.starts_with("option")).count();
    assert_eq!(options, 22);
    assert_eq!(lines.len(), options + 3);
}

#[test]
fn options_accept_their_bounds_and_reject_values_beyond() {
    let mut client = Client::start();
    client.send("uci");
    for line in client.until("uciok").iter().filter(|line| line.starts_with("option")) {
        let (name, rest) =
            line["option name ".len()..].split_once(" type ").expect("name and type");
        match word_after(line, "type").as_str() {
            // The maximum hash size and thread count depend on the machine.
            "spin" => {
                let (min, max) = (number_after(rest, "min"), number_after(rest, "max"));
                client.silent(&format!("setoption name {name} value {min}"));
                if !matches!(name, "Hash" | "Threads") {
                    client.silent(&format!("setoption name {name} value {max}"));
                }
                for bad in [(min - 1).to_string(), (max + 1).to_string(), "many".into()] {
                    let words = client.refusal(&format!("setoption name {name} value {bad}"));
                    assert!(words.contains(&format!("from {min} to {max}")), "{words}");
                }
            }
            "check" => {
                client.silent(&format!("setoption name {} value TRUE", name.to_uppercase()));
                client.silent(&format!("setoption name {name} value false"));
                client.refusal(&format!("setoption name {name} value perhaps"));
                client.refusal(&format!("setoption name {name}"));
            }
            "button" => client.silent(&format!("setoption name {name}")),
            _ => client.silent(&format!("setoption name {name} value")),
        }
    }
    client.refusal("setoption name Nonsense value 1");
    client.refusal("setoption Hash 3");
}

#[test]
fn hash_and_threads_change_between_searches() {
    let mut client = Client::start();
    for (hash, threads) in [(64, 2), (1, 1), (33, 3)] {
        client.silent(&format!("setoption name Hash value {hash}"));
        client.silent(&format!("setoption name Threads value {threads}"));
        client.search(KIWIPETE, "go depth 6");
    }
    client.silent("setoption name Clear Hash");
    client.silent("ucinewgame");
    client.search(KIWIPETE, "go depth 6");
}

#[test]
fn rejects_invalid_positions_without_a_change() {
    let mut client = Client::start();
    client.silent("position startpos moves e2e4 e7e5 g1f3");
    let fen = client.fen();
    assert_eq!(fen, "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
    for bad in [
        "position",
        "position here",
        "position startpos e2e4",
        "position startpos moves e2e4 e7e5 e4e5",
        "position startpos moves e2e4 xyz",
        "position startpos moves e2e4 e7e5 \u{e9}\u{e9}\u{e9}",
        "position startpos moves e7e5",
        "position fen",
        "position fen moves e2e4",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1",
        "position fen rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e3 0 1",
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e5",
        "position fen P3k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "position fen 4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
        "position fen 4k3/8/8/8/8/8/8/4K3 w",
        "position fen 4k3/8/8/8/8/8/8/4K3 w - - x 1",
        "position fen 4k3/8/8/8/8/8/8/4K3 w KXkq - 0 1",
    ] {
        let words = client.refusal(bad);
        assert!(words.len() > 10, "{bad}: {words}");
        assert_eq!(client.fen(), fen, "after {bad}");
    }
    client.silent("position fen 4k3/8/8/8/8/8/8/4K3 w - -");
    assert_eq!(client.fen(), "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
}

#[test]
fn reads_positions_with_impossible_counters() {
    let mut client = Client::start();
    let mate = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - -";
    for (counters, read) in
        [("0 0", "0 1"), ("-1 -1", "0 1"), ("- -", "0 1"), ("3 70000", "3 65535"), ("", "0 1")]
    {
        client.silent(&format!("position fen {mate} {counters}"));
        assert_eq!(client.fen(), format!("{mate} {read}"));
    }
    assert_eq!(client.best(&format!("fen {mate} 0 0"), "go depth 5"), "d1d8");
    client.silent("position fen 4k3/8/8/3pP3/8/8/8/4K3 w - d6 1 20 moves e5d6");
    assert_eq!(client.fen(), "4k3/8/3P4/8/8/8/8/4K3 b - - 0 20");
}

#[test]
fn go_after_a_refused_position_finds_no_move() {
    let mut client = Client::start();
    let too_long = format!("position startpos moves{}", " g1f3 g8f6 f3g1 f6g8".repeat(60_000));
    for bad in [
        "position",
        "position startpos e2e4",
        "position startpos moves e2e4 e2e4",
        "position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w",
        "position fen 4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
        "joho position fen",
        &too_long,
    ] {
        client.silent("position startpos moves e2e4");
        client.refusal(bad);
        for go in ["go depth 3", "go movetime 10", "go depth 2 searchmoves e7e5"] {
            client.send(go);
            let lines = client.until("bestmove");
            assert_eq!(lines.len(), 2, "{bad:.40}: {lines:?}");
            assert!(lines[0].contains("the last 'position' command was refused"), "{lines:?}");
            assert_eq!(lines[1], "bestmove (none)");
        }
        for other in ["go perft 2", "eval", "flip"] {
            assert!(client.refusal(other).contains("refused"), "{other}");
        }
    }
    client.send("go infinite");
    client.until("bestmove (none)");
    client.silent("ucinewgame");
    client.send("go depth 1");
    client.until("bestmove (none)");
    assert_ne!(client.best("startpos moves e2e4", "go depth 3"), "(none)");
    // The running search is answered before the refused `go`.
    client.send("go infinite");
    client.send("position fen");
    client.send("go depth 1");
    assert_ne!(client.until("bestmove").pop().expect("a line"), "bestmove (none)");
    client.until("bestmove (none)");
}

#[test]
fn every_go_is_answered() {
    let mut client = Client::start();
    for (go, depth) in [
        ("go depth", None),
        ("go depth x", None),
        ("go depth -3", Some(1)),
        ("go depth 99999999999 nodes 1e4", None),
        ("go movetime", None),
        ("go movetime soon depth 2", Some(2)),
        ("go wtime 1000.5 btime 1000.5", None),
        ("go wtime 1e3 btime 1e3", None),
        ("go wtime soon btime soon", None),
        ("go btime 1000", None),
        ("go mate -2 depth 2", Some(2)),
        ("go searchmoves", None),
        ("go searchmoves e2e5", None),
        ("go depth 3 searchmoves e2e5", Some(3)),
        ("go depth 2 searchmoves z9z9 a2a3", Some(2)),
    ] {
        let lines = client.search("startpos", go);
        let [.., info, best] = &lines[..] else { panic!("{go}: {lines:?}") };
        assert!(info.starts_with("info depth") && best.starts_with("bestmove "), "{go}: {lines:?}");
        assert!(!best.contains("none"), "{go}: {lines:?}");
        let deepest = thoughts(&lines).iter().map(|line| number_after(line, "depth")).max();
        assert!(depth.is_none() || deepest == depth, "{go}: {lines:?}");
        assert_eq!(best.starts_with("bestmove a2a3"), go.contains("a2a3"), "{go}: {lines:?}");
    }
    let lines = client.search("startpos", "go depth 1 searchmoves e2e5 wtime soon");
    assert!(lines[0].ends_with("'soon' after 'wtime': expected a number"), "{lines:?}");
    assert!(lines[1].contains("'e2e5' is not legal in "), "{lines:?}");
    let start = Instant::now();
    client.search("startpos", "go wtime 1e3 btime 1e3");
    assert!(start.elapsed() < PATIENCE / 4);
    for bad in ["go perft", "go perft x"] {
        client.refusal(bad);
    }
    assert!(client.is_quiet());
    // Unknown words are skipped, as the protocol demands.
    client.send("go joho depth 2");
    let lines = client.until("bestmove");
    assert!(lines[0].starts_with("info string ignored unknown word 'joho'"), "{lines:?}");
}

#[test]
fn info_lines_are_complete_and_their_variations_legal() {
    let mut client = Client::start();
    client.silent("setoption name UCI_ShowWDL value true");
    let lines = client.search(KIWIPETE, "go depth 9");
    let shown = thoughts(&lines);
    assert!(shown.len() >= 9);
    for line in &shown {
        for field in ["depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "tbhits", "time"]
        {
            assert!(number_after(line, field) >= 0, "{line}");
        }
        let wdl: Vec<i64> = line
            .split(' ')
            .skip_while(|w| *w != "wdl")
            .skip(1)
            .take(3)
            .map(|n| n.parse().expect("a number"))
            .collect();
        assert_eq!((wdl.len(), wdl.iter().sum()), (3, 1000), "{line}");
        let mut position: Position = KIWIPETE[4..].parse().expect("legal");
        for text in pv(line) {
            let m = position.parse_uci(text).unwrap_or_else(|error| panic!("{line}: {error}"));
            position = position.play(m);
        }
    }
    let last = shown.last().expect("a line");
    let best = lines.last().expect("bestmove");
    assert_eq!(word_after(best, "bestmove"), pv(last)[0]);
    assert_eq!(word_after(best, "ponder"), pv(last)[1]);
    assert_eq!(number_after(last, "depth"), 9);
}

#[test]
fn multipv_reports_distinct_lines_best_first() {
    let mut client = Client::start();
    client.silent("setoption name MultiPV value 4");
    let lines = client.search(KIWIPETE, "go depth 6");
    let last: Vec<&String> = thoughts(&lines).into_iter().rev().take(4).rev().collect();
    for (rank, line) in (1..).zip(&last) {
        assert_eq!(number_after(line, "multipv"), rank, "{last:?}");
        assert_eq!(number_after(line, "depth"), 6);
    }
    let mut firsts: Vec<&str> = last.iter().map(|line| pv(line)[0]).collect();
    firsts.sort_unstable();
    firsts.dedup();
    assert_eq!(firsts.len(), 4);
    let scores: Vec<i64> = last.iter().map(|line| number_after(line, "cp")).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    // If there are fewer legal moves than requested lines, there is one line per move.
    client.silent("setoption name MultiPV value 256");
    let lines = client.search("fen 7k/8/8/8/8/8/8/K7 w - - 0 1", "go depth 3");
    assert_eq!(thoughts(&lines).iter().map(|l| number_after(l, "multipv")).max(), Some(3));
}

#[test]
fn searchmoves_restricts_the_search() {
    let mut client = Client::start();
    for only in ["a2a3", "g1h3"] {
        assert_eq!(client.best("startpos", &format!("go searchmoves {only} depth 5")), only);
    }
    let best = client.best("startpos", "go depth 4 searchmoves a2a3 h2h3");
    assert!(["a2a3", "h2h3"].contains(&best.as_str()), "{best}");
}

#[test]
fn respects_limits() {
    let mut client = Client::start();
    for depth in [1, 3, 7] {
        let lines = client.search(KIWIPETE, &format!("go depth {depth}"));
        let deepest = thoughts(&lines).iter().map(|line| number_after(line, "depth")).max();
        assert_eq!(deepest, Some(depth));
    }
    for nodes in [1, 100, 5000, 50_000] {
        client.silent("ucinewgame");
        let lines = client.search(KIWIPETE, &format!("go nodes {nodes}"));
        for line in thoughts(&lines) {
            assert!(number_after(line, "nodes") <= nodes, "{nodes}: {line}");
        }
        if nodes >= 5000 {
            let last = thoughts(&lines).into_iter().last().expect("a line");
            assert_eq!(number_after(last, "nodes"), nodes, "one thread is exact: {last}");
        }
    }
    // A limit of 0 counts as a limit of 1.
    client.search(KIWIPETE, "go depth 0");
    client.search(KIWIPETE, "go nodes 0");
}

#[test]
fn reports_mates_in_moves() {
    let mut client = Client::start();
    // Two rooks against a king; the positions were made for this test.
    for (fen, mate) in
        [("7k/1R6/8/8/8/8/8/R5K1 w - - 0 1", 1), ("7k/8/8/8/8/8/1R6/R5K1 w - - 0 1", 2)]
    {
        let position = format!("fen {fen}");
        let lines = client.search(&position, &format!("go mate {mate}"));
        let last = thoughts(&lines).into_iter().last().expect("a line");
        assert_eq!(number_after(last, "mate"), mate, "{last}");
        assert_eq!(pv(last).len() as i64, 2 * mate - 1, "{last}");
    }
    let lines = client.search("fen 7k/8/5K2/6R1/8/8/8/8 b - - 0 1", "go depth 12");
    let last = thoughts(&lines).into_iter().last().expect("a line");
    assert!(number_after(last, "mate") < 0, "{last}");
}

#[test]
fn without_a_legal_move_there_is_no_best_move() {
    let mut client = Client::start();
    let mated = client.search("startpos moves f2f3 e7e5 g2g4 d8h4", "go depth 5");
    assert_eq!(mated, ["info depth 0 score mate 0", "bestmove (none)"]);
    let stalemate = client.search("fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "go wtime 1000 btime 1000");
    assert_eq!(stalemate, ["info depth 0 score cp 0", "bestmove (none)"]);
    // Infinite analysis waits for `stop` even without a legal move.
    client.send("go infinite");
    assert!(client.is_quiet());
    client.send("stop");
    client.until("bestmove (none)");
}

#[test]
fn accepts_both_castling_notations_and_writes_the_selected_one() {
    let mut client = Client::start();
    let castled = "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1";
    for text in ["e1g1", "e1h1"] {
        client.silent(&format!("position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves {text}"));
        assert_eq!(client.fen(), castled);
    }
    let castle = "fen 5k2/8/8/8/8/8/8/4K2R w K - 0 1";
    assert_eq!(client.best(castle, "go depth 2 searchmoves e1h1"), "e1g1");
    client.silent("setoption name UCI_Chess960 value true");
    assert_eq!(client.best(castle, "go depth 2 searchmoves e1g1"), "e1h1");
    // With the king on f1 and the rook on g1, f1g1 can only be castling, written as the king
    // capturing its rook.
    let near = "fen 4k3/8/8/8/8/8/8/5KR1 w G - 0 1";
    assert_eq!(client.best(near, "go depth 2 searchmoves f1g1"), "f1g1");
    client.silent("position fen 4k3/8/8/8/8/8/8/5KR1 w G - 0 1 moves f1g1");
    assert_eq!(client.fen(), "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
    let lines = client.search(
        "fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        "go depth 6",
    );
    assert!(!thoughts(&lines).is_empty());
}

/// In standard chess, GUIs do not accept castling written as the king capturing its rook.
#[test]
fn standard_chess_has_no_chess960_castling() {
    let mut client = Client::start();
    for (fen, castling, rooks) in [
        ("4k3/8/8/8/8/8/8/4KR2 w K - 0 1", "-", "f1"),
        ("r2k3r/8/8/8/8/8/8/4K3 b kq - 0 1", "-", "a8 and h8"),
        ("1r2k2r/8/8/8/8/8/8/4K3 b hb - 0 1", "k", "b8"),
        ("4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", "-", "a1 and h1 and a8 and h8"),
    ] {
        let words = client.refusal(&format!("position fen {fen}"));
        assert!(
            words.starts_with(&format!("castling right for a rook on {rooks} ignored: ")),
            "{words}"
        );
        assert_eq!(client.fen().split(' ').nth(2), Some(castling));
        client.send("go perft 1");
        let counts = client.until("Nodes");
        let moves: Vec<&str> = counts.iter().filter_map(|line| line.split(':').next()).collect();
        for text in ["e1f1", "d8a8", "d8h8", "e8b8"] {
            let rook = fen.contains(if text == "e1f1" { "KR" } else { "r" });
            assert!(!rook || !moves.contains(&text), "{fen}: {moves:?}");
        }
    }
    // Castling rights for a king and rook on their usual squares are accepted in any notation.
    client.silent("position fen r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1 moves e1h1 e8c8");
    assert_eq!(client.fen(), "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2");
    // Castling rights for other squares are valid only while `UCI_Chess960` is switched on.
    client.silent("setoption name UCI_Chess960 value true");
    let unusual = "fen 4k3/8/8/8/8/8/8/4KR2 w K - 0 1";
    assert_eq!(client.best(unusual, "go depth 2 searchmoves e1f1"), "e1f1");
    let words = client.refusal("setoption name UCI_Chess960 value false");
    assert!(words.starts_with("castling right for a rook on f1 ignored: "), "{words}");
    assert_eq!(client.fen(), "4k3/8/8/8/8/8/8/4KR2 w - - 0 1");
}

#[test]
fn null_move_passes_the_turn() {
    let mut client = Client::start();
    client.silent("position startpos moves e2e4 0000");
    let fen = client.fen();
    assert!(fen.starts_with("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - "), "{fen}");
    client.refusal("position fen 4k3/8/8/8/8/8/4r3/4K3 w - - 0 1 moves 0000");
}

#[test]
fn repetition_includes_the_moves_of_the_game() {
    let mut client = Client::start();
    // White is a rook down. After the moves of the game, b1b8 repeats a position for the third
    // time, so the score must be 0. Without these moves, White is losing.
    let position = "fen 6k1/5ppp/7r/8/8/q7/5PPP/1Q4K1 w - - 0 1";
    let game = "moves b1b8 a3f8 b8b1 f8a3 b1b8 a3f8 b8b1 f8a3";
    let mut score = |position: &str| {
        client.silent("ucinewgame");
        let lines = client.search(position, "go depth 4 searchmoves b1b8");
        number_after(thoughts(&lines).into_iter().last().expect("a line"), "cp")
    };
    assert!(score(position) < -200);
    assert!(score(&format!("{position} {game}")).abs() <= 2);
}

#[test]
fn an_info_precedes_every_answer() {
    let mut client = Client::start();
    let check = "fen 4k3/8/8/8/8/8/4r3/4K3 w - - 0 1";
    for (option, position, go) in [
        ("MultiPV value 1", "startpos", "go nodes 1"),
        ("MultiPV value 3", KIWIPETE, "go nodes 2"),
        ("Threads value 2", check, "go nodes 1"),
        ("UCI_LimitStrength value true", KIWIPETE, "go nodes 1"),
        ("UCI_LimitStrength value false", check, "go depth 1"),
    ] {
        client.silent(&format!("setoption name {option}"));
        let lines = client.search(position, go);
        let [.., info, best] = &lines[..] else { panic!("{lines:?}") };
        assert!(info.contains(" score ") && info.contains(" nodes "), "{lines:?}");
        let first = word_after(best, "bestmove");
        assert!(thoughts(&lines).iter().any(|line| pv(line)[0] == first), "{lines:?}");
    }
}

/// The en passant square is part of the book's key even if the capturing pawn is pinned.
#[test]
fn finds_book_moves_after_a_double_step_next_to_a_pinned_pawn() {
    let folder = tempfile::tempdir().expect("a folder");
    let book = folder.path().join("book.bin");
    // An entry with the move e1d1 and the key computed by python-chess.
    let entry: [u8; 16] =
        [0x7d, 0xdd, 0x0e, 0xef, 0xbf, 0xc8, 0x43, 0x5a, 0x01, 0x03, 0, 1, 0, 0, 0, 0];
    fs::write(&book, entry).expect("written");
    let mut client = Client::start();
    client.silent(&format!("setoption name BookFile value {}", book.display()));
    client.silent("setoption name OwnBook value true");
    for position in [
        "fen 4r1k1/3p4/8/4P3/8/8/8/4K3 b - - 0 1 moves d7d5",
        "fen 4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 2",
    ] {
        let lines = client.search(position, "go depth 3");
        assert_eq!(lines[0], "info string move of the opening book", "{lines:?}");
        assert_eq!(lines.last().map(String::as_str), Some("bestmove e1d1"));
    }
    let other = "fen 4r1k1/8/8/3pP3/8/8/8/4K3 w - - 0 2";
    assert!(client.search(other, "go depth 3").len() > 3, "it searches");
}

#[test]
fn variation_ends_at_the_third_occurrence() {
    let mut client = Client::start();
    let position = "fen 6k1/5ppp/7r/8/8/q7/5PPP/1Q4K1 w - - 0 1";
    let game = "moves b1b8 a3f8 b8b1 f8a3 b1b8 a3f8 b8b1 f8a3";
    // This search stores moves after b1b8 in the transposition table. In the second search, b1b8
    // ends the game by repetition, so the variation must end there.
    let first = client.search(position, "go depth 6 searchmoves b1b8");
    assert!(pv(thoughts(&first).pop().expect("a line")).len() > 1, "{first:?}");
    let last = client.search(&format!("{position} {game}"), "go depth 6 searchmoves b1b8");
    assert!(thoughts(&last).iter().all(|line| pv(line) == ["b1b8"]), "{last:?}");
    assert_eq!(last.last().map(String::as_str), Some("bestmove b1b8"));
}

/// A count finishes even if `quit` or the end of the input follows immediately.
#[test]
fn perft_and_bench_finish_before_exit() {
    for input in ["go perft 4\nquit\n", "go perft 4", "perft 4\nquit\n"] {
        let (code, out, errors) = run(&[], input);
        assert_eq!((code, errors.as_str()), (Some(0), ""));
        assert_eq!(out.lines().last(), Some("Nodes searched: 197281"), "{out}");
    }
    // Later commands wait until the count is finished.
    let input = "go perft 5\nposition startpos moves e2e4\ngo perft 4\nd\nperft 3\ngo depth 3\n\
                 setoption name Hash value 2\nucinewgame\nbench 1 1 1\nposition fen\n";
    for end in ["quit\n", ""] {
        let (_, out, _) = run(&[], &format!("{input}{end}"));
        assert!(!out.contains("stopped"), "{out}");
        let starts = [
            "Nodes searched: 4865609",
            "Nodes searched: 405385",
            "FEN: rnbqkbnr/pppppppp/8/8/4P3",
            "Nodes searched: 13160",
            "bestmove ",
        ];
        let at = starts.map(|start| out.find(start).unwrap_or_else(|| panic!("{start}: {out}")));
        assert!(at.is_sorted() && out.contains(" nps"), "{out}");
    }
    let (_, out, _) = run(&[], "bench 3 1 1\nquit\n");
    assert!(out.contains(" nodes"), "{out}");
}

#[test]
fn limited_strength_reports_lines_best_first() {
    let mut client = Client::start();
    for (name, value) in [("UCI_LimitStrength", "true"), ("UCI_Elo", "900"), ("MultiPV", "4")] {
        client.silent(&format!("setoption name {name} value {value}"));
    }
    for _ in 0..10 {
        client.silent("ucinewgame");
        let lines = client.search("startpos", "go movetime 1000");
        let shown = thoughts(&lines);
        let scores: Vec<i64> = shown.iter().map(|line| number_after(line, "cp")).collect();
        assert!(scores.len() == 4 && scores.is_sorted_by(|a, b| a >= b), "{lines:?}");
        let played = lines.last().and_then(|line| line.split(' ').nth(1)).expect("a move");
        assert!(shown.iter().any(|line| pv(line).first() == Some(&played)), "{lines:?}");
    }
}

#[test]
fn supports_additional_commands() {
    let mut client = Client::start();
    client.silent(&format!("position {KIWIPETE}"));
    client.send("perft 3");
    assert_eq!(client.until("Nodes").last().expect("a total"), "Nodes searched: 97862");
    client.send("go perft 2");
    assert_eq!(client.until("Nodes").len(), 48 + 2);
    client.send("perft 0");
    assert_eq!(client.until("Nodes").last().expect("a total"), "Nodes searched: 1");
    client.send("eval");
    assert!(client.settle().len() > 5);
    client.silent("flip");
    assert_eq!(
        client.fen(),
        "r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b KQkq - 0 1"
    );
    client.send("help");
    assert!(client.settle().iter().any(|line| line.starts_with("perft")));
    client.send("register name Somebody code 1");
    assert_eq!(client.settle(), ["registration checking", "registration ok"]);
    client.silent("register later");
    client.silent("stop");
    client.silent("ponderhit");
    client.send("bench 2 1 1");
    while !client.line().expect("a line").ends_with(" nps") {}
}

#[test]
fn debug_mode_prints_more() {
    let mut client = Client::start();
    client.send("joho debug on");
    client.send("position startpos");
    let lines = client.settle();
    assert_eq!(lines[0], "info string received: position startpos");
    client.send("debug off");
    client.settle();
    client.silent("position startpos");
}

#[test]
fn limited_strength_reports_only_its_move() {
    let mut client = Client::start();
    client.silent("setoption name UCI_LimitStrength value true");
    for elo in [800, 1320, 2000, 2600] {
        client.silent(&format!("setoption name UCI_Elo value {elo}"));
        let lines = client.search(KIWIPETE, "go wtime 60000 btime 60000");
        assert_eq!(lines.len(), 2, "one thought and the move: {lines:?}");
        assert_eq!(pv(&lines[0])[0], word_after(&lines[1], "bestmove"));
    }
}

fn path(name: &str) -> String {
    format!("{}/engine-tests/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn syzygy_tables_score_and_choose() {
    let mut client = Client::start();
    let words = client.refusal(&format!("setoption name SyzygyPath value {}", path("syzygy")));
    assert_eq!(words, "found 5 Syzygy tables with up to 3 pieces, 5 of them with DTZ");
    // The key squares of the pawn are d6, e6 and f6: a king on one of them wins.
    let pawn = "fen 4k3/8/8/4K3/4P3/8/8/8 w - - 0 1";
    let lines = client.search(pawn, "go depth 6");
    for line in thoughts(&lines) {
        let score = number_after(line, "cp").abs();
        assert!(score > 31_000 && number_after(line, "tbhits") > 0, "{line}");
        assert!(["e5d6", "e5e6", "e5f6"].contains(&pv(line)[0]), "{line}");
    }
    // The position has too many pieces for the tables, but captures lead to positions in a table.
    let lines = client.search("fen 4k3/8/8/8/8/8/2r5/K1R5 b - - 0 1", "go depth 5");
    let last = thoughts(&lines).pop().expect("a line").clone();
    assert!(number_after(&last, "cp") > 31_000 && number_after(&last, "tbhits") > 0, "{last}");
    client.silent("setoption name SyzygyProbeLimit value 0");
    let lines = client.search(pawn, "go depth 6");
    assert!(thoughts(&lines).iter().all(|line| number_after(line, "tbhits") == 0), "{lines:?}");
    let words = client.refusal("setoption name SyzygyPath value /no/such/folder");
    assert!(words.starts_with("error: cannot use a Syzygy table: /no/such/folder: "), "{words}");
    client.silent("setoption name SyzygyPath value <empty>");
}

#[test]
fn syzygy_verify_reports_damaged_tables() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["KQvK.rtbw", "KPvK.rtbw", "KPvK.rtbz"] {
        let mut bytes = fs::read(format!("{}/{name}", path("syzygy"))).expect("a table");
        if name == "KQvK.rtbw" {
            let at = bytes.len() - 40;
            bytes[at] ^= 4;
        }
        fs::write(folder.path().join(name), bytes).expect("written");
    }
    let set_path = format!("setoption name SyzygyPath value {}", folder.path().display());
    let found = "info string found 2 Syzygy tables with up to 3 pieces, 1 of them with DTZ";
    let damaged = format!(
        "info string Syzygy table not used: {}: the checksum is wrong: the file is damaged",
        folder.path().join("KQvK.rtbw").display()
    );
    let checked = "info string checked 3 Syzygy files, 1 damaged";
    let hits = |client: &mut Client, fen: &str| {
        let lines = client.search(fen, "go depth 3");
        thoughts(&lines).iter().any(|line| number_after(line, "tbhits") > 0)
    };
    let [queen, pawn] =
        ["fen 8/8/8/8/8/2k5/8/KQ6 w - - 0 1", "fen 4k3/8/8/4K3/4P3/8/8/8 w - - 0 1"];

    let mut client = Client::start();
    client.send(&set_path);
    assert_eq!(client.settle(), [found]);
    assert!(hits(&mut client, queen));
    client.send("setoption name SyzygyVerify value true");
    assert_eq!(client.settle(), [found, &damaged, checked]);
    assert!(!hits(&mut client, queen) && hits(&mut client, pawn));

    let mut client = Client::start();
    client.silent("setoption name SyzygyVerify value true");
    client.send(&set_path);
    assert_eq!(client.settle(), [found, &damaged, checked]);
}

#[test]
fn plays_moves_of_the_opening_book() {
    let folder = tempfile::tempdir().expect("a folder");
    let book = folder.path().join("book.bin").display().to_string();
    let games = "1. a3 h5 2. h4 a6 1-0\n";
    let (code, _, log) = run(&["book", "--polyglot", &book, "--plies", "3"], games);
    assert_eq!(code, Some(0), "{log}");
    assert!(log.contains("2 moves from 1 games"), "{log}");
    let after = "rnbqkbnr/ppppppp1/8/7p/8/P7/1PPPPPPP/RNBQKBNR w KQkq - 0 2";
    for (arguments, shown) in [(&[][..], "a3 2 100.0%\n"), (&[after], "h4 2 100.0%\n")] {
        let (code, out, log) = run(&[&["book", "show", &book], arguments].concat(), "");
        assert_eq!((code, out.as_str()), (Some(0), shown), "{log}");
    }
    let none = "8/8/8/8/8/2k5/8/K7 w - - 0 1";
    let (code, _, log) = run(&["book", "show", &book, none], "");
    assert!(code == Some(1) && log.contains("the book has no move in 8/8/8"), "{log}");
    let pgn = folder.path().join("games.pgn").display().to_string();
    fs::write(&pgn, format!("[Event \"?\"]\n\n{games}")).expect("written");
    let (code, _, log) = run(&["book", "show", &pgn], "");
    let advice = format!("make a book from them with `adoube book --polyglot book.bin {pgn}`");
    assert!(code == Some(1) && log.contains(&advice), "{log}");
    let (code, out, log) = run(&["book", "show", "built-in"], "");
    assert!(
        code == Some(0) && out.lines().count() > 1 && out.contains("34-29 1 33.3%"),
        "{out}{log}"
    );
    let mut client = Client::start();
    client.silent(&format!("setoption name BookFile value {book}"));
    assert!(client.search("startpos", "go depth 3").len() > 1, "it searches");
    client.silent("setoption name OwnBook value true");
    for (position, go, best) in
        [("startpos", "go depth 3", "a2a3"), ("startpos moves a2a3 h7h5", "go nodes 9", "h2h4")]
    {
        let lines = client.search(position, go);
        let [words, info, answer] = &lines[..] else { panic!("{lines:?}") };
        assert_eq!(words, "info string move of the opening book");
        assert!(info.starts_with("info depth 0 ") && info.contains(" score cp "), "{info}");
        assert_eq!((pv(info), answer), (vec![best], &format!("bestmove {best}")));
    }
    assert!(client.search("startpos moves a2a3", "go depth 3").len() > 1, "Black never scored");
    client.silent("setoption name BookDepth value 1");
    assert!(client.search("startpos moves a2a3 h7h5", "go depth 3").len() > 1);
    client.silent("setoption name UCI_AnalyseMode value true");
    assert!(client.search("startpos", "go depth 3").len() > 1);
    let readme = path("../README.md");
    let words = client.refusal(&format!("setoption name BookFile value {readme}"));
    assert!(words.starts_with(&format!("error: {readme}: not a Polyglot book")), "{words}");
    client.silent("setoption name UCI_AnalyseMode value false");
    assert!(client.search("startpos", "go depth 3").len() > 1, "there is no book");
}

#[test]
fn loads_another_network_and_rejects_invalid_files() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let embedded = include_bytes!("../../src/eval/chess/net.bin");
    let option = |name: &str, bytes: &[u8]| {
        let path = dir.path().join(name);
        fs::write(&path, bytes).expect("written");
        format!("setoption name EvalFile value {}", path.display())
    };
    let mut client = Client::start();
    let eval = |client: &mut Client| {
        client.send("eval");
        client.settle()
    };
    let before = eval(&mut client);
    assert!(before.iter().any(|line| line.contains("| -")), "pieces of Black: {before:?}");

    let mut damaged = embedded.to_vec();
    damaged[embedded.len() / 2] ^= 1;
    let draughts = include_bytes!("../../src/eval/draughts/net.bin");
    for (bytes, word) in
        [(&damaged[..], "damaged"), (draughts, "is required"), (b"", "not a network file")]
    {
        client.send(&option("wrong.bin", bytes));
        let lines = client.settle();
        assert!(lines.len() == 1 && lines[0].contains(word), "{lines:?}");
        assert_eq!(eval(&mut client), before);
    }
    client.send("setoption name EvalFile value /no/such/file");
    assert!(client.settle()[0].starts_with("info string error: /no/such/file: "));
    let mut added = NetFile::read(embedded).expect("a network");
    added.header.recipe.added = true;
    let words = client.refusal(&option("added.bin", &added.bytes()));
    assert!(words.contains("trained with --added"), "{words}");

    let mut other = NetFile::read(embedded).expect("a network");
    other.output_biases.iter_mut().for_each(|bias| *bias += 5000);
    client.silent(&option("other.bin", &other.bytes()));
    assert_ne!(eval(&mut client), before);
    client.send("go depth 3");
    client.until("bestmove");
    client.silent("setoption name EvalFile value <empty>");
    assert_eq!(eval(&mut client), before);
}
