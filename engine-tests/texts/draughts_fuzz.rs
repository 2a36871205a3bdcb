//! The parsers of draughts against what nobody should send them, as `chess_fuzz` does for chess.

use crate::support::draughts_samples as samples;
use crate::support::records::{check_bytes, check_next, short_games};
use crate::support::strokes::{cases, mutate, text};
use adoube::base::game::Game as _;
use adoube::draughts::epd::Epd;
use adoube::draughts::notation::{self, MoveError};
use adoube::draughts::{Position, hub};
use adoube::protocol::dxp::link::{LinkError, Messages};
use adoube::protocol::dxp::message::{LONGEST, Message, Start, TimedMove};
use adoube::protocol::hub::command::{Command, Level, Mode};
use adoube::protocol::hub::line::{Line, Value};
use adoube::protocol::hub::param::{PARAMS, Settings};
use proptest::prelude::*;
use proptest::sample::Index;
use std::sync::LazyLock;
use std::time::Duration;

static POSITIONS: LazyLock<Vec<Position>> = LazyLock::new(|| {
    let mut positions = samples::random(10, 21);
    positions.extend(samples::crowded(1000, 22));
    positions
});

static GAMES: LazyLock<Vec<String>> = LazyLock::new(|| short_games(samples::annotated_game, 23));

fn position() -> impl Strategy<Value = &'static Position> {
    any::<Index>().prop_map(|index| index.get(&POSITIONS))
}

const FEN: &str = "WBKwbk0123456789,:-.HF ";
const HUB: &str = "WBwbe ";
const MOVE: &str = "0123456789-x: *";
const PDN: &str = "[]\"(){};%$*.!?1234567890/-x:abEV \n\r\\";

fn fen_like() -> impl Strategy<Value = String> {
    let valid = (position(), any::<Index>()).prop_map(|(position, at)| {
        let suffixes = ["", ".", ":H3:F40", ":F7"];
        format!("{position}{}", at.get(&suffixes))
    });
    prop_oneof![1 => text(FEN), 6 => mutate(valid, FEN)]
}

fn hub_like() -> impl Strategy<Value = String> {
    let valid = position().prop_map(|position| hub::write(position).to_string());
    prop_oneof![1 => text(HUB), 6 => mutate(valid, HUB)]
}

fn epd_like() -> impl Strategy<Value = String> {
    let valid = (position(), any::<Index>()).prop_map(|(position, at)| {
        let operations = ["bm 32-28; id \"a b\";", ";D1 9 ;D2 81", "moves;", ""];
        format!("{position} {}", at.get(&operations))
    });
    prop_oneof![1 => text(FEN), 6 => mutate(valid, "abmid \";0123456789_:-WBK\n")]
}

fn move_like() -> impl Strategy<Value = (&'static Position, String)> {
    let valid = (position(), any::<Index>(), any::<Index>(), 0..4).prop_map(
        |(position, at, route, form)| {
            let moves = position.legal_moves();
            let m = moves.get(at.index(moves.len().max(1)));
            let text = m.map_or(String::new(), |&m| {
                let routes = notation::routes(position, m);
                match (form, routes.get(route.index(routes.len().max(1)))) {
                    (0, _) => format!("{m:#}"),
                    (1, Some(route)) => {
                        let squares: Vec<_> = route.iter().map(ToString::to_string).collect();
                        format!("{}x{}", m.from(), squares.join("x"))
                    }
                    (2, _) => notation::pdn(position, m),
                    _ => m.to_string(),
                }
            });
            (position, text)
        },
    );
    prop_oneof![
        1 => (position(), text(MOVE)),
        6 => valid.prop_flat_map(|(position, text)| (Just(position), mutate(Just(text), MOVE))),
    ]
}

const DXP: &str = "RAMECBK0123456789WZwze ";

fn dxp_like() -> impl Strategy<Value = (&'static Position, String)> {
    let valid = (position(), any::<Index>(), 0..8).prop_map(|(position, at, form)| {
        let moves = position.legal_moves();
        let text = match (form, moves.get(at.index(moves.len().max(1)))) {
            (0, _) => format!("R01{:32}W060075A", "Somebody"),
            (1, _) => {
                let mut request = format!("R01{:32}Z000000B", "Somebody");
                let hub = hub::write(position).to_string();
                request.push_str(&hub.replace('b', "z").replace('B', "Z"));
                request
            }
            (2, _) => format!("A{:32}0", "Somebody"),
            (3, _) => "E20".to_owned(),
            (4, _) => "CHello there".to_owned(),
            (5, _) => ["B012W", "K1"][at.index(2)].to_owned(),
            (_, Some(&m)) => Message::Move(TimedMove::new(m, 12)).to_string(),
            (_, None) => "M0000322800".to_owned(),
        };
        (position, text)
    });
    prop_oneof![
        1 => (position(), text(DXP)),
        6 => valid.prop_flat_map(|(position, text)| (Just(position), mutate(Just(text), DXP))),
    ]
}

proptest! {
    #![proptest_config(cases(20_000))]

    #[test]
    fn dxp_messages((position, text) in dxp_like()) {
        match text.parse::<Message>() {
            Ok(message) => {
                let again = message.to_string();
                prop_assert!(again.len() <= LONGEST);
                prop_assert!(again.bytes().all(|byte| (b' '..=b'~').contains(&byte)));
                prop_assert_eq!(again.parse(), Ok(message.clone()), "{}", again);
                match message {
                    Message::Move(played) => match played.find(position) {
                        Ok(m) => prop_assert!(position.is_legal(m)),
                        Err(error) => prop_assert!(error.to_string().chars().count() < 300),
                    },
                    Message::Request(request) => {
                        let start = request.start.as_ref().map(Start::position);
                        if let Some(Ok(position)) = start {
                            prop_assert_eq!(Some(Start::from(&position)), request.start);
                        }
                    }
                    _ => {}
                }
            }
            Err(error) => prop_assert!(error.to_string().chars().count() < 200, "{}", error),
        }
    }

    #[test]
    fn dxp_bytes(
        texts in proptest::collection::vec(dxp_like(), 0..4),
        bytes in proptest::collection::vec(any::<u8>(), 0..300),
    ) {
        let sent: String = texts.iter().map(|(_, text)| format!("{text}\0")).collect();
        let sent = [sent.as_bytes(), &bytes].concat();
        let mut messages = Messages::new(sent.as_slice());
        let mut count = 0;
        let end = loop {
            match messages.receive() {
                Ok(text) => {
                    // A byte that is no text is replaced by one character, of three bytes.
                    prop_assert!(!text.is_empty() && text.chars().count() <= LONGEST);
                    let _ = text.parse::<Message>();
                    count += 1;
                }
                Err(end) => break end,
            }
        };
        prop_assert!(count <= sent.len());
        prop_assert!(!matches!(end, LinkError::Broken(_)), "{}", end);
    }

    #[test]
    fn fen(text in fen_like()) {
        match text.parse::<Position>() {
            Ok(position) => {
                let again = position.to_string().parse::<Position>();
                prop_assert_eq!(again.as_ref().map(Position::key), Ok(position.key()));
                prop_assert_eq!(again.map(|p| *p.board()), Ok(*position.board()));
                prop_assert_eq!(hub::parse(&hub::write(&position).to_string()).map(|p| p.key()),
                    Ok(position.key()));
                prop_assert_eq!(position.perft(1), position.legal_moves().len() as u64);
            }
            Err(error) => prop_assert!(error.to_string().chars().count() < 200, "{}", error),
        }
    }

    #[test]
    fn hub_positions(text in hub_like()) {
        match hub::parse(&text) {
            Ok(position) => prop_assert_eq!(hub::write(&position).to_string(), text),
            Err(error) => prop_assert!(error.to_string().chars().count() < 200, "{}", error),
        }
    }

    #[test]
    fn epd(text in epd_like()) {
        match text.parse::<Epd>() {
            Ok(epd) => {
                let again = epd.to_string().parse::<Epd>();
                prop_assert_eq!(again.map(|epd| epd.to_string()), Ok(epd.to_string()));
            }
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }

    #[test]
    fn moves((position, text) in move_like()) {
        match notation::parse(position, &text) {
            Ok(m) => {
                prop_assert!(position.is_legal(m));
                prop_assert_eq!(notation::parse(position, &m.to_string()), Ok(m));
                prop_assert_eq!(notation::parse(position, &notation::pdn(position, m)), Ok(m));
            }
            Err(MoveError::Ambiguous { candidates, .. }) => {
                prop_assert!(candidates.len() > 1);
                for text in candidates {
                    prop_assert!(notation::parse(position, &text).is_ok(), "{}", text);
                }
            }
            Err(error) => prop_assert!(error.to_string().chars().count() < 400, "{}", error),
        }
    }
}

const LINE: &str = "abcdeghiklmnopqrstuvwxWBe0123456789-=\". \t\u{3000}";

fn lines() -> impl Strategy<Value = String> {
    let lines = [
        "hub",
        "set-param name=variant value=normal",
        "set-param name=log-file value=\"a file.log\"",
        "set-param name=move-overhead value=0.05",
        "init",
        "new-game",
        "level depth=8 nodes=100000",
        "level move-time=1.5",
        "level moves=75 time=300.5 inc=.1",
        "level infinite",
        "go think",
        "go ponder",
        "go analyze",
        "ponder-hit",
        "stop",
        "ping",
        "quit",
    ];
    let lines = lines.map(str::to_owned).to_vec();
    let pos = (position(), any::<bool>()).prop_map(|(position, moves)| {
        let moves = if moves { " moves=\"32-28 19-23 28x19x23\"" } else { "" };
        format!("pos pos={}{moves}", hub::write(position))
    });
    let valid = prop_oneof![3 => proptest::sample::select(lines), 1 => pos];
    prop_oneof![1 => text(LINE), 6 => mutate(valid, LINE)]
}

/// The argument of a line. Quotes are the only thing that a quoted value cannot hold; a value that
/// was read with one inside was read without those around it.
fn argument(name: &str, value: &str) -> String {
    if value.contains('"') { format!(" {name}={value}") } else { format!(" {name}=\"{value}\"") }
}

/// A command as a line.
fn line(command: &Command<'_>) -> String {
    match command {
        Command::Hub => "hub".to_owned(),
        Command::SetParam { name, value } => {
            format!("set-param{}{}", argument("name", name), argument("value", value))
        }
        Command::Init => "init".to_owned(),
        Command::NewGame => "new-game".to_owned(),
        Command::Pos { pos, moves } => {
            format!("pos{}{}", argument("pos", pos), argument("moves", &moves.join(" ")))
        }
        Command::Level(level) => {
            let Level { depth, nodes, move_time, moves, time, inc, infinite } = level;
            let seconds = |time: Duration| format!("{}.{:09}", time.as_secs(), time.subsec_nanos());
            let mut text = format!("level inc={}", seconds(*inc));
            for (name, value) in [
                ("depth", depth.map(|n| n.to_string())),
                ("nodes", nodes.map(|n| n.to_string())),
                ("move-time", move_time.map(seconds)),
                ("moves", moves.map(|n| n.to_string())),
                ("time", time.map(seconds)),
            ] {
                text.extend(value.map(|value| format!(" {name}={value}")));
            }
            text + if *infinite { " infinite" } else { "" }
        }
        Command::Go(Mode::Think) => "go think".to_owned(),
        Command::Go(Mode::Ponder) => "go ponder".to_owned(),
        Command::Go(Mode::Analyze) => "go analyze".to_owned(),
        Command::PonderHit => "ponder-hit".to_owned(),
        Command::Stop => "stop".to_owned(),
        Command::Ping => "ping".to_owned(),
        Command::Quit => "quit".to_owned(),
    }
}

proptest! {
    #![proptest_config(cases(20_000))]

    #[test]
    fn hub_lines(text in lines()) {
        match Command::parse(&text) {
            Ok(Some(command)) => {
                let line = line(&command);
                prop_assert_eq!(Command::parse(&line), Ok(Some(command.clone())), "{}", line);
                // A value can hold neither quotes nor control characters.
                let quotes = match &command {
                    Command::SetParam { name, value } => [*name, value].concat().contains('"'),
                    Command::Pos { pos, moves } => [*pos, &moves.concat()].concat().contains('"'),
                    _ => false,
                };
                if !quotes && !line.contains(char::is_control) {
                    let line = command.to_string();
                    prop_assert_eq!(Command::parse(&line), Ok(Some(command)), "{}", line);
                }
            }
            // Only what is not known is ignored.
            Ok(None) => {
                let known = ["hub", "set-param", "init", "new-game", "pos", "level", "go",
                    "ponder-hit", "stop", "ping", "quit"];
                let name = text.split_whitespace().next().unwrap_or_default();
                prop_assert!(!known.contains(&name), "{}", text);
            }
            Err(error) => {
                let error = error.to_string();
                prop_assert!((1..200).contains(&error.chars().count()), "{}", error);
            }
        }
    }

    #[test]
    fn hub_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..100)) {
        let text = String::from_utf8_lossy(&bytes);
        let _ = Line::parse(&text);
        for known in ["", "set-param ", "pos ", "level ", "go "] {
            let _ = Command::parse(&format!("{known}{text}"));
        }
        let unknown = format!("dance {text}");
        prop_assert_eq!(Command::parse(&unknown), Ok(None));
    }

    #[test]
    fn hub_values(value in text(LINE)) {
        let line = format!("x name={} flag", Value(&value));
        let read = Line::parse(&line);
        let written = value.replace('"', "'").replace(char::is_control, " ");
        prop_assert_eq!(read.as_ref().map(|line| line.get("name")), Ok(Some(&written[..])));
        prop_assert!(read.is_ok_and(|line| line.has("flag")));
    }

    #[test]
    fn hub_params(
        param in any::<Index>(),
        value in prop_oneof![
            text("-+0123456789.e"),
            mutate(proptest::sample::select(vec!["true".to_owned(), "18".to_owned()]), LINE),
        ],
    ) {
        let mut settings = Settings::default();
        let name = PARAMS[param.index(PARAMS.len())].name;
        if settings.set(name, &value).is_err() {
            prop_assert_eq!(&settings, &Settings::default(), "an error changes nothing");
        }
        let known = settings.clone();
        let unknown = format!("{name}x");
        prop_assert!(settings.set(&unknown, &value).is_err());
        prop_assert_eq!(settings, known);
    }
}

fn check_pdn(bytes: &[u8]) -> Result<(), TestCaseError> {
    check_bytes::<Position>(bytes, |a, b| a.key() == b.key(), 500)
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn pdn_text(text in prop_oneof![
        1 => text(PDN),
        4 => mutate(any::<Index>().prop_map(|at| at.get(&GAMES).clone()), PDN),
    ]) {
        check_pdn(text.as_bytes())?;
        check_next::<Position>(&text, "1. 32-28 19-23 1-1")?;
    }

    #[test]
    fn pdn_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        check_pdn(&bytes)?;
    }
}
