//! Tournaments between people in FIDE's Tournament Report File format (TRF-16; Handbook C.04, Annex
//! 2), with JaVaFo's codes `XXR`, `XXC`, `XXP` and `XXS`. The equivalent codes `142`, `152` and `162`
//! of 2026 are also read, and the tie-breaks are stored in its code `202`.
//!
//! When a report is written, lines that do not describe players are preserved, except for the number
//! of players (`062`). In the lines that describe players, the columns before the points are
//! preserved, and the points, ranks and rounds are generated.

use super::berger;
pub use super::board_result::BoardResult;
use super::dutch::{self, Breach, Outcome, Situation};
use super::registration;
pub use super::registration::{Field, Registration};
use super::rounds::Round;
use super::scoring::{Scoring, ScoringError};
use super::tie_breaks::{self, TieBreak};
use crate::base::side::Side;
use crate::base::text::without_mark;
use crate::laws::regulations::Points;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::str::FromStr;

/// The number of columns before the points in a player's line.
const HEAD: usize = 80;
/// The number of columns for the points.
const POINTS: usize = 4;
/// The column where the rounds begin.
const ROUNDS: usize = 89;
/// The number of columns for each round: `  NNNN c r`.
const ROUND: usize = 10;
/// The largest player number that fits into its columns.
const MAX_PLAYERS: usize = 9999;
/// The last round before which players may be renumbered (C.04.2).
const LAST_RENUMBERED: usize = 4;
/// The maximum number of repeated games in a message.
const MAX_REPEATED: usize = 3;
/// The beginning of a remark that stores the order of the boards in a round. See [`Report::boards`].
const BOARDS_REMARK: &str = "### boards of round";
/// Words in the name of a tournament's type that exclude the Dutch system and round robins. Words
/// are in lower case, without spaces and hyphens.
const UNSUPPORTED_SYSTEMS: &[&str] = &[
    "knockout",
    "dubov",
    "burstein",
    "scheveningen",
    "schiller",
    "baku",
    "accelerat",
    "doubleswiss",
];
/// The code for the number of rated players.
const RATED_CODE: &str = "072";
/// JaVaFo's code for players who must not be paired.
const FORBIDDEN_CODE: &str = "XXP";
/// The code of 2026 for the tie-breaks.
const TIE_BREAKS_CODE: &str = "202";
/// The code of 2026 for everything that decides the standings: the points (`PTS`) and tie-breaks.
const STANDINGS_CODE: &str = "212";

/// A tournament, as stored in a report file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    lines: Vec<Line>,
    /// The players, ordered by number. A player's number in the file is the index plus one.
    players: Vec<Player>,
    rounds: Option<usize>,
    initial: Option<Side>,
    forbidden: Vec<[usize; 2]>,
    scoring: Scoring,
    /// The players with White in board order, by round. Contains only rounds in which the order no
    /// longer follows from the points.
    board_order: BTreeMap<usize, Vec<usize>>,
    /// The first unsupported code in the file that affects pairings or points, if there is one.
    unsupported: Option<String>,
    /// The tie-breaks that the file names, or the default ones.
    tie_breaks: Vec<TieBreak>,
    warnings: Vec<ReportWarning>,
}

/// The pairing system that a report names.
#[derive(Clone, PartialEq, Eq, Debug)]
enum System {
    Dutch,
    RoundRobin,
    /// A system that is not supported, as the report names it.
    Other(String),
}

/// A part of a report that cannot be used as it is.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReportWarning {
    #[error(
        "line {line}: player {player} ({name}) has {stored} points in the file, but {counted} after \
         round {round} by the results; the results count"
    )]
    Points {
        line: usize,
        player: usize,
        name: String,
        stored: String,
        counted: String,
        round: usize,
    },
    #[error("line {line}: the tie-break '{name}' is not supported and is left out")]
    TieBreak { line: usize, name: String },
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Line {
    /// The index of a player.
    Player(usize),
    Other(String),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Player {
    /// The columns before the points in the player's line.
    head: Vec<char>,
    pub entries: Vec<Entry>,
}

/// The opponent, side and result of a player in one round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    pub opponent: Option<usize>,
    pub side: Option<Side>,
    pub mark: Mark,
}

/// The result of a player in one round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mark {
    Win,
    Draw,
    Loss,
    /// A win in a game that is not rated, because it ended before both players had made a move.
    WinUnrated,
    DrawUnrated,
    LossUnrated,
    ForfeitWin,
    ForfeitLoss,
    /// A pairing-allocated bye.
    PairingBye,
    FullBye,
    HalfBye,
    ZeroBye,
    /// No result yet.
    Open,
}

/// The letter of each mark, and the half points if a win, a draw and a loss count 1, ½ and 0. The
/// marks have the same order as in [`Mark`].
const MARKS: [(Mark, char, usize); 13] = [
    (Mark::Win, '1', 2),
    (Mark::Draw, '=', 1),
    (Mark::Loss, '0', 0),
    (Mark::WinUnrated, 'W', 2),
    (Mark::DrawUnrated, 'D', 1),
    (Mark::LossUnrated, 'L', 0),
    (Mark::ForfeitWin, '+', 2),
    (Mark::ForfeitLoss, '-', 0),
    (Mark::PairingBye, 'U', 2),
    (Mark::FullBye, 'F', 2),
    (Mark::HalfBye, 'H', 1),
    (Mark::ZeroBye, 'Z', 0),
    (Mark::Open, ' ', 0),
];

impl Mark {
    pub(super) const ALL: [Self; MARKS.len()] = {
        let mut all = [Self::Open; MARKS.len()];
        let mut i = 0;
        while i < MARKS.len() {
            all[i] = MARKS[i].0;
            i += 1;
        }
        all
    };

    const fn letter(self) -> char {
        MARKS[self as usize].1
    }

    fn of_letter(letter: char) -> Option<Self> {
        let letter = letter.to_ascii_uppercase();
        MARKS.iter().find(|(_, l, _)| *l == letter).map(|(mark, ..)| *mark)
    }

    /// Returns the half points if a win, a draw and a loss count 1, ½ and 0.
    pub(super) const fn standard_half_points(self) -> usize {
        MARKS[self as usize].2
    }

    /// Returns whether a game with this result is not rated, because it ended before both players
    /// had made a move.
    pub(super) const fn is_unrated(self) -> bool {
        matches!(self, Self::WinUnrated | Self::DrawUnrated | Self::LossUnrated)
    }

    const fn is_bye(self) -> bool {
        matches!(self, Self::PairingBye | Self::FullBye | Self::HalfBye | Self::ZeroBye)
    }
}

impl Entry {
    /// An entry with empty columns. If the round has been paired, the player was absent.
    const EMPTY: Self = Self::bye(Mark::Open);

    const fn bye(mark: Mark) -> Self {
        Self { opponent: None, side: None, mark }
    }

    /// Returns the opponent and the player's side, if the game was played.
    pub(crate) fn game(&self) -> Option<(usize, Side)> {
        let played = !matches!(self.mark, Mark::ForfeitWin | Mark::ForfeitLoss | Mark::Open);
        self.opponent.zip(self.side).filter(|_| played)
    }

    /// Returns whether the player chose not to play: a requested half-point or zero-point bye, a
    /// forfeit loss or an absence.
    pub(crate) fn is_voluntary(&self) -> bool {
        matches!(self.mark, Mark::ForfeitLoss | Mark::HalfBye | Mark::ZeroBye)
            || *self == Self::EMPTY
    }

    /// Returns whether the player has an opponent but the result is missing.
    const fn is_open(&self) -> bool {
        self.opponent.is_some() && matches!(self.mark, Mark::Open)
    }

    /// Returns whether the player took part in the pairing of the round.
    const fn is_paired(&self) -> bool {
        self.opponent.is_some() || matches!(self.mark, Mark::PairingBye)
    }

    fn read(text: &[char]) -> Result<Option<Self>, EntryProblem> {
        let column = |i: usize| text.get(i).copied().unwrap_or(' ');
        if text.iter().all(|c| *c == ' ') {
            return Ok(None);
        }
        let number: String = text.iter().take(6).collect();
        let opponent = match number.trim() {
            "" => 0,
            number => number.parse().map_err(|_| EntryProblem::Number(number.to_owned()))?,
        };
        let side = match column(7).to_ascii_lowercase() {
            'w' => Some(Side::White),
            'b' => Some(Side::Black),
            '-' | ' ' => None,
            other => return Err(EntryProblem::Colour(other)),
        };
        let mark = Mark::of_letter(column(9)).ok_or(EntryProblem::Result(column(9)))?;
        if opponent == 0 {
            let mark = match mark {
                Mark::ForfeitWin => Mark::PairingBye,
                Mark::Draw => Mark::HalfBye,
                Mark::ForfeitLoss | Mark::Open => Mark::ZeroBye,
                bye if bye.is_bye() => bye,
                _ => return Err(EntryProblem::NoOpponent),
            };
            return Ok(Some(Self::bye(mark)));
        }
        if mark.is_bye() {
            return Err(EntryProblem::ByeWithOpponent);
        }
        if side.is_none() && !matches!(mark, Mark::ForfeitWin | Mark::ForfeitLoss) {
            return Err(EntryProblem::NoColour);
        }
        Ok(Some(Self { opponent: Some(opponent - 1), side, mark }))
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = self.mark.letter();
        let side = match self.side {
            Some(Side::White) => 'w',
            Some(Side::Black) => 'b',
            None => '-',
        };
        match self.opponent {
            Some(opponent) => write!(f, "  {:>4} {side} {letter}", opponent + 1),
            None if *self == Self::EMPTY => write!(f, "{:ROUND$}", ""),
            None => write!(f, "  0000 {side} {letter}"),
        }
    }
}

impl Player {
    fn new(mut head: Vec<char>, entries: Vec<Entry>) -> Self {
        head.resize(HEAD, ' ');
        Self { head, entries }
    }

    pub(crate) fn title(&self) -> String {
        self.field(Field::Title)
    }

    pub(crate) fn name(&self) -> String {
        self.field(Field::Name)
    }

    pub(crate) fn rating(&self) -> String {
        self.field(Field::Rating)
    }

    pub(crate) fn federation(&self) -> String {
        self.field(Field::Federation)
    }

    /// Returns a field of the player's line.
    pub(crate) fn field(&self, field: Field) -> String {
        self.head[field.columns()].iter().collect::<String>().trim().to_owned()
    }

    /// Returns the sort key for the order of the players' numbers.
    fn order(&self) -> registration::Order {
        let rating = self.rating().parse().unwrap_or(0);
        registration::order(rating, &self.title().to_ascii_uppercase(), &self.name())
    }

    fn set_number(&mut self, number: usize) {
        self.head.splice(4..8, format!("{number:>4}").chars());
    }

    fn set_entry(&mut self, round: usize, entry: Entry) {
        self.entries.resize(self.entries.len().max(round + 1), Entry::EMPTY);
        self.entries[round] = entry;
    }

    /// Returns the entry of a round. A missing entry counts as an absence.
    pub(crate) fn entry(&self, round: usize) -> Entry {
        self.entries.get(round).copied().unwrap_or(Entry::EMPTY)
    }
}

/// The error for text that is not a valid report.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct ReportError {
    line: usize,
    problem: ReportProblem,
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
enum ReportProblem {
    #[error("'{0}' is not the number of a player")]
    Number(String),
    #[error("player {0} occurs twice")]
    Twice(usize),
    #[error("player {0} is missing: the numbers must be 1, 2, 3, ...")]
    Missing(usize),
    #[error("there are no players (lines that begin with 001)")]
    NoPlayers,
    #[error("round {round}: {problem}")]
    Entry { round: usize, problem: EntryProblem },
    #[error("'{0}' is not a number of rounds")]
    Rounds(String),
    #[error("'{0}' does not name two or more players")]
    Forbidden(String),
    #[error("there is no player {0}")]
    NoPlayer(usize),
    #[error(transparent)]
    Scoring(#[from] ScoringError),
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
enum EntryProblem {
    #[error("'{0}' is not the number of an opponent")]
    Number(String),
    #[error("'{0}' is not a colour: expected w, b or -")]
    Colour(char),
    #[error("'{0}' is not a result: expected 1, =, 0, W, D, L, +, -, U, F, H or Z")]
    Result(char),
    #[error("there is a result, but no opponent")]
    NoOpponent,
    #[error("a bye has no opponent")]
    ByeWithOpponent,
    #[error("there is an opponent, but no colour")]
    NoColour,
    #[error("there is no player {0}")]
    Unknown(usize),
    #[error("player {player} and opponent {opponent} contradict each other")]
    Contradiction { player: usize, opponent: usize },
}

/// A request that is not possible in the current state of the tournament. Rounds, boards and
/// players are numbered from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TournamentStateError {
    #[error("round {round} is not finished: enter the result of board {board} ({white} - {black})")]
    Unfinished { round: usize, board: usize, white: String, black: String },
    #[error("all {0} rounds are paired")]
    Over(usize),
    #[error("no number of rounds: add a line such as 'XXR 5' to the file")]
    NoRounds,
    #[error("there is no player {0}")]
    NoPlayer(usize),
    #[error("there is no round {0} yet")]
    NoRound(usize),
    #[error("round {round} has no board {board}")]
    NoBoard { round: usize, board: usize },
    #[error("fewer than two players are present")]
    TooFew,
    #[error("name two or more different players")]
    TooFewNamed,
    #[error(
        "the type of the tournament is '{0}' (line 192 or 092), which is not supported: Adoube pairs \
         Swiss tournaments by the Dutch system, and round robins"
    )]
    System(String),
    #[error("the pairing of players {0} and {1} is not forbidden")]
    NotForbidden(usize, usize),
    #[error("players can be added to a round robin only before round 1 is paired")]
    RoundRobinStarted,
    #[error("no pairing can be forbidden in a round robin, in which all players meet")]
    RoundRobinMeetsAll,
    #[error(
        "a round robin has no byes with points: {0} can only be absent, and then loses by forfeit"
    )]
    RoundRobinBye(String),
    #[error(
        "the earlier rounds do not follow the Berger tables, and nothing is stored: {breaches}, but \
         the tables pair them later; --force pairs round {round} by the tables"
    )]
    NotBerger { round: usize, breaches: String },
    #[error("the code {0} is not supported in pairings")]
    Unsupported(String),
    #[error("{0} players; a report has room for {MAX_PLAYERS}")]
    TooMany(usize),
    #[error(
        "no legal pairing exists for round {round}, and nothing is stored: {breaches}; --force \
         stores this pairing"
    )]
    NoLegalPairing { round: usize, breaches: String },
    #[error("round {0} has results: --force removes it with its results")]
    HasResults(usize),
    #[error(transparent)]
    Points(#[from] ScoringError),
}

/// The header of a new report. Empty texts are left out.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Header {
    pub event: String,
    pub city: String,
    pub federation: String,
    /// The first day, as `YYYY/MM/DD`.
    pub from: String,
    /// The last day.
    pub to: String,
    pub arbiter: String,
    /// The time control.
    pub rate: String,
    /// The colour of the top seed in the first round. `None` means White.
    pub first_colour: Option<Side>,
    /// The points for a win, a draw and a loss. A pairing-allocated bye counts as a win.
    pub points: Points,
    /// True for a round robin, false for a Swiss tournament.
    pub round_robin: bool,
    /// The tie-breaks. If empty, the report gets the default ones.
    pub tie_breaks: Vec<TieBreak>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Board {
    pub white: usize,
    pub black: usize,
}

impl FromStr for Report {
    type Err = ReportError;

    fn from_str(text: &str) -> Result<Self, ReportError> {
        let mut report = Self {
            lines: Vec::new(),
            players: Vec::new(),
            rounds: None,
            initial: None,
            forbidden: Vec::new(),
            scoring: Scoring::default(),
            board_order: BTreeMap::new(),
            unsupported: None,
            tie_breaks: Vec::new(),
            warnings: Vec::new(),
        };
        let text = without_mark(text).replace("\r\n", "\n").replace('\r', "\n");
        // For each player's line: the player number, the line number and the data. The lines can be
        // in any order.
        let mut players: Vec<(usize, usize, Player)> = Vec::new();
        let mut stored_points: BTreeMap<usize, String> = BTreeMap::new();
        // The line number of each forbidden pairing, and the last line that gives points.
        let mut forbidding: Vec<usize> = Vec::new();
        let mut scoring_line = 0;
        for (index, text) in text.lines().enumerate() {
            let error = |problem| ReportError { line: index + 1, problem };
            let code: String = text.chars().take(3).collect();
            if code == "001" {
                let (number, player) = read_player(text).map_err(error)?;
                if players.iter().any(|(n, ..)| *n == number) {
                    return Err(error(ReportProblem::Twice(number)));
                }
                report.lines.push(Line::Player(number - 1));
                players.push((number, index + 1, player));
                let points: String = text.chars().skip(HEAD).take(POINTS).collect();
                stored_points.insert(number - 1, points.trim().to_owned());
            } else {
                if report.read_boards(text) {
                    continue;
                }
                let before = report.scoring.clone();
                report.read_other(&code, text).map_err(error)?;
                forbidding.resize(report.forbidden.len(), index + 1);
                if report.scoring != before {
                    scoring_line = index + 1;
                }
                report.lines.push(Line::Other(text.to_owned()));
            }
        }
        report
            .scoring
            .check()
            .map_err(|error| ReportError { line: scoring_line, problem: error.into() })?;
        let last = report.lines.len();
        let missing = (1..=players.len()).find(|n| !players.iter().any(|(m, ..)| m == n));
        let problem = match missing {
            Some(number) => Some(ReportProblem::Missing(number)),
            None if players.is_empty() => Some(ReportProblem::NoPlayers),
            None => None,
        };
        if let Some(problem) = problem {
            return Err(ReportError { line: last, problem });
        }
        players.sort_by_key(|(number, ..)| *number);
        let lines: Vec<usize> = players.iter().map(|(_, line, _)| *line).collect();
        report.players = players.into_iter().map(|(.., player)| player).collect();
        for (index, player) in report.players.iter().enumerate() {
            for (round, entry) in player.entries.iter().enumerate() {
                report.check(index, round, entry).map_err(|problem| ReportError {
                    line: lines[index],
                    problem: ReportProblem::Entry { round: round + 1, problem },
                })?;
            }
        }
        for (&line, pair) in forbidding.iter().zip(&report.forbidden) {
            if let Some(player) = pair.iter().find(|&&player| player >= report.players.len()) {
                return Err(ReportError { line, problem: ReportProblem::NoPlayer(player + 1) });
            }
        }
        report.read_tie_breaks();
        report.compare_points(&lines, &stored_points);
        Ok(report)
    }
}

fn read_player(text: &str) -> Result<(usize, Player), ReportProblem> {
    let columns: Vec<char> = text.replace('\t', " ").chars().collect();
    let number: String = columns.iter().skip(4).take(4).collect();
    let number: usize = match number.trim().parse() {
        Ok(number) if number > 0 => number,
        _ => return Err(ReportProblem::Number(number.trim().to_owned())),
    };
    let mut entries = Vec::new();
    for (round, text) in columns.get(ROUNDS..).unwrap_or_default().chunks(ROUND).enumerate() {
        let entry = Entry::read(text)
            .map_err(|problem| ReportProblem::Entry { round: round + 1, problem })?;
        entries.push(entry.unwrap_or(Entry::EMPTY));
    }
    let rounds =
        entries.iter().rposition(|entry| *entry != Entry::EMPTY).map_or(0, |last| last + 1);
    entries.truncate(rounds);
    let head = columns.into_iter().take(HEAD).collect();
    Ok((number, Player::new(head, entries)))
}

impl Report {
    /// Creates a tournament. Players are numbered by rating, title and name (C.04.2), but in a round
    /// robin in the given order. Without `rounds`, a round robin has one cycle.
    pub fn new(
        header: &Header,
        rounds: Option<usize>,
        mut people: Vec<Registration>,
    ) -> Result<Self, TournamentStateError> {
        if people.len() < 2 {
            return Err(TournamentStateError::TooFew);
        }
        if people.len() > MAX_PLAYERS {
            return Err(TournamentStateError::TooMany(people.len()));
        }
        if !header.round_robin {
            people.sort_by_key(Registration::order);
        }
        let cycle = berger::rounds(people.len());
        let rounds = rounds.or(header.round_robin.then_some(cycle));
        let rounds = rounds.ok_or(TournamentStateError::NoRounds)?;
        let initial = header.first_colour.unwrap_or(Side::White);
        let first_colour = if initial.is_white() { "white1" } else { "black1" };
        let (number, rounds_text) = (people.len().to_string(), rounds.to_string());
        let system = match header.round_robin {
            true if rounds > cycle => "Individual: Double Round-Robin (Berger)",
            true => "Individual: Round-Robin (Berger)",
            false => "Individual: Swiss-System (Dutch)",
        };
        let tie_breaks = match &header.tie_breaks[..] {
            [] => tie_breaks::default_for(header.round_robin).to_vec(),
            chosen => chosen.to_vec(),
        };
        let tie_break_names = tie_breaks::names(&tie_breaks);
        let scoring = Scoring::try_from(header.points)?;
        let scoring_lines = Scoring::lines(header.points);
        let fields = [
            ("012", header.event.as_str()),
            ("022", &header.city),
            ("032", &header.federation),
            ("042", &header.from),
            ("052", &header.to),
            ("062", &number),
            ("092", system),
            ("102", &header.arbiter),
            ("122", &header.rate),
            (TIE_BREAKS_CODE, &tie_break_names),
            ("XXR", &rounds_text),
            ("XXC", if header.round_robin { "" } else { first_colour }),
        ];
        let points = scoring_lines.iter().map(|(code, text)| (*code, text.as_str()));
        let fields = fields.into_iter().chain(points).filter(|(_, text)| !text.is_empty());
        let mut lines: Vec<Line> =
            fields.map(|(code, text)| Line::Other(format!("{code} {text}"))).collect();
        lines.extend((0..people.len()).map(Line::Player));
        let player = |(index, person): (usize, &Registration)| {
            Player::new(person.columns(index + 1).chars().collect(), Vec::new())
        };
        let players = people.iter().enumerate().map(player).collect();
        Ok(Self {
            lines,
            players,
            rounds: Some(rounds),
            initial: Some(initial),
            forbidden: Vec::new(),
            scoring,
            board_order: BTreeMap::new(),
            unsupported: None,
            tie_breaks,
            warnings: Vec::new(),
        })
    }

    /// Adds a player who enters late, with the given bye in each round that has been paired.
    /// Returns the player's index. Before round 4 is paired, the player is inserted in the order of
    /// the ratings and the players after the new one are renumbered (C.04.2). Later, the player
    /// gets the last number.
    pub(crate) fn add(
        &mut self,
        person: &Registration,
        missed: Mark,
    ) -> Result<usize, TournamentStateError> {
        self.check_supported()?;
        let round = self.next_round()?.0;
        if self.players.len() == MAX_PLAYERS {
            return Err(TournamentStateError::TooMany(MAX_PLAYERS + 1));
        }
        let is_round_robin = self.is_round_robin();
        if is_round_robin && round > 0 {
            return Err(TournamentStateError::RoundRobinStarted);
        }
        let order = person.order();
        let behind = self.players.iter().position(|player| player.order() > order);
        let is_renumbered = round < LAST_RENUMBERED && !is_round_robin;
        let index = behind.filter(|_| is_renumbered).unwrap_or(self.players.len());
        let moved = |player: usize| if player >= index { player + 1 } else { player };
        for player in &mut self.players {
            for entry in &mut player.entries {
                entry.opponent = entry.opponent.map(moved);
            }
        }
        let forbidden = self.forbidden.as_flattened_mut().iter_mut();
        for player in forbidden.chain(self.board_order.values_mut().flatten()) {
            *player = moved(*player);
        }
        let last = self.lines.iter().rposition(|line| matches!(line, Line::Player(_)));
        let mut place = last.map_or(self.lines.len(), |last| last + 1);
        for (at, line) in self.lines.iter_mut().enumerate() {
            match line {
                Line::Player(player) => {
                    if *player == index {
                        place = at;
                    }
                    *player = moved(*player);
                }
                Line::Other(text) if text.starts_with(FORBIDDEN_CODE) => {
                    let number = |word: &str| match word.parse::<usize>() {
                        Ok(number @ 1..) => format!(" {}", moved(number - 1) + 1),
                        _ => format!(" {word}"),
                    };
                    *text = text.split_whitespace().skip(1).map(number).collect();
                    text.insert_str(0, FORBIDDEN_CODE);
                }
                Line::Other(_) => {}
            }
        }
        self.lines.insert(place, Line::Player(index));
        let entries = vec![Entry::bye(missed); round];
        let player = Player::new(person.columns(index + 1).chars().collect(), entries);
        self.players.insert(index, player);
        for (index, player) in self.players.iter_mut().enumerate().skip(index) {
            player.set_number(index + 1);
        }
        if person.rating > 0 {
            self.change_count(RATED_CODE, |rated| rated + 1);
        }
        if is_round_robin {
            self.lengthen(berger::rounds(self.players.len()));
        }
        Ok(index)
    }

    /// Sets the number of rounds of a round robin to one cycle, if it was one cycle before a player
    /// was added.
    fn lengthen(&mut self, cycle: usize) {
        if self.rounds != Some(berger::rounds(self.players.len() - 1)) {
            return;
        }
        self.rounds = Some(cycle);
        for code in ["XXR", "142"] {
            self.change_count(code, |_| cycle);
        }
    }

    /// Changes the number in each line with this code.
    fn change_count(&mut self, code: &str, change: impl Fn(usize) -> usize) {
        for line in &mut self.lines {
            if let Line::Other(text) = line
                && text.starts_with(code)
            {
                *text = with_count(text, &change);
            }
        }
    }

    /// Replaces the given fields in a player's line by those of a registration. The number of the
    /// player stays the same.
    pub(crate) fn edit(
        &mut self,
        player: usize,
        person: &Registration,
        fields: &[Field],
    ) -> Result<(), TournamentStateError> {
        let columns: Vec<char> = person.columns(player + 1).chars().collect();
        let edited = self.player_mut(player)?;
        let is_rated =
            |player: &Player| player.rating().parse().is_ok_and(|rating: u16| rating > 0);
        let was_rated = is_rated(edited);
        for range in fields.iter().map(|field| field.columns()) {
            edited.head[range.clone()].copy_from_slice(&columns[range]);
        }
        let (before, after) = (usize::from(was_rated), usize::from(is_rated(edited)));
        self.change_count(RATED_CODE, |rated| (rated + after).saturating_sub(before));
        Ok(())
    }

    /// Returns the pairs of players who must not be paired, each with the smaller number first.
    pub(crate) fn forbidden(&self) -> &[[usize; 2]] {
        &self.forbidden
    }

    /// Forbids that any two of these players are paired.
    pub(crate) fn forbid(&mut self, players: &[usize]) -> Result<(), TournamentStateError> {
        let pairs = self.pairs_of(players)?;
        if self.is_round_robin() {
            return Err(TournamentStateError::RoundRobinMeetsAll);
        }
        let numbers: String = players.iter().map(|player| format!(" {}", player + 1)).collect();
        self.insert_header(format!("{FORBIDDEN_CODE}{numbers}"));
        self.forbidden.extend(pairs);
        Ok(())
    }

    /// Allows pairings of these players that were forbidden.
    pub(crate) fn allow(&mut self, players: &[usize]) -> Result<(), TournamentStateError> {
        let pairs = self.pairs_of(players)?;
        if let Some([a, b]) = pairs.iter().find(|pair| !self.forbidden.contains(pair)) {
            return Err(TournamentStateError::NotForbidden(a + 1, b + 1));
        }
        self.forbidden.retain(|pair| !pairs.contains(pair));
        self.lines
            .retain(|line| !matches!(line, Line::Other(text) if text.starts_with(FORBIDDEN_CODE)));
        for [a, b] in self.forbidden.clone() {
            self.insert_header(format!("{FORBIDDEN_CODE} {} {}", a + 1, b + 1));
        }
        Ok(())
    }

    /// Returns all pairs of different players, each with the smaller number first.
    fn pairs_of(&self, players: &[usize]) -> Result<Vec<[usize; 2]>, TournamentStateError> {
        if let Some(player) = players.iter().find(|&&player| player >= self.players.len()) {
            return Err(TournamentStateError::NoPlayer(player + 1));
        }
        let pairs = pairs_among(players.to_vec());
        if pairs.is_empty() { Err(TournamentStateError::TooFewNamed) } else { Ok(pairs) }
    }

    /// Returns the line number and the text of the first line with this code that has a text.
    fn field(&self, code: &str) -> Option<(usize, &str)> {
        (1..).zip(&self.lines).find_map(|(number, line)| match line {
            Line::Other(text) => {
                let text = text.strip_prefix(code)?.trim();
                (!text.is_empty()).then_some((number, text))
            }
            Line::Player(_) => None,
        })
    }

    /// Reads the tie-breaks from the line that names them, or takes the default ones.
    fn read_tie_breaks(&mut self) {
        let field = self.field(TIE_BREAKS_CODE).or_else(|| self.field(STANDINGS_CODE));
        let (line, text) = field.unwrap_or_default();
        let names = text.split([',', ';']).map(str::trim);
        let (mut known, mut unknown) = (Vec::new(), Vec::new());
        for name in names.filter(|name| !name.is_empty() && *name != "PTS") {
            match name.parse() {
                Ok(tie_break) => known.push(tie_break),
                Err(_) => unknown.push(ReportWarning::TieBreak { line, name: name.to_owned() }),
            }
        }
        self.warnings.extend(unknown);
        if known.is_empty() {
            known = tie_breaks::default_for(self.is_round_robin()).to_vec();
        }
        self.tie_breaks = known;
    }

    /// Adds a warning for each player whose stored points differ from the results.
    fn compare_points(&mut self, lines: &[usize], stored_points: &BTreeMap<usize, String>) {
        let round = self.paired();
        for (&player, stored) in stored_points {
            let half_points = self.half_points(player, round);
            let counted = decimal_points(half_points);
            let is_same = |points: f64| (2.0 * points).to_bits() == (half_points as f64).to_bits();
            if !stored.is_empty() && !stored.parse().is_ok_and(is_same) {
                self.warnings.push(ReportWarning::Points {
                    line: lines[player],
                    player: player + 1,
                    name: self.players[player].name(),
                    stored: stored.clone(),
                    counted,
                    round,
                });
            }
        }
    }

    /// Returns the parts of the file that cannot be used as they are.
    pub(crate) fn warnings(&self) -> &[ReportWarning] {
        &self.warnings
    }

    pub(crate) fn tie_breaks(&self) -> &[TieBreak] {
        &self.tie_breaks
    }

    /// Chooses the tie-breaks and stores them in the report.
    pub(crate) fn set_tie_breaks(&mut self, tie_breaks: &[TieBreak]) {
        let text = format!("{TIE_BREAKS_CODE} {}", tie_breaks::names(tie_breaks));
        let is_stored =
            |line: &Line| matches!(line, Line::Other(text) if text.starts_with(TIE_BREAKS_CODE));
        match self.lines.iter().position(is_stored) {
            Some(place) => self.lines[place] = Line::Other(text),
            None => self.insert_header(text),
        }
        self.tie_breaks = tie_breaks.to_vec();
        self.warnings.retain(|warning| !matches!(warning, ReportWarning::TieBreak { .. }));
    }

    /// Inserts a line before the first player.
    fn insert_header(&mut self, text: String) {
        let place = self.lines.iter().position(|line| matches!(line, Line::Player(_)));
        self.lines.insert(place.unwrap_or(self.lines.len()), Line::Other(text));
    }

    /// Returns the pairing system. The encoded type of 2026 (`192`) takes precedence over the text
    /// (`092`).
    fn system(&self) -> System {
        let Some((_, text)) = self.field("192").or_else(|| self.field("092")) else {
            return System::Dutch;
        };
        let plain = text.to_ascii_lowercase().replace(['-', '_', ' '], "");
        let names = |words: &[&str]| words.iter().any(|word| plain.contains(word));
        if names(&["roundrobin", "berger", "allplayall"]) {
            System::RoundRobin
        } else if names(UNSUPPORTED_SYSTEMS) {
            System::Other(text.to_owned())
        } else {
            System::Dutch
        }
    }

    pub(crate) fn is_round_robin(&self) -> bool {
        self.system() == System::RoundRobin
    }

    /// Reads a remark that stores the order of the boards in a round. Returns whether the line is
    /// such a remark.
    fn read_boards(&mut self, text: &str) -> bool {
        let read = |text: &str| {
            let (round, players) = text.split_once(':')?;
            let number = |text: &str| text.trim().parse::<usize>().ok()?.checked_sub(1);
            let players = players.split_whitespace().map(number).collect::<Option<Vec<_>>>()?;
            Some((number(round)?, players))
        };
        let order = text.strip_prefix(BOARDS_REMARK).and_then(read);
        let is_remark = order.is_some();
        self.board_order.extend(order);
        is_remark
    }

    fn read_other(&mut self, code: &str, text: &str) -> Result<(), ReportProblem> {
        let rest = text.chars().skip(3).collect::<String>().trim().to_owned();
        match code {
            code if self.scoring.read(code, &rest)? => {}
            "XXR" | "142" => match rest.parse() {
                Ok(rounds @ 1..=999) => self.rounds = Some(rounds),
                _ => return Err(ReportProblem::Rounds(rest)),
            },
            "XXC" | "152" => {
                for word in rest.split_whitespace() {
                    match word {
                        "white1" | "W" => self.initial = Some(Side::White),
                        "black1" | "B" => self.initial = Some(Side::Black),
                        _ => {}
                    }
                }
            }
            FORBIDDEN_CODE => {
                let numbers: Option<Vec<usize>> = rest
                    .split_whitespace()
                    .map(|word| word.parse::<usize>().ok()?.checked_sub(1))
                    .collect();
                let pairs = numbers.map(pairs_among).filter(|pairs| !pairs.is_empty());
                self.forbidden.extend(pairs.ok_or(ReportProblem::Forbidden(rest))?);
            }
            // The 2026 codes for teams, byes, accelerations and abnormal points, and codes of JaVaFo.
            "013" | "310" | "240" | "250" | "260" | "299" | "XXA" | "XXZ" => {
                self.unsupported.get_or_insert_with(|| code.to_owned());
            }
            _ => {}
        }
        Ok(())
    }

    /// Checks that an entry is consistent with the opponent's entry for the same round.
    fn check(&self, player: usize, round: usize, entry: &Entry) -> Result<(), EntryProblem> {
        let Some(opponent) = entry.opponent else { return Ok(()) };
        let other = self.players.get(opponent).ok_or(EntryProblem::Unknown(opponent + 1))?;
        let other = other.entry(round);
        let both_open = [entry, &other].map(Entry::is_open);
        let is_game = [entry, &other].map(|entry| entry.game().is_some());
        let points = entry.mark.standard_half_points() + other.mark.standard_half_points();
        let possible = match (is_game, both_open) {
            (_, [true, true]) => true,
            (_, [true, false] | [false, true]) => false,
            // The players of one game can have 0-0, ½-0 or 0-½.
            ([true, true] | [false, false], _) => points <= 2,
            _ => false,
        };
        let sides = match (entry.side, other.side) {
            (Some(a), Some(b)) => a != b,
            _ => is_game == [false, false],
        };
        if other.opponent == Some(player) && opponent != player && possible && sides {
            return Ok(());
        }
        Err(EntryProblem::Contradiction { player: player + 1, opponent: opponent + 1 })
    }

    pub(crate) fn players(&self) -> &[Player] {
        &self.players
    }

    /// Returns the number of rounds. A round robin without one has one cycle.
    pub(crate) fn rounds(&self) -> Option<usize> {
        self.rounds.or_else(|| self.is_round_robin().then(|| berger::rounds(self.players.len())))
    }

    pub(super) const fn scoring(&self) -> &Scoring {
        &self.scoring
    }

    /// Returns the half points for an entry in a round that has been paired. Empty columns count as
    /// a zero-point bye.
    pub(super) fn entry_half_points(&self, entry: &Entry) -> usize {
        self.scoring.of(if *entry == Entry::EMPTY { Mark::ZeroBye } else { entry.mark })
    }

    /// Returns a player's half points after the first `rounds` rounds, which must be paired.
    pub(crate) fn half_points(&self, player: usize, rounds: usize) -> usize {
        let player = &self.players[player];
        (0..rounds).map(|round| self.entry_half_points(&player.entry(round))).sum()
    }

    /// Returns the text of a line about the tournament, or an empty string if it is missing.
    pub(crate) fn header(&self, code: &str) -> &str {
        self.field(code).map_or("", |(_, text)| text)
    }

    pub(crate) fn event(&self) -> &str {
        self.header("012")
    }

    /// Returns the number of rounds that have been paired. Later rounds may already contain
    /// announced byes.
    pub(crate) fn paired(&self) -> usize {
        let last = |player: &Player| player.entries.iter().rposition(Entry::is_paired);
        self.players.iter().filter_map(last).map(|round| round + 1).max().unwrap_or(0)
    }

    /// Returns the number of rounds before the first round with a missing result.
    pub(crate) fn finished(&self) -> usize {
        let paired = self.paired();
        let is_open = |round: &usize| self.players.iter().any(|p| p.entry(*round).is_open());
        (0..paired).find(is_open).unwrap_or(paired)
    }

    /// Returns the boards of a round, ordered by the points of the better player, then by the
    /// points of the other player, then by the number of the better player (C.04.2). If an earlier
    /// result was changed after the round was paired, the boards keep the order that they had.
    pub fn boards(&self, round: usize) -> Vec<Board> {
        let board = |(player, of): (usize, &Player)| {
            let entry = of.entry(round);
            let black = entry.opponent?;
            // Forfeited games may have no colours.
            let is_white = entry.side.map_or(player < black, Side::is_white);
            is_white.then_some(Board { white: player, black })
        };
        let mut boards: Vec<Board> = self.players.iter().enumerate().filter_map(board).collect();
        if let Some(order) = self.board_order.get(&round) {
            let place = |board: &Board| order.iter().position(|white| *white == board.white);
            if order.len() == boards.len() && boards.iter().all(|board| place(board).is_some()) {
                boards.sort_by_key(place);
                return boards;
            }
        }
        boards.sort_by_key(|board| {
            let points = |player: usize| self.half_points(player, round);
            let rank = |player: usize| (Reverse(points(player)), player);
            let mut ranks = [rank(board.white), rank(board.black)];
            ranks.sort_unstable();
            (ranks[0].0, ranks[1].0, ranks[0].1)
        });
        boards
    }

    /// Returns the players without a game in a round, with their byes.
    pub(crate) fn byes(&self, round: usize) -> Vec<(usize, Mark)> {
        let entry = |(index, player): (usize, &Player)| (index, player.entry(round));
        let entries = self.players.iter().enumerate().map(entry);
        let mut byes: Vec<_> = entries
            .filter(|(_, entry)| entry.opponent.is_none())
            .map(|(index, entry)| (index, entry.mark))
            .collect();
        byes.sort_by_key(|(_, mark)| Reverse(mark.standard_half_points()));
        byes
    }

    /// Returns the result on a board as text, or an empty string if the result is missing.
    pub(crate) fn result(&self, round: usize, board: Board) -> String {
        BoardResult([board.white, board.black].map(|p| self.players[p].entry(round).mark)).text()
    }

    /// Announces byes for players (numbered from 0) in the next round to be paired. `letter` is F,
    /// H or Z, as in the file.
    pub fn announce_byes(
        &mut self,
        players: &[usize],
        letter: char,
    ) -> Result<(), TournamentStateError> {
        let mark = Mark::of_letter(letter).filter(|mark| mark.is_bye()).unwrap_or(Mark::ZeroBye);
        self.enter_next(players, Entry::bye(mark))
    }

    /// Cancels byes that were announced for players in the next round to be paired.
    pub(crate) fn cancel_byes(&mut self, players: &[usize]) -> Result<(), TournamentStateError> {
        self.enter_next(players, Entry::EMPTY)
    }

    fn enter_next(&mut self, players: &[usize], entry: Entry) -> Result<(), TournamentStateError> {
        let round = self.paired();
        for &player in players {
            self.player_mut(player)?.set_entry(round, entry);
        }
        Ok(())
    }

    fn player_mut(&mut self, index: usize) -> Result<&mut Player, TournamentStateError> {
        self.players.get_mut(index).ok_or(TournamentStateError::NoPlayer(index + 1))
    }

    /// Withdraws a player from all rounds that are not paired yet. Returns the first of these
    /// rounds.
    pub(crate) fn withdraw(&mut self, player: usize) -> Result<usize, TournamentStateError> {
        self.enter_rest(player, Entry::bye(Mark::ZeroBye))
    }

    /// Lets a withdrawn player take part again in all rounds that are not paired yet. Returns the
    /// first of these rounds.
    pub(crate) fn reinstate(&mut self, player: usize) -> Result<usize, TournamentStateError> {
        self.enter_rest(player, Entry::EMPTY)
    }

    fn enter_rest(&mut self, player: usize, entry: Entry) -> Result<usize, TournamentStateError> {
        let (next, rounds) = self.next_round()?;
        let player = self.player_mut(player)?;
        for round in next..rounds {
            player.set_entry(round, entry);
        }
        Ok(next)
    }

    fn check_supported(&self) -> Result<(), TournamentStateError> {
        match &self.unsupported {
            Some(code) => Err(TournamentStateError::Unsupported(code.clone())),
            None => Ok(()),
        }
    }

    /// Returns the next round to be paired and the number of rounds.
    fn next_round(&self) -> Result<(usize, usize), TournamentStateError> {
        let rounds = self.rounds().ok_or(TournamentStateError::NoRounds)?;
        match self.paired() {
            next if next < rounds => Ok((next, rounds)),
            _ => Err(TournamentStateError::Over(rounds)),
        }
    }

    fn situation(&self, rounds: usize) -> Situation {
        let paired = self.paired();
        let win = self.scoring.of(Mark::Win);
        let outcome = |entry: Entry| {
            let points = self.entry_half_points(&entry);
            match entry.game() {
                Some((opponent, side)) => Outcome::Game { opponent, side, points },
                None => Outcome::Unplayed {
                    points,
                    paired: entry.is_paired(),
                    bars_bye: entry.mark == Mark::PairingBye || points >= win,
                },
            }
        };
        let outcomes = |player: &Player| {
            (0..paired).map(|round| outcome(player.entry(round))).collect::<Vec<_>>()
        };
        let is_absent = |index: &usize| self.players[*index].entry(paired) != Entry::EMPTY;
        Situation {
            outcomes: self.players.iter().map(outcomes).collect(),
            rounds,
            absent: (0..self.players.len()).filter(is_absent).collect(),
            forbidden: self.forbidden.clone(),
            initial: self.initial.or_else(|| self.first_colour()).unwrap_or(Side::White),
            win,
            loss: self.scoring.of(Mark::Loss),
        }
    }

    /// Infers the initial colour from the first round in which colours were assigned. Among the
    /// players who had been paired by that round, in the order of their numbers, the initial colour
    /// and the opposite colour alternate. The first of these players with a colour in that round
    /// decides.
    fn first_colour(&self) -> Option<Side> {
        let first = |player: &Player| player.entries.iter().position(|e| e.side.is_some());
        let round = self.players.iter().filter_map(first).min()?;
        let entered =
            |player: &&Player| player.entries.iter().take(round + 1).any(Entry::is_paired);
        let sides = self.players.iter().filter(entered).map(|player| player.entry(round).side);
        let (index, side) = sides.enumerate().find_map(|(i, side)| Some((i, side?)))?;
        Some(if index.is_multiple_of(2) { side } else { !side })
    }

    /// Pairs the next round, by the Berger tables or by the Dutch system. If no legal pairing exists,
    /// this is an error, and nothing changes. With `force`, the pairing with the least serious
    /// violations is stored, and the violations are returned as text.
    pub fn pair(&mut self, force: bool) -> Result<Vec<String>, TournamentStateError> {
        self.check_supported()?;
        let round = self.paired();
        if self.finished() < round {
            return Err(self.unfinished(self.finished()));
        }
        let (_, rounds) = self.next_round()?;
        match self.system() {
            System::Dutch => self.pair_dutch(round, rounds, force),
            System::RoundRobin => self.pair_round_robin(round, rounds, force),
            System::Other(name) => Err(TournamentStateError::System(name)),
        }
    }

    fn pair_dutch(
        &mut self,
        round: usize,
        rounds: usize,
        force: bool,
    ) -> Result<Vec<String>, TournamentStateError> {
        let situation = self.situation(rounds);
        if self.players.len() < situation.absent.len() + 2 {
            return Err(TournamentStateError::TooFew);
        }
        let pairs: Round = dutch::pair_next(&situation);
        let breaches = self.breach_texts(dutch::breaches(&situation, &pairs));
        if !force && !breaches.is_empty() {
            let breaches = breaches.join("; ");
            return Err(TournamentStateError::NoLegalPairing { round: round + 1, breaches });
        }
        self.enter_pairs(round, &pairs);
        for player in &mut self.players {
            if player.entry(round) == Entry::EMPTY {
                player.set_entry(round, Entry::bye(Mark::PairingBye));
            }
        }
        Ok(breaches)
    }

    /// Pairs a round by the Berger tables. A player who is absent loses by forfeit. A player who
    /// rests gets no points.
    fn pair_round_robin(
        &mut self,
        round: usize,
        rounds: usize,
        force: bool,
    ) -> Result<Vec<String>, TournamentStateError> {
        let players = self.players.len();
        let pairs = berger::pairs(players, round, rounds);
        let has_points =
            |player: &&Player| !matches!(player.entry(round).mark, Mark::Open | Mark::ZeroBye);
        if let Some(player) = self.players.iter().find(has_points) {
            return Err(TournamentStateError::RoundRobinBye(player.name()));
        }
        let games = |a: usize, b: usize| {
            (0..round).filter(|&round| self.players[a].entry(round).opponent == Some(b)).count()
        };
        let repeated = (round..rounds).flat_map(|later| {
            let cycle = later / berger::rounds(players);
            let pairs = berger::pairs(players, later, rounds).into_iter();
            pairs.filter(move |&(a, b)| games(a, b) > cycle)
        });
        let repeated = repeated.take(MAX_REPEATED).map(|(a, b)| Breach::MeetAgain(a, b));
        let breaches = self.breach_texts(repeated);
        if !force && !breaches.is_empty() {
            let breaches = breaches.join("; ");
            return Err(TournamentStateError::NotBerger { round: round + 1, breaches });
        }
        let is_absent: Vec<bool> =
            self.players.iter().map(|player| player.entry(round) != Entry::EMPTY).collect();
        self.enter_pairs(round, &pairs);
        for (white, black) in pairs {
            let marks = match [is_absent[white], is_absent[black]] {
                [false, false] => continue,
                [true, true] => [Mark::ForfeitLoss; 2],
                [true, false] => [Mark::ForfeitLoss, Mark::ForfeitWin],
                [false, true] => [Mark::ForfeitWin, Mark::ForfeitLoss],
            };
            for (player, mark) in [white, black].into_iter().zip(marks) {
                self.players[player].entries[round].mark = mark;
            }
        }
        for player in &mut self.players {
            if player.entry(round) == Entry::EMPTY {
                player.set_entry(round, Entry::bye(Mark::ZeroBye));
            }
        }
        Ok(breaches)
    }

    fn enter_pairs(&mut self, round: usize, pairs: &[(usize, usize)]) {
        for &(white, black) in pairs {
            for (player, opponent, side) in
                [(white, black, Side::White), (black, white, Side::Black)]
            {
                let entry = Entry { opponent: Some(opponent), side: Some(side), mark: Mark::Open };
                self.players[player].set_entry(round, entry);
            }
        }
    }

    /// Returns whether a player of a round robin has no opponent in a round, because the number of
    /// players is odd.
    pub(crate) fn rests(&self, player: usize, round: usize) -> bool {
        let Some(rounds) = self.rounds().filter(|_| self.is_round_robin()) else { return false };
        let pairs = berger::pairs(self.players.len(), round, rounds);
        pairs.iter().all(|&(white, black)| white != player && black != player)
    }

    fn breach_texts(&self, breaches: impl IntoIterator<Item = Breach>) -> Vec<String> {
        breaches.into_iter().map(|breach| self.breach_text(breach)).collect()
    }

    fn breach_text(&self, breach: Breach) -> String {
        let name = |player: usize| self.players[player].name();
        match breach {
            Breach::MeetAgain(a, b) => format!("{} and {} have already met", name(a), name(b)),
            Breach::Colours(a, b) => {
                format!("{} and {} must both have the same colour", name(a), name(b))
            }
            Breach::SecondBye(a) => format!("{} has had a bye or a win by forfeit", name(a)),
        }
    }

    /// Removes the pairing of the last round, but not the requested byes. Returns the round. With
    /// `force`, the round may have results.
    pub(crate) fn unpair(&mut self, force: bool) -> Result<usize, TournamentStateError> {
        let round = self.paired().checked_sub(1).ok_or(TournamentStateError::NoRound(1))?;
        let has_result = |player: &Player| {
            let entry = player.entry(round);
            entry.opponent.is_some() && !entry.is_open()
        };
        if !force && self.players.iter().any(has_result) {
            return Err(TournamentStateError::HasResults(round + 1));
        }
        self.board_order.remove(&round);
        let is_round_robin = self.is_round_robin();
        let rests: Vec<bool> = (0..self.players.len()).map(|p| self.rests(p, round)).collect();
        for (player, rests) in self.players.iter_mut().zip(rests) {
            let entry = player.entry(round);
            if is_round_robin && entry.mark == Mark::ForfeitLoss {
                // The player can be absent again.
                player.set_entry(round, Entry::bye(Mark::ZeroBye));
            } else if entry.is_paired() || rests {
                player.set_entry(round, Entry::EMPTY);
            }
            let used = player.entries.iter().rposition(|entry| *entry != Entry::EMPTY);
            player.entries.truncate(used.map_or(0, |last| last + 1));
        }
        Ok(round)
    }

    fn unfinished(&self, round: usize) -> TournamentStateError {
        let boards = self.boards(round);
        let open = |board: &&Board| self.players[board.white].entry(round).is_open();
        let board = boards.iter().position(|board| open(&board)).unwrap_or(0);
        let name = |player: usize| self.players[player].name();
        let names = boards.get(board).map(|board| [name(board.white), name(board.black)]);
        let [white, black] = names.unwrap_or_default();
        TournamentStateError::Unfinished { round: round + 1, board: board + 1, white, black }
    }

    /// Enters the result on a board. Rounds and boards are numbered from 0.
    pub fn enter(
        &mut self,
        round: usize,
        board: usize,
        result: BoardResult,
    ) -> Result<(), TournamentStateError> {
        if round >= self.paired() {
            return Err(TournamentStateError::NoRound(round + 1));
        }
        let boards = self.boards(round);
        let Some(&Board { white, black }) = boards.get(board) else {
            return Err(TournamentStateError::NoBoard { round: round + 1, board: board + 1 });
        };
        let later = round + 1..self.paired();
        let orders: Vec<Vec<Board>> = later.clone().map(|round| self.boards(round)).collect();
        for (player, mark) in [white, black].into_iter().zip(result.0) {
            self.players[player].entries[round].mark = mark;
        }
        // Published boards keep their numbers (C.04.2).
        for (round, order) in later.zip(orders) {
            self.board_order.remove(&round);
            if self.boards(round) != order {
                self.board_order.insert(round, order.iter().map(|board| board.white).collect());
            }
        }
        Ok(())
    }
}

/// Returns all pairs of different players, each with the smaller number first.
fn pairs_among(mut players: Vec<usize>) -> Vec<[usize; 2]> {
    players.sort_unstable();
    players.dedup();
    let before = |(i, &b): (usize, &usize)| players[..i].iter().map(move |&a| [a, b]).collect();
    players.iter().enumerate().flat_map(|pair| -> Vec<[usize; 2]> { before(pair) }).collect()
}

/// Formats half points as in a report, such as `2.5`.
fn decimal_points(half_points: usize) -> String {
    format!("{}.{}", half_points / 2, half_points % 2 * 5)
}

/// Changes the number after the code of a line. Lines without a number are not changed.
fn with_count(line: &str, change: impl Fn(usize) -> usize) -> String {
    let mut words = line.splitn(3, ' ').map(str::to_owned).collect::<Vec<_>>();
    if let Some(word) = words.get_mut(1)
        && let Ok(number) = word.trim().parse()
    {
        *word = change(number).to_string();
    }
    words.join(" ")
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let finished = self.finished();
        let standings = tie_breaks::standings(self, finished, &self.tie_breaks);
        for line in &self.lines {
            let player = match line {
                Line::Other(text) if text.starts_with("062") => {
                    writeln!(f, "{}", with_count(text, |_| self.players.len()))?;
                    continue;
                }
                Line::Other(text) => {
                    writeln!(f, "{text}")?;
                    continue;
                }
                Line::Player(player) => *player,
            };
            let rank = standings.iter().position(|row| row.player == player).unwrap_or(0) + 1;
            let Player { head, entries } = &self.players[player];
            let points = decimal_points(self.half_points(player, self.paired()));
            let mut text: String = head.iter().collect();
            write!(text, "{points:>POINTS$} {rank:>4}")?;
            for entry in entries {
                write!(text, "{entry}")?;
            }
            // Keep trailing spaces, which can be the columns of a game without a result.
            writeln!(f, "{text}")?;
        }
        for (round, whites) in &self.board_order {
            write!(f, "{BOARDS_REMARK} {}:", round + 1)?;
            whites.iter().try_for_each(|white| write!(f, " {}", white + 1))?;
            writeln!(f)?;
        }
        Ok(())
    }
}
