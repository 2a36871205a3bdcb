//! Reads moves that people type or speak: in the chosen notation, in UCI or record form, in any
//! other notation that the page offers, or in plain words.

use crate::base::game::{Game as _, MoveForm};
use crate::chess::notation::Notation;
use crate::{chess, draughts};

/// Fallback notations for text that the chosen notation cannot read.
const OTHERS: [&str; 6] = ["fr", "de", "descriptive:en", "descriptive:fr", "spoken", "ru"];

/// English words and the letters that stand for them in notation. An empty string skips the word.
const WORDS: [(&str, &str); 19] = [
    ("knight", "N"),
    ("night", "N"),
    ("bishop", "B"),
    ("rook", "R"),
    ("queen", "Q"),
    ("king", "K"),
    ("pawn", ""),
    ("takes", "x"),
    ("captures", "x"),
    ("to", ""),
    ("on", ""),
    ("castles", ""),
    ("castle", ""),
    ("short", "O-O"),
    ("kingside", "O-O"),
    ("long", "O-O-O"),
    ("queenside", "O-O-O"),
    ("check", ""),
    ("mate", ""),
];

#[derive(Debug, thiserror::Error)]
pub(super) enum TypedMoveError {
    #[error(transparent)]
    Chess(#[from] chess::MoveError),
    #[error(transparent)]
    Draughts(#[from] draughts::notation::MoveError),
    #[error("'{0}' means different moves in different notations")]
    Ambiguous(String),
}

pub(super) fn chess(
    position: &chess::Position,
    text: &str,
    notation: Notation,
) -> Result<chess::Move, TypedMoveError> {
    let text = text.trim();
    if let Ok(noted) = notation.read(position, text) {
        return Ok(noted.m);
    }
    let error = match position.read_move(text, MoveForm::Player) {
        Ok(m) => return Ok(m),
        Err(error) => error,
    };
    if let Ok(m) = position.read_move(&in_letters(text), MoveForm::Player) {
        return Ok(m);
    }
    let mut found: Vec<chess::Move> = Vec::new();
    for name in OTHERS {
        let Ok(other) = name.parse::<Notation>() else { continue };
        let read = other.read(position, text).map(|noted| noted.m);
        found.extend(read.ok().filter(|m| !found.contains(m)));
    }
    match found[..] {
        [] => Err(error.into()),
        [m] => Ok(m),
        _ => Err(TypedMoveError::Ambiguous(text.to_owned())),
    }
}

/// Converts plain words to notation: `knight f 3` to `Nf3`.
fn in_letters(text: &str) -> String {
    let word = |word: &str| {
        let found = WORDS.iter().find(|(name, _)| *name == word);
        found.map_or_else(|| word.to_owned(), |(_, letters)| (*letters).to_owned())
    };
    let text =
        text.to_lowercase().replace("king side", "kingside").replace("queen side", "queenside");
    text.split([' ', '-', ',']).map(word).collect()
}

/// Reads a draughts move. `32 28` and `28 takes 19` are accepted too.
pub(super) fn draughts(
    position: &draughts::Position,
    text: &str,
) -> Result<draughts::Move, TypedMoveError> {
    let read = |text: &str| position.read_move(text, MoveForm::Player);
    let error = match read(text.trim()) {
        Ok(m) => return Ok(m),
        Err(error) => error,
    };
    let numbers: Vec<&str> =
        text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty()).collect();
    let joined = ["-", "x"].map(|sign| read(&numbers.join(sign)));
    joined.into_iter().find_map(Result::ok).ok_or_else(|| error.into())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::chess::notation::algebraic::Style;

    #[test]
    fn reads_moves_in_any_notation() {
        let start = chess::Position::start();
        let san = Notation::Algebraic(Style::SAN);
        let french: Notation = "fr".parse().unwrap();
        for (text, notation, m) in [
            ("Nf3", san, "g1f3"),
            ("g1f3", french, "g1f3"),
            ("Cf3", san, "g1f3"),
            ("Cf3", french, "g1f3"),
            ("Sf3", san, "g1f3"),
            ("P-K4", san, "e2e4"),
            ("knight f3", san, "g1f3"),
            ("Knight to f 3", french, "g1f3"),
            ("pawn e2 to e4", san, "e2e4"),
            ("Bauer Eva zwei Eva vier", san, "e2e4"),
        ] {
            let read = chess(&start, text, notation).unwrap_or_else(|why| panic!("{text}: {why}"));
            assert_eq!(read.to_string(), m, "{text}");
        }
        assert!(chess(&start, "Nf4", san).unwrap_err().to_string().contains("Nf4"));
        let castling: chess::Position = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1".parse().unwrap();
        for (text, to) in [("castles short", 'h'), ("castle queen side", 'a'), ("long", 'a')] {
            let m = chess(&castling, text, san);
            let castles =
                m.as_ref().is_ok_and(|m| m.is_castle() && m.to().to_string().starts_with(to));
            assert!(castles, "{text}: {m:?}");
        }
        let draughts_start = draughts::Position::start();
        for text in ["32-28", "32 28", "32 to 28"] {
            assert_eq!(draughts(&draughts_start, text).unwrap().to_string(), "32-28");
        }
        assert!(draughts(&draughts_start, "32 33").is_err());
    }
}
