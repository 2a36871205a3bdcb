//! The tables at the end of a match.

use adoube::arena::game::contest::Contest;
use adoube::arena::stats::Estimate;
use adoube::arena::stats::ratings::Ratings;
use adoube::arena::stats::sprt::SprtVerdict;
use adoube::arena::tournament::{Standings, Tournament};
use comfy_table::{CellAlignment, Table, presets};

/// The final tables. Ratings are relative to the `anchor`, if there is one.
pub fn report<G: Contest>(
    tournament: &Tournament<G>,
    standings: &Standings,
    anchor: Option<usize>,
) -> String {
    let order = tournament.ranking(standings);
    if tournament.entrants.len() == 2 {
        return table(tournament, standings, &order, Measure::Elo)
            + &endings(standings)
            + &duel(tournament, standings);
    }
    let ratings = standings.ratings();
    let measure = Measure::Rating(&ratings, anchor);
    let mut text = table(tournament, standings, &order, measure);
    text += &cross_table(tournament, standings, &order);
    if ratings.prior {
        text +=
            "ratings: somebody won or lost all; each has half a drawn game with the mean added\n";
    }
    text + &endings(standings)
}

/// How the strength of an engine is measured.
enum Measure<'a> {
    /// Two engines: the difference, and the probability of being the stronger.
    Elo,
    /// More engines: the rating, and the probability of being stronger than the next in the table.
    Rating(&'a Ratings, Option<usize>),
}

fn table<G: Contest>(
    tournament: &Tournament<G>,
    standings: &Standings,
    order: &[usize],
    measure: Measure<'_>,
) -> String {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    let (strength, superior) = match measure {
        Measure::Elo => ("Elo", "LOS"),
        Measure::Rating(..) => ("rating", "> next"),
    };
    table.set_header([
        "engine", "games", "wins", "draws", "losses", "score", strength, superior, "time",
        "illegal", "crash", "stall",
    ]);
    for (place, &player) in order.iter().enumerate() {
        let (tally, faults) = (standings.tallies[player], standings.faults[player]);
        let (Estimate { value, error }, superiority) = match measure {
            Measure::Elo => {
                let pairs = standings.pairs_of(player);
                (pairs.elo(), Some(pairs.superiority()))
            }
            Measure::Rating(ratings, anchor) => {
                let next = order.get(place + 1);
                (ratings.of(player, anchor), next.map(|&next| ratings.superiority(player, next)))
            }
        };
        table.add_row([
            tournament.entrants[player].name.clone(),
            tally.games().to_string(),
            tally.wins.to_string(),
            tally.draws.to_string(),
            tally.losses.to_string(),
            format!("{:.1}%", 100.0 * tally.score()),
            format!("{value:+.1} ±{error:.1}"),
            superiority.map_or(String::new(), |p| format!("{:.1}%", 100.0 * p)),
            faults.time.to_string(),
            faults.illegal.to_string(),
            faults.crashes.to_string(),
            faults.stalls.to_string(),
        ]);
    }
    table.column_iter_mut().skip(1).for_each(|c| c.set_cell_alignment(CellAlignment::Right));
    format!("{table}\n")
}

/// The points and games of each engine (row) against each other (column, by place in the table).
fn cross_table<G: Contest>(
    tournament: &Tournament<G>,
    standings: &Standings,
    order: &[usize],
) -> String {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    let places = (1..=order.len()).map(|place| place.to_string());
    table.set_header(["#", "engine"].map(str::to_owned).into_iter().chain(places));
    for (place, &player) in (1..).zip(order) {
        let cell = |&other: &usize| match standings.cross[player][other] {
            _ if other == player => "·".to_owned(),
            tally if tally.games() == 0 => String::new(),
            tally => format!("{}/{}", tally.points_text(), tally.games()),
        };
        let name = tournament.entrants[player].name.clone();
        table.add_row([format!("{place}"), name].into_iter().chain(order.iter().map(cell)));
    }
    table.column_iter_mut().skip(2).for_each(|c| c.set_cell_alignment(CellAlignment::Right));
    format!("{table}\n")
}

fn endings(standings: &Standings) -> String {
    let endings: Vec<String> =
        standings.endings.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
    format!("endings: {}\n", endings.join(", "))
}

/// The statistics that only a match of two engines has.
fn duel<G: Contest>(tournament: &Tournament<G>, standings: &Standings) -> String {
    let (tally, pairs) = (standings.tallies[0], standings.pairs[0][1]);
    let normalised = pairs.normalised_elo();
    let mut text = format!(
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
            SprtVerdict::Open => "open",
            SprtVerdict::AcceptH0 => "H0 accepted",
            SprtVerdict::AcceptH1 => "H1 accepted",
        };
        let llr = sprt.llr(&pairs);
        text += &format!("SPRT {sprt}: LLR {llr:.2} ({lower:.2}, {upper:.2}): {verdict}\n");
    }
    text
}
