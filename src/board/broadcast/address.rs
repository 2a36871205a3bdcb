//! The network address of a broadcast.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

const PORT: u16 = 8965;

/// A host name or IP address of this machine, and a port.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Address {
    /// A host name, or an IP address without brackets.
    pub(super) host: String,
    pub(super) port: u16,
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("invalid address '{0}': expected HOST or HOST:PORT (0.0.0.0 for all interfaces)")]
pub(crate) struct AddressError(String);

impl FromStr for Address {
    type Err = AddressError;

    /// Parses `HOST` or `HOST:PORT`. An IPv6 address followed by a port must be in brackets.
    fn from_str(text: &str) -> Result<Self, AddressError> {
        if let Ok(address) = text.parse::<SocketAddr>() {
            return Ok(Self { host: address.ip().to_string(), port: address.port() });
        }
        if let Ok(number) = text.parse::<IpAddr>() {
            return Ok(Self { host: number.to_string(), port: PORT });
        }
        let error = || AddressError(text.to_owned());
        let (host, port) = match text.split_once(':') {
            Some((host, port)) => (host, port.parse().map_err(|_| error())?),
            None => (text, PORT),
        };
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-');
        if host.is_empty() || !host.chars().all(fits) {
            return Err(error());
        }
        Ok(Self { host: host.to_owned(), port })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (left, right) = if self.host.contains(':') { ("[", "]") } else { ("", "") };
        write!(f, "{left}{}{right}:{}", self.host, self.port)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_addresses_with_and_without_a_port() {
        for (text, read) in [
            ("192.168.1.5", "192.168.1.5:8965"),
            ("192.168.1.5:80", "192.168.1.5:80"),
            ("club.example", "club.example:8965"),
            ("localhost:0", "localhost:0"),
            ("::1", "[::1]:8965"),
            ("[::]:9000", "[::]:9000"),
        ] {
            assert_eq!(text.parse::<Address>().expect(text).to_string(), read);
        }
        for text in ["", ":80", "host:port", "host:99999", "http://host", "a b", "a:1:2", "[::1]"] {
            assert_eq!(text.parse::<Address>(), Err(AddressError(text.to_owned())), "{text}");
        }
    }
}
