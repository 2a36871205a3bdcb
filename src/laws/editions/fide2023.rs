//! FIDE Laws of Chess in force from 1 January 2023, with the appendices A and B and the guidelines
//! I to III. The guidelines are not part of the laws and apply only if the event adopts them.

use super::fide2009;
use crate::laws::edition::{BlitzLimit, LateResuming, Law, Terms, Unsupervised, laws};
use crate::laws::rule::Rule;
use std::time::Duration;

/// All other terms are those of the edition of 2009.
pub static TERMS: Terms = Terms {
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
    }),
    ..fide2009::TERMS
};

pub static LAWS: &[Law] = laws! {
    Checkmate: "C-08", "5.1.1",
        "Mate ends the game and wins, if the move was made by articles 3 and 4.2 to 4.7.",
        read as "4.1 is not among them: a mate given with two hands is a mate.";
    Resignation: "P-01", "5.1.2",
        "Who resigns loses, or draws where the opponent cannot mate by any sequence of legal moves.";
    Stalemate: "C-08", "5.2.1", "No legal move and no check: drawn at once.";
    DeadPosition: "N-09", "5.2.2",
        "Drawn at once where neither player can mate by any sequence of legal moves (also 1.5).",
        read as "After each move a fast test looks for it, which never errs where it says dead; a \
         position it leaves open goes on. As seventy-five moves end the game, one from which nobody \
         can mate before is dead too.";
    Agreement: "N-08", "5.2.3, 9.1.1" [Consent "5.2.3, 9.1.1"],
        "The players can agree to a draw once both have moved, unless the event bars it before a \
         move, or without the arbiter.";
    Offer: "N-08", "9.1.2.1",
        "An offer stands until it is accepted, refused, or refused by touching a piece; it cannot \
         be withdrawn.";
    Repetition: "N-02", "9.2.2",
        "The player to move can claim a position that stands for the third time with the same \
         possible moves.";
    RepetitionByMove: "N-02", "9.2.1",
        "He can write down a move and claim the position that it will bring about.",
        read as "A castling right counts until king or rook has moved, one to take en passant only \
         where that capture is legal (9.2.3.1, 9.2.3.2).";
    Fifty: "N-03", "9.3.2",
        "The player to move can claim fifty moves of each player without capture or pawn move.";
    FiftyByMove: "N-03", "9.3.1", "He can write down a move and claim that it completes them.";
    Fivefold: "N-02", "9.6.1", "Drawn at once where a position has stood five times.";
    SeventyFive: "N-03", "9.6.2",
        "Drawn at once after seventy-five moves of each player without capture or pawn move, unless \
         the last one mates.";
    ClaimLost: "N-10", "9.4", "Who has touched a piece has lost the claim for this move.";
    ClaimWrong: "N-10", "9.5.3",
        "A wrong claim gives the opponent two minutes; an intended move must be played.";
    ClaimStands: "N-10", "9.5.1", "A claim cannot be withdrawn.";
    ClaimOffers: "N-10", "9.1.2.3", "A claim is also an offer of a draw.";
    QuickPlay: "N-11", "III.5",
        "Where the event has announced it, with less than two minutes in the last period the player \
         to move can claim that the opponent does not try to win, or cannot, by normal means: the \
         arbiter declares it drawn (III.5.1).",
        read as "A player who claims by III.5 says thereby that III.4 does not apply.";
    QuickPlayDeferred: "N-11", "III.5.2",
        "The arbiter puts the decision off: two minutes to the opponent, and a result later, even \
         after a flag.",
        read as "The two minutes, which the text allows, are always given.";
    QuickPlayRejected: "N-11", "III.5.3",
        "The arbiter rejects the claim: two minutes to the opponent.";
    IncrementAsked: "N-11", "III.4",
        "With less than two minutes the player to move can ask for five seconds with each move of \
         both, which is an offer of a draw. If it is refused and the arbiter agrees, the opponent has \
         two minutes more.";
    NoArbiter: "N-11", "III.6",
        "Without an arbiter the claim ends the game, and the designated one decides it later.",
        read as "Where the claim is not right, the claimant has lost: the text gives no other \
         result.";
    TimeControl: "K-01", "6.3.1",
        "Moves in a time, all moves in a time; what is saved is kept, except in delay mode (6.3.2).";
    Bonus: "K-02", "6.3.2",
        "Time added by each completed move, or time that passes before the clock runs and is not \
         kept.";
    Pressing: "K-07", "6.2.1",
        "A move is completed by pressing the clock, by the player's next move, or if it ends the game; \
         the time until then is the mover's (6.2.2).";
    Flag: "K-04", "6.9", "Who has not completed the moves in the time has lost.";
    FlagDrawn: "K-04", "6.9",
        "It is a draw where the opponent cannot mate by any sequence of legal moves.",
        read as "An undecided search counts as able to mate. Seventy-five moves, which end the game, \
         end the sequence.";
    BothFlags: "K-05", "III.3.1.1",
        "Both flags down, no one knows which first: not in the last period, so play goes on.";
    BothFlagsLast: "K-05", "III.3.1.2",
        "Both flags down, no one knows which first: in the last period, so it is drawn.";
    Late: "K-06", "6.7.1",
        "Who arrives after the default time, which is none unless the event sets one, has lost.";
    BothLate: "K-06", "6.7.2",
        "Both absent: White loses the time until he arrives, where the event grants any.";
    Rapid: "K-09", "A.1, A.5",
        "Above 10 and below 60 minutes, by time and 60 increments. Unsupervised it has rules of its \
         own.";
    Blitz: "K-09", "B.1, B.3",
        "Up to 10 minutes, by time and 60 increments. Unsupervised it is played by A.2, A.3 and A.5.";
    RapidPenalty: "K-09", "A.3",
        "One minute where articles 7 and 9 give two; in blitz only without supervision (B.3).";
    FastSetup: "K-09", "A.5.1.2",
        "Unsupervised, a wrong set-up stands after ten moves of each, and who began with the king \
         misplaced cannot castle.";
    FastIllegal: "K-09", "A.5.2",
        "Unsupervised, an illegal move is claimed by the opponent, or seen by the arbiter, before the \
         opponent's next move; else it stands.",
        read as "His next move is made when it stands on the board; a touch is none.";
    ImpossiblePosition: "K-09", "A.5.4",
        "Unsupervised, the arbiter who sees both kings in check, or a pawn on its last rank, waits for the \
         next move; if the position after it cannot be either, the game is drawn.",
        read as "He sees the position; who saw the move being made acts by A.5.2.";
    FastFlag: "K-09", "A.5.3",
        "Unsupervised, a flag is claimed, or called by the arbiter who sees it (A.5.5).";
    Stopping: "K-11", "6.11.1, 6.11.2"
        [Help "6.11.2", Pieces "7.4.2", Claim "9.5.1", Arbiter "6.11.1", Resumed "6.11.3",
         Barred "6.11.4"],
        "The arbiter pauses the clock; a player only to ask for his help, or to claim. The arbiter \
         says when the game goes on, and penalises a player who had no reason (12.9).";
    Recording: "W-09", "8.1.1" [Barred "8.1.2"],
        "Each player records the moves of both, none before it is made.";
    RecordingFree: "W-09", "8.4, A.2" [FastPlay "A.2", ShortOfTime "8.4"],
        "Not in rapid play, nor with less than five minutes in a period where no move adds thirty \
         seconds.";
    RecordingDue: "W-09", "8.5.1" [Own "8.5.2", Position "8.5.3", Impossible "8.6"],
        "A flag falls: who did not have to record completes the sheet before he plays on (also 8.4); \
         where neither had to, the arbiter pauses the clock until both have. Where no sheet is complete \
         the game is built up again on another board. Where that fails too, the next move is the first \
         of the next period, unless there is evidence of more.",
        read as "The moves that the referee was told of are evidence.";
    LeavesRoom: "P-02", "11.2.3.1",
        "No player leaves the playing venue without permission; the arbiter can penalise it.";
    BlindTouch: "I-11", "D.2.2",
        "On the board of the blind a piece is touched when it leaves its hole.";
    BlindMove: "I-11", "D.2.3" [Barred "D.2.4"],
        "On the board of the blind a move is made when what is taken has left the board, the piece is in \
         its new hole, and the move is announced (D.2.3.1 to D.2.3.3): only then is the opponent's clock \
         started.";
    TwoBoards: "I-11", "D.2.8, D.2.9" [AtOnce "D.2.8", Later "D.2.9"],
        "Two boards differ: put right by the score sheets where these agree, else play goes back to \
         where they do.";
    Adjustment: "K-10", "6.10.1, 6.10.2, 12.5",
        "The arbiter sets wrong clocks by his best judgement, and gives time after a disturbance.";
    TouchOwn: "T-01", "4.3.1", "The first own piece touched that can move must move.";
    TouchEnemy: "T-01", "4.3.2",
        "The first enemy piece touched that can be taken must be taken.";
    TouchBoth: "T-01", "4.3.3",
        "Pieces of each side: the first own piece takes the first enemy piece, else the first touched \
         that can move or be taken.";
    TouchSeveral: "T-02", "4.3", "The first one touched that can move or be taken.";
    TouchNone: "T-03", "4.5", "Nothing touched can move or be taken: any legal move.";
    Accident: "T-01", "4.2.2",
        "Clearly accidental contact with a piece is not a touch; any other contact is.";
    Adjust: "T-04", "4.2.1", "The player to move can adjust pieces after saying so.";
    CastlingTouch: "T-05", "4.4.1", "King and rook touched: castle on that side if that is legal.";
    RookFirst: "T-05", "4.4.2", "Rook touched before the king: not castling with it, and 4.3.1.";
    CastlingBarred: "T-05", "4.4.3",
        "King and rook touched where that castling is illegal: another move of the king, else any \
         move (also 4.7.2).";
    Completed: "T-06", "4.7",
        "A move is made when its pieces are released, what is taken is off the board, and a new \
         piece stands (4.7.1 to 4.7.3).";
    Released: "T-06", "4.7", "A piece released on a square cannot go to another in this move.";
    Illegal: "I-01", "7.5.1",
        "The position before it is restored, and what was touched and released obliges (4.3, 4.7).";
    NoConsequence: "I-01", "4.5", "No legal move with what was touched: any legal move.";
    IllegalTime: "I-04", "7.5.5",
        "First completed illegal move: two minutes to the opponent.",
        read as "Without a clock it is only counted.";
    IllegalLoses: "I-04", "7.5.5", "The second loses; drawn where the opponent cannot mate.";
    NotPromoted: "I-12", "7.5.2",
        "A pawn left on the last rank and the clock pressed: an illegal move, and the pawn becomes a \
         queen.";
    NotMoved: "I-12", "7.5.3", "The clock pressed without a move: punished as an illegal move.",
        read as "The player's clock is started again, and what he had touched obliges.";
    TwoHands: "I-12", "7.5.4",
        "A move made with two hands and the clock pressed: punished as an illegal move.",
        read as "It is taken back as one too, and as its pieces were released (4.7) it must be made \
         again.";
    CheckIgnored: "I-07", "3.9.2, 7.5.1", "A check that is not parried is an illegal move.";
    Penalty: "I-02", "4.8", "Who touches a piece can no longer claim a breach of article 4.";
    NoticedLater: "I-03", "7.5.1",
        "Found later: back to the position before it, clocks by best judgement (7.1).",
        read as "The clocks are set to what they showed in that position; the arbiter can adjust \
         them.";
    Lost: "I-03", "7.5.1, 7.6",
        "If that is unknown, back to the last identifiable position before it.";
    Displaced: "I-03", "7.6", "Pieces displaced: the position before is restored.";
    WrongSetup: "I-05", "7.2.1", "A wrong initial position cancels the game; a new one is played.";
    WrongBoard: "I-05", "7.2.2",
        "A board placed wrongly: the position is transferred, the game goes on.";
    KingsExchanged: "I-05", "A.5.1.2",
        "King and queen exchanged in unsupervised rapid play: after ten moves each the game goes on, \
         and that king cannot castle.";
    ColoursReversed: "I-06", "7.3",
        "Colours reversed: a new game before ten moves of both, else the game goes on.",
        read as "Both have made ten when Black has made his tenth.";
    Disobeys: "I-09", "11.7" [Arbiter "11.7"],
        "Who persistently refuses to comply with the laws has lost; the arbiter decides what the \
         opponent scores.",
        read as "A win, unless he says otherwise.";
    BothDisobey: "I-09", "11.8", "Both have lost where both are guilty of it.";
    Device: "I-09", "11.3.2.2",
        "A forbidden electronic device on a player loses, whatever the position.",
        read as "A telephone that rings shows it.";
    WhoSeals: "S-01", "I.1.1",
        "The player to move seals, and can change the move until he stops the clock.";
    Sealed: "S-02", "I.2, I.3",
        "On the envelope: names, position, times, who sealed, move number, an offer, the resumption.";
    Resumed: "S-03", "I.5, I.9.1",
        "Position and clocks are set, the sealed move is played, the opponent's clock runs.";
    ResponderAbsent: "S-03", "I.7, I.9.2",
        "His clock runs, and the envelope stays closed until he comes; so too where both are absent \
         and the event grants time (I.11).";
    SealerAbsent: "S-03", "I.9.3",
        "The opponent can seal his reply and start the absent player's clock.";
    NothingSealed: "S-04", "I.8.2", "No move that can be made out: lost.",
        read as "An empty sheet is the extreme of a move whose meaning cannot be established.";
    SealedUnreadable: "S-04", "I.8.2", "A move whose meaning cannot be established loses.",
        read as "Except in the cases of 5.2.2, 6.9 and 9.6: it is a draw where the opponent cannot \
         mate.";
    SealedAmbiguous: "S-04", "I.8.1", "An ambiguous move loses, with the same exception.";
    SealedIllegal: "S-04", "I.8.3", "An illegal move loses, with the same exception.";
    EndsAdjourned: "S-05", "I.6",
        "A draw agreed or a resignation before the resumption ends the game.";
    LateResuming: "S-05", "I.10" [Consent "I.10"],
        "Who comes after the default time loses, unless the sealed move ended the game.",
        read as "Both late: it holds for each, so both lose, or the sealed move decides.";
    EnvelopeLost: "S-05", "I.12.1, I.12.2",
        "Envelope lost: the sealer plays the move he says; position lost too: annulled.";
    ResumedClocks: "S-05", "I.13",
        "Clocks set wrongly are put right if a player says so before his first move; else the game \
         goes on, unless the arbiter decides otherwise.";
    Points: "P-01", "10.1", "1, 1/2, 0, unless the event says otherwise; nobody has another score, nor both together more \
         (10.2).";
    Sanction: "P-02", "12.9", "Warning, time added or taken, points changed, loss, expulsion.";
    Fine: "P-02", "12.9.7", "A fine, if it was announced in advance.";
    Exclusion: "P-02", "12.9.8", "Exclusion from one or more rounds.";
};
