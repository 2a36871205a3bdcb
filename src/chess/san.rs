//! Moves in standard algebraic notation: `Nf3`, `exd6`, `R1a3+`, `e8=Q#`, `O-O`.
//!
//! Sources: *PGN Standard* section 8.2.3 (Edwards, 1994) and, for the spellings that players use,
//! Appendix C of the FIDE Laws of 2009 (cited here as chapter 17). Moves are always written in the
//! standard's export format. Strict parsing accepts only the export format, with optional check
//! marks and suffixes such as `!?`. Lenient parsing accepts any text that matches exactly one legal
//! move.
//!
//! Invariant: for every legal `m`, strict and lenient parsing of `san(m)` return `Ok(m)`.

use super::bitboard::Bitboard;
use super::moves::{Move, MoveError};
use super::notation::algebraic::Style;
use super::notation::pattern::{self, FileCapture, Reading, Written};
use super::piece::Kind;
use super::position::Position;
use crate::base::cursor::excerpt;

/// The suffixes that the standard allows after a move (section 8.2.3.8).
const SUFFIXES: [&str; 6] = ["!!", "??", "!?", "?!", "!", "?"];

impl Position {
    /// Returns a legal move in the export format of the PGN standard, with check and mate marks.
    pub fn san(&self, m: Move) -> String {
        Style::SAN.write(self, m)
    }

    /// Returns whether the origin file must be written, and whether the origin rank must be
    /// written. The file alone is preferred if it identifies the piece, then the rank alone, then
    /// both (section 8.2.3.4).
    pub(super) fn disambiguation(&self, m: Move, kind: Kind) -> (bool, bool) {
        let (others, from) = (self.rivals(m, kind), m.from());
        let same_file = (others & Bitboard::file(from.file())).any();
        let same_rank = (others & Bitboard::rank(from.rank())).any();
        (others.any() && (!same_file || same_rank), same_file)
    }

    /// Parses a move in the format of the PGN standard and returns the matching legal move.
    ///
    /// Check marks are optional but must be correct. One of `! ? !! ?? !? ?!` may follow.
    ///
    /// # Errors
    /// Returns a [`MoveError`]. If the move is legal but written differently, the error is
    /// [`MoveError::NotStandard`].
    pub fn parse_san(&self, text: &str) -> Result<Move, MoveError> {
        let m = self.parse_san_lenient(text)?;
        let standard = self.san(m);
        let body = SUFFIXES.iter().find_map(|s| text.strip_suffix(s)).unwrap_or(text);
        if body == standard || body == standard.trim_end_matches(['+', '#']) {
            Ok(m)
        } else {
            Err(MoveError::NotStandard { text: excerpt(text), standard })
        }
    }

    /// Parses a move in any common format and returns the matching legal move. Accepts castling
    /// with zeros, long algebraic notation, UCI moves, missing or superfluous marks, lower-case
    /// piece letters, promotions as `e8Q`, `e8(Q)` and `e8/Q`, `e.p.`, suffixes, figurines, squares
    /// in capitals, pawn captures without ranks (`ed`), and castling as a king move (`Kg1`).
    ///
    /// Capture and en passant signs are ignored if no legal move fits them, for example an `x`
    /// without a capture. Check marks are always ignored, because old game scores use them
    /// inconsistently. If the text can mean a pawn move or a bishop move (`bxc3`), the pawn move
    /// takes precedence, as in the standard.
    ///
    /// # Errors
    /// Returns a [`MoveError`] if the text is invalid, illegal or ambiguous.
    pub fn parse_san_lenient(&self, text: &str) -> Result<Move, MoveError> {
        if let Some(m) = self.parse_export(text.as_bytes()) {
            return Ok(m);
        }
        self.parse_any(text)
    }

    /// Parses any text that [`Self::parse_san_lenient`] accepts, by comparing it with every legal
    /// move.
    pub(super) fn parse_any(&self, text: &str) -> Result<Move, MoveError> {
        let mut found = self.matches(text, Written::matches_in);
        if !found.as_ref().is_ok_and(|moves| !moves.is_empty()) {
            found = self.loose_matches(text).map_or(found, Ok);
        }
        pattern::only(self, text, &found?, true, |m| self.san(m))
    }

    fn matches(
        &self,
        text: &str,
        moves: impl Fn(&Written, &Self) -> Vec<Move>,
    ) -> Result<Vec<Move>, MoveError> {
        let read = |b_is_bishop| {
            let written = Written::read(text, Reading::San { b_is_bishop });
            written.map(|written| moves(&written, self))
        };
        let found = read(false);
        let is_found = found.as_ref().is_ok_and(|moves| !moves.is_empty());
        if is_found || !text.trim_start().starts_with('b') { found } else { read(true).or(found) }
    }

    /// Returns the moves that match the text in an unusual form, or `None` if there are none.
    fn loose_matches(&self, text: &str) -> Option<Vec<Move>> {
        let lower = lower_squares(text);
        let readings = [
            self.matches(text, Written::loose_matches_in).ok(),
            FileCapture::read(text, Reading::San { b_is_bishop: false })
                .map(|capture| capture.matches_in(self)),
            lower.and_then(|text| self.matches(&text, Written::loose_matches_in).ok()),
        ];
        readings.into_iter().flatten().find(|moves| !moves.is_empty())
    }
}

/// Returns the text in lower case, except for a leading piece letter. Returns `None` if the text
/// does not contain a square in capitals, as in `E2E4` or `NF3`.
fn lower_squares(text: &str) -> Option<String> {
    let chars: Vec<char> = text.chars().collect();
    let is_capital = |pair: &[char]| matches!(pair, ['A'..='H', '1'..='8']);
    let has_piece =
        matches!(chars[..], ['K' | 'Q' | 'R' | 'B' | 'N', next, ..] if !next.is_numeric());
    let piece = usize::from(has_piece);
    let lower = |(index, c): (usize, &char)| match index < piece {
        true => *c,
        false => c.to_ascii_lowercase(),
    };
    chars.windows(2).any(is_capital).then(|| chars.iter().enumerate().map(lower).collect())
}
