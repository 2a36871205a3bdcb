//! DXP with the built program over loopback: whole games between two Adoubes, and a peer that
//! violates the protocol. The program reports each violation, saves the game and sets its exit
//! code.

use crate::support::client::PATIENCE;
use crate::support::program::adoube;
use adoube::base::side::Side;
use adoube::draughts::pdn::{Game, GameResult, Reader};
use adoube::draughts::{Position, notation};
use adoube::protocol::dxp::link::Messages;
use adoube::protocol::dxp::message::{Answer, Message, Name, Reason, TimedMove};
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};
use std::{fs, thread};
use tempfile::TempDir;

/// A running `adoube dxp` process, with a folder for its games.
struct Program {
    child: Child,
    lines: Receiver<String>,
    folder: TempDir,
}

impl Program {
    fn start(args: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut child = adoube()
            .arg("dxp")
            .args(args)
            .args(["--hash", "1", "--pdn"])
            .arg(folder.path().join("games.pdn"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("adoube runs");
        let errors = BufReader::new(child.stderr.take().expect("a pipe"));
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in errors.lines() {
                let _ = sender.send(line.expect("UTF-8"));
            }
        });
        Self { child, lines, folder }
    }

    /// Starts a listening program on a port chosen by the system. Returns the program and the port.
    fn listen(args: &[&str]) -> (Self, u16) {
        let program = Self::start(&[&["--listen", "0"], args].concat());
        let line = program.lines.recv_timeout(PATIENCE).expect("a first line");
        let port = line.strip_prefix("listening on 127.0.0.1:").expect("loopback by default");
        let port = port.parse().expect("a port");
        (program, port)
    }

    /// Starts a program that connects to a port and requests games.
    fn initiate(port: u16, args: &[&str]) -> Self {
        Self::start(&[&["--connect", &port.to_string(), "--initiate"], args].concat())
    }

    /// Waits for the program to exit. Returns the exit code, the output and the games.
    fn end(mut self) -> (Option<i32>, String, Vec<Game>) {
        let start = Instant::now();
        let mut log = Vec::new();
        while let Ok(line) = self.lines.recv_timeout(PATIENCE) {
            log.push(line);
        }
        while self.child.try_wait().expect("a child").is_none() {
            assert!(start.elapsed() < PATIENCE, "adoube dxp does not end: {log:?}");
            thread::sleep(Duration::from_millis(2));
        }
        let code = self.child.wait().expect("a child").code();
        let path: PathBuf = self.folder.path().join("games.pdn");
        let text = fs::read(path).expect("the file of games");
        let games = Reader::new(text.as_slice()).map(|game| game.expect("PDN")).collect();
        let log = log.join("\n");
        assert!(!log.contains("panicked"), "{log}");
        (code, log, games)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // Also runs after a failed test; the process may already have exited.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A peer that is controlled by the test and can send anything.
struct Peer {
    stream: TcpStream,
    messages: Messages<TcpStream>,
}

impl Peer {
    fn new(stream: TcpStream) -> Self {
        stream.set_read_timeout(Some(PATIENCE)).expect("a stream");
        let messages = Messages::new(stream.try_clone().expect("a stream"));
        Self { stream, messages }
    }

    fn connect(args: &[&str]) -> (Self, Program) {
        let (program, port) = Program::listen(args);
        (Self::new(TcpStream::connect(("127.0.0.1", port)).expect("a connection")), program)
    }

    fn accept(args: &[&str]) -> (Self, Program) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let program = Program::start(&[&["--connect", &address, "--initiate"], args].concat());
        (Self::new(listener.accept().expect("a connection").0), program)
    }

    fn send(&mut self, text: &str) {
        self.send_bytes(format!("{text}\0").as_bytes());
    }

    fn send_bytes(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).expect("adoube reads");
    }

    fn receive(&mut self) -> Message {
        let text = self.messages.receive().expect("a message");
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn text(&mut self) -> String {
        self.receive().to_string()
    }

    /// Requests a game in which Adoube plays `colour`, and expects acceptance.
    fn request_game(&mut self, colour: char, rest: &str) {
        self.send(&format!("R01{:32}{colour}000000{rest}", "Peer"));
        let answer = self.receive();
        assert!(matches!(answer, Message::Answer { code: Answer::Accepted, .. }), "{answer:?}");
    }

    /// Plays a move, receives Adoube's reply, and updates `position`.
    fn play(&mut self, position: &mut Position, text: &str) -> TimedMove {
        let m = notation::parse(position, text).expect("legal");
        self.send(&Message::Move(TimedMove::new(m, 1)).to_string());
        *position = position.play(m);
        self.follow(position)
    }

    fn follow(&mut self, position: &mut Position) -> TimedMove {
        let message = self.receive();
        let Message::Move(played) = message else { panic!("{message:?}") };
        *position = position.play(played.find(position).expect("legal"));
        played
    }
}

fn moves(game: &Game) -> Vec<String> {
    game.moves().map(|m| m.to_string()).collect()
}

#[test]
fn p_03_two_adoubes_play_whole_games_with_alternate_colours() {
    let (follower, port) = Program::listen(&["--depth", "4", "--name", "Follower"]);
    let args = ["--games", "3", "--time", "1", "--depth", "4"];
    let initiator = Program::initiate(
        port,
        &[&args[..], &["--name", "Initiator", "--colour", "black"]].concat(),
    );
    let (code, log, games) = initiator.end();
    assert_eq!(code, Some(0), "{log}");
    let (code, follower_log, follower_games) = follower.end();
    assert_eq!(code, Some(0), "{follower_log}");
    assert!(log.contains("games: 3, won: ") && !log.contains("without a result"), "{log}");
    assert_eq!((games.len(), follower_games.len()), (3, 3));
    for (i, (game, same)) in games.iter().zip(&follower_games).enumerate() {
        assert_eq!(moves(game), moves(same));
        assert_eq!(game.result, same.result, "{log}\n{follower_log}");
        let names = ["Initiator", "Follower"];
        let [white, black] = if i % 2 == 0 { [names[1], names[0]] } else { names };
        assert_eq!((game.tag("White"), game.tag("Black")), (Some(white), Some(black)));
        assert_eq!(game.tag("Round"), Some((i + 1).to_string().as_str()));
        match game.result {
            GameResult::WhiteWins | GameResult::BlackWins => {
                let loser = game.position().side();
                assert!(!game.position().has_moves());
                assert_eq!(game.result == GameResult::BlackWins, loser == Side::White);
            }
            GameResult::Draw => {
                let last = game.line().moves.last().expect("moves").comments.join(" ");
                assert!(
                    last.contains("threefold repetition") || last.contains("move-count rules"),
                    "{last}"
                );
            }
            other => panic!("{other}: {log}"),
        }
    }
}

#[test]
fn the_move_limit_ends_games_with_a_clock() {
    let (follower, port) = Program::listen(&["--games", "2", "--movetime", "5"]);
    let args = ["--games", "5", "--time", "1", "--moves", "6", "--movetime", "5"];
    let initiator = Program::initiate(port, &args);
    for (code, log, games) in [initiator.end(), follower.end()] {
        // The initiator requests five games, but the follower accepts only two.
        assert_eq!((code, games.len()), (Some(0), 2), "{log}");
        for game in games {
            assert_eq!(game.moves().count(), 12, "{log}");
            assert_eq!(game.result, GameResult::Unknown);
            assert_eq!(game.tag("TimeControl"), Some("6/60"));
        }
    }
}

#[test]
fn reports_protocol_errors_and_saves_the_game() {
    let oversize = "M".repeat(5000);
    let cases: [(&[u8], &str); 9] = [
        (b"M00003228x0\0", "the number of captured pieces must be a number up to 20, not 'x0'"),
        (b"M0000\0", "is cut short in column 6"),
        (b"Good morning\0", "unknown message type 'G'"),
        (b"E7\0", "the reason must be 0, 1, 2 or 3"),
        (b"M\xff\xfe\0", "the character in column 2 is not ASCII"),
        (oversize.as_bytes(), "a message of more than 127 characters"),
        (b"M0000322600\0", "the peer's move 32-26 is not legal in W:W31-50:B1-20"),
        (b"M000032280123\0", "the peer's move 32x28x23 is not legal"),
        (b"R01x                               Z000000A\0", "instead of a move"),
    ];
    for (bytes, error) in cases {
        let (mut peer, program) = Peer::connect(&["--depth", "1"]);
        let mut position = Position::start();
        peer.request_game('Z', "A");
        if error.contains("not legal in") {
            peer.send_bytes(bytes);
        } else {
            peer.play(&mut position, "32-28");
            peer.send_bytes(bytes);
        }
        let chat = peer.text();
        assert!(chat.starts_with("Cerror: "), "{chat}");
        assert_eq!(peer.text(), "E01");
        let (code, log, games) = program.end();
        assert_eq!(code, Some(1), "{log}");
        let last = log.lines().last().expect("lines");
        assert!(last.starts_with("error: ") && last.contains(error), "{log}");
        assert_eq!((games.len(), games[0].result), (1, GameResult::Unknown));
        assert_eq!(games[0].position().board(), position.board(), "{log}");
        let comment = games[0].line().moves.last().map(|node| node.comments.join(" "));
        assert!(comment.is_none_or(|c| c.replace('\n', " ").contains(error)), "{log}");
    }
}

#[test]
fn saves_the_game_if_the_peer_disconnects() {
    for (bytes, error) in [
        (&b""[..], "the peer has closed the connection"),
        (b"M00", "the peer has closed the connection in the middle of a message"),
    ] {
        // Disconnect while the peer is to move, and while Adoube thinks.
        for thinking in [false, true] {
            let depth = if thinking { "100" } else { "1" };
            let (mut peer, program) = Peer::connect(&["--depth", depth]);
            let mut position = Position::start();
            peer.request_game(if thinking { 'W' } else { 'Z' }, "A");
            if !thinking {
                peer.play(&mut position, "32-28");
            }
            peer.send_bytes(bytes);
            drop(peer);
            let (code, log, games) = program.end();
            assert_eq!(code, Some(1), "{log}");
            assert!(log.ends_with(error), "{log}");
            assert_eq!((games.len(), games[0].result), (1, GameResult::Unknown));
            assert_eq!(games[0].position().board(), position.board(), "{log}");
        }
    }
}

/// Adoube captures the last piece, and then the peer disconnects. The result of the finished game
/// counts.
#[test]
fn keeps_the_result_of_a_finished_game() {
    let (mut peer, program) = Peer::connect(&["--depth", "1"]);
    peer.request_game('W', &format!("BW{}z{}w{}", "e".repeat(27), "e".repeat(3), "e".repeat(18)));
    peer.follow(&mut "W:W32:B28".parse().expect("FEN"));
    drop(peer);
    let (code, log, games) = program.end();
    assert_eq!((code, games[0].result), (Some(1), GameResult::WhiteWins), "{log}");
    assert!(
        log.contains("2-0, Black has no legal move; the peer has closed the connection"),
        "{log}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn reports_a_game_that_cannot_be_saved() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    let child = adoube()
        .args(["dxp", "--connect", &address, "--initiate", "--games", "2", "--depth", "1"])
        .args(["--hash", "1", "--pdn", "/dev/full"])
        .stderr(Stdio::piped())
        .spawn()
        .expect("adoube runs");
    let mut peer = Peer::new(listener.accept().expect("a connection").0);
    peer.receive();
    peer.send(&format!("A{:32}0", "Peer"));
    peer.follow(&mut Position::start());
    peer.send("E00");
    // Adoube does not start a second game.
    assert_eq!(peer.text(), "E01");
    let output = child.wait_with_output().expect("adoube ends");
    let log = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{log}");
    assert!(log.contains("error: the game cannot be saved: No space left"), "{log}");
}

#[test]
fn times_out_on_a_silent_peer() {
    // A partial message or a chat message does not reset the timeout.
    for noise in ["", "M0001", "CI am thinking\0"] {
        let (mut peer, program) = Peer::connect(&["--depth", "1", "--timeout", "1"]);
        peer.request_game('W', "A");
        peer.follow(&mut Position::start());
        peer.send_bytes(noise.as_bytes());
        assert_eq!(peer.text(), "Cerror: no message from the peer for 1.0 s");
        assert_eq!(peer.text(), "E01");
        let (code, log, games) = program.end();
        assert_eq!(code, Some(1), "{log}");
        assert!(log.ends_with("error: no message from the peer for 1.0 s"), "{log}");
        assert_eq!(games.first().map(|game| game.moves().count()), Some(1));
    }
}

/// Port scanners, silent peers and unplayable requests do not count as games.
#[test]
fn listens_until_all_games_are_played() {
    let (program, port) = Program::listen(&["--depth", "1", "--timeout", "1", "--games", "2"]);
    let connect = || Peer::new(TcpStream::connect(("127.0.0.1", port)).expect("a connection"));
    drop(connect());
    connect().send("GET / HTTP/1.0\r\n\r\n");
    let mut silent = connect();
    assert_eq!(silent.text(), "Cerror: no message from the peer for 1.0 s");
    let mut leaves = connect();
    leaves.request_game('W', "A");
    leaves.follow(&mut Position::start());
    drop(leaves);
    let mut plays = connect();
    plays.request_game('W', "A");
    plays.follow(&mut Position::start());
    plays.send("E10");
    assert_eq!(plays.text(), "E01");
    let (code, log, games) = program.end();
    // One game was aborted.
    assert_eq!((code, games.len()), (Some(1), 2), "{log}");
    let results = games.iter().map(|game| (game.tag("Round"), game.result));
    let expected = [(Some("1"), GameResult::Unknown), (Some("2"), GameResult::WhiteWins)];
    assert_eq!(results.collect::<Vec<_>>(), expected, "{log}");
    assert_eq!(log.matches("; listening on 127.0.0.1:").count(), 4, "{log}");
    assert!(log.contains("games: 2, won: 1, drawn: 0, lost: 0, without a result: 1"), "{log}");
}

#[test]
fn tolerates_chat_and_take_back_requests() {
    let (mut peer, program) = Peer::connect(&["--depth", "1"]);
    peer.send("CHello");
    let mut position = Position::start();
    peer.request_game('Z', "A");
    peer.send("B001W");
    assert_eq!(peer.text(), "K1");
    peer.send("K0");
    peer.send_bytes(b"\0C\0Cnot \xff text\x1b[2J\0");
    peer.send(&format!("C{}", "long ".repeat(100)));
    peer.play(&mut position, "32-28");
    peer.send("CThat was good");
    let next = notation::pdn(&position, position.legal_moves()[0]);
    peer.play(&mut position, &next);
    peer.send("E21");
    assert_eq!(peer.text(), "E00");
    drop(peer);
    let (code, log, games) = program.end();
    assert_eq!(code, Some(0), "{log}");
    for line in ["Hello", "not ? text?[2J", "That was good"] {
        assert!(log.contains(&format!("the peer says: {line}")), "{log}");
    }
    assert_eq!((games[0].moves().count(), games[0].result), (4, GameResult::Draw));
}

#[test]
fn accepts_captures_in_any_order_and_any_start_position() {
    let squares = |letters: &[(usize, char)]| {
        let mut squares = vec!['e'; 50];
        letters.iter().for_each(|&(square, letter)| squares[square - 1] = letter);
        squares.into_iter().collect::<String>()
    };
    let start = squares(&[(28, 'w'), (23, 'z'), (13, 'z'), (45, 'w'), (35, 'z')]);
    for taken in ["2313", "1323"] {
        let (mut peer, program) = Peer::connect(&["--depth", "2"]);
        peer.request_game('Z', &format!("BW{start}"));
        peer.send(&format!("M0000280802{taken}"));
        let mut position: Position = "B:W8,45:B35".parse().expect("FEN");
        peer.follow(&mut position);
        peer.send("M000045340140");
        // Black has no men left, so Adoube resigns and offers another game.
        assert_eq!(peer.text(), "E10");
        peer.send("E00");
        peer.send("E01");
        let (code, log, games) = program.end();
        assert_eq!((code, games[0].result), (Some(0), GameResult::WhiteWins), "{log}");
        assert_eq!(games[0].start().to_string(), "W:W28,45:B13,23,35");
    }
}

#[test]
fn refuses_games_that_cannot_be_played() {
    let (mut peer, program) = Peer::connect(&["--depth", "1", "--games", "1"]);
    let refusal = |peer: &mut Peer, rest: &str| {
        peer.send(rest);
        match peer.receive() {
            Message::Answer { code, .. } => code,
            other => panic!("{other:?}"),
        }
    };
    let request = |rest: &str| format!("R01{:32}W000000{rest}", "Peer");
    assert_eq!(refusal(&mut peer, "R02 who knows what"), Answer::Version);
    let far = format!("BWw{}", "e".repeat(49));
    let empty = format!("BW{}", "e".repeat(50));
    let no_piece = format!("BW{}z{}", "e".repeat(20), "e".repeat(29));
    for position in [far, empty, no_piece] {
        assert_eq!(refusal(&mut peer, &request(&position)), Answer::NotThis, "{position}");
    }
    assert_eq!(refusal(&mut peer, &request("A")), Answer::Accepted);
    peer.follow(&mut Position::start());
    // The peer ends the game, and Adoube does not want another game.
    peer.send("E10");
    assert_eq!(peer.text(), "E01");
    let (code, log, games) = program.end();
    assert_eq!((code, games.len()), (Some(0), 1), "{log}");
    assert_eq!(games[0].result, GameResult::WhiteWins);
}

#[test]
fn initiator_reports_a_refusal() {
    for (answer, error) in [
        ("1", "it uses another version of the protocol"),
        ("2", "it does not play this game"),
        ("3", "it does not want to play"),
    ] {
        let (mut peer, program) = Peer::accept(&["--time", "7", "--moves", "60"]);
        let request = peer.text();
        assert!(request.starts_with("R01Adoube ") && request.ends_with(" Z007060A"), "{request}");
        peer.send(&format!("A{:32}{answer}", "Peer"));
        let (code, log, games) = program.end();
        assert_eq!((code, games.len()), (Some(1), 0), "{log}");
        assert!(log.ends_with(error), "{log}");
    }
    let (mut peer, program) = Peer::accept(&["--colour", "black", "--position", "B:W32:B1,K2"]);
    let request = peer.text();
    assert!(request.contains(" W005000BZzZeee"), "{request}");
    peer.send("M0000322800");
    let (code, log, _) = program.end();
    assert_eq!(code, Some(1), "{log}");
    assert!(log.contains("instead of an answer to our request"), "{log}");
}

#[test]
fn initiator_plays_until_the_peer_stops() {
    let (mut peer, program) = Peer::accept(&["--games", "9", "--depth", "1"]);
    for (round, colour) in ['Z', 'W', 'Z'].into_iter().enumerate() {
        let Message::Request(request) = peer.receive() else { panic!() };
        assert_eq!(request.follower, if colour == 'W' { Side::White } else { Side::Black });
        let name = Name::new("Peer");
        peer.send(&Message::Answer { name, code: Answer::Accepted }.to_string());
        if colour == 'Z' {
            peer.follow(&mut Position::start());
        }
        let stop = round == 2;
        peer.send(&Message::End { reason: Reason::Won, stop }.to_string());
        assert_eq!(peer.text(), "E00");
    }
    let (code, log, games) = program.end();
    assert_eq!((code, games.len()), (Some(0), 3), "{log}");
    let results: Vec<_> = games.iter().map(|game| game.result).collect();
    assert_eq!(
        results,
        [GameResult::BlackWins, GameResult::WhiteWins, GameResult::BlackWins],
        "{log}"
    );
    assert!(log.contains("games: 3, won: 0, drawn: 0, lost: 3"), "{log}");
}

#[test]
fn reports_unreachable_addresses() {
    // No program listens on this port, and the system never assigns it.
    let free = "127.0.0.1:1";
    for (args, error) in [
        (vec!["--connect".to_owned(), free.to_string()], "cannot connect to 127.0.0.1:"),
        (vec!["--connect".to_owned(), "host:x".to_owned()], "'x' in 'host:x' is not a port"),
    ] {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let (code, log, _) = Program::start(&args).end();
        assert_eq!(code, Some(1));
        assert!(log.starts_with("error: ") && log.contains(error), "{log}");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_game_with_a_message() {
    // Interrupt while Adoube thinks, while the peer thinks, and before any game.
    for (colour, depth) in [(Some('W'), "100"), (Some('Z'), "1"), (None, "1")] {
        let (mut peer, program) = Peer::connect(&["--depth", depth]);
        if let Some(colour) = colour {
            peer.request_game(colour, "A");
        }
        let last = if colour.is_some() { "game 1" } else { "connected" };
        while !program.lines.recv_timeout(PATIENCE).expect("a line").starts_with(last) {}
        let id = program.child.id().to_string();
        let kill = Command::new("kill").args(["-INT", &id]).status().expect("kill runs");
        assert!(kill.success());
        assert_eq!(peer.text(), "CI have to leave");
        assert_eq!(peer.text(), "E01");
        peer.send("E00");
        let (code, log, games) = program.end();
        assert_eq!((code, games.len()), (Some(130), usize::from(colour.is_some())), "{log}");
    }
}
