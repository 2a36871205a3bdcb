//! Moves as announced to a player who cannot see the board (FIDE 2009, 19.2; row W-06 of
//! `laws::catalogue`), for example *Springer Gustav eins Felix drei* or *Kurze Rochade*.
//!
//! The article gives names for squares and pieces and requires clear announcements. The long form
//! therefore includes the piece, even for a pawn, and both squares. The short form omits details
//! that are not needed to identify the move. Case, accents and umlauts are ignored when parsing.

use super::pattern::{Pattern, Written};
use crate::base::cursor::excerpt;
use crate::base::text::is_dash;
use crate::chess::moves::{Move, MoveError};
use crate::chess::piece::Kind;
use crate::chess::position::Position;
use crate::chess::square::{File, Rank, Square};

const FILES: [&str; 8] = ["Anna", "Bella", "César", "David", "Eva", "Felix", "Gustav", "Hector"];
const RANKS: [&str; 8] = ["eins", "zwei", "drei", "vier", "fuenf", "sechs", "sieben", "acht"];
const PIECES: [&str; 6] = ["Bauer", "Springer", "Laufer", "Turm", "Dame", "Koenig"];
const CASTLING: [&str; 2] = ["Kurze Rochade", "Lange Rochade"];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Word {
    File(File),
    Rank(Rank),
    Piece(Kind),
}

/// Normalizes a word: all accepted spellings of a word have the same normal form.
fn plain(word: &str) -> String {
    let lower = word.to_lowercase().replace(['é', 'ê'], "e");
    let lower = lower.replace("ae", "a").replace("oe", "o").replace("ue", "u");
    lower.replace('ä', "a").replace('ö', "o").replace('ü', "u").replace('k', "c")
}

fn find(names: &[&str], word: &str) -> Option<usize> {
    names.iter().position(|name| plain(name) == plain(word))
}

impl Word {
    fn of(word: &str) -> Option<Self> {
        // "Cäsar" is the usual German spelling.
        let word = if plain(word) == "casar" { FILES[2] } else { word };
        let file = || find(&FILES, word).map(|i| Self::File(File::ALL[i]));
        let rank = || find(&RANKS, word).map(|i| Self::Rank(Rank::ALL[i]));
        let piece = || find(&PIECES, word).map(|i| Self::Piece(Kind::ALL[i]));
        file().or_else(rank).or_else(piece)
    }
}

pub fn write(position: &Position, m: Move, long: bool) -> String {
    if m.is_castle() {
        return CASTLING[usize::from(m.to() < m.from())].to_owned();
    }
    let kind = position.kind_on(m.from()).unwrap_or(Kind::Pawn);
    let (file, rank) = match kind {
        _ if long => (true, true),
        Kind::Pawn => (position.captured(m).is_some(), false),
        _ => position.disambiguation(m, kind),
    };
    let mut words = vec![PIECES[kind.index()]];
    let (from, to) = (m.from(), m.to());
    words.extend(file.then(|| FILES[from.file().index()]));
    words.extend(rank.then(|| RANKS[from.rank().index()]));
    words.extend([FILES[to.file().index()], RANKS[to.rank().index()]]);
    words.extend(m.promoted().map(|kind| PIECES[kind.index()]));
    words.join(" ")
}

pub(crate) fn matches(position: &Position, text: &str) -> Result<Vec<Move>, MoveError> {
    Ok(written(text)?.matches_in(position))
}

pub(crate) fn is_move(text: &str) -> bool {
    written(text).is_ok()
}

fn written(text: &str) -> Result<Written, MoveError> {
    let mut column = 1;
    let fail =
        |column, expected| Err(MoveError::Malformed { text: excerpt(text), column, expected });
    if let Some(i) = find(&CASTLING, &text.split_whitespace().collect::<Vec<_>>().join(" ")) {
        return Ok(Written::Castling { king_side: i == 0 });
    }
    let mut words = Vec::new();
    for part in text.split_inclusive(|c: char| c.is_whitespace() || c == ',' || is_dash(c)) {
        let word = part.trim_end_matches(|c: char| !c.is_alphabetic());
        if !word.is_empty() {
            match Word::of(word) {
                Some(word) => words.push(word),
                None => {
                    return fail(
                        column,
                        "expected a name of 19.2 (Anna to Hector, eins to acht, a piece)",
                    );
                }
            }
        } else if !part.trim_end_matches(|c| c == ',' || is_dash(c)).trim().is_empty() {
            return fail(column, "expected a word");
        }
        column += part.chars().count();
    }
    let mut rest = &words[..];
    let kind = match rest {
        [Word::Piece(kind), after @ ..] => {
            rest = after;
            Some(*kind)
        }
        _ => None,
    };
    let promotion = match rest {
        [before @ .., Word::Piece(kind)] => {
            if matches!(kind, Kind::Pawn | Kind::King) {
                return fail(column, "expected the promotion piece Dame, Turm, Laufer or Springer");
            }
            rest = before;
            Some(*kind)
        }
        _ => None,
    };
    let (from_file, from_rank, to) = match *rest {
        [Word::File(file), Word::Rank(rank)] => (None, None, (file, rank)),
        [Word::File(from), Word::File(file), Word::Rank(rank)] => (Some(from), None, (file, rank)),
        [Word::Rank(from), Word::File(file), Word::Rank(rank)] => (None, Some(from), (file, rank)),
        [Word::File(a), Word::Rank(b), Word::File(file), Word::Rank(rank)] => {
            (Some(a), Some(b), (file, rank))
        }
        _ => return fail(column, "expected a piece, one or two squares, and a promotion piece"),
    };
    Ok(Written::Move(Pattern {
        kind,
        from_file,
        from_rank,
        to: Square::new(to.0, to.1),
        takes: false,
        en_passant: false,
        promotion,
    }))
}
