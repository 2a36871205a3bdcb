//! `adoube dxp`: plays draughts against another program over a connection.

use super::{interrupt, threads};
use crate::base::side::Side;
use crate::base::span::Span;
use crate::draughts::{Position, Variant, pdn};
use crate::endings::bitbase::{Bitbases, MAX_PIECES};
use crate::protocol::dxp::PORT;
use crate::protocol::dxp::message::Name;
use crate::protocol::dxp::session::{self, DxpOptions, Proposal, Tally, Trouble};
use crate::protocol::wire::Wire;
use crate::search::draughts::DraughtsEngine;
use crate::search::driver::Options;
use anyhow::Context;
use std::fs::File;
use std::io::{self, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Play draughts against another program over DXP (DamExchange)
///
/// One program listens and the other connects; one of them asks for the games. Who listens goes on until the
/// games are played, whoever connects and leaves meanwhile. What happens is reported on
/// standard error; the games go to --pdn, or to standard output.
///
/// The exit code is 0 if all games came to an end, 1 if one broke off or none began, 130 after Ctrl-C, which
/// ends the game politely.
#[derive(clap::Args, Debug)]
#[command(group(clap::ArgGroup::new("side").required(true)))]
pub struct Args {
    /// Wait for a connection, from this machine unless HOST is given [default: 127.0.0.1:27531]
    #[arg(long, value_name = "HOST:PORT", num_args = 0..=1, default_missing_value = "", group = "side")]
    listen: Option<String>,
    /// Connect to a program that listens [default: 127.0.0.1:27531]
    #[arg(long, value_name = "HOST:PORT", num_args = 0..=1, default_missing_value = "", group = "side")]
    connect: Option<String>,
    /// Ask for the games; otherwise the other program must
    #[arg(long)]
    initiate: bool,
    /// Games to play [default: 1 with --initiate, else as many as the other program asks for]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,
    /// Minutes for each side and game, 0 for no limit
    #[arg(long, value_name = "M", default_value_t = 5, requires = "initiate",
        value_parser = clap::value_parser!(u32).range(..=999))]
    time: u32,
    /// Moves by each side after which a game ends, 0 for no limit
    #[arg(long, value_name = "N", default_value_t = 0, requires = "initiate",
        value_parser = clap::value_parser!(u32).range(..=999))]
    moves: u32,
    /// Our colour in the first game; it changes with each game
    #[arg(long, default_value = "white", requires = "initiate")]
    colour: Colour,
    /// Where the games start [default: the start position]
    #[arg(long, value_name = "FEN", requires = "initiate")]
    position: Option<Position>,
    /// At most this many milliseconds for a move [default: 1000 if there is no other limit]
    #[arg(long, alias = "move-time", value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// At most this many plies for a move
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Append each game to this file as PDN, also one that breaks off
    #[arg(long, value_name = "FILE")]
    pdn: Option<PathBuf>,
    /// How long the other program may stay silent, beyond its clock; 0 for ever
    #[arg(long, value_name = "SECONDS", default_value = "300")]
    timeout: Span,
    /// The name that the other program is told, up to 32 characters
    #[arg(long, default_value = concat!("Adoube ", env!("CARGO_PKG_VERSION")))]
    name: String,
    /// Threads that search
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads::number())]
    threads: usize,
    /// Size of the transposition table in MiB
    #[arg(long, value_name = "MB", default_value_t = 64)]
    hash: usize,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Colour {
    White,
    Black,
}

/// How long connecting may take.
const CONNECTING: Duration = Duration::from_secs(10);
/// Time between two looks for a caller.
const POLL: Duration = Duration::from_millis(50);

/// Runs `adoube dxp`.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let wire = Arc::new(Wire::new(io::stderr(), || {}));
    let mut table = Table {
        settings: settings(args)?,
        options: Options { hash_mb: args.hash, threads: args.threads, ..Options::default() },
        out: Games::open(args.pdn.as_ref())?,
        stop: interrupt::flag()?,
        wire,
        tally: Tally::default(),
    };
    let trouble = match &args.listen {
        Some(address) => table.listen(&Address::of(address)?)?,
        None => {
            let address = Address::of(args.connect.as_deref().unwrap_or_default())?;
            table.play(connect(&address)?)?
        }
    };
    if table.tally.games() > 0 {
        table.wire.send(table.tally);
    }
    match trouble {
        None => Ok(ExitCode::SUCCESS),
        Some(Trouble::Interrupted) => Ok(ExitCode::from(interrupt::EXIT_CODE)),
        Some(trouble) => Err(trouble.into()),
    }
}

/// Where games are played with one peer after another.
struct Table {
    settings: DxpOptions,
    options: Options,
    out: Games,
    stop: Arc<AtomicBool>,
    wire: Arc<Wire>,
    tally: Tally,
}

impl Table {
    /// Plays over one connection. Returns why it ended, if it should not have.
    fn play(&mut self, stream: TcpStream) -> anyhow::Result<Option<Trouble>> {
        let Self { settings, options, out, stop, wire, tally } = self;
        if let Ok(peer) = stream.peer_addr() {
            wire.send(format_args!("connected with {peer}"));
        }
        let engine = DraughtsEngine::new(options.clone())?;
        settings.before = tally.games();
        let save = &mut |game: &pdn::Game| out.save(game);
        let (played, trouble) = session::run(stream, engine, settings, wire, stop, save);
        tally.add(played);
        Ok(trouble)
    }

    /// Plays with whoever connects, until the games are played: whoever leaves before, or never wanted
    /// to play, only makes room for the next. Returns the first trouble in a game.
    fn listen(&mut self, address: &Address) -> anyhow::Result<Option<Trouble>> {
        let context = || format!("cannot listen on {address}");
        let listener =
            TcpListener::bind((address.host.as_str(), address.port)).with_context(context)?;
        listener.set_nonblocking(true).with_context(context)?;
        let here = listener.local_addr().with_context(context)?;
        self.wire.send(format_args!("listening on {here}"));
        let mut first = None;
        while !self.is_over() {
            let Some(stream) = accept(&listener, &self.stop).with_context(context)? else {
                return Ok(Some(Trouble::Interrupted));
            };
            let before = self.tally.games();
            let Some(trouble) = self.play(stream)? else { continue };
            if trouble.is_ours() {
                return Ok(Some(trouble));
            }
            if !self.is_over() {
                self.wire.send(format_args!("{trouble}; listening on {here}"));
            }
            if self.tally.games() > before {
                first.get_or_insert(trouble);
            }
        }
        Ok(first)
    }

    /// Whether the games are played.
    fn is_over(&self) -> bool {
        self.tally.games() >= self.settings.games.unwrap_or(1)
    }
}

fn settings(args: &Args) -> anyhow::Result<DxpOptions> {
    let start = args.position.unwrap_or_default();
    let variant = start.variant();
    anyhow::ensure!(
        variant == Variant::Normal,
        "--position: DXP has no word for the game {variant}"
    );
    anyhow::ensure!(start.has_moves(), "--position: {} has no move", start.side());
    let colour = match args.colour {
        Colour::White => Side::White,
        Colour::Black => Side::Black,
    };
    let proposal = Proposal { colour, minutes: args.time, moves: args.moves, start };
    Ok(DxpOptions {
        name: Name::new(&args.name),
        games: args.games.or(args.initiate.then_some(1)),
        before: 0,
        initiate: args.initiate.then_some(proposal),
        patience: Some(args.timeout.time()).filter(|time| !time.is_zero()),
        movetime: args.movetime.map(|ms| Span::from_millis(ms).time()),
        depth: args.depth,
        bitbases: Arc::new(Bitbases::with_default_folder(MAX_PIECES)?),
    })
}

/// A host and a port.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Address {
    host: String,
    port: u16,
}

impl Address {
    /// Reads `HOST:PORT`. Either may be missing, and the colon with it: a number alone is a port. An
    /// IPv6 address with a port is in brackets.
    fn of(text: &str) -> anyhow::Result<Self> {
        let bracketed = text.strip_prefix('[').and_then(|rest| rest.split_once(']'));
        let (host, port) = match bracketed {
            Some((host, rest)) => (host, rest.strip_prefix(':').unwrap_or(rest)),
            None if text.bytes().all(|byte| byte.is_ascii_digit()) => ("", text),
            None if text.matches(':').count() > 1 => (text, ""),
            None => text.split_once(':').unwrap_or((text, "")),
        };
        let port = match port {
            "" => PORT,
            _ => port.parse().ok().with_context(|| format!("'{port}' in '{text}' is no port"))?,
        };
        let host = if host.is_empty() { "127.0.0.1" } else { host };
        Ok(Self { host: host.to_owned(), port })
    }
}

impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { host, port } = self;
        if host.contains(':') { write!(f, "[{host}]:{port}") } else { write!(f, "{host}:{port}") }
    }
}

/// Waits for a connection. `None` if the user has stopped the program.
fn accept(listener: &TcpListener, stop: &AtomicBool) -> io::Result<Option<TcpStream>> {
    while !stop.load(Ordering::Relaxed) {
        match listener.accept() {
            Ok((stream, _)) => return Ok(Some(stream)),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => std::thread::sleep(POLL),
            // A caller who has hung up.
            Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

/// Connects to the first of the host's addresses that answers.
fn connect(address: &Address) -> anyhow::Result<TcpStream> {
    let context = || format!("cannot connect to {address}");
    let mut result = Err(io::Error::from(io::ErrorKind::NotFound));
    for address in (address.host.as_str(), address.port).to_socket_addrs().with_context(context)? {
        result = TcpStream::connect_timeout(&address, CONNECTING);
        if result.is_ok() {
            break;
        }
    }
    result.with_context(context)
}

/// Where games are saved.
enum Games {
    File(File),
    Output,
}

impl Games {
    fn open(path: Option<&PathBuf>) -> anyhow::Result<Self> {
        let Some(path) = path else { return Ok(Self::Output) };
        let file = File::options().create(true).append(true).open(path);
        file.map(Self::File).with_context(|| path.display().to_string())
    }

    fn save(&mut self, game: &pdn::Game) -> io::Result<()> {
        match self {
            Self::File(file) => {
                game.write_to(file)?;
                file.flush()
            }
            Self::Output => {
                let mut out = io::stdout().lock();
                game.write_to(&mut out)?;
                out.flush()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn completes_short_addresses() {
        for (text, long) in [
            ("", "127.0.0.1:27531"),
            ("4000", "127.0.0.1:4000"),
            (":4000", "127.0.0.1:4000"),
            ("0.0.0.0", "0.0.0.0:27531"),
            ("0.0.0.0:4000", "0.0.0.0:4000"),
            ("example.org:1", "example.org:1"),
            ("::1", "[::1]:27531"),
            ("[::1]", "[::1]:27531"),
            ("[::1]:4000", "[::1]:4000"),
        ] {
            assert_eq!(Address::of(text).expect(text).to_string(), long);
        }
        for wrong in ["99999", "host:x", "[::1]x"] {
            assert!(Address::of(wrong).is_err(), "{wrong}");
        }
    }
}
