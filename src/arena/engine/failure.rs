//! Engine failures.

use super::announced::Misfit;
use super::entrant::Protocol;
use std::io;

#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error("cannot run {program}: {error}")]
    Start { program: String, error: io::Error },
    #[error("ended while the arena waited for {0}")]
    Crash(&'static str),
    #[error("did not send {0} in time")]
    Stall(&'static str),
    #[error("{0}")]
    ProtocolViolation(String),
    #[error("resigned")]
    Resigned,
    #[error("{0}")]
    Setting(#[from] Misfit),
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
