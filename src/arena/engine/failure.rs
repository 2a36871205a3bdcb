//! Engine failures.

use super::announced::Misfit;
use super::entrant::Protocol;
use super::process::Exit;
use std::io;

/// The reason why an engine cannot be used any longer.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The program cannot be started.
    #[error("cannot run {program}: {error}")]
    Start {
        /// The program.
        program: String,
        /// The operating system's error.
        error: io::Error,
    },
    /// The process ended before the engine sent the expected answer.
    #[error("{1} instead of sending {0}")]
    Crash(&'static str, Exit),
    /// The engine did not send the expected answer in time.
    #[error("did not send {0} in time{advice}", advice = advice(.0))]
    Stall(&'static str),
    /// The engine violated its protocol. The text describes the violation.
    #[error("{0}")]
    ProtocolViolation(String),
    /// The engine resigned.
    #[error("resigned")]
    Resigned,
    /// An option that the engine does not have, or a value that the option does not accept.
    #[error(transparent)]
    Setting(#[from] Misfit),
    /// The engine reported an error after its settings were sent.
    #[error("cannot use its settings: {0}")]
    Rejected(String),
    /// The game or variant cannot be played over the protocol.
    #[error("this game is not played over {0}")]
    Protocol(Protocol),
    /// Engines cannot analyse over the protocol.
    #[error("engines cannot analyse over {0}")]
    NoAnalysis(Protocol),
    /// `adoube check` does not support the protocol.
    #[error("no checks exist for {0}")]
    Unchecked(Protocol),
    /// The referee rejected an event, which indicates a bug in this program.
    #[error("the referee rejected {0}")]
    Referee(String),
    /// The match was aborted. The engine is not at fault.
    #[error("aborted")]
    Aborted,
}

/// Returns advice for the error message if `missing` is the last line of an engine's introduction.
fn advice(missing: &str) -> &'static str {
    match missing {
        "uciok" => {
            " (does it speak UCI? Draughts engines speak Hub: give --game draughts in a match, \
             --proto hub in a check)"
        }
        "wait" => " (does it speak Hub, the protocol of draughts engines?)",
        _ => "",
    }
}
