//! The laws: what the referee makes of any sequence of events, and of lines of logs and regulations.
//!
//! The referee against any sequence of events: no panic, no second result, an article for each ruling,
//! the same game from its log, nothing changed by what is refused.

use crate::support::corpus;
use crate::support::strokes::{fuzz, mutate, text};
use adoube::base::side::Side;
use adoube::laws::any::AnyReferee;
use adoube::laws::edition::Edition;
use adoube::laws::log::LogLine;
use adoube::laws::regulations::Regulations;
use adoube::laws::ruling::{Decision, GameOutcome, Ruling, Rulings};
use proptest::prelude::*;
use proptest::sample::select;
use std::sync::LazyLock;

const CHESS_SQUARES: [&str; 10] = ["e2", "e4", "d7", "d5", "g1", "f3", "e1", "h1", "e8", "b8"];
const DRAUGHTS_SQUARES: [&str; 8] = ["32", "28", "33", "19", "23", "31", "46", "5"];

/// Words that follow a side.
const ACTS: &[&str] = &[
    "touch @",
    "touch @",
    "adjust @",
    "release @ @",
    "remove @",
    "promote q",
    "castle a1",
    "press",
    "press +61",
    "press 0:00:10",
    "flag",
    "offer",
    "accept",
    "refuse",
    "resign",
    "claim repetition",
    "claim fifty",
    "claim repetition by %",
    "claim perpetual",
    "claim winless",
    "claim flag",
    "claim illegal",
    "claim demand",
    "demand",
    "announce 3",
    "illegal @ @",
    "choose piece @",
    "choose capture @",
    "choose king",
    "choose correct",
    "choose accept",
    "seal %",
    "seal nothing",
    "seal ambiguous % %",
    "seal illegal @ @",
    "late 1:00",
    "arrive 10:00",
    "upset",
    "phone",
    "device",
    "hands %",
    "claim increment",
    "clock +1:00",
    "penalty less 0.5",
    "notice kings",
    "irregular W:WK5:BK46:H7",
    "irregular B:WK5:BK46:H7",
    "claim touch",
    "stop",
    "stop pieces",
    "stop sheets",
    "stop claim",
    "withdraw",
    "waive",
    "pause",
    "crown @",
    "uncrowned @",
    "record behind",
    "record complete",
    "record ahead",
    "misspeak",
    "say %",
    "feel @",
    "flag open",
    "exit",
    "disobey draw",
    "late 90:00 excused",
    "arrive 90:00 excused",
    "illegal @ @ takes @",
    "illegal @ @ promote k",
    "notice displaced from 1",
];
/// Whole lines.
const LINES: &[&str] = &[
    "flags",
    "both late 10:00",
    "both disobey",
    "notice illegal",
    "notice illegal lost",
    "notice illegal from 2",
    "notice displaced",
    "notice setup",
    "notice board",
    "notice colours",
    "decide draw",
    "decide reject",
    "decide defer",
    "decide increment",
    "decide move %",
    "adjourn",
    "resume",
    "resume without black",
    "resume without both",
    "white arrive 30:00",
    "white notice clocks",
    "notice colours restart",
    "envelope lost",
    "position lost",
    "odds knight by white",
    "odds 2 moves by black",
    "setup W:WK5,31:BK46:H20",
    "setup W:WK5,31:BK46:H20 moves 31-26 46-41",
    "setup 4k3/8/8/8/8/8/4P3/4K3 w - - 140 90 moves e2e4 e8e7",
    "setup W:W7,38,45:B33,23,13,1",
    "stop",
    "start",
    "start",
    "both agree",
    "decide defer without time",
    "notice restored 1",
    "notice boards",
    "notice impossible",
    "notice sheets",
    "notice sheets lost",
    "notice boards from 1",
];

/// What is done: a random legal move and a press, or one of the lines above.
#[derive(Clone, Debug)]
enum Step {
    Move(usize),
    Act(bool, usize, [usize; 3]),
    Line(usize, [usize; 3]),
}

fn step() -> impl Strategy<Value = Step> {
    let which = || any::<[u16; 3]>().prop_map(|n| n.map(usize::from));
    prop_oneof![
        6 => any::<u16>().prop_map(|n| Step::Move(n.into())),
        6 => (any::<bool>(), 0..ACTS.len(), which()).prop_map(|(a, b, c)| Step::Act(a, b, c)),
        1 => (0..LINES.len(), which()).prop_map(|(a, b)| Step::Line(a, b)),
    ]
}

/// A legal move of the game as it stands, as text.
fn legal(referee: &AnyReferee, n: usize) -> Option<String> {
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

fn fill(referee: &AnyReferee, line: &str, n: [usize; 3]) -> String {
    let mut n = n.into_iter().cycle();
    let mut next = || n.next().unwrap_or(0);
    let mut filled = String::new();
    for c in line.chars() {
        match (c, referee) {
            ('@', AnyReferee::Chess(_)) => filled += CHESS_SQUARES[next() % CHESS_SQUARES.len()],
            ('@', _) => filled += DRAUGHTS_SQUARES[next() % DRAUGHTS_SQUARES.len()],
            ('%', _) => filled += &legal(referee, next()).unwrap_or_default(),
            _ => filled.push(c),
        }
    }
    filled
}

fn line_of(referee: &AnyReferee, step: &Step) -> String {
    match step {
        Step::Move(n) => format!("moves {}", legal(referee, *n).unwrap_or_default()),
        Step::Act(white, act, n) => {
            let side = if *white { "white" } else { "black" };
            format!("{side} {}", fill(referee, ACTS[*act], *n))
        }
        Step::Line(line, n) => fill(referee, LINES[*line], *n),
    }
}

/// Who is to move by the position of the facts.
fn side_of(position: &str) -> Side {
    let chess = position.split(' ').nth(1);
    let letter = chess.unwrap_or_else(|| position.get(..1).unwrap_or_default());
    if letter.eq_ignore_ascii_case("w") { Side::White } else { Side::Black }
}

fn results(rulings: &Rulings) -> impl Iterator<Item = GameOutcome> {
    rulings.iter().filter_map(|ruling| match ruling.decision {
        Decision::Result(outcome) => Some(outcome),
        _ => None,
    })
}

fn rules(clock: usize) -> Regulations {
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

/// The settings of the manual, in three files.
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
                    // Errors name the player to move that the facts name.
                    let (error, to_move) = (error.to_string(), referee.facts().to_move);
                    let names = |side: Side| error.contains(&format!("{side} is to move"));
                    prop_assert!(!names(!to_move), "{}: {}, but {}", line, error, to_move);
                    prop_assert!(!names(to_move) || !line.starts_with(&to_move.to_string().to_lowercase()), "{}: {}", line, error);
                }
                Ok(rulings) => {
                    // What is accepted was said to be possible.
                    if !line.starts_with("moves") && before.facts().plies.is_multiple_of(4) {
                        let events = before.possible().events();
                        let named = |event: &String| format!("{line} ").starts_with(&format!("{event} "));
                        prop_assert!(events.iter().any(named), "{}: {:?}", line, events);
                    }
                    for ruling in &rulings {
                        prop_assert!(!ruling.article.is_empty(), "{}: {}", line, ruling);
                    }
                    // What was put back wrongly can be found when the game is over.
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
        // From its log the game comes back, with the same rulings; at any event it can be taken up.
        let log = referee.log();
        let mut again = AnyReferee::new(edition, rules(clock));
        let mut taken_up = Vec::new();
        for line in &log {
            match again.line(line) {
                Ok(rulings) => taken_up.extend(rulings),
                Err(error) => return Err(TestCaseError::fail(format!("{line}: {error}"))),
            }
        }
        prop_assert_eq!(&again, &referee);
        prop_assert_eq!(taken_up, given);
    }

    400: fn lines_that_nobody_should_send(
        line in prop_oneof![
            text("abcdefgh12345678 white black move touch claim press:+-"),
            mutate(select(LINES).prop_map(str::to_owned), "abc123 :+-x"),
            mutate(
                select(ACTS).prop_map(|act| format!("white {act}")),
                "abcdefgh1234 :+-x",
            ),
            mutate(corpus::laws(), "abcdefgh1234 :+-x=!#\"{}"),
        ],
        edition in 0..Edition::NUM,
    ) {
        let mut referee = AnyReferee::new(Edition::ALL[edition], Regulations::default());
        let before = referee.clone();
        if let Err(error) = referee.line(&line) {
            prop_assert_eq!(before, referee);
            prop_assert!(error.to_string().chars().count() < 500, "{}", error);
        }
        let _ = LogLine::read(&line);
    }

    1_000: fn files_of_regulations(text in mutate(select(REGULATIONS.to_vec()), TOML), edition in 0..Edition::NUM) {
        match toml::from_str::<Regulations>(&text) {
            Ok(rules) => {
                let mut referee = AnyReferee::new(Edition::ALL[edition], rules);
                for line in ["white late 1:00", "moves", "white press +90", "black flag", "adjourn"] {
                    let _ = referee.line(line);
                }
            }
            Err(error) => prop_assert!(error.to_string().contains("at line "), "{}", error),
        }
    }
}

/// Found by the target above: the reader looked for `moves` behind the end of the line, for ever.
#[test]
fn a_setup_whose_moves_are_misspelt_is_refused() {
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
