//! Puzzles: positions in a game in which exactly one move wins.

use super::{Analysed, Analyst, PositionInGame, Story, points};
use crate::arena::engine::failure::Failure;
use crate::base::game::MoveForm;
use crate::record::epd::{Epd, Operand, Operation};
use crate::record::games::Record;
use crate::search::limits::Limits;
use crate::search::score::Score;

/// The minimum expected points for a position to count as won.
const WON: f64 = 0.8;
/// The maximum expected points of the second-best move in a puzzle.
const NOT_WON: f64 = 0.65;
/// The factor by which the node and time limits are multiplied for verification.
const LONGER: u32 = 5;
/// The number of plies by which a depth limit is increased for verification.
const DEEPER: u32 = 4;

pub(crate) type Puzzle<G> = Epd<G>;

impl<G: Analysed> Analyst<G> {
    /// Finds the puzzles in a game and adds them to its story. A puzzle is a position in which
    /// exactly one move wins, and in which the side to move was not yet winning before the
    /// opponent's last move. Positions in which the winning move recaptures the piece that has just
    /// moved are not puzzles.
    ///
    /// Each puzzle is verified by longer searches, which start with an empty transposition table.
    /// They must choose the same move, and find that this move wins and that the second-best move
    /// does not win.
    pub(crate) fn find_puzzles(
        &mut self,
        game: &Record<G>,
        story: &mut Story<G::Move>,
    ) -> Result<(), Failure> {
        let mut position = game.start().clone();
        let mut last = None;
        let mut was_won = false;
        for (ply, m) in game.moves().map(Some).chain([None]).enumerate() {
            let seen = &story.seen[ply];
            let expected = points::expected_points(seen.score, G::E_TIMES);
            if let Some(&best) = seen.line.first() {
                let takes_back = last.is_some_and(|last| G::arrow(last)[1] == G::arrow(best)[1]);
                let is_new = expected >= WON && !was_won && !seen.is_forced && !takes_back;
                if is_new && self.is_only_win(&position, best)? {
                    story.puzzles.push(ply);
                }
            }
            // `expected` is from the point of view of the side to move, but `was_won` is from the
            // point of view of the side that moves next.
            was_won = 1.0 - expected >= WON;
            last = m;
            let Some(m) = m else { break };
            position = position.after(m);
        }
        Ok(())
    }

    fn is_only_win(&mut self, position: &G, best: G::Move) -> Result<bool, Failure> {
        let Limits { depth, nodes, movetime, .. } = self.limits.clone();
        let limits = Limits {
            depth: depth.map(|depth| depth.saturating_add(DEEPER)),
            nodes: nodes.map(|nodes| nodes.saturating_mul(LONGER.into())),
            movetime: movetime.map(|time| time.saturating_mul(LONGER)),
            ..Limits::default()
        };
        let points = |score: Score| points::expected_points(score, G::E_TIMES);
        let from = PositionInGame { position, earlier: &[], moves: &[] };
        // Search first for one line, as `adoube suite` does, and then for two lines.
        for count in [1, 2] {
            self.search.clear();
            let lines = self.search(&from, count, &limits)?;
            let wins = lines
                .first()
                .is_some_and(|line| line.moves.first() == Some(&best) && points(line.score) >= WON);
            // An engine that cannot report a second line cannot confirm a puzzle.
            let others_do_not_win =
                count == 1 || lines.get(1).is_some_and(|line| points(line.score) <= NOT_WON);
            if !(wins && others_do_not_win) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Returns the puzzles in a story as EPD records. `bm` is the winning move, and `id` consists of
/// the players' names and the move number.
pub(crate) fn puzzles<G: Analysed>(game: &Record<G>, story: &Story<G::Move>) -> Vec<Puzzle<G>> {
    let mut position = game.start().clone();
    let mut number = position.first_number();
    let mut puzzles = Vec::new();
    let player = |tag| game.tag(tag).unwrap_or("?");
    for (ply, m) in game.moves().map(Some).chain([None]).enumerate() {
        let is_white = position.side().is_white();
        if let (true, Some(&best)) = (story.puzzles.contains(&ply), story.seen[ply].line.first()) {
            let move_number = format!("{number}{}", if is_white { "." } else { "..." });
            let id = format!("{} - {}, {move_number}", player("White"), player("Black"));
            let operations = vec![
                Operation::new("bm", &[&position.write_move(best, MoveForm::Record)]),
                Operation { opcode: "id".to_owned(), operands: vec![Operand::Text(id)] },
            ];
            puzzles.push(Epd { position: position.clone(), operations });
        }
        let Some(m) = m else { break };
        number += u32::from(!is_white);
        position = position.after(m);
    }
    puzzles
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::games::Reader;
    use crate::tools::suite::{self, SuiteGame, SuiteSettings};
    use std::fmt::Display;
    use std::sync::atomic::AtomicBool;

    /// Returns the puzzles found in a game, as EPD, and checks that they pass as a suite.
    fn found<G: Analysed + SuiteGame>(text: &str) -> Vec<String>
    where
        Epd<G>: Display,
    {
        let game = Reader::<G, _>::new(text.as_bytes()).next().expect("one").expect("a game");
        let mut analyst =
            Analyst::<G>::new(4, Limits::nodes(100_000), Default::default()).expect("memory");
        let mut story =
            analyst.story(&game, &(Box::new(|_: &G, _| false) as _), &|| {}).expect("a story");
        analyst.find_puzzles(&game, &mut story).expect("searched");
        let lines: Vec<_> = puzzles(&game, &story).iter().map(ToString::to_string).collect();
        let records = suite::read::<G>(&lines.join("\n"));
        let records: Vec<_> = records.into_iter().map(|record| record.expect("a puzzle")).collect();
        let settings = SuiteSettings {
            jobs: 1,
            engine: crate::search::driver::Options { hash_mb: 4, ..Default::default() },
            limits: Limits::nodes(500_000),
            respect_acn: true,
        };
        let records: Vec<_> = records.iter().collect();
        let verdicts = suite::run(&records, &settings, &AtomicBool::new(false), &|_, _| {});
        for verdict in verdicts.expect("the engine starts") {
            assert_eq!(verdict.expect("checked").failures, [""; 0]);
        }
        lines
    }

    #[test]
    fn finds_a_chess_puzzle_with_one_winning_move() {
        // Légal's mate: 5. Nxe5 wins at least a pawn, and mates after 5... Bxd1.
        let game = "[White \"Legal\"]\n\n1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 \
                    6. Bxf7+ Ke7 7. Nd5# 1-0";
        let lines = found::<crate::chess::Position>(game);
        assert!(
            lines.iter().any(|line| line.contains("bm Bxf7+; id \"Legal - ?, 6.\"")),
            "{lines:?}"
        );
    }

    #[test]
    fn finds_a_draughts_shot_as_a_puzzle() {
        // The second position of `epd/draughts/problems.epd`.
        let games = "[GameType \"20\"]\n[FEN \"W:W23,27,28,36,37,40,41,43-46,50:B2,4,7-12,15,16,20,30\"]\n\n\
                     1. 44-39 *";
        let lines = found::<crate::draughts::Position>(games);
        assert!(lines.iter().any(|line| line.contains(" bm 27-21; ")), "{lines:?}");
    }

    #[test]
    fn finds_no_puzzle_if_several_moves_win() {
        let game = "[FEN \"6k1/8/8/8/8/8/1QQ5/K7 w - - 0 1\"]\n\n1. Qbb3+ *";
        assert_eq!(found::<crate::chess::Position>(game), [""; 0]);
    }
}
