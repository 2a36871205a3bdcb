//! `adoube start`: sets up a game.

use crate::base::game::GameKind;
use crate::base::rng::Rng;
use crate::base::side::Side;
use crate::chess::Position;
use crate::chess::odds::{Odds, chess960_by_dice};
use crate::laws::event::{Event, Incident};
use crate::laws::ruled::Ruled;
use crate::{chess, draughts};
use anyhow::Context;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::io::{self, Write};
use std::num::ParseIntError;
use std::process::ExitCode;
use std::str::FromStr;

/// Set up a game: odds, Chess960, draughts with fewer men
///
/// Prints the start position as a FEN, followed by lines that begin with # and explain special
/// conditions. The default is the start position of chess. With --events, prints input for `adoube
/// referee` instead, which can express more than a FEN can.
///
/// Odds follow the laws of 1928 and 1930 (Par. 22; Art. 22). Chess960 follows the laws of 2009
/// (20.1 to 20.3). In draughts, the stronger player can begin with fewer men (FMJD 11.1.7).
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Game
    #[arg(long, default_value = "chess")]
    game: GameKind,
    /// Odds: "knight", "pawn and move", "pawn and two moves", "king's rook", "queen", ...
    #[arg(long, conflicts_with_all = ["chess960", "dice"])]
    odds: Option<Odds>,
    /// Moves given as odds, as in --odds "pawn and two moves" --moves e4,d4
    #[arg(long, value_delimiter = ',', requires = "odds", value_name = "MOVE")]
    moves: Vec<String>,
    /// Chess960 start position with this number, 0 to 959; a random one if N is omitted
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "random", conflicts_with = "dice")]
    chess960: Option<Chess960Start>,
    /// Chess960 start position from throws of a die for the two bishops, the queen and the two
    /// knights, in that order. Each throw counts free squares from the left; repeat a throw that is
    /// too high
    #[arg(long, value_delimiter = ',', value_name = "THROW")]
    dice: Vec<u8>,
    /// Draughts: remove this many men from White (the stronger player), starting at the right end
    /// of White's back row
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..20))]
    less: Option<u8>,
    /// Print events for `adoube referee`: the position, or the odds and their moves
    #[arg(long)]
    events: bool,
    /// Draughts: remove the men on these squares, instead of --less
    #[arg(long, value_delimiter = ',', value_name = "SQUARE", conflicts_with = "less")]
    without: Vec<draughts::Square>,
}

#[derive(Clone, Copy, Debug)]
enum Chess960Start {
    Number(u16),
    Random,
}

impl FromStr for Chess960Start {
    type Err = ParseIntError;

    fn from_str(text: &str) -> Result<Self, ParseIntError> {
        if text == "random" { Ok(Self::Random) } else { text.parse().map(Self::Number) }
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let of_chess = args.odds.is_some() || args.chess960.is_some() || !args.dice.is_empty();
    let of_draughts = args.less.is_some() || !args.without.is_empty();
    let mut out = io::stdout().lock();
    match args.game {
        GameKind::Chess if of_draughts => {
            anyhow::bail!("--less and --without are for draughts (--game draughts)")
        }
        GameKind::Draughts if of_chess => {
            anyhow::bail!("--odds, --chess960 and --dice are for chess")
        }
        GameKind::Chess => chess(args, &mut out)?,
        GameKind::Draughts => draughts(args, &mut out)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn chess(args: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    if let Some(odds) = args.odds {
        return print_odds(odds, args, out);
    }
    let number = match args.chess960 {
        _ if !args.dice.is_empty() => Some(chess960_by_dice(&args.dice)?),
        Some(Chess960Start::Number(number)) => Some(number),
        Some(Chess960Start::Random) => {
            // Each `RandomState` has a random seed.
            let seed = RandomState::new().hash_one(0);
            Some(Rng::new(seed).below(960) as u16)
        }
        None => None,
    };
    match number {
        None => print_start(&Position::start(), args, out)?,
        Some(number) => {
            let start = Position::chess960(number).with_context(|| {
                format!("there is no Chess960 start position {number} (0 to 959)")
            })?;
            print_start(&start, args, out)?;
            writeln!(out, "# Chess960 start position {number} (20.2)")?;
        }
    }
    Ok(())
}

fn print_start<G: Ruled>(position: &G, args: &Args, out: &mut impl Write) -> io::Result<()> {
    if args.events {
        let event = Event::Game(Incident::Setup(Box::new(position.clone()), Vec::new()));
        writeln!(out, "{event}")
    } else {
        writeln!(out, "{}", position.to_fen())
    }
}

/// Returns the referee event that announces the odds. Unlike a FEN, this event allows the giver of
/// the odds to castle on the side of a missing rook (Art. 22.8).
fn odds_event<G: Ruled>(pieces: Vec<G::Square>, moves: u8, by: Side) -> Event<G> {
    Event::Game(match pieces.is_empty() {
        true => Incident::OddsMoves(moves, by),
        false => Incident::Odds { pieces, moves, by },
    })
}

fn print_odds(odds: Odds, args: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    let moves = &args.moves;
    let made = !moves.is_empty();
    let position = if made { odds.after(moves)? } else { odds.start()? };
    let giver = odds.giver();
    let event = odds_event::<Position>(odds.missing().into_iter().collect(), odds.moves, giver);
    if args.events {
        writeln!(out, "{event}")?;
        if made {
            writeln!(out, "moves {}", moves.join(" "))?;
        }
    } else {
        writeln!(out, "{}", position.fen())?;
        writeln!(out, "# for a referee: {event}")?;
    }
    writeln!(out, "# {giver} gives {odds}")?;
    match (odds.piece, giver) {
        (Some(_), Side::White) => {
            writeln!(out, "# White gives a piece and therefore moves first (Art. 22.5)")?
        }
        (_, Side::Black) => {
            writeln!(out, "# the odds include the move, so the receiver has White (Art. 22.5)")?;
        }
        (None, Side::White) => {}
    }
    if odds.moves > 1 && !made {
        let many = odds.moves;
        writeln!(
            out,
            "# White's first turn is {many} moves in a row, none of them past the middle of the \
             board (Art. 22.2, 22.4)"
        )?;
    }
    if odds.moves > 1 {
        writeln!(
            out,
            "# for the clock these are {0} moves, and Black's first move counts as {0} (Art. 22.3)",
            odds.moves
        )?;
    }
    if let Some((chess::Kind::Rook, _)) = odds.piece {
        writeln!(
            out,
            "# {giver} may castle on the side of the missing rook as if it were there, if its square \
             is empty (Art. 22.8)"
        )?;
    }
    Ok(())
}

fn draughts(args: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    let mut missing = draughts::Bitboard::EMPTY;
    for &square in &args.without {
        let there = (31..=50).contains(&square.number()) && !missing.has(square);
        anyhow::ensure!(there, "--without: White has no man on {square}");
        missing |= draughts::Bitboard::of(square);
    }
    let less = draughts::Square::all().rev().take(args.less.unwrap_or(0).into());
    missing |= less.collect::<draughts::Bitboard>();
    let position =
        draughts::Position::start_without(missing).context("White must keep at least one man")?;
    let missing: Vec<draughts::Square> = missing.into_iter().collect();
    if args.events && !missing.is_empty() {
        writeln!(out, "{}", odds_event::<draughts::Position>(missing.clone(), 0, Side::White))?;
    } else {
        print_start(&position, args, out)?;
    }
    let missing = missing.len();
    if missing > 0 {
        let pieces = if missing == 1 { "piece" } else { "pieces" };
        writeln!(out, "# White begins with {missing} {pieces} fewer (FMJD 11.1.7)")?;
    }
    Ok(())
}
