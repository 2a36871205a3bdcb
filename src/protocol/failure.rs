//! The failure of an engine, which ends a session.

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum EngineFailure {
    /// The engine cannot be created.
    #[error("{0}")]
    Engine(String),
    /// A job panicked with this message.
    #[error("the engine has crashed, which is a bug in Adoube: {0}")]
    Panic(String),
}
