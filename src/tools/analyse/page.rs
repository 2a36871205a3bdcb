//! The HTML page with analysed games. For each game it shows a graph of expected points, a board
//! with arrows, and a list of turning points.

use super::annotate::{MAX_LINE_MOVES, from_white, nags, remove_analysis};
use super::story::{Judged, Play};
use super::times::times;
use super::{Analysed, Seen, Story, points, visible_text};
use crate::base::game::MoveForm;
use crate::base::side::Side;
use crate::page::{Own, changes, escape, section, with_games};
use crate::record::games::{Line, Record};
use serde::Serialize;

const OWN: Own = Own { style: include_str!("page.css"), script: include_str!("page.js") };
const GAMES: &str = "<div id=\"games\"><noscript>The games need JavaScript.</noscript></div>\n";

#[derive(Clone, Debug)]
pub(crate) struct Page {
    game: &'static str,
    /// A phrase that says how the scores were found.
    source: String,
    data: Data,
}

#[derive(Clone, Debug, Serialize)]
struct Data {
    /// The number of rows on the board, 8 or 10.
    size: usize,
    games: Vec<GameData>,
}

#[derive(Clone, Debug, Serialize)]
struct GameData {
    number: usize,
    white: String,
    black: String,
    result: String,
    event: Option<String>,
    date: Option<String>,
    /// White's and Black's statistics: accuracy in percent, mean loss in expected points, and the
    /// numbers of moves with `??`, `?` and `?!`. `None` if no move of the player was judged.
    players: [Option<(f64, f64, [u32; points::SIGNS.len()])>; 2],
    board: String,
    /// 1 if Black moves first, otherwise 0.
    black_first: usize,
    /// The number of the first move.
    first: u32,
    start: PositionData,
    steps: Vec<MoveData>,
}

#[derive(Clone, Debug, Serialize)]
struct PositionData {
    /// White's expected points.
    #[serde(rename = "w")]
    white: f64,
    /// The score from White's point of view, in pawns or moves to mate.
    #[serde(rename = "e")]
    score: String,
    /// The origin and destination squares of the best move.
    #[serde(rename = "a", skip_serializing_if = "Option::is_none")]
    arrow: Option<[usize; 2]>,
    #[serde(rename = "b", skip_serializing_if = "Vec::is_empty")]
    best: Vec<String>,
    /// The next-best lines with their scores, if the analysis has several lines.
    #[serde(rename = "o", skip_serializing_if = "Vec::is_empty")]
    others: Vec<(String, Vec<String>)>,
}

#[derive(Clone, Debug, Serialize)]
struct MoveData {
    #[serde(rename = "m")]
    text: String,
    /// The squares that the move changes, and their new contents.
    #[serde(rename = "d")]
    changes: String,
    #[serde(rename = "p")]
    arrow: [usize; 2],
    #[serde(flatten)]
    after: PositionData,
    #[serde(rename = "g", skip_serializing_if = "Option::is_none")]
    nag: Option<u16>,
    /// All glyphs of the move, including the glyph added by the analysis.
    #[serde(rename = "n", skip_serializing_if = "Vec::is_empty")]
    nags: Vec<u16>,
    /// The reason why the move is not judged: 1 for a book move, 2 for a forced move. `None` for
    /// judged moves and for null moves.
    #[serde(rename = "k", skip_serializing_if = "Option::is_none")]
    kind: Option<u8>,
    /// The time used for the move, in seconds; `None` if unknown.
    #[serde(rename = "t", skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    #[serde(rename = "c", skip_serializing_if = "Vec::is_empty")]
    comments: Vec<String>,
    /// The variations of the record: alternatives to the move.
    #[serde(rename = "v", skip_serializing_if = "Vec::is_empty")]
    variations: Vec<Vec<VariationMove>>,
}

/// A move in a variation of the record.
#[derive(Clone, Debug, Serialize)]
struct VariationMove {
    #[serde(rename = "m")]
    text: String,
    #[serde(rename = "n", skip_serializing_if = "Vec::is_empty")]
    nags: Vec<u16>,
    /// The comments before the move.
    #[serde(rename = "b", skip_serializing_if = "Vec::is_empty")]
    before: Vec<String>,
    #[serde(rename = "c", skip_serializing_if = "Vec::is_empty")]
    comments: Vec<String>,
    #[serde(rename = "v", skip_serializing_if = "Vec::is_empty")]
    variations: Vec<Vec<Self>>,
}

impl Page {
    /// Creates a page without games. `source` says how the scores were found.
    pub(crate) fn new<G: Analysed>(source: &str) -> Self {
        let (game, size) = if G::SQUARES == 64 { ("Chess", 8) } else { ("Draughts", 10) };
        Self { game, source: source.to_owned(), data: Data { size, games: Vec::new() } }
    }

    pub(crate) fn add<G: Analysed>(&mut self, game: &Record<G>, story: &Story<G::Move>) {
        let number = self.data.games.len() + 1;
        self.data.games.push(GameData::new(number, game, story));
    }

    /// Adds an annotated game. The accuracy and the mean loss are read from the tags that
    /// [`annotate`](super::annotate) wrote, because the scores in the comments do not give them
    /// exactly.
    #[cfg(feature = "board")]
    pub(crate) fn add_annotated<G: Analysed>(&mut self, game: &Record<G>, story: &Story<G::Move>) {
        self.add(game, story);
        let number = |tag: String, max: f64| -> Option<f64> {
            game.tag(&tag)?.parse().ok().filter(|value| (0.0..=max).contains(value))
        };
        let players = self.data.games.last_mut().into_iter().flat_map(|game| &mut game.players);
        for (name, player) in ["White", "Black"].into_iter().zip(players) {
            let Some((accuracy, loss, _)) = player else { continue };
            *accuracy = number(format!("{name}Accuracy"), 100.0).unwrap_or(*accuracy);
            *loss = number(format!("{name}Loss"), 1.0).unwrap_or(*loss);
        }
    }

    pub(crate) fn html(&self) -> String {
        let games = &self.data.games;
        let title = match &games[..] {
            [one] => format!("{} – {}", one.white, one.black),
            [first, rest @ ..] if rest.iter().all(|game| game.event == first.event) => {
                first.event.clone().unwrap_or_else(|| "Analysed games".to_owned())
            }
            _ => "Analysed games".to_owned(),
        };
        let count = if games.len() == 1 { "game" } else { "games" };
        let subtitle = format!("{} · {} {count} · {}", self.game, games.len(), self.source);
        let mut body =
            format!("<header><h1>{}</h1><p>{}</p></header>\n", escape(&title), escape(&subtitle));
        section(&mut body, "Games", GAMES);
        with_games(&title, &body, &self.data, OWN)
    }
}

impl GameData {
    fn new<G: Analysed>(number: usize, game: &Record<G>, story: &Story<G::Move>) -> Self {
        let game = &mut game.clone();
        remove_analysis(game);
        let tag = |name| game.tag(name).map(str::to_owned);
        let mut position = game.start().clone();
        let judged = story.judge(game);
        let players = Play::of(&judged).map(|play| {
            let (accuracy, loss) = play.means()?;
            Some((rounded(accuracy, 1), rounded(loss, 3), play.signs))
        });
        let mut steps = Vec::with_capacity(judged.len());
        let times = times(game);
        let seen = story.seen.iter().zip(&story.seen[1..]);
        for (((node, judged), (before, seen)), seconds) in
            game.line().moves.iter().zip(judged).zip(seen).zip(times)
        {
            let next = position.after(node.m);
            let is_forced = before.is_forced && Some(node.m) != G::NULL_MOVE;
            let (kind, sign) = (kind(judged, is_forced), points::sign(judged.loss));
            steps.push(MoveData {
                text: position.write_move(node.m, MoveForm::Record),
                changes: changes(&position.squares(), &next.squares()),
                arrow: G::arrow(node.m),
                after: PositionData::new(&next, seen),
                nag: sign.map(|sign| sign.nag),
                nags: nags(&node.nags, judged.loss),
                kind,
                seconds,
                comments: visible(node.before.iter().chain(&node.comments)),
                variations: variations(&node.variations, &position),
            });
            position = next;
        }
        if let Some(last) = steps.last_mut() {
            last.comments.extend(visible(&game.line().closing));
        }
        Self {
            number,
            white: tag("White").unwrap_or_else(|| "White".to_owned()),
            black: tag("Black").unwrap_or_else(|| "Black".to_owned()),
            result: game.result.to_string(),
            event: tag("Event"),
            date: tag("Date"),
            players,
            board: game.start().squares(),
            black_first: usize::from(game.start().side() == Side::Black),
            first: game.start().first_number(),
            start: PositionData::new(game.start(), &story.seen[0]),
            steps,
        }
    }
}

impl PositionData {
    fn new<G: Analysed>(position: &G, seen: &Seen<G::Move>) -> Self {
        let text = |line: &[G::Move]| {
            position.write_line(line.iter().take(MAX_LINE_MOVES).copied(), MoveForm::Record)
        };
        let other = |(score, line): &(_, Vec<_>)| (from_white(position, *score), text(line));
        Self {
            white: rounded(seen.score.white_points(position), 3),
            score: from_white(position, seen.score),
            best: text(&seen.line),
            arrow: seen.line.first().map(|&m| G::arrow(m)),
            others: seen.others.iter().map(other).collect(),
        }
    }
}

/// Returns the text of comments without commands for programs.
fn visible<'a>(comments: impl IntoIterator<Item = &'a String>) -> Vec<String> {
    comments.into_iter().filter_map(|comment| visible_text(comment)).collect()
}

fn variations<G: Analysed>(lines: &[Line<G::Move>], start: &G) -> Vec<Vec<VariationMove>> {
    let variation = |line: &Line<G::Move>| {
        let mut position = start.clone();
        let moves = line.moves.iter().map(|node| {
            let m = VariationMove {
                text: position.write_move(node.m, MoveForm::Record),
                nags: node.nags.clone(),
                before: visible(&node.before),
                comments: visible(&node.comments),
                variations: variations(&node.variations, &position),
            };
            position = position.after(node.m);
            m
        });
        let mut moves: Vec<_> = moves.collect();
        if let Some(last) = moves.last_mut() {
            last.comments.extend(visible(&line.closing));
        }
        moves
    };
    lines.iter().map(variation).filter(|moves| !moves.is_empty()).collect()
}

const fn kind(judged: Judged, is_forced: bool) -> Option<u8> {
    match (judged.is_book, is_forced) {
        (true, _) => Some(1),
        (false, true) => Some(2),
        (false, false) => None,
    }
}

fn rounded(value: f64, decimals: i32) -> f64 {
    let power = 10f64.powi(decimals);
    (value * power).round() / power
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::chess::pgn::Reader;
    use crate::search::score::Score;

    #[test]
    fn shows_the_variations_and_glyphs_of_the_record() {
        let text = "1. e4 $1 $14 {the best} (1. d4 {solid} d5 (1... Nf6 $5)) \
                    (1. c4 {[%eval 0.10]} 1... e5 {Adoube}) *";
        let game = Reader::new(text.as_bytes()).next().expect("one").expect("a game");
        let seen = Seen { score: Score(0), line: vec![], others: vec![], is_forced: true };
        let story = Story { seen: vec![seen.clone(), seen], book: 0, puzzles: vec![] };
        let mut page = Page::new::<Position>("0 nodes");
        page.add::<Position>(&game, &story);
        let step = serde_json::to_value(&page.data.games[0].steps[0]).expect("JSON");
        assert_eq!(step["n"], serde_json::json!([1, 14]));
        let variations = serde_json::json!([[
            { "m": "d4", "c": ["solid"] },
            { "m": "d5", "v": [[{ "m": "Nf6", "n": [5] }]] },
        ]]);
        assert_eq!(step["v"], variations);
    }

    #[test]
    fn a_null_move_is_not_the_only_legal_move() {
        let game = Reader::new("1. e4 -- *".as_bytes()).next().expect("one").expect("a game");
        let seen = Seen { score: Score(0), line: vec![], others: vec![], is_forced: true };
        let story = Story { seen: vec![seen; 3], book: 0, puzzles: vec![] };
        let mut page = Page::new::<Position>("0 nodes");
        page.add::<Position>(&game, &story);
        let kinds = page.data.games[0].steps.iter().map(|step| step.kind);
        assert_eq!(kinds.collect::<Vec<_>>(), [Some(2), None]);
    }
}
