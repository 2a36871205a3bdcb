//! The draughts evaluation as the tuner sees it.

use super::{Model, Row, Use, Vector, held_out, result};
use crate::draughts::epd::Epd;
use crate::eval::draughts::endgame::FULL_SCALE;
use crate::eval::draughts::weights::{WEIGHTS, Weights};
use crate::eval::draughts::{Evaluator, FULL_PHASE};
use crate::record::epd;

/// The draughts evaluation.
#[derive(Clone, Copy, Debug)]
pub struct Draughts;

impl Model for Draughts {
    type Evaluator = Evaluator;

    const FILE: &'static str = "src/eval/draughts/weights.bin";

    fn weights() -> Vector {
        WEIGHTS.to_vec()
    }

    fn row(evaluator: &mut Evaluator, record: &str) -> Option<Row> {
        let Epd { position, operations } = record.parse().ok()?;
        let operand = |opcode: &str| {
            operations.iter().find(|operation| operation.opcode == opcode)?.words().next()
        };
        let score: f32 = operand("ce")?.parse().ok()?;
        let result = result(operand("c9")?)?;
        let sample = evaluator.sample(&position);
        let uses = sample.counts.iter().map(|&(i, counts)| Use { index: i as u16, counts });
        let scale = sample.scale as f32 / FULL_SCALE as f32;
        let phase = sample.phase as f32 / FULL_PHASE as f32;
        Some(Row {
            uses: uses.collect(),
            middle: phase * scale,
            end: (1.0 - phase) * scale,
            result,
            score: if position.side().is_white() { score } else { -score },
            material: position.board().occupied().len(),
            held_out: held_out(&epd::id(&operations)),
        })
    }

    fn contents(weights: &Vector) -> Vec<u8> {
        Weights::bytes(weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_contents_of_the_weights_in_play_are_the_file_itself() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/eval/draughts/weights.bin");
        assert_eq!(Draughts::contents(&WEIGHTS.to_vec()), std::fs::read(file).expect("the file"));
    }
}
