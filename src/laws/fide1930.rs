//! FIDE Laws of Chess: adopted at The Hague in 1928, approved at Venice in 1929, printed in 1930.

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
    adjusts_enemy: false,
    irregular: Irregular::PieceMustPlay,
    lateness: Some(Duration::from_secs(60 * 60)),
    control: "30/7200:15/3600",
    sealer: Sealer::ToMove,
    ambiguity: Ambiguity::Loses,
};

/// Its laws.
pub static LAWS: &[Law] = &[
    law(Rule::Checkmate, "C-08", "Art. 1, 10.1", "Who mates wins; a mate ends the game."),
    early(Rule::Resignation, "Art. 21, annex 7"),
    early(Rule::Stalemate, "Art. 16 a"),
    early(Rule::Agreement, "Art. 16 d"),
    early(Rule::Offer, "Art. 16 d"),
    early(Rule::Repetition, "Art. 16 c"),
    early(Rule::Fifty, "Art. 16 e"),
    law(
        Rule::MoreThanFifty,
        "N-04",
        "Art. 16",
        "Where theory has proved that more than fifty moves are needed, twice that number.",
    ),
    early(Rule::MateDemand, "Art. 16 f"),
    early(Rule::Perpetual, "Art. 16 b"),
    early(Rule::TimeControl, "Art. 20.1"),
    early(Rule::Pressing, "Art. 20.1 d"),
    law(
        Rule::Flag,
        "K-03",
        "Art. 19.5, 20.2",
        "Who oversteps the time has lost, without any exception.",
    ),
    law(
        Rule::Late,
        "K-06",
        "Art. 20.4, 20.5",
        "The time until arrival is the player's; more than one hour late loses.",
    ),
    law(Rule::BothLate, "K-06", "Art. 20.6", "Both more than one hour late: both lose.")
        .read_as("At a resumption too."),
    early(Rule::Adjustment, "Art. 20.1 c"),
    law(
        Rule::ThinkingPenalty,
        "K-10",
        "Art. 20.1 e",
        "Both clocks stand until the director has ruled.",
    ),
    early(Rule::TouchOwn, "Art. 15 a"),
    early(Rule::TouchEnemy, "Art. 15 b"),
    early(Rule::TouchBoth, "Art. 15 c"),
    early(Rule::TouchSeveral, "Art. 15 d, e"),
    early(Rule::TouchNone, "Art. 15"),
    law(
        Rule::Adjust,
        "T-04",
        "Art. 14",
        "The player to move can adjust his own pieces after saying so, not the opponent's.",
    ),
    early(Rule::CastlingTouch, "Art. 8, 13 c"),
    law(
        Rule::Completed,
        "T-06",
        "Art. 13",
        "A move is made when the piece is released, what is taken is off the board; in castling \
         when the rook is released; in promotion when the new piece stands.",
    ),
    early(Rule::Illegal, "Art. 17 a"),
    early(Rule::IllegalCapture, "Art. 17 b"),
    early(Rule::NoConsequence, "Art. 17 a, b"),
    early(Rule::CheckIgnored, "Art. 9.6"),
    early(Rule::Penalty, "Art. 18"),
    early(Rule::NoticedLater, "Art. 17 d"),
    early(Rule::Lost, "Art. 17 d, 12.3"),
    law(
        Rule::Displaced,
        "I-03",
        "Art. 12.2, 14.3",
        "Number or places of pieces changed: begun again from there; else annulled.",
    ),
    law(
        Rule::WrongSetup,
        "I-05",
        "Art. 12.1",
        "A wrong initial position annuls the game, also afterwards.",
    ),
    law(
        Rule::WrongBoard,
        "I-05",
        "Art. 12.1",
        "A board placed wrongly annuls the game, also afterwards.",
    ),
    early(Rule::AnnouncedMate, "Art. 10.2"),
    law(
        Rule::Upset,
        "I-09",
        "Art. 19.1",
        "Who upsets the board or the pieces on purpose has lost.",
    ),
    early(Rule::RefusesToResume, "Art. 19.2"),
    early(Rule::Disobeys, "Art. 19.3, 19.4"),
    law(
        Rule::WhoSeals,
        "S-01",
        "Art. 21.1, 21.2",
        "The player to move seals, with or without a clock; sealed when the envelope is closed.",
    ),
    law(
        Rule::Sealed,
        "S-02",
        "Art. 21.2-21.4, annex 7",
        "On the envelope: position and times; the director keeps it, without offer or remark.",
    ),
    early(Rule::Resumed, "Art. 21.5"),
    law(
        Rule::ResponderAbsent,
        "S-03",
        "Art. 21.6",
        "The envelope stays closed and his clock runs.",
    )
    .read_as("Where both are absent his clock runs as well: the envelope waits for him alone."),
    law(Rule::NothingSealed, "S-04", "Art. 21.2, 17 c", "The player must write a move.").read_as(
        "A sheet without a move cannot be repaired with certainty, so it loses as an illegal one \
         does.",
    ),
    law(
        Rule::SealedUnreadable,
        "S-04",
        "Art. 17 c",
        "What cannot be repaired with absolute certainty loses.",
    ),
    law(
        Rule::SealedAmbiguous,
        "S-04",
        "Art. 17 c",
        "What cannot be repaired with absolute certainty loses.",
    )
    .read_as("The text names irregular moves; one that can be two moves is as uncertain."),
    law(
        Rule::SealedIllegal,
        "S-04",
        "Art. 17 c",
        "An irregular move loses, unless the director can repair it with absolute certainty.",
    ),
    law(
        Rule::SealedRepaired,
        "S-04",
        "Art. 17 c",
        "The director repairs a sealed move with absolute certainty.",
    ),
    early(Rule::EndsAdjourned, "Art. 16 d, 21"),
    law(
        Rule::LateResuming,
        "S-05",
        "Art. 20.5, 21.6",
        "His clock runs; more than one hour late loses.",
    ),
    early(Rule::EnvelopeLost, "Art. 21.7, 21.8"),
    early(Rule::OddsPawn, "Art. 22.6"),
    early(Rule::OddsPiece, "Art. 22.5, 22.7"),
    early(Rule::OddsRook, "Art. 22.8"),
    early(Rule::OddsMoves, "Art. 22.2-22.4"),
    law(Rule::Points, "P-01", "Art. 1, 16, 20.6", "Won, drawn, lost, annulled, or lost by both.")
        .read_as("Counted 1, 1/2, 0."),
    early(Rule::Colours, "Art. 11"),
];
