//! Reads and writes FEN, X-FEN and Shredder-FEN.
//!
//! Sources: *PGN Standard* section 16.1 (Edwards, 1994); X-FEN and Shredder-FEN as defined by
//! Reinhard Scharnagl and Stefan Meyer-Kahlen. A castling right is `K` or `Q` for the outermost
//! rook on the kingside or queenside, or the letter of the rook's file.

use super::bitboard::Bitboard;
use super::board::Board;
use super::piece::{Kind, Piece};
use super::position::Position;
use super::setup::{FULLMOVES, HALFMOVE_CLOCKS, Setup, SetupError};
use super::square::{File, Rank, Square};
use crate::base::cursor::{Cursor, excerpt};
use crate::base::side::Side;
use std::fmt::{self, Write as _};
use std::ops::RangeInclusive;
use std::str::FromStr;

/// The format of castling rights.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Style {
    /// `KQkq` for the outermost rooks, file letters for inner rooks.
    #[default]
    XFen,
    /// File letters only: `HAha`.
    Shredder,
}

/// An error in a FEN.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FenError {
    /// The text ends before this field.
    #[error("the FEN ends before its {0}")]
    Missing(&'static str),
    /// An unexpected character or word.
    #[error("column {column}: {found:?} in the {field}: {expected}")]
    Unexpected {
        /// The column, counted from 1.
        column: usize,
        /// The unexpected text.
        found: String,
        /// The name of the field.
        field: &'static str,
        /// A description of the expected text, or of what is wrong with the text found.
        expected: &'static str,
    },
    /// The FEN is well formed, but the position is not legal.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

impl FromStr for Setup {
    type Err = FenError;

    /// Parses four to six fields separated by white space. The two counters are optional. They are
    /// clamped to the possible range, because some programs write impossible counters.
    fn from_str(text: &str) -> Result<Self, FenError> {
        let mut cursor = Cursor::new(text);
        let setup = Self::read(&mut cursor)?;
        cursor.skip_space();
        if cursor.peek().is_some() {
            return Err(unexpected(
                &cursor,
                cursor.rest(),
                "FEN",
                "expected nothing after the move number",
            ));
        }
        Ok(setup)
    }
}

fn unexpected(
    cursor: &Cursor<'_>,
    found: impl Into<String>,
    field: &'static str,
    expected: &'static str,
) -> FenError {
    let found = excerpt(&found.into());
    FenError::Unexpected { column: cursor.column(), found, field, expected }
}

impl Setup {
    /// Reads a FEN with or without counters from the cursor.
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, FenError> {
        let mut setup = Self::read_board(cursor)?;
        cursor.skip_space();
        if cursor.peek().is_some() {
            setup.halfmove_clock = read_counter(cursor, "half-move clock", HALFMOVE_CLOCKS)?;
            cursor.skip_space();
            if cursor.peek().is_some() {
                setup.fullmove = read_counter(cursor, "move number", FULLMOVES)?;
            }
        }
        Ok(setup)
    }

    /// Reads the four fields common to FEN and EPD.
    pub(crate) fn read_board(cursor: &mut Cursor<'_>) -> Result<Self, FenError> {
        let mut setup = Self::empty();
        cursor.skip_space();
        for rank in Rank::ALL.into_iter().rev() {
            read_row(cursor, rank, &mut setup)?;
        }
        let field = "side to move";
        require(cursor, field)?;
        setup.side = match cursor.next_char() {
            Some('w') => Side::White,
            Some('b') => Side::Black,
            other => return Err(wrong(cursor, other, field, "expected w or b")),
        };
        require(cursor, "castling rights")?;
        read_castling(cursor, &mut setup)?;
        let field = "en passant square";
        require(cursor, field)?;
        if cursor.eat("-") {
            // Reject "-1 14", which lacks a space, and "-e3", which is meaningless.
            if let Some(c) = cursor.peek().filter(|c| !c.is_whitespace() && *c != ';') {
                return Err(unexpected(cursor, c, field, "a space should come after -"));
            }
        } else {
            let at = cursor.clone();
            let word = cursor.take_while(|c| !c.is_whitespace() && c != ';');
            let square = word.parse();
            setup.en_passant =
                Some(square.map_err(|_| unexpected(&at, word, field, "expected - or a square"))?);
        }
        Ok(setup)
    }
}

fn wrong(
    cursor: &Cursor<'_>,
    found: Option<char>,
    field: &'static str,
    expected: &'static str,
) -> FenError {
    match found {
        None => FenError::Missing(field),
        Some(c) => FenError::Unexpected {
            column: cursor.column() - 1,
            found: c.to_string(),
            field,
            expected,
        },
    }
}

fn require(cursor: &mut Cursor<'_>, field: &'static str) -> Result<(), FenError> {
    match cursor.peek() {
        Some(c) if c.is_whitespace() => cursor.skip_space(),
        Some(c) => {
            return Err(unexpected(cursor, c, field, "a space should come before this field"));
        }
        None => {}
    }
    if cursor.peek().is_none() { Err(FenError::Missing(field)) } else { Ok(()) }
}

fn read_counter(
    cursor: &mut Cursor<'_>,
    field: &'static str,
    range: RangeInclusive<u32>,
) -> Result<u32, FenError> {
    let at = cursor.clone();
    let word = cursor.take_while(|c| !c.is_whitespace());
    counter(word, range).ok_or_else(|| unexpected(&at, word, field, "expected a number"))
}

/// Parses a counter and clamps it to `range`. A negative number or a lone `-` counts as 0. Returns
/// `None` if the text is not a number.
pub(super) fn counter(text: &str, range: RangeInclusive<u32>) -> Option<u32> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) || digits.is_empty() && text != "-" {
        return None;
    }
    let number = if text.starts_with('-') { 0 } else { digits.parse().unwrap_or(u32::MAX) };
    Some(number.clamp(*range.start(), *range.end()))
}

fn read_row(cursor: &mut Cursor<'_>, rank: Rank, setup: &mut Setup) -> Result<(), FenError> {
    const FIELD: &str = "piece placement";
    let mut file = 0;
    let mut after_digit = false;
    while file < 8 {
        let c = cursor.next_char();
        let digit = c.and_then(|c| c.to_digit(10));
        if let Some(piece) = c.and_then(Piece::from_letter) {
            setup.pieces[Square::new(File::ALL[file], rank).index()] = Some(piece);
            file += 1;
        } else if let Some(n) = digit.filter(|n| (1..=8).contains(n)) {
            file += n as usize;
            if file > 8 {
                return Err(wrong(cursor, c, FIELD, "the row has more than 8 squares"));
            }
            if after_digit {
                return Err(wrong(cursor, c, FIELD, "two consecutive numbers: add them up"));
            }
        } else if c == Some('/') {
            return Err(wrong(cursor, c, FIELD, "the row has fewer than 8 squares"));
        } else {
            return Err(wrong(
                cursor,
                c,
                FIELD,
                "expected a piece (pnbrqk or PNBRQK) or a digit from 1 to 8",
            ));
        }
        after_digit = digit.is_some();
    }
    if rank != Rank::R1 {
        match cursor.next_char() {
            Some('/') => {}
            Some(c) if !c.is_whitespace() => {
                return Err(wrong(cursor, Some(c), FIELD, "the row has more than 8 squares"));
            }
            Some(c) => return Err(wrong(cursor, Some(c), FIELD, "expected 8 rows separated by /")),
            None => return Err(FenError::Missing("last rows")),
        }
    }
    Ok(())
}

fn read_castling(cursor: &mut Cursor<'_>, setup: &mut Setup) -> Result<(), FenError> {
    const FIELD: &str = "castling rights";
    if cursor.eat("-") {
        return Ok(());
    }
    while let Some(c) = cursor.peek().filter(|c| !c.is_whitespace()) {
        let side = Side::from_white(c.is_ascii_uppercase());
        let rank = Rank::R1.relative_to(side);
        let on_rank = |piece| {
            File::ALL
                .into_iter()
                .map(move |file| Square::new(file, rank))
                .filter(|square| setup.pieces[square.index()] == Some(piece))
                .collect::<Vec<_>>()
        };
        let rooks = on_rank(Piece::new(side, Kind::Rook));
        let king = on_rank(Piece::new(side, Kind::King)).first().copied();
        let corner = |file| Square::new(file, rank);
        let square = match c.to_ascii_lowercase() {
            // Take the outermost rook. If there is none, take the corner, so that the validation
            // error names a square.
            'k' => rooks
                .last()
                .copied()
                .filter(|&r| king.is_none_or(|k| r > k))
                .unwrap_or(corner(File::H)),
            'q' => rooks
                .first()
                .copied()
                .filter(|&r| king.is_none_or(|k| r < k))
                .unwrap_or(corner(File::A)),
            letter => match File::from_letter(letter) {
                Some(file) => corner(file),
                None => {
                    return Err(unexpected(
                        cursor,
                        c,
                        FIELD,
                        "expected -, KQkq, or files as in HAha",
                    ));
                }
            },
        };
        if setup.castling.has(square) {
            return Err(unexpected(cursor, c, FIELD, "the same right is given twice"));
        }
        cursor.next_char();
        setup.castling |= square;
    }
    Ok(())
}

impl FromStr for Position {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        Ok(Self::try_from(text.parse::<Setup>()?)?)
    }
}

fn fen(board: &Board, side: Side, style: Style, clock: u32, number: u32) -> String {
    format!("{} {clock} {number}", epd(board, side, style))
}

fn epd(board: &Board, side: Side, style: Style) -> String {
    let mut text = placement(board);
    text.push_str(if side.is_white() { " w " } else { " b " });
    castling_and_en_passant(board, style, &mut text);
    text
}

fn castling_and_en_passant(board: &Board, style: Style, text: &mut String) {
    castling(board, style, text);
    match board.en_passant.first() {
        Some(square) => {
            let _ = write!(text, " {square}");
        }
        None => text.push_str(" -"),
    }
}

impl fmt::Display for Setup {
    /// Formats the set-up as X-FEN, even if it is not a legal position.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut board = self.board();
        board.en_passant = self.en_passant.map_or(Bitboard::EMPTY, Bitboard::of);
        let (clock, number) = (self.halfmove_clock, self.fullmove);
        f.write_str(&fen(&board, self.side, Style::XFen, clock, number))
    }
}

impl Position {
    /// Returns the FEN of the position in the given style. The en passant square is written only if
    /// the capture is legal, as in X-FEN.
    pub fn fen_in(&self, style: Style) -> String {
        let (clock, number) = (self.halfmove_clock().into(), self.fullmove().into());
        fen(self.board(), self.side(), style, clock, number)
    }

    /// Returns the X-FEN of the position, which is plain FEN for standard castling rights.
    pub fn fen(&self) -> String {
        self.fen_in(Style::XFen)
    }

    /// Returns the first four fields of the FEN, which are also the start of an EPD record.
    pub fn epd_in(&self, style: Style) -> String {
        epd(self.board(), self.side(), style)
    }
}

fn placement(board: &Board) -> String {
    let mut text = String::with_capacity(72);
    for rank in Rank::ALL.into_iter().rev() {
        let mut empty = 0;
        for file in File::ALL {
            match board.piece_on(Square::new(file, rank)) {
                None => empty += 1,
                Some(piece) => {
                    if empty > 0 {
                        let _ = write!(text, "{empty}");
                        empty = 0;
                    }
                    text.push(piece.letter());
                }
            }
        }
        if empty > 0 {
            let _ = write!(text, "{empty}");
        }
        if rank != Rank::R1 {
            text.push('/');
        }
    }
    text
}

fn castling(board: &Board, style: Style, text: &mut String) {
    if board.castling.is_empty() {
        text.push('-');
        return;
    }
    for side in Side::ALL {
        let rank = Bitboard::rank(Rank::R1.relative_to(side));
        let king = board.king(side);
        let rooks = board.pieces(side, Kind::Rook) & rank;
        let mut rights: Vec<_> = (board.castling & rank).collect();
        rights.reverse();
        for rook in rights {
            let outermost = if rook > king { rooks.max() } else { rooks.min() };
            let letter = match style {
                Style::XFen if outermost == Some(rook) => {
                    if rook > king {
                        'k'
                    } else {
                        'q'
                    }
                }
                _ => rook.file().letter(),
            };
            text.push(if side.is_white() { letter.to_ascii_uppercase() } else { letter });
        }
    }
}

impl fmt::Debug for Board {
    /// Formats the pieces, the castling rights and the en passant square as FEN.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = placement(self) + " ";
        castling_and_en_passant(self, Style::Shredder, &mut text);
        write!(f, "Board({text})")
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fen())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_format_is_a_fen() {
        let fen = "4k3/8/8/8/4P3/8/8/4K2R b K - 3 9";
        let position: Position = fen.parse().expect("a position");
        assert_eq!(format!("{position:?}"), format!("Position({fen})"));
        assert_eq!(format!("{:?}", position.board()), "Board(4k3/8/8/8/4P3/8/8/4K2R H -)");
        assert_eq!(format!("{:?}", Board::EMPTY), "Board(8/8/8/8/8/8/8/8 - -)");
    }

    #[test]
    fn round_trips_all_chess960_starts() {
        for n in 0..960 {
            let setup = Setup::chess960(n).expect("a number below 960");
            assert_eq!(setup.chess960_number(), Some(n));
            let position = Position::try_from(setup).expect("a start position is valid");
            for style in [Style::XFen, Style::Shredder] {
                let text = position.fen_in(style);
                assert_eq!(text.parse::<Position>().expect("our own FEN"), position, "{text}");
            }
        }
        assert_eq!(Setup::chess960(960), None);
        assert_eq!(
            Position::start().fen(),
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
        );
    }

    #[test]
    fn rejects_malformed_fens_with_the_column() {
        let cases = [
            ("", "ends before its piece placement"),
            ("8/8", "ends before its last rows"),
            ("7/8/8/8/8/8/8/8 w - - 0 1", "fewer than 8"),
            ("rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "column 19: \"9\""),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNRR w KQkq - 0 1", "column 44"),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1", "expected w or b"),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KXkq - 0 1", "\"X\""),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KKkq - 0 1", "twice"),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e9 0 1", "\"e9\""),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - x 1", "half-move clock"),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -1 14", "a space should come"),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - +-3 1", "\"+-3\""),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1.5", "move number"),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - \u{663} 1", "half-move clock"),
            ("rnbqkbnr/pppppppp/\u{668}/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "column 19"),
            ("♜nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "column 1: \"♜\""),
            ("4k3/8/8/8/8/8/8/R2RK2R w AD - 0 1", "two castling rights on the same side"),
            ("4k3/8/8/8/8/8/8/R2RK2R w QA - 0 1", "twice"),
            ("4k3/8/8/8/8/8/4K3/R6R w Q - 0 1", "not on its first rank"),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 7", "expected nothing"),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e6 0 1", "impossible"),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w kq - 0 1", "White has 0 kings"),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w KQkq - 0 1", "a rook on a1"),
            ("Pnbqkbnr/pppppppp/8/8/8/8/1PPPPPPP/RNBQKBNR w KQ - 0 1", "a pawn is on a8"),
            ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "Black is not to move but is in check from e2"),
        ];
        for (text, part) in cases {
            let error = text.parse::<Position>().expect_err(text).to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn clamps_impossible_counters() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        for (counters, read) in [
            ("0 0", "0 1"),
            ("7 0", "7 1"),
            ("-1 5", "0 5"),
            ("3 -2", "3 1"),
            ("- -", "0 1"),
            ("+3 +4", "3 4"),
            ("10000 70000", "9999 65535"),
            ("99999999999 99999999999", "9999 65535"),
        ] {
            let position: Position = format!("{start} {counters}").parse().expect(counters);
            assert_eq!(position.fen(), format!("{start} {read}"), "{counters}");
        }
        // A double step resets the half-move clock, but not every program writes 0.
        let text = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 1 20";
        assert_eq!(text.parse::<Position>().expect("valid").fen(), text);
    }

    #[test]
    fn error_messages_shorten_long_input() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq";
        for text in
            [format!("{start} - 0 1 {}", "x".repeat(1000)), format!("{start} {}", "e".repeat(1000))]
        {
            let error = text.parse::<Position>().expect_err("rubbish").to_string();
            assert!(error.chars().count() < 150, "{error}");
        }
    }

    #[test]
    fn x_fen_names_an_inner_rook_by_its_file() {
        let text = "4k3/8/8/8/8/8/8/1R2K1RR w BG - 0 1";
        let position: Position = text.parse().expect("valid");
        assert_eq!(position.fen(), "4k3/8/8/8/8/8/8/1R2K1RR w GQ - 0 1");
        assert_eq!(position.fen_in(Style::Shredder), "4k3/8/8/8/8/8/8/1R2K1RR w GB - 0 1");
    }
}
