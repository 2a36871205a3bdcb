//! The streaming reader: one game at a time, from any source, however long.
//!
//! It reads bytes: old files are Latin-1, and a file may be one long line. What is not UTF-8 is
//! taken as Latin-1. After an error the next call goes on with the next game.

use super::{Game, GameResult, Line, MAX_NESTING, Node, Variant, is_name, tidy};
use crate::base::cursor::excerpt;
use crate::chess::fen::FenError;
use crate::chess::position::Position;
use crate::chess::san::SanError;
use std::io::{self, BufRead};
use std::mem;

/// What is wrong with a game, and where.
#[derive(Debug, thiserror::Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct PgnError {
    /// From 1.
    pub line: u64,
    /// In characters, from 1.
    pub column: u64,
    /// What is wrong.
    pub problem: PgnProblem,
}

/// What is wrong with a game.
#[derive(Debug, thiserror::Error)]
pub enum PgnProblem {
    /// The source cannot be read; no further game comes.
    #[error("reading failed: {0}")]
    Io(#[from] io::Error),
    /// A move that is none.
    #[error(transparent)]
    Move(#[from] SanError),
    /// A `FEN` tag that is none.
    #[error("FEN tag: {0}")]
    Fen(#[from] FenError),
    /// A game of other rules.
    #[error("variant '{0}' is not chess and not Chess960")]
    Variant(String),
    /// A tag that is not of the form `[Name "value"]`.
    #[error("not a tag as in [Name \"value\"]: {0}")]
    Tag(&'static str),
    /// A character that cannot stand among moves.
    #[error("{0:?} cannot stand among moves")]
    Character(char),
    /// A numeric annotation glyph that is none.
    #[error("'${0}' is not a glyph from $0 to $255")]
    Nag(String),
    /// What belongs to a move, before any move.
    #[error("{0} stands before any move")]
    NoMove(&'static str),
    /// A comment without end.
    #[error("the comment that begins here is never closed")]
    UnclosedComment,
    /// A variation without end.
    #[error("the game ends within a variation")]
    UnclosedVariation,
    /// An end without variation.
    #[error("')' closes no variation")]
    StrayBracket,
    /// Too many variations within one another.
    #[error("variations lie more than {MAX_NESTING} deep")]
    Nesting,
}

/// Reads games from a source, one with each call of `next`.
///
/// Memory is that of one game. An error names line and column; reading goes on with the next game.
///
/// ```
/// use adoube::chess::pgn::Reader;
///
/// let text = "[White \"A\"]\n\n1. e4 e5 (1... c5 2. Nf3) 2. Ke3 *\n\n[White \"B\"]\n\n1. d4 *\n";
/// let mut games = Reader::new(text.as_bytes());
/// let error = games.next().and_then(Result::err).ok_or("an error")?;
/// assert!(error.to_string().starts_with("line 3, column 30: 'Ke3' is not legal in "));
/// let game = games.next().ok_or("a game")??;
/// assert_eq!((game.tag("White"), game.moves().count()), (Some("B"), 1));
/// assert!(games.next().is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Reader<R> {
    source: Source<R>,
    /// A failure of the source, met after another error was found.
    failure: Option<PgnError>,
    finished: bool,
}

impl<R: BufRead> Reader<R> {
    /// A reader of all games in `input`.
    pub const fn new(input: R) -> Self {
        Self { source: Source::new(input), failure: None, finished: false }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Game, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.finished {
            return None;
        }
        let mut state = State { in_tags: true, depth: 0 };
        let game = match self.failure.take() {
            Some(failure) => Err(failure),
            None => self.source.game(&mut state),
        };
        match &game {
            Ok(game) => self.finished = game.is_none(),
            Err(PgnError { problem: PgnProblem::Io(_), .. }) => self.finished = true,
            Err(_) => self.failure = self.source.skip_game(state).err(),
        }
        game.transpose()
    }
}

/// How far reading has come, so that after an error the rest of the game can be skipped.
struct State {
    in_tags: bool,
    /// How many variations are open.
    depth: usize,
}

/// A place in the text.
#[derive(Clone, Copy)]
struct Place {
    line: u64,
    column: u64,
}

impl Place {
    fn error(self, problem: impl Into<PgnProblem>) -> PgnError {
        PgnError { line: self.line, column: self.column, problem: problem.into() }
    }
}

/// A line being read and the positions around its last move.
struct Branch {
    line: Line,
    /// Before the last move; what a variation starts from.
    before: Position,
    position: Position,
}

impl Branch {
    fn new(position: Position) -> Self {
        Self { line: Line::default(), before: position.clone(), position }
    }

    fn push(&mut self, text: &str) -> Result<(), SanError> {
        let m = self.position.parse_san_lenient(text)?;
        let mut node = Node::new(m);
        node.before = mem::take(&mut self.line.closing);
        self.line.moves.push(node);
        let next = self.position.play(m);
        self.before = mem::replace(&mut self.position, next);
        Ok(())
    }

    fn comment(&mut self, text: &str) {
        let Some(text) = tidy(text) else { return };
        match self.line.moves.last_mut() {
            Some(node) if node.variations.is_empty() => node.comments.push(text),
            _ => self.line.closing.push(text),
        }
    }
}

/// The bytes of a source, with place and the means to look one ahead.
#[derive(Debug)]
struct Source<R> {
    input: R,
    /// What was read too far and comes before the rest of the input.
    again: &'static [u8],
    line: u64,
    column: u64,
    /// The last byte was a carriage return: a line feed now would not be another line.
    after_return: bool,
    /// Line ends since anything but white space was read: one for a new line, two for an empty one.
    line_ends: u32,
}

/// What tells a new game even within a comment that nobody closed.
const NEW_GAME: &[u8] = b"[Event \"";

impl<R: BufRead> Source<R> {
    const fn new(input: R) -> Self {
        Self { input, again: b"", line: 1, column: 1, after_return: false, line_ends: 1 }
    }

    fn place(&self) -> Place {
        Place { line: self.line, column: self.column }
    }

    fn peek(&mut self) -> Result<Option<u8>, PgnError> {
        if let Some(&byte) = self.again.first() {
            return Ok(Some(byte));
        }
        let place = self.place();
        loop {
            match self.input.fill_buf() {
                Ok(bytes) => return Ok(bytes.first().copied()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(place.error(error)),
            }
        }
    }

    /// Leaves behind the byte that [`Self::peek`] has shown.
    fn skip(&mut self, byte: u8) {
        match self.again.split_first() {
            Some((_, rest)) => self.again = rest,
            None => self.input.consume(1),
        }
        match byte {
            b'\n' if self.after_return => {}
            b'\n' | b'\r' => {
                self.line += 1;
                self.column = 1;
                self.line_ends += 1;
            }
            _ => {
                // Bytes that continue a UTF-8 character are no columns.
                self.column += u64::from(byte & 0xc0 != 0x80);
                if !byte.is_ascii_whitespace() {
                    self.line_ends = 0;
                }
            }
        }
        self.after_return = byte == b'\r';
    }

    fn next(&mut self) -> Result<Option<u8>, PgnError> {
        let byte = self.peek()?;
        byte.into_iter().for_each(|byte| self.skip(byte));
        Ok(byte)
    }

    fn eat(&mut self, expected: u8) -> Result<bool, PgnError> {
        let found = self.peek()? == Some(expected);
        if found {
            self.skip(expected);
        }
        Ok(found)
    }

    /// Reads bytes as long as `accept` likes them, as text.
    fn take_while(&mut self, accept: impl Fn(u8) -> bool) -> Result<String, PgnError> {
        let mut bytes = Vec::new();
        while let Some(byte) = self.peek()?.filter(|&byte| accept(byte)) {
            self.skip(byte);
            bytes.push(byte);
        }
        Ok(decode(bytes))
    }

    fn skip_while(&mut self, accept: impl Fn(u8) -> bool) -> Result<(), PgnError> {
        while let Some(byte) = self.peek()?.filter(|&byte| accept(byte)) {
            self.skip(byte);
        }
        Ok(())
    }

    fn rest_of_line(&mut self) -> Result<String, PgnError> {
        self.take_while(|byte| !is_line_end(byte))
    }

    fn skip_line(&mut self) -> Result<(), PgnError> {
        self.skip_while(|byte| !is_line_end(byte))
    }

    /// Skips white space, lines that `%` in the first column hides (section 6), and byte order
    /// marks at the beginning of a line, where files were put together.
    fn skip_space(&mut self) -> Result<(), PgnError> {
        loop {
            let line_ends = self.line_ends;
            match self.peek()? {
                Some(byte) if byte.is_ascii_whitespace() || byte == 0 => self.skip(byte),
                Some(b'%') if self.column == 1 => self.skip_line()?,
                Some(0xef) if self.column == 1 => {
                    self.skip(0xef);
                    let _ = self.eat(0xbb)? && self.eat(0xbf)?;
                    (self.column, self.line_ends) = (1, line_ends);
                }
                _ => return Ok(()),
            }
        }
    }

    /// Whether a tag may begin here: a bracket that is the first thing in its line.
    fn at_new_tags(&mut self) -> Result<bool, PgnError> {
        Ok(self.line_ends > 0 && self.peek()? == Some(b'['))
    }

    /// Reads a game; none at the end of the source.
    fn game(&mut self, state: &mut State) -> Result<Option<Game>, PgnError> {
        let mut game = Game::new();
        let mut marked = GameResult::Unknown;
        let mut fen = None;
        let mut variant = None;
        let mut any = false;
        loop {
            self.skip_space()?;
            let place = self.place();
            match self.peek()? {
                // An empty line ends the tags, so that a game may have nothing else.
                Some(b'[') if !any || self.line_ends < 2 => {
                    let (name, value) = self.tag()?;
                    any = true;
                    match name.as_str() {
                        "FEN" => fen = Some((place, value)),
                        // A result that is none says no more than an unknown one.
                        "Result" => marked = value.trim().parse().unwrap_or_default(),
                        _ => {
                            if name == "Variant" {
                                variant = Some((place, value.clone()));
                            }
                            game.set_tag(&name, &value);
                        }
                    }
                }
                Some(b';') if !any => self.skip_line()?,
                None if !any => return Ok(None),
                _ => break,
            }
        }
        state.in_tags = false;
        if let Some((place, value)) = variant
            && Variant::of(&value).is_none()
        {
            return Err(place.error(PgnProblem::Variant(excerpt(&value))));
        }
        if let Some((place, value)) = fen {
            game.start = value.parse::<Position>().map_err(|error| place.error(error))?;
        }
        let (main, result) = self.moves(&game.start, state)?;
        game.line = main.line;
        game.end = main.position;
        // The tag says how a game ended that was broken off, the mark after the moves does not.
        game.result =
            if marked == GameResult::Unknown { result.unwrap_or_default() } else { marked };
        Ok(Some(game))
    }

    /// Reads `[Name "value"]`. A quotation mark that is not escaped and not the last before the
    /// bracket is taken as part of the value.
    fn tag(&mut self) -> Result<(String, String), PgnError> {
        self.skip(b'[');
        self.skip_blanks()?;
        let place = self.place();
        let name = self.take_while(|byte| is_name(char::from(byte)))?;
        if name.is_empty() {
            return Err(place.error(PgnProblem::Tag("the name is missing")));
        }
        self.skip_blanks()?;
        let place = self.place();
        if !self.eat(b'"')? {
            return Err(place.error(PgnProblem::Tag("\" should stand here")));
        }
        let mut value = Vec::new();
        loop {
            let place = self.place();
            match self.peek()? {
                None | Some(b'\n' | b'\r') => {
                    return Err(place.error(PgnProblem::Tag("\"] should stand here")));
                }
                Some(b'\\') => {
                    self.skip(b'\\');
                    match self.peek()? {
                        Some(escaped @ (b'"' | b'\\')) => {
                            self.skip(escaped);
                            value.push(escaped);
                        }
                        _ => value.push(b'\\'),
                    }
                }
                Some(b'"') => {
                    self.skip(b'"');
                    let blanks = self.skip_blanks()?;
                    if self.eat(b']')? {
                        return Ok((name, decode(value)));
                    }
                    value.push(b'"');
                    value.extend(blanks.into_bytes());
                }
                Some(byte) => {
                    self.skip(byte);
                    value.push(byte);
                }
            }
        }
    }

    fn skip_blanks(&mut self) -> Result<String, PgnError> {
        self.take_while(|byte| byte == b' ' || byte == b'\t')
    }

    /// Reads the moves up to the result, or to where the game ends without one.
    fn moves(
        &mut self,
        start: &Position,
        state: &mut State,
    ) -> Result<(Branch, Option<GameResult>), PgnError> {
        let mut branch = Branch::new(start.clone());
        let mut outer: Vec<Branch> = Vec::new();
        loop {
            self.skip_space()?;
            state.depth = outer.len();
            let place = self.place();
            let fail = |problem: PgnProblem| Err(place.error(problem));
            let new_game = self.at_new_tags()?;
            let Some(byte) = self.peek()?.filter(|_| !new_game) else {
                if outer.is_empty() {
                    return Ok((branch, None));
                }
                return fail(PgnProblem::UnclosedVariation);
            };
            match byte {
                b'{' => branch.comment(&self.comment()?),
                b';' => {
                    self.skip(byte);
                    branch.comment(&self.rest_of_line()?);
                }
                b'(' => {
                    self.skip(byte);
                    if branch.line.moves.is_empty() {
                        return fail(PgnProblem::NoMove("a variation"));
                    }
                    if outer.len() == MAX_NESTING {
                        return fail(PgnProblem::Nesting);
                    }
                    let inner = Branch::new(branch.before.clone());
                    outer.push(mem::replace(&mut branch, inner));
                }
                b')' => {
                    self.skip(byte);
                    let Some(parent) = outer.pop() else { return fail(PgnProblem::StrayBracket) };
                    let inner = mem::replace(&mut branch, parent).line;
                    if let Some(node) = branch.line.moves.last_mut()
                        && inner != Line::default()
                    {
                        node.variations.push(inner);
                    }
                }
                b'$' | b'!' | b'?' => {
                    let nag = self.nag(place)?;
                    match branch.line.moves.last_mut() {
                        Some(node) => node.nags.push(nag),
                        None => return fail(PgnProblem::NoMove("a glyph")),
                    }
                }
                b'.' => self.skip(byte),
                _ => match self.symbol()?.as_str() {
                    "" => return fail(PgnProblem::Character(self.character()?)),
                    "e.p." | "e.p" | "ep" => {}
                    text if text.bytes().all(|byte| byte.is_ascii_digit()) => {}
                    text => match text.parse() {
                        // Some programs end variations with results too.
                        Ok(_) if !outer.is_empty() => {}
                        Ok(result) => return Ok((branch, Some(result))),
                        Err(_) => branch.push(text).map_err(|error| place.error(error))?,
                    },
                },
            }
        }
    }

    /// Reads a comment in braces. Where a game begins within it, it was never closed.
    fn comment(&mut self) -> Result<String, PgnError> {
        let place = self.place();
        self.skip(b'{');
        let mut bytes = Vec::new();
        loop {
            let first = self.column == 1;
            let Some(byte) = self.next()? else { break };
            if byte == b'}' {
                return Ok(decode(bytes));
            }
            bytes.push(byte);
            if first && byte == NEW_GAME[0] {
                let mut same = 1;
                while same < NEW_GAME.len() && self.eat(NEW_GAME[same])? {
                    bytes.push(NEW_GAME[same]);
                    same += 1;
                }
                if same == NEW_GAME.len() {
                    self.again = NEW_GAME;
                    self.column = 1;
                    self.line_ends = 2;
                    break;
                }
            }
        }
        Err(place.error(PgnProblem::UnclosedComment))
    }

    /// Reads `$n` or one of `! ? !! ?? !? ?!`.
    fn nag(&mut self, place: Place) -> Result<u8, PgnError> {
        let text = if self.eat(b'$')? {
            self.take_while(|byte| byte.is_ascii_digit())?
        } else {
            self.take_while(|byte| matches!(byte, b'!' | b'?'))?
        };
        match text.as_str() {
            "!" => Ok(1),
            "?" => Ok(2),
            "!!" => Ok(3),
            "??" => Ok(4),
            "!?" => Ok(5),
            "?!" => Ok(6),
            // Emphasis beyond the standard.
            _ if text.starts_with("!!") => Ok(3),
            _ if text.starts_with("??") => Ok(4),
            _ if text.starts_with('!') => Ok(5),
            _ if text.starts_with('?') => Ok(6),
            _ => text.parse().map_err(|_| place.error(PgnProblem::Nag(excerpt(&text)))),
        }
    }

    /// Reads a move, a move number or a result; an empty text where none of these begins.
    fn symbol(&mut self) -> Result<String, PgnError> {
        match self.peek()? {
            Some(b'*') => {
                self.skip(b'*');
                Ok("*".to_owned())
            }
            // After a number the point belongs to it, within a word it is that of "e.p.".
            Some(first) => {
                let number = first.is_ascii_digit();
                self.take_while(|byte| is_symbol(byte) || byte == b'.' && !number)
            }
            None => Ok(String::new()),
        }
    }

    fn character(&mut self) -> Result<char, PgnError> {
        Ok(self.next()?.map_or(' ', char::from))
    }

    /// Goes to the end of a game that has an error.
    fn skip_game(&mut self, mut state: State) -> Result<(), PgnError> {
        while state.in_tags {
            self.skip_line()?;
            self.skip_space()?;
            state.in_tags = self.at_new_tags()? && self.line_ends < 2;
        }
        loop {
            self.skip_space()?;
            if self.at_new_tags()? {
                return Ok(());
            }
            match self.peek()? {
                None => return Ok(()),
                Some(b'{') => drop(self.comment()),
                Some(b';') => self.skip_line()?,
                Some(byte @ (b'(' | b')')) => {
                    self.skip(byte);
                    let inner = state.depth + usize::from(byte == b'(');
                    state.depth = inner.saturating_sub(usize::from(byte == b')'));
                }
                Some(byte) => {
                    let text = self.symbol()?;
                    if text.is_empty() {
                        self.skip(byte);
                    }
                    if state.depth == 0 && text.parse::<GameResult>().is_ok() {
                        return Ok(());
                    }
                }
            }
        }
    }
}

/// UTF-8 where it is that, else Latin-1, of which every byte is a character.
fn decode(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect())
}

const fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

const fn is_symbol(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'_' | b'+' | b'#' | b'=' | b':' | b'-' | b'/')
        || byte >= 0x80
}
