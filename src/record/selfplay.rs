//! A file format for self-play games, which are training data for the evaluations. A game takes
//! four bytes per ply.
//!
//! A file is a sequence of blocks, so files for the same game (chess or draughts) can be
//! concatenated. Numbers are little-endian. A *varint* has seven bits per byte, lowest first; the
//! high bit is set in all bytes except the last.
//!
//! | bytes | contents of a block |
//! |---|---|
//! | 4 | the magic bytes `AGR1` |
//! | 1 | the kind: 0 [`GenerationSettings`], 1 games |
//! | 4 | the length of the body, at most [`MAX_BODY_LEN`] |
//! | 4 | CRC-32 of kind, length and body |
//! | | the body |
//!
//! The body of a settings block is JSON. Settings apply to all games up to the next settings block.
//! The body of a games block contains one or more games without separators:
//!
//! | bytes | contents of a game |
//! |---|---|
//! | varint | its number |
//! | 1 | White's half points: 0, 1, 2; 3 if the game has no result |
//! | varint, text | length and FEN of the start position; length 0 for the standard position |
//! | varint | the number of plies |
//! | 2 + 2 per ply | the move code, and the score of the search that chose the move |
//!
//! Chess and draughts have their own move codes. [`UNKNOWN_MOVE`] is never a valid code. The score
//! is on the internal scale of the search, from the point of view of the side to move. In draughts,
//! the unit is a hundredth of a man. In chess, it is the unit of the evaluation network, not the
//! displayed centipawn. −32768 means that there was no search (a random opening move or a forced
//! move).
//!
//! A damaged or truncated block does not affect other blocks: the [`Reader`] searches for the next
//! magic bytes and reports the skipped bytes.

use serde::{Deserialize, Serialize};
use std::io::{self, Read, Write};
use std::ops::Not;

const MARK: [u8; 4] = *b"AGR1";
/// The total length of the magic bytes, the kind, the body length and the checksum, in bytes.
const HEADER_LEN: usize = 13;
pub(crate) const MAX_BODY_LEN: usize = 1 << 20;
const FLUSH_LEN: usize = 1 << 15;
pub(crate) const UNKNOWN_MOVE: u16 = u16::MAX;
const NOT_SEARCHED: i16 = i16::MIN;
const NO_RESULT: u8 = 3;

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GenerationSettings {
    pub game: String,
    /// The draughts variant; empty for chess and international draughts.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub variant: String,
    pub program: String,
    /// The node count of a short bench, which identifies the evaluation and search.
    pub signature: u64,
    /// The number of nodes per move. The search finishes the iteration that reaches this number.
    pub nodes: u64,
    pub seed: u64,
    /// The percentage of chess games that begin from a Chess960 position.
    pub chess960: u8,
    /// True if the games are branches of other games: one position each, without a result.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub branches: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ply {
    /// The move code, or [`UNKNOWN_MOVE`].
    pub code: u16,
    /// The score on the internal scale of the search, from the point of view of the side to move;
    /// `None` if the move was played without a search.
    pub score: Option<i16>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// The game's number, which is unique among the games with the same settings.
    pub number: u64,
    /// White's half points: 0, 1 or 2; `None` if the game has no result.
    pub half_points: Option<u8>,
    /// The FEN of the start position; empty for the standard position.
    pub start: String,
    pub plies: Vec<Ply>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Block {
    Settings(GenerationSettings),
    Games(Vec<Game>),
}

#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// Bytes that are not a valid block.
    #[error("skipped damaged or truncated bytes {from} to {to}")]
    Damaged {
        /// The offset of the first damaged byte.
        from: u64,
        /// The offset of the first byte after the damage.
        to: u64,
    },
    /// A failure to read the source.
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
        body.push(self.half_points.unwrap_or(NO_RESULT));
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
        // Each ply takes four bytes. Reject a corrupt ply count before allocating memory.
        if half_points > NO_RESULT || plies > body.len() / 4 {
            return None;
        }
        let ply = |_| {
            let code = u16::from_le_bytes(take(body)?);
            let score = i16::from_le_bytes(take(body)?);
            Some(Ply { code, score: (score != NOT_SEARCHED).then_some(score) })
        };
        let plies = (0..plies).map(ply).collect::<Option<_>>()?;
        let half_points = (half_points != NO_RESULT).then_some(half_points);
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

/// Returns whether a file contains only the settings block, or only the beginning of this block. A
/// full disk can truncate the block.
pub(crate) fn has_only_settings(bytes: &[u8], settings: &GenerationSettings) -> io::Result<bool> {
    Ok(block(0, &serde_json::to_vec(settings)?).starts_with(bytes))
}

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

#[derive(Debug)]
pub struct Writer<W: Write> {
    out: W,
    body: Vec<u8>,
}

impl<W: Write> Writer<W> {
    pub fn new(mut out: W, settings: &GenerationSettings) -> io::Result<Self> {
        out.write_all(&block(0, &serde_json::to_vec(settings)?))?;
        Ok(Self { out, body: Vec::new() })
    }

    /// Adds a game. The game is written when its block is full. If the game does not fit in a
    /// block, returns an error and does not add the game.
    pub fn push(&mut self, game: &Game) -> io::Result<()> {
        let before = self.body.len();
        game.write(&mut self.body);
        if self.body.len() > MAX_BODY_LEN {
            self.body.truncate(before);
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "the game is too long for a block",
            ));
        }
        if self.body.len() >= FLUSH_LEN { self.flush() } else { Ok(()) }
    }

    pub fn flush(&mut self) -> io::Result<()> {
        if !self.body.is_empty() {
            self.out.write_all(&block(1, &self.body))?;
            self.body.clear();
        }
        self.out.flush()
    }
}

/// An iterator over the blocks of a source. It reports damaged bytes as an error and skips them.
#[derive(Debug)]
pub struct Reader<R: Read> {
    input: R,
    buffer: Vec<u8>,
    /// The number of bytes in the buffer that have been consumed.
    at: usize,
    /// The offset of the buffer in the source.
    start: u64,
    ended: bool,
}

impl<R: Read> Reader<R> {
    pub const fn new(input: R) -> Self {
        Self { input, buffer: Vec::new(), at: 0, start: 0, ended: false }
    }

    /// Returns the number of bytes consumed so far, including skipped bytes.
    pub(crate) const fn offset(&self) -> u64 {
        self.start + self.at as u64
    }

    /// Fills the buffer until it has `len` unconsumed bytes or the source ends.
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

    /// Returns the block at the current position and its length, or `None` if it is invalid.
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
            let skip = rest.iter().position(|&b| b == MARK[0]).unwrap_or(rest.len());
            self.at += skip;
            match self.block() {
                Err(error) => return Some(Err(error.into())),
                // Report the damage first; the next call reads this block again.
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
            variant: String::new(),
            game: "chess".into(),
            program: "a test".into(),
            signature: 1,
            nodes: 1000,
            seed: 7,
            chess960: 10,
            branches: false,
        }
    }

    fn game(number: u64) -> Game {
        let ply = |n: u64| Ply {
            code: (n * 977) as u16,
            score: (!n.is_multiple_of(3)).then_some(n as i16 - 40),
        };
        Game {
            number,
            half_points: Some((number % 4) as u8).filter(|&half_points| half_points < 3),
            start: "8/8 w".repeat(usize::from(number.is_multiple_of(2))),
            plies: (0..60 + number % 50).map(ply).collect(),
        }
    }

    #[test]
    fn recognizes_an_incomplete_beginning() {
        let whole = written(0);
        for length in 0..=whole.len() {
            assert!(
                has_only_settings(&whole[..length], &settings()).expect("settings"),
                "{length} bytes"
            );
        }
        for other in [&b"1. e4 e5"[..], &written(2), &whole[1..]] {
            assert!(!has_only_settings(other, &settings()).expect("settings"));
        }
    }

    fn written(games: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut writer = Writer::new(&mut bytes, &settings()).expect("a vector");
        (0..games).for_each(|number| writer.push(&game(number)).expect("a vector"));
        writer.flush().expect("a vector");
        bytes
    }

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
