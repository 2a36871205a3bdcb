//! Draughts in the arena: Hub and DXP engines.

use super::contest::{Contest, Variant};
use crate::arena::engine::dxp::Dxp;
use crate::arena::engine::entrant::Protocol;
use crate::arena::engine::hub::Hub;
use crate::arena::engine::protocol::EngineProtocol;
use crate::base::rng::Rng;
use crate::base::side::Side;
use crate::draughts::pdn::GameResult;
use crate::draughts::position::FewPieces;
use crate::draughts::{Position, hub};
use crate::endings::bitbase::{Bitbases, Wdl};
use crate::laws::Edition;
use crate::search::draughts::{DraughtsSearcher, Root};

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
    fn known(&self, bitbases: &Bitbases) -> Option<Option<Side>> {
        match bitbases.probe(self)? {
            Wdl::Draw => Some(None),
            Wdl::Win | Wdl::Loss if FewPieces::of(self.board()).is_some() => None,
            Wdl::Win => Some(Some(self.side())),
            Wdl::Loss => Some(Some(!self.side())),
        }
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
