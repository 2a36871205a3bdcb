//! Clients for the built-in web servers. They send ordinary browser requests and attacks.

use serde_json::Value;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::ops::Deref;
use std::process::Child;
use std::time::Duration;
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

#[derive(Clone, Debug)]
pub struct Site {
    pub port: u16,
    /// The path of the page: `/` or `/TOKEN/`.
    pub path: String,
}

/// A process that serves a site. It is killed when this value is dropped.
pub struct Server {
    pub process: Child,
    pub site: Site,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Deref for Server {
    type Target = Site;

    fn deref(&self) -> &Site {
        &self.site
    }
}

/// A WebSocket connection to a server.
pub struct Talk(pub WebSocket<TcpStream>);

impl Talk {
    /// Returns the next message, or `None` if the connection has ended.
    pub fn next(&mut self) -> Option<Value> {
        loop {
            match self.0.read() {
                Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).expect("JSON")),
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// Returns the next message of the type `what`, or `None` if the connection has ended.
    pub fn receive(&mut self, what: &str) -> Option<Value> {
        std::iter::from_fn(|| self.next()).find(|message| message["say"] == what)
    }
}

impl Site {
    /// Parses the address of the server from a line of output, if the line contains one.
    pub fn printed(line: &str) -> Option<Self> {
        let (_, address) = line.split_once("http://127.0.0.1:")?;
        let address = address.split_whitespace().next()?;
        let (port, path) = address.split_at(address.find('/')?);
        Some(Self { port: port.parse().ok()?, path: path.to_owned() })
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
        stream
    }

    /// Returns the `Host` header that a browser would send.
    pub fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Sends a request with these additional headers. Returns the head and body of the response.
    pub fn request(&self, method: &str, path: &str, host: &str, headers: &str) -> String {
        let mut stream = self.connect();
        let request = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\n{headers}\r\n");
        // The server may refuse the request before all of it is sent.
        let _ = stream.write_all(request.as_bytes());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Fetches `file` relative to the page's path, or the page itself if `file` is empty. Returns
    /// the head and body of the response.
    pub fn page(&self, file: &str) -> String {
        self.request("GET", &format!("{}{file}", self.path), &self.host(), "")
    }

    /// Opens a WebSocket connection with the given `Origin`.
    pub fn talk(&self, origin: &str) -> Result<WebSocket<TcpStream>, Box<tungstenite::Error>> {
        let address = format!("ws://{}{}live", self.host(), self.path);
        let mut request = address.into_client_request()?;
        request.headers_mut().insert("Origin", origin.parse().expect("a header"));
        let (socket, _) = tungstenite::client(request, self.connect())
            .map_err(|error| match error {
                tungstenite::HandshakeError::Failure(error) => error,
                tungstenite::HandshakeError::Interrupted(_) => tungstenite::Error::AlreadyClosed,
            })
            .map_err(Box::new)?;
        Ok(socket)
    }

    /// Opens a WebSocket connection as the server's own page does.
    pub fn own(&self) -> Result<WebSocket<TcpStream>, Box<tungstenite::Error>> {
        self.talk(&format!("http://{}", self.host()))
    }

    /// Checks that requests with another host, from another origin, or for missing files are
    /// refused.
    pub fn refuses_strangers(&self) {
        let (host, path) = (self.host(), &self.path);
        let page = self.page("");
        assert_eq!(status(&page), "200", "{page}");
        let head = page.split("\r\n\r\n").next().unwrap_or_default().to_lowercase();
        for header in [
            "content-security-policy: default-src 'none'; script-src 'self'",
            "x-frame-options: deny",
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
        ] {
            assert!(head.contains(header), "{header}: {head}");
        }
        assert!(!head.contains("unsafe") && !head.contains("access-control"), "{head}");
        for wrong in ["evil.example", "evil.example:8964", "127.0.0.1", ""] {
            assert_eq!(status(&self.request("GET", path, wrong, "")), "421", "{wrong}");
        }
        let foreign = "Origin: http://evil.example\r\n";
        assert_eq!(status(&self.request("GET", path, &host, foreign)), "403");
        for below in ["../../etc/passwd", "%2e%2e/etc/passwd", "board.css/", "/etc/passwd"] {
            let answer = self.request("GET", &format!("{path}{below}"), &host, "");
            assert_eq!(status(&answer), "404", "{below}");
        }
        assert_eq!(status(&self.request("POST", path, &host, "Content-Length: 0\r\n")), "405");
        // A WebSocket request must pass the same checks, and must have an `Origin` header.
        let upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
                       Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
        assert_eq!(status(&self.request("GET", &format!("{path}live"), &host, upgrade)), "403");
        for origin in ["http://evil.example", "null", "https://127.0.0.1:1"] {
            assert!(self.talk(origin).is_err(), "{origin}");
        }
    }

    /// Checks that requests without the token are answered with status 404.
    pub fn keeps_its_token(&self) {
        for path in ["/", "/live", "/report", "/0123456789abcdef0123456789abcdef/", "/main.js"] {
            assert_eq!(status(&self.request("GET", path, &self.host(), "")), "404", "{path}");
        }
    }
}

pub fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or_default()
}
