//! Random access to the bytes of a table, and a cursor for its header.

use super::TableError;
use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::path::Path;

/// The maximum size in bytes of a file that is loaded into memory as a whole when it is first
/// probed. From larger files, only the required blocks are read.
const SMALL: u64 = 8 << 20;

/// The bytes of a file. The file is read, not memory-mapped, so that truncating it while the
/// program is running does no harm.
#[derive(Debug)]
pub(super) enum Bytes {
    Memory(Box<[u8]>),
    File(File),
}

impl Bytes {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        if file.metadata()?.len() > SMALL {
            return Ok(Self::File(file));
        }
        drop(file);
        Ok(Self::Memory(std::fs::read(path)?.into_boxed_slice()))
    }

    /// Returns `len` bytes at offset `at`, or `None` if they cannot be read.
    pub(super) fn get(&self, at: u64, len: usize) -> Option<Cow<'_, [u8]>> {
        match self {
            Self::Memory(bytes) => {
                let at = usize::try_from(at).ok()?;
                bytes.get(at..at.checked_add(len)?).map(Cow::Borrowed)
            }
            Self::File(file) => {
                let mut bytes = vec![0; len];
                read_exact_at(file, &mut bytes, at).ok()?;
                Some(Cow::Owned(bytes))
            }
        }
    }

    /// Returns the little-endian number at offset `at`.
    pub(super) fn u16(&self, at: u64) -> Option<u16> {
        Some(u16::from_le_bytes(*self.get(at, 2)?.first_chunk()?))
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, at)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut bytes: &mut [u8], mut at: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, bytes, at)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        bytes = &mut bytes[read..];
        at += read as u64;
    }
    Ok(())
}

#[derive(Debug)]
pub(super) struct Header<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Header<'a> {
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub(super) const fn at(&self) -> usize {
        self.at
    }

    pub(super) fn take(&mut self, len: usize) -> Result<&'a [u8], TableError> {
        let taken = self.bytes.get(self.at..self.at + len).ok_or(TableError::Short)?;
        self.at += len;
        Ok(taken)
    }

    pub(super) fn u8(&mut self) -> Result<u8, TableError> {
        self.array::<1>().map(|[byte]| byte)
    }

    pub(super) fn u16(&mut self) -> Result<u16, TableError> {
        self.array().map(u16::from_le_bytes)
    }

    pub(super) fn u32(&mut self) -> Result<u32, TableError> {
        self.array().map(u32::from_le_bytes)
    }

    /// Skips a byte if the offset is odd.
    pub(super) fn align(&mut self) {
        self.at += self.at & 1;
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], TableError> {
        self.take(N)?.first_chunk().copied().ok_or(TableError::Short)
    }
}
