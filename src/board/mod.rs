//! The board: a local web application to play and analyse both games, in the browser of this machine.
//!
//! [`Server`] listens on 127.0.0.1 alone; `server` is what it has in common with the server of a
//! [`broadcast`], which shows a running match. `guard` admits only requests that know the token in the address
//! it prints and that come from its own page; `assets` are the files of the page. Each open tab talks over
//! a WebSocket with a `session`, in the words of `message`. A session has a `desk` before it: a game that
//! is `played`, kept in the `journal`, a `study`, or what an `arbiter` writes down of a real game; its
//! `thinker` is an engine on a thread of its own, its `opponent` that one or another program.
//!
//! Invariant: no text from the browser becomes part of a path, a command or HTML; connections, open
//! tabs, searches, and the sizes and rates of messages are bounded.

mod arbiter;
mod assets;
pub mod broadcast;

mod desk;
mod guard;
mod journal;
mod message;
mod opponent;
mod played;
mod server;
mod session;
mod shown;
mod study;
mod thinker;
mod typed;

use crate::arena::engine::entrant::Entrant;
use crate::arena::engine::process::Interrupt;
use crate::draughts;
use crate::endings::bitbase::{self, Bitbases, Wdl};
use crate::endings::syzygy;
use arbiter::Logs;
use assets::ASSETS;
use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use guard::Guard;
use journal::Journals;
use once_cell::sync::Lazy;
pub use server::Stopper;
use session::Shared;
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// Connections at a time; more are closed at once.
const MOST_CONNECTIONS: usize = 64;
/// Open tabs at a time.
const MOST_TABS: usize = 16;
/// The longest message of a tab, in bytes: a file of a few hundred games.
const LONGEST_MESSAGE: usize = 1 << 20;

/// What the person gives the server when it is started; nothing of it comes from the browser.
#[derive(Clone, Debug, Default)]
pub struct Equipment {
    /// Engines to play against, besides Adoube, each with a name of its own. One that speaks Hub or DXP
    /// plays draughts, any other chess.
    pub engines: Vec<Entrant>,
    /// Tables of endings, which say what they know of a position that is studied.
    pub tables: Arc<Tables>,
    /// Has the guard that ends these engines should the server be killed.
    pub interrupt: Interrupt,
}

/// Tables of endings of both games; without any by default.
#[derive(Debug)]
pub struct Tables {
    /// Those of chess.
    pub syzygy: syzygy::Tables,
    /// Those of draughts. They can take gigabytes, so they are read when they are first asked.
    pub bitbases: Lazy<Bitbases, Box<dyn FnOnce() -> Bitbases + Send>>,
}

impl Default for Tables {
    fn default() -> Self {
        let bitbases = Lazy::new(Box::new(Bitbases::default) as _);
        Self { syzygy: syzygy::Tables::default(), bitbases }
    }
}

impl Tables {
    /// What the bitbases know of a position. They are not read for one that has too many pieces for any.
    fn of_bitbases(&self, position: &draughts::Position) -> Option<Wdl> {
        let few = position.board().occupied().len() <= bitbase::MOST_PIECES;
        few.then(|| self.bitbases.probe(position)).flatten()
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
    /// If the port is taken, the folder cannot be used or is in use by another server, or the system gives no
    /// random bytes.
    pub fn bind(port: u16, journals: Option<&Path>, equipment: Equipment) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
            .map_err(|error| io::Error::new(error.kind(), format!("port {port}: {error}")))?;
        let guard = Guard::new(listener.local_addr()?.port()).map_err(io::Error::other)?;
        let journals = Journals::open(journals)?;
        journals.tidy();
        let logs = Logs::in_folder(journals.folder());
        let searches = std::thread::available_parallelism().map_or(1, usize::from);
        let shared = Shared {
            equipment,
            journals,
            logs,
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
        let app = Router::new().fallback(answer).with_state(self.desk);
        let free = Arc::new(Semaphore::new(MOST_CONNECTIONS));
        server::run(self.listener, app, free, &self.stopper, async {})
    }
}

/// Answers a request.
async fn answer(State(reception): State<Reception>, request: Request) -> Response {
    server::dressed(match server::admit(&reception.guard, &request) {
        Err(refusal) => refusal.into_response(),
        Ok(path) if path == "live" => live(&reception, request).await,
        Ok(path) => server::asset(&ASSETS, &path),
    })
}

/// Opens the conversation of a tab.
async fn live(reception: &Reception, request: Request) -> Response {
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
