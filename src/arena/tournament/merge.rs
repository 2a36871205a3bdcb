//! Merges the shards of a match.

use super::journal::{MatchEntry, MatchError, MatchJournal, RecordPosition};
use crate::base::shard::{self, JoinError, Shard};
use std::path::PathBuf;

#[derive(Clone, Debug)]
pub(crate) struct Share {
    pub dir: PathBuf,
    pub shard: Shard,
    pub games: Vec<(MatchEntry, RecordPosition)>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Merged {
    games: Vec<(MatchEntry, RecordPosition)>,
    pub missing: Vec<Shard>,
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum MergeError {
    #[error(transparent)]
    Join(#[from] JoinError),
    #[error("{dir}: game {} does not belong to shard {shard}", .game + 1)]
    Game {
        dir: PathBuf,
        shard: Shard,
        /// The number of the game, from 0.
        game: usize,
    },
}

impl Merged {
    /// Merges shards. Shards may be incomplete or missing. Fails if the shards disagree about the
    /// total number of shards, if a shard occurs twice, or if a shard contains a game that belongs
    /// to another shard.
    pub(crate) fn of(shares: Vec<Share>) -> Result<Self, MergeError> {
        let missing =
            shard::missing(shares.iter().map(|share| (share.dir.as_path(), share.shard)))?;
        let mut games = Vec::new();
        for Share { dir, shard, games: of_share } in shares {
            if let Some((entry, _)) = of_share.iter().find(|(e, _)| !shard.has(e.game / 2)) {
                return Err(MergeError::Game { dir, shard, game: entry.game });
            }
            games.extend(of_share);
        }
        games.sort_by_key(|(entry, _)| entry.game);
        Ok(Self { games, missing })
    }

    pub(crate) fn entries(&self) -> Vec<MatchEntry> {
        self.games.iter().map(|(entry, _)| entry.clone()).collect()
    }

    pub fn write(&self, journal: &mut MatchJournal) -> Result<(), MatchError> {
        for (entry, record) in &self.games {
            journal.add(entry.clone(), &record.read()?)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::arena::game::ending::{EndingKind, GameScore};
    use crate::arena::game::openings::Opening;
    use crate::arena::tournament::config::{MatchConfig, tests::settings};
    use crate::arena::tournament::schedule::Pairing;
    use crate::chess::Position;
    use std::path::Path;

    fn share(dir: &Path, shard: &str, games: &[usize]) -> Share {
        let dir = dir.join(shard.replace('/', "-"));
        let config = MatchConfig::new(settings(), &[]).unwrap();
        let mut journal = MatchJournal::create(&dir, &config, "games.pgn").unwrap();
        for &game in games {
            let pairing = Pairing { game, opening: game / 2, white: game % 2, black: 1 - game % 2 };
            let opening = Opening { start: Position::start(), moves: Vec::new() };
            let score = GameScore { white: 1, kind: EndingKind::Checkmate };
            journal.add(MatchEntry::new(&pairing, score, &opening), &format!("{game}\n")).unwrap();
        }
        let games = MatchJournal::games(&dir, "games.pgn").unwrap();
        Share { dir, shard: shard.parse().unwrap(), games }
    }

    #[test]
    fn merges_shards() {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path();
        let shares = vec![share(dir, "2/3", &[3, 9, 2]), share(dir, "1/3", &[6, 1, 0])];
        let merged = Merged::of(shares).unwrap();
        assert_eq!(merged.missing, ["3/3".parse().unwrap()]);
        let numbers = merged.entries().iter().map(|entry| entry.game).collect::<Vec<_>>();
        assert_eq!(numbers, [0, 1, 2, 3, 6, 9]);
        let config = MatchConfig::new(settings(), &[]).unwrap();
        let out = dir.join("out");
        merged.write(&mut MatchJournal::create(&out, &config, "games.pgn").unwrap()).unwrap();
        let text = std::fs::read_to_string(out.join("games.pgn")).unwrap();
        assert_eq!(text, "0\n1\n2\n3\n6\n9\n");
        let (_, entries) = MatchJournal::resume(&out, "games.pgn").unwrap();
        assert_eq!(entries.len(), 6);
    }

    #[test]
    fn rejects_shards_of_different_matches() {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path();
        let [first, second] = [share(dir, "1/2", &[0, 4]), share(dir, "2/2", &[2])];
        let merge = |shares: &[&Share]| Merged::of(shares.iter().copied().cloned().collect());
        let error = merge(&[&first, &second, &first]).unwrap_err().to_string();
        assert!(error.ends_with("are both shard 1/2"), "{error}");
        let error = merge(&[&first, &share(dir, "3/4", &[])]).unwrap_err().to_string();
        assert!(error.contains("is shard 3/4, but "), "{error}");
        let other = Share { shard: second.shard, ..first.clone() };
        let error = merge(&[&other]).unwrap_err().to_string();
        assert!(error.ends_with("game 1 does not belong to shard 2/2"), "{error}");
        assert_eq!(merge(&[]).unwrap().entries(), []);
    }
}
