//! `adoube seal` and `adoube open`: seal a move when a game is adjourned, and open the envelope
//! when it is resumed.

use crate::base::file::create_private;
use crate::base::side::Side;
use crate::base::text::Visible;
use crate::chess::MoveError;
use crate::chess::Position;
use crate::chess::notation::Notation;
use crate::laws::{Edition, Rule};
use crate::tools::envelope::{ArbiterKey, Envelope, EnvelopeError, Outside};
use anyhow::Context;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Seal a move for an adjourned game
///
/// The arbiter creates a key once with `adoube seal --new-key arbiter.key`, keeps the file secret
/// and gives the players the printed public key. The move is read from standard input and sealed in
/// an envelope that only the arbiter can open. Both players and the arbiter write down the printed
/// fingerprint, which identifies the envelope.
///
/// Laws: Par. 21 of 1928; Art. 21 of 1930; annexes 1 to 3 of 2009.
#[derive(clap::Args, Debug)]
pub(super) struct SealArgs {
    /// Create an arbiter's key: write the secret key to this file, which must not exist, and print
    /// the public key
    #[arg(long, value_name = "FILE", exclusive = true)]
    new_key: Option<PathBuf>,
    /// Public key of the arbiter
    #[arg(long, value_name = "KEY", required_unless_present = "new_key")]
    arbiter: Option<String>,
    /// Position before the sealed move
    #[arg(long, value_name = "FEN", required_unless_present = "new_key")]
    position: Option<String>,
    /// Player of the white pieces
    #[arg(long, value_name = "NAME", default_value = "?")]
    white: String,
    /// Player of the black pieces
    #[arg(long, value_name = "NAME", default_value = "?")]
    black: String,
    /// White's clock, such as 1:58:30
    #[arg(long, value_name = "TIME")]
    white_clock: Option<String>,
    /// Black's clock
    #[arg(long, value_name = "TIME")]
    black_clock: Option<String>,
    /// Record that a draw offer is open
    #[arg(long)]
    draw_offer: bool,
    /// Time and place of the resumption
    #[arg(long, value_name = "TEXT")]
    resumption: Option<String>,
    /// Notation of the move, such as fr, de:long, descriptive:fr
    #[arg(long, value_name = "NOTATION", default_value = "san")]
    notation: Notation,
    /// Write the envelope to this file, which must not exist
    #[arg(long, value_name = "FILE", required_unless_present = "new_key")]
    out: Option<PathBuf>,
}

/// Open the envelope of an adjourned game and print what the laws say about it
///
/// The envelope is opened when the player who must reply is present (Art. 21.6 of 1930; annex 7 of
/// 2009). The exit code is 1 if the envelope is missing, or has been altered or exchanged, or if
/// its contents are not exactly one legal move. It is also 1 if neither --fingerprint nor
/// --without-fingerprint is given, because an exchanged envelope would then go unnoticed.
#[derive(clap::Args, Debug)]
pub(super) struct OpenArgs {
    /// Envelope file written by `adoube seal`
    envelope: PathBuf,
    /// File with the arbiter's secret key
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    /// Fingerprint that was written down when the envelope was sealed
    #[arg(long, value_name = "DIGITS")]
    fingerprint: Option<String>,
    /// Open the envelope even though no fingerprint was written down (an exchanged envelope would
    /// go unnoticed)
    #[arg(long, conflicts_with = "fingerprint")]
    without_fingerprint: bool,
}

pub(super) fn seal(args: &SealArgs) -> anyhow::Result<ExitCode> {
    let mut out = io::stdout().lock();
    if let Some(path) = &args.new_key {
        let key = ArbiterKey::generate();
        create(path, &format!("{}\n", key.secret()))?;
        writeln!(out, "{}", key.public())?;
        return Ok(ExitCode::SUCCESS);
    }
    let (Some(arbiter), Some(position), Some(path)) = (&args.arbiter, &args.position, &args.out)
    else {
        anyhow::bail!("give --arbiter, --position and --out");
    };
    let mut text = String::new();
    io::stdin().read_line(&mut text)?;
    let outside = Outside {
        white: args.white.clone(),
        black: args.black.clone(),
        position: position.parse::<Position>()?.fen(),
        white_clock: args.white_clock.clone(),
        black_clock: args.black_clock.clone(),
        draw_offer: args.draw_offer,
        resumption: args.resumption.clone(),
        notation: args.notation.to_string(),
    };
    let envelope = Envelope::close(outside, arbiter, text.trim())?;
    create(path, &envelope.to_string())?;
    writeln!(out, "fingerprint: {}", envelope.fingerprint())?;
    Ok(ExitCode::SUCCESS)
}

fn create(path: &Path, text: &str) -> anyhow::Result<()> {
    let written = create_private(path).and_then(|mut file| file.write_all(text.as_bytes()));
    written.with_context(|| path.display().to_string())
}

pub(super) fn open(args: &OpenArgs) -> anyhow::Result<ExitCode> {
    let key = std::fs::read_to_string(&args.key).with_context(|| args.key.display().to_string())?;
    let key: ArbiterKey = key.parse().with_context(|| args.key.display().to_string())?;
    let mut out = Visible(io::stdout().lock());
    let text = match std::fs::read_to_string(&args.envelope) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            writeln!(out, "there is no envelope {}", args.envelope.display())?;
            return doubtful(&mut out, Rule::EnvelopeLost);
        }
        Err(error) => return Err(error).with_context(|| args.envelope.display().to_string()),
    };
    let opened = text.parse::<Envelope>().and_then(|envelope| match &args.fingerprint {
        None if !args.without_fingerprint => Ok((envelope, None)),
        fingerprint => {
            fingerprint.as_deref().map_or(Ok(()), |print| envelope.check_fingerprint(print))?;
            let text = envelope.open(&key)?;
            Ok((envelope, Some(text)))
        }
    });
    let (outside, text) = match opened {
        Ok((envelope, Some(text))) => (envelope.outside, text),
        Ok((envelope, None)) => return refuse_unchecked(&mut out, &envelope),
        Err(error @ EnvelopeError::Key { .. }) => return Err(error.into()),
        // The laws do not mention altered envelopes, so the envelope is treated as lost.
        Err(error) => {
            writeln!(out, "{}", one_line(&error))?;
            return doubtful(&mut out, Rule::EnvelopeLost);
        }
    };
    let (position, notation): (Position, Notation) =
        (outside.position.parse()?, outside.notation.parse()?);
    print(&mut out, &outside, &position)?;
    writeln!(out, "written: {text:?}")?;
    if text.trim().is_empty() {
        return doubtful(&mut out, Rule::NothingSealed);
    }
    match notation.read(&position, &text) {
        Ok(annotated) => {
            writeln!(out, "move: {}", position.san(annotated.m))?;
            if annotated.remarks.draw_offer {
                writeln!(out, "A draw offer is written with the move:")?;
                for edition in Edition::ALL {
                    print_laws(&mut out, edition, [Rule::Sealed])?;
                }
            }
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => {
            writeln!(out, "{}", one_line(&error))?;
            doubtful(
                &mut out,
                match error {
                    MoveError::Ambiguous { .. } => Rule::SealedAmbiguous,
                    MoveError::Illegal { .. } => Rule::SealedIllegal,
                    _ => Rule::SealedUnreadable,
                },
            )
        }
    }
}

/// Formats an error on one line. Control characters are replaced, because the error may quote a
/// player's text.
fn one_line(error: &impl Display) -> String {
    error.to_string().replace(char::is_control, "\u{fffd}")
}

/// Reports that an envelope stays closed because its fingerprint was not checked.
fn refuse_unchecked(out: &mut impl Write, envelope: &Envelope) -> anyhow::Result<ExitCode> {
    writeln!(
        out,
        "the envelope stays closed: without the fingerprint noted at sealing, an exchange cannot be \
         detected.\n\
         Its fingerprint is {}; if this was noted, open it with --fingerprint and these digits; if \
         none was noted, with --without-fingerprint.",
        envelope.fingerprint()
    )?;
    Ok(ExitCode::FAILURE)
}

fn doubtful(out: &mut impl Write, doubt: Rule) -> anyhow::Result<ExitCode> {
    for edition in Edition::ALL {
        let repair = edition.terms().repair.allows(doubt).then_some(Rule::SealedRepaired);
        print_laws(out, edition, [doubt].into_iter().chain(repair))?;
    }
    Ok(ExitCode::FAILURE)
}

fn print_laws(
    out: &mut impl Write,
    edition: Edition,
    rules: impl IntoIterator<Item = Rule>,
) -> io::Result<()> {
    for law in rules.into_iter().filter_map(|rule| edition.law(rule)) {
        writeln!(out, "  {edition}, {}: {}", law.article, law.summary)?;
    }
    Ok(())
}

/// Prints the text on the outside of the envelope. Text chosen by the players is quoted, so that it
/// cannot be mistaken for the program's output.
fn print(out: &mut impl Write, outside: &Outside, position: &Position) -> io::Result<()> {
    let by = position.side();
    let name = if by == Side::White { &outside.white } else { &outside.black };
    writeln!(out, "White: {:?}\nBlack: {:?}", outside.white, outside.black)?;
    writeln!(out, "position: {}", position.fen())?;
    for (side, clock) in [("White", &outside.white_clock), ("Black", &outside.black_clock)] {
        if let Some(clock) = clock {
            writeln!(out, "{side}'s clock: {clock:?}")?;
        }
    }
    writeln!(out, "sealed by: {name:?} ({by}), move {}", position.fullmove())?;
    if outside.draw_offer {
        writeln!(out, "a draw offer is open")?;
    }
    if let Some(resumption) = &outside.resumption {
        writeln!(out, "resumed: {resumption:?}")?;
    }
    Ok(())
}
