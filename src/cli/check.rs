//! `adoube check`: checks whether an engine follows its protocol.

use super::interrupt;
use crate::arena::engine::entrant::{Description, Entrant, Protocol};
use crate::arena::engine::process::Interrupt;
use crate::base::text::visible;
use crate::tools::check::{self, CheckResult};
use anyhow::Context;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::process::ExitCode;

/// Check whether an engine follows UCI or Hub
///
/// Checks legal moves, limits, clocks, stopping and pondering, options, invalid input and quitting.
/// A check that needs a feature that the engine does not have is skipped. The exit code is 1 if a
/// check fails.
///
/// The options in the engine's description are set before each check, as in `adoube match`. If the
/// description has tc, movetime, nodes or depth, the moves in the check of legal moves are searched
/// with these limits; the other checks have their own limits.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Engine command, or "cmd=PROGRAM ARGS,dir=DIR,proto=hub,option.NAME=VALUE" as in `adoube
    /// match`
    engine: String,
    /// In the transcripts of failed checks, also show the lines that announce options and
    /// parameters
    #[arg(long)]
    options: bool,
    /// Protocol, uci or hub [default: the protocol given in ENGINE, else uci]
    #[arg(long, value_name = "PROTOCOL")]
    proto: Option<Protocol>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let entrant = entrant(&args.engine).with_context(|| format!("'{}'", args.engine))?;
    let protocol = args.proto.or(entrant.protocol).unwrap_or(Protocol::Uci);
    let interrupt = Interrupt::default();
    let raised = interrupt.clone();
    ctrlc::set_handler(move || raised.abort())?;
    let mut result = Ok(());
    let mut counts = [0; 3];
    // The faults found so far, each with the check that found it first.
    let mut faults: BTreeMap<String, &'static str> = BTreeMap::new();
    let not_run = check::run(&entrant, protocol, &interrupt, &mut |finding| {
        counts[match finding.result {
            CheckResult::Passed(_) => 0,
            CheckResult::Failed(_) => 1,
            CheckResult::Skipped(_) => 2,
        }] += 1;
        let mut text = finding.to_string();
        let before = match &finding.result {
            CheckResult::Failed(fault) => faults.get(fault).copied(),
            _ => None,
        };
        if let Some(before) = before {
            text += &format!(" (as in '{before}')\n");
        } else {
            let lines = finding.transcript.iter().filter(|line| args.options || !is_option(line));
            let lines = lines.map(|line| format!("        {}\n", start(line)));
            text += &format!("\n{}", lines.collect::<String>());
            if let CheckResult::Failed(fault) = &finding.result {
                faults.insert(fault.clone(), finding.name);
            }
        }
        result =
            io::stdout().write_all(visible(&text).as_bytes()).and_then(|()| io::stdout().flush());
        if result.is_err() {
            interrupt.abort();
        }
    });
    result?;
    if interrupt.is_raised() {
        return Ok(ExitCode::from(interrupt::EXIT_CODE));
    }
    let [passed, failed, skipped] = counts;
    let not_run = match not_run.with_context(|| entrant.name.clone())? {
        0 => String::new(),
        count => format!(", {count} not run"),
    };
    writeln!(
        io::stdout(),
        "{} ({protocol}): {passed} passed, {failed} failed, {skipped} skipped{not_run}",
        entrant.name
    )?;
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Returns whether a line in a transcript announces an engine option or parameter.
fn is_option(line: &str) -> bool {
    line.starts_with("< option ") || line.starts_with("< param ")
}

fn start(line: &str) -> String {
    line.chars().take(160).collect()
}

/// Parses an engine description, which is either a command, or `cmd=...` as in `adoube match`.
pub(super) fn entrant(text: &str) -> anyhow::Result<Entrant> {
    let described = if text.starts_with("cmd=") || text.contains(",cmd=") {
        text.to_owned()
    } else {
        format!("cmd={}", text.replace(',', "\\,"))
    };
    Ok(Description::from_text(&described)?.entrant()?)
}
