//! The interface between a session and its desk: a game being played, a study, or an arbiter's log.

use super::game::BoardGame;
use super::message::{Board, Ply, ServerMessage};
use super::outlet::EngineEvent;
use crate::base::date::DateTime;
use crate::chess::notation::Notation;
use crate::laws::language::{InFrench, Language};
use serde::de::DeserializeOwned;
use std::error::Error;
use std::time::Instant;

/// The messages to send to the page after a request or an event.
#[derive(Debug)]
pub(super) enum Update {
    None,
    Board,
    BoardAnd(ServerMessage),
    /// A message without the board, because the board has not changed.
    Only(ServerMessage),
}

pub(super) trait Desk: Send + Sync {
    /// Handles an event from an engine of this tab. Ignores events from stopped searches, and from
    /// searches that another desk started.
    fn on_engine_event(&mut self, event: EngineEvent, notation: Notation) -> Update;

    fn on_notation(&mut self, _: Notation) {}

    fn on_language(&mut self, _: Language) -> Update {
        Update::Board
    }

    fn deadline(&self) -> Option<Instant> {
        None
    }

    fn on_flag_fall(&mut self) {}

    /// Returns whether a clock is running, so that [`Self::save_clock`] must be called regularly.
    fn has_running_clock(&self) -> bool {
        false
    }

    /// Stores the time spent on the current turn, so that closing the desk does not give this time
    /// back to the player.
    fn save_clock(&mut self) {}

    /// Returns whether a part of the game has not been stored yet.
    fn is_unsaved(&self) -> bool {
        false
    }

    fn save_again(&mut self) {}

    fn board(&self, notation: Notation) -> Board;
}

pub(super) trait Requests: Desk {
    type Request: DeserializeOwned;
    type Error: Refusal + 'static;

    fn on_request(
        &mut self,
        request: Self::Request,
        notation: Notation,
    ) -> Result<Update, Self::Error>;
}

#[derive(Debug, thiserror::Error)]
pub(super) enum MessageError {
    #[error("the server could not read the page's message: {0}")]
    Malformed(#[from] serde_json::Error),
    #[error("{0}")]
    Request(Box<dyn Refusal>),
}

/// The reason why a desk rejects a request.
pub(super) trait Refusal: Error + InFrench + Send + Sync {}

impl<E: Error + InFrench + Send + Sync> Refusal for E {}

pub(super) trait OpenDesk: Desk {
    /// Parses and handles a message from the page. If this fails, the game or log is unchanged.
    fn on_message(&mut self, text: &str, notation: Notation) -> Result<Update, MessageError>;
}

impl<D: Requests> OpenDesk for D {
    fn on_message(&mut self, text: &str, notation: Notation) -> Result<Update, MessageError> {
        let request = serde_json::from_str(text)?;
        self.on_request(request, notation).map_err(|error| MessageError::Request(Box::new(error)))
    }
}

pub(super) fn plies<G: BoardGame>(start: &G, moves: &[G::Move], notation: Notation) -> Vec<Ply> {
    let mut position = start.clone();
    let ply = |&m: &G::Move| {
        let ply = position.ply(m, notation);
        position = position.after(m);
        ply
    };
    moves.iter().map(ply).collect()
}

/// Returns the key of the position before each of the moves.
pub(super) fn keys<G: BoardGame>(start: &G, moves: &[G::Move]) -> Vec<u64> {
    let mut position = start.clone();
    let key = |&m: &G::Move| {
        let after = position.after(m);
        std::mem::replace(&mut position, after).key()
    };
    moves.iter().map(key).collect()
}

/// Maximum length of a name, in characters.
const MAX_NAME_LENGTH: usize = 80;

/// Converts a string to a name: replaces control characters with spaces and limits the length.
pub(super) fn name_of(text: &str) -> String {
    let one_line = text.trim().chars().map(|c| if c.is_control() { ' ' } else { c });
    one_line.take(MAX_NAME_LENGTH).collect()
}

pub(super) fn file(text: String, extension: &str) -> ServerMessage {
    let now = DateTime::now().file_stem();
    ServerMessage::Record { name: format!("adoube-{now}.{extension}"), text }
}
