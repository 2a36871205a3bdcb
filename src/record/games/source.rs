//! A character reader with locations and bounded lookahead.
//!
//! The text is UTF-8. A byte that is not part of a UTF-8 character is decoded as Windows-1252, the
//! encoding of many old files.

use super::fault::{Fault, Loss, Problem};
use crate::base::text::is_invisible;
use crate::record::windows_1252;
use std::error::Error;
use std::io::{self, BufRead};

#[derive(Clone, Copy, Debug)]
pub(super) struct Location {
    pub line: u64,
    pub column: u64,
}

impl Location {
    pub(super) const fn fault<E: Error>(self, problem: Problem<E>, loss: Loss) -> Fault<E> {
        Fault { line: self.line, column: self.column, problem, loss, unread: None }
    }

    /// Returns the location after `text`. A carriage return in `text` must be followed by a line
    /// feed.
    #[inline]
    pub(super) fn after(self, text: &[u8]) -> Self {
        match memchr::memrchr(b'\n', text) {
            None => Self { column: self.column + columns(text, self.column), ..self },
            Some(last) => Self {
                line: self.line + memchr::memchr_iter(b'\n', text).count() as u64,
                column: 1 + columns(text.get(last + 1..).unwrap_or_default(), 1),
            },
        }
    }
}

/// Returns the number of columns that `text` occupies if it begins in column `first`. The text must
/// not contain a line end. A byte that is not part of a UTF-8 character occupies one column. Byte
/// order marks at the start of a line occupy no column.
#[inline]
pub(super) fn columns(text: &[u8], first: u64) -> u64 {
    if text.is_ascii() {
        return text.len() as u64;
    }
    let marks = match first {
        1 => text.chunks(BYTE_ORDER_MARK.len()).take_while(|c| *c == BYTE_ORDER_MARK).count(),
        _ => 0,
    };
    let widths = text.utf8_chunks().map(|c| c.valid().chars().count() + c.invalid().len());
    (widths.sum::<usize>() - marks) as u64
}

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// A failure to read the source.
#[derive(Debug)]
pub(super) struct Failure {
    pub location: Location,
    pub error: io::Error,
}

impl<E: Error> From<Failure> for Fault<E> {
    fn from(failure: Failure) -> Self {
        failure.location.fault(Problem::Io(failure.error), Loss::Game)
    }
}

#[derive(Debug)]
pub(super) struct Source<R> {
    input: R,
    /// The error that occurred when reading past the buffered bytes. It is reported after these
    /// bytes have been consumed.
    input_error: Option<io::Error>,
    /// Bytes taken from the input. The bytes before `at` have been consumed.
    buffer: Vec<u8>,
    at: usize,
    /// The next character and its length in bytes, once it has been decoded.
    peeked: Option<(char, usize)>,
    location: Location,
    /// The characters consumed since the copy was started; `None` if no copy is made.
    pub copied: Option<String>,
    /// True after a carriage return, so that a following line feed does not start another line.
    after_return: bool,
    /// The number of line breaks since the last character other than white space: 1 on a new line,
    /// 2 after an empty line.
    pub line_ends: u32,
    /// A failure to read the text after a complete game.
    pub failure: Option<Failure>,
}

impl<R: BufRead> Source<R> {
    pub(super) const fn new(input: R) -> Self {
        Self {
            input,
            input_error: None,
            buffer: Vec::new(),
            at: 0,
            peeked: None,
            location: Location { line: 1, column: 1 },
            copied: None,
            after_return: false,
            line_ends: 1,
            failure: None,
        }
    }

    #[cfg(feature = "cli")]
    pub(super) const fn set_line(&mut self, line: u64) {
        self.location.line = line;
    }

    pub(super) const fn location(&self) -> Location {
        self.location
    }

    /// Returns the next `count` bytes without consuming them, or fewer if the input ends or a read
    /// error occurs first. Returns the read error if no bytes precede it.
    pub(super) fn look(&mut self, count: usize) -> Result<&[u8], Failure> {
        while self.buffer.len() - self.at < count {
            if self.input_error.is_some() && self.at < self.buffer.len() {
                break;
            }
            if let Some(error) = self.input_error.take() {
                return Err(Failure { location: self.location, error });
            }
            if self.at > 0 {
                self.buffer.drain(..self.at);
                self.at = 0;
            }
            match self.input.fill_buf() {
                Ok([]) => break,
                Ok(bytes) => {
                    let length = bytes.len();
                    self.buffer.extend_from_slice(bytes);
                    self.input.consume(length);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => self.input_error = Some(error),
            }
        }
        let rest = &self.buffer[self.at..];
        Ok(&rest[..count.min(rest.len())])
    }

    /// Returns the bytes that are in memory but not yet consumed.
    pub(super) fn buffered(&self) -> &[u8] {
        self.buffer.get(self.at..).unwrap_or_default()
    }

    /// Consumes all but `left` bytes in memory. The last consumed byte must be a visible character;
    /// `location` and `line_ends` describe the state after it.
    pub(super) fn advance_to(&mut self, left: usize, location: Location, line_ends: u32) {
        self.at = self.buffer.len() - left;
        self.peeked = None;
        self.location = location;
        self.line_ends = line_ends;
        self.after_return = false;
    }

    pub(super) fn peek(&mut self) -> Result<Option<char>, Failure> {
        if let Some((c, _)) = self.peeked {
            return Ok(Some(c));
        }
        self.peeked = match *self.look(1)? {
            [] => None,
            [byte, ..] if byte.is_ascii() => Some((char::from(byte), 1)),
            [byte, ..] => {
                let chunk = self.look(4)?.utf8_chunks().next();
                let c = chunk.and_then(|chunk| chunk.valid().chars().next());
                c.map(|c| (c, c.len_utf8())).or(Some((windows_1252(byte), 1)))
            }
        };
        Ok(self.peeked.map(|(c, _)| c))
    }

    pub(super) fn next(&mut self) -> Result<Option<char>, Failure> {
        let c = self.peek()?;
        if let Some((c, length)) = self.peeked.take() {
            self.at += length;
            self.locate(c);
            self.copied.iter_mut().for_each(|copied| copied.push(c));
        }
        Ok(c)
    }

    /// Updates the location after the character `c`.
    fn locate(&mut self, c: char) {
        match c {
            '\n' if self.after_return => {}
            '\n' | '\r' => {
                self.location.line += 1;
                self.location.column = 1;
                self.line_ends += 1;
            }
            // A byte order mark does not count as a column. Concatenated files can have one in the
            // middle, at the start of a line.
            '\u{feff}' if self.location.column == 1 => {}
            _ => {
                self.location.column += 1;
                if !is_space(c) {
                    self.line_ends = 0;
                }
            }
        }
        self.after_return = c == '\r';
    }

    pub(super) fn eat(&mut self, expected: char) -> Result<bool, Failure> {
        let found = self.peek()? == Some(expected);
        if found {
            self.next()?;
        }
        Ok(found)
    }

    pub(super) fn take_while(&mut self, accept: impl Fn(char) -> bool) -> Result<String, Failure> {
        let mut text = String::new();
        while let Some(c) = self.peek()?.filter(|&c| accept(c)) {
            self.next()?;
            text.push(c);
        }
        Ok(text)
    }

    pub(super) fn skip_while(&mut self, accept: impl Fn(char) -> bool) -> Result<(), Failure> {
        while self.peek()?.is_some_and(&accept) {
            self.next()?;
        }
        Ok(())
    }

    pub(super) fn rest_of_line(&mut self) -> Result<String, Failure> {
        self.take_while(|c| !is_line_end(c))
    }

    /// Skips white space, and lines hidden by `%` in the first column (*PGN Standard* section 6). A
    /// literal `\r` or `\n` at the end of a line, written by a faulty program, counts as white
    /// space.
    pub(super) fn skip_space(&mut self) -> Result<(), Failure> {
        loop {
            match self.peek()? {
                Some('%') if self.location.column == 1 => self.skip_while(|c| !is_line_end(c))?,
                Some(c) if is_space(c) => drop(self.next()?),
                Some('\\') if self.is_escaped_line_end()? => {
                    let line_ends = self.line_ends;
                    self.next()?;
                    self.next()?;
                    self.line_ends = line_ends;
                }
                _ => return Ok(()),
            }
        }
    }

    /// Returns whether a literal `\r`, `\n` or `\r\n` follows at the end of a line.
    fn is_escaped_line_end(&mut self) -> Result<bool, Failure> {
        Ok(match self.look(3)? {
            [b'\\', b'r', b'\\'] => self.look(5)?.get(3) == Some(&b'n') && self.ends_line(4)?,
            [b'\\', b'r' | b'n', ..] => self.ends_line(2)?,
            _ => false,
        })
    }

    /// Returns whether the line ends after the next `count` bytes.
    fn ends_line(&mut self, count: usize) -> Result<bool, Failure> {
        let next = self.look(count + 1)?.get(count).copied();
        Ok(next.is_none_or(|byte| is_line_end(char::from(byte))))
    }

    /// Skips white space and line ends up to the next visible character, if a line end is next and
    /// `accept` returns true for the visible text.
    pub(super) fn skip_line_ends(&mut self, accept: fn(&str) -> bool) -> Result<(), Failure> {
        /// The maximum number of bytes that are searched and shown to `accept`.
        const MAX_AHEAD: usize = 256;
        if self.peek()?.is_some_and(is_line_end)
            && accept(String::from_utf8_lossy(self.look(MAX_AHEAD)?).trim_start())
        {
            self.skip_while(is_space)?;
        }
        Ok(())
    }

    pub(super) fn starts_with(&mut self, text: &str) -> Result<bool, Failure> {
        Ok(self.look(text.len())? == text.as_bytes())
    }

    /// Returns up to `count` bytes of the rest of the line, without consuming them.
    pub(super) fn look_in_line(&mut self, count: usize) -> Result<&[u8], Failure> {
        let mut scanned = 0;
        while scanned < count {
            let bytes = self.look(scanned + 1)?;
            if bytes.get(scanned).is_none_or(|&byte| is_line_end(char::from(byte))) {
                break;
            }
            scanned += 1;
        }
        self.look(scanned)
    }
}

pub(super) const fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r')
}

/// Returns whether a character separates words: white space, a control character such as the
/// end-of-file mark of DOS, or an invisible character.
pub(super) fn is_space(c: char) -> bool {
    c.is_whitespace() || c.is_control() || is_invisible(c)
}
