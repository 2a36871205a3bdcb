//! Failures of engines.

use super::announced::Misfit;
use super::entrant::Protocol;
use std::io;

/// A failure of an engine.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The program cannot be run.
    #[error("cannot run {program}: {error}")]
    Start {
        /// The program.
        program: String,
        /// The system's error.
        error: io::Error,
    },
    /// The process ended, or closed its input or output.
    #[error("ended while the arena waited for {0}")]
    Crash(&'static str),
    /// The engine did not answer in time.
    #[error("did not send {0} in time")]
    Stall(&'static str),
    /// The engine violated its protocol.
    #[error("{0}")]
    Broke(String),
    /// The engine resigns.
    #[error("gave up")]
    GaveUp,
    /// The engine does not have a setting that it must play with.
    #[error("{0}")]
    Setting(#[from] Misfit),
    /// The protocol does not support the game.
    #[error("this game is not played over {0}")]
    Protocol(Protocol),
    /// There are no checks of this protocol.
    #[error("there are no checks of {0}")]
    Unchecked(Protocol),
    /// The referee rejected an event of the arena.
    #[error("the referee refuses {0}")]
    Referee(String),
    /// The match was aborted; no engine failed.
    #[error("broken off")]
    Aborted,
}
