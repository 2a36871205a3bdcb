//! The editions of the laws, and what each decides in its own way.
//!
//! An edition is two tables in one file: its [`Law`]s, each with the article and what it says in our
//! own words, and its [`Terms`], the choices that the referee's code follows. What the editions share is
//! written once, in the referee, which asks the terms and never which edition it is.

use super::{fide1928, fide1930, fide2009, fide2023, fmjd};
use crate::base::game::GameKind;
use crate::laws::rule::{Case, Rule};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// Declares the editions: for each its file, the name that commands take, and what the text is.
macro_rules! editions {
    ($($name:ident: $file:ident, $id:tt, $title:literal;)*) => {
        crate::base::indexed_enum! {
            /// A text of the laws.
            #[derive(serde::Serialize, serde::Deserialize)]
            pub enum Edition { $(#[doc = $title] #[serde(rename = $id)] $name),* }
        }

        impl Edition {
            /// The name that commands take.
            pub const fn id(self) -> &'static str {
                match self { $(Self::$name => $id),* }
            }

            /// What the text is.
            pub const fn title(self) -> &'static str {
                match self { $(Self::$name => $title),* }
            }

            /// Its articles, and why some have no game in the logs: see [`index`](crate::laws::index).
            pub(super) const fn articles(self) -> &'static str {
                match self {
                    $(Self::$name => include_str!(concat!("articles/", $id, ".txt"))),*
                }
            }

            /// Every law of the text that the referee knows, in the order of its table.
            pub const fn laws(self) -> &'static [Law] {
                match self { $(Self::$name => $file::LAWS),* }
            }

            /// What it decides in its own way.
            pub const fn terms(self) -> &'static Terms {
                match self { $(Self::$name => &$file::TERMS),* }
            }
        }
    };
}

editions! {
    Fide1928: fide1928, "fide-1928", "FIDE, draft of June 1928";
    Fide1930: fide1930, "fide-1930", "FIDE, official edition of 1930";
    Fide2009: fide2009, "fide-2009", "FIDE, in force from 1 July 2009";
    Fide2023: fide2023, "fide-2023", "FIDE, in force from 1 January 2023";
    Fmjd: fmjd, "fmjd", "FMJD, official rules of draughts on 100 squares";
}

impl Edition {
    /// What it says of a rule, if it knows the rule.
    pub fn law(self, rule: Rule) -> Option<&'static Law> {
        self.laws().iter().find(|law| law.rule == rule)
    }

    /// Whether it knows a rule.
    pub fn has(self, rule: Rule) -> bool {
        self.law(rule).is_some()
    }

    /// The names of all editions, as a list for help texts and errors.
    pub fn ids() -> String {
        Self::ALL.map(Self::id).join(", ")
    }
}

impl fmt::Display for Edition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// A text that names no edition.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is no edition ({ids})", ids = Edition::ids())]
pub struct EditionError(pub String);

impl FromStr for Edition {
    type Err = EditionError;

    fn from_str(text: &str) -> Result<Self, EditionError> {
        let found = Self::ALL.into_iter().find(|edition| edition.id() == text);
        found.ok_or_else(|| EditionError(crate::base::cursor::excerpt(text)))
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
    /// The cases that the text tells apart, each with its sub-article.
    pub cases: &'static [(Case, &'static str)],
    /// What it says, in our own words.
    pub says: &'static str,
    /// Where the text leaves a choice: how it is read here, and why. Else empty.
    pub reading: &'static str,
}

impl Law {
    /// Every citation of the law: that of the rule, and those of its cases.
    pub fn articles(&self) -> impl Iterator<Item = &'static str> {
        [self.article].into_iter().chain(self.cases.iter().map(|(_, article)| *article))
    }

    /// Whether the text tells this case apart.
    pub fn tells(&self, case: Case) -> bool {
        self.cases.iter().any(|(known, _)| *known == case)
    }

    /// Where the text says it of a case: the article of the rule where it does not tell them apart.
    pub fn article_when(&self, case: Option<Case>) -> &'static str {
        let found = self.cases.iter().find(|(known, _)| Some(*known) == case);
        found.map_or(self.article, |(_, article)| article)
    }
}

/// Writes a table of laws: for each a rule, the row of the catalogue, the article, in brackets the
/// sub-articles of its cases, what it says, and how it is read where the text leaves a choice. A law of
/// the two oldest texts, `early`, says nothing again.
macro_rules! laws {
    ($($rule:ident: $row:tt, $article:literal $([$($case:ident $where:literal),*])? $(, $says:literal)? $(, read as $reading:literal)?;)*) => {
        &[$($crate::laws::edition::Law {
            $(reading: $reading,)?
            $(cases: &[$(($crate::laws::rule::Case::$case, $where)),*],)?
            ..$crate::laws::edition::laws!(@law $rule $row $article $($says)?)
        }),*]
    };
    (@law $rule:ident early $article:literal) => {
        $crate::laws::editions::early::early($crate::laws::rule::Rule::$rule, $article)
    };
    (@law $rule:ident $row:literal $article:literal $says:literal) => {
        $crate::laws::edition::Law {
            rule: $crate::laws::rule::Rule::$rule,
            row: $row,
            article: $article,
            cases: &[],
            says: $says,
            reading: "",
        }
    };
}
pub(super) use laws;

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

/// Whose clock runs while a player chooses what the other must play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WhileChoosing {
    /// That of the player who chooses.
    ChooserRuns,
    /// Neither.
    BothStand,
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

/// What follows where the position before an irregularity is not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unknown {
    /// The game is annulled.
    Annuls,
    /// The game goes on from the last earlier position that is known.
    LastKnown,
}

/// What follows an error of the initial position or of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetupFault {
    /// It is put right, and the game goes on.
    GoesOn,
    /// The game is annulled.
    Annuls {
        /// Also where the error is found after the game.
        afterwards: bool,
    },
    /// The game begins again before Black has made this many moves, or is annulled if a player asks for
    /// it before he has made so many; afterwards it goes on.
    BeginsAgainBefore(u32),
    /// The game is annulled if a player asks for it before Black has made this many moves; else it is
    /// put right and goes on.
    AnnulledOnRequestBefore(u32),
    /// A wrong initial position like any other, with the consequence of one.
    AsInitialPosition,
    /// An irregularity: the player who points it out has it corrected, or accepts it.
    OpponentDecides,
}

/// When pieces that were displaced are put back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Displaced {
    /// At once, or never.
    AtOnce,
    /// Later too: the game goes back to the last position that is known.
    Later,
    /// Later too, even after the game, which goes on from the position before.
    Afterwards,
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

/// When a sealed move can no longer be changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sealing {
    /// When it is in the envelope.
    Envelope,
    /// When the player stops the clock.
    Clock,
}

/// What becomes of a sealed move that has several meanings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ambiguity {
    /// The opponent chooses one.
    OpponentChooses,
    /// It loses, unless the arbiter can tell with certainty.
    Loses,
}

/// Which faults of a sealed move the arbiter may put right.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repair {
    /// None.
    Nothing,
    /// An obvious slip in a move that has several meanings.
    Slip,
    /// Whatever is wrong with a move, if there is one at all.
    AnyMove,
}

impl Repair {
    /// Whether the arbiter may put right a sealed move with this fault.
    pub fn allows(self, fault: Rule) -> bool {
        match self {
            Self::Nothing => false,
            Self::Slip => fault == Rule::SealedAmbiguous,
            Self::AnyMove => fault != Rule::NothingSealed,
        }
    }
}

/// How late a player can be for a resumption.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LateResuming {
    /// The time that is granted; who comes later has lost. `None`: as much as for the start.
    pub granted: Option<Duration>,
    /// The rule by which both lose.
    pub both: Rule,
    /// Whether a sealed move that ends the game is played first.
    pub sealed_move_first: bool,
}

/// The longest time of a player that makes a game blitz; what is longer, below an hour, is rapid play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlitzLimit {
    /// Less than this.
    Below(Duration),
    /// This, or less.
    UpTo(Duration),
}

impl BlitzLimit {
    /// Whether a game of so much time for each player is blitz.
    pub fn holds(self, time: Duration) -> bool {
        match self {
            Self::Below(limit) => time < limit,
            Self::UpTo(limit) => time <= limit,
        }
    }
}

/// What holds in rapid play and blitz that nobody watches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unsupervised {
    /// Completed moves of each player after which a wrong set-up stands.
    pub setup_stands_after: u32,
    /// Whether the arbiter acts on flags and illegal moves that he happens to see, as on a claim.
    pub arbiter_acts: bool,
    /// Whether what was touched obliges on request only.
    pub touch_on_request: bool,
    /// Whether an illegal move loses a game of blitz at once.
    pub blitz_illegal_loses: bool,
}

impl Unsupervised {
    /// Of an edition that knows neither rapid play nor blitz.
    pub const UNKNOWN: Self = Self {
        setup_stands_after: u32::MAX,
        arbiter_acts: false,
        touch_on_request: false,
        blitz_illegal_loses: false,
    };
}

/// What an edition decides in its own way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Terms {
    /// Which game it is.
    pub game: GameKind,
    /// When positions are repeated.
    pub sameness: Sameness,
    /// Whether repetition and counted moves end the game without a claim.
    pub draws_by_itself: bool,
    /// Moves of each player without capture or pawn move after which the game is drawn without a
    /// claim, where it knows [`Rule::SeventyFive`].
    pub drawn_unclaimed: u32,
    /// Whether a resignation only loses against an opponent who can win.
    pub resignation_can_draw: bool,
    /// Black's moves that must be over before a draw can be agreed.
    pub agreement_after: u32,
    /// What a wrong claim gives the opponent.
    pub wrong_claim: Duration,
    /// Below this time on his clock a player can claim that the opponent cannot win by normal means.
    pub quick_play: Duration,
    /// What that claim gives the opponent where it is put off or rejected.
    pub quick_play_time: Duration,
    /// What a player who asks for it gets with each move, where it knows [`Rule::IncrementAsked`].
    pub increment_asked: Duration,
    /// Whether that claim, and the rule on both flags, hold only where the event has announced them, and
    /// neither in blitz nor with an increment.
    pub quick_play_announced: bool,
    /// Whether the arbiter declares repetition drawn without a claim, where there is a clock.
    pub director_draws: bool,
    /// Whether a flag only loses against an opponent who can win.
    pub flag_can_draw: bool,
    /// What touched pieces oblige to.
    pub touching: Touching,
    /// Whose clock runs while a penalty is chosen.
    pub while_choosing: WhileChoosing,
    /// Whether the player to move can adjust enemy pieces.
    pub adjusts_enemy: bool,
    /// What follows an irregular move.
    pub irregular: Irregular,
    /// Completed illegal moves of a player that are paid for in time, where the event does not say;
    /// the next one loses.
    pub illegal_moves: u8,
    /// What each of them gives the opponent.
    pub illegal_time: Duration,
    /// What an illegal move or a wrong claim gives in rapid play, where it knows
    /// [`Rule::RapidPenalty`].
    pub rapid_penalty: Duration,
    /// Up to which time a game is blitz.
    pub blitz: BlitzLimit,
    /// What holds without supervision.
    pub unsupervised: Unsupervised,
    /// Whether a player scores only what a game can bring, and both together no more than one game.
    pub normal_scores: bool,
    /// Whether a device only loses against an opponent who can win.
    pub device_can_draw: bool,
    /// Black's moves before which a game with colours reversed begins again; `None` if it goes on,
    /// unless the arbiter rules otherwise.
    pub colours_restart_before: Option<u32>,
    /// Whether a player who touches a piece loses what an illegal move just before would give him.
    pub touch_forfeits: bool,
    /// What follows where the position before an irregularity is not known.
    pub unknown: Unknown,
    /// When displaced pieces are put back.
    pub displaced: Displaced,
    /// What follows a wrong initial position.
    pub wrong_setup: SetupFault,
    /// What follows where kings and queens stand on each other's squares.
    pub wrong_kings: SetupFault,
    /// What follows where the board is placed wrongly.
    pub wrong_board: SetupFault,
    /// How late a player can be, where the event does not say; `None` if the clock alone punishes.
    pub lateness: Option<Duration>,
    /// The rule by which both lose where both are late and no time is granted.
    pub both_late: Rule,
    /// The time control where the event does not say.
    pub control: &'static str,
    /// Who seals.
    pub sealer: Sealer,
    /// When the sealed move is final.
    pub sealing: Sealing,
    /// Whether the envelope stays closed while the player who is to reply is absent.
    pub waits_for_responder: bool,
    /// How late a player can be for the resumption; `None` if the text does not say.
    pub late_resuming: Option<LateResuming>,
    /// Whether a faulty sealed move only loses against an opponent who can win.
    pub sealed_can_draw: bool,
    /// What an ambiguous sealed move does.
    pub ambiguity: Ambiguity,
    /// Which faults of a sealed move the arbiter may put right.
    pub repair: Repair,
    /// Whether a player whose envelope is lost plays the move that he says he sealed; else the game is
    /// annulled.
    pub sealer_says: bool,
    /// Whether White begins where pieces are given as odds; else the giver.
    pub white_begins: bool,
}
