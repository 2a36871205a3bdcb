//! The network file format: a JSON header, which describes the shape of the network and its
//! training, followed by the weights.
//!
//! Numbers are little-endian.
//!
//! | bytes | content |
//! |---|---|
//! | 4 | the magic bytes `ANN1` |
//! | 4 | the length of the header |
//! | | the [`Header`] as JSON |
//! | 2 each | the first layer: one row of weights per feature, and a row of biases |
//! | 2 each | the output layer: per bucket, the weights of the side to move and of the opponent |
//! | 4 each | the output layer: a bias for each bucket |
//! | 4 | CRC-32 of all preceding bytes |

use super::Features;
use crate::base::cpu::screlu::MAX_WEIGHT;
use crate::base::file::read_regular;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::Path;

const MARK: [u8; 4] = *b"ANN1";

/// The shape of a network.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Shape {
    /// The name of the game.
    pub game: String,
    /// The number of input features.
    pub features: usize,
    /// The number of hidden values per perspective.
    pub hidden: usize,
    /// The number of output buckets.
    pub buckets: usize,
}

impl Shape {
    pub(crate) fn of<F: Features>(hidden: usize) -> Self {
        Self { game: F::GAME.into(), features: F::COUNT, hidden, buckets: F::BUCKETS }
    }

    /// Returns the number of weights, not including the biases of the output layer.
    pub const fn weights(&self) -> usize {
        (self.features + 1 + 2 * self.buckets) * self.hidden
    }
}

impl std::fmt::Display for Shape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { game, features, hidden, buckets } = self;
        write!(f, "{game} ({features} -> {hidden}) x 2 -> 1 x {buckets}")
    }
}

/// The training parameters of a network.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Recipe {
    /// The number of passes over the positions (epochs).
    pub passes: usize,
    /// The number of positions per step.
    pub batch: usize,
    /// The maximum learning rate.
    pub rate: f64,
    /// The weight of the game result in the training target. The search score has the remaining
    /// weight.
    pub result_share: f64,
    /// The weight of each later search in the outlook, relative to the search before it. The
    /// outlook of a position is a weighted mean of the result of the game and the expected results
    /// according to the later searches. It takes the place of the result in the target. With a
    /// decay of 1, the outlook is the result.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub decay: f64,
    /// The fraction by which the first-layer weights of a feature shrink in a step, at a learning rate
    /// of 1.
    #[serde(default = "usual_weight_decay", skip_serializing_if = "is_usual_weight_decay")]
    pub weight_decay: f64,
    /// The score, in hundredths of a pawn or man, that corresponds to an expected result of 73%.
    /// Scores are divided by this constant before the logistic function is applied.
    pub logistic: f64,
    pub seed: u64,
    /// True if the output was trained to be added to the evaluation that was current at the time.
    pub added: bool,
    /// The checksum of the initial network; 0 for random initial weights.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub from: u32,
}

const fn one() -> f64 {
    1.0
}

const fn is_one(decay: &f64) -> bool {
    *decay == 1.0
}

impl Recipe {
    pub(crate) const USUAL_WEIGHT_DECAY: f64 = 0.01;
}

const fn usual_weight_decay() -> f64 {
    Recipe::USUAL_WEIGHT_DECAY
}

const fn is_usual_weight_decay(decay: &f64) -> bool {
    *decay == usual_weight_decay()
}

const fn is_zero(checksum: &u32) -> bool {
    *checksum == 0
}

/// A set of training games that were played with the same parameters.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Source {
    /// The name and version of the program that played the games.
    pub program: String,
    /// The bench signature of the program, which identifies its search and evaluation.
    pub signature: u64,
    pub nodes: u64,
    pub seed: u64,
    pub games: u64,
    pub positions: u64,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    pub shape: Shape,
    /// The variant of the game. Empty for chess and for normal draughts.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub variant: String,
    /// The evaluation that an output of 1 represents: for chess on the network's scale, for
    /// draughts in hundredths of a man.
    pub scale: i32,
    pub recipe: Recipe,
    /// The sets of training games, including the games that the initial network was trained on.
    pub data: Vec<Source>,
}

/// The reason why the contents of a file cannot be used as a network.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NetError {
    /// The file does not begin with these magic bytes.
    #[error("not a network file: it does not begin with '{0}'")]
    Mark(String),
    /// The checksum is wrong.
    #[error("the file is damaged or truncated: its checksum is wrong")]
    Damaged,
    /// The header cannot be parsed.
    #[error("invalid header: {0}")]
    Header(String),
    /// The length of the weights does not match the header.
    #[error("the file has {found} bytes of weights, but its header requires {expected}")]
    Length {
        /// The number of bytes of weights in the file.
        found: usize,
        /// The number of bytes of weights for the shape in the header.
        expected: usize,
    },
    /// An output weight is too large for 16-bit multiplication.
    #[error("a weight of the output layer is {0}, outside the range -{MAX_WEIGHT} to {MAX_WEIGHT}")]
    Weight(i16),
    /// The network is for another variant of draughts.
    #[error("the network is for {found} draughts, but {expected} draughts is required")]
    Variant {
        /// The variant in the header.
        found: String,
        /// The variant of the positions to evaluate.
        expected: &'static str,
    },
    /// The network does not have the required shape.
    #[error("the shape of the network is {found}, but {expected} is required")]
    Shape {
        /// The shape in the header.
        found: Shape,
        /// The shape that the evaluation uses.
        expected: Shape,
    },
    /// The output of the network is only a part of an evaluation.
    #[error("the network was trained with --added, so it is not a complete evaluation")]
    Added,
}

/// The reason why a network file cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The contents are not a usable network.
    #[error(transparent)]
    Net(#[from] NetError),
}

#[derive(Clone, PartialEq, Debug)]
pub struct NetFile {
    pub header: Header,
    pub weights: Vec<i16>,
    pub output_biases: Vec<i32>,
}

impl NetFile {
    pub fn bytes(&self) -> Vec<u8> {
        let weights = self.weights.iter().flat_map(|weight| weight.to_le_bytes());
        let biases = self.output_biases.iter().flat_map(|bias| bias.to_le_bytes());
        let header = serde_json::to_vec(&self.header).unwrap_or_default();
        pack(MARK, &header, &weights.chain(biases).collect::<Vec<u8>>())
    }

    /// Returns the checksum at the end of the file. The CRC-32 of a whole file, which includes this
    /// checksum, is the same for all files.
    pub(crate) fn checksum(&self) -> u32 {
        let bytes = self.bytes();
        bytes.last_chunk().map_or(0, |&checksum| u32::from_le_bytes(checksum))
    }

    /// The maximum size of a file in bytes. Networks that the program can use are much smaller.
    pub(crate) const MAX_FILE: u64 = 256 << 20;

    /// Reads a network file, which must be a regular file.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        Ok(Self::read(&read_regular(path, Self::MAX_FILE)?)?)
    }

    /// Checks that the network has this shape and is a complete evaluation.
    pub(crate) fn check(&self, shape: &Shape) -> Result<(), NetError> {
        let found = &self.header.shape;
        if found != shape {
            return Err(NetError::Shape { found: found.clone(), expected: shape.clone() });
        }
        if self.header.recipe.added { Err(NetError::Added) } else { Ok(()) }
    }

    pub fn read(bytes: &[u8]) -> Result<Self, NetError> {
        let (header, body) = unpack::<Header>(MARK, bytes)?;
        let shape = &header.shape;
        let too_large = || NetError::Header("the shape is too large".into());
        let rows = shape.buckets.checked_mul(2).and_then(|rows| rows.checked_add(1));
        let weights = rows
            .and_then(|rows| rows.checked_add(shape.features)?.checked_mul(shape.hidden))
            .ok_or_else(too_large)?;
        let expected = weights
            .checked_mul(2)
            .and_then(|bytes| bytes.checked_add(shape.buckets.checked_mul(4)?))
            .ok_or_else(too_large)?;
        if body.len() != expected {
            return Err(NetError::Length { found: body.len(), expected });
        }
        let (weights, biases) = body.split_at(2 * weights);
        let weights: Vec<i16> =
            weights.as_chunks().0.iter().map(|&w| i16::from_le_bytes(w)).collect();
        let outputs = &weights[(shape.features + 1) * shape.hidden..];
        let fits = |weight: i16| weight.unsigned_abs() <= MAX_WEIGHT.unsigned_abs();
        if let Some(&weight) = outputs.iter().find(|&&weight| !fits(weight)) {
            return Err(NetError::Weight(weight));
        }
        let output_biases = biases.as_chunks().0.iter().map(|&b| i32::from_le_bytes(b)).collect();
        Ok(Self { header, weights, output_biases })
    }
}

/// Returns the bytes of a file: the magic bytes `mark`, the header and its length, the body, and a
/// checksum.
pub(crate) fn pack(mark: [u8; 4], header: &[u8], body: &[u8]) -> Vec<u8> {
    let length = (header.len() as u32).to_le_bytes();
    let mut bytes = [&mark[..], &length, header, body].concat();
    bytes.extend_from_slice(&crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// Checks the magic bytes and the checksum of a file built by [`pack`], and returns its header and
/// body.
pub(crate) fn unpack<T: DeserializeOwned>(
    mark: [u8; 4],
    bytes: &[u8],
) -> Result<(T, &[u8]), NetError> {
    if !bytes.starts_with(&mark) {
        return Err(NetError::Mark(String::from_utf8_lossy(&mark).into_owned()));
    }
    let (content, checksum) = bytes.split_last_chunk().ok_or(NetError::Damaged)?;
    if crc32fast::hash(content) != u32::from_le_bytes(*checksum) {
        return Err(NetError::Damaged);
    }
    let rest = content.get(mark.len()..).ok_or(NetError::Damaged)?;
    let (length, rest) = rest.split_first_chunk().ok_or(NetError::Damaged)?;
    let length = u32::from_le_bytes(*length) as usize;
    let (header, body) = rest.split_at_checked(length).ok_or(NetError::Damaged)?;
    let header =
        serde_json::from_slice(header).map_err(|error| NetError::Header(error.to_string()))?;
    Ok((header, body))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::net::Net;

    fn file() -> NetFile {
        let shape = Shape { game: "draughts".into(), features: 3, hidden: 64, buckets: 2 };
        let recipe = Recipe {
            passes: 2,
            batch: 16,
            rate: 0.001,
            result_share: 0.25,
            decay: 0.9,
            weight_decay: 4.0,
            logistic: 140.0,
            seed: 9,
            added: false,
            from: 0,
        };
        let weights = (0..shape.weights()).map(|i| (i % 251) as i16 - 125).collect();
        let header = Header { shape, variant: String::new(), scale: 140, recipe, data: Vec::new() };
        NetFile { header, weights, output_biases: vec![-70_000, 3] }
    }

    #[test]
    fn files_round_trip() {
        let file = file();
        let bytes = file.bytes();
        assert_eq!(NetFile::read(&bytes).as_ref(), Ok(&file));
        let net = Net::<64>::new(&file, &file.header.shape).expect("its own shape");
        assert_eq!(net.bias().0[0], file.weights[3 * 64]);
        let value = net.output(0, net.bias(), net.row(2));
        assert!(value < -500, "{value}");
    }

    #[test]
    fn rejects_damaged_and_foreign_files() {
        let file = file();
        let bytes = file.bytes();
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 4;
            let error = NetFile::read(&damaged).expect_err("damage");
            let expected = if at < 4 { NetError::Mark("ANN1".into()) } else { NetError::Damaged };
            assert_eq!(error, expected, "{at}");
            assert!(NetFile::read(&bytes[..at]).is_err(), "{at}");
        }
        let short = NetFile { output_biases: vec![1], ..file.clone() };
        let error = NetFile::read(&short.bytes()).expect_err("too short");
        assert_eq!(error, NetError::Length { found: 1028, expected: 1032 });
        let mut large = file.clone();
        large.weights[4 * 64] = 129;
        assert_eq!(NetFile::read(&large.bytes()), Err(NetError::Weight(129)));
        let shape = Shape { hidden: 128, ..file.header.shape.clone() };
        let error = Net::<128>::new(&file, &shape).expect_err("another shape");
        assert_eq!(
            error.to_string(),
            "the shape of the network is draughts (3 -> 64) x 2 -> 1 x 2, \
             but draughts (3 -> 128) x 2 -> 1 x 2 is required"
        );
    }
}
