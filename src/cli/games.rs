//! Reading games from files or standard input, in any format that the commands support.

use super::chunks::{Chunk, Chunks, ErrorAtEnd};
use super::print_error;
use super::threads::processors;
use crate::base::game::GameKind;
use crate::chess::notation::Notation;
use crate::chess::notation::algebraic::Style;
use crate::draughts::sheet::Numeric;
use crate::record::compressed::{decompress, uncompressed_name};
use crate::record::decode;
use crate::record::epd::{Epd, lines};
use crate::record::format::{self, Layout};
use crate::record::games::{self, Record, RecordError, Recorded};
use crate::record::sheet::{self, Notate};
use anyhow::Context;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read as _, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Format {
    Pgn,
    Pdn,
    /// A chess score sheet in this notation.
    Chess(Notation),
    /// A draughts score sheet.
    Draughts,
    /// Positions in EPD or FEN.
    Positions(GameKind),
}

impl Format {
    pub(super) const fn game(self) -> GameKind {
        match self {
            Self::Pgn | Self::Chess(_) => GameKind::Chess,
            Self::Pdn | Self::Draughts => GameKind::Draughts,
            Self::Positions(game) => game,
        }
    }

    const fn of(detected: (Layout, GameKind)) -> Self {
        match detected {
            (Layout::Games, GameKind::Chess) => Self::Pgn,
            (Layout::Games, GameKind::Draughts) => Self::Pdn,
            (Layout::Positions, game) => Self::Positions(game),
            (Layout::Sheets, GameKind::Chess) => Self::Chess(Notation::Algebraic(Style::SAN)),
            (Layout::Sheets, GameKind::Draughts) => Self::Draughts,
        }
    }
}

impl FromStr for Format {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        Ok(match text {
            "pgn" => Self::Pgn,
            "pdn" => Self::Pdn,
            "numeric" => Self::Draughts,
            name => {
                let formats = "pgn, pdn, or the notation of a score sheet: numeric for draughts, \
                               san, \
                               a language such as fr, descriptive:en, descriptive:fr or spoken for \
                               chess";
                Self::Chess(name.parse().with_context(|| formats)?)
            }
        })
    }
}

pub(super) struct Input {
    /// The name to print in messages.
    pub name: String,
    pub text: Box<dyn BufRead + Send>,
    pub format: Format,
}

/// Opens files, or standard input if `files` is empty. If `format` is `None`, detects the format of
/// each input. If `format` is descriptive notation without a language, detects the language.
pub(super) fn open(files: &[PathBuf], format: Option<Format>) -> anyhow::Result<Vec<Input>> {
    let stdin = [PathBuf::from("-")];
    let files = if files.is_empty() { &stdin[..] } else { files };
    files.iter().map(|path| open_one(path, format)).collect()
}

fn open_one(path: &Path, format: Option<Format>) -> anyhow::Result<Input> {
    let name = path.display().to_string();
    let text = if name == "-" {
        decompress(BufReader::new(io::stdin()))
    } else {
        let file = File::open(path).with_context(|| name.clone())?;
        decompress(BufReader::with_capacity(1 << 16, file))
    };
    let mut text = text.with_context(|| name.clone())?;
    let format = match format {
        Some(format) if !matches!(format, Format::Chess(named) if named.lacks_language()) => format,
        named => {
            let mut head = Vec::new();
            let limit = format::HEAD as u64;
            let mut failed = text.by_ref().take(limit).read_to_end(&mut head).err();
            if let Some(error) = failed.take_if(|_| head.is_empty()) {
                return Err(error).with_context(|| name);
            }
            let format = match named {
                Some(Format::Chess(notation)) => Format::Chess(notation.with_language(&head)),
                Some(format) => format,
                None => match format::detect(uncompressed_name(&name), &head) {
                    (Layout::Sheets, GameKind::Chess) => Format::Chess(Notation::detect(&head)),
                    detected => Format::of(detected),
                },
            };
            text = Box::new(Cursor::new(head).chain(ErrorAtEnd(failed)).chain(text));
            format
        }
    };
    Ok(Input { name, text, format })
}

/// A game read from an input, with the faults found in it.
pub(super) struct Read<P> {
    /// The game without its faulty parts, or `None` if no part of it is usable.
    pub game: Option<P>,
    pub faults: Vec<String>,
}

pub(super) type Games<P> = Box<dyn Iterator<Item = Read<Record<P>>>>;

/// The number of usable games in an input, and the number of faults.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Counts {
    pub games: usize,
    pub faults: usize,
}

fn report(name: &str, faults: &[String]) {
    faults.iter().for_each(|fault| print_error(format_args!("{name}: {fault}")));
}

/// Calls `each` with every game, and reports the faults on standard error.
pub(super) fn each<P, E>(
    name: &str,
    games: impl Iterator<Item = Read<P>>,
    mut each: impl FnMut(P) -> Result<(), E>,
) -> Result<Counts, E> {
    let mut counts = Counts::default();
    for Read { game, faults } in games {
        counts.faults += faults.len();
        report(name, &faults);
        if let Some(game) = game {
            counts.games += 1;
            each(game)?;
        }
    }
    Ok(counts)
}

pub(super) fn chess(input: Input) -> Games<crate::chess::Position> {
    match input.format {
        Format::Chess(notation) => sheets(input.text, notation),
        Format::Positions(_) => positions(input.text),
        _ => records(input.text),
    }
}

pub(super) fn draughts(input: Input) -> Games<crate::draughts::Position> {
    match input.format {
        Format::Draughts => sheets(input.text, Numeric),
        Format::Positions(_) => positions(input.text),
        _ => records(input.text),
    }
}

fn records<P: Recorded>(text: Box<dyn BufRead + Send>) -> Games<P> {
    Box::new(games::Reader::new(text).map(Read::from))
}

impl<P: Recorded> From<Result<Record<P>, RecordError<P>>> for Read<Record<P>> {
    fn from(read: Result<Record<P>, RecordError<P>>) -> Self {
        match read {
            Ok(game) => Self { game: Some(game), faults: Vec::new() },
            Err(RecordError { game, faults }) => Self {
                game: game.map(|game| *game),
                faults: faults.iter().map(ToString::to_string).collect(),
            },
        }
    }
}

/// Writes games to `out`, one after another, and reports the faults.
pub(super) fn write_each<P>(
    name: &str,
    games: impl Iterator<Item = Read<P>>,
    write: impl Fn(&mut Vec<u8>, &P) -> io::Result<()>,
    out: &mut impl Write,
) -> io::Result<Counts> {
    let mut text = Vec::new();
    each(name, games, |game| {
        text.clear();
        write(&mut text, &game)?;
        out.write_all(&text)
    })
}

/// The result of processing a chunk: the formatted games, the unparsed chunk if it is open and must
/// be read together with the rest of the file, or a write error.
enum Part {
    Written { text: Vec<u8>, games: usize, faults: Vec<String> },
    Open(Chunk),
    Failed(io::Error),
}

fn games_from<P: Recorded>(
    line: u64,
    has_comments: bool,
    text: impl BufRead,
) -> impl Iterator<Item = Read<Record<P>>> {
    let reader = games::Reader::new(text).starting_at_line(line);
    let reader = if has_comments { reader } else { reader.without_comments() };
    reader.map(Read::from)
}

/// Like [`write_each`] for a PGN or PDN file, but formats the games on several threads.
pub(super) fn write_records<P: Recorded>(
    input: Input,
    has_comments: bool,
    write: impl Fn(&mut Vec<u8>, &Record<P>) -> io::Result<()> + Sync,
    out: &mut impl Write,
) -> io::Result<Counts> {
    /// The maximum number of threads. Additional threads would only wait for the thread that
    /// writes.
    const MAX_THREADS: usize = 16;
    let threads = processors().min(MAX_THREADS);
    let parse = |Chunk { text, line, error, is_open }: Chunk| {
        if is_open {
            return Part::Open(Chunk { text, line, error, is_open });
        }
        let (mut written, mut games, mut all_faults) = (Vec::new(), 0, Vec::new());
        for Read { game, faults } in
            games_from(line, has_comments, Cursor::new(text).chain(ErrorAtEnd(error)))
        {
            all_faults.extend(faults);
            let Some(game) = game else { continue };
            games += 1;
            if let Err(error) = write(&mut written, &game) {
                return Part::Failed(error);
            }
        }
        Part::Written { text: written, games, faults: all_faults }
    };
    // A chunk is read and its place in the queue is taken under the same lock, which preserves the
    // order.
    let (queue, parts) = mpsc::sync_channel::<mpsc::Receiver<Part>>(threads);
    let chunks = Mutex::new((Chunks::new(input.text), Some(queue)));
    let lock = || chunks.lock().unwrap_or_else(PoisonError::into_inner);
    let next = || {
        let (chunks, queue) = &mut *lock();
        let (sender, receiver) = mpsc::channel();
        let chunk = chunks
            .next::<P::Result>()
            .filter(|_| queue.as_ref().is_some_and(|queue| queue.send(receiver).is_ok()));
        if chunk.is_none() {
            *queue = None;
        }
        chunk.map(|chunk| (chunk, sender))
    };
    let work = || {
        while let Some((chunk, sender)) = next() {
            let _ = sender.send(parse(chunk));
        }
    };
    let name = input.name;
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
        let mut counts = Counts::default();
        for part in parts {
            // A worker that panics sends nothing. The scope propagates the panic when it ends.
            let Ok(part) = part.recv() else { break };
            match part {
                Part::Written { text, games, faults } => {
                    report(&name, &faults);
                    counts.games += games;
                    counts.faults += faults.len();
                    out.write_all(&text)?;
                }
                Part::Open(Chunk { text, line, .. }) => {
                    let rest = &mut lock().0.input;
                    let games = games_from(line, has_comments, Cursor::new(text).chain(rest));
                    let more = write_each(&name, games, &write, out)?;
                    counts.games += more.games;
                    counts.faults += more.faults;
                }
                Part::Failed(error) => return Err(error),
            }
        }
        Ok(counts)
    })
}

fn sheets<P: Recorded, N: Notate<P> + 'static>(
    text: Box<dyn BufRead + Send>,
    notation: N,
) -> Games<P> {
    let sheets = sheet::Reader::<P, N, _>::new(text, notation);
    let kept = "the game is kept up to here";
    Box::new(sheets.map(move |sheet| match sheet.and_then(|sheet| sheet.replay_to_fault()) {
        Ok((game, fault)) => {
            let faults = fault.map(|fault| format!("{fault}; {kept}")).into_iter().collect();
            Read { game: Some(game), faults }
        }
        Err(error) => {
            // The rows read before the read error have already been returned as a sheet.
            let loss = match error.problem {
                sheet::SheetProblem::Io(_) => "the rest of the file is left out",
                _ => "the game is left out",
            };
            Read { game: None, faults: vec![format!("{error}; {loss}")] }
        }
    }))
}

/// Removes the incomplete last line of a text after a read error.
pub(super) fn remove_partial_line(bytes: &mut Vec<u8>) {
    bytes.truncate(memchr::memrchr(b'\n', bytes).map_or(0, |end| end + 1));
}

/// Reads EPD or FEN lines as games without moves. The EPD operations become a comment, except the
/// counters, which are part of the start position.
fn positions<P: Recorded>(mut text: Box<dyn BufRead + Send>) -> Games<P>
where
    Epd<P>: FromStr<Err: Display>,
{
    let mut bytes = Vec::new();
    let read = text.read_to_end(&mut bytes);
    if read.is_err() {
        remove_partial_line(&mut bytes);
    }
    let text = decode(bytes);
    let games = lines(&text).map(|(number, line)| match line.parse::<Epd<P>>() {
        Ok(Epd { position, operations }) => {
            let mut game = Record::from_position(position);
            let is_counter = |opcode: &str| ["hmvc", "fmvn"].contains(&opcode);
            let others = operations.iter().filter(|operation| !is_counter(&operation.opcode));
            let words: Vec<_> = others.map(ToString::to_string).collect();
            game.comment(&words.join(" "));
            Read { game: Some(game), faults: Vec::new() }
        }
        Err(error) => Read {
            game: None,
            faults: vec![format!("line {number}: {error}; the line is left out")],
        },
    });
    let failed = read.err().map(|error| {
        let line = text.lines().count() + 1;
        let fault = format!("line {line}: reading failed: {error}; the line is left out");
        Read { game: None, faults: vec![fault] }
    });
    Box::new(games.chain(failed).collect::<Vec<_>>().into_iter())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_unknown_formats() {
        assert!("klingon".parse::<Format>().is_err());
        assert_eq!("pdn".parse::<Format>().ok(), Some(Format::Pdn));
    }
}
