//! The laws and terms shared by the 1928 and 1930 FIDE editions. Each edition adds its own article
//! numbers with [`early`].

use crate::base::game::GameKind;
use crate::laws::edition::{
    Ambiguity, BlitzLimit, Displaced, Irregular, LateResuming, Law, Repair, Sameness, Sealer,
    Sealing, SetupFault, Terms, TouchForfeits, Touching, Unknown, Unsupervised, WhileChoosing,
};
use crate::laws::rule::Rule;
use std::time::Duration;

/// The shared terms. Where the two editions differ, these are the terms of the 1930 edition.
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
    while_choosing: WhileChoosing::BothStopped,
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
    touch_forfeits: TouchForfeits::AnyPiece,
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
        responder_too: false,
    }),
    sealed_can_draw: false,
    ambiguity: Ambiguity::Loses,
    repair: Repair::AnyMove,
    white_begins: false,
    sealer_names_move: false,
};

/// Returns the shared law for `rule`, with the article number of one edition.
pub(super) const fn early(rule: Rule, article: &'static str) -> Law {
    let mut index = 0;
    while EARLY[index].rule as u8 != rule as u8 {
        index += 1;
    }
    // This runs at compile time, so a rule that is not in the table does not compile.
    Law { article, ..EARLY[index] }
}

macro_rules! without_articles {
    ($($rule:ident: $row:literal, $summary:literal $(, read as $interpretation:literal)?;)*) => {
        super::edition::laws! { $($rule: $row, "", $summary $(, read as $interpretation)?;)* }
    };
}

const EARLY: &[Law] = without_articles! {
    Resignation: "P-01", "A player who resigns loses.",
        read as "The text assumes that players can resign.";
    Stalemate: "C-08",
        "The game is drawn if the player to move has no legal move and is not in check.";
    Agreement: "N-07", "Draws by agreement are possible after Black's thirtieth move.";
    Offer: "N-07", "A draw can be offered as soon as it can be agreed.",
        read as "The text does not say how long an offer is valid; it is valid until it is \
         answered or a piece is touched, and therefore cannot be withdrawn.";
    Repetition: "N-01",
        "The game is drawn if the same position occurs three times with the same player to move \
         and a player claims the draw at that moment.",
        read as "The text does not mention castling and en passant rights, so they do not count; \
         either player can claim.";
    Fifty: "N-03",
        "The game is drawn if each player has made fifty moves without mate, capture or pawn move \
         and a player claims the draw.";
    MateDemand: "N-05",
        "A player can demand to be mated in fifty moves; a capture or pawn move restarts the \
         count.",
        read as "Only the moves of the player who must mate are counted; the draw must be claimed \
         before his next move.";
    Perpetual: "N-06", "The game is drawn if a player proves that he can give perpetual check.";
    TimeControl: "K-01",
        "30 moves in two hours, then 15 in each hour, unless the event says otherwise.";
    Pressing: "K-07", "A player must not stop his clock before he has made his move.";
    Stopping: "K-11",
        "Both clocks are stopped if pieces were displaced, or if the score sheets differ and \
         both players have recorded their last move; otherwise players must not stop them.",
        read as "The text of 1928 mentions one clock; neither clock runs.";
    Recording: "W-09", "Each player records the game.";
    Adjustment: "K-10", "A clock error that is not due to negligence is corrected.";
    TouchOwn: "T-01", "A player who touches one of his own pieces must move it.";
    TouchEnemy: "T-01", "A player who touches an enemy piece must capture it.";
    TouchBoth: "T-01",
        "A player who touches a piece of each side must capture the enemy piece with his own; if \
         that is illegal, the opponent chooses which of the two must be moved or captured.",
        read as "The piece with which the player captures the touched piece does not count as a \
         second touched piece; a move that does not capture the touched piece is taken back, and \
         the opponent has no choice.";
    TouchSeveral: "T-02", "If several pieces of one side are touched, the opponent chooses one.",
        read as "If several pieces of both sides are touched, the opponent chooses among all of \
         them. Moving another piece counts as touching it. The opponent cannot choose a piece \
         without a legal move; if only one choice is left, he is not asked.";
    TouchNone: "T-03", "If the touched pieces have no legal move, there is no penalty.";
    CastlingTouch: "T-05", "Castling is made with king and rook.",
        read as "Touching the king and then the rook begins castling if it is legal; it does not \
         count as touching two pieces.";
    Illegal: "I-01",
        "If an illegal move is noticed before the opponent touches a piece, it is taken back and \
         the piece must make a legal move.",
        read as "A player who moved an enemy piece has touched it and must capture it.";
    IllegalCapture: "I-01",
        "After an illegal capture, the opponent chooses a legal capture of that piece or another \
         move of the capturing piece.";
    NoConsequence: "I-01",
        "If no move that the rule demands is legal, there is no consequence.";
    CheckIgnored: "I-07",
        "A move that leaves the king in check is taken back, and the touched piece must parry \
         the check if possible.",
        read as "An illegal capture of the checking piece parries the check and is treated as an \
         illegal capture; any other capture that leaves the king in check falls under this rule \
         alone.";
    Penalty: "I-02",
        "A penalty must be claimed before touching a piece and can never require castling; a \
         player who demands an illegal move loses the right to the penalty.";
    NoticedLater: "I-03",
        "If an irregularity is found later, the game continues from the position in which it \
         occurred.";
    Lost: "I-03",
        "If the position of an irregularity cannot be restored, the game is annulled.";
    AnnouncedMate: "I-08", "An announced mate that does not follow has no consequence.";
    RefusesToResume: "I-09", "A player who refuses to resume the game loses.";
    Disobeys: "I-09", "A player who refuses a legitimate request, or refuses to obey, loses.";
    Resumed: "S-03",
        "The opponent sets up the position and the clocks, opens the envelope, plays the move \
         and starts the clock.";
    RestoredWrongly: "S-03",
        "Moves after a wrongly restored position are annulled; play returns to that position, \
         even if the game is over.",
        read as "This rule is separate from the rule on displaced pieces: a wrong restoration is \
         corrected even after the game, displaced pieces only during it.";
    EndsAdjourned: "S-05",
        "A draw by agreement or a resignation before the resumption ends the game.",
        read as "The text does not say this; it only restricts what the envelope may contain.";
    EnvelopeLost: "S-05",
        "If the position or the times cannot be restored, the game is annulled.",
        read as "The rule also covers a lost envelope.";
    OddsPawn: "O-01", "The given pawn is the f-pawn.";
    OddsPiece: "O-01",
        "The given piece is the one on the queen's side; the giver moves first, unless he also \
         gives the move.";
    OddsRook: "O-02",
        "The giver of a rook can castle on that side as if the rook were there, as long as its \
         square is empty.";
    OddsMoves: "O-03",
        "The given moves are made at once and must not cross the middle of the board; they count \
         for the clock.";
    Colours: "P-03", "Players alternate White from game to game; annulled games do not count.";
};
