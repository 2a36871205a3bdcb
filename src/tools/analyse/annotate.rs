//! Annotates a game record with its analysis.

use super::story::Play;
use super::{Analysed, Story, points};
use crate::record::games::{Line, Node, Record};
use crate::search::score::Score;

/// The numeric annotation glyphs for the quality of a move, from `!` to `?!`. A move has at most
/// one of these glyphs.
const QUALITY: std::ops::RangeInclusive<u16> = 1..=6;
/// The beginning of a score in a comment.
const EVAL: &str = "[%eval ";
/// The maximum number of moves shown in an engine line.
pub(super) const MAX_LINE_MOVES: usize = 8;
/// The comment on a book move, the same as in the records of matches.
const BOOK: &str = "book";
/// The comment at the end of each variation that an analysis adds, whichever engine it uses. A
/// later analysis recognises such variations by this comment.
pub(super) const AUTHOR: &str = "Adoube";

/// Annotates the main line of a game. Every move gets a score from White's point of view, such as
/// `[%eval 0.31]`. A move that loses enough expected points (see [`points::SIGNS`]) gets a glyph
/// and a variation with the better line, or several variations if the analysis has several lines.
/// The game gets tags with each player's accuracy and mean loss per move. New scores and glyphs
/// replace existing ones, and the variations of an earlier analysis are removed. All other
/// annotations are kept. `engine` is the name of the engine that searched, if it was not Adoube.
pub(crate) fn annotate<G: Analysed>(
    game: &mut Record<G>,
    story: &Story<G::Move>,
    engine: Option<&str>,
) {
    remove_analysis(game);
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
            let lines = story.seen[ply].lines();
            let better = lines.filter(|(_, line)| line.first() != Some(&node.m));
            let better = better.filter_map(|(score, line)| variation(&position, score, line));
            node.variations.extend(better);
        }
        position = next;
    }
    for (player, play) in ["White", "Black"].into_iter().zip(Play::of(&moves)) {
        let tags = [format!("{player}Accuracy"), format!("{player}Loss")];
        match play.means() {
            Some((accuracy, loss)) => {
                game.set_tag(&tags[0], &format!("{accuracy:.1}"));
                game.set_tag(&tags[1], &format!("{loss:.3}"));
            }
            None => tags.iter().for_each(|tag| game.remove_tag(tag)),
        }
    }
    const PROGRAM: &str = concat!("Adoube ", env!("CARGO_PKG_VERSION"));
    let annotator = engine.map(|engine| format!("{engine}, {PROGRAM}"));
    game.set_tag("Annotator", annotator.as_deref().unwrap_or(PROGRAM));
}

/// Removes the variations that an earlier analysis added to the main line, and the glyphs that it
/// added with them.
pub(super) fn remove_analysis<G: Analysed>(game: &mut Record<G>) {
    for ply in 0..game.line().moves.len() {
        let Some(node) = game.node_mut(ply) else { break };
        let before = node.variations.len();
        node.variations.retain(|line| !is_by_analysis(line));
        if node.variations.len() < before {
            node.nags.retain(|nag| points::SIGNS.iter().all(|sign| sign.nag != *nag));
        }
    }
}

/// Returns whether an analysis added this variation and nobody has edited it since. Such a
/// variation begins with a score, ends with [`AUTHOR`], and has no other annotations.
pub(crate) fn is_by_analysis<M>(line: &Line<M>) -> bool {
    let is_plain = |node: &Node<M>| {
        node.before.is_empty() && node.nags.is_empty() && node.variations.is_empty()
    };
    let (Some(first), Some(last)) = (line.moves.first(), line.moves.last()) else { return false };
    let is_scored = first.comments.first().is_some_and(|comment| comment.starts_with(EVAL));
    let comments = line.moves.iter().map(|node| node.comments.len()).sum::<usize>();
    is_scored
        && last.comments.last().is_some_and(|comment| comment == AUTHOR)
        && comments + line.closing.len() == 2
        && line.moves.iter().all(is_plain)
}

/// Returns the glyphs of an analysed move. If the move loses enough for a glyph, this glyph
/// replaces the existing glyphs for the quality of the move.
pub(super) fn nags(existing: &[u16], loss: f64) -> Vec<u16> {
    let Some(sign) = points::sign(loss) else { return existing.to_vec() };
    let others = existing.iter().copied().filter(|nag| !QUALITY.contains(nag));
    std::iter::once(sign.nag).chain(others).collect()
}

fn note<M>(node: &mut Node<M>, loss: f64, eval: String) {
    node.nags = nags(&node.nags, loss);
    let others = node.comments.iter().filter_map(|comment| without_eval(comment));
    node.comments = std::iter::once(eval).chain(others).collect();
}

/// Removes the scores from a comment. Returns `None` if nothing remains.
fn without_eval(comment: &str) -> Option<String> {
    let mut rest = comment.to_owned();
    while let Some((before, (_, after))) =
        rest.split_once(EVAL).and_then(|(before, after)| Some((before, after.split_once(']')?)))
    {
        rest = format!("{} {}", before.trim_end(), after.trim_start()).trim().to_owned();
    }
    (!rest.is_empty()).then_some(rest)
}

fn variation<G: Analysed>(position: &G, score: Score, line: &[G::Move]) -> Option<Line<G::Move>> {
    let mut moves: Vec<_> = line.iter().take(MAX_LINE_MOVES).map(|&m| Node::new(m)).collect();
    moves.first_mut()?.comments.push(eval(position, score));
    moves.last_mut()?.comments.push(AUTHOR.to_owned());
    Some(Line { moves, closing: Vec::new() })
}

fn eval<G: Analysed>(position: &G, score: Score) -> String {
    format!("{EVAL}{}]", from_white(position, score))
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
    use super::super::{Analyst, Seen};
    use super::*;
    use crate::base::game::{Game as _, MoveForm};
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
        let story = story.expect("a story");
        annotate(&mut game, &story, None);
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

    /// Annotates a game with the given scores and lines for the first position.
    fn annotate_first(game: &mut Game, lines: &[(i32, &str)], after: i32) {
        let read = |&(score, line): &(i32, &str)| {
            let mut position = Position::start();
            let moves = line.split(' ').map(|text| {
                let m = position.read_move(text, MoveForm::Record).expect("a move");
                position = position.after(m);
                m
            });
            (Score(score), moves.collect())
        };
        let mut lines = lines.iter().map(read);
        let (score, line) = lines.next().expect("a line");
        let first = Seen { score, line, others: lines.collect(), is_forced: false };
        let last = Seen { score: Score(after), line: vec![], others: vec![], is_forced: false };
        annotate(game, &Story { seen: vec![first, last], book: 0, puzzles: vec![] }, None);
    }

    #[test]
    fn replaces_only_the_variations_of_an_earlier_analysis() {
        let mut game =
            read("1. g4 $1 $14 {[%eval 0.3] [%clk 0:10:00] bold} (1. d4 {[%eval 0.20]} d5) *");
        annotate_first(&mut game, &[(30, "e4 e5 Nf3"), (20, "g4"), (10, "c4")], 300);
        let text = "1. g4 $4 $14 {[%eval -3.00]} {[%clk 0:10:00] bold} (1. d4 {[%eval 0.20]} 1... d5) \
                    (1. e4 {[%eval 0.30]} 1... e5 2. Nf3 {Adoube}) (1. c4 {[%eval 0.10]} {Adoube}) *";
        assert_eq!(game.to_string(), annotated_as(&game, text));
        annotate_first(&mut game, &[(30, "e4 c5")], 120);
        let text = "1. g4 $2 $14 {[%eval -1.20]} {[%clk 0:10:00] bold} (1. d4 {[%eval 0.20]} 1... d5) \
                    (1. e4 {[%eval 0.30]} 1... c5 {Adoube}) *";
        assert_eq!(game.to_string(), annotated_as(&game, text));
        // A variation that the user has extended or commented on is not replaced.
        for edited in [("c5 {Adoube}", "c5 {Adoube} 2. c3"), ("c5 {Adoube}", "c5 {Adoube} {why?}")]
        {
            let mut edited = read(&game.to_string().replace(edited.0, edited.1));
            annotate_first(&mut edited, &[(0, "g4")], 0);
            assert_eq!(edited.line().moves[0].variations.len(), 2, "{edited}");
        }
        // The move no longer loses anything.
        annotate_first(&mut game, &[(0, "g4")], 0);
        let text =
            "1. g4 $14 {[%eval 0.00]} {[%clk 0:10:00] bold} (1. d4 {[%eval 0.20]} 1... d5) *";
        assert_eq!(game.to_string(), annotated_as(&game, text));
    }

    /// Returns a game with the tags of `game` and these moves.
    fn annotated_as(game: &Game, moves: &str) -> String {
        let text = game.to_string();
        let (tags, _) = text.split_once("\n\n").expect("tags");
        read(&format!("{tags}\n\n{moves}")).to_string()
    }

    #[cfg(feature = "board")]
    #[test]
    fn story_is_read_from_the_annotations() {
        // Only the moves are compared: the scores do not give small losses exactly, so the accuracy
        // in the tags may differ.
        let game = annotated("1. e4 e5 2. Nf3 Nc6 3. Ng5 Qxg5 *", 2);
        let story = Story::from_record(&game).expect("scores");
        let mut again = read("1. e4 e5 2. Nf3 Nc6 3. Ng5 Qxg5 *");
        annotate(&mut again, &story, None);
        assert_eq!(again.line(), game.line());
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
