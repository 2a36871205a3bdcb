//! Chess EPD: the first four fields of a FEN, followed by operations (see [`crate::record::epd`]).
//!
//! The half-move clock and the move number of a FEN may precede the operations. They are parsed as
//! leniently as in a FEN.

use super::fen::{self, FenError, Style};
use super::position::Position;
use super::setup::{FULLMOVES, HALFMOVE_CLOCKS, Setup, SetupError};
use crate::base::cursor::Cursor;
use crate::record::epd::{self, Operation, OperationError};
use std::fmt;
use std::mem;
use std::str::FromStr;

/// A chess position with EPD operations. The operations `hmvc` and `fmvn`, if present, set the
/// position's counters. A counter that is given twice must have the same value both times, and is
/// written once.
pub type Epd = epd::Epd<Position>;

/// An error in an EPD record.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EpdError {
    /// The first four fields do not describe a legal position.
    #[error(transparent)]
    Position(#[from] FenError),
    /// An operation is malformed.
    #[error(transparent)]
    Operation(#[from] OperationError),
    /// The half-move clock or the move number is not a number.
    #[error("{opcode} '{found}' is not a number")]
    Counter {
        /// `hmvc` or `fmvn`, also for a counter that is given as a FEN field.
        opcode: &'static str,
        /// The text found instead.
        found: String,
    },
    /// The half-move clock or the move number has two values.
    #[error("{opcode} is given as {first} and as {second}: keep one of them")]
    Counters {
        /// `hmvc` or `fmvn`.
        opcode: &'static str,
        /// The value given first, by the FEN field or by an operation.
        first: u32,
        /// The value that differs from the first.
        second: u32,
    },
}

impl From<SetupError> for EpdError {
    fn from(error: SetupError) -> Self {
        Self::Position(error.into())
    }
}

impl FromStr for Epd {
    type Err = EpdError;

    fn from_str(text: &str) -> Result<Self, EpdError> {
        let mut cursor = Cursor::new(text);
        let mut setup = Setup::read_board(&mut cursor)?;
        let mut operations = Vec::new();
        for opcode in ["hmvc", "fmvn"] {
            cursor.skip_space();
            if cursor.peek().is_some_and(|c| matches!(c, '0'..='9' | '-' | '+')) {
                let word = cursor.take_while(|c| !c.is_whitespace() && c != ';');
                operations.push(Operation::new(opcode, &[word]));
            }
        }
        operations.extend(epd::operations(&mut cursor)?);
        for (opcode, counter, range) in [
            ("hmvc", &mut setup.halfmove_clock, HALFMOVE_CLOCKS),
            ("fmvn", &mut setup.fullmove, FULLMOVES),
        ] {
            let mut first = None;
            for operation in operations.iter_mut().filter(|o| o.opcode == opcode) {
                let found = operation.words().collect::<Vec<_>>().join(" ");
                let read = fen::counter(&found, range.clone());
                let second = read.ok_or(EpdError::Counter { opcode, found })?;
                match first {
                    Some(first) if first != second => {
                        return Err(EpdError::Counters { opcode, first, second });
                    }
                    _ => first = Some(second),
                }
                *operation = Operation::new(opcode, &[&second.to_string()]);
            }
            if let Some(first) = first {
                *counter = first;
                let mut is_first = true;
                operations.retain(|o| o.opcode != opcode || mem::take(&mut is_first));
            }
        }
        Ok(Self { position: Position::try_from(setup)?, operations })
    }
}

impl fmt::Display for Epd {
    /// Formats the record as one line, without the line break.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.position.epd_in(Style::XFen))?;
        epd::write(&self.operations, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::epd::Operand;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    fn read(operations: &str) -> Result<Epd, EpdError> {
        format!("{START} {operations}").parse()
    }

    #[test]
    fn writes_back_all_operations() {
        let line = format!("{START} bm e4 d4; hmvc 3; id \"a; b\"; c0 \"\" x; noop; D1 20;");
        let epd: Epd = line.parse().expect("a record");
        assert_eq!(epd.to_string(), line);
        assert_eq!(epd.id(), "a; b");
        assert_eq!(epd.position.halfmove_clock(), 3);
        let moves: Vec<_> = epd.get("bm").expect("bm is there").words().collect();
        assert_eq!(moves, ["e4", "d4"]);
        assert_eq!(epd.get("c0").expect("c0 is there").operands[0], Operand::Text(String::new()));
        assert_eq!(epd.get("am"), None);
    }

    #[test]
    fn normalizes_loose_records() {
        let epd = read(";D1 20 ;D2 400").expect("a record");
        assert_eq!(epd.to_string(), format!("{START} D1 20; D2 400;"));
        let epd = read("5 9 ; ; id x").expect("a record");
        assert_eq!(epd.to_string(), format!("{START} hmvc 5; fmvn 9; id x;"));
        assert_eq!(epd.position.fullmove(), 9);
        let epd = read("5 9 hmvc 5; id x; fmvn 9; fmvn 9;").expect("a record");
        assert_eq!(epd.to_string(), format!("{START} hmvc 5; fmvn 9; id x;"));
        for operations in ["-1 0;", "- -", "hmvc -1; fmvn 0;", "+0 +1 ;"] {
            let epd = read(operations).expect(operations);
            assert_eq!(epd.to_string(), format!("{START} hmvc 0; fmvn 1;"), "{operations}");
        }
        assert_eq!(read("").expect("a record").to_string(), START);
        let close = "4k3/8/8/8/8/8/8/4K3 w - -;id x;".parse::<Epd>();
        assert_eq!(close.expect("a record").id(), "x");
    }

    #[test]
    fn rejects_malformed_records_with_the_column() {
        let cases = [
            ("bm e4; =x y;", "column 61: '=x' is not an opcode"),
            ("\"id\" x;", "is not an opcode"),
            ("id \"x;", "column 57: the text has no closing quote"),
            ("hmvc;", "hmvc '' is not a number"),
            ("fmvn two;", "fmvn 'two' is not a number"),
            ("1x;", "hmvc '1x' is not a number"),
            ("--1;", "hmvc '--1' is not a number"),
            ("hmvc 3; hmvc 4; hmvc 5;", "hmvc is given as 3 and as 4: keep one of them"),
            ("5 9 fmvn 8;", "fmvn is given as 9 and as 8"),
        ];
        for (operations, part) in cases {
            let error = read(operations).expect_err(operations).to_string();
            assert!(error.contains(part), "{operations}: {error}");
        }
        let error = "8/8 w - -".parse::<Epd>().expect_err("no board").to_string();
        assert!(error.contains("8 rows"), "{error}");
    }

    #[test]
    fn reports_line_numbers_of_a_file() {
        let text = format!("# A comment\n\n{START} id 1;\r\n  nonsense\n{START}");
        let lines: Vec<_> = epd::records::<Epd>(&text).map(|(n, epd)| (n, epd.is_ok())).collect();
        assert_eq!(lines, [(3, true), (4, false), (5, true)]);
    }
}
