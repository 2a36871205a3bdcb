//! Chess samples for other tests: positions of random games from the standard and the Chess960
//! starts, crowded set-ups, and games with comments, glyphs and variations.

use adoube::base::rng::Rng;
use adoube::base::side::Side;
use adoube::chess::pgn::{Game, GameResult};
use adoube::chess::setup::Setup;
use adoube::chess::{Kind, Piece, Position, Square};
use adoube::record::games::{Line, Node, Record, Recorded};

/// Returns the positions of `games` random games of at most `plies` plies each. Every second game
/// starts from a random Chess960 position. Captures and checks are sometimes preferred, so that
/// endgames with several queens and rooks occur too.
pub fn random(games: usize, plies: usize, seed: u64) -> Vec<Position> {
    let mut rng = Rng::new(seed);
    let mut positions = Vec::new();
    for game in 0..games {
        let number = if game % 2 == 0 { 518 } else { rng.below(960) as u16 };
        let mut position = Position::chess960(number).expect("a number below 960");
        for _ in 0..plies {
            positions.push(position.clone());
            let (all, noisy) = (position.legal_moves(), position.noisy_moves());
            let moves = if noisy.is_empty() || rng.below(3) > 0 { &all } else { &noisy };
            match moves.get(rng.below(moves.len())) {
                Some(&m) => position = position.play(m),
                None => break,
            }
        }
    }
    positions
}

/// Returns random set-ups with up to nine additional pieces per side. All pieces of a set-up are of
/// one or two kinds, so that many queens, knights or rooks attack the same squares.
pub fn crowded(count: usize, seed: u64) -> Vec<Position> {
    let mut rng = Rng::new(seed);
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut squares = Square::ALL;
        rng.shuffle(&mut squares);
        let mut squares = squares.into_iter();
        let mut setup = Setup::empty();
        setup.side = Side::ALL[rng.below(2)];
        let mut put = |piece| {
            if let Some(square) = squares.next() {
                setup.pieces[square.index()] = Some(piece);
            }
        };
        let kinds = [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen];
        let two = [kinds[rng.below(4)], kinds[rng.below(4)]];
        for side in Side::ALL {
            put(Piece::new(side, Kind::King));
            for _ in 0..rng.below(10) {
                put(Piece::new(side, two[rng.below(2)]));
            }
        }
        positions.extend(Position::try_from(setup));
    }
    positions
}

/// Words for random comments and tags, including quotation marks, brackets and characters with a
/// special meaning.
const WORDS: [&str; 16] = [
    "good",
    "move",
    "%eval",
    "[%clk",
    "0:01:02]",
    "e4",
    "1-0",
    "(odd)",
    "Über",
    "\u{265e}",
    "\"q\"",
    "back\\slash",
    "$3",
    ";",
    "{",
    "a-very-long-word-that-fills-more-than-half-a-line-of-text",
];

/// Returns random words, at least one.
pub fn words(rng: &mut Rng) -> String {
    let count = 1 + rng.below(25);
    (0..count).map(|_| WORDS[rng.below(WORDS.len())]).collect::<Vec<_>>().join(" ")
}

fn annotate<P: Recorded>(node: &mut Node<P::Move>, position: &P, depth: usize, rng: &mut Rng) {
    if rng.below(6) == 0 {
        node.comments.push(words(rng));
    }
    if rng.below(6) == 0 {
        node.nags.push(rng.below(1000) as u16);
    }
    while depth < 4 && rng.below(8) == 0 {
        let variation = random_line(position, depth + 1, rng);
        if variation != Line::default() {
            node.variations.push(variation);
        }
    }
}

fn random_line<P: Recorded>(start: &P, depth: usize, rng: &mut Rng) -> Line<P::Move> {
    let (mut line, mut position) = (Line::default(), start.clone());
    for _ in 0..1 + rng.below(8) {
        let moves = position.moves();
        let Some(&m) = moves.get(rng.below(moves.len())) else { break };
        let mut node = Node::new(m);
        if line.moves.is_empty() && rng.below(4) == 0 {
            node.before.push(words(rng));
        }
        annotate(&mut node, &position, depth, rng);
        line.moves.push(node);
        position = position.after(m);
    }
    line
}

/// Adds random moves to an empty game, with comments, glyphs and variations.
pub fn play_annotated<P: Recorded>(game: &mut Record<P>, rng: &mut Rng) {
    let mut position = game.start().clone();
    for ply in 0..rng.below(80) {
        let moves = position.moves();
        let Some(&m) = moves.get(rng.below(moves.len())) else { break };
        game.push(m, "").expect("a legal move");
        annotate(game.node_mut(ply).expect("the move just made"), &position, 0, rng);
        position = position.after(m);
    }
}

/// Returns a random game, standard or Chess960, with tags, comments, glyphs and variations.
pub fn annotated_game(rng: &mut Rng) -> Game {
    let start = match rng.below(3) {
        0 => Position::start(),
        1 => Position::chess960(rng.below(960) as u16).expect("a number below 960"),
        _ => {
            let middle = random(2, 60, rng.next_u64());
            middle[rng.below(middle.len())].clone()
        }
    };
    let mut game = Game::from_position(start);
    for name in ["Event", "White", "Annotator", "Eco"] {
        if rng.below(2) == 0 {
            game.set_tag(name, &words(rng));
        }
    }
    let results =
        [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw, GameResult::Unknown];
    game.result = results[rng.below(4)];
    play_annotated(&mut game, rng);
    game
}
