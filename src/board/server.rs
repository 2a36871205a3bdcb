//! Code shared by the board's server and the broadcast server: admission of requests, connection
//! limits and security headers.

use super::assets::Asset;
use super::guard::Guard;
use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{
    CACHE_CONTROL, CONNECTION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ORIGIN, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Notify, Semaphore};

/// Maximum time until the headers of a request have arrived.
const ARRIVAL: Duration = Duration::from_secs(5);
/// Maximum duration of a connection that does not become a WebSocket.
const WHOLE: Duration = Duration::from_secs(120);

/// Stack size of the runtime's blocking threads, in bytes.
const STACK: usize = 8 << 20;
/// Maximum time to wait for the blocking threads after the server was stopped.
const SHUTDOWN: Duration = Duration::from_secs(1);

/// Headers of every response. Scripts, styles and images may come only from this server, and no
/// other page may embed this page in a frame. The page also makes images itself (`blob:`), to save
/// the board as PNG.
const HEADERS: [(HeaderName, &str); 5] = [
    (
        CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; \
         connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (X_FRAME_OPTIONS, "DENY"),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "no-referrer"),
    (CACHE_CONTROL, "no-store"),
];

#[derive(Clone, Debug, Default)]
pub(crate) struct Stopper(Arc<Notify>);

impl Stopper {
    /// Stops the server. A server that is not running yet stops as soon as it starts.
    pub fn stop(&self) {
        self.0.notify_one();
    }
}

/// Runs a server on this thread until it is stopped, concurrently with the future `background`.
/// `free` has one permit per allowed connection. Further connections are closed immediately.
pub(super) fn run(
    listener: TcpListener,
    app: Router,
    free: Arc<Semaphore>,
    stopper: &Stopper,
    background: impl Future<Output = ()>,
) -> io::Result<()> {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let runtime = builder.thread_stack_size(STACK).enable_all().build()?;
    let ran = runtime.block_on(async {
        listener.set_nonblocking(true)?;
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let both = async { tokio::join!(serve(listener, app, free), background) };
        tokio::select! {
            _ = both => {}
            () = stopper.0.notified() => {}
        }
        Ok(())
    });
    runtime.shutdown_timeout(SHUTDOWN);
    ran
}

/// Accepts connections. Each connection carries one request, which must arrive within [`ARRIVAL`],
/// so that idle clients cannot exhaust the limit.
async fn serve(listener: tokio::net::TcpListener, app: Router, free: Arc<Semaphore>) {
    loop {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                tracing::warn!("cannot accept a connection: {error}");
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        let Ok(permit) = Arc::clone(&free).try_acquire_owned() else { continue };
        let service = TowerToHyperService::new(app.clone());
        tokio::spawn(async move {
            let _permit = permit;
            let _ = stream.set_nodelay(true);
            let served = hyper::server::conn::http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(ARRIVAL)
                .serve_connection(TokioIo::new(stream), service)
                .with_upgrades();
            match tokio::time::timeout(WHOLE, served).await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => tracing::debug!("request failed: {error}"),
                Err(_) => tracing::debug!("connection closed after {WHOLE:?}"),
            }
        });
    }
}

/// Checks a request and returns the part of its path after the token.
pub(super) fn admit(guard: &Guard, request: &Request) -> Result<String, StatusCode> {
    match guard.admit(request.uri().path(), request.headers()) {
        Err(status) => Err(status),
        Ok(_) if request.method() != Method::GET => Err(StatusCode::METHOD_NOT_ALLOWED),
        // Browsers always send an `Origin` header when a page opens a WebSocket.
        Ok("live") if !request.headers().contains_key(ORIGIN) => Err(StatusCode::FORBIDDEN),
        Ok(path) => Ok(path.to_owned()),
    }
}

pub(super) fn asset(assets: &[Asset], path: &str) -> Response {
    match assets.iter().find(|asset| asset.path == path) {
        None => StatusCode::NOT_FOUND.into_response(),
        Some(asset) => text(asset.media_type, asset.content()),
    }
}

pub(super) fn text(media_type: &'static str, body: impl Into<Body>) -> Response {
    ([(CONTENT_TYPE, HeaderValue::from_static(media_type))], body.into()).into_response()
}

pub(super) fn with_security_headers(mut response: Response) -> Response {
    if response.status() != StatusCode::SWITCHING_PROTOCOLS {
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}
