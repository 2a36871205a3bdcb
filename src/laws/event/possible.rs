//! The events that a referee would accept now.
//!
//! Each form of the [`grammar`](super::grammar) is filled in and tried on a copy of the game.
//! Copies are cheap because they share their positions.

use super::complete::fillers;
use super::grammar::{Expected, FORMS, Form, Hole};
use super::language::Language;
use super::read::Attempt;
use super::word;
use crate::base::side::Side;
use crate::laws::referee::{Referee, Refused};
use crate::laws::ruled::Ruled;
use std::fmt;

/// The accepted events, with the first accepted form for each event name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Possible {
    players: [Vec<&'static Form>; 2],
    others: Vec<&'static Form>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Offer {
    pub side: Option<Side>,
    pub form: &'static Form,
}

impl Offer {
    pub fn line(&self) -> String {
        match self.side {
            Some(side) => format!("{} {}", word(side), self.form.name),
            None => self.form.name.to_owned(),
        }
    }
}

impl Possible {
    pub fn in_game<G: Ruled>(referee: &Referee<G>) -> Self {
        let copy = Trials(referee.for_trials());
        let players = Side::ALL.map(|side| copy.accepted(Some(side)));
        Self { players, others: copy.accepted(None) }
    }

    pub fn offers(&self) -> impl Iterator<Item = Offer> {
        let of = |side: Option<Side>, forms: &[&'static Form]| -> Vec<Offer> {
            forms.iter().map(|form| Offer { side, form }).collect()
        };
        let [white, black] = &self.players;
        let of_players =
            [of(Some(Side::White), white), of(Some(Side::Black), black), of(None, &self.others)];
        of_players.into_iter().flatten()
    }

    pub fn is_empty(&self) -> bool {
        self.offers().next().is_none()
    }

    pub fn events(&self) -> Vec<String> {
        self.offers().map(|offer| offer.line()).collect()
    }

    pub fn text(&self, language: Language) -> String {
        let [white, black] = &self.players;
        let named_in = |form: &Form, others: &[&Form]| others.iter().any(|o| o.name == form.name);
        let (both, only_white): (Vec<_>, Vec<_>) =
            white.iter().copied().partition(|form| named_in(form, black));
        let only_black: Vec<_> =
            black.iter().copied().filter(|form| !named_in(form, &both)).collect();
        let either = language.of("white or black ", "white ou black ");
        let of = |who: &str, forms: &[&Form]| {
            let names: Vec<&str> = forms.iter().map(|form| form.name).collect();
            (!names.is_empty()).then(|| format!("{who}{}", names.join(", ")))
        };
        let lists = [
            of("white ", &only_white),
            of("black ", &only_black),
            of(either, &both),
            of("", &self.others),
        ];
        lists.into_iter().flatten().collect::<Vec<_>>().join("; ")
    }
}

impl fmt::Display for Possible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Language::English))
    }
}

#[derive(PartialEq, Eq)]
enum Tried {
    Accepted,
    /// The tried events are refused, but other events of the form may be accepted.
    Refused,
    /// The tried events are refused for a reason that does not depend on their squares or moves.
    Hopeless,
}

struct Trials<G: Ruled>(Referee<G>);

impl<G: Ruled> Trials<G> {
    fn accepted(&self, side: Option<Side>) -> Vec<&'static Form> {
        let mut found: Vec<&'static Form> = Vec::new();
        let mut refused: Vec<&'static Form> = Vec::new();
        for (index, form) in FORMS.iter().enumerate() {
            let named = |other: &&Form| other.name == form.name;
            // A form that only extends a refused form is refused for the same reason.
            let extends = |other: &&Form| named(other) && form.tail.starts_with(other.tail);
            let tried = !self.can_follow(form)
                || !form.actor.fits(side)
                || found.iter().any(named)
                || refused.iter().any(extends);
            if tried {
                continue;
            }
            let accepted = self.try_line(index, Offer { side, form }.line()) == Tried::Accepted;
            if accepted { &mut found } else { &mut refused }.push(form);
        }
        found
    }

    /// Returns whether a form can be accepted at all. After the end of the game, only penalties and
    /// notices can be accepted.
    fn can_follow(&self, form: &Form) -> bool {
        self.0.verdict().is_none() || form.starts_with("penalty") || form.starts_with("notice")
    }

    /// Tries the events of a form that begin with `line`.
    fn try_line(&self, index: usize, line: String) -> Tried {
        let (texts, squares) = match self.0.attempt(&line, index) {
            Attempt::Event(event) => {
                return match self.0.clone().try_event(&event) {
                    Ok(_) => Tried::Accepted,
                    Err(why) if is_about_squares(&why) => Tried::Refused,
                    Err(_) => Tried::Hopeless,
                };
            }
            Attempt::Failed | Attempt::Unfinished(Expected::End) => return Tried::Refused,
            Attempt::Unfinished(Expected::Word(word)) => (vec![word.to_owned()], false),
            Attempt::Unfinished(Expected::Hole(hole)) => {
                (self.examples(&line, hole), hole.is_square() || hole == Hole::Moves)
            }
        };
        for text in texts {
            match self.try_line(index, format!("{line} {text}")) {
                Tried::Refused => {}
                Tried::Hopeless if !squares => {}
                found => return found,
            }
        }
        Tried::Refused
    }

    /// Returns the strings to try in a hole, or one example if the hole takes free text.
    fn examples(&self, line: &str, hole: Hole) -> Vec<String> {
        let example = match hole {
            Hole::Time | Hole::Number => "1",
            Hole::PlusTime => "+1",
            Hole::MinusTime => "-1",
            Hole::Points => "0",
            Hole::Position => return vec![self.0.position().setup_text()],
            Hole::Odds => return vec!["pawn".to_owned(), "31".to_owned()],
            _ => return fillers(&self.0, line, hole),
        };
        vec![example.to_owned()]
    }
}

/// Returns whether an event was refused because of the squares or the move in it.
const fn is_about_squares(why: &Refused) -> bool {
    use Refused as W;
    matches!(
        why,
        W::NotLegal(_)
            | W::NoCastling(_)
            | W::Legal(_)
            | W::Square(_)
            | W::Part
            | W::IllegalPart(..)
    )
}
