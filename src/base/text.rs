//! Special characters in text: dashes of every kind, invisible characters, and control characters
//! that a terminal would interpret.

use std::borrow::Cow;
use std::io::{self, Write};

/// Returns whether a character is a dash: the keyboard hyphen, or one of the hyphens, dashes and
/// minus signs that word processors, phones and books use instead (part of the Unicode category Pd,
/// and U+2212).
pub(crate) const fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}')
}

/// Replaces every kind of dash with `-`.
pub(crate) fn plain_dashes(text: &str) -> Cow<'_, str> {
    if text.is_ascii() { text.into() } else { text.replace(is_dash, "-").into() }
}

/// Removes the byte order mark that some editors and shells write at the start of text.
pub(crate) fn without_mark(text: &str) -> &str {
    text.trim_start_matches('\u{feff}')
}

/// Returns whether a character is invisible and meaningless in a list of moves. Examples are a
/// zero-width space, a soft hyphen and a byte order mark.
pub(crate) const fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{fe0e}' | '\u{fe0f}' | '\u{feff}')
}

/// Returns whether a character is a control code (Unicode category Cc) or a direction mark, which
/// reorders text on a terminal. Line feeds and tabs are excluded, because they are harmless.
fn is_hidden(c: char) -> bool {
    let control = c.is_control() && !matches!(c, '\n' | '\t');
    control
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Escapes control characters and direction marks as in Rust, such as `\u{1b}`. Text from engines,
/// files and other programs must be escaped before it is printed on a terminal.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return text.into();
    }
    let show = |c: char| match is_hidden(c) {
        true => c.escape_default().to_string(),
        false => c.to_string(),
    };
    text.chars().map(show).collect()
}

/// A writer that escapes text with [`visible`]. Each write must consist of complete characters, as
/// with `write!`.
#[derive(Debug)]
pub(crate) struct Visible<W>(pub W);

impl<W: Write> Write for Visible<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write_all(visible(&String::from_utf8_lossy(bytes)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Returns the candidate that is most similar to a misspelt word, ignoring case. The similarity
/// (Jaro-Winkler, from 0 to 1) must be at least `min`.
#[cfg(feature = "laws")]
pub(crate) fn nearest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    min: f64,
) -> Option<&'a str> {
    let word = word.to_lowercase();
    candidates
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(&candidate.to_lowercase(), &word), candidate))
        .filter(|(similarity, _)| *similarity >= min)
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_dashes_of_every_kind() {
        for dash in "-‐‑‒–—―−﹘﹣－".chars() {
            assert_eq!(plain_dashes(&format!("1{dash}0")), "1-0", "{dash:?}");
        }
        assert_eq!(plain_dashes("é_~=·"), "é_~=·");
    }

    #[test]
    fn escapes_control_characters() {
        for (text, expected) in [
            ("e4 é\t–\n♞", "e4 é\t–\n♞"),
            ("\u{1b}[2J", "\\u{1b}[2J"),
            ("\r\u{7}\u{7f}\u{9b}0m", "\\r\\u{7}\\u{7f}\\u{9b}0m"),
            ("a\u{202e}b\0", "a\\u{202e}b\\u{0}"),
        ] {
            assert_eq!(visible(text), expected);
            let mut written = Visible(Vec::new());
            write!(written, "{text}|{}", &text).expect("memory");
            assert_eq!(String::from_utf8_lossy(&written.0), format!("{expected}|{expected}"));
        }
    }
}
