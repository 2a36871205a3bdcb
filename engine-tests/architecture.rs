//! Checks the layers: a folder imports only from lower layers, and `unsafe` occurs only in the
//! listed files of `base/cpu`.
//!
//! `syn` parses the paths, including `use`, inline `crate::a::b`, grouped `use crate::{a, b}`,
//! `pub(in crate::a)` and chains of `super::` that leave the folder. Token streams, such as the
//! arguments of macros and attributes, are searched for paths as well.

use crate::support::tree::{identifiers, read, rust_files};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use std::path::{Path, PathBuf};
use syn::visit::{self, Visit};
use syn::{ItemMod, ItemUse, Macro, MetaList, UseTree};

/// The folders of `src` with their layers. A folder may import from itself and from folders with
/// lower numbers.
const LAYERS: [(&str, u8); 15] = [
    ("base", 0),
    ("manual", 0),
    ("record", 1),
    ("chess", 2),
    ("draughts", 2),
    ("endings", 3),
    ("laws", 3),
    ("eval", 3),
    ("page", 3),
    ("search", 4),
    ("protocol", 5),
    ("arena", 6),
    ("tools", 7),
    ("board", 8),
    ("cli", 9),
];

const UNSAFE: [&str; 8] = [
    "src/base/cpu/greatest.rs",
    "src/base/cpu/lanes/avx2.rs",
    "src/base/cpu/lanes/avx512.rs",
    "src/base/cpu/quads.rs",
    "src/base/cpu/screlu.rs",
    "src/base/cpu/squares.rs",
    "src/base/cpu/sums.rs",
    "src/base/cpu/system.rs",
];

fn layer(folder: &str) -> Option<u8> {
    LAYERS.iter().find(|(name, _)| *name == folder).map(|(_, layer)| *layer)
}

/// A use of an item at the crate root, such as `chess` in `crate::chess::fen`.
#[derive(Debug, PartialEq, Eq)]
struct Import {
    name: String,
    line: usize,
}

/// Returns the depth of a file's module: 1 for `chess/mod.rs`, 2 for `chess/fen.rs`. `path` is
/// relative to `src`.
fn depth(path: &Path) -> usize {
    let parts = path.components().count();
    if path.file_name().is_some_and(|name| name == "mod.rs") { parts - 1 } else { parts }
}

/// Returns all paths in `source` that start at the crate root or reach it through `super`.
fn imports(source: &str, depth: usize) -> Vec<Import> {
    let file = syn::parse_file(source).unwrap_or_else(|error| {
        let at = error.span().start();
        panic!("line {}, column {}: {error}", at.line, at.column)
    });
    let mut imports = Imports { depth, found: Vec::new() };
    imports.visit_file(&file);
    imports.found
}

/// The location reached while following a path.
#[derive(Clone, Copy)]
enum At {
    Start,
    /// The module at this depth, reached through `crate`, `super` and `self` alone.
    Module(usize),
    /// Anywhere else. The path has passed a name other than `crate`, `super` and `self`, and
    /// nothing after that name is recorded.
    Beyond,
}

struct Imports {
    /// The depth of the current module.
    depth: usize,
    found: Vec<Import>,
}

impl Imports {
    /// Follows the next name of a path from the location `at`, and returns the new location.
    fn step(&mut self, at: At, name: &Ident) -> At {
        let here = match at {
            At::Start => None,
            At::Module(depth) => Some(depth),
            At::Beyond => return At::Beyond,
        };
        if name == "crate" {
            At::Module(0)
        } else if name == "super" {
            At::Module(here.unwrap_or(self.depth).saturating_sub(1))
        } else if name == "self" {
            At::Module(here.unwrap_or(self.depth))
        } else {
            self.reach(at, name.to_string(), name.span());
            At::Beyond
        }
    }

    /// Records a name if `at` is the crate root.
    fn reach(&mut self, at: At, name: String, span: Span) {
        if matches!(at, At::Module(0)) {
            self.found.push(Import { name, line: span.start().line });
        }
    }

    /// Follows a `use` tree.
    fn follow(&mut self, at: At, tree: &UseTree) {
        match tree {
            UseTree::Path(path) => {
                let at = self.step(at, &path.ident);
                self.follow(at, &path.tree);
            }
            UseTree::Name(name) => {
                self.step(at, &name.ident);
            }
            UseTree::Rename(rename) => {
                // Record the alias too. Otherwise, after `use super::super as root`, paths that
                // begin with `root` would be missed.
                let at = self.step(at, &rename.ident);
                self.reach(at, rename.rename.to_string(), rename.rename.span());
            }
            UseTree::Glob(glob) => self.reach(at, "*".into(), glob.star_token.span),
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.follow(at, tree));
            }
        }
    }

    /// Scans a token stream for paths. Each path begins at `start`. A group after `::` continues
    /// the path before it, as in a `use` tree.
    fn scan(&mut self, tokens: TokenStream, start: At) {
        let (mut at, mut colons) = (start, 0);
        for token in tokens {
            // Only a name after `::` continues the current path.
            let from = if colons == 2 { at } else { start };
            match &token {
                TokenTree::Punct(mark) if mark.as_char() == ':' => {
                    colons += 1;
                    continue;
                }
                TokenTree::Punct(mark) if mark.as_char() == '*' && colons == 2 => {
                    self.reach(at, "*".into(), mark.span());
                }
                TokenTree::Group(group) if colons == 2 => self.scan(group.stream(), at),
                TokenTree::Group(group) => self.scan(group.stream(), At::Start),
                TokenTree::Punct(_) | TokenTree::Ident(_) | TokenTree::Literal(_) => {}
            }
            colons = 0;
            at = if let TokenTree::Ident(name) = &token { self.step(from, name) } else { start };
        }
    }
}

impl<'ast> Visit<'ast> for Imports {
    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        self.depth += 1;
        visit::visit_item_mod(self, module);
        self.depth -= 1;
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        if item.leading_colon.is_none() {
            self.follow(At::Start, &item.tree);
        }
        visit::visit_item_use(self, item);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.leading_colon.is_none() {
            path.segments.iter().fold(At::Start, |at, segment| self.step(at, &segment.ident));
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, called: &'ast Macro) {
        self.scan(called.tokens.clone(), At::Start);
        visit::visit_macro(self, called);
    }

    fn visit_meta_list(&mut self, list: &'ast MetaList) {
        self.scan(list.tokens.clone(), At::Start);
        visit::visit_meta_list(self, list);
    }
}

/// Returns a message for each forbidden import in the file at `path`, which is relative to `src`.
fn violations(path: &Path, source: &str) -> Vec<String> {
    let Some(home) = path.components().next().and_then(|part| part.as_os_str().to_str()) else {
        return vec!["a file without a name".into()];
    };
    if path.components().count() == 1 {
        return Vec::new(); // lib.rs and main.rs are above the layers
    }
    let Some(own) = layer(home) else {
        return vec![format!("src/{home}: this folder has no layer: add it to LAYERS")];
    };
    let complain = |import: &Import| {
        let target = import.name.as_str();
        let place = format!("src/{}:{}", path.display(), import.line);
        match layer(target) {
            Some(other) if target == home || other < own => None,
            Some(other) => Some(format!("{place}: {home} ({own}) imports {target} ({other})")),
            None => Some(format!("{place}: `crate::{target}` is not a folder of src")),
        }
    };
    imports(source, depth(path)).iter().filter_map(complain).collect()
}

#[test]
fn folders_import_only_from_lower_layers() {
    let mut wrong = Vec::new();
    let mut seen = 0;
    for path in rust_files("src") {
        let below_src = path.strip_prefix("src").expect("a path below src");
        let source = read(&path);
        seen += imports(&source, depth(below_src)).len();
        wrong.extend(violations(below_src, &source));
    }
    assert!(seen > 20, "found only {seen} imports in the whole tree");
    assert!(wrong.is_empty(), "imports from higher layers:\n{}", wrong.join("\n"));
}

#[test]
fn unsafe_occurs_only_in_the_listed_files() {
    let files = ["src", "benches", "engine-tests"].into_iter().flat_map(rust_files);
    let holds_unsafe = |path: &PathBuf| {
        let names = identifiers(&read(path));
        names.contains("unsafe") || names.contains("unsafe_code")
    };
    let mut found: Vec<PathBuf> = files.filter(holds_unsafe).collect();
    found.sort();
    assert_eq!(found, UNSAFE.map(PathBuf::from));
}

fn complaints(path: &str, source: &str) -> usize {
    violations(Path::new(path), source).len()
}

#[test]
fn detects_upward_and_sideways_imports() {
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
        ("chess/fen.rs", "use super::super as root;"),
        ("chess/fen.rs", "fn f() { assert!(true, \"{}\", crate::cli::run()) }"),
        ("chess/fen.rs", "macro_rules! m { () => { $crate::cli::run() } }"),
        ("chess/fen.rs", "m! { mod a { use crate::{base::side::Side, search::tt}; } }"),
        ("chess/fen.rs", "m! { use super::super::*; }"),
        ("chess/fen.rs", "#[derive(Clone, crate::tools::Derived)] struct A;"),
        ("chess/fen.rs", "fn f(a: impl Fn(u8) -> crate::search::Score) {}"),
    ] {
        assert_eq!(complaints(path, source), 1, "{path}: {source}");
    }
}

#[test]
fn accepts_imports_from_lower_layers() {
    for (path, source) in [
        ("chess/fen.rs", "use crate::base::{bits::Bits, side::Side};"),
        ("chess/fen.rs", "use crate::base::indexed_enum; crate::base::indexed_enum! {}"),
        ("chess/fen.rs", "use super::position::Position; use super::super::base::side::Side;"),
        ("chess/fen.rs", "mod tests { use super::super::position::Position; }"),
        ("chess/attacks/magic.rs", "use super::super::square::Square;"),
        ("chess/fen.rs", "// use crate::search::Score;\n/* crate::cli /* */ crate::cli */"),
        ("chess/fen.rs", "/// See [`crate::search::Score`].\nconst A: &str = \"crate::search\";"),
        ("chess/fen.rs", "const A: &str = r#\"a \" crate::search\"#; const B: char = '\\'';"),
        ("chess/fen.rs", "pub(crate) fn f<'a>(x: &'a str) {}"),
        ("chess/fen.rs", "fn f(&self) { m!(self.a, self::b::c, a::base, x::crate_::search) }"),
        // The binary may use paths from its own crate root, and may import the library by name.
        ("cli/mod.rs", "use crate::cli::games; use adoube::{tools::bench, protocol::{self, uci}};"),
        ("lib.rs", "pub use crate::search::tt;"),
    ] {
        assert_eq!(complaints(path, source), 0, "{path}: {source}");
    }
}
