//! The limits of searches by other engines.

use crate::laws::clock::{Budget, TimeControl};
use crate::search::limits::Limits;
use std::time::Duration;

/// Extra time beyond the move time before `stop` is sent.
const GRACE: Duration = Duration::from_secs(5);
/// The maximum duration of a search that is limited only by nodes or depth.
const MAX_SEARCH: Duration = Duration::from_secs(3600);

#[derive(Clone, Debug)]
pub(super) struct PeerLimits {
    /// The limits to send to the engine.
    pub control: TimeControl,
    /// The time after which `stop` is sent.
    pub allowed: Duration,
}

impl PeerLimits {
    /// Converts the limits of time, nodes and depth.
    pub(super) fn new<M>(limits: &Limits<M>) -> Self {
        let control = TimeControl {
            budget: limits.movetime.map_or(Budget::Unlimited, Budget::PerMove),
            nodes: limits.nodes,
            depth: limits.depth,
        };
        Self { control, allowed: limits.movetime.map_or(MAX_SEARCH, |time| time + GRACE) }
    }
}
