//! Match events as JSON lines, for programs that follow a match.
//!
//! Each line is an object with `at` (seconds since 1970), `event` (the kind of event), and the
//! members of the event. Programs should ignore unknown events and members. Engines are identified
//! by name, and games by number, counted from 1.

use super::watch::{MadeMove, MatchEvent};
use crate::arena::engine::answer::ReportedScore;
use crate::arena::engine::warning::{Warning, WarningKind};
use crate::arena::game::GameRecord;
use crate::arena::game::contest::Contest;
use crate::arena::game::ending::{EndingKind, GameEnding};
use crate::arena::stats::sprt::SprtVerdict;
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

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct JsonLine {
    /// The time of the event, in seconds since 1970.
    pub at: f64,
    #[serde(flatten)]
    pub event: JsonEvent,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum JsonEvent {
    MatchStarted {
        engines: Vec<String>,
        games: usize,
        /// The number of games played before the match was resumed.
        played: u64,
    },
    GameStarted {
        game: usize,
        white: String,
        black: String,
        /// The position in which the engines take over, as FEN.
        fen: String,
    },
    Move {
        game: usize,
        side: Side,
        /// The move in the notation of game records.
        #[serde(rename = "move")]
        text: String,
        fen: String,
        #[serde(flatten)]
        thought: Thinking,
        seconds: f64,
        /// The player's remaining time in seconds. Omitted if there is no clock.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        clock: Option<f64>,
    },
    GameEnded {
        game: usize,
        white: String,
        black: String,
        /// White's half points, or `null` if the game was aborted and does not count.
        half_points: Option<usize>,
        /// The kind of ending, or `null` if the game was aborted.
        kind: Option<EndingKind>,
        text: String,
        /// The article of the laws under which the game ended, if it ended by the laws.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        article: Option<String>,
        plies: usize,
    },
    /// An engine crashed or stalled and is restarted. If restarts are enabled, the engine is
    /// restarted during the game, and its move follows. Otherwise it is restarted before its next
    /// game.
    EngineRestarted {
        game: usize,
        engine: String,
        why: String,
    },
    /// An engine violated its protocol without losing the game. With n concurrent games, each kind
    /// of violation is reported at most n times per engine.
    EngineWarning {
        game: usize,
        engine: String,
        kind: WarningKind,
        /// A description that follows the engine's name.
        text: String,
    },
    Standings {
        games: u64,
        engines: Vec<Standing>,
    },
    Sprt {
        llr: f64,
        lower: f64,
        upper: f64,
        /// `open`, `h0` or `h1`.
        verdict: String,
    },
    MatchEnded {
        games: u64,
        interrupted: bool,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Thinking {
    /// The score from the point of view of the side that moved, in hundredths of a pawn or man.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub score: Option<i32>,
    /// The number of moves to mate, which replaces the score. Negative if the side that moved is
    /// mated.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub mate: Option<i32>,
    pub depth: u32,
    pub nodes: u64,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Standing {
    pub engine: String,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    /// The Elo difference if there are two engines, otherwise the rating relative to the mean.
    pub elo: f64,
    /// Half the width of the 95% confidence interval.
    pub error: f64,
}

impl JsonEvent {
    pub(crate) fn match_started<G: Contest>(
        tournament: &Tournament<G>,
        before: &Standings,
    ) -> Self {
        Self::MatchStarted {
            engines: tournament.names(),
            games: tournament.schedule.games_in_all(),
            played: before.games(),
        }
    }

    pub(crate) fn of<G: Contest>(engines: &[String], event: &MatchEvent<'_, G>) -> Vec<Self> {
        match event {
            MatchEvent::GameStarted(pairing, opening) => {
                let [white, black] = names(engines, pairing);
                let fen = opening.end().to_fen();
                vec![Self::GameStarted { game: pairing.game + 1, white, black, fen }]
            }
            MatchEvent::Moved(pairing, MadeMove { before, after, played, clocks }) => {
                let (game, side) = (pairing.game + 1, before.side());
                let (score, mate) = match played.thought.score {
                    Some(ReportedScore::Centipawns(score)) => (Some(score), None),
                    Some(ReportedScore::Mate(moves)) => (None, Some(moves)),
                    None => (None, None),
                };
                let (depth, nodes) = (played.thought.depth, played.thought.nodes);
                let restarted = played.restarted.clone().map(|why| {
                    let engine = names(engines, pairing)[side.index()].clone();
                    Self::EngineRestarted { game, engine, why }
                });
                let moved = Self::Move {
                    game,
                    side,
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

    /// Returns the events to report when a game ends, including the standings and the SPRT.
    pub(crate) fn game_ended<G: Contest>(
        tournament: &Tournament<G>,
        pairing: &Pairing,
        record: &GameRecord<G>,
        standings: &Standings,
    ) -> Vec<Self> {
        let (game, score) = (pairing.game + 1, record.score());
        let players = names(&tournament.names(), pairing);
        let failed = match &record.ending {
            GameEnding::Crash(side, why) | GameEnding::Stall(side, why) => {
                Some((*side, why.clone()))
            }
            _ => None,
        };
        let engine_of = |side: Side| players[side.index()].clone();
        let restarted =
            failed.map(|(side, why)| Self::EngineRestarted { game, engine: engine_of(side), why });
        let warning = |(side, warning): &(Side, Warning)| {
            let (kind, text) = (warning.kind, warning.text.clone());
            Self::EngineWarning { game, engine: engine_of(*side), kind, text }
        };
        let mut events: Vec<_> = record.warnings.iter().map(warning).collect();
        let [white, black] = players;
        events.push(Self::GameEnded {
            game,
            white,
            black,
            half_points: score.map(|score| score.white),
            kind: score.map(|score| score.kind),
            text: record.ending.to_string(),
            article: record.article.map(str::to_owned),
            plies: record.moves.len(),
        });
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
            SprtVerdict::Open => "open",
            SprtVerdict::AcceptH0 => "h0",
            SprtVerdict::AcceptH1 => "h1",
        };
        Some(Self::Sprt { llr: sprt.llr(pairs), lower, upper, verdict: verdict.to_owned() })
    }
}

fn names(engines: &[String], pairing: &Pairing) -> [String; 2] {
    [pairing.white, pairing.black].map(|player| engines[player].clone())
}

/// A file to which events are appended. Write errors are reported by [`Self::check`].
pub(crate) struct EventFile {
    path: PathBuf,
    out: Mutex<io::Result<Box<dyn Write + Send>>>,
}

impl std::fmt::Debug for EventFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("EventFile").field(&self.path).finish()
    }
}

impl EventFile {
    /// Opens a file for appending, and creates it if necessary.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = File::options().create(true).append(true).open(path)?;
        Ok(Self { path: path.to_owned(), out: Mutex::new(Ok(Box::new(BufWriter::new(file)))) })
    }

    /// Creates an event writer for standard output.
    pub(crate) fn stdout() -> Self {
        let out: Box<dyn Write + Send> = Box::new(BufWriter::new(io::stdout()));
        Self { path: PathBuf::from("standard output"), out: Mutex::new(Ok(out)) }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Appends a line for each event. Lines from concurrent calls are not interleaved.
    pub(crate) fn add(&self, events: impl IntoIterator<Item = JsonEvent>) {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let mut text = Vec::new();
        for event in events {
            // Numbers and strings can always be serialised.
            let line = JsonLine { at: since.as_secs_f64(), event };
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
    fn events_parse_back() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("events.jsonl");
        let thought = Thinking { mate: Some(-3), depth: 7, nodes: u64::MAX, ..Thinking::default() };
        let events = [
            JsonEvent::MatchStarted { engines: vec!["a \"\n".into()], games: 2, played: 0 },
            JsonEvent::Move {
                game: 1,
                side: Side::Black,
                text: "Qxe4+".into(),
                fen: "8/8".into(),
                thought,
                seconds: 0.25,
                clock: None,
            },
            JsonEvent::GameEnded {
                game: 1,
                white: "a".into(),
                black: "b".into(),
                half_points: Some(2),
                kind: Some(EndingKind::Checkmate),
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
        let lines: Vec<JsonLine> = text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
        assert_eq!(lines.iter().map(|line| line.event.clone()).collect::<Vec<_>>(), events);
        assert!(lines.is_sorted_by_key(|line| line.at) && lines[0].at > 1.7e9);
        let line = text.lines().nth(1).unwrap();
        assert!(line.contains(r#""event":"move""#) && line.contains(r#""mate":-3"#), "{line}");
        assert!(!line.contains("score") && !line.contains("clock"), "{line}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn reports_a_full_disk() {
        let file = EventFile::open(Path::new("/dev/full")).unwrap();
        file.check().unwrap();
        file.add([JsonEvent::MatchEnded { games: 0, interrupted: false }]);
        file.add([JsonEvent::MatchEnded { games: 0, interrupted: true }]);
        assert_eq!(file.check().unwrap_err().kind(), io::ErrorKind::StorageFull);
    }
}
