//! Wire types for games against the engine or between two people. [`NewGame`] is also the first
//! line of a game's journal.

use super::GameKind;
use crate::base::side::Side;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Full strength. Without a clock, the engine thinks for one second per move.
    #[default]
    Full,
    /// For chess: the Elo rating to play at.
    Elo(u32),
    /// For draughts: a skill level, which is a value of the Hub parameter `skill`. The lowest level
    /// is 0.
    Skill(u32),
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    #[default]
    Usual,
    Fen(String),
    /// A Chess960 start position, by its number.
    Chess960(u16),
    /// Chess odds in the syntax of `adoube start`. If the odds include several moves, the second
    /// field contains these moves.
    Odds(String, Vec<String>),
    /// Draughts odds: the number of men that White, the stronger player, starts without.
    Less(u8),
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewGame {
    pub game: GameKind,
    #[serde(default)]
    pub start: Start,
    /// The name of the draughts variant, or `None` for the normal game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    pub you: Option<Side>,
    #[serde(default)]
    pub level: Level,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// The time control for each player, in the syntax of `--tc`, or `-` for no clock.
    pub time: String,
    /// The names of White and Black. An empty name stands for the default.
    #[serde(default, skip_serializing_if = "no_names")]
    pub names: [String; 2],
}

fn no_names(names: &[String; 2]) -> bool {
    names.iter().all(String::is_empty)
}

#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub(crate) struct SavedGame {
    pub id: String,
    pub terms: NewGame,
    /// The number of plies played.
    pub plies: usize,
    /// The time at which the game began, in milliseconds since 1970.
    pub began: u64,
    /// Set if the unfinished game is open in another tab.
    pub open: bool,
    /// The result, for example `1-0`; `None` if the game is unfinished.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<&'static str>,
}

/// An engine that was named when the server was started.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub(crate) struct AvailableEngine {
    pub name: String,
    pub game: GameKind,
    /// Set if the engine can analyse: engines that speak DXP cannot.
    pub analyses: bool,
}
