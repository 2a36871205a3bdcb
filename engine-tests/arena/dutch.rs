//! Swiss tournaments, written as files for other pairing programs.

use adoube::arena::tournament::schedule::{Form, Results, Schedule};
use adoube::base::rng::Rng;
use std::fmt::Write;
use std::{env, fs};

/// Plays a Swiss tournament of two-game matches with random results that favour the higher seed.
/// Returns a Tournament Report File (FIDE Handbook C.04, Annex 2, with the codes `XXR` and `XXC`
/// from JaVaFo's manual). The colours of a match are the colours of its first game.
fn report(players: usize, rounds: usize, rng: &mut Rng) -> String {
    let mut schedule = Schedule::new(Form::Swiss(rounds), players, 1);
    let mut results = Results::new();
    let boards = players / 2;
    let (mut points, mut lines) = (vec![0; players], vec![String::new(); players]);
    for round in 0..rounds {
        let mut absent = vec![true; players];
        for board in 0..boards {
            let number = 2 * (round * boards + board);
            let game = schedule.game(number).expect("paired");
            let edge = 40 * (game.black as isize - game.white as isize) / players as isize;
            let chance = rng.below(100) as isize + edge;
            let white = if chance < 35 { 0 } else { 1 + usize::from(chance >= 65) };
            results.insert(number, white);
            results.insert(number + 1, 1);
            for (player, opponent, colour, half_points) in
                [(game.white, game.black, 'w', white), (game.black, game.white, 'b', 2 - white)]
            {
                points[player] += half_points;
                absent[player] = false;
                let result = ['0', '=', '1'][half_points];
                write!(lines[player], "  {:>4} {colour} {result}", opponent + 1).expect("a string");
            }
        }
        for (player, _) in absent.iter().enumerate().filter(|&(_, &absent)| absent) {
            points[player] += 2;
            lines[player] += "  0000 - U";
        }
        schedule.extend(&results);
    }
    let mut report = format!("012 A tournament of {players}\nXXR {rounds}\nXXC white1\n");
    for (player, line) in lines.iter().enumerate() {
        let (number, rating) = (player + 1, 2800 - player);
        let (points, half) = (points[player] / 2, points[player] % 2 * 5);
        let name = format!("Player {number}");
        writeln!(
            report,
            "001 {number:>4}      {name:<33} {rating:>4} {:27}{points:>2}.{half} {number:>4}{line}",
            ""
        )
        .expect("a string");
    }
    report
}

/// Writes tournaments for other pairing programs to check; see `clients/caissify_dutch.py`.
#[test]
#[ignore = "needs ADOUBE_TRF, an output folder for a client"]
fn swiss_reports_for_others() {
    let folder = env::var("ADOUBE_TRF").expect("ADOUBE_TRF names a folder");
    fs::create_dir_all(&folder).expect("the folder can be made");
    let count: usize = env::var("ADOUBE_TRF_COUNT").map_or(60, |n| n.parse().expect("a number"));
    let mut rng = Rng::new(3);
    for n in 0..count {
        let players = 4 + rng.below(27);
        let rounds = 1 + rng.below(9.min(players * 2 / 3));
        let path = format!("{folder}/{n}.trf");
        fs::write(&path, report(players, rounds, &mut rng)).expect("the file can be written");
    }
}
