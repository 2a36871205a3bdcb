//! The input features of the chess network. Each feature is a property of a piece on a square. There
//! are four families of properties, and a piece has at most one property of each.
//!
//! The first family is the *state* of a piece: whether it is threatened and, if not, whether the
//! opponent attacks it and its own side protects it. A piece is threatened if a less valuable piece
//! attacks it. A pawn is threatened if a pawn attacks it. Every piece has a state. The other three
//! families are *traits*. Each trait has a level from 0 to 3; a piece whose level is 0 has no
//! feature of the family. In the table, `a / b` means that the first property adds 1 to the level
//! and the second adds 2:
//!
//! | kind | first trait | second trait | third trait |
//! |---|---|---|---|
//! | pawn | isolated / passed | doubled / blocked | in a phalanx / backward |
//! | knight | | protected by a pawn / safe from pawns | pinned |
//! | bishop | half the number of own pawns on its colour | as a knight | pinned |
//! | rook | lack of mobility | no own pawn on its file / no enemy pawn | pinned |
//! | queen | lack of mobility | | pinned |
//! | king | number of pawns that shield it | as a rook | may castle |
//!
//! The board is flipped for Black, and mirrored if the player's own king is on one of the files e to
//! h.

use crate::base::bits::Bits;
use crate::base::cpu::Squares;
use crate::base::side::Side;
use crate::chess::movegen::{Attacks, Masks};
use crate::chess::{Bitboard, Board, Kind, Position, attacks};
use crate::eval::net::{BySquare, FAMILIES, Features, Groups};

#[derive(Clone, Copy, Debug)]
pub(crate) struct ChessFeatures;

/// The number of sets of pieces: one for each kind of White's pieces, then one for each kind of
/// Black's.
const SETS: usize = Side::NUM * Kind::NUM;
/// The indices of three more sets. All three contain pieces of both sides.
const ATTACKED: usize = SETS;
const PROTECTED: usize = SETS + 1;
/// The pieces attacked by a less valuable piece, and the pawns attacked by a pawn.
const THREATENED: usize = SETS + 2;
/// The index of the first of six more sets of pieces of both sides: for each trait, the two bits of
/// its level, the lower bit first.
const TRAIT_BITS: usize = SETS + 3;
const TRAITS: usize = FAMILIES - 1;
/// The maximum level of a trait.
const LEVELS: u32 = 3;
/// The number of states of a piece: threatened; otherwise attacked or not, and protected or not.
const STATES: usize = 5;
/// The number of groups for states, which come first, and for each trait.
const STATE_GROUPS: usize = SETS * STATES;
const TRAIT_GROUPS: usize = SETS * LEVELS as usize;
const GROUPS: usize = STATE_GROUPS + TRAITS * TRAIT_GROUPS;
const SQUARES: usize = 64;
const FLIP: usize = 56;
const MIRROR: usize = 7;
/// The index of the first factor that the squares of a group share.
const GROUP_FACTORS: usize = SETS * SQUARES;
const KING_SIDE: u64 = 0xf0f0_f0f0_f0f0_f0f0;

/// For each group, the group of the same property of the other side's pieces.
const OTHER_SIDE: [u8; GROUPS] = {
    let mut groups = [0; GROUPS];
    let mut group = 0;
    while group < GROUPS {
        let is_white = group % SETS < Kind::NUM;
        let other = if is_white { group + Kind::NUM } else { group - Kind::NUM };
        groups[group] = other as u8;
        group += 1;
    }
    groups
};

/// The levels of a trait on all squares, from 0 to 3, in two sets for the bits of the level.
#[derive(Clone, Copy, Default)]
struct Levels([Bitboard; 2]);

impl Levels {
    /// Sets the level on `squares`, where it was 0.
    #[inline(always)]
    fn set(&mut self, squares: Bitboard, level: u32) {
        // A branch would be hard to predict.
        let with = |bit: u32| Bitboard(squares.0 & u64::from(level >> bit & 1).wrapping_neg());
        self.add(with(0), with(1));
    }

    /// Sets the lower bit of the level on the squares `lower`, and the upper bit on `upper`.
    #[inline(always)]
    fn add(&mut self, lower: Bitboard, upper: Bitboard) {
        self.0[0] |= lower;
        self.0[1] |= upper;
    }
}

/// Returns the lack of mobility, from 0 to 3, of a rook or queen that can move to this number of
/// squares without being captured by a pawn.
#[inline(always)]
fn immobility(kind: Kind, squares: u32) -> u32 {
    let bounds = if kind == Kind::Rook { [3, 6, 9] } else { [6, 11, 16] };
    bounds.into_iter().map(|bound| u32::from(squares < bound)).sum()
}

/// Returns the squares that a side attacks, and adds the trait of its rooks and queens to `levels`.
#[inline(always)]
fn attacks(board: &Board, side: Side, levels: &mut Levels) -> Attacks {
    let enemy_pawns = attacks::pawns(!side, board.pieces(!side, Kind::Pawn));
    let free = !(board.side(side) | enemy_pawns);
    Attacks::with_each(board, side, board.occupied(), |kind, from, attacked| {
        levels.set(Bitboard::of(from), immobility(kind, (attacked & free).len()));
    })
}

/// Adds the traits of one side's pieces, except the mobility of rooks and queens. `own` and `enemy`
/// are the squares attacked by the pawns of the side and of its opponent.
#[inline(always)]
fn add_traits(
    position: &Position,
    side: Side,
    (own, enemy): (Bitboard, Bitboard),
    [first, second, third]: &mut [Levels; TRAITS],
) {
    let board = position.board();
    let pieces = |kind| board.pieces(side, kind);
    let (pawns, enemy_pawns) = (pieces(Kind::Pawn), board.pieces(!side, Kind::Pawn));
    // The squares that enemy pawns attack, or will attack when they have advanced.
    let guarded = enemy.fill_forward(!side);
    let (front, rear) = (pawns.in_front(side), pawns.in_front(!side));

    let isolated = pawns - pawns.fill_files().sideways();
    let passed = pawns - (guarded | enemy_pawns.in_front(!side) | rear);
    first.add(isolated, passed);
    let blocked = pawns & board.occupied().forward(!side);
    second.add(pawns & (front | rear), blocked);
    // A pawn is in a phalanx if a pawn of its side is next to it on the same rank. A pawn is
    // backward if an enemy pawn attacks the square in front of it, and its side has no pawn on an
    // adjacent file that is level with it or behind it.
    let phalanx = pawns & pawns.sideways();
    let held = pawns & enemy.forward(!side);
    let backward = held - pawns.fill_forward(side).sideways();
    third.add(phalanx, backward);

    let bishops = pieces(Kind::Bishop);
    for colour in [Bitboard::LIGHT, Bitboard::DARK] {
        first.set(bishops & colour, ((pawns & colour).len() / 2).min(LEVELS));
    }
    let minors = pieces(Kind::Knight) | bishops;
    second.add(minors & own, minors - guarded);

    let king = pieces(Kind::King);
    // A pawn shields the king if it is on the king's file or an adjacent file, on the king's rank or
    // at most two ranks in front of it.
    let row = king | king.sideways();
    let shielding = row | row.forward(side) | row.forward(side).forward(side);
    first.set(king, (shielding & pawns).len().min(LEVELS));
    let straight = pieces(Kind::Rook) | king;
    second.add(straight - pawns.fill_files(), straight - enemy_pawns.fill_files());

    let masks = if side == position.side() { *position.masks() } else { Masks::of(board, side) };
    let pinned = (masks.pin_straight | masks.pin_diagonal) & (board.side(side) - pawns);
    let may_castle = (board.castling & board.side(side)).any();
    third.add(if may_castle { pinned | king } else { pinned }, Bitboard::EMPTY);
}

impl Features for ChessFeatures {
    type Position = Position;
    type Pieces = [u64; TRAIT_BITS + 2 * TRAITS];

    const SETS: usize = SETS;
    const GAME: &'static str = "chess";
    const COUNT: usize = GROUPS * SQUARES;
    /// First, one [factor](Features::FACTORS) for each combination of piece kind, side and square,
    /// shared by all states. Then, one factor for each group, shared by all squares.
    const FACTORS: usize = GROUP_FACTORS + GROUPS;
    const BUCKETS: usize = 8;
    const PIECES: usize = 32;

    #[inline(always)]
    fn pieces(position: &Position) -> Self::Pieces {
        let board = position.board();
        let mut sets = [0; TRAIT_BITS + 2 * TRAITS];
        let mut levels = [Levels::default(); TRAITS];
        let white = attacks(board, Side::White, &mut levels[0]);
        let attacks = [white, attacks(board, Side::Black, &mut levels[0])];
        for side in Side::ALL {
            let (own, enemy) = (&attacks[side.index()], &attacks[(!side).index()]);
            add_traits(position, side, (own.pawns, enemy.pawns), &mut levels);
            let pieces = board.side(side);
            sets[ATTACKED] |= (pieces & enemy.all).0;
            sets[PROTECTED] |= (pieces & own.all).0;
            let mut by_lesser = enemy.by_lesser();
            by_lesser[Kind::Pawn.index()] = enemy.pawns;
            for kind in Kind::ALL {
                let pieces = board.pieces(side, kind);
                sets[side.index() * Kind::NUM + kind.index()] = pieces.0;
                sets[THREATENED] |= (pieces & by_lesser[kind.index()]).0;
            }
        }
        for (set, bit) in sets[TRAIT_BITS..].iter_mut().zip(levels.iter().flat_map(|level| level.0))
        {
            *set = bit.0;
        }
        sets
    }

    #[inline(always)]
    fn side(position: &Position) -> Side {
        position.side()
    }

    fn features(pieces: &Self::Pieces, view: Side, mut each: impl FnMut(usize)) {
        let mirrored = Self::is_mirrored(pieces, view);
        for groups in Self::groups(pieces) {
            for square in Bits(groups.nonzero()) {
                let group = usize::from(groups.0[usize::from(square)]) - 1;
                each(Self::feature(view, mirrored, group, square));
            }
        }
    }

    fn features_of(factor: usize) -> Vec<usize> {
        match factor.checked_sub(GROUP_FACTORS) {
            None => (0..STATES).map(|state| state * GROUP_FACTORS + factor).collect(),
            Some(group) => (group * SQUARES..(group + 1) * SQUARES).collect(),
        }
    }

    fn bound(feature: usize) -> f32 {
        // 32 pieces with one state and up to three traits each.
        if feature < STATE_GROUPS * SQUARES { 3.0 } else { 0.3 }
    }
}

impl BySquare for ChessFeatures {
    #[inline(always)]
    fn groups(pieces: &Self::Pieces) -> Groups {
        let mut kinds = Squares::ZERO;
        for (number, &set) in pieces[..SETS].iter().enumerate() {
            kinds.add(set, number as u8 + 1);
        }
        let (attacked, protected) = (pieces[ATTACKED], pieces[PROTECTED]);
        let threatened = pieces[THREATENED];
        let mut of_states = kinds;
        let states = [protected & !attacked, attacked & !protected, attacked & protected];
        for (state, set) in states.into_iter().enumerate() {
            of_states.add(set & !threatened, (SETS * (state + 1)) as u8);
        }
        of_states.add(threatened, (SETS * (STATES - 1)) as u8);
        let of_trait = |number: usize| {
            let [low, high] = [0, 1].map(|bit| pieces[TRAIT_BITS + 2 * number + bit]);
            let mut groups = kinds.only(low | high);
            groups.add(low | high, (STATE_GROUPS + number * TRAIT_GROUPS) as u8);
            groups.add(high, SETS as u8);
            groups.add(high & low, SETS as u8);
            groups
        };
        [of_states, of_trait(0), of_trait(1), of_trait(2)]
    }

    #[inline(always)]
    fn is_mirrored(pieces: &Self::Pieces, view: Side) -> bool {
        pieces[view.index() * Kind::NUM + Kind::King.index()] & KING_SIDE != 0
    }

    #[inline(always)]
    fn feature(view: Side, mirrored: bool, group: usize, bit: u8) -> usize {
        // For each property, the groups of the player's own pieces come first.
        let (group, turn) = match view {
            Side::White => (group, 0),
            Side::Black => (usize::from(OTHER_SIDE[group]), FLIP),
        };
        let mirror = if mirrored { MIRROR } else { 0 };
        group * SQUARES + (usize::from(bit) ^ turn ^ mirror)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Square;
    use crate::eval::net::features;

    fn seen(fen: &str, view: Side) -> Vec<usize> {
        let position: Position = fen.parse().expect(fen);
        let mut seen: Vec<_> = features::<ChessFeatures>(&ChessFeatures::pieces(&position), view);
        seen.sort_unstable();
        seen
    }

    /// Returns the squares of the pieces with each property of a family.
    fn squares(fen: &str, family: usize) -> Vec<String> {
        let position: Position = fen.parse().expect(fen);
        let groups = ChessFeatures::groups(&ChessFeatures::pieces(&position))[family].0;
        let first = if family == 0 { 0 } else { STATES + (family - 1) * LEVELS as usize };
        let count = if family == 0 { STATES } else { LEVELS as usize };
        let with = |property: usize| {
            let has = |&square: &u8| {
                let group = usize::from(groups[usize::from(square)]);
                group > 0 && (group - 1) / SETS == property
            };
            let squares = (0..64).filter(has).map(|square| Square::wrap(square).to_string());
            squares.collect::<Vec<_>>().join(" ")
        };
        (first..first + count).map(with).collect()
    }

    #[test]
    fn states_tell_attacks_and_protection() {
        let states = squares("5k2/1p4p1/2p5/3n4/4P3/5P2/1Q6/4K3 w - - 0 1", 0);
        // Neither, protected, attacked, attacked and protected, threatened.
        assert_eq!(states, ["e1 b2 f3 f8", "e4 c6", "b7", "g7", "d5"]);
    }

    #[test]
    fn traits_tell_structure_mobility_and_pins() {
        let pawns = "4k3/2p4p/2P1p1p1/3pP3/3P1P2/P7/P7/4K3 w - - 0 1";
        // Isolated, passed, both. The king e8 is shielded by one pawn.
        assert_eq!(squares(pawns, 1), ["a2 e8", "h7", "a3"]);
        // Doubled, blocked, both.
        assert_eq!(squares(pawns, 2), ["a3", "d4 d5 e5 c6 e6 c7", "a2"]);
        // In a phalanx, backward.
        assert_eq!(squares(pawns, 3), ["", "d4 f4 e6", ""]);
        let pieces = "r3k2r/p2n3p/6p1/1B1p4/3N1b2/2P5/PP1K2PP/R2Q3R w kq - 0 1";
        // The rooks a1 and h8 can move to two squares, h1 and a8 to three, the queen to eleven.
        assert_eq!(squares(pieces, 1), ["d1 d2 b5 d5 a7", "h1 a8", "a1 h8"]);
        // The knight d4 is protected by a pawn, and no pawn can attack it.
        assert_eq!(squares(pieces, 2), ["d2", "d5", "d4 e8"]);
        // The knight d7 is pinned, and Black may castle.
        assert_eq!(squares(pieces, 3), ["a2 b2 g2 h2 d7 e8", "d5", ""]);
    }

    #[test]
    fn mirrored_and_flipped_boards_have_the_same_features() {
        let fen = "4k3/3p4/8/8/8/8/1P6/2K5 w - - 0 1";
        // The kings c1 and e8 are not protected, the pawns b2 and d7 are.
        let kings = [5 * 64 + 2, 11 * 64 + 60];
        let pawns = [SETS * 64 + 9, (SETS + 6) * 64 + 51];
        let states = [kings, pawns].concat();
        assert_eq!(seen(fen, Side::White)[..4], states);
        assert!(seen(fen, Side::White).len() > states.len());
        let mirrored = "3k4/4p3/8/8/8/8/6P1/5K2 w - - 0 1";
        assert_eq!(seen(fen, Side::White), seen(mirrored, Side::White));
        assert_eq!(seen(fen, Side::Black), seen(mirrored, Side::Black));
        let turned = "2k5/1p6/8/8/8/8/3P4/4K3 b - - 0 1";
        assert_eq!(seen(fen, Side::White), seen(turned, Side::Black));
    }

    #[test]
    fn states_have_two_factors_and_traits_have_one() {
        let mut counts = vec![0; ChessFeatures::COUNT];
        for factor in 0..ChessFeatures::FACTORS {
            let features = ChessFeatures::features_of(factor);
            features.into_iter().for_each(|feature| counts[feature] += 1);
        }
        let (states, traits) = counts.split_at(STATE_GROUPS * SQUARES);
        assert!(states.iter().all(|&count| count == 2) && traits.iter().all(|&count| count == 1));
    }

    #[test]
    fn each_bucket_covers_four_piece_counts() {
        let bucket = |count: u32| {
            let mut pieces = [0; TRAIT_BITS + 2 * TRAITS];
            pieces[0] = (1 << count) - 1;
            pieces[PROTECTED] = pieces[0];
            ChessFeatures::bucket(&pieces)
        };
        assert_eq!([2, 4, 5, 28, 29, 32].map(bucket), [0, 0, 1, 6, 7, 7]);
    }
}
