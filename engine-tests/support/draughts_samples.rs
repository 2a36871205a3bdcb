//! Draughts samples for other tests: positions of random games, positions with many kings, and
//! games with comments, glyphs and variations.

use super::chess_samples::{play_annotated, words};
use adoube::base::rng::Rng;
use adoube::draughts::pdn::{Game, GameResult};
use adoube::draughts::{Position, Square};

pub fn random(games: usize, seed: u64) -> Vec<Position> {
    let mut rng = Rng::new(seed);
    let mut positions = Vec::new();
    for _ in 0..games {
        let mut position = Position::start();
        for _ in 0..150 {
            positions.push(position);
            let moves = position.legal_moves();
            let Some(&m) = moves.get(rng.below(moves.len())) else { break };
            position = position.play(m);
        }
    }
    positions
}

/// Returns random positions of up to twenty pieces, many of them kings.
pub fn crowded(count: usize, seed: u64) -> Vec<Position> {
    let mut rng = Rng::new(seed);
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut squares: Vec<Square> = Square::all().collect();
        rng.shuffle(&mut squares);
        let (all, white) = (2 + rng.below(19), 1 + rng.below(6));
        let mut lists = [String::new(), String::new()];
        for (i, square) in squares[..all].iter().enumerate() {
            let list = &mut lists[usize::from(i >= white)];
            let comma = if list.is_empty() { "" } else { "," };
            let king = if rng.below(2) == 0 { "K" } else { "" };
            list.push_str(&format!("{comma}{king}{square}"));
        }
        let side = ["W", "B"][rng.below(2)];
        positions.extend(format!("{side}:W{}:B{}", lists[0], lists[1]).parse::<Position>());
    }
    positions
}

/// Returns a random game with tags, comments, glyphs and variations, from the start or from a
/// crowded position.
pub fn annotated_game(rng: &mut Rng) -> Game {
    let start = match rng.below(2) {
        0 => Position::start(),
        _ => crowded(1, rng.next_u64())[0],
    };
    let mut game = Game::from_position(start);
    for name in ["Event", "White", "Annotator", "WhiteTime"] {
        if rng.below(2) == 0 {
            game.set_tag(name, &words(rng));
        }
    }
    game.result = [
        GameResult::WhiteWins,
        GameResult::BlackWins,
        GameResult::Draw,
        GameResult::BothLose,
        GameResult::Unknown,
    ][rng.below(5)];
    play_annotated(&mut game, rng);
    game
}
