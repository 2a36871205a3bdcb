//! The command line: arguments, dispatch to the subcommands, and logging setup.
//!
//! Each subcommand has its own module with an `Args` type and a `run` function.

/// Prints a line to standard error. In contrast to the macro of the standard library, it does not
/// panic if the reader of standard error has exited.
macro_rules! eprintln {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        writeln!(std::io::stderr(), $($text)*).ok();
    }};
}

mod against;
mod analyse;
mod announce;
mod bench;
mod bitbase;
#[cfg(feature = "board")]
mod board;
mod book;
mod check;
mod chunks;
mod completions;
mod convert;
mod datagen;
mod dxp;
mod envelope;
mod games;
mod interrupt;
mod laws;
mod level;
mod manual;
mod matches;
mod output_file;
mod perft;
mod position_lines;
mod prompt;
mod referee;
mod sheet;
mod speak;
mod start;
mod suite;
mod syzygy;
mod tables;
mod threads;
mod tournament;
mod train;
mod tune;

use crate::arena::engine::guard;
use crate::base::cpu::level::Build;
use crate::base::text::visible;
use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, Parser, Subcommand};
use std::env;
use std::fmt::{self, Display};
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::LazyLock;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::FmtContext;
use tracing_subscriber::fmt::format::{FormatEvent, FormatFields, Writer};
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::{Layer, layer::SubscriberExt, util::SubscriberInitExt};

/// An engine, a referee and a match runner for chess and for draughts on 100 squares
///
/// Without a command, Adoube speaks UCI or Hub, detected from the first line of input. `adoube
/// manual` lists the chapters of the manual.
#[derive(Parser, Debug)]
#[command(version, long_version = long_version(), about, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(flatten)]
    speak: speak::Args,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand, Debug)]
enum Command {
    Analyse(analyse::Args),
    Announce(announce::Args),
    Bench(bench::Args),
    Bitbase(bitbase::Args),
    #[cfg(feature = "board")]
    Board(board::Args),
    Book(book::Command),
    Check(check::Args),
    Completions(completions::Args),
    Convert(Box<convert::Args>),
    Datagen(datagen::Args),
    Dxp(Box<dxp::Args>),
    /// Kill engines that outlive their match; started by `adoube match`
    #[command(hide = true, name = guard::WORD)]
    Guard,
    /// Speak Hub, the protocol of draughts engines, on standard input and output
    Hub(speak::Args),
    Laws(laws::Args),
    Manual(manual::Args),
    Match(Box<matches::Command>),
    Open(envelope::OpenArgs),
    Perft(Box<perft::Command>),
    Referee(referee::Args),
    Seal(Box<envelope::SealArgs>),
    Sheet(Box<sheet::Args>),
    Start(Box<start::Args>),
    Suite(suite::Args),
    Syzygy(syzygy::Command),
    Tournament(tournament::Command),
    Train(train::Args),
    Tune(tune::Args),
}

/// The help of `--variant` in the commands for draughts.
const VARIANT_HELP: &str = "Draughts variant: killer, bt (breakthrough), frisian or losing";

/// Returns the version, the processor level for which the program was compiled, and advice if this
/// processor supports a faster build.
fn long_version() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        let build = Build::current();
        let advice = build.advice().map_or(String::new(), |advice| format!("\n{advice}"));
        format!("{} ({build}){advice}", env!("CARGO_PKG_VERSION"))
    });
    &TEXT
}

impl Command {
    /// Returns whether the command talks to other processes and must therefore handle a broken pipe
    /// itself.
    fn speaks(&self) -> bool {
        #[cfg(feature = "board")]
        if let Self::Board(_) = self {
            return true;
        }
        if let Self::Analyse(args) = self {
            return args.speaks();
        }
        matches!(
            self,
            Self::Check(_)
                | Self::Dxp(_)
                | Self::Guard
                | Self::Hub(_)
                | Self::Match(_)
                | Self::Perft(_)
                | Self::Suite(_)
        )
    }
}

/// The exit code for a broken pipe: 128 + SIGPIPE, as shells report it.
const BROKEN_PIPE: u8 = 141;

/// Runs the program. Prints any error to standard error and returns the exit code.
pub fn run() -> ExitCode {
    if let Some(code) = level::delegate() {
        return code;
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return refuse(&error),
    };
    if cli.command.as_ref().is_some_and(|command| !command.speaks()) {
        sigpipe::reset();
    }
    log_to_stderr();
    let result: anyhow::Result<ExitCode> = match cli.command {
        None => speak::whichever(cli.speak),
        Some(Command::Analyse(args)) => analyse::run(&args),
        Some(Command::Announce(args)) => announce::run(&args),
        Some(Command::Bench(args)) => bench::run(&args),
        Some(Command::Bitbase(args)) => bitbase::run(&args),
        #[cfg(feature = "board")]
        Some(Command::Board(args)) => board::run(&args),
        Some(Command::Book(args)) => book::run(&args),
        Some(Command::Check(args)) => check::run(&args),
        Some(Command::Completions(args)) => completions::run(&args),
        Some(Command::Convert(args)) => convert::run(&args),
        Some(Command::Datagen(args)) => datagen::run(&args),
        Some(Command::Dxp(args)) => dxp::run(&args),
        Some(Command::Guard) => {
            guard::run(io::stdin().lock());
            Ok(ExitCode::SUCCESS)
        }
        Some(Command::Hub(args)) => speak::hub(args),
        Some(Command::Laws(args)) => laws::run(&args),
        Some(Command::Manual(args)) => manual::run(&args),
        Some(Command::Match(args)) => matches::run(&args),
        Some(Command::Open(args)) => envelope::open(&args),
        Some(Command::Perft(args)) => perft::run(&args),
        Some(Command::Referee(args)) => referee::run(&args),
        Some(Command::Seal(args)) => envelope::seal(&args),
        Some(Command::Sheet(args)) => sheet::run(&args),
        Some(Command::Start(args)) => start::run(&args),
        Some(Command::Suite(args)) => suite::run(&args),
        Some(Command::Syzygy(command)) => syzygy::run(&command),
        Some(Command::Tournament(args)) => tournament::run(&args),
        Some(Command::Train(args)) => train::run(&args),
        Some(Command::Tune(args)) => tune::run(&args),
    };
    result.unwrap_or_else(|error| {
        if error.downcast_ref().is_some_and(is_broken_pipe) {
            return BROKEN_PIPE.into();
        }
        print_error(format_args!("error: {error:#}"));
        ExitCode::FAILURE
    })
}

fn is_broken_pipe(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::BrokenPipe
}

/// Prints the help, the version or an argument error. The standard library's messages about invalid
/// numbers are replaced, because they do not say which numbers are accepted.
fn refuse(error: &clap::Error) -> ExitCode {
    const WORDS: [(&str, &str); 6] = [
        ("invalid digit found in string", "expected a whole number"),
        ("cannot parse integer from empty string", "expected a whole number"),
        ("number too large to fit in target type", "the number is too large"),
        ("number too small to fit in target type", "the number is too small"),
        ("invalid float literal", "expected a number"),
        ("number would be zero for non-zero type", "expected a number of at least 1"),
    ];
    if !error.use_stderr() {
        // The help or the version was requested.
        return match error.print() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) if is_broken_pipe(&error) => BROKEN_PIPE.into(),
            Err(_) => ExitCode::FAILURE,
        };
    }
    let text = error.render();
    let coloured = io::stderr().is_terminal() && env::var_os("NO_COLOR").is_none();
    let text = if coloured { text.ansi().to_string() } else { text.to_string() };
    let text = WORDS.iter().fold(text, |text, (theirs, ours)| text.replace(theirs, ours));
    // Drop the tip to write an unknown option after `--`, because the option would then be read as
    // a file name.
    let is_advice = |line: &&str| !(line.contains("tip:") && line.contains("' as a value, use '"));
    let text: String = text.split_inclusive('\n').filter(is_advice).collect();
    write!(io::stderr(), "{text}").ok();
    if let Some(option) = option_with_one_dash(error) {
        eprintln!("\nLong options start with two dashes: use {option}.");
    }
    if is_split_setting(error) {
        eprintln!(
            "\nWrite all KEY=VALUE pairs of an option as one argument: --engine cmd=adoube,name=A or \
             --sprt \"elo0=0 elo1=5\" (in quotes)."
        );
    }
    ExitCode::from(2)
}

/// Returns the long option for an argument such as `-engine`, which other match runners accept.
/// Clap parses the argument as short options and reports only `-e` as invalid.
fn option_with_one_dash(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(invalid)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let arguments: Vec<String> =
        env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
    let name = arguments.iter().find_map(|argument| {
        let name = argument.strip_prefix('-').filter(|name| !name.starts_with('-'))?;
        argument.starts_with(invalid.as_str()).then_some(name.split('=').next()?)
    })?;
    let mut command = &Cli::command();
    for argument in &arguments {
        command = command.find_subcommand(argument).unwrap_or(command);
    }
    let has_name = |argument: &clap::Arg| {
        argument.get_long() == Some(name)
            || argument.get_all_aliases().is_some_and(|aliases| aliases.contains(&name))
    };
    command.get_arguments().any(has_name).then(|| format!("--{name}"))
}

/// Returns whether the arguments contain `key=value` where clap expects a subcommand, as in
/// `--engine cmd=adoube name=A`, which other match runners accept.
fn is_split_setting(error: &clap::Error) -> bool {
    let invalid = [ContextKind::InvalidArg, ContextKind::InvalidSubcommand];
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    invalid.into_iter().filter_map(text).any(|text| !text.starts_with('-') && text.contains('='))
}

/// Prints a message to standard error. Control characters are escaped, because the message may
/// quote files or the output of other programs.
fn print_error(words: impl Display) {
    eprintln!("{}", visible(&words.to_string()));
}

/// The environment variable that sets the log level, as in `ADOUBE_LOG=debug`. It can also set a
/// level for each module, as in `ADOUBE_LOG=adoube::arena=trace,info`.
const LOG_VARIABLE: &str = "ADOUBE_LOG";

fn log_to_stderr() {
    let warnings = Targets::new().with_default(LevelFilter::WARN);
    let value = env::var(LOG_VARIABLE).unwrap_or_default();
    let to_stderr = tracing_subscriber::fmt::layer()
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal());
    let to_stderr = if value.is_empty() {
        to_stderr.event_format(PlainWarnings).with_filter(warnings).boxed()
    } else {
        let filter = value.parse().unwrap_or_else(|error| {
            eprintln!("{LOG_VARIABLE}={value}: {error}; only warnings are logged");
            warnings
        });
        to_stderr.with_filter(filter).boxed()
    };
    tracing_subscriber::registry().with(to_stderr).init();
}

/// Formats warnings like the other messages of the program, without the time and the module.
struct PlainWarnings;

impl<S, N> FormatEvent<S, N> for PlainWarnings
where
    S: tracing::Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &tracing::Event<'_>,
    ) -> fmt::Result {
        let is_error = *event.metadata().level() == tracing::Level::ERROR;
        writer.write_str(if is_error { "error: " } else { "warning: " })?;
        context.format_fields(writer.by_ref(), event)?;
        writer.write_char('\n')
    }
}
