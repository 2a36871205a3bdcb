//! The syntax of every Hub line: `<command> <name>=<value> <name>="<value>" <flag> ...`.

use crate::base::cursor::{Cursor, excerpt};
use std::fmt;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct HubLine<'a> {
    pub command: &'a str,
    /// The arguments in order; a flag has an empty value.
    arguments: Vec<(&'a str, &'a str)>,
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum HubLineError {
    #[error("the quotation mark after '{0}=' is not closed")]
    OpenQuote(String),
    #[error("the name before '={0}' is missing")]
    NoName(String),
}

impl<'a> HubLine<'a> {
    /// Parses a line; a blank line has an empty command.
    pub fn parse(line: &'a str) -> Result<Self, HubLineError> {
        let mut cursor = Cursor::new(line);
        let command = cursor.word().unwrap_or_default();
        let mut arguments = Vec::new();
        loop {
            cursor.skip_space();
            if cursor.rest().is_empty() {
                return Ok(Self { command, arguments });
            }
            let name = cursor.take_while(|c| c != '=' && !c.is_whitespace());
            // Spaces around `=` are allowed, as in `depth = 8`.
            let mut ahead = cursor.clone();
            ahead.skip_space();
            let value = if ahead.eat("=") {
                cursor = ahead;
                cursor.skip_space();
                value(&mut cursor, name)?
            } else {
                ""
            };
            if name.is_empty() {
                return Err(HubLineError::NoName(excerpt(value)));
            }
            arguments.push((name, value));
        }
    }

    /// Returns the value of an argument. If the argument is repeated, the last value counts.
    pub fn get(&self, name: &str) -> Option<&'a str> {
        self.arguments.iter().rev().find(|(n, _)| *n == name).map(|(_, value)| *value)
    }

    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }
}

fn value<'a>(cursor: &mut Cursor<'a>, name: &str) -> Result<&'a str, HubLineError> {
    if !cursor.eat("\"") {
        return Ok(cursor.take_while(|c| !c.is_whitespace()));
    }
    let value = cursor.take_while(|c| c != '"');
    if cursor.eat("\"") { Ok(value) } else { Err(HubLineError::OpenQuote(excerpt(name))) }
}

/// A value, quoted if it is empty or contains white space or `=`. The protocol cannot represent
/// quotation marks or line breaks, so they are replaced.
#[derive(Clone, Debug)]
pub struct Value<T>(pub T);

impl<T: fmt::Display> fmt::Display for Value<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0.to_string().replace('"', "'").replace(char::is_control, " ");
        if text.is_empty() || text.contains(|c: char| c == '=' || c.is_whitespace()) {
            write!(f, "\"{text}\"")
        } else {
            f.write_str(&text)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_lines() {
        let line =
            HubLine::parse("pos pos=We  moves=\"32-28 19-23\" flag x = 1 y=").expect("a line");
        assert_eq!(line.command, "pos");
        let get = |name| line.get(name);
        assert_eq!((get("pos"), get("moves")), (Some("We"), Some("32-28 19-23")));
        assert_eq!((get("flag"), get("x"), get("y")), (Some(""), Some("1"), Some("")));
        assert!(line.has("flag") && !line.has("z"));
        assert_eq!(HubLine::parse("  ").expect("blank").command, "");
        assert_eq!(HubLine::parse("a b=1 b=\"\"").expect("a line").get("b"), Some(""));
        let error = |text| HubLine::parse(text).expect_err("wrong").to_string();
        assert_eq!(error("pos moves=\"32-28"), "the quotation mark after 'moves=' is not closed");
        assert_eq!(error("pos =5"), "the name before '=5' is missing");
    }

    #[test]
    fn quotes_values_if_necessary() {
        let text = |value: &str| Value(value).to_string();
        assert_eq!(text("32-28"), "32-28");
        assert_eq!(text(""), "\"\"");
        assert_eq!(text("32-28 19-23"), "\"32-28 19-23\"");
        assert_eq!(text("a=\"b\"\n"), "\"a='b' \"");
        assert_eq!(text("a\u{3000}b"), "\"a\u{3000}b\"");
    }
}
