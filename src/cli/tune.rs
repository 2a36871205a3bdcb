//! `adoube tune`: tunes search constants by self-play.

use super::{interrupt, threads};
use crate::arena::show::tables::estimate;
use crate::arena::stats::Pairs;
use crate::base::game::GameKind;
use crate::base::journal::{Damage, Journal, Order};
use crate::base::shard::Shard;
use crate::chess::Position as Chess;
use crate::draughts::Position as Draughts;
use crate::search::constants::{Constant, Constants};
use crate::tools::datagen::{MIN_NODES, SelfPlay};
use crate::tools::tune::{self, ConstantsOf, Match, Pair, Tuning, TuningSettings, chosen};
use anyhow::{Context, ensure};
use comfy_table::{CellAlignment, Table, presets};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Tune Adoube's search constants by self-play
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    /// Tune all constants by SPSA, one game pair per step
    ///
    /// Appends a line to the file given by --out for each pair. To resume an interrupted run, run
    /// the same command again.
    Search(SearchArgs),
    /// Print the tunable constants, or the results of `tune search`
    Show {
        /// Game whose constants are printed if no files are given
        #[arg(long, value_name = "GAME", default_value = "chess")]
        game: GameKind,
        /// Output files of one `tune search` run, or of all its shards
        files: Vec<PathBuf>,
    },
    /// Play the tuned constants against the current constants
    Try {
        /// Output files of one `tune search` run, or of all its shards
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Number of game pairs
        #[arg(long, value_name = "N", default_value_t = 500)]
        pairs: u64,
        /// Nodes to search per move; the iteration that reaches this number is still completed
        #[arg(long, value_name = "N", default_value_t = 5000,
            value_parser = clap::value_parser!(u64).range(MIN_NODES..))]
        nodes: u64,
        /// Random seed for the openings
        #[arg(long, default_value_t = 0)]
        seed: u64,
        /// Number of pairs to play in parallel [default: one per processor]
        #[arg(long, value_name = "N", value_parser = threads::number())]
        threads: Option<usize>,
    },
}

#[derive(clap::Args, Debug)]
struct SearchArgs {
    /// Game
    #[arg(long, value_name = "GAME", default_value = "chess")]
    game: GameKind,
    /// Total number of game pairs in all shards, including the pairs already in the file
    #[arg(long, value_name = "N", default_value_t = 20_000,
        value_parser = clap::value_parser!(u64).range(1..))]
    pairs: u64,
    /// Nodes to search per move; the iteration that reaches this number is still completed
    #[arg(long, value_name = "N", default_value_t = 5000,
        value_parser = clap::value_parser!(u64).range(MIN_NODES..))]
    nodes: u64,
    /// Tune only these constants [default: all]
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<String>,
    /// Learning rate at the end of the run: the change in a constant for each net win (games won
    /// minus games lost), in units of the constant's step
    #[arg(long, default_value_t = 0.004)]
    rate: f64,
    /// Random seed for the openings and for the directions in which the constants are changed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Play only shard I of N of the pairs
    #[arg(long, value_name = "I/N", default_value = "1/1", hide_default_value = true)]
    shard: Shard,
    /// Number of pairs to play in parallel [default: one per processor]
    #[arg(long, value_name = "N", value_parser = threads::number())]
    threads: Option<usize>,
    /// Save the pairs to this file and resume from it
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.command {
        Command::Search(args) => match args.game {
            GameKind::Chess => search::<Chess>(args),
            GameKind::Draughts => search::<Draughts>(args),
        },
        Command::Show { game, files } => match game_of(files)?.unwrap_or(*game) {
            GameKind::Chess => show::<Chess>(files),
            GameKind::Draughts => show::<Draughts>(files),
        },
        Command::Try { files, pairs, nodes, seed, threads } => {
            let threads = threads.unwrap_or_else(threads::processors);
            let match_ = Match { pairs: *pairs, nodes: *nodes, seed: *seed, threads };
            match game_of(files)?.unwrap_or(GameKind::Chess) {
                GameKind::Chess => compare::<Chess>(files, &match_),
                GameKind::Draughts => compare::<Draughts>(files, &match_),
            }
        }
    }
}

fn search<G: SelfPlay>(args: &SearchArgs) -> anyhow::Result<ExitCode> {
    ensure!(args.rate.is_finite() && args.rate > 0.0, "--rate must be greater than 0");
    let constants = chosen::<ConstantsOf<G>>(&args.only)?;
    let settings = TuningSettings {
        game: G::NAME.into(),
        program: concat!("Adoube ", env!("CARGO_PKG_VERSION")).into(),
        nodes: args.nodes,
        pairs: args.pairs,
        shard: args.shard,
        seed: args.seed,
        rate: args.rate,
        constants: constants.iter().map(|(_, c)| (c.name.to_owned(), c.value)).collect(),
    };
    let stop = interrupt::flag()?;
    let bar = progress(args.shard.count(usize::try_from(args.pairs)?) as u64)?;
    let report = |tuning: &Tuning| bar.set_position(tuning.pairs());
    let threads = args.threads.unwrap_or_else(threads::processors);
    let (found, damage) = tune::run::<G>(&settings, &args.out, threads, &stop, &report)
        .with_context(|| format!("{}", args.out.display()))?;
    bar.abandon();
    warn_of_damage(&args.out, &damage);
    print(&found)
}

fn warn_of_damage(path: &Path, damage: &Damage) {
    if damage.is_loss() {
        super::print_error(format_args!("warning: {}: {damage}", path.display()));
    }
}

fn progress(pairs: u64) -> anyhow::Result<ProgressBar> {
    let style = "{elapsed:>4} {wide_bar} {pos}/{len} pairs{msg}, {eta} left";
    Ok(ProgressBar::new(pairs).with_style(ProgressStyle::with_template(style)?))
}

/// Returns the game whose constants are tuned in the first file, or `None` if there are no files.
fn game_of(files: &[PathBuf]) -> anyhow::Result<Option<GameKind>> {
    let Some(path) = files.first() else { return Ok(None) };
    let read = Journal::<Pair>::read::<TuningSettings>(path, Order::Independent, |_| {});
    let game = read.with_context(|| format!("{}", path.display()))?.0.game;
    let game = clap::ValueEnum::from_str(&game, false);
    game.map(Some).map_err(|_| anyhow::anyhow!("{}: unknown game", path.display()))
}

fn join_files<G: SelfPlay>(files: &[PathBuf]) -> anyhow::Result<Tuning> {
    let read = |path: &PathBuf| -> anyhow::Result<Tuning> {
        let in_file = || format!("{}", path.display());
        let (settings, tuning, damage) =
            tune::read::<ConstantsOf<G>>(path).with_context(in_file)?;
        warn_of_damage(path, &damage);
        ensure!(settings.game == G::NAME, "{}: the file tunes {}", path.display(), settings.game);
        Ok(tuning)
    };
    let found = files.iter().map(read).collect::<anyhow::Result<Vec<_>>>()?;
    Tuning::joined(&found).context("the files do not tune the same constants")
}

fn show<G: SelfPlay>(files: &[PathBuf]) -> anyhow::Result<ExitCode> {
    if !files.is_empty() {
        return print(&join_files::<G>(files)?);
    }
    let mut table = table(["constant", "in play", "range", "step", "purpose"]);
    for Constant { name, description, value, min, max, step } in ConstantsOf::<G>::TABLE {
        let range = format!("{min} to {max}");
        let description = description.trim().trim_end_matches('.').to_owned();
        table.add_row([
            (*name).to_owned(),
            value.to_string(),
            range,
            step.to_string(),
            description,
        ]);
    }
    writeln!(io::stdout().lock(), "{table}")?;
    Ok(ExitCode::SUCCESS)
}

fn print(found: &Tuning) -> anyhow::Result<ExitCode> {
    let mut table = table(["constant", "in play", "found", "in steps", "greater vs smaller"]);
    for ((constant, value), greater) in found.constants().zip(found.values()).zip(found.greater()) {
        let steps = (value - f64::from(constant.value)) / f64::from(constant.step);
        table.add_row([
            constant.name.to_owned(),
            constant.value.to_string(),
            format!("{value:.0}"),
            format!("{steps:+.2}"),
            elo_text(greater),
        ]);
    }
    writeln!(io::stdout().lock(), "{table}\nafter {} game pairs", found.pairs())?;
    Ok(ExitCode::SUCCESS)
}

fn elo_text(greater: &Pairs) -> String {
    match greater.count() {
        0 => String::new(),
        _ => format!("{} Elo", estimate(greater.elo())),
    }
}

fn table<const N: usize>(header: [&str; N]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header);
    table.column_iter_mut().skip(1).take(3).for_each(|column| {
        column.set_cell_alignment(CellAlignment::Right);
    });
    table
}

fn compare<G: SelfPlay>(files: &[PathBuf], match_: &Match) -> anyhow::Result<ExitCode> {
    let found = join_files::<G>(files)?;
    let stop = interrupt::flag()?;
    let bar = progress(match_.pairs)?;
    let report = |score: &Pairs| {
        let elo = score.elo();
        bar.set_message(format!(", Elo {:+.0} ±{:.0}", elo.value, elo.error));
        bar.set_position(score.count());
    };
    let score = tune::compare::<G>(&found.rounded(), match_, &stop, &report)?;
    bar.abandon();
    let elo = score.elo();
    writeln!(
        io::stdout().lock(),
        "{} game pairs at {} nodes per move, by half points {:?}: Elo {:+.0} ±{:.0} for the tuned constants",
        score.count(),
        match_.nodes,
        score.0,
        elo.value,
        elo.error
    )?;
    Ok(ExitCode::SUCCESS)
}
