//! `adoube match --game draughts`: two Adoubes over Hub, mock engines that violate the protocol or
//! the rules, and the endings of the recorded games.

use crate::support::mocks::{
    FOUR, HUB, MOCK, Match, Pondering, choose, misbehave, ponders, print_line, sleep_forever,
};
use crate::support::program::PROGRAM;
use adoube::base::side::Side;
use adoube::draughts::pdn::{Game, GameResult, Reader};
use adoube::draughts::{Move, Position, Variant, hub, notation};
use adoube::protocol::hub::line::HubLine;
use std::collections::BTreeMap;
use std::io::{BufRead, stdin};

/// Acts as a mock Hub engine if [`MOCK`] is set. Otherwise tests the mock's helper functions.
#[test]
fn mock_engine() {
    match std::env::var(MOCK) {
        Ok(behaviour) => serve(&behaviour),
        Err(_) => {
            let start = hub::write(&Position::start()).to_string();
            let position = after(&format!("pos pos={start} moves=\"32-28 19-23 28x19x23\""));
            assert_eq!(position.board().pieces(position.side()).len(), 19);
            assert!(there_and_back(&position, None).is_none(), "a capture is compulsory");
        }
    }
}

fn after(command: &str) -> Position {
    let line = HubLine::parse(command).expect("a line");
    let start = hub::parse(line.get("pos").expect("a position")).expect("a position");
    let moves = line.get("moves").unwrap_or_default().split_whitespace();
    moves.fold(start, |position, text| {
        position.play(notation::parse(&position, text).expect("a legal move"))
    })
}

/// Returns a king move after which no capture is possible, preferably the move that reverses
/// `last`.
fn there_and_back(position: &Position, last: Option<Move>) -> Option<Move> {
    let mut moves = position.legal_moves().to_vec();
    moves.retain(|m| {
        position.board().kings(position.side()).has(m.from())
            && !position.can_capture()
            && !position.play(*m).can_capture()
    });
    let back = |m: &&Move| last.is_some_and(|l| (l.from(), l.to()) == (m.to(), m.from()));
    moves.iter().find(back).or(moves.first()).copied()
}

fn serve(behaviour: &str) -> ! {
    let (kind, from) = behaviour.split_once(':').unwrap_or((behaviour, "1"));
    let from: usize = from.parse().expect("the number of a move");
    let (mut pos, mut last, mut count, mut is_set) = (String::new(), None, 0, false);
    let mut games = 0;
    let mut pondering = Pondering::default();
    // End the line that the test harness has already begun.
    print_line("");
    for line in stdin().lock().lines() {
        let line = line.expect("text from the arena");
        match line.split_whitespace().next() {
            Some(word @ ("ponder-hit" | "stop")) => pondering.end(word == "ponder-hit"),
            Some("pos" | "go") if pondering.is_on() => std::process::exit(5),
            Some("hub") => {
                print_line("id name=Mock version=1 author=\"A. Nonymous\" country=NL");
                print_line("param name=tt-size value=1 type=int min=1 max=64");
                print_line("param name=ponder value=false type=bool");
                if kind == "mute" {
                    sleep_forever();
                }
                print_line("wait");
            }
            Some("set-param") => is_set = line == "set-param name=tt-size value=3",
            Some("init") if kind == "asks" && !is_set => std::process::exit(4),
            Some("init") => print_line("ready"),
            Some("new-game") => (last, count, games) = (None, 0, games + 1),
            Some("ping") => print_line("pong"),
            Some("pos") => pos = line,
            Some("quit") => break,
            Some("go") => {
                count += 1;
                let position = after(&pos);
                let mut best =
                    choose(&position.legal_moves(), (games, &pos)).expect("a game that goes on");
                let mut text = best.to_string();
                if kind == "ponder" || kind == "hasty" {
                    let reply = choose(&position.play(best).legal_moves(), (games, &pos));
                    let reply = reply.map_or(String::new(), |m| format!(" ponder={m}"));
                    let done = format!("info depth=1\ndone move={text}{reply}");
                    pondering.answer(done, line == "go ponder" && kind == "ponder");
                    continue;
                }
                if count >= from {
                    misbehave(kind);
                    match kind {
                        "lie" => print_line("done move=32-5"),
                        "nonsense" => print_line("done move=\"\u{1f4a9}} quite"),
                        "garbage" => print_line("done move=\"\u{1f4a9}} {quite\" ponder=1-2"),
                        "empty" => print_line("done"),
                        "babble" => {
                            let junk = "x".repeat(100_000);
                            print_line(
                                "info depth= score=nan nodes=-1 =\ninfo pv=\"\ndon move=1-2\n\"",
                            );
                            print_line(&format!("error message=\"cheese\"\n{junk}\ninfo"));
                        }
                        // A repeated answer must not be mistaken for the answer to the next
                        // request.
                        "twice" => {
                            let done = format!("done move={text}");
                            print_line(&format!("info depth=1 score=0\n{done}\n{done}"));
                            continue;
                        }
                        "back" => {
                            best = there_and_back(&position, last).unwrap_or(best);
                            text = best.to_string();
                        }
                        _ => {}
                    }
                }
                last = Some(best);
                print_line(&format!("info depth=1 max-depth=2 score=0.03 nodes=1 pv={text}"));
                print_line(&format!("done move={text}"));
            }
            _ => {}
        }
    }
    std::process::exit(0)
}

#[test]
fn illegal_move_loses_and_is_quoted() {
    let played = HUB.loses("lie:2", 5, "rules infraction", &FOUR);
    assert!(played.log().contains("illegal move '32-5'"), "{}", played.log());
    assert!(played.log().contains("< done move=32-5"), "{}", played.log());
    let played = HUB.loses("garbage:2", 5, "rules infraction", &FOUR);
    let games = played.games.replace('\n', " ");
    assert!(games.contains("{illegal move '\u{1f4a9}? ?quite' (5.6, 7.2.4)}"), "{games}");
    HUB.loses("empty", 5, "rules infraction", &FOUR);
}

#[test]
fn engines_can_ponder() {
    ponders(&HUB, "W:W31-50:B1-20");
}

#[test]
fn sets_parameters_before_initialisation() {
    let engines = ["first", "second"]
        .map(|name| format!("{},option.tt-size=3,option.no-such=1", HUB.describe(name, "asks")));
    let refused = Match::play(&engines, &[HUB.args, &FOUR].concat());
    assert!(!refused.output.status.success() && refused.games.is_empty(), "{}", refused.log());
    let why = "first: has no parameter no-such";
    assert!(refused.log().contains(why), "{}", refused.log());
    let played = Match::play(&engines, &[HUB.args, &FOUR, &["--lenient"]].concat());
    assert_eq!(played.row("second")[4..], [0; 4], "{}", played.log());
    assert!(played.log().contains("second has no parameter no-such"), "{}", played.log());
}

const NO_MOVE: &str = "no move left (7.2.2)";
const NO_PIECE: &str = "no piece left (7.2.3)";
const REPETITION: &str = "repetition (6.1)";
const COUNTS: [&str; 3] = [
    "two pieces or one against one king (6.4)",
    "three pieces against one king (6.3)",
    "moves of kings only (6.2)",
];

/// Checks the game records of a match: each game must continue until the rules end it, and must end
/// as recorded. Returns the number of games per ending.
fn endings(text: &str) -> BTreeMap<String, usize> {
    let mut endings = BTreeMap::new();
    for game in Reader::new(text.as_bytes()) {
        let game: Game = game.unwrap_or_else(|error| panic!("{error} in\n{text}"));
        let nodes = &game.line().moves;
        let mut positions = vec![*game.start()];
        for node in nodes {
            let position = positions.last().expect("the start").play(node.m);
            positions.push(position);
        }
        let over: Vec<Option<&str>> = (0..positions.len())
            .map(|i| {
                let now = &positions[i];
                let same = |p: &&Position| (p.board(), p.side()) == (now.board(), now.side());
                if now.legal_moves().is_empty() {
                    Some(if now.board().pieces(now.side()).is_empty() { NO_PIECE } else { NO_MOVE })
                } else if positions[..=i].iter().filter(same).count() >= 3 {
                    Some(REPETITION)
                } else if now.is_drawn_by_count() {
                    let pieces = Side::ALL.map(|side| now.board().pieces(side).len());
                    Some(match pieces {
                        [1, 1 | 2] | [2, 1] => COUNTS[0],
                        [1, 3] | [3, 1] => COUNTS[1],
                        _ => COUNTS[2],
                    })
                } else {
                    None
                }
            })
            .collect();
        let last = nodes.len();
        let ending = nodes[last - 1].comments.last().expect("the ending");
        assert_eq!(over[last], Some(ending.as_str()), "{game}");
        assert!(over[..last].iter().all(Option::is_none), "{game}");
        let expected = match (ending.as_str(), positions[last].side().is_white()) {
            (NO_MOVE | NO_PIECE, true) => GameResult::BlackWins,
            (NO_MOVE | NO_PIECE, false) => GameResult::WhiteWins,
            _ => GameResult::Draw,
        };
        assert_eq!(game.result, expected, "{game}");
        assert_eq!(game.tag("Termination"), Some("normal"));
        assert_eq!(game.tag("PlyCount"), Some(last.to_string().as_str()));
        for (i, node) in nodes.iter().enumerate() {
            let comment = &node.comments[0];
            let thought = comment.contains("s, ") && comment.contains('/');
            assert!(comment == "book" || thought, "move {i}: {comment}");
        }
        *endings.entry(ending.clone()).or_default() += 1;
    }
    endings
}

#[test]
fn two_adoubes_play_to_the_end() {
    let engines = ["first", "second"]
        .map(|name| format!("name={name},cmd='{PROGRAM}' hub,option.tt-size=16,option.bb-size=0"));
    let args = ["--game", "draughts", "--games", "4", "--concurrency", "2", "--tc", "1+0.02"];
    // No engine may lose on time because the machine is busy.
    let played = Match::play(&engines, &[&args[..], &["--margin", "10000"]].concat());
    assert_eq!(played.row("first")[4..], [0; 4], "{}", played.log());
    let endings = endings(&played.games);
    assert_eq!(endings.values().sum::<usize>(), 4, "{endings:?}");
    assert!(played.games.contains("[TimeControl \"1+0.02\"]"), "{}", played.games);
    assert!(played.games.contains("[GameType \"20\"]"), "{}", played.games);
}

#[test]
fn two_adoubes_play_every_draughts_variant() {
    let engines = ["first", "second"]
        .map(|name| format!("name={name},cmd='{PROGRAM}' hub,option.tt-size=16"));
    for variant in Variant::ALL.into_iter().skip(1) {
        let args = ["--game", "draughts", "--games", "4", "--nodes", "300", "--openings"];
        let args = [&args[..], &["random:4", "--variant", variant.name()]].concat();
        let played = Match::play(&engines, &args);
        assert_eq!(played.row("first")[4..], [0; 4], "{}", played.log());
        let mut games = 0;
        for game in Reader::new(played.games.as_bytes()) {
            let game: Game = game.unwrap_or_else(|error| panic!("{error} in\n{}", played.games));
            assert_eq!(game.start(), &Position::start_of(variant), "{game}");
            let (end, ending) = (game.position(), game.line().moves.last().expect("a move"));
            let ending = ending.comments.last().expect("the ending");
            let winner = (!end.has_moves()).then(|| end.winner_without_moves());
            let expected = match winner {
                Some(Side::White) => GameResult::WhiteWins,
                Some(Side::Black) => GameResult::BlackWins,
                None => GameResult::Draw,
            };
            assert_eq!(game.result, expected, "{game}");
            let words = match (variant, winner) {
                (_, None) => "",
                (Variant::Breakthrough, Some(side)) if end.board().kings(side).any() => {
                    "the first king"
                }
                (Variant::Losing, Some(_)) => "no move left, which wins",
                _ => "no ",
            };
            assert!(ending.starts_with(words), "{game}");
            games += 1;
        }
        assert_eq!(games, 4, "{}", played.games);
    }
    // DXP does not support variants.
    let engines = ["first", "second"].map(|name| format!("name={name},cmd=x,proto=dxp-client"));
    let refused = Match::play(&engines, &["--game", "draughts", "--nodes", "1", "--variant", "bt"]);
    assert!(refused.log().contains("not played over DXP"), "{}", refused.log());
}

#[test]
fn results_match_the_rules() {
    let openings = "# small endings\nW:WK46,K47,K48:BK5\nB:WK47,36:BK1\nW:WK47:BK1 id \"6.4\";\n";
    // Sixty games are enough for at least one draw by a move-count rule.
    let few = ["--games", "60", "--nodes", "1"];
    let small = endings(&HUB.play_from(openings, "random", "random", &few).games);
    assert_eq!(small.values().sum::<usize>(), 60);
    assert!(COUNTS.iter().any(|&end| small.contains_key(end)), "{small:?}");

    let whole = ["--games", "12", "--nodes", "1", "--openings", "random:4"];
    let whole = endings(&HUB.play("random", "random", &whole).games);
    assert_eq!(whole.values().sum::<usize>(), 12);
    assert!(whole.contains_key(NO_MOVE) || whole.contains_key(NO_PIECE), "{whole:?}");

    let few = ["--games", "2", "--nodes", "1"];
    let back = HUB.play_from("W:WK47,45,50:BK4,1,6\n", "back", "back", &few);
    assert_eq!(endings(&back.games), BTreeMap::from([(REPETITION.to_owned(), 2)]));
    assert!(back.report().contains("endings: repetition 2"), "{}", back.report());
}
