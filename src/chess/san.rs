//! Moves in standard algebraic notation: `Nf3`, `exd6`, `R1a3+`, `e8=Q#`, `O-O`.
//!
//! Sources: *PGN Standard* section 8.2.3 (Edwards, 1994); for what players write, the algebraic
//! notation of the FIDE Laws of 2009, their Appendix C (cited here as chapter 17). Moves are always
//! written in the standard's export form. There are two ways to read them: strictly, when only the
//! export form will do, with check marks optional and suffixes such as `!?` allowed; and leniently,
//! when any text will do that can mean only one legal move.
//!
//! Invariant: for every legal `m`, `parse_san(&san(m)) == Ok(m)`, and leniently the same.

use super::moves::{Move, MoveError};
use super::notation::algebraic::Style;
use super::notation::pattern::{self, Reading, Written};
use super::piece::Kind;
use super::position::Position;
use crate::base::cursor::excerpt;

/// The suffixes that the standard allows after a move (section 8.2.3.8).
const SUFFIXES: [&str; 6] = ["!!", "??", "!?", "?!", "!", "?"];

impl Position {
    /// The text of a legal move in the standard's export form, check and mate marked.
    pub fn san(&self, m: Move) -> String {
        Style::SAN.write(self, m)
    }

    /// Whether the file and whether the rank of departure must be written: the file if that tells
    /// the movers apart, else the rank, else both (section 8.2.3.4).
    pub(super) fn disambiguation(&self, m: Move, kind: Kind) -> (bool, bool) {
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
    /// [`MoveError`]; a text that is understood but not standard is [`MoveError::NotStandard`].
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

    /// The legal move that a text means, however it is written: castling with zeros, long algebraic
    /// notation, UCI moves, missing or superfluous marks, small piece letters, promotions as `e8Q`,
    /// `e8(Q)` and `e8/Q`, `e.p.`, suffixes.
    ///
    /// What is written must be true (an `x` where nothing is taken is refused), except for check
    /// marks, which old scores use freely. Where a text could be a pawn's or a bishop's (`bxc3`),
    /// the standard's reading, the pawn's, comes first.
    ///
    /// # Errors
    /// [`MoveError`].
    pub fn parse_san_lenient(&self, text: &str) -> Result<Move, MoveError> {
        let read = |b_is_bishop| {
            Written::read(text, Reading::San { b_is_bishop }).map(|written| written.meant_in(self))
        };
        let mut found = read(false);
        if !found.as_ref().is_ok_and(|moves| !moves.is_empty())
            && text.trim_start().starts_with('b')
        {
            found = read(true).or(found);
        }
        pattern::only(self, text, &found?, |m| self.san(m))
    }
}
