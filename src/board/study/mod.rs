//! A position or game under analysis: the move tree, the lines of up to two engines, the analysis
//! of the whole game, the lesson from its mistakes, and the moves played in other games.

pub(super) mod collection;
mod explorer;
mod export;
mod lesson;
mod panel;
mod review;
mod shapes;
mod tree;

pub(super) use explorer::GameFile;
pub(super) use panel::can_analyse;
pub(super) use review::{MAX_DEPTH, MAX_MOVETIME, ReviewError};
pub(super) use shapes::MAX_SHAPES;

use super::desk::{Desk, Requests, Update, file, keys, name_of, plies};
use super::equipment::Equipment;
use super::game::{BoardGame, StartError};
use super::message::study::{Effort, PlayedMoves, ResultChoice, Shape, Studied};
use super::message::{Board, Lines, Mode, ServerMessage};
use super::opponent::game_of;
use super::outlet::{EngineEvent, EngineReport, Outlet};
use super::thinker::{Aim, HASH_MB};
use super::typed::TypedMoveError;
use crate::arena::engine::analysis::AnalysisSettings;
use crate::arena::engine::entrant::Entrant;
use crate::base::side::Side;
use crate::chess::notation::Notation;
use crate::laws::language::{Bilingual, InFrench as _, Language};
use crate::record::games::{EditError, Record, TreePath};
use crate::search::limits::Limits;
use crate::tools::analyse::{annotate, clock, commands, times, visible_text};
use collection::ReadGame;
use export::Puzzle;
use lesson::Lesson;
use panel::{Panel, Query};
use review::Review;
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::mem;
use std::sync::Arc;
use std::time::Duration;

const MAX_LINES: usize = 5;
/// Maximum number of moves in a game, including variations. More moves would make the page slow.
pub(super) const MAX_MOVES: usize = 4000;
pub(super) const MAX_COMMENT_LENGTH: usize = 4000;
pub(super) const MAX_NAGS: usize = 16;

#[derive(Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(tag = "ask", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Request {
    Move {
        text: String,
    },
    /// Goes to the position after this many moves of the current line.
    At {
        ply: usize,
    },
    /// Goes to the position after the move with this number, or to the start if it is 0. Moves are
    /// numbered in the order of the game text.
    Go {
        number: usize,
    },
    /// Removes the move that led to the displayed position, and all its continuations.
    TakeBack,
    Promote,
    /// Replaces the comments and numeric annotation glyphs (NAGs) of the move that led to the
    /// displayed position. At the start, replaces the comments before the first move.
    Remark {
        comments: Vec<String>,
        nags: Vec<u16>,
    },
    Review {
        effort: Effort,
    },
    Cancel,
    /// Starts the engine with this many lines.
    Analyse {
        lines: usize,
        #[serde(default)]
        threads: Option<usize>,
        /// Size of the transposition table, in MiB.
        #[serde(default)]
        hash: Option<usize>,
        /// The name of another engine; `None` is Adoube.
        #[serde(default)]
        engine: Option<String>,
        /// The engine panel: 0, or 1 for the second engine.
        #[serde(default)]
        panel: usize,
        /// The time per position in seconds; 0 for no limit.
        #[serde(default)]
        seconds: u64,
    },
    /// Analyses what the opponent threatens: the position with the turn passed to the opponent.
    Threat {
        on: bool,
    },
    /// Replaces tags. An empty text removes the tag. `result` is set if the result changes.
    Tags {
        tags: BTreeMap<TagName, String>,
        result: Option<ResultChoice>,
    },
    /// Plays several moves, such as an engine line.
    Line {
        moves: Vec<String>,
    },
    /// Replaces the arrows and circles of the displayed position.
    Draw {
        shapes: Vec<Shape>,
    },
    /// Reverts the last change of the game.
    Undo,
    Redo,
    Stop {
        #[serde(default)]
        panel: usize,
    },
    /// Shows or hides the moves played in the games of the file.
    Explore {
        on: bool,
    },
    /// Begins a lesson from the mistakes of a player. `number` is the number of the mistake to
    /// begin with, counted from 1; the default is the first.
    Learn {
        side: Side,
        #[serde(default)]
        number: Option<usize>,
    },
    /// Tries a move in a lesson.
    Try {
        text: String,
    },
    /// Shows the better line of a lesson.
    Answer,
    /// Goes to the next mistake of a lesson.
    NextMistake,
    EndLesson,
    /// Saves the puzzles that the review found.
    Puzzles {
        format: PuzzleFormat,
    },
    /// Saves the game and its analysis as a web page.
    Export,
    Save,
    #[serde(other)]
    Unknown,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub(super) enum PuzzleFormat {
    Epd,
    /// PGN, or PDN in draughts.
    Games,
}

/// A tag that the page can edit. New tags are added to a record in the order of the variants.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum TagName {
    White,
    Black,
    WhiteElo,
    BlackElo,
    Event,
    Round,
    Site,
    Date,
}

impl TagName {
    const fn name(self) -> &'static str {
        match self {
            Self::White => "White",
            Self::Black => "Black",
            Self::WhiteElo => "WhiteElo",
            Self::BlackElo => "BlackElo",
            Self::Event => "Event",
            Self::Round => "Round",
            Self::Site => "Site",
            Self::Date => "Date",
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub(super) enum StudyError {
    #[error(transparent)]
    Fen(StartError),
    #[error("{0}")]
    Record(Bilingual),
    #[error("there is no game in the text")]
    NoGame,
    #[error("the game has {0} moves including variations; the limit is {MAX_MOVES}")]
    TooLong(usize),
    #[error(transparent)]
    Typed(#[from] TypedMoveError),
    #[error("the game has reached the limit of {MAX_MOVES} moves")]
    TooManyMoves,
    #[error("{0}")]
    Edit(Bilingual),
    #[error("a move can have at most {MAX_NAGS} annotation signs")]
    TooManyNags,
    #[error("there is no move to annotate at the start")]
    NagWithoutMove,
    #[error("a position can have at most {MAX_SHAPES} arrows and circles")]
    TooManyShapes,
    #[error("an arrow or circle is outside the board")]
    ShapeOutside,
    #[error("there is nothing to undo")]
    NothingToUndo,
    #[error("there is nothing to redo")]
    NothingToRedo,
    #[error("the comments on a move are limited to {MAX_COMMENT_LENGTH} characters")]
    CommentTooLong,
    #[error(transparent)]
    Review(#[from] ReviewError),
    #[error("there is no engine '{0}' for analysis")]
    NoEngine(String),
    #[error("{0} has no mistakes with a better line: analyse the game first")]
    NoMistakes(Side),
    #[error("no lesson is open")]
    NoLesson,
    #[error("the last review found no puzzles")]
    NoPuzzles,
    #[error("the page needs the scores of the moves: analyse the game first")]
    NotAnalysed,
    #[error("this request is not possible in a study")]
    Unknown,
}

pub(super) struct Study<G: BoardGame> {
    game: Record<G>,
    /// The path of the displayed position in the game tree.
    place: TreePath,
    position: G,
    panels: [Panel<G>; 2],
    review: Option<Review<G>>,
    lesson: Option<Lesson<G>>,
    /// The puzzles that the last review found.
    puzzles: Vec<Puzzle<G>>,
    /// The games of the opened file, in which the moves played are counted.
    games: Option<Arc<GameFile>>,
    explores: bool,
    outlet: Outlet,
    equipment: Equipment,
    /// The undo history. Each entry is the game before a change, and the position displayed at that
    /// time.
    past: Vec<(Record<G>, TreePath)>,
    /// The redo history. Each entry is the game after an undone change, and the position displayed
    /// at that time.
    future: Vec<(Record<G>, TreePath)>,
    changed: bool,
    /// True if the engines analyse what the opponent threatens.
    shows_threat: bool,
    language: Language,
}

/// Maximum number of changes that can be undone.
const MAX_UNDO: usize = 100;
/// Maximum size of the engine's transposition table, in MiB.
const MAX_HASH_MB: usize = 1024;
/// Maximum time per position, in seconds.
const MAX_SECONDS: u64 = 86_400;
/// The duration of the search that compares a tried move with the better move in a lesson.
const COMPARISON: Duration = Duration::from_millis(700);

/// Information about an opened text.
pub(super) struct Opened {
    /// A note for the user.
    pub note: Option<String>,
    /// Set if the text contains several games.
    pub has_many: bool,
}

impl<G: BoardGame> Study<G> {
    /// Opens a position (FEN) or a game from a PGN or PDN text. `number` is the zero-based index of
    /// the game; the default is the first game. An empty text opens the start position. Also
    /// returns an optional note for the user.
    pub(super) fn open(
        text: &str,
        number: Option<usize>,
        outlet: Outlet,
        equipment: Equipment,
        language: Language,
    ) -> Result<(Self, Opened), StudyError> {
        let text = text.trim();
        let mut note = None;
        let mut has_many = number.is_some();
        let game = match G::read_fen(text) {
            _ if text.is_empty() => new_record(G::start()),
            Ok(start) => new_record(start),
            Err(error) => {
                // A single line without move numbers or tags is probably a mistyped FEN if it does
                // not begin with a move.
                let is_line = !text.contains(['\n', '[']) && !text.contains("1.");
                let is_epd = || collection::has_positions(text) && G::read_epd(text).is_ok();
                let has_moves = || {
                    let game = collection::read::<G>(text, language).next();
                    let game = game.and_then(|read| read.game);
                    game.is_some_and(|game| !game.line().moves.is_empty())
                };
                if is_line && !is_epd() && !has_moves() {
                    return Err(StudyError::Fen(error));
                }
                let mut games = collection::read::<G>(text, language);
                let ReadGame { game, faults } =
                    games.nth(number.unwrap_or(0)).ok_or(StudyError::NoGame)?;
                let game = game.ok_or_else(|| {
                    let why = |language| collection::joined(&faults, language);
                    StudyError::Record(Bilingual::written(why))
                })?;
                let rest = if number.is_some() { 0 } else { 1000 };
                let more = games.take(rest).filter(|read| read.faults.is_empty()).count();
                has_many |= more > 0;
                let count = more + 1;
                let many = (more > 0).then(|| match language {
                    Language::English => {
                        format!("The text contains {count} games. The first is open.")
                    }
                    Language::French => {
                        format!("Le texte contient {count} parties. La première est ouverte.")
                    }
                });
                let faults = (!faults.is_empty())
                    .then(|| format!("{}.", collection::joined(&faults, language)));
                let notes: Vec<_> = many.into_iter().chain(faults).collect();
                note = (!notes.is_empty()).then(|| notes.join(" "));
                game
            }
        };
        check_length(&game)?;
        let study = Self {
            place: TreePath::default(),
            position: game.start().clone(),
            game,
            panels: [outlet.clone(), outlet.clone()].map(Panel::new),
            review: None,
            lesson: None,
            puzzles: Vec::new(),
            games: None,
            explores: false,
            outlet,
            equipment,
            past: Vec::new(),
            future: Vec::new(),
            changed: false,
            shows_threat: false,
            language,
        };
        Ok((study, Opened { note, has_many }))
    }

    /// Sets the games in which the moves played are counted.
    pub(super) fn with_games(self, games: Option<Arc<GameFile>>) -> Self {
        Self { games, ..self }
    }

    fn go(&mut self, place: TreePath) {
        let (before, _) = self.game.line_through(&place);
        let start = self.game.start().clone();
        self.position = before.iter().fold(start, |position, &m| position.after(m));
        self.place = place;
    }

    /// Returns the part of the game that the page shows. During a lesson, the later moves of the
    /// main line are hidden, because they contain the answers to later tasks.
    fn visible_game(&self) -> Cow<'_, Record<G>> {
        let Some(lesson) = &self.lesson else { return Cow::Borrowed(&self.game) };
        let mut game = self.game.clone();
        game.truncate(lesson.visible_plies(&game).max(self.place.plies_of_main_line()));
        Cow::Owned(game)
    }

    /// Returns the path of the position after this many moves of the current line.
    fn along(&self, ply: usize) -> TreePath {
        let (before, _) = self.game.line_through(&self.place);
        if ply >= before.len() {
            return self.visible_game().forward(&self.place, ply - before.len());
        }
        let mut place = self.place.clone();
        for _ in ply..before.len() {
            place = place.back().unwrap_or_default();
        }
        place
    }

    /// Restarts the engines that are on. The engines stay idle while the answer of a lesson is
    /// hidden, and when the game is over, even if threats are shown. If threats are shown, they
    /// also stay idle when the side to move cannot pass.
    fn think(&mut self, notation: Notation) {
        let (moves, _) = self.game.line_through(&self.place);
        let (at, start, position) = (moves.len(), self.game.start(), &self.position);
        let query = if self.shows_threat {
            let passed = position.passed();
            passed.map(|start| Query {
                moves: Vec::new(),
                position: start.clone(),
                start,
                at,
                notation,
            })
        } else {
            let (start, position) = (start.clone(), position.clone());
            Some(Query { start, moves, position, at, notation })
        };
        let is_secret = self.lesson.as_ref().is_some_and(Lesson::is_secret);
        let is_idle = is_secret || self.position.moves().is_empty();
        let query = query.filter(|query| !is_idle && !query.position.moves().is_empty());
        for panel in &mut self.panels {
            panel.think(query.as_ref());
        }
    }

    fn switch_off_engines(&mut self) {
        self.panels.iter_mut().for_each(Panel::switch_off);
    }

    fn switch_on(
        &mut self,
        panel: usize,
        settings: AnalysisSettings,
        limit: Option<Duration>,
        engine: Option<&str>,
    ) -> Result<(), StudyError> {
        let is_named = |name: &str, entrant: &Entrant| {
            entrant.name == name && can_analyse(entrant) && game_of(entrant) == G::NAME
        };
        let entrant = match engine {
            None => None,
            Some(name) => {
                let found = self.equipment.engines.iter().find(|one| is_named(name, one));
                Some(found.ok_or_else(|| StudyError::NoEngine(name.to_owned()))?)
            }
        };
        let variant = self.game.start().variant_of();
        let (interrupt, outlet) = (&self.equipment.interrupt, &self.outlet);
        let panel = self.panels.get_mut(panel).ok_or(StudyError::Unknown)?;
        panel.switch_on(settings, entrant, variant, interrupt, outlet);
        panel.limit = limit;
        Ok(())
    }

    /// Tries a move in a lesson. If the move is neither the mistake nor the better move, a search
    /// compares it with the better move.
    fn attempt(&mut self, text: &str, notation: Notation) -> Result<(), StudyError> {
        let lesson = self.lesson.as_mut().ok_or(StudyError::NoLesson)?;
        let m = self.position.read_typed(text, notation)?;
        if !lesson.attempt(m) {
            let searchmoves = vec![lesson.better(), m];
            let limits = Limits { movetime: Some(COMPARISON), searchmoves, ..Limits::default() };
            let (before, _) = self.game.line_through(&self.place);
            let earlier = keys(self.game.start(), &before);
            let thinker = &mut self.panels[0].own;
            thinker.start(self.position.clone(), earlier, limits, Aim::Compare, notation);
            if let Some(search) = thinker.current() {
                lesson.weigh(search);
            }
        }
        Ok(())
    }

    fn lesson(&mut self) -> Result<&mut Lesson<G>, StudyError> {
        self.lesson.as_mut().ok_or(StudyError::NoLesson)
    }

    /// Edits the game and goes to the position that the edit returns.
    fn edit(
        &mut self,
        change: impl FnOnce(&mut Record<G>, &TreePath) -> Result<TreePath, EditError<G::Move>>,
    ) -> Result<(), StudyError> {
        let old: Vec<_> = self.game.moves().collect();
        let before = (self.game.clone(), self.place.clone());
        let place = change(&mut self.game, &self.place)
            .map_err(|error| StudyError::Edit(Bilingual::of(&error)))?;
        self.remember(before);
        let new: Vec<_> = self.game.moves().collect();
        if !new.starts_with(&old) || self.game.position().moves().is_empty() {
            self.game.result = G::Result::default();
        }
        if new != old {
            review::remove_accuracy(&mut self.game);
            (self.review, self.lesson) = (None, None);
            self.puzzles.clear();
        }
        self.go(place);
        Ok(())
    }

    /// Adds `before`, the state before an edit, to the undo history, unless the game is unchanged.
    fn remember(&mut self, before: (Record<G>, TreePath)) {
        if before.0 == self.game {
            return;
        }
        self.changed = true;
        self.future.clear();
        if self.past.len() == MAX_UNDO {
            self.past.remove(0);
        }
        self.past.push(before);
    }

    /// Replaces the game with an earlier or later version and returns the replaced version.
    fn restore(&mut self, (game, place): (Record<G>, TreePath)) -> (Record<G>, TreePath) {
        let now = (mem::replace(&mut self.game, game), self.place.clone());
        (self.review, self.lesson) = (None, None);
        self.puzzles.clear();
        self.changed = true;
        self.go(place);
        now
    }

    /// Replaces the arrows and circles of the displayed position.
    fn draw(&mut self, new: &[Shape]) -> Result<(), StudyError> {
        if new.len() > MAX_SHAPES {
            return Err(StudyError::TooManyShapes);
        }
        let comments = shapes::replaced::<G>(self.game.comments_at(&self.place), new)
            .ok_or(StudyError::ShapeOutside)?;
        let before = (self.game.clone(), self.place.clone());
        self.game.set_comments(&self.place, &comments);
        self.remember(before);
        Ok(())
    }

    /// Returns the tags that the page shows above the moves, except tags with unknown values.
    fn heads(&self) -> Vec<(&'static str, String)> {
        let tag = |name: &'static str| {
            let value = self.game.tag(name).filter(|value| !is_unknown_value(value))?;
            Some((name, value.to_owned()))
        };
        let rating = |name| Some((name, collection::rating(&self.game, name)?));
        let names = [
            "Event",
            "Site",
            "Date",
            "Round",
            "ECO",
            "Opening",
            "TimeControl",
            "Termination",
            collection::SOLUTION,
        ];
        let tags = names.into_iter().filter_map(tag);
        let ratings = ["WhiteElo", "BlackElo"].into_iter().filter_map(rating);
        let result = self.game.result.to_string();
        let result = (result != "*").then_some(("Result", result));
        tags.chain(ratings).chain(result).collect()
    }

    /// Returns the remaining time of each player at the displayed position in milliseconds, from
    /// the commands `[%clk 0:59:58]`.
    fn clocks(&self) -> [Option<u64>; 2] {
        let mut clocks = [None; 2];
        let (before, _) = self.game.line_through(&self.place);
        let mut place = Some(self.place.clone());
        let mut mover = !self.position.side();
        for _ in 0..before.len().min(4) {
            let Some(at) = place else { break };
            let clock = self.game.comments_at(&at).iter().find_map(|comment| clock(comment, mover));
            let seconds = &mut clocks[mover.index()];
            *seconds = seconds.or(clock);
            mover = !mover;
            place = at.back();
        }
        clocks.map(|seconds| seconds.map(|seconds| (1000.0 * seconds) as u64))
    }

    /// Plays moves from the displayed position, as one change of the game. If one of them cannot be
    /// played, nothing changes.
    fn make(&mut self, moves: &[String], notation: Notation) -> Result<(), StudyError> {
        let (mut game, mut place) = (self.game.clone(), self.place.clone());
        let mut position = self.position.clone();
        for text in moves {
            let m = position.read_typed(text, notation)?;
            if game.child(&place, m).is_none() && game.count_moves() >= MAX_MOVES {
                return Err(StudyError::TooManyMoves);
            }
            let played = game.play(&place, m);
            place = played.map_err(|error| StudyError::Edit(Bilingual::of(&error)))?;
            position = position.after(m);
        }
        self.edit(|old, _| {
            *old = game;
            Ok(place)
        })
    }

    /// Replaces comments and glyphs at the displayed position, but preserves embedded commands such
    /// as `[%clk]`.
    fn remark(&mut self, comments: &[String], nags: &[u16]) -> Result<(), StudyError> {
        if nags.len() > MAX_NAGS {
            return Err(StudyError::TooManyNags);
        }
        let is_move = self.game.node_at(&self.place).is_some();
        if !is_move && !nags.is_empty() {
            return Err(StudyError::NagWithoutMove);
        }
        let before = (self.game.clone(), self.place.clone());
        let old = self.game.comments_at(&self.place);
        if !old.iter().filter_map(|comment| visible_text(comment)).eq(comments.iter().cloned()) {
            let length: usize = comments.iter().map(|comment| 1 + comment.chars().count()).sum();
            if length > MAX_COMMENT_LENGTH + 1 {
                return Err(StudyError::CommentTooLong);
            }
            let hidden = old.iter().filter_map(|comment| commands(comment));
            let all: Vec<_> = hidden.chain(comments.iter().cloned()).collect();
            self.game.set_comments(&self.place, &all);
        }
        if is_move {
            let set = self.game.set_nags(&self.place, nags);
            set.map_err(|error| StudyError::Edit(Bilingual::of(&error)))?;
        }
        self.remember(before);
        Ok(())
    }

    /// Handles progress of the whole-game analysis. When the analysis is complete, adds it to the
    /// game.
    fn on_review_progress(&mut self, review: Review<G>) -> Update {
        let Some(outcome) = review.take_outcome() else {
            let progress = review.progress();
            self.review = Some(review);
            return Update::Only(ServerMessage::Progress { progress });
        };
        let annotated = outcome.map_err(StudyError::from).and_then(|story| {
            let mut game = self.game.clone();
            annotate(&mut game, &story, None);
            review::tag_phases(&mut game, &story);
            let puzzles = export::puzzles(&game, &story);
            check_length(&game).map(|()| (game, puzzles))
        });
        Update::BoardAnd(match annotated {
            Ok((game, puzzles)) => {
                self.puzzles = puzzles;
                let before = (mem::replace(&mut self.game, game), self.place.clone());
                self.remember(before);
                ServerMessage::Note { text: "The game has been analysed.".to_owned() }
            }
            Err(error) => {
                ServerMessage::Refused { why: error.in_language(self.language), ask: None }
            }
        })
    }

    /// Replaces tags and the result.
    fn set_tags(&mut self, tags: &BTreeMap<TagName, String>, result: Option<ResultChoice>) {
        let before = (self.game.clone(), self.place.clone());
        for (name, value) in tags {
            let (name, value) = (name.name(), name_of(value));
            let is_unknown = self.game.tag(name).is_none_or(is_unknown_value);
            match value.as_str() {
                "" if is_unknown => {}
                "" => self.game.remove_tag(name),
                value => self.game.set_tag(name, value),
            }
        }
        if let Some(result) = result {
            self.game.result = match result {
                ResultChoice::White => G::result(Some(Side::White)),
                ResultChoice::Black => G::result(Some(Side::Black)),
                ResultChoice::Draw => G::result(None),
                ResultChoice::None => G::Result::default(),
            };
        }
        self.remember(before);
    }

    /// Returns a note on the first move of a puzzle: whether the move solves the puzzle.
    fn judged(&self) -> Option<ServerMessage> {
        let (moves, _) = self.game.line_through(&self.place);
        let is_solved = collection::solves(&self.game, *moves.first()?)?;
        let text = match (is_solved, self.language) {
            (true, Language::English) => "This move solves the puzzle.",
            (true, Language::French) => "Ce coup résout le problème.",
            (false, Language::English) => {
                "This move does not solve the puzzle. Go back and try again."
            }
            (false, Language::French) => {
                "Ce coup ne résout pas le problème. Revenez et essayez encore."
            }
        };
        Some(ServerMessage::Note { text: text.to_owned() })
    }

    fn played_moves(&self, notation: Notation) -> Option<PlayedMoves> {
        let games = self.games.as_ref().filter(|_| self.explores)?;
        let book = self.position.book_moves(&self.equipment);
        Some(games.played_moves(&self.position, &book, notation))
    }

    fn players(&self) -> [String; 2] {
        ["White", "Black"].map(|tag| self.game.tag(tag).unwrap_or("?").to_owned())
    }
}

/// Returns whether a tag value such as `?` means "unknown".
fn is_unknown_value(value: &str) -> bool {
    value.is_empty() || value.starts_with(['?', '-'])
}

fn new_record<G: BoardGame>(start: G) -> Record<G> {
    let mut game = Record::from_position(start);
    game.set_date(std::time::SystemTime::now());
    game
}

fn check_length<G: BoardGame>(game: &Record<G>) -> Result<(), StudyError> {
    let count = game.count_moves();
    if count > MAX_MOVES { Err(StudyError::TooLong(count)) } else { Ok(()) }
}

impl<G: BoardGame> Requests for Study<G> {
    type Request = Request;
    type Error = StudyError;

    fn on_request(&mut self, request: Request, notation: Notation) -> Result<Update, StudyError> {
        match request {
            Request::Move { text } => {
                let at_start = self.place == TreePath::default();
                self.make(&[text], notation)?;
                if at_start && let Some(note) = self.judged() {
                    self.think(notation);
                    return Ok(Update::BoardAnd(note));
                }
            }
            Request::Threat { on } => self.shows_threat = on,
            Request::Tags { tags, result } => {
                self.set_tags(&tags, result);
                return Ok(Update::Board);
            }
            Request::At { ply } => self.go(self.along(ply)),
            Request::Go { number } => {
                let index = number.checked_sub(1);
                let place = index.and_then(|index| self.game.paths().get(index).cloned());
                self.go(place.unwrap_or_default());
            }
            Request::TakeBack => self.edit(|game, place| game.remove(place))?,
            Request::Promote => self.edit(|game, place| game.promote(place))?,
            Request::Remark { comments, nags } => {
                self.remark(&comments, &nags)?;
                return Ok(Update::Board);
            }
            Request::Review { effort } => {
                let review = Review::begin(&self.game, effort, self.outlet.clone())?;
                // Turn the engines off. On a machine with one core, they would slow the analysis
                // down.
                self.switch_off_engines();
                (self.review, self.lesson) = (Some(review), None);
            }
            Request::Cancel => {
                self.review = None;
                return Ok(Update::Board);
            }
            Request::Analyse { lines, threads, hash, engine, panel, seconds } => {
                let processors = std::thread::available_parallelism().map_or(1, usize::from);
                let settings = AnalysisSettings {
                    threads: Some(threads.unwrap_or(1).clamp(1, processors)),
                    hash_mb: Some(hash.unwrap_or(HASH_MB).clamp(1, MAX_HASH_MB)),
                    lines: lines.clamp(1, MAX_LINES),
                };
                let limit = (seconds > 0).then(|| Duration::from_secs(seconds.min(MAX_SECONDS)));
                self.switch_on(panel, settings, limit, engine.as_deref())?;
            }
            Request::Line { moves } => self.make(&moves, notation)?,
            Request::Draw { shapes } => {
                self.draw(&shapes)?;
                return Ok(Update::Board);
            }
            Request::Undo => {
                let earlier = self.past.pop().ok_or(StudyError::NothingToUndo)?;
                let now = self.restore(earlier);
                self.future.push(now);
            }
            Request::Redo => {
                let later = self.future.pop().ok_or(StudyError::NothingToRedo)?;
                let now = self.restore(later);
                self.past.push(now);
            }
            Request::Stop { panel } => {
                self.panels.get_mut(panel).ok_or(StudyError::Unknown)?.switch_off();
            }
            Request::Explore { on } => {
                self.explores = on;
                return Ok(Update::Board);
            }
            Request::Learn { side, number } => {
                let lesson = Lesson::new(&self.game, side).ok_or(StudyError::NoMistakes(side))?;
                let lesson = lesson.beginning_at(number.unwrap_or(1));
                self.switch_off_engines();
                self.go(lesson.place());
                self.lesson = Some(lesson);
            }
            Request::Try { text } => {
                let place = self.lesson()?.place();
                self.go(place);
                self.attempt(&text, notation)?;
                return Ok(Update::Board);
            }
            Request::Answer => self.lesson()?.show(),
            Request::NextMistake => {
                let lesson = self.lesson()?;
                lesson.next();
                let place = lesson.place();
                self.go(place);
            }
            Request::EndLesson => self.lesson = None,
            Request::Puzzles { format } => {
                if self.puzzles.is_empty() {
                    return Err(StudyError::NoPuzzles);
                }
                let (text, extension) = export::puzzle_file(&self.game, &self.puzzles, format);
                return Ok(Update::Only(file(text, extension)));
            }
            Request::Export => {
                let html = export::page(&self.game).ok_or(StudyError::NotAnalysed)?;
                return Ok(Update::Only(file(html, "html")));
            }
            Request::Save => {
                return Ok(Update::BoardAnd(file(self.game.to_string(), G::EXTENSION)));
            }
            Request::Unknown => return Err(StudyError::Unknown),
        }
        self.think(notation);
        Ok(Update::Board)
    }
}

impl<G: BoardGame> Desk for Study<G> {
    fn on_engine_event(&mut self, event: EngineEvent, _: Notation) -> Update {
        match event.report {
            EngineReport::Lines(lines) => {
                let panel = self.panels.iter().position(|panel| panel.is_current(event.search));
                panel.map_or(Update::None, |panel| {
                    Update::Only(ServerMessage::Lines(Lines { panel, ..lines }))
                })
            }
            EngineReport::Compared { points } => {
                let is_current = self.panels[0].own.finish(event.search)
                    && self
                        .lesson
                        .as_mut()
                        .is_some_and(|lesson| lesson.on_compared(event.search, &points));
                if is_current { Update::Board } else { Update::None }
            }
            EngineReport::Failed(failure) => {
                let failed = |panel: &mut Panel<G>| panel.fail(event.search, &failure);
                if let Some(lesson) = &mut self.lesson {
                    lesson.on_failure(event.search);
                }
                if self.panels.iter_mut().any(failed) { Update::Board } else { Update::None }
            }
            EngineReport::Progress => {
                match self.review.take_if(|review| review.search() == event.search) {
                    Some(review) => self.on_review_progress(review),
                    None => Update::None,
                }
            }
            EngineReport::Move { .. } => Update::None,
        }
    }

    fn on_notation(&mut self, notation: Notation) {
        self.think(notation);
    }

    fn on_language(&mut self, language: Language) -> Update {
        self.language = language;
        Update::Board
    }

    fn board(&self, notation: Notation) -> Board {
        let (start, game) = (self.game.start(), self.visible_game());
        let (before, after) = game.line_through(&self.place);
        let at = before.len();
        let earlier = keys(start, &before);
        let line: Vec<_> = before.into_iter().chain(after).collect();
        let mut can = vec![if self.panels[0].runs() { "stop" } else { "analyse" }, "save"];
        can.extend((at > 0).then_some("take-back"));
        can.extend((!self.place.is_in_main_line()).then_some("promote"));
        can.extend((!self.past.is_empty()).then_some("undo"));
        can.extend((!self.future.is_empty()).then_some("redo"));
        if self.review.is_some() {
            can.push("cancel");
        } else if !self.game.line().moves.is_empty() {
            can.push("review");
        }
        let mut times = times(&self.game);
        if times.iter().all(Option::is_none) {
            times.clear();
        }
        Board {
            game: G::NAME,
            mode: Mode::Study,
            id: None,
            players: self.players(),
            you: None,
            start: start.squares(),
            first: start.first_number(),
            black_first: start.side() == Side::Black,
            plies: plies(start, &line, notation),
            at,
            turn: self.position.side(),
            legal: self.position.legal(notation),
            check: self.position.check(),
            fen: self.position.to_fen(),
            clocks: self.clocks(),
            running: None,
            unsaved: false,
            thinking: self.panels.iter().any(Panel::is_busy),
            ending: None,
            can,
            record: Some(self.game.to_string()),
            opening: G::opening(&[&earlier[..], &[self.position.key()]].concat())
                .map(|opening| opening.to_string()),
            terms: None,
            study: Some(Box::new(Studied {
                tree: tree::tree(&game, &self.place, &self.position, notation),
                heads: self.heads(),
                changed: self.changed,
                course: review::course(&self.game),
                times,
                progress: self.review.as_ref().map(Review::progress),
                tablebase: self.position.tablebase_info(&earlier, &self.equipment.tables, notation),
                played: self.played_moves(notation),
                mistakes: lesson::count(&self.game),
                puzzles: self.puzzles.len(),
                lesson: self.lesson.as_ref().map(|lesson| lesson.view(&self.game, notation)),
                engines: self.panels.iter().map(|panel| panel.view(self.language)).collect(),
                threat: self.shows_threat,
            })),
            referee: None,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::board::message::study::{TablebaseMove, TablebaseNote, Verdict};
    use crate::chess::notation::algebraic::Style;
    use crate::record::games::Recorded as _;
    use crate::{chess, draughts};
    use tokio::sync::Semaphore;
    use tokio::sync::mpsc::UnboundedReceiver;

    const SAN: Notation = Notation::Algebraic(Style::SAN);

    fn open<G: BoardGame>(text: &str) -> (Study<G>, UnboundedReceiver<EngineEvent>) {
        let (outlet, events) = Outlet::new(Arc::new(Semaphore::new(1)));
        (
            Study::open(text, None, outlet, Equipment::default(), Language::English).unwrap().0,
            events,
        )
    }

    impl<G: BoardGame> Study<G> {
        fn does(&mut self, requests: &[Request]) -> Studied {
            for request in requests {
                self.on_request(request.clone(), SAN)
                    .unwrap_or_else(|error| panic!("{request:?}: {error}"));
            }
            *self.board(SAN).study.unwrap()
        }

        fn saved(&mut self) -> String {
            let Ok(Update::BoardAnd(ServerMessage::Record { text, .. })) =
                self.on_request(Request::Save, SAN)
            else {
                panic!("a record")
            };
            text
        }
    }

    fn move_(text: &str) -> Request {
        Request::Move { text: text.to_owned() }
    }

    fn remark(comment: &str, nags: &[u16]) -> Request {
        Request::Remark { comments: vec![comment.to_owned()], nags: nags.to_vec() }
    }

    #[test]
    fn a_line_without_numbers_is_a_game_if_it_begins_with_a_move() {
        let (study, _events) = open::<chess::Position>("e4 e5 Nf3 Nc6 Bb5");
        assert_eq!(study.game.line().moves.len(), 5);
        let (study, _events) = open::<draughts::Position>("32-28 19-23 28x19");
        assert_eq!(study.game.line().moves.len(), 3);
        let (outlet, _events) = Outlet::new(Arc::new(Semaphore::new(1)));
        for fen in ["rnbqkbnr/ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "Ne4 e5"] {
            let opened = Study::<chess::Position>::open(
                fen,
                None,
                outlet.clone(),
                Equipment::default(),
                Language::English,
            );
            assert!(matches!(opened, Err(StudyError::Fen(_))), "{fen}");
        }
    }

    #[test]
    fn a_move_from_an_earlier_position_begins_a_variation() {
        let game = "[Event \"x\"]\n[White \"A\"]\n\n1. e4 e5 2. Nf3 {[%clk 1:00] good} Nc6 1-0";
        let (mut study, _events) = open::<chess::Position>(game);
        let shown = study.does(&[Request::At { ply: 2 }, move_("f4"), move_("exf4")]);
        assert_eq!(shown.tree.here, 5);
        let variation = &shown.tree.line.moves[2].variations[0];
        assert_eq!(variation.moves[1].text, "exf4");
        assert_eq!(variation.moves[1].number, 5);
        let board = study.board(SAN);
        assert_eq!((board.at, board.plies.len()), (4, 4));
        assert!(board.can.contains(&"promote"));
        // The original main line and result are kept.
        assert!(study.saved().contains("2. Nf3 {[%clk 1:00] good} (2. f4 exf4) 2... Nc6 1-0"));

        study.does(&[remark("King's Gambit", &[5]), Request::Go { number: 3 }]);
        let shown = study.does(&[remark("better", &[1, 14])]);
        assert_eq!(
            (shown.tree.comments, shown.tree.nags),
            (vec!["better".to_owned()], vec![1, 14])
        );
        let text = study.saved();
        assert!(
            text.contains("2. Nf3 $1 $14 {[%clk 1:00]} {better} (2. f4 exf4 $5 {King's Gambit})"),
            "{text}"
        );
        // A saved study opens unchanged.
        let (mut again, _) = open::<chess::Position>(&text);
        assert_eq!(again.saved(), text);
        let reopened = again.does(&[Request::Go { number: 3 }]);
        assert_eq!(reopened, Studied { changed: false, ..study.does(&[]) });

        let shown = study.does(&[Request::Go { number: 5 }, Request::Promote]);
        assert_eq!(shown.tree.line.moves[3].text, "exf4");
        assert_eq!(shown.tree.line.moves[2].variations[0].moves[0].text, "Nf3");
        let text = study.saved();
        assert!(text.contains("[Event \"x\"]") && text.contains("[Result \"*\"]"), "{text}");
        let shown = study.does(&[Request::At { ply: 3 }, Request::TakeBack]);
        assert_eq!((shown.tree.here, shown.tree.line.moves[2].text.as_str()), (2, "Nf3"));
        assert!(study.on_request(Request::Promote, SAN).is_err());
        study.does(&[Request::Go { number: 0 }]);
        assert!(study.on_request(remark("x", &[1]), SAN).is_err(), "no move has a sign there");
        assert!(study.on_request(remark(&"x".repeat(5000), &[]), SAN).is_err());
        assert!(study.on_request(Request::TakeBack, SAN).is_err());
    }

    #[test]
    fn draughts_variations_are_saved() {
        let (mut study, _events) =
            open::<draughts::Position>("1. 32-28 (1. 31-27 {quiet}) 1... 19-23 *");
        let shown = study.does(&[Request::Go { number: 2 }, move_("18-23"), remark("", &[6])]);
        assert_eq!(shown.tree.line.moves[0].variations[0].moves[1].nags, [6]);
        let text = study.saved();
        assert!(text.contains("1. 32-28 (1. 31-27 {quiet} 18-23 $6) 19-23 *"), "{text}");
        assert_eq!(open::<draughts::Position>(&text).0.saved(), text);
    }

    #[test]
    fn opens_a_game_up_to_its_error() {
        let open = |text: &str, number| {
            let (outlet, _events) = Outlet::new(Arc::new(Semaphore::new(1)));
            Study::<chess::Position>::open(
                text,
                number,
                outlet,
                Equipment::default(),
                Language::English,
            )
        };
        for (text, number, moves) in [
            (
                "[White \"Ä\"]\n\n1. e4 {é} e5 2. Nf3 Qh7 3. Bb5 *",
                None,
                "1. e4 {é} 1... e5 2. Nf3 {not read: 2... Qh7 3. Bb5} *",
            ),
            (
                "1. d4 *\n\n1. e4 (1. c4 e5 (1... Qh3)) 1... e5 *",
                Some(1),
                "1. e4 (1. c4 e5 {(not read: 1... Qh3)}) 1... e5 *",
            ),
        ] {
            let (mut study, opened) = open(text, number).unwrap();
            let text = opened.note.expect("a note");
            assert!(text.contains("Qh7: the side's own") || text.contains("... Qh3: "), "{text}");
            assert!(study.saved().contains(moves), "{}", study.saved());
        }
        for text in ["1. e5 *", "[FEN \"x\"]\n\n1. e4 *", "1. e4 } *) 2. x"] {
            let _ = open(text, None);
        }
        // A game that has neither tags nor readable moves is refused with the reason.
        let refused = open("1. e5 *", None).err().expect("nothing to open").to_string();
        assert!(refused.contains("is not legal"), "{refused}");
        let (_, opened) = open("[White \"A\"]\n\n1. e5 *", None).expect("a game with tags");
        assert!(opened.note.is_some());
    }

    #[test]
    fn changes_are_undone_and_redone() {
        let (mut study, _events) = open::<chess::Position>("1. e4 e5 2. Nf3 Nc6 *");
        let original = study.saved();
        assert!(!study.does(&[]).changed && study.on_request(Request::Undo, SAN).is_err());
        let line = ["c7c5", "g1f3", "d7d6"].map(str::to_owned).to_vec();
        study.does(&[Request::At { ply: 1 }, Request::Line { moves: line }]);
        assert_eq!(study.board(SAN).at, 4);
        let with_line = study.saved();
        study.does(&[Request::At { ply: 0 }, move_("d4"), remark("quiet", &[5]), Request::Undo]);
        study.does(&[Request::Undo]);
        assert_eq!(study.saved(), with_line);
        // The line was added as one change.
        let shown = study.does(&[Request::Undo]);
        assert_eq!((study.saved(), shown.tree.here, shown.changed), (original, 1, true));
        study.does(&[Request::Redo]);
        assert_eq!(study.saved(), with_line);
        study.does(&[Request::Undo, Request::At { ply: 1 }, Request::TakeBack, Request::Undo]);
        assert_eq!(study.board(SAN).plies.len(), 4, "the deleted moves are back");
        // A line with an illegal move changes neither the game nor the redo history.
        let before = study.saved();
        let wrong = Request::Line { moves: vec!["c7c5".to_owned(), "a1a8".to_owned()] };
        study.does(&[Request::At { ply: 1 }]);
        assert!(study.on_request(wrong, SAN).is_err());
        assert_eq!((study.saved(), study.board(SAN).at), (before.clone(), 1));
        study.does(&[Request::Redo, Request::Undo]);
        assert_eq!(study.saved(), before);
        // One undo removes a whole line, even if the undo history was full.
        for number in 0..MAX_UNDO {
            study.does(&[remark(&number.to_string(), &[])]);
        }
        let before = study.saved();
        let line = ["c7c5", "g1f3", "d7d6"].map(str::to_owned).to_vec();
        study.does(&[Request::At { ply: 1 }, Request::Line { moves: line }, Request::Undo]);
        assert_eq!(study.saved(), before);
    }

    #[test]
    fn an_impossible_line_does_not_end_the_review() {
        let (mut study, _events) = open::<chess::Position>("1. e4 e5 *");
        study.does(&[Request::Review { effort: Effort::Movetime(60_000) }]);
        for line in [&["a1a8"][..], &["d2d4", "a1a8"]] {
            let line = line.iter().map(|&m| m.to_owned()).collect();
            assert!(study.on_request(Request::Line { moves: line }, SAN).is_err());
        }
        assert!(study.board(SAN).can.contains(&"cancel"));
        // A line through the moves of the game does not change the game.
        let line = ["e2e4", "e7e5"].map(str::to_owned).to_vec();
        assert!(study.does(&[Request::Line { moves: line }]).progress.is_some());
        let line = vec!["g1f3".to_owned()];
        assert!(study.does(&[Request::Line { moves: line }]).progress.is_none());
    }

    #[test]
    fn arrows_are_saved_in_comments() {
        let (mut study, _events) = open::<chess::Position>("1. e4 {[%csl Rd5] good} *");
        let shown = study.does(&[Request::At { ply: 1 }]);
        assert_eq!((shown.tree.shapes.len(), shown.tree.score), (1, None));
        assert_eq!(shown.tree.comments, ["good"]);
        let arrow = Shape { from: 52, to: Some(36), ..shown.tree.shapes[0] };
        study.does(&[Request::Draw { shapes: vec![arrow] }]);
        assert!(study.saved().contains("1. e4 {[%cal Re2e4]} {good} *"), "{}", study.saved());
        study.does(&[Request::Draw { shapes: Vec::new() }, Request::Undo, Request::Undo]);
        assert!(study.saved().contains("{[%csl Rd5] good}"));
        let outside = Shape { from: 64, ..arrow };
        assert!(study.on_request(Request::Draw { shapes: vec![outside] }, SAN).is_err());
        assert!(study.on_request(Request::Draw { shapes: vec![arrow; 101] }, SAN).is_err());
    }

    #[test]
    fn tags_and_clocks_of_a_game_are_shown() {
        let text = "[Event \"Club\"]\n[Site \"?\"]\n[WhiteElo \"2100\"]\n[BlackElo \"-\"]\n\
                    [Termination \"normal\"]\n\n1. e4 {[%clk 0:10:03]} e5 {[%clk 0:09:58.5]} \
                    2. Nf3 {[%clk 0:09:50]} (2. f4) 2... Nc6 1-0\n";
        let (mut study, _events) = open::<chess::Position>(text);
        let heads = study.does(&[]).heads;
        let expected =
            [("Event", "Club"), ("Termination", "normal"), ("WhiteElo", "2100"), ("Result", "1-0")];
        assert_eq!(heads, expected.map(|(name, value)| (name, value.to_owned())));
        let mut clocks = |ply| {
            study.does(&[Request::At { ply }]);
            study.board(SAN).clocks
        };
        assert_eq!(clocks(0), [None, None]);
        assert_eq!(clocks(1), [Some(603_000), None]);
        assert_eq!(clocks(3), [Some(590_000), Some(598_500)]);
        assert_eq!(clocks(4), [Some(590_000), Some(598_500)]);
    }

    #[test]
    fn the_stored_score_of_the_position_is_shown() {
        let text = "1. f3 {[%eval -0.40]} e5 2. g4 {[%eval #-1]} (2. e4 {[%eval 0.10]}) Qh4# *";
        let (mut study, _events) = open::<chess::Position>(text);
        let mut score = |ply| {
            let score = study.does(&[Request::At { ply }]).tree.score?;
            Some((score.score, score.mate, score.white < 0.5))
        };
        assert_eq!((score(0), score(2)), (None, None));
        assert_eq!(score(1), Some((-40, None, true)));
        assert_eq!(score(3).map(|(_, mate, is_behind)| (mate, is_behind)), Some((Some(-1), true)));
        let variation = study.does(&[Request::Go { number: 4 }]).tree.score;
        assert_eq!(variation.map(|score| (score.score, score.mate)), Some((10, None)));
    }

    fn probed<G: BoardGame>(
        fen: &str,
    ) -> Option<(Option<Side>, Option<TablebaseNote>, Vec<String>)> {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/engine-tests/syzygy");
        let (syzygy, unused) = crate::endings::syzygy::Tables::open([folder]);
        assert!(unused.is_empty(), "{unused:?}");
        let tables = crate::board::Tables::new(syzygy, crate::endings::bitbase::Bitbases::shipped);
        let info = G::from_fen(fen).unwrap().tablebase_info(&[], &tables, SAN)?;
        let shown = |one: &TablebaseMove| {
            let distance = one.distance.map_or_else(String::new, |plies| format!(" {plies}"));
            format!("{} {:?}{distance}", one.notated, one.value)
        };
        Some((info.winner, info.note, info.moves.iter().map(shown).collect()))
    }

    #[test]
    fn tablebases_are_queried() {
        let stalemate = probed::<chess::Position>("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1");
        assert_eq!(stalemate, Some((None, None, Vec::new())));
        let (winner, note, moves) =
            probed::<chess::Position>("8/8/8/4k3/8/8/8/KQ6 w - - 0 1").unwrap();
        assert_eq!(winner, Some(Side::White));
        assert!(matches!(note, Some(TablebaseNote::Dtz(plies)) if plies > 1), "{note:?}");
        assert!(moves[0].contains("Win") && moves.last().unwrap().contains("Draw"), "{moves:?}");
        assert_eq!(probed::<chess::Position>("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), None);
        assert_eq!(probed::<chess::Position>(&chess::Position::start().to_fen()), None);
        let (_, _, moves) = probed::<draughts::Position>("W:WK28:B40,44").unwrap();
        assert!(!moves.is_empty());
        let (winner, note, moves) = probed::<draughts::Position>("W:WK28:BK19").unwrap();
        assert_eq!((winner, note), (Some(Side::White), Some(TablebaseNote::Few)));
        assert_eq!(moves.len(), 3, "{moves:?}");
        assert_eq!(probed::<draughts::Position>(&draughts::Position::start().to_fen()), None);
    }

    #[test]
    fn limits_the_number_of_moves() {
        let moves = "Nf3 Nf6 Ng1 Ng8 ".repeat(MAX_MOVES / 4);
        let (mut study, _events) = open::<chess::Position>(&format!("1. {moves} *"));
        study.does(&[Request::At { ply: usize::MAX }]);
        assert_eq!(study.board(SAN).at, MAX_MOVES);
        assert!(study.on_request(move_("e4"), SAN).unwrap_err().to_string().contains("4000"));
        // Existing moves can still be followed.
        study.does(&[Request::Go { number: 0 }, move_("Nf3")]);
        let (outlet, _events) = Outlet::new(Arc::new(Semaphore::new(1)));
        assert!(
            Study::<chess::Position>::open(
                &format!("1. {moves} e4 *"),
                None,
                outlet,
                Equipment::default(),
                Language::English
            )
            .is_err()
        );
    }

    /// Waits for the end of an analysis and returns its final message. Asserts that its thread
    /// reported progress before the end. On a busy machine all reports may be read after the end.
    fn end<G: BoardGame>(
        study: &mut Study<G>,
        events: &mut UnboundedReceiver<EngineEvent>,
    ) -> ServerMessage {
        let (mut progress, mut reports) = (0, 0);
        loop {
            let event = events.blocking_recv().unwrap();
            reports += usize::from(matches!(event.report, EngineReport::Progress));
            match study.on_engine_event(event, SAN) {
                Update::Only(ServerMessage::Progress { progress: [done, of] }) => {
                    assert!(progress <= done && done <= of);
                    progress = done;
                }
                Update::BoardAnd(message) => {
                    while events.try_recv().is_ok() {
                        reports += 1;
                    }
                    assert!(reports > 1);
                    return message;
                }
                _ => {}
            }
        }
    }

    const EFFORT: Request = Request::Review { effort: Effort::Depth(6) };

    #[test]
    fn a_whole_game_is_analysed() {
        let text = "1. e4 e5 2. Nf3 Nc6 3. Ng5 {[%clk 1:00] bold} Qxg5 4. d3 *";
        let (mut study, mut events) = open::<chess::Position>(text);
        assert!(study.does(&[]).course.is_none());
        let shown = study.does(&[Request::Go { number: 5 }, EFFORT]);
        assert_eq!(shown.progress.unwrap()[1], 8);
        assert!(study.board(SAN).can.contains(&"cancel"));
        let ServerMessage::Note { text } = end(&mut study, &mut events) else { panic!("a note") };
        assert!(text.contains("analysed"));
        let shown = study.does(&[]);
        assert_eq!(shown.tree.nags, [4]);
        assert_eq!(shown.tree.comments, ["bold"]);
        assert!(!shown.tree.line.moves[4].variations.is_empty());
        let course = shown.course.clone().unwrap();
        assert!(course.white[0].is_none() && course.white[5].unwrap() < 0.4, "{course:?}");
        assert!(course.accuracy.iter().all(Option::is_some));
        // All moves belong to the opening, so its accuracy is the accuracy of the whole game.
        let number = |text: &Option<String>| text.as_ref().unwrap().parse::<f64>().unwrap();
        for (whole, opening) in course.accuracy.iter().zip(&course.phases[0]) {
            assert!((number(whole) - number(opening)).abs() < 0.6, "{course:?}");
        }
        assert_eq!(course.phases[1..], [[None, None], [None, None]]);
        // The saved record contains the whole analysis.
        let text = study.saved();
        let again = open::<chess::Position>(&text).0.does(&[Request::Go { number: 5 }]);
        assert_eq!(again, Studied { changed: false, ..shown });
        let shown = study.does(&[Request::At { ply: 99 }, move_("d6")]);
        assert_eq!(shown.course.unwrap().accuracy, [None, None]);
    }

    #[test]
    fn an_analysis_is_cancelled() {
        let (mut study, mut events) = open::<draughts::Position>("1. 32-28 19-23 2. 28x19 14x23 *");
        let long = Request::Review { effort: Effort::Movetime(60_000) };
        study.does(std::slice::from_ref(&long));
        study.does(&[Request::Cancel]);
        // The cancelled analysis has released its slot.
        study.does(&[EFFORT]);
        assert!(matches!(end(&mut study, &mut events), ServerMessage::Note { .. }));
        // A change of the main line ends the analysis; a new variation does not.
        study.does(&[long, Request::Go { number: 0 }, move_("31-27")]);
        assert!(study.review.is_some());
        study.does(&[Request::Promote]);
        assert!(study.review.is_none());
        let wrong =
            [Effort::Depth(0), Effort::Depth(61), Effort::Movetime(0), Effort::Movetime(1 << 40)];
        for effort in wrong {
            assert!(study.on_request(Request::Review { effort }, SAN).is_err());
        }
        let (mut empty, _events) = open::<chess::Position>("");
        assert!(empty.on_request(EFFORT, SAN).is_err());
    }

    const REVIEWED: &str = "1. e4 {[%eval 0.30]} e5 {[%eval 0.30]} 2. Nf3 {[%eval 0.30]} Nc6 {[%eval 0.30]} \
        3. Ng5 $4 {[%eval -4.00]} (3. Bb5 {[%eval 0.30]} a6) 3... Qxg5 {[%eval -4.00]} \
        4. h3 $2 {[%eval -7.00]} (4. d4 {[%eval -4.00]} Qh4) *";

    fn try_(text: &str) -> Request {
        Request::Try { text: text.to_owned() }
    }

    #[test]
    fn a_lesson_hides_the_better_line_and_judges_moves() {
        let (mut study, mut events) = open::<chess::Position>(REVIEWED);
        assert_eq!(study.does(&[]).mistakes, [2, 0]);
        let black = Request::Learn { side: Side::Black, number: None };
        assert!(study.on_request(black, SAN).unwrap_err().to_string().contains("Black"));
        assert!(study.on_request(Request::Answer, SAN).is_err(), "no lesson is open");
        let lesson =
            study.does(&[Request::Learn { side: Side::White, number: None }]).lesson.unwrap();
        assert_eq!((lesson.number, lesson.of, lesson.ply), (1, 2, 4));
        assert_eq!((lesson.verdict, lesson.played.as_str()), (Verdict::Guess, "Ng5"));
        assert_eq!(study.board(SAN).at, 4);
        let lesson = study.does(&[try_("Ng5")]).lesson.unwrap();
        assert_eq!((lesson.verdict, lesson.answer.len()), (Verdict::Wrong, 0));
        for (text, expected) in [("Nxe5", Verdict::Wrong), ("Bc4", Verdict::Good)] {
            let lesson = study.does(&[try_(text)]).lesson.unwrap();
            assert_eq!((lesson.verdict, lesson.answer.len()), (Verdict::Weighing, 0));
            let update = study.on_engine_event(events.blocking_recv().unwrap(), SAN);
            assert!(matches!(update, Update::Board));
            assert_eq!(study.does(&[]).lesson.unwrap().verdict, expected, "{text}");
        }
        let lesson = study.does(&[Request::NextMistake, try_("d4")]).lesson.unwrap();
        assert_eq!(
            (lesson.verdict, lesson.answer),
            (Verdict::Right, vec!["d4".into(), "Qh4".into()])
        );
        let lesson = study.does(&[Request::NextMistake, Request::Answer]).lesson.unwrap();
        assert_eq!((lesson.verdict, lesson.number), (Verdict::Shown, 1));
        assert_eq!(lesson.answer, ["Bb5", "a6"]);
        // An interrupted lesson resumes at a given mistake. A number out of range is clamped.
        for (number, begun) in [(2, 2), (9, 2), (0, 1)] {
            let learn = Request::Learn { side: Side::White, number: Some(number) };
            assert_eq!(study.does(&[learn]).lesson.unwrap().number, begun);
        }
        // The game itself has not changed.
        assert!(!study.does(&[Request::EndLesson]).changed);
    }

    #[test]
    fn a_lesson_hides_the_moves_after_its_task() {
        let (mut study, _events) = open::<chess::Position>(REVIEWED);
        let record = study.saved();
        let mut visible = |requests: &[Request]| {
            let moves = study.does(requests).tree.line.moves.len();
            let board = study.board(SAN);
            (moves, board.plies.len(), board.at)
        };
        assert_eq!(visible(&[Request::Learn { side: Side::White, number: None }]), (4, 4, 4));
        assert_eq!(visible(&[Request::At { ply: 99 }]), (4, 4, 4));
        // The answer shows the mistake and its variation, but not the second mistake.
        assert_eq!(visible(&[Request::Answer]), (5, 5, 4));
        assert_eq!(visible(&[Request::At { ply: 99 }]), (5, 5, 5));
        assert_eq!(visible(&[Request::Go { number: 6 }]), (5, 6, 5));
        // A hidden move of the game is shown after the user has made it.
        assert_eq!(visible(&[Request::Go { number: 5 }, move_("Qxg5")]), (6, 6, 6));
        assert_eq!(visible(&[Request::NextMistake]), (6, 6, 6));
        assert_eq!(visible(&[Request::EndLesson]), (7, 7, 6));
        assert_eq!(study.saved(), record);
        // The lesson goes on after a new variation, which is shown.
        let mut visible = |requests: &[Request]| {
            let shown = study.does(requests);
            assert!(shown.lesson.is_some());
            (shown.tree.line.moves.len(), shown.tree.here, study.board(SAN).at)
        };
        let new = [Request::Answer, Request::At { ply: 5 }, move_("d5"), move_("d4")];
        let learn = Request::Learn { side: Side::White, number: None };
        assert_eq!(visible(&[&[learn][..], &new].concat()), (6, 10, 7));
    }

    #[test]
    fn puzzles_and_pages_are_exported() {
        let (mut study, mut events) =
            open::<chess::Position>("[White \"Anna\"]\n\n1. f3 e5 2. g4 d6 *");
        assert!(study.on_request(Request::Export, SAN).is_err());
        assert!(study.on_request(Request::Puzzles { format: PuzzleFormat::Epd }, SAN).is_err());
        study.does(&[Request::Review { effort: Effort::Depth(8) }]);
        assert!(matches!(end(&mut study, &mut events), ServerMessage::Note { .. }));
        let text = |study: &mut Study<chess::Position>, request| {
            let Ok(Update::Only(ServerMessage::Record { name, text })) =
                study.on_request(request, SAN)
            else {
                panic!("a file")
            };
            (name, text)
        };
        let (name, epd) = text(&mut study, Request::Puzzles { format: PuzzleFormat::Epd });
        assert!(name.ends_with(".epd") && epd.contains("bm Qh4#"), "{epd}");
        let (name, pgn) = text(&mut study, Request::Puzzles { format: PuzzleFormat::Games });
        assert!(name.ends_with(".pgn") && pgn.contains("[White \"Anna\"]"), "{pgn}");
        assert!(open::<chess::Position>(&pgn).0.saved().contains("Qh4#"), "{pgn}");
        let (name, html) = text(&mut study, Request::Export);
        assert!(name.ends_with(".html") && html.contains("Anna") && html.contains("\"g\":"));
        // A saved game can also be exported as a web page.
        let (mut again, _) = open::<chess::Position>(&study.saved());
        assert_eq!(text(&mut again, Request::Export).1, html);
        // The page shows the accuracy of the review.
        let accuracy = study.does(&[]).course.unwrap().accuracy.map(Option::unwrap);
        let is_shown = |value| html.contains(&format!("[{value},"));
        assert!(accuracy.iter().all(is_shown), "{accuracy:?}");
        // A change of the game discards its puzzles.
        study.does(&[Request::At { ply: 4 }, move_("h3")]);
        assert!(study.on_request(Request::Puzzles { format: PuzzleFormat::Epd }, SAN).is_err());
    }

    #[test]
    fn moves_added_at_the_end_keep_the_result() {
        let (mut study, _events) = open::<chess::Position>("1. e4 e5 1-0");
        study.does(&[Request::At { ply: 2 }, move_("Nf3")]);
        assert!(study.saved().contains("2. Nf3 1-0"), "{}", study.saved());
    }

    #[test]
    fn tags_and_result_are_edited_and_undone() {
        let (mut study, _events) =
            open::<chess::Position>("[White \"A\"]\n[Site \"x\"]\n\n1. e4 *");
        let old = study.saved();
        let tags = [(TagName::White, "B\nC"), (TagName::WhiteElo, "2000"), (TagName::Site, "")]
            .map(|(name, value)| (name, value.to_owned()));
        let tags = Request::Tags { tags: BTreeMap::from(tags), result: Some(ResultChoice::Black) };
        let shown = study.does(&[tags]);
        assert!(shown.changed && shown.heads.contains(&("WhiteElo", "2000".to_owned())));
        let text = study.saved();
        for part in ["[White \"B C\"]", "[WhiteElo \"2000\"]", "[Site \"?\"]", "1. e4 0-1"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        study.does(&[Request::Undo]);
        assert_eq!(study.saved(), old);
        // Empty fields and an unchanged result leave the game as it is.
        let tags = BTreeMap::from([(TagName::Event, String::new())]);
        let (mut study, _events) = open::<chess::Position>("[Event \"?\"]\n\n1. e4 1-0");
        assert!(!study.does(&[Request::Tags { tags, result: None }]).changed);
    }

    #[test]
    fn the_first_move_of_a_puzzle_is_judged() {
        let (mut study, _events) =
            open::<chess::Position>("7k/5Q2/6K1/8/8/8/8/8 w - - bm Qg7#; id \"x\";");
        let mut judge = |text: &str| {
            study.does(&[Request::Go { number: 0 }]);
            match study.on_request(move_(text), SAN).unwrap() {
                Update::BoardAnd(ServerMessage::Note { text }) => text,
                other => panic!("{other:?}"),
            }
        };
        assert!(judge("Qa2").contains("does not solve"));
        assert!(judge("Qg7").contains("This move solves"));
        let (mut study, _events) = open::<chess::Position>("1. e4 *");
        assert!(matches!(study.on_request(move_("e4"), SAN), Ok(Update::Board)));
    }

    #[test]
    fn threats_are_the_moves_after_a_pass() {
        let passed = chess::Position::from_fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").unwrap().passed();
        assert_eq!(passed.map(|position| position.side()), Some(Side::White));
        let in_check = chess::Position::from_fen("7k/6Q1/8/8/8/8/8/K7 b - - 0 1").unwrap();
        assert!(in_check.passed().is_none());
        assert!(draughts::Position::start().passed().is_none());
        let analyse = Request::Analyse {
            lines: 1,
            threads: None,
            hash: None,
            engine: None,
            panel: 0,
            seconds: 0,
        };
        // After a stalemate, there is nothing to analyse.
        for (fen, thinks) in [("", true), ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", false)] {
            let (mut study, _events) = open::<chess::Position>(fen);
            assert!(study.does(&[Request::Threat { on: true }, analyse.clone()]).threat);
            assert_eq!(study.board(SAN).thinking, thinks, "{fen}");
        }
    }

    #[test]
    fn unknown_engines_are_refused() {
        let (mut study, _events) = open::<chess::Position>("");
        let analyse = |engine: Option<&str>, panel| Request::Analyse {
            lines: 1,
            threads: None,
            hash: None,
            engine: engine.map(str::to_owned),
            panel,
            seconds: 0,
        };
        let refused = study.on_request(analyse(Some("Stockfish"), 0), SAN).unwrap_err().to_string();
        assert!(refused.contains("'Stockfish'"), "{refused}");
        assert!(study.on_request(analyse(None, 2), SAN).is_err());
        let engines = study.does(&[analyse(None, 1)]).engines;
        assert_eq!(engines.iter().map(|one| one.runs).collect::<Vec<_>>(), [false, true]);
        let engines = study.does(&[Request::Stop { panel: 1 }]).engines;
        assert!(engines.iter().all(|one| !one.runs && one.engine.is_empty()));
    }
}
