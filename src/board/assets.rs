//! The files of the board's page, compiled into the program.

use crate::page::{compact, script};
use std::borrow::Cow;

#[derive(Clone, Copy, Debug)]
pub(super) struct Asset {
    pub path: &'static str,
    pub media_type: &'static str,
    pub text: &'static str,
}

impl Asset {
    /// Returns the contents to send. Comments and indentation are removed from scripts.
    pub(super) fn content(&self) -> Cow<'static, str> {
        match self.media_type {
            SCRIPT => compact(self.text).into(),
            _ => self.text.into(),
        }
    }
}

pub(super) const HTML: &str = "text/html; charset=utf-8";
pub(super) const SCRIPT: &str = "text/javascript; charset=utf-8";
pub(super) const STYLE: &str = "text/css; charset=utf-8";
pub(super) const PICTURE: &str = "image/svg+xml";

/// Styles shared by the pages of both servers.
pub(super) const FRAME: &str = include_str!("page/frame.css");
pub(super) const ICON: &str = include_str!("page/icon.svg");

/// The style sheets of the page in one file, which loads faster than separate files.
const STYLES: &str = concat!(
    include_str!("../page/base.css"),
    include_str!("../page/board.css"),
    include_str!("../page/clock.css"),
    include_str!("../page/graph.css"),
    include_str!("../page/moves.css"),
    include_str!("../page/play.css"),
    include_str!("page/app.css"),
    include_str!("page/frame.css"),
    include_str!("page/look.css"),
    include_str!("page/referee.css"),
    include_str!("page/study.css"),
);

pub(super) const ASSETS: [Asset; 34] = [
    Asset { path: "", media_type: HTML, text: include_str!("page/index.html") },
    Asset { path: "board.css", media_type: STYLE, text: STYLES },
    Asset { path: "dom.js", media_type: SCRIPT, text: script::DOM },
    Asset { path: "pieces.js", media_type: SCRIPT, text: script::PIECES },
    Asset { path: "board.js", media_type: SCRIPT, text: script::BOARD },
    Asset { path: "premove.js", media_type: SCRIPT, text: script::PREMOVE },
    Asset { path: "play.js", media_type: SCRIPT, text: script::PLAY },
    Asset { path: "graph.js", media_type: SCRIPT, text: script::GRAPH },
    Asset { path: "moves.js", media_type: SCRIPT, text: script::MOVES },
    Asset { path: "clock.js", media_type: SCRIPT, text: script::CLOCK },
    Asset { path: "main.js", media_type: SCRIPT, text: include_str!("page/main.js") },
    Asset { path: "clocks.js", media_type: SCRIPT, text: include_str!("page/clocks.js") },
    Asset { path: "engine.js", media_type: SCRIPT, text: include_str!("page/engine.js") },
    Asset { path: "french.js", media_type: SCRIPT, text: include_str!("page/french.js") },
    Asset { path: "lesson.js", media_type: SCRIPT, text: include_str!("page/lesson.js") },
    Asset { path: "library.js", media_type: SCRIPT, text: include_str!("page/library.js") },
    Asset { path: "look.js", media_type: SCRIPT, text: include_str!("page/look.js") },
    Asset { path: "material.js", media_type: SCRIPT, text: include_str!("page/material.js") },
    Asset { path: "panel.js", media_type: SCRIPT, text: include_str!("page/panel.js") },
    Asset { path: "picture.js", media_type: SCRIPT, text: include_str!("page/picture.js") },
    Asset { path: "played.js", media_type: SCRIPT, text: include_str!("page/played.js") },
    Asset { path: "practice.js", media_type: SCRIPT, text: include_str!("page/practice.js") },
    Asset { path: "tags.js", media_type: SCRIPT, text: include_str!("page/tags.js") },
    Asset { path: "texts.js", media_type: SCRIPT, text: include_str!("page/texts.js") },
    Asset { path: "tree.js", media_type: SCRIPT, text: include_str!("page/tree.js") },
    Asset { path: "setup.js", media_type: SCRIPT, text: include_str!("page/setup.js") },
    Asset { path: "start.js", media_type: SCRIPT, text: include_str!("page/start.js") },
    Asset { path: "story.js", media_type: SCRIPT, text: include_str!("page/story.js") },
    Asset { path: "referee.js", media_type: SCRIPT, text: include_str!("page/referee.js") },
    Asset { path: "replay.js", media_type: SCRIPT, text: include_str!("page/replay.js") },
    Asset { path: "sheet.js", media_type: SCRIPT, text: include_str!("page/sheet.js") },
    Asset { path: "speech.js", media_type: SCRIPT, text: include_str!("page/speech.js") },
    Asset { path: "sounds.js", media_type: SCRIPT, text: include_str!("page/sounds.js") },
    Asset { path: "icon.svg", media_type: PICTURE, text: ICON },
];

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::collections::HashSet;

    /// Asserts that the files are small and load nothing from other servers, and that the element
    /// ids of the page are unique. The page must be the first asset.
    pub(in crate::board) fn assert_self_contained(assets: &[Asset]) {
        // A page loads the French texts only if it is in French.
        let always = assets.iter().filter(|asset| asset.path != "texts.js");
        let size: usize = always.map(|asset| asset.content().len()).sum();
        assert!(size < 200_000, "{size} bytes");
        for Asset { path, text, .. } in assets {
            let own = text.replace("http://www.w3.org/2000/svg", "");
            for address in ["http:", "https:", "@import", "url(", "<script>", "style=", "innerHTML"]
            {
                assert!(!own.contains(address), "{path}: {address}");
            }
        }
        let ids = assets[0].text.split(" id=\"").skip(1);
        let mut seen = HashSet::new();
        let twice: Vec<&str> =
            ids.filter_map(|rest| rest.split('"').next()).filter(|&id| !seen.insert(id)).collect();
        assert!(seen.len() > 5 && twice.is_empty(), "{} ids, twice: {twice:?}", seen.len());
    }

    /// The start script must list the scripts of the page, so that it requests all of them at once.
    #[test]
    fn start_script_lists_the_scripts_of_the_page() {
        /// Scripts that are not listed: the first scripts, and scripts that are loaded only when
        /// they are needed.
        const OTHERS: [&str; 4] = ["start", "main", "texts", "picture"];
        let start = ASSETS.iter().find(|asset| asset.path == "start.js").map(|asset| asset.text);
        let (_, rest) = start.and_then(|text| text.split_once("FILES = `")).expect("a list");
        let mut listed: Vec<_> =
            rest.split('`').next().into_iter().flat_map(str::split_whitespace).collect();
        let scripts = ASSETS.iter().filter_map(|asset| asset.path.strip_suffix(".js"));
        let mut expected: Vec<_> = scripts.filter(|name| !OTHERS.contains(name)).collect();
        listed.sort_unstable();
        expected.sort_unstable();
        assert_eq!(listed, expected);
    }

    #[test]
    fn page_is_small_and_self_contained() {
        assert_self_contained(&ASSETS);
        assert!(ASSETS[0].text.matches(" id=").count() > 50);
    }
}
