//! `adoube dxp`: plays draughts against another program over a network connection.

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
/// One program listens and the other connects. Either of them can initiate the games. With
/// --listen, Adoube accepts further connections until all games are played. Progress is reported on
/// standard error. The games are written to the file given by --pdn, or to standard output.
///
/// The exit code is 0 if all games were completed, 1 if a game broke off or none began, and 130
/// after Ctrl-C, which ends the current game properly.
#[derive(clap::Args, Debug)]
#[command(group(clap::ArgGroup::new("side").required(true)))]
pub(super) struct Args {
    /// Wait for a connection, only from this machine unless HOST is given [default:
    /// 127.0.0.1:27531]
    #[arg(long, value_name = "HOST:PORT", num_args = 0..=1, default_missing_value = "", group = "side")]
    listen: Option<String>,
    /// Connect to a listening program [default: 127.0.0.1:27531]
    #[arg(long, value_name = "HOST:PORT", num_args = 0..=1, default_missing_value = "", group = "side")]
    connect: Option<String>,
    /// Initiate the games; otherwise wait for the other program to do so
    #[arg(long)]
    initiate: bool,
    /// Number of games [default: 1 with --initiate, else as many as the other program requests]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,
    /// Minutes per side for each game; 0 for no limit
    #[arg(long, value_name = "M", default_value_t = 5, requires = "initiate",
        value_parser = clap::value_parser!(u32).range(..=999))]
    time: u32,
    /// Moves per side after which a game ends; 0 for no limit
    #[arg(long, value_name = "N", default_value_t = 0, requires = "initiate",
        value_parser = clap::value_parser!(u32).range(..=999))]
    moves: u32,
    /// Our colour in the first game; the colours then alternate
    #[arg(long, default_value = "white", requires = "initiate")]
    colour: Colour,
    /// Position to start each game from [default: start position]
    #[arg(long, value_name = "FEN", requires = "initiate")]
    position: Option<Position>,
    /// Time limit per move in milliseconds [default: 1000 unless another limit is given]
    #[arg(long, alias = "move-time", value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Depth limit per move in plies
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Append each game to this file as PDN, including unfinished games
    #[arg(long, value_name = "FILE")]
    pdn: Option<PathBuf>,
    /// Wait this long for a move after the other program's time has run out; 0 for no limit
    #[arg(long, value_name = "SECONDS", default_value = "300")]
    timeout: Span,
    /// Name announced to the other program, up to 32 characters
    #[arg(long, default_value = concat!("Adoube ", env!("CARGO_PKG_VERSION")))]
    name: String,
    /// Number of search threads
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

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// The interval between checks for an incoming connection.
const POLL: Duration = Duration::from_millis(50);

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
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

/// The state that is kept between connections.
struct Table {
    settings: DxpOptions,
    options: Options,
    out: Games,
    stop: Arc<AtomicBool>,
    wire: Arc<Wire>,
    tally: Tally,
}

impl Table {
    /// Plays games over one connection. Returns the reason if the connection ends prematurely.
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

    /// Accepts one connection after another until all games are played. Returns the reason if a
    /// game broke off, the user interrupted, or our side failed. A peer that initiates the games
    /// may disconnect between them.
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

    fn is_over(&self) -> bool {
        self.tally.games() >= self.settings.games.unwrap_or(1)
    }
}

fn settings(args: &Args) -> anyhow::Result<DxpOptions> {
    let start = args.position.unwrap_or_default();
    let variant = start.variant();
    anyhow::ensure!(
        variant == Variant::Normal,
        "--position: DXP does not support the variant {variant}"
    );
    anyhow::ensure!(start.has_moves(), "--position: {} has no legal move", start.side());
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
        bitbases: Arc::new(Bitbases::with_default_folder(Variant::Normal, MAX_PIECES)?),
    })
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Address {
    host: String,
    port: u16,
}

impl Address {
    /// Parses `HOST:PORT`. Host and port are optional, and a single number is a port. An IPv6
    /// address that is followed by a port must be in brackets.
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
            _ => {
                port.parse().ok().with_context(|| format!("'{port}' in '{text}' is not a port"))?
            }
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

/// Waits for a connection. Returns `None` after Ctrl-C.
fn accept(listener: &TcpListener, stop: &AtomicBool) -> io::Result<Option<TcpStream>> {
    while !stop.load(Ordering::Relaxed) {
        match listener.accept() {
            Ok((stream, _)) => return Ok(Some(stream)),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => std::thread::sleep(POLL),
            // The peer has already hung up.
            Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

fn connect(address: &Address) -> anyhow::Result<TcpStream> {
    let context = || format!("cannot connect to {address}");
    let mut result = Err(io::Error::from(io::ErrorKind::NotFound));
    for address in (address.host.as_str(), address.port).to_socket_addrs().with_context(context)? {
        result = TcpStream::connect_timeout(&address, CONNECT_TIMEOUT);
        if result.is_ok() {
            break;
        }
    }
    result.with_context(context)
}

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
