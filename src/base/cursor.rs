//! A cursor over text that knows its column, for the parsers' error messages.

/// Reads a string from left to right and knows the column it has reached.
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    /// A cursor at the start of `text`.
    pub const fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// The byte offset reached.
    pub const fn offset(&self) -> usize {
        self.at
    }

    /// The column reached, counted in characters from 1.
    pub fn column(&self) -> usize {
        self.text[..self.at].chars().count() + 1
    }

    /// The text that is still to be read.
    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// The next character, which stays unread.
    pub fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Reads one character.
    pub fn next_char(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// Reads `expected` if it comes next, and says whether it did.
    pub fn eat(&mut self, expected: &str) -> bool {
        let found = self.rest().starts_with(expected);
        if found {
            self.at += expected.len();
        }
        found
    }

    /// Reads characters as long as `accept` is true of them.
    pub fn take_while(&mut self, accept: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c| !accept(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
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
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
