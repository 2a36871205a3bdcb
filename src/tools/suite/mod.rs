//! Checks suites. A suite is a file of EPD records. Each record consists of a position and
//! operations that state conditions on the position:
//!
//! | operation | condition |
//! |---|---|
//! | `D4 197281` | the tree four plies deep has this many leaves |
//! | `bm Nf3 e4` | a search plays one of these moves |
//! | `am Qxb7` | a search plays none of these moves |
//! | `dm 3` | a search finds a forced win in three moves, and not sooner |
//! | `legal "e2e4 e1h1"` | these moves are legal |
//! | `illegal "e2e5"` | these moves are illegal |
//! | `moves "e1d1 e1f1"` | exactly these moves are legal |
//! | `state check` | the position is in this state |
//! | `after e1h1 "<EPD>"` | the move leads to this position |
//!
//! The first four operations are common in EPD. The others are specific to Adoube and test the
//! rules. An operation may occur more than once. `id` names the record. `acn 8000000` sets the
//! number of nodes for a hard puzzle; it applies if the user gives no limits. Each game has further
//! operations; see [`chess`] and [`draughts`]. Unknown operations are ignored.

pub mod chess;
pub(crate) mod draughts;
mod errors;
pub(crate) mod peer;

pub(crate) use errors::{
    Contradiction, LineProblem, OperandProblem, RecordProblem, SuiteRecordError,
};

use crate::arena::engine::failure::Failure;
use crate::base::game::{Game, MoveForm};
use crate::record::epd::{self, Operation};
use crate::search::driver::{Engine, Options, ResourceError, Root, Searchable};
use crate::search::limits::Limits;
use crate::search::stop::StopHandle;
use std::collections::BTreeMap;
use std::error::Error;
use std::str::FromStr;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

pub trait SuiteGame: Searchable {
    type Check: Clone + PartialEq + std::fmt::Debug + Send + Sync;
    /// The names of the possible states of a position.
    const STATES: &'static [&'static str];

    fn read(line: &str) -> Result<(Self, Vec<Operation>), RecordProblem>;

    /// Returns the FEN exactly as written in the line. It may contain information that a position
    /// does not store.
    fn fen_of(line: &str) -> String;

    /// Returns the position in canonical form. Equal positions have the same canonical form.
    fn text(&self) -> String;

    /// Returns the state of the position, one of [`Self::STATES`].
    fn state(&self) -> &'static str;

    /// Parses an operation that only this game has. Returns `Ok(None)` for other operations.
    fn check(
        &self,
        operation: &Operation,
    ) -> Result<Option<Self::Check>, OperandProblem<Self::MoveError>>;

    fn contradiction(&self, check: &Self::Check) -> Result<(), Contradiction<Self::MoveError>>;
}

/// Parses a legal move in engine protocol notation, which is used by all operations except `bm` and
/// `am`.
fn read_move<G: Game>(position: &G, text: &str) -> Result<G::Move, Contradiction<G::MoveError>> {
    position.read_move(text, MoveForm::Program).map_err(|error| {
        if G::is_malformed(&error) {
            Contradiction::NotAMove(text.to_owned())
        } else {
            Contradiction::Move(error)
        }
    })
}

#[derive(Clone, Debug)]
pub struct SuiteRecord<G: SuiteGame> {
    pub line: usize,
    pub id: String,
    pub position: G,
    /// The FEN exactly as written in the line.
    pub fen: String,
    checks: Vec<Check<G>>,
    puzzle: Puzzle<G::Move>,
    /// The number of nodes to search for the puzzle, from the operation `acn`.
    nodes: Option<u64>,
}

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

pub(crate) type ReadRecord<G> = Result<SuiteRecord<G>, SuiteRecordError<<G as Game>::MoveError>>;

pub fn read<G: SuiteGame>(text: &str) -> Vec<ReadRecord<G>> {
    epd::lines(text)
        .map(|(line, text)| {
            G::read(text)
                .map_err(LineProblem::from)
                .and_then(|(position, operations)| {
                    SuiteRecord::of(line, position, G::fen_of(text), &operations)
                })
                .map_err(|problem| SuiteRecordError { line, problem })
        })
        .collect()
}

impl<G: SuiteGame> SuiteRecord<G> {
    fn of(
        line: usize,
        position: G,
        fen: String,
        operations: &[Operation],
    ) -> Result<Self, LineProblem<G::MoveError>> {
        let (checks, puzzle) = (Vec::new(), Puzzle::default());
        let id = epd::id(operations);
        let mut record = Self { line, id, position, fen, checks, puzzle, nodes: None };
        for operation in operations {
            record.add(operation).map_err(|problem| LineProblem::Operation {
                operation: operation.clone(),
                problem,
            })?;
        }
        if record.is_empty() {
            return Err(LineProblem::Empty);
        }
        Ok(record)
    }

    /// Returns the record without its conditions on the rules.
    pub(crate) fn puzzle_only(self) -> Self {
        Self { checks: Vec::new(), ..self }
    }

    pub(crate) fn len(&self) -> usize {
        self.checks.len() + usize::from(self.is_puzzle())
    }

    /// Returns whether there is nothing to check. [`read`] rejects such records.
    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the expected perft counts. The keys are depths in plies.
    pub(crate) fn leaves(&self) -> BTreeMap<u32, u64> {
        let leaves = |check: &Check<G>| match *check {
            Check::Leaves { depth, nodes } => Some((depth, nodes)),
            _ => None,
        };
        self.checks.iter().filter_map(leaves).collect()
    }

    pub(crate) fn is_puzzle(&self) -> bool {
        self.puzzle != Puzzle::default()
    }

    fn add(&mut self, operation: &Operation) -> Result<(), OperandProblem<G::MoveError>> {
        let words: Vec<&str> = operation.words().collect();
        let moves = || {
            let read = |text| self.position.read_move(text, MoveForm::Record);
            // Some files separate moves by commas.
            let texts =
                words.iter().flat_map(|word| word.split(',')).filter(|text| !text.is_empty());
            some(texts.map(read).collect::<Result<_, _>>().map_err(OperandProblem::Move)?)
        };
        let texts = |check: fn(String) -> Check<G>| {
            some(words.iter().map(|&word| check(word.to_owned())).collect::<Vec<_>>())
        };
        match operation.opcode.as_str() {
            "bm" => self.puzzle.best = moves()?,
            "am" => self.puzzle.avoid = moves()?,
            "dm" => self.puzzle.mate = Some(number(&words)?),
            "acn" => self.nodes = Some(number(&words)?),
            "legal" => self.checks.extend(texts(Check::Legal)?),
            "illegal" => self.checks.extend(texts(Check::Illegal)?),
            "moves" => {
                self.checks.push(Check::Moves(words.iter().map(ToString::to_string).collect()));
            }
            "state" => match words[..] {
                [state] if G::STATES.contains(&state) => {
                    self.checks.push(Check::State(state.to_owned()));
                }
                _ => return Err(OperandProblem::State(G::STATES)),
            },
            "after" => match &operation.operands[..] {
                [m, epd] => {
                    let (m, epd) = (m.as_str().to_owned(), epd.as_str().to_owned());
                    self.checks.push(Check::After { m, epd });
                }
                _ => return Err(OperandProblem::Shape("a move and a quoted position")),
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

fn some<T, E: Error>(items: Vec<T>) -> Result<Vec<T>, OperandProblem<E>> {
    if items.is_empty() { Err(OperandProblem::NoMove) } else { Ok(items) }
}

fn number<T: FromStr, E: Error>(words: &[&str]) -> Result<T, OperandProblem<E>> {
    match words {
        [word] => word.parse().map_err(|_| OperandProblem::Number((*word).to_owned())),
        _ => Err(OperandProblem::NotOneNumber),
    }
}

impl<G: SuiteGame> Check<G> {
    fn contradiction(&self, position: &G) -> Result<(), Contradiction<G::MoveError>> {
        let read = |m: &str| read_move(position, m);
        match self {
            Self::Leaves { depth, nodes } => match position.perft(*depth) {
                found if found == *nodes => Ok(()),
                found => Err(Contradiction::Leaves { found, depth: *depth, expected: *nodes }),
            },
            Self::Legal(m) => read(m).map(drop),
            Self::Illegal(m) => match position.read_move(m, MoveForm::Program) {
                Ok(_) => Err(Contradiction::Legal(m.clone())),
                Err(error) if G::is_malformed(&error) => Err(Contradiction::NotAMove(m.clone())),
                Err(_) => Ok(()),
            },
            Self::Moves(moves) => {
                let named = moves.iter().map(|m| read(m)).collect::<Result<Vec<_>, _>>()?;
                let all = position.moves();
                match all.iter().find(|m| !named.contains(m)) {
                    Some(m) => Err(Contradiction::Unlisted(m.to_string())),
                    None if all.len() < named.len() => Err(Contradiction::Twice),
                    None => Ok(()),
                }
            }
            Self::State(state) => match position.state() {
                found if found == state => Ok(()),
                found => Err(Contradiction::State { found, expected: state.clone() }),
            },
            Self::After { m, epd } => {
                let found = position.after(read(m)?).text();
                let (expected, _) = G::read(epd)
                    .map_err(|problem| Contradiction::AfterUnreadable { m: m.clone(), problem })?;
                let expected = expected.text();
                if found == expected {
                    Ok(())
                } else {
                    Err(Contradiction::After { m: m.clone(), found, expected })
                }
            }
            Self::Own(check) => position.contradiction(check),
        }
    }
}

/// The result of solving a puzzle.
pub(crate) struct Solution<M> {
    /// The best move, or a message if there is none.
    pub best: Result<M, String>,
    /// The number of moves to mate, if the search has found a mate. It is negative if the side to
    /// move is mated.
    pub mate: Option<i32>,
    pub nodes: u64,
}

/// A program that solves puzzles.
pub(crate) trait Solver<G: SuiteGame> {
    fn solve(&mut self, record: &SuiteRecord<G>) -> Result<Solution<G::Move>, SuiteError>;

    /// Returns an error if the solver must not be used for more puzzles, because it has failed too
    /// often.
    fn can_continue(&self) -> Result<(), SuiteError> {
        Ok(())
    }
}

/// Our own search. The engine is created for the first puzzle.
struct OwnSolver<'a, G: SuiteGame> {
    settings: &'a SuiteSettings<G::Move>,
    engine: Option<Engine<G::Searcher>>,
}

impl<G: SuiteGame> Solver<G> for OwnSolver<'_, G> {
    fn solve(&mut self, record: &SuiteRecord<G>) -> Result<Solution<G::Move>, SuiteError> {
        let settings = self.settings;
        let engine = match &mut self.engine {
            Some(engine) => engine,
            none => none.insert(Engine::new(settings.engine.clone())?),
        };
        let mut limits = settings.limits.clone();
        if settings.respect_acn {
            limits.nodes = limits.nodes.max(record.nodes);
        }
        engine.clear();
        limits.mate = record.puzzle.mate.or(limits.mate);
        let root = Root::new(record.position.clone());
        let outcome = engine.search(&root, &limits, &StopHandle::new(), None);
        Ok(Solution {
            best: outcome.best.ok_or_else(|| Contradiction::<G::MoveError>::NoMove.to_string()),
            mate: outcome.info.and_then(|info| info.score.mate_in()),
            nodes: outcome.nodes,
        })
    }
}

impl<M: Copy + Eq> Puzzle<M> {
    /// Returns the contradiction between a solution and the puzzle, if there is one.
    fn contradiction<G: SuiteGame<Move = M>>(
        &self,
        position: &G,
        best: M,
        mate: Option<i32>,
    ) -> Option<Contradiction<G::MoveError>> {
        let text = |m| position.write_move(m, MoveForm::Record);
        let texts = |moves: &[M]| {
            let moves: Vec<_> = moves.iter().map(|&m| text(m)).collect();
            moves.join(" or ")
        };
        let played = text(best);
        if !self.best.is_empty() && !self.best.contains(&best) {
            Some(Contradiction::NotBest { played, expected: texts(&self.best) })
        } else if self.avoid.contains(&best) {
            Some(Contradiction::Avoidable(played))
        } else {
            let missed = self.mate.filter(|&moves| mate != i32::try_from(moves).ok());
            missed.map(|expected| Contradiction::Mate { found: mate, expected })
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SuiteVerdict {
    /// A message for each failed check. Empty if the record passed.
    pub failures: Vec<String>,
    pub nodes: u64,
    pub elapsed: Duration,
}

#[derive(Clone, Debug)]
pub struct SuiteSettings<M> {
    pub jobs: usize,
    pub engine: Options,
    pub limits: Limits<M>,
    /// True if a record may use `acn` to request more nodes than `limits` allow.
    pub respect_acn: bool,
}

#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    #[error(transparent)]
    Engine(#[from] ResourceError),
    /// Another engine did not start.
    #[error("the engine did not start: {0}")]
    Start(Failure),
    /// Another engine failed on this many consecutive records.
    #[error("the engine failed on {0} consecutive records")]
    Failures(u32),
    /// The check was aborted while another engine was solving a puzzle.
    #[error("aborted")]
    Aborted,
    #[error("cannot start the worker threads: {0}")]
    Jobs(#[from] rayon::ThreadPoolBuildError),
}

/// Checks records in parallel, until all are checked or `stop` is set. Calls `done` after each
/// record. Returns the verdicts in the order of the records, with `None` for records that were not
/// checked.
pub fn run<G: SuiteGame>(
    records: &[&SuiteRecord<G>],
    settings: &SuiteSettings<G::Move>,
    stop: &AtomicBool,
    done: &(dyn Fn(&SuiteRecord<G>, &SuiteVerdict) + Sync),
) -> Result<Vec<Option<SuiteVerdict>>, SuiteError> {
    let solver = || OwnSolver { settings, engine: None };
    let (verdicts, end) = run_with(records, settings.jobs, stop, done, &solver);
    end.map(|()| verdicts)
}

/// Checks records like [`run`]. Each job solves its puzzles with a solver created by `prepare`. An
/// error ends the check early; the verdicts before the error are returned with it.
pub(crate) fn run_with<G: SuiteGame, S: Solver<G>>(
    records: &[&SuiteRecord<G>],
    jobs: usize,
    stop: &AtomicBool,
    done: &(dyn Fn(&SuiteRecord<G>, &SuiteVerdict) + Sync),
    prepare: &(dyn Fn() -> S + Sync),
) -> (Vec<Option<SuiteVerdict>>, Result<(), SuiteError>) {
    let verdicts = Mutex::new(vec![None; records.len()]);
    let end = run_jobs(records, jobs, stop, done, prepare, &verdicts);
    (verdicts.into_inner().unwrap_or_else(PoisonError::into_inner), end)
}

/// Like [`run_with`], but stores the verdicts in `verdicts`.
fn run_jobs<G: SuiteGame, S: Solver<G>>(
    records: &[&SuiteRecord<G>],
    jobs: usize,
    stop: &AtomicBool,
    done: &(dyn Fn(&SuiteRecord<G>, &SuiteVerdict) + Sync),
    prepare: &(dyn Fn() -> S + Sync),
    verdicts: &Mutex<Vec<Option<SuiteVerdict>>>,
) -> Result<(), SuiteError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs.max(1)).build()?;
    let next = AtomicUsize::new(0);
    // After an error, no more records are checked.
    let end = |_: &SuiteError| next.store(records.len(), Relaxed);
    let ends: Vec<Result<(), SuiteError>> = pool.broadcast(|_| {
        let mut solver = prepare();
        while !stop.load(Relaxed) {
            let index = next.fetch_add(1, Relaxed);
            let Some(&record) = records.get(index) else { break };
            let verdict = match check(record, &mut solver) {
                // A stop also interrupts the other engine.
                Err(_) if stop.load(Relaxed) => break,
                verdict => verdict.inspect_err(end)?,
            };
            done(record, &verdict);
            verdicts.lock().unwrap_or_else(PoisonError::into_inner)[index] = Some(verdict);
            solver.can_continue().inspect_err(end)?;
        }
        Ok(())
    });
    ends.into_iter().collect()
}

/// Checks one record.
fn check<G: SuiteGame>(
    record: &SuiteRecord<G>,
    solver: &mut impl Solver<G>,
) -> Result<SuiteVerdict, SuiteError> {
    let start = Instant::now();
    let mut verdict = SuiteVerdict::default();
    let contradictions = record.checks.iter().map(|check| check.contradiction(&record.position));
    verdict.failures.extend(contradictions.filter_map(Result::err).map(|error| error.to_string()));
    if record.is_puzzle() {
        let Solution { best, mate, nodes } = solver.solve(record)?;
        let failure = match best {
            Ok(best) => {
                let contradiction = record.puzzle.contradiction(&record.position, best, mate);
                contradiction.map(|error| error.to_string())
            }
            Err(message) => Some(message),
        };
        verdict.failures.extend(failure);
        verdict.nodes = nodes;
    }
    verdict.elapsed = start.elapsed();
    Ok(verdict)
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn failures<G: SuiteGame>(line: &str) -> Vec<String> {
        let records = read::<G>(line);
        let record = records[0].as_ref().unwrap_or_else(|e| panic!("{line}: {e}"));
        let settings = SuiteSettings {
            jobs: 1,
            engine: Options { hash_mb: 1, ..Options::default() },
            limits: Limits { nodes: Some(20_000), ..Limits::default() },
            respect_acn: true,
        };
        let verdicts = run(&[record], &settings, &AtomicBool::new(false), &|_, _| {});
        verdicts.expect("the engine starts")[0].clone().expect("checked").failures
    }
}
