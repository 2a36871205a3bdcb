//! Tournaments told round by round: who met whom with which result, who won, and a Swiss tournament's
//! standings. The tables of the terminal and of the page are made of this.

use crate::arena::game::contest::Contest;
use crate::arena::stats::points_text;
use crate::arena::tournament::schedule::{Form, MatchSummary};
use crate::arena::tournament::{Standings, Tournament};

/// A match of a round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShownMatch {
    /// The round: `round 2`, `final`.
    pub round: String,
    /// From 1, in the round.
    pub board: usize,
    /// The players; the second is missing if the first has a bye.
    pub players: (usize, Option<usize>),
    /// The result: `1½–½`, with play-offs `1–1, play-off 2–0`; with `…` while games are missing.
    pub result: String,
}

/// The matches of a tournament in rounds, in their order; none in other forms.
pub fn matches<G: Contest>(tournament: &Tournament<G>, standings: &Standings) -> Vec<ShownMatch> {
    let mut schedule = tournament.schedule.clone();
    schedule.extend(&standings.results);
    let form = schedule.form();
    if matches!(form, Form::RoundRobin | Form::Gauntlet) {
        return Vec::new();
    }
    let rounds = schedule.rounds_in_all();
    let mut shown = Vec::new();
    for round in schedule.round_summaries(&standings.results) {
        let name = match rounds.saturating_sub(round.number) {
            0 if form == Form::Knockout => "final".to_owned(),
            1 if form == Form::Knockout => "semi-finals".to_owned(),
            2 if form == Form::Knockout => "quarter-finals".to_owned(),
            _ => format!("round {}", round.number),
        };
        for (board, told) in (1..).zip(&round.matches) {
            let mut result = result(told);
            let level = told.half_points.iter().map(|[a, b]| a.abs_diff(*b)).sum::<usize>() == 0;
            if form == Form::Knockout && level && told.winner().is_some() {
                result += " (the better seed goes on)";
            }
            let players = (told.players[0], Some(told.players[1]));
            shown.push(ShownMatch { round: name.clone(), board, players, result });
        }
        if matches!(form, Form::Swiss(_)) {
            let plays = |player: &usize| round.matches.iter().any(|m| m.players.contains(player));
            let free = (0..tournament.entrants.len()).filter(|player| !plays(player));
            shown.extend(free.map(|player| ShownMatch {
                round: name.clone(),
                board: round.matches.len() + 1,
                players: (player, None),
                result: "bye".to_owned(),
            }));
        }
    }
    shown
}

fn result(told: &MatchSummary) -> String {
    let score =
        |[a, b]: &[usize; 2]| format!("{}–{}", points_text(*a as u64), points_text(*b as u64));
    let mut text = told.half_points.iter().map(score).collect::<Vec<_>>().join(", play-off ");
    if told.open {
        text += " …";
    }
    text
}

/// The winner of a tournament whose form names one, once it is over.
pub fn winner<G: Contest>(tournament: &Tournament<G>, standings: &Standings) -> Option<usize> {
    tournament.order(standings)?.first().copied()
}

/// The columns of the standings of a Swiss tournament; see
/// [`SwissRow`](crate::arena::tournament::swiss::SwissRow).
pub const SWISS_COLUMNS: [&str; 6] =
    ["points", "Buchholz", "cut 1", "S-B", "direct", "game points"];

/// The standings of a Swiss tournament: each player with the texts of the columns. `None` in other
/// forms.
pub fn swiss<G: Contest>(
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
