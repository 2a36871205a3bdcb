//! One game between two engines, before the [`Referee`].
//!
//! What happens is told to it as its events: the opening is the set-up, a move is made and the clock
//! pressed with the time that it took, a flag falls. A player can claim draws, and an engine cannot say
//! so: what it can claim with right is claimed for it. An engine that sends no legal move, crashes or
//! falls silent does not obey the laws; scores that were asked to end a game are a resignation or a
//! draw that is offered and accepted. Endgame tables and the limit of moves are the organiser's, and
//! no law's.

mod chess;
pub mod contest;
mod draughts;
pub mod ending;
pub mod openings;
pub mod record;

use crate::arena::engine::player::Player;
use crate::arena::engine::talk::{Answer, Face, Failure, Question, Score, Seat, Thought};
use crate::arena::game::contest::{Contest, Variant};
use crate::arena::game::ending::{Ending, Outcome};
use crate::arena::game::openings::Opening;
use crate::arena::show::watch::Moment;
use crate::base::game::MoveForm;
use crate::base::side::Side;
use crate::endings::bitbase::Bitbases;
use crate::laws::clock::{Control, Flag};
use crate::laws::event::{Act, Event, Incident, Shown};
use crate::laws::regulations::Regulations;
use crate::laws::ruling::{Decision, Rulings};
use crate::laws::{Edition, Referee};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A move of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played<M> {
    /// The move.
    pub m: M,
    /// The time that it took.
    pub elapsed: Duration,
    /// What its clock showed then, its bonus for the move included; none without a clock.
    pub left: Option<Duration>,
    /// What its player thought.
    pub thought: Thought,
    /// Why its player had to be started anew before it made the move.
    pub restarted: Option<String>,
}

/// A game that has been played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRecord<G: Contest> {
    /// Where it started.
    pub opening: Opening<G>,
    /// The moves of the engines.
    pub moves: Vec<Played<G::Move>>,
    /// How it ended.
    pub ending: Ending,
    /// Where the laws say so; none where they do not.
    pub article: Option<&'static str>,
    /// Who won; `None` for draws and for games broken off.
    pub winner: Option<Side>,
    /// Where an engine failed, the last lines between it and the arena.
    pub transcript: Vec<String>,
}

impl<G: Contest> GameRecord<G> {
    /// How it ended, with the article of the laws.
    pub fn conclusion(&self) -> String {
        match self.article {
            Some(article) => format!("{} ({article})", self.ending),
            None => self.ending.to_string(),
        }
    }

    /// What counts of the game; nothing where it was broken off.
    pub fn outcome(&self) -> Option<Outcome> {
        let white = match self.winner {
            Some(Side::White) => 2,
            Some(Side::Black) => 0,
            None => 1,
        };
        Some(Outcome { white, kind: self.ending.kind()? })
    }
}

/// When games are broken off with a result. Scores are in centipawns.
#[derive(Clone, Debug, Default)]
pub struct Adjudication {
    /// Won when the scores say so for long enough.
    pub win: Option<WinRule>,
    /// Drawn when both sides' scores stay near 0.
    pub draw: Option<DrawRule>,
    /// Drawn after this many moves of each side.
    pub max_moves: Option<u32>,
    /// Ended when these know the value of the position (draughts).
    pub bitbases: Option<Arc<Bitbases>>,
}

/// When a win is clear.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WinRule {
    /// For how many moves of each side.
    pub moves: u32,
    /// From what score.
    pub score: i32,
    /// Whose scores must say so.
    pub of: WhoSays,
}

/// Whose scores end a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WhoSays {
    /// The loser's alone: it resigns.
    Loser,
    /// Both sides'.
    Both,
}

/// When a draw is clear.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawRule {
    /// Not before this move.
    pub from: u32,
    /// For how many moves of each side.
    pub moves: u32,
    /// Up to what score, of either sign.
    pub score: i32,
}

/// What all games of a match have in common.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The control for players who have none of their own.
    pub control: Control,
    /// Forgiven on the clock.
    pub margin: Duration,
    /// How long a move may take where no clock runs.
    pub patience: Duration,
    /// What is played.
    pub variant: Variant,
    /// The laws under which it is played.
    pub edition: Edition,
    /// Whether nothing is claimed for an engine, and the draws of today that come without a claim hold:
    /// fivefold repetition and seventy-five moves (FIDE 2009).
    pub practice_of_today: bool,
    /// Adjudication.
    pub adjudication: Adjudication,
    /// How often in a game a player is started anew that crashes or stalls; its clock runs on.
    pub restarts: u32,
}

/// A game in progress.
struct Table<'a, G: Contest> {
    rules: &'a Rules,
    start: &'a G,
    referee: Referee<G>,
    /// Those of the opening and of the engines.
    line: Vec<G::Move>,
    moves: Vec<Played<G::Move>>,
    /// How often each player may still be started anew.
    restarts: [u32; 2],
    controls: [&'a Control; 2],
}

/// Plays a game, `players[0]` having White; `controls` are theirs. `see` is shown each move. Fails
/// only where an engine cannot be run at all.
pub fn play<G: Contest>(
    players: [&mut Player<G>; 2],
    controls: [&Control; 2],
    opening: &Opening<G>,
    rules: &Rules,
    see: impl Fn(Moment<'_, G>),
) -> Result<GameRecord<G>, Failure> {
    let mut table = Table::new(controls, opening, rules)?;
    let mut ending = table.ending()?;
    let mut transcript = Vec::new();
    let mut failed = None;
    for side in Side::ALL {
        if ending.is_none()
            && let Err(failure) = players[side.index()].new_game(&table.seat(side))
        {
            ending = Some(table.fault(side, failure)?);
            failed = Some(side);
        }
    }
    let ending = loop {
        if let Some(ending) = ending {
            break ending;
        }
        let side = table.position().side();
        let before = table.position().clone();
        ending = table.ask(side, players[side.index()])?;
        if ending.is_some() {
            failed = Some(side);
            continue;
        }
        if let Some(played) = table.moves.last() {
            let clocks = Side::ALL.map(|side| table.referee.clock(side).remaining());
            see(Moment { before: &before, after: table.position(), played, clocks });
        }
        ending = table.ending()?;
    };
    if let Some(side) = failed {
        // The process has shown that it cannot be trusted: the next game gets another.
        transcript = players[side.index()].transcript();
        let fell_silent = matches!(ending, Ending::Crash(..) | Ending::Stall(..));
        if fell_silent || ending == Ending::Aborted {
            players[side.index()].quit();
        }
    }
    players.into_iter().for_each(Player::game_over);
    let (article, winner) = (table.referee.article_of_end(), table.winner(&ending));
    let (opening, moves) = (opening.clone(), table.moves);
    Ok(GameRecord { opening, moves, ending, article, winner, transcript })
}

impl<'a, G: Contest> Table<'a, G> {
    fn new(
        controls: [&'a Control; 2],
        opening: &'a Opening<G>,
        rules: &'a Rules,
    ) -> Result<Self, Failure> {
        let [white_time, black_time] = controls.map(|control| Some(control.budget.clone()));
        let practice_of_today = rules.practice_of_today;
        let regulations =
            Regulations { white_time, black_time, practice_of_today, ..Regulations::default() };
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

    /// Tells the referee what has happened.
    fn rule(&mut self, event: Event<G>) -> Result<Rulings, Failure> {
        let told = event.to_string();
        self.referee.rule(event).map_err(|why| Failure::Referee(format!("{told}: {why}")))
    }

    fn act(&mut self, side: Side, act: Act<G>) -> Result<Rulings, Failure> {
        self.rule(Event::Player(side, act))
    }

    /// A move is made and, if the game goes on, the clock pressed.
    fn make(&mut self, side: Side, m: G::Move, taken: Duration) -> Result<(), Failure> {
        self.act(side, Act::Move(m))?;
        self.line.push(m);
        if self.referee.verdict().is_none() && self.referee.has_clock() {
            self.act(side, Act::Press(Some(Shown::Taken(taken))))?;
        }
        Ok(())
    }

    /// What an engine's failure makes of the game.
    fn fault(&mut self, side: Side, failure: Failure) -> Result<Ending, Failure> {
        let (act, ending) = match failure {
            Failure::Crash(_) | Failure::Broke(_) => {
                (Act::Disobey, Ending::Crash(side, failure.to_string()))
            }
            Failure::Stall(_) => (Act::Disobey, Ending::Stall(side, failure.to_string())),
            Failure::GaveUp => (Act::Resign, Ending::Resignation(side)),
            Failure::Aborted => return Ok(Ending::Aborted),
            Failure::Start { .. }
            | Failure::Protocol(_)
            | Failure::Unchecked(_)
            | Failure::Referee(_) => return Err(failure),
        };
        self.act(side, act)?;
        Ok(ending)
    }

    /// Has the side to move make its move; an ending where it fails to.
    fn ask(&mut self, side: Side, player: &mut Player<G>) -> Result<Option<Ending>, Failure> {
        let (answer, restarted) = match self.answer(side, player) {
            Ok(answer) => answer,
            Err(failure) => return self.fault(side, failure).map(Some),
        };
        let Answer { elapsed, thought, best, ponder } = answer;
        let left = self.referee.clock(side).remaining();
        if let Some(left) = left.filter(|left| elapsed > left.saturating_add(self.rules.margin)) {
            self.act(side, Act::Flag)?;
            let flag = Flag { left, taken: elapsed };
            let lost = self.winner_by_law().is_some();
            return Ok(Some(if lost { Ending::Time(flag) } else { Ending::TimeDrawn(flag) }));
        }
        let Ok(m) = self.position().read_move(&best, MoveForm::Program) else {
            self.act(side, Act::Disobey)?;
            return Ok(Some(Ending::IllegalMove(best)));
        };
        // What the margin forgives is not charged.
        let taken = left.map_or(elapsed, |left| elapsed.min(left));
        self.make(side, m, taken)?;
        let left = match self.referee.verdict() {
            None => self.referee.clock(side).remaining(),
            // The clocks were stopped.
            Some(_) => left.map(|left| left.saturating_sub(taken)),
        };
        self.moves.push(Played { m, elapsed, left, thought, restarted });
        let expected =
            ponder.and_then(|text| self.position().read_move(&text, MoveForm::Program).ok());
        if player.ponders()
            && let Some(m) = expected
            && !self.position().after(m).moves().is_empty()
        {
            self.line.push(m);
            let pondered = player.ponder(&self.question(side, Duration::ZERO));
            self.line.pop();
            // An engine that has failed is found out when it is to move.
            if let Err(failure @ (Failure::Aborted | Failure::Start { .. })) = pondered {
                return self.fault(side, failure).map(Some);
            }
        }
        Ok(None)
    }

    /// A player's answer, for which it is started anew as often as the rules allow; with it why it
    /// had to be.
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
            && let Err(failure @ (Failure::Crash(_) | Failure::Stall(_) | Failure::Broke(_))) =
                &answer
        {
            self.restarts[side.index()] -= 1;
            restarted = Some(failure.to_string());
            player.quit();
            answer = player.new_game(&self.seat(side)).and_then(|()| {
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

    fn seat(&self, side: Side) -> Seat<'_, G> {
        let control = self.controls[side.index()];
        Seat { start: self.position(), played: self.line.len(), side, control }
    }

    /// What a side is asked, of whose time so much is gone.
    fn question(&self, side: Side, used: Duration) -> Question<'_, G> {
        let face = |of: Side| {
            let clock = self.referee.clock(of);
            let used = if of == side { used } else { Duration::ZERO };
            Face {
                left: clock.remaining().map(|left| left.saturating_sub(used)),
                increment: clock.increment(),
                moves_to_go: clock.moves_to_go(),
            }
        };
        Question {
            start: self.start,
            moves: &self.line,
            side,
            clocks: [face(Side::White), face(Side::Black)],
            control: self.controls[side.index()],
        }
    }

    /// How the game has ended, if it has: by the laws, by what can be claimed, by adjudication.
    fn ending(&mut self) -> Result<Option<Ending>, Failure> {
        let side = self.position().side();
        if !self.rules.practice_of_today
            && let Some(claim) = self.referee.claimable()
        {
            self.act(side, Act::Claim(claim, None))?;
        }
        if let Some(verdict) = self.referee.verdict() {
            return Ok(Some(Ending::Law(verdict.rule)));
        }
        let Adjudication { win, draw, max_moves, ref bitbases } = self.rules.adjudication;
        if let Some(winner) = bitbases.as_ref().and_then(|known| self.position().known(known)) {
            return Ok(Some(Ending::Bitbases(winner)));
        }
        if let Some(winner) = win.and_then(|rule| self.agreed_win(rule)) {
            self.act(!winner, Act::Resign)?;
            return Ok(Some(Ending::AdjudicatedWin));
        }
        if draw.is_some_and(|rule| self.agreed_draw(rule)) {
            let answer = self.act(!side, Act::Offer)?;
            // The laws may hold it to be too early.
            if !answer.iter().any(|ruling| matches!(ruling.decision, Decision::Barred(_))) {
                self.act(side, Act::Accept)?;
                return Ok(Some(Ending::AdjudicatedDraw));
            }
        }
        let limit = max_moves.is_some_and(|moves| self.moves.len() >= 2 * moves as usize);
        Ok(limit.then_some(Ending::MoveLimit))
    }

    /// The last `count` scores, newest first, in centipawns, from White's side of the board.
    fn scores(&self, count: usize) -> Option<Vec<i32>> {
        let mut side = self.position().side();
        let scores = self.moves.iter().rev().take(count).map(|played| {
            side = !side;
            let score = played.thought.score.map(Score::centipawns)?;
            Some(if side.is_white() { score } else { -score })
        });
        scores.collect::<Option<Vec<i32>>>().filter(|scores| scores.len() == count)
    }

    fn agreed_win(&self, rule: WinRule) -> Option<Side> {
        let scores = self.scores(2 * rule.moves.max(1) as usize)?;
        // Newest first, so the first is that of the side that has just moved.
        let mover = !self.position().side();
        [Side::White, Side::Black].into_iter().find(|&winner| {
            let counts =
                |i: &usize| rule.of == WhoSays::Both || i.is_multiple_of(2) == (mover != winner);
            let for_winner = |score: i32| if winner.is_white() { score } else { -score };
            (0..scores.len()).filter(counts).all(|i| for_winner(scores[i]) >= rule.score)
        })
    }

    fn agreed_draw(&self, rule: DrawRule) -> bool {
        self.moves.len() >= 2 * rule.from as usize
            && self
                .scores(2 * rule.moves.max(1) as usize)
                .is_some_and(|scores| scores.iter().all(|score| score.abs() <= rule.score))
    }

    fn winner_by_law(&self) -> Option<Side> {
        self.referee.verdict().and_then(|verdict| verdict.outcome.winner())
    }

    fn winner(&self, ending: &Ending) -> Option<Side> {
        match ending {
            Ending::Bitbases(winner) => *winner,
            _ => self.winner_by_law(),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::laws::Rule;
    use crate::laws::clock::Budget;
    use crate::record::games::Recorded;
    use crate::{chess, draughts};

    fn rules<G: Contest>() -> Rules {
        Rules {
            control: Control {
                budget: "40/60+0.5".parse::<Budget>().unwrap(),
                ..Control::default()
            },
            margin: Duration::ZERO,
            patience: Duration::from_secs(1),
            variant: Variant::Standard,
            edition: G::EDITION,
            practice_of_today: false,
            adjudication: Adjudication::default(),
            restarts: 0,
        }
    }

    /// A move made at once.
    fn made<M>(m: M, thought: Thought) -> Played<M> {
        Played { m, elapsed: Duration::ZERO, left: None, thought, restarted: None }
    }

    fn from<G: Contest>(fen: &str) -> Opening<G> {
        let start = G::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        Opening { start, moves: Vec::new() }
    }

    /// Plays moves with scores, each from its player's point of view.
    fn play_out<G: Contest>(table: &mut Table<'_, G>, moves: &[(&str, i32)]) -> Option<Ending> {
        for &(text, score) in moves {
            let read = table.position().read_move(text, MoveForm::Program);
            let m = read.unwrap_or_else(|error| panic!("{error}"));
            let score = Some(Score::Centipawns(score));
            let thought = Thought { score, ..Thought::default() };
            table.moves.push(made(m, thought));
            table.make(table.position().side(), m, Duration::ZERO).unwrap();
            if let Some(ending) = table.ending().unwrap() {
                return Some(ending);
            }
        }
        None
    }

    #[test]
    fn the_laws_end_games() {
        for (fen, ending) in [
            (
                "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
                Some(Ending::Law(Rule::Checkmate)),
            ),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Some(Ending::Law(Rule::Stalemate))),
            ("7k/8/6K1/8/8/8/8/8 b - - 0 1", Some(Ending::Law(Rule::DeadPosition))),
            ("7k/8/6K1/8/8/8/8/N7 b - - 0 1", Some(Ending::Law(Rule::DeadPosition))),
            ("7k/8/6K1/8/8/8/8/NN6 b - - 0 1", None),
            ("7k/b7/6K1/8/8/8/8/B1B5 b - - 0 1", Some(Ending::Law(Rule::DeadPosition))),
            ("7k/1b6/6K1/8/8/8/8/B7 b - - 0 1", None),
            ("7k/8/6K1/8/8/8/8/R7 b - - 100 90", Some(Ending::Law(Rule::Fifty))),
            ("7k/8/6K1/8/8/8/8/R7 b - - 99 90", None),
            ("R6k/8/6K1/8/8/8/8/8 b - - 100 90", Some(Ending::Law(Rule::Checkmate))),
            ("4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/4K3 w - - 0 1", Some(Ending::Law(Rule::DeadPosition))),
            ("4k3/8/8/1p1p1p2/1P1P1P1P/8/8/4K3 w - - 0 1", None),
        ] {
            let (opening, rules) = (from::<chess::Position>(fen), rules::<chess::Position>());
            let mut table = Table::new([&rules.control; 2], &opening, &rules).unwrap();
            assert_eq!(table.ending().unwrap(), ending, "{fen}");
        }
    }

    #[test]
    fn the_third_repetition_draws_and_openings_count() {
        let mut opening: Opening<chess::Position> = from("7k/8/8/8/8/8/8/R6K w - - 0 1");
        let moves = ["a1a2", "h8g8", "a2a1", "g8h8"];
        let mut position = opening.start.clone();
        for text in moves {
            let m = position.parse_uci(text).unwrap();
            opening.moves.push(m);
            position = position.play(m);
        }
        let rules = rules::<chess::Position>();
        let mut table = Table::new([&rules.control; 2], &opening, &rules).unwrap();
        assert_eq!(table.ending().unwrap(), None);
        let moves = moves.map(|m| (m, 0));
        assert_eq!(play_out(&mut table, &moves), Some(Ending::Law(Rule::Repetition)));
        assert_eq!(table.moves.len(), 4);
    }

    #[test]
    fn the_rules_end_games_of_draughts() {
        for (fen, ending, winner) in [
            ("W:W:BK1", Some(Rule::NoPiece), Some(Side::Black)),
            ("B:W30,34:B25", Some(Rule::NoMove), Some(Side::White)),
            // Lost before it is drawn.
            ("B:WK28:B:H50", Some(Rule::NoPiece), Some(Side::White)),
            ("B:WK28,K50:BK1,K6,K16:H50", Some(Rule::KingMoves), None),
            ("B:WK28,K50:BK1,K6,K16:H49", None, None),
        ] {
            let (opening, rules) = (from::<draughts::Position>(fen), rules::<draughts::Position>());
            let mut table = Table::new([&rules.control; 2], &opening, &rules).unwrap();
            assert_eq!(table.ending().unwrap(), ending.map(Ending::Law), "{fen}");
            assert_eq!(table.winner_by_law(), winner, "{fen}");
        }
        let rules = rules::<draughts::Position>();
        let opening: Opening<draughts::Position> = from("W:WK47,45,50:BK4,1,6");
        let mut table = Table::new([&rules.control; 2], &opening, &rules).unwrap();
        let moves = ["47-42", "4-9", "42-47", "9-4"].map(|m| (m, 0));
        assert_eq!(play_out(&mut table, &moves), None);
        assert_eq!(play_out(&mut table, &moves), Some(Ending::Law(Rule::Repetition)));
        assert_eq!(table.winner_by_law(), None);
    }

    /// 6.3 and 6.4: kings that keep apart draw after 16 and 5 moves of each, not sooner.
    #[test]
    fn small_endings_of_draughts_end_by_count() {
        for (fen, plies, rule) in [
            ("W:WK16,K36,K26:BK5", 32, Rule::ThreePieces),
            ("W:WK16,26:BK5", 10, Rule::TwoPieces),
            ("B:WK16:BK5", 10, Rule::TwoPieces),
        ] {
            let (opening, rules) = (from::<draughts::Position>(fen), rules::<draughts::Position>());
            let mut table = Table::new([&rules.control; 2], &opening, &rules).unwrap();
            let ending = loop {
                let quiet = table.position().legal_moves().iter().copied().find(|&m| {
                    let after = table.position().play(m);
                    let mut ruled = table.referee.clone();
                    let moved = ruled.rule(Event::Player(table.position().side(), Act::Move(m)));
                    moved.is_ok()
                        && !after.can_capture()
                        && ruled.verdict().is_none_or(|end| end.rule == rule)
                });
                let m =
                    quiet.unwrap_or_else(|| panic!("{} after {}", fen, table.position().to_fen()));
                table.moves.push(made(m, Thought::default()));
                table.make(table.position().side(), m, Duration::ZERO).unwrap();
                if let Some(ending) = table.ending().unwrap() {
                    break ending;
                }
            };
            assert_eq!((ending, table.moves.len()), (Ending::Law(rule), plies), "{fen}");
        }
    }

    #[test]
    fn bitbases_end_games_as_the_rules_would() {
        let bitbases = Some(Arc::new(Bitbases::shipped()));
        let rules = Rules {
            adjudication: Adjudication { bitbases, ..Adjudication::default() },
            ..rules::<draughts::Position>()
        };
        for (fen, ending) in [
            ("W:WK46:BK26", Some(Ending::Bitbases(None))),
            ("W:W10:B45", Some(Ending::Bitbases(None))),
            ("W:WK46,K47,K48:BK45", Some(Ending::Bitbases(None))),
            ("W:W6:B25", Some(Ending::Bitbases(Some(Side::White)))),
            ("B:W26:B45", Some(Ending::Bitbases(Some(Side::Black)))),
            // Sixteen moves may not be enough for what the tables hold for won.
            ("W:WK28:BK5", None),
            ("W:WK5,K47,K48:BK26", None),
            ("W:W31,32,33,34:B10,11,12", None),
        ] {
            let opening = from::<draughts::Position>(fen);
            let mut table = Table::new([&rules.control; 2], &opening, &rules).unwrap();
            assert_eq!(table.ending().unwrap(), ending, "{fen}");
        }
    }

    #[test]
    fn adjudication_needs_both_sides_for_long_enough() {
        let opening: Opening<chess::Position> = from("7k/8/8/8/8/8/8/R6K w - - 0 1");
        let mut rules = rules::<chess::Position>();
        rules.adjudication.win = Some(WinRule { moves: 2, score: 500, of: WhoSays::Both });
        let control = rules.control.clone();
        let mut table = Table::new([&control; 2], &opening, &rules).unwrap();
        let moves = [("a1a2", 600), ("h8g8", -400), ("a2a3", 600), ("g8h8", -600)];
        assert_eq!(play_out(&mut table, &moves), None, "Black saw hope two moves ago");
        let moves = [("a3a4", 500), ("h8g8", -500)];
        assert_eq!(play_out(&mut table, &moves), Some(Ending::AdjudicatedWin));
        assert_eq!(table.winner_by_law(), Some(Side::White));

        // Black has resigned two moves earlier, but White alone would not have won.
        for (of, ending) in [(WhoSays::Loser, Some(Ending::AdjudicatedWin)), (WhoSays::Both, None)]
        {
            rules.adjudication.win = Some(WinRule { moves: 1, score: 500, of });
            let mut table = Table::new([&control; 2], &opening, &rules).unwrap();
            assert_eq!(play_out(&mut table, &[("a1a2", 600), ("h8g8", -400)]), None);
            assert_eq!(play_out(&mut table, &[("a2a3", 400), ("g8h8", -600)]), ending);
        }

        let draw = Some(DrawRule { from: 2, moves: 1, score: 5 });
        let rules =
            Rules { adjudication: Adjudication { draw, ..Adjudication::default() }, ..rules };
        let mut table = Table::new([&control; 2], &opening, &rules).unwrap();
        let moves = [("a1a2", 0), ("h8g8", 0), ("a2a3", 5), ("g8h8", -5)];
        assert_eq!(play_out(&mut table, &moves), Some(Ending::AdjudicatedDraw));
        assert_eq!(table.moves.len(), 4);
    }
}
