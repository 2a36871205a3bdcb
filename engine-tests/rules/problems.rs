//! Proves by brute force that the problems in `epd/draughts/problems.epd` have exactly one
//! solution, counting material only. Checks the form of the problems of the variants, which the
//! suites solve by search.

use crate::support::tree::epd as file;
use adoube::base::side::Side;
use adoube::draughts::epd::Epd;
use adoube::draughts::{Move, Position, Variant, notation};
use adoube::record::epd::lines;
use rayon::prelude::*;
use std::collections::HashSet;
use std::fs;

/// Returns White's material advantage in men. A king is worth three men.
fn balance(position: &Position) -> i32 {
    let board = position.board();
    let [white, black] = [Side::White, Side::Black]
        .map(|side| (board.pieces(side).len() + 2 * board.kings(side).len()) as i32);
    white - black
}

/// Returns whether White, to move, can force the advantage `goal` within `plies` plies.
fn attacks(position: &Position, goal: i32, plies: usize) -> bool {
    let succeeds = |&m: &Move| holds(&position.play(m), goal, plies - 1);
    plies > 0 && position.legal_moves().iter().any(succeeds)
}

/// Returns whether White, with Black to move, has reached `goal` or can force it within `plies`
/// plies. The goal is reached if Black has lost, or if White has this advantage and Black cannot
/// capture.
fn holds(position: &Position, goal: i32, plies: usize) -> bool {
    if !position.has_moves() || !position.can_capture() && balance(position) >= goal {
        return true;
    }
    let succeeds = |&m: &Move| attacks(&position.play(m), goal, plies - 1);
    plies > 0 && position.legal_moves().iter().all(succeeds)
}

#[test]
fn problems_have_one_solution() {
    /// The number of men gained by the solution.
    const GAIN: i32 = 2;
    /// The maximum number of plies to search after a first move that is not the solution. This
    /// limit keeps the test short.
    const MAX_TRIED_PLIES: usize = 9;
    let text = fs::read_to_string(file("draughts/problems.epd")).expect("the file is there");
    let records: Vec<_> = lines(&text).collect();
    assert!(records.len() >= 20);
    records.into_par_iter().for_each(|(line, text)| {
        let record: Epd = text.parse().unwrap_or_else(|e| panic!("line {line}: {e}"));
        let start = record.position;
        let words = |opcode| {
            let operation = record.operations.iter().find(|operation| operation.opcode == opcode);
            operation.unwrap_or_else(|| panic!("line {line}: {opcode}")).words().collect::<Vec<_>>()
        };
        let solution = words("pv");
        assert_eq!(words("bm"), solution[..1], "line {line}");
        let mut end = start;
        for (ply, text) in solution.iter().enumerate() {
            let m = notation::parse(&end, text).unwrap_or_else(|e| panic!("line {line}: {e}"));
            assert!(m.is_capture() || ply % 2 == 0, "line {line}: Black must capture");
            end = end.play(m);
        }
        let goal = balance(&start) + GAIN;
        assert!(balance(&end) >= goal && start.side() == Side::White, "line {line}");
        let key = notation::parse(&start, solution[0]).expect("it was played");
        assert!(!key.is_capture() && solution.len() >= 5, "line {line}: not a sacrifice");
        assert!(holds(&start.play(key), goal, solution.len() - 1), "line {line}: no solution");
        let plies = solution.len().min(MAX_TRIED_PLIES);
        for &m in start.legal_moves().iter().filter(|&&m| m != key) {
            assert!(
                !holds(&start.play(m), goal, plies - 1),
                "line {line}: {m} is a second solution"
            );
        }
    });
}

#[test]
fn problems_of_variants_are_complete() {
    for (variant, number) in [
        (Variant::Killer, 50),
        (Variant::Breakthrough, 50),
        (Variant::Frisian, 100),
        (Variant::Losing, 50),
    ] {
        let name = format!("draughts/problems-{variant}.epd");
        let text = fs::read_to_string(file(&name)).unwrap_or_else(|e| panic!("{name}: {e}"));
        let mut starts = HashSet::new();
        for (line, text) in lines(&text) {
            let record: Epd = text.parse().unwrap_or_else(|e| panic!("{name}, line {line}: {e}"));
            let position = record.position;
            assert_eq!(position.variant(), variant, "{name}, line {line}");
            assert!(starts.insert(position.key()), "{name}, line {line}: a repeated problem");
            assert!(position.legal_moves().len() > 1, "{name}, line {line}: a forced move");
            let solution = record.operations.iter().find(|operation| operation.opcode == "bm");
            let solution: Vec<_> = solution.into_iter().flat_map(|bm| bm.words()).collect();
            assert_eq!(solution.len(), 1, "{name}, line {line}");
            let m = notation::parse(&position, solution[0]);
            assert!(m.is_ok(), "{name}, line {line}: {m:?}");
        }
        assert_eq!(starts.len(), number, "{name}");
    }
}
