//! `adoube tune`: fits the evaluation's weights to games.

use adoube::eval::chess::{EVEN_WIN, WIDTH};
use adoube::tools::tune::{self, Chess, Data, Model, Options, Tuner};
use anyhow::{Context, ensure};
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

/// Fit the weights of the evaluation of chess to the positions that `adoube datagen export` prints
///
/// Starts from the weights of this program and writes the file that the next build compiles.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Files of positions
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    data: Vec<PathBuf>,
    /// Passes over the data
    #[arg(long, value_name = "N", default_value_t = 40)]
    epochs: usize,
    /// The first step, in centipawns
    #[arg(long, default_value_t = 1.0)]
    rate: f64,
    /// Positions for each step
    #[arg(long, value_name = "N", default_value_t = 8192)]
    batch: usize,
    /// The share of the search's score in the target, 0 to 1; the rest is the game's result
    #[arg(long, default_value_t = 0.0)]
    blend: f64,
    /// The pull towards the present weights
    #[arg(long, default_value_t = 1e-9)]
    prior: f64,
    /// The file to write [default: that of the weights in the source]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Fit the win-draw-loss model instead, and print its parameters
    #[arg(long)]
    wdl: bool,
}

/// Runs `adoube tune`.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    fit::<Chess>(args)
}

fn fit<M: Model>(args: &Args) -> anyhow::Result<ExitCode> {
    let out = &mut io::stdout().lock();
    let start = Instant::now();
    let mut data = Data::default();
    for path in &args.data {
        let text = fs::read_to_string(path).with_context(|| format!("{}", path.display()))?;
        data.extend(Data::read::<M>(&text));
    }
    ensure!(!data.is_empty(), "no usable positions in the files");
    writeln!(out, "{} positions read in {:.1?}", data.len(), start.elapsed())?;

    if args.wdl {
        let start = [EVEN_WIN[0], EVEN_WIN[1], WIDTH[0], WIDTH[1]];
        let ([a, b, c, d], loss) = tune::fit_wdl(&data, start);
        writeln!(out, "EVEN_WIN = [{a:.1}, {b:.2}], WIDTH = [{c:.1}, {d:.2}], loss {loss:.5}")?;
        return Ok(ExitCode::SUCCESS);
    }
    let options = Options {
        epochs: args.epochs,
        rate: args.rate,
        batch: args.batch,
        blend: args.blend.clamp(0.0, 1.0),
        prior: args.prior,
    };
    let mut tuner = Tuner::new::<M>(&data, options);
    let loss = tuner.loss();
    writeln!(
        out,
        "steepness {:.5}; before: training {:.5}, held out {:.5}",
        tuner.steepness, loss.training, loss.held_out
    )?;
    for epoch in 0..args.epochs {
        let loss = tuner.epoch(epoch);
        writeln!(
            out,
            "epoch {:>3}: training {:.5}, held out {:.5} ({:.0?})",
            epoch + 1,
            loss.training,
            loss.held_out,
            start.elapsed()
        )?;
    }
    let path = args.out.clone().unwrap_or_else(|| M::FILE.into());
    fs::write(&path, M::contents(tuner.best())).with_context(|| format!("{}", path.display()))?;
    writeln!(out, "{} written; build again to use it", path.display())?;
    Ok(ExitCode::SUCCESS)
}
