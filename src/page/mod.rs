//! Building blocks of web pages: pieces, boards, graphs, move lists, clocks, charts, and the frame
//! of a document.
//!
//! Each part is a script, a style sheet or both. The scripts are ES modules: a server can serve
//! them unchanged, and [`bundle`] joins them for a page in a single file. Pages load no external
//! resources or libraries. Text from other sources, such as engine names, is escaped in HTML or
//! inserted as text by the script.

mod chart;

pub(crate) use chart::{Chart, Curve};
use serde::Serialize;
use std::fmt::Write as _;

/// Each script imports only from scripts above it.
pub(crate) mod script {
    pub(crate) const DOM: &str = include_str!("dom.js");
    pub(crate) const PIECES: &str = include_str!("pieces.js");
    pub(crate) const BOARD: &str = include_str!("board.js");
    #[cfg(feature = "board")]
    pub(crate) const PREMOVE: &str = include_str!("premove.js");
    #[cfg(feature = "board")]
    pub(crate) const PLAY: &str = include_str!("play.js");
    pub(crate) const GRAPH: &str = include_str!("graph.js");
    pub(crate) const MOVES: &str = include_str!("moves.js");
    pub(crate) const CLOCK: &str = include_str!("clock.js");
    pub(super) const VIEWER: &str = include_str!("viewer.js");
}

pub(crate) mod style {
    pub(crate) const BASE: &str = include_str!("base.css");
    pub(crate) const TABLE: &str = include_str!("table.css");
    pub(crate) const BOARD: &str = include_str!("board.css");
    pub(crate) const GRAPH: &str = include_str!("graph.css");
    pub(crate) const MOVES: &str = include_str!("moves.css");
    pub(crate) const CLOCK: &str = include_str!("clock.css");
    pub(super) const DOCUMENT: &str = include_str!("document.css");
    pub(super) const VIEWER: &str = include_str!("viewer.css");
}

const FOOTER: &str =
    concat!("<footer>Written by Adoube ", env!("CARGO_PKG_VERSION"), ".</footer>\n");

/// The base-64 digits that encode squares, counted from the top left of a diagram. `viewer.js` has
/// the same table.
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The style and script that a page for replaying games adds to the shared parts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Own {
    pub style: &'static str,
    pub script: &'static str,
}

impl Own {
    pub(crate) fn style_sheet(self) -> String {
        let parts = [style::BOARD, style::GRAPH, style::MOVES, style::CLOCK, style::VIEWER];
        frame_style() + &parts.concat() + self.style
    }

    pub(crate) fn whole_script(self) -> String {
        bundle(&[
            script::DOM,
            script::PIECES,
            script::BOARD,
            script::GRAPH,
            script::MOVES,
            script::CLOCK,
            script::VIEWER,
            self.script,
        ])
    }
}

/// Joins ES modules into one script, without comment lines or indentation. All modules share one
/// scope, so their names must be distinct.
pub(crate) fn bundle(modules: &[&str]) -> String {
    let mut script = String::from("\"use strict\";\n");
    for line in modules.iter().flat_map(|module| statements(module)) {
        if !line.starts_with("import ") {
            script.push_str(line.strip_prefix("export ").unwrap_or(line));
            script.push('\n');
        }
    }
    script
}

/// Returns a script without comment lines, blank lines and indentation.
#[cfg(feature = "board")]
pub(crate) fn compact(script: &str) -> String {
    statements(script).flat_map(|line| [line, "\n"]).collect()
}

/// Returns the lines of a script without indentation, excluding comment lines and blank lines.
fn statements(script: &str) -> impl Iterator<Item = &str> {
    let lines = script.lines().map(str::trim_start);
    lines.filter(|line| !line.is_empty() && !line.starts_with("//"))
}

/// Returns a page for replaying games. `content` is HTML; `data` is embedded as JSON for the
/// script.
pub(crate) fn with_games(title: &str, content: &str, data: &impl Serialize, own: Own) -> String {
    let script = format!("<script>\n{}</script>\n", own.whole_script());
    let body = body_with_data(content, data, &script);
    document(&escape(title), &body, &within(&own.style_sheet()))
}

/// Paths of the page's style sheet and script, for servers with a content security policy that
/// forbids inline code.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinkedAssets<'a> {
    /// The path for [`Own::style_sheet`].
    pub style: &'a str,
    /// The path for [`Own::whole_script`].
    pub script: &'a str,
}

/// Returns the same page as [`with_games`], but with the style sheet and script in separate files.
pub(crate) fn with_games_linked(
    title: &str,
    content: &str,
    data: &impl Serialize,
    assets: LinkedAssets<'_>,
) -> String {
    let LinkedAssets { style, script } = assets;
    let body = body_with_data(content, data, &format!("<script src=\"{script}\"></script>\n"));
    document(&escape(title), &body, &format!("<link rel=\"stylesheet\" href=\"{style}\">"))
}

fn body_with_data(content: &str, data: &impl Serialize, script: &str) -> String {
    // A script element ends at the first `</script`, even inside a string.
    let json = serde_json::to_string(data).unwrap_or_default().replace('<', "\\u003c");
    format!(
        "<main>{content}</main>{FOOTER}\
         <script type=\"application/json\" id=\"data\">{json}</script>\n{script}",
    )
}

/// Returns the squares that differ between two boards, each as its digit and its new contents. A
/// board is a string with one letter per square, from the top left of a diagram.
pub(crate) fn changes(before: &str, after: &str) -> String {
    let mut changes = String::new();
    for ((was, is), digit) in before.chars().zip(after.chars()).zip(DIGITS) {
        if was != is {
            changes.extend([char::from(*digit), is]);
        }
    }
    changes
}

pub(crate) fn section(body: &mut String, name: &str, content: &str) {
    let _ = write!(body, "<section><h2>{name}</h2>\n{content}</section>\n");
}

/// Returns a page to print, with its own style after the base style.
#[cfg(feature = "cli")]
pub(crate) fn printed(title: &str, content: &str, style: &str) -> String {
    let body = format!("<main>{content}</main>\n{FOOTER}");
    document(&escape(title), &body, &within(&(frame_style() + style)))
}

#[cfg(feature = "cli")]
pub(crate) fn page(title: &str, content: &str) -> String {
    let title = escape(title);
    document(
        &title,
        &format!("<main><header><h1>{title}</h1></header>\n{content}</main>\n"),
        &within(&frame_style()),
    )
}

/// Returns the base style of every document.
fn frame_style() -> String {
    [style::BASE, style::TABLE, style::DOCUMENT].concat()
}

fn within(style: &str) -> String {
    format!("<style>\n{style}</style>")
}

/// Returns a complete document. All arguments are HTML.
fn document(title: &str, body: &str, style: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n{style}\n</head>\n<body>\n{body}</body>\n</html>\n"
    )
}

/// Escapes text for HTML content and attributes.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(feature = "board")]
    fn compact_scripts_have_no_comments() {
        assert_eq!(compact("// a\n\nif (b) {\n  c(); // d\n}\n"), "if (b) {\nc(); // d\n}\n");
    }

    #[test]
    fn bundle_contains_no_module_syntax_or_comments() {
        let whole = Own { style: "", script: "// own\nimport { a } from \"./a.js\";\n  a();\n" };
        let script = whole.whole_script();
        for word in ["import ", "export ", "// "] {
            assert!(!script.lines().any(|line| line.starts_with(word)), "{word}");
        }
        assert!(script.ends_with("\na();\n") && script.contains("\nclass Board {\n"));
        // A template literal must not span lines, because `bundle` removes the indentation.
        assert!(script.lines().all(|line| line.matches('`').count() % 2 == 0));
    }
}
