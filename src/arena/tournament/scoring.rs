//! The points for each result in a tournament between people, if they differ from 1, ½ and 0.
//!
//! A report file states them in FIDE's code `162` (TRF of 2026), in JaVaFo's code `XXS`, or in
//! bbpPairings' codes `BBW`, `BBD`, `BBL`, `BBZ`, `BBF` and `BBU`.

use super::trf::Mark;
use crate::laws::regulations::Points;

/// The largest number of half points that fits into the columns of a report (99.5 points).
const MAX_HALF_POINTS: f64 = 199.0;

const WIN: &[Mark] = &[Mark::Win, Mark::WinUnrated];
const DRAW: &[Mark] = &[Mark::Draw, Mark::DrawUnrated];
const LOSS: &[Mark] = &[Mark::Loss, Mark::LossUnrated];
/// The results of unplayed rounds that count as a win, except a pairing-allocated bye.
const UNPLAYED_WIN: &[Mark] = &[Mark::ForfeitWin, Mark::FullBye];

/// The half points for each result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Scoring {
    /// The half points for White and for Black, in the order of [`Mark::ALL`].
    by_mark: [[usize; Mark::ALL.len()]; 2],
    /// True if the file gives the points for a pairing-allocated bye. Otherwise, `162` and `BBW`
    /// set the points for this bye to the points for a win.
    gives_pairing_bye: bool,
}

/// The error for an invalid or unsupported line that sets points.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ScoringError {
    #[error("'{0}' is not a number of points: expected a multiple of 0.5 from 0 to 99.5")]
    Points(String),
    #[error("'{found}' is not a result: expected {expected}")]
    Code { found: String, expected: &'static str },
    #[error("'{0}' has no points after it")]
    Missing(String),
    #[error("points that differ between White and Black are not supported")]
    Colour,
}

impl Default for Scoring {
    fn default() -> Self {
        let by_mark = [Mark::ALL.map(Mark::standard_half_points); 2];
        Self { by_mark, gives_pairing_bye: false }
    }
}

impl Scoring {
    /// Returns the half points for a result.
    pub(crate) const fn of(&self, mark: Mark) -> usize {
        self.by_mark[0][mark as usize]
    }

    /// Returns an error if the points depend on the colour.
    pub(super) fn check(&self) -> Result<(), ScoringError> {
        if self.by_mark[0] == self.by_mark[1] { Ok(()) } else { Err(ScoringError::Colour) }
    }

    fn set(&mut self, sides: &[usize], marks: &[Mark], half_points: usize) {
        for &side in sides {
            marks.iter().for_each(|&mark| self.by_mark[side][mark as usize] = half_points);
        }
    }

    fn set_all(&mut self, marks: &[Mark], half_points: usize) {
        self.set(&[0, 1], marks, half_points);
    }

    fn set_win(&mut self, half_points: usize) {
        self.set_all(WIN, half_points);
        self.set_all(UNPLAYED_WIN, half_points);
        if !self.gives_pairing_bye {
            self.set_all(&[Mark::PairingBye], half_points);
        }
    }

    fn set_draw(&mut self, half_points: usize) {
        self.set_all(DRAW, half_points);
        self.set_all(&[Mark::HalfBye], half_points);
    }

    fn set_pairing_bye(&mut self, half_points: usize) {
        self.set_all(&[Mark::PairingBye], half_points);
        self.gives_pairing_bye = true;
    }

    /// Reads a line that sets points. `text` is the line without its code. Returns false if the
    /// code does not set points.
    pub(super) fn read(&mut self, code: &str, text: &str) -> Result<bool, ScoringError> {
        match code {
            "162" => self.read_fide(text)?,
            "XXS" => text.split_whitespace().try_for_each(|word| self.read_javafo(word))?,
            "BBW" => self.set_win(half_points(text)?),
            "BBD" => self.set_draw(half_points(text)?),
            "BBL" => self.set_all(LOSS, half_points(text)?),
            "BBZ" => self.set_all(&[Mark::ZeroBye], half_points(text)?),
            "BBF" => self.set_all(&[Mark::ForfeitLoss], half_points(text)?),
            "BBU" => self.set_pairing_bye(half_points(text)?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Reads points in FIDE's format, such as `W 3.0    D 1.0`.
    fn read_fide(&mut self, text: &str) -> Result<(), ScoringError> {
        // Points that fill all four columns follow the letter without a space.
        let spaced: String = text
            .chars()
            .flat_map(|c| [c, ' '].into_iter().take(1 + usize::from(c.is_alphabetic())))
            .collect();
        let mut words = spaced.split_whitespace();
        while let Some(code) = words.next() {
            let points = words.next().ok_or_else(|| ScoringError::Missing(code.to_owned()))?;
            let points = half_points(points)?;
            match code {
                "W" => self.set_win(points),
                "D" => self.set_draw(points),
                "L" => self.set_all(LOSS, points),
                // Drafts of the format call absences Z.
                "A" | "Z" => self.set_all(&[Mark::ZeroBye, Mark::ForfeitLoss], points),
                "P" => self.set_pairing_bye(points),
                "X" => self.set_all(&[Mark::Open], points),
                _ => {
                    let expected = "W, D, L, A, P or X";
                    return Err(ScoringError::Code { found: code.to_owned(), expected });
                }
            }
        }
        Ok(())
    }

    /// Reads a word in JaVaFo's format, such as `W=3`.
    fn read_javafo(&mut self, word: &str) -> Result<(), ScoringError> {
        let (code, points) =
            word.split_once('=').ok_or_else(|| ScoringError::Missing(word.to_owned()))?;
        let points = half_points(points)?;
        match code {
            "W" => {
                self.set_all(WIN, points);
                self.set_all(UNPLAYED_WIN, points);
            }
            "D" => self.set_draw(points),
            "L" => self.set_all(LOSS, points),
            "WW" => self.set(&[0], WIN, points),
            "WD" => self.set(&[0], DRAW, points),
            "WL" => self.set(&[0], LOSS, points),
            "BW" => self.set(&[1], WIN, points),
            "BD" => self.set(&[1], DRAW, points),
            "BL" => self.set(&[1], LOSS, points),
            "ZPB" => self.set_all(&[Mark::ZeroBye], points),
            "HPB" => self.set_all(&[Mark::HalfBye], points),
            "FPB" => self.set_all(&[Mark::FullBye], points),
            "PAB" => self.set_pairing_bye(points),
            "FW" => self.set_all(&[Mark::ForfeitWin], points),
            "FL" => self.set_all(&[Mark::ForfeitLoss], points),
            _ => {
                let expected =
                    "W, D, L, WW, WD, WL, BW, BD, BL, ZPB, HPB, FPB, PAB, FW or FL before the =";
                return Err(ScoringError::Code { found: code.to_owned(), expected });
            }
        }
        Ok(())
    }

    /// Returns the lines that set these points for a win, a draw and a loss, in FIDE's and in
    /// JaVaFo's format. Returns no lines for 1, ½ and 0.
    pub(super) fn lines(points: Points) -> Vec<(&'static str, String)> {
        let Points { win, draw, loss } = points;
        if points == Points::default() {
            return Vec::new();
        }
        vec![
            ("162", format!(" W{win:4.1}    D{draw:4.1}    L{loss:4.1}    P{win:4.1}")),
            ("XXS", format!("W={win} D={draw} WL={loss} BL={loss} PAB={win}")),
        ]
    }
}

impl TryFrom<Points> for Scoring {
    type Error = ScoringError;

    /// Creates the points of a tournament in which a pairing-allocated bye counts as a win.
    fn try_from(points: Points) -> Result<Self, ScoringError> {
        let mut scoring = Self::default();
        scoring.set_win(whole_halves(points.win)?);
        scoring.set_draw(whole_halves(points.draw)?);
        scoring.set_all(LOSS, whole_halves(points.loss)?);
        Ok(scoring)
    }
}

/// Parses a number of points, such as `1.5` or `.5`, as half points.
fn half_points(text: &str) -> Result<usize, ScoringError> {
    let text = text.trim();
    let points = text.parse().map_err(|_| ScoringError::Points(text.to_owned()))?;
    whole_halves(points).map_err(|_| ScoringError::Points(text.to_owned()))
}

/// Converts points to half points.
fn whole_halves(points: f64) -> Result<usize, ScoringError> {
    match 2.0 * points {
        halves if (0.0..=MAX_HALF_POINTS).contains(&halves) && halves.fract() == 0.0 => {
            Ok(halves as usize)
        }
        _ => Err(ScoringError::Points(points.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scoring(lines: &[(&str, &str)]) -> Result<Scoring, ScoringError> {
        let mut scoring = Scoring::default();
        for (code, text) in lines {
            assert!(scoring.read(code, text)?, "{code}");
        }
        scoring.check()?;
        Ok(scoring)
    }

    #[test]
    fn reads_the_forms_of_all_programs() {
        let marks = [
            Mark::Win,
            Mark::Draw,
            Mark::Loss,
            Mark::ForfeitWin,
            Mark::ForfeitLoss,
            Mark::PairingBye,
            Mark::HalfBye,
            Mark::ZeroBye,
        ];
        for (lines, expected) in [
            (&[("162", " W 3.0    D 1.0")][..], [6, 2, 0, 6, 0, 6, 2, 0]),
            (&[("162", " W 2.0    D 1.0    Z 0.5    P 1.0")], [4, 2, 0, 4, 1, 2, 2, 1]),
            (&[("162", " W 2.0    D 1.0    A 0.5    P 1.0")], [4, 2, 0, 4, 1, 2, 2, 1]),
            (&[("162", "W10.0    D 5.0")], [20, 10, 0, 20, 0, 20, 10, 0]),
            (&[("XXS", "PAB=3 D=1 W=3")], [6, 2, 0, 6, 0, 6, 2, 0]),
            // In JaVaFo's format, a pairing-allocated bye keeps 1 point.
            (&[("XXS", "W=3"), ("XXS", "D=1")], [6, 2, 0, 6, 0, 2, 2, 0]),
            (&[("XXS", "FL=0 W=3 D=2 PAB=2 WL=1 BL=1 ZPB=1")], [6, 4, 2, 6, 0, 4, 4, 2]),
            (&[("XXS", "WW=2 BW=2 WD=1. BD=1 HPB=.5")], [4, 2, 0, 2, 0, 2, 1, 0]),
            (&[("BBW", " 3.0"), ("BBD", " 1.0")], [6, 2, 0, 6, 0, 6, 2, 0]),
            (&[("BBU", "1.0"), ("BBW", "3.0"), ("BBF", "0.5")], [6, 1, 0, 6, 1, 2, 1, 0]),
        ] {
            let scoring = scoring(lines).expect("points");
            assert_eq!(marks.map(|mark| scoring.of(mark)), expected, "{lines:?}");
        }
    }

    #[test]
    fn rejects_what_it_cannot_represent() {
        for (code, text, expected) in [
            ("162", " W 3.0    Y 1.0", "'Y' is not a result: expected W, D, L, A, P or X"),
            ("162", " W", "'W' has no points after it"),
            ("XXS", "W=3 PBA=1", "'PBA' is not a result: expected W, D, L, WW"),
            ("XXS", "W3", "'W3' has no points after it"),
            ("XXS", "WD=.4 BD=.6", "'.4' is not a number of points: expected a multiple of 0.5"),
            ("XXS", "WW=1 BW=2", "points that differ between White and Black"),
            ("BBD", "-1", "'-1' is not a number of points"),
            ("BBD", "", "'' is not a number of points"),
            ("BBW", "NaN", "'NaN' is not a number of points"),
        ] {
            let error = scoring(&[(code, text)]).expect_err(text).to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn written_lines_can_be_read() {
        assert!(Scoring::lines(Points::default()).is_empty());
        let points = Points { win: 3.0, draw: 1.5, loss: 0.5 };
        let expected = Scoring::try_from(points).expect("points");
        for (code, text) in Scoring::lines(points) {
            let scoring = scoring(&[(code, &text)]).expect("points");
            assert_eq!(scoring.by_mark, expected.by_mark, "{code} {text}");
        }
    }
}
