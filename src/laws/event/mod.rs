//! What happens at a board, as a referee is told of it, and the language in which it is told.
//!
//! One event is one line. A time is `1:59:30`, `5:00` or `90` seconds; a move is written as UCI,
//! algebraic or Hub notation has it. What is not in this list is refused, and the error says what could
//! stand there.
//!
//! | line, with `white` or `black` for SIDE | event |
//! |---|---|
//! | `SIDE touch e2`, `SIDE adjust e2` | touches a piece; adjusts it after saying so |
//! | `SIDE release e2 e4`, `SIDE remove d5`, `SIDE promote q` | the parts of a move, one by one |
//! | `SIDE move e2e4`, `SIDE castle a1` | makes a move; castles where the rook was given as odds |
//! | `SIDE press`, `SIDE press 1:59:30`, `SIDE press +30` | presses the clock, which shows that, or after so long |
//! | `SIDE flag`, `flags` | a flag, or both, are seen to have fallen |
//! | `SIDE flag open` | a flag has fallen, and only the score sheets will show whether the moves were made |
//! | `SIDE offer`, `SIDE accept`, `SIDE refuse`, `SIDE resign` | a draw is offered, accepted, refused; resignation |
//! | `SIDE claim repetition`, `... fifty`, `... by Nf3` | claims a draw on the board, or by an intended move; an illegal one as `by e2e5` |
//! | `SIDE claim perpetual`, `... winless`, `... flag`, `... illegal`, `... increment` | other claims |
//! | `SIDE claim touch` | without supervision: the opponent did not play what he had touched |
//! | `SIDE withdraw`, `SIDE waive` | withdraws an offer or a claim; gives up a penalty |
//! | `both agree` | both ask for a draw |
//! | `SIDE stop`, `... pieces`, `... sheets`, `... claim` | stops both clocks: for help, for displaced pieces, as the score sheets differ, for a claim |
//! | `stop`, `start` | the arbiter stops both clocks; they run again |
//! | `SIDE demand`, `SIDE claim demand`, `SIDE announce 3` | demands to be mated in 50 moves; they are over; announces mate |
//! | `SIDE illegal e1 e3`, `... e5 d6 takes d5`, `... a7 a8 promote k` | moves a piece of either side against the rules; takes another, promotes wrongly |
//! | `SIDE hands e1g1` | makes a move with two hands |
//! | `SIDE irregular FEN` | draughts: leaves the board irregularly in this position |
//! | `SIDE pause` | draughts: pauses while the pieces taken leave the board |
//! | `SIDE uncrowned 2`, `SIDE crown 2` | draughts: the man that became a king has no crown yet; is crowned |
//! | `SIDE choose piece e4`, `... capture d5`, `... king`, `... move Nf3`, `... correct`, `... accept` | chooses |
//! | `SIDE seal Nf3`, `... nothing`, `... unreadable`, `... ambiguous Nd2 Nf3`, `... illegal e1 e3` | seals |
//! | `SIDE late 5:00`, `both late 70:00`, `SIDE arrive 10:00` | so late for the game, for the resumption; `excused` can follow |
//! | `SIDE upset`, `SIDE leave`, `SIDE disobey`, `both disobey`, `SIDE phone`, `SIDE device`, `SIDE exit` | conduct; `exit` leaves the playing room |
//! | `SIDE disobey draw`, `SIDE disobey loss` | the same, and the opponent scores as for a draw, or nothing |
//! | `SIDE record behind`, `... ahead`, `... complete` | moves before he has recorded his last move; records a move before he makes it; his score sheet is complete |
//! | `SIDE say Nf3`, `SIDE misspeak` | blind play: announces a move; has announced another than he made |
//! | `SIDE feel e2` | blind play: touches a piece without taking it out of its hole |
//! | `SIDE clock 1:00:00`, `SIDE clock +2:00`, `SIDE clock -2:00` | the arbiter sets a clock |
//! | `SIDE penalty warn`, `... give 2:00`, `... take 2:00`, `... lose`, `... less 0.5`, `... more 0.5`, `... fine 50`, `... exclude 2`, `... expel` | the arbiter's penalties; `exclude` is from so many rounds |
//! | `notice illegal`, `... illegal lost`, `... illegal from 12` | an irregular move is found; the position is lost; the last known is after 12 plies |
//! | `notice displaced from 12`, `notice restored 12` | pieces were displaced after 12 plies; were put back wrongly then |
//! | `notice boards`, `notice boards from 12` | blind play: the boards differ; the score sheets agree up to 12 plies |
//! | `notice impossible` | without supervision: both kings are in check, or a pawn stands on its last rank |
//! | `notice sheets`, `notice sheets lost` | after `flag open`: no score sheet is complete; none can be completed |
//! | `notice displaced`, `notice setup`, `notice kings`, `notice board`, `notice colours` | what is found |
//! | `notice colours restart` | the same, and the arbiter has the game begun again |
//! | `SIDE notice clocks` | the clocks were set wrongly at the resumption |
//! | `SIDE notice kings` and the like | the same, by a player who asks for its consequence |
//! | `decide draw`, `decide reject`, `decide defer`, `decide increment`, `decide move Nf3` | the arbiter decides what waits for him |
//! | `decide defer without time` | he puts a decision off, and gives the opponent no time for it |
//! | `adjourn`, `resume`, `resume without black`, `resume without both`, `envelope lost`, `position lost` | adjournment |
//! | `setup FEN`, `setup FEN moves e2e4 e7e5` | before the first move: a position, and moves from it that take no time, as of a book |
//! | `odds knight by white`, `odds pawn and 2 by white`, `odds 36 41 by white` | before the first move |

pub mod complete;
mod french;
pub mod help;
pub mod language;
pub mod log;
pub mod possible;
pub mod read;
mod text;
pub mod time;

use crate::base::side::Side;
use crate::laws::ruled::{IllegalMove, Ruled};
use std::time::Duration;

pub(super) use french::to_players;
pub use text::word;

/// What happens.
#[derive(Clone, PartialEq, Debug)]
pub enum Event<G: Ruled> {
    /// What a player does, or what is done to him.
    Player(Side, Act<G>),
    /// Something that concerns both.
    Game(Incident<G>),
}

/// What a player does.
#[derive(Clone, PartialEq, Debug)]
#[expect(missing_docs, reason = "the language above says what they are")]
pub enum Act<G: Ruled> {
    Touch(G::Square),
    Adjust(G::Square),
    Release(G::Square, G::Square),
    Remove(G::Square),
    Promote(char),
    Move(G::Move),
    Castle(G::Square),
    Press(Option<Shown>),
    Flag(Fall),
    Offer,
    Accept,
    Refuse,
    Resign,
    Claim(Claim, Option<Intended<G>>),
    Demand,
    Announce(u32),
    Illegal(IllegalMove<G::Square>),
    Hands(G::Move),
    Irregular(Box<G>),
    Choose(Choice<G>),
    Seal(Sheet<G>),
    Late(Late),
    Arrive(Late),
    Stop(StopFor),
    Withdraw,
    Waive,
    Pause,
    Crown(G::Square),
    Uncrowned(G::Square),
    Record(Recorded),
    Say(G::Move),
    Feel(G::Square),
    Misspeak,
    Exit,
    Upset,
    Leave,
    Disobey(Deserved),
    Phone,
    Device,
    Clock(Change),
    Penalty(Penalty),
    Notice(Notice),
}

/// What a clock says when it is pressed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shown {
    /// The time left.
    Left(Duration),
    /// The time taken.
    Taken(Duration),
}

/// How late a player comes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Late {
    /// By how much.
    pub time: Duration,
    /// Whether the arbiter excuses it.
    pub excused: bool,
}

/// What for a player stops both clocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopFor {
    /// To ask for the arbiter's help.
    Help,
    /// Pieces were displaced.
    Pieces,
    /// The score sheets differ in the number of moves.
    Sheets,
    /// To claim something.
    Claim,
}

impl StopFor {
    /// The reasons that are named; help is what a player asks for who names none.
    pub(in crate::laws) const WORDS: [(&'static str, Self); 3] =
        [("pieces", Self::Pieces), ("sheets", Self::Sheets), ("claim", Self::Claim)];
}

/// What the fall of a flag means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fall {
    /// The moves were not made in time.
    Overstepped,
    /// Whether they were the score sheets will show.
    Open,
}

/// What is found on a score sheet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recorded {
    /// The player moves before he has recorded his last move.
    Behind,
    /// He records a move before he makes it.
    Ahead,
    /// Every move is recorded.
    Complete,
}

impl Recorded {
    /// All of them with their words.
    pub(in crate::laws) const WORDS: [(&'static str, Self); 3] =
        [("behind", Self::Behind), ("ahead", Self::Ahead), ("complete", Self::Complete)];
}

/// What the opponent of a player scores who has lost for his conduct.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deserved {
    /// A win.
    Win,
    /// As for a draw.
    Draw,
    /// As for a loss.
    Loss,
}

/// A claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the language above says what they are")]
pub enum Claim {
    Repetition,
    Fifty,
    Perpetual,
    Winless,
    Demand,
    Flag,
    Illegal,
    Touch,
    Increment,
}

/// The move that a player writes down with a claim.
#[derive(Clone, PartialEq, Debug)]
pub enum Intended<G: Ruled> {
    /// A legal move.
    Move(G::Move),
    /// A move that is illegal, from a square to another.
    Illegal(G::Square, G::Square),
}

/// What a player chooses, or the arbiter.
#[derive(Clone, PartialEq, Debug)]
pub enum Choice<G: Ruled> {
    /// This own piece of the other player is to move.
    Piece(G::Square),
    /// This piece is to be taken.
    Capture(G::Square),
    /// The king is to move.
    King,
    /// The sealed move means this.
    Move(G::Move),
    /// What is irregular is corrected.
    Correct,
    /// What is irregular stands.
    Accept,
}

/// What lies in an envelope.
#[derive(Clone, PartialEq, Debug)]
pub enum Sheet<G: Ruled> {
    /// A legal move.
    Move(G::Move),
    /// Nothing.
    Nothing,
    /// Something that nobody can read.
    Unreadable,
    /// A text that means any of these.
    Ambiguous(Vec<G::Move>),
    /// A move that is illegal, from a square to another.
    Illegal(G::Square, G::Square),
}

/// How the arbiter changes a clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// To this time.
    Set(Duration),
    /// More time, by this much.
    More(Duration),
    /// Less time, by this much.
    Less(Duration),
}

/// The arbiter's penalties (13.4; 12.9 of 2023).
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Penalty {
    /// A warning.
    Warn,
    /// Time for the opponent.
    Give(Duration),
    /// Time from the player.
    Take(Duration),
    /// The game is lost.
    Lose,
    /// Fewer points for the player, by this number.
    Less(f64),
    /// More points for the opponent, by this number.
    More(f64),
    /// A fine of this sum.
    Fine(u32),
    /// Exclusion from so many rounds.
    Exclude(u32),
    /// Expulsion.
    Expel,
}

/// What is found to be wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notice {
    /// An irregular move was made.
    Illegal(Restore),
    /// Pieces were displaced.
    Displaced(Restore),
    /// Displaced pieces were put back wrongly after this ply, or the board at the resumption.
    Restored(usize),
    /// The boards of two players who do not both see differ.
    Boards(Restore),
    /// A position that no legal moves lead to.
    Impossible,
    /// No score sheet is complete.
    Sheets {
        /// And none can be completed.
        lost: bool,
    },
    /// The initial position was wrong.
    Setup,
    /// Kings and queens stood on each other's squares.
    Kings,
    /// The board lies wrongly.
    Board,
    /// White is played by the wrong player.
    Colours {
        /// Whether the arbiter has the game begun again.
        restart: bool,
    },
    /// The clocks were set wrongly at the resumption.
    Clocks,
}

/// Whether the position before an irregularity is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Restore {
    /// It is known.
    Known,
    /// The last known position is the one after this ply.
    After(usize),
    /// No position is known.
    Lost,
}

/// What concerns both players.
#[derive(Clone, PartialEq, Debug)]
#[expect(missing_docs, reason = "the language above says what they are")]
pub enum Incident<G: Ruled> {
    Flags,
    Stop,
    Start,
    Agree,
    BothLate(Late),
    BothDisobey,
    Notice(Notice),
    Decide(Decide<G>),
    Adjourn,
    Resume(Option<Side>),
    ResumeWithoutBoth,
    EnvelopeLost,
    PositionLost,
    /// A start position, and moves that were made from it before the clocks were started.
    Setup(Box<G>, Vec<G::Move>),
    Odds {
        pieces: Vec<G::Square>,
        moves: u8,
        by: Side,
    },
}

/// What the arbiter decides.
#[derive(Clone, PartialEq, Debug)]
#[expect(missing_docs, reason = "the language above says what they are")]
pub enum Decide<G: Ruled> {
    Draw,
    Reject,
    Defer {
        /// Whether the opponent is given time for it.
        time: bool,
    },
    Increment,
    Move(G::Move),
}
