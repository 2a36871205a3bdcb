//! Explains an evaluation by the contributions of the pieces, for the UCI command `eval`.

use super::centipawns;
use super::features::ChessFeatures;
use crate::chess::{File, Kind, Piece, Position, Rank, Square};
use crate::eval::net::Features;
use std::fmt;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Explained {
    /// The pieces with their squares and contributions. The contribution of a piece is the network
    /// output with the piece minus the output without it, in centipawns from White's point of view.
    /// It is `None` for a king.
    pub pieces: Vec<(Square, Piece, Option<i32>)>,
    /// The output bucket of the network. Bucket 1 is for the fewest pieces.
    pub bucket: usize,
    /// The output of the network in centipawns, from White's point of view.
    pub network: i32,
    /// The evaluation in centipawns, from White's point of view. It differs from the network's
    /// output in endgames with a certain result or a drawish advantage.
    pub value: i32,
}

impl Explained {
    /// Explains the evaluation `value` of a position. `network` is the output of the network, and
    /// `piece_value` returns the contribution of the piece on a square. All values are on the
    /// network's scale, from the point of view of the side to move.
    pub(super) fn of(
        position: &Position,
        network: i32,
        value: i32,
        mut piece_value: impl FnMut(Square) -> i32,
    ) -> Self {
        let of_white = |value: i32| {
            let value = centipawns(value);
            if position.side().is_white() { value } else { -value }
        };
        let board = position.board();
        let pieces = board.occupied().into_iter().filter_map(|square| {
            let piece = board.piece_on(square)?;
            let worth = (piece.kind != Kind::King).then(|| of_white(piece_value(square)));
            Some((square, piece, worth))
        });
        Self {
            pieces: pieces.collect(),
            bucket: ChessFeatures::bucket(&ChessFeatures::pieces(position)) + 1,
            network: of_white(network),
            value: of_white(value),
        }
    }
}

fn pawns(value: i32) -> String {
    format!("{:+.2}", f64::from(value) / 100.0)
}

impl fmt::Display for Explained {
    /// Prints the board with the contribution of each piece below the piece.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LINE: &str = "+-------+-------+-------+-------+-------+-------+-------+-------+";
        writeln!(f, "Contribution of each piece, in pawns from White's point of view:")?;
        writeln!(f, "{LINE}")?;
        for rank in Rank::ALL.into_iter().rev() {
            let (mut letters, mut worths) = (String::from("|"), String::from("|"));
            for file in File::ALL {
                let square = Square::new(file, rank);
                let found = self.pieces.iter().find(|(at, ..)| *at == square);
                let letter = found.map_or(' ', |(_, piece, _)| piece.letter());
                let worth = found.and_then(|(.., worth)| *worth).map_or(String::new(), pawns);
                letters += &format!("{letter:^7}|");
                worths += &format!("{worth:^7}|");
            }
            writeln!(f, "{letters}\n{worths}\n{LINE}")?;
        }
        let buckets = ChessFeatures::BUCKETS;
        writeln!(f, "Network {} (bucket {} of {buckets})", pawns(self.network), self.bucket)?;
        if self.network != self.value {
            writeln!(f, "Endgame knowledge replaces or scales the network's value")?;
        }
        write!(f, "Evaluation {} (White's side)", pawns(self.value))
    }
}
