//! Explains why a move in UCI or English notation is illegal, in terms useful for debugging a move
//! generator.

use super::attacks;
use super::bitboard::Bitboard;
use super::board::{Board, CastlingSquares};
use super::piece::Kind;
use super::position::Position;
use super::square::{File, Rank, Square};
use crate::base::side::Side;
use crate::record::games::Recorded as _;
use std::fmt;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct On(pub Kind, pub Square);

impl fmt::Display for On {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on {}", self.0.name(), self.1)
    }
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum Illegality {
    #[error("not a move (as in e2e4 or e7e8q)")]
    NotAMove,
    #[error("{0} is empty")]
    Empty(Square),
    #[error("the {0} does not belong to the side to move")]
    NotOurs(On),
    #[error("the side's own {0} is on the destination square")]
    OwnPiece(On),
    #[error("the {0} cannot reach {1}")]
    Unreachable(On, Square),
    /// A pawn moves diagonally to an empty square that is not the en passant square.
    #[error("no pawn has just passed over {0}")]
    NotEnPassant(Square),
    /// The captured pawn shields the king from an enemy slider, alone or together with the
    /// capturing pawn.
    #[error("the en passant capture exposes the king to the {0}")]
    EnPassantExposes(On),
    #[error("a pawn that reaches the last rank must be promoted")]
    NotPromoted,
    #[error("only a pawn that reaches the last rank can be promoted")]
    Promoted,
    #[error("castling: {0}")]
    Castling(#[from] CastlingFault),
    #[error("the king remains in check by the {0}")]
    CheckStays(On),
    #[error("the {pinned} is pinned by the {by}")]
    Pinned { pinned: On, by: On },
    #[error("the {by} attacks {to}")]
    IntoCheck { to: Square, by: On },
    #[error("{side} has no {}", .kind.name())]
    NoPiece { side: Side, kind: Kind },
    #[error("no {} can reach {to}", .kind.name())]
    NoneReaches { kind: Kind, to: Square },
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum CastlingFault {
    /// The king is already on the castling square, with a rook next to it.
    #[error("the king on {0} has already castled or moved")]
    Castled(Square),
    #[error("the king has moved to {0}")]
    KingMoved(Square),
    #[error("there is no rook on {0}")]
    NoRook(Square),
    #[error("the king or the rook on {0} has moved")]
    RookMoved(Square),
    /// There is no rook on this side of the king, or one of the two pieces has moved.
    #[error("the right to castle is lost")]
    NoRight,
    #[error("the king is in check by the {0}")]
    InCheck(On),
    /// A piece is between king and rook, or on a square that either of them crosses or reaches.
    #[error("the {0} is in the way")]
    Occupied(On),
    #[error("the king crosses or reaches {0}, which the {1} attacks")]
    Through(Square, On),
    /// Chess960: the rook shields the king from check.
    #[error("the {0} would give check")]
    Unshielded(On),
}

struct RequestedMove {
    from: Square,
    to: Square,
    promoted: Option<Kind>,
}

fn read(text: &str) -> Option<RequestedMove> {
    let mut chars = text.chars();
    let mut square = || {
        let file = File::from_letter(chars.next().filter(char::is_ascii_lowercase)?)?;
        Some(Square::new(file, Rank::from_digit(chars.next()?)?))
    };
    let (from, to) = (square()?, square()?);
    let promoted = chars.next().map(Kind::from_letter);
    let whole = chars.next().is_none() && promoted != Some(None);
    whole.then_some(RequestedMove { from, to, promoted: promoted.flatten() })
}

/// Returns why a UCI move is illegal in the position, or `None` if it is legal.
///
/// `passed` is the square that a pawn passed over in the last move. It is a separate argument
/// because the board of a `Position` stores this square only if an en passant capture is legal.
pub(crate) fn why(position: &Position, passed: Option<Square>, text: &str) -> Option<Illegality> {
    if position.parse_uci(text).is_ok() {
        return None;
    }
    let Some(requested) = read(text) else { return Some(Illegality::NotAMove) };
    let passed = passed.map_or(Bitboard::EMPTY, Bitboard::of) | position.board().en_passant;
    Some(Case { position, passed, requested }.why())
}

/// Returns the end of the message about an illegal move: a colon and the reason, or an empty text
/// if the reason is unknown. `fen` is the position.
pub(super) fn explanation(fen: &str, text: &str) -> String {
    why_in(fen, text).map_or_else(String::new, |why| format!(": {why}"))
}

/// Returns why a move in UCI form or in English notation is illegal in the position `fen`. Returns
/// `None` if the text is not a move or the FEN is invalid. The move must not be legal.
pub(crate) fn why_in(fen: &str, text: &str) -> Option<Illegality> {
    why_text(&fen.parse().ok()?, text)
}

/// Returns why a move in UCI form or in English notation is illegal in the position. Returns `None`
/// if the text is not a move. The move must not be legal; otherwise the result can be a wrong
/// reason.
pub(crate) fn why_text(position: &Position, text: &str) -> Option<Illegality> {
    let side = position.side();
    let explain = |text: &str| why(position, None, text);
    let text = text.trim_end_matches(['+', '#', '!', '?']);
    if let Some(why) = explain(text).filter(|why| *why != Illegality::NotAMove) {
        return Some(why);
    }
    let castles = text.to_uppercase().replace('0', "O");
    if let "O-O" | "O-O-O" = castles.as_str() {
        let to = if castles == "O-O" { File::G } else { File::C };
        return Some(why_castling(position, to).into());
    }
    let kind = text.chars().next().filter(char::is_ascii_uppercase).map(Kind::from_letter);
    let kind = kind.unwrap_or(Some(Kind::Pawn))?;
    let (rest, promoted) = match text.split_once('=') {
        Some((rest, promoted)) => (rest, promoted.to_lowercase()),
        None => (text, String::new()),
    };
    let to: Square = rest.get(rest.len().checked_sub(2)?..)?.parse().ok()?;
    let hint = rest.get(..rest.len() - 2)?.trim_start_matches(|c: char| c.is_ascii_uppercase());
    let fits = |from: &Square| hint.chars().all(|c| c == 'x' || from.to_string().contains(c));
    let pieces: Vec<Square> =
        position.board().pieces(side, kind).into_iter().filter(fits).collect();
    let whys: Vec<_> =
        pieces.iter().filter_map(|from| explain(&format!("{from}{to}{promoted}"))).collect();
    let near = |why: &Illegality| !matches!(why, Illegality::Unreachable(..));
    Some(match whys.into_iter().find(near) {
        Some(why) => why,
        None if pieces.is_empty() && hint.trim_matches('x').is_empty() => {
            Illegality::NoPiece { side, kind }
        }
        None => Illegality::NoneReaches { kind, to },
    })
}

/// Returns the reason why the side to move cannot castle with its king to file `to` (G or C).
fn why_castling(position: &Position, to: File) -> CastlingFault {
    let from = position.board().king(position.side());
    let requested = RequestedMove { from, to: Square::new(to, from.rank()), promoted: None };
    let case = Case { position, passed: Bitboard::EMPTY, requested };
    case.castling(case.rook_towards(to == File::G))
}

struct Case<'a> {
    position: &'a Position,
    passed: Bitboard,
    requested: RequestedMove,
}

impl Case<'_> {
    fn board(&self) -> &Board {
        self.position.board()
    }

    fn side(&self) -> Side {
        self.position.side()
    }

    fn on(&self, square: Square) -> On {
        On(self.position.kind_on(square).unwrap_or(Kind::Pawn), square)
    }

    fn attacker(&self, square: Square, occupied: Bitboard) -> Option<On> {
        let enemies = self.board().side(!self.side());
        (self.board().attackers(square, occupied) & enemies).first().map(|by| self.on(by))
    }

    fn why(&self) -> Illegality {
        let &RequestedMove { from, to, promoted } = &self.requested;
        let (own, enemies) = (self.board().side(self.side()), self.board().side(!self.side()));
        if enemies.has(from) {
            return Illegality::NotOurs(self.on(from));
        }
        if !own.has(from) {
            return Illegality::Empty(from);
        }
        let moved = self.on(from);
        if moved.0 == Kind::King
            && promoted.is_none()
            && let Some(rook) = self.castles_with()
        {
            return self.castling(rook).into();
        }
        if own.has(to) {
            return Illegality::OwnPiece(self.on(to));
        }
        let last = moved.0 == Kind::Pawn && to.relative_to(self.side()).rank() == Rank::R8;
        match promoted {
            None if last => return Illegality::NotPromoted,
            Some(Kind::Pawn | Kind::King) => return Illegality::NotAMove,
            Some(_) if !last => return Illegality::Promoted,
            _ => {}
        }
        if !self.reaches(moved) {
            let diagonal = attacks::pawn(self.side(), from).has(to);
            return match moved.0 {
                Kind::Pawn if diagonal => Illegality::NotEnPassant(to),
                _ => Illegality::Unreachable(moved, to),
            };
        }
        self.exposes(moved)
    }

    fn reaches(&self, moved: On) -> bool {
        let &RequestedMove { from, to, .. } = &self.requested;
        let occupied = self.board().occupied();
        if moved.0 != Kind::Pawn {
            return attacks::piece(moved.0, from, occupied).has(to);
        }
        let takes = self.board().side(!self.side()) | self.passed;
        let one = Bitboard::of(from).forward(self.side()) - occupied;
        let starts = from.relative_to(self.side()).rank() == Rank::R2;
        let two = if starts { one.forward(self.side()) - occupied } else { Bitboard::EMPTY };
        (attacks::pawn(self.side(), from) & takes | one | two).has(to)
    }

    fn exposes(&self, moved: On) -> Illegality {
        let &RequestedMove { from, to, .. } = &self.requested;
        let board = self.board();
        if moved.0 == Kind::King {
            let by = self.attacker(to, board.occupied() ^ from);
            return by
                .map_or(Illegality::Unreachable(moved, to), |by| Illegality::IntoCheck { to, by });
        }
        let en_passant = moved.0 == Kind::Pawn && self.passed.has(to);
        let taken = match en_passant {
            true => Bitboard::of(to).forward(!self.side()),
            false => Bitboard::of(to),
        };
        let occupied = ((board.occupied() ^ from) - taken) | to;
        let enemies = board.side(!self.side()) - taken;
        let king = board.king(self.side());
        let Some(by) = (board.attackers(king, occupied) & enemies).first() else {
            return Illegality::Unreachable(moved, to);
        };
        let by_piece = self.on(by);
        if self.position.checkers().has(by) {
            Illegality::CheckStays(by_piece)
        } else if en_passant && (attacks::between(king, by) & taken).any() {
            Illegality::EnPassantExposes(by_piece)
        } else {
            Illegality::Pinned { pinned: moved, by: by_piece }
        }
    }

    /// Returns the square of the castling rook if the king move is meant as castling: the king
    /// captures a rook of its own side on the first rank, or moves at least two squares along this
    /// rank. In the second case, the rook need not exist.
    fn castles_with(&self) -> Option<Square> {
        let &RequestedMove { from, to, .. } = &self.requested;
        let (board, side) = (self.board(), self.side());
        let is_first = |square: Square| square.relative_to(side).rank() == Rank::R1;
        if !is_first(to) {
            return None;
        }
        if board.pieces(side, Kind::Rook).has(to) {
            return Some(to);
        }
        let castles = is_first(from) && from.distance(to) > 1;
        castles.then(|| self.rook_towards((to as u8) > from as u8))
    }

    /// Returns the square of the rook that the king can still castle with on this side, or the
    /// corner if there is none.
    fn rook_towards(&self, east: bool) -> Square {
        let (board, from) = (self.board(), self.requested.from);
        let same_way =
            |rook: &Square| rook.rank() == from.rank() && ((*rook as u8) > from as u8) == east;
        let ready = (board.castling & board.side(self.side())).into_iter().find(same_way);
        ready.unwrap_or(Square::new(if east { File::H } else { File::A }, from.rank()))
    }

    /// Returns why the king has no right to castle with the rook on the square `rook`. The reason
    /// is inferred from the squares of king and rook, because the position does not contain the
    /// earlier moves.
    fn without_right(&self, rook: Square) -> CastlingFault {
        let (board, king) = (self.board(), self.requested.from);
        let is_rook = |square: Square| board.pieces(self.side(), Kind::Rook).has(square);
        let home = Square::new(File::E, Rank::R1).relative_to(self.side());
        let castled = [(File::G, File::F), (File::C, File::D)];
        let castled_rook = castled.into_iter().find(|(file, _)| *file == king.file());
        let is_first = king.rank() == home.rank();
        match castled_rook {
            Some((_, file)) if is_first && is_rook(Square::new(file, king.rank())) => {
                CastlingFault::Castled(king)
            }
            _ if self.position.start_tag().is_some() => CastlingFault::NoRight,
            _ if king != home => CastlingFault::KingMoved(king),
            _ if is_rook(rook) => CastlingFault::RookMoved(rook),
            _ => CastlingFault::NoRook(rook),
        }
    }

    fn castling(&self, rook: Square) -> CastlingFault {
        let (board, king) = (self.board(), self.requested.from);
        if !board.castling.has(rook) || !board.side(self.side()).has(rook) {
            return self.without_right(rook);
        }
        if let Some(by) = self.position.checkers().first() {
            return CastlingFault::InCheck(self.on(by));
        }
        let ends = CastlingSquares::of(king, rook);
        let ways = attacks::between(king, ends.king) | ends.king;
        let needed =
            ways | attacks::between(king, rook) | attacks::between(rook, ends.rook) | ends.rook;
        let others = board.occupied() - Bitboard::of(king) - Bitboard::of(rook);
        if let Some(blocked) = (needed & others).first() {
            return CastlingFault::Occupied(self.on(blocked));
        }
        let through = ways.into_iter().find_map(|square| {
            Some((square, self.attacker(square, board.occupied() - Bitboard::of(king))?))
        });
        if let Some((square, by)) = through {
            return CastlingFault::Through(square, by);
        }
        let castled = board.castled(self.side(), king, rook);
        match (castled.attackers(ends.king, castled.occupied()) & castled.side(!self.side()))
            .first()
        {
            Some(by) => CastlingFault::Unshielded(self.on(by)),
            None => CastlingFault::NoRight,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::Notation;

    #[test]
    fn move_errors_contain_the_reason() {
        let start = Position::start();
        let assert_reason = |error: String, reason: &str| {
            let fen = start.fen();
            assert!(error.ends_with(&format!(" is not legal in {fen}{reason}")), "{error}");
        };
        let uci = |text| start.parse_uci(text).expect_err(text).to_string();
        assert_reason(uci("e2e5"), ": the pawn on e2 cannot reach e5");
        assert_reason(uci("e1g1"), ": castling: the bishop on f1 is in the way");
        let san = |text| start.parse_san(text).expect_err(text).to_string();
        assert_reason(san("Qh7"), ": no queen can reach h7");
        assert_reason(san("e5"), ": no pawn can reach e5");
        // In French, R is a king.
        let french: Notation = "fr".parse().expect("a language");
        assert_reason(french.read(&start, "Re2").expect_err("the king is blocked").to_string(), "");
    }

    #[test]
    fn explains_each_kind_of_illegal_move() {
        let cases = [
            ("8/8/8/8/8/8/4P3/K6k w - - 0 1", "e2e", "not a move (as in e2e4 or e7e8q)"),
            ("8/8/8/8/8/8/4P3/K6k w - - 0 1", "e3e4", "e3 is empty"),
            (
                "8/8/8/8/8/8/4P3/K6k w - - 0 1",
                "h1h2",
                "the king on h1 does not belong to the side to move",
            ),
            (
                "8/8/8/8/8/8/1P6/K6k w - - 0 1",
                "a1b2",
                "the side's own pawn on b2 is on the destination square",
            ),
            ("8/8/8/8/8/8/4P3/K1B4k w - - 0 1", "c1g6", "the bishop on c1 cannot reach g6"),
            ("8/8/8/8/8/4p3/4P3/K6k w - - 0 1", "e2e4", "the pawn on e2 cannot reach e4"),
            ("8/8/8/3pP3/8/8/8/K6k w - - 0 1", "e5d6", "no pawn has just passed over d6"),
            (
                "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1",
                "e5d6",
                "the en passant capture exposes the king to the rook on h5",
            ),
            (
                "7k/6b1/8/3Pp3/8/2K5/8/8 w - e6 0 1",
                "d5e6",
                "the en passant capture exposes the king to the bishop on g7",
            ),
            (
                "4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
                "e5d6",
                "the pawn on e5 is pinned by the rook on e8",
            ),
            (
                "8/4P3/8/8/8/8/8/K6k w - - 0 1",
                "e7e8",
                "a pawn that reaches the last rank must be promoted",
            ),
            (
                "8/4P3/8/8/8/8/8/K6k w - - 0 1",
                "a1b1q",
                "only a pawn that reaches the last rank can be promoted",
            ),
            (
                "4r2k/8/8/8/8/8/P7/4K3 w - - 0 1",
                "a2a3",
                "the king remains in check by the rook on e8",
            ),
            ("4r2k/8/8/8/8/8/8/4K3 w - - 0 1", "e1e2", "the rook on e8 attacks e2"),
            (
                "4r2k/8/8/8/4N3/8/8/4K3 w - - 0 1",
                "e4c3",
                "the knight on e4 is pinned by the rook on e8",
            ),
            (
                "k7/8/8/8/8/8/8/4K2R w - - 0 1",
                "e1g1",
                "castling: the king or the rook on h1 has moved",
            ),
            ("7k/8/8/8/8/8/8/4K3 w - - 0 1", "e1c1", "castling: there is no rook on a1"),
            ("r5k1/8/8/8/8/8/8/4K3 b - - 0 1", "g8a8", "castling: the king has moved to g8"),
            (
                "5rk1/8/8/8/8/8/8/4K3 b - - 0 1",
                "g8c8",
                "castling: the king on g8 has already castled or moved",
            ),
            ("k7/8/8/8/3K3R/8/8/8 w - - 0 1", "d4f4", "the king on d4 cannot reach f4"),
            (
                "k7/8/8/3R4/3K4/8/8/8 w - - 0 1",
                "d4d5",
                "the side's own rook on d5 is on the destination square",
            ),
            ("8/8/8/8/8/8/4P3/K6k w - - 0 1", "E2E4", "not a move (as in e2e4 or e7e8q)"),
            (
                "k3r3/8/8/8/8/8/8/4K2R w K - 0 1",
                "e1g1",
                "castling: the king is in check by the rook on e8",
            ),
            ("7k/8/8/8/8/8/8/RN2K3 w Q - 0 1", "e1c1", "castling: the knight on b1 is in the way"),
            (
                "k4r2/8/8/8/8/8/8/4K2R w K - 0 1",
                "e1g1",
                "castling: the king crosses or reaches f1, which the rook on f8 attacks",
            ),
            // Chess960: the rook on b1 shields the king from the rook on a1.
            ("7k/8/8/8/8/8/8/rRK5 w B - 0 1", "c1b1", "castling: the rook on a1 would give check"),
        ];
        for (fen, text, words) in cases {
            let position: Position = fen.parse().unwrap_or_else(|e| panic!("{fen}: {e}"));
            let passed = fen.split(' ').nth(3).and_then(|square| square.parse().ok());
            let found = why(&position, passed, text).map(|why| why.to_string());
            assert_eq!(found.as_deref(), Some(words), "{text} in {fen}");
        }
    }

    #[test]
    fn explains_exactly_the_illegal_moves() {
        let mut rng = crate::base::rng::Rng::new(3);
        let mut position = Position::start();
        for _ in 0..300 {
            let moves = position.legal_moves();
            if moves.is_empty() || position.halfmove_clock() > 90 {
                position = Position::start();
                continue;
            }
            for from in 0..64 {
                let (from, to) = (Square::wrap(from), Square::wrap(rng.below(64) as u8));
                let text = format!("{from}{to}");
                let legal = position.parse_uci(&text).is_ok();
                assert_eq!(
                    why(&position, None, &text).is_none(),
                    legal,
                    "{text} in {}",
                    position.fen()
                );
            }
            position = position.play(moves[rng.below(moves.len())]);
        }
    }
}
