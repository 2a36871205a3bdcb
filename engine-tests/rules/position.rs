//! Invariants of chess positions, tested on thousands of positions of random games from the
//! standard start, from Chess960 starts and from Kiwipete.

use adoube::base::rng::Rng;
use adoube::chess::fen::Style;
use adoube::chess::moves::MoveKind;
use adoube::chess::{Kind, Move, Position};
use std::collections::HashSet;

pub const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// Plays `games` random games of up to `plies` plies and calls `see` with every position.
///
/// One move in three is a capture or a promotion if possible, so that endgames and promotions
/// occur.
fn random_games(games: usize, plies: usize, seed: u64, mut see: impl FnMut(&Position)) {
    let mut rng = Rng::new(seed);
    for game in 0..games {
        let mut position = match game % 4 {
            0 => Position::start(),
            1 => KIWIPETE.parse().expect("a position"),
            _ => Position::chess960(rng.below(960) as u16).expect("below 960"),
        };
        for _ in 0..plies {
            see(&position);
            let mut moves = position.legal_moves();
            if rng.below(3) == 0 && !position.noisy_moves().is_empty() {
                moves = position.noisy_moves();
            }
            if moves.is_empty() {
                break;
            }
            position = position.play(moves[rng.below(moves.len())]);
        }
    }
}

#[test]
fn played_positions_equal_their_parsed_fen() {
    let mut seen = 0;
    // Equality covers the board, castling and en passant, masks, mailbox, all keys and counters.
    random_games(160, 240, 1, |position| {
        for style in [Style::XFen, Style::Shredder] {
            let fen = position.fen_in(style);
            let read: Position = fen.parse().unwrap_or_else(|e| panic!("{fen}: {e}"));
            assert_eq!(&read, position, "{fen}");
        }
        for square in adoube::chess::Square::ALL {
            assert_eq!(position.piece_on(square), position.board().piece_on(square), "{square}");
        }
        seen += 1;
    });
    assert!(seen > 20_000, "only {seen} positions");
}

#[test]
fn legality_of_all_16_bit_codes_matches_the_generator() {
    let mut nth = 0;
    random_games(40, 200, 2, |position| {
        nth += 1;
        if nth % 37 != 0 {
            return;
        }
        let legal: HashSet<Move> = position.legal_moves().iter().copied().collect();
        assert_eq!(legal.len(), position.legal_moves().len(), "duplicate move: {}", position.fen());
        for m in (1..=u16::MAX).filter_map(Move::from_bits) {
            assert_eq!(position.is_legal(m), legal.contains(&m), "{m:?} in {}", position.fen());
        }
    });
    assert!(nth / 37 > 100, "only {} positions", nth / 37);
}

#[test]
fn predicts_checks() {
    let (mut checks, mut castling, mut en_passant, mut promotion) = (0, 0, 0, 0);
    random_games(300, 200, 3, |position| {
        for &m in position.legal_moves().iter() {
            let check = position.play(m).in_check();
            assert_eq!(position.gives_check(m), check, "{m:?} in {}", position.fen());
            let by = match m.kind() {
                MoveKind::Normal => &mut checks,
                MoveKind::Castle => &mut castling,
                MoveKind::EnPassant => &mut en_passant,
                MoveKind::Promotion(_) => &mut promotion,
            };
            *by += u32::from(check);
        }
    });
    assert!(checks > 1000 && promotion > 100, "{checks} checks, {promotion} by promotion");
    assert!(castling > 0 && en_passant > 0, "{castling} by castling, {en_passant} en passant");
}

#[test]
fn noisy_and_quiet_moves_partition_the_legal_moves() {
    random_games(160, 240, 4, |position| {
        let fen = position.fen();
        let all: HashSet<Move> = position.legal_moves().iter().copied().collect();
        let noisy: HashSet<Move> = position.noisy_moves().iter().copied().collect();
        let quiet: HashSet<Move> = position.quiet_moves().iter().copied().collect();
        assert!(noisy.is_disjoint(&quiet), "{fen}");
        assert_eq!(noisy.union(&quiet).copied().collect::<HashSet<_>>(), all, "{fen}");
        assert_eq!(position.count_moves(), all.len() as u64, "{fen}");
        assert_eq!(position.has_moves(), !all.is_empty(), "{fen}");
        for m in all {
            assert_eq!(position.is_noisy(m), noisy.contains(&m), "{m:?} in {fen}");
            let (before, next) = (position.board(), position.play(m));
            for kind in Kind::ALL {
                let lost = before.pieces(!position.side(), kind).len()
                    - next.board().pieces(!position.side(), kind).len();
                let expected = u32::from(position.captured(m) == Some(kind));
                assert_eq!(lost, expected, "{m:?} takes {kind:?} in {fen}");
            }
        }
    });
}

#[test]
fn predicted_keys_match_after_normal_moves() {
    let mut same = 0;
    random_games(80, 200, 5, |position| {
        for &m in position.legal_moves().iter() {
            let next = position.play(m);
            let rights = position.board().castling == next.board().castling;
            let passed = position.board().en_passant | next.board().en_passant;
            if m.kind() == MoveKind::Normal && rights && passed.is_empty() {
                assert_eq!(position.key_after(m), next.key(), "{m:?} in {}", position.fen());
                same += 1;
            }
        }
    });
    assert!(same > 10_000);
}

#[test]
fn null_moves_change_only_the_side_to_move() {
    random_games(60, 200, 6, |position| {
        if position.in_check() {
            return;
        }
        let passed = position.pass();
        let read: Position = passed.fen().parse().expect("a null move leaves a position");
        assert_eq!(read.keys(), passed.keys(), "{}", position.fen());
        assert_eq!(read.masks(), passed.masks(), "{}", position.fen());
        assert_eq!(passed.side(), !position.side());
    });
}

#[test]
fn legal_moves_match_cozy_chess() {
    let mut seen = 0;
    random_games(80, 200, 7, |position| {
        // Omit the counters, because cozy-chess rejects halfmove clocks above 100.
        let fen = format!("{} 0 1", position.epd_in(Style::Shredder));
        let board = cozy_chess::Board::from_fen(&fen, true)
            .unwrap_or_else(|e| panic!("{fen}: refused by cozy-chess: {e}"));
        let mut theirs: Vec<String> = Vec::new();
        board.generate_moves(|moves| {
            theirs.extend(moves.into_iter().map(|m| m.to_string()));
            false
        });
        let mut ours: Vec<String> =
            position.legal_moves().iter().map(|&m| position.uci(m, true)).collect();
        theirs.sort();
        ours.sort();
        assert_eq!(ours, theirs, "{fen}");
        seen += 1;
    });
    assert!(seen > 8_000, "only {seen} positions");
}

#[test]
fn insufficient_material_is_detected_and_scored_as_a_draw() {
    use adoube::search::chess::{ChessEngine, Root};
    use adoube::search::driver::Options;
    use adoube::search::limits::Limits;
    use adoube::search::stop::StopHandle;

    for (fen, expected) in [
        ("7k/8/6K1/8/8/8/8/8 b - - 0 1", true),
        ("7k/8/6K1/8/8/8/8/N7 w - - 0 1", true),
        ("7k/b7/6K1/8/8/8/8/B1B5 b - - 0 1", true),
        ("7k/8/6K1/8/8/8/8/NN6 b - - 0 1", false),
        ("7k/n7/6K1/8/8/8/8/N7 w - - 0 1", false),
        ("7k/1b6/6K1/8/8/8/8/B7 b - - 0 1", false),
        ("7k/6p1/6K1/8/8/8/8/8 b - - 0 1", false),
    ] {
        let position: Position = fen.parse().expect(fen);
        assert_eq!(position.is_insufficient_material(), expected, "{fen}");
    }
    // Two bishops against one, all on squares of the same colour: a material advantage, but a draw.
    let root = Root::new("7k/b7/6K1/8/8/8/8/B1B5 b - - 0 1".parse().expect("a position"));
    let mut engine = ChessEngine::new(Options::default()).expect("an engine");
    let outcome = engine.search(&root, &Limits::depth(8), &StopHandle::new(), None);
    let score = outcome.info.expect("a line").score.centipawns();
    assert!(score.abs() <= 1, "{score}");
}
