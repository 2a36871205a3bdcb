//! Lists the games of a PGN or PDN text, for the user to choose from.

use crate::board::game::BoardGame;
use crate::board::message::study::ListedGame;
use crate::record::games::{MAX_NESTING, Problem, Reader, Record, RecordError};

const MAX_LISTED: usize = 10_000;

/// Lists the games of a text. The list is empty for a FEN.
pub(in crate::board) fn list<G: BoardGame>(text: &str) -> Vec<ListedGame> {
    let text = text.trim();
    if text.is_empty() || G::from_fen(text).is_ok() {
        return Vec::new();
    }
    Reader::<G, _>::new(text.as_bytes()).take(MAX_LISTED).map(listed).collect()
}

/// Returns the moves before an error of the game at `index`, or `None` if there are none.
pub(super) fn up_to_error<G: BoardGame>(
    text: &str,
    index: usize,
    error: &RecordError<G::Error>,
) -> Option<Record<G>> {
    let line = usize::try_from(error.line.checked_sub(1)?).ok()?;
    let before: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let column = usize::try_from(error.column.checked_sub(1)?).ok()?;
    let within: usize = text[before..].chars().take(column).map(char::len_utf8).sum();
    let mut readable = text[..before + within].to_owned();
    for _ in 0..=MAX_NESTING {
        match Reader::<G, _>::new(readable.as_bytes()).nth(index)? {
            Ok(game) => return (!game.line().moves.is_empty()).then_some(game),
            Err(RecordError { problem: Problem::UnclosedVariation, .. }) => readable.push(')'),
            Err(_) => return None,
        }
    }
    None
}

/// Returns a rating, if the tag is a number.
pub(super) fn rating<G: BoardGame>(game: &Record<G>, tag: &str) -> Option<String> {
    let rating = game.tag(tag)?;
    rating.parse::<u16>().is_ok_and(|rating| rating > 0).then(|| rating.to_owned())
}

fn listed<G: BoardGame>(game: Result<Record<G>, RecordError<G::Error>>) -> ListedGame {
    match game {
        Ok(game) => {
            let [white, black] =
                ["White", "Black"].map(|tag| game.tag(tag).unwrap_or("?").to_owned());
            let named = |tag| game.tag(tag).unwrap_or_default().to_owned();
            let ratings = ["WhiteElo", "BlackElo"].map(|tag| rating(&game, tag));
            let (result, plies) = (game.result.to_string(), game.line().moves.len());
            let (event, date) = (named("Event"), named("Date"));
            ListedGame { white, black, result, event, date, ratings, plies, why: None }
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
    fn lists_event_date_and_ratings() {
        let text = "[Event \"Club\"]\n[Date \"2026.11.26\"]\n[WhiteElo \"2100\"]\n\
                    [BlackElo \"<b>\"]\n\n1. e4 *\n";
        let [game] = &list::<chess::Position>(text)[..] else { panic!("a game") };
        assert_eq!((game.event.as_str(), game.date.as_str()), ("Club", "2026.11.26"));
        assert_eq!(game.ratings, [Some("2100".to_owned()), None]);
    }

    #[test]
    fn position_contains_no_games() {
        assert!(list::<chess::Position>("").is_empty());
        assert!(list::<chess::Position>("8/8/8/4k3/8/8/8/KQ6 w - - 0 1").is_empty());
        assert!(list::<draughts::Position>("W:W31:B1").is_empty());
        assert_eq!(list::<draughts::Position>("1. 32-28 19-23 *").len(), 1);
    }
}
