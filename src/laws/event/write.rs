//! Writes events as lines, using the rows of the [`grammar`](super::grammar).

use super::grammar::Conversion;
use super::time::Hms;
use super::{Act, Choice, Event, Intended, word};
use crate::base::side::Side;
use crate::laws::ruled::Ruled;
use std::fmt;
use std::marker::PhantomData;
use std::time::Duration;

impl<G: Ruled> fmt::Display for Event<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut writer = Writer { f, started: false, game: PhantomData };
        let written = Conversion::ALL.iter().find_map(|form| (form.write)(self, &mut writer));
        // No form produces this event, so it cannot come from a line.
        written.unwrap_or_else(|| f.write_str("?"))
    }
}

impl<G: Ruled> Choice<G> {
    /// Returns the text that follows `choose` in an event line with this choice.
    pub(in crate::laws) fn text(&self) -> String {
        let line = Event::Player(Side::White, Act::Choose(self.clone())).to_string();
        line.splitn(3, ' ').last().unwrap_or_default().to_owned()
    }
}

/// Writes the words and the holes of a form.
pub(super) struct Writer<'a, 'f, G> {
    f: &'a mut fmt::Formatter<'f>,
    started: bool,
    game: PhantomData<G>,
}

impl<G: Ruled> Writer<'_, '_, G> {
    fn text(&mut self, text: impl fmt::Display) -> fmt::Result {
        if self.started {
            self.f.write_str(" ")?;
        }
        self.started = true;
        write!(self.f, "{text}")
    }

    pub(super) fn words(&mut self, words: &str) -> fmt::Result {
        self.text(words)
    }

    pub(super) fn subject(&mut self, side: Side) -> fmt::Result {
        self.text(word(side))
    }

    pub(super) fn side(&mut self, side: &Side) -> fmt::Result {
        self.text(word(*side))
    }

    pub(super) fn square(&mut self, square: &G::Square) -> fmt::Result {
        self.text(square)
    }

    pub(super) fn number(&mut self, number: &impl fmt::Display) -> fmt::Result {
        self.text(number)
    }

    pub(super) fn points(&mut self, points: &f64) -> fmt::Result {
        self.text(points)
    }

    pub(super) fn time(&mut self, time: &Duration) -> fmt::Result {
        self.text(Hms(*time))
    }

    pub(super) fn plus_time(&mut self, time: &Duration) -> fmt::Result {
        self.text(format_args!("+{}", Hms(*time)))
    }

    pub(super) fn minus_time(&mut self, time: &Duration) -> fmt::Result {
        self.text(format_args!("-{}", Hms(*time)))
    }

    pub(super) fn letter(&mut self, letter: &char) -> fmt::Result {
        self.text(letter)
    }

    pub(super) fn promoted(&mut self, letter: &char) -> fmt::Result {
        self.text(letter)
    }

    pub(super) fn legal(&mut self, m: &G::Move) -> fmt::Result {
        self.text(m)
    }

    pub(super) fn played(&mut self, m: &G::Move) -> fmt::Result {
        self.text(m)
    }

    pub(super) fn sealed(&mut self, m: &G::Move) -> fmt::Result {
        self.text(m)
    }

    pub(super) fn out_of_turn(&mut self, m: &G::Move) -> fmt::Result {
        self.legal(m)
    }

    pub(super) fn choice(&mut self, m: &G::Move) -> fmt::Result {
        self.text(G::move_text(*m))
    }

    pub(super) fn moves(&mut self, moves: &[G::Move]) -> fmt::Result {
        moves.iter().try_for_each(|m| self.text(m))
    }

    pub(super) fn intended(&mut self, intended: &Intended<G>) -> fmt::Result {
        match intended {
            Intended::Move(m) => self.text(m),
            Intended::Illegal(from, to) => self.text(format_args!("{from}{to}")),
        }
    }

    pub(super) fn position(&mut self, position: &G) -> fmt::Result {
        self.text(position.setup_text())
    }

    pub(super) fn book(&mut self, moves: &[G::Move]) -> fmt::Result {
        if !moves.is_empty() {
            self.text("moves")?;
        }
        self.moves(moves)
    }

    pub(super) fn odds(&mut self, pieces: &[G::Square]) -> fmt::Result {
        pieces.iter().try_for_each(|square| self.text(square))
    }
}
