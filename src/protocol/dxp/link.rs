//! A DXP connection: messages over a TCP stream, each terminated by a null character.

use super::message::{MAX_MESSAGE, Message};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

#[derive(Debug, thiserror::Error)]
pub enum LinkError {
    #[error("the peer has closed the connection")]
    Closed,
    #[error("the peer has closed the connection in the middle of a message")]
    Cut,
    #[error("the peer sent a message of more than {MAX_MESSAGE} characters")]
    TooLong,
    #[error("the connection is broken: {0}")]
    Broken(#[from] io::Error),
}

/// The write timeout for a peer that does not read.
const WRITING: Duration = Duration::from_secs(10);

/// The sending half of a connection. Dropping it closes both halves.
#[derive(Debug)]
pub(crate) struct Link(TcpStream);

impl Link {
    pub(crate) fn new(stream: TcpStream) -> io::Result<Self> {
        stream.set_nonblocking(false)?;
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(WRITING))?;
        Ok(Self(stream))
    }

    pub(crate) fn messages(&self) -> io::Result<Messages<TcpStream>> {
        self.0.try_clone().map(Messages::new)
    }

    /// Sends a message. Fails if the connection is broken or the peer does not read.
    pub(crate) fn send(&mut self, message: &Message) -> Result<(), LinkError> {
        tracing::debug!("sent: {message}");
        self.0.write_all(format!("{message}\0").as_bytes()).map_err(LinkError::Broken)
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        // The peer may already have closed the connection.
        let _ = self.0.shutdown(Shutdown::Both);
    }
}

/// The receiving half of a connection: splits a byte stream into messages.
#[derive(Debug)]
pub struct Messages<R>(BufReader<R>);

impl<R: Read> Messages<R> {
    pub fn new(source: R) -> Self {
        Self(BufReader::new(source))
    }

    /// Waits for the next non-empty message. Invalid UTF-8 is replaced. A chat message that is too
    /// long is truncated, because chat does not affect the game.
    pub fn receive(&mut self) -> Result<String, LinkError> {
        let mut message = Vec::with_capacity(MAX_MESSAGE);
        loop {
            let bytes = match self.0.fill_buf() {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) if error.kind() == io::ErrorKind::ConnectionReset => &[],
                Err(error) => return Err(error.into()),
            };
            if bytes.is_empty() {
                let started = !message.is_empty();
                return Err(if started { LinkError::Cut } else { LinkError::Closed });
            }
            let end = bytes.iter().position(|&byte| byte == 0);
            let part = &bytes[..end.unwrap_or(bytes.len())];
            let room = MAX_MESSAGE - message.len();
            message.extend_from_slice(&part[..part.len().min(room)]);
            if part.len() > room && message[0] != b'C' {
                return Err(LinkError::TooLong);
            }
            let used = end.map_or(bytes.len(), |end| end + 1);
            self.0.consume(used);
            if end.is_some() && !message.is_empty() {
                return Ok(String::from_utf8_lossy(&message).into_owned());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns all messages and the final error for bytes that arrive in chunks of `size`.
    fn read(bytes: &[u8], size: usize) -> Vec<String> {
        let mut messages = Messages(BufReader::with_capacity(size, bytes));
        let mut found = Vec::new();
        loop {
            match messages.receive() {
                Ok(text) => found.push(text),
                Err(error) => {
                    found.push(error.to_string());
                    return found;
                }
            }
        }
    }

    #[test]
    fn null_characters_terminate_messages() {
        let closed = "the peer has closed the connection";
        for size in [1, 3, 1000] {
            assert_eq!(read(b"", size), [closed]);
            assert_eq!(read(b"E00\0K1\0\0", size), ["E00", "K1", closed]);
            let cut = format!("{closed} in the middle of a message");
            assert_eq!(read(b"E00\0M001", size), ["E00", &cut]);
            assert_eq!(read(b"Ca\xff\0", size), ["Ca\u{fffd}", closed]);
        }
    }

    #[test]
    fn truncates_long_chat_and_rejects_other_long_messages() {
        let (whole, long) = ("M".repeat(MAX_MESSAGE), "M".repeat(MAX_MESSAGE + 1));
        let chat = "C".repeat(1000);
        for size in [1, 100, 1000] {
            let bytes = format!("{whole}\0{chat}\0{long}\0E00\0");
            let error = "the peer sent a message of more than 127 characters";
            assert_eq!(read(bytes.as_bytes(), size), [&whole, &chat[..MAX_MESSAGE], error]);
            assert_eq!(read(&[b'x'; 5000], size), [error]);
        }
    }
}
