//! How languages name the pieces.
//!
//! Sources: 17.2 and 17.3 (French, and the right to one's own letters), Par. 5 and Art. 5; *PGN
//! Standard* section 17 (Edwards, 1994) for the letters of seventeen languages; the rules of the
//! Russian chess federation for the Russian ones, of which the king's is two letters, since the
//! knight has the same initial. Figurines (17.3) are the chess symbols of Unicode.

use crate::base::cursor::{Cursor, excerpt};
use crate::chess::piece::Kind;
use std::fmt;
use std::str::FromStr;

/// The names that a language, or print, gives the pieces.
#[derive(PartialEq, Eq, Debug)]
pub struct Language {
    /// The code of ISO 639-1, or `figurine`.
    pub code: &'static str,
    /// The language's name in English.
    pub name: &'static str,
    /// What stands for each kind, the pawn first as in [`Kind::ALL`].
    pieces: [&'static str; Kind::NUM],
}

const fn language(
    code: &'static str,
    name: &'static str,
    pieces: [&'static str; Kind::NUM],
) -> Language {
    Language { code, name, pieces }
}

/// Every known language, with pawn, knight, bishop, rook, queen and king.
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
    // White's figures serve both sides, as in print; Black's are read as well.
    language("figurine", "figurines", ["♙", "♘", "♗", "♖", "♕", "♔"]),
];

/// French, the language of the texts of the laws.
pub const FRENCH: &Language = &LANGUAGES[1];

/// Black's figures, in the order of [`Kind::ALL`].
const BLACK_FIGURES: [&str; Kind::NUM] = ["♟", "♞", "♝", "♜", "♛", "♚"];

/// A text that does not name a language.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is no language known here ({known})", known = codes())]
pub struct LanguageError(pub String);

fn codes() -> String {
    LANGUAGES.each_ref().map(|language| language.code).join(", ")
}

impl Language {
    /// The language of a code, as `fr`.
    ///
    /// # Errors
    /// If no language has that code.
    pub fn of(code: &str) -> Result<&'static Self, LanguageError> {
        let found = LANGUAGES.iter().find(|language| language.code == code);
        found.ok_or_else(|| LanguageError(excerpt(code)))
    }

    /// What stands for a kind of piece.
    pub const fn piece(&self, kind: Kind) -> &'static str {
        self.pieces[kind.index()]
    }

    /// Reads what stands for a piece, or its figure. Small letters are read too, but with
    /// `file_first` those of the files are left alone: `d4` is a square, though the French queen is
    /// a D.
    pub(super) fn read(&self, cursor: &mut Cursor<'_>, file_first: bool) -> Option<Kind> {
        let is_file = |name: &str| file_first && matches!(name.as_bytes(), [b'A'..=b'H']);
        // The longest first: the Russian king's two letters begin with the knight's one.
        let mut kinds = Kind::ALL;
        kinds.sort_by_key(|kind| std::cmp::Reverse(self.piece(*kind).len()));
        for kind in kinds {
            let (name, figure) = (self.piece(kind), BLACK_FIGURES[kind.index()]);
            let white = LANGUAGES[LANGUAGES.len() - 1].piece(kind);
            if cursor.eat(name)
                || cursor.eat(white)
                || cursor.eat(figure)
                || !is_file(name) && cursor.eat(&name.to_lowercase())
            {
                // Asks for text or for colour, which is no part of the notation.
                let _ = cursor.eat("\u{fe0e}") || cursor.eat("\u{fe0f}");
                return Some(kind);
            }
        }
        None
    }
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
    fn no_language_names_two_pieces_alike() {
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
    fn small_letters_are_pieces_only_where_they_are_no_files() {
        let read = |code, text, file_first| {
            let language = Language::of(code).expect(code);
            language.read(&mut Cursor::new(text), file_first)
        };
        assert_eq!(read("fr", "tf4", true), Some(Kind::Rook));
        assert_eq!(read("fr", "df4", true), None);
        assert_eq!(read("fr", "d", false), Some(Kind::Queen));
        assert_eq!(read("ru", "крf4", true), Some(Kind::King));
        assert_eq!(read("pl", "♞\u{fe0e}f4", true), Some(Kind::Knight));
        assert!(Language::of("xx").is_err_and(|e| e.to_string().contains("'xx' is no language")));
    }
}
