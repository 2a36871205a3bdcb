//! Commands from the interface to the engine: one [`Command`] per line.

use super::line::{HubLine, HubLineError, Value};
use crate::base::cursor::excerpt;
use crate::base::span::Span;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

#[derive(Clone, PartialEq, Debug)]
pub enum Command<'a> {
    /// `hub`: identify the engine and list its parameters.
    Hub,
    /// `set-param name=... value=...`.
    SetParam {
        name: &'a str,
        value: &'a str,
    },
    /// `init`: get ready to search.
    Init,
    /// `new-game`: the next position belongs to a new game.
    NewGame,
    /// `pos pos=... [moves=...]`.
    Pos {
        /// The position in Hub format.
        pos: &'a str,
        /// The moves played from that position.
        moves: Vec<&'a str>,
    },
    /// `level ...`.
    Level(Level),
    /// `go think|ponder|analyze`.
    Go(Mode),
    PonderHit,
    Stop,
    Ping,
    Quit,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// A search for a move to play.
    Think,
    /// A search on the opponent's time.
    Ponder,
    /// An analysis of the position.
    Analyze,
}

/// The limits of the following searches. A limit that is `None` does not apply.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Level {
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    pub move_time: Option<Duration>,
    /// The number of moves until the next time control.
    pub moves: Option<u32>,
    /// The remaining time, not including the increment for the next move.
    pub time: Option<Duration>,
    /// The increment, added before each move.
    pub inc: Duration,
    /// If true, the search runs until `stop`.
    pub infinite: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CommandError {
    #[error(transparent)]
    Line(#[from] HubLineError),
    #[error("'{command}' needs {what}")]
    Missing { command: &'static str, what: &'static str },
    #[error("'{name}={value}' in 'level': {problem}")]
    Number { name: &'static str, value: String, problem: &'static str },
}

type Result<T> = std::result::Result<T, CommandError>;

impl<'a> Command<'a> {
    /// Parses a line. Returns `None` for a blank line and for an unknown command; the protocol
    /// requires that unknown commands are ignored.
    pub fn parse(line: &'a str) -> Result<Option<Self>> {
        // An unknown command may have any syntax.
        if name(line).is_none() {
            return Ok(None);
        }
        let line = HubLine::parse(line)?;
        let need =
            |command, what, name| line.get(name).ok_or(CommandError::Missing { command, what });
        Ok(Some(match line.command {
            "hub" => Self::Hub,
            "set-param" => Self::SetParam {
                name: need("set-param", "name=...", "name")?,
                value: need("set-param", "value=...", "value")?,
            },
            "init" => Self::Init,
            "new-game" => Self::NewGame,
            "pos" => Self::Pos {
                pos: need("pos", "pos=...", "pos")?,
                moves: line.get("moves").unwrap_or_default().split_whitespace().collect(),
            },
            "level" => Self::Level(Level::read(&line)?),
            "go" if line.has("think") => Self::Go(Mode::Think),
            "go" if line.has("ponder") => Self::Go(Mode::Ponder),
            "go" if line.has("analyze") => Self::Go(Mode::Analyze),
            "go" => {
                let what = "'think', 'ponder' or 'analyze'";
                return Err(CommandError::Missing { command: "go", what });
            }
            "ponder-hit" => Self::PonderHit,
            "stop" => Self::Stop,
            "ping" => Self::Ping,
            "quit" => Self::Quit,
            _ => return Ok(None),
        }))
    }
}

/// Returns the command at the start of a line, or `None` if the command is unknown. The line may be
/// malformed.
pub(crate) fn name(line: &str) -> Option<&str> {
    line.split_whitespace().next().filter(|command| NAMES.contains(command))
}

const NAMES: [&str; 11] = [
    "hub",
    "set-param",
    "init",
    "new-game",
    "pos",
    "level",
    "go",
    "ponder-hit",
    "stop",
    "ping",
    "quit",
];

impl Level {
    fn read(line: &HubLine<'_>) -> Result<Self> {
        let level = Self {
            depth: number(line, "depth")?,
            nodes: number(line, "nodes")?,
            move_time: seconds(line, "move-time")?,
            moves: number(line, "moves")?,
            time: seconds(line, "time")?,
            inc: seconds(line, "inc")?.unwrap_or_default(),
            infinite: line.has("infinite"),
        };
        let Self { depth, nodes, move_time, time, infinite, .. } = level;
        let limited = depth.is_some() || nodes.is_some() || move_time.is_some() || time.is_some();
        if limited || infinite {
            Ok(level)
        } else {
            let what = "depth, nodes, move-time, time or infinite";
            Err(CommandError::Missing { command: "level", what })
        }
    }
}

/// Parses a whole number. Numbers below 1 count as 1.
fn number<T: FromStr + Ord + From<u8>>(
    line: &HubLine<'_>,
    name: &'static str,
) -> Result<Option<T>> {
    line.get(name)
        .map(|value| {
            let number = value
                .parse()
                .ok()
                .or_else(|| value.parse::<i64>().is_ok_and(|n| n < 0).then(|| T::from(1)));
            number.map(|n: T| n.max(T::from(1))).ok_or_else(|| CommandError::Number {
                name,
                value: excerpt(value),
                problem: "not a whole number",
            })
        })
        .transpose()
}

/// Parses a number of seconds. A negative number, as sent after a loss on time, counts as zero.
fn seconds(line: &HubLine<'_>, name: &'static str) -> Result<Option<Duration>> {
    let problem = "not a number of seconds";
    let read = |value| match Span::seconds(value) {
        Some(span) => Ok(span.time()),
        None => Err(CommandError::Number { name, value: excerpt(value), problem }),
    };
    line.get(name).map(read).transpose()
}

impl fmt::Display for Command<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hub => f.write_str("hub"),
            Self::SetParam { name, value } => {
                write!(f, "set-param name={} value={}", Value(name), Value(value))
            }
            Self::Init => f.write_str("init"),
            Self::NewGame => f.write_str("new-game"),
            Self::Pos { pos, moves } if moves.is_empty() => write!(f, "pos pos={}", Value(pos)),
            Self::Pos { pos, moves } => {
                write!(f, "pos pos={} moves=\"{}\"", Value(pos), moves.join(" "))
            }
            Self::Level(level) => level.fmt(f),
            Self::Go(Mode::Think) => f.write_str("go think"),
            Self::Go(Mode::Ponder) => f.write_str("go ponder"),
            Self::Go(Mode::Analyze) => f.write_str("go analyze"),
            Self::PonderHit => f.write_str("ponder-hit"),
            Self::Stop => f.write_str("stop"),
            Self::Ping => f.write_str("ping"),
            Self::Quit => f.write_str("quit"),
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { depth, nodes, move_time, moves, time, inc, infinite } = *self;
        let inc = Some(inc).filter(|inc| !inc.is_zero());
        f.write_str("level")?;
        for (name, value) in [
            ("depth", depth.map(|plies| plies.to_string())),
            ("nodes", nodes.map(|nodes| nodes.to_string())),
            ("move-time", move_time.map(|time| in_seconds(time, 0))),
            ("moves", moves.map(|moves| moves.to_string())),
            // GUIs write clock times with three decimal places.
            ("time", time.map(|time| in_seconds(time, 3))),
            ("inc", inc.map(|time| in_seconds(time, 0))),
        ] {
            value.map_or(Ok(()), |value| write!(f, " {name}={value}"))?;
        }
        f.write_str(if infinite { " infinite" } else { "" })
    }
}

/// Formats a time in seconds without rounding, with at least `decimals` decimal places (at most 9).
fn in_seconds(time: Duration, decimals: usize) -> String {
    let text = format!("{}.{:09}", time.as_secs(), time.subsec_nanos());
    let (fixed, rest) = text.split_at(text.len() - 9 + decimals);
    let exact = format!("{fixed}{}", rest.trim_end_matches('0'));
    exact.trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Option<Command<'_>> {
        Command::parse(line).unwrap_or_else(|error| panic!("{line}: {error}"))
    }

    #[test]
    fn parses_every_command() {
        assert_eq!(parse("hub"), Some(Command::Hub));
        assert_eq!(
            parse("set-param name=variant value=\"normal\" more=1"),
            Some(Command::SetParam { name: "variant", value: "normal" })
        );
        assert_eq!(parse(" init "), Some(Command::Init));
        assert_eq!(
            parse("pos pos=We moves=\"32-28  19-23\""),
            Some(Command::Pos { pos: "We", moves: vec!["32-28", "19-23"] })
        );
        assert_eq!(parse("pos pos=We"), Some(Command::Pos { pos: "We", moves: vec![] }));
        for (word, mode) in
            [("think", Mode::Think), ("ponder", Mode::Ponder), ("analyze", Mode::Analyze)]
        {
            assert_eq!(parse(&format!("go {word}")), Some(Command::Go(mode)));
        }
        for (line, command) in [
            ("new-game", Command::NewGame),
            ("ponder-hit", Command::PonderHit),
            ("stop", Command::Stop),
            ("ping now", Command::Ping),
            ("quit", Command::Quit),
        ] {
            assert_eq!(parse(line), Some(command));
        }
    }

    #[test]
    fn commands_round_trip() {
        for line in [
            "hub",
            "set-param name=threads value=2",
            "set-param name=log-file value=\"\"",
            "set-param name=log-file value=\"my log.txt\"",
            "init",
            "new-game",
            "pos pos=We",
            "pos pos=We moves=\"32-28\"",
            "pos pos=We moves=\"32-28 19-23\"",
            "level infinite",
            "level move-time=0.2",
            "level move-time=1",
            "level moves=9 time=61.000 inc=0.5",
            "level time=0.0012",
            "level depth=3 nodes=9 move-time=2 moves=4 time=0.000 inc=0.000000001 infinite",
            "go think",
            "go ponder",
            "go analyze",
            "ponder-hit",
            "stop",
            "ping",
            "quit",
        ] {
            assert_eq!(parse(line).map(|command| command.to_string()).as_deref(), Some(line));
        }
    }

    #[test]
    fn ignores_unknown_commands() {
        for line in ["", "hello", "uci", "Hub", "dance \"how"] {
            assert_eq!(parse(line), None, "{line}");
        }
    }

    #[test]
    fn parses_levels() {
        let level = |line| match parse(line) {
            Some(Command::Level(level)) => level,
            other => panic!("{line}: {other:?}"),
        };
        let none = Level::default();
        assert_eq!(level("level depth=9"), Level { depth: Some(9), ..none });
        assert_eq!(level("level nodes=9000"), Level { nodes: Some(9000), ..none });
        let half = Duration::from_millis(500);
        assert_eq!(level("level move-time=0.5"), Level { move_time: Some(half), ..none });
        assert_eq!(level("level infinite"), Level { infinite: true, ..none });
        assert_eq!(
            level("level moves=9 time=0.5 inc=.5"),
            Level { moves: Some(9), time: Some(half), inc: half, ..none }
        );
        assert_eq!(level("level time=-3").time, Some(Duration::ZERO));
        assert_eq!(level("level depth=-3 moves=0").depth, Some(1));
        let longest = level("level time=1.8e19 inc=1e30");
        assert_eq!((longest.time, longest.inc), (Some(Span::MAX), Span::MAX));
    }

    #[test]
    fn errors_name_the_faulty_argument() {
        for (line, error) in [
            ("set-param name=x", "'set-param' needs value=..."),
            ("pos", "'pos' needs pos=..."),
            ("go", "'go' needs 'think', 'ponder' or 'analyze'"),
            ("level", "'level' needs depth, nodes, move-time, time or infinite"),
            ("level depth=x", "'depth=x' in 'level': not a whole number"),
            ("level time=NaN", "'time=NaN' in 'level': not a number of seconds"),
            ("level inc=1e", "'inc=1e' in 'level': not a number of seconds"),
            ("pos pos=W moves=\"32-28", "the quotation mark after 'moves=' is not closed"),
        ] {
            let found = Command::parse(line).map_err(|e| e.to_string());
            assert_eq!(found, Err(error.to_owned()), "{line}");
        }
    }
}
