//! Signs in texts that people and programs write: dashes of every kind.

use std::borrow::Cow;

/// Whether a character is a dash: the hyphen of keyboards, and the hyphens, dashes and minus signs that
/// word processors, phones and printed books have in its place (Unicode, category Pd, and U+2212).
pub const fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}')
}

/// A text with `-` for dashes of every kind.
pub fn plain_dashes(text: &str) -> Cow<'_, str> {
    if text.is_ascii() { text.into() } else { text.replace(is_dash, "-").into() }
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
}
