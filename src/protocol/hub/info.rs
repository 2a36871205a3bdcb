//! `info`: a report from a running search.

use super::line::HubLine;
use crate::base::span::Span;
use crate::draughts::Move;
use crate::search::report::{self, Bound};
use crate::search::score::Score;
use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;
use std::time::Duration;

/// An `info` line. A missing or unreadable field is `None`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Info<'a> {
    pub depth: Option<u32>,
    /// The mean depth of the leaves in plies, printed with one decimal.
    pub mean_depth: Option<f64>,
    /// The length of the longest line searched, in plies.
    pub max_depth: Option<u32>,
    /// The rank of the line in a search for several lines, counted from 1. This field is not part
    /// of the protocol, which allows additional fields.
    pub multi_pv: Option<u32>,
    pub score: Option<Men>,
    /// The bound type of the score; `None` for an exact score.
    pub bound: Option<Bound>,
    pub nodes: Option<u64>,
    /// The time since the search began, printed in seconds with three decimals.
    pub time: Option<Duration>,
    /// The nodes per second, printed in millions with three decimals.
    pub nps: Option<u64>,
    pub hashfull: Option<u32>,
    pub tbhits: Option<u64>,
    /// The moves of the line, separated by spaces.
    pub pv: Cow<'a, str>,
}

/// A score in hundredths of a man, printed in men. A win in n plies scores n hundredths below 100
/// men. A position n plies before a bitbase win scores n hundredths below 50 men.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Men(pub i32);

impl Men {
    /// The maximum absolute value of a parsed score, in hundredths of a man. Larger scores are
    /// clamped.
    const MAX: f64 = 1e6;

    fn parse(text: &str) -> Option<Self> {
        let men: f64 = text.parse().ok()?;
        men.is_finite().then(|| Self((men * 100.0).round().clamp(-Self::MAX, Self::MAX) as i32))
    }
}

impl From<Score> for Men {
    fn from(score: Score) -> Self {
        const WON: i32 = 100 * 100;
        const TABLE_WIN: i32 = WON / 2;
        let of_winner = if score.is_loss() { -score } else { score };
        let hundredths = if score.is_mate() {
            WON - (Score::MATE - of_winner)
        } else if score.is_by_table() {
            TABLE_WIN - (Score::TABLE_WIN - of_winner)
        } else {
            score.centipawns().clamp(-TABLE_WIN, TABLE_WIN)
        };
        Self(if score.is_loss() { -hundredths } else { hundredths })
    }
}

impl Display for Men {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let size = self.0.unsigned_abs();
        write!(f, "{sign}{}.{:02}", size / 100, size % 100)
    }
}

impl<'a> From<&HubLine<'a>> for Info<'a> {
    fn from(line: &HubLine<'a>) -> Self {
        let millions: Option<f64> = number(line, "nps");
        Self {
            depth: number(line, "depth"),
            mean_depth: number(line, "mean-depth"),
            max_depth: number(line, "max-depth"),
            multi_pv: number(line, "multi-pv"),
            score: line.get("score").and_then(Men::parse),
            bound: match line.get("bound") {
                Some("lower") => Some(Bound::Lower),
                Some("upper") => Some(Bound::Upper),
                _ => None,
            },
            nodes: number(line, "nodes"),
            time: line.get("time").and_then(Span::seconds).map(Span::time),
            nps: millions.map(|millions| (millions * 1e6).round() as u64),
            hashfull: number(line, "hashfull"),
            tbhits: number(line, "tbhits"),
            pv: line.get("pv").unwrap_or_default().into(),
        }
    }
}

impl Info<'_> {
    /// Returns the first field of an `info` line whose number is malformed, as in `depth=x`.
    pub(crate) fn malformed_field(line: &HubLine<'_>) -> Option<String> {
        let info = Info::from(line);
        let missing = [
            ("depth", info.depth.is_none()),
            ("mean-depth", info.mean_depth.is_none()),
            ("max-depth", info.max_depth.is_none()),
            ("multi-pv", info.multi_pv.is_none()),
            ("score", info.score.is_none()),
            ("nodes", info.nodes.is_none()),
            ("time", info.time.is_none()),
            ("nps", info.nps.is_none()),
            ("hashfull", info.hashfull.is_none()),
            ("tbhits", info.tbhits.is_none()),
        ];
        let mut malformed = missing.into_iter().filter(|&(_, is_missing)| is_missing);
        malformed.find_map(|(name, _)| Some(format!("{name}={}", line.get(name)?)))
    }
}

fn number<T: FromStr>(line: &HubLine<'_>, name: &str) -> Option<T> {
    line.get(name)?.parse().ok()
}

impl From<&report::Info<Move>> for Info<'static> {
    fn from(info: &report::Info<Move>) -> Self {
        let report::Info { depth, seldepth, mean_depth, score, bound, nodes, elapsed, .. } = *info;
        let nps = nodes as f64 / elapsed.as_secs_f64().max(1e-6);
        let pv: Vec<String> = info.pv.iter().map(ToString::to_string).collect();
        Self {
            depth: Some(depth),
            mean_depth,
            max_depth: Some(seldepth),
            multi_pv: None,
            score: Some(score.into()),
            bound: Some(bound).filter(|&bound| bound != Bound::Exact),
            nodes: Some(nodes),
            time: Some(elapsed),
            nps: Some(nps as u64),
            hashfull: Some(info.hashfull),
            tbhits: Some(info.tbhits),
            pv: pv.join(" ").into(),
        }
    }
}

impl Display for Info<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        fn field<T: Display>(f: &mut Formatter<'_>, name: &str, value: Option<T>) -> fmt::Result {
            value.map_or(Ok(()), |value| write!(f, " {name}={value}"))
        }
        f.write_str("info")?;
        field(f, "depth", self.depth)?;
        field(f, "mean-depth", self.mean_depth.map(|plies| format!("{plies:.1}")))?;
        field(f, "max-depth", self.max_depth)?;
        field(f, "multi-pv", self.multi_pv)?;
        field(f, "score", self.score)?;
        f.write_str(match self.bound {
            None | Some(Bound::Exact) => "",
            Some(Bound::Lower) => " bound=lower",
            Some(Bound::Upper) => " bound=upper",
        })?;
        field(f, "nodes", self.nodes)?;
        field(f, "time", self.time.map(|time| format!("{:.3}", time.as_secs_f64())))?;
        field(f, "nps", self.nps.map(|nps| format!("{:.3}", nps as f64 / 1e6)))?;
        field(f, "hashfull", self.hashfull)?;
        field(f, "tbhits", self.tbhits)?;
        // Quote even a single move, as other engines do.
        write!(f, " pv=\"{}\"", self.pv.replace('"', "'"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draughts::notation;
    use crate::search::depth::Ply;
    use proptest::prelude::*;

    #[test]
    fn prints_scores_in_men() {
        let text = |score: Score| Men::from(score).to_string();
        assert_eq!(text(Score(0)), "0.00");
        assert_eq!(text(Score(-7)), "-0.07");
        assert_eq!(text(Score(123)), "1.23");
        assert_eq!(text(Score::win_in(Ply(1))), "99.99");
        assert_eq!(text(Score::loss_in(Ply(2))), "-99.98");
        assert_eq!(text(Score::table_win_in(Ply(1))), "49.99");
        assert_eq!(text(Score::table_loss_in(Ply(12))), "-49.88");
        assert_eq!(text(Score::EVAL), "50.00");
    }

    #[test]
    fn prints_every_field_of_a_report() {
        let root = crate::draughts::Position::start();
        let info = report::Info {
            depth: 9,
            seldepth: 12,
            mean_depth: Some(8.25),
            multipv: 1,
            score: Score(31),
            internal_score: Score(31),
            bound: Bound::Lower,
            nodes: 50_000,
            elapsed: Duration::from_millis(10),
            hashfull: 7,
            tbhits: 3,
            pv: vec![notation::parse(&root, "32-28").expect("legal")],
        };
        assert_eq!(
            Info::from(&info).to_string(),
            "info depth=9 mean-depth=8.2 max-depth=12 score=0.31 bound=lower nodes=50000 time=0.010 \
             nps=5.000 hashfull=7 tbhits=3 pv=\"32-28\""
        );
    }

    #[test]
    fn parses_infos_of_other_engines() {
        let read =
            |text| Info::from(&HubLine::parse(text).unwrap_or_else(|e| panic!("{text}: {e}")));
        let info = read("info depth=21 mean-depth=20.8 score=-0.01 nodes=31 nps=5.25 pv=32-28");
        assert_eq!((info.depth, info.mean_depth), (Some(21), Some(20.8)));
        assert_eq!((info.score, info.nodes, info.nps), (Some(Men(-1)), Some(31), Some(5_250_000)));
        assert_eq!(info.pv, "32-28");
        assert_eq!(read("info score=x depth= nodes=-1 time=nan bound=none joho"), Info::default());
        let malformed =
            |text| Info::malformed_field(&HubLine::parse(text).unwrap_or_else(|e| panic!("{e}")));
        assert_eq!(malformed("info depth=3 score=x"), Some("score=x".to_owned()));
        assert_eq!(malformed("info depth=3 score=-0.12 time=0.5 pv=\"32-28\" joho=x"), None);
        assert_eq!(read("info score=nan").score, None);
        assert_eq!(read("info score=1e30").score, Some(Men(1_000_000)));
    }

    prop_compose! {
        fn infos()(
            (depth, max_depth, hashfull) in any::<(Option<u32>, Option<u32>, Option<u32>)>(),
            multi_pv in prop::option::of(1..300_u32),
            mean_depth in prop::option::of((0..10_000_u32).prop_map(|n| f64::from(n) / 10.0)),
            score in prop::option::of((-1_000_000..=1_000_000).prop_map(Men)),
            bound in prop::sample::select(vec![None, Some(Bound::Lower), Some(Bound::Upper)]),
            (nodes, tbhits) in any::<(Option<u64>, Option<u64>)>(),
            time in prop::option::of((0..1_000_000_000_u64).prop_map(Duration::from_millis)),
            nps in prop::option::of((0..1_000_000_000_u64).prop_map(|n| 1000 * n)),
            pv in "([1-9]{2}-[1-9]{2}( [1-9]{2}x[1-9]{2}x[1-9]{2}){0,3})?",
        ) -> Info<'static> {
            Info { depth, mean_depth, max_depth, multi_pv, score, bound, nodes, time, nps, hashfull,
                tbhits, pv: pv.into() }
        }
    }

    proptest! {
        #[test]
        fn infos_round_trip(info in infos()) {
            let text = info.to_string();
            let mut read = Info::from(&HubLine::parse(&text).expect("a line"));
            // Round to milliseconds: a time parsed from floating-point seconds may be off by a
            // nanosecond.
            read.time = read.time.map(|t| Duration::from_millis((t.as_micros() as u64 + 500) / 1000));
            prop_assert_eq!(read, info, "{}", text);
        }
    }
}
