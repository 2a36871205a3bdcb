//! Reading report files.

use super::requested_byes::{self, RequestedByes};
use super::{
    BOARDS_REMARK, Entry, FORBIDDEN_CODE, HEAD, Line, MAX_ROUNDS, Mark, POINTS, Player,
    Prohibition, ROUND, ROUNDS, ROUNDS_CODES, Report, ReportWarning, STANDINGS_CODE,
    TIE_BREAKS_CODE, WITHDRAWN_REMARK, decimal_points, pairs_among, prohibition,
};
use crate::arena::tournament::scoring::{Scoring, ScoringError};
use crate::arena::tournament::tie_breaks;
use crate::base::side::Side;
use crate::base::text::without_mark;
use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;

/// The error for text that is not a valid report.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct ReportError {
    line: usize,
    problem: ReportProblem,
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
enum ReportProblem {
    #[error("'{0}' is not a player number")]
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
    #[error(
        "'{0}' does not name a first round, a last round and two or more players, as in '260   1   \
         3    4    7'"
    )]
    Prohibition(String),
    #[error("'{0}' does not name a bye (F, H or Z), a round and players, as in '240 H   4    3'")]
    Byes(String),
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

impl FromStr for Report {
    type Err = ReportError;

    fn from_str(text: &str) -> Result<Self, ReportError> {
        let mut report = Self {
            lines: Vec::new(),
            players: Vec::new(),
            rounds: None,
            initial: None,
            forbidden: Vec::new(),
            prohibitions: Vec::new(),
            scoring: Scoring::default(),
            board_order: BTreeMap::new(),
            withdrawn: BTreeSet::new(),
            unsupported: None,
            tie_breaks: Vec::new(),
            warnings: Vec::new(),
        };
        let text = without_mark(text).replace("\r\n", "\n").replace('\r', "\n");
        // For each player's line: the player number, the line number and the data. The lines can be
        // in any order.
        let mut players: Vec<(usize, usize, Player)> = Vec::new();
        let mut stored_points: BTreeMap<usize, String> = BTreeMap::new();
        // For each forbidden pair and each prohibition, the line number. `scoring_line` is the
        // number of the last line that changed the points.
        let (mut forbidding, mut prohibiting) = (Vec::new(), Vec::new());
        let mut scoring_line = 0;
        let mut requested: Vec<(usize, RequestedByes)> = Vec::new();
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
                if report.read_boards(text) || report.read_withdrawn(text) {
                    continue;
                }
                if code == requested_byes::CODE {
                    let byes = RequestedByes::read(text);
                    let byes = byes.ok_or_else(|| error(ReportProblem::Byes(text.to_owned())))?;
                    requested.push((index + 1, byes));
                    continue;
                }
                let before = report.scoring.clone();
                report.read_other(&code, text).map_err(error)?;
                forbidding.resize(report.forbidden.len(), index + 1);
                prohibiting.resize(report.prohibitions.len(), index + 1);
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
        let forbidden = report.forbidden.iter().map(|pair| &pair[..]);
        let prohibited = report.prohibitions.iter().map(|prohibition| &prohibition.players[..]);
        let forbidden = forbidding.into_iter().zip(forbidden);
        for (line, players) in forbidden.chain(prohibiting.into_iter().zip(prohibited)) {
            if let Some(player) = players.iter().find(|&&player| player >= report.players.len()) {
                return Err(ReportError { line, problem: ReportProblem::NoPlayer(player + 1) });
            }
        }
        report.enter_requested(requested)?;
        report.complete_withdrawals();
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
    /// Reads the tie-breaks, or sets the default tie-breaks if the file names none that are
    /// supported.
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

    /// Enters requested byes into the rounds that are not paired yet. For a paired round, the
    /// players' lines already contain the byes.
    fn enter_requested(
        &mut self,
        requested: Vec<(usize, RequestedByes)>,
    ) -> Result<(), ReportError> {
        let paired = self.paired();
        for (line, RequestedByes { mark, round, players }) in requested {
            for player in players {
                let number = player + 1;
                let of_player = self.players.get_mut(player);
                let of_player = of_player
                    .ok_or(ReportError { line, problem: ReportProblem::NoPlayer(number) })?;
                if round >= paired && of_player.entry(round) == Entry::EMPTY {
                    of_player.set_entry(round, Entry::bye(mark));
                }
            }
        }
        Ok(())
    }

    /// If the file has no remark about withdrawals, infers them: a player who is absent from all
    /// remaining rounds has withdrawn. If only one round remains, nothing is inferred, because the
    /// absence can also be a requested bye.
    fn complete_withdrawals(&mut self) {
        let (players, next) = (self.players.len(), self.paired());
        self.withdrawn.retain(|&player| player < players);
        let last = self.rounds().filter(|rounds| rounds.saturating_sub(next) > 1).unwrap_or(next);
        let is_absent = |player: &usize| {
            let of_player = &self.players[*player];
            (next..last).all(|round| of_player.entry(round) == Entry::bye(Mark::ZeroBye))
        };
        if self.withdrawn.is_empty() && next < last {
            self.withdrawn = (0..players).filter(is_absent).collect();
        }
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

    /// Reads a remark that names the players who withdrew. Returns whether the line is such a remark.
    fn read_withdrawn(&mut self, text: &str) -> bool {
        let number = |text: &str| text.parse::<usize>().ok()?.checked_sub(1);
        let numbers = text.strip_prefix(WITHDRAWN_REMARK);
        let read: Option<Vec<usize>> =
            numbers.and_then(|numbers| numbers.split_whitespace().map(number).collect());
        let is_remark = read.is_some();
        self.withdrawn.extend(read.into_iter().flatten());
        is_remark
    }

    fn read_other(&mut self, code: &str, text: &str) -> Result<(), ReportProblem> {
        let rest = text.chars().skip(3).collect::<String>().trim().to_owned();
        match code {
            code if self.scoring.read(code, &rest)? => {}
            code if ROUNDS_CODES.contains(&code) => match rest.parse() {
                Ok(rounds @ 1..=MAX_ROUNDS) => self.rounds = Some(rounds),
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
                self.add_forbidden(pairs.ok_or(ReportProblem::Forbidden(rest))?);
            }
            prohibition::CODE => {
                let prohibition = Prohibition::read(text);
                let prohibition =
                    prohibition.ok_or_else(|| ReportProblem::Prohibition(text.to_owned()))?;
                self.prohibitions.push(prohibition);
            }
            // Codes for teams, accelerations and abnormal points, and two codes of JaVaFo.
            "013" | "310" | "250" | "299" | "XXA" | "XXZ" => {
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
            // Both players together can get less than 1 point: 0-0, ½-0 or 0-½.
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
}

impl Entry {
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
