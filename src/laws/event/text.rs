//! Events as lines of their language, which [`read`](super::read) reads again.

use super::*;
use crate::laws::time::Hms;
use std::fmt;

/// The word of a side in the language.
pub const fn word(side: Side) -> &'static str {
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
            Self::Flag(Fall::Overstepped) => f.write_str("flag"),
            Self::Flag(Fall::Open) => f.write_str("flag open"),
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
            Self::Say(m) => write!(f, "say {m}"),
            Self::Feel(square) => write!(f, "feel {square}"),
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
    pub(in crate::laws) const WORDS: [(&'static str, Self); 9] = [
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
            Self::Impossible => f.write_str("impossible"),
            Self::Sheets { lost: false } => f.write_str("sheets"),
            Self::Sheets { lost: true } => f.write_str("sheets lost"),
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
