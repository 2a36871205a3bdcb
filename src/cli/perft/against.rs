//! `adoube perft --against`: compares the moves of another program with ours.

use super::Args;
use crate::base::game::Game;
use crate::base::rng::Rng;
use crate::base::text::Visible;
use crate::chess;
use crate::cli::against::{Finding, start_peer, stopped, stops};
use crate::tools::perft::compare::MovePath;
use crate::tools::perft::game::PerftGame;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use std::io::{self, Write};
use std::process::ExitCode;

/// The maximum number of random moves made to reach a position for comparison.
const MAX_RANDOM_MOVES: usize = 80;

/// Compares counts in chess positions. With `--chess960` and `--random` but without `--fen`, the
/// random moves begin in random Chess960 start positions.
pub(super) fn chess(
    peer: &str,
    position: chess::Position,
    args: &Args,
) -> anyhow::Result<ExitCode> {
    let fen = args.fen().filter(|fen| fen.contains('/'));
    let text = fen.map_or_else(|| position.fen(), str::to_owned);
    let given = MovePath::new(position, text);
    let random_start = args.chess960 && args.fen().is_none() && args.random.is_some();
    run(peer, args, |rng| match random_start {
        true => {
            let number = rng.below(960) as u16;
            let position = chess::Position::chess960(number).unwrap_or_else(chess::Position::start);
            let text = position.fen();
            MovePath::new(position, text)
        }
        false => given.clone(),
    })
}

/// Compares counts in the position that `start` returns. With `--random N`, compares counts in N
/// positions, each reached by random moves from a position that `start` returns. Stops at the first
/// difference.
pub(super) fn run<G: PerftGame>(
    peer: &str,
    args: &Args,
    start: impl Fn(&mut Rng) -> MovePath<G>,
) -> anyhow::Result<ExitCode> {
    let (stop, interrupt) = stops()?;
    let mut peer = start_peer::<G>(peer, args.chess960, &interrupt)?;
    let mut out = Visible(io::stdout().lock());
    let mut rng = Rng::new(args.seed);
    let positions = args.random.map_or(1, std::num::NonZeroUsize::get);
    // The bar draws nothing if standard error is not a terminal.
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
        let found =
            Finding::of(&mut *peer, line, args.depth, args.chess960, args.threads(), &stop)?;
        let Some(found) = found else { return Ok(stopped()) };
        let Some(same) = found.same() else {
            bar.finish_and_clear();
            if args.json {
                writeln!(out, "{}", json!(found.json()))?;
            } else {
                found.print(&mut out)?;
            }
            return Ok(ExitCode::FAILURE);
        };
        leaves += same;
        bar.inc(1);
    }
    bar.finish_and_clear();
    let depth = args.depth;
    if args.json {
        let same =
            json!({ "agree": true, "depth": depth, "leaves": leaves, "positions": positions });
        writeln!(out, "{same}")?;
        return Ok(ExitCode::SUCCESS);
    }
    let positions =
        if positions == 1 { String::new() } else { format!(" in {positions} positions") };
    writeln!(out, "The two agree: {leaves} leaves at depth {depth}{positions}.")?;
    Ok(ExitCode::SUCCESS)
}

/// Appends up to [`MAX_RANDOM_MOVES`] random moves, but no move that ends the game.
fn wander<G: Game>(mut line: MovePath<G>, rng: &mut Rng) -> MovePath<G> {
    for _ in 0..rng.below(MAX_RANDOM_MOVES + 1) {
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
