//! Reading and writing games and positions: [`games`] (PGN and PDN), handwritten score [`sheet`]s,
//! the engine's compact [`selfplay`] games, and [`epd`] records. [`format`] detects the format of a
//! file.

#[cfg(feature = "cli")]
pub(crate) mod compressed;
pub mod epd;
pub mod format;
pub mod games;
#[cfg(feature = "arena")]
pub mod selfplay;
pub mod sheet;

/// Returns whether a text is UTF-16: it begins with a byte order mark, or its first four bytes are
/// alternately zero and non-zero.
pub(crate) const fn is_utf16(text: &[u8]) -> bool {
    match text {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => true,
        [a, b, c, d, ..] => matches!((*a, *b, *c, *d), (1.., 0, 1.., 0) | (0, 1.., 0, 1..)),
        _ => false,
    }
}

/// The encoding of a text file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Encoding {
    Utf8,
    /// Windows-1252, which extends Latin-1.
    Latin1,
}

impl Encoding {
    /// Encodes text, or returns the first character that the encoding lacks.
    pub(crate) fn encode(self, text: &str) -> Result<Vec<u8>, char> {
        match self {
            Self::Utf8 => Ok(text.as_bytes().to_vec()),
            Self::Latin1 => text.chars().map(|c| to_windows_1252(c).ok_or(c)).collect(),
        }
    }
}

/// Decodes UTF-8, or Windows-1252 if the bytes are not valid UTF-8.
pub(crate) fn decode(bytes: Vec<u8>) -> String {
    decode_any(bytes).0
}

/// Like [`decode`], and also returns the encoding.
pub(crate) fn decode_any(bytes: Vec<u8>) -> (String, Encoding) {
    match String::from_utf8(bytes) {
        Ok(text) => (text, Encoding::Utf8),
        Err(error) => {
            (error.into_bytes().into_iter().map(windows_1252).collect(), Encoding::Latin1)
        }
    }
}

/// Encodes a character in Windows-1252, if possible.
fn to_windows_1252(c: char) -> Option<u8> {
    (0..=u8::MAX).find(|&byte| windows_1252(byte) == c)
}

/// Decodes a byte of Windows-1252, which extends Latin-1.
fn windows_1252(byte: u8) -> char {
    /// The characters for the bytes 0x80 to 0x9f.
    const EXTENSION: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ";
    let extended = usize::from(byte).checked_sub(0x80);
    let extended = extended.and_then(|index| EXTENSION.chars().nth(index));
    extended.unwrap_or_else(|| char::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodes_what_it_decodes() {
        let bytes: Vec<u8> = (0..=u8::MAX).collect();
        let (text, encoding) = decode_any(bytes.clone());
        assert_eq!((encoding, encoding.encode(&text)), (Encoding::Latin1, Ok(bytes)));
        let (text, encoding) = decode_any("Wałęsa".as_bytes().to_vec());
        assert_eq!(encoding.encode(&text), Ok("Wałęsa".as_bytes().to_vec()));
        assert_eq!(Encoding::Latin1.encode("Müller, Wałęsa"), Err('ł'));
    }
}
