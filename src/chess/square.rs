//! Squares, files and ranks. a1 is index 0, b1 is 1, h8 is 63.

use crate::base::indexed_enum;
use crate::base::side::Side;
use std::fmt;
use std::str::FromStr;

indexed_enum! {
    /// A file of the board, from a to h.
    #[allow(missing_docs)]
    pub enum File { A, B, C, D, E, F, G, H }
}

indexed_enum! {
    /// A rank of the board, from 1 to 8.
    #[allow(missing_docs)]
    pub enum Rank { R1, R2, R3, R4, R5, R6, R7, R8 }
}

indexed_enum! {
    /// One of the 64 squares.
    #[allow(missing_docs)]
    pub enum Square {
        A1, B1, C1, D1, E1, F1, G1, H1,
        A2, B2, C2, D2, E2, F2, G2, H2,
        A3, B3, C3, D3, E3, F3, G3, H3,
        A4, B4, C4, D4, E4, F4, G4, H4,
        A5, B5, C5, D5, E5, F5, G5, H5,
        A6, B6, C6, D6, E6, F6, G6, H6,
        A7, B7, C7, D7, E7, F7, G7, H7,
        A8, B8, C8, D8, E8, F8, G8, H8,
    }
}

impl File {
    /// Returns the letter of the file, `a` to `h`.
    pub const fn letter(self) -> char {
        (b'a' + self as u8) as char
    }

    /// Returns the file with this letter, in either case.
    pub fn from_letter(letter: char) -> Option<Self> {
        let c = letter.to_ascii_lowercase();
        ('a'..='h').contains(&c).then(|| Self::ALL[c as usize - 'a' as usize])
    }
}

impl Rank {
    /// Returns the digit of the rank, `1` to `8`.
    pub const fn digit(self) -> char {
        (b'1' + self as u8) as char
    }

    /// Returns the rank with this digit.
    pub fn from_digit(digit: char) -> Option<Self> {
        ('1'..='8').contains(&digit).then(|| Self::ALL[digit as usize - '1' as usize])
    }

    /// Returns the rank from the point of view of `side`: unchanged for White, mirrored for Black.
    #[inline(always)]
    pub const fn relative_to(self, side: Side) -> Self {
        match side {
            Side::White => self,
            Side::Black => Self::ALL[7 - self as usize],
        }
    }
}

impl Square {
    /// Returns the square on `file` and `rank`.
    #[inline(always)]
    pub const fn new(file: File, rank: Rank) -> Self {
        Self::wrap((rank as u8) << 3 | file as u8)
    }

    /// Returns the square with the index `index` modulo 64.
    #[inline(always)]
    pub const fn wrap(index: u8) -> Self {
        match Self::from_index((index & 63) as usize) {
            Some(square) => square,
            None => unreachable!(),
        }
    }

    /// Returns the file of the square.
    #[inline(always)]
    pub const fn file(self) -> File {
        File::ALL[(self as u8 & 7) as usize]
    }

    /// Returns the rank of the square.
    #[inline(always)]
    pub const fn rank(self) -> Rank {
        Rank::ALL[(self as u8 >> 3) as usize]
    }

    /// Returns the square mirrored vertically: a1 becomes a8.
    #[inline(always)]
    pub const fn flip(self) -> Self {
        Self::wrap(self as u8 ^ 56)
    }

    /// Returns the square from the point of view of `side`: unchanged for White, mirrored
    /// vertically for Black.
    #[inline(always)]
    pub const fn relative_to(self, side: Side) -> Self {
        match side {
            Side::White => self,
            Side::Black => self.flip(),
        }
    }

    /// Returns the square `files` to the right and `ranks` up, or `None` if it is off the board.
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Self> {
        let file = (self as i8 & 7) + files;
        let rank = (self as i8 >> 3) + ranks;
        if file < 0 || file > 7 || rank < 0 || rank > 7 {
            return None;
        }
        Some(Self::wrap((rank * 8 + file) as u8))
    }

    /// Returns the number of king moves between two squares on an empty board.
    #[inline(always)]
    pub const fn distance(self, other: Self) -> u8 {
        let files = (self as u8 & 7).abs_diff(other as u8 & 7);
        let ranks = (self as u8 >> 3).abs_diff(other as u8 >> 3);
        if files > ranks { files } else { ranks }
    }

    /// Returns whether the square is light; a1 is dark (Par. 2; Art. 2; FIDE 2009, 2.1).
    pub const fn is_light(self) -> bool {
        ((self as u8 >> 3) ^ self as u8) & 1 == 1
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file().letter(), self.rank().digit())
    }
}

/// The error for text that is not a square.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is not a square (a1 to h8)")]
pub struct SquareError(pub String);

impl FromStr for Square {
    type Err = SquareError;

    fn from_str(text: &str) -> Result<Self, SquareError> {
        let mut chars = text.chars();
        let square = (|| {
            let file = chars.next().filter(char::is_ascii_lowercase).and_then(File::from_letter)?;
            Some(Self::new(file, chars.next().and_then(Rank::from_digit)?))
        })();
        square.filter(|_| chars.next().is_none()).ok_or_else(|| SquareError(text.to_owned()))
    }
}
