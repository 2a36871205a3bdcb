//! The evaluation part by part, for the UCI command `eval`.

use super::tally::{Counts, penalty};
use super::terms::{Group, TERMS, Weights};
use crate::base::side::Side;
use crate::eval::pair::Pair;
use std::fmt;

/// The parts of an evaluation.
#[derive(Clone, Debug)]
pub struct Breakdown {
    /// Each chapter's value for White and for Black.
    pub groups: Vec<(Group, [Pair; Side::NUM])>,
    /// The share of the middle game, out of 24.
    pub phase: i32,
    /// The share of the endgame advantage that counts, out of 64.
    pub scale: i32,
    /// Whether the value was known without these parts (a solved or drawn ending).
    pub known: bool,
    /// The value in centipawns, seen from White.
    pub value: i32,
}

impl Breakdown {
    /// Sums the weights used, chapter by chapter.
    pub(super) fn sums(counts: &Counts, weights: &Weights) -> Vec<(Group, [Pair; Side::NUM])> {
        let weights = weights.to_vec();
        Group::ALL
            .into_iter()
            .map(|group| {
                let mut sums = [Pair::ZERO; Side::NUM];
                for term in TERMS.iter().filter(|term| term.group == group) {
                    let used = term.first..term.first + term.len;
                    for (&weight, count) in weights[used.clone()].iter().zip(&counts.0[used]) {
                        for (sum, &count) in sums.iter_mut().zip(count) {
                            *sum += weight * i32::from(count);
                        }
                    }
                }
                let of_danger = |danger| -penalty(danger);
                (group, if group == Group::Danger { sums.map(of_danger) } else { sums })
            })
            .collect()
    }
}

/// Centipawns as pawns, signed.
fn pawns(value: i32) -> String {
    format!("{:+.2}", f64::from(value) / 100.0)
}

impl fmt::Display for Breakdown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  Term      |     White     |     Black     |     Total")?;
        writeln!(f, "            |    mg     eg  |    mg     eg  |    mg     eg")?;
        writeln!(f, "------------+---------------+---------------+--------------")?;
        let mut total = Pair::ZERO;
        for &(group, [white, black]) in &self.groups {
            let row = [white, black, white - black]
                .map(|pair| format!("{:>6} {:>6}", pawns(pair.middle()), pawns(pair.end())));
            writeln!(f, "  {:<9} | {} | {} | {}", format!("{group:?}"), row[0], row[1], row[2])?;
            total += white - black;
        }
        writeln!(f, "------------+---------------+---------------+--------------")?;
        let (middle, end) = (pawns(total.middle()), pawns(total.end()));
        writeln!(f, "  {:<41} | {middle:>6} {end:>6}", "Total")?;
        writeln!(f, "Phase {} of 24, endgame scale {} of 64", self.phase, self.scale)?;
        if self.known {
            writeln!(f, "The ending is known; the terms above do not count")?;
        }
        write!(f, "Evaluation {} (White's side)", pawns(self.value))
    }
}
