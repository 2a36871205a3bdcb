//! Chess training positions in the formats of other trainers: bulletformat (`ChessBoard` in the
//! trainer bullet) and marlinformat (`PackedBoard` in Marlinflow). In both formats, a position is
//! 32 bytes long.
//!
//! | bytes | bulletformat | marlinformat |
//! |---|---|---|
//! | 8 | the occupied squares | the occupied squares |
//! | 16 | a nibble for each piece: kind, plus 8 for the opponent | kind, plus 8 for Black; 6 is a rook that may castle |
//! | 2 | (absent) | en passant square (64: none), plus 128 if Black is to move; halfmove clock |
//! | 2 | (absent) | fullmove number |
//! | 2 | score | score |
//! | 1 | result: 0, 1, 2 | result: 0, 1, 2 |
//! | 5 or 1 | own king, opponent's king (mirrored), 3 unused | unused |
//!
//! In bulletformat, the board, score and result are from the point of view of the side to move; the
//! board is mirrored for Black. In marlinformat, they are from White's point of view. Bulletformat
//! does not store castling rights, the en passant square or move counters. Version 1.8.0 of the
//! crate bulletformat mistakes rooks with code 6 for bishops.

use crate::base::side::Side;
use crate::chess::Position;
use crate::chess::bitboard::Bitboard;
use crate::chess::piece::{Kind, Piece};
use crate::chess::setup::{Setup, SetupError};
use crate::chess::square::Square;
use crate::record::selfplay::{Game, Ply, UNKNOWN_MOVE};

/// The length of a packed position in bytes.
pub(crate) const LEN: usize = 32;

type Bytes = [u8; LEN];

/// The code for a rook that may castle, in marlinformat.
const UNMOVED_ROOK: u8 = 6;
const OPPONENT: u8 = 8;
const NO_SQUARE: u8 = 64;

/// A binary format for training positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PackedFormat {
    Bullet,
    Marlin,
}

/// A training position, its score from the point of view of the side to move, and White's half
/// points.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sample {
    pub position: Position,
    pub score: i16,
    pub half_points: u8,
}

/// The reason why bytes cannot be decoded as a training position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PackedError {
    #[error("{0} pieces; a record has room for 32")]
    Count(u32),
    #[error("{0} is not the code of a piece")]
    Piece(u8),
    #[error("{0} is not a result from 0 to 2")]
    Result(u8),
    #[error(transparent)]
    Position(#[from] SetupError),
}

const fn mirrored(half_points: u8, mirror: bool) -> u8 {
    if mirror { 2 - half_points } else { half_points }
}

impl PackedFormat {
    /// Encodes a training position.
    pub fn pack(self, sample: &Sample) -> Bytes {
        let Sample { position, score, half_points } = sample;
        let (board, side) = (position.board(), position.side());
        let turns = self == Self::Bullet && side == Side::Black;
        let seen = |square: Square| if turns { square.flip() } else { square };
        let mut bytes = [0; LEN];
        let mut occupied = 0_u64;
        let mut count = 0;
        // Pieces are written in the order of their squares after mirroring.
        for square in Square::ALL {
            let Some(piece) = position.piece_on(seen(square)) else { continue };
            occupied |= 1 << square.index();
            let other =
                if self == Self::Bullet { piece.side != side } else { !piece.side.is_white() };
            let unmoved = self == Self::Marlin && board.castling.has(seen(square));
            let kind = if unmoved { UNMOVED_ROOK } else { piece.kind.index() as u8 };
            let code = kind | if other { OPPONENT } else { 0 };
            bytes[8 + count / 2] |= code << (4 * (count % 2));
            count += 1;
        }
        bytes[..8].copy_from_slice(&occupied.to_le_bytes());
        match self {
            Self::Bullet => {
                bytes[24..26].copy_from_slice(&score.to_le_bytes());
                bytes[26] = mirrored(*half_points, turns);
                bytes[27] = seen(board.king(side)).index() as u8;
                bytes[28] = seen(board.king(!side)).flip().index() as u8;
            }
            Self::Marlin => {
                let passant = board.en_passant.first();
                let passant = passant.map_or(NO_SQUARE, |square| square.index() as u8);
                bytes[24] = passant | if side == Side::Black { 0x80 } else { 0 };
                bytes[25] = position.halfmove_clock().min(255) as u8;
                bytes[26..28].copy_from_slice(&position.fullmove().to_le_bytes());
                let of_white = if side.is_white() { *score } else { score.saturating_neg() };
                bytes[28..30].copy_from_slice(&of_white.to_le_bytes());
                bytes[30] = *half_points;
            }
        }
        bytes
    }

    /// Decodes a training position.
    pub fn unpack(self, bytes: &Bytes) -> Result<Sample, PackedError> {
        let word = |at: usize| [bytes[at], bytes[at + 1]];
        let mut setup = Setup::empty();
        let mut occupied = [0; 8];
        occupied.copy_from_slice(&bytes[..8]);
        let occupied = u64::from_le_bytes(occupied);
        if occupied.count_ones() > 32 {
            return Err(PackedError::Count(occupied.count_ones()));
        }
        let squares = Square::ALL.into_iter().filter(|square| occupied >> square.index() & 1 == 1);
        for (count, square) in squares.enumerate() {
            let code = bytes[8 + count / 2] >> (4 * (count % 2)) & 0xf;
            let side = Side::from_white(code & OPPONENT == 0);
            let kind = match code & !OPPONENT {
                UNMOVED_ROOK if self == Self::Marlin => {
                    setup.castling |= Bitboard::of(square);
                    Kind::Rook
                }
                kind => *Kind::ALL.get(usize::from(kind)).ok_or(PackedError::Piece(kind))?,
            };
            setup.pieces[square.index()] = Some(Piece::new(side, kind));
        }
        let (score, result) = match self {
            Self::Bullet => (i16::from_le_bytes(word(24)), bytes[26]),
            Self::Marlin => {
                setup.side = Side::from_white(bytes[24] & 0x80 == 0);
                setup.en_passant = Square::ALL.get(usize::from(bytes[24] & 0x7f)).copied();
                setup.halfmove_clock = bytes[25].into();
                setup.fullmove = u16::from_le_bytes(word(26)).max(1).into();
                let of_white = i16::from_le_bytes(word(28));
                let of_mover =
                    if setup.side.is_white() { of_white } else { of_white.saturating_neg() };
                (of_mover, bytes[30])
            }
        };
        if result > 2 {
            return Err(PackedError::Result(result));
        }
        Ok(Sample { position: setup.try_into()?, score, half_points: result })
    }
}

impl Sample {
    /// Returns a game that consists of this position and an unknown move.
    pub(crate) fn into_game(self, number: u64) -> Game {
        let ply = Ply { code: UNKNOWN_MOVE, score: Some(self.score.max(-i16::MAX)) };
        let start = self.position.fen();
        Game { number, half_points: Some(self.half_points), start, plies: vec![ply] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(fen: &str, score: i16, half_points: u8) -> Sample {
        Sample { position: fen.parse().expect("a position"), score, half_points }
    }

    /// The expected bytes were produced by `ChessBoard::from_raw` in the crate bulletformat 1.8.0.
    #[test]
    fn bulletformat_matches_its_crate() {
        let black = sample("4k3/8/8/8/8/8/4P2r/4K3 b - - 3 40", 55, 0);
        let bytes = PackedFormat::Bullet.pack(&black);
        // After mirroring, Black has a king on e1 and a rook on h7, and White has a king on e8 and
        // a pawn on e7.
        let occupied: u64 = 1 << 4 | 1 << 52 | 1 << 55 | 1 << 60;
        assert_eq!(bytes[..8], occupied.to_le_bytes());
        assert_eq!(bytes[8..11], [0x85, 0xd3, 0]);
        assert_eq!(bytes[24..], [55, 0, 2, 4, 4, 0, 0, 0]);
        let read = PackedFormat::Bullet.unpack(&bytes).expect("a position");
        let turned = sample("4k3/4p2R/8/8/8/8/8/4K3 w - - 0 1", 55, 2);
        assert!(PackedFormat::Bullet.unpack(&PackedFormat::Bullet.pack(&turned)) == Ok(turned));
        assert_eq!((read.score, read.half_points, read.position.side()), (55, 2, Side::White));
    }

    #[test]
    fn marlinformat_survives_a_round_trip() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 12 34",
            "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
        ] {
            for half_points in 0..=2 {
                let before = sample(fen, -321, half_points);
                let bytes = PackedFormat::Marlin.pack(&before);
                assert_eq!(PackedFormat::Marlin.unpack(&bytes), Ok(before), "{fen}");
            }
        }
    }

    #[test]
    fn rejects_bytes_that_are_not_a_position() {
        let good = PackedFormat::Bullet.pack(&sample("4k3/8/8/8/8/8/8/4K3 w - - 0 1", 0, 1));
        let error = |at: usize, byte: u8| {
            let mut bytes = good;
            bytes[at] = byte;
            PackedFormat::Bullet.unpack(&bytes).expect_err("an error").to_string()
        };
        assert!(error(26, 3).contains("not a result"));
        assert!(error(8, 0x77).contains("7 is not the code of a piece"));
        assert!(error(0, 0x7f).contains("kings") || error(0, 0x7f).contains("pawn"));
        assert!(PackedFormat::Bullet.unpack(&[255; LEN]).is_err());
        assert!(PackedFormat::Marlin.unpack(&[0; LEN]).is_err());
    }
}
