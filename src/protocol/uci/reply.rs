//! What the engine says: each reply is a type that prints itself.

use crate::chess::{File, Move, Position, Rank, Square};
use crate::eval::chess::{Wdl, wdl};
use crate::search::report::{Bound, Info};
use std::fmt::{self, Display, Formatter};

/// How moves are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Notation {
    /// Castling as king takes rook.
    pub chess960: bool,
}

impl Notation {
    /// The text of a legal move. From unusual squares castling is always king takes rook: the king's
    /// two steps might be an ordinary move.
    pub fn write(self, position: &Position, m: Move) -> String {
        let usual = m.from().file() == File::E && matches!(m.to().file(), File::A | File::H);
        position.uci(m, self.chess960 || !usual)
    }
}

/// `info string ...`: words for the user. Long texts are cut and control characters are blanked, since
/// the text may repeat what somebody sent.
#[derive(Clone, Debug)]
pub struct Text<T>(pub T);

impl<T: Display> Display for Text<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        const LONGEST: usize = 300;
        let text = self.0.to_string();
        let clean: String =
            text.chars().take(LONGEST).map(|c| if c.is_control() { ' ' } else { c }).collect();
        let more = if text.chars().nth(LONGEST).is_some() { "..." } else { "" };
        write!(f, "info string {clean}{more}")
    }
}

/// `info` with a line of thought.
#[derive(Clone, Debug)]
pub struct Thought<'a> {
    /// What the search reports.
    pub info: &'a Info<Move>,
    /// Where the line begins.
    pub root: &'a Position,
    /// How to write its moves.
    pub notation: Notation,
    /// Whether to tell the chances.
    pub show_wdl: bool,
}

impl Display for Thought<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Info { depth, seldepth, multipv, score, nodes, elapsed, hashfull, tbhits, .. } =
            self.info;
        write!(f, "info depth {depth} seldepth {seldepth} multipv {multipv} score {score}")?;
        f.write_str(match self.info.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        })?;
        if self.show_wdl {
            let Wdl { win, draw, loss } = wdl(score.centipawns(), self.root);
            write!(f, " wdl {win} {draw} {loss}")?;
        }
        let nps = u128::from(*nodes) * 1_000_000_000 / elapsed.as_nanos().max(1);
        let time = elapsed.as_millis();
        write!(f, " nodes {nodes} nps {nps} hashfull {hashfull} tbhits {tbhits} time {time}")?;
        if !self.info.pv.is_empty() {
            f.write_str(" pv")?;
        }
        // How a move is written depends on the move alone, castling included.
        self.info.pv.iter().try_for_each(|&m| write!(f, " {}", self.notation.write(self.root, m)))
    }
}

/// `info` with the root move being searched.
#[derive(Clone, Debug)]
pub struct CurrentMove {
    /// Depth of the iteration.
    pub depth: i32,
    /// The move.
    pub m: String,
    /// Its place in the order, from 1.
    pub number: usize,
}

impl Display for CurrentMove {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { depth, m, number } = self;
        write!(f, "info depth {depth} currmove {m} currmovenumber {number}")
    }
}

/// `info` for a position in which the game is over: mated, or stalemate.
#[derive(Clone, Copy, Debug)]
pub struct NoMoves {
    /// Whether it is mate.
    pub in_check: bool,
}

impl Display for NoMoves {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(if self.in_check {
            "info depth 0 score mate 0"
        } else {
            "info depth 0 score cp 0"
        })
    }
}

/// `bestmove`: the end of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BestMove {
    /// The move; none where there is no legal one.
    pub best: Option<String>,
    /// The reply to ponder on.
    pub ponder: Option<String>,
}

impl Display for BestMove {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "bestmove {}", self.best.as_deref().unwrap_or("(none)"))?;
        self.ponder.as_ref().map_or(Ok(()), |m| write!(f, " ponder {m}"))
    }
}

/// The answer to `d`: a diagram, the FEN and what is special.
#[derive(Clone, Copy, Debug)]
pub struct Diagram<'a>(pub &'a Position);

impl Display for Diagram<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let position = self.0;
        writeln!(f, "  +-----------------+")?;
        for rank in Rank::ALL.into_iter().rev() {
            write!(f, "{} |", rank.digit())?;
            for file in File::ALL {
                let piece = position.piece_on(Square::new(file, rank));
                write!(f, " {}", piece.map_or('.', |piece| piece.letter()))?;
            }
            writeln!(f, " |")?;
        }
        writeln!(f, "  +-----------------+")?;
        writeln!(f, "    a b c d e f g h")?;
        writeln!(f, "FEN: {}", position.fen())?;
        write!(f, "Key: {:016x}", position.key())?;
        if position.in_check() {
            write!(f, "\n{} is in check from", position.side())?;
            position.checkers().into_iter().try_for_each(|by| write!(f, " {by}"))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::score::Score;
    use std::time::Duration;

    fn info(score: Score, pv: Vec<Move>) -> Info<Move> {
        Info {
            depth: 9,
            seldepth: 12,
            mean_depth: None,
            multipv: 1,
            score,
            bound: Bound::Lower,
            nodes: 5000,
            elapsed: Duration::from_millis(10),
            hashfull: 7,
            tbhits: 0,
            pv,
        }
    }

    #[test]
    fn a_thought_prints_every_field() {
        let root = Position::start();
        let pv = ["e2e4", "g1f3"].map(|text| root.parse_uci(text).expect("legal")).to_vec();
        let thought = |info: Info<Move>, show_wdl| {
            Thought { info: &info, root: &root, notation: Notation::default(), show_wdl }
                .to_string()
        };
        assert_eq!(
            thought(info(Score(31), pv), false),
            "info depth 9 seldepth 12 multipv 1 score cp 31 lowerbound nodes 5000 nps 500000 hashfull 7 \
             tbhits 0 time 10 pv e2e4 g1f3"
        );
        assert!(
            thought(info(Score::loss_in(4), vec![]), true)
                .contains("score mate -2 lowerbound wdl 0 0 1000")
        );
    }

    #[test]
    fn castling_from_unusual_squares_is_king_takes_rook() {
        let usual: Position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().expect("legal");
        let unusual: Position = "4k3/8/8/8/8/8/8/5K1R w K - 0 1".parse().expect("legal");
        let castle = |position: &Position| {
            position.legal_moves().iter().copied().find(|m| m.is_castle()).expect("castling")
        };
        let plain = Notation::default();
        assert_eq!(plain.write(&usual, castle(&usual)), "e1g1");
        assert_eq!(Notation { chess960: true }.write(&usual, castle(&usual)), "e1h1");
        assert_eq!(plain.write(&unusual, castle(&unusual)), "f1h1");
    }

    #[test]
    fn words_for_the_user_stay_on_one_short_line() {
        assert_eq!(Text("a\nb").to_string(), "info string a b");
        let long = Text("x".repeat(1000)).to_string();
        assert!(long.len() < 400 && long.ends_with("..."));
    }
}
