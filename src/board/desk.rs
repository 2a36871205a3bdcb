//! The interface between a session and its desk: a game that is played, a study, or an arbiter's log.

use super::game::BoardGame;
use super::message::{Board, Ply, Say};
use super::outlet::EngineEvent;
use crate::base::date::DateTime;
use crate::chess::notation::Notation;
use crate::laws::language::Language;
use crate::record::games::{IllegalMove, Record};
use serde::de::DeserializeOwned;
use std::error::Error;
use std::time::Instant;

/// The messages that the page gets after a request or an event.
#[derive(Debug)]
pub(super) enum Update {
    /// No message: nothing has changed.
    None,
    /// The board.
    Board,
    /// The board, then another message.
    BoardAnd(Say),
    /// A message without the board, which has not changed.
    Only(Say),
}

/// A board and the actions at it.
pub(super) trait Desk: Send + Sync {
    /// Handles an event of an engine of this tab. Events of searches that this desk has not started, or
    /// has stopped, change nothing.
    fn on_engine_event(&mut self, event: EngineEvent, notation: Notation) -> Update;

    /// Handles the choice of another notation.
    fn on_notation(&mut self, _: Notation) {}

    /// Handles the choice of a language for rulings.
    fn on_language(&mut self, _: Language) -> Update {
        Update::Board
    }

    /// Returns when the flag of the player to move falls.
    fn deadline(&self) -> Option<Instant> {
        None
    }

    /// Handles the fall of that flag.
    fn on_flag_fall(&mut self) {}

    /// Returns the state of the board for the page.
    fn board(&self, notation: Notation) -> Board;
}

/// A desk with the type of its own requests.
pub(super) trait Requests: Desk {
    type Request: DeserializeOwned;
    type Error: Error + Send + Sync + 'static;

    /// Handles a request of the page.
    ///
    /// # Errors
    /// If the request is not possible; then nothing has changed.
    fn on_request(
        &mut self,
        request: Self::Request,
        notation: Notation,
    ) -> Result<Update, Self::Error>;
}

/// A message of the page that a desk rejects.
#[derive(Debug, thiserror::Error)]
pub(super) enum MessageError {
    /// The message cannot be read.
    #[error("the server does not understand the page: {0}")]
    Malformed(#[from] serde_json::Error),
    /// The request is not possible.
    #[error(transparent)]
    Request(Box<dyn Error + Send + Sync>),
}

/// A desk of any kind, which reads its own requests.
pub(super) trait OpenDesk: Desk {
    /// Reads and handles a message of the page.
    ///
    /// # Errors
    /// If the message is not a request of this desk, or is not possible; then nothing has changed.
    fn on_message(&mut self, text: &str, notation: Notation) -> Result<Update, MessageError>;
}

impl<D: Requests> OpenDesk for D {
    fn on_message(&mut self, text: &str, notation: Notation) -> Result<Update, MessageError> {
        let request = serde_json::from_str(text)?;
        self.on_request(request, notation).map_err(|error| MessageError::Request(error.into()))
    }
}

/// Describes the moves of a line.
pub(super) fn plies<G: BoardGame>(start: &G, moves: &[G::Move], notation: Notation) -> Vec<Ply> {
    let mut position = start.clone();
    let ply = |&m: &G::Move| {
        let ply = position.ply(m, notation);
        position = position.after(m);
        ply
    };
    moves.iter().map(ply).collect()
}

/// Returns the keys of the positions before each move of a line.
pub(super) fn keys<G: BoardGame>(start: &G, moves: &[G::Move]) -> Vec<u64> {
    let mut position = start.clone();
    let key = |&m: &G::Move| {
        let after = position.after(m);
        std::mem::replace(&mut position, after).key()
    };
    moves.iter().map(key).collect()
}

/// Writes a line as a record.
///
/// # Errors
/// If a move is not legal.
pub(super) fn record<G: BoardGame>(
    start: &G,
    moves: &[G::Move],
    players: &[String; 2],
    result: G::Result,
) -> Result<String, IllegalMove<G::Move>> {
    let mut record = Record::from_position(start.clone());
    record.set_date(std::time::SystemTime::now());
    record.set_tag("White", &players[0]);
    record.set_tag("Black", &players[1]);
    record.result = result;
    for &m in moves {
        record.push(m, "")?;
    }
    Ok(record.to_string())
}

/// Returns a record or log as a file with the time in its name.
pub(super) fn file(text: String, extension: &str) -> Say {
    let now = DateTime::now().file_stem();
    Say::Record { name: format!("adoube-{now}.{extension}"), text }
}
