//! A fast parser for moves in the export format of the PGN standard, which nearly all files use.
//!
//! It finds the pieces that can reach the destination square and checks only these pieces' moves
//! for legality, instead of listing all legal moves. It returns `None` if the text has another
//! format, is illegal or is ambiguous. The lenient parser then decides.
//!
//! Invariant: a returned move is the move that the lenient parser returns.

use crate::chess::attacks;
use crate::chess::bitboard::Bitboard;
use crate::chess::movegen;
use crate::chess::moves::Move;
use crate::chess::piece::Kind;
use crate::chess::position::Position;
use crate::chess::square::{File, Rank, Square};

impl Position {
    /// Parses `Nf3`, `R1xa3+`, `exd6`, `e8=Q#`, `O-O` and the like. A check mark may be missing or
    /// wrong.
    #[inline]
    pub(in crate::chess) fn parse_export(&self, text: &[u8]) -> Option<Move> {
        let text = match text {
            [body @ .., b'+' | b'#'] => body,
            text => text,
        };
        match text {
            [b'N', rest @ ..] => self.export_piece(Kind::Knight, rest),
            [b'B', rest @ ..] => self.export_piece(Kind::Bishop, rest),
            [b'R', rest @ ..] => self.export_piece(Kind::Rook, rest),
            [b'Q', rest @ ..] => self.export_piece(Kind::Queen, rest),
            [b'K', rest @ ..] => self.export_piece(Kind::King, rest),
            [body @ .., b'=', b'Q'] => self.export_pawn(body, Some(Kind::Queen)),
            [body @ .., b'=', b'N'] => self.export_pawn(body, Some(Kind::Knight)),
            [body @ .., b'=', b'R'] => self.export_pawn(body, Some(Kind::Rook)),
            [body @ .., b'=', b'B'] => self.export_pawn(body, Some(Kind::Bishop)),
            b"O-O" => self.export_castling(true),
            b"O-O-O" => self.export_castling(false),
            _ => self.export_pawn(text, None),
        }
    }

    fn export_castling(&self, king_side: bool) -> Option<Move> {
        let king = self.board().king(self.side());
        let rooks = self.board().castling & self.board().side(self.side());
        let castles = |rook: &Square| (*rook > king) == king_side;
        let m = Move::castle(king, rooks.into_iter().find(castles)?);
        self.is_legal(m).then_some(m)
    }

    fn export_pawn(&self, text: &[u8], promotion: Option<Kind>) -> Option<Move> {
        let (board, side) = (self.board(), self.side());
        let pawns = board.pieces(side, Kind::Pawn);
        let (from, to) = match *text {
            [to_file, to_rank] => {
                let to = square(to_file, to_rank)?;
                // If the move could be a capture, leave the decision to the lenient parser, which
                // also matches captures written without the pawn's file.
                if board.occupied().has(to) || board.en_passant.has(to) {
                    return None;
                }
                let from = Bitboard::of(to).forward(!side);
                let from = if (from & board.occupied()).is_empty()
                    && to.rank() == Rank::R4.relative_to(side)
                {
                    from.forward(!side)
                } else {
                    from
                };
                ((from & pawns).first()?, to)
            }
            [from_file, b'x', to_file, to_rank] => {
                let to = square(to_file, to_rank)?;
                let from = attacks::pawn(!side, to) & pawns & Bitboard::file(file(from_file)?);
                let from = from.first()?;
                if board.en_passant.has(to) {
                    let legal = movegen::en_passant_captures(board, self.masks(), side, to);
                    let is_legal = promotion.is_none() && legal.has(from);
                    return is_legal.then_some(Move::en_passant(from, to));
                }
                if !board.side(!side).has(to) {
                    return None;
                }
                (from, to)
            }
            _ => return None,
        };
        let promotes = to.rank() == Rank::R8.relative_to(side);
        if promotes != promotion.is_some() || !self.targets().has(to) || !self.may_go(from, to) {
            return None;
        }
        Some(promotion.map_or(Move::normal(from, to), |kind| Move::promotion(from, to, kind)))
    }

    fn export_piece(&self, kind: Kind, text: &[u8]) -> Option<Move> {
        let (board, side) = (self.board(), self.side());
        let [origin @ .., to_file, to_rank] = text else { return None };
        let to = square(*to_file, *to_rank)?;
        let (origin, takes) = match origin {
            [origin @ .., b'x'] => (origin, true),
            origin => (origin, false),
        };
        let among = match *origin {
            [] => Bitboard::ALL,
            [name @ b'a'..=b'h'] => Bitboard::file(file(name)?),
            [name] => Bitboard::rank(rank(name)?),
            [file, rank] => Bitboard::of(square(file, rank)?),
            _ => return None,
        };
        let wanted = if takes { board.side(!side) } else { !board.side(side) };
        if !wanted.has(to) {
            return None;
        }
        let occupied = board.occupied();
        let pieces = self.reaching(kind, to, among);
        if kind == Kind::King {
            let from = pieces.first()?;
            let attackers = board.attackers(to, occupied ^ from) & board.side(!side);
            return attackers.is_empty().then_some(Move::normal(from, to));
        }
        if !self.targets().has(to) {
            return None;
        }
        let from = self.free_to_go(pieces, to);
        (!from.many()).then_some(Move::normal(from.first()?, to))
    }

    /// Returns the pieces of `kind` on the squares `among` that belong to the side to move and
    /// attack `to`.
    #[inline]
    fn reaching(&self, kind: Kind, to: Square, among: Bitboard) -> Bitboard {
        let (board, occupied) = (self.board(), self.board().occupied());
        // The attacks on the empty board exclude most pieces. They are a small part of the attack
        // tables and stay in the cache.
        let aligned = attacks::piece(kind, to, Bitboard::EMPTY);
        let mut pieces = aligned & board.pieces(self.side(), kind) & among;
        for from in pieces {
            if (attacks::between(from, to) & occupied).any() {
                pieces ^= from;
            }
        }
        pieces
    }

    #[inline]
    fn targets(&self) -> Bitboard {
        self.masks().targets(self.board().king(self.side()))
    }

    /// Returns `pieces` without the pieces that a pin prevents from moving to `to`. All `pieces`
    /// must belong to the side to move.
    #[inline]
    fn free_to_go(&self, pieces: Bitboard, to: Square) -> Bitboard {
        let pins = self.masks().pin_straight | self.masks().pin_diagonal;
        let mut free = pieces - pins;
        for from in pieces & pins {
            if self.may_go(from, to) {
                free |= from;
            }
        }
        free
    }

    /// Returns whether the piece on `from` can move to `to` as far as pins are concerned. The piece
    /// must belong to the side to move.
    #[inline]
    fn may_go(&self, from: Square, to: Square) -> bool {
        let pins = self.masks().pin_straight | self.masks().pin_diagonal;
        !pins.has(from) || attacks::line(self.board().king(self.side()), from).has(to)
    }

    /// Returns the other pieces of the same kind that can move to the same square as `m`, which
    /// must be neither castling nor a pawn move. The set is empty for a king move.
    pub(in crate::chess) fn rivals(&self, m: Move, kind: Kind) -> Bitboard {
        let to = m.to();
        if !self.targets().has(to) {
            return Bitboard::EMPTY;
        }
        self.free_to_go(self.reaching(kind, to, !Bitboard::of(m.from())), to)
    }
}

#[inline]
fn square(file_name: u8, rank_name: u8) -> Option<Square> {
    Some(Square::new(file(file_name)?, rank(rank_name)?))
}

#[inline]
fn file(name: u8) -> Option<File> {
    File::from_index(name.wrapping_sub(b'a').into())
}

#[inline]
fn rank(name: u8) -> Option<Rank> {
    Rank::from_index(name.wrapping_sub(b'1').into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::Rng;
    use crate::chess::random_game;

    /// Returns texts of every form in the export format. Most of them are not legal moves in a
    /// given position.
    fn texts() -> Vec<String> {
        let squares = (0..64).filter_map(Square::from_index).map(|square| square.to_string());
        let mut texts = vec!["O-O".to_owned(), "O-O-O+".to_owned(), "Kx".to_owned()];
        for to in squares {
            for piece in ["K", "Q", "R", "B", "N"] {
                for origin in ["", "a", "e", "1", "4", "8", "e1", "d5"] {
                    texts.extend(["", "x"].map(|sign| format!("{piece}{origin}{sign}{to}")));
                }
            }
            for origin in ["", "ax", "bx", "cx", "dx", "ex", "hx", "b"] {
                texts.extend(["", "=Q", "=N#", "=K"].map(|end| format!("{origin}{to}{end}")));
            }
        }
        texts
    }

    #[test]
    fn agrees_with_the_lenient_parser() {
        let mut rng = Rng::new(7);
        let starts = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "r2k3r/8/8/1q6/2Q1Q3/8/2Q1Q3/1R2K2R w HBha - 0 1",
            "4k3/8/2q1r3/8/2N1B3/1R6/q1RK2Rr/8 w - - 0 1",
        ];
        let texts = texts();
        let mut found = 0;
        for start in starts {
            let start: Position = start.parse().expect(start);
            let mut positions = random_game(start.clone(), 60, &mut rng);
            positions.push(start);
            for position in positions {
                let context = position.fen();
                for &m in position.legal_moves().iter() {
                    let text = position.san(m);
                    assert_eq!(position.parse_export(text.as_bytes()), Some(m), "{text} {context}");
                }
                for text in &texts {
                    let Some(m) = position.parse_export(text.as_bytes()) else { continue };
                    found += 1;
                    assert_eq!(position.parse_any(text), Ok(m), "{text} in {context}");
                }
            }
        }
        assert!(found > 10_000, "{found}");
    }
}
