//! Renders pages in Chromium and returns their elements after the script has run.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// Returns the name of the browser program: the value of `CHROMIUM`, or one of the usual names.
fn browser() -> String {
    let named = std::env::var("CHROMIUM").ok();
    let usual = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];
    let mut programs = named.into_iter().chain(usual.map(str::to_owned));
    let runs = |program: &String| {
        let mut version = Command::new(program);
        let tried = version.arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        tried.is_ok_and(|status| status.success())
    };
    programs.find(runs).expect("Chromium must be installed, or CHROMIUM must name its program")
}

/// Decodes the entities of a text node as dumped by the browser.
pub fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&nbsp;", "\u{a0}").replace("&amp;", "&")
}

/// Returns the elements of a page after its script has run.
pub fn rendered(page: &Path, anchor: &str) -> String {
    let profile = tempfile::tempdir().expect("a temporary directory");
    let output = Command::new(browser())
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--enable-logging=stderr",
            "--dump-dom",
        ])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("file://{}#{anchor}", page.display()))
        .output()
        .expect("the browser runs");
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(!log.contains("Uncaught") && !log.contains("CONSOLE:"), "{log}");
    let dom = String::from_utf8(output.stdout).expect("UTF-8");
    let root =
        dom.split_once("<html").and_then(|(_, rest)| rest.split('>').next()).unwrap_or_default();
    assert!(root.contains("data-ready") && !root.contains("data-error"), "{root}\n{log}");
    dom
}

pub fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    let (_, rest) = text.split_once(start).unwrap_or_else(|| panic!("no {start}"));
    rest.split_once(end).unwrap_or_else(|| panic!("no {end} after {start}")).0
}

/// Reads a page and checks that it does not refer to external files.
pub fn page(path: &Path) -> String {
    let page = fs::read_to_string(path).expect("a page");
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
    for address in ["http:", "https:", "<link", "@import", "url("] {
        let own = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!own.contains(address), "the page refers to {address}");
    }
    page
}
