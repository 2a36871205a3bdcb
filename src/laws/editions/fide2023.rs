//! FIDE Laws of Chess in force from 1 January 2023, with appendices A and B and guidelines I to
//! III. The guidelines are not part of the laws and apply only if the tournament adopts them.

use super::fide2009;
use crate::laws::edition::{BlitzLimit, LateResuming, Law, Terms, Unsupervised, laws};
use crate::laws::rule::Rule;
use std::time::Duration;

/// The terms of this edition. The terms that are not listed are those of the 2009 edition.
pub(super) static TERMS: Terms = Terms {
    drawn_unclaimed: 75,
    resignation_can_draw: true,
    agreement_after: 1,
    wrong_claim: Duration::from_secs(2 * 60),
    increment_asked: Duration::from_secs(5),
    quick_play_announced: true,
    illegal_moves: 1,
    rapid_penalty: Duration::from_secs(60),
    blitz: BlitzLimit::UpTo(Duration::from_secs(10 * 60)),
    unsupervised: Unsupervised {
        setup_stands_after: 10,
        arbiter_acts: true,
        touch_on_request: false,
        blitz_illegal_loses: false,
    },
    normal_scores: true,
    device_can_draw: false,
    colours_restart_before: Some(10),
    late_resuming: Some(LateResuming {
        granted: None,
        both: Rule::LateResuming,
        sealed_move_first: true,
        responder_too: true,
    }),
    ..fide2009::TERMS
};

pub(super) static LAWS: &[Law] = laws! {
    Checkmate: "C-08", "5.1.1",
        "Mate ends the game and wins, if the move was made according to articles 3 and 4.2 to \
         4.7.",
        read as "Article 4.1 is not in this list: a mate given with two hands is a mate.";
    Resignation: "P-01", "5.1.2",
        "A player who resigns loses, or draws if the opponent cannot mate by any sequence of \
         legal moves.",
        read as "If both resign at once, both lose.";
    Stalemate: "C-08", "5.2.1",
        "The game is drawn at once if the player to move has no legal move and is not in check.";
    DeadPosition: "N-09", "5.2.2",
        "The game is drawn at once if neither player can mate by any sequence of legal moves \
         (also 1.5).",
        read as "A fast test after each move looks for a dead position. It never reports one \
         wrongly; if it is undecided, the game continues. As seventy-five moves end the game, a \
         position in which neither side can mate before that is dead too.";
    Agreement: "N-08", "5.2.3, 9.1.1" [Consent "5.2.3, 9.1.1", NotMoved "5.2.3"],
        "The players can agree to a draw once both have moved, unless the regulations forbid it \
         before a certain move or without the arbiter's consent.";
    Offer: "N-08", "9.1.2.1" [Barred "9.1.2.1"],
        "An offer is valid until it is accepted, or refused by word or by touching a piece; it \
         cannot be withdrawn.",
        read as "An offer stays valid when an earlier position is restored. Both players can have \
         an open offer; neither offer accepts the other.";
    Repetition: "N-02", "9.2.2",
        "The player to move can claim a draw if the position has occurred for the third time \
         with the same possible moves.",
        read as "A claim by a player who does not have the move is not admissible: it is rejected \
         without a penalty, and it is not an offer. The same holds for article 9.3.";
    RepetitionByMove: "N-02", "9.2.1",
        "The player to move can write down a move and claim a draw by the position that the move \
         will bring about.",
        read as "A castling right counts until the king or the rook has moved; an en passant \
         right counts only if the capture is legal (9.2.3.1, 9.2.3.2).";
    Fifty: "N-03", "9.3.2",
        "The player to move can claim a draw after fifty moves of each player without capture or \
         pawn move.";
    FiftyByMove: "N-03", "9.3.1",
        "The player to move can write down a move and claim a draw because the move completes the \
         fifty moves.";
    Fivefold: "N-02", "9.6.1", "Drawn at once if a position has occurred five times.";
    SeventyFive: "N-03", "9.6.2",
        "Drawn at once after seventy-five moves of each player without capture or pawn move, \
         unless the last one mates.";
    ClaimLost: "N-10", "9.4",
        "A player who has touched a piece loses the right to claim at this move.";
    ClaimWrong: "N-10", "9.5.3",
        "An incorrect claim gives the opponent two minutes; an intended move must be played.";
    ClaimStands: "N-10", "9.5.1", "A claim cannot be withdrawn.";
    ClaimOffers: "N-10", "9.1.2.3", "A claim is also a draw offer.";
    QuickPlay: "N-11", "III.5",
        "If the event has announced this rule, the player to move can claim, with less than two \
         minutes in the last period, that the opponent does not try to win, or cannot win, by \
         normal means; the arbiter declares the game drawn (III.5.1).",
        read as "A player who claims by III.5 thereby states that III.4 does not apply.";
    QuickPlayDeferred: "N-11", "III.5.2" [Both "III.5.2"],
        "The arbiter postpones the decision: the opponent gets two minutes, and the arbiter \
         decides later, even after a flag has fallen.",
        read as "The text permits the two minutes but does not require them; they are always \
         given.";
    QuickPlayRejected: "N-11", "III.5.3",
        "The arbiter rejects the claim: the opponent gets two minutes.";
    IncrementAsked: "N-11", "III.4",
        "With less than two minutes, the player to move can request an increment of five seconds \
         for both players, which is a draw offer. If it is refused and the arbiter agrees, the \
         opponent gets two more minutes.";
    NoArbiter: "N-11", "III.6",
        "Without an arbiter the claim ends the game, and the designated arbiter decides on it \
         later.",
        read as "If the claim is not justified, the claimant loses: the text has no other \
         result.";
    TimeControl: "K-01", "6.3.1",
        "A number of moves, or all moves, in a given time; unused time is kept, except in delay \
         mode (6.3.2).";
    Bonus: "K-02", "6.3.2",
        "Each completed move adds time, or time passes before the clock runs and is not kept.";
    Pressing: "K-07", "6.2.1",
        "A move is completed by pressing the clock, by the player's next move, or by ending the \
         game; the time until then counts for the player (6.2.2).";
    Flag: "K-04", "6.9" [FlagClaimed "6.8", BothDown "6.8, 6.9"],
        "A player who has not completed the moves in the time loses.";
    FlagDrawn: "K-04", "6.9" [FlagClaimed "A.5.3", Arbiter "A.5.5"],
        "The game is drawn if the opponent cannot mate by any sequence of legal moves.",
        read as "If the search is undecided, the opponent counts as able to mate. Seventy-five \
         moves end the game and therefore the sequence.";
    BothFlags: "K-05", "III.3.1.1",
        "If both flags are down before the last period and it is unknown which fell first, the \
         game continues.";
    BothFlagsLast: "K-05", "III.3.1.2",
        "If both flags are down in the last period and it is unknown which fell first, the game \
         is drawn.";
    Late: "K-06", "6.7.1" [Consent "6.7.1", TimeTaken "6.6"],
        "A player who arrives after the default time loses; the default time is zero unless the \
         event sets one.";
    BothLate: "K-06", "6.7.2" [Consent "6.7.1", Loss "6.7.1"],
        "If both players are absent and the event allows a delay, White loses the time until he \
         arrives.";
    Rapid: "K-09", "A.1, A.5",
        "Rapid play has more than 10 and less than 60 minutes for each player, counting the time \
         plus 60 increments. Special rules apply without supervision.";
    Blitz: "K-09", "B.1, B.3",
        "Blitz has up to 10 minutes for each player, counting the time plus 60 increments. Without \
         supervision A.2, A.3 and A.5 apply.";
    RapidPenalty: "K-09", "A.3" [FastPlay "B.3, A.3"],
        "The penalty is one minute instead of the two minutes of articles 7 and 9; in blitz this \
         applies only without supervision (B.3).";
    FastSetup: "K-09", "A.5.1.2" [Castling "A.5.1.2", Clocks "A.5.1.1"],
        "Without supervision, a wrong set-up stands after ten moves of each player, and a player \
         who began with the king misplaced cannot castle.";
    FastIllegal: "K-09", "A.5.2" [Agreed "A.5.2"],
        "Without supervision, the opponent claims an illegal move, or the arbiter sees it, \
         before the opponent's next move; otherwise it stands.",
        read as "The next move is made when it is on the board; touching a piece is not enough.";
    ImpossiblePosition: "K-09", "A.5.4",
        "Without supervision, an arbiter who sees both kings in check, or a pawn on its last \
         rank, waits for the next move; if the position after it is also impossible, the game is \
         drawn.",
        read as "This applies if the arbiter sees only the position; if he saw the move itself, \
         A.5.2 applies.";
    FastFlag: "K-09", "A.5.3",
        "Without supervision, a player claims a fallen flag, or the arbiter who sees it calls it \
         (A.5.5).";
    Stopping: "K-11", "6.11.1, 6.11.2"
        [Help "6.11.2", Pieces "7.4.2", Claim "9.5.1", Arbiter "6.11.1", Resumed "6.11.3",
         Barred "6.11.4"],
        "The arbiter pauses the clock; a player does so only to ask for his help or to claim. \
         The arbiter restarts the game, and penalises a player who had no valid reason (12.9).";
    Recording: "W-09", "8.1.1" [Barred "8.1.2", Later "8.1.3"],
        "Each player records the moves of both, and no move before it is made.";
    RecordingFree: "W-09", "8.4, A.2" [FastPlay "A.2", ShortOfTime "8.4"],
        "Recording is not required in rapid play, nor with less than five minutes in a period if \
         moves add less than thirty seconds.";
    SheetShown: "W-09", "A.4.3, B.2.3" [Barred "11.5"],
        "In supervised rapid play and blitz, the player to move can ask five times for the score \
         sheet; any other request disturbs the opponent.";
    RecordingDue: "W-09", "8.5.1" [Own "8.5.2", Position "8.5.3", Impossible "8.6"],
        "When a flag falls, a player who did not have to record completes his score sheet before \
         his next move (also 8.4); if neither player had to record, the arbiter pauses the clock \
         until both sheets are complete. If no sheet is complete, the game is reconstructed on \
         another board. If that fails too, the next move is the first of the next period, unless \
         there is evidence of more moves.",
        read as "The moves reported to the referee count as evidence.";
    LeavesRoom: "P-02", "11.2.3.1",
        "A player must not leave the playing venue without permission; the arbiter can penalise \
         it.";
    BlindTouch: "I-11", "D.2.2",
        "On a blind player's board a piece is touched when it leaves its hole.";
    BlindMove: "I-11", "D.2.3" [Barred "D.2.4"],
        "On a blind player's board a move is made when the captured piece is off the board, the \
         piece is in its new hole, and the move is announced (D.2.3.1 to D.2.3.3); only then is \
         the opponent's clock started.";
    TwoBoards: "I-11", "D.2.9",
        "If two boards differ, they are corrected by the score sheets if these agree; otherwise \
         play returns to the point where they agree.";
    Announcing: "I-11", "D.2.8" [AtOnce "D.2.8", Later "D.2.9"],
        "A slip of the tongue can be corrected until the clock is pressed; after that, the rule \
         on two differing boards applies.";
    Adjustment: "K-10", "6.10.1, 6.10.2, 12.5" [Clocks "6.10.2"],
        "The arbiter corrects the clocks by his best judgement, and gives time after a \
         disturbance.";
    TouchOwn: "T-01", "4.3.1",
        "The first of the player's own touched pieces that can move must move.";
    TouchEnemy: "T-01", "4.3.2",
        "The first touched enemy piece that can be captured must be captured.";
    TouchBoth: "T-01", "4.3.3",
        "A player who touches pieces of both sides must capture the first enemy piece touched with \
         his own first piece touched; if that is illegal, he must move or capture the first \
         touched piece that can be moved or captured.";
    TouchSeveral: "T-02", "4.3",
        "The player must move or capture the first touched piece that can be moved or captured.";
    TouchNone: "T-03", "4.5",
        "If no touched piece can move or be captured, the player can make any legal move.";
    Accident: "T-01", "4.2.2",
        "Clearly accidental contact with a piece does not count as touching; any other contact \
         does.";
    Adjust: "T-04", "4.2.1" [Barred "6.2.5"],
        "The player to move can adjust pieces after announcing it.";
    CastlingTouch: "T-05", "4.4.1",
        "A player who touches king and rook must castle on that side if it is legal.";
    RookFirst: "T-05", "4.4.2",
        "A player who touches a rook before the king cannot castle with it, and 4.3.1 applies.";
    CastlingBarred: "T-05", "4.4.3",
        "If castling with the touched king and rook is illegal, the player must make another king \
         move, or any legal move if there is none (also 4.7.2).";
    Completed: "T-06", "4.7",
        "A move is made when its pieces are released, any captured piece is off the board, and any \
         promoted pawn is replaced (4.7.1 to 4.7.3).";
    Released: "T-06", "4.7",
        "A piece released on a square cannot move to another square in this move.";
    Illegal: "I-01", "7.5.1",
        "The position before the move is restored, and the rules on touched and released pieces \
         apply (4.3, 4.7).",
        read as "A king left in check cannot be captured (1.4.1), so no obligation includes its \
         capture. If an illegal move replies to another, the game goes back to the position \
         before the first.";
    NoConsequence: "I-01", "4.5",
        "If the touched pieces have no legal move, the player can make any legal move.";
    IllegalTime: "I-04", "7.5.5",
        "The first completed illegal move gives the opponent two minutes.",
        read as "Without a clock the move is only counted.";
    IllegalLoses: "I-04", "7.5.5",
        "The second completed illegal move loses; the game is drawn if the opponent cannot mate.";
    NotPromoted: "I-12", "7.5.2",
        "Leaving a pawn on the last rank and pressing the clock is an illegal move, and the pawn \
         becomes a queen.";
    NotMoved: "I-12", "7.5.3",
        "Pressing the clock without a move is punished like an illegal move.",
        read as "The player's clock is restarted, and the pieces that he had touched must be moved \
         or captured.";
    TwoHands: "I-12", "7.5.4" [IllegalMove "7.5.4"],
        "A move made with two hands is punished like an illegal move once the clock is pressed.",
        read as "The move is also taken back like an illegal move; as its pieces were released \
         (4.7), it must be made again.";
    CheckIgnored: "I-07", "3.9.2, 7.5.1", "A move that leaves the king in check is illegal.";
    OutOfTurn: "T-01", "4.3, 11.5" [Pieces "4.2.1", Moved "1.2"],
        "Only the player to move can touch, adjust and move pieces. A touch out of turn creates \
         no obligation but disturbs the opponent; a move out of turn is taken back.";
    Penalty: "I-02", "4.8",
        "A player who touches a piece can no longer claim a breach of article 4.";
    NoticedLater: "I-03", "7.5.1",
        "If an illegal move is found later, the position before it is restored, and the clocks are \
         set by best judgement (7.1).",
        read as "The clocks are set to the times of that position; the arbiter can adjust them.";
    Lost: "I-03", "7.5.1, 7.6" [IllegalMove "7.5.1", Position "7.6"],
        "If the position before an irregularity is unknown, the last identifiable position before \
         it is restored.";
    Displaced: "I-03", "7.6", "If pieces are displaced, the previous position is restored.";
    WrongSetup: "I-05", "7.2.1",
        "A wrong initial position cancels the game; a new game is played.";
    WrongBoard: "I-05", "7.2.2",
        "If the board is placed the wrong way round, the position is transferred to a correctly \
         placed board and the game continues.";
    KingsExchanged: "I-05", "A.5.1.2",
        "If king and queen are exchanged in unsupervised rapid play, the game continues after ten \
         moves of each player, and that king cannot castle.";
    ColoursReversed: "I-06", "7.3",
        "If the colours are reversed, a new game is played; once both players have made ten moves, \
         the game continues instead.",
        read as "Both players have made ten moves when Black has made his tenth.";
    Disobeys: "I-09", "11.7" [Arbiter "11.7"],
        "A player who persistently refuses to comply with the laws loses; the arbiter decides \
         the opponent's score.",
        read as "The opponent scores a win, unless the arbiter decides otherwise.";
    BothDisobey: "I-09", "11.8",
        "If both players persistently refuse to comply with the laws, both lose.";
    Search: "P-02", "11.3.3",
        "A player who refuses to be searched is penalised by the arbiter (12.9).";
    Device: "I-09", "11.3.2.2",
        "A player with a forbidden electronic device loses, whatever the position.",
        read as "A ringing telephone is such a device.";
    WhoSeals: "S-01", "I.1.1",
        "The player to move seals, and can change the move until he stops the clock.";
    Sealed: "S-02", "I.2, I.3",
        "The envelope shows the names, position, times, sealer, move number, any offer and the \
         time of the resumption.";
    Resumed: "S-03", "I.5, I.9.1" [Later "I.10"],
        "Position and clocks are set, the sealed move is played, and the opponent's clock runs.";
    ResponderAbsent: "S-03", "I.7, I.9.2" [Both "I.11"],
        "The absent player's clock runs, and the envelope stays closed until he comes. This also \
         applies if both are absent and the event allows a delay (I.11).";
    SealerAbsent: "S-03", "I.9.3",
        "The opponent can seal his reply and start the absent player's clock.";
    NothingSealed: "S-04", "I.8.2", "If no move can be established, the player loses.",
        read as "An empty sheet is the extreme case of a move whose meaning cannot be \
         established.";
    SealedUnreadable: "S-04", "I.8.2", "A move whose meaning cannot be established loses.",
        read as "Except in the cases of 5.2.2, 6.9 and 9.6: the game is drawn if the opponent \
         cannot mate.";
    SealedAmbiguous: "S-04", "I.8.1",
        "An ambiguous move loses, except in the cases of 5.2.2, 6.9 and 9.6.";
    SealedIllegal: "S-04", "I.8.3",
        "An illegal move loses, except in the cases of 5.2.2, 6.9 and 9.6.";
    EndsAdjourned: "S-05", "I.6",
        "A draw by agreement or a resignation before the resumption ends the game.";
    LateResuming: "S-05", "I.10" [Consent "I.10"],
        "A player who comes after the default time loses, unless the sealed move ended the game.",
        read as "If both are late, the rule applies to each: both lose, unless the sealed move \
         decides the game.";
    EnvelopeLost: "S-05", "I.12.1, I.12.2",
        "If the envelope is lost, the sealer plays the move that he says he sealed; if the \
         position is lost too, the game is annulled.";
    ResumedClocks: "S-05", "I.13",
        "Wrongly set clocks are corrected if a player says so before his first move; otherwise \
         the game continues, unless the arbiter decides otherwise.";
    Points: "P-01", "10.1",
        "A game scores 1, 1/2 or 0, unless the event decides otherwise; no other score is \
         possible, and both scores together are at most one game (10.2).";
    Sanction: "P-02", "12.9"
        [Warning "12.9.1", TimeGiven "12.9.2", TimeTaken "12.9.3", MorePoints "12.9.4",
         FewerPoints "12.9.5", Loss "12.9.6", Expulsion "12.9.9"],
        "The arbiter can give a warning, add or deduct time, change the points, declare the game \
         lost, or expel the player.";
    Fine: "P-02", "12.9.7", "The arbiter can impose a fine that was announced in advance.";
    Exclusion: "P-02", "12.9.8",
        "The arbiter can exclude the player from one or more rounds.";
};
