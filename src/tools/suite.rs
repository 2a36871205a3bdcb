//! Suites: files of EPD records that say what must be true of a position, and their checking.
//!
//! | operation | what must be true |
//! |---|---|
//! | `D4 197281` | the tree four plies deep has that many leaves |
//! | `bm Nf3 e4` | a search plays one of these moves (SAN) |
//! | `am Qxb7` | a search plays none of these moves (SAN) |
//! | `dm 3` | a search finds mate in three moves, and no sooner |
//! | `legal "e2e4 e1h1"` | these moves are legal (UCI; castling in either form) |
//! | `illegal "e2e5"` | these are not |
//! | `state check` | the state is `checkmate`, `stalemate`, `check` or `quiet` |
//! | `after e1h1 "<EPD>"` | the move leads to that position (first four fields) |
//! | `start 518` | it is that Chess960 start |
//! | `names e5f7 "discovered check" "pin"` | the move has these names, and no other (C-10) |
//!
//! The first four are the custom of EPD; the others are ours, for the rules. An operation may
//! stand more than once. `id` names the record; other operations are left alone.

use crate::base::epd::Operation;
use crate::chess::epd::{self, Epd};
use crate::chess::{Move, Position, naming};
use crate::search::chess::{ChessEngine, Root};
use crate::search::control::Control;
use crate::search::driver::{Options, ResourceError};
use crate::search::limits::Limits;
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// A position and what must be true of it.
#[derive(Clone, Debug)]
pub struct Record {
    /// The line of its file, from 1.
    pub line: usize,
    /// Its `id`.
    pub id: String,
    /// The position.
    pub position: Position,
    checks: Vec<Check>,
    puzzle: Puzzle,
}

/// What the rules answer at once.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Check {
    Leaves { depth: u32, nodes: u64 },
    Legal(String),
    Illegal(String),
    State(State),
    After { m: String, epd: String },
    Start(u16),
    Names { m: String, names: BTreeSet<String> },
}

/// What one search must find.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Puzzle {
    best: Vec<Move>,
    avoid: Vec<Move>,
    mate: Option<u32>,
}

/// The states of a position that end a game or warn of it (C-08).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Checkmate,
    Stalemate,
    Check,
    Quiet,
}

impl State {
    const ALL: [(&str, Self); 4] = [
        ("checkmate", Self::Checkmate),
        ("stalemate", Self::Stalemate),
        ("check", Self::Check),
        ("quiet", Self::Quiet),
    ];

    fn of(position: &Position) -> Self {
        match (position.in_check(), position.has_moves()) {
            (true, false) => Self::Checkmate,
            (false, false) => Self::Stalemate,
            (true, true) => Self::Check,
            (false, true) => Self::Quiet,
        }
    }
}

/// A line of a suite that cannot be checked.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct RecordError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub why: String,
}

/// Reads a suite from its text.
pub fn read(text: &str) -> Vec<Result<Record, RecordError>> {
    epd::records(text)
        .map(|(line, record)| {
            record
                .map_err(|error| error.to_string())
                .and_then(|epd| Record::of(line, &epd))
                .map_err(|why| RecordError { line, why })
        })
        .collect()
}

impl Record {
    fn of(line: usize, epd: &Epd) -> Result<Self, String> {
        let position = epd.position.clone();
        let mut record =
            Self { line, id: epd.id(), position, checks: Vec::new(), puzzle: Puzzle::default() };
        for operation in &epd.operations {
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

    /// Whether there is nothing to check, which no record read from a file says.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether it needs a search.
    pub fn is_puzzle(&self) -> bool {
        self.puzzle != Puzzle::default()
    }

    fn take(&mut self, operation: &Operation) -> Result<(), String> {
        let words: Vec<&str> = operation.words().collect();
        let moves = || {
            let parse = |text| self.position.parse_san_lenient(text).map_err(|e| e.to_string());
            some(words.iter().map(|text| parse(text)).collect::<Result<Vec<_>, _>>()?)
        };
        let texts = |check: fn(String) -> Check| {
            some(words.iter().map(|&word| check(word.to_owned())).collect::<Vec<_>>())
        };
        match operation.opcode.as_str() {
            "bm" => self.puzzle.best = moves()?,
            "am" => self.puzzle.avoid = moves()?,
            "dm" => self.puzzle.mate = Some(number(&words)?),
            "legal" => self.checks.extend(texts(Check::Legal)?),
            "illegal" => self.checks.extend(texts(Check::Illegal)?),
            "start" => self.checks.push(Check::Start(number(&words)?)),
            "state" => {
                let state = State::ALL.into_iter().find(|(name, _)| words[..] == [*name]);
                let (_, state) = state.ok_or("not checkmate, stalemate, check or quiet")?;
                self.checks.push(Check::State(state));
            }
            "after" => match &operation.operands[..] {
                [m, epd] => {
                    let (m, epd) = (m.as_str().to_owned(), epd.as_str().to_owned());
                    self.checks.push(Check::After { m, epd });
                }
                _ => return Err("not a move and a quoted position".to_owned()),
            },
            "names" => match &operation.operands[..] {
                [m, names @ ..] => {
                    let m = m.as_str().to_owned();
                    let names = names.iter().map(|name| name.as_str().to_owned()).collect();
                    self.checks.push(Check::Names { m, names });
                }
                [] => return Err("not a move and its quoted names".to_owned()),
            },
            opcode => {
                let depth = opcode.strip_prefix('D').and_then(|depth| depth.parse().ok());
                if let Some(depth) = depth {
                    self.checks.push(Check::Leaves { depth, nodes: number(&words)? });
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

impl Check {
    /// Nothing, or how the position contradicts the check.
    fn contradiction(&self, position: &Position) -> Result<(), String> {
        match self {
            Self::Leaves { depth, nodes } => {
                expect(&format!("leaves {depth} plies deep"), position.perft(*depth), *nodes)
            }
            Self::Legal(m) => parse(position, m).map(drop),
            Self::Illegal(m) => match position.parse_uci(m) {
                Ok(_) => Err(format!("{m} is legal and should not be")),
                Err(crate::chess::uci::UciMoveError::Malformed(_)) => {
                    Err(format!("{m} is not the text of a move"))
                }
                Err(_) => Ok(()),
            },
            Self::State(state) => match State::of(position) {
                found if found == *state => Ok(()),
                found => Err(format!("the state is {found:?}, not {state:?}")),
            },
            Self::After { m, epd } => {
                let next = position.play(parse(position, m)?);
                let wanted: Epd = epd.parse().map_err(|e| format!("after {m}: {e}"))?;
                let style = crate::chess::fen::Style::Shredder;
                let (next, wanted) = (next.epd_in(style), wanted.position.epd_in(style));
                if next == wanted {
                    Ok(())
                } else {
                    Err(format!("after {m} the position is {next}, not {wanted}"))
                }
            }
            Self::Start(number) => match Position::chess960(*number) {
                Some(start) if start == *position => Ok(()),
                Some(start) => Err(format!("Chess960 start {number} is {}", start.fen())),
                None => Err(format!("there is no Chess960 start {number}")),
            },
            Self::Names { m, names } => {
                let found = naming::names(position, parse(position, m)?);
                let found: BTreeSet<_> = found.iter().map(ToString::to_string).collect();
                if found == *names {
                    Ok(())
                } else {
                    Err(format!("{m} is named {found:?}, not {names:?}"))
                }
            }
        }
    }
}

fn parse(position: &Position, m: &str) -> Result<Move, String> {
    position.parse_uci(m).map_err(|error| error.to_string())
}

fn expect(what: &str, found: u64, wanted: u64) -> Result<(), String> {
    if found == wanted { Ok(()) } else { Err(format!("{found} {what}, not {wanted}")) }
}

impl Puzzle {
    /// What the search found, or how that contradicts the puzzle; with the nodes searched.
    fn solve(
        &self,
        position: &Position,
        engine: &mut ChessEngine,
        limits: &Limits<Move>,
    ) -> (Result<(), String>, u64) {
        engine.clear();
        let limits = Limits { mate: self.mate.or(limits.mate), ..limits.clone() };
        let root = Root::new(position.clone());
        let outcome = engine.search(&root, &limits, &Control::new(), &|_| {});
        let Some(best) = outcome.best else {
            return (Err("there is no move to find".to_owned()), outcome.nodes);
        };
        let san = |moves: &[Move]| {
            let moves: Vec<_> = moves.iter().map(|&m| position.san(m)).collect();
            moves.join(" or ")
        };
        let played = position.san(best);
        let mate = outcome.info.as_ref().and_then(|info| info.score.mate_in());
        let result = if !self.best.is_empty() && !self.best.contains(&best) {
            Err(format!("played {played}, not {}", san(&self.best)))
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

/// What became of a record.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Verdict {
    /// How the position or the search contradicts the record; empty where all is true.
    pub failures: Vec<String>,
    /// Nodes that the search looked at.
    pub nodes: u64,
    /// The time it took.
    pub elapsed: Duration,
}

/// How suites are run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Records checked at the same time, at least 1.
    pub jobs: usize,
    /// The engine of each job.
    pub engine: Options,
    /// The limits of each search.
    pub limits: Limits<Move>,
}

/// Why a run could not begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    /// An engine has not the memory or threads it should.
    #[error("{0}")]
    Engine(#[from] ResourceError),
    /// The jobs could not be started.
    #[error("the jobs could not be started: {0}")]
    Jobs(#[from] rayon::ThreadPoolBuildError),
}

/// Checks records, several at a time, until done or until somebody sets `stop`. The verdicts are
/// in the order of the records; one that a stop prevented is none. `done` is called after each.
pub fn run(
    records: &[&Record],
    settings: &Settings,
    stop: &AtomicBool,
    done: &(dyn Fn(&Record, &Verdict) + Sync),
) -> Result<Vec<Option<Verdict>>, SuiteError> {
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
fn check(
    record: &Record,
    settings: &Settings,
    engine: &mut Option<ChessEngine>,
) -> Result<Verdict, ResourceError> {
    let start = Instant::now();
    let mut verdict = Verdict::default();
    let contradictions = record.checks.iter().map(|check| check.contradiction(&record.position));
    verdict.failures.extend(contradictions.filter_map(Result::err));
    if record.is_puzzle() {
        let engine = match engine {
            Some(engine) => engine,
            None => engine.insert(ChessEngine::new(settings.engine.clone())?),
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

    fn failures(line: &str) -> Vec<String> {
        let records = read(line);
        let record = records[0].as_ref().unwrap_or_else(|e| panic!("{line}: {e}"));
        let settings = Settings {
            jobs: 1,
            engine: Options { hash_mb: 1, ..Options::default() },
            limits: Limits { nodes: Some(20_000), ..Limits::default() },
        };
        let verdicts = run(&[record], &settings, &AtomicBool::new(false), &|_, _| {});
        verdicts.expect("the engine starts")[0].clone().expect("checked").failures
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    #[test]
    fn what_is_true_passes() {
        for operations in [
            ";D1 20 ;D2 400",
            "legal \"e2e4 g1f3\"; illegal \"e2e5 e1g1\"; state quiet; start 518;",
            "after e2e4 \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\";",
            "am f3 g4 h4;",
        ] {
            assert_eq!(failures(&format!("{START} {operations}")), [""; 0], "{operations}");
        }
        assert_eq!(failures("6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#; dm 1;"), [""; 0]);
    }

    #[test]
    fn what_is_false_fails_with_what_was_found() {
        let cases = [
            ("D2 401;", "400 leaves 2 plies deep, not 401"),
            ("legal e2e5;", "'e2e5' is not legal"),
            ("illegal e2e4;", "e2e4 is legal and should not be"),
            ("illegal nonsense;", "nonsense is not the text of a move"),
            ("state stalemate;", "the state is Quiet, not Stalemate"),
            ("start 517;", "Chess960 start 517 is"),
            ("start 960;", "there is no Chess960 start 960"),
            (&format!("after e2e4 \"{START}\";"), "after e2e4 the position is"),
            ("after e2e4 \"8\";", "after e2e4: "),
            ("names e2e4 pin;", "e2e4 is named {}, not {\"pin\"}"),
            ("bm a3;", "not a3"),
            ("dm 2;", "found no mate, not in 2"),
        ];
        for (operations, part) in cases {
            let found = failures(&format!("{START} {operations}"));
            assert!(found.len() == 1 && found[0].contains(part), "{operations}: {found:?}");
        }
        let found = failures("6k1/5ppp/8/8/8/8/8/R5K1 w - - am Ra8#;");
        assert!(found[0].contains("played Ra8#, which should be avoided"), "{found:?}");
    }

    #[test]
    fn what_cannot_be_checked_is_an_error_of_its_line() {
        let cases = [
            ("id x;", "there is nothing to check"),
            ("bm Ke2;", "in 'bm Ke2;': 'Ke2' is not legal"),
            ("bm;", "no move is given"),
            ("dm soon;", "'soon' is not such a number"),
            ("D3;", "exactly one number"),
            ("state odd;", "not checkmate, stalemate, check or quiet"),
            ("after e2e4;", "not a move and a quoted position"),
            ("names;", "not a move and its quoted names"),
        ];
        for (operations, part) in cases {
            let records = read(&format!("# comment\n{START} {operations}"));
            let error = records[0].as_ref().expect_err(operations).to_string();
            assert!(error.starts_with("line 2: ") && error.contains(part), "{error}");
        }
    }
}
