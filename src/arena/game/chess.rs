//! The arena's interface to chess: UCI engines, Polyglot books and Syzygy adjudication.

use super::contest::{BookError, Contest, StartError, Tables, Variant};
use crate::arena::engine::entrant::Protocol;
use crate::arena::engine::protocol::EngineProtocol;
use crate::arena::engine::uci::Uci;
use crate::base::cursor::Cursor;
use crate::base::rng::Rng;
use crate::base::side::Side;
use crate::chess::epd::{Epd, EpdError};
use crate::chess::fen::FenError;
use crate::chess::pgn::GameResult;
use crate::chess::polyglot::Book;
use crate::chess::{Move, Position, Setup};
use crate::endings::syzygy::Wdl;
use crate::laws::Edition;
use crate::laws::ruling::GameOutcome;
use crate::record::games::Recorded;
use std::path::Path;

impl Contest for Position {
    const PROTOCOL: Protocol = Protocol::Uci;

    const EDITION: Edition = Edition::Fide2023;

    fn engine_protocol(
        protocol: Protocol,
        variant: Variant,
    ) -> Option<Box<dyn EngineProtocol<Self>>> {
        (protocol == Protocol::Uci)
            .then(|| Box::new(Uci::new(variant)) as Box<dyn EngineProtocol<Self>>)
    }

    fn read_start(line: &str) -> Result<Self, StartError> {
        match line.parse::<Epd>() {
            Ok(epd) => Ok(epd.position),
            Err(EpdError::Position(error)) => Err(error.into()),
            // Text after the position is malformed, but only the position is needed.
            Err(_) => {
                let setup = Setup::read_board(&mut Cursor::new(line))?;
                Ok(Self::try_from(setup).map_err(FenError::from)?)
            }
        }
    }

    fn random_start(variant: Variant, rng: &mut Rng) -> Self {
        match variant {
            Variant::Standard | Variant::Draughts(_) => Self::start(),
            Variant::Chess960 => Self::chess960(rng.below(960) as u16).unwrap_or_else(Self::start),
        }
    }

    fn variant_of(&self) -> Variant {
        if self.start_tag().is_some() { Variant::Chess960 } else { Variant::Standard }
    }

    /// Returns the result only directly after a capture or a pawn move, because the WDL tables
    /// assume a halfmove clock of 0.
    fn tablebase_outcome(&self, tables: &Tables) -> Option<GameOutcome> {
        let Tables::Syzygy(tables) = tables else { return None };
        if self.halfmove_clock() != 0 {
            return None;
        }
        let winner = match tables.wdl(self)? {
            Wdl::Win => Some(self.side()),
            Wdl::Loss => Some(!self.side()),
            Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => None,
        };
        Some(GameOutcome::won(winner))
    }

    type Book = Book;

    fn read_book(path: &Path) -> Result<Book, BookError> {
        Ok(Book::open(path)?)
    }

    fn book_move(&self, book: &Book, rng: &mut Rng) -> Option<Move> {
        book.choose(self, rng)
    }

    const SQUARES: usize = 64;

    fn squares(&self) -> String {
        let fen = self.fen();
        let mut squares = String::with_capacity(Self::SQUARES);
        for c in fen.chars().take_while(|&c| c != ' ').filter(|&c| c != '/') {
            match c.to_digit(10) {
                Some(empty) => squares.extend((0..empty).map(|_| '.')),
                None => squares.push(c),
            }
        }
        squares
    }

    fn result(winner: Option<Side>) -> GameResult {
        match winner {
            Some(Side::White) => GameResult::WhiteWins,
            Some(Side::Black) => GameResult::BlackWins,
            None => GameResult::Draw,
        }
    }
}
