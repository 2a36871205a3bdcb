//! Draughts EPD: a FEN followed by operations, as in `W:W31-50:B1-20 ;D1 9 ;D2 81` (see
//! [`crate::record::epd`]).

use super::fen::FenError;
use super::position::Position;
use crate::base::cursor::Cursor;
use crate::record::epd::{self, OperationError};
use std::fmt;
use std::str::FromStr;

/// A draughts position with EPD operations.
pub type Epd = epd::Epd<Position>;

/// An error in an EPD record.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EpdError {
    /// The first word is not a legal position.
    #[error(transparent)]
    Position(#[from] FenError),
    /// An operation is malformed.
    #[error(transparent)]
    Operation(#[from] OperationError),
}

impl FromStr for Epd {
    type Err = EpdError;

    fn from_str(text: &str) -> Result<Self, EpdError> {
        let mut cursor = Cursor::new(text);
        let position = cursor.take_while(|c| !c.is_whitespace() && c != ';').parse()?;
        Ok(Self { position, operations: epd::operations(&mut cursor)? })
    }
}

impl fmt::Display for Epd {
    /// Formats the record as one line, without the line break.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.position.fmt(f)?;
        epd::write(&self.operations, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normalizes_records_and_reports_errors() {
        let epd: Epd = "W:W31-50:B1-20 ;D1 9 ;D2 81".parse().expect("a record");
        assert_eq!(epd.position, Position::start());
        assert_eq!(epd.to_string(), "W:W31-50:B1-20 D1 9; D2 81;");
        let close: Epd = "B:WK3:B20;id \"a b\"".parse().expect("a record");
        assert_eq!(close.to_string(), "B:WK3:B20 id \"a b\";");
        for (text, error) in [
            ("", "the side to move is W or B, not '', in column 1"),
            ("W:W31 :B20;", "':W' or ':B' and its squares are missing before '', in column 6"),
            (
                "W:W31:B20 9x;",
                "column 11: '9x' is not an opcode (a letter, then letters, digits or _)",
            ),
        ] {
            assert_eq!(text.parse::<Epd>().map_err(|e| e.to_string()), Err(error.to_owned()));
        }
    }
}
