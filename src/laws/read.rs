//! Reads a line of the language of [`event`](super::event) at a board.

use super::event::{
    Act, Change, Choice, Claim, Decide, Event, Incident, Intended, Notice, Penalty, Restore, Sheet,
    Shown,
};
use super::ruled::Ruled;
use super::time::{Hms, TimeError};
use crate::base::cursor::{Cursor, excerpt};
use crate::base::game::MoveForm;
use crate::base::side::Side;
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
        error: String,
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
const FIRST: &str = "white, black, both, flags, notice, decide, adjourn, resume, envelope, position, \
                     setup or odds";
/// What a player can do.
const ACTS: &str = "touch, adjust, release, remove, promote, move, castle, press, flag, offer, accept, \
                    refuse, resign, claim, demand, announce, illegal, irregular, choose, seal, late, \
                    arrive, upset, leave, disobey, phone, clock, penalty or notice";

/// Reads one line; moves are those of `board`.
///
/// # Errors
/// Where and why it cannot be read.
pub fn read<G: Ruled>(board: &G, line: &str) -> Result<Event<G>, ReadError> {
    let mut words = Words { cursor: Cursor::new(line), board, side: None };
    let event = words.event()?;
    words.cursor.skip_space();
    match words.cursor.rest() {
        "" => Ok(event),
        rest => Err(ReadError::Trailing { found: excerpt(rest), column: words.cursor.column() }),
    }
}

/// Reads a legal move in any form that players or programs use.
fn read_move<G: Ruled>(board: &G, text: &str) -> Result<G::Move, String> {
    board.read_move(text, MoveForm::Player).map_err(|error| error.to_string())
}

struct Words<'a, G> {
    cursor: Cursor<'a>,
    board: &'a G,
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

    fn move_(&mut self) -> Result<G::Move, ReadError> {
        let (text, column) = self.word();
        // As FIDE has it, with a space before (17.9).
        let marked =
            if self.peek() == "e.p." { Some(format!("{text}{}", self.word().0)) } else { None };
        let read = match self.side {
            Some(side) if side != self.board.side() => {
                Err(format!("'{}': {} is to move", excerpt(text), self.board.side()))
            }
            _ => read_move(self.board, marked.as_deref().unwrap_or(text)),
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
        match parsed {
            Some((from, to)) if self.board.owner(from) == Some(self.board.side()) => {
                Ok(Intended::Illegal(from, to))
            }
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
        read.map_err(|error| ReadError::Move { error: error.to_string(), column })
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
            let read = read_move(&board, text);
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
                ("late", _) => Incident::BothLate(self.time()?),
                ("disobey", _) => Incident::BothDisobey,
                other => return Self::wrong(other, "late or disobey"),
            },
            ("flags", _) => Incident::Flags,
            ("notice", _) => Incident::Notice(self.notice()?),
            ("decide", _) => Incident::Decide(match self.word() {
                ("draw", _) => Decide::Draw,
                ("reject", _) => Decide::Reject,
                ("defer", _) => Decide::Defer,
                ("move", _) => Decide::Move(self.move_()?),
                other => return Self::wrong(other, "draw, reject, defer or move"),
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

    fn act(&mut self) -> Result<Act<G>, ReadError> {
        Ok(match self.word() {
            ("touch", _) => Act::Touch(self.square()?),
            ("adjust", _) => Act::Adjust(self.square()?),
            ("release", _) => Act::Release(self.square()?, self.square()?),
            ("remove", _) => Act::Remove(self.square()?),
            ("promote", _) => match self.word() {
                (letter @ ("q" | "r" | "b" | "n"), _) => {
                    Act::Promote(letter.chars().next().unwrap_or('q'))
                }
                other => return Self::wrong(other, "q, r, b or n"),
            },
            ("move", _) => Act::Move(self.move_()?),
            ("castle", _) => Act::Castle(self.square()?),
            ("press", _) if self.peek().is_empty() => Act::Press(None),
            ("press", _) => {
                let (text, column) = self.word();
                Act::Press(Some(match text.strip_prefix('+') {
                    Some(taken) => Shown::Taken(Self::time_in((taken, column))?),
                    None => Shown::Left(Self::time_in((text, column))?),
                }))
            }
            ("flag", _) => Act::Flag,
            ("offer", _) => Act::Offer,
            ("accept", _) => Act::Accept,
            ("refuse", _) => Act::Refuse,
            ("resign", _) => Act::Resign,
            ("claim", _) => {
                let word = self.word();
                let found = Claim::WORDS.iter().find(|(name, _)| *name == word.0);
                let expected = "repetition, fifty, perpetual, winless, demand, flag or illegal";
                let Some((_, claim)) = found else { return Self::wrong(word, expected) };
                let by = if self.peek() == "by" {
                    self.word();
                    Some(self.intended()?)
                } else {
                    None
                };
                Act::Claim(*claim, by)
            }
            ("demand", _) => Act::Demand,
            ("announce", _) => Act::Announce(self.number()?),
            ("illegal", _) => Act::Illegal(self.square()?, self.square()?),
            ("irregular", _) => Act::Irregular(self.position()?),
            ("choose", _) => Act::Choose(match self.chosen() {
                ("piece", _) => Choice::Piece(self.square()?),
                ("capture", _) => Choice::Capture(self.square()?),
                ("king", _) => Choice::King,
                ("move", _) => Choice::Move(self.move_()?),
                ("correct", _) => Choice::Correct,
                ("accept", _) => Choice::Accept,
                other => {
                    return Self::wrong(other, "piece, capture, king, move, correct or accept");
                }
            }),
            ("seal", _) => Act::Seal(self.sheet()?),
            ("late", _) => Act::Late(self.time()?),
            ("arrive", _) => Act::Arrive(self.time()?),
            ("upset", _) => Act::Upset,
            ("leave", _) => Act::Leave,
            ("disobey", _) => Act::Disobey,
            ("phone", _) => Act::Phone,
            ("clock", _) => {
                let (text, column) = self.word();
                Act::Clock(match (text.strip_prefix('+'), text.strip_prefix('-')) {
                    (Some(more), _) => Change::More(Self::time_in((more, column))?),
                    (_, Some(less)) => Change::Less(Self::time_in((less, column))?),
                    _ => Change::Set(Self::time_in((text, column))?),
                })
            }
            ("penalty", _) => Act::Penalty(match self.word() {
                ("warn", _) => Penalty::Warn,
                ("give", _) => Penalty::Give(self.time()?),
                ("take", _) => Penalty::Take(self.time()?),
                ("lose", _) => Penalty::Lose,
                ("less", _) => Penalty::Less(self.points()?),
                ("more", _) => Penalty::More(self.points()?),
                ("expel", _) => Penalty::Expel,
                other => {
                    return Self::wrong(other, "warn, give, take, lose, less, more or expel");
                }
            }),
            ("notice", _) => Act::Notice(self.notice()?),
            other => return Self::wrong(other, ACTS),
        })
    }

    /// The word of a choice. What a player chooses is his opponent's move.
    fn chosen(&mut self) -> (&'a str, usize) {
        self.side = None;
        self.word()
    }

    fn sheet(&mut self) -> Result<Sheet<G>, ReadError> {
        let known = ["nothing", "unreadable", "ambiguous", "illegal"];
        if !known.contains(&self.peek()) {
            return self.move_().map(Sheet::Move);
        }
        Ok(match self.word().0 {
            "nothing" => Sheet::Nothing,
            "unreadable" => Sheet::Unreadable,
            "illegal" => Sheet::Illegal(self.square()?, self.square()?),
            _ => {
                let mut moves = vec![self.move_()?, self.move_()?];
                while !self.peek().is_empty() {
                    moves.push(self.move_()?);
                }
                Sheet::Ambiguous(moves)
            }
        })
    }

    fn notice(&mut self) -> Result<Notice, ReadError> {
        Ok(match self.word() {
            ("illegal", _) => Notice::Illegal(self.restore()?),
            ("displaced", _) => Notice::Displaced(self.restore()?),
            ("setup", _) => Notice::Setup,
            ("kings", _) => Notice::Kings,
            ("board", _) => Notice::Board,
            ("colours", _) if self.peek() == "restart" => {
                self.word();
                Notice::Colours { restart: true }
            }
            ("colours", _) => Notice::Colours { restart: false },
            ("clocks", _) => Notice::Clocks,
            other => {
                return Self::wrong(
                    other,
                    "illegal, displaced, setup, kings, board, colours or clocks",
                );
            }
        })
    }

    fn restore(&mut self) -> Result<Restore, ReadError> {
        match self.word() {
            ("", _) => Ok(Restore::Known),
            ("lost", _) => Ok(Restore::Lost),
            ("from", _) => self.number().map(Restore::After),
            other => Self::wrong(other, "lost or from"),
        }
    }
}
