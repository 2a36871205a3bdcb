//! The engine's replies: each kind of line has a type that can be parsed and printed.

use super::info::Info;
use super::line::{HubLine, HubLineError, Value};
use super::param::ParamLine;
use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};

#[derive(Clone, PartialEq, Debug)]
pub enum Reply<'a> {
    Id(Id<'a>),
    Param(ParamLine<'a>),
    /// `wait`: the identification is complete.
    Wait,
    /// `ready`: the engine is initialised.
    Ready,
    Pong,
    Info(Info<'a>),
    Done(Done<'a>),
    Error(Cow<'a, str>),
}

/// `id`: the identity of the engine. A missing field is `None`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Id<'a> {
    pub name: Option<Cow<'a, str>>,
    pub version: Option<Cow<'a, str>>,
    pub author: Option<Cow<'a, str>>,
}

/// `done`: the move to play and the reply to ponder on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Done<'a> {
    /// The move as sent, which may be invalid. It is [`Self::NONE`] if the side to move has no move
    /// or the search could not begin, and empty if the engine sent no move.
    pub best: Cow<'a, str>,
    pub ponder: Option<Cow<'a, str>>,
}

impl Done<'_> {
    /// The text sent instead of a move if the side to move has none or the search cannot begin.
    pub(crate) const NONE: &'static str = "none";
}

impl<'a> Reply<'a> {
    /// Parses a line. Returns `None` for an unknown reply, which the caller should ignore.
    pub fn parse(text: &'a str) -> Result<Option<Self>, HubLineError> {
        let line = HubLine::parse(text)?;
        let get = |name| line.get(name).map(Cow::Borrowed);
        Ok(Some(match line.command {
            "id" => {
                Self::Id(Id { name: get("name"), version: get("version"), author: get("author") })
            }
            "param" => Self::Param(ParamLine::from(&line)),
            "wait" => Self::Wait,
            "ready" => Self::Ready,
            "pong" => Self::Pong,
            "info" => Self::Info(Info::from(&line)),
            "done" => {
                Self::Done(Done { best: get("move").unwrap_or_default(), ponder: get("ponder") })
            }
            "error" => Self::Error(get("message").unwrap_or_default()),
            _ => return Ok(None),
        }))
    }

    pub(crate) fn error(why: &dyn Display) -> Self {
        Self::Error(why.to_string().into())
    }
}

impl Display for Reply<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id(Id { name, version, author }) => {
                f.write_str("id")?;
                for (word, value) in [("name", name), ("version", version), ("author", author)] {
                    value.iter().try_for_each(|value| write!(f, " {word}={}", Value(value)))?;
                }
                Ok(())
            }
            Self::Param(param) => param.fmt(f),
            Self::Wait => f.write_str("wait"),
            Self::Ready => f.write_str("ready"),
            Self::Pong => f.write_str("pong"),
            Self::Info(info) => info.fmt(f),
            Self::Done(Done { best, ponder }) => {
                write!(f, "done move={}", Value(best))?;
                ponder.iter().try_for_each(|m| write!(f, " ponder={}", Value(m)))
            }
            Self::Error(message) => write!(f, "error message={}", Value(message)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_round_trip() {
        let id = Id {
            name: Some("Adoube".into()),
            version: Some("0.1.0".into()),
            author: Some("the Adoube authors".into()),
        };
        let done = |best: &'static str, ponder: Option<&'static str>| {
            Reply::Done(Done { best: best.into(), ponder: ponder.map(Cow::Borrowed) })
        };
        for (reply, line) in [
            (Reply::Id(id), "id name=Adoube version=0.1.0 author=\"the Adoube authors\""),
            (Reply::Wait, "wait"),
            (Reply::Ready, "ready"),
            (Reply::Pong, "pong"),
            (done("32-28", None), "done move=32-28"),
            (done("32-28", Some("19-23")), "done move=32-28 ponder=19-23"),
            (done(Done::NONE, None), "done move=none"),
            (Reply::error(&"it is over"), "error message=\"it is over\""),
            (Reply::Info(Info { depth: Some(3), ..Info::default() }), "info depth=3 pv=\"\""),
            (
                Reply::Param(ParamLine { name: Some("book".into()), ..ParamLine::default() }),
                "param name=book",
            ),
        ] {
            assert_eq!(reply.to_string(), line);
            assert_eq!(Reply::parse(line), Ok(Some(reply)));
        }
    }

    #[test]
    fn parses_or_ignores_unusual_replies() {
        let done = |best: &'static str| Reply::Done(Done { best: best.into(), ponder: None });
        assert_eq!(Reply::parse("  done"), Ok(Some(done(""))));
        assert_eq!(Reply::parse("done joho move = 1-6 x=y"), Ok(Some(done("1-6"))));
        for line in ["", "don move=1-2", "Done", "hello"] {
            assert_eq!(Reply::parse(line), Ok(None), "{line}");
        }
        assert!(Reply::parse("info pv=\"").is_err() && Reply::parse("\"").is_ok());
    }

    #[test]
    fn error_is_one_quoted_value() {
        assert_eq!(Reply::error(&"no \"x\"\n=").to_string(), "error message=\"no 'x' =\"");
    }
}
