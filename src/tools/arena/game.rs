//! One game between two engines, judged by the arena alone.
//!
//! Ends by the laws of the game ([`Contest::ending`]) and by the flag ([`Contest::can_win`]). Everything
//! else that ends a game is somebody's fault, or was asked for (adjudication), and the [`Ending`]
//! says so.

use super::contest::{Contest, Variant};
use super::follow::watch::Moment;
use super::openings::Opening;
use super::player::Player;
use super::talk::{Answer, Face, Failure, Question, Score, Seat, Thought};
use crate::base::side::Side;
use crate::bitbase::Bitbases;
use crate::laws::clock::{Clock, Control, Flag};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The side to move is mated.
    Checkmate,
    /// The side to move has no move.
    Stalemate,
    /// The side to move has no move, or no piece left, and has lost (draughts).
    NoMove,
    /// So many moves without a man's move or a capture, or in an ending of few pieces (draughts).
    MoveCount,
    /// The position stood for the third time.
    Repetition,
    /// Fifty moves of each side without capture or pawn move.
    FiftyMoves,
    /// Neither side has the material to mate.
    InsufficientMaterial,
    /// Neither side can mate by any sequence of legal moves.
    DeadPosition,
    /// Both sides' scores said long enough that one is lost.
    AdjudicatedWin,
    /// Both sides' scores said long enough that it is a draw.
    AdjudicatedDraw,
    /// The endgame tables know who wins, or that nobody does.
    Bitbases(Option<Side>),
    /// The game reached the limit of moves.
    MoveLimit,
    /// The side to move overstepped its time.
    Time(Flag),
    /// The same, but the opponent cannot win by any sequence of legal moves.
    TimeDrawn(Flag),
    /// The side to move sent this instead of a legal move.
    IllegalMove(String),
    /// This side gave up.
    Resignation(Side),
    /// The engine of this side ended, or broke its protocol beyond use.
    Crash(Side, String),
    /// The engine of this side fell silent.
    Stall(Side, String),
    /// The match was broken off.
    Aborted,
}

/// How a game ended, in a word: what is counted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "they are those of Ending")]
pub enum Kind {
    Checkmate,
    Stalemate,
    NoMove,
    MoveCount,
    Repetition,
    FiftyMoves,
    InsufficientMaterial,
    Adjudication,
    MoveLimit,
    DeadPosition,
    Time,
    TimeDrawn,
    IllegalMove,
    Resignation,
    Crash,
    Stall,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::NoMove => "no move left",
            Self::MoveCount => "number of moves",
            Self::Repetition => "repetition",
            Self::FiftyMoves => "fifty moves",
            Self::InsufficientMaterial => "insufficient material",
            Self::Adjudication => "adjudication",
            Self::MoveLimit => "move limit",
            Self::DeadPosition => "dead position",
            Self::Time => "loss on time",
            Self::TimeDrawn => "out of time but drawn",
            Self::IllegalMove => "illegal move",
            Self::Resignation => "resignation",
            Self::Crash => "crash",
            Self::Stall => "stall",
        })
    }
}

impl Ending {
    /// The same in a word; none where the match was broken off.
    pub const fn kind(&self) -> Option<Kind> {
        Some(match self {
            Self::Checkmate => Kind::Checkmate,
            Self::Stalemate => Kind::Stalemate,
            Self::NoMove => Kind::NoMove,
            Self::MoveCount => Kind::MoveCount,
            Self::Repetition => Kind::Repetition,
            Self::FiftyMoves => Kind::FiftyMoves,
            Self::InsufficientMaterial => Kind::InsufficientMaterial,
            Self::AdjudicatedWin | Self::AdjudicatedDraw | Self::Bitbases(_) => Kind::Adjudication,
            Self::MoveLimit => Kind::MoveLimit,
            Self::DeadPosition => Kind::DeadPosition,
            Self::Time(_) => Kind::Time,
            Self::TimeDrawn(_) => Kind::TimeDrawn,
            Self::IllegalMove(_) => Kind::IllegalMove,
            Self::Resignation(_) => Kind::Resignation,
            Self::Crash(..) => Kind::Crash,
            Self::Stall(..) => Kind::Stall,
            Self::Aborted => return None,
        })
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Checkmate => f.write_str("checkmate"),
            Self::Stalemate => f.write_str("stalemate"),
            Self::NoMove => f.write_str("no move left"),
            Self::MoveCount => f.write_str("drawn by the number of moves"),
            Self::Repetition => f.write_str("threefold repetition"),
            Self::FiftyMoves => f.write_str("fifty moves"),
            Self::InsufficientMaterial => f.write_str("insufficient material"),
            Self::DeadPosition => f.write_str("dead position"),
            Self::AdjudicatedWin => f.write_str("adjudicated win"),
            Self::AdjudicatedDraw => f.write_str("adjudicated draw"),
            Self::Bitbases(Some(side)) => write!(f, "won for {side} by the bitbases"),
            Self::Bitbases(None) => f.write_str("drawn by the bitbases"),
            Self::MoveLimit => f.write_str("move limit"),
            Self::Time(Flag { left, taken }) => {
                let (left, taken) = (left.as_secs_f64(), taken.as_secs_f64());
                write!(f, "loss on time: took {taken:.3} s with {left:.3} s left")
            }
            Self::TimeDrawn(Flag { left, taken }) => {
                let (left, taken) = (left.as_secs_f64(), taken.as_secs_f64());
                write!(
                    f,
                    "out of time, drawn as the opponent cannot win: took {taken:.3} s with \
                     {left:.3} s left"
                )
            }
            Self::IllegalMove(text) => write!(f, "illegal move '{text}'"),
            Self::Resignation(side) => write!(f, "{side} resigns"),
            Self::Crash(side, why) => write!(f, "{side}'s engine crashed: it {why}"),
            Self::Stall(side, why) => write!(f, "{side}'s engine stalled: it {why}"),
            Self::Aborted => f.write_str("broken off"),
        }
    }
}

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
    /// Who won; `None` for draws and for games broken off.
    pub winner: Option<Side>,
    /// Where an engine failed, the last lines between it and the arena.
    pub transcript: Vec<String>,
}

impl<G: Contest> GameRecord<G> {
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

/// What counts of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// White's half points: 0, 1 or 2.
    #[serde(rename = "half_points")]
    pub white: usize,
    /// How it ended.
    pub kind: Kind,
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
    /// Adjudication.
    pub adjudication: Adjudication,
    /// How often in a game a player is started anew that crashes or stalls; its clock runs on.
    pub restarts: u32,
}

/// A game in progress.
struct Table<'a, G: Contest> {
    rules: &'a Rules,
    start: &'a G,
    position: G,
    keys: Vec<u64>,
    /// Those of the opening and of the engines.
    line: Vec<G::Move>,
    moves: Vec<Played<G::Move>>,
    /// How often each player may still be started anew.
    restarts: [u32; 2],
    clocks: [Clock; 2],
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
    let mut table = Table::new(controls, opening, rules);
    let mut transcript = Vec::new();
    let mut ending = None;
    for side in [Side::White, Side::Black] {
        if let Err(failure) = players[side.index()].new_game(&table.seat(side)) {
            ending = Some((side, fault(side, failure)?));
            break;
        }
    }
    let ending = loop {
        if let Some((side, ending)) = ending {
            // The process has shown that it cannot be trusted: the next game gets another.
            transcript = players[side.index()].transcript();
            let fell_silent = matches!(ending, Ending::Crash(..) | Ending::Stall(..));
            if fell_silent || ending == Ending::Aborted {
                players[side.index()].quit();
            }
            break ending;
        }
        if let Some(ending) = table.ending() {
            break ending;
        }
        let side = table.position.side();
        let before = table.position.clone();
        ending = table.ask(side, players[side.index()])?.map(|ending| (side, ending));
        if let (None, Some(played)) = (&ending, table.moves.last()) {
            let clocks = [0, 1].map(|side| table.clocks[side].remaining());
            see(Moment { before: &before, after: &table.position, played, clocks });
        }
    };
    players.into_iter().for_each(Player::game_over);
    let winner = table.winner(&ending);
    Ok(GameRecord { opening: opening.clone(), moves: table.moves, ending, winner, transcript })
}

/// What an engine's failure makes of the game.
fn fault(side: Side, failure: Failure) -> Result<Ending, Failure> {
    match failure {
        Failure::Crash(_) | Failure::Broke(_) => Ok(Ending::Crash(side, failure.to_string())),
        Failure::GaveUp => Ok(Ending::Resignation(side)),
        Failure::Stall(_) => Ok(Ending::Stall(side, failure.to_string())),
        Failure::Aborted => Ok(Ending::Aborted),
        Failure::Start { .. } | Failure::Protocol(_) | Failure::Unchecked(_) => Err(failure),
    }
}

impl<'a, G: Contest> Table<'a, G> {
    fn new(controls: [&'a Control; 2], opening: &'a Opening<G>, rules: &'a Rules) -> Self {
        let mut table = Self {
            rules,
            start: &opening.start,
            keys: vec![opening.start.key()],
            position: opening.start.clone(),
            line: Vec::new(),
            moves: Vec::new(),
            restarts: [rules.restarts; 2],
            clocks: controls.map(|control| Clock::new(&control.budget)),
            controls,
        };
        for &m in &opening.moves {
            table.advance(m);
        }
        table
    }

    fn advance(&mut self, m: G::Move) {
        self.line.push(m);
        self.position = self.position.after(m);
        self.keys.push(self.position.key());
    }

    /// Has the side to move make its move; an ending where it fails to.
    fn ask(&mut self, side: Side, player: &mut Player<G>) -> Result<Option<Ending>, Failure> {
        let (answer, restarted) = match self.answer(side, player) {
            Ok(answer) => answer,
            Err(failure) => return fault(side, failure).map(Some),
        };
        match self.clocks[side.index()].charge(answer.elapsed, self.rules.margin) {
            Ok(gained) => self.clocks[(!side).index()].gain(gained),
            Err(flag) if self.position.can_win(!side) => return Ok(Some(Ending::Time(flag))),
            Err(flag) => return Ok(Some(Ending::TimeDrawn(flag))),
        }
        let Some(m) = self.position.read_answer(&answer.best) else {
            return Ok(Some(Ending::IllegalMove(answer.best)));
        };
        let left = self.clocks[side.index()].remaining();
        let Answer { elapsed, thought, .. } = answer;
        self.moves.push(Played { m, elapsed, left, thought, restarted });
        self.advance(m);
        let expected = answer.ponder.and_then(|text| self.position.read_answer(&text));
        if player.ponders()
            && let Some(m) = expected
            && !self.position.after(m).moves().is_empty()
        {
            self.line.push(m);
            let pondered = player.ponder(&self.question(side, Duration::ZERO));
            self.line.pop();
            // An engine that has failed is found out when it is to move.
            if let Err(failure @ (Failure::Aborted | Failure::Start { .. })) = pondered {
                return fault(side, failure).map(Some);
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
        let left = self.clocks[side.index()].remaining();
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

    const fn seat(&self, side: Side) -> Seat<'_, G> {
        let control = self.controls[side.index()];
        Seat { start: &self.position, played: self.line.len(), side, control }
    }

    /// What a side is asked, of whose time so much is gone.
    fn question(&self, side: Side, used: Duration) -> Question<'_, G> {
        let face = |of: Side| {
            let clock = &self.clocks[of.index()];
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

    /// How the game has ended on the board, if it has.
    fn ending(&self) -> Option<Ending> {
        if let Some(ending) = self.position.ending(&self.keys) {
            return Some(ending);
        }
        let Adjudication { win, draw, max_moves, bitbases } = &self.rules.adjudication;
        if let Some(winner) = bitbases.as_ref().and_then(|known| self.position.known(known)) {
            return Some(Ending::Bitbases(winner));
        }
        if win.is_some_and(|rule| self.agreed_win(rule).is_some()) {
            return Some(Ending::AdjudicatedWin);
        }
        if draw.is_some_and(|rule| self.agreed_draw(rule)) {
            return Some(Ending::AdjudicatedDraw);
        }
        let limit = max_moves.is_some_and(|moves| self.moves.len() >= 2 * moves as usize);
        limit.then_some(Ending::MoveLimit)
    }

    /// The last `count` scores, newest first, in centipawns, from White's side of the board.
    fn scores(&self, count: usize) -> Option<Vec<i32>> {
        let mut side = self.position.side();
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
        let mover = !self.position.side();
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

    fn winner(&self, ending: &Ending) -> Option<Side> {
        match ending {
            Ending::Checkmate | Ending::NoMove | Ending::Time(_) | Ending::IllegalMove(_) => {
                Some(!self.position.side())
            }
            Ending::Crash(side, _) | Ending::Stall(side, _) | Ending::Resignation(side) => {
                Some(!*side)
            }
            Ending::Bitbases(winner) => *winner,
            Ending::AdjudicatedWin => {
                self.rules.adjudication.win.and_then(|rule| self.agreed_win(rule))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::base::record::Recorded;
    use crate::laws::clock::Budget;
    use crate::tools::arena::contest::times;
    use crate::{chess, draughts};

    fn rules() -> Rules {
        Rules {
            control: Control {
                budget: "40/60+0.5".parse::<Budget>().unwrap(),
                ..Control::default()
            },
            margin: Duration::ZERO,
            patience: Duration::from_secs(1),
            variant: Variant::Standard,
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
            let m = table.position.read_answer(text).unwrap_or_else(|| panic!("{text}"));
            let score = Some(Score::Centipawns(score));
            let thought = Thought { score, ..Thought::default() };
            table.moves.push(made(m, thought));
            table.advance(m);
            if let Some(ending) = table.ending() {
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
                Some(Ending::Checkmate),
            ),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Some(Ending::Stalemate)),
            ("7k/8/6K1/8/8/8/8/8 b - - 0 1", Some(Ending::InsufficientMaterial)),
            ("7k/8/6K1/8/8/8/8/N7 b - - 0 1", Some(Ending::InsufficientMaterial)),
            ("7k/8/6K1/8/8/8/8/NN6 b - - 0 1", None),
            ("7k/b7/6K1/8/8/8/8/B1B5 b - - 0 1", Some(Ending::InsufficientMaterial)),
            ("7k/1b6/6K1/8/8/8/8/B7 b - - 0 1", None),
            ("7k/8/6K1/8/8/8/8/R7 b - - 100 90", Some(Ending::FiftyMoves)),
            ("7k/8/6K1/8/8/8/8/R7 b - - 99 90", None),
            ("R6k/8/6K1/8/8/8/8/8 b - - 100 90", Some(Ending::Checkmate)),
            ("4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/4K3 w - - 0 1", Some(Ending::DeadPosition)),
            ("4k3/8/8/1p1p1p2/1P1P1P1P/8/8/4K3 w - - 0 1", None),
        ] {
            let (opening, rules) = (from::<chess::Position>(fen), rules());
            let table = Table::new([&rules.control; 2], &opening, &rules);
            assert_eq!(table.ending(), ending, "{fen}");
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
        let rules = rules();
        let mut table = Table::new([&rules.control; 2], &opening, &rules);
        assert_eq!(table.ending(), None);
        let moves = moves.map(|m| (m, 0));
        assert_eq!(play_out(&mut table, &moves), Some(Ending::Repetition));
        assert_eq!(table.moves.len(), 4);
    }

    #[test]
    fn the_rules_end_games_of_draughts() {
        for (fen, ending, winner) in [
            ("W:W:BK1", Some(Ending::NoMove), Some(Side::Black)),
            ("B:W30,34:B25", Some(Ending::NoMove), Some(Side::White)),
            // Lost before it is drawn.
            ("B:WK28:B:H50", Some(Ending::NoMove), Some(Side::White)),
            ("B:WK28,K50:BK1,K6,K16:H50", Some(Ending::MoveCount), None),
            ("B:WK28,K50:BK1,K6,K16:H49", None, None),
        ] {
            let (opening, rules) = (from::<draughts::Position>(fen), rules());
            let table = Table::new([&rules.control; 2], &opening, &rules);
            assert_eq!(table.ending(), ending, "{fen}");
            assert_eq!(ending.and_then(|ending| table.winner(&ending)), winner, "{fen}");
        }
        let rules = rules();
        let opening: Opening<draughts::Position> = from("W:WK47,45,50:BK4,1,6");
        let mut table = Table::new([&rules.control; 2], &opening, &rules);
        let moves = ["47-42", "4-9", "42-47", "9-4"].map(|m| (m, 0));
        assert_eq!(play_out(&mut table, &moves), None);
        assert_eq!(play_out(&mut table, &moves), Some(Ending::Repetition));
        assert_eq!(table.winner(&Ending::Repetition), None);
    }

    /// 6.3 and 6.4: kings that keep apart draw after 16 and 5 moves of each, not sooner.
    #[test]
    fn small_endings_of_draughts_end_by_count() {
        for (fen, plies) in [("W:WK16,K36,K26:BK5", 32), ("W:WK16,26:BK5", 10), ("B:WK16:BK5", 10)]
        {
            let (opening, rules) = (from::<draughts::Position>(fen), rules());
            let mut table = Table::new([&rules.control; 2], &opening, &rules);
            let ending = loop {
                let quiet = table.position.legal_moves().iter().copied().find(|&m| {
                    let after = table.position.play(m);
                    !after.can_capture() && times(&[&table.keys[..], &[after.key()]].concat()) < 3
                });
                let m =
                    quiet.unwrap_or_else(|| panic!("{} after {}", fen, table.position.to_fen()));
                table.moves.push(made(m, Thought::default()));
                table.advance(m);
                if let Some(ending) = table.ending() {
                    break ending;
                }
            };
            assert_eq!((ending, table.moves.len()), (Ending::MoveCount, plies), "{fen}");
        }
    }

    #[test]
    fn bitbases_end_games_as_the_rules_would() {
        let bitbases = Some(Arc::new(Bitbases::shipped()));
        let rules =
            Rules { adjudication: Adjudication { bitbases, ..Adjudication::default() }, ..rules() };
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
            let table = Table::new([&rules.control; 2], &opening, &rules);
            assert_eq!(table.ending(), ending, "{fen}");
        }
    }

    #[test]
    fn adjudication_needs_both_sides_for_long_enough() {
        let opening: Opening<chess::Position> = from("7k/8/8/8/8/8/8/R6K w - - 0 1");
        let mut rules = rules();
        rules.adjudication.win = Some(WinRule { moves: 2, score: 500, of: WhoSays::Both });
        let control = rules.control.clone();
        let mut table = Table::new([&control; 2], &opening, &rules);
        let moves = [("a1a2", 600), ("h8g8", -400), ("a2a3", 600), ("g8h8", -600)];
        assert_eq!(play_out(&mut table, &moves), None, "Black saw hope two moves ago");
        let moves = [("a3a4", 500), ("h8g8", -500)];
        assert_eq!(play_out(&mut table, &moves), Some(Ending::AdjudicatedWin));
        assert_eq!(table.winner(&Ending::AdjudicatedWin), Some(Side::White));

        // Black has resigned two moves earlier, but White alone would not have won.
        for (of, ending) in [(WhoSays::Loser, Some(Ending::AdjudicatedWin)), (WhoSays::Both, None)]
        {
            rules.adjudication.win = Some(WinRule { moves: 1, score: 500, of });
            let mut table = Table::new([&control; 2], &opening, &rules);
            assert_eq!(play_out(&mut table, &[("a1a2", 600), ("h8g8", -400)]), None);
            assert_eq!(play_out(&mut table, &[("a2a3", 400), ("g8h8", -600)]), ending);
        }

        let draw = Some(DrawRule { from: 2, moves: 1, score: 5 });
        let rules =
            Rules { adjudication: Adjudication { draw, ..Adjudication::default() }, ..rules };
        let mut table = Table::new([&control; 2], &opening, &rules);
        let moves = [("a1a2", 0), ("h8g8", 0), ("a2a3", 5), ("g8h8", -5)];
        assert_eq!(play_out(&mut table, &moves), Some(Ending::AdjudicatedDraw));
        assert_eq!(table.moves.len(), 4);
    }
}
