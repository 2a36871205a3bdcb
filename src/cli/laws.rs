//! `adoube laws`: prints tables of the rules in each edition and their articles.

use super::tables::table;
use crate::laws::catalogue;
use crate::laws::index::{self, Article};
use crate::laws::{Edition, Rule};
use anyhow::{bail, ensure};
use clap::Subcommand;
use comfy_table::Table;
use std::io::{self, Write};
use std::process::ExitCode;

/// Show the rules of each edition of the laws in our own words, citing the articles
///
/// Every decision that the laws require of a program has an id. An id, such as N-02, consists of a
/// letter for the subject (C chess, D draughts, N draws, K clocks, T touched pieces, I
/// irregularities, S sealed moves, O odds, P points, W writing) and a number. Logs and tests refer
/// to decisions by these ids.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand, Debug)]
enum Action {
    /// List the rules of one edition, or of all editions side by side
    List {
        #[arg(long, value_name = "EDITION", help = one_edition())]
        edition: Option<Edition>,
        /// List the ids (such as N-02) instead, each with its articles and the number of test
        /// games, per edition and in total
        #[arg(long)]
        coverage: bool,
    },
    /// Show what an article says
    Show {
        /// Article number, or the beginning of one, such as 9.2, "Art. 16 c" or "Par. 15"
        article: String,
        #[arg(long, value_name = "EDITION", help = one_edition())]
        edition: Option<Edition>,
    },
    /// List every article in an edition with the test games about it, or the reason why there are
    /// none
    Index {
        #[arg(value_name = "EDITION", help = format!("Edition of the laws: {}", Edition::ids()))]
        edition: Edition,
    },
    /// Compare the editions on a subject, such as repetition, flag or sealed
    Compare {
        /// Part of a rule's name, or an id such as N-02
        subject: String,
    },
}

fn one_edition() -> String {
    format!("Edition of the laws: {} [default: all]", Edition::ids())
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let table = match &args.action {
        Action::List { coverage: true, edition } => coverage_table(*edition),
        Action::List { edition, .. } => list(*edition),
        Action::Show { article, edition } => show(article, *edition)?,
        Action::Index { edition } => articles(*edition),
        Action::Compare { subject } => compare(subject)?,
    };
    writeln!(io::stdout().lock(), "{table}")?;
    Ok(ExitCode::SUCCESS)
}

fn editions(edition: Option<Edition>) -> Vec<Edition> {
    edition.map_or_else(|| Edition::ALL.to_vec(), |edition| vec![edition])
}

fn list(edition: Option<Edition>) -> Table {
    if let Some(edition) = edition {
        let mut table = table(["row", "rule", "article", "what it says"]);
        for law in edition.laws() {
            table.add_row([law.row, law.rule.english(), law.article, law.summary]);
        }
        return table;
    }
    let mut table = table([&["rule"][..], &Edition::ALL.map(Edition::id)].concat());
    for rule in Rule::ALL {
        let articles = Edition::ALL.map(|edition| edition.law(rule).map_or("", |law| law.article));
        table.add_row([&[rule.english()][..], &articles[..]].concat());
    }
    table
}

fn coverage_table(edition: Option<Edition>) -> Table {
    let editions = editions(edition);
    let ids: Vec<&str> = editions.iter().map(|edition| edition.id()).collect();
    let games = index::games();
    let about = |row: &str, edition: Edition| {
        games.iter().filter(|(about, of)| *about == row && *of == edition).count()
    };
    let mut table = table([&["row", "about", "proved by"][..], &ids[..]].concat());
    for row in catalogue::ROWS {
        let all: usize = Edition::ALL.into_iter().map(|edition| about(row.id, edition)).sum();
        let proof = match all {
            // A row without a game has another test, as `engine-tests/laws/coverage.rs` ensures.
            0 => "tests".to_owned(),
            1 => "1 game".to_owned(),
            games => format!("{games} games"),
        };
        let mut cells = vec![row.id.to_owned(), row.about.to_owned(), proof];
        cells.extend(editions.iter().map(|&edition| {
            let articles = catalogue::articles(edition, row.id).join("; ");
            match (articles.is_empty(), about(row.id, edition)) {
                (true, 0) => String::new(),
                (true, games) => format!("({games})"),
                (false, games) => format!("{articles} ({games})"),
            }
        }));
        table.add_row(cells);
    }
    table
}

const MAX_LISTED_GAMES: usize = 3;

fn articles(edition: Edition) -> Table {
    let mut table = table(["article", "games", "why none"]);
    for Article { number, why, games } in index::index(edition) {
        let named = games
            .iter()
            .take(MAX_LISTED_GAMES)
            .map(|place| format!("{}:{}", place.log, place.line));
        let more = games.len().saturating_sub(MAX_LISTED_GAMES);
        let more = (more > 0).then(|| format!("{more} more"));
        let named: Vec<String> = named.chain(more).collect();
        let why = why.filter(|_| games.is_empty()).unwrap_or_default();
        table.add_row([number, &named.join(", "), why]);
    }
    table
}

/// Returns whether a citation refers to the article or to a part of it. For example, `9.2 a` is
/// part of `9.2`, but `19.2` is not.
fn cites(cited: &str, article: &str) -> bool {
    let article = article.trim();
    cited.split([',', ';']).map(str::trim).any(|part| {
        // A citation may begin with a word such as `Art.`, but `II.3.2` must not match `3.2`.
        let number = part.split_once(' ').map_or(part, |(_, number)| number);
        [part, number].iter().any(|text| {
            text.strip_prefix(article)
                .is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()))
        })
    })
}

fn show(article: &str, edition: Option<Edition>) -> anyhow::Result<Table> {
    let mut table = table(["edition", "article", "rule", "what it says", "interpretation"]);
    for edition in editions(edition) {
        let index = index::index(edition);
        let articles = index.iter().filter(|entry| cites(entry.number, article));
        for row in article_rows(edition, articles) {
            table.add_row([&[edition.id().to_owned()], &row[..]].concat());
        }
    }
    if table.row_count() == 0 {
        let subject = article.to_lowercase();
        let compare = match compare(&subject) {
            Ok(_) => {
                format!("`adoube laws compare {subject}` shows the rules on this subject, and ")
            }
            Err(_) => String::new(),
        };
        bail!(
            "unknown article '{article}': {compare}`adoube laws index EDITION` lists all articles"
        );
    }
    Ok(table)
}

/// Returns the table rows for the given articles. Each row contains the article, the name of the
/// rule, what the article says, and its interpretation. Each rule occurs only once.
fn article_rows<'a>(
    edition: Edition,
    articles: impl IntoIterator<Item = &'a Article>,
) -> Vec<[String; 4]> {
    let mut rows: Vec<[String; 4]> = Vec::new();
    let mut printed: Vec<Rule> = Vec::new();
    for article in articles {
        let number = article.number;
        let why = article.why.map(str::to_owned);
        let laws = index::laws_of(edition, article);
        if laws.is_empty() {
            let of_row = |&game| format!("the games of row {}", index::row(game));
            let why = why.or(article.games.first().map(of_row)).unwrap_or_default();
            rows.push([number.to_owned(), String::new(), why, String::new()]);
            continue;
        }
        for law in laws.into_iter().filter(|law| !printed.contains(&law.rule)) {
            let (rule, read) = (law.rule.english().to_owned(), law.interpretation.to_owned());
            rows.push(if cites(law.article, number) {
                [law.article.to_owned(), rule, law.summary.to_owned(), read]
            } else {
                let why = why.as_ref().map_or_else(String::new, |why| format!("{why}; "));
                let under = format!("{why}falls under {}: {}", law.article, law.summary);
                [number.to_owned(), rule, under, read]
            });
        }
        printed.extend(index::laws_of(edition, article).iter().map(|law| law.rule));
    }
    rows
}

fn compare(subject: &str) -> anyhow::Result<Table> {
    let wanted = subject.to_lowercase();
    let rows = |rule: Rule| {
        let laws = Edition::ALL.into_iter().filter_map(move |edition| edition.law(rule));
        laws.map(|law| law.row.to_lowercase())
    };
    let mut table = table([&["rule"][..], &Edition::ALL.map(Edition::id)].concat());
    for rule in Rule::ALL {
        if !rule.is_about(&wanted) && !rows(rule).any(|row| row == wanted) {
            continue;
        }
        let cells = Edition::ALL.map(|edition| match edition.law(rule) {
            None => "-".to_owned(),
            Some(law) if law.interpretation.is_empty() => {
                format!("{}: {}", law.article, law.summary)
            }
            Some(law) => format!("{}: {} [{}]", law.article, law.summary, law.interpretation),
        });
        let mut row = vec![rule.english().to_owned()];
        row.extend(cells);
        table.add_row(row);
    }
    ensure!(
        table.row_count() > 0,
        "no rule is called '{subject}': `adoube laws list` lists all rules"
    );
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::{article_rows, cites, compare, index, show};
    use crate::laws::Edition;

    #[test]
    fn shows_every_article_of_every_edition() {
        for edition in Edition::ALL {
            for article in &index::index(edition) {
                let rows = article_rows(edition, [article]);
                let has_texts =
                    rows.iter().all(|[_, rule, says, _]| !rule.is_empty() || !says.is_empty());
                assert!(!rows.is_empty() && has_texts, "{edition} {}: {rows:?}", article.number);
            }
        }
        for (edition, number, rule) in [
            (Edition::Fide2009, "1.3", "dead position"),
            (Edition::Fide2009, "13.5", "clocks adjusted"),
            (Edition::Fide2009, "15.4 d i", "flag"),
            (Edition::Fmjd, "4.11", "illegal move"),
            (Edition::Fmjd, "5.4.9", "illegal move"),
            (Edition::Fide1930, "Art. 20.3", "clocks adjusted"),
        ] {
            let text =
                show(number, Some(edition)).map(|table| table.to_string()).unwrap_or_default();
            assert!(text.contains(rule), "{edition} {number}: {text}");
        }
        for (wrong, expected) in [
            ("99.9", "unknown article '99.9': `adoube laws index EDITION` lists all articles"),
            ("Touch", "unknown article 'Touch': `adoube laws compare touch` shows"),
        ] {
            let error = show(wrong, None).map(|_| ()).expect_err(wrong).to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn finds_the_rules_on_telephones_by_every_word() {
        for subject in ["telephone", "phone", "mobile", "electronic device", "device"] {
            let text = compare(subject).map(|table| table.to_string()).unwrap_or_default();
            for rule in ["a telephone rings", "electronic device"] {
                assert!(text.contains(rule), "{subject}: {text}");
            }
        }
    }

    #[test]
    fn finds_articles_by_their_beginning() {
        for (cited, article, found) in [
            ("9.2 a", "9.2", true),
            ("19.2", "9.2", false),
            ("9.21", "9.2", false),
            ("6.10, 6.13", "6.13", true),
            ("Art. 16 c", "16", true),
            ("Art. 16 c", "Art. 16 c", true),
            ("Par. 15 C", "Par. 15", true),
            ("II.3.2", "3.2", false),
            ("II.3.2", "II.3", true),
            ("annex 8 a", "annex 8", true),
        ] {
            assert_eq!(cites(cited, article), found, "{cited} and {article}");
        }
    }
}
