//! Editing games: starting, promoting and removing variations, and replacing comments and glyphs.
//! Edited games round-trip.

use adoube::base::game::MoveForm;
use adoube::base::rng::Rng;
use adoube::chess::Position;
use adoube::draughts;
use adoube::record::games::{EditError, MAX_NESTING, Reader, Record, Recorded, TreePath};

fn read<P: Recorded>(text: &str) -> Record<P> {
    Reader::new(text.as_bytes()).next().expect("one").expect("a game")
}

/// Returns the movetext of a game.
fn moves<P: Recorded>(game: &Record<P>) -> String {
    let text = game.to_string();
    text.split("\n\n").nth(1).expect("moves").replace('\n', " ")
}

/// Plays a move that is parsed as user input.
fn play<P: Recorded>(game: &mut Record<P>, path: &TreePath, text: &str) -> TreePath {
    let (before, _) = game.line_through(path);
    let position = before.iter().fold(game.start().clone(), |position, &m| position.after(m));
    game.play(path, position.read_move(text, MoveForm::Player).expect("a move")).expect("played")
}

#[test]
fn follows_or_adds_moves_and_starts_variations() {
    let mut game: Record<Position> = read("1. e4 e5 (1... c5 2. Nf3 {open}) 2. Nf3 *");
    let start = TreePath::default();
    let e4 = play(&mut game, &start, "e4");
    let c5 = play(&mut game, &e4, "c5");
    assert!(!c5.is_in_main_line());
    let end = game.forward(&c5, 9);
    let d6 = play(&mut game, &end, "d6");
    assert_eq!(
        d6.back()
            .expect("an earlier path")
            .back()
            .expect("an earlier path")
            .back()
            .expect("an earlier path"),
        e4
    );
    assert_eq!(d6.back().and_then(|at| at.back()).expect("an earlier path"), c5);
    let d4 = play(&mut game, &start, "d4");
    play(&mut game, &start, "c4");
    let choices = game.choices(&start);
    assert_eq!(choices.len(), 3);
    assert_eq!(choices[1], d4);
    // An existing move is not added again.
    assert_eq!(play(&mut game, &start, "d4"), d4);
    assert_eq!(
        moves(&game),
        "1. e4 (1. d4) (1. c4) 1... e5 (1... c5 2. Nf3 {open} 2... d6) 2. Nf3 *"
    );
    let illegal = game.line().moves[0].m;
    assert!(matches!(game.play(&e4, illegal), Err(EditError::Illegal(_))));
    assert_eq!((game.paths().len(), game.count_moves()), (8, 8));
    assert_eq!(game.paths()[1], d4);
}

#[test]
fn promotes_a_variation() {
    let mut game: Record<Position> =
        read("{intro} 1. e4 e5 (1... c5 {sharp} 2. Nf3 (2. c3) 2... d6) (1... e6) 2. Nf3 {x} *");
    let c5 = game.paths()[2].clone();
    let d6 = game.forward(&c5, 2);
    let promoted = game.promote(&d6).expect("promoted");
    assert!(promoted.is_in_main_line());
    assert_eq!(game.node_at(&promoted).expect("a move").m, game.line().moves[3].m);
    assert_eq!(
        moves(&game),
        "{intro} 1. e4 c5 {sharp} (1... e5 2. Nf3 {x}) (1... e6) 2. Nf3 (2. c3) 2... d6 *"
    );
    assert_eq!(game.promote(&promoted), Err(EditError::MainLine));
    let e5 = game.paths()[2].clone();
    game.promote(&e5).expect("promoted");
    assert!(moves(&game).starts_with("{intro} 1. e4 e5 (1... c5 {sharp} 2. Nf3 (2. c3) 2... d6)"));
    let position = game.positions().pop().expect("some");
    assert_eq!(*game.position(), position);
}

#[test]
fn promotes_a_variation_that_contains_the_deepest() {
    // Each variation replaces the last move, and contains the next variation.
    let mut text = String::from("1. e4");
    let open = |n: usize| if n.is_multiple_of(2) { " (1. d4" } else { " (1. c4" };
    (0..MAX_NESTING).for_each(|n| text += open(n));
    text += &")".repeat(MAX_NESTING);
    let mut game: Record<Position> = read(&format!("{text} *"));
    let outer = game.paths()[1].clone();
    let promoted = game.promote(&outer).expect("promoted");
    assert!(promoted.is_in_main_line() && moves(&game).starts_with("1. d4 (1. e4) (1. c4 (1. d4"));
}

#[test]
fn removes_moves_and_keeps_the_rest() {
    let text = "{intro} 1. e4 (1. d4 d5) (1. c4) 1... e5 2. Nf3 {x} (2. Nc3) {y} 2... Nc6 *";
    let mut game: Record<Position> = read(text);
    let paths = game.paths();
    // Removing the only move of a variation removes the variation.
    assert_eq!(game.remove(&paths[3]).expect("removed"), TreePath::default());
    assert!(moves(&game).starts_with("{intro} 1. e4 (1. d4 d5) 1... e5"), "{game}");
    // When the first move is removed, its variation becomes the main line.
    assert_eq!(game.remove(&paths[0]).expect("removed"), TreePath::default());
    assert_eq!(moves(&game), "{intro} 1. d4 d5 *");
    let last = game.paths().pop().expect("some");
    let d4 = game.remove(&last).expect("removed");
    assert_eq!(game.remove(&d4).expect("removed"), TreePath::default());
    assert_eq!(moves(&game), "{intro} *");
    assert_eq!(game.remove(&TreePath::default()), Err(EditError::Nothing));
    assert_eq!(*game.position(), Position::start());
    // If a move loses its last variation, the comments after the variation become comments on the
    // move.
    for what in ["remove", "promote"] {
        let mut game: Record<Position> = read("1. e4 (1. d4) {y} 1... e5 (1... c5) {z} *");
        for path in [1, 2].map(|at| game.paths()[at].clone()) {
            match what {
                "remove" => _ = game.remove(&path),
                _ => _ = game.promote(&path),
            }
        }
        assert_eq!(read::<Position>(&game.to_string()), game);
    }
}

#[test]
fn replaces_comments_and_glyphs() {
    let mut game: Record<Position> = read("1. e4 e5 (1... c5) 2. Nf3 *");
    let comment = ["  two  \n lines ".to_owned(), " ".to_owned()];
    game.set_comments(&TreePath::default(), &comment);
    let c5 = game.paths()[2].clone();
    game.set_comments(&c5, &["} [Event \"none\"]".to_owned()]);
    game.set_nags(&c5, &[5, 14]).expect("set");
    assert_eq!(game.comments_at(&TreePath::default()), ["two lines"]);
    assert_eq!(read::<Position>(&game.to_string()), game);
    assert_eq!(game.node_at(&c5).expect("a move").nags, [5, 14]);
    assert_eq!(game.set_nags(&TreePath::default(), &[1]), Err(EditError::Nothing));
}

/// Edits a game at random and checks that it round-trips.
fn survives<P: Recorded>(seed: u64) {
    let mut rng = Rng::new(seed);
    let mut game = Record::<P>::new();
    let words =
        ["[Event \"x\"]", "{", "}", "%", "(", "a", "$4", "*", ";", "long enough to be broken"];
    for _ in 0..400 {
        let paths = game.paths();
        let any = rng.below(paths.len() + 1);
        let path = any.checked_sub(1).map_or_else(TreePath::default, |at| paths[at].clone());
        match rng.below(12) {
            0 => _ = game.remove(&path),
            1 => _ = game.promote(&path),
            2 => _ = game.set_nags(&path, &[rng.below(20) as u16]),
            3 | 4 => {
                let mut word = || words[rng.below(words.len())];
                let comment: Vec<_> = std::iter::repeat_with(&mut word).take(30).collect();
                game.set_comments(&path, &[comment.join(" ")]);
            }
            _ => {
                let (before, _) = game.line_through(&path);
                let at = before.iter().fold(P::start(), |position, &m| position.after(m));
                let moves = at.moves();
                if !moves.is_empty() {
                    let m = moves[rng.below(moves.len())];
                    let after = game.play(&path, m).expect("played");
                    assert_eq!(game.node_at(&after).expect("a move").m, m);
                    assert_eq!(game.line_through(&after).0.len(), before.len() + 1);
                    assert_eq!(after.back(), Some(path));
                }
            }
        }
        assert_eq!(*game.position(), game.positions().pop().expect("some"));
    }
    assert!(game.paths().len() > 20);
    let text = game.to_string();
    let again = read::<P>(&text);
    assert_eq!(again.to_string(), text);
    assert_eq!(again.paths(), game.paths());
    assert_eq!(again, game, "{text}");
}

#[test]
fn randomly_edited_game_round_trips() {
    (1..=20).for_each(survives::<Position>);
    (1..=20).for_each(survives::<draughts::Position>);
}
