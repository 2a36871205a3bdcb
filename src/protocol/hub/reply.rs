//! What the engine says: each reply is a type that prints itself.

use super::line::Value;
use crate::draughts::{Move, notation};
use crate::search::report::{Bound, Info};
use crate::search::score::Score;
use std::fmt::{self, Display, Formatter};

/// `error message="..."`.
#[derive(Clone, Debug)]
pub struct Failure<T>(pub T);

impl<T: Display> Display for Failure<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "error message={}", Value(&self.0))
    }
}

/// A score in men. Wins count down by a hundredth for each ply: from 100, or from 50 if it is the
/// bitbases that know the win.
#[derive(Clone, Copy, Debug)]
pub struct InMen(pub Score);

impl Display for InMen {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        const WON: i32 = 100 * 100;
        const KNOWN: i32 = WON / 2;
        let Self(score) = *self;
        let of_winner = if score.is_loss() { -score } else { score };
        let hundredths = if score.is_mate() {
            WON - (Score::MATE - of_winner)
        } else if score.is_by_table() {
            KNOWN - (Score::TABLE_WIN - of_winner)
        } else {
            score.centipawns().clamp(-KNOWN, KNOWN)
        };
        let hundredths = if score.is_loss() { -hundredths } else { hundredths };
        let sign = if hundredths < 0 { "-" } else { "" };
        let size = hundredths.abs();
        write!(f, "{sign}{}.{:02}", size / 100, size % 100)
    }
}

/// `info` with a line of thought.
#[derive(Clone, Debug)]
pub struct Thought<'a>(pub &'a Info<Move>);

impl Display for Thought<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Info { depth, mean_depth, seldepth, score, bound, nodes, elapsed, .. } = self.0;
        let Info { hashfull, tbhits, .. } = self.0;
        let seconds = elapsed.as_secs_f64();
        let million_nps = *nodes as f64 / seconds.max(1e-6) / 1e6;
        write!(f, "info depth={depth}")?;
        mean_depth.map_or(Ok(()), |plies| write!(f, " mean-depth={plies:.1}"))?;
        write!(f, " max-depth={seldepth} score={}", InMen(*score))?;
        f.write_str(match bound {
            Bound::Exact => "",
            Bound::Lower => " bound=lower",
            Bound::Upper => " bound=upper",
        })?;
        write!(f, " nodes={nodes} time={seconds:.3} nps={million_nps:.3}")?;
        write!(f, " hashfull={hashfull} tbhits={tbhits} pv=\"")?;
        for (i, &m) in self.0.pv.iter().enumerate() {
            write!(f, "{}{}", if i == 0 { "" } else { " " }, notation::hub(m))?;
        }
        f.write_str("\"")
    }
}

/// `done`: the move to play, and the reply to ponder on.
#[derive(Clone, Copy, Debug)]
pub struct Done {
    /// The move; none where there is no legal one.
    pub best: Option<Move>,
    /// The expected reply.
    pub ponder: Option<Move>,
}

impl Display for Done {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.best {
            Some(m) => write!(f, "done move={}", notation::hub(m))?,
            None => f.write_str("done move=none")?,
        }
        self.ponder.map_or(Ok(()), |m| write!(f, " ponder={}", notation::hub(m)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_in_men() {
        let text = |score| InMen(score).to_string();
        assert_eq!(text(Score(0)), "0.00");
        assert_eq!(text(Score(-7)), "-0.07");
        assert_eq!(text(Score(123)), "1.23");
        assert_eq!(text(Score::win_in(1)), "99.99");
        assert_eq!(text(Score::loss_in(2)), "-99.98");
        assert_eq!(text(Score::table_win_in(1)), "49.99");
        assert_eq!(text(Score::table_loss_in(12)), "-49.88");
        assert_eq!(text(Score::EVAL), "50.00");
    }

    #[test]
    fn errors_are_one_quoted_value() {
        assert_eq!(Failure("no \"x\"\n=").to_string(), "error message=\"no 'x' =\"");
    }
}
