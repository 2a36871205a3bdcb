//! The running games of a match, as shown to spectators.
//!
//! Moves are stored as they arrive. Move text is generated only when a spectator requests it, which
//! happens far less often than a move is made.

use super::watch::{MadeMove, MatchEvent};
use crate::arena::engine::answer::Thought;
use crate::arena::game::contest::Contest;
use crate::arena::tournament::Tournament;
use crate::base::game::MoveForm;
use crate::base::side::Side;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

#[derive(Debug)]
pub(crate) struct Live<G: Contest> {
    /// The running games by number, counted from 1.
    pub games: BTreeMap<usize, LiveGame<G>>,
    pub changes: u64,
}

#[derive(Clone, Debug)]
pub(crate) struct LiveGame<G: Contest> {
    pub players: [usize; 2],
    pub position: G,
    /// The last move made by an engine, and the position before it.
    last: Option<(G, G::Move)>,
    thoughts: [Thought; 2],
    /// The remaining times after the last move, which was made at the time `moved`.
    clocks: [Option<Duration>; 2],
    moved: Instant,
    /// The number of plies before the current position, counted from White's move 1.
    half_moves: usize,
}

impl<G: Contest> Default for Live<G> {
    fn default() -> Self {
        Self { games: BTreeMap::new(), changes: 0 }
    }
}

pub(crate) fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<G: Contest> Live<G> {
    /// Tracks the running games of a tournament that is about to start.
    pub fn watch(tournament: &mut Tournament<G>) -> Arc<Mutex<Self>> {
        let live = Arc::new(Mutex::new(Self::default()));
        let shared = Arc::clone(&live);
        tournament.watchers.add(move |event| lock(&shared).see(event));
        live
    }

    pub(crate) fn see(&mut self, event: &MatchEvent<'_, G>) {
        self.changes += 1;
        match event {
            MatchEvent::GameStarted(pairing, opening) => {
                let black_first = usize::from(opening.start.side() == Side::Black);
                let before = opening.start.first_number().saturating_sub(1) as usize;
                let game = LiveGame {
                    players: [pairing.white, pairing.black],
                    position: opening.end(),
                    last: None,
                    thoughts: [Thought::default(); 2],
                    clocks: [None, None],
                    moved: Instant::now(),
                    half_moves: 2 * before + black_first + opening.moves.len(),
                };
                self.games.insert(pairing.game + 1, game);
            }
            MatchEvent::Moved(pairing, MadeMove { before, after, played, clocks }) => {
                let Some(game) = self.games.get_mut(&(pairing.game + 1)) else { return };
                game.last = Some(((*before).clone(), played.m));
                game.position = (*after).clone();
                game.thoughts[before.side().index()] = played.thought;
                game.clocks = *clocks;
                game.moved = Instant::now();
                game.half_moves += 1;
            }
        }
    }

    /// Removes a game that has ended, and returns its last state. Games are numbered from 1.
    pub(crate) fn remove(&mut self, game: usize) -> Option<LiveGame<G>> {
        self.changes += 1;
        self.games.remove(&game)
    }
}

impl<G: Contest> LiveGame<G> {
    /// Returns the remaining time of `side` at the time `now`. Only the clock of the side to move
    /// is running. Returns `None` if there is no clock or no engine has moved yet.
    pub fn clock(&self, side: Side, now: Instant) -> Option<Duration> {
        let left = self.clocks[side.index()]?;
        let runs = side == self.position.side();
        let elapsed = if runs { now.saturating_duration_since(self.moved) } else { Duration::ZERO };
        Some(left.saturating_sub(elapsed))
    }

    /// Returns the last move with its number, in the notation of game records, such as `12. Nf3` or
    /// `12… Nf6`.
    pub(crate) fn last_move(&self) -> Option<String> {
        let (before, m) = self.last.as_ref()?;
        let number = self.half_moves.div_ceil(2);
        let dots = if before.side().is_white() { "." } else { "…" };
        Some(format!("{number}{dots} {}", before.write_move(*m, MoveForm::Record)))
    }

    pub(crate) fn squares_before(&self) -> Option<String> {
        self.last.as_ref().map(|(before, _)| before.squares())
    }

    pub(crate) fn thought_text(&self, side: Side) -> String {
        let Thought { score, depth, .. } = self.thoughts[side.index()];
        match score {
            Some(score) if depth == 0 => score.to_string(),
            Some(score) => format!("{score} depth {depth}"),
            None => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::arena::engine::answer::ReportedScore;
    use crate::arena::game::PlayedMove;
    use crate::arena::game::openings::Opening;
    use crate::arena::tournament::schedule::Pairing;
    use crate::{chess, draughts};

    const PAIRING: Pairing = Pairing { game: 6, opening: 0, white: 1, black: 0 };

    /// Creates a game in progress that consists of an opening and one engine move with the given
    /// search information.
    fn game<G: Contest>(opening: &Opening<G>, m: G::Move, thought: Thought) -> Live<G> {
        let mut live = Live::default();
        live.see(&MatchEvent::GameStarted(&PAIRING, opening));
        let before = opening.end();
        let after = before.after(m);
        let (elapsed, left, restarted) = (Duration::ZERO, None, None);
        let played = PlayedMove { m, elapsed, left, thought, restarted };
        let clocks = [Some(Duration::from_secs(60)); 2];
        let made = MadeMove { before: &before, after: &after, played: &played, clocks };
        live.see(&MatchEvent::Moved(&PAIRING, made));
        live
    }

    #[test]
    fn shows_the_last_move_with_number_and_search_information() {
        let start: chess::Position =
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1".parse().unwrap();
        let e5 = start.parse_uci("e7e5").unwrap();
        let after = start.play(e5);
        let opening = Opening { start, moves: vec![e5] };
        let thought =
            Thought { score: Some(ReportedScore::Centipawns(25)), depth: 9, ..Thought::default() };
        let mut live = game(&opening, after.parse_uci("g1f3").unwrap(), thought);
        let running = &live.games[&7];
        assert_eq!(running.players, [1, 0]);
        assert_eq!(running.last_move().unwrap(), "2. Nf3");
        assert_eq!(
            [Side::White, Side::Black].map(|side| running.thought_text(side)),
            ["+0.25 depth 9", ""]
        );
        let later = running.moved + Duration::from_secs(7);
        let clocks = Side::ALL.map(|side| running.clock(side, later));
        assert_eq!(clocks, [60, 53].map(|left| Some(Duration::from_secs(left))));
        assert!(live.remove(8).is_none() && live.remove(7).is_some() && live.games.is_empty());

        let opening = Opening { start: draughts::Position::start(), moves: Vec::new() };
        let m = opening.start.legal_moves()[0];
        let live = game(&opening, m, Thought::default());
        assert_eq!(live.games[&7].last_move().unwrap(), format!("1. {m}"));
    }
}
