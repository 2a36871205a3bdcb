//! Who may ask the server: this machine's browser, and in it our page alone.
//!
//! Another page in the same browser can send requests to 127.0.0.1 too. It does not know the token in
//! the address, its requests carry its own `Origin`, and a name of its own that leads to 127.0.0.1 (DNS
//! rebinding) stands in `Host`. So all three are checked.

use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use std::fmt::Write;

/// Random bytes of a token or an id.
fn random_hex<const BYTES: usize>() -> Result<String, getrandom::Error> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    }))
}

/// A name for a game in the journal, as [`is_id`] knows it.
///
/// # Errors
/// If the system gives no random bytes.
pub(super) fn random_id() -> Result<String, getrandom::Error> {
    random_hex::<8>()
}

/// Whether a text can be the name of a game in the journal; no other text becomes part of a path.
pub(super) fn is_id(text: &str) -> bool {
    text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// What a request must have.
#[derive(Clone, Debug)]
pub(super) struct Guard {
    token: String,
    port: u16,
}

impl Guard {
    /// A guard with a new token, for a server on this port of 127.0.0.1.
    ///
    /// # Errors
    /// If the system gives no random bytes.
    pub fn new(port: u16) -> Result<Self, getrandom::Error> {
        Ok(Self { token: random_hex::<16>()?, port })
    }

    /// The address of the page.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token)
    }

    /// What follows the token in the path of a request.
    ///
    /// # Errors
    /// How the request is refused.
    pub fn admit<'a>(&self, path: &'a str, headers: &HeaderMap) -> Result<&'a str, StatusCode> {
        let is_ours = |value: &HeaderValue, scheme: &str| {
            let value = value.to_str().ok().and_then(|text| text.strip_prefix(scheme));
            let (name, port) = value.and_then(|text| text.rsplit_once(':')).unwrap_or_default();
            matches!(name, "127.0.0.1" | "localhost") && port.parse() == Ok(self.port)
        };
        let mut hosts = headers.get_all(HOST).iter();
        if !hosts.next().is_some_and(|host| is_ours(host, "")) || hosts.next().is_some() {
            return Err(StatusCode::MISDIRECTED_REQUEST);
        }
        if headers.get_all(ORIGIN).iter().any(|origin| !is_ours(origin, "http://")) {
            return Err(StatusCode::FORBIDDEN);
        }
        let rest = path.strip_prefix('/').and_then(|path| path.strip_prefix(&*self.token));
        rest.and_then(|rest| rest.strip_prefix('/')).ok_or(StatusCode::NOT_FOUND)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strangers_are_refused() {
        let guard = Guard { token: "secret".to_owned(), port: 8964 };
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
    fn ids_are_never_paths() {
        let id = random_id().expect("random bytes");
        assert!(is_id(&id));
        assert_ne!(random_id().expect("random bytes"), id);
        for text in ["", "..", "../../etc/passwd", "0123456789abcde/", "0123456789abcdef0"] {
            assert!(!is_id(text), "{text}");
        }
    }
}
