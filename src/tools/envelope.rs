//! The envelope for an adjourned game (row S-02 in the catalogue: Par. 21; Art. 21; annexes 1 to 3
//! of 2009). The players, the position, the clocks and an open draw offer are written on the
//! outside. The sealed move is inside.
//!
//! The move is encrypted with the arbiter's public key, together with a copy of everything on the
//! outside. The encryption is a NaCl sealed box (X25519, XSalsa20 and Poly1305, from the crate
//! `crypto_box`). The plaintext is padded to a fixed size, so that its length reveals nothing. Only
//! the arbiter can read the move, and any change outside or inside is detected.
//!
//! Anyone with the arbiter's public key could seal another move in another envelope. The
//! [`Envelope::fingerprint`] reveals such an exchange: the players and the arbiter write it down
//! when the envelope is closed, just as they would sign a paper envelope.

use crate::chess::Position;
use blake2::{Blake2b512, Digest};
use crypto_box::aead::OsRng;
use crypto_box::{PublicKey, SecretKey};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The text on the outside of the envelope (annex 2 a to i).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outside {
    pub white: String,
    pub black: String,
    /// The position before the sealed move as a FEN, which includes the side to move and the move
    /// number.
    pub position: String,
    /// White's clock time, in any form chosen by the players.
    pub white_clock: Option<String>,
    /// Black's clock time, in any form chosen by the players.
    pub black_clock: Option<String>,
    pub draw_offer: bool,
    pub resumption: Option<String>,
    pub notation: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Envelope {
    pub arbiter: String,
    /// The encrypted contents, in hexadecimal.
    pub sealed: String,
    pub outside: Outside,
}

/// The contents of an envelope before encryption.
#[derive(Serialize, Deserialize)]
struct Inside {
    outside: Outside,
    text: String,
}

/// The size of the padded plaintext, in bytes.
const INSIDE: usize = 2048;

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EnvelopeError {
    #[error("this is not an envelope: {0}")]
    Form(String),
    #[error("not a key: expected '{prefix}' and 64 hexadecimal digits")]
    Key { prefix: &'static str },
    #[error(transparent)]
    Position(#[from] crate::chess::fen::FenError),
    #[error("the envelope was sealed for another arbiter's key")]
    Foreign,
    /// The sealed contents have been changed or truncated.
    #[error("the envelope has been altered: its seal is broken")]
    Broken,
    /// The text on the outside differs from the copy inside.
    #[error("the envelope has been altered: {0} was changed after the envelope was sealed")]
    Altered(&'static str),
    #[error("this is another envelope: its fingerprint is {0}")]
    Fingerprint(String),
    #[error("the text is too long for an envelope: {0} bytes; the limit is {INSIDE}")]
    TooLong(usize),
    /// The system cannot provide random numbers, or memory is exhausted.
    #[error("cannot seal the envelope: no random numbers or not enough memory")]
    Closing,
}

pub struct ArbiterKey(SecretKey);

const SECRET: &str = "adoube-arbiter-secret-";
const PUBLIC: &str = "adoube-arbiter-public-";

impl ArbiterKey {
    pub fn generate() -> Self {
        Self(SecretKey::generate(&mut OsRng))
    }

    pub fn public(&self) -> String {
        format!("{PUBLIC}{}", hex(self.0.public_key().as_bytes()))
    }

    pub(crate) fn secret(&self) -> String {
        format!("{SECRET}{}", hex(&self.0.to_bytes()))
    }
}

impl FromStr for ArbiterKey {
    type Err = EnvelopeError;

    fn from_str(text: &str) -> Result<Self, EnvelopeError> {
        key(text, SECRET).map(|bytes| Self(SecretKey::from(bytes)))
    }
}

impl fmt::Debug for ArbiterKey {
    /// Formats only the public key, to keep the secret key out of logs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ArbiterKey({})", self.public())
    }
}

fn key(text: &str, prefix: &'static str) -> Result<[u8; 32], EnvelopeError> {
    let digits = text.trim().strip_prefix(prefix);
    let bytes = digits.and_then(unhex).and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
    bytes.ok_or(EnvelopeError::Key { prefix })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> =
        text.chars().map(|c| c.to_digit(16).map(|digit| digit as u8)).collect();
    let digits = digits.filter(|digits| digits.len() % 2 == 0)?;
    Some(digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

impl Envelope {
    /// Seals the player's text, so that only the owner of the arbiter's secret key can read it.
    ///
    /// The text may be an illegal move. It is checked when the envelope is opened.
    pub fn close(outside: Outside, arbiter: &str, text: &str) -> Result<Self, EnvelopeError> {
        let public = PublicKey::from(key(arbiter, PUBLIC)?);
        outside.position.parse::<Position>()?;
        let inside = Inside { outside: outside.clone(), text: text.to_owned() };
        let mut inside = serde_json::to_vec(&inside).map_err(|_| EnvelopeError::Closing)?;
        if inside.len() > INSIDE {
            return Err(EnvelopeError::TooLong(inside.len()));
        }
        // Pad with spaces, which are valid after a JSON value.
        inside.resize(INSIDE, b' ');
        let sealed = public.seal(&mut OsRng, &inside).map_err(|_| EnvelopeError::Closing)?;
        Ok(Self { outside, arbiter: arbiter.trim().to_owned(), sealed: hex(&sealed) })
    }

    /// Opens the envelope and returns the player's text. Fails if the envelope was sealed for
    /// another arbiter, or if the outside or inside has been changed.
    pub fn open(&self, key: &ArbiterKey) -> Result<String, EnvelopeError> {
        if self.arbiter != key.public() {
            return Err(EnvelopeError::Foreign);
        }
        let sealed = unhex(&self.sealed).ok_or(EnvelopeError::Broken)?;
        let inside = key.0.unseal(&sealed).map_err(|_| EnvelopeError::Broken)?;
        let inside: Inside = serde_json::from_slice(&inside).map_err(|_| EnvelopeError::Broken)?;
        match changed_field(&self.outside, &inside.outside) {
            Some(what) => Err(EnvelopeError::Altered(what)),
            None => Ok(inside.text),
        }
    }

    /// Returns eight groups of four hexadecimal digits: the first 128 bits of the envelope's
    /// BLAKE2b digest. Finding two envelopes with the same fingerprint would take 2^64 attempts.
    pub(crate) fn fingerprint(&self) -> String {
        let bytes = serde_json::to_vec(self).unwrap_or_default();
        let groups: Vec<String> = Blake2b512::digest(bytes)[..16].chunks(2).map(hex).collect();
        groups.join("-")
    }

    /// Checks that `fingerprint`, which was written down earlier, is the fingerprint of this
    /// envelope. Ignores case, spaces and dashes.
    pub(crate) fn check_fingerprint(&self, fingerprint: &str) -> Result<(), EnvelopeError> {
        let plain = |text: &str| -> String {
            let digits = text.chars().filter(char::is_ascii_alphanumeric);
            digits.map(|c| c.to_ascii_lowercase()).collect()
        };
        let own = self.fingerprint();
        if plain(&own) == plain(fingerprint) {
            Ok(())
        } else {
            Err(EnvelopeError::Fingerprint(own))
        }
    }
}

/// Returns the name of the first field in which the text on the outside (`now`) differs from the
/// copy inside (`then`).
fn changed_field(now: &Outside, then: &Outside) -> Option<&'static str> {
    let same = [
        ("the name of White", now.white == then.white),
        ("the name of Black", now.black == then.black),
        ("the position", now.position == then.position),
        ("White's clock", now.white_clock == then.white_clock),
        ("Black's clock", now.black_clock == then.black_clock),
        ("the offer of a draw", now.draw_offer == then.draw_offer),
        ("the resumption", now.resumption == then.resumption),
        ("the notation", now.notation == then.notation),
    ];
    same.into_iter().find(|(_, same)| !same).map(|(what, _)| what)
}

impl FromStr for Envelope {
    type Err = EnvelopeError;

    fn from_str(text: &str) -> Result<Self, EnvelopeError> {
        toml::from_str(text).map_err(|error| EnvelopeError::Form(error.message().to_owned()))
    }
}

impl fmt::Display for Envelope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&toml::to_string(self).map_err(|_| fmt::Error)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outside() -> Outside {
        Outside {
            white: "Anna \"A\"".to_owned(),
            black: "Börge".to_owned(),
            position: Position::start().fen(),
            white_clock: Some("1:02:03".to_owned()),
            black_clock: None,
            draw_offer: true,
            resumption: Some("tomorrow".to_owned()),
            notation: "fr".to_owned(),
        }
    }

    fn closed(key: &ArbiterKey, text: &str) -> Envelope {
        Envelope::close(outside(), &key.public(), text).unwrap_or_else(|e| panic!("{e}"))
    }

    #[test]
    fn s_02_only_the_arbiter_reads_the_sealed_move() {
        let key = ArbiterKey::generate();
        for text in ["Cf3", "", "?? \u{265e} illegible \0"] {
            let envelope = closed(&key, text);
            let read: Envelope = envelope.to_string().parse().unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(read, envelope);
            assert_eq!(read.open(&key), Ok(text.to_owned()));
            assert_eq!(read.open(&ArbiterKey::generate()), Err(EnvelopeError::Foreign));
            assert_eq!(read.check_fingerprint(&envelope.fingerprint().to_uppercase()), Ok(()));
        }
        assert_eq!(closed(&key, "e4").fingerprint().split('-').map(str::len).sum::<usize>(), 32);
        // The length of the sealed text does not depend on the move.
        let long = closed(&key, "Cavalier prend fou en échec et mat");
        assert_eq!(closed(&key, "e4").sealed.len(), long.sealed.len());
        let too_long = Envelope::close(outside(), &key.public(), &"e4".repeat(INSIDE / 2));
        assert!(matches!(too_long, Err(EnvelopeError::TooLong(n)) if n > INSIDE), "{too_long:?}");
        // Sealing is randomised, so that a move cannot be guessed by trial.
        assert_ne!(closed(&key, "e4").sealed, closed(&key, "e4").sealed);
        let secret = key.secret().parse::<ArbiterKey>().map(|key| key.public());
        assert_eq!(secret, Ok(key.public()));
        assert!(!format!("{key:?}").contains(&key.secret()[SECRET.len()..]));
    }

    #[test]
    fn s_02_detects_any_change() {
        let key = ArbiterKey::generate();
        let envelope = closed(&key, "Cf3");
        let print = envelope.fingerprint();
        type Change = fn(&mut Envelope);
        let changes: [(Change, &str); 8] = [
            (|e| e.outside.white.push('x'), "the name of White"),
            (|e| e.outside.black.push('x'), "the name of Black"),
            (|e| e.outside.position = e.outside.position.replace('w', "b"), "the position"),
            (|e| e.outside.white_clock = None, "White's clock"),
            (|e| e.outside.black_clock = Some("0:01".to_owned()), "Black's clock"),
            (|e| e.outside.draw_offer = false, "the offer of a draw"),
            (|e| e.outside.resumption = None, "the resumption"),
            (|e| e.outside.notation = "de".to_owned(), "the notation"),
        ];
        for (change, what) in changes {
            let mut other = envelope.clone();
            change(&mut other);
            assert_eq!(other.open(&key), Err(EnvelopeError::Altered(what)));
            assert!(other.check_fingerprint(&print).is_err(), "{what}");
        }
        // Any changed or missing digit in the encrypted contents is detected.
        for at in (0..envelope.sealed.len()).step_by(7) {
            let mut other = envelope.clone();
            let digit = if &other.sealed[at..=at] == "0" { "1" } else { "0" };
            other.sealed.replace_range(at..=at, digit);
            assert_eq!(other.open(&key), Err(EnvelopeError::Broken), "digit {at}");
            other.sealed = envelope.sealed[..at].to_owned();
            assert_eq!(other.open(&key), Err(EnvelopeError::Broken), "cut at {at}");
        }
        // Another envelope can be opened, but it has another fingerprint.
        let other = closed(&key, "d4");
        assert_eq!(other.open(&key).as_deref(), Ok("d4"));
        let fingerprint = other.fingerprint();
        assert_eq!(other.check_fingerprint(&print), Err(EnvelopeError::Fingerprint(fingerprint)));
    }

    #[test]
    fn rejects_malformed_envelopes_and_keys() {
        let key = ArbiterKey::generate();
        assert!(matches!("".parse::<Envelope>(), Err(EnvelopeError::Form(_))));
        assert!(matches!("a = 1".parse::<Envelope>(), Err(EnvelopeError::Form(_))));
        let none = Err(EnvelopeError::Key { prefix: PUBLIC });
        for text in ["", "adoube-arbiter-public-00", "x", &key.secret()] {
            assert_eq!(Envelope::close(outside(), text, "e4"), none, "{text}");
        }
        let mut nowhere = outside();
        nowhere.position.clear();
        let error = Envelope::close(nowhere, &key.public(), "e4");
        assert!(matches!(error, Err(EnvelopeError::Position(_))));
        assert!(key.public().parse::<ArbiterKey>().is_err());
    }
}
