//! Draws the full-screen view.

use super::state::{Row, State};
use crate::arena::game::contest::Contest;
use crate::arena::show::live::{Live, LiveGame};
use crate::arena::stats::MIN_GAMES;
use crate::base::side::Side;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Gauge, Paragraph, Wrap};
use std::time::Instant;

const LIGHT: Color = Color::Rgb(214, 190, 150);
const DARK: Color = Color::Rgb(139, 101, 70);
const WHITE: Color = Color::Rgb(255, 255, 250);
const BLACK: Color = Color::Rgb(15, 12, 10);

/// The minimum terminal width, in columns, at which standings and messages are placed to the right
/// of the boards.
const WIDE: u16 = 120;

/// The minimum height of the message area below the boards, in lines, including the frame.
const MIN_MESSAGE_LINES: u16 = 5;

pub(super) fn draw<G: Contest>(frame: &mut Frame<'_>, state: &State, live: &Live<G>) {
    let [head, gauge, rest] =
        Layout::vertical([Constraint::Length(1), Constraint::Length(1), Constraint::Fill(1)])
            .areas(frame.area());
    let end = if state.interrupted {
        "finishing: q aborts the running games"
    } else {
        "q ends the match"
    };
    let keys = Span::styled(end, Style::new().add_modifier(Modifier::DIM));
    let keys = Line::from(keys);
    let [head, right] =
        Layout::horizontal([Constraint::Fill(1), Constraint::Length(keys.width() as u16)])
            .spacing(2)
            .areas(head);
    frame.render_widget(whole_items(&state.headline, head.width.into()), head);
    frame.render_widget(keys, right);
    let progress = (state.played as f64 / state.games.max(1) as f64).clamp(0.0, 1.0);
    let label = format!("{}/{}  {:.1} games/min", state.played, state.games, state.speed());
    let bar =
        Gauge::default().ratio(progress).label(label).gauge_style(Style::new().fg(Color::Blue));
    frame.render_widget(bar, gauge);
    let rows = Constraint::Length((state.rows.len() as u16 + 2).min(frame.area().height / 3));
    let (standings, boards, messages) = if rest.width >= WIDE {
        let side = Constraint::Length((rest.width / 3).clamp(60, 90));
        let [boards, side] = Layout::horizontal([Constraint::Fill(1), side]).areas(rest);
        let [standings, messages] = Layout::vertical([rows, Constraint::Fill(1)]).areas(side);
        (standings, boards, messages)
    } else {
        let [standings, below] = Layout::vertical([rows, Constraint::Fill(1)]).areas(rest);
        let room = Rect { height: below.height.saturating_sub(MIN_MESSAGE_LINES), ..below };
        // If not even one row of boards fits, the boards also get the lines of the messages.
        let room = if Tiling::of(live, room).rows == 0 { below } else { room };
        let used = Constraint::Length(Tiling::of(live, room).used_height(live.games.len()));
        let [boards, messages] = Layout::vertical([used, Constraint::Fill(1)]).areas(below);
        (standings, boards, messages)
    };
    draw_standings(frame, state, standings);
    draw_boards(frame, state, live, boards);
    draw_messages(frame, state, messages);
}

fn draw_standings(frame: &mut Frame<'_>, state: &State, area: Rect) {
    let width = usize::from(area.width.saturating_sub(48)).clamp(6, 30);
    let line = |(place, row): (usize, &Row)| {
        let Row { engine, games, points, score, elo, error } = row;
        let name = padded(&state.engines[*engine], width);
        let score = if *games == 0 { "–".to_owned() } else { format!("{:.1}%", 100.0 * score) };
        let few = *games < MIN_GAMES;
        let elo = if few { "–".to_owned() } else { format!("{elo:+.1} ±{error:.1}") };
        let place = place + 1;
        Line::from(format!("{place:>2} {name} {points:>7}/{games:<6} {score:>6}  {elo:>14}"))
    };
    let lines: Vec<Line<'_>> = state.rows.iter().enumerate().map(line).collect();
    frame.render_widget(Paragraph::new(lines).block(Block::bordered().title("standings")), area);
}

/// Returns the width on the terminal, in columns.
fn width(text: &str) -> usize {
    Span::raw(text).width()
}

/// Shortens a text to this number of columns. A shortened text ends with `…`.
fn shortened(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut short = String::new();
    for c in text.chars() {
        if width(&short) + width(c.encode_utf8(&mut [0; 4])) >= columns {
            break;
        }
        short.push(c);
    }
    short + "…"
}

/// Shortens or pads a text to exactly this number of columns.
fn padded(text: &str, columns: usize) -> String {
    let text = shortened(text, columns);
    let space = columns.saturating_sub(width(&text));
    text + &" ".repeat(space)
}

/// Shortens a headline to this number of columns. The headline is cut only between items, because
/// half a number would be misleading.
fn whole_items(headline: &str, columns: usize) -> String {
    let fits = |text: &str| width(text) + 2 <= columns;
    if width(headline) <= columns {
        return headline.to_owned();
    }
    let ends = headline.match_indices("  ").chain(headline.match_indices(", "));
    // An LLR and its bounds in brackets are one item.
    let whole = |text: &&str| text.matches('(').count() == text.matches(')').count();
    let cuts = ends.filter_map(|(at, _)| headline.get(..at)).filter(whole).filter(|t| fits(t));
    match cuts.max_by_key(|text| text.len()) {
        Some(text) => format!("{text} …"),
        None => shortened(headline, columns),
    }
}

/// Draws the newest messages that fit, newest first, with a frame if there is space for one.
fn draw_messages(frame: &mut Frame<'_>, state: &State, area: Rect) {
    let newest = state.messages.iter().rev().take(area.height.into());
    let lines: Vec<Line<'_>> = newest.map(|line| Line::from(line.as_str())).collect();
    let text = Paragraph::new(lines).wrap(Wrap { trim: true });
    let framed = area.height > 2;
    let text = if framed { text.block(Block::bordered().title("last games")) } else { text };
    frame.render_widget(text, area);
}

/// The arrangement of the boards in an area of the terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Tiling {
    /// Height of a square in lines. Its width in characters is twice this number.
    scale: u16,
    /// Number of boards side by side.
    columns: u16,
    /// Number of rows of boards.
    rows: u16,
    /// Width of a board in characters, including its frame.
    width: u16,
    /// Height of a board in lines, including its frame and a line for each player.
    height: u16,
}

impl Tiling {
    fn of<G: Contest>(live: &Live<G>, area: Rect) -> Self {
        Self::in_area(live.games.len(), if G::SQUARES == 64 { 8 } else { 10 }, area)
    }

    /// Chooses the largest square size at which all boards fit, or the smallest size if the boards
    /// do not fit at any size. The boards are widened to fill the width of the area.
    fn in_area(boards: usize, size: u16, area: Rect) -> Self {
        let at = |scale: u16| {
            let (width, height) = ((2 * size * scale + 2).max(28), size * scale + 4);
            let (columns, rows) = ((area.width / width).max(1), area.height / height);
            let used = columns.min(u16::try_from(boards).unwrap_or(columns)).max(1);
            let width = (area.width / used).clamp(width, MAX_WIDTH.max(width)).min(area.width);
            Self { scale, columns, rows, width, height }
        };
        let fits = |tiling: &Self| usize::from(tiling.columns) * usize::from(tiling.rows) >= boards;
        (1..=MAX_SCALE).rev().map(at).find(fits).unwrap_or_else(|| at(1))
    }

    /// Returns the number of lines that this many boards occupy.
    fn used_height(&self, boards: usize) -> u16 {
        let rows = boards.div_ceil(usize::from(self.columns)).min(self.rows.into());
        self.height * rows as u16
    }
}

const MAX_SCALE: u16 = 3;
/// Maximum width of a board in characters, unless its squares need more space.
const MAX_WIDTH: u16 = 60;

/// Draws as many of the running games as fit.
fn draw_boards<G: Contest>(frame: &mut Frame<'_>, state: &State, live: &Live<G>, area: Rect) {
    let Tiling { scale, columns, rows, width, height } = Tiling::of(live, area);
    let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    for ((row, column), (number, game)) in places.zip(&live.games) {
        let place = Rect::new(area.x + column * width, area.y + row * height, width, height);
        draw_board(frame, state, (*number, game), scale, place.intersection(area));
    }
}

fn draw_board<G: Contest>(
    frame: &mut Frame<'_>,
    state: &State,
    (number, game): (usize, &LiveGame<G>),
    scale: u16,
    area: Rect,
) {
    let now = Instant::now();
    let player = |side: Side| {
        let is_to_move = game.position.side() == side;
        let clock = game.clock(side, now).map(|left| format!("{:.1}s ", left.as_secs_f64()));
        let mark = if is_to_move { "▶ " } else { "  " };
        let name = &state.engines[game.players[side.index()]];
        let thought = game.thought_text(side);
        let numbers = format!("{mark}{}{thought} ", clock.unwrap_or_default());
        let rest = usize::from(area.width.saturating_sub(2)).saturating_sub(width(&numbers));
        let line = numbers + &shortened(name, rest);
        let weight = if is_to_move { Modifier::BOLD } else { Modifier::empty() };
        Line::styled(line, Style::new().add_modifier(weight))
    };
    let mut lines = vec![player(Side::Black)];
    lines.extend(rows(&game.position.squares(), scale));
    lines.push(player(Side::White));
    let title = format!("game {number}  {}", game.last_move().unwrap_or_default());
    let inside = Block::bordered().title(title);
    frame.render_widget(Paragraph::new(lines).block(inside), area);
}

fn is_chess(squares: &str) -> bool {
    squares.chars().count() == 64
}

/// Draws a board. Each square is `2 * scale` characters wide and `scale` lines high.
fn rows(squares: &str, scale: u16) -> Vec<Line<'static>> {
    let chess = is_chess(squares);
    let squares: Vec<char> = squares.chars().collect();
    let size = if chess { 8 } else { 10 };
    let width = 2 * usize::from(scale);
    let row = |row: usize, has_pieces: bool| {
        let square = |column: usize| {
            let dark = (row + column) % 2 == 1;
            let style = Style::new().bg(if dark { DARK } else { LIGHT });
            let at = match (chess, dark) {
                (true, _) => Some(8 * row + column),
                (false, true) => Some(5 * row + column / 2),
                (false, false) => None,
            };
            let piece = at.and_then(|at| squares.get(at)).copied();
            let Some(c) = piece.filter(|&c| c != '.' && has_pieces) else {
                return Span::styled(" ".repeat(width), style);
            };
            let (white, sign) = match (chess, c.is_ascii_uppercase()) {
                (true, white) => (white, glyph(c)),
                (false, is_king) => (c.eq_ignore_ascii_case(&'w'), if is_king { '◉' } else { '●' }),
            };
            // Place the glyph left of the middle, because in many fonts chess glyphs are wider than
            // a cell.
            let text = format!("{}{sign}{}", " ".repeat(width / 2 - 1), " ".repeat(width / 2));
            Span::styled(text, style.fg(if white { WHITE } else { BLACK }))
        };
        Line::from((0..size).map(square).collect::<Vec<_>>())
    };
    let middle = (scale - 1) / 2;
    (0..size)
        .flat_map(|r| (0..scale).map(move |line| (r, line == middle)))
        .map(|(r, p)| row(r, p))
        .collect()
}

const fn glyph(piece: char) -> char {
    match piece.to_ascii_lowercase() {
        'k' => '♚',
        'q' => '♛',
        'r' => '♜',
        'b' => '♝',
        'n' => '♞',
        _ => '♟',
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::arena::engine::answer::{ReportedScore, Thought};
    use crate::arena::game::PlayedMove;
    use crate::arena::game::openings::Opening;
    use crate::arena::show::watch::{MadeMove, MatchEvent};
    use crate::arena::tournament::schedule::Pairing;
    use crate::{chess, draughts};
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use std::time::Duration;

    /// Returns two running games, numbered 3 and 4. White has made one move in each.
    fn live<G: Contest>(start: &G) -> Live<G> {
        let mut live = Live::default();
        let opening = Opening { start: start.clone(), moves: Vec::new() };
        let (m, elapsed) = (start.moves()[0], Duration::ZERO);
        let thought =
            Thought { score: Some(ReportedScore::Centipawns(25)), depth: 9, ..Thought::default() };
        let played = PlayedMove { m, elapsed, left: None, thought, restarted: None };
        let clocks = [Some(Duration::from_secs(7)), None];
        for (game, white, black) in [(2, 0, 1), (3, 1, 0)] {
            let pairing = Pairing { game, opening: 0, white, black };
            live.see(&MatchEvent::GameStarted(&pairing, &opening));
            let after = start.after(m);
            let made = MadeMove { before: start, after: &after, played: &played, clocks };
            live.see(&MatchEvent::Moved(&pairing, made));
        }
        live
    }

    fn picture<G: Contest>(start: &G, state: &State, width: u16, height: u16) -> String {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| draw(frame, state, &live(start))).unwrap();
        let buffer = terminal.backend().buffer().clone();
        let row = |row: &[ratatui::buffer::Cell]| {
            row.iter().map(|cell| cell.symbol()).collect::<String>()
        };
        buffer.content.chunks(width.into()).map(row).collect::<Vec<_>>().join("\n")
    }

    fn state() -> State {
        let mut state = State::new(vec!["first".into(), "second".into()], 10);
        state.add_message("game 1, first – second: checkmate");
        state
    }

    #[test]
    fn draws_boards_clocks_scores_and_messages() {
        let text = picture(&chess::Position::start(), &state(), 80, 24);
        for part in [
            "game 3  1. ",
            "game 4",
            "♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜",
            "7.0s +0.25 depth 9 first",
            "▶  second",
            "standings",
            "game 1, first – second: checkmate",
            "0/10",
            "q ends the match",
        ] {
            assert!(text.contains(part), "no {part} in\n{text}");
        }
        let text = picture(&draughts::Position::start(), &state(), 80, 40);
        assert_eq!(text.matches('●').count(), 2 * 40, "{text}");
    }

    #[test]
    fn wide_terminals_have_larger_boards_and_standings_next_to_them() {
        let text = picture(&chess::Position::start(), &state(), 200, 50);
        // Two boards with squares six characters wide, and the standings next to the boards.
        assert!(text.contains("♜     ♞     ♝     ♛     ♚     ♝     ♞     ♜"), "{text}");
        let row = text.lines().find(|line| line.contains("game 3")).unwrap();
        assert!(row.contains("game 4") && row.contains("standings"), "{text}");
        let column =
            |part| text.lines().find_map(|line| line.split(part).next().filter(|l| *l != line));
        let beside = column("game 1, first").unwrap().chars().count();
        assert!(beside >= 120, "{text}");
    }

    #[test]
    fn boards_share_the_width() {
        let area = |width, height| Rect::new(0, 0, width, height);
        let of = |boards, width, height| {
            let Tiling { scale, columns, rows, width, .. } =
                Tiling::in_area(boards, 8, area(width, height));
            (scale, columns, rows, width)
        };
        assert_eq!(of(1, 80, 30), (3, 1, 1, 60));
        assert_eq!(of(2, 80, 30), (2, 2, 1, 40));
        assert_eq!(of(2, 80, 14), (1, 2, 1, 40));
        assert_eq!(of(9, 80, 14), (1, 2, 1, 40), "not all boards fit");
        assert_eq!(of(1, 10, 5), (1, 1, 0, 10));
    }

    #[test]
    fn draws_at_any_terminal_size() {
        let (mut state, start) = (state(), chess::Position::start());
        for width in [1, 5, 20, 27, 60, 300] {
            for height in [1, 2, 5, 12, 24, 100] {
                picture(&start, &state, width, height);
            }
        }
        state.interrupted = true;
        assert!(picture(&start, &state, 80, 30).contains("aborts the running games"));
    }

    /// Returns the state of a match between six engines with long names. The numbers in their
    /// standings have different widths.
    fn crowd() -> State {
        let name = |n: usize| match n {
            5 => "引擎".repeat(12),
            _ => format!("Engine number {n} with a very long name, version 1.{n}"),
        };
        let mut state = State::new((0..6).map(name).collect(), 300);
        state.headline =
            (0..6).map(|n| format!("Engine {n} 1{n}½/2{n}")).collect::<Vec<_>>().join("  ");
        let row = |engine: usize| Row {
            engine,
            games: [12_345, 100, 99, 10, 9, 0][engine],
            points: ["12344½", "87½", "50", "5", "½", "0"][engine].to_owned(),
            score: [1.0, 0.875, 0.505, 0.5, 0.055, 0.5][engine],
            elo: [1234.5, 212.3, 3.4, 0.0, 0.0, 0.0][engine],
            error: [345.6, 56.7, 48.9, 190.1, 0.0, 0.0][engine],
        };
        state.rows = (0..6).map(row).collect();
        state.add_message("game 299, Engine number 0 – Engine number 1: checkmate");
        state
    }

    #[test]
    fn standings_of_six_engines_are_whole() {
        for (width, height) in [(80, 24), (100, 30), (110, 30), (120, 40), (200, 50)] {
            let text = picture(&chess::Position::start(), &crowd(), width, height);
            let lines: Vec<&str> = text.lines().collect();
            let expected = [
                ("│ 1 Engine", "12344½/12345  100.0%  +1234.5 ±345.6 "),
                ("│ 2 Engine", "87½/100     87.5%    +212.3 ±56.7 "),
                ("│ 3 Engine", "50/99      50.5%      +3.4 ±48.9 "),
                ("│ 4 Engine", "5/10      50.0%     +0.0 ±190.1 "),
                ("│ 5 Engine", "½/9        5.5%               – "),
                ("│ 6 引", "0/0           –               – "),
            ];
            let slash = |(start, numbers): &(&str, &str)| {
                let line = lines.iter().find(|line| line.contains(start));
                let line = line.unwrap_or_else(|| panic!("no {start} in\n{text}"));
                assert!(line.contains(numbers), "{width}x{height}: no {numbers} in\n{text}");
                line.rsplit_once('/').unwrap().0.chars().count()
            };
            let slashes: Vec<usize> = expected.iter().map(slash).collect();
            assert!(slashes.iter().all(|at| *at == slashes[0]), "{slashes:?}\n{text}");
            for part in ["game 3", "game 4", "♜", "game 299", "q ends the match", "0/300"] {
                assert!(text.contains(part), "{width}x{height}: no {part} in\n{text}");
            }
            // The headline ends with a whole item.
            let head = lines[0].split("q ends").next().unwrap().trim_end();
            let last = head.trim_end_matches(" …");
            assert!((0..6).any(|n| last.ends_with(&format!("Engine {n} 1{n}½/2{n}"))), "{head}");
        }
    }

    #[test]
    fn headlines_end_with_a_whole_item() {
        let duel = "first – second: +10 =20 -3 60.6%, Elo +75.3 ±60.1, LLR 1.23 (-2.94, 2.94)";
        assert_eq!(whole_items(duel, 80), duel);
        for width in [60, 72] {
            let cut = whole_items(duel, width);
            assert_eq!(cut, "first – second: +10 =20 -3 60.6%, Elo +75.3 ±60.1 …");
        }
        assert_eq!(whole_items(duel, 40), "first – second: +10 =20 -3 60.6% …");
        assert_eq!(whole_items("a 1/2  b 1/2", 12), "a 1/2  b 1/2");
        assert_eq!(whole_items("a 1/2  b 1/2", 11), "a 1/2 …");
        assert_eq!(padded("引擎引擎", 6), "引擎… ");
        assert_eq!(padded("ab", 4), "ab  ");
    }
}
