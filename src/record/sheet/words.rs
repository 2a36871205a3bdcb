//! Words on score sheets in other languages: the header names, and the words for a draw.

use crate::record::games::Recorded;

/// The seven mandatory tags, each with its names on German, French, Dutch, Spanish and Italian
/// score sheets, in lower case.
const HEADS: [(&str, &[&str]); 7] = [
    ("Event", &["turnier", "tournoi", "toernooi", "torneo"]),
    ("Site", &["ort", "lieu", "plaats", "lugar", "luogo"]),
    ("Date", &["datum", "fecha", "data"]),
    ("Round", &["runde", "ronde", "ronda", "turno"]),
    ("White", &["weiß", "weiss", "blancs", "wit", "blancas", "bianco"]),
    ("Black", &["schwarz", "noirs", "zwart", "negras", "nero"]),
    (
        "Result",
        &["ergebnis", "resultat", "résultat", "uitslag", "resultaat", "resultado", "risultato"],
    ),
];

const DRAWS: [&str; 7] = ["remis", "remise", "nulle", "partie nulle", "tablas", "patta", "draw"];

/// Returns the mandatory tag for a header name in any of the languages and in any case.
pub(super) fn tag(head: &str) -> Option<&'static str> {
    let head = head.trim().to_lowercase();
    let names = |(tag, names): &&(&str, &[&str])| {
        tag.eq_ignore_ascii_case(&head) || names.contains(&head.as_str())
    };
    HEADS.iter().find(names).map(|(tag, _)| *tag)
}

/// Returns whether a text is the word for a draw.
pub(in crate::record) fn is_draw(text: &str) -> bool {
    DRAWS.contains(&text.trim_end_matches('.').to_lowercase().as_str())
}

/// Parses a result of the game `P`, or a word for a draw.
pub(crate) fn result<P: Recorded>(text: &str) -> Option<P::Result> {
    let text = if is_draw(text) { "1/2-1/2" } else { text };
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_name_tags_in_several_languages() {
        for (head, name) in [
            ("Weiß", "White"),
            ("WEISS", "White"),
            ("white", "White"),
            ("Zwart", "Black"),
            ("Résultat", "Result"),
            ("Fecha", "Date"),
        ] {
            assert_eq!(tag(head), Some(name), "{head}");
        }
        assert_eq!(tag("Schiedsrichter"), None);
    }

    #[test]
    fn accepts_words_for_a_draw() {
        for text in ["remis", "Remis.", "REMISE", "Partie nulle"] {
            assert!(is_draw(text), "{text}");
        }
        assert!(!is_draw("1/2-1/2") && !is_draw("remis?"));
    }
}
