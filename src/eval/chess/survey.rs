//! The attack maps of a position and the terms of single pieces.
//!
//! Order matters: [`Survey::new`] knows pawns and kings, [`Survey::pieces`] must run for both sides
//! before the terms that compare both sides' attacks (`king`, `threats`, `passed`).

use super::half_square;
use super::pawns::{Structure, ahead};
use super::tally::{Tally, Trace, add, endanger};
use crate::base::side::Side;
use crate::chess::{Bitboard, Board, File, Kind, Rank, Square, attacks};

/// What the pieces of a position attack, and the sums so far.
pub(super) struct Survey<'a, T> {
    pub board: &'a Board,
    pub structure: Structure,
    pub tally: Tally<T>,
    pub occupied: Bitboard,
    pub king: [Square; Side::NUM],
    /// Squares about the king that enemy pieces should not attack.
    pub ring: [Bitboard; Side::NUM],
    /// Squares that count for mobility.
    area: [Bitboard; Side::NUM],
    /// Own pieces pinned to the own king.
    pub pinned: [Bitboard; Side::NUM],
    /// Squares attacked by each kind of piece.
    pub by: [[Bitboard; Kind::NUM]; Side::NUM],
    /// Squares attacked by any piece.
    pub all: [Bitboard; Side::NUM],
    /// Squares attacked by two pieces or more.
    pub twice: [Bitboard; Side::NUM],
}

/// Middle game weight of the pieces on the board, from 24 at the start to 0 with pawns alone.
pub const FULL_PHASE: i32 = 24;

/// The phase: minor pieces count 1, rooks 2, queens 4.
#[inline(always)]
pub(super) fn phase(board: &Board) -> i32 {
    let minors = (board.kind(Kind::Knight) | board.kind(Kind::Bishop)).len();
    let sum = minors + 2 * board.kind(Kind::Rook).len() + 4 * board.kind(Kind::Queen).len();
    (sum as i32).min(FULL_PHASE)
}

impl<'a, T: Trace> Survey<'a, T> {
    #[inline(always)]
    pub fn new(board: &'a Board, structure: Structure, tally: Tally<T>) -> Self {
        let mut new = Self {
            board,
            structure,
            tally,
            occupied: board.occupied(),
            king: Side::ALL.map(|side| board.king(side)),
            ring: [Bitboard::EMPTY; 2],
            area: [Bitboard::EMPTY; 2],
            pinned: [Bitboard::EMPTY; 2],
            by: [[Bitboard::EMPTY; Kind::NUM]; 2],
            all: [Bitboard::EMPTY; 2],
            twice: [Bitboard::EMPTY; 2],
        };
        for us in Side::ALL {
            let i = us.index();
            let own = board.pieces(us, Kind::Pawn);
            let pawn_attacks = attacks::pawns(us, own);
            let king_attacks = attacks::king(new.king[i]);
            new.by[i][Kind::Pawn.index()] = pawn_attacks;
            new.by[i][Kind::King.index()] = king_attacks;
            new.all[i] = pawn_attacks | king_attacks;
            let forward = own.forward(us);
            new.twice[i] = pawn_attacks & king_attacks | forward.left() & forward.right();
            new.ring[i] = ring(new.king[i]) - (forward.left() & forward.right());
            let stuck = own & (new.occupied.forward(!us) | low_ranks(us));
            new.area[i] =
                !(stuck | new.king[i] | attacks::pawns(!us, board.pieces(!us, Kind::Pawn)));
            for sniper in attacks::rook(new.king[i], Bitboard::EMPTY) & board.straight_sliders(!us)
                | attacks::bishop(new.king[i], Bitboard::EMPTY) & board.diagonal_sliders(!us)
            {
                let between = attacks::between(new.king[i], sniper) & new.occupied;
                if !between.many() {
                    new.pinned[i] |= between & board.side(us);
                }
            }
        }
        new
    }

    /// Everything about `us`'s knights, bishops, rooks and queens taken one by one.
    #[inline(always)]
    pub fn pieces(&mut self, us: Side) {
        let i = us.index();
        let board = self.board;
        let own_pawns = board.pieces(us, Kind::Pawn);
        let enemy_pawns = board.pieces(!us, Kind::Pawn);
        let queens = board.kind(Kind::Queen);
        let outposts = outpost_ranks(us)
            & (self.by[i][Kind::Pawn.index()] - self.structure.spans[(!us).index()]);
        let extra_pawns = own_pawns.len() as i32 - 5;

        for square in board.pieces(us, Kind::Knight) {
            let reach = self.piece(us, Kind::Knight, square, attacks::knight(square));
            add!(self.tally, us, knight_mobility[reach.1]);
            add!(self.tally, us, knight_square[half_square(us, square)]);
            add!(self.tally, us, knight_pawns * extra_pawns);
            if outposts.has(square) {
                add!(self.tally, us, outpost[0]);
            } else if (reach.0 & (outposts - board.side(us))).any() {
                add!(self.tally, us, outpost_reachable);
            }
            self.minor(us, square, 0);
        }

        let bishops = board.pieces(us, Kind::Bishop);
        if bishops.many() {
            add!(self.tally, us, bishop_pair);
        }
        for square in bishops {
            let reach = attacks::bishop(square, self.occupied - queens);
            let reach = self.piece(us, Kind::Bishop, square, reach);
            add!(self.tally, us, bishop_mobility[reach.1]);
            add!(self.tally, us, bishop_square[half_square(us, square)]);
            if outposts.has(square) {
                add!(self.tally, us, outpost[1]);
            }
            self.minor(us, square, 1);
            let colour = if square.is_light() { Bitboard::LIGHT } else { Bitboard::DARK };
            let same = own_pawns & colour;
            add!(self.tally, us, bishop_pawns * same.len() as i32);
            let blocked = same & self.occupied.forward(!us);
            add!(self.tally, us, bishop_blocked_pawns * blocked.len() as i32);
            let pawns = own_pawns | enemy_pawns;
            if (attacks::bishop(square, pawns) & Bitboard::CENTRE).many() {
                add!(self.tally, us, bishop_long_diagonal);
            }
        }

        let king = self.king[i];
        for square in board.pieces(us, Kind::Rook) {
            let through = self.occupied - queens - board.pieces(us, Kind::Rook);
            let reach = self.piece(us, Kind::Rook, square, attacks::rook(square, through));
            add!(self.tally, us, rook_mobility[reach.1]);
            add!(self.tally, us, rook_square[half_square(us, square)]);
            add!(self.tally, us, rook_pawns * extra_pawns);
            let file = Bitboard::file(square.file());
            if (file & own_pawns).is_empty() {
                if (file & enemy_pawns).is_empty() {
                    add!(self.tally, us, rook_open);
                } else {
                    add!(self.tally, us, rook_half_open);
                }
            } else if reach.1 <= 3
                && (king.file() < File::E) == (square.file() < king.file())
                && king.rank() == square.rank()
            {
                add!(self.tally, us, rook_trapped);
            }
            let (seventh, last) = (Rank::R7.relative_to(us), Rank::R8.relative_to(us));
            if square.rank() == seventh
                && (self.king[(!us).index()].rank() == last
                    || (enemy_pawns & Bitboard::rank(seventh)).any())
            {
                add!(self.tally, us, rook_seventh);
            }
        }

        for square in board.pieces(us, Kind::Queen) {
            let reach = attacks::queen(square, self.occupied);
            let reach = self.piece(us, Kind::Queen, square, reach);
            add!(self.tally, us, queen_mobility[reach.1]);
            add!(self.tally, us, queen_square[half_square(us, square)]);
            let snipers = attacks::rook(square, Bitboard::EMPTY) & board.pieces(!us, Kind::Rook)
                | attacks::bishop(square, Bitboard::EMPTY) & board.pieces(!us, Kind::Bishop);
            for sniper in snipers {
                let between = attacks::between(square, sniper) & self.occupied;
                if between.any() && !between.many() {
                    add!(self.tally, us, queen_pinned);
                    break;
                }
            }
        }
    }

    /// Enters a piece's attacks into the maps. Returns what it attacks, and how many squares count.
    #[inline(always)]
    fn piece(
        &mut self,
        us: Side,
        kind: Kind,
        square: Square,
        reach: Bitboard,
    ) -> (Bitboard, usize) {
        let (i, they) = (us.index(), (!us).index());
        let mut reach = reach;
        if self.pinned[i].has(square) {
            reach &= attacks::line(self.king[i], square);
        }
        self.twice[i] |= self.all[i] & reach;
        self.all[i] |= reach;
        self.by[i][kind.index()] |= reach;
        add!(self.tally, us, material[kind.index()]);
        if (reach & self.ring[they]).any() {
            endanger!(self.tally, !us, danger_attackers[kind.index() - 1]);
            let beside = reach & self.by[they][Kind::King.index()];
            endanger!(self.tally, !us, danger_attacks * beside.len() as i32);
        }
        (reach, (reach & self.area[i]).len() as usize)
    }

    /// What knights and bishops have in common.
    #[inline(always)]
    fn minor(&mut self, us: Side, square: Square, which: usize) {
        let steps = self.king[us.index()].distance(square);
        add!(self.tally, us, minor_king_distance[which] * i32::from(steps));
        if (Bitboard::of(square).forward(us) & self.board.kind(Kind::Pawn)).any() {
            add!(self.tally, us, minor_behind_pawn);
        }
    }

    /// Safe squares in the centre behind and among the own pawns, worth more with more pieces.
    #[inline(always)]
    pub fn space(&mut self, us: Side) {
        let own_pawns = self.board.pieces(us, Kind::Pawn);
        let pieces = (self.board.side(us) - own_pawns).len() as i32 - 4;
        if pieces <= 0 {
            return;
        }
        let they = (!us).index();
        let safe = space_area(us) - own_pawns - self.by[they][Kind::Pawn.index()];
        let behind = ahead(!us, own_pawns);
        let sheltered = safe & (behind - self.all[they]);
        let squares = (safe.len() + sheltered.len()) as i32;
        add!(self.tally, us, space * (squares * pieces / 4));
    }
}

/// The king's square, the squares beside it, and a row more towards the centre at the edge.
fn ring(king: Square) -> Bitboard {
    let file = File::ALL[king.file().index().clamp(1, 6)];
    let rank = Rank::ALL[king.rank().index().clamp(1, 6)];
    let centre = Square::new(file, rank);
    attacks::king(centre) | centre
}

const fn low_ranks(side: Side) -> Bitboard {
    Bitboard(Bitboard::rank(Rank::R2).0 | Bitboard::rank(Rank::R3).0).relative_to(side)
}

const fn outpost_ranks(side: Side) -> Bitboard {
    Bitboard(Bitboard::rank(Rank::R4).0 | Bitboard::rank(Rank::R5).0 | Bitboard::rank(Rank::R6).0)
        .relative_to(side)
}

const fn space_area(side: Side) -> Bitboard {
    const FILES: u64 = 0x3c3c_3c3c_3c3c_3c3c;
    let ranks =
        Bitboard::rank(Rank::R2).0 | Bitboard::rank(Rank::R3).0 | Bitboard::rank(Rank::R4).0;
    Bitboard(FILES & ranks).relative_to(side)
}
