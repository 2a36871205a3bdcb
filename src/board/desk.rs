//! What lies before a person: a game that is played, or one that is studied.

use super::message::{Ask, Board, Ply, Say};
use super::shown::Shown;
use super::thinker::Told;
use crate::chess::notation::Notation;
use crate::record::games::Record;
use std::time::Instant;

/// A board and what is done at it. After whatever happens the session shows [`Desk::board`].
pub(super) trait Desk: Send + Sync {
    /// Does what the page asks. There can be something to say besides the board.
    ///
    /// # Errors
    /// Why it cannot be done, in a sentence; then nothing has changed.
    fn ask(&mut self, ask: Ask, notation: Notation) -> Result<Option<Say>, String>;

    /// Takes what the engine tells. `None` if the board is as it was.
    fn told(&mut self, told: Told, notation: Notation) -> Option<Option<Say>>;

    /// When the flag of the player to move falls.
    fn deadline(&self) -> Option<Instant>;

    /// It falls.
    fn flag_falls(&mut self);

    /// All that is to be seen.
    fn board(&self, notation: Notation) -> Board;
}

/// The moves of a line as they are shown.
pub(super) fn plies<G: Shown>(start: &G, moves: &[G::Move], notation: Notation) -> Vec<Ply> {
    let mut position = start.clone();
    let ply = |&m: &G::Move| {
        let ply = position.ply(m, notation);
        position = position.after(m);
        ply
    };
    moves.iter().map(ply).collect()
}

/// The keys of the positions before each move of a line.
pub(super) fn keys<G: Shown>(start: &G, moves: &[G::Move]) -> Vec<u64> {
    let mut position = start.clone();
    let key = |&m: &G::Move| {
        let after = position.after(m);
        std::mem::replace(&mut position, after).key()
    };
    moves.iter().map(key).collect()
}

/// A line as a record.
///
/// # Errors
/// If a move is not legal, which no desk lets happen.
fn record<G: Shown>(
    start: &G,
    moves: &[G::Move],
    players: &[String; 2],
    result: G::Result,
) -> Result<String, String> {
    let mut record = Record::from_position(start.clone());
    record.set_date(std::time::SystemTime::now());
    record.set_tag("White", &players[0]);
    record.set_tag("Black", &players[1]);
    record.result = result;
    for &m in moves {
        record.push(m, "").map_err(|error| error.to_string())?;
    }
    Ok(record.to_string())
}

/// The same to be saved, with a name for its file.
///
/// # Errors
/// As above.
pub(super) fn saved<G: Shown>(
    start: &G,
    moves: &[G::Move],
    players: &[String; 2],
    result: G::Result,
) -> Result<Say, String> {
    Ok(saved_as::<G>(record(start, moves, players, result)?))
}

/// A record with a name for its file.
pub(super) fn saved_as<G: Shown>(text: String) -> Say {
    let now = crate::base::date::DateTime::now().file_stem();
    Say::Record { name: format!("adoube-{now}.{}", G::EXTENSION), text }
}
