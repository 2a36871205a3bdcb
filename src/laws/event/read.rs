//! Parses event lines, using the rows of the [`grammar`](super::grammar).

use super::grammar::{Actor, Conversion, Expected, FORMS, Hole};
use super::language::{Bilingual, InFrench, Language};
use super::time::{Hms, TimeError};
use super::{Event, Intended, side_of, word};
use crate::base::cursor::{Cursor, excerpt};
use crate::base::side::Side;
use crate::laws::referee::Refused;
use crate::laws::ruled::Ruled;
use smallvec::SmallVec;
use std::borrow::Cow;
use std::str::FromStr;
use std::time::Duration;

/// The error for a line that is not an event. The message names the column and what is accepted
/// there.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReadError {
    #[error(
        "column {column}: {}'{found}' should be {}",
        suggestion(found, expected),
        Expected::list(expected, Language::English)
    )]
    #[doc(hidden)]
    Word { found: String, expected: Vec<Expected>, column: usize },
    #[error("column {column}: {error}")]
    #[doc(hidden)]
    Time { error: TimeError, column: usize },
    #[error("column {column}: {error}")]
    #[doc(hidden)]
    Move { error: Bilingual, column: usize },
    #[error("column {column}: '{found}' follows the event")]
    #[doc(hidden)]
    Trailing { found: String, column: usize },
    /// A move without the words that make it an event.
    #[error(
        "column {column}: '{found}' is a move: write `{side} move {found}` or `moves {found}`",
        side = word(*.side)
    )]
    #[doc(hidden)]
    BareMove { found: String, side: Side, column: usize },
}

impl ReadError {
    /// Returns the column where the line stops being an event, counted in characters from 1.
    pub const fn column(&self) -> usize {
        match self {
            Self::Word { column, .. }
            | Self::Time { column, .. }
            | Self::Move { column, .. }
            | Self::Trailing { column, .. }
            | Self::BareMove { column, .. } => *column,
        }
    }
}

fn suggestion(found: &str, expected: &[Expected]) -> String {
    let nearest = Expected::nearest(found, expected);
    nearest.map_or(String::new(), |word| format!("did you mean {word}? "))
}

/// Converts the first word to lower case, because phone keyboards capitalise it. Byte offsets do
/// not change.
pub(crate) fn in_lower_case(line: &str) -> Cow<'_, str> {
    let first = Cursor::new(line).word().unwrap_or_default();
    if first.bytes().any(|b| b.is_ascii_uppercase()) {
        line.replacen(first, &first.to_ascii_lowercase(), 1).into()
    } else {
        line.into()
    }
}

/// The game state that the parser needs.
pub(in crate::laws) struct Boards<'a, G: Ruled> {
    /// Returns the board on which a player's moves are parsed, or the reason why the player cannot
    /// move. Without a player, returns the current board.
    pub of: &'a dyn Fn(Option<Side>) -> Result<G, Refused>,
    /// The castling move towards a rook given as odds, if it is possible.
    pub castling: Option<G::Move>,
}

/// Parses one line, with the piece letters of a language.
pub(in crate::laws) fn read<G: Ruled>(
    boards: &Boards<'_, G>,
    line: &str,
    language: Language,
) -> Result<Event<G>, ReadError> {
    let lower = in_lower_case(line);
    let mut reader = Reader::new(boards, &lower, language);
    reader.event().ok_or_else(|| reader.error(line))
}

/// Returns the words and placeholders that can follow an unfinished line, in the order of the
/// grammar. The line must be empty or end with a space.
pub(in crate::laws) fn expectations<G: Ruled>(
    boards: &Boards<'_, G>,
    line: &str,
    language: Language,
) -> Vec<Expected> {
    let line = &*in_lower_case(line);
    let mut reader = Reader::new(boards, line, language);
    for index in 0..FORMS.len() {
        _ = reader.form(index);
    }
    match reader.farthest.at == line.len() {
        true => reader.farthest.expected.into_vec(),
        false => Vec::new(),
    }
}

pub(in crate::laws) enum Attempt<G: Ruled> {
    Event(Event<G>),
    Unfinished(Expected),
    Failed,
}

pub(in crate::laws) fn attempt<G: Ruled>(
    boards: &Boards<'_, G>,
    line: &str,
    index: usize,
) -> Attempt<G> {
    let mut reader = Reader::new(boards, line, Language::English);
    match reader.form(index) {
        Ok(event) => Attempt::Event(event),
        Err(Missed) if reader.farthest.at < line.len() => Attempt::Failed,
        Err(Missed) => reader.farthest.expected.pop().map_or(Attempt::Failed, Attempt::Unfinished),
    }
}

/// Adds the article that forbids a move, and the event that records it, to the error for this move.
fn with_hint(
    error: &impl InFrench,
    article: Option<&'static str>,
    event: Option<&'static str>,
) -> Bilingual {
    Bilingual::written(|language| {
        let mut text = error.in_language(language);
        if let Some(article) = article {
            text += &format!(" ({article})");
        }
        if let Some(event) = event {
            let hint = language.of("if it was played, record it with", "s'il a été joué, notez");
            text += &format!("; {hint} {event}");
        }
        text
    })
}

/// The line does not match the form of event that was tried. [`Reader::farthest`] contains what was
/// expected instead.
#[derive(Debug)]
pub(super) struct Missed;

/// An invalid word where a time or a move is expected.
#[derive(Debug)]
enum Fault {
    Time(TimeError),
    Move(Bilingual),
}

/// The farthest offset that any form reached in a line, and the words or placeholders expected
/// there.
#[derive(Debug, Default)]
struct Farthest {
    at: usize,
    expected: SmallVec<[Expected; 4]>,
    fault: Option<Fault>,
}

impl Farthest {
    fn record(&mut self, at: usize, expected: Expected, fault: Option<Fault>) {
        if at > self.at {
            *self = Self { at, ..Self::default() };
        }
        if at == self.at {
            if !self.expected.contains(&expected) {
                self.expected.push(expected);
            }
            self.fault = self.fault.take().or(fault);
        }
    }
}

/// A parser for the holes of a form.
pub(super) struct Reader<'a, G: Ruled> {
    pub side: Option<Side>,
    cursor: Cursor<'a>,
    name: Cursor<'a>,
    boards: &'a Boards<'a, G>,
    language: Language,
    farthest: Farthest,
    set_up: Option<Box<G>>,
}

impl<'a, G: Ruled> Reader<'a, G> {
    fn new(boards: &'a Boards<'a, G>, line: &'a str, language: Language) -> Self {
        let cursor = Cursor::new(line);
        let mut name = cursor.clone();
        let side = name.word().and_then(side_of);
        if side.is_none() {
            name = cursor.clone();
        }
        let farthest = Farthest::default();
        Self { side, cursor, name, boards, language, farthest, set_up: None }
    }

    fn event(&mut self) -> Option<Event<G>> {
        let word = self.name.clone().word().unwrap_or_default();
        let named = FORMS.iter().enumerate().filter(|(_, form)| form.starts_with(word));
        for (index, _) in named {
            if let Ok(event) = self.form(index) {
                return Some(event);
            }
        }
        if self.farthest.expected.is_empty() {
            (0..FORMS.len()).for_each(|index| _ = self.form(index));
            if self.side.is_none() {
                self.cursor = self.name.clone();
                let (word, at) = self.word();
                if word == "moves" && self.peek().is_empty() {
                    let (_, end) = self.word();
                    self.farthest.record(end, Expected::Hole(Hole::Moves), None);
                } else {
                    self.farthest.record(at, Expected::Word("moves"), None);
                }
            }
        }
        None
    }

    fn form(&mut self, index: usize) -> Result<Event<G>, Missed> {
        let form = &FORMS[index];
        self.cursor = self.name.clone();
        if !form.actor.fits(self.side) {
            return self.subject(form.actor);
        }
        self.name(form.name)?;
        (Conversion::<G>::ALL[index].read)(self)
    }

    fn subject<T>(&mut self, actor: Actor) -> Result<T, Missed> {
        if actor == Actor::Player {
            let (_, at) = self.word();
            self.farthest.record(at, Expected::Word("white"), None);
            self.farthest.record(at, Expected::Word("black"), None);
        }
        Err(Missed)
    }

    /// Returns the side to move if the line has a move, legal or not, where the name of an event is
    /// expected.
    fn mover(&self, at: usize, text: &str) -> Option<Side> {
        let mut name = self.name.clone();
        name.skip_space();
        let board = (self.boards.of)(self.side).ok().filter(|_| name.offset() == at)?;
        let is_move = match self.move_or_error(&board, text) {
            Ok(_) => true,
            Err(error) => G::event_of_illegal_move(&error).is_some(),
        };
        is_move.then(|| board.side())
    }

    fn error(self, line: &str) -> ReadError {
        let (before, rest) = line.split_at(self.farthest.at);
        let column = before.chars().count() + 1;
        let first = rest.split_whitespace().next().unwrap_or_default();
        if let Some(side) = self.mover(self.farthest.at, first) {
            return ReadError::BareMove { found: excerpt(first), side, column };
        }
        let Farthest { expected, fault, .. } = self.farthest;
        match fault {
            Some(Fault::Time(error)) => ReadError::Time { error, column },
            Some(Fault::Move(error)) => ReadError::Move { error, column },
            None if expected[..] == [Expected::End] => {
                ReadError::Trailing { found: excerpt(rest), column }
            }
            None => {
                let found = excerpt(first);
                ReadError::Word { found, expected: expected.into_vec(), column }
            }
        }
    }

    /// Returns the next word and its offset; the word is empty at the end of the line.
    fn word(&mut self) -> (&'a str, usize) {
        self.cursor.skip_space();
        let at = self.cursor.offset();
        (self.cursor.word().unwrap_or_default(), at)
    }

    fn peek(&self) -> &'a str {
        self.cursor.clone().word().unwrap_or_default()
    }

    fn miss<T>(&mut self, at: usize, expected: Expected) -> Result<T, Missed> {
        self.farthest.record(at, expected, None);
        Err(Missed)
    }

    fn fail<T>(&mut self, at: usize, hole: Hole, fault: Fault) -> Result<T, Missed> {
        self.farthest.record(at, Expected::Hole(hole), Some(fault));
        Err(Missed)
    }

    fn name(&mut self, name: &'static str) -> Result<(), Missed> {
        name.split(' ').try_for_each(|word| self.expect(word))
    }

    pub(super) fn expect(&mut self, expected: &'static str) -> Result<(), Missed> {
        let (found, at) = self.word();
        if found == expected { Ok(()) } else { self.miss(at, Expected::Word(expected)) }
    }

    pub(super) fn end(&mut self) -> Result<(), Missed> {
        self.cursor.skip_space();
        match self.cursor.rest() {
            "" => Ok(()),
            _ => self.miss(self.cursor.offset(), Expected::End),
        }
    }

    pub(super) fn player(&self) -> Result<Side, Missed> {
        self.side.ok_or(Missed)
    }

    fn parsed<T: FromStr>(&mut self, hole: Hole) -> Result<T, Missed> {
        let (found, at) = self.word();
        found.parse().or_else(|_| self.miss(at, Expected::Hole(hole)))
    }

    pub(super) fn side(&mut self, hole: Hole) -> Result<Side, Missed> {
        let (found, at) = self.word();
        side_of(found).map_or_else(|| self.miss(at, Expected::Hole(hole)), Ok)
    }

    pub(super) fn square(&mut self, hole: Hole) -> Result<G::Square, Missed> {
        self.parsed(hole)
    }

    pub(super) fn number<N: FromStr>(&mut self, hole: Hole) -> Result<N, Missed> {
        self.parsed(hole)
    }

    pub(super) fn points(&mut self, hole: Hole) -> Result<f64, Missed> {
        let (found, at) = self.word();
        let points = found.parse().ok().filter(|points| (0.0..=1000.0).contains(points));
        points.map_or_else(|| self.miss(at, Expected::Hole(hole)), Ok)
    }

    fn signed_time(&mut self, sign: &str, hole: Hole) -> Result<Duration, Missed> {
        let (found, at) = self.word();
        let Some(time) = found.strip_prefix(sign).filter(|_| !found.is_empty()) else {
            return self.miss(at, Expected::Hole(hole));
        };
        match time.parse() {
            Ok(Hms(time)) => Ok(time),
            // This form takes a time without a sign. A signed time is a mismatch and not an error,
            // because another form can accept it.
            Err(_) if sign.is_empty() && time.starts_with(['+', '-']) => {
                self.miss(at, Expected::Hole(hole))
            }
            Err(error) => self.fail(at, hole, Fault::Time(error)),
        }
    }

    pub(super) fn time(&mut self, hole: Hole) -> Result<Duration, Missed> {
        self.signed_time("", hole)
    }

    pub(super) fn plus_time(&mut self, hole: Hole) -> Result<Duration, Missed> {
        self.signed_time("+", hole)
    }

    pub(super) fn minus_time(&mut self, hole: Hole) -> Result<Duration, Missed> {
        self.signed_time("-", hole)
    }

    pub(super) fn letter(&mut self, hole: Hole) -> Result<char, Missed> {
        match self.word() {
            (letter @ ("q" | "r" | "b" | "n" | "k" | "p"), _) => {
                Ok(letter.chars().next().unwrap_or('q'))
            }
            (_, at) => self.miss(at, Expected::Hole(hole)),
        }
    }

    /// Reads the letter of a promotion piece, in the language of the line or in English.
    pub(super) fn promoted(&mut self, hole: Hole) -> Result<char, Missed> {
        let french = self.language == Language::French;
        match self.word() {
            ("q", _) => Ok('q'),
            ("r", _) => Ok('r'),
            ("b", _) => Ok('b'),
            ("n", _) => Ok('n'),
            ("d", _) if french => Ok('q'),
            ("t", _) if french => Ok('r'),
            ("f", _) if french => Ok('b'),
            ("c", _) if french => Ok('n'),
            (_, at) => self.miss(at, Expected::Hole(hole)),
        }
    }

    fn move_on(&mut self, side: Option<Side>, hole: Hole) -> Result<G::Move, Missed> {
        let boards = self.boards;
        self.move_of(|| (boards.of)(side), hole, |_| None)
    }

    /// Reads a move that would be legal if it were this player's turn.
    pub(super) fn out_of_turn(&mut self, hole: Hole) -> Result<G::Move, Missed> {
        let (side, boards) = (self.player()?, self.boards);
        let turned = |board: G| board.without(&[], side).ok_or(Refused::Unjudgeable);
        self.move_of(|| (boards.of)(None).and_then(turned), hole, |_| None)
    }

    fn move_of(
        &mut self,
        board: impl FnOnce() -> Result<G, Refused>,
        hole: Hole,
        event_of: fn(&G::MoveError) -> Option<&'static str>,
    ) -> Result<G::Move, Missed> {
        let (text, at) = self.word();
        if text.is_empty() {
            return self.miss(at, Expected::Hole(hole));
        }
        // FIDE notation has a space before `e.p.` (17.9).
        let marked = (self.peek() == "e.p.").then(|| format!("{text}{}", self.word().0));
        let read = match board() {
            Err(why) => Err(Bilingual::about(&excerpt(text), &why)),
            Ok(board) => {
                let read = self.move_or_error(&board, marked.as_deref().unwrap_or(text));
                read.map_err(|error| {
                    with_hint(&error, G::article_on_illegal_move(&error), event_of(&error))
                })
            }
        };
        read.or_else(|error| self.fail(at, hole, Fault::Move(error)))
    }

    /// Reads a move that the player seals.
    pub(super) fn sealed(&mut self, hole: Hole) -> Result<G::Move, Missed> {
        let given = self.boards.castling.filter(|&m| G::names_castling(m, self.peek()));
        match given {
            Some(m) => {
                self.word();
                Ok(m)
            }
            None => self.legal(hole),
        }
    }

    fn move_at(&self, board: &G, text: &str) -> Result<G::Move, Bilingual> {
        self.move_or_error(board, text).map_err(|error| Bilingual::of(&error))
    }

    fn move_or_error(&self, board: &G, text: &str) -> Result<G::Move, G::MoveError> {
        board.read_move_in(text, self.language)
    }

    /// Reads a legal move of the player, or of the side to move if the line names no player.
    pub(super) fn legal(&mut self, hole: Hole) -> Result<G::Move, Missed> {
        self.move_on(self.side, hole)
    }

    /// Reads a legal move that the player made. The error for an illegal move names the event that
    /// records it.
    pub(super) fn played(&mut self, hole: Hole) -> Result<G::Move, Missed> {
        let (side, boards) = (self.side, self.boards);
        self.move_of(|| (boards.of)(side), hole, G::event_of_illegal_move)
    }

    /// Reads a move that the player chooses for the side to move.
    pub(super) fn choice(&mut self, hole: Hole) -> Result<G::Move, Missed> {
        self.move_on(None, hole)
    }

    pub(super) fn moves(&mut self, hole: Hole) -> Result<Vec<G::Move>, Missed> {
        let mut moves = vec![self.legal(hole)?, self.legal(hole)?];
        while !self.peek().is_empty() {
            moves.push(self.legal(hole)?);
        }
        self.could_follow(Expected::Hole(hole));
        Ok(moves)
    }

    /// Records that `expected` could follow here, although the line is already complete.
    fn could_follow(&mut self, expected: Expected) {
        self.cursor.skip_space();
        self.farthest.record(self.cursor.offset(), expected, None);
    }

    /// Reads a move written down with a claim. An illegal move is given by the square of one of the
    /// player's pieces and a destination square.
    pub(super) fn intended(&mut self, hole: Hole) -> Result<Intended<G>, Missed> {
        let text = self.peek();
        let split = (1..text.len()).filter(|&at| text.is_char_boundary(at));
        let squares = split.map(|at| text.split_at(at)).find_map(|(from, to)| {
            Some((from.parse::<G::Square>().ok()?, to.parse::<G::Square>().ok()?))
        });
        if let Some((from, to)) = squares
            && let Ok(board) = (self.boards.of)(self.side)
            && board.owner(from) == Some(board.side())
            && self.move_at(&board, text).is_err()
        {
            self.word();
            return Ok(Intended::Illegal(from, to));
        }
        self.legal(hole).map(Intended::Move)
    }

    /// Reads a position, which extends to the end of the line or to `moves`.
    pub(super) fn position(&mut self, hole: Hole) -> Result<Box<G>, Missed> {
        self.cursor.skip_space();
        let (rest, at) = (self.cursor.rest(), self.cursor.offset());
        if rest.is_empty() {
            return self.miss(at, Expected::Hole(hole));
        }
        let text = rest.split_once(" moves").map_or(rest, |(text, _)| text);
        self.cursor.eat(text);
        let read = G::from_fen(text.trim_end()).map_err(|error| Bilingual::of(&error));
        let ruled = read.and_then(|start| start.without_laws().map_or(Ok(start), Err));
        let start = ruled.or_else(|error| self.fail(at, hole, Fault::Move(error)))?;
        self.set_up = Some(Box::new(start.clone()));
        Ok(Box::new(start))
    }

    /// Reads `moves` followed by moves from the position given before them, or nothing at the end
    /// of the line.
    pub(super) fn book(&mut self, hole: Hole) -> Result<Vec<G::Move>, Missed> {
        let mut moves = Vec::new();
        if self.peek().is_empty() {
            self.could_follow(Expected::Word("moves"));
            return Ok(moves);
        }
        self.expect("moves")?;
        let Some(mut board) = self.set_up.take() else { return Err(Missed) };
        while !self.peek().is_empty() {
            let (text, at) = self.word();
            let read = self.move_at(&board, text);
            let m = read.or_else(|error| self.fail(at, hole, Fault::Move(error)))?;
            *board = board.after(m);
            moves.push(m);
        }
        self.could_follow(Expected::Hole(hole));
        Ok(moves)
    }

    /// Reads piece names or squares. The square of a named piece depends on the side that gives the
    /// odds, which is the last word of the line.
    pub(super) fn odds(&mut self, hole: Hole) -> Result<Vec<G::Square>, Missed> {
        let giver = self.cursor.rest().split_whitespace().last().and_then(side_of);
        let by = giver.unwrap_or(Side::White);
        let mut pieces = Vec::new();
        loop {
            let before = self.cursor.clone();
            let (text, at) = self.word();
            let letter = match text {
                "pawn" => Some('p'),
                "knight" => Some('n'),
                "bishop" => Some('b'),
                "rook" => Some('r'),
                "queen" => Some('q'),
                _ => None,
            };
            let named = letter.and_then(|letter| G::odds_square(letter, by));
            match named.or_else(|| text.parse().ok()) {
                Some(square) => pieces.push(square),
                None => {
                    self.farthest.record(at, Expected::Hole(hole), None);
                    self.cursor = before;
                    return if pieces.is_empty() { Err(Missed) } else { Ok(pieces) };
                }
            }
        }
    }
}
