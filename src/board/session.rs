//! One open tab: what it asks, what the engine tells, and the clock, one after the other.
//!
//! A session owns its board. When the tab is closed it ends, and with it its search; the game stays in
//! the journal.

use super::Equipment;
use super::arbiter::{Arbiter, Log, LogFile, Logs};
use super::desk::Desk;
use super::journal::{Journals, StoredGame};
use super::message::{Ask, EngineShown, GameName, NewGame, Say};
use super::opponent::game_of;
use super::played::Played;
use super::shown::Shown;
use super::study::Study;
use super::thinker::{Outlet, Told};
use crate::arena::engine::entrant::Entrant;
use crate::chess::notation::Notation;
use crate::chess::notation::language::Language;
use crate::laws::language::Language as Spoken;
use crate::{chess, draughts};
use axum::extract::ws::{CloseFrame, Message, WebSocket};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::sync::{Notify, Semaphore};

/// The most that a tab may ask in a second.
const MOST_ASKED: u32 = 100;
/// How long a tab may leave what it is told unread.
const PATIENCE: Duration = Duration::from_secs(10);

/// What all sessions share.
#[derive(Debug)]
pub(super) struct Shared {
    /// What the person gave the server.
    pub equipment: Equipment,
    /// The games that are kept.
    pub journals: Journals,
    /// The logs of arbiters.
    pub logs: Logs,
    /// One permit for each search that may run.
    pub slots: Arc<Semaphore>,
    /// The games that are open, and how their tabs are told that another has taken them.
    pub open: Mutex<HashMap<String, Arc<Notify>>>,
}

impl Shared {
    /// Takes a game for the tab of `taken`, from another if it is open there.
    fn take(&self, id: &str, taken: &Arc<Notify>) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(other) = open.insert(id.to_owned(), Arc::clone(taken))
            && !Arc::ptr_eq(&other, taken)
        {
            other.notify_one();
        }
    }

    /// The tab of `taken` leaves its games.
    fn leave(&self, taken: &Arc<Notify>) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|_, tab| !Arc::ptr_eq(tab, taken));
    }

    fn is_open(&self, id: &str) -> bool {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).contains_key(id)
    }
}

/// One open tab.
struct Session {
    shared: Arc<Shared>,
    outlet: Outlet,
    desk: Option<Box<dyn Desk>>,
    notation: Notation,
    /// In which a referee speaks.
    language: Spoken,
    taken: Arc<Notify>,
}

impl Drop for Session {
    fn drop(&mut self) {
        self.shared.leave(&self.taken);
    }
}

/// Why a session ends, besides a closed tab.
enum Parting {
    /// The tab sent what our page does not send.
    Refused(&'static str),
    /// It cannot be reached.
    Gone,
}

/// Talks with a tab until it is closed.
pub(super) async fn run(mut socket: WebSocket, shared: Arc<Shared>) {
    let (told, mut tells) = unbounded_channel();
    let outlet = Outlet { slots: Arc::clone(&shared.slots), told };
    let notation = Language::of("figurine").map_or_else(
        |_| Notation::Algebraic(chess::notation::algebraic::Style::SAN),
        |language| Notation::algebraic(language, false),
    );
    let taken = Arc::new(Notify::new());
    let language = Spoken::default();
    let mut session = Session { shared, outlet, desk: None, notation, language, taken };
    if let Err(Parting::Refused(why)) = session.converse(&mut socket, &mut tells).await {
        let frame = CloseFrame { code: axum::extract::ws::close_code::POLICY, reason: why.into() };
        let _ = tokio::time::timeout(PATIENCE, socket.send(Message::Close(Some(frame)))).await;
    }
}

/// What woke a session.
enum Woken {
    Taken,
    FlagFalls,
    Asked(Option<Result<Message, axum::Error>>),
    Told(Told),
}

impl Session {
    async fn converse(
        &mut self,
        socket: &mut WebSocket,
        tells: &mut UnboundedReceiver<Told>,
    ) -> Result<(), Parting> {
        say(socket, &self.welcome()).await?;
        let (mut second, mut asked) = (Instant::now(), 0);
        loop {
            match self.wake(socket, tells).await {
                Woken::Taken => {
                    self.desk = None;
                    say(socket, &Say::Moved).await?;
                }
                Woken::FlagFalls => {
                    if let Some(desk) = &mut self.desk {
                        desk.flag_falls();
                    }
                    self.show(socket).await?;
                }
                Woken::Told(told) => {
                    let notation = self.notation;
                    let heard = self.desk.as_mut().and_then(|desk| desk.told(told, notation));
                    match heard {
                        None => {}
                        Some(Some(said @ (Say::Lines(_) | Say::Progress { .. }))) => {
                            say(socket, &said).await?
                        }
                        Some(said) => {
                            self.show(socket).await?;
                            if let Some(said) = said {
                                say(socket, &said).await?;
                            }
                        }
                    }
                }
                Woken::Asked(message) => {
                    if second.elapsed() > Duration::from_secs(1) {
                        (second, asked) = (Instant::now(), 0);
                    }
                    asked += 1;
                    if asked > MOST_ASKED {
                        return Err(Parting::Refused("too much is asked at once"));
                    }
                    match message {
                        Some(Ok(Message::Text(text))) => self.answer(socket, &text).await?,
                        Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                        Some(Ok(Message::Binary(_))) => {
                            return Err(Parting::Refused("only text is understood"));
                        }
                        Some(Ok(Message::Close(_)) | Err(_)) | None => return Err(Parting::Gone),
                    }
                }
            }
        }
    }

    /// Waits for whatever comes first.
    async fn wake(&self, socket: &mut WebSocket, tells: &mut UnboundedReceiver<Told>) -> Woken {
        let deadline = self.desk.as_ref().and_then(|desk| desk.deadline());
        let falls = async {
            match deadline {
                Some(deadline) => tokio::time::sleep_until(deadline.into()).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            // Whoever has lost its game must not go on with it.
            biased;
            () = self.taken.notified() => Woken::Taken,
            () = falls => Woken::FlagFalls,
            message = socket.recv() => Woken::Asked(message),
            Some(told) = tells.recv() => Woken::Told(told),
        }
    }

    fn welcome(&self) -> Say {
        let mut unfinished = self.shared.journals.unfinished();
        unfinished.retain(|game| !self.shared.is_open(&game.id));
        unfinished.truncate(20);
        let logs = self.shared.logs.list(|id| self.shared.is_open(id));
        let shown =
            |entrant: &Entrant| EngineShown { name: entrant.name.clone(), game: game_of(entrant) };
        let engines = self.shared.equipment.engines.iter().map(shown).collect();
        Say::Welcome { version: env!("CARGO_PKG_VERSION"), unfinished, logs, engines }
    }

    async fn show(&self, socket: &mut WebSocket) -> Result<(), Parting> {
        match &self.desk {
            Some(desk) => say(socket, &Say::Board(Box::new(desk.board(self.notation)))).await,
            None => Ok(()),
        }
    }

    async fn answer(&mut self, socket: &mut WebSocket, text: &str) -> Result<(), Parting> {
        let answer = serde_json::from_str(text)
            .map_err(|error| format!("the server does not understand the page: {error}"))
            .and_then(|ask| self.ask(ask));
        match answer {
            Ok(Some(said @ (Say::Next(_) | Say::Sheet(_) | Say::Examined { .. }))) => {
                say(socket, &said).await
            }
            Ok(said) => {
                self.show(socket).await?;
                if let Some(said) = said {
                    say(socket, &said).await?;
                }
                Ok(())
            }
            Err(why) => say(socket, &Say::Refused { why }).await,
        }
    }

    /// Does what the page asks. There can be something to say besides the board.
    fn ask(&mut self, ask: Ask) -> Result<Option<Say>, String> {
        let outlet = self.outlet.clone();
        match ask {
            Ask::New { terms } => {
                self.desk = Some(match terms.game {
                    GameName::Chess => self.begin::<chess::Position>(terms)?,
                    GameName::Draughts => self.begin::<draughts::Position>(terms)?,
                });
                Ok(None)
            }
            Ask::Arbitrate { terms } => self.arbitrate(Log::new(terms)?, None),
            Ask::OpenLog { text } => {
                let (log, more) = Log::read(&text)?;
                let note = "The first game of the file is shown.".to_owned();
                self.arbitrate(log, more.then_some(note))
            }
            Ask::Resume { id } if self.shared.logs.has(&id) => {
                let read = self.shared.logs.open(&id);
                let (log, file, note) =
                    read.map_err(|error| format!("that log cannot be opened: {error}"))?;
                let laws = self.at_arbiter(log, id, file);
                Ok(Some(note.map_or(laws, |text| Say::Note { text })))
            }
            Ask::Resume { id } => {
                let read = self.shared.journals.resume(&id);
                let StoredGame { terms, entries, journal, damage } =
                    read.map_err(|error| format!("that game cannot be opened: {error}"))?;
                self.shared.take(&id, &self.taken);
                let (notation, equipment) = (self.notation, &self.shared.equipment);
                self.desk = Some(match terms.game {
                    GameName::Chess => {
                        let mut game = Played::<chess::Position>::new(terms, outlet, equipment)?;
                        game.resume(id, &entries, journal, notation)?;
                        Box::new(game)
                    }
                    GameName::Draughts => {
                        let mut game = Played::<draughts::Position>::new(terms, outlet, equipment)?;
                        game.resume(id, &entries, journal, notation)?;
                        Box::new(game)
                    }
                });
                let note = || format!("A part of the game could not be read: {damage}.");
                Ok(damage.is_loss().then(|| Say::Note { text: note() }))
            }
            Ask::Forget { id } => {
                if self.shared.is_open(&id) {
                    return Err("that game is open".to_owned());
                }
                self.shared.journals.forget(&id);
                self.shared.logs.forget(&id);
                Ok(Some(self.welcome()))
            }
            Ask::Examine { game, text } => Ok(Some(match game {
                GameName::Chess => examined::<chess::Position>(text),
                GameName::Draughts => examined::<draughts::Position>(text),
            })),
            Ask::Study { game, text } => {
                let tables = Arc::clone(&self.shared.equipment.tables);
                let (desk, note): (Box<dyn Desk>, _) = match game {
                    GameName::Chess => {
                        let (study, note) = Study::<chess::Position>::open(&text, outlet, tables)?;
                        (Box::new(study), note)
                    }
                    GameName::Draughts => {
                        let (study, note) =
                            Study::<draughts::Position>::open(&text, outlet, tables)?;
                        (Box::new(study), note)
                    }
                };
                self.desk = Some(desk);
                self.shared.leave(&self.taken);
                Ok(note)
            }
            ask => {
                if let Ask::Speak { french } = ask {
                    self.language = if french { Spoken::French } else { Spoken::English };
                }
                if let Ask::Notation { name } = &ask {
                    self.notation = name.parse().map_err(|error| format!("a notation: {error}"))?;
                }
                match &mut self.desk {
                    Some(desk) => desk.ask(ask, self.notation),
                    None if matches!(ask, Ask::Notation { .. } | Ask::Speak { .. }) => Ok(None),
                    None => Err("there is no game here".to_owned()),
                }
            }
        }
    }

    /// Keeps a log from now on, and opens the arbiter's desk with it. There can be a note besides.
    fn arbitrate(&mut self, log: Log, note: Option<String>) -> Result<Option<Say>, String> {
        let kept = self.shared.logs.keep(&log);
        let (id, file) = kept.map_err(|error| format!("the log cannot be kept: {error}"))?;
        let laws = self.at_arbiter(log, id, file);
        Ok(Some(note.map_or(laws, |text| Say::Note { text })))
    }

    /// Opens the arbiter's desk. Returns what the laws say.
    fn at_arbiter(&mut self, log: Log, id: String, file: LogFile) -> Say {
        self.shared.leave(&self.taken);
        self.shared.take(&id, &self.taken);
        let arbiter = Arbiter::new(log, id, file, self.language);
        let laws = arbiter.laws();
        self.desk = Some(Box::new(arbiter));
        laws
    }

    fn begin<G: Shown>(&self, terms: NewGame) -> Result<Box<dyn Desk>, String> {
        let (outlet, equipment) = (self.outlet.clone(), &self.shared.equipment);
        let mut game = Played::<G>::new(terms.clone(), outlet, equipment)?;
        let begun = self.shared.journals.begin(&terms);
        let (id, journal) = begun.map_err(|error| format!("the game cannot be kept: {error}"))?;
        self.shared.leave(&self.taken);
        self.shared.take(&id, &self.taken);
        game.resume(id, &[], journal, self.notation)?;
        Ok(Box::new(game))
    }
}

/// What is found in a text that should be a position.
fn examined<G: Shown>(text: String) -> Say {
    let why = G::from_fen(text.trim()).err().map(|error| error.to_string());
    Say::Examined { squares: G::squares_of(text.trim()), why, text }
}

async fn say(socket: &mut WebSocket, said: &Say) -> Result<(), Parting> {
    let text = serde_json::to_string(said).map_err(|_| Parting::Gone)?;
    let sent = tokio::time::timeout(PATIENCE, socket.send(Message::text(text))).await;
    match sent {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) | Err(_) => Err(Parting::Gone),
    }
}
