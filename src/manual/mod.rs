//! The manual of the program, a chapter to a file.
//!
//! `adoube manual` prints the chapters at a terminal; here each is the page of an empty module.

/// A chapter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chapter {
    /// The word that asks for it, as in `adoube manual uci`.
    pub name: &'static str,
    /// Its subject, in a few words without a full stop.
    pub about: &'static str,
    /// Its text in Markdown, which begins with a title.
    pub text: &'static str,
}

macro_rules! chapters {
    ($($name:ident: $about:literal;)*) => {
        /// Every chapter, in the order in which a reader wants them.
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
    commands: "All commands, with what each does";
    board: "Play and analyse in the browser";
    uci: "Chess in a graphical interface, and the options";
    draughts: "Draughts in a graphical interface, and the parameters";
    dxp: "Draughts against another program over a connection";
    matches: "Matches and tournaments between engines";
    club: "A tournament for your club";
    generators: "Debug your move generator";
    machines: "Work shared out over several machines";
    referee: "What the laws say about what happens at a board";
    analyse: "Analyse your games";
    notations: "Games in other notations and formats, and score sheets";
    endings: "Endings and books";
    bitbases: "Endgame bitbases of draughts";
    building: "Binaries for other machines";
    measuring: "Legality, speed and strength: how to measure them, and figures";
    source: "Where things are in the source";
}

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
    fn a_chapter_has_one_title_and_names_the_language_of_its_blocks() {
        for chapter in CHAPTERS {
            assert!(chapter.text.starts_with("# "), "{}", chapter.name);
            let mut fences =
                chapter.text.lines().filter_map(|line| line.trim().strip_prefix("```"));
            while let Some(opens) = fences.next() {
                assert!(
                    matches!(opens, "sh" | "text" | "toml" | "python"),
                    "{}: {opens}",
                    chapter.name
                );
                assert_eq!(fences.next(), Some(""), "{}", chapter.name);
            }
        }
    }
}
