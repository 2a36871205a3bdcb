//! Files made from a reviewed game: its puzzles, and a web page with its analysis.

use super::PuzzleFormat;
use crate::board::game::BoardGame;
use crate::record::epd::Epd;
use crate::record::games::Record;
use crate::tools::analyse::page::Page;
use crate::tools::analyse::{Story, puzzles as found};

/// A position with exactly one winning move.
pub(super) struct Puzzle<G: BoardGame> {
    epd: Epd<G>,
    solution: Vec<G::Move>,
}

/// Returns the puzzles found in the analysis of a game.
pub(super) fn puzzles<G: BoardGame>(game: &Record<G>, story: &Story<G::Move>) -> Vec<Puzzle<G>> {
    let solutions = story.puzzles.iter().map(|&ply| story.seen[ply].line.clone());
    let puzzle = |(epd, solution)| Puzzle { epd, solution };
    found(game, story).into_iter().zip(solutions).map(puzzle).collect()
}

/// Returns the text of a puzzle file, and its file extension.
pub(super) fn puzzle_file<G: BoardGame>(
    game: &Record<G>,
    puzzles: &[Puzzle<G>],
    format: PuzzleFormat,
) -> (String, &'static str) {
    match format {
        PuzzleFormat::Epd => {
            (puzzles.iter().map(|puzzle| G::epd_line(&puzzle.epd) + "\n").collect(), "epd")
        }
        PuzzleFormat::Games => {
            let games: Vec<_> =
                puzzles.iter().map(|puzzle| solved(game, puzzle).to_string()).collect();
            (games.join("\n"), G::EXTENSION)
        }
    }
}

/// Converts a puzzle to a game. The game starts from the position of the puzzle, and its moves are
/// the solution.
fn solved<G: BoardGame>(game: &Record<G>, puzzle: &Puzzle<G>) -> Record<G> {
    let mut solved = Record::from_position(puzzle.epd.position.clone());
    for tag in ["Event", "Site", "Date", "Round", "White", "Black"] {
        if let Some(value) = game.tag(tag) {
            solved.set_tag(tag, value);
        }
    }
    for &m in &puzzle.solution {
        if solved.push(m, "").is_err() {
            break;
        }
    }
    solved
}

/// Returns a web page with the game and its analysis; `None` if the moves have no scores.
pub(super) fn page<G: BoardGame>(game: &Record<G>) -> Option<String> {
    let story = Story::from_record(game)?;
    let mut page = Page::new::<G>("scores of the record");
    page.add_annotated(game, &story);
    Some(page.html())
}
