//! Draws the full-screen view.

use super::state::{Board, Row, State};
use adoube::base::side::Side;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Gauge, Paragraph};
use std::time::Instant;

const LIGHT: Color = Color::Rgb(214, 190, 150);
const DARK: Color = Color::Rgb(139, 101, 70);
const WHITE: Color = Color::Rgb(255, 255, 250);
const BLACK: Color = Color::Rgb(15, 12, 10);

/// Draws a state.
pub fn draw(frame: &mut Frame<'_>, state: &State) {
    let rows = state.rows.len() as u16 + 2;
    let [head, gauge, standings, boards, messages] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Length(1),
        Constraint::Length(rows.min(frame.area().height / 3)),
        Constraint::Fill(1),
        Constraint::Length(5),
    ])
    .areas(frame.area());
    let end = if state.interrupted {
        "ending: q breaks the running games off"
    } else {
        "q ends the match"
    };
    let keys = Span::styled(end, Style::new().add_modifier(Modifier::DIM));
    frame.render_widget(Line::from(state.headline.as_str()), head);
    frame.render_widget(Line::from(keys).right_aligned(), head);
    let share = (state.played as f64 / state.games.max(1) as f64).clamp(0.0, 1.0);
    let label = format!("{}/{}  {:.1} games/min", state.played, state.games, state.speed());
    let bar = Gauge::default().ratio(share).label(label).gauge_style(Style::new().fg(Color::Blue));
    frame.render_widget(bar, gauge);
    draw_standings(frame, state, standings);
    draw_boards(frame, state, boards);
    let height = usize::from(messages.height.saturating_sub(2));
    let skipped = state.messages.len().saturating_sub(height);
    let lines: Vec<Line<'_>> =
        state.messages.iter().skip(skipped).map(|line| Line::from(line.as_str())).collect();
    frame.render_widget(
        Paragraph::new(lines).block(Block::bordered().title("last games")),
        messages,
    );
}

fn draw_standings(frame: &mut Frame<'_>, state: &State, area: Rect) {
    let width = usize::from(area.width.saturating_sub(48)).clamp(6, 30);
    let line = |(place, row): (usize, &Row)| {
        let Row { engine, games, points, score, elo, error } = row;
        let name: String = state.engines[*engine].chars().take(width).collect();
        let score = 100.0 * score;
        let place = place + 1;
        Line::from(format!(
            "{place:>2} {name:<width$} {points:>7}/{games:<6} {score:5.1}%  {elo:+7.1} ±{error:.1}"
        ))
    };
    let lines: Vec<Line<'_>> = state.rows.iter().enumerate().map(line).collect();
    frame.render_widget(Paragraph::new(lines).block(Block::bordered().title("standings")), area);
}

/// As many running games as there is room for.
fn draw_boards(frame: &mut Frame<'_>, state: &State, area: Rect) {
    let Some(first) = state.boards.values().next() else { return };
    let size = if first.squares.chars().count() == 64 { 8 } else { 10 };
    let (width, height) = ((2 * size + 2).max(28), size + 5);
    let columns = (area.width / width).max(1);
    let places =
        (0..area.height / height).flat_map(|row| (0..columns).map(move |column| (row, column)));
    for ((row, column), (number, board)) in places.zip(&state.boards) {
        let corner = (area.x + column * width, area.y + row * height);
        let place = Rect::new(corner.0, corner.1, width.min(area.width), height);
        draw_board(frame, state, *number, board, place);
    }
}

fn draw_board(frame: &mut Frame<'_>, state: &State, number: usize, board: &Board, area: Rect) {
    let now = Instant::now();
    let player = |side: Side| {
        let clock = board.clock(side, now).map(|left| format!("{:.1}s ", left.as_secs_f64()));
        let mark = if board.to_move == side { "▶ " } else { "  " };
        let name = &state.engines[board.players[side.index()]];
        let said = &board.said[side.index()];
        let line = format!("{mark}{}{said} {name}", clock.unwrap_or_default());
        let weight = if board.to_move == side { Modifier::BOLD } else { Modifier::empty() };
        Line::styled(line, Style::new().add_modifier(weight))
    };
    let mut lines = vec![player(Side::Black)];
    lines.extend(rows(&board.squares));
    lines.push(player(Side::White));
    let title = format!("game {number}  {} {}", board.plies.div_ceil(2), board.last);
    let inside = Block::bordered().title(title);
    frame.render_widget(Paragraph::new(lines).block(inside), area);
}

/// A board, two characters a square.
fn rows(squares: &str) -> Vec<Line<'static>> {
    let squares: Vec<char> = squares.chars().collect();
    let chess = squares.len() == 64;
    let size = if chess { 8 } else { 10 };
    let row = |row: usize| {
        let square = |column: usize| {
            let dark = (row + column) % 2 == 1;
            let style = Style::new().bg(if dark { DARK } else { LIGHT });
            let at = match (chess, dark) {
                (true, _) => Some(8 * row + column),
                (false, true) => Some(5 * row + column / 2),
                (false, false) => None,
            };
            match at.and_then(|at| squares.get(at)).copied().filter(|&c| c != '.') {
                None => Span::styled("  ", style),
                Some(c) if chess => {
                    let colour = if c.is_ascii_uppercase() { WHITE } else { BLACK };
                    Span::styled(format!("{} ", glyph(c)), style.fg(colour))
                }
                Some(c) => {
                    let colour = if c.eq_ignore_ascii_case(&'w') { WHITE } else { BLACK };
                    let text = if c.is_ascii_uppercase() { "◉ " } else { "● " };
                    Span::styled(text, style.fg(colour))
                }
            }
        };
        Line::from((0..size).map(square).collect::<Vec<_>>())
    };
    (0..size).map(row).collect()
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
    use adoube::arena::game::contest::Contest;
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use std::time::Duration;

    fn picture(state: &State, width: u16, height: u16) -> String {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| draw(frame, state)).unwrap();
        let buffer = terminal.backend().buffer().clone();
        let row = |row: &[ratatui::buffer::Cell]| {
            row.iter().map(|cell| cell.symbol()).collect::<String>()
        };
        buffer.content.chunks(width.into()).map(row).collect::<Vec<_>>().join("\n")
    }

    fn state(squares: &str) -> State {
        let mut state = State::new(vec!["first".into(), "second".into()], 10);
        let board = |players| Board {
            squares: squares.to_owned(),
            players,
            to_move: Side::Black,
            said: ["+0.25 depth 9".into(), String::new()],
            clocks: [Some(Duration::from_secs(7)), None],
            moved: Instant::now(),
            last: "e4".into(),
            plies: 1,
        };
        state.boards.insert(3, board([0, 1]));
        state.boards.insert(4, board([1, 0]));
        state.say("game 1, first – second: checkmate");
        state
    }

    #[test]
    fn boards_clocks_scores_and_messages_are_there() {
        let chess = state(&adoube::chess::Position::start().squares());
        let text = picture(&chess, 80, 40);
        for part in [
            "game 3  1 e4",
            "game 4",
            "♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜",
            "7.0s +0.25 depth 9 first",
            "▶  second",
            "game 1, first – second: checkmate",
            "0/10",
            "q ends the match",
        ] {
            assert!(text.contains(part), "no {part} in\n{text}");
        }
        let draughts = state(&adoube::draughts::Position::start().squares());
        let text = picture(&draughts, 80, 40);
        assert_eq!(text.matches('●').count(), 2 * 40, "{text}");
    }

    #[test]
    fn any_size_of_terminal_will_do() {
        let mut state = state(&adoube::chess::Position::start().squares());
        for width in [1, 5, 20, 27, 60, 300] {
            for height in [1, 2, 5, 12, 24, 100] {
                picture(&state, width, height);
            }
        }
        state.interrupted = true;
        assert!(picture(&state, 80, 30).contains("breaks the running games off"));
    }
}
