//! What tables of endings say of a position that is studied, and of each move.

use crate::base::side::Side;
use crate::board::Tables;
use crate::board::shown::Shown;
use crate::chess::notation::Notation;
use crate::endings::{bitbase, syzygy};
use crate::{chess, draughts};
use serde::Serialize;

/// What tables know of a position.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct Known {
    /// Who wins, in a sentence.
    pub text: String,
    /// Its moves, the best first.
    pub moves: Vec<KnownMove>,
}

/// What they know of a move.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct KnownMove {
    /// As programs write it; what the page sends.
    pub text: String,
    /// In the chosen notation.
    pub shown: String,
    /// What it is for the player to move.
    pub value: Value,
    /// The half-moves, this one the first, to the next capture or move of a pawn, if they are known.
    pub distance: Option<u32>,
}

/// What a position is for the player to move.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Value {
    /// He loses.
    Loss,
    /// Nobody can force a win, or not in time for the 50-move rule.
    Draw,
    /// He wins.
    Win,
}

impl Value {
    /// Who wins, in words.
    fn winner(self, side: Side) -> String {
        match self {
            Self::Win => format!("{side} wins"),
            Self::Loss => format!("{} wins", !side),
            Self::Draw => "Draw".to_owned(),
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

/// What Syzygy tables know of a position of chess, after positions with the keys `earlier`.
pub fn chess(
    position: &chess::Position,
    earlier: &[u64],
    tables: &Tables,
    notation: Notation,
) -> Option<Known> {
    let tables = &tables.syzygy;
    let clock = usize::from(position.halfmove_clock());
    let recent = &earlier[earlier.len().saturating_sub(clock)..];
    let (mut ranked, by_distance) = tables.rank(position, recent)?;
    ranked.sort_by_key(|one| (-one.rank, one.distance));
    let value = match ranked.first() {
        // The moves played since the last capture or move of a pawn are counted in the moves' values.
        Some(best) => best.value,
        None => tables.wdl(position)?,
    };
    let mut text = Value::from(value).winner(position.side());
    match value {
        syzygy::Wdl::CursedWin | syzygy::Wdl::BlessedLoss => {
            text.push_str(" by the 50-move rule, without which the game would be decided");
        }
        syzygy::Wdl::Win | syzygy::Wdl::Loss if by_distance => {
            if let Some(plies) =
                tables.dtz(position).map(i32::unsigned_abs).filter(|_| !ranked.is_empty())
            {
                let plural = if plies == 1 { "" } else { "s" };
                text.push_str(&format!(
                    "; {plies} half-move{plural} to the next capture or pawn move (DTZ)"
                ));
            }
        }
        _ => {}
    }
    let moves = ranked.into_iter().map(|one| KnownMove {
        text: one.m.to_string(),
        shown: position.noted(one.m, notation),
        value: one.value.into(),
        distance: one.distance.map(i32::unsigned_abs),
    });
    Some(Known { text, moves: moves.collect() })
}

/// What bitbases know of a position of draughts.
pub fn draughts(
    position: &draughts::Position,
    tables: &Tables,
    notation: Notation,
) -> Option<Known> {
    let value = Value::from(tables.of_bitbases(position)?);
    let mut text = value.winner(position.side());
    if value != Value::Draw && position.few_pieces().is_some() {
        text.push_str(", if the limit of moves for few pieces leaves the time");
    }
    let mut moves: Vec<_> = position
        .legal_moves()
        .into_iter()
        .filter_map(|m| {
            let after = position.play(m);
            // Who has no piece left has lost.
            let value = tables.of_bitbases(&after).map(|wdl| wdl.opposite().into());
            let is_over = !after.has_moves();
            Some(KnownMove {
                text: m.to_string(),
                shown: position.noted(m, notation),
                value: value.or(is_over.then_some(Value::Win))?,
                distance: None,
            })
        })
        .collect();
    moves.sort_by_key(|one| std::cmp::Reverse(one.value));
    Some(Known { text, moves })
}
