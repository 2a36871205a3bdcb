//! Games between engines under each edition of the laws: how they end, and the articles that the
//! game records cite.

use crate::support::mocks::{Match, UCI};
use crate::support::program::adoube;
use adoube::chess::pgn::{Game, Reader};

/// Plays a match between two mocks from one position; `more` contains further arguments.
fn played(behaviour: &str, fen: &str, more: &[&str]) -> Match {
    UCI.play_from(&format!("{fen}\n"), behaviour, behaviour, more)
}

/// Returns the ending, the plies, the result and the edition of each game.
fn endings(played: &Match) -> Vec<(String, usize, String, String)> {
    let games = Reader::new(played.games.as_bytes()).map(|game| {
        let game: Game = game.unwrap_or_else(|error| panic!("{error} in\n{}", played.games));
        let line = game.line();
        let last = line.moves.last().map_or(&line.closing, |node| &node.comments);
        let ending = last.last().expect("the ending").clone();
        let laws = game.tag("Laws").expect("the edition").to_owned();
        (ending, line.moves.len(), game.result.to_string(), laws)
    });
    games.collect()
}

#[test]
fn each_edition_ends_games_by_its_own_articles() {
    let drawn = |ending: &str, plies, laws: &str| {
        let game = (ending.to_owned(), plies, "1/2-1/2".to_owned(), laws.to_owned());
        vec![game.clone(), game]
    };
    let two = ["--games", "2", "--nodes", "1"];
    let kings = "7k/8/6K1/8/8/8/8/8 b - - 0 1";
    let rooks = "r3k3/8/8/8/8/8/8/R3K3 w - - 0 1";
    for (fen, more, ending, plies, laws) in [
        (kings, &["--edition", "fide-2009"][..], "dead position (5.2 b)", 0, "fide-2009"),
        // The 1928 and 1930 editions have no rule on dead positions.
        (kings, &["--edition", "fide-1930"], "repetition (Art. 16 c)", 8, "fide-1930"),
        (rooks, &["--edition", "fide-1928"], "repetition (Par. 15 C)", 8, "fide-1928"),
        (rooks, &["--edition", "fide-2009"], "repetition (9.2 b)", 8, "fide-2009"),
        (kings, &[], "dead position (5.2.2)", 0, "fide-2023"),
        (rooks, &[], "repetition (9.2.2)", 8, "fide-2023"),
    ] {
        let played = played("back", fen, &[&two[..], more].concat());
        assert_eq!(endings(&played), drawn(ending, plies, laws), "{fen} {more:?} {}", played.log());
    }
}

/// The fifty-move draw is claimed under the article of each edition.
#[test]
fn fifty_moves_end_games() {
    let many = ["--games", "40", "--concurrency", "2", "--nodes", "1"];
    for (more, half_moves, plies, ending) in [
        (&[][..], 70, 30, "fifty moves (9.3.2)"),
        (&["--edition", "fide-2009"], 70, 30, "fifty moves (9.3 b)"),
        (&["--edition", "fide-1930"], 70, 30, "fifty moves (Art. 16 e)"),
    ] {
        let fen = format!("8/8/8/3k4/8/8/8/K6R w - - {half_moves} 90");
        let played = played("random", &fen, &[&many[..], more].concat());
        let ends = endings(&played);
        // A capture of the rook restarts the count. Under the 2009 and 2023 editions, it also ends
        // the game, because the position is dead.
        let counted: Vec<usize> =
            ends.iter().filter(|game| game.0 == ending).map(|game| game.1).collect();
        assert!(counted.iter().any(|n| (plies..=30).contains(n)));
        assert!(counted.iter().all(|&n| n <= 30 || n > 100));
    }
}

/// Black, who has a queen, runs out of time, but White has only a king. The game is a draw under
/// the 2009 and 2023 editions. Under the earlier editions, Black loses.
#[test]
fn flag_fall_against_a_bare_king_depends_on_the_edition() {
    let args = ["--games", "2", "--tc", "0.3", "--edition"];
    for (edition, end, result) in [
        ("fide-2023", "(6.9)", "1/2-1/2"),
        ("fide-2009", "(6.9)", "1/2-1/2"),
        ("fide-1930", "(Art. 19.5, 20.2)", "1-0"),
        ("fide-1928", "(Par. 18)", "1-0"),
    ] {
        let fen = "7K/8/5k2/8/8/8/8/q7 b - - 0 1";
        let played = played("late", fen, &[&args[..], &[edition]].concat());
        for (ending, plies, scored, laws) in endings(&played) {
            assert!(ending.ends_with(end), "{ending}");
            assert_eq!((plies, scored.as_str(), laws.as_str()), (0, result, edition));
        }
    }
}

/// An adjudicated draw is offered and accepted, so it has to wait until the laws allow an offer.
#[test]
fn adjudicated_draws_are_agreed_draws() {
    for (more, plies, end) in [
        (&[][..], 8, "adjudicated draw (5.2.3, 9.1.1)"),
        (&["--edition", "fide-2009"], 8, "adjudicated draw (9.1)"),
        (&["--edition", "fide-1928"], 60, "adjudicated draw (Par. 15 D)"),
    ] {
        let args = ["--games", "2", "--nodes", "1", "--draw", "from=4 moves=2 score=5"];
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let played = played("random", fen, &[&args[..], more].concat());
        // Ignore random games that ended earlier in another way.
        let agreed: Vec<_> = endings(&played).into_iter().filter(|game| game.0 == end).collect();
        assert!(!agreed.is_empty(), "{}", played.games);
        assert!(agreed.iter().all(|game| game.1 == plies), "{agreed:?}");
    }
}

#[test]
fn rejects_editions_of_the_other_game() {
    for (args, error) in [
        (&["--edition", "fmjd"][..], "not laws of this game"),
        (&["--edition", "fide-2009", "--game", "draughts"], "not laws of this game"),
        (&["--edition", "fide-1999"], "'fide-1999' is not an edition"),
    ] {
        let output = adoube()
            .args(["match", "--nodes", "1", "--engine", "cmd=a", "--engine", "cmd=b"])
            .args(args)
            .output()
            .expect("adoube runs");
        let log = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && log.contains(error), "{args:?}: {log}");
    }
}
