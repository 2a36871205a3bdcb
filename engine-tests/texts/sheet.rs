//! Score sheets (W-05): they round-trip in every notation, and the two sheets of a game can be
//! merged despite omissions and errors.

use crate::support::program::run;
use adoube::base::game::Game;
use adoube::base::rng::Rng;
use adoube::base::side::Side;
use adoube::chess::notation::Notation;
use adoube::draughts::sheet::Numeric;
use adoube::record::games::{Record, Recorded};
use adoube::record::sheet::compare::{CompareError, Fault, Which, compare};
use adoube::record::sheet::{Entry, Notate, Reader, Sheet};
use adoube::{chess, draughts};
use proptest::prelude::*;
use std::fs;
use std::time::Duration;

fn notation(name: &str) -> Notation {
    name.parse().unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn read_all<P: Recorded, N: Notate<P>>(text: &str, notation: N) -> Vec<Result<Sheet<N>, String>> {
    let reader = Reader::<P, N, _>::new(text.as_bytes(), notation);
    reader.map(|sheet| sheet.map_err(|e| e.to_string())).collect()
}

fn chess_sheet(text: &str) -> Sheet<Notation> {
    let mut sheets = read_all::<chess::Position, _>(text, notation("san"));
    assert_eq!(sheets.len(), 1, "{sheets:?}");
    sheets.pop().expect("one").unwrap_or_else(|e| panic!("{e}"))
}

fn replay(sheet: &Sheet<Notation>) -> Result<chess::pgn::Game, String> {
    sheet.replay().map_err(|e| e.to_string())
}

/// Returns a random game with some glyphs, draw offers and clock times, but without comments or
/// variations.
fn random_game<P: Recorded>(plies: usize, rng: &mut Rng) -> Record<P> {
    let mut game = Record::<P>::new();
    for ply in 0..plies {
        let moves = game.position().moves();
        let Some(&m) = moves.get(rng.below(moves.len())) else { break };
        game.push(m, "").expect("legal");
        let node = game.node_mut(ply).expect("just made");
        if rng.below(10) == 0 {
            node.nags.push(1 + rng.below(6) as u16);
        }
        if rng.below(20) == 0 {
            node.comments.push("(=)".to_owned());
        }
        if rng.below(3) == 0 {
            let seconds = rng.below(10_000);
            let (h, m, s) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
            node.comments.push(format!("[%clk {h}:{m:02}:{s:02}]"));
        }
    }
    game
}

#[test]
fn w_05_reads_the_printed_sample_game_of_17() {
    let text = "Notation: fr\n1. e4 e5 2. Cf3 Cf6 3. d4 exd4 4. e5 Ce4 5. Dxd4 d5 6. exd6 e.p. Cxd6 7. \
                Fg5 Cc6 8. De3+ Fe7 9. Cbd2 0-0 10. 0-0-0 Te8 11. Rb1(=)";
    let sheet = chess_sheet(text);
    assert_eq!(sheet.entries.len(), 21);
    let game = replay(&sheet).expect("a game");
    let texts: Vec<_> = (0..21).map(|i| sheet.entries[i].text.as_str()).collect();
    assert_eq!(texts[10..12], ["exd6 e.p.", "Cxd6"]);
    assert_eq!(game.line().moves[20].comments, ["(=)"]);
    assert!(game.to_string().contains("9. Nbd2 O-O 10. O-O-O Re8 11. Kb1 {(=)} *"), "{game}");
}

#[test]
fn w_05_sheet_has_headings_columns_times_offers_and_result() {
    let text = "\u{feff}White: Anna\nBlack: Boris\nNotation: descriptive:fr\n\n\
                1. P 4 R  1:59   P 4 R 1:58:30\n\
                2.\tC 3 FR\tC 3 FD (=)\n\
                3. F 5 CD ! | P 3 TD ?\n\
                4. F pr. C P D pr. F\n\
                \u{bd}\n";
    // The result in the last line is not valid in PGN.
    let sheets = read_all::<chess::Position, _>(text, notation("san"));
    assert!(
        sheets[0].as_ref().is_err_and(|e| e.starts_with("line 9: '\u{bd}' is not 'Name: value'")),
        "{sheets:?}"
    );
    let sheet = chess_sheet(&text.replace('\u{bd}', "1/2-1/2"));
    assert_eq!(sheet.head("Black"), Some("Boris"));
    assert_eq!(sheet.entries[1].time, Some(Duration::from_secs(7110)));
    assert_eq!(sheet.entries[6].text, "F pr. C");
    let game = replay(&sheet).expect("a game");
    assert!(game.to_string().ends_with(
        "1. e4 {[%clk 1:59:00]} 1... e5 {[%clk 1:58:30]} 2. Nf3 Nc6 {(=)} 3. Bb5 $1 a6\n$2 4. Bxc6 dxc6 1/2-1/2\n\n"
    ), "{game}");
}

#[test]
fn w_05_sheets_have_no_fractions_of_a_second() {
    let game = "1. e4 {[%clk 0:09:58.5]} *".parse::<chess::pgn::Game>().expect("a game");
    let sheet = Sheet::of(&game, notation("san"));
    assert_eq!(sheet.entries[0].time, Some(Duration::from_secs(598)));
}

#[test]
fn w_05_pawn_captures_need_no_rank() {
    let text = "Notation: de\n1. e4 d5\n2. ed c5\n3. d:c: bc\n4. Sf3 e6\n";
    let game = replay(&chess_sheet(text)).expect("a game");
    assert!(game.to_string().contains("2. exd5 c5 3. dxc6 bxc6 4. Nf3"), "{game}");
}

/// In chess, a star after the last move is the result of an unfinished game. In draughts, the star
/// annotates the move.
#[test]
fn w_05_a_star_ends_a_chess_game() {
    for text in
        ["1. e4 e5 *", "1. e4 e5\n2. *", "1. e4\te5\t*", "Notation: descriptive:en\n1. P-K4 P-K4 *"]
    {
        let sheet = chess_sheet(&format!("White: A\n{text}\n"));
        assert_eq!((sheet.entries.len(), sheet.result.as_str()), (2, "*"), "{text}");
        assert_eq!(replay(&sheet).expect(text).line().moves.len(), 2, "{text}");
    }
    let sheets = read_all::<chess::Position, _>("1. e4 *\n\n1. d4 d5 *\n", notation("san"));
    let entries = sheets.iter().map(|sheet| sheet.as_ref().map(|sheet| sheet.entries.len()));
    assert_eq!(entries.collect::<Vec<_>>(), [Ok(1), Ok(2)], "{sheets:?}");
    let sheets = read_all::<draughts::Position, _>("1. 32-28 19-23 *\n", Numeric);
    let Ok(sheet) = &sheets[0] else { panic!("{sheets:?}") };
    assert_eq!((sheet.entries[1].text.as_str(), sheet.result.as_str()), ("19-23 *", ""));
}

#[test]
fn w_05_games_round_trip_as_sheets() {
    let mut rng = Rng::new(31);
    let names = [
        "san",
        "fr",
        "de:long",
        "fr:1930",
        "fr:1928:long",
        "ru",
        "figurine",
        "descriptive:fr",
        "descriptive:en",
        "spoken",
        "spoken:short",
    ];
    for name in names {
        let mut text = String::new();
        let mut games = Vec::new();
        for i in 0..20 {
            let mut game: chess::pgn::Game = random_game(rng.below(120), &mut rng);
            game.set_tag("White", &format!("Player {i}"));
            game.result = [chess::pgn::GameResult::Draw, chess::pgn::GameResult::Unknown][i % 2];
            text.push_str(&Sheet::of(&game, notation(name)).to_string());
            games.push(game);
        }
        let sheets = read_all::<chess::Position, _>(&text, notation("san"));
        assert_eq!(sheets.len(), games.len(), "{name}");
        for (sheet, game) in sheets.into_iter().zip(games) {
            let sheet = sheet.unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!(sheet.notation, notation(name));
            assert_eq!(replay(&sheet).as_ref(), Ok(&game), "{name}");
        }
    }
    for _ in 0..50 {
        let mut game: draughts::pdn::Game = random_game(rng.below(120), &mut rng);
        game.result = draughts::pdn::GameResult::BlackWins;
        let sheet = Sheet::of(&game, Numeric);
        let read = read_all::<draughts::Position, _>(&sheet.to_string(), Numeric).pop();
        let read = read.expect("one").unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(read.replay().map_err(|e| e.to_string()), Ok(game));
    }
}

#[test]
fn w_07_draughts_sheets_use_the_signs_of_chapter_9() {
    let text =
        "1. 32-28! 19-23*\n2. 28x19 +1 14x23 a.l.\n3. 33-28 ?! 23x32 (=)\n4. 37x28  =\n1-1\n";
    let sheet =
        read_all::<draughts::Position, _>(text, Numeric).pop().expect("one").expect("a sheet");
    let game: draughts::pdn::Game = sheet.replay().unwrap_or_else(|e| panic!("{e}"));
    let nodes = &game.line().moves;
    assert_eq!((nodes[0].nags[0], nodes[1].nags[0], nodes[4].nags[0]), (1, 7, 6));
    assert_eq!(
        (&nodes[2].comments[0], &nodes[3].comments[0]),
        (&"+1".to_owned(), &"a.l.".to_owned())
    );
    let again = Sheet::of(&game, Numeric).to_string();
    let again =
        read_all::<draughts::Position, _>(&again, Numeric).pop().expect("one").expect("a sheet");
    let texts =
        |sheet: &Sheet<Numeric>| sheet.entries.iter().map(|e| e.text.clone()).collect::<Vec<_>>();
    assert_eq!(
        texts(&again),
        ["32-28!", "19-23*", "28x19 +1", "14x23 a.l.", "33-28?!", "23x32 (=)", "37x28 ="]
    );
}

#[test]
fn rejects_wrong_sheets_by_line_and_reads_on() {
    for (text, part) in [
        ("1. e4 e5\nhello\n*", "line 2: 'hello' is not 'Name"),
        ("Notation: klingon\n1. e4 e5\n", "line 1: 'klingon' is not a known language"),
        ("1. e4 e5 Nf3\n", "line 1: 'e4 e5 Nf3' cannot be split into one or two moves"),
        ("1. 0:05 e4\n", "line 1: '0:05 e4' cannot be split"),
        ("1. e4  e5  Nf3\n", "line 1: "),
        ("99999999999. e4\n", "line 1: '99999999999' is not a valid move number"),
    ] {
        let sheets = read_all::<chess::Position, _>(
            &format!("{text}\n1-0\n\nWhite: B\n1. d4 d5\n1-0\n"),
            notation("san"),
        );
        let error = sheets.iter().find_map(|sheet| sheet.as_ref().err()).expect(text);
        assert!(error.contains(part), "{text}: {error}");
        let last = sheets.last().expect("some").as_ref().unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!((last.head("White"), last.entries.len()), (Some("B"), 2), "{text}: {sheets:?}");
    }
    for (text, part) in [
        ("1. e4 e5\n2. ? Nc6", "line 2: White's move 2 is missing"),
        ("1. e4\n2. Nf3", "line 2: White's move 2 is given where Black is to move"),
        ("1. e4 e5\n2. Ke3", "line 2: 'Ke3' is not legal"),
        ("1. Nf3 d5\n2. Nc3 d4\n3. Ne4 a6\n4. Ng5", "line 4: 'Ng5' is ambiguous"),
        ("FEN: 8/8\n1. e4", "FEN tag"),
    ] {
        let error = replay(&chess_sheet(text)).expect_err(text);
        assert!(error.contains(part), "{text}: {error}");
    }
}

/// Returns two error-free sheets of a game.
fn two_sheets(game: &chess::pgn::Game) -> [Sheet<Notation>; 2] {
    let sheets = [Sheet::of(game, notation("fr")), Sheet::of(game, notation("descriptive:en"))];
    sheets.map(|mut sheet| {
        sheet.result = "1-0".to_owned();
        sheet
    })
}

#[test]
fn a_draw_in_draughts_follows_the_last_move() {
    for (row, moves) in
        [("2. 28x19 14x23 1-1", 4), ("2. 28x19  14x23  1-1", 4), ("2. 28x19 1-1", 3), ("2. 1-1", 2)]
    {
        let text = format!("1. 32-28 19-23\n{row}\n");
        let sheet = Reader::<draughts::Position, _, _>::new(text.as_bytes(), Numeric).next();
        let sheet = sheet.expect("a sheet").unwrap_or_else(|error| panic!("{row}: {error}"));
        assert_eq!((sheet.entries.len(), sheet.result.as_str()), (moves, "1-1"), "{row}");
    }
}

#[test]
fn accepts_headers_and_results_in_other_languages() {
    for (text, result) in [
        ("Weiß: Anna\nSchwarz: Boris\nErgebnis: 1-0\n\n1. e4 e5\n", "1-0"),
        ("WEISS: Anna\nSCHWARZ: Boris\n\n1. e4 e5\nErgebnis: remis\n", "1/2-1/2"),
        ("Blancs: Anna\nNoirs: Boris\n\n1. e4 e5\npartie nulle\n", "1/2-1/2"),
        ("Wit: Anna\nZwart: Boris\nUitslag: 0-1\n\n1. e4 e5\n*\n", "0-1"),
        ("Blancas: Anna\nNegras: Boris\nResultado: 1-0\n\n1. e4 e5 tablas\n", "1/2-1/2"),
        ("Bianco: Anna\nNero: Boris\nRisultato: ?\n\n1. e4 e5 Patta.\n", "1/2-1/2"),
        ("Blancs: Anna\nNoirs: Boris\n\n1. e4 e5 partie nulle\n", "1/2-1/2"),
        ("Weiß: Anna\nSchwarz: Boris\n\n1. e4 e5\nErgebnis: ?\n", "*"),
        ("Weiß: Anna\nSchwarz: Boris\n\n1. e4 e5\n*\nErgebnis: 0-1\n", "0-1"),
    ] {
        let game = replay(&chess_sheet(text)).unwrap_or_else(|error| panic!("{text}: {error}"));
        let players = (game.tag("White"), game.tag("Black"));
        assert_eq!(players, (Some("Anna"), Some("Boris")), "{text}");
        assert_eq!(
            (game.moves().count(), game.result.to_string()),
            (2, result.to_owned()),
            "{text}"
        );
    }
    // A result under the moves ends a sheet.
    let text = "Weiß: A\n1. e4 e5\nErgebnis: 1-0\n\nWeiß: B\n1. d4 d5\nErgebnis: Sieg\n";
    let sheets = read_all::<chess::Position, _>(text, notation("de"));
    let sheets: Vec<_> = sheets.into_iter().map(|sheet| sheet.expect("readable")).collect();
    assert_eq!(sheets.iter().map(|s| s.head("White")).collect::<Vec<_>>(), [Some("A"), Some("B")]);
    assert_eq!(replay(&sheets[1]), Err("'Sieg' is not a result".to_owned()));
    // A result that is given again belongs to the same sheet.
    let text = "Weiß: A\n1. e4 e5 1-0\n\nErgebnis: 1-0\nWeiß: B\n1. d4 d5\n";
    let sheets = read_all::<chess::Position, _>(text, notation("de"));
    let results = sheets.into_iter().map(|sheet| sheet.expect("readable").result);
    assert_eq!(results.collect::<Vec<_>>(), ["1-0", ""]);
    let draughts = "Wit: A\n1. 32-28, 19-23\nremise\n";
    let sheet = read_all::<draughts::Position, _>(draughts, Numeric).pop().expect("one");
    let game: draughts::pdn::Game = sheet.expect("readable").replay().expect("a game");
    assert_eq!((game.moves().count(), game.result), (2, draughts::pdn::GameResult::Draw));
}

#[test]
fn a_comma_or_a_footnote_star_can_follow_a_move() {
    for row in ["1. e4, e5", "1. e4 , e5,", "1. e4,\te5", "1. e4, 1:59, e5, 1:58", "1. e4!*, e5*"] {
        let text = format!("Notation: de\n{row}\n2. Sf3, Sc6, 1-0\n");
        let game = replay(&chess_sheet(&text)).unwrap_or_else(|error| panic!("{row}: {error}"));
        assert_eq!((game.moves().count(), game.result.to_string()), (4, "1-0".to_owned()), "{row}");
    }
    let error = replay(&chess_sheet("1. e4, Ke4,\n")).expect_err("illegal");
    assert!(error.starts_with("line 1: 'Ke4' is not legal"), "{error}");
}

#[test]
fn a_column_of_several_words_is_a_move_only_next_to_another_move() {
    let read = |text: &str| {
        let sheets = Reader::<chess::Position, _, _>::new(text.as_bytes(), notation("san"));
        sheets.map(|sheet| sheet.map(|sheet| sheet.entries.len())).collect::<Vec<_>>()
    };
    assert!(matches!(read("1. e4 . c3  e5  1-0")[..], [Ok(2)]));
    for text in ["1. e4 . c3", "1. e4 . c3  1-0", "1. e4 . c3  0:05"] {
        assert!(matches!(read(text)[..], [Err(_)]), "{text}");
    }
}

#[test]
fn w_05_correct_sheets_agree() {
    let mut rng = Rng::new(41);
    for _ in 0..20 {
        let game = random_game(rng.below(150), &mut rng);
        let [a, b] = two_sheets(&game);
        let compared = compare::<chess::Position, _, _>(&a, &b).unwrap_or_else(|e| panic!("{e}"));
        assert!(compared.moves.iter().copied().eq(game.moves()) && compared.alternative.is_none());
        assert_eq!(compared.differences, []);
    }
}

/// Introduces an error of kind `how` at one entry of a sheet. Returns the fault that a comparison
/// must report.
fn spoil(sheet: &mut Sheet<Notation>, at: usize, how: usize) -> Fault {
    match how {
        0 => {
            sheet.entries.remove(at);
            Fault::LeftOut
        }
        1 => {
            sheet.entries[at].text.clear();
            Fault::Blank
        }
        2 => {
            sheet.entries[at].text = "Xy9".to_owned();
            Fault::Unreadable
        }
        _ => {
            sheet.entries.truncate(at);
            Fault::Ended
        }
    }
}

#[test]
fn w_05_locates_one_error_and_rebuilds_the_game() {
    let mut rng = Rng::new(43);
    let mut seen = [0; 4];
    for i in 0..160 {
        let game: chess::pgn::Game = random_game(20 + rng.below(80), &mut rng);
        let mut sheets = two_sheets(&game);
        let (which, how) = (i % 2, rng.below(4));
        let at = rng.below(sheets[which].entries.len() - 1);
        let fault = spoil(&mut sheets[which], at, how);
        let [a, b] = &sheets;
        let compared = compare::<chess::Position, _, _>(a, b).unwrap_or_else(|e| panic!("{e}"));
        assert!(compared.moves.iter().copied().eq(game.moves()), "{fault:?} at {at}\n{game}");
        let first = &compared.differences[0];
        assert_eq!(first.sheet, Which::BOTH[which], "{game}");
        assert_eq!(first.fault, fault, "{game}");
        let count = if fault == Fault::Ended { game.moves().count() - at } else { 1 };
        assert_eq!(compared.differences.len(), count, "{fault:?} at {at}\n{game}");
        // The sheets cannot show which of several identical moves was omitted.
        assert!(first.ply == at || fault == Fault::LeftOut, "{first:?} {at}\n{game}");
        seen[how] += 1;
    }
    assert!(seen.iter().all(|n| *n > 20), "{seen:?}");
}

/// Each sheet has four errors. The running time must not grow with the number of possible
/// combinations of errors.
#[test]
fn w_05_reports_many_errors_and_rebuilds_the_game() {
    let mut rng = Rng::new(8);
    let mut right = 0;
    for _ in 0..10 {
        let game: chess::pgn::Game = random_game(80, &mut rng);
        let mut sheets = two_sheets(&game);
        let moves = game.moves().count();
        for sheet in &mut sheets {
            for part in (0..4).rev() {
                let at = part * moves / 4 + rng.below(moves / 4);
                spoil(sheet, at, rng.below(3));
            }
        }
        let [a, b] = &sheets;
        let compared = compare::<chess::Position, _, _>(a, b).unwrap_or_else(|e| panic!("{e}"));
        right += usize::from(compared.moves.iter().copied().eq(game.moves()));
    }
    // If both sheets are wrong at the same entry, the move cannot be recovered.
    assert!(right >= 8, "{right} of 10");
}

#[test]
fn w_05_rejects_sheets_of_two_games_quickly() {
    let mut rng = Rng::new(6);
    for plies in [10, 40, 80] {
        let games: [chess::pgn::Game; 2] = [0, 1].map(|_| random_game(plies, &mut rng));
        let [a, b] = games.map(|game| Sheet::of(&game, notation("san")));
        let error = compare::<chess::Position, _, _>(&a, &b).expect_err("two games");
        assert!(matches!(error, CompareError::TooDifferent(_)), "{plies}: {error}");
        assert!(error.to_string().contains("too much to be from the same game: "), "{error}");
    }
}

#[test]
fn w_05_handles_an_omitted_row_and_wrong_moves() {
    // White omits the fourth row; Black writes Nd7 for Nbd7, and Nc3 although Nd2 was played.
    let white = chess_sheet(
        "1. e4 c6 2. d4 d5 3. Nd2 dxe4 4. Ngf3 Ngf6 5. Nxf6+ Nxf6 6. Bc4 Bf5 7. O-O e6 8. c3 Be7",
    );
    let black = chess_sheet(
        "1. e4 c6 2. d4 d5 3. Nc3 dxe4 4. Nxe4 Nd7 5. Nf3 Nf6 6. Nxf6+ Nxf6 7. Bc4 Bf5 8. O-O e6 9. c3 Be7 (=)",
    );
    let compared =
        compare::<chess::Position, _, _>(&white, &black).unwrap_or_else(|e| panic!("{e}"));
    let mut position = chess::Position::start();
    let mut texts = Vec::new();
    for &m in &compared.moves {
        texts.push(position.san(m));
        position = position.play(m);
    }
    assert_eq!(
        texts.join(" "),
        "e4 c6 d4 d5 Nd2 dxe4 Nxe4 Nd7 Nf3 Ngf6 Nxf6+ Nxf6 Bc4 Bf5 O-O e6 c3 Be7"
    );
    let found: Vec<_> = compared.differences.iter().map(|d| (d.ply, d.sheet, d.fault)).collect();
    assert_eq!(
        found[..3],
        [
            (4, Which::Second, Fault::Other),
            (6, Which::First, Fault::LeftOut),
            (7, Which::First, Fault::LeftOut),
        ],
        "{found:?}"
    );
}

#[test]
fn w_05_accepts_a_row_omitted_at_the_end() {
    let white = chess_sheet("Notation: fr\n1. e4 c6 2. d4 d5 3. Cd2 dxe4 4. Cf3 Cgf6");
    let black = chess_sheet("Notation: de\n1. e4 c6 2. d4 d5 3. Sd2 dxe4 4. Sxe4 Sd7 5. Sf3 Sgf6");
    let compared =
        compare::<chess::Position, _, _>(&white, &black).unwrap_or_else(|e| panic!("{e}"));
    let found: Vec<_> = compared.differences.iter().map(|d| (d.ply, d.sheet, d.fault)).collect();
    let out = |ply| (ply, Which::First, Fault::LeftOut);
    assert_eq!((found, compared.alternative), (vec![out(6), out(7)], None));
}

#[test]
fn w_05_marks_moves_that_neither_sheet_has() {
    let white = chess_sheet("1. e4 e5 2. Xy9 Nc6 3. Bb5 a6");
    let black = chess_sheet("1. e4 e5 2. ? Nc6 3. Bb5 a6");
    let compared =
        compare::<chess::Position, _, _>(&white, &black).unwrap_or_else(|e| panic!("{e}"));
    let marked: Vec<bool> = (0..=6).map(|ply| compared.is_reconstructed(ply)).collect();
    assert_eq!(marked, [false, false, true, false, false, false, false]);
    assert!(compared.alternative.is_some());
    let mut position = chess::Position::start();
    for &m in &compared.moves {
        assert!(position.moves().contains(&m), "{m}");
        position = position.play(m);
    }
}

/// Without a line `Notation`, the letters of each sheet decide.
#[test]
fn sheet_compare_detects_the_notation() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("written");
        path.to_str().expect("plain").to_owned()
    };
    let sheets = [
        ("fr", "1. e4  e5\n2. Cf3  Cc6\n3. Fb5  a6\n4. Fxc6  dxc6\n5. 0-0  Dd6\n"),
        ("de", "1. e4  e5\n2. Sf3  Sc6\n3. Lb5  a6\n4. Lxc6  dxc6\n5. 0-0  Dd6\n"),
        ("en:pgn", "1. e4  e5\n2. Nf3  Nc6\n3. Bb5  a6\n4. Bxc6  dxc6\n5. O-O  Qd6\n"),
        (
            "descriptive:en",
            "1. P-K4  P-K4\n2. N-KB3  N-QB3\n3. B-N5  P-QR3\n4. BxN  QPxB\n5. O-O  Q-Q3\n",
        ),
        (
            "descriptive:fr",
            "1. P 4 R  P 4 R\n2. C 3 FR  C 3 FD\n3. F 5 C  P 3 TD\n4. F pr. C  PD pr. F\n\
             5. Roq TR  D 3 D\n",
        ),
    ];
    let files = sheets.map(|(name, text)| (name, file(&name.replace(':', "-"), text)));
    for (name, first) in &files {
        for (_, second) in &files {
            let (code, out, errors) = run(&["sheet", "compare", first, second], "");
            assert_eq!(code, Some(0), "{first} {second}: {out}{errors}");
            assert!(out.contains(&format!("\nNotation: {name}\n")), "{first} {second}: {out}");
        }
    }
    let line = file("line", "1. P-K4 P-K4 2. N-KB3 N-QB3 3. B-N5 P-QR3\n");
    let (code, out, errors) = run(&["convert", "--to", "uci", &line], "");
    let moves = "position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6\n";
    assert_eq!((code, out.as_str()), (Some(0), moves), "{errors}");
    let (gap, other) =
        (file("gap", "1. e4  e5\n2. ?  Nc6\n"), file("gap2", "1. e4  e5\n2. Xy9  Nc6\n"));
    let (code, out, _) = run(&["sheet", "compare", &gap, &other, "--to", "pgn"], "");
    assert_eq!(code, Some(1));
    assert!(out.contains(": reconstructed, because neither sheet has a move that fits\n"), "{out}");
    assert!(out.contains("{reconstructed}"), "{out}");
}

#[test]
fn w_05_reports_undecidable_sheets() {
    let white = chess_sheet("1. e4 e5 2. a3 h6");
    let black = chess_sheet("1. e4 e5 2. b3 h6");
    let compared =
        compare::<chess::Position, _, _>(&white, &black).unwrap_or_else(|e| panic!("{e}"));
    assert!(compared.alternative.is_some());
    let other = chess_sheet("FEN: 4k3/8/8/8/8/8/8/4K2R w K - 0 1\n1. O-O Ke7");
    assert!(compare::<chess::Position, _, _>(&white, &other).is_err());
    // The sheets of different games have only the start position in common.
    let random: chess::pgn::Game = random_game(60, &mut Rng::new(3));
    let [a, _] = two_sheets(&random);
    let [_, b] = two_sheets(&random_game(60, &mut Rng::new(4)));
    if let Ok(compared) = compare::<chess::Position, _, _>(&a, &b) {
        assert!(compared.differences.len() > 20);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// Parsing never panics: any text is a sheet or an error, and any sheet is a game or an error.
    #[test]
    fn parses_any_text_without_panic(
        rows in prop::collection::vec(
            "(([A-Z][a-z]{2,8}: \\PC{0,10})|(Notation: (fr|spoken|descriptive|x))|\
             ([0-9]{1,12}\\.{1,3} ?[RDTFCa-h1-8xO0?|\\t :()=!-]{0,30})|(1-0|\\*|0-0)|\\PC{0,30})",
            0..12,
        ),
    ) {
        let text = rows.join("\n");
        for sheet in read_all::<chess::Position, _>(&text, notation("san")).into_iter().flatten() {
            let _ = replay(&sheet);
            let written = sheet.to_string();
            let again = read_all::<chess::Position, _>(&written, notation("san"));
            prop_assert!(!again.is_empty());
            let _ = compare::<chess::Position, _, _>(&sheet, &sheet);
        }
        for sheet in read_all::<draughts::Position, _>(&text, Numeric).into_iter().flatten() {
            let _ = sheet.replay::<draughts::Position>();
        }
    }

    /// Readable entries round-trip.
    #[test]
    fn sheets_round_trip(
        entries in prop::collection::vec((0_usize..5, prop::option::of(0_u64..100_000)), 0..20),
        black in any::<bool>(),
    ) {
        let mut sheet = chess_sheet("White: A\n1. e4");
        sheet.entries.clear();
        for (i, (text, time)) in entries.into_iter().enumerate() {
            let ply = i + usize::from(black);
            let side = if ply % 2 == 0 { Side::White } else { Side::Black };
            let text = ["e4", "exd6 e.p.", "", "Xy9", "O-O !? (=)"][text].to_owned();
            sheet.entries.push(Entry {
                line: 0, number: 1 + ply as u32 / 2, side, text, time: time.map(Duration::from_secs),
            });
        }
        sheet.result = "*".to_owned();
        let mut again = chess_sheet(&sheet.to_string());
        again.entries.iter_mut().for_each(|entry| entry.line = 0);
        prop_assert_eq!(again, sheet);
    }
}
