//! A match report as a single HTML page: tables, charts, and every game on a board.
//!
//! Tables and charts are static HTML. The script `report.js` shows the games, which the page
//! contains as JSON.

mod games;
mod tables;

use crate::arena::game::contest::Contest;
use crate::arena::game::ending::GameScore;
use crate::arena::show::{bracket, rounds};
use crate::arena::tournament::schedule::{Form, Pairing};
use crate::arena::tournament::{Standings, Tournament};
use crate::page::{
    Chart, Curve, LinkedAssets, Own, escape, section, with_games, with_games_linked,
};
use crate::record::games::Record;
use games::{GameData, MoveTimes};
use serde::Serialize;
use std::fmt::Write as _;
use std::ops::Range;

pub(crate) const OWN: Own =
    Own { style: include_str!("report.css"), script: include_str!("report.js") };
/// The maximum number of games with moves in the report. Browsers cannot open much larger pages.
const MAX_SHOWN: usize = 4000;
/// The number of checkpoints at which ratings are computed for the chart.
const CHECKPOINTS: usize = 100;
const MAX_MOVES: usize = 80;

#[derive(Debug)]
pub(crate) struct Report {
    title: String,
    engines: Vec<String>,
    results: Vec<(Pairing, GameScore)>,
    games: Vec<GameData>,
    times: Vec<MoveTimes>,
    /// The number of the first game with moves in the report, counted from 1.
    from: usize,
    /// The first and the last day on which a game ended, in the format of `Date` tags.
    dates: Option<(String, String)>,
}

#[derive(Serialize)]
struct Data<'a> {
    title: &'a str,
    /// The number of squares on each side of the board.
    size: usize,
    /// The board of games without moves.
    start: String,
    engines: &'a [String],
    games: &'a [GameData],
}

impl Report {
    /// Creates an empty report. It includes moves only for [`MAX_SHOWN`] game numbers, starting
    /// with `from`.
    pub(crate) fn new(title: &str, engines: Vec<String>, from: usize) -> Self {
        let times = vec![MoveTimes::default(); engines.len()];
        let (results, games) = (Vec::new(), Vec::new());
        Self { title: title.to_owned(), engines, results, games, times, from, dates: None }
    }

    const fn games_with_moves(&self) -> Range<usize> {
        self.from..self.from.saturating_add(MAX_SHOWN)
    }

    /// Adds a finished game. Games must be added in the order in which they were played.
    pub(crate) fn add<G: Contest>(
        &mut self,
        pairing: &Pairing,
        score: GameScore,
        record: &Record<G>,
    ) {
        self.results.push((*pairing, score));
        if let Some(date) = record.tag("Date") {
            let (first, last) =
                self.dates.get_or_insert_with(|| (date.to_owned(), date.to_owned()));
            // Dates begin with the year, so they can be compared as text.
            if date < first.as_str() {
                date.clone_into(first);
            }
            if date > last.as_str() {
                date.clone_into(last);
            }
        }
        let mut game = GameData::new(pairing, score, record);
        let opening = game.steps.iter().take_while(|step| step.seconds.is_none()).count();
        for (ply, step) in game.steps.iter().enumerate().skip(opening) {
            let player = [pairing.white, pairing.black][(ply + game.black_first) % 2];
            self.times[player].add((ply - opening) / 2, step);
        }
        if !self.games_with_moves().contains(&game.number) {
            game.clear();
        }
        self.games.push(game);
    }

    pub(crate) fn page<G: Contest>(
        &self,
        tournament: &Tournament<G>,
        standings: &Standings,
    ) -> String {
        let body = self.body(tournament, standings, true);
        with_games(&self.title, &body, &self.data::<G>(), OWN)
    }

    /// Generates the report page for spectators. Its style and script are separate files. The page
    /// does not show the engines' commands, because they contain names of local files.
    pub(crate) fn spectator_page<G: Contest>(
        &self,
        tournament: &Tournament<G>,
        standings: &Standings,
        assets: LinkedAssets<'_>,
    ) -> String {
        let body = self.body(tournament, standings, false);
        with_games_linked(&self.title, &body, &self.data::<G>(), assets)
    }

    fn body<G: Contest>(
        &self,
        tournament: &Tournament<G>,
        standings: &Standings,
        with_commands: bool,
    ) -> String {
        let (title, subtitle) = (escape(&self.title), self.subtitle(tournament));
        let mut body = format!("<header><h1>{title}</h1><p>{subtitle}</p></header>\n");
        let order = tournament.ranking(standings);
        let head = tables::Head { engines: &self.engines, standings, order: &order };
        if self.engines.len() == 2 {
            section(&mut body, "Result", &tables::duel(&head, tournament.sprt));
        }
        if let Some(winner) = rounds::winner(tournament, standings) {
            let _ = writeln!(body, "<p class=\"versus\">winner: {}</p>", head.name(winner));
        }
        if let Some(rows) = rounds::swiss(tournament, standings) {
            section(&mut body, "Swiss standings", &tables::swiss(&head, &rows));
        }
        if let Some(bracket) = bracket::view(tournament, standings) {
            section(&mut body, "Bracket", &tables::bracket(&head, &bracket));
        }
        let matches = rounds::matches(tournament, standings);
        if !matches.is_empty() {
            section(&mut body, "Rounds", &tables::rounds(&head, &matches));
        }
        let ranked = matches!(tournament.schedule.form(), Form::Knockout | Form::Ladder(_));
        section(&mut body, "Standings", &tables::standings(&head, !ranked));
        if self.engines.len() > 2 {
            section(&mut body, "Cross table", &tables::cross(&head));
        }
        let name =
            if self.engines.len() == 2 { "Elo over the games" } else { "Ratings over the games" };
        if !ranked && let Some(chart) = self.ratings_chart() {
            section(&mut body, name, &chart);
        }
        section(&mut body, "How games ended", &tables::endings(standings));
        section(&mut body, "Engines", &tables::engines(&head, tournament, with_commands));
        section(&mut body, "Time", &(tables::times(&head, &self.times) + &self.times_chart()));
        section(&mut body, "Games", &(self.omission_note() + GAMES));
        body
    }

    fn data<G: Contest>(&self) -> Data<'_> {
        let size = if G::SQUARES == 64 { 8 } else { 10 };
        let start = Record::<G>::new().start().squares();
        Data { title: &self.title, size, start, engines: &self.engines, games: &self.games }
    }

    fn omission_note(&self) -> String {
        let Range { start, end } = self.games_with_moves();
        let last = self.games.iter().map(|game| game.number).max().unwrap_or(0);
        if start <= 1 && last < end {
            return String::new();
        }
        format!(
            "<p class=\"quiet\">This page has the moves of games {start} to {} of {last}. The other \
             games are in the match's game files; if the match has a folder, <code>adoube match \
             report DIR FILE --from {}</code> writes a page with them.</p>\n",
            last.min(end - 1),
            if last < end { 1 } else { end }
        )
    }

    fn subtitle<G: Contest>(&self, tournament: &Tournament<G>) -> String {
        let game = if G::SQUARES == 64 { "Chess" } else { "Draughts on 100 squares" };
        let mut controls: Vec<String> =
            (0..self.engines.len()).map(|n| tournament.control(n).description()).collect();
        controls.dedup();
        let control = match &controls[..] {
            [one] if one == "-" => String::new(),
            [one] => format!(" · {one}"),
            _ => " · time odds".to_owned(),
        };
        let (games, engines) = (self.results.len(), self.engines.len());
        let form = match tournament.schedule.form() {
            Form::RoundRobin if engines == 2 => String::new(),
            Form::RoundRobin => " · round robin".to_owned(),
            Form::Gauntlet => " · gauntlet".to_owned(),
            Form::Swiss(rounds) => format!(" · Swiss tournament of {rounds} rounds"),
            Form::Knockout => " · knockout".to_owned(),
            Form::Ladder(rounds) => format!(" · ladder of {rounds} rounds"),
        };
        let date = match &self.dates {
            None => String::new(),
            Some((first, last)) if first == last => format!(" · {first}"),
            Some((first, last)) => format!(" · {first} to {last}"),
        };
        let laws = tournament.rules.edition.title();
        escape(&format!("{game} · {games} games · {engines} engines{form}{control} · {laws}{date}"))
    }

    /// Draws the Elo difference of two engines, or the ratings of all engines, over the course of
    /// the match. Returns `None` if there are too few games for a line.
    fn ratings_chart(&self) -> Option<String> {
        let mut standings = Standings::new(self.engines.len());
        let two = self.engines.len() == 2;
        let curves = if two { 1 } else { self.engines.len() };
        let mut lines: Vec<Curve> =
            (0..curves).map(|player| Curve::new(&self.engines[player], player)).collect();
        let every = self.results.len().div_ceil(CHECKPOINTS).max(1);
        for (n, (pairing, score)) in (1..).zip(&self.results) {
            standings.add(pairing, *score);
            if n % every != 0 && n != self.results.len() {
                continue;
            }
            // Before the first pairs are complete, the values are meaningless.
            if two && standings.pairs[0][1].count() > 0 {
                let elo = standings.pairs[0][1].elo();
                lines[0].points.push((n as f64, elo.value, elo.error));
            } else if !two && n >= 2 * self.engines.len() {
                let ratings = standings.ratings();
                for (player, line) in lines.iter_mut().enumerate() {
                    line.points.push((n as f64, ratings.of(player, None).value, 0.0));
                }
            }
        }
        let has_line = lines.iter().any(|line| line.points.len() > 1);
        has_line.then(|| Chart { lines, x: "games", y: "Elo", zero: true }.svg())
    }

    fn times_chart(&self) -> String {
        let lines =
            self.engines.iter().zip(&self.times).enumerate().map(|(player, (name, times))| {
                let mut line = Curve::new(name, player);
                line.points =
                    times.means().take(MAX_MOVES).map(|(n, mean)| (n, mean, 0.0)).collect();
                line
            });
        Chart { lines: lines.collect(), x: "move after the opening", y: "seconds", zero: true }
            .svg()
    }
}

const GAMES: &str =
    "<div id=\"games\"><noscript>Enable JavaScript to see the games.</noscript></div>\n";

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::arena::game::ending::EndingKind;
    use crate::chess::Position;

    /// Creates a report of drawn games with these numbers.
    fn report(engines: &[&str], games: &[usize], from: usize) -> Report {
        let mut record = Record::<Position>::new();
        let m = Position::start().parse_uci("e2e4").unwrap();
        record.push(m, "").unwrap();
        let engines: Vec<String> = engines.iter().map(|&name| name.to_owned()).collect();
        let count = engines.len();
        let mut report = Report::new("", engines, from);
        for game in games {
            let [white, black] = [game % count, (game + 1) % count];
            let pairing = Pairing { game: game - 1, white, black, opening: 0 };
            report.add(&pairing, GameScore { white: 1, kind: EndingKind::MoveLimit }, &record);
        }
        report
    }

    /// Returns the numbers of the games with moves in the report, and the note about the other
    /// games.
    fn rendered(games: &[usize], from: usize) -> (Vec<usize>, String) {
        let report = report(&["a", "b"], games, from);
        let with_moves = report.games.iter().filter(|game| !game.steps.is_empty());
        (with_moves.map(|game| game.number).collect(), report.omission_note())
    }

    #[test]
    fn short_matches_have_no_chart_of_the_ratings() {
        let chart = |games: usize| {
            report(&["a", "b", "c"], &(1..=games).collect::<Vec<_>>(), 1).ratings_chart()
        };
        assert_eq!((chart(1), chart(6)), (None, None));
        assert!(chart(9).unwrap().contains("<svg"));
    }

    #[test]
    fn lists_the_games_with_moves() {
        let all = [1, 4000, 4001, 8001];
        assert_eq!(rendered(&all[..2], 1), (vec![1, 4000], String::new()));
        for (from, with_moves, note, next) in [
            (1, vec![1, 4000], "games 1 to 4000 of 8001", "--from 4001<"),
            (4001, vec![4001], "games 4001 to 8000 of 8001", "--from 8001<"),
            (8001, vec![8001], "games 8001 to 8001 of 8001", "--from 1<"),
        ] {
            let (found, text) = rendered(&all, from);
            assert_eq!(found, with_moves);
            assert!(text.contains(note) && text.contains(next), "{text}");
        }
    }
}
