//! Piece letters by language.
//!
//! Sources:
//!
//! - Par. 5, Art. 5 and FIDE 2009, 17.2, for French
//! - FIDE 2009, 17.3, for the right to use the letters of one's own language, and for figurines
//! - *PGN Standard* section 17 (Edwards, 1994) for the letters of seventeen languages
//! - the rules of the Russian chess federation for Russian, in which the king has two letters
//!   because the knight has the same initial
//!
//! Figurines are the Unicode chess symbols.

use crate::base::cursor::{Cursor, excerpt};
use crate::chess::piece::Kind;
use std::fmt;
use std::str::FromStr;

#[derive(PartialEq, Eq, Debug)]
pub struct Language {
    pub code: &'static str,
    pub name: &'static str,
    pieces: [&'static str; Kind::NUM],
}

const fn language(
    code: &'static str,
    name: &'static str,
    pieces: [&'static str; Kind::NUM],
) -> Language {
    Language { code, name, pieces }
}

pub static LANGUAGES: [Language; 19] = [
    language("en", "English", ["P", "N", "B", "R", "Q", "K"]),
    language("fr", "French", ["P", "C", "F", "T", "D", "R"]),
    language("de", "German", ["B", "S", "L", "T", "D", "K"]),
    language("nl", "Dutch", ["O", "P", "L", "T", "D", "K"]),
    language("es", "Spanish", ["P", "C", "A", "T", "D", "R"]),
    language("it", "Italian", ["P", "C", "A", "T", "D", "R"]),
    language("ru", "Russian", ["П", "К", "С", "Л", "Ф", "Кр"]),
    language("pl", "Polish", ["P", "S", "G", "W", "H", "K"]),
    language("pt", "Portuguese", ["P", "C", "B", "T", "D", "R"]),
    language("cs", "Czech", ["P", "J", "S", "V", "D", "K"]),
    language("da", "Danish", ["B", "S", "L", "T", "D", "K"]),
    language("et", "Estonian", ["P", "R", "O", "V", "L", "K"]),
    language("fi", "Finnish", ["P", "R", "L", "T", "D", "K"]),
    language("hu", "Hungarian", ["G", "H", "F", "B", "V", "K"]),
    language("is", "Icelandic", ["P", "R", "B", "H", "D", "K"]),
    language("no", "Norwegian", ["B", "S", "L", "T", "D", "K"]),
    language("ro", "Romanian", ["P", "C", "N", "T", "D", "R"]),
    language("sv", "Swedish", ["B", "S", "L", "T", "D", "K"]),
    // As in print, White's figurines are written for both sides. Black's are accepted too.
    language("figurine", "figurines", ["♙", "♘", "♗", "♖", "♕", "♔"]),
];

/// The languages whose piece letters differ from the English letters.
pub(in crate::chess) static FOREIGN: &[Language] = match &LANGUAGES {
    [_, foreign @ .., _] => foreign,
};

/// French, the language of the early editions of the Laws.
pub(crate) const FRENCH: &Language = &LANGUAGES[1];

/// Black's figurines, in the order of [`Kind::ALL`].
const BLACK_FIGURES: [&str; Kind::NUM] = ["♟", "♞", "♝", "♜", "♛", "♚"];

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is not a known language (use one of {known})", known = codes())]
pub struct LanguageError(pub String);

fn codes() -> String {
    LANGUAGES.each_ref().map(|language| language.code).join(", ")
}

impl Language {
    pub fn of(code: &str) -> Result<&'static Self, LanguageError> {
        let found = LANGUAGES.iter().find(|language| language.code == code);
        found.ok_or_else(|| LanguageError(excerpt(code)))
    }

    pub const fn piece(&self, kind: Kind) -> &'static str {
        self.pieces[kind.index()]
    }

    /// Returns the pieces by decreasing length of their names, because the Russian king (Кр) begins
    /// with the letter of the knight (К).
    fn longest_first(&self) -> [Kind; Kind::NUM] {
        let mut kinds = Kind::ALL;
        kinds.sort_by_key(|kind| std::cmp::Reverse(self.piece(*kind).len()));
        kinds
    }

    /// Replaces the capital piece letters in a move with the English letters. Pawn letters are not
    /// replaced. Returns `None` if nothing changes.
    pub(crate) fn to_english(&self, text: &str) -> Option<String> {
        let usual = self.with_letters_of(&LANGUAGES[0], text);
        (usual != text).then_some(usual)
    }

    /// Replaces the English piece letters in a move with the letters of this language. Pawn letters
    /// are not replaced.
    pub(crate) fn of_english(&self, text: &str) -> String {
        LANGUAGES[0].with_letters_of(self, text)
    }

    fn with_letters_of(&self, other: &Self, text: &str) -> String {
        // Castling contains the letter O.
        if text.starts_with("O-O") {
            return text.to_owned();
        }
        let mut cursor = Cursor::new(text);
        let mut replaced = String::with_capacity(text.len());
        let kinds = self.longest_first();
        while !cursor.rest().is_empty() {
            let mut officers = kinds.iter().filter(|kind| **kind != Kind::Pawn);
            match officers.find(|kind| cursor.eat(self.piece(**kind))) {
                Some(&kind) => replaced.push_str(other.piece(kind)),
                None => replaced.extend(cursor.next_char()),
            }
        }
        replaced
    }

    /// Reads a piece letter, in either case, or a figurine. With `file_first`, a lower-case letter
    /// that is also a file is rejected: `d4` is a square, although D is the French queen.
    pub(super) fn read(&self, cursor: &mut Cursor<'_>, file_first: bool) -> Option<Kind> {
        let is_file = |name: &str| file_first && matches!(name.as_bytes(), [b'A'..=b'H']);
        let letter = self.longest_first().into_iter().find(|kind| {
            let name = self.piece(*kind);
            cursor.eat(name) || !is_file(name) && cursor.eat(&name.to_lowercase())
        });
        letter.or_else(|| figurine(cursor))
    }
}

pub(super) fn figurine(cursor: &mut Cursor<'_>) -> Option<Kind> {
    let white = &LANGUAGES[LANGUAGES.len() - 1];
    let found = Kind::ALL
        .into_iter()
        .find(|kind| cursor.eat(white.piece(*kind)) || cursor.eat(BLACK_FIGURES[kind.index()]));
    if found.is_some() {
        // Skip variation selectors, which only choose the font style of a symbol.
        let _ = cursor.eat("\u{fe0e}") || cursor.eat("\u{fe0f}");
    }
    found
}

impl FromStr for &'static Language {
    type Err = LanguageError;

    fn from_str(code: &str) -> Result<Self, LanguageError> {
        Language::of(code)
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn piece_letters_are_unique_within_a_language() {
        assert_eq!(FRENCH.code, "fr");
        for language in &LANGUAGES {
            for kind in Kind::ALL {
                let name = language.piece(kind);
                for file_first in [true, false] {
                    let mut cursor = Cursor::new(name);
                    assert_eq!(language.read(&mut cursor, file_first), Some(kind), "{language}");
                    assert_eq!(cursor.rest(), "", "{language}");
                }
            }
        }
    }

    #[test]
    fn lower_case_letters_are_pieces_unless_they_name_files() {
        let read = |code, text, file_first| {
            let language = Language::of(code).expect(code);
            language.read(&mut Cursor::new(text), file_first)
        };
        assert_eq!(read("fr", "tf4", true), Some(Kind::Rook));
        assert_eq!(read("fr", "df4", true), None);
        assert_eq!(read("fr", "d", false), Some(Kind::Queen));
        assert_eq!(read("ru", "крf4", true), Some(Kind::King));
        assert_eq!(read("pl", "♞\u{fe0e}f4", true), Some(Kind::Knight));
        assert!(
            Language::of("xx")
                .is_err_and(|e| e.to_string().contains("'xx' is not a known language"))
        );
    }
}
