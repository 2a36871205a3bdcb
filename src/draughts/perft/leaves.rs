//! Counts the moves of positions in the last ply without making them.
//!
//! The directions are processed one after another. In each direction, all men of a lane jump
//! simultaneously. Captures of one or two pieces by men are counted by their landing squares,
//! because a man cannot take the same one or two pieces by different routes. Captures of one piece
//! by kings are counted by the squares behind the captured piece. Longer captures are followed
//! route by route.

use super::ply::Ply;
use super::queue::Queue;
use super::rafles::{Boards, Rafles};
use super::sets::{each_way, empty, glide, jumps, land, slide, step, union};
use crate::base::cpu::Lanes;
use crate::base::side::Side;
use crate::draughts::bitboard::Direction;

pub(super) struct Leaves {
    longer: Queue<2>,
    longer_with_kings: Queue<3>,
    lanes: Lanes,
}

/// Calls `each` for every direction in which a piece that arrived along `came` can continue.
#[inline(always)]
fn onward(came: Direction, mut each: impl FnMut(usize)) {
    for way in Direction::ALL {
        if way != came.opposite() {
            each(way.index());
        }
    }
}

#[inline(always)]
fn steps(men: Lanes, side: Side, empty: Lanes) -> Lanes {
    let [left, right] = Direction::forward(side).map(|way| (step(men, way) & empty).counts());
    left + right
}

impl Leaves {
    pub(super) const fn new() -> Self {
        Self { longer: Queue::new(), longer_with_kings: Queue::new(), lanes: Lanes::ZERO }
    }

    /// Counts the moves of `side` in the queued positions. Fewer than eight positions of each kind
    /// remain queued.
    #[inline(always)]
    pub(super) fn work(&mut self, ply: &mut Ply, side: Side, rafles: &mut Rafles) {
        while let Some(positions) = ply.men.pop() {
            self.count_men(ply, side, positions);
        }
        while let Some(positions) = ply.kings.pop() {
            self.count_kings(ply, side, positions);
        }
        while let Some(positions) = ply.captures.pop() {
            self.count_captures(positions);
        }
        while let Some(positions) = ply.king_captures.pop() {
            self.count_king_captures(positions);
        }
        self.work_longer(rafles);
    }

    #[inline(always)]
    fn work_longer(&mut self, rafles: &mut Rafles) {
        while let Some([own, opponent]) = self.longer.pop() {
            self.follow::<false>(&Boards { own, opponent, kings: Lanes::ZERO }, rafles);
        }
        while let Some([own, opponent, kings]) = self.longer_with_kings.pop() {
            self.follow::<true>(&Boards { own, opponent, kings }, rafles);
        }
    }

    /// Counts the remaining positions with longer captures. Returns the total count and resets it
    /// to 0.
    pub(super) fn total(&mut self, rafles: &mut Rafles) -> u64 {
        self.longer.fill();
        self.longer_with_kings.fill();
        self.work_longer(rafles);
        std::mem::replace(&mut self.lanes, Lanes::ZERO).sum()
    }

    /// Counts the non-capturing moves of positions without kings. Positions with captures are
    /// queued again.
    #[inline(always)]
    fn count_men(&mut self, ply: &mut Ply, side: Side, positions: [Lanes; 2]) {
        let [own, opponent] = positions;
        let empty = empty(own, opponent);
        let capturing = own & union(jumps(opponent, empty));
        self.lanes = self.lanes + steps(own, side, empty).where_none(capturing);
        ply.captures.push(positions, capturing.nonzero());
    }

    #[inline(never)]
    fn count_kings(&mut self, ply: &mut Ply, side: Side, positions: [Lanes; 3]) {
        let [own, opponent, kings] = positions;
        let empty = empty(own, opponent);
        let can = jumps(opponent, empty);
        let mut count = steps(own - kings, side, empty);
        let mut capturing = Lanes::ZERO;
        each_way!(WAY {
            let reached = slide(kings, WAY, empty);
            count = count + reached.counts();
            capturing = capturing | (own | reached) & can[WAY.index()];
        });
        self.lanes = self.lanes + count.where_none(capturing);
        ply.king_captures.push(positions, capturing.nonzero());
    }

    /// Counts captures of one or two pieces in positions without kings. Positions with longer
    /// captures are queued again.
    #[inline(never)]
    fn count_captures(&mut self, positions: [Lanes; 2]) {
        let [own, opponent] = positions;
        let can = jumps(opponent, empty(own, opponent));
        let (mut once, mut twice, mut thrice) = (Lanes::ZERO, Lanes::ZERO, Lanes::ZERO);
        let mut second = [Lanes::ZERO; 4];
        each_way!(CAME {
            let first = own & can[CAME.index()];
            once = once + first.counts();
            let at = land(first, CAME);
            onward(CAME, |way| {
                twice = twice + (at & can[way]).counts();
                second[way] = second[way] | at & can[way];
            });
        });
        let two = union(second);
        each_way!(CAME {
            let at = land(second[CAME.index()], CAME);
            onward(CAME, |way| thrice = thrice | at & can[way]);
        });
        self.lanes = self.lanes + once.where_none(two) + twice.where_none(thrice);
        self.longer.push(positions, thrice.nonzero());
    }

    /// Counts captures of one piece in positions with kings. Positions with longer captures are
    /// queued again.
    #[inline(never)]
    fn count_king_captures(&mut self, positions: [Lanes; 3]) {
        let [own, opponent, kings] = positions;
        let empty = empty(own, opponent);
        let can = jumps(opponent, empty);
        let (mut count, mut again) = (Lanes::ZERO, Lanes::ZERO);
        each_way!(CAME {
            let first = (own - kings) & can[CAME.index()];
            count = count + first.counts();
            let at = land(first, CAME);
            onward(CAME, |way| again = again | at & can[way]);
            // Kings can turn on any square behind the captured piece, or continue straight on.
            let before = kings | glide(kings, CAME, empty);
            let behind = land(before & can[CAME.index()], CAME);
            let behind = behind | glide(behind, CAME, empty);
            count = count + behind.counts();
            again = again | behind & can[CAME.index()];
            for way in CAME.sideways() {
                again = again | (behind | glide(behind, way, empty)) & can[way.index()];
            }
        });
        self.lanes = self.lanes + count.where_none(again);
        self.longer_with_kings.push(positions, again.nonzero());
    }

    #[inline(never)]
    fn follow<const KINGS: bool>(&mut self, boards: &Boards, rafles: &mut Rafles) {
        let mut lanes = self.lanes;
        rafles.follow::<KINGS>(boards, |ends, live| {
            lanes = lanes + ends.to.counts().keep(live);
        });
        self.lanes = lanes;
    }
}
