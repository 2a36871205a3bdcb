//! Signs in texts that people and programs write: dashes of every kind, and control characters, which a
//! terminal would obey.

use std::borrow::Cow;
use std::io::{self, Write};

/// Whether a character is a dash: the hyphen of keyboards, and the hyphens, dashes and minus signs that
/// word processors, phones and printed books have in its place (Unicode, category Pd, and U+2212).
pub const fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}')
}

/// A text with `-` for dashes of every kind.
pub fn plain_dashes(text: &str) -> Cow<'_, str> {
    if text.is_ascii() { text.into() } else { text.replace(is_dash, "-").into() }
}

/// Whether a terminal would obey a character instead of showing it, or show others in another order
/// because of it (Unicode, category Cc and the signs of direction). Line ends and tabs do no harm.
fn is_hidden(c: char) -> bool {
    let control = c.is_control() && !matches!(c, '\n' | '\t');
    control
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A text as it can be shown on a terminal: what an engine, a file or another program has said may hold
/// control characters, and these are written as Rust writes them, such as `\u{1b}`.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return text.into();
    }
    let show = |c: char| match is_hidden(c) {
        true => c.escape_default().to_string(),
        false => c.to_string(),
    };
    text.chars().map(show).collect()
}

/// Writes text as it is [`visible`]. Each write is of whole characters, as those of `write!` are.
#[derive(Debug)]
pub struct Visible<W>(pub W);

impl<W: Write> Write for Visible<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write_all(visible(&String::from_utf8_lossy(bytes)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_of_every_kind_are_dashes() {
        for dash in "-‐‑‒–—―−﹘﹣－".chars() {
            assert_eq!(plain_dashes(&format!("1{dash}0")), "1-0", "{dash:?}");
        }
        assert_eq!(plain_dashes("é_~=·"), "é_~=·");
    }

    #[test]
    fn control_characters_are_made_visible() {
        for (text, shown) in [
            ("e4 é\t–\n♞", "e4 é\t–\n♞"),
            ("\u{1b}[2J", "\\u{1b}[2J"),
            ("\r\u{7}\u{7f}\u{9b}0m", "\\r\\u{7}\\u{7f}\\u{9b}0m"),
            ("a\u{202e}b\0", "a\\u{202e}b\\u{0}"),
        ] {
            assert_eq!(visible(text), shown);
            let mut written = Visible(Vec::new());
            write!(written, "{text}|{}", &text).expect("memory");
            assert_eq!(String::from_utf8_lossy(&written.0), format!("{shown}|{shown}"));
        }
    }
}
