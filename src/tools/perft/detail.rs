//! What the moves of a perft tree are: captures, castling, checks and so on, a row for each ply.
//!
//! Two counts that agree can hide two faults that cancel each other; the columns of the tables on
//! the web show them, and show what a generator that counts wrongly forgets.

use super::PerftError;
use crate::base::game::Game;
use crate::chess;
use crate::chess::moves::MoveKind;
use crate::draughts;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A game whose moves are counted by kind.
pub trait Kinds: Game {
    /// The names of the kinds, in lower case.
    const KINDS: &[&str];

    /// Calls `is` with the index of each kind that a legal move is of; `next` is the position after
    /// it.
    fn kinds(&self, m: Self::Move, next: &Self, is: impl FnMut(usize));
}

/// One ply of a tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The moves that lead to this ply.
    pub nodes: u64,
    /// How many of them are of each of the [`Kinds::KINDS`].
    pub kinds: Vec<u64>,
}

impl Row {
    fn add(&mut self, other: &Self) {
        self.nodes += other.nodes;
        for (sum, count) in self.kinds.iter_mut().zip(&other.kinds) {
            *sum += count;
        }
    }
}

/// Counts the moves of each ply down to `depth` by kind, on as many threads, at least one. `None` if
/// `stop` was set before the end.
///
/// # Errors
/// If the threads cannot be started.
pub fn detail<G: Kinds>(
    root: &G,
    depth: u32,
    threads: usize,
    stop: &AtomicBool,
) -> Result<Option<Vec<Row>>, PerftError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.max(1)).build()?;
    let mut rows = empty::<G>(depth as usize);
    pool.install(|| walk(root, &mut rows, stop, SHARED));
    Ok((!stop.load(Relaxed)).then_some(rows))
}

/// Rows for as many plies.
fn empty<G: Kinds>(plies: usize) -> Vec<Row> {
    vec![Row { nodes: 0, kinds: vec![0; G::KINDS.len()] }; plies]
}

/// Plies from the root at which the moves are divided among threads.
const SHARED: u32 = 3;

/// Adds the moves below a position to the rows of their plies.
fn walk<G: Kinds>(position: &G, rows: &mut [Row], stop: &AtomicBool, shared: u32) {
    let Some((row, below)) = rows.split_first_mut() else { return };
    if stop.load(Relaxed) {
        return;
    }
    let moves = position.moves();
    for &m in &moves {
        let next = position.after(m);
        row.nodes += 1;
        position.kinds(m, &next, |kind| row.kinds[kind] += 1);
        if shared == 0 {
            walk(&next, below, stop, 0);
        }
    }
    if shared > 0 {
        let plies = below.len();
        let count = |mut rows: Vec<Row>, m| {
            walk(&position.after(m), &mut rows, stop, shared - 1);
            rows
        };
        let counts = moves.into_par_iter().with_max_len(1).fold(|| empty::<G>(plies), count);
        let sum = counts.reduce(|| empty::<G>(plies), |rows, others| added(rows, &others));
        for (row, more) in below.iter_mut().zip(&sum) {
            row.add(more);
        }
    }
}

/// The sums of the rows of two parts of a tree.
fn added(mut rows: Vec<Row>, others: &[Row]) -> Vec<Row> {
    for (row, other) in rows.iter_mut().zip(others) {
        row.add(other);
    }
    rows
}

impl Kinds for chess::Position {
    const KINDS: &[&str] = &[
        "captures",
        "en passant",
        "castling",
        "promotions",
        "checks",
        "discovered checks",
        "double checks",
        "mates",
    ];

    fn kinds(&self, m: Self::Move, next: &Self, mut is: impl FnMut(usize)) {
        let arrives = match m.kind() {
            MoveKind::Castle => {
                is(2);
                // The rook's: a king gives no check.
                chess::board::CastlingSquares::of(m.from(), m.to()).rook
            }
            kind => {
                if matches!(kind, MoveKind::EnPassant) {
                    is(1);
                }
                if matches!(kind, MoveKind::EnPassant) || self.piece_on(m.to()).is_some() {
                    is(0);
                }
                if matches!(kind, MoveKind::Promotion(_)) {
                    is(3);
                }
                m.to()
            }
        };
        let checkers = next.checkers();
        if checkers.is_empty() {
            return;
        }
        is(4);
        if checkers.many() {
            is(6);
        } else if !checkers.has(arrives) {
            is(5);
        }
        if next.legal_moves().is_empty() {
            is(7);
        }
    }
}

impl Kinds for draughts::Position {
    const KINDS: &[&str] =
        &["captures", "of 1", "of 2", "of 3", "of 4", "of 5 or more", "king moves", "promotions"];

    fn kinds(&self, m: Self::Move, next: &Self, mut is: impl FnMut(usize)) {
        let taken = m.taken().len() as usize;
        if taken > 0 {
            is(0);
            is(taken.min(5));
        }
        let is_king = |position: &Self, square| position.board().all_kings().has(square);
        if is_king(self, m.from()) {
            is(6);
        } else if is_king(next, m.to()) {
            is(7);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A position, and for each depth the moves and how many are of each kind.
    type Table<const N: usize> = (&'static str, &'static [[u64; N]]);

    fn check<G: Kinds, const N: usize>(position: &G, expected: &[[u64; N]]) {
        let rows = detail(position, expected.len() as u32, 2, &AtomicBool::new(false));
        let rows = rows.expect("two threads can be started").expect("nobody stops it");
        for (depth, (row, expected)) in (1..).zip(rows.iter().zip(expected)) {
            let row: Vec<u64> = [row.nodes].into_iter().chain(row.kinds.iter().copied()).collect();
            assert_eq!(row, expected, "{position:?}, depth {depth}");
        }
    }

    /// The tables of chessprogramming.org, "Perft Results", as far as they have these columns: of the
    /// fifth and sixth position they give the nodes alone. All columns of all six are also what
    /// python-chess 1.11.2 counts; `engine-tests/clients/perft_detail.py` counts them again.
    #[test]
    fn chess_has_the_published_columns() {
        let tables: [Table<9>; 6] = [
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                &[
                    [20, 0, 0, 0, 0, 0, 0, 0, 0],
                    [400, 0, 0, 0, 0, 0, 0, 0, 0],
                    [8902, 34, 0, 0, 0, 12, 0, 0, 0],
                    [197_281, 1576, 0, 0, 0, 469, 0, 0, 8],
                    [4_865_609, 82_719, 258, 0, 0, 27_351, 6, 0, 347],
                ],
            ),
            (
                "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                &[
                    [48, 8, 0, 2, 0, 0, 0, 0, 0],
                    [2039, 351, 1, 91, 0, 3, 0, 0, 0],
                    [97_862, 17_102, 45, 3162, 0, 993, 0, 0, 1],
                    [4_085_603, 757_163, 1929, 128_013, 15_172, 25_523, 42, 6, 43],
                ],
            ),
            (
                "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
                &[
                    [14, 1, 0, 0, 0, 2, 0, 0, 0],
                    [191, 14, 0, 0, 0, 10, 0, 0, 0],
                    [2812, 209, 2, 0, 0, 267, 3, 0, 0],
                    [43_238, 3348, 123, 0, 0, 1680, 106, 0, 17],
                    [674_624, 52_051, 1165, 0, 0, 52_950, 1292, 3, 0],
                ],
            ),
            (
                "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
                &[
                    [6, 0, 0, 0, 0, 0, 0, 0, 0],
                    [264, 87, 0, 6, 48, 10, 0, 0, 0],
                    [9467, 1021, 4, 0, 120, 38, 2, 0, 22],
                    [422_333, 131_393, 0, 7795, 60_032, 15_492, 19, 0, 5],
                ],
            ),
            (
                "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
                &[
                    [44, 6, 0, 1, 4, 0, 0, 0, 0],
                    [1486, 222, 0, 0, 0, 117, 0, 0, 0],
                    [62_379, 8517, 0, 1081, 5068, 1201, 0, 0, 44],
                    [2_103_487, 296_153, 0, 0, 0, 158_486, 10_877, 1770, 240],
                ],
            ),
            (
                "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
                &[
                    [46, 4, 0, 0, 0, 1, 0, 0, 0],
                    [2079, 203, 0, 0, 0, 40, 0, 0, 0],
                    [89_890, 9470, 0, 0, 0, 1783, 0, 0, 0],
                    [3_894_594, 440_388, 0, 0, 0, 68_985, 62, 20, 0],
                ],
            ),
        ];
        for (fen, expected) in tables {
            check(&fen.parse::<chess::Position>().expect("a position"), expected);
        }
    }

    #[test]
    fn classifies_draughts_moves() {
        // A king takes one and can stop on four squares; a man promotes.
        let king: draughts::Position = "W:WK46:B23".parse().expect("a position");
        check(&king, &[[4, 4, 4, 0, 0, 0, 0, 4, 0]]);
        let man: draughts::Position = "W:W6:B45".parse().expect("a position");
        check(&man, &[[1, 0, 0, 0, 0, 0, 0, 0, 1]]);
        let start = draughts::Position::start();
        let rows = detail(&start, 6, 1, &AtomicBool::new(false)).expect("a thread");
        for (depth, row) in (1..).zip(rows.expect("nobody stops it")) {
            assert_eq!(row.nodes, start.perft(depth));
            assert_eq!(row.kinds[0], row.kinds[1..6].iter().sum::<u64>());
        }
    }

    /// What pydraughts 0.6.7 counts, by `engine-tests/clients/perft_detail.py`; captures of the same
    /// pieces between the same squares are one move.
    #[test]
    fn draughts_columns_match_other_programs() {
        let tables: [Table<9>; 4] = [
            (
                "W:W31-50:B1-20",
                &[
                    [9, 0, 0, 0, 0, 0, 0, 0, 0],
                    [81, 0, 0, 0, 0, 0, 0, 0, 0],
                    [658, 15, 15, 0, 0, 0, 0, 0, 0],
                    [4265, 333, 299, 34, 0, 0, 0, 0, 0],
                    [27_117, 2410, 2154, 256, 0, 0, 0, 0, 0],
                ],
            ),
            (
                "W:W25,27,28,30,32,33,34,35,37,38:B12,13,14,16,18,19,21,23,24,26",
                &[
                    [6, 0, 0, 0, 0, 0, 0, 0, 0],
                    [12, 6, 5, 0, 0, 0, 1, 0, 0],
                    [30, 8, 7, 0, 1, 0, 0, 0, 0],
                    [73, 35, 21, 12, 1, 0, 1, 0, 0],
                    [215, 56, 29, 8, 18, 1, 0, 0, 0],
                    [590, 240, 125, 95, 9, 8, 3, 0, 0],
                    [1944, 470, 195, 148, 122, 5, 0, 0, 16],
                ],
            ),
            (
                "B:W6,9,10,11,20,21,22,23,30,K31,33,37,41,42,43,44,46:BK17,K24",
                &[
                    [14, 14, 0, 0, 0, 0, 14, 14, 0],
                    [55, 0, 0, 0, 0, 0, 0, 0, 13],
                    [1168, 5, 5, 0, 0, 0, 0, 1168, 0],
                ],
            ),
            (
                "W:W6,7,8,9,10:B41,42,43,44,45",
                &[
                    [9, 0, 0, 0, 0, 0, 0, 0, 9],
                    [81, 0, 0, 0, 0, 0, 0, 0, 81],
                    [795, 7, 7, 0, 0, 0, 0, 340, 455],
                    [7578, 106, 79, 9, 8, 10, 0, 3239, 4324],
                ],
            ),
        ];
        for (fen, expected) in tables {
            check(&fen.parse::<draughts::Position>().expect("a position"), expected);
        }
    }

    #[test]
    fn returns_none_for_a_stopped_count() {
        let start = chess::Position::start();
        assert_eq!(detail(&start, 4, 1, &AtomicBool::new(true)).expect("a thread"), None);
    }
}
