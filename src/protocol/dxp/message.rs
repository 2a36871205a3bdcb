//! The seven message types: a header letter followed by fields of fixed width.
//!
//! | letter | name | fields, with their widths in characters |
//! |---|---|---|
//! | `R` | GAMEREQ | version (2), initiator's name (32), follower's colour (1), minutes (3), moves (3), `A` or `B`; after `B` side to move (1), squares (50) |
//! | `A` | GAMEACC | follower's name (32), code (1) |
//! | `M` | MOVE | seconds (4), from (2), to (2), number of captured pieces (2), each square (2) |
//! | `E` | GAMEEND | reason (1), stop code (1) |
//! | `C` | CHAT | text |
//! | `B` | BACKREQ | move number (3), side to move (1) |
//! | `K` | BACKACC | code (1) |
//!
//! A message is 1 to 127 ASCII characters long, not counting the null character. White is `W`,
//! Black is `Z` (*zwart*). A square with a man is `w` or `z`, a square with a king `W` or `Z`, and
//! an empty square `e`.

use crate::base::cursor::excerpt;
use crate::base::side::Side;
use crate::draughts::hub::{self, HubError};
use crate::draughts::{Bitboard, Move, Position, Square};
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

pub const MAX_MESSAGE: usize = 127;
/// The only version of the protocol.
pub(crate) const VERSION: u32 = 1;
const NAME: usize = 32;
const MAX_TAKEN: usize = 20;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Message {
    /// `R`: the initiator requests a game.
    Request(Request),
    /// `A`: the follower accepts or declines the game.
    Answer { name: Name, code: Answer },
    /// `M`: a move.
    Move(TimedMove),
    /// `E`: ends the game (sent instead of a move), or confirms the end.
    End {
        /// The sender's view of the result, which does not bind the other side. In a confirmation,
        /// the reason is [`Reason::Unknown`].
        reason: Reason,
        /// True if the sender wants no further game.
        stop: bool,
    },
    /// `C`: text for a human.
    Chat(Text),
    /// `B`: a request to take back moves.
    Back {
        /// The number of the move to return to, counted from 1.
        number: u32,
        /// The side to move in that position.
        side: Side,
    },
    /// `K`: the answer to a request to take back moves.
    BackAnswer(BackAnswer),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    pub name: Name,
    pub follower: Side,
    /// The time per side for the whole game, in minutes up to 999; 0 for no limit.
    pub minutes: u32,
    /// The number of moves per side, up to 999, after which the game may end; 0 for no limit.
    pub moves: u32,
    /// The starting position; `None` for the standard position.
    pub start: Option<Start>,
}

/// A starting position that is syntactically correct but may be illegal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Start {
    side: Side,
    /// The contents of the squares 1 to 50, as one letter each.
    squares: String,
}

impl Start {
    /// Returns the position, or an error if it is illegal.
    pub fn position(&self) -> Result<Position, HubError> {
        let letters = self.squares.chars().map(|c| match c {
            'z' => 'b',
            'Z' => 'B',
            other => other,
        });
        let side = if self.side.is_white() { 'W' } else { 'B' };
        hub::parse(&std::iter::once(side).chain(letters).collect::<String>())
    }
}

impl From<&Position> for Start {
    fn from(position: &Position) -> Self {
        let text = hub::write(position).to_string();
        let squares = text.chars().skip(1).map(|c| match c {
            'b' => 'z',
            'B' => 'Z',
            other => other,
        });
        Self { side: position.side(), squares: squares.collect() }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// `0`: the game begins.
    Accepted,
    /// `1`: the versions of the protocol differ.
    Version,
    /// `2`: this game is declined, but another may be accepted.
    NotThis,
    /// `3`: every game is declined.
    None,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// `0`: no statement.
    Unknown,
    /// `1`: the sender resigns.
    Lost,
    /// `2`: a draw.
    Draw,
    /// `3`: the sender has won.
    Won,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BackAnswer {
    /// `0`: granted.
    Granted,
    /// `1`: the program does not support taking back moves.
    Unsupported,
    /// `2`: the program wants to continue the game.
    Refused,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TimedMove {
    /// The time used for the move, in seconds, up to 9999.
    pub seconds: u32,
    pub from: Square,
    pub to: Square,
    /// The squares of the captured pieces in any order, at most 20.
    pub taken: Vec<Square>,
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{text} is not legal in {fen}")]
pub struct IllegalMove {
    text: String,
    fen: String,
}

impl TimedMove {
    /// Creates the message for a move. `seconds` is limited to 9999, the maximum of the field.
    pub fn new(m: Move, seconds: u64) -> Self {
        Self {
            seconds: seconds.min(9999) as u32,
            from: m.from(),
            to: m.to(),
            taken: m.taken().into_iter().collect(),
        }
    }

    /// Returns the legal move that has the origin, destination and captured pieces of this message.
    pub fn find(&self, position: &Position) -> Result<Move, IllegalMove> {
        let taken: Bitboard = self.taken.iter().copied().collect();
        let once = self.taken.len() == taken.len() as usize;
        let meant = |m: &&Move| (m.from(), m.to(), m.taken()) == (self.from, self.to, taken);
        position
            .legal_moves()
            .iter()
            .find(meant)
            .copied()
            .filter(|_| once)
            .ok_or_else(|| IllegalMove { text: self.notation(), fen: position.to_string() })
    }

    /// Formats the move, legal or not, in the form that [`notation`](crate::draughts::notation)
    /// parses.
    pub(crate) fn notation(&self) -> String {
        let Self { from, to, taken, .. } = self;
        let sign = if taken.is_empty() { '-' } else { 'x' };
        let taken: String = taken.iter().map(|square| format!("x{square}")).collect();
        format!("{from}{sign}{to}{taken}")
    }
}

/// The name of a program: up to 32 printable ASCII characters, without leading or trailing spaces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name(String);

impl Name {
    /// Converts a string to a name. Tabs and line breaks become spaces, other characters that are
    /// not allowed become `?`, and a long string is truncated.
    pub fn new(text: &str) -> Self {
        let mut name = printable(text.trim(), NAME);
        name.truncate(name.trim_end().len());
        Self(name)
    }
}

impl Display for Name {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// The text of a chat message: up to 126 printable ASCII characters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Text(String);

impl Text {
    /// Converts a string to chat text. Tabs and line breaks become spaces, other characters that
    /// are not allowed become `?`, and a long string is truncated.
    pub(crate) fn new(text: &str) -> Self {
        Self(printable(text, MAX_MESSAGE - 1))
    }
}

impl Display for Text {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Truncates a string to `max_chars` characters, and replaces characters that cannot be sent or
/// safely printed on a terminal.
fn printable(text: &str, max_chars: usize) -> String {
    let ascii = |c: char| match c {
        ' '..='~' => c,
        '\t' | '\n' | '\r' => ' ',
        _ => '?',
    };
    text.chars().map(ascii).take(max_chars).collect()
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MessageError {
    #[error("the message is empty")]
    Empty,
    #[error("unknown message type '{0}'")]
    Header(char),
    #[error("the character in column {0} is not ASCII")]
    NotAscii(usize),
    #[error("protocol version '{0}' is not supported: expected '01'")]
    Version(String),
    #[error("{field} ({width} characters) is cut short in column {column}")]
    Short { field: &'static str, width: usize, column: usize },
    #[error("{field} must be {expected}, not '{found}', in column {column}")]
    Value { field: &'static str, expected: &'static str, found: String, column: usize },
    #[error("unexpected '{0}' after the end of the message")]
    Trailing(String),
}

type Result<T, E = MessageError> = std::result::Result<T, E>;

struct Fields<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Fields<'a> {
    fn take(&mut self, field: &'static str, width: usize) -> Result<&'a str> {
        let text = self.text.get(self.at..self.at + width);
        let text = text.ok_or(MessageError::Short { field, width, column: self.at + 1 })?;
        self.at += width;
        Ok(text)
    }

    /// Reads a field and converts it with `value`, which returns `None` if the field is invalid.
    fn read<T>(
        &mut self,
        field: &'static str,
        width: usize,
        expected: &'static str,
        value: impl Fn(&str) -> Option<T>,
    ) -> Result<T> {
        let text = self.take(field, width)?;
        let column = self.at - width + 1;
        value(text).ok_or_else(|| {
            let found = excerpt(&printable(text, MAX_MESSAGE));
            MessageError::Value { field, expected, found, column }
        })
    }

    fn number(&mut self, field: &'static str, width: usize) -> Result<u32> {
        self.read(field, width, "a number with leading zeros", digits)
    }

    fn square(&mut self, field: &'static str) -> Result<Square> {
        self.read(field, 2, "a square from 01 to 50", |text| digits(text).and_then(Square::new))
    }

    fn side(&mut self, field: &'static str) -> Result<Side> {
        self.read(field, 1, "W or Z", |text| match text {
            "W" => Some(Side::White),
            "Z" => Some(Side::Black),
            _ => None,
        })
    }

    fn name(&mut self, field: &'static str) -> Result<Name> {
        self.take(field, NAME).map(Name::new)
    }
}

fn digits(text: &str) -> Option<u32> {
    text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok())?
}

impl FromStr for Message {
    type Err = MessageError;

    fn from_str(text: &str) -> Result<Self> {
        let header = text.chars().next().ok_or(MessageError::Empty)?;
        if let Some(chat) = text.strip_prefix('C') {
            return Ok(Self::Chat(Text::new(chat)));
        }
        if let Some(at) = text.chars().position(|c| !c.is_ascii()) {
            return Err(MessageError::NotAscii(at + 1));
        }
        let mut fields = Fields { text, at: 1 };
        let message = match header {
            'R' => Self::Request(Request::read(&mut fields)?),
            'A' => Self::Answer {
                name: fields.name("the follower's name")?,
                code: fields.read("the acceptance code", 1, "0, 1, 2 or 3", Answer::of)?,
            },
            'M' => Self::Move(TimedMove::read(&mut fields)?),
            'E' => Self::End {
                reason: fields.read("the reason", 1, "0, 1, 2 or 3", Reason::of)?,
                stop: fields.read("the stop code", 1, "0 or 1", |text| match text {
                    "0" => Some(false),
                    "1" => Some(true),
                    _ => None,
                })?,
            },
            'B' => Self::Back {
                number: fields.number("the number of the move", 3)?,
                side: fields.side("the side to move")?,
            },
            'K' => Self::BackAnswer(fields.read(
                "the acceptance code",
                1,
                "0, 1 or 2",
                BackAnswer::of,
            )?),
            other => {
                return Err(MessageError::Header(if other.is_control() { '?' } else { other }));
            }
        };
        match text.get(fields.at..).unwrap_or_default() {
            "" => Ok(message),
            rest => Err(MessageError::Trailing(excerpt(&printable(rest, MAX_MESSAGE)))),
        }
    }
}

impl Request {
    fn read(fields: &mut Fields<'_>) -> Result<Self> {
        let version = fields.take("the version", 2)?;
        if digits(version) != Some(VERSION) {
            return Err(MessageError::Version(printable(version, MAX_MESSAGE)));
        }
        Ok(Self {
            name: fields.name("the initiator's name")?,
            follower: fields.side("the follower's colour")?,
            minutes: fields.number("the thinking time", 3)?,
            moves: fields.number("the number of moves", 3)?,
            start: {
                let given =
                    fields.read("the starting position", 1, "A or B", |text| match text {
                        "A" => Some(false),
                        "B" => Some(true),
                        _ => None,
                    })?;
                given.then(|| Start::read(fields)).transpose()?
            },
        })
    }
}

impl Start {
    fn read(fields: &mut Fields<'_>) -> Result<Self> {
        let side = fields.side("the side to move")?;
        let letters = "50 letters of w, z, W, Z and e";
        let squares = fields.read("the position", Square::NUM, letters, |text| {
            text.chars().all(|c| "wzWZe".contains(c)).then(|| text.to_owned())
        })?;
        Ok(Self { side, squares })
    }
}

impl TimedMove {
    fn read(fields: &mut Fields<'_>) -> Result<Self> {
        let seconds = fields.number("the time", 4)?;
        let from = fields.square("the origin square")?;
        let to = fields.square("the destination square")?;
        let count =
            fields.read("the number of captured pieces", 2, "a number up to 20", |text| {
                digits(text).map(|number| number as usize).filter(|&number| number <= MAX_TAKEN)
            })?;
        let taken = (0..count).map(|_| fields.square("the square of a captured piece"));
        Ok(Self { seconds, from, to, taken: taken.collect::<Result<_>>()? })
    }
}

impl Answer {
    const ALL: [Self; 4] = [Self::Accepted, Self::Version, Self::NotThis, Self::None];

    fn of(text: &str) -> Option<Self> {
        Self::ALL.get(digits(text)? as usize).copied()
    }
}

impl Reason {
    const ALL: [Self; 4] = [Self::Unknown, Self::Lost, Self::Draw, Self::Won];

    fn of(text: &str) -> Option<Self> {
        Self::ALL.get(digits(text)? as usize).copied()
    }
}

impl BackAnswer {
    const ALL: [Self; 3] = [Self::Granted, Self::Unsupported, Self::Refused];

    fn of(text: &str) -> Option<Self> {
        Self::ALL.get(digits(text)? as usize).copied()
    }
}

const fn letter(side: Side) -> char {
    if side.is_white() { 'W' } else { 'Z' }
}

impl Display for Message {
    /// Writes the message without the terminating null character.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Request(Request { name, follower, minutes, moves, start }) => {
                let follower = letter(*follower);
                write!(f, "R{VERSION:02}{name:NAME$}{follower}{minutes:03}{moves:03}")?;
                match start {
                    None => f.write_str("A"),
                    Some(Start { side, squares }) => write!(f, "B{}{squares}", letter(*side)),
                }
            }
            Self::Answer { name, code } => write!(f, "A{name:NAME$}{}", *code as u8),
            Self::Move(TimedMove { seconds, from, to, taken }) => {
                let (from, to) = (from.number(), to.number());
                write!(f, "M{seconds:04}{from:02}{to:02}{:02}", taken.len())?;
                taken.iter().try_for_each(|square| write!(f, "{:02}", square.number()))
            }
            Self::End { reason, stop } => write!(f, "E{}{}", *reason as u8, u8::from(*stop)),
            Self::Chat(text) => write!(f, "C{text}"),
            Self::Back { number, side } => write!(f, "B{number:03}{}", letter(*side)),
            Self::BackAnswer(code) => write!(f, "K{}", *code as u8),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draughts::notation;

    fn read(text: &str) -> Message {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn square(number: u32) -> Square {
        Square::new(number).expect("a square")
    }

    const START: &str = "zzzzzzzzzzzzzzzzzzzzeeeeeeeeeewwwwwwwwwwwwwwwwwwww";

    /// The cases include the examples from the protocol's web pages.
    #[test]
    fn parses_and_prints_every_message() {
        let name = Name::new("Tornado voor Windows 4.0");
        let request = |start| {
            let name = name.clone();
            Message::Request(Request { name, follower: Side::White, minutes: 60, moves: 65, start })
        };
        let played = |seconds, from, to, taken: &[u32]| {
            let taken = taken.iter().map(|&number| square(number)).collect();
            Message::Move(TimedMove { seconds, from: square(from), to: square(to), taken })
        };
        let cases = [
            ("R01Tornado voor Windows 4.0        W060065A".to_owned(), request(None)),
            (
                format!("R01Tornado voor Windows 4.0        W060065BW{START}"),
                request(Some(Start::from(&Position::start()))),
            ),
            (
                "ATornado voor Windows 4.0        0".to_owned(),
                Message::Answer { name: name.clone(), code: Answer::Accepted },
            ),
            ("M0012061100".to_owned(), played(12, 6, 11, &[])),
            ("M001205250422122320".to_owned(), played(12, 5, 25, &[22, 12, 23, 20])),
            ("E00".to_owned(), Message::End { reason: Reason::Unknown, stop: false }),
            ("E11".to_owned(), Message::End { reason: Reason::Lost, stop: true }),
            ("E20".to_owned(), Message::End { reason: Reason::Draw, stop: false }),
            ("E31".to_owned(), Message::End { reason: Reason::Won, stop: true }),
            (
                "CWhat do you think about move 35?".to_owned(),
                Message::Chat(Text::new("What do you think about move 35?")),
            ),
            ("B005Z".to_owned(), Message::Back { number: 5, side: Side::Black }),
            ("K0".to_owned(), Message::BackAnswer(BackAnswer::Granted)),
            ("K1".to_owned(), Message::BackAnswer(BackAnswer::Unsupported)),
            ("K2".to_owned(), Message::BackAnswer(BackAnswer::Refused)),
        ];
        for (text, message) in cases {
            assert_eq!(read(&text), message);
            assert_eq!(message.to_string(), text);
        }
        for (code, answer) in
            [(1, Answer::Version), (2, Answer::NotThis), (3, Answer::None), (0, Answer::Accepted)]
        {
            let text = format!("A{:32}{code}", "x");
            assert_eq!(read(&text), Message::Answer { name: Name::new("x"), code: answer });
            assert_eq!(read(&text).to_string(), text);
        }
    }

    #[test]
    fn errors_name_the_field_and_the_column() {
        let request = |rest: &str| format!("R01{:32}{rest}", "x");
        for (text, error) in [
            ("", "the message is empty"),
            ("X", "unknown message type 'X'"),
            ("r01", "unknown message type 'r'"),
            ("\u{1b}", "unknown message type '?'"),
            ("M00120611é0", "the character in column 10 is not ASCII"),
            ("R02", "protocol version '02' is not supported: expected '01'"),
            ("R", "the version (2 characters) is cut short in column 2"),
            ("R01x", "the initiator's name (32 characters) is cut short in column 4"),
            (&request("B060065A"), "the follower's colour must be W or Z, not 'B', in column 36"),
            (
                &request("W 60065A"),
                "the thinking time must be a number with leading zeros, not ' 60', in column 37",
            ),
            (
                &request("W06065A"),
                "the number of moves must be a number with leading zeros, not '65A', in column 40",
            ),
            (&request("W060065C"), "the starting position must be A or B, not 'C', in column 43"),
            (&request("W060065Ax"), "unexpected 'x' after the end of the message"),
            (&request("W060065BW"), "the position (50 characters) is cut short in column 45"),
            (
                &request(&format!("W060065BW{}", START.replace('z', "b"))),
                "the position must be 50 letters of w, z, W, Z and e, \
                 not 'bbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwww…', in column 45",
            ),
            (
                &format!("A{:32}4", "x"),
                "the acceptance code must be 0, 1, 2 or 3, not '4', in column 34",
            ),
            ("M0012", "the origin square (2 characters) is cut short in column 6"),
            (
                "M-012061100",
                "the time must be a number with leading zeros, not '-012', in column 2",
            ),
            (
                "M0012005100",
                "the origin square must be a square from 01 to 50, not '00', in column 6",
            ),
            (
                "M0012065100",
                "the destination square must be a square from 01 to 50, not '51', in column 8",
            ),
            (
                "M0012061121",
                "the number of captured pieces must be a number up to 20, not '21', in column 10",
            ),
            (
                "M001206110212",
                "the square of a captured piece (2 characters) is cut short in column 14",
            ),
            ("M001206110012", "unexpected '12' after the end of the message"),
            ("E4", "the reason must be 0, 1, 2 or 3, not '4', in column 2"),
            ("E0", "the stop code (1 characters) is cut short in column 3"),
            ("E02", "the stop code must be 0 or 1, not '2', in column 3"),
            (
                "B05Z",
                "the number of the move must be a number with leading zeros, not '05Z', in column 2",
            ),
            ("B005B", "the side to move must be W or Z, not 'B', in column 5"),
            ("K3", "the acceptance code must be 0, 1 or 2, not '3', in column 2"),
        ] {
            let found = text.parse::<Message>().map_err(|e| e.to_string());
            assert_eq!(found, Err(error.to_owned()), "{text}");
        }
    }

    #[test]
    fn starting_positions_round_trip() {
        for fen in ["W:W31-50:B1-20", "B:WK1,6,K50:BK5,45", "W:W28:B23"] {
            let position: Position = fen.parse().expect(fen);
            assert_eq!(Start::from(&position).position(), Ok(position), "{fen}");
        }
        // Correct syntax, but an illegal position.
        let text = format!("R01{:32}W000000BW{}", "x", START.replacen('z', "w", 1));
        let Message::Request(Request { start: Some(start), .. }) = read(&text) else {
            panic!("{text}")
        };
        assert!(start.position().is_err_and(|e| e.to_string().contains("the White man on 1")));
    }

    #[test]
    fn finds_captures_by_their_pieces_in_any_order() {
        let position: Position = "W:WK47:B14,19,22,29,42".parse().expect("FEN");
        let m = notation::parse(&position, "47x36x19x22x29x42").expect("legal");
        for taken in ["19222942", "42292219"] {
            let Message::Move(played) = read(&format!("M0000473604{taken}")) else { panic!() };
            assert_eq!(played.find(&position), Ok(m));
        }
        assert_eq!(Message::Move(TimedMove::new(m, 123_456)).to_string(), "M999947360419222942");
        for (text, error) in [
            ("M000047360414192942", "47x36x14x19x29x42 is not legal in W:WK47:B14,19,22,29,42"),
            ("M00004736051919222942", "47x36x19x19x22x29x42 is not legal"),
            ("M0000473600", "47-36 is not legal"),
            ("M0000010700", "1-7 is not legal"),
        ] {
            let Message::Move(played) = read(text) else { panic!("{text}") };
            let found = played.find(&position).expect_err("illegal").to_string();
            assert!(found.starts_with(error), "{found}");
        }
    }

    #[test]
    fn converts_names_and_chat_to_printable_ascii() {
        assert_eq!(Name::new(" Zürich\u{1b}[1m ").to_string(), "Z?rich?[1m");
        let long = "x".repeat(200);
        assert_eq!(Name::new(&long).to_string().len(), 32);
        let chat = Message::Chat(Text::new(&long)).to_string();
        assert_eq!(chat.len(), MAX_MESSAGE);
        assert_eq!(read("Cgrüß\tdich"), Message::Chat(Text::new("gr?? dich")));
        assert_eq!(read("C").to_string(), "C");
    }
}
