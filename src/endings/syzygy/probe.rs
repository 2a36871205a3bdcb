//! Probes the tables for a position's WDL and DTZ values.

use super::table::{Found, Plies};
use super::{Material, Tables, Wdl};
use crate::chess::{Kind, Move, Position};

/// A value, and whether the DTZ follows from it, because a zeroing move (a capture or pawn move)
/// keeps a win or because the player has no other moves.
struct Value {
    wdl: Wdl,
    by_zeroing: bool,
}

/// DTZ as computed from the tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Distance {
    /// DTZ as in [`Tables::dtz`].
    pub plies: i32,
    /// True if the magnitude may be one too low, because a table counts full moves.
    pub rounded: bool,
}

impl Distance {
    const fn exact(plies: i32) -> Self {
        Self { plies, rounded: false }
    }
}

/// The moves that are searched before the table is probed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PlayedOut {
    Captures,
    Zeroing,
}

/// The handling of a table that does not store positions with this side to move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OtherSide {
    /// Probe the positions after each move.
    Searched,
    /// Fail. The file is damaged, because neither side to move is stored.
    Missing,
}

impl Tables {
    /// Returns the value of a position for the side to move, assuming a halfmove clock of zero.
    /// Returns `None` if there are castling rights, or if a table is missing or unreadable.
    pub fn wdl(&self, position: &Position) -> Option<Wdl> {
        self.covers(position).then(|| self.value(position, PlayedOut::Captures))?.map(|v| v.wdl)
    }

    /// Returns DTZ, the number of plies to the next capture or pawn move that keeps the value. DTZ
    /// is positive for a win, negative for a loss and 0 for a draw. 100 is added to its magnitude
    /// if the 50-move rule saves the loser. If a table counts full moves, the magnitude may be 1
    /// too low. A checkmated player has a DTZ of -1.
    ///
    /// Returns `None` in the same cases as [`Self::wdl`], and if a required DTZ table is missing or
    /// unreadable.
    pub fn dtz(&self, position: &Position) -> Option<i32> {
        Some(self.distance(position)?.plies)
    }

    pub(super) fn distance(&self, position: &Position) -> Option<Distance> {
        self.covers(position).then(|| self.tabled_distance(position, OtherSide::Searched))?
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
        // If all moves have been searched, the position need not have a valid value in the table.
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

    fn tabled_distance(&self, position: &Position, other_side: OtherSide) -> Option<Distance> {
        let Value { wdl, by_zeroing } = self.value(position, PlayedOut::Zeroing)?;
        if wdl == Wdl::Draw || by_zeroing {
            return Some(Distance::exact(before_zeroing(wdl)));
        }
        let table = self.dtz.get(&Material::of(position.board()))?;
        match table.probe(position.board(), position.side(), Some(wdl))? {
            Found::Plies(Plies { plies, rounded }) => {
                let sign = before_zeroing(wdl).signum();
                let plies = before_zeroing(wdl) + sign * (i32::from(plies) - 1);
                Some(Distance { plies, rounded })
            }
            Found::OtherSide if other_side == OtherSide::Searched => {
                self.distance_by_moves(position, wdl)
            }
            Found::OtherSide | Found::Number(_) => None,
        }
    }

    /// Returns DTZ by a one-ply search, for the side to move that the table does not store.
    fn distance_by_moves(&self, position: &Position, wdl: Wdl) -> Option<Distance> {
        let mut best: Option<Distance> = None;
        for &m in &position.legal_moves() {
            let distance = self.after(position, m, OtherSide::Missing)?;
            let keeps_value = distance.plies.signum() == before_zeroing(wdl).signum();
            // A rounded distance may in truth be one ply longer. Among equal distances, the winner
            // prefers an exact distance and the loser a rounded distance.
            let order = |d: Distance| (d.plies, d.rounded == (d.plies > 0));
            if keeps_value && best.is_none_or(|best| order(distance) < order(best)) {
                best = Some(distance);
            }
        }
        // If no move keeps the value, the player is checkmated.
        Some(best.unwrap_or(Distance::exact(-1)))
    }

    /// Returns the distance of `position` if the move `m` is played in it. The distance includes
    /// the ply of this move, and is from the point of view of the player who makes it. Returns
    /// `None` if a table is missing.
    pub(super) fn distance_after(&self, position: &Position, m: Move) -> Option<Distance> {
        self.after(position, m, OtherSide::Searched)
    }

    fn after(&self, position: &Position, m: Move, other_side: OtherSide) -> Option<Distance> {
        let next = position.play_unchecked(m);
        if next.is_checkmate() {
            return Some(Distance::exact(1));
        }
        if next.halfmove_clock() == 0 {
            let after = self.value(&next, PlayedOut::Captures)?;
            return Some(Distance::exact(before_zeroing(after.wdl.opposite())));
        }
        let Distance { plies, rounded } = self.tabled_distance(&next, other_side)?;
        Some(Distance { plies: -plies - plies.signum(), rounded })
    }
}

fn is_pawn_move(position: &Position, m: Move) -> bool {
    position.kind_on(m.from()) == Some(Kind::Pawn)
}

/// Returns the DTZ of a position in which an immediate capture or pawn move keeps the value.
const fn before_zeroing(wdl: Wdl) -> i32 {
    match wdl {
        Wdl::Loss => -1,
        Wdl::BlessedLoss => -101,
        Wdl::Draw => 0,
        Wdl::CursedWin => 101,
        Wdl::Win => 1,
    }
}
