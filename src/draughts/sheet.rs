//! Draughts notation on score sheets: square numbers and annotation signs (FMJD chapters 8 and 9;
//! row W-07 of `laws::catalogue`).

use super::moves::Move;
use super::notation::{self, MoveError};
use super::pdn::GameResult;
use super::position::Position;
use crate::base::cursor::excerpt;
use crate::record::sheet::remarks::Remarks;
use crate::record::sheet::{AnnotatedMove, Notate, Unread};
use std::fmt;
use std::str::FromStr;

/// Numeric notation, such as `32-28` or `28x19`, with the signs of FMJD chapter 9. Ambiguous
/// captures are written with the whole route (FMJD 8.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Numeric;

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is not a draughts notation (use numeric)")]
pub struct NumericError(pub String);

impl FromStr for Numeric {
    type Err = NumericError;

    fn from_str(text: &str) -> Result<Self, NumericError> {
        if text == "numeric" { Ok(Self) } else { Err(NumericError(excerpt(text))) }
    }
}

impl fmt::Display for Numeric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("numeric")
    }
}

impl Notate<Position> for Numeric {
    fn write(&self, position: &Position, m: Move) -> String {
        notation::pdn(position, m)
    }

    fn read(&self, position: &Position, text: &str) -> Result<AnnotatedMove<Move>, Unread<Move>> {
        let (body, remarks) = Remarks::split_draughts(text);
        match notation::parse(position, body) {
            Ok(m) => Ok(AnnotatedMove { m, remarks }),
            Err(error) => {
                let meant = match &error {
                    MoveError::Ambiguous { candidates, .. } => candidates
                        .iter()
                        .filter_map(|text| notation::parse(position, text).ok())
                        .collect(),
                    _ => Vec::new(),
                };
                Err(Unread { why: error.to_string(), candidates: meant })
            }
        }
    }

    fn is_move(&self, text: &str) -> bool {
        let (body, _) = Remarks::split_draughts(text);
        // A draw is written `1-1`, which has the form of a move.
        body.parse::<GameResult>().is_err() && notation::is_move(body)
    }
}
