//! FIDE Laws of Chess: Dresden 2008, in force from 1 July 2009, with the annexes 15 to 21 of the French
//! edition and its guidelines for adjourned games.

use crate::base::game::GameKind;
use crate::laws::edition::{
    Ambiguity, BlitzLimit, Displaced, Irregular, LateResuming, Law, Repair, Sameness, Sealer,
    Sealing, SetupFault, Terms, Touching, Unknown, Unsupervised, WhileChoosing, laws,
};
use crate::laws::rule::Rule;
use std::time::Duration;

pub static TERMS: Terms = Terms {
    game: GameKind::Chess,
    sameness: Sameness::PossibleMoves,
    draws_by_itself: false,
    drawn_unclaimed: u32::MAX,
    resignation_can_draw: false,
    agreement_after: 0,
    wrong_claim: Duration::from_secs(3 * 60),
    quick_play: Duration::from_secs(2 * 60),
    quick_play_time: Duration::from_secs(2 * 60),
    increment_asked: Duration::ZERO,
    quick_play_announced: false,
    director_draws: false,
    flag_can_draw: true,
    touching: Touching::FirstThatCan,
    while_choosing: WhileChoosing::BothStand,
    adjusts_enemy: true,
    irregular: Irregular::TimeThenLoss,
    illegal_moves: 2,
    illegal_time: Duration::from_secs(2 * 60),
    rapid_penalty: Duration::ZERO,
    blitz: BlitzLimit::Below(Duration::from_secs(15 * 60)),
    unsupervised: Unsupervised {
        setup_stands_after: 3,
        arbiter_acts: false,
        touch_on_request: true,
        blitz_illegal_loses: true,
    },
    normal_scores: false,
    device_can_draw: true,
    colours_restart_before: None,
    touch_forfeits: false,
    unknown: Unknown::LastKnown,
    displaced: Displaced::Later,
    wrong_setup: SetupFault::Annuls { afterwards: false },
    wrong_kings: SetupFault::AsInitialPosition,
    wrong_board: SetupFault::GoesOn,
    lateness: Some(Duration::ZERO),
    both_late: Rule::Late,
    control: "",
    sealer: Sealer::ToMove,
    sealing: Sealing::Clock,
    waits_for_responder: true,
    late_resuming: Some(LateResuming {
        granted: Some(Duration::from_secs(60 * 60)),
        both: Rule::LateResuming,
        sealed_move_first: true,
    }),
    sealed_can_draw: true,
    ambiguity: Ambiguity::Loses,
    repair: Repair::Nothing,
    white_begins: false,
    sealer_says: true,
};

pub static LAWS: &[Law] = laws! {
    Checkmate: "C-08", "5.1 a", "Mate by a legal move wins at once.";
    Resignation: "P-01", "5.1 b", "Who resigns loses at once.";
    Stalemate: "C-08", "5.2 a", "No legal move and no check: drawn at once.";
    DeadPosition: "N-09", "5.2 b",
        "Drawn at once where neither player can mate by any sequence of legal moves (also 1.3, \
         9.6).",
        read as "After each move a fast test looks for it, which never errs where it says dead; a \
         position it leaves open goes on. Fifty moves are claimed, so no position is dead for \
         them.";
    Agreement: "N-08", "9.1" [Barred "9.1 a", Consent "9.1 a"],
        "The players can agree to a draw, unless the event bars it before a move, or without the \
         arbiter.";
    Offer: "N-08", "9.1 b" [Adjourned "annex 4"],
        "An offer stands until it is accepted, refused, or refused by touching a piece; it cannot \
         be withdrawn.";
    Repetition: "N-02", "9.2 b",
        "The player to move can claim a position that stands for the third time with the same \
         possible moves.";
    RepetitionByMove: "N-02", "9.2 a",
        "He can write down a move and claim the position that it will bring about.",
        read as "A castling right counts until king or rook has moved, one to take en passant only \
         where that capture is legal.";
    Fifty: "N-03", "9.3 b",
        "The player to move can claim fifty moves of each player without capture or pawn move.";
    FiftyByMove: "N-03", "9.3 a", "He can write down a move and claim that it completes them.";
    ClaimLost: "N-10", "9.4", "Who has touched a piece has lost the claim for this move.";
    ClaimWrong: "N-10", "9.5 b",
        "A wrong claim gives the opponent three minutes; an intended move must be played.";
    ClaimStands: "N-10", "9.5", "A claim cannot be withdrawn.",
        read as "Nor can that of 10.2, which is an offer of a draw (9.1 b iii).";
    ClaimOffers: "N-10", "9.1 b iii", "A claim is also an offer of a draw.";
    QuickPlay: "N-11", "10.2 a",
        "With less than two minutes in the last period the player to move can claim that the \
         opponent does not try to win, or cannot, by normal means: the arbiter declares it drawn.";
    QuickPlayDeferred: "N-11", "10.2 b",
        "The arbiter puts the decision off: two minutes to the opponent, and a result later, even \
         after a flag.",
        read as "The two minutes, which the text allows, are given unless the arbiter says otherwise.";
    QuickPlayRejected: "N-11", "10.2 c",
        "The arbiter rejects the claim: two minutes to the opponent.";
    NoArbiter: "N-11", "18.1",
        "Without an arbiter the claim ends the game, and one decides it later.",
        read as "Where the claim is not right, the claimant has lost: the text gives no other \
         result.";
    TimeControl: "K-01", "6.2",
        "Moves in a time, all moves in a time; what is saved is kept, except in delay mode.";
    Bonus: "K-02", "6.2",
        "Time added by each completed move, or time that passes before the clock runs and is not \
         kept.";
    Pressing: "K-07", "6.7 a",
        "A move is completed by pressing the clock, unless it ends the game; the time until then \
         is the mover's.";
    Stopping: "K-11", "6.12"
        [Help "6.12 b", Pieces "7.3", Claim "9.5, 10.2, 15.4 d ii", Arbiter "6.12 a", Resumed "6.12 c",
         Barred "6.12 d"],
        "The arbiter stops both clocks; a player only to ask for his help, or to claim. The arbiter \
         says when the game goes on, and penalises a player who had no reason (13.4).";
    Recording: "W-09", "8.1" [Barred "8.1"],
        "Each player records the moves of both, his last one before he makes another, none before it \
         is made.",
        read as "The arbiter can penalise it (13.4).";
    RecordingFree: "W-09", "8.4, 15.2" [FastPlay "15.2", ShortOfTime "8.4"],
        "Not in rapid play, nor with less than five minutes in a period where no move adds thirty \
         seconds.";
    RecordingDue: "W-09", "8.5 a" [Own "8.5 b", Position "8.5 c", Impossible "8.6"],
        "A flag falls: who did not have to record completes the sheet before he plays on (also 8.4); \
         where neither had to, the arbiter stops the clocks until both have. Where no sheet is complete \
         the game is built up again on another board. Where that fails too, the next move is the first \
         of the next period, unless more were evidently made.",
        read as "The moves that the referee was told of are evident.";
    Flag: "K-04", "6.9", "Who has not completed the moves in the time has lost.";
    FlagDrawn: "K-04", "6.9",
        "It is a draw where the opponent cannot mate by any sequence of legal moves.",
        read as "An undecided search counts as able to mate.";
    BothFlags: "K-05", "6.11 a",
        "Both flags down, no one knows which first: not in the last period, so play goes on.";
    BothFlagsLast: "K-05", "6.11 b",
        "Both flags down, no one knows which first: in the last period, so it is drawn.";
    Late: "K-06", "6.6 a", "Who arrives after the start has lost, unless the event grants time.";
    BothLate: "K-06", "6.6 b",
        "Both absent: White loses the time until he arrives, where the event grants any.",
        read as "Where it grants none each has lost for himself, by 6.6 a.";
    Rapid: "K-09", "15.1, 15.4"
        [Setup "15.4 a", IllegalMove "15.4 c", FlagClaimed "15.4 d ii", BothDown "15.4 d iii"],
        "From 15 to below 60 minutes, by time and 60 increments. Unsupervised, flags and illegal \
         moves are claimed, the latter before the claimant's own move.";
    Blitz: "K-09", "16.1, 16.3"
        [Setup "16.3 a", IllegalMove "16.3 c", FlagClaimed "16.3 a", BothDown "16.3 a"],
        "Below 15 minutes. Unsupervised, an illegal move loses to a claim before the claimant's \
         own move, or is drawn where the claimant cannot mate.";
    LongGame: "K-09", "21", "61 minutes: under the rules of competition, scores kept.";
    Adjustment: "K-10", "6.10, 6.13", "The arbiter sets wrong clocks by his best judgement.";
    TouchOwn: "T-01", "4.3 a", "The first own piece touched that can move must move.";
    TouchEnemy: "T-01", "4.3 b", "The first enemy piece touched that can be taken must be taken.";
    TouchBoth: "T-01", "4.3 c",
        "One of each: the own piece takes the other, else the first touched that can move or be \
         taken.";
    TouchSeveral: "T-02", "4.3" [Own "4.3 a", Enemy "4.3 b", Both "4.3 c"],
        "The first one touched that can move or be taken.",
        read as "Several of both sides: the first own takes the first enemy if it can; else in the \
         order touched.";
    TouchNone: "T-03", "4.5", "Nothing touched can move or be taken: any legal move.";
    Accident: "T-01", "4.3", "Only a piece that is touched deliberately obliges.";
    Adjust: "T-04", "4.2", "The player to move can adjust pieces after saying so.";
    CastlingTouch: "T-05", "4.4 a", "King and rook touched: castle on that side if that is legal.";
    RookFirst: "T-05", "4.4 b", "Rook touched before the king: not castling with it, and 4.3 a.";
    CastlingBarred: "T-05", "4.4 c",
        "King and rook touched where that castling is illegal: another move of the king, else any \
         move.";
    Completed: "T-06", "4.6",
        "A move is made when its pieces are released, what is taken is off the board, and a new \
         piece stands.";
    Released: "T-06", "4.6" [Capture "4.6 a", Castling "4.6 b", Promotion "4.6 c"],
        "A piece released on a square cannot go to another in this move.";
    Illegal: "I-01", "7.4 a",
        "The position before it is restored, and touched pieces oblige (4.3).";
    NoConsequence: "I-01", "4.5", "No legal move with what was touched: any legal move.";
    IllegalTime: "I-04", "7.4 b",
        "First and second completed illegal move: two minutes to the opponent.",
        read as "Without a clock it is only counted.";
    IllegalLoses: "I-04", "7.4 b", "The third loses; drawn where the opponent cannot mate.";
    CheckIgnored: "I-07", "7.4 a", "A check that is not parried is an illegal move.";
    Penalty: "I-02", "4.7", "Who touches a piece can no longer claim a breach of article 4.",
        read as "The arbiter sees a breach himself, but in unsupervised rapid play, where he is asked \
         (15.4 b).";
    NoticedLater: "I-03", "7.4 a",
        "Found later: back to the position before it, clocks by best judgement.",
        read as "The clocks are set to what they showed in that position; the arbiter can adjust \
         them.";
    Lost: "I-03", "7.4 a, 7.5" [IllegalMove "7.4 a", Position "7.5"],
        "If that is unknown, back to the last identifiable position before it.";
    Displaced: "I-03", "7.3, 7.5" [AtOnce "7.3", Later "7.5"],
        "Pieces displaced: the position before is restored.";
    WrongSetup: "I-05", "7.1 a",
        "A wrong initial position annuls the game; unsupervised rapid play: not after three moves \
         each (15.4 a).",
        read as "A move counts there once it is completed by the press (6.7 a).";
    WrongBoard: "I-05", "7.1 b",
        "A board placed wrongly: the position is transferred, the game goes on.";
    KingsExchanged: "I-05", "15.4 a",
        "King and queen exchanged in unsupervised rapid play: after three moves each the game goes \
         on, and that king cannot castle.";
    ColoursReversed: "I-06", "7.2",
        "Colours reversed: the game goes on, unless the arbiter rules otherwise.";
    Disobeys: "I-09", "12.8" [Arbiter "12.8"],
        "Who persistently refuses to obey the laws has lost; the arbiter decides what the opponent \
         scores.",
        read as "A win, unless he says otherwise.";
    BothDisobey: "I-09", "12.9", "Both have lost where both refuse.";
    Phone: "I-09", "12.3 b",
        "A telephone that sounds loses; the opponent draws if he cannot win by any sequence of \
         legal moves.";
    LeavesRoom: "P-02", "12.2",
        "No player leaves the playing room without permission, nor the playing area when he is to \
         move; the arbiter can penalise it (12.7).";
    BlindTouch: "I-11", "19.2 ii",
        "On the board of the blind a piece is touched when it leaves its hole.";
    BlindMove: "I-11", "19.2 iii",
        "On the board of the blind a move is made when what is taken has left the board, the piece is in \
         its new hole, and the move is announced: only then is the opponent's clock started.";
    TwoBoards: "I-11", "19.2 vii, viii" [AtOnce "19.2 vii", Later "19.2 viii"],
        "Two boards differ: put right by the score sheets where these agree, else play goes back to \
         where they do.";
    Announcing: "I-11", "19.2 vi, vii" [AtOnce "19.2 vi", Later "19.2 vii"],
        "A slip of the tongue is put right before the clock is pressed; later the boards differ.";
    WhoSeals: "S-01", "annex 1 a",
        "The player to move seals, and can change the move until he stops the clock.",
        read as "A move that he makes on the board after he was told to seal is the one to be sealed.";
    Sealed: "S-02", "annex 2, 3",
        "On the envelope: names, position, times, who sealed, move number, an offer.";
    Resumed: "S-03", "annex 5, 7, 9 a",
        "Position and clocks are set, the sealed move is played, the opponent's clock runs.";
    ResponderAbsent: "S-03", "annex 7, 9 b",
        "His clock runs, and the envelope stays closed until he comes.",
        read as "Where both are absent his clock runs as well: the envelope waits for him alone.";
    SealerAbsent: "S-03", "annex 9 c",
        "The opponent can seal his reply and start the absent player's clock.",
        read as "A reply that is ambiguous, unreadable or illegal loses, as the sealed move would (annex 8).";
    NothingSealed: "S-04", "annex 8 b", "No move that can be made out: lost.",
        read as "An empty sheet is the extreme of a move whose meaning cannot be established.";
    SealedUnreadable: "S-04", "annex 8 b", "A move whose meaning cannot be established loses.";
    SealedAmbiguous: "S-04", "annex 8 a", "An ambiguous move loses.";
    SealedIllegal: "S-04", "annex 8 c", "An illegal move loses.";
    EndsAdjourned: "S-05", "annex 6",
        "A draw agreed or a resignation before the resumption ends the game.";
    LateResuming: "S-05", "annex 10" [Consent "annex 10"],
        "More than an hour late for the resumption loses, unless the event or the arbiter has it \
         otherwise, or the sealed move mates or draws.",
        read as "Both more than an hour late: it holds for each, so both lose, or the sealed move \
         decides.";
    EnvelopeLost: "S-05", "annex 11" [Envelope "annex 11 a", Position "annex 11 b"],
        "Envelope lost: the sealer plays the move he says; position lost too: annulled.";
    ResumedClocks: "S-05", "annex 12",
        "Clocks set wrongly are put right if a player says so before his first move; else the game \
         goes on, unless the arbiter finds that too severe.";
    Points: "P-01", "11.1", "1, 1/2, 0, unless announced otherwise.";
    Sanction: "P-02", "13.4"
        [Warning "13.4 a", TimeGiven "13.4 b", TimeTaken "13.4 c", Loss "13.4 d", FewerPoints "13.4 e",
         MorePoints "13.4 f", Expulsion "13.4 g"],
        "Warning, time added or taken, loss, points changed, expulsion.";
};
