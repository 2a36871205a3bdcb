//! `adoube train`: trains an evaluation network for a game.

use super::output_file::{self, OutputKind};
use super::{VARIANT_HELP, interrupt, threads};
use crate::base::file::{replace, with_suffix};
use crate::base::game::GameKind;
use crate::chess::Position as Chess;
use crate::draughts::{Position as Draughts, Variant};
use crate::eval::net::{Features, Header, NetFile, Recipe};
use crate::eval::{chess, draughts};
use crate::page::{Chart, Curve, page};
use crate::tools::train::{Data, Judged, Learn, Loss, Options, Outlook, TILE, TrainError, Trainer};
use anyhow::{Context, bail, ensure};
use comfy_table::{CellAlignment, Table, presets};
use indicatif::{ProgressBar, ProgressStyle};
use std::fs::{self, File};
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Train an evaluation network on games recorded by `adoube datagen`
///
/// Writes the network and a chart of the errors (FILE.html) after the last pass. Each pass writes a
/// checkpoint (FILE.checkpoint), from which the same command resumes; the previous checkpoint is
/// kept as FILE.checkpoint.before. One game in twenty is held out from training. At the end, the
/// network and the current evaluation are compared on the held-out games.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Game
    #[arg(long, value_name = "GAME", default_value = "chess")]
    game: GameKind,
    #[arg(long, value_name = "VARIANT", help = VARIANT_HELP)]
    variant: Option<Variant>,
    /// Files of games recorded by `adoube datagen`
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    data: Vec<PathBuf>,
    /// Write the network to this file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Start from the weights of this network, which also sets the defaults of --hidden, --logistic
    /// and --added. A larger --hidden widens the network. Use about a tenth of the usual --rate
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    #[arg(long, value_name = "N",
        help = format!("Hidden values per side, a multiple of {TILE} [default: chess 256, draughts 16]"))]
    hidden: Option<usize>,
    /// Number of passes over the positions
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = at_least_one)]
    passes: usize,
    /// Number of positions per step
    #[arg(long, value_name = "N", default_value_t = 16_384, value_parser = at_least_one)]
    batch: usize,
    /// Maximum learning rate
    #[arg(long, default_value_t = 0.001, value_parser = rate)]
    rate: f64,
    /// Weight of the game result in the training target, from 0 to 1; the search score has the
    /// remaining weight
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    result_share: f64,
    /// Mix the scores of the later searches in a game into its result: each search has this weight
    /// relative to the search before it, and the result has the remaining weight. With 1, the
    /// result alone counts
    #[arg(long, value_name = "WEIGHT", default_value_t = 1.0, value_parser = share)]
    decay: f64,
    /// Weight decay of the first layer: in each step, the weights of the features in the batch
    /// shrink by this value times the learning rate. A high value, such as 4, counters overfitting
    /// if there are few games
    #[arg(
        long,
        value_name = "DECAY",
        default_value_t = Recipe::USUAL_WEIGHT_DECAY,
        value_parser = weight_decay
    )]
    weight_decay: f64,
    #[arg(
        long,
        value_name = "SCORE",
        help = "Score that corresponds to an expected result of 73%, in hundredths of a man or, for \
                chess, units of the network [default: chess 120, draughts 140]",
        value_parser = score
    )]
    logistic: Option<f64>,
    /// Train a network whose score is added to the current evaluation; without this option, the
    /// network replaces the evaluation
    #[arg(long)]
    added: bool,
    /// Random seed for the initial weights and the order of positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of threads; a different number gives a slightly different network [default: one per
    /// processor]
    #[arg(long, value_name = "N", value_parser = threads::number())]
    threads: Option<usize>,
}

/// The error for a number that is out of range. Contains the expected range.
#[derive(Debug, thiserror::Error)]
#[error("expected {0}")]
struct RangeError(&'static str);

fn at_least_one(text: &str) -> Result<usize, RangeError> {
    text.parse().ok().filter(|&number| number > 0).ok_or(RangeError("a number from 1"))
}

fn share(text: &str) -> Result<f64, RangeError> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or(RangeError("a number from 0 to 1"))
}

fn rate(text: &str) -> Result<f64, RangeError> {
    let rate = text.parse().ok().filter(|&rate: &f64| rate > 0.0 && rate <= 1.0);
    rate.ok_or(RangeError("a number above 0, and at most 1"))
}

fn weight_decay(text: &str) -> Result<f64, RangeError> {
    let decay = text.parse().ok().filter(|decay: &f64| (0.0..=100.0).contains(decay));
    decay.ok_or(RangeError("a number from 0 to 100"))
}

fn score(text: &str) -> Result<f64, RangeError> {
    let score = text.parse().ok().filter(|&score: &f64| (1.0..=10_000.0).contains(&score));
    score.ok_or(RangeError("a number from 1 to 10000"))
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match args.game {
        GameKind::Chess if args.variant.is_some() => bail!("--variant requires --game draughts"),
        GameKind::Chess => train::<Chess>(args),
        GameKind::Draughts => train::<Draughts>(args),
    }
}

impl Args {
    fn options(&self, from: Option<&Header>) -> Options {
        let (hidden, logistic) = match (from, self.game) {
            (Some(header), _) => (header.shape.hidden, header.recipe.logistic),
            (None, GameKind::Chess) => (playable(self.game), 120.0),
            (None, GameKind::Draughts) => (playable(self.game), 140.0),
        };
        let recipe = Recipe {
            passes: self.passes,
            batch: self.batch,
            rate: self.rate,
            result_share: self.result_share,
            decay: self.decay,
            weight_decay: self.weight_decay,
            logistic: self.logistic.unwrap_or(logistic),
            seed: self.seed,
            added: self.added || from.is_some_and(|header| header.recipe.added),
            from: 0,
        };
        let threads = self.threads.unwrap_or_else(threads::processors);
        Options { hidden: self.hidden.unwrap_or(hidden), recipe, threads }
    }

    fn with_suffix(&self, suffix: &str) -> PathBuf {
        with_suffix(&self.out, suffix)
    }
}

/// Returns the number of hidden values per side in the networks that the program can play with.
const fn playable(game: GameKind) -> usize {
    match game {
        GameKind::Chess => chess::network::HIDDEN,
        GameKind::Draughts => draughts::network::HIDDEN,
    }
}

fn read<L: Learn>(
    paths: &[PathBuf],
    variant: &str,
    outlook: Outlook,
) -> anyhow::Result<Data<L::Features>> {
    let mut data = Data::new(variant, outlook);
    for path in paths {
        let in_file = || format!("{}", path.display());
        let (before, sources) = (data.faults.len(), data.sources.len());
        let file = File::open(path).with_context(in_file)?;
        data.read::<L>(BufReader::new(file)).with_context(in_file)?;
        for fault in &data.faults[before..] {
            eprintln!("{}: {fault}", path.display());
        }
        if data.sources.len() == sources {
            eprintln!("{}: no recorded games", path.display());
        }
    }
    ensure!(
        !data.sources.is_empty(),
        "--data: no recorded games in the files; create a file with `adoube datagen --out FILE`, or convert \
         training data with `adoube datagen import`"
    );
    Ok(data)
}

fn network(path: &Path) -> anyhow::Result<NetFile> {
    NetFile::open(path).with_context(|| format!("{}", path.display()))
}

fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    replace(path, bytes).with_context(|| format!("{}", path.display()))
}

/// Writes a checkpoint. The previous checkpoint is renamed, not overwritten.
fn store(checkpoint: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    if checkpoint.exists() {
        let before = before(checkpoint);
        fs::rename(checkpoint, &before).with_context(|| format!("{}", before.display()))?;
    }
    write(checkpoint, bytes)
}

/// Returns the path of the previous checkpoint.
fn before(checkpoint: &Path) -> PathBuf {
    with_suffix(checkpoint, ".before")
}

/// Resumes from the last checkpoint, or from the one before it if the last one is missing or
/// damaged.
fn resume<F: Features>(trainer: &mut Trainer<'_, F>, checkpoint: &Path) -> anyhow::Result<()> {
    let mut damaged = None;
    for path in [checkpoint.to_owned(), before(checkpoint)] {
        let in_file = || format!("{}", path.display());
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error).with_context(in_file),
        };
        match trainer.resume(&bytes) {
            Ok(()) => {
                if let Some(error) = damaged {
                    let path = path.display();
                    super::print_error(format_args!("warning: {error:#}; continuing from {path}"));
                    // Otherwise `store` would overwrite the good checkpoint with the damaged one.
                    fs::rename(before(checkpoint), checkpoint).with_context(in_file)?;
                }
                return Ok(());
            }
            Err(error @ TrainError::File(_)) => {
                damaged.get_or_insert(anyhow::Error::from(error).context(in_file()));
            }
            Err(error) => return Err(error).with_context(in_file),
        }
    }
    let Some(error) = damaged else { return Ok(()) };
    let path = checkpoint.display();
    Err(error.context(format!(
        "no checkpoint can be used; remove {path} and {path}.before to begin again"
    )))
}

fn train<L: Learn>(args: &Args) -> anyhow::Result<ExitCode> {
    output_file::check(&args.out, OutputKind::Network, &args.data)?;
    output_file::check(&args.with_suffix(".html"), OutputKind::Html, &args.data)?;
    let from = args.from.as_deref().map(network).transpose()?;
    let options = args.options(from.as_ref().map(|network| &network.header));
    let outlook =
        Outlook { decay: options.recipe.decay as f32, logistic: options.recipe.logistic as f32 };
    let data = read::<L>(&args.data, args.variant.unwrap_or_default().stored_name(), outlook)?;
    let count = data.training.len();
    let played = playable(args.game);
    if options.hidden != played {
        super::print_error(format_args!(
            "warning: this program plays only with networks of {played} hidden neurons per side, \
             not {} (omit --hidden)",
            options.hidden
        ));
    }
    if options.recipe.added {
        super::print_error(
            "warning: this program cannot play with a network that was trained with --added",
        );
    }
    let (held_out, duplicates) = (data.held_out.len(), data.duplicates);
    eprintln!(
        "{count} training positions, {held_out} held out, {duplicates} left out as duplicates"
    );
    let mut trainer = Trainer::new(&data, options)?;
    if let (Some(network), Some(path)) = (&from, &args.from) {
        trainer.begin_with(network).with_context(|| format!("{}", path.display()))?;
    }
    let checkpoint = args.with_suffix(".checkpoint");
    resume(&mut trainer, &checkpoint)?;
    let stop = interrupt::flag()?;
    let bar = ProgressBar::new((count * args.passes) as u64).with_style(
        ProgressStyle::with_template("{elapsed:>4} {wide_bar} {msg}, {per_sec}, {eta} left")?,
    );
    while trainer.losses().len() < args.passes {
        let pass = trainer.losses().len() + 1;
        let found = trainer.pass(&stop, &|progress| {
            bar.set_message(format!("pass {pass}/{}, error {:.5}", args.passes, progress.loss));
            bar.set_position(progress.positions as u64);
        });
        let Some(Loss { training, held_out }) = found else {
            eprintln!("stopped; run the same command again to continue after pass {}", pass - 1);
            return Ok(ExitCode::from(interrupt::EXIT_CODE));
        };
        store(&checkpoint, &trainer.checkpoint())?;
        bar.suspend(|| eprintln!("pass {pass}: training {training:.5}, held out {held_out:.5}"));
    }
    bar.finish_and_clear();
    write(&args.out, &trainer.file().bytes())?;
    write(&args.with_suffix(".html"), curves(args, trainer.losses()).as_bytes())?;
    // Remove the checkpoints, so that another run does not resume from them.
    for path in [&before(&checkpoint), &checkpoint] {
        fs::remove_file(path).ok();
    }
    print(&trainer.judge())?;
    Ok(ExitCode::SUCCESS)
}

fn curves(args: &Args, losses: &[Loss]) -> String {
    let curve = |name, colour, value: fn(&Loss) -> f64| {
        let mut curve = Curve::new(name, colour);
        curve.points =
            (1..).zip(losses).map(|(pass, loss)| (f64::from(pass), value(loss), 0.0)).collect();
        curve
    };
    let lines = vec![
        curve("training", 0, |loss| loss.training),
        curve("held out", 1, |loss| loss.held_out),
    ];
    let chart = Chart { lines, x: "passes", y: "mean squared error", zero: false };
    let title = format!("{}: training of {}", args.game, args.out.display());
    page(&title, &chart.svg())
}

fn print(judged: &[Judged]) -> io::Result<()> {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(["mean squared error on held-out games", "result", "(at)", "score", "(at)"]);
    for Judged { name, results, scores } in judged {
        let error = |error: f64| format!("{error:.5}");
        let at = |constant: f32| format!("{constant:.0}");
        table.add_row([
            (*name).to_owned(),
            error(results.error),
            at(results.logistic),
            error(scores.error),
            at(scores.logistic),
        ]);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    writeln!(io::stdout(), "{table}")
}
