//! EPD records, each a position followed by operations. This module contains the parts that chess
//! and draughts share.
//!
//! An operation has the form `opcode operand ... ;`, and an operand is a word or a string in double
//! quotes (*PGN Standard* section 16.2, Edwards, 1994). The parser also accepts two common
//! deviations: empty operations (`;D1 20 ;D2 400`) and a last operation without its semicolon.

use crate::base::cursor::{Cursor, excerpt};
use crate::base::text::without_mark;
use std::fmt;

/// A position with operations. Each game parses and writes its own positions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Epd<P> {
    /// The position.
    pub position: P,
    /// The operations in the order in which they are written.
    pub operations: Vec<Operation>,
}

/// An operation: an opcode with operands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operation {
    /// The opcode: a letter followed by letters, digits and underscores, such as `bm`, `id`, `D4`.
    pub opcode: String,
    /// The operands.
    pub operands: Vec<Operand>,
}

/// An operand of an operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Operand {
    /// A run of characters other than white space and semicolons.
    Word(String),
    /// A string in double quotes. The string itself cannot contain a double quote.
    Text(String),
}

/// An error in the operations of a record.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OperationError {
    /// Text that is not an opcode.
    #[error("column {column}: '{found}' is not an opcode (a letter, then letters, digits or _)")]
    Opcode {
        /// The column, counted from 1.
        column: usize,
        /// The rejected text.
        found: String,
    },
    /// Text in quotes without the closing quote.
    #[error("column {column}: the text has no closing quote")]
    OpenText {
        /// The column of the opening quote, counted from 1.
        column: usize,
    },
}

impl<P> Epd<P> {
    /// Returns the first operation with this opcode.
    pub fn get(&self, opcode: &str) -> Option<&Operation> {
        self.operations.iter().find(|operation| operation.opcode == opcode)
    }

    /// Returns the name of the record from its `id` operation, or an empty string if there is none.
    pub fn id(&self) -> String {
        id(&self.operations)
    }
}

impl Operand {
    /// Returns the text of the operand, without quotes.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Word(text) | Self::Text(text) => text,
        }
    }
}

impl Operation {
    /// Creates an operation with words as operands.
    pub fn new(opcode: &str, words: &[&str]) -> Self {
        let operands = words.iter().map(|&word| Operand::Word(word.to_owned())).collect();
        Self { opcode: opcode.to_owned(), operands }
    }

    /// Returns the words of all operands. Quoted strings are split at white space, and other
    /// operands at commas, because some programs separate words with commas.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.operands.iter().flat_map(|operand| {
            let is_separator = |c: char| match operand {
                Operand::Word(_) => c == ',',
                Operand::Text(_) => c.is_whitespace(),
            };
            operand.as_str().split(is_separator).filter(|word| !word.is_empty())
        })
    }

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperationError> {
        let column = cursor.column();
        let is_end = |c: char| c.is_whitespace() || c == ';';
        let opcode = cursor.take_while(|c| !is_end(c)).to_owned();
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if !opcode.starts_with(|c: char| c.is_ascii_alphabetic()) || !opcode.chars().all(is_name) {
            return Err(OperationError::Opcode { column, found: excerpt(&opcode) });
        }
        let mut operands = Vec::new();
        loop {
            cursor.skip_space();
            let column = cursor.column();
            if cursor.peek().is_none() || cursor.eat(";") {
                return Ok(Self { opcode, operands });
            }
            if cursor.eat("\"") {
                let text = cursor.take_while(|c| c != '"').to_owned();
                if !cursor.eat("\"") {
                    return Err(OperationError::OpenText { column });
                }
                operands.push(Operand::Text(text));
            } else {
                operands.push(Operand::Word(cursor.take_while(|c| !is_end(c)).to_owned()));
            }
        }
    }
}

/// Parses operations up to the end of the text.
pub(crate) fn operations(cursor: &mut Cursor<'_>) -> Result<Vec<Operation>, OperationError> {
    let mut operations = Vec::new();
    loop {
        cursor.skip_space();
        if cursor.peek().is_none() {
            return Ok(operations);
        }
        if !cursor.eat(";") {
            operations.push(Operation::read(cursor)?);
        }
    }
}

pub(crate) fn id(operations: &[Operation]) -> String {
    let id = operations.iter().find(|operation| operation.opcode == "id");
    let words = id.map_or(Vec::new(), |id| id.operands.iter().map(Operand::as_str).collect());
    words.join(" ")
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.opcode)?;
        for operand in &self.operands {
            match operand {
                Operand::Word(word) => write!(f, " {word}")?,
                Operand::Text(text) => write!(f, " \"{}\"", text.replace('"', "'"))?,
            }
        }
        f.write_str(";")
    }
}

/// Writes operations, each preceded by a space.
pub fn write(operations: &[Operation], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    operations.iter().try_for_each(|operation| write!(f, " {operation}"))
}

/// Returns the parsed records in a text with their line numbers, counted from 1. Empty lines and
/// lines that begin with `#` are comments.
#[cfg(feature = "internals")]
pub fn records<T: std::str::FromStr>(
    text: &str,
) -> impl Iterator<Item = (usize, Result<T, T::Err>)> {
    lines(text).map(|(number, line)| (number, line.parse()))
}

/// Returns the lines of a text that contain records, with their line numbers, counted from 1. Empty
/// lines and lines that begin with `#` are comments. Byte order marks are skipped, as are NUL
/// characters at the end of a line.
pub fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_end = |c: char| c.is_whitespace() || c == '\0';
    text.lines()
        .enumerate()
        .map(move |(index, line)| (index + 1, without_mark(line).trim_end_matches(is_end)))
        .map(|(number, line)| (number, line.trim_start()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}
