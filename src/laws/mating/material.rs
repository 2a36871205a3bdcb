//! Material with which a mate is possible.

use crate::base::side::Side;
use crate::chess::{Bitboard, Board, Kind};

/// Returns whether the pieces on the board, on whatever squares, allow `winner` to mate.
///
/// A lone king cannot mate. A lone knight mates only a king hemmed in by its own pieces, and a
/// queen next to the king always guards the knight's square or captures the knight. Bishops on
/// squares of one colour leave a king the squares of the other colour. The pieces that can occupy
/// those squares without parrying the check are knights, pawns and bishops of that colour.
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
        // A side without bishops has a lone king here, which cannot mate.
        bishops.any() && !one_colour(Bitboard::LIGHT) && !one_colour(Bitboard::DARK)
    } else if own == own & board.kind(Kind::Knight) && !own.many() {
        others(!(board.kind(Kind::King) | board.kind(Kind::Queen)))
    } else {
        true
    }
}
