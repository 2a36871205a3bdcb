//! `adoube match merge`: shares of a match become one.

use super::args;
use crate::arena::game::contest::Contest;
use crate::arena::tournament::Tournament;
use crate::arena::tournament::journal::{Header, Journal};
use crate::arena::tournament::merge::{Merged, Share};
use crate::base::game::GameKind;
use anyhow::{Context, bail};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Join the shares of a match (--shard) into one report and one file of games
///
/// Shares with different engines, arguments or files are refused, and so is a share that is in two folders.
/// Missing shares and games are named. Shares that are still being played can be joined too.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The folders of the shares
    #[arg(required = true, value_name = "DIR")]
    shares: Vec<PathBuf>,
    /// Keep the joined match in this folder; --resume plays what is missing
    #[arg(long = "dir", value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Runs `adoube match merge`.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut first: Option<(&Path, Header, args::Args)> = None;
    let mut shares = Vec::new();
    for dir in &args.shares {
        let (header, of_share) = super::kept(dir)?;
        let shard = of_share.shard;
        let games = Journal::games(dir, super::records_name(of_share.game))?;
        shares.push(Share { dir: absolute(dir)?, shard, games });
        match &first {
            None => first = Some((dir, header, of_share)),
            Some((first, first_header, first_args)) => {
                let why = if first_args.common() != of_share.common() {
                    difference(&first_header.args, &header.args)
                } else if let Some(path) = header.differing_input(first_header) {
                    format!("{} is another file there", path.display())
                } else {
                    continue;
                };
                let (dir, first) = (dir.display(), first.display());
                bail!("{dir} is no share of the match in {first}: {why}");
            }
        }
    }
    let Some((_, header, kept)) = first else { bail!("there is no share to join") };
    let merged = Merged::of(shares)?;
    let out = args.out.as_deref().map(absolute).transpose()?;
    // The file names in the arguments are relative to it.
    super::go_to(&header.directory)?;
    let whole = kept.common();
    match whole.game {
        GameKind::Chess => join::<crate::chess::Position>(&whole, header, &merged, out.as_deref()),
        GameKind::Draughts => {
            join::<crate::draughts::Position>(&whole, header, &merged, out.as_deref())
        }
    }
}

fn absolute(dir: &Path) -> anyhow::Result<PathBuf> {
    std::path::absolute(dir).with_context(|| dir.display().to_string())
}

fn join<G: Contest>(
    args: &args::Args,
    mut header: Header,
    merged: &Merged,
    out: Option<&Path>,
) -> anyhow::Result<ExitCode> {
    let mut tournament: Tournament<G> = args.tournament()?;
    let anchor = args.anchor(&tournament.entrants)?;
    let standings = tournament.resume(&merged.entries())?;
    if let Some(out) = out {
        header.args = without_own(&header.args);
        let mut journal = Journal::create(out, &header, super::records_name(args.game))?;
        merged.write(&mut journal)?;
    }
    let mut text = super::tables::report(&tournament, &standings, anchor);
    let (played, all) = (standings.games() as usize, tournament.games_in_all(&standings));
    if played < all {
        text += &format!("{} of {all} games are missing", all - played);
        if !merged.missing.is_empty() {
            let missing: Vec<String> = merged.missing.iter().map(ToString::to_string).collect();
            text += &format!("; no folder has share {}", missing.join(", "));
        }
        text.push('\n');
    }
    super::println_report(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// The arguments without those that are a share's own.
fn without_own(words: &[String]) -> Vec<String> {
    const OWN: [&str; 7] = ["--shard", "--dir", "--pgn", "--pdn", "--events", "--log", "--report"];
    let mut words = words.iter();
    let mut kept = Vec::new();
    while let Some(word) = words.next() {
        match word.split_once('=') {
            None if OWN.contains(&word.as_str()) => drop(words.next()),
            Some((name, _)) if OWN.contains(&name) => {}
            _ => kept.push(word.clone()),
        }
    }
    kept
}

/// Says which arguments only one of two matches has.
fn difference(first: &[String], other: &[String]) -> String {
    let [first, other] = [first, other].map(without_own);
    let only = |these: &[String], those: &[String]| {
        let words: Vec<&str> =
            these.iter().filter(|word| !those.contains(word)).map(String::as_str).collect();
        if words.is_empty() { "other words".to_owned() } else { words.join(" ") }
    };
    format!("it was asked for {}, not {}", only(&other, &first), only(&first, &other))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn the_share_is_taken_out_of_the_arguments() {
        for text in [
            "--games 4 --shard 1/3 --seed 2 --dir a --log l",
            "--shard=2/3 --games 4 --dir=b --seed 2",
        ] {
            assert_eq!(without_own(&words(text)), words("--games 4 --seed 2"));
        }
    }

    #[test]
    fn what_differs_is_named() {
        let why = difference(&words("--games 4 --shard 1/2"), &words("--games 6 --shard 2/2"));
        assert_eq!(why, "it was asked for 6, not 4");
    }
}
