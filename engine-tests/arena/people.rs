//! Tournaments of human players: `adoube tournament` and FIDE's report files.

use crate::support::program::run;
use adoube::arena::tournament::trf::{BoardResult, Header, Registration, Report};
use adoube::base::rng::Rng;
use std::path::Path;
use std::{env, fs};

/// Eight players after three rounds, with every kind of unplayed round. Points and tie-breaks agree
/// with FIDE's TieBreakServer.
const REPORT: &str = "\
012 Club evening
042 2026/11/20
XXR 4
XXC white1
001    1 m GM Alder, Anna                       2400 NED     1000001 1990/01/01  2.5    1     5 w 1     3 b 1     2 w =
001    2 m    Birch, Ben                        2300 NED                         2.0    2     6 b 1     4 w =     1 b =
001    3 m    Cedar, Cleo                       2200 FRA                         1.0    5     7 w 1     1 w 0     5 b 0
001    4      Damson, Dirk                      2100                             1.5    4  0000 - U     2 b =     8 w -
001    5      Elder, Eve                        2000                             1.0    6     1 b 0  0000 - Z     3 w 1
001    6      Fir, Frank                        1900                             0.5    7     2 w 0  0000 - H  0000 - Z
001    7      Gorse, Gil                        1800                             1.0    8     3 b 0     8 w 1  0000 - Z
001    8      Hazel, Hans                       1700                             1.0    3  0000 - Z     7 b 0     4 b +
";

fn file(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).expect("written");
    path.to_str().expect("plain").to_owned()
}

fn ok(arguments: &[&str]) -> String {
    let (code, out, errors) = run(arguments, "");
    assert_eq!(code, Some(0), "{arguments:?}: {errors}");
    out
}

/// Makes a tournament of these players, given as CSV, and returns the path of its report.
fn new_tournament(folder: &Path, players: &str, options: &[&str]) -> String {
    let list = file(folder, "players.csv", players);
    let path = folder.join("new.trf").to_str().expect("plain").to_owned();
    ok(&[&["tournament", "new", &path, &list], options].concat());
    path
}

#[test]
fn a_report_survives_a_round_trip() {
    let report: Report = REPORT.parse().expect("a report");
    let written = report.to_string();
    assert_eq!(written.parse::<Report>().expect("a report").to_string(), written);
    for (before, after) in REPORT.lines().zip(written.lines()) {
        // The written ranks follow Adoube's tie-breaks; everything else is unchanged.
        let without_rank = |line: &str| match line.starts_with("001") {
            true => format!("{}{}", &line[..84], line.get(89..).unwrap_or_default()),
            false => line.to_owned(),
        };
        assert_eq!(without_rank(before), without_rank(after));
    }
    let (dos, mac) = (REPORT.replace('\n', "\r\n"), REPORT.replace('\n', "\r"));
    for text in [dos, mac, format!("\u{feff}{REPORT}")] {
        assert_eq!(text.parse::<Report>().expect("a report").to_string(), written);
    }
}

#[test]
fn rejects_faulty_reports_with_their_line() {
    let cases = [
        ("   5 w 1     3 b 1", "   9 w 1     3 b 1", "line 5: round 1: there is no player 9"),
        ("   5 w 1     3 b 1", "   5 b 1     3 b 1", "line 5: round 1: player 1 and opponent 5"),
        ("   1 b 0  0000", "   1 b =  0000", "line 5: round 1: player 1 and opponent 5"),
        ("   5 w 1     3 b 1", "   5 w ?     3 b 1", "line 5: round 1: '?' is not a result"),
        ("   5 w 1     3 b 1", "   5 x 1     3 b 1", "line 5: round 1: 'x' is not a colour"),
        ("   5 w 1     3 b 1", "  5? w 1     3 b 1", "line 5: round 1: '5?' is not the number"),
        ("   5 w 1     3 b 1", "0000 w 1     3 b 1", "line 5: round 1: there is a result, but no"),
        ("   5 w 1     3 b 1", "   5 w H     3 b 1", "line 5: round 1: a bye has no opponent"),
        ("001    8", "001    7", "line 12: player 7 occurs twice"),
        ("001    8", "001    9", "line 12: player 8 is missing"),
        ("001    8", "001    x", "line 12: 'x' is not a player number"),
        ("XXR 4", "XXP 1 77", "line 3: there is no player 77"),
        ("XXR 4", "XXP 3 3", "line 3: '3 3' does not name two or more players"),
        ("XXR 4", "260   1   3    2   77", "line 3: there is no player 77"),
        ("XXR 4", "260   1   3    2", "line 3: '260   1   3    2' does not name a first round"),
        ("XXR 4", "240 H   4   77", "line 3: there is no player 77"),
        ("XXR 4", "240 X   4    3", "line 3: '240 X   4    3' does not name a bye (F, H or Z)"),
        ("XXR 4", "XXR four", "line 3: 'four' is not a number of rounds"),
        ("XXR 4", "XXS W=3 DRAW=1", "line 3: 'DRAW' is not a result: expected W, D, L, WW"),
        ("XXR 4", "XXS WW=1 BW=2", "line 3: points that differ between White and Black"),
        ("XXR 4", "162  W 0.7", "line 3: '0.7' is not a number of points"),
        ("001", "002", "there are no players"),
    ];
    for (from, to, expected) in cases {
        let report = REPORT.replace(from, to).parse::<Report>();
        let error = report.expect_err(to).to_string();
        assert!(error.contains(expected), "{to}: {error}");
    }
}

#[test]
fn standings_follow_the_handbook() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = file(folder.path(), "club.trf", REPORT);
    let breaks = "BH,BH/C1,BH/M1,SB,WIN,WON,BPG,BWG,PS,DE";
    let table = ok(&["tournament", "standings", &path, "--csv", "--tie-breaks", breaks]);
    // The values computed by FIDE's TieBreakServer.
    let expected = "\
rank,no.,name,rating,fed.,points,BH,BH/C1,BH/M1,SB,WIN,WON,BPG,BWG,PS,DE
1,1,\"Alder, Anna\",2400,NED,2.5,4,3,1,3,2,2,1,1,5.5,
2,2,\"Birch, Ben\",2300,NED,2.0,5,4,1.5,3,1,1,2,1,4.5,
3,4,\"Damson, Dirk\",2100,,1.5,4.5,3.5,1.5,2.5,1,0,1,0,4,
4,3,\"Cedar, Cleo\",2200,FRA,1.0,5,4,1.5,1.5,1,1,1,0,3,
5,5,\"Elder, Eve\",2000,,1.0,4.5,3.5,1,1,1,1,1,0,1,
6,8,\"Hazel, Hans\",1700,,1.0,3.5,2.5,1,1,1,0,1,0,1,
7,7,\"Gorse, Gil\",1800,,1.0,3,2,1,1,1,1,1,0,2,
8,6,\"Fir, Frank\",1900,,0.5,3,2.5,0.5,0.25,0,0,0,0,1,
";
    assert_eq!(table, expected);
    // The expected pairing was computed by bbpPairings. It includes the players who missed rounds.
    let round = ok(&["tournament", "pair", &path, "--csv"]);
    let pairs: Vec<String> = round
        .lines()
        .skip(1)
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            format!("{} {}", cells[2], cells[cells.len() - 3])
        })
        .collect();
    assert_eq!(pairs, ["4 1", "2 3", "8 5", "7 6"]);
    let printed = ok(&["tournament", "standings", &path]);
    assert!(printed.contains("Club evening\nStandings after round 3\n"), "{printed}");
    assert!(printed.contains("GM Alder, Anna") && printed.contains("2½"), "{printed}");
    let (code, _, errors) = run(&["tournament", "standings", &path, "--tie-breaks", "XY"], "");
    assert!(code == Some(2) && errors.contains("'XY' is not a tie-break: use BH"), "{errors}");
}

/// The average of 2000, 2200 and 2300 is 2166⅔. A score of 2½ out of 3 is 83%, which corresponds to
/// a rating difference of 273.
#[test]
fn tie_breaks_by_ratings() {
    let folder = tempfile::tempdir().expect("a folder");
    let unrated = REPORT.replace(
        "Elder, Eve                        2000",
        "Elder, Eve                            ",
    );
    let path = file(folder.path(), "club.trf", REPORT);
    let options = ["--csv", "--tie-breaks", "ARO,ARO/C1,TPR"];
    let table = ok(&[&["tournament", "standings", &path][..], &options].concat());
    for row in [
        "1,1,\"Alder, Anna\",2400,NED,2.5,2167,2250,2440\n",
        "\"Damson, Dirk\",2100,,1.5,2300,,2300\n",
        // The forfeit win does not count. A score of 0% corresponds to a rating difference of −800.
        "\"Hazel, Hans\",1700,,1.0,1800,,1000\n",
    ] {
        assert!(table.contains(row), "{row}: {table}");
    }
    // The unrated opponent does not count towards the average. Cut 1 excludes this opponent first,
    // so the average stays the same.
    let path = file(folder.path(), "unrated.trf", &unrated);
    let table = ok(&[&["tournament", "standings", &path][..], &options].concat());
    assert!(table.contains("\"Alder, Anna\",2400,NED,2.5,2250,2250,2443\n"), "{table}");
}

/// Points other than 1, ½ and 0 are read from the codes of FIDE, JaVaFo and bbpPairings.
#[test]
fn reads_other_points_for_results() {
    let folder = tempfile::tempdir().expect("a folder");
    let with = |lines: &str| REPORT.replace("XXR 4\n", &format!("XXR 4\n{lines}\n"));
    let expected = "\
rank,no.,name,rating,fed.,points,BH,SB,WIN,PS
1,1,\"Alder, Anna\",2400,NED,7.0,11,23,2,16
2,2,\"Birch, Ben\",2300,NED,5.0,13,17,1,12
3,4,\"Damson, Dirk\",2100,,4.0,11,14,1,11
4,3,\"Cedar, Cleo\",2200,FRA,3.0,14,12,1,9
5,5,\"Elder, Eve\",2000,,3.0,13,9,1,3
6,8,\"Hazel, Hans\",1700,,3.0,10,9,1,3
7,7,\"Gorse, Gil\",1800,,3.0,9,9,1,6
8,6,\"Fir, Frank\",1900,,1.0,7,1,0,2
";
    for lines in ["162  W 3.0    D 1.0", "XXS W=3 D=1 PAB=3", "BBW  3.0\nBBD  1.0"] {
        let path = file(folder.path(), "club.trf", &with(lines));
        let breaks = ["--csv", "--tie-breaks", "BH,SB,WIN,PS"];
        let table = ok(&[&["tournament", "standings", &path][..], &breaks].concat());
        assert_eq!(table, expected, "{lines}");
        let round = ok(&["tournament", "pair", &path]);
        assert!(round.contains("Round 4 of 4"), "{round}");
        let stored = fs::read_to_string(&path).expect("the report");
        assert!(stored.contains(&format!("\n{lines}\n")), "{stored}");
        assert!(stored.contains("NED     1000001 1990/01/01  7.0    1 "), "{stored}");
    }
}

#[test]
fn new_tournament_has_other_points() {
    let folder = tempfile::tempdir().expect("a folder");
    let path: &str =
        &new_tournament(folder.path(), "A;5\nB;4\nC;3\n", &["--rounds", "3", "--points", "3-1-0"]);
    let stored = fs::read_to_string(path).expect("the report");
    let lines = "162  W 3.0    D 1.0    L 0.0    P 3.0\nXXS W=3 D=1 WL=0 BL=0 PAB=3\n";
    assert!(stored.contains(lines), "{stored}");
    ok(&["tournament", "pair", path]);
    ok(&["tournament", "enter", path, "1:="]);
    let table = ok(&["tournament", "standings", path, "--csv", "--tie-breaks", "DE"]);
    assert!(table.contains("\n1,3,C,3,,3.0,\n2,1,A,5,,1.0,1\n3,2,B,4,,1.0,1\n"), "{table}");
    let (code, _, errors) =
        run(&["tournament", "new", "x.trf", "x.csv", "--rounds", "3", "--points", "3-0.7-0"], "");
    assert!(code == Some(2) && errors.contains("'0.7' is not a number of points"), "{errors}");
}

/// The boards of a round are published with their numbers, so a corrected result does not renumber
/// them.
#[test]
fn boards_keep_their_numbers_after_a_correction() {
    let folder = tempfile::tempdir().expect("a folder");
    let path: &str = &new_tournament(folder.path(), "A;5\nB;4\nC;3\nD;2\n", &["--rounds", "3"]);
    ok(&["tournament", "pair", path]);
    ok(&["tournament", "enter", path, "1:1-0", "2:1-0"]);
    let boards = |csv: &str| -> Vec<String> {
        let rows = csv.lines().skip(1);
        rows.map(|row| row.split(',').skip(1).take(2).collect::<Vec<_>>().join(" ")).collect()
    };
    let before = boards(&ok(&["tournament", "pair", path, "--csv"]));
    // Reversing the results of round 1 would change the order of the boards in round 2.
    let (code, _, errors) =
        run(&["tournament", "enter", path, "--round", "1", "1:0-1", "2:0-1"], "");
    assert!(code == Some(0) && errors.contains("stay as they are"), "{errors}");
    assert_eq!(boards(&ok(&["tournament", "round", path, "--round", "2", "--csv"])), before);
    let stored = fs::read_to_string(path).expect("the report");
    assert!(stored.contains("\n### boards of round 2: "), "{stored}");
    // Once the correction is undone, the order follows from the points again.
    ok(&["tournament", "enter", path, "--round", "1", "1:1-0", "2:1-0"]);
    assert_eq!(boards(&ok(&["tournament", "round", path, "2", "--csv"])), before);
    assert!(!fs::read_to_string(path).expect("the report").contains("###"));
}

#[test]
fn reports_keep_their_line_ends() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = file(folder.path(), "dos.trf", &REPORT.replace('\n', "\r\n"));
    ok(&["tournament", "pair", &path]);
    let stored = fs::read_to_string(&path).expect("the report");
    assert_eq!(stored.matches("\r\n").count(), stored.matches('\n').count(), "{stored:?}");
    assert_eq!(stored.lines().count(), REPORT.lines().count(), "{stored:?}");
}

/// A whole tournament at the terminal, from the list of players to the standings.
#[test]
fn an_organiser_runs_a_tournament() {
    let folder = tempfile::tempdir().expect("a folder");
    let players = "# name;rating;title\nElder, Eve;2000\nAlder, Anna;2400;GM;NED;1000001;1990/01/01;w\n\
                   Birch, Ben;2300\nDamson, Dirk;2100\nCedar, Cleo;2200;wfm;FRA\n";
    let list = file(folder.path(), "players.csv", players);
    let path = folder.path().join("club.trf");
    let path = path.to_str().expect("plain");
    let out = ok(&["tournament", "new", path, &list, "--rounds", "3", "--event", "Club evening"]);
    assert!(out.contains("WFM Cedar, Cleo"), "{out}");
    let (_, _, errors) = run(&["tournament", "new", path, &list, "--rounds", "3"], "");
    assert!(errors.contains("already exists"), "{errors}");
    let (_, _, errors) = run(&["tournament", "round", path], "");
    assert!(errors.contains("no round is paired yet: run adoube tournament pair"), "{errors}");

    let out = ok(&["tournament", "pair", path, "--csv"]);
    assert_eq!(
        out,
        "round,board,white,white name,result,black,black name\n\
         1,1,1,\"Alder, Anna\",,3,\"Cedar, Cleo\"\n\
         1,2,4,\"Damson, Dirk\",,2,\"Birch, Ben\"\n\
         1,,5,\"Elder, Eve\",bye,,\n"
    );
    let (code, _, errors) = run(&["tournament", "pair", path], "");
    assert_eq!(code, Some(1));
    assert!(
        errors.contains(
            "round 1 is not finished: enter the result of board 1 (Alder, Anna - Cedar, Cleo)"
        ),
        "{errors}"
    );
    let out = ok(&["tournament", "enter", path, "1:1-0"]);
    let first = "board 1: Alder, Anna 1-0 Cedar, Cleo\n";
    let open = "round 1: no result yet of\n  board 2: Damson, Dirk - Birch, Ben\n";
    assert_eq!(out, format!("{first}{open}"));
    let (code, out, errors) = run(&["tournament", "enter", path], "# round 1\n\n2 ½-½\n");
    let second = "board 2: Damson, Dirk ½-½ Birch, Ben\nround 1 is finished\n";
    assert_eq!((code, out.as_str()), (Some(0), second), "{errors}");
    let stored = fs::read_to_string(path).expect("the report");
    for (result, expected) in [
        ("3:1-0", "round 1 has no board 3"),
        ("1:2-0", "'2-0' is not a result: expected 1-0, 0-1, 1/2"),
        ("1:1", "board 1: '1' is not a result: expected 1-0, 0-1, 1/2-1/2"),
        ("1:0", "board 1: '0' is not a result: expected 1-0, 0-1, 1/2-1/2"),
        ("one:1-0", "'one' is not the number of a board"),
        ("1", "is not BOARD:RESULT"),
    ] {
        let (code, _, errors) = run(&["tournament", "enter", path, result], "");
        assert!(code == Some(1) && errors.contains(expected), "{result}: {errors}");
    }
    let (code, _, errors) = run(&["tournament", "enter", path, "1:0-1", "2:1-0", "1:1-0"], "");
    assert!(code == Some(1) && errors.contains("board 1 has two results"), "{errors}");
    assert_eq!(fs::read_to_string(path).expect("the report"), stored, "nothing is stored");
    let out = ok(&["tournament", "enter", path, "2:0–1"]);
    assert!(out.contains("board 2: Damson, Dirk 0-1 Birch, Ben (was ½-½)\n"), "{out}");
    ok(&["tournament", "enter", path, "2:="]);

    // Players 2 and 5 do not play. Player 2 gets half a point.
    let out = ok(&["tournament", "pair", path, "--half-bye", "2", "--absent", "5"]);
    assert!(out.contains("Round 2 of 3") && out.contains("half-point bye"), "{out}");
    let (_, _, errors) = run(&["tournament", "pair", path, "--absent", "6"], "");
    assert!(errors.contains("there is no player 6"), "{errors}");
    ok(&["tournament", "enter", path, "1:+-"]);
    let (code, _, errors) = run(&["tournament", "enter", path, "1:1-0", "--round", "1"], "");
    assert!(code == Some(0) && errors.is_empty(), "the result is the same: {errors}");
    let (_, _, errors) = run(&["tournament", "enter", path, "1:0-1", "--round", "1"], "");
    assert!(errors.contains("note: round 2 was paired with the old results"), "{errors}");
    ok(&["tournament", "enter", path, "1:1-0", "--round", "1"]);
    let out = ok(&["tournament", "standings", path, "--round", "1", "--csv"]);
    // Anna's opponent has no points. Eve's bye counts as a game against an opponent with half a
    // point (article 16.4.2 of FIDE's tie-break regulations).
    assert!(out.contains("\n1,5,\"Elder, Eve\",2000,,1.0,0,0.5,0.5,,1\n"), "{out}");
    assert!(out.contains("\n2,1,\"Alder, Anna\",2400,NED,1.0,0,0,0,,1\n"), "{out}");
    ok(&["tournament", "pair", path]);
    ok(&["tournament", "enter", path, "1:1-0", "2:0-1"]);
    let (_, _, errors) = run(&["tournament", "pair", path], "");
    assert!(errors.contains("all 3 rounds are paired"), "{errors}");
    let report = fs::read_to_string(path).expect("the report");
    assert!(report.starts_with("012 Club evening\n062 5\n"), "{report}");
    assert!(
        report.contains("001    1 wGM  Alder, Anna  ")
            || report.contains("001    1 w GM Alder, Anna"),
        "{report}"
    );
    let (code, _, errors) = run(&["tournament", "new", "x.trf", &list, "--rounds", "0"], "");
    assert!(code == Some(2), "{errors}");
}

/// Two players who have already played each other are paired again only by force.
#[test]
fn stores_no_illegal_pairing_without_force() {
    let folder = tempfile::tempdir().expect("a folder");
    let list = file(folder.path(), "players.csv", "Anna\nBen\n");
    let path = folder.path().join("two.trf");
    let path = path.to_str().expect("plain");
    let (code, _, errors) = run(&["tournament", "new", path, &list, "--rounds", "2"], "");
    assert_eq!(code, Some(0));
    assert!(
        errors.contains("2 players have new opponents in at most 1 rounds, not in 2"),
        "{errors}"
    );
    ok(&["tournament", "pair", path]);
    ok(&["tournament", "enter", path, "1:1/2"]);
    let stored = fs::read_to_string(path).expect("the report");
    let (code, out, errors) = run(&["tournament", "pair", path], "");
    assert!(code == Some(1) && out.is_empty(), "{out}{errors}");
    let expected = "no legal pairing exists for round 2, and nothing is stored: Ben and Anna have \
                    already met";
    assert!(errors.contains(expected), "{errors}");
    assert_eq!(fs::read_to_string(path).expect("the report"), stored);
    let (code, out, errors) = run(&["tournament", "pair", path, "--force"], "");
    assert!(code == Some(0) && out.contains("Round 2"), "{out}{errors}");
    assert!(errors.contains("warning: no legal pairing exists: Ben and Anna"), "{errors}");
}

/// Returns the rounds of each player in a report.
fn rounds(path: &str) -> Vec<String> {
    let report = fs::read_to_string(path).expect("the report");
    let players = report.lines().filter(|line| line.starts_with("001"));
    players.map(|line| line.chars().skip(91).collect::<String>().trim().to_owned()).collect()
}

#[test]
fn players_withdraw_and_return() {
    let folder = tempfile::tempdir().expect("a folder");
    let path: &str = &new_tournament(
        folder.path(),
        "A;5\nB;4\nC;3\nD;2\n",
        &["--rounds", "3", "--first-colour", "black"],
    );
    ok(&["tournament", "pair", path]);
    let out = ok(&["tournament", "withdraw", path, "4"]);
    assert_eq!(out, "D does not play from round 2 on\n");
    assert_eq!(rounds(path)[3], "2 b    0000 - Z");
    assert!(fs::read_to_string(path).expect("the report").contains("\n240 Z   3    4\n"));
    let (code, _, errors) = run(&["tournament", "withdraw", path, "4"], "");
    assert!(code == Some(1) && errors.contains("player 4 is already withdrawn"), "{errors}");
    let (code, _, errors) = run(&["tournament", "withdraw", path, "3", "--undo"], "");
    assert!(code == Some(1) && errors.contains("player 3 is not withdrawn"), "{errors}");
    let out = ok(&["tournament", "withdraw", path, "4", "--undo"]);
    assert_eq!(out, "D plays from round 2 on\n");
    assert_eq!(rounds(path)[3], "2 b");
    ok(&["tournament", "withdraw", path, "4"]);
    // A withdrawn player can still finish the current round. A note is printed if the player's game
    // was played, but not if it was forfeited.
    let (_, _, errors) = run(&["tournament", "enter", path, "1:1-0", "2:+-"], "");
    let note = |player: usize| format!("withdraw {path} {player} --undo");
    assert!(!errors.contains("note"), "{errors}");
    let (code, _, errors) = run(&["tournament", "enter", path, "2:1-0"], "");
    assert!(
        code == Some(0) && errors.contains("note: D does not play from round 2 on"),
        "{errors}"
    );
    assert!(errors.contains(&note(4)) && !errors.contains(&note(2)), "{errors}");
    let out = ok(&["tournament", "pair", path]);
    assert!(out.contains("absent"), "{out}");
    for (arguments, expected) in [
        (["5"].as_slice(), "there is no player 5"),
        (&["0"], "expected the number of a player"),
        (&["Anna"], "no player's name begins with 'Anna'"),
    ] {
        let (code, _, errors) = run(&[&["tournament", "withdraw", path], arguments].concat(), "");
        assert!(code != Some(0) && errors.contains(expected), "{errors}");
    }
}

#[test]
fn withdrawals_and_byes_survive_a_change_of_the_number_of_rounds() {
    let folder = tempfile::tempdir().expect("a folder");
    let path: &str =
        &new_tournament(folder.path(), "A;6\nB;5\nC;4\nD;3\nE;2\nF;1\n", &["--rounds", "2"]);
    ok(&["tournament", "withdraw", path, "6"]);
    for _ in 0..2 {
        ok(&["tournament", "pair", path]);
        ok(&["tournament", "enter", path, "1:=", "2:="]);
    }
    ok(&["tournament", "edit", path, "--rounds", "4"]);
    ok(&["tournament", "bye", path, "3", "--round", "4", "--half"]);
    let (code, _, errors) = run(&["tournament", "edit", path, "--rounds", "3"], "");
    assert!(code == Some(1) && errors.contains("player 3 has a bye in round 4"), "{errors}");
    let round = ok(&["tournament", "pair", path, "--csv"]);
    assert!(round.contains("\n3,,6,F,absent,,\n"), "{round}");
    ok(&["tournament", "unpair", path]);
    let round = ok(&["tournament", "pair", path, "--csv"]);
    assert!(round.contains("\n3,,6,F,absent,,\n"), "{round}");
}

#[test]
fn players_who_withdrew_get_no_points_until_they_return() {
    let folder = tempfile::tempdir().expect("a folder");
    let path: &str = &new_tournament(folder.path(), "A\nB\nC\nD\n", &["--rounds", "3"]);
    ok(&["tournament", "bye", path, "2", "--round", "3", "--half"]);
    ok(&["tournament", "withdraw", path, "4"]);
    for arguments in [
        ["bye", path, "4", "--round", "3", "--half"].as_slice(),
        &["bye", path, "4", "--round", "3", "--undo"],
        &["withdraw", path, "2", "--undo"],
    ] {
        let (code, _, errors) = run(&[&["tournament"], arguments].concat(), "");
        assert!(code == Some(1) && errors.contains("withdr"), "{arguments:?}: {errors}");
    }
    let list = ok(&["tournament", "players", path, "--csv"]);
    assert!(list.contains("half-point bye in round 3"), "{list}");
    ok(&["tournament", "withdraw", path, "4", "--undo"]);
    ok(&["tournament", "bye", path, "4", "--round", "3", "--half"]);
}

#[test]
fn schedule_shows_the_forfeits_of_absent_players() {
    let folder = tempfile::tempdir().expect("a folder");
    let path: &str = &new_tournament(folder.path(), "A\nB\nC\nD\n", &["--round-robin"]);
    ok(&["tournament", "withdraw", path, "4"]);
    let schedule = ok(&["tournament", "schedule", path, "--csv"]);
    assert!(schedule.contains("\n1,1,1,A,+:-,4,D\n"), "{schedule}");
    assert!(schedule.contains("\n2,1,4,D,-:+,3,C\n"), "{schedule}");
    assert!(schedule.contains("\n1,2,2,B,,3,C\n"), "{schedule}");
}

/// Byes beyond the next round have a line with FIDE's code 240, which bbpPairings reads.
#[test]
fn byes_are_requested_for_later_rounds() {
    let folder = tempfile::tempdir().expect("a folder");
    let path: &str =
        &new_tournament(folder.path(), "A;6\nB;5\nC;4\nD;3\nE;2\nF;1\n", &["--rounds", "3"]);
    let bye = |arguments: &[&str]| run(&[&["tournament", "bye", path], arguments].concat(), "");
    let (_, out, _) = bye(&["3", "--round", "2,3", "--half"]);
    assert_eq!(out, "round 2: C, half-point bye\nround 3: C, half-point bye\n");
    assert_eq!(bye(&["6", "--round", "3"]).1, "round 3: F, absent\n");
    assert_eq!(bye(&["3", "--round", "3", "--undo"]).1, "round 3: C, plays\n");
    let stored = fs::read_to_string(path).expect("the report");
    assert!(stored.contains("white1\n240 H   2    3\n240 Z   3    6\n001    1"), "{stored}");
    assert!(rounds(path).iter().all(String::is_empty), "{stored}");
    ok(&["tournament", "pair", path]);
    ok(&["tournament", "enter", path, "1:=", "2:=", "3:="]);
    assert!(rounds(path)[2].ends_with("0000 - H"), "{:?}", rounds(path));
    let list = ok(&["tournament", "players", path, "--csv"]);
    assert!(list.contains("\n3,C,4,,,,,,half-point bye in round 2\n"), "{list}");
    assert!(list.contains("\n6,F,1,,,,,,absent in round 3\n"), "{list}");
    for (arguments, expected) in [
        (["1", "--round", "3", "--undo"].as_slice(), "player 1 has no bye in round 3"),
        (&["3", "--round", "1"], "round 1 is already paired"),
        (&["3", "--round", "9"], "there are only 3 rounds"),
        (&["9", "--round", "3"], "there is no player 9"),
    ] {
        let (code, _, errors) = bye(arguments);
        assert!(code == Some(1) && errors.contains(expected), "{arguments:?}: {errors}");
    }
    let round = ok(&["tournament", "pair", path, "--csv"]);
    assert!(round.contains("\n2,,3,C,half-point bye,,\n"), "{round}");
    ok(&["tournament", "enter", path, "1:=", "2:="]);
    let round = ok(&["tournament", "pair", path, "--csv"]);
    assert!(round.contains("\n3,,6,F,absent,,\n"), "{round}");
    assert!(!fs::read_to_string(path).expect("the report").contains("240"));
    let path = file(folder.path(), "club.trf", &REPORT.replace("XXR 4", "240 H   4    1\nXXR 4"));
    let round = ok(&["tournament", "pair", &path, "--csv"]);
    assert!(round.contains("\n4,,1,\"Alder, Anna\",half-point bye,,\n"), "{round}");
}

#[test]
fn a_pairing_is_removed_and_made_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let path: &str =
        &new_tournament(folder.path(), "A;5\nB;4\nC;3\nD;2\nE;1\n", &["--rounds", "3"]);
    let (code, _, errors) = run(&["tournament", "unpair", path], "");
    assert!(code == Some(1) && errors.contains("there is no round 1 yet"), "{errors}");
    ok(&["tournament", "pair", path, "--half-bye", "2"]);
    let (_, _, errors) = run(&["tournament", "pair", path, "--half-bye", "5", "--absent", "5"], "");
    assert!(errors.contains("player 5 is in both --absent and --half-bye"), "{errors}");
    let out = ok(&["tournament", "unpair", path]);
    assert_eq!(out, "round 1 is no longer paired\nthe bye of player 2 stays: B, half-point bye\n");
    assert_eq!(rounds(path), ["", "0000 - H", "", "", ""]);
    let out = ok(&["tournament", "pair", path, "--present", "2"]);
    assert!(!out.contains("half-point"), "{out}");
    ok(&["tournament", "enter", path, "1:1-0"]);
    let (code, _, errors) = run(&["tournament", "unpair", path], "");
    assert!(code == Some(1) && errors.contains("round 1 has results: --force"), "{errors}");
    ok(&["tournament", "unpair", path, "--force"]);
    assert!(rounds(path).iter().all(String::is_empty));
}

#[test]
fn late_players_are_numbered_by_rating_before_round_four() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = REPORT.replace("XXR 4", "XXR 9\n062 8\n072 8\nXXP 3 7");
    let path = &file(folder.path(), "club.trf", &text);
    let out = ok(&["tournament", "add", path, "Ivy, Ida;2250;;NED;;12.3.1990;f", "--half-byes"]);
    assert_eq!(
        out,
        "Ivy, Ida is player 3 and plays from round 4 on; players 3 to 8 are now 4 to 9\n"
    );
    let stored = fs::read_to_string(path).expect("the report");
    let expected = "001    3 w    Ivy, Ida                          2250 NED             1990/03/12  \
                    1.5    4  0000 - H  0000 - H  0000 - H\n";
    assert!(stored.contains(expected), "{stored}");
    for line in ["062 9\n", "072 9\n", "XXP 4 8\n", "001    4 m    Cedar, Cleo "] {
        assert!(stored.contains(line), "{line}: {stored}");
    }
    assert!(rounds(path)[0].starts_with("6 w 1     4 b 1     2 w ="), "{:?}", rounds(path));
    let round = ok(&["tournament", "pair", path, "--csv"]);
    assert!(round.contains("Ivy, Ida"), "{round}");
    let add = ["tournament", "add", path, "ALDER, Anna;2900"];
    let (code, _, errors) = run(&add, "");
    assert!(code == Some(1) && errors.contains("is already player 1; if this is"), "{errors}");
    let (_, out, errors) = run(&[&add[..], &["--force"]].concat(), "");
    assert!(out.contains("ALDER, Anna is player 10 and plays from round 5 on\n"), "{out}");
    assert!(errors.contains("several players are called 'ALDER, Anna'"), "{errors}");
    let (code, _, errors) = run(&["tournament", "add", path, "Ivy,2250,GM"], "");
    assert!(code == Some(2) && errors.contains("separated by commas"), "{errors}");
}

#[test]
fn players_are_removed_before_their_first_pairing() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = REPORT.replace("XXR 4", "XXR 9\n062 8\n072 8\nXXP 3 7\n260   5   6    3    7");
    let path = &file(folder.path(), "club.trf", &text);
    ok(&["tournament", "add", path, "Ivy, Ida;2250"]);
    ok(&["tournament", "forbid", path, "3", "5"]);
    ok(&["tournament", "bye", path, "4", "--round", "7"]);
    let out = ok(&["tournament", "remove", path, "ivy"]);
    assert_eq!(out, "Ivy, Ida is removed; players 4 to 9 are now 3 to 8\n");
    let stored = fs::read_to_string(path).expect("the report");
    for line in ["062 8\n", "072 8\n", "XXP 3 7\n", "260   5   6    3    7\n", "240 Z   7    3\n"] {
        assert!(stored.contains(line), "{line}: {stored}");
    }
    assert!(!stored.contains("Ivy") && stored.matches("XXP").count() == 1, "{stored}");
    assert!(rounds(path)[0].starts_with("5 w 1     3 b 1     2 w ="), "{:?}", rounds(path));
    let (code, _, errors) = run(&["tournament", "remove", path, "3"], "");
    assert!(code == Some(1) && errors.contains("tournament withdraw FILE 3"), "{errors}");
    assert_eq!(fs::read_to_string(path).expect("the report"), stored);

    let path: &str = &new_tournament(folder.path(), "A\nB\nC\nD\nE\n", &["--round-robin"]);
    assert_eq!(ok(&["tournament", "remove", path, "5"]), "E is removed\n");
    assert!(fs::read_to_string(path).expect("the report").contains("XXR 3\n"));
    ok(&["tournament", "pair", path]);
    let (code, _, errors) = run(&["tournament", "remove", path, "4"], "");
    assert!(code == Some(1) && errors.contains("tournament withdraw FILE 4"), "{errors}");
}

#[test]
fn reports_keep_their_encoding() {
    let folder = tempfile::tempdir().expect("a folder");
    let path: &str = &new_tournament(
        folder.path(),
        "Müller;2000\nBen;1900\n",
        &["--rounds", "1", "--encoding", "latin-1"],
    );
    let line = b"001    1      M\xfcller                            2000 ";
    let has_line = || fs::read(path).expect("a file").windows(line.len()).any(|w| w == line);
    assert!(has_line());
    ok(&["tournament", "pair", path]);
    let out = ok(&["tournament", "enter", path, "1:1-0"]);
    assert!(has_line() && out.contains("Müller 1-0 Ben"), "{out}");
    ok(&["tournament", "unpair", path, "--force"]);
    let (code, _, errors) = run(&["tournament", "add", path, "Wałęsa"], "");
    assert!(code == Some(1) && errors.contains("Latin-1 has no 'ł'"), "{errors}");
    assert!(errors.contains("'Wałęsa'") && errors.contains("--encoding utf-8"), "{errors}");
    ok(&["tournament", "add", path, "Wałęsa", "--encoding", "utf-8"]);
    let stored = fs::read_to_string(path).expect("UTF-8");
    assert!(stored.contains("Müller  ") && stored.contains("Wałęsa  "), "{stored}");
}

#[test]
fn the_header_contains_what_rating_officers_need() {
    let folder = tempfile::tempdir().expect("a folder");
    let list = file(folder.path(), "players.csv", "Anna\nBen\nanna\n");
    let path = folder.path().join("club.trf");
    let path = path.to_str().expect("plain");
    let new = ["tournament", "new", path, &list, "--rounds", "3"];
    let header = [
        "--city",
        "Delft",
        "--federation",
        "ned",
        "--from",
        "2026-11-20",
        "--to",
        "22.11.2026",
        "--arbiter",
        "Birch, Ben",
        "--rate",
        "90 min",
        "--first-colour",
        "black",
    ];
    let (code, _, errors) = run(&[&new[..], &header].concat(), "");
    assert!(code == Some(0) && errors.contains("several players are called 'anna'"), "{errors}");
    let stored = fs::read_to_string(path).expect("the report");
    assert!(stored.starts_with(
        "012 Tournament\n022 Delft\n032 NED\n042 2026/11/20\n052 2026/11/22\n062 3\n092 Individual: \
         Swiss-System (Dutch)\n102 Birch, Ben\n122 90 min\n202 BH/C1,BH,SB,DE,WIN\nXXR 3\nXXC black1\n001"
    ), "{stored}");
    for (wrong, expected) in [
        (["--federation", "Netherlands"], "expected three letters"),
        (["--from", "2026"], "expected a date"),
        (["--city", "Delft\n012 x"], "line breaks are not possible"),
    ] {
        let (code, _, errors) = run(&[&new[..], &wrong].concat(), "");
        assert!(code == Some(2) && errors.contains(expected), "{errors}");
    }
}

/// Both players can lose a game, or one gets ½ and the other 0. A game that ended before both
/// players had moved is not rated.
#[test]
fn enters_unusual_results() {
    let folder = tempfile::tempdir().expect("a folder");
    let path: &str = &new_tournament(
        folder.path(),
        "A;8\nB;7\nC;6\nD;5\nE;4\nF;3\nG;2\nH;1\n",
        &["--rounds", "5"],
    );
    ok(&["tournament", "pair", path]);
    let out = ok(&["tournament", "enter", path, "1:0-0", "2:1/2-0", "3:W-L", "4:--"]);
    for line in ["board 1: A 0-0 E\n", "board 2: F ½-0 B\n", "board 3: C W-L G\n", "4: H -:- D\n"]
    {
        assert!(out.contains(line), "{line}: {out}");
    }
    let expected = ["5 w 0", "6 b 0", "7 w W", "8 b -", "1 b 0", "2 w =", "3 b L", "4 w -"];
    assert_eq!(rounds(path), expected);
    let table = ok(&["tournament", "standings", path, "--csv", "--tie-breaks", "WON"]);
    assert!(table.contains("\n1,3,C,6,,1.0,1\n2,6,F,3,,0.5,0\n"), "{table}");
    let round = ok(&["tournament", "round", path, "--csv"]);
    assert!(round.contains("\n1,2,6,F,1/2-0,2,B\n"), "{round}");
    ok(&["tournament", "enter", path, "1:D-D", "2:0-1/2", "3:l-l", "4:=-0"]);
    let expected = ["5 w D", "6 b =", "7 w L", "8 b 0", "1 b D", "2 w 0", "3 b L", "4 w ="];
    assert_eq!(rounds(path), expected);
    // A forfeited game can be recorded without colours. A result then adds them.
    let report = fs::read_to_string(path).expect("the report");
    let forfeited = report.replace("   8 b 0", "   8 - -").replace("   4 w =", "   4 - +");
    fs::write(path, forfeited).expect("written");
    ok(&["tournament", "enter", path, "4:1 - 0"]);
    assert_eq!([rounds(path)[3].clone(), rounds(path)[7].clone()], ["8 w 1", "4 b 0"]);
    ok(&["tournament", "pair", path]);
    let (code, _, errors) = run(&["tournament", "enter", path, "1:1-1"], "");
    assert!(code == Some(1) && errors.contains("'1-1' is not a result"), "{errors}");
}

/// The rounds follow the printed Berger tables for 5 or 6 players.
#[test]
fn a_round_robin_follows_the_berger_tables() {
    let folder = tempfile::tempdir().expect("a folder");
    // Players are numbered in the order of the list, not by rating.
    let path: &str =
        &new_tournament(folder.path(), "A;1\nB;2\nC;3\nD;4\nE;5\n", &["--round-robin"]);
    let stored = fs::read_to_string(path).expect("the report");
    let header = "092 Individual: Round-Robin (Berger)\n202 DE,SB,WIN\nXXR 5\n001    1      A ";
    assert!(stored.contains(header), "{stored}");
    ok(&["tournament", "withdraw", path, "4"]);
    ok(&["tournament", "withdraw", path, "4", "--undo"]);
    for (round, (expected, rests)) in
        [("2-5 3-4", "A"), ("1-2 5-3", "D"), ("3-1 4-5", "B"), ("1-4 2-3", "E"), ("4-2 5-1", "C")]
            .into_iter()
            .enumerate()
    {
        let out = ok(&["tournament", "pair", path, "--csv"]);
        let cells = out.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>());
        let (byes, games): (Vec<_>, Vec<_>) = cells.partition(|cells| cells[1].is_empty());
        let mut pairs: Vec<String> =
            games.iter().map(|cells| format!("{}-{}", cells[2], cells[5])).collect();
        pairs.sort_unstable();
        let mut expected: Vec<&str> = expected.split(' ').collect();
        expected.sort_unstable();
        assert_eq!(pairs, expected, "round {}", round + 1);
        assert_eq!((byes.len(), byes[0][3], byes[0][4]), (1, rests, "rests"), "{out}");
        let again = ok(&["tournament", "unpair", path]);
        assert!(!again.contains("stays"), "{again}");
        assert_eq!(ok(&["tournament", "pair", path, "--csv"]), out);
        ok(&["tournament", "enter", path, "1:1-0", "2:1-0"]);
    }
    let (_, _, errors) = run(&["tournament", "pair", path], "");
    assert!(errors.contains("all 5 rounds are paired"), "{errors}");
    let table = ok(&["tournament", "crosstable", path, "--csv"]);
    let expected = "\
rank,no.,name,rating,1,2,3,4,5,points
1,1,A,1,·,1,0,1,0,2.0
2,2,B,2,0,·,1,0,1,2.0
3,3,C,3,1,0,·,1,0,2.0
4,4,D,4,0,1,0,·,1,2.0
5,5,E,5,1,0,1,0,·,2.0
";
    assert_eq!(table, expected);
    // Every player has beaten two opponents who have 2 points each. Rests and forfeits do not
    // change the tie-breaks.
    let standings = ok(&["tournament", "standings", path, "--csv"]);
    assert!(standings.lines().skip(1).all(|line| line.ends_with(",,2.0,2,4,2")), "{standings}");
    ok(&["tournament", "enter", path, "1:+-", "2:+-"]);
    let forfeits = ok(&["tournament", "standings", path, "--csv"]);
    assert_eq!(forfeits, standings);
}

#[test]
fn a_round_robin_has_forfeits_instead_of_byes() {
    let folder = tempfile::tempdir().expect("a folder");
    let path: &str =
        &new_tournament(folder.path(), "A\nB\nC\nD\n", &["--round-robin", "--rounds", "6"]);
    let (code, _, errors) = run(&["tournament", "pair", path, "--half-bye", "2"], "");
    assert!(code == Some(1) && errors.contains("B can only be absent"), "{errors}");
    let (code, _, errors) = run(&["tournament", "bye", path, "2", "--round", "3", "--half"], "");
    assert!(code == Some(1) && errors.contains("B can only be absent"), "{errors}");
    ok(&["tournament", "pair", path]);
    let (code, _, errors) = run(&["tournament", "add", path, "E"], "");
    assert!(code == Some(1) && errors.contains("only before round 1"), "{errors}");
    let (code, _, errors) = run(&["tournament", "forbid", path, "1", "2"], "");
    assert!(code == Some(1) && errors.contains("all players meet"), "{errors}");
    ok(&["tournament", "enter", path, "1:1-0", "2:="]);
    ok(&["tournament", "withdraw", path, "1"]);
    // In a double round robin, the last two rounds of the first cycle are swapped.
    ok(&["tournament", "pair", path]);
    let expected = ["4 w 1     3 b -  0000 - Z", "3 w =     4 w", "2 b =     1 w +"];
    assert_eq!(rounds(path)[..3], expected);
    let (_, _, errors) = run(&["tournament", "unpair", path], "");
    assert!(errors.contains("round 2 has results"), "{errors}");
    ok(&["tournament", "unpair", path, "--force"]);
    ok(&["tournament", "pair", path]);
    assert_eq!(rounds(path)[..3], expected);
    // Pairing fails if the earlier rounds in the file do not follow the Berger tables.
    let folder = tempfile::tempdir().expect("a folder");
    let path: &str = &new_tournament(folder.path(), "A\nB\nC\nD\n", &["--rounds", "3"]);
    ok(&["tournament", "pair", path]);
    ok(&["tournament", "enter", path, "1:=", "2:="]);
    let swiss = fs::read_to_string(path).expect("the report");
    let text = swiss.replace("Swiss-System (Dutch)", "Round Robin");
    let path = &file(folder.path(), "other.trf", &text);
    let (code, _, errors) = run(&["tournament", "pair", path], "");
    let expected = "the earlier rounds do not follow the Berger tables, and nothing is stored: ";
    assert!(code == Some(1) && errors.contains(expected), "{errors}");
    ok(&["tournament", "pair", path, "--force"]);
}

/// The standings count only games that have been played. The game between B and C is postponed, so
/// the tie-breaks of B and C are computed from one game each.
#[test]
fn games_of_a_round_robin_can_be_postponed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path: &str = &new_tournament(folder.path(), "A\nB\nC\nD\n", &["--round-robin"]);
    ok(&["tournament", "pair", path]);
    ok(&["tournament", "enter", path, "1:1-0"]);
    let (code, _, errors) = run(&["tournament", "pair", path], "");
    let note = "note: 1 game has no result yet: round 1, board 2 (B - C); enter results with";
    assert!(code == Some(0) && errors.contains(note), "{errors}");
    ok(&["tournament", "enter", path, "1:1/2", "2:0-1"]);
    let standings = ["tournament", "standings", path, "--tie-breaks", "DE,SB,BH"];
    let expected = "\
rank,no.,name,rating,fed.,points,DE,SB,BH,missing
1,2,B,,,1.0,1,1,1,1
2,1,A,,,1.0,0,0.5,1.5,
3,4,D,,,0.5,0.5,0.25,1.5,
4,3,C,,,0.5,0.5,0.25,0.5,1
";
    assert_eq!(ok(&[&standings[..], &["--csv"]].concat()), expected);
    for list in [&standings[..], &["tournament", "crosstable", path]] {
        for form in ["text", "html"] {
            let list = ok(&[list, &["--to", form]].concat());
            assert!(list.contains("1 game has no result yet: round 1, board 2 (B - C)"), "{list}");
        }
    }
    let (code, out, errors) = run(&["tournament", "enter", path, "--round", "1", "2:1-0"], "");
    assert!(
        code == Some(0) && errors.is_empty() && out.contains("round 1 is finished"),
        "{errors}"
    );
    let table = ok(&[&standings[..], &["--csv"]].concat());
    assert!(table.contains(",SB,BH\n1,2,B,,,2.0,"), "{table}");
    // The boards follow the Berger tables, not the points, so no remark stores their order.
    assert!(!fs::read_to_string(path).expect("the report").contains("###"));
}

/// D withdraws after 1 of 3 games. The results stay in the cross table, but do not count.
#[test]
fn games_of_a_player_who_withdraws_early_do_not_count() {
    let folder = tempfile::tempdir().expect("a folder");
    let path: &str = &new_tournament(folder.path(), "A\nB\nC\nD\n", &["--round-robin"]);
    ok(&["tournament", "pair", path]);
    let (_, out, errors) = run(&["tournament", "withdraw", path, "4"], "");
    assert!(out.contains("D has withdrawn and has played 0 of 3 games"), "{out}");
    assert!(errors.contains("round 1, board 1 (A - D); if a game is not played"), "{errors}");
    ok(&["tournament", "withdraw", path, "4", "--undo"]);
    ok(&["tournament", "enter", path, "1:0-1", "2:1-0"]);
    let out = ok(&["tournament", "withdraw", path, "4"]);
    let note = "D has withdrawn and has played 1 of 3 games, fewer than half: these games do not \
                count in the standings\n";
    assert_eq!(out, format!("D does not play from round 2 on\n{note}"));
    ok(&["tournament", "pair", path]);
    ok(&["tournament", "enter", path, "2:1-0"]);
    let expected = "\
rank,no.,name,rating,fed.,points,DE,SB,WIN
1,1,A,,,1.0,1,1,1
2,2,B,,,1.0,0,0,1
3,3,C,,,0.0,,0,0
4,4,D,,,0.0,,0,0
";
    let (_, table, errors) = run(&["tournament", "standings", path, "--csv"], "");
    assert_eq!((table.as_str(), errors.as_str()), (expected, ""));
    assert!(ok(&["tournament", "standings", path]).contains(note));
    let table = ok(&["tournament", "crosstable", path, "--csv"]);
    assert!(table.contains("\n4,4,D,,1,,-,·,0.0\n"), "{table}");
    let table = ok(&["tournament", "crosstable", path]);
    assert!(table.contains("(1)") && table.contains("(0)") && table.contains("(+)"), "{table}");
    assert!(fs::read_to_string(path).expect("the report").contains("\n### withdrawn: 4\n"));
    // Once D has played two of the three games, D's results count.
    ok(&["tournament", "enter", path, "1:1-0"]);
    let table = ok(&["tournament", "standings", path, "--csv"]);
    assert!(table.contains("WIN\n1,4,D,,,2.0,"), "{table}");
    // A player can withdraw after all rounds are paired.
    ok(&["tournament", "pair", path]);
    let out = ok(&["tournament", "withdraw", path, "4", "--undo"]);
    assert_eq!(out, "D is no longer withdrawn\n");
    assert_eq!(ok(&["tournament", "withdraw", path, "3"]), "C has withdrawn\n");
}

#[test]
fn the_schedule_of_a_round_robin_is_known_before_it_starts() {
    let folder = tempfile::tempdir().expect("a folder");
    let path: &str = &new_tournament(folder.path(), "A;;GM\nB\nC\n", &["--round-robin"]);
    let expected = "\
round,board,white,white name,result,black,black name
1,1,2,B,,3,C
1,,1,A,rests,,
2,1,1,A,,2,B
2,,3,C,rests,,
3,1,3,C,,1,A
3,,2,B,rests,,
";
    assert_eq!(ok(&["tournament", "schedule", path, "--csv"]), expected);
    ok(&["tournament", "pair", path]);
    ok(&["tournament", "enter", path, "1:1-0"]);
    let page = ok(&["tournament", "schedule", path, "--to", "html"]);
    assert!(page.contains(">1 - 0<") && page.contains(">GM A<"), "{page}");
    let swiss = file(folder.path(), "swiss.trf", REPORT);
    let (code, _, errors) = run(&["tournament", "schedule", &swiss], "");
    assert!(code == Some(1) && errors.contains("only a round robin has a schedule"), "{errors}");
}

/// In a round robin, a forfeited game counts like a game against the scheduled opponent, and a round
/// in which a player rests does not count. E leaves after round 2.
///
/// - Points: A 3½, B 3, C ½, D 2, E 1.
/// - BH of A: 3 + ½ + 2 + 1 = 6½. Cut 1 excludes player C, not the round in which A rests: 6.
/// - SB of A: ½·3 + ½ + 2 + 1 (a forfeit) = 5. Cut 1 excludes player C: 4½.
/// - SB of D: ½·½ + 1 (a forfeit) + 0 + ½·3 = 2¾. Cut 1 excludes player C: 2½.
/// - SB of E: ½ for the win against C. Cut 1 excludes player C: 0.
/// - WIN counts forfeits; WON and BPG do not.
#[test]
fn tie_breaks_of_a_round_robin_count_forfeits_but_not_rests() {
    let folder = tempfile::tempdir().expect("a folder");
    let rounds = [
        ["0000 - Z", "   2 w =", "   3 b 1", "   4 w 1", "   5 b +"],
        ["   5 w 1", "   1 b =", "0000 - Z", "   3 w 1", "   4 b ="],
        ["   4 w =", "   5 b 0", "   1 w 0", "   2 b 0", "0000 - Z"],
        ["   3 b =", "0000 - Z", "   5 w +", "   1 b 0", "   2 w ="],
        ["   2 b 0", "   3 w 1", "   4 b -", "0000 - Z", "   1 w -"],
    ];
    let player = |(number, (name, rounds)): (usize, (&str, [&str; 5]))| {
        let head = format!("001 {number:>4}      {name}");
        format!("{head:<89}  {}\n", rounds.join("  "))
    };
    let players = (1..).zip(["A", "B", "C", "D", "E"].into_iter().zip(rounds)).map(player);
    let text = format!("092 Round robin\n{}", players.collect::<String>());
    let path = file(folder.path(), "five.trf", &text);
    let breaks = "BH,BH/C1,SB,SB/C1,WIN,WON,BPG";
    let table = ok(&["tournament", "standings", &path, "--csv", "--tie-breaks", breaks]);
    let expected = "\
rank,no.,name,rating,fed.,points,BH,BH/C1,SB,SB/C1,WIN,WON,BPG
1,1,A,,,3.5,6.5,6,5,4.5,3,2,1
2,2,B,,,3.0,7,6.5,4.25,3.75,2,2,2
3,4,D,,,2.0,8,7.5,2.75,2.5,1,0,2
4,5,E,,,1.0,9,8.5,0.5,0,1,1,1
5,3,C,,,0.5,9.5,8.5,1,1,0,0,2
";
    assert_eq!(table, expected);
}

#[test]
fn other_systems_are_not_paired_as_swiss() {
    let folder = tempfile::tempdir().expect("a folder");
    for (line, expected) in [
        (
            "092 Individual: Swiss-System (Dubov)",
            "the type of the tournament is 'Individual: Swiss",
        ),
        ("092 Knock-out", "the type of the tournament is 'Knock-out' (line 192 or 092)"),
        ("192 FIDE_DUTCH_2025_BAKU", "FIDE_DUTCH_2025_BAKU"),
        ("092 Round robin", "the earlier rounds do not follow the Berger tables"),
        ("092 Swiss\n192 BERGER_ROUNDROBIN", "the earlier rounds do not follow the Berger tables"),
    ] {
        let text = REPORT.replace("XXR 4", &format!("XXR 7\n{line}"));
        let path = file(folder.path(), "club.trf", &text);
        let (code, _, errors) = run(&["tournament", "pair", &path], "");
        assert!(code == Some(1) && errors.contains(expected), "{line}: {errors}");
        assert_eq!(fs::read_to_string(&path).expect("the report"), text);
    }
}

#[test]
fn differing_points_and_unknown_tie_breaks_are_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = REPORT.replace("  2.0    2     6 b 1", "  1.5    2     6 b 1");
    let path = file(folder.path(), "club.trf", &text.replace("XXR 4", "202 PTS,XYZ,WIN\nXXR 4"));
    let (code, table, errors) = run(&["tournament", "standings", &path, "--csv"], "");
    assert_eq!(code, Some(0));
    let points = "club.trf: line 7: player 2 (Birch, Ben) has 1.5 points in the file, but 2.0 after \
                  round 3 by the results; the results count\n";
    assert!(errors.contains(points), "{errors}");
    let unknown = "club.trf: line 3: the tie-break 'XYZ' is not supported and is left out\n";
    assert!(errors.contains(unknown), "{errors}");
    assert!(table.starts_with("rank,no.,name,rating,fed.,points,WIN\n"), "{table}");
}

#[test]
fn tie_breaks_are_stored() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = file(folder.path(), "club.trf", REPORT);
    let header = |arguments: &[&str]| {
        let out = ok(&[&["tournament", "standings", &path, "--csv"], arguments].concat());
        out.lines().next().unwrap_or_default().replace("rank,no.,name,rating,fed.,points,", "")
    };
    assert_eq!(header(&[]), "BH/C1,BH,SB,DE,WIN");
    assert_eq!(header(&["--tie-breaks", "PS,bh-c1", "--store"]), "PS,BH/C1");
    assert_eq!(header(&[]), "PS,BH/C1");
    assert_eq!(header(&["--tie-breaks", "WIN"]), "WIN");
    assert_eq!(header(&["--tie-breaks", "SB", "--store"]), "SB");
    let stored = fs::read_to_string(&path).expect("the report");
    assert!(stored.contains("XXC white1\n202 SB\n001    1"), "{stored}");
    let path: &str =
        &new_tournament(folder.path(), "A\nB\n", &["--rounds", "1", "--tie-breaks", "DE,WIN"]);
    assert!(fs::read_to_string(path).expect("the report").contains("\n202 DE,WIN\n"));
}

#[test]
fn players_are_listed_and_corrected() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = REPORT.replace("XXR 4", "XXR 4\n072 8");
    let path = &file(folder.path(), "club.trf", &text);
    ok(&["tournament", "pair", path, "--half-bye", "6"]);
    ok(&["tournament", "unpair", path]);
    let list = ok(&["tournament", "players", path, "--csv"]);
    let first = "no.,name,rating,title,fed.,FIDE no.,birth,sex,byes\n\
                 1,\"Alder, Anna\",2400,GM,NED,1000001,1990/01/01,m,\n";
    assert!(list.starts_with(first), "{list}");
    assert!(list.contains("\n6,\"Fir, Frank\",1900,,,,,,half-point bye in round 4\n"), "{list}");
    let edit = |arguments: &[&str]| run(&[&["tournament", "edit", path], arguments].concat(), "");
    let (code, _, errors) =
        edit(&["2", "--name", "Birch, Benny", "--rating", "", "--title", "im", "--birth", "1980"]);
    assert_eq!(code, Some(0), "{errors}");
    let stored = fs::read_to_string(path).expect("the report");
    let line =
        "001    2 m IM Birch, Benny                           NED             1980/00/00  2.0";
    assert!(stored.contains(line) && stored.contains("\n072 7\n"), "{stored}");
    edit(&["2", "--rating", "2310", "--title", ""]);
    let stored = fs::read_to_string(path).expect("the report");
    let line =
        "001    2 m    Birch, Benny                      2310 NED             1980/00/00  2.0";
    assert!(stored.contains(line) && stored.contains("\n072 8\n"), "{stored}");
    for (arguments, code, expected) in [
        (&["9", "--rating", "1"][..], 1, "there is no player 9"),
        (&["2", "--rating", "x"], 1, "'x' is not a rating"),
        (&["2", "--name", "a;b"], 2, "semicolons are not possible"),
        (&["2", "--name", ""], 1, "the name is missing"),
        (&["2"], 2, "required"),
    ] {
        let (found, _, errors) = edit(arguments);
        assert!(found == Some(code) && errors.contains(expected), "{arguments:?}: {errors}");
    }
    assert_eq!(fs::read_to_string(path).expect("the report"), stored);
}

#[test]
fn players_are_given_by_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let list =
        "Alder, Anna;4\nAlder, Ann;3\nBirch, Ben;2\nBirk, Bo;1\nÖhm, Ole\nOhmann, Al\nŁoś, Jan\n";
    let path: &str = &new_tournament(folder.path(), list, &["--rounds", "4"]);
    let withdraw = |player: &str, undo: &[&str]| {
        run(&[&["tournament", "withdraw", path, player], undo].concat(), "")
    };
    for (player, name) in [
        ("birc", "Birch, Ben"),
        ("alder, ann", "Alder, Ann"),
        ("öhm", "Öhm, Ole"),
        ("ÖHM", "Öhm, Ole"),
        ("o\u{308}hm", "Öhm, Ole"),
        ("ohm,", "Öhm, Ole"),
        ("los", "Łoś, Jan"),
    ] {
        let (_, out, errors) = withdraw(player, &[]);
        assert!(out.contains(&format!("{name} does not play")), "{player}: {out}{errors}");
        withdraw(player, &["--undo"]);
    }
    let (code, _, errors) = withdraw("Bir", &[]);
    assert_eq!(code, Some(1));
    assert!(errors.contains("'Bir' matches several players") && errors.contains("3 Birch, Ben; 4"));
    let (_, _, errors) = withdraw("ohm", &[]);
    assert!(errors.contains("'ohm' matches several players"), "{errors}");
    let (_, _, errors) = withdraw("bírch", &[]);
    assert!(errors.contains("no player's name begins with 'bírch'"), "{errors}");
    let out = ok(&["tournament", "bye", path, "birk", "--round", "1,3-4"]);
    let expected =
        "round 1: Birk, Bo, absent\nround 3: Birk, Bo, absent\nround 4: Birk, Bo, absent\n";
    assert_eq!(out, expected);
    let (code, _, errors) = run(&["tournament", "bye", path, "1", "--round", "3-2"], "");
    assert!(code == Some(2) && errors.contains("a range of rounds, such as 3 or 3-5"), "{errors}");
    ok(&["tournament", "pair", path, "--half-bye", "öhm"]);
    assert!(ok(&["tournament", "round", path]).contains("half-point bye"));
}

#[test]
fn a_header_line_of_a_list_of_players_must_be_a_comment() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("new.trf");
    let path = path.to_str().expect("plain");
    let new = |list: &str| {
        let list = file(folder.path(), "players.csv", list);
        run(&["tournament", "new", path, &list, "--rounds", "1"], "")
    };
    let advice = "if this line is a header, begin it with #";
    let (code, _, errors) = new("Name;Rating\nA;4\nB;3\n");
    assert!(code == Some(1) && errors.contains("players.csv:1: 'Rating' is not"), "{errors}");
    assert!(errors.contains(advice), "{errors}");
    let (_, _, errors) = new("A;4\nB;x\n");
    assert!(errors.contains("'x' is not a rating") && !errors.contains(advice), "{errors}");
    let (code, _, errors) = new("#Name;Rating\nA;4\nB;3\n");
    assert_eq!(code, Some(0), "{errors}");
}

#[test]
fn a_rating_of_0_is_no_rating() {
    let folder = tempfile::tempdir().expect("a folder");
    let report = REPORT
        .replace(&format!("{:33} 1700", "Hazel, Hans"), &format!("{:33}    0", "Hazel, Hans"));
    let path = &file(folder.path(), "club.trf", &report);
    let list = ok(&["tournament", "players", path, "--csv"]);
    assert!(list.contains("\n8,\"Hazel, Hans\",,,"), "{list}");
}

#[test]
fn the_cross_table_is_printed_after_any_round_and_shows_unrated_results() {
    let folder = tempfile::tempdir().expect("a folder");
    let path: &str = &new_tournament(folder.path(), "A;4\nB;3\nC;2\nD;1\n", &["--rounds", "2"]);
    ok(&["tournament", "pair", path]);
    ok(&["tournament", "enter", path, "1:W-L", "2:1-0"]);
    ok(&["tournament", "pair", path]);
    let table = ok(&["tournament", "crosstable", path, "--round", "1", "--csv"]);
    assert!(table.starts_with("rank,no.,name,rating,R1,points\n1,1,A,4,3wW,1.0\n"), "{table}");
    let json = ok(&["tournament", "standings", path, "--json", "--tie-breaks", "WIN"]);
    let value: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(value["rows"][0]["name"], "A");
    assert_eq!(value["rows"][0]["points"], 1);
    assert_eq!(
        (&value["rows"][0]["WIN"], value["rows"].as_array().map(Vec::len)),
        (&1.into(), Some(4))
    );
}

#[test]
fn the_koya_system_counts_points_against_players_with_half_of_the_points() {
    let folder = tempfile::tempdir().expect("a folder");
    let path: &str = &new_tournament(folder.path(), "A;4\nB;3\nC;2\nD;1\n", &["--round-robin"]);
    // White wins every game: 1-4 and 2-3, 4-3 and 1-2, 2-4 and 3-1. A and B end with 2 of 3 points.
    for round in 1..=3 {
        ok(&["tournament", "pair", path]);
        if round == 2 {
            // The games of round 2 have no results yet and do not count: A and B have 1 of 1 point.
            let table = ok(&["tournament", "standings", path, "--csv", "--tie-breaks", "KS"]);
            assert!(table.contains(",A,4,,1.0,0\n") && table.contains(",B,3,,1.0,0\n"), "{table}");
        }
        ok(&["tournament", "enter", path, "1:1-0", "2:1-0"]);
    }
    let table = ok(&["tournament", "standings", path, "--csv", "--tie-breaks", "KS"]);
    for row in ["1,1,A,4,,2.0,1\n", "2,2,B,3,,2.0,0\n", "3,3,C,2,,1.0,1\n", "4,4,D,1,,1.0,0\n"] {
        assert!(table.contains(row), "{row}: {table}");
    }
}

#[test]
fn the_koya_system_is_left_out_of_swiss_tournaments() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = &file(folder.path(), "club.trf", &REPORT.replace("XXR 4", "XXR 4\n202 BH,KS"));
    for (options, header) in
        [(&[][..], "points,BH\n"), (&["--tie-breaks", "KS,WIN", "--store"], "points,WIN\n")]
    {
        let (_, out, errors) =
            run(&[&["tournament", "standings", path, "--csv"], options].concat(), "");
        assert_eq!(
            errors,
            "warning: the tie-break KS applies only to round robins and is left out\n"
        );
        assert!(out.starts_with(&format!("rank,no.,name,rating,fed.,{header}")), "{out}");
    }
    assert!(fs::read_to_string(path).expect("the report").contains("\n202 WIN\n"));
}

#[test]
fn the_tournament_is_edited_after_it_was_made() {
    let folder = tempfile::tempdir().expect("a folder");
    let path: &str = &new_tournament(
        folder.path(),
        "A;4\nB;3\nC;2\nD;1\n",
        &["--rounds", "2", "--city", "Delft", "--to", "22.11.2026"],
    );
    let edit = |arguments: &[&str]| run(&[&["tournament", "edit", path], arguments].concat(), "");
    let (code, out, errors) =
        edit(&["--rounds", "5", "--city", "Gouda", "--from", "2026-11-20", "--arbiter", "E, F"]);
    assert_eq!(code, Some(0), "{errors}");
    assert_eq!(out, "rounds: 5\ncity: Gouda\nfrom: 2026/11/20\narbiter: E, F\n");
    assert!(
        errors.contains("4 players have new opponents in at most 3 rounds, not in 5"),
        "{errors}"
    );
    let stored = fs::read_to_string(path).expect("the report");
    for line in ["022 Gouda\n", "042 2026/11/20\n", "102 E, F\n", "XXR 5\n"] {
        assert!(stored.contains(line), "{stored}");
    }
    let (_, out, errors) = edit(&[
        "--deputy",
        "F, G",
        "--deputy",
        "H",
        "--round-dates",
        "20.11.2026,,2026-11-22",
        "--to",
        "",
    ]);
    assert!(out.ends_with("deputy: H\nround 1: 2026/11/20\nround 2: \nround 3: 2026/11/22\n"));
    let stored = fs::read_to_string(path).expect("the report");
    // The dates are in columns 92 to 99 and 112 to 119.
    let dates = format!("\n132{}26/11/20{}26/11/22\n", " ".repeat(88), " ".repeat(12));
    assert!(stored.contains(&dates) && stored.contains("\n112 F, G\n112 H\n"), "{stored}{errors}");
    assert!(!stored.contains("\n052"), "{stored}");
    edit(&["--deputy", "", "--round-dates", "", "--to", "2026/11/22"]);
    let stored = fs::read_to_string(path).expect("the report");
    assert!(!stored.contains("\n112") && !stored.contains("\n132"), "{stored}");
    edit(&["--city", "", "--rounds", "3"]);
    for _ in 0..2 {
        ok(&["tournament", "pair", path]);
        ok(&["tournament", "enter", path, "1:=", "2:="]);
    }
    let stored = fs::read_to_string(path).expect("the report");
    assert!(!stored.contains("022") && stored.contains("XXR 3\n"), "{stored}");
    for (arguments, code, expected) in [
        (
            &["--rounds", "1"][..],
            1,
            "2 rounds are already paired; the tournament cannot have fewer",
        ),
        (&["--from", "2026/11/23"], 1, "the last day, 2026/11/22, is before the first day"),
        (&["--federation", "Holland"], 1, "expected three letters"),
        (&["--rounds", "0"], 2, "0 is not in 1..=999"),
        (&["--from", "2026"], 2, "expected a date"),
        (&["--tie-breaks", "BH"], 1, " --tie-breaks NAME,... --store"),
        (&["1", "--points", "3"], 1, "adoube tournament new --points"),
        (&["--name", "G"], 2, "PLAYER"),
        (&["1", "--rounds", "4"], 2, "cannot be used with"),
    ] {
        let (found, _, errors) = edit(arguments);
        assert!(found == Some(code) && errors.contains(expected), "{arguments:?}: {errors}");
    }
    assert_eq!(fs::read_to_string(path).expect("the report"), stored);
    // A file written by another program can lack the number of rounds.
    let path = file(folder.path(), "club.trf", &REPORT.replace("XXR 4\n", ""));
    let (code, _, errors) = run(&["tournament", "pair", &path], "");
    let expected = "no number of rounds: set it with adoube tournament edit FILE --rounds 5";
    assert!(code == Some(1) && errors.contains(expected), "{errors}");
    ok(&["tournament", "edit", &path, "--rounds", "4"]);
    assert!(ok(&["tournament", "pair", &path]).contains("Round 4 of 4"));
}

#[test]
fn a_round_robin_is_doubled_while_the_tables_allow_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path: &str = &new_tournament(folder.path(), "A\nB\nC\nD\n", &["--round-robin"]);
    let header = |line: &str| fs::read_to_string(path).expect("the report").contains(line);
    ok(&["tournament", "edit", path, "--rounds", "6"]);
    assert!(header("092 Individual: Double Round-Robin (Berger)\n") && header("XXR 6\n"));
    ok(&["tournament", "pair", path]);
    ok(&["tournament", "edit", path, "--rounds", "3"]);
    assert!(header("092 Individual: Round-Robin (Berger)\n") && header("XXR 3\n"));
    ok(&["tournament", "pair", path]);
    let (code, _, errors) = run(&["tournament", "edit", path, "--rounds", "6"], "");
    let expected = "the Berger tables for this number of rounds pair round 2 differently";
    assert!(code == Some(1) && errors.contains(expected), "{errors}");
}

#[test]
fn warns_about_odd_numbers_of_rounds_and_equal_fide_numbers() {
    let folder = tempfile::tempdir().expect("a folder");
    let list = file(folder.path(), "players.csv", "A;;;;77\nB\nC;;;;77\nD\n");
    let path = folder.path().join("four.trf");
    let path = path.to_str().expect("plain");
    let new = ["tournament", "new", path, &list, "--round-robin", "--rounds", "7"];
    let (code, _, errors) = run(&new, "");
    assert_eq!(code, Some(0), "{errors}");
    for expected in [
        "a round robin of 4 players has 3 rounds, or 6 if everyone plays everyone twice, not 7",
        "players 1 and 3 have the same FIDE number 77",
    ] {
        assert!(errors.contains(&format!("warning: {expected}\n")), "{errors}");
    }
    let (_, _, errors) = run(&["tournament", "edit", path, "2", "--fide-id", "77"], "");
    assert!(errors.contains("players 2 and 3 have the same FIDE number 77"), "{errors}");
}

#[test]
fn forbidden_pairings_are_stored() {
    let folder = tempfile::tempdir().expect("a folder");
    let path: &str = &new_tournament(folder.path(), "A;4\nB;3\nC;2\nD;1\n", &["--rounds", "3"]);
    assert_eq!(ok(&["tournament", "forbid", path]), "no pairings are forbidden\n");
    let out = ok(&["tournament", "forbid", path, "4", "1", "3"]);
    let expected = "forbidden: 1 A - 3 C\nforbidden: 1 A - 4 D\nforbidden: 3 C - 4 D\n";
    assert_eq!(out, expected);
    // Each pair counts once.
    assert_eq!(ok(&["tournament", "forbid", path, "1", "3"]), expected);
    let pairs = ok(&["tournament", "pair", path, "--csv", "--absent", "4"]);
    assert!(pairs.contains(",A,,2,B\n") || pairs.contains(",B,,1,A\n"), "{pairs}");
    let out = ok(&["tournament", "forbid", path, "3", "1", "--undo"]);
    assert_eq!(out, "forbidden: 1 A - 4 D\nforbidden: 3 C - 4 D\n");
    let stored = fs::read_to_string(path).expect("the report");
    assert!(stored.contains("XXP 1 4\nXXP 3 4\n001") && !stored.contains("XXP 4 1 3"), "{stored}");
    for (arguments, expected) in [
        (&["1", "3", "--undo"][..], "the pairing of players 1 and 3 is not forbidden"),
        (&["1", "5"], "there is no player 5"),
        (&["1", "1"], "name two or more different players"),
    ] {
        let (code, _, errors) = run(&[&["tournament", "forbid", path], arguments].concat(), "");
        assert!(code == Some(1) && errors.contains(expected), "{errors}");
    }
}

/// The code 260 forbids pairings in some rounds. Without it, round 1 is 1-3 and 2-4.
#[test]
fn pairings_are_forbidden_in_some_rounds() {
    let folder = tempfile::tempdir().expect("a folder");
    let path: &str = &new_tournament(folder.path(), "A;4\nB;3\nC;2\nD;1\n", &["--rounds", "3"]);
    let report = fs::read_to_string(path).expect("the report");
    let with = |line: &str| {
        let text = report.replace("XXR", &format!("{line}\nXXR"));
        file(folder.path(), "forbidden.trf", &text)
    };
    for (line, opponent) in [
        ("260   1   1    1    3", "4 w"),
        ("260   2   3    1    3", "3 w"),
        ("260              1    3", "4 w"),
    ] {
        let path = with(line);
        ok(&["tournament", "pair", &path]);
        assert!(rounds(&path)[0].starts_with(opponent), "{line}: {:?}", rounds(&path));
        assert!(fs::read_to_string(&path).expect("the report").contains(&format!("{line}\n")));
    }
    let path = with("260   2   3    1    3");
    ok(&["tournament", "pair", &path]);
    ok(&["tournament", "enter", &path, "1:=", "2:="]);
    // The new player gets number 1, so the other players are renumbered.
    ok(&["tournament", "add", &path, "E;5"]);
    let stored = fs::read_to_string(&path).expect("the report");
    assert!(stored.contains("260   2   3    2    4\n"), "{stored}");
    let out = ok(&["tournament", "forbid", &path]);
    assert_eq!(out, "forbidden in rounds 2 to 3: 2 A - 4 C\n");
    let path = with("260   2   3    1    3");
    let (code, _, errors) = run(&["tournament", "forbid", &path, "3", "1", "--undo"], "");
    let expected =
        "the pairing of players 1 and 3 is forbidden by a line with code 260 (rounds 2 to 3)";
    assert!(code == Some(1) && errors.contains(expected), "{errors}");
}

/// The error names a forbidden pairing, not a repeated one, because the players have not yet played
/// each other.
#[test]
fn breaches_name_forbidden_pairings() {
    let folder = tempfile::tempdir().expect("a folder");
    let path: &str = &new_tournament(folder.path(), "Anna\nBen\n", &["--rounds", "1"]);
    ok(&["tournament", "forbid", path, "1", "2"]);
    let (code, _, errors) = run(&["tournament", "pair", path], "");
    assert_eq!(code, Some(1), "{errors}");
    assert!(errors.contains("nothing is stored: the pairing of "), "{errors}");
    assert!(errors.contains(" is forbidden; --force stores"), "{errors}");
}

#[test]
fn lists_are_printed_as_pages_and_cross_tables() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = &file(folder.path(), "club.trf", &REPORT.replace("Birch, Ben", "B<i>, Ben "));
    let table = ok(&["tournament", "crosstable", path, "--to", "csv"]);
    let expected = "\
rank,no.,name,rating,R1,R2,R3,points
1,1,\"Alder, Anna\",2400,5w1,3b1,2w½,2.5
2,2,\"B<i>, Ben\",2300,6b1,4w½,1b½,2.0
3,4,\"Damson, Dirk\",2100,bye 1,2b½,8-,1.5
";
    assert!(table.starts_with(expected), "{table}");
    for list in ["crosstable", "standings", "round", "players"] {
        let page = ok(&["tournament", list, path, "--to", "html"]);
        assert!(page.starts_with("<!doctype html>") && page.contains("size: A4"), "{page}");
        assert!(
            page.contains("<h1>Club evening</h1>") && page.contains("B&lt;i&gt;, Ben"),
            "{page}"
        );
        assert!(!page.contains("<script") && !page.contains("http"), "{page}");
    }
}

/// Returns the report of a random tournament in which players are absent, request byes or do not
/// show up.
fn random_report(players: usize, rounds: usize, rng: &mut Rng) -> String {
    let person =
        |n: usize| format!("Player {n};{}", 2800 - n).parse::<Registration>().expect("a player");
    let people = (1..=players).map(person).collect();
    let header = Header { event: "Random".to_owned(), ..Header::default() };
    let mut report = Report::new(&header, Some(rounds), people).expect("a tournament");
    for round in 0..rounds {
        for (letter, percent) in [('Z', 6), ('H', 6), ('F', 1)] {
            let players: Vec<usize> = (0..players).filter(|_| rng.below(100) < percent).collect();
            report.announce_byes(&players, letter).expect("players");
        }
        if report.pair(false).is_err() {
            break;
        }
        for board in 0..report.boards(round).len() {
            let result = match rng.below(100) {
                0..=3 => "+-",
                4..=6 => "-+",
                7 => "--",
                8..=40 => "1-0",
                41..=70 => "1/2",
                _ => "0-1",
            };
            let result: BoardResult = result.parse().expect("a result");
            report.enter(round, board, result).expect("a board");
        }
    }
    report.to_string()
}

/// Writes tournaments to be checked with `bbpPairings --dutch FILE -c`.
#[test]
#[ignore = "needs ADOUBE_TRF, an output folder for a client"]
fn tournaments_of_people_for_others() {
    let folder = env::var("ADOUBE_TRF").expect("ADOUBE_TRF names a folder");
    fs::create_dir_all(&folder).expect("the folder can be made");
    let count: usize = env::var("ADOUBE_TRF_COUNT").map_or(60, |n| n.parse().expect("a number"));
    let mut rng = Rng::new(5);
    for n in 0..count {
        let players = 6 + rng.below(35);
        let rounds = 2 + rng.below(8.min(players / 2));
        let text = random_report(players, rounds, &mut rng);
        fs::write(format!("{folder}/people-{n}.trf"), text).expect("the file can be written");
    }
}
