//! The tables at the end of a match.

use adoube::arena::game::contest::Contest;
use adoube::arena::show::rounds::{self, ShownMatch};
use adoube::arena::stats::ratings::Ratings;
use adoube::arena::stats::sprt::SprtVerdict;
use adoube::arena::stats::{Estimate, FEWEST_GAMES};
use adoube::arena::tournament::schedule::Form;
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
    // Who met whom follows from results, and who lost early has few games: the rounds rank.
    let ranked = matches!(tournament.schedule.form(), Form::Knockout | Form::Ladder(_));
    let measure = if ranked { Measure::Rounds } else { Measure::Rating(&ratings, anchor) };
    let mut text = String::new();
    if let Some(winner) = rounds::winner(tournament, standings) {
        text += &format!("winner: {}\n", tournament.entrants[winner].name);
    }
    if let Some(rows) = rounds::swiss(tournament, standings) {
        text += &swiss_table(tournament, &rows);
    }
    text += &round_table(tournament, &rounds::matches(tournament, standings));
    text += &table(tournament, standings, &order, measure);
    text += &cross_table(tournament, standings, &order);
    let rated = standings.tallies.iter().any(|tally| tally.games() >= FEWEST_GAMES);
    if ratings.prior && rated && !ranked {
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
    /// Rounds rank, and strength is not measured.
    Rounds,
}

/// The standings of a Swiss tournament.
fn swiss_table<G: Contest>(tournament: &Tournament<G>, rows: &[(usize, [String; 6])]) -> String {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(["#", "engine"].into_iter().chain(rounds::SWISS_COLUMNS));
    for (place, (player, texts)) in (1..).zip(rows) {
        let name = tournament.entrants[*player].name.clone();
        table.add_row([format!("{place}"), name].into_iter().chain(texts.iter().cloned()));
    }
    table.column_iter_mut().skip(2).for_each(|c| c.set_cell_alignment(CellAlignment::Right));
    format!("{table}\n")
}

/// Who met whom, round by round; empty if there are no rounds.
fn round_table<G: Contest>(tournament: &Tournament<G>, matches: &[ShownMatch]) -> String {
    if matches.is_empty() {
        return String::new();
    }
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(["round", "board", "match", "result"]);
    for ShownMatch { round, board, players, result } in matches {
        let name = |player: usize| tournament.entrants[player].name.clone();
        let (first, second) = players;
        let names = name(*first) + &second.map_or(String::new(), |p| format!(" – {}", name(p)));
        table.add_row([round.clone(), board.to_string(), names, result.clone()]);
    }
    format!("{table}\n")
}

fn table<G: Contest>(
    tournament: &Tournament<G>,
    standings: &Standings,
    order: &[usize],
    measure: Measure<'_>,
) -> String {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    let measured: &[&str] = match measure {
        Measure::Elo => &["Elo", "LOS"],
        Measure::Rating(..) => &["rating", "> next"],
        Measure::Rounds => &[],
    };
    let results = ["engine", "games", "wins", "draws", "losses", "score"];
    let faults = ["time", "illegal", "crash", "stall"];
    table.set_header(results.iter().chain(measured).chain(&faults));
    let few = |player: usize| standings.tallies[player].games() < FEWEST_GAMES;
    for (place, &player) in order.iter().enumerate() {
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
        table.add_row(results.into_iter().chain(measured).chain(faults));
    }
    table.column_iter_mut().skip(1).for_each(|c| c.set_cell_alignment(CellAlignment::Right));
    let measures = !matches!(measure, Measure::Rounds);
    let note = if measures && order.iter().any(|&player| few(player)) {
        format!("–: fewer than {FEWEST_GAMES} games tell nothing of strength\n")
    } else {
        String::new()
    };
    format!("{table}\n{note}")
}

fn estimate(Estimate { value, error }: Estimate) -> String {
    format!("{value:+.1} ±{error:.1}")
}

fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
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
        "{}: draws {}, pairs of 0 ½ 1 1½ 2 points {:?}, pair ratio {}",
        tournament.entrants[0].name,
        percent(tally.draw_ratio()),
        pairs.0,
        pairs.ratio().map_or("-".into(), |ratio| format!("{ratio:.2}")),
    );
    if tally.games() >= FEWEST_GAMES {
        text += &format!(", normalised Elo {}", estimate(normalised));
    }
    text.push('\n');
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
