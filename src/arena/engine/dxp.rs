//! The initiator side of DXP, for games with draughts engines.
//!
//! Source: *DamExchange* (van den Berg, Jetten; 2002). The engine listens on a local port (`dxp`)
//! or connects to the arena (`dxp-client`). `{port}` in its command is replaced by a free port. In
//! DXP, the time for a game is a whole number of minutes. For shorter times, an engine needs a time
//! limit in its command or its options. DXP has no options, so an entrant's options are sent as
//! chat, which some engines understand. The arena measures thinking times itself.

use super::answer::{Answer, PendingQuestion, Thought};
use super::entrant::{self, Entrant, Protocol};
use super::failure::Failure;
use super::link::Link;
use super::protocol::{EngineProtocol, NewGame, Question, TimeOf};
use crate::draughts::Position;
use crate::laws::clock::{Budget, TimeControl};
use crate::protocol::dxp::PORT;
use crate::protocol::dxp::link::{self, LinkError, Messages};
use crate::protocol::dxp::message::{
    self, BackAnswer, Message, Name, Reason, Request, Start, Text, TimedMove,
};
use once_cell::sync::Lazy;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// The maximum number of queued messages. If the queue is full, the engine's writes block.
const MAX_QUEUED_MESSAGES: usize = 64;

#[derive(Debug, Default)]
pub(crate) struct Dxp {
    port: u16,
    listener: Option<TcpListener>,
    connection: Option<Connection>,
    /// The number of moves that the engine already knows. This includes the opening moves, because
    /// the engine starts from the position after them.
    synced_plies: usize,
}

#[derive(Debug)]
struct Connection {
    link: link::Link,
    inbox: Receiver<Incoming>,
}

/// The arrival time and text of a message, or the error that ended the connection.
type Incoming = (Instant, Result<String, LinkError>);

fn listen(mut messages: Messages<TcpStream>, sender: &SyncSender<Incoming>) {
    loop {
        let text = messages.receive();
        let last = text.is_err();
        if sender.send((Instant::now(), text)).is_err() || last {
            return;
        }
    }
}

impl Connection {
    fn new(stream: TcpStream) -> io::Result<Self> {
        let link = link::Link::new(stream)?;
        let messages = link.messages()?;
        let (sender, inbox) = sync_channel(MAX_QUEUED_MESSAGES);
        thread::spawn(move || listen(messages, &sender));
        Ok(Self { link, inbox })
    }
}

/// Returns the game time in minutes, rounded down but at least 1. If the time control has no clock,
/// returns the maximum. DXP uses 0 for unlimited time, but some engines refuse it.
fn minutes(control: &TimeControl) -> u32 {
    const MAX_MINUTES: u32 = 999;
    let time = match &control.budget {
        Budget::Unlimited | Budget::PerMove(_) => None,
        Budget::Hourglass(time) => Some(*time),
        Budget::Periods(periods) => periods.first().map(|period| period.time),
    };
    time.map_or(MAX_MINUTES, |time| (time.as_secs() / 60).clamp(1, MAX_MINUTES.into()) as u32)
}

/// The range from which `{port}` is chosen if the engine listens. The engine binds the port some
/// time after the arena has chosen it. In the meantime, no other program is likely to take a port
/// in this range: ephemeral ports begin at 32768 (Linux) or 49152 (RFC 6335, section 6), and DXP's
/// default port is lower.
const PORTS: Range<u16> = 28_000..32_768;

/// Returns a port in [`PORTS`] on which no program is listening. Ports are used in turn, so that
/// concurrent games get different ports. The first port is random, so two matches rarely collide.
fn free_port() -> io::Result<u16> {
    static COUNTER: Lazy<AtomicU64> = Lazy::new(|| AtomicU64::new(RandomState::new().hash_one(())));
    let next = |_| {
        let count = COUNTER.fetch_add(1, Ordering::Relaxed);
        PORTS.start + (count % PORTS.len() as u64) as u16
    };
    let is_free = |&port: &u16| TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok();
    PORTS.map(next).find(is_free).ok_or_else(|| io::ErrorKind::AddrInUse.into())
}

impl Dxp {
    fn connect(&self, link: &mut Link) -> Result<Connection, Failure> {
        const WAITED_FOR: &str = "a connection";
        let deadline = Instant::now() + link.patience.start;
        loop {
            let stream = match &self.listener {
                Some(listener) => listener.accept().map(|(stream, _)| stream),
                None => TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)),
            };
            if let Ok(connection) = stream.and_then(Connection::new) {
                return Ok(connection);
            }
            if Instant::now() > deadline {
                return Err(Failure::Stall(WAITED_FOR));
            }
            link.idle(POLL_INTERVAL, WAITED_FOR)?;
        }
    }

    fn send(
        &mut self,
        link: &Link,
        message: &Message,
        purpose: &'static str,
    ) -> Result<Instant, Failure> {
        let connection = self.connection.as_mut().ok_or_else(|| link.crash(purpose))?;
        link.note(Instant::now(), '>', &message.to_string());
        connection.link.send(message).map_err(|_| link.crash(purpose))?;
        Ok(Instant::now())
    }

    /// Returns the next message that is neither chat nor a request to take back moves, with its
    /// arrival time. Rejects such requests as unsupported.
    fn receive(
        &mut self,
        link: &mut Link,
        deadline: Instant,
        purpose: &'static str,
    ) -> Result<(Instant, Message), Failure> {
        loop {
            let connection = self.connection.as_ref().ok_or_else(|| link.crash(purpose))?;
            let left = deadline.saturating_duration_since(Instant::now());
            let (at, text) = match connection.inbox.recv_timeout(left.min(POLL_INTERVAL)) {
                Ok((at, Ok(text))) => (at, text),
                Ok((_, Err(LinkError::Closed | LinkError::Broken(_))))
                | Err(RecvTimeoutError::Disconnected) => return Err(link.crash(purpose)),
                Ok((_, Err(error))) => return Err(Failure::ProtocolViolation(error.to_string())),
                Err(RecvTimeoutError::Timeout) => {
                    // Drain the engine's standard output, so that its pipe does not fill.
                    link.idle(Duration::ZERO, purpose)?;
                    if left <= POLL_INTERVAL {
                        return Err(Failure::Stall(purpose));
                    }
                    continue;
                }
            };
            link.note(at, '<', &text);
            match text.parse() {
                Ok(Message::Chat(_)) => {}
                Ok(Message::Back { .. }) => {
                    self.send(link, &Message::BackAnswer(BackAnswer::Unsupported), purpose)?;
                }
                Ok(message) => return Ok((at, message)),
                Err(error) => {
                    return Err(Failure::ProtocolViolation(format!("sent '{text}': {error}")));
                }
            }
        }
    }
}

fn out_of_place(message: &Message) -> Failure {
    Failure::ProtocolViolation(format!("sent '{message}', which is not expected here"))
}

impl EngineProtocol<Position> for Dxp {
    fn prepare(&mut self, entrant: &Entrant) -> io::Result<Vec<String>> {
        let chosen = !entrant.has_one_port();
        let calls = entrant.protocol == Some(Protocol::DxpClient);
        if calls {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, if chosen { 0 } else { PORT }))?;
            listener.set_nonblocking(true)?;
            self.port = listener.local_addr()?.port();
            self.listener = Some(listener);
        } else {
            self.port = if chosen { free_port()? } else { PORT };
        }
        let port = self.port.to_string();
        Ok(entrant.args.iter().map(|arg| arg.replace(entrant::PORT, &port)).collect())
    }

    fn greet(&mut self, link: &mut Link, entrant: &Entrant) -> Result<(), Failure> {
        self.connection = Some(self.connect(link)?);
        for (name, value) in &entrant.options {
            self.send(link, &Message::Chat(Text::new(&format!("{name} {value}"))), "options")?;
        }
        Ok(())
    }

    fn new_game(&mut self, link: &mut Link, game: &NewGame<'_, Position>) -> Result<(), Failure> {
        const WAITED_FOR: &str = "an answer to the request for a game";
        self.synced_plies = game.played;
        let start = (*game.position != Position::start()).then(|| Start::from(game.position));
        let request = Request {
            name: Name::new("Adoube match"),
            follower: game.side,
            minutes: minutes(game.control),
            moves: 0,
            start,
        };
        self.send(link, &Message::Request(request), WAITED_FOR)?;
        let deadline = Instant::now() + link.patience.ready;
        match self.receive(link, deadline, WAITED_FOR)? {
            (_, Message::Answer { code: message::Answer::Accepted, .. }) => Ok(()),
            (_, Message::Answer { .. }) => {
                Err(Failure::ProtocolViolation("refused the game".into()))
            }
            (_, other) => Err(out_of_place(&other)),
        }
    }

    fn ask(
        &mut self,
        link: &mut Link,
        question: &Question<'_, Position>,
        on: TimeOf,
    ) -> Result<PendingQuestion, Failure> {
        let mut sent = Instant::now();
        let from = sent;
        // Send nothing for pondering, because a DXP engine ponders on its own initiative.
        if on == TimeOf::Mover {
            let new = question.moves.get(self.synced_plies..).unwrap_or_default();
            self.synced_plies = question.moves.len() + 1;
            for &m in new {
                sent = self.send(link, &Message::Move(TimedMove::new(m, 0)), "a move")?;
            }
        }
        Ok(PendingQuestion { from, sent })
    }

    fn hit(&mut self, _: &mut Link) -> Result<Instant, Failure> {
        Ok(Instant::now())
    }

    fn answer(
        &mut self,
        link: &mut Link,
        pending: PendingQuestion,
        allowed: Duration,
    ) -> Result<Answer, Failure> {
        // DXP has no stop command, so wait a little longer for the move instead.
        let deadline = pending.sent + allowed + link.patience.ready;
        match self.receive(link, deadline, "a move")? {
            (at, Message::Move(played)) => Ok(Answer {
                best: played.notation(),
                ponder: None,
                elapsed: at.saturating_duration_since(pending.sent),
                thought: Thought::default(),
                infos: Vec::new(),
            }),
            (_, Message::End { reason: Reason::Lost, .. }) => Err(Failure::Resigned),
            (_, other) => Err(out_of_place(&other)),
        }
    }

    fn game_over(&mut self, link: &mut Link) -> Result<(), Failure> {
        const WAITED_FOR: &str = "the end of the game";
        self.send(link, &Message::End { reason: Reason::Unknown, stop: false }, WAITED_FOR)?;
        let deadline = Instant::now() + link.patience.ready;
        // The engine may still be thinking and send other messages first, so skip them.
        while !matches!(self.receive(link, deadline, WAITED_FOR)?, (_, Message::End { .. })) {}
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn assigns_each_game_its_own_port() {
        let ports: BTreeSet<u16> = (0..8).map(|_| free_port().expect("a port")).collect();
        assert!(ports.len() == 8 && ports.iter().all(|port| PORTS.contains(port)), "{ports:?}");
    }

    #[test]
    fn rounds_down_to_whole_minutes() {
        let minutes_of = |text: &str| {
            let budget = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            minutes(&TimeControl { budget, ..TimeControl::default() })
        };
        assert_eq!(["1+1", "90", "300", "40/600:60", "*120"].map(minutes_of), [1, 1, 5, 10, 2]);
        assert_eq!(minutes(&TimeControl::default()), 999);
    }
}
