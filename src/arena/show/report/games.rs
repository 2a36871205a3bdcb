//! The games in a report, in the JSON format that the report's script reads.

use crate::arena::game::contest::Contest;
use crate::arena::game::ending::GameScore;
use crate::arena::game::record::read_thought;
use crate::arena::tournament::schedule::Pairing;
use crate::base::game::MoveForm;
use crate::base::side::Side;
use crate::page::changes;
use crate::record::games::{Node, Record};
use crate::search::score::Score;
use serde::{Serialize, Serializer};

#[derive(Clone, PartialEq, Debug, Serialize)]
pub(super) struct GameData {
    pub number: usize,
    white: usize,
    black: usize,
    points: usize,
    /// The ending: the last comment after the last move in the game record, or the kind of ending
    /// if the record has no such comment.
    ending: String,
    /// The tags of the game record, as text. Empty if the report omits the moves.
    pub tags: String,
    /// The initial board in the format of [`Contest::squares`]. Empty if the report omits the moves.
    #[serde(skip_serializing_if = "String::is_empty")]
    board: String,
    /// 1 if Black moves first, otherwise 0.
    pub black_first: usize,
    first: u32,
    pub steps: Vec<MoveData>,
}

/// A move in a game. It is serialised as a list that contains the text and the changes, and for
/// moves after the opening also the time, score, depth and expected points.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct MoveData {
    text: String,
    /// The changed squares, in the format of the function [`changes`].
    changes: String,
    /// The time used for the move, in seconds. `None` in the opening.
    pub seconds: Option<f64>,
    /// The engine's score as recorded, in pawns or as a mate such as `+M5`.
    score: Option<String>,
    depth: Option<u32>,
    /// White's expected points according to this score, in thousandths.
    white: Option<u16>,
}

impl Serialize for MoveData {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let opening = (&self.text, &self.changes);
        match self.seconds {
            None => opening.serialize(serializer),
            Some(seconds) => {
                let Self { text, changes, score, depth, white, .. } = self;
                (text, changes, seconds, score, depth, white).serialize(serializer)
            }
        }
    }
}

impl GameData {
    pub(super) fn new<G: Contest>(pairing: &Pairing, score: GameScore, record: &Record<G>) -> Self {
        let mut position = record.start().clone();
        let mut board = position.squares();
        let nodes = &record.line().moves;
        let last = nodes.last().and_then(|node| node.comments.last());
        let text = record.to_string();
        let tags = text.split("\n\n").next().unwrap_or_default();
        let mut data = Self {
            tags: tags.to_owned(),
            number: pairing.game + 1,
            white: pairing.white,
            black: pairing.black,
            points: score.white,
            ending: last.map_or_else(|| score.kind.to_string(), Clone::clone),
            board: board.clone(),
            black_first: usize::from(position.side() == Side::Black),
            first: position.first_number(),
            steps: Vec::with_capacity(nodes.len()),
        };
        for node in nodes {
            let after = position.after(node.m);
            let squares = after.squares();
            let text = position.write_move(node.m, MoveForm::Record);
            data.steps.push(MoveData::new(text, node, &position, &board, &squares));
            (position, board) = (after, squares);
        }
        data
    }

    /// Removes the moves, the tags and the board.
    pub(super) fn clear(&mut self) {
        self.steps = Vec::new();
        self.tags = String::new();
        self.board = String::new();
    }
}

/// Parses a recorded score, which is in pawns or a mate such as `+M5`.
fn read_score(text: &str) -> Option<Score> {
    match text.split_once('M') {
        Some(("-", _)) => Some(-Score::MATE),
        Some(_) => Some(Score::MATE),
        None => Score::from_pawns(text.parse().ok()?),
    }
}

impl MoveData {
    /// Creates the move for `node`. The move is made in `position` and changes the board from
    /// `before` to `after`.
    fn new<G: Contest>(
        text: String,
        node: &Node<G::Move>,
        position: &G,
        before: &str,
        after: &str,
    ) -> Self {
        let comment = node.comments.first().map_or("", String::as_str);
        let (score, depth, seconds) = read_thought(comment);
        let white = score.as_deref().and_then(read_score).map(|score| score.white_points(position));
        let white = white.map(|points| (1000.0 * points).round() as u16);
        Self { text, changes: changes(before, after), seconds, score, depth, white }
    }
}

/// Statistics on the times and depths of an engine's moves.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct MoveTimes {
    /// The number of moves and their total time in seconds, by move number. Index 0 is the first
    /// move after the opening.
    by_move: Vec<(u64, f64)>,
    pub moves: u64,
    pub seconds: f64,
    pub max_seconds: f64,
    /// The number of moves with a known depth, and the sum of these depths.
    deep: u64,
    depths: u64,
}

impl MoveTimes {
    /// Adds a move. Opening moves have no time and are ignored.
    pub(super) fn add(&mut self, number: usize, step: &MoveData) {
        let Some(seconds) = step.seconds else { return };
        if self.by_move.len() <= number {
            self.by_move.resize(number + 1, (0, 0.0));
        }
        self.by_move[number].0 += 1;
        self.by_move[number].1 += seconds;
        self.moves += 1;
        self.seconds += seconds;
        self.max_seconds = self.max_seconds.max(seconds);
        self.deep += u64::from(step.depth.is_some());
        self.depths += u64::from(step.depth.unwrap_or(0));
    }

    /// Returns each move number with the mean time in seconds. Omits move numbers that were reached
    /// in fewer than a tenth of the games. Move 1 is the first move after the opening.
    pub(super) fn means(&self) -> impl Iterator<Item = (f64, f64)> {
        let max = self.by_move.iter().map(|(count, _)| *count).max().unwrap_or(0);
        let numbered = (1..).map(f64::from).zip(&self.by_move);
        numbered
            .filter(move |(_, (count, _))| *count > 0 && count * 10 >= max)
            .map(|(n, (count, seconds))| (n, seconds / *count as f64))
    }

    pub(super) fn mean(&self) -> f64 {
        self.seconds / self.moves.max(1) as f64
    }

    pub(super) fn depth(&self) -> Option<f64> {
        (self.deep > 0).then(|| self.depths as f64 / self.deep as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_depth_ignores_unknown_depths() {
        let step = |depth| MoveData {
            text: String::new(),
            changes: String::new(),
            seconds: Some(1.0),
            score: None,
            depth,
            white: None,
        };
        let mut times = MoveTimes::default();
        assert_eq!(times.depth(), None);
        times.add(0, &step(None));
        assert_eq!((times.moves, times.depth()), (1, None));
        [4, 7].into_iter().for_each(|depth| times.add(0, &step(Some(depth))));
        assert_eq!((times.moves, times.depth()), (3, Some(5.5)));
    }
}
