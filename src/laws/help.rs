//! The events of an edition, each with its meaning, for a prompt that is asked for help. The language is
//! that of [`event`](super::event).

use super::edition::Edition;
use super::language::Language;
use super::rule::Rule;
use crate::base::game::GameKind;

/// Forms of an event that belong together.
struct Row {
    /// As they are typed; capitals stand for what is filled in.
    lines: &'static [&'static str],
    /// The rules of which an edition needs one to know them; empty if all do.
    rules: &'static [Rule],
    /// The game that has them, where only one does.
    game: Option<GameKind>,
    english: &'static str,
    french: &'static str,
}

/// Writes the table: lines, perhaps the rules and the game that they need, and what they mean.
macro_rules! rows {
    ($($($line:literal),+ $([$($rule:ident),+])? $($game:ident)?: $english:literal, $french:literal;)*) => {
        &[$(Row {
            lines: &[$($line),+],
            rules: &[$($(Rule::$rule),+)?],
            game: rows!(@game $($game)?),
            english: $english,
            french: $french,
        }),*]
    };
    (@game) => { None };
    (@game $game:ident) => { Some(GameKind::$game) };
}

static ROWS: &[Row] = rows! {
    "SIDE move MOVE": "makes a move", "joue un coup";
    "moves MOVE ...": "moves that the players make in turn", "des coups joués à tour de rôle";
    "SIDE press", "SIDE press TIME", "SIDE press +TIME": "presses the clock, which shows that, or after so long", "appuie sur la pendule, qui affiche cela, ou après ce temps";
    "SIDE touch SQUARE": "touches a piece", "touche une pièce";
    "SIDE adjust SQUARE" [Adjust]: "adjusts a piece after saying so", "rectifie une pièce après l'avoir dit";
    "SIDE release SQUARE SQUARE": "releases a piece on a square", "lâche une pièce sur une case";
    "SIDE remove SQUARE": "takes a captured piece off the board", "enlève une pièce prise";
    "SIDE promote PIECE" Chess: "puts a new piece for a pawn", "remplace un pion par une nouvelle pièce";
    "SIDE castle SQUARE" [OddsRook]: "castles where the rook was given as odds", "roque du côté de la tour donnée";
    "SIDE illegal SQUARE SQUARE" Chess: "puts a piece where the rules do not let it", "met une pièce là où les règles ne le permettent pas";
    "SIDE illegal SQUARE SQUARE takes SQUARE", "SIDE illegal SQUARE SQUARE promote PIECE" Chess: "the same, and another piece is taken, or put for a pawn", "de même, et une autre pièce est prise, ou remplace un pion";
    "SIDE hands MOVE" [TwoHands]: "makes a move with two hands", "joue un coup à deux mains";
    "SIDE irregular FEN" Draughts: "leaves the board irregularly in this position", "laisse le damier irrégulièrement dans cette position";
    "SIDE pause" Draughts: "pauses while the pieces taken leave the board", "marque un temps d'arrêt dans l'enlèvement des pièces prises";
    "SIDE uncrowned SQUARE", "SIDE crown SQUARE" [Crowning]: "the man that became a king has no crown yet; is crowned", "le pion devenu dame n'est pas encore couronné ; est couronné";
    "SIDE stop", "SIDE stop pieces", "SIDE stop sheets", "SIDE stop claim" [Stopping]: "stops both clocks: for help, as pieces were displaced, as the score sheets differ, for a claim", "arrête les deux pendules : pour être aidé, parce que des pièces sont dérangées, que les feuilles diffèrent, pour une réclamation";
    "stop", "start" [Stopping]: "the arbiter stops both clocks; they run again", "l'arbitre arrête les deux pendules ; elles repartent";
    "SIDE claim touch" [Penalty]: "without supervision: the opponent did not play what he had touched", "sans surveillance : l'adversaire n'a pas joué ce qu'il avait touché";
    "SIDE waive" [IllegalCapture]: "gives up a penalty", "renonce à une pénalité";
    "SIDE withdraw": "withdraws an offer or a claim", "retire une proposition ou une réclamation";
    "both agree" [Agreement]: "both ask for a draw", "les deux demandent la nulle";
    "SIDE record behind", "SIDE record ahead", "SIDE record complete" [Recording]: "moves before he has recorded his last move; records a move before he makes it; his score sheet is complete", "joue avant d'avoir noté son dernier coup ; note un coup avant de le jouer ; sa feuille est complète";
    "SIDE feel SQUARE" [BlindTouch]: "blind, touches a piece that stays in its hole", "aveugle, touche une pièce qui reste dans son trou";
    "SIDE say MOVE" [BlindMove]: "blind, announces a move", "aveugle, annonce un coup";
    "SIDE misspeak" [Announcing]: "has announced another move than he made", "a annoncé un autre coup que le sien";
    "SIDE exit" [LeavesRoom]: "leaves the playing room without permission", "quitte la salle de jeu sans permission";
    "SIDE offer", "SIDE accept", "SIDE refuse": "offers a draw, accepts, refuses", "propose la nulle, accepte, refuse";
    "SIDE resign": "resigns", "abandonne";
    "SIDE claim repetition", "SIDE claim fifty" [ClaimWrong, MateDemand]: "claims a draw", "réclame la nulle";
    "SIDE claim repetition by MOVE", "SIDE claim fifty by MOVE" [RepetitionByMove]: "claims it by an intended move", "la réclame par un coup annoncé";
    "SIDE claim perpetual" [Perpetual]: "claims perpetual check", "réclame l'échec perpétuel";
    "SIDE claim winless" [QuickPlay]: "claims that the opponent does not try to win, or cannot", "réclame que l'adversaire ne cherche pas à gagner, ou ne le peut";
    "SIDE claim increment" [IncrementAsked]: "asks for an increment", "demande un incrément";
    "SIDE claim flag": "claims that the opponent's flag has fallen", "réclame la chute du drapeau adverse";
    "SIDE claim illegal" Chess: "points out an illegal move", "signale un coup irrégulier";
    "SIDE demand", "SIDE claim demand" [MateDemand]: "demands to be mated in fifty moves; they are over", "exige d'être maté en cinquante coups ; ils sont passés";
    "SIDE announce NUMBER" [AnnouncedMate]: "announces mate in so many moves", "annonce le mat en tant de coups";
    "SIDE flag": "a flag is seen to have fallen", "la chute d'un drapeau est constatée";
    "SIDE flag open" [RecordingDue]: "it has fallen, and only the score sheets will show whether the moves were made", "il est tombé, et seules les feuilles de partie diront si les coups ont été joués";
    "notice sheets", "notice sheets lost" [RecordingDue]: "no score sheet is complete; none can be completed", "aucune feuille de partie n'est complète ; aucune ne peut l'être";
    "flags" [BothFlags]: "both flags are seen to have fallen", "la chute des deux drapeaux est constatée";
    "SIDE choose piece SQUARE", "SIDE choose capture SQUARE", "SIDE choose king", "SIDE choose move MOVE" Chess: "chooses what the other must play", "choisit ce que l'autre doit jouer";
    "SIDE choose correct", "SIDE choose accept" Draughts: "has an irregularity corrected, or accepts it", "fait rectifier une irrégularité, ou l'accepte";
    "decide draw", "decide reject" [QuickPlay, Agreement]: "the arbiter decides a claim or an agreement", "l'arbitre décide d'une réclamation ou d'un accord";
    "decide defer", "decide defer without time" [QuickPlayDeferred]: "the arbiter puts the decision off; the opponent is given no time for it", "l'arbitre remet la décision ; l'adversaire n'en reçoit pas de temps";
    "decide increment" [IncrementAsked]: "the arbiter gives the increment", "l'arbitre accorde l'incrément";
    "decide move MOVE" [SealedRepaired]: "the arbiter says which move was sealed", "l'arbitre dit quel coup est sous enveloppe";
    "notice illegal", "notice illegal lost", "notice illegal from NUMBER" [NoticedLater]: "an illegal move is found; no position before it is known; the last one is after so many plies", "un coup irrégulier est constaté ; aucune position antérieure n'est connue ; la dernière suit tant de demi-coups";
    "notice displaced", "notice displaced from NUMBER" [Displaced]: "pieces were displaced", "des pièces ont été dérangées";
    "notice restored NUMBER" [RestoredWrongly]: "pieces were put back wrongly after so many plies", "des pièces ont été mal replacées après tant de demi-coups";
    "notice boards", "notice boards from NUMBER" [TwoBoards]: "the boards differ; the score sheets agree up to so many plies", "les échiquiers diffèrent ; les feuilles concordent jusqu'à tant de demi-coups";
    "notice impossible" [ImpossiblePosition]: "without supervision: both kings are in check, or a pawn stands on its last rank", "sans surveillance : les deux rois sont en échec, ou un pion est sur sa dernière rangée";
    "notice setup" [WrongSetup]: "the initial position was wrong", "la position initiale était incorrecte";
    "notice kings" [KingsExchanged]: "kings and queens stood on each other's squares", "rois et dames étaient échangés";
    "notice board" [WrongBoard]: "the board lies wrongly", "l'échiquier est mal placé";
    "notice colours", "notice colours restart" [ColoursReversed]: "the colours are reversed; the game begins again", "les couleurs sont inversées ; la partie recommence";
    "SIDE notice ...": "the same, by a player who asks for the consequence", "de même, par un joueur qui en demande la conséquence";
    "SIDE late TIME", "both late TIME", "SIDE late TIME excused" [Late]: "comes so late for the game, with a valid reason", "arrive avec ce retard, avec un motif valable";
    "SIDE upset" [Upset]: "upsets the board on purpose", "renverse volontairement l'échiquier";
    "SIDE leave" [RefusesToResume]: "refuses to play on", "refuse de reprendre";
    "SIDE disobey" [Disobeys]: "refuses to obey the laws", "refuse d'observer les règles";
    "SIDE disobey draw", "SIDE disobey loss" [BothDisobey]: "the same, and the opponent scores as for a draw, or nothing", "de même, et l'adversaire marque comme pour une nulle, ou rien";
    "both disobey" [BothDisobey]: "both refuse", "les deux refusent";
    "SIDE phone" [Phone, Device]: "a telephone rings", "un téléphone sonne";
    "SIDE device" [Device]: "an electronic device is found", "un appareil électronique est trouvé";
    "SIDE clock TIME", "SIDE clock +TIME", "SIDE clock -TIME" [Adjustment]: "the arbiter sets a clock", "l'arbitre règle une pendule";
    "SIDE penalty warn", "SIDE penalty give TIME", "SIDE penalty take TIME", "SIDE penalty lose", "SIDE penalty less POINTS", "SIDE penalty more POINTS", "SIDE penalty expel" [Sanction]: "the arbiter's penalties", "les pénalités de l'arbitre";
    "SIDE penalty fine NUMBER" [Fine]: "a fine", "une amende";
    "SIDE penalty exclude NUMBER" [Exclusion]: "exclusion from so many rounds", "exclusion de tant de rondes";
    "adjourn" [WhoSeals]: "the session is over", "la séance est finie";
    "SIDE seal MOVE", "SIDE seal nothing", "SIDE seal unreadable", "SIDE seal ambiguous MOVE MOVE", "SIDE seal illegal SQUARE SQUARE" [WhoSeals]: "what lies in the envelope", "ce qui est sous enveloppe";
    "resume", "resume without SIDE", "resume without both" [WhoSeals]: "the game is resumed, players absent or not", "la partie reprend, des joueurs absents ou non";
    "SIDE arrive TIME", "SIDE arrive TIME excused" [WhoSeals]: "comes so late for the resumption", "arrive à la reprise avec ce retard";
    "envelope lost", "position lost" [WhoSeals]: "the envelope is lost, or the position", "l'enveloppe est perdue, ou la position";
    "SIDE notice clocks" [ResumedClocks]: "the clocks were set wrongly at the resumption", "les pendules étaient mal réglées à la reprise";
    "setup FEN", "setup FEN moves MOVE ...": "before the first move: a position, and moves from it", "avant le premier coup : une position, et des coups à partir d'elle";
    "odds PIECE by SIDE", "odds SQUARE by SIDE" [OddsPiece]: "before the first move: a piece is given", "avant le premier coup : une pièce est donnée";
    "odds NUMBER moves by SIDE", "odds pawn and NUMBER by SIDE" [OddsMoves]: "moves are given, a pawn and moves", "des traits sont donnés, un pion et des traits";
};

/// The words that stand for what is filled in, in French.
const FRENCH: [(&str, &str); 8] = [
    ("SIDE", "CAMP"),
    ("SQUARE", "CASE"),
    ("MOVE", "COUP"),
    ("TIME", "TEMPS"),
    ("NUMBER", "NOMBRE"),
    ("POINTS", "POINTS"),
    ("PIECE", "PIÈCE"),
    ("FEN", "FEN"),
];

/// What an event means that begins with these words; `None` if none does.
pub fn meaning(event: &str, language: Language) -> Option<&'static str> {
    let words = || event.split_whitespace();
    let is_side = |word: &str| matches!(word, "white" | "black");
    let begins = |line: &&str| {
        let mut known = line.split(' ');
        words().all(|word| {
            known.next().is_some_and(|own| own == word || own == "SIDE" && is_side(word))
        })
    };
    let row = ROWS.iter().find(|row| row.lines.iter().any(&begins))?;
    Some(language.of(row.english, row.french))
}

/// The events that an edition knows: how they are typed, and what they mean.
pub fn events(edition: Edition, language: Language) -> Vec<(String, &'static str)> {
    let known = |row: &&Row| {
        (row.rules.is_empty() || row.rules.iter().any(|&rule| edition.has(rule)))
            && row.game.is_none_or(|game| game == edition.terms().game)
    };
    let said = |row: &Row| {
        let lines = row.lines.join(", ");
        match language {
            Language::English => (lines, row.english),
            Language::French => {
                let said = |lines: String, (en, fr): (&str, &str)| lines.replace(en, fr);
                (FRENCH.into_iter().fold(lines, said), row.french)
            }
        }
    };
    ROWS.iter().filter(known).map(said).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::any::{AnyReferee, LineError};
    use crate::laws::referee::Why;
    use crate::laws::regulations::{Regulations, read_time};

    /// A line with something filled in for each capital word.
    fn filled(line: &str, game: GameKind) -> String {
        let (square, m, fen) = match game {
            GameKind::Chess => ("e2", "e2e4", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
            GameKind::Draughts => ("32", "32-28", "W:W32:B19"),
        };
        let words = [
            ("SIDE", "white"),
            ("SQUARE", square),
            ("MOVE ...", m),
            ("MOVE", m),
            ("TIME", "1"),
            ("NUMBER", "1"),
            ("POINTS", "0.5"),
            ("odds PIECE", "odds knight"),
            ("PIECE", "q"),
            ("FEN", fen),
            ("notice ...", "notice board"),
        ];
        words.into_iter().fold(line.to_owned(), |line, (word, text)| line.replace(word, text))
    }

    #[test]
    fn help_lists_the_events_that_an_edition_knows() {
        let rules = Regulations { time: read_time("60+1").ok(), ..Regulations::default() };
        for edition in Edition::ALL {
            let game = edition.terms().game;
            let listed: Vec<String> =
                events(edition, Language::English).into_iter().map(|(lines, _)| lines).collect();
            for row in ROWS {
                let known = listed.contains(&row.lines.join(", "));
                let unknown = |line: &&&str| {
                    let tried = AnyReferee::new(edition, rules.clone()).line(&filled(line, game));
                    let by_rule = |error: &LineError| matches!(error, LineError::Impossible(error) if matches!(error.why, Why::Unknown(..)));
                    tried.as_ref().is_err_and(by_rule)
                };
                let all_unknown = row.lines.iter().filter(unknown).count() == row.lines.len();
                assert!(!(known && all_unknown), "{edition} does not know {:?}", row.lines);
                let accepted = row.lines.iter().any(|line| {
                    AnyReferee::new(edition, rules.clone()).line(&filled(line, game)).is_ok()
                });
                assert!(known || !accepted, "{edition} knows {:?}", row.lines);
            }
        }
    }

    #[test]
    fn each_line_of_the_help_can_be_read_and_each_word_is_in_it() {
        for row in ROWS {
            let game = row.game.unwrap_or(GameKind::Chess);
            let edition = Edition::ALL.into_iter().find(|edition| edition.terms().game == game);
            let edition = edition.expect("each game has an edition");
            for line in row.lines {
                let mut referee = AnyReferee::new(edition, Regulations::default());
                let read = referee.line(&filled(line, game));
                assert!(!matches!(read, Err(LineError::Read(_))), "{line}: {read:?}");
            }
        }
        let referee = AnyReferee::new(Edition::ALL[0], Regulations::default());
        for before in
            ["", "SIDE ", "SIDE claim ", "SIDE choose ", "SIDE seal ", "decide ", "notice "]
        {
            for word in referee.continuations(&before.replace("SIDE", "white")).1 {
                let line = format!("{before}{word} ");
                let players = ["white", "black"].contains(&&*word);
                let said = |row: &Row| {
                    row.lines.iter().any(|known| {
                        let by_player = known.strip_prefix("SIDE ");
                        let forms =
                            [Some(*known), by_player.filter(|_| !before.starts_with("SIDE"))];
                        let begins = |form: &str| format!("{form} ").starts_with(&line);
                        forms.into_iter().flatten().any(begins)
                            || before.is_empty() && players && by_player.is_some()
                    })
                };
                let a_move = before == "SIDE seal " && word.chars().any(|c| c.is_ascii_digit());
                assert!(a_move || word == "game" || ROWS.iter().any(said), "no help on '{line}'");
            }
        }
    }
}
