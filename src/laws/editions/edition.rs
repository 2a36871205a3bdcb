//! The editions of the laws, and the choices that distinguish them.
//!
//! An edition consists of two tables in one module. Its [`Law`]s cite the articles and summarise
//! them in our own words. Its [`Terms`] are the choices that differ between editions. The referee
//! implements the behaviour that editions share. It reads the laws and the terms, and never checks
//! which edition is in force.

use super::{fide1928, fide1930, fide2009, fide2023, fmjd};
use crate::base::game::GameKind;
use crate::laws::rule::{Case, Rule};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// Declares the editions, each with its module, its name on the command line, and its
/// title in English and French.
macro_rules! editions {
    ($($name:ident: $file:ident, $id:tt, $title:literal, $french:literal;)*) => {
        crate::base::indexed_enum! {
            /// An edition of the laws.
            #[derive(serde::Serialize, serde::Deserialize)]
            pub enum Edition { $(#[doc = $title] #[serde(rename = $id)] $name),* }
        }

        impl Edition {
            /// Returns the name used on the command line.
            pub const fn id(self) -> &'static str {
                match self { $(Self::$name => $id),* }
            }

            /// Returns the title of the text.
            pub const fn title(self) -> &'static str {
                match self { $(Self::$name => $title),* }
            }

            /// Returns the title in French.
            pub const fn french_title(self) -> &'static str {
                match self { $(Self::$name => $french),* }
            }

            /// Returns the list of articles, in the format of [`index`](crate::laws::index).
            pub(super) const fn articles(self) -> &'static str {
                match self {
                    $(Self::$name => include_str!(concat!("articles/", $id, ".txt"))),*
                }
            }

            /// Returns the laws, in the order of the edition's table.
            #[doc(hidden)]
            pub const fn laws(self) -> &'static [Law] {
                match self { $(Self::$name => $file::LAWS),* }
            }

            /// Returns the choices that distinguish the edition.
            #[doc(hidden)]
            pub const fn terms(self) -> &'static Terms {
                match self { $(Self::$name => &$file::TERMS),* }
            }
        }
    };
}

editions! {
    Fide1928: fide1928, "fide-1928", "FIDE, draft of June 1928",
        "FIDE, projet de juin 1928";
    Fide1930: fide1930, "fide-1930", "FIDE, official edition of 1930",
        "FIDE, édition officielle de 1930";
    Fide2009: fide2009, "fide-2009", "FIDE, in force from 1 July 2009",
        "FIDE, en vigueur depuis le 1er juillet 2009";
    Fide2023: fide2023, "fide-2023", "FIDE, in force from 1 January 2023",
        "FIDE, en vigueur depuis le 1er janvier 2023";
    Fmjd: fmjd, "fmjd", "FMJD, official rules of draughts on 100 squares",
        "FMJD, règlement officiel du jeu de dames sur 100 cases";
}

impl Edition {
    /// Returns the edition's law for a rule, or `None` if the edition does not have the rule.
    #[doc(hidden)]
    pub fn law(self, rule: Rule) -> Option<&'static Law> {
        self.laws().iter().find(|law| law.rule == rule)
    }

    /// Returns whether the edition has a rule.
    pub fn has(self, rule: Rule) -> bool {
        self.law(rule).is_some()
    }

    /// Returns the names of all editions, separated by commas.
    pub fn ids() -> String {
        Self::ALL.map(Self::id).join(", ")
    }
}

impl fmt::Display for Edition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// The error for text that is not the name of an edition.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is not an edition; use one of {ids}", ids = Edition::ids())]
pub struct EditionError(pub String);

impl FromStr for Edition {
    type Err = EditionError;

    fn from_str(text: &str) -> Result<Self, EditionError> {
        let found = Self::ALL.into_iter().find(|edition| edition.id() == text);
        found.ok_or_else(|| EditionError(crate::base::cursor::excerpt(text)))
    }
}

/// A [`Rule`] as it appears in one edition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Law {
    pub rule: Rule,
    pub row: &'static str,
    /// The article, as arbiters cite it.
    pub article: &'static str,
    /// The cases that the text distinguishes, each with its sub-article.
    pub cases: &'static [(Case, &'static str)],
    /// A summary in our own words.
    pub summary: &'static str,
    /// Our interpretation and its reason, if the text is not clear; otherwise empty.
    pub interpretation: &'static str,
}

impl Law {
    /// Returns the article of the law and the sub-articles of its cases.
    pub fn articles(&self) -> impl Iterator<Item = &'static str> {
        [self.article].into_iter().chain(self.cases.iter().map(|(_, article)| *article))
    }

    /// Returns whether the text distinguishes this case.
    pub fn has_case(&self, case: Case) -> bool {
        self.cases.iter().any(|(one, _)| *one == case)
    }

    /// Returns the sub-article of a case, or the article of the rule if the text does not
    /// distinguish the case.
    pub fn article_when(&self, case: Option<Case>) -> &'static str {
        let found = self.cases.iter().find(|(one, _)| Some(*one) == case);
        found.map_or(self.article, |(_, article)| article)
    }
}

/// Builds a table of laws. Each entry has a rule, a row of the catalogue, an article, optional
/// sub-articles of its cases in brackets, a summary, and an optional interpretation. With `early`
/// instead of a row, the row, the summary and the interpretation come from the table shared by the
/// 1928 and 1930 editions.
macro_rules! laws {
    ($($rule:ident: $row:tt, $article:literal $([$($case:ident $where:literal),*])? $(, $summary:literal)? $(, read as $interpretation:literal)?;)*) => {
        &[$($crate::laws::edition::Law {
            $(interpretation: $interpretation,)?
            $(cases: &[$(($crate::laws::rule::Case::$case, $where)),*],)?
            ..$crate::laws::edition::laws!(@law $rule $row $article $($summary)?)
        }),*]
    };
    (@law $rule:ident early $article:literal) => {
        $crate::laws::editions::early::early($crate::laws::rule::Rule::$rule, $article)
    };
    (@law $rule:ident $row:literal $article:literal $summary:literal) => {
        $crate::laws::edition::Law {
            rule: $crate::laws::rule::Rule::$rule,
            row: $row,
            article: $article,
            cases: &[],
            summary: $summary,
            interpretation: "",
        }
    };
}
pub(super) use laws;

/// The definition of a repeated position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sameness {
    /// The same pieces on the same squares with the same player to move; castling and en passant
    /// rights do not count.
    Placement,
    /// The same placement and player to move, and the same possible moves, now or later.
    PossibleMoves,
}

/// The obligation that results from touching several pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Touching {
    OpponentChooses,
    /// If pieces of both sides are touched, the player's first piece must capture the first enemy
    /// piece if it can. Otherwise the player must use the first touched piece that can be moved or
    /// taken. A king and a rook touched together follow the rules on castling.
    FirstThatCan,
    /// The player must move the first touched piece of their own that can move. Touched enemy
    /// pieces create no obligation.
    PlayableOnly,
}

/// The clock that runs while a player chooses what the opponent must play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WhileChoosing {
    ChooserRuns,
    BothStopped,
}

/// The consequence of an irregular move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Irregular {
    /// The piece that moved illegally must make a legal move. After an illegal capture, the
    /// opponent chooses whether this piece must move or the piece that it captured must be captured
    /// legally.
    PieceMustPlay,
    /// The touched pieces must be moved or captured. A completed illegal move also gives the
    /// opponent time, and too many of them lose the game.
    TimeThenLoss,
    /// The opponent decides whether the move is corrected or stands.
    OpponentDecides,
}

/// The touch that costs a player the right to a penalty for the opponent's illegal move. The player
/// can still claim that the move was illegal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TouchForfeits {
    Nothing,
    OwnPiece,
    AnyPiece,
}

/// The consequence if the position before an irregularity is unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unknown {
    Annuls,
    /// The game goes on from the last known position.
    LastKnown,
}

/// The consequence of a wrong initial position or board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetupFault {
    /// The error is corrected, and the game goes on.
    GoesOn,
    Annuls {
        /// True if the game is annulled even when the error is found after its end.
        afterwards: bool,
    },
    /// The game begins again if Black has made fewer moves than this. If a player who has made
    /// fewer moves than this claims the error, the game is annulled instead. Otherwise the game
    /// goes on.
    BeginsAgainBefore(u32),
    /// Before Black has made this many moves, the game is annulled at a player's request. Otherwise
    /// the error is corrected, and the game goes on.
    AnnulledOnRequestBefore(u32),
    /// The same consequence as for any other wrong initial position. If the position stands in
    /// unsupervised play, the misplaced king can no longer castle.
    AsInitialPosition,
    /// The error is an irregularity. The player who claims the error decides whether it is
    /// corrected or stands.
    OpponentDecides,
}

/// The period in which displaced pieces are put back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Displaced {
    AtOnce,
    /// At any time during the game. The game then goes back to the last known position.
    Later,
    /// At any time during the game. The game then continues from the position before the
    /// displacement.
    Afterwards,
}

/// The player who seals a move at an adjournment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sealer {
    /// The player to move.
    ToMove,
    /// The player to move or, in a game without a clock, Black.
    BlackWithoutClock,
}

/// The moment from which a sealed move is final.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sealing {
    Envelope,
    Clock,
}

/// The treatment of an ambiguous or illegal sealed move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ambiguity {
    OpponentChooses,
    /// The player who sealed the move loses, unless the arbiter corrects the move (see [`Repair`]).
    Loses,
}

/// The faults in a sealed move that the arbiter may correct.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repair {
    Nothing,
    /// An obvious slip in an ambiguous move.
    Slip,
    /// Any fault except a missing move.
    AnyMove,
}

impl Repair {
    pub fn allows(self, fault: Rule) -> bool {
        match self {
            Self::Nothing => false,
            Self::Slip => fault == Rule::SealedAmbiguous,
            Self::AnyMove => fault != Rule::NothingSealed,
        }
    }
}

/// The rules for players who are late for the resumption of an adjourned game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LateResuming {
    /// The delay after which a player loses; `None` if it is the same as at the start of the game.
    pub granted: Option<Duration>,
    /// The rule by which both players lose if both are late.
    pub both: Rule,
    /// For two late players: true if a sealed move that ends the game is played before lateness is
    /// judged.
    pub sealed_move_first: bool,
    /// If only the player who must reply is late: true if a sealed move that ends the game is
    /// played before lateness is judged.
    pub responder_too: bool,
}

/// The limit on the time per player in blitz. With more time, but less than an hour, a game is
/// rapid play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlitzLimit {
    Below(Duration),
    UpTo(Duration),
}

impl BlitzLimit {
    pub fn holds(self, time: Duration) -> bool {
        match self {
            Self::Below(limit) => time < limit,
            Self::UpTo(limit) => time <= limit,
        }
    }
}

/// The special rules of rapid play and blitz without supervision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unsupervised {
    /// The number of completed moves by each player after which a wrong set-up stands.
    pub setup_stands_after: u32,
    /// True if the arbiter acts on fallen flags and illegal moves even without a claim.
    pub arbiter_acts: bool,
    /// True if the rule on touched pieces is applied only on request.
    pub touch_on_request: bool,
    /// True if an illegal move loses a blitz game at once.
    pub blitz_illegal_loses: bool,
}

impl Unsupervised {
    /// The value for an edition without rapid play or blitz.
    pub const UNKNOWN: Self = Self {
        setup_stands_after: u32::MAX,
        arbiter_acts: false,
        touch_on_request: false,
        blitz_illegal_loses: false,
    };
}

/// The choices that distinguish an edition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Terms {
    pub game: GameKind,
    pub sameness: Sameness,
    /// True if repetition and move counts end the game without a claim.
    pub draws_by_itself: bool,
    /// The number of moves by each player, with no capture or pawn move, after which the game is
    /// drawn without a claim. Applies to editions with [`Rule::SeventyFive`].
    pub drawn_unclaimed: u32,
    /// True if a resignation loses only against an opponent who can win.
    pub resignation_can_draw: bool,
    /// The number of moves that Black must have made before a draw can be agreed.
    pub agreement_after: u32,
    /// The time that a wrong claim gives the opponent.
    pub wrong_claim: Duration,
    /// The time on the clock below which a player can claim that the opponent cannot win by normal
    /// means.
    pub quick_play: Duration,
    /// The time that the opponent gets if the arbiter defers or rejects a quick-play claim (see
    /// [`Self::quick_play`]) or grants an increment.
    pub quick_play_time: Duration,
    /// The increment that a player can request, for editions with [`Rule::IncrementAsked`].
    pub increment_asked: Duration,
    /// True if the rules on quick-play claims and on two fallen flags apply only if the tournament
    /// has announced them, and never in blitz or in games with an increment.
    pub quick_play_announced: bool,
    /// True if the arbiter can declare a draw by repetition without a claim, in games with a clock.
    pub director_draws: bool,
    /// True if a fallen flag loses only against an opponent who can win.
    pub flag_can_draw: bool,
    pub touching: Touching,
    pub while_choosing: WhileChoosing,
    pub adjusts_enemy: bool,
    pub irregular: Irregular,
    /// The number of completed illegal moves that cost a player only time, unless the regulations
    /// say otherwise. The next illegal move loses the game.
    pub illegal_moves: u8,
    /// The time that each completed illegal move gives the opponent.
    pub illegal_time: Duration,
    /// The time that an illegal move or a wrong claim gives the opponent in rapid play and
    /// unsupervised blitz, for editions with [`Rule::RapidPenalty`].
    pub rapid_penalty: Duration,
    pub blitz: BlitzLimit,
    pub unsupervised: Unsupervised,
    /// True if a player's score must be the score of a win, draw or loss, and the sum of both
    /// scores must not exceed the points of one game.
    pub normal_scores: bool,
    /// True if the opponent of a player with a ringing telephone or an electronic device scores
    /// only a draw when a win is impossible. The player loses in any case.
    pub device_can_draw: bool,
    /// A game with reversed colours begins again if Black has made fewer moves than this. If
    /// `None`, the game goes on unless the arbiter rules otherwise.
    pub colours_restart_before: Option<u32>,
    pub touch_forfeits: TouchForfeits,
    pub unknown: Unknown,
    pub displaced: Displaced,
    pub wrong_setup: SetupFault,
    /// The consequence if a side's king and queen began on each other's squares.
    pub wrong_kings: SetupFault,
    pub wrong_board: SetupFault,
    /// The delay allowed at the start of the game, unless the regulations say otherwise; `None` if
    /// the edition has no rule on lateness.
    pub lateness: Option<Duration>,
    /// The rule by which both players lose if both are late and no delay is allowed.
    pub both_late: Rule,
    /// The default time control; empty for no clock.
    pub control: &'static str,
    pub sealer: Sealer,
    pub sealing: Sealing,
    /// True if the envelope stays closed while the player who must reply is absent.
    pub waits_for_responder: bool,
    /// The rules for players who are late for the resumption; `None` if the edition has none.
    pub late_resuming: Option<LateResuming>,
    /// True if a faulty sealed move loses only against an opponent who can win.
    pub sealed_can_draw: bool,
    pub ambiguity: Ambiguity,
    pub repair: Repair,
    /// If the envelope is lost: true if the player who sealed the move names and makes it, false if
    /// the game is annulled.
    pub sealer_names_move: bool,
    /// True if White always begins a game at odds. Otherwise the player who gives the odds begins
    /// or, if moves are given, the opponent.
    pub white_begins: bool,
}
