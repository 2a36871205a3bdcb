//! Wire types of the games that are played. [`NewGame`] is also the first line of a game's journal.

use super::GameKind;
use crate::base::side::Side;
use serde::{Deserialize, Serialize};

/// The strength of the engine.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Full strength; one second per move without a clock.
    #[default]
    Full,
    /// The strength of a player with this rating (chess).
    Elo(u32),
    /// A skill from 0, as in Hub's parameter (draughts).
    Skill(u32),
}

/// The beginning of a game.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    /// The usual start position.
    #[default]
    Usual,
    /// A position (FEN).
    Fen(String),
    /// The Chess960 start position with this number.
    Chess960(u16),
    /// Odds at chess, as `adoube start` reads them, and the moves that are given if there are several.
    Odds(String, Vec<String>),
    /// Draughts in which White, the stronger player, has this many men fewer.
    Less(u8),
}

/// The terms of a game.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct NewGame {
    pub game: GameKind,
    #[serde(default)]
    pub start: Start,
    /// The name of the draughts variant, unless it is the normal game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// The human's side; `None` for two humans.
    pub you: Option<Side>,
    /// The strength of Adoube.
    #[serde(default)]
    pub level: Level,
    /// The name of another engine that plays instead of Adoube.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// The time control of each player, as for `--tc`; `-` for no clock.
    pub time: String,
}

/// A stored game that has not ended.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct Unfinished {
    pub id: String,
    pub terms: NewGame,
    /// The number of moves made.
    pub plies: usize,
}

/// An engine that was named when the server was started.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct AvailableEngine {
    pub name: String,
    pub game: GameKind,
}
