//! French error messages. The English messages are on the error types.

use super::grammar::Expected;
use super::language::{InFrench, Language};
use super::log::GameError;
use super::possible::Possible;
use super::read::ReadError;
use super::time::TimeError;
use super::word;
use crate::base::side::Side;
use crate::chess::illegal::{self as illegal_move, CastlingFault, Illegality, On};
use crate::chess::notation::language::FRENCH;
use crate::draughts::fen::MAX_PIECES;
use crate::laws::any::LineError;
use crate::laws::edition::{Edition, EditionError};
use crate::laws::referee::{Impossible, Refused, illegal};
use crate::laws::ruling::french as players;
use crate::{chess, draughts};

pub(crate) const fn to_players(side: Side) -> &'static str {
    match side {
        Side::White => "aux Blancs",
        Side::Black => "aux Noirs",
    }
}

pub(crate) const fn of_players(side: Side) -> &'static str {
    match side {
        Side::White => "des Blancs",
        Side::Black => "des Noirs",
    }
}

impl InFrench for LineError {
    fn in_french(&self) -> String {
        match self {
            Self::Read(error) => error.in_french(),
            Self::Impossible(error) => error.in_french(),
            Self::Moves { number, error } => {
                let why = error.in_moves(Language::French);
                format!("coup {number} : {why} ; aucun coup de cette ligne n'a été enregistré")
            }
        }
    }
}

impl InFrench for Impossible {
    fn in_french(&self) -> String {
        let why = self.why.in_french();
        match self.possible.is_empty() {
            true => why,
            false => format!("{why} ; possible maintenant : {}", self.possible.in_french()),
        }
    }
}

impl InFrench for Possible {
    fn in_french(&self) -> String {
        self.text(Language::French)
    }
}

impl InFrench for ReadError {
    fn in_french(&self) -> String {
        match self {
            Self::Word { found, expected, column } => {
                let nearest = Expected::nearest(found, expected);
                let nearest = nearest.map(|word| format!("voulez-vous dire {word} ? "));
                format!(
                    "colonne {column} : {}« {found} » devrait être {}",
                    nearest.unwrap_or_default(),
                    Expected::list(expected, Language::French)
                )
            }
            Self::Time { error, column } => format!("colonne {column} : {}", error.in_french()),
            Self::Move { error, column } => format!("colonne {column} : {}", error.in_french()),
            Self::Trailing { found, column } => {
                format!("colonne {column} : « {found} » suit l'événement")
            }
            Self::BareMove { found, side, column } => format!(
                "colonne {column} : « {found} » est un coup : écrivez `{} move {found}` ou `moves \
                 {found}`",
                word(*side)
            ),
        }
    }
}

impl InFrench for TimeError {
    fn in_french(&self) -> String {
        format!("« {} » n'est pas un temps (exemples : 1:59:30, 5:00, 90)", self.0)
    }
}

impl InFrench for Refused {
    fn in_french(&self) -> String {
        match self {
            Self::Over => "la partie est finie".into(),
            Self::NotOver => "la partie n'est pas finie".into(),
            Self::Turn(side) => format!("c'est {} de jouer", to_players(*side)),
            Self::Choosing(side) => format!("{} doivent d'abord choisir", players(*side)),
            Self::Sealer(side) => {
                format!("c'est {} de mettre un coup sous enveloppe", to_players(*side))
            }
            Self::Awaited(side) => format!("on attend {}", players(*side)),
            Self::Standing => {
                "un coup illégal a été joué : signalez-le, ou acceptez-le par un coup légal".into()
            }
            Self::Deciding => "l'arbitre doit d'abord décider".into(),
            Self::Adjourned => "la partie est ajournée".into(),
            Self::NotAdjourned => {
                "la partie n'est pas ajournée, et aucun coup n'est sous enveloppe".into()
            }
            Self::Unstopped(side) => format!(
                "{} doivent d'abord arrêter les pendules (`{} press`)",
                players(*side),
                word(*side)
            ),
            Self::Unopened(side) => format!(
                "le coup sous enveloppe est secret : ouvrez l'enveloppe et saisissez-le (`{} seal \
                 COUP`), puis continuez",
                word(*side)
            ),
            Self::Unknown(edition, rule) => {
                format!("{edition} n'a pas de règle à ce sujet : {}", rule.french())
            }
            Self::NotLegal(text) => format!("{text} n'est pas légal ici"),
            Self::NoCastling(rook) => format!("le roque du côté de {rook} n'est pas légal ici"),
            Self::Legal(text) => format!("{text} est un coup légal"),
            Self::Square(square) => format!("il n'y a pas de telle pièce en {square}"),
            Self::OddsDecide => "avec cet avantage, la partie serait terminée".into(),
            Self::Part => "ceci ne fait partie d'aucun coup permis".into(),
            Self::IllegalPart(side, squares) => format!(
                "ceci ne fait partie d'aucun coup légal ; `{}` l'enregistre comme coup illégal",
                illegal(*side, squares)
            ),
            Self::NoClock => "la partie se joue sans pendule".into(),
            Self::NotMoved(side) => format!("{} ne viennent pas de jouer", players(*side)),
            Self::Clock(seconds) => format!("la pendule n'indiquait plus que {seconds} s"),
            Self::NoOffer(side) => format!("il n'y a pas de proposition {}", of_players(*side)),
            Self::Offered => "il y a déjà une proposition ou une demande".into(),
            Self::Nothing => "il n'y a rien à quoi cela s'applique".into(),
            Self::Regular => "aucune irrégularité n'est enregistrée ; ajoutez `from N`, le nombre \
                              de demi-coups à la dernière position connue"
                .into(),
            Self::Unjudgeable => "le coup illégal n'a pas laissé de position légale, il faut \
                                  donc le signaler ; `illegal` enregistre un autre coup malgré tout"
                .into(),
            Self::Started => "des coups ont déjà été joués".into(),
            Self::Halted => {
                "les pendules sont arrêtées jusqu'à ce que l'arbitre les relance par `start`".into()
            }
            Self::SheetDue(side) => {
                format!("{} doivent d'abord compléter leur feuille de partie", players(*side))
            }
            Self::Sighted(side) => format!(
                "{} ne jouent pas sur un échiquier spécial (`white-blind = true`, \
                 `black-blind = true`)",
                players(*side)
            ),
            Self::NoChoice(edition, rule) => {
                format!("{edition} ne laisse pas de choix à ce sujet : {}", rule.french())
            }
            Self::ClaimOnly => "sans surveillance, c'est à un joueur de le réclamer".into(),
            Self::NotAnnounced => {
                "cela ne vaut que pour les parties sans incrément, hors blitz, et si le règlement \
                 l'annonce (`quickplay-finish = true`)"
                    .into()
            }
            Self::Score => "une partie ne peut pas avoir ce résultat".into(),
            Self::Made(ply) => format!(
                "l'irrégularité date du demi-coup {ply}, la dernière position correcte est \
                 donc antérieure"
            ),
            Self::Plies(plies) => format!("la partie n'a que {plies} demi-coups"),
        }
    }
}

impl InFrench for EditionError {
    fn in_french(&self) -> String {
        format!("« {} » n'est pas une édition ({})", self.0, Edition::ids())
    }
}

impl InFrench for GameError {
    fn in_french(&self) -> String {
        match self {
            Self::Short => {
                "une partie commence par `game SUJET ÉDITION` et ses réglages, comme dans \
                            `game N-02 fide-2009 time = \"60+1\"`"
                    .into()
            }
            Self::Edition(error) => error.in_french(),
            Self::Settings(error) => format!("les réglages ne sont pas lisibles ({error})"),
        }
    }
}

impl InFrench for chess::MoveError {
    fn in_french(&self) -> String {
        match self {
            Self::NotUci(text) => format!("« {text} » n'est pas un coup (comme e2e4 ou e7e8q)"),
            Self::Malformed { text, column, .. } => {
                format!("« {text} » n'est pas un coup : erreur au caractère {column}")
            }
            Self::Illegal { text, fen, english } => {
                let from_french = || FRENCH.to_english(text).unwrap_or_else(|| text.clone());
                let in_english = if *english { text.clone() } else { from_french() };
                let why = illegal_move::why_in(fen, &in_english);
                let why = why.map_or_else(String::new, |why| format!(" : {}", why.in_french()));
                format!("« {text} » n'est pas légal dans {fen}{why}")
            }
            Self::Ambiguous { text, candidates } => {
                format!("« {text} » est ambigu : {}", candidates.join(" ou "))
            }
            Self::NotStandard { text, standard } => {
                format!("« {text} » devrait s'écrire {standard}")
            }
        }
    }
}

/// Returns a piece with its article and square: `la tour en e8`.
fn piece_on(On(kind, square): On) -> String {
    let article = if kind.is_feminine() { "la" } else { "le" };
    format!("{article} {} en {square}", kind.french_name())
}

impl InFrench for Illegality {
    fn in_french(&self) -> String {
        match *self {
            Self::NotAMove => "ce n'est pas un coup (comme e2e4 ou e7e8q)".into(),
            Self::Empty(square) => format!("{square} est vide"),
            Self::NotOurs(on) => format!("{} n'appartient pas au camp au trait", piece_on(on)),
            Self::OwnPiece(on) => {
                format!("{}, du même camp, occupe la case d'arrivée", piece_on(on))
            }
            Self::Unreachable(on, to) => format!("{} ne peut pas atteindre {to}", piece_on(on)),
            Self::NotEnPassant(square) => format!("aucun pion ne vient de passer par {square}"),
            Self::EnPassantExposes(by) => {
                format!("après la prise en passant, {} attaque le roi", piece_on(by))
            }
            Self::NotPromoted => "un pion qui atteint la dernière rangée doit être promu".into(),
            Self::Promoted => "seul un pion qui atteint la dernière rangée peut être promu".into(),
            Self::Castling(ref fault) => format!("roque : {}", fault.in_french()),
            Self::CheckStays(by) => {
                format!("le roi reste en échec : {} l'attaque", piece_on(by))
            }
            Self::Pinned { pinned, by } => {
                let is_pinned = if pinned.0.is_feminine() { "clouée" } else { "cloué" };
                format!("{} est {is_pinned} par {}", piece_on(pinned), piece_on(by))
            }
            Self::IntoCheck { to, by } => format!("{} attaque {to}", piece_on(by)),
            Self::NoPiece { side, kind } => {
                format!("{} n'ont pas de {}", players(side), kind.french_name())
            }
            Self::NoneReaches { kind, to } => {
                let no = if kind.is_feminine() { "aucune" } else { "aucun" };
                format!("{no} {} ne peut atteindre {to}", kind.french_name())
            }
        }
    }
}

impl InFrench for CastlingFault {
    fn in_french(&self) -> String {
        match *self {
            Self::Castled(king) => format!("le roi en {king} a déjà roqué ou joué"),
            Self::KingMoved(king) => format!("le roi a joué : il est en {king}"),
            Self::NoRook(square) => format!("il n'y a pas de tour en {square}"),
            Self::RookMoved(rook) => format!("le roi ou la tour en {rook} a joué"),
            Self::NoRight => "le droit de roquer est perdu".into(),
            Self::InCheck(by) => format!("le roi est en échec : {} l'attaque", piece_on(by)),
            Self::Occupied(on) => format!("{} est sur le passage", piece_on(on)),
            Self::Through(square, by) => {
                format!("le roi passe par {square}, que {} attaque", piece_on(by))
            }
            Self::Unshielded(by) => format!("{} donnerait échec", piece_on(by)),
        }
    }
}

impl InFrench for chess::pgn::ChessProblem {
    fn in_french(&self) -> String {
        match self {
            Self::Move(error) => error.in_french(),
            Self::Fen(error) => format!("position FEN : {}", error.in_french()),
            Self::Variant(name) => format!("« {name} » n'est ni les échecs ni le Chess960"),
        }
    }
}

impl InFrench for chess::FenError {
    fn in_french(&self) -> String {
        match self {
            Self::Missing(_) => "elle s'arrête trop tôt".into(),
            Self::Unexpected { column, found, .. } => {
                format!("colonne {column} : « {found} » ne peut pas s'y trouver")
            }
            Self::Setup(error) => error.in_french(),
        }
    }
}

impl InFrench for chess::setup::SetupError {
    fn in_french(&self) -> String {
        match self {
            Self::Kings { side, count } => {
                format!("{} ont {count} rois au lieu d'un", players(*side))
            }
            Self::TooManyPieces { side, count } => {
                format!("{} ont {count} pièces, plus de 16", players(*side))
            }
            Self::TooManyPawns { side, count } => {
                format!("{} ont {count} pions, plus de 8", players(*side))
            }
            Self::PawnOnEndRank(square) => format!("aucun pion ne peut être en {square}"),
            Self::OpponentInCheck { side, by } => {
                format!("{} sont en échec par {by} sans avoir le trait", players(*side))
            }
            Self::ImpossibleCheck { side, count } => {
                format!("{} sont en échec par {count} pièces à la fois", players(*side))
            }
            Self::CastlingWithoutRook { square, .. } => {
                format!("droit de roquer sans tour en {square}")
            }
            Self::CastlingWithoutKing { king, .. } => {
                format!("droit de roquer avec le roi en {king}, hors de sa première rangée")
            }
            Self::CastlingTwice(square) => {
                format!("deux droits de roquer du même côté du roi, dont un avec {square}")
            }
            Self::CastlingSquare(square) => {
                format!("droit de roquer avec {square}, hors des premières rangées")
            }
            Self::EnPassant { square, .. } => {
                format!("la prise en passant en {square} est impossible")
            }
            Self::Counters(_) => "les compteurs sont impossibles".into(),
        }
    }
}

impl InFrench for draughts::MoveError {
    fn in_french(&self) -> String {
        match self {
            Self::Malformed { text, column, .. } => {
                format!("« {text} » n'est pas un coup : erreur au caractère {column}")
            }
            Self::Illegal { text, fen, why } => {
                format!("« {text} » n'est pas légal dans {fen} : {}", why.in_french())
            }
            Self::Ambiguous { text, candidates } => {
                format!("« {text} » peut être {}", candidates.join(" ou "))
            }
        }
    }
}

impl InFrench for draughts::notation::Refusal {
    fn in_french(&self) -> String {
        match self {
            Self::NoPiece(side, square) => {
                format!("{} n'ont pas de pièce en {square}", players(*side))
            }
            Self::MustCapture { side, legal } => {
                format!("{} doivent prendre, par exemple {legal}", players(*side))
            }
            Self::NoCapture(side) => format!("{} ne peuvent pas prendre", players(*side)),
            Self::TooFew { taken, needed, legal } => format!(
                "il faut prendre {needed} pièces, par exemple {legal} ; ce coup en prend {taken}"
            ),
            Self::Unreachable { kind, from, to, capture, legal } => {
                let piece = match kind {
                    draughts::Kind::Man => "le pion",
                    draughts::Kind::King => "la dame",
                };
                let verb = if *capture { "prendre et arriver" } else { "aller" };
                format!("{piece} en {from} ne peut pas {verb} en {to} ; {legal} est légal")
            }
            Self::Other(side, text) => format!("{} peuvent jouer {text}", players(*side)),
            Self::NoMove(side) => format!("{} n'ont pas de coup", players(*side)),
        }
    }
}

impl InFrench for draughts::pdn::DraughtsProblem {
    fn in_french(&self) -> String {
        match self {
            Self::Move(error) => error.in_french(),
            Self::Fen(error) => format!("position FEN : {}", error.in_french()),
            Self::GameType(name) => format!("le type de partie « {name} » n'est pas connu"),
            Self::Board(error) => error.in_french(),
            Self::OtherBoard => {
                "les coups sont ceux d'un damier de 64 cases, auquel Adoube ne joue pas".to_owned()
            }
            Self::GameTypeFields(text) => {
                format!("le type de partie « {text} » ne décrit pas de damier après son numéro")
            }
            Self::EmptyFen => {
                "la position FEN est vide : la position initiale est supposée".to_owned()
            }
        }
    }
}

impl InFrench for draughts::fen::FenError {
    fn in_french(&self) -> String {
        format!("{}, colonne {}", self.kind.in_french(), self.column)
    }
}

impl InFrench for draughts::variant::VariantError {
    fn in_french(&self) -> String {
        format!("« {} » n'est pas un jeu de dames connu", self.0)
    }
}

impl InFrench for draughts::fen::FenErrorKind {
    fn in_french(&self) -> String {
        match self {
            Self::Side(found) => format!("le trait est W ou B, et non « {found} »"),
            Self::List(found) => format!("':W' ou ':B' et ses cases manquent avant « {found} »"),
            Self::SecondList(side) => format!("{} ont une seconde liste de cases", players(*side)),
            Self::Square(error) => format!("« {} » n'est pas une case (1 à 50)", error.0),
            Self::Range(from, to) => format!("la suite {from}-{to} va à rebours"),
            Self::Counter(letter, text) => {
                format!("le nombre de {letter} manque ou est trop grand dans « {text} »")
            }
            Self::Trailing(text) => format!("« {text} » suit la position"),
            Self::Variant(error) => error.in_french(),
            Self::Board(error) => error.in_french(),
        }
    }
}

impl InFrench for draughts::fen::BoardError {
    fn in_french(&self) -> String {
        match self {
            Self::Twice(square) => format!("la case {square} est nommée deux fois"),
            Self::PromotionRow(side, square) => {
                format!(
                    "un pion {} sur la rangée damante, en {square}, où il serait dame",
                    of_players(*side)
                )
            }
            Self::TooMany(side, count) => {
                format!("{} ont {count} pièces, plus de {MAX_PIECES}", players(*side))
            }
            Self::Empty => "il n'y a pas de pièce sur le damier".into(),
            Self::AlreadyWon(side) => {
                format!("{} ont le trait et déjà une dame : la partie était gagnée", players(*side))
            }
            Self::Variant(found, wanted) => {
                format!("la position appartient au jeu {found}, et non au jeu {wanted}")
            }
        }
    }
}
