//! The editions of the laws, and what each decides in its own way.
//!
//! An edition is two tables in one file: its [`Law`]s, each with the article and what it says in our
//! own words, and its [`Terms`], the choices that the referee's code follows. What the editions share is
//! written once, in the referee.

use super::rule::Rule;
use super::{fide1928, fide1930, fide2009, fmjd};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

crate::indexed_enum! {
    /// A text of the laws.
    #[derive(serde::Serialize, serde::Deserialize)]
    pub enum Edition {
        /// Chess: the draft of June 1928.
        #[serde(rename = "fide-1928")]
        Fide1928,
        /// Chess: adopted at The Hague in 1928, printed in 1930.
        #[serde(rename = "fide-1930")]
        Fide1930,
        /// Chess: Dresden 2008, in force from 1 July 2009.
        #[serde(rename = "fide-2009")]
        Fide2009,
        /// Draughts on 100 squares: the official rules, annex I.
        #[serde(rename = "fmjd")]
        Fmjd,
    }
}

/// What one text says of one rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Law {
    /// The rule.
    pub rule: Rule,
    /// The row of the catalogue of behaviours that it belongs to.
    pub row: &'static str,
    /// Where the text says it, as one cites it.
    pub article: &'static str,
    /// What it says, in our own words.
    pub says: &'static str,
    /// How it is read here where the text leaves a choice, and why; empty where it leaves none.
    pub reading: &'static str,
}

/// A law that leaves no choice.
pub(super) const fn law(
    rule: Rule,
    row: &'static str,
    article: &'static str,
    says: &'static str,
) -> Law {
    Law { rule, row, article, says, reading: "" }
}

impl Law {
    /// Adds how it is read here.
    pub(super) const fn read_as(self, reading: &'static str) -> Self {
        Self { reading, ..self }
    }
}

/// When two positions are the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sameness {
    /// Like pieces on like squares and the same player to move; rights do not count.
    Placement,
    /// Besides, the same moves are possible, now or later.
    PossibleMoves,
}

/// What becomes of several touched pieces, and of two that do not go together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Touching {
    /// The opponent chooses among them.
    OpponentChooses,
    /// The first one touched that can be played or taken.
    FirstThatCan,
    /// The first own one that can be played; enemy pieces oblige to nothing.
    PlayableOnly,
}

/// What follows an irregular move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Irregular {
    /// The same piece plays, or the opponent chooses which capture.
    PieceMustPlay,
    /// The laws of touched pieces, time for the opponent, and a limit.
    TimeThenLoss,
    /// The opponent has it corrected, or accepts it.
    OpponentDecides,
}

/// Who writes down the move at an adjournment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sealer {
    /// The player to move.
    ToMove,
    /// The player to move where there is a clock, else Black.
    BlackWithoutClock,
}

/// What becomes of a sealed move that has several meanings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ambiguity {
    /// The opponent chooses one.
    OpponentChooses,
    /// It loses, unless the arbiter can tell with certainty.
    Loses,
}

/// What an edition decides in its own way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Terms {
    /// When positions are repeated.
    pub sameness: Sameness,
    /// Whether repetition and counted moves end the game without a claim.
    pub draws_by_itself: bool,
    /// Black's moves that must be over before a draw can be agreed.
    pub agreement_after: u32,
    /// What a wrong claim gives the opponent.
    pub wrong_claim: Duration,
    /// Whether a flag only loses against an opponent who can win.
    pub flag_can_draw: bool,
    /// What touched pieces oblige to.
    pub touching: Touching,
    /// Whether the player to move can adjust enemy pieces.
    pub adjusts_enemy: bool,
    /// What follows an irregular move.
    pub irregular: Irregular,
    /// How late a player can be, where the event does not say; none where the clock alone punishes.
    pub lateness: Option<Duration>,
    /// The time control where the event does not say.
    pub control: &'static str,
    /// Who seals.
    pub sealer: Sealer,
    /// What an ambiguous sealed move does.
    pub ambiguity: Ambiguity,
}

impl Edition {
    /// The name that commands take.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Fide1928 => "fide-1928",
            Self::Fide1930 => "fide-1930",
            Self::Fide2009 => "fide-2009",
            Self::Fmjd => "fmjd",
        }
    }

    /// What the text is.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Fide1928 => "FIDE, draft of June 1928",
            Self::Fide1930 => "FIDE, official edition of 1930",
            Self::Fide2009 => "FIDE, in force from 1 July 2009",
            Self::Fmjd => "FMJD, official rules of draughts on 100 squares",
        }
    }

    /// Every law of the text that the referee knows, in the order of its table.
    pub const fn laws(self) -> &'static [Law] {
        match self {
            Self::Fide1928 => fide1928::LAWS,
            Self::Fide1930 => fide1930::LAWS,
            Self::Fide2009 => fide2009::LAWS,
            Self::Fmjd => fmjd::LAWS,
        }
    }

    /// What it decides in its own way.
    pub const fn terms(self) -> &'static Terms {
        match self {
            Self::Fide1928 => &fide1928::TERMS,
            Self::Fide1930 => &fide1930::TERMS,
            Self::Fide2009 => &fide2009::TERMS,
            Self::Fmjd => &fmjd::TERMS,
        }
    }

    /// What it says of a rule; none where it does not know the rule.
    pub fn law(self, rule: Rule) -> Option<&'static Law> {
        self.laws().iter().find(|law| law.rule == rule)
    }

    /// Whether it knows a rule.
    pub fn has(self, rule: Rule) -> bool {
        self.law(rule).is_some()
    }

    /// Whether the arbiter may put right a sealed move in which this is wrong: an obvious slip where it
    /// has several meanings (Par. 21), or anything that is there at all (Art. 17 c).
    pub fn repairs(self, doubt: Rule) -> bool {
        self.has(Rule::SealedRepaired)
            && match self {
                Self::Fide1928 => doubt == Rule::SealedAmbiguous,
                _ => doubt != Rule::NothingSealed,
            }
    }

    /// Whether it is one of the two oldest, which have much in common.
    pub const fn is_old(self) -> bool {
        matches!(self, Self::Fide1928 | Self::Fide1930)
    }
}

impl fmt::Display for Edition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// A text that names no edition.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is no edition (fide-1928, fide-1930, fide-2009, fmjd)")]
pub struct EditionError(pub String);

impl FromStr for Edition {
    type Err = EditionError;

    fn from_str(text: &str) -> Result<Self, EditionError> {
        let found = Self::ALL.into_iter().find(|edition| edition.id() == text);
        found.ok_or_else(|| EditionError(crate::base::cursor::excerpt(text)))
    }
}
