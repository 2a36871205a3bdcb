//! The moves played in the games of a file, by position.

use super::collection::{self, rating};
use crate::base::game::MoveForm;
use crate::base::side::Side;
use crate::board::game::BoardGame;
use crate::board::message::study::{PlayedMove, PlayedMoves};
use crate::chess::notation::Notation;
use crate::laws::language::Language;
use crate::record::games::Record;
use once_cell::sync::Lazy;
use std::collections::HashMap;
use std::fmt;

/// Maximum number of games read for the counts. The list of games has the same limit.
const MAX_GAMES: usize = 10_000;

/// The games of an opened file. The moves are counted on the first query.
pub(in crate::board) struct GameFile {
    explorer: Lazy<Explorer, Box<dyn FnOnce() -> Explorer + Send>>,
}

impl fmt::Debug for GameFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GameFile").finish_non_exhaustive()
    }
}

impl GameFile {
    pub(in crate::board) fn new<G: BoardGame>(text: String) -> Self {
        Self { explorer: Lazy::new(Box::new(move || Explorer::read::<G>(&text))) }
    }

    /// Returns the moves played in a position, most frequent first, and the book moves that were
    /// not played. `book` contains the book moves and their weights.
    pub(super) fn played_moves<G: BoardGame>(
        &self,
        position: &G,
        book: &[(G::Move, u16)],
        notation: Notation,
    ) -> PlayedMoves {
        self.explorer.played_moves(position, book, notation)
    }
}

/// The result and the ratings of a game. An unknown rating is 0.
struct Facts {
    points: Option<Points>,
    ratings: [u16; 2],
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Points {
    White,
    Draw,
    Black,
}

impl Points {
    fn of(result: &str) -> Option<Self> {
        match result {
            "1-0" | "2-0" => Some(Self::White),
            "0-1" | "0-2" => Some(Self::Black),
            "1/2-1/2" | "1-1" => Some(Self::Draw),
            _ => None,
        }
    }
}

/// A move in a game. A move that the game repeats in the same position is stored only once.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Occurrence {
    /// The key of the position before the move.
    key: u64,
    /// The index in [`Explorer::texts`].
    text: u32,
    /// The index in [`Explorer::games`].
    game: u32,
}

#[derive(Default)]
struct Explorer {
    /// The moves of all games, sorted by position.
    occurrences: Vec<Occurrence>,
    /// The distinct moves, in UCI or Hub notation.
    texts: Vec<String>,
    games: Vec<Facts>,
}

impl Explorer {
    /// Counts the moves of the main lines. In a faulty game, only the readable part is counted.
    fn read<G: BoardGame>(text: &str) -> Self {
        let mut explorer = Self::default();
        let text = text.trim();
        if text.is_empty() || G::from_fen(text).is_ok() {
            return explorer;
        }
        let mut indices = HashMap::new();
        for game in collection::read::<G>(text, Language::English)
            .take(MAX_GAMES)
            .filter_map(|read| read.game)
        {
            explorer.add(&game, &mut indices);
        }
        explorer.occurrences.sort_unstable();
        explorer.occurrences.dedup();
        explorer
    }

    fn add<G: BoardGame>(&mut self, game: &Record<G>, indices: &mut HashMap<String, u32>) {
        let number = self.games.len() as u32;
        let rating = |tag| rating(game, tag).and_then(|text| text.parse().ok()).unwrap_or(0);
        let points = Points::of(&game.result.to_string());
        self.games.push(Facts { points, ratings: ["WhiteElo", "BlackElo"].map(rating) });
        let mut position = game.start().clone();
        for m in game.moves() {
            let text = m.to_string();
            let text = indices.get(&text).copied().unwrap_or_else(|| {
                let index = self.texts.len() as u32;
                self.texts.push(text.clone());
                indices.insert(text, index);
                index
            });
            self.occurrences.push(Occurrence { key: position.key(), text, game: number });
            position = position.after(m);
        }
    }

    fn played_moves<G: BoardGame>(
        &self,
        position: &G,
        book: &[(G::Move, u16)],
        notation: Notation,
    ) -> PlayedMoves {
        let key = position.key();
        let from = self.occurrences.partition_point(|one| one.key < key);
        let here = &self.occurrences[from..];
        let here = &here[..here.partition_point(|one| one.key == key)];
        let weights: u32 = book.iter().map(|(_, weight)| u32::from(*weight)).sum();
        let mut moves: Vec<_> = here
            .chunk_by(|a, b| a.text == b.text)
            .filter_map(|same| {
                let text = &self.texts[same[0].text as usize];
                let m = position.read_move(text, MoveForm::Program).ok()?;
                Some((m, self.count(same, position.side())))
            })
            .collect();
        for &(m, _) in book {
            if moves.iter().all(|(other, _)| *other != m) {
                moves.push((m, PlayedMove::default()));
            }
        }
        let share = |m: G::Move| {
            let (_, weight) = book.iter().find(|(other, _)| *other == m)?;
            Some((100 * u32::from(*weight) + weights / 2) / weights.max(1))
        };
        let mut moves: Vec<_> = moves
            .into_iter()
            .map(|(m, counts)| PlayedMove {
                text: m.to_string(),
                notated: position.notated(m, notation),
                book: share(m),
                ..counts
            })
            .collect();
        moves.sort_by_key(|one| std::cmp::Reverse((one.games, one.book)));
        PlayedMoves { games: self.games.len(), moves }
    }

    fn count(&self, same: &[Occurrence], mover: Side) -> PlayedMove {
        let games = || same.iter().map(|one| &self.games[one.game as usize]);
        let with = |points| games().filter(|game| game.points == Some(points)).count();
        let rated: Vec<_> =
            games().map(|game| u64::from(game.ratings[mover.index()])).filter(|&n| n > 0).collect();
        let mean = (rated.iter().sum::<u64>() + rated.len() as u64 / 2)
            .checked_div(rated.len() as u64)
            .map(|mean| mean as u32);
        PlayedMove {
            games: same.len(),
            white: with(Points::White),
            draws: with(Points::Draw),
            black: with(Points::Black),
            rating: mean,
            ..PlayedMove::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::algebraic::Style;
    use crate::record::games::Recorded as _;
    use crate::{chess, draughts};

    const SAN: Notation = Notation::Algebraic(Style::SAN);

    fn rows<G: BoardGame>(text: &str, fen: &str, book: &[(G::Move, u16)]) -> Vec<String> {
        let position = G::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        let row = |one: &PlayedMove| {
            let PlayedMove { notated, games, white, draws, black, rating, book, .. } = one;
            format!("{notated} {games}: {white} {draws} {black} {rating:?} {book:?}")
        };
        let file = GameFile::new::<G>(text.to_owned());
        file.played_moves(&position, book, SAN).moves.iter().map(row).collect()
    }

    #[test]
    fn counts_moves_results_and_ratings() {
        let text = "[WhiteElo \"2000\"]\n[BlackElo \"1500\"]\n\n1. e4 e5 1-0\n\n\
                    [WhiteElo \"2101\"]\n\n1. e4 c5 1/2-1/2\n\n[WhiteElo \"?\"]\n\n1. d4 d5 0-1\n\n\
                    1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Qh3 *\n";
        let start = chess::Position::start();
        let e4 = start.parse_san("e4").expect("legal");
        let c4 = start.parse_san("c4").expect("legal");
        let found = rows::<chess::Position>(text, &start.to_fen(), &[(e4, 30), (c4, 10)]);
        // In the last game, Nf3 is played twice in the start position but counted once. The illegal
        // Qh3 does not discard the moves before it.
        let expected = [
            "e4 2: 1 1 0 Some(2051) Some(75)",
            "d4 1: 0 0 1 None None",
            "Nf3 1: 0 0 0 None None",
            "c4 0: 0 0 0 None Some(25)",
        ];
        assert_eq!(found.len(), 4, "{found:?}");
        for row in expected {
            assert!(found.iter().any(|one| one == row), "{row}: {found:?}");
        }
        assert_eq!((found[0].as_str(), found[3].as_str()), (expected[0], expected[3]));
        // Only the rating of the player to move counts.
        let after = start.play(e4);
        let found = rows::<chess::Position>(text, &after.to_fen(), &[]);
        assert!(found.contains(&"e5 1: 1 0 0 Some(1500) None".to_owned()), "{found:?}");
    }

    #[test]
    fn finds_transpositions_and_draughts_results() {
        let text =
            "1. 32-28 19-23 2. 28x19 14x23 2-0\n\n1. 31-27 19-23 0-2\n\n1. 32-28 18-23 1-1\n";
        let fen = draughts::Position::start().to_fen();
        let found = rows::<draughts::Position>(text, &fen, &[]);
        assert_eq!(found, ["32-28 2: 1 1 0 None None", "31-27 1: 0 0 1 None None"]);
        let orders =
            "1. d4 Nf6 2. c4 e6 *\n\n1. c4 e6 2. d4 Nf6 3. Nc3 *\n\n1. c4 Nf6 2. d4 e6 3. Nf3 *\n";
        let fen = "rnbqkb1r/pppp1ppp/4pn2/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 0 3";
        let found = rows::<chess::Position>(orders, fen, &[]);
        assert_eq!(found.len(), 2, "{found:?}");
    }
}
