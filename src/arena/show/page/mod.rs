//! Pages for a browser: their frame, their style, charts, and the board on which they show games.
//!
//! A page needs nothing but itself: no network, no library. Any text that comes from elsewhere, such as
//! the name of an engine, is escaped, or set as text by the script.

mod chart;

pub use chart::{Chart, Curve};
use serde::Serialize;
use std::fmt::Write as _;

const STYLE: &str = include_str!("page.css");
const BOARD: &str = include_str!("board.js");
/// The digit of each square, in the order of a diagram.
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// What one page has and others have not.
#[derive(Clone, Copy, Debug, Default)]
pub struct Own<'a> {
    /// Rules of style, after those of all pages.
    pub style: &'a str,
    /// The script that goes on where that of the board ends.
    pub script: &'a str,
}

/// A page with a board. Its script finds `data` as JSON; the `content` is HTML.
pub fn with_board(title: &str, content: &str, data: &impl Serialize, own: Own<'_>) -> String {
    let script = format!("<script>\n{BOARD}\n{}</script>\n", own.script);
    let body = body_with_data(content, data, &script);
    document(&escape(title), &body, &within(own.style))
}

/// The paths of two files beside a page, for servers that forbid scripts and styles within it.
#[derive(Clone, Copy, Debug)]
pub struct Beside<'a> {
    /// The style sheet: `page.css` and the page's own rules.
    pub style: &'a str,
    /// The script: `board.js` and the page's own.
    pub script: &'a str,
}

/// The same page, with its style and its script in files beside it.
pub fn with_board_beside(
    title: &str,
    content: &str,
    data: &impl Serialize,
    beside: Beside<'_>,
) -> String {
    let Beside { style, script } = beside;
    let body = body_with_data(content, data, &format!("<script src=\"{script}\"></script>\n"));
    document(&escape(title), &body, &format!("<link rel=\"stylesheet\" href=\"{style}\">"))
}

fn body_with_data(content: &str, data: &impl Serialize, script: &str) -> String {
    // A script element ends at the first `</`, even inside a string.
    let json = serde_json::to_string(data).unwrap_or_default().replace('<', "\\u003c");
    format!(
        "<main>{content}</main><footer>Written by Adoube {}.</footer>\n\
         <script type=\"application/json\" id=\"data\">{json}</script>\n{script}",
        env!("CARGO_PKG_VERSION"),
    )
}

/// The squares that a move changes: for each its digit and its new contents. Both boards are in the form
/// of [`Contest::squares`](crate::arena::game::contest::Contest::squares).
pub fn changes(before: &str, after: &str) -> String {
    let mut changes = String::new();
    for ((was, is), digit) in before.chars().zip(after.chars()).zip(DIGITS) {
        if was != is {
            changes.extend([char::from(*digit), is]);
        }
    }
    changes
}

/// Adds a section of HTML.
pub fn section(body: &mut String, name: &str, content: &str) {
    let _ = write!(body, "<section><h2>{name}</h2>\n{content}</section>\n");
}

/// A page with nothing but a title and some HTML.
pub fn page(title: &str, content: &str) -> String {
    let title = escape(title);
    document(
        &title,
        &format!("<main><header><h1>{title}</h1></header>\n{content}</main>\n"),
        &within(""),
    )
}

/// The style of all pages and a page's own, as an element.
fn within(style: &str) -> String {
    format!("<style>\n{STYLE}{style}</style>")
}

/// A whole document; title, body and the element with its style are HTML.
fn document(title: &str, body: &str, style: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n{style}\n</head>\n<body>\n{body}</body>\n</html>\n"
    )
}

/// A text escaped for HTML, attributes included.
pub fn escape(text: &str) -> String {
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
