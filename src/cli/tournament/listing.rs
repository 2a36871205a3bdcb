//! Lists of a tournament, printed as text, as CSV, as JSON or as a page to print: players,
//! pairings, standings and the cross table.

use crate::arena::stats::points_text;
use crate::arena::tournament::tie_breaks::{self, TieBreak};
use crate::arena::tournament::trf::{Board, Entry, Field, Mark, OpenGame, Report};
use crate::base::text::Visible;
use crate::cli::tables::table;
use crate::page::{escape, printed};
use comfy_table::CellAlignment;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::{self, Write};

/// The style of the page to print, on A4.
const STYLE: &str = "\
@page { size: A4; margin: 15mm; }
main { margin: 0 0 1rem; }
th, td { text-align: left; }
th.r, td.r { text-align: right; }
header { margin-bottom: 1.2rem; }
tr { break-inside: avoid; }
@media print {
  :root { --paper: #fff; --card: #fff; --ink: #000; --quiet: #333; --rule: #999; color-scheme: light; }
  body { max-width: none; padding: 0; font-size: 10.5pt; }
  section { padding: 0; border: 0; }
  .scroll { overflow: visible; }
  th, td { padding: 1.2mm 1.6mm; }
  .wide { font-size: 8.5pt; }
  .wide th, .wide td { padding: 1mm .8mm; }
}
";
/// The minimum number of columns of a list that is printed in landscape format and small type.
const MANY_COLUMNS: usize = 15;
/// The maximum number of games without a result that a note names. If there are more, the note only
/// counts them.
const MAX_NAMED_GAMES: usize = 6;

/// The CSV header of a list of games.
const CSV_GAMES: [&str; 7] =
    ["round", "board", "white", "white name", "result", "black", "black name"];

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    Text,
    Csv,
    Json,
    Html,
}

type Row = Vec<String>;

/// A list with its title. The first row is the header.
pub(super) struct Listing {
    title: String,
    rows: Vec<Row>,
    /// The columns that are aligned to the right.
    right: Vec<usize>,
    /// The rows for CSV and JSON. The first row is the header.
    csv: Vec<Row>,
    /// Lines below the list. They are omitted in CSV and JSON.
    notes: Vec<String>,
}

impl Listing {
    pub(super) fn print(&self, report: &Report, form: Form) -> io::Result<()> {
        let mut out = Visible(io::stdout().lock());
        match form {
            Form::Text => self.print_text(report, &mut out),
            Form::Csv => self.csv.iter().try_for_each(|row| write_csv(&mut out, row)),
            Form::Json => writeln!(out, "{}", self.json(report)),
            Form::Html => write!(out, "{}", self.page(report)),
        }
    }

    fn print_text(&self, report: &Report, out: &mut impl Write) -> io::Result<()> {
        let [header, rows @ ..] = &self.rows[..] else { return Ok(()) };
        let mut table = table(header);
        table.add_rows(rows);
        for &column in &self.right {
            if let Some(column) = table.column_mut(column) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        writeln!(out, "{}", report.event())?;
        if !self.title.is_empty() {
            writeln!(out, "{}", self.title)?;
        }
        writeln!(out, "{table}")?;
        self.notes.iter().try_for_each(|note| writeln!(out, "{note}"))
    }

    /// Returns an object with the event, the title and the rows. Each row is an object with the
    /// columns of the CSV as members; empty cells are left out.
    fn json(&self, report: &Report) -> Value {
        let [header, rows @ ..] = &self.csv[..] else { return Value::Null };
        let row = |cells: &Row| -> Value {
            let cells = header.iter().zip(cells).filter(|(_, cell)| !cell.is_empty());
            let members = cells.map(|(name, cell)| (name.clone(), json_cell(name, cell)));
            Value::Object(members.collect())
        };
        let rows: Vec<Value> = rows.iter().map(row).collect();
        json!({ "event": report.event(), "title": self.title, "rows": rows })
    }

    /// Returns a page with the list, as HTML.
    fn page(&self, report: &Report) -> String {
        let mut html = format!("<header><h1>{}</h1>\n", escape(report.event()));
        let days = [report.header("042"), report.header("052")];
        let days = if days[0] == days[1] { days[0].to_owned() } else { days.join(" – ") };
        let arbiter = report.header("102");
        let arbiter =
            if arbiter.is_empty() { String::new() } else { format!("Arbiter: {arbiter}") };
        let about: Vec<String> = [report.header("022").to_owned(), days, arbiter]
            .into_iter()
            .filter(|text| !text.trim_matches([' ', '–']).is_empty())
            .map(|text| escape(&text))
            .collect();
        if !about.is_empty() {
            let _ = writeln!(html, "<p>{}</p>", about.join(" · "));
        }
        html.push_str("</header>\n");
        let columns = self.rows.first().map_or(0, Vec::len);
        let is_wide = columns >= MANY_COLUMNS;
        let class = if is_wide { " class=\"wide\"" } else { "" };
        let _ = writeln!(html, "<section><h2>{}</h2>", escape(&self.title));
        let _ = writeln!(html, "<div class=\"scroll\"><table{class}>");
        for (number, row) in self.rows.iter().enumerate() {
            let cell = if number == 0 { "th" } else { "td" };
            html.push_str(if number == 0 { "<thead><tr>" } else { "<tr>" });
            for column in 0..columns {
                let text = escape(row.get(column).map_or("", String::as_str));
                let class = if self.right.contains(&column) { " class=\"r\"" } else { "" };
                let _ = write!(html, "<{cell}{class}>{text}</{cell}>");
            }
            html.push_str(if number == 0 { "</tr></thead>\n<tbody>\n" } else { "</tr>\n" });
        }
        html.push_str("</tbody></table></div>\n");
        for note in &self.notes {
            let _ = writeln!(html, "<p>{}</p>", escape(note));
        }
        html.push_str("</section>");
        let title = format!("{} – {}", report.event(), self.title);
        let landscape = if is_wide { "@page { size: A4 landscape; }\n" } else { "" };
        printed(&title, &html, &format!("{STYLE}{landscape}"))
    }

    /// Creates a list with the same rows in every output format.
    fn plain(title: &str, rows: Vec<Row>, right: &[usize]) -> Self {
        let notes = Vec::new();
        Self { title: title.to_owned(), csv: rows.clone(), rows, right: right.to_vec(), notes }
    }

    /// Lists the players of a new tournament.
    pub(super) fn new_players(report: &Report) -> Self {
        let row = |player: usize| {
            let of = &report.players()[player];
            vec![number(player), titled(report, player), of.rating(), of.federation()]
        };
        let rows = with_header(&["no.", "name", "rating", "fed."], players(report).map(row));
        Self::plain("", rows, &[0, 2])
    }

    pub(super) fn of_players(report: &Report) -> Self {
        Self::players(report, players(report), "Players")
    }

    pub(super) fn of_player(report: &Report, player: usize) -> Self {
        Self::players(report, player..player + 1, "")
    }

    /// Lists players with all their data, and with their byes in rounds that are not paired yet.
    fn players(report: &Report, of: impl Iterator<Item = usize>, title: &str) -> Self {
        const HEADER: [&str; 9] =
            ["no.", "name", "rating", "title", "fed.", "FIDE no.", "birth", "sex", "byes"];
        let row = |player: usize| {
            let data = &report.players()[player];
            let fields = Field::ALL.map(|field| data.field(field));
            [vec![number(player)], fields.to_vec(), vec![later_byes(report, player)]].concat()
        };
        Self::plain(title, with_header(&HEADER, of.map(row)), &[0, 2])
    }

    /// Lists the pairings and results of a round.
    pub(super) fn of_round(report: &Report, round: usize) -> Self {
        let points = |player: usize| points(report.half_points(player, round));
        let (mut rows, mut csv) = (Vec::new(), Vec::new());
        for (board, of) in report.boards(round).into_iter().enumerate() {
            let (white, black) = (of.white, of.black);
            rows.push(vec![
                number(board),
                number(white),
                titled(report, white),
                points(white),
                report.result(round, of),
                points(black),
                titled(report, black),
                number(black),
            ]);
            csv.push(csv_game(report, round, board, of));
        }
        for (player, mark) in report.byes(round) {
            let bye = if report.rests(player, round) { "rests" } else { bye_name(mark) };
            let (none, bye) = (String::new, bye.to_owned());
            let (name_with_title, points) = (titled(report, player), points(player));
            rows.push(vec![none(), number(player), name_with_title, points, bye.clone()]);
            csv.push(csv_bye(report, round, player, bye));
        }
        let header = ["board", "no.", "White", "points", "result", "points", "Black", "no."];
        let of = report.rounds().map_or(String::new(), |rounds| format!(" of {rounds}"));
        Self {
            title: format!("Round {}{of}", round + 1),
            rows: with_header(&header, rows),
            right: vec![0, 1, 3, 5, 7],
            csv: with_header(&CSV_GAMES, csv),
            notes: Vec::new(),
        }
    }

    /// Lists the games of all rounds of a round robin.
    pub(super) fn schedule(report: &Report) -> Self {
        let (mut rows, mut csv) = (Vec::new(), Vec::new());
        for round in 0..report.rounds().unwrap_or(0) {
            for (board, of) in report.scheduled(round).into_iter().enumerate() {
                let (white, black) = (of.white, of.black);
                rows.push(vec![
                    number(round),
                    number(board),
                    number(white),
                    titled(report, white),
                    report.result(round, of),
                    titled(report, black),
                    number(black),
                ]);
                csv.push(csv_game(report, round, board, of));
            }
            for player in players(report).filter(|&player| report.rests(player, round)) {
                let rests = "rests".to_owned();
                let (none, name) = (String::new(), titled(report, player));
                rows.push(vec![number(round), none, number(player), name, rests]);
                csv.push(csv_bye(report, round, player, "rests".to_owned()));
            }
        }
        let header = ["round", "board", "no.", "White", "result", "Black", "no."];
        Self {
            title: "Schedule".to_owned(),
            rows: with_header(&header, rows),
            right: vec![0, 1, 2, 6],
            csv: with_header(&CSV_GAMES, csv),
            notes: Vec::new(),
        }
    }

    /// Lists the standings after `round` rounds.
    pub(super) fn standings(report: &Report, round: usize, tie_breaks: &[TieBreak]) -> Self {
        let (mut rows, mut csv) = (Vec::new(), Vec::new());
        let open = report.open_games(round);
        for (place, row) in tie_breaks::standings(report, round, tie_breaks).iter().enumerate() {
            let player = &report.players()[row.player];
            let values = tie_breaks.iter().zip(&row.values).map(|(name, value)| name.text(*value));
            let mut values: Row = values.collect();
            if !open.is_empty() {
                let of_player =
                    |game: &&OpenGame| [game.of.white, game.of.black].contains(&row.player);
                let missing = open.iter().filter(of_player).count();
                values.push(if missing == 0 { String::new() } else { missing.to_string() });
            }
            let cells = |name: String, points: String| {
                let [place, no] = [place, row.player].map(number);
                let cells = [place, no, name, player.rating(), player.federation(), points];
                [&cells[..], &values].concat()
            };
            rows.push(cells(titled(report, row.player), points(row.half_points)));
            csv.push(cells(player.name(), decimal_points(row.half_points)));
        }
        let mut names: Vec<String> = tie_breaks.iter().map(ToString::to_string).collect();
        if !open.is_empty() {
            names.push("missing".to_owned());
        }
        let header = ["rank", "no.", "name", "rating", "fed.", "points"];
        let names = names.iter().map(String::as_str);
        let header: Vec<&str> = header.into_iter().chain(names).collect();
        Self {
            title: format!("Standings after round {round}"),
            rows: with_header(&header, rows),
            right: [0, 1, 3].into_iter().chain(5..header.len()).collect(),
            csv: with_header(&header, csv),
            notes: notes(report, &open),
        }
    }

    /// Lists the results of the first `rounds` rounds. The players are in the order of the
    /// standings after these rounds.
    pub(super) fn crosstable(report: &Report, rounds: usize) -> Self {
        let standings = tie_breaks::standings(report, rounds, report.tie_breaks());
        let order: Vec<usize> = standings.iter().map(|row| row.player).collect();
        let columns: Vec<String> = match report.is_round_robin() {
            true => order.iter().map(|&player| number(player)).collect(),
            false => (0..rounds).map(|round| format!("R{}", round + 1)).collect(),
        };
        let entries = |player: usize| (0..rounds).map(move |r| report.players()[player].entry(r));
        let counts = |player: usize| report.early_withdrawal(player).is_none();
        // In CSV, spreadsheets would read a result in parentheses as a negative number.
        let results = |player: usize, is_csv: bool| -> Row {
            if !report.is_round_robin() {
                return entries(player).map(|entry| game(&entry)).collect();
            }
            let against = |&opponent: &usize| {
                if opponent == player {
                    return "·".to_owned();
                }
                let games = entries(player).filter(|entry| entry.opponent == Some(opponent));
                let signs: String = games.map(|entry| sign(entry.mark)).collect();
                let is_plain = is_csv || signs.is_empty() || counts(player) && counts(opponent);
                if is_plain { signs } else { format!("({signs})") }
            };
            order.iter().map(against).collect()
        };
        let (mut rows, mut csv) = (Vec::new(), Vec::new());
        for (place, row) in standings.iter().enumerate() {
            let player = &report.players()[row.player];
            let cells = |name: String, points: String, is_csv: bool| {
                let [place, no] = [place, row.player].map(number);
                let head = vec![place, no, name, player.rating()];
                [head, results(row.player, is_csv), vec![points]].concat()
            };
            rows.push(cells(titled(report, row.player), points(row.half_points), false));
            csv.push(cells(player.name(), decimal_points(row.half_points), true));
        }
        let names = columns.iter().map(String::as_str);
        let header = ["rank", "no.", "name", "rating"].into_iter().chain(names).chain(["points"]);
        let header: Vec<&str> = header.collect();
        Self {
            title: format!("Cross table after round {rounds}"),
            rows: with_header(&header, rows),
            right: vec![0, 1, 3, header.len() - 1],
            csv: with_header(&header, csv),
            notes: notes(report, &report.open_games(rounds)),
        }
    }
}

fn with_header(header: &[&str], rows: impl IntoIterator<Item = Row>) -> Vec<Row> {
    let header = header.iter().map(|text| (*text).to_owned()).collect();
    [header].into_iter().chain(rows).collect()
}

/// Returns the CSV row of a game.
fn csv_game(report: &Report, round: usize, board: usize, of: Board) -> Row {
    let result = report.result(round, of).replace(' ', "").replace('½', "1/2");
    let [white, black] = [of.white, of.black].map(|p| [number(p), report.players()[p].name()]);
    [&[number(round), number(board)][..], &white, &[result], &black].concat()
}

/// Returns the CSV row of a player without a game.
fn csv_bye(report: &Report, round: usize, player: usize, bye: String) -> Row {
    let (none, name) = (String::new, report.players()[player].name());
    vec![number(round), none(), number(player), name, bye, none(), none()]
}

fn players(report: &Report) -> std::ops::Range<usize> {
    0..report.players().len()
}

/// Formats an index, which is counted from 0, as a number, which is counted from 1.
fn number(index: usize) -> String {
    (index + 1).to_string()
}

/// Returns a player's name, preceded by the title if the player has one.
pub(super) fn titled(report: &Report, player: usize) -> String {
    let player = &report.players()[player];
    format!("{} {}", player.title(), player.name()).trim().to_owned()
}

/// Returns a note about the games without a result. It names the games if there are at most
/// [`MAX_NAMED_GAMES`]. Returns `None` if all games have a result.
pub(super) fn open_games_note(report: &Report, open: &[OpenGame]) -> Option<String> {
    let name = |game: &OpenGame| {
        let [white, black] = [game.of.white, game.of.black].map(|p| report.players()[p].name());
        format!("round {}, board {} ({white} - {black})", game.round + 1, game.board + 1)
    };
    let names = || open.iter().map(name).collect::<Vec<_>>().join("; ");
    match open.len() {
        0 => None,
        1 => Some(format!("1 game has no result yet: {}", names())),
        games @ ..=MAX_NAMED_GAMES => {
            Some(format!("{games} games have no result yet: {}", names()))
        }
        games => Some(format!("{games} games have no result yet")),
    }
}

/// Returns a note if the games of a player do not count because of an early withdrawal.
pub(super) fn early_withdrawal_note(report: &Report, player: usize) -> Option<String> {
    let (played, games) = report.early_withdrawal(player)?;
    let name = titled(report, player);
    Some(format!(
        "{name} has withdrawn and has played {played} of {games} games, fewer than half: these games \
         do not count in the standings"
    ))
}

/// Returns the notes below the standings and the cross table.
fn notes(report: &Report, open: &[OpenGame]) -> Vec<String> {
    let withdrawals = players(report).filter_map(|player| early_withdrawal_note(report, player));
    open_games_note(report, open).into_iter().chain(withdrawals).collect()
}

fn points(half_points: usize) -> String {
    points_text(half_points as u64)
}

/// Formats points for CSV and JSON, such as `3.5`.
fn decimal_points(half_points: usize) -> String {
    format!("{}.{}", half_points / 2, half_points % 2 * 5)
}

pub(super) const fn bye_name(mark: Mark) -> &'static str {
    match mark {
        Mark::PairingBye => "bye",
        Mark::FullBye => "full-point bye",
        Mark::HalfBye => "half-point bye",
        _ => "absent",
    }
}

/// Lists a player's byes in the rounds that are not paired yet, such as `absent from round 3 on` or
/// `half-point bye in round 4`.
fn later_byes(report: &Report, player: usize) -> String {
    let next = report.paired();
    let rounds = report.rounds().unwrap_or(next + 1);
    if next < rounds && report.is_withdrawn(player) {
        return format!("absent from round {} on", next + 1);
    }
    let mark = |round: usize| report.players()[player].entry(round).mark;
    let rounds = (next..rounds).filter(|&round| mark(round) != Mark::Open);
    let bye = |round| format!("{} in round {}", bye_name(mark(round)), round + 1);
    rounds.map(bye).collect::<Vec<_>>().join("; ")
}

/// Returns the sign of a player's result in a cross table.
const fn sign(mark: Mark) -> &'static str {
    match mark {
        Mark::Win => "1",
        Mark::Draw => "½",
        Mark::Loss => "0",
        Mark::WinUnrated => "W",
        Mark::DrawUnrated => "D",
        Mark::LossUnrated => "L",
        Mark::ForfeitWin => "+",
        Mark::ForfeitLoss => "-",
        _ => "",
    }
}

/// Formats a player's round as a cell in the cross table of a Swiss tournament, such as `5w1`.
fn game(entry: &Entry) -> String {
    let side = match (entry.game(), entry.side) {
        // Colours of forfeited games do not count.
        (None, Some(_)) if entry.mark != Mark::Open => "",
        (_, Some(side)) if side.is_white() => "w",
        (_, Some(_)) => "b",
        (_, None) => "",
    };
    match (entry.opponent, entry.mark) {
        (Some(opponent), mark) => format!("{}{side}{}", opponent + 1, sign(mark)),
        (None, Mark::PairingBye | Mark::FullBye) => "bye 1".to_owned(),
        (None, Mark::HalfBye) => "bye ½".to_owned(),
        (None, _) => "–".to_owned(),
    }
}

/// Converts a cell to JSON. Ranks, ratings, points, tie-breaks, and the numbers of players, rounds
/// and boards become JSON numbers. All other cells become strings.
fn json_cell(column: &str, cell: &str) -> Value {
    const NUMBERS: [&str; 9] =
        ["rank", "no.", "rating", "points", "round", "board", "white", "black", "missing"];
    let is_number = NUMBERS.contains(&column) || column.parse::<TieBreak>().is_ok();
    match cell.parse::<f64>() {
        Ok(number) if is_number && number.fract() == 0.0 => (number as i64).into(),
        Ok(number) if is_number => number.into(),
        _ => cell.into(),
    }
}

fn write_csv(out: &mut impl Write, cells: &[String]) -> io::Result<()> {
    let quoted = |cell: &String| {
        if cell.contains([',', '"', '\n']) {
            format!("\"{}\"", cell.replace('"', "\"\""))
        } else {
            cell.clone()
        }
    };
    writeln!(out, "{}", cells.iter().map(quoted).collect::<Vec<_>>().join(","))
}
