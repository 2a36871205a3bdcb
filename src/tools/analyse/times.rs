//! The time used for each move of a recorded game, computed from its comments and tags.

use super::Analysed;
use crate::arena::game::record::read_thought;
use crate::base::side::Side;
use crate::record::games::Record;

/// A period of a time control.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Period {
    seconds: f64,
    /// The increment per move, in seconds.
    increment: f64,
}

/// A player's clock.
struct Clock<'a> {
    /// The current period and all later periods.
    periods: &'a [Period],
    /// The player's remaining time after their previous move, in seconds; `None` if unknown.
    remaining: Option<f64>,
}

impl Clock<'_> {
    /// Returns the time that a move took, in seconds, or `None` if it cannot be computed. `now` is
    /// the time that the clock shows after the move, in seconds.
    fn spent(&mut self, now: Option<f64>) -> Option<f64> {
        /// The tolerance for negative times, in seconds. Times can be negative, because servers
        /// compensate for network lag.
        const TOLERANCE: f64 = 1.0;
        let before = std::mem::replace(&mut self.remaining, now)?;
        let spent = before - now? + self.periods.first()?.increment;
        if spent >= -TOLERANCE {
            return Some(spent);
        }
        // The clock shows more time than before, so the next period has begun.
        self.periods = self.periods.get(1..)?;
        let next = self.periods.first()?;
        let spent = before + next.seconds - now? + next.increment;
        (spent >= -TOLERANCE).then_some(spent)
    }
}

/// Returns the time used for each move in the main line, in seconds. The time is taken from
/// `[%emt]`, else from a match runner's comment, else from the change of the player's clock. The
/// clock can be used only if the tag `TimeControl` is readable, because the increment must be
/// known.
pub(crate) fn times<G: Analysed>(game: &Record<G>) -> Vec<Option<f64>> {
    let periods = game.tag("TimeControl").and_then(control).unwrap_or_default();
    let remaining = periods.first().map(|period| period.seconds);
    let mut clocks = [(); 2].map(|()| Clock { periods: &periods, remaining });
    let mut side = game.start().side();
    let times = game.line().moves.iter().map(|node| {
        let find = |read: &dyn Fn(&str) -> Option<f64>| {
            node.comments.iter().find_map(|comment| read(comment))
        };
        let now = find(&|comment| clock(comment, side));
        let spent = clocks[side.index()].spent(now);
        side = !side;
        find(&|comment| seconds(command(comment, "emt")?))
            .or_else(|| find(&|comment| read_thought(comment).2))
            .or(spent)
            .map(|seconds| (seconds.max(0.0) * 1000.0).round() / 1000.0)
    });
    times.collect()
}

/// Parses a time control, either in PGN format, such as `600+5` or `40/5400+30:1800+30`, or in
/// words, such as `90 min/40 moves + 30 min + 30 sec/move`. Returns `None` if any part is ambiguous
/// or cannot be parsed.
fn control(text: &str) -> Option<Vec<Period>> {
    text.split(':').map(period).collect::<Option<_>>().or_else(|| control_in_words(text))
}

/// Parses a single period, such as `40/5400+30`, `600+5` or `600`.
fn period(text: &str) -> Option<Period> {
    let (moves, rest) = text.split_once('/').unwrap_or(("", text));
    // `1/86400` is a fixed time per move, as in correspondence chess. The clock is reset after each
    // move, so the time used cannot be computed from it.
    if moves == "1" || !moves.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
    Some(Period { seconds: number(base)?, increment: number(increment)? })
}

fn control_in_words(text: &str) -> Option<Vec<Period>> {
    let text = text.to_lowercase();
    let separators = [" then ", " and ", "followed by", "plus", ";", ",", "&"];
    let text = separators.iter().fold(text, |text, separator| text.replace(separator, "+"));
    let (mut bases, mut increment) = (Vec::new(), None);
    for part in text.split('+') {
        let part = part.trim();
        let Some((seconds, is_short)) = duration(part)? else { continue };
        let names = ["per move", "/move", "/ move", "a move", "each move", "every move", "inc"];
        let is_increment = names.iter().any(|name| part.contains(name));
        if is_increment || is_short && !bases.is_empty() {
            if increment.replace(seconds).is_some() {
                return None;
            }
        } else {
            bases.push(seconds);
        }
    }
    let increment = increment.unwrap_or(0.0);
    let periods = bases.into_iter().map(|seconds| Period { seconds, increment });
    Some(periods.collect()).filter(|periods: &Vec<_>| !periods.is_empty())
}

/// Parses the durations in text such as `1 h 30 min` or `90'/40 moves`. Returns their sum in
/// seconds, and whether all of them were given in seconds. Returns `None` if a number is ambiguous,
/// and `Some(None)` if the text contains no duration.
fn duration(text: &str) -> Option<Option<(f64, bool)>> {
    let (mut rest, mut total, mut is_short) = (text, None, true);
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, after) = rest.split_at(start);
        let digits = after.trim_start_matches(|c: char| c.is_ascii_digit());
        let value = number(after.strip_suffix(digits)?)?;
        let word = digits.trim_start();
        let unit = word.trim_end_matches(|c: char| !c.is_alphabetic());
        let unit: String = match unit.chars().next() {
            Some(c) if c.is_alphabetic() && word.starts_with(c) => {
                word.chars().take_while(|c| c.is_alphabetic()).collect()
            }
            _ => word.chars().take_while(|c| "'’′\"″”".contains(*c)).collect(),
        };
        let factor = match unit.as_str() {
            "h" | "hr" | "hrs" | "hour" | "hours" => 3600.0,
            "m" | "min" | "mins" | "minute" | "minutes" | "'" | "’" | "′" => 60.0,
            "s" | "sec" | "secs" | "second" | "seconds" | "\"" | "″" | "”" | "''" | "’’" => {
                1.0
            }
            "move" | "moves" => 0.0,
            _ if before.trim_end().ends_with('/') => 0.0,
            _ => return None,
        };
        if factor > 0.0 {
            is_short &= factor == 1.0;
            total = Some(total.unwrap_or(0.0) + value * factor);
        }
        rest = digits;
    }
    Some(total.map(|total| (total, is_short)))
}

/// Returns the remaining time of `side` in seconds, as recorded in a comment. Accepts
/// `[%clk 0:59:58]`, and `[%clock w0:59:58 B1:00:00]` from lidraughts, in which the capital letter
/// marks the running clock.
pub(crate) fn clock(comment: &str, side: Side) -> Option<f64> {
    if let Some(text) = command(comment, "clk") {
        return seconds(text);
    }
    let letters = if side.is_white() { ['w', 'W'] } else { ['b', 'B'] };
    let clocks = command(comment, "clock")?;
    seconds(clocks.split_whitespace().find_map(|word| word.strip_prefix(letters))?)
}

/// Returns the argument of a command such as `[%clk 0:59:58]`.
fn command<'a>(comment: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = comment.split_once(&format!("[%{name} "))?;
    rest.split_once(']').map(|(argument, _)| argument.trim())
}

/// Parses a clock time such as `0:59:58`.
fn seconds(text: &str) -> Option<f64> {
    text.split(':').try_fold(0.0, |seconds, part| Some(60.0 * seconds + number(part)?))
}

fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::chess::pgn::Reader;

    fn read(pgn: &str) -> Vec<Option<f64>> {
        let game = Reader::new(pgn.as_bytes()).next().expect("one").expect("a game");
        times::<Position>(&game)
    }

    #[test]
    fn subtracts_clocks_and_adds_the_increment() {
        let moves = "1. e4 {[%clk 0:10:03]} e5 {[%clk 0:09:58.5]} 2. Nf3 {[%clk 0:09:50]} Nc6 *";
        let with = format!("[TimeControl \"600+5\"]\n\n{moves}");
        assert_eq!(read(&with), [Some(2.0), Some(6.5), Some(18.0), None]);
        // Without a time control, the increment is unknown.
        assert_eq!(read(moves), [None; 4]);
        assert_eq!(read(&format!("[TimeControl \"?\"]\n\n{moves}")), [None; 4]);
    }

    #[test]
    fn reads_elapsed_times_unchanged() {
        let moves = "1. e4 {[%emt 0:00:07]} e5 {+0.10/12 0.104s} 2. Nf3 {-1 [%emt x]} Nc6 *";
        assert_eq!(read(moves), [Some(7.0), Some(0.104), None, None]);
    }

    #[test]
    fn reads_time_controls_in_periods_and_words() {
        let period = |seconds, increment| Period { seconds, increment };
        let tournament = vec![period(5400.0, 30.0), period(1800.0, 30.0)];
        for (text, expected) in [
            ("600+5", vec![period(600.0, 5.0)]),
            ("300", vec![period(300.0, 0.0)]),
            ("40/5400+30:1800+30", tournament.clone()),
            ("90 min/40 moves + 30 min + 30 sec/move", tournament.clone()),
            ("90'/40+30'+30\"", tournament.clone()),
            ("90 minutes for 40 moves, then 30 minutes, 30 seconds per move", tournament),
            ("15 min. + 10 s. per move", vec![period(900.0, 10.0)]),
            ("Rapid: 1 h 30 min with an increment of 5 seconds", Vec::new()),
            ("1h30m + 30s", vec![period(5400.0, 30.0)]),
        ] {
            assert_eq!(control(text).unwrap_or_default(), expected, "{text}");
        }
        for text in ["", "?", "-", "*180", "1/86400", "G/60;d5", "blitz", "5 min + 3 lives"] {
            assert_eq!(control(text), None, "{text}");
        }
    }

    #[test]
    fn adds_the_time_of_the_next_period() {
        let moves = "1. e4 {[%clk 1:30:25]} e5 {[%clk 1:30:20]} 2. Nf3 {[%clk 1:30:10]} Nc6 \
                     {[%clk 1:29:30]} 3. Bb5 {[%clk 2:00:00]} a6 {[%clk 3:30:00]} *";
        let game = format!("[TimeControl \"2/5400+30:1800+30\"]\n\n{moves}");
        let times = [Some(5.0), Some(10.0), Some(45.0), Some(80.0), Some(40.0), None];
        assert_eq!(read(&game), times);
    }

    #[test]
    fn reads_the_clocks_of_lidraughts() {
        let text = "[GameType \"20\"]\n[TimeControl \"600+0\"]\n\n1. 31-26 \
            {[%clock w0:10:00 B0:10:00]} 18-22 {[%clock W0:10:00 b0:09:58]} 2. 34-30 \
            {[%clock w0:09:50 B0:09:58]} *";
        let game = crate::draughts::pdn::Reader::new(text.as_bytes()).next();
        let game = game.expect("one").expect("a game");
        let expected = [Some(0.0), Some(2.0), Some(10.0)];
        assert_eq!(times::<crate::draughts::Position>(&game), expected);
    }
}
