//! The README says what is so: its map of the source, its table of options, its notations.

use crate::support::program::run;
use crate::support::tree::{read, rust_files};
use adoube::protocol::uci::option::{Kind, OPTIONS};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The cells of the README's table rows, trimmed.
fn table_rows() -> Vec<Vec<String>> {
    let readme = read(Path::new("README.md"));
    let rows = readme.lines().filter_map(|line| line.strip_prefix('|')?.strip_suffix('|'));
    rows.map(|row| row.split('|').map(|cell| cell.trim().to_owned()).collect()).collect()
}

/// Folders below `src`, each with the names of its modules.
type Map = BTreeMap<String, BTreeSet<String>>;

/// The README's map: a table row a folder, ``| layer | `src/folder/` | what, with `modules` |``.
fn map_in_readme() -> Map {
    let row = |cells: &Vec<String>| {
        let [_, folder, text] = &cells[..] else { return None };
        let folder = folder.strip_prefix("`src/")?.strip_suffix('`')?.trim_end_matches('/');
        let modules = text.split('`').skip(1).step_by(2).map(str::to_owned).collect();
        Some((folder.to_owned(), modules))
    };
    table_rows().iter().filter_map(row).collect()
}

/// The same of the tree itself. `mod.rs` is the folder, not a module in it.
fn map_of_tree() -> Map {
    let mut map = Map::new();
    for path in rust_files("src") {
        let folder = path.parent().expect("a file in src").display().to_string();
        let folder = folder.trim_start_matches("src").trim_start_matches('/');
        let modules = map.entry(folder.to_owned()).or_default();
        let name = path.file_stem().expect("a file with a name").display().to_string();
        if name != "mod" {
            modules.insert(name);
        }
    }
    map
}

#[test]
fn readme_map_is_true_to_the_tree() {
    let (map, tree) = (map_in_readme(), map_of_tree());
    let mut wrong = Vec::new();
    for folder in map.keys().chain(tree.keys()).collect::<BTreeSet<_>>() {
        match (map.get(folder), tree.get(folder)) {
            (Some(named), Some(modules)) => {
                for module in modules.difference(named) {
                    wrong.push(format!("src/{folder}: the map does not name `{module}`"));
                }
                for module in named.difference(modules) {
                    wrong.push(format!(
                        "src/{folder}: the map names `{module}`, which is not there"
                    ));
                }
            }
            (None, _) => wrong.push(format!("src/{folder}: no row in the map")),
            (_, None) => wrong.push(format!("src/{folder}: in the map, but not there")),
        }
    }
    assert!(wrong.is_empty(), "the README's map of the source is not true:\n{}", wrong.join("\n"));
}

#[test]
fn readme_lists_the_options_as_they_are() {
    let expected = OPTIONS.iter().map(|option| {
        let (kind, default, range) = match option.kind {
            Kind::Check { default, .. } => ("check", default.to_string(), String::new()),
            Kind::Spin { default, min, max, .. } => {
                ("spin", default.to_string(), format!("{min} to {max}"))
            }
            Kind::Button => ("button", String::new(), String::new()),
            Kind::Text { .. } => ("string", String::new(), String::new()),
        };
        vec![option.name.to_owned(), kind.to_owned(), default, range]
    });
    let rows = table_rows();
    let start = rows.iter().position(|row| row[0] == "option").expect("a table of options");
    let table = rows[start + 2..].iter().take(OPTIONS.len()).map(|row| row[..4].to_vec());
    assert_eq!(table.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
}

/// What `adoube convert --to NOTATION` makes of a game.
fn converted(game: &str, notation: &str) -> String {
    let (code, text, errors) = run(&["convert", "--to", notation], game);
    assert_eq!(code, Some(0), "{notation}: {errors}");
    text
}

#[test]
fn readme_shows_notations_as_they_are_written() {
    let readme = read(Path::new("README.md"));
    let (before, _) = readme.split_once("\n```\n\nin `knights.pgn`").expect("a game");
    let (_, game) = before.rsplit_once("```text\n").expect("a block");
    let rows = table_rows();
    let start = rows.iter().position(|row| row[0] == "NOTATION").expect("a table of notations");
    for row in &rows[start + 2..start + 14] {
        let sheet = converted(&format!("{game}\n"), row[0].trim_matches('`'));
        let moves: Vec<_> = row[1].split('`').skip(1).step_by(2).collect();
        assert_eq!(moves.len(), 2, "{row:?}");
        assert!(sheet.contains(&format!("1. {}  ", moves[0])), "{row:?}: {sheet}");
        assert!(sheet.contains(&format!("2. {}\n", moves[1])), "{row:?}: {sheet}");
    }
    assert_eq!(rows[start + 13][0], "`spoken:short`", "the last of the table");
    let (_, printf) = readme.split_once("printf '1. 32-28").expect("a game of draughts");
    let (draughts, _) =
        printf.split_once("' | adoube convert --to numeric\n").expect("its command");
    let draughts = format!("1. 32-28{draughts}").replace("\\n", "\n");
    assert!(converted(&draughts, "numeric").contains("2. 28x19* +1  14x23\n"));
}
