//! Fuzz targets for Hub lines from either side.

use crate::support::draughts_samples as samples;
use crate::support::strokes::{fuzz, mutate, text};
use adoube::draughts::{Position, hub};
use adoube::protocol::hub::command::{Command, Level, Mode};
use adoube::protocol::hub::line::{HubLine, Value};
use adoube::protocol::hub::param::{HubParams, PARAMS};
use adoube::protocol::hub::reply::Reply;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use std::sync::LazyLock;
use std::time::Duration;

static POSITIONS: LazyLock<Vec<Position>> = LazyLock::new(|| samples::random(10, 21));

fn position() -> impl Strategy<Value = &'static Position> {
    any::<Index>().prop_map(|index| index.get(&POSITIONS))
}

const LINE: &str = "abcdeghiklmnopqrstuvwxWBe0123456789-=\". \t\u{3000}";

fn commands_like() -> impl Strategy<Value = String> {
    let lines = [
        "hub",
        "set-param name=variant value=normal",
        "set-param name=variant value=frisian",
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
    let valid = prop_oneof![3 => select(lines), 1 => pos];
    prop_oneof![1 => text(LINE), 6 => mutate(valid, LINE)]
}

/// Formats an argument. A quoted value cannot contain quotation marks, so a value that contains
/// them is written unquoted.
fn argument(name: &str, value: &str) -> String {
    if value.contains('"') { format!(" {name}={value}") } else { format!(" {name}=\"{value}\"") }
}

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

fn reply() -> impl Strategy<Value = String> {
    let lines = [
        "id name=Somebody version=1.0 author=\"A and B\"",
        "param name=variant value=normal type=enum values=\"normal killer bt\"",
        "param name=bb-size value=4 type=int min=0 max=6",
        "wait",
        "ready",
        "pong",
        "info depth=9 mean-depth=9.7 max-depth=20 score=-0.13 nodes=12345 time=0.25 nps=1.234 pv=\"32-28 19-23\"",
        "info depth=9 score=99.98 bound=lower hashfull=1 tbhits=0 pv=32-28",
        "done move=32-28 ponder=19-23",
        "done move=none",
        "error message=\"something is wrong\"",
    ];
    prop_oneof![1 => text(LINE), 6 => mutate(select(lines.map(str::to_owned).to_vec()), LINE)]
}

fuzz! {
    20_000: fn commands(text in commands_like()) {
        match Command::parse(&text) {
            Ok(Some(command)) => {
                let line = line(&command);
                prop_assert_eq!(Command::parse(&line), Ok(Some(command.clone())), "{}", line);
                // `Display` replaces quotation marks and control characters in values.
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
            // Only unknown commands are ignored.
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

    20_000: fn bytes(bytes in proptest::collection::vec(any::<u8>(), 0..100)) {
        let text = String::from_utf8_lossy(&bytes);
        let _ = HubLine::parse(&text);
        for known in ["", "set-param ", "pos ", "level ", "go "] {
            let _ = Command::parse(&format!("{known}{text}"));
        }
        let unknown = format!("dance {text}");
        prop_assert_eq!(Command::parse(&unknown), Ok(None));
    }

    20_000: fn values(value in text(LINE)) {
        let line = format!("x name={} flag", Value(&value));
        let read = HubLine::parse(&line);
        let written = value.replace('"', "'").replace(char::is_control, " ");
        prop_assert_eq!(read.as_ref().map(|line| line.get("name")), Ok(Some(&written[..])));
        prop_assert!(read.is_ok_and(|line| line.has("flag")));
    }

    20_000: fn parameters(
        param in any::<Index>(),
        value in prop_oneof![
            text("-+0123456789.e"),
            mutate(select(vec!["true".to_owned(), "18".to_owned()]), LINE),
        ],
    ) {
        let mut settings = HubParams::default();
        let name = PARAMS[param.index(PARAMS.len())].name;
        if settings.set(name, &value).is_err() {
            prop_assert_eq!(&settings, &HubParams::default(), "an error changes nothing");
        }
        let unchanged = settings.clone();
        let unknown = format!("{name}x");
        prop_assert!(settings.set(&unknown, &value).is_err());
        prop_assert_eq!(settings, unchanged);
    }

    20_000: fn replies(text in reply()) {
        if let Ok(Some(reply)) = Reply::parse(&text) {
            // Compare texts, because `Display` rounds numbers and replaces quotation marks in
            // values.
            let line = reply.to_string();
            let again = Reply::parse(&line).map(|again| again.map(|again| again.to_string()));
            prop_assert_eq!(again, Ok(Some(line)), "{}", text);
        }
    }
}
