//! FMJD, official rules of draughts on 100 squares (annex I).

use crate::base::game::GameKind;
use crate::laws::edition::{
    Ambiguity, BlitzLimit, Displaced, Irregular, Law, Repair, Sameness, Sealer, Sealing,
    SetupFault, Terms, TouchForfeits, Touching, Unknown, Unsupervised, WhileChoosing, laws,
};
use crate::laws::rule::Rule;
use std::time::Duration;

pub(super) static TERMS: Terms = Terms {
    game: GameKind::Draughts,
    sameness: Sameness::Placement,
    draws_by_itself: true,
    drawn_unclaimed: u32::MAX,
    resignation_can_draw: false,
    agreement_after: 0,
    wrong_claim: Duration::ZERO,
    quick_play: Duration::ZERO,
    quick_play_time: Duration::ZERO,
    increment_asked: Duration::ZERO,
    quick_play_announced: false,
    director_draws: false,
    flag_can_draw: false,
    touching: Touching::PlayableOnly,
    while_choosing: WhileChoosing::BothStopped,
    adjusts_enemy: true,
    irregular: Irregular::OpponentDecides,
    illegal_moves: u8::MAX,
    illegal_time: Duration::ZERO,
    rapid_penalty: Duration::ZERO,
    blitz: BlitzLimit::Below(Duration::ZERO),
    unsupervised: Unsupervised::UNKNOWN,
    normal_scores: false,
    device_can_draw: false,
    colours_restart_before: None,
    touch_forfeits: TouchForfeits::Nothing,
    unknown: Unknown::Annuls,
    displaced: Displaced::AtOnce,
    wrong_setup: SetupFault::OpponentDecides,
    wrong_kings: SetupFault::GoesOn,
    wrong_board: SetupFault::Annuls { afterwards: false },
    lateness: None,
    both_late: Rule::BothLate,
    control: "",
    sealer: Sealer::ToMove,
    sealing: Sealing::Envelope,
    waits_for_responder: true,
    late_resuming: None,
    sealed_can_draw: false,
    ambiguity: Ambiguity::Loses,
    repair: Repair::Nothing,
    white_begins: true,
    sealer_names_move: false,
};

pub(super) static LAWS: &[Law] = laws! {
    NoMove: "D-10", "7.2.2", "A player who is to move and has no legal move loses.";
    NoPiece: "D-10", "7.2.3", "A player without pieces loses.";
    Resignation: "P-01", "7.2.1", "A player who gives up the game loses.";
    Agreement: "N-16", "7.3.1", "The players can agree to a draw at any time.";
    Offer: "N-16", "7.3.1", "A draw can be offered at any time.",
        read as "The text does not say how long an offer is valid; it is valid until it is \
         answered or a piece is touched, and therefore cannot be withdrawn.";
    Repetition: "N-12", "6.1",
        "The game is drawn if the same position occurs for the third time with the same player to \
         move.";
    KingMoves: "N-13", "6.2",
        "The game is drawn after 25 moves of each side by kings only, without captures.",
        read as "The moves of each side are counted.";
    ThreePieces: "N-14", "6.3",
        "With three pieces including a king against one king, the game is drawn after 16 more \
         moves of each side.",
        read as "The count begins with the ending, and a man's move during it does not restart \
         the count.";
    TwoPieces: "N-15", "6.4",
        "With two pieces including a king, or with one king, against one king, the game is drawn \
         after 5 more moves of each side.",
        read as "The count begins with the ending, even after the count for three pieces, and \
         continues if one of two kings is lost.";
    TimeControl: "K-08", "10.1, 10.3", "A number of moves, or the whole game, in a given time.";
    Pressing: "K-08", "10.2, 10.4", "A clock is used; the rules of the competition say how.",
        read as "The time of a move runs until the clock is pressed.";
    Flag: "K-08", "10.1, 10.5",
        "If the moves are not made in time, the rules of the competition determine the \
         consequence.",
        read as "The player loses, whatever the position.";
    Adjustment: "K-08", "10.5", "The rules of the competition govern the use of clocks.",
        read as "The arbiter can set the clocks.";
    TouchOwn: "T-07", "3.11",
        "A player who touches one of his own pieces must play it if possible.",
        read as "A piece moved irregularly counts as touched. If the move is taken back, that \
         piece must be played.";
    TouchSeveral: "T-07", "3.11",
        "A player who touches one of his own pieces must play it if possible.",
        read as "If several pieces are touched, the first one that can be played must be played, \
         even though the others were touched too.";
    TouchNone: "T-07", "3.11", "A touched piece that cannot move creates no obligation.";
    Adjust: "T-07", "3.13", "The player to move can adjust pieces after announcing it.";
    OutOfTurn: "T-07", "3.14", "A player who is not to move must not touch or adjust a piece.",
        read as "This rule is separate from those on touched pieces (3.11) and adjusting (3.13): \
         it forbids the touch but creates no obligation.";
    Completed: "T-07", "3.10, 4.4, 4.12",
        "A move is complete when the piece is released, a capture when all captured pieces are \
         off the board.";
    Released: "T-07", "3.10, 3.12", "A piece can be moved elsewhere until it is released.";
    Illegal: "T-07", "5.4"
        [PlayedTwice "5.4.1", Moved "5.4.2", Retracted "5.4.4", UnclearCapture "4.4",
         UnclearStroke "4.9", OtherPiece "5.4.3", Enemy "5.4.5", CaptureMissed "5.4.6",
         RemovedForNothing "5.4.7", WrongNumber "5.4.8", BrokenOff "5.4.9", RemovedEarly "5.4.10",
         RemovedTooFew "5.4.11", RemovedOther "5.4.12", RemovalPaused "5.4.13", RemovedOwn "5.4.14",
         RemovedInDisorder "4.11"],
        "The opponent alone decides whether an irregularity (5.4.1 to 5.4.16) is corrected or \
         stands.",
        read as "An unclear capture (4.4, 4.9) is corrected or stands in the same way.";
    Decides: "T-07", "5.4, 5.8", "The opponent decides; a partial correction is not allowed.",
        read as "If a move was taken back, the correction is to make it after all. If it is \
         accepted that a piece was removed too early, the piece stays off the board and the \
         capture goes on.";
    Acceptance: "T-07", "5.7", "A reply accepts the irregularity.";
    Inactive: "T-07", "5.3",
        "An opponent's piece on a light square is inactive, and can be reactivated by 5.4.",
        read as "The owner's opponent decides; a piece that stays inactive is out of the game.";
    Crowning: "T-07", "3.6, 3.7" [Uncrowned "5.4.15", PlayedUncrowned "5.4.16"],
        "A man that is promoted is a king at once. Either player can crown it; its owner must do \
         so before his next move.",
        read as "A reported move includes the crowning; a missing crowning is reported \
         separately.";
    Recording: "W-09", "10.2.2",
        "Each player records the game if a number of moves must be made in a given time.";
    RecordingFree: "W-09", "10.4" [WholeGame "10.4"],
        "Recording is not required if the whole game is played in a given time.";
    Displaced: "T-07", "5.5",
        "An accidental change of the position, noticed at once, is not an irregularity: the \
         position is restored.",
        read as "If noticed later, the position stands, because a reply accepts it (5.7).";
    WrongBoard: "I-05", "5.1", "A wrongly placed board annuls the game.";
    WrongSetup: "I-05", "5.2",
        "A wrong initial position that is noticed during the game is an irregularity of 5.4.";
    Disobeys: "I-09", "5.6, 7.2.4", "A player who refuses to submit to the rules loses.";
    OddsPiece: "O-04", "11.1.7", "The stronger player begins with one or more pieces fewer.",
        read as "The players agree on the pieces.";
    Points: "P-01", "7.1", "A game is won by one player, or drawn.",
        read as "Counted as 1, 1/2, 0.";
};
