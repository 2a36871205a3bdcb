//! Warnings about engines that violate their protocol without losing the game.

use crate::base::game::{Game, MoveForm};
use serde::{Deserialize, Serialize};

/// The kinds of warnings. The terminal shows each kind only once per engine in a match.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WarningKind {
    /// A principal variation contains an illegal move.
    IllegalVariation,
    /// A number in the search information is missing or malformed.
    MalformedNumber,
}

/// A warning about an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Warning {
    /// The kind of warning.
    pub kind: WarningKind,
    /// A description that follows the engine's name.
    pub text: String,
}

impl Warning {
    /// Checks the moves of a principal variation from `position`. `line` is the line that contains
    /// the variation.
    pub(crate) fn of_variation<G: Game>(position: &G, variation: &str, line: &str) -> Option<Self> {
        let mut position = position.clone();
        let mut moves = variation.split_whitespace();
        while let Some(text) = moves.next() {
            match position.read_move(text, MoveForm::Program) {
                Ok(m) => position = position.after(m),
                Err(_) => {
                    let line = cut_after_move(line, moves.count());
                    let text = format!("sent the illegal move '{text}' in a line (pv): {line}");
                    return Some(Self { kind: WarningKind::IllegalVariation, text });
                }
            }
        }
        None
    }

    /// Creates a warning about `field`, which is the malformed field of `line`.
    pub(crate) fn of_number(field: &str, line: &str) -> Self {
        let text = format!("sent the malformed number '{field}': {}", cut_after_move(line, 0));
        Self { kind: WarningKind::MalformedNumber, text }
    }
}

/// Shortens a line for a warning. Removes the last `later` words, which are moves after the illegal
/// move, and the middle of the line if it is still long. Three dots replace each removed part.
pub(crate) fn cut_after_move(line: &str, later: usize) -> String {
    /// The number of characters shown at the start and the end of a long line.
    const SHOWN: [usize; 2] = [90, 50];
    let mut words: Vec<&str> = line.split_whitespace().collect();
    words.truncate(words.len().saturating_sub(later));
    let text: Vec<char> = words.join(" ").chars().collect();
    let [start, end] = SHOWN;
    let text: String = match text.len().checked_sub(start + end) {
        None | Some(0) => text.into_iter().collect(),
        Some(middle) => {
            let [start, end] = [&text[..start], &text[start + middle..]].map(String::from_iter);
            format!("{start}...{end}")
        }
    };
    if later == 0 { text } else { format!("{text} ...") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;

    #[test]
    fn shows_a_long_line_up_to_the_illegal_move() {
        let line = "info depth 3 score cp 20 pv e2e4 e2e5 d7d5";
        assert_eq!(cut_after_move(line, 0), line);
        assert_eq!(cut_after_move(line, 1), "info depth 3 score cp 20 pv e2e4 e2e5 ...");
        let long = format!("info depth 99 pv{} e2e5 d7d5", " g1f3 g8f6 f3g1 f6g8".repeat(50));
        let cut = cut_after_move(&long, 1);
        assert!(
            cut.starts_with("info depth 99 pv g1f3") && cut.ends_with(" f6g8 e2e5 ..."),
            "{cut}"
        );
        assert_eq!(cut.chars().count(), 90 + 3 + 50 + 4);
    }

    #[test]
    fn quotes_the_line_up_to_the_illegal_move() {
        let start = Position::start();
        let warning = |variation: &str| {
            let line = format!("info depth 1 pv {variation}");
            Warning::of_variation(&start, variation, &line).map(|warning| warning.text)
        };
        assert_eq!(warning(""), None);
        assert_eq!(warning("e2e4 e7e5 e1e2"), None);
        assert_eq!(
            warning("e2e4 e2e5 d7d5").as_deref(),
            Some("sent the illegal move 'e2e5' in a line (pv): info depth 1 pv e2e4 e2e5 ...")
        );
    }
}
