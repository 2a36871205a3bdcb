//! The catalogue of the behaviours that the laws require of a program, one row per behaviour.
//!
//! The id of a row, such as `N-02`, is the letter of its subject and a number:
//!
//! | letter | subject |
//! |---|---|
//! | C | chess moves |
//! | D | draughts moves |
//! | N | draws (*nulles*), including repetition and move counts |
//! | K | clocks, flags and lateness |
//! | T | touched pieces, and when a move is made |
//! | I | irregularities: illegal moves, wrong set-ups, forfeits |
//! | S | sealed moves and adjournment |
//! | O | odds |
//! | P | points, penalties and colours |
//! | W | written and spoken moves |
//!
//! Each law of an [`Edition`] names its row, so that [`articles`] can list the articles of a row in
//! any edition. `engine-tests` checks that each row has a test named after its id, such as
//! `n_02_...`.

use crate::laws::edition::Edition;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    pub id: &'static str,
    pub about: &'static str,
}

const fn row(id: &'static str, about: &'static str) -> Row {
    Row { id, about }
}

pub static ROWS: &[Row] = &[
    row("C-01", "chess: board and turns"),
    row("C-02", "chess: king"),
    row("C-03", "chess: pieces"),
    row("C-04", "chess: pawn"),
    row("C-05", "chess: en passant"),
    row("C-06", "chess: promotion"),
    row("C-07", "chess: castling"),
    row("C-08", "chess: mate and stalemate"),
    row("C-09", "chess: Chess960"),
    row("C-10", "chess: names of moves"),
    row("D-01", "draughts: board and set-up"),
    row("D-02", "draughts: men"),
    row("D-03", "draughts: promotion"),
    row("D-04", "draughts: kings"),
    row("D-05", "draughts: captures"),
    row("D-06", "draughts: multiple captures"),
    row("D-07", "draughts: removal after the capture"),
    row("D-08", "draughts: capturing the most pieces"),
    row("D-09", "draughts: passing the far row"),
    row("D-10", "draughts: no move or no piece left"),
    row("N-01", "repetition of the placement alone"),
    row("N-02", "repetition with the same possible moves"),
    row("N-03", "fifty moves"),
    row("N-04", "more than fifty moves"),
    row("N-05", "demand to be mated"),
    row("N-06", "perpetual check"),
    row("N-07", "agreement after Black's thirtieth move"),
    row("N-08", "agreement and offers"),
    row("N-09", "dead position"),
    row("N-10", "claims: lost, incorrect, as offers"),
    row("N-11", "quick-play finish"),
    row("N-12", "draughts: repetition"),
    row("N-13", "draughts: moves of kings only"),
    row("N-14", "draughts: three pieces against a king"),
    row("N-15", "draughts: two pieces or one against a king"),
    row("N-16", "draughts: agreement"),
    row("K-01", "periods"),
    row("K-02", "increment and delay"),
    row("K-03", "fallen flag, without exception"),
    row("K-04", "fallen flag, opponent cannot mate"),
    row("K-05", "both flags"),
    row("K-06", "lateness"),
    row("K-07", "pressing the clock"),
    row("K-08", "draughts: clocks"),
    row("K-09", "rapid play and blitz"),
    row("K-10", "clock adjustments"),
    row("K-11", "stopping the clocks"),
    row("T-01", "a touched piece"),
    row("T-02", "several touched pieces"),
    row("T-03", "no legal move with touched pieces"),
    row("T-04", "adjusting"),
    row("T-05", "castling by touch"),
    row("T-06", "when a move is made"),
    row("T-07", "draughts: touched pieces and irregularities"),
    row("I-01", "illegal move noticed in time"),
    row("I-02", "claiming a penalty"),
    row("I-03", "illegal move noticed later"),
    row("I-04", "completed illegal moves"),
    row("I-05", "wrong initial position or board"),
    row("I-06", "colours reversed"),
    row("I-07", "check not parried"),
    row("I-08", "announced mate"),
    row("I-09", "forfeits"),
    row("I-10", "annulled games and colours"),
    row("I-11", "two differing boards"),
    row("I-12", "no move, two hands, no promotion"),
    row("S-01", "the player who seals"),
    row("S-02", "the envelope"),
    row("S-03", "resumption"),
    row("S-04", "doubtful sealed moves"),
    row("S-05", "end before resumption, lateness, lost envelope"),
    row("O-01", "odds of pieces"),
    row("O-02", "odds of a rook and castling"),
    row("O-03", "odds of moves"),
    row("O-04", "draughts: odds"),
    row("P-01", "results and points"),
    row("P-02", "penalties"),
    row("P-03", "colours alternate"),
    row("W-01", "algebraic notation in any language"),
    row("W-02", "disambiguation and marks"),
    row("W-03", "the marks of 1928 and 1930"),
    row("W-04", "descriptive notation"),
    row("W-05", "score sheets"),
    row("W-06", "spoken moves"),
    row("W-07", "draughts notation"),
    row("W-08", "signs of quality"),
    row("W-09", "recording the moves"),
];

/// Returns the articles of an edition that belong to a row, without duplicates.
pub fn articles(edition: Edition, id: &str) -> Vec<&'static str> {
    let mut articles: Vec<&str> = Vec::new();
    for law in edition.laws().iter().filter(|law| law.row == id) {
        if !articles.contains(&law.article) {
            articles.push(law.article);
        }
    }
    articles
}
