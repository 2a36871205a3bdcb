//! Static exchange evaluation (SEE): the material result of a series of captures on one square.

use crate::chess::moves::MoveKind;
use crate::chess::{Bitboard, Kind, Move, Position, attacks};

#[inline(always)]
pub(crate) const fn value(kind: Kind) -> i32 {
    [100, 320, 330, 500, 950, 0][kind.index()]
}

#[inline(always)]
pub(crate) fn captured_value(position: &Position, m: Move) -> i32 {
    match position.captured(m) {
        Some(kind) => value(kind),
        None => 0,
    }
}

/// Returns whether the exchange started by a legal move wins at least `threshold` centipawns for
/// the moving side. Both sides capture with their least valuable piece and may stop at any time. A
/// pinned piece of the moving side captures only along its pin line.
pub(crate) fn at_least(position: &Position, m: Move, threshold: i32) -> bool {
    let board = position.board();
    let (from, to) = (m.from(), m.to());
    let (promoted, standing) = match m.kind() {
        MoveKind::Castle => return threshold <= 0,
        MoveKind::Promotion(kind) => (value(kind) - value(Kind::Pawn), kind),
        MoveKind::Normal | MoveKind::EnPassant => (0, position.kind_on(from).unwrap_or(Kind::Pawn)),
    };
    let mut balance = captured_value(position, m) + promoted - threshold;
    if balance < 0 {
        return false;
    }
    balance -= value(standing);
    if balance >= 0 {
        return true;
    }

    let mut occupied = (board.occupied() - from) | to;
    if m.kind() == MoveKind::EnPassant {
        occupied ^= Bitboard::of(to).forward(!position.side());
    }
    let diagonal = board.kind(Kind::Bishop) | board.kind(Kind::Queen);
    let straight = board.kind(Kind::Rook) | board.kind(Kind::Queen);
    let mut attackers = board.attackers(to, occupied);
    let pinned = position.masks().pin_straight | position.masks().pin_diagonal;
    let pinned_off_line = pinned - attacks::line(board.king(position.side()), to);
    let mut side = !position.side();
    let mut won = true;
    loop {
        attackers &= occupied;
        let mut own = attackers & board.side(side);
        if side == position.side() {
            own -= pinned_off_line;
        }
        if own.is_empty() {
            break;
        }
        won = !won;
        let mut least = Kind::Pawn;
        while least != Kind::King && (own & board.kind(least)).is_empty() {
            least = Kind::ALL[least.index() + 1];
        }
        if least == Kind::King {
            // The king may capture only if the enemy cannot recapture.
            if (attackers & board.side(!side)).any() {
                won = !won;
            }
            break;
        }
        balance = -balance - 1 - value(least);
        if balance >= 0 {
            break;
        }
        occupied ^= (own & board.kind(least)).lowest();
        if matches!(least, Kind::Pawn | Kind::Bishop | Kind::Queen) {
            attackers |= attacks::bishop(to, occupied) & diagonal;
        }
        if matches!(least, Kind::Rook | Kind::Queen) {
            attackers |= attacks::rook(to, occupied) & straight;
        }
        side = !side;
    }
    won
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resolves_exchanges_completely() {
        let cases = [
            // Captures of an undefended pawn and of a pawn defended by a pawn, and exchanges with
            // doubled rooks.
            ("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100),
            ("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100 - 500),
            ("3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100 - 500),
            ("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100),
            // The king may not capture a defended piece.
            ("8/8/4k3/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100),
            ("8/8/4k3/3p4/8/8/3R4/4K3 w - - 0 1", "d2d5", 100 - 500),
            // An en passant capture, a promotion, and a quiet move to an attacked square.
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100),
            ("8/1P6/8/8/8/7k/8/4K3 w - - 0 1", "b7b8q", 850),
            ("4k3/8/4p3/8/8/8/3Q4/4K3 w - - 0 1", "d2d5", -950),
        ];
        for (fen, text, value) in cases {
            let position: Position = fen.parse().expect(fen);
            let m = position.parse_uci(text).expect(text);
            assert!(at_least(&position, m, value), "{fen} {text} >= {value}");
            assert!(!at_least(&position, m, value + 1), "{fen} {text} < {}", value + 1);
        }
    }
}
