//! Logs of games: one event per line, followed by the rulings expected for it.
//!
//! | line | meaning |
//! |---|---|
//! | `game N-02 fide-2009 time = "60+1"` | a new game: catalogue row, edition, regulations |
//! | `# ...`, or an empty line | a remark |
//! | `= repetition: drawn (9.2 b)` | a ruling expected for the preceding event |
//! | `! no such piece` | the preceding event is refused with an error that contains this text |
//! | any other line | an event |
//!
//! A log lists every ruling on an event, except the ruling that a move was made. It leaves out the
//! notes of rulings.

use crate::laws::any::AnyReferee;
use crate::laws::edition::{Edition, EditionError};
use crate::laws::language::Language;
use crate::laws::regulations::Regulations;
use crate::laws::rule::Rule;
use crate::laws::ruling::{Decision, Ruling};

#[derive(Clone, PartialEq, Debug)]
pub enum LogLine<'a> {
    Remark,
    /// The start of a game: its catalogue row, edition and regulations.
    Game(&'a str, Edition, Box<Regulations>),
    Ruling(&'a str),
    Error(&'a str),
    Event(&'a str),
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GameError {
    #[error(
        "a game begins with `game ABOUT EDITION` and its regulations, as in `game N-02 fide-2009 time = \"60+1\"`"
    )]
    Short,
    #[error(transparent)]
    Edition(#[from] EditionError),
    #[error("{0}")]
    Settings(String),
}

impl<'a> LogLine<'a> {
    pub fn read(line: &'a str) -> Result<Self, GameError> {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            return Ok(Self::Remark);
        }
        if let Some(ruling) = line.strip_prefix('=') {
            return Ok(Self::Ruling(ruling.trim()));
        }
        if let Some(error) = line.strip_prefix('!') {
            return Ok(Self::Error(error.trim()));
        }
        let Some(game) = line.strip_prefix("game ") else { return Ok(Self::Event(line)) };
        let mut words = game.trim_start().splitn(3, ' ');
        let (Some(about), Some(edition)) = (words.next(), words.next()) else {
            return Err(GameError::Short);
        };
        let settings = format!("regulations = {{ {} }}", words.next().unwrap_or_default());
        let read: Result<GameHeader, _> = toml::from_str(&settings);
        let rules = read.map_err(|error| GameError::Settings(error.message().to_owned()))?;
        Ok(Self::Game(about, edition.parse()?, Box::new(rules.regulations)))
    }
}

/// Completes a line of a log, which can be an event or a line that starts another game. The result
/// has the form of [`AnyReferee::continuations_in`].
pub(crate) fn continuations(
    referee: &AnyReferee,
    line: &str,
    language: Language,
) -> (usize, Vec<String>) {
    let (from, mut found) = referee.continuations_in(line, language);
    let (before, partial) = line.split_at_checked(from).unwrap_or_default();
    let words: Vec<&str> = before.split_whitespace().collect();
    let more: &[&str] = match words[..] {
        [] => &["game"],
        ["game", _] => &Edition::ALL.map(Edition::id),
        _ => &[],
    };
    found.extend(
        more.iter().filter(|word| word.starts_with(partial)).map(|word| (*word).to_owned()),
    );
    (from, found)
}

/// Returns whether logs list a ruling. Logs omit the ruling that a move was made.
pub(crate) fn is_named(ruling: &&Ruling) -> bool {
    ruling.rule != Rule::Completed || ruling.decision != Decision::Stands
}

#[derive(serde::Deserialize)]
struct GameHeader {
    regulations: Regulations,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checked {
    /// The subject of the game, such as a row of the catalogue. Empty if the game has no `game`
    /// line.
    pub about: String,
    pub edition: Edition,
    pub line: usize,
    pub passed: usize,
    /// Mismatches, each with its line number.
    pub failures: Vec<String>,
}

struct Check {
    checked: Checked,
    referee: AnyReferee,
    /// The last event, with the rulings that no line has listed yet.
    last: Option<Last>,
}

struct Last {
    line: usize,
    event: String,
    answer: Result<Vec<String>, String>,
}

/// Checks every game in a log. `first` rules on the events before the first `game` line; without
/// it, the log must begin with a `game` line.
///
/// # Errors
/// Returns a syntax error together with its line number.
pub fn check(text: &str, first: Option<&AnyReferee>) -> Result<Vec<Checked>, (usize, GameError)> {
    let mut done = Vec::new();
    let mut current: Option<Check> = None;
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        let line = match LogLine::read(line).map_err(|error| (number, error))? {
            LogLine::Remark => continue,
            LogLine::Game(about, edition, rules) => {
                done.extend(current.take().map(Check::close));
                current = Some(Check::new(about, number, AnyReferee::new(edition, *rules)));
                continue;
            }
            line => line,
        };
        let check = match (&mut current, first) {
            (Some(check), _) => check,
            (none, Some(first)) => none.insert(Check::new("", number, first.clone())),
            (None, None) => return Err((number, GameError::Short)),
        };
        match line {
            LogLine::Remark | LogLine::Game(..) => {}
            LogLine::Event(event) => check.event(number, event),
            LogLine::Ruling(ruling) => check.ruling(number, ruling),
            LogLine::Error(error) => check.error(number, error),
        }
    }
    done.extend(current.map(Check::close));
    Ok(done)
}

impl Check {
    fn new(about: &str, line: usize, referee: AnyReferee) -> Self {
        let (about, edition) = (about.to_owned(), referee.edition());
        let checked = Checked { about, edition, line, passed: 0, failures: Vec::new() };
        Self { checked, referee, last: None }
    }

    fn event(&mut self, line: usize, event: &str) {
        self.settle();
        let before = self.referee.clone();
        let answer = self.referee.line(event);
        if answer.is_err() && before != self.referee {
            self.checked
                .failures
                .push(format!("{line}: '{event}' was refused and changed the game"));
        }
        let answer = answer
            .map(|rulings| rulings.iter().filter(is_named).map(Ruling::log_text).collect())
            .map_err(|error| error.to_string());
        self.last = Some(Last { line, event: event.to_owned(), answer });
    }

    fn ruling(&mut self, line: usize, ruling: &str) {
        let found = match &mut self.last {
            Some(Last { answer: Ok(left), .. }) if left.first().is_some_and(|l| l == ruling) => {
                left.remove(0);
                true
            }
            _ => false,
        };
        self.note(found, line, ruling);
    }

    fn error(&mut self, line: usize, error: &str) {
        let found = match &mut self.last {
            Some(last) if last.answer.as_ref().is_err_and(|text| text.contains(error)) => {
                last.answer = Ok(Vec::new());
                true
            }
            _ => false,
        };
        self.note(found, line, error);
    }

    fn note(&mut self, found: bool, line: usize, expected: &str) {
        if found {
            self.checked.passed += 1;
            return;
        }
        let came = match self.last.as_ref().map(|last| &last.answer) {
            Some(Ok(left)) if left.is_empty() => "nothing".to_owned(),
            Some(Ok(left)) => left.join("; "),
            Some(Err(error)) => format!("the error {error}"),
            None => "nothing".to_owned(),
        };
        self.checked.failures.push(format!("{line}: expected '{expected}', got {came}"));
        if let Some(last) = &mut self.last {
            last.answer = Ok(Vec::new());
        }
    }

    /// Records a failure if the last event has rulings or an error that no line has listed.
    fn settle(&mut self) {
        let Some(Last { line, event, answer }) = self.last.take() else { return };
        let unnamed = match answer {
            Ok(left) if left.is_empty() => return,
            Ok(left) => left.join("; "),
            Err(error) => format!("the error {error}"),
        };
        let fault = format!("{line}: '{event}' also gave {unnamed}, which the log does not list");
        self.checked.failures.push(fault);
    }

    fn close(mut self) -> Checked {
        self.settle();
        self.checked
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_before_the_first_game_line_are_checked_with_the_given_referee() {
        let events = "white touch e2\nwhite move d2d4\n! nothing\n";
        let log = format!("{events}game T-01 fide-1928\n{events}");
        let first = AnyReferee::new(Edition::Fide2009, Regulations::default());
        let games = check(&log, Some(&first)).expect("a log");
        let found: Vec<_> =
            games.iter().map(|game| (game.about.as_str(), game.edition, game.line)).collect();
        assert_eq!(found, [("", Edition::Fide2009, 1), ("T-01", Edition::Fide1928, 4)]);
        assert!(games.iter().all(|game| !game.failures.is_empty()));
        assert_eq!(check(&log, None), Err((1, GameError::Short)));
    }

    #[test]
    fn only_logs_offer_the_start_of_another_game() {
        let mut referee = AnyReferee::new(Edition::Fide2023, Regulations::default());
        let found = |line| continuations(&referee, line, Language::English).1;
        assert_eq!(found("g"), ["game"]);
        assert_eq!(found("game K-01 f"), Edition::ALL.map(Edition::id));
        assert!(found("").contains(&"moves".to_owned()));
        assert!(found("game ").is_empty() && found("white g").is_empty());
        // The referee itself does not accept `game` lines.
        assert!(!referee.continuations("").1.contains(&"game".to_owned()));
        assert!(referee.line("game K-01 fide-2023").is_err());
    }
}
