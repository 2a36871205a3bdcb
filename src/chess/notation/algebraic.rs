//! Algebraic notation, short and long, with the piece letters of any language (rows W-01 to W-03 of
//! `laws::catalogue`).
//!
//! Sources: Par. 5 (1928), Art. 5 (1930), chapter 17 (2009). The editions agree on letters and
//! squares and differ in their [`Signs`]. A [`Style`] combines a language, a set of signs, and the
//! short or long form. When parsing, every style accepts all signs and requires none of them
//! (FIDE 2009, 17.13).
//!
//! The sources leave some questions open:
//!
//! - Par. 5 and Art. 5 use `:+` for "captures and gives check". Their capture sign is therefore
//!   written after the square, as in `Cf3:+`. It is also accepted before the square.
//! - Par. 5 and Art. 5 do not mention pawn captures. Pawn captures are written with the file, as in
//!   FIDE 2009, 17.9.
//! - The mate sign is illegible in the available copies. It is written as `≠`, which was common in
//!   French books of the time. `‡`, `++`, `#` and `mat` are accepted too.
//! - No source mentions that three pieces of the same kind may require both the file and the rank.
//!   In this case, both are written.

use super::language::{LANGUAGES, Language};
use super::pattern::{FileCapture, Reading, Written};
use crate::chess::moves::{Move, MoveError, MoveKind};
use crate::chess::piece::Kind;
use crate::chess::position::Position;

#[derive(PartialEq, Eq, Debug)]
pub struct Signs {
    pub name: &'static str,
    pub takes: &'static str,
    pub takes_after: bool,
    /// The sign between the two squares of a non-capturing move in the long form.
    pub dash: &'static str,
    /// The sign after a disambiguating file or rank.
    pub apart: &'static str,
    pub check: &'static str,
    pub mate: &'static str,
    pub short: &'static str,
    pub long: &'static str,
    pub promotes: &'static str,
    pub en_passant: &'static str,
}

impl Signs {
    /// The signs of FIDE 2009, 17.8 to 17.13: `Cgxf3`, `exd6 e.p.`, `d8D`, `0-0`, `+`, `#`.
    pub(crate) const FIDE_2009: Self = Self {
        name: "2009",
        takes: "x",
        takes_after: false,
        dash: "-",
        apart: "",
        check: "+",
        mate: "#",
        short: "0-0",
        long: "0-0-0",
        promotes: "",
        en_passant: " e.p.",
    };
    /// The signs of Art. 5 (1930): `Cg—f3`, `Fc1—f4`, `:` for captures, castling with long dashes.
    pub(crate) const FIDE_1930: Self = Self {
        name: "1930",
        takes: ":",
        takes_after: true,
        dash: "—",
        apart: "—",
        mate: "≠",
        short: "0—0",
        long: "0—0—0",
        en_passant: "",
        ..Self::FIDE_2009
    };
    /// The signs of Par. 5 (1928): `Cgf3`, `Fc1—f4`, `:` for captures, `:+` for captures with
    /// check.
    pub(crate) const FIDE_1928: Self =
        Self { name: "1928", apart: "", short: "0-0", long: "0-0-0", ..Self::FIDE_1930 };
    /// The signs of *PGN Standard* section 8.2.3: `O-O`, `e8=Q`, no sign for en passant.
    pub(crate) const PGN: Self = Self {
        name: "pgn",
        short: "O-O",
        long: "O-O-O",
        promotes: "=",
        en_passant: "",
        ..Self::FIDE_2009
    };

    pub const ALL: [&'static Self; 4] =
        [&Self::FIDE_2009, &Self::FIDE_1930, &Self::FIDE_1928, &Self::PGN];
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    pub language: &'static Language,
    pub signs: &'static Signs,
    pub long: bool,
}

impl Style {
    pub(crate) const SAN: Self = Self { language: &LANGUAGES[0], signs: &Signs::PGN, long: false };

    pub fn write(&self, position: &Position, m: Move) -> String {
        let mut text = String::new();
        self.push(position, m, &mut text);
        text
    }

    /// Appends a move to a text.
    pub(crate) fn push(&self, position: &Position, m: Move, text: &mut String) {
        if m == Move::NULL {
            text.push_str("--");
            return;
        }
        self.push_unmarked(position, m, text);
        if position.gives_check(m) {
            let mate = !position.play_unchecked(m).has_moves();
            text.push_str(if mate { self.signs.mate } else { self.signs.check });
        }
    }

    fn push_unmarked(&self, position: &Position, m: Move, text: &mut String) {
        let Self { language, signs, long } = self;
        let (from, to) = (m.from(), m.to());
        if m.is_castle() {
            text.push_str(if to > from { signs.short } else { signs.long });
            return;
        }
        let kind = position.kind_on(from).unwrap_or(Kind::Pawn);
        let takes = position.captured(m).is_some();
        let (file, rank) = match kind {
            _ if *long => (true, true),
            Kind::Pawn => (takes, false),
            _ => position.disambiguation(m, kind),
        };
        if kind != Kind::Pawn {
            text.push_str(language.piece(kind));
        }
        if file {
            text.push(from.file().letter());
        }
        if rank {
            text.push(from.rank().digit());
        }
        let sign_before = takes && !signs.takes_after;
        text.push_str(match () {
            () if sign_before => signs.takes,
            () if *long => signs.dash,
            () if kind != Kind::Pawn && (file || rank) => signs.apart,
            () => "",
        });
        text.extend([to.file().letter(), to.rank().digit()]);
        if let Some(kind) = m.promoted() {
            text.push_str(signs.promotes);
            text.push_str(language.piece(kind));
        }
        if takes && signs.takes_after {
            text.push_str(signs.takes);
        }
        if m.kind() == MoveKind::EnPassant {
            text.push_str(signs.en_passant);
        }
    }

    /// Returns the legal moves that match the text, which is read with this language's letters and
    /// the signs of any edition. All details must be correct, except check and mate signs. Pawn
    /// captures can be written without ranks, as in `ed`.
    pub(crate) fn matches(&self, position: &Position, text: &str) -> Result<Vec<Move>, MoveError> {
        let reading = Reading::Print(self.language);
        match Written::read(text, reading) {
            Ok(written) => Ok(written.matches_in(position)),
            Err(error) => {
                FileCapture::read(text, reading).map(|m| m.matches_in(position)).ok_or(error)
            }
        }
    }

    pub(crate) fn is_move(&self, text: &str) -> bool {
        let reading = Reading::Print(self.language);
        Written::read(text, reading).is_ok() || FileCapture::read(text, reading).is_some()
    }
}
