//! French error messages of the board. The English messages are on the error types.

use super::arbiter::{ArbiterError, LogError, MAX_EVENTS, MAX_POSITIONS};
use super::game::{LevelError, StartError};
use super::outlet::EngineFailure;
use super::played::PlayError;
use super::study::{
    MAX_COMMENT_LENGTH, MAX_DEPTH, MAX_MOVES, MAX_MOVETIME, MAX_NAGS, MAX_SHAPES, ReviewError,
    StudyError,
};
use crate::arena::engine::announced::Misfit;
use crate::arena::engine::failure::Failure;
use crate::base::journal::Damage;
use crate::chess::odds::{self, OddsError};
use crate::laws::language::InFrench;
use crate::laws::ruling::french as players;
use crate::record::epd::OperationError;
use crate::record::games::{EditError, Fault, IllegalMove, Loss, MAX_NESTING, Problem};
use crate::search::driver::ResourceError;
use crate::{chess, draughts};
use std::error::Error;
use std::fmt;

impl InFrench for StartError {
    fn in_french(&self) -> String {
        match self {
            Self::Fen(error) => format!("Position : {}", error.in_french()),
            Self::Odds(error) => error.in_french(),
            Self::Variant(error) => error.in_french(),
            Self::Pieces(error) => error.in_french(),
            Self::Chess960(number) => {
                format!(
                    "il n'y a pas de position {number} au Chess960 : les numéros vont de 0 à 959"
                )
            }
            Self::ChessVariant(name) => format!("« {name} » n'est pas un jeu d'échecs connu"),
            Self::ChessMen => "l'avantage de pions en moins n'existe qu'aux dames".into(),
            Self::Men(count) => format!("impossible de retirer {count} des 20 pions des Blancs"),
            Self::DraughtsStart => "cette position initiale n'existe qu'aux échecs".into(),
        }
    }
}

impl InFrench for OddsError {
    fn in_french(&self) -> String {
        match self {
            Self::Part(text) => format!("« {text} » n'est pas un avantage connu"),
            Self::Twice(text) => format!(
                "« {text} » répète un avantage : donnez au plus une pièce et un nombre de coups"
            ),
            Self::Moves(count) => {
                format!("on ne peut pas rendre {count} coups (de 1 à {})", odds::MAX_MOVES)
            }
            Self::Count { wanted, made } => {
                format!("l'avantage est de {wanted} coups, mais {made} ont été donnés")
            }
            Self::PastTheMiddle(square) => format!(
                "{square} est au-delà du milieu de l'échiquier, que les coups d'avantage ne \
                 peuvent pas dépasser (art. 22.4)"
            ),
            Self::Check(square) => {
                format!("le coup en {square} donne échec : l'adversaire doit jouer ensuite")
            }
            Self::Move(error) => error.in_french(),
            Self::Setup(error) => error.in_french(),
            Self::Fen(error) => error.in_french(),
        }
    }
}

impl InFrench for LevelError {
    fn in_french(&self) -> String {
        match self {
            Self::Rating(rating) => format!("le classement {rating} n'est pas entre 800 et 3000"),
            Self::ChessSkill => "aux échecs, le niveau est un classement".into(),
            Self::DraughtsRating => "aux dames, le niveau n'est pas un classement".into(),
        }
    }
}

impl InFrench for PlayError {
    fn in_french(&self) -> String {
        match self {
            Self::Start(error) => error.in_french(),
            Self::Level(error) => error.in_french(),
            Self::Time(_) => {
                "la cadence n'est pas lisible : écrivez 5+3 (minutes, et secondes par coup), 10, \
                 90s, ou - sans pendule"
                    .into()
            }
            Self::NoTime => {
                "la cadence ne laisse pas de temps pour le premier coup : écrivez 5+3, 10, 90s ou -"
                    .into()
            }
            Self::OverAtStart => "la partie est déjà finie dans la position initiale".into(),
            Self::NoEngine { name, .. } => format!(
                "le moteur « {name} » ne joue pas à ce jeu ou n'a pas été nommé au démarrage du \
                 serveur"
            ),
            Self::Typed(error) => error.in_french(),
            Self::Move(error) | Self::Record(error) => error.in_french(),
            Self::Impossible(error) => error.in_french(),
            Self::Over => "la partie est finie".into(),
            Self::EnginesMove => "c'est au moteur de jouer".into(),
            Self::NoSuchMoves(count) => format!("la partie a moins de {count} coups"),
            Self::NothingToTakeBack => "il n'y a pas de coup à reprendre".into(),
            Self::NothingToClaim => "il n'y a pas de nulle à réclamer".into(),
            Self::ClaimOutOfTurn => "on ne réclame la nulle qu'à son tour de jouer".into(),
            Self::OfferOutOfTurn => "on ne propose la nulle qu'à son tour de jouer".into(),
            Self::OfferBarred => {
                "les règles ne permettent pas de proposer la nulle maintenant".into()
            }
            Self::Unknown => "cette demande est impossible dans une partie".into(),
        }
    }
}

impl InFrench for StudyError {
    fn in_french(&self) -> String {
        match self {
            Self::Fen(error) => error.in_french(),
            Self::Record(error) | Self::Edit(error) => error.in_french(),
            Self::NoGame => "il n'y a pas de partie dans le texte".into(),
            Self::TooLong(count) => format!(
                "la partie a {count} coups avec les variantes ; le maximum est de {MAX_MOVES}"
            ),
            Self::Typed(error) => error.in_french(),
            Self::TooManyMoves => format!("la partie a atteint le maximum de {MAX_MOVES} coups"),
            Self::TooManyNags => format!("un coup peut avoir au plus {MAX_NAGS} signes"),
            Self::NagWithoutMove => "il n'y a pas de coup à annoter au début".into(),
            Self::TooManyShapes => {
                format!("une position peut avoir au plus {MAX_SHAPES} flèches et cercles")
            }
            Self::ShapeOutside => "une flèche ou un cercle sort du plateau".into(),
            Self::NothingToUndo => "il n'y a rien à annuler".into(),
            Self::NothingToRedo => "il n'y a rien à rétablir".into(),
            Self::CommentTooLong => {
                format!("les commentaires d'un coup sont limités à {MAX_COMMENT_LENGTH} caractères")
            }
            Self::Review(error) => error.in_french(),
            Self::NoEngine(name) => format!("il n'y a pas de moteur « {name} » pour l'analyse"),
            Self::NoMistakes(side) => format!(
                "{} n'ont pas d'erreur avec un meilleur coup : analysez d'abord la partie",
                players(*side)
            ),
            Self::NoLesson => "aucune leçon n'est ouverte".into(),
            Self::NoPuzzles => "le dernier bilan n'a pas trouvé de problème".into(),
            Self::NotAnalysed => {
                "la page a besoin des évaluations des coups : analysez d'abord la partie".into()
            }
            Self::Unknown => "cette demande est impossible dans une analyse".into(),
        }
    }
}

impl InFrench for ReviewError {
    fn in_french(&self) -> String {
        match self {
            Self::Depth => format!("la profondeur doit être entre 1 et {MAX_DEPTH}"),
            Self::Movetime => {
                format!("le temps par position doit être entre 1 et {MAX_MOVETIME} millisecondes")
            }
            Self::NoMoves => "il n'y a pas de coup à analyser".into(),
            Self::Thread(error) => format!("impossible de démarrer l'analyse : {error}"),
            Self::Resource(error) => error.in_french(),
            Self::Book(error) => {
                format!("la bibliothèque d'ouvertures n'est pas lisible : {error}")
            }
            Self::Engine(failure) => failure.in_french(),
            Self::Ended => "le moteur s'est arrêté".into(),
        }
    }
}

impl InFrench for ResourceError {
    fn in_french(&self) -> String {
        match self {
            Self::Memory(size, _) => format!(
                "la mémoire ne suffit pas pour une table de {size} Mo ; choisissez-en une plus \
                 petite"
            ),
            Self::Threads(count, error) => format!("impossible de démarrer {count} fils : {error}"),
        }
    }
}

impl InFrench for EngineFailure {
    fn in_french(&self) -> String {
        match self {
            Self::Resource(error) => error.in_french(),
            Self::Thread(error) => format!("impossible de démarrer un fil : {error}"),
            Self::Engine(failure) => failure.in_french(),
            Self::Ended => "le moteur s'est arrêté".into(),
        }
    }
}

impl InFrench for Failure {
    fn in_french(&self) -> String {
        match self {
            Self::Start { program, error } => format!("impossible de lancer {program} : {error}"),
            Self::Crash(word, _) => format!("s'est arrêté au lieu d'envoyer {word}"),
            Self::Stall(word) => format!("n'a pas envoyé {word} à temps"),
            Self::ProtocolViolation(text) => format!("ne respecte pas le protocole : {text}"),
            Self::Resigned => "a abandonné".into(),
            Self::Setting(Misfit::Unknown { name, .. }) => format!("n'a pas d'option {name}"),
            Self::Setting(Misfit::Value { name, value, accepted, .. }) => {
                format!("{name}={value} : le moteur attend {accepted}")
            }
            Self::Rejected(text) => format!("n'accepte pas ses réglages : {text}"),
            Self::Protocol(protocol) => format!("ce jeu ne se joue pas par {protocol}"),
            Self::NoAnalysis(protocol) => format!("n'analyse pas par {protocol}"),
            Self::Unchecked(protocol) => format!("aucune vérification n'existe pour {protocol}"),
            Self::Referee(text) => format!("l'arbitre a refusé {text}"),
            Self::Aborted => "interrompu".into(),
        }
    }
}

impl InFrench for Damage {
    fn in_french(&self) -> String {
        let mut text = match &self.lines[..] {
            [] if self.torn => return "la dernière ligne est incomplète".into(),
            [] => return "aucune ligne n'est endommagée".into(),
            [line] => format!("la ligne {line} est endommagée"),
            [first, ..] => {
                format!("{} lignes sont endommagées à partir de la ligne {first}", self.lines.len())
            }
        };
        text += &match self.lost {
            1 => ", 1 entrée est perdue".to_owned(),
            lost => format!(", {lost} entrées sont perdues"),
        };
        if let Some(path) = &self.saved {
            text += &format!(" ; le fichier endommagé est enregistré sous {}", path.display());
        }
        text
    }
}

impl InFrench for ArbiterError {
    fn in_french(&self) -> String {
        match self {
            Self::Log(error) => error.in_french(),
            Self::Storage(error) => format!("impossible d'enregistrer le journal : {error}"),
            Self::Typed(error) => error.in_french(),
            Self::NothingToTakeBack => "il n'y a rien à annuler".into(),
            Self::Unknown => "cette demande est impossible pour un arbitre".into(),
        }
    }
}

impl InFrench for LogError {
    fn in_french(&self) -> String {
        match self {
            Self::Regulations => {
                "le règlement est trop long ou n'est pas une ligne de texte".into()
            }
            Self::Game(error) => error.in_french(),
            Self::PerpetualLimit => {
                format!("perpetual-limit est au plus {MAX_POSITIONS} sur le plateau de l'arbitre")
            }
            Self::NotAGame => "la première ligne doit nommer la partie et l'édition, comme dans \
                               `game N-02 fide-2009`"
                .into(),
            Self::BeforeGame => {
                "un événement doit suivre une ligne comme `game N-02 fide-2009`".into()
            }
            Self::NoGame => {
                "aucune partie : un journal commence par une ligne comme `game N-02 fide-2009`"
                    .into()
            }
            Self::LineTooLong => "la ligne est trop longue".into(),
            Self::TooManyEvents => format!("un journal a ici au plus {MAX_EVENTS} événements"),
            Self::Event(error) => error.in_french(),
            Self::Line { line, error } => format!("ligne {line} : {}", error.in_french()),
        }
    }
}

impl<E: Error + InFrench> InFrench for Fault<E> {
    fn in_french(&self) -> String {
        let Self { line, column, problem, loss, .. } = self;
        let (problem, loss) = (problem.in_french(), loss.in_french());
        format!("ligne {line}, colonne {column} : {problem} ; {loss}")
    }
}

impl InFrench for Loss {
    fn in_french(&self) -> String {
        match self {
            Self::Game => "la partie est omise",
            Self::MainLine => "la partie est gardée jusqu'ici",
            Self::Variation => "la partie est gardée sans la suite de cette variante",
            Self::Tag => "la partie est gardée sans cette étiquette",
            Self::Text => "la partie est gardée sans ce texte",
            Self::Result => "le résultat de l'étiquette est gardé",
        }
        .into()
    }
}

impl<E: Error + InFrench> InFrench for Problem<E> {
    fn in_french(&self) -> String {
        match self {
            Self::Io(error) => format!("la lecture a échoué : {error}"),
            Self::Utf16 => "le texte est en UTF-16 : enregistrez-le en UTF-8".into(),
            Self::Rules(error) => error.in_french(),
            Self::Tag(_) => "ce n'est pas une étiquette comme [Nom \"valeur\"]".into(),
            Self::AfterTag(text) => format!("« {text} » ne peut pas suivre une étiquette"),
            Self::RepeatedTag(name) => {
                format!("l'étiquette {name} a déjà été donnée avec une autre valeur")
            }
            Self::ResultTag(text) => format!("« {text} » n'est pas un résultat"),
            Self::Results { moves, tag } => {
                format!("le résultat après les coups est {moves}, mais l'étiquette dit {tag}")
            }
            Self::Character(c) => format!("« {c} » ne peut pas se trouver parmi les coups"),
            Self::Number(text) => {
                format!("« {text} » n'est ni un coup ni le numéro du coup suivant")
            }
            Self::Nag(text) => format!("« ${text} » n'est pas un signe de $0 à $65535"),
            Self::NoMove(_) => "un signe ou une variante sans coup".into(),
            Self::SetUp => "une position ne peut pas être composée dans une variante".into(),
            Self::UnclosedComment => "le commentaire qui commence ici n'est pas fermé".into(),
            Self::UnclosedVariation => "la partie finit dans une variante".into(),
            Self::StrayBracket => "« ) » sans variante ouverte".into(),
            Self::SignBracket => "« ) » manque après un signe entre parenthèses".into(),
            Self::NoGame => "il manque une partie".into(),
            Self::SecondGame => "une autre partie commence ici".into(),
            Self::Nesting => {
                format!("les variantes sont imbriquées sur plus de {MAX_NESTING} niveaux")
            }
            Self::TooMany { max, .. } => {
                format!("la partie est trop longue : un de ses éléments dépasse {max}")
            }
        }
    }
}

impl<M: fmt::Debug> InFrench for EditError<M> {
    fn in_french(&self) -> String {
        match self {
            Self::Illegal(error) => error.in_french(),
            Self::Nesting => {
                format!(
                    "les variantes ne peuvent pas être imbriquées sur plus de {MAX_NESTING} \
                     niveaux"
                )
            }
            Self::MainLine => "c'est déjà la ligne principale".into(),
            Self::Nothing => "ce coup n'existe pas".into(),
        }
    }
}

impl<M: fmt::Debug> InFrench for IllegalMove<M> {
    fn in_french(&self) -> String {
        format!("{:?} n'est pas légal dans {}", self.m, self.fen)
    }
}

impl InFrench for chess::epd::EpdError {
    fn in_french(&self) -> String {
        match self {
            Self::Position(error) => error.in_french(),
            Self::Operation(error) => error.in_french(),
            Self::Counter { opcode, found } => {
                format!("{opcode} « {found} » n'est pas un nombre")
            }
            Self::Counters { opcode, first, second } => {
                format!("{opcode} vaut {first} puis {second} : n'en gardez qu'un")
            }
        }
    }
}

impl InFrench for draughts::epd::EpdError {
    fn in_french(&self) -> String {
        match self {
            Self::Position(error) => error.in_french(),
            Self::Operation(error) => error.in_french(),
        }
    }
}

impl InFrench for OperationError {
    fn in_french(&self) -> String {
        match self {
            Self::Opcode { column, found } => {
                format!(
                    "colonne {column} : « {found} » n'est pas un code (des lettres, chiffres, _)"
                )
            }
            Self::OpenText { column } => {
                format!("colonne {column} : le texte n'a pas de guillemet fermant")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn describes_the_damage_to_a_stored_game_in_french() {
        let saved = Some("/tmp/game.damaged".into());
        let damage = Damage { torn: false, lines: vec![3], lost: 2, saved };
        assert_eq!(
            damage.in_french(),
            "la ligne 3 est endommagée, 2 entrées sont perdues ; le fichier endommagé est \
             enregistré sous /tmp/game.damaged"
        );
        let damage = Damage { torn: false, lines: vec![3, 5], lost: 1, saved: None };
        assert_eq!(
            damage.in_french(),
            "2 lignes sont endommagées à partir de la ligne 3, 1 entrée est perdue"
        );
    }
}
