//! A property test of the referee: random sequences of events, built from all forms of the grammar,
//! must preserve the invariants of every edition. Failures are shrunk to a short log.

use super::laws::{fill, legal, results, rules};
use crate::support::strokes::fuzz;
use adoube::base::side::Side;
use adoube::laws::any::AnyReferee;
use adoube::laws::edition::Edition;
use adoube::laws::event::grammar::{Actor, FORMS, Form, Hole, Token};
use adoube::laws::rule::Rule;
use adoube::laws::ruled::Ruled;
use adoube::laws::ruling::{Decision, Ruling, Rulings};
use proptest::prelude::*;
use std::time::Duration;

/// A step in a random game. The numbers select among the current possibilities.
#[derive(Clone, Debug)]
enum Step {
    Move(usize),
    /// Any form in the edition's grammar, with its placeholders filled in.
    Known(usize, bool, [usize; 4]),
    /// A form that the referee would accept, with its placeholders filled in.
    Offered(usize, [usize; 4]),
    /// An action at the board, such as touching, moving or choosing a piece.
    Board(usize, [usize; 4]),
}

/// The names of the forms for [`Step::Board`].
const AT_THE_BOARD: [&str; 13] = [
    "touch",
    "release",
    "remove",
    "illegal",
    "claim illegal",
    "choose piece",
    "choose capture",
    "choose correct",
    "choose accept",
    "press",
    "notice",
    "twice",
    "retract",
];

/// The lines that set up the random games, for chess and for draughts.
const STARTS: [[&[&str]; 8]; 2] = [
    [
        &[],
        &["moves e2e4 e7e5 g1f3 b8c6 f1c4 f8c5"],
        &["setup r3k2r/pppq1ppp/2n5/8/8/2N5/PPPQ1PPP/R3K2R w KQkq - 4 12"],
        &["setup rnb1kbnr/pppp1ppp/8/4p3/4PP1q/5N2/PPPP2PP/RNBQKB1R w KQkq - 0 3"],
        &["setup 4k3/P6P/8/3pP3/3P4/8/p6p/4K3 w - - 0 30"],
        &["odds rook by white", "moves d2d4 d7d5 b1c3 b8c6 c1f4 c8f5 d1d2 e7e6"],
        &["setup 7k/8/8/8/8/8/4K3/R7 w - - 90 60", "moves a1a2 h8g8 a2a1 g8h8 a1a2 h8g8 a2a1 g8h8"],
        &["moves d2d4 d7d5", "adjourn"],
    ],
    [
        &[],
        &["moves 32-28 19-23"],
        &["setup W:W28,32,45:B22,11,1,20"],
        &["setup W:W38,45:B33,23,13,1"],
        &["setup W:WK28,45:B22,40,2"],
        &["setup W:W7,38,45:B33,44,13,1"],
        &["setup W:WK5,31:BK46:H20"],
        &["setup B:W28,K10:B7,K45"],
    ],
];

fn step() -> impl Strategy<Value = Step> {
    let number = || any::<u16>().prop_map(usize::from);
    let numbers = || any::<[u16; 4]>().prop_map(|n| n.map(usize::from));
    prop_oneof![
        5 => number().prop_map(Step::Move),
        4 => (number(), any::<bool>(), numbers()).prop_map(|(n, side, m)| Step::Known(n, side, m)),
        2 => (number(), numbers()).prop_map(|(n, m)| Step::Offered(n, m)),
        6 => (number(), numbers()).prop_map(|(n, m)| Step::Board(n, m)),
    ]
}

/// Fills in the placeholders of a form with completions offered by the referee, or with random
/// text.
fn complete(referee: &AnyReferee, form: &Form, white: bool, n: [usize; 4]) -> String {
    let random = fill(referee, form, white, n);
    let squares = |token: &Token| {
        matches!(token, Token::Hole(hole) if hole.is_square())
            || matches!(token, Token::Hole(Hole::MoveOutOfTurn | Hole::SealedMove | Hole::Moves))
    };
    if !form.tail.iter().any(squares) || form.actor != Actor::Player {
        return random;
    }
    let side = if white { "white" } else { "black" };
    let mut line = format!("{side} {}", form.name);
    let mut numbers = n.into_iter().cycle();
    for token in form.tail {
        let text = match token {
            Token::Word(word) => (*word).to_owned(),
            Token::Hole(_) => {
                let (_, found) = referee.continuations(&format!("{line} "));
                let n = numbers.next().unwrap_or(0);
                match found.get(n % found.len().max(1)) {
                    Some(text) => text.clone(),
                    None => return random,
                }
            }
        };
        line = format!("{line} {text}");
    }
    line
}

fn line_of(referee: &AnyReferee, possible: &[Offered], step: &Step) -> String {
    let on_turn = referee.facts().to_move == Side::White;
    match *step {
        Step::Move(n) => format!("moves {}", legal(referee, n).unwrap_or_default()),
        Step::Known(n, white, holes) => {
            let known = FORMS.iter().filter(|form| form.is_accepted_by(referee.edition()));
            let known: Vec<_> = known.collect();
            complete(referee, known[n % known.len()], white, holes)
        }
        Step::Offered(n, holes) => {
            let Some(&(side, form)) = possible.get(n % possible.len().max(1)) else {
                return "moves".to_owned();
            };
            complete(referee, form, side == Some(Side::White), holes)
        }
        Step::Board(n, holes) => {
            let known = |form: &&Form| {
                form.is_accepted_by(referee.edition()) && AT_THE_BOARD.contains(&form.name)
            };
            let known: Vec<_> = FORMS.iter().filter(known).collect();
            let form = known[n % known.len()];
            // Usually choose the player who can act.
            let answers = form.name.starts_with("choose") || form.name.starts_with("claim");
            let white = (on_turn != answers) != holes[3].is_multiple_of(8);
            complete(referee, form, white, holes)
        }
    }
}

/// A form that the referee would accept, and the player who would use it.
type Offered = (Option<Side>, &'static Form);

/// The observable state of a game, which the invariants compare before and after an event.
struct Seen {
    position: String,
    on_board: String,
    plies: usize,
    left: [Option<Duration>; 2],
    /// Indexed by [`Side`]: true if the player's draw offer can be accepted.
    offers: [bool; 2],
    over: bool,
    possible: Vec<Offered>,
}

fn seen(any: &AnyReferee) -> Seen {
    fn position<G: Ruled>(position: &G) -> String {
        position.to_fen()
    }
    let facts = any.facts();
    let (position, left) = match any {
        AnyReferee::Chess(referee) => {
            (position(referee.position()), Side::ALL.map(|side| referee.clock(side).remaining()))
        }
        AnyReferee::Draughts(referee) => {
            (position(referee.position()), Side::ALL.map(|side| referee.clock(side).remaining()))
        }
    };
    let possible: Vec<_> = any.possible().offers().map(|offer| (offer.side, offer.form)).collect();
    let accepts =
        |by: Side| possible.iter().any(|(side, form)| *side == Some(!by) && form.name == "accept");
    let offers = Side::ALL.map(accepts);
    let (on_board, plies, over) = (facts.position, facts.plies, any.verdict().is_some());
    Seen { position, on_board, plies, left, offers, over, possible }
}

/// Returns the event that accepts a player's offer.
fn acceptance(by: Side) -> String {
    format!("{} accept", (!by).to_string().to_lowercase())
}

/// Returns whether a player has no open draw offer.
fn has_not_offered(any: &AnyReferee, by: Side) -> bool {
    let error = any.clone().line(&acceptance(by)).err();
    error.is_some_and(|error| error.to_string().contains("not offered"))
}

fn any_of(rulings: &Rulings, is: impl Fn(&Decision) -> bool) -> bool {
    rulings.iter().any(|ruling| is(&ruling.decision))
}

/// Returns whether a move was taken back. Moves out of turn do not count, because they were never
/// made.
fn took_back(rulings: &Rulings) -> bool {
    let taken = |ruling: &Ruling| matches!(ruling.decision, Decision::TakeBack(_));
    rulings.iter().any(|ruling| taken(ruling) && ruling.rule != Rule::OutOfTurn)
}

/// Returns whether the game went back to an earlier position.
fn went_back(rulings: &Rulings) -> bool {
    let returns = |d: &Decision| matches!(d, Decision::Restored(_) | Decision::Restart);
    took_back(rulings) || any_of(rulings, returns)
}

/// Returns the castling rights of a chess position.
fn castling(fen: &str) -> &str {
    fen.split(' ').nth(2).unwrap_or_default()
}

fn has_only_king(fen: &str, side: Side) -> bool {
    let pieces = fen.split(' ').next().unwrap_or_default().chars();
    let own = |c: &char| c.is_ascii_alphabetic() && c.is_ascii_uppercase() == side.is_white();
    pieces.filter(own).count() == 1
}

/// The index of the time control `2/60:30+1` in [`rules`]. A move in this time control can gain an
/// increment of 1 s and a new period of 30 s.
const PERIODS: usize = 2;

/// Checks the invariants of one accepted event. Returns a message if an invariant is broken.
fn broken(
    referee: &AnyReferee,
    clock: usize,
    line: &str,
    [before, after]: [&Seen; 2],
    rulings: &Rulings,
) -> Option<String> {
    let edition = referee.edition();
    let event = line.split_once(' ').map_or(line, |(first, rest)| match first {
        "white" | "black" => rest,
        _ => line,
    });
    // Clocks gain time only through an increment, a new period or a ruling. A delay adds nothing.
    let explained = went_back(rulings)
        || any_of(rulings, |d| matches!(d, Decision::Added(..) | Decision::Set(..)))
        || event.starts_with("flags")
        || event.starts_with("decide increment");
    for side in Side::ALL {
        let index = side.index();
        let earned = match clock {
            PERIODS => Duration::from_secs(31),
            _ => Duration::ZERO,
        };
        if let (Some(was), Some(is)) = (before.left[index], after.left[index])
            && is > was + earned
            && !explained
        {
            return Some(format!("{side}'s clock gains {:?}", is - was));
        }
    }
    // An offer is closed only by a refusal, a withdrawal, the end of the game or a return to an
    // earlier position.
    for side in Side::ALL {
        let closes = |decision: &Decision| {
            matches!(decision, Decision::Declined(by) if *by != side)
                || matches!(decision, Decision::Result(_) | Decision::Continues)
        };
        let index = side.index();
        if before.offers[index]
            && !after.offers[index]
            && !any_of(rulings, closes)
            && !went_back(rulings)
            && has_not_offered(referee, side)
        {
            return Some(format!("the offer of {side} has vanished"));
        }
    }
    // Lost castling rights are never regained.
    let chess = edition != Edition::Fmjd;
    let remains = |c: char| castling(&before.position).contains(c);
    let changes_start = ["setup", "odds", "notice kings", "notice setup"];
    if chess
        && !went_back(rulings)
        && !changes_start.iter().any(|name| event.starts_with(name))
        && castling(&after.position) != "-"
        && !castling(&after.position).chars().all(remains)
    {
        return Some(format!(
            "castling {} after {}",
            castling(&after.position),
            castling(&before.position)
        ));
    }
    // A move that was taken back leaves no trace on the board.
    if took_back(rulings) && !after.over {
        if after.on_board != after.position {
            return Some(format!("{} is left on the board of {}", after.on_board, after.position));
        }
        if after.plies > before.plies {
            return Some("a move that was taken back counts".to_owned());
        }
    }
    // Under the 2009 and 2023 editions, a player with a bare king cannot win on time.
    let modern = matches!(edition, Edition::Fide2009 | Edition::Fide2023);
    for ruling in rulings.iter().filter(|ruling| modern && ruling.rule == Rule::Flag) {
        if let Decision::Result(outcome) = ruling.decision
            && let Some(winner) = outcome.winner()
            && has_only_king(&after.position, winner)
        {
            return Some(format!("{winner} wins on time with a bare king"));
        }
    }
    // A player without pieces has lost.
    let bare = after.position.contains(":W:")
        || after.position.ends_with(":B")
        || after.position.contains(":B:H");
    if edition == Edition::Fmjd && bare && !after.over && after.on_board == after.position {
        return Some(format!("the game continues in {}", after.position));
    }
    // After the end of the game only penalties and notices are possible.
    if before.over && !["penalty", "notice"].iter().any(|name| event.starts_with(name)) {
        return Some("an event after the end".to_owned());
    }
    None
}

/// Returns whether a ruling penalises an illegal move.
fn penalises(ruling: &Ruling) -> bool {
    matches!(ruling.rule, Rule::IllegalTime | Rule::IllegalLoses)
}

/// An illegal move that has not been corrected yet.
#[derive(Clone, Copy)]
struct Foul {
    side: Side,
    completed: bool,
}

/// Tracks an illegal move until the referee finds it. The modern editions must then penalise the
/// move exactly once if it was completed, and otherwise not at all. Returns a message if the number
/// of penalties is wrong.
fn misjudged(
    foul: &mut Option<Foul>,
    edition: Edition,
    line: &str,
    [before, after]: [&Seen; 2],
    rulings: &Rulings,
) -> Option<String> {
    if !matches!(edition, Edition::Fide2009 | Edition::Fide2023) {
        return None;
    }
    let found = rulings.iter().find_map(|ruling| {
        let illegal = [Rule::Illegal, Rule::CheckIgnored, Rule::TwoHands].contains(&ruling.rule);
        match ruling.decision {
            Decision::TakeBack(side) if illegal => Some(side),
            _ => None,
        }
    });
    let penalties = rulings.iter().filter(|ruling| {
        penalises(ruling)
            || ruling.rule == Rule::RapidPenalty
            || ruling.rule == Rule::Blitz && matches!(ruling.decision, Decision::Result(_))
    });
    let penalties = penalties.count();
    if let Some(side) = found {
        let own = foul.take().filter(|foul| foul.side == side);
        let expected = own.map(|foul| usize::from(foul.completed));
        return (expected.is_some_and(|expected| expected != penalties))
            .then(|| format!("{penalties} penalties, expected {expected:?}"));
    }
    let (who, event) = line.split_once(' ').unwrap_or((line, ""));
    let side = match who {
        "white" => Side::White,
        "black" => Side::Black,
        _ => return None,
    };
    if went_back(rulings) || after.plies != before.plies || after.position != before.position {
        *foul = None;
    } else if (event.starts_with("illegal") || event.starts_with("hands"))
        && after.on_board != before.on_board
    {
        let has_clock = before.left.iter().any(Option::is_some);
        *foul = Some(Foul { side, completed: !has_clock });
    } else if event.starts_with("press")
        && let Some(foul) = foul
        && foul.side == side
    {
        foul.completed = true;
    }
    None
}

fuzz! {
    120: fn invariants_hold_for_any_events(
        edition in 0..Edition::NUM,
        clock in 0..5_usize,
        start in 0..STARTS[0].len(),
        steps in proptest::collection::vec((step(), 0..12_usize), 1..40),
    ) {
        let edition = Edition::ALL[edition];
        let mut referee = AnyReferee::new(edition, rules(clock));
        for line in STARTS[usize::from(edition == Edition::Fmjd)][start] {
            // A line that gives odds is refused if the edition has no odds.
            _ = referee.line(line);
        }
        let (mut illegal, mut penalties) = (0, 0);
        let mut foul = None;
        let mut before = seen(&referee);
        // The position at each ply since the start.
        let mut history = vec![String::new(); before.plies];
        history.push(before.position.clone());
        for (step, ends) in &steps {
            if before.over && *ends > 2 {
                break;
            }
            let line = line_of(&referee, &before.possible, step);
            if line.trim() == "moves" {
                // There is no legal move.
                continue;
            }
            let old = referee.clone();
            let Ok(rulings) = referee.line(&line) else {
                prop_assert_eq!(&old, &referee, "{} was refused and changed the game", line);
                continue;
            };
            // Undo most events that end the game, so that games become longer.
            if referee.verdict().is_some() && old.verdict().is_none() && *ends > 0 {
                referee = old;
                continue;
            }
            let after = seen(&referee);
            let log = || old.log().join("\n");
            if let Some(broken) = broken(&referee, clock, &line, [&before, &after], &rulings) {
                return Err(TestCaseError::fail(format!(
                    "{broken}\n{edition}, clock {clock}\n{}\n{line}\n{}", log(),
                    rulings.iter().map(|ruling| format!("= {ruling}\n")).collect::<String>(),
                )));
            }
            if let Some(misjudged) = misjudged(&mut foul, edition, &line, [&before, &after], &rulings) {
                return Err(TestCaseError::fail(format!(
                    "{misjudged}\n{edition}, clock {clock}\n{}\n{line}\n{}", log(),
                    rulings.iter().map(|ruling| format!("= {ruling}\n")).collect::<String>(),
                )));
            }
            // After a move has been taken back, the position must equal the position before the
            // move.
            history.truncate(after.plies + 1);
            if took_back(&rulings) && history.get(after.plies).is_some_and(|old| !old.is_empty()) {
                prop_assert_eq!(&history[after.plies], &after.position, "{}\n{}", log(), line);
            }
            history.resize(after.plies + 1, String::new());
            history[after.plies].clone_from(&after.position);
            prop_assert!(results(&rulings).count() <= 1, "{}\n{}", log(), line);
            // Each illegal move, and each clock press without a move, is penalised at most once.
            let may_break = ["illegal", "hands", "press", "release", "move", "misspeak"];
            illegal += usize::from(may_break.iter().any(|name| line.contains(name)));
            penalties += rulings.iter().filter(|ruling| penalises(ruling)).count();
            prop_assert!(penalties <= illegal, "more penalties than illegal moves\n{}\n{}", log(), line);
            before = after;
        }
        let mut again = AnyReferee::new(edition, rules(clock));
        for line in referee.log() {
            if let Err(error) = again.line(&line) {
                return Err(TestCaseError::fail(format!("{line}: {error}\n{}", referee.log().join("\n"))));
            }
        }
        prop_assert_eq!(&again, &referee, "{}", referee.log().join("\n"));
    }
}
