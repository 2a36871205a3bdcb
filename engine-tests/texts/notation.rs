//! The notations of the laws: the printed examples, and all legal moves of many positions, written
//! and read in every language and style. A text must be rejected as ambiguous if and only if it
//! matches several moves.

use crate::support::chess_samples as samples;
use adoube::chess::moves::MoveError;
use adoube::chess::notation::Notation;
use adoube::chess::notation::algebraic::{Signs, Style};
use adoube::chess::notation::language::LANGUAGES;
use adoube::chess::{Kind, Move, Position};
use adoube::record::sheet::remarks::Quality;
use proptest::prelude::*;

fn position(fen: &str) -> Position {
    fen.parse().expect(fen)
}

fn notation(name: &str) -> Notation {
    name.parse().unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// The name of a notation, a position, a UCI move, the move in the notation, and other accepted
/// texts for the move.
type Example = (&'static str, &'static str, &'static str, &'static str, &'static [&'static str]);

fn check(examples: &[Example]) {
    for &(name, fen, uci, written, read) in examples {
        let (position, notation) = (position(fen), notation(name));
        let m = position.parse_uci(uci).expect(uci);
        assert_eq!(notation.write(&position, m), written, "{name}: {uci}");
        for text in read.iter().chain([&written]) {
            let noted = notation.read(&position, text);
            assert_eq!(noted.map(|noted| noted.m), Ok(m), "{name}: {text}");
            assert!(notation.is_move(text), "{name}: {text}");
        }
    }
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn w_01_printed_examples_of_the_algebraic_system() {
    // The examples in Par. 5 (1928) and Art. 5 (1930): moves of the bishop on c1 and of the pawn on
    // e7.
    let bishop = "rnbqkbnr/pppppppp/8/8/8/3P4/PPP1PPPP/RNBQKBNR w KQkq - 0 1";
    let pawn = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1";
    check(&[
        ("fr:1928:long", bishop, "c1f4", "Fc1—f4", &["Fc1-f4", "Fc1 — f4", "F c1 – f4"]),
        ("fr:1928", bishop, "c1f4", "Ff4", &["Fc1—f4"]),
        ("fr:1930:long", pawn, "e7e5", "e7—e5", &["e7 — e5", "Pe7-e5"]),
        ("fr:1930", pawn, "e7e5", "e5", &["Pe5"]),
        // Articles 17.2 to 17.4 (2009), and the piece letters of some other languages.
        ("en", bishop, "c1f4", "Bf4", &["Bc1f4", "♗f4", "♝f4"]),
        ("nl", bishop, "c1f4", "Lf4", &["Lc1-f4"]),
        ("nl", pawn, "e7e5", "e5", &["Oe5", "Oe7-e5"]),
        ("ru", START, "g1f3", "Кf3", &["Кg1-f3", "кf3"]),
        ("pl:long", START, "g1f3", "Sg1-f3", &["Sf3"]),
        ("figurine", START, "g1f3", "♘f3", &["♞f3", "♞\u{fe0e}f3", "♘g1–f3"]),
        ("ru", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "e1e2", "Крe2", &["Крe1-e2", "крe2"]),
    ]);
}

#[test]
fn w_02_printed_examples_of_2009() {
    let apart = [
        // Article 17.10: three pairs of knights that can go to the same square, first without and
        // then with a capture.
        ("4k3/8/8/8/8/8/8/K3N1N1 w - - 0 1", ["Cef3", "Cgf3"]),
        ("4k3/8/8/6N1/8/8/8/K5N1 w - - 0 1", ["C1f3", "C5f3"]),
        ("4k3/8/8/8/3N4/8/7N/K7 w - - 0 1", ["Chf3", "Cdf3"]),
        ("4k3/8/8/8/8/5p2/8/K3N1N1 w - - 0 1", ["Cexf3", "Cgxf3"]),
        ("4k3/8/8/6N1/8/5p2/8/K5N1 w - - 0 1", ["C1xf3", "C5xf3"]),
        ("4k3/8/8/8/3N4/5p2/7N/K7 w - - 0 1", ["Chxf3", "Cdxf3"]),
        // Article 17.11: two pawns that can capture on d5.
        ("4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1", ["cxd5", "exd5"]),
    ];
    for (fen, texts) in apart {
        let (position, notation) = (position(fen), notation("fr"));
        for text in texts {
            let m = notation.read(&position, text).unwrap_or_else(|e| panic!("{text}: {e}")).m;
            assert_eq!(notation.write(&position, m), text);
        }
        let bare = if texts[0].contains("d5") { "d5" } else { "Cf3" };
        let Err(MoveError::Ambiguous { mut candidates, .. }) = notation.read(&position, bare)
        else {
            panic!("{bare} in {fen} is not ambiguous")
        };
        let mut texts = texts;
        candidates.sort_unstable();
        texts.sort_unstable();
        assert_eq!(candidates, texts, "{fen}");
    }
    check(&[
        ("fr", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6 e.p.", &["ed6", "exd6ep", "d6"]),
        ("fr", "3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8q", "exd8D+", &["ed=D", "ed(D)"]),
        // Article 17.12: d8D, f8C, b1F and g1T.
        (
            "fr",
            "7k/3P4/8/8/8/8/8/K7 w - - 0 1",
            "d7d8q",
            "d8D+",
            &["d8=D", "d8(D)", "d8=d", "d8/D"],
        ),
        ("fr", "8/5P1k/8/8/8/8/8/K7 w - - 0 1", "f7f8n", "f8C+", &["f8C"]),
        ("fr", "8/7k/8/8/8/8/1p6/4K3 b - - 0 1", "b2b1b", "b1F", &["b1=F"]),
        ("fr", "8/7k/8/8/8/K7/6p1/8 b - - 0 1", "g2g1r", "g1T", &["g1(T)"]),
        ("fr", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "0-0", &["O-O", "0 — 0", "Re1g1"]),
        ("fr", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", "0-0-0", &["O-O-O", "0—0—0"]),
        // Article 17.13: the marks for captures and mate are optional.
        (
            "fr",
            "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2",
            "d8h4",
            "Dh4#",
            &["Dh4", "Dh4++", "Dh4 mat", "Dh4≠", "Dh4‡", "Dh4+"],
        ),
    ]);
}

#[test]
fn w_03_marks_of_1928_and_1930() {
    let rank = "4k3/8/8/6N1/8/8/8/K5N1 w - - 0 1";
    let file = "4k3/8/8/8/8/8/3N4/K5N1 w - - 0 1";
    let takes = "4k3/8/8/8/8/5p2/8/K5N1 w - - 0 1";
    check(&[
        ("fr:1928", file, "g1f3", "Cgf3", &["C gf3", "Cg1—f3"]),
        ("fr:1928", rank, "g1f3", "C1f3", &["C 1f3"]),
        ("fr:1930", file, "g1f3", "Cg—f3", &["Cg — f3", "Cgf3"]),
        ("fr:1930", rank, "g1f3", "C1—f3", &["C1f3"]),
        ("fr:1930:long", file, "g1f3", "Cg1—f3", &[]),
        ("fr:1930", takes, "g1f3", "Cf3:", &["C:f3", "Cxf3", "C×f3", "Cf3", "Cf3 :"]),
        ("fr:1930", "3qk3/8/8/8/8/8/8/K2R4 w - - 0 1", "d1d8", "Td8:+", &["T:d8+", "Td8: †"]),
        ("fr:1930", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "0—0", &["0 — 0", "0-0"]),
        ("fr:1928", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1c1", "0-0-0", &[]),
        ("fr:1928", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ta8≠", &["Ta8 mat"]),
    ]);
}

#[test]
fn w_02_the_sample_game_of_17_is_replayed_to_its_last_move() {
    let game = "1. e4 e5 2. Cf3 Cf6 3. d4 exd4 4. e5 Ce4 5. Dxd4 d5 6. exd6 e.p. Cxd6 7. Fg5 Cc6 \
                8. De3+ Fe7 9. Cbd2 0-0 10. 0-0-0 Te8 11. Rb1(=)";
    let mut words =
        game.split_whitespace().filter(|word| !word.ends_with('.') || *word == "e.p.").peekable();
    let (mut position, french) = (Position::start(), notation("fr"));
    let (mut moves, mut offers) = (Vec::new(), Vec::new());
    while let Some(word) = words.next() {
        let en_passant = words.next_if_eq(&"e.p.").map_or(String::new(), |ep| format!(" {ep}"));
        let text = format!("{word}{en_passant}");
        let noted = french.read(&position, &text).unwrap_or_else(|e| panic!("{text}: {e}"));
        let written =
            french.write(&position, noted.m) + if noted.remarks.draw_offer { "(=)" } else { "" };
        assert_eq!(written, text);
        moves.push(position.san(noted.m));
        offers.push(noted.remarks.draw_offer);
        position = position.play(noted.m);
    }
    assert_eq!(moves.len(), 21);
    assert_eq!(moves[10..12], ["exd6", "Nxd6"]);
    assert_eq!(moves[20], "Kb1");
    assert_eq!(offers.iter().position(|offer| *offer), Some(20));
    assert_eq!(
        position.epd_in(adoube::chess::fen::Style::XFen),
        "r1bqr1k1/ppp1bppp/2nn4/6B1/8/4QN2/PPPN1PPP/1K1R1B1R b - -"
    );
}

#[test]
fn w_04_printed_examples_of_the_descriptive_system() {
    // D 4 FR: the queen moves to the fourth square of the king's bishop's file. Black counts the
    // squares of a file from the other end.
    let queen = "4k3/8/8/8/8/8/8/K2Q4 w - - 0 1";
    let white = "4k3/8/8/8/3Q4/8/8/K7 w - - 0 1";
    let black = "k2q4/8/8/8/8/8/8/4K3 b - - 0 1";
    let rooks = "4k3/8/8/8/6R1/8/8/K5R1 w - - 0 1";
    let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    check(&[
        ("descriptive:fr", white, "d4f4", "D 4 FR", &["D. 4 F R", "D 4FR", "D4FR", "D. 4e FR"]),
        ("descriptive:fr", black, "d8d5", "D 4 D", &["D 4 D"]),
        ("descriptive:fr", queen, "d1f3", "D 3 FR", &[]),
        // T 4 CR — 2 CR: the rook on the fourth square, not the other rook.
        ("descriptive:fr", rooks, "g4g2", "T 4 CR — 2 CR", &["T. 4 C R — 2 C R", "T 4 CR-2 CR"]),
        ("descriptive:fr", castling, "e1g1", "Roq TR", &["Roq. T. R.", "0-0", "Roque TR"]),
        ("descriptive:fr", castling, "e1c1", "Roq TD", &["Roq T D", "0-0-0"]),
        (
            "descriptive:fr",
            "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1",
            "a1a8",
            "T 8 TD mat",
            &["T 8 TD", "TD 8 TD Mat"],
        ),
        (
            "descriptive:fr",
            "3qk3/8/8/8/8/8/8/K2R4 w - - 0 1",
            "d1d8",
            "T pr. D éch.",
            &["T Pr. D", "T : D", "T prend D", "T pr. 8 D", "T pr. D 8 D", "T 1 D pr. D +"],
        ),
        (
            "descriptive:fr",
            "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
            "e5d6",
            "P pr. P e.p.",
            &["PR pr. PD e. p."],
        ),
        (
            "descriptive:fr",
            "8/3P3k/8/8/8/8/8/K7 w - - 0 1",
            "d7d8q",
            "P 8 D = D",
            &["PD 8 D (D)", "P8D=D"],
        ),
        ("descriptive:fr", START, "g1f3", "C 3 FR", &["CR 3 FR", "C. 3. F. R."]),
        ("descriptive:en", START, "g1f3", "N-KB3", &["Kt-KB3", "KN-KB3", "KKt-B3", "KN-B3"]),
        ("descriptive:en", START, "e2e4", "P-K4", &["KP-K4", "P to K4"]),
        ("descriptive:en", castling, "e1g1", "O-O", &["0-0", "Castles KR", "Castles K"]),
        ("descriptive:en", rooks, "g4g2", "R(KN4)-KN2", &["R/4-KN2", "R(4)-N2"]),
        (
            "descriptive:en",
            "3qk3/8/8/8/8/8/8/K2R4 w - - 0 1",
            "d1d8",
            "RxQ ch",
            &["R x Q", "RxQ8", "RxQ(Q8)ch"],
        ),
        (
            "descriptive:en",
            "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
            "e5d6",
            "PxP e.p.",
            &["KPxP", "KPxQP e.p."],
        ),
        ("descriptive:en", "8/3P3k/8/8/8/8/8/K7 w - - 0 1", "d7d8q", "P-Q8=Q", &["P-Q8(Q)"]),
        // Two knights can each capture a pawn. The shortest text that matches one capture is
        // written.
        (
            "descriptive:en",
            "4k3/8/8/3p3p/5N2/8/8/K7 w - - 0 1",
            "f4d5",
            "NxP(Q5)",
            &["NxQP", "NxP/Q5"],
        ),
        (
            "descriptive:en",
            "4k3/8/8/3p4/5N2/2N5/8/K7 w - - 0 1",
            "c3d5",
            "N(QB3)xP(Q5)",
            &["N(QB3)xP", "N/3xP"],
        ),
    ]);
    // Bishops are distinguished as king's or queen's by the colour of their squares.
    let french = notation("descriptive:fr");
    let bishops = position("4k3/8/8/8/4P3/8/3P4/2B1KB2 w - - 0 1");
    let m = french.read(&bishops, "FR 4 FD").expect("the king's bishop").m;
    assert_eq!(bishops.san(m), "Bc4");
    assert!(french.read(&bishops, "FD 4 FD").is_err());
}

#[test]
fn w_06_moves_are_announced() {
    let ep = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
    let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    check(&[
        (
            "spoken",
            START,
            "g1f3",
            "Springer Gustav eins Felix drei",
            &[
                "springer GUSTAV eins, felix drei",
                "Gustav eins - Felix drei",
                "Springer Felix drei",
            ],
        ),
        ("spoken", START, "e2e4", "Bauer Eva zwei Eva vier", &["Eva vier", "Bauer Eva vier"]),
        ("spoken:short", START, "e2e4", "Bauer Eva vier", &[]),
        (
            "spoken",
            ep,
            "e5d6",
            "Bauer Eva fuenf David sechs",
            &["Bauer Eva fünf David sechs", "Eva David sechs"],
        ),
        ("spoken", castling, "e1g1", "Kurze Rochade", &["kurze  rochade"]),
        ("spoken", castling, "e1c1", "Lange Rochade", &["LANGE ROCHADE"]),
        (
            "spoken",
            castling,
            "e1e2",
            "Koenig Eva eins Eva zwei",
            &["König Eva zwei", "konig eva zwei"],
        ),
        // The announcement includes the promotion.
        (
            "spoken",
            "2r4k/3P4/8/8/8/8/8/K7 w - - 0 1",
            "d7c8q",
            "Bauer David sieben César acht Dame",
            &["Bauer Caesar acht Dame", "Bauer Cäsar acht Dame", "David Cesar acht Dame"],
        ),
        (
            "spoken:short",
            "7k/8/8/6N1/8/8/8/K5N1 w - - 0 1",
            "g1f3",
            "Springer eins Felix drei",
            &[],
        ),
        (
            "spoken",
            "7k/8/8/8/2B5/8/8/K7 w - - 0 1",
            "c4a6",
            "Laufer César vier Anna sechs",
            &["Läufer Anna sechs", "Laeufer Cesar vier Anna sechs"],
        ),
    ]);
    let start = Position::start();
    for (text, part) in [
        ("", "column 1: expected a piece"),
        ("Springer Otto drei", "column 10: expected a name of 19.2"),
        ("Springer Felix", "expected a piece, one or two squares"),
        ("Eva acht Koenig", "expected the promotion piece"),
        ("Dame Hector vier", "is not legal"),
    ] {
        let error = notation("spoken").read(&start, text).expect_err(text).to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
}

/// Returns the number of moves to the same square by pieces of the same kind, including `m`.
fn rivals(position: &Position, m: Move) -> usize {
    let kind = position.kind_on(m.from());
    let of_kind = |o: &&Move| {
        o.to() == m.to()
            && !o.is_castle()
            && position.kind_on(o.from()) == kind
            && o.promoted() == m.promoted()
    };
    position.legal_moves().iter().filter(of_kind).count()
}

/// Returns every style of algebraic notation, and the other notations.
fn all() -> Vec<Notation> {
    let mut all = Vec::new();
    for language in &LANGUAGES {
        for signs in Signs::ALL {
            for long in [false, true] {
                all.push(Notation::Algebraic(Style { language, signs, long }));
            }
        }
    }
    let others = ["descriptive:fr", "descriptive:en", "spoken", "spoken:short"];
    all.extend(others.map(notation));
    all
}

#[test]
fn w_01_to_w_06_every_move_round_trips() {
    let all = all();
    let positions = samples::random(60, 200, 11).into_iter().chain(samples::crowded(1500, 12));
    let (mut texts, mut seen) = (0_usize, 0_usize);
    for (i, position) in positions.enumerate() {
        let moves = position.legal_moves();
        seen += 1;
        // Test each position with the next algebraic notation in turn, and with all descriptive and
        // spoken notations.
        let some =
            [all[i % (all.len() - 4)]].into_iter().chain(all[all.len() - 4..].iter().copied());
        for notation in some {
            for &m in moves.iter() {
                let text = notation.write(&position, m);
                let read = notation.read(&position, &text).map(|noted| noted.m);
                assert_eq!(read, Ok(m), "{notation}: '{text}' in {}", position.fen());
                texts += 1;
            }
        }
    }
    assert!(seen > 5000 && texts > 500_000, "{seen} positions, {texts} texts");
}

#[test]
fn w_01_to_w_06_rejects_exactly_the_ambiguous_texts() {
    let mut ambiguous = [0; 3];
    for position in samples::crowded(800, 13) {
        for &m in position.legal_moves().iter().filter(|m| !m.is_castle()) {
            let kind = position.kind_on(m.from()).expect("a piece");
            if kind == Kind::Pawn {
                continue;
            }
            let count = rivals(&position, m);
            let side = position.side();
            let to = m.to();
            let french = LANGUAGES[1].piece(kind);
            // The destination square in descriptive notation.
            let files = ["TD", "CD", "FD", "D", "R", "FR", "CR", "TR"];
            let rank = to.rank().relative_to(side).digit();
            let described = format!("{french} {rank} {}", files[to.file().index()]);
            let spoken = notation("spoken:short").write(&position, m);
            let words: Vec<_> = spoken.split(' ').collect();
            let spoken = format!("{} {}", words[0], words[words.len() - 2..].join(" "));
            for (i, (name, text)) in
                [("fr", format!("{french}{to}")), ("descriptive:fr", described), ("spoken", spoken)]
                    .into_iter()
                    .enumerate()
            {
                match notation(name).read(&position, &text) {
                    Ok(noted) => {
                        assert_eq!((noted.m, count), (m, 1), "{text} in {}", position.fen())
                    }
                    Err(MoveError::Ambiguous { candidates, .. }) => {
                        assert_eq!(candidates.len(), count, "{text} in {}", position.fen());
                        assert!(count > 1);
                        ambiguous[i] += 1;
                    }
                    Err(other) => panic!("{text}: {other}"),
                }
            }
        }
    }
    assert!(ambiguous.iter().all(|&n| n > 1000), "{ambiguous:?}");
}

#[test]
fn names_of_notations_round_trip() {
    for notation in all() {
        let name = notation.to_string();
        assert_eq!(name.parse(), Ok(notation), "{name}");
    }
    for (name, same) in [("san", "en:pgn"), ("fr:short:2009", "fr")] {
        assert_eq!(notation(name), notation(same));
        assert_eq!(notation(name).to_string(), same);
    }
    assert_eq!(notation("descriptive").to_string(), "descriptive:en");
    for (name, part) in [
        ("klingon", "'klingon' is not a known language (use one of en, fr, de,"),
        ("", "'' is not a known language"),
        ("fr:1066", "'1066' is not an option of the notation 'fr'"),
        ("spoken:1930", "'1930' is not an option"),
        ("descriptive:de", "'de' is not an option"),
    ] {
        let error = name.parse::<Notation>().expect_err(name).to_string();
        assert!(error.contains(part), "{name}: {error}");
    }
}

#[test]
fn w_08_reads_glyphs_and_draw_offers_after_the_move() {
    let start = Position::start();
    for name in ["fr", "descriptive:fr", "spoken", "fr:1930:long"] {
        let notation = notation(name);
        let m = start.parse_uci("e2e4").expect("legal");
        let text = format!("{} !? (=)", notation.write(&start, m));
        let noted = notation.read(&start, &text).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!((noted.m, noted.remarks.quality), (m, Some(Quality::Speculative)), "{text}");
        assert!(noted.remarks.draw_offer);
    }
}

#[test]
fn rejects_wrong_texts_with_their_column() {
    let start = Position::start();
    for (name, text, part) in [
        ("fr", "", "column 1: expected a piece or a square"),
        ("fr", "Nf3", "column 1"),
        ("fr", "Cf9", "column 3: expected the destination square"),
        ("fr", "Cf3 Cf6", "column 5: the move should end here"),
        ("fr", "e4=Z", "column 4: expected the promotion piece"),
        ("fr", "Dh5", "is not legal in rnbqkbnr"),
        ("descriptive:fr", "4 R", "column 1: expected a piece"),
        ("descriptive:fr", "P", "column 2: expected the destination square"),
        ("descriptive:fr", "P 9 R", "column 3: expected the destination square"),
        ("descriptive:fr", "P pr.", "expected the captured piece"),
        ("descriptive:fr", "Roq F", "expected the wing of castling"),
        ("descriptive:fr", "P 4 R P 4 R", "column 3: expected the destination square"),
        ("descriptive:fr", "P 8 R =", "expected the promotion piece"),
        ("descriptive:fr", "D 4 FR", "is not legal in rnbqkbnr"),
        ("descriptive:en", "N-KB9", "column 3: expected the destination square"),
        ("descriptive:en", "N-B3", "ambiguous"),
    ] {
        let error = notation(name).read(&start, text);
        // B3 is on the king's bishop's file for one knight and on the queen's bishop's file for the
        // other.
        let error = error.expect_err(text).to_string();
        assert!(error.contains(part), "{name}: {text}: {error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Parsing never panics, and a text that is read as a move gives a legal move.
    #[test]
    fn parses_any_text_without_panic(
        text in "[a-h1-8RDTFCPKQBN0O x:.—=()+!?éprmat-]{0,24}|\\PC{0,24}",
        which in 0_usize..200,
        plies in 0_usize..60,
    ) {
        let all = all();
        let position = samples::random(1, plies + 1, which as u64).pop().expect("a position");
        let notation = all[which % all.len()];
        match notation.read(&position, &text) {
            Ok(noted) => prop_assert!(position.is_legal(noted.m) && notation.is_move(&text)),
            Err(error) => prop_assert!(error.to_string().len() < 5000),
        }
    }
}
