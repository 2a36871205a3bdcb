//! Compressed files of games and positions: gzip, bzip2 and Zstandard. The format is detected from
//! the first bytes. Any other input is returned unchanged.
//!
//! Files are decompressed while they are read, so the size of the text does not matter.

use bzip2::bufread::MultiBzDecoder;
use flate2::bufread::MultiGzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::error::Error as _;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::iter;
use std::path::Path;

const BUFFER: usize = 1 << 16;
/// The maximum size of a decompressed text that is read into memory as a whole, in bytes.
const MAX_WHOLE: u64 = 1 << 30;
/// The extensions of compressed files.
const EXTENSIONS: [&str; 5] = [".gz", ".bz2", ".zst", ".bzip2", ".zstd"];

/// Returns a reader for the text of an input that may be compressed.
///
/// # Errors
/// Fails if the first bytes cannot be read, or if they identify another archive or compression
/// format.
pub(crate) fn decompress(
    mut input: impl BufRead + Send + 'static,
) -> io::Result<Box<dyn BufRead + Send>> {
    let mut head = Vec::new();
    input.by_ref().take(4).read_to_end(&mut head)?;
    let magic: [u8; 4] = head.as_slice().try_into().unwrap_or_default();
    let input = Cursor::new(head).chain(input);
    Ok(match magic {
        [0x1f, 0x8b, 8, _] => buffered("gzip", MultiGzDecoder::new(input)),
        [b'B', b'Z', b'h', b'1'..=b'9'] => buffered("bzip2", MultiBzDecoder::new(input)),
        // A normal frame or a skippable frame.
        [0x28, 0xb5, 0x2f, 0xfd] | [0x50..=0x5f, 0x2a, 0x4d, 0x18] => {
            buffered("Zstandard", Frames::new(input))
        }
        [b'P', b'K', 3, 4] => return Err(unsupported("a zip archive")),
        [0xfd, b'7', b'z', b'X'] => return Err(unsupported("compressed with xz")),
        [b'7', b'z', 0xbc, 0xaf] => return Err(unsupported("a 7-Zip archive")),
        [b'R', b'a', b'r', b'!'] => return Err(unsupported("a RAR archive")),
        _ => Box::new(input),
    })
}

fn unsupported(what: &str) -> io::Error {
    let error = format!("{what}: extract it first (gzip, bzip2 and Zstandard are read directly)");
    io::Error::new(io::ErrorKind::Unsupported, error)
}

/// Reads the whole text of a file that may be compressed.
///
/// # Errors
/// Fails if the file cannot be read or decompressed, or if its text is larger than 1 GiB.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    let input = decompress(BufReader::with_capacity(BUFFER, File::open(path)?))?;
    let mut text = Vec::new();
    input.take(MAX_WHOLE + 1).read_to_end(&mut text)?;
    if text.len() as u64 > MAX_WHOLE {
        let error = format!("larger than {} MiB", MAX_WHOLE >> 20);
        return Err(io::Error::new(io::ErrorKind::InvalidInput, error));
    }
    Ok(text)
}

/// Returns a file name without the extension of a compressed file.
pub(crate) fn uncompressed_name(name: &str) -> &str {
    EXTENSIONS.iter().find_map(|extension| name.strip_suffix(extension)).unwrap_or(name)
}

fn buffered(format: &'static str, decoder: impl Read + Send + 'static) -> Box<dyn BufRead + Send> {
    Box::new(BufReader::with_capacity(BUFFER, Named { format, decoder }))
}

/// A decoder whose errors name the compression format.
struct Named<D> {
    format: &'static str,
    decoder: D,
}

impl<D: Read> Read for Named<D> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.decoder.read(buffer).map_err(|error| match error.kind() {
            io::ErrorKind::Interrupted => error,
            kind => {
                let problem = match is_truncated(&error) {
                    true => "the file is truncated".to_owned(),
                    false => error.to_string(),
                };
                io::Error::new(kind, format!("cannot decompress {}: {problem}", self.format))
            }
        })
    }
}

/// Returns whether a decoder failed because its input ended too early.
fn is_truncated(error: &io::Error) -> bool {
    let is_end = |error: &io::Error| error.kind() == io::ErrorKind::UnexpectedEof;
    let sources = iter::successors(error.source(), |error| (*error).source());
    is_end(error) || sources.filter_map(|error| error.downcast_ref()).any(is_end)
}

/// The text of consecutive Zstandard frames.
struct Frames<R> {
    source: R,
    decoder: FrameDecoder,
    is_in_frame: bool,
}

impl<R: BufRead> Frames<R> {
    fn new(source: R) -> Self {
        Self { source, decoder: FrameDecoder::new(), is_in_frame: false }
    }

    /// Reads the header of a frame, or skips a skippable frame.
    fn begin(&mut self) -> io::Result<()> {
        match self.decoder.init(&mut self.source) {
            Ok(()) => self.is_in_frame = true,
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length,
                ..
            })) => {
                let length = u64::from(length);
                let skipped = io::copy(&mut self.source.by_ref().take(length), &mut io::sink())?;
                if skipped < length {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
            }
            Err(error) => return Err(io::Error::other(error)),
        }
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        self.is_in_frame = false;
        match self.decoder.get_checksum_from_data() {
            Some(expected) if self.decoder.get_calculated_checksum() != Some(expected) => {
                Err(io::Error::new(io::ErrorKind::InvalidData, "wrong checksum"))
            }
            _ => Ok(()),
        }
    }
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            if !self.is_in_frame {
                if self.source.fill_buf()?.is_empty() {
                    return Ok(0);
                }
                self.begin()?;
                continue;
            }
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                self.decoder.decode_blocks(&mut self.source, one).map_err(io::Error::other)?;
            }
            match self.decoder.read(buffer)? {
                0 => self.end()?,
                count => return Ok(count),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    const TEXT: &str = "1. e4 e5 *\n";

    fn gzip(text: &str) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(text.as_bytes()).expect("memory");
        encoder.finish().expect("memory")
    }

    fn bzip2(text: &str) -> Vec<u8> {
        let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::default());
        encoder.write_all(text.as_bytes()).expect("memory");
        encoder.finish().expect("memory")
    }

    fn zstd(text: &str) -> Vec<u8> {
        let level = ruzstd::encoding::CompressionLevel::Fastest;
        ruzstd::encoding::compress_to_vec(text.as_bytes(), level)
    }

    fn text(bytes: Vec<u8>) -> (String, Option<io::Error>) {
        let mut text = Vec::new();
        let mut input = decompress(Cursor::new(bytes)).expect("memory");
        let error = input.read_to_end(&mut text).err();
        (String::from_utf8(text).expect("UTF-8"), error)
    }

    #[test]
    fn names_archives_that_must_be_extracted_first() {
        for (head, name) in [("PK\x03\x04", "zip"), ("\u{fd}7zXZ", "xz")] {
            let bytes: Vec<u8> = head.chars().map(|c| c as u8).collect();
            let error = decompress(Cursor::new(bytes)).err().map(|error| error.to_string());
            assert!(error.as_ref().is_some_and(|error| error.contains(name)), "{name}: {error:?}");
        }
    }

    #[test]
    fn reads_every_format_and_several_members() {
        let skipped = [&[0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3], &zstd(TEXT)[..]].concat();
        for bytes in [TEXT.into(), gzip(TEXT), bzip2(TEXT), zstd(TEXT), skipped] {
            assert_eq!(text(bytes.clone()).0, TEXT);
            assert_eq!(text([bytes.clone(), bytes].concat()).0, TEXT.repeat(2));
        }
        for short in ["", "1", "BZh", "\u{1f}"] {
            assert_eq!(text(short.into()).0, short);
        }
    }

    #[test]
    fn damaged_files_keep_the_text_before_the_damage() {
        let mut rng = crate::base::rng::Rng::new(1);
        let long: String = (0..600_000).map(|_| format!("{} ", rng.below(10_000))).collect();
        for (name, bytes) in
            [("gzip", gzip(&long)), ("bzip2", bzip2(&long)), ("Zstandard", zstd(&long))]
        {
            let (read, error) = text(bytes[..bytes.len() / 2].to_vec());
            assert!(
                long.starts_with(&read) && read.len() > long.len() / 10,
                "{name}: {}",
                read.len()
            );
            let error = error.expect(name).to_string();
            assert_eq!(error, format!("cannot decompress {name}: the file is truncated"));
        }
        for mut bytes in [gzip(&long), bzip2(&long)] {
            let middle = bytes.len() / 2;
            bytes[middle..middle + 9].fill(0x55);
            assert!(text(bytes).1.is_some());
        }
    }

    #[test]
    fn names_lose_only_the_extension_of_the_compression() {
        assert_eq!(uncompressed_name("lichess.pgn.zst"), "lichess.pgn");
        assert_eq!(uncompressed_name("games.pgn"), "games.pgn");
    }
}
