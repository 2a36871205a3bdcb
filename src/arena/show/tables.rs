//! The tables of a match as text cells: standings and cross table.

use super::rounds::{self, SWISS_COLUMNS};
use crate::arena::game::contest::Contest;
use crate::arena::stats::ratings::Ratings;
use crate::arena::stats::{Estimate, MIN_GAMES, Tally};
use crate::arena::tournament::schedule::Form;
use crate::arena::tournament::{Standings, Tournament};
use serde::Serialize;

/// A table. The column `engine` and all columns to its left are displayed as words. The remaining
/// columns are displayed as numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub(crate) struct TextTable {
    pub columns: Vec<String>,
    /// The rows, each with one string per column.
    pub rows: Vec<Vec<String>>,
}

/// The strength columns of the standings.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Measure<'a> {
    /// For two engines: the Elo difference and the likelihood of superiority (LOS).
    Elo,
    /// For more engines: the rating, relative to an anchor if there is one, and the likelihood of
    /// superiority over the next engine in the table.
    Rating(&'a Ratings, Option<usize>),
    /// No strength columns; the rounds determine the ranking.
    Rounds,
}

impl<'a> Measure<'a> {
    pub(crate) fn of<G: Contest>(
        tournament: &Tournament<G>,
        ratings: &'a Ratings,
        anchor: Option<usize>,
    ) -> Self {
        match tournament.schedule.form() {
            _ if tournament.entrants.len() == 2 => Self::Elo,
            // Ratings would be misleading: pairings depend on results, and engines that are
            // eliminated early have few games.
            Form::Knockout | Form::Ladder(_) => Self::Rounds,
            _ => Self::Rating(ratings, anchor),
        }
    }
}

pub(crate) fn standings<G: Contest>(
    tournament: &Tournament<G>,
    standings: &Standings,
    order: &[usize],
    measure: Measure<'_>,
) -> TextTable {
    let measured: &[&str] = match measure {
        Measure::Elo => &["Elo", "LOS"],
        Measure::Rating(..) => &["rating", "> next"],
        Measure::Rounds => &[],
    };
    let results = ["engine", "games", "wins", "draws", "losses", "score"];
    let faults = ["time", "illegal", "crash", "stall"];
    let columns = results.iter().chain(measured).chain(&faults).map(|&name| name.to_owned());
    let few = |player: usize| standings.tallies[player].games() < MIN_GAMES;
    let row = |(place, &player): (usize, &usize)| {
        let (tally, faults) = (standings.tallies[player], standings.faults[player]);
        let next = order.get(place + 1);
        let measured = match measure {
            Measure::Elo | Measure::Rating(..) if few(player) => vec!["–".to_owned(); 2],
            Measure::Elo => {
                let pairs = standings.pairs_of(player);
                vec![estimate(pairs.elo()), percent(pairs.superiority())]
            }
            Measure::Rating(ratings, anchor) => {
                let superior = match next {
                    None => String::new(),
                    Some(&next) if few(next) => "–".to_owned(),
                    Some(&next) => percent(ratings.superiority(player, next)),
                };
                vec![estimate(ratings.of(player, anchor)), superior]
            }
            Measure::Rounds => Vec::new(),
        };
        let results = [
            tournament.entrants[player].name.clone(),
            tally.games().to_string(),
            tally.wins.to_string(),
            tally.draws.to_string(),
            tally.losses.to_string(),
            tally.score_text(),
        ];
        let faults = [faults.time, faults.illegal, faults.crashes, faults.stalls];
        let faults = faults.map(|count| count.to_string());
        results.into_iter().chain(measured).chain(faults).collect()
    };
    let rows = order.iter().enumerate().map(row).collect();
    TextTable { columns: columns.collect(), rows }
}

pub(crate) fn swiss<G: Contest>(
    tournament: &Tournament<G>,
    standings: &Standings,
) -> Option<TextTable> {
    let columns = ["#", "engine"].into_iter().chain(SWISS_COLUMNS).map(str::to_owned).collect();
    let ranked = rounds::swiss(tournament, standings)?;
    let row = |(place, (player, texts)): (usize, (usize, [String; 6]))| {
        let name = tournament.entrants[player].name.clone();
        [place.to_string(), name].into_iter().chain(texts).collect()
    };
    Some(TextTable { columns, rows: (1..).zip(ranked).map(row).collect() })
}

/// Returns the results of each engine (row) against every other engine (column), both in the given
/// order; `None` on the diagonal.
pub(crate) fn cross_results(standings: &Standings, order: &[usize]) -> Vec<Vec<Option<Tally>>> {
    let cell =
        |player: usize, other: usize| (player != other).then(|| standings.cross[player][other]);
    order.iter().map(|&player| order.iter().map(|&other| cell(player, other)).collect()).collect()
}

/// Formats the cross table, which contains the points and games of each engine (row) against every
/// other engine (column).
pub(crate) fn cross<G: Contest>(
    tournament: &Tournament<G>,
    standings: &Standings,
    order: &[usize],
) -> TextTable {
    let places = (1..=order.len()).map(|place| place.to_string());
    let columns = ["#", "engine"].map(str::to_owned).into_iter().chain(places).collect();
    let cell = |tally: Option<Tally>| match tally {
        None => "·".to_owned(),
        Some(tally) if tally.games() == 0 => String::new(),
        Some(tally) => format!("{}/{}", tally.points_text(), tally.games()),
    };
    let rows = (1..).zip(order).zip(cross_results(standings, order));
    let row = |((place, &player), results): ((usize, &usize), Vec<Option<Tally>>)| {
        let name = tournament.entrants[player].name.clone();
        [place.to_string(), name].into_iter().chain(results.into_iter().map(cell)).collect()
    };
    TextTable { columns, rows: rows.map(row).collect() }
}

/// Formats a value with its error bar, as in `+12.3 ±4.5`.
pub(crate) fn estimate(Estimate { value, error }: Estimate) -> String {
    // Adding zero turns a negative zero into zero.
    let value = (value * 10.0).round() / 10.0 + 0.0;
    format!("{value:+.1} ±{error:.1}")
}

/// Formats a fraction as a percentage, as in `12.3%`.
pub(crate) fn percent(ratio: f64) -> String {
    format!("{:.1}%", 100.0 * ratio)
}
