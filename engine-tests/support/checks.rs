//! Properties of the parsers, checked on arbitrary input by the fuzz targets.
//!
//! Accepted input must survive a round trip. Error messages must be short and, for input of several
//! lines, must give a line number. The property tests in `fuzz` and the coverage-guided targets in
//! `guided` share these checks.

use super::records::{check_bytes, visible_length};
use adoube::chess::fen::Style;
use adoube::chess::notation::Notation;
use adoube::chess::setup::Setup;
use adoube::draughts::hub;
use adoube::draughts::sheet::Numeric;
use adoube::laws::any::AnyReferee;
use adoube::laws::edition::Edition;
use adoube::laws::log::LogLine;
use adoube::laws::regulations::Regulations;
use adoube::protocol::dxp::link::{LinkError, Messages};
use adoube::protocol::dxp::message::{MAX_MESSAGE, Message, Start};
use adoube::protocol::hub::command::{Command as HubCommand, Level, Mode};
use adoube::protocol::hub::reply::Reply as HubReply;
use adoube::protocol::uci::command::{Command as UciCommand, Go};
use adoube::protocol::uci::reply::Reply as UciReply;
use adoube::record::games::{Record, Recorded};
use adoube::record::selfplay::{Block, Game, GenerationSettings, ReadError, Reader, Writer};
use adoube::record::sheet::{self, Notate, Sheet};
use adoube::tools::datagen::positions;
use adoube::{chess, draughts};
use proptest::prelude::*;
use std::time::Duration;

type Check = Result<(), TestCaseError>;

/// Checks the visible length of an error message.
fn is_short(error: &impl ToString, max_chars: usize) -> Check {
    let error = error.to_string();
    prop_assert!((1..max_chars).contains(&visible_length(&error)), "{}", error);
    Ok(())
}

pub fn chess_fen(text: &str) -> Check {
    match text.parse::<chess::Position>() {
        Ok(position) => {
            prop_assert_eq!(position.fen().parse(), Ok(position.clone()));
            let shredder = position.fen_in(Style::Shredder);
            prop_assert_eq!(shredder.parse(), Ok(position.clone()));
            prop_assert!(text.parse::<Setup>().is_ok());
            prop_assert!(position.perft(1) <= 320);
            Ok(())
        }
        Err(error) => is_short(&error, 200),
    }
}

pub fn chess_epd(text: &str) -> Check {
    match text.parse::<chess::epd::Epd>() {
        Ok(epd) => {
            prop_assert_eq!(epd.to_string().parse::<chess::epd::Epd>(), Ok(epd));
            Ok(())
        }
        Err(error) => is_short(&error, usize::MAX),
    }
}

pub fn chess_move(position: &chess::Position, text: &str) -> Check {
    use adoube::chess::moves::MoveError;
    let strict = position.parse_san(text);
    let lenient = position.parse_san_lenient(text);
    if let Ok(m) = strict {
        prop_assert_eq!(&lenient, &Ok(m));
        prop_assert!(
            text.trim_end_matches(['!', '?'])
                .starts_with(position.san(m).trim_end_matches(['+', '#']))
        );
    }
    match lenient {
        Ok(m) => {
            prop_assert!(position.is_legal(m));
            prop_assert_eq!(position.parse_san(&position.san(m)), Ok(m));
        }
        Err(MoveError::Ambiguous { candidates, .. }) => {
            let moves: Vec<chess::Move> =
                candidates.iter().flat_map(|text| position.parse_san(text)).collect();
            prop_assert!(moves.len() == candidates.len() && moves.len() > 1);
        }
        Err(error) => is_short(&error, 250)?,
    }
    if let Ok(m) = position.parse_uci(text) {
        prop_assert!(position.is_legal(m));
        prop_assert_eq!(position.parse_uci(&position.uci(m, true)), Ok(m));
        prop_assert_eq!(position.parse_san_lenient(text), Ok(m), "accepts UCI moves too");
    }
    Ok(())
}

pub fn pgn(bytes: &[u8]) -> Check {
    check_bytes::<chess::Position>(bytes, chess::Position::eq, 300)
}

pub fn draughts_fen(text: &str) -> Check {
    match text.parse::<draughts::Position>() {
        Ok(position) => {
            let again = position.to_string().parse::<draughts::Position>();
            prop_assert_eq!(again.as_ref().map(draughts::Position::key), Ok(position.key()));
            prop_assert_eq!(again.map(|p| *p.board()), Ok(*position.board()));
            // A Hub position does not include the variant.
            let hub = hub::write(&position).to_string();
            let board = hub::parse(&hub).map(|p| (*p.board(), p.side()));
            prop_assert_eq!(board, Ok((*position.board(), position.side())));
            prop_assert_eq!(position.perft(1), position.legal_moves().len() as u64);
            Ok(())
        }
        Err(error) => is_short(&error, 200),
    }
}

pub fn hub_position(text: &str) -> Check {
    match hub::parse(text) {
        Ok(position) => {
            prop_assert_eq!(hub::write(&position).to_string(), text);
            Ok(())
        }
        Err(error) => is_short(&error, 200),
    }
}

pub fn draughts_epd(text: &str) -> Check {
    match text.parse::<draughts::epd::Epd>() {
        Ok(epd) => {
            let again = epd.to_string().parse::<draughts::epd::Epd>();
            prop_assert_eq!(again.map(|epd| epd.to_string()), Ok(epd.to_string()));
            Ok(())
        }
        Err(error) => is_short(&error, usize::MAX),
    }
}

pub fn draughts_move(position: &draughts::Position, text: &str) -> Check {
    use adoube::draughts::notation::{self, MoveError};
    match notation::parse(position, text) {
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
        Err(error) => is_short(&error, 400)?,
    }
    Ok(())
}

pub fn pdn(bytes: &[u8]) -> Check {
    check_bytes::<draughts::Position>(bytes, |a, b| a.key() == b.key(), 500)
}

pub fn uci_command(text: &str) -> Check {
    match UciCommand::parse(text) {
        Ok(Some(command)) => {
            let line = command.to_string();
            let command = match command {
                UciCommand::Go(go) => {
                    UciCommand::Go(Go { unknown: Vec::new(), unusable: Vec::new(), ..go })
                }
                command => command,
            };
            prop_assert_eq!(UciCommand::parse(&line), Ok(Some(command)), "{}", line);
        }
        Ok(None) => prop_assert!(text.trim().is_empty()),
        Err(error) => is_short(&error, usize::MAX)?,
    }
    Ok(())
}

pub fn uci_reply(text: &str) -> Check {
    if let Some(reply) = UciReply::parse(text) {
        let line = reply.to_string();
        prop_assert_eq!(UciReply::parse(&line), Some(reply), "{}", line);
    }
    Ok(())
}

/// Formats an argument. A quoted value cannot contain quotation marks, so a value that contains
/// them is written unquoted.
fn argument(name: &str, value: &str) -> String {
    if value.contains('"') { format!(" {name}={value}") } else { format!(" {name}=\"{value}\"") }
}

fn hub_line(command: &HubCommand<'_>) -> String {
    match command {
        HubCommand::Hub => "hub".to_owned(),
        HubCommand::SetParam { name, value } => {
            format!("set-param{}{}", argument("name", name), argument("value", value))
        }
        HubCommand::Init => "init".to_owned(),
        HubCommand::NewGame => "new-game".to_owned(),
        HubCommand::Pos { pos, moves } => {
            format!("pos{}{}", argument("pos", pos), argument("moves", &moves.join(" ")))
        }
        HubCommand::Level(level) => {
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
        HubCommand::Go(Mode::Think) => "go think".to_owned(),
        HubCommand::Go(Mode::Ponder) => "go ponder".to_owned(),
        HubCommand::Go(Mode::Analyze) => "go analyze".to_owned(),
        HubCommand::PonderHit => "ponder-hit".to_owned(),
        HubCommand::Stop => "stop".to_owned(),
        HubCommand::Ping => "ping".to_owned(),
        HubCommand::Quit => "quit".to_owned(),
    }
}

pub fn hub_command(text: &str) -> Check {
    match HubCommand::parse(text) {
        Ok(Some(command)) => {
            let line = hub_line(&command);
            prop_assert_eq!(HubCommand::parse(&line), Ok(Some(command.clone())), "{}", line);
            // `Display` replaces quotation marks and control characters in values.
            let quotes = match &command {
                HubCommand::SetParam { name, value } => [*name, value].concat().contains('"'),
                HubCommand::Pos { pos, moves } => [*pos, &moves.concat()].concat().contains('"'),
                _ => false,
            };
            if !quotes && !line.contains(char::is_control) {
                let line = command.to_string();
                prop_assert_eq!(HubCommand::parse(&line), Ok(Some(command)), "{}", line);
            }
        }
        // Only unknown commands are ignored.
        Ok(None) => {
            let known = [
                "hub",
                "set-param",
                "init",
                "new-game",
                "pos",
                "level",
                "go",
                "ponder-hit",
                "stop",
                "ping",
                "quit",
            ];
            let name = text.split_whitespace().next().unwrap_or_default();
            prop_assert!(!known.contains(&name), "{}", text);
        }
        Err(error) => is_short(&error, 200)?,
    }
    Ok(())
}

pub fn hub_reply(text: &str) -> Check {
    if let Ok(Some(reply)) = HubReply::parse(text) {
        // Compare texts, because `Display` rounds numbers and replaces quotation marks in values.
        let line = reply.to_string();
        let again = HubReply::parse(&line).map(|again| again.map(|again| again.to_string()));
        prop_assert_eq!(again, Ok(Some(line)), "{}", text);
    }
    Ok(())
}

/// Checks a DXP message; a move is looked up in `position`.
pub fn dxp_message(position: &draughts::Position, text: &str) -> Check {
    let message = match text.parse::<Message>() {
        Ok(message) => message,
        Err(error) => return is_short(&error, 200),
    };
    let again = message.to_string();
    prop_assert!(again.len() <= MAX_MESSAGE);
    prop_assert!(again.bytes().all(|byte| (b' '..=b'~').contains(&byte)));
    prop_assert_eq!(again.parse(), Ok(message.clone()), "{}", again);
    match message {
        Message::Move(played) => match played.find(position) {
            Ok(m) => prop_assert!(position.is_legal(m)),
            Err(error) => is_short(&error, 300)?,
        },
        Message::Request(request) => {
            let start = request.start.as_ref().map(Start::position);
            if let Some(Ok(position)) = start {
                prop_assert_eq!(Some(Start::from(&position)), request.start);
            }
        }
        _ => {}
    }
    Ok(())
}

/// Checks that a DXP connection delivers bounded messages until it ends.
pub fn dxp_stream(bytes: &[u8]) -> Check {
    let mut messages = Messages::new(bytes);
    let mut count = 0;
    let end = loop {
        match messages.receive() {
            Ok(text) => {
                // Count characters, not bytes: each invalid byte is replaced by a three-byte
                // character.
                prop_assert!(!text.is_empty() && text.chars().count() <= MAX_MESSAGE);
                let _ = text.parse::<Message>();
                count += 1;
            }
            Err(end) => break end,
        }
    };
    prop_assert!(count <= bytes.len());
    prop_assert!(!matches!(end, LinkError::Broken(_)), "{}", end);
    Ok(())
}

pub fn sheets(text: &str) -> Check {
    sheets_of::<chess::Position, _>(text, "san".parse::<Notation>().expect("a notation"))?;
    sheets_of::<draughts::Position, _>(text, Numeric)
}

fn sheets_of<P: Recorded, N: Notate<P> + PartialEq + std::fmt::Debug + std::fmt::Display>(
    text: &str,
    notation: N,
) -> Check {
    let lines = text.lines().count() as u64;
    for read in sheet::Reader::<P, N, _>::new(text.as_bytes(), notation) {
        let sheet: Sheet<N> = match read {
            Ok(sheet) => sheet,
            Err(error) => {
                prop_assert!((1..=lines).contains(&error.line), "{}", error);
                is_short(&error, 500)?;
                continue;
            }
        };
        let written = sheet.to_string();
        let again: Vec<_> = sheet::Reader::<P, N, _>::new(written.as_bytes(), notation).collect();
        let [Ok(again)] = &again[..] else {
            return Err(TestCaseError::fail(format!("{written}: {again:?}")));
        };
        prop_assert_eq!(again.to_string(), written);
        if let Ok(game) = sheet.replay::<P>() {
            let game: Record<P> = game;
            prop_assert!(again.replay::<P>().is_ok_and(|again| again.line() == game.line()));
        }
    }
    Ok(())
}

pub fn settings(game: &str) -> GenerationSettings {
    let (game, program) = (game.to_owned(), "a test".to_owned());
    GenerationSettings {
        game,
        variant: String::new(),
        program,
        signature: 1,
        nodes: 1000,
        seed: 7,
        chess960: 10,
        branches: false,
    }
}

/// Repairs the checksum of everything that looks like a block of training games, as an attacker
/// would.
pub fn seal_training_games(bytes: &mut [u8]) {
    for at in 0..bytes.len().saturating_sub(13) {
        let Some(&[b'A', b'G', b'R', b'1', kind, a, b, c, d]) = bytes[at..].first_chunk() else {
            continue;
        };
        let length = [a, b, c, d];
        if let Some(body) = bytes[at + 13..].get(..u32::from_le_bytes(length) as usize) {
            let mut hasher = crc32fast::Hasher::new();
            hasher.update(&[kind]);
            hasher.update(&length);
            hasher.update(body);
            let sum = hasher.finalize();
            bytes[at + 9..at + 13].copy_from_slice(&sum.to_le_bytes());
        }
    }
}

pub fn training_games(bytes: &[u8]) -> Check {
    let read = |bytes: &[u8]| -> Vec<Game> {
        let blocks = Reader::new(bytes).filter_map(Result::ok);
        let games = blocks.filter_map(|block| match block {
            Block::Games(games) => Some(games),
            Block::Settings(_) => None,
        });
        games.flatten().collect()
    };
    let mut end = 0;
    for block in Reader::new(bytes) {
        if let Err(ReadError::Damaged { from, to }) = block {
            prop_assert!(end <= from && from < to && to <= bytes.len() as u64);
            end = to;
        }
    }
    let games = read(bytes);
    for game in &games {
        let _ = positions::<chess::Position>(game, |_, _| {});
        let _ = positions::<draughts::Position>(game, |_, _| {});
    }
    let mut again = Vec::new();
    let mut writer = Writer::new(&mut again, &settings("chess")).expect("a vector");
    games.iter().for_each(|game| writer.push(game).expect("a vector"));
    writer.flush().expect("a vector");
    prop_assert!(read(&again) == games);
    Ok(())
}

/// Checks that each line of an arbiter's log is either ruled on or refused without an effect.
pub fn log(text: &str, edition: Edition) -> Check {
    let mut referee = AnyReferee::new(edition, Regulations::default());
    for line in text.lines() {
        let before = referee.clone();
        if let Err(error) = referee.line(line) {
            prop_assert_eq!(&before, &referee);
            is_short(&error, 500)?;
        }
        let _ = LogLine::read(line);
    }
    Ok(())
}

pub fn regulations(text: &str, edition: Edition) -> Check {
    match toml::from_str::<Regulations>(text) {
        Ok(rules) => {
            let mut referee = AnyReferee::new(edition, rules);
            for line in ["white late 1:00", "moves", "white press +90", "black flag", "adjourn"] {
                let _ = referee.line(line);
            }
        }
        Err(error) => prop_assert!(error.to_string().contains("at line "), "{}", error),
    }
    Ok(())
}
