//! Retrograde analysis: solves every position with a given material, and every position with the
//! same material but the sides exchanged.
//!
//! First, every position is initialised. A position with a capture or without moves gets its final
//! value. In all other positions, the moves are counted and promotions are evaluated. Then the
//! predecessors of every position found to be won or lost are updated once: a predecessor of a lost
//! position is won, and a position with only moves to won positions is lost. The remaining
//! positions are draws (Thompson 1986, Ströhlein 1970).

use super::index::{self, Group, Layout};
use super::material::Material;
use super::{Bitbases, Node, Wdl};
use crate::base::cpu;
use crate::base::side::Side;
use crate::draughts::frisian::KingRun;
use crate::draughts::movegen::{self, Raw};
use crate::draughts::{Bitboard, Board, Direction, Variant};
use rayon::prelude::*;
use smallvec::SmallVec;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU8};

/// The state of a position, in one byte. States from 1 to `OPEN` count the moves that are not yet
/// known to lose.
mod state {
    pub(super) const LOST: u8 = 0;
    /// An upper bound on the number of moves. A side with five kings has at most 85 moves.
    pub(super) const OPEN: u8 = 99;
    /// The position is at least a draw, because a promotion leads to a draw.
    pub(super) const NOT_LOST: u8 = 100;
    pub(super) const WON: u8 = 101;
    // The final values of positions with captures.
    pub(super) const LOST_TAKING: u8 = 102;
    pub(super) const WON_TAKING: u8 = 103;
    pub(super) const DRAWN_TAKING: u8 = 104;
    /// The index does not denote a position, because two pieces would share a square.
    pub(super) const NONE: u8 = 105;
    /// A flag for won and lost positions whose predecessors have been processed.
    pub(super) const DONE: u8 = 128;
}

/// The number of positions per work item.
const BLOCK: usize = 1 << 12;

struct Work {
    variant: Variant,
    material: Material,
    layout: Layout,
    states: Vec<AtomicU8>,
    /// For each block, true if it may contain unprocessed won or lost positions.
    fresh: Vec<AtomicBool>,
    groups: [Sets; 4],
}

struct Sets {
    sets: Vec<Bitboard>,
    /// For each set, its rank after the board is rotated by 180 degrees. The rotated set belongs to
    /// the corresponding group of the other side.
    turned: Vec<u32>,
}

impl Sets {
    fn new(group: Group, size: u8) -> Self {
        let sets = index::sets(group, size);
        let turned = sets.iter().map(|set| index::rank(group.turned(), set.turned())).collect();
        Self { sets, turned }
    }
}

pub(super) struct Solved {
    pub variant: Variant,
    pub material: Material,
    states: Vec<AtomicU8>,
}

impl Solved {
    /// Returns the value at an index, or `None` if the position has a capture or the index does not
    /// denote a position.
    pub(super) fn get(&self, index: usize) -> Option<Wdl> {
        match self.states[index].load(Relaxed) & !state::DONE {
            state::LOST => Some(Wdl::Loss),
            state::WON => Some(Wdl::Win),
            state::LOST_TAKING | state::WON_TAKING | state::DRAWN_TAKING | state::NONE => None,
            _ => Some(Wdl::Draw),
        }
    }
}

/// Solves all positions with this material, and all positions in which the two sides have exchanged
/// their material. If both sides have the same material, these are the same positions. `smaller`
/// must contain the tables reached by captures and promotions. `tick` is called with the number of
/// indices in each processed block. Returns `None` if a table is missing or `stop` is set.
pub(super) fn solve(
    material: Material,
    smaller: &Bitbases,
    stop: &AtomicBool,
    tick: &(dyn Fn(u64) + Sync),
) -> Option<Vec<Solved>> {
    let variant = smaller.variant();
    let mut works = vec![Work::new(variant, material)];
    if material.flipped() != material {
        works.push(Work::new(variant, material.flipped()));
    }
    for work in &works {
        work.initialise(smaller, stop, tick)?;
    }
    loop {
        let mut found = false;
        for (i, work) in works.iter().enumerate() {
            found |= work.go_back(&works[works.len() - 1 - i], stop)?;
        }
        if !found {
            break;
        }
    }
    let solved = |work: Work| {
        let Work { variant, material, states, .. } = work;
        Solved { variant, material, states }
    };
    Some(works.into_iter().map(solved).collect())
}

impl Work {
    fn new(variant: Variant, material: Material) -> Self {
        let layout = Layout::of(variant, material);
        let len = layout.len as usize;
        let sizes = Layout::sizes(material);
        let mut states = Vec::with_capacity(len);
        cpu::advise_huge_pages(states.spare_capacity_mut());
        states.par_extend((0..len).into_par_iter().map(|_| AtomicU8::new(state::NONE)));
        Self {
            variant,
            material,
            layout,
            states,
            fresh: (0..len.div_ceil(BLOCK)).map(|_| AtomicBool::new(true)).collect(),
            groups: [0, 1, 2, 3].map(|i| Sets::new(Group::ALL[i], sizes[i])),
        }
    }

    fn initialise(
        &self,
        smaller: &Bitbases,
        stop: &AtomicBool,
        tick: &(dyn Fn(u64) + Sync),
    ) -> Option<()> {
        self.states.par_chunks(BLOCK).enumerate().try_for_each(|(block, states)| {
            if stop.load(Relaxed) {
                return None;
            }
            for (index, state) in ((block * BLOCK) as u32..).zip(states) {
                if let Some(board) = self.board(index) {
                    let node = self.layout.node(index, board);
                    state.store(first_state(&node, smaller)?, Relaxed);
                }
            }
            tick(states.len() as u64);
            Some(())
        })
    }

    /// Returns the board at an index, with the own pieces as White, or `None` if two pieces would
    /// share a square.
    #[inline(always)]
    fn board(&self, index: u32) -> Option<Board> {
        let [own_men, other_men, own_kings, other_kings] = self.sets(self.layout.split(index));
        Board::of_groups([own_men, other_men], [own_kings, other_kings])
    }

    #[inline(always)]
    fn sets(&self, numbers: [u32; 4]) -> [Bitboard; 4] {
        let [own_men, other_men, own_kings, other_kings] = &self.groups;
        let [a, b, c, d] = numbers.map(|number| number as usize);
        [own_men.sets[a], other_men.sets[b], own_kings.sets[c], other_kings.sets[d]]
    }

    /// Updates the predecessors (in `before`) of every unprocessed won or lost position. Returns
    /// whether there was an unprocessed position, or `None` if `stop` is set.
    fn go_back(&self, before: &Self, stop: &AtomicBool) -> Option<bool> {
        let blocks = self.fresh.par_iter().zip(self.states.par_chunks(BLOCK)).enumerate();
        let found = blocks.map(|(block, (fresh, states))| {
            if stop.load(Relaxed) {
                return None;
            }
            // Clear the flag first, so that a later write by another thread sets it again.
            if !(fresh.load(Relaxed) && fresh.swap(false, Acquire)) {
                return Some(false);
            }
            let mut back = SmallVec::new();
            let mut found = false;
            for (i, state) in states.iter().enumerate() {
                let won = match state.load(Relaxed) {
                    state::LOST | state::LOST_TAKING => false,
                    state::WON | state::WON_TAKING => true,
                    _ => continue,
                };
                // No other thread writes to a position with a final value.
                state.fetch_or(state::DONE, Relaxed);
                found = true;
                self.unmoves((block * BLOCK + i) as u32, before, &mut back);
                for &index in &back {
                    before.update(index as usize, won);
                }
            }
            Some(found)
        });
        found.try_reduce(|| false, |a, b| Some(a | b))
    }

    /// Fills `back` with the predecessors of the position at `index`, as indices in `before`.
    /// Captures and promotions are not taken back.
    #[inline(always)]
    fn unmoves(&self, index: u32, before: &Self, back: &mut SmallVec<[u32; 85]>) {
        back.clear();
        // Rotate the board, so that the side that has just moved becomes White.
        let [own_men, other_men, own_kings, other_kings] = &self.groups;
        let [a, b, c, d] = self.layout.split(index).map(|number| number as usize);
        let numbers =
            [other_men.turned[b], own_men.turned[a], other_kings.turned[d], own_kings.turned[c]];
        let sets = before.sets(numbers);
        let empty = !(sets[0] | sets[1] | sets[2] | sets[3]);
        let stride = before.layout.stride;
        let total: u32 = (0..4).map(|i| numbers[i] * stride[i]).sum();
        let runs = before
            .layout
            .has_runs()
            .then(|| self.turned_runs(index, own_kings.sets[c], other_kings.sets[d]));
        let mut add = |group: Group, to: Bitboard, from: Bitboard| {
            let i = group as usize;
            let number = index::rank(group, sets[i] ^ to ^ from);
            let index = total - numbers[i] * stride[i] + number * stride[i];
            let mut push = |index: u32| {
                cpu::prefetch(&before.states[index as usize]);
                back.push(index);
            };
            match &runs {
                None => push(index),
                Some(runs) => {
                    let king = (group == Group::OwnKings).then(|| KingMove {
                        to,
                        digit: index::first_run_digit(from, sets[i] ^ to ^ from),
                    });
                    for digit in runs.before(king, before.layout.runs[0]) {
                        push(index + before.layout.runs_part(digit, runs.other));
                    }
                }
            }
        };
        for way in Direction::forward(Side::White) {
            for from in (sets[0].rotated(way.opposite()) & empty).singles() {
                add(Group::OwnMen, from.rotated(way), from);
            }
        }
        for to in sets[2].singles() {
            for way in Direction::ALL {
                for from in movegen::between(to, way, !empty).singles() {
                    add(Group::OwnKings, to, from);
                }
            }
        }
    }

    /// Returns the king runs of the position at `index`, after the board has been rotated as in
    /// [`Self::unmoves`].
    fn turned_runs(&self, index: u32, own_kings: Bitboard, other_kings: Bitboard) -> TurnedRuns {
        let [own, other] = self.layout.split_runs(index);
        let turned = |digit, kings| {
            index::run_of_digit(digit, kings).map(|(king, moves)| (king.turned(), moves))
        };
        TurnedRuns {
            mover: turned(other, other_kings),
            other: index::run_digit(turned(own, own_kings), own_kings.turned()),
        }
    }

    /// Updates the position at `index`, given that one of its moves leads to a position that is won
    /// (if `won` is true) or lost for the opponent.
    #[inline(always)]
    fn update(&self, index: usize, won: bool) {
        let state = &self.states[index];
        let mut now = state.load(Relaxed);
        loop {
            let next = match now {
                1..=state::OPEN if won => now - 1,
                1..=state::NOT_LOST if !won => state::WON,
                _ => return,
            };
            match state.compare_exchange_weak(now, next, Relaxed, Relaxed) {
                Ok(_) if next == state::LOST || next == state::WON => {
                    return self.fresh[index / BLOCK].store(true, Release);
                }
                Ok(_) => return,
                Err(other) => now = other,
            }
        }
    }
}

/// The king runs after a move, from the point of view of the side that has moved.
struct TurnedRuns {
    mover: Option<(Bitboard, u8)>,
    /// The digit of the opponent's run, which a non-capturing move does not change.
    other: u32,
}

struct KingMove {
    to: Bitboard,
    /// The digit for a run of one move by this king, in the position before the move.
    digit: u32,
}

impl TurnedRuns {
    /// Returns the possible digits (see [`index`](super::index)) of the mover's king run before a
    /// non-capturing move. `king` is the king's move, or `None` if a man has moved. `digits` is the
    /// number of different digits that the mover's run can have.
    fn before(&self, king: Option<KingMove>, digits: u32) -> impl Iterator<Item = u32> + use<> {
        let max = u32::from(KingRun::MAX_RUN);
        let (possible, excluded) = match (king, self.mover) {
            _ if digits == 1 => (0..1, 0..0),
            // A man has moved, which ends any run.
            (None, None) => (0..digits, 0..0),
            // The king has just begun a run, so it did not make its side's previous move.
            (Some(KingMove { to, digit }), Some((king, 1))) if king == to => {
                (0..digits, digit..digit + max)
            }
            (Some(KingMove { to, digit }), Some((king, moves))) if king == to => {
                let before = digit + u32::from(moves) - 2;
                (before..before + 1, 0..0)
            }
            _ => (0..0, 0..0),
        };
        possible.filter(move |digit| !excluded.contains(digit))
    }
}

fn first_state(node: &Node, smaller: &Bitbases) -> Option<u8> {
    let (board, variant) = (&node.board, smaller.variant());
    let mut best = Some(Wdl::Loss);
    let captures = variant.each_capture(board, Side::White, |m| {
        smaller.improve(&mut best, &node.after(variant, m));
    });
    if captures {
        return Some(match best? {
            Wdl::Win => state::WON_TAKING,
            Wdl::Draw => state::DRAWN_TAKING,
            Wdl::Loss => state::LOST_TAKING,
        });
    }
    let kings = board.kings(Side::White) - node.tired_king();
    let mut moves = movegen::count_plain_moves(board, Side::White, kings) as u8;
    if moves == 0 && variant.is_won_without_moves() {
        return Some(state::WON);
    }
    let mut draws = false;
    let last_but_one = board.men(Side::White) & Bitboard::row(1);
    for way in Direction::forward(Side::White) {
        for to in (last_but_one.rotated(way) & board.empty()).singles() {
            let m = Raw { from: to.rotated(way.opposite()), to, taken: Bitboard::EMPTY };
            match smaller.value(&node.after(variant, m))?.opposite() {
                Wdl::Win => return Some(state::WON),
                Wdl::Draw => draws = true,
                Wdl::Loss => moves -= 1,
            }
        }
    }
    Some(if draws { state::NOT_LOST } else { moves })
}
