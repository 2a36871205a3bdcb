//! Moves in standard algebraic notation: `Nf3`, `exd6`, `R1a3+`, `e8=Q#`, `O-O`.
//!
//! Source: *PGN Standard* section 8.2.3 (Edwards, 1994); C-10 (Appendix C of the FIDE Laws) for the
//! forms of players. Written is always the standard's export form. Read are two languages: the
//! strict one takes the export form alone, with check marks optional and suffixes such as `!?`
//! allowed; the lenient one takes whatever can mean only one legal move.
//!
//! Invariant: for every legal `m`, `parse_san(&san(m)) == Ok(m)`, and leniently the same.

use super::board::CastlingSquares;
use super::moves::{Move, MoveKind};
use super::piece::Kind;
use super::position::Position;
use super::square::{File, Rank, Square};
use crate::base::cursor::{Cursor, excerpt};
use std::fmt::Write as _;

/// Why a text is no move of a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SanError {
    /// Not the text of a move at all.
    #[error("'{text}' is not a move: column {column}: {expected}")]
    Malformed {
        /// The text, cut if long.
        text: String,
        /// Where reading stopped, from 1.
        column: usize,
        /// What should stand there.
        expected: &'static str,
    },
    /// The text of a move that is not legal.
    #[error("'{text}' is not legal in {fen}")]
    Illegal {
        /// The text, cut if long.
        text: String,
        /// The position's FEN.
        fen: String,
    },
    /// The text of several legal moves.
    #[error("'{text}' is ambiguous: {}", candidates.join(" or "))]
    Ambiguous {
        /// The text, cut if long.
        text: String,
        /// The moves that it may mean, in standard notation.
        candidates: Vec<String>,
    },
    /// A legal move, but not written as the standard has it (strict reading only).
    #[error("'{text}' should be written {standard}")]
    NotStandard {
        /// The text, cut if long.
        text: String,
        /// How the standard writes the move.
        standard: String,
    },
}

/// The suffixes that the standard allows after a move (section 8.2.3.8).
const SUFFIXES: [&str; 6] = ["!!", "??", "!?", "?!", "!", "?"];

impl Position {
    /// The text of a legal move in the standard's export form, check and mate marked.
    pub fn san(&self, m: Move) -> String {
        let mut text = self.san_unmarked(m);
        if self.gives_check(m) {
            text.push(if self.play(m).has_moves() { '+' } else { '#' });
        }
        text
    }

    fn san_unmarked(&self, m: Move) -> String {
        let mut text = String::with_capacity(8);
        let (from, to) = (m.from(), m.to());
        let kind = self.kind_on(from).unwrap_or(Kind::Pawn);
        if m.is_castle() {
            return (if to > from { "O-O" } else { "O-O-O" }).to_owned();
        }
        let takes = self.captured(m).is_some();
        if kind == Kind::Pawn {
            if takes {
                text.push(from.file().letter());
            }
        } else {
            text.push(kind.letter().to_ascii_uppercase());
            let (file, rank) = self.disambiguation(m, kind);
            if file {
                text.push(from.file().letter());
            }
            if rank {
                text.push(from.rank().digit());
            }
        }
        if takes {
            text.push('x');
        }
        let _ = write!(text, "{to}");
        if let Some(kind) = m.promoted() {
            let _ = write!(text, "={}", kind.letter().to_ascii_uppercase());
        }
        text
    }

    /// Whether the file and whether the rank of departure must be written: the file if that tells
    /// the movers apart, else the rank, else both (section 8.2.3.4).
    fn disambiguation(&self, m: Move, kind: Kind) -> (bool, bool) {
        let (mut others, mut same_file, mut same_rank) = (false, false, false);
        for other in self.legal_moves().iter().filter(|o| o.to() == m.to() && !o.is_castle()) {
            let from = other.from();
            if from != m.from() && self.kind_on(from) == Some(kind) {
                others = true;
                same_file |= from.file() == m.from().file();
                same_rank |= from.rank() == m.from().rank();
            }
        }
        (others && (!same_file || same_rank), same_file)
    }

    /// The legal move that a text in the standard's form means.
    ///
    /// Check marks may be missing, but not false; one of `! ? !! ?? !? ?!` may follow.
    ///
    /// # Errors
    /// [`SanError`]; a text that is understood but not standard is [`SanError::NotStandard`].
    pub fn parse_san(&self, text: &str) -> Result<Move, SanError> {
        let m = self.parse_san_lenient(text)?;
        let standard = self.san(m);
        let body = SUFFIXES.iter().find_map(|s| text.strip_suffix(s)).unwrap_or(text);
        if body == standard || body == standard.trim_end_matches(['+', '#']) {
            Ok(m)
        } else {
            Err(SanError::NotStandard { text: excerpt(text), standard })
        }
    }

    /// The legal move that a text means, however it is written: castling with zeros, long algebraic
    /// notation, UCI moves, missing or superfluous marks, small piece letters, promotions as `e8Q`,
    /// `e8(Q)` and `e8/Q`, `e.p.`, suffixes.
    ///
    /// What is written must be true (an `x` where nothing is taken is refused), except for check
    /// marks, which old scores use freely. Where a text could be a pawn's or a bishop's (`bxc3`),
    /// the standard's reading, the pawn's, comes first.
    ///
    /// # Errors
    /// [`SanError`].
    pub fn parse_san_lenient(&self, text: &str) -> Result<Move, SanError> {
        let mut found = Written::read(text, false).map(|written| self.meant_by(&written));
        if !found.as_ref().is_ok_and(|moves| !moves.is_empty())
            && text.trim_start().starts_with('b')
        {
            let as_bishop = Written::read(text, true).map(|written| self.meant_by(&written));
            found = as_bishop.or(found);
        }
        let found = found?;
        match found[..] {
            [m] => Ok(m),
            [] => Err(SanError::Illegal { text: excerpt(text), fen: self.fen() }),
            _ => Err(SanError::Ambiguous {
                text: excerpt(text),
                candidates: found.into_iter().map(|m| self.san(m)).collect(),
            }),
        }
    }

    /// The legal moves that a text may mean.
    fn meant_by(&self, written: &Written) -> Vec<Move> {
        let moves = self.legal_moves();
        let meant = |accept: &dyn Fn(Move) -> bool| -> Vec<Move> {
            moves.iter().copied().filter(|&m| accept(m)).collect()
        };
        match written {
            Written::Castling { king_side } => {
                meant(&|m| m.is_castle() && (m.to() > m.from()) == *king_side)
            }
            Written::Move(pattern) => {
                let found = meant(&|m| pattern.fits(self, m));
                if found.is_empty() { meant(&|m| pattern.castles(m)) } else { found }
            }
        }
    }
}

/// What a text says, before any position is asked.
#[derive(Debug)]
enum Written {
    Castling { king_side: bool },
    Move(Pattern),
}

#[derive(Debug)]
struct Pattern {
    /// None where no letter is written.
    kind: Option<Kind>,
    from_file: Option<File>,
    from_rank: Option<Rank>,
    to: Square,
    takes: bool,
    en_passant: bool,
    promotion: Option<Kind>,
}

impl Written {
    /// Reads a text; where `bishop`, a leading `b` is the piece and not the file.
    fn read(text: &str, bishop: bool) -> Result<Self, SanError> {
        let mut cursor = Cursor::new(text);
        cursor.skip_space();
        let written = Self::read_body(&mut cursor, bishop);
        written
            .and_then(|mut written| {
                read_marks(&mut cursor, &mut written);
                match cursor.peek() {
                    None => Ok(written),
                    Some(_) => Err("the move should end here"),
                }
            })
            .map_err(|expected| SanError::Malformed {
                text: excerpt(text),
                column: cursor.column(),
                expected,
            })
    }

    fn read_body(cursor: &mut Cursor<'_>, bishop: bool) -> Result<Self, &'static str> {
        if matches!(cursor.peek(), Some('O' | 'o' | '0')) {
            let wings = cursor.take_while(|c| matches!(c, 'O' | 'o' | '0' | '-'));
            let king_side = match wings.replace(['o', '0'], "O").as_str() {
                "O-O" | "OO" => true,
                "O-O-O" | "OOO" => false,
                _ => return Err("castling is O-O or O-O-O"),
            };
            return Ok(Self::Castling { king_side });
        }
        let kind = cursor.peek().and_then(Kind::from_letter);
        let kind = kind.filter(|_| bishop || cursor.peek() != Some('b'));
        if kind.is_some() {
            cursor.next_char();
        }
        let (file, rank) = (read_file(cursor), read_rank(cursor));
        let separator = cursor.take_while(|c| matches!(c, 'x' | 'X' | ':' | '×' | '-'));
        let (from_file, from_rank, to) = match (read_file(cursor), read_rank(cursor), file, rank) {
            (Some(to_file), Some(to_rank), _, _) => (file, rank, Square::new(to_file, to_rank)),
            (None, None, Some(file), Some(rank)) if separator.is_empty() => {
                (None, None, Square::new(file, rank))
            }
            _ if cursor.offset() == 0 => return Err("a move begins with a piece or a square"),
            _ => return Err("the square of arrival should stand here"),
        };
        let takes = match separator {
            "" | "-" => false,
            "x" | "X" | ":" | "×" => true,
            _ => return Err("one x or - should stand before the square of arrival"),
        };
        let promotion = read_promotion(cursor)?;
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
}

fn read_file(cursor: &mut Cursor<'_>) -> Option<File> {
    let file = cursor.peek().filter(char::is_ascii_lowercase).and_then(File::from_letter)?;
    // "exd6e.p." and "exd6ep": this e is no file.
    if cursor.rest().starts_with("e.p") || cursor.rest().starts_with("ep") {
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

/// Reads `=Q`, `Q`, `(Q)`, `/Q` in either case, or nothing.
fn read_promotion(cursor: &mut Cursor<'_>) -> Result<Option<Kind>, &'static str> {
    let bracket = cursor.eat("(");
    let announced = bracket || cursor.eat("=") || cursor.eat("/");
    match cursor.peek().and_then(Kind::from_letter) {
        Some(kind @ (Kind::Knight | Kind::Bishop | Kind::Rook | Kind::Queen)) => {
            cursor.next_char();
            if bracket && !cursor.eat(")") {
                return Err("a closing bracket should follow the piece");
            }
            Ok(Some(kind))
        }
        _ if announced => Err("a pawn becomes Q, R, B or N"),
        _ => Ok(None),
    }
}

/// Reads what may follow: `+ # ! ?` in any number, `e.p.`, spaces.
fn read_marks(cursor: &mut Cursor<'_>, written: &mut Written) {
    loop {
        let before = cursor.offset();
        cursor.take_while(|c| matches!(c, '+' | '#' | '!' | '?') || c.is_whitespace());
        if let Written::Move(pattern) = written {
            pattern.en_passant |= ["e.p.", "e.p", "ep"].iter().any(|ep| cursor.eat(ep));
        }
        if cursor.offset() == before {
            return;
        }
    }
}

impl Pattern {
    /// Whether a legal move is one that the text may mean; castling is not asked here.
    fn fits(&self, position: &Position, m: Move) -> bool {
        let (from, kind) = (m.from(), position.kind_on(m.from()));
        // Without a letter it is a pawn, unless the square of departure tells.
        let piece = match self.kind {
            None => self.names_departure() || kind == Some(Kind::Pawn),
            told => kind == told,
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

    /// Whether the text is castling written as a king's move: two steps, or onto the rook.
    fn castles(&self, m: Move) -> bool {
        m.is_castle()
            && matches!(self.kind, None | Some(Kind::King))
            && self.names_departure()
            && self.from_file == Some(m.from().file())
            && self.from_rank == Some(m.from().rank())
            && !(self.takes || self.en_passant || self.promotion.is_some())
            && (self.to == m.to() || self.to == CastlingSquares::of(m.from(), m.to()).king)
    }

    fn names_departure(&self) -> bool {
        self.from_file.is_some() && self.from_rank.is_some()
    }
}
