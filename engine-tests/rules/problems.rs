//! The problems of `epd/draughts/problems.epd` have their solution, and no other, by the rules alone:
//! every move is tried, and only material is counted.

use crate::support::tree::epd as file;
use adoube::base::side::Side;
use adoube::draughts::epd::Epd;
use adoube::draughts::{Move, Position, notation};
use adoube::record::epd::lines;
use rayon::prelude::*;
use std::fs;

/// What White has more than Black, in men; a king is worth three.
fn balance(position: &Position) -> i32 {
    let board = position.board();
    let [white, black] = [Side::White, Side::Black]
        .map(|side| (board.pieces(side).len() + 2 * board.kings(side).len()) as i32);
    white - black
}

/// Whether White, to move, gets to `goal` within so many plies, whatever Black does.
fn attacks(position: &Position, goal: i32, plies: usize) -> bool {
    let succeeds = |&m: &Move| holds(&position.play(m), goal, plies - 1);
    plies > 0 && position.legal_moves().iter().any(succeeds)
}

/// Whether White has got to `goal` with Black to move and nothing to take, or Black has lost; or
/// gets there within so many plies.
fn holds(position: &Position, goal: i32, plies: usize) -> bool {
    if !position.has_moves() || !position.can_capture() && balance(position) >= goal {
        return true;
    }
    let succeeds = |&m: &Move| attacks(&position.play(m), goal, plies - 1);
    plies > 0 && position.legal_moves().iter().all(succeeds)
}

#[test]
fn problems_have_one_solution() {
    /// Men that the solution gains.
    const GAIN: i32 = 2;
    /// Further than this the other moves take too long to try.
    const TRIED: usize = 9;
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
            assert!(m.is_capture() || ply % 2 == 0, "line {line}: Black has to take");
            end = end.play(m);
        }
        let goal = balance(&start) + GAIN;
        assert!(balance(&end) >= goal && start.side() == Side::White, "line {line}");
        let key = notation::parse(&start, solution[0]).expect("it was played");
        assert!(!key.is_capture() && solution.len() >= 5, "line {line}: a sacrifice to find");
        assert!(holds(&start.play(key), goal, solution.len() - 1), "line {line}: no solution");
        let plies = solution.len().min(TRIED);
        for &m in start.legal_moves().iter().filter(|&&m| m != key) {
            assert!(!holds(&start.play(m), goal, plies - 1), "line {line}: {m} does it too");
        }
    });
}
