//! The trained draughts network. Its inputs are the patterns of men and the squares of kings.
//!
//! The pattern in each window of the board ([`patterns`](super::patterns)) selects a row of
//! weights, and the square of each king selects another row. The rows of White's windows and kings
//! are summed, and the rows of Black's windows and kings are summed separately. A row has two
//! halves: weights from its owner's perspective and from the opponent's perspective. The two sums
//! therefore give the hidden values of both perspectives in a single pass.

use super::features::{DraughtsFeatures, PER_SIDE};
use super::patterns::{Patterns, SIZE};
use crate::base::cpu::{Sums, screlu};
use crate::base::side::Side;
use crate::draughts::{Board, Variant};
use crate::eval::net::layers::{ONE, OUTPUT_ONE};
use crate::eval::net::{Features, NetError, NetFile, OpenError, Row, Shape};
use once_cell::sync::Lazy;
use std::path::Path;
use std::sync::Arc;

/// The number of hidden values per perspective.
pub(crate) const HIDDEN: usize = 16;
const BUCKETS: usize = DraughtsFeatures::BUCKETS;

/// A row of weights: first from the owner's perspective, then from the opponent's.
type Both = Row<{ 2 * HIDDEN }>;

/// A network for the evaluation of draughts positions, in the format of `adoube train`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    variant: Variant,
    patterns: Box<[[Both; SIZE]]>,
    kings: Box<[Both]>,
    bias: Both,
    /// For each bucket and side to move, the output weights for White's hidden values, then for
    /// Black's.
    outputs: [[Both; Side::NUM]; BUCKETS],
    output_biases: [i32; BUCKETS],
    /// The evaluation that an output of 1 represents, in hundredths of a man.
    scale: i32,
}

static NORMAL: Lazy<Network> = Lazy::new(|| read(Variant::Normal, include_bytes!("net.bin")));
static KILLER: Lazy<Network> =
    Lazy::new(|| read(Variant::Killer, include_bytes!("net-killer.bin")));
static BREAKTHROUGH: Lazy<Network> =
    Lazy::new(|| read(Variant::Breakthrough, include_bytes!("net-bt.bin")));
static FRISIAN: Lazy<Network> =
    Lazy::new(|| read(Variant::Frisian, include_bytes!("net-frisian.bin")));
static LOSING: Lazy<Network> =
    Lazy::new(|| read(Variant::Losing, include_bytes!("net-losing.bin")));

fn read(variant: Variant, bytes: &[u8]) -> Network {
    let network = NetFile::read(bytes).and_then(|file| Network::new(&file, variant));
    network.unwrap_or_else(|error| panic!("embedded network of {variant} draughts: {error}"))
}

impl Network {
    /// Returns the embedded network of a variant.
    #[inline(always)]
    pub(crate) fn of_variant(variant: Variant) -> &'static Self {
        match variant {
            Variant::Normal => &NORMAL,
            Variant::Killer => &KILLER,
            Variant::Breakthrough => &BREAKTHROUGH,
            Variant::Frisian => &FRISIAN,
            Variant::Losing => &LOSING,
        }
    }

    /// Reads the file of a network for `variant`.
    ///
    /// # Errors
    /// Fails if the file cannot be read, is damaged, or contains a network that has the wrong
    /// shape, is for another variant or was trained with `--added`.
    pub fn open(path: &Path, variant: Variant) -> Result<Arc<Self>, OpenError> {
        Ok(Arc::new(Self::new(&NetFile::open(path)?, variant)?))
    }

    /// Returns the variant that the network evaluates.
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// Builds the network from a file. Fails if the network has the wrong shape, is for a variant
    /// other than `variant` or was trained with `--added`.
    pub(crate) fn new(file: &NetFile, variant: Variant) -> Result<Self, NetError> {
        let found = match file.header.variant.as_str() {
            "" => Variant::Normal.name(),
            found => found,
        };
        if found != variant.name() {
            return Err(NetError::Variant { found: found.into(), expected: variant.name() });
        }
        file.check(&Shape::of::<DraughtsFeatures>(HIDDEN))?;
        let (rows, _) = file.weights.as_chunks::<HIDDEN>();
        let both = |a: usize, b: usize| {
            let mut row = Both::ZERO;
            row.0[..HIDDEN].copy_from_slice(&rows[a]);
            row.0[HIDDEN..].copy_from_slice(&rows[b]);
            row
        };
        let features: Vec<Both> = (0..PER_SIDE).map(|i| both(i, PER_SIDE + i)).collect();
        let (patterns, kings) = features.as_chunks::<SIZE>();
        let output = |bucket: usize| {
            let (own, other) = (
                DraughtsFeatures::COUNT + 1 + 2 * bucket,
                DraughtsFeatures::COUNT + 2 + 2 * bucket,
            );
            [both(own, other), both(other, own)]
        };
        let mut output_biases = [0; BUCKETS];
        output_biases.copy_from_slice(&file.output_biases);
        Ok(Self {
            variant,
            patterns: patterns.into(),
            kings: kings.into(),
            bias: both(DraughtsFeatures::COUNT, DraughtsFeatures::COUNT),
            outputs: std::array::from_fn(output),
            output_biases,
            scale: file.header.scale,
        })
    }

    /// Returns the value for the side to move, in hundredths of a man.
    #[inline(always)]
    pub(crate) fn value(&self, board: &Board, side: Side, patterns: &Patterns) -> i32 {
        let mut white = Sums::load(&self.bias.0);
        let mut black = Sums::load(&Both::ZERO.0);
        for (window, table) in self.patterns.iter().enumerate() {
            let [of_white, of_black] = patterns.of_window(window);
            white = white.plus(Sums::load(&table[of_white].0));
            black = black.plus(Sums::load(&table[of_black].0));
        }
        for king in board.kings(Side::White) {
            white = white.plus(Sums::load(&self.kings[king.index()].0));
        }
        for king in board.kings(Side::Black) {
            black = black.plus(Sums::load(&self.kings[king.turned().index()].0));
        }
        // The first half contains White's hidden values, the second half Black's.
        let hidden = white.plus(black.halves_exchanged()).row();
        let bucket = DraughtsFeatures::bucket_of(board.occupied().len());
        let sum = screlu::sum(&hidden, &self.outputs[bucket][side.index()].0);
        let output = sum / ONE + self.output_biases[bucket];
        output * self.scale / (ONE * OUTPUT_ONE)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::tests::positions;
    use super::*;
    use crate::draughts::Position;
    use crate::eval::net::features;

    /// Computes the value as the [layers](crate::eval::net::layers) define it, in 32 bits. Each
    /// hidden value is computed separately from the training features.
    fn by_definition(file: &NetFile, position: &Position) -> i32 {
        let pieces = DraughtsFeatures::pieces(position);
        let bucket = DraughtsFeatures::bucket(&pieces);
        let weight = |row: usize, h: usize| i32::from(file.weights[row * HIDDEN + h]);
        let mut sum = 0;
        for (place, view) in [position.side(), !position.side()].into_iter().enumerate() {
            let seen = features::<DraughtsFeatures>(&pieces, view);
            for h in 0..HIDDEN {
                let value: i32 = seen.iter().map(|&feature| weight(feature, h)).sum();
                let value = (value + weight(DraughtsFeatures::COUNT, h)).clamp(0, ONE);
                let output = DraughtsFeatures::COUNT + 1 + 2 * bucket + place;
                sum += value * value * weight(output, h);
            }
        }
        (sum / ONE + file.output_biases[bucket]) * file.header.scale / (ONE * OUTPUT_ONE)
    }

    #[test]
    fn values_match_the_definition_of_the_layers() {
        let file = NetFile::read(include_bytes!("net.bin")).unwrap();
        let mut kings = 0;
        for position in positions() {
            let board = position.board();
            kings += board.all_kings().len();
            let value = Network::of_variant(Variant::Normal).value(
                board,
                position.side(),
                &Patterns::of(board),
            );
            assert_eq!(value, by_definition(&file, &position), "{position:?}");
        }
        assert!(kings > 1000, "{kings}");
    }

    #[test]
    fn rejects_a_network_of_another_variant() {
        let file = NetFile::read(include_bytes!("net-frisian.bin")).unwrap();
        assert!(Network::new(&file, Variant::Frisian).is_ok());
        let error = Network::new(&file, Variant::Normal).unwrap_err();
        let expected = "the network is for frisian draughts, but normal draughts is required";
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn rejects_a_file_of_another_shape() {
        let mut file = NetFile::read(include_bytes!("net.bin")).unwrap();
        file.header.shape.hidden = 32;
        let network = Network::new(&file, Variant::Normal);
        assert!(matches!(network, Err(NetError::Shape { .. })));
    }
}
