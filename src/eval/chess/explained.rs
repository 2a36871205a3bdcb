//! What a position is worth and why, for the UCI command `eval`.

use super::centipawns;
use super::features::ChessFeatures;
use crate::chess::{File, Kind, Piece, Position, Rank, Square};
use crate::eval::net::Features;
use std::fmt;

/// A position's value, and what each piece adds to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explained {
    /// The pieces with their squares and, but for kings, by how many centipawns White is better off with
    /// the piece than without it.
    pub pieces: Vec<(Square, Piece, Option<i32>)>,
    /// The bucket of the network's output, from 1 for few pieces.
    pub bucket: usize,
    /// What the network says, in centipawns seen from White.
    pub network: i32,
    /// The evaluation, likewise: the same, unless the ending is known.
    pub value: i32,
}

impl Explained {
    /// The value of a position as the network gives it and as the search does; `worth` tells by how much
    /// the side to move is better off with the piece on a square.
    pub(super) fn of(
        position: &Position,
        network: i32,
        value: i32,
        mut worth: impl FnMut(Square) -> i32,
    ) -> Self {
        let of_white = |value: i32| {
            let value = centipawns(value);
            if position.side().is_white() { value } else { -value }
        };
        let board = position.board();
        let pieces = board.occupied().into_iter().filter_map(|square| {
            let piece = board.piece_on(square)?;
            let worth = (piece.kind != Kind::King).then(|| of_white(worth(square)));
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

/// Centipawns as pawns, signed.
fn pawns(value: i32) -> String {
    format!("{:+.2}", f64::from(value) / 100.0)
}

impl fmt::Display for Explained {
    /// The board with the worth of each piece below it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LINE: &str = "+-------+-------+-------+-------+-------+-------+-------+-------+";
        writeln!(f, "What each piece adds, in pawns seen from White:")?;
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
            writeln!(f, "The ending is known; the network does not count")?;
        }
        write!(f, "Evaluation {} (White's side)", pawns(self.value))
    }
}
