//! The log of a game at the arbiter's board, event by event, in the format that `adoube referee
//! --check` reads.
//!
//! Invariant: reading the output of [`Log::text`] yields the same log with the same rulings.

use crate::board::desk::name_of;
use crate::laws::any::{AnyReferee, LineError};
use crate::laws::edition::Edition;
use crate::laws::event::read::in_lower_case;
use crate::laws::event::time::Hms;
use crate::laws::event::word;
use crate::laws::language::Language;
use crate::laws::log::{GameError, LogLine as Line, is_named};
use crate::laws::ruling::Rulings;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use std::time::Duration;

/// Maximum number of events in a log, far more than even a long game needs.
pub(in crate::board) const MAX_EVENTS: usize = 2000;
/// Maximum length of a line in characters, enough for `moves` with a thousand moves.
const MAX_LINE_LENGTH: usize = 10_000;
/// Maximum value of the regulation `perpetual-limit`, the number of positions searched for a
/// perpetual check. This is also the default value.
pub(in crate::board) const MAX_POSITIONS: usize = 20_000;
/// The prefix of a remark that preserves an event that was taken back. Programs that do not know
/// the prefix treat the line as an ordinary remark.
pub(super) const STRUCK: &str = "# struck: ";
/// The prefix of a remark after the last event: the thinking time of the current turn, as in
/// `# clock: 0:00:07.3`.
const CLOCK: &str = "# clock: ";
/// The name of the game in the first line of every new log (`game board EDITION`).
const ABOUT: &str = "board";

/// The heading of a game, as entered by the user; fields may be empty.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Heads {
    pub event: String,
    pub round: String,
    pub date: String,
    pub white: String,
    pub black: String,
}

impl Heads {
    /// Returns the fields with their names, in the order in which they are written.
    pub(crate) fn named(&self) -> [(&'static str, &String); 5] {
        let Self { event, round, date, white, black } = self;
        [("Event", event), ("Round", round), ("Date", date), ("White", white), ("Black", black)]
    }

    /// Reads a field from a remark such as `White: Anna`.
    fn take(&mut self, remark: &str) {
        let Some((name, value)) = remark.split_once(':') else { return };
        let Self { event, round, date, white, black } = self;
        let head = match name.trim() {
            "Event" => event,
            "Round" => round,
            "Date" => date,
            "White" => white,
            "Black" => black,
            _ => return,
        };
        *head = name_of(value);
    }
}

/// The terms of a new game.
#[derive(Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct LogTerms {
    pub edition: Edition,
    /// The regulations, as in the first line of a log: `time = "90m+30", lateness = 900`.
    #[serde(default)]
    pub rules: String,
    #[serde(default)]
    pub heads: Heads,
}

/// An error in a log, or an event that is not possible.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(in crate::board) enum LogError {
    #[error("the regulations are too long or are not one line of text")]
    Regulations,
    #[error(transparent)]
    Game(#[from] GameError),
    #[error("perpetual-limit can be at most {MAX_POSITIONS} on the arbiter's board")]
    PerpetualLimit,
    #[error("the first line must name the game and the edition, such as `game N-02 fide-2009`")]
    NotAGame,
    #[error("an event must follow a line such as `game N-02 fide-2009`")]
    BeforeGame,
    #[error("no game found: a log begins with a line such as `game N-02 fide-2009`")]
    NoGame,
    #[error("the line is too long")]
    LineTooLong,
    #[error("a log has at most {MAX_EVENTS} events here")]
    TooManyEvents,
    #[error(transparent)]
    Event(#[from] LineError),
    /// An error in a line of a file; line numbers start at 1.
    #[error("line {line}: {error}")]
    Line { line: usize, error: Box<Self> },
}

/// An event and its rulings.
#[derive(Clone, Debug)]
pub(in crate::board) struct Entry {
    pub line: String,
    pub rulings: Rulings,
    /// The referee after the event.
    referee: AnyReferee,
}

impl Entry {
    /// Returns the entry as lines of a log file: the event, then its rulings. Routine rulings are
    /// omitted.
    pub(crate) fn text(&self) -> String {
        let mut text = format!("{}\n", self.line);
        for ruling in self.rulings.iter().filter(is_named) {
            let _ = writeln!(text, "= {}", ruling.log_text());
        }
        text
    }
}

/// A game with its rulings.
#[derive(Clone, Debug)]
pub(in crate::board) struct Log {
    pub heads: Heads,
    pub edition: Edition,
    first: String,
    start: AnyReferee,
    entries: Vec<Entry>,
    /// The events that were taken back, each with the number of entries before it.
    struck: Vec<(usize, String)>,
    /// The thinking time of the current turn according to the file, if its clock was started.
    clock: Option<Duration>,
}

#[derive(Default, Debug)]
pub(super) struct LogPart {
    /// The first game up to its first fault, or `None` if no game could be read.
    pub log: Option<Log>,
    /// Set if the file contains further games.
    pub more: bool,
    pub fault: Option<(usize, LogError)>,
}

impl Log {
    /// Creates a log without events. Fails if the regulations are invalid.
    pub(crate) fn new(terms: LogTerms) -> Result<Self, LogError> {
        let LogTerms { edition, rules, heads } = terms;
        let one_line = rules.lines().map(str::trim).filter(|line| !line.is_empty());
        let rules = one_line.collect::<Vec<_>>().join(", ");
        let first = format!("game {ABOUT} {edition} {rules}").trim_end().to_owned();
        let mut log = Self::begin(&first)?;
        let Heads { event, round, date, white, black } = heads;
        let [event, round, date, white, black] =
            [event, round, date, white, black].map(|text| name_of(&text));
        log.heads = Heads { event, round, date, white, black };
        Ok(log)
    }

    /// Creates a log from its first line.
    fn begin(first: &str) -> Result<Self, LogError> {
        let first: String = first.trim().to_owned();
        if first.chars().count() > MAX_LINE_LENGTH || first.contains(char::is_control) {
            return Err(LogError::Regulations);
        }
        let Line::Game(_, edition, rules) = Line::read(&first)? else {
            return Err(LogError::NotAGame);
        };
        if rules.perpetual_limit > MAX_POSITIONS {
            return Err(LogError::PerpetualLimit);
        }
        let start = AnyReferee::new(edition, *rules);
        let (heads, entries, struck) = (Heads::default(), Vec::new(), Vec::new());
        Ok(Self { heads, edition, first, start, entries, struck, clock: None })
    }

    /// Reads the first game in a file of logs and applies its events. Also returns whether the file
    /// contains further games.
    pub fn read(text: &str) -> Result<(Self, bool), LogError> {
        let LogPart { log, more, fault } = Self::read_part(text);
        match fault {
            Some((line, error)) => Err(LogError::Line { line, error: Box::new(error) }),
            None => log.map(|log| (log, more)).ok_or(LogError::NoGame),
        }
    }

    /// Reads the first game in a file of logs, up to the first line that cannot be read.
    pub(super) fn read_part(text: &str) -> LogPart {
        let mut part = LogPart::default();
        let mut heads = Heads::default();
        let mut lines = text.lines().map(str::trim).enumerate().peekable();
        while let Some((index, line)) = lines.next() {
            let fault = match (Line::read(line), &mut part.log) {
                (Err(error), _) => Some(error.into()),
                (Ok(Line::Remark), log) => {
                    match (line.strip_prefix(STRUCK), clock_of(line), log) {
                        (Some(event), _, Some(log)) => log.strike(event),
                        (_, Some(clock), Some(log)) => log.clock = Some(clock),
                        _ => heads.take(line.trim_start_matches('#')),
                    }
                    None
                }
                (Ok(Line::Game(..)), Some(_)) => {
                    part.more = true;
                    break;
                }
                (Ok(Line::Game(..)), None) => match Self::begin(line) {
                    Ok(log) => {
                        part.log = Some(log);
                        None
                    }
                    Err(error) => Some(error),
                },
                (Ok(_), None) => Some(LogError::BeforeGame),
                (Ok(Line::Ruling(_) | Line::Error(_)), Some(_)) => None,
                (Ok(Line::Event(event)), Some(log)) => {
                    // A line that starts with `!` follows an event that the referee rejected. The
                    // rejected event has no effect.
                    let refused = lines.peek().is_some_and(|(_, next)| next.starts_with('!'));
                    log.rule(event, Language::English).err().filter(|_| !refused)
                }
            };
            if let Some(error) = fault {
                part.fault = Some((index + 1, error));
                break;
            }
        }
        if let Some(log) = &mut part.log {
            log.heads = heads;
        }
        part
    }

    pub fn referee(&self) -> &AnyReferee {
        self.entries.last().map_or(&self.start, |entry| &entry.referee)
    }

    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Returns all states of the referee: before the first event, and after each event.
    pub(crate) fn referees(&self) -> impl Iterator<Item = &AnyReferee> {
        [&self.start].into_iter().chain(self.entries.iter().map(|entry| &entry.referee))
    }

    /// Applies a line: an event, or `moves` followed by moves that are applied as separate events.
    /// If this fails, the log is unchanged.
    pub fn rule(&mut self, line: &str, language: Language) -> Result<(), LogError> {
        if line.chars().count() > MAX_LINE_LENGTH {
            return Err(LogError::LineTooLong);
        }
        let lower = in_lower_case(line);
        let Some(moves) = lower.trim_start().strip_prefix("moves ") else {
            return self.rule_event(line.trim(), language);
        };
        let before = self.entries.len();
        for m in moves.split_whitespace() {
            let side = self.referee().facts().to_move;
            if let Err(error) = self.rule_event(&format!("{} move {m}", word(side)), language) {
                self.entries.truncate(before);
                return Err(error);
            }
        }
        Ok(())
    }

    fn rule_event(&mut self, line: &str, language: Language) -> Result<(), LogError> {
        if self.entries.len() >= MAX_EVENTS {
            return Err(LogError::TooManyEvents);
        }
        let mut referee = self.referee().clone();
        let rulings = referee.line_in(line, language)?;
        let line = referee.last_event().unwrap_or_default();
        self.entries.push(Entry { line, rulings, referee });
        self.clock = None;
        Ok(())
    }

    /// Shortens the log to its first `events` events.
    pub(crate) fn truncate(&mut self, events: usize) {
        self.entries.truncate(events);
        self.struck.retain(|(before, _)| *before <= events);
    }

    /// Takes back the last event, which stays in the log as a struck line. Returns whether there
    /// was an event.
    pub(crate) fn take_back(&mut self) -> bool {
        let Some(entry) = self.entries.pop() else { return false };
        let left = self.entries.len();
        // Insert the struck line before the lines that were struck after the event.
        let at = self.struck.partition_point(|(before, _)| *before <= left);
        self.struck[at..].iter_mut().for_each(|(before, _)| *before = left);
        if self.struck.len() < MAX_EVENTS {
            self.struck.insert(at, (left, entry.line));
        }
        true
    }

    /// Returns the thinking time of the current turn, if the log was read from a file that contains
    /// this time.
    pub(super) const fn clock(&self) -> Option<Duration> {
        self.clock
    }

    /// Adds a struck line after the last event.
    fn strike(&mut self, line: &str) {
        if self.struck.len() < MAX_EVENTS && line.chars().count() <= MAX_LINE_LENGTH {
            self.struck.push((self.entries.len(), line.trim().to_owned()));
        }
    }

    /// Returns the events that were taken back, each with the number of events before it.
    pub(crate) fn struck(&self) -> &[(usize, String)] {
        &self.struck
    }

    /// Returns the part of the file before the first event.
    pub(crate) fn head(&self) -> String {
        let mut text = String::new();
        for (name, value) in self.heads.named().iter().filter(|(_, value)| !value.is_empty()) {
            let _ = writeln!(text, "# {name}: {value}");
        }
        text + &self.first + "\n"
    }

    pub(crate) fn text(&self) -> String {
        let mut text = self.head();
        let mut struck = self.struck.iter().peekable();
        for number in 0..=self.entries.len() {
            while let Some((_, line)) = struck.next_if(|(before, _)| *before <= number) {
                let _ = writeln!(text, "{STRUCK}{line}");
            }
            text.extend(self.entries.get(number).map(Entry::text));
        }
        text
    }
}

/// Returns the last line of a stored log, which contains the thinking time of the current turn.
pub(super) fn clock_line(taken: Duration) -> String {
    let tenths = Duration::from_millis(taken.as_millis() as u64 / 100 * 100);
    format!("{CLOCK}{}\n", Hms(tenths))
}

/// Parses a line in the format of [`clock_line`].
pub(super) fn clock_of(line: &str) -> Option<Duration> {
    let Hms(taken) = line.strip_prefix(CLOCK)?.parse().ok()?;
    Some(taken)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::laws::{index, log};

    fn terms(edition: Edition, rules: &str) -> LogTerms {
        let white = "Anna\n= <b>".to_owned();
        let heads = Heads { white, ..Heads::default() };
        LogTerms { edition, rules: rules.to_owned(), heads }
    }

    #[test]
    fn log_round_trips_and_passes_the_check() {
        let terms = terms(Edition::Fide2009, "time = \"60m\"\nlateness = 900");
        let mut log = Log::new(terms).unwrap();
        for line in ["moves e4 e5 Nf3", "white press +12.5", "black offer", "white refuse"] {
            log.rule(line, Language::English).unwrap();
        }
        assert!(log.rule("moves Nc6 Nc6", Language::English).is_err());
        assert_eq!(log.entries().len(), 6, "nothing has changed");
        log.rule("black move Cc6", Language::French).unwrap();
        let text = log.text();
        assert!(text.starts_with("# White: Anna = <b>\ngame board fide-2009 time = \"60m\", late"));
        assert!(text.contains("\nblack move b8c6\n"), "{text}");
        let (again, more) = Log::read(&text).unwrap();
        assert_eq!((again.text(), more), (text.clone(), false));
        assert_eq!(again.heads.white, "Anna = <b>");
        let [checked] = &log::check(&text, None).unwrap()[..] else { panic!("{text}") };
        assert!(checked.failures.is_empty() && checked.passed > 0, "{checked:?}");
    }

    #[test]
    fn reads_the_clock_after_the_last_event() {
        let mut log = Log::new(terms(Edition::Fide2009, "time = \"60m\"")).unwrap();
        log.rule("moves e4", Language::English).unwrap();
        let text = log.text() + &clock_line(Duration::from_millis(7340));
        assert!(text.ends_with("\n# clock: 0:00:07.3\n"), "{text}");
        let (mut again, _) = Log::read(&text).unwrap();
        assert_eq!(again.clock(), Some(Duration::from_millis(7300)));
        assert_eq!(again.text(), log.text());
        let [checked] = &log::check(&text, None).unwrap()[..] else { panic!("{text}") };
        assert!(checked.failures.is_empty(), "{checked:?}");
        again.rule("white press +8", Language::English).unwrap();
        assert_eq!(again.clock(), None, "another turn has begun");
    }

    #[test]
    fn keeps_struck_lines_as_remarks() {
        let mut log = Log::new(terms(Edition::Fide2009, "")).unwrap();
        log.rule("moves e4 e5", Language::English).unwrap();
        assert!(log.take_back() && log.take_back());
        log.rule("moves d4 d5", Language::English).unwrap();
        assert!(log.take_back());
        log.rule("moves d6", Language::English).unwrap();
        let text = log.text();
        let lines: Vec<_> = text.lines().skip(2).filter(|line| !line.starts_with('=')).collect();
        let expected = [
            "# struck: white move e2e4",
            "# struck: black move e7e5",
            "white move d2d4",
            "# struck: black move d7d5",
            "black move d7d6",
        ];
        assert_eq!(lines, expected);
        let (again, _) = Log::read(&text).unwrap();
        assert_eq!((again.text(), again.struck()), (text.clone(), log.struck()));
        let [checked] = &log::check(&text, None).unwrap()[..] else { panic!("{text}") };
        assert!(checked.failures.is_empty(), "{checked:?}");
        log.truncate(0);
        assert!(!log.take_back());
        assert_eq!(log.struck().len(), 2);
    }

    /// Opens every game in the example logs of the laws, and checks the log that is written back.
    #[test]
    fn opens_every_log_of_the_laws() {
        let mut games = 0;
        for (name, text) in index::LOGS {
            let mut parts: Vec<String> = Vec::new();
            for line in text.lines().filter(|line| !line.starts_with('#')) {
                if line.starts_with("game ") {
                    parts.push(String::new());
                }
                let Some(part) = parts.last_mut() else { continue };
                *part = format!("{part}{line}\n");
            }
            for part in parts {
                let (log, _) =
                    Log::read(&part).unwrap_or_else(|why| panic!("{name}: {why}\n{part}"));
                for game in log::check(&log.text(), None).unwrap() {
                    assert!(game.failures.is_empty(), "{name}: {:?}", game.failures);
                    games += 1;
                }
            }
        }
        assert!(games > 300, "{games}");
    }

    #[test]
    fn rejects_texts_that_are_not_logs() {
        for text in [
            "",
            "white move e4",
            "game board go",
            "game x fide-2009\nwhite move e5",
            "game x fide-2009 perpetual-limit = 1000000",
            "game x fide-2009 path = 1",
        ] {
            assert!(Log::read(text).is_err(), "{text}");
        }
        assert!(Log::new(terms(Edition::Fmjd, &"#".repeat(1000))).is_err());
        assert!(Log::new(terms(Edition::Fmjd, "time = \"soon\"")).is_err());
        let (_, more) = Log::read("game x fmjd\nmoves 32-28\ngame y fmjd\n").unwrap();
        assert!(more);
    }
}
