//! Splits a stream of games into chunks of whole games, so that several threads can parse it.
//!
//! Invariant: the chunks, each read by itself, contain the same games and faults as the whole
//! stream. A chunk therefore ends only where the text is certainly between two games: before a line
//! that begins with an `Event` tag, after a line that ends with a result, and not within a comment.

use std::io::{self, ErrorKind, Read};
use std::str::FromStr;

/// The initial limit on the size of a chunk, in bytes. It is doubled until a place to split the
/// stream is found.
const CHUNK: usize = 1 << 17;
/// The maximum size of a chunk, in bytes. If no place to split the stream is found up to this size,
/// the rest of the stream is not split.
const MAX_CHUNK: usize = 1 << 22;
/// The number of bytes that the game reader examines after an `Event` tag inside a comment. If they
/// do not close the comment, the tag begins a new game.
const LOOKAHEAD: usize = 1 << 16;
const NEW_GAME: &[u8] = b"\n[Event \"";

/// A part of a stream that consists of whole games.
pub(super) struct Chunk {
    pub text: Vec<u8>,
    /// The number of the first line, counted from 1.
    pub line: u64,
    /// The read error that ended the stream after this chunk.
    pub error: Option<io::Error>,
    /// True if no place to split the stream was found. The rest of the stream, which has not been
    /// read yet, then continues `text`.
    pub is_open: bool,
}

pub(super) struct Chunks<R> {
    pub input: R,
    size: usize,
    pending: Vec<u8>,
    line: u64,
    has_ended: bool,
}

impl<R: Read> Chunks<R> {
    pub const fn new(input: R) -> Self {
        Self { input, size: CHUNK, pending: Vec::new(), line: 1, has_ended: false }
    }

    /// Reads the next chunk, or returns `None` at the end. `T` is the type of a game result.
    pub fn next<T: FromStr>(&mut self) -> Option<Chunk> {
        if self.has_ended {
            return None;
        }
        let mut size = self.size;
        loop {
            let wanted = size + LOOKAHEAD;
            let missing = wanted.saturating_sub(self.pending.len()) as u64;
            // `read_to_end` repeats interrupted reads and keeps the bytes before an error.
            let read = self.input.by_ref().take(missing).read_to_end(&mut self.pending);
            if read.is_err() || self.pending.len() < wanted {
                self.has_ended = true;
                let text = std::mem::take(&mut self.pending);
                return Some(self.chunk(text, read.err(), false));
            }
            if let Some(end) = boundary::<T>(&self.pending, size) {
                let rest = self.pending.split_off(end);
                let text = std::mem::replace(&mut self.pending, rest);
                return Some(self.chunk(text, None, false));
            }
            if size >= MAX_CHUNK {
                self.has_ended = true;
                let text = std::mem::take(&mut self.pending);
                return Some(self.chunk(text, None, true));
            }
            size *= 2;
        }
    }

    fn chunk(&mut self, text: Vec<u8>, error: Option<io::Error>, is_open: bool) -> Chunk {
        let line = self.line;
        self.line += line_ends(&text);
        Chunk { text, line, error, is_open }
    }
}

/// Returns the number of line ends. A line ends with `\n`, `\r` or `\r\n`.
fn line_ends(text: &[u8]) -> u64 {
    let feeds = text.iter().filter(|byte| **byte == b'\n').count();
    let lone = |pair: &&[u8]| pair.first() == Some(&b'\r') && pair.get(1) != Some(&b'\n');
    let returns = match text.contains(&b'\r') {
        true => (0..text.len()).filter_map(|at| text.get(at..)).filter(lone).count(),
        false => 0,
    };
    (feeds + returns) as u64
}

/// Returns the last place up to `limit` where the text can be split. `text` must contain
/// [`LOOKAHEAD`] more bytes after `limit`.
fn boundary<T: FromStr>(text: &[u8], limit: usize) -> Option<usize> {
    /// The maximum number of places examined, which limits the time spent on hostile text.
    const MAX_PLACES: usize = 64;
    let mut end = limit;
    for _ in 0..MAX_PLACES {
        let before = text.get(..end)?;
        let at = before.windows(NEW_GAME.len()).rposition(|window| window == NEW_GAME)?;
        if is_between_games::<T>(text, at + 1) {
            return Some(at + 1);
        }
        end = at + NEW_GAME.len() - 1;
    }
    None
}

/// Returns whether the tag at `at` certainly begins a new game, whatever text precedes the previous
/// line.
fn is_between_games<T: FromStr>(text: &[u8], at: usize) -> bool {
    // If the next brace is a closing brace, `at` may be inside a comment.
    let ahead = text.iter().skip(at).take(LOOKAHEAD);
    let is_in_comment = ahead.copied().find(|byte| matches!(byte, b'{' | b'}')) == Some(b'}');
    let Some((before, _)) = text.split_at_checked(at).filter(|_| !is_in_comment) else {
        return false;
    };
    let before = before.trim_ascii_end();
    let line = before.rsplit(|byte| matches!(byte, b'\n' | b'\r')).next().unwrap_or_default();
    let word = line.rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
    // After a tag, an escaped line (`%`) or a comment to the end of the line (`;`), the tag at `at`
    // could belong to the same game.
    let first = line.iter().find(|byte| !byte.is_ascii_whitespace());
    let is_of_moves = first
        .is_some_and(|byte| matches!(byte, b'!'..=b'~') && !b"[%".contains(byte))
        && !line.contains(&b';');
    is_of_moves && str::from_utf8(word).is_ok_and(|word| word.parse::<T>().is_ok())
}

/// An empty input that fails with the error, if there is one. Chained after the bytes of a chunk,
/// it repeats the read error of the stream.
pub(super) struct ErrorAtEnd(pub Option<io::Error>);

impl Read for ErrorAtEnd {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

impl io::BufRead for ErrorAtEnd {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        match self.0.take() {
            Some(error) if error.kind() != ErrorKind::Interrupted => Err(error),
            _ => Ok(&[]),
        }
    }

    fn consume(&mut self, _: usize) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::Rng;
    use crate::chess::Position;
    use crate::chess::pgn::GameResult;
    use crate::record::games::Reader;
    use std::io::Cursor;

    const PARTS: [&str; 12] = [
        "[Event \"A\"]\n[White \"x\"]\n\n1. e4 e5 2. Nf3 {a} 1-0\n\n",
        "[Event \"B\"]\r\n\r\n1. d4 {b\r\nc}\r\n*\r\n\r\n",
        "[Event \"C\"]\n\n1. e4 {never closed 1-0\n",
        "{closed\n\n0-1\n\n[Event \"no game\"]\n} 1-0\n",
        "% hidden 1-0\n\n",
        "; comment 1-0\n\n",
        "[White \"without moves\"]\n\n",
        "[Event \"D\"]\n\n1. e4 e5 (1... c5 2. Ke3 1/2-1/2\n\n",
        "\n\n{alone} \r",
        "\u{feff}[Event \"E\"]\n\n1. c4 *\n\n",
        "[Event \"F\"]\n[Event \"G\"]\n\n1. f4 0-1 {after}\n\n",
        "1. e4 e5 1-0\n",
    ];

    fn read(text: &[u8]) -> Vec<String> {
        Reader::<Position, _>::new(text).map(|game| format!("{game:?}")).collect()
    }

    fn read_in_chunks(text: &[u8], size: usize) -> (Vec<String>, usize) {
        let mut chunks = Chunks { size, ..Chunks::new(text) };
        let (mut games, mut count) = (Vec::new(), 0);
        while let Some(chunk) = chunks.next::<GameResult>() {
            assert!(!chunk.is_open);
            count += 1;
            let input = Cursor::new(chunk.text).chain(ErrorAtEnd(chunk.error));
            let reader = Reader::<Position, _>::new(input).starting_at_line(chunk.line);
            games.extend(reader.map(|game| format!("{game:?}")));
        }
        (games, count)
    }

    #[test]
    fn chunks_contain_the_games_of_the_whole() {
        let mut rng = Rng::new(3);
        let mut chunks = 0;
        for _ in 0..12 {
            let mut text = String::new();
            while text.len() < 2 * LOOKAHEAD {
                // About half of the parts are the well-formed game `PARTS[0]`.
                text += PARTS[rng.below(PARTS.len()) * rng.below(2)];
            }
            let (games, count) = read_in_chunks(text.as_bytes(), 500);
            assert_eq!(games, read(text.as_bytes()));
            chunks += count;
        }
        assert!(chunks > 500, "{chunks}");
    }

    #[test]
    fn a_stream_without_results_stays_whole() {
        let text = "[Event \"A\"]\n\n1. e4\n\n".repeat(MAX_CHUNK / 10);
        let mut chunks = Chunks::new(text.as_bytes());
        let chunk = chunks.next::<GameResult>().expect("a chunk");
        assert!(chunk.is_open && chunk.text.len() > MAX_CHUNK);
        let mut rest = Vec::new();
        chunks.input.read_to_end(&mut rest).expect("memory");
        assert_eq!([chunk.text, rest].concat(), text.as_bytes());
        assert!(chunks.next::<GameResult>().is_none());
    }

    #[test]
    fn an_error_follows_the_last_game() {
        let text = "[Event \"A\"]\n\n1. e4 *\n\n1. d4";
        let input = Cursor::new(text).chain(ErrorAtEnd(Some(io::Error::other("broken"))));
        let chunk = Chunks::new(input).next::<GameResult>().expect("a chunk");
        assert_eq!(chunk.text, text.as_bytes());
        assert_eq!(chunk.error.expect("an error").to_string(), "broken");
    }
}
