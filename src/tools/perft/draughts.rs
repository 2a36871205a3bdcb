//! Move comparison and move kinds for draughts.

use super::compare::MovePath;
use super::game::{PerftGame, TWICE};
use crate::base::side::Side;
use crate::draughts::notation::{self, MoveError};
use crate::draughts::{Bitboard, Kind, Position, Square};
use std::fmt::Write as _;

impl PerftGame for Position {
    const KINDS: &[&str] =
        &["captures", "of 1", "of 2", "of 3", "of 4", "of 5 or more", "king moves", "promotions"];

    fn kinds(&self, m: Self::Move, next: &Self, mut add: impl FnMut(usize)) {
        let taken = m.taken().len() as usize;
        if taken > 0 {
            add(0);
            add(taken.min(5));
        }
        let is_king = |position: &Self, square| position.board().all_kings().has(square);
        if is_king(self, m.from()) {
            add(6);
        } else if is_king(next, m.to()) {
            add(7);
        }
    }

    fn text(line: &MovePath<Self>) -> String {
        if line.moves.is_empty() { line.text.clone() } else { line.position.to_string() }
    }

    fn diagram(line: &MovePath<Self>) -> String {
        let position = &line.position;
        let mut text = String::new();
        for row in 0..10 {
            for column in 0..10 {
                // Only dark squares are numbered. In the first row, squares 1 to 5 are in columns
                // 2, 4, and so on.
                let dark = (row + column) % 2 == 1;
                let square = Square::new(row * 5 + column / 2 + 1);
                let letter = match square.filter(|_| dark).map(|square| position.piece_on(square)) {
                    None => ' ',
                    Some(None) => '.',
                    Some(Some((Side::White, Kind::Man))) => 'w',
                    Some(Some((Side::White, Kind::King))) => 'W',
                    Some(Some((Side::Black, Kind::Man))) => 'b',
                    Some(Some((Side::Black, Kind::King))) => 'B',
                };
                text.push(letter);
                text.push(' ');
            }
            let _ = writeln!(text, " {:2} to {}", row * 5 + 1, row * 5 + 5);
        }
        let _ = write!(text, "FEN: {position}");
        text
    }

    fn kind_of(&self, m: Self::Move) -> String {
        let is_king = matches!(self.piece_on(m.from()), Some((_, Kind::King)));
        let piece = if is_king { "king" } else { "man" };
        let promotes = !is_king && Bitboard::promotion_row(self.side()).has(m.to());
        let end = if promotes { ", which becomes a king" } else { "" };
        match m.taken().len() {
            0 => format!("move of a {piece}{end}"),
            taken => format!("capture of {taken} by a {piece}{end}"),
        }
    }

    fn why_not(line: &MovePath<Self>, text: &str) -> String {
        match notation::parse(&line.position, text) {
            Ok(_) => TWICE.to_owned(),
            Err(MoveError::Illegal { why, .. }) => why.to_string(),
            Err(error) => error.to_string(),
        }
    }
}
