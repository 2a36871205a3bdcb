//! `adoube referee`: rules on what happens at a board.

use super::prompt::{Complete, Prompt};
use adoube::base::text::Visible;
use adoube::laws::Edition;
use adoube::laws::any::{AnyReferee, Facts};
use adoube::laws::log::{self, Line};
use adoube::laws::regulations::Regulations;
use adoube::laws::ruling::Rulings;
use anyhow::{Context, anyhow};
use serde_json::json;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Rule on what happens at a board, event by event, each ruling with its article
///
/// Reads events, one to a line, from a file or from standard input: `white move e2e4`, `black touch b8`,
/// `white claim repetition`, `black press 1:59:30`; `moves e2e4 e7e5` are moves in turn. A line `game
/// ABOUT EDITION` begins another game. Empty lines and lines that begin with # are skipped, and without
/// --check those that begin with = or ! too. At a terminal lines can be edited, Tab completes words and
/// moves, and the arrow keys bring back earlier lines, also of earlier sessions. The exit code is 1 if a line
/// is not an event or is an impossible one, or if the check fails.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[arg(
        long,
        value_name = "EDITION",
        default_value_t = Edition::Fide2009,
        help = format!("The laws: {}", Edition::ids()),
    )]
    edition: Edition,
    /// A TOML file with the rules of the tournament (see the chapter referee of the manual)
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
    /// The time control as in `adoube match --tc`, or - for no clock
    #[arg(long, value_name = "TC")]
    time: Option<String>,
    /// Answer each event with a line of JSON
    #[arg(long)]
    json: bool,
    /// Answer in French
    #[arg(long)]
    french: bool,
    /// Only check that each event has the rulings (=) and errors (!) that the lines after it name
    #[arg(long, requires = "log")]
    check: bool,
    /// A file of events [default: standard input]
    log: Option<PathBuf>,
}

/// Runs `adoube referee`.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut rules = match &args.rules {
        Some(path) => read_rules(path)?,
        None => Regulations::default(),
    };
    if let Some(time) = &args.time {
        rules.time = Some(adoube::laws::regulations::read_time(time)?);
    }
    let mut out = Visible(io::stdout().lock());
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
        None if io::stdin().is_terminal() && io::stdout().is_terminal() => {
            session.converse(&mut out)?
        }
        None => session.read(io::stdin().lock(), &mut out)?,
    }
    Ok(if session.well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Checks the rulings of a log against those that it names.
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

impl Complete for AnyReferee {
    fn continuations(&self, line: &str) -> (usize, Vec<String>) {
        self.continuations(line)
    }
}

fn read_rules(path: &Path) -> anyhow::Result<Regulations> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    toml::from_str(&text).with_context(|| path.display().to_string())
}

/// The name of the file that keeps the typed lines.
const HISTORY: &str = "referee-history";

/// A line with its number, from 1.
struct Said<'a> {
    number: usize,
    line: &'a str,
    /// Whether to repeat the line before its answer: it was read from a file or a pipe.
    echo: bool,
}

struct Session<'a> {
    args: &'a Args,
    referee: AnyReferee,
    well: bool,
}

impl Session<'_> {
    fn read(&mut self, input: impl BufRead, out: &mut impl Write) -> anyhow::Result<()> {
        for (index, line) in input.split(b'\n').enumerate() {
            let line = line.context("the events cannot be read")?;
            // A line that is not UTF-8 is an error of that line alone.
            let line = String::from_utf8_lossy(&line);
            self.line(Said { number: index + 1, line: line.trim(), echo: true }, out)?;
        }
        Ok(())
    }

    /// Asks for events at a terminal until Ctrl-D.
    fn converse(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        let mut prompt = Prompt::new(HISTORY, self.referee.clone())?;
        if !self.args.json {
            writeln!(out, "{}: Tab completes an event, Ctrl-D ends", self.args.edition.title())?;
            writeln!(out, "    [{}]", brief(&self.referee.facts()))?;
        }
        let mut number = 1;
        while let Some(line) = prompt.line(&format!("{number}: "))? {
            self.line(Said { number, line: line.trim(), echo: false }, out)?;
            prompt.completes(self.referee.clone());
            number += 1;
        }
        Ok(())
    }

    fn line(&mut self, said: Said, out: &mut impl Write) -> anyhow::Result<()> {
        let Said { number, line, echo } = said;
        let ruled = match Line::read(line) {
            Ok(Line::Remark | Line::Ruling(_) | Line::Error(_)) => return Ok(()),
            Ok(Line::Game(about, edition, rules)) => {
                self.referee = AnyReferee::new(edition, *rules);
                if !self.args.json {
                    writeln!(out, "{number}: {about}, {edition}")?;
                }
                return Ok(());
            }
            Ok(Line::Event(event)) => self.referee.line(event).map_err(|e| e.to_string()),
            Err(error) => Err(error.to_string()),
        };
        if echo && !self.args.json {
            writeln!(out, "{number}: {line}")?;
        }
        match ruled {
            Ok(rulings) => self.answer(number, line, &rulings, out)?,
            Err(error) => {
                self.well = false;
                if self.args.json {
                    let answer = json!({ "line": number, "event": line, "error": error });
                    writeln!(out, "{answer}")?;
                } else {
                    writeln!(out, "    error: {error}")?;
                }
            }
        }
        Ok(out.flush()?)
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
        for ruling in rulings {
            let text = if self.args.french { ruling.french() } else { ruling.to_string() };
            writeln!(out, "    {text}")?;
        }
        writeln!(out, "    [{}]", brief(&facts))
    }
}

/// The facts in one line.
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
