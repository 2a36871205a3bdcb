//! Annotation signs for moves and positions, and their numeric glyphs.
//!
//! Sources: *PGN Standard* section 10 (Edwards, 1994) for the glyphs; the signs of Chess Informant
//! as ChessBase, Scid, lichess and chess.com write them.

/// The numeric glyph of each sign. If a sign ends with another sign, the longer sign comes first,
/// so that the longest sign at the end of a word is found first.
const SIGNS: &[(&str, u16)] = &[
    ("+/=", 14),
    ("=/+", 15),
    ("+/-", 16),
    ("-/+", 17),
    ("+--", 20),
    ("--+", 21),
    ("=/∞", 44),
    ("∞/=", 44),
    ("+−", 18),
    ("−+", 19),
    ("+–", 18),
    ("–+", 19),
    ("+=", 14),
    ("=+", 15),
    ("+-", 18),
    ("-+", 19),
    ("=∞", 44),
    ("∞=", 44),
    ("~=", 44),
    ("==", 10),
    ("‼", 3),
    ("⁇", 4),
    ("⁉", 5),
    ("⁈", 6),
    ("□", 7),
    ("■", 7),
    ("=", 10),
    ("∞", 13),
    ("~", 13),
    ("⩲", 14),
    ("⩱", 15),
    ("±", 16),
    ("∓", 17),
    ("⨀", 22),
    ("⊙", 22),
    ("⟳", 32),
    ("↻", 32),
    ("↑", 36),
    ("→", 40),
    ("⯹", 44),
    ("⇆", 132),
    ("⇄", 132),
    ("⨁", 138),
    ("⊕", 138),
    ("∆", 140),
    ("Δ", 140),
    ("△", 140),
    ("∇", 141),
    ("⌓", 142),
    ("RR", 145),
    ("N", 146),
    ("D", 220),
];

pub(super) fn glyph(text: &str) -> Option<u16> {
    let quality = match text {
        "!" => Some(1),
        "?" => Some(2),
        "!!" => Some(3),
        "??" => Some(4),
        "!?" => Some(5),
        "?!" => Some(6),
        // Tolerate surplus signs, as in `!!!`.
        _ if !text.chars().all(|c| matches!(c, '!' | '?')) => None,
        _ if text.starts_with("!!") => Some(3),
        _ if text.starts_with("??") => Some(4),
        _ if text.starts_with('!') => Some(5),
        _ if text.starts_with('?') => Some(6),
        _ => None,
    };
    let named = || SIGNS.iter().find(|(sign, _)| *sign == text).map(|(_, glyph)| *glyph);
    quality.or_else(named)
}

/// Returns every way to split off an annotation sign from the end of a word: the remaining word and
/// the glyph for the sign.
pub(super) fn splits(word: &str) -> impl Iterator<Item = (&str, u16)> {
    SIGNS.iter().filter_map(move |(sign, glyph)| {
        let rest = word.strip_suffix(sign).filter(|rest| !rest.is_empty());
        rest.map(|rest| (rest, *glyph))
    })
}
