//! FIDE Laws of Chess: adopted at The Hague in 1928, approved at Venice in 1929, printed in 1930.

use super::early;
use crate::laws::edition::{Law, Terms, laws};

pub(super) static TERMS: Terms = early::TERMS;

pub(super) static LAWS: &[Law] = laws! {
    Checkmate: "C-08", "Art. 1, 10.1", "A player who mates wins; mate ends the game.";
    Resignation: early, "Art. 21, annex 7";
    Stalemate: early, "Art. 16 a";
    Agreement: early, "Art. 16 d";
    Offer: early, "Art. 16 d";
    Repetition: early, "Art. 16 c";
    Fifty: early, "Art. 16 e";
    MoreThanFifty: "N-04", "Art. 16",
        "If theory has proved that more than fifty moves are needed, twice that number applies.";
    MateDemand: early, "Art. 16 f" [Later "Art. 16.2"];
    Perpetual: early, "Art. 16 b";
    TimeControl: early, "Art. 20.1";
    Pressing: early, "Art. 20.1 d";
    Stopping: early, "Art. 14.3, 20.1 e, 23.2"
        [Pieces "Art. 14.3", Sheets "Art. 23.2", Claim "Art. 20.1 e", Arbiter "Art. 24.2",
         Resumed "Art. 20.1 e", Barred "Art. 20.1 d"];
    Flag: "K-03", "Art. 19.5, 20.2", "A player who oversteps the time loses, without exception.";
    Late: "K-06", "Art. 20.4, 20.5" [Consent "Art. 20.5"],
        "The time until a player arrives counts against him; a player who is more than one hour \
         late without a valid reason loses.";
    BothLate: "K-06", "Art. 20.6" [Consent "Art. 20.6", TimeTaken "Art. 20.4"],
        "If both are more than one hour late, both lose.",
        read as "This also applies to a resumption.";
    Adjustment: early, "Art. 20.1 c";
    ThinkingPenalty: "K-10", "Art. 20.1 e",
        "Both clocks are stopped until the director has ruled.";
    TouchOwn: early, "Art. 15 a";
    TouchEnemy: early, "Art. 15 b";
    TouchBoth: early, "Art. 15 c";
    TouchSeveral: early, "Art. 15 d, e" [Own "Art. 15 d", Enemy "Art. 15 e"];
    TouchNone: early, "Art. 15";
    Adjust: "T-04", "Art. 14",
        "The player to move can adjust his own pieces after announcing it, but not the \
         opponent's.";
    CastlingTouch: early, "Art. 8, 13 c";
    Completed: "T-06", "Art. 13"
        [Capture "Art. 13 b", Castling "Art. 13 c", Promotion "Art. 13 d"],
        "A move is made when the piece is released and the captured piece is off the board; \
         castling when the rook is released; promotion when the new piece is placed.";
    Illegal: early, "Art. 17 a";
    IllegalCapture: early, "Art. 17 b";
    NoConsequence: early, "Art. 17 a, b" [Quiet "Art. 17 a", Capture "Art. 17 b"];
    CheckIgnored: early, "Art. 9.6";
    Penalty: early, "Art. 18" [Enemy "Art. 17", Touched "Art. 18.1", Impossible "Art. 18.3"];
    NoticedLater: early, "Art. 17 d";
    Lost: early, "Art. 17 d, 12.3" [IllegalMove "Art. 17 d", Position "Art. 12.3"];
    Displaced: "I-03", "Art. 12.2, 14.3" [AtOnce "Art. 14.3", Later "Art. 12.2"],
        "If the number or places of the pieces changed, the game is resumed from the position \
         before the change; if that is impossible, it is annulled.";
    WrongSetup: "I-05", "Art. 12.1",
        "A wrong initial position annuls the game, even after its end.";
    WrongBoard: "I-05", "Art. 12.1",
        "A wrongly placed board annuls the game, even after its end.";
    AnnouncedMate: early, "Art. 10.2";
    Upset: "I-09", "Art. 19.1", "A player who upsets the board or the pieces on purpose loses.";
    RefusesToResume: early, "Art. 19.2";
    Disobeys: early, "Art. 19.3, 19.4";
    Recording: early, "Art. 23.1";
    WhoSeals: "S-01", "Art. 21.1, 21.2" [Who "Art. 21.1", Envelope "Art. 21.2"],
        "The player to move seals, with or without a clock; the move is sealed when the envelope \
         is closed.";
    Sealed: "S-02", "Art. 21.2-21.4, annex 7" [Barred "annex 7"],
        "The envelope shows the position and the times, contains no offer or remark, and is kept \
         by the director.";
    Resumed: early, "Art. 21.5";
    ResponderAbsent: "S-03", "Art. 21.6",
        "The envelope stays closed and the absent player's clock runs.",
        read as "If both are absent, this clock runs as well: the envelope waits only for this \
         player.";
    RestoredWrongly: early, "Art. 14.3, 21.8";
    NothingSealed: "S-04", "Art. 21.2, 17 c", "The player must write a move.",
        read as "A sheet without a move cannot be repaired with certainty, so it loses like an \
         illegal move.";
    SealedUnreadable: "S-04", "Art. 17 c",
        "A move that cannot be repaired with absolute certainty loses.";
    SealedAmbiguous: "S-04", "Art. 17 c",
        "A move that cannot be repaired with absolute certainty loses.",
        read as "The text mentions irregular moves; a move with two meanings is just as \
         uncertain.";
    SealedIllegal: "S-04", "Art. 17 c",
        "An irregular move loses, unless the director can repair it with absolute certainty.";
    SealedRepaired: "S-04", "Art. 17 c",
        "The director repairs a sealed move if he can do so with absolute certainty.";
    EndsAdjourned: early, "Art. 16 d, 21";
    LateResuming: "S-05", "Art. 20.5, 21.6" [Consent "Art. 20.5"],
        "The late player's clock runs; a player who is more than one hour late loses.";
    EnvelopeLost: early, "Art. 21.7";
    OddsPawn: early, "Art. 22.6";
    OddsPiece: early, "Art. 22.5, 22.7";
    OddsRook: early, "Art. 22.8";
    OddsMoves: early, "Art. 22.2-22.4" [Half "Art. 22.4"];
    Points: "P-01", "Art. 1, 16, 20.6",
        "A game is won, drawn, lost, annulled, or lost by both players.",
        read as "Counted as 1, 1/2, 0.";
    Colours: early, "Art. 11";
};
