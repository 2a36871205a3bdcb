//! Finds the longest captures on eight boards in parallel, with one route per SIMD lane.
//!
//! All routes advance by one jump at a time, and a route that cannot continue is dropped if another
//! route on its board can. When no route on a board can continue, the routes that made the last
//! jump are the board's longest captures (FMJD 4.13). As in the
//! [generator](crate::draughts::movegen), captured pieces stay on the board until the capture ends
//! (FMJD 4.11), and the origin square counts as empty. A *rafle* is a multiple capture.

use super::queue::Queue;
use super::sets::{self, each_single, each_way, glide, jumps, land, step};
use crate::base::cpu::Lanes;
use crate::draughts::bitboard::Direction;

/// Eight boards: the pieces of the side to move, the opponent's pieces, and the kings of both
/// sides.
#[derive(Clone, Copy)]
pub(super) struct Boards {
    pub own: Lanes,
    pub opponent: Lanes,
    pub kings: Lanes,
}

impl Boards {
    #[inline(always)]
    fn pick(&self, numbers: Lanes) -> Self {
        let [own, opponent, kings] =
            [self.own, self.opponent, self.kings].map(|set| set.pick(numbers));
        Self { own, opponent, kings }
    }
}

/// Captures in eight lanes. The captures in a lane take the same pieces and differ only in the
/// destination square.
pub(super) struct Ends {
    pub board: Boards,
    pub from: Lanes,
    pub to: Lanes,
    /// The captured pieces. Bits that are not squares may also be set.
    pub taken: Lanes,
}

/// The current routes. Each route consists of the possible current squares of the piece, its origin
/// square, and the captured pieces combined with the board's index (see [`number`]).
pub(super) struct Rafles {
    routes: Queue<3>,
    longer: Queue<3>,
}

impl Rafles {
    pub(super) const fn new() -> Self {
        Self { routes: Queue::new(), longer: Queue::new() }
    }

    /// Calls `each` for the longest captures, up to eight at a time, with a mask of the lanes that
    /// hold a capture. `KINGS` must be true if there can be kings.
    #[inline(always)]
    pub(super) fn follow<const KINGS: bool>(
        &mut self,
        boards: &Boards,
        mut each: impl FnMut(Ends, u8),
    ) {
        self.begin::<KINGS>(boards);
        let mut pieces = 1;
        while !self.routes.is_empty() {
            let longer = self.go_on::<KINGS>(boards);
            // Only different routes over the same pieces are duplicates. Two such routes enclose a
            // rectangle, so each has at least four jumps.
            if pieces >= 4 {
                self.unite();
            }
            for ([to, from, taken], live) in self.routes.all_loads() {
                let number = number(taken);
                let ended = (place(number) - longer).nonzero() & live;
                if ended != 0 {
                    each(Ends { board: boards.pick(number), from, to, taken }, ended);
                }
            }
            std::mem::swap(&mut self.routes, &mut self.longer);
            self.longer.clear();
            pieces += 1;
        }
    }

    #[inline(always)]
    fn begin<const KINGS: bool>(&mut self, boards: &Boards) {
        let Boards { own, opponent, kings } = *boards;
        let (men, kings) = if KINGS { (own - kings, own & kings) } else { (own, Lanes::ZERO) };
        let numbers = Lanes::load(&std::array::from_fn(|lane| (lane as u64) << NUMBER));
        let empty = sets::empty(own, opponent);
        let can = jumps(opponent, empty);
        each_way!(WAY {
            let can = can[WAY.index()];
            each_single(men & can, |from, live| {
                self.routes.push([land(from, WAY), from, step(from, WAY) | numbers], live);
            });
            if KINGS {
                let before = (kings | glide(kings, WAY, empty)) & can;
                each_single(before, |before, live| {
                    let back = before - kings;
                    let back = back | glide(back, WAY.opposite(), empty);
                    let from = (before | step(back, WAY.opposite())) & kings;
                    let behind = land(before, WAY);
                    let behind = behind | glide(behind, WAY, empty);
                    self.routes.push([behind, from, step(before, WAY) | numbers], live);
                });
            }
        });
    }

    /// Makes the next jump on all routes that can continue. Every lane of the result has bit `i`
    /// set if a route of board `i` can continue.
    #[inline(always)]
    fn go_on<const KINGS: bool>(&mut self, boards: &Boards) -> Lanes {
        let mut longer = Lanes::ZERO;
        for ([at, from, taken], live) in self.routes.all_loads() {
            let number = number(taken);
            let board = boards.pick(number);
            let empty = sets::empty(board.own, board.opponent) | from;
            let can = jumps(board.opponent - taken, empty).map(|can| can.keep(live));
            let free = empty.where_any(from & board.kings);
            each_way!(WAY {
                let can = can[WAY.index()];
                if KINGS {
                    // If the king can reach a square from several squares of `at`, they are all on
                    // one line with that square. The next jump is then the same from each of them.
                    let before = (at | glide(at, WAY, free)) & can;
                    each_single(before, |before, live| {
                        let behind = land(before, WAY);
                        let behind = behind | glide(behind, WAY, free);
                        self.longer.push([behind, from, taken | step(before, WAY)], live);
                        longer = longer | place(number).keep(live);
                    });
                } else {
                    let live = (at & can).nonzero();
                    self.longer.push([land(at, WAY), from, taken | step(at, WAY)], live);
                    longer = longer | place(number).keep(live);
                }
            });
        }
        Lanes::splat(longer.union())
    }

    /// Removes duplicate captures: a destination square is removed from a route if an earlier route
    /// from the same origin square reaches it with the same captured pieces.
    #[inline(never)]
    fn unite(&mut self) {
        for later in 1..self.routes.row(0).len() {
            let [from, taken] = [1, 2].map(|word| Lanes::splat(self.routes.row(word)[later]));
            let mut earlier = Lanes::ZERO;
            for ([to, other_from, other_taken], live) in self.routes.loads(later) {
                let differs = (from ^ other_from) | (taken ^ other_taken);
                earlier = earlier | to.keep(live & !differs.nonzero());
            }
            self.routes.row(0)[later] &= !earlier.union();
        }
    }
}

/// The position of the board's index within the word of captured pieces. The index uses the three
/// highest bits, which are not squares.
const NUMBER: u32 = 61;

#[inline(always)]
fn number(taken: Lanes) -> Lanes {
    taken.rotate_left(Lanes::splat(64 - u64::from(NUMBER))) & Lanes::splat(7)
}

/// Returns, for each lane, the word in which only bit `number` is set.
#[inline(always)]
fn place(number: Lanes) -> Lanes {
    Lanes::splat(1).rotate_left(number)
}
