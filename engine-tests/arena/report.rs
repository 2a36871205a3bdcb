//! The HTML report of a match: it loads no external files, and its script runs without errors in a
//! real browser. The browser tests need Chromium.

use crate::support::browser::{between, page, rendered, unescaped};
use crate::support::mocks::{HUB, Match, UCI};
use crate::support::program::{adoube, fail, succeed};
use adoube::draughts::Position;
use adoube::record::games::Reader;
use std::fs;
use std::path::{Path, PathBuf};

const ARGS: [&str; 8] =
    ["--games", "4", "--nodes", "1", "--openings", "random:4", "--max-moves", "12"];

/// Writes the report of a tournament between three engines. One name contains HTML.
fn hostile(dir: &Path) -> PathBuf {
    let path = dir.join("out.html");
    let file = path.to_str().expect("UTF-8");
    let hostile = "</script><script>throw 1</script><img src=x onerror=alert(1)>&'";
    let engines = [("plain", "random"), ("liar", "lie"), ("x", "nonsense")]
        .map(|(name, behaviour)| UCI.describe(name, behaviour));
    let mut engines = engines.to_vec();
    engines[2] = engines[2].replacen("name=x,", &format!("name={hostile},"), 1);
    let played = Match::play(&engines, &[&ARGS[..], &["--report", file]].concat());
    assert_eq!(played.games.matches("[Result ").count(), 12, "{}", played.log());
    path
}

/// Plays a draughts match with SPRT, stored in `dir/match`, and writes its report.
fn draughts(dir: &Path) -> PathBuf {
    let path = dir.join("out.html");
    let engines = ["a", "b"].map(|name| HUB.describe(name, "random"));
    let output = adoube()
        .args(["match", "--game", "draughts", "--sprt", "elo0=0 elo1=5"])
        .args(engines.iter().flat_map(|engine| ["--engine", engine]))
        .args(ARGS)
        .arg("--dir")
        .arg(dir.join("match"))
        .arg("--report")
        .arg(&path)
        .output()
        .expect("adoube runs");
    succeed(&output);
    path
}

#[test]
fn escapes_names() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let text = page(&hostile(dir.path()));
    assert_eq!(text.matches("<script").count(), 2, "a name has become HTML");
    assert!(
        !text.contains("<img") && text.contains("&lt;img src=x onerror=alert(1)&gt;&amp;&#39;")
    );
}

#[test]
fn shows_the_bracket_of_a_knockout() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let path = dir.path().join("out.html");
    let engines = [("a", "lie"), ("<b>", "random"), ("c", "lie")];
    let engines = engines.map(|(name, behaviour)| UCI.describe(name, behaviour));
    let args =
        ["--schedule", "knockout", "--games", "2", "--report", path.to_str().expect("UTF-8")];
    let played = Match::play(&engines, &[&args[..], &ARGS[2..]].concat());
    let text = page(&path);
    let bracket = between(&text, "aria-label=\"bracket\"", "</section>");
    assert_eq!(bracket.matches("<div class=\"round\">").count(), 2, "{bracket}");
    assert!(bracket.contains("<h3>semi-finals</h3>") && bracket.contains("<h3>final</h3>"));
    // The first seed has a bye; the second wins both matches.
    assert_eq!(bracket.matches("class=\"met bye\"").count(), 1, "{bracket}");
    assert_eq!(bracket.matches("<span class=\"through\">").count(), 3, "{bracket}");
    let winner = "<span class=\"through\"><span class=\"key s1\">&lt;b&gt;</span><b>2</b></span>";
    assert_eq!(bracket.matches(winner).count(), 2, "{bracket}");
    let drawing = "
           a      0 ┐
                    │
                    ├ <b>
<b> 2 ┐             │
      ├    <b>    2 ┘
c   0 ┘
";
    let squeezed = |text: &str| text.replace(' ', "");
    assert!(squeezed(&played.report()).contains(&squeezed(drawing)), "{}", played.report());
}

#[test]
fn rebuilds_the_page_from_the_folder() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let text = page(&draughts(dir.path()));
    let again = dir.path().join("again.html");
    let stored = dir.path().join("match");
    let output =
        adoube().args(["match", "report"]).args([&stored, &again]).output().expect("adoube runs");
    succeed(&output);
    assert_eq!(page(&again), text, "the folder contains everything");
    let log = fail(adoube().args(["match", "report"]).arg(dir.path()).arg(&again));
    assert!(log.contains("config.json"), "{log}");
}

/// The downloaded file contains the games of the match.
#[test]
#[ignore = "needs Chromium"]
fn downloads_games_from_the_page_in_a_browser() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let text = page(&draughts(dir.path()));
    let show = "<pre id=\"saved\"></pre><script>document.getElementById('saved').textContent = \
                shown.map(recorded).join('');</script></body>";
    let path = dir.path().join("saving.html");
    fs::write(&path, text.replace("</body>", show)).expect("written");
    let dom = rendered(&path, "2.3");
    assert!(dom.contains("<h3>Game 2</h3>") && dom.contains("Download as PDN"));
    let saved = unescaped(between(&dom, "<pre id=\"saved\">", "</pre>"));
    let stored = fs::read_to_string(dir.path().join("match/games.pdn")).expect("records");
    let read = |text: &str| -> Vec<_> {
        let games = Reader::<Position, _>::new(text.as_bytes()).map(|game| game.expect("a game"));
        games
            .map(|game| {
                (
                    game.moves().collect::<Vec<_>>(),
                    game.result,
                    game.tag("White").map(str::to_owned),
                )
            })
            .collect()
    };
    let mut games = [read(&saved), read(&stored)];
    games.iter_mut().for_each(|games| games.sort_by_key(|game| format!("{game:?}")));
    assert_eq!(games[0], games[1]);
    assert_eq!(games[0].len(), 4);
}

#[test]
#[ignore = "needs Chromium"]
fn shows_a_chess_tournament_in_a_browser() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let dom = rendered(&hostile(dir.path()), "3.5");
    assert!(!dom.contains("<img"));
    let standings = between(&dom, "class=\"standings\"", "</table>");
    assert_eq!(standings.matches("<tr>").count(), 1 + 3);
    let cross = between(&dom, "class=\"cross\"", "</table>");
    assert_eq!(cross.matches("class=\"self\"").count(), 3);
    assert_eq!(cross.matches("class=\"cell").count(), 6);
    assert!(dom.contains("<dt>illegal move</dt>"));
    let list = between(&dom, "class=\"list\"", "</table>");
    assert_eq!(list.matches("data-number=").count(), 12);
    assert!(
        list.contains("illegal move '💩? quite'") || list.contains("illegal move '💩?'"),
        "{list}"
    );
    // Game 3 after five plies: four opening moves and one engine move.
    assert!(dom.contains("<h3>Game 3</h3>"));
    let board = between(&dom, "class=\"board\"", "</svg>");
    assert!(board.contains("data-ply=\"5\""), "{board}");
    let pieces = board.matches("class=\"piece ").count();
    assert!((27..=32).contains(&pieces), "{pieces} pieces");
    assert_eq!(board.matches(" king\"").count(), 2);
    assert_eq!(board.matches("class=\"dark\"").count(), 32);
    let moves = between(&dom, "class=\"moves flow\"", "</ol>");
    assert_eq!(moves.matches("aria-current=\"step\"").count(), 1);
}

#[test]
#[ignore = "needs Chromium"]
fn shows_a_draughts_match_in_a_browser() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let dom = rendered(&draughts(dir.path()), "2.0");
    let tiles = between(&dom, "class=\"tiles\"", "</dl>");
    for name in ["Elo", "score", "LOS", "draws", "pair ratio", "normalised Elo", "LLR"] {
        assert!(tiles.contains(&format!("<dt>{name}</dt>")), "{tiles}");
    }
    assert!(!dom.contains("class=\"cross\""));
    let board = between(&dom, "class=\"board\"", "</svg>");
    assert_eq!(board.matches("class=\"dark\"").count(), 50);
    // Each of the 40 men is drawn as a disc with two rings and a shadow. All 50 squares are
    // numbered.
    assert_eq!(board.matches(" man\"").count(), 40, "{board}");
    assert_eq!(board.matches("<circle").count(), 4 * 40, "{board}");
    assert_eq!(board.matches("<text").count(), 50);
}
