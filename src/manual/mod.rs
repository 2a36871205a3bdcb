//! The manual: one Markdown file per chapter.
//!
//! `adoube manual` prints the chapters in a terminal. In rustdoc, each chapter is the documentation
//! of an empty module.

/// A chapter of the manual.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chapter {
    /// The argument of `adoube manual`, such as `uci`.
    pub name: &'static str,
    /// The subject, in a few words without a full stop.
    pub about: &'static str,
    /// The text in Markdown, beginning with a title.
    pub text: &'static str,
}

macro_rules! chapters {
    ($($name:ident: $about:literal;)*) => {
        /// All chapters, in reading order.
        pub const CHAPTERS: &[Chapter] = &[$(Chapter {
            name: stringify!($name),
            about: $about,
            text: include_str!(concat!(stringify!($name), ".md")),
        }),*];

        $(
            #[doc = concat!($about, ".\n")]
            #[doc = include_str!(concat!(stringify!($name), ".md"))]
            pub mod $name {}
        )*
    };
}

chapters! {
    commands: "Every command, with an example";
    board: "Play and analyse games in the browser, and rule on them";
    uci: "Chess in a graphical interface, and the UCI options";
    draughts: "Draughts in a graphical interface, and the Hub parameters";
    dxp: "Draughts against another program over the network";
    matches: "Matches and tournaments between engines";
    club: "A tournament for your club, step by step";
    generators: "Debug your move generator";
    machines: "Share work between several machines";
    referee: "Rulings on what happens at a board, and the laws behind them";
    analyse: "Analyse your games and make puzzles from them";
    notations: "Games in other notations and formats, and score sheets";
    endings: "Syzygy tables and opening books for chess";
    bitbases: "Endgame bitbases for draughts";
    python: "Use the program from Python, and a bot on lichess";
    building: "Build the program for other machines";
    measuring: "Measure legality, speed and strength; results";
    source: "Where things are in the source";
}

/// Compiles the Rust example of the chapter `building` as a documentation test.
#[cfg(doctest)]
#[doc = include_str!("building.md")]
struct RustExample;

#[cfg(test)]
mod tests {
    use super::CHAPTERS;
    use std::collections::BTreeSet;
    use std::fs;

    #[test]
    fn every_file_is_a_chapter() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/manual");
        let files = fs::read_dir(folder).expect("the folder is there");
        let names = files.map(|file| file.expect("an entry").path());
        let names =
            names.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
        let files: BTreeSet<String> =
            names.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())).collect();
        let chapters = CHAPTERS.iter().map(|chapter| chapter.name.to_owned());
        assert_eq!(chapters.collect::<BTreeSet<_>>(), files);
    }

    #[test]
    fn chapters_begin_with_a_title_and_label_their_code_blocks() {
        for chapter in CHAPTERS {
            assert!(chapter.text.starts_with("# "), "{}", chapter.name);
            let mut fences =
                chapter.text.lines().filter_map(|line| line.trim().strip_prefix("```"));
            while let Some(opens) = fences.next() {
                assert!(
                    matches!(opens, "sh" | "text" | "toml" | "python" | "rust"),
                    "{}: {opens}",
                    chapter.name
                );
                assert_eq!(fences.next(), Some(""), "{}", chapter.name);
            }
        }
    }
}
