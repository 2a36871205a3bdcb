//! The source tree of this repository.

use proc_macro2::{TokenStream, TokenTree};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the Rust files below `folder` as paths relative to the root of the package.
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

/// Reads a file, given as a path relative to the root of the package.
pub fn read(path: &Path) -> String {
    fs::read_to_string(root().join(path)).expect("a source file is UTF-8")
}

/// Returns the path of a file below `epd`.
pub fn epd(name: &str) -> PathBuf {
    root().join("epd").join(name)
}

/// Returns the path of a file in `../shared/data`; tests that need it are ignored by default.
pub fn shared(name: &str) -> PathBuf {
    root().join("../shared/data").join(name)
}

/// Returns all identifiers and keywords of a source text, excluding comments and literals.
pub fn identifiers(source: &str) -> BTreeSet<String> {
    fn collect(tokens: TokenStream, found: &mut BTreeSet<String>) {
        for token in tokens {
            match token {
                TokenTree::Ident(name) => {
                    found.insert(name.to_string());
                }
                TokenTree::Group(group) => collect(group.stream(), found),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
    let mut found = BTreeSet::new();
    collect(source.parse().expect("Rust"), &mut found);
    found
}
