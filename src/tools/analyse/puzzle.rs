//! Positions of a game in which one move wins and no other does.

use super::{Analysed, Analyst, Story, points};
use crate::base::game::MoveForm;
use crate::record::epd::{Epd, Operand, Operation};
use crate::record::games::Record;
use crate::search::limits::Limits;
use crate::search::score::Score;

/// The expected points from which a game is won, at least.
const WON: f64 = 0.8;
/// The expected points up to which a move does not win, at most.
const NOT_WON: f64 = 0.65;
/// How many times longer the second search is.
const LONGER: u32 = 5;
/// How many plies deeper it is where the depth is limited.
const DEEPER: u32 = 4;

/// A position with one winning move.
pub type Puzzle<G> = Epd<G>;

impl<G: Analysed> Analyst<G> {
    /// Finds the positions of a story in which one move wins, since the opponent's last move, and no
    /// other does, and notes them in it. To take back on the square where the opponent has just taken is
    /// no puzzle.
    ///
    /// Each is verified by a second search, five times as long, that begins without knowledge of the
    /// game: it must choose the move, find that it wins, and that the second best does not.
    pub fn find_puzzles(&mut self, game: &Record<G>, story: &mut Story<G::Move>) {
        let mut position = game.start().clone();
        let mut last = None;
        let mut was_won = false;
        for (ply, m) in game.moves().map(Some).chain([None]).enumerate() {
            let seen = &story.seen[ply];
            let expected = points::expected(seen.score, G::E_TIMES);
            if let Some(&best) = seen.line.first() {
                let takes_back = last.is_some_and(|last| G::arrow(last)[1] == G::arrow(best)[1]);
                let is_new = expected >= WON && !was_won && !seen.is_forced && !takes_back;
                if is_new && self.is_only_win(&position, best) {
                    story.puzzles.push(ply);
                }
            }
            // For the other player, whose move comes next.
            was_won = 1.0 - expected >= WON;
            last = m;
            let Some(m) = m else { break };
            position = position.after(m);
        }
    }

    /// Whether a longer search says that this move wins, and that no other does.
    fn is_only_win(&mut self, position: &G, best: G::Move) -> bool {
        let Limits { depth, nodes, movetime, .. } = self.limits.clone();
        let limits = Limits {
            depth: depth.map(|depth| depth + DEEPER),
            nodes: nodes.map(|nodes| nodes * u64::from(LONGER)),
            movetime: movetime.map(|time| time * LONGER),
            ..Limits::default()
        };
        let points = |score: Score| points::expected(score, G::E_TIMES);
        // The first search is as `adoube suite` will make it.
        [1, 2].into_iter().all(|count| {
            self.engine.clear();
            let lines = self.search(position, &[], count, &limits);
            let wins = lines
                .first()
                .is_some_and(|line| line.pv.first() == Some(&best) && points(line.score) >= WON);
            wins && lines.get(1).is_none_or(|line| points(line.score) <= NOT_WON)
        })
    }
}

/// The puzzles of a story as records of EPD: the move in `bm`, and in `id` the players and the move's number.
pub fn puzzles<G: Analysed>(game: &Record<G>, story: &Story<G::Move>) -> Vec<Puzzle<G>> {
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

    /// The puzzles of a game; each is solved as a suite.
    fn found<G: Analysed + SuiteGame>(text: &str) -> Vec<String>
    where
        Epd<G>: Display,
    {
        let game = Reader::<G, _>::new(text.as_bytes()).next().expect("one").expect("a game");
        let mut analyst = Analyst::<G>::new(4, Limits::nodes(100_000)).expect("memory");
        let mut story = analyst.story(&game, &(Box::new(|_: &G, _| false) as _), &|| {});
        analyst.find_puzzles(&game, &mut story);
        let lines: Vec<_> = puzzles(&game, &story).iter().map(ToString::to_string).collect();
        let records = suite::read::<G>(&lines.join("\n"));
        let records: Vec<_> = records.into_iter().map(|record| record.expect("a puzzle")).collect();
        let settings = SuiteSettings {
            jobs: 1,
            engine: crate::search::driver::Options { hash_mb: 4, ..Default::default() },
            limits: Limits::nodes(500_000),
        };
        let records: Vec<_> = records.iter().collect();
        let verdicts = suite::run(&records, &settings, &AtomicBool::new(false), &|_, _| {});
        for verdict in verdicts.expect("the engine starts") {
            assert_eq!(verdict.expect("checked").failures, [""; 0]);
        }
        lines
    }

    #[test]
    fn the_one_winning_move_of_chess_is_a_puzzle() {
        // Légal's mate: 5. Nxe5 wins a pawn at least, and after 5... Bxd1 mates.
        let game = "[White \"Legal\"]\n\n1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 \
                    6. Bxf7+ Ke7 7. Nd5# 1-0";
        let lines = found::<crate::chess::Position>(game);
        assert!(
            lines.iter().any(|line| line.contains("bm Bxf7+; id \"Legal - ?, 6.\"")),
            "{lines:?}"
        );
    }

    #[test]
    fn a_stroke_of_draughts_is_a_puzzle() {
        // The second of `epd/draughts/problems.epd`.
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
