//! Fuzz targets for the referee: arbitrary sequences of events, log lines and regulations.
//!
//! For any sequence of events the referee must not panic or declare a second result. Each ruling
//! must cite an article, replaying the log must give the same game, and rejected events must change
//! nothing.

use crate::support::checks;
use crate::support::corpus;
use crate::support::strokes::{fuzz, mutate, text};
use adoube::base::side::Side;
use adoube::laws::any::AnyReferee;
use adoube::laws::edition::Edition;
use adoube::laws::event::grammar::{Actor, FORMS, Form, Hole, Token};
use adoube::laws::regulations::Regulations;
use adoube::laws::ruling::{Decision, GameOutcome, Ruling, Rulings};
use proptest::prelude::*;
use proptest::sample::select;
use std::sync::LazyLock;

const CHESS_SQUARES: [&str; 10] = ["e2", "e4", "d7", "d5", "g1", "f3", "e1", "h1", "e8", "b8"];
const DRAUGHTS_SQUARES: [&str; 8] = ["32", "28", "33", "19", "23", "31", "46", "5"];

const TIMES: [&str; 5] = ["0:00:10", "61", "1:00", "10:00", "90:00"];
const NUMBERS: [&str; 4] = ["0", "1", "2", "12"];
const LETTERS: [&str; 4] = ["q", "r", "n", "k"];
const PIECES: [&str; 3] = ["knight", "rook", "pawn"];
/// Positions for chess and for draughts, each with moves to play from it.
const POSITIONS: [&[(&str, &str)]; 2] = [
    &[("4k3/8/8/8/8/8/4P3/4K3 w - - 140 90", "e2e4 e8e7")],
    &[
        ("W:WK5,31:BK46:H20", "31-26 46-41"),
        ("W:W7,38,45:B33,23,13,1", ""),
        ("W:WK5:BK46:H7", ""),
        ("B:WK5:BK46:H7", ""),
    ],
];

/// A random legal move, or a form with random text in its placeholders.
#[derive(Clone, Debug)]
enum Step {
    Move(usize),
    Form(&'static Form, bool, [usize; 4]),
}

fn form(player: bool) -> impl Strategy<Value = Step> {
    let forms: Vec<_> =
        FORMS.iter().filter(|form| (form.actor == Actor::Player) == player).collect();
    let numbers = any::<[u16; 4]>().prop_map(|n| n.map(usize::from));
    (select(forms), any::<bool>(), numbers).prop_map(|(form, side, n)| Step::Form(form, side, n))
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => any::<u16>().prop_map(|n| Step::Move(n.into())),
        6 => form(true),
        1 => form(false),
    ]
}

/// Returns the `n`-th legal move of the current position as text.
pub(super) fn legal(referee: &AnyReferee, n: usize) -> Option<String> {
    use adoube::laws::ruled::Ruled;
    fn nth<G: Ruled>(position: &G, n: usize) -> Option<String> {
        let moves = position.moves();
        moves.get(n % moves.len().max(1)).map(ToString::to_string)
    }
    match referee {
        AnyReferee::Chess(referee) => nth(referee.position(), n),
        AnyReferee::Draughts(referee) => nth(referee.position(), n),
    }
}

/// Fills in the placeholders of a form.
pub(super) fn fill(referee: &AnyReferee, form: &Form, white: bool, n: [usize; 4]) -> String {
    let is_chess = matches!(referee, AnyReferee::Chess(_));
    let mut numbers = n.into_iter().cycle();
    let mut next = || numbers.next().unwrap_or(0);
    let squares: &[&str] = if is_chess { &CHESS_SQUARES } else { &DRAUGHTS_SQUARES };
    let positions = POSITIONS[usize::from(!is_chess)];
    let (position, book) = positions[n[3] % positions.len()];
    let side = if white { "white" } else { "black" };
    let subject = match form.actor {
        Actor::Player => true,
        Actor::Arbiter => false,
        Actor::Anyone => n[2].is_multiple_of(2),
    };
    let mut words = Vec::new();
    words.extend(subject.then(|| side.to_owned()));
    words.push(form.name.to_owned());
    for token in form.tail {
        let mut pick = |texts: &[&str]| texts[next() % texts.len()].to_owned();
        words.push(match token {
            Token::Word(word) => (*word).to_owned(),
            Token::Hole(hole) if hole.is_square() => pick(squares),
            Token::Hole(Hole::Side) => side.to_owned(),
            Token::Hole(
                Hole::Move
                | Hole::SealedMove
                | Hole::MoveOutOfTurn
                | Hole::MoveOnTurn
                | Hole::IntendedMove,
            ) => legal(referee, next()).unwrap_or_default(),
            Token::Hole(Hole::Moves) => {
                let [one, other] = [next(), next()].map(|n| legal(referee, n).unwrap_or_default());
                format!("{one} {other}")
            }
            Token::Hole(Hole::Time) => pick(&TIMES),
            Token::Hole(Hole::PlusTime) => format!("+{}", pick(&TIMES)),
            Token::Hole(Hole::MinusTime) => format!("-{}", pick(&TIMES)),
            Token::Hole(Hole::Points) => pick(&["0.5", "1"]),
            Token::Hole(Hole::Promoted | Hole::AnyPiece) => pick(&LETTERS),
            Token::Hole(Hole::Position) => position.to_owned(),
            Token::Hole(Hole::Book) if book.is_empty() || n[0].is_multiple_of(2) => String::new(),
            Token::Hole(Hole::Book) => format!("moves {book}"),
            Token::Hole(Hole::Odds) => pick(if is_chess { &PIECES } else { squares }),
            Token::Hole(_) => pick(&NUMBERS),
        });
    }
    words.join(" ").trim_end().to_owned()
}

fn line_of(referee: &AnyReferee, step: &Step) -> String {
    match step {
        Step::Move(n) => format!("moves {}", legal(referee, *n).unwrap_or_default()),
        Step::Form(form, white, n) => fill(referee, form, *white, *n),
    }
}

fn line() -> impl Strategy<Value = String> {
    (prop_oneof![form(true), form(false)], 0..Edition::NUM).prop_map(|(step, edition)| {
        line_of(&AnyReferee::new(Edition::ALL[edition], Regulations::default()), &step)
    })
}

fn side_of(position: &str) -> Side {
    let chess = position.split(' ').nth(1);
    let letter = chess.unwrap_or_else(|| position.get(..1).unwrap_or_default());
    if letter.eq_ignore_ascii_case("w") { Side::White } else { Side::Black }
}

pub(super) fn results(rulings: &Rulings) -> impl Iterator<Item = GameOutcome> {
    rulings.iter().filter_map(|ruling| match ruling.decision {
        Decision::Result(outcome) => Some(outcome),
        _ => None,
    })
}

pub(super) fn rules(clock: usize) -> Regulations {
    let time = [None, Some("-"), Some("2/60:30+1"), Some("100"), Some("300d5")][clock];
    Regulations {
        time: time.map(|time| {
            adoube::laws::regulations::read_time(time).unwrap_or_else(|e| panic!("{e}"))
        }),
        supervised: clock != 3,
        white_blind: clock == 2,
        ..Regulations::default()
    }
}

const TOML: &str = "abc=\"'{}[].,-+:/0123456789 \n#_";

/// The regulations shown in the manual, divided into three files.
static REGULATIONS: LazyLock<Vec<String>> = LazyLock::new(|| {
    [
        "time = \"40/7200+30:20/3600:900+30\"\nwhite-time = \"300b5\"\nblack-time = \"*60\"\nsupervised = false",
        "lateness = 900\ndraws-after = 30\ndraws-need-arbiter = true\nillegal-moves = 2\nsealer = \"white\"",
        "points = { win = 3.0, draw = 1, loss = -0.5 }\ntheory = { KNNKP = 115 }\nperpetual-limit = 100",
    ]
    .map(str::to_owned)
    .to_vec()
});

fuzz! {
    400: fn any_sequence_of_events(
        edition in 0..Edition::NUM,
        clock in 0..5_usize,
        steps in proptest::collection::vec(step(), 1..60),
    ) {
        let edition = Edition::ALL[edition];
        let mut referee = AnyReferee::new(edition, rules(clock));
        let (mut given, mut ended, mut annulled) = (Vec::new(), 0, 0);
        let reopens = |ruling: &Ruling| matches!(ruling.decision, Decision::Restored(_));
        for step in &steps {
            let line = line_of(&referee, step);
            let before = referee.clone();
            match referee.line(&line) {
                Err(error) => {
                    prop_assert_eq!(&before, &referee, "{} was refused and changed the game", line);
                    // If an error names the side to move, it must name the correct side.
                    let (error, to_move) = (error.to_string(), referee.facts().to_move);
                    let names = |side: Side| error.contains(&format!("{side} is to move"));
                    prop_assert!(!names(!to_move), "{}: {}, but {}", line, error, to_move);
                    prop_assert!(!names(to_move) || !line.starts_with(&to_move.to_string().to_lowercase()), "{}: {}", line, error);
                }
                Ok(rulings) => {
                    // Accepted events must be listed as possible events.
                    if !line.starts_with("moves") && before.facts().plies.is_multiple_of(4) {
                        let events = before.possible().events();
                        let named = |event: &String| format!("{line} ").starts_with(&format!("{event} "));
                        prop_assert!(events.iter().any(named), "{}: {:?}", line, events);
                    }
                    for ruling in &rulings {
                        prop_assert!(!ruling.article.is_empty(), "{}: {}", line, ruling);
                    }
                    // An incorrectly replaced piece may be discovered after the game has ended,
                    // which reopens the game.
                    if before.verdict().is_some() && rulings.iter().any(reopens) {
                        ended = 0;
                    }
                    for outcome in results(&rulings) {
                        if outcome == GameOutcome::Annulled { annulled += 1 } else { ended += 1 }
                    }
                    given.extend(rulings);
                }
            }
            let facts = referee.facts();
            prop_assert_eq!(side_of(&facts.position), facts.to_move, "{}", facts.position);
            prop_assert_eq!(referee.verdict().is_some(), ended + annulled > 0);
        }
        prop_assert!(ended <= 1 && annulled <= 1, "{} results, {} annulments", ended, annulled);
        // Replaying the log gives the same game and the same rulings.
        let log = referee.log();
        let mut again = AnyReferee::new(edition, rules(clock));
        let mut replayed = Vec::new();
        for line in &log {
            match again.line(line) {
                Ok(rulings) => replayed.extend(rulings),
                Err(error) => return Err(TestCaseError::fail(format!("{line}: {error}"))),
            }
        }
        prop_assert_eq!(&again, &referee);
        prop_assert_eq!(replayed, given);
    }

    400: fn malformed_lines(
        line in prop_oneof![
            text("abcdefgh12345678 white black move touch claim press:+-"),
            mutate(line(), "abcdefgh1234 :+-x"),
            mutate(corpus::laws(), "abcdefgh1234 :+-x=!#\"{}"),
        ],
        edition in 0..Edition::NUM,
    ) {
        checks::log(&line, Edition::ALL[edition])?;
    }

    1_000: fn regulation_files(text in mutate(select(REGULATIONS.to_vec()), TOML), edition in 0..Edition::NUM) {
        checks::regulations(&text, Edition::ALL[edition])?;
    }
}

/// Regression test for an endless loop found by the target above: the parser searched for `moves`
/// beyond the end of the line.
#[test]
fn rejects_a_setup_with_misspelt_moves() {
    for (edition, position) in
        [(Edition::Fmjd, "W:W31-50:B1-20"), (Edition::Fide2009, "4k3/8/8/8/8/8/8/4K2R w K - 0 1")]
    {
        let mut referee = AnyReferee::new(edition, Regulations::default());
        for end in ["movesx", "moves1 e1e2", "moves;"] {
            let line = format!("setup {position} {end}");
            assert!(referee.line(&line).is_err_and(|error| error.to_string().contains("moves")));
        }
    }
}
