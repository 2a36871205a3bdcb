//! Checks the catalogue of behaviours: every row has a test, and every law has a row.

use crate::support::tree::{epd, identifiers, read, rust_files};
use adoube::laws::catalogue::{self, ROWS};
use adoube::laws::edition::Edition;
use adoube::laws::index::{self, LOGS};
use adoube::laws::rule::Rule;
use std::collections::BTreeSet;

/// Returns whether a test name contains the row's id. For the row N-02, the name must begin with
/// `n_02_`, or contain `_n_02_` after the id of another row.
fn proves(name: &str, row: &str) -> bool {
    let row = format!("{}_", row.to_lowercase().replace('-', "_"));
    name.starts_with(&row) || name.contains(&format!("_{row}"))
}

#[test]
fn every_row_has_a_test_named_after_it() {
    let files = rust_files("engine-tests");
    let names: BTreeSet<String> = files.iter().flat_map(|file| identifiers(&read(file))).collect();
    let unproved: Vec<&str> = ROWS
        .iter()
        .map(|row| row.id)
        .filter(|row| !names.iter().any(|name| proves(name, row)))
        .collect();
    assert!(unproved.is_empty(), "rows without a test: {unproved:?}");
    assert!(!names.iter().any(|name| proves(name, "Z-99")));
}

#[test]
fn every_row_of_the_referee_cites_articles() {
    let ids: BTreeSet<&str> = ROWS.iter().map(|row| row.id).collect();
    assert_eq!(ids.len(), ROWS.len(), "an id is listed twice");
    for id in ids {
        let cited =
            Edition::ALL.iter().any(|edition| !catalogue::articles(*edition, id).is_empty());
        // The article for I-10 is listed under P-03. Rows C, D and W concern moves and notation,
        // and the referee makes no rulings on these.
        let of_referee = !id.starts_with(['C', 'D', 'W']) && id != "I-10";
        assert!(cited || !of_referee, "{id} cites no article");
    }
}

#[test]
fn every_law_has_a_row_and_every_rule_a_law() {
    for edition in Edition::ALL {
        let mut rules = BTreeSet::new();
        for law in edition.laws() {
            assert!(rules.insert(law.rule), "{edition}: {} twice", law.rule.english());
            assert!(ROWS.iter().any(|row| row.id == law.row), "{edition}: no row {}", law.row);
            assert!(!law.article.is_empty() && !law.summary.is_empty());
        }
    }
    for rule in Rule::ALL {
        let has_rule = Edition::ALL.iter().any(|edition| edition.has(rule));
        assert!(has_rule, "no edition has the rule '{}'", rule.english());
    }
}

#[test]
fn every_row_of_an_edition_has_a_game() {
    let games = index::games();
    for edition in Edition::ALL {
        for row in ROWS {
            let cited = !catalogue::articles(edition, row.id).is_empty();
            // P-03 is about the change of colours between games, but a log covers one game.
            if cited && row.id != "P-03" {
                assert!(games.contains(&(row.id, edition)), "{edition}: no game about {}", row.id);
            }
        }
    }
}

#[test]
fn index_lists_every_log() {
    let files = std::fs::read_dir(epd("laws")).expect("epd/laws is there");
    let name = |file: std::io::Result<std::fs::DirEntry>| {
        file.expect("it can be read").file_name().to_string_lossy().into_owned()
    };
    let files: BTreeSet<String> = files.map(name).collect();
    let known: BTreeSet<String> = LOGS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(files, known);
}

#[test]
fn every_article_has_a_game_or_a_reason() {
    for (edition, min) in Edition::ALL.into_iter().zip([35, 60, 90, 190, 30]) {
        let articles = index::index(edition);
        let bare =
            articles.iter().filter(|article| article.games.is_empty() && article.why.is_none());
        let bare: Vec<_> = bare.map(|article| article.number).collect();
        assert!(bare.is_empty(), "{edition}: neither a game nor a reason: {bare:?}");
        // `why` is the reason why an article has no game, so it must be absent if there is a game.
        let refuted = articles.iter().filter(|article| article.why.is_some());
        let refuted = refuted.filter_map(|article| Some((article.number, article.games.first()?)));
        let refuted: Vec<_> = refuted.collect();
        assert!(refuted.is_empty(), "{edition}: a reason, although a game exists: {refuted:?}");
        let proved = articles.iter().filter(|article| !article.games.is_empty()).count();
        assert!(proved >= min, "{edition}: only {proved} articles have games");
        let numbers: BTreeSet<_> = articles.iter().map(|article| article.number).collect();
        assert_eq!(numbers.len(), articles.len(), "{edition}: an article is listed twice");
        // Laws may cite only articles that the edition contains.
        for law in edition.laws() {
            for cited in law.articles().flat_map(index::cited_in) {
                assert!(numbers.contains(&*cited), "{edition}: {cited} is not an article");
            }
        }
    }
}
