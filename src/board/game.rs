//! The [`BoardGame`] trait: positions and moves of both games in the form that the page shows.

use super::equipment::{Equipment, Tables};
use super::message::play::{Level, Start};
use super::message::study::TablebaseInfo;
use super::message::{Legal, Ply};
use super::openings::{self, Opening};
use super::tablebase;
use super::typed::{self, TypedMoveError};
use crate::arena::game::contest::Contest;
use crate::base::game::{Game as _, GameKind};
use crate::chess::notation::Notation;
use crate::chess::odds::{Odds, OddsError};
use crate::chess::{self, File, Kind, Square};
use crate::draughts::book::Book;
use crate::draughts::fen::BoardError;
use crate::draughts::variant::VariantError;
use crate::draughts::{self, notation};
use crate::laws::language::Bilingual;
use crate::protocol::strength::Strength;
use crate::record::epd::Epd;
use crate::record::games::Recorded;
use crate::tools::analyse::Analysed;

/// A phase of a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) enum Phase {
    #[default]
    Opening,
    Middlegame,
    Endgame,
}

impl Phase {
    pub(super) const ALL: [Self; 3] = [Self::Opening, Self::Middlegame, Self::Endgame];
}

pub(super) trait BoardGame: Analysed {
    const NAME: GameKind;
    /// The name of the game, as written within a sentence.
    const WORD: &'static str;
    const EXTENSION: &'static str;

    /// Returns the ways to enter a legal move by hand, the usual way first; see [`Legal::routes`].
    fn routes(&self, m: Self::Move) -> Vec<Vec<usize>>;

    fn takes(&self, m: Self::Move) -> Vec<usize>;

    /// Formats a legal move. The notation matters only in chess.
    fn notated(&self, m: Self::Move, notation: Notation) -> String;

    fn spoken(&self, m: Self::Move) -> String;

    /// Formats the announcement of a legal move to a visually disabled player.
    fn announced(&self, m: Self::Move) -> String;

    /// Reads a typed or spoken move, in the chosen notation or in any other that the page offers.
    fn read_typed(&self, text: &str, notation: Notation) -> Result<Self::Move, TypedMoveError>;

    /// Returns the contents of the squares described by a FEN, or `None` if the FEN cannot be
    /// parsed. In chess, the position need not be legal.
    fn squares_of(fen: &str) -> Option<String>;

    fn check(&self) -> Option<usize>;

    /// Parses a FEN that the user has entered.
    fn read_fen(text: &str) -> Result<Self, StartError>;

    /// Returns the start position of a game. `variant` is the name of a draughts variant.
    fn beginning(start: &Start, variant: Option<&str>) -> Result<Self, StartError>;

    /// Probes the tablebases. `earlier` holds the keys of the earlier positions.
    fn tablebase_info(
        &self,
        earlier: &[u64],
        tables: &Tables,
        notation: Notation,
    ) -> Option<TablebaseInfo>;

    /// Returns the book moves in this position, with their weights.
    fn book_moves(&self, equipment: &Equipment) -> Vec<(Self::Move, u16)>;

    /// Parses a line of EPD.
    fn read_epd(line: &str) -> Result<Epd<Self>, Bilingual>;

    /// Formats a puzzle as a line of EPD.
    fn epd_line(puzzle: &Epd<Self>) -> String;

    /// Returns the strength for a level, or `None` for full strength. `seed` determines the
    /// engine's deliberate errors.
    fn strength(level: Level, seed: u64) -> Result<Option<Strength>, LevelError>;

    /// Returns the phase to which this position belongs. The caller ensures that a game never
    /// returns to an earlier phase.
    fn phase(&self) -> Phase;

    /// Returns the position with the turn passed to the opponent, for an analysis of threats.
    /// Returns `None` if the side to move cannot pass.
    fn passed(&self) -> Option<Self> {
        None
    }

    /// Looks up the opening of a game by the keys of the game's positions.
    fn opening(_: &[u64]) -> Option<Opening> {
        None
    }

    /// Returns the number of the square with this two-character name.
    fn square_number(name: &str) -> Option<usize>;

    /// Returns the two-character name of a square, or `None` if there is no square with this
    /// number.
    fn square_name(square: usize) -> Option<String>;

    fn ply(&self, m: Self::Move, notation: Notation) -> Ply {
        Ply {
            text: self.notated(m, notation),
            spoken: self.spoken(m),
            announced: self.announced(m),
            squares: self.after(m).squares(),
            route: self.routes(m).into_iter().next().unwrap_or_default(),
        }
    }

    fn legal(&self, notation: Notation) -> Vec<Legal> {
        let legal = |m: Self::Move| Legal {
            text: m.to_string(),
            notated: self.notated(m, notation),
            routes: self.routes(m),
            takes: self.takes(m),
        };
        self.moves().into_iter().map(legal).collect()
    }
}

#[derive(Debug, thiserror::Error)]
pub(super) enum StartError {
    #[error("Position: {0}")]
    Fen(Bilingual),
    #[error(transparent)]
    Odds(#[from] OddsError),
    #[error(transparent)]
    Variant(#[from] VariantError),
    #[error(transparent)]
    Pieces(#[from] BoardError),
    #[error("no Chess960 start position {0}: numbers are 0 to 959")]
    Chess960(u16),
    #[error("unknown chess variant '{0}'")]
    ChessVariant(String),
    #[error("odds of fewer men are for draughts only")]
    ChessMen,
    #[error("cannot remove {0} of White's 20 men")]
    Men(u8),
    #[error("this start position is for chess only")]
    DraughtsStart,
}

#[derive(Debug, thiserror::Error)]
pub(super) enum LevelError {
    #[error("rating {0} is out of range: 800 to 3000")]
    Rating(u32),
    #[error("a chess level is given as a rating, not as a skill level")]
    ChessSkill,
    #[error("a draughts level is given as a skill level, not as a rating")]
    DraughtsRating,
}

const fn number(square: Square) -> usize {
    square.flip().index()
}

const fn castled(king: Square, rook: Square) -> Square {
    let file = if (king as u8) < (rook as u8) { File::G } else { File::C };
    Square::new(file, king.rank())
}

const fn piece(kind: Kind) -> &'static str {
    match kind {
        Kind::Pawn => "pawn",
        Kind::Knight => "knight",
        Kind::Bishop => "bishop",
        Kind::Rook => "rook",
        Kind::Queen => "queen",
        Kind::King => "king",
    }
}

impl BoardGame for chess::Position {
    const NAME: GameKind = GameKind::Chess;
    const WORD: &'static str = "chess";
    const EXTENSION: &'static str = "pgn";

    fn routes(&self, m: chess::Move) -> Vec<Vec<usize>> {
        if m == chess::Move::NULL {
            return Vec::new();
        }
        let route = |to: Square| vec![number(m.from()), number(to)];
        if !m.is_castle() {
            return vec![route(m.to())];
        }
        let king = castled(m.from(), m.to());
        // Omit the route to the king's destination if the king stays on its square or ends on the
        // rook's square.
        let by_king = (king != m.from() && king != m.to()).then(|| route(king));
        by_king.into_iter().chain([route(m.to())]).collect()
    }

    fn takes(&self, m: chess::Move) -> Vec<usize> {
        if m == chess::Move::NULL {
            return Vec::new();
        }
        let behind = Square::new(m.to().file(), m.from().rank());
        let taken = [m.to(), behind]
            .into_iter()
            .find(|&square| self.piece_on(square).is_some_and(|taken| taken.side != self.side()));
        let takes = self.captured(m).and(taken);
        takes.into_iter().map(number).collect()
    }

    fn notated(&self, m: chess::Move, notation: Notation) -> String {
        notation.write(self, m)
    }

    fn spoken(&self, m: chess::Move) -> String {
        if m == chess::Move::NULL {
            return "passes".to_owned();
        }
        let mut words = if m.is_castle() {
            let short = castled(m.from(), m.to()).file() == File::G;
            if short { "castles short" } else { "castles long" }.to_owned()
        } else {
            let moved = self.kind_on(m.from()).map_or("", piece);
            let taken = self
                .captured(m)
                .map_or("to".to_owned(), |taken| format!("takes {} on", piece(taken)));
            format!("{moved} {} {taken} {}", m.from(), m.to())
        };
        if let Some(promoted) = m.promoted() {
            words = format!("{words}, promotes to {}", piece(promoted));
        }
        let after = self.play(m);
        let sign = match (after.is_checkmate(), after.in_check()) {
            (true, _) => ", checkmate",
            (false, true) => ", check",
            (false, false) => "",
        };
        words + sign
    }

    fn announced(&self, m: chess::Move) -> String {
        Notation::Spoken { long: true }.write(self, m)
    }

    fn read_typed(&self, text: &str, notation: Notation) -> Result<chess::Move, TypedMoveError> {
        typed::chess(self, text, notation)
    }

    fn squares_of(fen: &str) -> Option<String> {
        let mut squares = String::new();
        for c in fen.split(' ').next()?.chars().take(2 * Self::SQUARES) {
            match c.to_digit(10) {
                Some(empty) => squares.extend((0..empty).map(|_| '.')),
                None => squares.extend(Some(c).filter(|c| "PNBRQKpnbrqk".contains(*c))),
            }
        }
        (squares.len() == Self::SQUARES).then_some(squares)
    }

    fn check(&self) -> Option<usize> {
        let own = |square: &Square| {
            self.kind_on(*square) == Some(Kind::King)
                && self.piece_on(*square).is_some_and(|king| king.side == self.side())
        };
        let king = Square::ALL.into_iter().find(own)?;
        self.in_check().then(|| number(king))
    }

    fn read_fen(text: &str) -> Result<Self, StartError> {
        text.trim().parse::<Self>().map_err(|error| StartError::Fen(Bilingual::of(&error)))
    }

    fn beginning(start: &Start, variant: Option<&str>) -> Result<Self, StartError> {
        if let Some(name) = variant {
            return Err(StartError::ChessVariant(name.to_owned()));
        }
        match start {
            Start::Usual => Ok(Self::start()),
            Start::Fen(fen) => Self::read_fen(fen),
            Start::Chess960(number) => Self::chess960(*number).ok_or(StartError::Chess960(*number)),
            Start::Odds(text, moves) => {
                let odds: Odds = text.parse()?;
                // If the odds include only one move, the player makes it on the board.
                let start = if odds.moves > 1 { odds.after(moves) } else { odds.start() };
                Ok(start?)
            }
            Start::Less(_) => Err(StartError::ChessMen),
        }
    }

    fn tablebase_info(
        &self,
        earlier: &[u64],
        tables: &Tables,
        notation: Notation,
    ) -> Option<TablebaseInfo> {
        tablebase::chess(self, earlier, tables, notation)
    }

    /// The middlegame begins after move 12, or when at most ten pieces other than kings and pawns
    /// are left. The endgame begins when at most six of these pieces are left.
    fn phase(&self) -> Phase {
        let board = self.board();
        let pieces = board.occupied() - board.kind(Kind::Pawn) - board.kind(Kind::King);
        match pieces.len() {
            0..=6 => Phase::Endgame,
            7..=10 => Phase::Middlegame,
            _ if self.fullmove() > 12 => Phase::Middlegame,
            _ => Phase::Opening,
        }
    }

    fn passed(&self) -> Option<Self> {
        (!self.in_check()).then(|| self.after(chess::Move::NULL))
    }

    fn opening(keys: &[u64]) -> Option<Opening> {
        openings::find(keys)
    }

    fn square_number(name: &str) -> Option<usize> {
        name.parse().ok().map(number)
    }

    fn square_name(square: usize) -> Option<String> {
        Square::ALL.into_iter().find(|&one| number(one) == square).map(|one| one.to_string())
    }

    fn book_moves(&self, equipment: &Equipment) -> Vec<(chess::Move, u16)> {
        let Some(book) = &equipment.book else { return Vec::new() };
        book.moves(self).into_iter().map(|entry| (entry.m, entry.weight)).collect()
    }

    fn read_epd(line: &str) -> Result<Epd<Self>, Bilingual> {
        line.parse::<Epd<Self>>().map_err(|error| Bilingual::of(&error))
    }

    fn epd_line(puzzle: &Epd<Self>) -> String {
        puzzle.to_string()
    }

    fn strength(level: Level, seed: u64) -> Result<Option<Strength>, LevelError> {
        match level {
            Level::Full => Ok(None),
            Level::Elo(elo @ 800..=3000) => Ok(Some(Strength::rated(elo, seed))),
            Level::Elo(elo) => Err(LevelError::Rating(elo)),
            Level::Skill(_) => Err(LevelError::ChessSkill),
        }
    }
}

impl BoardGame for draughts::Position {
    const NAME: GameKind = GameKind::Draughts;
    const WORD: &'static str = "draughts";
    const EXTENSION: &'static str = "pdn";

    fn routes(&self, m: draughts::Move) -> Vec<Vec<usize>> {
        /// Maximum number of routes. A king may turn on many squares during a capture.
        const MAX_ROUTES: usize = 32;
        let routes = if m.is_capture() {
            notation::routes_up_to(self, m, MAX_ROUTES)
        } else {
            vec![vec![m.to()]]
        };
        let from = m.from().index();
        let whole = |route: Vec<draughts::Square>| {
            [from].into_iter().chain(route.into_iter().map(draughts::Square::index)).collect()
        };
        routes.into_iter().map(whole).collect()
    }

    fn takes(&self, m: draughts::Move) -> Vec<usize> {
        m.taken().into_iter().map(draughts::Square::index).collect()
    }

    fn notated(&self, m: draughts::Move, _: Notation) -> String {
        notation::pdn(self, m)
    }

    fn spoken(&self, m: draughts::Move) -> String {
        if !m.is_capture() {
            return format!("{} to {}", m.from(), m.to());
        }
        let taken: Vec<_> = m.taken().into_iter().map(|square| square.to_string()).collect();
        format!("{} to {}, takes {}", m.from(), m.to(), taken.join(", "))
    }

    fn announced(&self, m: draughts::Move) -> String {
        self.spoken(m)
    }

    fn read_typed(&self, text: &str, _: Notation) -> Result<draughts::Move, TypedMoveError> {
        typed::draughts(self, text)
    }

    fn squares_of(fen: &str) -> Option<String> {
        let position = <Self as Recorded>::from_fen(fen);
        position.ok().map(|position| position.squares())
    }

    fn check(&self) -> Option<usize> {
        None
    }

    fn read_fen(text: &str) -> Result<Self, StartError> {
        text.trim().parse::<Self>().map_err(|error| StartError::Fen(Bilingual::of(&error)))
    }

    fn beginning(start: &Start, variant: Option<&str>) -> Result<Self, StartError> {
        let variant: draughts::Variant = variant.map(str::parse).transpose()?.unwrap_or_default();
        let start = match start {
            Start::Usual => Self::start(),
            Start::Fen(fen) => {
                let position = Self::read_fen(fen)?;
                if variant == draughts::Variant::Normal {
                    return Ok(position);
                }
                position
            }
            Start::Less(less) => {
                let last = draughts::Square::all().rev().take(usize::from(*less));
                Self::start_without(last.collect()).ok_or(StartError::Men(*less))?
            }
            Start::Chess960(_) | Start::Odds(..) => {
                return Err(StartError::DraughtsStart);
            }
        };
        Ok(start.in_game(variant)?)
    }

    fn tablebase_info(&self, _: &[u64], tables: &Tables, _: Notation) -> Option<TablebaseInfo> {
        tablebase::draughts(self, tables)
    }

    /// The middlegame begins when at most 32 pieces are left, and the endgame when at most twelve
    /// pieces are left.
    fn phase(&self) -> Phase {
        match self.board().occupied().len() {
            0..=12 => Phase::Endgame,
            13..=32 => Phase::Middlegame,
            _ => Phase::Opening,
        }
    }

    /// Returns the moves of the built-in book. The engine chooses among them at random.
    fn book_moves(&self, _: &Equipment) -> Vec<(draughts::Move, u16)> {
        let moves = Book::shipped().moves(self).iter();
        // The legality check guards against key collisions.
        moves.filter(|&&m| self.is_legal(m)).map(|&m| (m, 1)).collect()
    }

    fn square_number(name: &str) -> Option<usize> {
        let is_number = name.len() == 2 && name.bytes().all(|byte| byte.is_ascii_digit());
        let square: usize = name.parse().ok().filter(|_| is_number)?;
        (1..=Self::SQUARES).contains(&square).then(|| square - 1)
    }

    fn square_name(square: usize) -> Option<String> {
        (square < Self::SQUARES).then(|| format!("{:02}", square + 1))
    }

    fn read_epd(line: &str) -> Result<Epd<Self>, Bilingual> {
        line.parse::<Epd<Self>>().map_err(|error| Bilingual::of(&error))
    }

    fn epd_line(puzzle: &Epd<Self>) -> String {
        puzzle.to_string()
    }

    fn strength(level: Level, seed: u64) -> Result<Option<Strength>, LevelError> {
        match level {
            Level::Full => Ok(None),
            Level::Skill(skill) => Ok(Strength::skilled(skill, seed)),
            Level::Elo(_) => Err(LevelError::DraughtsRating),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::base::game::MoveForm;

    fn described<G: BoardGame>(fen: &str, text: &str) -> (Vec<Vec<usize>>, Vec<usize>, String) {
        let position = G::from_fen(fen).unwrap();
        let m = position.read_move(text, MoveForm::Player).unwrap();
        (position.routes(m), position.takes(m), position.spoken(m))
    }

    #[test]
    fn describes_chess_moves() {
        let chess = described::<chess::Position>;
        let (routes, takes, spoken) = chess("4k3/8/8/3pP3/8/8/8/R3K2R w KQ d6 0 1", "exd6");
        assert_eq!((routes, takes), (vec![vec![28, 19]], vec![27]));
        assert_eq!(spoken, "pawn e5 takes pawn on d6");
        let (routes, takes, spoken) = chess("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O");
        assert_eq!(routes, [[60, 62], [60, 63]]);
        assert!(takes.is_empty());
        assert_eq!(spoken, "castles short");
        let (routes, ..) = chess("4k3/8/8/8/8/8/8/6KR w H - 0 1", "O-O");
        assert_eq!(routes, [[62, 63]]);
    }

    #[test]
    fn draughts_positions_have_the_moves_of_the_built_in_book() {
        let moves = |position: draughts::Position| position.book_moves(&Equipment::default());
        for variant in draughts::Variant::ALL {
            assert!(moves(draughts::Position::start_of(variant)).len() > 1, "{variant}");
        }
        assert!(moves("W:WK50:BK1".parse().expect("legal")).is_empty());
    }

    #[test]
    fn phase_depends_on_the_pieces() {
        fn phase<G: BoardGame>(fen: &str) -> Phase {
            G::from_fen(fen).unwrap().phase()
        }
        let chess = phase::<chess::Position>;
        let pieces = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0";
        assert_eq!(chess(&format!("{pieces} 12")), Phase::Opening);
        assert_eq!(chess(&format!("{pieces} 13")), Phase::Middlegame);
        assert_eq!(chess("rnbqk3/8/8/8/8/8/8/RNBQK1N1 w - - 0 1"), Phase::Middlegame);
        assert_eq!(chess("r1bqk3/pppppppp/8/8/8/8/PPPPPPPP/R1BQK3 w - - 0 1"), Phase::Endgame);
        let draughts = phase::<draughts::Position>;
        assert_eq!(draughts("W:W31-50:B1-20"), Phase::Opening);
        assert_eq!(draughts("W:W31-50:B1-12"), Phase::Middlegame);
        assert_eq!(draughts("W:W31-36:B1-6"), Phase::Endgame);
    }

    #[test]
    fn draughts_capture_has_all_its_routes() {
        let (routes, takes, spoken) =
            described::<draughts::Position>("W:W38:B33,23,22,32", "38x38x32x33x22x23");
        // The piece can go around the captured pieces in either direction.
        assert_eq!(routes.len(), 2);
        assert!(routes.iter().all(|route| route.len() == 5 && route[0] == 37 && route[4] == 37));
        assert_eq!(takes, [21, 22, 31, 32]);
        assert_eq!(spoken, "38 to 38, takes 22, 23, 32, 33");
    }
}
