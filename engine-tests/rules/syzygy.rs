//! Chess endgames with Syzygy tables: won against the best defence, and probed with `adoube
//! syzygy`.

use crate::support::program::run;
use crate::support::tree::root;
use adoube::base::rng::Rng;
use adoube::chess::{Piece, Position, Setup};
use adoube::endings::syzygy::{Tables, Wdl};
use adoube::search::chess::{ChessEngine, Probing, Root};
use adoube::search::driver::Options;
use adoube::search::limits::Limits;
use adoube::search::stop::StopHandle;
use std::sync::Arc;

/// Returns a random position with these pieces that White, to move, wins within the 50-move rule.
fn won_position(pieces: &str, tables: &Tables, rng: &mut Rng) -> Position {
    loop {
        let mut setup = Setup::empty();
        for letter in pieces.chars() {
            setup.pieces[rng.below(64)] = Piece::from_letter(letter);
        }
        let position = Position::try_from(setup).ok();
        if let Some(position) =
            position.filter(|p| p.board().occupied().len() as usize == pieces.len())
            && tables.wdl(&position) == Some(Wdl::Win)
        {
            return position;
        }
    }
}

/// Plays White with searches of 500 nodes against a defence that maximizes DTZ. Returns the number
/// of plies to mate.
fn win(tables: &Arc<Tables>, start: &Position) -> usize {
    let mut engine =
        ChessEngine::new(Options { hash_mb: 1, ..Options::default() }).expect("memory");
    let probing = Probing { tables: Arc::clone(tables), ..Probing::default() };
    let mut root = Root::new(start.clone());
    root.resources.probing = probing;
    for plies in 0.. {
        let position = root.position.clone();
        if position.is_checkmate() {
            assert!(!position.side().is_white(), "{}: White is mated", start.fen());
            return plies;
        }
        assert!(position.halfmove_clock() < 100, "{}: fifty moves", start.fen());
        let m = if position.side().is_white() {
            let outcome = engine.search(&root, &Limits::nodes(500), &StopHandle::new(), None);
            let info = outcome.info.expect("a line");
            assert!(info.score.is_win() && info.tbhits > 0, "{}: {info:?}", position.fen());
            outcome.best
        } else {
            let distance = |next: &Position| tables.dtz(next).expect("a table");
            let moves = position.legal_moves();
            moves.iter().copied().max_by_key(|&m| distance(&position.play(m)))
        };
        let m = m.unwrap_or_else(|| panic!("{}: no move", position.fen()));
        root.history.push(position.key());
        root.position = position.play(m);
        if root.position.halfmove_clock() == 0 {
            root.history.clear();
        }
    }
    unreachable!("it returns at mate")
}

fn win_all(tables: Tables, endings: &[&str], positions: usize) {
    let (tables, mut rng) = (Arc::new(tables), Rng::new(7));
    for pieces in endings {
        let lengths =
            (0..positions).map(|_| win(&tables, &won_position(pieces, &tables, &mut rng)));
        let longest = lengths.max().unwrap_or(0);
        eprintln!("{pieces}: won in {longest} half-moves or fewer");
    }
}

fn three_pieces() -> Tables {
    Tables::open([root().join("engine-tests/syzygy")]).0
}

#[test]
fn wins_three_piece_endgames_against_the_best_defence() {
    win_all(three_pieces(), &["KQk", "KRk", "KPk"], 4);
}

#[test]
#[ignore = "needs ADOUBE_SYZYGY, a folder of all tables of three and four pieces"]
fn with_syzygy_wins_hard_endgames_against_the_best_defence() {
    let folders = std::env::var_os("ADOUBE_SYZYGY").expect("ADOUBE_SYZYGY names a folder");
    let (tables, unused) = Tables::open(std::env::split_paths(&folders));
    assert!(unused.is_empty(), "{unused:?}");
    win_all(tables, &["KBNk", "KQkr", "KQkp", "KPkp"], 100);
}

#[test]
fn syzygy_command_prints_the_probed_values() {
    let folder = root().join("engine-tests/syzygy");
    let folder = folder.to_str().expect("a path");
    let fen = "3k4/8/3K4/4P3/8/8/8/8 w - - 0 1";
    let (code, out, _) = run(&["syzygy", "--tb", folder, fen], "");
    let lines: Vec<_> = out.lines().collect();
    assert_eq!(code, Some(0));
    assert_eq!(lines[0], "win 1", "{lines:?}");
    assert!(lines[1] == "e6 win 1" && lines.contains(&"Kd5 draw 0"), "{lines:?}");
    let (code, out, _) = run(&["syzygy", "--tb", folder], &format!("{fen}\n{fen}\n"));
    assert_eq!((code, out), (Some(0), format!("win 1 {fen}\n").repeat(2)));
    let (code, out, errors) = run(&["syzygy", "--tb", folder], &format!("{fen}\n9/8 w\n{fen}\n"));
    assert_eq!((code, out), (Some(1), format!("win 1 {fen}\n").repeat(2)));
    assert!(errors.starts_with("line 2: ") && errors.contains("in '9/8 w'"), "{errors}");
    let positions = tempfile::tempdir().expect("a folder");
    let file = positions.path().join("positions.txt");
    std::fs::write(&file, format!("{fen}\n")).expect("written");
    let file = file.to_str().expect("plain");
    let (code, out, _) = run(&["syzygy", "--tb", folder, "--file", file], "");
    assert_eq!((code, out), (Some(0), format!("win 1 {fen}\n")));
    let (code, _, errors) = run(&["syzygy", "--tb", "no such folder", fen], "");
    assert_eq!(code, Some(1));
    assert!(errors.contains("there is no Syzygy table in no such folder"), "{errors}");
}
