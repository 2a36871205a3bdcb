//! Writes events as lines of their language, by the rows of its [`grammar`](super::grammar).

use super::grammar::Conversion;
use super::time::Hms;
use super::{Act, Choice, Event, Intended, word};
use crate::base::side::Side;
use crate::laws::ruled::Ruled;
use std::fmt;
use std::time::Duration;

impl<G: Ruled> fmt::Display for Event<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut writer = Writer { f, begun: false };
        let written = Conversion::ALL.iter().find_map(|form| (form.write)(self, &mut writer));
        // No form makes such an event, so no line gives it.
        written.unwrap_or_else(|| f.write_str("?"))
    }
}

impl<G: Ruled> Choice<G> {
    /// The words of the choice behind `choose`.
    pub(in crate::laws) fn text(&self) -> String {
        let line = Event::Player(Side::White, Act::Choose(self.clone())).to_string();
        line.splitn(3, ' ').last().unwrap_or_default().to_owned()
    }
}

/// Writes the words and the holes of a form.
pub(super) struct Writer<'a, 'f> {
    f: &'a mut fmt::Formatter<'f>,
    begun: bool,
}

impl Writer<'_, '_> {
    fn text(&mut self, text: impl fmt::Display) -> fmt::Result {
        if self.begun {
            self.f.write_str(" ")?;
        }
        self.begun = true;
        write!(self.f, "{text}")
    }

    pub(super) fn words(&mut self, words: &str) -> fmt::Result {
        self.text(words)
    }

    pub(super) fn subject(&mut self, side: Side) -> fmt::Result {
        self.text(word(side))
    }

    pub(super) fn side<G: Ruled>(&mut self, side: &Side) -> fmt::Result {
        self.text(word(*side))
    }

    pub(super) fn square<G: Ruled>(&mut self, square: &G::Square) -> fmt::Result {
        self.text(square)
    }

    pub(super) fn number<G: Ruled>(&mut self, number: &impl fmt::Display) -> fmt::Result {
        self.text(number)
    }

    pub(super) fn points<G: Ruled>(&mut self, points: &f64) -> fmt::Result {
        self.text(points)
    }

    pub(super) fn time<G: Ruled>(&mut self, time: &Duration) -> fmt::Result {
        self.text(Hms(*time))
    }

    pub(super) fn plus_time<G: Ruled>(&mut self, time: &Duration) -> fmt::Result {
        self.text(format_args!("+{}", Hms(*time)))
    }

    pub(super) fn minus_time<G: Ruled>(&mut self, time: &Duration) -> fmt::Result {
        self.text(format_args!("-{}", Hms(*time)))
    }

    pub(super) fn letter<G: Ruled>(&mut self, letter: &char) -> fmt::Result {
        self.text(letter)
    }

    pub(super) fn promoted<G: Ruled>(&mut self, letter: &char) -> fmt::Result {
        self.text(letter)
    }

    pub(super) fn legal<G: Ruled>(&mut self, m: &G::Move) -> fmt::Result {
        self.text(m)
    }

    /// Writes a move as rulings offer it.
    pub(super) fn choice<G: Ruled>(&mut self, m: &G::Move) -> fmt::Result {
        self.text(G::move_text(*m))
    }

    pub(super) fn moves<G: Ruled>(&mut self, moves: &[G::Move]) -> fmt::Result {
        moves.iter().try_for_each(|m| self.text(m))
    }

    pub(super) fn intended<G: Ruled>(&mut self, intended: &Intended<G>) -> fmt::Result {
        match intended {
            Intended::Move(m) => self.text(m),
            Intended::Illegal(from, to) => self.text(format_args!("{from}{to}")),
        }
    }

    pub(super) fn position<G: Ruled>(&mut self, position: &G) -> fmt::Result {
        self.text(position.setup_text())
    }

    pub(super) fn book<G: Ruled>(&mut self, moves: &[G::Move]) -> fmt::Result {
        if !moves.is_empty() {
            self.text("moves")?;
        }
        self.moves::<G>(moves)
    }

    pub(super) fn odds<G: Ruled>(&mut self, pieces: &[G::Square]) -> fmt::Result {
        pieces.iter().try_for_each(|square| self.text(square))
    }
}
