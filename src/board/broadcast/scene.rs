//! The JSON messages to the spectators of a match. The script `page/watch.js` reads them.
//!
//! Messages are built from the match's data only while someone is watching. All names are plain
//! text, and no message contains a command or path of this machine.

use crate::arena::game::GameRecord;
use crate::arena::game::contest::Contest;
use crate::arena::show::bracket::{self, BracketView};
use crate::arena::show::headline;
use crate::arena::show::live::{Live, LiveGame, lock};
use crate::arena::show::report::Report;
use crate::arena::show::rounds::{self, MatchRow};
use crate::arena::show::tables::{self, Measure, TextTable};
use crate::arena::tournament::schedule::{Form, Pairing};
use crate::arena::tournament::{Standings, Tournament};
use crate::base::side::Side;
use crate::page::LinkedAssets;
use serde::Serialize;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// Maximum number of finished games in the list. The report contains all games.
const MAX_LISTED: usize = 30;

#[derive(Clone, Copy, Debug)]
pub(super) struct Changes {
    pub games: u64,
    pub scores: u64,
    pub over: bool,
}

/// The source of the messages: a match of chess or draughts.
pub(super) trait Scene: Send + Sync {
    fn changes(&self) -> Changes;

    fn greeting(&self) -> String;

    fn games(&self) -> String;

    fn scores(&self) -> String;

    /// Returns the report on the match so far as a web page. `assets` contains the paths of the
    /// report's style sheet and script.
    fn report(&self, assets: LinkedAssets<'_>) -> String;
}

#[derive(Debug)]
pub(crate) struct Watched<G: Contest> {
    tournament: Arc<Tournament<G>>,
    title: String,
    /// The index of the engine to which all ratings are relative, or `None` if they are relative to
    /// the mean of all engines.
    anchor: Option<usize>,
    live: Arc<Mutex<Live<G>>>,
    report: Arc<Mutex<Report>>,
    state: Mutex<MatchState>,
}

#[derive(Debug)]
struct MatchState {
    standings: Standings,
    ended: VecDeque<Ended>,
    changes: u64,
    over: bool,
}

#[derive(Serialize)]
#[serde(tag = "say", rename_all = "kebab-case")]
enum Message<'a> {
    Match { title: &'a str, game: &'static str, engines: Vec<String>, laws: &'a str },
    Games { games: Vec<Running> },
    Scores(Box<Scores>),
}

#[derive(Serialize)]
struct Running {
    number: usize,
    players: [usize; 2],
    squares: String,
    changed: Vec<usize>,
    last: Option<String>,
    turn: Side,
    /// Each engine's comment on its last move: score, depth and so on.
    #[serde(rename = "said")]
    thoughts: [String; 2],
    /// The clock times in milliseconds.
    clocks: [Option<u64>; 2],
}

#[derive(Serialize)]
struct Scores {
    headline: Option<String>,
    winner: Option<String>,
    played: u64,
    games: usize,
    tables: Vec<(&'static str, TextTable)>,
    /// The bracket of a knockout.
    bracket: Option<BracketView>,
    /// The rounds with their matches; empty for knockouts and for schedules without rounds.
    rounds: Vec<Round>,
    ended: Vec<Ended>,
    over: bool,
}

#[derive(Serialize)]
struct Round {
    name: String,
    matches: Vec<Meeting>,
}

#[derive(Serialize)]
struct Meeting {
    players: [Option<String>; 2],
    result: String,
}

#[derive(Clone, Debug, Serialize)]
struct Ended {
    number: usize,
    players: [usize; 2],
    score: &'static str,
    how: String,
}

impl<G: Contest> Watched<G> {
    /// Wraps a match that begins with `standings`. The caller adds the games to `report`.
    pub(crate) fn new(
        tournament: Arc<Tournament<G>>,
        title: &str,
        anchor: Option<usize>,
        live: Arc<Mutex<Live<G>>>,
        report: Arc<Mutex<Report>>,
        standings: Standings,
    ) -> Self {
        let state = MatchState { standings, ended: VecDeque::new(), changes: 1, over: false };
        let (title, state) = (title.to_owned(), Mutex::new(state));
        Self { tournament, title, anchor, live, report, state }
    }

    pub(crate) fn on_game_end(&self, pairing: &Pairing, game: &GameRecord<G>) {
        let players = [pairing.white, pairing.black];
        let names = players.map(|player| self.tournament.entrants[player].name.as_str());
        let mut state = lock(&self.state);
        state.changes += 1;
        let Some(result) = game.score() else { return };
        state.standings.add(pairing, result);
        state.ended.push_front(Ended {
            number: pairing.game + 1,
            players,
            score: ["0–1", "½–½", "1–0"][result.white.min(2)],
            how: game.summary(names),
        });
        state.ended.truncate(MAX_LISTED);
    }

    pub(crate) fn over(&self) {
        let mut state = lock(&self.state);
        (state.changes, state.over) = (state.changes + 1, true);
    }

    fn name(&self, player: usize) -> String {
        self.tournament.entrants[player].name.clone()
    }

    fn rounds(&self, standings: &Standings) -> Vec<Round> {
        let mut rounds: Vec<Round> = Vec::new();
        if self.tournament.schedule.form() == Form::Knockout {
            return rounds;
        }
        for MatchRow { round, players, result, .. } in rounds::matches(&self.tournament, standings)
        {
            let players = [Some(players.0), players.1].map(|p| p.map(|player| self.name(player)));
            let meeting = Meeting { players, result };
            match rounds.last_mut().filter(|last| last.name == round) {
                Some(last) => last.matches.push(meeting),
                None => rounds.push(Round { name: round, matches: vec![meeting] }),
            }
        }
        rounds
    }
}

impl Running {
    fn of<G: Contest>(number: usize, game: &LiveGame<G>, now: Instant) -> Self {
        let squares = game.position.squares();
        let before = game.squares_before();
        let changed = before.as_ref().map_or_else(Vec::new, |before| {
            let both = before.chars().zip(squares.chars()).enumerate();
            both.filter(|(_, (was, is))| was != is).map(|(square, _)| square).collect()
        });
        let clock = |side| game.clock(side, now).map(|left| left.as_millis() as u64);
        Self {
            number,
            players: game.players,
            changed,
            last: game.last_move(),
            turn: game.position.side(),
            thoughts: Side::ALL.map(|side| game.thought_text(side)),
            clocks: Side::ALL.map(clock),
            squares,
        }
    }
}

fn json(message: &Message<'_>) -> String {
    serde_json::to_string(message).unwrap_or_default()
}

impl<G: Contest> Scene for Watched<G> {
    fn changes(&self) -> Changes {
        let games = lock(&self.live).changes;
        let state = lock(&self.state);
        Changes { games, scores: state.changes, over: state.over }
    }

    fn greeting(&self) -> String {
        let game = if G::SQUARES == 64 { "chess" } else { "draughts" };
        let laws = self.tournament.rules.edition.title();
        json(&Message::Match { title: &self.title, game, engines: self.tournament.names(), laws })
    }

    fn games(&self) -> String {
        // Release the lock before building the message: the match must not wait.
        let games = lock(&self.live).games.clone();
        let now = Instant::now();
        let games = games.iter().map(|(number, game)| Running::of(*number, game, now)).collect();
        json(&Message::Games { games })
    }

    fn scores(&self) -> String {
        let state = lock(&self.state);
        let (standings, over) = (state.standings.clone(), state.over);
        let ended: Vec<Ended> = state.ended.iter().cloned().collect();
        drop(state);
        let tournament = &*self.tournament;
        let (order, ratings) = (tournament.ranking(&standings), standings.ratings());
        let measure = Measure::of(tournament, &ratings, self.anchor);
        let many = tournament.entrants.len() > 2;
        let swiss = tables::swiss(tournament, &standings).map(|table| ("Swiss standings", table));
        let all = ("Standings", tables::standings(tournament, &standings, &order, measure));
        let cross = many.then(|| ("Cross table", tables::cross(tournament, &standings, &order)));
        json(&Message::Scores(Box::new(Scores {
            headline: (!many).then(|| headline(tournament, &standings)),
            winner: rounds::winner(tournament, &standings).map(|player| self.name(player)),
            played: standings.games(),
            games: tournament.games_in_all(&standings),
            tables: swiss.into_iter().chain([all]).chain(cross).collect(),
            bracket: bracket::view(tournament, &standings),
            rounds: self.rounds(&standings),
            ended,
            over,
        })))
    }

    fn report(&self, assets: LinkedAssets<'_>) -> String {
        let standings = lock(&self.state).standings.clone();
        lock(&self.report).spectator_page(&self.tournament, &standings, assets)
    }
}
