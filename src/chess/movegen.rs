//! A legal move generator. It computes masks of checks and pins and never makes a move to test it.
//!
//! The generator is generic over the side to move and over a [`Sink`] that receives sets of moves:
//! "this piece can move from here to these squares". One sink lists moves (for the search), another
//! counts them (at the leaves of a perft tree), and another plays each move on a small board (at
//! the inner nodes). The compiler turns each combination into a specialized generator.

use super::attacks::{self, fill};
use super::bitboard::Bitboard;
use super::board::{Board, CastlingSquares};
use super::moves::{Move, MoveList};
use super::piece::Kind;
use super::square::{Rank, Square};
use crate::base::cpu::{self, Lanes};
use crate::base::side::Side;

/// The class of moves to generate. Const generic arguments use its number:
/// `{ MoveClass::All as u8 }`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MoveClass {
    All,
    Noisy,
    Quiet,
}

const ALL: u8 = MoveClass::All as u8;
const NOISY: u8 = MoveClass::Noisy as u8;
const QUIET: u8 = MoveClass::Quiet as u8;

/// Receives the generated moves, one set of destination squares at a time. A sink that does not
/// need to know the origin square can receive all knight and slider moves at once.
pub(crate) trait Sink {
    /// If true, the moves of knights, bishops, rooks and queens go to [`Self::sets`] instead of
    /// [`Self::piece`] in builds with wide vectors ([`cpu::WIDE`]).
    const SETWISE: bool = false;
    /// Receives the destination squares of all knights and of all sliders, one direction per lane.
    /// Each bit is one move.
    #[inline(always)]
    fn sets(&mut self, _knights: Lanes, _sliders: Lanes) {}
    /// Receives the moves of a piece on `from` to each square of `to`. The piece is not a pawn, and
    /// castling is not included.
    fn piece<const WHITE: bool>(&mut self, kind: Kind, from: Square, to: Bitboard);
    /// Receives pawn moves to each square of `to`, except promotions and double steps. The index of
    /// each origin square is `delta` lower than the index of the destination.
    fn pawns<const WHITE: bool>(&mut self, to: Bitboard, delta: i8);
    fn double_steps<const WHITE: bool>(&mut self, to: Bitboard);
    /// Receives promotions on each square of `to`. The index of each origin square is `delta` lower
    /// than the index of the destination.
    fn promotions<const WHITE: bool>(&mut self, to: Bitboard, delta: i8);
    fn en_passant<const WHITE: bool>(&mut self, from: Square, to: Square);
    fn castle<const WHITE: bool>(&mut self, king: Square, rook: Square);
}

/// The checks and pins that restrict the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Masks {
    pub checkers: Bitboard,
    /// The lines along which a rook or queen pins a piece, including the pinning piece and
    /// excluding the king.
    pub pin_straight: Bitboard,
    /// The lines along which a bishop or queen pins a piece, including the pinning piece and
    /// excluding the king.
    pub pin_diagonal: Bitboard,
}

impl Masks {
    /// Returns the squares that a piece other than the king may move to without leaving `king` in
    /// check: all squares if there is no check, none in double check, otherwise the checking
    /// piece's square and the squares between it and `king`. Pins are ignored.
    #[inline(always)]
    pub(crate) fn targets(&self, king: Square) -> Bitboard {
        match self.checkers.first() {
            None => Bitboard::ALL,
            Some(_) if self.checkers.many() => Bitboard::EMPTY,
            Some(checker) => attacks::between(king, checker) | self.checkers,
        }
    }

    #[inline(always)]
    pub fn of(board: &Board, side: Side) -> Self {
        let king = board.king(side);
        let (own, enemy) = (board.side(side), board.side(!side));
        let (straight, diagonal) = (board.straight_sliders(!side), board.diagonal_sliders(!side));
        let mut masks = Self {
            checkers: attacks::knight(king) & board.pieces(!side, Kind::Knight)
                | attacks::pawn(side, king) & board.pieces(!side, Kind::Pawn),
            pin_straight: Bitboard::EMPTY,
            pin_diagonal: Bitboard::EMPTY,
        };
        if cpu::WIDE {
            // For each direction, the squares from the king to the first enemy piece. Pieces of the
            // king's side do not end the ray.
            let seen = fill::rays_to(king, enemy);
            let sliders = seen & fill::sliders(straight, diagonal);
            let shields = seen & Lanes::splat(own.0);
            let aimed = sliders.nonzero() & !shields.many();
            // This branch is predicted well: sliders rarely aim at the king, and a slider that aims
            // at the king often still does so in the next position.
            if aimed != 0 {
                let shielded = shields.nonzero();
                masks.checkers |= Bitboard(sliders.keep(aimed & !shielded).union());
                let pins = seen.keep(aimed & shielded);
                masks.pin_straight = Bitboard(pins.keep(fill::STRAIGHT).union());
                masks.pin_diagonal = Bitboard(pins.keep(!fill::STRAIGHT).union());
            }
            return masks;
        }
        for slider in attacks::rook(king, enemy) & straight {
            let between = attacks::between(king, slider);
            let shields = between & own;
            if shields.is_empty() {
                masks.checkers |= slider;
            } else if !shields.many() {
                masks.pin_straight |= between | slider;
            }
        }
        for slider in attacks::bishop(king, enemy) & diagonal {
            let between = attacks::between(king, slider);
            let shields = between & own;
            if shields.is_empty() {
                masks.checkers |= slider;
            } else if !shields.many() {
                masks.pin_diagonal |= between | slider;
            }
        }
        masks
    }
}

/// Returns every square attacked by `side` if sliders are blocked by `occupied`. Pinned pieces
/// attack too (FIDE 2009, 3.1 and 3.9).
#[inline(always)]
pub(crate) fn attacked_by(board: &Board, side: Side, occupied: Bitboard) -> Bitboard {
    if cpu::WIDE {
        let (straight, diagonal) = (board.straight_sliders(side), board.diagonal_sliders(side));
        let pawns = attacks::pawns(side, board.pieces(side, Kind::Pawn));
        let knights = fill::knights(board.pieces(side, Kind::Knight));
        let sliders = fill::slide(fill::sliders(straight, diagonal), occupied);
        return pawns | attacks::king(board.king(side)) | Bitboard((sliders | knights).union());
    }
    Attacks::of(board, side, occupied).all
}

/// The squares attacked by one side. Each set includes the one before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Attacks {
    pub pawns: Bitboard,
    /// Attacked by pawns, knights or bishops.
    pub minors: Bitboard,
    /// Attacked by pawns, knights, bishops or rooks.
    pub rooks: Bitboard,
    pub all: Bitboard,
}

impl Attacks {
    pub(crate) const NONE: Self = Self {
        pawns: Bitboard::EMPTY,
        minors: Bitboard::EMPTY,
        rooks: Bitboard::EMPTY,
        all: Bitboard::EMPTY,
    };

    /// Returns the squares attacked by `side` as in [`attacked_by`].
    #[inline(always)]
    pub(crate) fn of(board: &Board, side: Side, occupied: Bitboard) -> Self {
        if cpu::WIDE {
            let pieces = |kind| board.pieces(side, kind);
            let slide =
                |straight, diagonal| fill::slide(fill::sliders(straight, diagonal), occupied);
            let slides = slide(pieces(Kind::Rook), pieces(Kind::Bishop));
            let union = |lanes: Lanes| Bitboard(lanes.union());
            let pawns = attacks::pawns(side, pieces(Kind::Pawn));
            let knights = fill::knights(pieces(Kind::Knight));
            let minors = pawns | union(slides.keep(!fill::STRAIGHT) | knights);
            let rooks = minors | union(slides.keep(fill::STRAIGHT));
            let queens = pieces(Kind::Queen);
            let all = rooks | attacks::king(board.king(side)) | union(slide(queens, queens));
            return Self { pawns, minors, rooks, all };
        }
        Self::with_each(board, side, occupied, |_, _, _| ())
    }

    /// Like [`Self::of`], but also calls `each` with the kind and square of each rook and queen,
    /// and the squares that this piece attacks.
    #[inline(always)]
    pub(crate) fn with_each(
        board: &Board,
        side: Side,
        occupied: Bitboard,
        mut each: impl FnMut(Kind, Square, Bitboard),
    ) -> Self {
        let pieces = |kind| board.pieces(side, kind);
        let pawns = attacks::pawns(side, pieces(Kind::Pawn));
        let mut minors = pawns | attacks::knights(pieces(Kind::Knight));
        for from in pieces(Kind::Bishop) {
            minors |= attacks::bishop(from, occupied);
        }
        let mut rooks = minors;
        for from in pieces(Kind::Rook) {
            let attacked = attacks::rook(from, occupied);
            each(Kind::Rook, from, attacked);
            rooks |= attacked;
        }
        let mut all = rooks | attacks::king(board.king(side));
        for from in pieces(Kind::Queen) {
            let attacked = attacks::queen(from, occupied);
            each(Kind::Queen, from, attacked);
            all |= attacked;
        }
        Self { pawns, minors, rooks, all }
    }

    /// Returns, for each kind of piece, the squares attacked by a less valuable kind. The set is
    /// empty for the king.
    #[inline(always)]
    pub(crate) fn by_lesser(&self) -> [Bitboard; Kind::NUM] {
        let (none, Self { pawns, minors, rooks, .. }) = (Bitboard::EMPTY, *self);
        [none, pawns, pawns, minors, rooks, none]
    }
}

/// Generates the legal moves that start on `movers` and belong to `CLASS`, a [`MoveClass`]. White
/// is to move if `WHITE`, otherwise Black.
#[inline(always)]
pub(crate) fn generate<const WHITE: bool, const CLASS: u8, S: Sink>(
    board: &Board,
    masks: &Masks,
    movers: Bitboard,
    sink: &mut S,
) {
    let side = Side::from_white(WHITE);
    let (own, enemy) = (board.side(side), board.side(!side));
    let occupied = own | enemy;
    let king = board.king(side);

    let wanted = match CLASS {
        ALL => !own,
        NOISY => enemy,
        _ => !occupied,
    };

    king_moves::<WHITE, CLASS, S>(board, masks, movers, wanted, sink);

    if masks.checkers.many() {
        return; // Double check: only the king moves.
    }
    let must = masks.targets(king);
    let wanted = wanted & must;
    pawn_moves::<WHITE, CLASS, S>(board, masks, movers, must, sink);
    if cpu::WIDE && S::SETWISE {
        piece_sets(board, side, masks, movers, wanted, sink);
    } else {
        piece_moves::<WHITE, S>(board, masks, movers, wanted, sink);
    }
}

#[inline(always)]
fn piece_sets<S: Sink>(
    board: &Board,
    side: Side,
    masks: &Masks,
    movers: Bitboard,
    wanted: Bitboard,
    sink: &mut S,
) {
    let pins = masks.pin_straight | masks.pin_diagonal;
    // For each lane, the pin lines in other directions, on which a slider cannot move in the lane's
    // direction. A slider may move freely along its own pin line, because the king and the pinning
    // piece block it.
    let pinned_off_axis = Lanes::splat(pins.0) - fill::axes(board.king(side));
    let straight = board.straight_sliders(side) & movers;
    let diagonal = board.diagonal_sliders(side) & movers;
    let sliders =
        fill::slide(fill::sliders(straight, diagonal) - pinned_off_axis, board.occupied());
    let knights = fill::knights((board.pieces(side, Kind::Knight) & movers) - pins);
    let wanted = Lanes::splat(wanted.0);
    sink.sets(knights & wanted, sliders & wanted);
}

#[inline(always)]
fn piece_moves<const WHITE: bool, S: Sink>(
    board: &Board,
    masks: &Masks,
    movers: Bitboard,
    wanted: Bitboard,
    sink: &mut S,
) {
    let side = Side::from_white(WHITE);
    let occupied = board.occupied();
    let free = movers & (board.side(side) - (masks.pin_straight | masks.pin_diagonal));

    for from in board.kind(Kind::Knight) & free {
        sink.piece::<WHITE>(Kind::Knight, from, attacks::knight(from) & wanted);
    }
    // A pinned slider moves only along its pin line. A bishop pinned along a rank or file and a
    // rook pinned along a diagonal cannot move.
    for kind in [Kind::Bishop, Kind::Queen] {
        let pieces = board.pieces(side, kind) & movers;
        for from in pieces & free {
            let reach = if matches!(kind, Kind::Queen) {
                attacks::queen(from, occupied)
            } else {
                attacks::bishop(from, occupied)
            };
            sink.piece::<WHITE>(kind, from, reach & wanted);
        }
        for from in pieces & masks.pin_diagonal {
            let reach = attacks::bishop(from, occupied) & masks.pin_diagonal;
            sink.piece::<WHITE>(kind, from, reach & wanted);
        }
    }
    for from in board.pieces(side, Kind::Rook) & free {
        sink.piece::<WHITE>(Kind::Rook, from, attacks::rook(from, occupied) & wanted);
    }
    for from in board.straight_sliders(side) & movers & masks.pin_straight {
        let kind = if board.kind(Kind::Rook).has(from) { Kind::Rook } else { Kind::Queen };
        let reach = attacks::rook(from, occupied) & masks.pin_straight;
        sink.piece::<WHITE>(kind, from, reach & wanted);
    }
}

#[inline(always)]
fn king_moves<const WHITE: bool, const CLASS: u8, S: Sink>(
    board: &Board,
    masks: &Masks,
    movers: Bitboard,
    wanted: Bitboard,
    sink: &mut S,
) {
    let side = Side::from_white(WHITE);
    let king = board.king(side);
    if !movers.has(king) {
        return;
    }
    let occupied = board.occupied();
    let steps = attacks::king(king) & wanted;

    let castling = if CLASS == NOISY || masks.checkers.any() {
        Bitboard::EMPTY
    } else {
        clear_castling(board, side, king, occupied)
    };
    if (steps | castling).is_empty() {
        return;
    }
    // Remove the king from the blockers: it does not shield the squares behind it.
    let attacked = attacked_by(board, !side, occupied ^ king);
    sink.piece::<WHITE>(Kind::King, king, steps - attacked);

    for rook in castling {
        // The king must not cross or reach an attacked square, but the rook may (FIDE 2009, 3.8).
        // In Chess960, castling with a rook that is pinned on the back rank would expose the king.
        let end = CastlingSquares::of(king, rook).king;
        let path = attacks::between(king, end) | end;
        if (path & attacked).is_empty() && !masks.pin_straight.has(rook) {
            sink.castle::<WHITE>(king, rook);
        }
    }
}

/// Returns the rooks that may castle and have a clear path: all squares that king and rook cross or
/// reach are empty, apart from the two pieces themselves (FIDE 2009, 3.8 and 20.3).
#[inline(always)]
fn clear_castling(board: &Board, side: Side, king: Square, occupied: Bitboard) -> Bitboard {
    let mut clear = board.castling & Bitboard::rank(Rank::R1.relative_to(side));
    for rook in clear {
        let end = CastlingSquares::of(king, rook);
        let path = attacks::between(king, end.king)
            | attacks::between(rook, end.rook)
            | end.king
            | end.rook;
        if (path & (occupied ^ king ^ rook)).any() {
            clear ^= rook;
        }
    }
    clear
}

#[inline(always)]
fn pawn_moves<const WHITE: bool, const CLASS: u8, S: Sink>(
    board: &Board,
    masks: &Masks,
    movers: Bitboard,
    must: Bitboard,
    sink: &mut S,
) {
    let side = Side::from_white(WHITE);
    let (enemy, occupied) = (board.side(!side), board.occupied());
    let forward: i8 = if WHITE { 8 } else { -8 };
    let last = Bitboard::rank(Rank::R8.relative_to(side));
    let third = Bitboard::rank(Rank::R3.relative_to(side));
    let pawns = board.pieces(side, Kind::Pawn) & movers;

    // A pawn pinned on a diagonal cannot advance, and a pawn pinned on a rank or file cannot
    // capture. All other moves of a pinned pawn are legal only along its pin line.
    let steppers = pawns - masks.pin_diagonal;
    let free = steppers - masks.pin_straight;
    let pinned = steppers & masks.pin_straight;
    let step = (free.forward(side) | pinned.forward(side) & masks.pin_straight) - occupied;
    let double = ((step & third).forward(side) - occupied) & must;
    let step = step & must;
    if CLASS != NOISY {
        sink.pawns::<WHITE>(step - last, forward);
        sink.double_steps::<WHITE>(double);
    }

    let takers = pawns - masks.pin_straight;
    let free = takers - masks.pin_diagonal;
    let pinned = takers & masks.pin_diagonal;
    let (free, pinned) = (free.forward(side), pinned.forward(side));
    let prey = enemy & must;
    let left = (free.left() | pinned.left() & masks.pin_diagonal) & prey;
    let right = (free.right() | pinned.right() & masks.pin_diagonal) & prey;
    if CLASS != QUIET {
        sink.pawns::<WHITE>(left - last, forward - 1);
        sink.pawns::<WHITE>(right - last, forward + 1);
        if ((step | left | right) & last).any() {
            sink.promotions::<WHITE>(step & last, forward);
            sink.promotions::<WHITE>(left & last, forward - 1);
            sink.promotions::<WHITE>(right & last, forward + 1);
        }
        if let Some(to) = board.en_passant.first() {
            en_passant::<WHITE, S>(board, masks, movers, to, sink);
        }
    }
}

/// Generates en passant captures (FIDE 2009, 3.7). The pin masks are not sufficient, because two
/// pawns leave the same rank. Therefore each capture is tested for checks with the occupancy after
/// the capture.
#[inline(never)]
fn en_passant<const WHITE: bool, S: Sink>(
    board: &Board,
    masks: &Masks,
    movers: Bitboard,
    to: Square,
    sink: &mut S,
) {
    let side = Side::from_white(WHITE);
    for from in en_passant_captures(board, masks, side, to) & movers {
        sink.en_passant::<WHITE>(from, to);
    }
}

/// Returns the pawns of `side` that may legally capture en passant on `to`.
pub(crate) fn en_passant_captures(
    board: &Board,
    masks: &Masks,
    side: Side,
    to: Square,
) -> Bitboard {
    let king = board.king(side);
    let taken = Bitboard::of(to).forward(!side);
    let mut legal = Bitboard::EMPTY;
    for from in attacks::pawn(!side, to) & board.pieces(side, Kind::Pawn) {
        let occupied = (board.occupied() ^ from ^ taken) | to;
        let sliders = attacks::bishop(king, occupied) & board.diagonal_sliders(!side)
            | attacks::rook(king, occupied) & board.straight_sliders(!side);
        let leapers =
            masks.checkers & ((board.kind(Kind::Knight) | board.kind(Kind::Pawn)) - taken);
        if (sliders | leapers).is_empty() {
            legal |= from;
        }
    }
    legal
}

#[inline(always)]
pub(crate) fn before(to: Square, delta: i8) -> Square {
    Square::wrap((to as i8 - delta) as u8)
}

impl Sink for MoveList {
    #[inline(always)]
    fn piece<const WHITE: bool>(&mut self, _: Kind, from: Square, to: Bitboard) {
        for to in to {
            self.push(Move::normal(from, to));
        }
    }
    #[inline(always)]
    fn pawns<const WHITE: bool>(&mut self, to: Bitboard, delta: i8) {
        for to in to {
            self.push(Move::normal(before(to, delta), to));
        }
    }
    #[inline(always)]
    fn double_steps<const WHITE: bool>(&mut self, to: Bitboard) {
        self.pawns::<WHITE>(to, if WHITE { 16 } else { -16 });
    }
    #[inline(always)]
    fn promotions<const WHITE: bool>(&mut self, to: Bitboard, delta: i8) {
        for to in to {
            for kind in [Kind::Queen, Kind::Knight, Kind::Rook, Kind::Bishop] {
                self.push(Move::promotion(before(to, delta), to, kind));
            }
        }
    }
    #[inline(always)]
    fn en_passant<const WHITE: bool>(&mut self, from: Square, to: Square) {
        self.push(Move::en_passant(from, to));
    }
    #[inline(always)]
    fn castle<const WHITE: bool>(&mut self, king: Square, rook: Square) {
        self.push(Move::castle(king, rook));
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Count(pub u64);

impl Sink for Count {
    const SETWISE: bool = true;
    #[inline(always)]
    fn sets(&mut self, knights: Lanes, sliders: Lanes) {
        self.0 += (knights.counts() + sliders.counts()).sum();
    }
    #[inline(always)]
    fn piece<const WHITE: bool>(&mut self, _: Kind, _: Square, to: Bitboard) {
        self.0 += u64::from(to.len());
    }
    #[inline(always)]
    fn pawns<const WHITE: bool>(&mut self, to: Bitboard, _: i8) {
        self.0 += u64::from(to.len());
    }
    #[inline(always)]
    fn double_steps<const WHITE: bool>(&mut self, to: Bitboard) {
        self.0 += u64::from(to.len());
    }
    #[inline(always)]
    fn promotions<const WHITE: bool>(&mut self, to: Bitboard, _: i8) {
        self.0 += 4 * u64::from(to.len());
    }
    #[inline(always)]
    fn en_passant<const WHITE: bool>(&mut self, _: Square, _: Square) {
        self.0 += 1;
    }
    #[inline(always)]
    fn castle<const WHITE: bool>(&mut self, _: Square, _: Square) {
        self.0 += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::Rng;
    use crate::chess::position::Position;

    /// Returns the number of moves according to the set-wise and the piece-wise generator. Both run
    /// in every build.
    fn both_counts(position: &Position) -> [u64; 2] {
        let (board, masks, side) = (position.board(), position.masks(), position.side());
        let wanted = !board.side(side);
        let [mut sets, mut pieces] = [Count::default(); 2];
        piece_sets(board, side, masks, Bitboard::ALL, wanted, &mut sets);
        if side.is_white() {
            piece_moves::<true, _>(board, masks, Bitboard::ALL, wanted, &mut pieces);
        } else {
            piece_moves::<false, _>(board, masks, Bitboard::ALL, wanted, &mut pieces);
        }
        [sets.0, pieces.0]
    }

    fn check(position: &Position) {
        let [sets, pieces] = both_counts(position);
        assert_eq!(sets, pieces, "{}", position.fen());
        let moves = position.legal_moves();
        assert_eq!(position.count_moves(), moves.len() as u64, "{}", position.fen());
        let leaves = moves.iter().map(|&m| position.play(m).count_moves()).sum::<u64>();
        assert_eq!(position.perft(2), leaves, "{}", position.fen());
        let (board, side) = (position.board(), position.side());
        let (king, occupied) = (board.king(side), board.occupied());
        let checkers = board.attackers(king, occupied) & board.side(!side);
        assert_eq!(position.checkers(), checkers, "{}", position.fen());
        let attacked = attacked_by(board, !side, occupied);
        let attacks = Attacks::of(board, !side, occupied);
        let by_piece = Attacks::with_each(board, !side, occupied, |_, _, _| ());
        assert_eq!((attacks, attacks.all), (by_piece, attacked), "{}", position.fen());
        for square in Square::ALL {
            let attackers = board.attackers(square, occupied) & board.side(!side);
            assert_eq!(attacked.has(square), attackers.any(), "{} {square}", position.fen());
        }
    }

    #[test]
    fn counting_agrees_with_listing_in_random_games() {
        let mut rng = Rng::new(5);
        let mut seen = 0;
        for game in 0..300 {
            let number = if game % 2 == 0 { 518 } else { (rng.next_u64() % 960) as u16 };
            let mut position = Position::chess960(number).expect("a number below 960");
            for _ in 0..120 {
                check(&position);
                seen += 1;
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position = position.play(moves[(rng.next_u64() % moves.len() as u64) as usize]);
            }
        }
        assert!(seen > 10_000, "only {seen} positions");
    }

    #[test]
    fn counting_agrees_with_listing_in_random_setups() {
        let mut rng = Rng::new(6);
        let mut seen = 0;
        for _ in 0..60_000 {
            // Kings and a few pieces, mostly sliders, so that there are many pins and checks.
            let mut squares = [' '; 64];
            let others = 2 + rng.next_u64() % 12;
            let letters = (0..others).map(|_| b"QRBNPqrbnpqrbrb"[(rng.next_u64() % 15) as usize]);
            for letter in [b'K', b'k'].into_iter().chain(letters.collect::<Vec<_>>()) {
                let pawn = letter.eq_ignore_ascii_case(&b'p');
                let at = (rng.next_u64() % 64) as usize;
                if squares[at] == ' ' && (!pawn || (8..56).contains(&at)) {
                    squares[at] = letter as char;
                }
            }
            let rows: Vec<String> = squares
                .chunks(8)
                .map(|row| row.iter().map(|&c| if c == ' ' { '1' } else { c }).collect())
                .collect();
            for side in ["w", "b"] {
                let rows = rows.join("/");
                let rows = (2..=8).rev().fold(rows, |rows, empty: usize| {
                    rows.replace(&"1".repeat(empty), &empty.to_string())
                });
                let fen = format!("{rows} {side} - - 0 1");
                if let Ok(position) = fen.parse::<Position>() {
                    check(&position);
                    seen += 1;
                }
            }
        }
        assert!(seen > 10_000, "only {seen} positions");
    }
}
