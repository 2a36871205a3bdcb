//! The failure of an engine, which ends a conversation.

/// A failure of the thread that owns the engine.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EngineFailure {
    /// The engine cannot be created.
    #[error("{0}")]
    Engine(String),
    /// A job panicked, with this message.
    #[error("the engine has ended, because of an error in the program: {0}")]
    Panic(String),
}
