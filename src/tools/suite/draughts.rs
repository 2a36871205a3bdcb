//! Suites for draughts, with records such as `W:W31-50:B1-20 ;D1 9 ;D2 81`. Moves may be written in
//! any form that [`notation`] accepts. In addition to the operations that both games have, draughts
//! has one operation:
//!
//! | operation | condition |
//! |---|---|
//! | `routes 37x37 "26 17 28 37" "28 17 26 37"` | the capture has exactly these routes |
//!
//! The states are `lost` (no legal move: FMJD 7.2.2, 7.2.3), `won` (the same in losing draughts),
//! `drawn` (by a move count: FMJD 6.2 to 6.4) and `playing`.

use super::{Contradiction, OperandProblem, RecordProblem, SuiteGame, read_move};
use crate::base::game::Game;
use crate::draughts::epd::Epd;
use crate::draughts::{Position, notation};
use crate::record::epd::Operation;
use std::collections::BTreeSet;

/// The expected routes of a capture.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Check {
    m: String,
    routes: BTreeSet<String>,
}

type MoveError = <Position as Game>::MoveError;

impl SuiteGame for Position {
    type Check = Check;
    const STATES: &'static [&'static str] = &["lost", "won", "drawn", "playing"];

    fn read(line: &str) -> Result<(Self, Vec<Operation>), RecordProblem> {
        let epd: Epd = line.parse()?;
        Ok((epd.position, epd.operations))
    }

    fn fen_of(line: &str) -> String {
        line.split(|c: char| c.is_whitespace() || c == ';').next().unwrap_or_default().to_owned()
    }

    fn text(&self) -> String {
        self.to_string()
    }

    fn state(&self) -> &'static str {
        match (self.has_moves(), self.is_drawn_by_count()) {
            (false, _) if self.winner_without_moves() == self.side() => "won",
            (false, _) => "lost",
            (true, true) => "drawn",
            (true, false) => "playing",
        }
    }

    fn check(&self, operation: &Operation) -> Result<Option<Check>, OperandProblem<MoveError>> {
        match (operation.opcode.as_str(), &operation.operands[..]) {
            ("routes", [m, routes @ ..]) => {
                let routes = routes.iter().map(|route| route.as_str().to_owned()).collect();
                Ok(Some(Check { m: m.as_str().to_owned(), routes }))
            }
            ("routes", []) => Err(OperandProblem::Shape("a move and its quoted routes")),
            _ => Ok(None),
        }
    }

    fn contradiction(&self, check: &Check) -> Result<(), Contradiction<MoveError>> {
        let Check { m, routes: expected } = check;
        let text = |route: &Vec<_>| route.iter().map(ToString::to_string).collect::<Vec<_>>();
        let found = notation::routes(self, read_move(self, m)?);
        let found: BTreeSet<_> = found.iter().map(|route| text(route).join(" ")).collect();
        if found == *expected {
            Ok(())
        } else {
            let (m, expected) = (m.clone(), expected.clone());
            Err(Contradiction::Routes { m, found, expected })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::failures;
    use super::*;

    #[test]
    fn accepts_true_records() {
        for line in [
            "W:W31-50:B1-20 ;D1 9 ;D2 81",
            "W:W31-50:B1-20 legal \"32-28 31-26\"; illegal \"32-23 37-32 32x23\"; state playing;",
            "W:W28,50:B23 moves 28x19; after 28x19 B:W19,50:B; illegal 50-45;",
            "W:W37:B21,22,31,32 routes 37x37 \"26 17 28 37\" \"28 17 26 37\"; moves 37x37x21x22x31x32;",
            "B:W50:B state lost;",
            "B:W50:B:Vlosing state won;",
            "W:WK50:BK1:H50 state drawn;",
            "W:W28,50:B23,K1 bm 28x19;",
        ] {
            assert_eq!(failures::<Position>(line), [""; 0], "{line}");
        }
    }

    #[test]
    fn reports_the_found_value_of_false_records() {
        let start = "W:W31-50:B1-20";
        for (line, part) in [
            (format!("{start} D1 8;"), "9 leaves at depth 1, not 8"),
            (format!("{start} illegal 32-28;"), "32-28 is legal but should be illegal"),
            (format!("{start} illegal e4;"), "'e4' is not a move"),
            (format!("{start} moves 32-28;"), "is not listed"),
            (format!("{start} state lost;"), "the state is playing, not lost"),
            (format!("{start} after 32-28 {start};"), "after 32-28 the position is B:W28,31,33-50"),
            ("W:W28:B23 routes 28x19 \"19 28\";".to_owned(), "28x19 has the routes {\"19\"}"),
            ("W:W28,50:B23,K1 am 28x19;".to_owned(), "played 28x19, which should be avoided"),
        ] {
            let found = failures::<Position>(&line);
            assert!(found.len() == 1 && found[0].contains(part), "{line}: {found:?}");
        }
    }
}
