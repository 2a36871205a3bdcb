//! Storage for analysis results, so that an interrupted analysis can be resumed without searching a
//! game twice. Games are identified by their start position and moves.

use super::{Analysed, Seen, Story};
use crate::base::game::MoveForm;
use crate::base::journal::{Damage, Journal, JournalError};
use crate::record::games::Record;
use crate::search::score::Score;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::io;
use std::path::Path;

/// The settings that affect the results. A journal can be used only with the settings stored in it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct AnalysisSettings {
    /// The name and version of the program.
    pub program: String,
    pub limits: String,
    pub hash: usize,
    /// The CRC-32 of the book file, or `None` if there is no book file.
    pub book: Option<u32>,
    pub puzzles: bool,
    /// The number of lines of each position, or `None` for one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub multipv: Option<usize>,
    /// The description of the other engine, or `None` for Adoube's own search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// The folders with Syzygy tables, or `None` if there are no tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub syzygy: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Entry {
    /// The CRC-32 of the start position and moves.
    game: u32,
    /// The number of plies, for detecting checksum collisions.
    plies: usize,
    book: usize,
    puzzles: Vec<usize>,
    /// The score and best line of each position.
    seen: Vec<ScoredLine>,
    /// The next-best lines of each position; empty if the analysis has one line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    others: Vec<Vec<ScoredLine>>,
}

/// A score, and a line as moves in UCI or Hub notation.
type ScoredLine = (i32, String);

#[derive(Debug)]
pub(crate) struct AnalysisJournal {
    file: Journal<Entry>,
    entries: HashMap<u32, Entry>,
    damage: Damage,
}

impl AnalysisJournal {
    /// Opens a journal, or creates the file. Fails if the file is not a journal with these settings
    /// or is in use.
    pub(crate) fn open(path: &Path, settings: &AnalysisSettings) -> Result<Self, JournalError> {
        let mut entries = HashMap::new();
        let (file, damage) = Journal::open(path, settings, |entry: Entry| {
            entries.insert(entry.game, entry);
        })?;
        Ok(Self { file, entries, damage })
    }

    /// Returns the damaged entries. Their games are analysed again.
    pub(crate) const fn damage(&self) -> &Damage {
        &self.damage
    }

    /// Returns the stored analysis of a game, if there is one.
    pub(crate) fn story<G: Analysed>(&self, game: &Record<G>) -> Option<Story<G::Move>> {
        let entry = self.entries.get(&identity(game))?;
        let positions = game.positions();
        let is_whole = entry.plies + 1 == positions.len() && entry.seen.len() == positions.len();
        let seen = |(ply, position): (usize, &G)| {
            let (score, line) = read_line(position, entry.seen.get(ply)?)?;
            let others = entry.others.get(ply).into_iter().flatten();
            let others = others.map(|line| read_line(position, line)).collect::<Option<_>>()?;
            Some(Seen { score, line, others, is_forced: position.moves().len() < 2 })
        };
        let seen: Option<Vec<_>> = positions.iter().enumerate().map(seen).collect();
        let story = Story { seen: seen?, book: entry.book, puzzles: entry.puzzles.clone() };
        is_whole.then_some(story)
    }

    pub(crate) fn add<G: Analysed>(
        &mut self,
        game: &Record<G>,
        story: &Story<G::Move>,
    ) -> io::Result<()> {
        let positions = game.positions();
        let write = |position: &G, score: Score, line: &[G::Move]| {
            let line = position.write_line(line.iter().copied(), MoveForm::Program);
            (score.0, line.join(" "))
        };
        let seen = positions.iter().zip(&story.seen);
        let others = seen.clone().map(|(position, seen)| {
            seen.others.iter().map(|(score, line)| write(position, *score, line)).collect()
        });
        let mut others: Vec<Vec<_>> = others.collect();
        if others.iter().all(Vec::is_empty) {
            others.clear();
        }
        let entry = Entry {
            game: identity(game),
            plies: game.moves().count(),
            book: story.book,
            puzzles: story.puzzles.clone(),
            seen: seen.map(|(position, seen)| write(position, seen.score, &seen.line)).collect(),
            others,
        };
        self.file.add(&entry)
    }
}

fn read_line<G: Analysed>(
    position: &G,
    (score, line): &ScoredLine,
) -> Option<(Score, Vec<G::Move>)> {
    let mut end = position.clone();
    let moves = line.split_whitespace().map(|text| {
        let m = end.read_move(text, MoveForm::Program).ok()?;
        end = end.after(m);
        Some(m)
    });
    Some((Score(*score), moves.collect::<Option<_>>()?))
}

/// Returns the checksum that identifies a game.
fn identity<G: Analysed>(game: &Record<G>) -> u32 {
    let mut words = vec![game.start().to_fen()];
    words.extend(game.start().write_line(game.moves(), MoveForm::Program));
    crc32fast::hash(words.join(" ").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::super::Analyst;
    use super::*;
    use crate::record::games::Reader;
    use crate::search::limits::Limits;

    const SETTINGS: &str =
        r#"{"program":"Adoube","limits":"2000 nodes","hash":1,"book":null,"puzzles":true}"#;

    fn stores_the_story<G: Analysed>(text: &str) {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let path = dir.path().join("journal");
        let settings: AnalysisSettings = serde_json::from_str(SETTINGS).expect("settings");
        let game = Reader::<G, _>::new(text.as_bytes()).next().expect("one").expect("a game");
        let mut analyst =
            Analyst::<G>::new(1, Limits::nodes(2000), Default::default()).expect("memory");
        analyst = analyst.with_lines(2);
        let is_book_move = Box::new(|_: &G, _| true) as _;
        let mut story = analyst.story(&game, &is_book_move, &|| {}).expect("a story");
        story.puzzles.push(1);
        assert!(story.seen.iter().any(|seen| !seen.others.is_empty()), "{story:?}");
        let mut journal = AnalysisJournal::open(&path, &settings).expect("a new file");
        assert_eq!(journal.story(&game), None);
        journal.add(&game, &story).expect("written");
        let whole = std::fs::read(&path).expect("a file");
        // Append a partial line, as a killed run may leave behind.
        let half = &whole[whole.len() / 2..whole.len() - 9];
        std::fs::write(&path, [&whole, half].concat()).expect("written");
        drop(journal);
        let mut journal = AnalysisJournal::open(&path, &settings).expect("a journal");
        assert_eq!((journal.entries.len(), journal.story(&game)), (1, Some(story)));
        assert_eq!(std::fs::read(&path).expect("a file"), whole);
        let other = Record::<G>::new();
        assert_eq!((journal.story(&other), journal.damage().torn), (None, true));
        journal.add(&other, &Story { seen: vec![], book: 0, puzzles: vec![] }).expect("written");
        drop(journal);
        let others = AnalysisSettings { hash: 2, ..settings };
        let error = AnalysisJournal::open(&path, &others).expect_err("other settings").to_string();
        assert!(error.contains("\"hash\":1") && error.contains("\"hash\":2"), "{error}");
    }

    #[test]
    fn stores_stories_and_truncates_a_partial_line() {
        stores_the_story::<crate::chess::Position>("1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0");
        stores_the_story::<crate::draughts::Position>(
            "[GameType \"20\"]\n\n1. 32-28 19-23 2. 28x19 14x23 *",
        );
    }

    /// The lines in journals written by version 0.1.0 have no checksums.
    #[test]
    fn resumes_journals_of_older_versions() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let path = dir.path().join("journal");
        let entry = "{\"game\":929321374,\"plies\":3,\"book\":0,\"puzzles\":[],\"seen\":[[18,\"d2d4 g8f6 g1f3 \
                     b8c6\"],[-25,\"e7e5 g1f3 b8c6 a2a3 g8f6\"],[27,\"g1f3 g8f6 f3e5 f6e4\"],[13,\"g8f6 d2d3 \
                     f8b4 e1f1\"]]}";
        std::fs::write(&path, format!("{SETTINGS}\n{entry}\n{{\"game\":92")).expect("written");
        let settings: AnalysisSettings = serde_json::from_str(SETTINGS).expect("settings");
        let journal = AnalysisJournal::open(&path, &settings).expect("a journal");
        let text = "1. e4 e5 2. Bc4 *";
        let mut games = Reader::<crate::chess::Position, _>::new(text.as_bytes());
        let game = games.next().expect("one").expect("a game");
        let story = journal.story(&game).expect("a story");
        assert_eq!(
            story.seen.iter().map(|seen| seen.score.0).collect::<Vec<_>>(),
            [18, -25, 27, 13]
        );
    }

    #[test]
    fn rejects_other_files_unchanged() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), "1. e4 e5 *\n").expect("written");
        let settings: AnalysisSettings = serde_json::from_str(SETTINGS).expect("settings");
        let error = AnalysisJournal::open(file.path(), &settings).expect_err("no journal");
        assert!(matches!(error, JournalError::Foreign));
        assert_eq!(std::fs::read_to_string(file.path()).expect("a file"), "1. e4 e5 *\n");
    }
}
