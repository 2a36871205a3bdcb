//! Moves as text: `32-28`, `28x19`, `28x19x23`, `47x38x24x13x36`.
//!
//! Sources: the FMJD's rules, chapter 8; PDN 3.0 (*PDN Grammars*); the Hub protocol. All write
//! first the square that is left, `-` between the squares of a plain move (read also: dashes of every
//! kind) and `x` (read also: `:`) between those of a capture. The short form ends with the square of arrival. The longer forms are
//! told apart by how many squares follow the first, since all legal captures of a position take the
//! same number of pieces, here `n` (also at Frisian draughts, where two captures of one value do):
//!
//! | squares after the first | form | meaning |
//! |---|---|---|
//! | 1 | short | the square of arrival |
//! | 2 to `n` | route (PDN) | squares where the piece lands or turns, in their order, then that of arrival |
//! | `n` + 1 | Hub | the square of arrival, then every piece taken, in any order |
//!
//! So no text has two readings. A text that fits two moves is refused with the texts that tell
//! them apart.

use super::bitboard::Bitboard;
use super::frisian::CaptureDirection;
use super::moves::Move;
use super::position::Position;
use super::square::{Square, SquareError};
use super::variant::Variant;
use crate::base::cursor::{Cursor, excerpt};
use crate::base::side::Side;
use crate::base::text::is_dash;

/// Why a text is not one legal move of a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MoveError {
    /// The text is not of the form of a move.
    #[error("'{text}' is not a move: {what}, in column {column}")]
    Malformed {
        /// The text, cut short.
        text: String,
        /// What is malformed.
        what: MalformedMove,
        /// Where, counted in characters from 1.
        column: usize,
    },
    /// No legal move fits the text.
    #[error("'{text}' is not legal in {fen}: {why}")]
    Illegal {
        /// The text.
        text: String,
        /// The position.
        fen: String,
        /// The reason, as far as it can be told.
        why: Refusal,
    },
    /// Captures of different pieces fit the text.
    #[error("'{text}' can be {}", candidates.join(" or "))]
    Ambiguous {
        /// The text.
        text: String,
        /// The texts that tell them apart.
        candidates: Vec<String>,
    },
}

/// Why a text does not have the form of a move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MalformedMove {
    /// A number is missing, or is not a square.
    #[error(transparent)]
    Square(#[from] SquareError),
    /// There is no sign between two squares.
    #[error("'-' or 'x' should stand before '{0}'")]
    Sign(String),
    /// `-` and `x` in one move, or a third square after `-`.
    #[error("a plain move is two squares and '-', a capture has 'x' only")]
    Mixed,
}

/// Why no legal move fits a text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// The first square holds no piece that could move.
    #[error("{0} has no piece on {1}")]
    NoPiece(Side, Square),
    /// A plain move where captures are obligatory (4.1).
    #[error("{0} must capture")]
    MustCapture(Side),
    /// A capture where none is possible.
    #[error("{0} cannot capture")]
    NoCapture(Side),
    /// Another capture is obligatory (4.13), or the piece does not get there.
    #[error("{0} can play {1}")]
    Other(Side, String),
    /// The side has lost.
    #[error("{0} has no move")]
    NoMove(Side),
}

/// The squares in a move's text, and whether the sign between them is that of a capture.
struct Squares {
    squares: Vec<Square>,
    capture: bool,
}

impl Squares {
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, MalformedMove> {
        let mut squares = vec![square(cursor)?];
        let mut capture = false;
        loop {
            let sign = match cursor.peek() {
                Some('x' | ':') => true,
                Some(c) if is_dash(c) => false,
                None if squares.len() > 1 => return Ok(Self { squares, capture }),
                _ => return Err(MalformedMove::Sign(excerpt(cursor.rest()))),
            };
            if squares.len() > 1 && !(sign && capture) {
                return Err(MalformedMove::Mixed);
            }
            capture = sign;
            cursor.next_char();
            squares.push(square(cursor)?);
        }
    }
}

fn square(cursor: &mut Cursor<'_>) -> Result<Square, MalformedMove> {
    let mut ahead = cursor.clone();
    let digits = ahead.take_while(|c| c.is_ascii_digit());
    if digits.is_empty() {
        return Err(SquareError(excerpt(cursor.rest())).into());
    }
    let square = digits.parse()?;
    *cursor = ahead;
    Ok(square)
}

/// The legal move that a text means, in any of the forms of this module. Squares can have a
/// leading zero.
///
/// ```
/// use adoube::draughts::{Position, notation};
///
/// let start = Position::start();
/// let m = notation::parse(&start, "32-28")?;
/// assert_eq!(m.to_string(), "32-28");
/// let error = notation::parse(&start, "32-27x").unwrap_err();
/// assert_eq!(error.to_string(), "'32-27x' is not a move: \
///     a plain move is two squares and '-', a capture has 'x' only, in column 6");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the text does not have the form of a move, or fits no legal move or several.
pub fn parse(position: &Position, text: &str) -> Result<Move, MoveError> {
    let mut cursor = Cursor::new(text);
    let read = Squares::read(&mut cursor).map_err(|what| MoveError::Malformed {
        text: excerpt(text),
        what,
        column: cursor.column(),
    })?;
    let legal = position.legal_moves();
    let fitting: Vec<Move> = legal.iter().copied().filter(|&m| read.fit(position, m)).collect();
    match fitting[..] {
        [m] => Ok(m),
        [] => Err(MoveError::Illegal {
            text: excerpt(text),
            fen: position.to_string(),
            why: refusal(position, &legal, &read),
        }),
        _ => Err(MoveError::Ambiguous {
            text: excerpt(text),
            candidates: fitting.iter().map(|&m| pdn(position, m)).collect(),
        }),
    }
}

/// Whether a text has the form of a move, legal or not.
pub fn is_move(text: &str) -> bool {
    Squares::read(&mut Cursor::new(text)).is_ok()
}

impl Squares {
    /// Whether the text can mean a legal move.
    fn fit(&self, position: &Position, m: Move) -> bool {
        let pieces = m.taken().len() as usize;
        match self.squares[..] {
            [from, ..] if from != m.from() || self.capture != m.is_capture() => false,
            [_, to] => to == m.to(),
            [_, to, ref taken @ ..] if taken.len() == pieces => {
                to == m.to() && taken.iter().copied().collect::<Bitboard>() == m.taken()
            }
            [_, ref via @ .., to] => {
                to == m.to() && via.len() < pieces && Walk::new(position, m, via).any()
            }
            _ => false,
        }
    }
}

/// Why no legal move fits a text.
fn refusal(position: &Position, legal: &[Move], read: &Squares) -> Refusal {
    let side = position.side();
    let Some(other) = legal.first() else { return Refusal::NoMove(side) };
    match (read.capture, other.is_capture()) {
        _ if !position.board().pieces(side).has(read.squares[0]) => {
            Refusal::NoPiece(side, read.squares[0])
        }
        (false, true) => Refusal::MustCapture(side),
        (true, false) => Refusal::NoCapture(side),
        _ => {
            let from = legal.iter().find(|m| m.from() == read.squares[0]);
            Refusal::Other(side, (*from.unwrap_or(other)).to_string())
        }
    }
}

/// A legal move as PDN writes it: the short form, or, where that fits other captures too, the
/// whole of one of its [`routes`].
pub fn pdn(position: &Position, m: Move) -> String {
    let twins = |other: &&Move| (other.from(), other.to()) == (m.from(), m.to());
    if !m.is_capture() || position.legal_moves().iter().filter(twins).count() < 2 {
        return format!("{m:#}");
    }
    let route = routes(position, m).into_iter().next().unwrap_or_default();
    route.iter().fold(m.from().to_string(), |text, square| format!("{text}x{square}"))
}

/// Every route of a legal capture: the squares on which the piece lands between two jumps, and
/// that of arrival. Where it turns, that is the square of the turn; where it goes straight on, the
/// one behind the piece taken (PDN 3.0). A plain move has no route.
pub fn routes(position: &Position, m: Move) -> Vec<Vec<Square>> {
    let mut routes = Vec::new();
    if m.is_capture() {
        Walk::new(position, m, &[]).each(&mut |route| {
            routes.push(route.to_vec());
            false
        });
    }
    routes
}

/// A walk over the routes of a capture.
struct Walk<'a> {
    /// The ways along which pieces take.
    lines: &'static [CaptureDirection],
    /// The square of the moving piece is among them.
    empty: Bitboard,
    king: bool,
    /// The pieces directly behind which a king stops if it takes them last.
    halting: Bitboard,
    from: Bitboard,
    to: Bitboard,
    /// Squares that are still to be landed on, in this order.
    via: &'a [Square],
    /// Pieces still to be taken.
    left: Bitboard,
    landings: Vec<Square>,
}

/// The squares on which a jump can end.
#[derive(Clone, Copy)]
struct Landing {
    nearest: Bitboard,
    all: Bitboard,
    /// The direction of the jump; `None` at the start of the move.
    way: Option<CaptureDirection>,
}

impl<'a> Walk<'a> {
    fn new(position: &Position, m: Move, via: &'a [Square]) -> Self {
        let (board, from) = (position.board(), Bitboard::of(m.from()));
        let killer = position.variant() == Variant::Killer;
        Self {
            halting: if killer { board.all_kings() } else { Bitboard::EMPTY },
            lines: position.variant().capture_directions(),
            empty: board.empty() | from,
            king: (board.all_kings() & from).any(),
            from,
            to: Bitboard::of(m.to()),
            via,
            left: m.taken(),
            landings: Vec::new(),
        }
    }

    /// Whether there is a route over the given squares. It may land anywhere behind a piece taken.
    fn any(&mut self) -> bool {
        self.each(&mut |_| true)
    }

    /// Calls `end` with the landings of each route, until it says that this is enough.
    fn each(&mut self, end: &mut dyn FnMut(&[Square]) -> bool) -> bool {
        self.jump(Landing { nearest: self.from, all: self.from, way: None }, end)
    }

    /// Follows every jump that can come after the last.
    fn jump(&mut self, landing: Landing, end: &mut dyn FnMut(&[Square]) -> bool) -> bool {
        self.lines.iter().copied().any(|way| {
            let places = match self.via.first() {
                _ if landing.way != Some(way) => landing.all,
                Some(next) if landing.all.has(*next) => Bitboard::of(*next),
                _ => landing.nearest,
            };
            places.singles().any(|at| {
                let Some((over, next)) = self.over(at, way) else { return false };
                let (via, landings) = (self.via, self.landings.len());
                if landing.way.is_some() {
                    self.land(at);
                }
                self.left = self.left - over;
                let enough = if self.left.any() {
                    self.jump(next, end)
                } else {
                    let last = if (over & self.halting).any() { next.nearest } else { next.all };
                    self.via.is_empty() && (last & self.to).any() && {
                        self.land(self.to);
                        end(&self.landings)
                    }
                };
                self.left |= over;
                self.landings.truncate(landings);
                self.via = via;
                enough
            })
        })
    }

    /// The piece that a jump from `at` along `way` takes, and where it can end.
    fn over(&self, at: Bitboard, way: CaptureDirection) -> Option<(Bitboard, Landing)> {
        let mut over = way.step(at);
        while self.king && (over & self.empty).any() {
            over = way.step(over);
        }
        let nearest = way.step(over) & self.empty;
        let slides = self.king && nearest.any();
        let further = if slides { way.slide(nearest, self.empty) } else { Bitboard::EMPTY };
        let possible = (over & self.left).any() && nearest.any();
        possible.then_some((over, Landing { nearest, all: nearest | further, way: Some(way) }))
    }

    fn land(&mut self, at: Bitboard) {
        let Some(square) = at.first() else { return };
        self.landings.push(square);
        if let Some((next, rest)) = self.via.split_first()
            && *next == square
        {
            self.via = rest;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::Rng;
    use crate::draughts::board::{Board, Kind};

    fn position(fen: &str) -> Position {
        fen.parse().unwrap_or_else(|e| panic!("{fen}: {e}"))
    }

    fn read(fen: &str, text: &str) -> String {
        parse(&position(fen), text).map_or_else(|e| e.to_string(), |m| m.to_string())
    }

    /// Between 47 and 36 the king takes 42, 29, 22 and either 19 or 14: the example of PDN 3.0.
    const TWO_WAYS: &str = "W:WK47:B14,19,22,29,42";

    #[test]
    fn every_form_is_read() {
        let plain = "W:W31-50:B1-20";
        assert_eq!(read(plain, "32-28"), "32-28");
        assert_eq!(read("W:W6:BK50", "06-01"), "6-1");
        let single = "W:W28:B23,13";
        for text in ["28x8", "28:8", "28x8x13x23", "28x8x23x13", "28x19x8"] {
            assert_eq!(read(single, text), "28x8x13x23", "{text}");
        }
        for text in ["47x36x42x29x19x22", "47x36x22x19x29x42", "47x38x24x13x36", "47x33x24x13x36"] {
            assert_eq!(read(TWO_WAYS, text), "47x36x19x22x29x42", "{text}");
        }
        for text in ["47x36x14x22x29x42", "47x38x20x9x36", "47x20x36", "47x9x36", "47x38x9x36"] {
            assert_eq!(read(TWO_WAYS, text), "47x36x14x22x29x42", "{text}");
        }
    }

    #[test]
    fn an_ambiguous_text_is_answered_by_those_that_are_not() {
        for text in ["47x36", "47x38x36"] {
            assert_eq!(
                read(TWO_WAYS, text),
                format!("'{text}' can be 47x38x20x9x36 or 47x38x24x13x36")
            );
        }
    }

    #[test]
    fn errors_say_what_and_where() {
        let start = "W:W31-50:B1-20";
        let malformed = |text: &str, what: &str| {
            assert_eq!(read(start, text), format!("'{text}' is not a move: {what}"));
        };
        malformed("", "'' is not a square (1 to 50), in column 1");
        malformed("e4", "'e4' is not a square (1 to 50), in column 1");
        malformed("32", "'-' or 'x' should stand before '', in column 3");
        malformed("32 -28", "'-' or 'x' should stand before ' -28', in column 3");
        malformed("32-", "'' is not a square (1 to 50), in column 4");
        malformed("32-51", "'51' is not a square (1 to 50), in column 4");
        malformed("32-28 ", "'-' or 'x' should stand before ' ', in column 6");
        let mixed = "a plain move is two squares and '-', a capture has 'x' only, in column 6";
        for text in ["32-28-23", "32x28-23", "32-28x23"] {
            malformed(text, mixed);
        }
        for (fen, text, why) in [
            (start, "32-27x", mixed),
            (start, "27-22", "White has no piece on 27"),
            (start, "32-23", "White can play 32-28"),
            (start, "37-32", "White can play 31-27"),
            (start, "32x23", "White cannot capture"),
            ("W:W28,50:B23", "50-45", "White must capture"),
            ("W:W28,50:B23,13", "28x19", "White can play 28x8x13x23"),
            ("W:W28,50:B23,13", "28x8x13x23x23", "White can play 28x8x13x23"),
            ("W:W28,50:B23,13", "28x8x13x13", "White can play 28x8x13x23"),
            (TWO_WAYS, "47x24x20x36", "White can play 47x"),
        ] {
            let found = read(fen, text);
            assert!(found.contains(why), "{fen} {text}: {found}");
        }
        assert!(read("B:W31:B", "1-6").ends_with("is not legal in B:W31:B: Black has no move"));
    }

    #[test]
    fn routes_turn_where_they_turn() {
        let routes_of = |fen: &str, text: &str| {
            let position = position(fen);
            routes(&position, parse(&position, text).unwrap_or_else(|e| panic!("{e}")))
                .iter()
                .map(|route| route.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
                .collect::<Vec<_>>()
        };
        assert_eq!(routes_of("W:W28:B23,13", "28x8"), ["19 8"]);
        assert_eq!(routes_of("W:W31-50:B1-20", "32-28"), [""; 0]);
        assert_eq!(routes_of(TWO_WAYS, "47x20x36"), ["38 20 9 36"]);
        // Four pieces around the man: both ways round end where they began, as one move.
        let round = "W:W37:B31,21,22,32";
        let mut both = routes_of(round, "37x37");
        both.sort_unstable();
        assert_eq!(both, ["26 17 28 37", "28 17 26 37"]);
    }

    /// Whatever is written is read as the move that was meant, in random games and among kings.
    #[test]
    fn what_is_written_is_read_back() {
        let mut rng = Rng::new(5);
        let (mut captures, mut ambiguous) = (0, 0);
        for _ in 0..3000 {
            let position = crowded(&mut rng);
            for &m in &position.legal_moves() {
                assert_eq!(parse(&position, &m.to_string()), Ok(m), "{position}");
                let text = pdn(&position, m);
                assert_eq!(parse(&position, &text), Ok(m), "{position} {text}");
                captures += usize::from(m.is_capture());
                ambiguous += usize::from(text != m.to_string());
                for route in routes(&position, m) {
                    assert_eq!(route.len(), m.taken().len() as usize, "{position} {text}");
                    let squares: Vec<_> = route.iter().map(ToString::to_string).collect();
                    let text = format!("{}x{}", m.from(), squares.join("x"));
                    assert_eq!(parse(&position, &text), Ok(m), "{position} {text}");
                }
            }
        }
        assert!(captures > 3000 && ambiguous > 100, "{captures} {ambiguous}");
    }

    /// A random position with many kings.
    fn crowded(rng: &mut Rng) -> Position {
        loop {
            let mut board = Board::default();
            let mut squares: Vec<_> = Square::all().collect();
            rng.shuffle(&mut squares);
            let (white, all) = (1 + rng.below(3), 4 + rng.below(17));
            for (i, &square) in squares[..all].iter().enumerate() {
                let side = if i < white { Side::White } else { Side::Black };
                let kind = if rng.below(2) == 0 || i < white { Kind::King } else { Kind::Man };
                board.put(square, side, kind);
            }
            if let Ok(position) = Position::try_from((board, Side::White)) {
                return position;
            }
        }
    }
}
