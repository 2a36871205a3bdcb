//! `adoube perft merge`: merges the shards of a count.

use super::count;
use crate::base::game::GameKind;
use crate::tools::perft::journal::{Joined, StoredCount, join};
use crate::tools::suite::SuiteGame;
use crate::{chess, draughts};
use anyhow::{anyhow, bail};
use clap::ValueEnum;
use serde_json::Value;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Merge the shards of a perft count made with --shard and --dir
///
/// Rejects shards that belong to different counts, and folders that contain the same shard.
/// Unfinished shards can be merged too. Lists missing shards and subtrees; if there are any, the
/// exit code is 1.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Folders in which the shards are stored
    #[arg(required = true, value_name = "DIR")]
    shards: Vec<PathBuf>,
    /// Write castling as the king capturing its rook
    #[arg(long)]
    chess960: bool,
    /// Print the count for each root move
    #[arg(long)]
    divide: bool,
    /// Print one line of JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let shards =
        args.shards.iter().map(|dir| StoredCount::read(dir)).collect::<Result<Vec<_>, _>>()?;
    let Some(first) = shards.first() else { bail!("there are no shards to merge") };
    match GameKind::from_str(&first.tree().game, false) {
        Ok(GameKind::Chess) => {
            let root: chess::Position = read(&first.tree().position)?;
            print_result(&join(&root, &shards)?, first.tree().depth, args, |m| {
                root.uci(m, args.chess960)
            })
        }
        Ok(GameKind::Draughts) => {
            let root: draughts::Position = read(&first.tree().position)?;
            print_result(&join(&root, &shards)?, first.tree().depth, args, |m| m.to_string())
        }
        Err(_) => bail!("unknown game '{}'", first.tree().game),
    }
}

fn read<G: SuiteGame>(position: &str) -> anyhow::Result<G> {
    let (position, _) = G::read(position).map_err(|why| anyhow!("in '{position}': {why}"))?;
    Ok(position)
}

fn print_result<M: Copy>(
    joined: &Joined<M>,
    depth: u32,
    args: &Args,
    text: impl Fn(M) -> String,
) -> anyhow::Result<ExitCode> {
    let Joined { division, open, missing } = joined;
    let missing: Vec<String> = missing.iter().map(ToString::to_string).collect();
    let mut out = io::stdout().lock();
    if args.json {
        let mut found = count::json(division, depth, text);
        found.insert("missing_shares".to_owned(), missing.into());
        found.insert("missing_subtrees".to_owned(), (*open).into());
        writeln!(out, "{}", Value::from(found))?;
    } else {
        if *open > 0 {
            writeln!(out, "{open} subtrees of these shards are not counted yet")?;
        }
        if !missing.is_empty() {
            writeln!(out, "missing shards: {}", missing.join(", "))?;
        }
        count::print(&mut out, division, args.divide, text)?;
    }
    Ok(if division.complete { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
