//! A broadcast: a running match in many browsers, which can look at it and do nothing else.
//!
//! [`Broadcast`] listens on 127.0.0.1 with a token, as the board does, or on an [`Address`] that was
//! given, where everybody may look. Each page has a WebSocket, over which it is told what `scene` makes
//! of a [`Watched`] match. At the end the page is that of `--report`.
//!
//! Invariant: the match waits for nobody. What is shown is made for all at once, at most every
//! `TICK` and as `paced` allows; a spectator who reads slowly is sent the newest state, never a queue
//! of older ones, and one who does not read is dropped.

mod address;
mod paced;
mod scene;

pub use address::Address;
pub use scene::Watched;

use super::assets::{Asset, FRAME, HTML, ICON, PICTURE, SCRIPT, STYLE};
use super::guard::Guard;
use super::server::{self, Stopper};
use crate::arena::game::contest::Contest;
use crate::arena::show::report::OWN;
use crate::page::{Beside, bundle, script, style};
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

/// Connections at a time that are no WebSockets; more are closed at once.
const MOST_CONNECTIONS: usize = 128;
/// Spectators at a time.
const MOST_SPECTATORS: usize = 256;
/// What a spectator may send in a second: pings, as a browser does by itself.
const MOST_SENT: u32 = 10;
/// The longest message of a spectator, in bytes.
const LONGEST_MESSAGE: usize = 1 << 10;
/// How long a spectator may leave what it is told unread.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often it is looked whether there is something new.
const TICK: Duration = Duration::from_millis(200);
/// How long nobody must ask anything until all are thought to have the last page.
const QUIET: Duration = Duration::from_millis(500);

const BESIDE: Beside<'static> = Beside { style: "report.css", script: "report.js" };

/// The files of the page. Its script and its style are one file each, for spectators are far away.
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
        asset(BESIDE.style, STYLE, OWN.style_sheet()),
        asset(BESIDE.script, SCRIPT, OWN.whole_script()),
    ]
});

/// A server that listens and does not answer yet.
#[derive(Debug)]
pub struct Broadcast {
    listener: TcpListener,
    guard: Guard,
}

/// A match that is being shown, on a thread of its own.
#[derive(Debug)]
pub struct OnAir<G: Contest> {
    watched: Arc<Watched<G>>,
    stage: Arc<Stage>,
    stopper: Stopper,
    thread: Option<JoinHandle<io::Result<()>>>,
}

/// What all requests need.
struct Stage {
    guard: Guard,
    scene: Arc<dyn Scene>,
    games: Sender<Utf8Bytes>,
    scores: Sender<Utf8Bytes>,
    report: Mutex<Paced<Bytes>>,
    /// Somebody has come, and needs clocks that are right now.
    arrived: AtomicBool,
    connections: Arc<Semaphore>,
    spectators: Arc<Semaphore>,
}

impl fmt::Debug for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a stage with {} free places", self.spectators.available_permits())
    }
}

impl Broadcast {
    /// Listens on an address, where everybody may look, or on any free port of 127.0.0.1, where a token is
    /// needed.
    ///
    /// # Errors
    /// If it is not an address of this machine, or taken, or the system gives no random bytes.
    pub fn bind(address: Option<&Address>) -> io::Result<Self> {
        let Some(address) = address else {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
            let guard = Guard::new(listener.local_addr()?.port()).map_err(io::Error::other)?;
            return Ok(Self { listener, guard });
        };
        let listener = TcpListener::bind((address.host.as_str(), address.port))?;
        let guard = Guard::public(&address.host, listener.local_addr()?);
        Ok(Self { listener, guard })
    }

    /// The address of the page.
    pub fn address(&self) -> String {
        self.guard.address()
    }

    /// Whether the page has all addresses of this machine besides.
    pub fn is_everywhere(&self) -> bool {
        self.listener.local_addr().is_ok_and(|address| address.ip().is_unspecified())
    }

    /// Shows a match from now on.
    ///
    /// # Errors
    /// If the system gives no thread.
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
            connections: Arc::new(Semaphore::new(MOST_CONNECTIONS)),
            spectators: Arc::new(Semaphore::new(MOST_SPECTATORS)),
        });
        let (shown, stop) = (Arc::clone(&stage), stopper.clone());
        let thread = thread::Builder::new().name("broadcast".to_owned()).spawn(move || {
            let app = Router::new().fallback(answer).with_state(Arc::clone(&shown));
            let free = Arc::clone(&shown.connections);
            server::run(self.listener, app, free, &stop, shown.keep_up())
        })?;
        Ok(OnAir { watched, stage, stopper, thread: Some(thread) })
    }
}

impl<G: Contest> OnAir<G> {
    /// What is shown.
    pub fn watched(&self) -> &Watched<G> {
        &self.watched
    }

    /// The match is over: its last page is shown until `stays` says otherwise; then those who are there have
    /// at most `grace` to get it.
    pub fn close(self, stays: impl Fn() -> bool, grace: Duration) {
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
            Some(Ok(Err(error))) => tracing::warn!("the match could not be shown: {error}"),
            Some(Err(_)) => tracing::warn!("the match could no longer be shown"),
            None | Some(Ok(Ok(()))) => {}
        }
    }
}

impl Stage {
    /// Whether nobody is there.
    fn is_quiet(&self) -> bool {
        self.connections.available_permits() == MOST_CONNECTIONS
            && self.spectators.available_permits() == MOST_SPECTATORS
    }

    /// Tells all spectators what has changed, until the server is stopped.
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
            for (told, text) in texts {
                told.send_if_modified(|last| {
                    let is_new = *last != text;
                    *last = text;
                    is_new
                });
            }
        }
    }

    /// The page of the whole match.
    fn report(&self) -> Response {
        let Changes { scores, over, .. } = self.scene.changes();
        let mut report = self.report.lock().unwrap_or_else(PoisonError::into_inner);
        server::text(HTML, report.get(scores, over, || self.scene.report(BESIDE).into()))
    }
}

/// Answers a request.
async fn answer(State(stage): State<Arc<Stage>>, request: Request) -> Response {
    server::dressed(match server::admit(&stage.guard, &request) {
        Err(refusal) => refusal.into_response(),
        Ok(path) if path == "live" => live(&stage, request).await,
        Ok(path) if path == "report" || (path.is_empty() && stage.scene.changes().over) => {
            stage.report()
        }
        Ok(path) => server::asset(ASSETS.as_slice(), &path),
    })
}

/// Takes a spectator.
async fn live(stage: &Arc<Stage>, request: Request) -> Response {
    let Ok(place) = Arc::clone(&stage.spectators).try_acquire_owned() else {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    };
    let (mut parts, _) = request.into_parts();
    let stage = Arc::clone(stage);
    match WebSocketUpgrade::from_request_parts(&mut parts, &()).await {
        Err(refusal) => refusal.into_response(),
        Ok(upgrade) => upgrade
            .max_message_size(LONGEST_MESSAGE)
            .max_frame_size(LONGEST_MESSAGE)
            .on_upgrade(move |socket| spectate(socket, stage, place)),
    }
}

/// Tells a spectator what is new until it leaves.
async fn spectate(mut socket: WebSocket, stage: Arc<Stage>, _place: OwnedSemaphorePermit) {
    let (mut games, mut scores) = (stage.games.subscribe(), stage.scores.subscribe());
    games.mark_changed();
    scores.mark_changed();
    stage.arrived.store(true, Ordering::Relaxed);
    if !tell(&mut socket, stage.scene.greeting().into()).await {
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
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) if sent <= MOST_SENT => continue,
                    // Whoever sends more is no page of ours.
                    _ => return,
                }
            }
            Ok(()) = scores.changed() => newest(&mut scores),
            Ok(()) = games.changed() => newest(&mut games),
        };
        if !text.is_empty() && !tell(&mut socket, text).await {
            return;
        }
    }
}

fn newest(told: &mut Receiver<Utf8Bytes>) -> Utf8Bytes {
    told.borrow_and_update().clone()
}

/// Whether a spectator has taken a text in time.
async fn tell(socket: &mut WebSocket, text: Utf8Bytes) -> bool {
    let sent = tokio::time::timeout(PATIENCE, socket.send(Message::Text(text))).await;
    matches!(sent, Ok(Ok(())))
}

#[cfg(test)]
mod tests {
    use super::super::assets::tests::light_and_sound;
    use super::*;

    #[test]
    fn the_page_is_light_and_sound() {
        light_and_sound(ASSETS.as_slice());
    }
}
