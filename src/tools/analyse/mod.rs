//! Games with their story: the score of every move, the better line where one was missed, and how
//! accurately each player played.
//!
//! A score stands for expected points, from 0 (lost) to 1 (won). What a move loses is the difference
//! between those of the position before it, where the best move is played, and those after it. Moves
//! that lose much get a sign; a forced move, or the one that the search plays itself, loses nothing.

mod chess;
mod draughts;

use crate::record::games::{Line, Node, Record, Recorded};
use crate::search::driver::{Engine, Options, ResourceError, Searcher};
use crate::search::limits::Limits;
use crate::search::report::Info;
use crate::search::score::Score;
use crate::search::stop::StopHandle;

/// A game that can be analysed.
pub trait Analysed: Recorded {
    /// Its search.
    type Searcher: Searcher<Move = Self::Move, Position = Self>;

    /// The root of a search; `history` are the keys of the game's earlier positions.
    fn root(&self, history: &[u64]) -> <Self::Searcher as Searcher>::Root;

    /// The points that a score makes the side to move expect, from 0 to 1.
    fn expected(&self, score: Score) -> f64;

    /// The score of a position without a legal move.
    fn score_at_end(&self) -> Score;
}

/// The signs of moves that lose at least so many expected points, the worst first: `??`, `?` and `?!`.
const SIGNS: [(f64, u8); 3] = [(0.20, 4), (0.10, 2), (0.05, 6)];
/// The glyphs of quality, `!` to `?!`, of which a move has one at most.
const QUALITY: std::ops::RangeInclusive<u8> = 1..=6;
/// The number of moves shown of a better line.
const SHOWN: usize = 8;

/// Looks at games, one after the other, always with the same result.
#[derive(Debug)]
pub struct Analyst<G: Analysed> {
    engine: Engine<G::Searcher>,
    limits: Limits<G::Move>,
}

/// What a player's moves were worth.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Play {
    moves: u32,
    loss: f64,
    accuracy: f64,
}

/// What the search says of a position.
struct Seen<M> {
    score: Score,
    line: Vec<M>,
    /// Whether there is at most one legal move.
    is_forced: bool,
}

impl<G: Analysed> Analyst<G> {
    /// An analyst with a transposition table of `hash_mb` times 2^20 bytes, who searches each position
    /// to these limits.
    ///
    /// # Errors
    /// If there is no memory or no thread for an engine.
    pub fn new(hash_mb: usize, limits: Limits<G::Move>) -> Result<Self, ResourceError> {
        Ok(Self { engine: Engine::new(Options { hash_mb, ..Options::default() })?, limits })
    }

    /// The best lines of one position.
    pub fn lines(&mut self, position: &G, count: usize) -> Vec<Info<G::Move>> {
        self.engine.options.multipv = count;
        let root = position.root(&[]);
        self.engine.search(&root, &self.limits, &StopHandle::new(), &|_| {}).lines
    }

    /// Adds to the moves of a game's main line their scores, as `[%eval 0.31]` from White's side; to
    /// moves that lose points a sign, and the better line as a variation; to the game the accuracy of
    /// each player and the points lost by move. What stands there stays, except older scores, and
    /// older signs where the move gets one.
    pub fn annotate(&mut self, game: &mut Record<G>) {
        self.engine.clear();
        let (mut position, mut history) = (game.start().clone(), Vec::new());
        let moves: Vec<_> = game.moves().collect();
        let mut before = self.look(&position, &history);
        let mut plays = [Play::default(); 2];
        for (ply, &m) in moves.iter().enumerate() {
            history.push(position.key());
            let next = position.after(m);
            let after = self.look(&next, &history);
            let is_best = before.line.first() == Some(&m);
            let (expected, reached) =
                (position.expected(before.score), 1.0 - next.expected(after.score));
            let loss =
                if is_best || before.is_forced { 0.0 } else { (expected - reached).max(0.0) };
            if !before.is_forced {
                plays[position.side().index()].add(expected, loss);
            }
            if let Some(node) = game.node_mut(ply) {
                note(node, loss, eval(&next, after.score));
                if SIGNS.iter().any(|&(least, _)| loss >= least) {
                    let line = better(&position, &before);
                    // It is there if the game has been analysed like this before.
                    let line = line.filter(|line| !node.variations.contains(line));
                    node.variations.extend(line);
                }
            }
            (position, before) = (next, after);
        }
        for (player, play) in ["White", "Black"].into_iter().zip(plays) {
            if play.moves > 0 {
                let mean = |sum: f64| sum / f64::from(play.moves);
                game.set_tag(&format!("{player}Accuracy"), &format!("{:.1}", mean(play.accuracy)));
                game.set_tag(&format!("{player}Loss"), &format!("{:.3}", mean(play.loss)));
            }
        }
        game.set_tag("Annotator", concat!("Adoube ", env!("CARGO_PKG_VERSION")));
    }

    fn look(&mut self, position: &G, history: &[u64]) -> Seen<G::Move> {
        let is_forced = position.moves().len() < 2;
        self.engine.options.multipv = 1;
        let root = position.root(history);
        let found = self.engine.search(&root, &self.limits, &StopHandle::new(), &|_| {}).info;
        match found {
            Some(info) => Seen { score: info.score, line: info.pv, is_forced },
            None => Seen { score: position.score_at_end(), line: Vec::new(), is_forced },
        }
    }
}

impl Play {
    fn add(&mut self, expected: f64, loss: f64) {
        self.moves += 1;
        self.loss += loss;
        self.accuracy += accuracy(expected, expected - loss);
    }
}

/// The accuracy of a move in percent, by the curve that lichess fitted to the win percentages before
/// and after it (lichess.org/page/accuracy).
fn accuracy(before: f64, after: f64) -> f64 {
    (103.1668 * (-4.354 * (before - after)).exp() - 3.1669).clamp(0.0, 100.0)
}

/// Puts sign and score to a move.
fn note<M>(node: &mut Node<M>, loss: f64, eval: String) {
    if let Some((_, sign)) = SIGNS.iter().find(|(least, _)| loss >= *least) {
        node.nags.retain(|nag| !QUALITY.contains(nag));
        node.nags.insert(0, *sign);
    }
    node.comments.retain(|comment| !comment.starts_with("[%eval "));
    node.comments.insert(0, eval);
}

/// The line that was better.
fn better<G: Analysed>(position: &G, seen: &Seen<G::Move>) -> Option<Line<G::Move>> {
    let mut moves: Vec<_> = seen.line.iter().take(SHOWN).map(|&m| Node::new(m)).collect();
    moves.first_mut()?.comments.push(eval(position, seen.score));
    Some(Line { moves, closing: Vec::new() })
}

/// A score from White's side, in pawns or moves to mate, as records have it; `#0` if a player is mated.
fn eval<G: Analysed>(position: &G, score: Score) -> String {
    let sign = if position.side().is_white() { 1 } else { -1 };
    match score.mate_in() {
        Some(moves) => format!("[%eval #{}]", sign * moves),
        None => format!("[%eval {:.2}]", f64::from(sign * score.centipawns()) / 100.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::pgn::Reader;
    use crate::chess::{Game, Position};

    fn annotated(pgn: &str) -> Game {
        let mut game: Game = Reader::new(pgn.as_bytes()).next().expect("one").expect("a game");
        let mut analyst = Analyst::<Position>::new(4, Limits::nodes(20_000)).expect("memory");
        analyst.annotate(&mut game);
        game
    }

    #[test]
    fn a_blunder_is_marked_and_the_better_move_shown() {
        let game = annotated("1. e4 e5 2. Nf3 Nc6 3. Nxe5 {too bold} Nxe5 (3... d6 4. Nf3) *");
        let nodes = &game.line().moves;
        assert_eq!(nodes[4].nags, [4], "{game}");
        assert_eq!(nodes[4].variations.len(), 1);
        assert!(nodes[4].comments[0].starts_with("[%eval -"), "{game}");
        assert_eq!(nodes[4].comments[1], "too bold");
        // What stood there stays.
        assert_eq!(nodes[5].variations.len(), 1);
        assert!(nodes[..4].iter().all(|node| node.nags.is_empty()), "{game}");
        let number = |tag| game.tag(tag).and_then(|n| n.parse::<f64>().ok()).expect(tag);
        assert!(number("WhiteAccuracy") < 80.0 && number("BlackAccuracy") > 90.0, "{game}");
        assert!(number("WhiteLoss") > 0.1 && number("BlackLoss") < 0.03, "{game}");
    }

    #[test]
    fn a_game_analysed_again_says_the_same() {
        let once = annotated("1. f3 e5 2. g4 Qh4# 0-1");
        let text = once.to_string();
        assert!(text.contains("2. g4 $4 {[%eval #-1]}"), "{text}");
        assert!(text.contains("Qh4# {[%eval #0]}"), "{text}");
        assert_eq!(once.line().moves[2].nags, [4]);
        let mut again = once.clone();
        let mut analyst = Analyst::<Position>::new(4, Limits::nodes(20_000)).expect("memory");
        analyst.annotate(&mut again);
        assert_eq!(again, once);
    }

    #[test]
    fn a_forced_move_is_not_blamed() {
        let game = annotated("[FEN \"1r6/8/8/8/8/2k5/8/K7 w - - 0 1\"]\n\n1. Ka2 *");
        assert!(
            game.line().moves[0].nags.is_empty() && game.tag("WhiteAccuracy").is_none(),
            "{game}"
        );
    }

    #[test]
    fn accuracy_is_whole_without_a_loss() {
        assert!((accuracy(0.5, 0.5) - 100.0).abs() < 0.01);
        assert!(accuracy(0.9, 0.1) < 5.0);
    }
}
