//! `info`: a report from a running search.

use crate::base::cursor::Cursor;
use crate::base::span::Span;
use crate::search::report::Bound;
use crate::search::score;
use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;
use std::time::Duration;

/// An `info` line. A missing or unreadable field is `None`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Info<'a> {
    pub depth: Option<u32>,
    /// The length of the longest line searched, in plies.
    pub seldepth: Option<u32>,
    /// The rank of the line in a MultiPV search, counted from 1. Here an invalid number becomes
    /// 0 instead of `None`.
    pub multipv: Option<u32>,
    pub score: Option<UciScore>,
    /// The bound type of the score; `None` for an exact score.
    pub bound: Option<Bound>,
    /// The probabilities of a win, draw and loss, in per mille.
    pub wdl: Option<[u16; 3]>,
    pub nodes: Option<u64>,
    pub nps: Option<u64>,
    pub hashfull: Option<u32>,
    pub tbhits: Option<u64>,
    /// The time since the search began, in whole milliseconds.
    pub time: Option<Duration>,
    pub currmove: Option<Cow<'a, str>>,
    /// The position of `currmove` in the move order, counted from 1.
    pub currmovenumber: Option<u32>,
    /// The moves of the line, separated by spaces.
    pub pv: Cow<'a, str>,
    pub string: Option<Cow<'a, str>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UciScore {
    Centipawns(i32),
    /// The number of moves to mate, negative if the side to move is mated.
    Mate(i32),
}

impl From<score::Score> for UciScore {
    fn from(score: score::Score) -> Self {
        score.mate_in().map_or(Self::Centipawns(score.centipawns()), Self::Mate)
    }
}

impl Display for UciScore {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Centipawns(score) => write!(f, "cp {score}"),
            Self::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

impl<'a> Info<'a> {
    /// Parses a line. Returns `None` if it is not an `info` line. Unknown words are skipped. If a
    /// field is repeated, its last valid value counts.
    pub fn parse(line: &'a str) -> Option<Self> {
        Self::parse_with(line, |_| {})
    }

    /// Returns the first field of an `info` line whose number is missing or malformed, as in
    /// `score cp abc`.
    pub(crate) fn malformed_field(line: &str) -> Option<String> {
        let mut malformed = None;
        Info::parse_with(line, |field| {
            malformed.get_or_insert(field);
        });
        malformed
    }

    /// Like [`Self::parse`], but passes each field with a missing or malformed number to
    /// `on_malformed`.
    fn parse_with(line: &'a str, mut on_malformed: impl FnMut(String)) -> Option<Self> {
        let mut words = Cursor::new(line);
        if words.word() != Some("info") {
            return None;
        }
        let mut info = Self::default();
        while let Some(word) = words.word() {
            let values = words.clone();
            let is_valid = match word {
                "depth" => set(&mut info.depth, number(&mut words)),
                "seldepth" => set(&mut info.seldepth, number(&mut words)),
                "multipv" => {
                    info.multipv = Some(0);
                    set(&mut info.multipv, number(&mut words))
                }
                "score" => set(&mut info.score, score(&mut words)),
                "wdl" => set(&mut info.wdl, wdl(&mut words)),
                "nodes" => set(&mut info.nodes, number(&mut words)),
                "nps" => set(&mut info.nps, number(&mut words)),
                "hashfull" => set(&mut info.hashfull, number_next(&mut words)),
                "tbhits" => set(&mut info.tbhits, number(&mut words)),
                "time" => set(&mut info.time, time_next(&mut words)),
                "currmovenumber" => set(&mut info.currmovenumber, number_next(&mut words)),
                "lowerbound" => set(&mut info.bound, Some(Bound::Lower)),
                "upperbound" => set(&mut info.bound, Some(Bound::Upper)),
                "currmove" => {
                    info.currmove = words.word().map(Cow::Borrowed);
                    true
                }
                "pv" => {
                    info.pv = words.rest().trim().into();
                    break;
                }
                "string" => {
                    info.string = Some(words.rest().trim().into());
                    break;
                }
                _ => true,
            };
            if !is_valid {
                on_malformed(field(word, values));
            }
        }
        Some(info)
    }

    /// Creates the report for a finished game (mate or stalemate).
    pub(crate) fn game_over(mated: bool) -> Self {
        let score = if mated { UciScore::Mate(0) } else { UciScore::Centipawns(0) };
        Self { depth: Some(0), score: Some(score), ..Self::default() }
    }

    /// Creates a message for the user. A long message is truncated, and control characters are
    /// replaced, because the message may quote input.
    pub(crate) fn message(text: &dyn Display) -> Self {
        /// Maximum length, in characters.
        const MAX_LENGTH: usize = 300;
        let text = text.to_string();
        let mut clean: String =
            text.chars().take(MAX_LENGTH).map(|c| if c.is_control() { ' ' } else { c }).collect();
        if text.chars().nth(MAX_LENGTH).is_some() {
            clean.push_str("...");
        }
        Self { string: Some(clean.into()), ..Self::default() }
    }
}

/// Sets a field if `value` is `Some`. Returns whether `value` is `Some`.
fn set<T>(field: &mut Option<T>, value: Option<T>) -> bool {
    let is_some = value.is_some();
    *field = value.or(field.take());
    is_some
}

/// Returns the name and the value of a field.
fn field(name: &str, mut values: Cursor<'_>) -> String {
    let count = match name {
        "score" => 2,
        "wdl" => 3,
        _ => 1,
    };
    let words = std::iter::from_fn(|| values.word()).take(count);
    [name].into_iter().chain(words).collect::<Vec<_>>().join(" ")
}

/// Parses the next word as a number and consumes the word even if it is invalid.
fn number<T: FromStr>(words: &mut Cursor<'_>) -> Option<T> {
    words.word()?.parse().ok()
}

/// Parses the next word as a number. An invalid word is not consumed, because it may start a field.
fn number_next<T: FromStr>(words: &mut Cursor<'_>) -> Option<T> {
    let mut ahead = words.clone();
    let found = number(&mut ahead)?;
    *words = ahead;
    Some(found)
}

/// Like [`number_next`], but for a time in milliseconds.
fn time_next(words: &mut Cursor<'_>) -> Option<Duration> {
    let mut ahead = words.clone();
    let found = Span::milliseconds(ahead.word()?)?;
    *words = ahead;
    Some(found.time())
}

fn score(words: &mut Cursor<'_>) -> Option<UciScore> {
    match words.word()? {
        "cp" => number(words).map(UciScore::Centipawns),
        "mate" => number(words).map(UciScore::Mate),
        _ => None,
    }
}

fn wdl(words: &mut Cursor<'_>) -> Option<[u16; 3]> {
    let mut ahead = words.clone();
    let [win, draw, loss] = [(); 3].map(|()| number(&mut ahead));
    let chances = [win?, draw?, loss?];
    *words = ahead;
    Some(chances)
}

impl Display for Info<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        fn field<T: Display>(f: &mut Formatter<'_>, name: &str, value: Option<T>) -> fmt::Result {
            value.map_or(Ok(()), |value| write!(f, " {name} {value}"))
        }
        f.write_str("info")?;
        field(f, "depth", self.depth)?;
        field(f, "seldepth", self.seldepth)?;
        field(f, "multipv", self.multipv)?;
        field(f, "score", self.score)?;
        f.write_str(match self.bound {
            None | Some(Bound::Exact) => "",
            Some(Bound::Lower) => " lowerbound",
            Some(Bound::Upper) => " upperbound",
        })?;
        field(f, "wdl", self.wdl.map(|[win, draw, loss]| format!("{win} {draw} {loss}")))?;
        field(f, "nodes", self.nodes)?;
        field(f, "nps", self.nps)?;
        field(f, "hashfull", self.hashfull)?;
        field(f, "tbhits", self.tbhits)?;
        field(f, "time", self.time.map(|time| time.as_millis()))?;
        field(f, "currmove", self.currmove.as_ref())?;
        field(f, "currmovenumber", self.currmovenumber)?;
        field(f, "pv", Some(&self.pv).filter(|pv| !pv.is_empty()))?;
        field(f, "string", self.string.as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(line: &str) -> Info<'_> {
        Info::parse(line).unwrap_or_else(|| panic!("{line}"))
    }

    fn score_of_any_kind() -> impl Strategy<Value = UciScore> {
        let kind =
            prop::sample::select(vec![UciScore::Centipawns as fn(i32) -> UciScore, UciScore::Mate]);
        (kind, any::<i32>()).prop_map(|(kind, n)| kind(n))
    }

    prop_compose! {
        fn infos()(
            (depth, seldepth, multipv) in any::<(Option<u32>, Option<u32>, Option<u32>)>(),
            score in prop::option::of(score_of_any_kind()),
            bound in prop::sample::select(vec![None, Some(Bound::Lower), Some(Bound::Upper)]),
            wdl in any::<Option<[u16; 3]>>(),
            (nodes, nps, tbhits) in any::<(Option<u64>, Option<u64>, Option<u64>)>(),
            (hashfull, currmovenumber) in any::<(Option<u32>, Option<u32>)>(),
            time in prop::option::of((0..=1_000_000_000_000_u64).prop_map(Duration::from_millis)),
            currmove in prop::option::of("[a-h][1-8][a-h][1-8]"),
            pv in "([a-h][1-8][a-h][1-8]( [a-h][1-8][a-h][1-8]){0,3})?",
            words in prop::option::of("[!-~]([ -~]{0,20}[!-~])?"),
        ) -> Info<'static> {
            // Everything after `pv` belongs to `pv`, so a `string` cannot follow it.
            let string = words.filter(|_| pv.is_empty()).map(Cow::Owned);
            let (currmove, pv) = (currmove.map(Cow::Owned), Cow::Owned(pv));
            Info { depth, seldepth, multipv, score, bound, wdl, nodes, nps, hashfull, tbhits, time,
                currmove, currmovenumber, pv, string }
        }
    }

    proptest! {
        #[test]
        fn infos_round_trip(info in infos()) {
            let line = info.to_string();
            prop_assert_eq!(Info::parse(&line), Some(info), "{}", line);
        }

        #[test]
        fn accepts_any_text_without_panic(line in "info \\PC*") {
            let _ = Info::parse(&line);
        }
    }

    #[test]
    fn parses_infos_of_other_engines() {
        let info = parse(
            "info  depth 7 seldepth 12 multipv 1 score cp -31 lowerbound nodes 900 nps 45 tbhits 2 \
             pv e2e4 nodes 1",
        );
        assert_eq!((info.depth, info.seldepth, info.multipv), (Some(7), Some(12), Some(1)));
        assert_eq!(info.score, Some(UciScore::Centipawns(-31)));
        assert_eq!((info.nodes, info.nps, info.tbhits), (Some(900), Some(45), Some(2)));
        assert_eq!((info.bound, &*info.pv), (Some(Bound::Lower), "e2e4 nodes 1"));
        // An unreadable field counts as missing, and its invalid number is consumed.
        assert_eq!(parse("info depth x score cp nodes"), Info::default());
        assert_eq!(parse("info score depth 3"), Info::default());
        assert_eq!(parse("info depth 5 depth x").depth, Some(5));
        assert_eq!(parse("info multipv x").multipv, Some(0));
        let words = parse("info string depth 99 score mate 1");
        assert_eq!((words.depth, words.string.as_deref()), (None, Some("depth 99 score mate 1")));
        assert_eq!(parse("info joho time depth 5 wdl 1 2 depth 6").depth, Some(6));
        for line in ["", "infos", "string info", "bestmove e2e4"] {
            assert_eq!(Info::parse(line), None, "{line}");
        }
    }

    #[test]
    fn quotes_malformed_numbers() {
        for (line, field) in [
            ("info depth x score cp 1", "depth x"),
            ("info depth 3 score cp abc nodes 1", "score cp abc"),
            ("info score depth 3", "score depth 3"),
            ("info nps 1e6 nodes -1", "nps 1e6"),
            ("info wdl 1 2 depth 6", "wdl 1 2 depth"),
            ("info multipv x", "multipv x"),
            ("info depth", "depth"),
        ] {
            assert_eq!(Info::malformed_field(line).as_deref(), Some(field), "{line}");
        }
        for line in [
            "info depth 7 seldepth 12 multipv 1 score mate -3 upperbound wdl 1 2 3 nodes 9 nps 45 \
             tbhits 0 hashfull 9 time 1 pv e2e4 depth x",
            "info currmove e2e4 currmovenumber 1 cpuload 9",
            "info string depth x",
            "bestmove e2e4",
        ] {
            assert_eq!(Info::malformed_field(line), None, "{line}");
        }
    }

    #[test]
    fn messages_are_one_short_line() {
        assert_eq!(Info::message(&"a\nb").to_string(), "info string a b");
        let long = Info::message(&"x".repeat(1000)).to_string();
        assert!(long.len() < 400 && long.ends_with("..."));
    }
}
