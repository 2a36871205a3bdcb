//! A broadcast: many browsers watch a running match.
//!
//! [`Broadcast`] listens on 127.0.0.1 with a token, as the board does, or on a given [`Address`]
//! without a token, so that anyone may watch. Each page has a WebSocket and receives the messages
//! that `scene` builds from a [`Watched`] match. At the end the page shows the match report.
//!
//! Invariant: the match never waits for spectators. Messages are built once for all spectators, at
//! most once per `TICK` and no more often than `paced` allows. A slow spectator gets only the
//! newest state, and a spectator who does not read is disconnected.

mod address;
mod paced;
mod scene;

pub(crate) use address::Address;
pub(crate) use scene::Watched;

use super::assets::{Asset, FRAME, HTML, ICON, PICTURE, SCRIPT, STYLE};
use super::guard::Guard;
use super::server::{self, Stopper};
use crate::arena::game::contest::Contest;
use crate::arena::show::report::OWN;
use crate::page::{LinkedAssets, bundle, script, style};
use axum::Router;
use axum::body::Bytes;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::extract::{FromRequestParts, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use paced::Paced;
use scene::{Changes, Scene};
use std::fmt;
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use tokio::sync::watch::{self, Receiver, Sender};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Maximum number of open connections that are not WebSockets; further connections are closed
/// immediately.
const MAX_CONNECTIONS: usize = 128;
const MAX_SPECTATORS: usize = 256;
/// Maximum number of pings and pongs per second from a spectator. Any other message ends the
/// connection.
const MAX_SENT: u32 = 10;
const MAX_MESSAGE_BYTES: usize = 1 << 10;
/// Timeout for sending a message to a spectator.
const PATIENCE: Duration = Duration::from_secs(10);
const TICK: Duration = Duration::from_millis(200);
/// Idle time after which all spectators are assumed to have loaded the last page.
const QUIET: Duration = Duration::from_millis(500);

const LINKED_ASSETS: LinkedAssets<'static> =
    LinkedAssets { style: "report.css", script: "report.js" };

/// The files of the page. Script and style are bundled into one file each, because spectators may
/// be on slow connections.
static ASSETS: LazyLock<[Asset; 6]> = LazyLock::new(|| {
    let page = [
        style::BASE,
        style::TABLE,
        style::BOARD,
        style::CLOCK,
        FRAME,
        include_str!("../page/watch.css"),
    ];
    let modules = [
        script::DOM,
        script::PIECES,
        script::BOARD,
        script::CLOCK,
        include_str!("../page/watch.js"),
    ];
    let asset = |path, media_type, text: String| Asset { path, media_type, text: text.leak() };
    [
        Asset { path: "", media_type: HTML, text: include_str!("../page/watch.html") },
        Asset { path: "icon.svg", media_type: PICTURE, text: ICON },
        asset("watch.css", STYLE, page.concat()),
        asset("watch.js", SCRIPT, bundle(&modules)),
        asset(LINKED_ASSETS.style, STYLE, OWN.style_sheet()),
        asset(LINKED_ASSETS.script, SCRIPT, OWN.whole_script()),
    ]
});

#[derive(Debug)]
pub(crate) struct Broadcast {
    listener: TcpListener,
    guard: Guard,
}

#[derive(Debug)]
pub(crate) struct OnAir<G: Contest> {
    watched: Arc<Watched<G>>,
    stage: Arc<Stage>,
    stopper: Stopper,
    thread: Option<JoinHandle<io::Result<()>>>,
}

struct Stage {
    guard: Guard,
    scene: Arc<dyn Scene>,
    games: Sender<Utf8Bytes>,
    scores: Sender<Utf8Bytes>,
    report: Mutex<Paced<Bytes>>,
    /// Set when a new spectator needs the current clock times.
    arrived: AtomicBool,
    connections: Arc<Semaphore>,
    spectators: Arc<Semaphore>,
}

impl fmt::Debug for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Stage with {} free places", self.spectators.available_permits())
    }
}

impl Broadcast {
    /// Listens on an address without a token, or on any free port of 127.0.0.1 with a token.
    ///
    /// # Errors
    /// Returns an error if the address is not an address of this machine, if the port is in use, or
    /// if no random bytes are available.
    pub(crate) fn bind(address: Option<&Address>) -> io::Result<Self> {
        let Some(address) = address else {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
            let guard = Guard::new(listener.local_addr()?.port())?;
            return Ok(Self { listener, guard });
        };
        let listener = TcpListener::bind((address.host.as_str(), address.port))?;
        let guard = Guard::public(&address.host, listener.local_addr()?);
        Ok(Self { listener, guard })
    }

    pub(crate) fn address(&self) -> String {
        self.guard.address()
    }

    /// Returns whether the server listens on all interfaces of this machine.
    pub(crate) fn is_everywhere(&self) -> bool {
        self.listener.local_addr().is_ok_and(|address| address.ip().is_unspecified())
    }

    pub fn show<G: Contest>(self, watched: Watched<G>) -> io::Result<OnAir<G>> {
        let watched = Arc::new(watched);
        let (stopper, scene) = (Stopper::default(), Arc::clone(&watched));
        let stage = Arc::new(Stage {
            guard: self.guard,
            scene,
            games: watch::channel(Utf8Bytes::default()).0,
            scores: watch::channel(Utf8Bytes::default()).0,
            report: Mutex::default(),
            arrived: AtomicBool::new(false),
            connections: Arc::new(Semaphore::new(MAX_CONNECTIONS)),
            spectators: Arc::new(Semaphore::new(MAX_SPECTATORS)),
        });
        let (shared, stop) = (Arc::clone(&stage), stopper.clone());
        let thread = thread::Builder::new().name("broadcast".to_owned()).spawn(move || {
            let app = Router::new().fallback(answer).with_state(Arc::clone(&shared));
            let free = Arc::clone(&shared.connections);
            server::run(self.listener, app, free, &stop, shared.keep_up())
        })?;
        Ok(OnAir { watched, stage, stopper, thread: Some(thread) })
    }
}

impl<G: Contest> OnAir<G> {
    pub(crate) fn watched(&self) -> &Watched<G> {
        &self.watched
    }

    /// Ends the match, and serves the last page while `stays` returns true. Then the remaining
    /// spectators have at most `grace` to load the page.
    pub(crate) fn close(self, stays: impl Fn() -> bool, grace: Duration) {
        self.watched.over();
        while stays() {
            thread::sleep(TICK);
        }
        let until = Instant::now() + grace;
        let mut quiet_since = Instant::now();
        while Instant::now() < until && quiet_since.elapsed() < QUIET {
            thread::sleep(TICK / 4);
            if !self.stage.is_quiet() {
                quiet_since = Instant::now();
            }
        }
    }
}

impl<G: Contest> Drop for OnAir<G> {
    fn drop(&mut self) {
        self.stopper.stop();
        match self.thread.take().map(JoinHandle::join) {
            Some(Ok(Err(error))) => tracing::warn!("the broadcast failed: {error}"),
            Some(Err(_)) => tracing::warn!("the broadcast ended unexpectedly"),
            None | Some(Ok(Ok(()))) => {}
        }
    }
}

impl Stage {
    fn is_quiet(&self) -> bool {
        self.connections.available_permits() == MAX_CONNECTIONS
            && self.spectators.available_permits() == MAX_SPECTATORS
    }

    /// Sends changes to all spectators until the server is stopped.
    async fn keep_up(&self) {
        let mut ticks = tokio::time::interval(TICK);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let (mut of_games, mut of_scores) = (Paced::default(), Paced::default());
        let mut arrivals = 0;
        loop {
            ticks.tick().await;
            if self.games.receiver_count() == 0 {
                continue;
            }
            arrivals += u64::from(self.arrived.swap(false, Ordering::Relaxed));
            let Changes { games, scores, over } = self.scene.changes();
            let texts = [
                (&self.games, of_games.get(games + arrivals, over, || self.scene.games().into())),
                (&self.scores, of_scores.get(scores, over, || self.scene.scores().into())),
            ];
            for (channel, text) in texts {
                channel.send_if_modified(|last| {
                    let is_new = *last != text;
                    *last = text;
                    is_new
                });
            }
        }
    }

    fn report(&self) -> Response {
        let Changes { scores, over, .. } = self.scene.changes();
        let mut report = self.report.lock().unwrap_or_else(PoisonError::into_inner);
        server::text(HTML, report.get(scores, over, || self.scene.report(LINKED_ASSETS).into()))
    }
}

async fn answer(State(stage): State<Arc<Stage>>, request: Request) -> Response {
    server::with_security_headers(match server::admit(&stage.guard, &request) {
        Err(refusal) => refusal.into_response(),
        Ok(path) if path == "live" => live(&stage, request).await,
        Ok(path) if path == "report" || (path.is_empty() && stage.scene.changes().over) => {
            stage.report()
        }
        Ok(path) => server::asset(ASSETS.as_slice(), &path),
    })
}

async fn live(stage: &Arc<Stage>, request: Request) -> Response {
    let Ok(permit) = Arc::clone(&stage.spectators).try_acquire_owned() else {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    };
    let (mut parts, _) = request.into_parts();
    let stage = Arc::clone(stage);
    match WebSocketUpgrade::from_request_parts(&mut parts, &()).await {
        Err(refusal) => refusal.into_response(),
        Ok(upgrade) => upgrade
            .max_message_size(MAX_MESSAGE_BYTES)
            .max_frame_size(MAX_MESSAGE_BYTES)
            .on_upgrade(move |socket| spectate(socket, stage, permit)),
    }
}

async fn spectate(mut socket: WebSocket, stage: Arc<Stage>, _permit: OwnedSemaphorePermit) {
    let (mut games, mut scores) = (stage.games.subscribe(), stage.scores.subscribe());
    games.mark_changed();
    scores.mark_changed();
    stage.arrived.store(true, Ordering::Relaxed);
    if !send(&mut socket, stage.scene.greeting().into()).await {
        return;
    }
    let (mut second, mut sent) = (Instant::now(), 0);
    loop {
        let text = tokio::select! {
            biased;
            message = socket.recv() => {
                if second.elapsed() > Duration::from_secs(1) {
                    (second, sent) = (Instant::now(), 0);
                }
                sent += 1;
                match message {
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) if sent <= MAX_SENT => continue,
                    _ => return,
                }
            }
            Ok(()) = scores.changed() => newest(&mut scores),
            Ok(()) = games.changed() => newest(&mut games),
        };
        if !text.is_empty() && !send(&mut socket, text).await {
            return;
        }
    }
}

fn newest(channel: &mut Receiver<Utf8Bytes>) -> Utf8Bytes {
    channel.borrow_and_update().clone()
}

/// Sends a text message. Returns whether the spectator received it in time.
async fn send(socket: &mut WebSocket, text: Utf8Bytes) -> bool {
    let sent = tokio::time::timeout(PATIENCE, socket.send(Message::Text(text))).await;
    matches!(sent, Ok(Ok(())))
}

#[cfg(test)]
mod tests {
    use super::super::assets::tests::assert_self_contained;
    use super::*;

    #[test]
    fn page_is_small_and_self_contained() {
        assert_self_contained(ASSETS.as_slice());
    }
}
