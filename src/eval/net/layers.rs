//! The layers of a network in integers.
//!
//! In the first layer [`ONE`] stands for 1, in the weights of the output layer [`OUTPUT_ONE`]. A row of
//! the first layer is added up in 16 bits; training keeps its weights below 2, so the sum of all pieces
//! does not overflow.

use super::file::{NetError, NetFile, Shape};
use crate::base::cpu::screlu;

/// What stands for 1 in the first layer.
pub const ONE: i32 = screlu::ONE as i32;
/// What stands for 1 in the weights of the output layer.
pub const OUTPUT_ONE: i32 = 64;

/// A row of weights of the first layer, or an accumulator, which is the sum of such rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub struct Row<const H: usize>(pub [i16; H]);

impl<const H: usize> Row<H> {
    /// A row of zeros.
    pub const ZERO: Self = Self([0; H]);
}

/// A network with `H` hidden values for each player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Net<const H: usize> {
    rows: Box<[Row<H>]>,
    bias: Row<H>,
    /// For each bucket the weights of the side to move's accumulator and of the opponent's.
    outputs: Box<[[Row<H>; 2]]>,
    output_biases: Box<[i32]>,
    /// What an output of 1 is worth, in hundredths of a pawn or man.
    scale: i32,
}

impl<const H: usize> Net<H> {
    /// The network of a file.
    ///
    /// # Errors
    /// If the file's network is for another game, or has another shape.
    pub fn new(file: &NetFile, shape: &Shape) -> Result<Self, NetError> {
        let found = &file.header.shape;
        if found != shape || shape.hidden != H {
            return Err(NetError::Shape { found: found.clone(), expected: shape.clone() });
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

    /// The biases of the first layer: the sums of a board without pieces.
    #[inline(always)]
    pub(super) const fn bias(&self) -> &Row<H> {
        &self.bias
    }

    /// The row of a feature.
    #[inline(always)]
    pub(super) fn row(&self, feature: usize) -> &Row<H> {
        &self.rows[feature]
    }

    /// The value of a position of a bucket in hundredths of a pawn or man, from the sums of the side to
    /// move and of its opponent.
    #[inline(always)]
    pub fn output(&self, bucket: usize, own: &Row<H>, other: &Row<H>) -> i32 {
        let [own_weights, other_weights] = &self.outputs[bucket];
        let sum = screlu::sum(&own.0, &own_weights.0)
            .wrapping_add(screlu::sum(&other.0, &other_weights.0));
        let output = i64::from(sum / ONE) + i64::from(self.output_biases[bucket]);
        (output * i64::from(self.scale) / i64::from(ONE * OUTPUT_ONE)) as i32
    }
}
