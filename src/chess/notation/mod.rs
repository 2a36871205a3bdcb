//! The notations in which players write and announce moves (rows W-01 to W-04 and W-06 of
//! `laws::catalogue`).
//!
//! Each [`Notation`] has a name. For example, `fr` is short algebraic notation with French letters
//! and the signs of 2009, and `fr:1930:long` is long notation with the signs of 1930.
//!
//! Invariant: if a notation writes a legal move, it reads the resulting text as the same move.
//!
//! ```
//! use adoube::chess::Position;
//! use adoube::chess::notation::Notation;
//!
//! let start = Position::start();
//! let french: Notation = "fr".parse()?;
//! let read = french.read(&start, "Cf3! (=)")?;
//! assert!(read.remarks.draw_offer);
//! let german: Notation = "de:long".parse()?;
//! assert_eq!(german.write(&start, read.m), "Sg1-f3");
//! let error = french.read(&start, "Cd2").unwrap_err();
//! assert!(error.to_string().starts_with("'Cd2' is not legal in "));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod algebraic;
pub(crate) mod descriptive;
mod export;
pub mod language;
pub(super) mod pattern;
pub(crate) mod spoken;

use super::moves::{Move, MoveError, is_null};
use super::position::Position;
use crate::base::cursor::excerpt;
use crate::record::sheet::remarks::Remarks;
use crate::record::sheet::{Notate, Reader, Unread};
use algebraic::{Signs, Style};
use descriptive::Words;
use language::{Language, LanguageError};
use std::fmt;
use std::str::FromStr;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notation {
    Algebraic(Style),
    /// Descriptive notation in a language. If the language is not named, moves are written and read
    /// in English; [`Notation::with_language`] finds the language of a score sheet.
    Descriptive(Option<&'static Words>),
    /// Announced moves (FIDE 2009, 19.2). If `long` is true, both squares are announced, otherwise
    /// only the necessary details.
    Spoken {
        long: bool,
    },
}

/// A parsed move with the remarks written next to it.
pub(crate) type AnnotatedMove = crate::record::sheet::AnnotatedMove<Move>;

impl Notation {
    /// Writes a move. A null move is written as `Z0` and not as `--`, because dashes on a score
    /// sheet mark a missing move.
    pub fn write(&self, position: &Position, m: Move) -> String {
        match self {
            _ if m == Move::NULL => "Z0".to_owned(),
            Self::Algebraic(style) => style.write(position, m),
            Self::Descriptive(words) => words_of(*words).write(position, m),
            Self::Spoken { long } => spoken::write(position, m, *long),
        }
    }

    /// Parses a move and the remarks written after it. If the text is ambiguous, the error lists
    /// the matching moves in this notation.
    pub fn read(&self, position: &Position, text: &str) -> Result<AnnotatedMove, MoveError> {
        let (body, remarks) = Remarks::split(text);
        let found = self.matches(position, body)?;
        let m = pattern::only(position, body, &found, false, |m| self.write(position, m))?;
        Ok(AnnotatedMove { m, remarks })
    }

    fn matches(&self, position: &Position, body: &str) -> Result<Vec<Move>, MoveError> {
        match self {
            Self::Algebraic(style) => style.matches(position, body),
            Self::Descriptive(words) => words_of(*words).matches(position, body),
            Self::Spoken { .. } => spoken::matches(position, body),
        }
    }

    /// Returns the notation of the first score sheet in a text: SAN, the letters of another
    /// language, or descriptive notation. The notation that can replay the most moves wins. Ties
    /// are broken by the number of entries that have the form of a move, then by this order. If no
    /// entry has the form of a move in any of these notations, returns SAN.
    pub(crate) fn detect(text: &[u8]) -> Self {
        let languages = language::FOREIGN.iter().map(|language| Self::algebraic(language, false));
        let san = Self::Algebraic(Style::SAN);
        Self::best(text, [san].into_iter().chain(languages).chain(Self::DESCRIPTIVE)).unwrap_or(san)
    }

    /// Descriptive notation in English and in French.
    const DESCRIPTIVE: [Self; 2] = [
        Self::Descriptive(Some(&descriptive::ENGLISH)),
        Self::Descriptive(Some(&descriptive::FRENCH)),
    ];

    /// Returns whether [`Self::with_language`] needs the text of a score sheet.
    pub(crate) const fn lacks_language(self) -> bool {
        matches!(self, Self::Descriptive(None))
    }

    /// Detects the language of descriptive notation from the first score sheet in a text. Returns
    /// any other notation, or descriptive notation with a language, unchanged.
    pub(crate) fn with_language(self, text: &[u8]) -> Self {
        match self.lacks_language() {
            true => Self::best(text, Self::DESCRIPTIVE).unwrap_or(self),
            false => self,
        }
    }

    /// Returns the notation with the best result of [`Self::readable_moves`], or the first of
    /// several such notations. Returns `None` if no entry has the form of a move in any notation.
    fn best(text: &[u8], notations: impl IntoIterator<Item = Self>) -> Option<Self> {
        let mut best = (None, (0, 0));
        for notation in notations {
            let found = notation.readable_moves(text);
            if found > best.1 {
                best = (Some(notation), found);
            }
        }
        best.0
    }

    /// Returns two counts for the first score sheet: the moves that can be replayed, and the
    /// entries that have the form of a move.
    fn readable_moves(self, text: &[u8]) -> (usize, usize) {
        let sheet = Reader::<Position, Self, _>::new(text, self).next();
        let Some(Ok(sheet)) = sheet else { return (0, 0) };
        let game = sheet.replay_to_fault::<Position>();
        let legal = game.map_or(0, |(game, _)| game.line().moves.len());
        (legal, sheet.entries.iter().filter(|entry| self.is_move(&entry.text)).count())
    }

    pub fn is_move(&self, text: &str) -> bool {
        let (body, _) = Remarks::split(text);
        match self {
            Self::Algebraic(style) => style.is_move(body),
            Self::Descriptive(words) => words_of(*words).is_move(body),
            Self::Spoken { .. } => spoken::is_move(body),
        }
    }
}

/// Returns the words of descriptive notation: English if no language is named.
const fn words_of(words: Option<&'static Words>) -> &'static Words {
    match words {
        Some(words) => words,
        None => &descriptive::ENGLISH,
    }
}

impl Notate<Position> for Notation {
    fn write(&self, position: &Position, m: Move) -> String {
        self.write(position, m)
    }

    fn read(&self, position: &Position, text: &str) -> Result<AnnotatedMove, Unread<Move>> {
        let (body, remarks) = Remarks::split(text);
        if is_null(body) {
            return Ok(AnnotatedMove { m: Move::NULL, remarks });
        }
        self.read(position, text).map_err(|error| Unread {
            why: error.to_string(),
            candidates: self.matches(position, Remarks::split(text).0).unwrap_or_default(),
        })
    }

    fn is_move(&self, text: &str) -> bool {
        is_null(Remarks::split(text).0) || self.is_move(text)
    }
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotationError {
    #[error(transparent)]
    Language(#[from] LanguageError),
    #[error(
        "'{part}' is not an option of the notation '{first}' (after a language: long, short, 2009, \
         1930, 1928, pgn; after descriptive: fr, en; after spoken: long, short)"
    )]
    Option { first: String, part: String },
}

impl Notation {
    pub const fn algebraic(language: &'static Language, long: bool) -> Self {
        Self::Algebraic(Style { language, signs: &Signs::FIDE_2009, long })
    }
}

impl FromStr for Notation {
    type Err = NotationError;

    /// Parses the name of a notation. It is a language code or `san`, optionally followed by
    /// `long`, `short` or the name of one of [`Signs::ALL`], separated by colons. The other names
    /// are `descriptive`, `descriptive:en`, `descriptive:fr`, `spoken` (which is the same as
    /// `spoken:long`) and `spoken:short`.
    fn from_str(text: &str) -> Result<Self, NotationError> {
        let mut parts = text.split(':');
        let first = parts.next().unwrap_or_default();
        let mut notation = match first {
            "descriptive" => Self::Descriptive(None),
            "spoken" => Self::Spoken { long: true },
            "san" => Self::Algebraic(Style::SAN),
            code => Self::algebraic(Language::of(code)?, false),
        };
        for part in parts {
            let signs = Signs::ALL.into_iter().find(|signs| signs.name == part);
            match (&mut notation, part) {
                (Self::Algebraic(style), "long") => style.long = true,
                (Self::Algebraic(style), "short") => style.long = false,
                (Self::Descriptive(words), "fr") => *words = Some(&descriptive::FRENCH),
                (Self::Descriptive(words), "en") => *words = Some(&descriptive::ENGLISH),
                (Self::Spoken { long }, "long") => *long = true,
                (Self::Spoken { long }, "short") => *long = false,
                (Self::Algebraic(style), _) if signs.is_some() => {
                    style.signs = signs.unwrap_or(style.signs);
                }
                _ => {
                    let (first, part) = (excerpt(first), excerpt(part));
                    return Err(NotationError::Option { first, part });
                }
            }
        }
        Ok(notation)
    }
}

impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Algebraic(Style { language, signs, long }) => {
                write!(f, "{language}")?;
                if **signs != Signs::FIDE_2009 {
                    write!(f, ":{}", signs.name)?;
                }
                f.write_str(if *long { ":long" } else { "" })
            }
            Self::Descriptive(words) => write!(f, "descriptive:{}", words_of(*words).code),
            Self::Spoken { long } => f.write_str(if *long { "spoken" } else { "spoken:short" }),
        }
    }
}
