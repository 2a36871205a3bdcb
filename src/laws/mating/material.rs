//! Decides whether the pieces on the board allow a mate.

use crate::base::side::Side;
use crate::chess::{Bitboard, Board, Kind};

/// Returns whether the pieces on the board, on whatever squares, allow `winner` to mate.
///
/// - A lone king cannot mate.
/// - A lone knight mates only a king hemmed in by its own pieces. These pieces cannot all be
///   queens, because one of the queens could always capture the knight.
/// - Bishops that are all on squares of one colour cannot attack the squares of the other colour.
///   To be mated, the king must be blocked there by its own pieces, and these pieces must be unable
///   to parry the check. Only knights, pawns and bishops on the other colour meet both conditions.
pub(super) fn is_enough(board: &Board, winner: Side) -> bool {
    let own = board.side(winner) - board.kind(Kind::King);
    let bishops = own & board.kind(Kind::Bishop);
    let others = |kinds: Bitboard| (board.side(!winner) & kinds).any();
    if own == bishops {
        let one_colour = |colour: Bitboard| {
            (bishops - colour).is_empty()
                && !others(
                    board.kind(Kind::Knight)
                        | board.kind(Kind::Pawn)
                        | (board.kind(Kind::Bishop) - colour),
                )
        };
        // Without bishops, `winner` has a lone king.
        bishops.any() && !one_colour(Bitboard::LIGHT) && !one_colour(Bitboard::DARK)
    } else if own == own & board.kind(Kind::Knight) && !own.many() {
        others(!(board.kind(Kind::King) | board.kind(Kind::Queen)))
    } else {
        true
    }
}
