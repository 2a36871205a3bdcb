//! `adoube match --serve` under attack: unauthorised clients get nothing, spectators get the latest
//! state, names are escaped, and the match continues. `clients/playwright_watch.py` watches matches
//! in a browser.

use crate::support::mocks::{HUB, UCI};
use crate::support::program::adoube;
use crate::support::web::{Server, Site, Talk, status};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::net::TcpStream;
use std::ops::Deref;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tungstenite::Message;

const HOSTILE: &str = "</script><script>throw 1</script><img src=x onerror=alert(1)>&'";

struct Show {
    server: Server,
    log: BufReader<std::process::ChildStderr>,
}

impl Deref for Show {
    type Target = Server;

    fn deref(&self) -> &Server {
        &self.server
    }
}

impl Show {
    /// Starts a match between two mocks with this behaviour. The name of one mock contains HTML.
    fn start(behaviour: &str, args: &[&str]) -> Self {
        let hostile =
            UCI.describe("x", behaviour).replacen("name=x,", &format!("name={HOSTILE},"), 1);
        Self::of(&[hostile, UCI.describe("b", behaviour)], args)
    }

    fn of(engines: &[String], args: &[&str]) -> Self {
        let mut process = adoube()
            .args(["match", "--openings", "random:4"])
            .args(engines.iter().flat_map(|engine| ["--engine", engine]))
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("adoube runs");
        let mut log = BufReader::new(process.stderr.take().expect("piped"));
        let mut line = String::new();
        let site = loop {
            line.clear();
            assert!(log.read_line(&mut line).expect("text") > 0, "adoube prints no address");
            if let Some(site) = Site::printed(&line) {
                break site;
            }
        };
        Self { server: Server { process, site }, log }
    }

    fn spectator(&self) -> Talk {
        Talk(self.own().expect("our page is accepted"))
    }

    /// Interrupts the match (Ctrl-C). Returns its exit code and its output.
    #[cfg(unix)]
    fn end(mut self) -> (Option<i32>, String) {
        let kill = Command::new("kill").arg("-INT").arg(self.process.id().to_string()).status();
        assert!(kill.expect("kill runs").success());
        let mut log = String::new();
        self.log.read_to_string(&mut log).expect("text");
        (self.server.process.wait().expect("it ends").code(), log)
    }
}

const SLOW: [&str; 6] = ["--serve", "--games", "400", "--tc", "60+1", "--concurrency=2"];

#[test]
fn requires_the_token_to_watch() {
    let show = Show::start("slow", &SLOW);
    show.refuses_strangers();
    show.keeps_its_token();
    let report = show.page("report");
    assert_eq!(status(&report), "200");
    assert!(report.contains("default-src 'none'") && !report.contains("<style"), "{report}");
    let mut spectator = show.spectator();
    let greeting = spectator.receive("match").expect("greeted");
    assert_eq!((&greeting["game"], &greeting["engines"][0]), (&"chess".into(), &HOSTILE.into()));
    let scores = spectator.receive("scores").expect("scores");
    assert_eq!((&scores["games"], &scores["over"]), (&400.into(), &false.into()));
    // The clocks start once the engines have started.
    let mut next = || spectator.receive("games").expect("games");
    let games =
        std::iter::repeat_with(&mut next).find(|games| games["games"][0]["clocks"][0].is_u64());
    let games = games.expect("the game starts");
    let game = &games["games"][0];
    assert_eq!(game["squares"].as_str().map(str::len), Some(64), "{games}");
    assert!(game["clocks"][0].as_u64().is_some_and(|left| left > 50_000), "{games}");
    // Moves are made and sent to spectators.
    let last = game["last"].clone();
    let moved = |message: &Value| message["games"][0]["last"] != last;
    assert!((0..100).any(|_| moved(&spectator.receive("games").expect("games"))));
    let report = show.page("report");
    assert!(!report.contains("<img") && !report.contains("<script>"), "a name has become HTML");
    assert!(!report.contains("engine-tests") && !report.contains("engine_tests"), "{report}");
}

#[test]
fn spectators_see_the_bracket_and_the_cross_table() {
    let engines = ["a", "b", "c"].map(|name| UCI.describe(name, "slow"));
    let args = ["--serve", "--tc", "60+1", "--schedule", "knockout"];
    let show = Show::of(&engines, &args);
    let scores = show.spectator().receive("scores").expect("scores");
    let rounds = &scores["bracket"]["rounds"];
    assert_eq!(rounds[0]["name"], "semi-finals", "{scores}");
    assert_eq!(rounds[0]["matches"][0]["bye"], true);
    assert_eq!(rounds[0]["matches"][1]["sides"][0]["player"], 1);
    assert_eq!(rounds[1]["matches"][0]["sides"][0]["player"], 0);
    assert_eq!(rounds[1]["matches"][0]["sides"][1]["player"], Value::Null);
    assert_eq!(rounds[2], Value::Null);
    let show = Show::of(&engines, &args[..3]);
    let scores = show.spectator().receive("scores").expect("scores");
    assert_eq!(scores["bracket"], Value::Null);
    assert_eq!(scores["tables"][1][0], "Cross table", "{scores}");
}

#[test]
fn needs_no_token_at_an_explicit_address() {
    let engines = ["a", "b"].map(|name| HUB.describe(name, "slow"));
    let args = ["--game", "draughts", "--serve", "127.0.0.1:0", "--nodes", "1"];
    let show = Show::of(&engines, &args);
    assert_eq!(show.path, "/");
    show.refuses_strangers();
    let mut spectator = show.spectator();
    assert_eq!(spectator.receive("match").expect("greeted")["game"], "draughts");
    // The first message may precede the first game.
    let mut games = spectator.receive("games").expect("games");
    while games["games"][0].is_null() {
        games = spectator.receive("games").expect("games");
    }
    assert_eq!(games["games"][0]["squares"].as_str().map(str::len), Some(50), "{games}");
    for wrong in ["somewhere else", "192.0.2.1:0", "nowhere.invalid", "127.0.0.1:http"] {
        let mut other = adoube();
        other.args(["match", "--nodes", "1", "--serve", wrong]).args(["--engine", &engines[0]]);
        let output = other.args(["--engine", &engines[1], "--game=draughts"]).output();
        let output = output.expect("adoube runs");
        let log = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && log.contains("--serve"), "{wrong}: {log}");
    }
}

#[test]
fn a_thousand_connections_block_neither_spectators_nor_the_match() {
    let show = Show::start("slow", &SLOW);
    let idle: Vec<_> =
        (0..1000).filter_map(|_| TcpStream::connect(("127.0.0.1", show.port)).ok()).collect();
    let until = Instant::now() + Duration::from_secs(20);
    while status(&show.page("")) != "200" {
        assert!(Instant::now() < until, "no client is served");
        thread::sleep(Duration::from_millis(200));
    }
    drop(idle);
    let mut spectators: Vec<_> = (0..256).map(|_| show.spectator()).collect();
    assert!(show.own().is_err(), "the number of spectators is limited");
    for spectator in &mut spectators {
        spectator.receive("games").expect("games");
    }
    // Most spectators stop reading; the others still get the latest state.
    let first = spectators[0].receive("games").expect("games");
    let later = (0..50).map(|_| spectators[0].receive("games").expect("games"));
    assert!(later.into_iter().any(|message| message["games"] != first["games"]));
    // A client that sends anything is disconnected, which frees a connection slot.
    let long = [5000, 10 << 20].map(|length| Message::text("x".repeat(length)));
    for wrong in long.into_iter().chain([Message::text("{}"), Message::binary(vec![0])]) {
        let mut loud = spectators.pop().expect("many");
        // The server may refuse a long message before all of it is sent.
        let _ = loud.0.send(wrong);
        while loud.receive("games").is_some() {}
    }
    let until = Instant::now() + Duration::from_secs(20);
    while show.own().is_err() {
        assert!(Instant::now() < until, "no slot has become free");
        thread::sleep(Duration::from_millis(50));
    }
}

/// The final page stays available until Ctrl-C, and contains the same games as the page written by
/// `--report`.
#[cfg(unix)]
#[test]
fn serves_finished_matches() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let path = dir.path().join("out.html");
    let file = path.to_str().expect("UTF-8");
    let args = ["--serve", "--games", "4", "--nodes", "1", "--max-moves", "8", "--report", file];
    let show = Show::start("random", &args);
    // The match may be over before any client has connected.
    let mut spectator = show.spectator();
    while spectator.receive("scores").expect("scores")["over"] != true {}
    let page = show.page("");
    let games = |page: &str| {
        let (_, data) = page.split_once("id=\"data\">").expect("data");
        data.split_once("</script>").expect("its end").0.to_owned()
    };
    let written = std::fs::read_to_string(&path).expect("written");
    assert_eq!(games(&page), games(&written));
    assert!(page.contains("<script src=\"report.js\">") && page.contains("href=\"report.css\""));
    assert_eq!(status(&show.page("report.js")), "200");
    let (code, log) = show.end();
    assert!(code == Some(0) && log.contains("stays at") && !log.contains("interrupted"), "{log}");

    // If the match is interrupted, the program exits immediately.
    let show = Show::start("slow", &SLOW);
    let _spectator = show.spectator();
    let (code, log) = show.end();
    assert!(code == Some(130) && !log.contains("stays at"), "{log}");
}
