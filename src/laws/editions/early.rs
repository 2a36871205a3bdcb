//! The laws and terms that the texts of 1928 and 1930 share. Each edition cites its own articles,
//! by [`early`].

use crate::base::game::GameKind;
use crate::laws::edition::{
    Ambiguity, BlitzLimit, Displaced, Irregular, LateResuming, Law, Repair, Sameness, Sealer,
    Sealing, SetupFault, Terms, Touching, Unknown, Unsupervised, WhileChoosing,
};
use crate::laws::rule::Rule;
use std::time::Duration;

/// The shared terms. Where the two editions differ, these are the terms of 1930.
pub(super) const TERMS: Terms = Terms {
    game: GameKind::Chess,
    sameness: Sameness::Placement,
    draws_by_itself: false,
    drawn_unclaimed: u32::MAX,
    resignation_can_draw: false,
    agreement_after: 30,
    wrong_claim: Duration::ZERO,
    quick_play: Duration::ZERO,
    quick_play_time: Duration::ZERO,
    increment_asked: Duration::ZERO,
    quick_play_announced: false,
    director_draws: false,
    flag_can_draw: false,
    touching: Touching::OpponentChooses,
    while_choosing: WhileChoosing::BothStand,
    adjusts_enemy: false,
    irregular: Irregular::PieceMustPlay,
    illegal_moves: u8::MAX,
    illegal_time: Duration::ZERO,
    rapid_penalty: Duration::ZERO,
    blitz: BlitzLimit::Below(Duration::ZERO),
    unsupervised: Unsupervised::UNKNOWN,
    normal_scores: false,
    device_can_draw: false,
    colours_restart_before: None,
    touch_forfeits: true,
    unknown: Unknown::Annuls,
    displaced: Displaced::Afterwards,
    wrong_setup: SetupFault::Annuls { afterwards: true },
    wrong_kings: SetupFault::GoesOn,
    wrong_board: SetupFault::Annuls { afterwards: true },
    lateness: Some(Duration::from_secs(60 * 60)),
    both_late: Rule::BothLate,
    control: "30/7200:15/3600",
    sealer: Sealer::ToMove,
    sealing: Sealing::Envelope,
    waits_for_responder: true,
    late_resuming: Some(LateResuming {
        granted: Some(Duration::from_secs(60 * 60)),
        both: Rule::BothLate,
        sealed_move_first: false,
    }),
    sealed_can_draw: false,
    ambiguity: Ambiguity::Loses,
    repair: Repair::AnyMove,
    white_begins: false,
    sealer_says: false,
};

/// Returns a shared law with the article of one edition.
pub(super) const fn early(rule: Rule, article: &'static str) -> Law {
    let mut index = 0;
    while EARLY[index].rule as u8 != rule as u8 {
        index += 1;
    }
    // Evaluated at compile time: a rule that is not in the table does not compile.
    Law { article, ..EARLY[index] }
}

macro_rules! without_articles {
    ($($rule:ident: $row:literal, $says:literal $(, read as $reading:literal)?;)*) => {
        super::edition::laws! { $($rule: $row, "", $says $(, read as $reading)?;)* }
    };
}

const EARLY: &[Law] = without_articles! {
    Resignation: "P-01", "Who resigns has lost.",
        read as "The text takes resigning for granted.";
    Stalemate: "C-08", "No legal move and no check: drawn.";
    Agreement: "N-07", "A draw by agreement after Black's thirtieth move.";
    Offer: "N-07", "A draw can be offered once it can be agreed.",
        read as "How long an offer stands is not said; it stands until it is answered or a piece \
         is touched, and so cannot be withdrawn.";
    Repetition: "N-01",
        "The same position three times with the same player to move, claimed at that moment.",
        read as "Rights to castle or to take en passant are not named, so they do not count; \
         either player can claim.";
    Fifty: "N-03", "Fifty moves of each player without mate, capture or pawn move, claimed.";
    MateDemand: "N-05",
        "A player can demand to be mated in fifty moves; captures and pawn moves start the count \
         anew.",
        read as "Counted are the moves of the player who is to mate; at the end of them the draw \
         is claimed.";
    Perpetual: "N-06", "A player who shows that he can give check for ever has a draw.";
    TimeControl: "K-01",
        "30 moves in two hours, then 15 in each hour, unless the event says otherwise.";
    Pressing: "K-07", "No player stops his clock before he has made his move.";
    Stopping: "K-11",
        "Both clocks are stopped where pieces were displaced, or the score sheets differ and both \
         players have recorded their last move; else no player stops them.",
        read as "Where the text of 1928 speaks of one clock, neither runs.";
    Recording: "W-09", "Each player records the game.";
    Adjustment: "K-10", "An error of the clocks that was no negligence is put right.";
    TouchOwn: "T-01", "An own piece touched must be played.";
    TouchEnemy: "T-01", "An enemy piece touched must be taken.";
    TouchBoth: "T-01",
        "One of each: the own piece takes the other, else the opponent chooses: that the one is \
         played, or that the other is taken.";
    TouchSeveral: "T-02", "Several of one side: the opponent designates one.",
        read as "Several of both sides: he chooses among them all.";
    TouchNone: "T-03", "Nothing legal with them: no penalty.";
    CastlingTouch: "T-05", "Castling is made with king and rook.",
        read as "King and then rook touched is castling begun, where it is legal, not two pieces \
         touched.";
    Illegal: "I-01",
        "Noticed before the reply is touched: taken back, and the piece plays a legal move.",
        read as "Who moved a piece of the opponent's has touched it, and must take it.";
    IllegalCapture: "I-01",
        "A capture: the opponent chooses whether that piece is taken legally or the piece that \
         took plays another move.";
    NoConsequence: "I-01", "No legal move of that kind: no consequence.";
    CheckIgnored: "I-07",
        "A check not parried is taken back, and parried with the touched piece if possible.";
    Penalty: "I-02",
        "Asked for before a piece is touched, never castling; who asks for an illegal move loses \
         the penalty.";
    NoticedLater: "I-03", "Found later: the game goes on from the position of the irregularity.";
    Lost: "I-03", "If that position cannot be restored, the game is annulled.";
    AnnouncedMate: "I-08", "An announced mate that is not given has no consequence.";
    RefusesToResume: "I-09", "Who refuses to resume has lost.";
    Disobeys: "I-09", "Who refuses a regular request, or to obey, has lost.";
    Resumed: "S-03",
        "The opponent sets up position and clocks, opens, plays the move, starts the clock.";
    RestoredWrongly: "S-03",
        "A position restored wrongly annuls the moves after it; play goes back to it, also where the \
         game is over.",
        read as "A rule of its own, beside that of displaced pieces: what was put back wrongly counts \
         also after the game, what was displaced only during it.";
    EndsAdjourned: "S-05", "A draw agreed or a resignation before the resumption ends the game.",
        read as "Not said; nothing forbids it but in the envelope itself.";
    EnvelopeLost: "S-05", "Position or times that cannot be restored annul the game.",
        read as "A lost envelope is such a case.";
    OddsPawn: "O-01", "The pawn given is the f-pawn.";
    OddsPiece: "O-01",
        "The piece given is the queen's; the giver moves first, unless the move is given too.";
    OddsRook: "O-02",
        "The giver of a rook can castle there as if it stood, while its square is empty.";
    OddsMoves: "O-03",
        "Moves given are made at once, not past the middle; they count for the clock.";
    Colours: "P-03", "White alternates from game to game; annulled games do not count.";
};
