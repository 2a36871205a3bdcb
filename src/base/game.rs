//! What every game has: positions, moves, and moves as text.
//!
//! Code that serves both games and knows the rules of neither (perft, suites, records, the referee,
//! the arena) is written for a [`Game`]. Generators and searches use each game's own types.

use super::side::Side;
use serde::{Deserialize, Serialize};
use std::error::Error;
use std::fmt;

/// One of the two games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum GameKind {
    /// Chess, with Chess960
    Chess,
    /// International draughts on 100 squares
    Draughts,
}

impl GameKind {
    /// Detects the game of a FEN: in draughts the side to move is followed by a colon.
    pub fn of_fen(fen: &str) -> Self {
        let mut chars = fen.trim_start().chars();
        let side = chars.next().is_some_and(|c| "WwBb".contains(c));
        if side && chars.next() == Some(':') { Self::Draughts } else { Self::Chess }
    }
}

impl fmt::Display for GameKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Chess => "chess",
            Self::Draughts => "draughts",
        })
    }
}

/// In which form the text of a move is read and written.
///
/// A score sheet is in none of these: its writer chooses a notation, which is a value of its own; see
/// [`Notate`](crate::record::sheet::Notate).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveForm {
    /// What programs send: UCI in chess, with castling read in either form and written as the king
    /// taking its rook; Hub in draughts. Written, it needs no position to be understood.
    Program,
    /// What records of games have: SAN in PGN, PDN's own form in draughts. Read leniently: any text
    /// that by the rules of the form can mean only one legal move.
    Record,
    /// What players type: whatever can mean only one legal move, the form of programs first. Written
    /// as in records.
    Player,
}

/// A position of a board game of two players.
pub trait Game: Clone + Eq + fmt::Debug + Send + Sync + 'static {
    /// A move of the game. It is displayed in the form of [`MoveForm::Program`].
    type Move: Copy + Eq + fmt::Debug + fmt::Display + Send + Sync + 'static;

    /// Why a text is not one legal move.
    type MoveError: Error + Clone + Eq + Send + Sync + 'static;

    /// The position in which a game starts.
    fn start() -> Self;

    /// The player to move.
    fn side(&self) -> Side;

    /// Every legal move.
    fn moves(&self) -> Vec<Self::Move>;

    /// Returns the position after `m`, which must be legal here; this is not checked.
    fn after(&self, m: Self::Move) -> Self;

    /// A hash key of all that decides which moves can follow.
    fn key(&self) -> u64;

    /// Plies that [`perft`](Self::perft) counts in milliseconds from nearly every position.
    const QUICK_PLIES: u32;

    /// The number of leaves of the tree of legal moves `depth` plies deep.
    fn perft(&self, depth: u32) -> u64;

    /// Reads a legal move.
    ///
    /// # Errors
    /// If the text is not of the form, or means no legal move or several.
    fn read_move(&self, text: &str, form: MoveForm) -> Result<Self::Move, Self::MoveError>;

    /// The text of a legal move.
    fn write_move(&self, m: Self::Move, form: MoveForm) -> String;

    /// The texts of legal moves that follow each other from here.
    fn write_line(
        &self,
        moves: impl IntoIterator<Item = Self::Move>,
        form: MoveForm,
    ) -> Vec<String> {
        let mut position = self.clone();
        let text = |m| {
            let text = position.write_move(m, form);
            position = position.after(m);
            text
        };
        moves.into_iter().map(text).collect()
    }

    /// Whether [`Self::read_move`] failed because the text is no move at all in its form, rather than
    /// a move that is not legal here.
    fn is_malformed(error: &Self::MoveError) -> bool;
}

/// The methods of [`Game`] that a position already has itself, under the same or a longer name.
macro_rules! own_methods {
    () => {
        fn start() -> Self {
            Self::start()
        }

        fn side(&self) -> crate::base::side::Side {
            Self::side(self)
        }

        fn moves(&self) -> Vec<Self::Move> {
            self.legal_moves().to_vec()
        }

        fn after(&self, m: Self::Move) -> Self {
            self.play_unchecked(m)
        }

        fn key(&self) -> u64 {
            Self::key(self)
        }
    };
}
pub(crate) use own_methods;
