//! Compares the score sheets of both players: finds the differences, the omitted moves, and the
//! game that was played (Par. 23 of 1928, Art. 23.2 of 1930, 8.5 of 2009).
//!
//! The result is the sequence of legal moves that fits both sheets best. Each move must be on at
//! least one sheet, possibly as one meaning of an ambiguous entry. Where neither sheet has a
//! readable move, every legal move is tried.
//!
//! Each deviation of a sheet from the sequence has a cost: 3 for a move that is omitted, added,
//! wrong or unreadable, and 1 for a blank, an ambiguous text, or a move after the end of the sheet
//! (8.4). A* finds the cheapest sequence (Hart, Nilsson, Raphael, 1968). Its heuristic is the
//! difference between the numbers of remaining entries, because each surplus entry costs at least
//! 1.
//!
//! A path is pruned if it costs at least 6 (two faults) more than another path that has advanced at
//! least as far. The search effort therefore grows with the number of faults, not with the number
//! of their combinations.

use super::{Entry, Notate, Sheet};
use crate::base::side::Side;
use crate::record::games::Recorded;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::fmt;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Which {
    First,
    Second,
}

impl Which {
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];
}

impl fmt::Display for Which {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::First => "the first sheet",
            Self::Second => "the second sheet",
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The move is missing, although later moves are present.
    LeftOut,
    /// The sheet ends before this move.
    Ended,
    /// The sheet has a blank for this move.
    Blank,
    Ambiguous,
    Unreadable,
    /// The sheet has a different move.
    Other,
    /// The entry does not belong to any move of the game.
    Added,
}

impl Fault {
    const fn cost(self) -> u32 {
        match self {
            Self::LeftOut | Self::Other | Self::Added | Self::Unreadable => 3,
            Self::Blank | Self::Ambiguous | Self::Ended => 1,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    pub ply: usize,
    pub sheet: Which,
    pub fault: Fault,
    pub entry: Option<usize>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comparison<M> {
    pub moves: Vec<M>,
    /// For each sheet, the entry index of each move; `None` if the sheet has no entry for the move.
    pub entries: [Vec<Option<usize>>; 2],
    pub differences: Vec<Difference>,
    /// The moves of another game that fits the sheets equally well.
    pub alternative: Option<Vec<M>>,
}

impl<M> Comparison<M> {
    /// Returns whether neither sheet has the move at `ply`, not even as one meaning of an ambiguous
    /// entry.
    pub fn is_reconstructed(&self, ply: usize) -> bool {
        let lacks = |sheet: Which| {
            self.differences.iter().any(|difference| {
                (difference.ply, difference.sheet) == (ply, sheet)
                    && !matches!(difference.fault, Fault::Ambiguous | Fault::Added)
            })
        };
        ply < self.moves.len() && Which::BOTH.into_iter().all(lacks)
    }
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CompareError {
    #[error("the sheets are not from the same game: they start from different positions")]
    Starts,
    #[error("{0}")]
    Start(String),
    #[error("the sheets differ too much to be from the same game: {0}")]
    TooDifferent(&'static str),
}

const MAX_STEPS: usize = 50_000;
/// A path is pruned if it costs at least this much more than another path that has advanced at
/// least as far.
const SLACK: u32 = 6;

/// A node of the search: the index of the next entry on each sheet, the position on the board, and
/// the path that leads there.
struct State<P: Recorded> {
    at: [usize; 2],
    position: P,
    cost: u32,
    /// The previous state and the step from it.
    from: Option<(usize, Step<P::Move>)>,
}

#[derive(Clone)]
struct Step<M> {
    /// The move, or `None` if a surplus entry is skipped.
    m: Option<M>,
    /// For each sheet: true if the step consumes an entry, and the sheet's fault, if any.
    uses: [(bool, Option<Fault>); 2],
}

enum Reading<M> {
    End,
    Blank,
    Unreadable,
    Means(M),
    OneOf(Vec<M>),
}

pub fn compare<P: Recorded, A: Notate<P>, B: Notate<P>>(
    first: &Sheet<A>,
    second: &Sheet<B>,
) -> Result<Comparison<P::Move>, CompareError> {
    let start = |start: Result<P, P::Error>| start.map_err(|e| CompareError::Start(e.to_string()));
    let (position, other) = (start(first.start())?, start(second.start())?);
    if position != other {
        return Err(CompareError::Starts);
    }
    let read = |which: Which, at: usize, position: &P| match which {
        Which::First => reading(&first.notation, first.entries.get(at), position),
        Which::Second => reading(&second.notation, second.entries.get(at), position),
    };
    let ends = [first.entries.len(), second.entries.len()];
    let mut states = vec![State { at: [0, 0], position, cost: 0, from: None }];
    // A lower bound on the cost of the remaining entries.
    let ahead = |at: [usize; 2]| (ends[0] - at[0]).abs_diff(ends[1] - at[1]) as u32;
    let mut open = BinaryHeap::from([(Reverse(ahead([0, 0])), Reverse(0_usize))]);
    let mut best = HashMap::from([(([0, 0], states[0].position.key()), 0)]);
    let mut closed = HashSet::new();
    let mut goals: Vec<usize> = Vec::new();
    // Indexed by cost: the maximum number of entries consumed by any visited state of at most this
    // cost.
    let mut furthest: Vec<usize> = Vec::new();
    // Allow a fault for every second entry of the shorter sheet, all surplus entries of the longer
    // sheet, and three more faults. At a higher cost, the sheets do not count as the same game.
    let max_cost = (3 * ends[0].min(ends[1]) / 2) as u32 + ahead([0, 0]) + 9;
    while let Some((Reverse(bound), Reverse(index))) = open.pop() {
        if goals.first().is_some_and(|goal| states[*goal].cost < bound) {
            break;
        }
        let (at, key) = (states[index].at, states[index].position.key());
        if !closed.insert((at, key)) {
            continue;
        }
        if at == ends {
            goals.push(index);
            continue;
        }
        if bound > max_cost {
            return Err(CompareError::TooDifferent("they disagree in half of the moves"));
        }
        if closed.len() > MAX_STEPS {
            return Err(CompareError::TooDifferent("too many games match them equally badly"));
        }
        let (cost, behind) = (states[index].cost, at[0] + at[1]);
        // Extend the list to this cost. States are visited in order of their bounds, not their
        // costs.
        let previous = furthest.last().copied().unwrap_or(0);
        furthest.resize(furthest.len().max(cost as usize + 1), previous);
        if cost >= SLACK && furthest[(cost - SLACK) as usize] >= behind {
            continue;
        }
        furthest[cost as usize..].iter_mut().for_each(|far| *far = behind.max(*far));
        let position = states[index].position.clone();
        let readings = Which::BOTH.map(|which| read(which, at[which as usize], &position));
        for step in steps(&position, &readings) {
            let mut next = at;
            let mut cost = states[index].cost;
            for (i, (used, fault)) in step.uses.iter().enumerate() {
                next[i] += usize::from(*used);
                cost += fault.map_or(0, Fault::cost);
            }
            let position = step.m.map_or_else(|| position.clone(), |m| position.after(m));
            let lowest = best.entry((next, position.key())).or_insert(u32::MAX);
            if cost < *lowest {
                *lowest = cost;
                open.push((Reverse(cost + ahead(next)), Reverse(states.len())));
                states.push(State { at: next, position, cost, from: Some((index, step)) });
            }
        }
    }
    let Some(&goal) = goals.first() else {
        return Err(CompareError::TooDifferent("no game matches them"));
    };
    let mut best = comparison(&states, goal);
    best.alternative = goals.get(1).map(|&other| comparison(&states, other).moves);
    Ok(best)
}

fn reading<P: Recorded, N: Notate<P>>(
    notation: &N,
    entry: Option<&Entry>,
    position: &P,
) -> Reading<P::Move> {
    match entry {
        None => Reading::End,
        Some(entry) if entry.text.is_empty() => Reading::Blank,
        Some(entry) => match notation.read(position, &entry.text) {
            Ok(annotated) => Reading::Means(annotated.m),
            Err(unread) if unread.candidates.is_empty() => Reading::Unreadable,
            Err(unread) => Reading::OneOf(unread.candidates),
        },
    }
}

fn steps<P: Recorded>(position: &P, readings: &[Reading<P::Move>; 2]) -> Vec<Step<P::Move>> {
    let mut candidates: Vec<P::Move> = Vec::new();
    for reading in readings {
        match reading {
            Reading::Means(m) => candidates.push(*m),
            Reading::OneOf(moves) => candidates.extend(moves),
            Reading::End | Reading::Blank | Reading::Unreadable => {}
        }
    }
    let (mut steps, mut seen) = (Vec::new(), Vec::new());
    if let [Reading::Means(a), Reading::Means(b)] = readings
        && a == b
    {
        return vec![Step { m: Some(*a), uses: [(true, None); 2] }];
    }
    if candidates.is_empty() {
        candidates = position.moves();
    }
    for m in candidates {
        if seen.contains(&m) {
            continue;
        }
        seen.push(m);
        let ways = readings.each_ref().map(|reading| ways(reading, m));
        for a in &ways[0] {
            for b in &ways[1] {
                // Each step must consume an entry of at least one sheet.
                if a.0 || b.0 {
                    steps.push(Step { m: Some(m), uses: [*a, *b] });
                }
            }
        }
    }
    for (i, reading) in readings.iter().enumerate() {
        if !matches!(reading, Reading::End) {
            let mut uses = [(false, None); 2];
            uses[i] = (true, Some(Fault::Added));
            steps.push(Step { m: None, uses });
        }
    }
    steps
}

/// Returns the ways to explain a sheet's next entry if the move `m` was played. Each way consists
/// of a flag that is true if the entry is consumed, and the sheet's fault, if any.
fn ways<M: Copy + PartialEq>(reading: &Reading<M>, m: M) -> Vec<(bool, Option<Fault>)> {
    let fault = match reading {
        Reading::End => return vec![(false, Some(Fault::Ended))],
        Reading::Means(meant) if *meant == m => None,
        Reading::Means(_) => Some(Fault::Other),
        Reading::OneOf(moves) if moves.contains(&m) => Some(Fault::Ambiguous),
        Reading::OneOf(_) => Some(Fault::Other),
        Reading::Blank => Some(Fault::Blank),
        Reading::Unreadable => Some(Fault::Unreadable),
    };
    vec![(true, fault), (false, Some(Fault::LeftOut))]
}

fn comparison<P: Recorded>(states: &[State<P>], goal: usize) -> Comparison<P::Move> {
    let mut steps = Vec::new();
    let mut index = goal;
    while let Some((before, step)) = &states[index].from {
        steps.push((states[*before].at, step));
        index = *before;
    }
    steps.reverse();
    let mut comparison = Comparison {
        moves: Vec::new(),
        entries: [Vec::new(), Vec::new()],
        differences: Vec::new(),
        alternative: None,
    };
    for (at, step) in steps {
        let ply = comparison.moves.len();
        for sheet in Which::BOTH {
            let i = sheet as usize;
            let (used, fault) = step.uses[i];
            let entry = used.then_some(at[i]);
            if let Some(fault) = fault {
                comparison.differences.push(Difference { ply, sheet, fault, entry });
            }
            if step.m.is_some() {
                comparison.entries[i].push(entry);
            }
        }
        comparison.moves.extend(step.m);
    }
    comparison
}

/// Returns the number and side of the move that is `ply` plies after the move with the given number
/// and side.
pub(crate) fn place(number: u32, side: Side, ply: usize) -> (u32, Side) {
    let plies = ply + usize::from(side == Side::Black);
    let number = number.saturating_add(u32::try_from(plies / 2).unwrap_or(u32::MAX));
    (number, Side::from_white(plies.is_multiple_of(2)))
}
