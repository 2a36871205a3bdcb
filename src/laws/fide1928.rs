//! FIDE Laws of Chess: the draft of June 1928.

use super::early::early;
use super::edition::{Ambiguity, Irregular, Law, Sameness, Sealer, Terms, Touching, law};
use super::rule::Rule;
use std::time::Duration;

/// What the edition decides in its own way.
pub static TERMS: Terms = Terms {
    sameness: Sameness::Placement,
    draws_by_itself: false,
    agreement_after: 30,
    wrong_claim: Duration::ZERO,
    flag_can_draw: false,
    touching: Touching::OpponentChooses,
    adjusts_enemy: true,
    irregular: Irregular::PieceMustPlay,
    lateness: None,
    control: "30/7200:15/3600",
    sealer: Sealer::BlackWithoutClock,
    ambiguity: Ambiguity::OpponentChooses,
};

/// Moves of Black before whose completion a wrong board or set-up is treated otherwise (Par. 11).
pub const SETUP_MOVES: u32 = 4;

/// Its laws.
pub static LAWS: &[Law] = &[
    law(Rule::Checkmate, "C-08", "Par. 1", "The aim of the game is to mate."),
    early(Rule::Resignation, "Par. 27.3"),
    early(Rule::Stalemate, "Par. 15 A"),
    early(Rule::Agreement, "Par. 15 D"),
    early(Rule::Offer, "Par. 15 D"),
    early(Rule::Repetition, "Par. 15 C"),
    early(Rule::Fifty, "Par. 15 E"),
    early(Rule::MateDemand, "Par. 15 F"),
    early(Rule::Perpetual, "Par. 15 B"),
    early(Rule::TimeControl, "Par. 20 a"),
    early(Rule::Pressing, "Par. 20 d"),
    law(Rule::Flag, "K-03", "Par. 18", "Who oversteps the time has lost, present or absent."),
    early(Rule::Adjustment, "Par. 20 c"),
    law(
        Rule::ThinkingPenalty,
        "K-10",
        "Par. 20 b",
        "While the opponent thinks about a penalty, his own clock runs.",
    ),
    early(Rule::TouchOwn, "Par. 14 a"),
    early(Rule::TouchEnemy, "Par. 14 b"),
    early(Rule::TouchBoth, "Par. 14 c"),
    early(Rule::TouchSeveral, "Par. 14 d, e"),
    early(Rule::TouchNone, "Par. 14"),
    law(
        Rule::Adjust,
        "T-04",
        "Par. 13",
        "The player to move can adjust pieces of either side after saying so.",
    ),
    early(Rule::CastlingTouch, "Par. 8, 12 c"),
    law(
        Rule::Completed,
        "T-06",
        "Par. 12",
        "A move is made when the piece is released, what is taken is off the board; in castling \
         when the rook is released; in promotion when the new piece is named or stands.",
    ),
    early(Rule::Illegal, "Par. 16 a"),
    early(Rule::IllegalCapture, "Par. 16 c"),
    early(Rule::NoConsequence, "Par. 16 a, c"),
    early(Rule::CheckIgnored, "Par. 9"),
    early(Rule::Penalty, "Par. 17"),
    early(Rule::NoticedLater, "Par. 16 e"),
    early(Rule::Lost, "Par. 16 e"),
    law(
        Rule::Displaced,
        "I-03",
        "Par. 13",
        "Pieces displaced: the clock stands, the position is restored; if wrongly, play goes \
         back to it.",
    ),
    law(
        Rule::WrongSetup,
        "I-05",
        "Par. 11",
        "A wrong initial position, or a piece left out, annuls the game, also afterwards.",
    ),
    law(
        Rule::KingsExchanged,
        "I-05",
        "Par. 11",
        "Kings on the queens' squares: the game is valid and put right; annulled where a player \
         asks for it before Black's fourth move.",
    )
    .read_as(
        "Set right it is always: the text leaves it to the players only where the kings stand on \
         the e-file.",
    ),
    law(
        Rule::WrongBoard,
        "I-05",
        "Par. 11",
        "A board placed wrongly: before Black's fourth move begun again, later the game goes on.",
    ),
    early(Rule::AnnouncedMate, "Par. 10"),
    law(
        Rule::Upset,
        "I-09",
        "Par. 18 a",
        "Who upsets the board or the pieces on purpose has lost.",
    )
    .read_as("The committee's decision is taken as made."),
    early(Rule::RefusesToResume, "Par. 18 b"),
    early(Rule::Disobeys, "Par. 18 c, d"),
    law(
        Rule::WhoSeals,
        "S-01",
        "Par. 21",
        "Black seals where there is no clock, else the player to move; sealed when the envelope \
         is closed.",
    )
    .read_as("Without a clock White first makes a move that he owes."),
    law(
        Rule::Sealed,
        "S-02",
        "Par. 21, 27.3",
        "On the envelope: position and times; out of the players' reach, without offer or \
         resignation.",
    ),
    early(Rule::Resumed, "Par. 21"),
    law(
        Rule::ResponderAbsent,
        "S-03",
        "Par. 21",
        "If a player is absent, the same is done before the committee.",
    ),
    law(
        Rule::SealerAbsent,
        "S-03",
        "Par. 21",
        "If a player is absent, the same is done before the committee.",
    ),
    law(Rule::NothingSealed, "S-04", "Par. 16 f, 21", "No move in the envelope loses."),
    law(Rule::SealedUnreadable, "S-04", "Par. 16 f", "An unreadable move loses."),
    law(
        Rule::SealedAmbiguous,
        "S-04",
        "Par. 16 g, 21",
        "A move that has several meanings: the opponent chooses one.",
    ),
    law(
        Rule::SealedIllegal,
        "S-04",
        "Par. 16 b, d",
        "The opponent chooses: a legal move of that piece, a legal capture of that piece, or a \
         move of the king; if none is possible, he names the piece.",
    ),
    law(
        Rule::SealedRepaired,
        "S-04",
        "Par. 21",
        "The committee can put an obvious slip of the pen right.",
    ),
    early(Rule::EndsAdjourned, "Par. 15 D, 27.3"),
    early(Rule::EnvelopeLost, "Par. 21"),
    early(Rule::OddsPawn, "Par. 22"),
    early(Rule::OddsPiece, "Par. 22"),
    early(Rule::OddsRook, "Par. 22"),
    early(Rule::OddsMoves, "Par. 22"),
    law(Rule::Points, "P-01", "Par. 1, 15", "Won, drawn, lost, or annulled.")
        .read_as("Counted 1, 1/2, 0."),
    early(Rule::Colours, "Par. 11"),
];
