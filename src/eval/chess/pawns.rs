//! Pawn structure and the pawns around the kings: all that depends on pawns and kings alone.
//!
//! These change rarely, so each thread keeps a table of them by the hash key of pawns and kings.

use super::half_square;
use super::tally::{Tally, Trace, add, endanger};
use crate::base::side::Side;
use crate::chess::{Bitboard, Board, File, Kind, Piece, Position, Rank, Square, attacks, zobrist};

/// What the other terms need to know of the pawns.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Structure {
    /// Passed pawns of both sides.
    pub passed: Bitboard,
    /// Every square each side's pawns attack or will attack when they advance.
    pub spans: [Bitboard; Side::NUM],
}

#[derive(Clone, Default, Debug)]
struct Entry {
    key: u64,
    structure: Structure,
    sums: Tally<()>,
}

/// A thread's cache of pawn structures.
#[derive(Clone, Debug)]
pub(super) struct PawnTable(Box<[Entry]>);

/// 1 MiB; a search at long time controls still finds more than nine of ten structures in it.
const ENTRIES: usize = 1 << 14;

impl Default for PawnTable {
    fn default() -> Self {
        Self(vec![Entry::default(); ENTRIES].into())
    }
}

impl PawnTable {
    /// Adds the terms of pawns and kings to `tally`.
    #[inline(always)]
    pub fn evaluate<T: Trace>(&mut self, position: &Position, tally: &mut Tally<T>) -> Structure {
        let board = position.board();
        if T::ON {
            return evaluate(board, tally);
        }
        // Two kings on the board: the key is never zero, which marks an empty entry.
        let key = Side::ALL.into_iter().fold(position.keys().pawn, |key, side| {
            key ^ zobrist::piece(Piece::new(side, Kind::King), board.king(side))
        });
        let entry = &mut self.0[key as usize % ENTRIES];
        if entry.key != key {
            let mut sums = Tally::default();
            let structure = evaluate(board, &mut sums);
            *entry = Entry { key, structure, sums };
        }
        tally.sum += entry.sums.sum;
        tally.danger[0] += entry.sums.danger[0];
        tally.danger[1] += entry.sums.danger[1];
        entry.structure
    }
}

fn evaluate<T: Trace>(board: &Board, tally: &mut Tally<T>) -> Structure {
    let mut structure = Structure::default();
    for us in Side::ALL {
        let own = board.pieces(us, Kind::Pawn);
        structure.spans[us.index()] = attacks::pawns(us, own).fill_forward(us);
        structure.passed |= pawns(board, us, tally);
        king(board, us, tally);
    }
    structure
}

/// Every square in front of the set.
#[inline(always)]
pub(super) fn ahead(side: Side, set: Bitboard) -> Bitboard {
    set.forward(side).fill_forward(side)
}

/// A set with its neighbours on both sides.
#[inline(always)]
pub(super) fn widen(set: Bitboard) -> Bitboard {
    set | set.left() | set.right()
}

fn pawns<T: Trace>(board: &Board, us: Side, tally: &mut Tally<T>) -> Bitboard {
    let (own, enemy) = (board.pieces(us, Kind::Pawn), board.pieces(!us, Kind::Pawn));
    let guarded = attacks::pawns(us, own);
    let files = own.fill_up().fill_down();
    let ahead_of_enemy = ahead(!us, enemy);

    let doubled = own & ahead(!us, own);
    let opposed = own & ahead_of_enemy;
    let isolated = own - (files.left() | files.right());
    let stops_taken = attacks::pawns(!us, enemy) | enemy;
    let backward = own
        & (((own.forward(us) & stops_taken) - guarded.fill_forward(us)).forward(!us) - isolated);
    let phalanx = own & (own.left() | own.right());
    let passed = own - widen(ahead_of_enemy) - ahead(!us, own);

    for square in own {
        let rank = square.rank().relative_to(us).index();
        let opposed = usize::from(opposed.has(square));
        add!(tally, us, material[0]);
        add!(tally, us, pawn_square[half_square(us, square)]);
        if doubled.has(square) {
            add!(tally, us, doubled);
        }
        if isolated.has(square) {
            add!(tally, us, isolated[opposed]);
        } else if backward.has(square) {
            add!(tally, us, backward[opposed]);
        }
        if guarded.has(square) {
            add!(tally, us, supported[rank]);
        }
        if phalanx.has(square) {
            add!(tally, us, phalanx[rank]);
        }
        if opposed == 0 && !passed.has(square) && !doubled.has(square) {
            let way = ahead(us, Bitboard::of(square));
            let beside = Bitboard::of(square).left() | Bitboard::of(square).right();
            let helpers = (beside | ahead(!us, beside)) & own;
            if helpers.len() >= (widen(way) & enemy).len() {
                add!(tally, us, candidate[rank]);
            }
        }
    }
    passed
}

/// The king's square, its shelter and the pawns that storm it.
fn king<T: Trace>(board: &Board, us: Side, tally: &mut Tally<T>) {
    let king = board.king(us);
    let (own, enemy) = (board.pieces(us, Kind::Pawn), board.pieces(!us, Kind::Pawn));
    add!(tally, us, king_square[half_square(us, king)]);

    let level = Bitboard::rank(king.rank());
    let in_front = level | ahead(us, level);
    let centre = king.file().index().clamp(1, 6);
    for file in centre - 1..=centre + 1 {
        let column = Bitboard::file(File::ALL[file]) & in_front;
        let shield = nearest(us, own & column);
        let stormer = nearest(us, enemy & column);
        add!(tally, us, shelter[edge_distance(file) * 8 + shield]);
        if shield != 0 && stormer == shield + 1 {
            add!(tally, us, storm_blocked[stormer]);
        } else {
            add!(tally, us, storm[stormer]);
        }
        if shield == 0 {
            endanger!(tally, us, danger_open_file);
        }
    }
    if (flank(king.file()) & board.kind(Kind::Pawn)).is_empty() {
        add!(tally, us, pawnless_flank);
    }
    if let Some(steps) = own.map(|pawn| king.distance(pawn)).min() {
        add!(tally, us, king_pawn_distance * i32::from(steps));
    }
}

/// The rank, as `side` counts it, of the pawn nearest to its own edge; 0 for none.
fn nearest(side: Side, pawns: Bitboard) -> usize {
    pawns.relative_to(side).first().map_or(0, |square| square.rank().index())
}

/// 0 for the a and h files to 3 for the d and e files.
pub(super) const fn edge_distance(file: usize) -> usize {
    if file < 4 { file } else { 7 - file }
}

/// The files on which a king on `file` lives: the wing or the centre.
pub(super) const fn flank(file: File) -> Bitboard {
    const WING: u64 = 0x0f0f_0f0f_0f0f_0f0f;
    Bitboard(match file {
        File::A | File::B | File::C => WING,
        File::D | File::E => WING << 2,
        File::F | File::G | File::H => WING << 4,
    })
}

/// Squares of the sixth to eighth rank of `side`'s opponent: the ranks where `side` is at home.
pub(super) const fn camp(side: Side) -> Bitboard {
    let lower = Bitboard::rank(Rank::R1).0
        | Bitboard::rank(Rank::R2).0
        | Bitboard::rank(Rank::R3).0
        | Bitboard::rank(Rank::R4).0
        | Bitboard::rank(Rank::R5).0;
    Bitboard(lower).relative_to(side)
}

/// The square on which `pawn` promotes.
pub(super) const fn promotion_square(side: Side, pawn: Square) -> Square {
    Square::new(pawn.file(), Rank::R8.relative_to(side))
}
