//! Moves as text: `32-28`, `28x19`, `28x19x23`, `47x38x24x13x36`.
//!
//! Sources: the FMJD rules, chapter 8; PDN 3.0 (*PDN Grammars*); the Hub protocol.
//!
//! All forms begin with the origin square. The separator between squares is `-` in a non-capturing
//! move and `x` in a capture. Dashes of every kind and `:` are accepted too. In the short form, a
//! wrong or missing separator is accepted if only one move fits.
//!
//! The forms differ in the number of squares after the origin square. All legal captures of a
//! position capture the same number of pieces `n`:
//!
//! | squares after the origin | form | meaning |
//! |---|---|---|
//! | 1 | short | the destination square |
//! | 2 to `n` | route (PDN) | landing or turning squares in order, then the destination square |
//! | `n` + 1 | Hub | the destination square, then every captured piece in any order |
//!
//! The number of squares therefore determines the form. Text that matches several moves is
//! rejected, and the error lists these moves in an unambiguous form.

use super::bitboard::Bitboard;
use super::board::Kind;
use super::capture_graph::CaptureGraph;
use super::frisian::CaptureDirection;
use super::movegen;
use super::moves::Move;
use super::position::Position;
use super::rafle::{Capture, captures};
use super::square::{Square, SquareError};
use super::variant::Variant;
use crate::base::cursor::{Cursor, excerpt};
use crate::base::side::Side;
use crate::base::text::is_dash;
use std::collections::HashSet;

/// The error for move text that is invalid, illegal or ambiguous.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MoveError {
    /// The text does not have the form of a move.
    #[error("'{text}' is not a move: {kind}, in column {column}")]
    Malformed {
        /// The rejected text, possibly shortened.
        text: String,
        /// The kind of error.
        kind: MalformedMove,
        /// The column in characters, counted from 1.
        column: usize,
    },
    /// No legal move matches the text.
    #[error("'{text}' is not legal in {fen}: {why}")]
    Illegal {
        /// The rejected text.
        text: String,
        /// The position's FEN.
        fen: String,
        /// The reason.
        why: Refusal,
    },
    /// Several moves match the text.
    #[error("'{text}' is ambiguous: it could be {}", candidates.join(" or "))]
    Ambiguous {
        /// The ambiguous text.
        text: String,
        /// The matching moves, each in an unambiguous form.
        candidates: Vec<String>,
    },
}

/// The reason why text does not have the form of a move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MalformedMove {
    /// A square number is missing or invalid.
    #[error(transparent)]
    Square(#[from] SquareError),
    /// The separator between two squares is missing.
    #[error("expected '-' or 'x' before '{0}'")]
    Sign(String),
    /// The move contains both `-` and `x`, or a third square after `-`.
    #[error("a non-capturing move has two squares and '-', a capture only 'x'")]
    Mixed,
}

/// The reason why no legal move matches the text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// The side to move has no piece on the first square.
    #[error("{0} has no piece on {1}")]
    NoPiece(Side, Square),
    /// The move is not a capture, but the side to move must capture (FMJD 4.1).
    #[error("{side} must capture, for example {legal}")]
    MustCapture {
        /// The side to move.
        side: Side,
        /// A legal capture, in PDN notation.
        legal: String,
    },
    /// The move is a capture, but the side to move cannot capture.
    #[error("{0} cannot capture")]
    NoCapture(Side),
    /// The move captures fewer pieces than possible (FMJD 4.13).
    #[error(
        "a capture of {needed} pieces is obligatory, for example {legal}; this one takes {taken}"
    )]
    TooFew {
        /// The largest number of pieces that the move can capture.
        taken: usize,
        /// The number of pieces that must be captured.
        needed: usize,
        /// A legal capture, in PDN notation.
        legal: String,
    },
    /// The piece cannot move to the square, or cannot land there at the end of a capture.
    #[error("the {} on {from} cannot {} {to}; {legal} is legal", .kind.name(), verb(*.capture))]
    Unreachable {
        /// The kind of the piece.
        kind: Kind,
        /// The square of the piece.
        from: Square,
        /// The destination square.
        to: Square,
        /// True if the move is a capture.
        capture: bool,
        /// A legal move, in PDN notation.
        legal: String,
    },
    /// The squares of a capture do not match, or another capture has priority in this variant.
    #[error("{0} can play {1}")]
    Other(Side, String),
    /// The side to move has no legal move.
    #[error("{0} has no legal move")]
    NoMove(Side),
}

const fn verb(capture: bool) -> &'static str {
    if capture { "capture and land on" } else { "move to" }
}

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
                Some('x' | 'X' | ':' | '×') => true,
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

/// Parses a move in any form described in the [module documentation](self), and returns the
/// matching legal move. Squares can have a leading zero.
///
/// ```
/// use adoube::draughts::{Position, notation};
///
/// let start = Position::start();
/// let m = notation::parse(&start, "32-28")?;
/// assert_eq!(m.to_string(), "32-28");
/// let error = notation::parse(&start, "32-27x").unwrap_err();
/// assert_eq!(error.to_string(), "'32-27x' is not a move: \
///     a non-capturing move has two squares and '-', a capture only 'x', in column 6");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error if the text is invalid, illegal or ambiguous.
pub fn parse(position: &Position, text: &str) -> Result<Move, MoveError> {
    let found = matching_moves(position, text)?;
    match found[..] {
        [m] => Ok(m),
        _ => Err(MoveError::Ambiguous {
            text: excerpt(text),
            candidates: found.iter().map(|&m| pdn(position, m)).collect(),
        }),
    }
}

/// Like [`parse`], but returns every matching move if the text is ambiguous. The list is never
/// empty.
pub(super) fn matching_moves(position: &Position, text: &str) -> Result<Vec<Move>, MoveError> {
    if let Some(read) = matching_unseparated(position, text) {
        return read;
    }
    let mut cursor = Cursor::new(text);
    let mut read = Squares::read(&mut cursor).map_err(|kind| MoveError::Malformed {
        text: excerpt(text),
        kind,
        column: cursor.column(),
    })?;
    let legal = position.legal_moves();
    let fitting = |read: &Squares| {
        legal.iter().copied().filter(|&m| read.fit(position, m)).collect::<Vec<_>>()
    };
    let mut found = fitting(&read);
    if found.is_empty() && read.squares.len() == 2 {
        read.capture = !read.capture;
        found = fitting(&read);
        read.capture = !read.capture;
    }
    if found.is_empty() {
        return Err(MoveError::Illegal {
            text: excerpt(text),
            fen: position.to_string(),
            why: refusal(position, &legal, &read),
        });
    }
    Ok(found)
}

/// Parses a move in the short form without leading zeros, such as `32-28` or `28x19` (a fast path
/// for [`parse`]). Returns `None` if the text has another form, or does not denote exactly one
/// legal move.
pub(super) fn parse_short(position: &Position, text: &[u8]) -> Option<Move> {
    let (from, rest) = short_square(text)?;
    let (sign, rest) = rest.split_first()?;
    let (to, rest) = short_square(rest)?;
    let is_capture = match sign {
        b'x' => true,
        b'-' if from != to => false,
        _ => return None,
    };
    if !rest.is_empty() {
        return None;
    }
    if !is_capture && position.variant() == Variant::Normal {
        let can = movegen::can_step(position.board(), position.side(), from, to);
        return (can && !position.can_capture()).then(|| Move::new(from, to, Bitboard::EMPTY));
    }
    let legal = position.legal_moves();
    let fits = |m: &&Move| (m.from(), m.to(), m.is_capture()) == (from, to, is_capture);
    let mut fitting = legal.iter().filter(fits);
    let m = fitting.next()?;
    fitting.next().is_none().then_some(*m)
}

/// Parses the square number at the start of a text. Returns the square and the rest of the text.
/// Leading zeros are rejected.
fn short_square(text: &[u8]) -> Option<(Square, &[u8])> {
    let digit = |byte: u8| byte.is_ascii_digit().then_some(byte.wrapping_sub(b'0'));
    let (number, rest) = match *text {
        [tens @ b'1'..=b'9', ones @ b'0'..=b'9', ref rest @ ..] => {
            (10 * digit(tens)? + digit(ones)?, rest)
        }
        [ones @ b'1'..=b'9', ref rest @ ..] => (digit(ones)?, rest),
        _ => return None,
    };
    Some((Square::new(number.into())?, rest))
}

/// Parses a move without a separator between the squares, such as `3228`, which PDN 1.0 allows.
/// Returns `None` if the text does not have this form.
fn matching_unseparated(position: &Position, text: &str) -> Option<Result<Vec<Move>, MoveError>> {
    if !matches!(text.len(), 3 | 4) || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let split = |at| text.split_at_checked(at).map(|(from, to)| format!("{from}-{to}"));
    let texts = (1..=2).rev().filter_map(split).filter(|text| is_move(text));
    let read: Vec<_> = texts.map(|text| matching_moves(position, &text)).collect();
    let legal: Vec<Move> = read.iter().flatten().flatten().copied().collect();
    if legal.is_empty() { read.into_iter().next() } else { Some(Ok(legal)) }
}

/// Returns whether the text has the form of a move, legal or not.
pub fn is_move(text: &str) -> bool {
    Squares::read(&mut Cursor::new(text)).is_ok()
}

impl Squares {
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

impl Squares {
    /// Returns the maximum number of pieces taken by any capture that matches these squares in the
    /// short form or Hub notation. Includes captures that are illegal because they take too few
    /// pieces.
    fn most_taken(&self, position: &Position) -> Option<usize> {
        let [from, ref rest @ ..] = self.squares[..] else { return None };
        let to = *rest.first()?;
        let set = |squares: &[Square]| squares.iter().copied().collect::<Bitboard>();
        let fits = |capture: &Capture| {
            capture.to == to && (rest.len() == 1 || set(&capture.taken) == set(&rest[1..]))
        };
        captures(position, from).iter().filter(|c| fits(c)).map(|c| c.taken.len()).max()
    }
}

fn refusal(position: &Position, legal: &[Move], read: &Squares) -> Refusal {
    let side = position.side();
    let Some(&other) = legal.first() else { return Refusal::NoMove(side) };
    let (from, kind) = match position.piece_on(read.squares[0]) {
        Some((owner, kind)) if owner == side => (read.squares[0], kind),
        _ => return Refusal::NoPiece(side, read.squares[0]),
    };
    let example = legal.iter().copied().find(|m| m.from() == from).unwrap_or(other);
    let (needed, legal) = (example.taken().len() as usize, pdn(position, example));
    let unreachable = |to, capture, legal| Refusal::Unreachable { kind, from, to, capture, legal };
    // Frisian captures are compared by value, not by the number of captured pieces.
    let counts = position.variant() != Variant::Frisian;
    let taken = read.most_taken(position).filter(|_| counts && other.is_capture());
    if let Some(taken) = taken.filter(|&taken| taken < needed) {
        return Refusal::TooFew { taken, needed, legal };
    }
    match (read.capture, other.is_capture()) {
        (false, true) => Refusal::MustCapture { side, legal },
        (true, false) => Refusal::NoCapture(side),
        (false, false) => unreachable(read.squares[1], false, legal),
        (true, true) if counts && taken.is_none() && read.squares.len() == 2 => {
            unreachable(read.squares[1], true, legal)
        }
        (true, true) => Refusal::Other(side, legal),
    }
}

/// Formats a legal move for PDN: in the short form, or as the first of its [`routes`] if the short
/// form matches several captures.
pub fn pdn(position: &Position, m: Move) -> String {
    let twins = |other: &&Move| (other.from(), other.to()) == (m.from(), m.to());
    if !m.is_capture() || position.legal_moves().iter().filter(twins).count() < 2 {
        return format!("{m:#}");
    }
    let route = routes_up_to(position, m, 1).into_iter().next().unwrap_or_default();
    route.iter().fold(m.from().to_string(), |text, square| format!("{text}x{square}"))
}

/// Returns every route of a legal capture. A route consists of the landing square of each jump and
/// ends with the destination square. Where the piece turns, the landing square is the turning
/// square. Where it continues straight on, the landing square is the one directly behind the
/// captured piece (PDN 3.0). A non-capturing move has no route.
///
/// A Frisian king among many pieces can have millions of routes. At most [`MAX_ROUTES`] are
/// returned.
pub fn routes(position: &Position, m: Move) -> Vec<Vec<Square>> {
    routes_up_to(position, m, MAX_ROUTES)
}

/// The maximum number of routes that [`routes`] returns.
pub const MAX_ROUTES: usize = 1000;

/// Returns the first `max` [`routes`].
pub(crate) fn routes_up_to(position: &Position, m: Move, max: usize) -> Vec<Vec<Square>> {
    let mut routes = Vec::new();
    if m.is_capture() {
        Walk::new(position, m, &[]).each(&mut |route| {
            routes.push(route.to_vec());
            routes.len() >= max
        });
    }
    routes
}

struct Walk<'a> {
    lines: &'static [CaptureDirection],
    empty: Bitboard,
    king: bool,
    /// The kings of both sides in killer draughts, and no pieces in the other variants. A king
    /// whose last jump captures one of these pieces must stop directly behind it.
    halting: Bitboard,
    from: Bitboard,
    to: Bitboard,
    via: &'a [Square],
    left: Bitboard,
    landings: Vec<Square>,
    /// The number of complete routes found so far.
    routes: usize,
    dead_ends: Option<DeadEnds>,
}

/// The dead ends of a long capture: states that cannot be continued to a complete route. A walk
/// that did not skip them could take hours.
struct DeadEnds {
    graph: CaptureGraph,
    /// The dead ends found so far. Each consists of the remaining pieces, the piece just captured,
    /// the direction of the jump, and the number of remaining squares in [`Walk::via`].
    seen: HashSet<(Bitboard, Bitboard, CaptureDirection, usize)>,
}

/// Dead ends are recorded only for captures of at least this many pieces.
const LONG_CAPTURE: u32 = 8;

#[derive(Clone, Copy)]
struct Landing {
    nearest: Bitboard,
    all: Bitboard,
    way: Option<CaptureDirection>,
}

impl<'a> Walk<'a> {
    fn new(position: &Position, m: Move, via: &'a [Square]) -> Self {
        let (board, from) = (position.board(), Bitboard::of(m.from()));
        let (lines, empty) = (position.variant().capture_directions(), board.empty() | from);
        let king = (board.all_kings() & from).any();
        let dead_ends = || DeadEnds {
            graph: CaptureGraph::new(lines, king, from, empty, m.taken()),
            seen: HashSet::new(),
        };
        let killer = position.variant() == Variant::Killer;
        Self {
            halting: if killer { board.all_kings() } else { Bitboard::EMPTY },
            lines,
            empty,
            king,
            from,
            to: Bitboard::of(m.to()),
            via,
            left: m.taken(),
            landings: Vec::new(),
            routes: 0,
            dead_ends: (m.taken().len() >= LONG_CAPTURE).then(dead_ends),
        }
    }

    /// Returns whether there is a route over the squares `via`. A king may land on any square
    /// behind a captured piece.
    fn any(&mut self) -> bool {
        self.each(&mut |_| true)
    }

    /// Calls `end` with the landing squares of each route until `end` returns true.
    fn each(&mut self, end: &mut dyn FnMut(&[Square]) -> bool) -> bool {
        self.jump(Landing { nearest: self.from, all: self.from, way: None }, end)
    }

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
                    self.go_on(over, way, next, end)
                } else {
                    let last = if (over & self.halting).any() { next.nearest } else { next.all };
                    self.via.is_empty() && (last & self.to).any() && {
                        self.land(self.to);
                        self.routes += 1;
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

    /// Continues the route after the capture of `over` in the direction `way`, unless this state is
    /// a dead end.
    fn go_on(
        &mut self,
        over: Bitboard,
        way: CaptureDirection,
        next: Landing,
        end: &mut dyn FnMut(&[Square]) -> bool,
    ) -> bool {
        let Some(DeadEnds { graph, seen }) = &self.dead_ends else { return self.jump(next, end) };
        let state = (self.left, over, way, self.via.len());
        // A complete route needs at least one remaining jump for each square in `via`.
        if self.via.len() > self.left.len() as usize || seen.contains(&state) {
            return false;
        }
        let outlook = graph.outlook(self.left, graph.neighbours(over));
        if outlook.open != self.left || outlook.ends > 1 {
            return false;
        }
        let before = self.routes;
        let enough = self.jump(next, end);
        if let Some(dead_ends) = &mut self.dead_ends
            && self.routes == before
        {
            dead_ends.seen.insert(state);
        }
        enough
    }

    /// Returns the piece captured by the jump from `at` in the direction `way`, and the landing
    /// squares of this jump. Returns `None` if the jump is not possible.
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

    /// The example of PDN 3.0: from 47 to 36, the king captures 42, 29, 22 and either 19 or 14.
    const TWO_WAYS: &str = "W:WK47:B14,19,22,29,42";

    #[test]
    fn parses_every_form() {
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
    fn ambiguous_texts_report_unambiguous_candidates() {
        for text in ["47x36", "47x38x36"] {
            assert_eq!(
                read(TWO_WAYS, text),
                format!("'{text}' is ambiguous: it could be 47x38x20x9x36 or 47x38x24x13x36")
            );
        }
    }

    #[test]
    fn rejects_malformed_and_illegal_moves_with_the_reason() {
        let start = "W:W31-50:B1-20";
        let malformed = |text: &str, what: &str| {
            assert_eq!(read(start, text), format!("'{text}' is not a move: {what}"));
        };
        malformed("", "'' is not a square (1 to 50), in column 1");
        malformed("e4", "'e4' is not a square (1 to 50), in column 1");
        malformed("32", "expected '-' or 'x' before '', in column 3");
        malformed("32 -28", "expected '-' or 'x' before ' -28', in column 3");
        malformed("32-", "'' is not a square (1 to 50), in column 4");
        malformed("32-51", "'51' is not a square (1 to 50), in column 4");
        malformed("32-28 ", "expected '-' or 'x' before ' ', in column 6");
        let mixed = "a non-capturing move has two squares and '-', a capture only 'x', in column 6";
        for text in ["32-28-23", "32x28-23", "32-28x23"] {
            malformed(text, mixed);
        }
        for (fen, text, why) in [
            (start, "32-27x", mixed),
            (start, "27-22", "White has no piece on 27"),
            (start, "32-23", "the man on 32 cannot move to 23; 32-28 is legal"),
            (start, "37-32", "the man on 37 cannot move to 32; 31-27 is legal"),
            (start, "32x23", "White cannot capture"),
            ("W:W28,50:B23", "50-45", "White must capture, for example 28x19"),
            (
                "W:W28,50:B23,13",
                "28x19",
                "a capture of 2 pieces is obligatory, for example 28x8; this one takes 1",
            ),
            ("W:W28,50:B23,13", "28x19x23", "for example 28x8; this one takes 1"),
            ("W:W28,50:B23,13", "28-19", "for example 28x8; this one takes 1"),
            ("W:W48,50:B43,33,23,13", "48x50x28", "White can play 48x8"),
            ("W:W28,50:B23,13", "28x17", "the man on 28 cannot capture and land on 17; 28x8 is"),
            ("W:W28,50:B23,13", "50x39", "the man on 50 cannot capture and land on 39; 28x8 is"),
            ("W:W28,50:B23,13", "28x8x13x23x23", "White can play 28x8"),
            ("W:W28,50:B23,13", "28x8x13x13", "White can play 28x8"),
            (TWO_WAYS, "47x24x20x36", "White can play 47x"),
        ] {
            let found = read(fen, text);
            assert!(found.contains(why), "{fen} {text}: {found}");
        }
        assert!(
            read("B:W31:B", "1-6").ends_with("is not legal in B:W31:B: Black has no legal move")
        );
    }

    #[test]
    fn routes_contain_the_turning_squares() {
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
        // The man can capture the four pieces in a circle, clockwise or counterclockwise. Both
        // routes end on the origin square and are the same move.
        let round = "W:W37:B31,21,22,32";
        let mut both = routes_of(round, "37x37");
        both.sort_unstable();
        assert_eq!(both, ["26 17 28 37", "28 17 26 37"]);
    }

    #[test]
    fn long_captures_have_routes() {
        // The king has too many routes to enumerate.
        let long = position("W:WK29:B2,4,7,8,10,11,15,18,19,20,24,26,27,33,34,37,41,44:Vfrisian");
        for &m in &long.legal_moves() {
            let some = routes_up_to(&long, m, 32);
            assert!(!some.is_empty(), "{m}");
            for route in some.iter().take(2) {
                let squares: Vec<_> = route.iter().map(ToString::to_string).collect();
                let text = format!("{}x{}", m.from(), squares.join("x"));
                assert_eq!(parse(&long, &text), Ok(m), "{text}");
            }
            let text = pdn(&long, m);
            assert_eq!(parse(&long, &text), Ok(m), "{text}");
        }
    }

    #[test]
    fn skipping_dead_ends_does_not_change_the_routes() {
        let mut rng = Rng::new(7);
        let mut long = 0;
        while long < 300 {
            let position = crowded(&mut rng).in_game(Variant::Frisian).expect("a position");
            for &m in position.legal_moves().iter().filter(|m| (8..11).contains(&m.taken().len())) {
                let collect = |mut walk: Walk<'_>| {
                    let mut routes = Vec::new();
                    walk.each(&mut |route| {
                        routes.push(route.to_vec());
                        routes.len() >= 5000
                    });
                    routes
                };
                let without = Walk { dead_ends: None, ..Walk::new(&position, m, &[]) };
                let found = collect(Walk::new(&position, m, &[]));
                assert_eq!(found, collect(without), "{position} {m}");
                long += 1;
            }
        }
    }

    #[test]
    fn round_trips_moves_of_random_positions() {
        let mut rng = Rng::new(5);
        let (mut captures, mut ambiguous) = (0, 0);
        for _ in 0..3000 {
            let position = crowded(&mut rng);
            for &m in &position.legal_moves() {
                assert_eq!(parse(&position, &m.to_string()), Ok(m), "{position}");
                let text = pdn(&position, m);
                assert_eq!(parse(&position, &text), Ok(m), "{position} {text}");
                let short = format!("{m:#}");
                let fast = parse_short(&position, short.as_bytes());
                assert_eq!(fast, parse(&position, &short).ok(), "{position} {short}");
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

    #[test]
    fn short_moves_agree_with_all_forms() {
        let mut rng = Rng::new(8);
        for variant in Variant::ALL {
            let mut position = Position::start_of(variant);
            for _ in 0..60 {
                for (from, to) in Square::all().flat_map(|a| Square::all().map(move |b| (a, b))) {
                    for text in [format!("{from}-{to}"), format!("{from}x{to}")] {
                        let Some(m) = parse_short(&position, text.as_bytes()) else { continue };
                        assert_eq!(parse(&position, &text), Ok(m), "{position} {text}");
                    }
                }
                let moves = position.legal_moves();
                for m in &moves {
                    let text = format!("{m:#}");
                    let fast = parse_short(&position, text.as_bytes());
                    assert_eq!(fast, parse(&position, &text).ok(), "{position} {text}");
                }
                if moves.is_empty() {
                    break;
                }
                position = position.play(moves[rng.below(moves.len())]);
            }
        }
    }

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
