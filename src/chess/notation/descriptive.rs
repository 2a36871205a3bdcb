//! Descriptive notation in French and in English: `D 4 FR`, `Q-KB4` (row W-04 of
//! `laws::catalogue`).
//!
//! Sources: Par. 5 (1928) and Art. 5.3 (1930) for French. English works the same way with other
//! words. Files are named after the pieces that start there: `TD CD FD D R FR CR TR`. Both players
//! count the ranks from their own side. Par. 5 prints full stops and spaces between the letters, as
//! in `D. 4 F R`. Art. 5 prints `D 4 FR`. This module writes the form of Art. 5 and accepts both.
//!
//! The sources leave some questions open:
//!
//! - The sources define `pr.` for a capture but do not give an example. As in books of the time, a
//!   capture names the captured piece: `D pr. P`. If this matches several moves, the destination
//!   square is added, then the origin square. The shortest form that matches exactly one legal move
//!   is written.
//! - A position does not record where a piece started. "The queen's rook" (or knight) is therefore
//!   the rook nearest to the queen's side. Bishops are distinguished by the colour of their square.

use crate::base::cursor::{Cursor, excerpt};
use crate::base::side::Side;
use crate::base::text::is_dash;
use crate::chess::moves::{Move, MoveError, MoveKind};
use crate::chess::piece::Kind;
use crate::chess::position::Position;
use crate::chess::square::{File, Rank, Square};

#[derive(PartialEq, Eq, Debug)]
pub struct Words {
    pub code: &'static str,
    pieces: [&'static str; Kind::NUM],
    also: &'static [(&'static str, Kind)],
    /// True if the wing is written after the piece and the file after the rank (`CR`, `4 FR`);
    /// false if they come first (`KN`, `KB4`).
    wing_follows: bool,
    dash: &'static str,
    takes: &'static str,
    check: &'static str,
    mate: &'static str,
    promotes: &'static str,
    castles: [&'static str; 2],
    castling: &'static [&'static str],
}

pub(crate) static FRENCH: Words = Words {
    code: "fr",
    pieces: ["P", "C", "F", "T", "D", "R"],
    also: &[],
    wing_follows: true,
    dash: " — ",
    takes: " pr. ",
    check: " éch.",
    mate: " mat",
    promotes: " = ",
    castles: ["Roq TR", "Roq TD"],
    castling: &["Roque", "roque", "Roq", "roq"],
};

pub(crate) static ENGLISH: Words = Words {
    code: "en",
    pieces: ["P", "N", "B", "R", "Q", "K"],
    also: &[("Kt", Kind::Knight)],
    wing_follows: false,
    dash: "-",
    takes: "x",
    check: " ch",
    mate: " mate",
    promotes: "=",
    castles: ["O-O", "O-O-O"],
    castling: &["Castles", "castles"],
};

fn skip(cursor: &mut Cursor<'_>) {
    cursor.take_while(|c| c == '.' || c.is_whitespace());
}

type Letters = Vec<Kind>;

/// A piece as it is named in the text, for example `P`, `PR`, `PFD` or `CR`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Man {
    kind: Kind,
    /// The file of a pawn, or the wing of another piece.
    of: Option<FileName>,
}

/// A file or a wing. In French, `FR` is one file, `F` is either of two files, and `R` is the king's
/// file or the king's wing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum FileName {
    /// The file or wing of the king or queen.
    Royal(Kind),
    /// The file of a rook, knight or bishop on the given wing, or on either wing if `None`.
    Flank(Kind, Option<Kind>),
}

impl FileName {
    fn of(letters: &[Kind]) -> Option<Self> {
        let flank = |kind| matches!(kind, Kind::Rook | Kind::Knight | Kind::Bishop);
        let royal = |kind| matches!(kind, Kind::King | Kind::Queen);
        match *letters {
            [kind] if royal(kind) => Some(Self::Royal(kind)),
            [kind] if flank(kind) => Some(Self::Flank(kind, None)),
            [kind, wing] | [wing, kind] if flank(kind) && royal(wing) => {
                Some(Self::Flank(kind, Some(wing)))
            }
            _ => None,
        }
    }

    fn has(self, file: File) -> bool {
        let (kind, wing) = names_of(file);
        match self {
            Self::Royal(royal) => kind == royal,
            Self::Flank(flank, None) => kind == flank,
            Self::Flank(flank, Some(of)) => kind == flank && wing == of,
        }
    }
}

/// Returns the piece that starts on a file, and the wing (king or queen).
const fn names_of(file: File) -> (Kind, Kind) {
    let kinds = [Kind::Rook, Kind::Knight, Kind::Bishop];
    let i = file.index();
    match file {
        File::D => (Kind::Queen, Kind::Queen),
        File::E => (Kind::King, Kind::King),
        File::A | File::B | File::C => (kinds[i], Kind::Queen),
        File::F | File::G | File::H => (kinds[7 - i], Kind::King),
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct PartialSquare {
    file: Option<FileName>,
    rank: Option<Rank>,
}

impl PartialSquare {
    fn has(self, square: Square, side: Side) -> bool {
        self.file.is_none_or(|file| file.has(square.file()))
            && self.rank.is_none_or(|rank| rank == square.rank().relative_to(side))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Described {
    Castling(Option<Kind>),
    Move {
        mover: Man,
        from: PartialSquare,
        takes: bool,
        taken: Option<Man>,
        to: PartialSquare,
        promotion: Option<Kind>,
        en_passant: bool,
    },
}

impl Words {
    pub fn write(&self, position: &Position, m: Move) -> String {
        let mut text = if m.is_castle() {
            self.castles[usize::from(m.to() < m.from())].to_owned()
        } else {
            self.shortest(position, m)
        };
        if position.gives_check(m) {
            let mate = !position.play_unchecked(m).has_moves();
            text.push_str(if mate { self.mate } else { self.check });
        }
        text
    }

    /// Returns the shortest form that matches only this move. The longest form names both squares
    /// and is always unique.
    fn shortest(&self, position: &Position, m: Move) -> String {
        let forms = [(false, false), (false, true), (true, true)];
        let texts = forms.map(|(from, to)| self.form(position, m, from, to));
        let fits = |text: &&String| self.matches(position, text).is_ok_and(|found| found == [m]);
        texts.iter().find(fits).unwrap_or(&texts[2]).clone()
    }

    fn form(&self, position: &Position, m: Move, from: bool, to: bool) -> String {
        let side = position.side();
        let letter = |kind: Kind| self.pieces[kind.index()];
        let mut text = letter(position.kind_on(m.from()).unwrap_or(Kind::Pawn)).to_owned();
        let bracket = |square| {
            let name = self.square(square, side);
            if self.wing_follows { format!(" {name}") } else { format!("({name})") }
        };
        if from {
            text.push_str(&bracket(m.from()));
        }
        match position.captured(m) {
            Some(kind) => {
                text.push_str(self.takes);
                text.push_str(letter(kind));
                if to {
                    text.push_str(&bracket(m.to()));
                }
            }
            None => {
                text.push_str(if self.wing_follows && !from { " " } else { self.dash });
                text.push_str(&self.square(m.to(), side));
            }
        }
        if let Some(kind) = m.promoted() {
            text.push_str(self.promotes);
            text.push_str(letter(kind));
        }
        if m.kind() == MoveKind::EnPassant {
            text.push_str(" e.p.");
        }
        text
    }

    /// Returns the name of a square from the point of view of `side`, for example `4 FR` or `KB4`.
    fn square(&self, square: Square, side: Side) -> String {
        let (kind, wing) = names_of(square.file());
        let (kind, wing) =
            (self.pieces[kind.index()], if kind == wing { "" } else { self.pieces[wing.index()] });
        let rank = square.rank().relative_to(side).digit();
        if self.wing_follows {
            format!("{rank} {kind}{wing}")
        } else {
            format!("{wing}{kind}{rank}")
        }
    }

    pub(crate) fn is_move(&self, text: &str) -> bool {
        self.described(text).is_ok()
    }

    /// Returns the legal moves that match the text. All details must be correct, except check and
    /// mate signs.
    pub(crate) fn matches(&self, position: &Position, text: &str) -> Result<Vec<Move>, MoveError> {
        let described = self.described(text)?;
        let fits = |m: &Move| described.fits(position, *m);
        Ok(position.legal_moves().iter().copied().filter(fits).collect())
    }

    fn described(&self, text: &str) -> Result<Described, MoveError> {
        let mut cursor = Cursor::new(text);
        let described = self.body(&mut cursor).and_then(|described| match cursor.peek() {
            None => Ok(described),
            Some(_) => Err("the move should end here"),
        });
        described.map_err(|expected| MoveError::Malformed {
            text: excerpt(text),
            column: cursor.column(),
            expected,
        })
    }

    fn body(&self, cursor: &mut Cursor<'_>) -> Result<Described, &'static str> {
        skip(cursor);
        if let Some(castling) = self.castling(cursor)? {
            self.marks(cursor);
            return Ok(castling);
        }
        let Some(mover) = self.man(cursor) else { return Err("expected a piece") };
        let mut from = self.place(cursor);
        let (mut to, mut taken) = (None, None);
        let takes = self.takes(cursor);
        if takes {
            // An English capture can name the square instead of the piece: "NxK5".
            to = self.place(cursor);
            if to.is_none() {
                taken = self.man(cursor);
                to = self.place(cursor);
            }
            if to.is_none() && taken.is_none() {
                return Err("expected the captured piece or its square");
            }
        } else if dash(cursor) {
            to = Some(self.place(cursor).ok_or("expected the destination square")?);
        } else {
            std::mem::swap(&mut from, &mut to);
            if to.is_none() {
                return Err("expected the destination square");
            }
        }
        let promotion = self.promotion(cursor)?;
        let en_passant = self.marks(cursor);
        let (from, to) = (from.unwrap_or_default(), to.unwrap_or_default());
        Ok(Described::Move { mover, from, takes, taken, to, promotion, en_passant })
    }

    fn castling(&self, cursor: &mut Cursor<'_>) -> Result<Option<Described>, &'static str> {
        if self.castling.iter().any(|word| cursor.eat(word)) {
            let mut letters = self.letters(cursor);
            letters.retain(|kind| *kind != Kind::Rook);
            return match letters[..] {
                [] => Ok(Some(Described::Castling(None))),
                [wing @ (Kind::King | Kind::Queen)] => Ok(Some(Described::Castling(Some(wing)))),
                _ => Err("expected the wing of castling"),
            };
        }
        if matches!(cursor.peek(), Some('0' | 'O')) {
            let wings = cursor.take_while(|c| "0O-–—− ".contains(c));
            return match wings.matches(['0', 'O']).count() {
                2 => Ok(Some(Described::Castling(Some(Kind::King)))),
                3 => Ok(Some(Described::Castling(Some(Kind::Queen)))),
                _ => Err("castling is O-O or O-O-O"),
            };
        }
        Ok(None)
    }

    /// Reads piece letters, with optional full stops and spaces between them.
    fn letters(&self, cursor: &mut Cursor<'_>) -> Letters {
        let mut letters = Letters::new();
        loop {
            let before = cursor.clone();
            skip(cursor);
            let also = self.also.iter().find(|(name, _)| cursor.eat(name)).map(|(_, kind)| *kind);
            let kind = also.or_else(|| {
                Kind::ALL.into_iter().find(|kind| cursor.eat(self.pieces[kind.index()]))
            });
            let Some(kind) = kind else {
                *cursor = before;
                return letters;
            };
            // A letter before a lower-case letter starts a word: "Pr." (captures) or "Ch." (check).
            // The exceptions are the x of a capture and the e of "e.p.".
            if cursor.peek().is_some_and(|c| c.is_lowercase() && c != 'x' && c != 'e') {
                *cursor = before;
                return letters;
            }
            letters.push(kind);
        }
    }

    /// Reads a piece such as `P`, `PR` or `CR`. Returns `None` if no piece is named.
    fn man(&self, cursor: &mut Cursor<'_>) -> Option<Man> {
        let before = cursor.clone();
        let mut letters = self.letters(cursor);
        let man = (!letters.is_empty()).then(|| {
            let kind = if self.wing_follows { Some(letters.remove(0)) } else { letters.pop() };
            let of = FileName::of(&letters);
            let fits = |kind| match of {
                None => letters.is_empty(),
                Some(FileName::Royal(_)) => !matches!(kind, Kind::King | Kind::Queen),
                Some(FileName::Flank(..)) => kind == Kind::Pawn,
            };
            kind.filter(|kind| fits(*kind)).map(|kind| Man { kind, of })
        });
        if !matches!(man, Some(Some(_))) {
            *cursor = before;
        }
        man.flatten()
    }

    /// Reads a square such as `4 FR`, `KB4`, `B4`, `(KB4)` or `/4`. Returns `None` if no square is
    /// named.
    fn place(&self, cursor: &mut Cursor<'_>) -> Option<PartialSquare> {
        let before = cursor.clone();
        skip(cursor);
        let bracket = cursor.eat("(");
        let open = bracket || cursor.eat("/");
        let (letters, rank) = if self.wing_follows {
            let rank = digit(cursor);
            let _ = cursor.eat("e") || cursor.eat("ème");
            (self.letters(cursor), rank)
        } else {
            (self.letters(cursor), digit(cursor))
        };
        let file = FileName::of(&letters);
        let whole = rank.is_some() && (file.is_some() || open && letters.is_empty());
        if whole && (!bracket || cursor.eat(")")) {
            return Some(PartialSquare { file, rank });
        }
        *cursor = before;
        None
    }

    fn takes(&self, cursor: &mut Cursor<'_>) -> bool {
        skip(cursor);
        ["prend", "pr.", "Pr.", "pr", "Pr", "takes", "x", "X", "×", ":"]
            .iter()
            .any(|word| cursor.eat(word))
    }

    fn promotion(&self, cursor: &mut Cursor<'_>) -> Result<Option<Kind>, &'static str> {
        let before = cursor.clone();
        skip(cursor);
        let bracket = cursor.eat("(");
        if !bracket && !cursor.eat("=") {
            *cursor = before;
            return Ok(None);
        }
        match self.letters(cursor)[..] {
            [kind @ (Kind::Queen | Kind::Rook | Kind::Bishop | Kind::Knight)] => {
                if bracket && !cursor.eat(")") {
                    return Err("expected a closing bracket after the piece");
                }
                Ok(Some(kind))
            }
            _ => Err("expected the promotion piece"),
        }
    }

    /// Reads marks for check, mate and en passant. Returns whether there was an en passant mark.
    fn marks(&self, cursor: &mut Cursor<'_>) -> bool {
        const MARKS: [&str; 16] = [
            "éch", "Éch", "ech", "Ech", "mate", "Mate", "mat", "Mat", "dbl", "ch", "Ch", "+", "#",
            "†", "‡", "≠",
        ];
        let mut en_passant = false;
        loop {
            skip(cursor);
            if ["e.p", "e. p", "ep"].iter().any(|ep| cursor.eat(ep)) {
                en_passant = true;
            } else if !MARKS.iter().any(|word| cursor.eat(word)) {
                return en_passant;
            }
        }
    }
}

fn digit(cursor: &mut Cursor<'_>) -> Option<Rank> {
    skip(cursor);
    let rank = cursor.peek().and_then(Rank::from_digit)?;
    cursor.next_char();
    Some(rank)
}

fn dash(cursor: &mut Cursor<'_>) -> bool {
    skip(cursor);
    let sign = cursor.peek().is_some_and(is_dash);
    if sign {
        cursor.next_char();
    }
    sign || cursor.eat("to ")
}

impl Described {
    fn fits(&self, position: &Position, m: Move) -> bool {
        match *self {
            Self::Castling(wing) => {
                let of = if m.to() > m.from() { Kind::King } else { Kind::Queen };
                m.is_castle() && wing.is_none_or(|wing| wing == of)
            }
            Self::Move { mover, from, takes, taken, to, promotion, en_passant } => {
                let side = position.side();
                let victim = victim(m);
                !m.is_castle()
                    && mover.fits(position, m.from())
                    && from.has(m.from(), side)
                    && to.has(m.to(), side)
                    && (!takes || position.captured(m).is_some())
                    && taken.is_none_or(|man| man.fits(position, victim))
                    && (promotion.is_none() || m.promoted() == promotion)
                    && (!en_passant || m.kind() == MoveKind::EnPassant)
            }
        }
    }
}

fn victim(m: Move) -> Square {
    match m.kind() {
        MoveKind::EnPassant => Square::new(m.to().file(), m.from().rank()),
        _ => m.to(),
    }
}

impl Man {
    fn fits(self, position: &Position, square: Square) -> bool {
        let Some(piece) = position.piece_on(square) else { return false };
        if piece.kind != self.kind {
            return false;
        }
        let wing = match (self.kind, self.of) {
            (_, None) => return true,
            (Kind::Pawn, Some(name)) => return name.has(square.file()),
            (_, Some(FileName::Royal(wing))) => wing,
            (_, Some(FileName::Flank(..))) => return false,
        };
        let file = if wing == Kind::King { File::F } else { File::C };
        if self.kind == Kind::Bishop {
            let home = Square::new(file, Rank::R1.relative_to(piece.side));
            return home.is_light() == square.is_light();
        }
        let mut others = position.board().pieces(piece.side, piece.kind);
        others.all(|other| match wing {
            Kind::King => other.file() <= square.file(),
            _ => other.file() >= square.file(),
        })
    }
}
