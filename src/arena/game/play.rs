//! Plays a single game under the [`Referee`].
//!
//! The arena reports the events of the game to the referee: the opening as set-up, moves, clock
//! presses with the time used, and flag falls. Engines cannot claim draws, so the arena claims
//! every draw to which an engine is entitled. An engine that sends an illegal move, crashes or
//! stalls is reported as a player who refuses to comply with the laws. An adjudication by score is
//! reported as a resignation, or as a draw offer that is accepted. Tablebase adjudication and the
//! move limit are rules of the organiser, not part of the laws.

use super::contest::Contest;
use super::ending::GameEnding;
use super::openings::Opening;
use super::record::{GameRecord, PlayedMove};
use super::rules::{Adjudication, Rules};
use crate::arena::engine::answer::Answer;
use crate::arena::engine::failure::Failure;
use crate::arena::engine::player::Player;
use crate::arena::engine::protocol::{ClockReading, NewGame, Question};
use crate::arena::show::watch::MadeMove;
use crate::base::game::MoveForm;
use crate::base::side::Side;
use crate::laws::Referee;
use crate::laws::clock::{Flag, TimeControl};
use crate::laws::event::{Act, Deserved, Event, Fall, Incident, PressTime};
use crate::laws::language::Language;
use crate::laws::regulations::Regulations;
use crate::laws::ruling::{Decision, Rulings};
use std::time::{Duration, Instant};

struct LiveGame<'a, G: Contest> {
    rules: &'a Rules,
    start: &'a G,
    referee: Referee<G>,
    /// The opening moves, followed by the engines' moves.
    line: Vec<G::Move>,
    moves: Vec<PlayedMove<G::Move>>,
    restarts: [u32; 2],
    controls: [&'a TimeControl; 2],
}

/// Plays a game. `players[0]` has White, and `controls` is in the same order. Calls `see` after
/// each move.
///
/// # Errors
/// Returns an error only if an engine cannot be run at all, or if the referee rejects an event,
/// which indicates a bug. An engine that fails during the game loses the game.
pub(crate) fn play<G: Contest>(
    players: [&mut Player<G>; 2],
    controls: [&TimeControl; 2],
    opening: &Opening<G>,
    rules: &Rules,
    see: impl Fn(MadeMove<'_, G>),
) -> Result<GameRecord<G>, Failure> {
    let mut game = LiveGame::new(controls, opening, rules)?;
    let mut ending = game.ending()?;
    let mut failed = None;
    for side in Side::ALL {
        if ending.is_none()
            && let Err(failure) = players[side.index()].new_game(&game.new_game(side))
        {
            ending = Some(game.fault(side, failure)?);
            failed = Some(side);
        }
    }
    let ending = loop {
        if let Some(ending) = ending {
            break ending;
        }
        let side = game.position().side();
        let before = game.position().clone();
        ending = game.play_move(side, players[side.index()])?;
        if ending.is_some() {
            failed = Some(side);
            continue;
        }
        if let Some(played) = game.moves.last() {
            let clocks = Side::ALL.map(|side| game.referee.clock(side).remaining());
            see(MadeMove { before: &before, after: game.position(), played, clocks });
        }
        ending = game.ending()?;
    };
    let transcript = match failed {
        Some(side) => dismiss(players[side.index()], &ending),
        None => Vec::new(),
    };
    let mut warnings = Vec::new();
    for (side, player) in Side::ALL.into_iter().zip(players) {
        warnings.extend(player.new_warnings().into_iter().map(|warning| (side, warning)));
        player.game_over();
    }
    let by_laws = !matches!(ending, GameEnding::Variant(_));
    let article = game.referee.article_of_end().filter(|_| by_laws);
    let winner = game.winner(&ending);
    let (opening, moves) = (opening.clone(), game.moves);
    Ok(GameRecord { opening, moves, ending, article, winner, transcript, warnings })
}

/// Returns the transcript of a player that failed. If the engine process can no longer be trusted,
/// ends it, so that the next game starts a new process.
fn dismiss<G: Contest>(player: &mut Player<G>, ending: &GameEnding) -> Vec<String> {
    let transcript = player.transcript();
    // An illegal move can be the late answer to an earlier request. The process would answer one
    // request late in the next game too.
    if matches!(
        ending,
        GameEnding::Crash(..)
            | GameEnding::Stall(..)
            | GameEnding::IllegalMove(_)
            | GameEnding::Aborted
    ) {
        player.quit();
    }
    transcript
}

impl<'a, G: Contest> LiveGame<'a, G> {
    fn new(
        controls: [&'a TimeControl; 2],
        opening: &'a Opening<G>,
        rules: &'a Rules,
    ) -> Result<Self, Failure> {
        let [white_time, black_time] = controls.map(|control| Some(control.budget.clone()));
        let regulations = Regulations { white_time, black_time, ..Regulations::default() };
        let mut table = Self {
            rules,
            start: &opening.start,
            referee: Referee::new(rules.edition, regulations),
            line: opening.moves.clone(),
            moves: Vec::new(),
            restarts: [rules.restarts; 2],
            controls,
        };
        let set_up = Incident::Setup(Box::new(opening.start.clone()), opening.moves.clone());
        table.rule(Event::Game(set_up))?;
        Ok(table)
    }

    fn position(&self) -> &G {
        self.referee.position()
    }

    fn rule(&mut self, event: Event<G>) -> Result<Rulings, Failure> {
        let text = event.to_string();
        self.referee.rule(event).map_err(|why| Failure::Referee(format!("{text}: {why}")))
    }

    fn act(&mut self, side: Side, act: Act<G>) -> Result<Rulings, Failure> {
        self.rule(Event::Player(side, act))
    }

    fn make(&mut self, side: Side, m: G::Move, taken: Duration) -> Result<(), Failure> {
        self.act(side, Act::Move(m))?;
        self.line.push(m);
        if self.referee.verdict().is_none() && self.referee.has_clock() {
            self.act(side, Act::Press(Some(PressTime::Taken(taken))))?;
        }
        Ok(())
    }

    /// Reports an engine failure to the referee, and returns the resulting ending. Fails if the
    /// failure affects the whole match.
    fn fault(&mut self, side: Side, failure: Failure) -> Result<GameEnding, Failure> {
        let (act, ending) = match failure {
            Failure::Crash(..) | Failure::ProtocolViolation(_) => {
                (Act::Disobey(Deserved::Win), GameEnding::Crash(side, failure.to_string()))
            }
            Failure::Stall(_) => {
                (Act::Disobey(Deserved::Win), GameEnding::Stall(side, failure.to_string()))
            }
            Failure::Resigned => (Act::Resign, GameEnding::Resignation(side)),
            Failure::Aborted => return Ok(GameEnding::Aborted),
            Failure::Start { .. }
            | Failure::Setting(_)
            | Failure::Rejected(_)
            | Failure::Protocol(_)
            | Failure::NoAnalysis(_)
            | Failure::Unchecked(_)
            | Failure::Referee(_) => return Err(failure),
        };
        self.act(side, act)?;
        Ok(ending)
    }

    /// Requests a move from the side to move and makes it. If the player runs out of time, sends an
    /// illegal move or fails, returns the ending.
    fn play_move(
        &mut self,
        side: Side,
        player: &mut Player<G>,
    ) -> Result<Option<GameEnding>, Failure> {
        let (answer, restarted) = match self.answer(side, player) {
            Ok(answer) => answer,
            Err(failure) => return self.fault(side, failure).map(Some),
        };
        let Answer { elapsed, thought, best, ponder, infos } = answer;
        player.check_infos(self.position(), &infos);
        let left = self.referee.clock(side).remaining();
        if let Some(left) = left.filter(|left| elapsed > left.saturating_add(self.rules.margin)) {
            self.act(side, Act::Flag(Fall::Overstepped))?;
            let flag = Flag { left, taken: elapsed };
            let lost = self.winner_by_law().is_some();
            return Ok(Some(if lost {
                GameEnding::Time(flag)
            } else {
                GameEnding::TimeDrawn(flag)
            }));
        }
        let Ok(m) = self.position().read_move(&best, MoveForm::Program) else {
            self.act(side, Act::Disobey(Deserved::Win))?;
            return Ok(Some(GameEnding::IllegalMove(best)));
        };
        // If the player has exceeded the remaining time by no more than the margin, the excess is
        // not deducted.
        let taken = left.map_or(elapsed, |left| elapsed.min(left));
        self.make(side, m, taken)?;
        let left = match self.referee.verdict() {
            None => self.referee.clock(side).remaining(),
            // The referee has stopped the clocks.
            Some(_) => left.map(|left| left.saturating_sub(taken)),
        };
        self.moves.push(PlayedMove { m, elapsed, left, thought, restarted });
        match ponder.and_then(|text| self.position().read_move(&text, MoveForm::Program).ok()) {
            Some(expected) if player.ponders() => self.ponder(side, player, expected),
            _ => Ok(None),
        }
    }

    fn ponder(
        &mut self,
        side: Side,
        player: &mut Player<G>,
        expected: G::Move,
    ) -> Result<Option<GameEnding>, Failure> {
        if self.position().after(expected).moves().is_empty() {
            return Ok(None);
        }
        self.line.push(expected);
        let pondering = player.ponder(&self.question(side, Duration::ZERO));
        self.line.pop();
        match pondering {
            Err(
                failure @ (Failure::Aborted
                | Failure::Start { .. }
                | Failure::Setting(_)
                | Failure::Rejected(_)),
            ) => self.fault(side, failure).map(Some),
            // Any other failure is handled when the player is next to move.
            _ => Ok(None),
        }
    }

    /// Returns a player's answer, and the reason for a restart if the engine was restarted. An
    /// engine that fails is restarted as often as the rules allow.
    fn answer(
        &mut self,
        side: Side,
        player: &mut Player<G>,
    ) -> Result<(Answer, Option<String>), Failure> {
        let left = self.referee.clock(side).remaining();
        let allowed =
            left.map_or(self.rules.patience, |left| left.saturating_add(self.rules.margin));
        let began = Instant::now();
        let mut answer = player.go(&self.question(side, Duration::ZERO), allowed);
        let mut restarted = None;
        while self.restarts[side.index()] > 0
            && let Err(
                failure @ (Failure::Crash(..) | Failure::Stall(_) | Failure::ProtocolViolation(_)),
            ) = &answer
        {
            self.restarts[side.index()] -= 1;
            restarted = Some(failure.to_string());
            player.quit();
            answer = player.new_game(&self.new_game(side)).and_then(|()| {
                let used = began.elapsed();
                player.go(&self.question(side, used), allowed.saturating_sub(used))
            });
        }
        let mut answer = answer?;
        if restarted.is_some() {
            answer.elapsed = began.elapsed();
        }
        Ok((answer, restarted))
    }

    fn new_game(&self, side: Side) -> NewGame<'_, G> {
        let control = self.controls[side.index()];
        NewGame { position: self.position(), played: self.line.len(), side, control }
    }

    /// Builds the request for a move by `side`, which has already used `used` of its time.
    fn question(&self, side: Side, used: Duration) -> Question<'_, G> {
        let clock = |of: Side| {
            let clock = self.referee.clock(of);
            let used = if of == side { used } else { Duration::ZERO };
            ClockReading {
                left: clock.remaining().map(|left| left.saturating_sub(used)),
                increment: clock.increment(),
                moves_to_go: clock.moves_to_go(),
            }
        };
        Question {
            start: self.start,
            moves: &self.line,
            side,
            clocks: [clock(Side::White), clock(Side::Black)],
            control: self.controls[side.index()],
        }
    }

    /// Returns the ending if the game has ended by the laws, by a claim or by adjudication.
    fn ending(&mut self) -> Result<Option<GameEnding>, Failure> {
        let side = self.position().side();
        if let Some(claim) = self.referee.claimable() {
            self.act(side, Act::Claim(claim))?;
        }
        if let Some(verdict) = self.referee.verdict() {
            let own = self.position().own_end(Language::English).map(GameEnding::Variant);
            return Ok(Some(own.unwrap_or(GameEnding::Law(verdict.rule))));
        }
        let Adjudication { win, draw, max_moves, ref tables } = self.rules.adjudication;
        if let Some(outcome) =
            tables.as_ref().and_then(|tables| self.position().tablebase_outcome(tables))
        {
            return Ok(Some(GameEnding::Tables(outcome.winner())));
        }
        if let Some(winner) = win.and_then(|rule| rule.winner(&self.moves, side)) {
            self.act(!winner, Act::Resign)?;
            // A resignation is a draw if the opponent cannot checkmate (FIDE 2023, 5.1.2).
            let won = self.winner_by_law().is_some();
            return Ok(Some(if won {
                GameEnding::AdjudicatedWin
            } else {
                GameEnding::AdjudicatedDraw
            }));
        }
        if draw.is_some_and(|rule| rule.is_met(&self.moves, side)) {
            let answer = self.act(!side, Act::Offer)?;
            // The laws may forbid a draw offer this early in the game.
            if !answer.iter().any(|ruling| matches!(ruling.decision, Decision::Barred(_))) {
                self.act(side, Act::Accept)?;
                return Ok(Some(GameEnding::AdjudicatedDraw));
            }
        }
        let limit = max_moves.is_some_and(|moves| self.moves.len() >= 2 * moves as usize);
        Ok(limit.then_some(GameEnding::MoveLimit))
    }

    fn winner_by_law(&self) -> Option<Side> {
        self.referee.verdict().and_then(|verdict| verdict.outcome.winner())
    }

    fn winner(&self, ending: &GameEnding) -> Option<Side> {
        match ending {
            GameEnding::Tables(winner) => *winner,
            _ => self.winner_by_law(),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::contest::Tables;
    use super::super::contest::Variant;
    use super::super::rules::{DecidingScores, DrawRule, WinRule};
    use super::*;
    use crate::arena::engine::answer::{ReportedScore, Thought};
    use crate::endings::bitbase::Bitbases;
    use crate::endings::syzygy;
    use crate::laws::Rule;
    use crate::laws::clock::Budget;
    use crate::record::games::Recorded;
    use crate::{chess, draughts};
    use std::sync::Arc;

    fn rules<G: Contest>() -> Rules {
        Rules {
            control: TimeControl {
                budget: "40/60+0.5".parse::<Budget>().unwrap(),
                ..TimeControl::default()
            },
            margin: Duration::ZERO,
            patience: Duration::from_secs(1),
            variant: Variant::Standard,
            edition: G::EDITION,
            adjudication: Adjudication::default(),
            restarts: 0,
        }
    }

    fn made<M>(m: M, thought: Thought) -> PlayedMove<M> {
        PlayedMove { m, elapsed: Duration::ZERO, left: None, thought, restarted: None }
    }

    fn from<G: Contest>(fen: &str) -> Opening<G> {
        let start = G::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        Opening { start, moves: Vec::new() }
    }

    /// Plays moves until the game ends, and returns the ending. The scores are from the point of
    /// view of the side that moves.
    fn play_out<G: Contest>(
        game: &mut LiveGame<'_, G>,
        moves: &[(&str, i32)],
    ) -> Option<GameEnding> {
        for &(text, score) in moves {
            let read = game.position().read_move(text, MoveForm::Program);
            let m = read.unwrap_or_else(|error| panic!("{error}"));
            let score = Some(ReportedScore::Centipawns(score));
            let thought = Thought { score, ..Thought::default() };
            game.moves.push(made(m, thought));
            game.make(game.position().side(), m, Duration::ZERO).unwrap();
            if let Some(ending) = game.ending().unwrap() {
                return Some(ending);
            }
        }
        None
    }

    #[test]
    fn games_end_by_the_laws_of_chess() {
        for (fen, ending) in [
            (
                "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
                Some(GameEnding::Law(Rule::Checkmate)),
            ),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Some(GameEnding::Law(Rule::Stalemate))),
            ("7k/8/6K1/8/8/8/8/8 b - - 0 1", Some(GameEnding::Law(Rule::DeadPosition))),
            ("7k/8/6K1/8/8/8/8/N7 b - - 0 1", Some(GameEnding::Law(Rule::DeadPosition))),
            ("7k/8/6K1/8/8/8/8/NN6 b - - 0 1", None),
            ("7k/b7/6K1/8/8/8/8/B1B5 b - - 0 1", Some(GameEnding::Law(Rule::DeadPosition))),
            ("7k/1b6/6K1/8/8/8/8/B7 b - - 0 1", None),
            ("7k/8/6K1/8/8/8/8/R7 b - - 100 90", Some(GameEnding::Law(Rule::Fifty))),
            ("7k/8/6K1/8/8/8/8/R7 b - - 99 90", None),
            ("R6k/8/6K1/8/8/8/8/8 b - - 100 90", Some(GameEnding::Law(Rule::Checkmate))),
            (
                "4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/4K3 w - - 0 1",
                Some(GameEnding::Law(Rule::DeadPosition)),
            ),
            ("4k3/8/8/1p1p1p2/1P1P1P1P/8/8/4K3 w - - 0 1", None),
        ] {
            let (opening, rules) = (from::<chess::Position>(fen), rules::<chess::Position>());
            let mut game = LiveGame::new([&rules.control; 2], &opening, &rules).unwrap();
            assert_eq!(game.ending().unwrap(), ending, "{fen}");
        }
    }

    #[test]
    fn third_repetition_draws_and_counts_opening_moves() {
        let mut opening: Opening<chess::Position> = from("7k/8/8/8/8/8/8/R6K w - - 0 1");
        let moves = ["a1a2", "h8g8", "a2a1", "g8h8"];
        let mut position = opening.start.clone();
        for text in moves {
            let m = position.parse_uci(text).unwrap();
            opening.moves.push(m);
            position = position.play(m);
        }
        let rules = rules::<chess::Position>();
        let mut game = LiveGame::new([&rules.control; 2], &opening, &rules).unwrap();
        assert_eq!(game.ending().unwrap(), None);
        let moves = moves.map(|m| (m, 0));
        assert_eq!(play_out(&mut game, &moves), Some(GameEnding::Law(Rule::Repetition)));
        assert_eq!(game.moves.len(), 4);
    }

    #[test]
    fn games_end_by_the_laws_of_draughts() {
        for (fen, ending, winner) in [
            ("W:W:BK1", Some(Rule::NoPiece), Some(Side::Black)),
            ("B:W30,34:B25", Some(Rule::NoMove), Some(Side::White)),
            // A loss takes precedence over a draw.
            ("B:WK28:B:H50", Some(Rule::NoPiece), Some(Side::White)),
            ("B:WK28,K50:BK1,K6,K16:H50", Some(Rule::KingMoves), None),
            ("B:WK28,K50:BK1,K6,K16:H49", None, None),
        ] {
            let (opening, rules) = (from::<draughts::Position>(fen), rules::<draughts::Position>());
            let mut game = LiveGame::new([&rules.control; 2], &opening, &rules).unwrap();
            assert_eq!(game.ending().unwrap(), ending.map(GameEnding::Law), "{fen}");
            assert_eq!(game.winner_by_law(), winner, "{fen}");
        }
        let rules = rules::<draughts::Position>();
        let opening: Opening<draughts::Position> = from("W:WK47,45,50:BK4,1,6");
        let mut game = LiveGame::new([&rules.control; 2], &opening, &rules).unwrap();
        let moves = ["47-42", "4-9", "42-47", "9-4"].map(|m| (m, 0));
        assert_eq!(play_out(&mut game, &moves), None);
        assert_eq!(play_out(&mut game, &moves), Some(GameEnding::Law(Rule::Repetition)));
        assert_eq!(game.winner_by_law(), None);
    }

    /// Tests the move counts in FMJD 6.3 and 6.4: if the kings avoid each other, the game is drawn
    /// after exactly 16 or 5 moves by each side.
    #[test]
    fn draughts_endgames_end_by_move_count() {
        for (fen, plies, rule) in [
            ("W:WK16,K36,K26:BK5", 32, Rule::ThreePieces),
            ("W:WK16,26:BK5", 10, Rule::TwoPieces),
            ("B:WK16:BK5", 10, Rule::TwoPieces),
        ] {
            let (opening, rules) = (from::<draughts::Position>(fen), rules::<draughts::Position>());
            let mut game = LiveGame::new([&rules.control; 2], &opening, &rules).unwrap();
            let ending = loop {
                let quiet = game.position().legal_moves().iter().copied().find(|&m| {
                    let after = game.position().play(m);
                    let mut ruled = game.referee.clone();
                    let moved = ruled.rule(Event::Player(game.position().side(), Act::Move(m)));
                    moved.is_ok()
                        && !after.can_capture()
                        && ruled.verdict().is_none_or(|end| end.rule == rule)
                });
                let m =
                    quiet.unwrap_or_else(|| panic!("{} after {}", fen, game.position().to_fen()));
                game.moves.push(made(m, Thought::default()));
                game.make(game.position().side(), m, Duration::ZERO).unwrap();
                if let Some(ending) = game.ending().unwrap() {
                    break ending;
                }
            };
            assert_eq!((ending, game.moves.len()), (GameEnding::Law(rule), plies), "{fen}");
        }
    }

    #[test]
    fn bitbases_adjudicate_in_agreement_with_the_laws() {
        let tables = Some(Tables::Bitbases(Arc::new(Bitbases::shipped(draughts::Variant::Normal))));
        let rules = Rules {
            adjudication: Adjudication { tables, ..Adjudication::default() },
            ..rules::<draughts::Position>()
        };
        for (fen, ending) in [
            ("W:WK46:BK26", Some(GameEnding::Tables(None))),
            ("W:W10:B45", Some(GameEnding::Tables(None))),
            ("W:WK46,K47,K48:BK45", Some(GameEnding::Tables(None))),
            ("W:W6:B25", Some(GameEnding::Tables(Some(Side::White)))),
            ("B:W26:B45", Some(GameEnding::Tables(Some(Side::Black)))),
            // A win in the bitbases may need more than sixteen moves.
            ("W:WK28:BK5", None),
            ("W:WK5,K47,K48:BK26", None),
            ("W:W31,32,33,34:B10,11,12", None),
        ] {
            let opening = from::<draughts::Position>(fen);
            let mut game = LiveGame::new([&rules.control; 2], &opening, &rules).unwrap();
            assert_eq!(game.ending().unwrap(), ending, "{fen}");
        }
    }

    #[test]
    fn syzygy_adjudicates_only_after_captures_and_pawn_moves() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/engine-tests/syzygy");
        let (tables, _) = syzygy::Tables::open([folder]);
        let tables = Some(Tables::Syzygy(Arc::new(tables)));
        let adjudication = Adjudication { tables, ..Adjudication::default() };
        let rules = Rules { adjudication, ..rules::<chess::Position>() };
        for (fen, ending) in [
            ("8/8/8/8/8/2k5/8/K6R w - - 0 1", Some(GameEnding::Tables(Some(Side::White)))),
            ("8/8/8/8/8/2k5/8/K6R w - - 1 1", None),
            ("8/8/8/8/4k3/4p3/8/4K3 w - - 0 1", Some(GameEnding::Tables(None))),
            ("8/8/8/8/8/2k5/8/K5RR w - - 0 1", None),
        ] {
            let opening = from::<chess::Position>(fen);
            let mut game = LiveGame::new([&rules.control; 2], &opening, &rules).unwrap();
            assert_eq!(game.ending().unwrap(), ending, "{fen}");
        }
    }

    #[test]
    fn adjudication_needs_enough_consecutive_scores() {
        let opening: Opening<chess::Position> = from("7k/8/8/8/8/8/8/R6K w - - 0 1");
        let mut rules = rules::<chess::Position>();
        rules.adjudication.win = Some(WinRule { moves: 2, score: 500, of: DecidingScores::Both });
        let control = rules.control.clone();
        let mut game = LiveGame::new([&control; 2], &opening, &rules).unwrap();
        let moves = [("a1a2", 600), ("h8g8", -400), ("a2a3", 600), ("g8h8", -600)];
        assert_eq!(play_out(&mut game, &moves), None, "Black's score was not lost two moves ago");
        let moves = [("a3a4", 500), ("h8g8", -500)];
        assert_eq!(play_out(&mut game, &moves), Some(GameEnding::AdjudicatedWin));
        assert_eq!(game.winner_by_law(), Some(Side::White));

        // Black's score shows a loss, but White's score does not yet show a win.
        for (of, ending) in [
            (DecidingScores::Loser, Some(GameEnding::AdjudicatedWin)),
            (DecidingScores::Both, None),
        ] {
            rules.adjudication.win = Some(WinRule { moves: 1, score: 500, of });
            let mut game = LiveGame::new([&control; 2], &opening, &rules).unwrap();
            assert_eq!(play_out(&mut game, &[("a1a2", 600), ("h8g8", -400)]), None);
            assert_eq!(play_out(&mut game, &[("a2a3", 400), ("g8h8", -600)]), ending);
        }

        let draw = Some(DrawRule { from: 2, moves: 1, score: 5 });
        let rules =
            Rules { adjudication: Adjudication { draw, ..Adjudication::default() }, ..rules };
        let mut game = LiveGame::new([&control; 2], &opening, &rules).unwrap();
        let moves = [("a1a2", 0), ("h8g8", 0), ("a2a3", 5), ("g8h8", -5)];
        assert_eq!(play_out(&mut game, &moves), Some(GameEnding::AdjudicatedDraw));
        assert_eq!(game.moves.len(), 4);
    }
}
