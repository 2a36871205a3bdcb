//! With which pieces a mate is possible at all.

use crate::base::side::Side;
use crate::chess::{Bitboard, Board, Kind};

/// Whether the pieces on the board allow `winner` to mate somewhere, wherever they stand.
///
/// A king alone mates nobody. A knight alone mates a king that its own pieces hem in, and a queen
/// beside the king always guards the square of the knight or takes it. Bishops on squares of one
/// colour leave a king the squares of the other colour, and pieces that can stand there without
/// parrying the check are knights, pawns and bishops of that colour.
pub fn is_enough(board: &Board, winner: Side) -> bool {
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
        // A king alone has its bishops, none at all, on either colour.
        bishops.any() && !one_colour(Bitboard::LIGHT) && !one_colour(Bitboard::DARK)
    } else if own == own & board.kind(Kind::Knight) && !own.many() {
        others(!(board.kind(Kind::King) | board.kind(Kind::Queen)))
    } else {
        true
    }
}
