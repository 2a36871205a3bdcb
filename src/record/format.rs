//! Detects the format of a file that contains games or positions, first from its tags and name,
//! then from its moves.

use super::is_utf16;
use super::sheet::{head, is_draw};
use crate::base::cursor::Cursor;
use crate::base::game::GameKind;
use crate::base::text::{is_invisible, plain_dashes};

/// The kind of contents of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// Games in PGN or PDN.
    Games,
    /// Positions in EPD or FEN, one on each line.
    Positions,
    /// Score sheets.
    Sheets,
}

/// The number of leading bytes of a file to pass to [`detect`].
pub(crate) const HEAD: usize = 1 << 16;

/// Returns the layout and the game of a file. `head` contains the first bytes of the file. `name`
/// can be empty.
///
/// A file contains positions if its extension is `epd` or `fen`, or if it begins with a FEN and has
/// no tags. The extensions `pgn` and `pdn` indicate games. In any other file, tags, comments or
/// several move numbers on one line indicate games, and one move number per line indicates score
/// sheets.
///
/// The game is determined by the tag `GameType`, by a `FEN` tag with a position of either game, or
/// by the `Notation` line of a score sheet. Without them, the extension determines the game, unless
/// all moves belong to the other game. Without an extension, the moves determine the game.
pub fn detect(name: &str, head: &[u8]) -> (Layout, GameKind) {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    let by_name = match extension.as_deref() {
        Some("pgn") => Some((Layout::Games, GameKind::Chess)),
        Some("pdn") => Some((Layout::Games, GameKind::Draughts)),
        _ => None,
    };
    if is_utf16(head) {
        return by_name.unwrap_or((Layout::Games, GameKind::Chess));
    }
    let outline = Outline::of(&String::from_utf8_lossy(head));
    let is_position_file = matches!(extension.as_deref(), Some("epd" | "fen"));
    let first = outline.lines.iter().find(|line| !line.starts_with('#'));
    if let Some(first) = first.filter(|first| is_position_file || outline.is_position(first)) {
        return (Layout::Positions, GameKind::of_fen(first));
    }
    let layout = match by_name {
        Some((layout, _)) => layout,
        None if outline.is_record() => Layout::Games,
        None => Layout::Sheets,
    };
    (layout, outline.game(by_name.map(|(_, game)| game)))
}

/// The features of a text that identify its format.
#[derive(Default)]
struct Outline {
    /// The game named by a tag `GameType` or `FEN`.
    game: Option<GameKind>,
    has_tags: bool,
    has_comments: bool,
    /// The lines, with tags and comments removed.
    lines: Vec<String>,
}

impl Outline {
    fn of(text: &str) -> Self {
        let mut outline = Self::default();
        let mut in_comment = false;
        for line in text.lines() {
            let line = line.trim_matches(|c: char| c.is_whitespace() || is_invisible(c));
            if !in_comment && line.starts_with('%') {
                outline.has_comments = true;
            } else if !in_comment && line.starts_with('[') {
                outline.add_tag(line);
            } else {
                outline.add_line(line, &mut in_comment);
            }
        }
        outline
    }

    fn add_tag(&mut self, line: &str) {
        self.has_tags = true;
        let value = |name: &str| {
            let tag = line.get(1..)?.trim_start();
            let is_named = tag.get(..name.len()).is_some_and(|t| t.eq_ignore_ascii_case(name));
            let value = tag.get(name.len()..).filter(|_| is_named)?;
            value.trim_start().strip_prefix('"')
        };
        let named = value("GameType").map(|_| GameKind::Draughts);
        let game = named.or_else(|| value("FEN").and_then(game_of_position));
        self.game = self.game.or(game);
    }

    /// Adds the part of a line outside comments.
    fn add_line(&mut self, line: &str, in_comment: &mut bool) {
        let mut outside = String::new();
        for c in line.chars() {
            match c {
                '}' if *in_comment => *in_comment = false,
                _ if *in_comment => {}
                // In an EPD record, a semicolon ends an operation instead of starting a comment.
                ';' if !self.is_position(line) => {
                    self.has_comments = true;
                    break;
                }
                '{' => {
                    self.has_comments = true;
                    *in_comment = true;
                }
                c => outside.push(c),
            }
        }
        if !outside.trim().is_empty() {
            self.lines.push(outside.trim().to_owned());
        }
    }

    /// Returns whether a line begins with a FEN and no tag has been found.
    fn is_position(&self, line: &str) -> bool {
        let board = line.split_whitespace().next().unwrap_or_default();
        let is_position = match game_of_position(board) {
            Some(GameKind::Chess) => true,
            Some(GameKind::Draughts) => {
                board.get(2..).is_some_and(|rest| rest.starts_with(['W', 'B', 'w', 'b']))
            }
            None => false,
        };
        !self.has_tags && is_position
    }

    fn is_record(&self) -> bool {
        let has_heads = self.lines.iter().any(|line| head(line).is_some());
        if self.has_tags || has_heads {
            return self.has_tags;
        }
        // Descriptive notation occurs only on score sheets.
        let mut words = self.lines.iter().flat_map(|line| line.split_whitespace());
        let is_descriptive = words.any(is_descriptive);
        let is_row_or_result = |line: &String| is_row(line) || is_result(line);
        !is_descriptive && (self.has_comments || !self.lines.iter().all(is_row_or_result))
    }

    /// Returns the game. `by_name` is the game that the file's extension indicates.
    fn game(&self, by_name: Option<GameKind>) -> GameKind {
        if let Some(game) = self.game {
            return game;
        }
        let words = || self.lines.iter().flat_map(|line| line.split_whitespace());
        let named = self.lines.iter().find_map(|line| line.strip_prefix("Notation: "));
        if let Some(notation) = named {
            return if notation == "numeric" { GameKind::Draughts } else { GameKind::Chess };
        }
        let (mut chess, mut draughts, mut lettered) = (0, 0, 0);
        for (word, game) in words().filter_map(|word| Some((word, game_of_word(word)?))).take(50) {
            match game {
                GameKind::Chess if lettered_move(after_number(word).unwrap_or(word)).is_some() => {
                    lettered += 1;
                }
                GameKind::Chess => chess += 1,
                GameKind::Draughts => draughts += 1,
            }
        }
        match by_name {
            Some(GameKind::Chess) if chess + lettered == 0 && draughts > 1 => GameKind::Draughts,
            // Moves between lettered squares can belong to draughts on 64 squares.
            Some(GameKind::Draughts) if draughts == 0 && chess > lettered.max(1) => GameKind::Chess,
            Some(game) => game,
            None if draughts > chess + lettered => GameKind::Draughts,
            None => GameKind::Chess,
        }
    }
}

/// Returns the game of a FEN, or `None` if the text does not begin like a FEN of either game.
fn game_of_position(fen: &str) -> Option<GameKind> {
    let board = fen.split_whitespace().next().unwrap_or_default();
    // The text can be the rest of a line with a tag.
    let board = board.split('"').next().unwrap_or_default();
    let is_chess = board.matches('/').count() == 7
        && board.chars().all(|c| c.is_ascii_digit() || "/pnbrqkPNBRQK[]~".contains(c));
    let is_draughts = GameKind::of_fen(fen) == GameKind::Draughts;
    let chess = is_chess.then_some(GameKind::Chess);
    if is_draughts { Some(GameKind::Draughts) } else { chess }
}

/// The smallest board that contains all squares of a move between lettered squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LetteredBoard {
    Squares64,
    Larger,
}

/// Parses a move between lettered squares: `c3-d4`, `c3:e5:g7`, or the Russian short form `cd4`.
pub(crate) fn lettered_move(text: &str) -> Option<LetteredBoard> {
    let mut cursor = Cursor::new(text);
    let mut board = LetteredBoard::Squares64;
    for squares in 1.. {
        let file = cursor.next_char().filter(|c| ('a'..='j').contains(c))?;
        let digits = cursor.take_while(|c| c.is_ascii_digit());
        let rank = if digits.is_empty() { None } else { digits.parse::<u32>().ok() };
        if rank.is_some_and(|rank| !(1..=10).contains(&rank)) {
            return None;
        }
        if file > 'h' || rank > Some(8) {
            board = LetteredBoard::Larger;
        }
        if cursor.rest().is_empty() {
            return (squares > 1 && rank.is_some()).then_some(board);
        }
        let _ = ["-", "x", ":"].into_iter().any(|sign| cursor.eat(sign));
    }
    None
}

/// Returns the text after a move number and its dots, or `None` if there is no move number.
fn after_number(word: &str) -> Option<&str> {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    (rest.len() < word.len() && rest.starts_with('.')).then(|| rest.trim_start_matches('.'))
}

/// Returns whether a line is a row of a score sheet: a move number followed by moves. Unlike a row,
/// a line in PGN or PDN can also contain further numbers, variations, glyphs, or a star as the
/// result.
fn is_row(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let is_numbered = words.next().is_some_and(|word| after_number(word).is_some());
    let is_of_record = |word: &str| {
        let bare = word.trim_start_matches('(');
        after_number(bare).is_some() || word.starts_with('$') || word == "*"
    };
    is_numbered && !words.any(is_of_record)
}

/// Returns whether a word is a move in English descriptive notation, such as `P-K4` or `Kt-QB3`.
fn is_descriptive(word: &str) -> bool {
    let word = plain_dashes(word);
    let word = after_number(&word).unwrap_or(&word);
    let Some((piece, square)) = word.split_once('-') else { return false };
    let is_piece = piece.starts_with(['P', 'N', 'B', 'R', 'Q', 'K'])
        && piece.chars().all(|c| "PNBRQKt()12345678".contains(c));
    let square = square.trim_start_matches(['K', 'Q', 'R', 'B', 'N', 'k', 't']);
    is_piece && square.starts_with(|c: char| ('1'..='8').contains(&c))
}

fn is_result(text: &str) -> bool {
    let results =
        ["1-0", "0-1", "1/2-1/2", "½-½", "1/2", "½", "2-0", "0-2", "1-1", "1:0", "0:1", "*"];
    results.contains(&&*plain_dashes(text)) || is_draw(text)
}

/// Returns the game to which a word belongs if it is a move, or `None` if it is a result or cannot
/// be a move. Every word with letters counts as a chess move, except a draughts capture such as
/// `28x19`.
fn game_of_word(word: &str) -> Option<GameKind> {
    let word = plain_dashes(word);
    let word = after_number(&word).unwrap_or(&word);
    if is_result(word) || word.is_empty() {
        return None;
    }
    let numbers: Vec<&str> = word
        .trim_end_matches([',', '!', '?', '*', '+'])
        .trim_end_matches(['-', 'x', ':'])
        .split(['-', 'x', 'X', ':', '×', '*'])
        .collect();
    let is_number = |text: &&str| text.bytes().all(|b| b.is_ascii_digit()) && !text.is_empty();
    let is_castling = numbers.iter().all(|text| text.bytes().all(|b| b == b'0'));
    if is_castling || word.chars().any(char::is_alphabetic) && !numbers.iter().all(is_number) {
        return Some(GameKind::Chess);
    }
    numbers.iter().all(is_number).then_some(GameKind::Draughts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use GameKind::{Chess, Draughts};
    use Layout::{Games, Positions, Sheets};

    #[test]
    fn detects_the_layout_and_the_game() {
        for (text, expected) in [
            ("[Event \"?\"]\n\n1. e4 *", (Games, Chess)),
            ("\u{feff}[Event \"?\"]\n[GameType \"20\"]\n\n1. 32-28 *", (Games, Draughts)),
            ("[gametype \"20\"]\n\n*", (Games, Draughts)),
            ("[Event \"?\"]\n[FEN \"W:W31:B1\"]\n\n*", (Games, Draughts)),
            ("White: Anna\n\n1. e4 e5\n", (Sheets, Chess)),
            ("Weiß: Anna\n\n1. e4, e5\n2. Sf3, Sc6\n", (Sheets, Chess)),
            ("1. 32-28, 19-23\nremise\n", (Sheets, Draughts)),
            ("1. 0-0 0-0\n", (Sheets, Chess)),
            ("1. e4 e5 2. Nf3 *", (Games, Chess)),
            ("1. e4 {best by test} e5", (Games, Chess)),
            ("1. P-K4 P-K4 2. N-KB3 N-QB3 *\n", (Sheets, Chess)),
            ("1.P—Q4  Kt—KB3", (Sheets, Chess)),
            ("1. Ng1-f3 K-d8 2. B-d7 *", (Games, Chess)),
            ("1. e4 e5 *\n", (Games, Chess)),
            ("1. 32-28 19-23 *", (Games, Draughts)),
            ("1. 32-28 19-23*", (Sheets, Draughts)),
            ("1. 32-28 19-23 2. 28x19 14x23 *", (Games, Draughts)),
            ("1. 32-28 19-23\n", (Sheets, Draughts)),
            ("1. 32–28 19–23\n", (Sheets, Draughts)),
            ("1. 0—0 0–0\n", (Sheets, Chess)),
            ("1. 32é", (Sheets, Chess)),
            (" 1.  28x19  14x23", (Sheets, Draughts)),
            ("Notation: numeric\n", (Sheets, Draughts)),
            ("", (Sheets, Chess)),
            ("{before} 1. d4 d5", (Games, Chess)),
            ("{1. 32-28 19-23} 1. d4 d5 *", (Games, Chess)),
            ("\n\u{feff}[White \"a\"]\n\n1. e4 *", (Games, Chess)),
            ("1.d4\nd5\n2.c4\n", (Games, Chess)),
            ("d4 d5 c4 e6\n", (Games, Chess)),
            ("; about the file\n1. d4 d5\n", (Games, Chess)),
            ("1. d4 d5 ; good\n2. c4\n", (Games, Chess)),
            ("(1. d4) e4", (Games, Chess)),
            ("1. d4 d5 (1... f5 2. g3)\n2. c4\n", (Games, Chess)),
            ("31-27 17-21 37-31 21-26", (Games, Draughts)),
            ("1. 32 - 28  19 - 23 *", (Games, Draughts)),
            ("8/8/8/8/8/4k3/4p3/4K3 w - - bm Ke2; id \"x\";\n", (Positions, Chess)),
            ("# comment\nW:W31-50:B1-20 ;D1 9\n", (Positions, Draughts)),
            ("W:W31-50:B1-20", (Positions, Draughts)),
        ] {
            assert_eq!(detect("", text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn tags_and_unanimous_moves_outweigh_the_extension() {
        for (name, text, expected) in [
            ("a.pgn", "{1.40/25} 1. e4 {\n1.40/25 396} e5 *", (Games, Chess)),
            ("a.PGN", "1. e4 e5\n", (Games, Chess)),
            ("a.pdn", "{c} 1. 32-28 19-23 *", (Games, Draughts)),
            ("a.pdn", "[Event \"x\"]\n\n{c} 1. 32-28 19-23 *", (Games, Draughts)),
            ("a.pdn", "", (Games, Draughts)),
            ("a.pdn", "1. e4 e5 *", (Games, Chess)),
            ("a.pdn", "1. c3-d4 d6-c5 2. gf4 c5:e3 *", (Games, Draughts)),
            ("a.pdn", "1. c3-d4! d6-c5? 2. gf4 c5:e3 3. gf2 *", (Games, Draughts)),
            ("a.pdn", "1. e4 e5 2. d4 exd4 3. Nf3 *", (Games, Chess)),
            ("a.pdn", "[FEN \"\"]\n*\n", (Games, Draughts)),
            ("a.pdn", "[FEN \"?:W31-50:B1-20\"]\n*\n", (Games, Draughts)),
            ("a.pdn", "[FEN \"W : W31 : B1\"]\n*\n", (Games, Draughts)),
            ("a.pdn", "[FEN \"8/8/8/8/8/4k3/4p3/4K3 w - -\"]\n*\n", (Games, Chess)),
            ("a.pgn", "[FEN \"\"]\n*\n", (Games, Chess)),
            ("", "[FEN \"\"]\n1. 32-28 *\n", (Games, Draughts)),
            ("a.pgn", "[GameType \"20,W,10,10,N2,0\"]\n\n*", (Games, Draughts)),
            ("a.pgn", "1. 32-28 19-23 *", (Games, Draughts)),
            ("a.epd", "8/8/8/8/8/4k3/4p3/4K3 w - -", (Positions, Chess)),
            ("a.fen", "nonsense", (Positions, Chess)),
            ("x.1/games", "1. e4 e5\n", (Sheets, Chess)),
        ] {
            assert_eq!(detect(name, text.as_bytes()), expected, "{name}: {text}");
        }
        assert_eq!(detect("", b"\xff\xfe[\0E\0"), (Games, Chess));
    }
}
