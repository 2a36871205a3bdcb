//! The names of the weights: the one list from which the table's type, its trace indices and the
//! printed breakdown come.

use crate::eval::pair::Pair;
use std::mem::{offset_of, size_of};

crate::indexed_enum! {
    /// A chapter of the evaluation, one line of the printed breakdown.
    #[allow(missing_docs)]
    pub enum Group { Material, Squares, Mobility, Pawns, Passed, Pieces, Shelter, Threats, Space, Tempo, Danger }
}

/// A block of weights as the tuner sees it.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    /// The field's name in [`Weights`].
    pub name: &'static str,
    /// The chapter it belongs to.
    pub group: Group,
    /// The index of its first weight.
    pub first: usize,
    /// How many weights it has.
    pub len: usize,
}

macro_rules! terms {
    ($($group:ident { $($(#[$doc:meta])* $name:ident: $len:literal,)* })*) => {
        /// The weights of every term. The values are in `weights.rs`.
        #[derive(Clone, Debug)]
        #[repr(C)]
        pub struct Weights {
            $($($(#[$doc])* pub $name: [Pair; $len],)*)*
        }

        /// Every block of weights, in order.
        pub static TERMS: &[Term] = &[$($(Term {
            name: stringify!($name),
            group: Group::$group,
            first: offset_of!(Weights, $name) / size_of::<Pair>(),
            len: $len,
        },)*)*];

        impl Weights {
            /// All weights in a row, as [`TERMS`] counts them.
            pub fn to_vec(&self) -> Vec<Pair> {
                [$($(self.$name.as_slice(),)*)*].concat()
            }
        }
    };
}

/// How many weights there are.
pub const COUNT: usize = size_of::<Weights>() / size_of::<Pair>();

terms! {
    Material {
        /// Pawn, knight, bishop, rook, queen.
        material: 5,
        /// Two bishops or more.
        bishop_pair: 1,
        /// Each knight, for each own pawn above five.
        knight_pawns: 1,
        /// Each rook, for each own pawn above five.
        rook_pawns: 1,
    }
    Squares {
        /// By square of the left half, rank by rank from the owner's side; the right half mirrors.
        pawn_square: 32,
        /// As for pawns.
        knight_square: 32,
        /// As for pawns.
        bishop_square: 32,
        /// As for pawns.
        rook_square: 32,
        /// As for pawns.
        queen_square: 32,
        /// As for pawns.
        king_square: 32,
    }
    Mobility {
        /// By attacked squares in the mobility area.
        knight_mobility: 9,
        /// By attacked squares in the mobility area.
        bishop_mobility: 14,
        /// By attacked squares in the mobility area.
        rook_mobility: 15,
        /// By attacked squares in the mobility area.
        queen_mobility: 28,
    }
    Pawns {
        /// A pawn with an own pawn ahead on its file.
        doubled: 1,
        /// No own pawn on a neighbouring file; by whether an enemy pawn stands ahead on the file.
        isolated: 2,
        /// Cannot be supported and cannot advance safely; by whether an enemy pawn stands ahead.
        backward: 2,
        /// Protected by a pawn, by rank.
        supported: 8,
        /// Beside an own pawn, by rank.
        phalanx: 8,
        /// Not passed, but its file is free and its helpers are no fewer than its opponents; by rank.
        candidate: 8,
    }
    Passed {
        /// By rank.
        passed: 8,
        /// By distance of the file from the edge.
        passed_file: 4,
        /// For each step of the own king to the square ahead, by rank.
        passed_own_king: 8,
        /// For each step of the enemy king to the square ahead, by rank.
        passed_enemy_king: 8,
        /// An enemy piece stands on the square ahead, by rank.
        passed_blocked: 8,
        /// No enemy attacks the square ahead, by rank.
        passed_safe_step: 8,
        /// No enemy attacks the way to promotion, by rank.
        passed_safe_path: 8,
        /// The square ahead is protected, by rank.
        passed_helped: 8,
        /// An own rook or queen stands behind it.
        passed_rook_behind: 1,
        /// An enemy rook or queen stands behind it.
        passed_enemy_rook_behind: 1,
        /// The enemy has no pieces and his king is outside the square.
        passed_unstoppable: 1,
    }
    Pieces {
        /// Protected by a pawn on a square from which no enemy pawn can chase it: knight, bishop.
        outpost: 2,
        /// A knight can reach an outpost.
        outpost_reachable: 1,
        /// A knight or bishop behind a pawn.
        minor_behind_pawn: 1,
        /// Steps from the own king: knight, bishop.
        minor_king_distance: 2,
        /// A bishop, for each own pawn on its colour.
        bishop_pawns: 1,
        /// The same, for each of these that is blocked.
        bishop_blocked_pawns: 1,
        /// A bishop that sees both squares of the centre on its long diagonal.
        bishop_long_diagonal: 1,
        /// A rook on a file without pawns.
        rook_open: 1,
        /// A rook on a file with enemy pawns only.
        rook_half_open: 1,
        /// A rook on the seventh rank, with the enemy king on the last or enemy pawns there.
        rook_seventh: 1,
        /// A rook with few moves, shut in by its king.
        rook_trapped: 1,
        /// A slider aims at the queen through one piece.
        queen_pinned: 1,
    }
    Shelter {
        /// The nearest own pawn on each file by the king: four distances of the file from the edge,
        /// by rank of the pawn (0: none).
        shelter: 32,
        /// The nearest enemy pawn on each file by the king, by its rank (0: none).
        storm: 8,
        /// The same if an own pawn blocks it.
        storm_blocked: 8,
        /// A king without pawns on its flank.
        pawnless_flank: 1,
        /// Steps from the king to the nearest own pawn.
        king_pawn_distance: 1,
    }
    Threats {
        /// A pawn attacks a knight, bishop, rook, queen.
        threat_by_pawn: 4,
        /// A knight or bishop attacks a pawn, knight, bishop, rook, queen.
        threat_by_minor: 5,
        /// A rook attacks a weak pawn, knight, bishop, rook, queen.
        threat_by_rook: 5,
        /// The king attacks something weak.
        threat_by_king: 1,
        /// Attacked and not protected, or not enough.
        hanging: 1,
        /// A pawn can step safely to attack a piece.
        threat_by_push: 1,
        /// An enemy square of influence that is contested.
        restricted: 1,
        /// A knight can safely attack the queen.
        knight_on_queen: 1,
        /// A bishop or rook can safely attack the queen.
        slider_on_queen: 1,
    }
    Space {
        /// Safe squares behind and among the own pawns in the centre, times own pieces above four, by 4.
        space: 1,
    }
    Tempo {
        /// The move.
        tempo: 1,
    }
    Danger {
        /// Always.
        danger_base: 1,
        /// Knight, bishop, rook, queen that attacks the king's ring.
        danger_attackers: 4,
        /// Each attack on a square beside the king.
        danger_attacks: 1,
        /// Each square of the ring that only king or queen protect.
        danger_weak: 1,
        /// Squares from which a knight, bishop, rook, queen can check safely.
        danger_safe_check: 4,
        /// Kinds of piece that can check unsafely.
        danger_unsafe_check: 1,
        /// Pieces pinned to the king.
        danger_pinned: 1,
        /// The enemy has no queen.
        danger_no_queen: 1,
        /// A knight protects the ring.
        danger_knight_guard: 1,
        /// Files by the king without an own pawn.
        danger_open_file: 1,
        /// Squares of the king's flank that the enemy attacks, and those he attacks twice.
        danger_flank_attack: 1,
        /// Squares of the king's flank that are protected.
        danger_flank_defence: 1,
    }
}

#[cfg(test)]
mod tests {
    use super::super::weights::WEIGHTS;
    use super::*;

    #[test]
    fn blocks_follow_each_other_without_gaps() {
        let mut next = 0;
        for term in TERMS {
            assert_eq!(term.first, next, "{}", term.name);
            next += term.len;
        }
        assert_eq!(next, COUNT);
        assert_eq!(WEIGHTS.to_vec().len(), COUNT);
    }
}
