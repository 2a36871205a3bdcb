//! Tests of the reader on the three-piece tables, and on damaged and misnamed files.

use super::*;
use crate::base::rng::Rng;
use crate::base::side::Side;
use crate::chess::{Kind, Piece, Position, Setup};
use std::collections::HashMap;
use std::path::Path;

/// Returns the folder of the three-piece tables. The chapter `endings` of the manual describes how
/// the tables were made.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("engine-tests/syzygy")
}

fn three_pieces() -> Tables {
    let (tables, unused) = Tables::open([folder()]);
    assert!(unused.is_empty(), "{unused:?}");
    assert_eq!((tables.count(), tables.largest()), ((5, 5), 3));
    tables
}

fn position(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Returns random positions with two kings and one other piece.
fn positions(seed: u64) -> impl Iterator<Item = Position> {
    let mut rng = Rng::new(seed);
    std::iter::repeat_with(move || {
        let mut setup = Setup { side: Side::ALL[rng.below(2)], ..Setup::empty() };
        let third = Piece::new(Side::ALL[rng.below(2)], Kind::ALL[rng.below(5)]);
        for piece in
            [Piece::new(Side::White, Kind::King), Piece::new(Side::Black, Kind::King), third]
        {
            setup.pieces[rng.below(64)] = Some(piece);
        }
        Position::try_from(setup).ok().filter(|p| p.board().occupied().len() == 3)
    })
    .flatten()
}

#[test]
fn values_follow_from_the_moves() {
    let tables = three_pieces();
    for position in positions(1).take(500) {
        let after = |wdl: Option<Wdl>| wdl.expect("a table").opposite();
        let best =
            position.legal_moves().iter().map(|&m| after(tables.wdl(&position.play(m)))).max();
        let lost = if position.in_check() { Wdl::Loss } else { Wdl::Draw };
        assert_eq!(tables.wdl(&position), Some(best.unwrap_or(lost)), "{}", position.fen());
    }
}

#[test]
fn distances_decrease_to_a_mate_or_a_pawn_move() {
    let tables = three_pieces();
    let mut won = 0;
    for position in positions(2).take(500) {
        let (wdl, dtz) = (tables.wdl(&position), tables.dtz(&position).expect("a table"));
        let sign = wdl.map(|wdl| wdl as i32 - 2).map(i32::signum);
        assert_eq!(Some(dtz.signum()), sign, "{}", position.fen());
        if dtz > 1 {
            // The winner has a move that reduces the distance by one or, in a table that counts
            // full moves, by two.
            let distances = position
                .legal_moves()
                .iter()
                .map(|&m| -tables.dtz(&position.play(m)).expect("a table"))
                .filter(|&dtz| dtz > 0)
                .min()
                .expect("a move that wins");
            assert!((dtz - 2..dtz).contains(&distances), "{} {dtz} {distances}", position.fen());
            won += 1;
        }
    }
    assert!(won > 60, "{won}");
}

#[test]
fn probes_textbook_positions() {
    let tables = three_pieces();
    let probe = |fen: &str| (tables.wdl(&position(fen)), tables.dtz(&position(fen)));
    assert_eq!(probe("3k4/8/3K4/4P3/8/8/8/8 w - - 0 1"), (Some(Wdl::Win), Some(1)));
    assert_eq!(probe("4k3/8/8/4K3/4P3/8/8/8 w - - 0 1"), (Some(Wdl::Win), Some(3)));
    assert_eq!(probe("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1"), (Some(Wdl::Draw), Some(0)));
    // Checkmate, stalemate, and bare kings.
    assert_eq!(probe("R3k3/8/4K3/8/8/8/8/8 b - - 0 1"), (Some(Wdl::Loss), Some(-1)));
    assert_eq!(probe("7k/8/6Q1/8/8/8/8/K7 b - - 0 1"), (Some(Wdl::Draw), Some(0)));
    assert_eq!(probe("7k/8/8/8/8/8/8/K7 w - - 0 1"), (Some(Wdl::Draw), Some(0)));
    // Not in the tables: a position with a castling right, and a position with four pieces.
    assert_eq!(probe("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), (None, None));
    assert_eq!(probe("4k3/8/8/8/8/8/3R4/4K2R w - - 0 1"), (None, None));
    assert_eq!(Tables::default().wdl(&Position::start()), None);
}

#[test]
fn wins_close_to_the_50_move_limit_rank_lower() {
    let tables = three_pieces();
    // The longest win with a rook takes 31 plies from here.
    let value_at = |clock: u32| {
        let position = position(&format!("8/8/8/8/8/2k5/8/K6R w - - {clock} 90"));
        let (ranked, by_distance) = tables.rank(&position, &[]).expect("tables");
        assert!(by_distance);
        let best = ranked.iter().max_by_key(|ranked| ranked.rank).copied().expect("a move");
        let equals = ranked.iter().filter(|ranked| ranked.rank == best.rank).count();
        (best.value, equals, tables.dtz(&position).expect("a table"))
    };
    let (value, equals, dtz) = value_at(0);
    assert_eq!(value, Wdl::Win);
    assert!(equals > 5 && dtz > 20, "{equals} {dtz}");
    let (value, pressed, _) = value_at(99 - dtz as u32);
    assert_eq!(value, Wdl::Win);
    assert!(pressed < equals, "{pressed}");
    assert_eq!((value_at(90).0, value_at(99).0), (Wdl::CursedWin, Wdl::Draw));
}

/// Returns the number of plies to mate, by position key, for all positions with White's king and
/// one white piece against Black's king. Positions without a forced mate are missing.
fn true_distances(kind: Kind) -> HashMap<u64, i32> {
    // `before` contains, for each position, its predecessors and whether White is to move in them.
    // `holding` contains, for each position with Black to move, the number of moves that are not
    // yet known to lose.
    let mut before = HashMap::<u64, Vec<(u64, bool)>>::new();
    let mut holding = HashMap::<u64, usize>::new();
    let (mut distances, mut last) = (HashMap::new(), Vec::new());
    for index in 0..2 * 64 * 64 * 64 {
        let square = |n: u32| index / 2 / 64_usize.pow(n) % 64;
        let mut setup = Setup { side: Side::ALL[index % 2], ..Setup::empty() };
        let pieces = [(Side::White, Kind::King), (Side::White, kind), (Side::Black, Kind::King)];
        for (n, (side, kind)) in (0..).zip(pieces) {
            setup.pieces[square(n)] = Some(Piece::new(side, kind));
        }
        let position = Position::try_from(setup).ok();
        let Some(position) = position.filter(|p| p.board().occupied().len() == 3) else { continue };
        let (key, moves) = (position.key(), position.legal_moves());
        let wins = position.side().is_white();
        if moves.is_empty() && position.in_check() {
            distances.insert(key, 0);
            last.push(key);
        }
        if !wins {
            holding.insert(key, moves.len());
        }
        for &m in &moves {
            before.entry(position.play_unchecked(m).key()).or_default().push((key, wins));
        }
    }
    for plies in 1.. {
        let mut next = Vec::new();
        for &(key, wins) in last.iter().filter_map(|key| before.get(key)).flatten() {
            let decided = wins
                || holding.get_mut(&key).is_some_and(|left| {
                    *left -= 1;
                    *left == 0
                });
            if decided && !distances.contains_key(&key) {
                distances.insert(key, plies);
                next.push(key);
            }
        }
        if next.is_empty() {
            return distances;
        }
        last = next;
    }
    unreachable!("a mate takes fewer plies")
}

// In tables that count full moves, a distance can be one ply too low.
#[test]
fn value_at_the_clock_follows_from_the_true_distance() {
    let tables = three_pieces();
    let mut late = 0;
    let distances = true_distances(Kind::Queen);
    let samples = positions(5).filter(|position| distances.contains_key(&position.key()));
    for position in samples.take(300) {
        let truth = distances[&position.key()];
        let dtz = tables.dtz(&position).expect("a table").abs();
        assert!((dtz..=dtz + 1).contains(&truth) || truth == 0, "{}", position.fen());
        for clock in [99 - dtz, 100 - dtz, 101 - dtz] {
            let fen = position.fen().replacen(" 0 ", &format!(" {clock} "), 1);
            let position: Position = fen.parse().expect("a position");
            let wins = position.side().is_white();
            let expected = match (wins, truth + clock <= 100 || truth == 0) {
                (true, true) => Wdl::Win,
                (true, false) => Wdl::CursedWin,
                (false, true) => Wdl::Loss,
                (false, false) => Wdl::BlessedLoss,
            };
            late += i32::from(expected == Wdl::CursedWin);
            let (value, distance) = tables.at_clock(&position).expect("a table");
            assert_eq!(value, expected, "{fen}");
            if truth > 0 && clock == 100 - dtz {
                assert_eq!(distance.map(i32::abs), Some(truth), "{fen}");
            }
            let (ranked, _) = tables.rank(&position, &[]).expect("tables");
            let best = ranked.iter().max_by_key(|ranked| ranked.rank);
            // A move that reaches the limit of the 50-move rule draws immediately.
            if let Some(best) = best.filter(|_| clock < 99) {
                assert_eq!(best.value, value, "{fen}");
            }
        }
    }
    assert!(late > 50, "{late}");
}

#[test]
fn wins_are_ranked_by_distance_after_a_repetition() {
    let tables = three_pieces();
    let position = position("8/8/8/8/8/2k5/8/K6R w - - 8 90");
    let equals = |history: &[u64]| {
        let (ranked, _) = tables.rank(&position, history).expect("tables");
        let best = ranked.iter().map(|ranked| ranked.rank).max();
        ranked.iter().filter(|ranked| Some(ranked.rank) == best).count()
    };
    assert!(equals(&[position.key(), 1, 2, 3]) < equals(&[1, 2, 3, 4]));
}

#[test]
fn damaged_files_are_reported_or_harmless() {
    let scratch = tempfile::tempdir().expect("a folder");
    let samples: Vec<_> = positions(3).take(8).collect();
    for name in ["KPvK.rtbw", "KPvK.rtbz", "KRvK.rtbw", "KRvK.rtbz"] {
        let whole = fs::read(folder().join(name)).expect("a table");
        let path = scratch.path().join(name);
        let open = |bytes: &[u8]| {
            fs::write(&path, bytes).expect("written");
            Tables::open([scratch.path()])
        };
        for len in (0..whole.len()).step_by(whole.len() / 97 + 1) {
            let (_, unused) = open(&whole[..len]);
            let words = unused.first().map(ToString::to_string).unwrap_or_default();
            assert!(words.contains(name) && words.contains("truncated"), "{len}: {words}");
        }
        let mut rng = Rng::new(4);
        for at in (0..400).chain((400..whole.len()).step_by(149)) {
            let mut damaged = whole.clone();
            let Some(byte) = damaged.get_mut(at) else { break };
            *byte ^= 1 << rng.below(8);
            // The file is rejected or gives wrong values, but probing it never panics.
            let (tables, _) = open(&damaged);
            for position in &samples {
                let _ = (tables.wdl(position), tables.dtz(position));
            }
        }
        fs::remove_file(&path).expect("it was there");
    }
}

#[test]
fn checksums_reveal_every_damaged_byte() {
    let verified = |folder: &Path| {
        let mut found = Vec::new();
        let report = |path: &Path, result: Result<(), TableError>| {
            let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default().to_owned();
            found.push((name, result.err().map(|error| error.to_string())));
        };
        verify(folder, report).expect("a folder");
        found
    };
    let found = verified(&folder());
    assert_eq!(found.len(), 10, "{found:?}");
    assert!(found.iter().all(|(_, error)| error.is_none()), "{found:?}");
    let scratch = tempfile::tempdir().expect("a folder");
    let whole = fs::read(folder().join("KRvK.rtbz")).expect("a table");
    fs::write(scratch.path().join("notes.txt"), "").expect("written");
    for at in (1000..whole.len()).step_by(97).chain([whole.len() - 1]) {
        let mut damaged = whole.clone();
        damaged[at] ^= 1;
        fs::write(scratch.path().join("KRvK.rtbz"), damaged).expect("written");
        let [(_, Some(error))] = &verified(scratch.path())[..] else { panic!("byte {at}") };
        assert_eq!(error, "the checksum is wrong: the file is damaged");
    }
    // A file with an extra byte is rejected too.
    fs::write(scratch.path().join("KRvK.rtbz"), [&whole[..], b"x"].concat()).expect("written");
    assert!(verified(scratch.path())[0].1.is_some());
}

#[test]
fn damaged_tables_are_not_used_after_a_check() {
    let (won, drawn) =
        (position("8/8/8/8/8/2k5/8/K6R w - - 0 1"), position("4k3/8/8/4K3/4P3/8/8/8 b - - 0 1"));
    let tables = three_pieces();
    assert_eq!(tables.check(|table| panic!("{table}")), 10);
    assert_eq!(tables.wdl(&won), Some(Wdl::Win));
    let scratch = tempfile::tempdir().expect("a folder");
    for name in ["KRvK.rtbw", "KRvK.rtbz", "KPvK.rtbw"] {
        let mut bytes = fs::read(folder().join(name)).expect("a table");
        if name == "KRvK.rtbw" {
            let last = bytes.len() - 100;
            bytes[last] ^= 1;
        }
        fs::write(scratch.path().join(name), bytes).expect("written");
    }
    let (tables, unused) = Tables::open([scratch.path()]);
    assert!(unused.is_empty(), "{unused:?}");
    // A file that has been probed before the check is not used afterwards either.
    assert_eq!(tables.wdl(&won), Some(Wdl::Win));
    let mut damaged = Vec::new();
    assert_eq!(tables.check(|table| damaged.push(table.to_string())), 3);
    let path = scratch.path().join("KRvK.rtbw");
    assert_eq!(
        damaged,
        [format!("{}: the checksum is wrong: the file is damaged", path.display())]
    );
    assert_eq!((tables.wdl(&won), tables.wdl(&drawn).is_some()), (None, true));
}

#[test]
fn misnamed_tables_are_reported_and_other_files_ignored() {
    let scratch = tempfile::tempdir().expect("a folder");
    let add = |from: &str, to: &str| {
        fs::copy(folder().join(from), scratch.path().join(to)).expect("copied");
    };
    add("KRvK.rtbw", "KQvK.rtbw");
    add("KRvK.rtbw", "KPvK.rtbw");
    add("KRvK.rtbw", "KRvK.rtbz");
    add("KRvK.rtbw", "notes.rtbw");
    add("KRvK.rtbw", "KRvK.txt");
    fs::create_dir(scratch.path().join("KBvK.rtbw")).expect("a folder");
    let none = scratch.path().join("none");
    let (tables, unused) = Tables::open([none.as_path(), scratch.path()]);
    let words: Vec<_> = unused.iter().map(ToString::to_string).collect();
    let ends = ["(os error 2)", "regular file", "its file name", "its file name", "a Syzygy table"];
    assert_eq!(words.len(), ends.len(), "{words:?}");
    for (words, end) in words.iter().zip(ends) {
        assert!(words.ends_with(end), "{words}");
    }
    assert_eq!((tables.count(), tables.largest()), ((0, 0), 0));
}

#[test]
fn tolerates_truncation_of_open_files() {
    let scratch = tempfile::tempdir().expect("a folder");
    for name in ["KPvK.rtbw", "KPvK.rtbz"] {
        fs::copy(folder().join(name), scratch.path().join(name)).expect("copied");
    }
    let (tables, unused) = Tables::open([scratch.path()]);
    assert!(unused.is_empty(), "{unused:?}");
    fs::write(scratch.path().join("KPvK.rtbw"), [0; 99]).expect("cut");
    assert_eq!(tables.wdl(&position("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1")), None);
}
