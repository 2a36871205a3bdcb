//! The draughts variants and their differences from the normal game. All of them use the same board
//! and the same initial position.
//!
//! To generate or make moves, a position checks for the normal game first and calls this module
//! only for the other variants. The variants therefore cost the normal game only a single branch.
//!
//! Sources:
//!
//! - all variants: Scan 3.1 (`readme.txt` or, if it is ambiguous, the move generator)
//! - killer draughts: C. Freeling, *Killer draughts rules* (mindsports.nl)
//! - breakthrough and losing draughts: lidraughts.org
//! - Frisian draughts: see the module `frisian`
//!
//! The rules of the normal game apply unless these sources say otherwise.

use super::bitboard::Bitboard;
use super::board::Board;
use super::few_pieces::FewPieces;
use super::frisian::{self, CaptureDirection};
use super::movegen::{self, Raw};
use super::moves::MoveList;
use crate::base::cursor::excerpt;
use crate::base::side::Side;
use std::fmt;
use std::str::FromStr;

/// A draughts variant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Variant {
    /// International draughts.
    #[default]
    Normal,
    /// A king whose last jump captures a king must stop directly behind the captured king. As a
    /// consequence, two kings win against one.
    Killer,
    /// The first player to get a king wins.
    Breakthrough,
    /// Pieces also capture along rows and columns. Captures have a value, and the capture with the
    /// highest value is compulsory. A king may make at most three non-capturing moves in a row.
    Frisian,
    /// A player who cannot move or has no pieces left wins.
    Losing,
}

impl Variant {
    /// All variants, in Scan's order.
    pub const ALL: [Self; 5] =
        [Self::Normal, Self::Killer, Self::Breakthrough, Self::Frisian, Self::Losing];

    /// The names of all variants, in the order of [`Self::ALL`].
    pub const NAMES: [&'static str; Self::ALL.len()] = {
        let mut names = [""; Self::ALL.len()];
        let mut i = 0;
        while i < names.len() {
            names[i] = Self::ALL[i].name();
            i += 1;
        }
        names
    };

    /// Returns the name used by Scan.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Killer => "killer",
            Self::Breakthrough => "bt",
            Self::Frisian => "frisian",
            Self::Losing => "losing",
        }
    }

    /// Returns the name stored in training data and networks, which is empty for the normal game.
    #[cfg_attr(not(feature = "engine"), allow(dead_code, reason = "for networks"))]
    pub(crate) const fn stored_name(self) -> &'static str {
        match self {
            Self::Normal => "",
            variant => variant.name(),
        }
    }

    /// Returns whether a player who cannot move wins.
    #[inline(always)]
    pub const fn is_won_without_moves(self) -> bool {
        matches!(self, Self::Losing)
    }

    /// Returns whether a game of breakthrough is over: `side` is to move and has lost, because the
    /// opponent has a king.
    #[inline(always)]
    pub(crate) fn is_over(self, board: &Board, side: Side) -> bool {
        self == Self::Breakthrough && board.kings(!side).any()
    }

    /// Appends every legal move to `list`, or nothing if the game is over. The king on `tired_king`
    /// may not make a non-capturing move.
    #[inline(never)]
    pub(super) fn generate(
        self,
        board: &Board,
        side: Side,
        tired_king: Bitboard,
        list: &mut MoveList,
    ) {
        match self {
            Self::Breakthrough if self.is_over(board, side) => {}
            Self::Frisian => frisian::generate(board, side, tired_king, list),
            Self::Normal | Self::Breakthrough | Self::Losing => {
                movegen::generate(board, side, list);
            }
            Self::Killer => movegen::generate_killer(board, side, list),
        }
    }

    /// Calls `each` for every legal capture by `side`. Returns whether there is a capture. The game
    /// must not be over.
    #[inline(always)]
    pub(crate) fn each_capture(self, board: &Board, side: Side, mut each: impl FnMut(Raw)) -> bool {
        match self {
            Self::Normal | Self::Breakthrough | Self::Losing => {
                movegen::each_capture(board, side, each)
            }
            Self::Killer => {
                movegen::each_killer_capture(board, side, &mut each as &mut dyn FnMut(_))
            }
            Self::Frisian => frisian::each_capture(board, side, &mut each as &mut dyn FnMut(_)),
        }
    }

    /// Calls `each` for every legal move of `side`. The king on `tired_king` may not make a
    /// non-capturing move. The game must not be over.
    #[inline(always)]
    pub(crate) fn each_move(
        self,
        board: &Board,
        side: Side,
        tired_king: Bitboard,
        mut each: impl FnMut(Raw),
    ) {
        if !self.each_capture(board, side, &mut each) {
            movegen::each_plain_move(board, side, board.kings(side) - tired_king, each);
        }
    }

    #[inline(never)]
    pub(super) fn has_moves(self, board: &Board, side: Side, tired_king: Bitboard) -> bool {
        match self {
            Self::Frisian => frisian::has_moves(board, side, tired_king),
            _ => !self.is_over(board, side) && movegen::has_moves(board, side),
        }
    }

    #[inline(never)]
    pub(crate) fn can_capture(self, board: &Board, side: Side) -> bool {
        match self {
            Self::Frisian => frisian::can_capture(board, side),
            _ => !self.is_over(board, side) && movegen::can_capture(board, side),
        }
    }

    pub(super) fn capture_directions(self) -> &'static [CaptureDirection] {
        if self == Self::Frisian { &CaptureDirection::ALL } else { &CaptureDirection::ALL[..4] }
    }

    /// Returns the number of plies without a man move or capture after which the game is drawn
    /// (FMJD 6.2). Frisian draughts does not have this rule, and the result is `u16::MAX`.
    #[inline(always)]
    pub const fn king_plies(self) -> u16 {
        match self {
            Self::Frisian => u16::MAX,
            _ => 2 * 25,
        }
    }

    /// Returns the ending on the board, or `None` if its number of moves is not limited. The limits
    /// of FMJD 6.3 and 6.4 apply to the normal game, in which the stronger side cannot win these
    /// endings against good play. Frisian draughts has its own limits.
    pub(super) const fn few_pieces(self, board: &Board) -> Option<FewPieces> {
        match self {
            Self::Normal => FewPieces::of(board),
            Self::Frisian => FewPieces::frisian(board),
            Self::Killer | Self::Breakthrough | Self::Losing => None,
        }
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The error for text that is not the name of a draughts variant.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is not a draughts variant (use one of {names})", names = Variant::NAMES.join(", "))]
pub struct VariantError(pub String);

impl FromStr for Variant {
    type Err = VariantError;

    /// Parses a name, in any case. Breakthrough is `bt` or `breakthrough`.
    fn from_str(text: &str) -> Result<Self, VariantError> {
        if text.eq_ignore_ascii_case("breakthrough") {
            return Ok(Self::Breakthrough);
        }
        let found = Self::ALL.into_iter().find(|variant| variant.name().eq_ignore_ascii_case(text));
        found.ok_or_else(|| VariantError(excerpt(text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::side::Side;
    use crate::draughts::{Position, notation};

    fn position(fen: &str) -> Position {
        fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
    }

    fn moves(fen: &str) -> String {
        let mut moves: Vec<_> =
            position(fen).legal_moves().iter().map(ToString::to_string).collect();
        moves.sort();
        moves.join(" ")
    }

    #[test]
    fn accepts_names_in_any_case() {
        for (text, variant) in [
            ("Frisian", Variant::Frisian),
            ("BT", Variant::Breakthrough),
            ("breakthrough", Variant::Breakthrough),
            ("Breakthrough", Variant::Breakthrough),
        ] {
            assert_eq!(text.parse(), Ok(variant), "{text}");
        }
        let long = position("W:W31:B20:Vbreakthrough");
        assert_eq!(long.to_string(), "W:W31:B20:Vbt");
        assert!("break".parse::<Variant>().is_err());
    }

    #[test]
    fn killer_king_stops_directly_behind_a_king() {
        for (fen, expected) in [
            ("W:WK50:BK28:Vkiller", "50x22x28"),
            ("W:WK50:B28:Vkiller", "50x11x28 50x17x28 50x22x28 50x6x28"),
            ("W:WK50:BK44,28:Vkiller", "50x11x28x44 50x17x28x44 50x22x28x44 50x6x28x44"),
            ("W:WK50:B44,K28:Vkiller", "50x22x28x44"),
        ] {
            assert_eq!(moves(fen), expected, "{fen}");
        }
        let fen = "W:WK50:B44,K28:Vkiller";
        let m = notation::parse(&position(fen), "50x22").expect("legal");
        let routes = notation::routes(&position(fen), m);
        assert!(routes.iter().all(|route| route.last().is_some_and(|s| s.number() == 22)));
    }

    #[test]
    fn each_variant_has_its_own_end() {
        let end = |fen: &str| {
            let position = position(fen);
            position.legal_moves().is_empty().then(|| position.winner_without_moves())
        };
        for (fen, winner) in [
            ("B:WK1:B20:Vbt", Some(Side::White)),
            ("B:WK1:B20", None),
            ("B:W46:B:Vbt", Some(Side::White)),
            ("B:W46:B:Vlosing", Some(Side::Black)),
            ("W:W46:B37,41:Vlosing", Some(Side::White)),
            ("W:W46:B37,41:Vkiller", Some(Side::Black)),
        ] {
            let position = position(fen);
            assert_eq!(end(fen), winner, "{fen}");
            assert_eq!(position.has_moves(), winner.is_none(), "{fen}");
        }
        assert!(!position("B:WK1,28:B22:Vbt").can_capture(), "the game is over");
        let error = "W:WK1:B20:Vbt".parse::<Position>().expect_err("a king has already won");
        assert!(error.to_string().contains("has already won at breakthrough"), "{error}");
        // One king against one king is drawn after five moves each in the normal game, and after
        // two moves each in Frisian draughts.
        let kings = |variant: Variant| {
            let start = position("W:WK46:BK45").in_game(variant).expect("possible");
            let play = |position: Position, text: &str| {
                position.play(notation::parse(&position, text).expect("legal"))
            };
            let there_and_back = ["46-41", "45-50", "41-46", "50-45"].into_iter().cycle().take(10);
            there_and_back.fold(start, play).is_drawn_by_count()
        };
        let drawn =
            [Variant::Normal, Variant::Killer, Variant::Frisian, Variant::Losing].map(kings);
        assert_eq!(drawn, [true, false, true, false]);
    }

    #[test]
    fn each_variant_has_its_own_key_and_text() {
        for variant in Variant::ALL {
            let start = Position::start_of(variant);
            assert_eq!(position(&start.to_string()), start);
            assert_eq!(start.key() == Position::start().key(), variant == Variant::Normal);
            assert_eq!(variant.name().parse(), Ok(variant));
            assert_eq!(start.in_game(variant), Ok(start));
        }
        let killer = Position::start_of(Variant::Killer);
        assert!(killer.in_game(Variant::Losing).is_err());
        let error = "W:W31:B1:Vrussian".parse::<Position>().expect_err("no such game");
        let wanted = "'russian' is not a draughts variant";
        assert!(error.to_string().starts_with(wanted), "{error}");
    }
}
