//! Chess in the arena: UCI engines.

use super::contest::{Contest, Variant};
use crate::arena::engine::entrant::Protocol;
use crate::arena::engine::protocol::EngineProtocol;
use crate::arena::engine::uci::Uci;
use crate::base::rng::Rng;
use crate::base::side::Side;
use crate::chess::Position;
use crate::chess::pgn::GameResult;
use crate::laws::Edition;
use crate::search::chess::{ChessSearcher, Root};

impl Contest for Position {
    type Searcher = ChessSearcher;

    const PROTOCOL: Protocol = Protocol::Uci;

    const EDITION: Edition = Edition::Fide2023;

    fn engine_protocol(
        protocol: Protocol,
        variant: Variant,
    ) -> Option<Box<dyn EngineProtocol<Self>>> {
        (protocol == Protocol::Uci)
            .then(|| Box::new(Uci::new(variant)) as Box<dyn EngineProtocol<Self>>)
    }

    fn read_start(line: &str) -> Result<Self, String> {
        let fields: Vec<&str> = line.split_ascii_whitespace().collect();
        // A FEN ends with two counters; an EPD has operations instead.
        let counters =
            fields.iter().skip(4).take(2).take_while(|f| f.parse::<u16>().is_ok()).count();
        let fen = fields[..fields.len().min(4 + counters)].join(" ");
        fen.parse().map_err(|error: crate::chess::fen::FenError| error.to_string())
    }

    fn random_start(variant: Variant, rng: &mut Rng) -> Self {
        match variant {
            Variant::Standard => Self::start(),
            Variant::Chess960 => Self::chess960(rng.below(960) as u16).unwrap_or_else(Self::start),
        }
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

    fn root(&self) -> Root {
        Root { position: self.clone(), history: Vec::new() }
    }

    fn result(winner: Option<Side>) -> GameResult {
        match winner {
            Some(Side::White) => GameResult::WhiteWins,
            Some(Side::Black) => GameResult::BlackWins,
            None => GameResult::Draw,
        }
    }
}
