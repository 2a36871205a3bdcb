//! DXP, spoken to the built program over loopback: whole games of two Adoubes, and a peer that does
//! everything wrong. Each time the user is told, the game is saved, and the exit code says it.

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

/// A running `adoube dxp`, and a folder for its games.
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

    /// One that listens, on a port that the system chooses; gives the port too.
    fn listen(args: &[&str]) -> (Self, u16) {
        let program = Self::start(&[&["--listen", "0"], args].concat());
        let line = program.lines.recv_timeout(PATIENCE).expect("a first line");
        let port = line.strip_prefix("listening on 127.0.0.1:").expect("loopback by default");
        let port = port.parse().expect("a port");
        (program, port)
    }

    /// One that asks the program at a port for games.
    fn initiate(port: u16, args: &[&str]) -> Self {
        Self::start(&[&["--connect", &port.to_string(), "--initiate"], args].concat())
    }

    /// Waits for the end: the exit code, what was said, the games.
    fn end(mut self) -> (Option<i32>, String, Vec<Game>) {
        let start = Instant::now();
        let mut said = Vec::new();
        while let Ok(line) = self.lines.recv_timeout(PATIENCE) {
            said.push(line);
        }
        while self.child.try_wait().expect("a child").is_none() {
            assert!(start.elapsed() < PATIENCE, "adoube dxp does not end: {said:?}");
            thread::sleep(Duration::from_millis(2));
        }
        let code = self.child.wait().expect("a child").code();
        let path: PathBuf = self.folder.path().join("games.pdn");
        let text = fs::read(path).expect("the file of games");
        let games = Reader::new(text.as_slice()).map(|game| game.expect("PDN")).collect();
        let said = said.join("\n");
        assert!(!said.contains("panicked"), "{said}");
        (code, said, games)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // Also after a failed test; it may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The other side, which can send anything.
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

    /// One that connects to a program that listens.
    fn connect(args: &[&str]) -> (Self, Program) {
        let (program, port) = Program::listen(args);
        (Self::new(TcpStream::connect(("127.0.0.1", port)).expect("a connection")), program)
    }

    /// One to which a program that initiates connects.
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

    /// The next message as it is sent.
    fn text(&mut self) -> String {
        self.receive().to_string()
    }

    /// Asks for a game in which adoube has `colour`, and is accepted.
    fn ask(&mut self, colour: char, rest: &str) {
        self.send(&format!("R01{:32}{colour}000000{rest}", "Peer"));
        let answer = self.receive();
        assert!(matches!(answer, Message::Answer { code: Answer::Accepted, .. }), "{answer:?}");
    }

    /// Plays a move and reads adoube's answer to it; both on `position`.
    fn play(&mut self, position: &mut Position, text: &str) -> TimedMove {
        let m = notation::parse(position, text).expect("legal");
        self.send(&Message::Move(TimedMove::new(m, 1)).to_string());
        *position = position.play(m);
        self.follow(position)
    }

    /// Reads a move of adoube's.
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
    let (code, said, games) = initiator.end();
    assert_eq!(code, Some(0), "{said}");
    let (code, follower_said, follower_games) = follower.end();
    assert_eq!(code, Some(0), "{follower_said}");
    assert!(said.contains("games: 3, won: ") && !said.contains("without a result"), "{said}");
    assert_eq!((games.len(), follower_games.len()), (3, 3));
    for (i, (game, same)) in games.iter().zip(&follower_games).enumerate() {
        assert_eq!(moves(game), moves(same));
        assert_eq!(game.result, same.result, "{said}\n{follower_said}");
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
                assert!(last.contains("third time") || last.contains("number of moves"), "{last}");
            }
            other => panic!("{other}: {said}"),
        }
    }
}

#[test]
fn the_number_of_moves_ends_games_under_clock() {
    let (follower, port) = Program::listen(&["--games", "2", "--movetime", "5"]);
    let args = ["--games", "5", "--time", "1", "--moves", "6", "--movetime", "5"];
    let initiator = Program::initiate(port, &args);
    for (code, said, games) in [initiator.end(), follower.end()] {
        // The follower wants two games only, the initiator more.
        assert_eq!((code, games.len()), (Some(0), 2), "{said}");
        for game in games {
            assert_eq!(game.moves().count(), 12, "{said}");
            assert_eq!(game.result, GameResult::Unknown);
            assert_eq!(game.tag("TimeControl"), Some("6/60"));
        }
    }
}

#[test]
fn a_peer_that_breaks_the_protocol_is_told_and_the_game_is_saved() {
    let oversize = "M".repeat(5000);
    let cases: [(&[u8], &str); 9] = [
        (b"M00003228x0\0", "the number of pieces taken is a number up to 20, not 'x0'"),
        (b"M0000\0", "is cut short in column 6"),
        (b"Good morning\0", "no message begins with 'G'"),
        (b"E7\0", "the reason is 0, 1, 2 or 3"),
        (b"M\xff\xfe\0", "column 2 is no ASCII character"),
        (oversize.as_bytes(), "a message of more than 127 characters"),
        (b"M0000322600\0", "the peer's move 32-26 is not legal in W:W31-50:B1-20"),
        (b"M000032280123\0", "the peer's move 32x28x23 is not legal"),
        (b"R01x                               Z000000A\0", "instead of a move"),
    ];
    for (bytes, error) in cases {
        let (mut peer, program) = Peer::connect(&["--depth", "1"]);
        let mut position = Position::start();
        peer.ask('Z', "A");
        if error.contains("not legal in") {
            peer.send_bytes(bytes);
        } else {
            peer.play(&mut position, "32-28");
            peer.send_bytes(bytes);
        }
        let chat = peer.text();
        assert!(chat.starts_with("Cerror: "), "{chat}");
        assert_eq!(peer.text(), "E01");
        let (code, said, games) = program.end();
        assert_eq!(code, Some(1), "{said}");
        let last = said.lines().last().expect("lines");
        assert!(last.starts_with("error: ") && last.contains(error), "{said}");
        assert_eq!((games.len(), games[0].result), (1, GameResult::Unknown));
        assert_eq!(games[0].position().board(), position.board(), "{said}");
        let comment = games[0].line().moves.last().map(|node| node.comments.join(" "));
        assert!(comment.is_none_or(|c| c.replace('\n', " ").contains(error)), "{said}");
    }
}

#[test]
fn a_peer_that_vanishes_leaves_a_saved_game() {
    for (bytes, error) in [
        (&b""[..], "the peer has closed the connection"),
        (b"M00", "the peer has closed the connection within a message"),
    ] {
        // While it is to move, and while adoube thinks.
        for thinking in [false, true] {
            let depth = if thinking { "100" } else { "1" };
            let (mut peer, program) = Peer::connect(&["--depth", depth]);
            let mut position = Position::start();
            peer.ask(if thinking { 'W' } else { 'Z' }, "A");
            if !thinking {
                peer.play(&mut position, "32-28");
            }
            peer.send_bytes(bytes);
            drop(peer);
            let (code, said, games) = program.end();
            assert_eq!(code, Some(1), "{said}");
            assert!(said.ends_with(error), "{said}");
            assert_eq!((games.len(), games[0].result), (1, GameResult::Unknown));
            assert_eq!(games[0].position().board(), position.board(), "{said}");
        }
    }
}

/// Adoube takes the last piece, and the peer leaves without a word: the rules have decided.
#[test]
fn a_game_that_is_over_keeps_its_result() {
    let (mut peer, program) = Peer::connect(&["--depth", "1"]);
    peer.ask('W', &format!("BW{}z{}w{}", "e".repeat(27), "e".repeat(3), "e".repeat(18)));
    peer.follow(&mut "W:W32:B28".parse().expect("FEN"));
    drop(peer);
    let (code, said, games) = program.end();
    assert_eq!((code, games[0].result), (Some(1), GameResult::WhiteWins), "{said}");
    assert!(said.contains("2-0, Black has no move; the peer has closed the connection"), "{said}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_game_that_cannot_be_saved_is_told() {
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
    // It wants no second game.
    assert_eq!(peer.text(), "E01");
    let output = child.wait_with_output().expect("adoube ends");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("error: the game cannot be saved: No space left"), "{said}");
}

#[test]
fn a_silent_peer_is_not_waited_for() {
    // Half a message is silence too, and so is chat.
    for noise in ["", "M0001", "CI am thinking\0"] {
        let (mut peer, program) = Peer::connect(&["--depth", "1", "--timeout", "1"]);
        peer.ask('W', "A");
        peer.follow(&mut Position::start());
        peer.send_bytes(noise.as_bytes());
        assert_eq!(peer.text(), "Cerror: nothing came from the peer in 1.0 s");
        assert_eq!(peer.text(), "E01");
        let (code, said, games) = program.end();
        assert_eq!(code, Some(1), "{said}");
        assert!(said.ends_with("error: nothing came from the peer in 1.0 s"), "{said}");
        assert_eq!(games.first().map(|game| game.moves().count()), Some(1));
    }
}

/// What scans ports, is silent or wants nothing that can be played makes room for the next.
#[test]
fn who_listens_goes_on_until_the_games_are_played() {
    let (program, port) = Program::listen(&["--depth", "1", "--timeout", "1", "--games", "2"]);
    let connect = || Peer::new(TcpStream::connect(("127.0.0.1", port)).expect("a connection"));
    drop(connect());
    connect().send("GET / HTTP/1.0\r\n\r\n");
    let mut silent = connect();
    assert_eq!(silent.text(), "Cerror: nothing came from the peer in 1.0 s");
    let mut leaves = connect();
    leaves.ask('W', "A");
    leaves.follow(&mut Position::start());
    drop(leaves);
    let mut plays = connect();
    plays.ask('W', "A");
    plays.follow(&mut Position::start());
    plays.send("E10");
    assert_eq!(plays.text(), "E01");
    let (code, said, games) = program.end();
    // One game broke off.
    assert_eq!((code, games.len()), (Some(1), 2), "{said}");
    let results = games.iter().map(|game| (game.tag("Round"), game.result));
    let expected = [(Some("1"), GameResult::Unknown), (Some("2"), GameResult::WhiteWins)];
    assert_eq!(results.collect::<Vec<_>>(), expected, "{said}");
    assert_eq!(said.matches("; listening on 127.0.0.1:").count(), 4, "{said}");
    assert!(said.contains("games: 2, won: 1, drawn: 0, lost: 0, without a result: 1"), "{said}");
}

#[test]
fn chat_and_wishes_to_take_back_break_nothing() {
    let (mut peer, program) = Peer::connect(&["--depth", "1"]);
    peer.send("CHello");
    let mut position = Position::start();
    peer.ask('Z', "A");
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
    let (code, said, games) = program.end();
    assert_eq!(code, Some(0), "{said}");
    for line in ["Hello", "not ? text?[2J", "That was good"] {
        assert!(said.contains(&format!("the peer says: {line}")), "{said}");
    }
    assert_eq!((games[0].moves().count(), games[0].result), (4, GameResult::Draw));
}

#[test]
fn captures_come_in_any_order_and_positions_are_taken_as_they_are() {
    let squares = |letters: &[(usize, char)]| {
        let mut squares = vec!['e'; 50];
        letters.iter().for_each(|&(square, letter)| squares[square - 1] = letter);
        squares.into_iter().collect::<String>()
    };
    let start = squares(&[(28, 'w'), (23, 'z'), (13, 'z'), (45, 'w'), (35, 'z')]);
    for taken in ["2313", "1323"] {
        let (mut peer, program) = Peer::connect(&["--depth", "2"]);
        peer.ask('Z', &format!("BW{start}"));
        peer.send(&format!("M0000280802{taken}"));
        let mut position: Position = "B:W8,45:B35".parse().expect("FEN");
        peer.follow(&mut position);
        peer.send("M000045340140");
        // Black has no man left: it gives up, and would play again.
        assert_eq!(peer.text(), "E10");
        peer.send("E00");
        peer.send("E01");
        let (code, said, games) = program.end();
        assert_eq!((code, games[0].result), (Some(0), GameResult::WhiteWins), "{said}");
        assert_eq!(games[0].start().to_string(), "W:W28,45:B13,23,35");
    }
}

#[test]
fn games_that_cannot_be_played_are_refused() {
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
    // It ends the game; adoube wants no other.
    peer.send("E10");
    assert_eq!(peer.text(), "E01");
    let (code, said, games) = program.end();
    assert_eq!((code, games.len()), (Some(0), 1), "{said}");
    assert_eq!(games[0].result, GameResult::WhiteWins);
}

#[test]
fn an_initiator_takes_no_for_an_answer() {
    for (answer, error) in [
        ("1", "it has another version of the protocol"),
        ("2", "it cannot or will not play this one"),
        ("3", "it will not play at all"),
    ] {
        let (mut peer, program) = Peer::accept(&["--time", "7", "--moves", "60"]);
        let request = peer.text();
        assert!(request.starts_with("R01Adoube ") && request.ends_with(" Z007060A"), "{request}");
        peer.send(&format!("A{:32}{answer}", "Peer"));
        let (code, said, games) = program.end();
        assert_eq!((code, games.len()), (Some(1), 0), "{said}");
        assert!(said.ends_with(error), "{said}");
    }
    let (mut peer, program) = Peer::accept(&["--colour", "black", "--position", "B:W32:B1,K2"]);
    let request = peer.text();
    assert!(request.contains(" W005000BZzZeee"), "{request}");
    peer.send("M0000322800");
    let (code, said, _) = program.end();
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("instead of an answer to our request"), "{said}");
}

#[test]
fn an_initiator_goes_on_until_the_peer_stops() {
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
    let (code, said, games) = program.end();
    assert_eq!((code, games.len()), (Some(0), 3), "{said}");
    let results: Vec<_> = games.iter().map(|game| game.result).collect();
    assert_eq!(
        results,
        [GameResult::BlackWins, GameResult::WhiteWins, GameResult::BlackWins],
        "{said}"
    );
    assert!(said.contains("games: 3, won: 0, drawn: 0, lost: 3"), "{said}");
}

#[test]
fn what_cannot_be_reached_is_said() {
    // Nobody listens there, and nobody who asks for any port gets it.
    let free = "127.0.0.1:1";
    for (args, error) in [
        (vec!["--connect".to_owned(), free.to_string()], "cannot connect to 127.0.0.1:"),
        (vec!["--connect".to_owned(), "host:x".to_owned()], "'x' in 'host:x' is not a port"),
    ] {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let (code, said, _) = Program::start(&args).end();
        assert_eq!(code, Some(1));
        assert!(said.starts_with("error: ") && said.contains(error), "{said}");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_game_politely() {
    // While adoube thinks, while the peer does, and before any game.
    for (colour, depth) in [(Some('W'), "100"), (Some('Z'), "1"), (None, "1")] {
        let (mut peer, program) = Peer::connect(&["--depth", depth]);
        if let Some(colour) = colour {
            peer.ask(colour, "A");
        }
        let last = if colour.is_some() { "game 1" } else { "connected" };
        while !program.lines.recv_timeout(PATIENCE).expect("a line").starts_with(last) {}
        let id = program.child.id().to_string();
        let kill = Command::new("kill").args(["-INT", &id]).status().expect("kill runs");
        assert!(kill.success());
        assert_eq!(peer.text(), "CI have to leave");
        assert_eq!(peer.text(), "E01");
        peer.send("E00");
        let (code, said, games) = program.end();
        assert_eq!((code, games.len()), (Some(130), usize::from(colour.is_some())), "{said}");
    }
}
