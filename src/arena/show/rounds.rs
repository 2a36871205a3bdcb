//! The rounds of a tournament: pairings, results, the winner, and Swiss standings. The tables on
//! the terminal and in the report use this data.

use crate::arena::game::contest::Contest;
use crate::arena::stats::points_text;
use crate::arena::tournament::schedule::{Form, MatchSummary};
use crate::arena::tournament::{Standings, Tournament};

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MatchRow {
    pub round: String,
    /// The number of the match in its round, from 1.
    pub board: usize,
    /// The players. The second player is `None` for a bye.
    pub players: (usize, Option<usize>),
    /// The result, such as `1½–½`, `1–1, play-off 2–0` or `bye`. While games are missing, the
    /// result ends with `…`.
    pub result: String,
}

/// Returns the matches in all rounds, in order. Returns an empty list for tournament formats
/// without rounds.
pub(crate) fn matches<G: Contest>(
    tournament: &Tournament<G>,
    standings: &Standings,
) -> Vec<MatchRow> {
    let mut schedule = tournament.schedule.clone();
    schedule.extend(&standings.results);
    let form = schedule.form();
    if matches!(form, Form::RoundRobin | Form::Gauntlet) {
        return Vec::new();
    }
    let rounds = schedule.rounds_in_all();
    let mut rows = Vec::new();
    for round in schedule.round_summaries(&standings.results) {
        let name = round_name(form, rounds, round.number);
        for (board, met) in (1..).zip(&round.matches) {
            let result = result_text(form, met);
            let players = (met.players[0], Some(met.players[1]));
            rows.push(MatchRow { round: name.clone(), board, players, result });
        }
        if matches!(form, Form::Swiss(_)) {
            let plays = |player: &usize| round.matches.iter().any(|m| m.players.contains(player));
            let free = (0..tournament.entrants.len()).filter(|player| !plays(player));
            rows.extend(free.map(|player| MatchRow {
                round: name.clone(),
                board: round.matches.len() + 1,
                players: (player, None),
                result: "bye".to_owned(),
            }));
        }
    }
    rows
}

/// Names round `number` (from 1) of `rounds` rounds.
pub(super) fn round_name(form: Form, rounds: usize, number: usize) -> String {
    match rounds.saturating_sub(number) {
        0 if form == Form::Knockout => "final".to_owned(),
        1 if form == Form::Knockout => "semi-finals".to_owned(),
        2 if form == Form::Knockout => "quarter-finals".to_owned(),
        _ => format!("round {number}"),
    }
}

/// Formats the result of a match; see [`MatchRow::result`].
pub(super) fn result_text(form: Form, met: &MatchSummary) -> String {
    let score =
        |[a, b]: &[usize; 2]| format!("{}–{}", points_text(*a as u64), points_text(*b as u64));
    let mut text = met.half_points.iter().map(score).collect::<Vec<_>>().join(", play-off ");
    if met.open {
        text += " …";
    }
    let [a, b] = [0, 1].map(|at| met.half_points.iter().map(|both| both[at]).sum::<usize>());
    if form == Form::Knockout && a == b && met.winner().is_some() {
        text += " (the higher seed advances)";
    }
    text
}

/// Returns the winner once the tournament has ended, if its format determines a winner.
pub(crate) fn winner<G: Contest>(
    tournament: &Tournament<G>,
    standings: &Standings,
) -> Option<usize> {
    tournament.order(standings)?.first().copied()
}

/// The column titles of Swiss standings; see
/// [`SwissRow`](crate::arena::tournament::swiss::SwissRow).
pub(crate) const SWISS_COLUMNS: [&str; 6] =
    ["points", "Buchholz", "cut 1", "S-B", "direct", "game points"];

/// Returns the players in the order of the Swiss standings, each with the contents of
/// [`SWISS_COLUMNS`]. Returns `None` for other tournament formats.
pub(crate) fn swiss<G: Contest>(
    tournament: &Tournament<G>,
    standings: &Standings,
) -> Option<Vec<(usize, [String; 6])>> {
    let mut schedule = tournament.schedule.clone();
    schedule.extend(&standings.results);
    let rows = schedule.swiss(&standings.results)?;
    let half = |points: usize| points_text(points as u64);
    let text = rows.iter().map(|row| {
        let texts = [
            half(row.match_points),
            half(row.buchholz),
            half(row.buchholz_cut),
            format!("{:.2}", row.sonneborn_berger as f64 / 4.0),
            row.direct.map_or_else(String::new, half),
            half(row.half_points),
        ];
        (row.player, texts)
    });
    Some(text.collect())
}
