//! The files of the page, which are part of the program.

/// A file of the page.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asset {
    /// Its path below the token; empty for the page itself.
    pub path: &'static str,
    /// What it is.
    pub media_type: &'static str,
    /// What is in it.
    pub text: &'static str,
}

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const PICTURE: &str = "image/svg+xml";

/// All of them.
pub(super) const ASSETS: [Asset; 8] = [
    Asset { path: "", media_type: HTML, text: include_str!("page/index.html") },
    Asset { path: "board.css", media_type: STYLE, text: include_str!("page/board.css") },
    Asset { path: "main.js", media_type: SCRIPT, text: include_str!("page/main.js") },
    Asset { path: "board.js", media_type: SCRIPT, text: include_str!("page/board.js") },
    Asset { path: "pieces.js", media_type: SCRIPT, text: include_str!("page/pieces.js") },
    Asset { path: "panel.js", media_type: SCRIPT, text: include_str!("page/panel.js") },
    Asset { path: "dom.js", media_type: SCRIPT, text: include_str!("page/dom.js") },
    Asset { path: "icon.svg", media_type: PICTURE, text: include_str!("page/icon.svg") },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_light_and_asks_for_nothing_from_elsewhere() {
        let size: usize = ASSETS.iter().map(|asset| asset.text.len()).sum();
        assert!(size < 200_000, "{size} bytes");
        for Asset { path, text, .. } in ASSETS {
            let own = text.replace("http://www.w3.org/2000/svg", "");
            for address in ["http:", "https:", "@import", "url(", "<script>", "style=", "innerHTML"]
            {
                assert!(!own.contains(address), "{path}: {address}");
            }
        }
    }
}
