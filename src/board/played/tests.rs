//! Games that are played: their laws, their journals, and what is shown of them.

#![allow(clippy::unwrap_used)]
use super::super::journal::{Journals, StoredGame};
use super::super::message::{GameName, Level, Start};
use super::*;
use crate::{chess, draughts};
use std::sync::Arc;
use tokio::sync::{Semaphore, mpsc};

const NOTATION: Notation = Notation::Algebraic(chess::notation::algebraic::Style::SAN);

fn terms(game: GameName, time: &str) -> NewGame {
    let (time, level) = (time.to_owned(), Level::Full);
    NewGame { game, start: Start::Usual, variant: None, you: None, level, engine: None, time }
}

fn outlet() -> Outlet {
    Outlet { slots: Arc::new(Semaphore::new(1)), told: mpsc::unbounded_channel().0 }
}

fn ask<G: Shown>(game: &mut Played<G>, ask: Ask) {
    game.ask(ask, NOTATION).unwrap();
}

fn play<G: Shown>(game: &mut Played<G>, moves: &str) {
    moves.split(' ').for_each(|text| ask(game, Ask::Move { text: text.to_owned() }));
}

#[test]
fn the_journal_gives_the_same_game_again() {
    let dir = tempfile::tempdir().unwrap();
    let journals = Journals::open(Some(dir.path())).unwrap();
    let terms = terms(GameName::Chess, "5m+3");
    let (id, journal) = journals.begin(&terms).unwrap();
    let mut game = Played::<chess::Position>::new(terms, outlet(), &Equipment::default()).unwrap();
    game.resume(id.clone(), &[], journal, NOTATION).unwrap();
    play(&mut game, "e4 e5 Nf3");
    ask(&mut game, Ask::TakeBack);
    play(&mut game, "f4 exf4");
    ask(&mut game, Ask::Resign);
    assert!(game.ask(Ask::Move { text: "Nf3".to_owned() }, NOTATION).is_err());

    let StoredGame { terms, entries, journal, .. } = journals.resume(&id).unwrap();
    let mut again = Played::<chess::Position>::new(terms, outlet(), &Equipment::default()).unwrap();
    again.resume(id, &entries, journal, NOTATION).unwrap();
    let [first, second] = [game, again].map(|game| game.board(NOTATION));
    assert_eq!(first.plies, second.plies);
    assert_eq!(first.plies.len(), 4);
    assert_eq!((&first.ending, &first.can), (&second.ending, &second.can));
    assert_eq!(first.ending.unwrap().text, "Black wins: resignation (5.1.2)");
}

#[test]
fn the_laws_end_games_and_draws_are_claimed() {
    let mut game = Played::<chess::Position>::new(
        terms(GameName::Chess, "-"),
        outlet(),
        &Equipment::default(),
    )
    .unwrap();
    play(&mut game, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1");
    assert!(!game.board(NOTATION).can.contains(&"claim"));
    play(&mut game, "Ng8");
    assert!(game.board(NOTATION).can.contains(&"claim"));
    ask(&mut game, Ask::Claim);
    assert_eq!(game.board(NOTATION).ending.unwrap().score, "1/2-1/2");
    ask(&mut game, Ask::TakeBack);
    assert_eq!(game.board(NOTATION).ending, None);

    let start = Start::Fen("W:W28:B23".to_owned());
    let terms = NewGame { start, ..terms(GameName::Draughts, "-") };
    let mut game =
        Played::<draughts::Position>::new(terms, outlet(), &Equipment::default()).unwrap();
    play(&mut game, "28x19");
    let ending = game.board(NOTATION).ending.unwrap();
    assert_eq!(ending.score, "1-0");
    assert!(ending.text.starts_with("White wins: no piece left ("), "{}", ending.text);
}

#[test]
fn variants_and_odds_are_played() {
    let begun = |start, variant: Option<&str>| {
        let variant = variant.map(str::to_owned);
        let terms = NewGame { start, variant, ..terms(GameName::Draughts, "-") };
        Played::<draughts::Position>::new(terms, outlet(), &Equipment::default()).unwrap()
    };
    let fen = |fen: &str| Start::Fen(fen.to_owned());
    let mut game = begun(fen("W:W6:B45"), Some("bt"));
    assert_eq!(game.board(NOTATION).fen, "W:W6:B45:Vbt");
    play(&mut game, "6-1");
    assert_eq!(game.board(NOTATION).ending.unwrap().text, "White wins: the first king");
    let game = begun(Start::Less(2), Some("killer"));
    assert_eq!(game.board(NOTATION).fen, "W:W31-48:B1-20:Vkiller");

    let given = ["e4", "d4"].map(str::to_owned).to_vec();
    for (odds, moves, fen) in [
        ("knight", Vec::new(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1"),
        ("pawn and move", Vec::new(), "rnbqkbnr/ppppp1pp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        ("pawn and two moves", given, "rnbqkbnr/ppppp1pp/8/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq - 0 2"),
    ] {
        let start = Start::Odds(odds.to_owned(), moves);
        let terms = NewGame { start, ..terms(GameName::Chess, "-") };
        let game = Played::<chess::Position>::new(terms, outlet(), &Equipment::default()).unwrap();
        assert_eq!(game.board(NOTATION).fen, fen);
    }
}

#[test]
fn a_flag_falls_once() {
    let mut game = Played::<chess::Position>::new(
        terms(GameName::Chess, "60"),
        outlet(),
        &Equipment::default(),
    )
    .unwrap();
    play(&mut game, "e4");
    assert!(game.deadline().is_some());
    game.flag_falls();
    let board = game.board(NOTATION);
    assert_eq!(board.ending.unwrap().score, "1-0");
    assert_eq!((board.clocks[1], board.running), (Some(0), None));
    assert!(game.deadline().is_none());
}

#[test]
fn terms_that_cannot_be_are_refused() {
    let usual = || terms(GameName::Chess, "-");
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
    ] {
        assert!(
            Played::<chess::Position>::new(terms.clone(), outlet(), &Equipment::default()).is_err(),
            "{terms:?}"
        );
    }
}
