//! From centipawns to chances.

use crate::chess::{Kind, Position};

/// Chances in permille; they add up to 1000.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wdl {
    /// The side to move wins.
    pub win: u16,
    /// Nobody does.
    pub draw: u16,
    /// The other side wins.
    pub loss: u16,
}

/// The advantage in centipawns at which half of the games are won: with no material, and more for
/// each unit of it.
pub const EVEN_WIN: [f64; 2] = [150.0, 1.0];
/// How many centipawns the curve is wide, likewise.
pub const WIDTH: [f64; 2] = [80.0, 0.5];

/// The chances that an engine's `score`, in centipawns from the side to move, stands for.
///
/// Two logistic curves, one for winning and its mirror for losing, whose parameters depend on the
/// material left (pawns 1, minor pieces 3, rooks 5, queens 9), fitted to the engine's own games.
pub fn wdl(score: i32, position: &Position) -> Wdl {
    let material = material(position);
    let line = |[base, slope]: [f64; 2]| base + slope * f64::from(material);
    let curve = |score: f64| 1000.0 / (1.0 + ((line(EVEN_WIN) - score) / line(WIDTH)).exp());
    let win = curve(f64::from(score)).round() as u16;
    let loss = curve(f64::from(-score)).round() as u16;
    Wdl { win, draw: 1000u16.saturating_sub(win + loss), loss }
}

/// The material of both sides in pawns.
pub fn material(position: &Position) -> u32 {
    let count = |kind| position.board().kind(kind).len();
    count(Kind::Pawn)
        + 3 * (count(Kind::Knight) + count(Kind::Bishop))
        + 5 * count(Kind::Rook)
        + 9 * count(Kind::Queen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_and_grow_with_the_score() {
        let start = Position::start();
        let mut last = 0;
        for score in (-3000..=3000).step_by(10) {
            let Wdl { win, draw, loss } = wdl(score, &start);
            assert_eq!(win + draw + loss, 1000);
            assert!(win >= last);
            last = win;
            let mirrored = wdl(-score, &start);
            assert_eq!((mirrored.win, mirrored.loss), (loss, win));
        }
        assert!(wdl(30_000, &start).win == 1000 && wdl(0, &start).draw > 300);
    }
}
