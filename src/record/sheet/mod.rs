//! Score sheets: a game as written down by a player, in any notation, with draw offers, clock times
//! and result. [`compare`] compares two sheets of the same game.
//!
//! A sheet is plain text. It consists of lines `Name: value`, rows with a number and the moves of
//! White and Black, and the result. Each move can be followed by remarks and a clock time. Columns
//! are separated by a tab, `|` or two spaces. A single space suffices if the end of the move is
//! unambiguous. A comma can follow a move. The names of the seven mandatory tags can also be
//! German, French, Dutch, Spanish or Italian, and the result can be a word such as `remis`.
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
//! Invariant: reading a written sheet returns the same sheet, except for the line numbers. A
//! missing result becomes `*`.
//!
//! Sources: Par. 23 (1928), Art. 23 (1930), and 8.1 to 8.7 (2009) of the Laws of Chess; row W-05 of
//! `laws::catalogue`.

pub mod compare;
mod read;
pub mod remarks;
mod words;

pub(super) use read::head;
pub use read::{Reader, SheetError, SheetProblem};
pub(super) use words::is_draw;
pub(crate) use words::result;

use crate::base::game::Game;
use crate::base::side::Side;
use crate::base::span::Span;
use crate::record::games::{Record, Recorded};
use remarks::{Quality, Remarks};
use std::error::Error;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AnnotatedMove<M> {
    pub m: M,
    pub remarks: Remarks,
}

/// The notation that a player has chosen for moves and the remarks after them. It is independent of
/// [`MoveForm`](crate::base::game::MoveForm).
pub trait Notate<P: Game>:
    Copy + fmt::Display + FromStr<Err: Error + Send + Sync + 'static>
{
    fn write(&self, position: &P, m: P::Move) -> String;

    /// Parses a move and its remarks. The error contains the reason and the moves that match the
    /// text.
    fn read(&self, position: &P, text: &str) -> Result<AnnotatedMove<P::Move>, Unread<P::Move>>;

    /// Returns whether a text has the form of a move, legal or not.
    fn is_move(&self, text: &str) -> bool;
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unread<M> {
    pub why: String,
    /// The legal moves that match the text, which may be none or several.
    pub candidates: Vec<M>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The line number, counted from 1; 0 if the sheet was not read from a text.
    pub line: u64,
    /// The move number of the row.
    pub number: u32,
    pub side: Side,
    /// The move as written, with remarks; empty if the player left a blank.
    pub text: String,
    pub time: Option<Duration>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sheet<N> {
    /// The names and values of the lines `Name: value`, except the notation and the result.
    pub heads: Vec<(String, String)>,
    pub notation: N,
    pub entries: Vec<Entry>,
    /// The result as written.
    pub result: String,
}

impl<N: Copy> Sheet<N> {
    /// Creates a sheet from a game's main line. Variations are omitted. Comments are omitted too,
    /// except clock times (`[%clk 0:59:58]`), draw offers `(=)`, and the other signs of
    /// [`Remarks`].
    pub fn of<P: Recorded>(game: &Record<P>, notation: N) -> Self
    where
        N: Notate<P>,
    {
        let mut position = game.start().clone();
        let mut number = position.first_number();
        let mut entries = Vec::new();
        // Only draughts uses `*` as a sign. Draughts also has signs that chess does not have.
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

    pub fn head(&self, name: &str) -> Option<&str> {
        self.heads.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    /// Returns the start position from the line `FEN: ...`, or the standard position.
    pub(crate) fn start<P: Recorded>(&self) -> Result<P, P::Error> {
        self.head("FEN").map_or_else(|| Ok(P::start()), P::from_fen)
    }

    /// Replays the sheet as a game. Remarks become glyphs and comments.
    ///
    /// # Errors
    /// Fails if an entry does not denote exactly one legal move or its side is not to move, or if
    /// the start position or the result is invalid. The error contains the line of the first such
    /// entry, or 0 if all entries are valid.
    #[cfg(any(test, feature = "internals"))]
    pub fn replay<P: Recorded>(&self) -> Result<Record<P>, SheetError>
    where
        N: Notate<P>,
    {
        let (game, fault) = self.replay_to_fault()?;
        fault.map_or(Ok(game), Err)
    }

    /// Replays the sheet up to its first fault. Returns the game up to that point, and the fault if
    /// there is one. Fails if the start position is invalid.
    pub(crate) fn replay_to_fault<P: Recorded>(
        &self,
    ) -> Result<(Record<P>, Option<SheetError>), SheetError>
    where
        N: Notate<P>,
    {
        let start = self.start::<P>();
        let start = start.map_err(|e| SheetError::new(0, SheetProblem::Start(e.to_string())))?;
        let mut game = Record::<P>::from_position(start);
        for (name, value) in &self.heads {
            if name != "FEN" {
                game.set_tag(name, value);
            }
        }
        let mut fault = self.entries.iter().find_map(|entry| self.push(entry, &mut game).err());
        if !self.result.is_empty() {
            match result::<P>(&self.result) {
                Some(result) => game.result = result,
                None => {
                    let problem = SheetProblem::Result(self.result.clone());
                    fault = fault.or(Some(SheetError::new(0, problem)));
                }
            }
        }
        Ok((game, fault))
    }

    fn push<P: Recorded>(&self, entry: &Entry, game: &mut Record<P>) -> Result<(), SheetError>
    where
        N: Notate<P>,
    {
        let &Entry { line, number, side, .. } = entry;
        let fail = |problem| SheetError::new(line, problem);
        if entry.text.is_empty() {
            return Err(fail(SheetProblem::Blank { number, side }));
        }
        if game.position().side() != side {
            return Err(fail(SheetProblem::Turn { number, side }));
        }
        let read = self.notation.read(game.position(), &entry.text);
        let annotated = read.map_err(|unread| fail(SheetProblem::Move(unread.why)))?;
        let ply = game.line().moves.len();
        game.push(annotated.m, "").map_err(|e| fail(SheetProblem::Move(e.to_string())))?;
        if let Some(node) = game.node_mut(ply) {
            let Remarks { quality, forced, .. } = annotated.remarks;
            node.nags.extend(quality.map(Quality::glyph));
            node.nags.extend(P::STAR.filter(|_| forced));
            let rest = Remarks { quality: None, forced: false, ..annotated.remarks }.to_string();
            let words = rest.split_whitespace().map(str::to_owned);
            node.comments.extend(words.chain(entry.time.map(|t| format!("[%clk {}]", Clock(t)))));
        }
        Ok(())
    }
}

/// Returns the clock time in a comment, without fractions of a second.
fn clock_in(comment: &str) -> Option<Duration> {
    let (_, after) = comment.split_once("[%clk ")?;
    time(after.split_once(']')?.0.split('.').next()?.trim())
}

/// Parses a clock time: `h:mm` or `h:mm:ss`, optionally in brackets.
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

struct Clock(Duration);

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs();
        write!(f, "{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
    }
}

impl<N: fmt::Display> fmt::Display for Sheet<N> {
    /// Writes the sheet in columns, followed by an empty line.
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
