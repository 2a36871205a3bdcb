//! `adoube referee`: rules on events at a board.

use super::prompt::{Complete, Prompt};
use super::tables::table;
use crate::base::text::Visible;
use crate::laws::Edition;
use crate::laws::any::AnyReferee;
use crate::laws::clock::{BONUS_SIGNS, Budget};
use crate::laws::help;
use crate::laws::language::{InFrench as _, Language};
use crate::laws::log::{self, LogLine};
use crate::laws::regulations::Regulations;
use crate::laws::ruling::Rulings;
use anyhow::{Context, anyhow};
use serde_json::{Value, json};
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Rule on events at a board, citing the article for each ruling
///
/// Reads events, one per line, from a file or from standard input: `white move e2e4`, `black touch
/// b8`, `white claim repetition`, `black press 1:59:30`; `moves e2e4 e7e5` plays moves for both
/// sides alternately. A line such as `game N-02 fide-2009` starts another game; N-02 is the id of a
/// decision (see `adoube laws --help`). Empty lines and lines that begin with # are skipped;
/// without --check, lines that begin with = or ! are skipped too. With --json, each line of input
/// is answered by one line of JSON; a skipped line has no rulings. The exit code is 1 if a line is
/// not an event, if an event is impossible, or if the check fails.
///
/// At a terminal, lines can be edited, Tab completes words and moves, and the arrow keys recall
/// earlier lines, including lines of earlier sessions. `help` lists the events of the edition,
/// `help claim` the events that begin with a word, `undo` takes back the last line of events, and
/// `quit` ends the session.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[arg(
        long,
        value_name = "EDITION",
        default_value_t = Edition::Fide2023,
        help = format!("Edition of the laws: {}", Edition::ids()),
    )]
    edition: Edition,
    /// TOML file with the regulations of the tournament (see `adoube manual referee`)
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
    /// Time control as in `adoube match --tc`, in seconds, or with the suffix m (minutes) or h
    /// (hours), as in 60m or 90m+30; - for no clock
    #[arg(long, value_name = "TC")]
    time: Option<String>,
    /// Print one line of JSON for each line of input
    #[arg(long)]
    json: bool,
    /// Answer in French, and read French piece letters (Cf3, e8=D)
    #[arg(long)]
    french: bool,
    /// Only check the events: after an event, lines that begin with = or ! give the rulings and
    /// errors expected for it. --edition, --rules and --time apply to the events before the first
    /// `game` line
    #[arg(long, requires = "log")]
    check: bool,
    /// File with events [default: standard input]
    log: Option<PathBuf>,
}

/// Returns advice if a time control without a unit gives a player at most three minutes. The user
/// probably meant minutes, but a number without a unit is in seconds.
fn advice_on_unit(text: &str, budget: &Budget) -> Option<String> {
    const SHORT: Duration = Duration::from_secs(180);
    let Budget::Periods(periods) = budget else { return None };
    let first = periods.first().filter(|period| period.time <= SHORT)?;
    let seconds = first.time.as_secs();
    let time = text.split(':').next()?.split(BONUS_SIGNS).next()?;
    (!time.ends_with(['m', 'h'])).then(|| {
        format!("--time {text}: the time is {seconds} seconds; for minutes write {seconds}m")
    })
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut rules = match &args.rules {
        Some(path) => read_rules(path)?,
        None => Regulations::default(),
    };
    if let Some(time) = &args.time {
        let budget = crate::laws::regulations::read_time(time);
        let budget = budget.with_context(|| format!("--time {time}"))?;
        if let (Some(advice), false) = (advice_on_unit(time, &budget), args.check) {
            super::print_error(advice);
        }
        rules.time = Some(budget);
    }
    let mut out = Visible(io::stdout().lock());
    let referee = AnyReferee::new(args.edition, rules);
    if let (Some(path), true) = (&args.log, args.check) {
        let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
        return check(&text, &referee, path, &mut out);
    }
    let mut session = Session { args, referee, past: Vec::new(), well: true };
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

fn check(
    text: &str,
    first: &AnyReferee,
    path: &Path,
    out: &mut impl Write,
) -> anyhow::Result<ExitCode> {
    let games = log::check(text, Some(first))
        .map_err(|(line, error)| anyhow!("{}:{line}: {error}", path.display()))?;
    let mut well = true;
    for game in &games {
        for failure in &game.failures {
            well = false;
            let edition = game.edition;
            let of = match game.about.as_str() {
                "" => edition.to_string(),
                about => format!("{about}, {edition}"),
            };
            writeln!(out, "{}:{failure} [{of}]", path.display())?;
        }
    }
    let passed: usize = games.iter().map(|game| game.passed).sum();
    let (games, s) = (games.len(), if games.len() == 1 { "" } else { "s" });
    writeln!(out, "{games} game{s}, {passed} rulings and errors as expected")?;
    Ok(if well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

struct Completing(AnyReferee, Language);

impl Complete for Completing {
    fn continuations(&self, line: &str) -> (usize, Vec<String>) {
        log::continuations(&self.0, line, self.1)
    }
}

fn read_rules(path: &Path) -> anyhow::Result<Regulations> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    toml::from_str(&text).with_context(|| path.display().to_string())
}

const HISTORY: &str = "referee-history";

fn is_quit(line: &str) -> bool {
    matches!(line, "quit" | "exit" | "quitter")
}

#[derive(Clone, Copy)]
struct InputLine<'a> {
    /// The line number, starting at 1.
    number: usize,
    line: &'a str,
    /// True if the line is printed before the answer, as for input from a file or pipe.
    echo: bool,
}

struct Session<'a> {
    args: &'a Args,
    referee: AnyReferee,
    /// The accepted lines of events, each with the state of the referee before the line.
    past: Vec<(String, AnyReferee)>,
    well: bool,
}

impl Session<'_> {
    fn read(&mut self, input: impl BufRead, out: &mut impl Write) -> anyhow::Result<()> {
        for (index, line) in input.split(b'\n').enumerate() {
            let line = line.context("cannot read the events")?;
            // Decode lossily, so that invalid UTF-8 is an error in this line only.
            let line = String::from_utf8_lossy(&line);
            if is_quit(line.trim()) {
                break;
            }
            self.line(InputLine { number: index + 1, line: line.trim(), echo: true }, out)?;
        }
        Ok(())
    }

    /// Reads events at a terminal until `quit` or Ctrl-D.
    fn converse(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        let mut prompt = Prompt::new(HISTORY, self.completing())?;
        if !self.args.json {
            let (edition, language) = (self.args.edition, self.language());
            let title = language.of(edition.title(), edition.french_title());
            let says = language.of(
                ": Tab completes an event, help lists them, undo takes one back, quit ends",
                " : Tab complète un événement, aide en donne la liste, annuler en retire un, \
                 quitter termine",
            );
            writeln!(out, "{title}{says}")?;
            writeln!(out, "    [{}]", self.referee.facts().brief(language))?;
        }
        let mut number = 1;
        while let Some(line) = prompt.line(&format!("{number}: "))? {
            if is_quit(line.trim()) {
                break;
            }
            self.line(InputLine { number, line: line.trim(), echo: false }, out)?;
            prompt.completes(self.completing());
            number += 1;
        }
        Ok(())
    }

    fn language(&self) -> Language {
        if self.args.french { Language::French } else { Language::English }
    }

    fn completing(&self) -> Completing {
        Completing(self.referee.clone(), self.language())
    }

    /// Lists the events that match `words`, the text after `help`. If `words` is empty, lists all
    /// events.
    fn help(&mut self, input: InputLine, words: &str, out: &mut impl Write) -> anyhow::Result<()> {
        let (edition, language) = (self.referee.edition(), self.language());
        let events = help::events_named(edition, language, words);
        if events.is_empty() {
            let error = language.of("no such event; help lists them", "pas d'événement de ce nom");
            return self.error(input, error, out);
        }
        if self.args.json {
            return Ok(self.json(input.number, input.line, ("events", json!(events)), out)?);
        }
        let mut table = table([self.language().of("event", "événement"), ""]);
        for (lines, means) in events {
            table.add_row([&*lines, means]);
        }
        Ok(writeln!(out, "{table}")?)
    }

    /// Takes back the last line of events.
    fn undo(&mut self, input: InputLine, out: &mut impl Write) -> anyhow::Result<()> {
        let language = self.language();
        let Some((event, before)) = self.past.pop() else {
            let error = language.of("no event to take back", "aucun événement à retirer");
            return self.error(input, error, out);
        };
        self.referee = before;
        if self.args.json {
            self.json(input.number, input.line, ("undone", json!(event)), out)?;
        } else {
            self.echo(input, out)?;
            writeln!(out, "    {}{event}", language.of("taken back: ", "retiré : "))?;
            writeln!(out, "    [{}]", self.referee.facts().brief(language))?;
        }
        Ok(out.flush()?)
    }

    fn echo(&self, input: InputLine, out: &mut impl Write) -> io::Result<()> {
        let InputLine { number, line, echo } = input;
        if echo && !self.args.json { writeln!(out, "{number}: {line}") } else { Ok(()) }
    }

    /// Reports an error in a line, which makes the exit code 1.
    fn error(
        &mut self,
        input: InputLine,
        error: impl fmt::Display,
        out: &mut impl Write,
    ) -> anyhow::Result<()> {
        self.well = false;
        self.echo(input, out)?;
        if self.args.json {
            let error = json!(error.to_string());
            self.json(input.number, input.line, ("error", error), out)?;
        } else {
            writeln!(out, "    {}{error}", self.language().of("error: ", "erreur : "))?;
        }
        Ok(out.flush()?)
    }

    fn line(&mut self, input: InputLine, out: &mut impl Write) -> anyhow::Result<()> {
        let InputLine { number, line, .. } = input;
        let (command, words) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match (command, words) {
            ("help" | "aide", words) => return self.help(input, words, out),
            ("undo" | "annuler", "") => return self.undo(input, out),
            _ => {}
        }
        let language = self.language();
        let ruled = match LogLine::read(line) {
            Ok(LogLine::Remark | LogLine::Ruling(_) | LogLine::Error(_)) => {
                return self.skip(number, line, out);
            }
            Ok(LogLine::Game(about, edition, rules)) => {
                self.referee = AnyReferee::new(edition, *rules);
                self.past.clear();
                if !self.args.json {
                    writeln!(out, "{number}: {about}, {edition}")?;
                }
                return self.skip(number, line, out);
            }
            Ok(LogLine::Event(event)) => {
                let before = self.referee.clone();
                let ruled = self.referee.line_in(event, language);
                if ruled.is_ok() {
                    self.past.push((event.to_owned(), before));
                }
                ruled.map_err(|error| error.in_language(language))
            }
            Err(error) => Err(error.in_language(language)),
        };
        match ruled {
            Ok(rulings) => {
                self.echo(input, out)?;
                self.answer(number, line, &rulings, out)?;
                Ok(out.flush()?)
            }
            Err(error) => self.error(input, error, out),
        }
    }

    /// With `--json`, answers a line that is not an event with an empty list of rulings, because
    /// programs that read JSON wait for an answer to every line.
    fn skip(&self, number: usize, line: &str, out: &mut impl Write) -> anyhow::Result<()> {
        if self.args.json {
            self.json(number, line, ("rulings", json!([])), out)?;
        }
        Ok(out.flush()?)
    }

    /// Prints the answer to a line as JSON: the line, a named value and the facts.
    fn json(
        &self,
        number: usize,
        line: &str,
        (name, value): (&str, Value),
        out: &mut impl Write,
    ) -> io::Result<()> {
        let facts = self.referee.facts();
        writeln!(out, "{}", json!({ "line": number, "event": line, name: value, "facts": facts }))
    }

    fn answer(
        &self,
        number: usize,
        line: &str,
        rulings: &Rulings,
        out: &mut impl Write,
    ) -> io::Result<()> {
        if self.args.json {
            let rulings: Vec<_> = rulings.iter().collect();
            return self.json(number, line, ("rulings", json!(rulings)), out);
        }
        let facts = self.referee.facts();
        for ruling in rulings {
            writeln!(out, "    {}", ruling.in_language(self.language()))?;
        }
        writeln!(out, "    [{}]", facts.brief(self.language()))
    }
}
