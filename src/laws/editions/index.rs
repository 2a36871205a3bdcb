//! The index of an edition. For each article, it lists the games in `epd/laws` about the article,
//! or the reason why there are none.
//!
//! A game is about an article if one of its rulings cites the article or a part of it, or if the
//! comment above the game starts with the article's number, as in `# 7.5.1, 4.3 A completed illegal
//! move`. The files in `articles/` list the articles of each edition. A line contains article
//! numbers separated by commas. If no game is about these articles, a colon and the reason follow.

use crate::laws::edition::{Edition, Law};
use crate::laws::log::LogLine;

macro_rules! logs {
    ($($name:literal)*) => {
        &[$((
            concat!($name, ".txt"),
            include_str!(concat!("../../../epd/laws/", $name, ".txt")),
        )),*]
    };
}

pub static LOGS: &[(&str, &str)] = logs! {
    "adjournment" "articles" "clocks" "compound-old" "draughts" "draws" "editions" "fide-2023"
    "fide-2023-guidelines" "irregular" "modern-compound" "odds" "results" "sheets" "stops" "touch"
};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Article {
    pub number: &'static str,
    pub why: Option<&'static str>,
    pub games: Vec<GameLocation>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameLocation {
    pub log: &'static str,
    /// The line number, counted from 1.
    pub line: usize,
}

/// Returns the articles of an edition in order, each with its games.
pub fn index(edition: Edition) -> Vec<Article> {
    let mut articles: Vec<Article> = edition.articles().lines().flat_map(articles).collect();
    for &(log, text) in LOGS {
        let mut games = Games { articles: &mut articles, edition, remark: "", place: None };
        for (index, line) in text.lines().enumerate() {
            games.line(GameLocation { log, line: index + 1 }, line);
        }
    }
    articles
}

/// Returns the laws that an article belongs to, from the first of these sources that has any:
/// 1. the laws that cite the article or a part of it
/// 2. the laws that cite the closest enclosing article
/// 3. the laws that cite an article named in `article.why`
/// 4. the laws cited by the first game about the article
pub(crate) fn laws_of(edition: Edition, article: &Article) -> Vec<&'static Law> {
    let number = article.number;
    let citing = |cites: &dyn Fn(&str) -> bool| -> Vec<&'static Law> {
        let laws = edition.laws().iter();
        laws.filter(|law| law.articles().flat_map(cited_in).any(|cited| cites(&cited))).collect()
    };
    let own = citing(&|cited| is_in(cited, number));
    if !own.is_empty() {
        return own;
    }
    let all = edition.laws().iter().flat_map(|law| cited_in(law.article));
    let whole = all.filter(|cited| is_in(number, cited)).max_by_key(String::len);
    if let Some(whole) = whole {
        return citing(&|cited| cited == whole);
    }
    let reason = article.why.unwrap_or_default();
    let named = |cited: &str| {
        let at = reason.match_indices(cited).find(|(at, _)| {
            let (before, after) = (reason.get(..*at), reason.get(at + cited.len()..));
            before.is_some_and(|text| text.is_empty() || text.ends_with(' '))
                && after.is_some_and(ends_a_number)
        });
        at.is_some()
    };
    let named_laws = citing(&named);
    if !named_laws.is_empty() {
        return named_laws;
    }
    let ruled = article.games.first().map(|&game| rulings(game)).unwrap_or_default();
    citing(&|cited| ruled.iter().any(|article| is_in(article, cited)))
}

/// Returns the catalogue row of a game, or an empty string if no game starts at this location.
pub(crate) fn row(game: GameLocation) -> &'static str {
    match lines(game).next().map(LogLine::read) {
        Some(Ok(LogLine::Game(row, ..))) => row,
        _ => "",
    }
}

fn rulings(game: GameLocation) -> Vec<String> {
    let of_game = lines(game).skip(1).take_while(|line| !line.starts_with("game "));
    of_game.filter_map(|line| cited(line.strip_prefix('=')?)).flat_map(cited_in).collect()
}

fn lines(game: GameLocation) -> impl Iterator<Item = &'static str> {
    let text = LOGS.iter().find(|(log, _)| *log == game.log).map_or("", |(_, text)| text);
    text.lines().skip(game.line.saturating_sub(1))
}

/// Returns the citation at the end of a ruling.
fn cited(ruling: &str) -> Option<&str> {
    ruling.rsplit_once(" (").and_then(|(_, end)| end.strip_suffix(')'))
}

pub fn games() -> Vec<(&'static str, Edition)> {
    let lines = LOGS.iter().flat_map(|(_, text)| text.lines());
    let games = lines.filter_map(|line| match LogLine::read(line) {
        Ok(LogLine::Game(about, edition, _)) => Some((about, edition)),
        _ => None,
    });
    games.collect()
}

fn articles(line: &'static str) -> Vec<Article> {
    if line.starts_with('#') || line.trim().is_empty() {
        return Vec::new();
    }
    let (numbers, why) = match line.split_once(": ") {
        Some((numbers, why)) => (numbers, Some(why)),
        None => (line, None),
    };
    let article = |number: &'static str| Article { number, why, games: Vec::new() };
    numbers.split(',').map(str::trim).map(article).collect()
}

/// The state while reading the games in a log.
struct Games<'a> {
    articles: &'a mut Vec<Article>,
    edition: Edition,
    remark: &'static str,
    /// The location of the current game, or `None` if this game is played under another edition.
    place: Option<GameLocation>,
}

impl Games<'_> {
    fn line(&mut self, place: GameLocation, line: &'static str) {
        match LogLine::read(line) {
            Ok(LogLine::Remark) if line.is_empty() => self.remark = "",
            Ok(LogLine::Remark) if self.remark.is_empty() => self.remark = line,
            Ok(LogLine::Game(_, edition, _)) => {
                self.place = (edition == self.edition).then_some(place);
                let remark = std::mem::take(&mut self.remark);
                self.add_named(remark.trim_start_matches(['#', ' ']));
            }
            Ok(LogLine::Ruling(ruling)) => {
                for article in cited(ruling).map(cited_in).unwrap_or_default() {
                    self.about(&article);
                }
            }
            _ => {}
        }
    }

    fn add_named(&mut self, mut remark: &str) {
        let mut word = "";
        loop {
            let is_next = |article: &&Article| {
                let number = article.number;
                let rest = remark.strip_prefix(number.strip_prefix(word).unwrap_or(number));
                rest.is_some_and(ends_a_number)
            };
            let longest = self.articles.iter().filter(is_next).max_by_key(|a| a.number.len());
            let Some(number) = longest.map(|article| article.number) else { return };
            self.about(number);
            let stripped = number.strip_prefix(word).unwrap_or(number);
            remark = remark.strip_prefix(stripped).unwrap_or_default();
            let Some(rest) = remark.strip_prefix(", ") else { return };
            remark = rest;
            word = word_of(number);
        }
    }

    /// Adds the current game to the lists of games of an article and of all enclosing articles.
    fn about(&mut self, number: &str) {
        let Some(place) = self.place else { return };
        for article in self.articles.iter_mut().filter(|article| is_in(number, article.number)) {
            if !article.games.contains(&place) {
                article.games.push(place);
            }
        }
    }
}

/// Returns whether an article number is complete if `rest` follows it. For example, `9.2` is not
/// complete in `9.21` or `9.2.1`.
fn ends_a_number(rest: &str) -> bool {
    let mut chars = rest.chars();
    match chars.next() {
        Some('.') => !chars.next().is_some_and(|c| c.is_ascii_digit()),
        next => !next.is_some_and(char::is_alphanumeric),
    }
}

/// Returns whether an article is `whole` or a part of it.
fn is_in(article: &str, whole: &str) -> bool {
    let part = article.strip_prefix(whole);
    part.is_some_and(|part| part.is_empty() || part.starts_with(['.', ' ']))
}

/// Splits a citation into its articles: `Art. 15 d, e` becomes `Art. 15 d` and `Art. 15 e`. A range
/// yields only its first and its last article.
pub fn cited_in(citation: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut word = String::new();
    for part in citation.split(", ") {
        for part in part.split('-') {
            let last = found.last().map(String::as_str).unwrap_or_default();
            let stem = last.rsplit_once(' ').map(|(stem, _)| stem);
            let article = match (part.starts_with(|c: char| c.is_ascii_digit()), stem) {
                (true, _) => format!("{word}{part}"),
                (false, Some(stem)) if is_letter(part) => format!("{stem} {part}"),
                _ => part.to_owned(),
            };
            word = word_of(&article).to_owned();
            found.push(article);
        }
    }
    found
}

/// Returns the word before a number, including the space. In `Art. 20.4, 20.5` the word `Art. `
/// applies to both numbers.
fn word_of(number: &str) -> &str {
    let word = number.split_inclusive(' ').next().unwrap_or_default();
    let is_prefix = word.ends_with(' ') && !word.contains(|c: char| c.is_ascii_digit());
    if is_prefix { word } else { "" }
}

/// Returns whether a part of a citation is the letter of a sub-article, such as `e`, `A` or `viii`.
fn is_letter(part: &str) -> bool {
    part.len() == 1 || part.chars().all(|c| "ivx".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_citations() {
        for (citation, articles) in [
            ("9.2 b", "9.2 b"),
            ("3.9.2, 7.5.1", "3.9.2|7.5.1"),
            ("Art. 15 d, e", "Art. 15 d|Art. 15 e"),
            ("Art. 21.2-21.4, annex 7", "Art. 21.2|Art. 21.4|annex 7"),
            ("Par. 21, 27.3", "Par. 21|Par. 27.3"),
            ("I.12.1, I.12.2", "I.12.1|I.12.2"),
            ("19.2 vii, viii", "19.2 vii|19.2 viii"),
            ("15.4 d ii", "15.4 d ii"),
        ] {
            assert_eq!(cited_in(citation).join("|"), articles);
        }
    }

    #[test]
    fn recognises_the_end_of_an_article_number() {
        for rest in ["", " The king", ": mate", ", 9.3", ". The end", " A flag"] {
            assert!(ends_a_number(rest), "{rest:?}");
        }
        for rest in [".1", "1", "a"] {
            assert!(!ends_a_number(rest), "{rest:?}");
        }
    }
}
