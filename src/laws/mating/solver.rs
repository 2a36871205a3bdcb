//! The crate `chasolver` (M. Ambrona, *A Practical Algorithm for Chess Unwinnability*, FUN 2022), and a
//! look that saves asking it.
//!
//! It knows the castling of standard chess only. Every other castling is left out here.

use crate::base::side::Side;
use crate::chess::movegen::{MoveClass, Sink, before};
use crate::chess::{Bitboard, Board, File, Kind, Move, Position, Rank, Square};
use chasolver::Winnability;

/// The rooks with which castling is allowed that standard chess does not have.
pub fn other_castling(board: &Board) -> Bitboard {
    let mut other = board.castling;
    for side in Side::ALL {
        let home = |file| Square::new(file, Rank::R1.relative_to(side));
        if board.king(side) == home(File::E) {
            other -= Bitboard::of(home(File::A)) | home(File::H);
        }
    }
    other
}

/// Whether `side` can mate without such castling; also where the solver does not know.
pub fn can_mate(position: &Position, side: Side) -> bool {
    solvers(position).is_none_or(|board| {
        chasolver::winnability(&board, color(side)) != Some(Winnability::Unwinnable)
    })
}

/// Whether neither side can mate without such castling, as far as a fast test sees it. What it calls
/// dead is dead.
pub fn is_dead(position: &Position) -> bool {
    !Side::ALL.into_iter().any(|side| is_open(position, side))
        && solvers(position).is_some_and(|board| {
            Side::ALL.into_iter().all(|side| chasolver::is_unwinnable_fast(&board, color(side)))
        })
}

/// Plies that the solver's fast test plays where there are not only pawns and bishops.
const PLIES: u32 = 4;

/// Whether the solver's fast test is sure to leave open whether `side` can mate: the pawns are none of
/// which it looks for a wall, and there is a line as long as it plays them, in which `side` keeps a
/// queen, a rook or a pawn.
fn is_open(position: &Position, side: Side) -> bool {
    let board = position.board();
    let pieces = board.kind(Kind::Knight) | board.kind(Kind::Rook) | board.kind(Kind::Queen);
    if pieces.is_empty() || can_be_wall(board, side) {
        return false;
    }
    let mut played = position.clone();
    for ply in 0..=PLIES {
        let board = played.board();
        let mates = board.straight_sliders(side) | board.pieces(side, Kind::Pawn);
        let mut found = Moves::default();
        played.generate::<{ MoveClass::All as u8 }, _>(Bitboard::ALL, &mut found);
        let Some(m) = found.first else { return false };
        // Moves without a choice come before the plies that the test counts.
        if mates.is_empty() || ply == 0 && found.count == 1 {
            return false;
        }
        if ply < PLIES {
            played = played.play(m);
        }
    }
    true
}

/// The first move found other than castling, and how many there are.
#[derive(Default)]
struct Moves {
    first: Option<Move>,
    count: u32,
}

impl Moves {
    #[inline(always)]
    fn see(&mut self, to: Bitboard, make: impl FnOnce(Square) -> Move) {
        self.count += to.len();
        if self.first.is_none() {
            self.first = to.first().map(make);
        }
    }
}

impl Sink for Moves {
    #[inline(always)]
    fn piece<const WHITE: bool>(&mut self, _: Kind, from: Square, to: Bitboard) {
        self.see(to, |to| Move::normal(from, to));
    }
    #[inline(always)]
    fn pawns<const WHITE: bool>(&mut self, to: Bitboard, delta: i8) {
        self.see(to, |to| Move::normal(before(to, delta), to));
    }
    #[inline(always)]
    fn double_steps<const WHITE: bool>(&mut self, to: Bitboard) {
        self.pawns::<WHITE>(to, if WHITE { 16 } else { -16 });
    }
    #[inline(always)]
    fn promotions<const WHITE: bool>(&mut self, to: Bitboard, delta: i8) {
        self.see(to, |to| Move::promotion(before(to, delta), to, Kind::Queen));
    }
    #[inline(always)]
    fn en_passant<const WHITE: bool>(&mut self, from: Square, to: Square) {
        self.see(to.into(), |to| Move::en_passant(from, to));
    }
    fn castle<const WHITE: bool>(&mut self, _: Square, _: Square) {}
}

/// Whether enough pawns of `side` stand before an enemy pawn or king, and no file has pawns of one side
/// only, but for those that are a step from promotion.
fn can_be_wall(board: &Board, side: Side) -> bool {
    let pawns = board.kind(Kind::Pawn).len();
    let faced = board.pieces(side, Kind::Pawn).forward(side)
        & (board.pieces(!side, Kind::Pawn) | board.king(!side));
    let files = |side: Side| {
        let pawns = board.pieces(side, Kind::Pawn) - Bitboard::rank(Rank::R7.relative_to(side));
        pawns.fill_up().fill_down()
    };
    faced.len() >= (pawns / 2).saturating_sub(2).max(1) && files(side) == files(!side)
}

/// The position as the solver has it, without other castling than that of standard chess; none where
/// its board refuses it.
fn solvers(position: &Position) -> Option<chess::Board> {
    const KINDS: [(Kind, chess::Piece); Kind::NUM] = [
        (Kind::Pawn, chess::Piece::Pawn),
        (Kind::Knight, chess::Piece::Knight),
        (Kind::Bishop, chess::Piece::Bishop),
        (Kind::Rook, chess::Piece::Rook),
        (Kind::Queen, chess::Piece::Queen),
        (Kind::King, chess::Piece::King),
    ];
    let board = position.board();
    let castling = board.castling - other_castling(board);
    let mut builder = chess::BoardBuilder::new();
    for side in Side::ALL {
        for (kind, piece) in KINDS {
            for square in board.pieces(side, kind) {
                // Both number the squares from a1, rank by rank.
                builder.piece(chess::ALL_SQUARES[square.index()], piece, color(side));
            }
        }
        let right = |file| castling.has(Square::new(file, Rank::R1.relative_to(side)));
        let rights = match (right(File::A), right(File::H)) {
            (false, false) => chess::CastleRights::NoRights,
            (false, true) => chess::CastleRights::KingSide,
            (true, false) => chess::CastleRights::QueenSide,
            (true, true) => chess::CastleRights::Both,
        };
        builder.castle_rights(color(side), rights);
    }
    builder.side_to_move(color(position.side()));
    builder
        .en_passant(board.en_passant.first().map(|square| chess::ALL_FILES[square.file().index()]));
    chess::Board::try_from(builder).ok()
}

const fn color(side: Side) -> chess::Color {
    match side {
        Side::White => chess::Color::White,
        Side::Black => chess::Color::Black,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::Rng;
    use crate::chess::setup::Setup;
    use crate::chess::{Piece, random_game};

    /// Positions of random games.
    fn played(rng: &mut Rng) -> Vec<Position> {
        let start = |number: u16| {
            Position::chess960(518 + 7 * (number % 2)).unwrap_or_else(Position::start)
        };
        (0..30).flat_map(|number| random_game(start(number), 400, rng)).collect()
    }

    /// Positions of few pieces and of pawns most of which face an enemy pawn.
    fn walls(rng: &mut Rng) -> Vec<Position> {
        let wall = |_| {
            let mut setup = Setup::empty();
            let mut rank = 1 + rng.below(5);
            for file in File::ALL {
                let mut put = |rank: usize, side| {
                    let square = Square::new(file, Rank::ALL[rank]);
                    setup.pieces[square.index()] = Some(Piece::new(side, Kind::Pawn));
                };
                match rng.below(16) {
                    0 => put(rank, Side::White),
                    1 => put(rank, Side::Black),
                    2 | 3 => {}
                    _ => {
                        put(rank, Side::White);
                        put(rank + 1, Side::Black);
                    }
                }
                // Neighbours that cannot take each other.
                rank = if rank == 1 || rank < 5 && rng.below(2) == 0 { rank + 1 } else { rank - 1 };
            }
            let mut kinds = vec![(Side::White, Kind::King), (Side::Black, Kind::King)];
            for _ in 0..rng.below(3) {
                let kind = [Kind::Bishop, Kind::Knight, Kind::Rook, Kind::Queen];
                kinds.push((Side::ALL[rng.below(2)], kind[rng.below(4)]));
            }
            for (side, kind) in kinds {
                setup.pieces[rng.below(64)] = Some(Piece::new(side, kind));
            }
            setup.side = Side::ALL[rng.below(2)];
            Position::try_from(setup).ok()
        };
        (0..8_000).filter_map(wall).collect()
    }

    /// Asks the solver itself, and counts the positions in which that was needless, and the dead.
    fn compare(positions: &[Position]) -> [usize; 2] {
        let (mut open, mut dead) = (0, 0);
        for position in positions {
            let Some(board) = solvers(position) else { panic!("{} is refused", position.fen()) };
            let [white, black] = Side::ALL.map(|side| {
                let unwinnable = chasolver::is_unwinnable_fast(&board, color(side));
                assert!(!is_open(position, side) || !unwinnable, "{} {side}", position.fen());
                unwinnable
            });
            assert_eq!(is_dead(position), white && black, "{}", position.fen());
            open += usize::from(Side::ALL.into_iter().any(|side| is_open(position, side)));
            dead += usize::from(white && black);
        }
        [open, dead]
    }

    #[test]
    fn what_spares_the_solver_agrees_with_it() {
        let mut rng = Rng::new(5);
        let games = played(&mut rng);
        let [open, _] = compare(&games);
        assert!(open * 4 > games.len() * 3, "{open} of {}", games.len());
        let [open, dead] = compare(&walls(&mut rng));
        assert!(open > 500 && dead > 50, "{open} {dead}");
    }

    #[test]
    fn boards_are_as_their_fen_says() {
        for position in played(&mut Rng::new(6)) {
            if other_castling(position.board()).is_empty() {
                assert_eq!(solvers(&position), position.fen().to_string().parse().ok());
            }
        }
    }
}
