//! The board: a local web application to play and analyse both games, in the browser of this machine.
//!
//! [`Server`] listens on 127.0.0.1 alone. `guard` admits only requests that know the token in the address
//! it prints and that come from its own page; `assets` are the files of the page. Each open tab talks over
//! a WebSocket with a `session`, in the words of `message`. A session has a `desk` before it: a game that
//! is `played`, kept in the `journal`, or a `study`; its `thinker` is an engine on a thread of its own.
//!
//! Invariant: no text from the browser becomes part of a path, a command or HTML; connections, open
//! tabs, searches, and the sizes and rates of messages are bounded.

mod assets;
mod desk;
mod guard;
mod journal;
mod message;
mod played;
mod session;
mod shown;
mod study;
mod thinker;

use assets::ASSETS;
use axum::Router;
use axum::body::Body;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONNECTION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ORIGIN, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use guard::Guard;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use journal::Journals;
use session::Shared;
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Notify, Semaphore};

/// Connections at a time; more are closed at once.
const MOST_CONNECTIONS: usize = 64;
/// Open tabs at a time.
const MOST_TABS: usize = 16;
/// The longest message of a tab, in bytes: a file of a few hundred games.
const LONGEST_MESSAGE: usize = 1 << 20;
/// How long a request may take to arrive.
const ARRIVAL: Duration = Duration::from_secs(5);

/// What the browser is told of every answer. Scripts, styles and pictures come from the server alone,
/// and nothing else may show the page in a frame.
const HEADERS: [(HeaderName, &str); 5] = [
    (
        CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
         connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (X_FRAME_OPTIONS, "DENY"),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "no-referrer"),
    (CACHE_CONTROL, "no-store"),
];

/// Ends a server from another thread.
#[derive(Clone, Debug, Default)]
pub struct Stopper(Arc<Notify>);

impl Stopper {
    /// Ends it, also if it has not begun yet.
    pub fn stop(&self) {
        self.0.notify_one();
    }
}

/// A server that listens and does not answer yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    desk: Reception,
    stopper: Stopper,
}

/// What every request needs.
#[derive(Clone, Debug)]
struct Reception {
    guard: Guard,
    shared: Arc<Shared>,
    tabs: Arc<Semaphore>,
}

impl Server {
    /// Listens on a port of 127.0.0.1; 0 is any free one. Games are kept in the folder `journals`, or in
    /// the user's own.
    ///
    /// # Errors
    /// If the port is taken, the folder cannot be used, or the system gives no random bytes.
    pub fn bind(port: u16, journals: Option<&Path>) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        listener.set_nonblocking(true)?;
        let guard = Guard::new(listener.local_addr()?.port()).map_err(io::Error::other)?;
        let journals = Journals::open(journals)?;
        journals.tidy();
        let searches = std::thread::available_parallelism().map_or(1, usize::from);
        let shared = Shared {
            journals,
            slots: Arc::new(Semaphore::new(searches)),
            open: std::sync::Mutex::default(),
        };
        let tabs = Arc::new(Semaphore::new(MOST_TABS));
        let desk = Reception { guard, shared: Arc::new(shared), tabs };
        Ok(Self { listener, desk, stopper: Stopper::default() })
    }

    /// The address of the page, with the token.
    pub fn address(&self) -> String {
        self.desk.guard.address()
    }

    /// What ends it.
    pub fn stopper(&self) -> Stopper {
        self.stopper.clone()
    }

    /// Answers until it is stopped.
    ///
    /// # Errors
    /// If the system refuses what a server needs.
    pub fn run(self) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            tokio::select! {
                () = serve(listener, self.desk) => {}
                () = self.stopper.0.notified() => {}
            }
            Ok(())
        })
    }
}

/// Takes connections, each for one request, which must arrive soon: so nobody holds them for long.
async fn serve(listener: tokio::net::TcpListener, reception: Reception) {
    let free = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let app = Router::new().fallback(answer).with_state(reception);
    loop {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                tracing::warn!("a connection: {error}");
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        let Ok(place) = Arc::clone(&free).try_acquire_owned() else { continue };
        let service = TowerToHyperService::new(app.clone());
        tokio::spawn(async move {
            let _place = place;
            let _ = stream.set_nodelay(true);
            let served = hyper::server::conn::http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(ARRIVAL)
                .serve_connection(TokioIo::new(stream), service)
                .with_upgrades()
                .await;
            if let Err(error) = served {
                tracing::debug!("a request: {error}");
            }
        });
    }
}

/// Answers a request.
async fn answer(State(reception): State<Reception>, request: Request) -> Response {
    let mut response = match reception.guard.admit(request.uri().path(), request.headers()) {
        Err(status) => status.into_response(),
        Ok(_) if request.method() != Method::GET => StatusCode::METHOD_NOT_ALLOWED.into_response(),
        Ok("live") => live(&reception, request).await,
        Ok(path) => match ASSETS.iter().find(|asset| asset.path == path) {
            None => StatusCode::NOT_FOUND.into_response(),
            Some(asset) => {
                let media_type = HeaderValue::from_static(asset.media_type);
                ([(CONTENT_TYPE, media_type)], Body::from(asset.text)).into_response()
            }
        },
    };
    if response.status() != StatusCode::SWITCHING_PROTOCOLS {
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Opens the conversation of a tab. A browser always says by which page it was asked to.
async fn live(reception: &Reception, request: Request) -> Response {
    if !request.headers().contains_key(ORIGIN) {
        return StatusCode::FORBIDDEN.into_response();
    }
    let Ok(tab) = Arc::clone(&reception.tabs).try_acquire_owned() else {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    };
    let (mut parts, _) = request.into_parts();
    let shared = Arc::clone(&reception.shared);
    match WebSocketUpgrade::from_request_parts(&mut parts, &()).await {
        Err(refusal) => refusal.into_response(),
        Ok(upgrade) => upgrade
            .max_message_size(LONGEST_MESSAGE)
            .max_frame_size(LONGEST_MESSAGE)
            .on_upgrade(move |socket| async move {
                let _tab = tab;
                session::run(socket, shared).await;
            }),
    }
}
