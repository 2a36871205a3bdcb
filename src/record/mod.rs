//! Games on record: streams of text to typed games and back. [`games`] as PGN and PDN write them,
//! [`sheet`] as players write them by hand, [`selfplay`] the engine's own in few bytes, and [`epd`], the operations of a line of EPD.

pub mod epd;
pub mod games;
pub mod selfplay;
pub mod sheet;
