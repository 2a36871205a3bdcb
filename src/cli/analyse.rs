//! `adoube analyse`: games with the score of each move, or the best lines of a position.

use super::game::GameName;
use super::games;
use super::tables::table;
use adoube::base::game::MoveForm;
use adoube::base::span::Span;
use adoube::record::games::Record;
use adoube::search::limits::Limits;
use adoube::tools::analyse::{Analysed, Analyst};
use anyhow::{Context, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::ExitCode;

/// Analyse games: scores, signs and better lines for the moves, accuracy for the players
///
/// Reads PGN or PDN and writes the same format to standard output, game by game. Each move of the main line
/// gets its score from White's side; a move that loses 5, 10 or 20 hundredths of the expected points gets
/// ?!, ? or ?? and the better line as a variation. Comments and variations stay. The tags WhiteAccuracy and
/// BlackAccuracy are percentages, WhiteLoss and BlackLoss the points that a move lost on average.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Files of games; standard input if there are none, or for -
    #[arg(conflicts_with = "fen")]
    files: Vec<PathBuf>,
    /// Only these games of each file, such as 3 or 10..20
    #[arg(long = "game", value_name = "N..M", value_parser = range, conflicts_with = "fen")]
    games: Option<RangeInclusive<usize>>,
    /// Print the best lines of this position instead
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// How many lines of the position
    #[arg(long, value_name = "K", default_value_t = 3, requires = "fen")]
    multipv: usize,
    /// Nodes to search in each position [default: 200000]
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Depth to search to, in half-moves
    #[arg(long, value_name = "D")]
    depth: Option<u32>,
    /// Time to search in each position, in milliseconds
    #[arg(long, value_name = "MS")]
    movetime: Option<u64>,
    /// Games analysed at the same time
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// The transposition table of each, in MiB
    #[arg(long, value_name = "MB", default_value_t = 16)]
    hash: usize,
}

/// Nodes for a position where no limit is given.
const NODES: u64 = 200_000;

/// Reads `N` or `N..M`, counted from 1.
fn range(text: &str) -> Result<RangeInclusive<usize>, String> {
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    match (first.parse(), last.parse()) {
        (Ok(first), Ok(last)) if 1 <= first && first <= last => Ok(first..=last),
        _ => Err("a game is a number from 1, several are N..M".to_owned()),
    }
}

impl Args {
    fn limits<M>(&self) -> Limits<M> {
        let &Self { depth, movetime, .. } = self;
        let is_limited = depth.is_some() || movetime.is_some();
        Limits {
            depth,
            nodes: self.nodes.or((!is_limited).then_some(NODES)),
            movetime: movetime.map(|time| Span::from_millis(time).time()),
            ..Limits::default()
        }
    }

    fn analyst<G: Analysed>(&self) -> anyhow::Result<Analyst<G>> {
        Ok(Analyst::new(self.hash, self.limits())?)
    }
}

/// Runs `adoube analyse`.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    ensure!(args.threads > 0, "--threads is a number from 1");
    if let Some(fen) = &args.fen {
        match GameName::of(fen) {
            GameName::Chess => position::<adoube::chess::Position>(args, fen)?,
            GameName::Draughts => position::<adoube::draughts::Position>(args, fen)?,
        }
        return Ok(ExitCode::SUCCESS);
    }
    let mut all_well = true;
    for input in games::open(&args.files, None)? {
        let name = input.name.clone();
        all_well &= match input.format.game() {
            GameName::Chess => each(args, &name, games::chess(input))?,
            GameName::Draughts => each(args, &name, games::draughts(input))?,
        };
    }
    Ok(if all_well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Prints the best lines of a position.
fn position<G: Analysed>(args: &Args, fen: &str) -> anyhow::Result<()> {
    let start = G::from_fen(fen).with_context(|| format!("--fen {fen}"))?;
    let lines = args.analyst::<G>()?.lines(&start, args.multipv);
    ensure!(!lines.is_empty(), "there is no legal move in {fen}");
    let mut shown = table(["score", "depth", "line"]);
    for info in lines {
        let mut position = start.clone();
        let words: Vec<_> = info
            .pv
            .iter()
            .map(|&m| {
                let text = position.write_move(m, MoveForm::Record);
                position = position.after(m);
                text
            })
            .collect();
        shown.add_row([info.score.to_string(), info.depth.to_string(), words.join(" ")]);
    }
    writeln!(io::stdout().lock(), "{shown}")?;
    Ok(())
}

/// Analyses the games of a source, as many at a time as there are threads, and writes them in their
/// order. Returns whether all could be read.
fn each<G: Analysed>(
    args: &Args,
    name: &str,
    games: impl Iterator<Item = Result<Record<G>, String>>,
) -> anyhow::Result<bool> {
    let mut analysts =
        (0..args.threads).map(|_| args.analyst::<G>()).collect::<anyhow::Result<Vec<_>>>()?;
    let style = "{elapsed:>4} {spinner} {pos} games analysed";
    let bar = ProgressBar::new_spinner().with_style(ProgressStyle::with_template(style)?);
    let (first, last) = args.games.clone().map_or((1, usize::MAX), |games| games.into_inner());
    let mut games = (1..).zip(games).take_while(|(n, _)| *n <= last);
    let mut all_well = true;
    loop {
        let some: Vec<_> = games.by_ref().filter(|(n, _)| *n >= first).take(args.threads).collect();
        if some.is_empty() {
            break;
        }
        let analysed: Vec<_> = analysts
            .par_iter_mut()
            .zip(some)
            .map(|(analyst, (_, game))| {
                game.map(|mut game| {
                    analyst.annotate(&mut game);
                    bar.inc(1);
                    game
                })
            })
            .collect();
        let out = &mut io::stdout().lock();
        for game in analysed {
            match game {
                Ok(game) => game.write_to(out)?,
                Err(error) => {
                    bar.suspend(|| super::complain(format_args!("{name}: {error}")));
                    all_well = false;
                }
            }
        }
        out.flush()?;
    }
    bar.finish_and_clear();
    Ok(all_well)
}
