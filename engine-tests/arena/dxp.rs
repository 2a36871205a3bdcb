//! `adoube match --game draughts` with DXP engines that listen, connect, violate the protocol, or
//! play against a Hub engine.

use crate::support::mocks::{HUB, MOCK, Match, Mocks};
use crate::support::program::{PROGRAM, adoube};
use adoube::draughts::Position;
use adoube::protocol::dxp::link::Messages;
use adoube::protocol::dxp::message::{Answer, Message, Name, Reason, TimedMove};
use std::io::Write;
use std::net::{TcpListener, TcpStream};

const DXP: Mocks = Mocks { test: "arena::dxp::mock_engine", args: &["--game", "draughts"] };
/// The environment variable that holds a mock's port.
const PORT: &str = "ADOUBE_MOCK_PORT";

/// Acts as a mock DXP engine if [`MOCK`] is set.
#[test]
fn mock_engine() {
    if let Ok(behaviour) = std::env::var(MOCK) {
        let port = std::env::var(PORT).expect("a port").parse().expect("a port");
        let listener = TcpListener::bind(("127.0.0.1", port)).expect("a free port");
        let (stream, _) = listener.accept().expect("a caller");
        serve(&behaviour, stream);
    }
}

fn serve(kind: &str, mut stream: TcpStream) -> ! {
    let mut messages = Messages::new(stream.try_clone().expect("a stream"));
    let mut position = Position::start();
    while let Ok(text) = messages.receive() {
        let ours = match text.parse().expect("a message") {
            Message::Request(request) => {
                position =
                    request.start.map_or(Position::start(), |start| start.position().expect("one"));
                let code = if kind == "refuse" { Answer::NotThis } else { Answer::Accepted };
                let name = Name::new("Mock");
                send(&mut stream, &Message::Answer { name, code }.to_string());
                request.follower == position.side()
            }
            Message::Move(played) => {
                position = position.play(played.find(&position).expect("a legal move"));
                true
            }
            Message::End { .. } => {
                send(
                    &mut stream,
                    &Message::End { reason: Reason::Unknown, stop: false }.to_string(),
                );
                false
            }
            _ => false,
        };
        if ours {
            let m = position.legal_moves()[0];
            position = position.play(m);
            match kind {
                "resign" => send(&mut stream, "E10"),
                "draw" => send(&mut stream, "E20"),
                "lie" => send(&mut stream, "M0001010200"),
                "nonsense" => send(&mut stream, "Mzzz"),
                "vanish" => std::process::exit(0),
                "chatty" => {
                    send(&mut stream, "Chow are you?");
                    send(&mut stream, "B001W");
                    send(&mut stream, &Message::Move(TimedMove::new(m, 1)).to_string());
                }
                _ => send(&mut stream, &Message::Move(TimedMove::new(m, 1)).to_string()),
            }
        }
    }
    std::process::exit(0)
}

fn send(stream: &mut TcpStream, text: &str) {
    // The arena may have closed the connection.
    let _ = stream.write_all(format!("{text}\0").as_bytes());
}

fn describe(name: &str, behaviour: &str) -> String {
    let port = format!("/usr/bin/env {PORT}={{port}}");
    DXP.describe(name, behaviour).replace("/usr/bin/env", &port) + ",proto=dxp"
}

#[test]
fn dxp_and_hub_engines_play_each_other() {
    let dxp = |how: &str| format!("cmd='{PROGRAM}' dxp --{how} {{port}} --depth 3 --hash 1");
    let engines = [
        format!("name=hub,cmd='{PROGRAM}' hub,option.bb-size=0,option.tt-size=16"),
        format!("name=waits,proto=dxp,{}", dxp("listen")),
        format!("name=calls,proto=dxp-client,{}", dxp("connect")),
    ];
    let args = ["--game", "draughts", "--games", "2", "--concurrency", "2", "--depth", "3"];
    let played = Match::play(&engines, &args);
    for name in ["hub", "waits", "calls"] {
        assert_eq!(played.row(name)[4..], [0; 4], "{}", played.log());
        assert_eq!(played.row(name)[0], 4);
    }
    assert_eq!(played.games.matches("[Termination \"normal\"]").count(), 6, "{}", played.games);
}

#[test]
fn dxp_engines_that_violate_the_rules_lose() {
    for (behaviour, ending, column) in [
        ("resign", "resigns (7.2.1)}", None),
        ("lie", "illegal move '1-2' (5.6, 7.2.4)}", Some(5)),
        ("draw", "sent 'E20', which is not expected here (5.6, 7.2.4)}", Some(6)),
        ("nonsense", "< Mzzz", Some(6)),
        ("vanish", "ended with exit status 0 instead of sending a move (5.6, 7.2.4)}", Some(6)),
        ("refuse", "it refused the game", Some(6)),
    ] {
        let engines = [HUB.describe("fine", "random"), describe("bad", behaviour)];
        let args = ["--games", "2", "--nodes", "1", "--concurrency", "2"];
        let played = Match::play(&engines, &[DXP.args, &args].concat());
        let mut expected = [2, 0, 0, 2, 0, 0, 0, 0];
        column.into_iter().for_each(|column| expected[column] = 2);
        assert_eq!(played.row("bad"), expected, "{behaviour}\n{}", played.log());
        let text = played.games.replace('\n', " ") + &played.log();
        assert!(text.contains(ending), "{behaviour}: {text}");
    }
    let engines = [describe("chatty", "chatty"), describe("good", "good")];
    let args = ["--games", "2", "--nodes", "1", "--max-moves", "30"];
    let played = Match::play(&engines, &[DXP.args, &args].concat());
    assert_eq!(played.row("chatty")[4..], [0; 4], "{}", played.log());
}

#[test]
fn rejects_concurrent_games_on_a_fixed_port() {
    let output = adoube()
        .args(["match", "--game", "draughts", "--movetime", "10", "--concurrency", "2"])
        .args(["--engine", "cmd=a,proto=dxp", "--engine", "cmd=b"])
        .output()
        .expect("adoube runs");
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && log.contains("has no {port}"), "{log}");
}
