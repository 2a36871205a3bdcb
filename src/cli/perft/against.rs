//! `adoube perft --against`: where another program's moves differ from ours.

use super::super::check::entrant;
use super::super::interrupt;
use super::Args;
use adoube::arena::engine::process::Interrupt;
use adoube::base::game::{Game, MoveForm};
use adoube::base::rng::Rng;
use adoube::base::text::Visible;
use adoube::tools::perft::compare::{CompareError, Comparison, Line, Peer, Step, compare};
use adoube::tools::perft::explain::Explain;
use adoube::tools::perft::peer::{ProgramPeer, UciPeer};
use adoube::{chess, draughts};
use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The most random moves on the way to a position.
const WANDER: usize = 80;

/// Compares in chess.
pub(super) fn chess(
    peer: &str,
    position: chess::Position,
    args: &Args,
) -> anyhow::Result<ExitCode> {
    let (stop, interrupt) = stops()?;
    let fen = args.fen.as_deref().filter(|fen| fen.contains('/'));
    let text = |position: &chess::Position| position.fen();
    let given = Line::new(position.clone(), fen.map_or_else(|| text(&position), str::to_owned));
    let random_start = args.chess960 && args.fen.is_none() && args.random.is_some();
    let start = |rng: &mut Rng| match random_start {
        true => {
            let number = rng.below(960) as u16;
            let position = chess::Position::chess960(number).unwrap_or_else(chess::Position::start);
            let text = text(&position);
            Line::new(position, text)
        }
        false => given.clone(),
    };
    match ProgramPeer::read(peer) {
        Some(mut program) => run(&mut program, start, args, &stop),
        None => {
            let entrant = entrant(peer).with_context(|| format!("'{peer}'"))?;
            let mut engine = UciPeer::start(&entrant, args.chess960, &interrupt)
                .with_context(|| format!("'{peer}'"))?;
            run(&mut engine, start, args, &stop)
        }
    }
}

/// Compares in draughts.
pub(super) fn draughts(
    peer: &str,
    position: draughts::Position,
    args: &Args,
) -> anyhow::Result<ExitCode> {
    let Some(mut program) = ProgramPeer::read(peer) else {
        bail!(
            "no draughts protocol has a command that counts moves: give a program with places for \
             position and depth, as in --against \"PROGRAM {{fen}} {{depth}}\""
        );
    };
    let (stop, _) = stops()?;
    let text = args.fen.clone().unwrap_or_else(|| position.to_string());
    let line = Line::new(position, text);
    run(&mut program, |_| line.clone(), args, &stop)
}

/// What Ctrl-C sets: our own count stops, the engine is no longer waited for.
fn stops() -> anyhow::Result<(Arc<AtomicBool>, Interrupt)> {
    let (stop, interrupt) = (Arc::new(AtomicBool::new(false)), Interrupt::default());
    let (raised, aborted) = (Arc::clone(&stop), interrupt.clone());
    ctrlc::set_handler(move || {
        raised.store(true, Ordering::Relaxed);
        aborted.abort();
    })?;
    Ok((stop, interrupt))
}

fn run<G: Game + Explain>(
    peer: &mut dyn Peer<G>,
    start: impl Fn(&mut Rng) -> Line<G>,
    args: &Args,
    stop: &AtomicBool,
) -> anyhow::Result<ExitCode> {
    let mut out = Visible(io::stdout().lock());
    let mut rng = Rng::new(args.seed);
    let positions = args.random.map_or(1, std::num::NonZeroUsize::get);
    // Draws nothing if standard error is not a terminal.
    let bar = ProgressBar::new(positions as u64).with_style(ProgressStyle::with_template(
        "{elapsed:>4} {wide_bar} {pos}/{len} positions, {eta} left",
    )?);
    if positions == 1 {
        bar.set_draw_target(indicatif::ProgressDrawTarget::hidden());
    }
    let mut leaves = 0;
    for _ in 0..positions {
        let line = match args.random {
            Some(_) => wander(start(&mut rng), &mut rng),
            None => start(&mut rng),
        };
        let mut steps = Vec::new();
        let found =
            compare(peer, line, args.depth, args.threads(), stop, &mut |step| steps.push(step));
        let found = match found {
            Err(CompareError::Stopped) => return Ok(ExitCode::from(interrupt::EXIT_CODE)),
            Err(CompareError::Peer(error)) if error.is_abort() => {
                return Ok(ExitCode::from(interrupt::EXIT_CODE));
            }
            found => found?,
        };
        let Comparison::Same(same) = found else {
            bar.finish_and_clear();
            print(&mut out, &found, &steps)?;
            return Ok(ExitCode::FAILURE);
        };
        leaves += same;
        bar.inc(1);
    }
    bar.finish_and_clear();
    let positions =
        if positions == 1 { String::new() } else { format!(" in {positions} positions") };
    writeln!(out, "The two agree: {leaves} leaves at depth {}{positions}.", args.depth)?;
    Ok(ExitCode::SUCCESS)
}

/// The line with random moves at its end, up to [`WANDER`] or the end of the game.
fn wander<G: Game>(mut line: Line<G>, rng: &mut Rng) -> Line<G> {
    for _ in 0..rng.below(WANDER + 1) {
        let moves = line.position.moves();
        let next = match moves.len() {
            0 => break,
            count => line.after(moves[rng.below(count)]),
        };
        if next.position.moves().is_empty() {
            break;
        }
        line = next;
    }
    line
}

/// Says how the two differ.
fn print<G: Game + Explain>(
    out: &mut impl Write,
    found: &Comparison<G>,
    steps: &[Step<G::Move>],
) -> io::Result<()> {
    for Step { m, depth, ours, theirs } in steps {
        writeln!(out, "below {m}, depth {depth}: {theirs} leaves, should be {ours}")?;
    }
    match found {
        Comparison::Same(leaves) => writeln!(out, "The two agree: {leaves} leaves."),
        Comparison::Moves { line, missing, extra } => {
            for &m in missing {
                let position = &line.position;
                let text = position.write_move(m, MoveForm::Program);
                writeln!(out, "missing: {text}, {}", position.kind_of(m))?;
            }
            for text in extra {
                writeln!(out, "too many: {}, {}", text.escape_debug(), G::why_not(line, text))?;
            }
            place(out, line)
        }
        Comparison::Leaves { line, wrong } => {
            for (m, count) in wrong {
                writeln!(out, "{m} is one leaf, but counted as {count}")?;
            }
            place(out, line)
        }
        Comparison::Fickle { line, below: [theirs, right] } => {
            writeln!(
                out,
                "Counted from the move before, this position has {theirs} leaves; counted by itself, \
                 {right}, which is right. What the program counts depends on how it got there: look at \
                 its table, or at what it updates move by move."
            )?;
            place(out, line)
        }
    }
}

/// Where the two differ.
fn place<G: Game + Explain>(out: &mut impl Write, line: &Line<G>) -> io::Result<()> {
    writeln!(out, "\n{}", line.position.diagram())?;
    let moves: Vec<_> = line.moves.iter().map(ToString::to_string).collect();
    if !moves.is_empty() {
        writeln!(out, "After: {}, from {}", moves.join(" "), line.text)?;
    }
    writeln!(out, "Show the moves: adoube perft 1 --divide --fen '{}'", G::text(line))
}
