//! `adoube tournament`: runs Swiss tournaments and round robins for human players. Each tournament
//! is stored in a Tournament Report File, a format defined by FIDE.

mod listing;

use super::print_error;
use crate::arena::tournament::registration::RegistrationError;
use crate::arena::tournament::scoring::Scoring;
use crate::arena::tournament::tie_breaks::TieBreak;
use crate::arena::tournament::trf::{
    Board, BoardResult, Field, Header, MAX_ROUNDS, Mark, Registration, Report,
};
use crate::arena::tournament::{berger, registration};
use crate::base::file;
use crate::base::side::Side;
use crate::base::text::{Visible, without_mark};
use crate::laws::regulations::Points;
use crate::record::{self, Encoding};
use anyhow::{Context, anyhow, bail, ensure};
use listing::{Form, Listing, bye_name, titled};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, BufRead, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The possible numbers of rounds.
const ROUNDS: RangeInclusive<i64> = 1..=MAX_ROUNDS as i64;

/// Run a Swiss tournament or a round robin for human players: pairings, results, standings
///
/// The tournament is stored in a Tournament Report File (TRF-16), which other pairing and rating
/// programs can read and write. Swiss tournaments are paired by FIDE's Dutch system, round robins
/// by the Berger tables; tie-breaks follow C.07 of the FIDE Handbook.
#[derive(clap::Args, Debug)]
pub(super) struct Command {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand, Debug)]
enum Action {
    /// Create a tournament from a list of players
    ///
    /// Each line in the list is NAME;RATING;TITLE;FEDERATION;FIDE ID;BIRTH;SEX. Everything after
    /// the name is optional. Lines that begin with # are ignored. Players are numbered in order of
    /// rating, title and name; in a round robin, in the order of the list.
    New(NewArgs),
    /// Add a player who enters late
    ///
    /// The player has a bye in each round that is already paired. Before round 4 is paired, the
    /// player is inserted in the order of the ratings, and the numbers of the players after the new
    /// one increase by 1. Later, the player gets the last number.
    Add {
        /// Tournament Report File (TRF)
        file: PathBuf,
        /// The player as NAME;RATING;TITLE;FEDERATION;FIDE ID;BIRTH;SEX
        player: Registration,
        /// Give half a point for each missed round instead of zero points
        #[arg(long)]
        half_byes: bool,
        /// Add the player although another player has the same name
        #[arg(long)]
        force: bool,
        /// Encoding of the file from now on [default: the encoding that it has]
        #[arg(long, value_name = "NAME")]
        encoding: Option<EncodingName>,
    },
    /// Remove a player who has been in no pairing yet
    ///
    /// The numbers of the players after the removed one decrease by 1. Use withdraw for a player
    /// who has been paired.
    Remove {
        /// Tournament Report File (TRF)
        file: PathBuf,
        /// Number or name of the player; the beginning of the name is enough
        player: PlayerText,
    },
    /// Correct the data of a player, or of the tournament if no player is given
    ///
    /// The player keeps the number, even if the rating changes.
    Edit(EditArgs),
    /// Print the list of players
    Players(FileArgs),
    /// Forbid pairings, or print the forbidden pairings
    ///
    /// No two of the given players are paired in any round.
    Forbid {
        /// Tournament Report File (TRF)
        file: PathBuf,
        /// Numbers or names of the players [default: print the forbidden pairings]
        players: Vec<PlayerText>,
        /// Allow the pairings of these players again
        #[arg(long, requires = "players")]
        undo: bool,
    },
    /// Withdraw a player from all rounds that are not paired yet
    ///
    /// The player can finish the current round. If a player withdraws from a round robin after
    /// playing fewer than half of the games, these games do not count in the standings.
    Withdraw {
        /// Tournament Report File (TRF)
        file: PathBuf,
        /// Number or name of the player; the beginning of the name is enough
        player: PlayerText,
        /// Let the player take part again in these rounds
        #[arg(long)]
        undo: bool,
    },
    /// Record that a player does not play in a later round
    ///
    /// The player gets zero points or, with --half, half a point. The bye is stored in a line with
    /// FIDE's code 240 and used when the round is paired.
    Bye {
        /// Tournament Report File (TRF)
        file: PathBuf,
        /// Number or name of the player; the beginning of the name is enough
        player: PlayerText,
        /// Rounds to miss, which are not paired yet, such as 3, 3,5 or 3-5
        #[arg(long, value_name = "N,...", value_delimiter = ',', required = true)]
        round: Vec<RoundRange>,
        /// Give half a point instead of zero points
        #[arg(long)]
        half: bool,
        /// Cancel the bye
        #[arg(long, conflicts_with = "half")]
        undo: bool,
    },
    /// Pair the next round, store it in the file and print it
    ///
    /// A round of a Swiss tournament can be paired when all games of the earlier rounds have a
    /// result. In a round robin, games can be postponed.
    ///
    /// Byes that are already entered in the file for this round are respected. If no legal pairing
    /// exists, nothing is stored and the exit code is 1.
    Pair {
        #[command(flatten)]
        of: FileArgs,
        #[command(flatten)]
        players: PairedPlayers,
        /// If no legal pairing exists, store the pairing with the least serious violations
        #[arg(long)]
        force: bool,
    },
    /// Remove the pairing of the last round, if the round has no results
    ///
    /// The byes that players requested for the round stay in the file; `pair --present` removes
    /// them.
    Unpair {
        /// Tournament Report File (TRF)
        file: PathBuf,
        /// Remove the round with its results
        #[arg(long)]
        force: bool,
    },
    /// Print the pairings and results of a round
    Round {
        #[command(flatten)]
        of: FileArgs,
        /// Round [default: the last paired round]
        #[arg(value_name = "ROUND", conflicts_with = "round")]
        number: Option<usize>,
        /// Round, like the argument ROUND
        #[arg(long, value_name = "N")]
        round: Option<usize>,
    },
    /// Print the games of all rounds of a round robin, paired or not
    Schedule(FileArgs),
    /// Enter results, such as 1:1-0 2:0-1 3:1/2 4:+-
    ///
    /// If no results are given, they are read from standard input, one per line, as 3:1-0 or 3 1-0.
    /// Empty lines and lines that begin with # are ignored. A draw is 1/2-1/2, 1/2 or =. +-, -+ and
    /// -- are forfeits; * removes a result. 0-0, 1/2-0 and 0-1/2 are results of games that were
    /// played. W-L, L-W, D-D, L-L, D-L and L-D are results of games that are not rated, because
    /// they ended before both players had made a move.
    Enter {
        /// Tournament Report File (TRF)
        file: PathBuf,
        /// Results as BOARD:RESULT
        results: Vec<String>,
        /// Round [default: the last paired round]
        #[arg(long, value_name = "N")]
        round: Option<usize>,
    },
    /// Print the standings
    Standings {
        #[command(flatten)]
        of: FileArgs,
        /// Tie-breaks in order of priority, chosen from BH, BH/C1, BH/C2, BH/M1, BH/M2, SB, SB/C1,
        /// KS, DE, WIN, WON, BPG, BWG, PS, ARO, ARO/C1 and TPR [default: those in the file, else
        /// BH/C1,BH,SB,DE,WIN; in a round robin DE,SB,WIN]
        #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
        tie_breaks: Vec<TieBreak>,
        /// Store the tie-breaks in the file
        #[arg(long, requires = "tie_breaks")]
        store: bool,
        /// Print the standings after this round [default: the last finished round]
        #[arg(long, value_name = "N")]
        round: Option<usize>,
    },
    /// Print the cross table
    ///
    /// In a Swiss tournament, a cell such as 5w1 is a win with White against player 5. In a round
    /// robin, there is a column for each opponent. W, D and L are results of games that are not
    /// rated.
    Crosstable {
        #[command(flatten)]
        of: FileArgs,
        /// Print the cross table after this round [default: the last paired round]
        #[arg(long, value_name = "N")]
        round: Option<usize>,
    },
}

#[derive(clap::Args, Debug)]
struct FileArgs {
    /// Tournament Report File (TRF)
    file: PathBuf,
    /// Format of the output: html is a page to print
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    to: Form,
    /// Print comma-separated values, like --to csv
    #[arg(long, conflicts_with = "to")]
    csv: bool,
    /// Print one line of JSON, like --to json
    #[arg(long, conflicts_with_all = ["to", "csv"])]
    json: bool,
}

impl FileArgs {
    const fn form(&self) -> Form {
        match self {
            Self { csv: true, .. } => Form::Csv,
            Self { json: true, .. } => Form::Json,
            Self { to, .. } => *to,
        }
    }
}

#[derive(clap::Args, Debug)]
struct EditArgs {
    /// Tournament Report File (TRF)
    file: PathBuf,
    /// Number or name of the player to edit [default: the tournament]
    player: Option<PlayerText>,
    #[command(flatten)]
    data: EditedData,
}

#[derive(clap::Args, Debug)]
#[group(required = true, multiple = true)]
struct EditedData {
    /// Name of the player
    #[arg(long, value_name = "TEXT", value_parser = field, requires = "player")]
    name: Option<String>,
    /// Rating; 0 or an empty text for none
    #[arg(long, value_name = "N", value_parser = field, requires = "player")]
    rating: Option<String>,
    /// Title, such as GM; an empty text removes it
    #[arg(long, value_name = "CODE", value_parser = field, requires = "player")]
    title: Option<String>,
    /// Federation of the player, or the one that organises the tournament
    #[arg(long, value_name = "CODE", value_parser = field)]
    federation: Option<String>,
    #[arg(long, value_name = "DIGITS", value_parser = field, requires = "player")]
    fide_id: Option<String>,
    /// Date of birth, or the year
    #[arg(long, value_name = "DATE", value_parser = field, requires = "player")]
    birth: Option<String>,
    /// m or w
    #[arg(long, value_name = "SEX", value_parser = field, requires = "player")]
    sex: Option<String>,
    /// Number of rounds of the tournament
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u16).range(ROUNDS),
        conflicts_with = "player"
    )]
    rounds: Option<u16>,
    /// Name of the tournament
    #[arg(long, value_name = "TEXT", value_parser = one_line, conflicts_with = "player")]
    event: Option<String>,
    #[arg(long, value_name = "TEXT", value_parser = one_line, conflicts_with = "player")]
    city: Option<String>,
    /// First day, such as 2026/11/20
    #[arg(long, value_name = "DATE", value_parser = day, conflicts_with = "player")]
    from: Option<String>,
    /// Last day
    #[arg(long, value_name = "DATE", value_parser = day, conflicts_with = "player")]
    to: Option<String>,
    /// Chief arbiter
    #[arg(long, value_name = "NAME", value_parser = one_line, conflicts_with = "player")]
    arbiter: Option<String>,
    /// Deputy arbiter (repeatable)
    #[arg(long, value_name = "NAME", value_parser = one_line, conflicts_with = "player")]
    deputy: Vec<String>,
    /// Dates of the rounds, in order
    #[arg(
        long,
        value_name = "DATE,...",
        value_delimiter = ',',
        value_parser = day,
        conflicts_with = "player"
    )]
    round_dates: Vec<String>,
    /// Time control
    #[arg(long, value_name = "TEXT", value_parser = one_line, conflicts_with = "player")]
    rate: Option<String>,
    /// Rejected with a reference to the command that chooses tie-breaks.
    #[arg(long, hide = true)]
    tie_breaks: Option<String>,
    /// Rejected with a reference to the commands that decide the points.
    #[arg(long, hide = true)]
    points: Option<String>,
}

#[derive(clap::Args, Debug)]
struct NewArgs {
    /// Tournament Report File (TRF) to create
    file: PathBuf,
    /// File with the list of players
    players: PathBuf,
    /// Number of rounds [default for a round robin: one game against each opponent]
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u16).range(ROUNDS),
        required_unless_present = "round_robin"
    )]
    rounds: Option<u16>,
    /// Create a round robin, paired by the Berger tables, instead of a Swiss tournament
    ///
    /// The order of the player list decides the players' numbers, so draw lots for the order. With
    /// twice the default number of rounds, everyone plays everyone twice.
    #[arg(long)]
    round_robin: bool,
    /// Tie-breaks in order of priority (see standings --help) [default: BH/C1,BH,SB,DE,WIN; for a
    /// round robin DE,SB,WIN]
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    tie_breaks: Vec<TieBreak>,
    /// Name of the tournament
    #[arg(long, value_name = "TEXT", default_value = "Tournament", value_parser = one_line)]
    event: String,
    /// City
    #[arg(long, value_name = "TEXT", value_parser = one_line)]
    city: Option<String>,
    /// Federation that organises the tournament, such as NED
    #[arg(long, value_name = "CODE", value_parser = federation)]
    federation: Option<String>,
    /// First day, such as 2026/11/20
    #[arg(long, value_name = "DATE", value_parser = day)]
    from: Option<String>,
    /// Last day
    #[arg(long, value_name = "DATE", value_parser = day)]
    to: Option<String>,
    /// Chief arbiter
    #[arg(long, value_name = "NAME", value_parser = one_line)]
    arbiter: Option<String>,
    /// Time control, such as '90 min/40 moves + 30 min'
    #[arg(long, value_name = "TEXT", value_parser = one_line)]
    rate: Option<String>,
    /// Points for a win, a draw and a loss, such as 3-1-0; a bye from the pairing counts as a win
    /// [default: 1-½-0]
    #[arg(long, value_name = "POINTS", value_parser = points_of_results)]
    points: Option<Points>,
    /// Colour of player 1 in the first round
    #[arg(long, value_name = "COLOUR", default_value = "white", conflicts_with = "round_robin")]
    first_colour: Colour,
    /// Encoding of the file
    ///
    /// Programs that read UTF-8 as Latin-1 shift the columns after each accent.
    #[arg(long, value_name = "NAME", default_value = "utf-8")]
    encoding: EncodingName,
}

#[derive(clap::Args, Debug)]
struct PairedPlayers {
    /// Numbers or family names of the players who do not play in this round
    #[arg(long, value_name = "PLAYER,...", value_delimiter = ',')]
    absent: Vec<PlayerText>,
    /// Numbers or family names of the players who have a half-point bye in this round
    #[arg(long, value_name = "PLAYER,...", value_delimiter = ',')]
    half_bye: Vec<PlayerText>,
    /// Numbers or family names of the players who play in this round although the file has a bye
    /// for them
    #[arg(long, value_name = "PLAYER,...", value_delimiter = ',')]
    present: Vec<PlayerText>,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Colour {
    White,
    Black,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum EncodingName {
    #[value(name = "utf-8")]
    Utf8,
    #[value(name = "latin-1")]
    Latin1,
}

impl From<EncodingName> for Encoding {
    fn from(name: EncodingName) -> Self {
        match name {
            EncodingName::Utf8 => Self::Utf8,
            EncodingName::Latin1 => Self::Latin1,
        }
    }
}

fn one_line(text: &str) -> Result<String, &'static str> {
    match text.trim() {
        text if text.contains(char::is_control) => Err("line breaks are not possible"),
        text => Ok(text.to_owned()),
    }
}

/// Checks one field of a player. A field cannot contain a semicolon, because `edit_player` joins
/// the fields with semicolons and then parses them together.
fn field(text: &str) -> Result<String, &'static str> {
    match one_line(text)? {
        text if text.contains(';') => Err("semicolons are not possible"),
        text => Ok(text),
    }
}

fn federation(text: &str) -> Result<String, &'static str> {
    registration::federation(text).ok_or("expected three letters, as in NED")
}

/// Parses a date. Returns an empty string if `text` is blank.
fn day(text: &str) -> Result<String, &'static str> {
    if text.trim().is_empty() {
        return Ok(String::new());
    }
    let date = registration::date(text).filter(|date| !date.ends_with("/00/00"));
    date.ok_or("expected a date, such as 2026/11/20, 2026-11-20 or 20.11.2026")
}

fn points_of_results(text: &str) -> anyhow::Result<Points> {
    let points = text.parse()?;
    Scoring::try_from(points)?;
    Ok(points)
}

/// A range of rounds, counted from 1, such as `3` or `3-5`.
#[derive(Clone, PartialEq, Eq, Debug)]
struct RoundRange(RangeInclusive<u16>);

impl FromStr for RoundRange {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let number =
            |text: &str| text.trim().parse().ok().filter(|&n: &u16| ROUNDS.contains(&n.into()));
        match (number(first), number(last)) {
            (Some(first), Some(last)) if first <= last => Ok(Self(first..=last)),
            _ => Err("expected a round or a range of rounds, such as 3 or 3-5"),
        }
    }
}

/// A player as given on the command line.
#[derive(Clone, PartialEq, Eq, Debug)]
enum PlayerText {
    /// An index, counted from 0.
    Index(usize),
    Name(String),
}

impl FromStr for PlayerText {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.trim() {
            "" => Err("expected the number or the name of a player"),
            text if text.bytes().all(|byte| byte.is_ascii_digit()) => {
                let number = text.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
                number.map(Self::Index).ok_or("expected the number of a player, from 1")
            }
            text => Ok(Self::Name(text.to_owned())),
        }
    }
}

impl PlayerText {
    /// Returns the index of the player. A name can be given in any case and without its accents,
    /// and its beginning is enough if no other name begins in the same way.
    fn index(&self, report: &Report) -> anyhow::Result<usize> {
        let given = match self {
            Self::Index(index) => return Ok(*index),
            Self::Name(name) => name,
        };
        let text = name_key(given);
        let plain = without_accents(&text);
        // Accents matter only if some are given.
        let has_accents = text != plain;
        let names = report.players().iter().map(|player| {
            let name = name_key(&player.name());
            if has_accents { name } else { without_accents(&name) }
        });
        let names: Vec<String> = names.collect();
        let matching = |matches: &dyn Fn(&str) -> bool| -> Vec<usize> {
            (0..names.len()).filter(|&index| matches(&names[index])).collect()
        };
        let mut found = matching(&|name| name == text);
        if found.is_empty() {
            found = matching(&|name| name.starts_with(&text));
        }
        match found[..] {
            [player] => Ok(player),
            [] => bail!(
                "no player's name begins with '{given}': adoube tournament players FILE lists the \
                 players"
            ),
            _ => {
                let name = |&player: &usize| format!("{} {}", player + 1, titled(report, player));
                let names = found.iter().map(name).collect::<Vec<_>>().join("; ");
                bail!("'{given}' matches several players; give the number: {names}")
            }
        }
    }

    fn indices(players: &[Self], report: &Report) -> anyhow::Result<Vec<usize>> {
        players.iter().map(|player| player.index(report)).collect()
    }
}

/// Returns a name in lower case and in composed form, for comparisons.
fn name_key(name: &str) -> String {
    name.to_lowercase().nfc().collect()
}

/// Removes the accents and strokes of letters in lower case.
fn without_accents(text: &str) -> String {
    let plain = |letter| match letter {
        'ø' => 'o',
        'ł' => 'l',
        'đ' => 'd',
        'ħ' => 'h',
        'ı' => 'i',
        letter => letter,
    };
    text.nfd().filter(|&letter| !is_combining_mark(letter)).map(plain).collect()
}

pub(super) fn run(command: &Command) -> anyhow::Result<ExitCode> {
    match &command.action {
        Action::New(args) => new(args)?,
        Action::Add { file, player, half_byes, force, encoding } => {
            let missed = if *half_byes { Mark::HalfBye } else { Mark::ZeroBye };
            add(file, player, missed, *force, *encoding)?;
        }
        Action::Remove { file, player } => remove(file, player)?,
        Action::Withdraw { file, player, undo } => withdraw(file, player, *undo)?,
        Action::Bye { file, player, round, half, undo } => {
            let mark = if *half { Mark::HalfBye } else { Mark::ZeroBye };
            let rounds: Vec<u16> = round.iter().flat_map(|range| range.0.clone()).collect();
            bye(file, player, &rounds, (!undo).then_some(mark))?;
        }
        Action::Pair { of, players, force } => pair(of, players, *force)?,
        Action::Unpair { file, force } => unpair(file, *force)?,
        Action::Round { of, number, round } => {
            let report = Stored::read(&of.file)?.report;
            let round = played_round(&report, number.or(*round))?;
            Listing::of_round(&report, round).print(&report, of.form())?;
        }
        Action::Edit(args) => edit(args)?,
        Action::Players(of) => {
            let report = Stored::read(&of.file)?.report;
            Listing::of_players(&report).print(&report, of.form())?;
        }
        Action::Forbid { file, players, undo } => forbid(file, players, *undo)?,
        Action::Crosstable { of, round } => {
            let report = Stored::read(&of.file)?.report;
            let rounds = match round {
                Some(0) => 0,
                Some(_) => played_round(&report, *round)? + 1,
                None => report.paired(),
            };
            Listing::crosstable(&report, rounds).print(&report, of.form())?;
        }
        Action::Schedule(of) => {
            let report = Stored::read(&of.file)?.report;
            ensure!(
                report.is_round_robin(),
                "{}: only a round robin has a schedule; in a Swiss tournament, adoube tournament pair \
                 pairs one round after the other",
                of.file.display()
            );
            Listing::schedule(&report).print(&report, of.form())?;
        }
        Action::Enter { file, results, round } => enter(file, results, *round)?,
        Action::Standings { of, tie_breaks, store, round } => {
            standings(of, tie_breaks, *store, *round)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn read_text(path: &Path) -> anyhow::Result<(String, Encoding)> {
    let bytes = fs::read(path).with_context(|| path.display().to_string())?;
    let (text, encoding) = record::decode_any(bytes);
    Ok((without_mark(&text).to_owned(), encoding))
}

/// Returns whether a line of a list is neither empty nor a comment, which begins with `#`.
fn has_entry(line: &str) -> bool {
    !line.trim().is_empty() && !line.starts_with('#')
}

/// A tournament report and the file that stores it.
struct Stored<'a> {
    path: &'a Path,
    report: Report,
    encoding: Encoding,
    /// True if the lines of the file end in CR and LF, as on Windows.
    crlf: bool,
}

impl<'a> Stored<'a> {
    fn read(path: &'a Path) -> anyhow::Result<Self> {
        let (text, encoding) = read_text(path)?;
        let report: Report = text.parse().with_context(|| path.display().to_string())?;
        for warning in report.warnings() {
            print_error(format_args!("warning: {}: {warning}", path.display()));
        }
        Ok(Self { path, report, encoding, crlf: text.contains("\r\n") })
    }

    fn write(&self) -> anyhow::Result<()> {
        let mut text = self.report.to_string();
        if self.crlf {
            text = text.replace('\n', "\r\n");
        }
        let bytes = self.encoding.encode(&text).map_err(|c| {
            let line = text.lines().find(|line| line.contains(c)).unwrap_or_default();
            let mut names = self.report.players().iter().map(|player| player.name());
            let name = names.find(|name| name.contains(c)).unwrap_or_else(|| line.to_owned());
            anyhow!(
                "Latin-1 has no '{c}', which occurs in '{name}': use --encoding utf-8, or spell it \
                 without this letter"
            )
        });
        let replace = |bytes: Vec<u8>| Ok(file::replace(self.path, &bytes)?);
        bytes.and_then(replace).with_context(|| self.path.display().to_string())
    }
}

/// Converts a round number, counted from 1, to an index, counted from 0. `None` means the last
/// paired round.
fn played_round(report: &Report, round: Option<usize>) -> anyhow::Result<usize> {
    let paired = report.paired();
    ensure!(paired > 0, "no round is paired yet: run adoube tournament pair");
    match round.unwrap_or(paired) {
        round @ 1.. if round <= paired => Ok(round - 1),
        round => bail!("there is no round {round}: the last is round {paired}"),
    }
}

fn new(args: &NewArgs) -> anyhow::Result<()> {
    let NewArgs { file, players, rounds, .. } = args;
    ensure!(fs::metadata(file).is_err(), "{} already exists", file.display());
    let text_of = |option: &Option<String>| option.clone().unwrap_or_default();
    let (from, to) = (text_of(&args.from), text_of(&args.to));
    ensure!(to.is_empty() || from <= to, "--to {to} is before --from {from}");
    let (text, _) = read_text(players)?;
    let lines = text.lines().enumerate();
    let lines = lines.filter(|(_, line)| has_entry(line)).enumerate();
    let people = lines
        .map(|(position, (index, line))| {
            let person = line.parse::<Registration>().map_err(|error| match error {
                RegistrationError::Rating(_) if position == 0 => {
                    anyhow!("{error} (if this line is a header, begin it with #)")
                }
                error => error.into(),
            });
            person.with_context(|| format!("{}:{}", players.display(), index + 1))
        })
        .collect::<anyhow::Result<Vec<_>>>()?;
    let header = Header {
        event: args.event.clone(),
        city: text_of(&args.city),
        federation: text_of(&args.federation),
        from,
        to,
        arbiter: text_of(&args.arbiter),
        rate: text_of(&args.rate),
        first_colour: (args.first_colour == Colour::Black).then_some(Side::Black),
        points: args.points.unwrap_or_default(),
        round_robin: args.round_robin,
        tie_breaks: applicable(&args.tie_breaks, args.round_robin),
    };
    let report = Report::new(&header, rounds.map(usize::from), people)
        .with_context(|| players.display().to_string())?;
    let stored = Stored { path: file, report, encoding: args.encoding.into(), crlf: false };
    stored.write()?;
    let report = &stored.report;
    Listing::new_players(report).print(report, Form::Text)?;
    warn_about_duplicates(report);
    warn_about_rounds(report);
    Ok(())
}

/// Returns the tie-breaks that are defined for this kind of tournament, and warns about the others.
fn applicable(tie_breaks: &[TieBreak], is_round_robin: bool) -> Vec<TieBreak> {
    let is_applicable = |name: &&TieBreak| is_round_robin || !name.needs_round_robin();
    for name in tie_breaks.iter().filter(|name| !is_applicable(name)) {
        print_error(format_args!(
            "warning: the tie-break {name} applies only to round robins and is left out"
        ));
    }
    tie_breaks.iter().filter(is_applicable).copied().collect()
}

/// Warns if the number of rounds does not suit the number of players.
fn warn_about_rounds(report: &Report) {
    let (number, rounds) = (report.players().len(), report.rounds().unwrap_or(0));
    let cycle = berger::rounds(number);
    if report.is_round_robin() {
        if !rounds.is_multiple_of(cycle) {
            print_error(format_args!(
                "warning: a round robin of {number} players has {cycle} rounds, or {} if everyone \
                 plays everyone twice, not {rounds}",
                2 * cycle
            ));
        }
    } else if rounds > cycle {
        print_error(format_args!(
            "warning: {number} players have new opponents in at most {cycle} rounds, not in {rounds}"
        ));
    }
}

fn edit(args: &EditArgs) -> anyhow::Result<()> {
    let mut stored = Stored::read(&args.file)?;
    let file = args.file.display();
    ensure!(
        args.data.tie_breaks.is_none(),
        "choose tie-breaks with adoube tournament standings {file} --tie-breaks NAME,... --store"
    );
    ensure!(
        args.data.points.is_none(),
        "the points for a win, a draw and a loss are set by adoube tournament new --points, and \
         results are changed with adoube tournament enter {file} --round N BOARD:RESULT"
    );
    match &args.player {
        Some(player) => {
            let player = player.index(&stored.report)?;
            edit_player(&mut stored, player, &args.data)
        }
        None => edit_tournament(&mut stored, &args.data),
    }
}

/// Changes the lines about the tournament and prints the new values.
fn edit_tournament(stored: &mut Stored<'_>, data: &EditedData) -> anyhow::Result<()> {
    let federation = match data.federation.as_deref() {
        Some("") | None => data.federation.clone(),
        Some(text) => Some(federation(text).map_err(|error| anyhow!("--federation: {error}"))?),
    };
    let report = &mut stored.report;
    if let Some(rounds) = data.rounds {
        report.set_rounds(rounds.into()).with_context(|| stored.path.display().to_string())?;
    }
    let fields = [
        ("012", "event", &data.event),
        ("022", "city", &data.city),
        ("032", "federation", &federation),
        ("042", "from", &data.from),
        ("052", "to", &data.to),
        ("102", "arbiter", &data.arbiter),
        ("122", "rate", &data.rate),
    ];
    let given = fields.iter().filter_map(|(code, name, text)| Some((*code, *name, text.as_ref()?)));
    for (code, _, text) in given.clone() {
        report.set_header(code, text);
    }
    if !data.deputy.is_empty() {
        report.set_headers("112", &data.deputy);
    }
    if !data.round_dates.is_empty() {
        report
            .set_round_dates(&data.round_dates)
            .with_context(|| stored.path.display().to_string())?;
    }
    let [from, to] = ["042", "052"].map(|code| registration::date(report.header(code)));
    if let (Some(from), Some(to)) = (from, to)
        && (data.from.is_some() || data.to.is_some())
    {
        ensure!(from <= to, "the last day, {to}, is before the first day, {from}");
    }
    stored.write()?;
    let mut out = Visible(io::stdout().lock());
    if let Some(rounds) = data.rounds {
        writeln!(out, "rounds: {rounds}")?;
        warn_about_rounds(&stored.report);
    }
    for (_, name, text) in given {
        writeln!(out, "{name}: {text}")?;
    }
    for deputy in &data.deputy {
        writeln!(out, "deputy: {deputy}")?;
    }
    for (round, date) in (1..).zip(&data.round_dates) {
        writeln!(out, "round {round}: {date}")?;
    }
    Ok(())
}

fn edit_player(stored: &mut Stored<'_>, player: usize, data: &EditedData) -> anyhow::Result<()> {
    let EditedData { name, rating, title, federation, fide_id, birth, sex, .. } = data;
    let given = [name, rating, title, federation, fide_id, birth, sex];
    let fields: Vec<Field> = Field::ALL
        .into_iter()
        .zip(given)
        .filter_map(|(field, text)| text.is_some().then_some(field))
        .collect();
    let mut texts = given.map(|text| text.as_deref().unwrap_or_default());
    if name.is_none() {
        // `Registration` requires a name. This one is not stored, because `fields` lacks the name.
        texts[0] = "?";
    }
    let person: Registration = texts.join(";").parse()?;
    let report = &mut stored.report;
    report.edit(player, &person, &fields).with_context(|| stored.path.display().to_string())?;
    stored.write()?;
    let report = &stored.report;
    Listing::of_player(report, player).print(report, Form::Text)?;
    warn_about_duplicates(report);
    Ok(())
}

fn forbid(path: &Path, players: &[PlayerText], undo: bool) -> anyhow::Result<()> {
    let mut stored = Stored::read(path)?;
    if !players.is_empty() {
        let report = &mut stored.report;
        let players = PlayerText::indices(players, report)?;
        let changed = if undo { report.allow(&players) } else { report.forbid(&players) };
        changed.with_context(|| path.display().to_string())?;
        stored.write()?;
    }
    let report = &stored.report;
    let mut out = Visible(io::stdout().lock());
    if report.forbidden().is_empty() && report.prohibitions().is_empty() {
        writeln!(out, "no pairings are forbidden")?;
    }
    for [a, b] in report.forbidden() {
        let [(a, first), (b, second)] = [a, b].map(|&p| (p + 1, titled(report, p)));
        writeln!(out, "forbidden: {a} {first} - {b} {second}")?;
    }
    for prohibition in report.prohibitions() {
        let names = prohibition.players.iter().map(|&p| format!("{} {}", p + 1, titled(report, p)));
        let names = names.collect::<Vec<_>>().join(" - ");
        writeln!(out, "forbidden in {}: {names}", prohibition.rounds_text())?;
    }
    Ok(())
}

/// Warns if several players have the same name or FIDE number.
fn warn_about_duplicates(report: &Report) {
    let mut seen = BTreeSet::new();
    let mut owners: BTreeMap<String, usize> = BTreeMap::new();
    for (number, player) in (1..).zip(report.players()) {
        let id = player.field(Field::FideId);
        if id.trim_start_matches('0').is_empty() {
            continue;
        }
        if let Some(owner) = owners.insert(id.clone(), number) {
            print_error(format_args!(
                "warning: players {owner} and {number} have the same FIDE number {id}"
            ));
        }
    }
    let mut warned = BTreeSet::new();
    for player in report.players() {
        let (name, key) = (player.name(), name_key(&player.name()));
        if !seen.insert(key.clone()) && warned.insert(key) {
            print_error(format_args!("warning: several players are called '{name}'"));
        }
    }
}

fn add(
    path: &Path,
    person: &Registration,
    missed: Mark,
    force: bool,
    encoding: Option<EncodingName>,
) -> anyhow::Result<()> {
    let mut stored = Stored::read(path)?;
    let key = name_key(person.name());
    let mut players = stored.report.players().iter();
    if let Some(other) = players.position(|player| name_key(&player.name()) == key)
        && !force
    {
        bail!(
            "{}: '{}' is already player {}; if this is another person, use --force",
            path.display(),
            person.name(),
            other + 1
        );
    }
    let player = stored.report.add(person, missed).with_context(|| path.display().to_string())?;
    if let Some(encoding) = encoding {
        stored.encoding = encoding.into();
    }
    stored.write()?;
    let report = &stored.report;
    let (name, number, last) = (titled(report, player), player + 1, report.players().len());
    let mut out = Visible(io::stdout().lock());
    let renumbered = renumbered_text(number..=last - 1, number + 1..=last);
    let round = report.paired() + 1;
    writeln!(out, "{name} is player {number} and plays from round {round} on{renumbered}")?;
    warn_about_duplicates(report);
    Ok(())
}

fn remove(path: &Path, player: &PlayerText) -> anyhow::Result<()> {
    let mut stored = Stored::read(path)?;
    let report = &mut stored.report;
    let player = player.index(report)?;
    let removed = report.remove(player).with_context(|| path.display().to_string())?;
    stored.write()?;
    let (number, last) = (player + 1, stored.report.players().len());
    let renumbered = renumbered_text(number + 1..=last + 1, number..=last);
    let mut out = Visible(io::stdout().lock());
    writeln!(out, "{} is removed{renumbered}", removed.name())?;
    Ok(())
}

/// Describes how the numbers of players changed. Returns an empty string if no number changed.
fn renumbered_text(before: RangeInclusive<usize>, after: RangeInclusive<usize>) -> String {
    let ((first, last), (new_first, new_last)) = (before.into_inner(), after.into_inner());
    match (last + 1).saturating_sub(first) {
        0 => String::new(),
        1 => format!("; player {first} is now player {new_first}"),
        _ => format!("; players {first} to {last} are now {new_first} to {new_last}"),
    }
}

fn has_rounds_to_pair(report: &Report) -> bool {
    report.rounds().is_some_and(|rounds| report.paired() < rounds)
}

/// Returns the message that a player has withdrawn.
fn withdrawal_text(report: &Report, player: usize) -> String {
    let name = titled(report, player);
    if has_rounds_to_pair(report) {
        format!("{name} does not play from round {} on", report.paired() + 1)
    } else {
        format!("{name} has withdrawn")
    }
}

fn withdraw(path: &Path, player: &PlayerText, undo: bool) -> anyhow::Result<()> {
    let mut stored = Stored::read(path)?;
    let report = &mut stored.report;
    let player = player.index(report)?;
    let round = if undo { report.reinstate(player) } else { report.withdraw(player) };
    let round = round.with_context(|| path.display().to_string())? + 1;
    stored.write()?;
    let report = &stored.report;
    let name = titled(report, player);
    let mut out = Visible(io::stdout().lock());
    if !undo {
        writeln!(out, "{}", withdrawal_text(report, player))?;
    } else if has_rounds_to_pair(report) {
        writeln!(out, "{name} plays from round {round} on")?;
    } else {
        writeln!(out, "{name} is no longer withdrawn")?;
    }
    if let Some(note) = listing::early_withdrawal_note(report, player) {
        writeln!(out, "{note}")?;
    }
    let mut open = report.open_games(report.paired());
    open.retain(|game| [game.of.white, game.of.black].contains(&player));
    if let Some(note) = listing::open_games_note(report, &open).filter(|_| !undo) {
        print_error(format_args!("note: {note}; if a game is not played, enter a forfeit"));
    }
    Ok(())
}

/// Records a player's byes in later rounds, counted from 1, or cancels them if `mark` is `None`.
fn bye(path: &Path, player: &PlayerText, rounds: &[u16], mark: Option<Mark>) -> anyhow::Result<()> {
    let mut stored = Stored::read(path)?;
    let report = &mut stored.report;
    let player = player.index(report)?;
    for &round in rounds {
        let round = usize::from(round) - 1;
        report.request_bye(player, round, mark).with_context(|| path.display().to_string())?;
    }
    stored.write()?;
    let name = titled(&stored.report, player);
    let does = mark.map_or("plays", bye_name);
    let mut out = Visible(io::stdout().lock());
    rounds.iter().try_for_each(|round| writeln!(out, "round {round}: {name}, {does}"))?;
    Ok(())
}

fn pair(of: &FileArgs, players: &PairedPlayers, force: bool) -> anyhow::Result<()> {
    let mut stored = Stored::read(&of.file)?;
    let report = &mut stored.report;
    let named = |players: &[PlayerText]| PlayerText::indices(players, report);
    let (absent, half_bye) = (named(&players.absent)?, named(&players.half_bye)?);
    let present = named(&players.present)?;
    let options = [("--absent", &absent), ("--half-bye", &half_bye), ("--present", &present)];
    for (index, (option, players)) in options.iter().enumerate() {
        for (other, others) in &options[..index] {
            if let Some(player) = players.iter().find(|player| others.contains(player)) {
                bail!("player {} is in both {other} and {option}", player + 1);
            }
        }
    }
    report.announce_byes(&absent, 'Z')?;
    report.announce_byes(&half_bye, 'H')?;
    report.cancel_byes(&present)?;
    let breaches = report.pair(force).with_context(|| of.file.display().to_string())?;
    stored.write()?;
    let report = &stored.report;
    let round = report.paired() - 1;
    Listing::of_round(report, round).print(report, of.form())?;
    if let Some(note) = listing::open_games_note(report, &report.open_games(round)) {
        print_error(format_args!(
            "note: {note}; enter results with adoube tournament enter FILE --round N"
        ));
    }
    for breach in breaches {
        print_error(format_args!("warning: no legal pairing exists: {breach}"));
    }
    Ok(())
}

fn unpair(path: &Path, force: bool) -> anyhow::Result<()> {
    let mut stored = Stored::read(path)?;
    let round = stored.report.unpair(force).with_context(|| path.display().to_string())?;
    stored.write()?;
    let report = &stored.report;
    let mut out = Visible(io::stdout().lock());
    writeln!(out, "round {} is no longer paired", round + 1)?;
    for (player, mark) in report.byes(round).into_iter().filter(|(_, mark)| *mark != Mark::Open) {
        let (name, number) = (titled(report, player), player + 1);
        writeln!(out, "the bye of player {number} stays: {name}, {}", bye_name(mark))?;
    }
    Ok(())
}

fn enter(path: &Path, results: &[String], round: Option<usize>) -> anyhow::Result<()> {
    let mut stored = Stored::read(path)?;
    let report = &mut stored.report;
    let round = played_round(report, round)?;
    let mut lines = results.to_vec();
    if results.is_empty() {
        lines = io::stdin().lock().lines().collect::<io::Result<_>>()?;
        lines.retain(|line| has_entry(line));
    }
    let boards = report.boards(round);
    let result_of = |report: &Report, board: usize| {
        boards
            .get(board)
            .map_or(String::new(), |board| report.result(round, *board).replace(' ', ""))
    };
    let mut entered: Vec<(usize, String)> = Vec::new();
    for line in &lines {
        let (board, result) = line
            .trim()
            .split_once([':', ' ', '\t'])
            .with_context(|| format!("'{line}' is not BOARD:RESULT, such as 3:1-0"))?;
        let number = board.trim().parse::<usize>().ok().and_then(|board| board.checked_sub(1));
        let board = number.with_context(|| format!("'{board}' is not the number of a board"))?;
        ensure!(
            entered.iter().all(|(other, _)| *other != board),
            "board {} has two results; nothing is stored",
            board + 1
        );
        let result =
            result.parse::<BoardResult>().with_context(|| format!("board {}", board + 1))?;
        let before = result_of(report, board);
        report.enter(round, board, result)?;
        entered.push((board, before));
    }
    stored.write()?;
    let report = &stored.report;
    let mut out = Visible(io::stdout().lock());
    let mut changed = false;
    for (board, before) in &entered {
        let [white, black] =
            [boards[*board].white, boards[*board].black].map(|p| report.players()[p].name());
        let now = result_of(report, *board);
        let shown = if now.is_empty() { "*" } else { now.as_str() };
        let old = match before.as_str() {
            before if before == now || before.is_empty() => String::new(),
            before => format!(" (was {before})"),
        };
        changed |= *before != now;
        writeln!(out, "board {}: {white} {shown} {black}{old}", board + 1)?;
    }
    let is_open = |(_, board): &(usize, &Board)| report.result(round, **board).is_empty();
    let open: Vec<(usize, &Board)> = (1..).zip(&boards).filter(is_open).collect();
    if open.is_empty() {
        writeln!(out, "round {} is finished", round + 1)?;
    } else {
        writeln!(out, "round {}: no result yet of", round + 1)?;
    }
    for (number, board) in open {
        let [white, black] = [board.white, board.black].map(|p| titled(report, p));
        writeln!(out, "  board {number}: {white} - {black}")?;
    }
    for (board, _) in &entered {
        for player in [boards[*board].white, boards[*board].black] {
            let is_played = report.players()[player].entry(round).game().is_some();
            if is_played && report.is_withdrawn(player) {
                let (withdrawal, path) = (withdrawal_text(report, player), path.display());
                print_error(format_args!(
                    "note: {withdrawal}; if this is wrong, run adoube tournament withdraw {path} {} \
                     --undo",
                    player + 1
                ));
            }
        }
    }
    if changed && round + 1 < report.paired() && !report.is_round_robin() {
        let (next, last) = (round + 2, report.paired());
        let rounds = match next == last {
            true => format!("round {next} was"),
            false => format!("rounds {next} to {last} were"),
        };
        print_error(format_args!(
            "note: {rounds} paired with the old results, and the pairings stay as they are; to pair \
             again, first run adoube tournament unpair {}, once for each round",
            path.display()
        ));
    }
    Ok(())
}

fn standings(
    of: &FileArgs,
    tie_breaks: &[TieBreak],
    store: bool,
    round: Option<usize>,
) -> anyhow::Result<()> {
    let mut stored = Stored::read(&of.file)?;
    let is_round_robin = stored.report.is_round_robin();
    let given = applicable(tie_breaks, is_round_robin);
    if store && !given.is_empty() {
        stored.report.set_tie_breaks(&given);
        stored.write()?;
    }
    let report = &stored.report;
    let round = match round {
        Some(0) => 0,
        Some(_) => played_round(report, round)? + 1,
        None => report.finished(),
    };
    let tie_breaks =
        if given.is_empty() { applicable(report.tie_breaks(), is_round_robin) } else { given };
    Listing::standings(report, round, &tie_breaks).print(report, of.form())?;
    Ok(())
}
