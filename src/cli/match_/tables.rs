//! The tables that a match ends with.

use crate::tools::arena::contest::Contest;
use crate::tools::arena::sprt::Verdict;
use crate::tools::arena::tournament::{Standings, Tournament};
use comfy_table::{CellAlignment, Table, presets};

/// The final tables.
pub fn report<G: Contest>(tournament: &Tournament<G>, standings: &Standings) -> String {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header([
        "engine", "games", "wins", "draws", "losses", "score", "Elo", "LOS", "time", "illegal",
        "crash", "stall",
    ]);
    let by_score = || {
        let mut order: Vec<usize> = (0..tournament.entrants.len()).collect();
        let score = |player: usize| standings.tallies[player].score();
        order.sort_by(|&a, &b| score(b).total_cmp(&score(a)));
        order
    };
    for player in tournament.order(standings).unwrap_or_else(by_score) {
        let (tally, faults) = (standings.tallies[player], standings.faults[player]);
        let pairs = standings.pairs_of(player);
        let elo = pairs.elo();
        table.add_row([
            tournament.entrants[player].name.clone(),
            tally.games().to_string(),
            tally.wins.to_string(),
            tally.draws.to_string(),
            tally.losses.to_string(),
            format!("{:.1}%", 100.0 * tally.score()),
            format!("{:+.1} ±{:.1}", elo.value, elo.error),
            format!("{:.1}%", 100.0 * pairs.superiority()),
            faults.time.to_string(),
            faults.illegal.to_string(),
            faults.crashes.to_string(),
            faults.stalls.to_string(),
        ]);
    }
    table.column_iter_mut().skip(1).for_each(|c| c.set_cell_alignment(CellAlignment::Right));
    let mut text = format!("{table}\n");

    let endings: Vec<String> =
        standings.endings.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
    text += &format!("endings: {}\n", endings.join(", "));
    if tournament.entrants.len() == 2 {
        let (tally, pairs) = (standings.tallies[0], standings.pairs[0][1]);
        let normalised = pairs.normalised_elo();
        text += &format!(
            "{}: draws {:.1}%, pairs of 0 ½ 1 1½ 2 points {:?}, pair ratio {}, \
             normalised Elo {:+.1} ±{:.1}\n",
            tournament.entrants[0].name,
            100.0 * tally.draw_ratio(),
            pairs.0,
            pairs.ratio().map_or("-".into(), |ratio| format!("{ratio:.2}")),
            normalised.value,
            normalised.error
        );
        if let Some(sprt) = tournament.sprt {
            let (lower, upper) = sprt.bounds();
            let verdict = match sprt.verdict(&pairs) {
                Verdict::Open => "open",
                Verdict::AcceptH0 => "H0 accepted",
                Verdict::AcceptH1 => "H1 accepted",
            };
            let llr = sprt.llr(&pairs);
            text += &format!("SPRT {sprt}: LLR {llr:.2} ({lower:.2}, {upper:.2}): {verdict}\n");
        }
    }
    text
}
