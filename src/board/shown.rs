//! What the page shows of a game's positions and moves.

use super::message::{Legal, Level, Ply, Start};
use super::study::{Known, tables};
use super::{Tables, typed};
use crate::arena::game::contest::{Contest, Variant};
use crate::base::game::GameKind;
use crate::chess::notation::Notation;
use crate::chess::odds::{Odds, OddsError};
use crate::chess::{self, File, Kind, Square};
use crate::draughts::variant::VariantError;
use crate::draughts::{self, notation};
use crate::protocol::strength::Strength;
use crate::record::games::Recorded;
use crate::tools::analyse::Analysed;

/// What the board needs to know of a game beyond what the arena does.
pub(super) trait Shown: Analysed {
    /// Its name.
    const NAME: GameKind;
    /// Its name in a sentence.
    const WORD: &'static str;
    /// How its records' files end.
    const EXTENSION: &'static str;

    /// The ways to show a legal move with the hand, the usual one first; see [`Legal::routes`].
    fn routes(&self, m: Self::Move) -> Vec<Vec<usize>>;

    /// The squares of the pieces that a legal move takes.
    fn takes(&self, m: Self::Move) -> Vec<usize>;

    /// A legal move in a notation of chess; draughts has only one.
    fn noted(&self, m: Self::Move, notation: Notation) -> String;

    /// A legal move in words.
    fn spoken(&self, m: Self::Move) -> String;

    /// A legal move as it is announced to a player who does not see.
    fn announced(&self, m: Self::Move) -> String;

    /// The move that a person types or says, in the chosen notation or any other.
    ///
    /// # Errors
    /// Why the text is no move here.
    fn read_typed(&self, text: &str, notation: Notation) -> Result<Self::Move, String>;

    /// The contents of the squares by a FEN, also of one that is no legal position.
    fn squares_of(fen: &str) -> Option<String>;

    /// The square of the king of the side to move, if it is in check.
    fn check(&self) -> Option<usize>;

    /// The position in which a game begins; `variant` is the name of a game of draughts.
    ///
    /// # Errors
    /// Why there is no such beginning.
    fn beginning(start: &Start, variant: Option<&str>) -> Result<Self, String>;

    /// What tables of endings know of the position, which came after positions with the keys `earlier`.
    fn endings(&self, earlier: &[u64], tables: &Tables, notation: Notation) -> Option<Known>;

    /// The variant that another engine is to be told of in a game from here.
    fn as_variant(&self) -> Variant;

    /// The strength of a level, with a seed for its errors; `None` is the greatest.
    ///
    /// # Errors
    /// If the game has no such level.
    fn strength(level: Level, seed: u64) -> Result<Option<Strength>, String>;

    /// A move that was made here.
    fn ply(&self, m: Self::Move, notation: Notation) -> Ply {
        Ply {
            text: self.noted(m, notation),
            spoken: self.spoken(m),
            announced: self.announced(m),
            squares: self.after(m).squares(),
            route: self.routes(m).into_iter().next().unwrap_or_default(),
        }
    }

    /// The moves that can be made here.
    fn legal(&self, notation: Notation) -> Vec<Legal> {
        let legal = |m: Self::Move| Legal {
            text: m.to_string(),
            shown: self.noted(m, notation),
            routes: self.routes(m),
            takes: self.takes(m),
        };
        self.moves().into_iter().map(legal).collect()
    }
}

/// The number of a square on the page.
const fn number(square: Square) -> usize {
    square.flip().index()
}

/// The square on which the king comes to stand.
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

impl Shown for chess::Position {
    const NAME: GameKind = GameKind::Chess;
    const WORD: &'static str = "chess";
    const EXTENSION: &'static str = "pgn";

    fn routes(&self, m: chess::Move) -> Vec<Vec<usize>> {
        let route = |to: Square| vec![number(m.from()), number(to)];
        if !m.is_castle() {
            return vec![route(m.to())];
        }
        let king = castled(m.from(), m.to());
        // A king that stands there already can only be shown on its rook.
        let by_king = (king != m.from() && king != m.to()).then(|| route(king));
        by_king.into_iter().chain([route(m.to())]).collect()
    }

    fn takes(&self, m: chess::Move) -> Vec<usize> {
        let behind = Square::new(m.to().file(), m.from().rank());
        let taken = [m.to(), behind]
            .into_iter()
            .find(|&square| self.piece_on(square).is_some_and(|taken| taken.side != self.side()));
        let takes = self.captured(m).and(taken);
        takes.into_iter().map(number).collect()
    }

    fn noted(&self, m: chess::Move, notation: Notation) -> String {
        notation.write(self, m)
    }

    fn spoken(&self, m: chess::Move) -> String {
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

    fn read_typed(&self, text: &str, notation: Notation) -> Result<chess::Move, String> {
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

    fn beginning(start: &Start, variant: Option<&str>) -> Result<Self, String> {
        if let Some(name) = variant {
            return Err(format!("chess is not played as '{name}' here"));
        }
        match start {
            Start::Usual => Ok(Self::start()),
            Start::Fen(fen) => Self::from_fen(fen.trim()).map_err(|error| error.to_string()),
            Start::Chess960(number) => Self::chess960(*number)
                .ok_or_else(|| format!("there is no Chess960 start {number} (0 to 959)")),
            Start::Odds(text, moves) => {
                let odds: Odds = text.parse().map_err(|error: OddsError| error.to_string())?;
                // A single move is made on the board.
                let start = if odds.moves > 1 { odds.after(moves) } else { odds.start() };
                start.map_err(|error| error.to_string())
            }
            Start::Less(_) => Err("chess has other odds than fewer men".to_owned()),
        }
    }

    fn endings(&self, earlier: &[u64], tables: &Tables, notation: Notation) -> Option<Known> {
        tables::chess(self, earlier, tables, notation)
    }

    fn as_variant(&self) -> Variant {
        if self.start_tag().is_some() { Variant::Chess960 } else { Variant::Standard }
    }

    fn strength(level: Level, seed: u64) -> Result<Option<Strength>, String> {
        match level {
            Level::Full => Ok(None),
            Level::Elo(elo @ 800..=3000) => Ok(Some(Strength::rated(elo, seed))),
            Level::Elo(elo) => Err(format!("a rating is a number from 800 to 3000, not {elo}")),
            Level::Skill(_) => Err("at chess a level is a rating".to_owned()),
        }
    }
}

impl Shown for draughts::Position {
    const NAME: GameKind = GameKind::Draughts;
    const WORD: &'static str = "draughts";
    const EXTENSION: &'static str = "pdn";

    fn routes(&self, m: draughts::Move) -> Vec<Vec<usize>> {
        /// A king may turn anywhere; these are more ways than anybody tries.
        const MOST: usize = 32;
        let routes = if m.is_capture() { notation::routes(self, m) } else { vec![vec![m.to()]] };
        let from = m.from().index();
        let whole = |route: Vec<draughts::Square>| {
            [from].into_iter().chain(route.into_iter().map(draughts::Square::index)).collect()
        };
        routes.into_iter().take(MOST).map(whole).collect()
    }

    fn takes(&self, m: draughts::Move) -> Vec<usize> {
        m.taken().into_iter().map(draughts::Square::index).collect()
    }

    fn noted(&self, m: draughts::Move, _: Notation) -> String {
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

    fn read_typed(&self, text: &str, _: Notation) -> Result<draughts::Move, String> {
        typed::draughts(self, text)
    }

    fn squares_of(fen: &str) -> Option<String> {
        let position = <Self as Recorded>::from_fen(fen);
        position.ok().map(|position| position.squares())
    }

    fn check(&self) -> Option<usize> {
        None
    }

    fn beginning(start: &Start, variant: Option<&str>) -> Result<Self, String> {
        let named = variant.map(str::parse).transpose();
        let variant: draughts::Variant =
            named.map_err(|error: VariantError| error.to_string())?.unwrap_or_default();
        let start = match start {
            Start::Usual => Self::start(),
            Start::Fen(fen) => {
                let position = Self::from_fen(fen.trim()).map_err(|error| error.to_string())?;
                if variant == draughts::Variant::Normal {
                    return Ok(position);
                }
                position
            }
            Start::Less(less) => {
                let last = draughts::Square::all().rev().take(usize::from(*less));
                Self::start_without(last.collect())
                    .ok_or_else(|| format!("White has 20 men, and can have {less} less no more"))?
            }
            Start::Chess960(_) | Start::Odds(..) => {
                return Err("draughts does not begin like that".to_owned());
            }
        };
        start.in_game(variant).map_err(|error| error.to_string())
    }

    fn endings(&self, _: &[u64], tables: &Tables, notation: Notation) -> Option<Known> {
        tables::draughts(self, tables, notation)
    }

    fn as_variant(&self) -> Variant {
        Variant::Draughts(self.variant())
    }

    fn strength(level: Level, seed: u64) -> Result<Option<Strength>, String> {
        match level {
            Level::Full => Ok(None),
            Level::Skill(skill) => Ok(Strength::skilled(skill, seed)),
            Level::Elo(_) => Err("there are no ratings at draughts; a level is a skill".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::base::game::MoveForm;

    fn shown<G: Shown>(fen: &str, text: &str) -> (Vec<Vec<usize>>, Vec<usize>, String) {
        let position = G::from_fen(fen).unwrap();
        let m = position.read_move(text, MoveForm::Player).unwrap();
        (position.routes(m), position.takes(m), position.spoken(m))
    }

    #[test]
    fn moves_of_chess_are_shown() {
        let chess = shown::<chess::Position>;
        let (routes, takes, spoken) = chess("4k3/8/8/3pP3/8/8/8/R3K2R w KQ d6 0 1", "exd6");
        assert_eq!((routes, takes), (vec![vec![28, 19]], vec![27]));
        assert_eq!(spoken, "pawn e5 takes pawn on d6");
        let (routes, takes, spoken) = chess("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O");
        assert_eq!(routes, [[60, 62], [60, 63]]);
        assert!(takes.is_empty());
        assert_eq!(spoken, "castles short");
        // The king stands on g1 already.
        let (routes, ..) = chess("4k3/8/8/8/8/8/8/6KR w H - 0 1", "O-O");
        assert_eq!(routes, [[62, 63]]);
    }

    #[test]
    fn captures_of_draughts_are_shown_with_their_routes() {
        let (routes, takes, spoken) =
            shown::<draughts::Position>("W:W38:B33,23,22,32", "38x38x32x33x22x23");
        // Round the same pieces, either way.
        assert_eq!(routes.len(), 2);
        assert!(routes.iter().all(|route| route.len() == 5 && route[0] == 37 && route[4] == 37));
        assert_eq!(takes, [21, 22, 31, 32]);
        assert_eq!(spoken, "38 to 38, takes 22, 23, 32, 33");
    }
}
