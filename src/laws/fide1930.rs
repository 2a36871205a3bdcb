//! FIDE Laws of Chess: adopted at The Hague in 1928, approved at Venice in 1929, printed in 1930.

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
    law(Rule::Resignation, "P-01", "Art. 21, annex 7", "Who resigns has lost.")
        .read_as("The text takes resigning for granted."),
    law(Rule::Stalemate, "C-08", "Art. 16 a", "No legal move and no check: drawn."),
    law(Rule::Agreement, "N-07", "Art. 16 d", "A draw by agreement after Black's thirtieth move."),
    law(Rule::Offer, "N-07", "Art. 16 d", "A draw can be offered once it can be agreed.")
        .read_as("How long an offer stands is not said; it stands until it is answered or a piece is touched."),
    law(Rule::Repetition, "N-01", "Art. 16 c",
        "The same position three times with the same player to move, claimed at that moment.")
        .read_as("Rights to castle or to take en passant are not named, so they do not count; either player can claim."),
    law(Rule::Fifty, "N-03", "Art. 16 e", "Fifty moves of each player without mate, capture or pawn move, claimed."),
    law(Rule::MoreThanFifty, "N-04", "Art. 16", "Where theory has proved that more than fifty moves are needed, \
        twice that number."),
    law(Rule::MateDemand, "N-05", "Art. 16 f", "A player can demand to be mated in fifty moves; captures and pawn \
        moves start the count anew.")
        .read_as("Counted are the moves of the player who is to mate; at the end of them the draw is claimed (Art. 16.2)."),
    law(Rule::Perpetual, "N-06", "Art. 16 b", "A player who shows that he can give check for ever has a draw."),
    law(Rule::TimeControl, "K-01", "Art. 20.1", "30 moves in two hours, then 15 in each hour, unless the event says otherwise."),
    law(Rule::Pressing, "K-07", "Art. 20.1 d", "No player stops his clock before he has made his move."),
    law(Rule::Flag, "K-03", "Art. 19.5, 20.2", "Who oversteps the time has lost, without any exception."),
    law(Rule::Late, "K-06", "Art. 20.4, 20.5", "The time until arrival is the player's; more than one hour late loses."),
    law(Rule::BothLate, "K-06", "Art. 20.6", "Both more than one hour late: both lose."),
    law(Rule::Adjustment, "K-10", "Art. 20.1 c", "An error of the clocks that was no negligence is put right."),
    law(Rule::ThinkingPenalty, "K-10", "Art. 20.1 e", "Both clocks stand until the director has ruled."),
    law(Rule::TouchOwn, "T-01", "Art. 15 a", "An own piece touched must be played."),
    law(Rule::TouchEnemy, "T-01", "Art. 15 b", "An enemy piece touched must be taken."),
    law(Rule::TouchBoth, "T-01", "Art. 15 c", "One of each: the own piece takes the other, else the opponent \
        chooses: that the one is played, or that the other is taken."),
    law(Rule::TouchSeveral, "T-02", "Art. 15 d, e", "Several of one side: the opponent designates one.")
        .read_as("Several of both sides: he chooses among them all."),
    law(Rule::TouchNone, "T-03", "Art. 15", "Nothing legal with them: no penalty."),
    law(Rule::Adjust, "T-04", "Art. 14", "The player to move can adjust his own pieces after saying so, not the opponent's."),
    law(Rule::CastlingTouch, "T-05", "Art. 8, 13 c", "Castling is made with king and rook.")
        .read_as("King and then rook touched is castling begun, where it is legal, not two pieces touched."),
    law(Rule::Completed, "T-06", "Art. 13", "A move is made when the piece is released, what is taken is off the board; in \
        castling when the rook is released; in promotion when the new piece stands."),
    law(Rule::Illegal, "I-01", "Art. 17 a", "Noticed before the reply is touched: taken back, and the piece plays a legal move."),
    law(Rule::IllegalCapture, "I-01", "Art. 17 b", "A capture: the opponent chooses whether that piece is taken \
        legally or the piece that took plays another move."),
    law(Rule::NoConsequence, "I-01", "Art. 17 a, b", "No legal move of that kind: no consequence."),
    law(Rule::CheckIgnored, "I-07", "Art. 9.6", "A check not parried is taken back, and parried with the touched piece if possible."),
    law(Rule::Penalty, "I-02", "Art. 18", "Asked for before a piece is touched, never castling; who asks for an illegal \
        move loses the penalty."),
    law(Rule::NoticedLater, "I-03", "Art. 17 d", "Found later: the game goes on from the position of the irregularity."),
    law(Rule::Lost, "I-03", "Art. 17 d, 12.3", "If that position cannot be restored, the game is annulled."),
    law(Rule::Displaced, "I-03", "Art. 12.2, 14.3", "Number or places of pieces changed: begun again from there; else annulled."),
    law(Rule::WrongSetup, "I-05", "Art. 12.1", "A wrong initial position annuls the game, also afterwards."),
    law(Rule::WrongBoard, "I-05", "Art. 12.1", "A board placed wrongly annuls the game, also afterwards."),
    law(Rule::AnnouncedMate, "I-08", "Art. 10.2", "An announced mate that is not given has no consequence."),
    law(Rule::Upset, "I-09", "Art. 19.1", "Who upsets the board or the pieces on purpose has lost."),
    law(Rule::RefusesToResume, "I-09", "Art. 19.2", "Who refuses to resume has lost."),
    law(Rule::Disobeys, "I-09", "Art. 19.3, 19.4", "Who refuses a regular request, or to obey, has lost."),
    law(Rule::WhoSeals, "S-01", "Art. 21.1, 21.2", "The player to move seals, with or without a clock; sealed when the envelope is closed."),
    law(Rule::Sealed, "S-02", "Art. 21.2-21.4", "On the envelope: position and times; the director keeps it, without offer or remark (annex 7)."),
    law(Rule::Resumed, "S-03", "Art. 21.5", "The opponent sets up position and clocks, opens, plays the move, starts the clock."),
    law(Rule::ResponderAbsent, "S-03", "Art. 21.6", "The envelope stays closed and his clock runs."),
    law(Rule::NothingSealed, "S-04", "Art. 21.2, 17 c", "The player must write a move.")
        .read_as("A sheet without a move cannot be repaired with certainty, so it loses as an illegal one does."),
    law(Rule::SealedUnreadable, "S-04", "Art. 17 c", "What cannot be repaired with absolute certainty loses."),
    law(Rule::SealedAmbiguous, "S-04", "Art. 17 c", "What cannot be repaired with absolute certainty loses.")
        .read_as("The text names irregular moves; one that can be two moves is as uncertain."),
    law(Rule::SealedIllegal, "S-04", "Art. 17 c", "An irregular move loses, unless the director can repair it with absolute certainty."),
    law(Rule::SealedRepaired, "S-04", "Art. 17 c", "The director repairs a sealed move with absolute certainty."),
    law(Rule::EndsAdjourned, "S-05", "Art. 16 d, 21", "A draw agreed or a resignation before the resumption ends the game.")
        .read_as("Not said; nothing forbids it but in the envelope itself (annex 7)."),
    law(Rule::LateResuming, "S-05", "Art. 20.5, 21.6", "His clock runs; more than one hour late loses."),
    law(Rule::EnvelopeLost, "S-05", "Art. 21.7, 21.8", "Position or times that cannot be restored annul the game.")
        .read_as("A lost envelope is such a case."),
    law(Rule::OddsPawn, "O-01", "Art. 22.6", "The pawn given is the f-pawn."),
    law(Rule::OddsPiece, "O-01", "Art. 22.5, 22.7", "The piece given is the queen's; the giver moves first, unless the move is given too."),
    law(Rule::OddsRook, "O-02", "Art. 22.8", "The giver of a rook can castle there as if it stood, while its square is empty."),
    law(Rule::OddsMoves, "O-03", "Art. 22.2-22.4", "Moves given are made at once, not past the middle; they count for the clock."),
    law(Rule::Points, "P-01", "Art. 1, 16, 20.6", "Won, drawn, lost, annulled, or lost by both.")
        .read_as("Counted 1, 1/2, 0."),
    law(Rule::Colours, "P-03", "Art. 11", "White alternates from game to game; annulled games do not count."),
];
