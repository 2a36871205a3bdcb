//! The grammar of event lines, one row for each form that a line can have.
//!
//! A row contains the words and the typed placeholders ([`Hole`]s) of the form, the event that it
//! produces, the rules that let an edition accept it, and its meaning. Parsing, writing,
//! completion, help, the list of possible events, the table in the manual and the fuzzer's
//! generator all use these rows, so a new form needs only a new row.

use super::language::Language;
use super::read::{Missed, Reader};
use super::write::Writer;
use super::{
    Act, Change, Choice, Claim, Decide, Deserved, Event, Fall, Incident, Late, Notice, Penalty,
    PressTime, Recorded, Restore, Sheet, StopFor, side_of, word,
};
use crate::base::game::GameKind;
use crate::base::side::Side;
use crate::base::text::nearest;
use crate::laws::edition::Edition;
use crate::laws::rule::Rule;
use crate::laws::ruled::{IllegalMove, Ruled};
use std::fmt;

/// The minimum similarity of a misspelt word to a suggestion, from 0 to 1.
const MIN_SIMILARITY: f64 = 0.85;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Form {
    pub actor: Actor,
    /// The words that name the event in lists, such as `touch` or `claim repetition`.
    pub name: &'static str,
    pub tail: &'static [Token],
    /// The rules that allow the form. An edition accepts the form if it has at least one of these
    /// rules. If the list is empty, every edition accepts the form.
    rules: &'static [Rule],
    game: Option<GameKind>,
    english: &'static str,
    french: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Actor {
    /// A player; the line begins with the side.
    Player,
    /// The arbiter or both players.
    Arbiter,
    /// A player if the line begins with a side, otherwise the arbiter.
    Anyone,
}

impl Actor {
    pub(super) const fn fits(self, side: Option<Side>) -> bool {
        match self {
            Self::Player => side.is_some(),
            Self::Arbiter => side.is_none(),
            Self::Anyone => true,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Token {
    Word(&'static str),
    Hole(Hole),
}

/// A placeholder in a form, identified by the kind of text that fills it. There are several kinds
/// of squares, because completion offers different squares for each kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hole {
    Side,
    Occupied,
    /// The square of one of the player's own pieces.
    Own,
    /// A square that is not occupied by one of the player's own pieces.
    NotOwn,
    Origin,
    /// A square that the piece on the preceding [`Origin`](Self::Origin) can move to.
    Destination,
    /// The square of a piece that leaves the board.
    Removed,
    /// The square of a piece that can be taken.
    Captured,
    /// The square of a piece that can move.
    Mover,
    /// The square of a rook that was given as odds.
    MissingRook,
    /// The square of a king that may still be uncrowned.
    Crowned,
    Move,
    /// A move that can be sealed, including castling towards a rook given as odds.
    SealedMove,
    MoveOnTurn,
    /// A move by the player who is not to move. It would be legal on that player's turn.
    MoveOutOfTurn,
    /// A move that the player intends to make. It may be illegal.
    IntendedMove,
    Moves,
    Time,
    PlusTime,
    MinusTime,
    Number,
    Points,
    /// The letter of a piece to which a pawn can promote.
    Promoted,
    AnyPiece,
    Position,
    /// Optional: `moves`, followed by moves from the preceding [`Position`](Self::Position).
    Book,
    Odds,
}

impl Hole {
    pub const fn label(self, language: Language) -> &'static str {
        let (english, french) = match self {
            Self::Side => ("SIDE", "CAMP"),
            Self::Move
            | Self::SealedMove
            | Self::MoveOnTurn
            | Self::MoveOutOfTurn
            | Self::IntendedMove => ("MOVE", "COUP"),
            Self::Moves => ("MOVE MOVE ...", "COUP COUP ..."),
            Self::Time => ("TIME", "TEMPS"),
            Self::PlusTime => ("+TIME", "+TEMPS"),
            Self::MinusTime => ("-TIME", "-TEMPS"),
            Self::Number => ("NUMBER", "NOMBRE"),
            Self::Points => ("POINTS", "POINTS"),
            Self::Promoted | Self::AnyPiece | Self::Odds => ("PIECE", "PIÈCE"),
            Self::Position => ("FEN", "FEN"),
            Self::Book => ("[moves MOVE ...]", "[moves COUP ...]"),
            _ => ("SQUARE", "CASE"),
        };
        language.of(english, french)
    }

    pub const fn is_square(self) -> bool {
        matches!(
            self,
            Self::Occupied
                | Self::Own
                | Self::NotOwn
                | Self::Origin
                | Self::Destination
                | Self::Removed
                | Self::Captured
                | Self::Mover
                | Self::MissingRook
                | Self::Crowned
        )
    }

    const fn takes_several_words(self) -> bool {
        matches!(self, Self::Moves | Self::Position | Self::Book | Self::Odds)
    }

    pub(super) const fn phrase(self, language: Language) -> &'static str {
        let (english, french) = match self {
            Self::Side => ("white or black", "white ou black"),
            Self::Move
            | Self::SealedMove
            | Self::MoveOnTurn
            | Self::MoveOutOfTurn
            | Self::IntendedMove
            | Self::Moves
            | Self::Book => ("a move", "un coup"),
            Self::Time => ("a time", "un temps"),
            Self::PlusTime => ("+ and a time", "+ et un temps"),
            Self::MinusTime => ("- and a time", "- et un temps"),
            Self::Number => ("a number", "un nombre"),
            Self::Points => ("a number from 0 to 1000", "un nombre de 0 à 1000"),
            Self::Promoted => ("q, r, b or n", "d, t, f ou c"),
            Self::AnyPiece => ("q, r, b, n, k or p", "q, r, b, n, k ou p"),
            Self::Position => ("a position", "une position"),
            Self::Odds => (
                "pawn, knight, bishop, rook, queen or a square",
                "pawn, knight, bishop, rook, queen ou une case",
            ),
            _ => ("a square", "une case"),
        };
        language.of(english, french)
    }
}

/// Text that is accepted at a column of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expected {
    Word(&'static str),
    Hole(Hole),
    /// Nothing: the event is complete.
    End,
}

impl Expected {
    /// Returns the expected word that a misspelt word resembles most. French names of the sides are
    /// translated first, because *blanc* would otherwise match `black`.
    pub(super) fn nearest(found: &str, expected: &[Self]) -> Option<&'static str> {
        let found = match found.to_lowercase().as_str() {
            "blanc" | "blancs" => word(Side::White),
            "noir" | "noirs" => word(Side::Black),
            _ => found,
        };
        let words = expected.iter().filter_map(|one| match one {
            Self::Word(word) => Some(*word),
            _ => None,
        });
        nearest(found, words, MIN_SIMILARITY)
    }

    /// Formats the accepted texts as a list, as in `late, disobey or agree`.
    pub(super) fn list(expected: &[Self], language: Language) -> String {
        let mut phrases: Vec<&str> = Vec::new();
        let mut ordered = expected.to_vec();
        ordered.sort_by_key(|one| *one == Self::End);
        for one in ordered {
            let phrase = match one {
                Self::Word(word) => word,
                Self::Hole(hole) => hole.phrase(language),
                Self::End => language.of("the end of the line", "la fin de la ligne"),
            };
            if !phrases.contains(&phrase) {
                phrases.push(phrase);
            }
        }
        let last = phrases.pop().unwrap_or_default();
        match phrases.is_empty() {
            true => last.to_owned(),
            false => format!("{} {} {last}", phrases.join(", "), language.of("or", "ou")),
        }
    }
}

impl Form {
    pub(super) fn starts_with(&self, word: &str) -> bool {
        let rest = self.name.strip_prefix(word);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    }

    pub const fn meaning(&self, language: Language) -> &'static str {
        language.of(self.english, self.french)
    }

    pub fn is_accepted_by(&self, edition: Edition) -> bool {
        (self.rules.is_empty() || self.rules.iter().any(|&rule| edition.has(rule)))
            && self.game.is_none_or(|game| game == edition.terms().game)
    }

    /// Returns the form as shown in help, with the holes in capitals.
    pub fn line(&self, language: Language) -> String {
        let side = Hole::Side.label(language);
        let mut line = match self.actor {
            Actor::Player => format!("{side} "),
            Actor::Anyone => format!("[{side}] "),
            Actor::Arbiter => String::new(),
        };
        line.push_str(self.name);
        for token in self.tail {
            line.push(' ');
            line.push_str(match token {
                Token::Word(word) => word,
                Token::Hole(hole) => hole.label(language),
            });
        }
        line
    }

    /// Returns the number of the form's fixed words in a line that begins with these words, or
    /// `None` if no line of this form can begin with them. Returns `None` for a side alone or for
    /// no words.
    pub(super) fn fixed_words<'w>(&self, words: impl Iterator<Item = &'w str>) -> Option<usize> {
        let mut words = words.peekable();
        let side = words.peek().and_then(|word| side_of(word));
        if side.is_some() {
            words.next();
        }
        words.peek().filter(|_| self.actor.fits(side))?;
        let own = self.name.split(' ').map(Token::Word).chain(self.tail.iter().copied());
        let mut own = own.peekable();
        let mut fixed = 0;
        // True in a hole that takes all words up to the form's next fixed word.
        let mut long = false;
        for word in words {
            match own.peek() {
                Some(Token::Word(known)) if *known == word => {
                    (fixed, long) = (fixed + 1, false);
                    own.next();
                }
                _ if long => {}
                Some(Token::Hole(hole)) => {
                    long = hole.takes_several_words();
                    own.next();
                }
                _ => return None,
            }
        }
        Some(fixed)
    }
}

/// Returns the beginning of a player's line for the event with this name.
pub(crate) fn beginning(side: Side, name: &str) -> String {
    debug_assert!(
        FORMS.iter().any(|form| form.name == name && form.actor == Actor::Player),
        "{name}"
    );
    format!("{} {name}", word(side))
}

/// The conversions between the lines of a form and events.
pub(super) struct Conversion<G: Ruled> {
    pub read: fn(&mut Reader<'_, G>) -> Result<Event<G>, Missed>,
    pub write: fn(&Event<G>, &mut Writer<'_, '_, G>) -> Option<fmt::Result>,
}

/// Builds an event with its subject, as an expression or as a pattern.
macro_rules! event {
    (Player $side:ident $($event:tt)*) => { Event::Player($side, $($event)*) };
    (Arbiter $side:ident $($event:tt)*) => { Event::Game($($event)*) };
    (Anyone $side:ident $($event:tt)*) => { Event::Notice($side, $($event)*) };
}

/// Reads or writes the subject of a line.
macro_rules! subject {
    (read Player $reader:ident $side:ident) => {
        let $side = $reader.player()?;
    };
    (read Arbiter $reader:ident $side:ident) => {};
    (read Anyone $reader:ident $side:ident) => {
        let $side = $reader.side;
    };
    (write Player $writer:ident $side:ident) => {
        $writer.subject(*$side)?;
    };
    (write Arbiter $writer:ident $side:ident) => {};
    (write Anyone $writer:ident $side:ident) => {
        if let Some(side) = $side {
            $writer.subject(*side)?;
        }
    };
}

macro_rules! one_or {
    ($default:expr;) => {
        $default
    };
    ($default:expr; $one:expr) => {
        $one
    };
}

/// Declares the rows. A row has a subject and a name, then words and `(variable: conversion Hole)`
/// for each hole, then the event. The rules that allow the form and its game are optional. The
/// meaning comes last, in English and French. The event is used as an expression when a line is
/// parsed, and as a pattern when an event is written.
macro_rules! forms {
    ($(
        $actor:ident $name:literal $($word:literal)*
        $(($var:ident: $convert:ident $hole:ident) $($then:literal)*)*
        = { $($event:tt)* } $([$($rule:ident),+])? $($game:ident)?
        : $english:literal, $french:literal;
    )*) => {
        /// Every form, in the order in which completions and error messages list them.
        pub static FORMS: &[Form] = &[$(Form {
            actor: Actor::$actor,
            name: $name,
            tail: &[
                $(Token::Word($word),)*
                $(Token::Hole(Hole::$hole), $(Token::Word($then),)*)*
            ],
            rules: &[$($(Rule::$rule),+)?],
            game: one_or!(None; $(Some(GameKind::$game))?),
            english: $english,
            french: $french,
        }),*];

        impl<G: Ruled> Conversion<G> {
            /// The conversion for each form, in the order of [`FORMS`].
            pub const ALL: &'static [Self] = &[$(Self {
                read: |reader| {
                    subject!(read $actor reader side);
                    $(reader.expect($word)?;)*
                    $(let $var = reader.$convert(Hole::$hole)?; $(reader.expect($then)?;)*)*
                    reader.end()?;
                    Ok(event!($actor side $($event)*))
                },
                write: |event, writer| {
                    let event!($actor side $($event)*) = event else { return None };
                    let mut write = || -> fmt::Result {
                        subject!(write $actor writer side);
                        writer.words($name)?;
                        $(writer.words($word)?;)*
                        $(writer.$convert($var)?; $(writer.words($then)?;)*)*
                        Ok(())
                    };
                    Some(write())
                },
            }),*];
        }
    };
}

forms! {
    // Pieces.
    Player "touch" (at: square Occupied) = { Act::Touch(at) }
        : "touches a piece", "touche une pièce";
    Player "brush" (at: square Occupied) = { Act::Brush(at) } [Accident]
        : "touches a piece by accident", "touche une pièce par accident";
    Player "adjust" (at: square Occupied) = { Act::Adjust(at) } [Adjust]
        : "adjusts a piece after saying so", "rectifie une pièce après l'avoir dit";
    Player "release" (from: square Origin) (to: square Destination) = { Act::Release(from, to) }
        : "moves a piece from the first square and releases it on the second",
          "lâche une pièce sur une case";
    Player "remove" (at: square Removed) = { Act::Remove(at) }
        : "takes a captured piece off the board", "enlève une pièce prise";
    Player "promote" (to: promoted Promoted) = { Act::Promote(to) } Chess
        : "replaces a pawn with a new piece", "remplace un pion par une nouvelle pièce";
    Player "move" (m: played Move) = { Act::Move(m) }
        : "makes a move", "joue un coup";
    Player "out of turn" (m: out_of_turn MoveOutOfTurn) = { Act::OutOfTurn(m) } [OutOfTurn] Chess
        : "makes a move when it is the opponent's turn", "joue un coup sans avoir le trait";
    Player "castle" (rook: square MissingRook) = { Act::Castle(rook) } [OddsRook]
        : "castles on the side of a rook given as odds", "roque du côté de la tour donnée";

    // The clock.
    Player "press" = { Act::Press(None) }
        : "presses the clock", "appuie sur la pendule";
    Player "press" (left: time Time) = { Act::Press(Some(PressTime::Left(left))) }
        : "presses the clock, which shows this time", "appuie sur la pendule, qui affiche ce temps";
    Player "press" (taken: plus_time PlusTime) = { Act::Press(Some(PressTime::Taken(taken))) }
        : "presses the clock, having used this much time", "appuie sur la pendule après ce temps";
    Player "flag" = { Act::Flag(Fall::Overstepped) }
        : "the flag is seen to have fallen", "la chute du drapeau est constatée";
    Player "flag" "open" = { Act::Flag(Fall::Open) } [RecordingDue]
        : "the flag has fallen, and only the score sheets will show whether the moves were made",
          "le drapeau est tombé, et seules les feuilles de partie diront si les coups ont été joués";

    // Offers and claims.
    Player "offer" = { Act::Offer }
        : "offers a draw", "propose la nulle";
    Player "offer" "conditional" = { Act::OfferIf } [ClaimOffers]
        : "offers a draw on a condition", "propose la nulle sous condition";
    Player "accept" = { Act::Accept }
        : "accepts the offer of a draw", "accepte la nulle";
    Player "refuse" = { Act::Refuse }
        : "refuses the offer of a draw", "refuse la nulle";
    Player "refuse search" = { Act::RefuseSearch } [Search]
        : "refuses to be searched for electronic devices",
          "refuse une fouille à la recherche d'appareils électroniques";
    Player "withdraw" = { Act::Withdraw }
        : "withdraws an offer or a claim", "retire une proposition ou une réclamation";
    Player "resign" = { Act::Resign }
        : "resigns", "abandonne";
    Player "claim repetition" = { Act::Claim(Claim::Repetition(None)) } [ClaimWrong, MateDemand]
        : "claims a draw by repetition", "réclame la nulle par répétition";
    Player "claim repetition" "by" (m: intended IntendedMove)
        = { Act::Claim(Claim::Repetition(Some(m))) } [RepetitionByMove]
        : "claims a draw by repetition after an intended move",
          "réclame la nulle par répétition après un coup annoncé";
    Player "claim fifty" = { Act::Claim(Claim::Fifty(None)) } [ClaimWrong, MateDemand]
        : "claims a draw by fifty moves", "réclame la nulle par cinquante coups";
    Player "claim fifty" "by" (m: intended IntendedMove)
        = { Act::Claim(Claim::Fifty(Some(m))) } [FiftyByMove]
        : "claims a draw by fifty moves with an intended move",
          "réclame la nulle par cinquante coups avec un coup annoncé";
    Player "claim perpetual" = { Act::Claim(Claim::Perpetual) } [Perpetual]
        : "claims perpetual check", "réclame l'échec perpétuel";
    Player "claim winless" = { Act::Claim(Claim::Winless) } [QuickPlay]
        : "claims a draw because the opponent does not try to win, or cannot",
          "réclame la nulle : l'adversaire ne cherche pas à gagner, ou ne le peut pas";
    Player "claim demand" = { Act::Claim(Claim::Demand) } [MateDemand]
        : "claims a draw because the fifty moves allowed for the mate are over",
          "réclame la nulle : les cinquante coups accordés pour le mat sont passés";
    Player "claim flag" = { Act::Claim(Claim::Flag) }
        : "claims that the opponent's flag has fallen", "réclame la chute du drapeau adverse";
    Player "claim flag" "wrongly" = { Act::Claim(Claim::FlagUp) }
        : "claims that the opponent's flag has fallen, which it has not",
          "réclame la chute du drapeau adverse, qui n'est pas tombé";
    Player "claim illegal" = { Act::Claim(Claim::Illegal) } Chess
        : "points out an illegal move", "signale un coup illégal";
    Player "claim touch" = { Act::Claim(Claim::Touch) } [Penalty]
        : "without supervision: claims that the opponent did not play the touched piece",
          "sans surveillance : l'adversaire n'a pas joué la pièce touchée";
    Player "claim increment" = { Act::Claim(Claim::Increment) } [IncrementAsked]
        : "requests an increment", "demande un incrément";
    Player "demand" = { Act::Demand } [MateDemand]
        : "demands that the opponent mate within fifty moves",
          "exige d'être maté en cinquante coups";
    Player "announce" (moves: number Number) = { Act::Announce(moves) } [AnnouncedMate]
        : "announces mate in this many moves", "annonce le mat en ce nombre de coups";
    Player "stop" = { Act::Stop(StopFor::Help) } [Stopping]
        : "stops both clocks to call the arbiter", "arrête les deux pendules pour appeler l'arbitre";
    Player "stop" "pieces" = { Act::Stop(StopFor::Pieces) } [Stopping]
        : "stops both clocks because pieces were displaced",
          "arrête les deux pendules parce que des pièces ont été dérangées";
    Player "stop" "sheets" = { Act::Stop(StopFor::Sheets) } [Stopping]
        : "stops both clocks because the score sheets differ",
          "arrête les deux pendules parce que les feuilles de partie diffèrent";
    Player "stop" "claim" = { Act::Stop(StopFor::Claim) } [Stopping]
        : "stops both clocks for a claim", "arrête les deux pendules pour une réclamation";
    Player "waive" = { Act::Waive } [IllegalCapture]
        : "waives the right to a penalty against the opponent", "renonce à une pénalité";

    // Irregular moves.
    Player "illegal" (from: square Occupied) (to: square NotOwn)
        = { Act::Illegal(IllegalMove { from, to, takes: None, becomes: None, of: None, also: None }) } Chess
        : "puts a piece of either side where the rules do not allow it",
          "place une pièce de l'un ou l'autre camp là où les règles l'interdisent";
    Player "illegal" (from: square Occupied) (to: square NotOwn) "takes" (takes: square Occupied)
        = { Act::Illegal(IllegalMove {
            from, to, takes: Some(takes), becomes: None, of: None, also: None
        }) } Chess
        : "moves against the rules and takes another piece",
          "joue un coup illégal et prend une autre pièce";
    Player "illegal" (from: square Occupied) (to: square NotOwn) "promote" (to_piece: letter AnyPiece)
        = { Act::Illegal(IllegalMove {
            from, to, takes: None, becomes: Some(to_piece), of: None, also: None
        }) } Chess
        : "moves against the rules and turns the piece into this one",
          "joue un coup illégal et remplace la pièce par celle-ci";
    Player "illegal" (from: square Occupied) (to: square NotOwn) "promote" (to_piece: letter AnyPiece) "of" (of: side Side)
        = { Act::Illegal(IllegalMove {
            from, to, takes: None, becomes: Some(to_piece), of: Some(of), also: None
        }) } Chess
        : "moves against the rules and puts this piece of the given side on the square",
          "joue et remplace la pièce par celle-ci, de ce camp";
    Player "illegal" (from: square Occupied) (to: square NotOwn) "and" (second: square Occupied) (end: square NotOwn)
        = { Act::Illegal(IllegalMove {
            from, to, takes: None, becomes: None, of: None, also: Some((second, end))
        }) } Chess
        : "moves two pieces against the rules, as in castling",
          "déplace deux pièces contre les règles, comme pour roquer";
    Player "hands" (m: legal Move) = { Act::Hands(m) } [TwoHands]
        : "makes a move with two hands", "joue un coup à deux mains";
    Player "irregular" (board: position Position) = { Act::Irregular(board) } Draughts
        : "leaves the board in this irregular position",
          "laisse le damier dans cette position irrégulière";
    Player "twice" (m: out_of_turn MoveOutOfTurn) = { Act::Twice(m) } Draughts
        : "plays a second move in a row", "joue un deuxième coup de suite";
    Player "retract" = { Act::Retract } Draughts
        : "takes back a move", "retire un coup joué";
    Player "unclear" (m: legal Move) = { Act::Unclear(m) } Draughts
        : "makes a capture without showing it clearly", "prend sans indiquer clairement la prise";
    Player "light" (at: square Occupied) = { Act::Light(at) } [Inactive] Draughts
        : "has put the piece that belongs on this square on a light square",
          "a mis la pièce de cette case sur une case claire";
    Player "pause" = { Act::Pause } Draughts
        : "pauses while the captured pieces leave the board",
          "marque un temps d'arrêt en enlevant les pièces prises";
    Player "crown" (at: square Crowned) = { Act::Crown(at) } [Crowning]
        : "crowns the man that became a king", "couronne le pion promu dame";
    Player "uncrowned" (at: square Crowned) = { Act::Uncrowned(at) } [Crowning]
        : "leaves the man that became a king without a crown",
          "ne couronne pas le pion promu dame";

    // Choices and adjournment.
    Player "choose piece" (at: square Mover) = { Act::Choose(Choice::Piece(at)) } Chess
        : "chooses the piece that the opponent must move",
          "choisit la pièce que l'adversaire doit jouer";
    Player "choose capture" (at: square Captured) = { Act::Choose(Choice::Capture(at)) } Chess
        : "chooses the piece that the opponent must take",
          "choisit la pièce que l'adversaire doit prendre";
    Player "choose king" = { Act::Choose(Choice::King) } Chess
        : "chooses that the opponent must move the king",
          "exige que l'adversaire joue son roi";
    Player "choose move" (m: choice MoveOnTurn) = { Act::Choose(Choice::Move(m)) } Chess
        : "chooses the meaning of the sealed move", "choisit le sens du coup sous enveloppe";
    Player "choose correct" = { Act::Choose(Choice::Correct) } Draughts
        : "has an irregularity corrected", "fait rectifier une irrégularité";
    Player "choose accept" = { Act::Choose(Choice::Accept) } Draughts
        : "accepts an irregularity", "accepte une irrégularité";
    Player "seal" "nothing" = { Act::Seal(Sheet::Nothing) } [WhoSeals]
        : "seals an empty sheet", "met sous enveloppe une feuille sans coup";
    Player "seal" "unreadable" = { Act::Seal(Sheet::Unreadable) } [WhoSeals]
        : "seals a text that cannot be read", "met sous enveloppe un coup illisible";
    Player "seal" "ambiguous" (moves: moves Moves) = { Act::Seal(Sheet::Ambiguous(moves)) } [WhoSeals]
        : "seals a text that could mean any of these moves",
          "met sous enveloppe un texte qui désigne chacun de ces coups";
    Player "seal" "illegal" (from: square Own) (to: square NotOwn)
        = { Act::Seal(Sheet::Illegal(from, to)) } [WhoSeals]
        : "seals an illegal move", "met sous enveloppe un coup illégal";
    Player "seal" "resign" = { Act::Seal(Sheet::Resigns) } [WhoSeals]
        : "seals a resignation", "met un abandon sous enveloppe";
    Player "seal" "secret" = { Act::Seal(Sheet::Secret) } [WhoSeals]
        : "seals a move that only this player knows", "met sous enveloppe un coup qu'il est seul à connaître";
    Player "seal" (m: sealed SealedMove) = { Act::Seal(Sheet::Move(m)) } [WhoSeals]
        : "seals a move", "met un coup sous enveloppe";
    Player "seal" (m: sealed SealedMove) "offer" = { Act::SealOffer(m) } [WhoSeals]
        : "seals a move with an offer of a draw",
          "met sous enveloppe un coup et une proposition de nulle";
    Player "enclose remark" = { Act::Enclose } [IllegalCapture]
        : "adds a remark to the sealed move", "ajoute une remarque au coup sous enveloppe";
    Player "late" (time: time Time) = { Act::Late(Late { time, excused: false }) } [Late]
        : "arrives this late for the game", "arrive avec ce retard";
    Player "late" (time: time Time) "excused" = { Act::Late(Late { time, excused: true }) } [Late]
        : "arrives this late for the game, with a valid reason",
          "arrive avec ce retard, pour un motif valable";
    Player "arrive" (time: time Time) = { Act::Arrive(Late { time, excused: false }) } [WhoSeals]
        : "arrives this late for the resumption", "arrive à la reprise avec ce retard";
    Player "arrive" (time: time Time) "excused"
        = { Act::Arrive(Late { time, excused: true }) } [WhoSeals]
        : "arrives this late for the resumption, with a valid reason",
          "arrive à la reprise avec ce retard, pour un motif valable";

    // Conduct.
    Player "upset" = { Act::Upset } [Upset]
        : "upsets the board on purpose", "renverse volontairement l'échiquier";
    Player "leave" = { Act::Leave } [RefusesToResume]
        : "refuses to play on", "refuse de continuer la partie";
    Player "disobey" = { Act::Disobey(Deserved::Win) } [Disobeys]
        : "refuses to obey the laws", "refuse de respecter les règles";
    Player "disobey" "draw" = { Act::Disobey(Deserved::Draw) } [BothDisobey]
        : "refuses to obey the laws, and the opponent scores as for a draw",
          "refuse de respecter les règles, et l'adversaire marque comme pour une nulle";
    Player "disobey" "loss" = { Act::Disobey(Deserved::Loss) } [BothDisobey]
        : "refuses to obey the laws, and the opponent scores nothing",
          "refuse de respecter les règles, et l'adversaire ne marque rien";
    Player "phone" = { Act::Phone } [Phone, Device]
        : "the player's telephone rings", "le téléphone du joueur sonne";
    Player "device" = { Act::Device } [Device]
        : "an electronic device is found on the player", "un appareil électronique est trouvé sur le joueur";
    Player "exit" = { Act::Exit } [LeavesRoom]
        : "leaves the playing room without permission", "quitte la salle de jeu sans permission";
    Player "record" "behind" = { Act::Record(Recorded::Behind) } [Recording]
        : "moves before recording their previous move", "joue avant d'avoir noté son dernier coup";
    Player "record" "ahead" = { Act::Record(Recorded::Ahead) } [Recording]
        : "records a move before making it", "note un coup avant de le jouer";
    Player "record" "complete" = { Act::Record(Recorded::Complete) } [Recording]
        : "has a complete score sheet", "a une feuille de partie complète";
    Player "ask sheet" = { Act::AskSheet } [SheetShown]
        : "asks the arbiter for the score sheet", "demande à l'arbitre de voir la feuille de partie";

    // Play by a blind player.
    Player "say" (m: legal Move) = { Act::Say(m) } [BlindMove]
        : "blind: announces a move", "aveugle : annonce un coup";
    Player "feel" (at: square Occupied) = { Act::Feel(at) } [BlindTouch]
        : "blind: touches a piece that stays in its hole",
          "aveugle : touche une pièce qui reste dans son trou";
    Player "misspeak" = { Act::Misspeak } [Announcing]
        : "blind: announced a different move from the one made",
          "aveugle : a annoncé un autre coup que celui joué";

    // The arbiter and a player.
    Player "clock" (time: time Time) = { Act::Clock(Change::Set(time)) } [Adjustment]
        : "the arbiter sets the player's clock", "l'arbitre règle la pendule du joueur";
    Player "clock" (time: plus_time PlusTime) = { Act::Clock(Change::More(time)) } [Adjustment]
        : "the arbiter adds time to the player's clock", "l'arbitre ajoute du temps à la pendule du joueur";
    Player "clock" (time: minus_time MinusTime) = { Act::Clock(Change::Less(time)) } [Adjustment]
        : "the arbiter takes time off the player's clock", "l'arbitre retire du temps à la pendule du joueur";
    Player "penalty" "warn" = { Act::Penalty(Penalty::Warn) } [Sanction]
        : "the arbiter warns the player", "l'arbitre donne un avertissement au joueur";
    Player "penalty" "give" (time: time Time) = { Act::Penalty(Penalty::Give(time)) } [Sanction]
        : "the arbiter gives the opponent time", "l'arbitre donne du temps à l'adversaire";
    Player "penalty" "take" (time: time Time) = { Act::Penalty(Penalty::Take(time)) } [Sanction]
        : "the arbiter takes time from the player", "l'arbitre retire du temps au joueur";
    Player "penalty" "lose" = { Act::Penalty(Penalty::Lose) } [Sanction]
        : "the arbiter declares the game lost", "l'arbitre déclare la partie perdue";
    Player "penalty" "less" (points: points Points) = { Act::Penalty(Penalty::Less(points)) } [Sanction]
        : "the arbiter lowers the player's score", "l'arbitre retire des points au joueur";
    Player "penalty" "more" (points: points Points) = { Act::Penalty(Penalty::More(points)) } [Sanction]
        : "the arbiter raises the opponent's score", "l'arbitre donne des points à l'adversaire";
    Player "penalty" "fine" (sum: number Number) = { Act::Penalty(Penalty::Fine(sum)) } [Fine]
        : "the arbiter fines the player", "l'arbitre inflige une amende au joueur";
    Player "penalty" "exclude" (rounds: number Number)
        = { Act::Penalty(Penalty::Exclude(rounds)) } [Exclusion]
        : "the arbiter excludes the player from this many rounds",
          "l'arbitre exclut le joueur de ce nombre de rondes";
    Player "penalty" "expel" = { Act::Penalty(Penalty::Expel) } [Sanction]
        : "the arbiter expels the player from the event", "l'arbitre expulse le joueur de la compétition";

    // Events that concern both players, and actions of the arbiter.
    Arbiter "both late" (time: time Time)
        = { Incident::BothLate(Late { time, excused: false }) } [Late]
        : "both players arrive this late for the game", "les deux joueurs arrivent avec ce retard";
    Arbiter "both late" (time: time Time) "excused"
        = { Incident::BothLate(Late { time, excused: true }) } [Late]
        : "both players arrive this late for the game, with a valid reason",
          "les deux joueurs arrivent avec ce retard, pour un motif valable";
    Arbiter "both late" (white: time Time) "and" (black: time Time)
        = { Incident::LateEach([white, black]) } [Late]
        : "White and Black arrive this late for the game",
          "les Blancs et les Noirs arrivent avec ces retards";
    Arbiter "both disobey" = { Incident::BothDisobey } [BothDisobey]
        : "both players refuse to obey the laws", "les deux joueurs refusent de respecter les règles";
    Arbiter "both agree" = { Incident::Agree } [Agreement]
        : "both players agree to a draw", "les deux joueurs demandent la nulle";
    Arbiter "both resign" = { Incident::BothResign }
        : "both players resign", "les deux joueurs abandonnent";
    Arbiter "both correct" = { Incident::BothCorrect } [Blitz]
        : "without supervision: the players agree to correct an illegal move",
          "sans surveillance : les joueurs conviennent de corriger un coup illégal";
    Arbiter "flags" = { Incident::Flags } [BothFlags]
        : "both flags are seen to have fallen", "la chute des deux drapeaux est constatée";
    Arbiter "stop" = { Incident::Stop } [Stopping]
        : "the arbiter stops both clocks", "l'arbitre arrête les deux pendules";
    Arbiter "start" = { Incident::Start } [Stopping]
        : "the arbiter restarts the clocks", "l'arbitre remet les pendules en marche";

    // Irregularities found by the arbiter, or by a player who requests the consequence.
    Anyone "notice" "illegal" = { Notice::Illegal(Restore::Known) } [NoticedLater]
        : "an illegal move is found", "un coup illégal est constaté";
    Anyone "notice" "illegal" "lost" = { Notice::Illegal(Restore::Lost) } [NoticedLater]
        : "an illegal move is found, and no position before it is known",
          "un coup illégal est constaté, et aucune position antérieure n'est connue";
    Anyone "notice" "illegal" "from" (plies: number Number)
        = { Notice::Illegal(Restore::After(plies)) } [NoticedLater]
        : "an illegal move is found; the last known position is the one after this many plies",
          "un coup illégal est constaté ; la dernière position connue suit ce nombre de demi-coups";
    Anyone "notice" "displaced" = { Notice::Displaced(Restore::Known) } [Displaced]
        : "pieces were displaced", "des pièces ont été dérangées";
    Anyone "notice" "displaced" "lost" = { Notice::Displaced(Restore::Lost) } [Displaced]
        : "pieces were displaced, and no position before is known",
          "des pièces ont été dérangées, et aucune position antérieure n'est connue";
    Anyone "notice" "displaced" "from" (plies: number Number)
        = { Notice::Displaced(Restore::After(plies)) } [Displaced]
        : "pieces were displaced after this many plies",
          "des pièces ont été dérangées après ce nombre de demi-coups";
    Anyone "notice" "restored" (plies: number Number) = { Notice::Restored(plies) } [RestoredWrongly]
        : "pieces were put back wrongly after this many plies",
          "des pièces ont été mal replacées après ce nombre de demi-coups";
    Anyone "notice" "boards" = { Notice::Boards(None) } [TwoBoards]
        : "blind play: the boards differ", "joueur aveugle : les échiquiers diffèrent";
    Anyone "notice" "boards" "from" (plies: number Number) = { Notice::Boards(Some(plies)) } [TwoBoards]
        : "blind play: the boards differ; the score sheets agree up to this many plies",
          "joueur aveugle : les échiquiers diffèrent ; les feuilles concordent jusqu'à ce nombre de demi-coups";
    Anyone "notice" "impossible" = { Notice::Impossible } [ImpossiblePosition]
        : "without supervision: both kings are in check, or a pawn is on its last rank",
          "sans surveillance : les deux rois sont en échec, ou un pion est sur sa dernière rangée";
    Anyone "notice" "sheets" = { Notice::Sheets { lost: false } } [RecordingDue]
        : "after `flag open`: no score sheet is complete",
          "après `flag open` : aucune feuille de partie n'est complète";
    Anyone "notice" "sheets" "lost" = { Notice::Sheets { lost: true } } [RecordingDue]
        : "after `flag open`: no score sheet can be completed",
          "après `flag open` : aucune feuille de partie ne peut être complétée";
    Anyone "notice" "setup" = { Notice::Setup } [WrongSetup]
        : "the initial position was wrong", "la position initiale était incorrecte";
    Anyone "notice" "kings" = { Notice::Kings } [KingsExchanged]
        : "kings and queens began on each other's squares", "rois et dames étaient intervertis au début";
    Anyone "notice" "board" = { Notice::Board } [WrongBoard]
        : "the board was placed the wrong way round", "le plateau était mal placé";
    Anyone "notice" "colours" = { Notice::Colours { restart: false } } [ColoursReversed]
        : "the colours are reversed", "les couleurs sont inversées";
    Anyone "notice" "colours" "restart" = { Notice::Colours { restart: true } } [ColoursReversed]
        : "the colours are reversed, and the arbiter has the game begin again",
          "les couleurs sont inversées, et l'arbitre fait recommencer la partie";
    Anyone "notice" "clocks" = { Notice::Clocks } [ResumedClocks]
        : "the clocks were set wrongly, at the start or at the resumption",
          "les pendules étaient mal réglées, au début ou à la reprise";

    // Decisions of the arbiter, and adjournment.
    Arbiter "decide draw" = { Incident::Decide(Decide::Draw) } [QuickPlay, Agreement]
        : "the arbiter upholds a claim or agrees to a draw",
          "l'arbitre admet une réclamation ou consent à la nulle";
    Arbiter "decide reject" = { Incident::Decide(Decide::Reject) } [QuickPlay, Agreement]
        : "the arbiter rejects a claim or a draw by agreement",
          "l'arbitre rejette une réclamation ou un accord de nulle";
    Arbiter "decide defer" = { Incident::Decide(Decide::Defer { time: true }) } [QuickPlayDeferred]
        : "the arbiter postpones the decision", "l'arbitre remet sa décision à plus tard";
    Arbiter "decide defer" "without" "time"
        = { Incident::Decide(Decide::Defer { time: false }) } [QuickPlayDeferred]
        : "the arbiter postpones the decision and gives the opponent no extra time",
          "l'arbitre remet sa décision à plus tard, sans donner de temps à l'adversaire";
    Arbiter "decide increment" = { Incident::Decide(Decide::Increment) } [IncrementAsked]
        : "the arbiter grants the increment", "l'arbitre accorde l'incrément";
    Arbiter "decide move" (m: legal MoveOnTurn) = { Incident::Decide(Decide::Move(m)) } [SealedRepaired]
        : "the arbiter decides which move was sealed", "l'arbitre décide quel coup est sous enveloppe";
    Arbiter "adjourn" = { Incident::Adjourn } [WhoSeals]
        : "the session is over", "la séance de jeu est terminée";
    Arbiter "resume" = { Incident::Resume(None) } [WhoSeals]
        : "the game is resumed", "la partie reprend";
    Arbiter "resume" "without" "both" = { Incident::ResumeWithoutBoth } [WhoSeals]
        : "the game is resumed while both players are absent",
          "la partie reprend en l'absence des deux joueurs";
    Arbiter "resume" "without" (absent: side Side) = { Incident::Resume(Some(absent)) } [WhoSeals]
        : "the game is resumed while this player is absent",
          "la partie reprend en l'absence de ce joueur";
    Arbiter "envelope lost" = { Incident::EnvelopeLost } [WhoSeals]
        : "the envelope is lost", "l'enveloppe est perdue";
    Arbiter "position lost" = { Incident::PositionLost } [WhoSeals]
        : "the adjourned position is lost", "la position ajournée est perdue";
    Arbiter "king misplaced" (of: side Side) = { Incident::KingMisplaced(of) } [Rapid]
        : "this player's king and queen began on each other's squares",
          "le roi et la dame de ce joueur étaient intervertis au début";
    Arbiter "rook misplaced" (at: square Occupied) = { Incident::RookMisplaced(at) } [Rapid]
        : "the rook on this square began on a wrong square",
          "la tour de cette case était mal placée au début";

    // Before the first move.
    Arbiter "setup" (start: position Position) (moves: book Book) = { Incident::Setup(start, moves) }
        : "before the first move: a position, and moves from it that take no time",
          "avant le premier coup : une position, et des coups joués à partir d'elle sans temps de réflexion";
    Arbiter "odds" (pieces: odds Odds) "by" (by: side Side)
        = { Incident::Odds { pieces, moves: 0, by } } [OddsPiece]
        : "before the first move: pieces are given, by name or square",
          "avant le premier coup : avantage de pièces, désignées par leur nom ou leur case";
    Arbiter "odds" (pieces: odds Odds) "and" (moves: number Number) "by" (by: side Side)
        = { Incident::Odds { pieces, moves, by } } [OddsMoves]
        : "before the first move: odds of pieces and of this many moves",
          "avant le premier coup : des pièces et ce nombre de traits sont donnés";
    Arbiter "odds" (moves: number Number) "moves" "by" (by: side Side)
        = { Incident::OddsMoves(moves, by) } [OddsMoves]
        : "before the first move: this many moves are given",
          "avant le premier coup : ce nombre de traits est donné";
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::any::{AnyReferee, each};
    use crate::laws::referee::Refused;
    use crate::laws::regulations::{Regulations, read_time};

    fn filled(form: &Form, game: GameKind) -> String {
        let (square, m, other, second, fen) = match game {
            GameKind::Chess => ("e2", "e2e4", "d2d4", "e7e5", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
            GameKind::Draughts => ("32", "32-28", "31-27", "20-24", "W:W32:B19"),
        };
        let mut words = vec![form.name.to_owned()];
        words.extend(form.tail.iter().map(|token| match token {
            Token::Word(word) => (*word).to_owned(),
            Token::Hole(Hole::Side) => "white".to_owned(),
            Token::Hole(hole) if hole.is_square() => square.to_owned(),
            Token::Hole(Hole::MoveOutOfTurn) if form.name == "twice" => second.to_owned(),
            Token::Hole(
                Hole::Move
                | Hole::SealedMove
                | Hole::MoveOnTurn
                | Hole::MoveOutOfTurn
                | Hole::IntendedMove,
            ) => m.to_owned(),
            Token::Hole(Hole::Moves) => format!("{m} {other}"),
            Token::Hole(Hole::PlusTime) => "+1".to_owned(),
            Token::Hole(Hole::MinusTime) => "-1".to_owned(),
            Token::Hole(Hole::Points) => "0.5".to_owned(),
            Token::Hole(Hole::Promoted | Hole::AnyPiece) => "q".to_owned(),
            Token::Hole(Hole::Position) => fen.to_owned(),
            Token::Hole(Hole::Book) => String::new(),
            Token::Hole(Hole::Odds) => square.to_owned(),
            Token::Hole(_) => "1".to_owned(),
        }));
        let line = words.join(" ");
        let side = if form.name == "twice" { "black" } else { "white" };
        if form.actor == Actor::Player { format!("{side} {line}") } else { line }
    }

    fn edition_of(form: &Form) -> Edition {
        let game = form.game.unwrap_or(GameKind::Chess);
        let found = Edition::ALL.into_iter().find(|edition| edition.terms().game == game);
        found.expect("each game has an edition")
    }

    #[test]
    fn each_form_round_trips() {
        for (index, form) in FORMS.iter().enumerate() {
            let edition = edition_of(form);
            let line = filled(form, edition.terms().game);
            let any = AnyReferee::new(edition, Regulations::default());
            each!(&any, referee => {
                let event = referee.read(&line).unwrap_or_else(|error| panic!("{line}: {error}"));
                let written = event.to_string();
                assert_eq!(referee.read(&written).as_ref(), Ok(&event), "{line}: {written}");
                let attempt = referee.attempt(&written, index);
                assert!(matches!(attempt, super::super::read::Attempt::Event(same) if same == event));
            });
        }
    }

    #[test]
    fn editions_accept_exactly_the_forms_of_their_rules() {
        let rules = Regulations { time: read_time("60+1").ok(), ..Regulations::default() };
        let mut wrong = Vec::new();
        for edition in Edition::ALL {
            for form in FORMS {
                let known = form.is_accepted_by(edition);
                let line = filled(form, edition.terms().game);
                let any = AnyReferee::new(edition, rules.clone());
                let answer = each!(any, referee => {
                    let mut referee = referee;
                    let event = referee.read(&line).map_err(|_| None);
                    event.and_then(|event| referee.try_event(&event).map(|_| ()).map_err(Some))
                });
                let unknown = matches!(answer, Err(Some(Refused::Unknown(..))));
                if known && unknown || !known && answer.is_ok() {
                    wrong.push(format!("{edition}, known {known}: {line}"));
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn forms_with_the_same_name_are_adjacent() {
        let mut names: Vec<(&str, bool)> = Vec::new();
        for form in FORMS {
            let key = (form.name, form.actor == Actor::Arbiter);
            if names.last() != Some(&key) {
                assert!(!names.contains(&key), "{}", form.name);
                names.push(key);
            }
        }
    }
}
