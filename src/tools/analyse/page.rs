//! The HTML page with analysed games. For each game it shows a graph of expected points, a board
//! with arrows, and a list of turning points.

use super::annotate::{MAX_LINE_MOVES, from_white};
use super::story::{Judged, Play};
use super::times::times;
use super::{Analysed, Seen, Story, points, visible_text};
use crate::base::game::MoveForm;
use crate::base::side::Side;
use crate::page::{Own, changes, escape, section, with_games};
use crate::record::games::Record;
use serde::Serialize;

const OWN: Own = Own { style: include_str!("page.css"), script: include_str!("page.js") };
const GAMES: &str = "<div id=\"games\"><noscript>The games need JavaScript.</noscript></div>\n";

#[derive(Clone, Debug)]
pub(crate) struct Page {
    game: &'static str,
    limits: String,
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
    /// The reason why the move is not judged: 1 for a book move, 2 for the only legal move.
    #[serde(rename = "k", skip_serializing_if = "Option::is_none")]
    kind: Option<u8>,
    /// The time used for the move, in seconds; `None` if unknown.
    #[serde(rename = "t", skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    #[serde(rename = "c", skip_serializing_if = "Vec::is_empty")]
    comments: Vec<String>,
}

impl Page {
    pub(crate) fn new<G: Analysed>(limits: &str) -> Self {
        let (game, size) = if G::SQUARES == 64 { ("Chess", 8) } else { ("Draughts", 10) };
        Self { game, limits: limits.to_owned(), data: Data { size, games: Vec::new() } }
    }

    pub(crate) fn add<G: Analysed>(&mut self, game: &Record<G>, story: &Story<G::Move>) {
        let number = self.data.games.len() + 1;
        self.data.games.push(GameData::new(number, game, story));
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
        let subtitle =
            format!("{} · {} {count} · {} a position", self.game, games.len(), self.limits);
        let mut body =
            format!("<header><h1>{}</h1><p>{}</p></header>\n", escape(&title), escape(&subtitle));
        section(&mut body, "Games", GAMES);
        with_games(&title, &body, &self.data, OWN)
    }
}

impl GameData {
    fn new<G: Analysed>(number: usize, game: &Record<G>, story: &Story<G::Move>) -> Self {
        let tag = |name| game.tag(name).map(str::to_owned);
        let mut position = game.start().clone();
        let judged = story.judge(game);
        let players = Play::of(&judged).map(|play| {
            let (accuracy, loss) = play.means()?;
            Some((rounded(accuracy, 1), rounded(loss, 3), play.signs))
        });
        let mut steps = Vec::with_capacity(judged.len());
        let times = times(game);
        for (((node, judged), seen), seconds) in
            game.line().moves.iter().zip(judged).zip(&story.seen[1..]).zip(times)
        {
            let next = position.after(node.m);
            let (kind, sign) = (kind(judged), points::sign(judged.loss));
            steps.push(MoveData {
                text: position.write_move(node.m, MoveForm::Record),
                changes: changes(&position.squares(), &next.squares()),
                arrow: G::arrow(node.m),
                after: PositionData::new(&next, seen),
                nag: sign.map(|sign| sign.nag),
                kind,
                seconds,
                comments: node
                    .comments
                    .iter()
                    .filter_map(|comment| visible_text(comment))
                    .collect(),
            });
            position = next;
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
        let moves = seen.line.iter().take(MAX_LINE_MOVES).copied();
        Self {
            white: rounded(seen.score.white_points(position), 3),
            score: from_white(position, seen.score),
            best: position.write_line(moves, MoveForm::Record),
            arrow: seen.line.first().map(|&m| G::arrow(m)),
        }
    }
}

const fn kind(judged: Judged) -> Option<u8> {
    match (judged.is_book, judged.counts) {
        (true, _) => Some(1),
        (false, false) => Some(2),
        (false, true) => None,
    }
}

fn rounded(value: f64, decimals: i32) -> f64 {
    let power = 10f64.powi(decimals);
    (value * power).round() / power
}
