//! What can come next in a line of the language of [`event`](super), for a prompt that
//! completes what is typed.
//!
//! The reader itself is asked: given a word that cannot be one, its error lists what could stand there.

use super::language::Language;
use super::read::ReadError;
use super::word;
use crate::base::side::Side;
use crate::laws::any::rule_line;
use crate::laws::edition::Edition;
use crate::laws::referee::Referee;
use crate::laws::ruled::{Part, Ruled};

/// A word that the language does not have.
const NONE: &str = "?";

/// Where the last word of `line` begins, in bytes, and the texts that can stand there and begin as it
/// does, in the order in which to show them. A word is the last one until a space follows it.
pub fn continuations<G: Ruled>(
    referee: &Referee<G>,
    line: &str,
    language: Language,
) -> (usize, Vec<String>) {
    let begun = line.rsplit(char::is_whitespace).next().unwrap_or(line);
    let from = line.len() - begun.len();
    let before = line.strip_suffix(begun).unwrap_or_default();
    let words = before.split_whitespace().collect();
    let mut next = Next { referee, words, begun, language, found: Vec::new() };
    match next.words[..] {
        [] => {
            next.expected(before);
            next.add(["moves", "game"]);
        }
        ["game"] => {}
        ["game", _] => next.add(Edition::ALL.map(Edition::id)),
        ["game", ..] => {}
        ["moves", ..] => next.after_moves(before),
        ["setup", ..] => next.after_setup(before),
        _ => next.expected(before),
    }
    next.found.retain(|text| text.starts_with(begun));
    (from, next.found)
}

struct Next<'a, G: Ruled> {
    referee: &'a Referee<G>,
    /// The words before the last one.
    words: Vec<&'a str>,
    /// What is typed of the last word.
    begun: &'a str,
    language: Language,
    found: Vec<String>,
}

impl<G: Ruled> Next<'_, G> {
    fn add<T: Into<String>>(&mut self, texts: impl IntoIterator<Item = T>) {
        for text in texts.into_iter().map(Into::into) {
            if !self.found.contains(&text) {
                self.found.push(text);
            }
        }
    }

    /// The legal moves as rulings write them, or in that of players if the word begins so.
    fn add_moves(&mut self, board: &G) {
        let moves = board.moves();
        let texts: Vec<_> = moves.iter().map(|&m| G::move_text(m)).collect();
        if texts.iter().any(|text| text.starts_with(self.begun)) {
            self.add(texts);
        } else {
            let language = self.language;
            self.add(moves.into_iter().map(|m| board.write_move_in(m, language)));
        }
    }

    /// What the reader expects where a word is missing.
    fn expected(&mut self, before: &str) {
        let end = before.chars().count() + 1;
        if let ["odds", .., number] = self.words[..]
            && number.parse::<u8>().is_ok()
        {
            self.add(["moves"]);
        }
        match self.referee.read_in(&format!("{before}{NONE}"), self.language).err() {
            Some(ReadError::Word { expected: "a square", column, .. }) if column == end => {
                self.squares();
            }
            Some(ReadError::Word { expected, column, .. }) if column == end => {
                // A list such as `late or disobey`; what has a space, such as `a square`, is no word.
                let parts = expected.split(", ").flat_map(|part| part.split(" or "));
                self.add(parts.map(str::trim).filter(|part| !part.contains(' ')));
            }
            Some(ReadError::Move { column, .. }) if column == end => self.moves(),
            // The event is complete, but can be continued.
            Some(ReadError::Trailing { .. }) => match self.words[..] {
                [_, "claim", "repetition" | "fifty"] => self.add(["by"]),
                [_, "flag"] => self.add(["open"]),
                [.., "notice", "sheets"] => self.add(["lost"]),
                ["resume"] => self.add(["without"]),
                [.., "notice", "colours"] => self.add(["restart"]),
                _ => {}
            },
            _ => {}
        }
    }

    fn moves(&mut self) {
        match self.words[..] {
            [_, "irregular"] => {}
            [_, "choose", ..] | ["decide", ..] => self.add_moves(&board(self.referee)),
            _ => {
                let Some(board) = self.board_of_player() else { return };
                self.add_moves(&board);
                if let [_, "seal"] = self.words[..] {
                    self.add(["nothing", "unreadable", "ambiguous", "illegal"]);
                }
            }
        }
    }

    /// The board on which the player who is named first can move, if he can.
    fn board_of_player(&self) -> Option<G> {
        let first = self.words.first()?;
        let side = Side::ALL.into_iter().find(|&side| word(side) == *first)?;
        self.referee.board_of(side).ok()
    }

    /// The moves after those of a line `moves`.
    fn after_moves(&mut self, before: &str) {
        let mut ahead = self.referee.clone();
        if rule_line(&mut ahead, before, self.language).is_ok() {
            self.add_moves(&board(&ahead));
        }
    }

    /// The moves of a book, once the position before them is complete.
    fn after_setup(&mut self, before: &str) {
        let mut ahead = self.referee.clone();
        if rule_line(&mut ahead, before, self.language).is_err() {
            return;
        }
        if self.words.contains(&"moves") {
            self.add_moves(&board(&ahead));
        } else {
            self.add(["moves"]);
        }
    }

    /// The squares that can follow the word before.
    fn squares(&mut self) {
        let board = self.board_of_player().unwrap_or_else(|| board(self.referee));
        let parts = || board.moves().into_iter().flat_map(|m| board.parts(m));
        let all = || squares::<G>().into_iter();
        let own = |square: &G::Square| board.owner(*square) == Some(board.side());
        let found: Vec<G::Square> = match self.words[..] {
            [_, "touch" | "adjust" | "feel"] => {
                all().filter(|s| board.owner(*s).is_some()).collect()
            }
            [_, "release"] => parts().filter_map(place).map(|(from, _)| from).collect(),
            [_, "release", first] => parts()
                .filter_map(place)
                .filter(|(from, _)| from.to_string() == first)
                .map(|(_, to)| to)
                .collect(),
            [_, "remove"] | [_, "choose", "capture"] => {
                let taken =
                    |part| if let Part::Remove(square) = part { Some(square) } else { None };
                let taken = parts().filter_map(taken);
                // Where the opponent decides about it, any piece can be removed, against the rules.
                let any = self.words.len() == 2 && self.referee.opponent_decides().is_ok();
                taken.chain(all().filter(|s| any && board.owner(*s).is_some())).collect()
            }
            [_, "choose", "piece"] => board.moves().into_iter().map(G::mover).collect(),
            [_, "illegal"] => all().filter(|s| board.owner(*s).is_some()).collect(),
            [_, "seal", "illegal"] => all().filter(own).collect(),
            [_, "illegal", _] | [_, "seal", "illegal", _] => all().filter(|s| !own(s)).collect(),
            [_, "illegal", .., "takes"] => all().filter(|s| board.owner(*s).is_some()).collect(),
            [_, "uncrowned" | "crown"] => all().filter(|s| board.can_lack_crown(*s)).collect(),
            _ => Vec::new(),
        };
        self.add(found.into_iter().map(|square| square.to_string()));
    }
}

fn place<S>(part: Part<S>) -> Option<(S, S)> {
    if let Part::Place(from, to) = part { Some((from, to)) } else { None }
}

/// The board as it stands.
fn board<G: Ruled>(referee: &Referee<G>) -> G {
    referee.board().unwrap_or_else(|| referee.position().clone())
}

/// Every square of the board: the names of both boards that it can read.
fn squares<G: Ruled>() -> Vec<G::Square> {
    let chess = (1..=8).flat_map(|rank| ('a'..='h').map(move |file| format!("{file}{rank}")));
    let draughts = (1..=50).map(|number: u32| number.to_string());
    chess.chain(draughts).filter_map(|name| name.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use crate::laws::any::AnyReferee;
    use crate::laws::{Edition, log, regulations::Regulations};

    fn referee(edition: Edition, lines: &[&str]) -> AnyReferee {
        let mut referee = AnyReferee::new(edition, Regulations::default());
        for line in lines {
            referee.line(line).unwrap_or_else(|e| panic!("{line}: {e}"));
        }
        referee
    }

    fn offered(referee: &AnyReferee, line: &str) -> String {
        let (from, found) = referee.continuations(line);
        assert!(found.iter().all(|text| text.starts_with(&line[from..])), "{line}: {found:?}");
        found.join(" ")
    }

    #[test]
    fn words_moves_and_squares_are_offered_where_they_can_stand() {
        let start = referee(Edition::Fide1930, &[]);
        for (line, next) in [
            ("w", "white"),
            (
                "",
                "white black both flags stop start notice decide adjourn resume envelope position setup \
                  odds moves game",
            ),
            ("  white re", "release remove refuse resign record"),
            ("white move e", "e2e3 e2e4"),
            ("white move N", "Na3 Nc3 Nf3 Nh3"),
            ("white move e4", "e4"),
            ("white move e2e4 ", ""),
            ("black move ", ""),
            ("white touch e", "e1 e2 e7 e8"),
            ("white release g", "g1 g2"),
            ("white release g1 ", "h3 f3"),
            ("white illegal e1 e", "e3 e4 e5 e6 e7 e8"),
            (
                "black claim ",
                "repetition fifty perpetual winless demand flag illegal touch increment",
            ),
            ("white stop ", "pieces sheets claim"),
            ("white late 1:00 ", "excused"),
            ("white illegal e2 d3 ", "takes promote"),
            ("decide defer ", "without"),
            ("white claim fifty ", "by"),
            ("white claim fifty by h", "h2h3 h2h4"),
            ("white seal u", "unreadable"),
            ("white seal ambiguous Nf3 Nh", "Nh3"),
            ("white promote ", "q r b n"),
            ("resume ", "without"),
            ("resume without ", "white black both"),
            ("notice colours ", "restart"),
            ("notice illegal ", "lost from"),
            ("notice illegal from ", ""),
            ("odds k", "knight"),
            ("odds knight by b", "black"),
            ("setup ", ""),
            ("setup 4k3/8/8/8/8/8/4P3/4K3 w - ", ""),
            ("setup 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 ", "moves"),
            ("setup 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 moves e2", "e2e3 e2e4"),
            ("setup 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 moves e2e4 e8d", "e8d8 e8d7"),
            ("moves ", "TWENTY"),
            ("moves e4 e", "e7e5 e7e6"),
            ("moves e4 e4 ", ""),
            ("game K-01 f", "fide-1928 fide-1930 fide-2009 fide-2023 fmjd"),
            ("nonsense ", ""),
            ("décide m", ""),
        ] {
            let found = offered(&start, line);
            match next {
                "TWENTY" => assert_eq!(found.split(' ').count(), 20, "{line}"),
                _ => {
                    let sorted = |text: &str| {
                        let mut words: Vec<_> = text.split(' ').map(str::to_owned).collect();
                        words.sort_unstable();
                        words
                    };
                    assert_eq!(sorted(&found), sorted(next), "{line}");
                }
            }
        }
        assert_eq!(start.continuations("white mo"), (6, vec!["move".to_owned()]));
        let board = referee(Edition::Fmjd, &["moves 32-28 19-23"]);
        assert_eq!(offered(&board, "white move "), "28x19x23");
        // The piece that was captured, then those whose removal would break the rules.
        let removed = offered(&board, "white remove ");
        assert!(removed.starts_with("23 1 2 ") && !removed.contains(" 19"), "{removed}");
        let chosen = ["moves e2e4 d7d5", "white touch g1", "white touch d5"];
        let choosing = referee(Edition::Fide1930, &chosen);
        assert_eq!(offered(&choosing, "black choose capture "), "d5");
    }

    /// Each word of each line of the logs is offered where it stands, but for what is free: numbers,
    /// times, positions, castling squares, moves in other notations.
    #[test]
    fn the_words_of_the_logs_are_offered() {
        let mut words = 0;
        for file in std::fs::read_dir("epd/laws").expect("the folder is there") {
            let text = std::fs::read_to_string(file.expect("a file").path()).expect("a text");
            let mut referee = AnyReferee::new(Edition::Fide2009, Regulations::default());
            for line in text.lines() {
                match log::Line::read(line).expect("checked elsewhere") {
                    log::Line::Game(_, edition, rules) => {
                        referee = AnyReferee::new(edition, *rules)
                    }
                    log::Line::Event(event) => {
                        let before = referee.clone();
                        if referee.line(event).is_err() {
                            continue;
                        }
                        for (at, word) in event.match_indices(|c: char| c.is_alphanumeric()) {
                            let begins = at == 0 || event.as_bytes()[at - 1] == b' ';
                            if !begins || event.starts_with("setup") || event.contains("irregular")
                            {
                                continue;
                            }
                            let whole = event[at..].split(' ').next().unwrap_or(word);
                            if whole.chars().all(|c| c.is_ascii_lowercase()) {
                                let (from, found) = before.continuations(&event[..at]);
                                assert_eq!(from, at, "{event}");
                                assert!(found.contains(&whole.to_owned()), "{event}: {whole}");
                                words += 1;
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        assert!(words > 1000, "{words}");
    }
}
