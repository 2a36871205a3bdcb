//! A streaming reader of score sheets. Each sheet of a source can have its own notation.

use super::remarks::Remarks;
use super::{Entry, Notate, Sheet, result, time, words};
use crate::base::cursor::excerpt;
use crate::base::side::Side;
use crate::base::text::{is_dash, without_mark};
use crate::record::decode;
use crate::record::games::Recorded;
use std::io::{self, BufRead};
use std::marker::PhantomData;

#[derive(Debug, thiserror::Error)]
#[error("{}{problem}", place(*line))]
pub struct SheetError {
    /// The line number, counted from 1; 0 for the sheet as a whole.
    pub line: u64,
    pub problem: SheetProblem,
}

impl SheetError {
    pub(super) const fn new(line: u64, problem: SheetProblem) -> Self {
        Self { line, problem }
    }
}

fn place(line: u64) -> String {
    if line == 0 { String::new() } else { format!("line {line}: ") }
}

#[derive(Debug, thiserror::Error)]
pub enum SheetProblem {
    /// A failure to read the source. The [`Reader`] then returns no more sheets.
    #[error("reading failed: {0}")]
    Io(#[from] io::Error),
    #[error("{0}")]
    Notation(String),
    #[error("{0}")]
    Start(String),
    #[error("'{0}' is not 'Name: value', a row of numbered moves, or a result")]
    Line(String),
    #[error("'{0}' cannot be split into one or two moves: separate them by two spaces, a tab or |")]
    Row(String),
    #[error("'{0}' is not a valid move number")]
    Number(String),
    #[error("{0}")]
    Move(String),
    #[error("{side}'s move {number} is missing")]
    Blank { number: u32, side: Side },
    #[error("{side}'s move {number} is given where {} is to move", !*side)]
    Turn { number: u32, side: Side },
    #[error("'{0}' is not a result")]
    Result(String),
}

/// An iterator over the sheets of a source. After an error it continues with the next sheet.
#[derive(Debug)]
pub struct Reader<P, N, R> {
    input: R,
    /// The notation of sheets without a line `Notation: ...`.
    notation: N,
    line: u64,
    /// A line that has been read but belongs to the next sheet.
    ahead: Option<String>,
    /// A failure to read the input after the rows of a sheet.
    failure: Option<SheetError>,
    finished: bool,
    game: PhantomData<fn() -> P>,
}

impl<P: Recorded, N: Notate<P>, R: BufRead> Reader<P, N, R> {
    pub const fn new(input: R, notation: N) -> Self {
        let (ahead, failure) = (None, None);
        Self { input, notation, line: 0, ahead, failure, finished: false, game: PhantomData }
    }

    fn next_line(&mut self) -> io::Result<Option<String>> {
        if let Some(line) = self.ahead.take() {
            return Ok(Some(line));
        }
        let mut bytes = Vec::new();
        if self.input.read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        self.line += 1;
        Ok(Some(without_mark(&decode(bytes)).trim().to_owned()))
    }

    fn sheet(&mut self) -> Result<Option<Sheet<N>>, SheetError> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        let mut sheet = Sheet {
            heads: Vec::new(),
            notation: self.notation,
            entries: Vec::new(),
            result: String::new(),
        };
        let mut any = false;
        let mut failed = None;
        // The value of a line `Result: ...`, used if the moves end without a result or with `*`.
        let mut headed = String::new();
        loop {
            let next = self.next_line();
            let fail = |problem| SheetError { line: self.line, problem };
            let line = match next {
                Ok(Some(line)) => line,
                Ok(None) => break,
                Err(error) => {
                    self.failure = Some(fail(error.into()));
                    break;
                }
            };
            if line.is_empty() {
                continue;
            }
            let head = head(&line);
            let has_begun = !sheet.entries.is_empty() || failed.is_some();
            if let Some(("Result", value)) = head
                && (has_begun || is_result::<P>(value))
            {
                any = true;
                if !is_blank(value) {
                    headed = value.to_owned();
                }
                if has_begun {
                    break;
                }
                continue;
            }
            if head.is_some() && has_begun {
                self.ahead = Some(line);
                break;
            }
            any = true;
            if let Some((name, value)) = head {
                if name == "Notation" {
                    match value.parse() {
                        Ok(notation) => sheet.notation = notation,
                        Err(error) => {
                            failed =
                                failed.or(Some(fail(SheetProblem::Notation(format!("{error}")))));
                        }
                    }
                } else if !name.is_empty() {
                    sheet.heads.push((name.to_owned(), value.to_owned()));
                }
                continue;
            }
            let end = is_result::<P>(&line);
            if end {
                sheet.result = line;
                self.result_head(&mut headed);
                break;
            }
            if failed.is_none() {
                failed = row::<P, N>(&line, self.line, &mut sheet).map_err(fail).err();
            }
            if !sheet.result.is_empty() || ends_with_result::<P>(&line) {
                self.result_head(&mut headed);
                break;
            }
        }
        if matches!(sheet.result.as_str(), "" | "*") && !headed.is_empty() {
            sheet.result = headed;
        }
        match failed.or_else(|| if any { None } else { self.failure.take() }) {
            Some(error) => Err(error),
            None => Ok(any.then_some(sheet)),
        }
    }

    /// Consumes a line `Result: ...` that follows the result of a sheet.
    fn result_head(&mut self, headed: &mut String) {
        loop {
            match self.next_line() {
                Ok(Some(line)) if line.is_empty() => continue,
                Ok(Some(line)) => match head(&line) {
                    Some(("Result", value)) if is_blank(value) => {}
                    Some(("Result", value)) => *headed = value.to_owned(),
                    _ => self.ahead = Some(line),
                },
                Ok(None) => {}
                Err(error) => {
                    self.failure = Some(SheetError { line: self.line, problem: error.into() });
                }
            }
            return;
        }
    }
}

impl<P: Recorded, N: Notate<P>, R: BufRead> Iterator for Reader<P, N, R> {
    type Item = Result<Sheet<N>, SheetError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.finished {
            return None;
        }
        let sheet = self.sheet();
        self.finished =
            matches!(sheet, Ok(None) | Err(SheetError { problem: SheetProblem::Io(_), .. }));
        sheet.transpose()
    }
}

/// Parses a line `Name: value`. The names of the mandatory tags can be in several languages and are
/// returned in English.
pub(in crate::record) fn head(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once(':')?;
    let plain = |c: char| c.is_ascii_alphanumeric() || "_+#=- ".contains(c);
    let named = name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(plain);
    let tag = words::tag(name);
    let is_head = (named || tag.is_some()) && (value.is_empty() || value.starts_with([' ', '\t']));
    is_head.then_some((tag.unwrap_or(name), value.trim()))
}

/// Returns whether a text is a result in the game `P`. "0-0" is a result in draughts, but castling
/// in chess.
fn is_result<P: Recorded>(text: &str) -> bool {
    result::<P>(text).is_some()
}

/// Returns whether the last word or the last two words of a line, such as `partie nulle`, are a
/// result other than `*`.
fn ends_with_result<P: Recorded>(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let ends = |count: usize| Some(words[words.len().checked_sub(count)?..].join(" "));
    [1, 2].into_iter().filter_map(ends).any(|end| end != "*" && is_result::<P>(&end))
}

/// Parses the move number at the start of a line, like [`number`]. The dot may be missing, as in
/// `12 e4 e5`.
fn first_number(line: &str) -> Option<(&str, bool, &str)> {
    number(line).or_else(|| {
        let (digits, rest) = line.split_once(char::is_whitespace)?;
        let rest = rest.trim_start();
        let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
        (is_number && rest.starts_with(char::is_alphanumeric)).then_some((digits, false, rest))
    })
}

/// Parses `12.` or `12...` at the start of a text. Returns the number, whether Black's move
/// follows, and the rest.
fn number(text: &str) -> Option<(&str, bool, &str)> {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = text.strip_suffix(rest).unwrap_or_default();
    let points = rest.trim_start().trim_start_matches('.');
    let count = rest.trim_start().len() - points.len();
    (!digits.is_empty() && count > 0).then_some((digits, count > 1, points.trim_start()))
}

/// Reads the moves of a line that contains one or more consecutive rows.
fn row<P: Recorded, N: Notate<P>>(
    line: &str,
    at: u64,
    sheet: &mut Sheet<N>,
) -> Result<(), SheetProblem> {
    let Some((mut digits, mut black, mut rest)) = first_number(line) else {
        return Err(SheetProblem::Line(excerpt(line)));
    };
    loop {
        let (cells, next) = rest.split_at(next_number(rest));
        let number = digits.parse::<u32>().map_err(|_| SheetProblem::Number(excerpt(digits)))?;
        moves::<P, N>(cells.trim(), (at, number, black), sheet)?;
        let Some(after) = self::number(next) else { return Ok(()) };
        (digits, black, rest) = after;
    }
}

/// Returns the byte offset of the next row number within a line, or the length of the line.
fn next_number(text: &str) -> usize {
    let mut at = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        let after = word.trim_start_matches(|c: char| c.is_ascii_digit());
        if at > 0 && after.len() < word.len() && after.starts_with('.') {
            break;
        }
        at += word.len();
    }
    at
}

/// Adds the entries of a row. `text` is the row without its number.
fn moves<P: Recorded, N: Notate<P>>(
    text: &str,
    (line, number, black): (u64, u32, bool),
    sheet: &mut Sheet<N>,
) -> Result<(), SheetProblem> {
    let mut side = Side::from_white(!black);
    let mut text = text;
    if let Some(rest) = text.strip_prefix("...") {
        side = Side::Black;
        text = rest.trim_start_matches([' ', '\t', '|']);
    }
    let columns = columns(text);
    let is_move_column = |column: &&&str| !is_result::<P>(column) && time(column).is_none();
    let are_cells_apart = columns.iter().filter(is_move_column).count() > 1;
    let mut cells = Vec::new();
    for column in columns {
        match divide::<P, N>(column, &sheet.notation) {
            Some(parts) => cells.extend(parts),
            // A column that cannot be split is treated as an unreadable move.
            None if are_cells_apart => cells.push(column.to_owned()),
            None => return Err(SheetProblem::Row(excerpt(text))),
        }
    }
    let mut has_move = false;
    for cell in cells {
        if let Some(time) = time(&cell) {
            match sheet.entries.last_mut().filter(|_| has_move) {
                Some(entry) if entry.time.is_none() => entry.time = Some(time),
                _ => return Err(SheetProblem::Row(excerpt(text))),
            }
            continue;
        }
        let before = sheet.entries.last_mut().filter(|_| has_move);
        let with_sign = before.as_ref().map(|entry| format!("{} {cell}", entry.text));
        // In draughts `*` is a sign of a move, in chess only a result.
        let is_sign = || with_sign.as_ref().is_some_and(|text| sheet.notation.is_move(text));
        if is_result::<P>(&cell) && !sheet.notation.is_move(&cell) && !is_sign() {
            sheet.result = cell;
            return Ok(());
        }
        if !is_blank(&cell) && Remarks::split_draughts(&cell).0.is_empty() {
            match before.zip(with_sign) {
                Some((entry, text)) => entry.text = text,
                None => return Err(SheetProblem::Row(excerpt(text))),
            }
            continue;
        }
        if has_move {
            side = !side;
        }
        if has_move && side == Side::White {
            return Err(SheetProblem::Row(excerpt(text)));
        }
        let text = if is_blank(&cell) { String::new() } else { cell };
        sheet.entries.push(Entry { line, number, side, text, time: None });
        has_move = true;
    }
    Ok(())
}

/// Returns whether a cell is a placeholder for a missing move.
fn is_blank(cell: &str) -> bool {
    cell.chars().all(|c| matches!(c, '?' | '_') || is_dash(c))
}

fn columns(text: &str) -> Vec<&str> {
    let mut cells: Vec<&str> = Vec::new();
    for cell in text.split(['\t', '|']).flat_map(|part| part.split("  ")) {
        let cell = cell.trim();
        if !cell.is_empty() {
            cells.push(cell);
        }
    }
    cells
}

/// Splits space-separated words into the fewest possible cells: moves, clock times and a result.
/// Returns `None` if several splits have the fewest cells, or if more than two words cannot be
/// split into cells.
fn divide<P: Recorded, N: Notate<P>>(text: &str, notation: &N) -> Option<Vec<String>> {
    let words: Vec<&str> = text.split_whitespace().filter(|word| *word != ",").collect();
    let mut found = Vec::new();
    parts::<P, N>(&words, notation, &mut Vec::new(), &mut found);
    let fewest = found.iter().map(Vec::len).min();
    found.retain(|cells| Some(cells.len()) == fewest);
    match found.len() {
        1 => found.pop(),
        // If there are only one or two words, treat each as a player's unreadable move.
        0 if words.len() <= 2 => {
            Some(words.into_iter().map(|word| word.trim_end_matches(',').to_owned()).collect())
        }
        _ => None,
    }
}

/// The maximum number of words in a move, such as `T 4 CR pr. P 2 CR éch. ! (=)`.
const MAX_MOVE_WORDS: usize = 12;

fn parts<P: Recorded, N: Notate<P>>(
    words: &[&str],
    notation: &N,
    before: &mut Vec<String>,
    found: &mut Vec<Vec<String>>,
) {
    let moves = |cells: &[String]| cells.iter().filter(|cell| time(cell).is_none()).count();
    if words.is_empty() {
        found.push(before.clone());
        return;
    }
    for count in 1..=words.len().min(MAX_MOVE_WORDS) {
        let cell = words[..count].join(" ").trim_end_matches(',').to_owned();
        let is_time = count == 1 && time(&cell).is_some() && !before.is_empty();
        let is_end = count == words.len() && is_result::<P>(&cell);
        let is_move = moves(before) < 2 && (is_blank(&cell) || notation.is_move(&cell));
        if is_time || is_end || is_move {
            before.push(cell);
            parts::<P, N>(&words[count..], notation, before, found);
            before.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn distinguishes_times_heads_and_numbers() {
        for (text, seconds) in [
            ("0:05", 300),
            ("1:59:30", 7170),
            ("(2:00)", 7200),
            ("[0:00:01]", 1),
            ("999:59:59", 3_599_999),
        ] {
            assert_eq!(time(text), Some(Duration::from_secs(seconds)), "{text}");
        }
        for text in ["", "5", "1:5", "1:60", "1:00:60", "e4:d5", "1:2:3:4", "1000:00", ":30"] {
            assert_eq!(time(text), None, "{text}");
        }
        assert_eq!(head("White: Anna"), Some(("White", "Anna")));
        assert_eq!(head("Event:"), Some(("Event", "")));
        assert_eq!(head("Weiß: Anna"), Some(("White", "Anna")));
        assert_eq!(head("Arbitre: Anna"), Some(("Arbitre", "Anna")));
        for text in ["1. e4: d5", "e4:d5", "Cf3", "é: a"] {
            assert_eq!(head(text), None, "{text}");
        }
        assert_eq!(number("12. e4"), Some(("12", false, "e4")));
        assert_eq!(number("12...e5"), Some(("12", true, "e5")));
        assert_eq!(number("12"), None);
        assert_eq!(first_number("12. e4"), Some(("12", false, "e4")));
        assert_eq!(first_number("12  e4 e5"), Some(("12", false, "e4 e5")));
        assert_eq!(first_number("1  32-28 19-23"), Some(("1", false, "32-28 19-23")));
        for text in ["12", "32-28 19-23", "1 - 0", "e4 e5"] {
            assert_eq!(first_number(text), None, "{text}");
        }
    }
}
