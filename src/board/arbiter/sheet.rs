//! The score sheet of a log: the moves of both players in a chosen notation, clock times, draw
//! offers, claims, rulings and the result.
//!
//! Sources: article 8.1 and chapter 17 of the 2009 FIDE laws, chapters 8 and 9 of the FMJD rules.

use super::log::{Entry, Log};
use crate::base::side::Side;
use crate::board::game::BoardGame;
use crate::board::message::arbiter::{Cell, Row, ScoreSheet};
use crate::chess::notation::Notation;
use crate::chess::notation::algebraic::Style;
use crate::laws::event::word;
use crate::laws::language::{InFrench as _, Language};
use crate::laws::log::is_named;
use crate::laws::rule::Rule;
use crate::laws::ruling::Decision;
use crate::laws::time::Hms;
use crate::laws::{AnyReferee, Referee};
use std::time::Duration;

/// A move of the game, or an irregular move that was not corrected.
pub(super) struct Made<'a, G: BoardGame> {
    pub before: &'a G,
    pub m: Option<G::Move>,
    pub after: &'a G,
    pub left: Duration,
}

impl<G: BoardGame> Made<'_, G> {
    pub(super) fn text(&self, notation: Notation) -> String {
        self.m.map_or_else(|| "?".to_owned(), |m| self.before.notated(m, notation))
    }
}

pub(super) fn made_moves<G: BoardGame>(referee: &Referee<G>) -> impl Iterator<Item = Made<'_, G>> {
    let plies = referee.course().zip(referee.course().skip(1));
    plies.map(|((before, _), (after, clocks))| {
        let m = before.moves().into_iter().find(|&m| before.after(m) == *after);
        Made { before, m, after, left: clocks[before.side().index()] }
    })
}

pub(super) fn sheet<G: BoardGame>(
    log: &Log,
    referee: &Referee<G>,
    notation: Notation,
    language: Language,
) -> ScoreSheet {
    // Score sheets never use spoken notation.
    let notation = match notation {
        Notation::Spoken { .. } => Notation::Algebraic(Style::SAN),
        notation => notation,
    };
    let offers = offers(log);
    let mut rows: Vec<Row> = Vec::new();
    let first = referee.course().next().map_or_else(G::start, |(start, _)| start.clone());
    let mut number = first.first_number();
    for (index, made) in made_moves(referee).enumerate() {
        let side = made.before.side();
        let offered = if offers.contains(&(index + 1)) { " (=)" } else { "" };
        let text = made.text(notation) + offered;
        let pressed = index + 1 < referee.plies() || referee.presses() != Some(side);
        let time = (referee.has_clock() && pressed).then(|| whole_seconds(made.left));
        let open = rows
            .last()
            .is_some_and(|row| row.number == number && row.moves[side.index()].is_none());
        if !open {
            rows.push(Row { number, moves: [None, None] });
        }
        if let Some(row) = rows.last_mut() {
            row.moves[side.index()] = Some(Cell { text, time });
        }
        number += u32::from(side == Side::Black);
    }
    let named = log.heads.named().map(|(name, value)| (name, value.clone()));
    let mut heads: Vec<_> = named.into_iter().collect();
    // The header has two columns. The laws are the fourth entry, so that both players are in the
    // same row.
    let laws = language.of(log.edition.title(), log.edition.french_title());
    heads.insert(3, ("Laws", laws.to_owned()));
    ScoreSheet {
        heads,
        rows,
        result: referee.verdict().map_or("", |end| end.outcome.score()).to_owned(),
        remarks: remarks(log, &first, language),
    }
}

fn whole_seconds(time: Duration) -> String {
    Hms(Duration::from_secs(time.as_secs())).to_string()
}

/// Returns the ply numbers to mark with a draw offer: for each offer, the last ply of the player
/// who made it (article 17.13).
fn offers(log: &Log) -> Vec<usize> {
    let mut offers = Vec::new();
    for (entry, before) in log.entries().iter().zip(log.referees()) {
        let by = |side: &Side| entry.line == format!("{} offer", word(*side));
        let Some(side) = Side::ALL.into_iter().find(by) else { continue };
        let facts = before.facts();
        offers.extend(facts.plies.checked_sub(usize::from(facts.to_move == side)));
    }
    offers
}

/// Returns whether the rulings on an event belong on the sheet (article 12.4). Claims,
/// irregularities and results do; routine rulings on moves and touches do not.
fn is_remarkable(entry: &Entry) -> bool {
    let usual = |rule: Rule| matches!(rule, Rule::Completed | Rule::Offer);
    let is_obligation =
        |decision: &Decision| matches!(decision, Decision::Must(..) | Decision::Free(_));
    entry
        .rulings
        .iter()
        .filter(is_named)
        .any(|ruling| !usual(ruling.rule) && !is_obligation(&ruling.decision))
}

fn remarks<G: BoardGame>(log: &Log, first: &G, language: Language) -> Vec<String> {
    let move_number = |plies: usize| {
        let halves = plies + usize::from(first.side() == Side::Black);
        let number = first.first_number() as usize + halves.saturating_sub(1) / 2;
        let dots = if halves % 2 == 1 { "." } else { "..." };
        if plies == 0 { String::new() } else { format!("{number}{dots} ") }
    };
    let remark = |(entry, before): (&Entry, &AnyReferee)| {
        let rulings: Vec<String> = entry
            .rulings
            .iter()
            .filter(is_named)
            .map(|ruling| ruling.in_language(language))
            .collect();
        format!("{}{}: {}", move_number(before.facts().plies), entry.line, rulings.join("; "))
    };
    let entries = log.entries().iter().zip(log.referees());
    entries.filter(|(entry, _)| is_remarkable(entry)).map(remark).collect()
}
