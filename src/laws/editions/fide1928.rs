//! FIDE Laws of Chess: the draft of June 1928.

use super::early;
use crate::laws::edition::{
    Ambiguity, Law, Repair, Sealer, SetupFault, Terms, TouchForfeits, WhileChoosing, laws,
};

pub(super) static TERMS: Terms = Terms {
    director_draws: true,
    adjusts_enemy: true,
    while_choosing: WhileChoosing::ChooserRuns,
    wrong_kings: SetupFault::AnnulledOnRequestBefore(4),
    wrong_board: SetupFault::BeginsAgainBefore(4),
    touch_forfeits: TouchForfeits::OwnPiece,
    lateness: None,
    sealer: Sealer::BlackWithoutClock,
    waits_for_responder: false,
    late_resuming: None,
    ambiguity: Ambiguity::OpponentChooses,
    repair: Repair::Slip,
    ..early::TERMS
};

pub(super) static LAWS: &[Law] = laws! {
    Checkmate: "C-08", "Par. 1", "The aim of the game is to mate.";
    Resignation: early, "Par. 27.3";
    Stalemate: early, "Par. 15 A";
    Agreement: early, "Par. 15 D";
    Offer: early, "Par. 15 D";
    Repetition: early, "Par. 15 C";
    Fifty: early, "Par. 15 E";
    MateDemand: early, "Par. 15 F";
    Perpetual: early, "Par. 15 B";
    TimeControl: early, "Par. 20 a";
    Pressing: early, "Par. 20 d";
    Stopping: early, "Par. 13, 23"
        [Pieces "Par. 13", Sheets "Par. 23", Arbiter "Par. 24", Barred "Par. 20 d"];
    Flag: "K-03", "Par. 18", "A player who oversteps the time loses, whether present or absent.";
    Adjustment: early, "Par. 20 c";
    ThinkingPenalty: "K-10", "Par. 20 b",
        "While the opponent considers a penalty, his own clock runs.";
    TouchOwn: early, "Par. 14 a";
    TouchEnemy: early, "Par. 14 b";
    TouchBoth: early, "Par. 14 c";
    TouchSeveral: early, "Par. 14 d, e" [Own "Par. 14 d", Enemy "Par. 14 e"];
    TouchNone: early, "Par. 14";
    Adjust: "T-04", "Par. 13",
        "The player to move can adjust pieces of either side after announcing it.";
    CastlingTouch: early, "Par. 8, 12 c";
    Completed: "T-06", "Par. 12"
        [Capture "Par. 12 b", Castling "Par. 12 c", Promotion "Par. 12 d"],
        "A move is made when the piece is released and the captured piece is off the board; \
         castling when the rook is released; promotion when the new piece is named or placed.";
    Illegal: early, "Par. 16 a";
    IllegalCapture: early, "Par. 16 c";
    NoConsequence: early, "Par. 16 a, c" [Quiet "Par. 16 a", Capture "Par. 16 c"];
    CheckIgnored: early, "Par. 9";
    Penalty: early, "Par. 17";
    NoticedLater: early, "Par. 16 e";
    Lost: early, "Par. 16 e";
    Displaced: "I-03", "Par. 13",
        "If pieces are displaced, the clock is stopped and the position is restored; if it was \
         restored wrongly, play returns to the correct position.";
    WrongSetup: "I-05", "Par. 11",
        "A wrong initial position, or a forgotten piece, annuls the game, even after its end.";
    KingsExchanged: "I-05", "Par. 11",
        "If the kings are on the queens' squares, the position is corrected and the game is valid; \
         before Black's fourth move a player can have it annulled instead.",
        read as "The position is always corrected; the text leaves this to the players only if \
         the kings are on the e-file.";
    WrongBoard: "I-05", "Par. 11",
        "If the board is placed wrongly, the game starts again before Black's fourth move and \
         continues after it.";
    AnnouncedMate: early, "Par. 10";
    Upset: "I-09", "Par. 18 a", "A player who upsets the board or the pieces on purpose loses.",
        read as "The committee is taken to have decided so.";
    RefusesToResume: early, "Par. 18 b";
    Disobeys: early, "Par. 18 c, d";
    Recording: early, "Par. 23";
    WhoSeals: "S-01", "Par. 21",
        "Without a clock Black seals, otherwise the player to move; the move is sealed when the \
         envelope is closed.",
        read as "Without a clock, White first makes his move if it is his turn.";
    Sealed: "S-02", "Par. 21, 27.3" [Barred "Par. 27.3"],
        "The envelope shows the position and the times, contains no offer or resignation, and is \
         kept out of the players' reach.";
    Resumed: early, "Par. 21";
    ResponderAbsent: "S-03", "Par. 21",
        "If a player is absent, the game is resumed in front of the committee.";
    SealerAbsent: "S-03", "Par. 21",
        "If a player is absent, the game is resumed in front of the committee.";
    RestoredWrongly: early, "Par. 13, 21";
    NothingSealed: "S-04", "Par. 16 f, 21", "If the envelope contains no move, the player loses.";
    SealedUnreadable: "S-04", "Par. 16 f", "An unreadable move loses.";
    SealedAmbiguous: "S-04", "Par. 16 g, 21",
        "If a move has several meanings, the opponent chooses one.";
    SealedIllegal: "S-04", "Par. 16 b, d" [Quiet "Par. 16 b", Capture "Par. 16 d"],
        "The opponent chooses a legal move of that piece, a legal capture of that piece, or a \
         king move; if none is possible, he names the piece.";
    SealedRepaired: "S-04", "Par. 21", "The committee can correct an obvious slip of the pen.";
    EndsAdjourned: early, "Par. 15 D, 27.3";
    EnvelopeLost: early, "Par. 21";
    OddsPawn: early, "Par. 22";
    OddsPiece: early, "Par. 22";
    OddsRook: early, "Par. 22";
    OddsMoves: early, "Par. 22";
    Points: "P-01", "Par. 1, 15", "A game is won, drawn, lost or annulled.",
        read as "Counted as 1, 1/2, 0.";
    Colours: early, "Par. 11";
};
