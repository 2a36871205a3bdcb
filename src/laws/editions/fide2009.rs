//! FIDE Laws of Chess adopted at Dresden in 2008, in force from 1 July 2009. They include annexes
//! 15 to 21 of the French edition and its guidelines for adjourned games.

use crate::base::game::GameKind;
use crate::laws::edition::{
    Ambiguity, BlitzLimit, Displaced, Irregular, LateResuming, Law, Repair, Sameness, Sealer,
    Sealing, SetupFault, Terms, TouchForfeits, Touching, Unknown, Unsupervised, WhileChoosing,
    laws,
};
use crate::laws::rule::Rule;
use std::time::Duration;

pub(super) static TERMS: Terms = Terms {
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
    while_choosing: WhileChoosing::BothStopped,
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
    touch_forfeits: TouchForfeits::Nothing,
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
        responder_too: false,
    }),
    sealed_can_draw: true,
    ambiguity: Ambiguity::Loses,
    repair: Repair::Nothing,
    white_begins: false,
    sealer_names_move: true,
};

pub(super) static LAWS: &[Law] = laws! {
    Checkmate: "C-08", "5.1 a", "Mate by a legal move wins at once.";
    Resignation: "P-01", "5.1 b", "A player who resigns loses at once.",
        read as "If both resign at once, both lose.";
    Stalemate: "C-08", "5.2 a",
        "The game is drawn at once if the player to move has no legal move and is not in check.";
    DeadPosition: "N-09", "5.2 b",
        "The game is drawn at once if neither player can mate by any sequence of legal moves \
         (also 1.3, 9.6).",
        read as "A fast test after each move looks for a dead position. It never reports one \
         wrongly; if it is undecided, the game continues. The fifty-move rule needs a claim and \
         therefore does not make a position dead.";
    Agreement: "N-08", "9.1" [Barred "9.1 a", Consent "9.1 a"],
        "The players can agree to a draw, unless the regulations forbid it before a certain move \
         or without the arbiter's consent.";
    Offer: "N-08", "9.1 b" [Barred "9.1 b i", Adjourned "annex 4"],
        "An offer is valid until it is accepted, or refused by word or by touching a piece; it \
         cannot be withdrawn.",
        read as "An offer stays valid when an earlier position is restored. Both players can have \
         an open offer; neither offer accepts the other.";
    Repetition: "N-02", "9.2 b",
        "The player to move can claim a draw if the position has occurred for the third time \
         with the same possible moves.",
        read as "A claim by a player who does not have the move is not admissible: it is rejected \
         without a penalty, and it is not an offer. The same holds for article 9.3.";
    RepetitionByMove: "N-02", "9.2 a",
        "The player to move can write down a move and claim a draw by the position that the move \
         will bring about.",
        read as "A castling right counts until the king or the rook has moved; an en passant \
         right counts only if the capture is legal.";
    Fifty: "N-03", "9.3 b",
        "The player to move can claim a draw after fifty moves of each player without capture or \
         pawn move.";
    FiftyByMove: "N-03", "9.3 a",
        "The player to move can write down a move and claim a draw because the move completes the \
         fifty moves.";
    ClaimLost: "N-10", "9.4",
        "A player who has touched a piece loses the right to claim at this move.";
    ClaimWrong: "N-10", "9.5 b",
        "An incorrect claim gives the opponent three minutes; an intended move must be played.";
    ClaimStands: "N-10", "9.5", "A claim cannot be withdrawn.",
        read as "The claim of 10.2, which is a draw offer (9.1 b iii), cannot be withdrawn \
         either.";
    ClaimOffers: "N-10", "9.1 b iii" [ShortOfTime "9.1 b iii"], "A claim is also a draw offer.";
    QuickPlay: "N-11", "10.2 a",
        "With less than two minutes in the last period, the player to move can claim that the \
         opponent does not try to win, or cannot win, by normal means; the arbiter declares the \
         game drawn.";
    QuickPlayDeferred: "N-11", "10.2 b",
        "The arbiter postpones the decision: the opponent gets two minutes, and the arbiter \
         decides later, even after a flag has fallen.",
        read as "The text permits the two minutes but does not require them; they are given unless \
         the arbiter decides otherwise.";
    QuickPlayRejected: "N-11", "10.2 c",
        "The arbiter rejects the claim: the opponent gets two minutes.";
    NoArbiter: "N-11", "18.1",
        "Without an arbiter the claim ends the game, and an arbiter decides on it later.",
        read as "If the claim is not justified, the claimant loses: the text has no other \
         result.";
    TimeControl: "K-01", "6.2",
        "A number of moves, or all moves, in a given time; unused time is kept, except in delay \
         mode.";
    Bonus: "K-02", "6.2",
        "Each completed move adds time, or time passes before the clock runs and is not kept.";
    Pressing: "K-07", "6.7 a" [Barred "6.7 a"],
        "Pressing the clock completes a move, unless the move ends the game; the time until then \
         counts for the player.",
        read as "A player's next move also completes his previous one. A press before the move is \
         made changes nothing, and the arbiter can penalise it (13.4).";
    Stopping: "K-11", "6.12"
        [Help "6.12 b", Pieces "7.3", Claim "9.5, 10.2, 15.4 d ii", Arbiter "6.12 a", Resumed "6.12 c",
         Barred "6.12 d"],
        "The arbiter stops both clocks; a player does so only to ask for his help or to claim. \
         The arbiter restarts the game, and penalises a player who had no valid reason (13.4).";
    Recording: "W-09", "8.1" [Barred "8.1"],
        "Each player records the moves of both: his last move before making the next, and no \
         move before it is made.",
        read as "The arbiter can penalise a breach (13.4).";
    RecordingFree: "W-09", "8.4, 15.2" [FastPlay "15.2", ShortOfTime "8.4"],
        "Recording is not required in rapid play, nor with less than five minutes in a period if \
         moves add less than thirty seconds.";
    RecordingDue: "W-09", "8.5 a" [Own "8.5 b", Position "8.5 c", Impossible "8.6"],
        "When a flag falls, a player who did not have to record completes his score sheet before \
         his next move (also 8.4); if neither player had to record, the arbiter stops the clocks \
         until both sheets are complete. If no sheet is complete, the game is reconstructed on \
         another board. If that fails too, the next move is the first of the next period, unless \
         more moves were evidently made.",
        read as "The moves reported to the referee count as evidently made.";
    Flag: "K-04", "6.9" [FlagClaimed "6.8"],
        "A player who has not completed the moves in the time loses.";
    FlagDrawn: "K-04", "6.9",
        "The game is drawn if the opponent cannot mate by any sequence of legal moves.",
        read as "If the search is undecided, the opponent counts as able to mate.";
    BothFlags: "K-05", "6.11 a",
        "If both flags are down before the last period and it is unknown which fell first, the \
         game continues.";
    BothFlagsLast: "K-05", "6.11 b",
        "If both flags are down in the last period and it is unknown which fell first, the game \
         is drawn.";
    Late: "K-06", "6.6 a" [TimeTaken "6.5"],
        "A player who arrives after the start loses, unless the event allows a delay.";
    BothLate: "K-06", "6.6 b" [Loss "6.6 a"],
        "If both players are absent and the event allows a delay, White loses the time until he \
         arrives.",
        read as "If the event allows no delay, each player loses separately by 6.6 a.";
    Rapid: "K-09", "15.1, 15.4"
        [Setup "15.4 a", Clocks "15.4 a", IllegalMove "15.4 c", FlagClaimed "15.4 d ii", BothDown "15.4 d iii"],
        "Rapid play has 15 to less than 60 minutes for each player, counting the time plus 60 \
         increments. Without supervision, flags and illegal moves must be claimed, illegal moves \
         before the claimant's own move.";
    Blitz: "K-09", "16.1, 16.3"
        [Setup "16.3 a", Agreed "16.3 c", Clocks "16.3 a", IllegalMove "16.3 c", Claim "16.3 b", FlagClaimed "16.3 a", BothDown "16.3 a"],
        "Blitz has less than 15 minutes for each player. Without supervision, an illegal move \
         loses if it is claimed before the claimant's own move; the game is drawn if the claimant \
         cannot mate.";
    LongGame: "K-09", "21",
        "A game with 61 minutes for each player is played under the competition rules, with \
         recording.";
    Adjustment: "K-10", "6.10, 6.13" [Clocks "6.10 b"],
        "The arbiter corrects the clocks by his best judgement.";
    TouchOwn: "T-01", "4.3 a",
        "The first of the player's own touched pieces that can move must move.";
    TouchEnemy: "T-01", "4.3 b",
        "The first touched enemy piece that can be captured must be captured.";
    TouchBoth: "T-01", "4.3 c",
        "A player who touches a piece of each side must capture the enemy piece with his own; if \
         that is illegal, he must move or capture the first touched piece that can be moved or \
         captured.";
    TouchSeveral: "T-02", "4.3" [Own "4.3 a", Enemy "4.3 b", Both "4.3 c"],
        "The player must move or capture the first touched piece that can be moved or captured.",
        read as "If several pieces of both sides are touched, the player's first piece must \
         capture the first enemy piece if it can; otherwise the order of touching decides.";
    TouchNone: "T-03", "4.5",
        "If no touched piece can move or be captured, the player can make any legal move.";
    Accident: "T-01", "4.3",
        "Only pieces touched deliberately must be moved or captured.";
    Adjust: "T-04", "4.2", "The player to move can adjust pieces after announcing it.";
    CastlingTouch: "T-05", "4.4 a",
        "A player who touches king and rook must castle on that side if it is legal.";
    RookFirst: "T-05", "4.4 b",
        "A player who touches a rook before the king cannot castle with it, and 4.3 a applies.";
    CastlingBarred: "T-05", "4.4 c",
        "If castling with the touched king and rook is illegal, the player must make another king \
         move, or any legal move if there is none.";
    Completed: "T-06", "4.6",
        "A move is made when its pieces are released, any captured piece is off the board, and any \
         promoted pawn is replaced.";
    Released: "T-06", "4.6" [Capture "4.6 a", Castling "4.6 b", Promotion "4.6 c"],
        "A piece released on a square cannot move to another square in this move.";
    Illegal: "I-01", "7.4 a",
        "The position before the move is restored, and touched pieces must be moved or captured \
         (4.3).";
    NoConsequence: "I-01", "4.5",
        "If the touched pieces have no legal move, the player can make any legal move.";
    IllegalTime: "I-04", "7.4 b",
        "The first and second completed illegal moves each give the opponent two minutes.",
        read as "Without a clock the move is only counted.";
    IllegalLoses: "I-04", "7.4 b",
        "The third completed illegal move loses; the game is drawn if the opponent cannot mate.";
    CheckIgnored: "I-07", "7.4 a", "A move that leaves the king in check is illegal.";
    TwoHands: "T-06", "4.1",
        "Each move is made with one hand.",
        read as "The text fixes no penalty: the move stands, and the arbiter can penalise it \
         (13.4).";
    OutOfTurn: "T-01", "4.3, 12.6" [Pieces "4.2", Moved "1.1"],
        "Only the player to move can touch, adjust and move pieces. A touch out of turn creates \
         no obligation but disturbs the opponent; a move out of turn is taken back.";
    Penalty: "I-02", "4.7",
        "A player who touches a piece can no longer claim a breach of article 4.",
        read as "The arbiter acts on a breach that he sees, except in unsupervised rapid play, \
         where a player must ask (15.4 b).";
    NoticedLater: "I-03", "7.4 a",
        "If an illegal move is found later, the position before it is restored, and the clocks are \
         set by best judgement.",
        read as "The clocks are set to the times of that position; the arbiter can adjust them.";
    Lost: "I-03", "7.4 a, 7.5" [IllegalMove "7.4 a", Position "7.5"],
        "If the position before an irregularity is unknown, the last identifiable position before \
         it is restored.";
    Displaced: "I-03", "7.3, 7.5" [AtOnce "7.3", Later "7.5"],
        "If pieces are displaced, the previous position is restored.";
    WrongSetup: "I-05", "7.1 a",
        "A wrong initial position annuls the game; in unsupervised rapid play, only before three \
         moves of each player (15.4 a).",
        read as "A move counts here once it is completed by pressing the clock (6.7 a).";
    WrongBoard: "I-05", "7.1 b",
        "If the board is placed the wrong way round, the position is transferred to a correctly \
         placed board and the game continues.";
    KingsExchanged: "I-05", "15.4 a",
        "If king and queen are exchanged in unsupervised rapid play, the game continues after \
         three moves of each player, and that king cannot castle.";
    ColoursReversed: "I-06", "7.2",
        "If the colours are reversed, the game continues, unless the arbiter rules otherwise.";
    Disobeys: "I-09", "12.8" [Arbiter "12.8"],
        "A player who persistently refuses to obey the laws loses; the arbiter decides the \
         opponent's score.",
        read as "The opponent scores a win, unless the arbiter decides otherwise.";
    BothDisobey: "I-09", "12.9", "If both players refuse to obey the laws, both lose.";
    Phone: "I-09", "12.3 b",
        "A player whose telephone rings loses; the opponent only draws if he cannot win by any \
         sequence of legal moves.";
    LeavesRoom: "P-02", "12.2",
        "A player must not leave the playing room without permission, nor the playing area when \
         he is to move; the arbiter can penalise it (12.7).";
    BlindTouch: "I-11", "19.2 ii",
        "On a blind player's board a piece is touched when it leaves its hole.";
    BlindMove: "I-11", "19.2 iii",
        "On a blind player's board a move is made when the captured piece is off the board, the \
         piece is in its new hole, and the move is announced; only then is the opponent's clock \
         started.";
    TwoBoards: "I-11", "19.2 vii, viii" [AtOnce "19.2 vii", Later "19.2 viii"],
        "If two boards differ, they are corrected by the score sheets if these agree; otherwise \
         play returns to the point where they agree.";
    Announcing: "I-11", "19.2 vi, vii" [AtOnce "19.2 vi", Later "19.2 vii"],
        "A slip of the tongue can be corrected until the clock is pressed; after that, the rule \
         on two differing boards applies.";
    WhoSeals: "S-01", "annex 1 a",
        "The player to move seals, and can change the move until he stops the clock.",
        read as "A player who makes a move on the board after he was told to seal must seal this \
         move.";
    Sealed: "S-02", "annex 2, 3",
        "The envelope shows the names, position, times, sealer, move number and any offer.";
    Resumed: "S-03", "annex 5, 7, 9 a",
        "Position and clocks are set, the sealed move is played, and the opponent's clock runs.";
    ResponderAbsent: "S-03", "annex 7, 9 b",
        "The absent player's clock runs, and the envelope stays closed until he comes.",
        read as "If both are absent, this clock runs as well: the envelope waits only for this \
         player.";
    SealerAbsent: "S-03", "annex 9 c",
        "The opponent can seal his reply and start the absent player's clock.",
        read as "An ambiguous, unreadable or illegal reply loses, like such a sealed move (annex \
         8).";
    NothingSealed: "S-04", "annex 8 b", "If no move can be established, the player loses.",
        read as "An empty sheet is the extreme case of a move whose meaning cannot be \
         established.";
    SealedUnreadable: "S-04", "annex 8 b", "A move whose meaning cannot be established loses.";
    SealedAmbiguous: "S-04", "annex 8 a", "An ambiguous move loses.";
    SealedIllegal: "S-04", "annex 8 c", "An illegal move loses.";
    EndsAdjourned: "S-05", "annex 6",
        "A draw by agreement or a resignation before the resumption ends the game.";
    LateResuming: "S-05", "annex 10" [Consent "annex 10"],
        "A player more than an hour late for the resumption loses, unless the event or the \
         arbiter decides otherwise, or the sealed move mates or draws.",
        read as "If both are more than an hour late, the rule applies to each: both lose, unless \
         the sealed move decides the game.";
    EnvelopeLost: "S-05", "annex 11" [Envelope "annex 11 a", Position "annex 11 b"],
        "If the envelope is lost, the sealer plays the move that he says he sealed; if the \
         position is lost too, the game is annulled.";
    ResumedClocks: "S-05", "annex 12",
        "Wrongly set clocks are corrected if a player says so before his first move; otherwise \
         the game continues, unless the arbiter finds the consequences too severe.";
    Points: "P-01", "11.1", "A game scores 1, 1/2 or 0, unless announced otherwise.";
    Sanction: "P-02", "13.4"
        [Warning "13.4 a", TimeGiven "13.4 b", TimeTaken "13.4 c", Loss "13.4 d", FewerPoints "13.4 e",
         MorePoints "13.4 f", Expulsion "13.4 g"],
        "The arbiter can give a warning, add or deduct time, declare the game lost, change the \
         points, or expel the player.";
};
