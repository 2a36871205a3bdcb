//! Lists the games of a PGN or PDN text, for the user to choose from.

use crate::board::game::BoardGame;
use crate::board::message::study::ListedGame;
use crate::record::games::{Reader, Record, RecordError};

const MAX_LISTED: usize = 10_000;

/// Lists the games of a text. The list is empty for a FEN.
pub(in crate::board) fn list<G: BoardGame>(text: &str) -> Vec<ListedGame> {
    let text = text.trim();
    if text.is_empty() || G::from_fen(text).is_ok() {
        return Vec::new();
    }
    Reader::<G, _>::new(text.as_bytes()).take(MAX_LISTED).map(listed).collect()
}

fn listed<G: BoardGame>(game: Result<Record<G>, RecordError<G::Error>>) -> ListedGame {
    match game {
        Ok(game) => {
            let [white, black] =
                ["White", "Black"].map(|tag| game.tag(tag).unwrap_or("?").to_owned());
            let (result, plies) = (game.result.to_string(), game.line().moves.len());
            ListedGame { white, black, result, plies, why: None }
        }
        Err(error) => ListedGame { why: Some(error.to_string()), ..ListedGame::default() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{chess, draughts};

    #[test]
    fn lists_games_without_an_event_tag() {
        let text = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 {[Event \"x\"]} e5 1-0\n\n1. d4 *\n\n\
                    [Event \"z\"]\n\n1. e5 *\n\n1. c4 c5 2. b3 1/2-1/2\n";
        let found = list::<chess::Position>(text);
        let shown: Vec<_> = found
            .iter()
            .map(|game| (game.white.as_str(), game.result.as_str(), game.plies, game.why.is_some()))
            .collect();
        let expected = [
            ("A", "1-0", 2, false),
            ("?", "*", 1, false),
            ("", "", 0, true),
            ("?", "1/2-1/2", 3, false),
        ];
        assert_eq!(shown, expected, "{found:?}");
    }

    #[test]
    fn position_contains_no_games() {
        assert!(list::<chess::Position>("").is_empty());
        assert!(list::<chess::Position>("8/8/8/4k3/8/8/8/KQ6 w - - 0 1").is_empty());
        assert!(list::<draughts::Position>("W:W31:B1").is_empty());
        assert_eq!(list::<draughts::Position>("1. 32-28 19-23 *").len(), 1);
    }
}
