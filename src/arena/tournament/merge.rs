//! Merges the shards of a match.

use super::journal::{MatchEntry, MatchError, MatchJournal, RecordPosition};
use crate::base::shard::{self, JoinError, Shard};
use std::path::PathBuf;

#[derive(Clone, Debug)]
pub(crate) struct MatchShard {
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
    pub(crate) fn of(shards: Vec<MatchShard>) -> Result<Self, MergeError> {
        let missing = shard::missing(shards.iter().map(|one| (one.dir.as_path(), one.shard)))?;
        let mut games = Vec::new();
        for MatchShard { dir, shard, games: of_shard } in shards {
            if let Some((entry, _)) = of_shard.iter().find(|(e, _)| !shard.contains(e.game / 2)) {
                return Err(MergeError::Game { dir, shard, game: entry.game });
            }
            games.extend(of_shard);
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

    fn shard(dir: &Path, number: &str, games: &[usize]) -> MatchShard {
        let dir = dir.join(number.replace('/', "-"));
        let config = MatchConfig::new(settings(), &[]).unwrap();
        let mut journal = MatchJournal::create(&dir, &config, "games.pgn").unwrap();
        for &game in games {
            let pairing = Pairing { game, opening: game / 2, white: game % 2, black: 1 - game % 2 };
            let opening = Opening { start: Position::start(), moves: Vec::new() };
            let score = GameScore { white: 1, kind: EndingKind::Checkmate };
            journal.add(MatchEntry::new(&pairing, score, &opening), &format!("{game}\n")).unwrap();
        }
        let games = MatchJournal::games(&dir, "games.pgn").unwrap();
        MatchShard { dir, shard: number.parse().unwrap(), games }
    }

    #[test]
    fn merges_shards() {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path();
        let shards = vec![shard(dir, "2/3", &[3, 9, 2]), shard(dir, "1/3", &[6, 1, 0])];
        let merged = Merged::of(shards).unwrap();
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
        let [first, second] = [shard(dir, "1/2", &[0, 4]), shard(dir, "2/2", &[2])];
        let merge = |shards: &[&MatchShard]| Merged::of(shards.iter().copied().cloned().collect());
        let error = merge(&[&first, &second, &first]).unwrap_err().to_string();
        assert!(error.ends_with("are both shard 1/2"), "{error}");
        let error = merge(&[&first, &shard(dir, "3/4", &[])]).unwrap_err().to_string();
        assert!(error.contains("is shard 3/4, but "), "{error}");
        let other = MatchShard { shard: second.shard, ..first.clone() };
        let error = merge(&[&other]).unwrap_err().to_string();
        assert!(error.ends_with("game 1 does not belong to shard 2/2"), "{error}");
        assert_eq!(merge(&[]).unwrap().entries(), []);
    }
}
