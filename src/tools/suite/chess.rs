//! Suites for chess. Moves in `bm` and `am` are in SAN, and all other moves are in UCI notation,
//! with castling written either way (`e1g1` or `e1h1`). Positions are the first four fields of a
//! FEN. In addition to the operations that both games have, chess has two operations:
//!
//! | operation | condition |
//! |---|---|
//! | `start 518` | the position is the Chess960 start position with this number |
//! | `names e5f7 "discovered check" "pin"` | the move has exactly these names |
//!
//! The states are `checkmate`, `stalemate`, `check` and `quiet`. The states and names are defined
//! by the laws; see rows C-08 and C-10 in the catalogue.

use super::{Contradiction, OperandProblem, RecordProblem, SuiteGame, number, read_move};
use crate::base::game::Game;
use crate::chess::epd::Epd;
use crate::chess::fen::Style;
use crate::chess::{Position, naming};
use crate::record::epd::Operation;
use std::collections::BTreeSet;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Check {
    Start(u16),
    Names {
        /// The move in UCI notation.
        m: String,
        names: BTreeSet<String>,
    },
}

type MoveError = <Position as Game>::MoveError;

impl SuiteGame for Position {
    type Check = Check;
    const STATES: &'static [&'static str] = &["checkmate", "stalemate", "check", "quiet"];

    fn read(line: &str) -> Result<(Self, Vec<Operation>), RecordProblem> {
        let epd: Epd = line.parse()?;
        Ok((epd.position, epd.operations))
    }

    fn fen_of(line: &str) -> String {
        let words = line.split(|c: char| c.is_whitespace() || c == ';');
        let fields: Vec<_> = words.filter(|word| !word.is_empty()).take(4).collect();
        format!("{} 0 1", fields.join(" "))
    }

    fn text(&self) -> String {
        self.epd_in(Style::Shredder)
    }

    fn state(&self) -> &'static str {
        match (self.in_check(), self.has_moves()) {
            (true, false) => "checkmate",
            (false, false) => "stalemate",
            (true, true) => "check",
            (false, true) => "quiet",
        }
    }

    fn check(&self, operation: &Operation) -> Result<Option<Check>, OperandProblem<MoveError>> {
        let words: Vec<&str> = operation.words().collect();
        match (operation.opcode.as_str(), &operation.operands[..]) {
            ("start", _) => Ok(Some(Check::Start(number(&words)?))),
            ("names", [m, names @ ..]) => {
                let m = m.as_str().to_owned();
                let names = names.iter().map(|name| name.as_str().to_owned()).collect();
                Ok(Some(Check::Names { m, names }))
            }
            ("names", []) => Err(OperandProblem::Shape("a move and its quoted names")),
            _ => Ok(None),
        }
    }

    fn contradiction(&self, check: &Check) -> Result<(), Contradiction<MoveError>> {
        match check {
            Check::Start(number) => match Self::chess960(*number) {
                Some(start) if start == *self => Ok(()),
                Some(start) => {
                    let fen = start.fen().to_string();
                    Err(Contradiction::Start { number: *number, fen })
                }
                None => Err(Contradiction::NoStart(*number)),
            },
            Check::Names { m, names: expected } => {
                let found = naming::names(self, read_move(self, m)?);
                let found: BTreeSet<_> = found.iter().map(ToString::to_string).collect();
                if found == *expected {
                    Ok(())
                } else {
                    let (m, expected) = (m.clone(), expected.clone());
                    Err(Contradiction::Names { m, found, expected })
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{read, tests::failures};
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    #[test]
    fn accepts_true_records() {
        for operations in [
            ";D1 20 ;D2 400",
            "legal \"e2e4 g1f3\"; illegal \"e2e5 e1g1\"; state quiet; start 518;",
            "moves \"a2a3 b2b3 c2c3 d2d3 e2e3 f2f3 g2g3 h2h3 a2a4 b2b4 c2c4 d2d4 e2e4 f2f4 g2g4 h2h4 \
             b1a3 b1c3 g1f3 g1h3\";",
            "after e2e4 \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\";",
            "am f3 g4 h4;",
        ] {
            assert_eq!(
                failures::<Position>(&format!("{START} {operations}")),
                [""; 0],
                "{operations}"
            );
        }
        assert_eq!(failures::<Position>("6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#; dm 1;"), [""; 0]);
    }

    #[test]
    fn reports_the_found_value_of_false_records() {
        let cases = [
            ("D2 401;", "400 leaves at depth 2, not 401"),
            ("legal e2e5;", "'e2e5' is not legal"),
            ("illegal e2e4;", "e2e4 is legal but should be illegal"),
            ("illegal nonsense;", "'nonsense' is not a move"),
            ("moves e2e4;", "is not listed"),
            ("state stalemate;", "the state is quiet, not stalemate"),
            ("start 517;", "Chess960 start position 517 is"),
            ("start 960;", "there is no Chess960 start position 960 (0 to 959)"),
            (&format!("after e2e4 \"{START}\";"), "after e2e4 the position is"),
            ("after e2e4 \"8\";", "after e2e4: "),
            ("names e2e4 pin;", "e2e4 is named {}, not {\"pin\"}"),
            ("bm a3;", "not a3"),
            ("dm 2;", "found no mate, expected mate in 2"),
        ];
        for (operations, part) in cases {
            let found = failures::<Position>(&format!("{START} {operations}"));
            assert!(found.len() == 1 && found[0].contains(part), "{operations}: {found:?}");
        }
        let found = failures::<Position>("6k1/5ppp/8/8/8/8/8/R5K1 w - - am Ra8#;");
        assert!(found[0].contains("played Ra8#, which should be avoided"), "{found:?}");
    }

    #[test]
    fn rejects_unusable_operations_with_their_line() {
        let cases = [
            ("id x;", "there is nothing to check"),
            ("bm Ke2;", "in 'bm Ke2;': 'Ke2' is not legal"),
            ("bm;", "no move is given"),
            ("dm soon;", "'soon' is not a number or is out of range"),
            ("D3;", "exactly one number"),
            ("state odd;", "expected one of: checkmate, stalemate, check, quiet"),
            ("after e2e4;", "expected a move and a quoted position"),
            ("names;", "expected a move and its quoted names"),
        ];
        for (operations, part) in cases {
            let records = read::<Position>(&format!("# comment\n{START} {operations}"));
            let error = records[0].as_ref().expect_err(operations).to_string();
            assert!(error.starts_with("line 2: ") && error.contains(part), "{error}");
        }
    }
}
