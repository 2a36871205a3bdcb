//! Detects upcoming repetitions: the side to move can reach an earlier position with one move.
//!
//! If two positions are one reversible move apart, their keys differ by the Zobrist numbers of the
//! move. A cuckoo hash table stores the key differences of all 3,668 reversible moves (after Marcel
//! van Kervinck, *The design and implementation of the Rookie 2.0 chess playing program*, 2002).

use crate::base::side::Side;
use crate::chess::{Bitboard, Kind, Piece, Position, Square, attacks, zobrist};
use crate::search::depth::Ply;
use once_cell::sync::Lazy;

const SIZE: usize = 8192;

struct Cuckoo {
    keys: Vec<u64>,
    squares: Vec<(Square, Square)>,
}

const fn slots(key: u64) -> [usize; 2] {
    [key as usize % SIZE, (key >> 16) as usize % SIZE]
}

static CUCKOO: Lazy<Cuckoo> = Lazy::new(|| {
    let mut table = Cuckoo { keys: vec![0; SIZE], squares: vec![(Square::A1, Square::A1); SIZE] };
    for side in Side::ALL {
        for kind in [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen, Kind::King] {
            let piece = Piece::new(side, kind);
            for from in Square::ALL {
                let reach = attacks::piece(kind, from, Bitboard::EMPTY);
                for to in reach.filter(|&to| to > from) {
                    let moved = zobrist::piece(piece, from) ^ zobrist::piece(piece, to);
                    insert(&mut table, moved ^ zobrist::black(), (from, to));
                }
            }
        }
    }
    table
});

/// Inserts an entry into one of its two slots, and moves a displaced entry to its other slot.
fn insert(table: &mut Cuckoo, mut key: u64, mut squares: (Square, Square)) {
    let mut slot = slots(key)[0];
    loop {
        std::mem::swap(&mut table.keys[slot], &mut key);
        std::mem::swap(&mut table.squares[slot], &mut squares);
        if key == 0 {
            return;
        }
        let [a, b] = slots(key);
        slot = if slot == a { b } else { a };
    }
}

/// Returns whether a reversible move leads back to an earlier position below the root. `keys` are
/// the keys of the earlier positions, latest last; the last `ply` keys are those of the root and
/// the positions below it. The root and the positions before it do not count, because only their
/// third occurrence would be a draw.
pub(super) fn upcoming(position: &Position, keys: &[u64], ply: Ply) -> bool {
    let reach = usize::from(position.halfmove_clock()).min(keys.len()).min(ply.0.saturating_sub(1));
    if reach < 3 {
        return false;
    }
    let occupied = position.board().occupied();
    (3..=reach).step_by(2).any(|back| {
        let difference = position.key() ^ keys[keys.len() - back];
        let slot = slots(difference).into_iter().find(|&s| CUCKOO.keys[s] == difference);
        slot.is_some_and(|slot| {
            let (from, to) = CUCKOO.squares[slot];
            (attacks::between(from, to) & occupied).is_empty()
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_contains_every_reversible_move() {
        assert_eq!(CUCKOO.keys.iter().filter(|&&key| key != 0).count(), 3668);
    }

    #[test]
    fn detects_a_repetition_one_move_ahead() {
        let mut position = Position::start();
        let mut keys = vec![];
        for text in ["g1f3", "g8f6", "f3g1"] {
            assert!(!upcoming(&position, &keys, Ply(9)));
            keys.push(position.key());
            position = position.play(position.parse_uci(text).expect(text));
        }
        // f6g8 repeats the start position, which counts only if it is below the root.
        assert!(upcoming(&position, &keys, Ply(4)));
        assert!(!upcoming(&position, &keys, Ply(3)));
    }
}
