//! Engine failures.

use super::announced::Misfit;
use super::entrant::Protocol;
use std::io;

#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error("cannot run {program}: {error}")]
    Start { program: String, error: io::Error },
    #[error("ended instead of sending {0}")]
    Crash(&'static str),
    #[error("did not send {0} in time{advice}", advice = advice(.0))]
    Stall(&'static str),
    #[error("{0}")]
    ProtocolViolation(String),
    #[error("resigned")]
    Resigned,
    #[error(transparent)]
    Setting(#[from] Misfit),
    /// The engine reported an error after its settings were sent.
    #[error("cannot use its settings: {0}")]
    Rejected(String),
    #[error("this game is not played over {0}")]
    Protocol(Protocol),
    #[error("engines cannot analyse over {0}")]
    NoAnalysis(Protocol),
    #[error("no checks exist for {0}")]
    Unchecked(Protocol),
    #[error("the referee rejected {0}")]
    Referee(String),
    /// The match was aborted. The engine is not at fault.
    #[error("aborted")]
    Aborted,
}

/// Returns advice if an engine does not send what ends its introduction.
fn advice(missing: &str) -> &'static str {
    match missing {
        "uciok" => " (does it speak UCI? Draughts engines need --game draughts)",
        "wait" => " (does it speak Hub, the protocol of draughts engines?)",
        _ => "",
    }
}
