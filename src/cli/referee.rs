//! `adoube referee`: rules on what happens at a board.

use crate::laws::Edition;
use crate::laws::any::{AnyReferee, Facts};
use crate::laws::log::{self, Line};
use crate::laws::regulations::Regulations;
use crate::laws::ruling::Rulings;
use anyhow::{Context, anyhow};
use serde_json::json;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Rule on what happens at a board, event by event, each ruling with its article
///
/// Reads events, a line each, from a file or from standard input: `white move e2e4`, `black touch b8`,
/// `white claim repetition`, `black press 1:59:30`; `moves e2e4 e7e5` are moves in turn. A line `game
/// ABOUT EDITION` begins another game; empty lines and lines that begin with # are skipped, and without
/// --check those with = and ! as well. The exit code is 1 where a line is no event, one that cannot be,
/// or the check fails.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The laws: fide-1928, fide-1930, fide-2009, fmjd
    #[arg(long, value_name = "EDITION", default_value_t = Edition::Fide2009)]
    edition: Edition,
    /// A file of settings that the event's rules make, in TOML
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
    /// The time, as `adoube match --tc` takes it, or - for no clock
    #[arg(long, value_name = "TC")]
    time: Option<String>,
    /// Answer with a line of JSON for each event
    #[arg(long)]
    json: bool,
    /// Answer in French
    #[arg(long)]
    french: bool,
    /// Say only whether each event brings the rulings (=) and errors (!) that the lines after it name
    #[arg(long, requires = "log")]
    check: bool,
    /// Events [default: standard input]
    log: Option<PathBuf>,
}

/// Runs `adoube referee`.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut rules = match &args.rules {
        Some(path) => read_rules(path)?,
        None => Regulations::default(),
    };
    if let Some(time) = &args.time {
        rules.time = Some(crate::laws::regulations::read_time(time)?);
    }
    let mut out = io::stdout().lock();
    if let (Some(path), true) = (&args.log, args.check) {
        let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
        return check(&text, path, &mut out);
    }
    let referee = AnyReferee::new(args.edition, rules);
    let mut session = Session { args, referee, well: true };
    match &args.log {
        Some(path) => {
            let file = File::open(path).with_context(|| path.display().to_string())?;
            session.read(BufReader::new(file), &mut out)?;
        }
        None => session.read(io::stdin().lock(), &mut out)?,
    }
    Ok(if session.well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Checks a log against itself.
fn check(text: &str, path: &Path, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let games =
        log::check(text).map_err(|(line, error)| anyhow!("{}:{line}: {error}", path.display()))?;
    let mut well = true;
    for game in &games {
        for failure in &game.failures {
            well = false;
            let (about, edition) = (&game.about, game.edition);
            writeln!(out, "{}:{failure} [{about}, {edition}]", path.display())?;
        }
    }
    let passed: usize = games.iter().map(|game| game.passed).sum();
    writeln!(out, "{} games, {passed} rulings and errors as named", games.len())?;
    Ok(if well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn read_rules(path: &Path) -> anyhow::Result<Regulations> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    toml::from_str(&text).with_context(|| path.display().to_string())
}

struct Session<'a> {
    args: &'a Args,
    referee: AnyReferee,
    well: bool,
}

impl Session<'_> {
    fn read(&mut self, input: impl BufRead, out: &mut impl Write) -> anyhow::Result<()> {
        for (index, line) in input.lines().enumerate() {
            let line = line.context("the events cannot be read")?;
            let number = index + 1;
            let ruled = match Line::read(&line) {
                Ok(Line::Remark | Line::Ruling(_) | Line::Error(_)) => continue,
                Ok(Line::Game(about, edition, rules)) => {
                    self.referee = AnyReferee::new(edition, *rules);
                    if !self.args.json {
                        writeln!(out, "{number}: {about}, {edition}")?;
                    }
                    continue;
                }
                Ok(Line::Event(event)) => self.referee.line(event).map_err(|e| e.to_string()),
                Err(error) => Err(error.to_string()),
            };
            let line = line.trim();
            match ruled {
                Ok(rulings) => self.answer(number, line, &rulings, out)?,
                Err(error) => {
                    self.well = false;
                    if self.args.json {
                        let answer = json!({ "line": number, "event": line, "error": error });
                        writeln!(out, "{answer}")?;
                    } else {
                        writeln!(out, "{number}: {line}\n    error: {error}")?;
                    }
                }
            }
            out.flush()?;
        }
        Ok(())
    }

    fn answer(
        &self,
        number: usize,
        line: &str,
        rulings: &Rulings,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let facts = self.referee.facts();
        if self.args.json {
            let rulings: Vec<_> = rulings.iter().collect();
            let answer =
                json!({ "line": number, "event": line, "rulings": rulings, "facts": facts });
            return writeln!(out, "{answer}");
        }
        writeln!(out, "{number}: {line}")?;
        for ruling in rulings {
            let text = if self.args.french { ruling.french() } else { ruling.to_string() };
            writeln!(out, "    {text}")?;
        }
        writeln!(out, "    [{}]", brief(&facts))
    }
}

/// The facts in a line.
fn brief(facts: &Facts) -> String {
    if let (Some(result), Some([white, black])) = (facts.result, facts.points) {
        return format!("{result}, points {white} and {black}");
    }
    let clocks = match &facts.left {
        [Some(white), Some(black)] => format!(", clocks {white} and {black}"),
        _ => String::new(),
    };
    format!("{} to move{clocks}, {}", facts.to_move, facts.position)
}
