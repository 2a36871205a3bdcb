//! Hub with the built program: whole games, commands during a search, invalid input, and shutdown.

use crate::support::client::{Client, PATIENCE};
use adoube::draughts::book::Book;
use adoube::draughts::{Position, Variant, hub, notation};
use adoube::eval::net::NetFile;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// Timeout for an answer that should be immediate, generous enough for a busy machine.
const SOON: Duration = Duration::from_secs(10);

fn start_position() -> String {
    hub::write(&Position::start()).to_string()
}

/// Starts an initialised session without an opening book.
fn ready() -> Client {
    let mut client = Client::start();
    client.send("hub");
    let lines = client.until("wait");
    assert!(lines[0].starts_with("id name=Adoube version="), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("param name=threads ")), "{lines:?}");
    client.send("set-param name=book value=false");
    client.send("init");
    client.until("ready");
    client
}

fn argument<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = line.split_once(&format!(" {name}="))?;
    match rest.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next(),
        None => rest.split(' ').next(),
    }
}

/// Sends a line, expects a single error in reply, and returns the error message.
fn refusal(client: &mut Client, line: &str) -> String {
    client.send(line);
    client.send("ping");
    let lines = client.until("pong");
    assert_eq!(lines.len(), 2, "{line:?} was answered by {lines:?}");
    let message = lines[0].strip_prefix("error message=").expect("an error");
    message.trim_matches('"').to_owned()
}

#[test]
fn plays_a_game_to_its_end() {
    let mut client = ready();
    client.send("new-game");
    let (mut position, mut moves) = (Position::start(), String::new());
    let mut plies = 0;
    while position.has_moves() && !position.is_drawn_by_count() && plies < 200 {
        client.send(&format!("pos pos={} moves=\"{moves}\"", start_position()));
        client.send("level time=0.5 inc=0.01");
        client.send("go think");
        let lines = client.until("done");
        for line in lines.iter().filter(|line| line.starts_with("info ")) {
            let mut after = position;
            for text in argument(line, "pv").expect("a line of moves").split(' ') {
                let m = notation::parse(&after, text).expect("a legal line");
                assert_eq!(m.to_string(), text);
                after = after.play(m);
            }
        }
        let done = lines.last().expect("an answer");
        let text = argument(done, "move").expect("a move");
        let m = notation::parse(&position, text).unwrap_or_else(|e| panic!("{done}: {e}"));
        position = position.play(m);
        if let Some(reply) = argument(done, "ponder") {
            notation::parse(&position, reply).unwrap_or_else(|e| panic!("{done}: {e}"));
        }
        let _ = write!(moves, "{}{text}", if moves.is_empty() { "" } else { " " });
        plies += 1;
    }
    assert!(plies > 30, "{moves}");
}

#[test]
fn accepts_huge_times() {
    let mut client = ready();
    for level in [
        "time=1.8e19",
        "time=1 inc=1e18",
        "time=18446744073709551615 inc=18446744073709551615 moves=4294967295",
        "move-time=1e300 time=-1e300",
    ] {
        client.send(&format!("pos pos={}", start_position()));
        client.send(&format!("level {level}"));
        client.send("go think");
        client.send("stop");
        client.until("done");
    }
    assert!(refusal(&mut client, "level time=NaN").contains("not a number of seconds"));
}

#[test]
fn respects_limits() {
    let mut client = ready();
    client.send(&format!("pos pos={}", start_position()));
    for (level, name, limit) in
        [("depth=5", "depth", 5.0), ("nodes=3000", "nodes", 3000.0), ("move-time=0.2", "time", 5.0)]
    {
        client.send(&format!("level {level}"));
        client.send("go think");
        let lines = client.until("done");
        let info = lines.iter().rev().find(|line| line.starts_with("info ")).expect("an info");
        let value: f64 = argument(info, name).expect(name).parse().expect("a number");
        assert!(value <= limit, "{level}: {info}");
    }
}

#[test]
fn reports_search_depths() {
    let mut client = ready();
    client.send(&format!("pos pos={}", start_position()));
    client.send("level depth=12");
    client.send("go think");
    let lines = client.until("done");
    let depths: Vec<[f64; 3]> = lines
        .iter()
        .filter(|line| line.starts_with("info "))
        .map(|line| {
            ["depth", "mean-depth", "max-depth"].map(|name| {
                let value = argument(line, name).unwrap_or_else(|| panic!("{name}: {line}"));
                value.parse().unwrap_or_else(|e| panic!("{value}: {e}"))
            })
        })
        .collect();
    assert!(depths.len() >= 12, "{lines:?}");
    assert!(depths.iter().all(|[_, mean, max]| (1.0..=*max).contains(mean)), "{depths:?}");
    let [first, .., last] = &depths[..] else { panic!("{depths:?}") };
    // At depth 1, every variation is exactly one ply long.
    assert_eq!(first[1], 1.0, "{depths:?}");
    assert!(last[1] > 4.0, "{depths:?}");
}

#[test]
fn reports_multi_pv_lines_best_first() {
    let mut client = ready();
    client.send("set-param name=multi-pv value=3");
    client.send(&format!("pos pos={}", start_position()));
    client.send("level depth=6");
    client.send("go think");
    let lines = client.until("done");
    let infos: Vec<&String> = lines.iter().filter(|line| line.starts_with("info ")).collect();
    let last = &infos[infos.len() - 3..];
    let ranks: Vec<_> = last.iter().map(|line| argument(line, "multi-pv")).collect();
    assert_eq!(ranks, [Some("1"), Some("2"), Some("3")], "{last:?}");
    let score = |line: &str| argument(line, "score").and_then(|men| men.parse::<f64>().ok());
    assert!(last.windows(2).all(|two| score(two[0]) >= score(two[1])), "{last:?}");
    let first = |line: &str| argument(line, "pv").and_then(|pv| pv.split(' ').next()?.parse().ok());
    let moves: Vec<Option<String>> = last.iter().map(|line| first(line)).collect();
    assert!(moves[0] != moves[1] && moves[1] != moves[2] && moves[0] != moves[2], "{moves:?}");
    let done = lines.last().expect("an answer");
    assert_eq!(argument(done, "move"), moves[0].as_deref(), "{done}");
    client.send("set-param name=multi-pv value=1");
    client.send("go think");
    assert!(client.until("done").iter().all(|line| argument(line, "multi-pv").is_none()));
}

#[test]
fn low_skill_searches_few_nodes() {
    let mut client = ready();
    client.send(&format!("pos pos={}", start_position()));
    client.send("level nodes=200000");
    let nodes = |client: &mut Client, line: &str| {
        client.send(line);
        client.send("go think");
        let lines = client.until("done");
        let nodes = lines.iter().rev().find_map(|line| argument(line, "nodes"));
        nodes.and_then(|nodes| nodes.parse::<u64>().ok()).expect("a number of nodes")
    };
    let weak = nodes(&mut client, "set-param name=skill value=0");
    let better = nodes(&mut client, "set-param name=skill value=10");
    let full = nodes(&mut client, "set-param name=skill value=20");
    assert!(weak < 3000 && weak < better && better < full, "{weak} {better} {full}");
    client.send("level infinite");
    client.send("set-param name=skill value=0");
    client.send("go analyze");
    std::thread::sleep(Duration::from_millis(500));
    client.send("stop");
    let lines = client.until("done");
    let nodes = lines.iter().rev().find_map(|line| argument(line, "nodes")?.parse::<u64>().ok());
    assert!(nodes > Some(weak), "analysis has full strength: {nodes:?}");
}

#[test]
fn plays_book_moves_immediately_unless_the_book_is_off() {
    let mut client = ready();
    let mut first_moves = |book: bool, go: &str| {
        client.send(&format!("set-param name=book value={book}"));
        client.send("level nodes=500");
        let mut moves = std::collections::BTreeSet::new();
        for _ in 0..60 {
            client.send(&format!("pos pos={}", start_position()));
            client.send(go);
            let lines = client.until("done");
            assert_eq!(lines.len() == 1, book && go == "go think", "{lines:?}");
            moves.insert(argument(&lines[lines.len() - 1], "move").expect("a move").to_owned());
        }
        moves
    };
    let played = first_moves(true, "go think");
    let start = Position::start();
    let good = Book::shipped().moves(&start).iter().map(ToString::to_string).collect();
    assert_eq!(played, good);
    first_moves(true, "go analyze");
    first_moves(false, "go think");
}

/// After three seconds the search also reports the root move that it is searching. Hub has no field
/// for this move.
#[test]
fn long_searches_continue() {
    let mut client = ready();
    client.send(&format!("pos pos={}", start_position()));
    client.send("level move-time=3.5");
    client.send("go think");
    let done = client.until("done").pop().expect("an answer");
    assert!(argument(&done, "move").is_some_and(|text| text.contains('-')), "{done}");
    client.send("ping");
    client.until("pong");
}

#[test]
fn ponders_until_ponder_hit() {
    let mut client = ready();
    client.send(&format!("pos pos={} moves=\"32-28 19-23\"", start_position()));
    client.send("level time=1");
    client.send("go ponder");
    client.until("info depth=5");
    client.send("ping");
    assert!(client.until("pong").iter().all(|line| !line.starts_with("done")));
    let start = Instant::now();
    client.send("ponder-hit");
    client.until("done");
    assert!(start.elapsed() < SOON);
}

#[test]
fn answers_stop_and_ping_during_analysis() {
    let mut client = ready();
    for go in ["go analyze", "go think"] {
        client.send(&format!("pos pos={}", start_position()));
        client.send("level infinite");
        client.send(go);
        client.until("info depth=6");
        let start = Instant::now();
        client.send("ping");
        client.until("pong");
        client.send("stop");
        client.until("done");
        assert!(start.elapsed() < SOON);
    }
    // A search stopped before it starts still returns a move, and a second search ends the first.
    client.send_bytes(b"go think\nstop\ngo think\ngo think\nstop\n");
    for _ in 0..3 {
        client.until("done move=");
    }
}

#[test]
fn ignores_or_rejects_invalid_input() {
    let mut client = ready();
    client.send(&format!("pos pos={} moves=32-28", start_position()));
    for ignored in ["", "hello world", "Hub", "position startpos", "dance step=\"one"] {
        client.send(ignored);
        client.send("ping");
        assert_eq!(client.until("pong").len(), 1, "{ignored}");
    }
    for (line, part) in [
        ("pos pos=W", "a position is 51 letters"),
        (&format!("pos pos={} moves=\"32-28 32-28\"", start_position()), "move 2: "),
        ("pos", "'pos' needs pos="),
        ("level depth=deep", "not a whole number"),
        ("set-param name=threads value=0", "from 1 to 512"),
        ("set-param name=speed value=9", "no parameter 'speed'"),
        ("set-param name=variant value=russian", "must be one of 'normal', 'killer'"),
        ("go", "'go' needs"),
        ("pos pos=\"W", "is not closed"),
    ] {
        let message = refusal(&mut client, line);
        assert!(message.contains(part), "{line}: {message}");
    }
    client.send("set-param name=threads value=2");
    client.send("set-param name=tt-size value=18");
    client.send("level depth=4");
    client.send(&format!("pos pos={} moves=32-28", start_position()));
    client.send("go think");
    let done = client.until("done").pop().expect("an answer");
    let after = Position::start();
    let after = after.play(notation::parse(&after, "32-28").expect("legal"));
    notation::parse(&after, argument(&done, "move").expect("a move")).expect("Black's move");
}

#[test]
fn go_after_a_refused_position_finds_no_move() {
    let mut client = ready();
    let start = start_position();
    let too_long = format!("pos pos={start} moves=\"{}\"", "32-28 19-23 ".repeat(100_000));
    for bad in [
        "pos",
        "pos pos=W",
        "pos pos=\"W",
        &format!("pos pos={start} moves=\"32-28 32-28\""),
        &too_long,
    ] {
        client.send(&format!("pos pos={start} moves=32-28"));
        client.send("level depth=3");
        refusal(&mut client, bad);
        for _ in 0..2 {
            client.send("go think");
            let lines = client.until("done");
            assert!(lines[0].starts_with("error message="), "{bad:.40}: {lines:?}");
            assert!(lines[0].contains("the last 'pos' command was refused"), "{lines:?}");
            assert_eq!(lines[1..], ["done move=none"]);
        }
    }
    client.send(&format!("pos pos={start}"));
    client.send("go think");
    assert!(client.until("done").pop().is_some_and(|done| done.contains('-')));
}

#[test]
fn answers_in_a_lost_position() {
    let mut client = ready();
    client.send(&format!("pos pos=W{}b{}", "e".repeat(20), "e".repeat(29)));
    client.send("level depth=3");
    client.send("go think");
    let lines = client.until("done");
    assert!(lines[0].starts_with("error message=\"White has no legal move"), "{lines:?}");
    assert_eq!(lines.last().map(String::as_str), Some("done move=none"));
}

#[test]
fn end_of_input_and_quit_end_the_process_during_a_search() {
    for quits in [true, false] {
        let mut client = ready();
        client.send(&format!("pos pos={}", start_position()));
        client.send("level infinite");
        client.send("go think");
        client.until("info depth=5");
        let start = Instant::now();
        if quits {
            client.send("quit");
        } else {
            client.hang_up();
        }
        assert!(client.wait().success());
        assert!(start.elapsed() < SOON.min(PATIENCE));
    }
}

#[test]
fn plays_every_draughts_variant() {
    let mut client = ready();
    for (variant, fen, best) in [
        ("killer", "W:WK50:BK28", "50x22x28"),
        ("frisian", "W:W28:B18", "28x8x18"),
        ("bt", "W:W6,28:BK50,45", "none"),
        ("losing", "W:W33:B24", "33-29"),
    ] {
        client.send(&format!("set-param name=variant value={variant}"));
        let position: Position = fen.parse().expect("a position");
        client.send(&format!("pos pos={}", hub::write(&position)));
        client.send("level depth=3");
        client.send("go think");
        let lines = client.until("done");
        let done = lines.last().expect("an answer");
        assert_eq!(argument(done, "move"), Some(best), "{variant}: {done}");
    }
    client.send("set-param name=variant value=bt");
    let king: Position = "W:WK50:B18".parse().expect("a position");
    let refused = refusal(&mut client, &format!("pos pos={}", hub::write(&king)));
    assert!(refused.contains("has already won at breakthrough"), "{refused}");
}

#[test]
fn loads_the_network_of_the_variant_only() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let embedded = include_bytes!("../../src/eval/draughts/net-frisian.bin");
    let option = |name: &str, bytes: &[u8]| {
        let path = dir.path().join(name);
        std::fs::write(&path, bytes).expect("written");
        format!("set-param name=eval-file value={}", path.display())
    };
    let mut client = ready();
    let score = |client: &mut Client| {
        let start = Position::start_of(Variant::Frisian);
        client.send(&format!("pos pos={}", hub::write(&start)));
        client.send("level depth=1");
        client.send("go think");
        let lines = client.until("done");
        let line = lines.iter().rev().find(|line| line.starts_with("info ")).expect("an info");
        argument(line, "score").expect("a score").to_owned()
    };
    let message = refusal(&mut client, &option("frisian.bin", embedded));
    assert!(message.contains("the network is for frisian draughts"), "{message}");
    client.send("set-param name=variant value=frisian");
    let built_in = score(&mut client);
    let mut other = NetFile::read(embedded).expect("a network");
    other.output_biases.iter_mut().for_each(|bias| *bias += 5000);
    client.send(&option("other.bin", &other.bytes()));
    assert_ne!(score(&mut client), built_in);
    let message = refusal(&mut client, "set-param name=eval-file value=/no/such/file");
    assert!(message.starts_with("/no/such/file: "), "{message}");
    assert_eq!(score(&mut client), built_in);
}
