//! Arrows and circles in comments: the commands `[%cal Ge2e4,Rd8d1]` and `[%csl Ge4]`, as lichess
//! and ChessBase write them. In draughts a square is written as a two-digit number: `[%cal G3228]`.

use crate::board::game::BoardGame;
use crate::board::message::study::{Colour, Shape};

/// Maximum number of shapes per position.
pub(in crate::board) const MAX_SHAPES: usize = 100;

const COLOURS: [(char, Colour); 4] =
    [('G', Colour::Green), ('R', Colour::Red), ('Y', Colour::Yellow), ('B', Colour::Blue)];

fn letter(colour: Colour) -> char {
    COLOURS.iter().find(|(_, one)| *one == colour).map_or('G', |(letter, _)| *letter)
}

/// Returns the arguments of the arrow and circle commands in a comment, and the comment without
/// these commands.
fn split(comment: &str) -> (Vec<&str>, String) {
    let (mut found, mut others, mut rest) = (Vec::new(), String::new(), comment);
    while let Some((before, command)) = rest.split_once("[%c") {
        let (inner, after) = command.split_once(']').unwrap_or((command, ""));
        others.push_str(before);
        match inner.strip_prefix("al ").or_else(|| inner.strip_prefix("sl ")) {
            Some(shapes) => found.extend(shapes.split(',').map(str::trim)),
            None => others.push_str(&format!("[%c{inner}]")),
        }
        rest = after;
    }
    others.push_str(rest);
    (found, others)
}

/// Returns the shapes in comments. Malformed shapes are ignored.
pub(super) fn read<G: BoardGame>(comments: &[String]) -> Vec<Shape> {
    let shape = |text: &str| {
        let mut chars = text.chars();
        let first = chars.next()?;
        let (_, colour) = COLOURS.into_iter().find(|(letter, _)| *letter == first)?;
        let squares = chars.as_str();
        let (from, to) = (squares.get(..2)?, squares.get(2..)?);
        let to = if to.is_empty() { None } else { Some(G::square_number(to)?) };
        Some(Shape { colour, from: G::square_number(from)?, to })
    };
    let all = comments.iter().flat_map(|comment| split(comment).0);
    all.filter_map(shape).take(MAX_SHAPES).collect()
}

/// Replaces the shapes in comments. Returns `None` if a square does not exist.
pub(super) fn replaced<G: BoardGame>(comments: &[String], shapes: &[Shape]) -> Option<Vec<String>> {
    let mut written = [Vec::new(), Vec::new()];
    for Shape { colour, from, to } in shapes {
        let to_name = match to {
            Some(to) => G::square_name(*to)?,
            None => String::new(),
        };
        let text = format!("{}{}{to_name}", letter(*colour), G::square_name(*from)?);
        written[usize::from(to.is_some())].push(text);
    }
    let mut commands = String::new();
    for (name, shapes) in ["csl", "cal"].into_iter().zip(&written) {
        if !shapes.is_empty() {
            commands.push_str(&format!("[%{name} {}]", shapes.join(",")));
        }
    }
    let others = comments.iter().map(|comment| split(comment).1.trim().to_owned());
    let new = std::iter::once(commands).chain(others).filter(|comment| !comment.is_empty());
    Some(new.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{chess, draughts};

    #[test]
    fn shapes_are_read_and_replaced() {
        let comments =
            ["[%clk 0:10:00][%cal Ge2e4,Rd8d1,Xa1a2,G] bold".to_owned(), "[%csl Yh1]".to_owned()];
        let shapes = read::<chess::Position>(&comments);
        let arrow = |colour, from, to| Shape { colour, from, to };
        let expected = [
            arrow(Colour::Green, 52, Some(36)),
            arrow(Colour::Red, 3, Some(59)),
            arrow(Colour::Yellow, 63, None),
        ];
        assert_eq!(shapes, expected);
        let new = replaced::<chess::Position>(&comments, &shapes).expect("squares");
        assert_eq!(new, ["[%csl Yh1][%cal Ge2e4,Rd8d1]", "[%clk 0:10:00] bold"]);
        assert_eq!(read::<chess::Position>(&new).len(), 3);
        assert_eq!(replaced::<chess::Position>(&new, &[]).expect("none"), ["[%clk 0:10:00] bold"]);
        assert_eq!(replaced::<chess::Position>(&[], &[arrow(Colour::Blue, 64, None)]), None);
        let draughts = read::<draughts::Position>(&["[%cal G3228,B0150]".to_owned()]);
        assert_eq!(
            draughts,
            [arrow(Colour::Green, 31, Some(27)), arrow(Colour::Blue, 0, Some(49))]
        );
        let written = replaced::<draughts::Position>(&[], &draughts).expect("squares");
        assert_eq!(written, ["[%cal G3228,B0150]"]);
    }

    #[test]
    fn malformed_shapes_are_ignored() {
        for text in ["[%cal ]", "[%cal Ge2é4", "[%csl é]", "[%cal Ge2e9]", "[%c", "[%cal Ge2e4e5]"]
        {
            assert!(read::<chess::Position>(&[text.to_owned()]).is_empty(), "{text}");
        }
    }
}
