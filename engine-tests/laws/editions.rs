//! Checks that no source file of the referee outside the folder `editions` names an edition. These
//! files must use the fields of `Terms` instead.

use std::fs;
use std::path::{Path, PathBuf};

const FOLDER: &str = "editions";

const EDITIONS: [&str; 6] = ["early", "fide1928", "fide1930", "fide2009", "fide2023", "fmjd"];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ext| ext == "rs") {
            found.push(path);
        }
    }
}

/// Returns the lines that name an edition, such as `Edition::Fide2009`, `fide2009::X`, `early::X`
/// or `use super::fmjd`. Unit tests and comments are exempt.
fn named(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let code = text.split("#[cfg(test)]").next().unwrap_or(text);
    code.lines().enumerate().filter(|(_, line)| {
        let line = line.split("//").next().unwrap_or(line);
        let words = || line.split(|c: char| !c.is_alphanumeric() && c != '_');
        let module = words().any(|word| EDITIONS.contains(&word));
        let variant = line.split("Edition::").skip(1).any(|rest| {
            rest.starts_with(|c: char| c.is_ascii_uppercase())
                && !rest.starts_with("ALL")
                && !rest.starts_with("NUM")
        });
        module || variant
    })
}

#[test]
fn referee_does_not_name_editions() {
    let laws = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/laws");
    let mut files = Vec::new();
    sources(&laws, &mut files);
    assert!(files.len() > 20, "{files:?}");
    let mut wrong = Vec::new();
    for path in files {
        let name = path.strip_prefix(&laws).expect("it is in the folder");
        if name.starts_with(FOLDER) {
            continue;
        }
        let name = name.display();
        let text = fs::read_to_string(&path).expect("it can be read");
        for (index, line) in named(&text) {
            wrong.push(format!("{name}:{}: {}", index + 1, line.trim()));
        }
    }
    assert!(wrong.is_empty(), "add a field to `Terms` instead:\n{}", wrong.join("\n"));
}

#[test]
fn scan_finds_named_editions() {
    for line in [
        "if edition == Edition::Fmjd {",
        "let x = fide2009::EXTRA_TIME;",
        "use crate::laws::early;",
        "Edition::ALL.len(); Edition::Fide1930",
    ] {
        assert_eq!(named(line).count(), 1, "{line}");
    }
    for line in ["Edition::ALL.map(Edition::id)", "// in fide2009", "let early_bird = 1;"] {
        assert_eq!(named(line).count(), 0, "{line}");
    }
}
