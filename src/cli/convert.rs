//! `adoube convert`: converts games between notations and formats.

use super::games::{self, Format, Input};
use crate::base::game::{GameKind, MoveForm};
use crate::draughts::sheet::Numeric;
use crate::protocol::hub::command::Command as HubCommand;
use crate::protocol::uci::command::Command;
use crate::record::epd::{Operand, Operation};
use crate::record::games::{Record, Recorded};
use crate::record::sheet::{Notate, Sheet};
use crate::{chess, draughts};
use anyhow::anyhow;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

/// Convert games to another notation or format: PGN, PDN, or score sheets
///
/// Errors in games are reported on standard error with their line numbers, and the exit code is 1.
/// Everything else is still converted: a main line or variation is cut off at its first unreadable
/// move, and a malformed tag is skipped.
///
/// A score sheet contains the main line with annotation glyphs, draw offers and clock times, but no
/// other comments and no variations.
///
/// Input and output formats: pgn, pdn, or a score-sheet notation: fr, de:long, fr:1930, figurine,
/// descriptive:en, descriptive:fr, spoken, san and others for chess, numeric for draughts.
///
/// Output only: uci (a `position` command per chess game), hub (a `pos` command per draughts game,
/// preceded by `set-param` for a variant), fen (the last position of each game) and epd (every
/// main-line position, with the move played as sm, and the players and ply as id).
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Game files; standard input if omitted or -
    files: Vec<PathBuf>,
    /// Format of the files [default: detected from their names and contents]
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,
    /// Format to write
    #[arg(long, value_name = "FORMAT")]
    to: Target,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Target {
    Games(Format),
    Uci,
    Hub,
    Fen,
    Epd,
}

impl FromStr for Target {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        Ok(match text {
            "uci" => Self::Uci,
            "hub" => Self::Hub,
            "fen" => Self::Fen,
            "epd" => Self::Epd,
            text => {
                Self::Games(text.parse().map_err(|error| anyhow!("uci, hub, fen, epd, {error}"))?)
            }
        })
    }
}

impl Target {
    /// Returns the game that this format is for, or `None` if it is for both games.
    const fn game(self) -> Option<GameKind> {
        match self {
            Self::Games(format) => Some(format.game()),
            Self::Uci => Some(GameKind::Chess),
            Self::Hub => Some(GameKind::Draughts),
            Self::Fen | Self::Epd => None,
        }
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut all_well = true;
    for input in games::open(&args.files, args.from)? {
        let game = input.format.game();
        if let Some(other) = args.to.game().filter(|other| *other != game) {
            let input = input.name;
            anyhow::bail!("{input}: a {game} game cannot be written in a {other} format");
        }
        all_well &= convert(input, args.to, &mut out)?;
    }
    out.flush()?;
    Ok(if all_well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Converts all games in an input. Returns true if there was at least one game and there were no
/// faults.
fn convert(input: Input, to: Target, out: &mut impl Write) -> io::Result<bool> {
    match input.format.game() {
        GameKind::Chess => {
            let all = All { input, read: games::chess, out };
            match to {
                Target::Games(Format::Chess(notation)) => {
                    all.write(true, |out, game| write_sheet(out, game, notation))
                }
                Target::Games(_) | Target::Hub => all.write(true, |out, game| game.write_to(out)),
                Target::Uci => all.write(false, write_uci),
                Target::Fen => all.write(false, write_last),
                Target::Epd => all.write(false, |out, game| {
                    write_positions(out, game, |position, operations| {
                        chess::epd::Epd { position, operations }.to_string()
                    })
                }),
            }
        }
        GameKind::Draughts => {
            let all = All { input, read: games::draughts, out };
            match to {
                Target::Games(Format::Draughts) => {
                    all.write(true, |out, game| write_sheet(out, game, Numeric))
                }
                Target::Hub => all.write(false, write_hub),
                Target::Fen => all.write(false, write_last),
                Target::Epd => all.write(false, |out, game| {
                    write_positions(out, game, |position, operations| {
                        draughts::epd::Epd { position, operations }.to_string()
                    })
                }),
                Target::Games(_) | Target::Uci => all.write(true, |out, game| game.write_to(out)),
            }
        }
    }
}

/// An input, the function that reads its games, and the output.
struct All<'a, P: Recorded, W> {
    input: Input,
    read: fn(Input) -> games::Games<P>,
    out: &'a mut W,
}

impl<P: Recorded, W: Write> All<'_, P, W> {
    /// Writes every game. Returns true if there was at least one game and there were no faults.
    /// Comments are read only if `has_comments` is true.
    fn write(
        self,
        has_comments: bool,
        write: impl Fn(&mut Vec<u8>, &Record<P>) -> io::Result<()> + Sync,
    ) -> io::Result<bool> {
        let Self { input, read, out } = self;
        let name = input.name.clone();
        let counts = match input.format {
            Format::Pgn | Format::Pdn => games::write_records(input, has_comments, write, out)?,
            _ => games::write_each(&name, read(input), write, out)?,
        };
        if counts == games::Counts::default() {
            super::print_error(format_args!("{name}: there is no game"));
        }
        Ok(counts.games > 0 && counts.faults == 0)
    }
}

/// Writes a game as a UCI `position` command. In Chess960, castling is written as the king
/// capturing its rook.
fn write_uci(out: &mut impl Write, game: &Record<chess::Position>) -> io::Result<()> {
    let start = game.start();
    let fen = (*start != chess::Position::start()).then(|| start.fen());
    write!(out, "{}", Command::Position { fen, moves: Vec::new() })?;
    let is_chess960 = game.is_chess960();
    for (ply, m) in game.moves().enumerate() {
        out.write_all(if ply == 0 { b" moves ".as_slice() } else { b" ".as_slice() })?;
        out.write_all(start.uci(m, is_chess960).as_bytes())?;
    }
    writeln!(out)
}

/// Writes a game as a Hub `pos` command. A game of a variant is preceded by the command that
/// selects the variant.
fn write_hub(out: &mut impl Write, game: &Record<draughts::Position>) -> io::Result<()> {
    let variant = game.start().variant();
    if variant != draughts::Variant::Normal {
        let variant = HubCommand::SetParam { name: "variant", value: variant.name() };
        writeln!(out, "{variant}")?;
    }
    let pos = draughts::hub::write(game.start()).to_string();
    let moves: Vec<String> = game.moves().map(|m| m.to_string()).collect();
    let moves = moves.iter().map(String::as_str).collect();
    writeln!(out, "{}", HubCommand::Pos { pos: &pos, moves })
}

fn write_last<P: Recorded>(out: &mut impl Write, game: &Record<P>) -> io::Result<()> {
    writeln!(out, "{}", game.position().to_fen())
}

/// Writes every position in the main line as EPD, with the move played in it.
fn write_positions<P: Recorded>(
    out: &mut impl Write,
    game: &Record<P>,
    line: impl Fn(P, Vec<Operation>) -> String,
) -> io::Result<()> {
    let mut position = game.start().clone();
    let player = |tag| game.tag(tag).unwrap_or("?").replace('"', "'");
    let players = format!("{} - {}", player("White"), player("Black"));
    for (ply, m) in (1..).zip(game.moves()) {
        let played = Operation::new("sm", &[&position.write_move(m, MoveForm::Record)]);
        let id = Operand::Text(format!("{players}, ply {ply}"));
        let id = Operation { opcode: "id".to_owned(), operands: vec![id] };
        let after = position.after(m);
        writeln!(out, "{}", line(std::mem::replace(&mut position, after), vec![played, id]))?;
    }
    writeln!(out, "{}", line(position, Vec::new()))
}

fn write_sheet<P: Recorded, N: Notate<P>>(
    out: &mut impl Write,
    game: &Record<P>,
    notation: N,
) -> io::Result<()> {
    write!(out, "{}", Sheet::of(game, notation))
}
