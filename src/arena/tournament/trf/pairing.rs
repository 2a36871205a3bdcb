//! Pairing the rounds of a tournament between people, by the Dutch system or the Berger tables.

use super::{
    Board, Entry, MAX_REPEATED, Mark, OpenGame, Player, Prohibition, Report, System,
    TournamentStateError,
};
use crate::arena::tournament::berger;
use crate::arena::tournament::dutch::{self, Breach, Outcome, Situation};
use crate::arena::tournament::rounds::Round;
use crate::base::side::Side;

impl Report {
    fn situation(&self, rounds: usize) -> Situation {
        let paired = self.paired();
        let win = self.scoring.of(Mark::Win);
        let outcome = |entry: Entry| {
            let points = self.entry_half_points(&entry);
            match entry.game() {
                Some((opponent, side)) => Outcome::Game { opponent, side, points },
                None => Outcome::Unplayed {
                    points,
                    paired: entry.is_paired(),
                    bars_bye: entry.mark == Mark::PairingBye || points >= win,
                },
            }
        };
        let outcomes = |player: &Player| {
            (0..paired).map(|round| outcome(player.entry(round))).collect::<Vec<_>>()
        };
        let is_absent = |index: &usize| self.players[*index].entry(paired) != Entry::EMPTY;
        let in_round = self.prohibitions.iter().filter(|it| it.rounds.contains(&(paired + 1)));
        let in_round = in_round.flat_map(Prohibition::pairs);
        let forbidden = self.forbidden.iter().copied().chain(in_round).collect();
        Situation {
            outcomes: self.players.iter().map(outcomes).collect(),
            rounds,
            absent: (0..self.players.len()).filter(is_absent).collect(),
            forbidden,
            initial: self.initial.or_else(|| self.first_colour()).unwrap_or(Side::White),
            win,
            loss: self.scoring.of(Mark::Loss),
        }
    }

    /// Infers the initial colour from the first round in which colours were assigned. Only players
    /// who had been paired by then are considered, and are renumbered from 1. The lowest-numbered
    /// player with a colour in that round decides: this player has the initial colour if the number
    /// is odd, and the opposite colour if it is even.
    fn first_colour(&self) -> Option<Side> {
        let first = |player: &Player| player.entries.iter().position(|e| e.side.is_some());
        let round = self.players.iter().filter_map(first).min()?;
        let entered =
            |player: &&Player| player.entries.iter().take(round + 1).any(Entry::is_paired);
        let sides = self.players.iter().filter(entered).map(|player| player.entry(round).side);
        let (index, side) = sides.enumerate().find_map(|(i, side)| Some((i, side?)))?;
        Some(if index.is_multiple_of(2) { side } else { !side })
    }

    /// Pairs the next round, by the Berger tables or by the Dutch system. If no legal pairing exists,
    /// this is an error, and nothing changes. With `force`, the pairing with the least serious
    /// violations is stored, and the violations are returned as text.
    pub fn pair(&mut self, force: bool) -> Result<Vec<String>, TournamentStateError> {
        self.check_supported()?;
        let round = self.paired();
        let system = self.system();
        // The rounds of a round robin do not depend on results, so its games can be postponed.
        if system != System::RoundRobin
            && let Some(open) = self.open_games(round).first()
        {
            return Err(self.unfinished(open));
        }
        let (_, rounds) = self.next_round()?;
        match system {
            System::Dutch => self.pair_dutch(round, rounds, force),
            System::RoundRobin => self.pair_round_robin(round, rounds, force),
            System::Other(name) => Err(TournamentStateError::System(name)),
        }
    }

    fn pair_dutch(
        &mut self,
        round: usize,
        rounds: usize,
        force: bool,
    ) -> Result<Vec<String>, TournamentStateError> {
        let situation = self.situation(rounds);
        if self.players.len() < situation.absent.len() + 2 {
            return Err(TournamentStateError::TooFew);
        }
        let pairs: Round = dutch::pair_next(&situation);
        let breaches = self.breach_texts(dutch::breaches(&situation, &pairs));
        if !force && !breaches.is_empty() {
            let breaches = breaches.join("; ");
            return Err(TournamentStateError::NoLegalPairing { round: round + 1, breaches });
        }
        self.enter_pairs(round, &pairs);
        for player in &mut self.players {
            if player.entry(round) == Entry::EMPTY {
                player.set_entry(round, Entry::bye(Mark::PairingBye));
            }
        }
        Ok(breaches)
    }

    /// Pairs a round by the Berger tables. A player who is absent loses by forfeit. A player who
    /// rests gets no points.
    fn pair_round_robin(
        &mut self,
        round: usize,
        rounds: usize,
        force: bool,
    ) -> Result<Vec<String>, TournamentStateError> {
        let players = self.players.len();
        let pairs = berger::pairs(players, round, rounds);
        let has_points =
            |player: &&Player| !matches!(player.entry(round).mark, Mark::Open | Mark::ZeroBye);
        if let Some(player) = self.players.iter().find(has_points) {
            return Err(TournamentStateError::RoundRobinBye(player.name()));
        }
        let games = |a: usize, b: usize| {
            (0..round).filter(|&round| self.players[a].entry(round).opponent == Some(b)).count()
        };
        let repeated = (round..rounds).flat_map(|later| {
            let cycle = later / berger::rounds(players);
            let pairs = berger::pairs(players, later, rounds).into_iter();
            pairs.filter(move |&(a, b)| games(a, b) > cycle)
        });
        let repeated = repeated.take(MAX_REPEATED).map(|(a, b)| Breach::MeetAgain(a, b));
        let breaches = self.breach_texts(repeated);
        if !force && !breaches.is_empty() {
            let breaches = breaches.join("; ");
            return Err(TournamentStateError::NotBerger { round: round + 1, breaches });
        }
        let is_absent: Vec<bool> =
            self.players.iter().map(|player| player.entry(round) != Entry::EMPTY).collect();
        self.enter_pairs(round, &pairs);
        for (white, black) in pairs {
            let marks = match [is_absent[white], is_absent[black]] {
                [false, false] => continue,
                [true, true] => [Mark::ForfeitLoss; 2],
                [true, false] => [Mark::ForfeitLoss, Mark::ForfeitWin],
                [false, true] => [Mark::ForfeitWin, Mark::ForfeitLoss],
            };
            for (player, mark) in [white, black].into_iter().zip(marks) {
                self.players[player].entries[round].mark = mark;
            }
        }
        for player in &mut self.players {
            if player.entry(round) == Entry::EMPTY {
                player.set_entry(round, Entry::bye(Mark::ZeroBye));
            }
        }
        Ok(breaches)
    }

    fn enter_pairs(&mut self, round: usize, pairs: &[(usize, usize)]) {
        for &(white, black) in pairs {
            for (player, opponent, side) in
                [(white, black, Side::White), (black, white, Side::Black)]
            {
                let entry = Entry { opponent: Some(opponent), side: Some(side), mark: Mark::Open };
                self.players[player].set_entry(round, entry);
            }
        }
    }

    /// Returns whether a player of a round robin has no opponent in a round, because the number of
    /// players is odd.
    pub(crate) fn rests(&self, player: usize, round: usize) -> bool {
        let pairs = self.table_pairs(round);
        !pairs.is_empty() && pairs.iter().all(|&(white, black)| white != player && black != player)
    }

    /// Returns the pairs of a round by the Berger tables, or an empty list for other systems.
    pub(super) fn table_pairs(&self, round: usize) -> Vec<(usize, usize)> {
        match self.rounds() {
            Some(rounds) if self.is_round_robin() => {
                berger::pairs(self.players.len(), round, rounds)
            }
            _ => Vec::new(),
        }
    }

    /// Returns the boards of a round of a round robin, whether the round is paired or not.
    pub(crate) fn scheduled(&self, round: usize) -> Vec<Board> {
        if round < self.paired() {
            return self.boards(round);
        }
        let board = |(white, black)| Board { white, black };
        self.table_pairs(round).into_iter().map(board).collect()
    }

    fn breach_texts(&self, breaches: impl IntoIterator<Item = Breach>) -> Vec<String> {
        breaches.into_iter().map(|breach| self.breach_text(breach)).collect()
    }

    fn breach_text(&self, breach: Breach) -> String {
        let name = |player: usize| self.players[player].name();
        match breach {
            Breach::MeetAgain(a, b) => format!("{} and {} have already met", name(a), name(b)),
            Breach::Forbidden(a, b) => {
                format!("the pairing of {} and {} is forbidden", name(a), name(b))
            }
            Breach::Colours(a, b) => {
                format!("{} and {} must both have the same colour", name(a), name(b))
            }
            Breach::SecondBye(a) => format!("{} has had a bye or a win by forfeit", name(a)),
        }
    }

    /// Removes the pairing of the last round, but not the requested byes. Returns the round. With
    /// `force`, the round may have results.
    pub(crate) fn unpair(&mut self, force: bool) -> Result<usize, TournamentStateError> {
        let round = self.paired().checked_sub(1).ok_or(TournamentStateError::NoRound(1))?;
        let has_result = |player: &Player| {
            let entry = player.entry(round);
            entry.opponent.is_some() && !entry.is_open()
        };
        if !force && self.players.iter().any(has_result) {
            return Err(TournamentStateError::HasResults(round + 1));
        }
        self.board_order.remove(&round);
        let is_round_robin = self.is_round_robin();
        let rests: Vec<bool> = (0..self.players.len()).map(|p| self.rests(p, round)).collect();
        for (index, (player, rests)) in self.players.iter_mut().zip(rests).enumerate() {
            let entry = player.entry(round);
            let is_forfeited = is_round_robin && entry.mark == Mark::ForfeitLoss;
            let has_game = entry.is_paired() || rests;
            if is_forfeited || has_game && self.withdrawn.contains(&index) {
                // Mark the player as absent, in case the round is paired again.
                player.set_entry(round, Entry::bye(Mark::ZeroBye));
            } else if has_game {
                player.set_entry(round, Entry::EMPTY);
            }
            let used = player.entries.iter().rposition(|entry| *entry != Entry::EMPTY);
            player.entries.truncate(used.map_or(0, |last| last + 1));
        }
        Ok(round)
    }

    fn unfinished(&self, open: &OpenGame) -> TournamentStateError {
        let [white, black] = [open.of.white, open.of.black].map(|p| self.players[p].name());
        let (round, board) = (open.round + 1, open.board + 1);
        TournamentStateError::Unfinished { round, board, white, black }
    }
}
