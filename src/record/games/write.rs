//! Writes the export format (*PGN Standard* section 3.2): tags in order, and lines of moves shorter
//! than 80 characters.

use super::{Line, ROSTER, Record, Recorded, tidy};
use crate::base::game::MoveForm;
use crate::base::side::Side;
use std::{fmt, io};

/// The maximum width of a line of moves, in characters (*PGN Standard* section 8.2.1).
const WIDTH: usize = 79;

impl<P: Recorded> Record<P> {
    /// Writes the game in export format, followed by an empty line.
    ///
    /// # Errors
    /// Fails if writing to `out` fails.
    pub fn write_to(&self, out: &mut impl io::Write) -> io::Result<()> {
        out.write_all(self.to_string().as_bytes())
    }

    fn write_tags(&self, f: &mut fmt::Formatter<'_>, result: &str) -> fmt::Result {
        for (name, unknown) in ROSTER {
            let value = if name == "Result" { Some(result) } else { self.tag(name) };
            write_tag(f, name, value.unwrap_or(unknown))?;
        }
        let fen = self.start.fen_tag();
        let mut others: Vec<_> = self
            .tags()
            .filter(|(name, _)| ROSTER.iter().all(|(roster, _)| roster != name))
            .collect();
        others.extend(P::OWN_TAG.map(|name| (name, self.start.own_tag())));
        if !self.start.is_usual_start() {
            others.extend([("SetUp", "1"), ("FEN", fen.as_str())]);
        }
        others.sort_unstable();
        others.into_iter().try_for_each(|(name, value)| write_tag(f, name, value))
    }
}

fn write_tag(f: &mut fmt::Formatter<'_>, name: &str, value: &str) -> fmt::Result {
    writeln!(f, "[{name} \"{}\"]", value.replace('\\', r"\\").replace('"', r#"\""#))
}

impl<P: Recorded> fmt::Display for Record<P> {
    /// Writes the game in export format, followed by an empty line; `{:#}` uses the alternate form
    /// of the result.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { result, start, .. } = self;
        let result = if f.alternate() { format!("{result:#}") } else { result.to_string() };
        // Write the original text of the tag only if the result has not changed since it was read.
        let free = self.free_result.as_ref().filter(|(_, read)| *read == self.result);
        self.write_tags(f, free.map_or(&result, |(text, _)| text))?;
        let mut text = Lines::default();
        text.line(&self.line, start, start.first_number());
        text.word(&result);
        write!(f, "\n{}\n\n", text.finish())
    }
}

#[derive(Default)]
struct Lines {
    /// The text. It ends with the pending word, to which more text can be appended.
    text: String,
    /// The width of the last line of `text`, without the pending word.
    width: usize,
    /// The start of the pending word in `text`. A space precedes the word unless `width` is 0.
    word: usize,
    /// True if the next word is appended to the pending word without a space.
    glue: bool,
}

impl Lines {
    fn word(&mut self, word: &str) {
        self.begin_word();
        self.text.push_str(word);
    }

    /// Begins a word, which the caller then appends to the text.
    fn begin_word(&mut self) {
        if std::mem::take(&mut self.glue) {
            return;
        }
        self.place();
        if self.width > 0 {
            self.text.push(' ');
        }
        self.word = self.text.len();
    }

    fn open(&mut self, bracket: &str) {
        self.word(bracket);
        self.glue = true;
    }

    fn close(&mut self, bracket: &str) {
        self.glue = true;
        self.word(bracket);
    }

    /// Ends the pending word, and moves it to a new line if the line would be too long.
    fn place(&mut self) {
        let word = self.text.get(self.word..).unwrap_or_default();
        if word.is_empty() {
            return;
        }
        let width = if word.is_ascii() { word.len() } else { word.chars().count() };
        if self.width > 0 && self.width + 1 + width > WIDTH {
            self.text.replace_range(self.word - 1..self.word, "\n");
            self.width = width;
        } else {
            self.width += usize::from(self.width > 0) + width;
        }
        self.word = self.text.len();
    }

    fn finish(mut self) -> String {
        self.place();
        self.text
    }

    /// Writes a comment in braces, or after a semicolon if the comment contains a closing brace.
    fn comment(&mut self, comment: &str) {
        let Some(comment) = tidy(comment) else { return };
        if comment.contains('}') {
            self.glue = false;
            self.place();
            let space = if self.width > 0 { " " } else { "" };
            self.text.extend([space, "; ", &comment, "\n"]);
            self.word = self.text.len();
            self.width = 0;
            return;
        }
        self.open("{");
        for word in comment.split_ascii_whitespace() {
            if (word.starts_with('%') || word == "[Event") && !self.glue {
                // Prevent a line break before the word. At the start of a line, `%` would hide the
                // line (section 6), and `[Event` would begin a game.
                self.text.push(' ');
                self.glue = true;
            }
            self.word(word);
        }
        self.close("}");
    }

    fn comments(&mut self, comments: &[String]) -> bool {
        comments.iter().for_each(|comment| self.comment(comment));
        !comments.is_empty()
    }

    fn line<P: Recorded>(&mut self, line: &Line<P::Move>, start: &P, mut number: u32) {
        let (mut before, mut position) = (start.clone(), start.clone());
        // A Black move is numbered at the start of a line and, with `NUMBERED_AGAIN`, after a
        // comment or variation.
        let mut numbered = true;
        for node in &line.moves {
            numbered |= self.comments(&node.before) && P::NUMBERED_AGAIN;
            let side = position.side();
            if side == Side::White || numbered {
                self.word(&number.to_string());
                self.text.push_str(if side == Side::White { "." } else { "..." });
            }
            self.begin_word();
            position.push_move(node.m, MoveForm::Record, &mut self.text);
            for nag in &node.nags {
                self.word("$");
                self.text.push_str(&nag.to_string());
            }
            numbered = self.comments(&node.comments) && P::NUMBERED_AGAIN;
            for variation in &node.variations {
                self.open("(");
                self.line(variation, &position, number);
                self.close(")");
                numbered = P::NUMBERED_AGAIN;
            }
            number += u32::from(side == Side::Black);
            before.clone_from(&position);
            before.play_in(node.m, &mut position);
        }
        self.comments(&line.closing);
    }
}
