//! Access control: admits only requests from the server's own page in a browser on this machine.
//!
//! Other pages in the same browser can send requests to 127.0.0.1 too. They do not know the token
//! in the address, and their requests carry their own `Origin`. A page that resolves its own name
//! to 127.0.0.1 (DNS rebinding) sends its own name in `Host`. Therefore the token, `Origin` and
//! `Host` are all checked. Only the public page of a broadcast has no token.

use crate::base::file;
use axum::http::header::{HOST, ORIGIN};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::net::{IpAddr, SocketAddr};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

fn random_hex<const BYTES: usize>() -> Result<String, getrandom::Error> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    }))
}

const TOKEN_BYTES: usize = 16;

fn new_token() -> io::Result<String> {
    random_hex::<TOKEN_BYTES>().map_err(io::Error::other)
}

/// Returns whether only the owner can read a file.
fn is_private(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        fs::symlink_metadata(path).is_ok_and(|file| file.is_file() && file.mode() & 0o077 == 0)
    }
    #[cfg(not(unix))]
    path.is_file()
}

/// Returns the token stored in the file `token` of a folder. If the file is missing, damaged or
/// readable by other users, replaces it with a new token.
fn stored_token(folder: &Path) -> io::Result<String> {
    let path = folder.join("token");
    let at_path =
        |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    let is_token = |text: &String| {
        text.len() == 2 * TOKEN_BYTES && text.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    let old = fs::read_to_string(&path).ok().filter(|_| is_private(&path));
    if let Some(token) = old.filter(is_token) {
        return Ok(token);
    }
    let token = new_token()?;
    match fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(at_path(error)),
        _ => {}
    }
    let file = file::create_private(&path);
    file.and_then(|mut file| file.write_all(token.as_bytes())).map_err(at_path)?;
    Ok(token)
}

/// Generates a random name for a stored game, in the format that [`is_id`] checks.
pub(super) fn random_id() -> Result<String, getrandom::Error> {
    random_hex::<8>()
}

/// Returns whether a string has the format of a stored game's name. Only such strings become part
/// of a path.
pub(super) fn is_id(text: &str) -> bool {
    text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The hosts accepted in the `Host` and `Origin` headers.
#[derive(Clone, Debug)]
enum Hosts {
    Named(Vec<String>),
    /// `localhost` or any IP address, for a server that listens on all interfaces. Any other name
    /// is rejected, which prevents DNS rebinding.
    AnyNumber,
}

#[derive(Clone, Debug)]
pub(super) struct Guard {
    /// The token in the address, or `None` for a public server.
    token: Option<String>,
    hosts: Hosts,
    port: u16,
    /// The code in the one-time address, or `None` if there is no unused address.
    code: Arc<Mutex<Option<String>>>,
}

/// The path prefix of [`Guard::one_time_address`].
const OPEN: &str = "/open/";

impl Guard {
    /// Creates a guard with a new token, for a server on this port of 127.0.0.1.
    pub(super) fn new(port: u16) -> io::Result<Self> {
        new_token().map(|token| Self::with_token(port, token))
    }

    /// Creates a guard with the token stored in `folder`, so that the open pages of an earlier
    /// server on this port can reconnect.
    pub(super) fn with_stored_token(port: u16, folder: &Path) -> io::Result<Self> {
        stored_token(folder).map(|token| Self::with_token(port, token))
    }

    fn with_token(port: u16, token: String) -> Self {
        let hosts = ["127.0.0.1", "localhost"].map(str::to_owned).to_vec();
        Self { token: Some(token), hosts: Hosts::Named(hosts), port, code: Arc::default() }
    }

    /// Creates a guard without a token, for a server listening on `bound`. `host` is the requested
    /// host name or IP address.
    pub(super) fn public(host: &str, bound: SocketAddr) -> Self {
        let number = bound.ip();
        let hosts = if number.is_unspecified() {
            Hosts::AnyNumber
        } else {
            let own = number.is_loopback().then_some("localhost");
            let names = [host].into_iter().chain(own).map(str::to_owned);
            Hosts::Named(names.chain([number.to_string()]).collect())
        };
        Self { token: None, hosts, port: bound.port(), code: Arc::default() }
    }

    pub(super) fn address(&self) -> String {
        let token = self.token.as_ref().map_or_else(String::new, |token| format!("{token}/"));
        format!("{}/{token}", self.origin())
    }

    /// Returns an address that redirects to [`Self::address`] once. It is safe to pass on the
    /// browser's command line: other users of this machine can read it there, but cannot use it
    /// again.
    pub(super) fn one_time_address(&self) -> Result<String, getrandom::Error> {
        let code = random_hex::<16>()?;
        let address = format!("{}{OPEN}{code}", self.origin());
        *self.code.lock().unwrap_or_else(PoisonError::into_inner) = Some(code);
        Ok(address)
    }

    /// Redeems the one-time address: if `path` is its path and the address has not been used yet,
    /// marks the address as used and returns the path of the board.
    pub(super) fn redeem(&self, path: &str) -> Option<String> {
        let code = path.strip_prefix(OPEN)?;
        let mut expected = self.code.lock().unwrap_or_else(PoisonError::into_inner);
        expected.take_if(|expected| *expected == code)?;
        self.token.as_ref().map(|token| format!("/{token}/"))
    }

    fn origin(&self) -> String {
        let host = match &self.hosts {
            Hosts::Named(names) => names.first().map_or("localhost", String::as_str),
            Hosts::AnyNumber => "localhost",
        };
        let (left, right) = if host.contains(':') { ("[", "]") } else { ("", "") };
        format!("http://{left}{host}{right}:{}", self.port)
    }

    /// Checks the headers and the token, and returns the rest of the path. The error is the status
    /// code of the response.
    pub(super) fn admit<'a>(
        &self,
        path: &'a str,
        headers: &HeaderMap,
    ) -> Result<&'a str, StatusCode> {
        let is_ours = |value: &HeaderValue, scheme: &str| {
            let value = value.to_str().ok().and_then(|text| text.strip_prefix(scheme));
            value.is_some_and(|authority| self.is_here(authority))
        };
        let mut hosts = headers.get_all(HOST).iter();
        if !hosts.next().is_some_and(|host| is_ours(host, "")) || hosts.next().is_some() {
            return Err(StatusCode::MISDIRECTED_REQUEST);
        }
        if headers.get_all(ORIGIN).iter().any(|origin| !is_ours(origin, "http://")) {
            return Err(StatusCode::FORBIDDEN);
        }
        let rest = path.strip_prefix('/').ok_or(StatusCode::NOT_FOUND)?;
        let Some(token) = &self.token else { return Ok(rest) };
        let rest = rest.strip_prefix(&**token).and_then(|rest| rest.strip_prefix('/'));
        rest.ok_or(StatusCode::NOT_FOUND)
    }

    /// Returns whether an authority sent by a browser is the server's own host and port.
    fn is_here(&self, authority: &str) -> bool {
        let Ok(authority) = authority.parse::<Authority>() else { return false };
        // Browsers omit HTTP's default port.
        let port = authority.port().map_or(Some(80), |port| port.as_str().parse().ok());
        let host = authority.host().trim_start_matches('[').trim_end_matches(']');
        let is_own_host = match &self.hosts {
            Hosts::Named(names) => names.iter().any(|name| name.eq_ignore_ascii_case(host)),
            Hosts::AnyNumber => {
                host.eq_ignore_ascii_case("localhost") || host.parse::<IpAddr>().is_ok()
            }
        };
        is_own_host && port == Some(self.port) && !authority.as_str().contains('@')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_other_hosts_origins_and_tokens() {
        let mut guard = Guard::new(8964).expect("random bytes");
        guard.token = Some("secret".to_owned());
        let admit = |path: &'static str, host: &[&'static str], origin: &[&'static str]| {
            let mut headers = HeaderMap::new();
            for &value in host {
                headers.append(HOST, HeaderValue::from_static(value));
            }
            for &value in origin {
                headers.append(ORIGIN, HeaderValue::from_static(value));
            }
            guard.admit(path, &headers)
        };
        let ours = &["127.0.0.1:8964"][..];
        assert_eq!(admit("/secret/", ours, &[]), Ok(""));
        assert_eq!(
            admit("/secret/a.js", &["localhost:8964"], &["http://localhost:8964"]),
            Ok("a.js")
        );
        for host in [
            &[][..],
            &["evil.example:8964"],
            &["127.0.0.1"],
            &["127.0.0.1:80"],
            &["127.0.0.1.evil.example:8964"],
            &["127.0.0.1:8964", "evil.example"],
            &["127.0.0.1:8964:8964"],
            &["127.0.0.1:8964@evil.example:8964"],
            &["evil.example@127.0.0.1:8964"],
            &["127.0.0.1:99999"],
        ] {
            assert_eq!(
                admit("/secret/", host, &[]),
                Err(StatusCode::MISDIRECTED_REQUEST),
                "{host:?}"
            );
        }
        for origin in
            ["null", "https://127.0.0.1:8964", "http://evil.example", "http://127.0.0.1:80"]
        {
            assert_eq!(admit("/secret/", ours, &[origin]), Err(StatusCode::FORBIDDEN), "{origin}");
        }
        for path in ["/", "/secret", "/secre/", "/secrets/", "secret/", "//secret/", "/SECRET/"] {
            assert_eq!(admit(path, ours, &[]), Err(StatusCode::NOT_FOUND), "{path}");
        }
    }

    #[test]
    fn one_time_address_works_once() {
        let guard = Guard::new(8964).expect("random bytes");
        assert_eq!(guard.redeem("/open/"), None);
        let address = guard.one_time_address().expect("random bytes");
        let token = guard.token.clone().expect("a token");
        assert!(!address.contains(&token));
        let path = address.strip_prefix("http://127.0.0.1:8964").expect("this server");
        assert_eq!(guard.redeem("/open/0"), None);
        assert_eq!(guard.redeem(path), Some(format!("/{token}/")));
        assert_eq!(guard.redeem(path), None, "used");
    }

    #[test]
    fn public_server_accepts_only_its_own_hosts() {
        let admits = |guard: &Guard, host: &str| {
            let host = HeaderValue::from_str(host).expect("a header");
            let mut headers = HeaderMap::from_iter([(HOST, host.clone())]);
            let alone = guard.admit("/a.js", &headers);
            let origin = format!("http://{}", host.to_str().expect("text"));
            headers.insert(ORIGIN, HeaderValue::from_str(&origin).expect("a header"));
            assert_eq!(guard.admit("/a.js", &headers), alone, "{origin}");
            alone == Ok("a.js")
        };
        let guard = |host: &str, bound: &str| Guard::public(host, bound.parse().expect("bound"));
        for (guard, address, ours, others) in [
            (
                guard("club.example", "192.0.2.7:8965"),
                "http://club.example:8965/",
                &["club.example:8965", "Club.Example:8965", "192.0.2.7:8965"][..],
                &["evil.example:8965", "localhost:8965", "192.0.2.8:8965", "club.example"][..],
            ),
            (
                guard("::1", "[::1]:8965"),
                "http://[::1]:8965/",
                &["[::1]:8965", "localhost:8965"],
                &["127.0.0.1:8965", "[::2]:8965", "[::1]"],
            ),
            (
                guard("0.0.0.0", "0.0.0.0:80"),
                "http://localhost:80/",
                &["192.0.2.7", "192.0.2.7:80", "[2001:db8::1]", "localhost"],
                &["evil.example", "192.0.2.7:8965", "192.0.2.7.evil.example", ""],
            ),
        ] {
            assert_eq!(guard.address(), address);
            ours.iter().for_each(|host| assert!(admits(&guard, host), "{host}"));
            for host in others {
                let mut headers = HeaderMap::new();
                headers.insert(HOST, HeaderValue::from_str(host).expect("a header"));
                let refused = Err(StatusCode::MISDIRECTED_REQUEST);
                assert_eq!(guard.admit("/", &headers), refused, "{host}");
            }
        }
    }

    #[test]
    fn token_is_reused_while_its_file_is_private() {
        let folder = tempfile::tempdir().expect("a folder");
        let token = || Guard::with_stored_token(8964, folder.path()).expect("a guard").token;
        let first = token();
        assert_eq!(token(), first);
        let path = folder.path().join("token");
        fs::write(&path, "../etc").expect("written");
        assert!(token() != first && token().is_some_and(|token| token.len() == 2 * TOKEN_BYTES));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let before = token();
            let readable = fs::Permissions::from_mode(0o644);
            fs::set_permissions(&path, readable).expect("changed");
            assert_ne!(token(), before);
            assert!(is_private(&path));
        }
    }

    #[test]
    fn ids_are_never_paths() {
        let id = random_id().expect("random bytes");
        assert!(is_id(&id));
        assert_ne!(random_id().expect("random bytes"), id);
        for text in ["", "..", "../../etc/passwd", "0123456789abcde/", "0123456789abcdef0"] {
            assert!(!is_id(text), "{text}");
        }
    }
}
