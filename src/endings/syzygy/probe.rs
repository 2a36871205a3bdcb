//! What the tables say of a position.

use super::table::Found;
use super::{Material, Tables, Wdl};
use crate::chess::{Kind, Move, Position};

/// A value, and whether a capture or a move of a pawn reaches it.
struct Value {
    wdl: Wdl,
    by_zeroing: bool,
}

/// Which moves are played out before the table is asked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PlayedOut {
    Captures,
    Zeroing,
}

/// What to do where a table has only the positions with the other side to move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OtherSide {
    /// Ask it of the positions after each move.
    Searched,
    /// Nothing: the file is damaged, since it had not those with the first side to move either.
    Missing,
}

impl Tables {
    /// The value of a position for the side to move, as if its last move had been a capture; `None` if
    /// it has castling rights, or a table is missing or cannot be read.
    pub fn wdl(&self, position: &Position) -> Option<Wdl> {
        self.covers(position).then(|| self.value(position, PlayedOut::Captures))?.map(|v| v.wdl)
    }

    /// The half-moves to the next capture or move of a pawn with which the value of a position is kept:
    /// positive if the side to move wins, negative if it loses, 0 for a draw; 100 more, with the same
    /// sign, if the 50-move rule saves the loser. It may be 1 too low where a table counts in moves. A
    /// player who is mated is lost in 1.
    ///
    /// `None` as for [`Self::wdl`].
    pub fn dtz(&self, position: &Position) -> Option<i32> {
        self.covers(position).then(|| self.distance(position, OtherSide::Searched))?
    }

    pub(super) fn covers(&self, position: &Position) -> bool {
        let board = position.board();
        board.castling.is_empty() && board.occupied().len() as usize <= self.largest
    }

    fn value(&self, position: &Position, played_out: PlayedOut) -> Option<Value> {
        if position.board().occupied().len() == 2 {
            return Some(Value { wdl: Wdl::Draw, by_zeroing: false });
        }
        let moves = match played_out {
            PlayedOut::Captures => position.noisy_moves(),
            PlayedOut::Zeroing => position.legal_moves(),
        };
        let (mut best, mut tried) = (None, 0);
        for &m in &moves {
            let is_played_out = position.captured(m).is_some()
                || played_out == PlayedOut::Zeroing && is_pawn_move(position, m);
            if is_played_out {
                let after = self.value(&position.play_unchecked(m), PlayedOut::Captures)?;
                best = best.max(Some(after.wdl.opposite()));
                tried += 1;
                if best == Some(Wdl::Win) {
                    return Some(Value { wdl: Wdl::Win, by_zeroing: true });
                }
            }
        }
        // A table need not know a position without other moves.
        let is_forced = tried > 0 && tried == position.count_moves();
        let quiet = if is_forced { None } else { Some(self.tabled_wdl(position)?) };
        Some(match best {
            Some(wdl) if best >= quiet => Value { wdl, by_zeroing: wdl > Wdl::Draw || is_forced },
            _ => Value { wdl: quiet?, by_zeroing: false },
        })
    }

    fn tabled_wdl(&self, position: &Position) -> Option<Wdl> {
        let table = self.wdl.get(&Material::of(position.board()))?;
        match table.probe(position.board(), position.side(), None)? {
            Found::Number(0) => Some(Wdl::Loss),
            Found::Number(1) => Some(Wdl::BlessedLoss),
            Found::Number(2) => Some(Wdl::Draw),
            Found::Number(3) => Some(Wdl::CursedWin),
            Found::Number(4) => Some(Wdl::Win),
            _ => None,
        }
    }

    fn distance(&self, position: &Position, other_side: OtherSide) -> Option<i32> {
        let Value { wdl, by_zeroing } = self.value(position, PlayedOut::Zeroing)?;
        if wdl == Wdl::Draw || by_zeroing {
            return Some(before_zeroing(wdl));
        }
        let table = self.dtz.get(&Material::of(position.board()))?;
        match table.probe(position.board(), position.side(), Some(wdl))? {
            Found::Number(plies) => {
                let sign = before_zeroing(wdl).signum();
                Some(before_zeroing(wdl) + sign * (i32::from(plies) - 1))
            }
            Found::OtherSide if other_side == OtherSide::Searched => {
                self.distance_by_moves(position, wdl)
            }
            Found::OtherSide => None,
        }
    }

    /// The distance by a search of one half-move, for the side to move that a table does not have.
    fn distance_by_moves(&self, position: &Position, wdl: Wdl) -> Option<i32> {
        let mut best = None;
        for &m in &position.legal_moves() {
            let distance = self.after(position, m, OtherSide::Missing)?;
            if distance.signum() == before_zeroing(wdl).signum() {
                best = Some(best.map_or(distance, |best: i32| best.min(distance)));
            }
        }
        // Without a move that keeps it the player is mated.
        Some(best.unwrap_or(-1))
    }

    /// The distance for the player of a move, which counts as one of its half-moves.
    pub(super) fn distance_after(&self, position: &Position, m: Move) -> Option<i32> {
        self.after(position, m, OtherSide::Searched)
    }

    fn after(&self, position: &Position, m: Move, other_side: OtherSide) -> Option<i32> {
        let next = position.play_unchecked(m);
        if next.is_checkmate() {
            return Some(1);
        }
        if next.halfmove_clock() == 0 {
            let after = self.value(&next, PlayedOut::Captures)?;
            return Some(before_zeroing(after.wdl.opposite()));
        }
        let distance = -self.distance(&next, other_side)?;
        Some(distance + distance.signum())
    }
}

fn is_pawn_move(position: &Position, m: Move) -> bool {
    position.kind_on(m.from()) == Some(Kind::Pawn)
}

/// The distance of a value that a capture or a move of a pawn keeps at once.
const fn before_zeroing(wdl: Wdl) -> i32 {
    match wdl {
        Wdl::Loss => -1,
        Wdl::BlessedLoss => -101,
        Wdl::Draw => 0,
        Wdl::CursedWin => 101,
        Wdl::Win => 1,
    }
}
