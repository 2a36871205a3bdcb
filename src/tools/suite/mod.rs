//! Checks suites: files of EPD records that say what must be true of positions.
//!
//! | operation | what must be true |
//! |---|---|
//! | `D4 197281` | the tree four plies deep has that many leaves |
//! | `bm Nf3 e4` | a search plays one of these moves |
//! | `am Qxb7` | a search plays none of these moves |
//! | `dm 3` | a search finds a forced win in three moves, and no sooner |
//! | `legal "e2e4 e1h1"` | these moves are legal |
//! | `illegal "e2e5"` | these are not |
//! | `moves "e1d1 e1f1"` | these moves are legal, and no other |
//! | `state check` | the position is in that state |
//! | `after e1h1 "<EPD>"` | the move leads to that position |
//!
//! The first four are customary in EPD; the others are ours, for the rules. An operation may occur more
//! than once. `id` names the record. Each game has operations of its own: see [`chess`] and
//! [`draughts`]. Any other operation is ignored.

pub mod chess;
pub mod draughts;

use crate::base::game::{Game, MoveForm};
use crate::record::epd::{self, Operation};
use crate::search::driver::{Engine, Options, ResourceError, Root, Searchable};
use crate::search::limits::Limits;
use crate::search::stop::StopHandle;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// A game that suites can check.
pub trait SuiteGame: Searchable {
    /// A check that only this game has.
    type Check: Clone + PartialEq + std::fmt::Debug + Send + Sync;
    /// The states of a position, by name.
    const STATES: &'static [&'static str];

    /// Reads a line: the position and its operations.
    fn read(line: &str) -> Result<(Self, Vec<Operation>), String>;

    /// The position of a line as a FEN, in the words of the line: they can say more than a position
    /// keeps.
    fn fen_of(line: &str) -> String;

    /// The position as a text, equal for equal positions.
    fn text(&self) -> String;

    /// The state of the position, one of [`Self::STATES`].
    fn state(&self) -> &'static str;

    /// Reads an operation that only this game has; `Ok(None)` if it is not one.
    ///
    /// # Errors
    /// What is wrong with the operation.
    fn check(&self, operation: &Operation) -> Result<Option<Self::Check>, String>;

    /// Makes a check.
    ///
    /// # Errors
    /// How the position contradicts it.
    fn contradiction(&self, check: &Self::Check) -> Result<(), String>;
}

/// Reads a legal move as programs write it, for all operations but `bm` and `am`.
///
/// # Errors
/// Why it is rejected, in words.
fn read_move<G: Game>(position: &G, text: &str) -> Result<G::Move, String> {
    position
        .read_move(text, MoveForm::Program)
        .map_err(|error| if G::is_malformed(&error) { not_a_move(text) } else { error.to_string() })
}

fn not_a_move(text: &str) -> String {
    format!("{text} is not the text of a move")
}

/// A position and what must be true of it.
#[derive(Clone, Debug)]
pub struct SuiteRecord<G: SuiteGame> {
    /// The line of its file, from 1.
    pub line: usize,
    /// Its `id`.
    pub id: String,
    /// The position.
    pub position: G,
    /// The position as its line has it, as a FEN.
    pub fen: String,
    checks: Vec<Check<G>>,
    puzzle: Puzzle<G::Move>,
}

/// A check that needs no search.
#[derive(Clone, Debug)]
enum Check<G: SuiteGame> {
    Leaves { depth: u32, nodes: u64 },
    Legal(String),
    Illegal(String),
    Moves(Vec<String>),
    State(String),
    After { m: String, epd: String },
    Own(G::Check),
}

/// What a search must find.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Puzzle<M> {
    best: Vec<M>,
    avoid: Vec<M>,
    mate: Option<u32>,
}

impl<M> Default for Puzzle<M> {
    fn default() -> Self {
        Self { best: Vec::new(), avoid: Vec::new(), mate: None }
    }
}

/// A line of a suite that cannot be checked.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct SuiteRecordError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub why: String,
}

/// Reads a suite from its text.
pub fn read<G: SuiteGame>(text: &str) -> Vec<Result<SuiteRecord<G>, SuiteRecordError>> {
    epd::lines(text)
        .map(|(line, text)| {
            G::read(text)
                .and_then(|(position, operations)| {
                    SuiteRecord::of(line, position, G::fen_of(text), &operations)
                })
                .map_err(|why| SuiteRecordError { line, why })
        })
        .collect()
}

impl<G: SuiteGame> SuiteRecord<G> {
    fn of(line: usize, position: G, fen: String, operations: &[Operation]) -> Result<Self, String> {
        let (checks, puzzle) = (Vec::new(), Puzzle::default());
        let mut record = Self { line, id: epd::id(operations), position, fen, checks, puzzle };
        for operation in operations {
            record.take(operation).map_err(|why| format!("in '{operation}': {why}"))?;
        }
        if record.is_empty() {
            return Err("there is nothing to check: no D1, bm, am, dm, legal, ...".to_owned());
        }
        Ok(record)
    }

    /// The number of checks.
    pub fn len(&self) -> usize {
        self.checks.len() + usize::from(self.is_puzzle())
    }

    /// Whether there is nothing to check; false for every record read from a file.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Its perft counts, by depth: each depth in plies with the leaves that there must be.
    pub fn leaves(&self) -> BTreeMap<u32, u64> {
        let leaves = |check: &Check<G>| match *check {
            Check::Leaves { depth, nodes } => Some((depth, nodes)),
            _ => None,
        };
        self.checks.iter().filter_map(leaves).collect()
    }

    /// Whether it needs a search.
    pub fn is_puzzle(&self) -> bool {
        self.puzzle != Puzzle::default()
    }

    fn take(&mut self, operation: &Operation) -> Result<(), String> {
        let words: Vec<&str> = operation.words().collect();
        let moves = || {
            let read = |&text| self.position.read_move(text, MoveForm::Record);
            some(words.iter().map(read).collect::<Result<_, _>>().map_err(|e| e.to_string())?)
        };
        let texts = |check: fn(String) -> Check<G>| {
            some(words.iter().map(|&word| check(word.to_owned())).collect::<Vec<_>>())
        };
        match operation.opcode.as_str() {
            "bm" => self.puzzle.best = moves()?,
            "am" => self.puzzle.avoid = moves()?,
            "dm" => self.puzzle.mate = Some(number(&words)?),
            "legal" => self.checks.extend(texts(Check::Legal)?),
            "illegal" => self.checks.extend(texts(Check::Illegal)?),
            "moves" => {
                self.checks.push(Check::Moves(words.iter().map(ToString::to_string).collect()));
            }
            "state" => match words[..] {
                [state] if G::STATES.contains(&state) => {
                    self.checks.push(Check::State(state.to_owned()));
                }
                _ => return Err(format!("not one of: {}", G::STATES.join(", "))),
            },
            "after" => match &operation.operands[..] {
                [m, epd] => {
                    let (m, epd) = (m.as_str().to_owned(), epd.as_str().to_owned());
                    self.checks.push(Check::After { m, epd });
                }
                _ => return Err("not a move and a quoted position".to_owned()),
            },
            opcode => {
                let depth = opcode.strip_prefix('D').and_then(|depth| depth.parse().ok());
                if let Some(depth) = depth {
                    self.checks.push(Check::Leaves { depth, nodes: number(&words)? });
                } else {
                    self.checks.extend(self.position.check(operation)?.map(Check::Own));
                }
            }
        }
        Ok(())
    }
}

fn some<T>(items: Vec<T>) -> Result<Vec<T>, String> {
    if items.is_empty() { Err("no move is given".to_owned()) } else { Ok(items) }
}

fn number<T: std::str::FromStr>(words: &[&str]) -> Result<T, String> {
    match words {
        [word] => word.parse().map_err(|_| format!("'{word}' is not such a number")),
        _ => Err("exactly one number must stand here".to_owned()),
    }
}

impl<G: SuiteGame> Check<G> {
    /// Makes the check.
    ///
    /// # Errors
    /// How the position contradicts it.
    fn contradiction(&self, position: &G) -> Result<(), String> {
        let read = |m: &str| read_move(position, m);
        match self {
            Self::Leaves { depth, nodes } => match position.perft(*depth) {
                found if found == *nodes => Ok(()),
                found => Err(format!("{found} leaves {depth} plies deep, not {nodes}")),
            },
            Self::Legal(m) => read(m).map(drop),
            Self::Illegal(m) => match position.read_move(m, MoveForm::Program) {
                Ok(_) => Err(format!("{m} is legal and should not be")),
                Err(error) if G::is_malformed(&error) => Err(not_a_move(m)),
                Err(_) => Ok(()),
            },
            Self::Moves(moves) => {
                let named = moves.iter().map(|m| read(m)).collect::<Result<Vec<_>, _>>()?;
                let all = position.moves();
                match all.iter().find(|m| !named.contains(m)) {
                    Some(m) => Err(format!("{m} is legal too")),
                    None if all.len() < named.len() => Err("a move is named twice".to_owned()),
                    None => Ok(()),
                }
            }
            Self::State(state) => match position.state() {
                found if found == state => Ok(()),
                found => Err(format!("the state is {found}, not {state}")),
            },
            Self::After { m, epd } => {
                let next = position.after(read(m)?).text();
                let (wanted, _) = G::read(epd).map_err(|error| format!("after {m}: {error}"))?;
                let wanted = wanted.text();
                if next == wanted {
                    Ok(())
                } else {
                    Err(format!("after {m} the position is {next}, not {wanted}"))
                }
            }
            Self::Own(check) => position.contradiction(check),
        }
    }
}

impl<M: Copy + Eq> Puzzle<M> {
    /// Whether a search solves the puzzle or, as an error, how its result contradicts it; and the nodes
    /// searched.
    fn solve<G: SuiteGame<Move = M>>(
        &self,
        position: &G,
        engine: &mut Engine<G::Searcher>,
        limits: &Limits<M>,
    ) -> (Result<(), String>, u64) {
        engine.clear();
        let limits = Limits { mate: self.mate.or(limits.mate), ..limits.clone() };
        let outcome =
            engine.search(&Root::new(position.clone()), &limits, &StopHandle::new(), None);
        let Some(best) = outcome.best else {
            return (Err("there is no move to find".to_owned()), outcome.nodes);
        };
        let text = |m| position.write_move(m, MoveForm::Record);
        let texts = |moves: &[M]| {
            let moves: Vec<_> = moves.iter().map(|&m| text(m)).collect();
            moves.join(" or ")
        };
        let played = text(best);
        let mate = outcome.info.as_ref().and_then(|info| info.score.mate_in());
        let result = if !self.best.is_empty() && !self.best.contains(&best) {
            Err(format!("played {played}, not {}", texts(&self.best)))
        } else if self.avoid.contains(&best) {
            Err(format!("played {played}, which should be avoided"))
        } else if self.mate.is_some_and(|n| mate != i32::try_from(n).ok()) {
            let found = mate.map_or("no mate".to_owned(), |n| format!("mate in {n}"));
            Err(format!("found {found}, not in {}", self.mate.unwrap_or_default()))
        } else {
            Ok(())
        };
        (result, outcome.nodes)
    }
}

/// The result of checking a record.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SuiteVerdict {
    /// How the position or the search contradicts the record; empty if it passed.
    pub failures: Vec<String>,
    /// Nodes searched.
    pub nodes: u64,
    /// The time it took.
    pub elapsed: Duration,
}

/// How suites are run.
#[derive(Clone, Debug)]
pub struct Settings<M> {
    /// The number of records checked at the same time, at least 1.
    pub jobs: usize,
    /// The options of each job's engine.
    pub engine: Options,
    /// The limits of each search.
    pub limits: Limits<M>,
}

/// Why a run could not begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    /// There is no memory or no thread for an engine.
    #[error("{0}")]
    Engine(#[from] ResourceError),
    /// The jobs could not be started.
    #[error("the jobs could not be started: {0}")]
    Jobs(#[from] rayon::ThreadPoolBuildError),
}

/// Checks records, several at a time, until done or until `stop` is set. The verdicts are in the order
/// of the records, `None` for those not checked because of a stop. `done` is called after each record.
///
/// # Errors
/// If a job or its engine cannot be started.
pub fn run<G: SuiteGame>(
    records: &[&SuiteRecord<G>],
    settings: &Settings<G::Move>,
    stop: &AtomicBool,
    done: &(dyn Fn(&SuiteRecord<G>, &SuiteVerdict) + Sync),
) -> Result<Vec<Option<SuiteVerdict>>, SuiteError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(settings.jobs.max(1)).build()?;
    let next = AtomicUsize::new(0);
    let verdicts = Mutex::new(vec![None; records.len()]);
    let ends: Vec<Result<(), ResourceError>> = pool.broadcast(|_| {
        let mut engine = None;
        while !stop.load(Relaxed) {
            let index = next.fetch_add(1, Relaxed);
            let Some(&record) = records.get(index) else { break };
            let verdict = check(record, settings, &mut engine)?;
            done(record, &verdict);
            verdicts.lock().unwrap_or_else(PoisonError::into_inner)[index] = Some(verdict);
        }
        Ok(())
    });
    ends.into_iter().collect::<Result<Vec<()>, _>>()?;
    Ok(verdicts.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Checks one record. The engine is made when a puzzle first asks for it.
fn check<G: SuiteGame>(
    record: &SuiteRecord<G>,
    settings: &Settings<G::Move>,
    engine: &mut Option<Engine<G::Searcher>>,
) -> Result<SuiteVerdict, ResourceError> {
    let start = Instant::now();
    let mut verdict = SuiteVerdict::default();
    let contradictions = record.checks.iter().map(|check| check.contradiction(&record.position));
    verdict.failures.extend(contradictions.filter_map(Result::err));
    if record.is_puzzle() {
        let engine = match engine {
            Some(engine) => engine,
            None => engine.insert(Engine::new(settings.engine.clone())?),
        };
        let (result, nodes) = record.puzzle.solve(&record.position, engine, &settings.limits);
        verdict.failures.extend(result.err());
        verdict.nodes = nodes;
    }
    verdict.elapsed = start.elapsed();
    Ok(verdict)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How a record fails, checked by a short search.
    pub(super) fn failures<G: SuiteGame>(line: &str) -> Vec<String> {
        let records = read::<G>(line);
        let record = records[0].as_ref().unwrap_or_else(|e| panic!("{line}: {e}"));
        let settings = Settings {
            jobs: 1,
            engine: Options { hash_mb: 1, ..Options::default() },
            limits: Limits { nodes: Some(20_000), ..Limits::default() },
        };
        let verdicts = run(&[record], &settings, &AtomicBool::new(false), &|_, _| {});
        verdicts.expect("the engine starts")[0].clone().expect("checked").failures
    }
}
