//! Endgame knowledge: certain wins and draws, mating a lone king, and drawish material.

use super::kpk;
use crate::base::side::Side;
use crate::chess::{Bitboard, Board, File, Kind, Position, Square};

/// The scale factor that leaves an advantage unchanged.
pub(super) const FULL_SCALE: i32 = 64;
/// Piece values in endgames against a lone king: pawn, knight, bishop, rook, queen.
const MATERIAL: [i32; 5] = [126, 385, 396, 659, 1067];
const KNOWN_WIN: i32 = 1000;

/// Returns the value from the point of view of the side to move, if one side has only a king and
/// the result is certain.
#[inline(always)]
pub(super) fn exact_value(position: &Position) -> Option<i32> {
    let board = position.board();
    let strong = Side::ALL.into_iter().find(|&side| !board.side(!side).many())?;
    let value = against_lone_king(board, strong, position.side() == strong)?;
    Some(if position.side() == strong { value } else { -value })
}

/// Returns the value from `strong`'s point of view against a lone king, if the result is certain.
/// `to_move` is true if `strong` is to move.
fn against_lone_king(board: &Board, strong: Side, to_move: bool) -> Option<i32> {
    let [pawns, knights, bishops, rooks, queens, _] =
        Kind::ALL.map(|kind| board.pieces(strong, kind));
    let (king, lone) = (board.king(strong), board.king(!strong));
    let both_colours = (bishops & Bitboard::LIGHT).any() && (bishops & Bitboard::DARK).any();
    let mates = (rooks | queens).any()
        || both_colours
        || bishops.any() && knights.any()
        || knights.len() > 2;
    if !mates && pawns.is_empty() {
        return Some(0);
    }
    if pawns.len() == 1 && board.side(strong).len() == 2 {
        let pawn = pawns.lowest();
        let [king, pawn, lone] = [king, pawn, lone].map(|square| square.relative_to(strong));
        let value = KNOWN_WIN / 2 + 20 * pawn.rank() as i32;
        return Some(if kpk::wins(to_move, king, pawn, lone) { value } else { 0 });
    }
    if !mates {
        return None;
    }
    let material: i32 = [pawns, knights, bishops, rooks, queens]
        .iter()
        .zip(MATERIAL)
        .map(|(set, value)| set.len() as i32 * value)
        .sum();
    let bishop_and_knight =
        (rooks | queens | pawns).is_empty() && !both_colours && knights.len() < 3;
    let drive = if bishop_and_knight {
        // Mate can be forced only in a corner of the bishop's colour.
        let light = (bishops & Bitboard::LIGHT).any();
        let corners = if light { [Square::A8, Square::H1] } else { [Square::A1, Square::H8] };
        60 * (7 - corners
            .map(|corner| diagonal_distance(lone, corner))
            .into_iter()
            .min()
            .unwrap_or(0))
            + 10 * edge_push(lone)
    } else {
        20 * edge_push(lone)
    };
    Some(KNOWN_WIN + material + drive + 10 * (7 - i32::from(king.distance(lone))))
}

/// Returns half the sum of the file and rank distances to a corner. Along every edge, this distance
/// decreases towards the corner.
fn diagonal_distance(a: Square, corner: Square) -> i32 {
    let files = (a.file() as i32 - corner.file() as i32).abs();
    let ranks = (a.rank() as i32 - corner.rank() as i32).abs();
    (files + ranks) / 2
}

/// Returns the distance from the centre, from 0 in the centre to 6 in a corner.
fn edge_push(square: Square) -> i32 {
    let from_centre = |index: usize| (2 * index as i32 - 7).abs() / 2;
    from_centre(square.file().index()) + from_centre(square.rank().index())
}

/// Returns the scale factor for an advantage of `strong`, from 0 to [`FULL_SCALE`].
#[inline(always)]
pub(super) fn scale(board: &Board, strong: Side) -> i32 {
    let pawns = board.pieces(strong, Kind::Pawn);
    let own = material_value(board, strong);
    let enemy = material_value(board, !strong);
    if pawns.is_empty() && own - enemy <= 3 {
        // Without pawns, a side with less than a rook cannot force mate, and a lead of a minor
        // piece is rarely enough to win.
        return match (own, enemy) {
            (0..5, _) => 0,
            (_, 0..4) => 6,
            _ => 14,
        };
    }
    if wrong_bishops(board, strong, pawns, own) { 0 } else { FULL_SCALE }
}

/// Returns the total value of a side's pieces without its pawns: 3 for each minor piece, 5 for each
/// rook and 9 for each queen.
#[inline(always)]
fn material_value(board: &Board, side: Side) -> i32 {
    let count = |kind| board.pieces(side, kind).len() as i32;
    3 * (count(Kind::Knight) + count(Kind::Bishop)) + 5 * count(Kind::Rook) + 9 * count(Kind::Queen)
}

/// Returns whether the position is drawn because `strong` has only pawns and bishops, and the
/// bishops are on the wrong colour. Without pawns, bishops on one colour cannot force mate. With
/// pawns, all of them must be on one edge file, no bishop may control the promotion corner, and the
/// enemy king must be in or next to that corner. This includes pawns without a bishop.
fn wrong_bishops(board: &Board, strong: Side, pawns: Bitboard, worth: i32) -> bool {
    let bishops = board.pieces(strong, Kind::Bishop);
    if worth != 3 * bishops.len() as i32 {
        return false;
    }
    if pawns.is_empty() {
        return (bishops & Bitboard::LIGHT).is_empty() || (bishops & Bitboard::DARK).is_empty();
    }
    let Some(file) =
        [File::A, File::H].into_iter().find(|&file| (pawns - Bitboard::file(file)).is_empty())
    else {
        return false;
    };
    let corner = Square::new(file, crate::chess::Rank::R8.relative_to(strong));
    let colour = if corner.is_light() { Bitboard::LIGHT } else { Bitboard::DARK };
    (bishops & colour).is_empty() && board.king(!strong).distance(corner) <= 1
}
