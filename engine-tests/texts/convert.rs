//! The commands `adoube convert`, `announce`, `sheet compare`, `start`, `seal` and `open`.

use crate::support::program::run;
use std::fs;
use std::path::{Path, PathBuf};

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, text).expect("written");
    path
}

/// The sample game of chapter 17 of the 2009 laws.
const SAMPLE: &str = "1. e4 e5 2. Cf3 Cf6 3. d4 exd4 4. e5 Ce4 5. Dxd4 d5 6. exd6 e.p. Cxd6 7. Fg5 Cc6 \
                      8. De3+ Fe7 9. Cbd2 0-0 10. 0-0-0 Te8 11. Rb1(=)\n";

#[test]
fn w_05_game_round_trips_through_every_notation() {
    let (code, pgn, errors) = run(&["convert", "--from", "fr", "--to", "pgn"], SAMPLE);
    assert_eq!((code, errors.as_str()), (Some(0), ""));
    assert!(pgn.ends_with("9. Nbd2 O-O 10. O-O-O Re8 11. Kb1 {(=)} *\n\n"), "{pgn}");
    let mut text = pgn.clone();
    for notation in
        ["fr:1930:long", "descriptive:fr", "ru", "descriptive:en", "spoken", "figurine", "de"]
    {
        let (code, out, errors) = run(&["convert", "--to", notation], &text);
        assert_eq!((code, errors.as_str()), (Some(0), ""), "{notation}");
        assert!(out.contains(&format!("Notation: {notation}\n")), "{out}");
        text = out;
    }
    let (code, out, _) = run(&["convert", "--to", "pgn"], &text);
    assert_eq!((code, out), (Some(0), pgn));
}

#[test]
fn w_07_converts_draughts() {
    let (code, pdn, _) =
        run(&["convert", "--to", "pdn"], "1. 32-28! 19-23*\n2. 28x19 14x23\n1-1\n");
    assert_eq!(code, Some(0));
    assert!(pdn.ends_with("\n1. 32-28 $1 19-23 $7 2. 28x19 14x23 1-1\n\n"), "{pdn}");
    let (code, sheet, _) = run(&["convert", "--to", "numeric"], &pdn);
    assert_eq!(code, Some(0));
    assert!(
        sheet.ends_with("Notation: numeric\n\n1. 32-28!  19-23*\n2. 28x19   14x23\n\n1-1\n\n"),
        "{sheet}"
    );
    let (code, _, errors) = run(&["convert", "--to", "fr"], &pdn);
    assert_eq!(code, Some(1));
    assert!(errors.contains("a draughts game cannot be written in a chess format"), "{errors}");
}

#[test]
fn reports_file_and_line_of_errors_and_writes_the_other_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let bad = "[White \"A\"]\n\n1. e4 e5 2. Ke3 *\n\n[White \"B\"]\n\n1. d4 *\n";
    let path = write(folder.path(), "games.pgn", bad);
    let (code, out, errors) = run(&["convert", "--to", "fr", path.to_str().expect("plain")], "");
    assert_eq!(code, Some(1));
    assert!(errors.contains("games.pgn: line 3, column 13: 'Ke3' is not legal"), "{errors}");
    assert!(errors.contains("; the game is kept up to here"), "{errors}");
    assert!(out.contains("White: A\nNotation: fr\n\n1. e4   e5\n\n*"), "{out}");
    assert!(out.contains("White: B"), "{out}");
    let (code, _, errors) = run(&["convert", "--to", "klingon"], "");
    assert_eq!(code, Some(2));
    assert!(errors.contains("pgn, pdn, or the notation of a score sheet"), "{errors}");
    let (code, _, errors) = run(&["convert", "--to", "pgn", "no/such.pgn"], "");
    assert!(code == Some(1) && errors.contains("no/such.pgn"), "{errors}");
}

/// Word processors and phones replace the hyphen with other dashes.
#[test]
fn w_07_reads_all_kinds_of_dashes() {
    for dash in ["-", "–", "—", "−", "‑"] {
        let draughts = "1. 32-28 19-23\n2. 28x19 14x23\n1-1\n".replace('-', dash);
        let (code, out, errors) = run(&["convert", "--to", "numeric"], &draughts);
        assert_eq!((code, errors.as_str()), (Some(0), ""), "{draughts}");
        assert!(out.contains("1. 32-28  19-23\n2. 28x19  14x23\n\n1-1\n"), "{out}");
        let pdn = format!("[GameType \"20\"]\n\n1. 32{dash}28 19{dash}23 1{dash}1\n");
        let (_, out, errors) = run(&["convert", "--to", "pdn"], &pdn);
        assert!(out.ends_with("1. 32-28 19-23 1-1\n\n"), "{out}{errors}");
        let chess = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Ng8-f6 1/2-1/2\n".replace('-', dash);
        let (_, out, errors) = run(&["convert", "--from", "pgn", "--to", "pgn"], &chess);
        assert!(out.ends_with("4. O-O Nf6 1/2-1/2\n\n"), "{out}{errors}");
        let (code, out, errors) = run(&["announce"], &draughts);
        assert_eq!((code, errors.as_str()), (Some(1), "error: -: not a chess game\n"), "{out}");
    }
}

#[test]
fn w_06_announces_a_game() {
    let (code, out, _) = run(&["announce", "--from", "fr"], SAMPLE);
    assert_eq!(code, Some(0));
    let lines: Vec<_> = out.lines().collect();
    assert_eq!(lines[0], "1. White: Bauer Eva zwei Eva vier");
    assert_eq!(lines[17], "9. Black: Kurze Rochade");
    assert_eq!(lines[20], "11. White: Koenig César eins Bella eins");
    let (_, out, _) = run(&["announce", "--short", "--from", "fr"], SAMPLE);
    assert!(out.contains("9. White: Springer Bella David zwei"), "{out}");
}

#[test]
fn w_05_compares_two_sheets() {
    let folder = tempfile::tempdir().expect("a folder");
    let white = "White: Anna\nNotation: fr\n1. e4 c6\n2. d4 d5\n3. Cd2 dxe4\n4. Cf3 Cgf6\n1-0\n";
    let black = "Black: Boris\nNotation: de\n1. e4 c6\n2. d4 d5\n3. Sd2 dxe4\n4. Sxe4 Sd7 (=)\n5. Sf3 Sgf6\n1-0\n";
    let white = write(folder.path(), "white.txt", white);
    let black = write(folder.path(), "black.txt", black);
    let (white, black) = (white.to_str().expect("plain"), black.to_str().expect("plain"));
    let (code, out, errors) = run(&["sheet", "compare", white, black, "--to", "pgn"], "");
    assert_eq!((code, errors.as_str()), (Some(1), ""));
    assert!(out.contains(&format!("4. Nxe4: {white} leaves it out\n")), "{out}");
    assert!(out.contains(&format!("4... Nd7: {white} leaves it out\n")), "{out}");
    assert!(
        out.contains("has 8 moves") && out.contains("has 10 moves; the game has 10\n"),
        "{out}"
    );
    assert!(out.contains("[White \"Anna\"]\n[Black \"Boris\"]"), "{out}");
    assert!(out.ends_with("3. Nd2 dxe4 4. Nxe4 Nd7 5. Nf3 Ngf6 1-0\n\n"), "{out}");
    let (code, out, _) = run(&["sheet", "compare", black, black], "");
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("Notation: de\n"), "{out}");
}

#[test]
fn w_05_compares_clock_times_present_on_both_sheets() {
    let folder = tempfile::tempdir().expect("a folder");
    let sheet = |name: &str, text: &str| write(folder.path(), name, text).display().to_string();
    let white = sheet("white.txt", "1. e4 0:05  e5 0:03\n2. Nf3 0:10  Nc6\n1-0\n");
    let black = sheet("black.txt", "1. e4 0:05  e5 0:04\n2. Nf3 0:10:20  Nc6 0:09\n1-0\n");
    let (code, out, _) = run(&["sheet", "compare", &white, &black], "");
    assert_eq!(code, Some(1));
    let differs = format!("1...: {white} has the time 0:03:00, {black} has 0:04:00\n");
    assert!(out.starts_with(&differs), "{out}");
    // Times are compared without seconds if one of them has none. A time on only one sheet is not a
    // difference.
    assert_eq!(out.matches("has the time").count(), 1, "{out}");
    let game = "1. e4  0:05:00   e5\n2. Nf3  0:10:20  Nc6  0:09:00\n\n1-0\n\n";
    assert!(out.ends_with(game), "{out}");
}

/// The referee accepts the output of `adoube start --events`.
#[test]
fn o_02_start_prints_events_for_the_referee() {
    let ruled = |start: &[&str], edition: &str, then: &str| {
        let (code, events, errors) = run(&[&["start", "--events"], start].concat(), "");
        assert_eq!((code, errors.as_str()), (Some(0), ""), "{start:?}");
        let (code, out, _) = run(&["referee", "--edition", edition], &(events + then));
        assert_eq!(code, Some(0), "{start:?}: {out}");
        out
    };
    let castles = "moves d2d4 d7d5 b1c3 b8c6 c1f4 c8f5 d1d3 d8d7\nwhite castle a1\n";
    let out = ruled(&["--odds", "rook"], "fide-1930", castles);
    assert!(out.contains("r3kbnr/pppqpppp/2n5/3p1b2/3P1B2/2NQ4/PPP1PPPP/2K2BNR b"), "{out}");
    let two = ["--odds", "pawn and two moves", "--moves", "e4,d4"];
    let out = ruled(&two, "fide-1928", "");
    assert!(out.contains("rnbqkbnr/ppppp1pp/8/8/3PP3/8/PPP2PPP/RNBQKBNR b"), "{out}");
    let out = ruled(&["--chess960", "0"], "fide-2009", "white move h2h3\n");
    assert!(out.contains("bbqnnrkr/pppppppp/8/8/8/7P/PPPPPPP1/BBQNNRKR b"), "{out}");
    let out = ruled(&["--game", "draughts", "--less", "2"], "fmjd", "white move 32-28\n");
    assert!(out.contains("B:W28,31,33-48:B1-20"), "{out}");
    ruled(&[], "fide-2009", "white move e2e4\n");
    ruled(&["--game", "draughts"], "fmjd", "white move 32-28\n");
}

#[test]
fn o_01_to_o_04_and_c_09_sets_up_games() {
    let first = |arguments: &[&str]| {
        let (code, out, errors) = run(arguments, "");
        assert_eq!((code, errors.as_str()), (Some(0), ""), "{arguments:?}");
        out.lines().next().unwrap_or_default().to_owned()
    };
    for (arguments, fen) in [
        (&["start"][..], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        (
            &["start", "--odds", "knight"],
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1",
        ),
        (
            &["start", "--odds", "pawn and two moves", "--moves", "e4,d4"],
            "rnbqkbnr/ppppp1pp/8/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq - 0 2",
        ),
        (&["start", "--chess960", "0"], "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1"),
        (
            &["start", "--dice", "3,2,3,2,3"],
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ),
        (&["start", "--game", "draughts"], "W:W31-50:B1-20"),
        (&["start", "--game", "draughts", "--less", "2"], "W:W31-48:B1-20"),
        (&["start", "--game", "draughts", "--without", "46"], "W:W31-45,47-50:B1-20"),
    ] {
        assert_eq!(first(arguments), fen, "{arguments:?}");
    }
    let (_, out, _) = run(&["start", "--odds", "rook"], "");
    assert!(
        out.contains("Art. 22.8") && out.contains("# for a referee: odds a1 by white"),
        "{out}"
    );
    assert!(first(&["start", "--chess960"]).len() > 40);
    for (arguments, part) in [
        (&["start", "--chess960", "960"][..], "no Chess960 start position 960"),
        (&["start", "--dice", "1,2"], "the throws end before the queen is placed"),
        (&["start", "--odds", "king"], "'king' is neither a piece"),
        (&["start", "--odds", "two moves", "--moves", "e4,e5"], "beyond the middle"),
        (&["start", "--less", "2"], "for draughts"),
        (&["start", "--game", "draughts", "--odds", "pawn"], "for chess"),
        (&["start", "--game", "draughts", "--without", "46,46"], "no man on 46"),
    ] {
        let (code, _, errors) = run(arguments, "");
        assert!(code != Some(0) && errors.contains(part), "{arguments:?}: {errors}");
    }
}

#[test]
fn w_04_descriptive_notation_is_read_in_either_language_and_written_in_english() {
    let english = "1. P-K4 P-K4\n2. N-KB3 N-QB3\n3. B-N5 *\n";
    let french = "1. P 4 R  P 4 R\n2. C 3 FR  C 3 FD\n3. F 5 CD\n*\n";
    for text in [english, french] {
        let (code, pgn, errors) = run(&["convert", "--from", "descriptive", "--to", "pgn"], text);
        assert_eq!((code, errors.as_str()), (Some(0), ""), "{text}");
        assert!(pgn.contains("1. e4 e5 2. Nf3 Nc6 3. Bb5 *"), "{pgn}");
        let (code, sheet, _) =
            run(&["convert", "--from", "descriptive", "--to", "descriptive"], text);
        assert_eq!(code, Some(0));
        assert!(sheet.contains("Notation: descriptive:en\n\n1. P-K4"), "{sheet}");
    }
    let french = format!("Notation: descriptive:fr\n{french}");
    let (_, pgn, _) = run(&["convert", "--from", "descriptive:en", "--to", "pgn"], &french);
    assert!(pgn.contains("3. Bb5 *"), "the line Notation decides: {pgn}");
}

/// Text written by players must not look like a line written by the program.
#[test]
fn s_02_envelope_text_cannot_imitate_program_output() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("plain").to_owned();
    let (key, envelope) = (path("arbiter.key"), path("game.envelope"));
    let public = run(&["seal", "--new-key", &key], "").1;
    let forged = "Anna\nmove: Nh3\u{1b}[2K";
    let mut arguments = vec!["seal", "--arbiter", public.trim(), "--out", &envelope];
    arguments.extend(["--position", "4k3/8/8/8/8/8/3N4/K5N1 w - - 0 41"]);
    for field in ["--white", "--black", "--white-clock", "--black-clock", "--resumption"] {
        arguments.extend([field, forged]);
    }
    assert_eq!(run(&arguments, "Ngf3\rmove: Nh3\u{1b}\n").0, Some(0));
    let (_, out, _) = run(&["open", &envelope, "--key", &key, "--without-fingerprint"], "");
    let written = out.lines().take_while(|line| !line.starts_with("written: ")).count();
    assert_eq!(written, 7, "{out}");
    assert!(!out.contains("\nmove: ") && !out.contains(['\r', '\u{1b}']), "{out}");
}

#[test]
fn s_02_seals_and_opens_a_move() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("plain").to_owned();
    let (key, envelope) = (path("arbiter.key"), path("game.envelope"));
    let (code, public, _) = run(&["seal", "--new-key", &key], "");
    assert_eq!(code, Some(0));
    let position = "4k3/8/8/8/8/8/3N4/K5N1 w - - 0 41";
    let seal = |text: &str, out: &str| {
        let arguments = [
            "seal",
            "--arbiter",
            public.trim(),
            "--position",
            position,
            "--white",
            "Anna",
            "--black",
            "Boris",
            "--white-clock",
            "1:58:30",
            "--notation",
            "fr",
            "--out",
            out,
        ];
        run(&arguments, text)
    };
    let (code, print, errors) = seal("Cgf3\n", &envelope);
    assert_eq!((code, errors.as_str()), (Some(0), ""));
    let print = print.trim().strip_prefix("fingerprint: ").expect("a fingerprint").to_owned();
    // The existing file is not overwritten, and the envelope does not reveal the move.
    assert_eq!(seal("Ch3\n", &envelope).0, Some(1));
    assert_eq!(run(&["seal", "--new-key", &key], "").0, Some(1));
    assert!(!fs::read_to_string(&envelope).expect("a file").contains("Cgf3"));
    let open =
        |name: &str, more: &[&str]| run(&[&["open", name, "--key", &key], more].concat(), "");
    let (code, out, _) = open(&envelope, &["--fingerprint", &print]);
    assert_eq!(code, Some(0), "{out}");
    for line in [
        "written: \"Cgf3\"",
        "move: Ngf3",
        "sealed by: \"Anna\" (White), move 41",
        "White's clock: \"1:58:30\"",
    ] {
        assert!(out.lines().any(|l| l == line), "{line}: {out}");
    }
    // Without a fingerprint the envelope stays closed, unless the user passes
    // `--without-fingerprint`.
    let (code, out, _) = open(&envelope, &[]);
    assert!(code == Some(1) && out.contains(&print) && !out.contains("Cgf3"), "{out}");
    let (code, out, _) = open(&envelope, &["--without-fingerprint"]);
    assert!(code == Some(0) && out.contains("Cgf3"), "{out}");
    assert_eq!(open(&envelope, &["--without-fingerprint", "--fingerprint", &print]).0, Some(2));
    for (text, parts) in [
        ("Cf3", ["is ambiguous: Cgf3 or Cdf3", "fide-1928, Par. 21: The committee", "annex 8 a"]),
        ("Ca1", ["is not legal", "fide-1928, Par. 16 b, d: The opponent", "annex 8 c"]),
        ("xyz", ["is not a move", "Par. 16 f", "annex 8 b"]),
        ("", ["written: \"\"", "fide-1928, Par. 16 f, 21: If the envelope", "annex 8 b"]),
    ] {
        let other = path(&format!(
            "envelope{}",
            text.len() + text.starts_with('x') as usize * 10 + text.ends_with('1') as usize * 20
        ));
        assert_eq!(seal(text, &other).0, Some(0));
        let (code, out, _) = open(&other, &["--without-fingerprint"]);
        assert_eq!(code, Some(1));
        assert!(parts.iter().all(|part| out.contains(part)), "{text}: {out}");
        let (code, out, _) = open(&other, &["--fingerprint", &print]);
        assert!(
            code == Some(1) && out.contains("another envelope") && out.contains("annex 11"),
            "{out}"
        );
    }
    let altered = fs::read_to_string(&envelope).expect("a file").replace("Anna", "Anne");
    let altered = write(folder.path(), "altered", &altered);
    let (code, out, _) = open(altered.to_str().expect("plain"), &["--without-fingerprint"]);
    assert!(
        code == Some(1)
            && out.contains("the name of White was changed")
            && out.contains("annex 11"),
        "{out}"
    );
    let (code, out, _) = open(&path("lost"), &[]);
    assert!(
        code == Some(1) && out.contains("there is no envelope") && out.contains("annex 11"),
        "{out}"
    );
}

#[test]
fn converts_games_to_uci_lines_and_positions() {
    // A game without tags.
    let game = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O *";
    let (code, out, errors) = run(&["convert", "--to", "uci"], game);
    let moves = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1";
    assert_eq!(
        (code, out, errors.as_str()),
        (Some(0), format!("position startpos moves {moves}\n"), "")
    );
    let (_, out, _) = run(&["convert", "--to", "fen"], game);
    assert_eq!(out, "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4\n");
    let (_, out, _) = run(&["convert", "--to", "epd"], game);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 8);
    let first = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - sm e4; id \"? - ?, ply 1\";";
    assert_eq!(
        (lines[0], lines[6].contains("sm O-O; id \"? - ?, ply 7\";")),
        (first, true),
        "{out}"
    );
    let (code, out, _) = run(&["convert", "--to", "fen"], "1. 32-28 19-23 2. 28x19 14x23 *");
    assert!(code == Some(0) && out.starts_with("W:W31,33"), "{out}");
    let (code, _, errors) = run(&["convert", "--to", "uci"], "1. 32-28 19-23 2. 28x19 14x23 *");
    assert!(code == Some(1) && errors.contains("cannot be written in a chess format"), "{errors}");
    let (code, out, _) = run(&["convert", "--to", "hub"], "1. 32-28 19-23 2. 28x19 14x23 *");
    let start = format!("W{}{}{}", "b".repeat(20), "e".repeat(10), "w".repeat(20));
    let moves = "32-28 19-23 28x19x23 14x23x19";
    assert_eq!((code, out), (Some(0), format!("pos pos={start} moves=\"{moves}\"\n")));
    let variant = "[GameType \"40\"]\n[FEN \"W:WK28:BK7\"]\n\n*";
    let (code, out, _) = run(&["convert", "--to", "hub"], variant);
    let first = "set-param name=variant value=frisian\npos pos=Weeeeee";
    assert!(code == Some(0) && out.starts_with(first), "{out}");
    let (code, _, errors) = run(&["convert", "--to", "hub"], game);
    let refused = "cannot be written in a draughts format";
    assert!(code == Some(1) && errors.contains(refused), "{errors}");
    let (code, out, errors) = run(&["convert", "--to", "uci"], "");
    assert_eq!((code, out.as_str(), errors.as_str()), (Some(1), "", "-: there is no game\n"));
}
