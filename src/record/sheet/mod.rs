//! Score sheets (Par. 23; Art. 23; 8.1 to 8.7; row W-05 of the catalogue in `laws::coverage`): a
//! game as a player writes it down, in any notation, with offers of a draw, times and result;
//! [`compare`] lays two sheets of one game side by side.
//!
//! A sheet is plain text: lines `Name: value`, then rows of a number and the moves of White and
//! Black, each with what is said about it and a clock time, then the result. Columns are separated
//! by a tab, `|` or two spaces; one space will do if it is clear where a move ends.
//!
//! ```text
//! White: Anna
//! Notation: fr
//!
//!  1. e4  1:59  e5  1:58
//!  2. Cf3!      Cc6 (=)
//! 1/2-1/2
//! ```
//!
//! Invariant: what is written reads back as the same sheet.

pub mod compare;
mod read;
pub mod remarks;

pub use read::{Reader, SheetError, SheetProblem};

use crate::base::game::Game;
use crate::base::side::Side;
use crate::base::span::Span;
use crate::record::games::{Record, Recorded};
use remarks::{Quality, Remarks};
use std::error::Error;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A move read from a text, with the remarks beside it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Noted<M> {
    /// The move.
    pub m: M,
    /// What is said about it.
    pub remarks: Remarks,
}

/// A notation: a way to write the moves of a game. It is a form of its own beside those of
/// [`MoveForm`](crate::base::game::MoveForm), chosen by the player and read together with remarks.
pub trait Notate<P: Game>:
    Copy + fmt::Display + FromStr<Err: Error + Send + Sync + 'static>
{
    /// The text of a legal move.
    fn write(&self, position: &P, m: P::Move) -> String;

    /// The legal move that a text means, and what is said about it.
    ///
    /// # Errors
    /// Why the text is rejected, and the moves it could mean.
    fn read(&self, position: &P, text: &str) -> Result<Noted<P::Move>, Unread<P::Move>>;

    /// Whether a text has the form of a move, legal or not.
    fn is_move(&self, text: &str) -> bool;
}

/// Why a text is not one legal move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unread<M> {
    /// What is wrong, for the user.
    pub why: String,
    /// The moves that the text could mean; empty if it means no legal move.
    pub meant: Vec<M>,
}

/// What a player wrote down for one move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The line of the text, from 1; 0 if the sheet was not read from a text.
    pub line: u64,
    /// The row's number.
    pub number: u32,
    /// Whose column it is in.
    pub side: Side,
    /// The move as it is written, with remarks; empty if nothing is written.
    pub text: String,
    /// The time on the clock, if it is written beside the move.
    pub time: Option<Duration>,
}

/// A score sheet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sheet<N> {
    /// Names and values, such as `White` and the player's name; the notation is not among them.
    pub heads: Vec<(String, String)>,
    /// The notation of the moves.
    pub notation: N,
    /// The moves, from the first.
    pub entries: Vec<Entry>,
    /// The result as it is written.
    pub result: String,
}

impl<N: Copy> Sheet<N> {
    /// The sheet of a game's main line. Variations are left out, and so are comments except clock
    /// times (`[%clk 0:59:58]`), offers of a draw, `(=)`, and the other signs of [`Remarks`].
    pub fn of<P: Recorded>(game: &Record<P>, notation: N) -> Self
    where
        N: Notate<P>,
    {
        let mut position = game.start().clone();
        let mut number = position.first_number();
        let mut entries = Vec::new();
        // The star of a forced move is a sign of draughts, like the others that are read with it.
        let split = if P::STAR.is_some() { Remarks::split_draughts } else { Remarks::split };
        for node in &game.line().moves {
            let mut remarks = Remarks::default();
            for &glyph in &node.nags {
                remarks.quality = remarks.quality.or(Quality::of_glyph(glyph));
                remarks.forced |= P::STAR == Some(glyph);
            }
            let mut time = None;
            for comment in &node.comments {
                let (rest, found) = split(comment);
                if rest.is_empty() {
                    remarks.draw_offer |= found.draw_offer;
                    remarks.ad_libitum |= found.ad_libitum;
                    remarks.assessment = remarks.assessment.or(found.assessment);
                }
                time = time.or_else(|| clock_in(comment));
            }
            let side = position.side();
            let text = notation.write(&position, node.m) + &remarks.to_string();
            entries.push(Entry { line: 0, number, side, text, time });
            position = position.after(node.m);
            number += u32::from(side == Side::Black);
        }
        let mut heads: Vec<_> = game.tags().map(|(n, v)| (n.to_owned(), v.to_owned())).collect();
        if *game.start() != P::start() {
            heads.push(("FEN".to_owned(), game.start().to_fen()));
        }
        Self { heads, notation, entries, result: game.result.to_string() }
    }

    /// The value of a head, by its name.
    pub fn head(&self, name: &str) -> Option<&str> {
        self.heads.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    /// The position from which the game starts: that of the head `FEN`, or the usual one.
    ///
    /// # Errors
    /// If the head `FEN` is not a position.
    pub fn start<P: Recorded>(&self) -> Result<P, P::Error> {
        self.head("FEN").map_or_else(|| Ok(P::start()), P::from_fen)
    }

    /// The game that the sheet records. Remarks become glyphs and comments.
    ///
    /// # Errors
    /// [`SheetError`] with the line of the first entry that is not one legal move.
    pub fn replay<P: Recorded>(&self) -> Result<Record<P>, SheetError>
    where
        N: Notate<P>,
    {
        let fail = |line, problem| SheetError { line, problem };
        let start = self.start::<P>();
        let start = start.map_err(|e| fail(0, SheetProblem::Start(e.to_string())))?;
        let mut game = Record::<P>::from_position(start);
        for (name, value) in &self.heads {
            if name != "FEN" {
                game.set_tag(name, value);
            }
        }
        for entry in &self.entries {
            let &Entry { line, number, side, .. } = entry;
            if entry.text.is_empty() {
                return Err(fail(line, SheetProblem::Blank { number, side }));
            }
            if game.position().side() != side {
                return Err(fail(line, SheetProblem::Turn { number, side }));
            }
            let read = self.notation.read(game.position(), &entry.text);
            let noted = read.map_err(|unread| fail(line, SheetProblem::Move(unread.why)))?;
            let ply = game.line().moves.len();
            game.push(noted.m, "").map_err(|e| fail(line, SheetProblem::Move(e.to_string())))?;
            if let Some(node) = game.node_mut(ply) {
                let Remarks { quality, forced, .. } = noted.remarks;
                node.nags.extend(quality.map(Quality::glyph));
                node.nags.extend(P::STAR.filter(|_| forced));
                let rest = Remarks { quality: None, forced: false, ..noted.remarks }.to_string();
                let words = rest.split_whitespace().map(str::to_owned);
                node.comments
                    .extend(words.chain(entry.time.map(|t| format!("[%clk {}]", Clock(t)))));
            }
        }
        if !self.result.is_empty() {
            let result = self.result.parse();
            game.result = result.map_err(|_| fail(0, SheetProblem::Result(self.result.clone())))?;
        }
        Ok(game)
    }
}

/// The time in `[%clk 1:02:03]`.
fn clock_in(comment: &str) -> Option<Duration> {
    let (_, after) = comment.split_once("[%clk ")?;
    time(after.split_once(']')?.0.trim())
}

/// A clock time: `h:mm` or `h:mm:ss`, also in brackets.
fn time(text: &str) -> Option<Duration> {
    let bare = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')).unwrap_or(text);
    let bare = bare.strip_prefix('[').and_then(|t| t.strip_suffix(']')).unwrap_or(bare);
    let parts: Vec<_> = bare.split(':').collect();
    let [hours, sixtieths @ ..] = &parts[..] else { return None };
    let number = |text: &str| text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok());
    let hours: u64 = number(hours).flatten().filter(|hours| *hours < 1000)?;
    let (mut seconds, mut unit) = (hours * 3600, 3600);
    if !(1..=2).contains(&sixtieths.len()) {
        return None;
    }
    for part in sixtieths {
        unit /= 60;
        let value = number(part).flatten().filter(|value| *value < 60 && part.len() == 2)?;
        seconds += value * unit;
    }
    Some(Span::from_secs(seconds).time())
}

/// A time as it is written: `1:59:30`.
struct Clock(Duration);

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs();
        write!(f, "{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
    }
}

impl<N: fmt::Display> fmt::Display for Sheet<N> {
    /// The sheet in columns, with an empty line after it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.heads {
            writeln!(f, "{name}: {value}")?;
        }
        writeln!(f, "Notation: {}\n", self.notation)?;
        let cell = |entry: &Entry| {
            let text = if entry.text.is_empty() { "?" } else { &entry.text };
            entry.time.map_or_else(|| text.to_owned(), |time| format!("{text}  {}", Clock(time)))
        };
        let width = |side| {
            let cells = self.entries.iter().filter(|entry| entry.side == side).map(cell);
            cells.map(|text| text.chars().count()).max().unwrap_or(0)
        };
        let (digits, white) = (
            self.entries.last().map_or(1, |entry| entry.number.to_string().len()),
            width(Side::White).max(3),
        );
        let mut entries = self.entries.iter().peekable();
        while let Some(entry) = entries.next() {
            write!(f, "{:digits$}. ", entry.number)?;
            let (left, right) = match entry.side {
                Side::White => {
                    let black =
                        |next: &&Entry| next.side == Side::Black && next.number == entry.number;
                    (cell(entry), entries.next_if(black))
                }
                Side::Black => ("...".to_owned(), Some(entry)),
            };
            match right {
                Some(right) => writeln!(f, "{left:white$}  {}", cell(right))?,
                None => writeln!(f, "{left}")?,
            }
        }
        writeln!(f, "\n{}\n", if self.result.is_empty() { "*" } else { &self.result })
    }
}
