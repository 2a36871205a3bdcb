//! A DXP connection: agreeing on games, playing them and ending them.
//!
//! The calling thread runs the session. A second thread receives the peer's messages, and the
//! [`SearchThread`] searches. Both report to the calling thread. Progress is printed to the
//! [`Wire`] as human-readable lines.
//!
//! Choices that the protocol leaves open:
//! - A request to take back moves (BACKREQ) is answered "unsupported" (`K1`): the feature is meant
//!   for human players, and a recorded game should stay as it was played.
//! - The peer's clock only determines how long to wait for a message. No win on time is claimed.
//! - After a malformed, unexpected or illegal message the peer cannot be trusted. Adoube sends the
//!   reason as chat, then the end of the game (GAMEEND) with the stop code, and closes the
//!   connection.
//! - If the user interrupts, GAMEEND is sent at once, even out of turn.

use super::game::{Game, Over, Terms};
use super::link::{Link, LinkError, Messages};
use super::message::{
    Answer, BackAnswer, IllegalMove, Message, MessageError, Name, Reason, Request, Start, Text,
    TimedMove,
};
use crate::base::cursor::excerpt;
use crate::base::side::Side;
use crate::draughts::hub::HubError;
use crate::draughts::pdn::{self, GameResult};
use crate::draughts::{Move, Position};
use crate::endings::bitbase::Bitbases;
use crate::protocol::failure::EngineFailure;
use crate::protocol::hub::info::Men;
use crate::protocol::search_thread::SearchThread;
use crate::protocol::wire::Wire;
use crate::search::draughts::{DraughtsEngine, Resources, Root};
use crate::search::limits::Limits;
use crate::search::report::SearchResult;
use crate::search::stop::StopHandle;
use std::convert::Infallible;
use std::fmt::{self, Display};
use std::io;
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};

#[derive(Clone, Debug)]
pub(crate) struct DxpOptions {
    pub name: Name,
    /// The number of games to play over all connections; `None` for as many as the peer wants.
    pub games: Option<u32>,
    /// The number of games already played over earlier connections.
    pub before: u32,
    /// Our proposal if we are the initiator; `None` if we are the follower.
    pub initiate: Option<Proposal>,
    /// The timeout for a silent peer; `None` for no timeout. If the peer is to move, its remaining
    /// time is added.
    pub patience: Option<Duration>,
    pub movetime: Option<Duration>,
    pub depth: Option<u32>,
    pub bitbases: Arc<Bitbases>,
}

#[derive(Clone, Debug)]
pub(crate) struct Proposal {
    /// Our colour in the first game; the colours alternate.
    pub colour: Side,
    /// The time per side for a game, in minutes; 0 for no limit.
    pub minutes: u32,
    /// The number of moves per side after which a game ends; 0 for no limit.
    pub moves: u32,
    pub start: Position,
}

/// The timeout for the confirmation of a game's end.
const FAREWELL: Duration = Duration::from_secs(10);
/// The timeout for the confirmation after the user has interrupted.
const HASTE: Duration = Duration::from_secs(2);
/// The interval between checks for a user interrupt.
const POLL: Duration = Duration::from_millis(50);
/// The time per move if there is no other limit.
const DEFAULT_MOVE_TIME: Duration = Duration::from_secs(1);

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    pub won: u32,
    pub drawn: u32,
    pub lost: u32,
    pub unknown: u32,
}

impl Tally {
    pub const fn games(self) -> u32 {
        self.won + self.drawn + self.lost + self.unknown
    }

    pub(crate) const fn add(&mut self, other: Self) {
        self.won += other.won;
        self.drawn += other.drawn;
        self.lost += other.lost;
        self.unknown += other.unknown;
    }

    fn count(&mut self, result: GameResult, ours: Side) {
        *match (result, ours) {
            (GameResult::WhiteWins, Side::White) | (GameResult::BlackWins, Side::Black) => {
                &mut self.won
            }
            (GameResult::WhiteWins | GameResult::BlackWins, _) => &mut self.lost,
            (GameResult::Draw, _) => &mut self.drawn,
            (GameResult::BothLose | GameResult::Unknown, _) => &mut self.unknown,
        } += 1;
    }
}

impl Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { won, drawn, lost, unknown } = self;
        write!(f, "games: {}, won: {won}, drawn: {drawn}, lost: {lost}", self.games())?;
        if *unknown > 0 { write!(f, ", without a result: {unknown}") } else { Ok(()) }
    }
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum Trouble {
    #[error(transparent)]
    Link(#[from] LinkError),
    #[error("the peer sent '{text}': {error}")]
    Message { text: String, error: MessageError },
    #[error("the peer sent '{text}' {when}")]
    OutOfPlace { text: String, when: &'static str },
    #[error("the peer's move {0}")]
    Illegal(#[from] IllegalMove),
    #[error("the peer declined the game: {0}")]
    Refused(&'static str),
    #[error("no message from the peer for {:.1} s", .0.as_secs_f64())]
    Silent(Duration),
    #[error("interrupted")]
    Interrupted,
    #[error("the game cannot be saved: {0}")]
    Save(#[source] io::Error),
    /// An illegal move of our engine, which should never happen.
    #[error("Adoube's move is not legal: {0}")]
    Own(#[from] pdn::IllegalMove),
    #[error(transparent)]
    Engine(#[from] EngineFailure),
    /// A search without a move, which should never happen.
    #[error("the search returned no move")]
    NoMove,
}

enum Event {
    Text(String),
    /// The end of the connection.
    Lost(LinkError),
    /// The result of the search with this number.
    Found(u64, Box<SearchResult<Move>>),
}

enum Received {
    Message(Message),
    Found(SearchResult<Move>),
}

/// The regular end of a game.
enum OrderlyEnd {
    /// An end under the rules or the agreed terms. We send it, because we are to move.
    Over(Over),
    /// A GAMEEND message from the peer.
    EndedByPeer { reason: Reason, stop: bool },
}

/// Plays games with the peer at the other end of `stream` until one side wants no more games.
///
/// `stop` is set when the user interrupts. Every game, finished or not, is passed to `save`.
/// Returns the tally of results, and the reason if the connection ended early.
pub fn run(
    stream: TcpStream,
    engine: DraughtsEngine,
    settings: &DxpOptions,
    wire: &Arc<Wire>,
    stop: &AtomicBool,
    save: &mut dyn FnMut(&pdn::Game) -> io::Result<()>,
) -> (Tally, Option<Trouble>) {
    let mut tally = Tally::default();
    let trouble = Session::new(stream, engine, settings, wire, stop)
        .and_then(|mut session| {
            let played = session.play_all(&mut tally, save);
            // If the engine failed, report that failure instead of the error that resulted from it.
            session.search_thread.finish().map_err(Trouble::Engine).and(played)
        })
        .err();
    (tally, trouble)
}

struct Session<'a> {
    link: Link,
    inbox: Receiver<Event>,
    events: SyncSender<Event>,
    search_thread: SearchThread<DraughtsEngine>,
    settings: &'a DxpOptions,
    wire: &'a Arc<Wire>,
    stop: &'a AtomicBool,
    search: u64,
}

impl<'a> Session<'a> {
    fn new(
        stream: TcpStream,
        engine: DraughtsEngine,
        settings: &'a DxpOptions,
        wire: &'a Arc<Wire>,
        stop: &'a AtomicBool,
    ) -> Result<Self, Trouble> {
        let link = Link::new(stream).map_err(LinkError::Broken)?;
        let messages = link.messages().map_err(LinkError::Broken)?;
        // Bounded, so that a flood of messages applies back-pressure instead of filling memory.
        let (events, inbox) = mpsc::sync_channel(64);
        let sender = events.clone();
        std::thread::spawn(move || listen(messages, &sender));
        let search_thread =
            SearchThread::spawn(Arc::clone(wire), move || Ok::<_, Infallible>(engine), |_| {});
        Ok(Self { link, inbox, events, search_thread, settings, wire, stop, search: 0 })
    }

    fn play_all(
        &mut self,
        tally: &mut Tally,
        save: &mut dyn FnMut(&pdn::Game) -> io::Result<()>,
    ) -> Result<(), Trouble> {
        loop {
            let round = self.settings.before + tally.games() + 1;
            let agreed = match self.settings.initiate.clone() {
                Some(proposal) => self.request_game(round, &proposal).map(Some),
                None => self.follow(round, tally.games() > 0),
            };
            let mut game = match agreed {
                Ok(Some(terms)) => Game::new(terms),
                Ok(None) => return Ok(()),
                Err(trouble) => return Err(self.break_off(trouble)),
            };
            self.announce(&game);
            if let Err(error) = self.search_thread.push(false, |engine, _| engine.clear()) {
                tracing::warn!("{error}");
            }
            let ended = self.play(&mut game);
            let (result, why) = conclusion(&game, &ended);
            tally.count(result, game.terms().ours);
            self.print(format_args!("game {round}: {result}, {why}"));
            // Save the game before anything else can fail.
            let saved = save(&game.record(result, &why)).map_err(Trouble::Save);
            let last = self.settings.games.is_some_and(|games| round >= games) || saved.is_err();
            let stops = match ended {
                Ok(ending) => self.end_game(&game, ending, last)?,
                Err(trouble) => {
                    if let Err(error) = saved {
                        self.print(error);
                    }
                    return Err(self.break_off(trouble));
                }
            };
            saved?;
            if last {
                return Ok(());
            }
            if stops {
                self.print("the peer does not want another game");
                return Ok(());
            }
        }
    }

    fn print(&self, message: impl Display) {
        self.wire.send(message);
    }

    fn announce(&self, game: &Game) {
        let Terms { round, names: [white, black], ours, minutes, moves, start } = game.terms();
        let clock = match minutes {
            0 => "no clock".to_owned(),
            _ => format!("{minutes} min each"),
        };
        let moves = match moves {
            0 => String::new(),
            _ => format!(", {moves} moves at most"),
        };
        let from = match *start == Position::start() {
            true => String::new(),
            false => format!(", from {start}"),
        };
        self.print(format_args!(
            "game {round}: {white} - {black}, we are {ours}, {clock}{moves}{from}"
        ));
    }

    /// Requests a game and waits for the answer.
    fn request_game(&mut self, round: u32, proposal: &Proposal) -> Result<Terms, Trouble> {
        let &Proposal { colour, minutes, moves, start } = proposal;
        let ours = if round % 2 == 1 { colour } else { !colour };
        let name = self.settings.name.clone();
        self.link.send(&Message::Request(Request {
            name: name.clone(),
            follower: !ours,
            minutes,
            moves,
            start: (start != Position::start()).then(|| Start::from(&start)),
        }))?;
        let until = Until::patience(self.settings.patience);
        loop {
            match self.receive(until)? {
                Received::Message(Message::Answer { name: peer, code }) => match code {
                    Answer::Accepted => {
                        let names = sides(ours, name, peer);
                        return Ok(Terms { round, names, ours, minutes, moves, start });
                    }
                    Answer::Version => {
                        return Err(Trouble::Refused("it uses another version of the protocol"));
                    }
                    Answer::NotThis => {
                        return Err(Trouble::Refused("it does not play this game"));
                    }
                    Answer::None => return Err(Trouble::Refused("it does not want to play")),
                },
                // This is a late confirmation of the end of the previous game.
                Received::Message(Message::End { stop: false, .. }) | Received::Found(_) => {}
                Received::Message(Message::End { stop: true, .. }) => {
                    return Err(Trouble::Refused("it wants to stop"));
                }
                Received::Message(other) => {
                    return Err(Trouble::out_of_place(
                        &other,
                        "instead of an answer to our request",
                    ));
                }
            }
        }
    }

    /// Waits for a request and answers it. If a game has already been `played`, returns `None` when
    /// the peer does not want another game, disconnects or stays silent.
    fn follow(&mut self, round: u32, played: bool) -> Result<Option<Terms>, Trouble> {
        let until = Until::patience(self.settings.patience);
        loop {
            let request = match self.receive(until) {
                Ok(Received::Message(Message::Request(request))) => request,
                Ok(Received::Message(Message::End { stop: false, .. }) | Received::Found(_)) => {
                    continue;
                }
                Ok(Received::Message(Message::End { stop: true, .. })) if played => {
                    return Ok(None);
                }
                Ok(Received::Message(other)) => {
                    return Err(Trouble::out_of_place(&other, "before a game was agreed"));
                }
                Err(Trouble::Link(LinkError::Closed) | Trouble::Silent(_)) if played => {
                    return Ok(None);
                }
                Err(Trouble::Message { error: error @ MessageError::Version(_), .. }) => {
                    self.answer(Answer::Version)?;
                    self.print(format_args!("declined the requested game: {error}"));
                    continue;
                }
                Err(trouble) => return Err(trouble),
            };
            match terms(round, &self.settings.name, request) {
                Ok(terms) => {
                    self.answer(Answer::Accepted)?;
                    return Ok(Some(terms));
                }
                Err(why) => {
                    self.answer(Answer::NotThis)?;
                    self.print(format_args!("declined the requested game: {why}"));
                }
            }
        }
    }

    fn answer(&mut self, code: Answer) -> Result<(), LinkError> {
        self.link.send(&Message::Answer { name: self.settings.name.clone(), code })
    }

    fn play(&mut self, game: &mut Game) -> Result<OrderlyEnd, Trouble> {
        loop {
            let began = Instant::now();
            if game.is_ours() {
                if let Some(over) = game.over() {
                    return Ok(OrderlyEnd::Over(over));
                }
                let outcome = match self.think(game)? {
                    Ok(outcome) => outcome,
                    Err(end) => return Ok(end),
                };
                let m = outcome.best.ok_or(Trouble::NoMove)?;
                let elapsed = began.elapsed();
                let seconds = (elapsed.as_millis() as u64 + 500) / 1000;
                self.link.send(&Message::Move(TimedMove::new(m, seconds)))?;
                let info = outcome.info.as_ref();
                let thought = info.map(|info| format!("{}/{}", Men::from(info.score), info.depth));
                self.make(game, m, elapsed, &thought.unwrap_or_default())?;
            } else {
                let until = Until::patience(
                    self.settings.patience.map(|time| time + game.time_left().unwrap_or_default()),
                );
                match self.receive(until)? {
                    Received::Message(Message::Move(played)) => {
                        let m = played.find(game.position())?;
                        self.make(game, m, began.elapsed(), "")?;
                    }
                    Received::Message(Message::End { reason, stop }) => {
                        return Ok(OrderlyEnd::EndedByPeer { reason, stop });
                    }
                    Received::Message(other) => {
                        return Err(Trouble::out_of_place(&other, "instead of a move"));
                    }
                    Received::Found(_) => {}
                }
            }
        }
    }

    fn make(
        &self,
        game: &mut Game,
        m: Move,
        elapsed: Duration,
        thought: &str,
    ) -> Result<(), Trouble> {
        let name = game.name_of(m);
        let before = game.time_left();
        game.play(m, elapsed, thought)?;
        let left = before.map_or(String::new(), |left| {
            format!(", {:.1} s left", left.saturating_sub(elapsed).as_secs_f64())
        });
        let thought = if thought.is_empty() { String::new() } else { format!("  {thought}") };
        self.print(format_args!("{name}{thought}  {:.1} s{left}", elapsed.as_secs_f64()));
        Ok(())
    }

    /// Searches for a move. Returns an inner error if the peer ends the game during the search.
    fn think(&mut self, game: &Game) -> Result<Result<SearchResult<Move>, OrderlyEnd>, Trouble> {
        let control = StopHandle::new();
        let clock = game.clock();
        let &DxpOptions { movetime, depth, .. } = self.settings;
        let unlimited = clock.is_none() && depth.is_none();
        let limits = Limits {
            depth,
            movetime: movetime.or(unlimited.then_some(DEFAULT_MOVE_TIME)),
            clock,
            clock_start: Some(Instant::now()),
            ..Limits::default()
        };
        self.search += 1;
        let bitbases = Arc::clone(&self.settings.bitbases);
        let resources = Resources { bitbases, ..Resources::default() };
        let root = Root { resources, ..game.root() };
        let number = self.search;
        let (events, handle) = (self.events.clone(), control.clone());
        let pushed = self.search_thread.push_long(move |engine, _| {
            let outcome = engine.search_here(&root, &limits, &handle, None);
            let _ = events.send(Event::Found(number, Box::new(outcome)));
            None
        });
        if let Err(error) = pushed {
            tracing::warn!("{error}");
        }
        let received = self.receive(Until::Forever);
        control.stop();
        match received? {
            Received::Found(outcome) => Ok(Ok(outcome)),
            Received::Message(Message::End { reason, stop }) => {
                Ok(Err(OrderlyEnd::EndedByPeer { reason, stop }))
            }
            Received::Message(other) => Err(Trouble::out_of_place(&other, "when it was our turn")),
        }
    }

    /// Sends or confirms the end of the game. `last` is true if we want no further game. Returns
    /// whether the peer wants no further game. The returned value is meaningless if `last` is true.
    fn end_game(&mut self, game: &Game, ending: OrderlyEnd, last: bool) -> Result<bool, Trouble> {
        match ending {
            OrderlyEnd::EndedByPeer { stop, .. } => {
                let confirmed = self.link.send(&end(Reason::Unknown, last));
                // If no game follows, ignore a failed confirmation: the peer may already have
                // disconnected.
                if stop || last {
                    Ok(true)
                } else {
                    confirmed.map(|()| false).map_err(Trouble::Link)
                }
            }
            OrderlyEnd::Over(over) => {
                self.link.send(&end(reason(over, game.terms().ours), last))?;
                self.await_confirmation(FAREWELL, last)
            }
        }
    }

    /// Waits for the peer to confirm the end. Returns whether the peer wants no further game.
    fn await_confirmation(&mut self, patience: Duration, last: bool) -> Result<bool, Trouble> {
        let until = Until::patience(Some(patience));
        loop {
            match self.receive(until) {
                Ok(Received::Message(Message::End { stop, .. })) => return Ok(stop),
                Ok(_) => {}
                Err(Trouble::Link(_) | Trouble::Silent(_)) if last => {
                    self.print("the peer did not confirm the end of the game");
                    return Ok(true);
                }
                Err(trouble) => return Err(trouble),
            }
        }
    }

    /// Sends the reason as chat and then the end of the game, if the connection is still open.
    fn break_off(&mut self, trouble: Trouble) -> Trouble {
        if matches!(trouble, Trouble::Link(LinkError::Closed | LinkError::Broken(_))) {
            return trouble;
        }
        let interrupted = matches!(trouble, Trouble::Interrupted);
        let why = match interrupted {
            true => "I have to leave".to_owned(),
            false => format!("error: {trouble}"),
        };
        let sent = self.link.send(&Message::Chat(Text::new(&why)));
        let sent = sent.and_then(|()| self.link.send(&end(Reason::Unknown, true)));
        if sent.is_ok() && interrupted {
            self.leave();
        }
        trouble
    }

    /// Waits briefly for the confirmation after a user interrupt.
    fn leave(&self) {
        let until = Instant::now() + HASTE;
        while let Some(left) = until.checked_duration_since(Instant::now())
            && let Ok(event) = self.inbox.recv_timeout(left)
        {
            match event {
                Event::Text(text) if text.starts_with('E') => return,
                Event::Lost(_) => return,
                Event::Text(_) | Event::Found(..) => {}
            }
        }
    }

    /// Waits for an event that the caller must handle. Meanwhile, prints chat and refuses requests
    /// to take back moves.
    fn receive(&mut self, until: Until) -> Result<Received, Trouble> {
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return Err(Trouble::Interrupted);
            }
            let wait = until.left()?.min(POLL);
            let text = match self.inbox.recv_timeout(wait) {
                Ok(Event::Text(text)) => text,
                Ok(Event::Lost(error)) => return Err(error.into()),
                Ok(Event::Found(number, outcome)) if number == self.search => {
                    return Ok(Received::Found(*outcome));
                }
                // This is the late result of a search that was stopped.
                Ok(Event::Found(..)) => continue,
                Err(_) if self.search_thread.is_dead() => return Err(Trouble::NoMove),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => continue,
            };
            tracing::debug!("received: {text:?}");
            match text.parse() {
                Ok(Message::Chat(text)) => self.print(format_args!("the peer says: {text}")),
                Ok(Message::Back { .. }) => {
                    self.print("refused the peer's request to take back moves");
                    self.link.send(&Message::BackAnswer(BackAnswer::Unsupported))?;
                }
                // Ignore the answer, because we never request to take back moves.
                Ok(Message::BackAnswer(_)) => {}
                Ok(message) => return Ok(Received::Message(message)),
                Err(error) => {
                    let text = Text::new(&text).to_string();
                    return Err(Trouble::Message { text: excerpt(&text), error });
                }
            }
        }
    }
}

impl Trouble {
    /// Returns whether the cause is on our side, so that trying another peer would not help.
    pub(crate) const fn is_ours(&self) -> bool {
        matches!(
            self,
            Self::Interrupted | Self::Save(_) | Self::Own(_) | Self::Engine(_) | Self::NoMove
        )
    }

    fn out_of_place(message: &Message, when: &'static str) -> Self {
        Self::OutOfPlace { text: message.to_string(), when }
    }
}

#[derive(Clone, Copy)]
enum Until {
    Forever,
    After(Instant, Duration),
}

impl Until {
    fn patience(time: Option<Duration>) -> Self {
        time.map_or(Self::Forever, |time| Self::After(Instant::now(), time))
    }

    fn left(self) -> Result<Duration, Trouble> {
        match self {
            Self::Forever => Ok(Duration::MAX),
            Self::After(start, time) => {
                time.checked_sub(start.elapsed()).ok_or(Trouble::Silent(time))
            }
        }
    }
}

/// Forwards the peer's messages until the connection or the session ends.
fn listen(mut messages: Messages<TcpStream>, events: &SyncSender<Event>) {
    loop {
        let event = messages.receive().map_or_else(Event::Lost, Event::Text);
        let lost = matches!(event, Event::Lost(_));
        if events.send(event).is_err() || lost {
            return;
        }
    }
}

const fn end(reason: Reason, stop: bool) -> Message {
    Message::End { reason, stop }
}

fn reason(over: Over, ours: Side) -> Reason {
    match over {
        Over::NoMove(side) if side == ours => Reason::Lost,
        Over::NoMove(_) => Reason::Won,
        Over::Repetition | Over::Count => Reason::Draw,
        Over::MoveLimit(_) => Reason::Unknown,
    }
}

fn sides(ours: Side, our_name: Name, peer: Name) -> [Name; 2] {
    if ours.is_white() { [our_name, peer] } else { [peer, our_name] }
}

#[derive(Debug, thiserror::Error)]
enum TermsError {
    #[error(transparent)]
    Position(#[from] HubError),
    #[error("{side} has no legal move in {position}", side = position.side())]
    NoMove { position: Position },
}

fn terms(round: u32, name: &Name, request: Request) -> Result<Terms, TermsError> {
    let Request { name: peer, follower: ours, minutes, moves, start } = request;
    let start = start.map_or(Ok(Position::start()), |start| start.position())?;
    if !start.has_moves() {
        return Err(TermsError::NoMove { position: start });
    }
    let names = sides(ours, name.clone(), peer);
    Ok(Terms { round, names, ours, minutes, moves, start })
}

/// Returns the result of a game and the reason for its end.
fn conclusion(game: &Game, ended: &Result<OrderlyEnd, Trouble>) -> (GameResult, String) {
    let peer = !game.terms().ours;
    let (end, last) = match ended {
        Ok(OrderlyEnd::Over(over)) => return (over.result(), over.to_string()),
        Ok(OrderlyEnd::EndedByPeer { reason, .. }) => {
            let what = match reason {
                Reason::Unknown => "ends the game",
                Reason::Lost => "resigns",
                Reason::Draw => "ends the game as a draw",
                Reason::Won => "claims a win",
            };
            (Some((peer, *reason)), format!("{peer} {what}"))
        }
        Err(trouble) => (None, trouble.to_string()),
    };
    let rules = game.over().map_or(String::new(), |over| format!("{over}; "));
    (game.result(end), format!("{rules}{last}"))
}
