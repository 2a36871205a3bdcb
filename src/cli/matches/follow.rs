//! Output that is written during a match: JSON events, and the log of engine input and output.

use crate::arena::engine::line_log::LineLog;
use crate::arena::engine::process::Interrupt;
use crate::arena::game::GameRecord;
use crate::arena::game::contest::Contest;
use crate::arena::show::events::{EventFile, JsonEvent};
use crate::arena::tournament::config::{Console, OutputSettings};
use crate::arena::tournament::schedule::Pairing;
use crate::arena::tournament::{Standings, Tournament};
use anyhow::Context;
use std::sync::Arc;

/// The default size limit of the log in MiB.
const DEFAULT_LOG_SIZE: u32 = 100;

pub(super) struct Follow {
    events: Vec<Arc<EventFile>>,
    log: Option<LineLog>,
}

impl Follow {
    /// Opens the output files and registers them with the tournament.
    pub(super) fn open<G: Contest>(
        output: &OutputSettings,
        tournament: &mut Tournament<G>,
    ) -> anyhow::Result<Self> {
        let mut follow = Self { events: Vec::new(), log: None };
        let mut files = Vec::new();
        if let Some(path) = &output.events {
            files.push(EventFile::open(path).with_context(|| path.display().to_string())?);
        }
        if output.console == Some(Console::Json) {
            files.push(EventFile::stdout());
        }
        for file in files {
            let (file, engines) = (Arc::new(file), tournament.names());
            follow.events.push(Arc::clone(&file));
            tournament.watchers.add(move |event| file.add(JsonEvent::of(&engines, event)));
        }
        if let Some(path) = &output.log {
            let mib = output.log_size.unwrap_or(DEFAULT_LOG_SIZE);
            let limit = (mib > 0).then_some(u64::from(mib) << 20);
            let log = LineLog::open(path, limit).with_context(|| path.display().to_string())?;
            follow.log = Some(log.clone());
            tournament.log = Some(log);
        }
        Ok(follow)
    }

    pub(super) fn begin<G: Contest>(&self, tournament: &Tournament<G>, before: &Standings) {
        for file in &self.events {
            file.add([JsonEvent::match_started(tournament, before)]);
        }
    }

    /// Records the end of a game. Fails if any write to the output files has failed since the match
    /// began.
    pub(super) fn on_game_end<G: Contest>(
        &self,
        tournament: &Tournament<G>,
        pairing: &Pairing,
        game: &GameRecord<G>,
        standings: &Standings,
    ) -> anyhow::Result<()> {
        for file in &self.events {
            file.add(JsonEvent::game_ended(tournament, pairing, game, standings));
        }
        self.check()
    }

    fn check(&self) -> anyhow::Result<()> {
        for file in &self.events {
            file.check().with_context(|| file.path().display().to_string())?;
        }
        if let Some(log) = &self.log {
            log.check().with_context(|| log.path().display().to_string())?;
        }
        Ok(())
    }

    pub(super) fn close(&self, standings: &Standings, interrupt: &Interrupt) -> anyhow::Result<()> {
        let (games, interrupted) = (standings.games(), interrupt.is_raised());
        for file in &self.events {
            file.add([JsonEvent::MatchEnded { games, interrupted }]);
        }
        self.check()?;
        if let Some(log) = &self.log {
            log.close().with_context(|| log.path().display().to_string())?;
        }
        Ok(())
    }
}
