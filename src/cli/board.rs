//! `adoube board`: serves a playing and analysis board to the browser.

use super::syzygy;
use crate::arena::engine::entrant::{Description, make_names_unique};
use crate::arena::engine::process::Interrupt;
use crate::board::{Equipment, Server, Tables};
use crate::chess::polyglot::Book;
use crate::endings::bitbase::{Bitbases, MAX_PIECES};
use anyhow::Context;
use std::env;
use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;

/// Play and analyse chess and draughts in the browser
///
/// Serves a web application on 127.0.0.1. It works offline and contacts no other machine. The
/// printed address contains a random token; requests without the token are refused. Games in
/// progress are saved in your state folder and can be resumed. Ctrl-C stops the server.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Port to listen on; 0 for any free port
    #[arg(long, default_value_t = 8964)]
    port: u16,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Save games in this folder [default: adoube/board in your state folder]
    #[arg(long, value_name = "DIR")]
    journal: Option<PathBuf>,
    /// Add an engine to play against and to analyse with, such as "cmd=PROGRAM
    /// ARGS,name=NAME,option.Hash=64"; with proto=hub or proto=dxp it plays draughts (repeatable)
    #[arg(long = "engine", value_name = "KEY=VALUE,...")]
    engines: Vec<String>,
    /// Polyglot book whose moves are shown during analysis
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// Folders with Syzygy tables for chess, separated as in PATH [default: $ADOUBE_SYZYGY]
    #[arg(long, value_name = "DIR")]
    tb: Option<OsString>,
    /// Verify the checksums of the Syzygy tables on startup, which reads all tables, and do not use
    /// damaged tables
    #[arg(long)]
    tb_verify: bool,
    /// Folder with bitbases for draughts, with a subfolder for each variant [default: the built-in
    /// bitbases and the output folder of `adoube bitbase build`]
    #[arg(long, value_name = "DIR")]
    bitbases: Option<PathBuf>,
}

impl Args {
    fn equipment(&self) -> anyhow::Result<Equipment> {
        let tables = Arc::new(self.tables()?);
        let open = |path: &PathBuf| {
            Book::open(path).map(Arc::new).with_context(|| format!("--book '{}'", path.display()))
        };
        let book = self.book.as_ref().map(open).transpose()?;
        if self.engines.is_empty() {
            return Ok(Equipment { tables, book, ..Equipment::default() });
        }
        let entrant = |text: &String| {
            let described = Description::from_text(text).and_then(|described| described.entrant());
            let entrant = described.with_context(|| format!("--engine '{text}'"))?;
            if !entrant.has_program() {
                anyhow::bail!(
                    "--engine '{text}': there is no program '{}'; give its path after cmd=",
                    entrant.program
                );
            }
            Ok(entrant)
        };
        let mut engines = self.engines.iter().map(entrant).collect::<anyhow::Result<Vec<_>>>()?;
        make_names_unique(&mut engines);
        let program = env::current_exe().context("cannot find the path of this program")?;
        let interrupt =
            Interrupt::guarded(&program).context("cannot start the process that guards engines")?;
        Ok(Equipment { engines, tables, book, interrupt })
    }

    fn tables(&self) -> anyhow::Result<Tables> {
        let folders = self.tb.clone().or_else(|| env::var_os(syzygy::VARIABLE));
        let checksums =
            if self.tb_verify { syzygy::Checksums::Verified } else { syzygy::Checksums::Ignored };
        let syzygy = folders.map(|folders| syzygy::open(&folders, checksums));
        let syzygy = syzygy.transpose().context("--tb")?;
        let syzygy = syzygy.unwrap_or_default();
        let Some(folder) = &self.bitbases else {
            return Ok(Tables::new(syzygy, |variant| {
                Bitbases::with_default_folder(variant, MAX_PIECES).unwrap_or_else(|error| {
                    super::print_error(format_args!("warning: {error}"));
                    Bitbases::shipped(variant)
                })
            }));
        };
        let all = Bitbases::open_all(folder).context("--bitbases")?;
        Ok(Tables::new(syzygy, move |variant| all[variant as usize].clone()))
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let server = Server::bind(args.port, args.journal.as_deref(), args.equipment()?)
        .context("cannot start the board")?;
    let stopper = server.stopper();
    ctrlc::set_handler(move || stopper.stop()).context("cannot install the Ctrl-C handler")?;
    let address = server.address();
    let mut out = std::io::stdout();
    writeln!(out, "The board is at {address}\nCtrl-C ends it.")?;
    out.flush()?;
    if args.open
        && let Err(error) = server.one_time_address().and_then(|address| open(&address))
    {
        super::print_error(format_args!("cannot open the browser: {error}"));
    }
    server.run()?;
    Ok(ExitCode::SUCCESS)
}

fn open(address: &str) -> std::io::Result<()> {
    let program = match env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    let mut command = Command::new(program);
    command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().map(|_| ())
}
