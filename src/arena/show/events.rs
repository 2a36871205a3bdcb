//! Every event of a match as a line of JSON, for programs that follow it.
//!
//! Each line is an object with `at`, the time in seconds since 1970, `event`, and what the event has
//! to say; programs should pass over events and members that they do not know. Engines are named by
//! their names, games by their numbers from 1.

use super::watch::{Happening, Moment};
use crate::arena::engine::talk::Score;
use crate::arena::game::GameRecord;
use crate::arena::game::contest::Contest;
use crate::arena::game::ending::{Ending, Kind};
use crate::arena::stats::sprt::Verdict;
use crate::arena::tournament::schedule::Pairing;
use crate::arena::tournament::{Standings, Tournament};
use crate::base::game::MoveForm;
use crate::base::side::Side;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A line.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Line {
    /// Seconds since 1970.
    pub at: f64,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
}

/// What happens in a match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// The match begins, or goes on.
    MatchStarted {
        /// Who plays.
        engines: Vec<String>,
        /// Games that there will be.
        games: usize,
        /// Of which so many were played before.
        played: u64,
    },
    /// A game begins.
    GameStarted {
        /// Its number.
        game: usize,
        /// Who has White.
        white: String,
        /// Who has Black.
        black: String,
        /// The position in which the engines take over, as the `FEN` tag has it.
        fen: String,
    },
    /// A move was made.
    Move {
        /// In this game.
        game: usize,
        /// By this side.
        side: Color,
        /// The move, as a record has it.
        #[serde(rename = "move")]
        text: String,
        /// The position that it made.
        fen: String,
        /// What its player thought.
        #[serde(flatten)]
        thought: Thinking,
        /// The time that it took, in seconds.
        seconds: f64,
        /// What the player's clock shows now, in seconds; none without a clock.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        clock: Option<f64>,
    },
    /// A game has ended.
    GameEnded {
        /// Its number.
        game: usize,
        /// Who has White.
        white: String,
        /// Who has Black.
        black: String,
        /// White's half points; none where the game was broken off and does not count.
        half_points: Option<usize>,
        /// How it ended, in a word.
        kind: Option<Kind>,
        /// How it ended.
        text: String,
        /// Where the laws say so; none where they do not.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        article: Option<String>,
        /// How many moves the engines made.
        plies: usize,
    },
    /// An engine crashed or fell silent, and is started anew: in the game, where that was asked for and
    /// then before the move that it made, or before its next.
    EngineRestarted {
        /// In this game.
        game: usize,
        /// Which engine.
        engine: String,
        /// What it did.
        why: String,
    },
    /// The score after a game.
    Standings {
        /// Games that count.
        games: u64,
        /// Each engine's score.
        engines: Vec<Standing>,
    },
    /// The sequential test after a game.
    Sprt {
        /// The log-likelihood ratio.
        llr: f64,
        /// Below it H0 is accepted.
        lower: f64,
        /// Above it H1 is accepted.
        upper: f64,
        /// `open`, `h0` or `h1`.
        verdict: String,
    },
    /// The match has ended.
    MatchEnded {
        /// Games that count.
        games: u64,
        /// Whether somebody ended it before its time.
        interrupted: bool,
    },
}

/// A side, as it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "they are what they are called")]
pub enum Color {
    White,
    Black,
}

impl From<Side> for Color {
    fn from(side: Side) -> Self {
        if side.is_white() { Self::White } else { Self::Black }
    }
}

/// What an engine said of its search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Thinking {
    /// Centipawns (centimen in draughts) for the side that moved.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub score: Option<i32>,
    /// Instead, moves to mate, negative for the side that is mated.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub mate: Option<i32>,
    /// The depth in plies.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
}

/// An engine's score.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Standing {
    /// Its name.
    pub engine: String,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Of two engines the Elo difference, of more the rating, of mean 0.
    pub elo: f64,
    /// Half the width of its 95% interval.
    pub error: f64,
}

impl Event {
    /// Of the beginning of a match.
    pub fn match_started<G: Contest>(tournament: &Tournament<G>, before: &Standings) -> Self {
        Self::MatchStarted {
            engines: tournament.names(),
            games: tournament.schedule.games_in_all(),
            played: before.games(),
        }
    }

    /// Of what is seen of a game that is played.
    pub fn happening<G: Contest>(engines: &[String], happening: &Happening<'_, G>) -> Vec<Self> {
        match happening {
            Happening::Started(pairing, opening) => {
                let [white, black] = names(engines, pairing);
                let fen = opening.end().to_fen();
                vec![Self::GameStarted { game: pairing.game + 1, white, black, fen }]
            }
            Happening::Moved(pairing, Moment { before, after, played, clocks }) => {
                let (game, side) = (pairing.game + 1, before.side());
                let (score, mate) = match played.thought.score {
                    Some(Score::Centipawns(score)) => (Some(score), None),
                    Some(Score::Mate(moves)) => (None, Some(moves)),
                    None => (None, None),
                };
                let (depth, nodes) = (played.thought.depth, played.thought.nodes);
                let restarted = played.restarted.clone().map(|why| {
                    let engine = names(engines, pairing)[side.index()].clone();
                    Self::EngineRestarted { game, engine, why }
                });
                let moved = Self::Move {
                    game,
                    side: side.into(),
                    text: before.write_move(played.m, MoveForm::Record),
                    fen: after.to_fen(),
                    thought: Thinking { score, mate, depth, nodes },
                    seconds: played.elapsed.as_secs_f64(),
                    clock: clocks[side.index()].as_ref().map(Duration::as_secs_f64),
                };
                restarted.into_iter().chain([moved]).collect()
            }
        }
    }

    /// Of the end of a game: that it ended, and what follows.
    pub fn game_ended<G: Contest>(
        tournament: &Tournament<G>,
        pairing: &Pairing,
        record: &GameRecord<G>,
        standings: &Standings,
    ) -> Vec<Self> {
        let (game, outcome) = (pairing.game + 1, record.outcome());
        let [white, black] = names(&tournament.names(), pairing);
        let failed = match &record.ending {
            Ending::Crash(side, why) | Ending::Stall(side, why) => Some((*side, why.clone())),
            _ => None,
        };
        let restarted = failed.map(|(side, why)| {
            let engine = if side.is_white() { white.clone() } else { black.clone() };
            Self::EngineRestarted { game, engine, why }
        });
        let ended = Self::GameEnded {
            game,
            white,
            black,
            half_points: outcome.map(|outcome| outcome.white),
            kind: outcome.map(|outcome| outcome.kind),
            text: record.ending.to_string(),
            article: record.article.map(str::to_owned),
            plies: record.moves.len(),
        };
        let mut events = vec![ended];
        events.extend(restarted);
        events.push(Self::standings(tournament, standings));
        events.extend(Self::sprt(tournament, standings));
        events
    }

    fn standings<G: Contest>(tournament: &Tournament<G>, standings: &Standings) -> Self {
        let two = tournament.entrants.len() == 2;
        let ratings = (!two).then(|| standings.ratings());
        let engine = |(player, engine)| {
            let tally = standings.tallies[player];
            let elo = match &ratings {
                Some(ratings) => ratings.of(player, None),
                None => standings.pairs_of(player).elo(),
            };
            Standing {
                engine,
                wins: tally.wins,
                draws: tally.draws,
                losses: tally.losses,
                elo: elo.value,
                error: elo.error,
            }
        };
        let engines = tournament.names().into_iter().enumerate().map(engine).collect();
        Self::Standings { games: standings.games(), engines }
    }

    fn sprt<G: Contest>(tournament: &Tournament<G>, standings: &Standings) -> Option<Self> {
        let (sprt, pairs) = (tournament.sprt?, standings.pairs.first()?.get(1)?);
        let (lower, upper) = sprt.bounds();
        let verdict = match sprt.verdict(pairs) {
            Verdict::Open => "open",
            Verdict::AcceptH0 => "h0",
            Verdict::AcceptH1 => "h1",
        };
        Some(Self::Sprt { llr: sprt.llr(pairs), lower, upper, verdict: verdict.to_owned() })
    }
}

fn names(engines: &[String], pairing: &Pairing) -> [String; 2] {
    [pairing.white, pairing.black].map(|player| engines[player].clone())
}

/// A file of events. What cannot be written is told when it is closed.
#[derive(Debug)]
pub struct EventFile {
    path: PathBuf,
    out: Mutex<io::Result<BufWriter<File>>>,
}

impl EventFile {
    /// Makes the file, or goes on at its end.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = File::options().create(true).append(true).open(path)?;
        Ok(Self { path: path.to_owned(), out: Mutex::new(Ok(BufWriter::new(file))) })
    }

    /// Its name.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds lines, whole.
    pub fn add(&self, events: impl IntoIterator<Item = Event>) {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let mut text = Vec::new();
        for event in events {
            // Structures of numbers and texts are always written.
            let line = Line { at: since.as_secs_f64(), event };
            if serde_json::to_writer(&mut text, &line).is_ok() {
                text.push(b'\n');
            }
        }
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        if let Ok(file) = &mut *out
            && let Err(error) = file.write_all(&text).and_then(|()| file.flush())
        {
            *out = Err(error);
        }
    }

    /// What went wrong in writing, if anything has.
    ///
    /// # Errors
    /// The first error.
    pub fn check(&self) -> io::Result<()> {
        let out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        out.as_ref().map(|_| ()).map_err(|error| io::Error::new(error.kind(), error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn lines_read_back() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("events.jsonl");
        let thought = Thinking { mate: Some(-3), depth: 7, nodes: u64::MAX, ..Thinking::default() };
        let events = [
            Event::MatchStarted { engines: vec!["a \"\n".into()], games: 2, played: 0 },
            Event::Move {
                game: 1,
                side: Color::Black,
                text: "Qxe4+".into(),
                fen: "8/8".into(),
                thought,
                seconds: 0.25,
                clock: None,
            },
            Event::GameEnded {
                game: 1,
                white: "a".into(),
                black: "b".into(),
                half_points: Some(2),
                kind: Some(Kind::Checkmate),
                text: "checkmate".into(),
                article: Some("5.1 a".into()),
                plies: 1,
            },
        ];
        let file = EventFile::open(&path).unwrap();
        file.add(events[..1].iter().cloned());
        drop(file);
        let file = EventFile::open(&path).unwrap();
        file.add(events[1..].iter().cloned());
        file.check().unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<Line> = text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
        assert_eq!(lines.iter().map(|line| line.event.clone()).collect::<Vec<_>>(), events);
        assert!(lines.is_sorted_by_key(|line| line.at) && lines[0].at > 1.7e9);
        let line = text.lines().nth(1).unwrap();
        assert!(line.contains(r#""event":"move""#) && line.contains(r#""mate":-3"#), "{line}");
        assert!(!line.contains("score") && !line.contains("clock"), "{line}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_told() {
        let file = EventFile::open(Path::new("/dev/full")).unwrap();
        file.check().unwrap();
        file.add([Event::MatchEnded { games: 0, interrupted: false }]);
        file.add([Event::MatchEnded { games: 0, interrupted: true }]);
        assert_eq!(file.check().unwrap_err().kind(), io::ErrorKind::StorageFull);
    }
}
