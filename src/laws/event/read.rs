//! Reads a line of the language of [`event`](super) at a board.

mod acts;

use super::language::{Language, Said};
use super::time::{Hms, TimeError};
use super::{Decide, Event, Incident, Intended, Late};
use crate::base::cursor::{Cursor, excerpt};
use crate::base::side::Side;
use crate::laws::referee::Why;
use crate::laws::ruled::{IllegalMove, Ruled};
use std::time::Duration;

/// Why a line cannot be read as an event.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReadError {
    /// A word that cannot stand there.
    #[error("column {column}: '{found}' should be {expected}")]
    Word {
        /// What stands there; empty at the end of the line.
        found: String,
        /// What could stand there.
        expected: &'static str,
        /// Where, in characters from 1.
        column: usize,
    },
    /// A text that is not a time.
    #[error("column {column}: {error}")]
    Time {
        /// What is wrong.
        error: TimeError,
        /// Where, in characters from 1.
        column: usize,
    },
    /// A text that is not a legal move, or not a position.
    #[error("column {column}: {error}")]
    Move {
        /// What is wrong.
        error: Said,
        /// Where, in characters from 1.
        column: usize,
    },
    /// Something after a complete event.
    #[error("column {column}: '{found}' follows the event")]
    Trailing {
        /// What follows.
        found: String,
        /// Where, in characters from 1.
        column: usize,
    },
}

/// What the first word can be.
const FIRST: &str = "white, black, both, flags, stop, start, notice, decide, adjourn, resume, envelope, \
                     position, setup or odds";

/// The board on which a player's moves are read, or why he has none to make; without a player, as where
/// one is chosen for the other, the board as it stands.
pub type Boards<'a, G> = dyn Fn(Option<Side>) -> Result<G, Why> + 'a;

/// Reads one line; letters of pieces are those of a language.
///
/// # Errors
/// Where and why it cannot be read.
pub fn read<G: Ruled>(
    boards: &Boards<'_, G>,
    line: &str,
    language: Language,
) -> Result<Event<G>, ReadError> {
    let mut words = Words { cursor: Cursor::new(line), boards, language, side: None };
    let event = words.event()?;
    words.cursor.skip_space();
    match words.cursor.rest() {
        "" => Ok(event),
        rest => Err(ReadError::Trailing { found: excerpt(rest), column: words.cursor.column() }),
    }
}

struct Words<'a, G> {
    cursor: Cursor<'a>,
    boards: &'a Boards<'a, G>,
    language: Language,
    /// The player who acts; `None` for the arbiter.
    side: Option<Side>,
}

impl<'a, G: Ruled> Words<'a, G> {
    /// The next word and its column; empty at the end.
    fn word(&mut self) -> (&'a str, usize) {
        self.cursor.skip_space();
        let column = self.cursor.column();
        (self.cursor.word().unwrap_or(""), column)
    }

    fn peek(&self) -> &'a str {
        self.cursor.clone().word().unwrap_or("")
    }

    fn wrong<T>((found, column): (&str, usize), expected: &'static str) -> Result<T, ReadError> {
        Err(ReadError::Word { found: excerpt(found), expected, column })
    }

    fn expect(&mut self, expected: &'static str) -> Result<(), ReadError> {
        let word = self.word();
        if word.0 == expected { Ok(()) } else { Self::wrong(word, expected) }
    }

    fn side(&mut self) -> Result<Side, ReadError> {
        match self.word() {
            ("white", _) => Ok(Side::White),
            ("black", _) => Ok(Side::Black),
            other => Self::wrong(other, "white or black"),
        }
    }

    fn square(&mut self) -> Result<G::Square, ReadError> {
        let word = self.word();
        word.0.parse().or_else(|_| Self::wrong(word, "a square"))
    }

    fn number<N: std::str::FromStr>(&mut self) -> Result<N, ReadError> {
        let word = self.word();
        word.0.parse().or_else(|_| Self::wrong(word, "a number"))
    }

    /// A number of points, up to a thousand.
    fn points(&mut self) -> Result<f64, ReadError> {
        let column = self.cursor.column();
        let points = self.number::<f64>()?;
        if (0.0..=1000.0).contains(&points) {
            Ok(points)
        } else {
            Self::wrong((&points.to_string(), column), "a number from 0 to 1000")
        }
    }

    fn time_in((text, column): (&str, usize)) -> Result<Duration, ReadError> {
        text.parse().map(|Hms(time)| time).map_err(|error| ReadError::Time { error, column })
    }

    fn time(&mut self) -> Result<Duration, ReadError> {
        Self::time_in(self.word())
    }

    fn late(&mut self) -> Result<Late, ReadError> {
        let time = self.time()?;
        let excused = !self.peek().is_empty();
        if excused {
            self.expect("excused")?;
        }
        Ok(Late { time, excused })
    }

    /// One of these words.
    fn one_of<T: Copy>(
        &mut self,
        words: &[(&'static str, T)],
        expected: &'static str,
    ) -> Result<T, ReadError> {
        let word = self.word();
        let found = words.iter().find(|(name, _)| *name == word.0);
        found.map_or_else(|| Self::wrong(word, expected), |(_, thing)| Ok(*thing))
    }

    /// A move against the rules: two squares, and perhaps what else it takes, or becomes.
    fn illegal(&mut self) -> Result<IllegalMove<G::Square>, ReadError> {
        let (from, to) = (self.square()?, self.square()?);
        let mut made = IllegalMove { from, to, takes: None, becomes: None };
        match self.peek() {
            "" => {}
            "takes" => {
                self.word();
                made.takes = Some(self.square()?);
            }
            "promote" => {
                self.word();
                made.becomes = Some(match self.word() {
                    (letter @ ("q" | "r" | "b" | "n" | "k" | "p"), _) => {
                        letter.chars().next().unwrap_or('q')
                    }
                    other => return Self::wrong(other, "q, r, b, n, k or p"),
                });
            }
            _ => return Self::wrong(self.word(), "takes or promote"),
        }
        Ok(made)
    }

    fn move_at(&self, board: &G, text: &str) -> Result<G::Move, Said> {
        board.read_move_in(text, self.language).map_err(|error| Said::by(&error))
    }

    fn move_(&mut self) -> Result<G::Move, ReadError> {
        let (text, column) = self.word();
        // As FIDE has it, with a space before (17.9).
        let marked =
            if self.peek() == "e.p." { Some(format!("{text}{}", self.word().0)) } else { None };
        let read = match (self.boards)(self.side) {
            Err(why) => Err(Said::of(&excerpt(text), &why)),
            Ok(board) => self.move_at(&board, marked.as_deref().unwrap_or(text)),
        };
        read.map_err(|error| ReadError::Move { error, column })
    }

    /// A move written down with a claim. One that is illegal is told as the squares of an own piece and
    /// of where it goes.
    fn intended(&mut self) -> Result<Intended<G>, ReadError> {
        let squares = self.peek();
        let error = match self.move_() {
            Ok(m) => return Ok(Intended::Move(m)),
            Err(error) => error,
        };
        let parsed = (1..squares.len()).filter(|&at| squares.is_char_boundary(at)).find_map(|at| {
            let (from, to) = squares.split_at(at);
            Some((from.parse::<G::Square>().ok()?, to.parse::<G::Square>().ok()?))
        });
        let own = |from| {
            (self.boards)(self.side).is_ok_and(|board| board.owner(from) == Some(board.side()))
        };
        match parsed {
            Some((from, to)) if own(from) => Ok(Intended::Illegal(from, to)),
            _ => Err(error),
        }
    }

    /// A position, which reaches to the end of the line.
    fn position(&mut self) -> Result<Box<G>, ReadError> {
        self.cursor.skip_space();
        let (text, column) = (self.cursor.rest(), self.cursor.column());
        self.cursor.take_while(|_| true);
        Self::position_in(text, column)
    }

    fn position_in(text: &str, column: usize) -> Result<Box<G>, ReadError> {
        let read = G::from_fen(text.trim_end()).map(Box::new);
        let read = read.map_err(|error| Said::by(&error));
        let ruled = read.and_then(|start| start.without_laws().map_or(Ok(start), Err));
        ruled.map_err(|error| ReadError::Move { error, column })
    }

    /// A position, and perhaps `moves` and moves from it.
    fn setup(&mut self) -> Result<Incident<G>, ReadError> {
        self.cursor.skip_space();
        let (rest, column) = (self.cursor.rest(), self.cursor.column());
        let Some((text, _)) = rest.split_once(" moves") else {
            return Ok(Incident::Setup(self.position()?, Vec::new()));
        };
        let start = Self::position_in(text, column)?;
        loop {
            match self.word() {
                ("moves", _) => break,
                // A longer word only begins like it.
                ("", column) => return Self::wrong(("", column), "moves"),
                _ => {}
            }
        }
        let (mut board, mut moves) = ((*start).clone(), Vec::new());
        while !self.peek().is_empty() {
            let (text, column) = self.word();
            let read = self.move_at(&board, text);
            let m = read.map_err(|error| ReadError::Move { error, column })?;
            board = board.after(m);
            moves.push(m);
        }
        Ok(Incident::Setup(start, moves))
    }

    fn player(&mut self, side: Side) -> Result<Event<G>, ReadError> {
        self.side = Some(side);
        Ok(Event::Player(side, self.act()?))
    }

    fn event(&mut self) -> Result<Event<G>, ReadError> {
        let incident = match self.word() {
            ("white", _) => return self.player(Side::White),
            ("black", _) => return self.player(Side::Black),
            ("both", _) => match self.word() {
                ("late", _) => Incident::BothLate(self.late()?),
                ("disobey", _) => Incident::BothDisobey,
                ("agree", _) => Incident::Agree,
                other => return Self::wrong(other, "late, disobey or agree"),
            },
            ("flags", _) => Incident::Flags,
            ("stop", _) => Incident::Stop,
            ("start", _) => Incident::Start,
            ("notice", _) => Incident::Notice(self.notice()?),
            ("decide", _) => Incident::Decide(match self.word() {
                ("draw", _) => Decide::Draw,
                ("reject", _) => Decide::Reject,
                ("defer", _) if self.peek().is_empty() => Decide::Defer { time: true },
                ("defer", _) => {
                    self.expect("without")?;
                    self.expect("time")?;
                    Decide::Defer { time: false }
                }
                ("increment", _) => Decide::Increment,
                ("move", _) => Decide::Move(self.move_()?),
                other => return Self::wrong(other, "draw, reject, defer, increment or move"),
            }),
            ("adjourn", _) => Incident::Adjourn,
            ("resume", _) if self.peek() == "without" => {
                self.word();
                match self.word() {
                    ("white", _) => Incident::Resume(Some(Side::White)),
                    ("black", _) => Incident::Resume(Some(Side::Black)),
                    ("both", _) => Incident::ResumeWithoutBoth,
                    other => return Self::wrong(other, "white, black or both"),
                }
            }
            ("resume", _) => Incident::Resume(None),
            ("envelope", _) => {
                self.expect("lost")?;
                Incident::EnvelopeLost
            }
            ("position", _) => {
                self.expect("lost")?;
                Incident::PositionLost
            }
            ("setup", _) => self.setup()?,
            ("odds", _) => self.odds()?,
            other => return Self::wrong(other, FIRST),
        };
        Ok(Event::Game(incident))
    }

    /// `odds knight by white`, `odds 36 41 and 2 by white`, `odds 2 moves by white`.
    fn odds(&mut self) -> Result<Incident<G>, ReadError> {
        // Where a piece stands by name depends on who gives it, which comes last.
        let giver = self.cursor.rest().split_whitespace().last();
        let by = if giver == Some("black") { Side::Black } else { Side::White };
        let mut pieces = Vec::new();
        let mut moves = 0;
        loop {
            let ahead = self.cursor.clone();
            let (text, column) = self.word();
            let named = match text {
                "pawn" => G::odds_square('p', by),
                "knight" => G::odds_square('n', by),
                "bishop" => G::odds_square('b', by),
                "rook" => G::odds_square('r', by),
                "queen" => G::odds_square('q', by),
                _ => None,
            };
            if let Some(square) = named {
                pieces.push(square);
                continue;
            }
            match text {
                "by" => break,
                "and" => moves = self.number()?,
                _ if self.peek() == "moves" => {
                    self.cursor = ahead;
                    moves = self.number()?;
                    self.expect("moves")?;
                }
                _ => match text.parse() {
                    Ok(square) => pieces.push(square),
                    Err(_) => {
                        return Self::wrong(
                            (text, column),
                            "pawn, knight, bishop, rook, queen, a square, and, moves or by",
                        );
                    }
                },
            }
        }
        Ok(Incident::Odds { pieces, moves, by: self.side()? })
    }
}
