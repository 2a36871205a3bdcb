//! Detects permanently blocked positions from a superset of the squares that each piece can reach.
//!
//! Initially every piece counts as stuck, and its set contains only its own square. Each round
//! extends the sets by one move, with only stuck pieces as obstacles, and frees the pieces that can
//! move or be captured. The rounds end when they change nothing. Then no continuation of the game
//! can take a piece outside its set of squares. The sets may be too large, but never too small.

use super::material;
use crate::base::side::Side;
use crate::chess::board::CastlingSquares;
use crate::chess::{Bitboard, Board, Kind, Piece, Rank, Square, attacks};
use arrayvec::ArrayVec;

/// A piece and the squares that it can reach.
struct Man {
    side: Side,
    kind: Kind,
    home: Bitboard,
    reach: Bitboard,
    /// For a pawn, the square of the next enemy pawn on its file and all squares behind that enemy
    /// pawn. The pawn reaches them only if one of the two pawns captures or the enemy pawn is
    /// captured.
    beyond: Bitboard,
    /// For a pawn, the square of the next enemy pawn on its file.
    facing: Bitboard,
}

struct Walls {
    men: ArrayVec<Man, 32>,
    /// Squares of the pieces for which no move or capture has been found yet.
    stuck: Bitboard,
    /// Home squares of pawns that can leave their file by capturing.
    strays: Bitboard,
    /// Home squares of pawns that can be captured.
    taken: Bitboard,
    /// Squares of the pieces without which the remaining material cannot mate.
    needed: Bitboard,
    /// True if a pawn can promote, which breaks nearly every wall.
    promotes: bool,
    /// True if kings may capture stuck pieces.
    kings_take: bool,
    board: Board,
}

/// Returns whether walls alone prove that `winner` can never mate. `side` is to move, and the
/// position must not be a mate.
pub(super) fn shut(board: &Board, side: Side, winner: Side) -> bool {
    let moved = side != winner;
    let mut walls = Walls::new(board, winner);
    walls.settle();
    if !walls.can_mate(winner, moved) {
        return true;
    }
    // Try again as if kings never captured stuck pieces. The result is valid if each of these
    // captures would leave the other side without a legal move.
    let mut walls = Walls::new(board, winner);
    walls.kings_take = false;
    walls.settle();
    !walls.can_mate(winner, moved) && walls.captures_by_kings_end_it(winner)
}

impl Walls {
    fn new(board: &Board, winner: Side) -> Self {
        let mut men = ArrayVec::new();
        let mut needed = Bitboard::EMPTY;
        let few = board.side(winner).len() <= 3;
        for side in Side::ALL {
            for kind in Kind::ALL {
                for square in board.pieces(side, kind) {
                    let home = Bitboard::of(square);
                    let (mut facing, mut beyond) = (Bitboard::EMPTY, Bitboard::EMPTY);
                    if kind == Kind::Pawn {
                        let ahead = home.in_front(side);
                        let faced = ahead & board.pieces(!side, Kind::Pawn);
                        // From the point of view of `side`, the nearest pawn is the first one.
                        if let Some(square) = faced.relative_to(side).first() {
                            facing = Bitboard::of(square.relative_to(side));
                            beyond = facing.fill_forward(side);
                        }
                    }
                    let reach = home;
                    let _ = men.try_push(Man { side, kind, home, reach, beyond, facing });
                    if few && kind != Kind::King {
                        let mut without = *board;
                        without.toggle(Piece::new(side, kind), square);
                        if !material::is_enough(&without, winner) {
                            needed |= home;
                        }
                    }
                }
            }
        }
        let mut stuck = board.occupied();
        // A pawn that can be captured en passant counts as captured.
        for side in Side::ALL {
            stuck -= board.en_passant.forward(side) & board.kind(Kind::Pawn);
        }
        Self {
            men,
            stuck,
            strays: Bitboard::EMPTY,
            taken: board.occupied() - stuck,
            needed,
            promotes: false,
            kings_take: true,
            board: *board,
        }
    }

    /// Extends the reachable squares until nothing changes or a pawn can promote.
    fn settle(&mut self) {
        while self.grow() && !self.promotes {}
    }

    /// Returns the squares that the other side's king never enters, because stuck pieces of `side`
    /// attack them.
    fn guarded(&self, side: Side) -> Bitboard {
        let stuck = self.stuck & self.board.side(side);
        let of = |kind| stuck & self.board.kind(kind);
        let mut guarded = attacks::pawns(side, of(Kind::Pawn)) | attacks::knights(of(Kind::Knight));
        guarded |= (of(Kind::King) | of(Kind::Queen)).around();
        let (straight, diagonal) = (of(Kind::Rook), of(Kind::Bishop));
        guarded |= straight.up(1) | straight.up(-1) | straight.sideways();
        let diagonal = diagonal.sideways();
        guarded | diagonal.up(1) | diagonal.up(-1)
    }

    /// Extends the reachable squares by one step. Returns whether anything changed.
    fn grow(&mut self) -> bool {
        let guarded = Side::ALL.map(|side| self.guarded(!side));
        let prey = Side::ALL.map(|side| {
            let reached = self.men.iter().filter(|man| man.side != side && man.kind != Kind::King);
            reached.fold(self.board.en_passant, |set, man| set | man.reach)
        });
        let mut grown = self.loosen();
        for man in &mut self.men {
            let stuck = self.stuck - man.home;
            let own = stuck & self.board.side(man.side);
            let enemy = stuck & self.board.side(!man.side);
            // A piece can enter any square except the squares of stuck pieces of its own side, of a
            // stuck enemy king, and of stuck enemy pieces that are needed.
            let open = !(own | enemy & (self.board.kind(Kind::King) | self.needed));
            let mut new;
            match man.kind {
                Kind::Pawn => {
                    let third = Bitboard::rank(Rank::R3.relative_to(man.side));
                    let free = self.strays & (man.home | man.facing) | self.taken & man.facing;
                    let is_stuck = free.is_empty();
                    let shut = if is_stuck { stuck | man.beyond } else { stuck };
                    let step = man.reach.forward(man.side) - shut;
                    new = step | ((step & third).forward(man.side) - shut);
                    new |= attacks::pawns(man.side, man.reach) & prey[man.side.index()] & open;
                    let last = Bitboard::rank(Rank::R8.relative_to(man.side));
                    self.promotes |= (new & last).any();
                }
                Kind::Knight => new = attacks::knights(man.reach) & open,
                Kind::Bishop => new = slides(man.reach, stuck, false, true) & open,
                Kind::Rook => new = slides(man.reach, stuck, true, false) & open,
                Kind::Queen => new = slides(man.reach, stuck, true, true) & open,
                Kind::King => {
                    let open = if self.kings_take { open } else { open - enemy };
                    new = man.reach.around() & (open - guarded[man.side.index()]);
                }
            }
            if (new - man.reach).any() {
                grown = true;
                man.reach |= new;
                // This piece can move, and a piece on a newly reachable square may be captured, so
                // neither is stuck.
                self.stuck -= man.home | new;
            }
        }
        self.castle(guarded) || grown
    }

    /// Finds pawns that can leave their file or be captured. Returns whether any pawn was added.
    fn loosen(&mut self) -> bool {
        let takes = Side::ALL.map(|side| {
            self.men.iter().filter(|man| man.side == side).fold(Bitboard::EMPTY, |set, man| {
                set | match man.kind {
                    Kind::Pawn => attacks::pawns(side, man.reach),
                    _ => man.reach,
                }
            })
        });
        let before = (self.strays, self.taken);
        for man in self.men.iter().filter(|man| man.kind == Kind::Pawn) {
            if (man.reach - man.home.fill_files()).any() {
                self.strays |= man.home;
            }
            // A pawn that is still stuck cannot be captured on its home square.
            let safe = man.home & self.stuck;
            if (takes[(!man.side).index()] & (man.reach - safe)).any() {
                self.taken |= man.home;
            }
        }
        (self.strays, self.taken) != before
    }

    /// Adds the destinations of king and rook for each castling that may be possible. Returns
    /// whether any square was added.
    fn castle(&mut self, guarded: [Bitboard; 2]) -> bool {
        let mut grown = false;
        for rook in self.board.castling {
            let side = Side::from_white(self.board.side(Side::White).has(rook));
            let king = self.board.king(side);
            let end = CastlingSquares::of(king, rook);
            let kings = attacks::between(king, end.king) | end.king;
            let rooks = attacks::between(rook, end.rook) | end.rook;
            let stuck = self.stuck - (Bitboard::of(king) | rook);
            if ((kings | rooks) & stuck | kings & guarded[side.index()]).any() {
                continue;
            }
            for man in &mut self.men {
                let to = match (man.home.lowest(), man.kind) {
                    (home, Kind::King) if home == king => end.king,
                    (home, Kind::Rook) if home == rook => end.rook,
                    _ => continue,
                };
                grown |= !man.reach.has(to);
                man.reach |= to;
                self.stuck -= man.home;
            }
        }
        grown
    }

    /// Returns whether a king's capture of a stuck piece always leaves the other side without a
    /// move, but is never a mate by `winner`. If so, the first of these captures ends the game, and
    /// the sets of squares computed without these captures are valid until then.
    fn captures_by_kings_end_it(&self, winner: Side) -> bool {
        self.board.castling.is_empty()
            && Side::ALL.into_iter().all(|side| {
                let reach = |side: Side| {
                    let mut kings = self.men.iter().filter(|man| man.kind == Kind::King);
                    kings.find(|man| man.side == side).map_or(Bitboard::EMPTY, |man| man.reach)
                };
                let (own, other) = (reach(side), reach(!side));
                let king = self.board.kind(Kind::King);
                let excluded = king | self.needed | self.guarded(!side);
                let prey = (self.stuck & self.board.side(!side) & own.around()) - excluded;
                if prey.is_empty() {
                    return true;
                }
                let slides_on = |kind| {
                    self.men.iter().any(|man| {
                        let slider = man.kind == kind || man.kind == Kind::Queen;
                        man.side == side && slider
                    })
                };
                let (straight, diagonal) = (slides_on(Kind::Rook), slides_on(Kind::Bishop));
                let frozen = self
                    .men
                    .iter()
                    .all(|man| man.side == side || man.kind == Kind::King || man.reach == man.home);
                let shut = (self.stuck & self.board.side(!side)) | self.guarded(side);
                frozen && { prey }.all(|prey| {
                    let near = attacks::king(prey);
                    { other - (near | prey) }.all(|king| {
                        let stays = (attacks::king(king) - (shut | near)).is_empty();
                        // Moving the king may discover a check along the line it leaves.
                        let seen = slides(king.into(), self.stuck, straight, diagonal) & near & own;
                        let bared = { seen }.all(|from| attacks::line(from, king).has(prey));
                        stays && (bared || side != winner)
                    })
                })
            })
    }

    /// Returns whether the walls still allow a mate by `winner`. `moved` is true if the losing side
    /// is to move: it must then make at least one move before it can be mated.
    fn can_mate(&self, winner: Side, moved: bool) -> bool {
        if self.promotes {
            return true;
        }
        let men = |side: Side| self.men.iter().filter(move |man| man.side == side);
        // The losing side's king does not block lines, because it can move away before the mate.
        let stuck = self.stuck - self.board.pieces(!winner, Kind::King);
        let mut attacked = Bitboard::EMPTY;
        let (mut king, mut mated) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for man in men(winner) {
            attacked |= match man.kind {
                Kind::Pawn => attacks::pawns(winner, man.reach),
                Kind::Knight => attacks::knights(man.reach),
                Kind::Bishop => slides(man.reach, stuck, false, true),
                Kind::Rook => slides(man.reach, stuck, true, false),
                Kind::Queen => slides(man.reach, stuck, true, true),
                Kind::King => {
                    king = man.reach;
                    Bitboard::EMPTY
                }
            };
        }
        let mut blocked = Bitboard::EMPTY;
        let mut only_king = moved;
        for man in men(!winner) {
            match man.kind {
                Kind::King => mated = man.reach,
                _ => {
                    blocked |= man.reach;
                    only_king &= man.reach == man.home;
                }
            }
        }
        only_king &= self.board.castling.is_empty();
        // Returns whether pieces of the losing side can occupy all unattacked squares.
        let fill = |left: Bitboard| {
            (left - blocked).is_empty()
                && men(!winner)
                    .filter(|man| man.kind != Kind::King && (man.reach & left).any())
                    .count()
                    >= left.len() as usize
        };
        !(mated & attacked).all(|square| {
            let left = attacks::king(square) - attacked;
            // If the losing side can move only its king, the king came from an adjacent square, and
            // that square must be attacked in the mate position.
            let from = attacks::king(square) & mated;
            if only_king && from.is_empty() {
                return true;
            }
            let quiet = !only_king || (from & attacked).any();
            let covers = |own: Square| {
                own.distance(square) > 1
                    && fill(left - attacks::king(own))
                    && (quiet || {
                        // If only the winner's king guards the square that the losing king came
                        // from, the winner's king made the last move, and that move must have
                        // discovered the check.
                        let came = attacks::king(own) & king & attacked;
                        (from & attacks::king(own)).any()
                            && !{ came }.all(|came| {
                                let line = attacks::line(came, square);
                                came.distance(square) <= 1 || line.is_empty() || line.has(own)
                            })
                    })
            };
            !(fill(left) && quiet) && { king }.all(|own| !covers(own))
        })
    }
}

/// Returns the squares that sliders on `from` reach in one move, blocked only by stuck pieces. The
/// squares of the blockers are included.
fn slides(from: Bitboard, stuck: Bitboard, straight: bool, diagonal: bool) -> Bitboard {
    let mut to = Bitboard::EMPTY;
    for square in from {
        if straight {
            to |= attacks::rook(square, stuck);
        }
        if diagonal {
            to |= attacks::bishop(square, stuck);
        }
    }
    to
}
