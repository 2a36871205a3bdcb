//! A game over a DXP connection: its moves, clocks, end and PDN record.
//!
//! Each side's time is measured on our machine, starting when that side is to move. The time in the
//! peer's MOVE messages is ignored.

use super::message::{Name, Reason};
use crate::base::side::Side;
use crate::draughts::pdn::{self, GameResult};
use crate::draughts::{Move, Position};
use crate::search::draughts::Root;
use crate::search::limits::Clock;
use std::fmt;
use std::time::Duration;

#[derive(Clone, Debug)]
pub(crate) struct Terms {
    /// The number of the game, counted from 1 over all connections.
    pub round: u32,
    /// The names of White and Black.
    pub names: [Name; 2],
    pub ours: Side,
    /// The time per side for the whole game, in minutes; 0 for no limit.
    pub minutes: u32,
    /// The number of moves per side after which the game ends without a result; 0 for no limit.
    pub moves: u32,
    pub start: Position,
}

/// The reason why a game ended under the rules or the agreed terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Over {
    /// The side to move has no legal move and has lost (FMJD 7.2).
    NoMove(Side),
    /// The same position has occurred three times with the same side to move (FMJD 6.1).
    Repetition,
    /// A draw by the move-count rules (FMJD 6.2 to 6.4).
    Count,
    MoveLimit(u32),
}

impl Over {
    pub(crate) const fn result(self) -> GameResult {
        match self {
            Self::NoMove(Side::White) => GameResult::BlackWins,
            Self::NoMove(Side::Black) => GameResult::WhiteWins,
            Self::Repetition | Self::Count => GameResult::Draw,
            Self::MoveLimit(_) => GameResult::Unknown,
        }
    }
}

impl fmt::Display for Over {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoMove(side) => write!(f, "{side} has no legal move"),
            Self::Repetition => f.write_str("threefold repetition"),
            Self::Count => f.write_str("draw by the move-count rules"),
            Self::MoveLimit(moves) => write!(f, "the move limit of {moves} is reached"),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Game {
    terms: Terms,
    record: pdn::Game,
    keys: Vec<u64>,
    /// The time used by White and Black.
    used: [Duration; 2],
    over: Option<Over>,
}

impl Game {
    pub(crate) fn new(terms: Terms) -> Self {
        let mut record = pdn::Game::from_position(terms.start);
        record.set_tag("Event", "DXP");
        record.set_date(std::time::SystemTime::now());
        record.set_tag("Round", &terms.round.to_string());
        record.set_tag("White", &terms.names[0].to_string());
        record.set_tag("Black", &terms.names[1].to_string());
        if terms.minutes > 0 {
            let seconds = 60 * terms.minutes;
            let moves = if terms.moves > 0 { format!("{}/", terms.moves) } else { String::new() };
            record.set_tag("TimeControl", &format!("{moves}{seconds}"));
        }
        let mut game =
            Self { terms, record, keys: Vec::new(), used: [Duration::ZERO; 2], over: None };
        game.over = game.judge();
        game
    }

    pub(crate) const fn terms(&self) -> &Terms {
        &self.terms
    }

    pub(crate) const fn position(&self) -> &Position {
        self.record.position()
    }

    pub(crate) fn is_ours(&self) -> bool {
        self.position().side() == self.terms.ours
    }

    /// Returns the remaining time of the side to move, or `None` if there is no time limit.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        let total = Duration::from_secs(60 * u64::from(self.terms.minutes));
        let used = self.used[self.position().side().index()];
        (!total.is_zero()).then(|| total.saturating_sub(used))
    }

    pub fn clock(&self) -> Option<Clock> {
        let moves_to_go = self.terms.moves.checked_sub(self.keys.len() as u32 / 2);
        let moves_to_go = moves_to_go.filter(|&moves| moves > 0);
        self.time_left().map(|time| Clock { time, increment: Duration::ZERO, moves_to_go })
    }

    pub(crate) fn root(&self) -> Root {
        let position = *self.position();
        // Positions before the last capture or move of a man cannot recur.
        let reach = usize::from(position.king_plies()).min(self.keys.len());
        let history = self.keys[self.keys.len() - reach..].to_vec();
        Root { history, ..Root::new(position) }
    }

    /// Returns why the game ended, or `None` if it is not over. Moves played after the end do not
    /// change the reason.
    pub(crate) const fn over(&self) -> Option<Over> {
        self.over
    }

    /// Formats the next move with its number, as in `12... 19-23`.
    pub(crate) fn name_of(&self, m: Move) -> String {
        let ply = self.keys.len() + usize::from(self.terms.start.side() == Side::Black);
        let dots = if self.position().side() == Side::White { "." } else { "..." };
        format!("{}{dots} {}", ply / 2 + 1, crate::draughts::notation::pdn(self.position(), m))
    }

    /// Plays a move that took `elapsed`. `thought` (score and depth) becomes part of the move's
    /// comment.
    pub(crate) fn play(
        &mut self,
        m: Move,
        elapsed: Duration,
        thought: &str,
    ) -> Result<(), pdn::IllegalMove> {
        let before = *self.position();
        let gap = if thought.is_empty() { "" } else { " " };
        self.record.push(m, &format!("{thought}{gap}{:.3}s", elapsed.as_secs_f64()))?;
        self.used[before.side().index()] += elapsed;
        self.keys.push(before.key());
        self.over = self.over.or_else(|| self.judge());
        Ok(())
    }

    fn judge(&self) -> Option<Over> {
        let position = self.position();
        let same = self.keys.iter().filter(|&&key| key == position.key()).count();
        let moves = self.terms.moves;
        if !position.has_moves() {
            Some(Over::NoMove(position.side()))
        } else if same >= 2 {
            Some(Over::Repetition)
        } else if position.is_drawn_by_count() {
            Some(Over::Count)
        } else if moves > 0 && self.keys.len() >= 2 * moves as usize {
            Some(Over::MoveLimit(moves))
        } else {
            None
        }
    }

    /// Returns the result under the rules, if they decide the game. Otherwise returns the result
    /// stated in the GAMEEND message. `end` contains the sender and the reason in that message.
    pub(crate) fn result(&self, end: Option<(Side, Reason)>) -> GameResult {
        let wins = |side| match side {
            Side::White => GameResult::WhiteWins,
            Side::Black => GameResult::BlackWins,
        };
        match (self.over, end) {
            (Some(over), _) if over.result() != GameResult::Unknown => over.result(),
            (_, Some((side, Reason::Won))) => wins(side),
            (_, Some((side, Reason::Lost))) => wins(!side),
            (_, Some((_, Reason::Draw))) => GameResult::Draw,
            (_, None | Some((_, Reason::Unknown))) => GameResult::Unknown,
        }
    }

    /// Returns the PDN record with the given result. `why`, the reason for the end of the game,
    /// becomes the last comment.
    pub(crate) fn record(&self, result: GameResult, why: &str) -> pdn::Game {
        let mut record = self.record.clone();
        record.result = result;
        record.comment(&why.replace(['{', '}'], "?"));
        record
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draughts::notation;

    fn game(fen: &str, minutes: u32, moves: u32) -> Game {
        let names = [Name::new("We"), Name::new("They")];
        let start = fen.parse().expect("FEN");
        Game::new(Terms { round: 2, names, ours: Side::White, minutes, moves, start })
    }

    fn play(game: &mut Game, moves: &str) {
        for text in moves.split(' ') {
            let m = notation::parse(game.position(), text).expect("legal");
            game.play(m, Duration::from_millis(1500), "").expect("legal");
        }
    }

    const START: &str = "W:W31-50:B1-20";
    const SHUFFLE: &str = "50-45 6-1 45-50 1-6";

    #[test]
    fn ends_games_by_the_rules() {
        let kings = "W:WK4,K46,K50,48:BK6";
        for (fen, moves, plays, over) in [
            (START, 0, "32-28 19-23", None),
            ("W:W32:B28", 0, "32x23", Some(Over::NoMove(Side::Black))),
            ("B:W41,47:B36", 0, "", Some(Over::NoMove(Side::Black))),
            (kings, 0, SHUFFLE, None),
            (kings, 0, &format!("{SHUFFLE} {SHUFFLE}"), Some(Over::Repetition)),
            // Moves played after the end do not change the reason for it.
            (kings, 0, &format!("{SHUFFLE} {SHUFFLE} 48-42"), Some(Over::Repetition)),
            ("W:WK46:BK6", 0, "46-5 6-1 5-46 1-6 46-41 6-1 41-46 1-7 46-5", None),
            ("W:WK46:BK6", 0, "46-5 6-1 5-46 1-6 46-41 6-1 41-46 1-7 46-5 7-1", Some(Over::Count)),
            (START, 1, "32-28 19-23", Some(Over::MoveLimit(1))),
            (START, 2, "32-28 19-23 28x19", None),
        ] {
            let mut game = game(fen, 0, moves);
            if !plays.is_empty() {
                play(&mut game, plays);
            }
            assert_eq!(game.over(), over, "{fen} {plays}");
        }
    }

    #[test]
    fn clocks_count_down() {
        let mut timed = game(START, 1, 40);
        play(&mut timed, "32-28 19-23 28x19");
        let second = Duration::from_secs(1);
        assert_eq!(timed.time_left(), Some(60 * second - second * 3 / 2));
        assert_eq!(timed.clock().and_then(|clock| clock.moves_to_go), Some(39));
        play(&mut timed, "14x23");
        assert_eq!(timed.time_left(), Some(57 * second));
        let mut free = game(START, 0, 40);
        play(&mut free, "32-28");
        assert_eq!((free.time_left(), free.clock()), (None, None));
    }

    #[test]
    fn history_contains_repeatable_positions_only() {
        let mut game = game("W:WK4,K46,K50,48:BK6", 0, 0);
        play(&mut game, "48-43 6-1 50-45 1-6");
        assert_eq!(game.root().history.len(), 3);
        play(&mut game, "43-38");
        assert!(game.root().history.is_empty());
    }

    #[test]
    fn rules_override_the_end_message() {
        let mut game = game("W:W32:B28,1", 0, 0);
        play(&mut game, "32x23");
        let result = |reason| game.result(Some((Side::Black, reason)));
        assert_eq!(result(Reason::Unknown), GameResult::Unknown);
        assert_eq!(result(Reason::Lost), GameResult::WhiteWins);
        assert_eq!(result(Reason::Won), GameResult::BlackWins);
        assert_eq!(result(Reason::Draw), GameResult::Draw);
        assert_eq!(game.result(None), GameResult::Unknown);
        let mut game = self::game("W:W32:B28", 0, 0);
        play(&mut game, "32x23");
        assert_eq!(game.result(Some((Side::Black, Reason::Won))), GameResult::WhiteWins);
    }

    #[test]
    fn records_round_trip() {
        let mut game = game(START, 5, 75);
        assert_eq!(
            game.name_of(notation::parse(game.position(), "32-28").expect("legal")),
            "1. 32-28"
        );
        play(&mut game, "32-28 19-23");
        let m = notation::parse(game.position(), "28x19").expect("legal");
        assert_eq!(game.name_of(m), "2. 28x19");
        game.play(m, Duration::from_millis(20), "+0.25/12").expect("legal");
        let text = game.record(GameResult::Unknown, "the peer {vanished}").to_string();
        for part in [
            "[Round \"2\"]",
            "[White \"We\"]",
            "[Black \"They\"]",
            "[TimeControl \"75/300\"]",
            "28x19 {+0.25/12 0.020s} {the peer ?vanished?} *",
        ] {
            assert!(text.replace('\n', " ").contains(part), "{part} in {text}");
        }
        let again = pdn::Reader::new(text.as_bytes()).next().expect("a game").expect("PDN");
        assert_eq!(again.to_string(), text);
    }
}
