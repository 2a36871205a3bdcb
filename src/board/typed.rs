//! Parsing of typed or spoken moves: in the chosen notation, in UCI or record form, in any other
//! notation that the page offers, or in plain words.

use crate::base::cursor::excerpt;
use crate::base::game::{Game as _, MoveForm};
use crate::chess::illegal::{self, CastlingFault, Illegality};
use crate::chess::notation::Notation;
use crate::chess::notation::language::FRENCH;
use crate::draughts::notation::Refusal;
use crate::laws::language::InFrench;
use crate::{chess, draughts};

/// Fallback notations for text that the chosen notation cannot read.
const OTHERS: [&str; 6] = ["fr", "de", "descriptive:en", "descriptive:fr", "spoken", "ru"];

/// English words and the notation that replaces them. A word with an empty replacement is dropped.
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
    Chess(chess::MoveError),
    #[error(transparent)]
    Draughts(draughts::notation::MoveError),
    #[error("{text} is not legal: {reason}")]
    Illegal { text: String, reason: Reason },
    #[error("'{0}' means different moves in different notations")]
    Ambiguous(String),
}

impl InFrench for TypedMoveError {
    fn in_french(&self) -> String {
        match self {
            Self::Chess(error) => error.in_french(),
            Self::Draughts(error) => error.in_french(),
            Self::Illegal { text, reason } => {
                format!("{text} n'est pas légal : {}", reason.in_french())
            }
            Self::Ambiguous(text) => {
                format!("« {text} » désigne des coups différents selon la notation")
            }
        }
    }
}

/// The reason why a move is illegal.
#[derive(Debug, thiserror::Error)]
pub(super) enum Reason {
    #[error(transparent)]
    Chess(Illegality),
    #[error(transparent)]
    Castling(CastlingFault),
    #[error(transparent)]
    Draughts(Refusal),
}

impl From<Illegality> for Reason {
    fn from(why: Illegality) -> Self {
        match why {
            Illegality::Castling(fault) => Self::Castling(fault),
            why => Self::Chess(why),
        }
    }
}

impl InFrench for Reason {
    fn in_french(&self) -> String {
        match self {
            Self::Chess(why) => why.in_french(),
            Self::Castling(fault) => fault.in_french(),
            Self::Draughts(why) => why.in_french(),
        }
    }
}

pub(super) fn chess(
    position: &chess::Position,
    text: &str,
    notation: Notation,
) -> Result<chess::Move, TypedMoveError> {
    let text = text.trim();
    if let Ok(annotated) = notation.read(position, text) {
        return Ok(annotated.m);
    }
    let in_others = || {
        let mut found: Vec<chess::Move> = Vec::new();
        for name in OTHERS {
            let Ok(other) = name.parse::<Notation>() else { continue };
            let read = other.read(position, text).map(|annotated| annotated.m);
            found.extend(read.ok().filter(|m| !found.contains(m)));
        }
        found
    };
    // A capital letter means a piece of another language rather than a file: `Cc3` is a knight's
    // move in French, and not `c3`.
    if text.starts_with(|c| matches!(c, 'A' | 'C'..='H'))
        && let [m] = in_others()[..]
    {
        return Ok(m);
    }
    let error = match position.read_move(text, MoveForm::Player) {
        Ok(m) => return Ok(m),
        Err(error) => error,
    };
    if let Ok(m) = position.read_move(&in_letters(text), MoveForm::Player) {
        return Ok(m);
    }
    let found = in_others();
    match found[..] {
        [] => {
            let in_language = match notation {
                Notation::Algebraic(style) => style.language.to_english(text),
                _ => None,
            };
            let is_illegal = matches!(error, chess::MoveError::Illegal { .. });
            let as_typed = is_illegal.then(|| text.to_owned());
            let readings = [in_language, as_typed, FRENCH.to_english(text)];
            let reason =
                readings.iter().flatten().find_map(|text| illegal::why_text(position, text));
            Err(match reason {
                Some(reason) => {
                    TypedMoveError::Illegal { text: excerpt(text), reason: reason.into() }
                }
                None => TypedMoveError::Chess(error),
            })
        }
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

/// Reads a draughts move. Also accepts forms such as `32 28` and `28 takes 19`.
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
    joined.into_iter().find_map(Result::ok).ok_or(match error {
        draughts::notation::MoveError::Illegal { text, why, .. } => {
            TypedMoveError::Illegal { text, reason: Reason::Draughts(why) }
        }
        error => TypedMoveError::Draughts(error),
    })
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
            ("Cc3", san, "b1c3"),
            ("E4", san, "e2e4"),
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

    #[test]
    fn explains_illegal_moves_in_words() {
        let san = Notation::Algebraic(Style::SAN);
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let pinned = "4r1k1/8/8/8/4N3/8/8/4K2R w K - 0 1";
        for (fen, text, reason) in [
            (start, "Qh7", "no queen can reach h7"),
            (start, "e5", "no pawn can reach e5"),
            (start, "Ke2", "the side's own pawn on e2 is on the destination square"),
            (start, "exd3", "no pawn has just passed over d3"),
            (start, "e2e5", "the pawn on e2 cannot reach e5"),
            (start, "O-O", "the bishop on f1 is in the way"),
            (start, "0-0-0", "the knight on b1 is in the way"),
            (pinned, "Nc3", "the knight on e4 is pinned by the rook on e8"),
            (pinned, "Qd4", "White has no queen"),
            ("4k3/4P3/8/8/8/8/8/K7 w - - 0 1", "e8=Q", "no pawn can reach e8"),
            ("4k3/8/8/8/8/8/8/R3K2R w K - 0 1", "O-O-O", "the king or the rook on a1 has moved"),
            (
                "4k3/8/8/8/8/8/8/R4RK1 w - - 0 1",
                "O-O",
                "the king on g1 has already castled or moved",
            ),
            (
                "4k3/8/8/8/8/8/8/R4RK1 w - - 0 1",
                "0-0-0",
                "the king on g1 has already castled or moved",
            ),
            ("4k3/8/8/8/8/8/5K2/R6R w - - 0 1", "O-O", "the king has moved to f2"),
            ("4k3/8/8/8/8/8/8/R3KR2 w Q - 0 1", "O-O", "there is no rook on h1"),
            (
                "4k3/8/8/8/5r2/8/8/R3K2R w KQ - 0 1",
                "O-O",
                "the king crosses or reaches f1, which the rook on f4 attacks",
            ),
        ] {
            let position: chess::Position = fen.parse().unwrap();
            let error = chess(&position, text, san).unwrap_err().to_string();
            assert_eq!(error, format!("{text} is not legal: {reason}"));
        }
        let french: Notation = "fr".parse().unwrap();
        for (fen, text, reason) in [
            (start, "Dh7", "aucune dame ne peut atteindre h7"),
            (start, "e2e5", "le pion en e2 ne peut pas atteindre e5"),
            (start, "O-O", "le fou en f1 est sur le passage"),
            ("4k3/8/8/8/8/8/8/R4RK1 w - - 0 1", "O-O", "le roi en g1 a déjà roqué ou joué"),
            (pinned, "Cc3", "le cavalier en e4 est cloué par la tour en e8"),
            (pinned, "Dd4", "les Blancs n'ont pas de dame"),
        ] {
            let position: chess::Position = fen.parse().unwrap();
            for notation in [french, san] {
                let error = chess(&position, text, notation).unwrap_err().in_french();
                assert_eq!(error, format!("{text} n'est pas légal : {reason}"));
            }
        }
        // If the text is not a move, the parser's error is returned.
        for text in ["", "x", "hello", "é9", "=", "Ü=Q", "Zf3"] {
            let error = chess(&chess::Position::start(), text, san).unwrap_err();
            assert!(matches!(error, TypedMoveError::Chess(_)), "{text}: {error}");
        }
        let position: draughts::Position = "W:W28,40:B23".parse().unwrap();
        let error = draughts(&position, "40-34").unwrap_err().to_string();
        assert!(error.starts_with("40-34 is not legal: ") && !error.contains("W:W"), "{error}");
    }
}
