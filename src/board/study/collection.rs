//! Lists of the games in a text or file, from which the user chooses a game.

use crate::base::cursor::excerpt;
use crate::base::game::GameKind;
use crate::board::game::BoardGame;
use crate::board::message::ServerMessage;
use crate::board::message::study::ListedGame;
use crate::board::typed::TypedMoveError;
use crate::chess::notation::Notation;
use crate::chess::notation::algebraic::Style;
use crate::laws::language::{Bilingual, InFrench as _, Language};
use crate::record::epd::{self, Epd, Operand};
use crate::record::format::{HEAD, Layout, detect};
use crate::record::games::{Fault, Loss, Reader, Record, RecordError, UnreadMove};
use crate::record::{decode, is_utf16};
use crate::{chess, draughts};

const MAX_LISTED: usize = 10_000;

/// Lists the games in a file, unless it is UTF-16. Also returns the decoded text, for the request
/// that opens one of the games.
pub(in crate::board) fn list_file(bytes: Vec<u8>, language: Language) -> ServerMessage {
    if is_utf16(&bytes) {
        let why = language.of(
            "the file is UTF-16: save it as UTF-8",
            "le fichier est en UTF-16 : enregistrez-le en UTF-8",
        );
        return ServerMessage::Refused { why: why.to_owned(), ask: Some("games".to_owned()) };
    }
    let (_, game) = detect("", &bytes[..bytes.len().min(HEAD)]);
    let text = decode(bytes);
    ServerMessage::Games { game, games: games(game, &text, language), text: Some(text) }
}

/// Lists the games in a text. If `game` is `None`, detects the game from the text.
pub(in crate::board) fn list_text(
    game: Option<GameKind>,
    text: &str,
    language: Language,
) -> ServerMessage {
    let bytes = text.as_bytes();
    let game = game.unwrap_or_else(|| detect("", &bytes[..bytes.len().min(HEAD)]).1);
    ServerMessage::Games { game, games: games(game, text, language), text: None }
}

fn games(game: GameKind, text: &str, language: Language) -> Vec<ListedGame> {
    match game {
        GameKind::Chess => list::<chess::Position>(text, language),
        GameKind::Draughts => list::<draughts::Position>(text, language),
    }
}

/// Lists the games in a text. The list is empty for a FEN.
fn list<G: BoardGame>(text: &str, language: Language) -> Vec<ListedGame> {
    let text = text.trim();
    if text.is_empty() || G::from_fen(text).is_ok() {
        return Vec::new();
    }
    read::<G>(text, language).take(MAX_LISTED).map(|read| listed(read, language)).collect()
}

/// The EPD opcodes for moves that solve a puzzle. Moves to avoid (`am`) are handled separately.
const SOLUTIONS: [&str; 4] = ["bm", "pm", "pv", "sm"];

/// The tag with the solution of a puzzle.
pub(super) const SOLUTION: &str = "Solution";

/// A game of a text, and the faults found in it. The game is `None` if no part is readable.
pub(super) struct ReadGame<G: BoardGame> {
    pub game: Option<Record<G>>,
    pub faults: Vec<Bilingual>,
}

/// Returns whether a text contains positions in EPD or FEN, one on each line.
pub(super) fn has_positions(text: &str) -> bool {
    detect("", &text.as_bytes()[..text.len().min(HEAD)]).0 == Layout::Positions
}

/// Reads the games in a text. Each line of EPD becomes a game without moves. The unread part of a
/// game becomes a comment that begins with a label in this language.
pub(super) fn read<G: BoardGame>(
    text: &str,
    language: Language,
) -> Box<dyn Iterator<Item = ReadGame<G>> + '_> {
    if has_positions(text) {
        return Box::new(epd::lines(text).map(|(number, line)| match G::read_epd(line) {
            Ok(epd) => ReadGame { game: Some(puzzle(epd)), faults: Vec::new() },
            Err(error) => {
                let fault = |language: Language| {
                    let line = language.of("line", "ligne");
                    let colon = language.of(":", " :");
                    format!("{line} {number}{colon} {}", error.in_language(language))
                };
                ReadGame { game: None, faults: vec![Bilingual::written(fault)] }
            }
        }));
    }
    let label = language.of("not read:", "non lu :");
    let games = Reader::<G, _>::new(text.as_bytes()).with_unread_text(label);
    Box::new(games.map(|read| match read {
        Ok(game) => ReadGame { game: Some(game), faults: Vec::new() },
        Err(RecordError { game, faults }) => {
            let of =
                |fault| Bilingual::written(|language| describe(fault, game.as_deref(), language));
            ReadGame { faults: faults.iter().map(of).collect(), game: game.map(|game| *game) }
        }
    }))
}

/// Joins the descriptions of faults.
pub(super) fn joined(faults: &[Bilingual], language: Language) -> String {
    let faults: Vec<_> = faults.iter().map(|fault| fault.in_language(language)).collect();
    faults.join(". ")
}

/// Describes a fault in a game for the user. If moves were not read, the description contains the
/// number of the first unread move. `game` is the part that was read, with the unread text as a
/// comment.
fn describe<G: BoardGame>(
    fault: &Fault<G::Error>,
    game: Option<&Record<G>>,
    language: Language,
) -> String {
    let (Some(UnreadMove { number, text }), Some(game)) = (&fault.unread, game) else {
        return fault.in_language(language);
    };
    let is_main = match fault.loss {
        Loss::MainLine => true,
        Loss::Variation => false,
        _ => return fault.in_language(language),
    };
    // The position of the fault is known only in the main line.
    let notation = Notation::Algebraic(Style::SAN);
    let typed = is_main.then(|| game.position().read_typed(text, notation));
    let reason = match typed {
        Some(Err(TypedMoveError::Illegal { reason, .. })) => reason.in_language(language),
        _ => fault.problem.in_language(language),
    };
    let (line, column, text) = (fault.line, fault.column, excerpt(text));
    match language {
        Language::English => {
            let part = if is_main { "game" } else { "variation" };
            format!(
                "line {line}, column {column}: move {number} {text}: {reason}; the rest of the \
                 {part} is kept as a comment"
            )
        }
        Language::French => {
            let part = if is_main { "partie" } else { "variante" };
            format!(
                "ligne {line}, colonne {column} : coup {number} {text} : {reason} ; la suite de la \
                 {part} est gardée en commentaire"
            )
        }
    }
}

/// Converts an EPD record to a game without moves. The id becomes the event, and the solution
/// becomes the tag `Solution`, which the page shows on request. The other operations become a
/// comment.
fn puzzle<G: BoardGame>(epd: Epd<G>) -> Record<G> {
    let (id, mut rest, mut solutions) = (epd.id(), Vec::new(), Vec::new());
    for operation in &epd.operations {
        let words = || operation.operands.iter().map(Operand::as_str).collect::<Vec<_>>().join(" ");
        match operation.opcode.as_str() {
            "id" => {}
            "am" => solutions.push(format!("not {}", words())),
            opcode if SOLUTIONS.contains(&opcode) => solutions.push(words()),
            _ => rest.push(operation.to_string()),
        }
    }
    let mut game = Record::from_position(epd.position);
    for (tag, value) in [("Event", id), (SOLUTION, solutions.join("; "))] {
        if !value.is_empty() {
            game.set_tag(tag, &value);
        }
    }
    game.comment(&rest.join(" "));
    game
}

/// Returns whether `m`, as the first move, solves a puzzle. Returns `None` if the game is not a
/// puzzle, or if its solution does not contain a readable move.
pub(super) fn solves<G: BoardGame>(game: &Record<G>, m: G::Move) -> Option<bool> {
    let notation = Notation::Algebraic(Style::SAN);
    let (mut wanted, mut avoided): (Vec<G::Move>, Vec<G::Move>) = Default::default();
    for part in game.tag(SOLUTION)?.split(';') {
        let part = part.trim();
        let (moves, list) = match part.strip_prefix("not ") {
            Some(moves) => (moves, &mut avoided),
            None => (part, &mut wanted),
        };
        // If the solution is a variation, only its first move counts. Reading stops at the
        // opponent's reply, which is usually illegal in the start position.
        let read = |word: &str| game.start().read_typed(word, notation).ok();
        list.extend(moves.split_whitespace().map_while(read));
    }
    let is_wanted = wanted.is_empty() || wanted.contains(&m);
    let names_moves = !wanted.is_empty() || !avoided.is_empty();
    names_moves.then_some(is_wanted && !avoided.contains(&m))
}

/// Returns the rating in a tag if it is a positive number.
pub(super) fn rating<G: BoardGame>(game: &Record<G>, tag: &str) -> Option<String> {
    let rating = game.tag(tag)?;
    rating.parse::<u16>().is_ok_and(|rating| rating > 0).then(|| rating.to_owned())
}

fn listed<G: BoardGame>(read: ReadGame<G>, language: Language) -> ListedGame {
    let Some(game) = read.game else {
        let why = Some(joined(&read.faults, language));
        return ListedGame { why, ..ListedGame::default() };
    };
    let [white, black] = ["White", "Black"].map(|tag| game.tag(tag).unwrap_or("?").to_owned());
    let [event, date] = ["Event", "Date"].map(|tag| game.tag(tag).unwrap_or_default().to_owned());
    let ratings = ["WhiteElo", "BlackElo"].map(|tag| rating(&game, tag));
    let (result, plies) = (game.result.to_string(), game.line().moves.len());
    ListedGame { white, black, result, event, date, ratings, plies, why: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Language::English;

    #[test]
    fn lists_games_without_an_event_tag() {
        let text = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 {[Event \"x\"]} e5 1-0\n\n1. d4 *\n\n\
                    [Event \"z\"]\n\n1. e5 *\n\n1. c4 c5 2. b3 1/2-1/2\n";
        let found = list::<chess::Position>(text, English);
        let shown: Vec<_> = found
            .iter()
            .map(|game| (game.white.as_str(), game.result.as_str(), game.plies, game.why.is_some()))
            .collect();
        let expected = [
            ("A", "1-0", 2, false),
            ("?", "*", 1, false),
            ("?", "*", 0, false),
            ("?", "1/2-1/2", 3, false),
        ];
        assert_eq!(shown, expected, "{found:?}");
    }

    #[test]
    fn lists_event_date_and_ratings() {
        let text = "[Event \"Club\"]\n[Date \"2026.11.26\"]\n[WhiteElo \"2100\"]\n\
                    [BlackElo \"<b>\"]\n\n1. e4 *\n";
        let [game] = &list::<chess::Position>(text, English)[..] else { panic!("a game") };
        assert_eq!((game.event.as_str(), game.date.as_str()), ("Club", "2026.11.26"));
        assert_eq!(game.ratings, [Some("2100".to_owned()), None]);
    }

    #[test]
    fn reads_epd_records_as_games_that_hide_the_solution() {
        let text = "7k/5Q2/6K1/8/8/8/8/8 w - - bm Qg7#; id \"A - B, 40.\"; c0 \"easy\";\n\
                    x\n8/8/8/4k3/8/8/8/KQ6 w - - am Qb5+;\n";
        let shown: Vec<_> = list::<chess::Position>(text, English)
            .into_iter()
            .map(|game| (game.event, game.why))
            .collect();
        assert_eq!((shown[0].0.as_str(), &shown[0].1), ("A - B, 40.", &None));
        assert!(shown[1].1.as_ref().expect("a fault").starts_with("line 2: "), "{shown:?}");
        let games: Vec<_> =
            read::<chess::Position>(text, English).filter_map(|read| read.game).collect();
        assert_eq!(games[0].tag("Solution"), Some("Qg7#"));
        assert!(games[0].to_string().contains("{c0 \"easy\";}"), "{}", games[0]);
        assert_eq!(games[1].tag("Solution"), Some("not Qb5+"));
        let game = read::<draughts::Position>("W:W6:B45 bm 6-1;", English)
            .next()
            .expect("a record")
            .game
            .expect("a game");
        assert_eq!((game.tag("Solution"), game.moves().count()), (Some("6-1"), 0));
    }

    #[test]
    fn only_the_first_move_of_a_variation_is_a_solution() {
        let solved = |operations: &str, text: &str| {
            let line = format!("4k3/8/8/3p4/8/8/8/3QK2R w K - {operations}");
            let read = read::<chess::Position>(&line, English).next().expect("a record");
            let game = read.game.expect("a game");
            solves(&game, game.start().parse_san(text).expect(text))
        };
        for operations in ["bm Rh8+; pv Rh8+ Ke7 Qxd5;", "am Qxd5; bm Rh8+;", "bm Rh8+; am Qxd5;"] {
            assert_eq!(solved(operations, "Rh8+"), Some(true), "{operations}");
            assert_eq!(solved(operations, "Qxd5"), Some(false), "{operations}");
        }
        assert_eq!(solved("am Qxd5 Rh8+;", "Rh8+"), Some(false));
        assert_eq!(solved("am Qxd5 Rh8+;", "Ke2"), Some(true));
        assert_eq!(solved("c0 \"x\";", "Ke2"), None);
    }

    #[test]
    fn position_contains_no_games() {
        assert!(list::<chess::Position>("", English).is_empty());
        assert!(list::<chess::Position>("8/8/8/4k3/8/8/8/KQ6 w - - 0 1", English).is_empty());
        assert!(list::<draughts::Position>("W:W31:B1", English).is_empty());
        assert_eq!(list::<draughts::Position>("1. 32-28 19-23 *", English).len(), 1);
    }

    /// Lists the games in a file. Returns the kind of game (chess or draughts), the decoded text,
    /// and a list with White's name and the number of plies of each game.
    fn file(bytes: &[u8]) -> (GameKind, String, Vec<(String, usize)>) {
        let ServerMessage::Games { game, games, text: Some(text) } =
            list_file(bytes.to_vec(), English)
        else {
            panic!("a list of games")
        };
        (game, text, games.into_iter().map(|game| (game.white, game.plies)).collect())
    }

    #[test]
    fn lists_the_games_of_files_in_any_encoding_and_order_of_tags() {
        let two = "[White \"A\"]\n[Event \"x\"]\n\n1. e4 {\n[Event x] here} e5 *\n\n [White \"B\"]\n\n1. d4 *\n";
        for text in
            [two.to_owned(), format!("\u{feff}{two}"), two.replace(" [White", "\u{feff}[White")]
        {
            let (game, _, games) = file(text.as_bytes());
            let expected = [("A".to_owned(), 2), ("B".to_owned(), 1)];
            assert_eq!((game, &games[..]), (GameKind::Chess, &expected[..]), "{text}");
        }
        let (_, text, games) = file(b"[White \"M\xfcller\"]\n\n1. e4 {\x93ber\x94} *\n");
        assert_eq!(games, [("Müller".to_owned(), 1)]);
        assert!(text.contains("“ber”"), "{text}");
        let pdn = "[Site \"https://example.org/a/b/c\"]\n[GameType \"20,W,10,10,N2,0\"]\n\n{x} 1. 32-28 *\n";
        assert_eq!(file(pdn.as_bytes()).0, GameKind::Draughts);
        let ServerMessage::Refused { why, .. } = list_file(b"\xff\xfe[\0".to_vec(), English) else {
            panic!("refused")
        };
        assert!(why.contains("UTF-16"), "{why}");
    }

    #[test]
    fn detects_the_game_of_a_text() {
        for (text, expected) in
            [("1. 32-28 19-23 *", GameKind::Draughts), ("{1. 32-28} 1. d4 *", GameKind::Chess)]
        {
            let ServerMessage::Games { game, games, .. } = list_text(None, text, English) else {
                panic!("{text}")
            };
            assert_eq!((game, games.len()), (expected, 1), "{text}");
        }
    }

    #[test]
    fn unread_moves_become_comments() {
        fn read_one<G: BoardGame>(text: &str) -> (String, String) {
            let found = read::<G>(text, English).next().expect("a game");
            let game = found.game.expect("a readable part").to_string();
            let moves = game.split("\n\n").nth(1).expect("moves").replace('\n', " ");
            // The saved game has no faults and the same comments.
            let again = read::<G>(&game, English).next().expect("a game");
            assert!(again.faults.is_empty(), "{:?}", again.faults);
            assert_eq!(again.game.expect("a game").to_string(), game);
            (moves, joined(&found.faults, English))
        }
        let text = "1. e4 e5 2. Nf3 Qh7 {[%clk 0:10:03] {odd} 3.Bb5 (3. d4 exd4) a6 ; good\n\
                    4. Ba4 $1 1-0 {resigned}\n\n1. d4 *";
        let (moves, fault) = read_one::<chess::Position>(text);
        assert_eq!(
            moves,
            "1. e4 e5 2. Nf3 {not read: 2... Qh7 ([ %clk 0:10:03] (odd) 3.Bb5 (3. d4 exd4) a6 ; \
             good 4. Ba4 $1} {resigned} 1-0"
        );
        assert_eq!(
            fault,
            "line 1, column 17: move 2... Qh7: the side's own pawn on h7 is on the destination \
             square; the rest of the game is kept as a comment"
        );
        let text = "1. e4 e5 (1... c5 2. Ke3 Nc6 (2... d6) 3. d4) (1... Qh3 2. d4) 2. Nf3 *";
        let (moves, fault) = read_one::<chess::Position>(text);
        assert_eq!(
            moves,
            "1. e4 e5 (1... c5 {not read: 2. Ke3 Nc6 (2... d6) 3. d4}) {(not read: 1... Qh3 2. d4)} \
             2. Nf3 *"
        );
        assert!(fault.contains("move 2. Ke3: ") && fault.contains("move 1... Qh3: "), "{fault}");
        let (moves, fault) = read_one::<draughts::Position>("1. 32-28 19-23 2. 28-22 14x23 2-0");
        assert_eq!(moves, "1. 32-28 19-23 {not read: 2. 28-22 14x23} 2-0");
        assert!(fault.contains("move 2. 28-22: "), "{fault}");
    }

    #[test]
    fn faults_are_described_in_french() {
        let text = "1. e4 e5 2. Nf3 Qh7 3. Bb5 *\n\n[FEN \"x\"]\n\n1. e4 *\n";
        let games: Vec<_> = read::<chess::Position>(text, Language::French).collect();
        let game = games[0].game.as_ref().expect("a game").to_string();
        assert!(game.contains("{non lu : 2... Qh7 3. Bb5}"), "{game}");
        let shown: Vec<_> =
            games.iter().map(|game| joined(&game.faults, Language::French)).collect();
        assert_eq!(
            shown[0],
            "ligne 1, colonne 17 : coup 2... Qh7 : le pion en h7, du même camp, occupe la case \
             d'arrivée ; la suite de la partie est gardée en commentaire"
        );
        assert!(shown[1].starts_with("ligne 3, colonne 1 : position FEN : "), "{}", shown[1]);
        let epd = "8/8/8/8/8/8/8/8 w - - bm e4;";
        let [puzzle] = &list::<chess::Position>(epd, Language::French)[..] else {
            panic!("a line")
        };
        let why = puzzle.why.as_deref();
        assert_eq!(why, Some("ligne 1 : les Blancs ont 0 rois au lieu d'un"));
    }

    #[test]
    fn lists_the_part_of_a_game_before_a_fault() {
        let games = list::<chess::Position>("[White \"A\"]\n\n1. e4 e5 2. Ke3 *\n", English);
        assert_eq!((games[0].plies, &games[0].why), (2, &None));
    }
}
