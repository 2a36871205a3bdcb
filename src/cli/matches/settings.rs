//! Conversion of match settings to a tournament that can be played.

use crate::arena::engine::entrant::{Entrant, make_names_unique};
use crate::arena::engine::link::Patience;
use crate::arena::game::contest::{Contest, Variant};
use crate::arena::game::openings::{Opening, OpeningKind, Openings, Recipe};
use crate::arena::game::{Adjudication, Rules, Tables};
use crate::arena::show::watch::Watchers;
use crate::arena::tournament::Tournament;
use crate::arena::tournament::config::{
    ControlSettings, MatchGame, MatchSettings, OpeningSettings, RunSettings, ScheduleForm,
};
use crate::arena::tournament::schedule::{Form, Schedule};
use crate::base::game::GameKind;
use crate::base::span::Span;
use crate::cli::{print_error, syzygy};
use crate::draughts;
use crate::endings::bitbase::{Bitbases, MAX_PIECES};
use crate::laws::clock::{Budget, TimeControl};
use crate::record::compressed::{self, uncompressed_name};
use crate::record::decode;
use crate::record::format::{self, Layout, detect};
use anyhow::{Context, anyhow, bail, ensure};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

const ONE_PORT: &str =
    "its command has no {port}, so only one process can run: add {port} or give --concurrency 1";

impl MatchGame {
    pub(super) const fn name(self) -> GameKind {
        match self {
            Self::Chess | Self::Chess960 => GameKind::Chess,
            Self::Draughts(_) => GameKind::Draughts,
        }
    }

    pub(super) const fn variant(self) -> Variant {
        match self {
            Self::Chess | Self::Draughts(draughts::Variant::Normal) => Variant::Standard,
            Self::Chess960 => Variant::Chess960,
            Self::Draughts(variant) => Variant::Draughts(variant),
        }
    }
}

impl MatchSettings {
    /// Returns the files that the match depends on: the openings and the engine programs.
    pub(super) fn inputs(&self, entrants: &[Arc<Entrant>]) -> Vec<PathBuf> {
        let source = &self.openings.source;
        let openings = (!Recipe::is_recipe(source)).then(|| PathBuf::from(source));
        let programs = entrants.iter().flat_map(|entrant| entrant.programs());
        openings.into_iter().chain(programs).collect()
    }

    fn entrants(&self) -> anyhow::Result<Vec<Entrant>> {
        let entrants = self.engines.iter().map(|engine| Ok(engine.entrant()?));
        let mut entrants: Vec<Entrant> = entrants.collect::<anyhow::Result<_>>()?;
        ensure!(entrants.len() >= 2, "a match needs two engines: --engine cmd=PROGRAM, twice");
        make_names_unique(&mut entrants);
        entrants.iter_mut().for_each(|entrant| entrant.lenient = self.lenient);
        Ok(entrants)
    }

    fn control(&self, entrants: &[Entrant]) -> anyhow::Result<TimeControl> {
        let ControlSettings { tc, movetime, nodes, depth, .. } = &self.control;
        let budget = match (tc, movetime) {
            (Some(text), _) => text.parse().with_context(|| format!("the time control {text}"))?,
            (None, Some(ms)) => Budget::PerMove(Span::from_millis(*ms).time()),
            (None, None) => Budget::Unlimited,
        };
        let control = TimeControl { budget, nodes: *nodes, depth: *depth };
        let all_have_one = entrants.iter().all(|e| e.control.is_some());
        ensure!(
            control != TimeControl::default() || all_have_one,
            "no time control: give --tc, --movetime, --nodes or --depth"
        );
        Ok(control)
    }

    fn tables(&self) -> anyhow::Result<Option<Tables>> {
        if !self.rules.syzygy.is_empty() {
            let folders = std::env::join_paths(&self.rules.syzygy).context("--tb")?;
            return Ok(Some(Tables::Syzygy(Arc::new(
                syzygy::open(&folders, syzygy::Checksums::Ignored).context("--tb")?,
            ))));
        }
        if !self.rules.bitbases {
            return Ok(None);
        }
        let variant = match self.game {
            MatchGame::Draughts(variant) => variant,
            MatchGame::Chess | MatchGame::Chess960 => draughts::Variant::Normal,
        };
        let bitbases = Bitbases::with_default_folder(variant, MAX_PIECES)?;
        Ok(Some(Tables::Bitbases(Arc::new(bitbases))))
    }

    fn openings<G: Contest>(&self) -> anyhow::Result<Openings<G>> {
        let OpeningSettings { source, plies, shuffle, start, seed, .. } = &self.openings;
        let (plies, seed, source) = (*plies, *seed, source.as_str());
        let variant = self.game.variant();
        let is_chess960 = variant == Variant::Chess960;
        let context = || format!("--openings {source}");
        let is_list = !Recipe::is_recipe(source) && !source.ends_with(".bin");
        ensure!(
            is_list || *start == 1,
            "--openings {source}: only openings in an EPD, PGN or PDN file have numbers to start from"
        );
        if Recipe::is_recipe(source) {
            let recipe: Recipe = source.parse().with_context(context)?;
            let ballot = recipe.kind == OpeningKind::Ballot;
            ensure!(
                !ballot || !is_chess960,
                "--openings {source}: ballot is not available for Chess960"
            );
            return Openings::make(recipe, seed, variant).with_context(context);
        }
        if source.ends_with(".bin") {
            ensure!(!is_chess960, "--openings {source}: books cannot be used for Chess960");
            let book = G::read_book(Path::new(source)).map_err(|error| anyhow!("{error}"));
            let book = book.with_context(context)?;
            return Openings::from_book(book, plies, seed).with_context(context);
        }
        let bytes = compressed::read(Path::new(source)).with_context(context)?;
        let list = match detect(uncompressed_name(source), &bytes[..bytes.len().min(format::HEAD)])
        {
            (Layout::Positions, _) => Opening::from_epd(&decode(bytes), variant),
            (Layout::Games | Layout::Sheets, _) => {
                Opening::from_records(&bytes[..], plies, variant)
            }
        };
        for fault in &list.faults {
            print_error(format_args!("warning: {source}: {fault}"));
        }
        let count = list.openings.len();
        let openings = Openings::new(list.openings, *shuffle, seed).with_context(context)?;
        ensure!(
            *start <= count,
            "--openings {source}: start={start}, but the file has only {count} openings"
        );
        Ok(openings.starting_at(start - 1))
    }

    pub(super) fn anchor(&self, entrants: &[Arc<Entrant>]) -> anyhow::Result<Option<usize>> {
        let Some(name) = &self.anchor else { return Ok(None) };
        ensure!(entrants.len() > 2, "--anchor requires more than two engines");
        let anchor = entrants.iter().position(|entrant| entrant.name == *name);
        anchor.with_context(|| format!("--anchor {name}: no engine has this name")).map(Some)
    }

    fn form(&self, players: usize) -> anyhow::Result<Form> {
        let rounds = self.schedule.rounds.map(usize::from);
        let form = match self.schedule.form {
            ScheduleForm::RoundRobin => Form::RoundRobin,
            ScheduleForm::Gauntlet => Form::Gauntlet,
            ScheduleForm::Knockout => Form::Knockout,
            ScheduleForm::Swiss => {
                Form::Swiss(rounds.unwrap_or(players.next_power_of_two().ilog2() as usize))
            }
            ScheduleForm::Ladder => Form::Ladder(rounds.unwrap_or(players)),
        };
        let takes_rounds = matches!(form, Form::Swiss(_) | Form::Ladder(_));
        ensure!(
            rounds.is_none() || takes_rounds,
            "--rounds requires --schedule swiss or ladder; --games is the number of games per pairing"
        );
        Ok(form)
    }

    pub(super) fn tournament<G: Contest>(&self) -> anyhow::Result<Tournament<G>> {
        let entrants = self.entrants()?;
        let RunSettings { concurrency, affinity, start_delay, max_time } = &self.run;
        let (concurrency, shard) = (*concurrency, self.schedule.shard);
        ensure!(self.schedule.games > 0, "--games must be at least 1");
        ensure!(concurrency > 0, "--concurrency must be at least 1");
        if self.sprt.is_some() && entrants.len() != 2 {
            bail!("--sprt requires exactly two engines, not {}", entrants.len());
        }
        let form = self.form(entrants.len())?;
        let pairs = self.schedule.games.div_ceil(2);
        let mut schedule =
            Schedule::new(form, entrants.len(), pairs).repeat(self.openings.repeat.get());
        if let Some(games) = self.schedule.total_games {
            schedule = schedule.at_most(usize::try_from(games).unwrap_or(usize::MAX));
        }
        let schedule = schedule.restrict_to(shard).with_context(|| {
            format!("--shard {shard} requires --schedule round-robin or gauntlet")
        })?;
        let cores = affinity.as_ref().map(|cores| cores.of_games(concurrency));
        for entrant in entrants.iter().filter(|_| concurrency > 1) {
            ensure!(!entrant.has_one_port(), "{}: {}", entrant.name, ONE_PORT);
        }
        let edition = self.rules.edition.unwrap_or(G::EDITION);
        ensure!(
            edition.terms().game == G::EDITION.terms().game,
            "--edition {edition} ({}): these are not laws of this game",
            edition.title()
        );
        let adjudication = Adjudication {
            win: self.rules.resign,
            draw: self.rules.draw,
            max_moves: self.rules.max_moves,
            tables: self.tables()?,
        };
        let patience = Span::from_millis(self.control.patience).time();
        Ok(Tournament {
            schedule,
            openings: self.openings()?,
            rules: Rules {
                control: self.control(&entrants)?,
                margin: Span::from_millis(self.control.margin).time(),
                patience,
                variant: self.game.variant(),
                edition,
                adjudication,
                restarts: self.rules.restarts,
            },
            concurrency,
            cores: cores.transpose().context("--affinity")?.unwrap_or_default(),
            start_delay: Span::from_millis(*start_delay).time(),
            max_time: max_time.map(|time| Span::from_millis(time).time()),
            sprt: self.sprt,
            patience: Patience { stop: stop_timeout(patience), ..Patience::default() },
            entrants: entrants.into_iter().map(Arc::new).collect(),
            watchers: Watchers::default(),
            log: None,
        })
    }
}

/// Returns the timeout for a move after `stop`. It equals `patience`, the timeout before `stop`,
/// but is at least 1 second and at most 10 seconds.
fn stop_timeout(patience: Duration) -> Duration {
    patience.clamp(Duration::from_secs(1), Patience::default().stop)
}
