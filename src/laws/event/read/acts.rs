//! What a player does, or what is done to him, and what is found to be wrong.

use super::super::{
    Act, Change, Choice, Claim, Deserved, Fall, Notice, Penalty, Recorded, Restore, Sheet, Shown,
    StopFor,
};
use super::*;

/// What a player can do.
const ACTS: &str = "touch, adjust, release, remove, promote, move, castle, press, flag, offer, accept, \
                    refuse, withdraw, resign, claim, demand, announce, stop, waive, illegal, hands, \
                    irregular, pause, crown, uncrowned, choose, seal, late, arrive, upset, leave, \
                    disobey, phone, device, exit, record, say, feel, misspeak, clock, penalty or notice";

impl<'a, G: Ruled> Words<'a, G> {
    /// What a player does.
    pub(super) fn act(&mut self) -> Result<Act<G>, ReadError> {
        Ok(match self.word() {
            ("touch", _) => Act::Touch(self.square()?),
            ("adjust", _) => Act::Adjust(self.square()?),
            ("release", _) => Act::Release(self.square()?, self.square()?),
            ("remove", _) => Act::Remove(self.square()?),
            ("promote", _) => match (self.word(), self.language) {
                (("q", _), _) | (("d", _), Language::French) => Act::Promote('q'),
                (("r", _), _) | (("t", _), Language::French) => Act::Promote('r'),
                (("b", _), _) | (("f", _), Language::French) => Act::Promote('b'),
                (("n", _), _) | (("c", _), Language::French) => Act::Promote('n'),
                (other, Language::French) => return Self::wrong(other, "d, t, f or c"),
                (other, Language::English) => return Self::wrong(other, "q, r, b or n"),
            },
            ("move", _) => Act::Move(self.move_()?),
            ("castle", _) => Act::Castle(self.square()?),
            ("press", _) if self.peek().is_empty() => Act::Press(None),
            ("press", _) => {
                let (text, column) = self.word();
                Act::Press(Some(match text.strip_prefix('+') {
                    Some(taken) => Shown::Taken(Self::time_in((taken, column))?),
                    None => Shown::Left(Self::time_in((text, column))?),
                }))
            }
            ("flag", _) if self.peek().is_empty() => Act::Flag(Fall::Overstepped),
            ("flag", _) => {
                self.expect("open")?;
                Act::Flag(Fall::Open)
            }
            ("offer", _) => Act::Offer,
            ("accept", _) => Act::Accept,
            ("refuse", _) => Act::Refuse,
            ("resign", _) => Act::Resign,
            ("claim", _) => {
                let expected = "repetition, fifty, perpetual, winless, demand, flag, illegal, touch or increment";
                let claim = self.one_of(&Claim::WORDS, expected)?;
                let by = if self.peek() == "by" {
                    self.word();
                    Some(self.intended()?)
                } else {
                    None
                };
                Act::Claim(claim, by)
            }
            ("demand", _) => Act::Demand,
            ("announce", _) => Act::Announce(self.number()?),
            ("illegal", _) => Act::Illegal(self.illegal()?),
            ("stop", _) if self.peek().is_empty() => Act::Stop(StopFor::Help),
            ("stop", _) => Act::Stop(self.one_of(&StopFor::WORDS, "pieces, sheets or claim")?),
            ("withdraw", _) => Act::Withdraw,
            ("waive", _) => Act::Waive,
            ("pause", _) => Act::Pause,
            ("crown", _) => Act::Crown(self.square()?),
            ("uncrowned", _) => Act::Uncrowned(self.square()?),
            ("record", _) => {
                Act::Record(self.one_of(&Recorded::WORDS, "behind, ahead or complete")?)
            }
            ("say", _) => Act::Say(self.move_()?),
            ("feel", _) => Act::Feel(self.square()?),
            ("misspeak", _) => Act::Misspeak,
            ("exit", _) => Act::Exit,
            ("hands", _) => Act::Hands(self.move_()?),
            ("irregular", _) => Act::Irregular(self.position()?),
            ("choose", _) => Act::Choose(match self.chosen() {
                ("piece", _) => Choice::Piece(self.square()?),
                ("capture", _) => Choice::Capture(self.square()?),
                ("king", _) => Choice::King,
                ("move", _) => Choice::Move(self.move_()?),
                ("correct", _) => Choice::Correct,
                ("accept", _) => Choice::Accept,
                other => {
                    return Self::wrong(other, "piece, capture, king, move, correct or accept");
                }
            }),
            ("seal", _) => Act::Seal(self.sheet()?),
            ("late", _) => Act::Late(self.late()?),
            ("arrive", _) => Act::Arrive(self.late()?),
            ("upset", _) => Act::Upset,
            ("leave", _) => Act::Leave,
            ("disobey", _) if self.peek().is_empty() => Act::Disobey(Deserved::Win),
            ("disobey", _) => Act::Disobey(match self.word() {
                ("draw", _) => Deserved::Draw,
                ("loss", _) => Deserved::Loss,
                other => return Self::wrong(other, "draw or loss"),
            }),
            ("phone", _) => Act::Phone,
            ("device", _) => Act::Device,
            ("clock", _) => {
                let (text, column) = self.word();
                Act::Clock(match (text.strip_prefix('+'), text.strip_prefix('-')) {
                    (Some(more), _) => Change::More(Self::time_in((more, column))?),
                    (_, Some(less)) => Change::Less(Self::time_in((less, column))?),
                    _ => Change::Set(Self::time_in((text, column))?),
                })
            }
            ("penalty", _) => Act::Penalty(match self.word() {
                ("warn", _) => Penalty::Warn,
                ("give", _) => Penalty::Give(self.time()?),
                ("take", _) => Penalty::Take(self.time()?),
                ("lose", _) => Penalty::Lose,
                ("less", _) => Penalty::Less(self.points()?),
                ("more", _) => Penalty::More(self.points()?),
                ("fine", _) => Penalty::Fine(self.number()?),
                ("exclude", _) => Penalty::Exclude(self.number()?),
                ("expel", _) => Penalty::Expel,
                other => {
                    let expected = "warn, give, take, lose, less, more, fine, exclude or expel";
                    return Self::wrong(other, expected);
                }
            }),
            ("notice", _) => Act::Notice(self.notice()?),
            other => return Self::wrong(other, ACTS),
        })
    }

    /// The word of a choice. What a player chooses is his opponent's move.
    fn chosen(&mut self) -> (&'a str, usize) {
        self.side = None;
        self.word()
    }

    fn sheet(&mut self) -> Result<Sheet<G>, ReadError> {
        let known = ["nothing", "unreadable", "ambiguous", "illegal"];
        if !known.contains(&self.peek()) {
            return self.move_().map(Sheet::Move);
        }
        Ok(match self.word().0 {
            "nothing" => Sheet::Nothing,
            "unreadable" => Sheet::Unreadable,
            "illegal" => Sheet::Illegal(self.square()?, self.square()?),
            _ => {
                let mut moves = vec![self.move_()?, self.move_()?];
                while !self.peek().is_empty() {
                    moves.push(self.move_()?);
                }
                Sheet::Ambiguous(moves)
            }
        })
    }

    /// What is found to be wrong.
    pub(super) fn notice(&mut self) -> Result<Notice, ReadError> {
        Ok(match self.word() {
            ("illegal", _) => Notice::Illegal(self.restore()?),
            ("displaced", _) => Notice::Displaced(self.restore()?),
            ("restored", _) => Notice::Restored(self.number()?),
            ("boards", _) => Notice::Boards(self.restore()?),
            ("impossible", _) => Notice::Impossible,
            ("sheets", _) => {
                let lost = !self.peek().is_empty();
                if lost {
                    self.expect("lost")?;
                }
                Notice::Sheets { lost }
            }
            ("setup", _) => Notice::Setup,
            ("kings", _) => Notice::Kings,
            ("board", _) => Notice::Board,
            ("colours", _) if self.peek() == "restart" => {
                self.word();
                Notice::Colours { restart: true }
            }
            ("colours", _) => Notice::Colours { restart: false },
            ("clocks", _) => Notice::Clocks,
            other => {
                return Self::wrong(
                    other,
                    "illegal, displaced, restored, boards, impossible, sheets, setup, kings, board, \
                     colours or clocks",
                );
            }
        })
    }

    fn restore(&mut self) -> Result<Restore, ReadError> {
        match self.word() {
            ("", _) => Ok(Restore::Known),
            ("lost", _) => Ok(Restore::Lost),
            ("from", _) => self.number().map(Restore::After),
            other => Self::wrong(other, "lost or from"),
        }
    }
}
