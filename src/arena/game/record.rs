//! The record of a played game, written as PGN or PDN with the engines' search information.
//!
//! Comments use the format of other match runners. In `{+0.25/12 0.104s, tl=59.9s, n=31000, sd=20,
//! nps=298076, tbhits=3}` the fields are score/depth and time, then time left, nodes, selective
//! depth, nodes per second and tablebase hits. Unknown values are omitted. `{book}` marks an
//! opening move. The last comment contains the ending and the article of the laws that applies; the
//! tag `Laws` names the edition of the laws.

use super::contest::{Contest, Variant};
use super::ending::{GameEnding, GameScore};
use super::openings::Opening;
use crate::arena::engine::answer::Thought;
use crate::arena::engine::warning::Warning;
use crate::base::side::Side;
use crate::laws::Edition;
use crate::laws::clock::{Flag, TimeControl};
use crate::record::games::{IllegalMove, Record};
use std::fmt::Write as _;
use std::time::Duration;

/// A move that an engine played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedMove<M> {
    /// The move.
    pub m: M,
    /// The time taken for the move.
    pub elapsed: Duration,
    /// The player's remaining time after the move, including the increment unless the move itself
    /// ended the game. `None` without a clock.
    pub left: Option<Duration>,
    /// The search information of the engine.
    pub thought: Thought,
    /// The reason why the player was restarted before this move, if it was.
    pub restarted: Option<String>,
}

/// A game that has been played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRecord<G: Contest> {
    /// The opening from which the game was played.
    pub opening: Opening<G>,
    /// The moves played by the engines.
    pub moves: Vec<PlayedMove<G::Move>>,
    /// The way in which the game ended.
    pub ending: GameEnding,
    /// The article of the laws under which the game ended, if it ended by the laws.
    pub article: Option<&'static str>,
    /// The winner, or `None` for draws and aborted games.
    pub winner: Option<Side>,
    /// The last lines exchanged with the engine that ended the game by a failure, an illegal move,
    /// a flag fall or a resignation, or that the arena was waiting for when the game was aborted.
    /// Otherwise empty.
    pub transcript: Vec<String>,
    /// The warnings about the engines, each with the engine's side. Kinds of warnings that were
    /// already reported for the player in an earlier game are omitted.
    pub warnings: Vec<(Side, Warning)>,
}

impl<G: Contest> GameRecord<G> {
    /// Describes the ending, including the article of the laws if there is one.
    pub fn conclusion(&self) -> String {
        match self.article {
            Some(article) => format!("{} ({article})", self.ending),
            None => self.ending.to_string(),
        }
    }

    /// Returns a sentence that names the winner or loser and the reason. `players` are the names of
    /// White and Black.
    pub fn summary(&self, players: [&str; 2]) -> String {
        let name = |side: Side| players[side.index()];
        let by = match &self.ending {
            GameEnding::Time(Flag { left, taken }) => {
                let (left, taken) = (left.as_secs_f64(), taken.as_secs_f64());
                format!("on time: took {taken:.3} s with {left:.3} s left")
            }
            GameEnding::IllegalMove(text) => format!("by the illegal move '{text}'"),
            GameEnding::Crash(_, why) => format!("after a crash: the engine {why}"),
            GameEnding::Stall(_, why) => format!("after a stall: the engine {why}"),
            GameEnding::Resignation(side) => return format!("{} resigns", name(*side)),
            GameEnding::Aborted => return self.conclusion(),
            _ => {
                let conclusion = self.conclusion();
                return match self.winner {
                    Some(side) => format!("{} wins: {conclusion}", name(side)),
                    None => format!("draw: {conclusion}"),
                };
            }
        };
        match self.winner {
            Some(side) => format!("{} loses {by}", name(!side)),
            None => format!("draw: {}", self.conclusion()),
        }
    }

    /// Returns the move number of the next move in the game record.
    pub fn next_number(&self) -> u32 {
        let start = &self.opening.start;
        let plies = self.opening.moves.len() + self.moves.len();
        let half_move = usize::from(!start.side().is_white());
        start.first_number() + ((plies + half_move) / 2) as u32
    }

    /// Returns the score of the game, or `None` if the game was aborted.
    pub fn score(&self) -> Option<GameScore> {
        let white = match self.winner {
            Some(Side::White) => 2,
            Some(Side::Black) => 0,
            None => 1,
        };
        Some(GameScore { white, kind: self.ending.kind()? })
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Tags<'a> {
    pub event: &'a str,
    /// The time at which the game ended.
    pub date: std::time::SystemTime,
    /// The round, as returned by
    /// [`Tournament::round_tag`](crate::arena::tournament::Tournament::round_tag).
    pub round: String,
    pub players: [&'a str; 2],
    pub controls: [&'a TimeControl; 2],
    pub variant: Variant,
    pub edition: Edition,
}

/// Returns the value of the `Termination` tag (PGN Standard 9.8.1).
const fn termination(ending: &GameEnding) -> &'static str {
    match ending {
        GameEnding::Time(_) | GameEnding::TimeDrawn(_) => "time forfeit",
        GameEnding::IllegalMove(_) => "rules infraction",
        GameEnding::AdjudicatedWin
        | GameEnding::AdjudicatedDraw
        | GameEnding::Tables(..)
        | GameEnding::MoveLimit => "adjudication",
        GameEnding::Crash(..) | GameEnding::Stall(..) => "abandoned",
        GameEnding::Aborted => "unterminated",
        _ => "normal",
    }
}

/// Converts a game to a record for a PGN or PDN file. Fails if a move is illegal, which does not
/// happen in games played by the arena.
pub fn write<G: Contest>(
    record: &GameRecord<G>,
    tags: &Tags<'_>,
) -> Result<Record<G>, IllegalMove<G::Move>> {
    let mut game = Record::from_position(record.opening.start.clone());
    if record.score().is_some() {
        game.result = G::result(record.winner);
    }
    set_tags(&mut game, record, tags);
    for &m in &record.opening.moves {
        game.push(m, "book")?;
    }
    for played in &record.moves {
        game.push(played.m, &comment(played))?;
    }
    // An illegal move can be any text, so it may contain the character that ends a comment.
    game.comment(&record.conclusion().replace(['{', '}'], "?"));
    Ok(game)
}

fn set_tags<G: Contest>(game: &mut Record<G>, record: &GameRecord<G>, tags: &Tags<'_>) {
    game.set_tag("Event", tags.event);
    // UTC, because a match may run on several machines.
    game.set_date(tags.date);
    game.set_tag("Round", &tags.round);
    game.set_tag("White", tags.players[0]);
    game.set_tag("Black", tags.players[1]);
    if tags.variant == Variant::Chess960 {
        game.set_tag("Variant", "Chess960");
    }
    let mut set_for_both = |name: &str, [white, black]: [String; 2]| {
        if white == black {
            game.set_tag(name, &white);
        } else {
            game.set_tag(&format!("White{name}"), &white);
            game.set_tag(&format!("Black{name}"), &black);
        }
    };
    set_for_both("TimeControl", tags.controls.map(TimeControl::to_string));
    // The value of `TimeControl` cannot express these limits.
    let limits = tags.controls.map(TimeControl::limits);
    if limits.iter().any(|limits| !limits.is_empty()) {
        set_for_both("Limits", limits.map(|text| if text.is_empty() { "-".into() } else { text }));
    }
    let plies = record.opening.moves.len() + record.moves.len();
    game.set_tag("PlyCount", &plies.to_string());
    game.set_tag("Laws", tags.edition.id());
    game.set_tag("Termination", termination(&record.ending));
}

fn comment<M>(played: &PlayedMove<M>) -> String {
    let mut comment = String::new();
    if let Some(score) = played.thought.score {
        let _ = write!(comment, "{score}/{} ", played.thought.depth);
    }
    let _ = write!(comment, "{:.3}s", played.elapsed.as_secs_f64());
    if let Some(left) = played.left {
        let _ = write!(comment, ", tl={:.3}s", left.as_secs_f64());
    }
    let Thought { nodes, seldepth, nps, tbhits, .. } = played.thought;
    let figures = [("n", nodes), ("sd", seldepth.into()), ("nps", nps), ("tbhits", tbhits)];
    for (name, figure) in figures.into_iter().filter(|&(_, figure)| figure > 0) {
        let _ = write!(comment, ", {name}={figure}");
    }
    if let Some(reason) = &played.restarted {
        let _ = write!(comment, ", restarted: {}", reason.replace(['{', '}'], "?"));
    }
    comment
}

/// Parses the score, the depth and the time in seconds from a comment. Returns `None` for each
/// missing value. A recorded depth of 0, and a score without a time, count as missing.
pub(crate) fn read_thought(comment: &str) -> (Option<String>, Option<u32>, Option<f64>) {
    let mut words = comment.split([' ', ',']).filter(|word| !word.is_empty()).peekable();
    let search = words.peek().and_then(|word| word.split_once('/'));
    let search = search.and_then(|(score, depth)| Some((score.to_owned(), depth.parse().ok()?)));
    if search.is_some() {
        words.next();
    }
    let seconds = words.next().and_then(|word| word.strip_suffix('s'));
    let seconds = seconds.and_then(|n| n.parse().ok()).filter(|n: &f64| n.is_finite());
    let (score, depth) = search.unzip();
    (score.filter(|_| seconds.is_some()), depth.filter(|depth| *depth > 0), seconds)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::arena::engine::answer::ReportedScore;
    use crate::chess::Position;
    use crate::chess::pgn::Reader;

    #[test]
    fn reads_score_depth_and_time_from_comments() {
        let read =
            |score: &str, depth, seconds| (Some(score.to_owned()), Some(depth), Some(seconds));
        assert_eq!(read_thought("+0.25/12 0.104s"), read("+0.25", 12, 0.104));
        assert_eq!(read_thought("-M5/30 1.000s, tl=59.9s, n=31000"), read("-M5", 30, 1.0));
        assert_eq!(read_thought("0.104s"), (None, None, Some(0.104)));
        assert_eq!(read_thought("-0.10/0 0.104s"), (Some("-0.10".into()), None, Some(0.104)));
        for nothing in ["", "book", "a/b cs", "illegal move '1/1 xs'", "NaNs", "infs"] {
            assert_eq!(read_thought(nothing).2, None, "{nothing}");
            assert_eq!(read_thought(nothing).0, None, "{nothing}");
        }
    }

    #[test]
    fn records_parse_back() {
        let start = Position::start();
        let book = start.parse_uci("e2e4").unwrap();
        let m = start.play(book).parse_uci("e7e5").unwrap();
        let score = Some(ReportedScore::Centipawns(-25));
        let thought = Thought { depth: 12, score, nodes: 900, nps: 45, ..Thought::default() };
        let record = GameRecord {
            opening: Opening { start, moves: vec![book] },
            moves: vec![PlayedMove {
                m,
                elapsed: Duration::from_millis(104),
                left: Some(Duration::from_millis(1916)),
                thought,
                restarted: Some("did {not}".into()),
            }],
            article: Some("11.7"),
            ending: GameEnding::IllegalMove("{0000} \"}".into()),
            winner: Some(Side::Black),
            transcript: Vec::new(),
            warnings: Vec::new(),
        };
        let timed = TimeControl { budget: "2+0.02".parse().unwrap(), ..TimeControl::default() };
        let limited = TimeControl { nodes: Some(900), depth: Some(7), ..TimeControl::default() };
        let tags = Tags {
            event: "a \"test\"",
            date: std::time::SystemTime::UNIX_EPOCH,
            round: "3.1.2".to_owned(),
            players: ["A", "B"],
            controls: [&timed, &limited],
            variant: Variant::Standard,
            edition: Edition::Fide2023,
        };
        let text = write(&record, &tags).unwrap().to_string();
        let moves = "1. e4 {book} 1... e5 {-0.25/12 0.104s, tl=1.916s, n=900, nps=45, restarted: did ?not?} {illegal move '?0000? \"?' (11.7)} 0-1";
        assert!(text.replace('\n', " ").contains(moves), "{text}");
        assert!(text.contains("[Termination \"rules infraction\"]"), "{text}");
        let read = Reader::new(text.as_bytes()).next().unwrap().unwrap();
        assert_eq!(read.tag("Event"), Some("a \"test\""));
        assert_eq!(read.tag("Date"), Some("1970.01.01"));
        assert_eq!(read.tag("WhiteTimeControl"), Some("2+0.02"));
        assert_eq!(read.tag("BlackTimeControl"), Some("-"));
        assert_eq!(read.tag("WhiteLimits"), Some("-"));
        assert_eq!(read.tag("BlackLimits"), Some("900 nodes per move, depth 7"));
        assert_eq!(read.to_string(), text);

        // A game in which an engine failed before its first move.
        let opening = Opening { start: Position::start(), moves: Vec::new() };
        let ending = GameEnding::Crash(Side::White, "refused the game".into());
        let record = GameRecord { opening, moves: Vec::new(), ending, ..record };
        let text = write(&record, &tags).unwrap().to_string();
        assert!(
            text.contains("{White's engine crashed: it refused the game (11.7)} 0-1"),
            "{text}"
        );
    }

    #[test]
    fn strips_control_characters_of_engines() {
        let record = GameRecord {
            opening: Opening { start: Position::start(), moves: vec![] },
            moves: vec![],
            ending: GameEnding::IllegalMove("\u{1b}[2J\u{9b}1m\r}{".to_owned()),
            article: None,
            winner: Some(Side::Black),
            transcript: vec![],
            warnings: vec![],
        };
        let one = TimeControl::default();
        let tags = Tags {
            event: "test",
            date: std::time::SystemTime::UNIX_EPOCH,
            round: "1".to_owned(),
            players: ["a", "b"],
            controls: [&one, &one],
            variant: Variant::Standard,
            edition: Edition::Fide2009,
        };
        let text = write(&record, &tags).unwrap().to_string();
        assert!(text.contains("{illegal move ' [2J 1m ??'}"), "{text}");
        assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
    }
}
