//! What is said of a move that another program does not find, or finds too many.

use super::compare::MovePath;
use crate::base::game::Game;
use crate::base::side::Side;
use crate::chess::moves::MoveKind;
use crate::chess::{self, attacks, illegal};
use crate::draughts;
use crate::draughts::notation::MoveError;
use crate::protocol::uci::reply::Diagram;
use std::fmt::Write as _;

/// A game of which moves and positions can be explained.
pub trait Explain: Game {
    /// The position at the end of a line, in the text that other programs read.
    fn text(line: &MovePath<Self>) -> String;

    /// A picture of the position, of several lines.
    fn diagram(&self) -> String;

    /// What kind of move it is, such as "castling on the king's side".
    fn kind_of(&self, m: Self::Move) -> String;

    /// Why a text is not a legal move at the end of the line.
    fn why_not(line: &MovePath<Self>, text: &str) -> String;
}

/// What a text is that means a legal move which the program has given already.
const TWICE: &str = "it is there twice";

/// The square that a pawn passed over in a line's last move, or by the line's text if it has none.
fn passed(line: &MovePath<chess::Position>) -> Option<chess::Square> {
    let Some(m) = line.moves.last() else {
        return line.text.split_whitespace().nth(3)?.parse().ok();
    };
    let (from, to) = (m.from(), m.to());
    let is_pawn = line.position.kind_on(to) == Some(chess::Kind::Pawn);
    let double = is_pawn && from.file() == to.file() && from.distance(to) == 2;
    double.then(|| attacks::between(from, to).first()).flatten()
}

impl Explain for chess::Position {
    fn text(line: &MovePath<Self>) -> String {
        if line.moves.is_empty() {
            return line.text.clone();
        }
        let fen = line.position.fen();
        let side = line.position.side();
        let takers = line.position.board().pieces(side, chess::Kind::Pawn);
        // Our FEN names the square only where a capture is legal; a fault may lie just there.
        let Some(square) = passed(line).filter(|&to| (attacks::pawn(!side, to) & takers).any())
        else {
            return fen;
        };
        let square = square.to_string();
        let fields = fen.split(' ').enumerate();
        fields.map(|(i, field)| if i == 3 { &square } else { field }).collect::<Vec<_>>().join(" ")
    }

    fn diagram(&self) -> String {
        Diagram(self).to_string()
    }

    fn kind_of(&self, m: Self::Move) -> String {
        let moved = self.kind_on(m.from()).unwrap_or(chess::Kind::Pawn);
        let taken = self.captured(m);
        let mut text = match (m.kind(), taken) {
            (MoveKind::Castle, _) if (m.to() as u8) > m.from() as u8 => {
                return "castling on the king's side".to_owned();
            }
            (MoveKind::Castle, _) => return "castling on the queen's side".to_owned(),
            (MoveKind::EnPassant, _) => "en passant capture".to_owned(),
            (MoveKind::Promotion(to), None) => format!("promotion to a {}", to.name()),
            (MoveKind::Promotion(to), Some(taken)) => {
                format!("promotion to a {} by taking a {}", to.name(), taken.name())
            }
            (MoveKind::Normal, Some(taken)) => {
                format!("capture of a {} by a {}", taken.name(), moved.name())
            }
            (MoveKind::Normal, None)
                if moved == chess::Kind::Pawn && m.from().distance(m.to()) == 2 =>
            {
                "double step of a pawn".to_owned()
            }
            (MoveKind::Normal, None) => format!("move of a {}", moved.name()),
        };
        let checkers = self.checkers();
        let masks = self.masks();
        text += match () {
            () if checkers.many() => ", out of double check",
            () if checkers.any() && moved == chess::Kind::King => ", out of check",
            () if checkers.any() && taken.is_some() => ", which takes the piece that gives check",
            () if checkers.any() => ", which blocks a check",
            () if (masks.pin_straight | masks.pin_diagonal).has(m.from()) => {
                ", along the line on which it is pinned"
            }
            () => "",
        };
        text
    }

    fn why_not(line: &MovePath<Self>, text: &str) -> String {
        let why = illegal::why(&line.position, passed(line), text);
        why.map_or_else(|| TWICE.to_owned(), |why| why.to_string())
    }
}

impl Explain for draughts::Position {
    fn text(line: &MovePath<Self>) -> String {
        if line.moves.is_empty() { line.text.clone() } else { line.position.to_string() }
    }

    fn diagram(&self) -> String {
        let mut text = String::new();
        for row in 0..10 {
            for column in 0..10 {
                // The dark squares: 1 to 5 in the columns 2, 4 and so on of the first row.
                let dark = (row + column) % 2 == 1;
                let square = draughts::Square::new(row * 5 + column / 2 + 1);
                let letter = match square.filter(|_| dark).map(|square| self.piece_on(square)) {
                    None => ' ',
                    Some(None) => '.',
                    Some(Some((Side::White, draughts::Kind::Man))) => 'w',
                    Some(Some((Side::White, draughts::Kind::King))) => 'W',
                    Some(Some((Side::Black, draughts::Kind::Man))) => 'b',
                    Some(Some((Side::Black, draughts::Kind::King))) => 'B',
                };
                text.push(letter);
                text.push(' ');
            }
            let _ = writeln!(text, " {:2} to {}", row * 5 + 1, row * 5 + 5);
        }
        let _ = write!(text, "FEN: {self}");
        text
    }

    fn kind_of(&self, m: Self::Move) -> String {
        let is_king = matches!(self.piece_on(m.from()), Some((_, draughts::Kind::King)));
        let piece = if is_king { "king" } else { "man" };
        let promotes = !is_king && draughts::Bitboard::far_row(self.side()).has(m.to());
        let end = if promotes { ", which becomes a king" } else { "" };
        match m.taken().len() {
            0 => format!("move of a {piece}{end}"),
            taken => format!("capture of {taken} by a {piece}{end}"),
        }
    }

    fn why_not(line: &MovePath<Self>, text: &str) -> String {
        match draughts::notation::parse(&line.position, text) {
            Ok(_) => TWICE.to_owned(),
            Err(MoveError::Illegal { why, .. }) => why.to_string(),
            Err(error) => error.to_string(),
        }
    }
}
