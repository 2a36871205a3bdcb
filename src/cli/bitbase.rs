//! `adoube bitbase`: builds, verifies and probes endgame bitbases for draughts.

use super::position_lines::{self, PositionFile};
use super::{VARIANT_HELP, interrupt, threads};
use crate::base::shard::Shard;
use crate::base::side::Side;
use crate::draughts::{Position, Variant};
use crate::endings::bitbase::build::{Builder, Event};
use crate::endings::bitbase::verify::{self, Findings};
use crate::endings::bitbase::{BitbaseError, Bitbases, MAX_PIECES, Material, Wdl, max_pieces};
use anyhow::{Context, bail, ensure};
use clap::Subcommand;
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

/// Build, verify or probe endgame bitbases for draughts
///
/// The bitbases store whether each position with few pieces is won, drawn or lost.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand, Debug)]
enum Action {
    /// Build missing tables (resumable after Ctrl-C)
    Build {
        /// Maximum number of pieces on the board
        #[arg(long, value_name = "N", default_value_t = 4,
            value_parser = clap::value_parser!(u32).range(2..=i64::from(MAX_PIECES)))]
        pieces: u32,
        #[command(flatten)]
        variant: VariantArg,
        #[command(flatten)]
        folder: Folder,
        /// Number of threads [default: one per processor]
        #[arg(long, value_name = "N", value_parser = threads::number())]
        threads: Option<usize>,
    },
    /// Check every value against the values of the positions one ply later; the exit code is 1 if a
    /// value is wrong
    Verify {
        /// Check only tables with this many pieces
        #[arg(long, value_name = "N",
            value_parser = clap::value_parser!(u32).range(2..=i64::from(MAX_PIECES)))]
        pieces: Option<u32>,
        /// Check only shard I of N of every table
        #[arg(long, value_name = "I/N", default_value = "1/1", hide_default_value = true)]
        shard: Shard,
        #[command(flatten)]
        variant: VariantArg,
        #[command(flatten)]
        folder: Folder,
        /// Number of threads [default: one per processor]
        #[arg(long, value_name = "N", value_parser = threads::number())]
        threads: Option<usize>,
    },
    /// Print the value of a position for the side to move, and the value of each move
    ///
    /// Without a position, reads positions from a file or standard input, one per line, and prints
    /// the value (`unknown` without a bitbase) and the position. A line that is not a position is
    /// reported with its number; the exit code is then 1.
    Probe {
        #[command(flatten)]
        folder: Folder,
        /// Position as FEN, such as W:WK46:B5,6 or, in a variant, W:WK46:B5,6:Vkiller
        #[arg(value_name = "FEN")]
        position: Option<String>,
        #[command(flatten)]
        file: PositionFile,
    },
}

#[derive(clap::Args, Debug)]
struct Folder {
    /// Folder with the tables, with a subfolder for each variant
    #[arg(long = "dir", value_name = "DIR")]
    path: Option<PathBuf>,
}

#[derive(clap::Args, Debug)]
struct VariantArg {
    #[arg(long, value_name = "VARIANT", help = VARIANT_HELP)]
    #[arg(default_value_t, hide_default_value = true)]
    variant: Variant,
}

impl Folder {
    fn path(&self) -> anyhow::Result<PathBuf> {
        let path = self.path.clone().or_else(Bitbases::default_folder);
        path.context("no home folder for the bitbases: give --dir DIR")
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.action {
        Action::Build { pieces, variant: VariantArg { variant }, folder, threads } => {
            let largest = max_pieces(*variant);
            ensure!(
                *pieces <= largest,
                "--pieces {pieces}: bitbases for {variant} have at most {largest} pieces"
            );
            let (folder, stop) = (folder.path()?, interrupt::flag()?);
            in_pool(*threads, || build(*variant, *pieces, &folder, &stop))
        }
        Action::Verify { pieces, shard, variant: VariantArg { variant }, folder, threads } => {
            let (folder, stop) = (folder.path()?, interrupt::flag()?);
            let pieces = pieces.map_or(2..=MAX_PIECES, |pieces| pieces..=pieces);
            in_pool(*threads, || verify(*variant, &folder, pieces, *shard, &stop))
        }
        Action::Probe { folder, position, file } => probe(folder, position.as_deref(), file),
    }
}

fn in_pool<T: Send>(
    threads: Option<usize>,
    work: impl FnOnce() -> anyhow::Result<T> + Send,
) -> anyhow::Result<T> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads.unwrap_or_else(threads::processors))
        .build()?
        .install(work)
}

fn progress_bar(indices: u64) -> anyhow::Result<ProgressBar> {
    let style = "{elapsed:>4} {wide_bar} {percent:>3}% {msg:8} {eta} left";
    Ok(ProgressBar::new(indices).with_style(ProgressStyle::with_template(style)?))
}

fn build(
    variant: Variant,
    pieces: u32,
    folder: &Path,
    stop: &AtomicBool,
) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let builder = Builder::new(folder, variant, pieces)?;
    let folder = builder.folder().to_owned();
    let bar = progress_bar(builder.indices())?;
    let report = |event| match event {
        Event::Indices(more) => bar.inc(more),
        Event::Table { material, bytes } => {
            bar.set_message(material.to_string());
            let positions = material.positions(variant);
            tracing::info!("{material}: {positions} positions in {bytes} bytes");
        }
    };
    let built = builder.run(stop, &report);
    bar.abandon();
    if stop.load(Relaxed) {
        eprintln!("stopped; run the same command again to continue");
        return Ok(ExitCode::from(interrupt::EXIT_CODE));
    }
    let bitbases = built?;
    let out = &mut io::stdout().lock();
    for pieces in 2..=pieces {
        let materials = Material::all(variant, pieces);
        let bytes: u64 = materials.iter().filter_map(|&material| bitbases.bytes(material)).sum();
        let positions: u64 = materials.iter().map(|material| material.positions(variant)).sum();
        let tables = materials.len();
        writeln!(out, "{pieces} pieces: {positions} positions, {tables} tables, {bytes} bytes")?;
    }
    writeln!(out, "{} in {:.1?}", folder.display(), start.elapsed())?;
    Ok(ExitCode::SUCCESS)
}

fn verify(
    variant: Variant,
    folder: &Path,
    pieces: RangeInclusive<u32>,
    shard: Shard,
    stop: &AtomicBool,
) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let bitbases = Bitbases::open(folder, variant)?;
    let out = &mut io::stdout();
    let mut wrong = 0;
    for pieces in pieces {
        let mut materials = Material::all(variant, pieces);
        materials.retain(|&material| bitbases.has(material));
        if materials.is_empty() {
            continue;
        }
        let indices = materials.iter().map(|&material| verify::indices(variant, material, shard));
        let bar = progress_bar(indices.sum())?;
        let mut sum = Findings::default();
        for material in materials {
            bar.set_message(material.to_string());
            let findings = verify::verify(&bitbases, material, shard, stop, &|more| bar.inc(more));
            let Some(findings) = findings else {
                return Ok(ExitCode::from(interrupt::EXIT_CODE));
            };
            if let Some(example) = findings.example {
                let number = findings.wrong;
                let example = Position::try_from((example, Side::White))?.in_game(variant)?;
                bar.suspend(|| writeln!(out, "{material}: {number} wrong, for example {example}"))?;
            }
            sum = sum.and(findings);
        }
        bar.finish_and_clear();
        let [lost, drawn, won] = sum.values;
        writeln!(
            out,
            "{pieces} pieces: {} positions, {won} won, {drawn} drawn, {lost} lost, {} with captures, {} wrong",
            sum.positions(),
            sum.captures,
            sum.wrong,
        )?;
        wrong += sum.wrong;
    }
    let part = if shard == Shard::WHOLE { String::new() } else { format!(" of shard {shard}") };
    writeln!(out, "every position{part} checked in {:.1?}", start.elapsed())?;
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn probe(folder: &Folder, position: Option<&str>, file: &PositionFile) -> anyhow::Result<ExitCode> {
    let open = |variant| match &folder.path {
        Some(path) => Bitbases::open(path, variant),
        None => Bitbases::with_default_folder(variant, MAX_PIECES),
    };
    let Some(position) = position else {
        return probe_lines(open, file);
    };
    let position: Position = position_lines::read(position)?;
    let bitbases = open(position.variant())?;
    let Some(value) = bitbases.probe(&position) else {
        bail!("no bitbase for this position: {}", why_unknown(&position, &bitbases));
    };
    let out = &mut io::stdout().lock();
    writeln!(out, "{}", name(value))?;
    for &m in &position.legal_moves() {
        if let Some(value) = bitbases.probe(&position.play(m)) {
            writeln!(out, "{m:?} {}", name(value.opposite()))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints the value of each position in a file or on standard input. The bitbases of a variant are
/// opened when its first position is read. If there are none, the values of its positions are
/// unknown.
fn probe_lines(
    open: impl Fn(Variant) -> Result<Bitbases, BitbaseError>,
    file: &PositionFile,
) -> anyhow::Result<ExitCode> {
    let mut opened = HashMap::new();
    position_lines::answer(file, |position: Position| {
        let bitbases = match opened.entry(position.variant()) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(match open(position.variant()) {
                Ok(bitbases) => Some(bitbases),
                Err(error @ BitbaseError::Empty(_)) => {
                    super::print_error(format_args!("warning: {error}"));
                    None
                }
                Err(error) => return Err(io::Error::other(error)),
            }),
        };
        let value = bitbases.as_ref().and_then(|bitbases| bitbases.probe(&position));
        let value = value.map_or("unknown", name);
        writeln!(io::stdout(), "{value} {position}")
    })
}

fn why_unknown(position: &Position, bitbases: &Bitbases) -> String {
    let (pieces, variant) = (position.board().occupied().len(), bitbases.variant());
    let (largest, most) = (bitbases.largest(), max_pieces(variant));
    if pieces <= largest {
        return "both sides need pieces, and the folder must contain the table".to_owned();
    }
    if pieces > most {
        return format!(
            "it has {pieces} pieces, but bitbases for {variant} have at most {most} pieces"
        );
    }
    let option = match variant {
        Variant::Normal => String::new(),
        _ => format!(" --variant {variant}"),
    };
    format!(
        "it has {pieces} pieces, but the bitbases have at most {largest} pieces; build larger ones \
         with `adoube bitbase build{option} --pieces {pieces}` (at most {most})"
    )
}

const fn name(value: Wdl) -> &'static str {
    match value {
        Wdl::Loss => "loss",
        Wdl::Draw => "draw",
        Wdl::Win => "win",
    }
}
