//! Lines with a checksum: the CRC-32 of the text, in eight hexadecimal digits. In a JSON object the
//! checksum is the last field, `sum`, so that other programs can read the line. In any other text
//! it is the last word. Lines written by earlier versions have no checksum.

use std::borrow::Cow;

const FIELD: &str = ",\"sum\":\"";

/// Returns a line with this text, its checksum and a line break.
pub(super) fn seal(text: &str) -> String {
    let sum = checksum(text);
    match text.strip_suffix('}').filter(|fields| fields.len() > 1 && fields.starts_with('{')) {
        Some(fields) => format!("{fields}{FIELD}{sum}\"}}\n"),
        None => format!("{text} {sum}\n"),
    }
}

/// Returns the text of a line without its checksum; `None` if the checksum is wrong or the line is
/// not UTF-8. A line without a checksum is returned unchanged, except for its line break.
pub(super) fn unseal(line: &[u8]) -> Option<Cow<'_, str>> {
    let line = str::from_utf8(line).ok()?;
    let line = line.strip_suffix('\n').unwrap_or(line);
    let in_object = line.strip_suffix("\"}").and_then(|line| line.rsplit_once(FIELD));
    let (text, sum) = match in_object.or_else(|| line.rsplit_once(' ')) {
        Some((text, sum)) if is_sum(sum) => (text, sum),
        _ => return Some(Cow::Borrowed(line)),
    };
    let text = match in_object {
        Some((fields, _)) => Cow::Owned(format!("{fields}}}")),
        None => Cow::Borrowed(text),
    };
    (sum == checksum(&text)).then_some(text)
}

fn is_sum(text: &str) -> bool {
    text.len() == 8 && text.bytes().all(|c| c.is_ascii_digit() || (b'a'..=b'f').contains(&c))
}

fn checksum(text: &str) -> String {
    format!("{:08x}", crc32fast::hash(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn objects_stay_json() {
        let line = seal(r#"{"a":1}"#);
        let value: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert_eq!((&value["a"], value["sum"].as_str().unwrap().len()), (&1.into(), 8));
        assert_eq!(unseal(line.as_bytes()).unwrap(), r#"{"a":1}"#);
        assert_eq!(unseal(b"{\"a\":1}\n").unwrap(), r#"{"a":1}"#, "without a checksum");
    }

    proptest! {
        #[test]
        fn sealed_text_round_trips(text in "\\PC*|\\{\"a\":\\[[0-9]*\\]\\}|\\{\\}") {
            let line = seal(&text);
            prop_assert_eq!(unseal(line.as_bytes()).unwrap(), text);
        }

        #[test]
        fn detects_changed_bytes(at in 0..13_usize, to in any::<u8>()) {
            let line = seal(r#"{"move":1234}"#);
            let mut bytes = line.clone().into_bytes();
            prop_assume!(bytes[at] != to);
            bytes[at] = to;
            let same = unseal(&bytes).is_some_and(|text| text == r#"{"move":1234}"#);
            prop_assert!(!same && unseal(&bytes).is_none_or(|text| text.contains("sum")));
        }
    }
}
