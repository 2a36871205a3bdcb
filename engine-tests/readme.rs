//! Checks README and manual against the program: commands, chapters, source map, options and
//! notations.

use crate::support::program::run;
use crate::support::tree::{read, rust_files};
use adoube::arena::engine::entrant::{Description, Entrant};
use adoube::manual::CHAPTERS;
use adoube::protocol::setting::SettingKind;
use adoube::protocol::uci::option::OPTIONS;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn chapter(name: &str) -> &'static str {
    let chapter = CHAPTERS.iter().find(|chapter| chapter.name == name);
    chapter.unwrap_or_else(|| panic!("no chapter {name}")).text
}

/// Returns the cells of all table rows, trimmed.
fn table_rows(text: &str) -> Vec<Vec<String>> {
    let rows = text.lines().filter_map(|line| line.strip_prefix('|')?.strip_suffix('|'));
    rows.map(|row| row.split('|').map(|cell| cell.trim().to_owned()).collect()).collect()
}

/// Returns the folders listed in the table in the manual's `source` chapter. Each row of the table
/// begins with ``| layer | `src/folder/` |``.
fn folders_in_manual() -> BTreeSet<String> {
    let folder = |cells: &Vec<String>| {
        let folder = cells.get(1)?.strip_prefix('`')?.strip_suffix("/`")?;
        folder.starts_with("src").then(|| folder.to_owned())
    };
    table_rows(chapter("source")).iter().filter_map(folder).collect()
}

#[test]
fn source_map_has_a_row_for_every_folder() {
    let of_source = |path: PathBuf| path.parent().map(|folder| folder.display().to_string());
    let mut tree: BTreeSet<String> = rust_files("src").into_iter().filter_map(of_source).collect();
    tree.extend(["src/manual", "src/laws/editions/articles", "src/board/page"].map(str::to_owned));
    assert_eq!(folders_in_manual(), tree, "the map of the source in src/manual/source.md");
}

#[test]
fn source_map_names_existing_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for name in chapter("source").split('`').skip(1).step_by(2) {
        if name.starts_with("src/") || name.starts_with("engine-tests/") || name.starts_with("epd/")
        {
            assert!(root.join(name).exists(), "src/manual/source.md names {name}");
        }
    }
}

#[test]
fn manual_lists_all_options() {
    let expected = OPTIONS.iter().map(|option| {
        let (kind, default, range) = match option.kind {
            SettingKind::Bool { default, .. } => ("check", default.to_string(), String::new()),
            SettingKind::Int { default, min, max, .. } => {
                ("spin", default.to_string(), format!("{min} to {max}"))
            }
            SettingKind::Button => ("button", String::new(), String::new()),
            SettingKind::Text { .. } | SettingKind::File { .. } => {
                ("string", String::new(), String::new())
            }
            SettingKind::Real { .. } | SettingKind::Enum { .. } => {
                panic!("the chapter uci has no row of this kind")
            }
        };
        vec![option.name.to_owned(), kind.to_owned(), default, range]
    });
    let rows = table_rows(chapter("uci"));
    let start = rows.iter().position(|row| row[0] == "option").expect("a table of options");
    let table = rows[start + 2..].iter().take(OPTIONS.len()).map(|row| row[..4].to_vec());
    assert_eq!(table.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
}

fn converted(game: &str, notation: &str) -> String {
    let (code, text, errors) = run(&["convert", "--to", notation], game);
    assert_eq!(code, Some(0), "{notation}: {errors}");
    text
}

#[test]
fn notation_examples_match_the_output() {
    let manual = chapter("notations");
    let (_, game) = manual.split_once("cat >knights.pgn <<'END'\n").expect("a game");
    let (game, _) = game.split_once("\nEND\n").expect("its end");
    let rows = table_rows(manual);
    let start = rows.iter().position(|row| row[0] == "NOTATION").expect("a table of notations");
    for row in &rows[start + 2..start + 14] {
        let sheet = converted(&format!("{game}\n"), row[0].trim_matches('`'));
        let moves: Vec<_> = row[1].split('`').skip(1).step_by(2).collect();
        assert_eq!(moves.len(), 2, "{row:?}");
        assert!(sheet.contains(&format!("1. {}  ", moves[0])), "{row:?}: {sheet}");
        assert!(sheet.contains(&format!("2. {}\n", moves[1])), "{row:?}: {sheet}");
    }
    assert_eq!(rows[start + 13][0], "`spoken:short`", "the last row of the table");
    let (_, printf) = manual.split_once("printf '1. 32-28").expect("a game of draughts");
    let (draughts, _) =
        printf.split_once("' | adoube convert --to numeric\n").expect("its command");
    let draughts = format!("1. 32-28{draughts}").replace("\\n", "\n");
    assert!(converted(&draughts, "numeric").contains("2. 28x19* +1  14x23\n"));
}

fn printed(arguments: &[&str]) -> String {
    let (code, text, errors) = run(arguments, "");
    assert_eq!(code, Some(0), "{arguments:?}: {errors}");
    text
}

/// Returns the commands listed by `adoube --help`.
fn commands() -> Vec<String> {
    let help = printed(&["--help"]);
    let (_, list) = help.split_once("Commands:\n").expect("a list of commands");
    let names = list.lines().take_while(|line| !line.is_empty());
    let names = names.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = names.filter_map(|line| line.split_whitespace().next()).map(str::to_owned);
    names.filter(|name| name != "help").collect()
}

#[test]
fn every_command_has_an_example_and_a_row() {
    let rows = table_rows(chapter("commands"));
    let commands = commands();
    assert!(commands.len() > 15, "{commands:?}");
    for command in commands {
        let called = format!("adoube {command}");
        let example = chapter("commands").split(['\n', '|', '(']).any(|part| {
            part.trim()
                .strip_prefix(&called)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        });
        assert!(example, "the chapter commands has no example of `{called}`");
        let row = rows.iter().any(|row| {
            row[0]
                .split(", ")
                .any(|call| call.trim_matches('`').split(' ').nth(1) == Some(&command))
        });
        assert!(row, "the chapter commands has no row of `adoube {command}`");
    }
}

#[test]
fn manual_lists_and_prints_all_chapters() {
    let rows = table_rows(chapter("commands"));
    let is_link = |row: &&Vec<String>| row[0].starts_with('[');
    let listed: Vec<_> = rows.iter().filter(is_link).map(|row| [&row[0][..], &row[1]]).collect();
    let links: Vec<String> =
        CHAPTERS.iter().map(|chapter| format!("[{0}]({0}.md)", chapter.name)).collect();
    let expected = links.iter().zip(CHAPTERS).map(|(link, chapter)| [&link[..], chapter.about]);
    assert_eq!(listed, expected.collect::<Vec<_>>());
    let contents = printed(&["manual"]);
    for chapter in CHAPTERS {
        assert!(contents.contains(chapter.about), "{contents}");
        assert_eq!(printed(&["manual", chapter.name]), chapter.text);
    }
    let (code, _, error) = run(&["manual", "refere"], "");
    assert_eq!(code, Some(2));
    assert!(error.contains("'referee'"), "{error}");
}

#[test]
fn readme_links_exist() {
    let readme = read(Path::new("README.md"));
    let links = readme.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    for link in links.filter(|link| !link.0.starts_with("https:")) {
        assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(link.0).exists(), "{}", link.0);
    }
}

#[test]
fn completion_scripts_name_the_commands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = printed(&["completions", shell]);
        for command in commands() {
            assert!(script.contains(&command), "{shell}: {command}");
        }
    }
}

/// Returns the engines in a chapter's sample file.
fn sample(name: &str) -> Vec<Entrant> {
    let sample = chapter(name).split("```toml\n").nth(1).and_then(|rest| rest.split("```").next());
    let described = Description::from_toml(sample.expect("a sample")).expect("it is read");
    described.iter().map(|one| one.entrant().expect("an entrant")).collect()
}

#[test]
fn sample_engine_files_parse() {
    let club = sample("club");
    let names: Vec<_> = club.iter().map(|entrant| entrant.name.as_str()).collect();
    assert_eq!(names, ["Adoube", "Stockfish at 2800", "Toga II", "GNU Chess"]);
    assert!(club[2].options.contains(&("Number of Threads".into(), "1".into())));
    let entrants = sample("matches");
    assert_eq!(entrants.len(), 2);
    assert!(entrants.iter().all(|e| e.options.contains(&("Hash".into(), "64".into()))));
    assert_eq!(entrants[1].options[1], ("Threads".into(), "2".into()));
}
