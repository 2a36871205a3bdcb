//! Who plays whom, in which order.
//!
//! A schedule is a function from the number of a game to its pairing and holds no state, so that
//! games can be played in any order, by several workers, or later by several machines. Games 2k and
//! 2k+1 are a pair: the same two players on the same opening, colours swapped.

/// One game to play. Players are numbered as they were entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pairing {
    /// The number of the game, from 0.
    pub game: usize,
    /// The number of its opening, from 0.
    pub opening: usize,
    /// Who has White.
    pub white: usize,
    /// Who has Black.
    pub black: usize,
}

impl Pairing {
    /// The number of the pair that the game belongs to.
    pub const fn pair(&self) -> usize {
        self.game / 2
    }
}

/// The form of a tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Form {
    /// Each player meets each other.
    #[default]
    RoundRobin,
    /// The first player meets each other.
    Gauntlet,
}

/// All games of a tournament.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    encounters: Vec<(usize, usize)>,
    pairs_each: usize,
}

impl Schedule {
    /// The games of a tournament of `players`, with `pairs_each` pairs of games between any two
    /// who meet. The k-th pairs of all encounters share their opening.
    pub fn new(form: Form, players: usize, pairs_each: usize) -> Self {
        let firsts = match form {
            Form::RoundRobin => 0..players,
            Form::Gauntlet => 0..players.min(1),
        };
        let encounters = firsts.flat_map(|a| (a + 1..players).map(move |b| (a, b))).collect();
        Self { encounters, pairs_each }
    }

    /// How many games there are.
    pub fn games(&self) -> usize {
        2 * self.pairs_each * self.encounters.len()
    }

    /// The game of this number, if there is one.
    pub fn game(&self, game: usize) -> Option<Pairing> {
        if game >= self.games() {
            return None;
        }
        let pair = game / 2;
        let (a, b) = self.encounters[pair % self.encounters.len()];
        let (white, black) = if game.is_multiple_of(2) { (a, b) } else { (b, a) };
        Some(Pairing { game, opening: pair / self.encounters.len(), white, black })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_swaps_colours_on_one_opening() {
        let schedule = Schedule::new(Form::RoundRobin, 3, 2);
        assert_eq!(schedule.games(), 12);
        let games: Vec<Pairing> = (0..).map_while(|n| schedule.game(n)).collect();
        assert_eq!(games.len(), 12);
        for pair in games.chunks(2) {
            assert_eq!((pair[0].white, pair[0].black), (pair[1].black, pair[1].white));
            assert_eq!((pair[0].opening, pair[0].pair()), (pair[1].opening, pair[1].pair()));
        }
        for a in 0..3 {
            for b in (0..3).filter(|&b| b != a) {
                let met = games.iter().filter(|g| (g.white, g.black) == (a, b));
                assert_eq!(met.map(|g| g.opening).collect::<Vec<_>>(), [0, 1], "{a} against {b}");
            }
        }
    }

    #[test]
    fn a_gauntlet_is_run_by_the_first() {
        let schedule = Schedule::new(Form::Gauntlet, 4, 1);
        let games: Vec<Pairing> = (0..).map_while(|n| schedule.game(n)).collect();
        assert_eq!(games.len(), 6);
        assert!(games.iter().all(|g| (g.white == 0) != (g.black == 0)));
        assert_eq!(Schedule::new(Form::Gauntlet, 0, 5).game(0), None);
    }
}
