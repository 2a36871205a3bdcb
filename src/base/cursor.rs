//! A cursor over text that knows its column, for the parsers' error messages.

/// Reads a string from left to right and knows the column it has reached.
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    text: &'a str,
    rest: &'a str,
}

impl<'a> Cursor<'a> {
    /// A cursor at the start of `text`.
    pub const fn new(text: &'a str) -> Self {
        Self { text, rest: text }
    }

    /// The byte offset reached.
    pub const fn offset(&self) -> usize {
        self.text.len() - self.rest.len()
    }

    /// The column reached, counted in characters from 1.
    pub fn column(&self) -> usize {
        self.text.chars().count() - self.rest.chars().count() + 1
    }

    /// The text that is still to be read.
    pub const fn rest(&self) -> &'a str {
        self.rest
    }

    /// The next character, which stays unread.
    pub fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    /// Reads one character.
    pub fn next_char(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let c = chars.next()?;
        self.rest = chars.as_str();
        Some(c)
    }

    /// Reads `expected` if it comes next, and says whether it did.
    pub fn eat(&mut self, expected: &str) -> bool {
        let after = self.rest.strip_prefix(expected);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    /// Reads characters as long as `accept` is true of them.
    pub fn take_while(&mut self, accept: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !accept(c)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    /// Reads white space.
    pub fn skip_space(&mut self) {
        self.take_while(char::is_whitespace);
    }

    /// Reads the next run of characters that are not white space, if there is one.
    pub fn word(&mut self) -> Option<&'a str> {
        self.skip_space();
        let word = self.take_while(|c| !c.is_whitespace());
        (!word.is_empty()).then_some(word)
    }
}

/// A text as an error message quotes it: whole if short, else cut with an ellipsis, so that a
/// megabyte of rubbish is not repeated to the user.
pub fn excerpt(text: &str) -> String {
    const MAX_LENGTH: usize = 40;
    let mut rest = text.chars();
    let mut start: String = rest.by_ref().take(MAX_LENGTH).collect();
    if !rest.as_str().is_empty() {
        start.push('…');
    }
    start
}
