//! Help on the events of an edition, generated from their [`grammar`](super::grammar).

use super::grammar::{FORMS, Form};
use super::language::Language;
use super::side_of;
use crate::laws::edition::Edition;
use std::cmp::Reverse;

/// The form and the meaning of a line with several moves, in English and in French.
const MOVES: [(&str, &str); 2] = [
    ("moves MOVE ...", "moves that the players make in turn"),
    ("moves COUP ...", "des coups joués à tour de rôle"),
];

/// Returns the meaning of an event line, even if the line is unfinished, or `None` if it matches no
/// form. If several forms match, the first one with the most fixed words of the line counts.
pub(crate) fn meaning(event: &str, language: Language) -> Option<&'static str> {
    // FIDE notation has a space before `e.p.` (17.9), which belongs to the move.
    let words = || event.split_whitespace().filter(|word| *word != "e.p.");
    let matches = FORMS.iter().filter_map(|form| Some((form.fixed_words(words())?, form)));
    let (_, form) = matches.min_by_key(|(fixed, _)| Reverse(*fixed))?;
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

/// Returns the rows of [`events`] with a form that begins with `words`, such as `claim` or `white
/// claim flag`. If there are none, returns the rows that contain these words. Names of sides in
/// `words` are ignored.
pub(crate) fn events_named(
    edition: Edition,
    language: Language,
    words: &str,
) -> Vec<(String, &'static str)> {
    let words = words.to_lowercase();
    let wanted: Vec<&str> =
        words.split_whitespace().filter(|word| side_of(word).is_none()).collect();
    let rows = events(edition, language);
    let begins = |form: &str| name(form).take(wanted.len()).eq(wanted.iter().copied());
    let contains = |form: &str| wanted.iter().all(|word| name(form).any(|other| other == *word));
    let strict = rows.iter().any(|(form, _)| begins(form));
    let fits = |form: &str| if strict { begins(form) } else { contains(form) };
    rows.into_iter().filter(|(form, _)| fits(form)).collect()
}

/// Returns the words of a form after the placeholder for the player, such as `SIDE`.
fn name(form: &str) -> impl Iterator<Item = &str> {
    form.split_whitespace().skip_while(|word| !word.contains(char::is_lowercase))
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
            (
                "setup 4k3/8/8/8/8/8/8/4K3 w - - 0 1",
                Some("before the first move: a position, and moves from it that take no time"),
            ),
            (
                "setup 4k3/8/8/8/8/8/8/4K3 w - - 0 1 moves e1e2 e8e7",
                Some("before the first move: a position, and moves from it that take no time"),
            ),
            (
                "white seal ambiguous Nf3 Nh3 Na3",
                Some("seals a text that could mean any of these moves"),
            ),
            ("white seal exd6 e.p. offer", Some("seals a move with an offer of a draw")),
            (
                "odds pawn knight by white",
                Some("before the first move: pieces are given, by name or square"),
            ),
            (
                "odds pawn knight and 2 by white",
                Some("before the first move: odds of pieces and of this many moves"),
            ),
            ("odds 5 moves by white", Some("before the first move: this many moves are given")),
            ("white move e2e4 e7e5", None),
            ("white", None),
            ("", None),
            ("move", None),
        ] {
            assert_eq!(meaning(start, Language::English), means, "{start}");
        }
    }

    #[test]
    fn finds_the_events_with_some_words() {
        let forms = |words| -> Vec<String> {
            let rows = events_named(Edition::Fide2023, Language::English, words);
            rows.into_iter().map(|(form, _)| form).collect()
        };
        let flag = ["SIDE claim flag", "SIDE claim flag wrongly"];
        assert_eq!(forms("claim flag"), flag);
        assert_eq!(forms("White claim flag"), flag);
        assert_eq!(forms("moves"), ["moves MOVE ..."]);
        assert_eq!(forms("wrongly"), ["SIDE claim flag wrongly"]);
        assert!(forms("castles").is_empty());
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
