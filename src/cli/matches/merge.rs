//! `adoube match merge`: joins the shards of a match.

use crate::arena::game::contest::Contest;
use crate::arena::tournament::Tournament;
use crate::arena::tournament::config::{MatchConfig, MatchSettings};
use crate::arena::tournament::journal::MatchJournal;
use crate::arena::tournament::merge::{MatchShard, Merged};
use crate::base::game::GameKind;
use anyhow::{Context, bail};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Join the shards of a match (--shard) into one report and one file of games
///
/// Rejects shards whose engines, arguments or files differ, and folders that contain the same
/// shard. Unfinished shards can be joined too. Lists missing shards and games.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Folders in which the shards are stored
    #[arg(required = true, value_name = "DIR")]
    shards: Vec<PathBuf>,
    /// Store the joined match in this folder; `adoube match --resume` can then play the missing
    /// games
    #[arg(long = "dir", value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut first: Option<(&Path, MatchConfig)> = None;
    let mut shards = Vec::new();
    for dir in &args.shards {
        let config = super::stored_config(dir)?;
        let MatchSettings { game, schedule, .. } = &config.settings;
        let games = MatchJournal::games(dir, super::records_name(game.name()))?;
        shards.push(MatchShard { dir: absolute(dir)?, shard: schedule.shard, games });
        match &first {
            None => first = Some((dir, config)),
            Some((first, first_config)) => {
                let [own, others] = [&config, first_config].map(|config| config.settings.common());
                let why = if own != others {
                    let differences = own.differences(&others);
                    let texts: Vec<_> = differences.iter().map(ToString::to_string).collect();
                    texts.join(", ")
                } else if let Some(path) = config.differing_input(first_config) {
                    format!("{} differs", path.display())
                } else {
                    continue;
                };
                let (dir, first) = (dir.display(), first.display());
                bail!("{dir} is not a shard of the match in {first}: {why}");
            }
        }
    }
    let Some((_, mut config)) = first else { bail!("no shards to join") };
    config.settings = config.settings.common();
    let merged = Merged::of(shards)?;
    let out = args.out.as_deref().map(absolute).transpose()?;
    // Relative paths in the settings refer to this directory.
    super::go_to(&config.directory)?;
    match config.settings.game.name() {
        GameKind::Chess => join::<crate::chess::Position>(&config, &merged, out.as_deref()),
        GameKind::Draughts => join::<crate::draughts::Position>(&config, &merged, out.as_deref()),
    }
}

fn absolute(dir: &Path) -> anyhow::Result<PathBuf> {
    std::path::absolute(dir).with_context(|| dir.display().to_string())
}

fn join<G: Contest>(
    config: &MatchConfig,
    merged: &Merged,
    out: Option<&Path>,
) -> anyhow::Result<ExitCode> {
    let settings = &config.settings;
    let mut tournament: Tournament<G> = settings.tournament()?;
    let anchor = settings.anchor(&tournament.entrants)?;
    let standings = tournament.resume(&merged.entries())?;
    if let Some(out) = out {
        let name = super::records_name(settings.game.name());
        let mut journal = MatchJournal::create(out, config, name)?;
        merged.write(&mut journal)?;
    }
    let mut text = super::tables::report(&tournament, &standings, anchor);
    let (played, all) = (standings.games() as usize, tournament.games_in_all(&standings));
    if played < all {
        text += &format!("{} of {all} games are missing", all - played);
        if !merged.missing.is_empty() {
            let missing: Vec<String> = merged.missing.iter().map(ToString::to_string).collect();
            text += &format!("; missing shards: {}", missing.join(", "));
        }
        text.push('\n');
    }
    super::println_report(&text)?;
    Ok(ExitCode::SUCCESS)
}
