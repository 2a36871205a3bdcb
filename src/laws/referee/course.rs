//! What those who show a game ask of its referee: the way it took, the board as it stands, whose clock
//! runs.

use super::*;
use std::time::Duration;

impl<G: Ruled> Referee<G> {
    /// The positions of the game from the first, each with what the clocks of White and Black showed when
    /// they were last pressed in it, without a delay.
    pub fn course(&self) -> impl Iterator<Item = (&G, [Duration; 2])> {
        self.plies.iter().map(|ply| (&ply.position, ply.clocks.map(|reading| reading.left())))
    }

    /// The board as it stands, an illegal move on it included; that of the game where it stands in no
    /// legal position.
    pub fn present(&self) -> G {
        self.board().unwrap_or_else(|| self.position().clone())
    }

    /// Who is to press his clock: he has moved, or sealed his move, and has not pressed it yet.
    pub fn presses(&self) -> Option<Side> {
        let by_foul = self.hand.foul.as_ref().filter(|foul| !foul.completed);
        match &self.stage {
            Stage::Sealing { by, sheet: Some(_) } => Some(*by),
            Stage::Play => self.unpressed.or_else(|| by_foul.map(|_| self.to_move())),
            _ => None,
        }
        .filter(|_| self.has_clock())
    }

    /// Whose clock runs, if one does.
    pub fn runs(&self) -> Side {
        self.presses().unwrap_or_else(|| self.on_turn())
    }

    /// The last event ruled on.
    pub fn last_event(&self) -> Option<&Event<G>> {
        self.log.last()
    }
}
