//! `adoube match --serve`: shows the running match in browsers.

use super::report::Page;
use crate::arena::engine::process::Interrupt;
use crate::arena::game::GameRecord;
use crate::arena::game::contest::Contest;
use crate::arena::show::live::Live;
use crate::arena::tournament::config::{MatchSettings, OutputSettings};
use crate::arena::tournament::schedule::Pairing;
use crate::arena::tournament::{Standings, Tournament};
use crate::board::broadcast::{Broadcast, OnAir, Watched};
use anyhow::Context;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The grace period for spectators to fetch the last page of an interrupted match.
const GRACE: Duration = Duration::from_secs(3);

pub(super) struct Server(Broadcast);

impl Server {
    /// Starts listening if `--serve` was given. This is called before the match, so that an
    /// unusable address is reported immediately.
    pub(super) fn open(output: &OutputSettings) -> anyhow::Result<Option<Self>> {
        let Some(text) = &output.serve else { return Ok(None) };
        let name = || format!("--serve {text}").trim_end().to_owned();
        let address = if text.is_empty() { None } else { Some(text.parse()) };
        let address = address.transpose().with_context(name)?;
        let broadcast = Broadcast::bind(address.as_ref()).with_context(name)?;
        Ok(Some(Self(broadcast)))
    }

    pub(super) fn show<G: Contest>(
        self,
        tournament: &Arc<Tournament<G>>,
        settings: &MatchSettings,
        live: Arc<Mutex<Live<G>>>,
        page: &Page,
        standings: &Standings,
    ) -> anyhow::Result<Serving<G>> {
        let anchor = settings.anchor(&tournament.entrants)?;
        let report = page.report();
        let tournament = Arc::clone(tournament);
        let watched =
            Watched::new(tournament, &settings.event, anchor, live, report, standings.clone());
        let address = self.0.address();
        let others =
            if self.0.is_everywhere() { " and all other addresses of this machine" } else { "" };
        let on_air = self.0.show(watched).context("--serve")?;
        eprintln!("Watch the match at {address}{others}");
        Ok(Serving { on_air, address })
    }
}

pub(super) struct Serving<G: Contest> {
    on_air: OnAir<G>,
    address: String,
}

impl<G: Contest> Serving<G> {
    pub(super) fn on_game_end(&self, pairing: &Pairing, game: &GameRecord<G>) {
        self.on_air.watched().on_game_end(pairing, game);
    }

    /// Publishes the end of the match. Unless the match was interrupted, continues to serve the
    /// page until Ctrl-C is pressed.
    pub(super) fn close(self, interrupt: &Interrupt) {
        if !interrupt.is_raised() {
            eprintln!(
                "The match is over; its page stays at {} until Ctrl-C is pressed",
                self.address
            );
        }
        self.on_air.close(|| !interrupt.is_raised(), GRACE);
    }
}
