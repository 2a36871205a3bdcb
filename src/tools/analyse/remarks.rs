//! Splits comments into text for readers and commands for programs.

use super::annotate::AUTHOR;
use crate::arena::game::record::read_thought;
use crate::base::side::Side;
use crate::search::depth::Ply;
use crate::search::score::Score;

/// Splits a comment into text and commands. A command is enclosed in brackets, as in
/// `[%clk 1:00:00]`.
fn parts(comment: &str) -> (String, String) {
    let (mut words, mut commands) = (String::new(), String::new());
    let mut rest = comment;
    while let Some((before, command)) = rest.split_once("[%") {
        words.push_str(before);
        let (inner, after) = command.split_once(']').unwrap_or((command, ""));
        commands.push_str(&format!("[%{inner}]"));
        rest = after;
    }
    words.push_str(rest);
    (words.trim().to_owned(), commands)
}

/// Returns whether a match runner or an analysis wrote the comment, that is, whether it is an
/// engine's search information, the word `book` or the author of a variation.
fn is_by_program(comment: &str) -> bool {
    read_thought(comment).2.is_some() || comment == "book" || comment == AUTHOR
}

/// Returns the text of a comment without commands. Returns `None` if there is no text, or if a
/// program wrote the comment.
pub fn visible_text(comment: &str) -> Option<String> {
    let (words, _) = parts(comment);
    (!words.is_empty() && !is_by_program(comment)).then_some(words)
}

/// Returns the part of a comment that is for programs: its commands, or the whole comment if a
/// program wrote it.
pub fn commands(comment: &str) -> Option<String> {
    if is_by_program(comment) {
        return Some(comment.to_owned());
    }
    let (_, commands) = parts(comment);
    (!commands.is_empty()).then_some(commands)
}

/// Parses the score in a command such as `[%eval 0.31]`. The score is in pawns or moves to mate,
/// from White's point of view. `side` is the side to move, which is checkmated if the score is
/// `#0`.
pub fn read_score(comment: &str, side: Side) -> Option<Score> {
    let (_, rest) = comment.split_once("[%eval ")?;
    let (text, _) = rest.split_once([']', ','])?;
    match text.trim().strip_prefix('#') {
        Some(moves) => {
            let moves: i32 = moves.parse().ok()?;
            let is_won = moves > 0 || moves == 0 && !side.is_white();
            let is_movers = is_won == side.is_white();
            let half_moves = (moves.unsigned_abs() as usize).saturating_mul(2);
            let plies = Ply(half_moves.saturating_sub(usize::from(is_movers)).min(Ply::MAX.0));
            Some(if is_won { Score::win_in(plies) } else { Score::loss_in(plies) })
        }
        None => Score::from_pawns(text.trim().parse().ok()?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visible_text_has_no_commands() {
        let visible = |text| visible_text(text).unwrap_or_default();
        assert_eq!(visible("[%clk 1:00:00] a [%eval 0.3]slip"), "a slip");
        for nothing in ["book", "[%eval #3]", "+0.25/12 0.104s, tl=59.9s", "[%clk 1", ""] {
            assert_eq!(visible(nothing), "", "{nothing}");
        }
        assert_eq!(visible("mate [soon]"), "mate [soon]");
    }

    #[test]
    fn commands_have_no_visible_text() {
        let found = |text| commands(text).unwrap_or_default();
        assert_eq!(found("[%clk 1:00:00] a [%eval 0.3]slip"), "[%clk 1:00:00][%eval 0.3]");
        assert_eq!(["book", "a slip", "[%clk 1"].map(found), ["book", "", "[%clk 1]"]);
    }

    #[test]
    fn reads_scores_from_whites_point_of_view() {
        let read = |text: &str| read_score(text, Side::White).map(|score| score.0);
        assert_eq!(read("[%eval 0.31]"), Some(31));
        assert_eq!(read("good [%eval -1.5,20]"), Some(-150));
        let mate = |moves: &str, side| read_score(&format!("[%eval #{moves}]"), side);
        assert_eq!(mate("3", Side::White), Some(Score::win_in(Ply(5))));
        assert_eq!(mate("3", Side::Black), Some(Score::win_in(Ply(6))));
        assert_eq!(mate("-3", Side::White), Some(Score::loss_in(Ply(6))));
        assert_eq!(mate("-3", Side::Black), Some(Score::loss_in(Ply(5))));
        assert_eq!(mate("0", Side::White), Some(-Score::MATE));
        assert_eq!(mate("0", Side::Black), Some(Score::MATE));
        assert_eq!(mate("-2147483648", Side::White), Some(Score::loss_in(Ply::MAX)));
        for wrong in ["", "[%eval ]", "[%eval x]", "[%eval 1", "[%eval nan]", "[%clk 0:10]"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
