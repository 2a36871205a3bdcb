//! EPD, positions and what is said of them: what does not depend on the game.
//!
//! Source: *PGN Standard* section 16.2 (Edwards, 1994): a position, then operations `opcode operand
//! ... ;`, where an operand is a word or a text in double quotes. Files in the wild are looser, so
//! these are read as well: empty operations (`;D1 20 ;D2 400`), and a last operation without its
//! semicolon.

use crate::base::cursor::{Cursor, excerpt};
use std::fmt;

/// A position with operations that say something about it. Each game reads and writes its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Epd<P> {
    /// The position.
    pub position: P,
    /// The operations in the order in which they stand.
    pub operations: Vec<Operation>,
}

/// An opcode and its operands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operation {
    /// A letter, then letters, digits and underscores: `bm`, `id`, `D4`.
    pub opcode: String,
    /// The words or texts that follow it.
    pub operands: Vec<Operand>,
}

/// A word or text that follows an opcode.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Operand {
    /// A run of characters without white space or semicolon.
    Word(String),
    /// A text that was in double quotes, which cannot hold a double quote.
    Text(String),
}

/// What is wrong with an operation, and in which column (from 1).
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OperationError {
    /// An operation does not begin with an opcode.
    #[error("column {column}: '{found}' is no opcode (a letter, then letters, digits or _)")]
    Opcode {
        /// From 1.
        column: usize,
        /// What was found instead.
        found: String,
    },
    /// A text without a closing quote.
    #[error("column {column}: the text has no closing quote")]
    OpenText {
        /// Where the text begins, from 1.
        column: usize,
    },
}

impl<P> Epd<P> {
    /// The first operation with that opcode.
    pub fn get(&self, opcode: &str) -> Option<&Operation> {
        self.operations.iter().find(|operation| operation.opcode == opcode)
    }

    /// The record's name, from its operation `id`; empty without one.
    pub fn id(&self) -> String {
        id(&self.operations)
    }
}

impl Operand {
    /// The word or text.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Word(text) | Self::Text(text) => text,
        }
    }
}

impl Operation {
    /// An operation whose operands are words.
    pub fn new(opcode: &str, words: &[&str]) -> Self {
        let operands = words.iter().map(|&word| Operand::Word(word.to_owned())).collect();
        Self { opcode: opcode.to_owned(), operands }
    }

    /// The operands' words, those of quoted texts one by one.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.operands.iter().flat_map(|operand| operand.as_str().split_whitespace())
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

/// Reads operations up to the end of the text.
///
/// # Errors
/// At the first thing that is not an operation.
pub fn operations(cursor: &mut Cursor<'_>) -> Result<Vec<Operation>, OperationError> {
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

/// The name that the operation `id` gives the position; empty without one.
pub fn id(operations: &[Operation]) -> String {
    let id = operations.iter().find(|operation| operation.opcode == "id");
    id.map_or(Vec::new(), |id| id.words().collect()).join(" ")
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

/// Writes operations, with a space before each.
pub(crate) fn write(operations: &[Operation], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    operations.iter().try_for_each(|operation| write!(f, " {operation}"))
}

/// The records of a file's text, each with its line number from 1. Empty lines and lines that
/// begin with `#` are comments.
#[cfg(feature = "internals")]
pub fn records<T: std::str::FromStr>(
    text: &str,
) -> impl Iterator<Item = (usize, Result<T, T::Err>)> {
    lines(text).map(|(number, line)| (number, line.parse()))
}

/// The lines of a file's text that hold a record, with their number from 1. Empty lines and lines
/// that begin with `#` are comments.
pub fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}
