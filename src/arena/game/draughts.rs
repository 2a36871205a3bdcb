//! The arena's interface to draughts: Hub and DXP engines, and bitbase adjudication.

use super::contest::{BookError, Contest, StartError, Tables, Variant};
use crate::arena::engine::dxp::Dxp;
use crate::arena::engine::entrant::Protocol;
use crate::arena::engine::hub::Hub;
use crate::arena::engine::protocol::EngineProtocol;
use crate::base::rng::Rng;
use crate::base::side::Side;
use crate::draughts::pdn::GameResult;
use crate::draughts::{self, Move, Position, hub};
use crate::endings::bitbase::Wdl;
use crate::laws::Edition;
use crate::laws::language::Language;
use crate::laws::ruling::GameOutcome;
use std::convert::Infallible;
use std::path::Path;

const fn game(variant: Variant) -> draughts::Variant {
    match variant {
        Variant::Draughts(game) => game,
        Variant::Standard | Variant::Chess960 => draughts::Variant::Normal,
    }
}

impl Contest for Position {
    const PROTOCOL: Protocol = Protocol::Hub;

    const EDITION: Edition = Edition::Fmjd;

    fn engine_protocol(
        protocol: Protocol,
        variant: Variant,
    ) -> Option<Box<dyn EngineProtocol<Self>>> {
        match (protocol, game(variant)) {
            (Protocol::Hub, game) => Some(Box::new(Hub::new(game))),
            (Protocol::Dxp | Protocol::DxpClient, draughts::Variant::Normal) => {
                Some(Box::<Dxp>::default())
            }
            // DXP cannot express draughts variants.
            (Protocol::Dxp | Protocol::DxpClient, _) => None,
            // UCI is for chess only.
            (Protocol::Uci, _) => None,
        }
    }

    fn read_start(line: &str) -> Result<Self, StartError> {
        let fen = line.split_ascii_whitespace().next().unwrap_or_default();
        Ok(fen.parse::<Self>()?)
    }

    fn random_start(variant: Variant, _: &mut Rng) -> Self {
        Self::start_of(game(variant))
    }

    fn variant_of(&self) -> Variant {
        match self.variant() {
            draughts::Variant::Normal => Variant::Standard,
            game => Variant::Draughts(game),
        }
    }

    fn in_variant(self, variant: Variant) -> Result<Self, StartError> {
        Ok(self.in_game(game(variant))?)
    }

    fn own_end(&self, language: Language) -> Option<&'static str> {
        match self.variant() {
            draughts::Variant::Frisian if self.is_drawn_by_count() => Some(
                language
                    .of("two kings or one against one king", "deux dames ou une contre une dame"),
            ),
            _ if self.has_moves() => None,
            draughts::Variant::Normal | draughts::Variant::Killer | draughts::Variant::Frisian => {
                None
            }
            draughts::Variant::Breakthrough if self.board().all_kings().any() => {
                Some(language.of("the first king", "la première dame"))
            }
            draughts::Variant::Breakthrough => None,
            draughts::Variant::Losing => {
                Some(language.of("no move left, which wins", "plus de coup, ce qui gagne"))
            }
        }
    }

    /// Returns no result if the move counts in FMJD 6.3 and 6.4 may turn a won position into a
    /// draw, because the bitbases ignore these counts.
    fn tablebase_outcome(&self, tables: &Tables) -> Option<GameOutcome> {
        let Tables::Bitbases(bitbases) = tables else { return None };
        match bitbases.probe(self)? {
            Wdl::Draw => Some(GameOutcome::Draw),
            Wdl::Win | Wdl::Loss if self.few_pieces().is_some() => None,
            Wdl::Win => Some(GameOutcome::won(Some(self.side()))),
            Wdl::Loss => Some(GameOutcome::won(Some(!self.side()))),
        }
    }

    /// An uninhabited type, because the arena has no opening books for draughts. Openings come from
    /// EPD or PDN files or are generated.
    type Book = Infallible;

    fn read_book(_: &Path) -> Result<Infallible, BookError> {
        Err(BookError::NotChess)
    }

    fn book_move(&self, book: &Infallible, _: &mut Rng) -> Option<Move> {
        match *book {}
    }

    const SQUARES: usize = 50;

    fn squares(&self) -> String {
        let text = hub::write(self).to_string();
        text.chars().skip(1).map(|c| if c == 'e' { '.' } else { c }).collect()
    }

    fn result(winner: Option<Side>) -> GameResult {
        match winner {
            Some(Side::White) => GameResult::WhiteWins,
            Some(Side::Black) => GameResult::BlackWins,
            None => GameResult::Draw,
        }
    }
}
