//! One game between two engines, judged by the arena alone.
//!
//! Ends by the laws (FIDE 2009: mate and stalemate 5.1 and 5.2a, dead positions 5.2b, threefold
//! repetition 9.2, fifty moves 9.3, flag fall 6.9); repetition and fifty moves count as claimed, as
//! no engine claims. Everything else that ends a game is somebody's fault, or was asked for
//! (adjudication), and the [`Ending`] says so.

use super::clock::{Budget, Clock, Control, Flag};
use super::openings::Opening;
use super::player::{Failure, Player, Score, Thought};
use crate::base::side::Side;
use crate::chess::{Move, Position};
use std::fmt;
use std::time::Duration;

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The side to move is mated.
    Checkmate,
    /// The side to move has no move.
    Stalemate,
    /// The position stood for the third time.
    Repetition,
    /// Fifty moves of each side without capture or pawn move.
    FiftyMoves,
    /// Neither side has the material to mate.
    InsufficientMaterial,
    /// Both sides' scores said long enough that one is lost.
    AdjudicatedWin,
    /// Both sides' scores said long enough that it is a draw.
    AdjudicatedDraw,
    /// The game reached the limit of moves.
    MoveLimit,
    /// The side to move overstepped its time.
    Time(Flag),
    /// The side to move sent this instead of a legal move.
    IllegalMove(String),
    /// The engine of this side ended.
    Crash(Side, String),
    /// The engine of this side fell silent.
    Stall(Side, String),
    /// The match was broken off.
    Aborted,
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Checkmate => f.write_str("checkmate"),
            Self::Stalemate => f.write_str("stalemate"),
            Self::Repetition => f.write_str("threefold repetition"),
            Self::FiftyMoves => f.write_str("fifty moves"),
            Self::InsufficientMaterial => f.write_str("insufficient material"),
            Self::AdjudicatedWin => f.write_str("adjudicated win"),
            Self::AdjudicatedDraw => f.write_str("adjudicated draw"),
            Self::MoveLimit => f.write_str("move limit"),
            Self::Time(Flag { left, taken }) => {
                let (left, taken) = (left.as_secs_f64(), taken.as_secs_f64());
                write!(f, "loss on time: took {taken:.3} s with {left:.3} s left")
            }
            Self::IllegalMove(text) => write!(f, "illegal move '{text}'"),
            Self::Crash(side, why) => write!(f, "{side}'s engine crashed: it {why}"),
            Self::Stall(side, why) => write!(f, "{side}'s engine stalled: it {why}"),
            Self::Aborted => f.write_str("broken off"),
        }
    }
}

/// A move of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// The move.
    pub m: Move,
    /// The time that it took.
    pub elapsed: Duration,
    /// What its player thought.
    pub thought: Thought,
}

/// A game that has been played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRecord {
    /// Where it started.
    pub opening: Opening,
    /// The moves of the engines.
    pub moves: Vec<Played>,
    /// How it ended.
    pub ending: Ending,
    /// Who won; `None` for draws and for games broken off.
    pub winner: Option<Side>,
    /// Where an engine failed, the last lines between it and the arena.
    pub transcript: Vec<String>,
}

impl GameRecord {
    /// White's half points: 0, 1 or 2. Meaningless where [`Self::counts`] is false.
    pub fn white_half_points(&self) -> usize {
        match self.winner {
            Some(Side::White) => 2,
            Some(Side::Black) => 0,
            None => 1,
        }
    }

    /// Whether the game has a result.
    pub fn counts(&self) -> bool {
        self.ending != Ending::Aborted
    }
}

/// When games are broken off with a result. Scores are in centipawns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Adjudication {
    /// Won when both sides agree on at least this score for this many moves of each.
    pub win: Option<WinRule>,
    /// Drawn when both sides' scores stay near 0.
    pub draw: Option<DrawRule>,
    /// Drawn after this many moves of each side.
    pub max_moves: Option<u32>,
}

/// When a win is clear.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WinRule {
    /// For how many moves of each side.
    pub moves: u32,
    /// From what score.
    pub score: i32,
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
    /// Chess960: castling is written as king takes rook.
    pub chess960: bool,
    /// Adjudication.
    pub adjudication: Adjudication,
}

/// A game in progress.
struct Table<'a> {
    rules: &'a Rules,
    position: Position,
    keys: Vec<u64>,
    /// The `position` command so far.
    command: String,
    moves: Vec<Played>,
    clocks: [Clock; 2],
    controls: [&'a Control; 2],
}

/// Plays a game, `players[0]` having White; `controls` are theirs. Fails only where an engine
/// cannot be run at all.
pub fn play(
    players: [&mut Player; 2],
    controls: [&Control; 2],
    opening: &Opening,
    rules: &Rules,
) -> Result<GameRecord, Failure> {
    let mut table = Table::new(controls, opening, rules);
    let mut transcript = Vec::new();
    let mut ending = None;
    for side in [Side::White, Side::Black] {
        if let Err(failure) = players[side.index()].new_game(rules.chess960) {
            ending = Some((side, fault(side, failure)?));
            break;
        }
    }
    let ending = loop {
        if let Some((side, ending)) = ending {
            // The process has shown that it cannot be trusted: the next game gets another.
            transcript = players[side.index()].transcript();
            if !matches!(ending, Ending::Time(_) | Ending::IllegalMove(_)) {
                players[side.index()].quit();
            }
            break ending;
        }
        if let Some(ending) = table.ending() {
            break ending;
        }
        let side = table.position.side();
        ending = table.ask(side, players[side.index()])?.map(|ending| (side, ending));
    };
    let winner = table.winner(&ending);
    Ok(GameRecord { opening: opening.clone(), moves: table.moves, ending, winner, transcript })
}

/// What an engine's failure makes of the game.
fn fault(side: Side, failure: Failure) -> Result<Ending, Failure> {
    match failure {
        Failure::Crash(_) => Ok(Ending::Crash(side, failure.to_string())),
        Failure::Stall(_) => Ok(Ending::Stall(side, failure.to_string())),
        Failure::Aborted => Ok(Ending::Aborted),
        Failure::Start { .. } => Err(failure),
    }
}

impl<'a> Table<'a> {
    fn new(controls: [&'a Control; 2], opening: &'a Opening, rules: &'a Rules) -> Self {
        let position = opening.start.clone();
        let command = if position == Position::start() && !rules.chess960 {
            "position startpos".to_owned()
        } else {
            format!("position fen {}", position.fen())
        };
        let mut table = Self {
            rules,
            keys: vec![position.key()],
            position,
            command,
            moves: Vec::new(),
            clocks: controls.map(|control| Clock::new(&control.budget)),
            controls,
        };
        for &m in &opening.moves {
            table.advance(m);
        }
        table
    }

    fn advance(&mut self, m: Move) {
        if self.keys.len() == 1 {
            self.command.push_str(" moves");
        }
        self.command.push(' ');
        self.command.push_str(&self.position.uci(m, self.rules.chess960));
        self.position = self.position.play(m);
        self.keys.push(self.position.key());
    }

    /// Has the side to move make its move; an ending where it fails to.
    fn ask(&mut self, side: Side, player: &mut Player) -> Result<Option<Ending>, Failure> {
        let clock = &self.clocks[side.index()];
        let allowed = match clock.remaining() {
            Some(left) => left.saturating_add(self.rules.margin),
            None => self.rules.patience,
        };
        let answer = match player.go(&self.command, &self.go_command(side), allowed) {
            Ok(answer) => answer,
            Err(failure) => return fault(side, failure).map(Some),
        };
        if let Err(flag) = self.clocks[side.index()].charge(answer.elapsed, self.rules.margin) {
            return Ok(Some(Ending::Time(flag)));
        }
        let Ok(m) = self.position.parse_uci(&answer.best) else {
            return Ok(Some(Ending::IllegalMove(answer.best)));
        };
        self.moves.push(Played { m, elapsed: answer.elapsed, thought: answer.thought });
        self.advance(m);
        Ok(None)
    }

    fn go_command(&self, side: Side) -> String {
        let mut words = vec!["go".to_owned()];
        // Told no less than a millisecond: engines divide by what is left.
        let ms = |time: Duration| time.as_millis().max(1);
        match &self.controls[side.index()].budget {
            Budget::PerMove(time) => words.push(format!("movetime {}", ms(*time))),
            Budget::Unlimited => {}
            Budget::Periods(_) => {
                for (side, letter) in [(Side::White, 'w'), (Side::Black, 'b')] {
                    if let Some(left) = self.clocks[side.index()].remaining() {
                        words.push(format!("{letter}time {}", ms(left)));
                    }
                }
                for (side, letter) in [(Side::White, 'w'), (Side::Black, 'b')] {
                    let increment = self.clocks[side.index()].increment();
                    words.push(format!("{letter}inc {}", increment.as_millis()));
                }
                let moves_to_go = self.clocks[side.index()].moves_to_go();
                words.extend(moves_to_go.map(|moves| format!("movestogo {moves}")));
            }
        }
        let control = self.controls[side.index()];
        words.extend(control.nodes.map(|nodes| format!("nodes {nodes}")));
        words.extend(control.depth.map(|depth| format!("depth {depth}")));
        words.join(" ")
    }

    /// How the game has ended on the board, if it has.
    fn ending(&self) -> Option<Ending> {
        let position = &self.position;
        if !position.has_moves() {
            let ending = if position.in_check() { Ending::Checkmate } else { Ending::Stalemate };
            return Some(ending);
        }
        if position.is_insufficient_material() {
            return Some(Ending::InsufficientMaterial);
        }
        let key = position.key();
        if self.keys.iter().filter(|&&k| k == key).count() >= 3 {
            return Some(Ending::Repetition);
        }
        if position.halfmove_clock() >= 100 {
            return Some(Ending::FiftyMoves);
        }
        let Adjudication { win, draw, max_moves } = self.rules.adjudication;
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
        if scores.iter().all(|&score| score >= rule.score) {
            Some(Side::White)
        } else {
            scores.iter().all(|&score| score <= -rule.score).then_some(Side::Black)
        }
    }

    fn agreed_draw(&self, rule: DrawRule) -> bool {
        self.moves.len() >= 2 * rule.from as usize
            && self
                .scores(2 * rule.moves.max(1) as usize)
                .is_some_and(|scores| scores.iter().all(|score| score.abs() <= rule.score))
    }

    fn winner(&self, ending: &Ending) -> Option<Side> {
        match ending {
            Ending::Checkmate | Ending::Time(_) | Ending::IllegalMove(_) => {
                Some(!self.position.side())
            }
            Ending::Crash(side, _) | Ending::Stall(side, _) => Some(!*side),
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

    fn rules() -> Rules {
        Rules {
            control: Control { budget: "40/60+0.5".parse().unwrap(), ..Control::default() },
            margin: Duration::ZERO,
            patience: Duration::from_secs(1),
            chess960: false,
            adjudication: Adjudication::default(),
        }
    }

    fn from(fen: &str) -> Opening {
        Opening { start: fen.parse().unwrap(), moves: Vec::new() }
    }

    /// Plays moves with scores, each from its player's point of view.
    fn play_out(table: &mut Table<'_>, moves: &[(&str, i32)]) -> Option<Ending> {
        for &(text, score) in moves {
            let m = table.position.parse_uci(text).unwrap();
            let score = Some(Score::Centipawns(score));
            let thought = Thought { score, ..Thought::default() };
            table.moves.push(Played { m, elapsed: Duration::ZERO, thought });
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
        ] {
            let (opening, rules) = (from(fen), rules());
            let table = Table::new([&rules.control; 2], &opening, &rules);
            assert_eq!(table.ending(), ending, "{fen}");
        }
    }

    #[test]
    fn the_third_repetition_draws_and_openings_count() {
        let mut opening = from("7k/8/8/8/8/8/8/R6K w - - 0 1");
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
    fn adjudication_needs_both_sides_for_long_enough() {
        let opening = from("7k/8/8/8/8/8/8/R6K w - - 0 1");
        let mut rules = rules();
        rules.adjudication.win = Some(WinRule { moves: 2, score: 500 });
        let control = rules.control.clone();
        let mut table = Table::new([&control; 2], &opening, &rules);
        let moves = [("a1a2", 600), ("h8g8", -400), ("a2a3", 600), ("g8h8", -600)];
        assert_eq!(play_out(&mut table, &moves), None, "Black saw hope two moves ago");
        let moves = [("a3a4", 500), ("h8g8", -500)];
        assert_eq!(play_out(&mut table, &moves), Some(Ending::AdjudicatedWin));
        assert_eq!(table.winner(&Ending::AdjudicatedWin), Some(Side::White));

        let draw = Some(DrawRule { from: 2, moves: 1, score: 5 });
        let rules =
            Rules { adjudication: Adjudication { draw, ..Adjudication::default() }, ..rules };
        let mut table = Table::new([&control; 2], &opening, &rules);
        let moves = [("a1a2", 0), ("h8g8", 0), ("a2a3", 5), ("g8h8", -5)];
        assert_eq!(play_out(&mut table, &moves), Some(Ending::AdjudicatedDraw));
        assert_eq!(table.moves.len(), 4);
    }

    #[test]
    fn commands_are_as_uci_has_them() {
        let rules = rules();
        let opening = Opening { start: Position::start(), moves: Vec::new() };
        let mut table = Table::new([&rules.control; 2], &opening, &rules);
        assert_eq!(table.command, "position startpos");
        play_out(&mut table, &[("e2e4", 0), ("e7e5", 0)]);
        assert_eq!(table.command, "position startpos moves e2e4 e7e5");
        let go = "go wtime 60000 btime 60000 winc 500 binc 500 movestogo 40";
        assert_eq!(table.go_command(Side::White), go);
        let nodes = Control { nodes: Some(5), depth: Some(3), ..Control::default() };
        let odds = Table::new([&nodes, &rules.control], &opening, &rules);
        assert_eq!(odds.go_command(Side::White), "go nodes 5 depth 3");
        assert!(odds.go_command(Side::Black).starts_with("go btime 60000 winc 0 binc 500"));
    }
}
