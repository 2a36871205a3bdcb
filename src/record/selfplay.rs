//! Games of the engine against itself, four bytes a ply: what evaluations learn from.
//!
//! A file is a sequence of blocks, so files of the same game are joined by concatenation. Numbers are
//! little-endian; a *varint* has seven bits a byte, the lowest first, and the high bit set in all bytes
//! but the last.
//!
//! | bytes | what a block consists of |
//! |---|---|
//! | 4 | the mark `AGR1` |
//! | 1 | the kind: 0 [`GenerationSettings`], 1 games |
//! | 4 | the length of the body, at most [`MAX_BODY_LEN`] |
//! | 4 | CRC-32 of kind, length and body |
//! | | the body |
//!
//! Settings are JSON and hold for the games behind them until the next settings. Games follow each
//! other without anything between:
//!
//! | bytes | what a game consists of |
//! |---|---|
//! | varint | its number |
//! | 1 | half points of White: 0, 1, 2 |
//! | varint, text | the length of the start position, and the position as FEN; nothing for the usual one |
//! | varint | the number of plies |
//! | 2, 2 each | the move's code, and the score of the search that chose it |
//!
//! Each game defines its codes; [`UNKNOWN_MOVE`] is never a move. The score is in hundredths of a pawn or
//! man from the side to move; −32768 means that there was no search (a random move of the opening,
//! a forced move).
//!
//! A block that is damaged or cut off is lost, but no other: the [`Reader`] looks for the next mark
//! and reports what it skipped.

use serde::{Deserialize, Serialize};
use std::io::{self, Read, Write};

const MARK: [u8; 4] = *b"AGR1";
/// Mark, kind, length, checksum.
const HEADER_LEN: usize = 13;
/// The maximum length of a body, in bytes.
pub const MAX_BODY_LEN: usize = 1 << 20;
/// The length of a body, in bytes, at which its block is written.
const FLUSH_LEN: usize = 1 << 15;
/// The code of an unknown move.
pub const UNKNOWN_MOVE: u16 = u16::MAX;
const NOT_SEARCHED: i16 = i16::MIN;

/// How games were made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GenerationSettings {
    /// The game, as `--game` names it.
    pub game: String,
    /// The program and its version.
    pub program: String,
    /// The nodes of a short bench of the game: it tells one evaluation or search from another.
    pub signature: u64,
    /// Nodes for each move, at the end of which the iteration is finished.
    pub nodes: u64,
    /// The seed of the games' openings.
    pub seed: u64,
    /// How many of a hundred games of chess begin from a Chess960 position.
    pub chess960: u8,
}

/// A move, and the score of the search that chose it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ply {
    /// The move, in the game's code, or [`UNKNOWN_MOVE`].
    pub code: u16,
    /// Hundredths of a pawn or man, from the side to move; `None` if there was no search.
    pub score: Option<i16>,
}

/// One game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// Its number among the games of its settings.
    pub number: u64,
    /// Half points of White: 0, 1, 2.
    pub half_points: u8,
    /// Where it started, as FEN; empty for the usual position.
    pub start: String,
    /// Its moves.
    pub plies: Vec<Ply>,
}

/// A block that was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Block {
    /// How the games that follow were made.
    Settings(GenerationSettings),
    /// Games.
    Games(Vec<Game>),
}

/// Why a part of a file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// These bytes are not a block.
    #[error("bytes {from} to {to} are damaged or cut off: passed over")]
    Damaged {
        /// Where the damage begins, from 0.
        from: u64,
        /// The first byte after it.
        to: u64,
    },
    /// The file cannot be read. Nothing follows.
    #[error(transparent)]
    Io(#[from] io::Error),
}

fn varint(body: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        body.push(n as u8 | 0x80);
        n >>= 7;
    }
    body.push(n as u8);
}

impl Game {
    fn write(&self, body: &mut Vec<u8>) {
        varint(body, self.number);
        body.push(self.half_points);
        varint(body, self.start.len() as u64);
        body.extend_from_slice(self.start.as_bytes());
        varint(body, self.plies.len() as u64);
        for ply in &self.plies {
            body.extend_from_slice(&ply.code.to_le_bytes());
            body.extend_from_slice(&ply.score.unwrap_or(NOT_SEARCHED).to_le_bytes());
        }
    }

    fn read(body: &mut &[u8]) -> Option<Self> {
        let number = read_varint(body)?;
        let [half_points] = take(body)?;
        let len = usize::try_from(read_varint(body)?).ok()?;
        let (start, rest) = body.split_at_checked(len)?;
        *body = rest;
        let start = str::from_utf8(start).ok()?.to_owned();
        let plies = usize::try_from(read_varint(body)?).ok()?;
        // Each ply has four bytes, so there cannot be more plies than that, whatever the number
        // says.
        if half_points > 2 || plies > body.len() / 4 {
            return None;
        }
        let ply = |_| {
            let code = u16::from_le_bytes(take(body)?);
            let score = i16::from_le_bytes(take(body)?);
            Some(Ply { code, score: (score != NOT_SEARCHED).then_some(score) })
        };
        let plies = (0..plies).map(ply).collect::<Option<_>>()?;
        Some(Self { number, half_points, start, plies })
    }
}

fn take<const N: usize>(body: &mut &[u8]) -> Option<[u8; N]> {
    let (taken, rest) = body.split_first_chunk()?;
    *body = rest;
    Some(*taken)
}

fn read_varint(body: &mut &[u8]) -> Option<u64> {
    let mut n = 0;
    for shift in (0..64).step_by(7) {
        let [byte] = take(body)?;
        n |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(n);
        }
    }
    None
}

/// The block of a kind with a body.
fn block(kind: u8, body: &[u8]) -> Vec<u8> {
    let mut block = Vec::with_capacity(HEADER_LEN + body.len());
    block.extend_from_slice(&MARK);
    block.push(kind);
    block.extend_from_slice(&(body.len() as u32).to_le_bytes());
    block.extend_from_slice(&checksum(kind, body).to_le_bytes());
    block.extend_from_slice(body);
    block
}

fn checksum(kind: u8, body: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&[kind]);
    hasher.update(&(body.len() as u32).to_le_bytes());
    hasher.update(body);
    hasher.finalize()
}

impl Block {
    fn read(kind: u8, mut body: &[u8]) -> Option<Self> {
        match kind {
            0 => Some(Self::Settings(serde_json::from_slice(body).ok()?)),
            1 => {
                let mut games = Vec::new();
                while !body.is_empty() {
                    games.push(Game::read(&mut body)?);
                }
                Some(Self::Games(games))
            }
            _ => None,
        }
    }
}

/// Writes games, a block at a time.
#[derive(Debug)]
pub struct Writer<W: Write> {
    out: W,
    body: Vec<u8>,
}

impl<W: Write> Writer<W> {
    /// A writer of games that were made with these settings.
    pub fn new(mut out: W, settings: &GenerationSettings) -> io::Result<Self> {
        out.write_all(&block(0, &serde_json::to_vec(settings)?))?;
        Ok(Self { out, body: Vec::new() })
    }

    /// Adds a game, which is written when its block is full.
    ///
    /// # Errors
    /// If writing fails, or if the game is longer than a block can be; it is then not written.
    pub fn push(&mut self, game: &Game) -> io::Result<()> {
        let before = self.body.len();
        game.write(&mut self.body);
        if self.body.len() > MAX_BODY_LEN {
            self.body.truncate(before);
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "a game too long for a block"));
        }
        if self.body.len() >= FLUSH_LEN { self.flush() } else { Ok(()) }
    }

    /// Writes the games that wait for their block to be full.
    pub fn flush(&mut self) -> io::Result<()> {
        if !self.body.is_empty() {
            self.out.write_all(&block(1, &self.body))?;
            self.body.clear();
        }
        self.out.flush()
    }
}

/// Reads blocks, one with each call of `next`, and skips what is not a block.
#[derive(Debug)]
pub struct Reader<R: Read> {
    input: R,
    buffer: Vec<u8>,
    /// How much of the buffer has been read.
    at: usize,
    /// The place of the buffer's first byte in the file.
    start: u64,
    ended: bool,
}

impl<R: Read> Reader<R> {
    /// A reader of a file's bytes.
    pub const fn new(input: R) -> Self {
        Self { input, buffer: Vec::new(), at: 0, start: 0, ended: false }
    }

    /// How many bytes have been read as blocks or skipped.
    pub const fn offset(&self) -> u64 {
        self.start + self.at as u64
    }

    /// Fills the buffer until `len` bytes lie behind `at`, or the file ends.
    fn fill(&mut self, len: usize) -> io::Result<()> {
        while !self.ended && self.buffer.len() - self.at < len {
            if self.at >= MAX_BODY_LEN {
                self.buffer.drain(..self.at);
                self.start += self.at as u64;
                self.at = 0;
            }
            let filled = self.buffer.len();
            self.buffer.resize(filled + (1 << 16), 0);
            match self.input.read(&mut self.buffer[filled..]) {
                Ok(read) => {
                    self.buffer.truncate(filled + read);
                    self.ended = read == 0;
                }
                Err(error) => {
                    self.buffer.truncate(filled);
                    if error.kind() != io::ErrorKind::Interrupted {
                        self.ended = true;
                        return Err(error);
                    }
                }
            }
        }
        Ok(())
    }

    /// The block at `at` and its length, if there is a sound one.
    fn block(&mut self) -> io::Result<Option<(Block, usize)>> {
        self.fill(HEADER_LEN)?;
        let mut head = &self.buffer[self.at..];
        let (Some(MARK), Some([kind]), Some(len), Some(sum)) =
            (take(&mut head), take(&mut head), take(&mut head), take(&mut head))
        else {
            return Ok(None);
        };
        let len = u32::from_le_bytes(len) as usize;
        if len > MAX_BODY_LEN {
            return Ok(None);
        }
        self.fill(HEADER_LEN + len)?;
        let Some(body) = self.buffer[self.at..].get(HEADER_LEN..HEADER_LEN + len) else {
            return Ok(None);
        };
        if checksum(kind, body) != u32::from_le_bytes(sum) {
            return Ok(None);
        }
        Ok(Block::read(kind, body).map(|block| (block, HEADER_LEN + len)))
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Block, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let from = self.offset();
        loop {
            if let Err(error) = self.fill(HEADER_LEN) {
                return Some(Err(error.into()));
            }
            let rest = &self.buffer[self.at..];
            if rest.is_empty() {
                break;
            }
            // To the next byte that can begin a mark.
            let skip = rest.iter().position(|&b| b == MARK[0]).unwrap_or(rest.len());
            self.at += skip;
            match self.block() {
                Err(error) => return Some(Err(error.into())),
                // Reports the damage before it first; the next call reads the block again.
                Ok(Some(_)) if self.offset() > from => break,
                Ok(Some((block, len))) => {
                    self.at += len;
                    return Some(Ok(block));
                }
                Ok(None) => self.at = (self.at + 1).min(self.buffer.len()),
            }
        }
        let to = self.offset();
        (to > from).then_some(Err(ReadError::Damaged { from, to }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn settings() -> GenerationSettings {
        GenerationSettings {
            game: "chess".into(),
            program: "a test".into(),
            signature: 1,
            nodes: 1000,
            seed: 7,
            chess960: 10,
        }
    }

    fn game(number: u64) -> Game {
        let ply = |n: u64| Ply {
            code: (n * 977) as u16,
            score: (!n.is_multiple_of(3)).then_some(n as i16 - 40),
        };
        Game {
            number,
            half_points: (number % 3) as u8,
            start: "8/8 w".repeat(usize::from(number.is_multiple_of(2))),
            plies: (0..60 + number % 50).map(ply).collect(),
        }
    }

    fn written(games: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut writer = Writer::new(&mut bytes, &settings()).expect("a vector");
        (0..games).for_each(|number| writer.push(&game(number)).expect("a vector"));
        writer.flush().expect("a vector");
        bytes
    }

    /// The games that are read, and the damage that is reported.
    fn read(bytes: &[u8]) -> (Vec<Game>, Vec<(u64, u64)>) {
        let (mut games, mut damage) = (Vec::new(), Vec::new());
        for block in Reader::new(bytes) {
            match block {
                Ok(Block::Settings(found)) => assert_eq!(found, settings()),
                Ok(Block::Games(found)) => games.extend(found),
                Err(ReadError::Damaged { from, to }) => damage.push((from, to)),
                Err(error) => panic!("{error}"),
            }
        }
        (games, damage)
    }

    #[test]
    fn games_round_trip() {
        let bytes = written(1000);
        let (games, damage) = read(&bytes);
        assert!(games.iter().cloned().eq((0..1000).map(game)));
        assert_eq!(damage, []);
        // About four bytes a ply, and files are joined by concatenation.
        let plies: usize = games.iter().map(|game| game.plies.len()).sum();
        assert!(bytes.len() < plies * 5, "{} bytes, {plies} plies", bytes.len());
        let joined = [bytes.clone(), bytes].concat();
        assert_eq!(read(&joined).0.len(), 2000);
    }

    #[test]
    fn skips_only_the_damaged_block() {
        let bytes = written(1000);
        let blocks = Reader::new(&bytes[..]).count();
        assert!(blocks > 5);
        for at in (0..bytes.len()).step_by(997) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x40;
            let (games, damage) = read(&damaged);
            assert_eq!(damage.len(), 1, "{at}");
            let (from, to) = damage[0];
            assert!((from..to).contains(&(at as u64)), "{at}: {from} to {to}");
            let lost = 1000 - games.len();
            assert!(lost < 1000 / (blocks - 3), "{at}: {lost} games lost");
            let cut = read(&bytes[..at]);
            assert!(cut.0.iter().eq(games.iter().take(cut.0.len())) && cut.1.len() <= 1);
        }
    }

    proptest! {
        #[test]
        fn reads_any_bytes_without_panic(
            mut bytes in proptest::collection::vec(any::<u8>(), 0..4000),
            marks in proptest::collection::vec(0usize..4000, 0..8),
        ) {
            for at in marks {
                if let Some(room) = bytes.get_mut(at..at + 4) {
                    room.copy_from_slice(&MARK);
                }
            }
            let mut end = 0;
            for block in Reader::new(&bytes[..]) {
                if let Err(ReadError::Damaged { from, to }) = block {
                    prop_assert!(end <= from && from < to);
                    end = to;
                }
            }
            prop_assert!(end <= bytes.len() as u64);
        }
    }
}
