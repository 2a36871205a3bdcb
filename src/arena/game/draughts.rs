//! Draughts in the arena: Hub and DXP engines.

use super::contest::{Contest, Variant};
use super::rules::Tables;
use crate::arena::engine::dxp::Dxp;
use crate::arena::engine::entrant::Protocol;
use crate::arena::engine::hub::Hub;
use crate::arena::engine::protocol::EngineProtocol;
use crate::base::rng::Rng;
use crate::base::side::Side;
use crate::draughts::pdn::GameResult;
use crate::draughts::position::FewPieces;
use crate::draughts::{Move, Position, hub};
use crate::endings::bitbase::Wdl;
use crate::laws::Edition;
use crate::search::draughts::{DraughtsSearcher, Root};
use std::convert::Infallible;
use std::path::Path;

impl Contest for Position {
    type Searcher = DraughtsSearcher;

    const PROTOCOL: Protocol = Protocol::Hub;

    const EDITION: Edition = Edition::Fmjd;

    fn engine_protocol(protocol: Protocol, _: Variant) -> Option<Box<dyn EngineProtocol<Self>>> {
        match protocol {
            Protocol::Uci => None,
            Protocol::Hub => Some(Box::new(Hub)),
            Protocol::Dxp | Protocol::DxpClient => Some(Box::<Dxp>::default()),
        }
    }

    fn read_start(line: &str) -> Result<Self, String> {
        let fen = line.split_ascii_whitespace().next().unwrap_or_default();
        fen.parse().map_err(|error: crate::draughts::fen::FenError| error.to_string())
    }

    fn random_start(_: Variant, _: &mut Rng) -> Self {
        Self::start()
    }

    /// The bitbases know nothing of the counts of 6.3 and 6.4, by which a win of theirs may be drawn.
    fn known(&self, tables: &Tables) -> Option<Option<Side>> {
        let Tables::Bitbases(bitbases) = tables else { return None };
        match bitbases.probe(self)? {
            Wdl::Draw => Some(None),
            Wdl::Win | Wdl::Loss if FewPieces::of(self.board()).is_some() => None,
            Wdl::Win => Some(Some(self.side())),
            Wdl::Loss => Some(Some(!self.side())),
        }
    }

    /// Books of draughts are EPD files, each line of which is an opening.
    type Book = Infallible;

    fn read_book(_: &Path) -> Result<Infallible, String> {
        Err("a Polyglot book is of chess".to_owned())
    }

    fn book_move(&self, book: &Infallible, _: &mut Rng) -> Option<Move> {
        match *book {}
    }

    const SQUARES: usize = 50;

    fn squares(&self) -> String {
        let text = hub::write(self).to_string();
        text.chars().skip(1).map(|c| if c == 'e' { '.' } else { c }).collect()
    }

    fn root(&self) -> Root {
        Root::new(*self)
    }

    fn result(winner: Option<Side>) -> GameResult {
        match winner {
            Some(Side::White) => GameResult::WhiteWins,
            Some(Side::Black) => GameResult::BlackWins,
            None => GameResult::Draw,
        }
    }
}
