//! Attacks on enemy pieces, made or about to be made.

use super::survey::Survey;
use super::tally::{Trace, add};
use crate::base::side::Side;
use crate::chess::{Bitboard, Kind, Rank, attacks};

impl<T: Trace> Survey<'_, T> {
    /// What `us` threatens.
    #[inline(always)]
    pub fn threats(&mut self, us: Side) {
        let (i, they) = (us.index(), (!us).index());
        let board = self.board;
        let enemy = board.side(!us) - board.pieces(!us, Kind::King);
        let enemy_pieces = enemy - board.pieces(!us, Kind::Pawn);
        let pawn_guarded = self.by[they][Kind::Pawn.index()];
        let strong = pawn_guarded | (self.twice[they] - self.twice[i]);
        let weak = (enemy & self.all[i]) - strong;
        let safe = !self.all[they] | self.all[i] & !strong;

        let minors = self.by[i][Kind::Knight.index()] | self.by[i][Kind::Bishop.index()];
        let by_minor = minors & (weak | enemy_pieces);
        let by_rook = self.by[i][Kind::Rook.index()] & weak;
        for kind in [Kind::Pawn, Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen] {
            let targets = board.pieces(!us, kind);
            let (minor, rook) = ((by_minor & targets).len(), (by_rook & targets).len());
            add!(self.tally, us, threat_by_minor[kind.index()] * minor as i32);
            add!(self.tally, us, threat_by_rook[kind.index()] * rook as i32);
        }
        if (self.by[i][Kind::King.index()] & weak).any() {
            add!(self.tally, us, threat_by_king);
        }
        let hanging = weak & (!self.all[they] | enemy_pieces & self.twice[i]);
        add!(self.tally, us, hanging * hanging.len() as i32);
        let restricted = self.all[they] & (self.all[i] - strong);
        add!(self.tally, us, restricted * restricted.len() as i32);

        let pawns = board.pieces(us, Kind::Pawn);
        let by_pawn = attacks::pawns(us, pawns & safe) & enemy_pieces;
        for kind in [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen] {
            let targets = (by_pawn & board.pieces(!us, kind)).len();
            add!(self.tally, us, threat_by_pawn[kind.index() - 1] * targets as i32);
        }
        let third = Bitboard::rank(Rank::R3.relative_to(us));
        let step = pawns.forward(us) - self.occupied;
        let step = step | ((step & third).forward(us) - self.occupied);
        let pushes = step & (safe - pawn_guarded);
        let by_push = attacks::pawns(us, pushes) & (enemy_pieces - by_pawn);
        add!(self.tally, us, threat_by_push * by_push.len() as i32);

        let queens = board.pieces(!us, Kind::Queen);
        if queens.any() && !queens.many() {
            let queen = queens.lowest();
            let calm = safe - board.side(us) - pawn_guarded;
            let knights = attacks::knight(queen) & self.by[i][Kind::Knight.index()] & calm;
            add!(self.tally, us, knight_on_queen * knights.len() as i32);
            let sliders = attacks::bishop(queen, self.occupied) & self.by[i][Kind::Bishop.index()]
                | attacks::rook(queen, self.occupied) & self.by[i][Kind::Rook.index()];
            let sliders = sliders & calm & self.twice[i];
            add!(self.tally, us, slider_on_queen * sliders.len() as i32);
        }
    }
}
