//! What the page shows of a game's positions and moves.

use super::message::{GameName, Legal, Level, Ply};
use crate::arena::game::contest::Contest;
use crate::chess::notation::Notation;
use crate::chess::{self, File, Kind, Square};
use crate::draughts::{self, notation};
use crate::protocol::strength::Strength;
use crate::search::driver::Searcher;
use crate::search::limits::Limits;
use crate::search::report::Info;

/// What the board needs to know of a game beyond what the arena does.
pub(super) trait Shown: Contest {
    /// Its name.
    const NAME: GameName;
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

    /// The square of the king of the side to move, if it is in check.
    fn check(&self) -> Option<usize>;

    /// The start position of a number (Chess960); `None` if there is none.
    fn numbered(number: u16) -> Option<Self>;

    /// The root of a search, with the keys of the game's earlier positions.
    fn rooted(&self, earlier: Vec<u64>) -> <Self::Searcher as Searcher>::Root;

    /// Bounds a search to what a player of this rating sees, and says how many lines he compares.
    fn weaken(elo: u32, limits: &mut Limits<Self::Move>) -> usize;

    /// The line that a player of this rating chooses.
    fn choose(&self, elo: u32, seed: u64, lines: &[Info<Self::Move>]) -> usize;

    /// What is wrong with a level, if something is.
    fn check_level(level: Level) -> Result<(), String>;

    /// A move that was made here.
    fn ply(&self, m: Self::Move, notation: Notation) -> Ply {
        Ply {
            text: self.noted(m, notation),
            spoken: self.spoken(m),
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
    const NAME: GameName = GameName::Chess;
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

    fn check(&self) -> Option<usize> {
        let own = |square: &Square| {
            self.kind_on(*square) == Some(Kind::King)
                && self.piece_on(*square).is_some_and(|king| king.side == self.side())
        };
        let king = Square::ALL.into_iter().find(own)?;
        self.in_check().then(|| number(king))
    }

    fn numbered(number: u16) -> Option<Self> {
        Self::chess960(number)
    }

    fn rooted(&self, earlier: Vec<u64>) -> crate::search::chess::Root {
        crate::search::chess::Root { history: earlier, ..self.root() }
    }

    fn weaken(elo: u32, limits: &mut Limits<chess::Move>) -> usize {
        Strength::rated(elo, 0).limit(limits);
        Strength::CANDIDATES
    }

    fn choose(&self, elo: u32, seed: u64, lines: &[Info<chess::Move>]) -> usize {
        Strength::rated(elo, seed).choose(self.key(), lines)
    }

    fn check_level(level: Level) -> Result<(), String> {
        match level {
            Level::Elo(elo) if !(800..=3000).contains(&elo) => {
                Err(format!("a rating is a number from 800 to 3000, not {elo}"))
            }
            _ => Ok(()),
        }
    }
}

impl Shown for draughts::Position {
    const NAME: GameName = GameName::Draughts;
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

    fn check(&self) -> Option<usize> {
        None
    }

    fn numbered(_: u16) -> Option<Self> {
        None
    }

    fn rooted(&self, earlier: Vec<u64>) -> crate::search::draughts::Root {
        crate::search::draughts::Root { history: earlier, ..self.root() }
    }

    fn weaken(_: u32, _: &mut Limits<draughts::Move>) -> usize {
        1
    }

    fn choose(&self, _: u32, _: u64, _: &[Info<draughts::Move>]) -> usize {
        0
    }

    fn check_level(level: Level) -> Result<(), String> {
        match level {
            Level::Elo(_) => Err("the engine has no ratings at draughts; choose nodes".to_owned()),
            Level::Full | Level::Nodes(_) => Ok(()),
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
