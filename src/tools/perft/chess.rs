//! Move comparison and move kinds for chess.

use super::compare::MovePath;
use super::game::{PerftGame, StartPeer, TWICE};
use super::peer::UciPeer;
use crate::chess::board::CastlingSquares;
use crate::chess::moves::MoveKind;
use crate::chess::{Kind, Position, Square, attacks, illegal};
use crate::protocol::uci::reply::Diagram;

/// Returns the square that a pawn skipped if the last move in the line is a double step. If the
/// line has no moves, returns the en passant square in the FEN.
fn passed(line: &MovePath<Position>) -> Option<Square> {
    let Some(m) = line.moves.last() else {
        return line.text.split_whitespace().nth(3)?.parse().ok();
    };
    let (from, to) = (m.from(), m.to());
    let is_pawn = line.position.kind_on(to) == Some(Kind::Pawn);
    let double = is_pawn && from.file() == to.file() && from.distance(to) == 2;
    double.then(|| attacks::between(from, to).first()).flatten()
}

impl PerftGame for Position {
    const KINDS: &[&str] = &[
        "captures",
        "en passant",
        "castling",
        "promotions",
        "checks",
        "discovered checks",
        "double checks",
        "mates",
    ];

    fn kinds(&self, m: Self::Move, next: &Self, mut add: impl FnMut(usize)) {
        let arrives = match m.kind() {
            MoveKind::Castle => {
                add(2);
                // In castling, only the rook can give a direct check.
                CastlingSquares::of(m.from(), m.to()).rook
            }
            kind => {
                if matches!(kind, MoveKind::EnPassant) {
                    add(1);
                }
                if matches!(kind, MoveKind::EnPassant) || self.piece_on(m.to()).is_some() {
                    add(0);
                }
                if matches!(kind, MoveKind::Promotion(_)) {
                    add(3);
                }
                m.to()
            }
        };
        let checkers = next.checkers();
        if checkers.is_empty() {
            return;
        }
        add(4);
        if checkers.many() {
            add(6);
        } else if !checkers.has(arrives) {
            add(5);
        }
        if next.legal_moves().is_empty() {
            add(7);
        }
    }

    const START_PEER: Option<StartPeer<Self>> = Some(|entrant, chess960, interrupt| {
        Ok(Box::new(UciPeer::start(entrant, chess960, interrupt)?))
    });

    fn text(line: &MovePath<Self>) -> String {
        if line.moves.is_empty() {
            return line.text.clone();
        }
        let fen = line.position.fen();
        let side = line.position.side();
        let takers = line.position.board().pieces(side, Kind::Pawn);
        // Our FEN contains an en passant square only if an en passant capture is legal. The other
        // program may be wrong about this legality, so add the square whenever a pawn attacks it.
        let Some(square) = passed(line).filter(|&to| (attacks::pawn(!side, to) & takers).any())
        else {
            return fen;
        };
        let square = square.to_string();
        let fields = fen.split(' ').enumerate();
        fields.map(|(i, field)| if i == 3 { &square } else { field }).collect::<Vec<_>>().join(" ")
    }

    fn move_text(&self, m: Self::Move, chess960: bool) -> String {
        self.uci(m, chess960)
    }

    fn diagram(line: &MovePath<Self>) -> String {
        Diagram(&line.position, &Self::text(line)).to_string()
    }

    fn kind_of(&self, m: Self::Move) -> String {
        let moved = self.kind_on(m.from()).unwrap_or(Kind::Pawn);
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
            (MoveKind::Normal, None) if moved == Kind::Pawn && m.from().distance(m.to()) == 2 => {
                "double step of a pawn".to_owned()
            }
            (MoveKind::Normal, None) => format!("move of a {}", moved.name()),
        };
        let checkers = self.checkers();
        let masks = self.masks();
        text += match () {
            () if checkers.many() => ", out of double check",
            () if checkers.any() && moved == Kind::King => ", out of check",
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
