//! The index of a position among all positions with the same material and the same side to move.
//!
//! The format divides the pieces of a table into groups: a leading group, then one group for each
//! remaining kind of piece.
//!
//! - Without pawns, the leading group consists of three unique pieces, or of the two kings if no
//!   other piece is unique. The board is mirrored so that the first piece is within a triangle of
//!   ten squares.
//! - With pawns, the leading group consists of the pawns of one side. The board is mirrored so that
//!   one of these pawns, the leading pawn, is on one of the files a to d.
//!
//! Each placement of a group on the squares not occupied by earlier groups has a number. The
//! numbers of all groups are the digits of the index.

use super::TableError;
use super::material::Material;
use crate::base::side::Side;
use crate::chess::{Bitboard, Board, Kind};
use arrayvec::ArrayVec;
use once_cell::sync::Lazy;

pub(super) type Squares = ArrayVec<u8, { super::MAX_PIECES }>;

/// A piece in the encoding of the format: 1 (pawn) to 6 (king), plus 8 for a black piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Code(u8);

impl Code {
    fn new(nibble: u8) -> Result<Self, TableError> {
        match nibble & 7 {
            1..=6 => Ok(Self(nibble)),
            _ => Err(TableError::Damaged),
        }
    }

    fn side(self) -> Side {
        Side::from_white(self.0 & 8 == 0)
    }

    fn kind(self) -> Kind {
        Kind::ALL[usize::from(self.0 & 7) - 1]
    }
}

/// The pieces by side and kind. The sides are exchanged and the board is flipped if the table
/// requires it.
#[derive(Clone, Debug)]
pub(super) struct Pieces([[Bitboard; Kind::NUM]; Side::NUM]);

impl Pieces {
    pub(super) fn of(board: &Board, exchanged: bool) -> Self {
        let of = |side: Side, kind| match exchanged {
            true => board.pieces(!side, kind).flip(),
            false => board.pieces(side, kind),
        };
        Self(Side::ALL.map(|side| Kind::ALL.map(|kind| of(side, kind))))
    }

    /// Returns the file of the leading pawn, mirrored to the range 0 to 3, or `None` if this side
    /// has no pawns.
    pub(super) fn leading_file(&self, side: Side) -> Option<usize> {
        let pawns = self.0[side.index()][Kind::Pawn.index()];
        let leading = pawns.map(|square| square as u8).max_by_key(|&square| MAPS.pawn(square))?;
        Some(usize::from(from_edge(leading)))
    }
}

/// Returns the distance of a square's file from the nearer edge.
const fn from_edge(square: u8) -> u8 {
    let file = square & 7;
    if file < 4 { file } else { 7 - file }
}

/// The order of the pieces and the weights of the groups, for one side to move.
#[derive(Debug)]
pub(super) struct Layout {
    pieces: ArrayVec<Code, { super::MAX_PIECES }>,
    /// The size of each group, and the weight of the group's number in the index.
    groups: ArrayVec<(usize, u64), { super::MAX_PIECES }>,
    lead: Lead,
    /// The number of indices.
    pub len: u64,
}

/// The leading group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Lead {
    /// The pawns of a side, with the file of the leading pawn. `both` is true if the other side has
    /// pawns too.
    Pawns {
        file: usize,
        both: bool,
    },
    /// Three pieces, each the only piece of its kind and side.
    Three,
    Kings,
}

impl Layout {
    /// Creates a layout from the nibbles of a header. For `order`, see [`weights`]. `file` is the
    /// file of the leading pawn.
    pub(super) fn new(
        material: &Material,
        pieces: &[u8],
        order: [u8; 2],
        file: usize,
    ) -> Result<Self, TableError> {
        let pieces = pieces.iter().map(|&nibble| Code::new(nibble));
        let pieces: ArrayVec<_, { super::MAX_PIECES }> = pieces.collect::<Result<_, _>>()?;
        let count = |side, kind| {
            pieces.iter().filter(|code| code.side() == side && code.kind() == kind).count()
        };
        let all = Side::ALL.iter().flat_map(|&side| Kind::ALL.map(|kind| (side, kind)));
        if all.clone().any(|(side, kind)| count(side, kind) != material.count(side, kind)) {
            return Err(TableError::Foreign);
        }
        let pawns = Side::ALL.map(|side| material.count(side, Kind::Pawn));
        let lead = match pawns {
            [0, 0] if material.has_single() => Lead::Three,
            [0, 0] => Lead::Kings,
            [white, black] => Lead::Pawns { file, both: white > 0 && black > 0 },
        };
        let lens = group_lens(&pieces, lead);
        let (groups, len) = weights(&lens, order, lead)?;
        Ok(Self { pieces, groups, lead, len })
    }

    pub(super) fn leading_side(&self) -> Side {
        self.pieces.first().map_or(Side::White, |code| code.side())
    }

    pub(super) fn index(&self, pieces: &Pieces) -> Option<u64> {
        let mut left = pieces.0;
        let mut squares = Squares::new();
        for code in &self.pieces {
            let set = &mut left[code.side().index()][code.kind().index()];
            let square = set.first()?;
            *set = Bitboard(set.0 & (set.0 - 1));
            squares.push(square as u8);
        }
        let (mut start, first_weight) = *self.groups.first()?;
        let mut index = first_weight
            * match self.lead {
                Lead::Pawns { .. } => leading_pawns(&mut squares, start),
                Lead::Three => three_pieces(&mut squares),
                Lead::Kings => kings(&mut squares)?,
            };
        let mut pawns_next = matches!(self.lead, Lead::Pawns { both: true, .. });
        for &(len, weight) in &self.groups[1..] {
            let (before, rest) = squares.split_at_mut(start);
            let group = &mut rest[..len];
            group.sort_unstable();
            // Pawns cannot be on the first rank.
            let below = if pawns_next { 8 } else { 0 };
            let mut number = 0;
            for (&square, n) in group.iter().zip(1..) {
                let taken = before.iter().filter(|&&other| other < square).count();
                // In a damaged table, the group may contain other pieces than pawns.
                number += MAPS.choose(n, usize::from(square).checked_sub(taken + below)?);
            }
            index += weight * number;
            pawns_next = false;
            start += len;
        }
        Some(index)
    }
}

fn group_lens(pieces: &[Code], lead: Lead) -> ArrayVec<usize, { super::MAX_PIECES }> {
    let fixed = match lead {
        Lead::Pawns { .. } => 0,
        Lead::Three => 3,
        Lead::Kings => 2,
    };
    let mut lens: ArrayVec<usize, { super::MAX_PIECES }> = ArrayVec::new();
    for (at, code) in pieces.iter().enumerate() {
        match lens.last_mut() {
            Some(len) if at < fixed || pieces[at - 1] == *code => *len += 1,
            _ => lens.push(1),
        }
    }
    lens
}

/// Returns the size and weight of each group, and the number of indices.
///
/// `order` contains two places in the sequence of groups by increasing weight: the place of the
/// leading group, and the place of the other side's pawns. The remaining groups fill the other
/// places in order.
fn weights(
    lens: &[usize],
    order: [u8; 2],
    lead: Lead,
) -> Result<(ArrayVec<(usize, u64), { super::MAX_PIECES }>, u64), TableError> {
    let both = matches!(lead, Lead::Pawns { both: true, .. });
    let special = if both { 2 } else { 1 };
    let places = order.map(usize::from);
    let used = &places[..special];
    if used.iter().any(|&place| place >= lens.len()) || both && places[0] == places[1] {
        return Err(TableError::Damaged);
    }
    let mut groups: ArrayVec<_, { super::MAX_PIECES }> = lens.iter().map(|&len| (len, 0)).collect();
    let mut free = 64 - lens[..special.min(lens.len())].iter().sum::<usize>();
    let (mut weight, mut next) = (1, special);
    for place in 0..lens.len() {
        let (group, ways) = if place == places[0] {
            let ways = match lead {
                Lead::Pawns { file, .. } => MAPS.lead_sizes[lens[0]][file],
                Lead::Three => 31_332,
                Lead::Kings => 462,
            };
            (0, ways)
        } else if both && place == places[1] {
            (1, MAPS.choose(lens[1], 48 - lens[0]))
        } else {
            let len = *lens.get(next).ok_or(TableError::Damaged)?;
            let ways = MAPS.choose(len, free);
            free -= len;
            next += 1;
            (next - 1, ways)
        };
        groups[group].1 = weight;
        weight *= ways;
    }
    Ok((groups, weight))
}

/// Encodes the placement of the leading group as a number. The group consists of the pawns on the
/// first `count` squares. All squares are mirrored if the leading pawn is on files e to h.
fn leading_pawns(squares: &mut Squares, count: usize) -> u64 {
    let pawns = &mut squares[..count];
    pawns.sort_unstable_by_key(|&square| MAPS.pawn(square));
    // The leading pawn comes first.
    pawns.rotate_right(1);
    if squares[0] & 7 > 3 {
        squares.iter_mut().for_each(|square| *square ^= 7);
        // Mirroring swaps the order of two pawns that are mirror images of each other.
        squares[1..count].sort_unstable_by_key(|&square| MAPS.pawn(square));
    }
    let others = squares[1..count].iter().zip(1..);
    MAPS.lead_starts[count][usize::from(squares[0])]
        + others.map(|(&square, n)| MAPS.choose(n, MAPS.pawn(square))).sum::<u64>()
}

/// Encodes the placement of the leading group as a number. The group consists of the first three
/// pieces. The squares are mirrored as described for [`turn`].
fn three_pieces(squares: &mut Squares) -> u64 {
    turn(squares, 3);
    let [a, b, c] = [squares[0], squares[1], squares[2]];
    let [rank_a, rank_b, rank_c] = [a, b, c].map(|square| u64::from(square >> 3));
    let behind_one = u64::from(b > a);
    let behind_two = u64::from(c > a) + u64::from(c > b);
    let (wide_b, wide_c) = (u64::from(b) - behind_one, u64::from(c) - behind_two);
    // The numbers form four ranges, depending on which piece is the first off the diagonal: a, b, c
    // or none.
    const A_OFF: u64 = 6 * 63 * 62;
    const B_OFF: u64 = 4 * 28 * 62;
    const C_OFF: u64 = 4 * 7 * 28;
    if off_diagonal(a) != 0 {
        (u64::from(MAPS.triangle[usize::from(a)]) * 63 + wide_b) * 62 + wide_c
    } else if off_diagonal(b) != 0 {
        A_OFF + (rank_a * 28 + MAPS.below(b)) * 62 + wide_c
    } else if off_diagonal(c) != 0 {
        A_OFF + B_OFF + (rank_a * 7 + rank_b - behind_one) * 28 + MAPS.below(c)
    } else {
        let ranks = (rank_a * 7 + rank_b - behind_one) * 6 + rank_c - behind_two;
        A_OFF + B_OFF + C_OFF + ranks
    }
}

/// Encodes the placement of the leading group as a number. The group consists of the two kings. The
/// squares are mirrored as described for [`turn`]. Returns `None` if the kings are adjacent.
fn kings(squares: &mut Squares) -> Option<u64> {
    turn(squares, 2);
    let triangle = MAPS.triangle[usize::from(squares[0])];
    MAPS.kings[usize::from(triangle)][usize::from(squares[1])].map(u64::from)
}

/// Returns the number of ranks by which a square is above the long diagonal a1-h8. The number is
/// negative below the diagonal.
const fn off_diagonal(square: u8) -> i8 {
    (square >> 3) as i8 - (square & 7) as i8
}

/// Mirrors all squares so that the first piece is in the triangle a1-d1-d4. If any of the first
/// `count` pieces is off the long diagonal, the first such piece is below the diagonal afterwards.
fn turn(squares: &mut Squares, count: usize) {
    let mut mirror = 0;
    if squares[0] & 7 > 3 {
        mirror |= 7;
    }
    if squares[0] >> 3 > 3 {
        mirror |= 56;
    }
    squares.iter_mut().for_each(|square| *square ^= mirror);
    let first_off =
        squares[..count].iter().map(|&square| off_diagonal(square)).find(|&off| off != 0);
    if first_off.is_some_and(|off| off > 0) {
        squares.iter_mut().for_each(|square| *square = *square >> 3 | (*square & 7) << 3);
    }
}

/// The numbering of squares and sets of squares in the format.
struct Maps {
    /// Binomial coefficients: the number of ways to choose n of m squares.
    binomial: [[u64; 64]; 8],
    /// The numbers of the squares in the triangle a1-d1-d4, squares below the diagonal first.
    triangle: [u8; 64],
    /// The numbers of the squares below the long diagonal.
    below: [u8; 64],
    /// The numbers of the pairs of kings, indexed by the first king's number in the triangle and
    /// the second king's square. Adjacent kings, and pairs equivalent to a numbered pair by
    /// symmetry, have no number.
    kings: [[Option<u16>; 64]; 10],
    /// For each pawn square, the number of squares that come after it in the order of pawn squares.
    /// This order runs from the edge files to the middle files, and up each file.
    pawns: [u8; 64],
    /// The lowest number of a leading group of pawns, indexed by the number of pawns and the square
    /// of the leading pawn.
    lead_starts: [[u64; 64]; 6],
    /// The number of ways to place a leading group of pawns, indexed by the number of pawns and the
    /// file of the leading pawn.
    lead_sizes: [[u64; 4]; 6],
}

static MAPS: Lazy<Maps> = Lazy::new(Maps::new);

impl Maps {
    fn new() -> Self {
        let mut binomial = [[0; 64]; 8];
        for m in 0..64 {
            binomial[0][m] = 1;
            for n in 1..8.min(m + 1) {
                binomial[n][m] = binomial[n - 1][m - 1] + binomial[n][m - 1];
            }
        }
        let (triangle, below) = (triangle(), number_squares(|square| off_diagonal(square) < 0));
        let kings = king_pairs(&triangle);
        let mut maps = Self {
            binomial,
            triangle,
            below,
            kings,
            pawns: pawn_order(),
            lead_starts: [[0; 64]; 6],
            lead_sizes: [[0; 4]; 6],
        };
        for count in 1..6 {
            for file in 0..4 {
                let mut start = 0;
                for rank in 1..7 {
                    let square = rank * 8 + file;
                    maps.lead_starts[count][square] = start;
                    start += maps.choose(count - 1, maps.pawn(square as u8));
                }
                maps.lead_sizes[count][file] = start;
            }
        }
        maps
    }

    fn choose(&self, n: usize, m: usize) -> u64 {
        self.binomial[n][m]
    }

    fn pawn(&self, square: u8) -> usize {
        self.pawns[usize::from(square)].into()
    }

    fn below(&self, square: u8) -> u64 {
        self.below[usize::from(square)].into()
    }
}

/// Numbers the wanted squares in the order a1 to h8.
fn number_squares(is_wanted: impl Fn(u8) -> bool) -> [u8; 64] {
    let mut numbers = [0; 64];
    for (number, square) in (0..).zip((0..64).filter(|&square| is_wanted(square))) {
        numbers[usize::from(square)] = number;
    }
    numbers
}

fn triangle() -> [u8; 64] {
    let corner = |square: u8| square & 7 < 4 && square >> 3 < 4;
    let mut numbers = number_squares(|square| corner(square) && off_diagonal(square) < 0);
    for rank in 0..4_u8 {
        numbers[usize::from(rank) * 9] = 6 + rank;
    }
    numbers
}

fn pawn_order() -> [u8; 64] {
    let mut numbers = [0; 64];
    let mut number: u8 = 47;
    for file in 0..4 {
        for rank in 1..7 {
            numbers[rank * 8 + file] = number;
            numbers[rank * 8 + 7 - file] = number - 1;
            number = number.saturating_sub(2);
        }
    }
    numbers
}

fn king_pairs(triangle: &[u8; 64]) -> [[Option<u16>; 64]; 10] {
    let mut numbers = [[None; 64]; 10];
    let mut first_squares: ArrayVec<u8, 10> =
        (0..28).filter(|square| square & 7 < 4 && off_diagonal(*square) <= 0).collect();
    first_squares.sort_unstable_by_key(|&square| triangle[usize::from(square)]);
    let mut number = 0;
    // Pairs with both kings on the diagonal come last.
    for both_on_diagonal in [false, true] {
        for &first in &first_squares {
            for second in 0..64 {
                let distance =
                    (first & 7).abs_diff(second & 7).max((first >> 3).abs_diff(second >> 3));
                let on = off_diagonal(first) == 0;
                let mirrored = on && off_diagonal(second) > 0;
                let both = on && off_diagonal(second) == 0;
                if distance > 1 && !mirrored && both == both_on_diagonal {
                    let row = &mut numbers[usize::from(triangle[usize::from(first)])];
                    row[usize::from(second)] = Some(number);
                    number += 1;
                }
            }
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_have_the_sizes_of_the_format() {
        let kings = MAPS.kings.iter().flatten().filter_map(|number| *number);
        let mut kings: Vec<_> = kings.collect();
        kings.sort_unstable();
        assert_eq!(kings, (0..462).collect::<Vec<_>>());
        assert_eq!(6 * 63 * 62 + 4 * 28 * 62 + 4 * 7 * 28 + 4 * 7 * 6, 31_332);
        assert_eq!(MAPS.below.iter().max(), Some(&27));
        // One pawn: six squares per file. Two pawns: the second pawn is on any later square.
        assert_eq!(MAPS.lead_sizes[1], [6; 4]);
        assert_eq!(MAPS.lead_sizes[2].iter().sum::<u64>(), 24 * 24);
        assert_eq!(MAPS.choose(2, 48), 1128);
        assert_eq!((MAPS.pawn(8), MAPS.pawn(15), MAPS.pawn(16), MAPS.pawn(52)), (47, 46, 45, 0));
    }
}
