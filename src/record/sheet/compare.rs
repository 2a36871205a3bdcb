//! Two players' sheets of one game laid side by side (8.5; Par. 23; Art. 23.2): where they differ, who
//! left out a move, and what the game was.
//!
//! The game is the sequence of legal moves that both sheets fit best. At least one sheet must have
//! each move, if only as one of several that a text can mean; if neither has it, every legal move
//! is tried. Each deviation of a sheet has a cost: 3 for a move left out, added, wrong or
//! unreadable; 1 for a blank, an ambiguous text, or a move after the end of the sheet (8.4). The
//! cheapest sequence is found by A* (Hart, Nilsson, Raphael, 1968): each entry that one sheet still
//! has beyond those of the other will cost at least 1. A path is dropped if another is as far along
//! and costs 6 less, that is two faults, so the work grows with the number of faults, not of their
//! combinations.

use super::{Entry, Notate, Sheet};
use crate::base::side::Side;
use crate::record::games::Recorded;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::fmt;

/// Which of the two sheets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Which {
    /// The first.
    First,
    /// The second.
    Second,
}

impl Which {
    /// Both.
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

/// How a sheet deviates from a move of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// It is not there, though later ones are.
    LeftOut,
    /// The sheet has ended.
    Ended,
    /// The sheet has a blank in its place.
    Blank,
    /// The text can mean several moves.
    Ambiguous,
    /// The text means no legal move.
    Unreadable,
    /// The text means another legal move.
    Other,
    /// The entry belongs to no move of the game: it was added.
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

/// A place in which a sheet differs from the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The number of moves of the game before it.
    pub ply: usize,
    /// Which sheet.
    pub sheet: Which,
    /// How.
    pub fault: Fault,
    /// The sheet's entry, counted from 0, if it has one.
    pub entry: Option<usize>,
}

/// The game that two sheets record, and where they deviate from it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comparison<M> {
    /// The game's moves.
    pub moves: Vec<M>,
    /// For each sheet the entry of each move, if it has one.
    pub entries: [Vec<Option<usize>>; 2],
    /// Where the sheets differ from the game, in order.
    pub differences: Vec<Difference>,
    /// Whether no other game fits the sheets as well.
    pub certain: bool,
}

/// Why two sheets cannot be compared.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CompareError {
    /// The sheets start from different positions.
    #[error("the sheets are not of one game: they start from different positions")]
    Starts,
    /// A head `FEN` that is not a position.
    #[error("{0}")]
    Start(String),
    /// Too much of them differs.
    #[error("the sheets differ too much to be of one game: {0}")]
    TooDifferent(&'static str),
}

/// The maximum number of positions expanded by the search.
const MAX_STEPS: usize = 50_000;
/// A path that costs this much more than one that is as far along is dropped.
const SLACK: u32 = 6;

/// A path to a place in both sheets.
struct State<P: Recorded> {
    at: [usize; 2],
    position: P,
    cost: u32,
    /// The state before, and what was done there.
    from: Option<(usize, Step<P::Move>)>,
}

/// What is done between two states.
#[derive(Clone)]
struct Step<M> {
    /// `None` if an entry is passed over as added.
    m: Option<M>,
    /// For each sheet, whether an entry is used, and what is wrong with it.
    uses: [(bool, Option<Fault>); 2],
}

/// What an entry can mean in a position.
enum Reading<M> {
    End,
    Blank,
    Unreadable,
    Means(M),
    OneOf(Vec<M>),
}

/// Lays two sheets side by side.
///
/// # Errors
/// [`CompareError`].
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
    // The least that the rest can cost.
    let ahead = |at: [usize; 2]| (ends[0] - at[0]).abs_diff(ends[1] - at[1]) as u32;
    let mut open = BinaryHeap::from([(Reverse(ahead([0, 0])), Reverse(0_usize))]);
    let mut best = HashMap::from([(([0, 0], states[0].position.key()), 0)]);
    let mut closed = HashSet::new();
    let mut goals: Vec<usize> = Vec::new();
    // For each cost, the most entries passed by any state that costs no more.
    let mut furthest: Vec<usize> = Vec::new();
    // Sheets of one game agree in more than half of what both have, but for a few moves.
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
            return Err(CompareError::TooDifferent("half of the moves that both have disagree"));
        }
        if closed.len() > MAX_STEPS {
            return Err(CompareError::TooDifferent("too many games fit them equally badly"));
        }
        let (cost, behind) = (states[index].cost, at[0] + at[1]);
        // Costs do not quite grow in the order of bounds.
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
            let least = best.entry((next, position.key())).or_insert(u32::MAX);
            if cost < *least {
                *least = cost;
                open.push((Reverse(cost + ahead(next)), Reverse(states.len())));
                states.push(State { at: next, position, cost, from: Some((index, step)) });
            }
        }
    }
    let Some(&goal) = goals.first() else {
        return Err(CompareError::TooDifferent("no game fits them"));
    };
    Ok(comparison(&states, goal, goals.len() == 1))
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
            Ok(noted) => Reading::Means(noted.m),
            Err(unread) if unread.meant.is_empty() => Reading::Unreadable,
            Err(unread) => Reading::OneOf(unread.meant),
        },
    }
}

/// The steps that are possible in a position.
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
                // A move that neither sheet has is tried only with something in its place.
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

/// How an entry can stand to the move `m`.
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

/// Traces a goal state back to the game and the sheets' differences from it.
fn comparison<P: Recorded>(states: &[State<P>], goal: usize, certain: bool) -> Comparison<P::Move> {
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
        certain,
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

/// The number and side of a move, `ply` plies after a start with this number and side.
pub fn place(number: u32, side: Side, ply: usize) -> (u32, Side) {
    let plies = ply + usize::from(side == Side::Black);
    let number = number.saturating_add(u32::try_from(plies / 2).unwrap_or(u32::MAX));
    (number, Side::from_white(plies.is_multiple_of(2)))
}
