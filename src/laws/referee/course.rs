//! Queries for displaying a game: its positions, the current board and the running clock.

use super::*;
use std::time::Duration;

impl<G: Ruled> Referee<G> {
    /// Returns the positions of the game from the start, each with the clock times of White and
    /// Black at the last press, excluding delays.
    pub fn course(&self) -> impl Iterator<Item = (&G, [Duration; 2])> {
        self.plies.iter().map(|ply| (&ply.position, ply.clocks.map(|reading| reading.left())))
    }

    /// Returns the current board, including a pending illegal move. If no position represents that
    /// board, returns the position before the illegal move.
    pub fn present(&self) -> G {
        self.board().unwrap_or_else(|| self.position().clone())
    }

    /// Returns the player who has moved or sealed but has not pressed the clock yet.
    pub fn presses(&self) -> Option<Side> {
        let by_foul = self.hand.foul.as_ref().filter(|foul| !foul.completed);
        match &self.stage {
            Stage::Sealing { by, sheet: Some(_) } => Some(*by),
            Stage::Play => self.unpressed.or_else(|| by_foul.map(|_| self.to_move())),
            _ => None,
        }
        .filter(|_| self.has_clock())
    }

    pub fn runs(&self) -> Side {
        self.presses().unwrap_or_else(|| self.on_turn())
    }

    pub fn last_event(&self) -> Option<&Event<G>> {
        self.log.last()
    }
}
