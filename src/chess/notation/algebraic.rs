//! The algebraic system, short and long, in any language's letters (rows W-01 to W-03 of the
//! catalogue in `laws::coverage`).
//!
//! Sources: Par. 5 (1928), Art. 5 (1930), chapter 17 (2009). They agree on letters and squares and
//! differ in their [`Signs`]; a [`Style`] is a language, signs, and short or long. Whatever the
//! style, all signs are read, and none need be written (17.13).
//!
//! Where a text leaves a choice: Par. 5 and Art. 5 have `:+` in one for "takes and gives check", so
//! their sign of capture is written after the square, `Cf3:+`; both places are read. They say
//! nothing of captures by pawns, for which the file is written as in 17.9. The signs of mate in
//! their printed columns cannot be read in the copies at hand; `≠` is written, which French print
//! of the time has, and `‡`, `++`, `#` and `mat` are read as well. Three like pieces may need file
//! and rank, which no text mentions; both are written then.

use super::language::{LANGUAGES, Language};
use super::pattern::{Reading, Written};
use crate::chess::moves::{Move, MoveError, MoveKind};
use crate::chess::piece::Kind;
use crate::chess::position::Position;

/// The signs of an edition of the laws, as this program writes them.
#[derive(PartialEq, Eq, Debug)]
pub struct Signs {
    /// Its name, such as `2009`.
    pub name: &'static str,
    /// Capture.
    pub takes: &'static str,
    /// Whether the sign of capture comes after the square of arrival.
    pub takes_after: bool,
    /// Between the squares of a long move that takes nothing.
    pub dash: &'static str,
    /// After the file or rank that tells like pieces apart.
    pub apart: &'static str,
    /// Check.
    pub check: &'static str,
    /// Mate.
    pub mate: &'static str,
    /// Castling short.
    pub short: &'static str,
    /// Castling long.
    pub long: &'static str,
    /// Before the piece that a pawn becomes.
    pub promotes: &'static str,
    /// After a capture en passant.
    pub en_passant: &'static str,
}

impl Signs {
    /// 17.8 to 17.13: `Cgxf3`, `exd6 e.p.`, `d8D`, `0-0`, `+`, `#`.
    pub const FIDE_2009: Self = Self {
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
    /// Art. 5: `Cg—f3`, `Fc1—f4`, `:` for captures, castling with dashes as long.
    pub const FIDE_1930: Self = Self {
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
    /// Par. 5: `Cgf3`, `Fc1—f4`, `:` for captures, `:+` for those with check.
    pub const FIDE_1928: Self =
        Self { name: "1928", apart: "", short: "0-0", long: "0-0-0", ..Self::FIDE_1930 };
    /// *PGN Standard* section 8.2.3: `O-O`, `e8=Q`, nothing for en passant.
    pub const PGN: Self = Self {
        name: "pgn",
        short: "O-O",
        long: "O-O-O",
        promotes: "=",
        en_passant: "",
        ..Self::FIDE_2009
    };

    /// The signs of every edition.
    pub const ALL: [&'static Self; 4] =
        [&Self::FIDE_2009, &Self::FIDE_1930, &Self::FIDE_1928, &Self::PGN];
}

/// A way to write algebraic notation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// Whose letters.
    pub language: &'static Language,
    /// Which edition's signs.
    pub signs: &'static Signs,
    /// Whether the square that is left is always written.
    pub long: bool,
}

impl Style {
    /// Standard algebraic notation, as PGN has it.
    pub const SAN: Self = Self { language: &LANGUAGES[0], signs: &Signs::PGN, long: false };

    /// The text of a legal move.
    pub fn write(&self, position: &Position, m: Move) -> String {
        let mut text = self.unmarked(position, m);
        if position.gives_check(m) {
            let mate = !position.play_unchecked(m).has_moves();
            text.push_str(if mate { self.signs.mate } else { self.signs.check });
        }
        text
    }

    fn unmarked(&self, position: &Position, m: Move) -> String {
        let Self { language, signs, long } = self;
        let (from, to) = (m.from(), m.to());
        if m.is_castle() {
            return (if to > from { signs.short } else { signs.long }).to_owned();
        }
        let kind = position.kind_on(from).unwrap_or(Kind::Pawn);
        let takes = position.captured(m).is_some();
        let (file, rank) = match kind {
            _ if *long => (true, true),
            Kind::Pawn => (takes, false),
            _ => position.disambiguation(m, kind),
        };
        let mut text = String::new();
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
        text.push_str(&to.to_string());
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
        text
    }

    /// The legal moves that a text may mean, in this language's letters and any signs. What is
    /// written must be true, but for check and mate.
    ///
    /// # Errors
    /// If the text is not of the form of a move.
    pub fn meant(&self, position: &Position, text: &str) -> Result<Vec<Move>, MoveError> {
        Ok(Written::read(text, Reading::Print(self.language))?.meant_in(position))
    }

    /// Whether a text has the form of a move, legal or not.
    pub fn is_move(&self, text: &str) -> bool {
        Written::read(text, Reading::Print(self.language)).is_ok()
    }
}
