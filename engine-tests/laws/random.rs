//! Plays random games under the referee and checks that the verdicts agree with the positions.

use adoube::base::rng::Rng;
use adoube::laws::Referee;
use adoube::laws::edition::Edition;
use adoube::laws::event::{Act, Event};
use adoube::laws::regulations::Regulations;
use adoube::laws::rule::Rule;
use adoube::laws::ruled::Ruled;
use adoube::{chess, draughts};

/// Plays random games to their end or to a maximum number of plies, and checks each game.
fn play<G: Ruled>(edition: Edition, games: usize, check: impl Fn(&Referee<G>, &[G])) {
    let mut rng = Rng::new(5);
    for _ in 0..games {
        let mut referee = Referee::<G>::new(edition, Regulations::default());
        let mut positions = vec![referee.position().clone()];
        while referee.verdict().is_none() && positions.len() < 400 {
            let moves = referee.position().moves();
            let m = moves[rng.below(moves.len())];
            let event = Event::Player(referee.position().side(), Act::Move(m));
            referee.rule(event).unwrap_or_else(|error| panic!("{error}"));
            positions.push(referee.position().clone());
        }
        check(&referee, &positions);
    }
}

#[test]
fn random_games_of_chess_end_by_the_board_alone() {
    play::<chess::Position>(Edition::Fide2009, 200, |referee, positions| {
        let Some(last) = positions.last() else { return };
        let rule = referee.verdict().map(|verdict| verdict.rule);
        match rule {
            Some(Rule::Checkmate) => assert!(last.is_checkmate()),
            Some(Rule::Stalemate) => assert!(last.is_stalemate()),
            Some(Rule::DeadPosition) => assert!(adoube::laws::mating::is_dead(last)),
            Some(other) => panic!("{}", other.english()),
            None => assert!(last.has_moves()),
        }
    });
}

#[test]
fn random_games_of_draughts_end_by_no_move_repetition_or_count() {
    play::<draughts::Position>(Edition::Fmjd, 200, |referee, positions| {
        let Some(last) = positions.last() else { return };
        let times = positions.iter().filter(|position| position.key() == last.key()).count();
        match referee.verdict().map(|verdict| verdict.rule) {
            Some(Rule::NoMove | Rule::NoPiece) => assert!(!last.has_moves()),
            Some(Rule::Repetition) => assert_eq!(times, 3),
            Some(_) => assert!(last.is_drawn_by_count()),
            None => assert!(last.has_moves() && times < 3 && !last.is_drawn_by_count()),
        }
    });
}
