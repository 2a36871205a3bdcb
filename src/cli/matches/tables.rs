//! The tables printed at the end of a match.

use crate::arena::game::contest::Contest;
use crate::arena::show::bracket::{self, shortened};
use crate::arena::show::rounds::{self, MatchRow};
use crate::arena::show::tables::{self, Measure, TextTable, estimate, percent};
use crate::arena::stats::MIN_GAMES;
use crate::arena::stats::sprt::SprtVerdict;
use crate::arena::tournament::{Standings, Tournament};
use comfy_table::{CellAlignment, Table, presets};

/// Formats all final tables. If `anchor` is given, ratings are relative to this engine.
pub(super) fn report<G: Contest>(
    tournament: &Tournament<G>,
    standings: &Standings,
    anchor: Option<usize>,
) -> String {
    let order = tournament.ranking(standings);
    let ratings = standings.ratings();
    let measure = Measure::of(tournament, &ratings, anchor);
    let table = standings_table(tournament, standings, &order, measure);
    if tournament.entrants.len() == 2 {
        return table + &endings(standings) + &duel(tournament, standings);
    }
    let mut text = String::new();
    if let Some(winner) = rounds::winner(tournament, standings) {
        text += &format!("winner: {}\n", tournament.entrants[winner].name);
    }
    if let Some(swiss) = tables::swiss(tournament, standings) {
        text += &render(&swiss);
    }
    let bracket = bracket::view(tournament, standings);
    if let Some(drawing) = bracket.and_then(|b| b.draw(&tournament.names(), WIDTH)) {
        text += &format!("{drawing}\n");
    }
    text += &round_table(tournament, &rounds::matches(tournament, standings));
    text += &table;
    text += &cross_table(&tables::cross(tournament, standings, &order));
    let rated = standings.tallies.iter().any(|tally| tally.games() >= MIN_GAMES);
    if ratings.prior && rated && matches!(measure, Measure::Rating(..)) {
        text += "ratings: a player scored 0% or 100%, which would make the ratings infinite; they \
                 are therefore computed with an extra half draw of each player against an average \
                 player\n";
    }
    text + &endings(standings)
}

/// The desired maximum width of a table, in columns of a terminal.
const WIDTH: usize = 80;

/// The columns that count engine faults. A column is omitted if all of its counts are 0.
const FAULTS: [&str; 4] = ["time", "illegal", "crash", "stall"];

/// Formats a table. Engine names are shortened if the table would be wider than [`WIDTH`].
fn render(table: &TextTable) -> String {
    let TextTable { columns, rows } = without_empty_faults(table);
    let Some(at) = columns.iter().position(|name| name == "engine") else {
        return draw(&columns, &rows);
    };
    let max_length = rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
    fitting(max_length, |length| {
        let short = |row: &Vec<String>| {
            let mut row = row.clone();
            row[at] = shortened(&row[at], length);
            row
        };
        draw(&columns, &rows.iter().map(short).collect::<Vec<_>>())
    })
}

/// The minimum length to which names are shortened, in characters.
const MIN_LENGTH: usize = 8;

/// Draws a table with names of at most `max_length` characters. If the table is wider than
/// [`WIDTH`], the names are shortened step by step, but not below [`MIN_LENGTH`] characters.
fn fitting(max_length: usize, draw: impl Fn(usize) -> String) -> String {
    let mut text = draw(max_length);
    for length in (MIN_LENGTH..max_length).rev() {
        if fits(&text) {
            break;
        }
        text = draw(length);
    }
    text
}

fn fits(text: &str) -> bool {
    text.lines().all(|line| line.chars().count() <= WIDTH)
}

/// Formats the cross table. If it is wider than [`WIDTH`], the columns for the opponents
/// are divided into several tables.
fn cross_table(table: &TextTable) -> String {
    const WORDS: usize = 2;
    let opponents = table.columns.len() - WORDS;
    let mut text = render(table);
    for parts in 2..=opponents {
        if fits(&text) {
            break;
        }
        let size = opponents.div_ceil(parts);
        let columns: Vec<usize> = (WORDS..table.columns.len()).collect();
        let part = |chosen: &[usize]| {
            let of = |row: &Vec<String>| {
                let cells = row[..WORDS].iter().chain(chosen.iter().map(|&i| &row[i]));
                cells.cloned().collect::<Vec<_>>()
            };
            let rows = table.rows.iter().map(of).collect();
            render(&TextTable { columns: of(&table.columns), rows })
        };
        text = columns.chunks(size).map(part).collect::<Vec<_>>().join("\n");
    }
    text
}

fn without_empty_faults(TextTable { columns, rows }: &TextTable) -> TextTable {
    let stays =
        |&i: &usize| !FAULTS.contains(&columns[i].as_str()) || rows.iter().any(|row| row[i] != "0");
    let columns_shown: Vec<usize> = (0..columns.len()).filter(stays).collect();
    let of = |row: &Vec<String>| columns_shown.iter().map(|&i| row[i].clone()).collect();
    TextTable { columns: of(columns), rows: rows.iter().map(of).collect() }
}

fn draw(columns: &[String], rows: &[Vec<String>]) -> String {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(columns);
    rows.iter().for_each(|row| _ = table.add_row(row));
    let words = columns.iter().position(|name| name == "engine").map_or(0, |at| at + 1);
    table.column_iter_mut().skip(words).for_each(|c| c.set_cell_alignment(CellAlignment::Right));
    format!("{table}\n")
}

/// Formats the pairings and results of each round. Returns an empty string if the tournament has no
/// rounds.
fn round_table<G: Contest>(tournament: &Tournament<G>, matches: &[MatchRow]) -> String {
    if matches.is_empty() {
        return String::new();
    }
    let max_length = tournament.names().iter().map(|name| name.chars().count()).max().unwrap_or(0);
    fitting(max_length, |length| {
        let mut table = Table::new();
        table.load_style(presets::ASCII_MARKDOWN);
        table.set_header(["round", "board", "match", "result"]);
        for MatchRow { round, board, players, result } in matches {
            let name = |player: usize| shortened(&tournament.entrants[player].name, length);
            let (first, second) = players;
            let names = name(*first) + &second.map_or(String::new(), |p| format!(" – {}", name(p)));
            table.add_row([round.clone(), board.to_string(), names, result.clone()]);
        }
        format!("{table}\n")
    })
}

fn standings_table<G: Contest>(
    tournament: &Tournament<G>,
    standings: &Standings,
    order: &[usize],
    measure: Measure<'_>,
) -> String {
    let text = render(&tables::standings(tournament, standings, order, measure));
    let few = standings.tallies.iter().any(|tally| tally.games() < MIN_GAMES);
    if few && !matches!(measure, Measure::Rounds) {
        text + &format!("–: no rating with fewer than {MIN_GAMES} games\n")
    } else {
        text
    }
}

fn endings(standings: &Standings) -> String {
    let endings: Vec<String> =
        standings.endings.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
    format!("endings: {}\n", endings.join(", "))
}

/// Formats the statistics of a match between two engines.
fn duel<G: Contest>(tournament: &Tournament<G>, standings: &Standings) -> String {
    let (tally, pairs) = (standings.tallies[0], standings.pairs[0][1]);
    let normalised = pairs.normalised_elo();
    let mut text = format!(
        "{}: draws {}, pair ratio {}",
        tournament.entrants[0].name,
        percent(tally.draw_ratio()),
        pairs.ratio().map_or("-".into(), |ratio| format!("{ratio:.2}")),
    );
    if tally.games() >= MIN_GAMES {
        text += &format!(", normalised Elo {}", estimate(normalised));
    }
    text += &format!("\npairs by points (0, ½, 1, 1½, 2): {:?}\n", pairs.0);
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
