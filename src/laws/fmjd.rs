//! FMJD, official rules of draughts on 100 squares (annex I).

use super::edition::{Ambiguity, Irregular, Law, Sameness, Sealer, Terms, Touching, law};
use super::rule::Rule;
use std::time::Duration;

/// What the edition decides in its own way.
pub static TERMS: Terms = Terms {
    sameness: Sameness::Placement,
    draws_by_itself: true,
    agreement_after: 0,
    wrong_claim: Duration::ZERO,
    flag_can_draw: false,
    touching: Touching::PlayableOnly,
    adjusts_enemy: true,
    irregular: Irregular::OpponentDecides,
    lateness: None,
    control: "",
    sealer: Sealer::ToMove,
    ambiguity: Ambiguity::Loses,
};

/// Its laws.
pub static LAWS: &[Law] = &[
    law(Rule::NoMove, "D-10", "7.2.2", "Who is to move and cannot has lost."),
    law(Rule::NoPiece, "D-10", "7.2.3", "Who has no piece left has lost."),
    law(Rule::Resignation, "P-01", "7.2.1", "Who gives the game up has lost."),
    law(Rule::Agreement, "N-16", "7.3.1", "The players can agree to a draw at any time."),
    law(Rule::Offer, "N-16", "7.3.1", "A draw can be offered at any time.").read_as(
        "How long an offer stands is not said; it stands until it is answered or a piece is \
         touched.",
    ),
    law(
        Rule::Repetition,
        "N-12",
        "6.1",
        "The same position for the third time with the same player to move: drawn.",
    ),
    law(
        Rule::KingMoves,
        "N-13",
        "6.2",
        "25 moves of each side by kings only, nothing taken: drawn.",
    )
    .read_as("Moves are counted as moves of each side."),
    law(
        Rule::ThreePieces,
        "N-14",
        "6.3",
        "Three pieces, a king among them, against a king: drawn after 16 more moves each.",
    )
    .read_as(
        "The count begins with the ending, and a man's move within it does not start it anew.",
    ),
    law(
        Rule::TwoPieces,
        "N-15",
        "6.4",
        "Two pieces, a king among them, or a king, against a king: drawn after 5 more moves \
         each.",
    )
    .read_as(
        "The count begins with the ending, also where it follows that of three pieces, and goes \
         on where one of two kings is lost.",
    ),
    law(
        Rule::TimeControl,
        "K-08",
        "10.1, 10.3",
        "A number of moves in a time, or the whole game in a time.",
    ),
    law(
        Rule::Pressing,
        "K-08",
        "10.2, 10.4",
        "A clock is used; how is for the rules of the competition.",
    )
    .read_as("A move's time runs until the clock is pressed."),
    law(
        Rule::Flag,
        "K-08",
        "10.1, 10.5",
        "Moves not made in their time: what follows is for the rules of the competition.",
    )
    .read_as("It loses, whatever is on the board."),
    law(Rule::Adjustment, "K-08", "10.5", "The use of clocks is for the rules of the competition.")
        .read_as("The arbiter can set them."),
    law(Rule::TouchOwn, "T-07", "3.11", "A playable own piece touched must be played."),
    law(Rule::TouchSeveral, "T-07", "3.11", "A playable own piece touched must be played.")
        .read_as("Of several the first."),
    law(Rule::TouchNone, "T-07", "3.11", "A piece that cannot move obliges to nothing."),
    law(Rule::Adjust, "T-07", "3.13", "The player to move can adjust pieces after saying so."),
    law(
        Rule::Completed,
        "T-07",
        "3.10, 4.4, 4.12",
        "A move is over when the piece is released, a capture when all pieces taken are off the \
         board.",
    ),
    law(
        Rule::Released,
        "T-07",
        "3.10, 3.12",
        "A piece can be put elsewhere as long as it is not released.",
    ),
    law(
        Rule::Illegal,
        "T-07",
        "5.4",
        "An irregularity (5.4.1 to 5.4.16) is corrected or stands, as the opponent alone \
         decides.",
    ),
    law(Rule::Decides, "T-07", "5.4, 5.8", "The opponent decides, and a correction is whole."),
    law(Rule::Acceptance, "T-07", "5.7", "A reply accepts what was irregular."),
    law(
        Rule::Displaced,
        "T-07",
        "5.5",
        "A position disturbed by accident, seen at once, is no irregularity: it is restored.",
    ),
    law(Rule::WrongBoard, "I-05", "5.1", "A board placed wrongly annuls the game."),
    law(
        Rule::WrongSetup,
        "I-05",
        "5.2",
        "A wrong initial position, seen during the game, is an irregularity of 5.4.",
    ),
    law(Rule::Disobeys, "I-09", "5.6, 7.2.4", "Who refuses to submit to the rules has lost."),
    law(
        Rule::OddsPiece,
        "O-04",
        "11.1.7",
        "The stronger player begins with one or more pieces less.",
    )
    .read_as("Which pieces the players say."),
    law(Rule::Points, "P-01", "7.1", "Won and lost, or equal.").read_as("Counted 1, 1/2, 0."),
];
