//! `adoube sheet`: compares score sheets.

use super::games::{self, Format, Input};
use crate::base::game::{GameKind, MoveForm};
use crate::base::side::Side;
use crate::base::text::Visible;
use crate::draughts::sheet::Numeric;
use crate::laws::time::Hms;
use crate::record::games::{Record, Recorded};
use crate::record::sheet::compare::{self, Comparison, Difference, Fault, Which};
use crate::record::sheet::{Entry, Notate, Reader, Sheet, result};
use anyhow::Context;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Compare score sheets
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    Compare(CompareArgs),
}

/// Compare two players' score sheets of a game, and reconstruct the game
///
/// Reports omitted moves, and differences in moves, clock times and draw offers. Then prints the
/// game that best fits both sheets (Par. 23 of 1928; Art. 23.2 of 1930; 8.5 of 2009), with the
/// clock times and draw offers on which they agree. A move that neither sheet has is reconstructed
/// and reported as such; it is always legal. The exit code is 1 if the sheets differ.
///
/// A sheet begins with lines of the form `Name: value`; `Notation: fr` names the notation of the
/// moves, which otherwise is detected. Rows such as `12. Cf3 1:05  Cc6 (=)` follow, and then the
/// result.
#[derive(clap::Args, Debug)]
struct CompareArgs {
    /// One player's sheet
    first: PathBuf,
    /// The other player's sheet
    second: PathBuf,
    /// Notation for sheets without a `Notation` line, such as san, fr, de, descriptive:fr or
    /// descriptive:en [default: detected from the moves]
    #[arg(long, value_name = "NOTATION")]
    notation: Option<Format>,
    /// Output format of the game [default: the format of the first sheet]
    #[arg(long, value_name = "FORMAT")]
    to: Option<Format>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let Command::Compare(args) = &args.command;
    let mut inputs = games::open(&[args.first.clone(), args.second.clone()], args.notation)?;
    let (Some(second), Some(first)) = (inputs.pop(), inputs.pop()) else {
        anyhow::bail!("give two score sheets");
    };
    let sheets = (first.format, second.format);
    let to = args.to.unwrap_or(sheets.0);
    match sheets {
        (Format::Chess(a), Format::Chess(b)) if to.game() == GameKind::Chess => {
            let (first, second) = (read(first, a)?, read(second, b)?);
            print(&first, &second, |game: &Record<crate::chess::Position>| match to {
                Format::Chess(_) if args.to.is_none() => {
                    Sheet::of(game, first.1.notation).to_string()
                }
                Format::Chess(notation) => Sheet::of(game, notation).to_string(),
                _ => game.to_string(),
            })
        }
        (Format::Draughts, Format::Draughts) if to.game() == GameKind::Draughts => {
            let (first, second) = (read(first, Numeric)?, read(second, Numeric)?);
            print(&first, &second, |game: &Record<crate::draughts::Position>| match to {
                Format::Draughts => Sheet::of(game, Numeric).to_string(),
                _ => game.to_string(),
            })
        }
        _ => anyhow::bail!(
            "both files must be score sheets of the same kind of game (chess or draughts), and --to \
             must be a format for it"
        ),
    }
}

type Named<N> = (String, Sheet<N>);

fn read<P: Recorded, N: Notate<P>>(input: Input, notation: N) -> anyhow::Result<Named<N>>
where
    Reader<P, N, Box<dyn io::BufRead>>:
        Iterator<Item = Result<Sheet<N>, crate::record::sheet::SheetError>>,
{
    let name = input.name;
    let sheet = Reader::<P, N, _>::new(input.text, notation).next();
    let sheet = sheet.with_context(|| format!("{name}: no score sheet found"))?;
    Ok((name.clone(), sheet.with_context(|| name)?))
}

fn print<P: Recorded, A: Notate<P>, B: Notate<P>>(
    first: &Named<A>,
    second: &Named<B>,
    write: impl Fn(&Record<P>) -> String,
) -> anyhow::Result<ExitCode> {
    let compared = compare::compare::<P, A, B>(&first.1, &second.1)?;
    let mut out = Visible(io::BufWriter::new(io::stdout().lock()));
    let mut same = compared.differences.is_empty();
    let mut game = Record::<P>::from_position(first.1.start()?);
    for (name, value) in first.1.heads.iter().chain(&second.1.heads) {
        if game.tag(name).is_none() {
            game.set_tag(name, value);
        }
    }
    let (number, side) = (game.start().first_number(), game.start().side());
    let mut differences = compared.differences.iter().peekable();
    for ply in 0..=compared.moves.len() {
        let place = place(compare::place(number, side, ply));
        while let Some(difference) = differences.next_if(|difference| difference.ply == ply) {
            let text =
                describe(difference, (&first.0, &second.0), (&first.1.entries, &second.1.entries));
            let m = compared.moves.get(ply).filter(|_| difference.fault != Fault::Added);
            let text_of = |m| game.position().write_move(m, MoveForm::Record);
            let m = m.map_or_else(String::new, |&m| format!(" {}", text_of(m)));
            writeln!(out, "{place}{m}: {text}")?;
        }
        if let Some(&m) = compared.moves.get(ply) {
            let text = game.position().write_move(m, MoveForm::Record);
            game.push(m, "")?;
            if compared.is_reconstructed(ply) {
                writeln!(
                    out,
                    "{place} {text}: reconstructed, because neither sheet has a move that fits"
                )?;
                game.comment("reconstructed");
            }
            let (agree, remarks) =
                compare_entries(&mut out, &place, ply, &compared, first, second)?;
            remarks.iter().for_each(|remark| game.comment(remark));
            same &= agree;
        }
    }
    let (a, b) = (&first.1.result, &second.1.result);
    let (read, other) = (result::<P>(a), result::<P>(b));
    if read != other || read.is_none() && a != b {
        same = false;
        writeln!(out, "result: {} has '{a}', {} has '{b}'", first.0, second.0)?;
    } else if let Some(result) = read {
        game.result = result;
    }
    let moves = |name: &str, entries: usize| format!("{name} has {entries} moves");
    let (a, b) = (first.1.entries.len(), second.1.entries.len());
    writeln!(
        out,
        "{}, {}; the game has {}",
        moves(&first.0, a),
        moves(&second.0, b),
        compared.moves.len()
    )?;
    if let Some(alternative) = &compared.alternative {
        write!(out, "Another game fits the score sheets equally well")?;
        print_first_difference(&mut out, game.start(), &compared.moves, alternative)?;
    }
    write!(out, "\n{}", write(&game))?;
    out.flush()?;
    Ok(if same { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Prints the first move at which the alternative game differs. The text completes a sentence that
/// the caller has begun.
fn print_first_difference<P: Recorded>(
    out: &mut impl Write,
    start: &P,
    moves: &[P::Move],
    alternative: &[P::Move],
) -> io::Result<()> {
    let ply = moves.iter().zip(alternative).take_while(|(a, b)| a == b).count();
    let position = moves[..ply].iter().fold(start.clone(), |position, &m| position.after(m));
    let place = place(compare::place(start.first_number(), start.side(), ply));
    let text = |m: &P::Move| format!("{place} {}", position.write_move(*m, MoveForm::Record));
    match (moves.get(ply), alternative.get(ply)) {
        (Some(m), Some(other)) => writeln!(out, ": {} instead of {}", text(other), text(m)),
        (Some(m), None) => writeln!(out, ": it ends before {}", text(m)),
        (None, Some(other)) => writeln!(out, ": it goes on with {}", text(other)),
        (None, None) => writeln!(out, "."),
    }
}

/// Compares the two players' entries for a move. Reports clock times that differ, and a draw offer
/// that only one player recorded, although both must (FIDE 2009, 9.1 b ii). Returns whether the
/// entries agree, and comments with the agreed clock time and draw offer. A clock time that only
/// one player recorded counts as agreed.
fn compare_entries<M, A, B>(
    out: &mut impl Write,
    place: &str,
    ply: usize,
    compared: &Comparison<M>,
    first: &Named<A>,
    second: &Named<B>,
) -> io::Result<(bool, Vec<String>)> {
    let clock = |time| vec![format!("[%clk {}]", Hms(time))];
    let entry = |which: Which| compared.entries[which as usize].get(ply).copied().flatten();
    let a = entry(Which::First).map(|entry| &first.1.entries[entry]);
    let b = entry(Which::Second).map(|entry| &second.1.entries[entry]);
    let (Some(a), Some(b)) = (a, b) else {
        let time = a.or(b).and_then(|entry| entry.time);
        return Ok((true, time.map(clock).unwrap_or_default()));
    };
    let (mut same, mut remarks) = (true, Vec::new());
    let offered = |entry: &Entry| entry.text.contains("(=)");
    if offered(a) != offered(b) {
        let by = if offered(a) { &first.0 } else { &second.0 };
        writeln!(out, "{place}: only {by} has the offer of a draw")?;
        same = false;
    } else if offered(a) {
        remarks.push("(=)".to_owned());
    }
    match (a.time, b.time) {
        (Some(at), Some(bt)) if agree(at, bt) => {
            remarks.extend(clock(if is_in_minutes(at) { bt } else { at }));
        }
        (Some(at), Some(bt)) => {
            let (at, bt) = (Hms(at), Hms(bt));
            writeln!(out, "{place}: {} has the time {at}, {} has {bt}", first.0, second.0)?;
            same = false;
        }
        (at, bt) => remarks.extend(at.or(bt).map(clock).unwrap_or_default()),
    }
    Ok((same, remarks))
}

/// Returns whether two recorded clock times may be the same time. A time in whole minutes may have
/// been recorded without its seconds.
fn agree(a: Duration, b: Duration) -> bool {
    let may_lack_seconds = is_in_minutes(a) || is_in_minutes(b);
    a == b || (may_lack_seconds && a.abs_diff(b) < Duration::from_secs(60))
}

const fn is_in_minutes(time: Duration) -> bool {
    time.as_secs().is_multiple_of(60)
}

/// Formats a move number as `12.` or `12...`.
fn place((number, side): (u32, Side)) -> String {
    format!("{number}{}", if side == Side::White { "." } else { "..." })
}

fn describe(difference: &Difference, names: (&str, &str), entries: (&[Entry], &[Entry])) -> String {
    let (name, entries) = match difference.sheet {
        Which::First => (names.0, entries.0),
        Which::Second => (names.1, entries.1),
    };
    let entry = difference.entry.map(|entry| &entries[entry]);
    let text = entry.map_or("", |entry| entry.text.as_str());
    let line = entry.map_or_else(String::new, |entry| format!(" in line {}", entry.line));
    match difference.fault {
        Fault::LeftOut => format!("{name} leaves it out"),
        Fault::Ended => format!("{name} has ended"),
        Fault::Blank => format!("{name} has a blank{line}"),
        Fault::Ambiguous => format!("{name} has '{text}'{line}, which can be several moves"),
        Fault::Unreadable => format!("{name} has '{text}'{line}, which is not a legal move"),
        Fault::Other => format!("{name} has '{text}'{line}"),
        Fault::Added => format!("{name} has '{text}'{line}, which was not played"),
    }
}
