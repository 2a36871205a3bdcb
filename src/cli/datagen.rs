//! `adoube datagen`: generates training data by self-play, and inspects, exports and imports it.

use super::{VARIANT_HELP, interrupt, threads};
use crate::base::file::{Replacement, lock};
use crate::base::game::GameKind;
use crate::base::shard::Shard;
use crate::chess::Position as Chess;
use crate::draughts::{Position as Draughts, Variant};
use crate::eval::chess::Model;
use crate::eval::net::NetFile;
use crate::record::selfplay::{
    Block, Game, GenerationSettings, ReadError, Reader, Writer, has_only_settings,
};
use crate::search::stop::StopHandle;
use crate::tools::bench::Bench;
use crate::tools::chances::Chances;
use crate::tools::datagen::packed::{self, PackedFormat, Sample};
use crate::tools::datagen::{
    self, BUCKETS, DatagenError, Earlier, Inspection, MIN_NODES, Options, Output, Positions,
    Progress, ReplayError, ResourcesOf, SCORES, SelfPlay,
};
use anyhow::{Context, bail, ensure};
use comfy_table::{CellAlignment, Table, presets};
use indicatif::{ProgressBar, ProgressStyle};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

/// The depth of the bench search that computes the signature. The signature is a node count that is
/// stored with the games, so that games of different search versions can be distinguished.
const SIGNATURE_DEPTH: u32 = 6;

/// Generate training data by self-play, or process the resulting record files
///
/// A record file stores each move with its search score in four bytes. To resume an interrupted
/// run, run the same command again. Record files of the same game can be concatenated.
#[derive(clap::Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    play: Option<PlayArgs>,
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    /// Count the games, plies, training positions, results and duplicates in record files
    Inspect {
        /// Record files, all chess or all draughts
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Write the training positions to standard output, as EPD or in the format of another trainer
    ///
    /// An EPD line contains the score (ce), the result (c9) and the game number (id). The other
    /// formats are for chess only, use 32 bytes per position and omit games without a result.
    Export {
        /// Record files
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Format to write
        #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Epd)]
        to: Format,
    },
    /// Search the positions of recorded games again, and write the games with the new scores
    ///
    /// Moves, results and positions without a score remain as they are; the unknown move of an
    /// imported position is replaced by the best move found. The games are numbered in the order in
    /// which they are read, so positions imported from EPD lose the number of their game. With
    /// several threads, the games can be written in another order. To resume an interrupted run,
    /// run the same command again.
    Rescore(RescoreArgs),
    /// Play one to three random moves from each training position, search the new positions, and
    /// write them as games of one move without a result
    ///
    /// Train on these positions together with the games: a search also evaluates positions that do
    /// not occur in games. The games that `adoube train` holds out are skipped. To resume an
    /// interrupted run, run the same command again.
    Branch {
        /// Random seed; the same seed gives the same positions
        #[arg(long, default_value_t = 1)]
        seed: u64,
        #[command(flatten)]
        rescore: RescoreArgs,
    },
    /// Fit the win-draw-loss model for chess to recorded games, and print its parameters
    Chances {
        /// Record files
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Convert positions from standard input, in one of the formats of `export`, to a record file
    Import {
        /// Format to read
        #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Epd)]
        from: Format,
        /// Game
        #[arg(long, value_name = "GAME", default_value = "chess")]
        game: GameKind,
        #[arg(long, value_name = "VARIANT", help = VARIANT_HELP)]
        variant: Option<Variant>,
        /// Name of the program that played the games, to store in the record file
        #[arg(long, value_name = "TEXT")]
        program: String,
        /// Number of nodes that were searched per move, to store in the record file
        #[arg(long, value_name = "N")]
        nodes: u64,
        /// Random seed that the games were played with, to store in the record file
        #[arg(long)]
        seed: u64,
        /// Record file to write
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
}

#[derive(clap::Args, Debug)]
struct RescoreArgs {
    /// Record files, all of one game and variant, and not games together with branches
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Nodes to search per position; the iteration that reaches this number is still completed
    #[arg(long, value_name = "N", default_value_t = 5000,
        value_parser = clap::value_parser!(u64).range(MIN_NODES..))]
    nodes: u64,
    /// Number of threads [default: one per processor]
    #[arg(long, value_name = "N", value_parser = threads::number())]
    threads: Option<usize>,
    /// Search with the network in this file [default: the built-in network]
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
    /// Save the games to this file and resume from it
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Format {
    /// EPD lines
    Epd,
    /// `ChessBoard` records for the bullet trainer
    Bulletformat,
    /// `PackedBoard` records for Marlinflow
    Marlinformat,
}

impl Format {
    /// Returns the packed format, or `None` for EPD.
    const fn packed(self) -> Option<PackedFormat> {
        match self {
            Self::Epd => None,
            Self::Bulletformat => Some(PackedFormat::Bullet),
            Self::Marlinformat => Some(PackedFormat::Marlin),
        }
    }
}

#[derive(clap::Args, Debug)]
struct PlayArgs {
    /// Game
    #[arg(long, value_name = "GAME", default_value = "chess")]
    game: GameKind,
    #[arg(long, value_name = "VARIANT", help = VARIANT_HELP)]
    variant: Option<Variant>,
    /// Total number of games, including the games already in the file
    #[arg(long, value_name = "N")]
    games: usize,
    /// Nodes to search per move; the iteration that reaches this number is still completed
    #[arg(long, value_name = "N", default_value_t = 5000,
        value_parser = clap::value_parser!(u64).range(MIN_NODES..))]
    nodes: u64,
    /// Percentage of chess games that start from a Chess960 position
    #[arg(long, value_name = "PERCENT", default_value_t = 10,
        value_parser = clap::value_parser!(u8).range(..=100))]
    chess960: u8,
    /// Number of threads [default: one per processor]
    #[arg(long, value_name = "N", value_parser = threads::number())]
    threads: Option<usize>,
    /// Random seed; the same seed gives the same games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Play only shard I of N of the games
    #[arg(long, value_name = "I/N", default_value = "1/1", hide_default_value = true)]
    shard: Shard,
    /// Play with the network in this file [default: the built-in network]
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
    /// Save the games to this file and resume from it
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match (&args.command, &args.play) {
        (Some(Command::Inspect { files }), _) => inspect(files),
        (Some(Command::Export { files, to }), _) => export(files, *to),
        (Some(Command::Rescore(args)), _) => rescore(args, None),
        (Some(Command::Branch { seed, rescore: args }), _) => rescore(args, Some(*seed)),
        (Some(Command::Chances { files }), _) => chances(files),
        (Some(Command::Import { from, game, variant, program, nodes, seed, out }), _) => {
            check_variant(*game, *variant)?;
            let settings = GenerationSettings {
                game: game.to_string(),
                variant: variant.unwrap_or_default().stored_name().into(),
                program: program.clone(),
                signature: 0,
                nodes: *nodes,
                seed: *seed,
                chess960: 0,
                branches: false,
            };
            match (game, from.packed()) {
                (GameKind::Chess, Some(format)) => import(&settings, out, packed_games(format)),
                (GameKind::Draughts, Some(_)) => bail!("{CHESS_ONLY}"),
                (GameKind::Chess, None) => import(&settings, out, epd_games::<Chess>("")),
                (GameKind::Draughts, None) => {
                    import(&settings, out, epd_games::<Draughts>(&settings.variant))
                }
            }
        }
        (None, Some(play)) => match play.game {
            GameKind::Chess => generate::<Chess>(play),
            GameKind::Draughts => generate::<Draughts>(play),
        },
        (None, None) => {
            bail!("no games to play: give --games and --out; see adoube datagen --help")
        }
    }
}

fn check_variant(game: GameKind, variant: Option<Variant>) -> anyhow::Result<()> {
    ensure!(game == GameKind::Draughts || variant.is_none(), "--variant requires --game draughts");
    Ok(())
}

fn signature(game: GameKind) -> anyhow::Result<u64> {
    let bench = Bench { depth: Some(SIGNATURE_DEPTH), threads: 1, hash_mb: 1 };
    let control = StopHandle::new();
    let total = match game {
        GameKind::Chess => bench.chess(&control, &mut |_| {}),
        GameKind::Draughts => bench.draughts(&control, &mut |_| {}),
    };
    Ok(total?.nodes)
}

/// Returns a description of the program, and its search resources. If `network` names a file, the
/// resources use the network in this file, and the description contains its checksum.
fn player<G: SelfPlay>(
    network: Option<&Path>,
    variant: &str,
) -> anyhow::Result<(String, ResourcesOf<G>)> {
    let program = concat!("Adoube ", env!("CARGO_PKG_VERSION"));
    let Some(file) = network else { return Ok((program.to_owned(), ResourcesOf::<G>::default())) };
    let name = || file.display().to_string();
    let network = NetFile::open(file).with_context(name)?;
    let resources = G::resources(&network, variant).with_context(name)?;
    // The checksum distinguishes games that were played with different networks.
    let checksum = network.checksum();
    Ok((format!("{program}, network {checksum:08x}"), resources))
}

fn generate<G: SelfPlay>(args: &PlayArgs) -> anyhow::Result<ExitCode> {
    check_variant(args.game, args.variant)?;
    let variant = args.variant.unwrap_or_default().stored_name();
    let (program, resources) = player::<G>(args.network.as_deref(), variant)?;
    let settings = GenerationSettings {
        game: args.game.to_string(),
        variant: variant.into(),
        program,
        signature: signature(args.game)?,
        nodes: args.nodes,
        seed: args.seed,
        chess960: if args.game == GameKind::Chess { args.chess960 } else { 0 },
        branches: false,
    };
    let options = Options {
        settings,
        games: args.games,
        shard: args.shard,
        threads: args.threads.unwrap_or_else(threads::processors),
    };
    write_games(&args.out, &options, |output| datagen::run::<G>(&options, &resources, output))
}

/// Rescores the games in record files. If `branches` is a random seed, searches branches of the
/// games instead.
fn rescore(args: &RescoreArgs, branches: Option<u64>) -> anyhow::Result<ExitCode> {
    match game_of(&args.files[0])? {
        game @ GameKind::Chess => rescore_games::<Chess>(args, game, branches),
        game @ GameKind::Draughts => rescore_games::<Draughts>(args, game, branches),
    }
}

fn rescore_games<G: SelfPlay>(
    args: &RescoreArgs,
    game: GameKind,
    branches: Option<u64>,
) -> anyhow::Result<ExitCode> {
    // A branch of a held-out game is too similar to the game for training.
    let is_wanted = |settings: &GenerationSettings, game: &Game| {
        branches.is_none() || !datagen::is_held_out(settings, game.number)
    };
    let mut found = RecordedGames::read::<G>(&args.files, is_wanted)?;
    let (program, resources) = player::<G>(args.network.as_deref(), &found.settings.variant)?;
    let kind = if branches.is_some() { "branches of games" } else { "games" };
    let settings = GenerationSettings {
        program: format!("{program}, {kind} {:08x}", found.checksum),
        signature: signature(game)?,
        nodes: args.nodes,
        seed: branches.unwrap_or(found.settings.seed),
        branches: branches.is_some() || found.settings.branches,
        ..found.settings
    };
    if let Some(seed) = branches {
        found.games = datagen::branches::<G>(&found.games, seed);
    }
    let options = Options {
        settings,
        games: found.games.len(),
        shard: Shard::WHOLE,
        threads: args.threads.unwrap_or_else(threads::processors),
    };
    let code = write_games(&args.out, &options, |output| {
        datagen::rescore::<G>(&options, &resources, &found.games, output)
    })?;
    Ok(if found.is_sound { code } else { ExitCode::FAILURE })
}

/// The games in record files.
struct RecordedGames {
    /// The first settings block in the files. All blocks have the same game and variant, and all are
    /// games or all are branches.
    settings: GenerationSettings,
    games: Vec<Game>,
    /// The checksum of the files. It becomes part of the settings of the output, so that a run with
    /// other input files does not append to the same output file.
    checksum: u32,
    /// False if games were left out because they are damaged or have illegal moves.
    is_sound: bool,
}

impl RecordedGames {
    /// Reads the games for which `is_wanted` returns true. Reports damaged games and games with
    /// illegal moves on standard error, and leaves them out.
    fn read<G: SelfPlay>(
        files: &[PathBuf],
        is_wanted: impl Fn(&GenerationSettings, &Game) -> bool,
    ) -> anyhow::Result<Self> {
        let mut first: Option<GenerationSettings> = None;
        let (mut games, mut is_sound) = (Vec::new(), true);
        let mut checksum = crc32fast::Hasher::new();
        for path in files {
            let name = path.display();
            let bytes = fs::read(path).with_context(|| name.to_string())?;
            checksum.update(&bytes);
            let mut fault = |error: &dyn std::fmt::Display| {
                super::print_error(format_args!("{name}: {error}"));
                is_sound = false;
            };
            let mut current: Option<GenerationSettings> = None;
            for block in Reader::new(&bytes[..]) {
                match block {
                    Ok(Block::Settings(settings)) => {
                        let first = first.get_or_insert_with(|| settings.clone());
                        ensure!(
                            (&first.game, &first.variant) == (&settings.game, &settings.variant),
                            "{name}: games of {} among games of {}",
                            format!("{} {}", settings.game, settings.variant).trim_end(),
                            format!("{} {}", first.game, first.variant).trim_end()
                        );
                        let kind = |branches| if branches { "branches" } else { "games" };
                        ensure!(
                            first.branches == settings.branches,
                            "{name}: {} among {}: process them separately",
                            kind(settings.branches),
                            kind(first.branches)
                        );
                        current = Some(settings);
                    }
                    Ok(Block::Games(read)) => {
                        let Some(settings) = &current else {
                            fault(&"skipped games without settings");
                            continue;
                        };
                        games.extend(read.into_iter().filter(|game| {
                            is_wanted(settings, game)
                                && datagen::replay::<G>(game, |_, _, _| {})
                                    .inspect_err(|error| fault(error))
                                    .is_ok()
                        }));
                    }
                    Err(error) => fault(&error),
                }
            }
        }
        let settings = first.context("the files contain no games")?;
        Ok(Self { settings, games, checksum: checksum.finalize(), is_sound })
    }
}

/// Opens a record file, and lets `run` write the missing games. Shows the progress.
fn write_games(
    out: &Path,
    options: &Options,
    run: impl FnOnce(Output<'_>) -> Result<(), DatagenError>,
) -> anyhow::Result<ExitCode> {
    let (mut file, earlier) = open(out, &options.settings)?;
    let stop = interrupt::flag()?;

    let bar = ProgressBar::new(options.shard.count(options.games) as u64).with_style(
        ProgressStyle::with_template(
            "{elapsed:>4} {wide_bar} {pos}/{len} games, {msg}, {eta} left",
        )?,
    );
    let start = (Instant::now(), processor_seconds());
    let progress_text = |positions: usize| {
        let seconds = match (start.1, processor_seconds()) {
            (Some(before), Some(now)) => now - before,
            _ => start.0.elapsed().as_secs_f64() * options.threads as f64,
        };
        let speed = positions as f64 / seconds.max(0.001);
        format!("{positions} positions, {speed:.0}/s per core")
    };
    let last = std::sync::Mutex::new(Progress::default());
    let report = |progress: Progress| {
        bar.set_message(progress_text(progress.positions));
        bar.set_position(progress.games as u64);
        *last.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = progress;
    };
    run(Output { done: &earlier.games, out: &mut file, stop: &stop, report: &report })?;
    bar.abandon();
    let last = *last.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    eprintln!(
        "{}: {} games and {} added",
        out.display(),
        last.games.saturating_sub(earlier.games.len()),
        progress_text(last.positions)
    );
    if stop.load(Relaxed) && last.games < options.shard.count(options.games) {
        eprintln!("stopped; run the same command again to continue");
        return Ok(ExitCode::from(interrupt::EXIT_CODE));
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the CPU time used by this process in seconds, or `None` if the system does not report
/// it.
fn processor_seconds() -> Option<f64> {
    #[cfg(unix)]
    {
        use nix::sys::resource::{UsageWho, getrusage};
        let usage = getrusage(UsageWho::RUSAGE_SELF).ok()?;
        let time = usage.user_time();
        Some(time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6)
    }
    #[cfg(not(unix))]
    None
}

/// Opens and locks a record file for appending, and reads the games already in it. Removes a
/// partial game at the end, left by a killed run.
fn open(path: &Path, settings: &GenerationSettings) -> anyhow::Result<(File, Earlier)> {
    let in_file = || format!("{}", path.display());
    let file = OpenOptions::new().read(true).append(true).create(true).open(path);
    let file = file.with_context(in_file)?;
    lock(&file).with_context(in_file)?;
    let earlier = Earlier::read(BufReader::new(&file)).with_context(in_file)?;
    ensure!(
        earlier.settings.is_some()
            || has_only_settings(&fs::read(path).with_context(in_file)?, settings)?,
        "{} is not a file of games; it was left unchanged",
        path.display()
    );
    if let Some(before) = &earlier.settings {
        ensure!(
            before == settings,
            "{} contains games with other settings; use the same settings or another file:\n  {}\n  {}",
            path.display(),
            serde_json::to_string(before)?,
            serde_json::to_string(settings)?
        );
    }
    file.set_len(earlier.len).with_context(in_file)?;
    Ok((file, earlier))
}

fn reader(path: &Path) -> anyhow::Result<BufReader<File>> {
    Ok(BufReader::new(File::open(path).with_context(|| format!("{}", path.display()))?))
}

/// Returns the kind of game, chess or draughts, from the first settings block of a record file.
fn game_of(path: &Path) -> anyhow::Result<GameKind> {
    for block in Reader::new(reader(path)?) {
        if let Ok(Block::Settings(settings)) = block {
            return clap::ValueEnum::from_str(&settings.game, false).map_err(|_| {
                anyhow::anyhow!("{}: unknown game {}", path.display(), settings.game)
            });
        }
    }
    bail!("{} is not a file of games", path.display())
}

fn inspect(files: &[PathBuf]) -> anyhow::Result<ExitCode> {
    let mut inspection = Inspection::default();
    let first = files.first().map(|path| game_of(path)).transpose()?;
    for path in files {
        let before = inspection.faults.len();
        match first {
            Some(GameKind::Draughts) => inspection.read::<Draughts>(reader(path)?),
            _ => inspection.read::<Chess>(reader(path)?),
        }
        for fault in &mut inspection.faults[before..] {
            fault.insert_str(0, &format!("{}: ", path.display()));
        }
    }
    print(&mut inspection)?;
    for fault in &inspection.faults {
        super::print_error(fault);
    }
    Ok(if inspection.faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn chances(files: &[PathBuf]) -> anyhow::Result<ExitCode> {
    let mut chances = Chances::default();
    for path in files {
        ensure!(
            matches!(game_of(path)?, GameKind::Chess),
            "{}: these are draughts games; the model is for chess",
            path.display()
        );
        for block in Reader::new(reader(path)?) {
            match block {
                Ok(Block::Games(games)) => games.iter().for_each(|game| chances.add(game)),
                Ok(Block::Settings(_)) => {}
                Err(error) => super::print_error(format!("{}: {error}", path.display())),
            }
        }
    }
    ensure!(
        chances.positions() >= Chances::MIN_POSITIONS,
        "{} searched positions are too few to fit the model: at least {} are needed",
        chances.positions(),
        Chances::MIN_POSITIONS
    );
    let fitted = chances.fit(Model::IN_PLAY);
    let mut out = io::stdout().lock();
    writeln!(out, "{} positions", chances.positions())?;
    for (name, model) in [("current", Model::IN_PLAY), ("fitted ", fitted)] {
        let ([a, b], [c, d], loss) = (model.even_win, model.width, chances.loss(&model));
        writeln!(out, "{name}: even_win [{a:.1}, {b:.2}], width [{c:.1}, {d:.2}], loss {loss:.5}")?;
    }
    Ok(ExitCode::SUCCESS)
}

fn print(found: &mut Inspection) -> io::Result<()> {
    let by_pieces = found.by_pieces();
    let positions: Positions = by_pieces.into_iter().sum();
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    let mut row = |name: String, count: u64, of: u64| {
        let percent = 100.0 * count as f64 / of.max(1) as f64;
        table.add_row([name, count.to_string(), format!("{percent:.1}%")]);
    };
    let Inspection { games, results, plies, .. } = *found;
    row("games".into(), games, games);
    for (name, index) in [("won by White", 2), ("drawn", 1), ("won by Black", 0)] {
        row(format!("  {name}"), results[index], games);
    }
    if found.without_result > 0 {
        row("  without a result".into(), found.without_result, games);
    }
    row("  from other start positions".into(), found.other_starts, games);
    row("plies".into(), plies, plies);
    row("  searched".into(), found.searched, plies);
    row("training positions".into(), positions.all, plies);
    row("  duplicates".into(), positions.repeats, positions.all);
    for (bucket, Positions { all, repeats }) in by_pieces.into_iter().enumerate() {
        let (from, to) = (100 * bucket / BUCKETS, 100 * (bucket + 1) / BUCKETS);
        row(format!("  with {from}% to {to}% of the pieces"), all, positions.all);
        row("    duplicates".into(), repeats, all);
    }
    for (index, &count) in found.scores.iter().enumerate() {
        let name = match SCORES.get(index) {
            Some(bound) => format!("  scores up to {bound}"),
            None => "  higher scores".into(),
        };
        row(name, count, positions.all);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let mut out = io::stdout().lock();
    writeln!(out, "{table}")?;
    for settings in &found.settings {
        writeln!(out, "{}", serde_json::to_string(settings)?)?;
    }
    Ok(())
}

const CHESS_ONLY: &str =
    "bulletformat and marlinformat are formats of chess positions: use epd for draughts";

/// Appends the training positions of a game to `out` in a packed format. A game without a result
/// cannot be stored in these formats; it is omitted.
fn pack(format: PackedFormat, game: &Game, out: &mut Vec<u8>) -> Result<(), ReplayError> {
    let Some(half_points) = game.half_points else { return Ok(()) };
    datagen::positions::<Chess>(game, |position, score| {
        let score = i16::try_from(score).unwrap_or(if score < 0 { i16::MIN } else { i16::MAX });
        let sample = Sample { position: position.clone(), score, half_points };
        out.extend(format.pack(&sample));
    })
}

fn export(files: &[PathBuf], to: Format) -> anyhow::Result<ExitCode> {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut code = ExitCode::SUCCESS;
    for path in files {
        let kind = game_of(path)?;
        ensure!(to == Format::Epd || kind == GameKind::Chess, "{}: {CHESS_ONLY}", path.display());
        for block in Reader::new(reader(path)?) {
            let games = match block {
                Ok(Block::Games(games)) => games,
                Ok(Block::Settings(_)) => continue,
                Err(ReadError::Io(error)) => {
                    return Err(error).with_context(|| format!("{}", path.display()));
                }
                Err(error) => {
                    super::print_error(format_args!("{}: {error}", path.display()));
                    code = ExitCode::FAILURE;
                    continue;
                }
            };
            for game in &games {
                let (mut text, mut bytes) = (String::new(), Vec::new());
                let written = match (to.packed(), kind) {
                    (Some(format), _) => pack(format, game, &mut bytes),
                    (None, GameKind::Chess) => datagen::write_epd::<Chess>(game, &mut text),
                    (None, GameKind::Draughts) => datagen::write_epd::<Draughts>(game, &mut text),
                };
                if let Err(error) = written {
                    super::print_error(format_args!("{}: {error}", path.display()));
                    code = ExitCode::FAILURE;
                }
                out.write_all(text.as_bytes())?;
                out.write_all(&bytes)?;
            }
        }
    }
    out.flush()?;
    Ok(code)
}

/// Reads packed positions from standard input.
fn packed_games(format: PackedFormat) -> impl Iterator<Item = io::Result<Result<Game, String>>> {
    let mut input = BufReader::new(io::stdin().lock());
    let mut next = move |number| {
        let mut bytes = Vec::with_capacity(packed::LEN);
        input.by_ref().take(packed::LEN as u64).read_to_end(&mut bytes)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        let sample = match <&[u8; packed::LEN]>::try_from(&bytes[..]) {
            Ok(bytes) => format.unpack(bytes).map_err(|error| error.to_string()),
            Err(_) => Err(format!("incomplete: {} of {} bytes", bytes.len(), packed::LEN)),
        };
        Ok(Some(sample.map(|sample| sample.into_game(number))))
    };
    (0..).map_while(move |number| next(number).transpose())
}

/// Reads EPD lines from standard input.
fn epd_games<G: SelfPlay>(variant: &str) -> impl Iterator<Item = io::Result<Result<Game, String>>> {
    let read = move |line: String| {
        let game = datagen::read_epd::<G>(&line, variant);
        game.ok_or_else(|| "expected a position with ce, c9 and id".to_owned())
    };
    io::stdin().lock().lines().map(move |line| line.map(read))
}

/// Writes games to a new record file. Reports the first few faulty positions on standard error.
fn import(
    settings: &GenerationSettings,
    out: &Path,
    games: impl Iterator<Item = io::Result<Result<Game, String>>>,
) -> anyhow::Result<ExitCode> {
    let in_file = || format!("{}", out.display());
    ensure!(fs::metadata(out).is_err(), "{} already exists", out.display());
    let mut file = Replacement::begin(out).with_context(in_file)?;
    let mut writer = Writer::new(&mut file, settings).with_context(in_file)?;
    let (mut read, mut faulty) = (0_u64, 0_u64);
    for game in games {
        match game? {
            Ok(game) => {
                writer.push(&game).with_context(in_file)?;
                read += 1;
            }
            Err(error) => {
                faulty += 1;
                if faulty <= 10 {
                    super::print_error(format_args!("position {}: {error}", read + faulty));
                }
            }
        }
    }
    writer.flush().with_context(in_file)?;
    ensure!(read > 0, "no positions to import, so {} was not written", out.display());
    file.commit().with_context(in_file)?;
    eprintln!("{}: {read} positions, {faulty} skipped", out.display());
    Ok(if faulty == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
