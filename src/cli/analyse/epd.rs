//! Analysis of the positions in EPD files.

use super::work;
use super::{Args, exit_code};
use crate::arena::engine::failure::Failure;
use crate::base::game::{GameKind, MoveForm};
use crate::cli::{games, interrupt, print_error};
use crate::record::decode;
use crate::record::epd::{Epd, Operation, lines};
use crate::tools::analyse::{Analysed, FoundLine};
use anyhow::ensure;
use std::fmt::Display;
use std::io::{self, Read as _, Write};
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Writes each record with the results of a search: `acd` (depth), `acn` (nodes), `ce` (score for
/// the side to move, in hundredths of a pawn or man) or `dm` (moves to mate), and `pv` (the best
/// line). Earlier results are replaced.
pub(super) fn run<G: Analysed>(
    args: &Args,
    game: GameKind,
    inputs: Vec<games::Input>,
) -> anyhow::Result<ExitCode>
where
    Epd<G>: FromStr<Err: Display> + Display,
{
    let others = [
        ("--to", args.to.is_some()),
        ("--puzzles", args.puzzles.is_some()),
        ("--journal", args.journal.is_some()),
        ("--game", args.games.is_some()),
        ("--book", args.book.is_some()),
        ("--multipv", args.multipv.is_some()),
    ];
    let given = others.into_iter().find(|(_, is_given)| *is_given);
    if let Some((option, _)) = given {
        anyhow::bail!("{option} is for games: it has no effect on EPD files");
    }
    let stages = interrupt::stages("finishing the positions in progress")?;
    let folders = args.syzygy_folders(game)?;
    let (entrant, abort) = (args.entrant()?, &stages.abort);
    let mut analysts =
        args.analysts::<G>(entrant.as_ref(), args.threads, 1, folders.as_deref(), abort)?;
    let (mut all_well, mut found) = (true, false);
    let has_failed = AtomicBool::new(false);
    let mut failure = None;
    let is_over = || stages.is_raised() || has_failed.load(Relaxed);
    for mut input in inputs {
        let mut bytes = Vec::new();
        if let Err(error) = input.text.read_to_end(&mut bytes) {
            all_well = false;
            let name = &input.name;
            print_error(format_args!("{name}: reading failed: {error}; the rest is left out"));
            games::remove_partial_line(&mut bytes);
        }
        let text = decode(bytes);
        work::in_order(
            &mut analysts,
            lines(&text).take_while(|_| !is_over()),
            |analyst, (number, line)| {
                let record = line.parse::<Epd<G>>().map(|mut record| {
                    let lines = analyst.lines(&record.position, 1)?;
                    if let Some(line) = lines.first() {
                        annotate(&mut record, line);
                    }
                    Ok::<_, Failure>(record)
                });
                if let Ok(Err(_)) = record {
                    has_failed.store(true, Relaxed);
                }
                (number, record.map_err(|error| error.to_string()))
            },
            |(number, record)| {
                match record {
                    Ok(_) if stages.abort.is_stopped() => {}
                    Ok(Err(error)) => {
                        failure.get_or_insert((format!("{}: line {number}", input.name), error));
                    }
                    Ok(Ok(record)) => {
                        found = true;
                        writeln!(io::stdout().lock(), "{record}")?;
                    }
                    Err(error) => {
                        all_well = false;
                        let name = &input.name;
                        print_error(format_args!(
                            "{name}: line {number}: {error}; the line is left out"
                        ));
                    }
                }
                anyhow::Ok(())
            },
        )?;
    }
    if let Some((line, failure)) = failure {
        let error = args.engine_error(failure).context(line);
        return Err(error.context("the analysis stopped early; the finished records are written"));
    }
    ensure!(found || !all_well || stages.is_raised(), "there is no position to analyse");
    Ok(exit_code(all_well, &stages))
}

fn annotate<G: Analysed>(record: &mut Epd<G>, line: &FoundLine<G::Move>) {
    let operation =
        |opcode, number: &dyn Display| Operation::new(opcode, &[number.to_string().as_str()]);
    /// The `ce` of a side that is checkmated. A side that will be mated in n moves gets
    /// `MATED + 2 * n`, because only the mating side has a `dm`.
    const MATED: i32 = -32_767;
    let score = match line.score.mate_in() {
        Some(moves) if moves > 0 => operation("dm", &moves),
        Some(moves) => operation("ce", &(MATED - 2 * moves)),
        None => operation("ce", &line.score.centipawns()),
    };
    let words = record.position.write_line(line.moves.clone(), MoveForm::Record);
    let pv = Operation::new("pv", &words.iter().map(String::as_str).collect::<Vec<_>>());
    const OPCODES: [&str; 5] = ["acd", "acn", "ce", "dm", "pv"];
    record.operations.retain(|operation| !OPCODES.contains(&operation.opcode.as_str()));
    let results = [operation("acd", &line.depth), operation("acn", &line.nodes), score, pv];
    record.operations.extend(results);
}
