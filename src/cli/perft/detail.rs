//! `adoube perft --detail`: counts the moves of each ply by kind.

use super::Args;
use crate::cli::{interrupt, tables};
use crate::tools::perft::detail::{Row, detail};
use crate::tools::perft::game::PerftGame;
use comfy_table::CellAlignment;
use serde_json::{Map, Value};
use std::io::{self, Write};
use std::process::ExitCode;

pub(super) fn run<G: PerftGame>(position: &G, args: &Args) -> anyhow::Result<ExitCode> {
    let stop = interrupt::flag()?;
    let mut out = io::stdout().lock();
    let Some(rows) = detail(position, args.depth, args.threads(), &stop)? else {
        writeln!(out, "Stopped before all moves were counted.")?;
        return Ok(ExitCode::from(interrupt::EXIT_CODE));
    };
    if args.json {
        writeln!(out, "{}", json::<G>(&rows))?;
        return Ok(ExitCode::SUCCESS);
    }
    let header = ["depth", "nodes"].iter().chain(G::KINDS);
    let mut table = tables::table(header);
    for (depth, row) in (1..).zip(&rows) {
        let counts = [depth, row.nodes].into_iter().chain(row.kinds.iter().copied());
        table.add_row(counts.map(|count| count.to_string()));
    }
    for column in table.column_iter_mut() {
        column.set_cell_alignment(CellAlignment::Right);
    }
    writeln!(out, "{table}")?;
    Ok(ExitCode::SUCCESS)
}

fn json<G: PerftGame>(rows: &[Row]) -> Value {
    let ply = |(depth, row): (u64, &Row)| {
        let names = ["depth", "nodes"].iter().chain(G::KINDS);
        let counts = [depth, row.nodes].into_iter().chain(row.kinds.iter().copied());
        let fields = names.zip(counts).map(|(name, count)| (name.replace(' ', "_"), count.into()));
        Value::Object(fields.collect::<Map<_, _>>())
    };
    serde_json::json!({ "depths": (1..).zip(rows).map(ply).collect::<Vec<_>>() })
}
