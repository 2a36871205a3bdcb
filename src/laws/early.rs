//! What the texts of 1928 and 1930 both say. Each cites its own place for it, by [`early`].

use super::edition::{Law, law};
use super::rule::Rule;

/// A law that both texts have, where one of them has it.
pub(super) const fn early(rule: Rule, article: &'static str) -> Law {
    let mut index = 0;
    while EARLY[index].rule as u8 != rule as u8 {
        index += 1;
    }
    // Read when the tables are made: a rule that is not here does not compile.
    Law { article, ..EARLY[index] }
}

/// The laws, without their places.
const EARLY: &[Law] = &[
    law(Rule::Resignation, "P-01", "", "Who resigns has lost.")
        .read_as("The text takes resigning for granted."),
    law(Rule::Stalemate, "C-08", "", "No legal move and no check: drawn."),
    law(Rule::Agreement, "N-07", "", "A draw by agreement after Black's thirtieth move."),
    law(Rule::Offer, "N-07", "", "A draw can be offered once it can be agreed.").read_as(
        "How long an offer stands is not said; it stands until it is answered or a piece is \
         touched.",
    ),
    law(
        Rule::Repetition,
        "N-01",
        "",
        "The same position three times with the same player to move, claimed at that moment.",
    )
    .read_as(
        "Rights to castle or to take en passant are not named, so they do not count; either \
         player can claim.",
    ),
    law(
        Rule::Fifty,
        "N-03",
        "",
        "Fifty moves of each player without mate, capture or pawn move, claimed.",
    ),
    law(
        Rule::MateDemand,
        "N-05",
        "",
        "A player can demand to be mated in fifty moves; captures and pawn moves start the count \
         anew.",
    )
    .read_as(
        "Counted are the moves of the player who is to mate; at the end of them the draw is \
         claimed.",
    ),
    law(
        Rule::Perpetual,
        "N-06",
        "",
        "A player who shows that he can give check for ever has a draw.",
    ),
    law(
        Rule::TimeControl,
        "K-01",
        "",
        "30 moves in two hours, then 15 in each hour, unless the event says otherwise.",
    ),
    law(Rule::Pressing, "K-07", "", "No player stops his clock before he has made his move."),
    law(
        Rule::Adjustment,
        "K-10",
        "",
        "An error of the clocks that was no negligence is put right.",
    ),
    law(Rule::TouchOwn, "T-01", "", "An own piece touched must be played."),
    law(Rule::TouchEnemy, "T-01", "", "An enemy piece touched must be taken."),
    law(
        Rule::TouchBoth,
        "T-01",
        "",
        "One of each: the own piece takes the other, else the opponent chooses: that the one is \
         played, or that the other is taken.",
    ),
    law(Rule::TouchSeveral, "T-02", "", "Several of one side: the opponent designates one.")
        .read_as("Several of both sides: he chooses among them all."),
    law(Rule::TouchNone, "T-03", "", "Nothing legal with them: no penalty."),
    law(Rule::CastlingTouch, "T-05", "", "Castling is made with king and rook.").read_as(
        "King and then rook touched is castling begun, where it is legal, not two pieces \
         touched.",
    ),
    law(
        Rule::Illegal,
        "I-01",
        "",
        "Noticed before the reply is touched: taken back, and the piece plays a legal move.",
    ),
    law(
        Rule::IllegalCapture,
        "I-01",
        "",
        "A capture: the opponent chooses whether that piece is taken legally or the piece that \
         took plays another move.",
    ),
    law(Rule::NoConsequence, "I-01", "", "No legal move of that kind: no consequence."),
    law(
        Rule::CheckIgnored,
        "I-07",
        "",
        "A check not parried is taken back, and parried with the touched piece if possible.",
    ),
    law(
        Rule::Penalty,
        "I-02",
        "",
        "Asked for before a piece is touched, never castling; who asks for an illegal move loses \
         the penalty.",
    ),
    law(
        Rule::NoticedLater,
        "I-03",
        "",
        "Found later: the game goes on from the position of the irregularity.",
    ),
    law(Rule::Lost, "I-03", "", "If that position cannot be restored, the game is annulled."),
    law(Rule::AnnouncedMate, "I-08", "", "An announced mate that is not given has no consequence."),
    law(Rule::RefusesToResume, "I-09", "", "Who refuses to resume has lost."),
    law(Rule::Disobeys, "I-09", "", "Who refuses a regular request, or to obey, has lost."),
    law(
        Rule::Resumed,
        "S-03",
        "",
        "The opponent sets up position and clocks, opens, plays the move, starts the clock.",
    ),
    law(
        Rule::EndsAdjourned,
        "S-05",
        "",
        "A draw agreed or a resignation before the resumption ends the game.",
    )
    .read_as("Not said; nothing forbids it but in the envelope itself."),
    law(
        Rule::EnvelopeLost,
        "S-05",
        "",
        "Position or times that cannot be restored annul the game.",
    )
    .read_as("A lost envelope is such a case."),
    law(Rule::OddsPawn, "O-01", "", "The pawn given is the f-pawn."),
    law(
        Rule::OddsPiece,
        "O-01",
        "",
        "The piece given is the queen's; the giver moves first, unless the move is given too.",
    ),
    law(
        Rule::OddsRook,
        "O-02",
        "",
        "The giver of a rook can castle there as if it stood, while its square is empty.",
    ),
    law(
        Rule::OddsMoves,
        "O-03",
        "",
        "Moves given are made at once, not past the middle; they count for the clock.",
    ),
    law(
        Rule::Colours,
        "P-03",
        "",
        "White alternates from game to game; annulled games do not count.",
    ),
];
