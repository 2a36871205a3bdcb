//! The checksum at the end of a table file.
//!
//! The generator hashes each chunk of 16 MiB with CityHashCrc256, and the hashes of the chunks with
//! CityHashCrc128. CityHash is by Geoff Pike and Jyrki Alakuijala (Google, 2011, version 1.0.3, MIT
//! licence).

use std::io::{self, Read};

/// The size of the checksum in bytes.
pub(super) const LEN: u64 = 16;
/// The size of a chunk in bytes.
const CHUNK: u64 = 1 << 24;

const K0: u64 = 0xc3a5_c85c_97cb_3127;
const K1: u64 = 0xb492_b66f_be98_f273;
const K3: u64 = 0xc949_d7c7_509e_6557;

/// Reads a file of `len` bytes up to the stored checksum, and returns the checksum of the bytes
/// read.
pub(super) fn of_file(file: &mut impl Read, len: u64) -> io::Result<[u8; LEN as usize]> {
    let (mut hashes, mut chunk) = (Vec::new(), Vec::new());
    let mut left = len.checked_sub(LEN).ok_or(io::ErrorKind::UnexpectedEof)?;
    while left > 0 {
        chunk.clear();
        file.take(left.min(CHUNK)).read_to_end(&mut chunk)?;
        if chunk.is_empty() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        left -= chunk.len() as u64;
        hashes.extend(crc_256(&chunk).iter().flat_map(|word| word.to_le_bytes()));
    }
    let [low, high] = crc_128(&hashes).map(u64::to_le_bytes);
    let mut sum = [0; LEN as usize];
    sum[..8].copy_from_slice(&low);
    sum[8..].copy_from_slice(&high);
    Ok(sum)
}

/// Computes CityHashCrc128.
fn crc_128(text: &[u8]) -> [u64; 2] {
    if text.len() <= 900 {
        return city_128(text);
    }
    let [_, _, low, high] = crc_256(text);
    [low, high]
}

/// Computes CityHashCrc256.
fn crc_256(text: &[u8]) -> [u64; 4] {
    const BLOCK: usize = 240;
    if text.len() >= BLOCK {
        return crc_256_long(text, 0);
    }
    let mut whole = [0; BLOCK];
    whole[..text.len()].copy_from_slice(text);
    crc_256_long(&whole, u64::from(!(text.len() as u32)))
}

/// The state of CityHashCrc256: six words that are mixed, and five checksums of these words.
struct Mixer {
    words: [u64; 6],
    sums: [u64; 5],
}

impl Mixer {
    const STEP: usize = 40;

    /// Consumes 40 bytes.
    fn mix(&mut self, text: &[u8], multiplier: u64, z: u32) {
        let [a, b, c, d, e, t] = self.words;
        let turned = [(b, 41), (c, 27), (d, 41), (e, 33), (t, 25)];
        for (n, (word, turn)) in turned.into_iter().enumerate() {
            let mixed = word.rotate_right(turn ^ z).wrapping_mul(multiplier);
            self.words[n] = mixed.wrapping_add(fetch(text, 8 * n));
            self.sums[n] = crc_32c(self.sums[n], self.words[n]);
        }
        self.words[5] = a;
    }
}

fn crc_256_long(text: &[u8], seed: u64) -> [u64; 4] {
    let len = text.len() as u64;
    let [a, b] = [56, 96].map(|at| fetch(text, at).wrapping_add(K0));
    let c = hash_16(b, len);
    let d = fetch(text, 120).wrapping_mul(K0).wrapping_add(len);
    let e = fetch(text, 184).wrapping_add(seed);
    let first = [c, d];
    let words = [a, b, c, d, e, c.wrapping_add(d)];
    let mut mixer = Mixer { words, sums: [seed, 0, 0, 0, 0] };
    // Full groups of six steps come first, then single steps. The last step may overlap the step
    // before it.
    let whole_groups = text.len() / (6 * Mixer::STEP) * 6;
    let mut steps = text.chunks_exact(Mixer::STEP);
    for (n, step) in (&mut steps).enumerate() {
        let (multiplier, z) = if n < whole_groups && n % 2 == 0 { (1, 1) } else { (K0, 0) };
        mixer.mix(step, multiplier, z);
    }
    if !steps.remainder().is_empty() {
        mixer.mix(&text[text.len() - Mixer::STEP..], K0, 0);
    }
    let Mixer {
        words: [mut a, mut b, mut c, mut d, mut e, t],
        sums: [mut f, mut g, mut h, mut i, mut j],
    } = mixer;
    j = j.wrapping_add(i << 32);
    a = hash_16(a, j);
    h = h.wrapping_add(g << 32);
    b = b.wrapping_add(h);
    c = hash_16(c, f).wrapping_add(i);
    d = hash_16(d, e.wrapping_add(first[0]));
    j = j.wrapping_add(e);
    i = i.wrapping_add(hash_16(h, t));
    e = hash_16(a, d).wrapping_add(j);
    f = hash_16(b, c).wrapping_add(a);
    g = hash_16(j, i).wrapping_add(c);
    let spread = |word: u64| shift_mix(word.wrapping_mul(K0)).wrapping_mul(K0);
    let r0 = e.wrapping_add(f).wrapping_add(g).wrapping_add(h);
    a = spread(a.wrapping_add(g)).wrapping_add(b);
    let r1 = first[1].wrapping_add(a).wrapping_add(r0);
    a = spread(a).wrapping_add(c);
    let r2 = a.wrapping_add(r1);
    a = spread(a.wrapping_add(e));
    [r0, r1, r2, a.wrapping_add(r2)]
}

/// Computes CityHash128 of at least 32 bytes.
fn city_128(text: &[u8]) -> [u64; 2] {
    let seed = [fetch(text, 0) ^ K3, fetch(text, 8)];
    let rest = &text[16..];
    if rest.len() < 128 { city_murmur(rest, seed) } else { city_128_long(rest, seed) }
}

fn city_murmur(text: &[u8], [mut a, mut b]: [u64; 2]) -> [u64; 2] {
    let len = text.len() as u64;
    let spread = |word: u64| shift_mix(word.wrapping_mul(K1)).wrapping_mul(K1);
    let (mut c, mut d);
    if text.len() == 16 {
        let ends = [fetch(text, 0), fetch(text, 8)];
        a = spread(a);
        let turned = ends[1].wrapping_add(len).rotate_right(16);
        c = b.wrapping_mul(K1).wrapping_add(hash_16(ends[0], turned) ^ ends[1]);
        d = shift_mix(a.wrapping_add(ends[0]));
    } else {
        c = hash_16(fetch(text, text.len() - 8).wrapping_add(K1), a);
        d = hash_16(b.wrapping_add(len), c.wrapping_add(fetch(text, text.len() - 16)));
        a = a.wrapping_add(d);
        for pair in text[..text.len() - 16].chunks_exact(16) {
            a = (a ^ spread(fetch(pair, 0))).wrapping_mul(K1);
            b ^= a;
            c = (c ^ spread(fetch(pair, 8))).wrapping_mul(K1);
            d ^= c;
        }
    }
    a = hash_16(a, c);
    b = hash_16(d, b);
    [a ^ b, hash_16(b, a)]
}

/// Computes CityHash128 of at least 128 bytes with a seed.
fn city_128_long(text: &[u8], [mut x, mut y]: [u64; 2]) -> [u64; 2] {
    let mut z = (text.len() as u64).wrapping_mul(K1);
    let v0 = (y ^ K1).rotate_right(49).wrapping_mul(K1).wrapping_add(fetch(text, 0));
    let v1 = v0.rotate_right(42).wrapping_mul(K1).wrapping_add(fetch(text, 8));
    let w0 = y.wrapping_add(z).rotate_right(35).wrapping_mul(K1).wrapping_add(x);
    let w1 = x.wrapping_add(fetch(text, 88)).rotate_right(53).wrapping_mul(K1);
    let (mut v, mut w) = ([v0, v1], [w0, w1]);
    let (blocks, tail) = text.split_at(text.len() / 128 * 128);
    for part in blocks.chunks_exact(64) {
        let sum = x.wrapping_add(y).wrapping_add(v[0]).wrapping_add(fetch(part, 8));
        x = sum.rotate_right(37).wrapping_mul(K1) ^ w[1];
        y = y.wrapping_add(v[1]).wrapping_add(fetch(part, 48)).rotate_right(42).wrapping_mul(K1);
        y = y.wrapping_add(v[0]).wrapping_add(fetch(part, 40));
        z = z.wrapping_add(w[0]).rotate_right(33).wrapping_mul(K1);
        v = weak_32(part, 0, v[1].wrapping_mul(K1), x.wrapping_add(w[0]));
        w = weak_32(part, 32, z.wrapping_add(w[1]), y.wrapping_add(fetch(part, 16)));
        std::mem::swap(&mut x, &mut z);
    }
    x = x.wrapping_add(v[0].wrapping_add(z).rotate_right(49).wrapping_mul(K0));
    z = z.wrapping_add(w[0].rotate_right(37).wrapping_mul(K0));
    // Hash up to four pieces of 32 bytes, from the end backwards. The last piece may overlap the
    // blocks.
    for n in 1..=tail.len().div_ceil(32) {
        let at = text.len() - 32 * n;
        y = x.wrapping_add(y).rotate_right(42).wrapping_mul(K0).wrapping_add(v[1]);
        w[0] = w[0].wrapping_add(fetch(text, at + 16));
        x = x.wrapping_mul(K0).wrapping_add(w[0]);
        z = z.wrapping_add(w[1]).wrapping_add(fetch(text, at));
        w[1] = w[1].wrapping_add(v[0]);
        v = weak_32(text, at, v[0].wrapping_add(z), v[1]);
    }
    x = hash_16(x, v[0]);
    y = hash_16(y.wrapping_add(z), w[0]);
    let low = hash_16(x.wrapping_add(v[1]), w[1]).wrapping_add(y);
    [low, hash_16(x.wrapping_add(w[1]), y.wrapping_add(v[1]))]
}

/// Hashes 32 bytes from `at` with two seeds.
fn weak_32(text: &[u8], at: usize, a: u64, b: u64) -> [u64; 2] {
    let [first, second, third, fourth] = [0, 8, 16, 24].map(|n| fetch(text, at + n));
    let start = a.wrapping_add(first);
    let sum = start.wrapping_add(second).wrapping_add(third);
    let turned = b.wrapping_add(start).wrapping_add(fourth).rotate_right(21);
    let turned = turned.wrapping_add(sum.rotate_right(44));
    [sum.wrapping_add(fourth), turned.wrapping_add(start)]
}

/// Hashes two words into one word.
fn hash_16(low: u64, high: u64) -> u64 {
    const MULTIPLIER: u64 = 0x9ddf_ea08_eb38_2d69;
    let a = shift_mix((low ^ high).wrapping_mul(MULTIPLIER));
    shift_mix((high ^ a).wrapping_mul(MULTIPLIER)).wrapping_mul(MULTIPLIER)
}

const fn shift_mix(word: u64) -> u64 {
    word ^ (word >> 47)
}

fn fetch(text: &[u8], at: usize) -> u64 {
    text[at..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// Updates a CRC-32C with a word.
fn crc_32c(crc: u64, word: u64) -> u64 {
    let update = |crc: u32, byte: u8| TABLE[usize::from(crc as u8 ^ byte)] ^ (crc >> 8);
    word.to_le_bytes().into_iter().fold(crc as u32, update).into()
}

const TABLE: [u32; 256] = {
    const POLYNOMIAL: u32 = 0x82f6_3b78;
    let mut table = [0; 256];
    let mut n = 0;
    while n < 256 {
        let (mut crc, mut bit) = (n as u32, 0);
        while bit < 8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ POLYNOMIAL } else { crc >> 1 };
            bit += 1;
        }
        table[n] = crc;
        n += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    fn text(len: usize) -> Vec<u8> {
        (0..len).map(|i| (i * 7 + i / 13) as u8).collect()
    }

    // The expected hashes were computed with the C code of CityHash 1.0.3.
    #[test]
    fn hashes_match_the_reference_implementation() {
        for (len, low, high) in [
            (32, 0x1133_1bdb_e099_3b23, 0xc26c_b38d_8e76_b462),
            (32 * 20, 0xdb60_54ca_8d8a_5613, 0xa226_f77b_73af_7fb9),
            (32 * 100, 0x1967_a191_9686_90aa, 0x0ed4_5f6a_006a_9fdc),
        ] {
            assert_eq!(crc_128(&text(len)), [low, high], "{len}");
        }
        for (len, first, last) in [
            (64, 0x228e_235f_3e18_e185, 0x218a_4ead_4ab7_a99b),
            (256, 0xbd4a_9257_ed33_718b, 0x4584_3e02_57b3_b52a),
            (281, 0x36e0_8950_6f76_a0b4, 0x25d0_47b8_bdcb_1ab1),
        ] {
            let [a, .., d] = crc_256(&text(len));
            assert_eq!([a, d], [first, last], "{len}");
        }
    }
}
