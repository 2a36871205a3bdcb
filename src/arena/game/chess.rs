//! The arena's view of chess: UCI engines, Polyglot books and Syzygy adjudication.

use super::contest::{BookError, Contest, StartError, Tables, Variant};
use crate::arena::engine::entrant::Protocol;
use crate::arena::engine::protocol::EngineProtocol;
use crate::arena::engine::uci::Uci;
use crate::base::rng::Rng;
use crate::base::side::Side;
use crate::chess::pgn::GameResult;
use crate::chess::polyglot::Book;
use crate::chess::{Epd, Move, Position};
use crate::endings::syzygy::Wdl;
use crate::laws::Edition;
use crate::laws::ruling::GameOutcome;
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
        // Malformed operations do not matter.
        if let Ok(epd) = line.parse::<Epd>() {
            return Ok(epd.position);
        }
        let fields: Vec<&str> = line.split_ascii_whitespace().collect();
        // A FEN ends with two counters; an EPD has operations instead.
        let counters =
            fields.iter().skip(4).take(2).take_while(|f| f.parse::<u16>().is_ok()).count();
        let fen = fields[..fields.len().min(4 + counters)].join(" ");
        Ok(fen.parse::<Self>()?)
    }

    fn random_start(variant: Variant, rng: &mut Rng) -> Self {
        match variant {
            Variant::Standard | Variant::Draughts(_) => Self::start(),
            Variant::Chess960 => Self::chess960(rng.below(960) as u16).unwrap_or_else(Self::start),
        }
    }

    /// The WDL tables assume a halfmove clock of 0, so they decide a game only directly after a
    /// capture or a pawn move.
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
