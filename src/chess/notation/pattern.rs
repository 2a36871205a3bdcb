//! Parses the text of a move independently of any position. SAN and the algebraic notations of all
//! languages use this parser.

use super::language::{Language, figurine};
use crate::base::cursor::{Cursor, excerpt};
use crate::base::text::is_dash;
use crate::chess::board::CastlingSquares;
use crate::chess::moves::{Move, MoveError, MoveKind};
use crate::chess::piece::Kind;
use crate::chess::position::Position;
use crate::chess::square::{File, Rank, Square};

#[derive(Clone, Copy, Debug)]
pub(in crate::chess) enum Reading {
    /// English letters in either case, without spaces. A leading `b` is the bishop if
    /// `b_is_bishop`, otherwise the file.
    San { b_is_bishop: bool },
    /// Handwriting or print in one language. Accepts spaces, dashes of any length, capture signs
    /// before or after the square, and check and mate signs of several eras.
    Print(&'static Language),
}

/// Capture signs. The last two are the Cyrillic letter that looks like an x, in lower and upper
/// case.
const TAKES: [char; 6] = ['x', 'X', ':', '×', 'х', 'Х'];
const MARKS: [char; 8] = ['+', '#', '!', '?', '†', '‡', '≠', '✝'];
/// Words for check and mate. Each word comes after all longer words that start with it.
const CHECK_WORDS: [&str; 9] = ["éch.", "éch", "ech.", "ech", "mate", "mat", "check", "ch.", "ch"];
const EN_PASSANT_WORDS: [&str; 4] = ["e.p.", "e. p.", "e.p", "ep"];

impl Reading {
    const fn is_print(self) -> bool {
        matches!(self, Self::Print(_))
    }

    fn space(self, cursor: &mut Cursor<'_>) {
        if self.is_print() {
            cursor.skip_space();
        }
    }

    fn piece(self, cursor: &mut Cursor<'_>) -> Option<Kind> {
        match self {
            Self::San { b_is_bishop: false } if cursor.peek() == Some('b') => None,
            Self::San { .. } => figurine(cursor).or_else(|| {
                let kind = cursor.peek().and_then(Kind::from_letter)?;
                cursor.next_char();
                Some(kind)
            }),
            Self::Print(language) => language.read(cursor, true),
        }
    }

    fn promoted(self, cursor: &mut Cursor<'_>) -> Option<Kind> {
        match self {
            Self::San { .. } => Self::San { b_is_bishop: true }.piece(cursor),
            Self::Print(language) => language.read(cursor, false),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::chess) enum Written {
    Castling {
        king_side: bool,
    },
    /// Any other move, including castling written as a king move.
    Move(Pattern),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::chess) struct Pattern {
    /// The kind of piece, or `None` if no piece letter is written.
    pub kind: Option<Kind>,
    pub from_file: Option<File>,
    pub from_rank: Option<Rank>,
    pub to: Square,
    pub takes: bool,
    pub en_passant: bool,
    pub promotion: Option<Kind>,
}

impl Written {
    pub(in crate::chess) fn read(text: &str, reading: Reading) -> Result<Self, MoveError> {
        let mut cursor = Cursor::new(text);
        cursor.skip_space();
        let written = Self::read_body(&mut cursor, reading);
        written
            .and_then(|mut written| {
                read_marks(&mut cursor, reading, &mut written);
                match cursor.peek() {
                    None => Ok(written),
                    Some(_) => Err("the move should end here"),
                }
            })
            .map_err(|expected| MoveError::Malformed {
                text: excerpt(text),
                column: cursor.column(),
                expected,
            })
    }

    fn read_body(cursor: &mut Cursor<'_>, reading: Reading) -> Result<Self, &'static str> {
        if let Some(king_side) = read_castling(cursor, reading)? {
            return Ok(Self::Castling { king_side });
        }
        let kind = reading.piece(cursor);
        reading.space(cursor);
        let (file, rank) = (read_file(cursor), read_rank(cursor));
        let separator = read_separator(cursor, reading);
        let (from_file, from_rank, to) = match (read_file(cursor), read_rank(cursor), file, rank) {
            (Some(to_file), Some(to_rank), _, _) => (file, rank, Square::new(to_file, to_rank)),
            (None, None, Some(file), Some(rank)) if separator.is_empty() => {
                (None, None, Square::new(file, rank))
            }
            _ if cursor.offset() == 0 => return Err("expected a piece or a square"),
            _ => return Err("expected the destination square"),
        };
        let takes = match separator {
            "" => false,
            sign if is_one(sign, takes) => true,
            sign if is_one(sign, is_dash) => false,
            _ => return Err("expected one x or - before the destination square"),
        };
        let promotion = read_promotion(cursor, reading)?;
        Ok(Self::Move(Pattern {
            kind,
            from_file,
            from_rank,
            to,
            takes,
            en_passant: false,
            promotion,
        }))
    }

    /// Like [`Self::matches_in`], but ignores capture and en passant signs.
    pub(in crate::chess) fn loose_matches_in(&self, position: &Position) -> Vec<Move> {
        let loose = match *self {
            Self::Move(pattern) => {
                Self::Move(Pattern { takes: false, en_passant: false, ..pattern })
            }
            castling @ Self::Castling { .. } => castling,
        };
        loose.matches_in(position)
    }

    pub(in crate::chess) fn matches_in(&self, position: &Position) -> Vec<Move> {
        let moves = position.legal_moves();
        let matching = |accept: &dyn Fn(Move) -> bool| -> Vec<Move> {
            moves.iter().copied().filter(|&m| accept(m)).collect()
        };
        match self {
            Self::Castling { king_side } => {
                matching(&|m| m.is_castle() && (m.to() > m.from()) == *king_side)
            }
            Self::Move(pattern) => {
                let found = matching(&|m| pattern.fits(position, m));
                if found.is_empty() { matching(&|m| pattern.castles(m)) } else { found }
            }
        }
    }
}

/// Returns the only element of `found`, or an error if there is none or more than one. `english` is
/// true if the text has English piece letters. `write` formats the candidates for the error about
/// ambiguous text.
pub(in crate::chess) fn only(
    position: &Position,
    text: &str,
    found: &[Move],
    english: bool,
    write: impl Fn(Move) -> String,
) -> Result<Move, MoveError> {
    match *found {
        [m] => Ok(m),
        [] => Err(MoveError::Illegal { text: excerpt(text), fen: position.fen(), english }),
        _ => Err(MoveError::Ambiguous {
            text: excerpt(text),
            candidates: found.iter().map(|&m| write(m)).collect(),
        }),
    }
}

/// A pawn capture written without ranks, such as `ed` or `exd=Q`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::chess) struct FileCapture {
    from: File,
    to: File,
    promotion: Option<Kind>,
}

impl FileCapture {
    /// Parses a capture. `reading` determines the letters of promotion pieces.
    pub(in crate::chess) fn read(text: &str, reading: Reading) -> Option<Self> {
        let mut cursor = Cursor::new(text.trim());
        let from = read_file(&mut cursor)?;
        let _ = cursor.eat("x") || cursor.eat(":");
        let to = read_file(&mut cursor)?;
        let _ = cursor.eat(":");
        let promotion = read_promotion(&mut cursor, reading).ok()?;
        read_marks(&mut cursor, reading, &mut Written::Castling { king_side: true });
        let is_whole = cursor.peek().is_none() && (from as u8).abs_diff(to as u8) == 1;
        is_whole.then_some(Self { from, to, promotion })
    }

    pub(in crate::chess) fn matches_in(self, position: &Position) -> Vec<Move> {
        let is_match = |m: &Move| {
            position.kind_on(m.from()) == Some(Kind::Pawn)
                && position.captured(*m).is_some()
                && (m.from().file(), m.to().file()) == (self.from, self.to)
                && (self.promotion.is_none() || m.promoted() == self.promotion)
        };
        position.legal_moves().iter().copied().filter(is_match).collect()
    }
}

fn takes(c: char) -> bool {
    TAKES.contains(&c)
}

fn is_one(sign: &str, of: fn(char) -> bool) -> bool {
    sign.trim().chars().count() == 1 && sign.trim().chars().all(of)
}

/// Reads castling written with `O`, `o` or `0`. Returns `Some(true)` for king-side castling,
/// `Some(false)` for queen-side castling, and `None` if the text is not castling.
fn read_castling(cursor: &mut Cursor<'_>, reading: Reading) -> Result<Option<bool>, &'static str> {
    // The last two letters are Cyrillic, as typed on a Russian keyboard.
    let is_wing = |c| matches!(c, 'O' | 'o' | '0' | 'О' | 'о');
    if !cursor.peek().is_some_and(is_wing) {
        return Ok(None);
    }
    // The letter O also denotes the Dutch pawn and the Estonian bishop: "Oe4" is not castling, but
    // "OO" is.
    let mut after = cursor.rest().chars().skip(1);
    let between = |c: &char| is_dash(*c) || c.is_whitespace();
    if reading.is_print() && !after.find(|c| !between(c)).is_some_and(is_wing) {
        return Ok(None);
    }
    let dash = |c: char| is_dash(c) || reading.is_print() && c.is_whitespace();
    let text = cursor.take_while(|c| is_wing(c) || dash(c));
    let wings = text.trim_end().chars().map(|c| if is_wing(c) { 'O' } else { '-' });
    let wings: String = wings.filter(|c| *c == 'O' || !reading.is_print()).collect();
    match wings.as_str() {
        "O-O" | "OO" => Ok(Some(true)),
        "O-O-O" | "OOO" => Ok(Some(false)),
        _ => Err("castling is O-O or O-O-O"),
    }
}

fn read_separator<'a>(cursor: &mut Cursor<'a>, reading: Reading) -> &'a str {
    let signs = |c: char| match reading {
        Reading::San { .. } => matches!(c, 'x' | 'X' | ':' | '×') || is_dash(c),
        Reading::Print(_) => takes(c) || is_dash(c) || c.is_whitespace(),
    };
    // Some programs mark mate with a final X.
    if cursor.rest() == "X" {
        return "";
    }
    let before = cursor.clone();
    let separator = cursor.take_while(signs);
    // In print, the capture sign may come after the destination square. A sign that is not followed
    // by a square is left to `read_marks`.
    let mut next = cursor.clone();
    let square = read_file(&mut next).and_then(|_| read_rank(&mut next)).is_some();
    if reading.is_print() && (!square || separator.trim().is_empty()) {
        *cursor = before;
        return "";
    }
    separator
}

fn read_file(cursor: &mut Cursor<'_>) -> Option<File> {
    let file = cursor.peek().filter(char::is_ascii_lowercase).and_then(File::from_letter)?;
    // The second e of "exd6e.p." and "exd6ep" is not a file. Neither is the c of "Ra8ch", but the c
    // of "Rch3" is.
    let rest = cursor.rest();
    let begins = |word: &&str| {
        rest.strip_prefix(*word).is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    if CHECK_WORDS.iter().chain(&EN_PASSANT_WORDS).any(begins) {
        return None;
    }
    cursor.next_char();
    Some(file)
}

fn read_rank(cursor: &mut Cursor<'_>) -> Option<Rank> {
    let rank = cursor.peek().and_then(Rank::from_digit)?;
    cursor.next_char();
    Some(rank)
}

fn read_promotion(cursor: &mut Cursor<'_>, reading: Reading) -> Result<Option<Kind>, &'static str> {
    let bracket = cursor.eat("(");
    let announced = bracket || cursor.eat("=") || cursor.eat("/");
    let letters = cursor.clone();
    match reading.promoted(cursor) {
        Some(kind @ (Kind::Knight | Kind::Bishop | Kind::Rook | Kind::Queen)) => {
            if bracket && !cursor.eat(")") {
                return Err("expected a closing bracket after the piece");
            }
            Ok(Some(kind))
        }
        other => {
            *cursor = letters;
            match other {
                _ if announced => Err("expected the promotion piece Q, R, B or N"),
                _ => Ok(None),
            }
        }
    }
}

/// Reads any number of suffixes: check, mate and quality signs, words for check and mate, `e.p.`
/// and spaces. In print, the capture sign may be a suffix too. En passant and capture signs are
/// recorded in `written`.
fn read_marks(cursor: &mut Cursor<'_>, reading: Reading, written: &mut Written) {
    let marks = |c: char| MARKS.contains(&c) || c.is_whitespace();
    loop {
        let before = cursor.offset();
        cursor.take_while(marks);
        if let Written::Move(pattern) = written {
            pattern.en_passant |= EN_PASSANT_WORDS.iter().any(|word| cursor.eat(word));
            if reading.is_print() && cursor.peek().is_some_and(takes) {
                cursor.next_char();
                pattern.takes = true;
            }
        }
        let _ = CHECK_WORDS.iter().any(|word| cursor.eat(word));
        if !reading.is_print() && cursor.rest() == "X" {
            cursor.next_char();
        }
        if cursor.offset() == before {
            return;
        }
    }
}

impl Pattern {
    /// Returns whether the pattern matches a legal move. Castling never matches (see
    /// [`Self::castles`]).
    fn fits(&self, position: &Position, m: Move) -> bool {
        let (from, kind) = (m.from(), position.kind_on(m.from()));
        // Without a piece letter, only pawn moves match, unless the full origin square is written.
        let piece = match self.kind {
            None => self.names_origin() || kind == Some(Kind::Pawn),
            written => kind == written,
        };
        piece
            && !m.is_castle()
            && m.to() == self.to
            && self.from_file.is_none_or(|file| file == from.file())
            && self.from_rank.is_none_or(|rank| rank == from.rank())
            && (!self.takes || position.captured(m).is_some())
            && (!self.en_passant || m.kind() == MoveKind::EnPassant)
            && (self.promotion.is_none() || m.promoted() == self.promotion)
    }

    /// Returns whether the pattern matches castling written as a king move. The destination is the
    /// king's square after castling or, if the origin square is written too, the rook's square.
    fn castles(&self, m: Move) -> bool {
        let is_onto_rook = self.to == m.to() && self.names_origin();
        m.is_castle()
            && (self.kind == Some(Kind::King) || self.kind.is_none() && self.names_origin())
            && self.from_file.is_none_or(|file| file == m.from().file())
            && self.from_rank.is_none_or(|rank| rank == m.from().rank())
            && !(self.takes || self.en_passant || self.promotion.is_some())
            && (is_onto_rook || self.to == CastlingSquares::of(m.from(), m.to()).king)
    }

    const fn names_origin(&self) -> bool {
        self.from_file.is_some() && self.from_rank.is_some()
    }
}
