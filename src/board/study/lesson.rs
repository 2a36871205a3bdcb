//! Learning from mistakes: a lesson shows the positions of a reviewed game in which a player made a
//! mistake, one after the other. The better line is hidden until the user finds or requests it.

use crate::base::side::Side;
use crate::board::game::BoardGame;
use crate::board::message::study::{LessonView, Verdict};
use crate::board::outlet::SearchId;
use crate::chess::notation::Notation;
use crate::record::games::{Line, Node, Record, TreePath};
use crate::tools::analyse::is_by_analysis;
use crate::tools::analyse::points::SIGNS;

/// The NAGs that mark a mistake: `?`, `??` and `?!`.
const MISTAKES: [u16; 3] = [2, 4, 6];
/// The smallest loss of expected points for which a review marks a move with a glyph. In a lesson,
/// a tried move is accepted if it loses less than this, compared with the better move.
const TOLERANCE: f64 = SIGNS[SIGNS.len() - 1].min_loss;

/// A mistake in the main line of a reviewed game.
#[derive(Clone, Debug)]
struct Task<M> {
    /// The position before the mistake.
    place: TreePath,
    played: M,
    better: Vec<M>,
}

pub(super) struct Lesson<G: BoardGame> {
    side: Side,
    tasks: Vec<Task<G::Move>>,
    at: usize,
    verdict: Verdict,
    /// The move that the user tried last.
    tried: Option<G::Move>,
    search: Option<SearchId>,
}

/// Returns the main-line plies of a player's mistakes. Mistakes without a better line in the game
/// are omitted.
fn mistakes<G: BoardGame>(game: &Record<G>, side: Side) -> impl Iterator<Item = usize> {
    let first = game.start().side();
    let is_mistake = move |(ply, _): &(usize, _)| {
        let mover = if ply % 2 == 0 { first } else { !first };
        mover == side
    };
    game.line().moves.iter().enumerate().filter(is_mistake).filter_map(|(ply, node)| {
        let is_blamed = node.nags.iter().any(|nag| MISTAKES.contains(nag));
        (is_blamed && better_line(node).is_some()).then_some(ply)
    })
}

/// Returns the better line for a mistake: the variation added by the review or, if there is none,
/// the first variation.
fn better_line<M>(node: &Node<M>) -> Option<&Line<M>> {
    let mut lines = node.variations.iter().filter(|line| !line.moves.is_empty());
    lines.clone().find(|line| is_by_analysis(line)).or_else(|| lines.next())
}

/// Returns the numbers of White's and of Black's mistakes for which the game contains a better
/// line.
pub(super) fn count<G: BoardGame>(game: &Record<G>) -> [usize; 2] {
    Side::ALL.map(|side| mistakes(game, side).count())
}

impl<G: BoardGame> Lesson<G> {
    /// Creates a lesson from a player's mistakes. Returns `None` if the player made no mistake, or
    /// if the game does not contain a better line for any mistake.
    pub(super) fn new(game: &Record<G>, side: Side) -> Option<Self> {
        let root = TreePath::default();
        let task = |ply: usize| {
            let node = &game.line().moves[ply];
            let better = better_line(node)?.moves.iter().map(|node| node.m).collect();
            Some(Task { place: game.forward(&root, ply), played: node.m, better })
        };
        let tasks: Vec<_> = mistakes(game, side).filter_map(task).collect();
        let (verdict, tried) = (Verdict::Guess, None);
        (!tasks.is_empty()).then_some(Self { side, tasks, at: 0, verdict, tried, search: None })
    }

    /// Begins with mistake `number`, counted from 1, instead of the first mistake.
    pub(super) fn beginning_at(self, number: usize) -> Self {
        Self { at: number.clamp(1, self.tasks.len()) - 1, ..self }
    }

    pub(super) fn place(&self) -> TreePath {
        self.tasks[self.at].place.clone()
    }

    /// Returns the number of main-line plies that the page may show. The mistake itself is included
    /// only if the better line may be shown.
    pub(super) fn visible_plies(&self, game: &Record<G>) -> usize {
        let (before, _) = game.line_through(&self.tasks[self.at].place);
        before.len() + usize::from(!self.is_secret())
    }

    /// Returns the first move of the better line.
    pub(super) fn better(&self) -> G::Move {
        self.tasks[self.at].better[0]
    }

    /// Returns whether the better line must stay hidden.
    pub(super) const fn is_secret(&self) -> bool {
        matches!(self.verdict, Verdict::Guess | Verdict::Weighing | Verdict::Wrong)
    }

    /// Judges a move. Returns false if a search must compare it with the better move.
    pub(super) fn attempt(&mut self, m: G::Move) -> bool {
        (self.tried, self.search) = (Some(m), None);
        let task = &self.tasks[self.at];
        self.verdict = if m == task.better[0] {
            Verdict::Right
        } else if m == task.played {
            Verdict::Wrong
        } else {
            Verdict::Weighing
        };
        self.verdict != Verdict::Weighing
    }

    pub(super) const fn weigh(&mut self, search: SearchId) {
        self.search = Some(search);
    }

    /// Handles the result of the comparison: the expected points after the compared moves. Returns
    /// whether the search belongs to this lesson.
    pub(super) fn on_compared(&mut self, search: SearchId, points: &[(String, f64)]) -> bool {
        if self.search != Some(search) {
            return false;
        }
        self.search = None;
        let of = |m: G::Move| {
            let text = m.to_string();
            points.iter().find(|(other, _)| *other == text).map(|(_, points)| *points)
        };
        let tried = self.tried.and_then(of);
        let is_good =
            tried.zip(of(self.better())).is_some_and(|(tried, better)| tried > better - TOLERANCE);
        self.verdict = if is_good { Verdict::Good } else { Verdict::Wrong };
        true
    }

    /// Handles a failure of the comparison: the tried move is not accepted. Returns whether the
    /// search belongs to this lesson.
    pub(super) fn on_failure(&mut self, search: SearchId) -> bool {
        self.on_compared(search, &[])
    }

    pub(super) fn show(&mut self) {
        (self.verdict, self.search) = (Verdict::Shown, None);
    }

    /// Goes to the next mistake, or from the last mistake to the first.
    pub(super) fn next(&mut self) {
        self.at = (self.at + 1) % self.tasks.len();
        (self.verdict, self.tried, self.search) = (Verdict::Guess, None, None);
    }

    pub(super) fn view(&self, game: &Record<G>, notation: Notation) -> LessonView {
        let Task { place, played, better } = &self.tasks[self.at];
        let (before, _) = game.line_through(place);
        let position = before.iter().fold(game.start().clone(), |position, &m| position.after(m));
        let mut then = position.clone();
        let mut answer = Vec::new();
        if !self.is_secret() {
            for &m in better {
                answer.push(then.notated(m, notation));
                then = then.after(m);
            }
        }
        LessonView {
            side: self.side,
            number: self.at + 1,
            of: self.tasks.len(),
            verdict: self.verdict,
            ply: before.len(),
            played: position.notated(*played, notation),
            tried: self.tried.map(|m| position.notated(m, notation)),
            answer,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::chess::Game;

    #[test]
    fn the_line_of_the_review_is_the_better_line() {
        let better = |variations: &str| {
            let game: Game = format!("1. f3 $4 {variations} *").parse().unwrap();
            Lesson::new(&game, Side::White).map(|lesson| lesson.better().to_string())
        };
        let review = "(1. e4 {[%eval 0.30]} 1... e5 {Adoube})";
        let user = "(1. d4 d5)";
        assert_eq!(better(&format!("{user} {review}")).as_deref(), Some("e2e4"));
        assert_eq!(better(user).as_deref(), Some("d2d4"));
        assert_eq!(better(""), None);
    }
}
