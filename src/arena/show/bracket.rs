//! The bracket of a knockout tournament for the terminal, the report and the page for spectators.

use super::rounds::{result_text, round_name};
use crate::arena::game::contest::Contest;
use crate::arena::stats::points_text;
use crate::arena::tournament::bracket::{self, BracketMatch, BracketSide};
use crate::arena::tournament::schedule::Form;
use crate::arena::tournament::{Standings, Tournament};
use serde::Serialize;

/// A bracket in display form. The winners of matches `2n` and `2n + 1` of a round meet in match `n`
/// of the next round.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct BracketView {
    pub rounds: Vec<BracketRound>,
    pub winner: Option<usize>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct BracketRound {
    pub name: String,
    pub matches: Vec<MatchView>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct MatchView {
    pub sides: [SideView; 2],
    /// True if one player advances without a game. The other side is then empty.
    pub bye: bool,
    /// The result including play-offs, as in the table of rounds. Empty for a bye, and until the
    /// round is paired.
    pub result: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub(crate) struct SideView {
    /// The player. `None` for a bye, or if the player is not known yet.
    pub player: Option<usize>,
    /// The points in the match, followed by the points in each play-off, such as `1½` or `1+2`.
    /// Empty for a bye, and until the round is paired.
    pub points: String,
    /// True if the player has won the match or has a bye.
    pub advances: bool,
}

/// Returns the bracket of a knockout; `None` for other tournament formats.
pub(crate) fn view<G: Contest>(
    tournament: &Tournament<G>,
    standings: &Standings,
) -> Option<BracketView> {
    let mut schedule = tournament.schedule.clone();
    schedule.extend(&standings.results);
    let rounds = bracket::bracket(&schedule, &standings.results)?;
    let in_all = rounds.len();
    let rounds = (1..).zip(&rounds).map(|(number, matches)| BracketRound {
        name: round_name(Form::Knockout, in_all, number),
        matches: matches.iter().map(sides).collect(),
    });
    let winner = tournament.order(standings).and_then(|order| order.first().copied());
    Some(BracketView { rounds: rounds.collect(), winner })
}

fn sides(met: &BracketMatch) -> MatchView {
    let bye = met.sides.contains(&BracketSide::Bye);
    let side = |at: usize| {
        let points = met.summary.iter().flat_map(|summary| &summary.half_points);
        let points: Vec<String> = points.map(|both| points_text(both[at] as u64)).collect();
        let player = met.sides[at].player();
        let winner = met.summary.as_ref().and_then(|summary| summary.winner());
        SideView {
            player,
            points: points.join("+"),
            advances: player.is_some() && (bye || winner == player),
        }
    };
    let result = met.summary.as_ref().map(|met| result_text(Form::Knockout, met));
    MatchView { sides: [side(0), side(1)], bye, result: result.unwrap_or_default() }
}

/// The minimum length of a shortened name, and the minimum width of a cell.
const MIN_WIDTH: usize = 6;

/// The width of the connecting line between two rounds, including a space on either side.
const LINK: usize = 3;

impl BracketView {
    /// Draws the bracket with lines of at most `width` characters, and shortens names where
    /// necessary. `names` are the names of all players. Returns `None` if there are too many rounds
    /// for the width.
    pub(crate) fn draw(&self, names: &[String], width: usize) -> Option<String> {
        let name = |player: Option<usize>| player.and_then(|p| names.get(p)).map_or("", |n| n);
        let (first, columns) = (self.rounds.first()?, self.rounds.len() + 1);
        // The final column contains the winner without points.
        let room = (width + LINK) / columns - LINK;
        let mut canvas = vec![vec![' '; width]; 4 * first.matches.len() - 1];
        let mut start = 0;
        for (n, round) in self.rounds.iter().enumerate() {
            let cells = round.matches.iter().flat_map(|met| &met.sides);
            let points = cells.clone().map(|side| side.points.chars().count()).max().unwrap_or(0);
            let max_length = cells.map(|side| name(side.player).chars().count()).max().unwrap_or(0);
            let gap = usize::from(points > 0);
            let length = max_length.min(room.saturating_sub(points + gap));
            if max_length > length && length < MIN_WIDTH {
                return None;
            }
            let cell = (length + gap + points).max(MIN_WIDTH);
            // The sides of a match are two lines apart in the first round, four in the second, and
            // so on.
            let (step, offset) = (2 << n, (1 << n) - 1);
            for (m, met) in round.matches.iter().enumerate().filter(|(_, met)| !met.bye) {
                let lines = [2 * m, 2 * m + 1].map(|side| offset + step * side);
                for (side, line) in met.sides.iter().zip(lines) {
                    let name = shortened(name(side.player), length);
                    let space = cell - name.chars().count() - side.points.chars().count();
                    let text = format!("{name}{}{}", " ".repeat(space), side.points);
                    put(&mut canvas[line], start, &text);
                }
                let bend = start + cell + 1;
                put(&mut canvas[lines[0]], bend, "┐");
                put(&mut canvas[lines[1]], bend, "┘");
                for line in canvas.iter_mut().take(lines[1]).skip(lines[0] + 1) {
                    put(line, bend, "│");
                }
                put(&mut canvas[(lines[0] + lines[1]) / 2], bend, "├");
            }
            start += cell + LINK;
        }
        let middle = canvas.len() / 2;
        put(&mut canvas[middle], start, &shortened(name(self.winner), room));
        let line = |line: &Vec<char>| line.iter().collect::<String>().trim_end().to_owned();
        Some(canvas.iter().map(line).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n"))
    }
}

fn put(line: &mut [char], at: usize, text: &str) {
    line.iter_mut().skip(at).zip(text.chars()).for_each(|(place, c)| *place = c);
}

/// Shortens a text to at most `length` characters. A shortened text ends with `…`.
pub(crate) fn shortened(text: &str, length: usize) -> String {
    if text.chars().count() <= length {
        return text.to_owned();
    }
    text.chars().take(length.saturating_sub(1)).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// Returns the names and the bracket. Each side is given as name and points. The name `bye`
    /// marks a bye, and an empty name an unknown player.
    fn of(rounds: &[&[[(&str, &str); 2]]], winner: Option<&str>) -> (Vec<String>, BracketView) {
        let all = rounds.iter().copied().flatten().flatten();
        let mut names: Vec<String> = all.map(|(name, _)| (*name).to_owned()).collect();
        names.retain(|name| !name.is_empty() && name != "bye");
        let player = |name: &str| names.iter().position(|n| n == name);
        let side = |(name, points): (&str, &str)| SideView {
            player: player(name),
            points: points.to_owned(),
            advances: false,
        };
        let met = |sides: &[(&str, &str); 2]| MatchView {
            sides: sides.map(side),
            bye: sides.iter().any(|(name, _)| *name == "bye"),
            result: String::new(),
        };
        let round = |matches: &&[[(&str, &str); 2]]| BracketRound {
            name: String::new(),
            matches: matches.iter().map(met).collect(),
        };
        let rounds = rounds.iter().map(round).collect();
        let winner = winner.and_then(player);
        (names, BracketView { rounds, winner })
    }

    #[test]
    fn draws_the_way_to_the_final() {
        let rounds: [&[_]; 2] = [
            &[[("first", "1+1"), ("fourth", "1+½")], [("second", "0"), ("third", "2")]],
            &[[("first", "½"), ("third", "1½")]],
        ];
        let (names, bracket) = of(&rounds, Some("third"));
        let expected = "\
first  1+1 ┐
           ├ first  ½ ┐
fourth 1+½ ┘          │
                      ├ third
second   0 ┐          │
           ├ third 1½ ┘
third    2 ┘";
        assert_eq!(bracket.draw(&names, 80).unwrap(), expected);
    }

    #[test]
    fn leaves_byes_empty_and_players_open() {
        let rounds: [&[_]; 2] =
            [&[[("a", ""), ("bye", "")], [("b", "1"), ("c", "1")]], &[[("a", ""), ("", "")]]];
        let (names, bracket) = of(&rounds, None);
        let expected = "
         a      ┐
                │
                ├
b    1 ┐        │
       ├        ┘
c    1 ┘";
        assert_eq!(format!("\n{}", bracket.draw(&names, 80).unwrap()), expected);
    }

    #[test]
    fn fits_the_width() {
        let long = "an engine with a very long name 1.2.3";
        for leaves in [2, 4, 8, 16, 32, 64] {
            let mut rounds = Vec::new();
            let mut matches = leaves / 2;
            while matches > 0 {
                rounds.push(vec![[(long, "12½"), (long, "3½")]; matches]);
                matches /= 2;
            }
            let rounds: Vec<&[_]> = rounds.iter().map(Vec::as_slice).collect();
            let (names, bracket) = of(&rounds, Some(long));
            for width in [80, 110] {
                match bracket.draw(&names, width) {
                    Some(text) => {
                        assert!(text.lines().all(|line| line.chars().count() <= width), "{text}");
                        assert_eq!(text.matches("12½").count(), leaves - 1, "{text}");
                        assert_eq!(text.matches('├').count(), leaves - 1, "{text}");
                    }
                    None => assert!(leaves > 16 && width == 80, "{leaves} in {width}"),
                }
            }
        }
    }
}
