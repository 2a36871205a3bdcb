//! The engine's replies: each kind of line has a type that can be parsed and printed.

use super::info::Info;
use super::option::OptionLine;
use crate::chess::{File, Move, Position, Rank, Square};
use crate::eval::chess::{Wdl, wdl};
use crate::search::report::{self, Bound};
use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply<'a> {
    /// `id name NAME`.
    Name(Cow<'a, str>),
    /// `id author NAME`.
    Author(Cow<'a, str>),
    Option(OptionLine<'a>),
    /// `uciok`: the identification is complete.
    UciOk,
    /// `readyok`: the earlier commands are done, except for a running search.
    ReadyOk,
    Info(Info<'a>),
    BestMove(BestMove<'a>),
}

impl<'a> Reply<'a> {
    /// Parses a line. Returns `None` for an unknown reply, which the caller should ignore.
    pub fn parse(line: &'a str) -> Option<Self> {
        match line.split_whitespace().next()? {
            "id" => match line.strip_prefix("id name ") {
                Some(name) => Some(Self::Name(name.into())),
                None => Some(Self::Author(line.strip_prefix("id author ")?.into())),
            },
            "option" => OptionLine::parse(line).map(Self::Option),
            "uciok" => Some(Self::UciOk),
            "readyok" => Some(Self::ReadyOk),
            "info" => Info::parse(line).map(Self::Info),
            "bestmove" => BestMove::parse(line).map(Self::BestMove),
            _ => None,
        }
    }
}

impl Display for Reply<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(f, "id name {name}"),
            Self::Author(name) => write!(f, "id author {name}"),
            Self::Option(option) => option.fmt(f),
            Self::UciOk => f.write_str("uciok"),
            Self::ReadyOk => f.write_str("readyok"),
            Self::Info(info) => info.fmt(f),
            Self::BestMove(best_move) => best_move.fmt(f),
        }
    }
}

/// `bestmove`: the result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BestMove<'a> {
    /// The move as sent, which may be invalid. It is [`Self::NONE`] if the side to move has no move
    /// or the search could not begin, and empty if the engine sent no move.
    pub best: Cow<'a, str>,
    pub ponder: Option<Cow<'a, str>>,
}

impl<'a> BestMove<'a> {
    /// The text sent instead of a move if the side to move has none or the search cannot begin.
    pub(crate) const NONE: &'static str = "(none)";

    /// Parses a line. Returns `None` if it is not a `bestmove` line.
    pub fn parse(line: &'a str) -> Option<Self> {
        let mut words = line.split_whitespace();
        words.next().filter(|&word| word == "bestmove")?;
        let best = words.next().unwrap_or_default().into();
        let ponder = words.next().filter(|&word| word == "ponder");
        Some(Self { best, ponder: ponder.and(words.next()).map(Cow::Borrowed) })
    }
}

impl Display for BestMove<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "bestmove {}", self.best)?;
        self.ponder.iter().try_for_each(|m| write!(f, " ponder {m}"))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Notation {
    /// If true, castling is written as king takes rook.
    pub chess960: bool,
}

impl Notation {
    /// Formats a legal move.
    pub fn write(self, position: &Position, m: Move) -> String {
        position.uci(m, self.chess960)
    }

    /// Converts a search report into an `info` line. `root` is the root position of the search.
    pub(crate) fn info(
        self,
        root: &Position,
        info: &report::Info<Move>,
        show_wdl: bool,
    ) -> Info<'static> {
        let report::Info { depth, seldepth, multipv, score, bound, nodes, elapsed, .. } = *info;
        let chances = show_wdl.then(|| wdl(info.internal_score.centipawns(), root));
        let nps = u128::from(nodes) * 1_000_000_000 / elapsed.as_nanos().max(1);
        // Every move of the line can be written with `root` as its position, because the text of a
        // move, even of castling, does not depend on the position.
        let pv: Vec<String> = info.pv.iter().map(|&m| self.write(root, m)).collect();
        Info {
            depth: Some(depth),
            seldepth: Some(seldepth),
            multipv: u32::try_from(multipv).ok(),
            score: Some(score.into()),
            bound: Some(bound).filter(|&bound| bound != Bound::Exact),
            wdl: chances.map(|Wdl { win, draw, loss }| [win, draw, loss]),
            nodes: Some(nodes),
            nps: Some(u64::try_from(nps).unwrap_or(u64::MAX)),
            hashfull: Some(info.hashfull),
            tbhits: Some(info.tbhits),
            time: Some(elapsed),
            pv: pv.join(" ").into(),
            ..Info::default()
        }
    }
}

/// The answer to `d`: a diagram, the FEN, the key and the checking pieces of a position. The FEN is
/// given separately, because it may contain more than the position stores.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Diagram<'a>(pub &'a Position, pub &'a str);

impl Display for Diagram<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self(position, fen) = self;
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
        writeln!(f, "FEN: {fen}")?;
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
    use crate::search::depth::Ply;
    use crate::search::score::Score;
    use std::time::Duration;

    #[test]
    fn replies_round_trip() {
        let best = |best: &'static str, ponder: Option<&'static str>| {
            Reply::BestMove(BestMove { best: best.into(), ponder: ponder.map(Cow::Borrowed) })
        };
        for (reply, line) in [
            (Reply::Name("Adoube 1".into()), "id name Adoube 1"),
            (Reply::Author("the authors".into()), "id author the authors"),
            (Reply::UciOk, "uciok"),
            (Reply::ReadyOk, "readyok"),
            (best("e2e4", None), "bestmove e2e4"),
            (best("e2e4", Some("e7e5")), "bestmove e2e4 ponder e7e5"),
            (best(BestMove::NONE, None), "bestmove (none)"),
            (Reply::Info(Info::game_over(true)), "info depth 0 score mate 0"),
            (Reply::Info(Info::game_over(false)), "info depth 0 score cp 0"),
            (
                Reply::Option(OptionLine { name: "A", kind: "button", ..OptionLine::default() }),
                "option name A type button",
            ),
        ] {
            assert_eq!(reply.to_string(), line);
            assert_eq!(Reply::parse(line), Some(reply));
        }
    }

    #[test]
    fn parses_or_ignores_unusual_replies() {
        let best = |line| match Reply::parse(line) {
            Some(Reply::BestMove(BestMove { best, ponder })) => (best, ponder),
            other => panic!("{line}: {other:?}"),
        };
        assert_eq!(best("bestmove"), ("".into(), None));
        assert_eq!(best("  bestmove \t e2e4  ponder"), ("e2e4".into(), None));
        assert_eq!(best("bestmove e2e4 joho ponder e7e5").1, None);
        for line in ["", " ", "id", "id name", "bestmov e2e4", "joho bestmove e2e4", "option"] {
            assert_eq!(Reply::parse(line), None, "{line}");
        }
    }

    #[test]
    fn prints_every_field_of_a_report() {
        let root = Position::start();
        let pv = ["e2e4", "g1f3"].map(|text| root.parse_uci(text).expect("legal")).to_vec();
        let line = |score, pv, show_wdl| {
            let info = report::Info {
                depth: 9,
                seldepth: 12,
                mean_depth: None,
                multipv: 1,
                score,
                internal_score: score,
                bound: Bound::Lower,
                nodes: 5000,
                elapsed: Duration::from_millis(10),
                hashfull: 7,
                tbhits: 0,
                pv,
            };
            Notation::default().info(&root, &info, show_wdl).to_string()
        };
        assert_eq!(
            line(Score(31), pv, false),
            "info depth 9 seldepth 12 multipv 1 score cp 31 lowerbound nodes 5000 nps 500000 hashfull 7 \
             tbhits 0 time 10 pv e2e4 g1f3"
        );
        assert!(
            line(Score::loss_in(Ply(4)), vec![], true)
                .contains("score mate -2 lowerbound wdl 0 0 1000")
        );
    }

    #[test]
    fn prints_castling_as_king_takes_rook_in_chess960_only() {
        let usual: Position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().expect("legal");
        let unusual: Position = "4k3/8/8/8/8/8/8/5K1R w K - 0 1".parse().expect("legal");
        let castle = |position: &Position| {
            position.legal_moves().iter().copied().find(|m| m.is_castle()).expect("castling")
        };
        let plain = Notation::default();
        assert_eq!(plain.write(&usual, castle(&usual)), "e1g1");
        assert_eq!(Notation { chess960: true }.write(&usual, castle(&usual)), "e1h1");
        assert_eq!(Notation { chess960: true }.write(&unusual, castle(&unusual)), "f1h1");
    }
}
