//! Commands from the interface to the engine: one [`Command`] per line.
//!
//! Unknown words before a command are skipped, as the specification requires: `joho debug on` means
//! `debug on`. Adoube's own commands, however, must be the first word of a line. Unknown words and
//! unusable limits inside `go` are skipped too, because every `go` must be answered with a move.

use crate::base::span::Span;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command<'a> {
    /// `uci`: identify the engine and list its options.
    Uci,
    Debug(bool),
    IsReady,
    /// `setoption name <name> [value <value>]`.
    SetOption {
        /// The case-insensitive name of the option.
        name: String,
        /// The value; `None` if the line has no `value` field, as for a button.
        value: Option<String>,
    },
    /// `register later` or `register name <name> code <code>`; Adoube needs no registration.
    Register {
        later: bool,
    },
    UciNewGame,
    /// `position startpos|fen <fen> [moves <move>...]`.
    Position {
        /// The FEN; `None` for the start position.
        fen: Option<String>,
        /// The moves played from the start position or FEN.
        moves: Vec<&'a str>,
    },
    Go(Go<'a>),
    /// `go perft <depth>` or `perft <depth>`: counts the leaves below each move.
    Perft(u32),
    Stop,
    PonderHit,
    Quit,
    /// `d`: show the position.
    Display,
    Eval,
    /// `bench [depth] [threads] [hash]`.
    Bench(Vec<u32>),
    /// `flip`: swap the colours.
    Flip,
    Help,
}

/// The fields of `go`. A limit that is `None` does not apply.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Go<'a> {
    pub searchmoves: Vec<&'a str>,
    /// If true, the search runs on the opponent's time.
    pub ponder: bool,
    pub wtime: Option<Duration>,
    pub btime: Option<Duration>,
    pub winc: Option<Duration>,
    pub binc: Option<Duration>,
    /// The number of moves until the next time control.
    pub movestogo: Option<u32>,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    /// The search ends when it finds a mate in at most this many moves.
    pub mate: Option<u32>,
    pub movetime: Option<Duration>,
    /// If true, the search runs until `stop`.
    pub infinite: bool,
    /// The unknown words, which are parsed but not printed.
    pub unknown: Vec<&'a str>,
    /// The errors in fields with a missing or invalid value. They are collected by the parser and
    /// not printed.
    pub unusable: Vec<CommandError>,
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CommandError {
    #[error("unknown command '{0}'; 'help' lists the commands")]
    Unknown(String),
    #[error("'{after}' must be followed by {expected}")]
    Missing { after: String, expected: &'static str },
    #[error("'{found}' after '{after}': expected {expected}")]
    Unexpected { after: String, found: String, expected: &'static str },
}

type Result<T> = std::result::Result<T, CommandError>;

impl<'a> Command<'a> {
    pub fn parse(line: &'a str) -> Result<Option<Self>> {
        let tokens: Vec<&str> = line.split_whitespace().collect();
        let Some(first) = tokens.first() else { return Ok(None) };
        own(&tokens)
            .or_else(|| standard(&tokens[tokens.iter().position(|word| is_standard(word))?..]))
            .unwrap_or_else(|| Err(CommandError::Unknown((*first).to_owned())))
            .map(Some)
    }
}

/// Returns the standard command in a line. Unknown words may precede the command, but not one of
/// Adoube's own commands. The arguments may be malformed.
pub(crate) fn standard_name(line: &str) -> Option<&str> {
    let tokens: Vec<&str> = line.split_whitespace().collect();
    if own(&tokens).is_some() {
        return None;
    }
    tokens.into_iter().find(|word| is_standard(word))
}

fn is_standard(word: &str) -> bool {
    const NAMES: [&str; 11] = [
        "uci",
        "debug",
        "isready",
        "setoption",
        "register",
        "ucinewgame",
        "position",
        "go",
        "stop",
        "ponderhit",
        "quit",
    ];
    NAMES.contains(&word)
}

/// Parses a standard command. Returns `None` if the first word is not a standard command.
fn standard<'a>(tokens: &[&'a str]) -> Option<Result<Command<'a>>> {
    Some(match tokens {
        ["uci", ..] => Ok(Command::Uci),
        ["debug", "on", ..] => Ok(Command::Debug(true)),
        ["debug", "off", ..] => Ok(Command::Debug(false)),
        ["debug", rest @ ..] => Err(wrong("debug", rest, "on or off")),
        ["isready", ..] => Ok(Command::IsReady),
        ["setoption", "name", words @ ..] => set_option(words),
        ["setoption", rest @ ..] => Err(wrong("setoption", rest, "'name'")),
        ["register", rest @ ..] => Ok(Command::Register { later: rest.first() == Some(&"later") }),
        ["ucinewgame", ..] => Ok(Command::UciNewGame),
        ["position", rest @ ..] => position(rest),
        ["go", "perft", rest @ ..] => perft(rest),
        ["go", tokens @ ..] => Ok(Command::Go(go(tokens))),
        ["stop", ..] => Ok(Command::Stop),
        ["ponderhit", ..] => Ok(Command::PonderHit),
        ["quit", ..] => Ok(Command::Quit),
        _ => return None,
    })
}

/// Parses one of Adoube's own commands. Returns `None` if the first word is not such a command.
fn own<'a>(tokens: &[&'a str]) -> Option<Result<Command<'a>>> {
    Some(match tokens {
        ["d", ..] => Ok(Command::Display),
        ["eval", ..] => Ok(Command::Eval),
        ["flip", ..] => Ok(Command::Flip),
        ["help", ..] => Ok(Command::Help),
        ["perft", rest @ ..] => perft(rest),
        ["bench", rest @ ..] => rest
            .iter()
            .map(|&text| number::<u32>("bench", text))
            .collect::<Result<_>>()
            .map(Command::Bench),
        _ => return None,
    })
}

fn set_option<'a>(words: &[&'a str]) -> Result<Command<'a>> {
    let (name, value) = match words.iter().position(|&word| word == "value") {
        Some(at) => (&words[..at], Some(words[at + 1..].join(" "))),
        None => (words, None),
    };
    if name.is_empty() {
        return Err(wrong("name", words, "the name of an option"));
    }
    Ok(Command::SetOption { name: name.join(" "), value })
}

fn position<'a>(tokens: &[&'a str]) -> Result<Command<'a>> {
    let (start, moves) = match tokens.iter().position(|&word| word == "moves") {
        Some(at) => (&tokens[..at], tokens[at + 1..].to_vec()),
        None => (tokens, Vec::new()),
    };
    let fen = match start {
        ["startpos"] => None,
        ["startpos", rest @ ..] => return Err(wrong("startpos", rest, "'moves'")),
        ["fen", fields @ ..] if !fields.is_empty() => Some(fields.join(" ")),
        ["fen", ..] => return Err(wrong("fen", &[], "a FEN")),
        rest => return Err(wrong("position", rest, "'startpos' or 'fen'")),
    };
    Ok(Command::Position { fen, moves })
}

fn perft<'a>(tokens: &[&'a str]) -> Result<Command<'a>> {
    match tokens {
        [depth, ..] => number("perft", depth).map(Command::Perft),
        [] => Err(wrong("perft", &[], "a depth")),
    }
}

fn go<'a>(tokens: &[&'a str]) -> Go<'a> {
    let mut go = Go::default();
    let mut rest = tokens;
    while let [field, tail @ ..] = rest {
        rest = tail;
        match *field {
            "ponder" => go.ponder = true,
            "infinite" => go.infinite = true,
            "searchmoves" => {
                let moves = tail.iter().take_while(|word| resembles_move(word)).count();
                go.searchmoves.extend_from_slice(&tail[..moves]);
                rest = &tail[moves..];
                if moves == 0 {
                    go.unusable.push(wrong(field, rest, "moves"));
                }
            }
            field if VALUES.contains(&field) => match value(field, &mut rest) {
                Ok(value) => go.set(field, value),
                Err(error) => go.unusable.push(error),
            },
            unknown => go.unknown.push(unknown),
        }
    }
    go
}

/// The fields of `go` that are followed by a number.
const VALUES: [&str; 9] =
    ["wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate", "movetime"];

/// Consumes and parses the value of a field. If the next word is another field, that word is not
/// consumed.
fn value(field: &str, rest: &mut &[&str]) -> Result<u64> {
    const EXPECTED: &str = "a number";
    let is_field = |word: &str| {
        VALUES.contains(&word) || matches!(word, "searchmoves" | "ponder" | "infinite")
    };
    match *rest {
        [word, after @ ..] if !is_field(word) => {
            *rest = after;
            whole(word).ok_or_else(|| wrong(field, &[word], EXPECTED))
        }
        _ => Err(wrong(field, &[], EXPECTED)),
    }
}

/// Parses a number and drops its fraction. Negative numbers, which programs send after a flag fall,
/// become zero. Numbers that are too large become the maximum.
fn whole(text: &str) -> Option<u64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    // Reject `inf` and `nan`.
    digits.starts_with(|c: char| c.is_ascii_digit()).then_some(())?;
    let real = || Some(text.parse::<f64>().ok()?.max(0.0) as u64);
    text.parse().ok().or_else(real)
}

impl Go<'_> {
    /// Returns whether the command names a limit, usable or not.
    pub(crate) fn names_limit(&self) -> bool {
        let times = [self.wtime, self.btime, self.winc, self.binc, self.movetime];
        times.iter().any(Option::is_some)
            || self.movestogo.or(self.depth).or(self.mate).is_some()
            || self.nodes.is_some()
            || !self.unusable.is_empty()
    }

    fn set(&mut self, field: &str, value: u64) {
        let time = Some(Span::from_millis(value).time());
        let count = u32::try_from(value).unwrap_or(u32::MAX);
        match field {
            "wtime" => self.wtime = time,
            "btime" => self.btime = time,
            "winc" => self.winc = time,
            "binc" => self.binc = time,
            "movetime" => self.movetime = time,
            // According to the specification, `movestogo` is sent only if it is above zero.
            "movestogo" => self.movestogo = Some(count).filter(|&moves| moves > 0),
            "depth" => self.depth = Some(count.max(1)),
            "mate" => self.mate = Some(count.max(1)),
            _ => self.nodes = Some(value.max(1)),
        }
    }
}

/// Returns whether a word looks like a move, legal or not, rather than a field of `go`.
fn resembles_move(word: &str) -> bool {
    matches!(word.as_bytes(), [_, b'0'..=b'9', ..])
}

fn number<T: FromStr>(after: &str, text: &str) -> Result<T> {
    text.parse()
        .map_err(|_| wrong(after, &[text], "a whole number, not negative and not too large"))
}

fn wrong(after: &str, rest: &[&str], expected: &'static str) -> CommandError {
    let after = after.to_owned();
    match rest.first() {
        Some(found) => CommandError::Unexpected { after, found: (*found).to_owned(), expected },
        None => CommandError::Missing { after, expected },
    }
}

impl fmt::Display for Command<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uci => f.write_str("uci"),
            Self::Debug(on) => write!(f, "debug {}", if *on { "on" } else { "off" }),
            Self::IsReady => f.write_str("isready"),
            Self::SetOption { name, value: None } => write!(f, "setoption name {name}"),
            Self::SetOption { name, value: Some(value) } => {
                write!(f, "setoption name {name} value {value}")
            }
            Self::Register { later: true } => f.write_str("register later"),
            Self::Register { later: false } => f.write_str("register"),
            Self::UciNewGame => f.write_str("ucinewgame"),
            Self::Position { fen, moves } => {
                f.write_str("position ")?;
                match fen {
                    Some(fen) => write!(f, "fen {fen}")?,
                    None => f.write_str("startpos")?,
                }
                write_list(f, "moves", moves)
            }
            Self::Go(go) => go.fmt(f),
            Self::Perft(depth) => write!(f, "perft {depth}"),
            Self::Stop => f.write_str("stop"),
            Self::PonderHit => f.write_str("ponderhit"),
            Self::Quit => f.write_str("quit"),
            Self::Display => f.write_str("d"),
            Self::Eval => f.write_str("eval"),
            Self::Bench(arguments) => {
                f.write_str("bench")?;
                arguments.iter().try_for_each(|number| write!(f, " {number}"))
            }
            Self::Flip => f.write_str("flip"),
            Self::Help => f.write_str("help"),
        }
    }
}

impl fmt::Display for Go<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = |time: Option<Duration>| time.map(|time| time.as_millis());
        let numbers = [
            ("movetime", ms(self.movetime)),
            ("wtime", ms(self.wtime)),
            ("btime", ms(self.btime)),
            ("winc", ms(self.winc)),
            ("binc", ms(self.binc)),
            ("movestogo", self.movestogo.map(u128::from)),
            ("nodes", self.nodes.map(u128::from)),
            ("depth", self.depth.map(u128::from)),
            ("mate", self.mate.map(u128::from)),
        ];
        f.write_str(if self.ponder { "go ponder" } else { "go" })?;
        for (name, value) in numbers {
            value.map_or(Ok(()), |value| write!(f, " {name} {value}"))?;
        }
        f.write_str(if self.infinite { " infinite" } else { "" })?;
        write_list(f, "searchmoves", &self.searchmoves)
    }
}

/// Writes a field that consists of several words, or nothing if `words` is empty.
fn write_list(f: &mut fmt::Formatter<'_>, name: &str, words: &[&str]) -> fmt::Result {
    if words.is_empty() { Ok(()) } else { write!(f, " {name} {}", words.join(" ")) }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Help;

impl fmt::Display for Help {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "\
uci                                   identify the engine and list its options
isready                               reply readyok, also during a search
setoption name NAME [value VALUE]     set an option
ucinewgame                            start a new game
position startpos [moves MOVE...]     set the position, as in: position startpos moves e2e4 e7e5
position fen FEN [moves MOVE...]      set the position from a FEN
go [LIMIT...]                         search; limits: wtime btime winc binc movestogo movetime
                                      (milliseconds), depth, nodes, mate, searchmoves, ponder, infinite
stop                                  stop the search: bestmove follows
ponderhit                             the opponent played the expected move
debug on|off                          turn debug messages on or off
quit                                  quit the program
d                                     show the position
eval                                  explain the evaluation of the position
perft DEPTH                           count the leaves below each move
flip                                  swap the colours
bench [DEPTH] [THREADS] [HASH]        search a fixed set of positions and count the nodes",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(line: &str) -> Command<'_> {
        Command::parse(line).expect("a command").expect("not blank")
    }

    fn error(line: &str) -> String {
        Command::parse(line).expect_err("no command").to_string()
    }

    const MS: fn(u64) -> Option<Duration> = |ms| Some(Duration::from_millis(ms));

    #[test]
    fn skips_white_space_and_unknown_words_before_a_command() {
        for line in ["debug on", "   debug     on  ", "\t  debug \t  \t\ton\t  ", "joho debug on"] {
            assert_eq!(parse(line), Command::Debug(true), "{line:?}");
        }
        assert_eq!(error("debug joho on"), "'joho' after 'debug': expected on or off");
        assert_eq!(Command::parse("  \t "), Ok(None));
        assert_eq!(error("joho"), "unknown command 'joho'; 'help' lists the commands");
        // Adoube's own commands must come first: a stray letter must not print a board.
        assert!(Command::parse("what is d").is_err());
        assert_eq!(parse("d"), Command::Display);
    }

    #[test]
    fn parses_options_with_several_words() {
        let set = |name: &str, value: Option<&str>| Command::SetOption {
            name: name.to_owned(),
            value: value.map(str::to_owned),
        };
        assert_eq!(parse("setoption name Clear Hash"), set("Clear Hash", None));
        assert_eq!(parse("setoption name Hash value 32"), set("Hash", Some("32")));
        assert_eq!(
            parse("setoption name Debug Log File value my log.txt"),
            set("Debug Log File", Some("my log.txt"))
        );
        assert_eq!(parse("setoption name Debug Log File value"), set("Debug Log File", Some("")));
        assert_eq!(error("setoption"), "'setoption' must be followed by 'name'");
        assert!(Command::parse("setoption name value 3").is_err());
    }

    #[test]
    fn parses_every_field_of_go() {
        let go = Go {
            searchmoves: vec!["e2e4", "d2d4"],
            ponder: true,
            wtime: MS(1000),
            btime: MS(0),
            winc: MS(10),
            binc: MS(20),
            movestogo: Some(40),
            depth: Some(7),
            nodes: Some(1),
            mate: Some(3),
            movetime: MS(500),
            infinite: true,
            unknown: vec!["joho"],
            unusable: vec![],
        };
        let line = "go ponder searchmoves e2e4 d2d4 wtime 1000 btime -5 joho winc 10 binc 20 movestogo 40 \
                    depth 7 nodes 0 mate 3 movetime 500 infinite";
        assert_eq!(parse(line), Command::Go(go));
        assert_eq!(parse("go"), Command::Go(Go::default()));
        assert_eq!(parse("go movestogo 0"), Command::Go(Go::default()));
        assert_eq!(parse("go perft 5"), Command::Perft(5));
    }

    #[test]
    fn go_skips_unusable_limits() {
        let go = |line: &'static str| match parse(line) {
            Command::Go(go) => go,
            other => panic!("{line}: {other:?}"),
        };
        for (line, error, usable) in [
            ("go depth", "'depth' must be followed by a number", "go"),
            ("go depth nodes 5", "'depth' must be followed by a number", "go nodes 5"),
            ("go mate infinite", "'mate' must be followed by a number", "go infinite"),
            ("go depth x nodes 5", "'x' after 'depth': expected a number", "go nodes 5"),
            ("go btime nan wtime 9", "'nan' after 'btime': expected a number", "go wtime 9"),
            ("go movetime 1s depth 2", "'1s' after 'movetime': expected a number", "go depth 2"),
            ("go searchmoves depth 3", "'depth' after 'searchmoves': expected moves", "go depth 3"),
        ] {
            let go = go(line);
            let errors: Vec<_> = go.unusable.iter().map(ToString::to_string).collect();
            assert_eq!((errors, go.to_string()), (vec![error.to_owned()], usable.to_owned()));
            assert!(go.names_limit() && go.unknown.is_empty(), "{line}");
        }
        for (line, usable) in [
            ("go wtime 1000.9 btime 1e3", "go wtime 1000 btime 1000"),
            ("go nodes 1e6 depth +4", "go nodes 1000000 depth 4"),
            ("go depth -3 mate -1 nodes -2.5", "go nodes 1 depth 1 mate 1"),
            ("go depth 99999999999", "go depth 4294967295"),
            ("go nodes 99999999999999999999", "go nodes 18446744073709551615"),
            ("go movetime 1e300", "go movetime 1000000000000"),
        ] {
            let go = go(line);
            assert_eq!((go.to_string(), go.unusable), (usable.to_owned(), vec![]), "{line}");
        }
        assert!(!go("go infinite searchmoves e2e4").names_limit());
    }

    #[test]
    fn parses_positions() {
        let position = |fen: Option<&str>, moves: &[&'static str]| Command::Position {
            fen: fen.map(str::to_owned),
            moves: moves.to_vec(),
        };
        assert_eq!(parse("position startpos"), position(None, &[]));
        assert_eq!(parse("position startpos moves e2e4 e7e5"), position(None, &["e2e4", "e7e5"]));
        assert_eq!(
            parse("position fen 8/8/8/8/8/8/8/K1k5 w - - 0 1 moves a1a2"),
            position(Some("8/8/8/8/8/8/8/K1k5 w - - 0 1"), &["a1a2"])
        );
        for line in
            ["position", "position fen", "position fen moves e2e4", "joho position startpos e2e4"]
        {
            assert!(Command::parse(line).is_err(), "{line}");
            assert_eq!(standard_name(line), Some("position"));
        }
        for line in ["perft position", "bench go"] {
            assert!(Command::parse(line).is_err(), "{line}");
            assert_eq!(standard_name(line), None);
        }
    }

    #[test]
    fn commands_round_trip() {
        for line in [
            "uci",
            "debug on",
            "debug off",
            "isready",
            "setoption name Clear Hash",
            "setoption name Debug Log File value my log.txt",
            "register later",
            "register",
            "ucinewgame",
            "position startpos",
            "position startpos moves e2e4 e7e5",
            "position fen 8/8/8/8/8/8/8/K1k5 w - - 0 1 moves a1a2",
            "go",
            "go infinite",
            "go movetime 500",
            "go ponder wtime 1000 btime 900 winc 10 binc 0 movestogo 40 nodes 5 depth 7 mate 3 \
             searchmoves e2e4 d2d4",
            "perft 5",
            "stop",
            "ponderhit",
            "quit",
            "d",
            "eval",
            "bench 13 1 16",
            "flip",
            "help",
        ] {
            assert_eq!(parse(line).to_string(), line);
        }
    }

    proptest! {
        #[test]
        fn accepts_any_text_without_panic(line in "\\PC*") {
            let _ = Command::parse(&line);
        }

        #[test]
        fn accepts_known_words_in_any_order_without_panic(words in proptest::collection::vec(
            prop::sample::select(vec![
                "go", "position", "fen", "startpos", "moves", "setoption", "name", "value", "depth", "nodes",
                "searchmoves", "e2e4", "0000", "-1", "0", "18446744073709551616", "wtime", "infinite", "perft",
                "debug", "on", "register", "later", "bench", "movestogo", "é",
            ]), 0..12)) {
            let _ = Command::parse(&words.join(" "));
        }
    }
}
