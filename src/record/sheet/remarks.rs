//! Remarks after a move: its quality (`!` and `?`), a draw offer `(=)`, and for draughts the other
//! signs of chapter 9 of the FMJD rules.
//!
//! Sources: rows W-07 and W-08 of `laws::catalogue`. The quality is in FIDE 1928 (Par. 5) and FIDE
//! 1930 (Art. 5), the draw offer in FIDE 2009 (17.13 and 9.1 b ii).

use crate::base::text::is_dash;
use std::fmt;

/// The quality of a move.
///
/// FIDE defines only `!` and `?`. The FMJD defines `?!` and `!?` opposite to chess usage: `?!`
/// looks weak but is strong (9.1.7), and `!?` looks strong but is weak (9.1.8). This type
/// represents the sign, not its meaning.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Quality {
    /// `!`: good move
    Good,
    /// `?`: bad move
    Bad,
    Brilliant,
    Blunder,
    Speculative,
    Dubious,
}

impl Quality {
    /// All qualities with their signs, in the order of the numeric glyphs 1 to 6 (*PGN Standard*
    /// section 10).
    const SIGNS: [(Self, &'static str); 6] = [
        (Self::Good, "!"),
        (Self::Bad, "?"),
        (Self::Brilliant, "!!"),
        (Self::Blunder, "??"),
        (Self::Speculative, "!?"),
        (Self::Dubious, "?!"),
    ];

    pub(crate) const fn sign(self) -> &'static str {
        Self::SIGNS[self as usize].1
    }

    /// Returns the numeric annotation glyph of PGN and PDN, 1 to 6.
    pub(crate) const fn glyph(self) -> u16 {
        self as u16 + 1
    }

    pub(crate) fn of_glyph(glyph: u16) -> Option<Self> {
        let index = usize::from(glyph).checked_sub(1)?;
        Self::SIGNS.get(index).map(|(quality, _)| *quality)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Assessment {
    /// `+`: winning (9.1.10).
    Wins,
    /// `=`: equal (9.1.11).
    Equal,
    /// `+1` or `-2`: the number of men gained or lost (9.1.12, 9.1.13); never 0.
    Men(i8),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Remarks {
    pub quality: Option<Quality>,
    /// `*`: every other move loses (9.1.9; draughts).
    pub forced: bool,
    /// `a.l.`: one of several equivalent moves (9.1.14; draughts).
    pub ad_libitum: bool,
    pub assessment: Option<Assessment>,
    pub draw_offer: bool,
}

impl Remarks {
    /// Splits a chess text into the move and the remarks after it. A star directly after the move
    /// refers to a footnote and is dropped; after a space it is the result of an unfinished game.
    pub(crate) fn split(text: &str) -> (&str, Self) {
        Self::strip(text, |body, _| {
            let rest = body.strip_suffix('*')?;
            rest.ends_with(|c: char| !c.is_whitespace()).then_some(rest)
        })
    }

    /// Splits a draughts text into the move and the remarks after it. The remarks can include the
    /// signs of chapter 9, as in `32-28! +1 a.l.`.
    pub(crate) fn split_draughts(text: &str) -> (&str, Self) {
        Self::strip(text, |body, remarks| {
            if let Some(rest) = body.strip_suffix("a.l.").or_else(|| body.strip_suffix("a.l")) {
                remarks.ad_libitum = true;
                return Some(rest);
            }
            if let Some(rest) = body.strip_suffix('*') {
                remarks.forced = true;
                return Some(rest);
            }
            let number = body.trim_end_matches(|c: char| c.is_ascii_digit());
            let digits = body.strip_prefix(number)?;
            let mut before = number.chars();
            let sign = before.next_back().map(|c| if is_dash(c) { '-' } else { c })?;
            let rest = before.as_str();
            let assessment = match (sign, digits) {
                ('+', "") => Assessment::Wins,
                ('=', "") => Assessment::Equal,
                // "28-1" is a move. The sign for a lost man must follow a space.
                ('-', _) if !rest.ends_with(char::is_whitespace) => return None,
                ('+' | '-', _) => {
                    let men: i8 = digits.parse().ok().filter(|men| *men > 0)?;
                    Assessment::Men(if sign == '-' { -men } else { men })
                }
                _ => return None,
            };
            remarks.assessment = Some(assessment);
            Some(rest)
        })
    }

    /// Splits a text into the move and the remarks after it. `more` handles signs that are not
    /// common to both games: it removes one sign from the end of a text and returns the rest.
    fn strip<'a>(
        text: &'a str,
        more: impl Fn(&'a str, &mut Self) -> Option<&'a str>,
    ) -> (&'a str, Self) {
        let (mut body, mut remarks) = (text.trim_end(), Self::default());
        loop {
            let signs = body.trim_end_matches(['!', '?']);
            let sign = body.strip_prefix(signs);
            let sign = Quality::SIGNS.iter().find(|(_, written)| sign == Some(*written));
            body = if let Some(rest) = body.strip_suffix("(=)") {
                remarks.draw_offer = true;
                rest
            } else if let Some((quality, _)) = sign {
                remarks.quality = Some(*quality);
                signs
            } else if let Some(rest) = more(body, &mut remarks) {
                rest
            } else {
                return (body, remarks);
            }
            .trim_end();
        }
    }
}

impl fmt::Display for Remarks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.quality.map_or("", Quality::sign))?;
        f.write_str(if self.forced { "*" } else { "" })?;
        match self.assessment {
            None => {}
            Some(Assessment::Wins) => f.write_str(" +")?,
            Some(Assessment::Equal) => f.write_str(" =")?,
            Some(Assessment::Men(men)) => write!(f, " {men:+}")?,
        }
        f.write_str(if self.ad_libitum { " a.l." } else { "" })?;
        f.write_str(if self.draw_offer { " (=)" } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_remarks_from_the_move_and_round_trips() {
        for (text, body, quality, draw_offer) in [
            ("Rb1(=)", "Rb1", None, true),
            ("Rb1 (=) ", "Rb1", None, true),
            ("e4!", "e4", Some(Quality::Good), false),
            ("e4 ?! (=)", "e4", Some(Quality::Dubious), true),
            ("e4(=)??", "e4", Some(Quality::Blunder), true),
            ("Qh7+", "Qh7+", None, false),
            ("!", "", Some(Quality::Good), false),
            ("e4!!!", "e4!!!", None, false),
            ("e4*", "e4", None, false),
            ("e4!*", "e4", Some(Quality::Good), false),
            ("e4 *", "e4 *", None, false),
            ("*", "*", None, false),
            ("", "", None, false),
        ] {
            let remarks = Remarks { quality, draw_offer, ..Remarks::default() };
            assert_eq!(Remarks::split(text), (body, remarks), "{text}");
            assert_eq!(Remarks::split(&format!("e4{remarks}")), ("e4", remarks), "{text}");
        }
        for glyph in 1..=6 {
            assert_eq!(Quality::of_glyph(glyph).map(Quality::glyph), Some(glyph));
        }
        assert_eq!((Quality::of_glyph(0), Quality::of_glyph(7)), (None, None));
    }

    #[test]
    fn w_07_round_trips_every_sign_of_draughts() {
        let qualities = Quality::SIGNS.map(|(quality, _)| Some(quality)).into_iter().chain([None]);
        for quality in qualities {
            let men = [1, 2, 20, -1, -5].map(|men| Some(Assessment::Men(men)));
            let verdicts = [None, Some(Assessment::Wins), Some(Assessment::Equal)];
            for assessment in verdicts.into_iter().chain(men) {
                for bits in 0..8 {
                    let [forced, ad_libitum, draw_offer] = [1, 2, 4].map(|bit| bits & bit != 0);
                    let remarks = Remarks { quality, forced, ad_libitum, assessment, draw_offer };
                    for body in ["32-28", "28x19", "47x38x24x13x36"] {
                        let text = format!("{body}{remarks}");
                        assert_eq!(Remarks::split_draughts(&text), (body, remarks), "{text}");
                    }
                }
            }
        }
        for (text, body, assessment) in [
            ("28x19+1", "28x19", Some(Assessment::Men(1))),
            ("28x19+", "28x19", Some(Assessment::Wins)),
            ("28-1", "28-1", None),
            ("28-22 -1", "28-22", Some(Assessment::Men(-1))),
            ("28–22 –1", "28–22", Some(Assessment::Men(-1))),
            ("28–22", "28–22", None),
            ("28-22 +0", "28-22 +0", None),
            ("28-22 +999", "28-22 +999", None),
        ] {
            let remarks = Remarks { assessment, ..Remarks::default() };
            assert_eq!(Remarks::split_draughts(text), (body, remarks), "{text}");
        }
    }
}
