//! Opening books in the Polyglot format (by Fabien Letouzey), which map positions to weighted
//! moves.
//!
//! An entry is 16 bytes long. Its fields are big-endian. Entries are sorted by key.
//!
//! | offset | bits | field |
//! |---|---|---|
//! | 0 | 64 | Zobrist key of the position |
//! | 8 | 16 | move, from the lowest bit: destination file and rank, origin file and rank, promotion piece (3 bits each); castling is the king moving to the rook's square |
//! | 10 | 16 | weight: relative frequency of the move |
//! | 12 | 32 | learning data of an engine |

mod numbers;

use super::board::CastlingSquares;
use super::moves::Move;
use super::pgn::{Game, GameResult};
use super::piece::Piece;
use super::position::Position;
use crate::base::file::read_regular;
use crate::base::rng::Rng;
use crate::base::side::Side;
use numbers::NUMBERS;
use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::Path;

pub(crate) fn key(position: &Position) -> u64 {
    const CASTLING: usize = Piece::NUM * 64;
    const EN_PASSANT: usize = CASTLING + 4;
    const WHITE: usize = EN_PASSANT + 8;
    let board = position.board();
    let mut key = if position.side().is_white() { NUMBERS[WHITE] } else { 0 };
    for square in board.occupied() {
        if let Some(Piece { side, kind }) = board.piece_on(square) {
            let piece = kind.index() * 2 + usize::from(side.is_white());
            key ^= NUMBERS[piece * 64 + square.index()];
        }
    }
    for rook in board.castling {
        let side = board.piece_on(rook).map_or(Side::White, |piece| piece.side);
        let is_long = rook.file() < board.king(side).file();
        key ^= NUMBERS[CASTLING + 2 * side.index() + usize::from(is_long)];
    }
    // In this format, the key includes the en passant file even if the capture is illegal.
    if let Some(square) = position.passed() {
        key ^= NUMBERS[EN_PASSANT + square.file().index()];
    }
    key
}

const ENTRY: usize = 16;
/// The maximum size of a book file in bytes (67 million entries).
pub(crate) const MAX_FILE: u64 = 1 << 30;

fn code(m: Move) -> u16 {
    let (to, from) = (m.to() as u16, m.from() as u16);
    let promoted = m.promoted().map_or(0, |kind| kind.index() as u16);
    promoted << 12 | from << 6 | to
}

/// Returns the legal move with this code. Castling may also be encoded as the king's move, as some
/// books do.
fn decode(position: &Position, wanted: u16) -> Option<Move> {
    let moves = position.legal_moves();
    let two_steps = |m: &Move| {
        let to = CastlingSquares::of(m.from(), m.to()).king;
        m.is_castle() && wanted == (m.from() as u16) << 6 | to as u16
    };
    let exact = moves.iter().find(|&&m| code(m) == wanted);
    exact.or_else(|| moves.iter().find(|m| two_steps(m))).copied()
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weighted {
    pub m: Move,
    /// The frequency of the move relative to the other moves in the position.
    pub weight: u16,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Book {
    entries: Vec<(u64, u16, u16)>,
}

#[derive(Debug, thiserror::Error)]
pub enum BookError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("the book is empty")]
    Empty,
    #[error("not a Polyglot book, or truncated: {0} bytes are not a multiple of 16")]
    Length(usize),
    #[error("not a Polyglot book: the key of entry {0} is lower than the previous key")]
    Unsorted(usize),
}

impl Book {
    pub fn open(path: &Path) -> Result<Self, BookError> {
        Self::read(&read_regular(path, MAX_FILE)?)
    }

    pub fn read(bytes: &[u8]) -> Result<Self, BookError> {
        let (records, rest) = bytes.as_chunks::<ENTRY>();
        if !rest.is_empty() {
            return Err(BookError::Length(bytes.len()));
        }
        if records.is_empty() {
            return Err(BookError::Empty);
        }
        let mut entries = Vec::with_capacity(records.len());
        let mut last = 0;
        for (number, [a, b, c, d, e, f, g, h, move_high, move_low, high, low, ..]) in
            (1..).zip(records)
        {
            let key = u64::from_be_bytes([*a, *b, *c, *d, *e, *f, *g, *h]);
            if key < last {
                return Err(BookError::Unsorted(number));
            }
            last = key;
            let (m, weight) = ([*move_high, *move_low], [*high, *low]);
            entries.push((key, u16::from_be_bytes(m), u16::from_be_bytes(weight)));
        }
        Ok(Self { entries })
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.entries.len() * ENTRY);
        for (key, m, weight) in &self.entries {
            bytes.extend(key.to_be_bytes());
            bytes.extend(m.to_be_bytes());
            bytes.extend(weight.to_be_bytes());
            bytes.extend([0; 4]);
        }
        bytes
    }

    pub const fn len(&self) -> usize {
        self.entries.len()
    }

    pub const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the legal book moves with a positive weight in a position, in book order.
    pub fn moves(&self, position: &Position) -> Vec<Weighted> {
        let key = key(position);
        let start = self.entries.partition_point(|entry| entry.0 < key);
        let entries = self.entries[start..].iter().take_while(|entry| entry.0 == key);
        let played = entries.filter(|entry| entry.2 > 0);
        let found = played
            .filter_map(|&(_, code, weight)| Some(Weighted { m: decode(position, code)?, weight }));
        found.collect()
    }

    /// Draws a book move with a probability proportional to its weight.
    pub fn choose(&self, position: &Position, rng: &mut Rng) -> Option<Move> {
        let moves = self.moves(position);
        let sum: usize = moves.iter().map(|weighted| usize::from(weighted.weight)).sum();
        let mut drawn = rng.below(sum);
        for Weighted { m, weight } in moves {
            match drawn.checked_sub(weight.into()) {
                None => return Some(m),
                Some(rest) => drawn = rest,
            }
        }
        None
    }
}

/// Builds a book from games. The weight of a move is 2 for each game won by the player who made it,
/// plus 1 for each draw.
#[derive(Clone, Debug)]
pub(crate) struct Maker {
    pub plies: usize,
    pub min_games: u64,
    /// For each position key and move code, the number of games and the weight of the move.
    counts: HashMap<(u64, u16), (u64, u64)>,
}

impl Maker {
    pub(crate) fn new(plies: usize, min_games: u64) -> Self {
        Self { plies, min_games, counts: HashMap::new() }
    }

    pub(crate) fn add(&mut self, game: &Game) {
        let mut position = game.start().clone();
        for m in game.moves().take(self.plies).take_while(|&m| m != Move::NULL) {
            let points = match (game.result, position.side()) {
                (GameResult::Unknown, _) => return,
                (GameResult::Draw, _) => 1,
                (GameResult::WhiteWins, Side::White) | (GameResult::BlackWins, Side::Black) => 2,
                (GameResult::WhiteWins, Side::Black) | (GameResult::BlackWins, Side::White) => 0,
            };
            let (games, weight) = self.counts.entry((key(&position), code(m))).or_default();
            *games += 1;
            *weight += points;
            position = position.play(m);
        }
    }

    /// Builds the book. Moves with weight 0 and moves from fewer than `min_games` games are
    /// omitted. If a weight exceeds 16 bits, all weights of the position are scaled down, but not
    /// below 1. The moves of a position are sorted by decreasing weight.
    pub(crate) fn book(&self) -> Book {
        let mut positions = BTreeMap::<u64, Vec<(u64, u16)>>::new();
        for (&(key, code), &(games, weight)) in &self.counts {
            if games >= self.min_games && weight > 0 {
                positions.entry(key).or_default().push((weight, code));
            }
        }
        let mut entries = Vec::new();
        for (key, mut moves) in positions {
            moves.sort_unstable_by_key(|&(weight, code)| (u64::MAX - weight, code));
            let greatest = moves.first().map_or(1, |first| first.0);
            let max = u64::from(u16::MAX);
            let scaled = |weight: u64| match greatest > max {
                true => (u128::from(weight) * u128::from(max) / u128::from(greatest)) as u16,
                false => weight as u16,
            };
            entries.extend(moves.into_iter().map(|(weight, m)| (key, m, scaled(weight).max(1))));
        }
        Book { entries }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::pgn::Reader;
    use std::collections::BTreeSet;

    fn after(moves: &str) -> Position {
        moves.split_whitespace().fold(Position::start(), |position, text| {
            position.play(position.parse_uci(text).expect(text))
        })
    }

    // The keys are the examples in the format specification (hgm.nubati.net/book_format.html).
    #[test]
    fn keys_match_the_published_examples() {
        for (moves, expected) in [
            ("", 0x463b_9618_1691_fc9c),
            ("e2e4", 0x823c_9b50_fd11_4196),
            ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
            ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
            ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
            ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
            ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fd_d303_c946_bdd9),
            ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
            ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f_9b82_9b27_9560),
        ] {
            assert_eq!(key(&after(moves)), expected, "{moves}");
        }
    }

    // The keys were computed with python-chess. No en passant capture is legal in these positions:
    // the pawn on e5 is pinned on its file, the pawn on b5 would expose its king to the rook, and
    // no enemy pawn is next to a4.
    #[test]
    fn keys_contain_en_passant_next_to_any_pawn() {
        for (fen, text, expected) in [
            ("4r1k1/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5", 0x7ddd_0eef_bfc8_435a),
            ("8/2p5/8/KP5r/8/8/8/7k b - - 0 1", "c7c5", 0xf008_b0d4_b67d_65ee),
            ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "a2a4", 0x21e0_8962_8d05_967e),
        ] {
            let before: Position = fen.parse().expect(fen);
            let after = before.play(before.parse_uci(text).expect(text));
            assert_eq!((after.board().en_passant.first(), key(&after)), (None, expected), "{fen}");
            // Our own FEN omits the en passant square. A FEN that contains it gives the same key.
            let passed = format!("{}{}", &text[..1], if after.side().is_white() { 6 } else { 3 });
            let fen = after.fen().replacen(" - - ", &format!(" - {passed} "), 1);
            let read: Position = fen.parse().expect(&fen);
            assert_eq!((&read, key(&read)), (&after, expected), "{fen}");
            assert_eq!(after.fen().parse(), Ok(after), "{fen}");
        }
    }

    fn book(games: &str) -> Book {
        let mut maker = Maker::new(40, 1);
        for game in Reader::new(games.as_bytes()) {
            maker.add(&game.expect("a game"));
        }
        maker.book()
    }

    #[test]
    fn weights_follow_results_and_round_trip() {
        let book = book(
            "1. e4 e5 1-0\n\n[White \"?\"]\n\n1. e4 c5 1/2-1/2\n\n[White \"?\"]\n\n1. d4 d5 0-1\n\n\
             [White \"?\"]\n\n1. c4 *\n",
        );
        let show = |position: &Position| {
            let moves = book.moves(position).into_iter();
            moves.map(|w| format!("{} {}", position.san(w.m), w.weight)).collect::<Vec<_>>()
        };
        assert_eq!(show(&Position::start()), ["e4 3"]);
        assert_eq!(show(&after("e2e4")), ["c5 1"]);
        assert_eq!(show(&after("d2d4")), ["d5 2"]);
        assert_eq!(show(&after("c2c4")), [""; 0]);
        assert_eq!(Book::read(&book.bytes()).ok(), Some(book.clone()));
        assert_eq!(book.len(), 3);
    }

    #[test]
    fn decodes_castling_in_both_forms_and_promotions() {
        let castling: Position =
            "r3k2r/P7/8/8/8/8/8/R3K2R w KQkq - 0 1".parse().expect("a position");
        let wanted = |text: &str| {
            let m = castling.parse_uci(text).expect(text);
            assert_eq!(decode(&castling, code(m)), Some(m), "{text}");
            code(m)
        };
        // e1 is square 4, h1 is 7, a8 is 56.
        assert_eq!(wanted("e1g1"), 4 << 6 | 7);
        assert_eq!(wanted("e1c1"), 4 << 6);
        assert_eq!(wanted("a1b1"), 1);
        let two_steps = decode(&castling, 4 << 6 | 6);
        assert_eq!(two_steps, castling.parse_uci("e1g1").ok());
        let promoting: Position = "1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1".parse().expect("a position");
        let queen = promoting.parse_uci("a7b8q").expect("legal");
        assert_eq!(code(queen), 4 << 12 | 48 << 6 | 57);
        assert_eq!(decode(&promoting, code(queen)), Some(queen));
        assert_eq!(decode(&promoting, 48 << 6 | 57), None);
    }

    #[test]
    fn draws_moves_in_proportion_to_weights() {
        let games = "1. e4 1-0\n\n".repeat(9) + "[White \"?\"]\n\n1. d4 1-0\n\n";
        let games = games.replace("1. e4", "[White \"?\"]\n\n1. e4");
        let (book, mut rng) = (book(&games), Rng::new(3));
        let start = Position::start();
        let drawn: Vec<_> = (0..1000).filter_map(|_| book.choose(&start, &mut rng)).collect();
        assert_eq!(drawn.len(), 1000);
        assert_eq!(drawn.iter().map(ToString::to_string).collect::<BTreeSet<_>>().len(), 2);
        let rare = drawn.iter().filter(|m| m.to_string() == "d2d4").count();
        assert!((60..150).contains(&rare), "{rare}");
    }

    #[test]
    fn rejects_malformed_books_and_scales_large_weights() {
        let whole = book("1. e4 e5 2. Nf3 1/2-1/2").bytes();
        assert!(matches!(Book::read(&[]), Err(BookError::Empty)));
        assert!(matches!(Book::read(&whole[..40]), Err(BookError::Length(40))));
        let mut unsorted = whole.clone();
        unsorted.rotate_left(16);
        assert!(matches!(Book::read(&unsorted), Err(BookError::Unsorted(3))));
        let scaled = {
            let mut maker = Maker::new(1, 1);
            maker.counts = [((1, 1), (1, 1)), ((1, 2), (1, 1 << 40))].into();
            maker.book()
        };
        assert_eq!(scaled.entries, [(1, 2, u16::MAX), (1, 1, 1)]);
    }
}
