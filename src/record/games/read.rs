//! A streaming reader that parses one game at a time from a source of any length.
//!
//! The reader works on bytes, because old files are Latin-1 and a file can be a single long line.
//! Text that is not UTF-8 is decoded as Latin-1. After an error, the next call continues with the
//! next game.

use super::{Line, MAX_NESTING, Node, Record, Recorded, is_name, tidy};
use crate::base::cursor::excerpt;
use crate::base::game::MoveForm;
use crate::record::decode;
use std::error::Error;
use std::io::{self, BufRead};
use std::marker::PhantomData;
use std::mem;
use std::str::FromStr;

/// An error in a game, with its position in the source.
#[derive(Debug, thiserror::Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct RecordError<E: Error> {
    /// The line number, counted from 1.
    pub line: u64,
    /// The column in characters, counted from 1.
    pub column: u64,
    /// The kind of error.
    pub problem: Problem<E>,
}

/// The kinds of errors in a game; `E` is the game-specific error type.
#[derive(Debug, thiserror::Error)]
pub enum Problem<E: Error> {
    /// The source cannot be read. This is the last item.
    #[error("reading failed: {0}")]
    Io(#[from] io::Error),
    /// An illegal move or start position, or an unsupported variant.
    #[error("{0}")]
    Rules(E),
    /// A tag that does not have the form `[Name "value"]`.
    #[error("not a tag as in [Name \"value\"]: {0}")]
    Tag(&'static str),
    /// A character that is not allowed among moves.
    #[error("{0:?} is not allowed among moves")]
    Character(char),
    /// A numeric annotation glyph out of range.
    #[error("'${0}' is not a glyph from $0 to $255")]
    Nag(String),
    /// A glyph or variation before the first move.
    #[error("{0} before the first move")]
    NoMove(&'static str),
    /// An unclosed comment.
    #[error("the comment that begins here is not closed")]
    UnclosedComment,
    /// An unclosed variation.
    #[error("the game ends inside a variation")]
    UnclosedVariation,
    /// A closing bracket outside a variation.
    #[error("')' without an open variation")]
    StrayBracket,
    /// A bracketed annotation sign without the closing bracket.
    #[error("expected ')' after a sign in brackets")]
    SignBracket,
    /// Text without a game.
    #[error("expected a game")]
    NoGame,
    /// Text after the end of a single game.
    #[error("another game begins here; read it with a Reader")]
    SecondGame,
    /// Too deeply nested variations.
    #[error("variations are nested more than {MAX_NESTING} deep")]
    Nesting,
    /// A game that exceeds a size limit.
    #[error("a game has at most {max} {parts}")]
    TooMany {
        /// The limited parts, in the plural.
        parts: &'static str,
        /// The limit.
        max: usize,
    },
}

const MAX_TAGS: usize = 1000;
/// The maximum number of moves, comments, glyphs and variations of a game together. Their size in
/// memory is much larger than in the text.
const MAX_PARTS: usize = 1 << 18;

/// An iterator over the games of a source.
///
/// Only one game at a time is in memory. An error contains line and column. After an error, reading
/// continues with the next game.
#[derive(Debug)]
pub struct Reader<P: Recorded, R> {
    source: Source<R>,
    /// An error of the source that occurred after another error.
    failure: Option<Failure>,
    finished: bool,
    games: PhantomData<fn() -> P>,
}

impl<P: Recorded, R: BufRead> Reader<P, R> {
    /// Creates a reader of all games in `input`.
    pub const fn new(input: R) -> Self {
        Self { source: Source::new(input), failure: None, finished: false, games: PhantomData }
    }
}

impl<P: Recorded, R: BufRead> Iterator for Reader<P, R> {
    type Item = Result<Record<P>, RecordError<P::Error>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.finished {
            return None;
        }
        let mut state = State { in_tags: true, depth: 0, parts: 0 };
        let game = match self.failure.take() {
            Some(failure) => Err(failure.into()),
            None => self.source.game(&mut state),
        };
        match &game {
            Ok(game) => self.finished = game.is_none(),
            Err(RecordError { problem: Problem::Io(_), .. }) => self.finished = true,
            Err(_) => self.failure = self.source.skip_game::<P>(state).err(),
        }
        game.transpose()
    }
}

impl<P: Recorded> FromStr for Record<P> {
    type Err = RecordError<P::Error>;

    /// Parses a text that contains exactly one game.
    ///
    /// ```
    /// use adoube::chess::Game;
    ///
    /// let game: Game = "1. e4 e5 *".parse()?;
    /// assert_eq!(game.moves().count(), 2);
    ///
    /// let game: adoube::draughts::Game = "1. 32-28 19-23 2. 28x19 *".parse()?;
    /// assert_eq!(game.moves().count(), 3);
    ///
    /// assert_eq!("".parse::<Game>().unwrap_err().to_string(), "line 1, column 1: expected a game");
    /// assert!("1. e4 * 1. d4 *".parse::<Game>().is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut reader = Reader::new(text.as_bytes());
        let game = reader.next();
        let location = reader.source.location();
        let game = game.unwrap_or_else(|| Err(location.error(Problem::NoGame)))?;
        match reader.next() {
            None => Ok(game),
            Some(_) => Err(location.error(Problem::SecondGame)),
        }
    }
}

type ReadResult<T, P> = Result<T, RecordError<<P as Recorded>::Error>>;

/// The progress of the reader within a game, which allows skipping the rest after an error.
struct State {
    in_tags: bool,
    /// The number of open variations.
    depth: usize,
    /// The number of tags, or of moves, comments, glyphs and variations.
    parts: usize,
}

impl State {
    const fn count<E: Error>(
        &mut self,
        location: Location,
        parts: &'static str,
        max: usize,
    ) -> Result<(), RecordError<E>> {
        if self.parts == max {
            return Err(location.error(Problem::TooMany { parts, max }));
        }
        self.parts += 1;
        Ok(())
    }

    /// Counts a move, comment, glyph or variation.
    const fn count_part<E: Error>(&mut self, location: Location) -> Result<(), RecordError<E>> {
        self.count(location, "moves, comments, glyphs and variations", MAX_PARTS)
    }
}

#[derive(Clone, Copy, Debug)]
struct Location {
    line: u64,
    column: u64,
}

impl Location {
    const fn error<E: Error>(self, problem: Problem<E>) -> RecordError<E> {
        RecordError { line: self.line, column: self.column, problem }
    }

    const fn rules<E: Error>(self, error: E) -> RecordError<E> {
        self.error(Problem::Rules(error))
    }
}

#[derive(Debug)]
struct Failure {
    location: Location,
    error: io::Error,
}

impl<E: Error> From<Failure> for RecordError<E> {
    fn from(failure: Failure) -> Self {
        failure.location.error(Problem::Io(failure.error))
    }
}

/// A line being read, and the positions before and after its last move.
struct Branch<P: Recorded> {
    line: Line<P::Move>,
    /// The position before the last move, where variations start.
    before: P,
    position: P,
}

impl<P: Recorded> Branch<P> {
    fn new(position: P) -> Self {
        Self { line: Line::default(), before: position.clone(), position }
    }

    fn push(&mut self, text: &str) -> Result<(), P::Error> {
        let m = self.position.read_move(text, MoveForm::Record)?;
        let mut node = Node::new(m);
        node.before = mem::take(&mut self.line.closing);
        self.line.moves.push(node);
        let next = self.position.after(m);
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

/// The bytes of a source, with the current location and one byte of lookahead.
#[derive(Debug)]
struct Source<R> {
    input: R,
    /// Bytes pushed back; they precede the rest of the input.
    again: &'static [u8],
    line: u64,
    column: u64,
    /// True after a carriage return: a following line feed does not start another line.
    after_return: bool,
    /// The number of line breaks since the last byte other than white space: 1 on a new line, 2
    /// after an empty line.
    line_ends: u32,
}

/// The bytes that start a new game even inside an unclosed comment.
const NEW_GAME: &[u8] = b"[Event \"";

impl<R: BufRead> Source<R> {
    const fn new(input: R) -> Self {
        Self { input, again: b"", line: 1, column: 1, after_return: false, line_ends: 1 }
    }

    fn location(&self) -> Location {
        Location { line: self.line, column: self.column }
    }

    fn peek(&mut self) -> Result<Option<u8>, Failure> {
        if let Some(&byte) = self.again.first() {
            return Ok(Some(byte));
        }
        let location = self.location();
        loop {
            match self.input.fill_buf() {
                Ok(bytes) => return Ok(bytes.first().copied()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Failure { location, error }),
            }
        }
    }

    /// Advances past the byte that [`Self::peek`] returned.
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
                // UTF-8 continuation bytes do not start a new column.
                self.column += u64::from(byte & 0xc0 != 0x80);
                if !byte.is_ascii_whitespace() {
                    self.line_ends = 0;
                }
            }
        }
        self.after_return = byte == b'\r';
    }

    fn next(&mut self) -> Result<Option<u8>, Failure> {
        let byte = self.peek()?;
        byte.into_iter().for_each(|byte| self.skip(byte));
        Ok(byte)
    }

    fn eat(&mut self, expected: u8) -> Result<bool, Failure> {
        let found = self.peek()? == Some(expected);
        if found {
            self.skip(expected);
        }
        Ok(found)
    }

    fn take_while(&mut self, accept: impl Fn(u8) -> bool) -> Result<String, Failure> {
        let mut bytes = Vec::new();
        while let Some(byte) = self.peek()?.filter(|&byte| accept(byte)) {
            self.skip(byte);
            bytes.push(byte);
        }
        Ok(decode(bytes))
    }

    fn skip_while(&mut self, accept: impl Fn(u8) -> bool) -> Result<(), Failure> {
        while let Some(byte) = self.peek()?.filter(|&byte| accept(byte)) {
            self.skip(byte);
        }
        Ok(())
    }

    fn rest_of_line(&mut self) -> Result<String, Failure> {
        self.take_while(|byte| !is_line_end(byte))
    }

    fn skip_line(&mut self) -> Result<(), Failure> {
        self.skip_while(|byte| !is_line_end(byte))
    }

    /// Skips white space, lines hidden by `%` in the first column (section 6), and byte order marks
    /// at the start of a line, which occur in concatenated files.
    fn skip_space(&mut self) -> Result<(), Failure> {
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

    /// Returns whether a tag can begin here: a bracket at the start of a line.
    fn at_new_tags(&mut self) -> Result<bool, Failure> {
        Ok(self.line_ends > 0 && self.peek()? == Some(b'['))
    }

    /// Reads a game; returns `None` at the end of the source.
    fn game<P: Recorded>(&mut self, state: &mut State) -> ReadResult<Option<Record<P>>, P> {
        let mut game = Record::new();
        let mut marked = P::Result::default();
        let mut fen = None;
        let mut others = Vec::new();
        let mut any = false;
        loop {
            self.skip_space()?;
            let location = self.location();
            match self.peek()? {
                // An empty line ends the tags, so a game can consist of tags only.
                Some(b'[') if !any || self.line_ends < 2 => {
                    let (name, value) = self.tag()?;
                    state.count(location, "tags", MAX_TAGS)?;
                    any = true;
                    match name.as_str() {
                        "FEN" => fen = Some((location, value)),
                        // A malformed result counts as unknown.
                        "Result" => marked = value.trim().parse().unwrap_or_default(),
                        _ => {
                            game.set_tag(&name, &value);
                            others.push((location, name, value));
                        }
                    }
                }
                Some(b';') if !any => self.skip_line()?,
                None if !any => return Ok(None),
                _ => break,
            }
        }
        (state.in_tags, state.parts) = (false, 0);
        let in_game = |start: P| {
            others.iter().try_fold(start, |start, (location, name, value)| {
                start.with_tag(name, value).map_err(|error| location.rules(error))
            })
        };
        game.start = in_game(P::start())?;
        if let Some((location, value)) = fen {
            game.start = in_game(P::from_fen(&value).map_err(|error| location.rules(error))?)?;
        }
        let (main, result) = self.moves(&game.start, state)?;
        game.line = main.line;
        game.end = main.position;
        // For an adjourned game, the tag can contain the result although the moves end with `*`.
        game.result =
            if marked == P::Result::default() { result.unwrap_or_default() } else { marked };
        Ok(Some(game))
    }

    /// Reads `[Name "value"]`. An unescaped quotation mark that is not directly before the bracket
    /// is part of the value.
    fn tag<E: Error>(&mut self) -> Result<(String, String), RecordError<E>> {
        self.skip(b'[');
        self.skip_blanks()?;
        let location = self.location();
        let name = self.take_while(|byte| is_name(char::from(byte)))?;
        if name.is_empty() {
            return Err(location.error(Problem::Tag("missing name")));
        }
        self.skip_blanks()?;
        let location = self.location();
        if !self.eat(b'"')? {
            return Err(location.error(Problem::Tag("expected \"")));
        }
        let mut value = Vec::new();
        loop {
            let location = self.location();
            match self.peek()? {
                None | Some(b'\n' | b'\r') => {
                    return Err(location.error(Problem::Tag("expected \"]")));
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

    fn skip_blanks(&mut self) -> Result<String, Failure> {
        self.take_while(|byte| byte == b' ' || byte == b'\t')
    }

    /// Reads the moves up to the result, or up to the end of a game without result.
    fn moves<P: Recorded>(
        &mut self,
        start: &P,
        state: &mut State,
    ) -> ReadResult<(Branch<P>, Option<P::Result>), P> {
        let mut branch = Branch::new(start.clone());
        let mut outer: Vec<Branch<P>> = Vec::new();
        loop {
            self.skip_space()?;
            state.depth = outer.len();
            let location = self.location();
            let fail = |problem| Err(location.error(problem));
            let new_game = self.at_new_tags()?;
            let Some(byte) = self.peek()?.filter(|_| !new_game) else {
                if outer.is_empty() {
                    return Ok((branch, None));
                }
                return fail(Problem::UnclosedVariation);
            };
            match byte {
                b'{' => {
                    state.count_part(location)?;
                    branch.comment(&self.comment()?);
                }
                b';' => {
                    state.count_part(location)?;
                    self.skip(byte);
                    branch.comment(&self.rest_of_line()?);
                }
                b'(' => {
                    state.count_part(location)?;
                    self.skip(byte);
                    // PDN 3.0 allows annotation signs in brackets: 32-28(?).
                    if let Some(b'!' | b'?') = self.peek()?
                        && let Some(node) = branch.line.moves.last_mut()
                    {
                        let location = self.location();
                        node.nags.push(self.nag(location)?);
                        if !self.eat(b')')? {
                            return Err(self.location().error(Problem::SignBracket));
                        }
                        continue;
                    }
                    if branch.line.moves.is_empty() {
                        return fail(Problem::NoMove("a variation"));
                    }
                    if outer.len() == MAX_NESTING {
                        return fail(Problem::Nesting);
                    }
                    let inner = Branch::new(branch.before.clone());
                    outer.push(mem::replace(&mut branch, inner));
                }
                b')' => {
                    self.skip(byte);
                    let Some(parent) = outer.pop() else { return fail(Problem::StrayBracket) };
                    let mut inner = mem::replace(&mut branch, parent).line;
                    // A game may contain thousands of one-move variations.
                    inner.moves.shrink_to_fit();
                    if let Some(node) = branch.line.moves.last_mut()
                        && !inner.is_empty()
                    {
                        node.variations.push(inner);
                    }
                }
                b'$' | b'!' | b'?' => {
                    state.count_part(location)?;
                    let nag = self.nag(location)?;
                    match branch.line.moves.last_mut() {
                        Some(node) => node.nags.push(nag),
                        None => return fail(Problem::NoMove("a glyph")),
                    }
                }
                b'.' => self.skip(byte),
                _ => match self.symbol()?.as_str() {
                    "" => return fail(Problem::Character(self.character()?)),
                    text if P::SUFFIXES.contains(&text) => {}
                    text if text.bytes().all(|byte| byte.is_ascii_digit()) => {}
                    text => match text.parse() {
                        // Some programs also write results at the end of variations.
                        Ok(_) if !outer.is_empty() => {}
                        Ok(result) => return Ok((branch, Some(result))),
                        Err(_) => {
                            // Consume the star before trying the move: after an error, it would be
                            // taken for the end of the game.
                            state.count_part(location)?;
                            let star = P::STAR.is_some() && self.eat(b'*')?;
                            branch.push(text).map_err(|error| location.rules(error))?;
                            if let Some(node) = branch.line.moves.last_mut() {
                                node.nags.extend(P::STAR.filter(|_| star));
                            }
                        }
                    },
                },
            }
        }
    }

    /// Reads a comment in braces. If a new game begins inside the comment, it was never closed.
    fn comment<E: Error>(&mut self) -> Result<String, RecordError<E>> {
        let location = self.location();
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
        Err(location.error(Problem::UnclosedComment))
    }

    /// Reads `$n` or one of `! ? !! ?? !? ?!`.
    fn nag<E: Error>(&mut self, location: Location) -> Result<u8, RecordError<E>> {
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
            // Tolerate additional signs.
            _ if text.starts_with("!!") => Ok(3),
            _ if text.starts_with("??") => Ok(4),
            _ if text.starts_with('!') => Ok(5),
            _ if text.starts_with('?') => Ok(6),
            _ => text.parse().map_err(|_| location.error(Problem::Nag(excerpt(&text)))),
        }
    }

    /// Reads a move, a move number or a result; returns an empty text if there is none.
    fn symbol(&mut self) -> Result<String, Failure> {
        match self.peek()? {
            Some(b'*') => {
                self.skip(b'*');
                Ok("*".to_owned())
            }
            // A point after a number belongs to the number; a point within a word belongs to
            // "e.p.".
            Some(first) => {
                let number = first.is_ascii_digit();
                self.take_while(|byte| is_symbol(byte) || byte == b'.' && !number)
            }
            None => Ok(String::new()),
        }
    }

    fn character(&mut self) -> Result<char, Failure> {
        Ok(self.next()?.map_or(' ', char::from))
    }

    /// Skips to the end of a game with an error.
    fn skip_game<P: Recorded>(&mut self, mut state: State) -> Result<(), Failure> {
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
                Some(b'{') => drop(self.comment::<P::Error>()),
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
                    } else if P::STAR.is_some() && text != "*" {
                        self.eat(b'*')?;
                    }
                    if state.depth == 0 && text.parse::<P::Result>().is_ok() {
                        return Ok(());
                    }
                }
            }
        }
    }
}

const fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

const fn is_symbol(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'_' | b'+' | b'#' | b'=' | b':' | b'-' | b'/')
        || byte >= 0x80
}
