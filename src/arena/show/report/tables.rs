//! The tables of a report.

use super::games::MoveTimes;
use crate::arena::game::contest::Contest;
use crate::arena::show::bracket::{BracketView, SideView};
use crate::arena::show::rounds::{MatchRow, SWISS_COLUMNS};
use crate::arena::show::tables::cross_results;
use crate::arena::stats::sprt::{Sprt, SprtVerdict};
use crate::arena::stats::{Estimate, MIN_GAMES, Tally};
use crate::arena::tournament::{Faults, Standings, Tournament};
use crate::page::escape;
use std::fmt::Write as _;

pub(super) struct Head<'a> {
    pub engines: &'a [String],
    pub standings: &'a Standings,
    pub order: &'a [usize],
}

impl Head<'_> {
    pub(super) fn name(&self, player: usize) -> String {
        format!("<span class=\"key s{}\">{}</span>", player % 8, escape(&self.engines[player]))
    }
}

/// Formats a table of HTML cells. On a narrow screen, the table can be scrolled horizontally. It is
/// focusable, so that the arrow keys scroll it.
fn table(class: &str, head: &[&str], rows: &[Vec<String>]) -> String {
    let mut text = format!(
        "<div class=\"scroll\" role=\"region\" aria-label=\"{class}\" tabindex=\"0\">\
         <table class=\"{class}\">\n<thead><tr>"
    );
    for cell in head {
        // Screen readers do not handle empty header cells well.
        let kind = if cell.is_empty() { "td" } else { "th" };
        text.push_str(&format!("<{kind}>{cell}</{kind}>"));
    }
    text.push_str("</tr></thead>\n<tbody>\n");
    for row in rows {
        text.push_str("<tr>");
        row.iter().for_each(|cell| text.push_str(&format!("<td>{cell}</td>")));
        text.push_str("</tr>\n");
    }
    text.push_str("</tbody></table></div>\n");
    text
}

/// Draws wins, draws and losses as an SVG bar. HTML elements would need inline styles, which the
/// content security policy of the server forbids.
fn bar(tally: &Tally) -> String {
    let Tally { wins, draws, losses } = *tally;
    let part = |class: &str, before: u64, count: u64| {
        format!("<rect class=\"{class}\" x=\"{before}\" width=\"{count}\" height=\"1\"/>")
    };
    format!(
        "<svg class=\"bar\" viewBox=\"0 0 {} 1\" preserveAspectRatio=\"none\" role=\"img\" \
         aria-label=\"+{wins} ={draws} −{losses}\"><title>+{wins} ={draws} −{losses}</title>{}{}{}</svg>",
        tally.games().max(1),
        part("win", 0, wins),
        part("draw", wins, draws),
        part("loss", wins + draws, losses)
    )
}

pub(super) fn swiss(head: &Head<'_>, rows: &[(usize, [String; 6])]) -> String {
    let columns: Vec<&str> = ["#", "engine"].into_iter().chain(SWISS_COLUMNS).collect();
    let row = |(place, (player, texts)): (usize, &(usize, [String; 6]))| {
        [place.to_string(), head.name(*player)].into_iter().chain(texts.iter().cloned()).collect()
    };
    let rows: Vec<Vec<String>> = (1..).zip(rows).map(row).collect();
    table("swiss", &columns, &rows)
}

pub(super) fn rounds(head: &Head<'_>, matches: &[MatchRow]) -> String {
    let row = |row: &MatchRow| {
        let (a, b) = row.players;
        let (a, b) = (head.name(a), b.map_or_else(String::new, |b| head.name(b)));
        vec![escape(&row.round), row.board.to_string(), a, b, escape(&row.result)]
    };
    let rows: Vec<Vec<String>> = matches.iter().map(row).collect();
    table("rounds", &["round", "board", "engine", "engine", "result"], &rows)
}

/// Formats the standings. If `measured` is true, they include Elo or ratings.
pub(super) fn standings(head: &Head<'_>, measured: bool) -> String {
    let Head { standings, order, engines } = head;
    let two = engines.len() == 2;
    let ratings = standings.ratings();
    let row = |(place, &player): (usize, &usize)| {
        let tally = standings.tallies[player];
        let Estimate { value, error } =
            if two { standings.pairs_of(player).elo() } else { ratings.of(player, None) };
        let strength = if tally.games() < MIN_GAMES {
            "–".to_owned()
        } else {
            format!("<b>{value:+.1}</b> ±{error:.1}")
        };
        vec![
            (place + 1).to_string(),
            head.name(player),
            strength,
            tally.score_text(),
            tally.games().to_string(),
            tally.wins.to_string(),
            tally.draws.to_string(),
            tally.losses.to_string(),
            bar(&tally),
            faults(&standings.faults[player]),
        ]
    };
    let mut rows: Vec<Vec<String>> = order.iter().enumerate().map(row).collect();
    let strength = if two { "Elo" } else { "rating" };
    let mut columns =
        vec!["#", "engine", strength, "score", "games", "+", "=", "−", "", "losses by fault"];
    if rows.iter().all(|row| row.last().is_none_or(String::is_empty)) {
        columns.pop();
        rows.iter_mut().for_each(|row| drop(row.pop()));
    }
    if !measured {
        columns.remove(2);
        rows.iter_mut().for_each(|row| drop(row.remove(2)));
    }
    table(if measured { "standings" } else { "standings unrated" }, &columns, &rows)
}

/// Formats a table of the engines with their time controls and options. If `with_command` is true,
/// it includes their commands.
pub(super) fn engines<G: Contest>(
    head: &Head<'_>,
    tournament: &Tournament<G>,
    with_command: bool,
) -> String {
    let row = |&player: &usize| {
        let entrant = &tournament.entrants[player];
        let command: Vec<&str> =
            [&entrant.program].into_iter().chain(&entrant.args).map(String::as_str).collect();
        let settings = entrant.options.iter().map(|(name, value)| format!("{name} = {value}"));
        let pondering = entrant.ponder.then(|| "ponders".to_owned());
        let settings: Vec<String> = settings.chain(pondering).collect();
        let command = with_command.then(|| format!("<code>{}</code>", escape(&command.join(" "))));
        let control = escape(&tournament.control(player).description());
        let settings = escape(&settings.join(", "));
        [head.name(player)].into_iter().chain(command).chain([control, settings]).collect()
    };
    let rows: Vec<Vec<String>> = head.order.iter().map(row).collect();
    let columns = ["engine", "command", "time control", "settings"];
    let columns = columns.into_iter().filter(|&name| with_command || name != "command");
    table("engines", &columns.collect::<Vec<_>>(), &rows)
}

fn faults(faults: &Faults) -> String {
    let Faults { time, illegal, crashes, stalls } = *faults;
    let kinds = [(time, "time"), (illegal, "illegal move"), (crashes, "crash"), (stalls, "stall")];
    let text = |(count, name): &(u64, &str)| format!("{name} {count}");
    kinds.iter().filter(|(count, _)| *count > 0).map(text).collect::<Vec<_>>().join(", ")
}

pub(super) fn cross(head: &Head<'_>) -> String {
    let Head { standings, order, .. } = head;
    let cell = |tally: Option<Tally>| {
        let Some(tally) = tally else { return "<span class=\"self\"></span>".to_owned() };
        if tally.games() == 0 {
            return String::new();
        }
        let ahead = tally.score() - 0.5;
        let class = if ahead >= 0.0 { "up" } else { "down" };
        let heat = (12.0 * ahead.abs()).round();
        let Tally { wins, draws, losses } = tally;
        format!(
            "<span class=\"cell {class} heat-{heat}\" title=\"+{wins} ={draws} −{losses}\">{}<small>/{}</small></span>",
            tally.points_text(),
            tally.games()
        )
    };
    let rows: Vec<Vec<String>> = (1..)
        .zip(order.iter())
        .zip(cross_results(standings, order))
        .map(|((place, &player), results): ((usize, _), _)| {
            let mut row = vec![place.to_string(), head.name(player)];
            row.extend(results.into_iter().map(cell));
            row
        })
        .collect();
    let places: Vec<String> = (1..=order.len()).map(|place| place.to_string()).collect();
    let columns: Vec<&str> =
        ["#", "engine"].into_iter().chain(places.iter().map(String::as_str)).collect();
    table("cross", &columns, &rows)
}

/// Formats the bracket: a column per round, in which each match is as tall as the two matches that
/// lead to it.
pub(super) fn bracket(head: &Head<'_>, bracket: &BracketView) -> String {
    let side = |side: &SideView| {
        let name = side.player.map_or_else(|| "<i>…</i>".to_owned(), |player| head.name(player));
        let class = if side.advances { " class=\"through\"" } else { "" };
        format!("<span{class}>{name}<b>{}</b></span>", escape(&side.points))
    };
    let mut text = String::from(
        "<div class=\"scroll bracket\" role=\"region\" aria-label=\"bracket\" tabindex=\"0\">",
    );
    for round in &bracket.rounds {
        let _ = write!(text, "<div class=\"round\"><h3>{}</h3>\n<ol>", escape(&round.name));
        for met in &round.matches {
            let sides = met.sides.iter().filter(|side| !met.bye || side.player.is_some());
            let sides: String = sides.map(side).collect();
            let (class, title) = if met.bye { (" bye", "bye") } else { ("", met.result.as_str()) };
            let title = escape(title);
            let _ =
                write!(text, "<li><div class=\"met{class}\" title=\"{title}\">{sides}</div></li>");
        }
        text.push_str("</ol></div>\n");
    }
    text + "</div>\n"
}

pub(super) fn duel(head: &Head<'_>, sprt: Option<Sprt>) -> String {
    let (tally, pairs) = (head.standings.tallies[0], head.standings.pairs[0][1]);
    let (elo, normalised) = (pairs.elo(), pairs.normalised_elo());
    let reliable = |text: String| if tally.games() < MIN_GAMES { "–".to_owned() } else { text };
    let mut tiles = vec![
        ("Elo", reliable(format!("{:+.1} <small>±{:.1}</small>", elo.value, elo.error))),
        ("score", tally.score_text()),
        ("LOS", reliable(format!("{:.1}%", 100.0 * pairs.superiority()))),
        ("draws", format!("{:.1}%", 100.0 * tally.draw_ratio())),
        ("pair ratio", pairs.ratio().map_or("–".into(), |ratio| format!("{ratio:.2}"))),
        (
            "normalised Elo",
            reliable(format!("{:+.1} <small>±{:.1}</small>", normalised.value, normalised.error)),
        ),
    ];
    if let Some(sprt) = sprt {
        let (lower, upper) = sprt.bounds();
        let verdict = match sprt.verdict(&pairs) {
            SprtVerdict::Open => "open",
            SprtVerdict::AcceptH0 => "H0 accepted",
            SprtVerdict::AcceptH1 => "H1 accepted",
        };
        let llr =
            format!("{:.2} <small>({lower:.2}, {upper:.2}) {verdict}</small>", sprt.llr(&pairs));
        tiles.push(("LLR", llr));
    }
    let mut text = format!(
        "<p class=\"versus\">{} against {}</p>\n{}\n<dl class=\"tiles\">\n",
        head.name(0),
        head.name(1),
        bar(&tally)
    );
    for (name, value) in tiles {
        let _ = writeln!(text, "<div><dt>{name}</dt><dd>{value}</dd></div>");
    }
    text.push_str("</dl>\n");
    let max = pairs.0.iter().copied().max().unwrap_or(0);
    let names = ["0", "½", "1", "1½", "2"];
    let counts = names.iter().zip(pairs.0).map(|(name, count)| ((*name).to_owned(), count));
    text + "<h3>Game pairs by points (pentanomial)</h3>\n" + &bars(counts, max)
}

fn bars(counts: impl Iterator<Item = (String, u64)>, max: u64) -> String {
    let mut text = String::from("<dl class=\"bars\">\n");
    for (name, count) in counts {
        let _ = writeln!(
            text,
            "<div><dt>{}</dt><dd><b>{count}</b><svg viewBox=\"0 0 {} 1\" preserveAspectRatio=\"none\" \
             aria-hidden=\"true\"><rect width=\"{count}\" height=\"1\"/></svg></dd></div>",
            escape(&name),
            max.max(1)
        );
    }
    text + "</dl>\n"
}

pub(super) fn endings(standings: &Standings) -> String {
    let mut endings: Vec<_> =
        standings.endings.iter().map(|(kind, count)| (kind.to_string(), *count)).collect();
    endings.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let max = endings.first().map_or(0, |(_, count)| *count);
    bars(endings.into_iter(), max)
}

pub(super) fn times(head: &Head<'_>, times: &[MoveTimes]) -> String {
    let row = |&player: &usize| {
        let times = &times[player];
        vec![
            head.name(player),
            format!("{:.3} s", times.mean()),
            format!("{:.3} s", times.max_seconds),
            times.depth().map_or_else(|| "–".to_owned(), |depth| format!("{depth:.1}")),
            times.moves.to_string(),
            format!("{:.1} s", times.seconds),
        ]
    };
    let rows: Vec<Vec<String>> = head.order.iter().map(row).collect();
    table("times", &["engine", "per move", "longest", "depth", "moves", "total"], &rows)
}
