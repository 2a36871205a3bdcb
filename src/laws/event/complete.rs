//! Completion of event lines, based on their [`grammar`](super::grammar).

use super::grammar::{Expected, Hole};
use super::language::Language;
use super::side_of;
use crate::laws::any::game_after;
use crate::laws::referee::Referee;
use crate::laws::ruled::{Part, Ruled};

/// Returns the byte offset of the last word of `line`, and the possible completions of that word in
/// display order. If `line` ends with a space, the last word is empty.
pub(crate) fn continuations<G: Ruled>(
    referee: &Referee<G>,
    line: &str,
    language: Language,
) -> (usize, Vec<String>) {
    let partial = line.rsplit(char::is_whitespace).next().unwrap_or(line);
    let from = line.len() - partial.len();
    let before = line.strip_suffix(partial).unwrap_or_default();
    let words: Vec<&str> = before.split_whitespace().collect();
    let mut next = Candidates { referee, before, words, partial, language, found: Vec::new() };
    match next.words[..] {
        ["moves", ..] => next.add_moves_after_line(),
        _ => {
            for expected in referee.expected_after(before, language) {
                match expected {
                    Expected::Word(word) => next.add([word]),
                    Expected::Hole(hole) => next.fill(hole),
                    Expected::End => {}
                }
            }
            if next.words.is_empty() {
                next.add(["moves"]);
            }
        }
    }
    next.found.retain(|text| text.starts_with(partial));
    (from, next.found)
}

/// Returns the strings that can fill a [`Hole`] after `line`, or an empty list for free text.
pub(super) fn fillers<G: Ruled>(referee: &Referee<G>, line: &str, hole: Hole) -> Vec<String> {
    let words = line.split_whitespace().collect();
    let (partial, language) = ("", Language::English);
    let mut next =
        Candidates { referee, before: line, words, partial, language, found: Vec::new() };
    next.fill(hole);
    next.found
}

struct Candidates<'a, G: Ruled> {
    referee: &'a Referee<G>,
    before: &'a str,
    words: Vec<&'a str>,
    /// The typed part of the last word.
    partial: &'a str,
    language: Language,
    found: Vec<String>,
}

impl<G: Ruled> Candidates<'_, G> {
    fn add<T: Into<String>>(&mut self, texts: impl IntoIterator<Item = T>) {
        for text in texts.into_iter().map(Into::into) {
            if !self.found.contains(&text) {
                self.found.push(text);
            }
        }
    }

    fn fill(&mut self, hole: Hole) {
        match hole {
            Hole::Side => self.add(["white", "black"]),
            Hole::Move | Hole::IntendedMove | Hole::Moves => {
                if let Some(board) = self.board_of_subject() {
                    self.add_moves(&board);
                }
            }
            Hole::MoveOutOfTurn => {
                let side = self.words.first().and_then(|word| side_of(word));
                let turned = |side| board(self.referee).without(&[], side);
                if let Some(board) = side.and_then(turned) {
                    self.add_moves(&board);
                }
            }
            Hole::SealedMove => {
                self.fill(Hole::Move);
                self.add(self.referee.given_castling().map(G::move_text));
            }
            Hole::MoveOnTurn => self.add_moves(&board(self.referee)),
            Hole::Book => self.add_moves_after_line(),
            Hole::Promoted => self.add(match self.language {
                Language::English => ["q", "r", "b", "n"],
                Language::French => ["d", "t", "f", "c"],
            }),
            Hole::AnyPiece => self.add(["q", "r", "b", "n", "k", "p"]),
            Hole::Odds => self.add(["pawn", "knight", "bishop", "rook", "queen"]),
            Hole::Time | Hole::PlusTime | Hole::MinusTime => {}
            Hole::Number | Hole::Points | Hole::Position => {}
            _ => {
                let squares = self.squares(hole);
                self.add(squares.into_iter().map(|square| square.to_string()));
            }
        }
    }

    /// Adds the legal moves in the notation of rulings or, if no move then begins with the typed
    /// text, in the players' notation.
    fn add_moves(&mut self, board: &G) {
        let moves = board.moves();
        let texts: Vec<_> = moves.iter().map(|&m| G::move_text(m)).collect();
        if texts.iter().any(|text| text.starts_with(self.partial)) {
            self.add(texts);
        } else {
            let language = self.language;
            self.add(moves.into_iter().map(|m| board.write_move_in(m, language)));
        }
    }

    fn add_moves_after_line(&mut self) {
        if let Some(ahead) = game_after(self.referee, self.before, self.language) {
            self.add_moves(&board(&ahead));
        }
    }

    fn board_of_subject(&self) -> Option<G> {
        let side = side_of(self.words.first()?)?;
        self.referee.board_of(side).ok()
    }

    fn squares(&self, hole: Hole) -> Vec<G::Square> {
        let board = self.board_of_subject().unwrap_or_else(|| board(self.referee));
        let parts = || board.moves().into_iter().flat_map(|m| board.parts(m));
        let all = || squares::<G>().into_iter();
        let own = |square: &G::Square| board.owner(*square) == Some(board.side());
        let occupied = |square: &G::Square| board.owner(*square).is_some();
        let taken = || parts().filter_map(removed);
        match hole {
            Hole::Occupied => all().filter(occupied).collect(),
            Hole::Own => all().filter(own).collect(),
            Hole::NotOwn => all().filter(|square| !own(square)).collect(),
            Hole::Origin => parts().filter_map(placed).map(|(from, _)| from).collect(),
            Hole::Destination => {
                let origin = self.words.last().and_then(|word| word.parse().ok());
                let placed = parts().filter_map(placed);
                placed.filter(|(from, _)| Some(*from) == origin).map(|(_, to)| to).collect()
            }
            // In draughts any piece may be removed, because the opponent decides whether a wrong
            // removal stands.
            Hole::Removed if self.referee.opponent_decides().is_ok() => {
                taken().chain(all().filter(occupied)).collect()
            }
            Hole::Removed | Hole::Captured => taken().collect(),
            Hole::Mover => board.moves().into_iter().map(G::mover).collect(),
            Hole::MissingRook => {
                let corners = ["a1", "h1", "a8", "h8"].into_iter();
                corners.filter_map(|name| name.parse().ok()).filter(|s| !occupied(s)).collect()
            }
            Hole::Crowned => all().filter(|square| board.can_lack_crown(*square)).collect(),
            _ => Vec::new(),
        }
    }
}

fn placed<S>(part: Part<S>) -> Option<(S, S)> {
    if let Part::Place(from, to) = part { Some((from, to)) } else { None }
}

fn removed<S>(part: Part<S>) -> Option<S> {
    if let Part::Remove(square) = part { Some(square) } else { None }
}

fn board<G: Ruled>(referee: &Referee<G>) -> G {
    referee.board().unwrap_or_else(|| referee.position().clone())
}

/// Returns every square of the board, by parsing the names of all chess and draughts squares.
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
    fn offers_words_moves_and_squares_where_they_are_accepted() {
        let start = referee(Edition::Fide1930, &[]);
        for (line, next) in [
            ("w", "white"),
            (
                "",
                "white black both flags stop start notice decide adjourn resume envelope position king \
                  rook setup odds moves",
            ),
            ("  white re", "release remove refuse resign retract record"),
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
            ("white illegal e2 d3 ", "takes promote and"),
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
            ("game K-01 f", ""),
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
        // The captured piece comes first, then the pieces that the move does not capture.
        let removed = offered(&board, "white remove ");
        assert!(removed.starts_with("23 1 2 ") && !removed.contains(" 19"), "{removed}");
        let chosen = ["moves e2e4 d7d5", "white touch g1", "white touch d5"];
        let choosing = referee(Edition::Fide1930, &chosen);
        assert_eq!(offered(&choosing, "black choose capture "), "d5");
    }

    /// Completion offers every fixed word of every log line at its position. Words with digits or
    /// capitals, such as times, squares and moves, and lines with a position are exempt.
    #[test]
    fn offers_every_fixed_word_of_the_logs() {
        let mut words = 0;
        for file in std::fs::read_dir("epd/laws").expect("the folder is there") {
            let text = std::fs::read_to_string(file.expect("a file").path()).expect("a text");
            let mut referee = AnyReferee::new(Edition::Fide2009, Regulations::default());
            for line in text.lines() {
                match log::LogLine::read(line).expect("checked elsewhere") {
                    log::LogLine::Game(_, edition, rules) => {
                        referee = AnyReferee::new(edition, *rules)
                    }
                    log::LogLine::Event(event) => {
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
