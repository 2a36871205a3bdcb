//! Tests of the referee's answers other than rulings: the state of the game, errors and possible
//! events.

use adoube::base::side::Side;
use adoube::laws::any::AnyReferee;
use adoube::laws::edition::Edition;
use adoube::laws::language::InFrench as _;
use adoube::laws::regulations::{Regulations, read_time};

/// Applies the lines to a new referee with a clock, and returns the referee.
fn referee(edition: Edition, lines: &[&str]) -> AnyReferee {
    let time = read_time("5400+30").expect("it is a time control");
    let rules = Regulations { time: Some(time), ..Regulations::default() };
    let mut referee = AnyReferee::new(edition, rules);
    for line in lines {
        referee.line(line).unwrap_or_else(|error| panic!("{line}: {error}"));
    }
    referee
}

#[test]
fn facts_contain_the_actual_position() {
    for (edition, lines, position, to_move) in [
        // Black has not parried the check, so the position on the board is illegal.
        (
            Edition::Fide2009,
            &["moves e2e4 f7f6 d1h5", "black illegal a7 a6"][..],
            "rnbqkbnr/1pppp1pp/p4p2/7Q/4P3/8/PPPP1PPP/RNB1KBNR w KQkq - 0 3",
            Side::White,
        ),
        (
            Edition::Fide1930,
            &["white illegal e1 e3"],
            "rnbqkbnr/pppppppp/8/8/8/4K3/PPPPPPPP/RNBQ1BNR b kq - 1 1",
            Side::Black,
        ),
        // An illegal move after another illegal move.
        (
            Edition::Fide2009,
            &["white illegal e2 e5", "white press +1", "black illegal e7 e5", "black press +1"],
            "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
            Side::White,
        ),
        // White is in check and has pressed the clock without a move. With Black to move, the
        // position is illegal.
        (
            Edition::Fide2023,
            &[
                "setup rnb1kbnr/pppp1ppp/8/4p3/4PP2/5Nq1/PPPP3P/RNBQKB1R w KQkq - 0 4",
                "white press",
            ],
            "rnb1kbnr/pppp1ppp/8/4p3/4PP2/5Nq1/PPPP3P/RNBQKB1R b KQkq - 0 4",
            Side::Black,
        ),
        // White has changed the draughts position irregularly, and Black may reply.
        (Edition::Fmjd, &["white irregular B:W32:B19"], "B:W32:B19", Side::Black),
    ] {
        let facts = referee(edition, lines).facts();
        assert_eq!((facts.position.as_str(), facts.to_move), (position, to_move), "{lines:?}");
    }
}

#[test]
fn castling_is_written_as_players_do() {
    let mut castles = referee(Edition::Fide2009, &["setup r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"]);
    for (touched, ruling) in [
        ("e1", "White must play e1d1, e1f1, e1d2, e1e2, e1f2, O-O-O or O-O"),
        ("h1", "castling by touch: White must play O-O (4.4 a)"),
    ] {
        let rulings = castles.line(&format!("white touch {touched}")).expect("it can be touched");
        assert!(rulings[0].to_string().contains(ruling), "{}", rulings[0]);
    }
    assert_eq!(castles.continuations("white move O").1, ["O-O-O", "O-O"]);
}

/// Returns the possible events listed in the error for the line `refused`.
fn possible(edition: Edition, lines: &[&str], refused: &str) -> String {
    let error = referee(edition, lines).line(refused).expect_err(refused).to_string();
    let (_, possible) = error.split_once("; possible now: ").unwrap_or_else(|| panic!("{error}"));
    possible.to_owned()
}

/// Regression test, found by fuzzing: a draughts player can remove a piece without a capture, and
/// the opponent then decides what happens (FMJD 5.4). Errors did not list this removal among the
/// possible events.
#[test]
fn errors_list_irregular_removals_at_draughts() {
    let events = possible(Edition::Fmjd, &[], "white remove 28");
    assert!(events.contains("remove"), "{events}");
    let draughts = referee(Edition::Fmjd, &[]);
    assert!(draughts.continuations("white remove 3").1.contains(&"31".to_owned()));
    let chess = possible(Edition::Fide2023, &[], "black remove e7");
    assert!(!chess.contains("remove"), "{chess}");
}

#[test]
fn errors_list_the_events_of_the_edition() {
    let mut wrong = Vec::new();
    for (edition, lines, refused, expected) in [
        (
            Edition::Fide2009,
            &[][..],
            "black press",
            "white release, move, press, illegal, hands; black out of turn; white or black touch, \
             brush, adjust, flag, offer, resign, claim repetition, claim fifty, claim winless, \
             claim flag, claim illegal, claim touch, stop, late, disobey, phone, exit, record, \
             clock, penalty, notice; both late, both disobey, both agree, both resign, flags, \
             stop, notice, adjourn, king misplaced, rook misplaced, setup",
        ),
        (
            Edition::Fide1928,
            &[],
            "black touch e7",
            "white touch, adjust, release, move, claim perpetual, illegal; white or black \
             flag, offer, resign, claim repetition, claim fifty, claim flag, claim illegal, claim \
             touch, demand, announce, stop, upset, leave, disobey, record, clock, notice; both \
             agree, both resign, stop, notice, adjourn, setup, odds",
        ),
        (
            Edition::Fmjd,
            &["moves 32-28 19-23"],
            "black remove 23",
            "white release, remove, move, unclear; black twice, retract; white or black touch, \
             adjust, press, flag, offer, resign, claim flag, irregular, light, disobey, record, \
             clock, notice; both agree, both resign, notice",
        ),
        (Edition::Fide2009, &["white resign"], "white offer", "white or black penalty"),
        (
            Edition::Fide1930,
            &["moves e2e4 d7d5", "white touch g1", "white touch d5"],
            "white move e4d5",
            "white press; black waive, choose piece, choose capture, choose king; white or black \
             touch, flag, offer, resign, claim flag, stop, upset, leave, disobey, record, clock; \
             both agree, both resign, stop",
        ),
        (
            Edition::Fide2009,
            &["adjourn"],
            "black press",
            "white move, claim repetition, claim fifty, claim winless, hands, seal; white or black flag, \
             offer, resign, claim flag, stop, disobey, phone, record, clock, penalty; both \
             disobey, both agree, both resign, stop",
        ),
        (
            Edition::Fide2009,
            &["white move e2e4", "white press +1", "black illegal d7 d4"],
            "white press",
            "white adjust; black release, press, late; white or black touch, brush, \
             move, flag, offer, resign, claim repetition, claim fifty, claim winless, claim flag, \
             claim illegal, claim touch, stop, illegal, hands, disobey, phone, exit, record, \
             clock, penalty, notice; both disobey, both agree, both resign, flags, stop, notice, \
             adjourn, king misplaced, rook misplaced",
        ),
    ] {
        let listed = possible(edition, lines, refused);
        if listed != expected {
            wrong.push(format!("{edition} {lines:?}: {listed}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The time to process a log line does not depend on the length of the game. Copies of a game share
/// their positions, and the search for repetitions stops at the last capture or pawn move.
#[test]
fn lines_cost_the_same_in_long_games() {
    use adoube::chess::Position;
    use adoube::laws::Referee;
    let mut referee = Referee::<Position>::new(Edition::Fide2009, Regulations::default());
    for m in ["g1f3", "g8f6", "f3g1", "f6g8"].into_iter().cycle().take(4000) {
        let line = format!("{} move {m}", referee.on_turn().to_string().to_lowercase());
        let event = referee.read(&line).expect("it is an event");
        referee.rule(event).expect("it can be");
    }
    let copy = referee.clone();
    assert!(std::ptr::eq(referee.position(), copy.position()), "the positions are shared");
    let (one, other) = (referee.log().next(), copy.log().next());
    assert!(one.zip(other).is_some_and(|(one, other)| std::ptr::eq(one, other)));
}

#[test]
fn french_messages_are_french_and_read_french_letters() {
    use adoube::laws::language::{InFrench as _, Language};
    let mut partie = referee(Edition::Fide2009, &[]);
    let french = |partie: &mut AnyReferee, line: &str| match partie.line_in(line, Language::French)
    {
        Ok(rulings) => {
            rulings.iter().map(|ruling| ruling.in_french()).collect::<Vec<_>>().join("; ")
        }
        Err(error) => error.in_french(),
    };
    for (line, expected) in [
        ("moves e4 e5 Cf3 Cc6 Fb5 a6 Fa4 Cf6 O-O Cxe4", "coup joué : c'est accepté (4.6)"),
        ("white move Td1", "colonne 12 : « Td1 » n'est pas légal dans r1bqkb1r/"),
        (
            "white move Dh6",
            "colonne 12 : « Dh6 » n'est pas légal dans \
             r1bqkb1r/1ppp1ppp/p1n5/4p3/B3n3/5N2/PPPP1PPP/RNBQ1RK1 w kq - 0 6 : aucune dame ne \
             peut atteindre h6; s'il a été joué, notez illegal SQUARE SQUARE",
        ),
        ("white move Rd1", "colonne 12 : « Rd1 » n'est pas légal dans r1bqkb1r/"),
        ("white move Nd4", "colonne 12 : « Nd4 » n'est pas un coup : "),
        ("black move Cc5", "colonne 12 : « Cc5 » : c'est aux Blancs de jouer"),
        ("white mov d4", "colonne 7 : voulez-vous dire move ? « mov » devrait être touch, brush,"),
        ("white touch x", "colonne 13 : « x » devrait être une case"),
        (
            "white press 1:99",
            "colonne 13 : « 1:99 » n'est pas un temps (exemples : 1:59:30, 5:00, 90)",
        ),
        ("white resign now", "colonne 14 : « now » suit l'événement"),
        (
            "black adjust e4",
            "pièce touchée sans avoir le trait : les Noirs n'en ont pas le droit (4.2)",
        ),
        (
            "white accept",
            "il n'y a pas de proposition des Noirs ; possible maintenant : white release,",
        ),
        ("white illegal a1 a4", ""),
        ("black claim illegal", "coup illégal : les Blancs reprennent le coup (7.4 a)"),
        (
            "white demand",
            "fide-2009 n'a pas de règle à ce sujet : demande d'être maté en cinquante coups",
        ),
        ("white promote x", "colonne 15 : « x » devrait être d, t, f ou c"),
        ("setup 8/8/8/8/8/8/8/8 w - - 0 1", "les Blancs ont 0 rois au lieu d'un"),
        ("black resign", "abandon : les Blancs gagnent (5.1 b)"),
        ("white offer", "la partie est finie ; possible maintenant : white ou black"),
    ] {
        let answer = french(&mut partie, line);
        assert!(answer.contains(expected), "{line}: {answer}");
    }
    assert_eq!(partie.facts().brief(Language::French), "1-0, points 1 et 0");
    let mut dame = referee(Edition::Fide2009, &["setup 8/P6k/8/8/8/8/8/K7 w - - 0 1"]);
    assert!(
        dame.facts().brief(Language::French).starts_with("trait aux Blancs, pendules 1:30:00 et")
    );
    assert_eq!(
        dame.continuations_in("white move a8", Language::French).1,
        ["a8D", "a8C", "a8T", "a8F"]
    );
    dame.line_in("white release a7 a8", Language::French).expect("it is part of a move");
    dame.line_in("white promote d", Language::French).expect("the queen is a D");
    assert!(dame.facts().position.starts_with("Q7/7k"), "{}", dame.facts().position);
    let mut damier = referee(Edition::Fmjd, &["moves 32-28 19-23"]);
    let answer = french(&mut damier, "white move 31-26");
    assert!(
        answer.contains("les Blancs doivent prendre, par exemple 28x19 (4.1); s'il a été joué"),
        "{answer}"
    );
}

#[test]
fn illegal_draughts_moves_are_refused_with_the_reason_and_the_article() {
    use adoube::laws::language::InFrench as _;
    let mut game = referee(Edition::Fmjd, &["setup W:W28,50:B23,13"]);
    for (m, english, french) in [
        (
            "50-45",
            ": White must capture, for example 28x8 (4.1); if",
            " : les Blancs doivent prendre, par exemple 28x8 (4.1); s'il",
        ),
        (
            "28x19",
            ": a capture of 2 pieces is obligatory, for example 28x8; this one takes 1 (4.13); if",
            " : il faut prendre 2 pièces, par exemple 28x8 ; ce coup en prend 1 (4.13); s'il",
        ),
        (
            "28x17",
            ": the man on 28 cannot capture and land on 17; 28x8 is legal (4.2, 4.5); if",
            " : le pion en 28 ne peut pas prendre et arriver en 17 ; 28x8 est légal (4.2, 4.5); s'il",
        ),
    ] {
        let error = game.line(&format!("white move {m}")).expect_err(m);
        assert!(error.to_string().contains(english), "{error}");
        assert!(error.in_french().contains(french), "{}", error.in_french());
    }
}

#[test]
fn rejected_claims_and_doubtful_flags_are_explained() {
    use adoube::laws::language::InFrench as _;
    for (line, english, french) in [
        (
            "white claim repetition",
            "(9.2.2); Black is to move",
            "(9.2.2) ; c'est aux Noirs de jouer",
        ),
        (
            "black claim repetition",
            "; the position occurs only once",
            " ; la position n'apparaît qu'une fois",
        ),
        (
            "black claim fifty",
            "; only 0 of 100 plies have been played without a capture or pawn move",
            " ; demi-coups sans prise ni coup de pion : 0 sur 100",
        ),
        (
            "white claim illegal",
            "; no illegal move is recorded",
            " ; aucun coup illégal n'est noté",
        ),
        (
            "black flag",
            "White wins (6.9); Black's clock last showed 1:30:00",
            " ; la pendule des Noirs indiquait 1:30:00 en dernier lieu",
        ),
        (
            "black claim flag wrongly",
            "; White's clock last showed 1:30:30",
            " ; la pendule des Blancs indiquait 1:30:30 en dernier lieu",
        ),
    ] {
        let mut game = referee(Edition::Fide2023, &["white move e2e4", "white press +0"]);
        let rulings = game.line(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        let first = &rulings[0];
        assert!(first.to_string().ends_with(english), "{line}: {first}");
        assert!(first.in_french().ends_with(french), "{line}: {}", first.in_french());
    }
    // The note with the last clock reading is omitted if the reading was already zero.
    let mut down = referee(Edition::Fide2023, &["white clock 0"]);
    let rulings = down.line("white flag").expect("the flag has fallen");
    assert_eq!(rulings[0].note, None);
}

#[test]
fn command_speaks_french_lists_events_and_takes_minutes() {
    use crate::support::program::run;
    // The example game in chapter 17 of the 2009 laws, in French notation.
    let game = "moves e4 e5 Cf3 Cf6 d4 exd4 e5 Ce4 Dxd4 d5\nwhite move exd6 e.p.\nwhite move Rd1\n";
    let french = ["referee", "--french", "--edition", "fide-2009", "--time", "90m+30"];
    let (code, out, errors) = run(&french, game);
    assert_eq!((code, errors.as_str()), (Some(1), ""));
    assert!(out.contains("    [trait aux Noirs, pendules 1:32:30 et 1:32:30, rnbqkb1r/"), "{out}");
    assert!(
        out.contains("    erreur : colonne 12 : « Rd1 » : c'est aux Noirs de jouer\n"),
        "{out}"
    );
    let help = |edition: &str, more: &[&str], asks: &str| {
        let arguments = [&["referee", "--edition", edition], more].concat();
        let (code, out, errors) = run(&arguments, asks);
        assert_eq!((code, errors.as_str()), (Some(0), ""));
        out
    };
    let old = help("fide-1930", &[], "help\n");
    assert!(old.contains("SIDE demand") && !old.contains("SIDE phone"), "{old}");
    let new = help("fide-2009", &["--french"], "aide\n");
    assert!(!new.contains("demand,") && new.contains("CAMP phone"), "{new}");
    let json = help("fmjd", &["--json"], "help\n");
    assert!(json.contains(r#"["SIDE move MOVE","makes a move"],"#), "{json}");
}

/// The JSON line for an error contains the same facts as the lines for events.
#[test]
fn errors_in_json_have_the_facts() {
    let events = "moves e2e4\nwhite accept\nblack mvoe e7e5\n";
    let (code, out, _) = crate::support::program::run(&["referee", "--json"], events);
    let answer = |line: &str| serde_json::from_str::<serde_json::Value>(line).expect("JSON");
    let [moved, impossible, misspelt] = &out.lines().map(answer).collect::<Vec<_>>()[..] else {
        panic!("{out}")
    };
    assert_eq!(code, Some(1));
    for error in [impossible, misspelt] {
        assert!(error["error"].is_string() && error["rulings"].is_null(), "{error}");
        assert_eq!(error["facts"], moved["facts"]);
    }
    assert_eq!(moved["facts"]["plies"], 1);
}

#[test]
fn undo_takes_back_a_line_and_quit_ends() {
    use crate::support::program::run;
    let lines = "moves e2e4 e7e5\nwhite move e4e6\nundo\nundo\nquit\nwhite move e2e4\n";
    let (code, out, _) = run(&["referee", "--json"], lines);
    let answers: Vec<serde_json::Value> =
        out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((code, answers.len()), (Some(1), 4), "{out}");
    // A refused line is not recorded, so `undo` takes back the line before it.
    assert_eq!(answers[2]["undone"], "moves e2e4 e7e5");
    assert_eq!(answers[2]["facts"]["plies"], 0);
    assert_eq!(answers[3]["error"], "no event to take back");
    let (code, out, _) = run(&["referee"], "help claim flag\nhelp castles\n");
    assert_eq!(code, Some(1));
    assert!(out.contains("SIDE claim flag wrongly") && !out.contains("repetition"), "{out}");
    assert!(out.contains("2: help castles\n    error: no such event; help lists them\n"), "{out}");
}

/// A program that writes a line and waits for the answer must always get one.
#[test]
fn json_answers_every_line() {
    let lines = "white move e2e4\n\n# note\n= x\nhelp\ngame N-02 fide-2009\nwhite move d2d4\n";
    let (code, out, _) = crate::support::program::run(&["referee", "--json"], lines);
    let answers: Vec<serde_json::Value> =
        out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((code, answers.len()), (Some(0), lines.lines().count()), "{out}");
    for ((answer, line), number) in answers.iter().zip(lines.lines()).zip(1..) {
        assert_eq!((&answer["event"], &answer["line"]), (&line.into(), &number.into()), "{answer}");
        assert_eq!(answer["rulings"].is_null(), line == "help", "{answer}");
        let edition = if number < 6 { "fide-2023" } else { "fide-2009" };
        assert_eq!(answer["facts"]["edition"], edition, "{answer}");
    }
    assert_eq!(answers[1]["facts"], answers[0]["facts"]);
    assert_eq!(answers[5]["facts"]["plies"], 0);
}

#[test]
fn refused_move_of_a_line_is_named_by_its_number() {
    let mut referee = AnyReferee::new(Edition::Fide2023, Regulations::default());
    let error = referee.line("moves e4 e5 Qxh8 Nc6").expect_err("an illegal move");
    let (english, french) = (error.to_string(), error.in_french());
    assert!(english.starts_with("move 3: 'Qxh8' is not legal"), "{english}");
    assert!(english.ends_with("; no move of this line was recorded"), "{english}");
    assert!(french.starts_with("coup 3 : ") && french.contains("aucun coup"), "{french}");
    assert_eq!(referee.facts().plies, 0);
}

/// The FMJD rules cover only the normal game. Other variants would be judged by the wrong articles.
#[test]
fn rejects_draughts_variants_without_laws() {
    let mut referee = AnyReferee::new(Edition::Fmjd, Regulations::default());
    for (line, column) in
        [("setup W:W31:B20:Vkiller", 7), ("setup W:W31:B20:Vfrisian moves 31-27", 7)]
    {
        let error = referee.line(line).expect_err(line);
        let refused = error.to_string();
        assert!(refused.contains(&format!("column {column}: the laws do not cover ")), "{refused}");
        assert!(refused.ends_with(" draughts"), "{refused}");
    }
    referee.line("setup W:W31:B20").expect("the normal game");
}

/// Regression test: after the end of a game without laws, listing the possible events recursed
/// until the stack overflowed.
#[test]
fn rejects_events_after_games_without_laws() {
    use adoube::draughts::Position;
    use adoube::laws::Referee;
    use adoube::laws::event::{Act, Event, Incident};
    for variant in ["killer", "bt", "frisian", "losing"] {
        let position = format!("W:W31:B20:V{variant}").parse().expect("it is a position");
        let mut over = Referee::<Position>::new(Edition::Fmjd, Regulations::default());
        for event in [
            Event::Game(Incident::Setup(Box::new(position), Vec::new())),
            Event::Player(Side::White, Act::Resign),
        ] {
            over.rule(event).unwrap_or_else(|error| panic!("{error}"));
        }
        let mut over = AnyReferee::Draughts(over);
        for line in
            ["white offer", "white move 31-27", "setup W:W31:B20", "moves 31-27", "nonsense"]
        {
            let error = over.line(line).expect_err(line).to_string();
            let of_move = error.strip_prefix("move 1: ").unwrap_or(&error);
            assert!(of_move.starts_with("the game is over"), "{line}: {error}");
        }
        assert!(over.continuations("setup W:W31:B20 moves ").1.is_empty());
    }
}

/// After the end of a game, only penalties and notices are tried as possible events, so the error
/// is reported quickly.
#[test]
fn errors_after_the_end_list_penalties_and_notices() {
    for (edition, expected) in [
        (Edition::Fide1928, "white or black notice; notice"),
        (Edition::Fide1930, "white or black notice; notice"),
        (Edition::Fide2009, "white or black penalty"),
        (Edition::Fide2023, "white or black penalty"),
    ] {
        assert_eq!(possible(edition, &["white resign"], "white offer"), expected, "{edition}");
    }
}

#[test]
fn errors_list_no_events_if_none_is_possible() {
    use adoube::laws::language::InFrench as _;
    let mut over = referee(Edition::Fmjd, &["white resign"]);
    assert_eq!(over.line("white offer").expect_err("over").to_string(), "the game is over");
    let error = over.line("white offer").expect_err("over").in_french();
    assert_eq!(error, "la partie est finie");
}

/// Phone keyboards capitalise the first letter of a line.
#[test]
fn accepts_capitals_in_the_first_word() {
    let mut capitals = referee(Edition::Fide1930, &["Moves e2e4 d7d5", "White touch g1"]);
    let mut plain = referee(Edition::Fide1930, &["moves e2e4 d7d5", "white touch g1"]);
    assert_eq!(capitals.facts(), plain.facts());
    assert_eq!(capitals.last_event(), plain.last_event());
    assert_eq!(capitals.continuations("WHITE to").1, ["touch"]);
    assert_eq!(capitals.line("Adjourn"), plain.line("adjourn"));
}

#[test]
fn misspelt_words_get_a_suggestion() {
    use adoube::laws::language::InFrench as _;
    let mut game = referee(Edition::Fide1930, &[]);
    for (line, error) in [
        ("white tuch g1", "column 7: did you mean touch? 'tuch' should be touch, brush"),
        ("wihte touch g1", "column 1: did you mean white? 'wihte' should be"),
        ("blanc touch g1", "column 1: did you mean white? 'blanc' should be"),
        ("white resing", "column 7: did you mean resign? 'resing' should be"),
        ("white claim repitition", "column 13: did you mean repetition? 'repitition' should be"),
        ("white xyz", "column 7: 'xyz' should be"),
    ] {
        let found = game.line(line).expect_err(line).to_string();
        assert!(found.starts_with(error), "{line}: {found}");
    }
    let error = game.line("white tuch g1").expect_err("misspelt").in_french();
    assert!(error.starts_with("colonne 7 : voulez-vous dire touch ? « tuch »"), "{error}");
}

#[test]
fn bare_moves_get_the_event_to_write() {
    use adoube::laws::language::InFrench as _;
    let mut game = referee(Edition::Fide2023, &[]);
    for (line, error) in [
        ("e4", "column 1: 'e4' is a move: write `white move e4` or `moves e4`"),
        ("Nf3 Nf6", "column 1: 'Nf3' is a move: write `white move Nf3` or `moves Nf3`"),
        ("e2e5", "column 1: 'e2e5' is a move: write `white move e2e5` or `moves e2e5`"),
        ("white e4", "column 7: 'e4' is a move: write `white move e4` or `moves e4`"),
    ] {
        let found = game.line(line).expect_err(line);
        assert_eq!(found.to_string(), error);
    }
    let error = game.line("Cf6").expect_err("not an English move").to_string();
    assert!(error.ends_with("setup, odds or moves"), "{error}");
    let french = game.line("e4").expect_err("not an event").in_french();
    let expected = "colonne 1 : « e4 » est un coup : écrivez `white move e4` ou `moves e4`";
    assert_eq!(french, expected);
    let mut draughts = referee(Edition::Fmjd, &[]);
    let found = draughts.line("32-28").expect_err("not an event").to_string();
    assert!(found.contains("write `white move 32-28` or `moves 32-28`"), "{found}");
}

/// Extra words after an event must not be dropped silently.
#[test]
fn rejects_a_move_after_other_claims() {
    let mut flag = referee(Edition::Fide2023, &["moves e2e4"]);
    for (line, error) in [
        ("black claim flag by e7e5", "column 18: 'by' should be wrongly or the end of the line"),
        ("black claim fifty e7e5", "column 19: 'e7e5' should be by or the end of the line"),
        ("black claim", "column 12: '' should be repetition, fifty, perpetual, winless"),
        ("moves", "column 6: '' should be a move"),
        ("notice boards lost", "column 15: 'lost' should be from or the end of the line"),
        ("touch e2", "column 1: 'touch' should be white or black"),
    ] {
        let found = flag.line(line).expect_err(line).to_string();
        assert!(found.starts_with(error), "{line}: {found}");
    }
    assert_eq!(flag.continuations("notice displaced ").1, ["lost", "from"]);
}

#[test]
fn manual_lists_every_form() {
    use adoube::laws::event::grammar::FORMS;
    use adoube::laws::language::Language::English;
    let manual = crate::support::tree::read("src/manual/referee.md".as_ref());
    let listed: Vec<&str> = manual
        .lines()
        .skip_while(|line| *line != "| line | event |")
        .take_while(|line| line.starts_with('|'))
        .skip(3)
        .collect();
    let forms: Vec<String> = FORMS
        .iter()
        .map(|form| format!("| `{}` | {} |", form.line(English), form.meaning(English)))
        .collect();
    assert_eq!(listed, forms, "the table should be\n{}", forms.join("\n"));
}

#[test]
fn suggests_minutes_for_a_short_time_without_a_unit() {
    let errors = |time| crate::support::program::run(&["referee", "--time", time], "").2;
    assert!(errors("90+30").contains("for minutes write 90m"), "{}", errors("90+30"));
    for time in ["90m+30", "5400+30", "2m", "-"] {
        assert_eq!(errors(time), "", "{time}");
    }
}
