//! Tournaments between people in FIDE's Tournament Report File format (TRF-16; Handbook C.04, Annex
//! 2), with JaVaFo's codes `XXR`, `XXC`, `XXP` and `XXS`. The equivalent codes `142`, `152` and `162`
//! of 2026 are also read. The other supported codes of 2026 are `192` (the tournament type), `202`
//! and `212` (tie-breaks), `240` (byes beyond the next round) and `260` (pairings that are
//! forbidden in some rounds).
//!
//! Remarks (`###`) at the end store the order of boards and the players who withdrew.
//!
//! When a report is written, lines that do not describe players are preserved, except for the
//! number of players (`062`), the byes (`240`) and these remarks, which are generated. In the lines
//! that describe players, the columns before the points are preserved, and the points, ranks and
//! rounds are generated.

mod pairing;
mod prohibition;
mod read;
mod requested_byes;

use super::berger;
pub use super::board_result::BoardResult;
use super::registration;
pub use super::registration::{Field, Registration};
use super::scoring::{Scoring, ScoringError};
use super::tie_breaks::{self, TieBreak};
use crate::base::side::Side;
use crate::laws::regulations::Points;
pub(crate) use prohibition::Prohibition;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};

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
/// The largest number of rounds.
pub(crate) const MAX_ROUNDS: usize = 999;
/// The last round before which players may be renumbered (C.04.2).
const LAST_RENUMBERED: usize = 4;
/// The maximum number of repeated games in a message.
const MAX_REPEATED: usize = 3;
/// The beginning of a remark that stores the order of the boards in a round. See [`Report::boards`].
const BOARDS_REMARK: &str = "### boards of round";
/// The beginning of a remark that names the players who withdrew.
const WITHDRAWN_REMARK: &str = "### withdrawn:";
/// Words in the type of a tournament that indicate an unsupported pairing system, in lower case
/// without spaces and hyphens.
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
/// The types of round robins with a single cycle and with several cycles, as written in a new report.
const ROUND_ROBINS: [&str; 2] =
    ["Individual: Round-Robin (Berger)", "Individual: Double Round-Robin (Berger)"];
/// The codes for the number of rounds: JaVaFo's `XXR` and `142` of 2026.
const ROUNDS_CODES: [&str; 2] = ["XXR", "142"];
/// The code for the type of the tournament, in words.
const SYSTEM_CODE: &str = "092";
/// The code for the dates of the rounds.
const ROUND_DATES_CODE: &str = "132";
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
    /// The pairings that are forbidden only in some rounds.
    prohibitions: Vec<Prohibition>,
    scoring: Scoring,
    /// The players with White in board order, by round. Contains only rounds in which the order no
    /// longer follows from the points.
    board_order: BTreeMap<usize, Vec<usize>>,
    /// The players who withdrew. See [`Report::early_withdrawal`].
    withdrawn: BTreeSet<usize>,
    /// The first unsupported code in the file that affects pairings or points, if there is one.
    unsupported: Option<String>,
    /// The tie-breaks named in the file, or the default tie-breaks.
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
    pub(super) const fn is_open(&self) -> bool {
        self.opponent.is_some() && matches!(self.mark, Mark::Open)
    }

    /// Returns whether the player took part in the pairing of the round.
    const fn is_paired(&self) -> bool {
        self.opponent.is_some() || matches!(self.mark, Mark::PairingBye)
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

    fn is_rated(&self) -> bool {
        self.rating().parse().is_ok_and(|rating: u16| rating > 0)
    }

    pub(crate) fn federation(&self) -> String {
        self.field(Field::Federation)
    }

    /// Returns a field of the player's line.
    pub(crate) fn field(&self, field: Field) -> String {
        let text = self.head[field.columns()].iter().collect::<String>().trim().to_owned();
        // Some programs write the rating 0 for a player without a rating.
        let is_unrated = field == Field::Rating && text.bytes().all(|byte| byte == b'0');
        if is_unrated { String::new() } else { text }
    }

    /// Returns the sort key for assigning pairing numbers.
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

/// A request that is not possible in the current state of the tournament. Rounds, boards and
/// players are numbered from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TournamentStateError {
    #[error("round {round} is not finished: enter the result of board {board} ({white} - {black})")]
    Unfinished { round: usize, board: usize, white: String, black: String },
    #[error("all {0} rounds are paired")]
    Over(usize),
    #[error("no number of rounds: set it with adoube tournament edit FILE --rounds 5")]
    NoRounds,
    #[error("{0} rounds are already paired; the tournament cannot have fewer")]
    FewRounds(usize),
    #[error(
        "the Berger tables for this number of rounds pair round {0} differently; unpair it first"
    )]
    OtherTable(usize),
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
    #[error("player {0} is already withdrawn from the rounds that are not paired yet")]
    AlreadyWithdrawn(usize),
    #[error("player {0} is not withdrawn from the rounds that are not paired yet")]
    NotWithdrawn(usize),
    #[error("the pairing of players {0} and {1} is not forbidden")]
    NotForbidden(usize, usize),
    #[error(
        "the pairing of players {a} and {b} is forbidden by a line with code 260 ({rounds}): \
         remove this line from the file"
    )]
    Prohibited { a: usize, b: usize, rounds: String },
    #[error("round {0} is already paired")]
    AlreadyPaired(usize),
    #[error("there are only {0} rounds")]
    NoSuchRound(usize),
    #[error(
        "player {player} has a bye in round {round}; cancel it first with adoube tournament bye \
         FILE {player} --round {round} --undo"
    )]
    LostBye { player: usize, round: usize },
    #[error(
        "player {0} has withdrawn; if this is wrong, first run adoube tournament withdraw FILE {0} \
         --undo"
    )]
    Withdrawn(usize),
    #[error("player {player} has no bye in round {round}")]
    NoBye { player: usize, round: usize },
    #[error("players can be added to a round robin only before round 1 is paired")]
    RoundRobinStarted,
    #[error(
        "player {0} has already been paired and cannot be removed; run adoube tournament withdraw \
         FILE {0}"
    )]
    InPairing(usize),
    #[error(
        "player {0} cannot be removed, because the numbers of the players are now fixed; run adoube \
         tournament withdraw FILE {0}"
    )]
    FixedNumbers(usize),
    #[error("fewer than two players would remain")]
    TooFewRemain,
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

/// A game without a result. The round and the board are counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct OpenGame {
    pub round: usize,
    pub board: usize,
    pub of: Board,
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
            true => ROUND_ROBINS[usize::from(rounds > cycle)],
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
            (SYSTEM_CODE, system),
            ("102", &header.arbiter),
            ("122", &header.rate),
            (TIE_BREAKS_CODE, &tie_break_names),
            (ROUNDS_CODES[0], &rounds_text),
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
            prohibitions: Vec::new(),
            scoring,
            board_order: BTreeMap::new(),
            withdrawn: BTreeSet::new(),
            unsupported: None,
            tie_breaks,
            warnings: Vec::new(),
        })
    }

    /// Adds a player who enters late. `missed` is the player's bye in each round that has been
    /// paired. Returns the player's index. In a Swiss tournament, until round 4 is paired, the
    /// player is inserted by rating, and the players after the new player are renumbered (C.04.2).
    /// Otherwise, the new player gets the last number.
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
        self.renumber(|player| Some(if player >= index { player + 1 } else { player }));
        let next = self.lines.iter().position(|line| *line == Line::Player(index + 1));
        let last = self.lines.iter().rposition(|line| matches!(line, Line::Player(_)));
        let place = next.or_else(|| Some(last? + 1)).unwrap_or(self.lines.len());
        self.lines.insert(place, Line::Player(index));
        let entries = vec![Entry::bye(missed); round];
        let player = Player::new(person.columns(index + 1).chars().collect(), entries);
        self.players.insert(index, player);
        self.write_numbers(index);
        if person.rating > 0 {
            self.change_count(RATED_CODE, |rated| rated + 1);
        }
        self.keep_one_cycle(self.players.len() - 1);
        Ok(index)
    }

    /// Removes a player, and decreases all higher player numbers by 1. Fails if the player has
    /// already been paired, if the player numbers can no longer change, or if fewer than two
    /// players would remain.
    pub(crate) fn remove(&mut self, index: usize) -> Result<Player, TournamentStateError> {
        self.check_supported()?;
        let (paired, last) = (self.paired(), self.players.len() - 1);
        let of_player = self.players.get(index);
        let of_player = of_player.ok_or(TournamentStateError::NoPlayer(index + 1))?;
        if of_player.entries.iter().any(Entry::is_paired) {
            return Err(TournamentStateError::InPairing(index + 1));
        }
        let are_fixed = match self.is_round_robin() {
            true => paired > 0,
            false => paired >= LAST_RENUMBERED && index != last,
        };
        if are_fixed {
            return Err(TournamentStateError::FixedNumbers(index + 1));
        }
        if last < 2 {
            return Err(TournamentStateError::TooFewRemain);
        }
        self.renumber(|player| (player != index).then(|| player - usize::from(player > index)));
        let removed = self.players.remove(index);
        self.write_numbers(index);
        if removed.is_rated() {
            self.change_count(RATED_CODE, |rated| rated.saturating_sub(1));
        }
        self.keep_one_cycle(self.players.len() + 1);
        Ok(removed)
    }

    /// Replaces each player's index with the index that `moved` returns. If `moved` returns `None`,
    /// removes all references to the player.
    fn renumber(&mut self, moved: impl Fn(usize) -> Option<usize>) {
        for entry in self.players.iter_mut().flat_map(|player| &mut player.entries) {
            entry.opponent = entry.opponent.and_then(&moved);
        }
        let pair = |&[a, b]: &[usize; 2]| Some([moved(a)?, moved(b)?]);
        self.forbidden = self.forbidden.iter().filter_map(pair).collect();
        self.prohibitions.retain_mut(|prohibition| prohibition.renumber(&moved));
        for whites in self.board_order.values_mut() {
            *whites = whites.iter().copied().filter_map(&moved).collect();
        }
        self.withdrawn = self.withdrawn.iter().copied().filter_map(&moved).collect();
        self.lines.retain_mut(|line| match line {
            Line::Player(player) => {
                let index = moved(*player);
                *player = index.unwrap_or(*player);
                index.is_some()
            }
            Line::Other(text) if text.starts_with(FORBIDDEN_CODE) => {
                let number = |word: &str| match word.parse::<usize>() {
                    Ok(number @ 1..) => Some(format!(" {}", moved(number - 1)? + 1)),
                    _ => Some(format!(" {word}")),
                };
                let numbers: Vec<String> =
                    text.split_whitespace().skip(1).filter_map(number).collect();
                *text = format!("{FORBIDDEN_CODE}{}", numbers.concat());
                numbers.len() > 1
            }
            Line::Other(text) if text.starts_with(prohibition::CODE) => {
                let Some(mut prohibition) = Prohibition::read(text) else { return true };
                let remains = prohibition.renumber(&moved);
                *text = prohibition.to_string();
                remains
            }
            Line::Other(_) => true,
        });
    }

    /// Writes the numbers into the lines of the players from this index on.
    fn write_numbers(&mut self, first: usize) {
        for (index, player) in self.players.iter_mut().enumerate().skip(first) {
            player.set_number(index + 1);
        }
    }

    /// Adjusts the number of rounds of a round robin after a player was added or removed. If the
    /// rounds were exactly one cycle for `before` players, they become one cycle for the new number
    /// of players.
    fn keep_one_cycle(&mut self, before: usize) {
        if self.is_round_robin() && self.rounds == Some(berger::rounds(before)) {
            let cycle = berger::rounds(self.players.len());
            self.store_rounds(cycle);
            self.resize_entries(cycle);
        }
    }

    /// Removes the entries after the last round, and gives players who withdrew zero-point byes up
    /// to the last round.
    fn resize_entries(&mut self, rounds: usize) {
        for (index, player) in self.players.iter_mut().enumerate() {
            player.entries.truncate(rounds);
            if self.withdrawn.contains(&index) {
                player.entries.resize(rounds, Entry::bye(Mark::ZeroBye));
            }
        }
    }

    /// Changes the number of rounds. Fails if paired rounds or requested byes conflict with the new
    /// number.
    pub(crate) fn set_rounds(&mut self, rounds: usize) -> Result<(), TournamentStateError> {
        let paired = self.paired();
        if rounds < paired {
            return Err(TournamentStateError::FewRounds(paired));
        }
        let before = self.rounds().unwrap_or(rounds);
        if self.is_round_robin() {
            let players = self.players.len();
            let pairs = |round, of| berger::pairs(players, round, of);
            let differs = |round: &usize| pairs(*round, before) != pairs(*round, rounds);
            if let Some(round) = (0..paired).find(differs) {
                return Err(TournamentStateError::OtherTable(round + 1));
            }
            if ROUND_ROBINS.contains(&self.header(SYSTEM_CODE)) {
                let system = ROUND_ROBINS[usize::from(rounds > berger::rounds(players))];
                self.set_header(SYSTEM_CODE, system);
            }
        }
        for (index, player) in self.players.iter().enumerate() {
            let mut later = player.entries.iter().enumerate().skip(rounds);
            let lost = later.find(|(_, entry)| **entry != Entry::EMPTY);
            if let Some((round, _)) = lost.filter(|_| !self.is_withdrawn(index)) {
                let (player, round) = (index + 1, round + 1);
                return Err(TournamentStateError::LostBye { player, round });
            }
        }
        self.resize_entries(rounds);
        self.store_rounds(rounds);
        Ok(())
    }

    fn store_rounds(&mut self, rounds: usize) {
        self.rounds = Some(rounds);
        let mut codes = ROUNDS_CODES.to_vec();
        codes.retain(|code| !self.header(code).is_empty());
        if codes.is_empty() {
            codes.push(ROUNDS_CODES[0]);
        }
        for code in codes {
            self.set_header(code, &rounds.to_string());
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

    /// Replaces the given fields in a player's line with the fields of a registration. The player's
    /// number stays the same.
    pub(crate) fn edit(
        &mut self,
        player: usize,
        person: &Registration,
        fields: &[Field],
    ) -> Result<(), TournamentStateError> {
        let columns: Vec<char> = person.columns(player + 1).chars().collect();
        let edited = self.player_mut(player)?;
        let was_rated = edited.is_rated();
        for range in fields.iter().map(|field| field.columns()) {
            edited.head[range.clone()].copy_from_slice(&columns[range]);
        }
        let (before, after) = (usize::from(was_rated), usize::from(edited.is_rated()));
        self.change_count(RATED_CODE, |rated| (rated + after).saturating_sub(before));
        Ok(())
    }

    /// Returns the pairs of players who must not be paired in any round, each with the smaller
    /// number first.
    pub(crate) fn forbidden(&self) -> &[[usize; 2]] {
        &self.forbidden
    }

    /// Returns the pairings that are forbidden only in some rounds.
    pub(crate) fn prohibitions(&self) -> &[Prohibition] {
        &self.prohibitions
    }

    /// Forbids pairing any two of these players with each other.
    pub(crate) fn forbid(&mut self, players: &[usize]) -> Result<(), TournamentStateError> {
        let pairs = self.pairs_of(players)?;
        if self.is_round_robin() {
            return Err(TournamentStateError::RoundRobinMeetsAll);
        }
        let numbers: String = players.iter().map(|player| format!(" {}", player + 1)).collect();
        self.insert_header(format!("{FORBIDDEN_CODE}{numbers}"));
        self.add_forbidden(pairs);
        Ok(())
    }

    /// Adds forbidden pairs. A pair that is already forbidden still counts once.
    fn add_forbidden(&mut self, pairs: Vec<[usize; 2]>) {
        self.forbidden.extend(pairs);
        self.forbidden.sort_unstable();
        self.forbidden.dedup();
    }

    /// Allows pairing these players with each other again. Fails unless every pair of them is
    /// forbidden in all rounds.
    pub(crate) fn allow(&mut self, players: &[usize]) -> Result<(), TournamentStateError> {
        let pairs = self.pairs_of(players)?;
        if let Some(&[a, b]) = pairs.iter().find(|pair| !self.forbidden.contains(pair)) {
            let prohibition = self.prohibitions.iter().find(|it| it.pairs().contains(&[a, b]));
            let (a, b) = (a + 1, b + 1);
            return Err(match prohibition.map(Prohibition::rounds_text) {
                Some(rounds) => TournamentStateError::Prohibited { a, b, rounds },
                None => TournamentStateError::NotForbidden(a, b),
            });
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

    /// Returns the line number and the text of the first line with this code and a non-empty text.
    fn field(&self, code: &str) -> Option<(usize, &str)> {
        (1..).zip(&self.lines).find_map(|(number, line)| match line {
            Line::Other(text) => {
                let text = text.strip_prefix(code)?.trim();
                (!text.is_empty()).then_some((number, text))
            }
            Line::Player(_) => None,
        })
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
        self.set_header(TIE_BREAKS_CODE, &tie_breaks::names(tie_breaks));
        self.tie_breaks = tie_breaks.to_vec();
        self.warnings.retain(|warning| !matches!(warning, ReportWarning::TieBreak { .. }));
    }

    /// Sets the text of a line about the tournament. An empty text removes all lines with this
    /// code.
    pub(crate) fn set_header(&mut self, code: &str, text: &str) {
        let has_code = |line: &Line| matches!(line, Line::Other(text) if text.starts_with(code));
        let line = format!("{code} {text}");
        match self.lines.iter().position(has_code) {
            _ if text.is_empty() => self.lines.retain(|line| !has_code(line)),
            Some(place) => self.lines[place] = Line::Other(line),
            None => self.insert_header(line),
        }
    }

    /// Replaces all lines that have this code with one line for each non-empty text.
    pub(crate) fn set_headers(&mut self, code: &str, texts: &[String]) {
        self.set_header(code, "");
        for text in texts.iter().filter(|text| !text.is_empty()) {
            self.insert_header(format!("{code} {text}"));
        }
    }

    /// Stores the dates of the first rounds, such as `2026/11/20`, in the columns of the rounds. An
    /// empty text leaves the columns empty.
    pub(crate) fn set_round_dates(&mut self, dates: &[String]) -> Result<(), TournamentStateError> {
        let rounds = self.rounds.unwrap_or(MAX_ROUNDS);
        if dates.len() > rounds {
            return Err(TournamentStateError::NoSuchRound(rounds));
        }
        self.set_header(ROUND_DATES_CODE, "");
        if dates.iter().any(|date| !date.is_empty()) {
            let mut line = format!("{ROUND_DATES_CODE:ROUNDS$}");
            for date in dates {
                // The columns have room for two digits of the year.
                let _ = write!(line, "  {:<8}", date.get(2..).unwrap_or_default());
            }
            self.insert_header(line.trim_end().to_owned());
        }
        Ok(())
    }

    /// Inserts a line before the first player.
    fn insert_header(&mut self, text: String) {
        let place = self.lines.iter().position(|line| matches!(line, Line::Player(_)));
        self.lines.insert(place.unwrap_or(self.lines.len()), Line::Other(text));
    }

    /// Returns the pairing system. The encoded type of 2026 (`192`) takes precedence over the text
    /// (`092`).
    fn system(&self) -> System {
        let Some((_, text)) = self.field("192").or_else(|| self.field(SYSTEM_CODE)) else {
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

    pub(crate) fn players(&self) -> &[Player] {
        &self.players
    }

    /// Returns the number of rounds. Defaults to one cycle if a round robin does not specify it.
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
        self.counted_entries(player, rounds).map(|entry| self.entry_half_points(&entry)).sum()
    }

    /// Returns a player's entries in the first `rounds` rounds. Omits entries that do not count in
    /// the standings; see [`Self::early_withdrawal`].
    pub(super) fn counted_entries(
        &self,
        player: usize,
        rounds: usize,
    ) -> impl Iterator<Item = Entry> + '_ {
        let counts = move |entry: &Entry| {
            let mut players = [Some(player), entry.opponent].into_iter().flatten();
            self.withdrawn.is_empty() || players.all(|p| self.early_withdrawal(p).is_none())
        };
        (0..rounds).map(move |round| self.players[player].entry(round)).filter(counts)
    }

    /// If a player withdrew from a round robin after playing fewer than half of the games, returns
    /// the number of games that were played and the number of all games. The games of such a player
    /// do not count in the standings (FIDE Handbook C.05).
    pub(crate) fn early_withdrawal(&self, player: usize) -> Option<(usize, usize)> {
        let withdrew = self.is_round_robin() && self.withdrawn.contains(&player);
        let rounds = self.rounds().filter(|_| withdrew)?;
        let games = (0..rounds).filter(|&round| !self.rests(player, round)).count();
        let entries = &self.players[player].entries;
        let played = entries.iter().filter(|entry| entry.game().is_some()).count();
        (2 * played < games).then_some((played, games))
    }

    /// Returns whether a player has withdrawn from all rounds that are not paired yet.
    pub(crate) fn is_withdrawn(&self, player: usize) -> bool {
        self.withdrawn.contains(&player)
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

    /// Returns the number of rounds that the standings count. In a Swiss tournament, these are the
    /// rounds before the first round with a missing result. In a round robin, games can be
    /// postponed, so all rounds up to the last round with a played game count as well.
    pub(crate) fn finished(&self) -> usize {
        let paired = self.paired();
        let has = |round: usize, is: fn(&Entry) -> bool| {
            self.players.iter().any(|player| is(&player.entry(round)))
        };
        let finished = (0..paired).find(|&round| has(round, Entry::is_open)).unwrap_or(paired);
        if !self.is_round_robin() {
            return finished;
        }
        let played = |&round: &usize| has(round, |entry| entry.game().is_some());
        (finished..paired).rev().find(played).map_or(finished, |last| last + 1)
    }

    /// Returns the games without a result in the first `rounds` rounds.
    pub(crate) fn open_games(&self, rounds: usize) -> Vec<OpenGame> {
        let is_open = |player: usize, round| self.players[player].entry(round).is_open();
        let has_open = |round: &usize| (0..self.players.len()).any(|p| is_open(p, *round));
        let open_in = |round: usize| {
            let boards = self.boards(round).into_iter().enumerate();
            let open = boards.filter(move |(_, of)| is_open(of.white, round));
            open.map(move |(board, of)| OpenGame { round, board, of })
        };
        (0..rounds).filter(has_open).flat_map(open_in).collect()
    }

    /// Returns the boards of a round. In a Swiss tournament, they are ordered by the points of the
    /// better player, then by the points of the other player, then by the number of the better
    /// player (C.04.2). If an earlier result was changed after the round was paired, the boards
    /// keep the order that they had. In a round robin, the boards follow the order of the Berger
    /// tables, and pairs that differ from the tables come last.
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
        let table = self.table_pairs(round);
        boards.sort_by_key(|board| {
            let place = table.iter().position(|&pair| pair == (board.white, board.black));
            let points = |player: usize| self.half_points(player, round);
            let rank = |player: usize| (Reverse(points(player)), player);
            let mut ranks = [rank(board.white), rank(board.black)];
            ranks.sort_unstable();
            (place.unwrap_or(usize::MAX), ranks[0].0, ranks[1].0, ranks[0].1)
        });
        boards
    }

    /// Returns the players without an opponent in a round, each with the mark of the bye, in
    /// descending order of points. The mark of an absent player is [`Mark::Open`].
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
        let marks = [board.white, board.black].map(|p| self.players[p].entry(round).mark);
        // In a round that is not paired yet, show the games of absent players as forfeits.
        let marks = match marks.map(|mark| mark.is_bye()) {
            [false, false] => marks,
            _ if round < self.paired() => marks,
            [true, true] => [Mark::ForfeitLoss; 2],
            [true, false] => [Mark::ForfeitLoss, Mark::ForfeitWin],
            [false, true] => [Mark::ForfeitWin, Mark::ForfeitLoss],
        };
        BoardResult(marks).text()
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

    /// Records the bye that a player requested for a round that is not paired yet, counted from 0,
    /// or cancels it if `mark` is `None`.
    pub(crate) fn request_bye(
        &mut self,
        player: usize,
        round: usize,
        mark: Option<Mark>,
    ) -> Result<(), TournamentStateError> {
        if round < self.paired() {
            return Err(TournamentStateError::AlreadyPaired(round + 1));
        }
        if mark.is_some() {
            let (_, rounds) = self.next_round()?;
            if round >= rounds {
                return Err(TournamentStateError::NoSuchRound(rounds));
            }
        }
        self.check_bye(player, mark)?;
        let is_round_robin = self.is_round_robin();
        let of_player = self.player_mut(player)?;
        match mark {
            None if of_player.entry(round) == Entry::EMPTY => {
                return Err(TournamentStateError::NoBye { player: player + 1, round: round + 1 });
            }
            Some(mark) if is_round_robin && mark != Mark::ZeroBye => {
                return Err(TournamentStateError::RoundRobinBye(of_player.name()));
            }
            _ => of_player.set_entry(round, mark.map_or(Entry::EMPTY, Entry::bye)),
        }
        Ok(())
    }

    /// Fails if the player has withdrawn, unless `mark` is a zero-point bye. If `mark` is `None`,
    /// the player would play.
    fn check_bye(&self, player: usize, mark: Option<Mark>) -> Result<(), TournamentStateError> {
        if self.is_withdrawn(player) && mark != Some(Mark::ZeroBye) {
            return Err(TournamentStateError::Withdrawn(player + 1));
        }
        Ok(())
    }

    fn enter_next(&mut self, players: &[usize], entry: Entry) -> Result<(), TournamentStateError> {
        let round = self.paired();
        for &player in players {
            self.check_bye(player, Some(entry.mark).filter(|_| entry != Entry::EMPTY))?;
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
        if !self.set_withdrawn(player, true)? {
            return Err(TournamentStateError::AlreadyWithdrawn(player + 1));
        }
        Ok(self.paired())
    }

    /// Lets a withdrawn player take part again in all rounds that are not paired yet. Returns the
    /// first of these rounds.
    pub(crate) fn reinstate(&mut self, player: usize) -> Result<usize, TournamentStateError> {
        if !self.set_withdrawn(player, false)? {
            return Err(TournamentStateError::NotWithdrawn(player + 1));
        }
        Ok(self.paired())
    }

    /// Withdraws or reinstates a player in all rounds that are not paired yet. Returns false if
    /// nothing changes. A player can withdraw from a round robin even after all rounds are paired,
    /// because games can be postponed.
    fn set_withdrawn(
        &mut self,
        player: usize,
        withdraws: bool,
    ) -> Result<bool, TournamentStateError> {
        let is_round_robin = self.is_round_robin();
        let (next, rounds) = match self.next_round() {
            Err(TournamentStateError::Over(rounds)) if is_round_robin => (rounds, rounds),
            next => next?,
        };
        if !withdraws && !self.is_withdrawn(player) {
            return Ok(false);
        }
        let entry = if withdraws { Entry::bye(Mark::ZeroBye) } else { Entry::EMPTY };
        let of_player = self.player_mut(player)?;
        for round in next..rounds {
            of_player.set_entry(round, entry);
        }
        Ok(match withdraws {
            true => self.withdrawn.insert(player),
            false => self.withdrawn.remove(&player),
        })
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
        for ((player, side), mark) in [white, black].into_iter().zip(Side::ALL).zip(result.0) {
            let entry = &mut self.players[player].entries[round];
            entry.mark = mark;
            // Only a forfeited game can be recorded without colours.
            if !matches!(mark, Mark::ForfeitWin | Mark::ForfeitLoss) {
                entry.side.get_or_insert(side);
            }
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
    let Some((code, rest)) = line.split_once(' ') else { return line.to_owned() };
    let rest = rest.trim_start();
    let (number, rest) = rest.split_at(rest.find(' ').unwrap_or(rest.len()));
    match number.parse() {
        Ok(number) => format!("{code} {}{rest}", change(number)),
        Err(_) => line.to_owned(),
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (finished, paired) = (self.finished(), self.paired());
        let standings = tie_breaks::standings(self, finished, &self.tie_breaks);
        let first_player = self.lines.iter().position(|line| matches!(line, Line::Player(_)));
        for (place, line) in self.lines.iter().enumerate() {
            if Some(place) == first_player {
                self.requested_byes().iter().try_for_each(|byes| writeln!(f, "{byes}"))?;
            }
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
            let points = decimal_points(self.half_points(player, paired));
            let mut text: String = head.iter().collect();
            write!(text, "{points:>POINTS$} {rank:>4}")?;
            // Byes beyond the next round have lines of their own.
            let columns = &entries[..entries.len().min(paired + 1)];
            let used = columns.iter().rposition(|entry| *entry != Entry::EMPTY);
            for entry in columns.iter().take(used.map_or(0, |last| last + 1)) {
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
        if !self.withdrawn.is_empty() {
            f.write_str(WITHDRAWN_REMARK)?;
            self.withdrawn.iter().try_for_each(|player| write!(f, " {}", player + 1))?;
            writeln!(f)?;
        }
        Ok(())
    }
}
