//! Reading and writing of games and positions: [`games`] (PGN and PDN), handwritten score
//! [`sheet`]s, compact [`selfplay`] games of the engine, and [`epd`] records.

pub mod epd;
pub mod games;
#[cfg(feature = "arena")]
pub mod selfplay;
pub mod sheet;

/// Decodes UTF-8, or Latin-1 if the bytes are not valid UTF-8.
fn decode(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect())
}
