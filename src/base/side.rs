//! The two players.

use std::fmt;
use std::ops::Not;

crate::indexed_enum! {
    /// One of the two players. In both games White moves first.
    #[derive(serde::Serialize, serde::Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Side {
        /// The player of the light pieces.
        White,
        /// The player of the dark pieces.
        Black,
    }
}

impl Side {
    /// `White` for `true`; the move generators have the side as `const WHITE: bool`.
    #[inline(always)]
    pub const fn from_white(white: bool) -> Self {
        if white { Self::White } else { Self::Black }
    }

    /// Whether this is White.
    #[inline(always)]
    pub const fn is_white(self) -> bool {
        matches!(self, Self::White)
    }
}

impl Not for Side {
    type Output = Self;

    /// The opponent.
    #[inline(always)]
    fn not(self) -> Self {
        Self::from_white(!self.is_white())
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_white() { "White" } else { "Black" })
    }
}
