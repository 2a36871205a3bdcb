//! A local web application for playing, analysing and refereeing games in a browser.
//!
//! [`Server`] listens on 127.0.0.1 only. `guard` admits only requests that contain the token of the
//! printed address and come from the server's own page. `assets` contains the files of that page.
//! `server` contains the code shared with [`broadcast`], which shows a running match.
//!
//! Each open tab has a WebSocket and a `session`. The page and the session exchange the types of
//! `message`. A session opens one `desk` at a time: a game (`played`) with its `journal`, a
//! `study`, or the log of an `arbiter`. Each desk parses its own requests. A `thinker` runs
//! Adoube's engine on its own thread. An `opponent` is a thinker or an external engine. Both report
//! to the session through an `outlet`.
//!
//! Invariants: text from the browser never becomes part of a command or HTML, and only a checked id
//! (see `guard`) becomes part of a path. The number of connections, tabs and searches is bounded,
//! as are the size and rate of messages.

mod arbiter;
mod assets;
pub(crate) mod broadcast;

mod desk;
mod equipment;
mod french;
mod game;
mod guard;
mod journal;
mod message;
mod openings;
mod opponent;
mod outlet;
mod played;
mod server;
mod session;
mod study;
mod tablebase;
mod thinker;
mod typed;

use arbiter::Logs;
use assets::ASSETS;
use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
pub(crate) use equipment::{Equipment, Tables};
use guard::Guard;
use journal::Journals;
pub(crate) use server::Stopper;
use session::Shared;
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// Maximum number of open connections; further connections are closed immediately.
const MAX_CONNECTIONS: usize = 64;
const MAX_TABS: usize = 16;
/// Maximum size of a message from a tab, in bytes; enough for a file of a few thousand games.
const MAX_MESSAGE_SIZE: usize = 1 << 23;

#[derive(Debug)]
pub(crate) struct Server {
    listener: TcpListener,
    reception: Reception,
    stopper: Stopper,
}

#[derive(Clone, Debug)]
struct Reception {
    guard: Guard,
    shared: Arc<Shared>,
    tabs: Arc<Semaphore>,
}

impl Server {
    /// Listens on a port of 127.0.0.1; port 0 selects any free port. Games are stored in the folder
    /// `journals`, or by default in the user's state folder.
    ///
    /// # Errors
    /// Returns an error if the port is in use, if the folder is unusable or in use by another
    /// server, or if no random bytes are available.
    pub(crate) fn bind(
        port: u16,
        journals: Option<&Path>,
        equipment: Equipment,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
            .map_err(|error| port_error(port, &error))?;
        let journals = Journals::open(journals)?;
        let guard = Guard::with_stored_token(listener.local_addr()?.port(), journals.folder())?;
        journals.tidy();
        let logs = Logs::in_folder(journals.folder());
        logs.tidy();
        // Two engines side by side need two slots even on one processor.
        let searches = std::thread::available_parallelism().map_or(1, usize::from).max(2);
        let shared = Shared {
            equipment,
            journals,
            logs,
            slots: Arc::new(Semaphore::new(searches)),
            open: std::sync::Mutex::default(),
            closed: std::sync::Condvar::new(),
        };
        let tabs = Arc::new(Semaphore::new(MAX_TABS));
        let reception = Reception { guard, shared: Arc::new(shared), tabs };
        Ok(Self { listener, reception, stopper: Stopper::default() })
    }

    pub(crate) fn address(&self) -> String {
        self.reception.guard.address()
    }

    /// Returns an address that works only once, for the browser's command line.
    ///
    /// # Errors
    /// Returns an error if no random bytes are available.
    pub(crate) fn one_time_address(&self) -> io::Result<String> {
        self.reception.guard.one_time_address().map_err(io::Error::other)
    }

    pub(crate) fn stopper(&self) -> Stopper {
        self.stopper.clone()
    }

    /// Runs the server until it is stopped.
    ///
    /// # Errors
    /// Returns an error if the runtime or the listener cannot be set up.
    pub fn run(self) -> io::Result<()> {
        let app = Router::new().fallback(answer).with_state(self.reception);
        let free = Arc::new(Semaphore::new(MAX_CONNECTIONS));
        server::run(self.listener, app, free, &self.stopper, async {})
    }
}

fn port_error(port: u16, error: &io::Error) -> io::Error {
    let advice = match error.kind() {
        io::ErrorKind::AddrInUse | io::ErrorKind::PermissionDenied => {
            "; give another port, or --port 0 for any free port"
        }
        _ => "",
    };
    io::Error::new(error.kind(), format!("port {port}: {error}{advice}"))
}

async fn answer(State(reception): State<Reception>, request: Request) -> Response {
    server::with_security_headers(match server::admit(&reception.guard, &request) {
        Err(StatusCode::NOT_FOUND)
            if let Some(path) = reception.guard.redeem(request.uri().path()) =>
        {
            Redirect::to(&path).into_response()
        }
        Err(refusal) => refusal.into_response(),
        Ok(path) if path == "live" => live(&reception, request).await,
        Ok(path) => server::asset(&ASSETS, &path),
    })
}

async fn live(reception: &Reception, request: Request) -> Response {
    let Ok(tab) = Arc::clone(&reception.tabs).try_acquire_owned() else {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    };
    let (mut parts, _) = request.into_parts();
    let shared = Arc::clone(&reception.shared);
    match WebSocketUpgrade::from_request_parts(&mut parts, &()).await {
        Err(refusal) => refusal.into_response(),
        Ok(upgrade) => upgrade
            .max_message_size(MAX_MESSAGE_SIZE)
            .max_frame_size(MAX_MESSAGE_SIZE)
            .on_upgrade(move |socket| async move {
                let _tab = tab;
                session::run(socket, shared).await;
            }),
    }
}
