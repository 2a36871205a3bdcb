//! Draughts as a [`Game`]: perft, and moves as text.

use super::moves::Move;
use super::notation::{self, MoveError};
use super::position::Position;
use crate::base::game::{Game, MoveForm};

impl Game for Position {
    type Move = Move;
    type MoveError = MoveError;

    const QUICK_PLIES: u32 = 6;

    crate::base::game::own_methods!();

    fn after(&self, m: Move) -> Self {
        self.play_unchecked(m)
    }

    fn perft(&self, depth: u32) -> u64 {
        Self::perft(self, depth)
    }

    /// Parses a move. The [`MoveForm`] is ignored, because the forms cannot be confused (see
    /// [`notation`]).
    fn read_move(&self, text: &str, _: MoveForm) -> Result<Move, MoveError> {
        notation::parse(self, text)
    }

    fn push_move(&self, m: Move, form: MoveForm, text: &mut String) {
        text.push_str(&match form {
            MoveForm::Program => m.to_string(),
            MoveForm::Record | MoveForm::Player => notation::pdn(self, m),
        });
    }

    fn is_malformed(error: &MoveError) -> bool {
        matches!(error, MoveError::Malformed { .. })
    }
}
