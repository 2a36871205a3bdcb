//! French translations of the summaries and interpretations of the laws.
//! `articles/translations.fr.txt` lists each English sentence once, with its translation on the
//! next line.

use crate::laws::edition::Law;
use crate::laws::language::Language;

static FRENCH: &str = include_str!("articles/translations.fr.txt");

fn sentences() -> impl Iterator<Item = (&'static str, &'static str)> {
    let blocks = FRENCH.split("\n\n").filter(|block| !block.starts_with('#'));
    blocks.filter_map(|block| block.trim().split_once('\n'))
}

fn translated(english: &'static str, language: Language) -> &'static str {
    match language {
        Language::English => english,
        Language::French => {
            sentences().find(|(source, _)| *source == english).map_or(english, |(_, french)| french)
        }
    }
}

impl Law {
    pub fn summary_in(&self, language: Language) -> &'static str {
        translated(self.summary, language)
    }

    pub fn interpretation_in(&self, language: Language) -> &'static str {
        translated(self.interpretation, language)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::Edition;
    use std::collections::BTreeSet;

    #[test]
    fn every_sentence_of_the_laws_is_translated() {
        let laws = || Edition::ALL.into_iter().flat_map(|edition| edition.laws());
        let sentences_of_laws: BTreeSet<&str> = laws()
            .flat_map(|law| [law.summary, law.interpretation])
            .filter(|text| !text.is_empty())
            .collect();
        let translated: Vec<&str> = sentences().map(|(english, _)| english).collect();
        let unique: BTreeSet<&str> = translated.iter().copied().collect();
        assert_eq!(unique.len(), translated.len(), "a sentence occurs twice");
        let missing: Vec<_> = sentences_of_laws.difference(&unique).collect();
        let unused: Vec<_> = unique.difference(&sentences_of_laws).collect();
        assert!(missing.is_empty() && unused.is_empty(), "{missing:#?} {unused:#?}");
        assert!(sentences().all(|(english, french)| english != french && !french.contains('\n')));
        let stalemate = Edition::Fide2009
            .law(crate::laws::Rule::Stalemate)
            .map(|law| law.summary_in(Language::French));
        assert_eq!(
            stalemate,
            Some("Aucun coup légal et pas d'échec : la partie est immédiatement nulle.")
        );
    }
}
