//! What can happen next: the events that a referee would accept.
//!
//! The reader is asked which words can stand where, and the referee whether he would accept what they
//! say: each event is tried on a copy of the game, which costs little, as copies share its positions.

use super::complete::continuations;
use super::language::Language;
use super::word;
use crate::base::side::Side;
use crate::laws::referee::{Referee, Why};
use crate::laws::ruled::Ruled;
use std::fmt;

/// The events that would be accepted, by their first words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Possible {
    /// What White and Black can do.
    players: [Vec<String>; 2],
    /// What else can happen.
    others: Vec<String>,
}

/// Words of which the next one says what happens.
const KINDS: [&str; 6] = ["claim", "choose", "decide", "both", "envelope", "position"];
/// More words than any event has that is tried.
const LONGEST: usize = 6;

impl Possible {
    /// What can happen in a game.
    pub fn in_game<G: Ruled>(referee: &Referee<G>) -> Self {
        let copy = Trials(referee.for_trials());
        Self { players: Side::ALL.map(|side| copy.events(word(side))), others: copy.events("") }
    }

    /// All of them, each with who does it.
    pub fn events(&self) -> Vec<String> {
        let of = |side: Side| {
            self.players[side.index()].iter().map(move |event| format!("{} {event}", word(side)))
        };
        of(Side::White).chain(of(Side::Black)).chain(self.others.iter().cloned()).collect()
    }

    /// The events in a list.
    pub fn text(&self, language: Language) -> String {
        let [white, black] = &self.players;
        let (both, only_white): (Vec<_>, Vec<_>) =
            white.iter().partition(|&event| black.contains(event));
        let only_black: Vec<_> = black.iter().filter(|event| !both.contains(event)).collect();
        let either = language.of("white or black", "white ou black");
        let of = |who: &str, events: &[&String]| {
            let events: Vec<&str> = events.iter().map(|event| event.as_str()).collect();
            (!events.is_empty()).then(|| format!("{who}{}", events.join(", ")))
        };
        let others: Vec<_> = self.others.iter().collect();
        let lists = [
            of("white ", &only_white),
            of("black ", &only_black),
            of(&format!("{either} "), &both),
            of("", &others),
        ];
        lists.into_iter().flatten().collect::<Vec<_>>().join("; ")
    }
}

impl fmt::Display for Possible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Language::English))
    }
}

/// What came of events that begin with some words.
#[derive(PartialEq, Eq)]
enum Tried {
    /// One is accepted.
    Accepted,
    /// These are refused, and others may not be.
    Refused,
    /// They are refused whatever squares are named.
    Hopeless,
}

/// The game on copies of which events are tried.
struct Trials<G: Ruled>(Referee<G>);

impl<G: Ruled> Trials<G> {
    /// The accepted events that begin with a word, without it.
    fn events(&self, first: &str) -> Vec<String> {
        let mut found = Vec::new();
        for event in self.next(first) {
            if ["white", "black", "moves", "game"].contains(&event.as_str()) {
                continue;
            }
            let kinds = match KINDS.contains(&event.as_str()) {
                true => self.next(&format!("{first} {event}")),
                false => vec![String::new()],
            };
            for kind in kinds {
                let event = format!("{event} {kind}").trim_end().to_owned();
                if self.tried(format!("{first} {event}").trim_start()) == Tried::Accepted {
                    found.push(event);
                }
            }
        }
        found
    }

    /// The words that can follow.
    fn next(&self, line: &str) -> Vec<String> {
        continuations(&self.0, format!("{line} ").trim_start(), Language::English).1
    }

    /// Tries the event of a line, or those that begin with it where it is none by itself.
    fn tried(&self, line: &str) -> Tried {
        match self.0.read(line).map(|event| self.0.clone().try_event(&event)) {
            Ok(Ok(_)) => Tried::Accepted,
            Ok(Err(why)) if is_about_squares(&why) => Tried::Refused,
            Ok(Err(_)) => Tried::Hopeless,
            Err(_) if line.split(' ').count() >= LONGEST => Tried::Refused,
            Err(_) => self.tried_with_more(line),
        }
    }

    fn tried_with_more(&self, line: &str) -> Tried {
        for argument in self.arguments(line) {
            let square = argument.parse::<G::Square>().is_ok();
            match self.tried(&format!("{line} {argument}")) {
                Tried::Refused => {}
                Tried::Hopeless if !square => {}
                found => return found,
            }
        }
        Tried::Refused
    }

    /// What can follow, with an example of what is free: times, numbers, positions, pieces as odds.
    fn arguments(&self, line: &str) -> Vec<String> {
        let some = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
        match line.split(' ').collect::<Vec<_>>()[..] {
            ["setup"] | [_, "irregular"] => vec![self.0.position().setup_text()],
            ["odds"] => some(&["pawn by white", "31 by white", "1 moves by black"]),
            [_, "late" | "arrive" | "clock" | "announce"] | [.., "from"] => some(&["1"]),
            [_, "penalty", "give" | "take"] => some(&["1"]),
            [_, "penalty", "less" | "more" | "fine" | "exclude"] => some(&["0"]),
            [_, "castle"] => ["a1", "h1", "a8", "h8"].map(str::to_owned).to_vec(),
            _ => self.next(line),
        }
    }
}

/// Whether an event was refused for the squares or the move that it names.
const fn is_about_squares(why: &Why) -> bool {
    use Why as W;
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
