//! A stub of the module `serve` for builds without the feature `board`, which have no `--serve`
//! option.

use super::report::Page;
use crate::arena::engine::process::Interrupt;
use crate::arena::game::GameRecord;
use crate::arena::game::contest::Contest;
use crate::arena::show::live::Live;
use crate::arena::tournament::config::{MatchSettings, OutputSettings};
use crate::arena::tournament::schedule::Pairing;
use crate::arena::tournament::{Standings, Tournament};
use std::marker::PhantomData;
use std::sync::{Arc, Mutex};

pub enum Server {}

pub struct Serving<G>(Server, PhantomData<G>);

impl Server {
    pub const fn open(_: &OutputSettings) -> anyhow::Result<Option<Self>> {
        Ok(None)
    }

    pub fn show<G: Contest>(
        self,
        _: &Arc<Tournament<G>>,
        _: &MatchSettings,
        _: Arc<Mutex<Live<G>>>,
        _: &Page,
        _: &Standings,
    ) -> anyhow::Result<Serving<G>> {
        match self {}
    }
}

impl<G: Contest> Serving<G> {
    pub fn on_game_end(&self, _: &Pairing, _: &GameRecord<G>) {
        match self.0 {}
    }

    pub fn close(self, _: &Interrupt) {
        match self.0 {}
    }
}
