//! The names of all rules, shared by every edition.
//!
//! The [`Law`](crate::laws::edition::Law)s of an edition determine which rules it contains.

macro_rules! rules {
    ($($name:ident: $english:literal, $french:literal;)*) => {
        crate::base::indexed_enum! {
            /// A rule that at least one edition of the laws contains.
            pub enum Rule { $(#[doc = $english] $name),* }
        }

        impl Rule {
            /// Returns the rule's name in English, in lower case.
            pub const fn english(self) -> &'static str {
                match self { $(Self::$name => $english),* }
            }

            /// Returns the rule's name in French, in lower case.
            pub const fn french(self) -> &'static str {
                match self { $(Self::$name => $french),* }
            }

            /// Returns whether a subject, in lower case, occurs in the rule's English name or is
            /// another word for the rule.
            pub fn is_about(self, subject: &str) -> bool {
                let other_words = match self {
                    Self::Phone => "mobile phone, electronic device",
                    Self::Device => "mobile phone, telephone",
                    _ => "",
                };
                [self.english(), other_words].iter().any(|words| words.contains(subject))
            }
        }
    };
}

rules! {
    // The end of a game.
    Checkmate: "checkmate", "échec et mat";
    Stalemate: "stalemate", "pat";
    DeadPosition: "dead position", "position morte";
    NoMove: "no move left", "plus de coup possible";
    NoPiece: "no piece left", "plus de pièce";
    Resignation: "resignation", "abandon";
    Agreement: "draw by agreement", "nulle d'un commun accord";
    Offer: "draw offer", "proposition de nulle";
    // Draws by claim or count.
    Repetition: "repetition", "répétition de la position";
    RepetitionByMove: "repetition by an intended move", "répétition par un coup annoncé";
    Fifty: "fifty moves", "cinquante coups";
    FiftyByMove: "fifty moves by an intended move", "cinquante coups par un coup annoncé";
    MoreThanFifty: "more than fifty moves where theory needs them", "plus de cinquante coups selon la théorie";
    MateDemand: "demand to be mated in fifty moves", "demande d'être maté en cinquante coups";
    Perpetual: "perpetual check", "échec perpétuel";
    ClaimLost: "claim lost by touching a piece", "réclamation perdue en touchant une pièce";
    ClaimWrong: "incorrect claim", "réclamation incorrecte";
    ClaimStands: "withdrawal of a claim", "réclamation qui ne peut être retirée";
    ClaimOffers: "claim as a draw offer", "réclamation valant proposition de nulle";
    QuickPlay: "no way to win by normal means", "gain impossible par des moyens normaux";
    QuickPlayDeferred: "decision postponed", "décision remise à plus tard";
    QuickPlayRejected: "claim rejected by the arbiter", "réclamation rejetée par l'arbitre";
    IncrementAsked: "increment requested", "incrément demandé";
    NoArbiter: "claim where no arbiter is present", "réclamation sans arbitre présent";
    KingMoves: "moves of kings only", "coups de dames seules";
    ThreePieces: "three pieces against one king", "trois pièces contre une dame";
    TwoPieces: "two pieces or one against one king", "deux pièces ou une contre une dame";
    SeventyFive: "seventy-five moves", "soixante-quinze coups";
    Fivefold: "fivefold repetition", "cinquième retour de la position";
    // Clocks.
    TimeControl: "moves in a time", "coups en un temps donné";
    Bonus: "time with each move", "temps à chaque coup";
    Pressing: "pressing the clock", "arrêt de la pendule";
    Stopping: "stopping both clocks", "arrêt des deux pendules";
    Flag: "flag fallen", "chute du drapeau";
    FlagDrawn: "flag fallen, but the opponent cannot win", "chute du drapeau sans gain possible";
    BothFlags: "both flags fallen before the last period", "les deux drapeaux tombés avant la dernière période";
    BothFlagsLast: "both flags fallen in the last period", "les deux drapeaux tombés dans la dernière période";
    Late: "late for the game", "retard";
    BothLate: "both late for the game", "retard des deux joueurs";
    Rapid: "rapid play", "jeu rapide";
    Blitz: "blitz", "blitz";
    LongGame: "the game of 61 minutes", "la partie en 61 minutes";
    FastSetup: "wrong set-up without supervision", "position initiale incorrecte sans surveillance";
    FastIllegal: "illegal move without supervision", "coup illégal sans surveillance";
    FastFlag: "flag without supervision", "drapeau sans surveillance";
    Adjustment: "clocks adjusted", "réglage des pendules";
    ThinkingPenalty: "time while a penalty is chosen", "temps pendant le choix de la pénalité";
    // Touched pieces, and moves made.
    TouchOwn: "own piece touched", "pièce du joueur touchée";
    TouchEnemy: "enemy piece touched", "pièce adverse touchée";
    TouchBoth: "a piece of each side touched", "une pièce de chaque couleur touchée";
    TouchSeveral: "several pieces touched", "plusieurs pièces touchées";
    TouchNone: "no touched piece can be moved or taken", "aucune pièce touchée ne peut être bougée ou prise";
    Accident: "accidental touch", "contact accidentel";
    Adjust: "adjusting pieces", "adoubement";
    CastlingTouch: "castling by touch", "roi et tour touchés";
    OutOfTurn: "touching out of turn", "pièce touchée sans avoir le trait";
    RookFirst: "rook touched before the king", "tour touchée avant le roi";
    CastlingBarred: "castling attempted but illegal", "roque entrepris mais impossible";
    Completed: "move made", "coup joué";
    Released: "piece released", "pièce lâchée";
    // Irregularities.
    Illegal: "illegal move", "coup illégal";
    IllegalCapture: "illegal capture", "prise illégale";
    NoConsequence: "irregularity without consequence", "irrégularité sans conséquence";
    CheckIgnored: "check not parried", "échec non paré";
    IllegalTime: "time penalty for an illegal move", "temps supplémentaire pour un coup illégal";
    IllegalLoses: "loss by illegal moves", "partie perdue par coups illégaux";
    NotPromoted: "pawn not promoted", "pion non promu";
    NotMoved: "clock pressed without a move", "pendule arrêtée sans coup joué";
    TwoHands: "move made with two hands", "coup joué à deux mains";
    RapidPenalty: "penalty in rapid play", "pénalité en jeu rapide";
    Penalty: "claim of a penalty", "réclamation d'une pénalité";
    NoticedLater: "irregularity noticed later", "irrégularité constatée plus tard";
    Lost: "position that cannot be restored", "position impossible à reconstituer";
    Displaced: "pieces displaced", "pièces dérangées";
    WrongSetup: "wrong initial position", "position initiale incorrecte";
    KingsExchanged: "kings on the squares of the queens", "rois à la place des dames";
    WrongBoard: "board placed wrongly", "plateau mal placé";
    ColoursReversed: "colours reversed", "couleurs inversées";
    AnnouncedMate: "announced mate", "mat annoncé";
    Upset: "board deliberately upset", "échiquier renversé volontairement";
    RefusesToResume: "refusal to play on", "refus de reprendre";
    Disobeys: "refusal to obey the laws", "refus de respecter les règles";
    BothDisobey: "both refuse to obey the laws", "refus des deux joueurs de respecter les règles";
    Phone: "a telephone rings", "sonnerie d'un téléphone";
    LeavesRoom: "leaving the playing room", "sortie de la salle de jeu";
    Recording: "recording the moves", "notation de la partie";
    RecordingFree: "no duty to record", "dispense de noter";
    SheetShown: "request to see the score sheet", "demande à voir la feuille de partie";
    RecordingDue: "score sheet to be completed", "feuille de partie à compléter";
    BlindTouch: "touch on a blind player's board", "pièce touchée sur l'échiquier d'un joueur aveugle";
    BlindMove: "move on a blind player's board", "coup sur l'échiquier d'un joueur aveugle";
    ImpossiblePosition: "impossible position", "position impossible";
    TwoBoards: "two differing boards", "positions différentes sur deux échiquiers";
    Announcing: "announced moves", "coups annoncés";
    Device: "electronic device", "appareil électronique";
    Search: "search of a player", "fouille d'un joueur";
    Decides: "correction or acceptance", "rectification ou maintien";
    Acceptance: "acceptance by a reply", "la réponse vaut acceptation";
    Inactive: "piece on a light square", "pièce sur une case claire";
    Crowning: "crowning", "couronnement";
    // Adjournment.
    WhoSeals: "sealing", "mise sous enveloppe";
    Sealed: "envelope", "l'enveloppe";
    Resumed: "resumption", "reprise";
    RestoredWrongly: "position restored wrongly", "position mal rétablie à la reprise";
    ResponderAbsent: "resumption without the player to reply", "reprise sans le joueur qui doit répondre";
    SealerAbsent: "resumption without the player who sealed", "reprise sans le joueur qui a mis son coup sous enveloppe";
    NothingSealed: "no move in the envelope", "aucun coup dans l'enveloppe";
    SealedUnreadable: "unreadable sealed move", "coup sous enveloppe illisible";
    SealedAmbiguous: "ambiguous sealed move", "coup sous enveloppe ambigu";
    SealedIllegal: "illegal sealed move", "coup sous enveloppe illégal";
    SealedRepaired: "sealed move repaired by the arbiter", "coup sous enveloppe rectifié par l'arbitre";
    EndsAdjourned: "end before resumption", "fin avant la reprise";
    LateResuming: "late for the resumption", "retard à la reprise";
    EnvelopeLost: "lost envelope", "enveloppe perdue";
    ResumedClocks: "clocks set wrongly at the resumption", "pendules mal réglées à la reprise";
    // Odds.
    OddsPawn: "odds of a pawn", "avantage d'un pion";
    OddsPiece: "odds of a piece", "avantage d'une pièce";
    OddsRook: "castling where the rook was given", "roque du côté de la tour donnée";
    OddsMoves: "odds of moves", "avantage de traits";
    // Results.
    Points: "points", "points";
    Sanction: "the arbiter's penalties", "pénalités de l'arbitre";
    Fine: "a fine", "une amende";
    Exclusion: "exclusion from rounds", "exclusion de rondes";
    Colours: "colours from game to game", "couleurs d'une partie à l'autre";
}

/// A case of a rule for which an edition can have a separate sub-article.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Case {
    Own,
    Enemy,
    Both,
    Quiet,
    Capture,
    Castling,
    Promotion,
    AtOnce,
    Later,
    Touched,
    /// The requested action is not possible.
    Impossible,
    /// At least one of the players has not made a move yet.
    NotMoved,
    /// The players agree to a correction.
    Agreed,
    /// The clocks were set wrongly.
    Clocks,
    /// The action is not allowed, or not allowed yet.
    Barred,
    Consent,
    Setup,
    IllegalMove,
    FlagClaimed,
    BothDown,
    /// The player who seals.
    Who,
    Envelope,
    Position,
    Adjourned,
    /// Moves given as odds must not cross the middle of the board.
    Half,
    Warning,
    TimeGiven,
    /// Time is deducted from a clock.
    TimeTaken,
    Loss,
    FewerPoints,
    MorePoints,
    Expulsion,
    Help,
    Pieces,
    Sheets,
    Claim,
    Arbiter,
    Resumed,
    FastPlay,
    WholeGame,
    ShortOfTime,
    /// Draughts: a piece is moved against the rules.
    Moved,
    /// Draughts: a piece other than the touched one is moved.
    OtherPiece,
    CaptureMissed,
    /// Draughts: a player makes two moves in a row.
    PlayedTwice,
    /// Draughts: a move is taken back.
    Retracted,
    /// Draughts: a capture of a single piece is not shown clearly.
    UnclearCapture,
    /// Draughts: a multiple capture is not shown clearly.
    UnclearStroke,
    /// Draughts: the capture takes too few or too many pieces.
    WrongNumber,
    /// Draughts: the piece is released in the middle of a capture.
    BrokenOff,
    /// Draughts: pieces are removed before the capture is complete.
    RemovedEarly,
    RemovedInDisorder,
    RemovalPaused,
    RemovedTooFew,
    /// Draughts: pieces are removed without a capture.
    RemovedForNothing,
    /// Draughts: pieces of the opponent that were not captured are removed.
    RemovedOther,
    RemovedOwn,
    /// Draughts: a player moves another piece while their new king is still uncrowned.
    Uncrowned,
    /// Draughts: a player moves the uncrowned king itself.
    PlayedUncrowned,
}

/// The basis of a ruling: a rule and, if the text distinguishes cases, the case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ground {
    pub rule: Rule,
    pub case: Option<Case>,
}

impl Rule {
    /// Returns this rule with one of its cases.
    pub const fn when(self, case: Case) -> Ground {
        Ground { rule: self, case: Some(case) }
    }
}

impl From<Rule> for Ground {
    fn from(rule: Rule) -> Self {
        Self { rule, case: None }
    }
}
