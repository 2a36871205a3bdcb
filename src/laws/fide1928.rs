//! FIDE Laws of Chess: the draft of June 1928.

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
    law(Rule::Resignation, "P-01", "Par. 27.3", "Who resigns has lost.")
        .read_as("The text takes resigning for granted."),
    law(Rule::Stalemate, "C-08", "Par. 15 A", "No legal move and no check: drawn."),
    law(Rule::Agreement, "N-07", "Par. 15 D", "A draw by agreement after Black's thirtieth move."),
    law(Rule::Offer, "N-07", "Par. 15 D", "A draw can be offered once it can be agreed.")
        .read_as("How long an offer stands is not said; it stands until it is answered or a piece is touched."),
    law(Rule::Repetition, "N-01", "Par. 15 C",
        "A position that stood at least twice before with the same player to move, claimed at that moment.")
        .read_as("Rights to castle or to take en passant are not named, so they do not count; either player can claim."),
    law(Rule::Fifty, "N-03", "Par. 15 E", "Fifty moves of each player without mate, capture or pawn move, claimed."),
    law(Rule::MateDemand, "N-05", "Par. 15 F", "A player can demand to be mated in fifty moves; captures and pawn \
        moves start the count anew.")
        .read_as("Counted are the moves of the player who is to mate; at the end of them the draw is claimed."),
    law(Rule::Perpetual, "N-06", "Par. 15 B", "A player who proves an endless series of checks has a draw."),
    law(Rule::TimeControl, "K-01", "Par. 20 a", "30 moves in two hours, then 15 in each hour, or as the event says."),
    law(Rule::Pressing, "K-07", "Par. 20 d", "No player stops his clock before he has made his move."),
    law(Rule::Flag, "K-03", "Par. 18", "Who oversteps the time has lost, present or absent."),
    law(Rule::Adjustment, "K-10", "Par. 20 c", "Time recorded wrongly without negligence is put right."),
    law(Rule::ThinkingPenalty, "K-10", "Par. 20 b", "While the opponent thinks about a penalty, his own clock runs."),
    law(Rule::TouchOwn, "T-01", "Par. 14 a", "An own piece touched must be played."),
    law(Rule::TouchEnemy, "T-01", "Par. 14 b", "An enemy piece touched must be taken."),
    law(Rule::TouchBoth, "T-01", "Par. 14 c", "One of each: the own piece takes the other, else the opponent \
        chooses: that the one is played, or that the other is taken."),
    law(Rule::TouchSeveral, "T-02", "Par. 14 d, e", "Several of one side: the opponent chooses one.")
        .read_as("Several of both sides: he chooses among them all."),
    law(Rule::TouchNone, "T-03", "Par. 14", "Nothing legal with them: no penalty."),
    law(Rule::Adjust, "T-04", "Par. 13", "The player to move can adjust pieces of either side after saying so."),
    law(Rule::CastlingTouch, "T-05", "Par. 8, 12 c", "Castling is made with king and rook.")
        .read_as("King and then rook touched is castling begun, where it is legal, not two pieces touched."),
    law(Rule::Completed, "T-06", "Par. 12", "A move is made when the piece is released, what is taken is off the board; in \
        castling when the rook is released; in promotion when the new piece is named or stands."),
    law(Rule::Illegal, "I-01", "Par. 16 a", "Noticed before the reply is touched: taken back, and the piece plays a legal move."),
    law(Rule::IllegalCapture, "I-01", "Par. 16 c", "A capture: the opponent chooses whether that piece is taken \
        legally or the piece that took plays a legal move."),
    law(Rule::NoConsequence, "I-01", "Par. 16 a, c", "No legal move of that kind: no consequence."),
    law(Rule::CheckIgnored, "I-07", "Par. 9", "A check not parried is taken back, and parried with the touched piece if possible."),
    law(Rule::Penalty, "I-02", "Par. 17", "Asked for before a piece is touched, never castling; who asks for an illegal \
        move loses the penalty."),
    law(Rule::NoticedLater, "I-03", "Par. 16 e", "Found later: the game begins again from the position of the irregularity."),
    law(Rule::Lost, "I-03", "Par. 16 e", "If that position cannot be restored, the game is annulled."),
    law(Rule::Displaced, "I-03", "Par. 13", "Pieces displaced: the clock stands, the position is restored; if wrongly, play \
        goes back to it."),
    law(Rule::WrongSetup, "I-05", "Par. 11", "A wrong initial position, or a piece left out, annuls the game, also afterwards."),
    law(Rule::KingsExchanged, "I-05", "Par. 11", "Kings on the queens' squares: the game is valid and put right; annulled \
        where a player asks for it before Black's fourth move.")
        .read_as("Set right it is always: the text leaves it to the players only where the kings stand on the e-file."),
    law(Rule::WrongBoard, "I-05", "Par. 11", "A board placed wrongly: before Black's fourth move begun again, later the game goes on."),
    law(Rule::AnnouncedMate, "I-08", "Par. 10", "An announced mate that is not given has no consequence."),
    law(Rule::Upset, "I-09", "Par. 18 a", "Who upsets the board or the pieces on purpose has lost.")
        .read_as("The committee's decision is taken as made."),
    law(Rule::RefusesToResume, "I-09", "Par. 18 b", "Who refuses to play on has lost."),
    law(Rule::Disobeys, "I-09", "Par. 18 c, d", "Who refuses a regular request, or to obey, has lost."),
    law(Rule::WhoSeals, "S-01", "Par. 21", "Black seals where there is no clock, else the player to move; sealed when the envelope is closed.")
        .read_as("Without a clock White first makes a move that he owes."),
    law(Rule::Sealed, "S-02", "Par. 21", "On the envelope: position and times; out of the players' reach."),
    law(Rule::Resumed, "S-03", "Par. 21", "The opponent opens, sets up, plays the move, starts the clock."),
    law(Rule::ResponderAbsent, "S-03", "Par. 21", "If a player is absent, the same is done before the committee."),
    law(Rule::SealerAbsent, "S-03", "Par. 21", "If a player is absent, the same is done before the committee."),
    law(Rule::NothingSealed, "S-04", "Par. 16 f, 21", "No move in the envelope loses."),
    law(Rule::SealedUnreadable, "S-04", "Par. 16 f", "An unreadable move loses."),
    law(Rule::SealedAmbiguous, "S-04", "Par. 16 g, 21", "A move that has several meanings: the opponent chooses one."),
    law(Rule::SealedIllegal, "S-04", "Par. 16 b, d", "The opponent chooses: a legal move of that piece, a legal capture of that \
        piece, or a move of the king; if none is possible, he names the piece."),
    law(Rule::SealedRepaired, "S-04", "Par. 21", "The committee can put an obvious slip of the pen right."),
    law(Rule::EndsAdjourned, "S-05", "Par. 15 D, 27.3", "A draw agreed or a resignation before the resumption ends the game.")
        .read_as("Not said; nothing forbids it but in the envelope itself."),
    law(Rule::EnvelopeLost, "S-05", "Par. 21", "Position or times that cannot be restored annul the game.")
        .read_as("A lost envelope is such a case."),
    law(Rule::OddsPawn, "O-01", "Par. 22", "The pawn given is the f-pawn."),
    law(Rule::OddsPiece, "O-01", "Par. 22", "The piece given is the queen's; the giver moves first, unless the move is given too."),
    law(Rule::OddsRook, "O-02", "Par. 22", "The giver of a rook can castle there as if it stood, unless another piece is on its square."),
    law(Rule::OddsMoves, "O-03", "Par. 22", "Moves given are made at once, not past the middle; they count for the clock."),
    law(Rule::Points, "P-01", "Par. 1, 15", "Won, drawn, lost, or annulled.").read_as("Counted 1, 1/2, 0."),
    law(Rule::Colours, "P-03", "Par. 11", "The first move alternates; annulled games do not count."),
];
