//! Annotates a game record with its analysis.

use super::story::Play;
use super::{Analysed, Seen, Story, points};
use crate::record::games::{Line, Node, Record};
use crate::search::score::Score;

/// The numeric annotation glyphs for the quality of a move, from `!` to `?!`. A move has at most
/// one of these glyphs.
const QUALITY: std::ops::RangeInclusive<u16> = 1..=6;
/// The maximum number of moves shown in an engine line.
pub(super) const MAX_LINE_MOVES: usize = 8;
/// The comment on a book move, the same as in the records of matches.
const BOOK: &str = "book";

/// Annotates the main line of a game. Every move gets a score from White's point of view, such as
/// `[%eval 0.31]`. A move that loses expected points gets a glyph and a variation with the better
/// line. The game gets tags with each player's accuracy and mean loss per move. New scores and
/// glyphs replace existing ones; all other annotations are kept.
pub(crate) fn annotate<G: Analysed>(game: &mut Record<G>, story: &Story<G::Move>) {
    let moves = story.judge(game);
    let mut position = game.start().clone();
    for (ply, judged) in moves.iter().enumerate() {
        let Some(node) = game.node_mut(ply) else { break };
        let next = position.after(node.m);
        if judged.is_book && !node.comments.iter().any(|comment| comment == BOOK) {
            node.comments.insert(0, BOOK.to_owned());
        }
        note(node, judged.loss, eval(&next, story.seen[ply + 1].score));
        if points::sign(judged.loss).is_some() {
            let line = better(&position, &story.seen[ply]);
            // An earlier analysis may already have added this variation.
            let line = line.filter(|line| !node.variations.contains(line));
            node.variations.extend(line);
        }
        position = next;
    }
    for (player, play) in ["White", "Black"].into_iter().zip(Play::of(&moves)) {
        if let Some((accuracy, loss)) = play.means() {
            game.set_tag(&format!("{player}Accuracy"), &format!("{accuracy:.1}"));
            game.set_tag(&format!("{player}Loss"), &format!("{loss:.3}"));
        }
    }
    game.set_tag("Annotator", concat!("Adoube ", env!("CARGO_PKG_VERSION")));
}

fn note<M>(node: &mut Node<M>, loss: f64, eval: String) {
    if let Some(sign) = points::sign(loss) {
        node.nags.retain(|nag| !QUALITY.contains(nag));
        node.nags.insert(0, sign.nag);
    }
    node.comments.retain(|comment| !comment.starts_with("[%eval "));
    node.comments.insert(0, eval);
}

fn better<G: Analysed>(position: &G, seen: &Seen<G::Move>) -> Option<Line<G::Move>> {
    let mut moves: Vec<_> = seen.line.iter().take(MAX_LINE_MOVES).map(|&m| Node::new(m)).collect();
    moves.first_mut()?.comments.push(eval(position, seen.score));
    Some(Line { moves, closing: Vec::new() })
}

fn eval<G: Analysed>(position: &G, score: Score) -> String {
    format!("[%eval {}]", from_white(position, score))
}

/// Converts a score to White's point of view and formats it, in pawns or as the number of moves to
/// mate. `#0` means that the side to move is checkmated.
pub(super) fn from_white<G: Analysed>(position: &G, score: Score) -> String {
    let sign = if position.side().is_white() { 1 } else { -1 };
    match score.mate_in() {
        Some(moves) => format!("#{}", sign * moves),
        None => format!("{:.2}", f64::from(sign * score.centipawns()) / 100.0),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Analyst;
    use super::*;
    use crate::chess::pgn::Reader;
    use crate::chess::{Game, Position};
    use crate::search::limits::Limits;

    fn read(pgn: &str) -> Game {
        Reader::new(pgn.as_bytes()).next().expect("one").expect("a game")
    }

    /// Annotates a game, treating its first `book` moves as book moves.
    fn annotated(pgn: &str, book: usize) -> Game {
        let mut game = read(pgn);
        let mut analyst =
            Analyst::<Position>::new(4, Limits::nodes(20_000), Default::default()).expect("memory");
        let keys: Vec<_> = game.moves().take(book).collect();
        let is_book_move = move |_: &Position, m| keys.contains(&m);
        let story = analyst.story(&game, &(Box::new(is_book_move) as _), &|| {});
        annotate(&mut game, &story);
        game
    }

    #[test]
    fn marks_a_blunder_and_shows_the_better_move() {
        let game = annotated("1. e4 e5 2. Nf3 Nc6 3. Ng5 {too bold} Qxg5 (3... d6 4. Nf3) *", 0);
        let nodes = &game.line().moves;
        assert_eq!(nodes[4].nags, [4], "{game}");
        assert_eq!(nodes[4].variations.len(), 1);
        assert!(nodes[4].comments[0].starts_with("[%eval -"), "{game}");
        assert_eq!(nodes[4].comments[1], "too bold");
        // Existing variations are kept.
        assert_eq!(nodes[5].variations.len(), 1);
        assert!(nodes[..4].iter().all(|node| node.nags.is_empty()), "{game}");
        let number = |tag| game.tag(tag).and_then(|n| n.parse::<f64>().ok()).expect(tag);
        assert!(number("WhiteAccuracy") < 90.0 && number("BlackAccuracy") > 95.0, "{game}");
        assert!(number("WhiteLoss") > 0.05 && number("BlackLoss") < 0.02, "{game}");
    }

    #[test]
    fn weak_first_moves_are_at_most_inaccuracies() {
        for m in ["f3", "g4", "h4", "Na3", "a4"] {
            let game = annotated(&format!("1. {m} *"), 0);
            let nags = &game.line().moves[0].nags;
            assert!(nags.is_empty() || *nags == [6], "{game}");
        }
    }

    #[test]
    fn annotating_twice_changes_nothing() {
        let once = annotated("1. f3 e5 2. g4 Qh4# 0-1", 0);
        let text = once.to_string();
        let words: Vec<&str> = text.split_whitespace().collect();
        let line = words.join(" ");
        assert!(line.contains("2. g4 $4 {[%eval #-1]}"), "{text}");
        assert!(line.contains("Qh4# {[%eval #0]}"), "{text}");
        assert_eq!(once.line().moves[2].nags, [4]);
        assert_eq!(annotated(&text, 0).to_string(), text);
    }

    #[cfg(feature = "board")]
    #[test]
    fn story_is_read_from_the_annotations() {
        let game = annotated("1. e4 e5 2. Nf3 Nc6 3. Ng5 Qxg5 4. d3 Qg6 *", 2);
        let story = Story::from_record(&game).expect("scores");
        let mut again = read("1. e4 e5 2. Nf3 Nc6 3. Ng5 Qxg5 4. d3 Qg6 *");
        annotate(&mut again, &story);
        assert_eq!(again.to_string(), game.to_string());
        assert_eq!(Story::from_record(&read("1. e4 {[%eval 0.3]} e5 *")), None);
    }

    #[test]
    fn never_marks_a_forced_move() {
        let game = annotated("[FEN \"1r6/8/8/8/8/2k5/8/K7 w - - 0 1\"]\n\n1. Ka2 *", 0);
        assert!(
            game.line().moves[0].nags.is_empty() && game.tag("WhiteAccuracy").is_none(),
            "{game}"
        );
    }

    #[test]
    fn marks_book_moves_without_a_glyph() {
        let gambit = "1. e4 e5 2. Qh5 Nc6 3. Qxe5+ *";
        let game = annotated(gambit, 5);
        assert!(game.line().moves.iter().all(|node| node.comments[1] == "book"), "{game}");
        assert!(game.line().moves.iter().all(|node| node.nags.is_empty()), "{game}");
        assert!(game.tag("WhiteAccuracy").is_none(), "{game}");
        assert_eq!(annotated(&game.to_string(), 5).to_string(), game.to_string());
        assert_eq!(annotated(gambit, 4).line().moves[4].nags, [4]);
    }
}
