//! The moves of a game that is being read: the current line, the lines that contain it, and the
//! faults found so far.

use super::fault::{Fault, Loss, Problem, UnreadMove};
use super::read::Scope;
use super::signs;
use super::source::Location;
use super::{Line, MAX_NESTING, Node, Recorded, tidy};
use crate::base::cursor::excerpt;
use crate::base::side::Side;
use std::borrow::Cow;
use std::error::Error;
use std::mem;

/// The maximum total number of moves, comments, glyphs and variations of a game. The limit bounds
/// the memory used, because each of these parts is much larger in memory than in the text.
const MAX_PARTS: usize = 1 << 18;
/// The maximum number of faults in a game. After that, the rest of the game is skipped.
const MAX_FAULTS: usize = 100;
/// The maximum number of annotation signs directly after a move.
const MAX_SIGNS: usize = 3;
/// The maximum number of words that are read ahead after a move, or stored if the first move of the
/// main line is unreadable.
pub(super) const MAX_WORDS: usize = 100;
/// The maximum number of lookaheads per game (see [`Tree::lookaheads`]). The limit bounds the time,
/// because a lookahead can take milliseconds.
const MAX_LOOKAHEADS: usize = 100;

/// The faults of the game being read.
pub(super) struct Faults<E: Error> {
    pub found: Vec<Fault<E>>,
    /// The number of moves, comments, glyphs and variations so far.
    pub parts: usize,
    /// True if the rest of the game is skipped.
    pub ended: bool,
}

impl<E: Error> Faults<E> {
    pub(super) const fn new() -> Self {
        Self { found: Vec::new(), parts: 0, ended: false }
    }

    pub(super) fn report(&mut self, location: Location, problem: Problem<E>, loss: Loss) {
        if self.ended {
            return;
        }
        self.found.push(location.fault(problem, loss));
        if self.found.len() == MAX_FAULTS {
            self.end(location, "faults", MAX_FAULTS);
        }
    }

    pub(super) fn end(&mut self, location: Location, parts: &'static str, max: usize) {
        self.found.push(location.fault(Problem::TooMany { parts, max }, Loss::MainLine));
        self.ended = true;
    }

    /// Returns whether one more part would exceed the limit of `MAX_PARTS`.
    pub(super) const fn is_full(&self) -> bool {
        self.parts >= MAX_PARTS
    }

    /// Counts a move, comment, glyph or variation.
    pub(super) fn count_part(&mut self, location: Location) {
        if self.parts == MAX_PARTS && !self.ended {
            self.end(location, "moves, comments, glyphs and variations", MAX_PARTS);
        }
        self.parts += 1;
    }
}

/// A line being read, and the positions before and after its last move.
pub(super) struct Branch<P: Recorded> {
    pub line: Line<P::Move>,
    /// The glyphs before the first move of the line.
    pub nags: Vec<u16>,
    /// The position before the last move, where variations start.
    pub before: P,
    pub position: P,
    /// The number of the next move.
    pub number: u32,
    /// True if the rest of the line is skipped after a fault.
    pub is_lost: bool,
    /// The current nesting depth of skipped variations.
    pub skipped: usize,
    /// The skipped text of the line, if it is stored.
    pub unread: String,
}

impl<P: Recorded> Branch<P> {
    pub(super) fn new(position: P, number: u32) -> Self {
        Self {
            line: Line::default(),
            nags: Vec::new(),
            before: position.clone(),
            position,
            number,
            is_lost: false,
            skipped: 0,
            unread: String::new(),
        }
    }

    /// Returns the number of the next move with its dots.
    pub(super) fn numbered(&self) -> String {
        let dots = if self.position.side() == Side::White { "." } else { "..." };
        format!("{}{dots}", self.number)
    }

    /// Returns the skipped text as a comment, or `None` if no text was skipped or `label` is
    /// `None`. Braces and commands are altered, because braces would end the comment, and a program
    /// would execute a command such as `[%clk 0:01:00]`.
    pub(super) fn unread_comment(&mut self, label: Option<&str>) -> Option<String> {
        let label = label.filter(|_| !self.unread.is_empty())?;
        let text = mem::take(&mut self.unread).replace("[%", "[ %");
        Some(format!("{label} {}", text.replace('{', "(").replace('}', ")")))
    }

    /// Creates a variation of the last move, or returns `None` if the line has no moves.
    pub(super) fn variation(&self) -> Option<Self> {
        self.line.moves.last()?;
        let number = self.number - u32::from(self.position.side() == Side::White);
        Some(Self::new(self.before.clone(), number))
    }

    pub(super) fn push(&mut self, m: P::Move, nags: Vec<u16>) {
        let mut node = Node::new(m);
        node.before = mem::take(&mut self.line.closing);
        node.nags = mem::take(&mut self.nags);
        node.nags.extend(nags);
        self.line.moves.push(node);
        self.number += u32::from(self.position.side() == Side::Black);
        self.before.clone_from(&self.position);
        self.before.play_in(m, &mut self.position);
    }

    pub(super) fn nag(&mut self, nag: u16) {
        match self.line.moves.last_mut() {
            Some(node) => node.nags.push(nag),
            None => self.nags.push(nag),
        }
    }

    pub(super) fn comment(&mut self, text: &str) {
        let Some(text) = tidy(text).map(Cow::into_owned) else { return };
        match self.line.moves.last_mut() {
            Some(node) if node.variations.is_empty() => {
                // Nearly every commented move has one comment.
                node.comments.reserve_exact(usize::from(node.comments.is_empty()));
                node.comments.push(text);
            }
            _ => self.line.closing.push(text),
        }
    }

    /// Returns all moves that a text can denote, with up to `max_signs` annotation signs directly
    /// after it.
    pub(super) fn matching_moves(position: &P, text: &str, max_signs: usize) -> Vec<P::Move> {
        let whole = position.matching_moves(text);
        if !whole.is_empty() || max_signs == 0 {
            return whole;
        }
        signs::splits(text)
            .map(|(rest, _)| Self::matching_moves(position, rest, max_signs - 1))
            .find(|moves| !moves.is_empty())
            .unwrap_or_default()
    }

    /// Parses a move with up to `max_signs` annotation signs directly after it. The error refers to
    /// the whole text.
    pub(super) fn read(
        &self,
        text: &str,
        max_signs: usize,
    ) -> Result<(P::Move, Vec<u16>), P::MoveError> {
        let whole = self.position.read_recorded(text);
        let error = match whole {
            Ok(m) => return Ok((m, Vec::new())),
            Err(error) => error,
        };
        let splits = signs::splits(text).filter(|_| max_signs > 0);
        for (rest, nag) in splits {
            if let Ok((m, mut nags)) = self.read(rest, max_signs - 1) {
                nags.push(nag);
                return Ok((m, nags));
            }
        }
        Err(error)
    }
}

/// The moves of a game being read: the current line, and the lines that contain it.
pub(super) struct Tree<P: Recorded> {
    pub branch: Branch<P>,
    pub outer: Vec<Branch<P>>,
    pub faults: Faults<P::Error>,
    pub scope: Scope,
    /// The label of the comments that store skipped text; `None` if skipped text is not stored.
    pub unread_label: Option<&'static str>,
    /// True if nothing in the main line could be read, so that it contains only skipped text.
    pub is_unread: bool,
    /// The first words of the main line, if its first move is unreadable.
    pub unread: Vec<(Location, String)>,
    /// The number of lookaheads so far. A lookahead reads the moves after an ambiguous or
    /// unreadable move to decide how to interpret it.
    pub lookaheads: usize,
    /// The spelling of the game's moves, if it is not the usual one.
    pub spelling: Option<usize>,
    /// The position that was set up in the text before the first move.
    pub first: Option<P>,
}

impl<P: Recorded> Tree<P> {
    /// Returns whether the text being read is part of a skipped line or game.
    pub(super) const fn is_skipping(&self) -> bool {
        self.faults.ended || self.branch.is_lost || self.branch.skipped > 0
    }

    pub(super) const fn is_main_line(&self) -> bool {
        self.outer.is_empty() && self.branch.skipped == 0
    }

    /// Reports a fault that affects only the faulty text.
    pub(super) fn report(&mut self, location: Location, problem: Problem<P::Error>) {
        if !self.is_skipping() {
            self.faults.report(location, problem, Loss::Text);
        }
    }

    /// Reports a fault and skips the rest of the line.
    pub(super) fn break_off(&mut self, location: Location, problem: Problem<P::Error>) {
        if !self.is_skipping() {
            let loss = if self.outer.is_empty() { Loss::MainLine } else { Loss::Variation };
            self.faults.report(location, problem, loss);
            self.branch.is_lost = true;
        }
    }

    /// Adds a token to the skipped text of the current line. `is_glued` is true if no space comes
    /// before the token.
    pub(super) fn skip_token(&mut self, token: &str, is_glued: bool) {
        let is_first = self.branch.unread.is_empty();
        if is_first && !token.starts_with('(') {
            self.branch.unread = self.branch.numbered() + " ";
        } else if !is_first && !is_glued {
            self.branch.unread.push(' ');
        }
        self.branch.unread.push_str(token);
    }

    pub(super) fn nag(&mut self, location: Location, nag: u16) {
        self.faults.count_part(location);
        if !self.is_skipping() {
            self.branch.nag(nag);
        }
    }

    /// Returns whether a comment at this point is stored.
    pub(super) const fn keeps_comment(&self) -> bool {
        matches!(self.scope, Scope::All) || self.branch.line.moves.is_empty()
    }

    pub(super) fn comment(&mut self, location: Location, text: &str) {
        self.faults.count_part(location);
        if !self.is_skipping() && self.keeps_comment() {
            self.branch.comment(text);
        }
    }

    pub(super) fn open(&mut self, location: Location) {
        self.faults.count_part(location);
        if self.is_skipping() {
            self.branch.skipped += 1;
            return;
        }
        match self.branch.variation() {
            Some(variation) if self.outer.len() < MAX_NESTING => {
                self.outer.push(mem::replace(&mut self.branch, variation));
            }
            variation => {
                let problem = match variation {
                    Some(_) => Problem::Nesting,
                    None => Problem::NoMove("a variation"),
                };
                self.faults.report(location, problem, Loss::Variation);
                self.branch.skipped += 1;
            }
        }
    }

    pub(super) fn close(&mut self, location: Location) {
        if self.branch.skipped > 0 {
            self.branch.skipped -= 1;
            return;
        }
        self.check_glyphs(location);
        let Some(parent) = self.outer.pop() else {
            self.report(location, Problem::StrayBracket);
            return;
        };
        let mut closed = mem::replace(&mut self.branch, parent);
        if let Some(comment) = closed.unread_comment(self.unread_label) {
            match closed.line.moves.is_empty() {
                true => self.branch.comment(&format!("({comment})")),
                false => closed.comment(&comment),
            }
        }
        let mut inner = closed.line;
        // Save memory: a game may contain thousands of one-move variations.
        inner.moves.shrink_to_fit();
        if let Some(node) = self.branch.line.moves.last_mut()
            && !inner.is_empty()
        {
            node.variations.push(inner);
        }
    }

    /// Reports a fault if the line ends with glyphs but no move.
    pub(super) fn check_glyphs(&mut self, location: Location) {
        if !mem::take(&mut self.branch.nags).is_empty() {
            self.report(location, Problem::NoMove("a glyph"));
        }
    }

    /// Ends the game where the source could not be read.
    pub(super) fn cut_off(&mut self, location: Location, problem: Problem<P::Error>) {
        self.faults.found.push(location.fault(problem, Loss::MainLine));
        self.faults.ended = true;
        self.finish(location);
    }

    /// Closes all variations at the end of the game.
    pub(super) fn finish(&mut self, location: Location) {
        if self.outer.is_empty() {
            self.check_glyphs(location);
        } else {
            self.faults.report(location, Problem::UnclosedVariation, Loss::Variation);
        }
        while !self.outer.is_empty() {
            self.branch.skipped = 0;
            self.close(location);
        }
        if let Some(comment) = self.branch.unread_comment(self.unread_label) {
            self.is_unread = self.branch.line.is_empty();
            self.branch.comment(&comment);
            // Stop skipping, so that the comments after the result are stored.
            self.branch.is_lost = false;
        }
    }

    /// Adds a move with its signs, or reports a fault if the text is not a move. If the move is
    /// ambiguous or could be in another spelling, the words that `following` returns decide.
    pub(super) fn push<F>(
        &mut self,
        location: Location,
        text: &str,
        following: impl FnOnce() -> Result<Vec<String>, F>,
    ) -> Result<(), F> {
        self.faults.count_part(location);
        if self.is_skipping() {
            self.store_unread(location, text);
            return Ok(());
        }
        let mut spelled = respelled::<P>(self.spelling, text);
        let mut read = self.branch.read(&spelled, MAX_SIGNS);
        let is_stray_number = |error: &_| is_number(text) && P::is_malformed(error);
        let is_unclear = match &read {
            Ok(_) => self.spelling.is_none() && P::is_dubious(text),
            Err(error) => !is_stray_number(error),
        };
        if is_unclear && self.lookaheads < MAX_LOOKAHEADS {
            let candidates = self.branch.position.matching_moves(&spelled);
            if read.is_ok() || candidates.len() > 1 || candidates.is_empty() && P::SPELLINGS > 0 {
                self.lookaheads += 1;
                let words = following()?;
                let is_decided = match &read {
                    Ok((m, _)) => self.are_legal(*m, &words),
                    Err(_) => {
                        let words: Vec<_> =
                            words.iter().map(|word| respelled::<P>(self.spelling, word)).collect();
                        let m = decide(&self.branch.position, &candidates, &words);
                        if let Some(m) = m {
                            read = Ok((m, Vec::new()));
                        }
                        m.is_some()
                    }
                };
                let is_malformed = read.as_ref().is_err_and(P::is_malformed);
                if !is_decided && let Some(spelling) = self.spelling_of(text, is_malformed, &words)
                {
                    self.spelling = Some(spelling);
                    spelled = respelled::<P>(self.spelling, text);
                    read = self.branch.read(&spelled, MAX_SIGNS);
                }
            }
        }
        match read {
            Ok((m, nags)) => self.branch.push(m, nags),
            Err(error) if is_stray_number(&error) => {
                self.report(location, Problem::Number(excerpt(text)));
            }
            Err(error) => {
                let error = match self.spelling {
                    Some(spelling) => P::error_in_spelling(error, spelling, text),
                    None => error,
                };
                self.push_before_sign(location, &spelled, error);
            }
        }
        self.store_unread(location, text);
        Ok(())
    }

    /// Stores a word of a main line without a readable move.
    fn store_unread(&mut self, location: Location, text: &str) {
        let is_unread = self.branch.is_lost && self.branch.line.moves.is_empty();
        if is_unread && self.is_main_line() && self.unread.len() < MAX_WORDS {
            self.unread.push((location, text.to_owned()));
        }
    }

    /// Returns whether the words are legal moves in their usual spelling after the move `m`.
    fn are_legal(&self, m: P::Move, words: &[String]) -> bool {
        let mut words = words.iter();
        words
            .try_fold(self.branch.position.after(m), |position, word| next(&position, word))
            .is_some()
    }

    /// Returns the spelling in which an unreadable or dubious move and the following moves are
    /// legal.
    ///
    /// A following move confirms a spelling if respelling changes the text of the move. If all
    /// following moves are legal, one confirmation is enough. Otherwise, two moves before the first
    /// illegal move must confirm the spelling. If the unreadable move is malformed, no confirmation
    /// is needed when the illegal move is also illegal in the usual spelling.
    fn spelling_of(&self, text: &str, is_malformed: bool, following: &[String]) -> Option<usize> {
        /// The number of moves that is sufficient to confirm a spelling.
        const CONFIRMATIONS: usize = 4;
        (0..P::SPELLINGS).find(|&spelling| {
            let first = P::respell(spelling, text);
            let Some(mut position) = first.and_then(|text| next(&self.branch.position, &text))
            else {
                return false;
            };
            let mut confirmations = 0;
            for word in following {
                let respelled = P::respell(spelling, word);
                match next(&position, respelled.as_ref().unwrap_or(word)) {
                    Some(after) => position = after,
                    None => {
                        return confirmations > 1
                            || is_malformed && next(&position, word).is_none();
                    }
                }
                confirmations += usize::from(respelled.is_some());
                if confirmations == CONFIRMATIONS {
                    break;
                }
            }
            confirmations > 0
        })
    }

    /// Handles a text that is not a move with known signs. If the text is a move followed by an
    /// unknown sign, adds the move and reports the sign. If the text is only a sign or an ordinary
    /// word, reports a fault and skips this text alone. For any other text, reports a fault and
    /// skips the rest of the line.
    pub(super) fn push_before_sign(&mut self, location: Location, text: &str, error: P::MoveError) {
        let bare = text.trim_end_matches(|c: char| !c.is_alphanumeric());
        let sign = text.strip_prefix(bare).and_then(|signs| signs.chars().next());
        match sign.map(|sign| (sign, self.branch.read(bare, MAX_SIGNS))) {
            Some((sign, Ok((m, nags)))) => {
                self.branch.push(m, nags);
                self.report(location, Problem::Character(sign));
            }
            Some((sign, _)) if bare.is_empty() && P::is_malformed(&error) => {
                self.report(location, Problem::Character(sign));
            }
            _ if is_word(text) => self.report(location, Problem::Rules(error.into())),
            _ => {
                let unread = UnreadMove { number: self.branch.numbered(), text: text.to_owned() };
                self.break_off(location, Problem::Rules(error.into()));
                if let Some(fault) = self.faults.found.last_mut() {
                    fault.unread = Some(unread);
                }
            }
        }
    }
}

/// Returns the position after the first move that a word can denote, or `None` if it denotes none.
fn next<P: Recorded>(position: &P, word: &str) -> Option<P> {
    let moves = Branch::matching_moves(position, word, MAX_SIGNS);
    moves.first().map(|&m| position.after(m))
}

/// Converts a move to its usual spelling.
fn respelled<P: Recorded>(spelling: Option<usize>, text: &str) -> Cow<'_, str> {
    let usual = spelling.and_then(|spelling| P::respell(spelling, text));
    usual.map_or(Cow::Borrowed(text), Cow::Owned)
}

/// Returns the only candidate after which the words are legal moves; `None` if there are several
/// such candidates, or none.
fn decide<P: Recorded>(
    position: &P,
    candidates: &[P::Move],
    words: &[Cow<'_, str>],
) -> Option<P::Move> {
    /// The maximum number of positions that the words so far can lead to.
    const MAX_POSITIONS: usize = 16;
    /// The number of words to read after only one candidate is left. A wrong candidate usually
    /// fails at one of them.
    const CONFIRMATIONS: usize = 8;
    let mut lines: Vec<_> = candidates.iter().map(|&m| (m, position.after(m))).collect();
    let is_decided = |lines: &[(P::Move, P)]| lines.iter().all(|(m, _)| *m == lines[0].0);
    let mut confirmations = 0;
    for word in words {
        let next = |(first, position): &(P::Move, P)| {
            let moves = Branch::matching_moves(position, word, MAX_SIGNS);
            moves.into_iter().map(|m| (*first, position.after(m))).collect::<Vec<_>>()
        };
        lines = lines.iter().flat_map(next).collect();
        confirmations += usize::from(is_decided(&lines));
        if lines.is_empty() || lines.len() > MAX_POSITIONS || confirmations > CONFIRMATIONS {
            break;
        }
    }
    let (m, _) = lines.first()?;
    is_decided(&lines).then_some(*m)
}

/// Returns whether a text is an ordinary word. A move with more than three characters is never all
/// letters.
pub(super) fn is_word(text: &str) -> bool {
    text.chars().count() > 3 && text.chars().all(char::is_alphabetic)
}

pub(super) fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}
