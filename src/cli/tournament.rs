//! `adoube tournament`: runs Swiss tournaments for human players. Each tournament is stored in a
//! Tournament Report File, a format defined by FIDE.

use super::tables::table;
use crate::arena::stats::points_text;
use crate::arena::tournament::dutch::Breach;
use crate::arena::tournament::tie_breaks::{self, DEFAULT_TIE_BREAKS, TieBreak};
use crate::arena::tournament::trf::{BoardResult, Mark, Registration, Report};
use crate::base::file;
use crate::base::text::{Visible, without_mark};
use crate::record;
use anyhow::{Context, bail, ensure};
use comfy_table::CellAlignment;
use std::fs;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Run a Swiss tournament for human players: pairings, results, standings
///
/// The tournament is stored in a Tournament Report File (TRF-16), which other pairing and rating
/// programs can read and write. Pairings follow FIDE's Dutch system; tie-breaks follow C.07 of the
/// FIDE Handbook.
#[derive(clap::Args, Debug)]
pub(super) struct Command {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand, Debug)]
enum Action {
    /// Create a tournament from a list of players
    ///
    /// Each line in the list is NAME;RATING;TITLE;FEDERATION;FIDE ID;BIRTH;SEX. Everything after
    /// the name is optional. Players are numbered in order of rating, title and name.
    New {
        /// Tournament Report File (TRF) to create
        file: PathBuf,
        /// File with the list of players
        players: PathBuf,
        /// Number of rounds
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=999))]
        rounds: u16,
        /// Name of the tournament
        #[arg(long, value_name = "TEXT", default_value = "Tournament")]
        event: String,
    },
    /// Pair the next round, store it in the file and print it
    ///
    /// Byes that are already entered in the file for this round are respected.
    Pair {
        #[command(flatten)]
        of: FileArgs,
        /// Numbers of the players who do not play in this round
        #[arg(long, value_name = "N,...", value_delimiter = ',')]
        absent: Vec<usize>,
        /// Numbers of the players who have a half-point bye in this round
        #[arg(long, value_name = "N,...", value_delimiter = ',')]
        half_bye: Vec<usize>,
    },
    /// Print the pairings and results of a round
    Round {
        #[command(flatten)]
        of: FileArgs,
        /// Round [default: the last paired round]
        round: Option<usize>,
    },
    /// Enter results, such as 1:1-0 2:0-1 3:1/2 4:+-
    ///
    /// If no results are given, they are read from standard input, one per line. +-, -+ and -- are
    /// forfeits; * removes a result.
    Enter {
        /// Tournament Report File (TRF)
        file: PathBuf,
        /// Results as BOARD:RESULT
        results: Vec<String>,
        /// Round [default: the last paired round]
        #[arg(long, value_name = "N")]
        round: Option<usize>,
    },
    /// Print the standings
    Standings {
        #[command(flatten)]
        of: FileArgs,
        /// Tie-breaks in order of priority, chosen from BH, BH/C1, BH/C2, BH/M1, BH/M2, SB, SB/C1,
        /// DE, WIN, WON, BPG, BWG and PS [default: BH/C1,BH,SB,DE,WIN]
        #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
        tie_breaks: Vec<TieBreak>,
        /// Print the standings after this round [default: the last finished round]
        #[arg(long, value_name = "N")]
        round: Option<usize>,
    },
}

#[derive(clap::Args, Debug)]
struct FileArgs {
    /// Tournament Report File (TRF)
    file: PathBuf,
    /// Print comma-separated values
    #[arg(long)]
    csv: bool,
}

pub(super) fn run(command: &Command) -> anyhow::Result<ExitCode> {
    match &command.action {
        Action::New { file, players, rounds, event } => new(file, players, *rounds, event)?,
        Action::Pair { of, absent, half_bye } => pair(of, absent, half_bye)?,
        Action::Round { of, round } => {
            let report = read(&of.file)?;
            let round = played_round(&report, *round)?;
            print_round(&report, round, of.csv)?;
        }
        Action::Enter { file, results, round } => enter(file, results, *round)?,
        Action::Standings { of, tie_breaks, round } => standings(of, tie_breaks, *round)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn read_text(path: &Path) -> anyhow::Result<String> {
    let bytes = fs::read(path).with_context(|| path.display().to_string())?;
    Ok(without_mark(&record::decode(bytes)).to_owned())
}

fn read(path: &Path) -> anyhow::Result<Report> {
    read_text(path)?.parse().with_context(|| path.display().to_string())
}

fn write(path: &Path, report: &Report) -> anyhow::Result<()> {
    file::replace(path, report.to_string().as_bytes()).with_context(|| path.display().to_string())
}

/// Converts a round number, counted from 1, to an index, counted from 0. `None` means the last
/// paired round.
fn played_round(report: &Report, round: Option<usize>) -> anyhow::Result<usize> {
    let paired = report.paired();
    ensure!(paired > 0, "no round is paired yet: run adoube tournament pair");
    match round.unwrap_or(paired) {
        round @ 1.. if round <= paired => Ok(round - 1),
        round => bail!("there is no round {round}: the last is round {paired}"),
    }
}

fn new(path: &Path, players: &Path, rounds: u16, event: &str) -> anyhow::Result<()> {
    ensure!(fs::metadata(path).is_err(), "{} already exists", path.display());
    let text = read_text(players)?;
    let lines = text.lines().enumerate();
    let lines = lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let people = lines
        .map(|(index, line)| {
            let person = line.parse::<Registration>();
            person.with_context(|| format!("{}:{}", players.display(), index + 1))
        })
        .collect::<anyhow::Result<Vec<_>>>()?;
    let report =
        Report::new(event, rounds.into(), people).with_context(|| players.display().to_string())?;
    write(path, &report)?;
    let mut table = table(["no.", "name", "rating", "fed."]);
    for (index, player) in report.players().iter().enumerate() {
        table.add_row([
            (index + 1).to_string(),
            titled(&report, index),
            player.rating(),
            player.federation(),
        ]);
    }
    align_right(&mut table, &[0, 2]);
    writeln!(Visible(io::stdout().lock()), "{event}\n{table}")?;
    Ok(())
}

fn pair(of: &FileArgs, absent: &[usize], half_bye: &[usize]) -> anyhow::Result<()> {
    let mut report = read(&of.file)?;
    for (numbers, letter) in [(absent, 'Z'), (half_bye, 'H')] {
        let players = numbers
            .iter()
            .map(|number| number.checked_sub(1).context("players are numbered from 1"))
            .collect::<anyhow::Result<Vec<_>>>()?;
        report.announce_byes(&players, letter)?;
    }
    let breaches = report.pair().with_context(|| of.file.display().to_string())?;
    write(&of.file, &report)?;
    print_round(&report, report.paired() - 1, of.csv)?;
    let name = |player: usize| titled(&report, player);
    for breach in breaches {
        let text = match breach {
            Breach::MeetAgain(a, b) => format!("{} and {} have already met", name(a), name(b)),
            Breach::Colours(a, b) => {
                format!("{} and {} must both have the same colour", name(a), name(b))
            }
            Breach::SecondBye(a) => format!("{} has had a bye or a win by forfeit", name(a)),
        };
        super::print_error(format_args!("warning: no pairing satisfies all rules: {text}"));
    }
    Ok(())
}

fn enter(path: &Path, results: &[String], round: Option<usize>) -> anyhow::Result<()> {
    let mut report = read(path)?;
    let round = played_round(&report, round)?;
    let mut lines = results.to_vec();
    if results.is_empty() {
        lines = io::stdin().lock().lines().collect::<io::Result<_>>()?;
        lines.retain(|line| !line.trim().is_empty());
    }
    for line in &lines {
        let (board, result) = line
            .trim()
            .split_once([':', ' ', '\t'])
            .with_context(|| format!("'{line}' is not BOARD:RESULT, such as 3:1-0"))?;
        let number = board.trim().parse::<usize>().ok().and_then(|board| board.checked_sub(1));
        let board = number.with_context(|| format!("'{board}' is not the number of a board"))?;
        report.enter(round, board, result.parse::<BoardResult>()?)?;
    }
    write(path, &report)?;
    let boards = report.boards(round);
    let open: Vec<String> = (1..)
        .zip(&boards)
        .filter(|(_, board)| report.result(round, **board).is_empty())
        .map(|(number, _)| number.to_string())
        .collect();
    let mut out = io::stdout().lock();
    if open.is_empty() {
        writeln!(out, "round {} is finished", round + 1)?;
    } else {
        writeln!(out, "round {}: no result yet of boards {}", round + 1, open.join(", "))?;
    }
    Ok(())
}

/// Returns a player's name, preceded by the title if the player has one.
fn titled(report: &Report, player: usize) -> String {
    let player = &report.players()[player];
    format!("{} {}", player.title(), player.name()).trim().to_owned()
}

fn align_right(table: &mut comfy_table::Table, columns: &[usize]) {
    for &column in columns {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
}

fn points(half_points: usize) -> String {
    points_text(half_points as u64)
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

fn print_round(report: &Report, round: usize, csv: bool) -> anyhow::Result<()> {
    let mut out = Visible(io::stdout().lock());
    let boards = report.boards(round);
    let score = |player: usize| report.players()[player].half_points(round);
    let bye = |mark| match mark {
        Mark::PairingBye => "bye",
        Mark::FullBye => "full-point bye",
        Mark::HalfBye => "half-point bye",
        _ => "absent",
    };
    if csv {
        let header = ["round", "board", "white", "white name", "result", "black", "black name"];
        write_csv(&mut out, &header.map(str::to_owned))?;
        for (number, board) in (1..).zip(&boards) {
            let result = report.result(round, *board).replace(' ', "").replace("½-½", "1/2-1/2");
            let [white, black] = [board.white, board.black];
            write_csv(
                &mut out,
                &[
                    (round + 1).to_string(),
                    number.to_string(),
                    (white + 1).to_string(),
                    report.players()[white].name(),
                    result,
                    (black + 1).to_string(),
                    report.players()[black].name(),
                ],
            )?;
        }
        for (player, mark) in report.byes(round) {
            let (number, name) = ((player + 1).to_string(), report.players()[player].name());
            let (round, none) = ((round + 1).to_string(), String::new());
            let row = [round, none.clone(), number, name, bye(mark).to_owned(), none.clone(), none];
            write_csv(&mut out, &row)?;
        }
        return Ok(());
    }
    let of = report.rounds().map_or(String::new(), |rounds| format!(" of {rounds}"));
    writeln!(out, "{}\nRound {}{of}", report.event(), round + 1)?;
    let mut table = table(["board", "no.", "White", "points", "result", "points", "Black", "no."]);
    for (number, board) in (1..).zip(&boards) {
        table.add_row([
            number.to_string(),
            (board.white + 1).to_string(),
            titled(report, board.white),
            points(score(board.white)),
            report.result(round, *board).to_owned(),
            points(score(board.black)),
            titled(report, board.black),
            (board.black + 1).to_string(),
        ]);
    }
    for (player, mark) in report.byes(round) {
        table.add_row([
            String::new(),
            (player + 1).to_string(),
            titled(report, player),
            points(score(player)),
            bye(mark).to_owned(),
        ]);
    }
    align_right(&mut table, &[0, 1, 3, 5, 7]);
    writeln!(out, "{table}")?;
    Ok(())
}

fn standings(of: &FileArgs, tie_breaks: &[TieBreak], round: Option<usize>) -> anyhow::Result<()> {
    let report = read(&of.file)?;
    let round = match round {
        Some(0) => 0,
        Some(_) => played_round(&report, round)? + 1,
        None => report.finished(),
    };
    let tie_breaks = if tie_breaks.is_empty() { &DEFAULT_TIE_BREAKS[..] } else { tie_breaks };
    let rows = tie_breaks::standings(&report, round, tie_breaks);
    let names = tie_breaks.iter().map(ToString::to_string);
    let header = ["rank", "no.", "name", "rating", "fed.", "points"].map(str::to_owned);
    let header: Vec<String> = header.into_iter().chain(names).collect();
    let cells = |place: usize, row: &tie_breaks::Row| {
        let player = &report.players()[row.player];
        let name = if of.csv { player.name() } else { titled(&report, row.player) };
        let points = match of.csv {
            true => format!("{}.{}", row.half_points / 2, row.half_points % 2 * 5),
            false => points(row.half_points),
        };
        let (place, number) = ((place + 1).to_string(), (row.player + 1).to_string());
        let cells = [place, number, name, player.rating(), player.federation(), points];
        let values = tie_breaks.iter().zip(&row.values).map(|(name, value)| name.text(*value));
        cells.into_iter().chain(values).collect::<Vec<_>>()
    };
    let mut out = Visible(io::stdout().lock());
    if of.csv {
        write_csv(&mut out, &header)?;
        for (place, row) in rows.iter().enumerate() {
            write_csv(&mut out, &cells(place, row))?;
        }
        return Ok(());
    }
    writeln!(out, "{}\nStandings after round {round}", report.event())?;
    let mut table = table(&header);
    for (place, row) in rows.iter().enumerate() {
        table.add_row(cells(place, row));
    }
    let columns: Vec<usize> = [0, 1, 3].into_iter().chain(5..header.len()).collect();
    align_right(&mut table, &columns);
    writeln!(out, "{table}")?;
    Ok(())
}
