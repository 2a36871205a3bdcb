//! Help on the events of an edition, generated from their [`grammar`](super::grammar).

use super::grammar::{FORMS, Form};
use super::language::Language;
use crate::laws::edition::Edition;

/// The form and the meaning of a line with several moves, in English and in French.
const MOVES: [(&str, &str); 2] = [
    ("moves MOVE ...", "moves that the players make in turn"),
    ("moves COUP ...", "des coups joués à tour de rôle"),
];

/// Returns the meaning of an event line, even if the line is unfinished, or `None` if it matches no
/// form.
pub(crate) fn meaning(event: &str, language: Language) -> Option<&'static str> {
    let form = FORMS.iter().find(|form| form.begins_with(event.split_whitespace()))?;
    Some(form.meaning(language))
}

/// Returns the form and the meaning of each event that an edition accepts.
pub fn events(edition: Edition, language: Language) -> Vec<(String, &'static str)> {
    let accepted = FORMS.iter().filter(|form| form.is_accepted_by(edition));
    let (moves, meaning) = match language {
        Language::English => MOVES[0],
        Language::French => MOVES[1],
    };
    let row = |form: &Form| (form.line(language), form.meaning(language));
    [(moves.to_owned(), meaning)].into_iter().chain(accepted.map(row)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_meaning_of_an_unfinished_line() {
        for (start, means) in [
            ("white move", Some("makes a move")),
            ("white move e2e4", Some("makes a move")),
            (
                "notice displaced lost",
                Some("pieces were displaced, and no position before is known"),
            ),
            ("black notice displaced", Some("pieces were displaced")),
            ("white", None),
            ("", None),
            ("move", None),
        ] {
            assert_eq!(meaning(start, Language::English), means, "{start}");
        }
    }

    #[test]
    fn every_form_has_help_in_both_languages() {
        for edition in Edition::ALL {
            let [english, french] =
                [Language::English, Language::French].map(|language| events(edition, language));
            assert_eq!(english.len(), french.len());
            for ((line, meaning), (ligne, sens)) in english.into_iter().zip(french) {
                assert_ne!(meaning, sens, "{line}");
                assert!(!ligne.contains("SIDE") && !ligne.contains("SQUARE"), "{ligne}");
            }
        }
    }
}
