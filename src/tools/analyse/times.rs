//! Time used for each move of a recorded game.

use super::Analysed;
use crate::arena::game::record::read_thought;
use crate::record::games::Record;

/// Returns the seconds used for each move of the main line: from `[%emt]`, else from the comment of
/// a match runner, else from the difference of the player's clock `[%clk]` to the previous move.
pub(super) fn times<G: Analysed>(game: &Record<G>) -> Vec<Option<f64>> {
    let (base, increment) = game.tag("TimeControl").and_then(control).unzip();
    let mut clocks = [base; 2];
    let mut side = game.start().side();
    let times = game.line().moves.iter().map(|node| {
        let says = |command| node.comments.iter().find_map(|text| clock_of(text, command));
        let clock = says("clk");
        let before = std::mem::replace(&mut clocks[side.index()], clock);
        side = !side;
        let spent = before.zip(clock).map(|(before, now)| before - now + increment.unwrap_or(0.0));
        let thought = || node.comments.iter().find_map(|comment| read_thought(comment).2);
        says("emt")
            .or_else(thought)
            .or(spent)
            .map(|seconds| (seconds.max(0.0) * 1000.0).round() / 1000.0)
    });
    times.collect()
}

/// Parses a tag such as `600+5` or `600` into the initial time and the increment, in seconds.
fn control(text: &str) -> Option<(f64, f64)> {
    let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
    Some((number(base)?, number(increment)?))
}

/// Returns the seconds in the command `[%clk 0:59:58]` of a comment.
#[cfg(feature = "board")]
pub(crate) fn clock(comment: &str) -> Option<f64> {
    clock_of(comment, "clk")
}

/// Parses the seconds of a command such as `[%clk 0:59:58]`.
fn clock_of(comment: &str, command: &str) -> Option<f64> {
    let (_, rest) = comment.split_once(&format!("[%{command} "))?;
    let (clock, _) = rest.split_once(']')?;
    clock.trim().split(':').try_fold(0.0, |seconds, part| Some(60.0 * seconds + number(part)?))
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
        assert_eq!(read(moves), [None, None, Some(13.0), None]);
    }

    #[test]
    fn reads_elapsed_times_unchanged() {
        let moves = "1. e4 {[%emt 0:00:07]} e5 {+0.10/12 0.104s} 2. Nf3 {-1 [%emt x]} Nc6 *";
        assert_eq!(read(moves), [Some(7.0), Some(0.104), None, None]);
    }
}
