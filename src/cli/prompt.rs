//! Line input at a terminal, with editing, completion and history.

use anyhow::Context as _;
use etcetera::BaseStrategy;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};
use std::path::PathBuf;

pub(super) trait Complete {
    /// Returns the byte offset of the last word in the line, and the word's possible completions.
    fn continuations(&self, line: &str) -> (usize, Vec<String>);
}

impl Complete for () {
    fn continuations(&self, line: &str) -> (usize, Vec<String>) {
        (line.len(), Vec::new())
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Typed {
    Line(String),
    Interrupt,
    /// The end of input: Ctrl-D, or the terminal was closed.
    End,
}

/// A line editor. Standard input and output must be a terminal.
pub(super) struct Prompt<C: Complete> {
    editor: Editor<Completing<C>, FileHistory>,
    /// The history file, or `None` if the user has no state folder or the file is not writable.
    history: Option<PathBuf>,
}

impl<C: Complete> Prompt<C> {
    /// Creates a prompt. If possible, typed lines are saved in the file `history` in the user's
    /// state folder.
    pub(super) fn new(history: &str, completes: C) -> anyhow::Result<Self> {
        let config = Config::builder().completion_type(CompletionType::List).build();
        let mut editor = Editor::with_config(config).context("cannot use the terminal")?;
        editor.set_helper(Some(Completing(completes)));
        let history = folder().map(|folder| folder.join(history));
        // The first session has no history yet.
        let _ = history.as_ref().map(|path| editor.load_history(path));
        Ok(Self { editor, history })
    }

    pub(super) fn completes(&mut self, completes: C) {
        self.editor.set_helper(Some(Completing(completes)));
    }

    /// Reads the next line. Returns `None` at the end of input (Ctrl-D). Ctrl-C clears the line.
    pub(super) fn line(&mut self, prompt: &str) -> anyhow::Result<Option<String>> {
        loop {
            match self.read_line(prompt)? {
                Typed::Line(line) => return Ok(Some(line)),
                Typed::Interrupt => {}
                Typed::End => return Ok(None),
            }
        }
    }

    pub(super) fn read_line(&mut self, prompt: &str) -> anyhow::Result<Typed> {
        match self.editor.readline(prompt) {
            Ok(line) => {
                self.save(line.trim());
                Ok(Typed::Line(line))
            }
            Err(ReadlineError::Interrupted) => Ok(Typed::Interrupt),
            Err(ReadlineError::Eof) => Ok(Typed::End),
            Err(error) => Err(error).context("cannot read from the terminal"),
        }
    }

    /// Adds a line to the history and saves it immediately, so that it is not lost if the program
    /// is killed.
    fn save(&mut self, line: &str) {
        if !self.editor.add_history_entry(line).unwrap_or(false) {
            return;
        }
        let Some(path) = &self.history else { return };
        let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        let saved =
            made.map_err(ReadlineError::from).and_then(|()| self.editor.append_history(path));
        if let Err(error) = saved {
            tracing::warn!("{}: cannot save the line history: {error}", path.display());
            self.history = None;
        }
    }
}

fn folder() -> Option<PathBuf> {
    let user = etcetera::choose_base_strategy().ok()?;
    // Windows has no state folder.
    Some(user.state_dir().unwrap_or_else(|| user.data_dir()).join("adoube"))
}

struct Completing<C>(C);

impl<C: Complete> Completer for Completing<C> {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let (from, mut found) = self.0.continuations(line.get(..at).unwrap_or(line));
        // A single candidate completes the word, so append a space.
        if let [one] = &mut found[..] {
            one.push(' ');
        }
        Ok((from, found))
    }
}

impl<C> Hinter for Completing<C> {
    type Hint = String;
}

impl<C> Highlighter for Completing<C> {}

impl<C> Validator for Completing<C> {}

impl<C: Complete> Helper for Completing<C> {}
