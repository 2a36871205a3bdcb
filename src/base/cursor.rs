//! A cursor for parsing text, which reports its column for error messages.

#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    text: &'a str,
    rest: &'a str,
}

impl<'a> Cursor<'a> {
    pub const fn new(text: &'a str) -> Self {
        Self { text, rest: text }
    }

    pub const fn offset(&self) -> usize {
        self.text.len() - self.rest.len()
    }

    /// Returns the current column in characters, counted from 1.
    pub fn column(&self) -> usize {
        self.text.chars().count() - self.rest.chars().count() + 1
    }

    pub const fn rest(&self) -> &'a str {
        self.rest
    }

    pub fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    pub fn next_char(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let c = chars.next()?;
        self.rest = chars.as_str();
        Some(c)
    }

    /// Consumes `expected` if the remaining text starts with it, and returns whether it did.
    pub fn eat(&mut self, expected: &str) -> bool {
        let after = self.rest.strip_prefix(expected);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    /// Consumes characters as long as `accept` returns true, and returns them.
    pub fn take_while(&mut self, accept: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !accept(c)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    pub fn skip_space(&mut self) {
        self.take_while(char::is_whitespace);
    }

    /// Skips white space, then consumes and returns the next word.
    pub fn word(&mut self) -> Option<&'a str> {
        self.skip_space();
        let word = self.take_while(|c| !c.is_whitespace());
        (!word.is_empty()).then_some(word)
    }
}

/// Shortens text that is quoted in an error message, so that users do not see megabytes of garbage.
pub(crate) fn excerpt(text: &str) -> String {
    const MAX_LENGTH: usize = 40;
    let mut rest = text.chars();
    let mut start: String = rest.by_ref().take(MAX_LENGTH).collect();
    if !rest.as_str().is_empty() {
        start.push('…');
    }
    start
}
