//! The chess evaluation as the tuner sees it.

use super::{Model, Row, Use, Vector, held_out, result};
use crate::chess::Position;
use crate::chess::epd::Epd;
use crate::eval::chess::{Evaluator, FULL_PHASE, FULL_SCALE, Group, Pair, TERMS, WEIGHTS};
use std::fmt::Write as _;

/// The chess evaluation.
#[derive(Clone, Copy, Debug)]
pub struct Chess;

impl Model for Chess {
    type Evaluator = Evaluator;

    const FILE: &'static str = "src/eval/chess/weights.rs";

    fn weights() -> Vector {
        WEIGHTS.to_vec().iter().map(|w| [w.middle() as f32, w.end() as f32]).collect()
    }

    fn first_danger() -> usize {
        let danger = TERMS.iter().find(|term| term.group == Group::Danger);
        danger.map_or(usize::MAX, |term| term.first)
    }

    fn row(evaluator: &mut Evaluator, record: &str) -> Option<Row> {
        let record: Epd = record.parse().ok()?;
        let position: &Position = &record.position;
        let score: f32 = record.get("ce")?.words().next()?.parse().ok()?;
        let result = result(record.get("c9")?.words().next()?)?;
        let sample = evaluator.sample(position)?;
        let counts = sample.counts.0.iter().enumerate();
        let uses = counts.filter(|(_, counts)| **counts != [0, 0]);
        Some(Row {
            uses: uses.map(|(i, &counts)| Use { index: i as u16, counts }).collect(),
            middle: sample.phase as f32 / FULL_PHASE as f32,
            end: (FULL_PHASE - sample.phase) as f32 / FULL_PHASE as f32 * sample.scale as f32
                / FULL_SCALE as f32,
            result,
            score: if position.side().is_white() { score } else { -score },
            material: crate::eval::chess::material(position),
            held_out: held_out(&record.id()),
        })
    }

    fn contents(weights: &Vector) -> Vec<u8> {
        let round = |value: f32| value.round().clamp(-8000.0, 8000.0) as i16;
        let pairs: Vec<Pair> =
            weights.iter().map(|&[middle, end]| Pair::new(round(middle), round(end))).collect();
        source(&pairs).into_bytes()
    }
}

/// The source text of `src/eval/chess/weights.rs`.
fn source(weights: &[Pair]) -> String {
    let mut text = String::from(
        "//! The value of every weight: generated, not written by hand.\n\
         //!\n\
         //! `adoube tune` writes this file from games that the engine played against itself; see\n\
         //! `tools/tune/`. What each weight means stands in `terms.rs`. In centipawns, `s(middle game,\n\
         //! endgame)`; weights of danger in the units of `tally.rs`.\n\
         \n\
         use super::terms::Weights;\n\
use crate::eval::pair::s;\n\
         \n\
         /// The weights in play.\n\
         #[rustfmt::skip]\n\
         pub static WEIGHTS: Weights = Weights {\n",
    );
    for term in TERMS {
        let values: Vec<String> =
            weights.iter().skip(term.first).take(term.len).map(|w| format!("{w:?}")).collect();
        let row = if term.name.ends_with("_square") { 4 } else { 8 };
        // Writing to a string cannot fail.
        let _ = if values.len() <= row {
            writeln!(text, "    {}: [{}],", term.name, values.join(", "))
        } else {
            let rows: Vec<String> = values.chunks(row).map(|row| row.join(", ")).collect();
            writeln!(text, "    {}: [\n        {},\n    ],", term.name, rows.join(",\n        "))
        };
    }
    text + "};\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_source_of_the_weights_in_play_is_the_file_itself() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/eval/chess/weights.rs");
        let text = std::fs::read_to_string(file).expect("the file");
        assert_eq!(source(&WEIGHTS.to_vec()), text);
    }
}
