//! The HTML report of a match. It is written at the end of the match, or later by
//! `adoube match report` from the match folder.

use super::records_name;
use crate::arena::game::GameRecord;
use crate::arena::game::contest::Contest;
use crate::arena::show::live::lock;
use crate::arena::show::report::Report;
use crate::arena::tournament::config::{MatchConfig, MatchSettings};
use crate::arena::tournament::journal::{MatchEntry, MatchJournal};
use crate::arena::tournament::schedule::Pairing;
use crate::arena::tournament::{Standings, Tournament};
use crate::base::file::replace;
use crate::base::game::GameKind;
use crate::cli::output_file::{self, OutputKind};
use crate::record::games::{Reader, Record};
use anyhow::Context;
use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

/// Write an HTML report of the match stored in a folder (the match may still be running)
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Folder in which the match is stored
    dir: PathBuf,
    /// File to write
    file: PathBuf,
    /// Number of the first game whose moves are included; a report includes the moves of at most
    /// 4000 games
    #[arg(long, value_name = "GAME", default_value_t = 1)]
    from: usize,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let path = std::path::absolute(&args.file).with_context(|| args.file.display().to_string())?;
    let dir = args.dir.canonicalize().with_context(|| args.dir.display().to_string())?;
    let MatchConfig { settings, directory, .. } = &super::stored_config(&dir)?;
    super::go_to(directory)?;
    match settings.game.name() {
        GameKind::Chess => write::<crate::chess::Position>(&dir, settings, path, args.from)?,
        GameKind::Draughts => write::<crate::draughts::Position>(&dir, settings, path, args.from)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn write<G: Contest>(
    dir: &Path,
    settings: &MatchSettings,
    path: PathBuf,
    from: usize,
) -> anyhow::Result<()> {
    let mut tournament: Tournament<G> = settings.tournament()?;
    let games = MatchJournal::games(dir, records_name(settings.game.name()))?;
    let entries: Vec<MatchEntry> = games.into_iter().map(|(entry, _)| entry).collect();
    let standings = tournament.resume(&entries)?;
    let last = entries.iter().map(|entry| entry.game + 1).max().unwrap_or(1);
    anyhow::ensure!(from <= last, "--from {from}: the last game is {last}");
    let mut page = Page::open(Some(path), &settings.event, &tournament, from)?;
    page.add_played(dir, settings, &tournament, &standings)?;
    page.write(&tournament, &standings)
}

pub(super) struct Page {
    path: Option<PathBuf>,
    report: Arc<Mutex<Report>>,
}

impl Page {
    /// Creates a report without games. Games numbered below `from` will be added without their
    /// moves. If `path` is given, the file is created immediately, so that an unusable path is
    /// reported before the match.
    pub(super) fn open<G: Contest>(
        path: Option<PathBuf>,
        event: &str,
        tournament: &Tournament<G>,
        from: usize,
    ) -> anyhow::Result<Self> {
        if let Some(path) = &path {
            output_file::check(path, OutputKind::Html, &[])?;
            let open = OpenOptions::new().create(true).append(true).open(path);
            open.with_context(|| path.display().to_string())?;
        }
        let report = Report::new(event, tournament.names(), from.max(1));
        Ok(Self { path, report: Arc::new(Mutex::new(report)) })
    }

    #[cfg(feature = "board")]
    pub(super) fn report(&self) -> Arc<Mutex<Report>> {
        Arc::clone(&self.report)
    }

    pub(super) fn add_played<G: Contest>(
        &mut self,
        dir: &Path,
        settings: &MatchSettings,
        tournament: &Tournament<G>,
        standings: &Standings,
    ) -> anyhow::Result<()> {
        let name = records_name(settings.game.name());
        let mut schedule = tournament.schedule.clone();
        schedule.extend(&standings.results);
        for (entry, position) in MatchJournal::games(dir, name)? {
            let text = position.read()?;
            let in_file = || dir.join(name).display().to_string();
            let record: Record<G> = Reader::<G, _>::new(text.as_bytes())
                .next()
                .context("the record of a game is missing")
                .with_context(in_file)?
                .with_context(in_file)?;
            // Always `Some`: `standings` was computed from the same games.
            if let Some(pairing) = schedule.game(entry.game) {
                lock(&self.report).add(&pairing, entry.score, &record);
            }
        }
        Ok(())
    }

    pub(super) fn add<G: Contest>(
        &mut self,
        pairing: &Pairing,
        game: &GameRecord<G>,
        record: &Record<G>,
    ) {
        if let Some(score) = game.score() {
            lock(&self.report).add(pairing, score, record);
        }
    }

    pub(super) fn write<G: Contest>(
        &self,
        tournament: &Tournament<G>,
        standings: &Standings,
    ) -> anyhow::Result<()> {
        let Some(path) = &self.path else { return Ok(()) };
        let page = lock(&self.report).page(tournament, standings);
        replace(path, page.as_bytes()).with_context(|| path.display().to_string())
    }
}
