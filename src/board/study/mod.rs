//! A position or a game that is looked at: its tree of moves, the engine's lines, and the whole game
//! analysed.

pub(super) mod collection;
mod review;
pub(super) mod tables;
mod tree;

use super::Tables;
use super::desk::{Desk, keys, plies, saved_as};
use super::message::{Ask, Board, Mode, Say};
use super::shown::Shown;
use super::thinker::{Aim, Outlet, Thinker, Told};
use crate::base::side::Side;
use crate::chess::notation::Notation;
use crate::record::games::{EditError, Reader, Record, TreePath};
use crate::search::limits::Limits;
use crate::tools::analyse::{annotate, commands, visible_text};
pub use collection::Listed;
use review::Review;
pub use review::{Course, Effort};
use serde::Serialize;
use std::sync::Arc;
use std::time::Instant;
pub use tables::Known;
pub use tree::Tree;

/// The most lines that the engine shows.
const MOST_LINES: usize = 5;
/// The most moves of a game, variations included: more make the page slow.
const MOST_MOVES: usize = 4000;
/// The most characters of the comments of a move, and the most of its glyphs.
const MOST_SAID: usize = 4000;
const MOST_NAGS: usize = 16;

/// What is to be seen of a study besides its board.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Studied {
    /// Its moves.
    pub tree: Tree,
    /// The course of the game, if its scores are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub course: Option<Course>,
    /// The positions that the analysis of the whole game has looked at and all of them, if it runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progress: Option<[usize; 2]>,
    /// What tables of endings know of the position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known: Option<Known>,
}

/// What is studied.
pub(super) struct Study<G: Shown> {
    game: Record<G>,
    /// Where in the game the board is.
    place: TreePath,
    /// The position there.
    position: G,
    thinker: Thinker<G>,
    /// How many lines the engine shows; `None` if it rests.
    lines: Option<usize>,
    /// The analysis of the whole game that runs.
    review: Option<Review<G>>,
    outlet: Outlet,
    tables: Arc<Tables>,
}

impl<G: Shown> Study<G> {
    /// Opens a position (FEN) or a game of a text of records (PGN, PDN): that of a number, from 0, or the
    /// first. An empty text is the start position. There can be something to say about it.
    ///
    /// # Errors
    /// Why the text is neither.
    pub fn open(
        text: &str,
        number: Option<usize>,
        outlet: Outlet,
        tables: Arc<Tables>,
    ) -> Result<(Self, Option<Say>), String> {
        let text = text.trim();
        let mut note = None;
        let game = match G::from_fen(text) {
            _ if text.is_empty() => begun(G::start()),
            Ok(start) => begun(start),
            // A line without a move's number or a tag is meant as a position.
            Err(error) if !text.contains(['\n', '[']) && !text.contains("1.") => {
                return Err(error.to_string());
            }
            Err(_) => {
                let mut games = Reader::<G, _>::new(text.as_bytes());
                let game = games.nth(number.unwrap_or(0)).ok_or("there is no game in the text")?;
                let game = game.map_err(|error| error.to_string())?;
                let rest = if number.is_some() { 0 } else { 1000 };
                let more = games.take(rest).filter(Result::is_ok).count();
                if more > 0 {
                    let text = format!("The first of {} games is shown.", more + 1);
                    note = Some(Say::Note { text });
                }
                game
            }
        };
        bounded(&game)?;
        let study = Self {
            place: TreePath::default(),
            position: game.start().clone(),
            game,
            thinker: Thinker::new(outlet.clone()),
            lines: None,
            review: None,
            outlet,
            tables,
        };
        Ok((study, note))
    }

    /// Looks at another place.
    fn go(&mut self, place: TreePath) {
        let (before, _) = self.game.line_through(&place);
        let start = self.game.start().clone();
        self.position = before.iter().fold(start, |position, &m| position.after(m));
        self.place = place;
    }

    /// The place after so many moves of the line in which the board is.
    fn along(&self, ply: usize) -> TreePath {
        let (before, _) = self.game.line_through(&self.place);
        if ply >= before.len() {
            return self.game.forward(&self.place, ply - before.len());
        }
        let mut place = self.place.clone();
        for _ in ply..before.len() {
            place = place.back().unwrap_or_default();
        }
        place
    }

    /// Has the engine look at the position, if it is to.
    fn think(&mut self, notation: Notation) {
        self.thinker.stop();
        let Some(lines) = self.lines.filter(|_| !self.position.moves().is_empty()) else { return };
        let (before, _) = self.game.line_through(&self.place);
        let earlier = keys(self.game.start(), &before);
        let limits = Limits { infinite: true, ..Limits::default() };
        let aim = Aim::Lines(lines, before.len());
        self.thinker.start(self.position.clone(), earlier, limits, aim, notation);
    }

    /// Changes the game, and goes to the place that the change gives.
    fn edit(
        &mut self,
        change: impl FnOnce(&mut Record<G>, &TreePath) -> Result<TreePath, EditError<G::Move>>,
    ) -> Result<(), String> {
        let old: Vec<_> = self.game.moves().collect();
        let place = change(&mut self.game, &self.place).map_err(|error| error.to_string())?;
        if !self.game.moves().eq(old) {
            self.game.result = G::Result::default();
            Course::outdate(&mut self.game);
            self.review = None;
        }
        self.go(place);
        Ok(())
    }

    fn make(&mut self, text: &str, notation: Notation) -> Result<(), String> {
        let m = self.position.read_typed(text, notation)?;
        let is_known = self.game.child(&self.place, m).is_some();
        if !is_known && self.game.count_moves() >= MOST_MOVES {
            return Err(format!("a game has at most {MOST_MOVES} moves here"));
        }
        self.edit(|game, place| game.play(place, m))
    }

    /// Replaces what is said at the place. What only programs read stays.
    fn remark(&mut self, comments: &[String], nags: &[u8]) -> Result<(), String> {
        if nags.len() > MOST_NAGS {
            return Err(format!("a move has at most {MOST_NAGS} signs"));
        }
        let is_move = self.game.node_at(&self.place).is_some();
        if !is_move && !nags.is_empty() {
            return Err("a sign belongs to a move".to_owned());
        }
        let old = self.game.comments_at(&self.place);
        if !old.iter().filter_map(|comment| visible_text(comment)).eq(comments.iter().cloned()) {
            let said: usize = comments.iter().map(|comment| 1 + comment.chars().count()).sum();
            if said > MOST_SAID + 1 {
                return Err(format!("a move has comments of at most {MOST_SAID} letters in all"));
            }
            let hidden = old.iter().filter_map(|comment| commands(comment));
            let all: Vec<_> = hidden.chain(comments.iter().cloned()).collect();
            self.game.set_comments(&self.place, &all);
        }
        if is_move {
            let set = self.game.set_nags(&self.place, nags);
            set.map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    /// Takes what the analysis of the whole game has come to.
    fn reviewed(&mut self) -> Option<Say> {
        let review = self.review.as_ref()?;
        let Some(outcome) = review.outcome() else {
            return Some(Say::Progress { progress: review.progress() });
        };
        self.review = None;
        let text = match outcome {
            Ok(story) => {
                let mut game = self.game.clone();
                annotate(&mut game, &story);
                match bounded(&game) {
                    Ok(()) => {
                        self.game = game;
                        "The game has been analysed.".to_owned()
                    }
                    Err(why) => return Some(Say::Refused { why }),
                }
            }
            Err(why) => return Some(Say::Refused { why }),
        };
        Some(Say::Note { text })
    }

    fn players(&self) -> [String; 2] {
        ["White", "Black"].map(|tag| self.game.tag(tag).unwrap_or("?").to_owned())
    }
}

/// A new game.
fn begun<G: Shown>(start: G) -> Record<G> {
    let mut game = Record::from_position(start);
    game.set_date(std::time::SystemTime::now());
    game
}

/// # Errors
/// If a game has more moves than can be shown.
fn bounded<G: Shown>(game: &Record<G>) -> Result<(), String> {
    let count = game.count_moves();
    if count > MOST_MOVES {
        return Err(format!(
            "the game has {count} moves with its variations, more than {MOST_MOVES}"
        ));
    }
    Ok(())
}

impl<G: Shown> Desk for Study<G> {
    fn ask(&mut self, ask: Ask, notation: Notation) -> Result<Option<Say>, String> {
        match ask {
            Ask::Move { text } => self.make(&text, notation)?,
            Ask::At { ply } => self.go(self.along(ply)),
            Ask::Go { number } => {
                let index = number.checked_sub(1);
                let place = index.and_then(|index| self.game.paths().get(index).cloned());
                self.go(place.unwrap_or_default());
            }
            Ask::TakeBack => self.edit(|game, place| game.remove(place))?,
            Ask::Promote => self.edit(|game, place| game.promote(place))?,
            Ask::Remark { comments, nags } => {
                self.remark(&comments, &nags)?;
                return Ok(None);
            }
            Ask::Review { effort } => {
                let review = Review::begin(&self.game, effort, self.outlet.clone())?;
                // The machine may have one processor for both.
                self.lines = None;
                self.review = Some(review);
            }
            Ask::Cancel => {
                self.review = None;
                return Ok(None);
            }
            Ask::Analyse { lines } => self.lines = Some(lines.clamp(1, MOST_LINES)),
            Ask::Stop => self.lines = None,
            Ask::Notation { .. } => {}
            Ask::Save => return Ok(Some(saved_as::<G>(self.game.to_string()))),
            _ => return Err("that can be done in a game only".to_owned()),
        }
        self.think(notation);
        Ok(None)
    }

    fn told(&mut self, told: Told, _: Notation) -> Option<Option<Say>> {
        match told {
            Told::Lines(number, lines) if self.thinker.is_current(number) => {
                Some(Some(Say::Lines(lines)))
            }
            Told::Review => self.reviewed().map(Some),
            Told::Failed(why) => Some(Some(Say::Refused { why })),
            Told::Lines(..) | Told::Move(..) => None,
        }
    }

    fn deadline(&self) -> Option<Instant> {
        None
    }

    fn flag_falls(&mut self) {}

    fn board(&self, notation: Notation) -> Board {
        let start = self.game.start();
        let (before, after) = self.game.line_through(&self.place);
        let at = before.len();
        let earlier = keys(start, &before);
        let line: Vec<_> = before.into_iter().chain(after).collect();
        let mut can = vec![if self.lines.is_some() { "stop" } else { "analyse" }, "save"];
        can.extend((at > 0).then_some("take-back"));
        can.extend((!self.place.is_in_main_line()).then_some("promote"));
        if self.review.is_some() {
            can.push("cancel");
        } else if !self.game.line().moves.is_empty() {
            can.push("review");
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
            clocks: [None; 2],
            running: None,
            thinking: self.thinker.is_busy(),
            ending: None,
            can,
            record: Some(self.game.to_string()),
            study: Some(Box::new(Studied {
                tree: Tree::new(&self.game, &self.place, notation),
                course: Course::of(&self.game),
                progress: self.review.as_ref().map(Review::progress),
                known: self.position.endings(&earlier, &self.tables, notation),
            })),
            referee: None,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::chess::notation::algebraic::Style;
    use crate::record::games::Recorded as _;
    use crate::{chess, draughts};
    use once_cell::sync::Lazy;
    use tokio::sync::Semaphore;
    use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

    const SAN: Notation = Notation::Algebraic(Style::SAN);

    fn open<G: Shown>(text: &str) -> (Study<G>, UnboundedReceiver<Told>) {
        let (told, tells) = unbounded_channel();
        let outlet = Outlet { slots: Arc::new(Semaphore::new(1)), told };
        (Study::open(text, None, outlet, Arc::default()).unwrap().0, tells)
    }

    impl<G: Shown> Study<G> {
        fn does(&mut self, asked: &[Ask]) -> Studied {
            for ask in asked {
                self.ask(ask.clone(), SAN).unwrap_or_else(|why| panic!("{ask:?}: {why}"));
            }
            *self.board(SAN).study.unwrap()
        }

        /// The moves and what is said of them, as they are saved.
        fn saved(&mut self) -> String {
            let Ok(Some(Say::Record { text, .. })) = self.ask(Ask::Save, SAN) else {
                panic!("a record")
            };
            text
        }
    }

    fn move_(text: &str) -> Ask {
        Ask::Move { text: text.to_owned() }
    }

    fn remark(comment: &str, nags: &[u8]) -> Ask {
        Ask::Remark { comments: vec![comment.to_owned()], nags: nags.to_vec() }
    }

    #[test]
    fn a_move_from_an_earlier_position_begins_a_variation() {
        let game = "[Event \"x\"]\n[White \"A\"]\n\n1. e4 e5 2. Nf3 {[%clk 1:00] good} Nc6 1-0";
        let (mut study, _tells) = open::<chess::Position>(game);
        let shown = study.does(&[Ask::At { ply: 2 }, move_("f4"), move_("exf4")]);
        assert_eq!(shown.tree.here, 5);
        let variation = &shown.tree.line.moves[2].variations[0];
        assert_eq!(variation.moves[1].text, "exf4");
        assert_eq!(variation.moves[1].number, 5);
        let board = study.board(SAN);
        assert_eq!((board.at, board.plies.len()), (4, 4));
        assert!(board.can.contains(&"promote"));
        // The game is what it was, and its result.
        assert!(study.saved().contains("2. Nf3 {[%clk 1:00] good} (2. f4 exf4) 2... Nc6 1-0"));

        study.does(&[remark("King's Gambit", &[5]), Ask::Go { number: 3 }]);
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
        // What is saved is opened as it was.
        let (mut again, _) = open::<chess::Position>(&text);
        assert_eq!(again.saved(), text);
        assert_eq!(again.does(&[Ask::Go { number: 3 }]), study.does(&[]));

        let shown = study.does(&[Ask::Go { number: 5 }, Ask::Promote]);
        assert_eq!(shown.tree.line.moves[3].text, "exf4");
        assert_eq!(shown.tree.line.moves[2].variations[0].moves[0].text, "Nf3");
        // The result was that of another game.
        let text = study.saved();
        assert!(text.contains("[Event \"x\"]") && text.contains("[Result \"*\"]"), "{text}");
        let shown = study.does(&[Ask::At { ply: 3 }, Ask::TakeBack]);
        assert_eq!((shown.tree.here, shown.tree.line.moves[2].text.as_str()), (2, "Nf3"));
        assert!(study.ask(Ask::Promote, SAN).is_err());
        study.does(&[Ask::Go { number: 0 }]);
        assert!(study.ask(remark("x", &[1]), SAN).is_err(), "no move has a sign there");
        assert!(study.ask(remark(&"x".repeat(5000), &[]), SAN).is_err());
        assert!(study.ask(Ask::TakeBack, SAN).is_err());
    }

    #[test]
    fn variations_of_draughts_are_kept() {
        let (mut study, _tells) =
            open::<draughts::Position>("1. 32-28 (1. 31-27 {quiet}) 1... 19-23 *");
        let shown = study.does(&[Ask::Go { number: 2 }, move_("18-23"), remark("", &[6])]);
        assert_eq!(shown.tree.line.moves[0].variations[0].moves[1].nags, [6]);
        let text = study.saved();
        assert!(text.contains("1. 32-28 (1. 31-27 {quiet} 18-23 $6) 19-23 *"), "{text}");
        assert_eq!(open::<draughts::Position>(&text).0.saved(), text);
    }

    /// What is known of a position by the tables that the tests have.
    fn known<G: Shown>(fen: &str) -> Option<(String, Vec<String>)> {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/engine-tests/syzygy");
        let (syzygy, unused) = crate::endings::syzygy::Tables::open([folder]);
        assert!(unused.is_empty(), "{unused:?}");
        let shipped = Lazy::new(Box::new(crate::endings::bitbase::Bitbases::shipped) as _);
        let tables = Tables { syzygy, bitbases: shipped };
        let known = G::from_fen(fen).unwrap().endings(&[], &tables, SAN)?;
        let shown = |one: &tables::KnownMove| {
            let distance = one.distance.map_or_else(String::new, |plies| format!(" {plies}"));
            format!("{} {:?}{distance}", one.shown, one.value)
        };
        Some((known.text, known.moves.iter().map(shown).collect()))
    }

    #[test]
    fn tables_of_endings_say_what_they_know() {
        let (text, moves) = known::<chess::Position>("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1").unwrap();
        assert_eq!((text.as_str(), moves.len()), ("Draw", 0));
        let (text, moves) = known::<chess::Position>("8/8/8/4k3/8/8/8/KQ6 w - - 0 1").unwrap();
        assert!(text.starts_with("White wins; ") && text.contains("half-moves"), "{text}");
        assert!(moves[0].contains("Win") && moves.last().unwrap().contains("Draw"), "{moves:?}");
        assert_eq!(known::<chess::Position>("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), None);
        assert_eq!(known::<chess::Position>(&chess::Position::start().to_fen()), None);
        let (text, moves) = known::<draughts::Position>("W:WK28:B40,44").unwrap();
        assert!(!text.is_empty() && !moves.is_empty());
        let (text, moves) = known::<draughts::Position>("W:WK28:BK19").unwrap();
        assert!(text.starts_with("White wins") && moves.len() == 3, "{text} {moves:?}");
        assert_eq!(known::<draughts::Position>(&draughts::Position::start().to_fen()), None);
    }

    #[test]
    fn a_game_can_be_too_long_to_be_shown() {
        let moves = "Nf3 Nf6 Ng1 Ng8 ".repeat(MOST_MOVES / 4);
        let (mut study, _tells) = open::<chess::Position>(&format!("1. {moves} *"));
        study.does(&[Ask::At { ply: usize::MAX }]);
        assert_eq!(study.board(SAN).at, MOST_MOVES);
        assert!(study.ask(move_("e4"), SAN).unwrap_err().contains("4000"));
        // A move that is there already can be followed.
        study.does(&[Ask::Go { number: 0 }, move_("Nf3")]);
        let (told, _) = unbounded_channel();
        let outlet = Outlet { slots: Arc::new(Semaphore::new(1)), told };
        assert!(
            Study::<chess::Position>::open(
                &format!("1. {moves} e4 *"),
                None,
                outlet,
                Arc::default()
            )
            .is_err()
        );
    }

    /// What is said when an analysis has ended; it must have told how far it came.
    fn end<G: Shown>(study: &mut Study<G>, tells: &mut UnboundedReceiver<Told>) -> Say {
        let mut most = 0;
        loop {
            match study.told(tells.blocking_recv().unwrap(), SAN) {
                Some(Some(Say::Progress { progress: [done, of] })) => {
                    assert!(most <= done && done <= of);
                    most = done;
                }
                Some(Some(said)) => {
                    assert!(most > 0);
                    return said;
                }
                _ => {}
            }
        }
    }

    const EFFORT: Ask = Ask::Review { effort: Effort::Depth(6) };

    #[test]
    fn a_whole_game_is_analysed() {
        let text = "1. e4 e5 2. Nf3 Nc6 3. Ng5 {[%clk 1:00] bold} Qxg5 4. d3 *";
        let (mut study, mut tells) = open::<chess::Position>(text);
        assert!(study.does(&[]).course.is_none());
        let shown = study.does(&[Ask::Go { number: 5 }, EFFORT]);
        assert_eq!(shown.progress.unwrap()[1], 8);
        assert!(study.board(SAN).can.contains(&"cancel"));
        let Say::Note { text } = end(&mut study, &mut tells) else { panic!("a note") };
        assert!(text.contains("analysed"));
        let shown = study.does(&[]);
        assert_eq!(shown.tree.nags, [4]);
        assert_eq!(shown.tree.comments, ["bold"]);
        assert!(!shown.tree.line.moves[4].variations.is_empty());
        let course = shown.course.clone().unwrap();
        assert!(course.white[0].is_none() && course.white[5].unwrap() < 0.4, "{course:?}");
        assert!(course.accuracy.iter().all(Option::is_some));
        // It is all in the record.
        let text = study.saved();
        let again = open::<chess::Position>(&text).0.does(&[Ask::Go { number: 5 }]);
        assert_eq!(again, shown);
        // Another main line is not the one that was judged.
        let shown = study.does(&[Ask::At { ply: 99 }, move_("d6")]);
        assert_eq!(shown.course.unwrap().accuracy, [None, None]);
    }

    #[test]
    fn an_analysis_is_cancelled() {
        let (mut study, mut tells) = open::<draughts::Position>("1. 32-28 19-23 2. 28x19 14x23 *");
        let long = Ask::Review { effort: Effort::Movetime(60_000) };
        study.does(std::slice::from_ref(&long));
        study.does(&[Ask::Cancel]);
        // The slot is free for the next.
        study.does(&[EFFORT]);
        assert!(matches!(end(&mut study, &mut tells), Say::Note { .. }));
        // A main line that changes ends it too; a variation does not.
        study.does(&[long, Ask::Go { number: 0 }, move_("31-27")]);
        assert!(study.review.is_some());
        study.does(&[Ask::Promote]);
        assert!(study.review.is_none());
        let wrong =
            [Effort::Depth(0), Effort::Depth(61), Effort::Movetime(0), Effort::Movetime(1 << 40)];
        for effort in wrong {
            assert!(study.ask(Ask::Review { effort }, SAN).is_err());
        }
        let (mut empty, _tells) = open::<chess::Position>("");
        assert!(empty.ask(EFFORT, SAN).is_err());
    }
}
