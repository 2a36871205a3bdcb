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
        // The text of the tag is valid as long as the result is the one that was read with it.
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
    text: String,
    /// The width of the last line of `text`.
    width: usize,
    /// The pending word, to which more text can be appended.
    word: String,
    /// True if the next word is appended to the pending word without a space.
    glue: bool,
}

impl Lines {
    fn word(&mut self, word: &str) {
        if !std::mem::take(&mut self.glue) {
            self.place();
        }
        self.word.push_str(word);
    }

    fn open(&mut self, bracket: &str) {
        self.word(bracket);
        self.glue = true;
    }

    fn close(&mut self, bracket: &str) {
        self.glue = true;
        self.word(bracket);
    }

    fn place(&mut self) {
        if self.word.is_empty() {
            return;
        }
        let width = self.word.chars().count();
        if self.width > 0 && self.width + 1 + width > WIDTH {
            self.text.push('\n');
            self.width = 0;
        } else if self.width > 0 {
            self.text.push(' ');
            self.width += 1;
        }
        self.text.push_str(&self.word);
        self.width += width;
        self.word.clear();
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
            self.text.push_str(&format!("{space}; {comment}\n"));
            self.width = 0;
            return;
        }
        self.open("{");
        for word in comment.split(' ') {
            if (word.starts_with('%') || word == "[Event") && !self.glue {
                // Prevent a line break before the word. At the start of a line, `%` would hide the
                // line (section 6), and `[Event` would begin a game.
                self.word.push(' ');
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
        let mut position = start.clone();
        // A Black move is numbered at the start of a line and, with `NUMBERED_AGAIN`, after a
        // comment or variation.
        let mut numbered = true;
        for node in &line.moves {
            numbered |= self.comments(&node.before) && P::NUMBERED_AGAIN;
            match position.side() {
                Side::White => self.word(&format!("{number}.")),
                Side::Black if numbered => self.word(&format!("{number}...")),
                Side::Black => {}
            }
            self.word(&position.write_move(node.m, MoveForm::Record));
            node.nags.iter().for_each(|nag| self.word(&format!("${nag}")));
            numbered = self.comments(&node.comments) && P::NUMBERED_AGAIN;
            for variation in &node.variations {
                self.open("(");
                self.line(variation, &position, number);
                self.close(")");
                numbered = P::NUMBERED_AGAIN;
            }
            number += u32::from(position.side() == Side::Black);
            position = position.after(node.m);
        }
        self.comments(&line.closing);
    }
}
