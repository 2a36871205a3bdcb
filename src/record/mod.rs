//! What files say of games and positions, read from text or bytes into types and written back:
//! [`games`] as PGN and PDN have them, [`sheet`]s as players write them by hand, [`selfplay`] the
//! engine's own games in few bytes, and [`epd`], positions with operations.

pub mod epd;
pub mod games;
#[cfg(feature = "arena")]
pub mod selfplay;
pub mod sheet;

/// The bytes as text: UTF-8 if they are valid, else Latin-1, in which every byte is a character.
fn decode(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect())
}
