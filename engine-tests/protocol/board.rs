//! `adoube board` under attack: whoever lacks the token, comes from another page, sends too much, or opens
//! too many connections gets nothing, and the person at the board is served all the same.
//! `clients/playwright_board.py` plays on it as people do.

use crate::support::program::adoube;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

/// A running server, ended with the test.
struct Board {
    process: Child,
    port: u16,
    token: String,
    _folder: tempfile::TempDir,
}

impl Drop for Board {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Board {
    fn start() -> Self {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let mut process = adoube()
            .args(["board", "--port", "0", "--journal"])
            .arg(folder.path())
            .stdout(Stdio::piped())
            .spawn()
            .expect("adoube runs");
        let mut line = String::new();
        let mut printed = BufReader::new(process.stdout.take().expect("piped"));
        printed.read_line(&mut line).expect("text");
        let (_, address) = line.split_once("http://127.0.0.1:").expect("an address");
        let (port, token) = address.trim_end().split_once('/').expect("a path");
        let (port, token) = (port.parse().expect("a port"), token.trim_end_matches('/').to_owned());
        Self { process, port, token, _folder: folder }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
        stream
    }

    /// The answer to a request with these headers beside `Host`, its head and its body.
    fn ask(&self, method: &str, path: &str, host: &str, headers: &str) -> String {
        let mut stream = self.connect();
        let request = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\n{headers}\r\n");
        // It may be refused before all of it is sent.
        let _ = stream.write_all(request.as_bytes());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn page(&self) -> String {
        self.ask("GET", &format!("/{}/", self.token), &self.host(), "")
    }

    fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// A conversation, as the page of `origin` opens it.
    fn talk(&self, origin: &str) -> Result<Talk, Box<tungstenite::Error>> {
        let address = format!("ws://{}/{}/live", self.host(), self.token);
        let mut request = address.into_client_request()?;
        request.headers_mut().insert("Origin", origin.parse().expect("a header"));
        let (socket, _) = tungstenite::client(request, self.connect())
            .map_err(|error| match error {
                tungstenite::HandshakeError::Failure(error) => error,
                tungstenite::HandshakeError::Interrupted(_) => tungstenite::Error::AlreadyClosed,
            })
            .map_err(Box::new)?;
        Ok(Talk { socket })
    }

    fn own(&self) -> Talk {
        self.talk(&format!("http://{}", self.host())).expect("our page is admitted")
    }
}

struct Talk {
    socket: WebSocket<TcpStream>,
}

impl Talk {
    fn send(&mut self, text: &str) {
        // A server that has had enough may have closed.
        let _ = self.socket.send(Message::text(text));
    }

    /// The next thing said that is `what`; `None` at the end.
    fn hear(&mut self, what: &str) -> Option<Value> {
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => {
                    let said: Value = serde_json::from_str(&text).expect("JSON");
                    if said["say"] == what {
                        return Some(said);
                    }
                }
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    fn ask(&mut self, text: &str, what: &str) -> Value {
        self.send(text);
        self.hear(what).unwrap_or_else(|| panic!("{text} is answered"))
    }
}

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or_default()
}

#[test]
fn only_our_page_is_served() {
    let board = Board::start();
    let (host, path) = (board.host(), format!("/{}/", board.token));
    let page = board.page();
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
        assert_eq!(status(&board.ask("GET", &path, wrong, "")), "421", "{wrong}");
    }
    let foreign = "Origin: http://evil.example\r\n";
    assert_eq!(status(&board.ask("GET", &path, &host, foreign)), "403");
    for path in ["/", "/live", "/0123456789abcdef0123456789abcdef/", "/main.js"] {
        assert_eq!(status(&board.ask("GET", path, &host, "")), "404", "{path}");
    }
    for below in ["../../etc/passwd", "%2e%2e/etc/passwd", "board.css/", "/etc/passwd"] {
        assert_eq!(
            status(&board.ask("GET", &format!("{path}{below}"), &host, "")),
            "404",
            "{below}"
        );
    }
    assert_eq!(status(&board.ask("POST", &path, &host, "Content-Length: 0\r\n")), "405");
    // The conversation has the same guard, and an origin besides.
    let live = format!("{path}live");
    let upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
                   Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    assert_eq!(status(&board.ask("GET", &live, &host, upgrade)), "403");
    for origin in ["http://evil.example", "null", "https://127.0.0.1:1"] {
        assert!(board.talk(origin).is_err(), "{origin}");
    }
    board.own().hear("welcome").expect("our page is greeted");
}

#[test]
fn messages_are_bounded_and_understood_or_refused() {
    let board = Board::start();
    let mut talk = board.own();
    for wrong in ["", "{}", "[1]", r#"{"ask":"shutdown"}"#, r#"{"ask":"move","text":"e4"}"#] {
        assert!(talk.ask(wrong, "refused")["why"].is_string(), "{wrong}");
    }
    // A game goes on after what is wrong.
    let new = r#"{"ask":"new","terms":{"game":"chess","you":null,"time":"-"}}"#;
    assert_eq!(talk.ask(new, "board")["legal"].as_array().map(Vec::len), Some(20));
    for wrong in ["e5", "<b>", "../..", "e2e4e2e4e2e4"] {
        let move_ = format!(r#"{{"ask":"move","text":"{wrong}"}}"#);
        talk.ask(&move_, "refused");
    }
    assert_eq!(talk.ask(r#"{"ask":"move","text":"e4"}"#, "board")["at"], 1);
    for id in ["../../etc/passwd", "", "0123456789abcdef"] {
        talk.ask(&format!(r#"{{"ask":"resume","id":"{id}"}}"#), "refused");
    }
    // Ten megabytes end the conversation, and nothing else.
    talk.send(&format!(r#"{{"ask":"study","game":"chess","text":"{}"}}"#, "x".repeat(10 << 20)));
    assert!(talk.hear("board").is_none());
    // So does what no hand can do.
    let mut hasty = board.own();
    (0..300).for_each(|_| hasty.send(r#"{"ask":"save"}"#));
    assert!(hasty.hear("board").is_none());
    assert_eq!(status(&board.page()), "200");
}

#[test]
fn a_thousand_connections_do_not_keep_a_person_out() {
    let board = Board::start();
    let idle: Vec<_> =
        (0..1000).filter_map(|_| TcpStream::connect(("127.0.0.1", board.port)).ok()).collect();
    let began = Instant::now();
    while status(&board.page()) != "200" {
        assert!(began.elapsed() < Duration::from_secs(20), "nobody is served");
        std::thread::sleep(Duration::from_millis(200));
    }
    drop(idle);
    // Tabs are bounded too, and a closed one makes room.
    let mut tabs: Vec<_> = (0..16).map(|_| board.own()).collect();
    tabs.iter_mut().for_each(|tab| _ = tab.hear("welcome").expect("greeted"));
    assert!(board.talk(&format!("http://{}", board.host())).is_err());
    tabs.clear();
    let began = Instant::now();
    while board.talk(&format!("http://{}", board.host())).is_err() {
        assert!(began.elapsed() < Duration::from_secs(20), "no tab can be opened");
        std::thread::sleep(Duration::from_millis(50));
    }
}
