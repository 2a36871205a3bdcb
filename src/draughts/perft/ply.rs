//! The queued positions of one ply, and the moves that lead to the next ply.

use super::queue::Queue;
use super::rafles::{Boards, Ends, Rafles};
use super::sets::{each_single, each_way, empty, jumps, slide, step, union};
use crate::base::cpu::Lanes;
use crate::base::side::Side;
use crate::draughts::bitboard::{Bitboard, Direction};

/// The queued positions of a ply. Each position consists of the pieces of the side to move and the
/// pieces of the opponent. Positions with kings also contain the kings of both sides or, in the
/// last ply, only the kings of the side to move.
pub(super) struct Ply {
    pub men: Queue<2>,
    pub kings: Queue<3>,
    /// Positions without kings that turned out to have captures.
    pub captures: Queue<2>,
    /// Positions with kings that turned out to have captures.
    pub king_captures: Queue<3>,
}

impl Ply {
    pub(super) const fn new() -> Self {
        Self {
            men: Queue::new(),
            kings: Queue::new(),
            captures: Queue::new(),
            king_captures: Queue::new(),
        }
    }

    /// Queues the positions in the lanes selected by the mask `set`. `LAST` is true in the last
    /// ply.
    #[inline(always)]
    pub(super) fn push<const LAST: bool>(&mut self, position: Boards, set: u8) {
        let Boards { own, opponent, kings } = position;
        let kings = if LAST { kings & own } else { kings };
        let with_kings = kings.nonzero() & set;
        self.men.push([own, opponent], set & !with_kings);
        if with_kings != 0 {
            self.kings.push([own, opponent, kings], with_kings);
        }
    }

    #[inline(always)]
    fn push_men<const LAST: bool>(&mut self, position: Boards, set: u8) {
        if LAST {
            self.men.push([position.own, position.opponent], set);
        } else {
            self.push::<false>(position, set);
        }
    }

    /// Makes the non-capturing moves of positions without kings, with `side` to move. Positions
    /// with captures are queued again. `LAST` is true if the next ply is the last.
    #[inline(never)]
    pub(super) fn play_men<const LAST: bool>(
        &mut self,
        side: Side,
        next: &mut Self,
        sets: [Lanes; 2],
    ) {
        let [own, opponent] = sets;
        let empty = empty(own, opponent);
        let capturing = own & union(jumps(opponent, empty));
        self.captures.push(sets, capturing.nonzero());
        let far = Lanes::splat(Bitboard::promotion_row(side).0);
        for way in Direction::forward(side) {
            let to = (step(own, way) & empty).where_none(capturing);
            each_single(to, |to, live| {
                let moved = own ^ to ^ step(to, way.opposite());
                let after = Boards { own: opponent, opponent: moved, kings: to & far };
                next.push_men::<LAST>(after, live);
            });
        }
    }

    #[inline(never)]
    pub(super) fn play_kings<const LAST: bool>(
        &mut self,
        side: Side,
        next: &mut Self,
        sets: [Lanes; 3],
    ) {
        let [own, opponent, all_kings] = sets;
        let (men, kings) = (own - all_kings, own & all_kings);
        let empty = empty(own, opponent);
        let can = jumps(opponent, empty);
        let mut capturing = Lanes::ZERO;
        each_way!(WAY {
            capturing = capturing | (own | slide(kings, WAY, empty)) & can[WAY.index()];
        });
        self.king_captures.push(sets, capturing.nonzero());
        let far = Lanes::splat(Bitboard::promotion_row(side).0);
        for way in Direction::forward(side) {
            let to = (step(men, way) & empty).where_none(capturing);
            each_single(to, |to, live| {
                let moved = own ^ to ^ step(to, way.opposite());
                let kings = all_kings | to & far;
                next.push::<LAST>(Boards { own: opponent, opponent: moved, kings }, live);
            });
        }
        each_single(kings.where_none(capturing), |king, _| {
            let reached = union(Direction::ALL.map(|way| slide(king, way, empty)));
            each_single(reached, |to, live| {
                let both = king | to;
                let kings = all_kings ^ both;
                next.push::<LAST>(Boards { own: opponent, opponent: own ^ both, kings }, live);
            });
        });
    }

    /// Queues the positions after the longest captures of `side` on eight boards. `LAST` is true if
    /// this is the last ply, and `KINGS` if there can be kings.
    #[inline(never)]
    pub(super) fn take<const LAST: bool, const KINGS: bool>(
        &mut self,
        side: Side,
        boards: &Boards,
        rafles: &mut Rafles,
    ) {
        let far = Lanes::splat(Bitboard::promotion_row(side).0);
        rafles.follow::<KINGS>(boards, |Ends { board, from, to, taken }, live| {
            let own = board.opponent - taken;
            each_single(to.keep(live), |to, live| {
                let opponent = (board.own - from) | to;
                let promoted = to & far;
                if KINGS {
                    let moved = to.where_any(from & board.kings);
                    let kings = (board.kings - (from | taken)) | moved | promoted;
                    self.push::<LAST>(Boards { own, opponent, kings }, live);
                } else {
                    self.push_men::<LAST>(Boards { own, opponent, kings: promoted }, live);
                }
            });
        });
    }
}
