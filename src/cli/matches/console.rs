//! Match progress in the output formats of fastchess and cutechess-cli, which many programs parse.

use crate::arena::game::contest::Contest;
use crate::arena::game::ending::{EndingKind, GameEnding};
use crate::arena::game::record::GameRecord;
use crate::arena::show::tables::Measure;
use crate::arena::stats::Pairs;
use crate::arena::stats::sprt::{Sprt, SprtVerdict};
use crate::arena::tournament::config::Console;
use crate::arena::tournament::schedule::Pairing;
use crate::arena::tournament::{Standings, Tournament};
use crate::base::side::Side;
use std::fmt::Write;

/// The default number of games between two blocks of statistics, as in fastchess and cutechess-cli.
pub(super) const DEFAULT_INTERVAL: u32 = 10;

/// Formats the start of a game.
pub(super) fn started(pairing: &Pairing, names: &[String], all: usize) -> String {
    let [white, black] = [&names[pairing.white], &names[pairing.black]];
    format!("Started game {} of {all} ({white} vs {black})", pairing.game + 1)
}

/// Formats the end of a game, as in `Finished game 12 (A vs B): 1-0 {White mates}`.
pub(super) fn finished<G: Contest>(
    pairing: &Pairing,
    game: &GameRecord<G>,
    [white, black]: [&str; 2],
) -> String {
    let result = match (&game.ending, game.winner) {
        (GameEnding::Aborted, _) => "*",
        (_, Some(Side::White)) => "1-0",
        (_, Some(Side::Black)) => "0-1",
        (_, None) => "1/2-1/2",
    };
    let reason = reason(&game.ending, game.winner);
    format!("Finished game {} ({white} vs {black}): {result} {{{reason}}}", pairing.game + 1)
}

/// Describes the end of a game, in the words of fastchess and cutechess-cli if they have a phrase
/// for this ending.
fn reason(ending: &GameEnding, winner: Option<Side>) -> String {
    let kind = match ending {
        GameEnding::Law(rule) => Some(EndingKind::from(*rule)),
        _ => None,
    };
    match (ending, kind, winner) {
        (_, Some(EndingKind::Checkmate), Some(side)) => format!("{side} mates"),
        (_, Some(EndingKind::Stalemate), None) => "Draw by stalemate".into(),
        (_, Some(EndingKind::DeadPosition), None) => "Draw by insufficient mating material".into(),
        (_, Some(EndingKind::Repetition), None) => "Draw by 3-fold repetition".into(),
        (_, Some(EndingKind::FiftyMoves), None) => "Draw by fifty moves rule".into(),
        (GameEnding::AdjudicatedWin | GameEnding::Tables(_), _, Some(side)) => {
            format!("{side} wins by adjudication")
        }
        (GameEnding::AdjudicatedDraw | GameEnding::Tables(_) | GameEnding::MoveLimit, _, None) => {
            "Draw by adjudication".into()
        }
        (GameEnding::Time(_), _, Some(side)) => format!("{} loses on time", !side),
        (GameEnding::Time(_) | GameEnding::TimeDrawn(_), ..) => {
            "Draw by timeout vs insufficient material".into()
        }
        (GameEnding::IllegalMove(text), _, Some(side)) => {
            format!("{} makes an illegal move: {text}", !side)
        }
        (GameEnding::Resignation(side), ..) => format!("{side} resigns"),
        (GameEnding::Crash(side, _), ..) => format!("{side} disconnects"),
        (GameEnding::Stall(side, _), ..) => format!("{side}'s connection stalls"),
        (GameEnding::Aborted, ..) => "No result".into(),
        (ending, _, Some(side)) => format!("{side} wins: {ending}"),
        (ending, _, None) => format!("Draw: {ending}"),
    }
}

/// Formats the score after a game, as cutechess-cli does. Returns an empty string if there are more
/// than two engines.
pub(super) fn score_line<G: Contest>(tournament: &Tournament<G>, standings: &Standings) -> String {
    let [first, second] = &tournament.entrants[..] else { return String::new() };
    let tally = standings.tallies[0];
    format!(
        "Score of {} vs {}: {} - {} - {}  [{:.3}] {}\n",
        first.name,
        second.name,
        tally.wins,
        tally.losses,
        tally.draws,
        tally.score(),
        tally.games()
    )
}

/// Formats the statistics of the match so far.
pub(super) fn block<G: Contest>(
    console: Console,
    tournament: &Tournament<G>,
    standings: &Standings,
) -> String {
    let text = match (tournament.entrants.len(), console) {
        (2, Console::Cutechess) => cutechess_duel(tournament, standings),
        (2, _) => fastchess_duel(tournament, standings),
        _ => ranking(tournament, standings),
    };
    if console == Console::Cutechess {
        return text;
    }
    let rule = "-".repeat(50);
    format!("{rule}\n{text}{rule}\n")
}

/// The log-likelihood ratio of an SPRT, its bounds, and the progress towards a bound in percent.
struct Progress {
    llr: f64,
    lower: f64,
    upper: f64,
    percent: f64,
}

impl Progress {
    fn of(sprt: Sprt, pairs: &Pairs) -> Self {
        let (llr, (lower, upper)) = (sprt.llr(pairs), sprt.bounds());
        let percent = 100.0 * if llr < 0.0 { llr / lower } else { llr / upper };
        Self { llr, lower, upper, percent }
    }
}

fn fastchess_duel<G: Contest>(tournament: &Tournament<G>, standings: &Standings) -> String {
    let (tally, pairs) = (standings.tallies[0], standings.pairs[0][1]);
    let (elo, normalised) = (pairs.elo(), pairs.normalised_elo());
    let drawn = pairs.0[2] as f64 / pairs.count().max(1) as f64;
    let ratio = pairs.ratio().map_or("inf".to_owned(), |ratio| format!("{ratio:.2}"));
    let mut text = format!(
        "Results of {} vs {} ({}):\n",
        tournament.entrants[0].name,
        tournament.entrants[1].name,
        tournament.control(0)
    );
    text += &format!(
        "Elo: {:.2} +/- {:.2}, nElo: {:.2} +/- {:.2}\n",
        elo.value, elo.error, normalised.value, normalised.error
    );
    text += &format!(
        "LOS: {:.2} %, DrawRatio: {:.2} %, PairsRatio: {ratio}\n",
        100.0 * pairs.superiority(),
        100.0 * drawn
    );
    text += &format!(
        "Games: {}, Wins: {}, Losses: {}, Draws: {}, Points: {:.1} ({:.2} %)\n",
        tally.games(),
        tally.wins,
        tally.losses,
        tally.draws,
        tally.points(),
        100.0 * tally.score()
    );
    text += &format!("Ptnml(0-2): {:?}\n", pairs.0);
    if let Some(sprt) = tournament.sprt {
        let Progress { llr, lower, upper, percent } = Progress::of(sprt, &pairs);
        text += &format!(
            "LLR: {llr:.2} ({percent:.1}%) ({lower:.2}, {upper:.2}) [{:.2}, {:.2}]\n",
            sprt.elo0, sprt.elo1
        );
        match sprt.verdict(&pairs) {
            SprtVerdict::Open => {}
            SprtVerdict::AcceptH0 => text += "SPRT: H0 was accepted\n",
            SprtVerdict::AcceptH1 => text += "SPRT: H1 was accepted\n",
        }
    }
    text
}

fn cutechess_duel<G: Contest>(tournament: &Tournament<G>, standings: &Standings) -> String {
    let (tally, pairs) = (standings.tallies[0], standings.pairs[0][1]);
    let elo = pairs.elo();
    let mut text = format!(
        "Elo difference: {:.1} +/- {:.1}, LOS: {:.1} %, DrawRatio: {:.1} %\n",
        elo.value,
        elo.error,
        100.0 * pairs.superiority(),
        100.0 * tally.draw_ratio()
    );
    if let Some(sprt) = tournament.sprt {
        let Progress { llr, lower, upper, percent } = Progress::of(sprt, &pairs);
        let verdict = match sprt.verdict(&pairs) {
            SprtVerdict::Open => "",
            SprtVerdict::AcceptH0 => " - H0 was accepted",
            SprtVerdict::AcceptH1 => " - H1 was accepted",
        };
        text += &format!(
            "SPRT: llr {llr:.3} ({percent:.1}%), lbound {lower:.2}, ubound {upper:.2}{verdict}\n"
        );
    }
    text
}

/// Formats the ranking of more than two engines. The format is the same in fastchess and
/// cutechess-cli.
fn ranking<G: Contest>(tournament: &Tournament<G>, standings: &Standings) -> String {
    let order = tournament.ranking(standings);
    let ratings = standings.ratings();
    let mut text =
        "Rank Name                          Elo     +/-   Games   Score    Draw\n".to_owned();
    let rated = matches!(Measure::of(tournament, &ratings, None), Measure::Rating(..));
    for (place, &player) in (1..).zip(&order) {
        let (tally, rating) = (standings.tallies[player], ratings.of(player, None));
        let (value, error) = match rated {
            true => (format!("{:.0}", rating.value), format!("{:.0}", rating.error)),
            false => ("-".to_owned(), "-".to_owned()),
        };
        let name: String = tournament.entrants[player].name.chars().take(25).collect();
        writeln!(
            text,
            "{place:>4} {name:25} {value:>7} {error:>7} {:>7} {:>6.1}% {:>6.1}%",
            tally.games(),
            100.0 * tally.score(),
            100.0 * tally.draw_ratio()
        )
        .ok();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::Rule;

    /// OpenBench and other programs search the output for these phrases.
    #[test]
    fn describes_endings_as_other_match_runners_do() {
        for (ending, winner, expected) in [
            (GameEnding::Law(Rule::Checkmate), Some(Side::White), "White mates"),
            (GameEnding::Law(Rule::Stalemate), None, "Draw by stalemate"),
            (GameEnding::Law(Rule::Repetition), None, "Draw by 3-fold repetition"),
            (GameEnding::Law(Rule::NoMove), Some(Side::Black), "Black wins: no move left"),
            (GameEnding::AdjudicatedWin, Some(Side::Black), "Black wins by adjudication"),
            (GameEnding::Tables(None), None, "Draw by adjudication"),
            (
                GameEnding::IllegalMove("e2e5".into()),
                Some(Side::Black),
                "White makes an illegal move: e2e5",
            ),
            (GameEnding::Crash(Side::White, "x".into()), Some(Side::Black), "White disconnects"),
            (
                GameEnding::Stall(Side::Black, "x".into()),
                Some(Side::White),
                "Black's connection stalls",
            ),
            (GameEnding::Aborted, None, "No result"),
        ] {
            let found = reason(&ending, winner);
            assert!(found.starts_with(expected.split(':').next().unwrap_or_default()), "{found}");
        }
    }
}
