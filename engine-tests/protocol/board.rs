//! `adoube board` under attack: clients that lack the token, come from another page, send oversized
//! messages or open too many connections get nothing, while the legitimate user is still served.
//! `clients/playwright_board.py` plays on the board in a browser.

use crate::support::program::adoube;
use crate::support::web::{Server, Site, Talk, status};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::ops::Deref;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tungstenite::Message;

struct Board {
    server: Server,
    folder: tempfile::TempDir,
}

impl Deref for Board {
    type Target = Server;

    fn deref(&self) -> &Server {
        &self.server
    }
}

impl Board {
    fn start() -> Self {
        Self::run(adoube(), tempfile::tempdir().expect("a temporary directory"))
    }

    fn run(mut adoube: Command, folder: tempfile::TempDir) -> Self {
        let mut process = adoube
            .args(["board", "--port", "0", "--journal"])
            .arg(folder.path())
            .stdout(Stdio::piped())
            .spawn()
            .expect("adoube runs");
        let mut line = String::new();
        let mut printed = BufReader::new(process.stdout.take().expect("piped"));
        printed.read_line(&mut line).expect("text");
        let site = Site::printed(&line).expect("an address");
        Self { server: Server { process, site }, folder }
    }

    fn tab(&self) -> Tab {
        Tab(Talk(self.own().expect("our page is accepted")))
    }
}

struct Tab(Talk);

impl Tab {
    fn send(&mut self, text: &str) {
        // The server may have closed the connection after too many messages.
        let _ = self.0.0.send(Message::text(text));
    }

    fn receive(&mut self, what: &str) -> Option<Value> {
        self.0.receive(what)
    }

    fn request(&mut self, text: &str, what: &str) -> Value {
        self.send(text);
        self.receive(what).unwrap_or_else(|| panic!("{text} is answered"))
    }
}

#[test]
fn serves_only_its_own_page() {
    let board = Board::start();
    board.refuses_strangers();
    board.keeps_its_token();
    board.tab().receive("welcome").expect("our page is greeted");
}

#[test]
fn validates_and_limits_messages() {
    let board = Board::start();
    let mut talk = board.tab();
    for wrong in ["", "{}", "[1]", r#"{"ask":"shutdown"}"#, r#"{"ask":"move","text":"e4"}"#] {
        assert!(talk.request(wrong, "refused")["why"].is_string(), "{wrong}");
    }
    // Invalid messages do not end the connection, and invalid moves do not end the game.
    let new = r#"{"ask":"new","terms":{"game":"chess","you":null,"time":"-"}}"#;
    assert_eq!(talk.request(new, "board")["legal"].as_array().map(Vec::len), Some(20));
    for wrong in ["e5", "<b>", "../..", "e2e4e2e4e2e4"] {
        let move_ = format!(r#"{{"ask":"move","text":"{wrong}"}}"#);
        talk.request(&move_, "refused");
    }
    assert_eq!(talk.request(r#"{"ask":"move","text":"e4"}"#, "board")["at"], 1);
    for id in ["../../etc/passwd", "", "0123456789abcdef"] {
        talk.request(&format!(r#"{{"ask":"resume","id":"{id}"}}"#), "refused");
    }
    // A message of ten megabytes closes only this connection.
    talk.send(&format!(r#"{{"ask":"study","game":"chess","text":"{}"}}"#, "x".repeat(10 << 20)));
    assert!(talk.receive("board").is_none());
    // Messages that come faster than any human can send them also close the connection.
    let mut hasty = board.tab();
    (0..300).for_each(|_| hasty.send(r#"{"ask":"save"}"#));
    assert!(hasty.receive("board").is_none());
    assert_eq!(status(&board.page("")), "200");
}

/// A limit on the size of files simulates a full disk.
#[cfg(target_os = "linux")]
#[test]
fn reports_unsaved_moves_and_saves_them_later() {
    let mut limited = Command::new("sh");
    let script = r#"trap '' XFSZ; ulimit -S -f 1; exec "$0" "$@""#;
    limited.args(["-c", script]).arg(adoube().get_program());
    let board = Board::run(limited, tempfile::tempdir().expect("a temporary directory"));
    let mut tab = board.tab();
    let new = r#"{"ask":"new","terms":{"game":"draughts","you":null,"time":"-"}}"#;
    let mut shown = tab.request(new, "board");
    assert_eq!(shown["unsaved"], Value::Null);
    for _ in 0..40 {
        let text = shown["legal"][0]["text"].as_str().expect("a move");
        shown = tab.request(&format!(r#"{{"ask":"move","text":"{text}"}}"#), "board");
    }
    assert_eq!((&shown["unsaved"], &shown["at"]), (&true.into(), &40.into()));
    let id = board.server.process.id().to_string();
    let lifted = Command::new("prlimit").args(["--pid", &id, "--fsize=unlimited"]).status();
    assert!(lifted.expect("prlimit").success());
    assert_eq!(tab.receive("board").expect("the page is updated")["unsaved"], Value::Null);
    let Board { server, folder } = board;
    drop(server);
    let again = Board::run(adoube(), folder);
    let resume = format!(r#"{{"ask":"resume","id":{}}}"#, shown["id"]);
    assert_eq!(again.tab().request(&resume, "board")["plies"], shown["plies"]);
}

#[test]
fn games_outlive_a_killed_server() {
    let board = Board::start();
    let mut tab = board.tab();
    let new = r#"{"ask":"new","terms":{"game":"chess","you":null,"time":"-"}}"#;
    let make = |text: &str| format!(r#"{{"ask":"move","text":"{text}"}}"#);
    let id = |shown: &Value| shown["id"].as_str().expect("an id").to_owned();
    // A game that ended and was continued after a takeback is unfinished.
    let reopened = id(&tab.request(new, "board"));
    let mate = ["f3", "e5", "g4", "Qh4"].map(make);
    mate.iter().for_each(|text| _ = tab.request(text, "board"));
    assert_eq!(tab.request(r#"{"ask":"take-back"}"#, "board")["ending"], Value::Null);
    tab.request(&make("d5"), "board");
    // A finished game and a game without moves can be reopened by a page that is still open.
    let finished = id(&tab.request(new, "board"));
    mate.iter().for_each(|text| _ = tab.request(text, "board"));
    let empty = id(&tab.request(new, "board"));
    let listed = tab.request(r#"{"ask":"stored"}"#, "welcome");
    let ids = |listed: &Value, which: &str| -> Vec<String> {
        listed[which].as_array().expect("games").iter().map(id).collect()
    };
    assert_eq!(ids(&listed, "unfinished"), std::slice::from_ref(&reopened));
    assert_eq!(ids(&listed, "finished"), std::slice::from_ref(&finished));
    assert_eq!(listed["finished"][0]["result"], "0-1");
    // A finished game is saved and opened for analysis without changing its journal.
    let record = tab.request(&format!(r#"{{"ask":"save-game","id":"{finished}"}}"#), "record");
    assert!(record["text"].as_str().is_some_and(|text| text.contains("2. g4 Qh4#")), "{record}");
    let shown = tab.request(&format!(r#"{{"ask":"open-game","id":"{finished}"}}"#), "board");
    assert_eq!(
        (&shown["mode"], shown["plies"].as_array().map(Vec::len)),
        (&"study".into(), Some(4))
    );
    for id in [reopened.as_str(), "../x"] {
        tab.request(&format!(r#"{{"ask":"open-game","id":"{id}"}}"#), "refused");
    }
    let Board { server, folder } = board;
    drop(server);

    let again = Board::run(adoube(), folder);
    let mut tab = again.tab();
    let listed = tab.receive("welcome").expect("greeted");
    assert_eq!(listed["unfinished"].as_array().map(Vec::len), Some(1), "{listed}");
    for (id, plies, ends) in [(reopened, 4, false), (finished, 4, true), (empty, 0, false)] {
        let shown = tab.request(&format!(r#"{{"ask":"resume","id":"{id}"}}"#), "board");
        assert_eq!((&shown["at"], shown["ending"].is_object()), (&plies.into(), ends), "{shown}");
        assert_eq!(tab.request(r#"{"ask":"save"}"#, "record")["say"], "record");
    }
    let refused = tab.request(r#"{"ask":"resume","id":"0123456789abcdef"}"#, "refused");
    assert_eq!(
        (&refused["ask"], &refused["why"]),
        (&"resume".into(), &"the game is no longer stored".into())
    );
}

#[test]
fn resuming_the_open_game_returns_no_time() {
    let board = Board::start();
    let mut tab = board.tab();
    let new = r#"{"ask":"new","terms":{"game":"chess","you":null,"time":"300"}}"#;
    let id = tab.request(new, "board")["id"].to_string();
    tab.request(r#"{"ask":"move","text":"e4"}"#, "board");
    let shown = tab.request(r#"{"ask":"move","text":"e5"}"#, "board");
    assert_eq!(shown["running"], "white");
    std::thread::sleep(Duration::from_millis(1500));
    let resumed = tab.request(&format!(r#"{{"ask":"resume","id":{id}}}"#), "board");
    let left = |board: &Value| board["clocks"][0].as_u64().expect("a clock");
    assert!(left(&resumed) <= left(&shown) - 1500, "{shown} {resumed}");
}

#[test]
fn files_are_decoded_by_the_server() {
    let board = Board::start();
    let mut tab = board.tab();
    let mut send = |file: &'static [u8], what| {
        tab.0.0.send(Message::binary(file)).expect("sent");
        tab.receive(what).expect("an answer")
    };
    let listed = send(b"[White \"M\xfcller\"]\n\n1. e4 *\n", "games");
    assert_eq!(
        (&listed["game"], &listed["games"][0]["white"]),
        (&"chess".into(), &"Müller".into())
    );
    assert!(listed["text"].as_str().is_some_and(|text| text.contains("Müller")), "{listed}");
    let refused = send(b"\xff\xfe[\0", "refused");
    assert_eq!(refused["ask"], "games");
    assert!(refused["why"].as_str().is_some_and(|why| why.contains("UTF-16")), "{refused}");
}

#[test]
fn a_busy_port_is_reported_with_advice() {
    let board = Board::start();
    let port = board.port.to_string();
    let mut other = adoube();
    other.args(["board", "--port", &port, "--journal"]).arg(board.folder.path());
    let printed = other.output().expect("adoube runs");
    let errors = String::from_utf8_lossy(&printed.stderr);
    assert!(!printed.status.success() && errors.contains("--port 0"), "{errors}");
}

#[test]
fn arbiter_input_is_limited_and_escaped() {
    let board = Board::start();
    let mut desk = board.tab();
    for (edition, rules) in
        [("fide-1", ""), ("../fide-2023", ""), ("fide-2023", "time = soon"), ("fide-2023", "x")]
    {
        let terms = format!(r#"{{"edition":"{edition}","rules":"{rules}"}}"#);
        desk.request(&format!(r#"{{"ask":"arbitrate","terms":{terms}}}"#), "refused");
    }
    // A name cannot inject HTML, a log line or a path.
    let heads = r#"{"white":"<img src=x>","black":"B\nwhite resign\n= forged","event":"../../x"}"#;
    let terms = format!(r#"{{"edition":"fide-2023","heads":{heads}}}"#);
    let begun = desk.request(&format!(r#"{{"ask":"arbitrate","terms":{terms}}}"#), "board");
    assert_eq!(begun["players"][0], "<img src=x>");
    assert_eq!(begun["players"][1], "B white resign = forged");
    let long = "white move e2e4 ".repeat(10_000);
    for line in ["", "white fly", "white move e2e4\\nwhite resign", "<b>", "= ruling", "# x", &long]
    {
        desk.request(&format!(r#"{{"ask":"event","line":"{line}"}}"#), "refused");
    }
    for log in ["", "x", "game x fide-2023\\nwhite fly", "<script>", "game ../x fide-1"] {
        desk.request(&format!(r#"{{"ask":"open-log","text":"{log}"}}"#), "refused");
    }
    let shown = desk.request(r#"{"ask":"event","line":"white move e2e4"}"#, "board");
    assert_eq!(shown["referee"]["events"].as_array().map(Vec::len), Some(1), "{shown}");
    let saved = desk.request(r#"{"ask":"save"}"#, "record");
    let name = saved["name"].as_str().expect("a name");
    assert!(name.ends_with(".log") && !name.contains('/') && !name.contains(".."), "{name}");
    let text = saved["text"].as_str().expect("a log");
    let events = text.lines().filter(|line| line.starts_with("white") || line.starts_with("= f"));
    assert_eq!(events.collect::<Vec<_>>(), ["white move e2e4"], "{text}");
    // A message of ten megabytes closes the connection; the log remains for the next connection.
    desk.send(&format!(r#"{{"ask":"open-log","text":"{}"}}"#, "x".repeat(10 << 20)));
    assert!(desk.receive("board").is_none());
    drop(desk);
    let id = begun["id"].as_str().expect("an id");
    let resume = format!(r#"{{"ask":"resume","id":"{id}"}}"#);
    let again = board.tab().request(&resume, "board");
    assert_eq!(again["referee"]["events"], shown["referee"]["events"]);
    // Messages that come faster than any human can send them also close the connection.
    let mut hasty = board.tab();
    (0..300).for_each(|_| hasty.send(r#"{"ask":"next","line":"white "}"#));
    while hasty.receive("next").is_some() {}
    assert_eq!(status(&board.page("")), "200");
}

#[test]
fn a_thousand_connections_do_not_block_the_user() {
    let board = Board::start();
    let idle: Vec<_> =
        (0..1000).filter_map(|_| TcpStream::connect(("127.0.0.1", board.port)).ok()).collect();
    let began = Instant::now();
    while status(&board.page("")) != "200" {
        assert!(began.elapsed() < Duration::from_secs(20), "no client is served");
        std::thread::sleep(Duration::from_millis(200));
    }
    drop(idle);
    // The number of tabs is limited too, and closing a tab frees a slot.
    let mut tabs: Vec<_> = (0..16).map(|_| board.tab()).collect();
    tabs.iter_mut().for_each(|tab| _ = tab.receive("welcome").expect("greeted"));
    assert!(board.own().is_err());
    tabs.clear();
    let began = Instant::now();
    while board.own().is_err() {
        assert!(began.elapsed() < Duration::from_secs(20), "no tab can be opened");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn validates_study_edits() {
    let board = Board::start();
    let mut talk = board.tab();
    let examine =
        |game: &str, text: &str| format!(r#"{{"ask":"examine","game":"{game}","text":"{text}"}}"#);
    let found = talk.request(&examine("chess", "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"), "examined");
    assert!(found["why"].as_str().is_some_and(|why| why.contains("in check")), "{found}");
    assert_eq!(found["squares"].as_str().map(str::len), Some(64));
    for wrong in ["", "x", "999999999999", "xxxxxxxx/8/8/8/8/8/8/8", "<b>"] {
        let found = talk.request(&examine("chess", wrong), "examined");
        assert!(found["why"].is_string() && found["squares"].is_null(), "{wrong}: {found}");
    }
    assert!(talk.request(&examine("draughts", "W:W31:B1"), "examined")["why"].is_null());

    let games = r#"{"ask":"games","game":"chess","text":"1. e4 *\n\n1. e5 *\n\n1. d4 d5 1-0"}"#;
    let listed = talk.request(games, "games");
    assert_eq!(listed["games"].as_array().map(Vec::len), Some(3), "{listed}");
    assert!(listed["games"][1]["why"].is_string(), "{listed}");
    assert_eq!(
        (&listed["games"][2]["result"], &listed["games"][2]["plies"]),
        (&"1-0".into(), &2.into())
    );
    let study = games.replace("\"games\"", "\"study\"");
    let numbered = |number: &str| study.replace("1-0\"", &format!("1-0\",\"number\":{number}"));
    assert_eq!(talk.request(&numbered("2"), "board")["plies"][0]["text"], "d4");
    for wrong in ["1", "3", "-1", "18446744073709551615"] {
        talk.request(&numbered(wrong), "refused");
    }
    let study = r#"{"ask":"study","game":"chess","text":"1. e4 (1. d4 {Queen}) 1... e5 *"}"#;
    let seen = talk.request(study, "board");
    assert_eq!(seen["study"]["tree"]["line"]["moves"][0]["variations"][0]["moves"][0]["number"], 2);
    for wrong in [
        r#"{"ask":"promote"}"#,
        r#"{"ask":"take-back"}"#,
        r#"{"ask":"go","number":-1}"#,
        r#"{"ask":"remark","comments":["x"],"nags":[256]}"#,
        r#"{"ask":"remark","comments":["x"],"nags":[1]}"#,
        r#"{"ask":"review","effort":{"depth":0}}"#,
        r#"{"ask":"review","effort":{"movetime":99999999}}"#,
        r#"{"ask":"review","effort":"always"}"#,
        r#"{"ask":"offer"}"#,
    ] {
        assert!(talk.request(wrong, "refused")["why"].is_string(), "{wrong}");
    }
    // An invalid position number selects the start.
    assert_eq!(talk.request(r#"{"ask":"go","number":99}"#, "board")["at"], 0);
    let seen = talk.request(r#"{"ask":"go","number":2}"#, "board");
    assert_eq!(seen["study"]["tree"]["comments"][0], "Queen");
    let seen = talk.request(r#"{"ask":"promote"}"#, "board");
    assert_eq!(seen["plies"][0]["text"], "d4");
    let seen = talk.request(r#"{"ask":"review","effort":{"movetime":60000}}"#, "board");
    assert_eq!(seen["study"]["progress"][1], 2);
    let seen = talk.request(r#"{"ask":"cancel"}"#, "board");
    assert!(seen["study"]["progress"].is_null());
}

#[test]
fn an_abandoned_search_does_not_move_in_the_next_game() {
    let board = Board::start();
    let mut tab = board.tab();
    let new = |start: &str| {
        let terms = format!(r#"{{"game":"chess","start":{start},"you":"black","time":"-"}}"#);
        format!(r#"{{"ask":"new","terms":{terms}}}"#)
    };
    let endgame = new(r#"{"fen":"4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1"}"#);
    for attempt in 0..6 {
        assert_eq!(tab.request(&endgame, "board")["thinking"], true);
        std::thread::sleep(Duration::from_millis(100 + 50 * attempt));
        let began = Instant::now();
        assert_eq!(tab.request(&new(r#""usual""#), "board")["thinking"], true);
        let next = loop {
            let next = tab.0.next().expect("the engine answers");
            assert_ne!(next["say"], "refused", "attempt {attempt}: {next}");
            if next["at"] == 1 {
                break next;
            }
        };
        // Without a clock the engine thinks for one second.
        let taken = began.elapsed();
        assert!(taken > Duration::from_millis(900), "attempt {attempt}: {taken:?}: {next}");
    }
}
