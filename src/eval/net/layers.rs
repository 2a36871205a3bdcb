//! The layers of a quantised network, in which all numbers are integers.
//!
//! In the first layer, the integer [`ONE`] represents the value 1. In the weights of the output
//! layer, the integer [`OUTPUT_ONE`] represents the value 1. The sums of the first layer are 16-bit
//! integers. Training limits the first layer's weights so that the sums do not overflow.

use super::file::{NetError, NetFile, Shape};
use crate::base::cpu::screlu;

pub(crate) const ONE: i32 = screlu::ONE as i32;
pub(crate) const OUTPUT_ONE: i32 = 64;

/// A row of first-layer weights, or an accumulator, which is a sum of such rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub struct Row<const H: usize>(pub [i16; H]);

impl<const H: usize> Row<H> {
    pub(crate) const ZERO: Self = Self([0; H]);
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Net<const H: usize> {
    rows: Box<[Row<H>]>,
    bias: Row<H>,
    /// For each bucket, the output weights for the accumulators of the side to move and the
    /// opponent.
    outputs: Box<[[Row<H>; 2]]>,
    output_biases: Box<[i32]>,
    /// The evaluation that an output of 1 represents, on the network's scale.
    scale: i32,
}

impl<const H: usize> Net<H> {
    /// Builds a network from a file. Fails if the shape of the network in the file is not `shape`,
    /// or if the network is not a complete evaluation.
    pub(crate) fn new(file: &NetFile, shape: &Shape) -> Result<Self, NetError> {
        file.check(shape)?;
        if shape.hidden != H {
            let found = file.header.shape.clone();
            return Err(NetError::Shape { found, expected: shape.clone() });
        }
        let (rows, _) = file.weights.as_chunks::<H>();
        let mut rows = rows.iter().map(|&row| Row(row));
        let first: Box<[Row<H>]> = rows.by_ref().take(shape.features).collect();
        let bias = rows.next().unwrap_or(Row::ZERO);
        let outputs: Vec<Row<H>> = rows.collect();
        let (outputs, _) = outputs.as_chunks::<2>();
        Ok(Self {
            rows: first,
            bias,
            outputs: outputs.into(),
            output_biases: file.output_biases.clone().into(),
            scale: file.header.scale,
        })
    }

    /// Returns the biases of the first layer, which are the accumulator of an empty board.
    #[inline(always)]
    pub(super) const fn bias(&self) -> &Row<H> {
        &self.bias
    }

    #[inline(always)]
    pub(super) fn row(&self, feature: usize) -> &Row<H> {
        &self.rows[feature]
    }

    /// Returns the value on the network's scale, from the point of view of the side to move. `own`
    /// is the accumulator of the side to move, and `other` that of the opponent.
    #[inline(always)]
    pub(crate) fn output(&self, bucket: usize, own: &Row<H>, other: &Row<H>) -> i32 {
        let [own_weights, other_weights] = &self.outputs[bucket];
        let sum = screlu::sum(&own.0, &own_weights.0)
            .wrapping_add(screlu::sum(&other.0, &other_weights.0));
        let output = i64::from(sum / ONE) + i64::from(self.output_biases[bucket]);
        (output * i64::from(self.scale) / i64::from(ONE * OUTPUT_ONE)) as i32
    }
}
