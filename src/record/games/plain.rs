//! A fast path for the text of moves in its usual form: ASCII words in export format, move numbers
//! followed by dots, annotation glyphs, and closed comments.
//!
//! It stops before any other text, before text that is not wholly in memory, and before moves that
//! are not legal. The character-by-character reader continues from there, so that the result is the
//! same as without the fast path.

use super::read::Scope;
use super::signs;
use super::source::{Location, Source, columns};
use super::tree::Tree;
use super::{Recorded, is_name};
use std::io::BufRead;

impl<R: BufRead> Source<R> {
    /// Reads a tag of printable ASCII that is wholly in memory and needs no unescaping.
    pub(super) fn plain_tag(&mut self) -> Option<(String, String)> {
        #[cfg(test)]
        if comparison::IS_OFF.get() {
            return None;
        }
        let bytes = self.buffered();
        let end = bytes.iter().position(|byte| matches!(byte, b']' | b'\n'))?;
        let tag = bytes.get(..end)?.strip_prefix(b"[")?.strip_suffix(b"\"")?;
        let quote = tag.iter().position(|byte| *byte == b'"')?;
        let (name, value) = tag.split_at_checked(quote)?;
        let (name, value) = (name.strip_suffix(b" ")?, value.get(1..)?);
        let is_value = |byte: &u8| matches!(byte, b' '..=b'~') && !b"\\\"".contains(byte);
        let is_plain = bytes.get(end) == Some(&b']')
            && !name.is_empty()
            && name.iter().all(|byte| is_name((*byte).into()))
            && value.iter().all(is_value);
        if !is_plain {
            return None;
        }
        let text = |bytes: &[u8]| str::from_utf8(bytes).map(str::to_owned).ok();
        let read = (text(name)?, text(value)?);
        let (left, location) = (bytes.len() - end - 1, self.location());
        let column = location.column + end as u64 + 1;
        self.advance_to(left, Location { column, ..location }, 0);
        Some(read)
    }

    /// Reads the moves, move numbers and comments up to the first text in another form. White space
    /// before that text is not consumed.
    pub(super) fn plain_moves<P: Recorded>(&mut self, tree: &mut Tree<P>) {
        #[cfg(test)]
        if comparison::IS_OFF.get() {
            return;
        }
        if tree.scope == Scope::WithoutMoves {
            return self.skip_plain_moves();
        }
        let (location, line_ends) = (self.location(), self.line_ends);
        let mut text = Plain { bytes: self.buffered(), location, line_ends };
        while let Some(rest) = text.after_token(tree) {
            text = rest;
        }
        let Plain { bytes, location, line_ends } = text;
        let left = bytes.len();
        if left < self.buffered().len() {
            self.advance_to(left, location, line_ends);
        }
    }

    /// Skips moves, move numbers, glyphs and comments up to the first text in another form, or up
    /// to a word that can be a result.
    fn skip_plain_moves(&mut self) {
        /// The number of bytes examined at a time. The limit bounds the time for texts in which
        /// little can be skipped.
        const WINDOW: usize = 1 << 13;
        loop {
            let bytes = self.buffered();
            let window = within_game(bytes.get(..WINDOW).unwrap_or(bytes));
            let skipped = window.get(..skipped_length(window)).unwrap_or_default();
            if skipped.is_empty() {
                return;
            }
            let location = self.location().after(skipped);
            self.advance_to(bytes.len() - skipped.len(), location, 0);
        }
    }
}

/// Returns the text up to the first line that begins with a bracket, which can begin a new game, or
/// up to the first carriage return without a line feed. A line feed at the end of the text is
/// excluded too, because the next line is not known.
fn within_game(text: &[u8]) -> &[u8] {
    let follows = |at: &usize| text.get(at + 1);
    let is_end = |at: &usize| follows(at).is_none_or(|next| *next == b'[');
    let end = memchr::memchr_iter(b'\n', text).find(is_end);
    let text_to_end = text.get(..end.unwrap_or(text.len())).unwrap_or_default();
    let is_lone = |at: &usize| follows(at) != Some(&b'\n');
    match memchr::memchr_iter(b'\r', text_to_end).find(is_lone) {
        Some(lone) => text.get(..lone).unwrap_or_default(),
        None => text_to_end,
    }
}

/// Returns the total length of the tokens at the start of the text, up to the first token that does
/// not have a plain form or that can be a result.
fn skipped_length(text: &[u8]) -> usize {
    /// The maximum length of a result that consists of digits and dashes.
    const MAX_RESULT: usize = 3;
    let (mut rest, mut left) = (text, text.len());
    while let Some(first) = rest.first() {
        let length = match first {
            b' ' | b'\t' | b'\n' | b'\r' => {
                rest = rest.get(1..).unwrap_or_default();
                continue;
            }
            b'A'..=b'Z' | b'a'..=b'z' => word(rest),
            b'0'..=b'9' => match number(rest) {
                Ok(length) => Some(length),
                Err(digits) => numeric_move(rest, digits).filter(|length| *length > MAX_RESULT),
            },
            b'{' => memchr::memchr(b'}', rest).map(|length| length + 1),
            b'$' => Some(1 + count(rest, 1, u8::is_ascii_digit)),
            b'!' | b'?' => Some(1),
            _ => None,
        };
        match length.and_then(|length| rest.get(length..)) {
            Some(after) => (rest, left) = (after, after.len()),
            None => break,
        }
    }
    text.len() - left
}

/// Returns the number of consecutive bytes, starting at offset `from`, that `accept` accepts.
#[inline]
fn count(text: &[u8], from: usize, accept: impl Fn(&u8) -> bool) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    rest.iter().take_while(|byte| accept(byte)).count()
}

/// Returns the length of a move number such as `12.` or `12...`, or the number of digits if no dot
/// follows.
#[inline]
fn number(text: &[u8]) -> Result<usize, usize> {
    let digits = count(text, 0, u8::is_ascii_digit);
    match count(text, digits, |byte| *byte == b'.') {
        0 => Err(digits),
        dots => Ok(digits + dots),
    }
}

/// Returns the length of a move that begins with this number of digits, or `None` if the text is
/// not clearly a whole move.
#[inline]
fn numeric_move(text: &[u8], digits: usize) -> Option<usize> {
    let is_part = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'x' | b'-');
    let length = digits + count(text, digits, is_part);
    let (word, rest) = text.split_at_checked(length)?;
    // The text after the move could belong to it, as in `32 - 28`, `32- 28` or `28x19 x10`.
    let is_end = match *rest.first()? {
        b' ' | b'\n' | b'\r' => {
            let next = rest.trim_ascii_start().first()?;
            next.is_ascii_digit() || b"{([!?$;".contains(next)
        }
        next => b"{!?$;".contains(&next),
    };
    let is_whole = word.last().is_some_and(u8::is_ascii_digit);
    (is_end && is_whole).then_some(length)
}

/// Returns the length of a word that begins with a letter, or `None` if the end of the word is not
/// in memory or an unusual character follows.
#[inline]
fn word(text: &[u8]) -> Option<usize> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"+#=-".contains(byte);
    let length = count(text, 0, is_part);
    match text.get(length)? {
        b' ' | b'\t' | b'\r' | b'\n' | b')' | b'{' | b'!' | b'?' | b'$' | b';' => Some(length),
        _ => None,
    }
}

/// The rest of the buffered text, and the location where it begins.
#[derive(Clone, Copy)]
struct Plain<'a> {
    bytes: &'a [u8],
    location: Location,
    line_ends: u32,
}

impl<'a> Plain<'a> {
    /// Adds the next token to the tree and returns the text after it; `None` if the token does not
    /// have a plain form.
    #[inline]
    fn after_token<P: Recorded>(self, tree: &mut Tree<P>) -> Option<Self> {
        let text = self.after_space()?;
        match text.bytes.first()? {
            b'0'..=b'9' => match number(text.bytes) {
                Ok(length) => text.after(length),
                Err(digits) => text.after_move(numeric_move(text.bytes, digits)?, tree),
            },
            b'A'..=b'Z' | b'a'..=b'z' => text.after_move(word(text.bytes)?, tree),
            b'{' => text.after_comment(tree),
            b'$' => text.after_nag(tree),
            b'!' | b'?' => text.after_sign(tree),
            _ => None,
        }
    }

    #[inline]
    fn after_space(mut self) -> Option<Self> {
        loop {
            match self.bytes {
                [b' ' | b'\t', rest @ ..] => {
                    self.bytes = rest;
                    self.location.column += 1;
                }
                [b'\n', rest @ ..] | [b'\r', b'\n', rest @ ..] => {
                    self.bytes = rest;
                    self.location.line += 1;
                    self.location.column = 1;
                    self.line_ends += 1;
                }
                _ => return Some(self),
            }
        }
    }

    /// Returns the text after the next `count` bytes. These bytes must end with a visible character
    /// and contain no line break.
    #[inline]
    fn after(self, count: usize) -> Option<Self> {
        let location = Location { column: self.location.column + count as u64, ..self.location };
        Some(Self { bytes: self.bytes.get(count..)?, location, line_ends: 0 })
    }

    #[inline]
    fn after_move<P: Recorded>(self, length: usize, tree: &mut Tree<P>) -> Option<Self> {
        if tree.is_skipping() || tree.faults.is_full() || tree.spelling.is_some() {
            return None;
        }
        let m = tree.branch.position.read_usual(self.bytes.get(..length)?)?;
        tree.faults.count_part(self.location);
        tree.branch.push(m, Vec::new());
        self.after(length)
    }

    /// Handles a numeric glyph such as `$14`.
    #[inline]
    fn after_nag<P: Recorded>(self, tree: &mut Tree<P>) -> Option<Self> {
        let digits = count(self.bytes, 1, u8::is_ascii_digit);
        let nag = str::from_utf8(self.bytes.get(1..=digits)?).ok()?.parse().ok()?;
        // The number could continue beyond the text in memory.
        let rest = self.after(1 + digits).filter(|rest| !rest.bytes.is_empty())?;
        tree.nag(self.location, nag);
        Some(rest)
    }

    /// Handles a glyph such as `!?`.
    #[inline]
    fn after_sign<P: Recorded>(self, tree: &mut Tree<P>) -> Option<Self> {
        let length = count(self.bytes, 0, |byte| matches!(byte, b'!' | b'?'));
        let sign = str::from_utf8(self.bytes.get(..length)?).ok()?;
        let rest = self.after(length).filter(|rest| !rest.bytes.is_empty())?;
        signs::glyph(sign).into_iter().for_each(|nag| tree.nag(self.location, nag));
        Some(rest)
    }

    #[inline]
    fn after_comment<P: Recorded>(self, tree: &mut Tree<P>) -> Option<Self> {
        let (length, location) = self.comment()?;
        let text = match tree.keeps_comment() {
            true => str::from_utf8(self.bytes.get(1..length - 1)?).ok()?,
            false => "",
        };
        tree.comment(self.location, text);
        Some(Self { bytes: self.bytes.get(length..)?, location, line_ends: 0 })
    }

    /// Returns the length of the comment in braces at the start of the text, and the location after
    /// the comment.
    #[inline]
    fn comment(self) -> Option<(usize, Location)> {
        let mut location = self.location;
        let (mut line_start, mut at) = (0, 0);
        loop {
            at += memchr::memchr3(b'}', b'\n', b'\r', self.bytes.get(at..)?)?;
            match *self.bytes.get(at..)? {
                [b'}', ..] => {
                    let line = self.bytes.get(line_start..=at)?;
                    location.column += columns(line, location.column);
                    return Some((at + 1, location));
                }
                // A bracket at the start of a line can begin a new game.
                [b'\n', next, ..] if next != b'[' => at += 1,
                [b'\r', b'\n', next, ..] if next != b'[' => at += 2,
                _ => return None,
            }
            line_start = at;
            location = Location { line: location.line + 1, column: 1 };
        }
    }
}

/// Compares the fast reader with the careful reader, for the tests of both games.
#[cfg(test)]
pub(crate) mod comparison {
    use super::Scope;
    use crate::base::rng::Rng;
    use crate::record::games::{Reader, Recorded};
    use std::cell::Cell;
    use std::io::BufReader;

    thread_local! {
        /// True if the fast path is turned off.
        pub(super) static IS_OFF: Cell<bool> = const { Cell::new(false) };
    }

    fn read<P: Recorded>(text: &[u8], capacity: usize, scope: Scope) -> Vec<String> {
        let reader = Reader::<P, _>::new(BufReader::with_capacity(capacity, text));
        let reader = match scope {
            Scope::All => reader,
            Scope::WithoutComments => reader.without_comments(),
            Scope::WithoutMoves => reader.without_moves(),
        };
        reader.map(|game| format!("{game:?}")).collect()
    }

    /// Checks that the fast reader and the careful reader agree on mutations of the samples.
    pub(crate) fn assert_agreement<P: Recorded>(samples: &[&str]) {
        let alphabet = b"[]\"(){};%$*.!?1234567890/-+#=xNBRQKOabcdefgh  \n\n\r\t\\\xe9\xc3";
        let mut rng = Rng::new(11);
        for round in 0..6000 {
            let mut text: Vec<u8> = (0..1 + rng.below(2))
                .flat_map(|_| samples[rng.below(samples.len())].bytes())
                .collect();
            for _ in 0..round % 5 {
                let (at, byte) = (rng.below(text.len()), alphabet[rng.below(alphabet.len())]);
                match rng.below(4) {
                    0 => text[at] = byte,
                    1 => text.insert(at, byte),
                    2 => drop(text.remove(at)),
                    _ => {
                        let end = text.len().min(at + rng.below(12));
                        let copy = text[at..end].to_vec();
                        let to = rng.below(text.len());
                        text.splice(to..to, copy);
                    }
                }
            }
            let capacity = [7, 64, 1 << 16][rng.below(3)];
            for scope in [Scope::All, Scope::WithoutComments, Scope::WithoutMoves] {
                let fast = read::<P>(&text, capacity, scope);
                IS_OFF.set(true);
                let slow = read::<P>(&text, capacity, scope);
                IS_OFF.set(false);
                assert_eq!(fast, slow, "{}", String::from_utf8_lossy(&text));
            }
        }
    }
}
