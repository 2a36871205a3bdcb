//! FMJD, official rules of draughts on 100 squares (annex I).

use crate::base::game::GameKind;
use crate::laws::edition::{
    Ambiguity, BlitzLimit, Displaced, Irregular, Law, Repair, Sameness, Sealer, Sealing,
    SetupFault, Terms, Touching, Unknown, Unsupervised, WhileChoosing, laws,
};
use crate::laws::rule::Rule;
use std::time::Duration;

pub static TERMS: Terms = Terms {
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
    while_choosing: WhileChoosing::BothStand,
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
    touch_forfeits: false,
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
    sealer_says: false,
};

pub static LAWS: &[Law] = laws! {
    NoMove: "D-10", "7.2.2", "Who is to move and cannot has lost.";
    NoPiece: "D-10", "7.2.3", "Who has no piece left has lost.";
    Resignation: "P-01", "7.2.1", "Who gives the game up has lost.";
    Agreement: "N-16", "7.3.1", "The players can agree to a draw at any time.";
    Offer: "N-16", "7.3.1", "A draw can be offered at any time.",
        read as "How long an offer stands is not said; it stands until it is answered or a piece \
         is touched, and so cannot be withdrawn.";
    Repetition: "N-12", "6.1",
        "The same position for the third time with the same player to move: drawn.";
    KingMoves: "N-13", "6.2", "25 moves of each side by kings only, nothing taken: drawn.",
        read as "Moves are counted as moves of each side.";
    ThreePieces: "N-14", "6.3",
        "Three pieces, a king among them, against a king: drawn after 16 more moves each.",
        read as "The count begins with the ending, and a man's move within it does not start it \
         anew.";
    TwoPieces: "N-15", "6.4",
        "Two pieces, a king among them, or a king, against a king: drawn after 5 more moves each.",
        read as "The count begins with the ending, also where it follows that of three pieces, and \
         goes on where one of two kings is lost.";
    TimeControl: "K-08", "10.1, 10.3", "A number of moves in a time, or the whole game in a time.";
    Pressing: "K-08", "10.2, 10.4", "A clock is used; how is for the rules of the competition.",
        read as "A move's time runs until the clock is pressed.";
    Flag: "K-08", "10.1, 10.5",
        "Moves not made in their time: what follows is for the rules of the competition.",
        read as "It loses, whatever is on the board.";
    Adjustment: "K-08", "10.5", "The use of clocks is for the rules of the competition.",
        read as "The arbiter can set them.";
    TouchOwn: "T-07", "3.11", "A playable own piece touched must be played.";
    TouchSeveral: "T-07", "3.11", "A playable own piece touched must be played.",
        read as "Of several the first.";
    TouchNone: "T-07", "3.11", "A piece that cannot move obliges to nothing.";
    Adjust: "T-07", "3.13", "The player to move can adjust pieces after saying so.";
    OutOfTurn: "T-07", "3.14", "Who is not to move may not touch or put right a piece.",
        read as "A rule of its own, beside those of touched pieces (3.11) and of adjusting (3.13): \
         it bars the touch, and obliges to nothing.";
    Completed: "T-07", "3.10, 4.4, 4.12",
        "A move is over when the piece is released, a capture when all pieces taken are off the \
         board.";
    Released: "T-07", "3.10, 3.12", "A piece can be put elsewhere as long as it is not released.";
    Illegal: "T-07", "5.4"
        [Moved "5.4.2", OtherPiece "5.4.3", Enemy "5.4.5", CaptureMissed "5.4.6",
         RemovedForNothing "5.4.7", WrongNumber "5.4.8", BrokenOff "5.4.9", RemovedEarly "5.4.10",
         RemovedTooFew "5.4.11", RemovedOther "5.4.12", RemovalPaused "5.4.13", RemovedOwn "5.4.14",
         RemovedInDisorder "4.11"],
        "An irregularity (5.4.1 to 5.4.16) is corrected or stands, as the opponent alone decides.";
    Decides: "T-07", "5.4, 5.8", "The opponent decides, and a correction is whole.";
    Acceptance: "T-07", "5.7", "A reply accepts what was irregular.";
    Inactive: "T-07", "5.3",
        "An opponent's piece on a light square is inactive, and can be put back in action by 5.4.",
        read as "The opponent of its owner decides; where it stays inactive it is out of the game.";
    Crowning: "T-07", "3.6, 3.7" [Uncrowned "5.4.15", PlayedUncrowned "5.4.16"],
        "A man that became a king is one at once. Either player crowns it, its owner before his next \
         move.",
        read as "What is told as a move is told with its crowning; where it is left out that is said.";
    Recording: "W-09", "10.2.2", "Each player records the game where moves are made in a time.";
    RecordingFree: "W-09", "10.4" [WholeGame "10.4"],
        "Not where the whole game has its time.";
    Displaced: "T-07", "5.5",
        "A position disturbed by accident, seen at once, is no irregularity: it is restored.",
        read as "Seen later the position stands, as a reply accepts it (5.7).";
    WrongBoard: "I-05", "5.1", "A board placed wrongly annuls the game.";
    WrongSetup: "I-05", "5.2",
        "A wrong initial position, seen during the game, is an irregularity of 5.4.";
    Disobeys: "I-09", "5.6, 7.2.4", "Who refuses to submit to the rules has lost.";
    OddsPiece: "O-04", "11.1.7", "The stronger player begins with one or more pieces less.",
        read as "Which pieces the players say.";
    Points: "P-01", "7.1", "Won and lost, or equal.",
        read as "Counted 1, 1/2, 0.";
};
