//! The referee's rulings, in English and in French.

use crate::base::side::Side;
use crate::laws::event::{of_players, to_players};
use crate::laws::language::InFrench;
use crate::laws::rule::Rule;
use crate::laws::time::Hms;
use serde::Serialize;
use smallvec::SmallVec;
use std::fmt;
use std::time::Duration;

/// A ruling by the referee, with the law on which it is based.
#[derive(Clone, PartialEq, Debug)]
pub struct Ruling {
    /// The rule.
    pub rule: Rule,
    /// The article that states the rule in the edition in force.
    pub article: &'static str,
    /// The decision.
    pub decision: Decision,
    /// A fact that explains the decision or that the arbiter should check.
    pub note: Option<Note>,
}

/// A fact that explains a ruling, such as the reason why a claim is rejected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Note {
    /// This player is to move. Only the player to move can make the claim.
    Turn(Side),
    /// The number of times that the claimed position occurs.
    Occurrences(usize),
    /// A claim needs more plies without a capture or pawn move.
    QuietPlies {
        /// The number of plies played.
        played: u32,
        /// The number of plies needed.
        needed: u32,
    },
    /// The last known reading of a player's clock.
    Clock(Side, Duration),
    /// No illegal move is recorded.
    NoIllegalMove,
}

impl Note {
    fn english(self) -> String {
        match self {
            Self::Turn(side) => format!("{} is to move", english(side)),
            Self::Occurrences(1) => "the position occurs only once".into(),
            Self::Occurrences(times) => format!("the position occurs only {times} times"),
            Self::QuietPlies { played, needed } => format!(
                "only {played} of {needed} plies have been played without a capture or pawn move"
            ),
            Self::Clock(side, time) => {
                format!("{}'s clock last showed {}", english(side), Hms(time))
            }
            Self::NoIllegalMove => "no illegal move is recorded".into(),
        }
    }

    fn french(self) -> String {
        match self {
            Self::Turn(side) => format!("c'est {} de jouer", to_players(side)),
            Self::Occurrences(1) => "la position n'apparaît qu'une fois".into(),
            Self::Occurrences(times) => {
                format!("la position n'apparaît que {times} fois")
            }
            Self::QuietPlies { played, needed } => {
                format!("demi-coups sans prise ni coup de pion : {played} sur {needed}")
            }
            Self::Clock(side, time) => {
                format!("la pendule {} indiquait {} en dernier lieu", of_players(side), Hms(time))
            }
            Self::NoIllegalMove => "aucun coup illégal n'est noté".into(),
        }
    }
}

impl Ruling {
    /// Returns this ruling with a note.
    pub(super) fn with_note(self, note: impl Into<Option<Note>>) -> Self {
        Self { note: note.into(), ..self }
    }

    /// Returns the text of the ruling for a log, in English and without the note.
    pub(crate) fn log_text(&self) -> String {
        format!("{}: {} ({})", self.rule.english(), self.decision.english(), self.article)
    }
}

/// The rulings on one event. An ordinary move has at most one ruling.
pub type Rulings = SmallVec<[Ruling; 2]>;

/// The outcome of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum GameOutcome {
    /// Won by White.
    White,
    /// Won by Black.
    Black,
    /// Drawn.
    Draw,
    /// Lost by both.
    BothLose,
    /// White loses, and Black scores as for a draw (12.3 b, 12.8).
    LostByWhite,
    /// Black loses, and White scores as for a draw (12.3 b, 12.8).
    LostByBlack,
    /// The game does not count.
    Annulled,
}

impl GameOutcome {
    /// Returns the outcome with this winner, or a draw for `None`.
    pub const fn won(side: Option<Side>) -> Self {
        match side {
            Some(Side::White) => Self::White,
            Some(Side::Black) => Self::Black,
            None => Self::Draw,
        }
    }

    /// Returns the winner. A player who scores only a draw although the opponent loses is not a
    /// winner (12.3 b, 12.8).
    pub const fn winner(self) -> Option<Side> {
        match self {
            Self::White => Some(Side::White),
            Self::Black => Some(Side::Black),
            _ => None,
        }
    }

    /// Returns the result as written in score tables, such as `1-0`.
    pub const fn score(self) -> &'static str {
        match self {
            Self::White => "1-0",
            Self::Black => "0-1",
            Self::Draw => "1/2-1/2",
            Self::BothLose => "0-0",
            Self::LostByWhite => "0-1/2",
            Self::LostByBlack => "1/2-0",
            Self::Annulled => "annulled",
        }
    }
}

/// A right that a player can lose.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Right {
    /// The right to claim a draw at the current move.
    Claim,
    /// The right to a penalty for the opponent.
    Penalty,
    /// The right to a correction.
    Correction,
}

impl Right {
    const fn english(self) -> &'static str {
        match self {
            Self::Claim => "to claim a draw at this move",
            Self::Penalty => "to a penalty",
            Self::Correction => "to a correction",
        }
    }

    const fn french(self) -> &'static str {
        match self {
            Self::Claim => "de réclamer la nulle à ce coup",
            Self::Penalty => "à une pénalité",
            Self::Correction => "à une rectification",
        }
    }
}

/// A decision by the referee.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// The action is accepted.
    Stands,
    /// The player must take the move back.
    TakeBack(Side),
    /// The player must play one of these moves.
    Must(Side, Vec<String>),
    /// The player must announce this move, which counts as made only after the announcement.
    Announces(Side, String),
    /// The player must complete the score sheet before moving again.
    Completes(Side),
    /// The player can play any legal move.
    Free(Side),
    /// The player chooses one of these options.
    Chooses(Side, Vec<String>),
    /// The player has lost a right.
    Forfeits(Side, Right),
    /// Time is added to a player's clock.
    Added(Side, Duration),
    /// Time is deducted from a player's clock.
    Taken(Side, Duration),
    /// A player's clock is set.
    Set(Side, Duration),
    /// A player's clock runs.
    Runs(Side),
    /// Both clocks are stopped.
    Stopped,
    /// The player's claim is upheld.
    Upheld(Side),
    /// The player's claim is rejected.
    Refused(Side),
    /// The player is not allowed to do this, or not allowed yet.
    Barred(Side),
    /// The player offers a draw.
    Offered(Side),
    /// The player has refused a draw.
    Declined(Side),
    /// The arbiter has to decide.
    Arbiter,
    /// The decision is postponed.
    Deferred,
    /// The action counts as this move.
    Counts(String),
    /// The game continues unchanged.
    Continues,
    /// The game continues from the position after this ply.
    Restored(usize),
    /// The game starts again.
    Restart,
    /// The player must seal a move.
    Seals(Side),
    /// The envelope is closed.
    Closed,
    /// The envelope is opened and contains this move.
    Opened(String),
    /// The player is warned.
    Warned(Side),
    /// Points are added or, if negative, deducted.
    Points(Side, f64),
    /// The player is fined this sum.
    Fined(Side, u32),
    /// The player is excluded from this many rounds.
    Excluded(Side, u32),
    /// The player is expelled from the tournament.
    Expelled(Side),
    /// The line that proves or refutes a claim.
    Line(Vec<String>),
    /// The game is over, or does not count.
    Result(GameOutcome),
}

const fn english(side: Side) -> &'static str {
    match side {
        Side::White => "White",
        Side::Black => "Black",
    }
}

pub(crate) const fn french(side: Side) -> &'static str {
    match side {
        Side::White => "les Blancs",
        Side::Black => "les Noirs",
    }
}

fn list(items: &[String], or: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} {or} {last}", most.join(", ")),
    }
}

impl Decision {
    /// Returns the decision in English, without a full stop.
    pub fn english(&self) -> String {
        use Decision as D;
        match self {
            D::Stands => "accepted".into(),
            D::TakeBack(side) => format!("{} takes the move back", english(*side)),
            D::Must(side, moves) => format!("{} must play {}", english(*side), list(moves, "or")),
            D::Announces(side, m) => format!("{} must announce {m}", english(*side)),
            D::Completes(side) => {
                format!("{} must complete the score sheet before the next move", english(*side))
            }
            D::Free(side) => format!("{} may play any legal move", english(*side)),
            D::Chooses(side, among) => format!("{} chooses {}", english(*side), list(among, "or")),
            D::Forfeits(side, right) => {
                format!("{} has lost the right {}", english(*side), right.english())
            }
            D::Added(side, time) => format!("{} added to {}'s clock", Hms(*time), english(*side)),
            D::Taken(side, time) => format!("{} taken from {}'s clock", Hms(*time), english(*side)),
            D::Set(side, time) => format!("{}'s clock is set to {}", english(*side), Hms(*time)),
            D::Runs(side) => format!("{}'s clock runs", english(*side)),
            D::Stopped => "both clocks are stopped".into(),
            D::Upheld(side) => format!("{}'s claim is upheld", english(*side)),
            D::Refused(side) => format!("{}'s claim is rejected", english(*side)),
            D::Barred(side) => format!("{} may not do that", english(*side)),
            D::Offered(side) => format!("{} offers a draw", english(*side)),
            D::Declined(side) => format!("{} has refused the draw", english(*side)),
            D::Arbiter => "the arbiter decides".into(),
            D::Deferred => "the decision is postponed, and play continues".into(),
            D::Counts(m) => format!("the move counts as {m}"),
            D::Continues => "the game continues".into(),
            D::Restored(plies) => format!("the game continues from the position after ply {plies}"),
            D::Restart => "the game starts again".into(),
            D::Seals(side) => format!("{} must seal a move", english(*side)),
            D::Closed => "the envelope is closed".into(),
            D::Opened(m) => format!("the envelope is opened: {m}"),
            D::Warned(side) => format!("{} is warned", english(*side)),
            D::Points(side, points) => format!("{points:+} points for {}", english(*side)),
            D::Fined(side, sum) => format!("{} is fined {sum}", english(*side)),
            D::Excluded(side, 1) => format!("{} is excluded from one round", english(*side)),
            D::Excluded(side, rounds) => {
                format!("{} is excluded from {rounds} rounds", english(*side))
            }
            D::Expelled(side) => format!("{} is expelled", english(*side)),
            D::Line(moves) => format!("the line is {}", moves.join(" ")),
            D::Result(GameOutcome::White) => "White wins".into(),
            D::Result(GameOutcome::Black) => "Black wins".into(),
            D::Result(GameOutcome::Draw) => "drawn".into(),
            D::Result(GameOutcome::BothLose) => "both players lose".into(),
            D::Result(GameOutcome::LostByWhite) => "White loses, Black scores a draw".into(),
            D::Result(GameOutcome::LostByBlack) => "Black loses, White scores a draw".into(),
            D::Result(GameOutcome::Annulled) => "the game is annulled".into(),
        }
    }

    /// Returns the decision in French, without a full stop.
    pub fn french(&self) -> String {
        use Decision as D;
        match self {
            D::Stands => "c'est accepté".into(),
            D::TakeBack(side) => format!("{} reprennent le coup", french(*side)),
            D::Must(side, moves) => {
                format!("{} doivent jouer {}", french(*side), list(moves, "ou"))
            }
            D::Announces(side, m) => format!("{} doivent annoncer {m}", french(*side)),
            D::Completes(side) => {
                format!("{} doivent compléter leur feuille de partie avant de jouer", french(*side))
            }
            D::Free(side) => format!("{} peuvent jouer n'importe quel coup légal", french(*side)),
            D::Chooses(side, among) => {
                format!("{} choisissent : {}", french(*side), list(among, "ou"))
            }
            D::Forfeits(side, right) => {
                format!("{} perdent le droit {}", french(*side), right.french())
            }
            D::Added(side, time) => {
                format!("temps ajouté à la pendule {} : {}", of_players(*side), Hms(*time))
            }
            D::Taken(side, time) => {
                format!("temps retiré à la pendule {} : {}", of_players(*side), Hms(*time))
            }
            D::Set(side, time) => {
                format!("la pendule {} est réglée à {}", of_players(*side), Hms(*time))
            }
            D::Runs(side) => format!("la pendule {} est en marche", of_players(*side)),
            D::Stopped => "les pendules sont arrêtées".into(),
            D::Upheld(side) => format!("la réclamation {} est fondée", of_players(*side)),
            D::Refused(side) => format!("la réclamation {} est rejetée", of_players(*side)),
            D::Barred(side) => format!("{} n'en ont pas le droit", french(*side)),
            D::Offered(side) => format!("{} proposent la nulle", french(*side)),
            D::Declined(side) => format!("{} ont refusé la nulle", french(*side)),
            D::Arbiter => "l'arbitre décide".into(),
            D::Deferred => "la décision est remise à plus tard, la partie continue".into(),
            D::Counts(m) => format!("le coup compte comme {m}"),
            D::Continues => "la partie continue".into(),
            D::Restored(plies) => {
                format!("la partie reprend de la position après le demi-coup {plies}")
            }
            D::Restart => "la partie recommence".into(),
            D::Seals(side) => format!("{} doivent mettre leur coup sous enveloppe", french(*side)),
            D::Closed => "l'enveloppe est fermée".into(),
            D::Opened(m) => format!("l'enveloppe est ouverte : {m}"),
            D::Warned(side) => format!("{} reçoivent un avertissement", french(*side)),
            D::Points(side, points) => format!("{points:+} point pour {}", french(*side)),
            D::Fined(side, sum) => format!("amende de {sum} pour {}", french(*side)),
            D::Excluded(side, 1) => format!("{} sont exclus d'une ronde", french(*side)),
            D::Excluded(side, rounds) => {
                format!("{} sont exclus de {rounds} rondes", french(*side))
            }
            D::Expelled(side) => format!("{} sont expulsés de la compétition", french(*side)),
            D::Line(moves) => format!("suite : {}", moves.join(" ")),
            D::Result(GameOutcome::White) => "les Blancs gagnent".into(),
            D::Result(GameOutcome::Black) => "les Noirs gagnent".into(),
            D::Result(GameOutcome::Draw) => "partie nulle".into(),
            D::Result(GameOutcome::BothLose) => "partie perdue pour les deux joueurs".into(),
            D::Result(GameOutcome::LostByWhite) => {
                "les Blancs perdent, les Noirs marquent comme pour une nulle".into()
            }
            D::Result(GameOutcome::LostByBlack) => {
                "les Noirs perdent, les Blancs marquent comme pour une nulle".into()
            }
            D::Result(GameOutcome::Annulled) => "partie annulée".into(),
        }
    }
}

impl InFrench for Ruling {
    fn in_french(&self) -> String {
        let article = self.article.replace("annex", "annexe");
        let note = self.note.map_or_else(String::new, |note| format!(" ; {}", note.french()));
        format!("{} : {} ({article}){note}", self.rule.french(), self.decision.french())
    }
}

impl fmt::Display for Ruling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.log_text())?;
        self.note.map_or(Ok(()), |note| write!(f, "; {}", note.english()))
    }
}

impl Serialize for Ruling {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut out = serializer.serialize_struct("Ruling", 5)?;
        out.serialize_field("rule", self.rule.english())?;
        out.serialize_field("article", self.article)?;
        out.serialize_field("decision", &self.decision)?;
        out.serialize_field("english", &self.to_string())?;
        out.serialize_field("french", &self.in_french())?;
        out.end()
    }
}
