//! The house stays as it was drawn: a folder imports only from the layers below it, and `unsafe`
//! lives in one file.
//!
//! The paths are read from the source text by a small lexer (comments, strings and doc links do
//! not count), so a `use`, an inline `crate::a::b`, a grouped `use crate::{a, b}` and a chain of
//! `super::` that leaves the folder are all seen.

use std::fs;
use std::path::{Path, PathBuf};

/// The folders of `src` and their layers. A folder imports from itself and from lower numbers.
const LAYERS: [(&str, u8); 13] = [
    ("base", 0),
    ("manual", 0),
    ("record", 1),
    ("chess", 2),
    ("draughts", 2),
    ("endings", 3),
    ("laws", 3),
    ("eval", 3),
    ("search", 4),
    ("protocol", 5),
    ("arena", 6),
    ("tools", 7),
    ("cli", 8),
];

/// The only file in which the word `unsafe` may stand.
const UNSAFE: &str = "src/base/cpu.rs";

/// The macros that `#[macro_export]` puts at the root of the crate, and the folder of each.
const ROOT_MACROS: [(&str, &str); 1] = [("indexed_enum", "base")];

fn layer(folder: &str) -> Option<u8> {
    LAYERS.iter().find(|(name, _)| *name == folder).map(|(_, layer)| *layer)
}

// ---------------------------------------------------------------------------------------- lexer

/// A word, `::`, or a single mark; literals and comments leave no token.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Token {
    text: String,
    line: usize,
}

fn tokens(source: &str) -> Vec<Token> {
    let chars: Vec<char> = source.chars().collect();
    let at = |i: usize| chars.get(i).copied().unwrap_or('\0');
    let lines: Vec<usize> = chars
        .iter()
        .scan(1, |line, c| {
            let this = *line;
            *line += usize::from(*c == '\n');
            Some(this)
        })
        .collect();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut tokens = Vec::new();
    let mut i = 0;
    while i < chars.len() {
        let start = i;
        match (at(i), at(i + 1)) {
            ('/', '/') => {
                while i < chars.len() && at(i) != '\n' {
                    i += 1;
                }
            }
            ('/', '*') => i = end_of_block_comment(&chars, i),
            ('"', _) => i = end_of_string(&chars, i + 1),
            ('\'', '\\') => {
                // An escaped character: past the quote, the backslash and what it escapes.
                i += 3;
                while i < chars.len() && at(i) != '\'' {
                    i += 1;
                }
                i += 1;
            }
            ('\'', _) if at(i + 2) == '\'' => i += 3,
            ('\'', _) => i += 1, // a lifetime: its name is read as a word, which harms nothing
            (':', ':') => {
                tokens.push(Token { text: "::".into(), line: lines[i] });
                i += 2;
            }
            (c, _) if is_word(c) => {
                while is_word(at(i)) {
                    i += 1;
                }
                let text: String = chars[start..i].iter().collect();
                let hashes = chars[i..].iter().take_while(|c| **c == '#').count();
                let raw = matches!(text.as_str(), "r" | "br" | "cr") && at(i + hashes) == '"';
                if raw {
                    i = end_of_raw_string(&chars, i + hashes + 1, hashes);
                } else {
                    tokens.push(Token { text, line: lines[start] });
                }
            }
            (c, _) => {
                if !c.is_whitespace() {
                    tokens.push(Token { text: c.into(), line: lines[i] });
                }
                i += 1;
            }
        }
    }
    tokens
}

fn end_of_string(chars: &[char], mut i: usize) -> usize {
    while i < chars.len() && chars[i] != '"' {
        i += if chars[i] == '\\' { 2 } else { 1 };
    }
    i + 1
}

fn end_of_raw_string(chars: &[char], mut i: usize, hashes: usize) -> usize {
    let closes = |i: usize| {
        chars[i] == '"'
            && chars[i + 1..].iter().take(hashes).filter(|c| **c == '#').count() == hashes
    };
    while i < chars.len() && !closes(i) {
        i += 1;
    }
    i + 1 + hashes
}

fn end_of_block_comment(chars: &[char], mut i: usize) -> usize {
    let mut open = 0;
    while i < chars.len() {
        match chars[i..] {
            ['/', '*', ..] => {
                open += 1;
                i += 2;
            }
            ['*', '/', ..] => {
                open -= 1;
                i += 2;
                if open == 0 {
                    return i;
                }
            }
            _ => i += 1,
        }
    }
    i
}

// -------------------------------------------------------------------------------------- imports

/// A path that reaches the root of the crate, and the name it goes on with.
#[derive(Debug, PartialEq, Eq)]
struct Import {
    name: String,
    line: usize,
}

/// The depth of the module that a file is: `chess/mod.rs` 1, `chess/fen.rs` 2; `path` is below `src`.
fn depth(path: &Path) -> usize {
    let parts = path.components().count();
    if path.file_name().is_some_and(|name| name == "mod.rs") { parts - 1 } else { parts }
}

/// Every path in `source` that starts from the root of the crate, or climbs to it by `super`.
fn imports(source: &str, depth: usize) -> Vec<Import> {
    let tokens = tokens(source);
    let text = |i: usize| tokens.get(i).map_or("", |token: &Token| token.text.as_str());
    let mut found = Vec::new();
    // The nesting of braces, and at which of them a `mod name {` was opened.
    let mut braces = 0_usize;
    let mut modules = Vec::new();
    for i in 0..tokens.len() {
        match text(i) {
            "mod" if text(i + 2) == "{" => modules.push(braces),
            "{" => braces += 1,
            "}" => {
                braces = braces.saturating_sub(1);
                if modules.last() == Some(&braces) {
                    modules.pop();
                }
            }
            "crate" | "super" | "self"
                if text(i + 1) == "::" && (i == 0 || text(i - 1) != "::") =>
            {
                walk(&tokens, i, depth + modules.len(), &mut found);
            }
            _ => {}
        }
    }
    found
}

/// Follows the path (or the tree of a `use`) at token `i`, read in a module `depth` deep, as far
/// as it stays made of `crate`, `super`, `self`; records the name that follows the root. Returns
/// the index of the first token not read.
fn walk(tokens: &[Token], mut i: usize, mut depth: usize, found: &mut Vec<Import>) -> usize {
    while let Some(token) = tokens.get(i) {
        match token.text.as_str() {
            "crate" => depth = 0,
            "super" => depth = depth.saturating_sub(1),
            "self" | "::" => {}
            "," | "}" | ";" => return i, // `use super::{self, ..}`
            "{" => {
                i += 1;
                while tokens.get(i).is_some_and(|token| token.text != "}") {
                    i = walk(tokens, i, depth, found);
                    i = skip_branch(tokens, i);
                }
                return i + 1;
            }
            name => {
                if depth == 0 {
                    found.push(Import { name: name.into(), line: token.line });
                }
                return i + 1;
            }
        }
        i += 1;
    }
    i
}

/// The index after the comma that ends this branch of a `use` tree, or of the brace that closes it.
fn skip_branch(tokens: &[Token], mut i: usize) -> usize {
    let mut open = 0;
    while let Some(token) = tokens.get(i) {
        match token.text.as_str() {
            "{" => open += 1,
            "}" if open == 0 => return i,
            "}" => open -= 1,
            "," if open == 0 => return i + 1,
            _ => {}
        }
        i += 1;
    }
    i
}

/// What is wrong with the imports of the file at `path` (below `src`), one line each.
fn violations(path: &Path, source: &str) -> Vec<String> {
    let Some(home) = path.components().next().and_then(|part| part.as_os_str().to_str()) else {
        return vec!["a file without a name".into()];
    };
    if path.components().count() == 1 {
        return Vec::new(); // lib.rs and main.rs stand above the layers
    }
    let Some(own) = layer(home) else {
        return vec![format!("src/{home}: a folder without a layer; give it one in LAYERS")];
    };
    let complain = |import: &Import| {
        let macro_home = ROOT_MACROS.iter().find(|(name, _)| *name == import.name);
        let target = macro_home.map_or(import.name.as_str(), |(_, folder)| folder);
        let place = format!("src/{}:{}", path.display(), import.line);
        match layer(target) {
            Some(other) if target == home || other < own => None,
            Some(other) => Some(format!("{place}: {home} ({own}) imports {target} ({other})")),
            None => Some(format!("{place}: `crate::{target}` names no folder of src")),
        }
    };
    imports(source, depth(path)).iter().filter_map(complain).collect()
}

// ------------------------------------------------------------------------------------- the tree

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The Rust files below `folder`, by their paths from the root of the package.
pub fn rust_files(folder: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of the package") {
            let path = entry.expect("an entry of a folder").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path.strip_prefix(root()).expect("a path below the root").to_path_buf());
            }
        }
    }
    files.sort();
    assert!(!files.is_empty(), "no Rust files in {folder}");
    files
}

/// The text of a file, by its path from the root of the package.
pub fn read(path: &Path) -> String {
    fs::read_to_string(root().join(path)).expect("a source file is UTF-8")
}

#[test]
fn no_folder_imports_from_above() {
    let mut wrong = Vec::new();
    let mut seen = 0;
    for path in rust_files("src") {
        let below_src = path.strip_prefix("src").expect("a path below src");
        let source = read(&path);
        seen += imports(&source, depth(below_src)).len();
        wrong.extend(violations(below_src, &source));
    }
    assert!(seen > 20, "the lexer saw only {seen} imports in the whole tree");
    assert!(wrong.is_empty(), "imports that point up the tree:\n{}", wrong.join("\n"));
}

#[test]
fn unsafe_stands_in_one_file() {
    let files = ["src", "benches", "engine-tests"].into_iter().flat_map(rust_files);
    let holds_unsafe = |path: &PathBuf| {
        tokens(&read(path))
            .iter()
            .any(|token| token.text == "unsafe" || token.text == "unsafe_code")
    };
    let found: Vec<PathBuf> = files.filter(holds_unsafe).collect();
    assert_eq!(found, [PathBuf::from(UNSAFE)]);
}

// --------------------------------------------------------------------------- the checker itself

fn complaints(path: &str, source: &str) -> usize {
    violations(Path::new(path), source).len()
}

#[test]
fn upward_and_sideways_imports_are_seen() {
    for (path, source) in [
        ("chess/fen.rs", "use crate::search::Score;"),
        ("chess/fen.rs", "use crate::draughts::Move;"),
        ("eval/chess/mod.rs", "use crate::laws::clock;"),
        ("chess/fen.rs", "use crate::{base::side::Side, search::tt};"),
        ("chess/fen.rs", "fn f() -> u32 { crate::tools::bench::nodes() }"),
        ("chess/fen.rs", "use super::super::search::tt;"),
        ("chess/fen.rs", "use super::{fen, super::cli::run};"),
        ("chess/mod.rs", "use super::search::tt;"),
        ("chess/fen.rs", "mod tests { use super::super::super::search::tt; }"),
        ("chess/fen.rs", "mod a { mod b {} } use super::super::search::tt;"),
        ("search/chess/see.rs", "pub(in crate::protocol) fn f() {}"),
        ("chess/fen.rs", "use crate::*;"),
        ("chess/mod.rs", "use super::{self, search::tt};"),
        ("chess/fen.rs", "fn f() { let quote = '\"'; crate::cli::run() }"),
        ("games/chess.rs", "use crate::base::side::Side;"),
    ] {
        assert_eq!(complaints(path, source), 1, "{path}: {source}");
    }
}

#[test]
fn imports_from_below_are_let_through() {
    for (path, source) in [
        ("chess/fen.rs", "use crate::base::{bits::Bits, side::Side};"),
        ("chess/fen.rs", "use crate::indexed_enum; crate::indexed_enum! {}"),
        ("chess/fen.rs", "use super::position::Position; use super::super::base::side::Side;"),
        ("chess/fen.rs", "mod tests { use super::super::position::Position; }"),
        ("chess/attacks/magic.rs", "use super::super::square::Square;"),
        ("chess/fen.rs", "// use crate::search::Score;\n/* crate::cli /* */ crate::cli */"),
        ("chess/fen.rs", "/// See [`crate::search::Score`].\nconst A: &str = \"crate::search\";"),
        ("chess/fen.rs", "const A: &str = r#\"a \" crate::search\"#; const B: char = '\\'';"),
        ("chess/fen.rs", "pub(crate) fn f<'a>(x: &'a str) {}"),
        ("cli/mod.rs", "use crate::{tools::bench, protocol::{self, uci}, search::{tt, score}};"),
        ("lib.rs", "pub use crate::cli::run;"),
    ] {
        assert_eq!(complaints(path, source), 0, "{path}: {source}");
    }
}
