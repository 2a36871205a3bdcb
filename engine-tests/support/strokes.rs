//! Text with wrong strokes, for the tests that give parsers what nobody should send them.

use proptest::prelude::*;
use proptest::sample::Index;

/// How many cases a property is tried on; a failure is printed and not written to a file.
pub fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// A character: mostly one that the text's grammar knows, sometimes any at all.
fn stroke(alphabet: &'static str) -> impl Strategy<Value = char> {
    let known: Vec<char> = alphabet.chars().collect();
    prop_oneof![9 => proptest::sample::select(known), 1 => any::<char>()]
}

/// Up to sixty characters, most of them of the alphabet.
pub fn text(alphabet: &'static str) -> impl Strategy<Value = String> {
    proptest::collection::vec(stroke(alphabet), 0..60).prop_map(|chars| chars.into_iter().collect())
}

/// Up to five wrong strokes: inserted, replaced, left out, or a piece of the text doubled.
pub fn mutate(
    valid: impl Strategy<Value = String>,
    alphabet: &'static str,
) -> impl Strategy<Value = String> {
    let edits = proptest::collection::vec((0..4, any::<Index>(), stroke(alphabet)), 0..6);
    (valid, edits).prop_map(|(text, edits)| {
        let mut chars: Vec<char> = text.chars().collect();
        for (edit, at, c) in edits {
            let at = at.index(chars.len() + 1);
            match edit {
                0 => chars.insert(at, c),
                1 if at < chars.len() => chars[at] = c,
                2 if at < chars.len() => drop(chars.remove(at)),
                3 => {
                    let piece = chars[at..chars.len().min(at + 5)].to_vec();
                    chars.splice(at..at, piece);
                }
                _ => {}
            }
        }
        chars.into_iter().collect()
    })
}
