//! A streaming reader that parses one game at a time from a source of any length.
//!
//! A fault affects as little of a game as possible: after an unreadable move, the rest of the line
//! is skipped, and a malformed tag is skipped alone. A game with faults is returned as an error,
//! which contains all faults and the usable part of the game. Reading continues with the next game.

use super::fault::{Fault, Loss, Problem, RecordError};
use super::signs;
use super::source::{Failure, Location, Source, is_line_end, is_space};
use super::tree::{Branch, Faults, MAX_WORDS, Tree, is_number, is_word};
use super::{ROSTER, Record, Recorded, is_name, tidy, without_control};
use crate::base::cursor::excerpt;
use crate::base::text::{is_dash, is_invisible};
use crate::record::is_utf16;
use std::borrow::Cow;
use std::io::BufRead;
use std::mem;
use std::str::FromStr;

const MAX_TAGS: usize = 1000;
/// The maximum number of bytes searched for the end of a line or comment.
const MAX_LOOKAHEAD: usize = 1 << 16;
/// The start of a line that begins a new game even inside an unclosed comment.
const NEW_GAME: &str = "[Event \"";

/// An iterator over the games of a source.
///
/// Only one game at a time is in memory. A game with faults is returned as a [`RecordError`], which
/// contains the part that was read.
#[derive(Debug)]
pub struct Reader<P: Recorded, R> {
    source: Source<R>,
    /// The tags and the start position of the next game, if that position was set up after the
    /// moves of the previous game.
    continued: Option<(Vec<Tag>, P)>,
    state: State,
    scope: Scope,
    unread_label: Option<&'static str>,
}

/// The parts of a game that are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scope {
    All,
    /// Everything except the comments that follow a move.
    WithoutComments,
    /// The tags, the comments before the moves, and the result.
    WithoutMoves,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    New,
    Reading,
    Finished,
}

impl<P: Recorded, R: BufRead> Reader<P, R> {
    /// Creates a reader of all games in `input`.
    pub const fn new(input: R) -> Self {
        Self {
            source: Source::new(input),
            continued: None,
            state: State::New,
            scope: Scope::All,
            unread_label: None,
        }
    }

    /// Omits the comments that follow a move, which is faster. Faults in these comments are still
    /// found.
    #[must_use]
    pub const fn without_comments(mut self) -> Self {
        self.scope = Scope::WithoutComments;
        self
    }

    /// Reads only the tags, the comments before the moves, and the results, which is much faster.
    /// Faults in the moves are not found. A position that is set up among the moves does not begin
    /// another game.
    ///
    /// ```
    /// use adoube::chess::pgn::Reader;
    ///
    /// let text = "[White \"A\"]\n\n1. e4 e5 {good} 1-0\n\n[White \"B\"]\n\n1. Kxe8 *\n";
    /// let games = Reader::new(text.as_bytes()).without_moves().collect::<Result<Vec<_>, _>>()?;
    /// let players: Vec<_> = games.iter().map(|game| game.tag("White")).collect();
    /// assert_eq!(players, [Some("A"), Some("B")]);
    /// assert_eq!((games[0].result.to_string(), games[0].moves().count()), ("1-0".to_owned(), 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn without_moves(mut self) -> Self {
        self.scope = Scope::WithoutMoves;
        self
    }

    /// Keeps the text that is skipped after a fault. The text becomes a comment at the end of its
    /// line, such as `{not read: 12. Qh7 Kf8}` with the label `not read:`.
    #[must_use]
    #[cfg(feature = "board")]
    pub(crate) const fn with_unread_text(mut self, label: &'static str) -> Self {
        self.unread_label = Some(label);
        self
    }

    /// Sets the number of the first line, for an input that is only part of a file.
    #[must_use]
    #[cfg(feature = "cli")]
    pub(crate) const fn starting_at_line(mut self, line: u64) -> Self {
        self.source.set_line(line);
        self
    }

    fn read(&mut self) -> Result<Option<Read<P>>, Failure> {
        if mem::replace(&mut self.state, State::Reading) == State::New
            && is_utf16(self.source.look(4)?)
        {
            self.state = State::Finished;
            let fault = self.source.location().fault(Problem::Utf16, Loss::Game);
            return Ok(Some(Read { game: None, faults: vec![fault] }));
        }
        self.source.game(&mut self.continued, self.scope, self.unread_label)
    }
}

impl<P: Recorded, R: BufRead> Iterator for Reader<P, R> {
    type Item = Result<Record<P>, RecordError<P>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.state == State::Finished {
            return None;
        }
        let read = self
            .read()
            .unwrap_or_else(|failure| Some(Read { game: None, faults: vec![failure.into()] }));
        let is_io = |fault: &Fault<_>| matches!(fault.problem, Problem::Io(_));
        if read.as_ref().is_some_and(|read| read.faults.iter().any(is_io)) {
            self.state = State::Finished;
        }
        match read {
            Some(Read { game: Some(game), faults }) if faults.is_empty() => Some(Ok(game)),
            Some(Read { game, faults }) => {
                Some(Err(RecordError { faults, game: game.map(Box::new) }))
            }
            None => {
                self.state = State::Finished;
                None
            }
        }
    }
}

impl<P: Recorded> FromStr for Record<P> {
    type Err = RecordError<P>;

    /// Parses a text that contains exactly one game without faults.
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
    /// let error = "".parse::<Game>().unwrap_err();
    /// assert!(error.to_string().starts_with("line 1, column 1: expected a game"));
    /// assert!("1. e4 * 1. d4 *".parse::<Game>().is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut reader = Reader::new(text.as_bytes());
        let game = reader.next();
        let location = reader.source.location();
        let fail =
            |problem| RecordError { faults: vec![location.fault(problem, Loss::Game)], game: None };
        let game = game.unwrap_or_else(|| Err(fail(Problem::NoGame)))?;
        match reader.next() {
            None => Ok(game),
            Some(_) => Err(fail(Problem::SecondGame)),
        }
    }
}

/// The faults of a game, and the usable part of the game if there is one.
struct Read<P: Recorded> {
    game: Option<Record<P>>,
    faults: Vec<Fault<P::Error>>,
}

#[derive(Clone, Debug)]
struct Tag {
    location: Location,
    name: String,
    value: String,
}

/// The name and value of a tag, or the location and description of a syntax error.
type NameAndValue = Result<(String, String), (Location, &'static str)>;

/// The tags of a game, and the comments before its moves.
#[derive(Default)]
struct Head {
    tags: Vec<Tag>,
    comments: Vec<String>,
}

/// Returns the name of the tag at the start of a text.
fn tag_name(text: &str) -> Option<String> {
    let tag = text.strip_prefix('[')?.trim_start();
    let name: String = tag.chars().take_while(|&c| is_name(c)).collect();
    let is_tag = tag.strip_prefix(&*name).is_some_and(|rest| rest.starts_with([' ', '\t', '"']));
    (is_tag && !name.is_empty()).then_some(name)
}

/// Corrects the case of a tag name that the program interprets. Other names stay as they are.
fn canonical<P: Recorded>(name: String) -> String {
    let roster = ROSTER.iter().map(|(name, _)| *name);
    let others = ["FEN", "SetUp", "Variant", "TimeControl"];
    let mut standard_names = roster.chain(others).chain(P::OWN_TAG);
    standard_names.find(|known| known.eq_ignore_ascii_case(&name)).map_or(name, str::to_owned)
}

/// Returns the start position described by the tags. If the tags are invalid, reports a fault.
fn start<P: Recorded>(tags: &[Tag], faults: &mut Faults<P::Error>) -> Option<P> {
    let fen = tags.iter().find(|tag| tag.name == "FEN" && !tag.value.trim().is_empty());
    let start = in_game(P::start(), tags).and_then(|usual| match fen {
        None => Ok(usual),
        Some(tag) => P::from_fen(&tag.value)
            .map_err(|error| (tag.location, error))
            .and_then(|start| in_game(start, tags)),
    });
    let report = |(location, error)| faults.report(location, Problem::Rules(error), Loss::Game);
    start.map_err(report).ok()
}

/// Applies the tags that name a variant to the start position.
fn in_game<P: Recorded>(start: P, tags: &[Tag]) -> Result<P, (Location, P::Error)> {
    tags.iter().try_fold(start, |start, Tag { location, name, value }| {
        start.with_tag(name, value).map_err(|error| (*location, error))
    })
}

fn check_tags<P: Recorded>(tags: &[Tag], faults: &mut Faults<P::Error>) {
    for Tag { location, name, value } in tags {
        if let Err(error) = P::check_tag(name, value) {
            faults.report(*location, Problem::Rules(error), Loss::Text);
        }
    }
}

/// Removes the spaces and control characters from the value of a `Result` tag.
fn without_space(value: &str) -> String {
    value.chars().filter(|c| !c.is_whitespace() && !c.is_control()).collect()
}

/// Returns the text of a non-standard `Result` tag in each form that can follow the moves. The list
/// is empty if the tag is missing, a standard result or a placeholder, or if the game does not
/// allow non-standard results.
fn free_results<P: Recorded>(tags: &[Tag]) -> Vec<String> {
    let tag = tags.iter().find(|tag| tag.name == "Result").filter(|_| P::FREE_RESULTS);
    let Some(tag) = tag else { return Vec::new() };
    let (value, short) = (without_control(&tag.value), without_space(&tag.value));
    if is_placeholder(&short) || short.parse::<P::Result>().is_ok() {
        return Vec::new();
    }
    let mut forms = vec![value.trim().to_owned(), short];
    forms.dedup();
    forms
}

/// Returns whether the value of a `Result` tag, without spaces, only means that the result is
/// unknown.
fn is_placeholder(value: &str) -> bool {
    ["", "?", "-"].contains(&value)
}

/// Determines the result of a game from its tag and the result at the end of its moves.
fn result<P: Recorded>(
    tag: Option<&Tag>,
    (location, moves): (Location, P::Result),
    faults: &mut Faults<P::Error>,
) -> P::Result {
    let unknown = P::Result::default();
    let Some(tag) = tag else { return moves };
    let value = without_space(&tag.value);
    match value.parse::<P::Result>() {
        Ok(marked) if marked == unknown || marked == moves => moves,
        Ok(marked) => {
            // The tag of an adjourned game can contain a result although the moves end with `*`.
            if moves != unknown {
                let (moves, tag) = (moves.to_string(), marked.to_string());
                faults.report(location, Problem::Results { moves, tag }, Loss::Result);
            }
            marked
        }
        Err(_) => {
            if moves == unknown && !is_placeholder(&value) && !P::FREE_RESULTS {
                let value = excerpt(&tag.value);
                faults.report(tag.location, Problem::ResultTag(value), Loss::Tag);
            }
            moves
        }
    }
}

/// The end of a game's moves.
struct End<P: Recorded> {
    location: Location,
    result: Option<P::Result>,
    /// The position that was set up after the moves, where another game begins.
    next: Option<P>,
}

impl<R: BufRead> Source<R> {
    /// Reads a game; returns `None` at the end of the source.
    fn game<P: Recorded>(
        &mut self,
        continued: &mut Option<(Vec<Tag>, P)>,
        scope: Scope,
        unread_label: Option<&'static str>,
    ) -> Result<Option<Read<P>>, Failure> {
        self.copied = None;
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        let mut faults = Faults::new();
        let (head, start) = match continued.take() {
            Some((tags, start)) => (Head { tags, comments: Vec::new() }, Some(start)),
            None => {
                let Some(head) = self.head::<P>(&mut faults)? else { return Ok(None) };
                let start = start::<P>(&head.tags, &mut faults);
                if start.is_some() {
                    check_tags::<P>(&head.tags, &mut faults);
                }
                (head, start)
            }
        };
        let mut is_lost = start.is_none();
        let mut game = Record::new();
        game.start = start.unwrap_or_else(P::start);
        let mut branch = Branch::new(game.start.clone(), game.start.first_number());
        branch.is_lost = is_lost || scope == Scope::WithoutMoves;
        branch.line.closing = head.comments;
        let (unread, lookaheads) = (Vec::new(), 0);
        let outer = Vec::new();
        let mut tree = Tree {
            branch,
            outer,
            faults,
            scope,
            unread_label,
            is_unread: false,
            unread,
            lookaheads,
            spelling: None,
            first: None,
        };
        let end = self.moves(&head.tags, &mut tree).unwrap_or_else(|failure| {
            let location = failure.location;
            tree.cut_off(location, Problem::Io(failure.error));
            End { location, result: None, next: None }
        });
        let Tree { branch, mut faults, is_unread, unread, first, .. } = tree;
        (game.line, game.end) = (branch.line, branch.position);
        game.start = first.unwrap_or(game.start);
        if let Some(start) = end.next {
            let tags = head.tags.iter().filter(|tag| tag.name != "FEN").cloned().collect();
            *continued = Some((tags, start));
        }
        let tag = head.tags.iter().find(|tag| tag.name == "Result");
        let moves = (end.location, end.result.unwrap_or_default());
        game.result = result::<P>(tag, moves, &mut faults);
        let free = free_results::<P>(&head.tags).into_iter().next();
        game.free_result = free.map(|text| (text, game.result));
        let has_own_tag = head.tags.iter().any(|tag| P::OWN_TAG == Some(&tag.name));
        let can_check = !is_lost && !has_own_tag && scope != Scope::WithoutMoves;
        if let Some((location, _)) = unread.first().filter(|_| can_check) {
            let words: Vec<_> = unread.iter().map(|(_, word)| word.as_str()).collect();
            if let Err(error) = game.start.check_words(&words) {
                faults.found = vec![location.fault(Problem::Rules(error), Loss::Game)];
                is_lost = true;
            }
        }
        let is_anything = !head.tags.is_empty() || !game.line.is_empty() && !is_unread;
        for Tag { name, value, .. } in head.tags {
            game.set_text_tag(name.into(), value.into());
        }
        let is_kept = !is_lost && (faults.found.is_empty() || is_anything);
        if !is_kept {
            faults.found.iter_mut().for_each(|fault| fault.loss = Loss::Game);
        }
        Ok(Some(Read { game: is_kept.then_some(game), faults: faults.found }))
    }

    /// Reads the tags, and the comments before, between and after the tags. Lines that begin with
    /// `;` before the first tag are skipped. Returns `None` at the end of the source.
    fn head<P: Recorded>(
        &mut self,
        faults: &mut Faults<P::Error>,
    ) -> Result<Option<Head>, Failure> {
        let mut head = Head::default();
        loop {
            self.skip_space()?;
            let location = self.location();
            let has_begun = !head.tags.is_empty() || !faults.found.is_empty();
            match self.peek()? {
                Some('[') => {
                    // After an empty line, a tag that was already given belongs to the next game.
                    let is_new = |name: String| {
                        let name = canonical::<P>(name);
                        head.tags.iter().all(|tag| tag.name != name)
                    };
                    if has_begun && self.line_ends > 1 {
                        let continues =
                            faults.found.is_empty() && self.tag_ahead()?.is_some_and(is_new);
                        if !continues {
                            return Ok(Some(head));
                        }
                    }
                    self.add_tag::<P>(location, &mut head, faults)?;
                }
                Some('{') => {
                    let (comment, is_closed) = self.comment()?;
                    faults.count_part(location);
                    if faults.ended {
                        return Ok(Some(head));
                    }
                    head.comments.extend(tidy(&comment).map(Cow::into_owned));
                    if !is_closed {
                        faults.report(location, Problem::UnclosedComment, Loss::MainLine);
                        return Ok(Some(head));
                    }
                }
                Some(';') if !has_begun => self.skip_while(|c| !is_line_end(c))?,
                Some(';') if self.line_ends == 0 => {
                    self.next()?;
                    faults.count_part(location);
                    if faults.ended {
                        return Ok(Some(head));
                    }
                    head.comments.extend(tidy(&self.rest_of_line()?).map(Cow::into_owned));
                }
                Some(_) if self.is_stray::<P>(&head)? => {
                    let text = self.rest_of_line()?;
                    let problem = Problem::AfterTag(excerpt(text.trim_end()));
                    faults.report(location, problem, Loss::Text);
                }
                None if !has_begun && head.comments.is_empty() => return Ok(None),
                _ => return Ok(Some(head)),
            }
        }
    }

    fn add_tag<P: Recorded>(
        &mut self,
        location: Location,
        head: &mut Head,
        faults: &mut Faults<P::Error>,
    ) -> Result<(), Failure> {
        match self.tag()? {
            Ok((name, value)) => {
                let name = canonical::<P>(name);
                match head.tags.iter().find(|tag| tag.name == name) {
                    Some(first) if first.value == value => {}
                    Some(_) => faults.report(location, Problem::RepeatedTag(name), Loss::Tag),
                    None if head.tags.len() == MAX_TAGS && !faults.ended => {
                        faults.end(location, "tags", MAX_TAGS);
                    }
                    None if head.tags.len() == MAX_TAGS => {}
                    None => head.tags.push(Tag { location, name, value }),
                }
            }
            Err((location, problem)) => {
                faults.report(location, Problem::Tag(problem), Loss::Tag);
                self.skip_while(|c| !is_line_end(c))?;
            }
        }
        Ok(())
    }

    /// Returns the name of the tag that begins here, if there is one.
    fn tag_ahead(&mut self) -> Result<Option<String>, Failure> {
        /// The maximum number of bytes searched for the end of a tag name.
        const MAX_NAME: usize = 256;
        Ok(tag_name(&String::from_utf8_lossy(self.look_in_line(MAX_NAME)?)))
    }

    /// Returns whether the rest of the line, after a tag, belongs neither to the tags nor to the
    /// moves: it does not begin like a move, and the next line is another tag of the same game.
    fn is_stray<P: Recorded>(&mut self, head: &Head) -> Result<bool, Failure> {
        /// The maximum number of bytes searched for the next tag.
        const MAX_AHEAD: usize = 1 << 10;
        if head.tags.is_empty() || self.line_ends > 0 {
            return Ok(false);
        }
        let ahead = String::from_utf8_lossy(self.look(MAX_AHEAD)?);
        let Some((line, rest)) = ahead.split_once(is_line_end) else { return Ok(false) };
        let next = tag_name(rest.trim_start_matches('\n')).map(canonical::<P>);
        let word = line.split_whitespace().next().unwrap_or_default();
        let is_of_moves = word.starts_with(|c: char| c.is_ascii_digit() || "(*$".contains(c))
            || P::start()
                .read_recorded(word)
                .map_or_else(|error| !P::is_malformed(&error), |_| true);
        Ok(!is_of_moves && next.is_some_and(|next| head.tags.iter().all(|tag| tag.name != next)))
    }

    /// Reads `[Name "value"]`. Line breaks are allowed between its parts, but not in the value. An
    /// unescaped quotation mark is part of the value unless the bracket follows it.
    fn tag(&mut self) -> Result<NameAndValue, Failure> {
        if let Some((name, value)) = self.plain_tag() {
            return Ok(Ok((name, value)));
        }
        let is_blank = |c| is_space(c) && !is_line_end(c);
        self.next()?;
        self.skip_while(is_blank)?;
        self.skip_line_ends(|text| {
            text.trim_start_matches(is_name).trim_start().starts_with('"')
                && text.starts_with(is_name)
        })?;
        let location = self.location();
        let name = self.take_while(is_name)?;
        if name.is_empty() {
            return Ok(Err((location, "missing name")));
        }
        self.skip_while(is_blank)?;
        self.skip_line_ends(|text| text.starts_with('"'))?;
        let location = self.location();
        if !self.eat('"')? {
            return Ok(Err((location, "expected \"")));
        }
        let mut value = String::new();
        loop {
            let location = self.location();
            match self.peek()? {
                None => return Ok(Err((location, "expected \"]"))),
                Some(c) if is_line_end(c) => return Ok(Err((location, "expected \"]"))),
                Some('\\') => {
                    self.next()?;
                    match self.peek()? {
                        Some('"') if self.is_end_of_last_tag()? => value.push('\\'),
                        Some(escaped @ ('"' | '\\')) => {
                            self.next()?;
                            value.push(escaped);
                        }
                        _ => value.push('\\'),
                    }
                }
                Some('"') => {
                    self.next()?;
                    let blanks = self.take_while(is_blank)?;
                    self.skip_line_ends(|text| text.starts_with(']'))?;
                    if self.eat(']')? {
                        return Ok(Ok((name, value)));
                    }
                    value.push('"');
                    value.push_str(&blanks);
                }
                Some(c) => {
                    self.next()?;
                    value.push(c);
                }
            }
        }
    }

    /// Returns whether the next quotation mark ends the last tag of the line, even if the mark
    /// follows a backslash, as in `"C:\"]`.
    fn is_end_of_last_tag(&mut self) -> Result<bool, Failure> {
        let text = String::from_utf8_lossy(self.look_in_line(MAX_LOOKAHEAD)?);
        let rest = text.strip_prefix('"').map(str::trim_start).unwrap_or_default();
        Ok(rest.strip_prefix(']').is_some_and(|rest| !rest.contains('"')))
    }

    /// Reads the moves up to the result or, in a game without a result, up to the end of the game.
    fn moves<P: Recorded>(&mut self, tags: &[Tag], tree: &mut Tree<P>) -> Result<End<P>, Failure> {
        let free_results = free_results::<P>(tags);
        loop {
            // The fast reader would take the beginning of a result such as `1.02-0.98` for a
            // number. It does not store skipped text.
            let stores_token = tree.unread_label.is_some() && tree.is_skipping();
            if free_results.is_empty() && !stores_token {
                self.plain_moves(tree);
            }
            let word_end = self.location();
            self.skip_space()?;
            let location = self.location();
            let is_glued = word_end.line == location.line && word_end.column == location.column;
            let is_new_game = self.line_ends > 0 && self.tag_ahead()?.is_some();
            let Some(c) = self.peek()?.filter(|_| !is_new_game) else {
                tree.finish(location);
                return Ok(End { location, result: None, next: None });
            };
            if tree.is_main_line() && self.eat_free_result(&free_results)? {
                tree.finish(location);
                self.failure = self.comments_after_result(tree).err();
                return Ok(End { location, result: None, next: None });
            }
            let (depth, was_skipping) = (tree.outer.len(), tree.is_skipping());
            self.copied = tree.unread_label.map(|_| String::new());
            match c {
                '{' | ';' => self.add_comment(location, tree)?,
                '[' if self.starts_with("[%")? => {
                    let text = self.bare_command()?;
                    tree.comment(location, &text);
                }
                '(' => self.open_bracket(location, is_glued, tree)?,
                ')' => {
                    self.next()?;
                    tree.close(location);
                }
                '$' => {
                    self.next()?;
                    let number = self.take_while(|c| c.is_ascii_digit())?;
                    match number.parse() {
                        Ok(nag) => tree.nag(location, nag),
                        Err(_) => tree.report(location, Problem::Nag(excerpt(&number))),
                    }
                }
                '!' | '?' => self.add_glyph(location, tree)?,
                '.' | '…' => drop(self.next()?),
                '/' if self.starts_with("/FEN")? => {
                    if let Some(start) = self.set_up(location, tags, tree)? {
                        if tree.branch.line.moves.is_empty() {
                            let comments = mem::take(&mut tree.branch.line.closing);
                            tree.branch = Branch::new(start.clone(), start.first_number());
                            tree.branch.line.closing = comments;
                            tree.first = Some(start);
                        } else {
                            tree.finish(location);
                            return Ok(End { location, result: None, next: Some(start) });
                        }
                    }
                }
                _ => {
                    let word = self.word()?;
                    if let Some(result) = self.add_word(location, &word, &free_results, tree)? {
                        tree.finish(location);
                        self.failure = self.comments_after_result(tree).err();
                        return Ok(End { location, result: Some(result), next: None });
                    }
                }
            }
            // An unclosed comment starts the skipped text but is not part of it: it has been stored
            // as a comment.
            let is_skipped = was_skipping || tree.is_skipping() && c != '{';
            if let Some(token) = self.copied.take().filter(|_| is_skipped)
                && tree.outer.len() == depth
            {
                tree.skip_token(&token, is_glued);
            }
        }
    }

    /// Consumes one of the `results` if it ends the game. An empty line, a tag on a new line or the
    /// end of the source must follow, because the text could also be a move, as `8-2` in draughts.
    fn eat_free_result(&mut self, results: &[String]) -> Result<bool, Failure> {
        /// The maximum number of bytes searched for the text after the result.
        const MAX_GAP: usize = 64;
        for result in results {
            let ahead = String::from_utf8_lossy(self.look(result.len() + MAX_GAP)?).into_owned();
            let Some(rest) = ahead.strip_prefix(result.as_str()) else { continue };
            let rest = rest.replace("\\r", "").replace("\\n", "").replace("\r\n", "\n");
            let visible = rest.trim_start_matches(is_space);
            let gap = rest.strip_suffix(visible).unwrap_or_default();
            let lines = gap.chars().filter(|c| is_line_end(*c)).count();
            if visible.is_empty() || lines > 1 || lines == 1 && visible.starts_with('[') {
                result.chars().try_for_each(|_| self.next().map(drop))?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the moves that follow, up to the end of the line of play or the game. Numbers,
    /// signs, comments and variations are skipped.
    fn following_words<P: Recorded>(
        &mut self,
        free_results: &[String],
    ) -> Result<Vec<String>, Failure> {
        /// The maximum number of bytes that are read in advance.
        const MAX_AHEAD: usize = 1 << 13;
        let text = self.look(MAX_AHEAD)?.to_vec();
        let is_whole = text.len() < MAX_AHEAD;
        let mut ahead = Source::new(text.as_slice());
        let (mut words, mut depth) = (Vec::new(), 0_usize);
        loop {
            ahead.skip_space()?;
            match ahead.peek()? {
                None if is_whole => return Ok(words),
                // The last word can be incomplete.
                None => {
                    words.pop();
                    return Ok(words);
                }
                Some('[') if ahead.starts_with("[%")? => ahead.skip_while(|c| c != ']')?,
                Some('[' | '/') => return Ok(words),
                Some(')') if depth == 0 => return Ok(words),
                Some(')') => depth -= 1,
                Some('(') => depth += 1,
                Some('{') => {
                    ahead.comment()?;
                    continue;
                }
                Some(';') => {
                    ahead.rest_of_line()?;
                    continue;
                }
                Some(_) => {
                    let is_end = depth == 0 && ahead.eat_free_result(free_results)?;
                    let word = ahead.word()?;
                    let text = word.trim_end_matches('.');
                    if is_end || depth == 0 && text.parse::<P::Result>().is_ok() {
                        return Ok(words);
                    }
                    if !text.is_empty() {
                        if depth == 0 && is_move_like::<P>(text) {
                            words.push(text.to_owned());
                        }
                        if words.len() == MAX_WORDS {
                            return Ok(words);
                        }
                        // In draughts, a star directly after a move is an annotation sign, not the
                        // end of the game.
                        let _ = P::STAR.is_some() && ahead.eat('*')?;
                        continue;
                    }
                }
            }
            ahead.next()?;
        }
    }

    /// Reads comments between the result and the next empty line.
    fn comments_after_result<P: Recorded>(&mut self, tree: &mut Tree<P>) -> Result<(), Failure> {
        loop {
            self.skip_space()?;
            let location = self.location();
            match self.peek()?.filter(|_| self.line_ends < 2) {
                Some('{' | ';') => self.add_comment(location, tree)?,
                _ => return Ok(()),
            }
        }
    }

    /// Reads a comment in braces, or from a semicolon to the end of the line.
    fn add_comment<P: Recorded>(
        &mut self,
        location: Location,
        tree: &mut Tree<P>,
    ) -> Result<(), Failure> {
        if self.eat(';')? {
            let text = self.rest_of_line()?;
            tree.comment(location, &text);
            return Ok(());
        }
        let (text, is_closed) = self.comment()?;
        tree.comment(location, &text);
        if !is_closed {
            tree.break_off(location, Problem::UnclosedComment);
        }
        Ok(())
    }

    /// Reads a command such as `[%clk 0:59:58]` that is not in a comment. It can contain a line
    /// break.
    fn bare_command(&mut self) -> Result<String, Failure> {
        let is_inside = |c| c != ']' && !is_line_end(c);
        let mut text = self.take_while(is_inside)?;
        let closes_next = |rest: &str| rest.chars().find(|c| "[]{}\r\n".contains(*c)) == Some(']');
        if self.peek()?.is_some_and(is_line_end) {
            self.skip_line_ends(closes_next)?;
            text.push(' ');
            text += &self.take_while(is_inside)?;
        }
        if self.eat(']')? {
            text.push(']');
        }
        Ok(text)
    }

    /// Reads a glyph such as `!?`.
    fn add_glyph<P: Recorded>(
        &mut self,
        location: Location,
        tree: &mut Tree<P>,
    ) -> Result<(), Failure> {
        let sign = self.take_while(|c| matches!(c, '!' | '?'))?;
        signs::glyph(&sign).into_iter().for_each(|nag| tree.nag(location, nag));
        Ok(())
    }

    /// Reads a comment in braces. Also returns whether the comment is closed. A comment also counts
    /// as unclosed if a line in it begins a new game and the next brace is not a closing brace.
    fn comment(&mut self) -> Result<(String, bool), Failure> {
        self.next()?;
        let (mut text, mut is_closed_later) = (String::new(), false);
        loop {
            if self.location().column == 1 && !is_closed_later && self.starts_with(NEW_GAME)? {
                let rest = self.look(MAX_LOOKAHEAD)?;
                let brace = rest.iter().find(|byte| matches!(byte, b'{' | b'}'));
                if brace != Some(&b'}') {
                    return Ok((text, false));
                }
                is_closed_later = true;
            }
            match self.next()? {
                None => return Ok((text, false)),
                Some('}') => return Ok((text, true)),
                Some(c) => text.push(c),
            }
        }
    }

    /// Reads an opening bracket. It starts a variation, a draw offer `(=)`, or a sign in brackets,
    /// which PDN 3.0 allows, as in `32-28(?)`.
    fn open_bracket<P: Recorded>(
        &mut self,
        location: Location,
        is_glued: bool,
        tree: &mut Tree<P>,
    ) -> Result<(), Failure> {
        /// The maximum length of a sign in brackets, in bytes.
        const MAX_SIGN: usize = 12;
        let ahead = String::from_utf8_lossy(self.look(MAX_SIGN)?).into_owned();
        self.next()?;
        let inner = ahead.strip_prefix('(').and_then(|rest| rest.split_once(')'));
        let sign = inner.map(|(inner, _)| inner.trim());
        if let Some(sign) = sign
            && let Some(nag) = signs::glyph(sign)
        {
            self.skip_while(|c| c != ')')?;
            self.next()?;
            match sign {
                "=" => tree.comment(location, "(=)"),
                _ => tree.nag(location, nag),
            }
        } else if let Some('!' | '?') = self.peek()?.filter(|_| is_glued) {
            self.add_glyph(location, tree)?;
            tree.report(self.location(), Problem::SignBracket);
        } else {
            tree.open(location);
        }
        Ok(())
    }

    /// Reads `/FEN "position"/`, which sets up a position among the moves in PDN 3.0.
    fn set_up<P: Recorded>(
        &mut self,
        location: Location,
        tags: &[Tag],
        tree: &mut Tree<P>,
    ) -> Result<Option<P>, Failure> {
        self.take_while(|c| c != '"' && !is_line_end(c))?;
        self.eat('"')?;
        let fen = self.take_while(|c| c != '"' && !is_line_end(c))?;
        self.take_while(|c| c != '/' && !is_line_end(c))?;
        self.eat('/')?;
        if tree.is_skipping() {
            return Ok(None);
        }
        if !tree.outer.is_empty() {
            tree.break_off(location, Problem::SetUp);
            return Ok(None);
        }
        let start = P::from_fen(&fen).and_then(|start| in_game(start, tags).map_err(|(_, e)| e));
        Ok(start.map_err(|error| tree.break_off(location, Problem::Rules(error))).ok())
    }

    /// Processes a word among the moves: adds a move or sign to the tree, skips a move number, or
    /// returns the result of the game.
    fn add_word<P: Recorded>(
        &mut self,
        location: Location,
        word: &str,
        free_results: &[String],
        tree: &mut Tree<P>,
    ) -> Result<Option<P::Result>, Failure> {
        if word.is_empty() {
            if let Some(c) = self.next()? {
                tree.report(location, Problem::Character(c));
            }
            return Ok(None);
        }
        let text = match word.trim_end_matches('.') {
            "" => word,
            text => text,
        };
        if is_number(text) {
            let is_numbered = matches!(self.peek()?, Some('.' | '…'));
            if is_numbered || text.parse() == Ok(tree.branch.number) {
                // Some programs write `1)` for the first move.
                if tree.outer.is_empty() {
                    self.eat(')')?;
                }
                return Ok(None);
            }
        }
        if P::SUFFIXES.contains(&text) {
            return Ok(None);
        }
        if let Ok(result) = text.parse() {
            // Some programs also write results at the end of variations.
            return Ok(tree.is_main_line().then_some(result));
        }
        if let Some(nag) = signs::glyph(text) {
            tree.nag(location, nag);
            return Ok(None);
        }
        // In draughts, a star directly after a move is a sign and not the end of the game.
        let star = P::STAR.filter(|_| text != "*");
        let star = if star.is_some() && self.eat('*')? { star } else { None };
        let moves = tree.branch.line.moves.len();
        tree.push(location, text, || self.following_words::<P>(free_results))?;
        if tree.branch.line.moves.len() > moves {
            star.into_iter().for_each(|nag| tree.branch.nag(nag));
        }
        Ok(None)
    }

    /// Reads a word: a move, a sign, a move number or a result. Returns an empty string if no word
    /// follows.
    fn word(&mut self) -> Result<String, Failure> {
        for word in ["*", "<>", "@@@@"] {
            if self.starts_with(word)? {
                word.chars().try_for_each(|_| self.next().map(drop))?;
                return Ok(word.to_owned());
            }
        }
        let mut word = String::new();
        while let Some(c) = self.peek()? {
            let starts_with_digit = word.starts_with(|c: char| c.is_ascii_digit());
            match c {
                // A dot after a number is not part of the word. A dot within any other word is part
                // of the word, because it belongs to "e.p.".
                '.' if !word.is_empty() && !starts_with_digit => {}
                '(' if !word.is_empty() && self.is_promotion_ahead()? => {
                    word.push(c);
                    self.next()?;
                    word.extend(self.next()?);
                    word.extend(self.next()?);
                    continue;
                }
                c if is_symbol(c) => {}
                c if is_invisible(c) => {
                    self.next()?;
                    continue;
                }
                _ => {
                    let Some(rest) = self.continuation(&word)? else { break };
                    rest.chars().try_for_each(|_| self.next().map(drop))?;
                    word.extend(rest.chars().filter(|c| !is_space(*c)).map(|c| match c {
                        '*' => 'x',
                        c => c,
                    }));
                    continue;
                }
            }
            self.next()?;
            word.push(c);
        }
        Ok(word)
    }

    /// Returns whether a promotion piece in brackets follows, as in `a8(Q)`.
    fn is_promotion_ahead(&mut self) -> Result<bool, Failure> {
        let ahead = self.look(3)?;
        Ok(matches!(ahead, [b'(', b'Q' | b'R' | b'B' | b'N' | b'q' | b'r' | b'b' | b'n', b')']))
    }

    /// Returns the text between a word and the next number if the number belongs to the same move
    /// or result. Draughts moves can have spaces around the separator, or a star as the separator
    /// (`32 - 28`, `1- 6`, `28*19`).
    fn continuation(&mut self, word: &str) -> Result<Option<String>, Failure> {
        /// The maximum length of the text between the two numbers of a move, in bytes.
        const MAX_GAP: usize = 16;
        const CAPTURES: [char; 5] = ['x', 'X', ':', '×', '*'];
        let is_sign = |c: char| is_dash(c) || CAPTURES.contains(&c);
        let is_numeric = word.starts_with(|c: char| c.is_ascii_digit())
            && word.chars().all(|c| c.is_ascii_digit() || c == '/' || is_sign(c));
        if !is_numeric {
            return Ok(None);
        }
        let ahead = String::from_utf8_lossy(self.look(MAX_GAP)?).into_owned();
        let gap: String = ahead.chars().take_while(|&c| is_space(c) || is_sign(c)).collect();
        let number = ahead.strip_prefix(&*gap).unwrap_or_default();
        let lines = gap.matches('\n').count();
        let signs: Vec<char> = gap.chars().filter(|c| !is_space(*c)).collect();
        let fits = match signs[..] {
            [] => word.ends_with(is_sign) && !gap.is_empty(),
            ['*'] if gap.len() > 1 => false,
            [sign] if word.contains(is_sign) => {
                !word.ends_with(is_sign) && word.contains(CAPTURES) && CAPTURES.contains(&sign)
            }
            [_] => true,
            _ => false,
        };
        let is_number = number.starts_with(|c: char| c.is_ascii_digit());
        Ok((fits && is_number && lines < 2).then_some(gap))
    }
}

/// Returns whether a word can be a move: it is neither a move number nor a sign nor an ordinary
/// word.
fn is_move_like<P: Recorded>(text: &str) -> bool {
    let is_number = is_number(text) && text.len() < 3;
    let is_sign = P::SUFFIXES.contains(&text) || signs::glyph(text).is_some();
    !is_number && !is_sign && !is_word(text)
}

const fn is_symbol_sign(c: char) -> bool {
    matches!(c, '_' | '+' | '#' | '=' | ':' | '-' | '/' | '~')
}

fn is_symbol(c: char) -> bool {
    c.is_ascii_alphanumeric() || is_symbol_sign(c) || !c.is_ascii() && !is_space(c) && c != '…'
}
