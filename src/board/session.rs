//! The session of one open tab. It handles the tab's requests, the events of its engines and its
//! clock, one at a time.
//!
//! A session owns its desk: a game, a study or an arbiter's log. When the tab is closed, the
//! session and its searches end. A game remains in its journal.

use super::arbiter::{Arbiter, Log, LogError, LogFile, LogTerms, Logs};
use super::desk::{MessageError, OpenDesk, Update, file};
use super::equipment::Equipment;
use super::game::BoardGame;
use super::journal::{Entry, GameJournal, Journals, ReadGame, SavedGames, StoredGame};
use super::message::ServerMessage;
use super::message::play::{AvailableEngine, NewGame, SavedGame};
use super::opponent::game_of;
use super::outlet::{EngineEvent, Outlet};
use super::played::{PlayError, Played};
use super::study::{GameFile, Study, StudyError, can_analyse, collection};
use crate::arena::engine::entrant::Entrant;
use crate::base::game::GameKind;
use crate::base::journal::Damage;
use crate::chess::notation::language::Language as PieceLetters;
use crate::chess::notation::{Notation, NotationError};
use crate::laws::language::{InFrench, Language};
use crate::{chess, draughts};
use axum::extract::ws::{CloseFrame, Message, WebSocket};
use serde::Deserialize;
use std::collections::HashMap;
use std::convert::Infallible;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::{Notify, Semaphore};

const MAX_MESSAGES: u32 = 100;
const PATIENCE: Duration = Duration::from_secs(10);
/// Time between two attempts to store a game, for example while the disk is full.
const SAVE_INTERVAL: Duration = Duration::from_secs(2);
/// Time after which a running clock is stored, so that a killed server loses at most this time.
const CLOCK_INTERVAL: Duration = Duration::from_secs(10);
/// Maximum time to wait for another tab to close a game.
const HANDOVER: Duration = Duration::from_secs(2);

#[derive(Debug)]
pub(super) struct Shared {
    pub equipment: Equipment,
    pub journals: Journals,
    pub logs: Logs,
    /// One permit per concurrent search.
    pub slots: Arc<Semaphore>,
    /// The open games and logs by id. Each has a signal that is sent when another tab takes over
    /// the game or log.
    pub open: Mutex<HashMap<String, Arc<Notify>>>,
    /// Signals that a tab has closed its games.
    pub closed: Condvar,
}

impl Shared {
    /// Registers a game as open in the tab that owns `taken`. If the game is open in another tab,
    /// notifies that tab and waits until it has stored its clock and closed the game.
    fn take(&self, id: &str, taken: &Arc<Notify>) {
        let other_tab = |open: &HashMap<String, Arc<Notify>>| {
            open.get(id).filter(|tab| !Arc::ptr_eq(tab, taken)).cloned()
        };
        let mut open = self.open_games();
        if let Some(other) = other_tab(&open) {
            other.notify_one();
            let is_there = |open: &mut HashMap<_, _>| other_tab(open).is_some();
            let waited = self.closed.wait_timeout_while(open, HANDOVER, is_there);
            (open, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
        // The game may still be open: in the other tab if it did not close the game in time, or in
        // a third tab that took the game first.
        if let Some(other) = open.insert(id.to_owned(), Arc::clone(taken))
            && !Arc::ptr_eq(&other, taken)
        {
            other.notify_one();
        }
    }

    /// Releases the games of the tab that owns `taken`, except the game `kept`. If there is a game
    /// to release, calls `save` first. No other tab can take a game while `save` runs.
    fn leave(&self, taken: &Arc<Notify>, kept: Option<&str>, save: impl FnOnce()) {
        let mut open = self.open_games();
        let count = open.len();
        let is_left = |id: &str, tab: &Arc<Notify>| Arc::ptr_eq(tab, taken) && Some(id) != kept;
        if open.iter().any(|(id, tab)| is_left(id, tab)) {
            save();
        }
        open.retain(|id, tab| !is_left(id, tab));
        if open.len() < count {
            self.closed.notify_all();
        }
    }

    fn is_open(&self, id: &str) -> bool {
        self.open_games().contains_key(id)
    }

    /// Returns whether a game is open in the tab that owns `taken`.
    fn is_open_in(&self, id: &str, taken: &Arc<Notify>) -> bool {
        self.open_games().get(id).is_some_and(|tab| Arc::ptr_eq(tab, taken))
    }

    /// Releases a game that could not be opened, unless another tab has taken it meanwhile.
    fn release(&self, id: &str, taken: &Arc<Notify>) {
        self.open_games().retain(|open, tab| open != id || !Arc::ptr_eq(tab, taken));
        self.closed.notify_all();
    }

    fn open_games(&self) -> MutexGuard<'_, HashMap<String, Arc<Notify>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(tag = "ask", rename_all = "kebab-case", deny_unknown_fields)]
enum Request {
    New {
        terms: NewGame,
    },
    Resume {
        id: String,
    },
    Forget {
        id: String,
    },
    /// Lists the stored games and logs.
    Stored,
    /// Opens a finished game for analysis.
    OpenGame {
        id: String,
    },
    /// Saves a finished game as PGN or PDN.
    SaveGame {
        id: String,
    },
    /// Selects a chess notation by name, as in `convert --to`.
    Notation {
        name: String,
    },
    Speak {
        french: bool,
    },
    /// Opens a position (FEN) or game (PGN, PDN) for analysis. `number` is the zero-based index of
    /// the game in the text; the default is the first game.
    Study {
        game: GameKind,
        text: String,
        #[serde(default)]
        number: Option<usize>,
    },
    /// Lists the games in a text. If `game` is missing, it is detected from the text. The page
    /// sends a file as a binary message instead, because its encoding must be detected.
    Games {
        #[serde(default)]
        game: Option<GameKind>,
        text: String,
    },
    Examine {
        game: GameKind,
        text: String,
    },
    /// Begins a log of the events at a real board.
    Arbitrate {
        terms: LogTerms,
    },
    OpenLog {
        text: String,
    },
    /// Any other request, to be parsed by the desk.
    #[serde(other)]
    Desk,
}

#[derive(Debug, thiserror::Error)]
enum RequestError {
    #[error(transparent)]
    Message(#[from] MessageError),
    #[error(transparent)]
    Play(#[from] PlayError),
    #[error(transparent)]
    Study(#[from] StudyError),
    #[error(transparent)]
    Log(#[from] LogError),
    #[error("cannot open the log: {0}")]
    OpenLog(io::Error),
    #[error("the game is no longer stored")]
    NotStored,
    #[error("the game is unfinished")]
    Unfinished,
    #[error("cannot open the game: {0}")]
    OpenGame(io::Error),
    #[error("cannot save the log: {0}")]
    StoreLog(io::Error),
    #[error("cannot save the game: {0}")]
    StoreGame(io::Error),
    #[error("the game is open in a tab: leave it first")]
    IsOpen,
    #[error("invalid notation: {0}")]
    Notation(#[from] NotationError),
    #[error("no game is open")]
    NoDesk,
}

impl InFrench for RequestError {
    fn in_french(&self) -> String {
        match self {
            Self::Message(MessageError::Request(error)) => error.in_french(),
            Self::Message(MessageError::Malformed(error)) => {
                format!("le serveur n'a pas pu lire le message de la page : {error}")
            }
            Self::Play(error) => error.in_french(),
            Self::Study(error) => error.in_french(),
            Self::Log(error) => error.in_french(),
            Self::OpenLog(error) => format!("impossible d'ouvrir le journal : {error}"),
            Self::NotStored => "la partie n'est plus enregistrée".into(),
            Self::Unfinished => "la partie n'est pas finie".into(),
            Self::OpenGame(error) => format!("impossible d'ouvrir la partie : {error}"),
            Self::StoreLog(error) => format!("impossible d'enregistrer le journal : {error}"),
            Self::StoreGame(error) => format!("impossible d'enregistrer la partie : {error}"),
            Self::IsOpen => "la partie est ouverte dans un onglet : quittez-la d'abord".into(),
            Self::Notation(error) => format!("notation inconnue : {error}"),
            Self::NoDesk => "aucune partie n'est ouverte".into(),
        }
    }
}

/// The name of a request.
#[derive(Deserialize)]
struct Named {
    ask: String,
}

struct Session {
    shared: Arc<Shared>,
    outlet: Outlet,
    desk: Option<Box<dyn OpenDesk>>,
    notation: Notation,
    language: Language,
    taken: Arc<Notify>,
    /// The time at which a running clock is stored again.
    next_save: Instant,
    /// The file in which an analysis counts the moves played. A file with a single game does not
    /// replace a file with several games of the same kind (chess or draughts).
    file: Option<OpenedFile>,
}

struct OpenedFile {
    game: GameKind,
    /// A hash of the text, used to recognise the text when another of its games is opened.
    digest: u64,
    has_many: bool,
    games: Arc<GameFile>,
}

impl Drop for Session {
    fn drop(&mut self) {
        self.close(None);
    }
}

/// The maximum number of listed unfinished games, and of listed finished games.
const MAX_LISTED: usize = 20;

/// A finished game, replayed from its journal.
struct FinishedGame {
    game: GameKind,
    extension: &'static str,
    result: &'static str,
    /// The game as PGN or PDN.
    record: String,
}

enum Parting {
    Refused(&'static str),
    Gone,
}

pub(super) async fn run(mut socket: WebSocket, shared: Arc<Shared>) {
    let (outlet, mut events) = Outlet::new(Arc::clone(&shared.slots));
    let notation = PieceLetters::of("figurine").map_or_else(
        |_| Notation::Algebraic(chess::notation::algebraic::Style::SAN),
        |letters| Notation::algebraic(letters, false),
    );
    let taken = Arc::new(Notify::new());
    let language = Language::default();
    let next_save = Instant::now() + CLOCK_INTERVAL;
    let session =
        Session { shared, outlet, desk: None, notation, language, taken, next_save, file: None };
    if let Err(Parting::Refused(why)) = converse(Box::new(session), &mut socket, &mut events).await
    {
        let frame = CloseFrame { code: axum::extract::ws::close_code::POLICY, reason: why.into() };
        let _ = tokio::time::timeout(PATIENCE, socket.send(Message::Close(Some(frame)))).await;
    }
}

enum Woken {
    Taken,
    FlagFalls,
    SaveAgain,
    SaveClock,
    Message(Option<Result<Message, axum::Error>>),
    Engine(EngineEvent),
}

/// Serves a tab until it is closed. Each request is handled on a blocking thread, because it can
/// take a long time and the server's thread serves all tabs.
async fn converse(
    mut session: Box<Session>,
    socket: &mut WebSocket,
    events: &mut UnboundedReceiver<EngineEvent>,
) -> Result<Infallible, Parting> {
    let (mut second, mut messages) = (Instant::now(), 0);
    let mut work: Work = Box::new(|session| vec![session.welcome()]);
    loop {
        let done = tokio::task::spawn_blocking(move || {
            let replies = work(&mut session).iter().map(serde_json::to_string).collect();
            (session, replies)
        });
        let replies: Result<Vec<String>, _>;
        // If the work has panicked, the tab is closed.
        (session, replies) = done.await.map_err(|_| Parting::Gone)?;
        for text in replies.map_err(|_| Parting::Gone)? {
            send(socket, text).await?;
        }
        work = match session.wake(socket, events).await {
            Woken::Taken => Box::new(|session| {
                session.close(None);
                vec![ServerMessage::Moved]
            }),
            Woken::FlagFalls => Box::new(Session::on_flag_fall),
            Woken::SaveAgain => Box::new(Session::save_again),
            Woken::SaveClock => Box::new(|session| {
                session.next_save = Instant::now() + CLOCK_INTERVAL;
                session.desk.iter_mut().for_each(|desk| desk.save_clock());
                Vec::new()
            }),
            Woken::Engine(event) => Box::new(|session| session.on_engine_event(event)),
            Woken::Message(message) => {
                if second.elapsed() > Duration::from_secs(1) {
                    (second, messages) = (Instant::now(), 0);
                }
                messages += 1;
                if messages > MAX_MESSAGES {
                    return Err(Parting::Refused("too many messages"));
                }
                match message {
                    Some(Ok(Message::Text(text))) => Box::new(move |session| session.answer(&text)),
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => Box::new(|_| Vec::new()),
                    Some(Ok(Message::Binary(file))) => Box::new(move |session| {
                        vec![collection::list_file(file.into(), session.language)]
                    }),
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return Err(Parting::Gone),
                }
            }
        };
    }
}

/// A task for the session. It returns the messages to send to the page.
type Work = Box<dyn FnOnce(&mut Session) -> Vec<ServerMessage> + Send>;

impl Session {
    async fn wake(
        &self,
        socket: &mut WebSocket,
        events: &mut UnboundedReceiver<EngineEvent>,
    ) -> Woken {
        let deadline = self.desk.as_ref().and_then(|desk| desk.deadline());
        let falls = async {
            match deadline {
                Some(deadline) => tokio::time::sleep_until(deadline.into()).await,
                None => std::future::pending().await,
            }
        };
        let saves = async {
            match &self.desk {
                Some(desk) if desk.is_unsaved() => tokio::time::sleep(SAVE_INTERVAL).await,
                _ => std::future::pending().await,
            }
        };
        let ticks = async {
            match &self.desk {
                Some(desk) if desk.has_running_clock() => {
                    tokio::time::sleep_until(self.next_save.into()).await;
                }
                _ => std::future::pending().await,
            }
        };
        tokio::select! {
            // Poll the branches in order, so that a tab does not change a game that another tab has
            // just taken over.
            biased;
            () = self.taken.notified() => Woken::Taken,
            () = falls => Woken::FlagFalls,
            message = socket.recv() => Woken::Message(message),
            Some(event) = events.recv() => Woken::Engine(event),
            () = saves => Woken::SaveAgain,
            () = ticks => Woken::SaveClock,
        }
    }

    fn welcome(&self) -> ServerMessage {
        let SavedGames { mut unfinished, finished } = self.shared.journals.saved();
        unfinished.retain(|game| !self.shared.is_open_in(&game.id, &self.taken));
        unfinished.truncate(MAX_LISTED);
        for game in &mut unfinished {
            game.open = self.shared.is_open(&game.id);
        }
        let with_result = |game: SavedGame| {
            let finished = self.finished_game(&game.id).ok()?;
            Some(SavedGame { result: Some(finished.result), ..game })
        };
        let finished = finished.into_iter().take(MAX_LISTED).filter_map(with_result).collect();
        let mut logs = self.shared.logs.list(|id| self.shared.is_open(id));
        logs.retain(|log| !self.shared.is_open_in(&log.id, &self.taken));
        let engine = |entrant: &Entrant| {
            let (name, game) = (entrant.name.clone(), game_of(entrant));
            AvailableEngine { name, game, analyses: can_analyse(entrant) }
        };
        let engines = self.shared.equipment.engines.iter().map(engine).collect();
        let version = env!("CARGO_PKG_VERSION");
        ServerMessage::Welcome { version, unfinished, finished, logs, engines }
    }

    /// Replays a finished game.
    fn finished_game(&self, id: &str) -> Result<FinishedGame, RequestError> {
        let game = self.shared.journals.read(id).map_err(open_error)?;
        match game.terms.game {
            GameKind::Chess => self.replay::<chess::Position>(game),
            GameKind::Draughts => self.replay::<draughts::Position>(game),
        }
    }

    fn replay<G: BoardGame>(&self, game: ReadGame) -> Result<FinishedGame, RequestError> {
        let played = Played::<G>::replay(game, self.outlet.clone())?;
        let result = played.result().ok_or(RequestError::Unfinished)?;
        let record = played.record()?;
        Ok(FinishedGame { game: G::NAME, extension: G::EXTENSION, result, record })
    }

    fn on_flag_fall(&mut self) -> Vec<ServerMessage> {
        if let Some(desk) = &mut self.desk {
            desk.on_flag_fall();
        }
        self.board()
    }

    /// Tries again to store the game. Returns the board if the game is stored now.
    fn save_again(&mut self) -> Vec<ServerMessage> {
        let Some(desk) = &mut self.desk else { return Vec::new() };
        desk.save_again();
        if desk.is_unsaved() { Vec::new() } else { self.board() }
    }

    fn on_engine_event(&mut self, event: EngineEvent) -> Vec<ServerMessage> {
        let desk = self.desk.as_mut();
        let update = desk.map(|desk| desk.on_engine_event(event, self.notation));
        self.replies(update.unwrap_or(Update::None))
    }

    fn board(&self) -> Vec<ServerMessage> {
        let board =
            self.desk.iter().map(|desk| ServerMessage::Board(Box::new(desk.board(self.notation))));
        board.collect()
    }

    fn replies(&self, update: Update) -> Vec<ServerMessage> {
        match update {
            Update::None => Vec::new(),
            Update::Board => self.board(),
            Update::BoardAnd(message) => [self.board(), vec![message]].concat(),
            Update::Only(message) => vec![message],
        }
    }

    fn answer(&mut self, text: &str) -> Vec<ServerMessage> {
        match self.on_message(text) {
            Ok(update) => self.replies(update),
            Err(error) => {
                let ask = serde_json::from_str(text).ok().map(|Named { ask }| ask);
                vec![ServerMessage::Refused { why: error.in_language(self.language), ask }]
            }
        }
    }

    /// Handles a message from the page, or passes it on to the desk.
    fn on_message(&mut self, text: &str) -> Result<Update, RequestError> {
        match serde_json::from_str(text).map_err(MessageError::from)? {
            Request::New { terms } => match terms.game {
                GameKind::Chess => self.begin::<chess::Position>(terms),
                GameKind::Draughts => self.begin::<draughts::Position>(terms),
            },
            Request::Arbitrate { terms } => self.arbitrate(Log::new(terms)?, None),
            Request::OpenLog { text } => {
                let (log, more) = Log::read(&text)?;
                let note = self.language.of(
                    "The file contains several games. The first is open.",
                    "Le fichier contient plusieurs parties. La première est ouverte.",
                );
                self.arbitrate(log, more.then(|| note.to_owned()))
            }
            Request::Resume { id } => {
                // Reading the game again would give back the time since its clock was last stored.
                if self.shared.is_open_in(&id, &self.taken) {
                    return Ok(Update::Board);
                }
                self.shared.take(&id, &self.taken);
                let resumed = self.resume(&id);
                if resumed.is_err() {
                    self.shared.release(&id, &self.taken);
                }
                resumed
            }
            Request::Forget { id } => {
                // No tab can take the game until it is deleted.
                let open = self.shared.open_games();
                if open.contains_key(&id) {
                    return Err(RequestError::IsOpen);
                }
                self.shared.journals.forget(&id);
                self.shared.logs.forget(&id);
                drop(open);
                Ok(Update::BoardAnd(self.welcome()))
            }
            Request::Stored => Ok(Update::Only(self.welcome())),
            Request::OpenGame { id } => {
                let FinishedGame { game, record, .. } = self.finished_game(&id)?;
                self.open_study(game, &record, None)
            }
            Request::SaveGame { id } => {
                let FinishedGame { extension, record, .. } = self.finished_game(&id)?;
                Ok(Update::Only(file(record, extension)))
            }
            Request::Examine { game, text } => Ok(Update::Only(match game {
                GameKind::Chess => examine::<chess::Position>(text, self.language),
                GameKind::Draughts => examine::<draughts::Position>(text, self.language),
            })),
            Request::Games { game, text } => {
                Ok(Update::Only(collection::list_text(game, &text, self.language)))
            }
            Request::Study { game, text, number } => self.open_study(game, &text, number),
            Request::Notation { name } => {
                self.notation = name.parse()?;
                if let Some(desk) = &mut self.desk {
                    desk.on_notation(self.notation);
                }
                Ok(Update::Board)
            }
            Request::Speak { french } => {
                self.language = if french { Language::French } else { Language::English };
                let language = self.language;
                Ok(self.desk.as_mut().map_or(Update::Board, |desk| desk.on_language(language)))
            }
            Request::Desk => {
                let desk = self.desk.as_mut().ok_or(RequestError::NoDesk)?;
                Ok(desk.on_message(text, self.notation)?)
            }
        }
    }

    /// Opens a stored game or log. The caller must already have registered it as open in this tab.
    fn resume(&mut self, id: &str) -> Result<Update, RequestError> {
        if self.shared.logs.has(id) {
            let (log, file, note) = self.shared.logs.open(id).map_err(RequestError::OpenLog)?;
            let laws = self.at_arbiter(log, id.to_owned(), file);
            let note = note.map(|note| note.in_language(self.language));
            return Ok(Update::BoardAnd(note.map_or(laws, |text| ServerMessage::Note { text })));
        }
        let StoredGame { terms, entries, began, journal, damage } =
            self.shared.journals.resume(id).map_err(open_error)?;
        let update = match terms.game {
            GameKind::Chess => {
                let game = self.new_game::<chess::Position>(terms)?.dated(began);
                self.play(game, id.to_owned(), &entries, journal)
            }
            GameKind::Draughts => {
                let game = self.new_game::<draughts::Position>(terms)?.dated(began);
                self.play(game, id.to_owned(), &entries, journal)
            }
        }?;
        Ok(if damage.is_loss() {
            let text = damage_note(&damage, self.language);
            Update::BoardAnd(ServerMessage::Note { text })
        } else {
            update
        })
    }

    /// Closes the desk and releases the games of this tab except `kept`. Stores the clock, unless
    /// another tab has taken over the game.
    fn close(&mut self, kept: Option<&str>) {
        let desk = self.desk.take();
        self.shared.leave(&self.taken, kept, || {
            if let Some(mut desk) = desk {
                desk.save_clock();
            }
        });
    }

    /// Stores a new log and opens the arbiter's desk. If `note` is given, it is sent instead of the
    /// laws.
    fn arbitrate(&mut self, log: Log, note: Option<String>) -> Result<Update, RequestError> {
        let (id, file) = self.shared.logs.store(&log).map_err(RequestError::StoreLog)?;
        let laws = self.at_arbiter(log, id, file);
        Ok(Update::BoardAnd(note.map_or(laws, |text| ServerMessage::Note { text })))
    }

    /// Opens the arbiter's desk and returns the laws.
    fn at_arbiter(&mut self, log: Log, id: String, file: LogFile) -> ServerMessage {
        self.shared.take(&id, &self.taken);
        self.close(Some(&id));
        let arbiter = Arbiter::new(log, id, file, self.language);
        let laws = arbiter.laws();
        self.desk = Some(Box::new(arbiter));
        laws
    }

    fn new_game<G: BoardGame>(&self, terms: NewGame) -> Result<Played<G>, PlayError> {
        let game = Played::new(terms, self.outlet.clone(), &self.shared.equipment)?;
        Ok(game.with_language(self.language))
    }

    fn begin<G: BoardGame>(&mut self, terms: NewGame) -> Result<Update, RequestError> {
        let game = self.new_game::<G>(terms)?;
        let stored = self.shared.journals.begin(game.terms());
        let (id, journal) = stored.map_err(RequestError::StoreGame)?;
        self.shared.take(&id, &self.taken);
        let begun = self.play(game, id.clone(), &[], journal);
        if begun.is_err() {
            self.shared.release(&id, &self.taken);
        }
        begun
    }

    /// Replays the entries of a journal and opens the resulting game. The previous desk is closed
    /// before the game starts, so that its searches end.
    fn play<G: BoardGame>(
        &mut self,
        mut game: Played<G>,
        id: String,
        entries: &[Entry],
        journal: GameJournal,
    ) -> Result<Update, RequestError> {
        game.resume(id.clone(), entries, journal)?;
        self.close(Some(&id));
        game.go_on(self.notation);
        self.desk = Some(Box::new(game));
        Ok(Update::Board)
    }

    fn open_study(
        &mut self,
        game: GameKind,
        text: &str,
        number: Option<usize>,
    ) -> Result<Update, RequestError> {
        match game {
            GameKind::Chess => self.study::<chess::Position>(text, number),
            GameKind::Draughts => self.study::<draughts::Position>(text, number),
        }
    }

    fn study<G: BoardGame>(
        &mut self,
        text: &str,
        number: Option<usize>,
    ) -> Result<Update, RequestError> {
        let (outlet, equipment) = (self.outlet.clone(), self.shared.equipment.clone());
        let (study, opened) = Study::<G>::open(text, number, outlet, equipment, self.language)?;
        let digest = digest(text);
        let is_same_file = |old: &&OpenedFile| {
            old.game == G::NAME && (old.digest == digest || old.has_many && !opened.has_many)
        };
        if self.file.as_ref().filter(is_same_file).is_none() {
            let games = Arc::new(GameFile::new::<G>(text.to_owned()));
            let has_many = opened.has_many;
            self.file = Some(OpenedFile { game: G::NAME, digest, has_many, games });
        }
        let games = self.file.as_ref().map(|file| Arc::clone(&file.games));
        let study = study.with_games(games);
        self.close(None);
        self.desk = Some(Box::new(study));
        let note = |text| Update::BoardAnd(ServerMessage::Note { text });
        Ok(opened.note.map_or(Update::Board, note))
    }
}

fn open_error(error: io::Error) -> RequestError {
    match error.kind() {
        io::ErrorKind::NotFound => RequestError::NotStored,
        _ => RequestError::OpenGame(error),
    }
}

/// Describes the damage to a stored game to the user.
fn damage_note(damage: &Damage, language: Language) -> String {
    match language {
        Language::English => format!("A part of the game could not be read: {damage}."),
        Language::French => {
            format!("Une partie du fichier n'a pas pu être lue : {}.", damage.in_french())
        }
    }
}

fn digest(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

fn examine<G: BoardGame>(text: String, language: Language) -> ServerMessage {
    let why = G::read_fen(&text).err().map(|error| error.in_language(language));
    ServerMessage::Examined { squares: G::squares_of(text.trim()), why, text }
}

async fn send(socket: &mut WebSocket, text: String) -> Result<(), Parting> {
    let sent = tokio::time::timeout(PATIENCE, socket.send(Message::text(text))).await;
    match sent {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) | Err(_) => Err(Parting::Gone),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::message::play::Level;
    use crate::board::{arbiter, played, study};
    use serde::de::DeserializeOwned;

    #[test]
    fn a_failed_attempt_to_open_a_game_does_not_release_it_for_other_tabs() {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let shared = Shared {
            equipment: Equipment::default(),
            journals: Journals::open(Some(folder.path())).expect("a folder"),
            logs: Logs::in_folder(folder.path()),
            slots: Arc::new(Semaphore::new(1)),
            open: Mutex::default(),
            closed: Condvar::new(),
        };
        let [first, second] = [(); 2].map(|()| Arc::new(Notify::new()));
        shared.take("game", &first);
        // The first tab does not leave the game in time.
        shared.take("game", &second);
        shared.release("game", &first);
        assert!(shared.is_open_in("game", &second));
        shared.release("game", &second);
        assert!(!shared.is_open("game"));
    }

    fn read<R: DeserializeOwned>(text: &str) -> Option<R> {
        serde_json::from_str(text).ok()
    }

    #[test]
    fn each_desk_reads_its_own_requests() {
        let new = r#"{"ask":"new","terms":{"game":"chess","you":"white","level":{"elo":1500},"time":"300+3"}}"#;
        assert!(
            matches!(read(new), Some(Request::New { terms }) if terms.level == Level::Elo(1500))
        );
        let take_back = r#"{"ask":"take-back"}"#;
        assert_eq!(read(take_back), Some(Request::Desk));
        assert_eq!(read(take_back), Some(played::Request::TakeBack));
        assert_eq!(read(take_back), Some(study::Request::TakeBack));
        assert_eq!(read(take_back), Some(arbiter::Request::TakeBack));
        let resign = r#"{"ask":"resign"}"#;
        assert_eq!(read(resign), Some(played::Request::Resign));
        assert_eq!(read(resign), Some(study::Request::Unknown));
        assert_eq!(read(resign), Some(arbiter::Request::Unknown));
    }

    #[test]
    fn rejects_malformed_requests() {
        for wrong in [
            "",
            "[]",
            "{}",
            r#"{"ask":7}"#,
            r#"{"ask":"new","terms":{"game":"go","you":null,"time":"-"}}"#,
            r#"{"ask":"new","terms":{"game":"chess","you":null,"time":"-","path":"/etc"}}"#,
        ] {
            assert_eq!(read::<Request>(wrong), None, "{wrong}");
        }
        for wrong in [r#"{"ask":"move"}"#, r#"{"ask":"move","text":"e4","by":"white"}"#] {
            assert_eq!(read::<played::Request>(wrong), None, "{wrong}");
            assert_eq!(read::<study::Request>(wrong), None, "{wrong}");
            assert_eq!(read::<arbiter::Request>(wrong), None, "{wrong}");
        }
        assert_eq!(read::<study::Request>(r#"{"ask":"at","ply":-1}"#), None);
        let unknown = r#"{"ask":"format-disk"}"#;
        assert_eq!(read(unknown), Some(played::Request::Unknown));
    }
}
