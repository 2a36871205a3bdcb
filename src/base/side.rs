//! The two players.

use std::fmt;
use std::ops::Not;

crate::base::indexed_enum! {
    /// One of the two players. White moves first in both games.
    #[cfg_attr(any(feature = "engine", feature = "laws"), derive(serde::Serialize, serde::Deserialize))]
    #[cfg_attr(any(feature = "engine", feature = "laws"), serde(rename_all = "lowercase"))]
    pub enum Side {
        /// The player of the light pieces.
        White,
        /// The player of the dark pieces.
        Black,
    }
}

impl Side {
    /// Returns `White` for `true`. The move generators pass the side as `const WHITE: bool`.
    #[inline(always)]
    pub const fn from_white(white: bool) -> Self {
        if white { Self::White } else { Self::Black }
    }

    /// Returns whether the side is White.
    #[inline(always)]
    pub const fn is_white(self) -> bool {
        matches!(self, Self::White)
    }
}

impl Not for Side {
    type Output = Self;

    /// Returns the opponent.
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
