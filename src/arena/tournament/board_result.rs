//! Results of games as an arbiter enters and reads them.

use super::trf::Mark;
use crate::base::text::plain_dashes;
use std::str::FromStr;

/// A result as entered by the user: the marks of White and Black.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoardResult(pub(super) [Mark; 2]);

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "'{0}' is not a result: expected 1-0, 0-1, 1/2-1/2 (or 1/2, ½ or =), 0-0, 1/2-0, 0-1/2, the \
     unrated games W-L, L-W, D-D, L-L, D-L and L-D, the forfeits +-, -+ and --, or *"
)]
pub struct BoardResultError(String);

/// The result of one player as text, and the corresponding mark. Letters denote unrated games.
const HALVES: [(&str, Mark); 7] = [
    ("1", Mark::Win),
    ("1/2", Mark::Draw),
    ("=", Mark::Draw),
    ("0", Mark::Loss),
    ("W", Mark::WinUnrated),
    ("D", Mark::DrawUnrated),
    ("L", Mark::LossUnrated),
];

impl FromStr for BoardResult {
    type Err = BoardResultError;

    fn from_str(text: &str) -> Result<Self, BoardResultError> {
        let plain = plain_dashes(text).replace('½', "1/2").replace(':', "-");
        let plain: String = plain.split_whitespace().collect();
        let marks = match plain.to_ascii_uppercase().as_str() {
            "1/2" | "=" => Some([Mark::Draw; 2]),
            "+-" | "+--" => Some([Mark::ForfeitWin, Mark::ForfeitLoss]),
            "-+" | "--+" => Some([Mark::ForfeitLoss, Mark::ForfeitWin]),
            "--" | "---" => Some([Mark::ForfeitLoss; 2]),
            "*" => Some([Mark::Open; 2]),
            other => other.split_once('-').and_then(|(white, black)| of_game(white, black)),
        };
        marks.map(Self).ok_or_else(|| BoardResultError(text.to_owned()))
    }
}

/// Returns the marks of a played game. Either both results must be rated or both unrated, and
/// together they are worth at most 1 point.
fn of_game(white: &str, black: &str) -> Option<[Mark; 2]> {
    let mark = |text: &str| HALVES.iter().find(|(name, _)| *name == text).map(|(_, mark)| *mark);
    let marks = [mark(white)?, mark(black)?];
    let points: usize = marks.iter().map(|mark| mark.standard_half_points()).sum();
    let [white, black] = marks.map(Mark::is_unrated);
    (points <= 2 && white == black).then_some(marks)
}

impl BoardResult {
    /// Formats the result with spaces, or as an empty string if it is missing.
    pub(crate) fn text(self) -> String {
        let half = |mark: Mark| match mark {
            Mark::WinUnrated => "W",
            Mark::DrawUnrated => "D",
            Mark::LossUnrated => "L",
            Mark::ForfeitWin => "+",
            Mark::ForfeitLoss => "-",
            mark => ["0", "½", "1"][mark.standard_half_points().min(2)],
        };
        match self.0 {
            [Mark::Open, _] => String::new(),
            [white @ (Mark::ForfeitWin | Mark::ForfeitLoss), black] => {
                format!("{} : {}", half(white), half(black))
            }
            [white, black] => format!("{} - {}", half(white), half(black)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_result_can_be_written_and_read() {
        for (text, expected) in [
            ("1-0", "1 - 0"),
            ("½-½", "½ - ½"),
            ("=", "½ - ½"),
            ("0-0", "0 - 0"),
            ("1/2-0", "½ - 0"),
            ("0:=", "0 - ½"),
            ("W-L", "W - L"),
            ("l–w", "L - W"),
            ("d-d", "D - D"),
            ("L-L", "L - L"),
            ("D-L", "D - L"),
            ("+-", "+ : -"),
            ("-+", "- : +"),
            ("--", "- : -"),
            ("*", ""),
        ] {
            let result: BoardResult = text.parse().expect(text);
            assert_eq!(result.text(), expected, "{text}");
            if !expected.is_empty() {
                assert_eq!(expected.parse(), Ok(result), "{text}");
            }
        }
        for text in ["1", "0", "d", "1-1", "1-1/2", "W-0", "1-L", "W-D", "2-0", "", "0-0-0"] {
            assert!(text.parse::<BoardResult>().is_err(), "{text}");
        }
    }
}
