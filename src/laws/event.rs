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
//! | `SIDE misspeak` | blind play: has announced another move than he made |
//! | `SIDE clock 1:00:00`, `SIDE clock +2:00`, `SIDE clock -2:00` | the arbiter sets a clock |
//! | `SIDE penalty warn`, `... give 2:00`, `... take 2:00`, `... lose`, `... less 0.5`, `... more 0.5`, `... fine 50`, `... exclude 2`, `... expel` | the arbiter's penalties; `exclude` is from so many rounds |
//! | `notice illegal`, `... illegal lost`, `... illegal from 12` | an irregular move is found; the position is lost; the last known is after 12 plies |
//! | `notice displaced from 12`, `notice restored 12` | pieces were displaced after 12 plies; were put back wrongly then |
//! | `notice boards`, `notice boards from 12` | blind play: the boards differ; the score sheets agree up to 12 plies |
//! | `notice displaced`, `notice setup`, `notice kings`, `notice board`, `notice colours` | what is found |
//! | `notice colours restart` | the same, and the arbiter has the game begun again |
//! | `SIDE notice clocks` | the clocks were set wrongly at the resumption |
//! | `SIDE notice kings` and the like | the same, by a player who asks for its consequence |
//! | `decide draw`, `decide reject`, `decide defer`, `decide increment`, `decide move Nf3` | the arbiter decides what waits for him |
//! | `decide defer without time` | he puts a decision off, and gives the opponent no time for it |
//! | `adjourn`, `resume`, `resume without black`, `resume without both`, `envelope lost`, `position lost` | adjournment |
//! | `setup FEN`, `setup FEN moves e2e4 e7e5` | before the first move: a position, and moves from it that take no time, as of a book |
//! | `odds knight by white`, `odds pawn and 2 by white`, `odds 36 41 by white` | before the first move |

use super::ruled::{IllegalMove, Ruled};
use super::time::Hms;
use crate::base::side::Side;
use std::fmt;
use std::time::Duration;

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
    Flag,
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
    pub(super) const WORDS: [(&'static str, Self); 3] =
        [("pieces", Self::Pieces), ("sheets", Self::Sheets), ("claim", Self::Claim)];
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
    pub(super) const WORDS: [(&'static str, Self); 3] =
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

/// The word of a side in the language.
pub(super) const fn word(side: Side) -> &'static str {
    match side {
        Side::White => "white",
        Side::Black => "black",
    }
}

impl<G: Ruled> fmt::Display for Event<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Player(side, act) => write!(f, "{} {act}", word(*side)),
            Self::Game(incident) => incident.fmt(f),
        }
    }
}

impl<G: Ruled> fmt::Display for Act<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Touch(square) => write!(f, "touch {square}"),
            Self::Adjust(square) => write!(f, "adjust {square}"),
            Self::Release(from, to) => write!(f, "release {from} {to}"),
            Self::Remove(square) => write!(f, "remove {square}"),
            Self::Promote(letter) => write!(f, "promote {letter}"),
            Self::Move(m) => write!(f, "move {m}"),
            Self::Castle(rook) => write!(f, "castle {rook}"),
            Self::Press(None) => f.write_str("press"),
            Self::Press(Some(Shown::Left(time))) => write!(f, "press {}", Hms(*time)),
            Self::Press(Some(Shown::Taken(time))) => write!(f, "press +{}", Hms(*time)),
            Self::Flag => f.write_str("flag"),
            Self::Offer => f.write_str("offer"),
            Self::Accept => f.write_str("accept"),
            Self::Refuse => f.write_str("refuse"),
            Self::Resign => f.write_str("resign"),
            Self::Claim(claim, None) => write!(f, "claim {}", claim.word()),
            Self::Claim(claim, Some(Intended::Move(m))) => {
                write!(f, "claim {} by {m}", claim.word())
            }
            Self::Claim(claim, Some(Intended::Illegal(from, to))) => {
                write!(f, "claim {} by {from}{to}", claim.word())
            }
            Self::Demand => f.write_str("demand"),
            Self::Announce(moves) => write!(f, "announce {moves}"),
            Self::Illegal(made) => write!(f, "illegal {made}"),
            Self::Hands(m) => write!(f, "hands {m}"),
            Self::Irregular(position) => write!(f, "irregular {}", position.setup_text()),
            Self::Choose(choice) => write!(f, "choose {choice}"),
            Self::Seal(sheet) => write!(f, "seal {sheet}"),
            Self::Late(late) => write!(f, "late {late}"),
            Self::Arrive(late) => write!(f, "arrive {late}"),
            Self::Stop(StopFor::Help) => f.write_str("stop"),
            Self::Stop(reason) => write!(f, "stop {}", name(&StopFor::WORDS, reason)),
            Self::Withdraw => f.write_str("withdraw"),
            Self::Waive => f.write_str("waive"),
            Self::Pause => f.write_str("pause"),
            Self::Crown(square) => write!(f, "crown {square}"),
            Self::Uncrowned(square) => write!(f, "uncrowned {square}"),
            Self::Record(recorded) => write!(f, "record {}", name(&Recorded::WORDS, recorded)),
            Self::Misspeak => f.write_str("misspeak"),
            Self::Exit => f.write_str("exit"),
            Self::Upset => f.write_str("upset"),
            Self::Leave => f.write_str("leave"),
            Self::Disobey(Deserved::Win) => f.write_str("disobey"),
            Self::Disobey(Deserved::Draw) => f.write_str("disobey draw"),
            Self::Disobey(Deserved::Loss) => f.write_str("disobey loss"),
            Self::Phone => f.write_str("phone"),
            Self::Device => f.write_str("device"),
            Self::Clock(Change::Set(time)) => write!(f, "clock {}", Hms(*time)),
            Self::Clock(Change::More(time)) => write!(f, "clock +{}", Hms(*time)),
            Self::Clock(Change::Less(time)) => write!(f, "clock -{}", Hms(*time)),
            Self::Penalty(penalty) => write!(f, "penalty {penalty}"),
            Self::Notice(notice) => write!(f, "notice {notice}"),
        }
    }
}

impl Claim {
    /// All claims with their words.
    pub(super) const WORDS: [(&'static str, Self); 9] = [
        ("repetition", Self::Repetition),
        ("fifty", Self::Fifty),
        ("perpetual", Self::Perpetual),
        ("winless", Self::Winless),
        ("demand", Self::Demand),
        ("flag", Self::Flag),
        ("illegal", Self::Illegal),
        ("touch", Self::Touch),
        ("increment", Self::Increment),
    ];

    fn word(self) -> &'static str {
        name(&Self::WORDS, &self)
    }
}

/// The word that stands for a thing in a table of them.
fn name<T: PartialEq>(words: &[(&'static str, T)], thing: &T) -> &'static str {
    words.iter().find(|(_, named)| named == thing).map_or("", |(word, _)| word)
}

impl fmt::Display for Late {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", Hms(self.time), if self.excused { " excused" } else { "" })
    }
}

impl<G: Ruled> fmt::Display for Choice<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Piece(square) => write!(f, "piece {square}"),
            Self::Capture(square) => write!(f, "capture {square}"),
            Self::King => f.write_str("king"),
            Self::Move(m) => write!(f, "move {}", G::move_text(*m)),
            Self::Correct => f.write_str("correct"),
            Self::Accept => f.write_str("accept"),
        }
    }
}

impl<G: Ruled> fmt::Display for Sheet<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Move(m) => write!(f, "{m}"),
            Self::Nothing => f.write_str("nothing"),
            Self::Unreadable => f.write_str("unreadable"),
            Self::Ambiguous(moves) => {
                f.write_str("ambiguous")?;
                moves.iter().try_for_each(|m| write!(f, " {m}"))
            }
            Self::Illegal(from, to) => write!(f, "illegal {from} {to}"),
        }
    }
}

impl fmt::Display for Penalty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Warn => f.write_str("warn"),
            Self::Give(time) => write!(f, "give {}", Hms(*time)),
            Self::Take(time) => write!(f, "take {}", Hms(*time)),
            Self::Lose => f.write_str("lose"),
            Self::Less(points) => write!(f, "less {points}"),
            Self::More(points) => write!(f, "more {points}"),
            Self::Fine(sum) => write!(f, "fine {sum}"),
            Self::Exclude(rounds) => write!(f, "exclude {rounds}"),
            Self::Expel => f.write_str("expel"),
        }
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Illegal(restore) => write!(f, "illegal{restore}"),
            Self::Displaced(restore) => write!(f, "displaced{restore}"),
            Self::Restored(plies) => write!(f, "restored {plies}"),
            Self::Boards(restore) => write!(f, "boards{restore}"),
            Self::Setup => f.write_str("setup"),
            Self::Kings => f.write_str("kings"),
            Self::Board => f.write_str("board"),
            Self::Colours { restart: false } => f.write_str("colours"),
            Self::Colours { restart: true } => f.write_str("colours restart"),
            Self::Clocks => f.write_str("clocks"),
        }
    }
}

impl fmt::Display for Restore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known => Ok(()),
            Self::After(plies) => write!(f, " from {plies}"),
            Self::Lost => f.write_str(" lost"),
        }
    }
}

impl<G: Ruled> fmt::Display for Incident<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flags => f.write_str("flags"),
            Self::Stop => f.write_str("stop"),
            Self::Start => f.write_str("start"),
            Self::Agree => f.write_str("both agree"),
            Self::BothLate(late) => write!(f, "both late {late}"),
            Self::BothDisobey => f.write_str("both disobey"),
            Self::Notice(notice) => write!(f, "notice {notice}"),
            Self::Decide(Decide::Draw) => f.write_str("decide draw"),
            Self::Decide(Decide::Reject) => f.write_str("decide reject"),
            Self::Decide(Decide::Defer { time: true }) => f.write_str("decide defer"),
            Self::Decide(Decide::Defer { time: false }) => f.write_str("decide defer without time"),
            Self::Decide(Decide::Increment) => f.write_str("decide increment"),
            Self::Decide(Decide::Move(m)) => write!(f, "decide move {m}"),
            Self::Adjourn => f.write_str("adjourn"),
            Self::Resume(None) => f.write_str("resume"),
            Self::Resume(Some(side)) => write!(f, "resume without {}", word(*side)),
            Self::ResumeWithoutBoth => f.write_str("resume without both"),
            Self::EnvelopeLost => f.write_str("envelope lost"),
            Self::PositionLost => f.write_str("position lost"),
            Self::Setup(position, moves) => {
                write!(f, "setup {}", position.setup_text())?;
                if !moves.is_empty() {
                    f.write_str(" moves")?;
                }
                moves.iter().try_for_each(|m| write!(f, " {m}"))
            }
            Self::Odds { pieces, moves, by } => {
                f.write_str("odds")?;
                pieces.iter().try_for_each(|square| write!(f, " {square}"))?;
                match (pieces.is_empty(), moves) {
                    (_, 0) => {}
                    (true, n) => write!(f, " {n} moves")?,
                    (false, n) => write!(f, " and {n}")?,
                }
                write!(f, " by {}", word(*by))
            }
        }
    }
}
