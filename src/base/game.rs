//! The interface that chess and draughts share: positions, moves, and moves as text.
//!
//! Code that does not depend on the rules of a game (perft, test suites, records, the referee, the
//! arena) is generic over [`Game`]. Move generators and searches use each game's own types.

use super::side::Side;
use std::error::Error;
use std::fmt;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[cfg_attr(feature = "arena", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arena", serde(rename_all = "lowercase"))]
pub enum GameKind {
    /// Chess, with Chess960
    Chess,
    /// International draughts on 100 squares
    Draughts,
}

impl GameKind {
    /// Detects the game of a FEN. A draughts FEN begins with the side to move and a colon. An
    /// unknown side is `?`.
    pub fn of_fen(fen: &str) -> Self {
        let rest = fen.trim_start().strip_prefix(['W', 'w', 'B', 'b', '?']);
        match rest.is_some_and(|rest| rest.trim_start().starts_with(':')) {
            true => Self::Draughts,
            false => Self::Chess,
        }
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

/// The text format of a move.
///
/// Score sheets use other notations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveForm {
    /// The format of engine protocols: UCI in chess, Hub in draughts. Castling may be given as the
    /// king's move (`e1g1`) or as the king capturing its rook (`e1h1`), and is written as the
    /// latter.
    Program,
    /// The format of game records: SAN in PGN, numeric notation in PDN. Parsing is lenient: any
    /// text that matches exactly one legal move is accepted.
    Record,
    /// The format of user input: any text that matches exactly one legal move. Text that has the
    /// form of [`Self::Program`] is parsed only in this form, even if that move is illegal. Moves
    /// are written as in [`Self::Record`].
    Player,
}

pub trait Game: Clone + Eq + fmt::Debug + Send + Sync + 'static {
    /// A move. Its `Display` format is [`MoveForm::Program`].
    type Move: Copy + Eq + fmt::Debug + fmt::Display + Send + Sync + 'static;

    /// The error for the text of a move that is invalid, illegal or ambiguous.
    type MoveError: Error + Clone + Eq + Send + Sync + 'static;

    fn start() -> Self;

    fn side(&self) -> Side;

    fn moves(&self) -> Vec<Self::Move>;

    /// Returns the position after `m`. The move must be legal, or a null move from a record; this
    /// is not checked.
    fn after(&self, m: Self::Move) -> Self;

    /// Sets `next`, which must be equal to `self`, to the position after `m`. The same conditions
    /// as for [`Self::after`] apply.
    fn play_in(&self, m: Self::Move, next: &mut Self) {
        *next = self.after(m);
    }

    /// Returns a hash key of everything that determines the legal moves.
    fn key(&self) -> u64;

    /// A depth in plies at which [`perft`](Self::perft) takes only milliseconds in almost every
    /// position.
    const QUICK_PLIES: u32;

    fn perft(&self, depth: u32) -> u64;

    fn read_move(&self, text: &str, form: MoveForm) -> Result<Self::Move, Self::MoveError>;

    /// Appends a move to a text.
    fn push_move(&self, m: Self::Move, form: MoveForm, text: &mut String);

    fn write_move(&self, m: Self::Move, form: MoveForm) -> String {
        let mut text = String::new();
        self.push_move(m, form, &mut text);
        text
    }

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

    /// Returns whether `error` means that the text does not have the form of a move, rather than
    /// that the move is illegal.
    fn is_malformed(error: &Self::MoveError) -> bool;
}

/// Implements the methods of [`Game`] that only forward to an inherent method of the position.
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

        fn key(&self) -> u64 {
            Self::key(self)
        }
    };
}
pub(crate) use own_methods;
