//! Names that players give to moves, such as pin and discovered check, as defined by Par. 6 (1928)
//! and Art. 6 (1930). The names are row C-10 of `laws::catalogue`.
//!
//! Par. 6 defines only the pin against the king. Art. 6 also defines the pin against a piece worth
//! more than the pinning piece, and this module distinguishes the two kinds. In Par. 6, "the
//! exchange" means any lesser piece for a greater one. This module follows Art. 6, which restricts
//! the term to a bishop or knight for a rook.

use super::attacks;
use super::bitboard::Bitboard;
use super::board::{Board, CastlingSquares};
use super::moves::{Move, MoveKind};
use super::piece::Kind;
use super::position::Position;
use super::square::Square;
use crate::base::side::Side;
use std::fmt;

/// A name of a move. A move can have several names or none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MoveName {
    /// The move pins an enemy piece against its king (Par. 6; Art. 6).
    Pin,
    /// The move pins an enemy piece against a piece that is not the king and is worth more than the
    /// pinned and the pinning piece (Art. 6).
    RelativePin,
    DiscoveredCheck,
    DoubleCheck,
    /// A piece captures a piece of the same usual value and can be recaptured (Par. 6; Art. 6).
    Exchange,
    /// A bishop or knight captures a rook and can be recaptured (Art. 6; Par. 6).
    WinsTheExchange,
    /// A rook captures a bishop or knight and can be recaptured (Art. 6; Par. 6).
    LosesTheExchange,
}

impl fmt::Display for MoveName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pin => "pin",
            Self::RelativePin => "relative pin",
            Self::DiscoveredCheck => "discovered check",
            Self::DoubleCheck => "double check",
            Self::Exchange => "exchange",
            Self::WinsTheExchange => "wins the exchange",
            Self::LosesTheExchange => "loses the exchange",
        })
    }
}

/// A pin: `piece` stands between the enemy slider `by` and the piece of its own side on `shields`.
/// The shielded piece is worth more than the pinned and the pinning piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pin {
    pub piece: Square,
    pub by: Square,
    pub shields: Square,
    pub absolute: bool,
}

pub(crate) fn pins(board: &Board, side: Side) -> Vec<Pin> {
    let occupied = board.occupied();
    let mut pins = Vec::new();
    for by in board.diagonal_sliders(!side) | board.straight_sliders(!side) {
        let kind = kind_on(board, by);
        for shields in board.side(side) {
            let (way, shielded) = (attacks::between(by, shields), kind_on(board, shields));
            let along = attacks::piece(kind, by, Bitboard::EMPTY).has(shields);
            let mut between = way & occupied;
            let (Some(piece), None) = (between.next(), between.next()) else { continue };
            let absolute = shielded == Kind::King;
            let worth_it = value(shielded) > value(kind).max(value(kind_on(board, piece)));
            if along && board.side(side).has(piece) && worth_it {
                pins.push(Pin { piece, by, shields, absolute });
            }
        }
    }
    pins
}

pub fn names(position: &Position, m: Move) -> Vec<MoveName> {
    let next = position.play_unchecked(m);
    let mut names = Vec::new();
    let before = pins(position.board(), next.side());
    let is_new = |pin: &&Pin| !before.iter().any(|old| is_same_pin(old, pin));
    let new = pins(next.board(), next.side());
    for (name, absolute) in [(MoveName::Pin, true), (MoveName::RelativePin, false)] {
        if new.iter().filter(is_new).any(|pin| pin.absolute == absolute) {
            names.push(name);
        }
    }
    let arrived = match m.kind() {
        // Only the rook can give check: the king never does.
        MoveKind::Castle => CastlingSquares::of(m.from(), m.to()).rook,
        _ => m.to(),
    };
    if (next.checkers() - arrived).any() {
        names.push(MoveName::DiscoveredCheck);
    }
    if next.checkers().many() {
        names.push(MoveName::DoubleCheck);
    }
    names.extend(exchange(position, m, &next));
    names
}

fn is_same_pin(old: &Pin, new: &Pin) -> bool {
    (old.piece, old.shields) == (new.piece, new.shields)
}

/// Returns the name of the exchange that the capture `m` begins. Returns `None` if `m` is not a
/// capture, if the capturing piece cannot be recaptured, or if no name fits the two pieces.
fn exchange(position: &Position, m: Move, next: &Position) -> Option<MoveName> {
    let taken = position.captured(m)?;
    let takes = next.kind_on(m.to())?;
    let retaken = next.legal_moves().iter().any(|r| r.to() == m.to() && !r.is_castle());
    if !retaken {
        return None;
    }
    let minor = |kind| matches!(kind, Kind::Bishop | Kind::Knight);
    match (takes, taken) {
        (Kind::Rook, taken) if minor(taken) => Some(MoveName::LosesTheExchange),
        (takes, Kind::Rook) if minor(takes) => Some(MoveName::WinsTheExchange),
        (takes, taken) => (value(takes) == value(taken)).then_some(MoveName::Exchange),
    }
}

fn kind_on(board: &Board, square: Square) -> Kind {
    board.piece_on(square).map_or(Kind::Pawn, |piece| piece.kind)
}

/// The usual piece values: bishop and knight are equal, and the king exceeds all others.
const fn value(kind: Kind) -> u32 {
    match kind {
        Kind::Pawn => 1,
        Kind::Knight | Kind::Bishop => 3,
        Kind::Rook => 5,
        Kind::Queen => 9,
        Kind::King => 100,
    }
}

#[cfg(test)]
mod tests {
    use super::MoveName::*;
    use super::*;

    fn named(fen: &str, m: &str) -> Vec<MoveName> {
        let position: Position = fen.parse().unwrap_or_else(|e| panic!("{fen}: {e}"));
        names(&position, position.parse_uci(m).unwrap_or_else(|e| panic!("{e}")))
    }

    #[test]
    fn names_moves_as_players_do() {
        let cases: [(&str, &str, &[MoveName]); 18] = [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4", &[]),
            ("4k3/8/2n5/8/8/8/8/4KB2 w - - 0 1", "f1b5", &[Pin]),
            // Bg5 pins the knight on f6 against the queen. A queen in front of a rook is not
            // pinned, nor is a knight that shields its rook from an enemy rook.
            ("k2q4/8/5n2/8/8/8/8/2B1K3 w - - 0 1", "c1g5", &[RelativePin]),
            ("k2r4/8/5q2/8/8/8/8/2B1K3 w - - 0 1", "c1g5", &[]),
            ("1k3r2/8/5n2/8/8/8/8/4R1K1 w - - 0 1", "e1f1", &[]),
            // A pin that already existed is not named, even if the pinning piece moves along the
            // line.
            ("4k3/8/2n5/1B6/8/8/8/4K3 w - - 0 1", "b5a4", &[]),
            // A piece can also create a pin by leaving the line of its own rook.
            ("4k3/4n3/8/8/4N3/8/8/K3R3 w - - 0 1", "e4c3", &[Pin]),
            ("4k3/8/8/8/4N3/8/8/K3R3 w - - 0 1", "e4c3", &[DiscoveredCheck]),
            ("4k3/8/8/8/4N3/8/8/K3R3 w - - 0 1", "e4d6", &[DiscoveredCheck, DoubleCheck]),
            // En passant opens the rank, so the check is discovered.
            ("8/8/8/R2pP2k/8/8/8/K7 w - d6 0 1", "e5d6", &[DiscoveredCheck]),
            ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", &[]),
            ("4k3/8/8/3p4/4n3/8/6B1/4K3 w - - 0 1", "g2e4", &[Exchange]),
            ("3qk3/8/8/8/8/8/8/3QK3 w - - 0 1", "d1d8", &[Exchange]),
            ("4k3/8/8/8/4n3/8/6B1/4K3 w - - 0 1", "g2e4", &[]),
            // A bishop takes a protected rook; a rook takes a protected knight; a rook takes an
            // unprotected knight.
            ("4k3/8/8/3p4/4r3/8/6B1/6K1 w - - 0 1", "g2e4", &[WinsTheExchange]),
            ("4k3/8/5p2/4n3/8/8/8/4R1K1 w - - 0 1", "e1e5", &[LosesTheExchange]),
            ("k7/8/8/4n3/8/8/8/4R1K1 w - - 0 1", "e1e5", &[]),
            ("4r1k1/8/8/1b6/8/3N4/4B3/4K3 b - - 0 1", "b5d3", &[]),
        ];
        for (fen, m, wanted) in cases {
            assert_eq!(named(fen, m), wanted, "{m} in {fen}");
        }
    }

    #[test]
    fn pins_match_the_move_generator() {
        let mut rng = crate::base::rng::Rng::new(1);
        for _ in 0..20 {
            let mut position = Position::start();
            for _ in 0..100 {
                let own = position.board().side(position.side());
                let masks = position.masks();
                let masked = (masks.pin_straight | masks.pin_diagonal) & own;
                let pinned: Bitboard = pins(position.board(), position.side())
                    .iter()
                    .filter(|pin| pin.absolute)
                    .map(|pin| pin.piece)
                    .collect();
                assert_eq!(pinned, masked, "{}", position.fen());
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position = position.play(moves[rng.below(moves.len())]);
            }
        }
    }
}
