//! Counts of games won, drawn and lost.

/// Formats half points as points. For example, 25 half points are `12½`.
pub fn points_text(half_points: u64) -> String {
    match (half_points / 2, half_points % 2) {
        (0, 1) => "½".to_owned(),
        (whole, 1) => format!("{whole}½"),
        (whole, _) => whole.to_string(),
    }
}

/// The numbers of games that a player won, drew and lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// The number of games won.
    pub wins: u64,
    /// The number of games drawn.
    pub draws: u64,
    /// The number of games lost.
    pub losses: u64,
}

impl Tally {
    /// Counts a game in which the player scored 0, 1 or 2 half points.
    pub const fn add(&mut self, half_points: usize) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// Returns the number of games.
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Returns the player's points: 1 for each win and ½ for each draw.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Formats the points, for example `12½`.
    pub fn points_text(&self) -> String {
        points_text(2 * self.wins + self.draws)
    }

    /// Formats the score as a percentage, for example `62.5%`, or as `–` if there are no games.
    pub fn score_text(&self) -> String {
        if self.games() == 0 { "–".to_owned() } else { format!("{:.1}%", 100.0 * self.score()) }
    }

    /// Returns the score per game, from 0 to 1, or 0.5 if there are no games.
    pub fn score(&self) -> f64 {
        if self.games() == 0 { 0.5 } else { self.points() / self.games() as f64 }
    }

    /// Returns the fraction of drawn games, from 0 to 1, or 0 if there are no games.
    pub fn draw_ratio(&self) -> f64 {
        self.draws as f64 / self.games().max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_points_and_draws() {
        let mut tally = Tally::default();
        assert_eq!((tally.score(), tally.draw_ratio()), (0.5, 0.0));
        [2, 2, 1, 0].into_iter().for_each(|half_points| tally.add(half_points));
        assert_eq!((tally.points(), tally.score(), tally.draw_ratio()), (2.5, 0.625, 0.25));
        let draws = |draws| Tally { draws, ..Tally::default() }.points_text();
        assert_eq!([tally.points_text(), draws(0), draws(1), draws(2)], ["2½", "0", "½", "1"]);
    }
}
