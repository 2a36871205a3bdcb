//! Which of the two games a command is about.

/// A game.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameName {
    /// Chess, with Chess960
    Chess,
    /// International draughts on 100 squares
    Draughts,
}

impl GameName {
    /// The game of a position's text: a draughts FEN has a colon after the side to move.
    pub fn of(position: &str) -> Self {
        let mut chars = position.trim_start().chars();
        let side = chars.next().is_some_and(|c| "WwBb".contains(c));
        if side && chars.next() == Some(':') { Self::Draughts } else { Self::Chess }
    }
}

impl std::fmt::Display for GameName {
    /// As an argument writes it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Chess => "chess",
            Self::Draughts => "draughts",
        })
    }
}
