//! The score of a match in one line.

use super::tables::estimate;
use crate::arena::game::contest::Contest;
use crate::arena::stats::MIN_GAMES;
use crate::arena::tournament::{Standings, Tournament};

/// Formats the score of a match in one line. For two engines, the line includes Elo from
/// [`MIN_GAMES`] games on, and the SPRT if there is one. For more engines, it contains the points
/// and games of each engine.
pub(crate) fn headline<G: Contest>(tournament: &Tournament<G>, standings: &Standings) -> String {
    let entrants = &tournament.entrants;
    if entrants.len() != 2 {
        let scores = entrants.iter().zip(&standings.tallies);
        let scores = scores.map(|(e, t)| format!("{} {}/{}", e.name, t.points_text(), t.games()));
        return scores.collect::<Vec<_>>().join("  ");
    }
    let (tally, pairs) = (standings.tallies[0], standings.pairs[0][1]);
    let mut line = format!(
        "{} – {}: +{} ={} -{} {}",
        entrants[0].name,
        entrants[1].name,
        tally.wins,
        tally.draws,
        tally.losses,
        tally.score_text(),
    );
    if tally.games() >= MIN_GAMES {
        line += &format!(", Elo {}", estimate(pairs.elo()));
    }
    if let Some(sprt) = tournament.sprt {
        let (lower, upper) = sprt.bounds();
        line += &format!(", LLR {:.2} ({lower:.2}, {upper:.2})", sprt.llr(&pairs));
    }
    line
}
