//! Generates draughts captures as sequences of jumps, in the order in which a player makes them
//! (FMJD 4.5 to 4.11). A legal [`Move`](super::moves::Move) stores only the set of captured pieces.

use super::bitboard::{Bitboard, Direction};
use super::board::Kind;
use super::position::Position;
use super::square::Square;
use crate::base::side::Side;

/// The maximum number of captures to generate. Positions in games have far fewer captures, but a
/// board full of kings could have more.
const MAX_CAPTURES: usize = 5_000;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Capture {
    pub taken: Vec<Square>,
    pub to: Square,
    /// True if the piece can continue capturing.
    pub can_go_on: bool,
}

/// Returns every diagonal capture of the piece on a square, including partial captures, up to
/// [`MAX_CAPTURES`]. The rules of killer and Frisian draughts are not considered.
pub(crate) fn captures(position: &Position, from: Square) -> Vec<Capture> {
    let mut found = Vec::new();
    if let Some((side, kind)) = position.piece_on(from) {
        let walk = Walk { position, from, side, kind };
        walk.go_on(from, &mut Vec::new(), &mut found);
    }
    found
}

struct Walk<'a> {
    position: &'a Position,
    from: Square,
    side: Side,
    kind: Kind,
}

impl Walk<'_> {
    /// Follows every jump from a square. Returns whether there is a jump.
    fn go_on(&self, at: Square, taken: &mut Vec<Square>, found: &mut Vec<Capture>) -> bool {
        let mut any = false;
        for way in Direction::ALL {
            let Some((over, landings)) = self.jump(at, way, taken) else { continue };
            any = true;
            taken.push(over);
            for to in landings {
                if found.len() >= MAX_CAPTURES {
                    break;
                }
                let index = found.len();
                found.push(Capture { taken: taken.clone(), to, can_go_on: false });
                found[index].can_go_on = self.go_on(to, taken, found);
            }
            taken.pop();
        }
        any
    }

    /// Returns the piece that can be jumped in a direction, and the squares where the jump can end.
    fn jump(&self, at: Square, way: Direction, taken: &[Square]) -> Option<(Square, Vec<Square>)> {
        let mut line = Diagonal { at: Bitboard::of(at), way };
        let over = match self.kind {
            Kind::Man => line.next()?,
            Kind::King => line.by_ref().find(|&square| !self.is_free(square))?,
        };
        let enemy = self.position.piece_on(over).is_some_and(|(side, _)| side != self.side);
        if !enemy || taken.contains(&over) {
            return None;
        }
        let reach = if self.kind == Kind::Man { 1 } else { usize::MAX };
        let beyond: Vec<_> = line.take(reach).take_while(|&square| self.is_free(square)).collect();
        (!beyond.is_empty()).then_some((over, beyond))
    }

    /// Returns whether a square can be crossed. Captured pieces are still on the board (FMJD 4.11),
    /// but the capturing piece has left its square.
    fn is_free(&self, square: Square) -> bool {
        square == self.from || self.position.piece_on(square).is_none()
    }
}

/// The squares along a diagonal, after its start square.
struct Diagonal {
    at: Bitboard,
    way: Direction,
}

impl Iterator for Diagonal {
    type Item = Square;

    fn next(&mut self) -> Option<Square> {
        self.at = self.at.step(self.way);
        self.at.first()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn orders(fen: &str, from: u32) -> Vec<String> {
        let position: Position = fen.parse().unwrap();
        let mut orders: Vec<_> = captures(&position, Square::new(from).unwrap())
            .iter()
            .filter(|capture| !capture.can_go_on)
            .map(|capture| {
                let taken: Vec<_> = capture.taken.iter().map(ToString::to_string).collect();
                format!("{} to {}", taken.join(" "), capture.to)
            })
            .collect();
        orders.sort();
        orders
    }

    #[test]
    fn follows_captures_in_order() {
        assert_eq!(orders("W:W38,45:B33,23,13,1", 38), ["33 23 13 to 9"]);
        assert_eq!(orders("W:W28,45:B22,11,1", 28), ["22 11 to 6"]);
        assert!(orders("W:W28:B17", 28).is_empty());
        // The man returns to its origin and can capture the four pieces in either direction.
        let round = orders("W:W38:B33,23,22,32", 38);
        assert_eq!(round, ["32 22 23 33 to 38", "33 23 22 32 to 38"]);
    }

    #[test]
    fn the_longest_captures_are_the_legal_moves() {
        for fen in ["W:WK46,38:B33,23,13,41,14,8", "B:BK5,12:W10,18,28,39,33,17", "W:W31:B27,17,18"]
        {
            let position: Position = fen.parse().unwrap();
            let mut walked: Vec<(Square, Square, Bitboard)> = Vec::new();
            let own = Square::all()
                .filter(|&s| position.piece_on(s).is_some_and(|(side, _)| side == position.side()));
            for from in own {
                for capture in captures(&position, from) {
                    let m = (from, capture.to, capture.taken.into_iter().collect());
                    if !walked.contains(&m) {
                        walked.push(m);
                    }
                }
            }
            let max = walked.iter().map(|(.., taken)| taken.len()).max().unwrap();
            walked.retain(|(.., taken)| taken.len() == max);
            let legal = position.legal_moves();
            assert_eq!(legal.len(), walked.len(), "{fen}");
            assert!(legal.iter().all(|m| walked.contains(&(m.from(), m.to(), m.taken()))), "{fen}");
        }
    }
}
