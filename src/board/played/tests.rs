//! Tests of games: laws, journals, boards and engines.

#![allow(clippy::unwrap_used)]
use super::super::journal::{Journals, StoredGame};
use super::super::message::play::{Level, Start};
use super::*;
use crate::base::game::GameKind;
use crate::{chess, draughts};
use std::sync::Arc;
use tokio::sync::Semaphore;

const NOTATION: Notation = Notation::Algebraic(chess::notation::algebraic::Style::SAN);

fn terms(game: GameKind, time: &str) -> NewGame {
    let (time, level) = (time.to_owned(), Level::Full);
    let names = [String::new(), String::new()];
    NewGame {
        game,
        start: Start::Usual,
        variant: None,
        you: None,
        level,
        engine: None,
        time,
        names,
    }
}

fn outlet() -> Outlet {
    Outlet::new(Arc::new(Semaphore::new(1))).0
}

fn request<G: BoardGame>(game: &mut Played<G>, request: Request) {
    game.on_request(request, NOTATION).unwrap();
}

fn play<G: BoardGame>(game: &mut Played<G>, moves: &str) {
    moves.split(' ').for_each(|text| request(game, Request::Move { text: text.to_owned() }));
}

/// Begins a chess game that is stored in `journals`. Returns its id and the game.
fn stored_game(journals: &Journals) -> (String, Played<chess::Position>) {
    let terms = terms(GameKind::Chess, "5m+3");
    let (id, journal) = journals.begin(&terms).unwrap();
    let mut game = Played::new(terms, outlet(), &Equipment::default()).unwrap();
    game.resume(id.clone(), &[], journal).unwrap();
    (id, game)
}

#[test]
fn journal_restores_the_game() {
    let dir = tempfile::tempdir().unwrap();
    let journals = Journals::open(Some(dir.path())).unwrap();
    let (id, mut game) = stored_game(&journals);
    play(&mut game, "e4 e5 Nf3");
    request(&mut game, Request::TakeBack);
    play(&mut game, "f4 exf4");
    request(&mut game, Request::Resign);
    assert!(game.on_request(Request::Move { text: "Nf3".to_owned() }, NOTATION).is_err());

    let StoredGame { terms, entries, journal, .. } = journals.resume(&id).unwrap();
    let mut again = Played::<chess::Position>::new(terms, outlet(), &Equipment::default()).unwrap();
    again.resume(id, &entries, journal).unwrap();
    let [first, second] = [game, again].map(|game| game.board(NOTATION));
    assert_eq!(first.plies, second.plies);
    assert_eq!(first.plies.len(), 4);
    assert_eq!((&first.ending, &first.can), (&second.ending, &second.can));
    assert_eq!(first.ending.unwrap().text, "Black wins: resignation (5.1.2)");
}

/// Reopens a stored game.
fn reopened(journals: &Journals, id: &str) -> Played<chess::Position> {
    let StoredGame { terms, entries, journal, .. } = journals.resume(id).unwrap();
    let mut game = Played::new(terms, outlet(), &Equipment::default()).unwrap();
    game.resume(id.to_owned(), &entries, journal).unwrap();
    game.go_on(NOTATION);
    game
}

#[test]
fn a_reopened_game_keeps_the_time_of_the_turn() {
    let dir = tempfile::tempdir().unwrap();
    let journals = Journals::open(Some(dir.path())).unwrap();
    let (id, mut game) = stored_game(&journals);
    play(&mut game, "e4 e5");
    let seconds = |game: &Played<chess::Position>| {
        game.board(NOTATION).clocks.map(|left| left.unwrap().div_ceil(1000))
    };
    assert_eq!(seconds(&game), [303, 303]);
    game.began = game.began.checked_sub(Duration::from_secs(40)).unwrap();
    game.save_clock();
    drop(game);
    let mut game = reopened(&journals, &id);
    assert_eq!(seconds(&game), [263, 303]);
    // The deadline includes the time before the game was closed.
    assert!(game.deadline().unwrap() <= Instant::now() + Duration::from_secs(263));
    // If a turn is interrupted several times, the player is charged for the sum of its parts.
    game.began = game.began.checked_sub(Duration::from_secs(20)).unwrap();
    game.save_clock();
    let mut game = reopened(&journals, &id);
    assert_eq!(seconds(&game), [243, 303]);
    play(&mut game, "Nf3");
    assert_eq!(seconds(&game), [246, 303]);
    // Taking back a resignation does not give time back.
    game.began = game.began.checked_sub(Duration::from_secs(10)).unwrap();
    request(&mut game, Request::Resign);
    assert_eq!(seconds(&game), [246, 293]);
    request(&mut game, Request::TakeBack);
    assert_eq!(seconds(&game), [246, 293]);
    assert_eq!(seconds(&reopened(&journals, &id)), [246, 293]);
}

#[test]
fn a_takeback_after_an_agreement_or_a_resignation_keeps_the_moves() {
    let dir = tempfile::tempdir().unwrap();
    let journals = Journals::open(Some(dir.path())).unwrap();
    let (id, mut game) = stored_game(&journals);
    play(&mut game, "e4 e5");
    for end in [Request::Offer, Request::Resign] {
        request(&mut game, end);
        assert!(game.board(NOTATION).ending.is_some());
        request(&mut game, Request::TakeBack);
        let board = game.board(NOTATION);
        assert_eq!((board.ending, board.plies.len(), board.running), (None, 2, Some(Side::White)));
    }
    play(&mut game, "Nf3");
    request(&mut game, Request::TakeBack);
    assert_eq!(game.board(NOTATION).plies.len(), 2);

    // The game is unfinished, and a restarted server can continue it.
    assert_eq!(journals.saved().unfinished.len(), 1);
    journals.tidy();
    let StoredGame { terms, entries, journal, .. } = journals.resume(&id).unwrap();
    let mut again = Played::<chess::Position>::new(terms, outlet(), &Equipment::default()).unwrap();
    again.resume(id, &entries, journal).unwrap();
    play(&mut again, "f4");
    assert_eq!(again.board(NOTATION).plies.len(), 3);
}

#[test]
fn two_people_agree_a_draw_under_their_names() {
    let names = ["  Anna\n\"A\" ".to_owned(), "x".repeat(500)];
    let terms = NewGame { names, ..terms(GameKind::Chess, "-") };
    let mut game = Played::<chess::Position>::new(terms, outlet(), &Equipment::default()).unwrap();
    // Both players must have moved (article 5.2.3).
    play(&mut game, "e4");
    let barred = game.on_request(Request::Offer, NOTATION);
    assert!(matches!(barred, Err(PlayError::OfferBarred)), "{barred:?}");
    assert!(!game.board(NOTATION).can.contains(&"offer"));
    play(&mut game, "e5");
    assert!(game.board(NOTATION).can.contains(&"offer"));
    request(&mut game, Request::Offer);
    let board = game.board(NOTATION);
    let ending = board.ending.unwrap();
    assert_eq!(
        (ending.score, ending.text.as_str()),
        ("1/2-1/2", "Draw by agreement (5.2.3, 9.1.1)")
    );
    assert_eq!(board.players, ["Anna \"A\"".to_owned(), "x".repeat(80)]);
    let text = board.record.unwrap();
    for part in [
        "[White \"Anna \\\"A\\\"\"]",
        "[Result \"1/2-1/2\"]",
        "[Termination \"normal\"]",
        "Draw by agreement",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn explains_bad_terms_in_the_units_of_the_page() {
    let error = |terms: NewGame| {
        Played::<chess::Position>::new(terms, outlet(), &Equipment::default())
            .err()
            .unwrap()
            .to_string()
    };
    let timed = |time: &str| error(terms(GameKind::Chess, time));
    assert!(timed("5min").contains("write 5+3"), "{}", timed("5min"));
    assert!(timed("0m+0").contains("leaves no time"), "{}", timed("0m+0"));
    let start = Start::Fen("8/8/8/8/8/8/8/8 w - - 0 1".to_owned());
    let position = error(NewGame { start, ..terms(GameKind::Chess, "-") });
    assert!(position.starts_with("Position: ") && !position.contains("FEN tag"), "{position}");
}

#[test]
fn laws_end_games_and_draws_can_be_claimed() {
    let mut game = Played::<chess::Position>::new(
        terms(GameKind::Chess, "-"),
        outlet(),
        &Equipment::default(),
    )
    .unwrap();
    play(&mut game, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1");
    assert!(!game.board(NOTATION).can.contains(&"claim"));
    play(&mut game, "Ng8");
    assert!(game.board(NOTATION).can.contains(&"claim"));
    request(&mut game, Request::Claim);
    assert_eq!(game.board(NOTATION).ending.unwrap().score, "1/2-1/2");
    request(&mut game, Request::TakeBack);
    assert_eq!(game.board(NOTATION).ending, None);

    let start = Start::Fen("W:W28:B23".to_owned());
    let terms = NewGame { start, ..terms(GameKind::Draughts, "-") };
    let mut game =
        Played::<draughts::Position>::new(terms, outlet(), &Equipment::default()).unwrap();
    play(&mut game, "28x19");
    let ending = game.board(NOTATION).ending.unwrap();
    assert_eq!(ending.score, "1-0");
    assert!(ending.text.starts_with("White wins: no piece left ("), "{}", ending.text);
}

#[test]
fn supports_variants_and_odds() {
    let beginning = |start, variant: Option<&str>| {
        let variant = variant.map(str::to_owned);
        let terms = NewGame { start, variant, ..terms(GameKind::Draughts, "-") };
        Played::<draughts::Position>::new(terms, outlet(), &Equipment::default()).unwrap()
    };
    let fen = |fen: &str| Start::Fen(fen.to_owned());
    let mut game = beginning(fen("W:W6:B45"), Some("bt"));
    assert_eq!(game.board(NOTATION).fen, "W:W6:B45:Vbt");
    play(&mut game, "6-1");
    assert_eq!(game.board(NOTATION).ending.unwrap().text, "White wins: the first king");
    let game = beginning(Start::Less(2), Some("killer"));
    assert_eq!(game.board(NOTATION).fen, "W:W31-48:B1-20:Vkiller");

    let given = ["e4", "d4"].map(str::to_owned).to_vec();
    for (odds, moves, fen) in [
        ("knight", Vec::new(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1"),
        ("pawn and move", Vec::new(), "rnbqkbnr/ppppp1pp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        ("pawn and two moves", given, "rnbqkbnr/ppppp1pp/8/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq - 0 2"),
    ] {
        let start = Start::Odds(odds.to_owned(), moves);
        let terms = NewGame { start, ..terms(GameKind::Chess, "-") };
        let game = Played::<chess::Position>::new(terms, outlet(), &Equipment::default()).unwrap();
        assert_eq!(game.board(NOTATION).fen, fen);
    }
}

#[test]
fn flag_falls_once() {
    let mut game = Played::<chess::Position>::new(
        terms(GameKind::Chess, "60"),
        outlet(),
        &Equipment::default(),
    )
    .unwrap();
    play(&mut game, "e4");
    assert!(game.deadline().is_some());
    game.on_flag_fall();
    let board = game.board(NOTATION);
    assert_eq!(board.ending.unwrap().score, "1-0");
    assert_eq!((board.clocks[1], board.running), (Some(0), None));
    assert!(game.deadline().is_none());
    assert!(!board.can.contains(&"take-back"));
    assert!(game.on_request(Request::TakeBack, NOTATION).is_err());
}

#[test]
fn rejects_impossible_terms() {
    let usual = || terms(GameKind::Chess, "-");
    let fen = |fen: &str| Start::Fen(fen.to_owned());
    for terms in [
        NewGame { start: fen("8/8/8/8/8/8/8/8 w - - 0 1"), ..usual() },
        NewGame { start: fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), ..usual() },
        NewGame { start: Start::Chess960(960), ..usual() },
        NewGame { start: Start::Odds("pawn and two moves".to_owned(), Vec::new()), ..usual() },
        NewGame { start: Start::Less(1), ..usual() },
        NewGame { variant: Some("killer".to_owned()), ..usual() },
        NewGame { level: Level::Elo(1), ..usual() },
        NewGame { level: Level::Skill(1), ..usual() },
        NewGame { engine: Some("Nobody".to_owned()), ..usual() },
        NewGame { time: "soon".to_owned(), ..usual() },
        NewGame { time: "0m+0".to_owned(), ..usual() },
    ] {
        assert!(
            Played::<chess::Position>::new(terms.clone(), outlet(), &Equipment::default()).is_err(),
            "{terms:?}"
        );
    }
}

fn against_engine(start: Start, time: &str, outlet: Outlet) -> Played<chess::Position> {
    let terms = NewGame { start, you: Some(Side::Black), ..terms(GameKind::Chess, time) };
    let mut game = Played::new(terms, outlet, &Equipment::default()).unwrap();
    game.go_on(NOTATION);
    game
}

#[test]
fn saved_game_names_the_players_and_the_opening() {
    fn record<G: BoardGame>(terms: NewGame, entries: &[&str], language: Language) -> String {
        let game = Played::<G>::new(terms, outlet(), &Equipment::default()).unwrap();
        let mut game = game.with_language(language);
        for text in entries {
            game.apply(&Entry::Move((*text).to_owned(), 0)).unwrap();
        }
        game.record().unwrap()
    }
    let version = env!("CARGO_PKG_VERSION");
    let you = Some(Side::White);
    let terms = NewGame { you, level: Level::Elo(1400), ..terms(GameKind::Chess, "-") };
    let moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"];
    let text = record::<chess::Position>(terms.clone(), &moves, Language::English);
    for part in [
        "[White \"Player\"]",
        &format!("[Black \"Adoube {version}\"]"),
        "[BlackElo \"1400\"]",
        "[ECO \"C60\"]",
        "[Opening \"Ruy Lopez\"]",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("WhiteElo"), "{text}");
    let text = record::<chess::Position>(terms.clone(), &[], Language::French);
    assert!(text.contains("[White \"Joueur\"]") && !text.contains("[ECO "), "{text}");
    let named = NewGame { names: ["Anna".to_owned(), String::new()], ..terms };
    let text = record::<chess::Position>(named.clone(), &[], Language::French);
    assert!(text.contains("[White \"Anna\"]"), "{text}");
    let (names, level) = (Default::default(), Level::Full);
    let two = NewGame { you: None, names, level, ..named.clone() };
    let text = record::<chess::Position>(two, &[], Language::English);
    assert!(text.contains("[White \"?\"]") && text.contains("[Black \"?\"]"), "{text}");
    let game = GameKind::Draughts;
    let draughts = NewGame { game, you: Some(Side::Black), level: Level::Skill(6), ..named };
    let text = record::<draughts::Position>(
        NewGame { names: Default::default(), ..draughts },
        &["32-28"],
        Language::English,
    );
    let engine = format!("[White \"Adoube {version} (skill 6)\"]");
    assert!(text.contains(&engine) && text.contains("[Black \"Player\"]"), "{text}");
}

#[test]
fn a_draughts_draw_can_be_offered_at_any_time() {
    let terms = terms(GameKind::Draughts, "-");
    let mut game =
        Played::<draughts::Position>::new(terms, outlet(), &Equipment::default()).unwrap();
    assert!(game.board(NOTATION).can.contains(&"offer"));
    play(&mut game, "32-28");
    assert!(game.board(NOTATION).can.contains(&"offer"));
    request(&mut game, Request::Offer);
    assert_eq!(game.board(NOTATION).ending.unwrap().score, "1/2-1/2");
}

#[test]
fn ignores_the_move_of_an_abandoned_game() {
    let (outlet, mut events) = Outlet::new(Arc::new(Semaphore::new(1)));
    let endgame = Start::Fen("4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1".to_owned());
    let abandoned = against_engine(endgame, "-", outlet.clone());
    let late = events.blocking_recv().unwrap();
    drop(abandoned);
    let mut next = against_engine(Start::Usual, "-", outlet);
    assert!(matches!(next.on_engine_event(late, NOTATION), Update::None));
    assert!(next.board(NOTATION).thinking);
    let own = events.blocking_recv().unwrap();
    assert!(matches!(next.on_engine_event(own, NOTATION), Update::Board));
    assert_eq!(next.board(NOTATION).plies.len(), 1);
}

#[test]
fn dropping_a_game_ends_its_search() {
    let slots = Arc::new(Semaphore::new(1));
    let (outlet, _events) = Outlet::new(Arc::clone(&slots));
    let wait_for = |free| {
        let began = Instant::now();
        while slots.available_permits() != free {
            assert!(began.elapsed() < Duration::from_secs(20), "{free} free slots");
            std::thread::sleep(Duration::from_millis(5));
        }
    };
    let game = against_engine(Start::Usual, "60m", outlet);
    wait_for(0);
    drop(game);
    wait_for(1);
}

#[test]
fn rejects_entries_after_the_end() {
    let dir = tempfile::tempdir().unwrap();
    let journals = Journals::open(Some(dir.path())).unwrap();
    for variant in ["killer", "bt", "frisian", "losing"] {
        let variant = Some(variant.to_owned());
        let terms = NewGame { variant, ..terms(GameKind::Draughts, "-") };
        let (id, journal) = journals.begin(&terms).unwrap();
        let mut game =
            Played::<draughts::Position>::new(terms, outlet(), &Equipment::default()).unwrap();
        let resigned = Entry::End(End::Resigned(Side::White));
        let resumed = game.resume(id, &[resigned.clone(), resigned], journal);
        assert!(matches!(resumed, Err(PlayError::Over)), "{resumed:?}");
    }
}

#[test]
fn saved_game_has_clocks_and_termination() {
    let terms = terms(GameKind::Chess, "5m+3");
    let mut game = Played::<chess::Position>::new(terms, outlet(), &Equipment::default()).unwrap();
    play(&mut game, "e4 e5");
    assert!(game.record().unwrap().contains("[Termination \"unterminated\"]"));
    assert_eq!(game.board(NOTATION).record, None);
    request(&mut game, Request::Resign);
    let text = game.board(NOTATION).record.unwrap();
    for part in [
        "[TimeControl \"300+3\"]",
        "[Termination \"normal\"]",
        "[Result \"0-1\"]",
        "1. e4 {[%clk 0:05:0",
        "Black wins: resignation",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    request(&mut game, Request::TakeBack);
    game.on_flag_fall();
    assert!(game.record().unwrap().contains("[Termination \"time forfeit\"]"));
}
