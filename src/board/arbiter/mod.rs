//! The arbiter's desk: a log of the events at a real board, with the ruling on each event.
//!
//! The `log` has the format that `adoube referee --check` reads. `logs` stores each log in the
//! user's folder as it grows. [`AnyReferee`] parses every line, rules on it and lists the possible
//! events, so this desk contains no rules of the game. `watch` measures the thinking times that are
//! added to the clock-press events. `sheet` creates the score sheet.

mod log;
mod logs;
mod sheet;
mod watch;

pub(super) use log::{Log, LogError, LogTerms, MAX_EVENTS, MAX_POSITIONS};
pub(super) use logs::{LogFile, Logs};

use super::desk::{Desk, Requests, Update, file};
use super::game::BoardGame;
use super::message::arbiter::{LawText, Lines, LoggedEvent, Next, Offered, Panel, RulingText};
use super::message::{Board, Ending, Mode, Ply, ServerMessage};
use super::outlet::EngineEvent;
use super::typed::TypedMoveError;
use crate::base::side::Side;
use crate::chess::notation::Notation;
use crate::laws::any::each;
use crate::laws::event::grammar::beginning;
use crate::laws::event::possible::Offer;
use crate::laws::event::word;
use crate::laws::language::{InFrench as _, Language};
use crate::laws::log::is_named;
use crate::laws::ruling::Decision;
use crate::laws::{AnyReferee, Referee, Ruling, help};
use serde::Deserialize;
use sheet::made_moves;
use std::io;
use std::time::{Duration, Instant};
use watch::Watch;

#[derive(Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(tag = "ask", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Request {
    /// Adds an event, written as a line of the log.
    Event {
        line: String,
    },
    Move {
        text: String,
    },
    TakeBack,
    Watch {
        runs: bool,
    },
    Next {
        line: String,
    },
    Sheet,
    Save,
    #[serde(other)]
    Unknown,
}

#[derive(Debug, thiserror::Error)]
pub(super) enum ArbiterError {
    #[error(transparent)]
    Log(#[from] LogError),
    #[error("cannot save the log: {0}")]
    Storage(#[from] io::Error),
    #[error(transparent)]
    Typed(#[from] TypedMoveError),
    #[error("there is nothing to take back")]
    NothingToTakeBack,
    #[error("an arbiter's board does not support this request")]
    Unknown,
}

#[derive(Debug)]
pub(super) struct Arbiter {
    log: Log,
    id: String,
    file: LogFile,
    language: Language,
    watch: Watch,
    turns: Vec<(usize, Duration)>,
}

impl Arbiter {
    pub(super) fn new(log: Log, id: String, file: LogFile, language: Language) -> Self {
        let watch = Watch::stopped_at(log.clock().unwrap_or_default());
        Self { log, id, file, language, watch, turns: Vec::new() }
    }

    pub(super) fn laws(&self) -> ServerMessage {
        let article = |article: &str| match self.language {
            Language::English => article.to_owned(),
            Language::French => article.replace("annex", "annexe"),
        };
        let laws = self.log.edition.laws().iter().map(|law| LawText {
            rule: law.rule.english(),
            article: article(law.article),
            says: law.summary_in(self.language),
            reading: law.interpretation_in(self.language),
        });
        ServerMessage::Laws { laws: laws.collect() }
    }

    fn referee(&self) -> &AnyReferee {
        self.log.referee()
    }

    /// Adds an event and its rulings to the log. If the event is a press of the running clock
    /// without a time, the measured time is appended to it, unless it is zero.
    fn happen(&mut self, line: &str, now: Instant) -> Result<(), ArbiterError> {
        let runs = each!(self.referee(), referee => referee.runs());
        let clocked = each!(self.referee(), referee => referee.has_clock());
        let pressed = line.trim() == format!("{} press", word(runs));
        let taken = self.watch.taken(now);
        let timed = format!("{line} +{:.1}", taken.as_secs_f64());
        let line = if pressed && clocked && !taken.is_zero() { &timed } else { line };
        let before = self.log.entries().len();
        self.log.rule(line, self.language)?;
        let new = &self.log.entries()[before..];
        let text: String = new.iter().map(log::Entry::text).collect();
        if let Err(error) = self.file.append(&text) {
            self.log.truncate(before);
            return Err(error.into());
        }
        self.go_on(before, pressed, runs, now);
        self.store_clock(now);
        Ok(())
    }

    /// Stores the time on the stopwatch if it was started in this turn. Does nothing in a game
    /// without clocks, or after the end.
    fn store_clock(&mut self, now: Instant) {
        let (runs, taken) = (self.watch.runs(), self.watch.taken(now));
        let clocked = each!(self.referee(), referee => referee.has_clock());
        if !clocked || self.referee().verdict().is_some() || !runs && taken.is_zero() {
            return;
        }
        if let Err(error) = self.file.set_clock(taken) {
            tracing::warn!("cannot save the clock of the log {}: {error}", self.id);
        }
    }

    /// Updates the stopwatch after events have been added. `before` is the index of the first new
    /// event, `pressed` is true if a player pressed the clock, and `ran` is the side whose clock
    /// ran before the new events.
    fn go_on(&mut self, before: usize, pressed: bool, ran: Side, now: Instant) {
        let runs = each!(self.referee(), referee => referee.runs());
        if pressed || runs != ran {
            self.turns.push((before, self.watch.taken(now)));
            self.watch.turn(now);
        }
        let new = &self.log.entries()[before..];
        let decisions =
            || new.iter().flat_map(|entry| &entry.rulings).map(|ruling| &ruling.decision);
        let stops = |decision: &Decision| {
            matches!(decision, Decision::Stopped | Decision::Closed | Decision::Restart)
        };
        let starts = |decision: &Decision| matches!(decision, Decision::Runs(_));
        if decisions().any(stops) || self.referee().verdict().is_some() {
            self.watch.halt(now);
        } else if decisions().any(starts) || new.iter().any(|entry| entry.line == "start") {
            self.watch.start(now);
        }
    }

    fn take_back(&mut self, now: Instant) -> Result<(), ArbiterError> {
        let mut shorter = self.log.clone();
        if !shorter.take_back() {
            return Err(ArbiterError::NothingToTakeBack);
        }
        self.file.rewrite(&self.log.text(), &shorter.text())?;
        self.log = shorter;
        let left = self.log.entries().len();
        while let Some((_, passed)) = self.turns.pop_if(|(events, _)| *events >= left) {
            self.watch.turn_back(passed);
        }
        self.store_clock(now);
        Ok(())
    }

    fn make(&mut self, text: &str, notation: Notation, now: Instant) -> Result<(), ArbiterError> {
        let line = each!(self.referee(), referee => {
            let m = referee.present().read_typed(text, notation)?;
            format!("{} move {m}", word(referee.on_turn()))
        });
        self.happen(&line, now)
    }

    fn next(&self, line: &str) -> Next {
        let (from, words) = self.referee().continuations_in(line, self.language);
        let whole = self.referee().is_event(line, self.language);
        let line = line.get(..from).unwrap_or_default().to_owned();
        let means = help::meaning(&line, self.language).unwrap_or_default();
        Next { line, words, whole, means }
    }

    fn possible(&self) -> Vec<Offered> {
        let offered = |offer: Offer| {
            let line = offer.line();
            Offered {
                side: offer.side,
                name: offer.form.name,
                whole: self.referee().is_event(&line, self.language),
                more: !self.referee().continuations(&format!("{line} ")).1.is_empty(),
                means: offer.form.meaning(self.language),
                line,
            }
        };
        self.referee().possible().offers().map(offered).collect()
    }

    fn lines<G: BoardGame>(referee: &Referee<G>) -> Lines {
        let turn = referee.on_turn();
        Lines {
            play: beginning(turn, "move"),
            touch: beginning(turn, "touch"),
            release: beginning(turn, "release"),
            remove: beginning(turn, "remove"),
            illegal: beginning(turn, "illegal"),
            press: referee.presses().map(|side| beginning(side, "press")),
        }
    }

    fn panel<G: BoardGame>(&self, referee: &Referee<G>) -> Panel {
        let ruled = |ruling: &Ruling| RulingText {
            text: ruling.in_language(self.language),
            rule: ruling.rule.english(),
            spoken: is_named(&ruling),
        };
        let event = |entry: &log::Entry| LoggedEvent {
            line: entry.line.clone(),
            pressed: Side::ALL
                .into_iter()
                .find(|&side| entry.line.starts_with(&beginning(side, "press"))),
            rulings: entry.rulings.iter().map(ruled).collect(),
        };
        let edition = self.log.edition;
        let lines = Self::lines(referee);
        let hand = |entry: &log::Entry| {
            [&lines.release, &lines.remove].iter().any(|line| entry.line.starts_with(line.as_str()))
        };
        Panel {
            edition,
            title: self.language.of(edition.title(), edition.french_title()),
            french: self.language == Language::French,
            squares: G::squares_of(&referee.fen()).unwrap_or_else(|| referee.position().squares()),
            events: self.log.entries().iter().map(event).collect(),
            struck: self.log.struck().to_vec(),
            possible: self.possible(),
            captures: self.log.entries().last().is_some_and(hand),
            lines,
            presses: referee.presses(),
            clocked: referee.has_clock() && referee.verdict().is_none(),
        }
    }

    fn clocks<G: BoardGame>(&self, referee: &Referee<G>, now: Instant) -> [Option<u64>; 2] {
        Side::ALL.map(|side| {
            let runs = side == referee.runs() && referee.verdict().is_none();
            let taken = if runs { self.watch.taken(now) } else { Duration::ZERO };
            let left = referee.clock(side).remaining()?.saturating_sub(taken);
            u64::try_from(left.as_millis()).ok()
        })
    }

    fn ending<G: BoardGame>(&self, referee: &Referee<G>) -> Option<Ending> {
        let end = referee.verdict()?;
        let result = Decision::Result(end.outcome);
        let text = match self.language {
            Language::English => {
                format!("{}: {} ({})", result.english(), end.rule.english(), end.article)
            }
            Language::French => {
                format!("{} : {} ({})", result.french(), end.rule.french(), end.article)
            }
        };
        Some(Ending { score: end.outcome.score(), text })
    }

    fn view<G: BoardGame>(&self, referee: &Referee<G>, notation: Notation) -> Board {
        let start = referee.course().next().map_or_else(G::start, |(start, _)| start.clone());
        let plies: Vec<Ply> = made_moves(referee)
            .map(|made| match made.m {
                Some(m) => made.before.ply(m, notation),
                None => Ply {
                    text: made.text(notation),
                    spoken: "an irregular move".to_owned(),
                    announced: String::new(),
                    squares: made.after.squares(),
                    route: Vec::new(),
                },
            })
            .collect();
        let now = Instant::now();
        let present = referee.present();
        let over = referee.verdict().is_some();
        let can =
            [Some("save"), Some("sheet"), (!self.log.entries().is_empty()).then_some("take-back")];
        let heads = &self.log.heads;
        let name = |name: &str| if name.is_empty() { "?".to_owned() } else { name.to_owned() };
        Board {
            game: G::NAME,
            mode: Mode::Referee,
            id: Some(self.id.clone()),
            players: [name(&heads.white), name(&heads.black)],
            you: None,
            start: start.squares(),
            first: start.first_number(),
            black_first: start.side() == Side::Black,
            at: plies.len(),
            plies,
            turn: referee.on_turn(),
            legal: if over { Vec::new() } else { present.legal(notation) },
            check: present.check(),
            fen: referee.fen(),
            clocks: self.clocks(referee, now),
            running: (self.watch.runs() && referee.has_clock()).then(|| referee.runs()),
            thinking: false,
            ending: self.ending(referee),
            unsaved: false,
            can: can.into_iter().flatten().collect(),
            record: None,
            opening: None,
            terms: None,
            study: None,
            referee: Some(Box::new(self.panel(referee))),
        }
    }
}

impl Requests for Arbiter {
    type Request = Request;
    type Error = ArbiterError;

    fn on_request(&mut self, request: Request, notation: Notation) -> Result<Update, ArbiterError> {
        let now = Instant::now();
        match request {
            Request::Event { line } => self.happen(&line, now)?,
            Request::Move { text } => self.make(&text, notation, now)?,
            Request::TakeBack => self.take_back(now)?,
            Request::Watch { runs } => {
                if runs {
                    self.watch.start(now);
                } else {
                    self.watch.halt(now);
                }
                self.store_clock(now);
            }
            Request::Next { line } => {
                return Ok(Update::Only(ServerMessage::Next(self.next(&line))));
            }
            Request::Sheet => {
                let sheet = each!(self.referee(), referee => {
                    sheet::sheet(&self.log, referee, notation, self.language)
                });
                return Ok(Update::Only(ServerMessage::Sheet(sheet)));
            }
            Request::Save => return Ok(Update::BoardAnd(file(self.log.text(), "log"))),
            Request::Unknown => return Err(ArbiterError::Unknown),
        }
        Ok(Update::Board)
    }
}

/// The arbiter's desk has no deadlines: a flag counts as fallen only when someone notices the fall
/// (article 6.8).
impl Desk for Arbiter {
    /// The arbiter's desk does not run an engine.
    fn on_engine_event(&mut self, _: EngineEvent, _: Notation) -> Update {
        Update::None
    }

    fn on_language(&mut self, language: Language) -> Update {
        self.language = language;
        Update::BoardAnd(self.laws())
    }

    fn has_running_clock(&self) -> bool {
        self.watch.runs()
    }

    fn save_clock(&mut self) {
        self.store_clock(Instant::now());
    }

    fn board(&self, notation: Notation) -> Board {
        each!(self.referee(), referee => self.view(referee, notation))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::chess::notation::algebraic::Style;
    use crate::laws::Edition;

    const SAN: Notation = Notation::Algebraic(Style::SAN);

    fn desk(edition: Edition, rules: &str) -> (Arbiter, Logs, tempfile::TempDir) {
        let dir = tempfile::tempdir().unwrap();
        let logs = Logs::in_folder(dir.path());
        let terms = LogTerms { edition, rules: rules.to_owned(), heads: Default::default() };
        let log = Log::new(terms).unwrap();
        let (id, file) = logs.store(&log).unwrap();
        (Arbiter::new(log, id, file, Language::English), logs, dir)
    }

    fn offered(desk: &Arbiter) -> Vec<String> {
        desk.possible().into_iter().map(|event| event.line).collect()
    }

    #[test]
    fn adds_the_measured_time_to_a_press_of_the_clock() {
        let (mut desk, logs, _dir) = desk(Edition::Fide2009, "time = \"5m\"");
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        desk.watch.start(at(0));
        desk.happen("white move e2e4", at(4)).unwrap();
        desk.happen("white press", at(7)).unwrap();
        desk.happen("black move e7e5", at(10)).unwrap();
        // No time is counted while the clocks are stopped.
        desk.happen("black stop", at(12)).unwrap();
        desk.happen("start", at(60)).unwrap();
        desk.happen("black press", at(61)).unwrap();
        let lines: Vec<_> = desk.log.entries().iter().map(|entry| entry.line.as_str()).collect();
        assert_eq!(lines[1], "white press +0:00:07");
        assert_eq!(lines[5], "black press +0:00:06");
        desk.take_back(at(62)).unwrap();
        assert_eq!(logs.open(&desk.id).unwrap().0.text(), desk.log.text());
        desk.happen("black press", at(63)).unwrap();
        assert_eq!(desk.log.struck(), [(5, "black press +0:00:06".to_owned())]);
        assert_eq!(desk.log.entries()[5].line, "black press +0:00:08");
        assert_eq!(logs.open(&desk.id).unwrap().0.text(), desk.log.text());
    }

    #[test]
    fn a_reopened_log_keeps_the_time_of_the_turn() {
        let (mut desk, logs, _dir) = desk(Edition::Fide2009, "time = \"5m\"");
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        desk.on_request(Request::Watch { runs: true }, SAN).unwrap();
        assert_eq!(logs.list(|_| false).len(), 1, "stored before the first event");
        desk.watch = Watch::default();
        desk.watch.start(at(0));
        desk.happen("white move e2e4", at(4)).unwrap();
        desk.store_clock(at(30));
        let (log, file, note) = logs.open(&desk.id).unwrap();
        assert_eq!((log.text(), note), (desk.log.text(), None));
        let mut again = Arbiter::new(log, desk.id.clone(), file, Language::English);
        assert_eq!(again.board(SAN).clocks, [Some(270_000), Some(300_000)]);
        assert_eq!(again.board(SAN).running, None);
        again.watch.start(at(100));
        again.happen("white press", at(105)).unwrap();
        assert_eq!(again.log.entries()[1].line, "white press +0:00:35");
        assert_eq!(again.board(SAN).clocks[0], Some(265_000));
    }

    #[test]
    fn offers_only_events_that_the_referee_accepts() {
        for (edition, move_) in [(Edition::Fide2023, "e4"), (Edition::Fmjd, "32-28")] {
            let (mut desk, ..) = desk(edition, "time = \"5m\"");
            desk.on_request(Request::Move { text: move_.to_owned() }, SAN).unwrap();
            let events = desk.possible();
            assert!(offered(&desk).contains(&"white press".to_owned()));
            for event in events.iter().filter(|event| event.whole) {
                let mut log = desk.log.clone();
                log.rule(&event.line, Language::English).unwrap_or_else(|why| panic!("{why}"));
                assert!(!event.means.is_empty(), "{}", event.line);
            }
            let board = desk.board(SAN);
            let panel = board.referee.unwrap();
            assert_eq!((board.plies.len(), panel.presses), (1, Some(Side::White)));
            assert_eq!(panel.squares.len(), if edition == Edition::Fmjd { 50 } else { 64 });
        }
    }

    #[test]
    fn shows_an_illegal_move_on_the_board() {
        let (mut desk, ..) = desk(Edition::Fide2009, "time = \"5m\"");
        let now = Instant::now();
        desk.happen("white illegal e1 e3", now).unwrap();
        let board = desk.board(SAN);
        let panel = board.referee.unwrap();
        assert_eq!(panel.squares.split_at(44).1.chars().next(), Some('K'));
        assert!(panel.events[0].rulings.is_empty(), "no player has claimed the illegal move");
        assert_eq!((board.plies.len(), panel.presses), (0, Some(Side::White)));
        desk.on_request(Request::TakeBack, SAN).unwrap();
        assert!(desk.take_back(now).is_err());
    }

    #[test]
    fn score_sheet_has_times_and_draw_offers() {
        let (mut desk, ..) = desk(Edition::Fide2009, "time = \"5m\"");
        for line in [
            "white move e2e4",
            "white press +10",
            "black move e7e5",
            "black offer",
            "black press +20",
            "white claim repetition",
            "white move g1f3",
        ] {
            desk.happen(line, Instant::now()).unwrap();
        }
        let french = desk.on_language(Language::French);
        assert!(matches!(french, Update::BoardAnd(ServerMessage::Laws { .. })));
        let notation: Notation = "fr".parse().unwrap();
        let Update::Only(ServerMessage::Sheet(sheet)) =
            desk.on_request(Request::Sheet, notation).unwrap()
        else {
            panic!("a sheet")
        };
        let cell = |row: usize, side: usize| sheet.rows[row].moves[side].clone().unwrap();
        assert_eq!(cell(0, 0).time.as_deref(), Some("0:04:50"));
        assert_eq!(cell(0, 1).text, "e5 (=)");
        assert_eq!(cell(1, 0).text, "Cf3");
        assert_eq!(cell(1, 0).time, None, "the clock was not pressed");
        assert_eq!(sheet.rows[1].moves[1], None);
        assert!(
            sheet.remarks[0].starts_with("1... white claim repetition: "),
            "{:?}",
            sheet.remarks
        );
    }
}
