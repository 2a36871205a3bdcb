//! Evaluation of chess positions.
//!
//! The search knows nothing of this folder but the [`Evaluator`], by the trait [`Evaluate`]; a
//! trained network can take the place of the hand-written terms behind it.
//!
//! Every weight has a middle game and an endgame value ([`Pair`]) and a name ([`Weights`]). The
//! values are in `weights.rs`, which `adoube tune` writes; it fits them to the engine's own games
//! (P. Österlund's "Texel" method: logistic loss between evaluation and result). The same code
//! gives the value in play, the tuner's coefficients and the printed breakdown: see [`Trace`].

mod breakdown;
mod endgame;
pub mod features;
mod king;
mod kpk;
mod passed;
mod pawns;
mod survey;
mod tally;
mod terms;
mod threats;
mod wdl;
mod weights;

pub use crate::eval::pair::Pair;
pub use breakdown::Breakdown;
pub use endgame::FULL_SCALE;
pub use survey::FULL_PHASE;
pub use tally::{Counts, DANGER_LINEAR, DANGER_SQUARE, Trace};
pub use terms::{COUNT, Group, TERMS, Term, Weights};
pub use wdl::{EVEN_WIN, FULL_MATERIAL, WIDTH, Wdl, material, wdl};
pub use weights::WEIGHTS;

use crate::base::side::Side;
use crate::chess::{Position, Square};
use crate::eval::Evaluate;
use pawns::{PawnTable, edge_distance};
use survey::Survey;
use tally::{Tally, add};

/// Evaluations stay within this many centipawns, far from the scores of mates.
pub const LIMIT: i32 = 20_000;

/// One thread's evaluator, with whatever it caches.
#[derive(Clone, Debug, Default)]
pub struct Evaluator {
    pawns: PawnTable,
}

/// What is kept of a position from parent to child: nothing. The hand-written terms need whole
/// attack maps, and the pawns' have a cache.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Accumulator;

/// A position as the tuner sees it: its value is a function of these and the weights.
#[derive(Clone, Debug)]
pub struct Sample {
    /// How often each side uses each weight.
    pub counts: Counts,
    /// The share of the middle game, out of [`FULL_PHASE`]; the endgame has the rest.
    pub phase: i32,
    /// The share of the endgame value that counts, out of [`FULL_SCALE`].
    pub scale: i32,
}

/// White's weights less Black's, with what is needed to make one number of the sum.
struct Summary<T> {
    tally: Tally<T>,
    phase: i32,
    scale: i32,
}

impl<T: Trace> Summary<T> {
    /// The value in centipawns, seen from White.
    #[inline(always)]
    fn value(&self) -> i32 {
        let total = self.tally.total();
        let end = total.end() * self.scale / FULL_SCALE;
        let sum = total.middle() * self.phase + end * (FULL_PHASE - self.phase);
        (sum / FULL_PHASE).clamp(-LIMIT, LIMIT)
    }
}

impl Evaluate for Evaluator {
    type Position = Position;
    type Accumulator = Accumulator;

    #[inline(always)]
    fn accumulate(_: &Position) -> Accumulator {
        Accumulator
    }

    #[inline(always)]
    fn changed(&Accumulator: &Accumulator, _: &Position, _: &Position) -> Accumulator {
        Accumulator
    }

    /// The value means little while the side to move is in check.
    fn evaluate(&mut self, position: &Position, _: &Accumulator) -> i32 {
        if let Some(value) = endgame::known(position) {
            return value;
        }
        let value = self.survey(position, Tally::<()>::default()).value();
        if position.side().is_white() { value } else { -value }
    }
}

impl Evaluator {
    /// How the value of `position` comes about.
    pub fn explain(&mut self, position: &Position) -> Breakdown {
        let value = self.value(position);
        let summary = self.survey(position, Tally::<Counts>::default());
        Breakdown {
            groups: Breakdown::sums(&summary.tally.trace, &WEIGHTS),
            phase: summary.phase,
            scale: summary.scale,
            known: endgame::known(position).is_some(),
            value: if position.side().is_white() { value } else { -value },
        }
    }

    /// The position as the tuner sees it; `None` if its value does not depend on the weights.
    pub fn sample(&mut self, position: &Position) -> Option<Sample> {
        if endgame::known(position).is_some() {
            return None;
        }
        let summary = self.survey(position, Tally::<Counts>::default());
        Some(Sample { counts: summary.tally.trace, phase: summary.phase, scale: summary.scale })
    }

    #[inline(always)]
    fn survey<T: Trace>(&mut self, position: &Position, mut tally: Tally<T>) -> Summary<T> {
        let board = position.board();
        let structure = self.pawns.evaluate(position, &mut tally);
        let mut survey = Survey::new(board, structure, tally);
        survey.pieces(Side::White);
        survey.pieces(Side::Black);
        for us in [Side::White, Side::Black] {
            survey.king(us);
            survey.threats(us);
            survey.passed(us, position.side());
            survey.space(us);
        }
        let mut tally = survey.tally;
        add!(tally, position.side(), tempo);
        let strong = Side::from_white(tally.total().end() > 0);
        Summary { tally, phase: survey::phase(board), scale: endgame::scale(board, strong) }
    }
}

/// A square's index in the tables that mirror left and right: 4 files by 8 ranks from `side`.
#[inline(always)]
const fn half_square(side: Side, square: Square) -> usize {
    square.rank().relative_to(side).index() * 4 + edge_distance(square.file().index())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::Rng;
    use crate::chess::random_game;

    /// Positions from random games, many with few pieces.
    fn positions() -> Vec<Position> {
        let mut rng = Rng::new(7);
        (0..100).flat_map(|_| random_game(Position::start(), 200, &mut rng)).collect()
    }

    /// The same position with the colours exchanged.
    fn mirrored(position: &Position) -> Position {
        let fen = position.fen();
        let fields: Vec<&str> = fen.split(' ').collect();
        let swap = |text: &str| -> String {
            text.chars()
                .map(|c| match c {
                    c if c.is_ascii_uppercase() => c.to_ascii_lowercase(),
                    c => c.to_ascii_uppercase(),
                })
                .collect()
        };
        let rows: Vec<String> = fields[0].split('/').rev().map(swap).collect();
        let side = if fields[1] == "w" { "b" } else { "w" };
        let passant = fields[3].replace('3', "x").replace('6', "3").replace('x', "6");
        let text = format!(
            "{} {side} {} {passant} {} {}",
            rows.join("/"),
            swap(fields[2]),
            fields[4],
            fields[5]
        );
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn colours_are_symmetric() {
        let mut evaluator = Evaluator::default();
        for position in positions() {
            let mirror = mirrored(&position);
            let (a, b) = (evaluator.value(&position), evaluator.value(&mirror));
            assert_eq!(a, b, "{}\n{}", position.fen(), evaluator.explain(&position));
        }
    }

    #[test]
    fn the_pawn_table_changes_nothing() {
        let mut warm = Evaluator::default();
        let positions = positions();
        for position in positions.iter().chain(&positions) {
            let value = warm.value(position);
            let untabled = warm.survey(position, Tally::<Counts>::default()).value();
            let cold = Evaluator::default().value(position);
            assert_eq!(value, cold, "{}", position.fen());
            if endgame::known(position).is_none() {
                let white = if position.side().is_white() { value } else { -value };
                assert_eq!(white, untabled, "{}", position.fen());
            }
        }
    }

    #[test]
    fn the_coefficients_give_the_value() {
        let weights = WEIGHTS.to_vec();
        let mut evaluator = Evaluator::default();
        let mut sampled = 0;
        for position in positions() {
            let Some(Sample { counts, phase, scale }) = evaluator.sample(&position) else {
                continue;
            };
            let mut tally = Tally::<()>::default();
            for term in TERMS {
                let used = term.first..term.first + term.len;
                for (&weight, &counts) in weights[used.clone()].iter().zip(&counts.0[used]) {
                    let [white, black] = counts.map(|count| weight * i32::from(count));
                    if term.group == Group::Danger {
                        tally.danger[0] += white;
                        tally.danger[1] += black;
                    } else {
                        tally.sum += white - black;
                    }
                }
            }
            let value = Summary { tally, phase, scale }.value();
            let value = if position.side().is_white() { value } else { -value };
            assert_eq!(value, evaluator.value(&position), "{}", position.fen());
            sampled += 1;
        }
        assert!(sampled > 10_000, "{sampled}");
    }

    #[test]
    fn drawn_material_is_worth_nothing_and_mates_are_worth_much() {
        for (fen, least, most) in [
            ("8/8/4k3/8/8/3KB3/8/8 w - - 0 1", 0, 0),
            ("8/8/4k3/8/8/3KNN2/8/8 b - - 0 1", 0, 0),
            ("8/8/4k3/8/8/3KB3/8/5B2 w - - 0 1", 900, LIMIT),
            ("8/8/4k3/8/8/3KBN2/8/8 b - - 0 1", -LIMIT, -900),
            ("8/8/4k3/8/8/2RK4/8/8 w - - 0 1", 900, LIMIT),
            // A rook's pawn and the wrong bishop.
            ("k7/8/8/P7/8/3KB3/8/8 w - - 0 1", 0, 20),
            ("8/4k3/8/P7/8/3KB3/8/8 w - - 0 1", 150, LIMIT),
        ] {
            let value = Evaluator::default().value(&fen.parse().expect(fen));
            assert!((least..=most).contains(&value), "{fen}: {value}");
        }
    }

    #[test]
    fn the_breakdown_adds_up() {
        let position = Position::start();
        let breakdown = Evaluator::default().explain(&position);
        assert_eq!(breakdown.groups.len(), Group::NUM);
        assert_eq!(breakdown.value, Evaluator::default().value(&position));
        let text = breakdown.to_string();
        assert!(text.contains("Mobility") && text.contains("Phase 24 of 24"), "{text}");
    }

    #[test]
    fn nine_queens_overflow_nothing() {
        let fen = "QQQQQQQQ/pppppppp/6k1/8/8/8/8/RNBQKBNR w KQ - 0 1";
        let value = Evaluator::default().value(&fen.parse().expect(fen));
        assert!((9 * 900..LIMIT).contains(&value), "{value}");
    }
}
