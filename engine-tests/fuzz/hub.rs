//! Fuzz targets for Hub lines from either side.

use crate::support::checks;
use crate::support::draughts_samples as samples;
use crate::support::strokes::{fuzz, mutate, text};
use adoube::draughts::{Position, hub};
use adoube::protocol::hub::command::Command;
use adoube::protocol::hub::line::{HubLine, Value};
use adoube::protocol::hub::param::{HubParams, PARAMS};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use std::sync::LazyLock;

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
        checks::hub_command(&text)?;
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
        checks::hub_reply(&text)?;
    }
}
