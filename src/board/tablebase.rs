//! Tablebase results for a position and its moves, as a study shows them.

use super::equipment::Tables;
use super::message::study::{TablebaseInfo, TablebaseMove, TablebaseNote, Value};
use crate::base::side::Side;
use crate::chess::notation::Notation;
use crate::draughts::notation;
use crate::endings::{bitbase, syzygy};
use crate::{chess, draughts};

impl Value {
    fn winner(self, side: Side) -> Option<Side> {
        match self {
            Self::Win => Some(side),
            Self::Loss => Some(!side),
            Self::Draw => None,
        }
    }
}

impl From<syzygy::Wdl> for Value {
    fn from(wdl: syzygy::Wdl) -> Self {
        match wdl.under(true) {
            syzygy::Wdl::Win => Self::Win,
            syzygy::Wdl::Loss => Self::Loss,
            _ => Self::Draw,
        }
    }
}

impl From<bitbase::Wdl> for Value {
    fn from(wdl: bitbase::Wdl) -> Self {
        match wdl {
            bitbase::Wdl::Win => Self::Win,
            bitbase::Wdl::Draw => Self::Draw,
            bitbase::Wdl::Loss => Self::Loss,
        }
    }
}

/// Probes the Syzygy tables. `earlier` holds the keys of the earlier positions of the game.
pub(super) fn chess(
    position: &chess::Position,
    earlier: &[u64],
    tables: &Tables,
    notation: Notation,
) -> Option<TablebaseInfo> {
    let tables = &tables.syzygy;
    let clock = usize::from(position.halfmove_clock());
    let recent = &earlier[earlier.len().saturating_sub(clock)..];
    let (mut ranked, by_distance) = tables.rank(position, recent)?;
    ranked.sort_by_key(|one| (-one.rank, one.distance));
    let value = match ranked.first() {
        // The values of the moves take the halfmove clock into account.
        Some(best) => best.value,
        None => tables.wdl(position)?,
    };
    let winner = Value::from(value).winner(position.side());
    let note = match value {
        syzygy::Wdl::CursedWin | syzygy::Wdl::BlessedLoss => Some(TablebaseNote::Fifty),
        syzygy::Wdl::Win | syzygy::Wdl::Loss if by_distance && !ranked.is_empty() => {
            tables.dtz(position).map(|plies| TablebaseNote::Dtz(plies.unsigned_abs()))
        }
        _ => None,
    };
    let moves = ranked.into_iter().map(|one| TablebaseMove {
        text: one.m.to_string(),
        notated: notation.write(position, one.m),
        value: one.value.into(),
        distance: one.distance.map(i32::unsigned_abs),
    });
    Some(TablebaseInfo { winner, note, moves: moves.collect() })
}

pub(super) fn draughts(position: &draughts::Position, tables: &Tables) -> Option<TablebaseInfo> {
    let value = Value::from(tables.probe_bitbases(position)?);
    let winner = value.winner(position.side());
    let is_limited = winner.is_some() && position.few_pieces().is_some();
    let note = is_limited.then_some(TablebaseNote::Few);
    let mut moves: Vec<_> = position
        .legal_moves()
        .into_iter()
        .filter_map(|m| {
            let after = position.play(m);
            // The game can end in a position that is not in a table.
            let value = tables.probe_bitbases(&after).map(|wdl| wdl.opposite().into());
            let is_over = !after.has_moves();
            let wins = after.winner_without_moves() == position.side();
            let end = if wins { Value::Win } else { Value::Loss };
            Some(TablebaseMove {
                text: m.to_string(),
                notated: notation::pdn(position, m),
                value: value.or(is_over.then_some(end))?,
                distance: None,
            })
        })
        .collect();
    moves.sort_by_key(|one| std::cmp::Reverse(one.value));
    Some(TablebaseInfo { winner, note, moves })
}
