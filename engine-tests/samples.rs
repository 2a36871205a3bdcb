//! Positions for the other modules: random games from the standard and the Chess960 starts.

use adoube::base::rng::Rng;
use adoube::base::side::Side;
use adoube::chess::setup::Setup;
use adoube::chess::{Kind, Piece, Position, Square};

/// The positions of `games` random games of at most `plies` plies each; every second one starts
/// from a random Chess960 position. Captures and checks are preferred now and then, so that
/// endgames with several queens and rooks turn up too.
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

/// Random set-ups with up to nine more pieces a side, which for each set-up are of one or two kinds:
/// many queens, knights or rooks that see the same squares.
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
